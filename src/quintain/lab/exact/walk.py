"""The walk through all positions of a small game, as rules that work for every game.

`walk` goes down the tree of the game, first into the deal, then into every choice, with every outcome of chance (see
`chance`), and comes back up. A position is numbered when all that follows it is, so what follows has lower numbers,
and one loop over the numbers goes from the ends of the game to the deal. Two ways that lead to the same state, and in
which every seat has the same past, lead to one position. A seat's past is a hash of all that it has seen and chosen, in
order. Ends of the game with the same payoffs are one position.
A seat with a single legal action is not asked.

The hashes have 63 bits. Among five million positions the chance that two different ones are taken for one is about one
in a million.
"""

from __future__ import annotations

from typing import NamedTuple

from quintain.engine.rules.contract import lowest_seat, nth_action
from quintain.engine.rules.fields import field
from quintain.engine.rules.linking import rule, rules
from quintain.engine.rules.state import Cells, GameState, Record
from quintain.lab.exact.chance import NUMBER, TOO_MANY, WAYS, choose, forget

DONE, GOES_ON, FULL, TOO_WIDE, TOO_DEEP = range(5)
"""What `walk` returns: all positions are numbered, the moves are used up, an array is full, a move has too many
outcomes, or there are more choices one after another than frames."""
END, DEAL = -1, -2
"""What stands in the place of a seat: the game is over, or is about to be dealt."""
BITS_32, BITS_63 = 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF
FACTOR = 0x1E3779B97F4A7C15
CHOSE, SAW = 1, 2
"""What distinguishes choices and sights in a past."""
WHOLE = 1.0 - 1e-9
"""The probability of outcomes that are all outcomes, but for rounding."""


class WalkCounts(Record):
    """How far the walk is."""

    depth: int = field(bits=64)
    """The frame that is worked on; -1 when all is done."""
    nodes: int = field(bits=64)
    edges: int = field(bits=64)
    pending: int = field(bits=64)
    sets: int = field(bits=64)
    choices: int = field(bits=64)
    """How many positions, edges, edges of unfinished positions, information sets and actions of those there are."""
    moves: int = field(bits=64)
    """How many moves have been played."""


class Frames(NamedTuple):
    """The unfinished positions from the deal down, one at each depth."""

    pool: Cells[GameState]
    """Their states; then one to blind, at the last place."""
    words: Cells[Cells[int]]
    """The same states as words."""
    mask: Cells[Cells[int]]
    """Their legal actions."""
    seat: Cells[int]
    key: Cells[int]
    set: Cells[int]
    """Who chooses, the key of the position, and its information set."""
    action: Cells[int]
    place: Cells[int]
    """The action that is tried, and its place among the legal ones."""
    number: Cells[int]
    mass: Cells[float]
    """The outcome of chance that is tried next, and the probability of all outcomes before it."""
    sent: Cells[int]
    weight: Cells[float]
    """The place and the probability of the edge to the next deeper frame."""
    begin: Cells[int]
    """Where its edges begin among the pending ones."""
    past: Cells[Cells[int]]
    last: Cells[Cells[int]]
    level: Cells[Cells[int]]
    """For each seat its past, the hash of what it saw last, and how often it has chosen."""


class Positions(NamedTuple):
    """All finished positions, by number, with the edges between them."""

    seat: Cells[int]
    set: Cells[int]
    first: Cells[int]
    """Who chooses there, in which information set, and the first of its edges; the next position's is their end."""
    level: Cells[Cells[int]]
    """How often each seat has chosen before."""
    worth: Cells[Cells[float]]
    """What each seat wins at the end of a game, from 0 to 1."""
    child: Cells[int]
    place: Cells[int]
    weight: Cells[float]
    """For each edge, where it leads, the place of its action among the legal ones, and its probability by chance."""
    pending_child: Cells[int]
    pending_place: Cells[int]
    pending_weight: Cells[float]
    key: Cells[int]
    found: Cells[int]
    """A hash table with open addressing: keys, and the numbers of their positions."""


class Sets(NamedTuple):
    """The information sets: what a seat cannot tell apart when it has a choice."""

    key: Cells[int]
    found: Cells[int]
    """A hash table, as that of the positions."""
    seat: Cells[int]
    level: Cells[int]
    first: Cells[int]
    """Who chooses, how often that seat has chosen before, and the first of its actions; the next set's is their end."""
    action: Cells[int]
    seen: Cells[GameState]
    """The state of each, as its seat sees it."""


class Walk(NamedTuple):
    """All that the walk works on."""

    status: WalkCounts
    frames: Frames
    positions: Positions
    sets: Sets
    scores: Cells[int]
    ranks: Cells[int]
    values: Cells[float]


