"""Heirless battles: the names of values, tiles and Knights, which all words about the game share."""

from quintain.games.heirless import state as st

TRACK_NAMES = ("Damage", "Precision", "Dodge", "Defense", "Delay", "Health")
VALUE_NAMES = (*TRACK_NAMES, "Wound")
CAMP_NAMES = ("Wolf Camp", "Cat Camp", "Fox Camp")
TILE_NAMES = ("Capital", *CAMP_NAMES)


def key_of(name: str) -> str:
    """Return the key of what is called so, such as ``wolf_camp``."""
    return name.lower().replace(" ", "_")


def whose(seat: int, viewer: int) -> str:
    """Begin a title with a seat that owns something, as a viewer reads it."""
    return "Your" if seat == viewer else f"seat {seat}'s"


def tile_name(tile: int) -> str:
    """Return a tile with its article, such as ``the Wolf Camp`` or ``seat 1's Castle``."""
    return f"the {TILE_NAMES[tile]}" if tile < st.CASTLE else f"seat {tile - st.CASTLE}'s Castle"


def side_name(side: int) -> str:
    """Return a side of a battle, such as ``seat 1`` or ``the Bandits``."""
    return "the Bandits" if side == st.BANDITS else f"seat {side}"


def knight_name(side: int, knight: int) -> str:
    """Return a Knight or a Bandit of the battle, such as ``seat 1's Knight 2``."""
    return f"Bandit {knight + 1}" if side == st.BANDITS else f"seat {side}'s Knight {knight + 1}"


def one_of(names: list[str]) -> str:
    """Return names in a row, such as ``a, b and c``."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def signed(number: int) -> str:
    """Return a change, such as ``+3``."""
    return f"{number:+d}" if number else "0"


def knights(number: int) -> str:
    """Return a number of Knights in words."""
    return "1 Knight" if number == 1 else f"{number} Knights"


def bandits(number: int) -> str:
    """Return a number of Bandits in words."""
    return "1 Bandit" if number == 1 else f"{number} Bandits"


def units_of(side: int, number: int) -> str:
    """Return so many of a side, such as ``2 Knights of seat 1`` or ``1 Bandit``."""
    return bandits(number) if side == st.BANDITS else f"{knights(number)} of {side_name(side)}"
