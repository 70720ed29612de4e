"""What viewers see: views, their layout, logs, previews, news, and `Seen`, which holds all of it for one viewer."""
