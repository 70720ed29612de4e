"""The tree search that asks a net: which actions are worth a try, and what a position is worth.

It grows the tree of `tree`, but in other steps. A simulation goes down by PUCT until it comes to a position that the
tree does not have. There the net is asked: what it says of the actions becomes the prior of their edges, and what it
expects for each seat takes the place of a playout.

A node of another seat stands for all cards that this seat may hold. So an edge keeps the prior that it had in the deal
that offered it first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from quintain.bots.drawing import power_of_e
from quintain.bots.net import NetMemory, blank_memory, think
from quintain.bots.playout import BLINDED, one_choice
from quintain.bots.tree import (
    ANY,
    NONE,
    ROOT,
    WORLD,
    Tree,
    add_edge,
    add_values,
    deal_again,
    find_node,
    leave_only,
    new_tree,
    node_key,
    survey,
)
from quintain.engine.rules.compiling import memory
from quintain.engine.rules.compiling.compiled import Compiled, Example, compiled
from quintain.engine.rules.contract import lowest_seat, nth_action
from quintain.engine.rules.game import Game
from quintain.engine.rules.linking import rule, rules
from quintain.engine.rules.state import Cells, GameState, Record

REACH = 1.5
"""The exploration constant of PUCT, for payoffs from 0 to 1."""
EVEN = 0.5
"""What each seat of an even game may expect."""
LEAST = -1.0e30
"""Less than a net ever says of an action."""
HAS_EDGE = 2
"""Marks a legal action in the mask that has an edge; the others are marked with 1."""
EDGES = 12
"""For how many edges a tree has room for each simulation; once it is full, it grows no further."""


class NetTree(NamedTuple):
    """A tree, the net that it asks, and what the net has said."""

    tree: Tree
    net: NetMemory
    prior: Cells[float]
    """For each edge, the chance with which the net would take its action."""
    nothing: Cells[int]
    """A mask in which no action is legal: a seat that does not act is asked for its value alone."""


@rule
def search_by_net(book: Record, seats: int, searcher: int, asked: NetTree, simulations: int) -> None:
    """Run simulations from the root, which is blinded for the searcher. The tree must have room for them."""
    if not asked.tree.status.is_surveyed:
        survey(book, searcher, asked.tree)
        deal_again(book, asked.tree)
        if asked.tree.first[asked.tree.status.root] == NONE:
            open_node(book, seats, searcher, asked, 0)
    for _ in range(simulations):
        simulate_by_net(book, seats, searcher, asked)


@rule
def simulate_by_net(book: Record, seats: int, searcher: int, asked: NetTree) -> None:
    """Run one simulation: redeal, go down the tree, ask the net, and add what it expects to the edges on the path."""
    tree = asked.tree
    s = tree.pool[WORLD]
    deal_again(book, tree)
    depth = descend_by_net(book, searcher, asked)
    if rules.to_act(book, s):
        open_node(book, seats, searcher, asked, depth)
    else:
        rules.payoff(book, s, seats, tree.scores, tree.ranks, tree.values)
    add_values(seats, tree, depth)


@rule
def descend_by_net(book: Record, searcher: int, asked: NetTree) -> int:
    """Play from the root down to a position without edges, or to the end of the game; return the length of the path.

    A forced move has an edge only at the root.
    """
    tree = asked.tree
    s, mask = tree.pool[WORLD], tree.mask
    longest = len(tree.path)
    depth = 0
    bits = rules.to_act(book, s)
    growing = True
    while bits and growing and depth < longest:
        seat = searcher if bits >> searcher & 1 else lowest_seat(bits)
        count = legal_here(book, s, seat, tree, depth)
        if count == 1 and depth > 0:
            rules.play(book, s, seat, nth_action(mask, 0))
        else:
            node = find_node(tree, node_key(book, seat, searcher, tree))
            edge = NONE
            if tree.first[node] != NONE:
                if misses_edges(tree, node, count):
                    ask_seat(book, seat, asked, tree.mask)
                    add_edges(asked, node, count)
                edge = best_edge(asked, node)
            growing = edge != NONE
            if growing:
                tree.path[depth] = edge
                tree.actor[depth] = seat
                depth += 1
                rules.play(book, s, seat, tree.action[edge])
        bits = rules.to_act(book, s)
    return depth


@rule
def legal_here(book: Record, s: GameState, seat: int, tree: Tree, depth: int) -> int:
    """Write the legal actions of a seat into the mask, at the root only those to try, and return their number."""
    count: int = rules.legal(book, s, seat, tree.mask)
    if depth == 0 and tree.status.only != ANY:
        return leave_only(tree.mask, tree.status.only)
    return count


@rule
def open_node(book: Record, seats: int, searcher: int, asked: NetTree, depth: int) -> None:
    """Give the node of the position its edges, and write what the net expects for each seat, from 0 to 1.

    With two seats it is asked for the one that acts, and the other expects the rest. With more it is asked for each,
    and what they expect is moved so that it makes an even game for all together.
    """
    tree, net = asked.tree, asked.net
    values = tree.values
    bits = rules.to_act(book, tree.pool[WORLD])
    actor = searcher if bits >> searcher & 1 else lowest_seat(bits)
    count = legal_here(book, tree.pool[WORLD], actor, tree, depth)
    total = 0.0
    for turn in range(1, seats + 1):
        seat = (actor + turn) % seats  # the seat that acts comes last, since its edges need what the net says then
        if seats > 2 or seat == actor:
            ask_seat(book, seat, asked, tree.mask if seat == actor else asked.nothing)
            values[seat] = min(max(0.5 + 0.5 * net.out[rules.ACTIONS], 0.0), 1.0)
            total += values[seat]
    if seats == 2:
        values[1 - actor] = 1.0 - values[actor]
    else:
        for seat in range(seats):
            values[seat] = min(max(values[seat] + EVEN - total / seats, 0.0), 1.0)
    add_edges(asked, find_node(tree, node_key(book, actor, searcher, tree)), count)


@rule
def ask_seat(book: Record, seat: int, asked: NetTree, mask: Cells[int]) -> None:
    """Ask the net what it says of the actions in a mask to what a seat sees in the deal that is played."""
    asked.net.seen[0] = asked.tree.pool[WORLD]
    rules.blind(book, asked.net.seen[0], seat)
    think(book, seat, asked.net, mask)


@rule
def misses_edges(tree: Tree, node: int, count: int) -> bool:
    """Tell whether a legal action in the mask, of which there are `count`, has no edge."""
    edge = tree.first[node]
    while edge != NONE:
        count -= tree.mask[tree.action[edge]]
        edge = tree.following[edge]
    return count > 0


@rule
def add_edges(asked: NetTree, node: int, count: int) -> None:
    """Give a node an edge for each of the `count` legal actions in the mask that has none, with what the net said."""
    tree, mask, out = asked.tree, asked.tree.mask, asked.net.out
    if tree.status.edges + count >= len(tree.action):
        return
    most, total = LEAST, 0.0
    for action in range(rules.ACTIONS):
        if mask[action]:
            most = max(most, out[action])
    for action in range(rules.ACTIONS):
        if mask[action]:
            total += power_of_e(out[action] - most)
    edge = tree.first[node]
    while edge != NONE:
        if mask[tree.action[edge]]:
            mask[tree.action[edge]] = HAS_EDGE
        edge = tree.following[edge]
    for action in range(rules.ACTIONS):
        if mask[action] == 1:
            made = add_edge(tree, node, action)
            asked.prior[made] = power_of_e(out[action] - most) / total
        elif mask[action] == HAS_EDGE:
            mask[action] = 1


@rule
def best_edge(asked: NetTree, node: int) -> int:
    """Return the best edge of a node by PUCT among the legal actions in the mask; NONE if it has no edge.

    An action that was never tried counts as good as the mean of its node.
    """
    tree = asked.tree
    mask, visits, total = tree.mask, tree.visits, tree.total
    tries, payoffs = 0, 0.0
    edge = tree.first[node]
    while edge != NONE:
        if mask[tree.action[edge]]:
            tries += visits[edge]
            payoffs += total[edge]
        edge = tree.following[edge]
    mean = payoffs / tries if tries else EVEN
    reach = REACH * math.sqrt(tries + 1)
    best, best_bound = NONE, -1.0
    edge = tree.first[node]
    while edge != NONE:
        if mask[tree.action[edge]]:
            known = total[edge] / visits[edge] if visits[edge] else mean
            bound = known + reach * asked.prior[edge] / (1 + visits[edge])
            if bound > best_bound:
                best = edge
                best_bound = bound
        edge = tree.following[edge]
    return best


def new_net_tree(game: Game, net: NetMemory, simulations: int, seed: int) -> NetTree:
    """Return an empty tree for compiled rules, with room for this number of simulations, which asks a net."""
    tree = new_tree(game, simulations, seed, is_compiled=True, edges=EDGES * simulations + game.actions + 1)
    return NetTree(tree, net, memory.zeros("float32", len(tree.action)), memory.zeros("int8", game.actions))


def drivers(game: Game) -> Iterator[Example]:
    """Yield the search of a game that asks a net."""
    book, seat, work = one_choice(game)
    asked: Any = new_net_tree(game, blank_memory(game), 1, 0)
    asked.tree.pool[ROOT] = work.pool[BLINDED]
    yield Example(compiled_search_by_net(game), (book, game.seats[1], seat, asked, 0))


@cache
def compiled_search_by_net(game: Game) -> Compiled[None]:
    """Return `search_by_net` for a game, compiled."""
    return compiled(game, search_by_net)
