"""Coats of arms of players: a player's number, or a bot's level, decides what is on the shield.

`coat_of` chooses the coat, `blazon` says it in words, and `drawn_small` and `drawn_large` draw it. The charges are
icons in the sprite that `tools/assets.py` writes. `heraldry.py` has the shield and the ordinaries; its arms belong to
cards and seats, and these belong to people and bots. Every coat obeys the rule of tincture: colour lies on metal, and
metal on colour. People have five colours. Tenné is for bots only, those that have no fixed coat.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from html import escape
from itertools import count, permutations, product
from math import gcd

from quintain.server.pages.heraldry import ORDINARIES, SHIELD

SPRITE = "/static/vendor/arms.svg"
METALS = ("or", "argent")
COLOURS = ("azure", "gules", "vert", "purpure", "sable")
STAIN = "tenne"
"""A colour of bots only."""
NEXT = {"or": "argent", "argent": "or", "azure": "gules", "gules": "azure", "vert": "sable", "purpure": "vert"}
NEXT |= {"sable": "gules", STAIN: "sable"}
"""A second metal or colour for each, which differs from it at a glance."""
MURKY = ({"azure", "purpure"}, {"azure", "sable"}, {"purpure", "sable"}, {"vert", "sable"})
"""Colours too much alike to share a field."""
CHARGES = {
    "lion": "a lion's head",
    "anchor": "an anchor",
    "oak-leaf": "an oak leaf",
    "griffin-symbol": "a griffin",
    "skeleton-key": "a key",
    "raven": "a raven",
    "sun": "a sun",
    "boar": "a boar",
    "stone-tower": "a tower",
    "dolphin": "a dolphin",
    "rose": "a rose",
    "unicorn": "a unicorn's head",
    "crossed-swords": "two swords in saltire",
    "owl": "an owl",
    "acorn": "an acorn",
    "wolf-head": "a wolf's head",
    "moon": "a moon",
    "deer": "a stag",
    "harp": "a harp",
    "rooster": "a cock",
    "fleur-de-lys": "a fleur-de-lys",
    "bear-head": "a bear's head",
    "battle-axe": "an axe",
    "swan": "a swan",
    "shamrock": "a trefoil",
    "pegasus": "a pegasus",
    "queen-crown": "a crown",
    "squirrel": "a squirrel",
    "scallop": "a scallop",
    "ram-profile": "a ram's head",
    "polar-star": "a star of eight points",
    "eagle-emblem": "an eagle",
    "oak": "an oak",
    "fox-head": "a fox's face",
    "hunting-horn": "a horn",
    "rabbit": "a rabbit",
    "grapes": "a bunch of grapes",
    "spiked-dragon-head": "a dragon's head",
    "bee": "a bee",
    "horse-head": "a horse's head",
}
"""The icons that people's coats bear, with their names in a blazon. Neighbours differ in shape and kind."""
BADGES = {
    "perspective-dice-six-faces-random": "a die",
    "quill-ink": "a quill in an inkpot",
    "two-coins": "two coins",
    "horseshoe": "a horseshoe",
    "visored-helm": "a helm",
    "laurel-crown": "a crown within a laurel wreath",
    "lyre": "a lyre",
    "throne-king": "a throne",
}
"""The icons that only bots bear."""
PARTED = {
    "per pale": ORDINARIES["per-pale"],
    "per bend": "M4 4L80 94Q67 105.600 50 112C26 103 4 86 4 58Z",
    "quarterly": ORDINARIES["quarterly"],
    "per fess": "M4 54H96V58C96 86 74 103 50 112C26 103 4 86 4 58Z",
}
"""The ways to part a field, each with the path of the second tincture."""
SUPPORTS = {
    "chief": ORDINARIES["chief"],
    "bordure": ORDINARIES["bordure"],
    "orle": "M13 13H87V57C87 80 69 92 50 100C31 92 13 80 13 57ZM19 19V57C19 76 34 86 50 93C66 86 81 76 81 57V19Z",
    "flaunches": "M4 4C25 24 27 66 13.300 86.500Q4 74 4 58ZM96 4C75 24 73 66 86.700 86.500Q96 74 96 58Z",
    "base": "M9.500 80H90.500Q78 101 50 112Q22 101 9.500 80Z",
}
"""The ordinaries that leave the middle of the shield to the charge, each with its path."""
AND = " and "
JOINTS = {
    "chief": (AND, "a chief"),
    "base": (AND, "a base"),
    "bordure": (" within ", "a bordure"),
    "orle": (" within ", "an orle"),
    "flaunches": (" between ", "two flaunches"),
}
"""How a blazon joins each ordinary to the charge, if both have one tincture, and what it calls the ordinary."""
LESSER = {
    "stars": "M0-10 2.900-3.100 10-3.100 4.300 1.700 6.200 9 0 4.700-6.200 9-4.300 1.700-10-3.100-2.900-3.100Z",
    "roundels": "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0Z",
    "lozenges": "M0-10.500 7.500 0 0 10.500-7.500 0Z",
    "crescents": "M-5.500-8.500A10 10 0 1 0 5.500-8.500A7.600 7.600 0 1 1-5.500-8.500Z",
    "hearts": "M0 9C-9 2-10-2-9-5.500C-7.500-9.500-2-9.500 0-5C2-9.500 7.500-9.500 9-5.500C10-2 9 2 0 9Z",
    "rings": "M-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0ZM-4.500 0a4.500 4.500 0 1 1 9 0a4.500 4.500 0 1 1-9 0Z",
    "crosses": "M-3-9.500H3V-3H9.500V3H3V9.500H-3V3H-9.500V-3H-3Z",
    "billets": "M-5-9.500H5V9.500H-5Z",
}
"""The charges that a coat has three of, each with a path around the origin, 20 units wide at most."""
ON_CHIEF = ((23, 18.5), (50, 18.5), (77, 18.5))
AROUND = ((19, 19), (81, 19), (50, 97))
USUAL, PLACES = (66, 54), {"chief": (58, 67), "bordure": (54, 54), "orle": (44, 53), "flaunches": (50, 53)}
PLACES |= {"base": (58, 44), "three": (50, 55)}
"""The width of the charge and the height of its middle: usually, beside an ordinary, and between three others."""


