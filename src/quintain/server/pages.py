"""Pages: the templates, and a view laid out for them.

Templates get plain data only. What a piece looks like, what touching it does and whether it does it now are worked out
here, from the view of one viewer and nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from minijinja import Environment, escape, safe
from msgspec import to_builtins
from msgspec.structs import replace

from quintain.engine.errors import UnknownGame
from quintain.engine.game import Game
from quintain.engine.names import with_names
from quintain.engine.registry import game
from quintain.engine.views import FREE, Choice, Line, Piece, View, Zone
from quintain.server import heraldry

HERE = Path(__file__).parent
TEMPLATES, STATIC = HERE / "templates", HERE / "static"
BOARDS = "boards/"
KEYS = "123456789"
"""The keys that answer a menu, in its order."""
SIGNS = ("*", "&dagger;", "&Dagger;", "&sect;", "&para;", "#", "&deg;", "&Vert;")
NAME_MARKS = [sign for sign in map(chr, (*range(1, 32), *range(0xE000, 0xE100))) if not sign.isspace()]
"""Signs without a meaning, one for each seat, where a page has its player's name: with the first it is still ASCII. If
somebody types one, they read a name there."""
ANYBODY = -1
"""Stands for the viewers to whom all that is plain looks the same."""
PIECES_KEPT = 16384
ACCOUNTS_KEPT = 512
WORDS_KEPT = 4096
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
    made.add_global("drawn_each", lambda template, parts, **given: _joined(drawn(template, parts, given)))
    made.add_global("drawn_together", _drawing_together(made))
    made.add_global("zone", lambda zone: drawn("parts/zone.html", [zone], {})[0])
    made.add_global("line", _drawing_line(made))
    made.add_global("arms", cache(lambda id_: _use(id_, "arms")))
    made.add_global("icon", cache(lambda id_: _use(id_, "icon")))
    return made


def render(templates: Environment, template: str, context: dict[str, Any]) -> str:
    """Return a page; the `names` of the players come into what it says of a view at last, since the rest is kept."""
    return _with_names(context.get("names", ()), templates.render_template(template, **context))


def board_template(game: Game) -> str:
    """Return the name of the template that lays a game's table out: its own, or the one for any game."""
    return f"{BOARDS}{game.id}.html" if _own(game, "board.html") else f"{BOARDS}generic.html"


Touch = tuple[str | None, bool]
"""What touching a piece does, None if nothing now, and whether it stands for an answer."""
UNTOUCHED: Touch = (None, False)


class Laid(NamedTuple):
    """A zone as it was laid out, and what it was made from: `answers` are those that its pieces give or light for."""

    zone: Zone
    answers: tuple[Choice, ...]
    notes: dict[str, str]
    shown: dict[str, Any]


def view_context(
    game: Game,
    view: View,
    you: int | None,
    live: bool = True,
    laid: dict[int | None, dict[str, Laid]] | None = None,
) -> dict[str, Any]:
    """Return a view as the templates take it; `you` is the viewer's seat, None for a spectator.

    Where it is not `live`, as in a replay, nothing can be touched. What was `laid` out for each viewer of this table is
    not laid out again where it has not changed.

    Zones are in the order of the view, and by id in `by_id`; `others` groups those of the other seats, `common` and
    `own` are the rest. What is `docked` lies at hand: the viewer's hand, and what else of theirs can be touched.
    `choices` are the legal actions that no piece stands for, `on_board` tells whether any does.
    """
    view = view if live else replace(view, menu=(), asked="")
    laid = {} if laid is None else laid
    laying = _Laying(game, view, you, live, laid.setdefault(you, {}), laid.setdefault(ANYBODY, {}))
    zones = [laying.zone(zone) for zone in view.zones]
    others: list[dict[str, Any]] = []
    common, own = [], []
    for zone in zones:
        seat = zone["seat"]
        if seat is None:
            common.append(zone)
        elif seat == you:
            own.append(zone)
        elif others and others[-1]["seat"] == seat:
            others[-1]["zones"].append(zone)
        else:
            others.append({"seat": seat, "zones": [zone]})
    return {
        "zones": zones,
        "by_id": {zone["id"]: zone for zone in zones},
        "others": others,
        "common": common,
        "own": own,
        "choices": laying.choices(),
        "on_board": bool(laying.does.keys() & laying.touched),
        "asked": _marked(view.asked),
        "phase": _marked(view.phase),
        "to_act": list(view.to_act),
        "counts": {words: {"words": _marked(words), "number": number} for words, number in view.counts.items()},
    }


