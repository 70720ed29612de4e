"""Running the server: the application, its processes, and its log."""
