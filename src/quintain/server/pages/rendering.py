"""The templates' environment, and a view of a match prepared for them.

`engine/seen/layout.py` works out where each piece of a view lies and what a touch of it does. This file adds the
pictures, which `heraldry.py` chooses, and gives the templates plain values only. `contexts.py` adds all else that a
page shows.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import chain, groupby
from pathlib import Path
from typing import Any

from minijinja import Environment, escape, safe

from quintain.engine.errors import UnknownGame
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import all_games, game, package_games
from quintain.engine.rules.views import Count, Scene, View
from quintain.engine.seen.layout import Advice, LaidZone, Spot, as_sentence, lay_out, plain_spot
from quintain.server.pages import coats, heraldry
from quintain.server.pages.words import clock, stopwatch

HERE = Path(__file__).parent
TEMPLATES, STATIC = HERE / "templates", HERE / "static"
BOARDS = "boards/"
Context = dict[str, Any]
"""Values of any kind by name, for a template or as an answer of the JSON API."""
PARTS_KEPT = 16384
log = logging.getLogger("quintain.server")
GAP = '<li class="free"></li>'
"""An empty place in a line of pieces."""


def environment(*, is_alone: bool = False, address: Callable[[str], str] | None = None) -> Environment:
    """Return the templates, with the functions that they may call.

    A browser `is_alone` if there is no server: its pages leave out what needs one. `address` gives the address of a
    static file, unless it is that of `asset`.
    """
    made = Environment(loader=_source)
    made.add_global("alone", is_alone)
    made.add_global("asset", address or asset)
    made.add_global("has_package_sheets", bool(package_files()["boards.css"]))
    made.add_global("crest", _crest)
    made.add_global("seat_arms", heraldry.seat_arms)
    made.add_global("credits", credits_of_icons)
    made.add_global("designers", lambda: list(filter(None, map(heraldry.credit, all_games()))))
    part = _drawing(made)
    made.add_global("part", part)
    made.add_global("zone", lambda zone: part("parts/zone.html", zone))
    made.add_global("hand_zone", lambda zone: part("parts/hand.html", zone))
    made.add_global("held", lambda piece: part(held_template(piece.game), piece))
    made.add_global("number_icon", _number_icon)
    made.add_global("line", lambda row: _joined(GAP if one is None else part("parts/piece.html", one) for one in row))
    made.add_global("sentence", as_sentence)
    made.add_global("stopwatch", lambda begun: safe(stopwatch(begun)))
    made.add_global("clock", lambda until, rests=False: safe(clock(until, rests)))
    made.add_global("arms", lambda id_: _use(id_, "arms"))
    made.add_global("icon", lambda id_: _use(id_, "icon"))
    made.add_global("coat", _coat)
    made.add_global("big_coat", _big_coat)
    return made


def _drawing(templates: Environment) -> Callable[..., str]:
    """Return a function that draws a part of a page for the templates, and remembers what it drew for which content.

    With it a view takes 0.7 ms on average over a game of King's Court, and 1.6 ms without.
    """

    @lru_cache(PARTS_KEPT)
    def drawn(template: str, content: object, given: tuple[tuple[str, object], ...]) -> str:
        html: str = safe(templates.render_template(template, part=content, **dict(given)))
        return html

    def part(template: str, content: object, **given: object) -> str:
        asked = ((name, tuple(value) if isinstance(value, list) else value) for name, value in given.items())
        return drawn(template, content, tuple(asked))

    return part


@cache
def board_template(game: Game) -> str:
    """Return the name of the template for a game's table: the game's own, or the generic one."""
    return f"{BOARDS}{game.id}.html" if _own(game, "board.html") else f"{BOARDS}generic.html"


@cache
def held_template(game: Game) -> str:
    """Return the name of the template for a card in the viewer's hand: the game's own, or that of any piece."""
    return f"{BOARDS}{game.id}.held.html" if _own(game, "held.html") else "parts/piece.html"


@cache
def drawn_template(game: Game) -> str:
    """Return the name of the template for a piece in a rulebook: the game's own, or the one of all games."""
    return f"{BOARDS}{game.id}.drawn.html" if _own(game, "drawn.html") else "parts/drawn.html"


