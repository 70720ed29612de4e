"""Twin worlds: of two matches that a seat cannot tell apart it gets the same judgement, to the byte.

A random match is taken at a moment at which a seat has a choice, and once more with the things dealt anew that the seat
cannot see. In both the seat makes the same move, and the others give up, so that the matches are over.
"""

import random
from collections.abc import Callable, Iterator

import msgspec
import pytest

import quintain
from quintain.bots.ismcts import warm_up
from quintain.engine.play.match import Match
from quintain.engine.play.positions import write_position
from quintain.engine.rules.game import Game
from quintain.lab.analysis import JudgedStep, Position, expected_line, judge, positions

GAMES = ("heirless", "kings-court", "robin", "round-table", "rune-war")
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
TRIES = 40
LATEST = 150
"""The most moves before a moment."""


def is_together(match: Match) -> bool:
    """Tell whether several seats are to act."""
    return len(match.to_act) > 1


def is_anything(match: Match) -> bool:
    """Tell that any moment will do."""
    return True


def moment(game: Game, number: int, wanted: Callable[[Match], bool]) -> Match | None:
    """Return a random match at a wanted moment, at which nobody is between two steps of a secret choice."""
    seats, chance = game.seats[2], random.Random(f"{game.id} {number}")
    match, between, least = (
        Match.new(game, seats, NAMES[:seats], seed=chance.randbytes(32)),
        set[int](),
        chance.randrange(60),
    )
    for played in range(LATEST):
        if match.outcome:
            return None
        if played >= least and not between and wanted(match) and any(len(match.moves(at)) > 1 for at in match.to_act):
            return match
        seat = chance.choice(sorted(match.to_act))
        action = chance.choice(match.moves(seat)).action
        (between.discard if match.is_noticed(seat, action) else between.add)(seat)
        match.play(seat, action)
    return None


def ended(match: Match, position: str, seat: int, action: int) -> Position:
    """Return what is to be judged if a seat makes a move in a position, after which the others give up."""
    again = Match.from_position(match.game, position, seats=match.seats, names=match.names, options=match.options)
    again.play(seat, action)
    for other in set(range(match.seats)) - {seat}:
        if not again.outcome:
            again.resign(other)
    return next(positions(again))


def twins(game: Game) -> Iterator[tuple[Position, Position]]:
    """Yield three moments, each in two worlds between which the seat that decides cannot tell."""
    found = 0
    for number in range(60):
        match = moment(game, number, is_together if number % 2 else is_anything)
        if match is None:
            continue
        seat = next(at for at in sorted(match.to_act) if len(match.moves(at)) > 1)
        action, truth = match.moves(seat)[-1].action, match.position()
        for seed in range(20):
            world = match.blinded(seat)
            game.rules.redeal(match.book, world, seed)
            other = write_position(world, game.card_names(match.book))
            if other != truth:
                yield ended(match, truth, seat, action), ended(match, other, seat, action)
                found += 1
                break
        if found == 3:
            return


def of_the_seat(step: JudgedStep) -> bytes:
    """Return all of a judgement that its player may learn during the game."""
    known = step.number, step.seat, step.action, step.text, step.known[step.seat], step.candidates
    return msgspec.json.encode([*known, step.after, step.lost, step.best, step.made])


@pytest.mark.parametrize("id_", GAMES)
def test_worlds_that_a_seat_cannot_tell_apart_get_the_same_judgement_to_the_byte(id_: str):
    game = quintain.game(id_)
    warm_up(game)
    checked, differ = 0, 0
    for one, other in twins(game):
        first, second = judge(one, TRIES), judge(other, TRIES)
        assert of_the_seat(first) == of_the_seat(second)
        assert len(first.candidates) > 1 and first.action is not None
        lines = [[*expected_line(each.seens[each.seat], first.action)] for each in (one, other)]
        words = [[(move.seat, move.text, move.seen.state.pack(), move.seen.legal) for move in line] for line in lines]
        assert words[0] == words[1] and lines[0]
        assert one.state != other.state
        differ += first.opened != second.opened
        checked += 1
    assert checked == 3 and differ > 0  # what is hidden does matter
