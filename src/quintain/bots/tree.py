"""Information-set Monte Carlo tree search, as rules that work for every game, interpreted and compiled.

`ismcts` calls `search`, which runs simulations. Each simulation deals at random what the searcher does not know, and
goes down the tree by UCB over the actions that are legal in this deal (Cowling, Powley and Whitehouse 2012). It adds
one edge, plays the game out, and adds the payoff of each actor to the edges on the path.

One tree serves all seats. The key of a node is a hash of the state, blinded for the seat that acts there and then for
the searcher, so no seat reacts to a secret that it cannot see. If several seats may act, the searcher acts first, then
the lowest seat; simultaneous choices are secret, so their order does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from quintain.bots.playout import play_out, states, zeros
from quintain.engine.rules import rng
from quintain.engine.rules.compiling import memory
from quintain.engine.rules.compiling.compiled import Compiled, compiled, interpreted
from quintain.engine.rules.contract import lowest_seat, nth_action
from quintain.engine.rules.fields import field
from quintain.engine.rules.game import Game
from quintain.engine.rules.linking import rule, rules
from quintain.engine.rules.state import Cells, GameState, Pool, Record

EXPLORATION = 0.5
"""The exploration constant of UCB, for payoffs from 0 to 1."""
PUCT, FAVOUR = 1.0, 0.5
"""The exploration constant of PUCT, and the prior of the policy's choice; all legal actions share the other half."""
ROOT, WORLD, SEEN = range(3)
"""Places in the pool of a `Tree`: the blinded root, the deal that is played, and what an actor sees of it."""
ANY = -1
"""Stands for no action in particular: a search tries all legal ones at the root."""
MOST_PICKS = 50
"""How many positions may be the root of one tree, one after the other."""
NONE = 0
"""Stands for no edge and no key; edges and keys begin at 1."""
BITS_32, BITS_63 = 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF
"""Masks of 32 and 63 bits. Hashes keep 63 bits, so that they are the same interpreted and compiled. Compiled
products wrap around; compiled sums must not exceed 63 bits, so hashes have none."""


class Status(Record):
    """The numbers of a tree besides its nodes and edges."""

    edges: int = field(bits=64)
    """The number of edges."""
    is_surveyed: int = field(low=0, high=1)
    """Whether `root` and `is_last_pick` are known for the current root."""
    root: int = field(bits=64)
    """The slot of the root's node."""
    is_last_pick: int = field(low=0, high=1)
    """Whether the seat has no further choice in its turn after this one."""
    only: int = field(low=-1)
    """The only action to try at the root, or ANY."""
    is_open: int = field(low=0, high=1)
    """Whether the root hides nothing: simulations keep its deal, and only what chance does later is new."""


class Tree(NamedTuple):
    """A search tree in arrays, with the memory of a simulation: lists and a `Pool`, or arrays for compiled code."""

    key: Cells[int]
    """A hash table with open addressing: each slot holds a node's key or NONE. Its size is a power of two."""
    first: Cells[int]
    """The first edge of the node in each slot, or NONE."""
    action: Cells[int]
    """The action of each edge."""
    following: Cells[int]
    """For each edge, the next edge of its node, or NONE."""
    visits: Cells[int]
    """How many simulations went along an edge."""
    available: Cells[int]
    """How many times an edge was legal when its node was visited."""
    total: Cells[float]
    """The sum of the payoffs of the seat that acts by an edge."""
    status: Status
    path: Cells[int]
    """The edges of the current simulation."""
    actor: Cells[int]
    """The seats that chose these edges."""
    logarithm: Cells[float]
    """The natural logarithms of the whole numbers that the search needs, 0 standing for that of 0."""
    salt: Cells[int]
    """An odd factor for each word of the state that is hashed."""
    pool: Cells[GameState]
    words: _Words | Cells[Cells[int]]
    """The states of the pool, each as 64-bit words."""
    mask: Cells[int]
    scores: Cells[int]
    ranks: Cells[int]
    values: Cells[float]
    """The payoff of each seat at the end of a simulation."""
    shares: Cells[float]
    """For each seat, the sum of its payoffs over all simulations."""
    chance: Cells[int]
    """The random generator of the search."""


class _Words:
    """The plain states of a pool as 64-bit words, made on access."""

    def __init__(self, pool: Pool[GameState]):
        self.pool = pool

    def __getitem__(self, place: int) -> tuple[int, ...]:
        return self.pool[place].words()


