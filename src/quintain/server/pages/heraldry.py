"""Heraldry: coats of arms, drawn from a field, an ordinary and a charge, and the picture of every card of every game.

A game may describe the arms of its cards in its file heraldry.toml. All other cards get arms, too: a plain number gets
its owner's, and another kind gets arms chosen by its name. So a game needs no pictures. `tools/assets.py` draws all
arms into one file, the sprite; `rendering.py` refers to them by id.
"""

from __future__ import annotations

import json
import logging
import re
import tomllib
import zlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from quintain.engine.errors import nearest
from quintain.engine.rules.game import Game

ICONS = Path(__file__).parent / "static" / "vendor" / "icons.json"
"""The icons that Quintain brings, made by tools/assets.py."""
PARTS = ("arms", "crest", "foot", "icons", "credit")
"""What a heraldry.toml may have."""
log = logging.getLogger("quintain.server")
SHIELD = "M4 4H96V58C96 86 74 103 50 112C26 103 4 86 4 58Z"
INNER = "M14 14H86V57C86 80 68 93 50 100C32 93 14 80 14 57Z"
ORDINARIES = {
    "plain": "",
    "bordure": f"{SHIELD}{INNER}",
    "chief": "M4 4H96V33H4Z",
    "pale": "M34 4H66V105L50 112L34 105Z",
    "fess": "M4 40H96V58L95.6 66H4.4L4 58Z",
    "bend": "M4 4H24L93 74Q88 86 80 93L4 22Z",
    "chevron": "M50 34L95 72Q92 82 86 88L50 60L14 88Q8 82 5 72Z",
    "cross": "M39 4H61V42H96V62H61V108L50 112L39 108V62H4V42H39Z",
    "saltire": "M4 4H22L50 36L78 4H96V22L65 56L90 84Q85 92 78 97L50 72L22 97Q15 92 10 84L35 56L4 22Z",
    "per-pale": "M50 4H96V58C96 86 74 103 50 112Z",
    "quarterly": "M50 4H96V56H50ZM4 56H50V112C26 103 4 86 4 58Z",
}
"""The SVG path of each ordinary on a shield of 100 by 116, without clipping: not every browser clips in a sprite."""
TINCTURES = tuple(
    f"{tincture}{depth}"
    for tincture in ("azure", "gules", "vert", "purpure", "sable", "tenne", "or", "argent")
    for depth in ("", "-deep")
)
GAME_ICON = 512
CORNER = re.compile(r"(?:[-_. ]?([+-]?\d+)|-([A-Z][a-z]?))\Z")
"""The end of a face's name, a number or letters, which the card shows in its corner."""
PLAYER = "seat"
"""The kind of face that shows a player."""


HATCH = 8
"""The width and the height of a piece of hatching, on a shield of 100 by 116."""
ACROSS, UPRIGHT, FALLING, RISING = "M0 4H8", "M4 0V8", "M0 0L8 8", "M0 8L8 0"
HATCHED = {
    "azure": ACROSS,
    "gules": UPRIGHT,
    "vert": FALLING,
    "purpure": RISING,
    "sable": ACROSS + UPRIGHT,
    "tenne": ACROSS + RISING,
    "or": "M4 4H4.1",
    "argent": "",
}
"""The lines that stand for each tincture on paper without colour, as a path on one piece."""


@dataclass(frozen=True)
class Arms:
    """A coat of arms: tinctures are keys of TINCTURES, the ordinary of ORDINARIES, the charge a game-icon."""

    field: str
    ordinary: str
    charge: str
    tincture: str
    over: str = "or"

    def __post_init__(self) -> None:
        """Check the tinctures and the ordinary."""
        for tincture in (self.field, self.over, self.tincture):
            if tincture not in TINCTURES:
                raise ValueError(f"there is no tincture {tincture!r}; there are {', '.join(TINCTURES)}")
        if self.ordinary not in ORDINARIES:
            raise ValueError(f"there is no ordinary {self.ordinary!r}; there are {', '.join(ORDINARIES)}")


