"""Heirless battles: the names of values, tiles, sides and Knights.

Moves, narration, reasons, account and view build their sentences from these.
"""

from quintain.games.heirless import state as st

TRACK_NAMES = ("Damage", "Precision", "Dodge", "Defense", "Delay", "Health")
VALUE_NAMES = (*TRACK_NAMES, "Wound")
CAMP_NAMES = ("Wolf Camp", "Cat Camp", "Fox Camp")
TILE_NAMES = ("Capital", *CAMP_NAMES)


def key_of(name: str) -> str:
    """Return the key that belongs to a name, such as ``wolf_camp`` to Wolf Camp."""
    return name.lower().replace(" ", "_")


def whose(seat: int, viewer: int) -> str:
    """Return the owner at the beginning of a title as a viewer reads it: ``Your`` or ``seat 1's``."""
    return "Your" if seat == viewer else f"seat {seat}'s"


def tile_name(tile: int) -> str:
    """Return the name of a tile with its article, such as ``the Wolf Camp`` or ``seat 1's Castle``."""
    return f"the {TILE_NAMES[tile]}" if tile < st.CASTLE else f"seat {tile - st.CASTLE}'s Castle"


def side_name(side: int) -> str:
    """Return the name of a side of a battle, such as ``seat 1`` or ``the Bandits``."""
    return "the Bandits" if side == st.BANDITS else f"seat {side}"


def knight_name(side: int, knight: int) -> str:
    """Return the name of a Knight or Bandit in the battle, such as ``seat 1's Knight 2`` or ``Bandit 1``."""
    return f"Bandit {knight + 1}" if side == st.BANDITS else f"seat {side}'s Knight {knight + 1}"


def and_list(names: list[str]) -> str:
    """Join names to a list in words, such as ``a, b and c``."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def signed(number: int) -> str:
    """Return a change with its sign, such as ``+3``; 0 has none."""
    return f"{number:+d}" if number else "0"


def knights(number: int) -> str:
    """Return a number of Knights in words."""
    return "1 Knight" if number == 1 else f"{number} Knights"


def bandits(number: int) -> str:
    """Return a number of Bandits in words."""
    return "1 Bandit" if number == 1 else f"{number} Bandits"


def units_of(side: int, number: int) -> str:
    """Return a number of Knights or Bandits with their side, such as ``2 Knights of seat 1`` or ``1 Bandit``."""
    return bandits(number) if side == st.BANDITS else f"{knights(number)} of {side_name(side)}"
