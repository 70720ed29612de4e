"""The houses of King's Court as a viewer sees them: Influence, counters, the worth of the lead, ranks in hand.

`view` puts them on the table. Each house is made from numbers only, so that houses that do not change are made once.
"""

from functools import lru_cache
from itertools import compress, repeat
from operator import ne
from typing import NamedTuple

from quintain.engine import DOWN, FREE, TOKEN, UNKNOWN, Line, Piece, Reach, Stat, Zone, back, token
from quintain.games.kings_court import rules as r
from quintain.games.kings_court import state as st
from quintain.games.kings_court.state import Book, State
from quintain.games.kings_court.words import FAVOUR_TEXT, HOUSE_NAMES, LEAD_TEXT

PIECES_KEPT = 8192
HOUSE_KEYS = tuple(house.lower().replace(" ", "_") for house in HOUSE_NAMES)
SWITCHES = tuple(
    tuple(
        (st.SWITCH + pair, sum(r.pair_of(pair)) - house)
        for pair in range(st.MOVE_NOTHING - st.SWITCH)
        if house in r.pair_of(pair)
    )
    for house in range(st.HOUSES)
)
"""For each house, the actions that switch its counter, each with the house it is switched with."""
COUNTER_TEXT = "At the end it counts for whoever leads the house, be it you or your rival."
Ranks = tuple[tuple[int, ...], ...]
"""Ranks of one house: those that seat 0 and seat 1 have played, then those known in the hands of seat 0 and seat 1."""


class Known(NamedTuple):
    """The part of a seat's hand and counters that the viewer knows."""

    held: list[int]
    """The cards that the viewer knows to be in the hand."""
    whole: bool
    """True if these are all cards of the hand."""
    favour: list[int]
    """The sum of the ranks of these cards, house by house. KC-17."""
    counters: list[int | None]
    """The worth of the counter in each house; None if it is hidden or not put."""


class Holding(NamedTuple):
    """What one player has in a house, as the viewer sees it."""

    influence: int
    before: int
    """The Influence before the card in play moved any."""
    counter: int | None
    """The worth of the counter; None if it is hidden or not put."""
    place: str
    """The state of a place without a counter: ``asked`` if it is asked for now, else ``unput``; empty if it has one."""
    favour: int | None
    """The sum of the ranks that are known in the hand; None if the viewer knows nothing about the hand."""
    whole: bool
    """Whether these are all of them."""
    is_bound: bool
    """Whether the player's next gift must be of this house."""


class Touch(NamedTuple):
    """What touching a house, and the things in it, means now."""

    means: tuple[int, ...] = ()
    """The actions of the house itself."""
    plays: tuple[Reach, ...] = ()
    """The plays of a card here, each with the place of the card."""
    switches: bool = False
    """Whether the viewer's counters are being switched."""
    gives: bool = False
    """Whether Influence is moving out of the house."""


def known_of(s: State, seat: int) -> Known:
    """Return what the viewer of a blinded state knows of a seat's hand and counters."""
    hand, favour = s.hand[seat], [0] * st.HOUSES
    held = [card for card in compress(range(st.CARDS), map(ne, hand, repeat(UNKNOWN))) if hand[card]]
    for card in held:
        favour[st.house_of(card)] += st.rank_of(card)
    counters = [None if each == UNKNOWN or each == st.NONE else st.COUNTERS[each] for each in s.counter[seat]]
    return Known(held, len(held) == s.hand_size[seat], favour, counters)


def houses(book: Book, s: State, viewer: int, known: list[Known]) -> Zone:
    """Return the houses, each with what both players have there."""
    base = origin = st.NONE
    if s.phase == st.MOVE_HOUSE:
        base = st.MOVE_FROM if st.rank_of(r.card_in_play(s)) == 5 else st.MOVE_TO
    elif s.phase == st.MOVE_UNIT:
        origin = r.source(s, s.other_house)
    plays = _plays(s, viewer, known)
    seen = s.seen[viewer] if viewer != st.NONE else [st.NONE] * st.HOUSES
    ranks, owners = _ranks(s, known), moved_units(s)
    pieces = tuple(
        _house(
            house,
            viewer,
            tuple([_side(s, viewer, seat, house, known[seat], owners) for seat in range(st.SEATS)]),
            seen[house],
            ranks[house],
            Touch(
                () if base == st.NONE else (base + house,),
                plays[house],
                s.phase == st.SWITCH_COUNTERS,
                house == origin,
            ),
            book.ranks,
        )
        for house in range(book.houses)
    )
    return Zone("houses", "middle", None, "row", pieces, st.HOUSES, "The Royal Houses")