SEATS = (
    Arms("gules", "bordure", "lion", "or", "gules-deep"),
    Arms("azure", "bordure", "griffin-symbol", "argent", "azure-deep"),
    Arms("vert", "bordure", "boar", "or", "vert-deep"),
    Arms("purpure", "bordure", "swan", "argent", "purpure-deep"),
    Arms("tenne", "bordure", "wolf-head", "argent", "tenne-deep"),
    Arms("sable", "bordure", "eagle-emblem", "or", "sable-deep"),
)
"""The arms of the seats. Each has a charge of its own, so that seats differ by more than colour."""
NOBODY = Arms("or", "bordure", "queen-crown", "sable", "or-deep")
QUINTAIN = Arms("gules", "chief", "visored-helm", "or", "or")
OTHERS = (
    Arms("azure", "chief", "heraldic-sun", "or", "or"),
    Arms("vert", "per-pale", "oak-leaf", "or", "vert-deep"),
    Arms("gules", "quarterly", "rose", "argent", "gules-deep"),
    Arms("sable", "bordure", "tower-flag", "argent", "argent"),
    Arms("purpure", "chevron", "unicorn", "argent", "purpure-deep"),
    Arms("tenne", "fess", "crossed-swords", "argent", "tenne-deep"),
    Arms("or", "chief", "harp", "azure-deep", "azure"),
    Arms("azure", "saltire", "skeleton-key", "or", "azure-deep"),
    Arms("vert", "bend", "wheat", "or", "vert-deep"),
    Arms("argent", "bordure", "moon", "purpure", "purpure"),
    Arms("gules", "cross", "hourglass", "or", "gules-deep"),
    Arms("sable", "pale", "candle-light", "or", "sable-deep"),
)


@dataclass(frozen=True)
class Picture:
    """The picture of a face: the id of its arms in the sprite, the label in its corner, a sign and words below."""

    arms: str
    label: str = ""
    sign: str = ""
    foot: str = ""


@lru_cache(4096)
def picture(game: Game, face: str, seat: int | None) -> Picture:
    """Return the picture of a face, whether its game describes it or not.

    >>> import quintain
    >>> picture(quintain.game("kings-court"), "artois-5", None)
    Picture(arms='kings-court.artois', label='5', sign='contract', foot='up to 3 in')
    """
    kind, label = parts(face)
    described = arms_of(game)
    if kind in described:
        feet = _described(game).get("foot", {})
        sign, foot = feet.get(kind, feet.get(label, ("", "")))
        return Picture(f"{game.id}.{kind}", label, sign, foot)
    if kind in ("", PLAYER):
        return Picture(seat_arms(seat), label)
    return Picture(f"other.{zlib.crc32(kind.encode()) % len(OTHERS)}", label)


def parts(face: str) -> tuple[str, str]:
    """Return the kind of a face, and the number or letters in its corner; each may be empty.

    >>> parts("de_bourgogne-8"), parts("13"), parts("counter"), parts("cups_knight-Kn")
    (('de_bourgogne', '8'), ('', '13'), ('counter', ''), ('cups_knight', 'Kn'))
    """
    corner = CORNER.search(face)
    return (face[: corner.start()], corner[1] or corner[2]) if corner else (face, "")


def seat_arms(seat: int | None) -> str:
    """Return the id of a seat's arms in the sprite; None is nobody's seat."""
    return "nobody" if seat is None else f"seat.{seat % len(SEATS)}"


def crest(game: Game) -> str:
    """Return the id of a game's own arms in the sprite."""
    return game.id if "crest" in _described(game) else f"other.{zlib.crc32(game.id.encode()) % len(OTHERS)}"


def credit(game: Game) -> str:
    """Return the sentence about who made a game; empty if it has none."""
    return str(_described(game).get("credit", ""))


def arms_of(game: Game) -> dict[str, Arms]:
    """Return the arms that a game describes, by kind of face; raises ValueError if a description is wrong."""
    return {kind: Arms(**arms) for kind, arms in _described(game).get("arms", {}).items()}


def all_arms(games: Iterable[Game]) -> dict[str, Arms]:
    """Return all arms for the sprite by id: Quintain's own, the seats', and those that these games describe."""
    arms = {"quintain": QUINTAIN, "nobody": NOBODY}
    arms |= {f"seat.{seat}": shown for seat, shown in enumerate(SEATS)}
    arms |= {f"other.{number}": shown for number, shown in enumerate(OTHERS)}
    return arms | arms_of_games(games)


def arms_of_games(games: Iterable[Game]) -> dict[str, Arms]:
    """Return the arms that these games describe, by their id in the sprite; each game's own has the game's id."""
    arms: dict[str, Arms] = {}
    for game in games:
        arms |= {f"{game.id}.{kind}": shown for kind, shown in arms_of(game).items()}
        if shown := _described(game).get("crest"):
            arms[game.id] = Arms(**shown)
    return arms


def signs(games: Iterable[Game]) -> set[str]:
    """Return the names of the icons that these games use: at the foot of cards, and for numbers."""
    feet = {sign for game in games for sign, _ in _described(game).get("foot", {}).values()}
    return feet - {""} | {icon for game in games for icon in _described(game).get("icons", {}).values()}


