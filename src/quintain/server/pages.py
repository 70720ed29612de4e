"""Pages: the templates, and a view laid out for them.

Templates get plain data only. What a piece looks like, what touching it does and whether it does it now are worked out
by `engine.layout`, from what one viewer sees and nothing else; here each piece gets its picture.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from minijinja import Environment, escape, safe

from quintain.engine.errors import UnknownGame
from quintain.engine.game import Game
from quintain.engine.layout import Choice, LaidZone, Spot, lay_out
from quintain.engine.registry import all_games, game
from quintain.engine.views import Count, Stat, View
from quintain.server import heraldry

HERE = Path(__file__).parent
TEMPLATES, STATIC = HERE / "templates", HERE / "static"
BOARDS = "boards/"
Context = dict[str, Any]
"""What a template or a part of one is given, and what the JSON API answers: values of any kind, by name."""
KEYS = "123456789"
"""The keys that answer a menu, in its order."""
PARTS_KEPT = 16384
GAP = '<li class="free"></li>'
"""A place of a line where nothing is."""


def environment() -> Environment:
    """Return the templates."""
    made = Environment(loader=_source)
    made.add_global("asset", asset)
    made.add_global("crest", _crest)
    made.add_global("seat_arms", heraldry.seat_arms)
    made.add_global("credits", credits_of_icons)
    made.add_global("designers", lambda: list(filter(None, map(heraldry.credit, all_games()))))
    part = _drawing(made)
    made.add_global("part", part)
    made.add_global("zone", lambda zone: part("parts/zone.html", zone))
    made.add_global("line", lambda row: _joined(GAP if one is None else part("parts/piece.html", one) for one in row))
    made.add_global("arms", lambda id_: _use(id_, "arms"))
    made.add_global("icon", lambda id_: _use(id_, "icon"))
    return made


def _drawing(templates: Environment) -> Callable[..., str]:
    """Return a function for the templates: it draws a part of a page, once for the same content.

    Over a game of King's Court a view takes 0.7 ms so, and 1.6 ms without.
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
    """Return the name of the template that lays a game's table out: its own, or the one for any game."""
    return f"{BOARDS}{game.id}.html" if _own(game, "board.html") else f"{BOARDS}generic.html"


class Shown:
    """A piece for the templates: what is laid out, with its picture. Two are equal if they look the same."""

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
    def chips(self) -> list[Shown]:
        """The numbers that lie on a piece that is there to be read."""
        return [lying for lying in self.on_it if self.is_page and lying.spot.piece.is_token]

    @property
    def own_stats(self) -> list[Stat]:
        """Its numbers that do not lie on it as chips, too."""
        chips = {stat.key for lying in self.chips for stat in lying.spot.piece.stats}
        return [stat for stat in self.spot.piece.stats if stat.key not in chips]

    @property
    def is_unsure(self) -> bool:
        """Whether a number is not known, or something is to be said of its state."""
        return self.spot.piece.key is None or bool(self.spot.notes)

    @property
    def lying(self) -> list[Shown]:
        """What else lies on it."""
        return [lying for lying in self.on_it if not (self.is_page and lying.spot.piece.is_token)]

    @property
    def is_page(self) -> bool:
        """Whether it is there to be read."""
        return bool(self.spot.piece.text) and not self.spot.piece.is_token

    @property
    def picture(self) -> heraldry.Picture:
        """Its picture."""
        return heraldry.picture(self.game, self.spot.piece.key or "", self.spot.piece.seat)

    @property
    def arms(self) -> str:
        """The id of its arms in the sprite; of a number, only arms that say more: its owner's, or the game's own."""
        piece = self.spot.piece
        if not piece.is_token:
            return self.picture.arms
        own = self.picture.arms if self.picture.arms.startswith(f"{self.game.id}.") else ""
        return own if piece.seat is None else heraldry.seat_arms(piece.seat)

    @property
    def sign(self) -> str:
        """The icon at the foot of its card, if it has one."""
        return self.picture.sign

    @property
    def foot(self) -> str:
        """The words at the foot of its card, which stand only where there is room: in the dock, or without a corner."""
        piece = self.spot.piece
        if piece.is_token or not (self.spot.docked or not piece.corner):
            return ""
        return self.picture.foot or piece.short or piece.name

    @property
    def flight(self) -> str:
        """By what it is known again when it flies: its picture and owner; a back has no picture."""
        piece = self.spot.piece
        if piece.is_free or (piece.key is None and piece.is_token):
            return ""
        return f"{piece.key or ''}@{'' if piece.seat is None else piece.seat}"


