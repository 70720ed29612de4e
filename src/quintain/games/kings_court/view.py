"""King's Court: the table as a viewer sees it, and what a seat is asked."""

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import compress, repeat
from operator import ne

from quintain.engine.contract import acting, legal_mask
from quintain.engine.state import UNKNOWN
from quintain.engine.views import Choice, Piece, View, Zone
from quintain.games.kings_court import rules as r
from quintain.games.kings_court import state as st
from quintain.games.kings_court.moves import ACTION_NAMES
from quintain.games.kings_court.state import Book, State
from quintain.games.kings_court.words import CARD_NAMES, COUNTER_NAMES, HOUSE_NAMES, card_name, signed

PIECES_KEPT = 8192
PHASES = ("order", "counters", "play", "switch", "move", "move", "give", "over")
HOUSE_FACES = tuple(house.lower().replace(" ", "_") for house in HOUSE_NAMES)
CARD_FACES = tuple(f"{face}-{rank}" for face in HOUSE_FACES for rank in range(1, st.RANKS + 1))


def view(book: Book, s: State, seat: int) -> View:
    """Lay the table out for a seat (-1: a spectator) from its blinded state. KC-8."""
    to_act = acting(r, book, s)
    me, asked = max(seat, 0), seat in to_act
    deck = Zone("deck", "Deck", None, "stack", _backs("deck", min(s.deck_size, 1), None), s.deck_size)
    supply = [_supply(s, seat)] if asked and s.phase == st.PUT_COUNTERS else []
    houses, own = _houses(s, seat, to_act), _hand(s, me, seat)
    zones = (_hand(s, 1 - me, seat), deck, houses, _played(s), *supply, own)
    menu, words = (_menu(book, s, seat, (houses, *supply, own)), question(s, seat)) if asked else ((), "")
    counts = {"cards in the deck": s.deck_size, "plays to come": st.PLAYS - s.plays_made}
    return View(zones, menu, words, PHASES[st.OVER if s.over else s.phase], to_act, counts)


def _menu(book: Book, s: State, seat: int, zones: Iterable[Zone]) -> tuple[Choice, ...]:
    """Return what the seat can answer, and the pieces in these zones that stand for it."""
    mask = legal_mask(r, book, s, seat)
    places = {piece.action: piece.id for zone in zones for top in zone.pieces for piece in (top, *top.attached)}
    legal = compress(range(st.ACTIONS), mask)
    return tuple([Choice(action, ACTION_NAMES[action], places.get(action)) for action in legal])


def question(s: State, seat: int) -> str:
    """Return what a seat that is to act is asked."""
    if s.phase == st.CHOOSE_ORDER:
        return "Do you go first or second?"
    if s.phase == st.PUT_COUNTERS:
        return f"Which counter do you put on {HOUSE_NAMES[s.counters_put[seat]]}?"
    if s.phase == st.PLAY_CARD:
        return "Which card do you play?"
    if s.phase == st.SWITCH_COUNTERS:
        return "Which two of your counters do you switch?"
    if s.phase == st.GIVE_CARD:
        bound = s.bound[seat]
        binding = f" It must be of {HOUSE_NAMES[bound]}." if bound != st.NONE and _can_give(s, seat, bound) else ""
        return f"Which card do you give seat {1 - seat}?{binding}"
    house = HOUSE_NAMES[st.house_of(r.card_in_play(s))]
    into = st.rank_of(r.card_in_play(s)) == 5
    if s.phase == st.MOVE_HOUSE:
        most = f"up to {r.moves_most(s)} Influence"
        return f"From which house do you move {most} into {house}?" if into else f"Where do you move {most} of {house}?"
    origin, target = (HOUSE_NAMES[end(s, s.other_house)] for end in (r.source, r.target))
    return f"Whose Influence do you move from {origin} to {target}? ({s.moved} of {r.moves_most(s)} moved)"


