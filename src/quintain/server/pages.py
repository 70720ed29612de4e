"""Pages: the templates, and a view laid out for them.

Templates get plain data only. What a piece looks like, what touching it does and whether it does it now are worked out
here, from the view of one viewer and nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import chain, groupby, repeat
from pathlib import Path
from typing import Any, NamedTuple

from minijinja import Environment, escape, safe
from msgspec import to_builtins
from msgspec.structs import replace

from quintain.engine.errors import UnknownGame
from quintain.engine.game import FREE, Choice, Game, Line, Piece, View, Zone, game
from quintain.server import heraldry

HERE = Path(__file__).parent
TEMPLATES, STATIC = HERE / "templates", HERE / "static"
BOARDS = "boards/"
KEYS = "123456789"
"""The keys that answer a menu, in its order."""
SIGNS = "*†‡§¶"
PIECES_KEPT = 16384
ACCOUNTS_KEPT = 512
GAP = '<li class="free"></li>'
"""A place of a line where nothing is."""


def environment(reload: bool = False) -> Environment:
    """Return the templates; with `reload` each is read anew whenever it is used."""
    made = Environment(loader=_source, reload_before_render=reload)
    made.add_global("asset", _asset_now if reload else asset)
    made.add_global("crest", _crest)
    made.add_global("seat_arms", heraldry.seat_arms)
    made.add_global("credits", credits_of_icons)
    drawn = _drawing(made)
    made.add_global("drawn_each", lambda template, parts, **given: _joined(drawn(template, p, **given) for p in parts))
    made.add_global("drawn_together", _drawing_together(made))
    made.add_global("zone", lambda zone: drawn("parts/zone.html", zone))
    made.add_global("line", lambda row: _joined(drawn("parts/piece.html", p) if p else GAP for p in row))
    made.add_global("arms", cache(lambda id_: _use(id_, "arms")))
    made.add_global("icon", cache(lambda id_: _use(id_, "icon")))
    return made


def board_template(game: Game) -> str:
    """Return the name of the template that lays a game's table out: its own, or the one for any game."""
    return f"{BOARDS}{game.id}.html" if _own(game, "board.html") else f"{BOARDS}generic.html"


class Touch(NamedTuple):
    """What touching a piece does, None if nothing now, and whether it stands for an answer."""

    does: str | None
    lit: bool


class Laid(NamedTuple):
    """A zone as it was laid out, and what it was made from; `answers` are those that its pieces give or light for."""

    zone: Zone
    answers: tuple[Choice, ...]
    shown: dict[str, Any]


