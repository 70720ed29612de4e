"""Checks of what learners see, and of the declarations from which the engine makes it.

Play does not reveal a wrong declaration: the game goes on, and a learner sees nonsense. So these checks turn the seats
and change values one by one. `forms` compares the interpreted rows with the compiled ones.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from quintain.conformance.cases import Case, Failed, Skipped, require, whose
from quintain.conformance.checks import check, check_game
from quintain.conformance.turning import turned, turned_bits
from quintain.engine.rules.contract import lowest_seat
from quintain.engine.rules.fields import UNKNOWN
from quintain.engine.rules.game import seats_in
from quintain.engine.rules.observation import Block
from quintain.engine.rules.state import GameState, Record
from quintain.engine.seen.unknown import hidden
from quintain.envs.recall import EventNumbers, Recalled, RecallRow, noticed, told_since

POSITIONS = 12
"""About how many positions of a random game with two seats most checks look at."""
CHANGES = 2
"""How many values of a field one check changes in each position."""
GAMES_TO_HIDE = 12
"""In at most this many random games of each case, every secret field must be hidden once."""
DECLARE = "check seats, means and seat_at of the fields that it depends on"
TELL = "let rules tell an event of what a seat sees for a moment, or keep it in the state"
ORDERS = 3
"""About from how many positions of a random game with two seats moves are tried in many orders."""
TRIED, MOST_GROWN = 3, 60
"""How many actions of a seat are tried in each place, and how many positions these moves may lead to."""
MENU = 60
"""How many actions of a turned game are tried to find the one that was played."""


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
            for book, s in case.sample(seed, POSITIONS * 4):
                for seat in range(case.seats) if left else ():
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
            require(
                rules.to_act(other_book, other) == asked, f"turned to {whose(seat)}, other seats are to act: {DECLARE}"
            )
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


@check
def a_turned_move_is_the_same_move(case: Case) -> None:
    """Turn the seats: a move without chance leads to the turned state of what it leads to, and so does the result."""
    chooser, rules = random.Random(38), case.game.rules
    for book, s in case.sample(38, POSITIONS * 2):
        seat = chooser.randrange(case.seats)
        other_book, other = _turned(case, book, s, seat)
        for mover in seats_in(rules.to_act(book, s)):
            action, after = chooser.choice(case.game.legal_actions(book, s, mover)), s.copy()
            rules.play(book, after, mover, action)
            if after.rng == s.rng:
                there = (mover - seat) % case.seats
                menu = case.game.legal_actions(other_book, other, there)
                others = [each for each in menu if each != action]
                wanted, found = _turned(case, book, after, seat)[1], []
                for each in ([action] * (action in menu) + others)[:MENU]:  # actions that name a seat do not turn
                    found.append(other.copy())
                    rules.play(other_book, found[-1], there, each)
                    found[-1].events_made, found[-1].events = 0, wanted.events
                    if found[-1] == wanted:
                        break
                else:
                    name = case.game.text.name(book, s, mover, action)
                    _require_same(wanted, found[0], f"{name!r} of seat {mover} does something else")
        if s.over:
            scores, turned_scores = [0] * case.seats, [0] * case.seats
            rules.outcome(book, s, scores, [0] * case.seats)
            rules.outcome(other_book, other, turned_scores, [0] * case.seats)
            same = turned_scores == scores[seat:] + scores[:seat]
            require(same, f"after turning the seats, the scores {scores} become {turned_scores}")


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
            form = "observe_int8" if of_bytes else "observe"
            for block in _blocks(case, of_bytes)[:-1]:
                for one, other, is_other in _pairs(blinded, block, chooser):
                    rows = [_rounded(_row(case, book, state, seat, of_bytes)) for state in (one, other)]
                    if is_other or (of_bytes and one != other):
                        words = f"{form} gives the same row for two different values of {block.name}"
                        require(rows[0] != rows[1], f"{words}: declare low and high")
                    else:
                        require(rows[0] == rows[1], f"{form} depends on the order in the bag {block.name}")


def _pairs(s: GameState, block: Block, chooser: random.Random) -> Iterator[tuple[GameState, GameState, bool]]:
    """Yield pairs of states that differ in one value of a field, or, with False, in the order within a bag."""
    declared = block.field
    low, high = declared.low, declared.high
    for _ in range(CHANGES):
        one, other = s.copy(), s.copy()
        place = [chooser.randrange(length) for length in declared.shape]
        cells, key, old = _cell(one, block, place)
        if chooser.random() < 0.5:  # beside any allowed value there is another one
            old = chooser.choice([low, high - 1, chooser.randint(low, max(low, high - 1))])
            new = old + 1
        else:
            new = chooser.choice([low, high, chooser.randint(low, high), UNKNOWN if declared.secret else low])
        if new != old and (low <= new <= high or new == UNKNOWN):
            _put(cells, key, old)
            _put(*_cell(other, block, place)[:2], new)
            yield one, other, True
        if declared.means == "bag" and isinstance(cells, list):
            swapped = s.copy()
            bag, _, _ = _cell(swapped, block, place)
            chooser.shuffle(bag)
            yield s, swapped, False


def _put(holder: Any, key: Any, value: int) -> None:
    if isinstance(holder, list):
        holder[key] = value
    else:
        setattr(holder, key, value)


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


@check
def what_a_seat_has_noticed_is_in_its_numbers(case: Case) -> None:
    """Two positions that a seat can tell apart by its last decisions and the events since differ in its numbers.

    From some positions of a random game a few moves are tried in many orders. A seat's numbers are its observation, and
    what it recalls (see `quintain.envs.recall`). They must differ where its choices, or what it saw, have differed.
    """
    row = RecallRow(case.game, case.seats)
    for book, s in case.sample(39, ORDERS):
        grown = _tried_out(case, book, s)
        for seat in range(case.seats):
            alike: dict[bytes, list[tuple[Noticed, GameState]]] = {}
            for after, everybody in grown:
                alike.setdefault(_recalled(row, everybody[seat], seat), []).append((everybody[seat], after))
            for group in alike.values():
                _require_told_apart(case, book, seat, group)


class Noticed(NamedTuple):
    """What a seat has noticed in the moves that were tried: what it recalls, and what it saw after each move.

    `saw` holds, for each thing that it recalls and for each change that it saw, its choice, its events, and the state
    as it sees it, without the events there.
    """

    last: Recalled | None
    saw: tuple[tuple[int | None, tuple[EventNumbers, ...], bytes], ...]


def _tried_out(case: Case, book: Record, s: GameState) -> list[tuple[GameState, list[Noticed]]]:
    """Return positions after a few moves from a state, and what each seat has noticed on the way to them.

    Where several seats are asked, the lowest one chooses, as in environments in which one seat acts at a time.
    """
    chooser, liked = random.Random(s.events_made), dict[int, set[int]]()
    grown = [(s, [Noticed(None, ((None, (), _view(case, book, s, seat)),)) for seat in range(case.seats)])]
    for before, everybody in grown:
        bits = case.game.rules.to_act(book, before)
        if not bits or len(grown) >= MOST_GROWN:
            continue
        seat = lowest_seat(bits)
        legal = case.game.legal_actions(book, before, seat)
        some = chooser.sample(legal, min(TRIED, len(legal)))
        likely = [action for action in legal if action in liked.setdefault(seat, set(some))] or some
        for action in likely:
            after = before.copy()
            case.game.rules.play(book, after, seat, action)
            choice = action if len(legal) > 1 else None
            grown.append((after, _noticed(case, book, (before, after), seat, choice, everybody)))
    return grown


def _noticed(
    case: Case,
    book: Record,
    states: tuple[GameState, GameState],
    mover: int,
    chosen: int | None,
    everybody: list[Noticed],
) -> list[Noticed]:
    """Return what each seat has noticed after one more move, of which `states` are those before and after."""
    found, (before, after) = [], states
    for seat, old in enumerate(everybody):
        choice = chosen if mover == seat else None
        view, blinded = _view(case, book, after, seat), case.game.blinded(book, after, seat)
        told = told_since(blinded, before.events_made)
        if not told and choice is None:
            told = noticed(case.game.blinded(book, before, seat), blinded)
        is_recalled = told or choice is not None
        last = Recalled(old.last, choice, told) if is_recalled else old.last
        is_new = is_recalled or view != old.saw[-1][2]
        found.append(Noticed(last, (*old.saw, (choice, told, view)) if is_new else old.saw))
    return found


def _view(case: Case, book: Record, s: GameState, seat: int) -> bytes:
    """Return what a seat sees of a state, without the events."""
    blinded = case.game.blinded(book, s, seat)
    blinded.events_made, blinded.events = 0, case.game.state().events
    return blinded.pack()


def _recalled(row: RecallRow, noticed: Noticed, seat: int) -> bytes:
    """Return what a seat recalls as numbers."""
    decisions, events = np.empty(row.decisions, np.float32), np.empty(row.events, np.float32)
    row.write_decisions(noticed.last, decisions)
    row.write_events(noticed.last, seat, events)
    return decisions.tobytes() + events.tobytes()


def _in_window(case: Case, noticed: Noticed) -> tuple[tuple[int | None, tuple[EventNumbers, ...], bytes], ...]:
    """Return what a seat noticed within its window, after what it saw when the window began."""
    decisions, events = case.game.window
    first = len(noticed.saw)
    while first > 1:
        choice, told, _ = noticed.saw[first - 1]
        decisions, events = decisions - (choice is not None), events - len(told)
        if decisions < 0 or events < 0:
            break
        first -= 1
    return (None, (), noticed.saw[first - 1][2]), *noticed.saw[first:]


def _require_told_apart(case: Case, book: Record, seat: int, group: list[tuple[Noticed, GameState]]) -> None:
    """Raise Failed if two positions of which a seat recalls the same look the same, though it could tell them apart."""
    seen: dict[tuple[bytes, bytes], tuple[object, ...]] = {}
    windows = [_in_window(case, noticed) for noticed, _ in group]
    if len(set(windows)) < 2:
        return
    for (_, s), window in zip(group, windows, strict=True):
        row = _rounded(_row(case, book, case.game.blinded(book, s, seat), seat, of_bytes=False))
        other = seen.setdefault((row, window[0][2]), window)
        require(other == window, f"{whose(seat)} can tell two positions apart that are the same in its numbers: {TELL}")


def _forms(case: Case) -> tuple[bool, ...]:
    """Return which rows are made from the declarations: those of floats (False), unless the game writes them itself."""
    return (True,) if "observe" in case.game.written else (False, True)


def _blocks(case: Case, of_bytes: bool) -> tuple[Block, ...]:
    return (case.game.observation_int8 if of_bytes else case.game.observation).blocks


def _row(case: Case, book: Record, blinded: GameState, seat: int, of_bytes: bool) -> list[float]:
    """Return an observation of a blinded state, interpreted."""
    layout = case.game.observation_int8 if of_bytes else case.game.observation
    row: list[Any] = [float("nan")] * layout.size
    (case.game.rules.observe_int8 if of_bytes else case.game.rules.observe)(book, blinded, seat, row)
    return row


def _rounded(row: list[float]) -> bytes:
    return np.array(row, np.float32).tobytes()
