"""Pages: what templates are given, and the drawing of tables, replays, rulebooks and coats of arms."""
