"""The decisions that `tables.py` looks at: some of every kind, from golden records and from games at random.

Each comes as a rendered page, with what that page must show. The sample values are those of tests/server/samples.py.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "tests"))

import quintain  # noqa: E402
from games.rune_war_positions import position  # noqa: E402
from quintain.engine.rules.views import View  # noqa: E402
from quintain.engine.seen.seen import Seen  # noqa: E402
from quintain.server.pages.rendering import environment  # noqa: E402
from quintain.server.pages.since import Back  # noqa: E402
from server.samples import NAMES, positions, table_page  # noqa: E402

GOLDEN = ROOT / "tests" / "golden"
EACH = 3
"""Pages of each kind of decision, from its first to its last."""
ELEVEN_ROWS, MOST_MOVES = "eleven rows", 60
HANDS = (
    "9 of Cups, Queen of Cups, 5 of Cups, 8 of Pentacles, Page of Wands, Strength, The Tower",
    "10 of Cups, Justice, Temperance, The Sun, 3 of Cups",
)
SMALL = {
    "1.1": "3 of Pentacles",
    "2.1": "King of Pentacles",
    "2.2": "7 of Cups",
    "3.1": "4 of Pentacles",
    "3.2": "9 of Wands",
    "3.3": "Wheel of Fortune",
}
DEEP = {
    "1.1": "2 of Cups",
    "2.1": "2 of Swords",
    "2.2": "3 of Swords",
    "3.1": "5 of Wands",
    "3.2": "6 of Swords",
    "3.3": "Knight of Swords",
    "4.4": "2 of Wands",
    "5.5": "3 of Wands",
    "6.6": "4 of Wands",
    "7.7": "6 of Wands",
    "8.8": "7 of Wands",
    "9.9": "8 of Wands",
    "10.10": "Ace of Wands",
    "11.11": "Ace of Swords",
}
"""Hands and defences for a play of Rune War with more rows than games at random have."""
Positions = Iterator[quintain.Match]


class Moment(NamedTuple):
    """A decision: its game, its kind, its place, which is a move of a play, its page and what the page must show."""

    game: str
    seats: int
    play: str
    move: int
    seat: int
    kind: str
    html: str
    wanted: dict[str, Any]


def plays(game: quintain.Game, seats: int) -> dict[str, Callable[[], Positions]]:
    """Return the plays to look at, by name: each function plays one anew, position by position."""
    found: dict[str, Callable[[], Positions]] = {}
    for path in sorted(GOLDEN.glob(f"{game.id}-*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["seats"] == seats:
            found[path.stem] = partial(replayed, game, record)
    if game.id == "rune-war" and seats == 2:
        found[ELEVEN_ROWS] = eleven_rows
    return {**found, "at random": partial(positions, game, seats, every=1)}


def eleven_rows() -> Positions:
    """Yield the match of a play at random, against a defence of eleven rows and from behind one."""
    for defences in ([SMALL, DEEP], [DEEP, SMALL]):
        chance, match = random.Random(1), position(HANDS, defences)
        for _ in range(MOST_MOVES):
            if match.outcome is not None:
                break
            yield match
            seat = chance.choice(sorted(match.to_act))
            match.play(seat, chance.choice(match.moves(seat)).action)


def replayed(game: quintain.Game, record: dict[str, Any]) -> Positions:
    """Yield the match of a record at each position up to its end, or until somebody resigns."""
    seats = record["seats"]
    match = quintain.Match.new(game, seats, NAMES[:seats], record["options"], record["seed"])
    for entry in record["moves"]:
        yield match
        if entry["kind"] == "move":
            match.play(entry["seat"], entry["text"])
        elif entry["kind"] == "undo":
            match.undo(entry["seat"])
        else:
            return


def kind_of(seen: Seen, play: str) -> str:
    """Return the kind of a decision. Those with news since the last one and with eleven rows are kinds of their own.

    The view as the game lays it out says it all; to complete it, with what can be taken back, takes four times as long.
    """
    view = seen.game.text.view(seen.book, seen.state, seen.seat)
    assert view.question
    more = ", with news" * (len(seen.log) > seen.old) + f", {ELEVEN_ROWS}" * (play == ELEVEN_ROWS)
    return f"{view.phase.key}, {view.question.key}, {view.scene.kind if view.scene else 'no scene'}{more}"


def moments(game: quintain.Game, seats: int, each: int = EACH) -> Iterator[Moment]:
    """Yield some decisions of every kind."""
    found: dict[str, list[tuple[str, int, int]]] = {}
    for name, play in plays(game, seats).items():
        for move, match in enumerate(play()):
            for seat in sorted(match.to_act):
                found.setdefault(kind_of(match.seen(seat), name), []).append((name, move, seat))
    chosen = {place: kind for kind, places in found.items() for place in spread(places, each)}
    templates = environment()
    for name, play in plays(game, seats).items():
        for move, match in enumerate(play()):
            for seat in sorted(match.to_act):
                if kind := chosen.get((name, move, seat)):
                    shown = table_page(match, seat)
                    html = Back(match, seat).marked(templates.render_template("table.html", **shown))
                    must = set_wanted if shown["choice"] else wanted
                    yield Moment(game.id, seats, name, move, seat, kind, html, must(match.view(seat)))


def spread(places: Sequence[tuple[str, int, int]], number: int) -> set[tuple[str, int, int]]:
    """Return a number of places, evenly from the first to the last."""
    return {places[i * (len(places) - 1) // max(1, number - 1)] for i in range(number)}


def wanted(view: View) -> dict[str, Any]:
    """Return what the page of a decision must show: each answer with its pieces, the actions of each piece, and the
    effects of the cards in the hand.
    """
    pieces = [piece for piece in view.pieces() if piece.acts]
    held = [zone for zone in view.zones if zone.role == "hand" and zone.seat in view.to_act]
    answers: dict[int, Any] = {act.action: {"words": act.words, "pieces": []} for act in view.menu}
    for piece in pieces:
        for act in piece.acts:
            answers[act.action]["pieces"].append(piece.id)
    return {
        "scene": view.scene is not None,
        "about": list(view.about),
        "answers": answers,
        "acts": {piece.id: [[act.action, act.moves, act.target] for act in piece.acts] for piece in pieces},
        "held": {piece.id: piece.text for zone in held for piece in zone.pieces if piece.text},
    }


def set_wanted(view: View) -> dict[str, Any]:
    """Return what the page must show on which a whole set of cards is chosen: the ways to it, and each card's text."""
    offered = [zone for zone in view.zones if zone.role == "offer" and zone.seat in view.to_act]
    rows = {piece.id: piece.text for zone in offered for piece in zone.pieces}
    kept = {"scene": view.scene is not None, "about": [], "answers": {}, "acts": {}, "held": {}}
    return {**kept, "ways": ["keep", "rest", "chosen"], "rows": rows}