def _can_give(s: State, seat: int, house: int) -> bool:
    """Tell whether a seat can give a card of a house. KC-11."""
    cards = range(st.RANKS * house, st.RANKS * house + st.RANKS)
    return any(s.hand[seat][card] and card != s.last_gift for card in cards)


def _whose(owner: int, viewer: int) -> str:
    return "your" if owner == viewer else f"seat {owner}'s"


@lru_cache(PIECES_KEPT)
def _backs(zone: str, count: int, seat: int | None, start: int = 0) -> tuple[Piece, ...]:
    return tuple(Piece(f"{zone}.{i}", None, "a card face down", seat) for i in range(start, start + count))


def _hand(s: State, owner: int, viewer: int) -> Zone:
    """Show a hand: all of the viewer's own, of another's what is known, else backs."""
    zone, size = f"hand.{owner}", s.hand_size[owner]
    hand = s.hand[owner]
    known = compress(range(st.CARDS), map(ne, hand, repeat(UNKNOWN)))
    held = [card for card in known if hand[card]]
    pieces = tuple([_held(s, f"{zone}.{i}", owner, viewer, card) for i, card in enumerate(held)])
    title = "Your hand" if owner == viewer else f"Hand of seat {owner}"
    return Zone(zone, title, owner, "fan", pieces + _backs(zone, size - len(pieces), owner, len(pieces)), size)


def _held(s: State, place: str, owner: int, viewer: int, card: int) -> Piece:
    marks: tuple[str, ...] = ()
    if s.given[card] != UNKNOWN and s.given[card] and not s.over:
        marks = (f"seat {1 - owner} knows it",) if owner == viewer else ("known",)
    giving = s.phase == st.GIVE_CARD
    if owner == viewer and giving and card == s.last_gift:
        marks = (*marks, "may not be given")
    action = None if owner != viewer else (st.GIVE if giving else st.PLAY) + card
    return _card(place, card, CARD_NAMES[card], owner, marks, action)


@lru_cache(PIECES_KEPT)
def _card(place: str, card: int, words: str, owner: int, marks: tuple[str, ...], action: int | None) -> Piece:
    return Piece(place, CARD_FACES[card], words, owner, marks=marks, action=action)


def _played(s: State) -> Zone:
    """Show the cards played, in order."""
    pieces = tuple([_card_played(i, card, s.first ^ (i & 1)) for i, card in enumerate(s.played[: s.plays_made])])
    return Zone("played", "Played cards", None, "row", pieces, s.plays_made)


@cache
def _card_played(turn: int, card: int, owner: int) -> Piece:
    return Piece(f"played.{turn}", CARD_FACES[card], f"{card_name(card)}, played by seat {owner}", owner)


def _supply(s: State, seat: int) -> Zone:
    """Show the counters that the seat has not put yet. KC-4."""
    base = st.PUT + len(st.COUNTERS) * s.counters_put[seat]
    left = [counter for counter in range(len(st.COUNTERS)) if counter not in s.counter[seat]]
    pieces = tuple(
        Piece(f"supply.{i}", "counter", COUNTER_NAMES[counter], seat, value=st.COUNTERS[counter], action=base + counter)
        for i, counter in enumerate(left)
    )
    return Zone("supply", "Your counters", seat, "row", pieces, len(pieces))


def _houses(s: State, viewer: int, to_act: tuple[int, ...]) -> Zone:
    """Show the houses, each with both Influences, both counters and what its majority is worth."""
    acting = viewer in to_act
    actions = origin = None
    if acting and s.phase == st.MOVE_HOUSE:
        actions = st.MOVE_FROM if st.rank_of(r.card_in_play(s)) == 5 else st.MOVE_TO
    elif acting and s.phase == st.MOVE_UNIT:
        origin = r.source(s, s.other_house)
    (influence_0, influence_1), (bound_0, bound_1) = s.influence, s.bound
    known_0, known_1 = ([None if each == UNKNOWN else each for each in counters] for counters in s.counter)
    seen = s.seen[viewer] if viewer != st.NONE else [st.NONE] * st.HOUSES
    pieces = []
    for house in range(st.HOUSES):
        counters = (known_0[house], known_1[house])
        piece = _house_piece(
            house,
            viewer,
            (influence_0[house], influence_1[house]),
            r.majority(s, house),
            counters,
            seen[house],
            None if None in counters or st.NONE in counters else r.majority_bonus(s, house),
            None if viewer == st.NONE else r.favour(s, viewer, house),
            (bound_0 == house, bound_1 == house),
            None if actions is None else actions + house,
            viewer if house == origin else None,
        )
        pieces.append(piece)
    return Zone("houses", "The Royal Houses", None, "row", tuple(pieces), len(pieces))


