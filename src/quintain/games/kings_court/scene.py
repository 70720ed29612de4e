"""What a player of King's Court is asked, which pieces that is about, and the scene of a card that takes effect."""

from functools import cache

from quintain.engine import Line, Piece, Question, Scene, Side, Zone
from quintain.games.kings_court import rules as r
from quintain.games.kings_court import state as st
from quintain.games.kings_court.houses import moved_units
from quintain.games.kings_court.state import Book, State
from quintain.games.kings_court.words import CARD_NAMES, CARD_TEXTS, COUNTER_NAMES, HOUSE_NAMES, NUMBERS, cards_of

CARD_KEYS = tuple(
    f"{house.lower().replace(' ', '_')}-{rank}" for house in HOUSE_NAMES for rank in range(1, st.RANKS + 1)
)


def question(book: Book, s: State, seat: int) -> Question:
    """Return the question to a seat that is to act."""
    if s.phase == st.CHOOSE_ORDER:
        last = "second" if book.plays % st.SEATS == 0 else "first"
        gets = f"The first player is dealt {cards_of(book.hand + 1)}, and the second {book.hand}"
        help_ = f"{gets}. The {last} plays the last card of the game."
        return Question("order", "Do you go first or second?", help_)
    if s.phase == st.PUT_COUNTERS:
        house = HOUSE_NAMES[s.counters_put[seat]]
        help_ = "Whoever leads a house at the end scores both counters there. Your rival does not see yours."
        return Question("counters", f"Which counter do you put on {house}?", help_)
    if s.phase == st.PLAY_CARD:
        return Question("play", "Which card do you play?", _what_follows(book, s, seat))
    if s.phase == st.SWITCH_COUNTERS:
        help_ = "Touch one, then the other: a 1 always switches two."
        return Question("switch", "Which two of your counters do you switch?", help_)
    if s.phase == st.GIVE_CARD:
        binding = _what_binds(s, seat)
        return Question("give", f"Which card do you give seat {1 - seat}?", binding)
    return _question_of_a_move(s)


def _what_binds(s: State, seat: int) -> str:
    """Return what the seat's next gift must be. KC-11."""
    if s.bound[seat] == st.NONE:
        return ""
    house = HOUSE_NAMES[s.bound[seat]]
    return f"It must be of {house}." if is_bound(s, seat) else f"You can give no card of {house}, so any other will do."


def _what_follows(book: Book, s: State, seat: int) -> str:
    """Return what comes after the card that a seat is to play. KC-5, KC-7, KC-11."""
    if s.plays_made == book.plays - 1:
        return "It is the last card of the game: no gift follows."
    if is_bound(s, seat):
        return f"Then you give a card of {HOUSE_NAMES[s.bound[seat]]}, if you still have one."
    return f"Then you give a card to seat {1 - seat}."


def _question_of_a_move(s: State) -> Question:
    """Return the question during a 5 or a 7. KC-12, KC-13."""
    card, most = r.card_in_play(s), r.moves_most(s)
    house, is_in = HOUSE_NAMES[st.house_of(card)], st.rank_of(card) == 5
    if s.phase == st.MOVE_UNIT:
        origin, target = (HOUSE_NAMES[end(s, s.other_house)] for end in (r.source, r.target))
        moved = f"From {origin} to {target}: touch your number or the other's. {s.moved} of {most} moved."
        return Question("unit", "Whose Influence do you move?", moved)
    help_ = f"Up to {most}, of either player, {'into' if is_in else 'out of'} {house}."
    return Question("house", f"{'From' if is_in else 'To'} which house do you move Influence?", help_)


def is_bound(s: State, seat: int) -> bool:
    """Return whether a seat has a card to give of the house that binds its gift. KC-11."""
    cards = range(st.RANKS * s.bound[seat], st.RANKS * s.bound[seat] + st.RANKS)
    return s.bound[seat] != st.NONE and any(s.hand[seat][card] and card != s.last_gift for card in cards)


