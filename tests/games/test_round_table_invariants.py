"""Round Table: invariants after every move of random games, compiled, with two, three and four seats."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import quintain
from games.round_table_positions import Side, position, state
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import compiled, interpreted
from quintain.engine.rules.contract import lowest_seat, random_policy
from quintain.engine.rules.linking import rule, rules
from quintain.engine.rules.state import Pool
from quintain.games.round_table import effects, play_area, winter
from quintain.games.round_table import state as st
from quintain.games.round_table.decks import READY_MADE
from quintain.games.round_table.state import Book, State

GAMES, MANY_GAMES = 20, 10_000
LOST_CARDS, WRONG_SUM, TOO_MUCH_EQUIPMENT, NAMESAKES, LOST_KNIGHT, REGION_LOST, NO_END = range(7)
MOST_PLIES = 20_000


@rule
def cards_are_conserved(book: Book, s: State, seat: int) -> bool:
    size = 0
    for line in range(book.lines[seat]):
        here = s.hand[seat][line] + s.deck[seat][line] + s.spent[seat][line] + s.dropped[seat][line]
        if here + play_area.in_play(book, s, seat, line) != book.copies[seat][line]:
            return False
        size += s.hand[seat][line] + s.dropped[seat][line]
    return size == s.hand_size[seat]


@rule
def sums_are_right(book: Book, s: State, seat: int) -> bool:
    allocated = s.spent_rp[seat]
    for slot in range(st.LINES):
        line = s.line[seat][slot]
        if line != st.NONE and book.card[seat][line].kind != st.QUEST:
            rp = book.card[seat][line].rp + effects.total(book, s, st.RP, 0, seat, line, slot)
            if s.rp[seat][slot] != max(0, rp):
                return False
            allocated += s.rp[seat][slot]
        if line != st.NONE and slot >= s.top[seat]:
            return False
    capacity = effects.total(book, s, st.CAPACITY, 0, seat, st.NONE, st.NONE)
    for line in range(book.main_lines[seat], book.lines[seat]):
        capacity += book.card[seat][line].rp * s.demesne[seat][book.card[seat][line].step]
    return allocated == s.allocated[seat] and capacity == s.capacity[seat]


@rule
def bearers_are_right(book: Book, s: State, seat: int) -> bool:
    for slot in range(s.top[seat]):
        line, bearer = s.line[seat][slot], s.bearer[seat][slot]
        if line != st.NONE and bearer != st.NONE and book.card[seat][line].kind != st.QUEST:
            if not st.is_knight(book, s, seat, bearer):
                return False
            if play_area.count_alike(book, s, seat, line, bearer) > play_area.room_on(book, s, seat, line, bearer):
                return False
    return True


@rule
def names_are_unique(book: Book, s: State, seat: int) -> bool:
    for slot in range(s.top[seat]):
        if st.is_knight(book, s, seat, slot):
            card = book.card[seat][s.line[seat][slot]]
            for other in range(book.seats):
                for place in range(s.top[other]):
                    same = other == seat and place == slot
                    named = st.is_knight(book, s, other, place) and not card.types & st.GENERIC
                    if named and not same and book.card[other][s.line[other][place]].namesake == card.namesake:
                        return False
    return True


@rule
def tasks_are_right(book: Book, s: State, seat: int) -> bool:
    for slot in range(s.top[seat]):
        place, quest = s.place[seat][slot], s.quest[seat][slot]
        if (place != st.NONE or quest != st.NONE) and not st.is_knight(book, s, seat, slot):
            return False
        if place != st.NONE and (s.open[place] == st.NONE or st.is_engaged(s, seat, slot)):
            return False
        if quest != st.NONE:
            line = s.line[quest // st.LINES][quest % st.LINES]
            if line == st.NONE or book.card[quest // st.LINES][line].kind != st.QUEST:
                return False
    return True


@rule
def regions_are_conserved(book: Book, s: State) -> bool:
    seen = s.regions_left
    for place in range(st.OPEN_REGIONS):
        seen += 1 if s.open[place] != st.NONE else 0
    for place in range(book.regions):
        seen += 1 if s.captor[place] != st.NONE else 0
    return seen == book.regions


@rule
def what_is_wrong(book: Book, s: State) -> int:
    for seat in range(book.seats):
        if not cards_are_conserved(book, s, seat):
            return LOST_CARDS
        if not sums_are_right(book, s, seat):
            return WRONG_SUM
        if not bearers_are_right(book, s, seat):
            return TOO_MUCH_EQUIPMENT
        if not names_are_unique(book, s, seat):
            return NAMESAKES
        if not tasks_are_right(book, s, seat):
            return LOST_KNIGHT
    return st.NONE if regions_are_conserved(book, s) else REGION_LOST


@rule
def watch(book: Any, seats: int, seed: int, pool: Any, blank: Any, mask: Any, words: Any, found: Any) -> int:
    """Play random games, check every position, note the first error and its game, and return the plies."""
    plies = 0
    for game in range(len(found)):
        pool[0] = blank[0]
        s = pool[0]
        rng.seed(s.rng, rng.mix(seed, game))
        rng.seed(words, rng.mix(seed, game, 1))
        rules.deal(book, s)
        found[game] = st.NONE
        made = 0
        bits = rules.to_act(book, s)
        while bits and found[game] == st.NONE and made < MOST_PLIES:
            seat = lowest_seat(bits)
            count = rules.legal(book, s, seat, mask)
            action = random_policy(book, s, seat, mask, count, words)
            pays = s.card != st.NONE or action < st.REGION
            cost_before = s.allocated[seat]
            capacity_before = s.capacity[seat]
            rules.play(book, s, seat, action)
            made += 1
            found[game] = what_is_wrong(book, s)
            grew = s.allocated[seat] > cost_before and s.capacity[seat] == capacity_before
            if pays and grew and s.allocated[seat] > s.capacity[seat]:
                found[game] = WRONG_SUM
            bits = rules.to_act(book, s)
        plies += made
        if bits and found[game] == st.NONE:
            found[game] = NO_END
    return plies


def violations(seats: int, games: int, seed: int, form: Any) -> list[int]:
    """Return the errors of random games, played interpreted or compiled."""
    game, found = quintain.game("round-table"), np.zeros(games, np.int64)
    decks = [READY_MADE[(seed + seat) % 4] for seat in range(seats)]
    book = game.make_book(seats, game.read_options(seats, {"decks": decks}))
    if form is compiled:
        record, pool = game.book.array([book])[0], game.state.array([game.state()])
        mask, words = np.zeros(game.actions, np.int8), np.zeros(4, np.int64)
        plies = compiled(game, watch)(record, seats, seed, pool, pool.copy(), mask, words, found)
    else:
        pool, mask, words = Pool(game.state, 1), [0] * game.actions, [0] * 4
        plies = interpreted(game, watch)(book, seats, seed, pool, [game.state()], mask, words, found)
    assert plies > 50 * games
    return sorted({int(kind) for kind in found} - {st.NONE})


def spoil_cards(s: Any) -> None:
    s.deck[0][0] -= 1


def spoil_sum(s: Any) -> None:
    s.allocated[1] += 1


def spoil_costs(s: Any) -> None:
    s.rp[0][0], s.rp[0][1] = s.rp[0][0] + 1, s.rp[0][1] - 1


def spoil_capacity(s: Any) -> None:
    s.capacity[0] += 1


def spoil_equipment(s: Any) -> None:
    s.bearer[0][2] = 0


def spoil_names(s: Any) -> None:
    s.line[0][3] = s.line[0][0]
    s.deck[0][s.line[0][0]] -= 1
    s.top[0], s.rp[0][3] = 4, s.rp[0][0]
    s.allocated[0] += s.rp[0][0]


def spoil_knight(s: Any) -> None:
    s.place[0][1] = 0


def spoil_region(s: Any) -> None:
    s.open[1] = st.NONE


@pytest.mark.parametrize(
    ("spoil", "wrong"),
    [
        (spoil_cards, LOST_CARDS),
        (spoil_sum, WRONG_SUM),
        (spoil_costs, WRONG_SUM),
        (spoil_capacity, WRONG_SUM),
        (spoil_equipment, TOO_MUCH_EQUIPMENT),
        (spoil_names, NAMESAKES),
        (spoil_knight, LOST_KNIGHT),
        (spoil_region, REGION_LOST),
    ],
)
def test_the_watch_notices_a_spoiled_position(spoil: Callable[[Any], None], wrong: int) -> None:
    match = position(Side("", ["Kay + Good Sword"], "Fine Lance"), Side())
    book: Any = match.book
    s = state(match)
    assert what_is_wrong(book, s) == st.NONE
    if wrong == NAMESAKES:
        book = book.copy()
        book.copies[0][s.line[0][0]] = 2
        s.deck[0][s.line[0][0]] = 1
    spoil(s)
    assert what_is_wrong(book, s) == wrong


@pytest.mark.long_for("4")  # two and three seats prove it
@pytest.mark.clause("RT-10", "RT-13", "RT-15")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nothing_is_lost_or_too_much_in_random_games_and_all_end(seats: int) -> None:
    assert violations(seats, GAMES, seats, interpreted) == []


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nothing_is_lost_or_too_much_in_ten_thousand_random_games_and_all_end(seats: int) -> None:
    assert violations(seats, MANY_GAMES, 10 + seats, compiled) == []


@pytest.mark.clause("RT-30")
def test_the_ring_of_events_holds_all_events_when_four_seats_discard_every_card() -> None:
    game = quintain.game("round-table")
    book, s = game.make_book(4, game.read_options(4, {})), game.state()
    rng.seed(s.rng, 1)
    game.rules.deal(book, s)
    for seat in range(4):
        s.dropped[seat][: book.lines[seat]] = book.copies[seat][: book.lines[seat]]
        assert book.lines[seat] > st.MOST_NAMED
    made = s.events_made
    winter.show_drops(book, s)
    assert s.events_made - made == 4 * (st.MOST_NAMED + 1) <= len(s.events)
    more = [event for event in s.events if event.kind == st.MORE_SPENT]
    discarded = [event for event in s.events if event.kind == st.DISCARDED]
    for seat in range(4):
        assert s.spent[seat] == book.copies[seat]
        spoken = sum(event.b for event in discarded if event.seat == seat) + sum(e.a for e in more if e.seat == seat)
        assert spoken == sum(book.copies[seat])
    assert game.text.narrate(book, more[0], 1) == f"{more[0].a} more of seat 0's cards go to the Spent Pile."
