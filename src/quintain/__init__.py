"""Five medieval card games."""