def about(book: Book, s: State, seat: int, hand: Zone, scene: Scene | None) -> tuple[str, ...]:
    """Return the ids of the pieces that the question is about."""
    if s.phase == st.SWITCH_COUNTERS:
        return tuple(f"counter.{seat}.{house}" for house in range(book.houses))
    if scene:
        return scene.places
    binding = (f"house.{s.bound[seat]}",) if s.phase == st.GIVE_CARD and is_bound(s, seat) else ()
    return (*(piece.id for piece in hand.pieces), *binding)


def scene_of(book: Book, s: State, viewer: int, asked: bool) -> Scene | None:
    """Return the scene: the set-up for a seat that is `asked`, or a 1, 5 or 7 whose effect is not over; else None."""
    if s.over:
        return None
    if s.phase == st.CHOOSE_ORDER:
        lines = (Line("You choose: you have more Garnets.", (), "KC-2"),) if asked else ()
        return Scene("order", "strip", "Who goes first?", lines=lines, places=("deck.0",))
    if s.phase == st.PUT_COUNTERS and asked:
        place = f"counter.{viewer}.{s.counters_put[viewer]}"
        title = f"Your {NUMBERS[book.houses]} counters, one for each house"
        return Scene("counters", "strip", title, places=(place,))
    if s.phase == st.SWITCH_COUNTERS:
        return _scene_of_a_look(s, viewer)
    return _scene_of_a_move(book, s) if s.phase in (st.MOVE_HOUSE, st.MOVE_UNIT) else None


def _scene_of_a_look(s: State, viewer: int) -> Scene:
    """Return the scene of a 1: who has looked at which counter, and what it is if the viewer may know. KC-10."""
    card, owner = r.card_in_play(s), s.turn
    house, piece = st.house_of(card), card_played(s.plays_made - 1, card, owner)
    counter, whose = s.counter[1 - owner][house], "your" if viewer == 1 - owner else f"seat {1 - owner}'s"
    words = f"seat {owner} has seen {whose} counter in {HOUSE_NAMES[house]}"
    if viewer == owner:
        words = f"{whose} counter in {HOUSE_NAMES[house]} is {COUNTER_NAMES[counter]}"
    places, title = (f"counter.{1 - owner}.{house}",), f"{piece.name}: look, then switch"
    return Scene("switch", "strip", title, piece, slots=(None, None), lines=(Line(words),), places=places)


def _scene_of_a_move(book: Book, s: State) -> Scene:
    """Return the scene of a 5 or a 7. Once the other house is chosen, it has two sides: from where, to where. KC-12,
    KC-13."""
    card, most = r.card_in_play(s), r.moves_most(s)
    house, piece = st.house_of(card), card_played(s.plays_made - 1, card, s.turn)
    title = f"{piece.name}: up to {most} Influence {'in' if st.rank_of(card) == 5 else 'out'}"
    if s.phase == st.MOVE_UNIT:
        houses = ends = [r.source(s, s.other_house), r.target(s, s.other_house)]
    else:
        others = [other for other in range(book.houses) if other != house and r.influence_in(s, r.source(s, other))]
        ends, houses = [house], [house, *others]
    moved = tuple([f"influence.{owner}.{ends[-1]}" for owner in moved_units(s)])
    slots = moved + (None,) * (most - len(moved))
    sides = tuple([_side(end) for end in ends])
    return Scene("move", "strip", title, piece, sides, slots, places=tuple(f"house.{each}" for each in houses))


@cache
def _side(house: int) -> Side:
    """Return a house as a side of a scene, with the Influence of both players."""
    return Side(None, HOUSE_NAMES[house], tuple(f"influence.{seat}.{house}" for seat in range(st.SEATS)))


@cache
def card_played(turn: int, card: int, owner: int) -> Piece:
    """Return a card that lies open. KC-8."""
    return Piece(
        f"played.{turn}",
        CARD_KEYS[card],
        CARD_NAMES[card],
        short=HOUSE_NAMES[st.house_of(card)],
        kind=f"played by seat {owner}",
        corner=str(st.rank_of(card)),
        text=CARD_TEXTS[card],
        seat=owner,
    )