def _plays(s: State, viewer: int, known: list[Known]) -> list[tuple[Reach, ...]]:
    """Return for each house the actions that play a card of the viewer's hand there, each with the card's place."""
    plays: list[list[Reach]] = [[] for _ in range(st.HOUSES)]
    if viewer != st.NONE and s.phase == st.PLAY_CARD and s.turn == viewer:
        for number, card in enumerate(known[viewer].held):
            plays[st.house_of(card)].append(Reach(st.PLAY + card, f"hand.{viewer}.{number}"))
    return [tuple(each) for each in plays]


def moved_units(s: State) -> tuple[int, ...]:
    """Return the owner of each unit that the 5 or 7 in play has moved so far, as the last events say. KC-12, KC-13."""
    if s.over or s.phase != st.MOVE_UNIT:
        return ()
    last = [s.events[(s.events_made - back) % len(s.events)] for back in range(s.moved, 0, -1)]
    return tuple([event.other for event in last if event.kind == st.UNIT_MOVED])


def _ranks(s: State, known: list[Known]) -> list[Ranks]:
    """Return where the ranks of each house are, as far as the viewer knows. KC-8."""
    played = [s.played[: s.plays_made][seat ^ max(s.first, 0) :: st.SEATS] for seat in range(st.SEATS)]
    piles = [*played, *(each.held for each in known)]
    return [
        tuple([tuple(sorted(st.rank_of(card) for card in pile if st.house_of(card) == house)) for pile in piles])
        for house in range(st.HOUSES)
    ]


def _side(s: State, viewer: int, seat: int, house: int, known: Known, owners: tuple[int, ...]) -> Holding:
    influence, place = s.influence[seat][house], ""
    if house >= s.counters_put[seat]:
        is_asked = s.phase == st.PUT_COUNTERS and seat == viewer and house == s.counters_put[seat]
        place = "asked" if is_asked else "unput"
    before, moved = influence, owners.count(seat)
    if moved and house == r.source(s, s.other_house):
        before += moved
    elif moved and house == r.target(s, s.other_house):
        before -= moved
    favour = known.favour[house] if viewer != st.NONE or known.whole else None
    return Holding(influence, before, known.counters[house], place, favour, known.whole, s.bound[seat] == house)


@lru_cache(PIECES_KEPT)
def _house(
    house: int, viewer: int, sides: tuple[Holding, ...], seen: int, ranks: Ranks, touch: Touch, most: int
) -> Piece:
    """Return a house. The viewer last saw the rival's counter as `seen`; the ranks go up to `most`. KC-1."""
    on_it = (
        *(_influence(house, viewer, seat, side, touch.gives) for seat, side in enumerate(sides)),
        *(_counter(house, viewer, seat, side, seen, touch.switches) for seat, side in enumerate(sides)),
        _majority(house, [side.counter for side in sides if side.counter is not None]),
        _favour(house, viewer, sides, ranks, most),
    )
    return Piece(
        f"house.{house}",
        HOUSE_KEYS[house],
        HOUSE_NAMES[house],
        kind=_kind(touch.means),
        stats=() if most == st.RANKS else (Stat("ranks", most, words="ranks"),),
        state=frozenset(f"bound.{seat}" for seat, side in enumerate(sides) if side.is_bound),
        means=touch.means,
        reaches=touch.plays,
        on_it=on_it,
    )


def _kind(means: tuple[int, ...]) -> str:
    """Return what a house is, and what touching it does during a 5 or a 7. KC-12, KC-13."""
    if not means:
        return "Royal House"
    return f"Royal House: a touch takes Influence {'from here' if means[0] < st.MOVE_TO else 'to here'}"


