"""Players that learn: nets trained by self-play, and best responses against a player that stands still.

`ppo` holds the arithmetic, `inputs` what a net reads, `selfplay` the games, and `training` runs it all.
"""