@dataclass(frozen=True)
class Coat:
    """A coat of arms: a field, a charge on it, and at most one ordinary.

    `parted` is a key of PARTED and `second` the tincture of the other part; `support` is a key of SUPPORTS and `over`
    its tincture. `lesser` is a key of LESSER: three of them lie on the chief, or around the charge if there is none.
    """

    field: str
    charge: str
    tincture: str
    parted: str = ""
    second: str = ""
    support: str = ""
    over: str = ""
    lesser: str = ""
    lesser_tincture: str = ""

    def __post_init__(self) -> None:
        """Check the rule of tincture."""
        fields = [self.field, self.second] if self.parted else [self.field]
        pairs = [(self.tincture, field) for field in fields]
        if self.support:
            pairs += [(self.over, field) for field in fields]
        if self.lesser:
            pairs += [(self.lesser_tincture, below) for below in ([self.over] if self.support else fields)]
        for upper, lower in pairs:
            if (upper in METALS) == (lower in METALS):
                raise ValueError(f"{upper} lies on {lower}: put a metal on a colour, or a colour on a metal")


def _fields() -> tuple[list[Coat], list[Coat]]:
    """Return all coats with a field and the first charge only: those with a plain field, and the parted ones."""
    first = next(iter(CHARGES))
    contrasts = [*product(COLOURS, METALS), *product(METALS, COLOURS)]
    plain = [Coat(field, first, tincture) for field, tincture in contrasts]
    pairs = [pair for pair in permutations(COLOURS, 2) if set(pair) not in MURKY]
    mixed = [*product(pairs, METALS), *product(permutations(METALS), COLOURS)]
    parted = [Coat(field, first, tincture, way, second) for way in PARTED for (field, second), tincture in mixed]
    return plain, parted


