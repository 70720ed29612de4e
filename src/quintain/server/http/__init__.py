"""Requests: one module of routes for each subject, sockets, limits, and the description of the API."""

from quintain.lab.extras import need

need("litestar", "uvicorn", extra="server")
