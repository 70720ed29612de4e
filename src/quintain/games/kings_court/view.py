"""The table of King's Court as a viewer sees it: hands, houses, played cards, the question, and the scores so far.

`view` is given a blinded state. `board.html` shows the result in the browser; `reasons` repeats the question.
"""

from functools import cache, lru_cache
from itertools import compress, repeat
from operator import ne
from typing import NamedTuple

from quintain.engine.contract import acting
from quintain.engine.state import UNKNOWN
from quintain.engine.views import (
    DOWN,
    FREE,
    TOKEN,
    Count,
    Label,
    Phase,
    Piece,
    Question,
    Scene,
    Score,
    Stat,
    View,
    Zone,
    back,
    ranked,
    token,
)
from quintain.games.kings_court import rules as r
from quintain.games.kings_court import state as st
from quintain.games.kings_court.state import Book, State
from quintain.games.kings_court.words import CARD_NAMES, HOUSE_NAMES

PIECES_KEPT = 8192
PHASES = ("order", "counters", "play", "switch", "move", "move", "give", "over")
STEPS = tuple(Label(key, key) for key in dict.fromkeys(PHASES))
HOUSE_KEYS = tuple(house.lower().replace(" ", "_") for house in HOUSE_NAMES)
CARD_KEYS = tuple(f"{key}-{rank}" for key in HOUSE_KEYS for rank in range(1, st.RANKS + 1))
SWITCHES = tuple(
    tuple(
        (st.SWITCH + pair, sum(r.pair_of(pair)) - house)
        for pair in range(st.MOVE_NOTHING - st.SWITCH)
        if house in r.pair_of(pair)
    )
    for house in range(st.HOUSES)
)
"""For each house, the actions that switch its counter, each with the house it is switched with."""
LEGEND = (
    Label("banned", "may not be given"),
    *(Label(f"bound.{seat}", f"binds the next gift of seat {seat}") for seat in range(st.SEATS)),
    Label("known", "known"),
    Label("unput", "not put yet"),
    Label("outdated", "may be out of date"),
    Label("half", "only one counter known"),
)


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


def view(book: Book, s: State, seat: int) -> View:
    """Return the table as a seat (-1: a spectator) sees it. KC-8."""
    me, asked = max(seat, 0), seat in acting(r, book, s)
    known = [_known(s, each) for each in range(st.SEATS)]
    deck = Zone("deck", "pile", None, "stack", _backs("deck", min(s.deck_size, 1), None), s.deck_size, "Deck")
    puts = _puts(s, seat) if asked and s.phase == st.PUT_COUNTERS else ()
    supply = [_supply(seat, puts)] if puts else []
    own, scene = _hand(s, me, seat, known[me]), _scene(s)
    zones = (_hand(s, 1 - me, seat, known[1 - me]), deck, _houses(s, seat, known), _played(s), *supply, own)
    counts = (
        Count("deck", None, s.deck_size, None, "cards in the deck"),
        Count("plays", None, st.PLAYS - s.plays_made, None, "plays to come"),
    )
    return View(
        zones,
        _phase(s),
        question(s, seat) if asked else None,
        _scores(book, s, known),
        counts,
        scene,
        _about(s, seat, own, scene) if asked else (),
        LEGEND,
        last=(st.MOVE_NOTHING, st.STOP),
    )


def _known(s: State, seat: int) -> Known:
    hand, favour = s.hand[seat], [0] * st.HOUSES
    held = [card for card in compress(range(st.CARDS), map(ne, hand, repeat(UNKNOWN))) if hand[card]]
    for card in held:
        favour[st.house_of(card)] += st.rank_of(card)
    counters = [None if each == UNKNOWN or each == st.NONE else st.COUNTERS[each] for each in s.counter[seat]]
    return Known(held, len(held) == s.hand_size[seat], favour, counters)