class Shown:
    """A piece as the templates see it: its place in the layout and its picture. Two are equal if they look the same."""

    __slots__ = ("game", "hash", "spot")

    def __init__(self, game: Game, spot: Spot) -> None:
        self.game, self.spot, self.hash = game, spot, hash(spot)

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shown) and self.game is other.game and self.spot == other.spot

    def __getattr__(self, name: str) -> object:
        return getattr(self.spot if hasattr(Spot, name) else self.spot.piece, name)

    @property
    def on_it(self) -> list[Shown]:
        """The pieces that lie on it."""
        return [Shown(self.game, lying) for lying in self.spot.on_it]

    @property
    def is_unsure(self) -> bool:
        """Whether its number is not known, or a footnote explains its state."""
        return self.spot.piece.key is None or bool(self.spot.notes)

    @property
    def picture(self) -> heraldry.Picture:
        """Its picture."""
        return heraldry.picture(self.game, self.spot.piece.key or "", self.spot.piece.seat)

    @property
    def arms(self) -> str:
        """The id of its arms in the sprite. A token has only its owner's arms, or else arms that its game describes."""
        piece = self.spot.piece
        if not piece.is_token:
            return self.picture.arms
        own = self.picture.arms if self.picture.arms.startswith(f"{self.game.id}.") else ""
        return own if piece.seat is None else heraldry.seat_arms(piece.seat)

    @property
    def foot(self) -> str:
        """The words at the foot of its card; empty where there is no room, as on the board for a card with a corner."""
        piece = self.spot.piece
        if piece.is_token or not (self.spot.docked or not piece.corner):
            return ""
        return self.picture.foot or piece.short or piece.name

    @property
    def is_explained(self) -> bool:
        """Whether the inspector has something to say about it."""
        piece = self.spot.piece
        return bool(piece.name) and (bool(piece.key) or bool(piece.acts) or self.spot.barred is not None)

    @property
    def classes(self) -> str:
        """The classes of its element: what a touch does, and its states."""
        spot = self.spot
        states = {
            "lit": spot.has_acts,
            "barred": spot.barred is not None,
            "chosen": spot.is_chosen,
            "target": spot.is_target,
            "token": spot.piece.is_token,
        }
        return " ".join([*(name for name, holds in states.items() if holds), *_state_classes(spot.piece.state)])

    @property
    def label(self) -> str:
        """Its name for narrow places."""
        return self.spot.piece.short or self.spot.piece.name

    @property
    def flight(self) -> str:
        """Its key and owner, by which fly.js finds it again after a change; empty for a piece that never flies."""
        piece = self.spot.piece
        if piece.is_free or (piece.key is None and piece.is_token):
            return ""
        return f"{piece.key or ''}@{'' if piece.seat is None else piece.seat}"


@cache
def _state_classes(state: frozenset[str]) -> tuple[str, ...]:
    return tuple(f"is-{key.partition('.')[0]}" for key in sorted(state))


class ShownScene:
    """A scene as the templates see it, with its pieces in place of their ids."""

    def __init__(self, game: Game, scene: Scene, pieces: Mapping[str, Shown]) -> None:
        self.scene, self.pieces = scene, pieces
        self.card = scene.card and Shown(game, plain_spot(scene.card))

    def __getattr__(self, name: str) -> object:
        return getattr(self.scene, name)

    @property
    def sides(self) -> list[Context]:
        """Its sides, each with its pieces."""
        return [
            {"side": side, "pieces": [self.pieces[id_] for id_ in side.pieces if id_ in self.pieces]}
            for side in self.scene.sides
        ]

    @property
    def slots(self) -> list[Shown | None]:
        """The pieces chosen so far, and None for each still to be chosen."""
        return [self.pieces.get(id_) if id_ else None for id_ in self.scene.slots]


