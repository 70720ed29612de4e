"""Checks of views: their parts fit together, and the browser uses keys and numbers, never words.

The second check replaces every word of a view by nonsense and draws both with the server's templates.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache, partial
from html.parser import HTMLParser
from typing import Any, get_args

from minijinja import Environment

from quintain.conformance.cases import Case, require, whose
from quintain.conformance.checks import check
from quintain.conformance.matches import A_SEAT
from quintain.engine.errors import quoted
from quintain.engine.names import with_names
from quintain.engine.play.match import Match
from quintain.engine.rules.contract import SPECTATOR
from quintain.engine.rules.views import DOWN, FREE, TOKEN, Arrangement, Piece, Role, View, known_to, reworded

MOST_PREVIEWED = 3
"""The most moves of one decision whose previews are read."""
MOMENTS, SCRAMBLED = 8, 4
"""How many positions of a random game the two checks look at."""
SPOKEN = {"aria-label", "data-name", "title"}
"""The HTML attributes that hold words for people."""


def moments(case: Case, seed: int, most: int = MOMENTS) -> Iterator[Match]:
    """Yield one match of random moves at about `most` moments, its start and its end included."""
    match, chooser, interval = case.match(seed), random.Random(seed), case.interval(most)
    while match.to_act:
        if not match.moves_made or chooser.randrange(interval) == 0:
            yield match
        seat = chooser.choice(sorted(match.to_act))
        match.play(seat, chooser.choice(match.moves(seat)).action)
    yield match


@check
def texts_name_the_players(case: Case) -> None:
    """No text that a viewer reads says "seat 1" or "Seat 1" in place of a player's name."""
    for match in moments(case, 23):
        for viewer in (None, *range(case.seats)):
            for words in _read_by(match, viewer):
                wrong = any(int(token) < match.seats for token in A_SEAT.findall(words))
                require(not wrong, f"a text for {whose(viewer)} has a seat for a name: {quoted(words)}")