@rule
def stirred(key: int, number: int) -> int:
    """Return a hash of a hash and a number of 64 bits, from 0 to 2**63 - 1."""
    key = (key ^ number & BITS_32) * FACTOR & BITS_63
    key = (key ^ key >> 31 ^ number >> 32 & BITS_32) * FACTOR & BITS_63
    return key ^ key >> 32


@rule
def hashed(words: Cells[int], count: int) -> int:
    """Return a hash of the first words of a state."""
    key = count
    for i in range(count):
        key = stirred(key, words[i])
    return key


@rule
def find(keys: Cells[int], key: int) -> int:
    """Return the slot of a key in a hash table, or the free slot where it belongs."""
    last = len(keys) - 1
    slot = key & last
    while keys[slot] != key and keys[slot] != 0:
        slot = slot + 1 & last
    return slot


@rule
def refill(old_keys: Cells[int], old_found: Cells[int], keys: Cells[int], found: Cells[int]) -> None:
    """Enter all keys of a hash table into a larger one."""
    for i in range(len(old_keys)):
        if old_keys[i] != 0:
            slot = find(keys, old_keys[i])
            keys[slot] = old_keys[i]
            found[slot] = old_found[i]


@rule
def walk(book: Record, seats: int, w: Walk, hashed_words: int, moves: int) -> int:
    """Go on with the walk for a number of moves; return why it stops. `hashed_words` are those before the events."""
    while w.status.depth >= 0:
        if moves == 0:
            return GOES_ON
        if is_full(w):
            return FULL
        depth = w.status.depth
        if depth + 2 > len(w.frames.seat):
            return TOO_DEEP
        if w.frames.action[depth] == rules.ACTIONS:
            finish(seats, w)
        elif not try_outcome(book, seats, w, hashed_words):
            return TOO_WIDE
        moves -= 1
    return DONE


@rule
def is_full(w: Walk) -> bool:
    """Tell whether some array may lack room for one more step."""
    status, positions, sets = w.status, w.positions, w.sets
    begin = w.frames.begin[status.depth]
    return (
        status.nodes + 2 > len(positions.seat)
        or 2 * status.nodes + 2 > len(positions.key)
        or status.edges + (status.pending - begin) > len(positions.child)
        or status.pending + 1 > len(positions.pending_child)
        or status.sets + 2 > len(sets.seat)
        or 2 * status.sets + 2 > len(sets.key)
        or status.choices + rules.ACTIONS > len(sets.action)
    )


@rule
def try_outcome(book: Record, seats: int, w: Walk, hashed_words: int) -> bool:
    """Play the next outcome of the action that is tried; tell whether the outcomes can be counted."""
    frames, depth = w.frames, w.status.depth
    s = carry_out(book, w, depth)
    w.status.moves += 1
    seat = settle(book, seats, w, depth + 1)
    if s.rng[TOO_MANY]:
        return False
    frames.number[depth] += 1
    if s.rng[NUMBER] == 0:
        weight = 1.0 / s.rng[WAYS]
        frames.mass[depth] += weight
        frames.sent[depth] = frames.place[depth]
        frames.weight[depth] = weight
        forget(s)
        if frames.mass[depth] > WHOLE:
            next_action(w, depth)
        arrive(book, seats, w, seat, hashed_words)
    return True


@rule
def carry_out(book: Record, w: Walk, depth: int) -> GameState:
    """Carry out the deal, or the action that is tried, in the state below, and return that state."""
    frames = w.frames
    seat, action = frames.seat[depth], frames.action[depth]
    frames.pool[depth + 1] = frames.pool[depth]
    s = frames.pool[depth + 1]
    choose(s, frames.number[depth])
    for each in range(len(frames.past[depth])):
        frames.past[depth + 1][each] = frames.past[depth][each]
        frames.last[depth + 1][each] = frames.last[depth][each]
        frames.level[depth + 1][each] = frames.level[depth][each]
    if seat == DEAL:
        rules.deal(book, s)
    else:
        frames.past[depth + 1][seat] = stirred(stirred(frames.past[depth][seat], CHOSE), action)
        frames.level[depth + 1][seat] += 1
        rules.play(book, s, seat, action)
    return s


@rule
def next_action(w: Walk, depth: int) -> None:
    """Go on to the next legal action of a frame, or past the last."""
    frames = w.frames
    action = frames.action[depth] + 1
    if frames.seat[depth] == DEAL:
        action = rules.ACTIONS
    while action < rules.ACTIONS and not frames.mask[depth][action]:
        action += 1
    frames.action[depth] = action
    frames.place[depth] += 1
    frames.number[depth] = 0
    frames.mass[depth] = 0.0


