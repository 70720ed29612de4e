"""The place Cards: what its templates are given, tab by tab. `tabs.py` lists the tabs."""
