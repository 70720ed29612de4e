"""The version of Quintain, in one place: packaging reads it from here, too."""

__version__ = "1.0.0"
"""The version of Quintain."""
