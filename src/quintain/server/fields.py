"""The names of what is posted, by forms and as JSON: one place for those who read it and those who fill forms in.

Templates write these names out as they are, and so do the posts that `documented` describes: whoever changes a name
here changes it there too.
"""

from __future__ import annotations

CSRF = "csrf"
"""What shows that a post comes from a page of ours."""
NAME, NEXT, THEME = "name", "next", "theme"
DECISION, ACTION = "decision", "action"
SPEED, PASSING = "speed", "passing"
GAME, SEATS, OPTIONS, CLOCK, PRIVATE = "game", "seats", "options", "clock", "private"
"""What describes a new table. A form has a field for each seat and each option instead of one for all of them."""
OPTION = "option."
"""How the name of the field of an option begins."""


def seat_field(seat: int) -> str:
    """Return the name of the field that says who sits on a seat."""
    return f"seat.{seat}"


def option_field(name: str) -> str:
    """Return the name of the field of an option."""
    return OPTION + name


def file_field(name: str, seat: int) -> str:
    """Return the name of the field of one seat's file, for an option that has a file for each seat."""
    return f"{option_field(name)}.{seat}"


def text_field(field: str) -> str:
    """Return the name of the field for the text of a file, which goes before what is chosen in another field."""
    return f"{field}.text"
