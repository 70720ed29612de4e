"""King's Court in words: options, the names of moves, views, narration, reasons, accounts."""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import compress, repeat
from operator import ne
from pathlib import Path
from typing import Any

from quintain.engine.contract import acting, legal_mask
from quintain.engine.options import Option
from quintain.engine.state import UNKNOWN, Event
from quintain.engine.views import Choice, Line, Piece, Reason, View, Zone
from quintain.games.kings_court import rules as r
from quintain.games.kings_court import state as st
from quintain.games.kings_court.state import Book, State


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


PIECES_KEPT = 8192
HOUSE_NAMES = ("Artois", "Bellerophon", "Castellia", "De Bourgogne", "Ellicta", "Febrois")
COUNTER_NAMES = tuple(map(_signed, st.COUNTERS))
PHASES = ("order", "counters", "play", "switch", "move", "move", "give", "over")

OPTIONS = (
    Option(
        name="garnets",
        kind="numbers",
        default=[0, 0],
        meaning="each player's Garnets: who has more chooses to go first or second",
        least=0,
        count=2,
    ),
)


def rulebook() -> str:
    """Return the rules for players, in Markdown."""
    return Path(__file__).with_name("rulebook.md").read_text(encoding="utf-8")


def make_book(seats: int, options: Mapping[str, Any]) -> Book:
    """Return the book of a match."""
    book = Book()
    book.garnets = list(options["garnets"])
    return book


HOUSE_FACES = tuple(house.lower().replace(" ", "_") for house in HOUSE_NAMES)
CARD_FACES = tuple(f"{face}-{rank}" for face in HOUSE_FACES for rank in range(1, st.RANKS + 1))
CARD_NAMES = tuple(f"{house} {rank}" for house in HOUSE_NAMES for rank in range(1, st.RANKS + 1))


def card_name(card: int) -> str:
    """Return a card's house and rank, such as ``Castellia 1``."""
    return CARD_NAMES[card]


def _action_names() -> tuple[str, ...]:
    cards = [card_name(card) for card in range(st.CARDS)]
    pairs = [r.pair_of(pair) for pair in range(st.MOVE_NOTHING - st.SWITCH)]
    return (
        *(f"play {card}" for card in cards),
        *(f"give {card}" for card in cards),
        *(f"put {counter} on {house}" for house in HOUSE_NAMES for counter in COUNTER_NAMES),
        *(f"switch {HOUSE_NAMES[one]} and {HOUSE_NAMES[two]}" for one, two in pairs),
        "move nothing",
        *(f"move from {house}" for house in HOUSE_NAMES),
        *(f"move to {house}" for house in HOUSE_NAMES),
        *("move own", "move theirs", "stop", "go first", "go second"),
    )


ACTION_NAMES = _action_names()
ACTIONS_BY_NAME = {name.casefold(): action for action, name in enumerate(ACTION_NAMES)} | {
    f"switch {HOUSE_NAMES[two]} and {HOUSE_NAMES[one]}".casefold(): st.SWITCH + pair
    for pair in range(st.MOVE_NOTHING - st.SWITCH)
    for one, two in (r.pair_of(pair),)
}


def name(book: Book, s: State, seat: int, action: int) -> str:
    """Return an action in words, such as ``put +5 on Artois``."""
    return ACTION_NAMES[action]


def parse(book: Book, s: State, seat: int, text: str) -> int | None:
    """Return the action that words stand for, legal now or not; None if they stand for none."""
    return ACTIONS_BY_NAME.get(" ".join(text.replace("\N{MINUS SIGN}", "-").split()).casefold())


def view(book: Book, s: State, seat: int) -> View:
    """Lay the table out for a seat (-1: a spectator) from its blinded state. KC-8."""
    to_act = acting(r, book, s)
    me, asked = max(seat, 0), seat in to_act
    deck = Zone("deck", "Deck", None, "stack", _backs("deck", min(s.deck_size, 1), None), s.deck_size)
    supply = [_supply(s, seat)] if asked and s.phase == st.PUT_COUNTERS else []
    houses, own = _houses(s, seat, to_act), _hand(s, me, seat)
    zones = (_hand(s, 1 - me, seat), deck, houses, _played(s), *supply, own)
    menu, question = (_menu(book, s, seat, (houses, *supply, own)), _question(s, seat)) if asked else ((), "")
    counts = {"cards in the deck": s.deck_size, "plays to come": st.PLAYS - s.plays_made}
    return View(zones, menu, question, PHASES[st.OVER if s.over else s.phase], to_act, counts)


def _menu(book: Book, s: State, seat: int, zones: Iterable[Zone]) -> tuple[Choice, ...]:
    """Return what the seat can answer, and the pieces in these zones that stand for it."""
    mask = legal_mask(r, book, s, seat)
    places = {piece.action: piece.id for zone in zones for top in zone.pieces for piece in (top, *top.attached)}
    legal = compress(range(st.ACTIONS), mask)
    return tuple([Choice(action, ACTION_NAMES[action], places.get(action)) for action in legal])


