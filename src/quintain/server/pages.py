"""Pages: the templates, and a view laid out for them.

Templates get plain data only. What a piece looks like, what touching it does and whether it does it now are worked out
here, from the view of one viewer and nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from minijinja import Environment, safe
from msgspec.structs import replace

from quintain.engine.errors import UnknownGame
from quintain.engine.game import FREE, Choice, Game, Piece, View, Zone, game
from quintain.server import heraldry

HERE = Path(__file__).parent
TEMPLATES, STATIC = HERE / "templates", HERE / "static"
BOARDS = "boards/"
KEYS = "123456789"
"""The keys that answer a menu, in its order."""
SIGNS = "*†‡§¶"


def environment(reload: bool = False) -> Environment:
    """Return the templates; with `reload` each is read anew whenever it is used."""
    made = Environment(loader=_source, reload_before_render=reload)
    made.add_global("asset", _asset_now if reload else asset)
    made.add_global("crest", _crest)
    made.add_global("seat_arms", heraldry.seat_arms)
    made.add_global("credits", credits_of_icons)
    made.add_global("drawn", _drawing(made))
    made.add_filter("signed", signed)
    return made


def board_template(game: Game) -> str:
    """Return the name of the template that lays a game's table out: its own, or the one for any game."""
    return f"{BOARDS}{game.id}.html" if _own(game, "board.html") else f"{BOARDS}generic.html"


class Laid(NamedTuple):
    """A zone as it was laid out, and what it was made from."""

    zone: Zone
    answers: tuple[Choice, ...]
    notes: dict[str, str]
    shown: dict[str, Any]


def view_context(
    game: Game, view: View, table_id: str, you: int | None, live: bool = True, laid: dict[str, Laid] | None = None
) -> dict[str, Any]:
    """Return a view as the templates take it; `you` is the viewer's seat, None for a spectator.

    Where it is not `live`, as in a replay, nothing can be touched. What was `laid` out for this viewer is not laid out
    again where it has not changed.

    Zones are in the order of the view, and by id in `by_id`; `others` groups those of the other seats, `common` and
    `own` are the rest. What is `docked` lies at hand: the viewer's hand, and what else of theirs can be touched.
    `choices` are the legal actions that no piece stands for, `on_board` tells whether any does.
    """
    view = view if live else replace(view, menu=(), asked="")
    laying = _Laying(game, view, table_id, you, live, {} if laid is None else laid)
    zones = [laying.zone(zone) for zone in view.zones]
    rivals = [zone for zone in zones if zone["seat"] not in (None, you)]
    return {
        "zones": zones,
        "by_id": {zone["id"]: zone for zone in zones},
        "others": [{"seat": seat, "zones": list(group)} for seat, group in groupby(rivals, lambda zone: zone["seat"])],
        "common": [zone for zone in zones if zone["seat"] is None],
        "own": [zone for zone in zones if zone["seat"] is not None and zone["seat"] == you],
        "choices": laying.choices(),
        "on_board": bool(laying.does.keys() & laying.touched),
        "asked": view.asked,
        "phase": view.phase,
        "to_act": list(view.to_act),
        "counts": dict(view.counts),
    }


