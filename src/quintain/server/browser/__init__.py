"""The games without a server: the same tables and pages, put together for a Python that runs in the browser itself."""
