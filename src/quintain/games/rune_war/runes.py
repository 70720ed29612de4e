"""The runes of the field in Rune War: when each may be played, what it asks, and what it does.

A rune of the battle is played in `battle` and counted in `points`.
"""

from quintain.engine import OTHER, A, B, C, rng, rule, tell
from quintain.games.rune_war import state as st
from quintain.games.rune_war import turns
from quintain.games.rune_war.shape import cards_in_row, cover_card, is_taken, mark_cards, mark_exposed, show_card
from quintain.games.rune_war.shape import take_card as lift
from quintain.games.rune_war.state import Book, State

QUESTION = (
    st.NONE, st.NONE, st.LOOK_AT, st.TURN, st.NONE, st.EXCHANGE_OF, st.NONE, st.NONE,
    st.NONE, st.TAKE_BACK, st.TURN, st.NONE, st.NONE, st.DESTROY, st.NONE, st.ON_SEAT,
    st.ON_SEAT, st.FROM_PILE, st.IN_ROW, st.ON_SEAT, st.RETURN, st.NONE,
)  # fmt: skip
"""For each rune of the field, the phase that asks what it works on, or TURN if it asks nothing; else NONE."""


@rule
def opponents_with(book: Book, s: State, seat: int, rune: int) -> int:
    """Return the number of opponents that a rune of the field could work on. RW-20, RW-21."""
    count = 0
    for other in range(book.seats):
        if other != seat and s.out[other] == 0 and works_on_seat(s, other, rune):
            count += 1
    return count


@rule
def works_on_seat(s: State, other: int, rune: int) -> bool:
    """Return whether a rune of the field could work on an opponent who is still in. RW-20, RW-21."""
    if rune == st.DEATH:
        return s.defence_size[other] > 1
    if rune in (st.DEVIL, st.SUN):
        return s.hand_size[other] > 0
    return True


@rule
def something_to_work_on(book: Book, s: State, seat: int, rune: int) -> bool:
    """Return whether a rune of the field may be played: it needs something to work on. RW-20, RW-21."""
    if rune == st.EMPRESS:
        return s.deck_size + s.pile_size > 0
    if rune in (st.HIEROPHANT, st.HERMIT):
        return s.defence_size[seat] > 1
    if rune == st.WHEEL:
        return s.hand_size[seat] > 1
    if rune == st.STAR:
        return s.pile_size > 0
    if rune == st.MOON:
        return has_row_to_mix(s, seat)
    if rune == st.JUDGEMENT:
        return s.hand_size[seat] > 1 and numbers_in_pile(s) > 0
    return opponents_with(book, s, seat, rune) > 0


@rule
def has_row_to_mix(s: State, seat: int) -> bool:
    """Return whether a defence has a row of two cards or more, for The Moon. RW-21."""
    for row in range(st.ROWS):
        if cards_in_row(s, seat, row) > 1:
            return True
    return False


@rule
def numbers_in_pile(s: State) -> int:
    """Return how many number cards are in the discard pile. RW-21."""
    count = 0
    for card in range(st.FIRST_RUNE):
        if st.is_at(s, card, st.PILE) and st.number_of(card) > 0:
            count += 1
    return count


