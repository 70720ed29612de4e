"""The compiled core of the environments: rules that step many games, write their observations, and choose at random.

`batch` holds the arrays that these rules work on, and calls them for slices of its games. A *place* is a row of those
arrays: one game after another is played in it. Nothing here allocates, so no step costs memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from quintain.bots.playout import BLINDED, GAME, Workspace, greedy_action
from quintain.engine.rules import rng
from quintain.engine.rules.contract import lowest_seat, nth_action, random_policy
from quintain.engine.rules.linking import rule, rules
from quintain.engine.rules.state import GameState, Record
from quintain.envs.returns import write_returns

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.int64]
    Records = npt.NDArray[np.void]
    Flags = npt.NDArray[np.bool_]

NOBODY = -1
"""Stands for no seat: nobody is to act, or the caller plays all seats."""
RIGHT = -1
"""What `first_wrong` returns if all actions are legal."""
AT_RANDOM, BY_POLICY, GREEDILY, AS_PAGE, BY_CALLER = range(5)
"""How seats other than the learner's choose; with BY_CALLER, the caller plays them, too."""
DRAWN = 3
"""Sets the hash that draws the opponent of a game apart from those that decide its chance."""


class PlaceArrays(NamedTuple):
    """All games of a batch: arrays whose first index is the place. The second is the seat, or the slot.

    There is one slot in each place for the seat that is asked, or, when seats make secret choices together, one for
    each seat.
    """

    states: Records
    seeds: Numbers
    """The number that each place was given by `reset`."""
    games: Numbers
    """How many games have been dealt in each place since then."""
    chance: Numbers
    """The generator of each place, for the seats that the caller does not play: four words."""
    opponent: Numbers
    """Which of the ways in `Settings.others` the seats other than the learner's choose by in this game."""
    to_act: Numbers
    """The seats that are asked, as bits."""
    seat: Numbers
    """The lowest seat that is asked, or NOBODY."""
    observer: Numbers
    """For each slot, the seat whose observation it holds."""
    mask: npt.NDArray[np.int8]
    """For each slot and action, 1 if the action is legal."""
    choices: Numbers
    """For each slot, the number of legal actions."""
    reward: npt.NDArray[np.float32]
    done: npt.NDArray[np.bool_]
    returns: npt.NDArray[np.float32]
    scores: Numbers


class Settings(NamedTuple):
    """What stays the same in a batch."""

    seats: int
    together: bool
    """Whether all seats that are asked choose at the same time, each in the slot of its number."""
    auto_reset: bool
    learner: int
    """The seat that the caller plays, or NOBODY if it plays all."""
    others: Numbers
    """How the other seats choose then; each game draws one of these ways."""


@rule
def first_wrong(book: Record, settings: Settings, places: PlaceArrays, chosen: Flags, actions: Numbers) -> int:
    """Return the first slot, counted over all places, in which an action is not legal; RIGHT if there is none.

    In a place whose game is over, every action is wrong. Slots of seats that are not asked do not count, nor do places
    that are not chosen.
    """
    slots: int = actions.shape[1]
    for i in range(actions.shape[0]):
        if chosen[i] and places.to_act[i] == 0:
            return i * slots
        for slot in range(slots if chosen[i] else 0):
            if not settings.together or places.to_act[i] >> slot & 1:
                action = actions[i][slot]
                if action < 0 or action >= rules.ACTIONS or not places.mask[i][slot][action]:
                    return i * slots + slot
    return RIGHT


@rule
def step_places(
    book: Record, settings: Settings, places: PlaceArrays, work: Workspace, chosen: Flags, actions: Numbers,
    first: int, last: int,
) -> None:  # fmt: skip
    """Play the actions, which must be legal, in each chosen place from `first` to `last` - 1, and ask who is next."""
    for i in range(first, last):
        places.done[i] = False
        for seat in range(settings.seats):
            places.reward[i][seat] = 0.0
        if chosen[i]:
            play_actions(book, settings, places, actions[i], i)
            ask(book, settings, places, work, i)