def view_context(
    game: Game, view: View, you: int | None, live: bool = True, laid: dict[str, Laid] | None = None
) -> dict[str, Any]:
    """Return a view as the templates take it; `you` is the viewer's seat, None for a spectator.

    Where it is not `live`, as in a replay, nothing can be touched. What was `laid` out for this viewer is not laid out
    again where it has not changed.

    Zones are in the order of the view, and by id in `by_id`; `others` groups those of the other seats, `common` and
    `own` are the rest. What is `docked` lies at hand: the viewer's hand, and what else of theirs can be touched.
    `choices` are the legal actions that no piece stands for, `on_board` tells whether any does.
    """
    view = view if live else replace(view, menu=(), asked="")
    laying = _Laying(game, view, you, live, {} if laid is None else laid)
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

    def __init__(self, game: Game, view: View, you: int | None, live: bool, laid: dict[str, Laid]) -> None:
        self.game, self.view, self.you, self.laid = game, view, you, laid
        self.seated = live and you is not None
        self.does: dict[int | None, str] = {choice.action: choice.words for choice in view.menu}
        self.lit = {choice.piece for choice in view.menu if choice.piece}
        self.pieces: dict[str, Piece] = {}
        self.touched: set[int | None] = set()

    def zone(self, zone: Zone) -> dict[str, Any]:
        """Return a zone with its pieces, in rows by owner or where they lie; as before where nothing has changed."""
        answers = self._answers(zone) if self.view.menu else ()
        laid = self.laid.get(zone.id)
        if laid is None or laid.answers != answers or laid.zone != zone:
            before = laid if laid and laid.answers == answers else None
            laid = self.laid[zone.id] = Laid(zone, answers, self._lay(zone, before))
        return laid.shown

    def _answers(self, zone: Zone) -> tuple[Choice, ...]:
        """Return the answers that pieces of a zone give or light up for."""
        pieces = {piece.id: piece for top in zone.pieces for piece in (top, *top.attached)}
        actions = {piece.action for piece in pieces.values()}
        self.pieces |= pieces
        self.touched |= actions
        return tuple(choice for choice in self.view.menu if choice.action in actions or choice.piece in pieces)

    def _lay(self, zone: Zone, before: Laid | None) -> dict[str, Any]:
        """Lay a zone out; of the pieces of before, with the same answers, those that have not changed stay."""
        own = zone.seat is not None and zone.seat == self.you
        at_hand = any(piece.action in self.does for piece in zone.pieces) and zone.layout != "pyramid"
        docked = own and (zone.layout == "fan" or at_hand)
        notes = _footnotes(piece for piece in zone.pieces if not piece.text)
        there = zip(before.zone.pieces, before.shown["pieces"], strict=True) if before else ()
        pieces = []
        for piece, (was, shown) in zip(zone.pieces, chain(there, repeat((None, {}))), strict=False):
            signs = "" if piece.text else "".join(notes[mark] for mark in piece.marks)
            same = piece == was and (shown["signs"], shown["docked"]) == (signs, docked)
            pieces.append(shown if same else self.piece(piece, docked, signs))
        return self._shown(zone, pieces, notes, docked)

    def _shown(self, zone: Zone, pieces: list[dict[str, Any]], notes: dict[str, str], docked: bool) -> dict[str, Any]:
        by_owner = _is_by_owner(zone)
        return {
            "id": zone.id,
            "title": zone.title,
            "seat": zone.seat,
            "layout": zone.layout,
            "size": zone.size,
            "more": zone.size - sum(piece.face != FREE for piece in zone.pieces),
            "pieces": pieces,
            "rows": _rows(zone, pieces, by_owner),
            "by_owner": by_owner,
            "footnotes": [{"sign": sign, "mark": mark} for mark, sign in notes.items()],
            "docked": docked,
            "leaves": any(piece.text for piece in zone.pieces),
            "drawn": {},
        }

    def piece(self, piece: Piece, docked: bool, signs: str) -> dict[str, Any]:
        """Return a piece with its picture and what touching it, or what lies on it, does."""
        touch = tuple(Touch(self.does.get(one.action), one.id in self.lit) for one in (piece, *piece.attached))
        return shown_piece(self.game, piece, touch, self.seated, docked, signs)

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
            "picture": _picture(self.game, self.pieces.get(choice.piece or "")),
        }


@lru_cache(ACCOUNTS_KEPT)
def shown_account(game: Game, names: tuple[str, ...], lines: tuple[Line, ...]) -> dict[str, Any]:
    """Return an account as `parts/account.html` takes it: it is drawn once for all to whom it says the same."""
    return {"game_id": game.id, "names": names, "lines": to_builtins(lines), "drawn": {}}


@lru_cache(PIECES_KEPT)
def shown_piece(
    game: Game, piece: Piece, touch: tuple[Touch, ...], seated: bool, docked: bool, signs: str
) -> dict[str, Any]:
    """Return a piece as the templates take it; the same pieces are met again at many tables.

    `touch` is that of the piece and of what lies on it. Who is `seated` is told why a piece cannot be touched now.
    Words are at the foot of a picture only where it is large, as all that is `docked` is.
    """
    picture, (does, lit) = _picture(game, piece), touch[0]
    legal, token = does is not None, piece.value is not None and not piece.text
    barred = seated and piece.action is not None and not legal
    name, rest = piece.words.partition(",")[0].partition(":")[0], piece.words.partition(", ")[2]
    lying = [
        shown_piece(game, one, (its,), seated, False, "") for one, its in zip(piece.attached, touch[1:], strict=True)
    ]
    classes = {"lit": lit, "token": token, "barred": barred, "leaf": piece.text}
    foot = ""
    if picture and (docked or not picture["label"]):
        foot = picture["foot"] or (name if name != picture["label"] else "")
    return {
        "id": piece.id,
        "key": _flight_key(piece),
        "class": "".join(f" {kind}" for kind, holds in classes.items() if holds),
        "face": piece.face,
        "back": piece.face is None and not token,
        "free": piece.face == FREE,
        "token": token,
        "picture": picture,
        "foot": foot,
        "words": piece.words,
        "name": name,
        "rest": rest,
        "badge": _badge(game, piece, picture) if token else "",
        "text": piece.text,
        "told": piece.words.partition(": ")[2],
        "seat": piece.seat,
        "value": piece.value,
        "number": safe(piece.number.replace("-", "&minus;")),
        "marks": piece.marks,
        "signs": signs,
        "action": piece.action,
        "legal": legal,
        "lit": lit,
        "does": does or "",
        "barred": barred,
        "docked": docked,
        "drawn": {},
        "numbers": [one for one in lying if piece.text and one["token"]],
        "attached": [one for one in lying if not (piece.text and one["token"])],
    }