def new_tree(game: Game, simulations: int, seed: int, *, is_compiled: bool, edges: int = 0) -> Tree:
    """Return an empty tree with room for this number of simulations, for interpreted or for compiled rules.

    Each simulation adds one edge, so there is room for as many, or for `edges`.
    """
    edges, slots, seats = edges or simulations + 1, _slots(simulations), game.seats[1]
    pool = states(game.state, 3, is_compiled)
    chance = [0] * 4
    rng.seed(chance, seed)
    return Tree(
        key=zeros(slots, "int64", is_compiled),
        first=zeros(slots, "int32", is_compiled),
        action=zeros(edges, "int32", is_compiled),
        following=zeros(edges, "int32", is_compiled),
        visits=zeros(edges, "int32", is_compiled),
        available=zeros(edges, "int32", is_compiled),
        total=zeros(edges, "float64", is_compiled),
        status=memory.in_memory(Status()) if is_compiled else Status(),
        path=zeros(edges, "int32", is_compiled),
        actor=zeros(edges, "int32", is_compiled),
        logarithm=_filled("float64", _logarithms(simulations + 1), is_compiled),
        salt=_filled("int64", _salts(game.state), is_compiled),
        pool=pool,
        words=memory.words_in(pool) if is_compiled else _Words(pool),
        mask=zeros(game.actions, "int8", is_compiled),
        scores=zeros(seats, "int64", is_compiled),
        ranks=zeros(seats, "int64", is_compiled),
        values=zeros(seats, "float64", is_compiled),
        shares=zeros(seats, "float64", is_compiled),
        chance=_filled("int64", chance, is_compiled),
    )


def _filled(kind: str, numbers: list[Any], is_compiled: bool) -> Any:
    return memory.filled(kind, numbers) if is_compiled else numbers


def set_root(game: Game, tree: Tree, root: GameState, only: int = ANY, *, is_open: bool = False) -> None:
    """Make a plain state the root of a tree: one blinded for the searcher, or with `is_open` one that hides nothing.

    `only` is the action to try, or ANY.
    """
    tree.status.is_surveyed, tree.status.only, tree.status.is_open = 0, only, int(is_open)
    tree.pool[ROOT] = root if isinstance(tree.pool, Pool) else memory.in_memory(root)


def root_edges(tree: Tree) -> Iterator[tuple[int, int, float]]:
    """Yield each action that was tried at the root, with its simulations and the sum of its payoffs."""
    edge = tree.first[tree.status.root]
    while edge != NONE:
        yield int(tree.action[edge]), int(tree.visits[edge]), float(tree.total[edge])
        edge = tree.following[edge]


def _slots(simulations: int) -> int:
    """Return the number of slots: at least twice the number of nodes, one for each simulation and each pick."""
    return 1 << (2 * (simulations + MOST_PICKS)).bit_length()