def _question(s: State, seat: int) -> str:
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
        return Piece(place, "majority", f"its majority is worth {_signed(bonus)}", value=bonus)
    known = [counter for counter in counters if counter is not None and counter != st.NONE]
    if not known:
        return Piece(place, None, "what its majority is worth is unknown")
    words = f"its majority is worth {COUNTER_NAMES[known[0]]} and the other counter"
    return Piece(place, None, words, value=st.COUNTERS[known[0]], marks=("without the other counter",))


def _favour(house: int, viewer: int, favour: int) -> Piece:
    """Show what the viewer's own cards of a house are worth to keep. KC-17."""
    words = f"the ranks of its cards in your hand add up to {favour}"
    return Piece(f"favour.{house}", "favour", words, viewer, value=favour)


def narrate(book: Book, event: Event, viewer: int) -> str:
    """Say one event as a viewer (-1: a spectator) may know it."""
    seat, other = event.seat, event.other
    you = seat == viewer

    def does(plain: str, third: str) -> str:
        return f"You {plain}" if you else f"seat {seat} {third}"

    if event.kind == st.ORDER_DRAWN:
        return f"The lot falls: {'you go' if you else f'seat {seat} goes'} first."
    if event.kind == st.ORDER_CHOSEN:
        return does("choose", "chooses") + f" to {ACTION_NAMES[event.a]}."
    if event.kind == st.COUNTER_PUT:
        counter = "a counter" if event.b == UNKNOWN else COUNTER_NAMES[event.b]
        return does("put", "puts") + f" {counter} on {HOUSE_NAMES[event.a]}."
    if event.kind == st.CARD_DRAWN:
        return does("draw", "draws") + f" {_card_or_back(event.a)}."
    if event.kind == st.CARD_PLAYED:
        return does("play", "plays") + f" {card_name(event.a)}{_effect_words(event, viewer)}."
    if event.kind == st.LOOKED:
        whose = "your" if other == viewer else f"seat {other}'s"
        what = "" if event.b == UNKNOWN else f": {COUNTER_NAMES[event.b]}"
        return does("look", "looks") + f" at {whose} counter in {HOUSE_NAMES[event.a]}{what}."
    if event.kind == st.SWITCHED:
        if event.a == UNKNOWN:
            return f"seat {seat} switches two counters."
        counters = f"the counters in {HOUSE_NAMES[event.a]} and {HOUSE_NAMES[event.b]}"
        return does("switch", "switches") + f" {counters}."
    if event.kind == st.NOTHING_MOVED:
        return "There is nothing to move." if event.b else does("move", "moves") + " nothing."
    if event.kind == st.UNIT_MOVED:
        whose = "your" if other == viewer else "their own" if seat == other else f"seat {other}'s"
        return (
            does("move", "moves") + f" one of {whose} Influence from {HOUSE_NAMES[event.a]} to {HOUSE_NAMES[event.b]}."
        )
    if event.kind == st.CARD_GIVEN:
        whom = "you" if other == viewer else f"seat {other}"
        return does("give", "gives") + f" {whom} {_card_or_back(event.a)}."
    if event.kind == st.DECK_EMPTY:
        return "The deck is empty: " + ("you play" if you else f"seat {seat} plays") + " the last card."
    return "The game is over: hands and counters are shown."


def _card_or_back(card: int) -> str:
    return "a card" if card == UNKNOWN else card_name(card)


def _effect_words(event: Event, viewer: int) -> str:
    rank, house = st.rank_of(event.a), HOUSE_NAMES[st.house_of(event.a)]
    if rank % 2 == 0:
        return f": {rank} Influence in {house}"
    if rank != 3:
        return ""
    whose = "your" if 1 - event.seat == viewer else f"seat {1 - event.seat}'s"
    binding = f"; {whose} next gift must be of {house}, if possible" if event.b else ""
    return f": 1 Influence in {house}{binding}"


def why_not(book: Book, s: State, seat: int, action: int) -> Reason:
    """Say why an action is not legal for a seat now, from its blinded state."""
    if s.over:
        return Reason("KC-7", "the game is over")
    if seat not in acting(r, book, s):
        if s.phase == st.PUT_COUNTERS:
            return Reason("KC-4", f"your six counters are put, and seat {1 - seat} is still putting")
        return Reason("KC-2" if s.phase == st.CHOOSE_ORDER else "KC-5", f"seat {1 - seat} is to act")
    phase, clause = _belongs_to(action)
    if phase != s.phase:
        return Reason(_step_clause(s), f"first you are asked: {_question(s, seat)}")
    if phase == st.PUT_COUNTERS:
        house, counter = divmod(action - st.PUT, len(st.COUNTERS))
        expected = s.counters_put[seat]
        if house != expected:
            return Reason(clause, f"counters are put house by house, and {HOUSE_NAMES[expected]} is next")
        taken = HOUSE_NAMES[s.counter[seat].index(counter)]
        return Reason(clause, f"your counter {COUNTER_NAMES[counter]} is on {taken} already")
    if phase == st.PLAY_CARD:
        return Reason(clause, f"{card_name(action - st.PLAY)} is not in your hand")
    if phase == st.GIVE_CARD:
        return _why_no_gift(s, seat, action - st.GIVE)
    if phase == st.MOVE_HOUSE:
        return _why_not_that_house(s, action)
    return _why_no_unit(s, seat, action)