PLAIN, DIVIDED = _fields()
SIMPLE, SMALL = len(PLAIN) * len(CHARGES), (len(PLAIN) + len(DIVIDED)) * len(CHARGES)
"""The number of different small pictures with a plain field, and of all small pictures."""
ADDITIONS = 1 + 2 * len(SUPPORTS) + 4 * len(LESSER) + 2 * len(LESSER)
"""The number of large pictures for each small one: `_with_addition` has the list."""
PEOPLE = SMALL * ADDITIONS
"""The number of people with different coats."""
BOTS = {
    "random": Coat("argent", "perspective-dice-six-faces-random", "sable", support="bordure", over="sable"),
    "page": Coat("vert", "quill-ink", "argent", support="base", over="or"),
    "greedy": Coat("sable", "two-coins", "or", support="flaunches", over="or"),
    "squire": Coat("azure", "horseshoe", "argent", support="orle", over="argent"),
    "knight": Coat("gules", "visored-helm", "argent", support="chief", over="argent"),
    "champion": Coat("purpure", "laurel-crown", "or", "", "", "chief", "or", "stars", "purpure"),
    "minstrel": Coat("or", "lyre", "azure", support="bordure", over="azure"),
    "grandmaster": Coat("gules", "throne-king", "or", "", "", "chief", "or", "lozenges", "gules"),
}
"""The coats of the bots, by level."""


def coat_of(who: str) -> Coat:
    """Return the coat of a player: of a person by number, such as "7", or of a bot by its level.

    The first PEOPLE numbers have different coats, and the first SMALL of them different small pictures.
    """
    if who.isdecimal():
        return _of_person(int(who))
    if who in BOTS:
        return BOTS[who]
    rest, at = divmod(zlib.crc32(who.encode()), len(CHARGES))
    rest, metal = divmod(rest, len(METALS))
    return _with_addition(Coat(STAIN, list(CHARGES)[at], METALS[metal]), rest % ADDITIONS)


def _of_person(number: int) -> Coat:
    """Return the coat of a person; the first numbers get plain fields, which are the easiest to tell apart."""
    turn, place = divmod((number - 1) % PEOPLE, SMALL)
    if place < SIMPLE:
        fields, place = PLAIN, _scattered(place, SIMPLE)
    else:
        fields, place = DIVIDED, _scattered(place - SIMPLE, SMALL - SIMPLE)
    field, charge = divmod(place, len(CHARGES))
    coat = replace(fields[field], charge=list(CHARGES)[charge])
    return _with_addition(coat, (turn + _scattered(place, ADDITIONS)) % ADDITIONS)


def _scattered(place: int, size: int) -> int:
    """Return another place below `size`. Each place gets its own, and neighbours get distant ones."""
    step = next(step for step in count(round(size * 0.618)) if gcd(step, size) == 1)
    return place * step % size


def _with_addition(coat: Coat, addition: int) -> Coat:
    """Return a coat with an ordinary, with three lesser charges, with both or with neither."""
    overs = (coat.tincture, NEXT[coat.tincture])
    unders = (coat.field, coat.second or NEXT[coat.field])
    changes = [
        {},
        *({"support": support, "over": over} for support in SUPPORTS for over in overs),
        *(
            {"support": "chief", "over": over, "lesser": lesser, "lesser_tincture": under}
            for lesser in LESSER
            for over in overs
            for under in unders
        ),
        *({"lesser": lesser, "lesser_tincture": over} for lesser in LESSER for over in overs),
    ]
    return replace(coat, **changes[addition])


