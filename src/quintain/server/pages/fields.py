"""The names of fields that forms make up: of each seat and each option of a new table; and the token of all forms.

All other names are those of the structs in `http/posts.py`, which the templates repeat.
"""

from __future__ import annotations

CSRF = "csrf"
"""The field with the token that proves that a post comes from one of our pages."""
OPTION = "option."
"""The name of an option's field begins with this."""


def seat_field(seat: int) -> str:
    """Return the name of the field for the player or bot of a seat."""
    return f"seat.{seat}"


def option_field(name: str) -> str:
    """Return the name of the field of an option."""
    return OPTION + name


def file_field(name: str, seat: int) -> str:
    """Return the name of the field for one seat's file, if an option takes a file for each seat."""
    return f"{option_field(name)}.{seat}"


def text_field(field: str) -> str:
    """Return the name of the field for a file's pasted text; the text counts before the choice in `field`."""
    return f"{field}.text"