class _Laying:
    """Lays out the pieces of one view."""

    def __init__(
        self, game: Game, view: View, you: int | None, live: bool, laid: dict[str, Laid], plain: dict[str, Laid]
    ) -> None:
        self.game, self.view, self.you, self.laid, self.plain = game, view, you, laid, plain
        self.seated = live and you is not None
        self.does: dict[int | None, str] = {choice.action: _marked(choice.words) for choice in view.menu}
        self.lit = {choice.piece for choice in view.menu if choice.piece}
        self.pieces: dict[str, Piece] = {}
        self.touched: set[int | None] = set()

    def zone(self, zone: Zone) -> dict[str, Any]:
        """Return a zone with its pieces, in rows by owner or where they lie; as before where nothing has changed."""
        answers = self._answers(zone) if self.does else ()
        before = self.laid.get(zone.id)
        if before and before.answers == answers and before.zone == zone:
            return before.shown
        plain = not answers and not self._is_own(zone)
        there = self.plain.get(zone.id) if plain else None
        if there and there.zone == zone:
            laid = there
        else:
            laid = self._lay(zone, answers, before)
            if plain and not any(map(itemgetter("touchable"), laid.shown["pieces"])):
                self.plain[zone.id] = laid
        self.laid[zone.id] = laid
        return laid.shown

    def _is_own(self, zone: Zone) -> bool:
        return zone.seat is not None and zone.seat == self.you

    def _answers(self, zone: Zone) -> tuple[Choice, ...]:
        """Return the answers that the pieces of a zone give or light up for, and keep the pieces in mind."""
        pieces = {piece.id: piece for top in zone.pieces for piece in (top, *top.attached)}
        actions = set(map(attrgetter("action"), pieces.values()))
        self.pieces |= pieces
        self.touched |= actions
        if actions.isdisjoint(self.does) and self.lit.isdisjoint(pieces):
            return ()
        return tuple([choice for choice in self.view.menu if choice.action in actions or choice.piece in pieces])

    def _lay(self, zone: Zone, answers: tuple[Choice, ...], before: Laid | None) -> Laid:
        """Lay a zone out; of the pieces of before, if they gave the same answers, those that have not changed stay."""
        at_hand = bool(answers) and zone.layout != "pyramid" and any(piece.action in self.does for piece in zone.pieces)
        docked = self._is_own(zone) and (zone.layout == "fan" or at_hand)
        notes = _footnotes(self.game, zone.pieces)
        was: tuple[Piece, ...] = ()
        if before and before.answers == answers and before.notes == notes and before.shown["docked"] == docked:
            was, shown = before.zone.pieces, before.shown["pieces"]
        pieces = [
            shown[place] if place < len(was) and piece == was[place] else self.piece(piece, docked, notes)
            for place, piece in enumerate(zone.pieces)
        ]
        return Laid(zone, answers, notes, self._shown(zone, pieces, notes, docked))

    def _shown(self, zone: Zone, pieces: list[dict[str, Any]], notes: dict[str, str], docked: bool) -> dict[str, Any]:
        by_owner = _is_by_owner(zone)
        return {
            "id": zone.id,
            "title": _marked(zone.title),
            "seat": zone.seat,
            "layout": zone.layout,
            "size": zone.size,
            "more": zone.size - len(pieces) + [piece.face for piece in zone.pieces].count(FREE),
            "pieces": pieces,
            "rows": _rows(zone, pieces, by_owner),
            "by_owner": by_owner,
            "footnotes": [{"sign": sign, "mark": _marked(mark)} for mark, sign in notes.items()],
            "docked": docked,
            "leaves": any(map(attrgetter("text"), zone.pieces)),
            "drawn": {},
        }

    def piece(self, piece: Piece, docked: bool, notes: dict[str, str]) -> dict[str, Any]:
        """Return a piece with its picture and what touching it, or what lies on it, does."""
        signs = safe("".join([notes[mark] for mark in piece.marks])) if piece.marks and not piece.text else ""
        lying = tuple([self._touch(one) for one in piece.attached]) if piece.attached else ()
        barring = self.seated and (piece.action is not None or bool(lying))
        return shown_piece(self.game.id, piece, self._touch(piece), lying, barring, docked, signs)

    def _touch(self, piece: Piece) -> Touch:
        does = self.does.get(piece.action)
        return (does, does is not None or piece.id in self.lit) if self.does else UNTOUCHED

    def choices(self) -> list[dict[str, Any]]:
        """Return the legal actions that no piece stands for, each with the key that answers it."""
        rest = [choice for choice in self.view.menu if choice.action not in self.touched]
        keys = [*KEYS, *("" for _ in rest)]
        return [self._choice(choice, key) for choice, key in zip(rest, keys, strict=False)]

    def _choice(self, choice: Choice, key: str) -> dict[str, Any]:
        return {
            "action": choice.action,
            "words": self.does[choice.action],
            "key": key,
            "picture": _picture(self.game, self.pieces.get(choice.piece or "")),
        }


