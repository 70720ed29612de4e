"""The bare server and the busy tables of `load.py`."""