def _flight_key(piece: Piece) -> str:
    """Return by what a piece is known again when it flies: its face and owner; a back has no face."""
    if piece.face == FREE or (piece.face is None and piece.value is not None):
        return ""
    return f"{piece.face or ''}@{'' if piece.seat is None else piece.seat}"


def _picture(game: Game, piece: Piece | None) -> dict[str, str] | None:
    """Return the picture of a piece that shows its face."""
    if piece is None or piece.face in (None, FREE):
        return None
    return vars(heraldry.picture(game, str(piece.face), piece.seat))


def _badge(game: Game, piece: Piece, picture: dict[str, str] | None) -> str:
    """Return the arms that stand beside a number: its owner's, else those that the game has for it; or none."""
    if piece.seat is not None:
        return heraldry.seat_arms(piece.seat)
    return picture["arms"] if picture and picture["arms"].startswith(f"{game.id}.") else ""


def _rows(zone: Zone, pieces: Sequence[dict[str, Any]], by_owner: bool) -> list[list[dict[str, Any] | None]]:
    """Return the pieces of a zone by owner, or by row and place; None where a grid or a track is empty."""
    if by_owner:
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
    if zone.seat is not None or zone.layout != "row":
        return False
    owners = {piece.seat for piece in zone.pieces}
    return len(owners) > 1 and None not in owners


def _footnotes(pieces: Iterable[Piece]) -> dict[str, str]:
    """Return a sign for each mark of these pieces: words on cards would hide the cards."""
    marks = dict.fromkeys(mark for piece in pieces for mark in piece.marks)
    return {mark: SIGNS[number % len(SIGNS)] * (1 + number // len(SIGNS)) for number, mark in enumerate(marks)}


def _drawing(templates: Environment) -> Callable[..., str]:
    """Return a function for the templates: it draws a part of the table once for all that is given with it."""

    def drawn(template: str, part: dict[str, Any], **given: Any) -> str:
        drawings: dict[tuple[Any, ...], str] = part["drawn"]
        asked = (template, *given.values())
        html = drawings.get(asked)
        if html is None:
            html = drawings[asked] = safe(templates.render_template(template, part=part, **given))
        return html

    return drawn


def _drawing_together(templates: Environment) -> Callable[..., str]:
    """Return a function for the templates: it draws what several parts of the table make up once for these parts."""

    def drawn_together(template: str, parts: list[dict[str, Any]]) -> str:
        drawings: dict[str, tuple[list[dict[str, Any]], str]] = parts[0]["drawn"]
        before, html = drawings.get(template, ([], ""))
        if len(before) != len(parts) or any(one is not other for one, other in zip(before, parts, strict=True)):
            html = safe(templates.render_template(template, parts=parts))
            drawings[template] = parts, html
        return html

    return drawn_together


def _joined(parts: Iterable[str]) -> str:
    html: str = safe("".join(parts))
    return html


def _use(id_: str, kind: str) -> str:
    """Return a picture: a reference into the sprite. Words stand beside it for those who cannot see it."""
    svg: str = safe(f'<svg class="{kind}" aria-hidden="true"><use href="/static/vendor/arms.svg#{escape(id_)}"/></svg>')
    return svg


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
