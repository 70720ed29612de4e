"""The machine that `faults.py` breaks, and the people who play on it."""
