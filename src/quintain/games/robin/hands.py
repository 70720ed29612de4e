"""Robin in the Hood: a hand, from the choice of a card to the next draw, and the end of a round and of the tournament.

`levels.py` works out the levels that are compared here. `sets.py` begins the next round.
"""

from quintain.engine import A, rng, rule, tell
from quintain.games.robin import state as st
from quintain.games.robin.levels import compute_changes, level
from quintain.games.robin.state import Book, State


@rule
def draw(s: State, seat: int) -> int:
    """Move a random card from the draw pile to the hand, and return it. RH-9, RH-17."""
    drawn = rng.below(s.rng, s.pile_size[seat])
    card = s.pile[seat][drawn]
    s.pile_size[seat] -= 1
    s.pile[seat][drawn] = s.pile[seat][s.pile_size[seat]]
    s.pile[seat][s.pile_size[seat]] = st.NONE
    s.hand[seat][s.hand_size[seat]] = card
    s.hand_size[seat] += 1
    return card


@rule
def choose_card(book: Book, s: State, seat: int, card: int) -> bool:
    """Choose the card of a seat for this hand; return whether both cards lie on the table now. RH-10."""
    s.chosen[seat] = card
    both = s.chosen[1 - seat] != st.NONE
    if s.leader != st.NONE:
        lay(book, s, seat)
    elif both:
        lay(book, s, 0)
        lay(book, s, 1)
    else:
        tell(s, st.CHOSE, seat, -1, card, secret=A)
    return both


@rule
def lay(book: Book, s: State, seat: int) -> None:
    """Lay the chosen card on the table: a character goes to Agility, a modifier leaves it empty. RH-10, RH-11."""
    card = s.chosen[seat]
    held = 0
    while s.hand[seat][held] != card:
        held += 1
    s.hand_size[seat] -= 1
    s.hand[seat][held] = s.hand[seat][s.hand_size[seat]]
    s.hand[seat][s.hand_size[seat]] = st.NONE
    s.shown[seat][card] = 1
    if card < book.characters:
        s.stage[seat][st.AGILITY] = card
    tell(s, st.PLAYED, seat, -1, card)


@rule
def fight(book: Book, s: State) -> bool:
    """Compare the stages, remove the losers and advance; return whether the round is over.

    RH-3, RH-11, RH-12, RH-13, RH-14, RH-15, RH-16, RH-17.
    """
    settle_modifiers(book, s)
    note_position(book, s)
    compute_changes(book, s)
    victors_0, victors_1 = compare(book, s)
    s.leader = 0 if victors_0 >> st.AGILITY & 1 else 1 if victors_1 >> st.AGILITY & 1 else st.NONE
    if s.fought[0][st.AGILITY] == st.NONE or s.fought[1][st.AGILITY] == st.NONE:
        tell(s, st.UNOPPOSED, s.leader)
    remove_losers(s, 0, victors_1)
    remove_losers(s, 1, victors_0)
    s.hands += 1
    if is_full(s, 0) or is_full(s, 1) or s.pile_size[0] == 0 or s.pile_size[1] == 0:
        return True
    if s.chosen[0] < book.characters:
        advance(s, 0, victors_0)
    if s.chosen[1] < book.characters:
        advance(s, 1, victors_1)
    for seat in range(st.SEATS):
        s.chosen[seat] = st.NONE
        tell(s, st.DREW, seat, -1, draw(s, seat), secret=A)
    return False


@rule
def settle_modifiers(book: Book, s: State) -> None:
    """Replace lasting modifiers by those just played, then carry out removals. RH-3, RH-20."""
    for seat in range(st.SEATS):
        number = s.chosen[seat] - book.characters
        if number >= 0 and book.modifier[number].lasts:
            if s.lasting[seat] != st.NONE:
                tell(s, st.REPLACED, seat, -1, book.characters + s.lasting[seat])
            s.lasting[seat] = number
    removed_0 = is_removed(book, s, 0)
    removed_1 = is_removed(book, s, 1)
    if removed_0:
        remove_modifier(book, s, 0)
    if removed_1:
        remove_modifier(book, s, 1)


@rule
def is_removed(book: Book, s: State, seat: int) -> bool:
    """Return whether the opponent's card in this hand removes the lasting modifier of a seat. RH-3, RH-20."""
    by = s.chosen[1 - seat] - book.characters
    if by < 0 or s.lasting[seat] == st.NONE:
        return False
    return book.modifier[by].removes == 1 and book.modifier[s.lasting[seat]].firm == 0


@rule
def remove_modifier(book: Book, s: State, seat: int) -> None:
    """Remove the lasting modifier of a seat. RH-3."""
    tell(s, st.REMOVED, 1 - seat, seat, book.characters + s.lasting[seat])
    s.lasting[seat] = st.NONE