@rule
def legal_field_runes(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark the runes of the field that a seat may play, and return how many. RW-5, RW-20."""
    count = 0
    for rune in range(st.RUNES):
        held = st.is_at(s, st.FIRST_RUNE + rune, st.HAND + seat)
        if held and QUESTION[rune] != st.NONE and something_to_work_on(book, s, seat, rune):
            mask[st.PLAY + rune] = 1
            count += 1
    return count


@rule
def play_field_rune(s: State, seat: int, rune: int) -> bool:
    """Play a rune of the field and ask what it works on; return True if it asks nothing. RW-20, RW-21."""
    turns.out_of_hand(s, seat, st.FIRST_RUNE + rune, st.CAST_OFF)
    tell(s, st.PLAYED, seat, -1, rune)
    s.field_rune = rune
    s.names = 0
    s.target = st.NONE
    s.phase = QUESTION[rune]
    if s.phase == st.TURN:
        draw_cards(s, seat, rune)
    return s.phase == st.TURN


@rule
def draw_cards(s: State, seat: int, rune: int) -> None:
    """Draw two cards for The Empress, or as many as the Wheel of Fortune discards. RW-21."""
    cards = 2
    if rune == st.WHEEL:
        cards = s.hand_size[seat]
        turns.cast_off_hand(s, seat)
    drawn = 0
    card = 0
    for _ in range(cards):
        card = turns.draw(s, seat)
        drawn += 1 if card != st.NONE else 0
        if rune == st.EMPRESS:
            tell(s, st.DREW, seat, -1, card, secret=A if card != st.NONE else 0)
    if rune == st.WHEEL:
        tell(s, st.DREW_MANY, seat, -1, cards, drawn)


@rule
def legal_question(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark what the rune that has been played may work on, and return how many. RW-21."""
    if s.phase == st.ON_SEAT:
        return legal_seats(book, s, seat, mask)
    if s.phase == st.LOOK_AT:
        return legal_looks(book, s, seat, mask)
    if s.phase == st.DESTROY:
        return legal_victims(book, s, seat, mask)
    if s.phase == st.EXCHANGE_OF:
        return legal_exchange(s, seat, mask)
    if s.phase == st.EXCHANGE_OR_NOT:
        mask[st.EXCHANGE] = 1
        mask[st.PUT_BACK] = 1
        return 2
    if s.phase == st.TAKE_BACK:
        return mark_exposed(s, seat, mask, st.AT)
    if s.phase == st.IN_ROW:
        return legal_rows(s, seat, mask)
    if s.phase == st.GIVE_UP:
        return legal_to_give_up(s, seat, mask)
    return legal_from_pile(s, seat, mask)


@rule
def legal_seats(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark the opponents that the rune may work on, and return how many. RW-20, RW-21."""
    count = 0
    for other in range(book.seats):
        if other != seat and s.out[other] == 0 and works_on_seat(s, other, s.field_rune):
            mask[st.ON + other] = 1
            count += 1
    return count


@rule
def legal_looks(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark the cards that The High Priestess may name next: all of one opponent. Return how many. RW-21."""
    count = 0
    for other in range(book.seats):
        if other != seat and (s.target == st.NONE or s.target == other):
            count += mark_cards(s, other, mask, st.AIM_AT + st.PLACES * other)
    for i in range(s.names):
        mask[st.AIM_AT + st.PLACES * s.target + s.named[i]] = 0
    if s.names > 0:
        mask[st.DONE] = 1
        count += 1
    return count - s.names


@rule
def legal_victims(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark the exposed cards that Death may destroy: not an owner's last. Return how many. RW-21."""
    count = 0
    for other in range(book.seats):
        if other != seat and s.out[other] == 0 and works_on_seat(s, other, st.DEATH):
            count += mark_exposed(s, other, mask, st.AIM_AT + st.PLACES * other)
    return count


@rule
def legal_exchange(s: State, seat: int, mask: list[int]) -> int:
    """Mark the seat's defence cards that The Hierophant may take up, and return how many. RW-21."""
    count = mark_cards(s, seat, mask, st.AT)
    for i in range(s.names):
        mask[st.AT + s.named[i]] = 0
    return count - s.names


@rule
def legal_rows(s: State, seat: int, mask: list[int]) -> int:
    """Mark the opponent's rows for The Tower, or the seat's rows of two or more cards for The Moon. RW-21."""
    owner = s.target if s.field_rune == st.TOWER else seat
    least = 1 if s.field_rune == st.TOWER else 2
    count = 0
    for row in range(st.ROWS):
        if cards_in_row(s, owner, row) >= least:
            mask[st.ROW + row] = 1
            count += 1
    return count


@rule
def legal_from_pile(s: State, seat: int, mask: list[int]) -> int:
    """Mark any card of the pile for The Star; number cards for Judgement, and done after the first. RW-21."""
    numbers = s.field_rune == st.JUDGEMENT
    count = 0
    for card in range(st.CARDS):
        if st.is_at(s, card, st.PILE) and (not numbers or st.number_of(card) > 0):
            mask[st.TAKE + card] = 1
            count += 1
    if s.names > 0:
        mask[st.DONE] = 1
        count += 1
    return count


@rule
def legal_to_give_up(s: State, seat: int, mask: list[int]) -> int:
    """Mark the cards that Judgement may discard: all of the hand but those that it has just taken. RW-21."""
    for card in range(st.CARDS):
        if st.is_at(s, card, st.HAND + seat):
            mask[st.DISCARD + card] = 1
    taken = 0
    for i in range(st.MOST_NAMED):
        if s.named[i] != st.NONE:
            mask[st.DISCARD + s.named[i]] = 0
            taken += 1
    return s.hand_size[seat] - taken


@rule
def answer(s: State, seat: int, action: int) -> bool:
    """Carry out an answer to the question of a rune; return True if the rune is complete. RW-21."""
    if s.phase == st.ON_SEAT:
        return work_on_seat(s, seat, action - st.ON)
    if s.phase == st.LOOK_AT:
        return name_to_look(s, seat, action)
    if s.phase == st.DESTROY:
        strike_down(s, seat, (action - st.AIM_AT) // st.PLACES, (action - st.AIM_AT) % st.PLACES)
    elif s.phase == st.EXCHANGE_OF:
        return name_to_exchange(s, action - st.AT)
    elif s.phase == st.EXCHANGE_OR_NOT:
        rearrange(s, seat, action == st.EXCHANGE)
    elif s.phase == st.TAKE_BACK:
        take_back(s, seat, action - st.AT)
    elif s.phase == st.IN_ROW:
        work_on_row(s, seat, action - st.ROW)
    elif s.phase == st.FROM_PILE:
        take(s, seat, action - st.TAKE)
    elif s.phase == st.RETURN:
        return take_number_card(s, seat, action)
    else:
        return give_up(s, seat, action - st.DISCARD)
    return True


@rule
def work_on_seat(s: State, seat: int, other: int) -> bool:
    """Carry out The Devil or The Sun, or ask The Tower's row; return True if the rune is complete. RW-21."""
    s.target = other
    if s.field_rune == st.TOWER:
        s.phase = st.IN_ROW
        return False
    if s.field_rune == st.DEVIL:
        steal(s, seat, other)
    else:
        see_hand(s, seat, other)
    return True


@rule
def steal(s: State, seat: int, other: int) -> None:
    """Take a random card of an opponent for The Devil; only the two know it. RW-21, RW-23."""
    card = turns.nth_lying(s, st.HAND + other, rng.below(s.rng, s.hand_size[other]))
    turns.out_of_hand(s, other, card, st.HAND + seat)
    s.hand_size[seat] += 1
    s.known[card][other] = st.PRIVATELY
    tell(s, st.STOLE, seat, other, card, secret=A | OTHER)


@rule
def see_hand(s: State, seat: int, other: int) -> None:
    """Show an opponent's hand to the player of The Sun. RW-21, RW-23."""
    for card in range(st.CARDS):
        if s.lies[card] == st.HAND + other and s.known[card][seat] == 0:
            s.known[card][seat] = st.PRIVATELY
    tell(s, st.SAW_HAND, seat, other, s.hand_size[other])


@rule
def name_to_look(s: State, seat: int, action: int) -> bool:
    """Name a card for The High Priestess; once all are named, show them, and return True. RW-21, RW-23."""
    if action != st.DONE:
        s.target = (action - st.AIM_AT) // st.PLACES
        s.named[s.names] = (action - st.AIM_AT) % st.PLACES
        s.names += 1
        if s.names < min(st.MOST_NAMED, s.defence_size[s.target]):
            return False
    for i in range(s.names):
        place = s.named[i]
        s.seen[s.target][seat][st.ROW_OF[place]] |= 1 << st.column_of(place)
        tell(s, st.LOOKED, seat, s.target, place, s.defence[s.target][place], secret=B)
    return True


@rule
def strike_down(s: State, seat: int, other: int, place: int) -> None:
    """Destroy a card for Death. RW-15, RW-21."""
    card = lift(s, other, place)
    turns.cast_off(s, card)
    s.destroyed[seat] += 1
    tell(s, st.STRUCK_DOWN, seat, other, place, card)


@rule
def name_to_exchange(s: State, place: int) -> bool:
    """Name a card for The Hierophant; after the second, ask whether to exchange them. RW-21."""
    s.named[s.names] = place
    s.names += 1
    if s.names == 2:
        s.phase = st.EXCHANGE_OR_NOT
    return False


@rule
def rearrange(s: State, seat: int, exchanging: bool) -> None:
    """Put the two cards of The Hierophant back; only their owner still knows them. RW-21, RW-23."""
    one = s.named[0]
    two = s.named[1]
    if exchanging:
        card = s.defence[seat][one]
        s.defence[seat][one] = s.defence[seat][two]
        s.defence[seat][two] = card
    cover_card(s, seat, one)
    cover_card(s, seat, two)
    tell(s, st.REARRANGED, seat, -1, one, two, 1 if exchanging else 0, secret=C)


@rule
def take_back(s: State, seat: int, place: int) -> None:
    """Take an exposed card back into the hand for The Hermit. RW-21."""
    card = lift(s, seat, place)
    turns.into_hand(s, seat, card)
    tell(s, st.TOOK_BACK, seat, -1, place, card, secret=B)


@rule
def work_on_row(s: State, seat: int, row: int) -> None:
    """Show a row to everybody for The Tower, or shuffle it for The Moon. RW-21."""
    if s.field_rune == st.TOWER:
        tell(s, st.SHOWN, seat, s.target, row)
        for column in range(row + 1):
            place = st.place_of(row, column)
            if is_taken(s, s.target, place):
                show_card(s, s.target, place)
                tell(s, st.TURNED_UP, s.target, -1, place, s.defence[s.target][place])
    else:
        mix_row(s, seat, row)
        tell(s, st.MIXED, seat, -1, row)


@rule
def mix_row(s: State, seat: int, row: int) -> None:
    """Shuffle a row for The Moon; only its owner still knows the cards. RW-21, RW-23."""
    reached = 0
    for column in range(row + 1):
        place = st.place_of(row, column)
        if is_taken(s, seat, place):
            other = nth_taken(s, seat, row, rng.below(s.rng, reached + 1))
            card = s.defence[seat][place]
            s.defence[seat][place] = s.defence[seat][other]
            s.defence[seat][other] = card
            cover_card(s, seat, place)
            reached += 1


@rule
def nth_taken(s: State, seat: int, row: int, n: int) -> int:
    """Return the place of the n-th card of a row, counted from 0. RW-21."""
    place = st.place_of(row, 0)
    while n > 0 or not is_taken(s, seat, place):
        n -= 1 if is_taken(s, seat, place) else 0
        place += 1
    return place


@rule
def take(s: State, seat: int, card: int) -> None:
    """Take a card of the discard pile into the hand; everybody sees it. RW-21, RW-23."""
    s.pile_size -= 1
    turns.into_hand_openly(s, seat, card)
    tell(s, st.TOOK, seat, -1, card)


@rule
def take_number_card(s: State, seat: int, action: int) -> bool:
    """Take a number card from the discard pile for Judgement; after the last, ask what to discard. RW-21."""
    if action != st.DONE:
        others = s.hand_size[seat] - s.names
        take(s, seat, action - st.TAKE)
        s.named[s.names] = action - st.TAKE
        s.names += 1
        if s.names < min(st.MOST_NAMED, others) and numbers_in_pile(s) > 0:
            return False
    for i in range(s.names, st.MOST_NAMED):
        s.named[i] = st.NONE
    s.phase = st.GIVE_UP
    return False


@rule
def give_up(s: State, seat: int, card: int) -> bool:
    """Discard a card for Judgement; return True once as many are discarded as were taken. RW-21."""
    turns.out_of_hand(s, seat, card, st.CAST_OFF)
    tell(s, st.GAVE_UP, seat, -1, card)
    s.names -= 1
    return s.names == 0