@cache
def _salts(kind: type[Record]) -> list[int]:
    """Return a factor for each word of a state that is hashed; these are all words before the events."""
    return [rng.mix(word) | 1 for word in range(kind.offset("events_made") // 8)]


@cache
def _logarithms(most: int) -> list[float]:
    return [0.0, *map(math.log, range(1, most + 1))]


@rule
def search(book: Record, seats: int, searcher: int, tree: Tree, simulations: int) -> None:
    """Run simulations from the root, which is blinded for the searcher. The tree must have room for them."""
    if not tree.status.is_surveyed:
        survey(book, searcher, tree)
    for _ in range(simulations):
        simulate(book, seats, searcher, tree)


@rule
def survey(book: Record, searcher: int, tree: Tree) -> None:
    """Find the root's node, and whether this is the turn's last pick, by trying every action in one random deal."""
    pool, mask, status = tree.pool, tree.mask, tree.status
    pool[WORLD] = pool[ROOT]
    status.root = find_node(tree, node_key(book, searcher, searcher, tree))
    status.is_last_pick = 1
    status.is_surveyed = 1
    for action in range(rules.ACTIONS):
        rules.legal(book, pool[ROOT], searcher, mask)
        if mask[action]:
            pool[WORLD] = pool[ROOT]
            rules.redeal(book, pool[WORLD], 0)
            rules.play(book, pool[WORLD], searcher, action)
            if chooses_again(book, pool[WORLD], searcher, pool[ROOT].events_made, mask):
                status.is_last_pick = 0


@rule
def chooses_again(book: Record, s: GameState, seat: int, made: int, mask: Cells[int]) -> bool:
    """Play forced moves while a seat's turn lasts; tell whether the seat then has a choice."""
    while asked_again(rules.to_act(book, s), s, seat, made):
        if rules.legal(book, s, seat, mask) > 1:
            return True
        rules.play(book, s, seat, nth_action(mask, 0))
    return False


@rule
def asked_again(bits: int, s: GameState, seat: int, made: int) -> bool:
    """Tell whether a seat's turn goes on, given the bits of the seats to act.

    It does if only this seat may act, or if others may, too, but none has acted since `made` events were made.
    """
    return bool(bits == 1 << seat or (bits >> seat & 1 and not others_acted(s, seat, made)))


@rule
def others_acted(s: GameState, seat: int, made: int) -> bool:
    """Tell whether another seat has made an event since `made` events were made."""
    if made < s.events_made - len(s.events):
        return True
    for number in range(made, s.events_made):
        actor = s.events[number % len(s.events)].seat
        if actor >= 0 and actor != seat:
            return True
    return False


@rule
def simulate(book: Record, seats: int, searcher: int, tree: Tree) -> None:
    """Run one simulation: redeal, go down the tree, play out, and add the payoffs to the edges on the path."""
    s = tree.pool[WORLD]
    deal_again(book, tree)
    depth = descend(book, searcher, tree)
    play_out(book, s, tree.mask, tree.chance)
    rules.payoff(book, s, seats, tree.scores, tree.ranks, tree.values)
    add_values(seats, tree, depth)


@rule
def deal_again(book: Record, tree: Tree) -> None:
    """Put the root into the place of the deal that is played, and deal what the searcher does not know."""
    tree.pool[WORLD] = tree.pool[ROOT]
    s = tree.pool[WORLD]
    if tree.status.is_open:
        rng.seed(s.rng, rng.draw(tree.chance))
    else:
        rules.redeal(book, s, rng.draw(tree.chance))


@rule
def add_values(seats: int, tree: Tree, depth: int) -> None:
    """Add what each seat has got to its shares, and to the edges on a path of this length."""
    visits, total, path, actor = tree.visits, tree.total, tree.path, tree.actor
    for seat in range(seats):
        tree.shares[seat] += tree.values[seat]
    for i in range(depth):
        visits[path[i]] += 1
        total[path[i]] += tree.values[actor[i]]


@rule
def descend(book: Record, searcher: int, tree: Tree) -> int:
    """Play from the root down to a new edge, or to the end of the game; return the length of the path.

    A forced move has an edge only at the root. In a game whose positions can repeat, a path might never end, so it
    stops at the length of its array.
    """
    s, mask = tree.pool[WORLD], tree.mask
    longest = len(tree.path)
    depth = 0
    bits = rules.to_act(book, s)
    growing = True
    while bits and growing and depth < longest:
        seat = searcher if bits >> searcher & 1 else lowest_seat(bits)
        count = rules.legal(book, s, seat, mask)
        if depth == 0 and tree.status.only != ANY:
            count = leave_only(mask, tree.status.only)
        if count == 1 and depth > 0:
            action = nth_action(mask, 0)
        else:
            node = find_node(tree, node_key(book, seat, searcher, tree))
            edge = choose_edge(book, s, seat, tree, node, count)
            growing = tree.visits[edge] > 0
            tree.path[depth] = edge
            tree.actor[depth] = seat
            depth += 1
            action = tree.action[edge]
        rules.play(book, s, seat, action)
        bits = rules.to_act(book, s)
    return depth


@rule
def leave_only(mask: Cells[int], only: int) -> int:
    """Leave only one action in the mask, and return 1, the number of its actions."""
    for action in range(rules.ACTIONS):
        mask[action] = 1 if action == only else 0
    return 1


@rule
def node_key(book: Record, seat: int, searcher: int, tree: Tree) -> int:
    """Return the key of a node: a hash of the world, blinded for the seat that acts and for the searcher."""
    pool, salt = tree.pool, tree.salt
    pool[SEEN] = pool[WORLD]
    rules.blind_position(book, pool[SEEN], seat)
    if searcher != seat:
        rules.blind_position(book, pool[SEEN], searcher)
    words = tree.words[SEEN]
    key = seat
    for i in range(len(salt)):
        mixed = (words[i] ^ (words[i] >> 32 & BITS_32)) * salt[i]
        key ^= mixed ^ (mixed >> 32 & BITS_32)  # the highest bit counts, too, though a key has 63 bits
    key &= BITS_63
    key = (key ^ key >> 32) * 0x1E3779B97F4A7C15 & BITS_63
    key = (key ^ key >> 29) * 0x3F58476D1CE4E5B9 & BITS_63
    key ^= key >> 32
    return key if key != NONE else 1


@rule
def find_node(tree: Tree, key: int) -> int:
    """Return the slot of the node with this key; adds the node if it is new."""
    keys = tree.key
    last = len(keys) - 1
    slot = key & last
    while keys[slot] != key:
        if keys[slot] == NONE:
            keys[slot] = key
        else:
            slot = slot + 1 & last
    return slot


@rule
def choose_edge(book: Record, s: GameState, seat: int, tree: Tree, node: int, count: int) -> int:
    """Return the edge to follow, given the `count` legal actions in the mask: by PUCT with a policy, else by UCB."""
    if rules.HAS_POLICY:
        return choose_by_policy(book, s, seat, tree, node, count)
    return choose_by_bound(tree, node, count)


@rule
def choose_by_policy(book: Record, s: GameState, seat: int, tree: Tree, node: int, count: int) -> int:
    """Return the edge of the best legal action by PUCT, in which the policy's choice has the highest prior.

    The mask holds `count` legal actions. An action that was never tried counts as good as the mean of its node.
    """
    mask, visits, total = tree.mask, tree.visits, tree.total
    favoured = rules.policy(book, s, seat, mask, count, tree.chance)
    share = (1.0 - FAVOUR) / count
    tries, payoffs = 0, 0.0
    edge = tree.first[node]
    while edge != NONE:
        if mask[tree.action[edge]]:
            tries += visits[edge]
            payoffs += total[edge]
        edge = tree.following[edge]
    reach = PUCT * math.sqrt(tries)
    best, best_bound = NONE, -1.0
    edge = tree.first[node]
    while edge != NONE:
        action = tree.action[edge]
        if mask[action]:
            mask[action] = 0
            count -= 1
            prior = share + (FAVOUR if action == favoured else 0.0)
            bound = total[edge] / visits[edge] + reach * prior / (1 + visits[edge])
            if bound > best_bound:
                best = edge
                best_bound = bound
        edge = tree.following[edge]
    if mask[favoured]:
        return add_edge(tree, node, favoured)
    if best != NONE and (count == 0 or best_bound >= payoffs / tries + reach * share):
        return best
    return add_edge(tree, node, nth_action(mask, rng.below(tree.chance, count)))


@rule
def choose_by_bound(tree: Tree, node: int, count: int) -> int:
    """Return the edge of an untried action among the `count` legal ones in the mask, or else the best by UCB."""
    mask, visits, available, total = tree.mask, tree.visits, tree.available, tree.total
    most = len(tree.logarithm) - 1  # a count can exceed this only if a position repeats within one simulation
    edge = tree.first[node]
    best = NONE
    best_bound = -1.0
    while edge != NONE:
        if mask[tree.action[edge]]:
            mask[tree.action[edge]] = 0
            count -= 1
            available[edge] = min(available[edge] + 1, most)
            unsure = math.sqrt(tree.logarithm[available[edge]] / visits[edge])
            bound = total[edge] / visits[edge] + EXPLORATION * unsure
            if bound > best_bound:
                best = edge
                best_bound = bound
        edge = tree.following[edge]
    if count == 0:
        return best
    return add_edge(tree, node, nth_action(mask, rng.below(tree.chance, count)))


@rule
def add_edge(tree: Tree, node: int, action: int) -> int:
    """Add an edge for an action to a node, and return it."""
    edge = tree.status.edges + 1
    tree.status.edges = edge
    tree.action[edge] = action
    tree.following[edge] = tree.first[node]
    tree.first[node] = edge
    tree.available[edge] = 1
    return edge


@cache
def compiled_search(game: Game) -> Compiled[None]:
    """Return `search` for a game, compiled."""
    return compiled(game, search)


@cache
def interpreted_search(game: Game) -> Callable[..., None]:
    """Return `search` for a game, interpreted."""
    return interpreted(game, search)
