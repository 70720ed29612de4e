"""Hands, deck and discard pile in Rune War; how a turn ends, how the war ends, and how players rank."""

from quintain.engine import A, rng, rule, tell
from quintain.games.rune_war import state as st
from quintain.games.rune_war.points import defence_points
from quintain.games.rune_war.state import Book, State


@rule
def into_hand(s: State, seat: int, card: int) -> None:
    """Put a card into a hand. RW-2."""
    s.lies[card] = st.HAND + seat
    s.hand_size[seat] += 1


@rule
def into_hand_openly(s: State, seat: int, card: int) -> None:
    """Put a card into a hand; everybody sees it, and knows it until it leaves the hand. RW-23."""
    into_hand(s, seat, card)
    for viewer in range(st.SEATS):
        s.known[card][viewer] = st.OPENLY


@rule
def out_of_hand(s: State, seat: int, card: int, to: int) -> None:
    """Move a card from a hand to the place `to`; nobody knows it any longer as a card of that hand. RW-23."""
    s.lies[card] = to
    s.cast += 1 if to == st.CAST_OFF else 0
    s.hand_size[seat] -= 1
    for viewer in range(st.SEATS):
        s.known[card][viewer] = 0


@rule
def cast_off_hand(s: State, seat: int) -> None:
    """Discard a whole hand. RW-6, RW-14, RW-21."""
    for card in range(st.CARDS):
        if s.lies[card] == st.HAND + seat:
            out_of_hand(s, seat, card, st.CAST_OFF)


@rule
def nth_lying(s: State, where: int, n: int) -> int:
    """Return the n-th card, counted from 0, of those that lie at `where`. RW-6."""
    card = 0
    while n > 0 or s.lies[card] != where:
        n -= 1 if s.lies[card] == where else 0
        card += 1
    return card


@rule
def draw(s: State, seat: int) -> int:
    """Draw a random card into a hand, and return it; NONE if the deck and the discard pile are empty. RW-6."""
    if s.deck_size == 0:
        if s.pile_size == 0:
            return st.NONE
        shuffle_pile(s)
    card = nth_lying(s, st.DECK, rng.below(s.rng, s.deck_size))
    s.deck_size -= 1
    into_hand(s, seat, card)
    return card


@rule
def shuffle_pile(s: State) -> None:
    """Turn the discard pile into the deck. RW-6."""
    for card in range(st.CARDS):
        if s.lies[card] == st.PILE:
            s.lies[card] = st.DECK
    s.deck_size = s.pile_size
    s.pile_size = 0
    tell(s, st.SHUFFLED, st.NONE, -1, s.deck_size)


@rule
def end_turn(book: Book, s: State) -> None:
    """Draw and go on to the next seat; repeat this for each seat that has no card. RW-5, RW-6, RW-15."""
    going = True
    while going:
        seat = s.turn
        card = draw(s, seat)
        tell(s, st.DREW, seat, -1, card, secret=A if card != st.NONE else 0)
        clear_away(s)
        note_turn(book, s, seat)
        if war_is_over(book, s):
            s.over = 1
            tell(s, st.TRUCE, st.NONE)
        else:
            s.turn = next_seat(book, s, seat)
            s.phase = st.TURN
        going = s.over == 0 and s.hand_size[s.turn] == 0


@rule
def clear_away(s: State) -> None:
    """Move the cards that this turn has discarded to the discard pile. RW-6."""
    if s.cast:
        for card in range(st.CARDS):
            if s.lies[card] == st.CAST_OFF:
                s.lies[card] = st.PILE
        s.pile_size += s.cast
        s.cast = 0


@rule
def cast_off(s: State, card: int) -> None:
    """Discard a card that is in no hand. RW-6."""
    s.lies[card] = st.CAST_OFF
    s.cast += 1


@rule
def note_turn(book: Book, s: State, seat: int) -> None:
    """Count the turn; if a battle destroyed a card in it, set all counts of quiet turns to 0. RW-15."""
    s.turns[seat] += 1
    s.quiet[seat] += 1
    if s.razed:
        s.razed = 0
        for other in range(book.seats):
            s.quiet[other] = 0


@rule
def next_seat(book: Book, s: State, seat: int) -> int:
    """Return the next seat clockwise that is still in. RW-5, RW-14."""
    seat = (seat + 1) % book.seats
    while s.out[seat]:
        seat = (seat + 1) % book.seats
    return seat


@rule
def war_is_over(book: Book, s: State) -> bool:
    """Return whether the war ends in a truce now. RW-15."""
    quiet = True
    late = True
    bare = s.deck_size + s.pile_size == 0
    for seat in range(book.seats):
        if s.out[seat] == 0:
            quiet = quiet and s.quiet[seat] >= st.QUIET_TURNS
            late = late and s.turns[seat] >= st.MOST_TURNS
            bare = bare and s.hand_size[seat] == 0
    return quiet or late or bare


@rule
def put_out(book: Book, s: State, seat: int) -> None:
    """Put a player without a defence out of the war; if only one is left, that one wins. RW-14."""
    left = 0
    for other in range(book.seats):
        left += 1 if s.out[other] == 0 else 0
    cast_off_hand(s, seat)
    s.out[seat] = book.seats + 1 - left
    tell(s, st.OUT, seat)
    if left == 2:
        s.over = 1
        tell(s, st.WON, s.turn)


@rule
def score(s: State, seat: int) -> int:
    """Return the war score: 1 for each own card left, 2 for each destroyed, up to the number of cards left. RW-15."""
    return s.defence_size[seat] + 2 * min(s.destroyed[seat], s.defence_size[seat])


@rule
def stands_higher(s: State, one: int, other: int) -> bool:
    """Return whether one seat ranks above another. RW-15."""
    if s.out[one] or s.out[other]:
        return s.out[other] > 0 and (s.out[one] == 0 or s.out[one] > s.out[other])
    if score(s, one) != score(s, other):
        return score(s, one) > score(s, other)
    return defence_points(s, one) > defence_points(s, other)


@rule
def outcome(book: Book, s: State, scores: list[int], ranks: list[int]) -> None:
    """Write the war score and the rank of each seat into the lists. RW-14, RW-15."""
    for seat in range(book.seats):
        scores[seat] = score(s, seat)
        ranks[seat] = 1
        for other in range(book.seats):
            if stands_higher(s, other, seat):
                ranks[seat] += 1