@rule
def note_position(book: Book, s: State) -> None:
    """Note the characters, modifiers and victories by which all stages are compared at once. RH-12."""
    for seat in range(st.SEATS):
        for stage in range(st.STAGES):
            s.fought[seat][stage] = s.stage[seat][stage]
        number = s.chosen[seat] - book.characters
        s.in_force[seat][st.LASTING] = s.lasting[seat]
        s.in_force[seat][st.ONE_HAND] = number if number >= 0 and book.modifier[number].lasts == 0 else st.NONE
        s.had_won[seat] = s.victories[seat]


@rule
def compare(book: Book, s: State) -> tuple[int, int]:
    """Return for each seat a bit for each stage that it wins: its card is higher or faces nobody. RH-13."""
    victors_0 = 0
    victors_1 = 0
    for stage in range(st.STAGES):
        card_0, card_1 = s.fought[0][stage], s.fought[1][stage]
        ahead = (1 if card_0 != st.NONE else 0) - (1 if card_1 != st.NONE else 0)
        if card_0 != st.NONE and card_1 != st.NONE:
            level_0, level_1 = level(book, s, 0, stage), level(book, s, 1, stage)
            ahead = level_0 - level_1
            tell(s, st.COMPARED + stage, -1, -1, card_0, card_1, level_0, level_1)
        victors_0 |= (1 if ahead > 0 else 0) << stage
        victors_1 |= (1 if ahead < 0 else 0) << stage
    return victors_0, victors_1


@rule
def remove_losers(s: State, seat: int, beaten: int) -> None:
    """Remove the losers of a seat; `beaten` has a bit for each stage that the opponent won. RH-13."""
    for stage in range(st.STAGES):
        if beaten >> stage & 1 and s.stage[seat][stage] != st.NONE:
            s.stage[seat][stage] = st.NONE


@rule
def is_full(s: State, seat: int) -> bool:
    """Return whether a seat has a card on each stage. RH-15."""
    for stage in range(st.STAGES):
        if s.stage[seat][stage] == st.NONE:
            return False
    return True


@rule
def advance(s: State, seat: int, won: int) -> None:
    """Move each victor, and the card on Agility in any case, one stage on, from Endurance backwards. RH-11, RH-14."""
    for back in range(1, st.STAGES):
        stage = st.ENDURANCE - back
        if s.stage[seat][stage] != st.NONE and (stage == st.AGILITY or won >> stage & 1):
            push(s, seat, stage)


@rule
def push(s: State, seat: int, stage: int) -> None:
    """Move a card one stage on, pushing those before it; without an empty stage before it, it stays. RH-14."""
    free = stage + 1
    while free < st.STAGES and s.stage[seat][free] != st.NONE:
        free += 1
    if free < st.STAGES:
        while free > stage:
            s.stage[seat][free] = s.stage[seat][free - 1]
            free -= 1
        s.stage[seat][stage] = st.NONE


@rule
def score_round(book: Book, s: State) -> bool:
    """Give the round to the only seat with four stages, or to nobody; return whether it was the last.

    RH-6, RH-15, RH-16, RH-17, RH-18.
    """
    full_0 = is_full(s, 0)
    full_1 = is_full(s, 1)
    if full_0 != full_1:
        winner = 0 if full_0 else 1
        s.victories[winner] += 1
        s.drawn = 0
        tell(s, st.ROUND_WON, winner, -1, s.victories[winner])
    else:
        s.drawn += 1
        tell(s, st.ROUND_DRAWN, -1, -1, st.BOTH_FULL if full_0 else st.PILE_EMPTY)
    if s.victories[0] < book.victories and s.victories[1] < book.victories and s.drawn < st.MOST_DRAWN:
        return False
    end_tournament(book, s)
    return True


@rule
def end_tournament(book: Book, s: State) -> None:
    """End the tournament and show the stakes; the winner gains the opponent's. RH-6, RH-7, RH-18."""
    s.over = 1
    s.phase = st.ENDED
    winner = leading(s)
    if winner == st.NONE:
        tell(s, st.TOURNAMENT_DRAWN, st.NONE)
    else:
        tell(s, st.TOURNAMENT_WON, winner)
    if book.ante:
        for seat in range(st.SEATS):
            tell(s, st.ANTE_SHOWN, seat, -1, s.staked[seat])
        if winner != st.NONE:
            tell(s, st.ANTE_GAINED, winner, 1 - winner, s.staked[1 - winner])


@rule
def leading(s: State) -> int:
    """Return the seat with more victories, or NONE. RH-6, RH-18."""
    if s.victories[0] == s.victories[1]:
        return st.NONE
    return 0 if s.victories[0] > s.victories[1] else 1