def number_icon(game: Game, key: str) -> str:
    """Return the icon that its game gives a count or another number, by its key; empty if it gives none."""
    return str(_described(game).get("icons", {}).get(key, ""))


def drawn(arms: Arms, charges: Mapping[str, str]) -> str:
    """Return arms as SVG, given the SVG of every charge; the colours are custom properties of the page."""
    over = f'<path fill="var(--{arms.over})" fill-rule="evenodd" d="{ORDINARIES[arms.ordinary]}"/>'
    size, middle = {"chief": (62, 69), "bordure": (58, 54)}.get(arms.ordinary, (68, 54))
    corner = f"translate({50 - size / 2:g} {middle - size / 2:g}) scale({size / GAME_ICON:.4f})"
    return (
        f'<path fill="var(--{arms.field})" d="{SHIELD}"/>{over if ORDINARIES[arms.ordinary] else ""}'
        f'<g transform="{corner}" color="var(--{arms.tincture})">{charges[arms.charge]}</g>'
        f'<path fill="none" stroke="var(--leading)" stroke-width="4" d="{SHIELD}"/>'
    )


def svg(box: str, body: str) -> str:
    """Return an SVG document."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{body}</svg>\n'


def hatchings() -> str:
    """Return the patterns that stand for the tinctures where there is no colour, under ids such as ``hatch-gules``.

    They are the usual ones of engravers: lines in a direction for each colour, dots for or, and nothing for argent. A
    deep tincture has the same lines on grey.
    """
    made = []
    for tincture in TINCTURES:
        lines = HATCHED[tincture.removesuffix("-deep")]
        ground = "#ddd" if tincture.endswith("-deep") else "#fff"
        size = f'width="{HATCH}" height="{HATCH}" patternUnits="userSpaceOnUse"'
        drawn_lines = (
            f'<path fill="none" stroke="#555" stroke-width="1.4" stroke-linecap="square" d="{lines}"/>' if lines else ""
        )
        ground_drawn = f'<path fill="{ground}" d="M0 0H{HATCH}V{HATCH}H0Z"/>'
        made.append(f'<pattern id="hatch-{tincture}" {size}>{ground_drawn}{drawn_lines}</pattern>')
    return f"<defs>{''.join(made)}</defs>"


def symbols(arms: Mapping[str, Arms], charges: Mapping[str, str]) -> str:
    """Return arms as the symbols of a sprite, each under its id."""
    return "".join(
        f'<symbol id="{id_}" viewBox="0 0 100 116">{drawn(shown, charges)}</symbol>' for id_, shown in arms.items()
    )


@cache
def icons() -> Mapping[str, str]:
    """Return the icons that arms and numbers may use, each as SVG, by name."""
    found: dict[str, str] = json.loads(ICONS.read_text(encoding="utf-8"))
    return found


@cache
def _described(game: Game) -> dict[str, Any]:
    """Return what a game's heraldry.toml describes; nothing if it has none, or if that of a package is wrong."""
    path = game.folder / "heraldry.toml" if game.folder else None
    if path is None or not path.is_file():
        return {}
    if not game.package:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        _check(found)
    except (OSError, ValueError, TypeError, AttributeError) as error:
        log.warning("arms are left out", extra={"package": game.package, "file": str(path), "problem": str(error)})
        return {}
    return found


def _check_names(what: str, given: object, known: Collection[str]) -> None:
    """Raise ValueError for a table with names that it does not know, or for anything else."""
    if not isinstance(given, Mapping):
        raise ValueError(f"{what} must be a table with {', '.join(known)}, not {given!r}")
    if unknown := [name for name in given if name not in known]:
        raise ValueError(f"{what} has no {unknown[0]}{nearest(unknown[0], known)}; it has {', '.join(known)}")


def _check(found: Mapping[str, Any]) -> None:
    """Raise ValueError or TypeError if a description has unknown parts, or arms that cannot be drawn."""
    _check_names("heraldry.toml", found, PARTS)
    described = {**found.get("arms", {}), **({"crest": found["crest"]} if "crest" in found else {})}
    for name, each in described.items():
        _check_names(f"the arms {name}", each, [part.name for part in fields(Arms)])
    arms = [Arms(**each) for each in described.values()]
    signs = [sign for sign, _ in found.get("foot", {}).values() if sign]
    for icon in [*(each.charge for each in arms), *signs, *found.get("icons", {}).values()]:
        if icon not in icons():
            raise ValueError(f"there is no icon {icon!r}{nearest(icon, icons())}")
