"""The attacks, the attackers and the honest player of `hostile.py`."""