@rule
def deal_places(
    book: Record, settings: Settings, places: PlaceArrays, work: Workspace, chosen: Flags, first: int, last: int
) -> None:
    """Deal the next game in each place from `first` to `last` - 1 that is chosen, and ask who begins."""
    for i in range(first, last):
        if chosen[i]:
            deal_game(book, settings, places, work, i)
            ask(book, settings, places, work, i)


@rule
def offer_places(book: Record, settings: Settings, places: PlaceArrays, first: int, last: int) -> None:
    """Write who is asked and what is legal in each place from `first` to `last` - 1, for states from elsewhere."""
    for i in range(first, last):
        places.opponent[i] = drawn_opponent(settings, places, i)
        offer(book, settings, places, i, places.to_act[i])


@rule
def play_actions(book: Record, settings: Settings, places: PlaceArrays, actions: Numbers, i: int) -> None:
    """Play the action of each seat that is asked in a place; the first of several may end the game for all."""
    s, asked = places.states[i], places.to_act[i]
    if not settings.together:
        rules.play(book, s, places.seat[i], actions[0])
    else:
        for seat in range(settings.seats):
            if asked >> seat & 1 and rules.to_act(book, s) >> seat & 1:
                rules.play(book, s, seat, actions[seat])


@rule
def deal_game(book: Record, settings: Settings, places: PlaceArrays, work: Workspace, i: int) -> None:
    """Deal the next game in a place: game n of seed x is dealt from mix(x, n)."""
    places.states[i] = work.blank[0]
    s = places.states[i]
    rng.seed(s.rng, rng.mix(places.seeds[i], places.games[i]))
    if settings.learner != NOBODY:
        rng.seed(places.chance[i], rng.mix(places.seeds[i], places.games[i], 1))
    places.games[i] += 1
    places.opponent[i] = drawn_opponent(settings, places, i)
    rules.deal(book, s)


@rule
def drawn_opponent(settings: Settings, places: PlaceArrays, i: int) -> int:
    """Return which of the ways to choose the game in a place has drawn, by its seed and number."""
    return rng.mix(places.seeds[i], places.games[i] - 1, DRAWN) % len(settings.others)


@rule
def ask(book: Record, settings: Settings, places: PlaceArrays, work: Workspace, i: int) -> None:
    """Find out who is asked next in a place, and what is legal; where a game is over, count it and deal the next one.

    Seats that the caller does not play choose first.
    """
    s = places.states[i]
    bits: int = rules.to_act(book, s)
    if settings.learner != NOBODY:  # asked here, and not there: a call with so many arrays takes a tenth of a step
        bits = play_others(book, settings, places, work, i, bits)
    if bits == 0:
        places.done[i] = True
        write_returns(book, s, settings.seats, work.scores, work.ranks, work.values)
        for seat in range(settings.seats):
            places.reward[i][seat] = work.values[seat]
            places.returns[i][seat] = work.values[seat]
            places.scores[i][seat] = work.scores[seat]
        while settings.auto_reset and bits == 0:
            deal_game(book, settings, places, work, i)
            bits = rules.to_act(book, s)
            if settings.learner != NOBODY:
                bits = play_others(book, settings, places, work, i, bits)
    offer(book, settings, places, i, bits)


@rule
def play_others(book: Record, settings: Settings, places: PlaceArrays, work: Workspace, i: int, bits: int) -> int:
    """Play for the seats that the caller does not play, until it is asked; return the seats that it is asked for.

    `bits` are the seats that are asked now.
    """
    s, chance, learner = places.states[i], places.chance[i], settings.learner
    how = settings.others[places.opponent[i]]
    while how != BY_CALLER and bits != 0 and not bits >> learner & 1:
        seat = lowest_seat(bits)
        rules.play(book, s, seat, choose_for(book, s, settings, seat, how, chance, work))
        bits = rules.to_act(book, s)
    return bits & 1 << learner if bits >> learner & 1 else bits


