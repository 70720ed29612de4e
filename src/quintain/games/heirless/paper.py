"""What Heirless battles on paper needs beside the Battlecards, for three players: tiles, and tracks to mark."""

from collections.abc import Mapping, Sequence

from quintain.engine import ListedCard, PaperParts
from quintain.games.heirless import state as st
from quintain.games.heirless.words import TILE_NAMES, key_of

PLAYERS = 3
"""The usual number of players, for whom the parts suffice."""
TILES, TRACKS = "Tiles", "Attributes"
TILE_TEXTS = (
    f"Pays {st.CAPITAL_PAYS} Resources. No Bandits come here.",
    *(f"Pays {st.CAMP_PAYS} Resources, with the Location of Interest {st.LOCATION_PAYS}.",) * st.CAMPS,
)
CASTLE_TEXT = f"Nobody fights here. Pays {st.CASTLE_PAYS} Resources to a rival with more Knights here than its owner."
BROUGHT = (
    "Four Knights for each player, of one colour: cubes or meeples",
    "About 10 Bandits: cubes of another colour",
    "Small tokens for Wounds and for Resources, and one that marks the Location of Interest",
    "6 markers for each card of attributes, such as paper clips",
)


def paper(tracks: Mapping[str, Sequence[int]]) -> PaperParts:
    """Return the parts; `tracks` are the numbers of each attribute, step by step. HB-20, HB-23, HB-26."""
    tiles = [
        ListedCard(name, TILES, text=text, key=key_of(name), pile=TILES)
        for name, text in zip(TILE_NAMES, TILE_TEXTS, strict=True)
    ]
    castle = ListedCard("Castle", TILES, text=CASTLE_TEXT, key="knight", copies=PLAYERS, pile=TILES)
    steps = ". ".join(f"{name}: {', '.join(map(str, values))}" for name, values in tracks.items())
    text = f"{steps}. Mark where each attribute is; it begins at the left."
    owners = (("Attributes of a player", PLAYERS), ("Attributes of a camp", st.CAMPS))
    sheets = [ListedCard(name, TRACKS, text=text, key="steps", copies=copies, pile=TRACKS) for name, copies in owners]
    return PaperParts((*tiles, castle, *sheets), BROUGHT)