class ShownZone:
    """A zone as the templates see it. Two are equal if they look the same."""

    def __init__(self, game: Game, laid: LaidZone) -> None:
        self.game, self.laid, self.hash = game, laid, hash(laid)

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShownZone) and self.game is other.game and self.laid == other.laid

    def __getattr__(self, name: str) -> object:
        return getattr(self.laid if hasattr(LaidZone, name) else self.laid.zone, name)

    @cached_property
    def pieces(self) -> list[Shown]:
        """Its pieces."""
        return [Shown(self.game, spot) for spot in self.laid.spots]

    @cached_property
    def looks(self) -> list[Shown]:
        """The pieces that the inspector explains."""
        return [piece for shown in self.pieces for piece in _and_lying(shown) if piece.is_explained]

    @property
    def rows(self) -> list[Context]:
        """Its lines, each with an owner and its pieces; None marks a gap."""
        return [
            {"owner": row.owner, "pieces": [spot and Shown(self.game, spot) for spot in row.spots]}
            for row in self.laid.rows
        ]


def view_context(
    found: Game,
    view: View,
    you: int | None,
    chosen: str = "",
    confirms: bool = False,
    advice: tuple[Advice, ...] = (),
) -> Context:
    """Return a view for the templates; `you` is the viewer's seat, None for a spectator; `advice` is a hint's.

    `zones` lists the zones in the order of the view and `by_id` finds them by id; `by_key` finds the pieces that
    the inspector explains by key. `others` holds the zones of the other seats, grouped by seat; `common` those of no
    seat, `own` the viewer's, without the `hands`, which lie in the dock.
    `chosen` is the piece that the viewer has chosen, `groups` are the actions of each piece that can be chosen, and
    `acts` those that belong to no piece; `advised` is a hint's advice by action. `looks` are the pieces that the
    inspector explains, and `about` the ids of those that the question is about.
    """
    layout = lay_out(view, you, chosen, confirms, advice)
    zones = [ShownZone(found, zone) for zone in layout.zones]
    looks = [piece for zone in zones for piece in zone.looks]
    return {
        **_places(zones, you),
        "by_key": {piece.spot.piece.key: piece for piece in looks},
        "chosen": layout.chosen,
        "groups": layout.groups,
        "acts": layout.acts,
        "advised": _advised(view, advice),
        "looks": looks,
        "scene": view.scene and ShownScene(found, view.scene, {piece.spot.piece.id: piece for piece in _pieces(zones)}),
        "question": view.question,
        "about": view.about,
        "phase": view.phase,
        "to_act": list(view.to_act),
        "done": list(view.done),
        "out": list(view.out),
        "scores": list(view.scores),
        "counts": {_count_key(count): count for count in view.counts},
    }


def _advised(view: View, advice: Iterable[Advice]) -> dict[str, Advice]:
    """Return a hint's advice by the moves of an act: an act that answers two questions has that of its first action."""
    by_action = {each.action: each for each in advice}
    acts = chain(view.acts, *(piece.acts for piece in view.pieces()))
    return {act.moves: by_action[act.action] for act in acts if act.action in by_action}


def _places(zones: Sequence[ShownZone], you: int | None) -> Context:
    """Return the zones in the order of the view, by id, and by whose they are."""
    own = [zone for zone in zones if zone.seat is not None and zone.seat == you]
    others = groupby((zone for zone in zones if zone.seat not in (None, you)), key=lambda zone: zone.seat)
    return {
        "zones": zones,
        "by_id": {zone.id: zone for zone in zones},
        "others": [{"seat": seat, "zones": list(of_seat)} for seat, of_seat in others],
        "common": [zone for zone in zones if zone.seat is None],
        "own": [zone for zone in own if not zone.docked],
        "hands": [zone for zone in own if zone.docked],
    }


def _pieces(zones: Iterable[ShownZone]) -> Iterator[Shown]:
    """Yield all pieces of zones; those that lie on another follow it."""
    for zone in zones:
        for piece in zone.pieces:
            yield from _and_lying(piece)


def _and_lying(piece: Shown) -> Iterator[Shown]:
    yield piece
    for lying in piece.on_it:
        yield from _and_lying(lying)


def _count_key(count: Count) -> str:
    return count.key if count.seat is None else f"{count.key}.{count.seat}"


def _number_icon(game_id: str, key: str) -> str:
    """Return the icon of a number, which its game may give it in heraldry.toml; empty if it has none."""
    name = heraldry.number_icon(game(game_id), key)
    return _use(name, "icon") if name else ""


def _joined(parts: Iterable[str]) -> str:
    html: str = safe("".join(parts))
    return html