@rule
def settle(book: Record, seats: int, w: Walk, depth: int) -> int:
    """Play on while nobody has a choice; return the seat that has one, or END. All seats remember what they see."""
    frames = w.frames
    s = frames.pool[depth]
    remember(book, seats, w, depth)
    bits = rules.to_act(book, s)
    while bits:
        seat = lowest_seat(bits)
        if rules.legal(book, s, seat, frames.mask[depth]) > 1:
            return seat
        rules.play(book, s, seat, nth_action(frames.mask[depth], 0))
        remember(book, seats, w, depth)
        bits = rules.to_act(book, s)
    return END


@rule
def remember(book: Record, seats: int, w: Walk, depth: int) -> None:
    """Add to each seat's past what it sees, if that has changed."""
    frames = w.frames
    seen = len(frames.pool) - 1
    if frames.pool[depth].over:
        return
    for seat in range(seats):
        frames.pool[seen] = frames.pool[depth]
        rules.blind(book, frames.pool[seen], seat)
        sight = hashed(frames.words[seen], len(frames.words[seen]))
        if sight != frames.last[depth][seat]:
            frames.last[depth][seat] = sight
            frames.past[depth][seat] = stirred(stirred(frames.past[depth][seat], SAW), sight)


@rule
def arrive(book: Record, seats: int, w: Walk, seat: int, hashed_words: int) -> None:
    """Add an edge to the position just reached; a new one becomes the next deeper frame, and its edge waits."""
    frames, positions, depth = w.frames, w.positions, w.status.depth + 1
    if seat == END:
        rules.payoff(book, frames.pool[depth], seats, w.scores, w.ranks, w.values)
        key = END & BITS_63
        for each in range(seats):
            key = stirred(key, int(w.values[each] * 2.0**40))
    else:
        key = hashed(frames.words[depth], hashed_words)
        for each in range(seats):
            key = stirred(key, frames.past[depth][each])
    key |= key == 0
    slot = find(positions.key, key)
    if positions.key[slot] == key:
        add_edge(w, positions.found[slot])
        return
    frames.key[depth] = key
    frames.seat[depth] = seat
    frames.set[depth] = set_of(book, w, seat, depth) if seat != END else END
    frames.begin[depth] = w.status.pending
    frames.action[depth] = -1 if seat != END else rules.ACTIONS
    frames.place[depth] = -1
    w.status.depth = depth
    if seat != END:
        next_action(w, depth)


@rule
def set_of(book: Record, w: Walk, seat: int, depth: int) -> int:
    """Return the information set of a frame, whose legal actions are in its mask."""
    frames, sets, status = w.frames, w.sets, w.status
    key = stirred(frames.past[depth][seat], seat)
    key |= key == 0
    slot = find(sets.key, key)
    if sets.key[slot] == key:
        return sets.found[slot]
    number = status.sets
    status.sets = number + 1
    sets.key[slot] = key
    sets.found[slot] = number
    sets.seat[number] = seat
    sets.level[number] = frames.level[depth][seat]
    for action in range(rules.ACTIONS):
        if frames.mask[depth][action]:
            sets.action[status.choices] = action
            status.choices += 1
    sets.first[number + 1] = status.choices
    sets.seen[number] = frames.pool[depth]
    rules.blind(book, sets.seen[number], seat)
    return number


@rule
def add_edge(w: Walk, child: int) -> None:
    """Add an edge from the deepest unfinished position, or to one that it has for this action already."""
    frames, positions, status = w.frames, w.positions, w.status
    place, weight = frames.sent[status.depth], frames.weight[status.depth]
    edge = status.pending - 1
    while edge >= frames.begin[status.depth] and positions.pending_place[edge] == place:
        if positions.pending_child[edge] == child:
            positions.pending_weight[edge] += weight
            return
        edge -= 1
    positions.pending_child[status.pending] = child
    positions.pending_place[status.pending] = place
    positions.pending_weight[status.pending] = weight
    status.pending += 1


@rule
def finish(seats: int, w: Walk) -> None:
    """Number the position of the deepest frame, keep its edges, and go back up to the frame above."""
    frames, positions, status = w.frames, w.positions, w.status
    depth, number = status.depth, status.nodes
    positions.seat[number] = frames.seat[depth]
    positions.set[number] = frames.set[depth]
    for seat in range(seats):
        positions.level[number][seat] = frames.level[depth][seat]
        positions.worth[number][seat] = w.values[seat] if frames.seat[depth] == END else 0.0
    for pending in range(frames.begin[depth], status.pending):
        positions.child[status.edges] = positions.pending_child[pending]
        positions.place[status.edges] = positions.pending_place[pending]
        positions.weight[status.edges] = positions.pending_weight[pending]
        status.edges += 1
    positions.first[number + 1] = status.edges
    status.nodes = number + 1
    status.pending = frames.begin[depth]
    status.depth = depth - 1
    if depth > 0:
        slot = find(positions.key, frames.key[depth])
        positions.key[slot] = frames.key[depth]
        positions.found[slot] = number
        add_edge(w, number)
