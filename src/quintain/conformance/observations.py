"""Checks of what learners see, and of the declarations from which the engine makes it.

A wrong declaration would not show in play: the game goes on, and a learner sees nonsense. So these checks turn the
seats, change values one by one, and compare both forms of the rows.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from quintain.conformance.cases import Case, Failed, Skipped, require, whose
from quintain.conformance.checks import check, check_game
from quintain.conformance.turning import turned, turned_bits
from quintain.engine.game import seats_in
from quintain.engine.observation import Block
from quintain.engine.state import UNKNOWN, GameState, Record
from quintain.engine.unknown import hidden

POSITIONS = 12
"""About how many positions of a random game with two seats most checks look at."""
CHANGES = 2
"""How many values of a field one check changes in each position."""
GAMES_TO_HIDE = 12
"""In at most this many random games of each case, every secret field must be hidden once."""
PLACES, STEPS = 6, 120
"""The games that are observed side by side in both forms, and the most steps of each."""


@check
def what_is_hidden_is_declared_secret(case: Case) -> None:
    """Only fields that are declared `secret` are ever UNKNOWN to a seat."""
    for book, s in case.sample(31, POSITIONS):
        for seat in range(case.seats):
            open_fields = {
                name for name in _hidden_fields(case, book, s, seat) if not case.game.state.fields[name].secret
            }
            require(
                not open_fields, f"declare with secret=True what {whose(seat)} may not know: {_listed(open_fields)}"
            )


@check_game
def what_is_declared_secret_is_hidden(cases: Sequence[Case]) -> None:
    """Every field that is declared `secret` is UNKNOWN to some seat in some random game."""
    game = cases[0].game
    left = {name for name, declared in game.state.fields.items() if declared.secret}
    if not left:
        raise Skipped("the game has no secret fields")
    for seed in range(GAMES_TO_HIDE):
        for case in cases:
            for number, (book, s) in enumerate(case.positions(seed)):
                if left and number % case.interval(POSITIONS * 4) == 0:
                    for seat in range(case.seats):
                        left -= _hidden_fields(case, book, s, seat)
            if not left:
                return
    raise Failed(f"declared as secret, but known to all seats in all random games: {_listed(left)}")


def _hidden_fields(case: Case, book: Record, s: GameState, seat: int) -> set[str]:
    return {path.partition("[")[0].partition(".")[0] for path in hidden(case.game.blinded(book, s, seat))}


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))


@check
def a_turned_game_is_the_same_game(case: Case) -> None:
    """Turn the seats of a state and its book: the same seats act, have as many actions, and know the same."""
    rules = case.game.rules
    for book, s in case.sample(32, POSITIONS):
        for seat in range(case.seats):
            other_book, other = _turned(case, book, s, seat)
            asked = turned_bits(rules.to_act(book, s), case.seats, seat)
            require(rules.to_act(other_book, other) == asked, f"turned to {whose(seat)}, other seats are to act")
            for viewer in range(case.seats):
                there = (viewer - seat) % case.seats
                legal = len(case.game.legal_actions(book, s, viewer))
                turned_legal = len(case.game.legal_actions(other_book, other, there))
                words = f"turned to {whose(seat)}, {whose(viewer)} has {turned_legal} legal actions instead of {legal}"
                require(turned_legal == legal, words)
                blinded, own = other.copy(), s.copy()
                rules.blind_position(other_book, blinded, there)
                rules.blind_position(book, own, viewer)
                _require_same(_turned(case, book, own, seat)[1], blinded, f"{whose(viewer)} knows other things")


def _turned(case: Case, book: Record, s: GameState, seat: int) -> tuple[Record, GameState]:
    """Return a book and a state turned to a seat, without events: the numbers in events are not declared."""
    other = turned(s, case.seats, seat)
    other.events_made, other.events = 0, case.game.state().events
    return turned(book, case.seats, seat), other


def _require_same(one: GameState, other: GameState, words: str) -> None:
    if one != other:
        pairs = zip(one.values(), other.values(), strict=True)
        paths = {path.partition("[")[0] for (path, value), (_, there) in pairs if value != there}
        raise Failed(f"after turning the seats, {words}: check seats, means and seat_at of {_listed(paths)}")


@check
def an_observer_comes_first(case: Case) -> None:
    """To observe a state from a seat is to turn the state to that seat and observe it from seat 0."""
    for book, s in case.sample(33, POSITIONS):
        for seat in range(case.seats):
            blinded = case.game.blinded(book, s, seat)
            other_book, other = _turned(case, book, blinded, seat)
            for of_bytes in _forms(case):
                you = _blocks(case, of_bytes)[-1].first
                here = _row(case, book, blinded, seat, of_bytes)[:you]
                there = _row(case, other_book, other, 0, of_bytes)[:you]
                differ = {
                    block.name
                    for block in _blocks(case, of_bytes)[:-1]
                    if here[block.first : block.end] != there[block.first : block.end]
                }
                require(
                    not differ, f"observed from {whose(seat)}, these differ from the turned state: {_listed(differ)}"
                )


@check
def observations_keep_to_their_bounds(case: Case) -> None:
    """Every number of an observation is within the bounds of its column, and none is left unwritten."""
    for book, s in case.sample(34, POSITIONS * 2):
        for seat in range(case.seats):
            blinded = case.game.blinded(book, s, seat)
            for of_bytes in (False, True):
                layout = case.game.observation_int8 if of_bytes else case.game.observation
                row = np.array(_row(case, book, blinded, seat, of_bytes))
                require(not np.isnan(row).any(), "observe leaves columns unwritten")
                low, high = layout.bounds()
                out = np.flatnonzero((row.astype(np.float32) < low) | (row.astype(np.float32) > high))
                if len(out):
                    column = int(out[0])
                    name = next((block.name for block in layout.blocks if block.first <= column < block.end), "")
                    raise Failed(f"column {column} of an observation ({name}) is {row[column]}, outside its bounds")


@check
def observations_tell_states_apart(case: Case) -> None:
    """Change one value of a blinded state: the observation changes, too, unless only the order in a bag has changed."""
    chooser = random.Random(35)
    for book, s in case.sample(35, POSITIONS // 2):
        seat = chooser.randrange(case.seats)
        blinded = case.game.blinded(book, s, seat)
        for of_bytes in _forms(case):
            before = _rounded(_row(case, book, blinded, seat, of_bytes))
            for block in _blocks(case, of_bytes)[:-1]:
                for other, is_other in _changed(blinded, block, chooser):
                    row = _rounded(_row(case, book, other, seat, of_bytes))
                    form = "observe_int8" if of_bytes else "observe"
                    require(
                        (row != before) == (is_other or (of_bytes and other != blinded)),
                        f"{form} gives the same row for two different values of {block.name}: declare low and high"
                        if is_other
                        else f"{form} depends on the order in the bag {block.name}",
                    )


def _changed(s: GameState, block: Block, chooser: random.Random) -> Iterator[tuple[GameState, bool]]:
    """Yield copies of a state with one change in a field, and whether that is more than another order in a bag."""
    declared = block.field
    for _ in range(CHANGES):
        copy = s.copy()
        place = [chooser.randrange(length) for length in declared.shape]
        cells, key, old = _cell(copy, block, place)
        new = chooser.choice([declared.low, declared.high, chooser.randint(declared.low, declared.high), old + 1])
        if declared.secret and chooser.random() < 0.25:
            new = UNKNOWN
        if new != old and (declared.low <= new <= declared.high or new == UNKNOWN):
            if isinstance(cells, list):
                cells[key] = new
            else:
                setattr(cells, key, new)
            yield copy, True
        if declared.means == "bag" and isinstance(cells, list):
            swapped = s.copy()
            bag, _, _ = _cell(swapped, block, place)
            chooser.shuffle(bag)
            yield swapped, False


def _cell(s: Any, block: Block, place: list[int]) -> tuple[Any, Any, int]:
    """Return what holds one value of a field, its index or name there, and the value."""
    left = list(place)
    value: Any = s
    key: Any
    for name, count in block.path:
        holder, key, value = value, name, getattr(value, name)
        for _ in range(count):
            holder, key = value, left.pop(0)
            value = holder[key]
    return holder, key, value


@check_game
def both_forms_observe_alike(cases: Sequence[Case]) -> None:
    """Compiled and interpreted observations are equal, and so are the masks beside them."""
    compare_observations(cases)


def compare_observations(cases: Sequence[Case], boundscheck: bool = False) -> None:
    """Play random games in a `Batch`, and compare its rows and masks with interpreted ones; raises Failed."""
    from quintain.envs.batch import Batch

    for case in cases:
        form: Any
        for form in ("float32", "int8"):
            batch = Batch(
                case.game, PLACES, seats=case.seats, options=case.options, observation=form, boundscheck=boundscheck
            )
            batch.reset(36)
            interval = case.interval(STEPS // 4)
            for step in range(min(case.length, interval * STEPS)):
                if step % interval == 0:
                    place = step // interval % PLACES
                    s, seat = batch.state(place), int(batch.seat[place])
                    row = _row(case, case.book, case.game.blinded(case.book, s, seat), seat, form == "int8")
                    same = np.array_equal(np.array(row, form), batch.observation[place])
                    require(same, f"the rows of {form} differ between compiled and interpreted code")
                    legal = np.flatnonzero(batch.mask[place]).tolist()
                    require(legal == case.game.legal_actions(case.book, s, seat), "the masks of the two forms differ")
                batch.step(batch.sample())


@check
def no_pick_takes_a_question_away(case: Case) -> None:
    """While several seats are asked at the same time, the choice of one changes neither who else is asked, nor what."""
    rules, found = case.game.rules, 0
    for book, s in case.sample(37, POSITIONS * 2):
        asked = seats_in(rules.to_act(book, s))
        for seat in asked if len(asked) > 1 else ():
            found += 1
            menus = {other: case.game.legal_actions(book, s, other) for other in asked if other != seat}
            for action in case.game.legal_actions(book, s, seat):
                after = s.copy()
                rules.play(book, after, seat, action)
                lost = [other for other, menu in menus.items() if case.game.legal_actions(book, after, other) != menu]
                name = case.game.text.name(book, s, seat, action)
                require(
                    not lost or after.over, f"when seat {seat} chooses {name!r}, seat {lost[:1]} is asked other things"
                )
    if not found:
        raise Skipped("no two seats choose at the same time")


def _forms(case: Case) -> tuple[bool, ...]:
    """Return which rows are made from the declarations: those of floats (False), unless the game writes them itself."""
    return (True,) if "observe" in case.game.written else (False, True)


def _blocks(case: Case, of_bytes: bool) -> tuple[Block, ...]:
    return (case.game.observation_int8 if of_bytes else case.game.observation).blocks


def _row(case: Case, book: Record, blinded: GameState, seat: int, of_bytes: bool) -> list[float]:
    """Return an observation of a blinded state, interpreted."""
    if of_bytes:
        row = [float("nan")] * case.game.observation_int8.size
        case.game.rules.observe_int8(book, blinded, seat, row)  # type: ignore[arg-type]
    else:
        row = [float("nan")] * case.game.observation.size
        case.game.rules.observe(book, blinded, seat, row)
    return row


def _rounded(row: list[float]) -> bytes:
    return np.array(row, np.float32).tobytes()
