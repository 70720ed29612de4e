"""Running the server: the application, its processes, and its log."""

from quintain.lab.extras import need

need("litestar", "uvicorn", extra="server")
