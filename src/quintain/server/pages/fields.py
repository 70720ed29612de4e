"""The names of the fields in posts, for forms and JSON alike.

`requests.py` and `routes.py` read the fields, `contexts.py` fills forms. The templates and `documented.py` repeat the
names: if you change one here, change it there too.
"""

from __future__ import annotations

CSRF = "csrf"
"""The field with the token that proves that a post comes from one of our pages."""
NAME, NEXT, THEME, CONFIRMING = "name", "next", "theme", "confirming"
DECISION, ACTION = "decision", "action"
SPEED, PASSING, AGREES = "speed", "passing", "agrees"
COMMITMENT, REVEALED = "commitment", "revealed"
"""A player's commitment to a random number of their own, and the number, in hex."""
NEW, CODE = "new", "code"
"""Whether a new recovery code is wanted; the code that somebody types."""
TEXT, READY, LINE, TALKING = "text", "ready", "line", "talking"
"""What somebody says at a table, or the ready-made words; the line that is reported; whether one wants to read talk."""
STEP, SEAT, LEVEL = "step", "seat", "level"
"""The step of a lesson or of a replay, and for playing on from there the own seat and the level of the other bots."""
GAME, SEATS, OPTIONS, CLOCK, PRIVATE, RATED = "game", "seats", "options", "clock", "private", "rated"
"""The fields of a new table. JSON has one field for all seats and one for all options, a form one for each."""
RECORD = "record"
"""The text of a record that is brought in, pasted or from a file."""
INVITE, RIVAL = "invite", "rival"
"""The number of a player who is asked to a new table; against whom a quick match is played."""
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