class _Laying:
    """Lays out the pieces of one view."""

    def __init__(
        self, game: Game, view: View, table_id: str, you: int | None, live: bool, laid: dict[str, Laid]
    ) -> None:
        self.game, self.view, self.table_id, self.you, self.live, self.laid = game, view, table_id, you, live, laid
        self.does: dict[int | None, str] = {choice.action: choice.words for choice in view.menu}
        self.lit = {choice.piece for choice in view.menu if choice.piece}
        self.pieces: dict[str, Piece] = {}
        self.touched: set[int | None] = set()

    def zone(self, zone: Zone) -> dict[str, Any]:
        """Return a zone with its pieces, in rows by owner or where they lie; as before where nothing has changed."""
        pieces = {piece.id: piece for top in zone.pieces for piece in (top, *top.attached)}
        actions = {piece.action for piece in pieces.values()}
        answers = tuple(choice for choice in self.view.menu if choice.action in actions or choice.piece in pieces)
        self.pieces |= pieces
        self.touched |= actions
        laid = self.laid.get(zone.id)
        if laid is None or laid.answers != answers or laid.zone != zone:
            laid = self.laid[zone.id] = self._lay(zone, answers, laid)
        return laid.shown

    def _lay(self, zone: Zone, answers: tuple[Choice, ...], before: Laid | None) -> Laid:
        """Lay a zone out; of the pieces of before, those that have not changed stay as they are."""
        own = zone.seat is not None and zone.seat == self.you
        at_hand = any(piece.action in self.does for piece in zone.pieces) and zone.layout != "pyramid"
        docked = own and (zone.layout == "fan" or at_hand)
        notes = _footnotes(zone.pieces)
        stays = before and (before.answers, before.notes, before.shown["docked"]) == (answers, notes, docked)
        there = dict(zip(before.zone.pieces, before.shown["pieces"], strict=True)) if before and stays else {}
        pieces = []
        for piece in zone.pieces:
            shown = there.get(piece)
            if shown is None:
                shown = self.piece(piece, docked)
                shown["signs"] = "".join(notes[mark] for mark in piece.marks)
            pieces.append(shown)
        return Laid(zone, answers, notes, self._shown(zone, pieces, notes, docked))

    def _shown(self, zone: Zone, pieces: list[dict[str, Any]], notes: dict[str, str], docked: bool) -> dict[str, Any]:
        return {
            "id": zone.id,
            "title": zone.title,
            "seat": zone.seat,
            "layout": zone.layout,
            "size": zone.size,
            "more": zone.size - len(pieces),
            "pieces": pieces,
            "rows": _rows(zone, pieces),
            "by_owner": _is_by_owner(zone),
            "footnotes": [{"sign": sign, "mark": mark} for mark, sign in notes.items()],
            "docked": docked,
        }

    def piece(self, piece: Piece, at_hand: bool = False) -> dict[str, Any]:
        """Return a piece with its picture and what touching it does; words are at its foot only where it is large."""
        picture = self.picture(piece)
        legal = piece.action in self.does
        asks_why = piece.action is not None and not legal and self.live and self.you is not None
        lit, token = piece.id in self.lit, piece.value is not None
        name = piece.words.partition(",")[0].partition(":")[0]
        foot = ""
        if picture and (at_hand or not picture["label"]):
            foot = picture["foot"] or (name if name != picture["label"] else "")
        return {
            "id": piece.id,
            "key": "" if piece.face is None else f"{piece.face}@{'' if piece.seat is None else piece.seat}",
            "class": (" lit" if lit else "") + (" token" if token else "") + (" barred" if asks_why else ""),
            "face": piece.face,
            "back": piece.face is None and not token,
            "free": piece.face == FREE,
            "token": token,
            "picture": picture,
            "foot": foot,
            "words": piece.words,
            "name": name,
            "seat": piece.seat,
            "value": piece.value,
            "marks": piece.marks,
            "action": piece.action,
            "legal": legal,
            "lit": lit,
            "does": self.does.get(piece.action, ""),
            "why": f"/tables/{self.table_id}/why?action={piece.action}" if asks_why else "",
            "attached": [self.piece(lying) for lying in piece.attached],
        }

    def picture(self, piece: Piece | None) -> dict[str, str] | None:
        """Return the picture of a piece that shows its face."""
        if piece is None or piece.face in (None, FREE):
            return None
        return vars(heraldry.picture(self.game, str(piece.face), piece.seat))

    def choices(self) -> list[dict[str, Any]]:
        """Return the legal actions that no piece stands for, each with the key that answers it."""
        rest = [choice for choice in self.view.menu if choice.action not in self.touched]
        keys = [*KEYS, *("" for _ in rest)]
        return [self._choice(choice, key) for choice, key in zip(rest, keys, strict=False)]

    def _choice(self, choice: Choice, key: str) -> dict[str, Any]:
        return {
            "action": choice.action,
            "words": choice.words,
            "key": key,
            "picture": self.picture(self.pieces.get(choice.piece or "")),
        }