class ShownZone:
    """A zone for the templates. Two are equal if they look the same."""

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

    @property
    def rows(self) -> list[Context]:
        """Its lines: the owner, and the pieces, with None where there is a gap."""
        return [
            {"owner": row.owner, "pieces": [spot and Shown(self.game, spot) for spot in row.spots]}
            for row in self.laid.rows
        ]


def view_context(found: Game, view: View, you: int | None) -> Context:
    """Return a view as the templates take it; `you` is the viewer's seat, None for a spectator.

    Zones are in the order of the view, and by id in `by_id`; `others` groups those of the other seats, `common` and
    `own` are the rest. `choices` are the legal actions that no touch gives, `on_board` tells whether a touch gives any.
    """
    layout = lay_out(view, you)
    zones = [ShownZone(found, zone) for zone in layout.zones]
    others: list[Context] = []
    for zone in zones:
        if zone.seat is None or zone.seat == you:
            continue
        if not others or others[-1]["seat"] != zone.seat:
            others.append({"seat": zone.seat, "zones": []})
        others[-1]["zones"].append(zone)
    return {
        "zones": zones,
        "by_id": {zone.id: zone for zone in zones},
        "others": others,
        "common": [zone for zone in zones if zone.seat is None],
        "own": [zone for zone in zones if zone.seat is not None and zone.seat == you],
        "choices": [
            _choice(found, choice, key)
            for choice, key in zip(layout.choices, [*KEYS, *("" for _ in layout.choices)], strict=False)
        ],
        "on_board": len(layout.choices) < len(view.menu),
        "question": view.question,
        "phase": view.phase,
        "to_act": list(view.to_act),
        "scores": list(view.scores),
        "counts": {_count_key(count): count for count in view.counts},
    }


def _count_key(count: Count) -> str:
    return count.key if count.seat is None else f"{count.key}.{count.seat}"


def _choice(found: Game, choice: Choice, key: str) -> Context:
    piece = choice.piece
    return {
        "action": choice.act.action,
        "words": choice.act.words,
        "key": key,
        "arms": heraldry.picture(found, piece.key, piece.seat).arms if piece and piece.key else "",
    }


def _joined(parts: Iterable[str]) -> str:
    html: str = safe("".join(parts))
    return html


@cache
def _use(id_: str, kind: str) -> str:
    """Return a picture: a reference into the sprite. Words stand beside it for those who cannot see it.

    It is made once: that saves 2 % of the time of a view.
    """
    svg: str = safe(f'<svg class="{kind}" aria-hidden="true"><use href="/static/vendor/arms.svg#{escape(id_)}"/></svg>')
    return svg


@cache
def credits_of_icons() -> list[Context]:
    """Return who drew which icons."""
    found: list[Context] = json.loads((STATIC / "vendor" / "credits.json").read_text(encoding="utf-8"))
    return found


def _crest(id_: str) -> str:
    """Return the arms of a game; the house's own for one that is not here any more."""
    try:
        return heraldry.crest(game(id_))
    except UnknownGame:
        return "quintain"


@cache
def asset(path: str) -> str:
    """Return the address of a static file, with the first digits of its hash, so that browsers may keep it."""
    digest = hashlib.sha256((STATIC / path).read_bytes()).hexdigest()[:8]
    return f"/static/{path}?v={digest}"


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
