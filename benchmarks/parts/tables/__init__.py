"""The pages that `tables.py` looks at, and the script that measures them."""