def blazon(coat: Coat) -> str:
    """Return a coat in the words of heraldry.

    >>> blazon(Coat("gules", "lion", "or", support="chief", over="argent", lesser="stars", lesser_tincture="azure"))
    "Gules, a lion's head or; on a chief argent three stars azure"
    """
    field = f"{coat.parted} {_word(coat.field)} and {_word(coat.second)}" if coat.parted else _word(coat.field)
    charge, tincture, over = (CHARGES | BADGES)[coat.charge], _word(coat.tincture), _word(coat.over)
    joint, ordinary = JOINTS.get(coat.support, ("", ""))
    if coat.support and coat.lesser:
        rest = f"{charge} {tincture}; on a chief {over} three {coat.lesser} {_word(coat.lesser_tincture)}"
    elif coat.lesser and coat.lesser_tincture == coat.tincture:
        rest = f"{charge} between three {coat.lesser} {tincture}"
    elif coat.lesser:
        rest = f"{charge} {tincture} between three {coat.lesser} {_word(coat.lesser_tincture)}"
    elif coat.support and coat.over == coat.tincture:
        rest = f"{charge}{joint}{ordinary} {tincture}"
    elif coat.support:
        rest = f"{charge} {tincture}{', ' if joint == AND else joint}{ordinary} {over}"
    else:
        rest = f"{charge} {tincture}"
    return f"{field[:1].upper()}{field[1:]}, {rest}"


def _word(tincture: str) -> str:
    return "tenné" if tincture == STAIN else tincture


def drawn_small(coat: Coat, kind: str, label: str = "") -> str:
    """Return a coat as SVG for less than 60 px: the field and the charge.

    `kind` is the class of the SVG. It is hidden from screen readers if it has no label.
    """
    body = _field(coat) + _charge(coat, *USUAL) + _outline(4, coat.field, coat.second)
    return _svg(kind, label, body)


def drawn_large(coat: Coat, kind: str, label: str = "") -> str:
    """Return a whole coat as SVG for 60 px or more; `kind` and `label` are as for `drawn_small`."""
    edge = _outline(3, coat.field, coat.second, coat.over)
    body = _field(coat) + _support(coat) + _lesser(coat) + _charge(coat, *_place(coat)) + edge
    return _svg(kind, label, body)


def _place(coat: Coat) -> tuple[int, int]:
    return PLACES.get(coat.support or ("three" if coat.lesser else ""), USUAL)


def _support(coat: Coat) -> str:
    if not coat.support:
        return ""
    return f'<path fill="var(--{coat.over})" fill-rule="evenodd" d="{SUPPORTS[coat.support]}"/>'


def _lesser(coat: Coat) -> str:
    if not coat.lesser:
        return ""
    shape = f'fill="var(--{coat.lesser_tincture})" fill-rule="evenodd" d="{LESSER[coat.lesser]}"'
    spots = ON_CHIEF if coat.support else AROUND
    return "".join(f'<path transform="translate({x} {y})" {shape}/>' for x, y in spots)


def _field(coat: Coat) -> str:
    second = f'<path fill="var(--{coat.second})" d="{PARTED[coat.parted]}"/>' if coat.parted else ""
    return f'<path fill="var(--{coat.field})" d="{SHIELD}"/>{second}'


def _charge(coat: Coat, size: int, middle: int) -> str:
    x, y = 50 - size / 2, middle - size / 2
    box = f'x="{x:g}" y="{y:g}" width="{size}" height="{size}"'
    return f'<use href="{SPRITE}#{coat.charge}" {box} color="var(--{coat.tincture})"/>'


def _outline(width: int, *tinctures: str) -> str:
    """Return the edge of the shield: dark, but lighter around black, which would be lost on a dark page."""
    edge = "line" if "sable" in tinctures else "leading"
    return f'<path fill="none" stroke="var(--{edge})" stroke-width="{width}" d="{SHIELD}"/>'


def _svg(kind: str, label: str, body: str) -> str:
    shown = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    return f'<svg class="{escape(kind)}" viewBox="0 0 100 116" {shown}>{body}</svg>'
