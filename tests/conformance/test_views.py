"""What every view holds, and that both painters decide by its keys and numbers, never by its words."""

import random
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from io import StringIO
from typing import Any, get_args

import msgspec
from rich.console import Console

from conformance.cases import Case, over_cases
from conformance.test_match import new
from quintain.cli.table import Tabletop, menu
from quintain.engine.match import Match
from quintain.engine.views import DOWN, FREE, TOKEN, Arrangement, Role, View, known_to, reworded
from quintain.server.pages import board_template, environment, view_context

EVERY, SCRAMBLED = 25, 50
"""About one position of a game in so many is looked at, and painted with nonsense in place of words."""
SPOKEN = {"aria-label", "data-name", "title"}
"""Attributes that hold words for people."""
TEMPLATES = environment()


def moments(case: Case, seed: int, every: int = EVERY) -> Iterator[Match]:
    """Yield a match of random moves at some moments, its start and its end among them."""
    match, chooser = new(case, seed), random.Random(seed)
    while match.to_act:
        if not match.moves_made or chooser.randrange(every * case.rarity) == 0:
            yield match
        seat = chooser.choice(sorted(match.to_act))
        match.play(seat, chooser.choice(match.moves(seat)).action)
    yield match


def views(case: Case, seed: int) -> Iterator[tuple[Match, int | None, View]]:
    """Yield what each viewer sees at some moments of a match."""
    for match in moments(case, seed):
        for viewer in (None, *range(case.seats)):
            yield match, viewer, match.view(viewer)


@over_cases
def test_a_view_hangs_together(case: Case):
    for match, viewer, view in views(case, 21):
        pieces = {piece.id: piece for piece in view.pieces()}
        assert len(pieces) == len(list(view.pieces())), "each piece has an id of its own"
        assert len({zone.id for zone in view.zones}) == len(view.zones)
        assert all(zone.role in get_args(Role) and zone.layout in get_args(Arrangement) for zone in view.zones)
        assert all(sum(not piece.is_free for piece in zone.pieces) <= zone.size for zone in view.zones)
        assert view.phase.words and 0 <= view.phase.round <= (view.phase.rounds or view.phase.round)
        legend = [label.key for label in view.legend]
        assert len(set(legend)) == len(legend) and all(label.words for label in view.legend)
        for piece in pieces.values():
            assert piece.name or piece.is_down or piece.is_free, f"{piece.id} has no name"
            assert piece.state <= {DOWN, FREE, TOKEN, *legend}, f"a state of {piece.id} is not in the legend"
            assert viewer not in piece.known_to and set(map(known_to, piece.known_to)) <= set(legend)
            assert (piece.key is None) == (piece.is_down or piece.is_free) or piece.is_token
        assert [score.seat for score in view.scores] == list(range(case.seats))
        if match.outcome:
            assert all(score.certain for score in view.scores)
            assert tuple(score.rank for score in view.scores) == match.outcome.ranks
            assert tuple(score.number for score in view.scores) == match.outcome.scores
        assert len({(count.key, count.seat) for count in view.counts}) == len(view.counts)
        assert (view.question is not None) == (viewer in match.to_act)
        assert set(view.about) <= set(pieces)
        if view.scene:
            slots = {slot for slot in view.scene.slots if slot}
            named = {*slots, *view.scene.places, *(piece for side in view.scene.sides for piece in side.pieces)}
            assert named <= set(pieces), "a scene names pieces of the view"
        assert isinstance(hash(view.zones), int)
        assert msgspec.json.decode(msgspec.json.encode(view))["to_act"] == sorted(match.to_act)


def nonsense(chooser: random.Random) -> Any:
    """Return a function that replaces all but the blanks of a text by letters, each time by others."""
    return lambda words: "".join(char if char == " " else chooser.choice("bcdfghjklmnpqrstvwxz") for char in words)


class Skeleton(HTMLParser):
    """A page without its words: tags with their attributes, but for those that hold words."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[Any] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, [(name, value) for name, value in attrs if name not in SPOKEN]))

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(tag)


def in_browser(match: Match, viewer: int | None, view: View) -> list[Any]:
    """Return the table and the dock as the browser shows them, without words."""
    context = {
        "view": view_context(match.game, view, viewer),
        "table": {"you": viewer, "seats": [{"seat": n, "name": name} for n, name in enumerate(match.names)]},
        "names": match.names,
    }
    context["table"]["game_id"] = match.game.id
    board = TEMPLATES.render_template(board_template(match.game), **context)
    docked = [TEMPLATES.render_template("parts/zone.html", part=zone) for zone in context["view"]["own"] if zone.docked]
    return Skeleton("".join([board, *docked, TEMPLATES.render_template("parts/asked.html", **context)])).tags


def in_terminal(match: Match, viewer: int | None, view: View) -> str:
    """Return the table and the menu as a terminal shows them, with an x for each sign of a word."""
    console = Console(width=100, height=60, file=StringIO(), force_terminal=True, color_system="standard")
    console.print(Tabletop(view, match.names, viewer), menu(view, short=True))
    shown = console.file.getvalue()
    return re.sub(r"(\x1b\[[\d;]*m)|[^\s│─╭╮╰╯▒]", lambda sign: sign[1] or "x", shown)


@over_cases
def test_nonsense_in_place_of_all_words_changes_nothing_but_the_words(case: Case):
    chooser = random.Random(23)
    for match in moments(case, 23, SCRAMBLED):
        for viewer in {None, min(match.to_act, default=0)}:
            view = match.view(viewer)
            scrambled = reworded(view, nonsense(chooser))
            assert scrambled != view
            painted = in_browser(match, viewer, view)
            assert in_browser(match, viewer, scrambled) == painted
            ids = {value for tag in painted if isinstance(tag, tuple) for name, value in tag[1] if name == "id"}
            assert not view.about or ids.intersection(view.about), "a table draws something that its question is about"
            assert in_terminal(match, viewer, scrambled) == in_terminal(match, viewer, view)