@cache
def _use(id_: str, kind: str) -> str:
    """Return a picture as a reference into the sprite. The page has words beside it for people who cannot see it.

    The cache saves 2 % of the time of a view.
    """
    sprite = "/packages/arms.svg" if id_ in _package_arms() else "/static/vendor/arms.svg"
    svg: str = safe(f'<svg class="{kind}" aria-hidden="true"><use href="{sprite}#{escape(id_)}"/></svg>')
    return svg


def _coat(who: str) -> str:
    """Return the small coat of arms of a person, by number, or of a bot, by level. The page has the name beside it."""
    svg: str = safe(coats.drawn_small(coats.coat_of(who), "arms"))
    return svg


def _big_coat(who: str, name: str) -> str:
    """Return a player's whole coat of arms, with the name and the blazon as its label."""
    coat = coats.coat_of(who)
    svg: str = safe(coats.drawn_large(coat, "coat", f"{name}'s arms: {coats.blazon(coat)}"))
    return svg


@cache
def credits_of_icons() -> list[Context]:
    """Return the authors of the icons, each with the icons they drew."""
    found: list[Context] = json.loads((STATIC / "vendor" / "credits.json").read_text(encoding="utf-8"))
    return found


def _crest(id_: str) -> str:
    """Return the id of a game's arms; Quintain's own for a game that is no longer installed."""
    try:
        return heraldry.crest(game(id_))
    except UnknownGame:
        return "quintain"


@cache
def asset(path: str) -> str:
    """Return the address of a static file. It holds part of the file's hash, so that browsers may keep the file."""
    digest = hashlib.sha256((STATIC / path).read_bytes()).hexdigest()[:8]
    return f"/static/{path}?v={digest}"


def sheets(games: Iterable[Game]) -> str:
    """Return the style sheets of games, each under the scope of its game: so no rule reaches another's pages.

    The scope is an attribute of the page's body, and adds nothing to the weight of a rule.
    """
    scoped = []
    for found in games:
        if path := _own(found, "board.css"):
            text = path.read_text(encoding="utf-8")
            if is_balanced(text):
                scoped.append(f':where([data-game="{found.id}"]) {{\n{text}}}\n')
            else:  # it would reach the pages of other games
                problem = "a brace, a comment or a string is not closed, or closed twice"
                log.warning("a style sheet is left out", extra={"file": str(path), "problem": problem})
    return "".join(scoped)


def is_balanced(sheet: str) -> bool:
    """Tell whether all braces, comments and strings of a style sheet are closed.

    >>> is_balanced(".a { b: '}' } /* { */"), is_balanced(".a { b: c"), is_balanced("} .a { b: c"), is_balanced("/* }")
    (True, False, False, False)
    """
    depth = 0
    for mark in re.findall(r"[{}'\"]|/\*", re.sub(r"/\*.*?\*/|'[^'\n]*'|\"[^\"\n]*\"", "", sheet, flags=re.DOTALL)):
        depth += {"{": 1, "}": -1}.get(mark, -1000)
        if depth < 0:
            return False
    return depth == 0


@cache
def package_files() -> Mapping[str, str]:
    """Return the style sheet and the arms of the games that packages bring, by the names of their files.

    Those of Quintain's own games are static files.
    """
    arms = heraldry.symbols(_package_arms(), heraldry.icons()) if _package_arms() else ""
    return {"boards.css": sheets(package_games()), "arms.svg": heraldry.svg("0 0 100 116", arms)}


@cache
def _package_arms() -> Mapping[str, heraldry.Arms]:
    return heraldry.arms_of_games(package_games())


def _source(name: str) -> str | None:
    """Return the text of a template; `boards/ID.html` and `boards/ID.PART.html` come from the game's own folder."""
    path = TEMPLATES / name
    if name.startswith(BOARDS) and not path.is_file():
        id_, _, part = name.removeprefix(BOARDS).removesuffix(".html").partition(".")
        try:
            path = _own(game(id_), f"{part or 'board'}.html") or path
        except UnknownGame:
            return None
    return path.read_text(encoding="utf-8") if path.is_file() else None


def _own(game: Game, name: str) -> Path | None:
    """Return the path of a template in a game's folder; None if it has none, or is a single file."""
    path = game.folder / name if game.folder else None
    return path if path and path.is_file() else None