@rule
def choose_for(
    book: Record, s: GameState, settings: Settings, seat: int, how: int, chance: Numbers, work: Workspace
) -> int:
    """Return the action that a seat chooses in one of the ways that need no caller."""
    count: int = rules.legal(book, s, seat, work.mask)
    if how == BY_POLICY:
        action: int = rules.policy(book, s, seat, work.mask, count, chance)
        return action
    if how == AT_RANDOM or (how == AS_PAGE and rng.below(chance, 2) == 0):
        return random_policy(book, s, seat, work.mask, count, chance)
    if count == 1:
        return nth_action(work.mask, 0)
    work.pool[BLINDED] = s
    rules.blind(book, work.pool[BLINDED], seat)
    words = work.words[seat]
    for k in range(len(chance)):
        words[k] = chance[k]
    chosen = greedy_action(book, settings.seats, seat, work)
    for k in range(len(chance)):
        chance[k] = words[k]
    return chosen


@rule
def offer(book: Record, settings: Settings, places: PlaceArrays, i: int, bits: int) -> None:
    """Write who is asked in a place, and the legal actions of each slot."""
    s = places.states[i]
    places.to_act[i] = bits
    places.seat[i] = lowest_seat(bits) if bits else NOBODY
    if settings.together:
        for seat in range(settings.seats):
            places.observer[i][seat] = seat
            places.choices[i][seat] = rules.legal(book, s, seat, places.mask[i][seat])
    elif bits:
        places.observer[i][0] = places.seat[i]
        places.choices[i][0] = rules.legal(book, s, places.seat[i], places.mask[i][0])
    else:
        if settings.learner != NOBODY:
            places.observer[i][0] = settings.learner
        places.choices[i][0] = 0
        for action in range(rules.ACTIONS):
            places.mask[i][0][action] = 0


@rule
def look_float32(
    book: Record, states: Records, observer: Numbers, chosen: Flags, work: Workspace,
    is_open: int, out: npt.NDArray[np.float32], first: int, last: int,
) -> None:  # fmt: skip
    """Write the observations of the chosen places from `first` to `last` - 1 as rows of floats, one for each slot.

    Those that are open hold what is hidden from the seat, too.
    """
    for i in range(first, last):
        for slot in range(observer.shape[1] if chosen[i] else 0):
            work.pool[GAME] = states[i]
            if not is_open:
                rules.blind_position(book, work.pool[GAME], observer[i][slot])
            rules.observe(book, work.pool[GAME], observer[i][slot], out[i][slot])


@rule
def look_int8(
    book: Record, states: Records, observer: Numbers, chosen: Flags, work: Workspace,
    is_open: int, out: npt.NDArray[np.int8], first: int, last: int,
) -> None:  # fmt: skip
    """Write the observations of the chosen places from `first` to `last` - 1 as rows of bytes, one for each slot.

    Those that are open hold what is hidden from the seat, too.
    """
    for i in range(first, last):
        for slot in range(observer.shape[1] if chosen[i] else 0):
            work.pool[GAME] = states[i]
            if not is_open:
                rules.blind_position(book, work.pool[GAME], observer[i][slot])
            rules.observe_int8(book, work.pool[GAME], observer[i][slot], out[i][slot])


@rule
def spread_seeds(places: PlaceArrays, seed: int) -> None:
    """Give each place a seed of its own: place i has mix(seed, i)."""
    for i in range(places.seeds.shape[0]):
        places.seeds[i] = rng.mix(seed, i)


@rule
def sample_actions(places: PlaceArrays, words: Numbers, actions: Numbers) -> None:
    """Write a random legal action into each slot that has one, and 0 into the others."""
    for i in range(actions.shape[0]):
        for slot in range(actions.shape[1]):
            count = places.choices[i][slot]
            actions[i][slot] = nth_action(places.mask[i][slot], rng.below(words, count)) if count else 0