def _phase(s: State) -> Phase:
    """Return the step of the turn, and the number of the turn, from 1 to 17. KC-5, KC-7."""
    made = s.plays_made - (s.phase > st.PLAY_CARD)
    return Phase(PHASES[st.OVER if s.over else s.phase], STEPS, made // st.SEATS + 1, st.PLAYS // st.SEATS)


def question(s: State, seat: int) -> Question:
    """Return the question to a seat that is to act."""
    if s.phase == st.CHOOSE_ORDER:
        return Question("order", "Do you go first or second?")
    if s.phase == st.PUT_COUNTERS:
        return Question("counters", f"Which counter do you put on {HOUSE_NAMES[s.counters_put[seat]]}?")
    if s.phase == st.PLAY_CARD:
        return Question("play", "Which card do you play?")
    if s.phase == st.SWITCH_COUNTERS:
        return Question("switch", "Which two of your counters do you switch?")
    if s.phase == st.GIVE_CARD:
        binding = f"It must be of {HOUSE_NAMES[s.bound[seat]]}." if _is_bound(s, seat) else ""
        return Question("give", f"Which card do you give seat {1 - seat}?", binding)
    card, most = r.card_in_play(s), f"up to {r.moves_most(s)} Influence"
    house = HOUSE_NAMES[st.house_of(card)]
    if s.phase == st.MOVE_UNIT:
        origin, target = (HOUSE_NAMES[end(s, s.other_house)] for end in (r.source, r.target))
        moved = f"{s.moved} of {r.moves_most(s)} moved."
        return Question("unit", f"Whose Influence do you move from {origin} to {target}?", moved)
    if st.rank_of(card) == 5:
        return Question("house", f"From which house do you move {most} into {house}?")
    return Question("house", f"To which house do you move {most} from {house}?")


def _is_bound(s: State, seat: int) -> bool:
    """Return whether a seat must give a card of the house that binds its gift. KC-11."""
    cards = range(st.RANKS * s.bound[seat], st.RANKS * s.bound[seat] + st.RANKS)
    return s.bound[seat] != st.NONE and any(s.hand[seat][card] and card != s.last_gift for card in cards)


def _about(s: State, seat: int, hand: Zone, scene: Scene | None) -> tuple[str, ...]:
    """Return the ids of the pieces that the question is about."""
    if s.phase == st.CHOOSE_ORDER:
        return ("deck.0",)
    if s.phase == st.PUT_COUNTERS:
        return (f"counter.{seat}.{s.counters_put[seat]}",)
    if s.phase == st.SWITCH_COUNTERS:
        return tuple(f"counter.{seat}.{house}" for house in range(st.HOUSES))
    if scene:
        return scene.places
    binding = (f"house.{s.bound[seat]}",) if s.phase == st.GIVE_CARD and _is_bound(s, seat) else ()
    return (*(piece.id for piece in hand.pieces), *binding)


def _scene(s: State) -> Scene | None:
    """Return the scene for a 1, a 5 or a 7 whose effect is not over; None for no scene. KC-10, KC-12, KC-13.

    Once the other house is chosen, Influence moves from the first of its two places to the second.
    """
    if s.over or s.phase not in (st.SWITCH_COUNTERS, st.MOVE_HOUSE, st.MOVE_UNIT):
        return None
    card, owner = r.card_in_play(s), s.turn
    house, piece = st.house_of(card), _card_played(s.plays_made - 1, card, owner)
    if s.phase == st.SWITCH_COUNTERS:
        title, seen = f"{piece.name}: switch two counters", f"counter.{1 - owner}.{house}"
        return Scene("switch", "strip", title, piece, slots=(None, None), places=(seen,))
    most = r.moves_most(s)
    title = f"{piece.name}: up to {most} Influence {'in' if st.rank_of(card) == 5 else 'out'}"
    houses = [r.source(s, s.other_house), r.target(s, s.other_house)]
    if s.phase == st.MOVE_HOUSE:
        others = (other for other in range(st.HOUSES) if other != house and r.influence_in(s, r.source(s, other)))
        houses = [house, *others]
    places = tuple(f"house.{each}" for each in houses)
    slots = (places[-1],) * s.moved + (None,) * (most - s.moved)
    return Scene("move", "strip", title, piece, slots=slots, places=places)


def _scores(book: Book, s: State, known: list[Known]) -> tuple[Score, ...]:
    """Return the scores as they stand, from what the viewer knows; at the end, the final scores."""
    houses = [[_house_score(s, known, seat, house) for house in range(st.HOUSES)] for seat in range(st.SEATS)]
    totals = [sum(number for number, _ in each) for each in houses]
    ranks = list(ranked(totals))
    if s.phase == st.OVER:
        r.outcome(book, s, [0] * st.SEATS, ranks)
    made = []
    for seat, brought in enumerate(houses):
        counts = zip(HOUSE_KEYS, brought, HOUSE_NAMES, strict=True)
        parts = tuple([Count(key, seat, number, None, words) for key, (number, _), words in counts])
        certain = all(certain for _, certain in brought)
        made.append(Score(seat, totals[seat], "points", certain, parts, ranks[seat]))
    return tuple(made)


def _house_score(s: State, known: list[Known], seat: int, house: int) -> tuple[int, bool]:
    """Return a seat's score for a house as it stands, and whether nothing hidden can change it. KC-16, KC-17."""
    own, other = known[seat], known[1 - seat]
    is_less = own.favour[house] < other.favour[house]
    if is_less and own.whole:
        return 0, True
    score, certain = s.influence[seat][house], True
    if r.majority(s, house) == seat:
        counters = own.counters[house], other.counters[house]
        score, certain = score + sum(filter(None, counters)), None not in counters
    may_fall = is_less or not other.whole
    return score, certain and not (score and may_fall)


@lru_cache(PIECES_KEPT)
def _backs(zone: str, count: int, seat: int | None, start: int = 0) -> tuple[Piece, ...]:
    return tuple(back(f"{zone}.{i}", seat) for i in range(start, start + count))


def _hand(s: State, owner: int, viewer: int, known: Known) -> Zone:
    """Return a hand: face up the cards that the viewer knows, then the others as backs."""
    zone, size, held = f"hand.{owner}", s.hand_size[owner], known.held
    pieces = tuple([_held(s, f"{zone}.{i}", owner, viewer, card) for i, card in enumerate(held)])
    words = "Your hand" if owner == viewer else f"Hand of seat {owner}"
    return Zone(zone, "hand", owner, "fan", pieces + _backs(zone, size - len(held), owner, len(held)), size, words)


def _held(s: State, place: str, owner: int, viewer: int, card: int) -> Piece:
    """Return a card of a hand, marked if it was a gift that both players know. KC-6, KC-8."""
    if owner != viewer:
        return _card(place, card, owner, "" if s.over else "known", False, ())
    banned = "banned" if s.phase == st.GIVE_CARD and card == s.last_gift else ""
    means = {st.PLAY_CARD: (st.PLAY + card,), st.GIVE_CARD: (st.GIVE + card,)}.get(s.phase, ())
    return _card(place, card, owner, banned, s.given[card] == 1 and not s.over, means)


@lru_cache(PIECES_KEPT)
def _card(place: str, card: int, owner: int, state: str, shared: bool, means: tuple[int, ...]) -> Piece:
    return Piece(
        place,
        CARD_KEYS[card],
        CARD_NAMES[card],
        corner=str(st.rank_of(card)),
        seat=owner,
        state=frozenset(filter(None, [state])),
        known_to=(1 - owner,) if shared else (),
        means=means,
    )


def _played(s: State) -> Zone:
    """Return the cards played, in order."""
    pieces = tuple([_card_played(i, card, s.first ^ (i & 1)) for i, card in enumerate(s.played[: s.plays_made])])
    return Zone("played", "pile", None, "row", pieces, s.plays_made, "Played cards")


@cache
def _card_played(turn: int, card: int, owner: int) -> Piece:
    kind, corner = f"played by seat {owner}", str(st.rank_of(card))
    return Piece(f"played.{turn}", CARD_KEYS[card], CARD_NAMES[card], kind=kind, corner=corner, seat=owner)


def _puts(s: State, seat: int) -> tuple[int, ...]:
    """Return the actions that put each remaining counter on the next house. KC-4."""
    base = st.PUT + len(st.COUNTERS) * s.counters_put[seat]
    return tuple(base + counter for counter in range(len(st.COUNTERS)) if counter not in s.counter[seat])


def _supply(seat: int, puts: tuple[int, ...]) -> Zone:
    """Return the counters that the seat has not put yet. KC-4."""
    numbers = [st.COUNTERS[action % len(st.COUNTERS)] for action in puts]
    stats = [Stat("counter", number, words="counter", signed=True) for number in numbers]
    pieces = tuple(token(f"supply.{i}", stats[i], seat=seat, means=(action,)) for i, action in enumerate(puts))
    return Zone("supply", "offer", seat, "row", pieces, len(pieces), "Your counters")


def _houses(s: State, viewer: int, known: list[Known]) -> Zone:
    """Return the houses, each with the Influence and the counters of both players and the majority bonus."""
    base = origin = st.NONE
    if s.phase == st.MOVE_HOUSE:
        base = st.MOVE_FROM if st.rank_of(r.card_in_play(s)) == 5 else st.MOVE_TO
    elif s.phase == st.MOVE_UNIT:
        origin = r.source(s, s.other_house)
    seen = s.seen[viewer] if viewer != st.NONE else [st.NONE] * st.HOUSES
    pieces = tuple(
        _house_piece(
            house,
            viewer,
            tuple([influence[house] for influence in s.influence]),
            tuple([each.counters[house] for each in known]),
            tuple([house < put for put in s.counters_put]),
            seen[house],
            None if viewer == st.NONE else known[viewer].favour[house],
            tuple([bound == house for bound in s.bound]),
            () if base == st.NONE else (base + house,),
            s.phase == st.SWITCH_COUNTERS,
            house == origin,
        )
        for house in range(st.HOUSES)
    )
    return Zone("houses", "middle", None, "row", pieces, st.HOUSES, "The Royal Houses")


@lru_cache(PIECES_KEPT)
def _house_piece(
    house: int,
    viewer: int,
    influence: tuple[int, ...],
    counters: tuple[int | None, ...],
    put: tuple[bool, ...],
    seen: int,
    favour: int | None,
    bound: tuple[bool, ...],
    means: tuple[int, ...],
    switches: bool,
    gives: bool,
) -> Piece:
    """Return a house. The viewer last saw the rival's counter as `seen`; `gives` if Influence is moving out now."""
    on_it = (
        *(_influence(house, viewer, seat, influence[seat], gives) for seat in range(st.SEATS)),
        *(_counter(house, viewer, seat, counters[seat], put[seat], seen, switches) for seat in range(st.SEATS)),
        _majority(house, [counter for counter in counters if counter is not None]),
        *([] if favour is None else [_favour(house, viewer, favour)]),
    )
    state = frozenset(f"bound.{seat}" for seat in range(st.SEATS) if bound[seat])
    return Piece(f"house.{house}", HOUSE_KEYS[house], HOUSE_NAMES[house], state=state, means=means, on_it=on_it)


def _influence(house: int, viewer: int, owner: int, influence: int, gives: bool) -> Piece:
    """Return a player's Influence in a house; while it `gives`, a touch moves one unit. KC-12."""
    means = (st.MOVE_OWN if owner == viewer else st.MOVE_THEIRS,) if gives else ()
    return token(f"influence.{owner}.{house}", Stat("influence", influence, words="Influence"), seat=owner, means=means)


def _counter(house: int, viewer: int, owner: int, counter: int | None, put: bool, seen: int, switches: bool) -> Piece:
    """Return a counter: face up, seen but perhaps out of date, face down, or not put yet."""
    place, state = f"counter.{owner}.{house}", {TOKEN}
    if not put:
        return Piece(place, None, "counter", seat=owner, state=frozenset({FREE, TOKEN, "unput"}))
    if counter is None and seen == st.NONE:
        return back(place, owner, "counter", state=frozenset({DOWN, TOKEN}))
    if counter is None:
        counter, state = st.COUNTERS[seen], {TOKEN, "outdated"}
    pairs = SWITCHES[house] if switches and owner == viewer else ()
    reaches = tuple([(action, f"counter.{owner}.{other}") for action, other in pairs])
    stat = Stat("counter", counter, words="counter", signed=True)
    return token(place, stat, seat=owner, state=frozenset(state), reaches=reaches)


def _majority(house: int, counters: list[int]) -> Piece:
    """Return the majority bonus of a house, as far as the viewer knows its counters. KC-15."""
    if not counters:
        return Piece(f"majority.{house}", None, "majority", state=frozenset({TOKEN}))
    state = frozenset({TOKEN} if len(counters) == st.SEATS else {TOKEN, "half"})
    return token(f"majority.{house}", Stat("majority", sum(counters), words="majority", signed=True), state=state)


def _favour(house: int, viewer: int, favour: int) -> Piece:
    """Return the viewer's favour with a house. KC-17."""
    return token(f"favour.{house}", Stat("favour", favour, words="favour"), seat=viewer)