@lru_cache(PIECES_KEPT)
def _house_piece(
    house: int,
    viewer: int,
    influence: tuple[int, ...],
    majority: int,
    counters: tuple[int | None, ...],
    seen: int,
    bonus: int | None,
    favour: int | None,
    bound: tuple[bool, ...],
    action: int | None,
    giver: int | None,
) -> Piece:
    """Return a house; `giver` may take Influence from it now, `seen` is what the viewer saw of the rival's counter."""
    lead = "nobody has the majority" if majority == st.NONE else f"seat {majority} has the majority"
    worth = _majority(house, counters, bonus)
    attached = (
        *(_influence(house, viewer, seat, influence[seat], giver) for seat in range(st.SEATS)),
        *(_counter(house, viewer, seat, counters[seat], seen) for seat in range(st.SEATS)),
        worth,
        *([] if favour is None else [_favour(house, viewer, favour)]),
    )
    marks = tuple(f"binds the next gift of seat {seat}" for seat in range(st.SEATS) if bound[seat])
    words = f"{HOUSE_NAMES[house]}: {lead}, {worth.words}"
    return Piece(f"house.{house}", HOUSE_FACES[house], words, marks=marks, action=action, attached=attached)


def _influence(house: int, viewer: int, owner: int, value: int, giver: int | None) -> Piece:
    action = None if giver is None else st.MOVE_OWN if owner == giver else st.MOVE_THEIRS
    words = f"{_whose(owner, viewer)} Influence: {value}"
    return Piece(f"influence.{owner}.{house}", "influence", words, owner, value=value, action=action)


def _counter(house: int, viewer: int, owner: int, counter: int | None, seen: int) -> Piece:
    """Show a counter: known, seen but perhaps out of date, face down, or not put yet."""
    place, whose = f"counter.{owner}.{house}", f"{_whose(owner, viewer)} counter"
    if counter is None and seen == st.NONE:
        return Piece(place, None, f"{whose}, face down", owner)
    if counter is None:
        words, marks = f"{whose}: {COUNTER_NAMES[seen]} when you looked", ("may be out of date",)
        return Piece(place, None, words, owner, value=st.COUNTERS[seen], marks=marks)
    if counter == st.NONE:
        return Piece(place, None, f"{whose}, not put yet", owner, marks=("not put yet",))
    return Piece(place, "counter", f"{whose}: {COUNTER_NAMES[counter]}", owner, value=st.COUNTERS[counter])


def _majority(house: int, counters: tuple[int | None, ...], bonus: int | None) -> Piece:
    """Show what the majority of a house is worth, as far as the viewer knows its two counters. KC-15."""
    place = f"majority.{house}"
    if bonus is not None:
        return Piece(place, "majority", f"its majority is worth {signed(bonus)}", value=bonus)
    known = [counter for counter in counters if counter is not None and counter != st.NONE]
    if not known:
        return Piece(place, None, "what its majority is worth is unknown")
    words = f"its majority is worth {COUNTER_NAMES[known[0]]} and the other counter"
    return Piece(place, None, words, value=st.COUNTERS[known[0]], marks=("without the other counter",))


def _favour(house: int, viewer: int, favour: int) -> Piece:
    """Show what the viewer's own cards of a house are worth to keep. KC-17."""
    words = f"the ranks of its cards in your hand add up to {favour}"
    return Piece(f"favour.{house}", "favour", words, viewer, value=favour)