def _influence(house: int, viewer: int, owner: int, side: Holding, gives: bool) -> Piece:
    """Return a player's Influence in a house; while it `gives`, a touch moves one unit. KC-12."""
    means = (st.MOVE_OWN if owner == viewer else st.MOVE_THEIRS,) if gives else ()
    printed = side.before if side.before != side.influence else None
    stat = Stat("influence", side.influence, printed, "Influence")
    text = "A touch moves one unit to the other house. It keeps its owner." if gives else ""
    return token(f"influence.{owner}.{house}", stat, seat=owner, means=means, text=text)


def _counter(house: int, viewer: int, owner: int, side: Holding, seen: int, switches: bool) -> Piece:
    """Return a counter: face up, seen but perhaps out of date, face down, or not put yet."""
    place, counter, state = f"counter.{owner}.{house}", side.counter, {TOKEN}
    if side.place:
        return Piece(place, None, "counter", seat=owner, state=frozenset({FREE, TOKEN, side.place}))
    if counter is None and seen == st.NONE:
        return back(place, owner, "counter", text="face down", state=frozenset({DOWN, TOKEN}))
    if counter is None:
        counter, state = st.COUNTERS[seen], {TOKEN, "outdated"}
    pairs = SWITCHES[house] if switches and owner == viewer else ()
    reaches = tuple([Reach(action, f"counter.{owner}.{other}") for action, other in pairs])
    text = f"Touch two of your counters to switch them. {COUNTER_TEXT}" if pairs else ""
    stat = Stat("counter", counter, words="counter", signed=True)
    return token(place, stat, seat=owner, state=frozenset(state), reaches=reaches, text=text)


def _majority(house: int, counters: list[int]) -> Piece:
    """Return the majority bonus of a house, as far as the viewer knows its counters. KC-15."""
    if not counters:
        words = f"You know neither counter here. {LEAD_TEXT}"
        return Piece(f"majority.{house}", None, "worth", text=words, state=frozenset({TOKEN}))
    state = frozenset({TOKEN} if len(counters) == st.SEATS else {TOKEN, "half"})
    stat = Stat("majority", sum(counters), words="worth", signed=True)
    return token(f"majority.{house}", stat, name="worth of the lead", state=state, text=LEAD_TEXT)


def _favour(house: int, viewer: int, sides: tuple[Holding, ...], ranks: Ranks, most: int) -> Piece:
    """Return the favour of both hands with a house, as far as the viewer knows them, and where all ranks are. KC-17."""
    me, place = max(viewer, 0), f"favour.{house}"
    own, rival, now = sides[me], sides[1 - me], _where(viewer, me, ranks, most)
    if own.favour is None or rival.favour is None:
        name = f"ranks of {HOUSE_NAMES[house]} in both hands"
        return Piece(place, None, name, text=FAVOUR_TEXT, state=frozenset({TOKEN}), now=now)
    holder = f"seat {1 - me}'s hand"
    other = Stat("rival", rival.favour, words=f"in {holder}")
    if not rival.whole:
        other = Stat("rival-least", rival.favour, words=f"known in {holder}")
    hand = "your hand" if viewer == me else f"seat {me}'s hand"
    stat = Stat("favour", own.favour, words="in hand")
    name = f"sum of ranks of {HOUSE_NAMES[house]} in {hand}"
    return token(place, stat, name=name, stats=(stat, other), text=FAVOUR_TEXT, now=now)


def _where(viewer: int, me: int, ranks: Ranks, most: int) -> tuple[Line, ...]:
    """Return a line for each kind of place where ranks of a house are. KC-8."""
    mine, other = ("you", "your") if viewer == me else (f"seat {me}", f"seat {me}'s"), f"seat {1 - me}"
    unseen = tuple([rank for rank in range(1, most + 1) if not any(rank in each for each in ranks)])
    places = (
        (f"played by {mine[0]}", ranks[me]),
        (f"played by {other}", ranks[1 - me]),
        (f"in {mine[1]} hand", ranks[2 + me]),
        (f"known in {other}'s hand", ranks[3 - me]),
        ("not seen", unseen),
    )
    return tuple([Line(f"{words}: {', '.join(map(str, each))}") for words, each in places if each])