@lru_cache(ACCOUNTS_KEPT)
def shown_account(game: Game, names: tuple[str, ...], lines: tuple[Line, ...]) -> dict[str, Any]:
    """Return an account as `parts/account.html` takes it: it is drawn once for all to whom it says the same."""
    return {"game_id": game.id, "names": names, "lines": to_builtins(lines), "drawn": {}}


@lru_cache(PIECES_KEPT)
def shown_piece(
    game_id: str, piece: Piece, touch: Touch, lying: tuple[Touch, ...], barring: bool, docked: bool, signs: str
) -> dict[str, Any]:
    """Return a piece as the templates take it; the same pieces are met again at many tables.

    `touch` is that of the piece, `lying` those of what lies on it. With `barring` it is told why what cannot be touched
    now cannot be. Words are at the foot of a picture only where it is large, as all that is `docked` is.
    """
    found, marks = game(game_id), tuple(map(_marked, piece.marks))
    words, text = _marked(piece.words), _marked(piece.text)
    picture, (does, lit) = _picture(found, piece), touch
    legal, token = does is not None, piece.value is not None and not piece.text
    barred = barring and piece.action is not None and not legal
    name, rest = words.partition(",")[0].partition(":")[0], words.partition(", ")[2]
    attached = [
        shown_piece(game_id, one, its, (), barring, False, "") for one, its in zip(piece.attached, lying, strict=True)
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
        "words": words,
        "name": name,
        "rest": rest,
        "badge": _badge(found, piece, picture) if token else "",
        "text": text,
        "told": words.partition(": ")[2],
        "seat": piece.seat,
        "value": piece.value,
        "number": safe(piece.number.replace("-", "&minus;")),
        "marks": marks,
        "signs": signs,
        "action": piece.action,
        "touchable": piece.action is not None or any(one["touchable"] for one in attached),
        "legal": legal,
        "lit": lit,
        "does": does or "",
        "barred": barred,
        "docked": docked,
        "drawn": {},
        "html": "",
        "numbers": [one for one in attached if piece.text and one["token"]],
        "attached": [one for one in attached if not (piece.text and one["token"])],
    }


def _with_names(names: Sequence[str], html: str) -> str:
    """Put the players' names where marks stand for them, in bytes: that is several times faster than in a text."""
    page = html.encode()
    for mark, name in zip(NAME_MARKS, names, strict=False):
        page = page.replace(mark.encode(), escape(name).encode())
    return page.decode()


@lru_cache(WORDS_KEPT)
def _marked(words: str) -> str:
    """Mark where the players' names belong, so that they are found fast in a page.

    >>> _marked("seat 1 knows it")
    '\\x02 knows it'
    """
    return with_names(NAME_MARKS, words)


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


def _footnotes(game: Game, pieces: Iterable[Piece]) -> dict[str, str]:
    """Return a sign for each mark of these pieces: words on cards would hide the cards. Pages to read show theirs.

    What the game lists as its `MARKS` has the same sign everywhere.
    """
    marks = [mark for piece in pieces if piece.marks and not piece.text for mark in piece.marks]
    if not marks:
        return {}
    signs = dict.fromkeys([*getattr(game.text, "MARKS", ()), *marks])
    return {mark: safe(SIGNS[n % len(SIGNS)] * (1 + n // len(SIGNS))) for n, mark in enumerate(signs) if mark in marks}


def _drawing_line(templates: Environment) -> Callable[..., str]:
    """Return a function for the templates: it draws pieces in a row, each once, and None as a gap."""

    def draw(piece: dict[str, Any]) -> str:
        html: str = piece["html"]
        if not html:
            html = piece["html"] = templates.render_template("parts/piece.html", part=piece)
        return html

    return lambda row: _joined([GAP if piece is None else draw(piece) for piece in row])


def _drawing(templates: Environment) -> Callable[..., list[str]]:
    """Return a function for the templates: it draws parts of the table, each once for all that is given with it."""

    def drawn(template: str, parts: list[dict[str, Any]], given: dict[str, Any]) -> list[str]:
        asked = (template, *given.values())
        return [part["drawn"].get(asked) or draw(part, asked, given) for part in parts]

    def draw(part: dict[str, Any], asked: tuple[str, ...], given: dict[str, Any]) -> str:
        html: str = safe(templates.render_template(asked[0], part=part, **given))
        part["drawn"][asked] = html
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
    path = game.folder / name if game.folder else None
    return path if path and path.is_file() else None
