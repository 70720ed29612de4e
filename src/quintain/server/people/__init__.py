"""People: players and their devices, and what holds for them at every table."""