def _read_by(match: Match, viewer: int | None) -> Iterator[str]:
    """Yield all texts that a viewer reads now, with the players' names."""
    seen = match.seen(viewer)
    yield from match.log(viewer)
    yield from (line.words for line in seen.account)
    found: list[str] = []

    def noted(words: str) -> str:
        found.append(words)
        return words

    reworded(seen.view, noted)
    yield from found
    if viewer is not None:
        yield from (move.text for move in seen.moves)
        for _, preview in seen.previews([(action,) for action in seen.legal[:MOST_PREVIEWED]]):
            yield from (preview.short, *(line.words for line in preview.lines))
        refused = (seen.why_not(action) for action in range(0, match.game.actions, max(1, match.game.actions // 20)))
        yield from (reason.words for reason in refused if reason)


@check
def views_hang_together(case: Case) -> None:
    """The ids of a view differ, its keys are known, and its scores, question and scene fit the match."""
    for match in moments(case, 21):
        for viewer in (None, *range(case.seats)):
            view = match.view(viewer)
            _check_zones(view)
            legend = [label.key for label in view.legend]
            require(len(set(legend)) == len(legend), "two labels of the legend have one key")
            require(all(label.words for label in view.legend), "a label of the legend has no words")
            for piece in view.pieces():
                _check_piece(piece, viewer, set(legend))
            _check_scores(match, viewer, view)
            _check_names(match, viewer, view)
            if viewer is not None:
                _check_paths(case, match, viewer, view)


def _check_paths(case: Case, match: Match, viewer: int, view: View) -> None:
    """A touch that answers two questions has a legal answer to the second one, whatever is hidden."""
    game = case.game
    for action, then in {act.path for piece in view.pieces() for act in piece.acts if act.then is not None}:
        after = match.blinded(viewer)
        game.rules.redeal(match.book, after, 0)
        game.rules.play(match.book, after, viewer, action)
        follows = then in game.legal_actions(match.book, after, viewer)
        require(follows, f"a piece reaches action {action} and then {then}, which cannot follow it")


def _check_zones(view: View) -> None:
    pieces = [piece.id for piece in view.pieces()]
    require(len(set(pieces)) == len(pieces), "two pieces have one id")
    require(len({zone.id for zone in view.zones}) == len(view.zones), "two zones have one id")
    for zone in view.zones:
        for word, value, known in (("role", zone.role, Role), ("layout", zone.layout, Arrangement)):
            words = ", ".join(get_args(known))
            require(value in get_args(known), f"the zone {zone.id} has the {word} {value!r}, which is none of {words}")
        lying = sum(not piece.is_free for piece in zone.pieces)
        require(lying <= zone.size, f"the zone {zone.id} has room for {zone.size} pieces, and holds {lying}")


def _check_piece(piece: Piece, viewer: int | None, legend: set[str]) -> None:
    require(piece.name or piece.is_down or piece.is_free, f"the piece {piece.id} has no name")
    unknown = piece.state - {DOWN, FREE, TOKEN, *legend}
    require(not unknown, f"the piece {piece.id} is in a state that is not in the legend: {sorted(unknown)}")
    require(viewer not in piece.known_to, f"known_to of the piece {piece.id} names the viewer: it is for other seats")
    require(
        set(map(known_to, piece.known_to)) <= legend,
        f"the legend lacks a label for a seat in known_to of the piece {piece.id}",
    )
    has_picture = piece.key is not None
    right = has_picture != (piece.is_down or piece.is_free) or piece.is_token
    require(right, f"the piece {piece.id} has the key {piece.key}: a piece has a key unless it is face down or free")


def _check_scores(match: Match, viewer: int | None, view: View) -> None:
    told = match.game.phase(match.book, match.blinded(viewer), SPECTATOR if viewer is None else viewer)
    told = reworded(told, partial(with_names, match.names))
    require(told == view.phase, f"the game tells the phase {told}, and its view shows {view.phase}")
    rounds = view.phase.rounds or view.phase.round
    require(
        view.phase.words and 0 <= view.phase.round <= rounds,
        f"the phase must have words, and a round from 0 to rounds: it is {view.phase}",
    )
    require([score.seat for score in view.scores] == list(range(match.seats)), "the view has no score for each seat")
    if match.outcome:
        require(all(score.certain for score in view.scores), "a score is uncertain after the end")
        shown = [(score.rank, score.number) for score in view.scores]
        true = list(zip(match.outcome.ranks, match.outcome.scores or (), strict=True))
        require(shown == true, f"the view ends with ranks and scores {shown}, but by outcome they are {true}")
    keys = {(count.key, count.seat) for count in view.counts}
    require(len(keys) == len(view.counts), "two counts have one key and seat")


def _check_names(match: Match, viewer: int | None, view: View) -> None:
    pieces = {piece.id for piece in view.pieces()}
    asked = "must have a question" if viewer in match.to_act else "must have no question"
    words = f"the view of {whose(viewer)} {asked}: the seats to act are "
    require((view.question is not None) == (viewer in match.to_act), f"{words}{sorted(match.to_act)}")
    wrong = set(view.about) - pieces
    require(not wrong, f"the question is about pieces that are not in the view: {sorted(wrong)}")
    if view.scene:
        slots = {slot for slot in view.scene.slots if slot}
        named = {*slots, *view.scene.places, *(piece for side in view.scene.sides for piece in side.pieces)}
        require(named <= pieces, f"the scene names pieces that are not in the view: {sorted(named - pieces)}")


def nonsense(chooser: random.Random) -> Callable[[str], str]:
    """Return a function that replaces every character of a text, except spaces, by a random letter."""
    return lambda words: "".join(char if char == " " else chooser.choice("bcdfghjklmnpqrstvwxz") for char in words)


class Skeleton(HTMLParser):
    """A page without its words: its tags, with the attributes that hold no words."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[Any] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        """Keep a tag and its attributes."""
        self.tags.append((tag, [(name, value) for name, value in attrs if name not in SPOKEN]))

    def handle_endtag(self, tag: str) -> None:
        """Keep the end of a tag."""
        self.tags.append(tag)


@cache
def _templates() -> Environment:
    from quintain.server.pages.rendering import environment

    return environment()


def in_browser(match: Match, viewer: int | None, view: View) -> list[Any]:
    """Return the tags of the table as the browser shows it, without words."""
    from quintain.server.pages.rendering import board_template, view_context

    seats = [{"seat": number, "name": name} for number, name in enumerate(match.names)]
    html = _templates().render_template(
        "table_body.html",
        view=view_context(match.game, view, viewer),
        hints={},
        table={"you": viewer, "seats": seats, "game_id": match.game.id, "status": "playing"},
        names=match.names,
        board=board_template(match.game),
    )
    return Skeleton(html).tags


@check
def pages_do_not_depend_on_words(case: Case) -> None:
    """If nonsense replaces all words of a view, the browser draws the same page with other words."""
    chooser = random.Random(23)
    for match in moments(case, 23, SCRAMBLED):
        for viewer in {None, min(match.to_act, default=0)}:
            view = match.view(viewer)
            scrambled = reworded(view, nonsense(chooser))
            painted = in_browser(match, viewer, view)
            require(in_browser(match, viewer, scrambled) == painted, "the tags of the page depend on words of the view")
            ids = {value for tag in painted if isinstance(tag, tuple) for name, value in tag[1] if name == "id"}
            drawn = not view.about or ids.intersection(view.about)
            require(drawn, f"the page draws none of the pieces that the question is about: {view.about}")