def _rows(zone: Zone, pieces: Sequence[dict[str, Any]]) -> list[list[dict[str, Any] | None]]:
    """Return the pieces of a zone by owner, or by row and place; None where there is nothing."""
    if _is_by_owner(zone):
        owners = sorted({piece.seat for piece in zone.pieces if piece.seat is not None})
        return [[shown for shown in pieces if shown["seat"] == owner] for owner in owners]
    if zone.layout not in ("grid", "pyramid", "track") or not any(piece.at for piece in zone.pieces):
        return [list(pieces)]
    placed: dict[int, dict[int, dict[str, Any]]] = {}
    for number, (piece, shown) in enumerate(zip(zone.pieces, pieces, strict=True)):
        row, place = piece.at or (0, number)
        placed.setdefault(row, {})[place] = shown
    if zone.layout == "pyramid":
        return [[placed.get(row, {}).get(place) for place in range(row + 1)] for row in range(1 + max(placed))]
    width = 1 + max(place for row in placed.values() for place in row)
    return [[row.get(place) for place in range(width)] for _, row in sorted(placed.items())]


def _is_by_owner(zone: Zone) -> bool:
    """Tell whether a zone is nobody's, and its pieces are those of several seats: each then has a line."""
    owners = {piece.seat for piece in zone.pieces}
    return zone.seat is None and zone.layout == "row" and len(owners) > 1 and None not in owners


def _footnotes(pieces: Sequence[Piece]) -> dict[str, str]:
    """Return a sign for each mark of these pieces: words on cards would hide the cards."""
    marks = dict.fromkeys(mark for piece in pieces for mark in piece.marks)
    return {mark: SIGNS[number % len(SIGNS)] * (1 + number // len(SIGNS)) for number, mark in enumerate(marks)}


def signed(number: int) -> str:
    r"""Return a number with its sign, as it is read.

    >>> signed(3), signed(0), signed(-2) == "\N{MINUS SIGN}2"
    ('+3', '0', True)
    """
    return f"{number:+d}".replace("-", "\N{MINUS SIGN}") if number else "0"


def _drawing(templates: Environment) -> Callable[..., str]:
    """Return a function for the templates: it draws a part of the table once for as long as all it is given stays."""

    def drawn(template: str, part: dict[str, Any], **given: Any) -> str:
        asked = (template, *given.values())
        if part.get("drawn_for") != asked:
            part["drawn"], part["drawn_for"] = safe(templates.render_template(template, part=part, **given)), asked
        html: str = part["drawn"]
        return html

    return drawn


@cache
def credits_of_icons() -> list[dict[str, Any]]:
    """Return who drew which icons."""
    found: list[dict[str, Any]] = json.loads((STATIC / "vendor" / "credits.json").read_text(encoding="utf-8"))
    return found


def _crest(id_: str) -> str:
    """Return the arms of a game; the house's own for one that is not here any more."""
    try:
        return heraldry.crest(game(id_))
    except UnknownGame:
        return "quintain"


def _asset_now(path: str) -> str:
    """Return the address of a static file, with the first digits of its hash, so that browsers may keep it."""
    digest = hashlib.sha256((STATIC / path).read_bytes()).hexdigest()[:8]
    return f"/static/{path}?v={digest}"


asset = cache(_asset_now)


def _source(name: str) -> str | None:
    """Return the text of a template; `boards/ID.html` and `boards/ID.choices.html` are in the folder of a game."""
    path = TEMPLATES / name
    if name.startswith(BOARDS) and not path.is_file():
        id_, _, part = name.removeprefix(BOARDS).removesuffix(".html").partition(".")
        try:
            path = _own(game(id_), f"{part or 'board'}.html") or path
        except UnknownGame:
            return None
    return path.read_text(encoding="utf-8") if path.is_file() else None


def _own(game: Game, name: str) -> Path | None:
    """Return a template that a game brings along; a game in a single file has none."""
    path = Path(str(game.text.__file__)).with_name(name)
    return path if game.text.__package__ and path.is_file() else None