def _belongs_to(action: int) -> tuple[int, str]:
    """Return the phase that an action belongs to, and the clause that it follows."""
    starts = (
        (st.GO_FIRST, st.CHOOSE_ORDER, "KC-2"),
        (st.MOVE_OWN, st.MOVE_UNIT, "KC-12"),
        (st.MOVE_NOTHING, st.MOVE_HOUSE, "KC-12"),
        (st.SWITCH, st.SWITCH_COUNTERS, "KC-10"),
        (st.PUT, st.PUT_COUNTERS, "KC-4"),
        (st.GIVE, st.GIVE_CARD, "KC-5"),
        (st.PLAY, st.PLAY_CARD, "KC-5"),
    )
    return next((phase, clause) for start, phase, clause in starts if action >= start)


def _step_clause(s: State) -> str:
    if s.phase in (st.MOVE_HOUSE, st.MOVE_UNIT):
        return "KC-12" if st.rank_of(r.card_in_play(s)) == 5 else "KC-13"
    return {st.CHOOSE_ORDER: "KC-2", st.PUT_COUNTERS: "KC-4", st.SWITCH_COUNTERS: "KC-10"}.get(s.phase, "KC-5")


def _why_no_gift(s: State, seat: int, card: int) -> Reason:
    if not s.hand[seat][card]:
        return Reason("KC-5", f"{card_name(card)} is not in your hand")
    if card == s.last_gift:
        return Reason("KC-6", f"{card_name(card)} was last turn's gift and may not be given on at once")
    return Reason("KC-11", f"this gift must be of {HOUSE_NAMES[s.bound[seat]]}, which you can give")


def _why_not_that_house(s: State, action: int) -> Reason:
    clause, card = _step_clause(s), r.card_in_play(s)
    house, other = st.house_of(card), (action - st.MOVE_FROM) % st.HOUSES
    into = st.rank_of(card) == 5
    if into != (action < st.MOVE_TO):
        direction = f"into {HOUSE_NAMES[house]}, from another house" if into else f"out of {HOUSE_NAMES[house]}"
        return Reason(clause, f"{card_name(card)} moves Influence {direction}")
    if other == house:
        return Reason(clause, f"the other house cannot be {HOUSE_NAMES[house]} itself")
    return Reason("KC-14", f"there is no Influence in {HOUSE_NAMES[r.source(s, other)]} to move")


def _why_no_unit(s: State, seat: int, action: int) -> Reason:
    if action == st.STOP:
        return Reason(_step_clause(s), "a move of at least one Influence was chosen")
    owner = "you have" if action == st.MOVE_OWN else f"seat {1 - seat} has"
    return Reason("KC-14", f"{owner} no Influence in {HOUSE_NAMES[r.source(s, s.other_house)]}")


def account(book: Book, s: State) -> list[Line]:
    """Say how the scores came about, house by house, once the game has been played to its end."""
    if s.phase != st.OVER:
        return []
    scores, ranks = [0] * st.SEATS, [0] * st.SEATS
    r.outcome(book, s, scores, ranks)
    lines = [_account_of_house(s, house) for house in range(st.HOUSES)]
    lines.append(Line("Total", tuple(scores), "KC-19"))
    tie_break, tied = 0, scores[0] == scores[1]
    while tied and tie_break < st.TIE_BREAKS:
        values = tuple(r.tie_break_value(s, seat, tie_break) for seat in range(st.SEATS))
        lines.append(Line(f"Tied; {TIE_BREAK_NAMES[tie_break]}", values, "KC-19"))
        tied = values[0] == values[1]
        tie_break += 1
    return lines


TIE_BREAK_NAMES = ("houses with the majority", "Influence on the board", "sum of the ranks in hand")


def _account_of_house(s: State, house: int) -> Line:
    favour = [r.favour(s, seat, house) for seat in range(st.SEATS)]
    held, bonus = r.majority(s, house), _signed(r.majority_bonus(s, house))
    words = (
        f"{HOUSE_NAMES[house]}: Influence {_by_seat(s.influence[seat][house] for seat in range(st.SEATS))}; "
        f"majority {bonus} for {'nobody' if held == st.NONE else f'seat {held}'}; ranks in hand {_by_seat(favour)}"
    )
    scores = tuple(r.house_score(s, seat, house) for seat in range(st.SEATS))
    if favour[0] == favour[1]:
        return Line(words, scores, "KC-16")
    return Line(f"{words}, so the score of seat {int(favour[0] > favour[1])} is 0", scores, "KC-17")


def _by_seat(values: Iterable[int]) -> str:
    return ", ".join(f"seat {seat} {value}" for seat, value in enumerate(values))
