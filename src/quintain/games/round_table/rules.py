"""Round Table: who acts, what is legal, what a move does, who has won."""

from quintain.engine.compiled import rule
from quintain.engine.events import tell
from quintain.games.round_table.effects import renown_of, total
from quintain.games.round_table.play_area import is_copy, take_stock
from quintain.games.round_table.policy import policy
from quintain.games.round_table.secrecy import hide, redeal
from quintain.games.round_table.setting_up import (
    deal,
    discard,
    draw_and_tell,
    have_all_kept,
    keep_or_not,
    show_splits,
    take_hand,
)
from quintain.games.round_table.spring import attach, legal_bearers, legal_recruits, pick_up, play_support
from quintain.games.round_table.state import (
    ACTIONS,
    ATTACH,
    CAMPAIGN,
    CARD,
    CHOOSE_KNIGHT,
    CHOOSE_REGION,
    DECLARE,
    DEMESNE_DECK,
    DRAW_DEMESNE,
    DRAW_MAIN,
    HAND,
    IN_PLAY,
    KEEP,
    KEEP_OR_NOT,
    KEPT,
    LIMIT,
    LINES,
    MAIN_DECK,
    MULLIGAN,
    NONE,
    PASS,
    PASSED,
    QUEST,
    RECRUIT,
    REDIRECT,
    RENOWN,
    SEASON_END,
    SET_UP,
    SPLIT,
    SUPPORT,
    TAKEN_BACK,
    WINTER_DRAW,
    Book,
    State,
)
from quintain.games.round_table.summer import (
    choose_in_summer,
    legal_campaign,
    legal_knights,
    legal_places,
    legal_tasks,
    take_up,
)
from quintain.games.round_table.triggers import take_back
from quintain.games.round_table.winter import debtor, draw_in_winter, drop, next_seat, settle

__all__ = ["ACTIONS", "Book", "State", "deal", "hide", "legal", "outcome", "play", "policy", "redeal", "to_act"]


@rule
def to_act(book: Book, s: State) -> int:
    """RT-7, RT-11, RT-16, RT-26, RT-30."""
    if s.phase == SET_UP or s.phase == LIMIT:
        bits = 0
        for seat in range(book.seats):
            waiting = s.set_up[seat] != KEPT if s.phase == SET_UP else s.to_drop[seat] > 0
            bits |= 1 << seat if waiting else 0
        return bits
    owes = debtor(book, s)
    return 1 << (s.turn if owes == NONE else owes)


@rule
def legal(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark the legal actions of a seat and return their number. RT-6, RT-12, RT-16, RT-28, RT-29, RT-30."""
    if s.phase == SET_UP:
        return legal_first_hands(s, seat, mask)
    if s.phase == LIMIT:
        return legal_cards(book, s, seat, mask)
    if s.owed_draws[seat] > 0 or s.phase == WINTER_DRAW:
        return legal_draws(s, seat, mask)
    if s.owed_discards[seat] > 0:
        return legal_cards(book, s, seat, mask)
    if s.phase == CAMPAIGN:
        return legal_campaign(book, s, seat, mask)
    if s.phase == RECRUIT:
        return legal_recruits(book, s, seat, mask)
    if s.phase == ATTACH:
        return legal_bearers(book, s, seat, mask)
    if s.phase == CHOOSE_REGION:
        return legal_places(s, s.place[s.on_seat][s.on], mask)
    if s.phase == CHOOSE_KNIGHT:
        return legal_knights(book, s, seat, mask)
    if s.phase == SUPPORT:
        return legal_support(book, s, seat, mask)
    return legal_tasks(book, s, mask)


@rule
def legal_first_hands(s: State, seat: int, mask: list[int]) -> int:
    """One to ten Demesnes, as many as there are, then to keep the hand or not. RT-6, RT-7."""
    if s.set_up[seat] == KEEP_OR_NOT:
        mask[KEEP] = 1
        mask[MULLIGAN] = 1
        return 2
    most = min(HAND, s.deck_size[seat][DEMESNE_DECK])
    least = min(1, most)
    for demesnes in range(least, most + 1):
        mask[SPLIT + demesnes] = 1
    return most - least + 1


@rule
def legal_cards(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Any card of the hand, to discard it. RT-30, RT-33."""
    count = 0
    for line in range(book.lines[seat]):
        if s.hand[seat][line] > 0:
            mask[CARD + line] = 1
            count += 1
    return count


@rule
def legal_draws(s: State, seat: int, mask: list[int]) -> int:
    """Any deck that is not empty. RT-26, RT-29."""
    mask[DRAW_MAIN] = 1 if s.deck_size[seat][MAIN_DECK] > 0 else 0
    mask[DRAW_DEMESNE] = 1 if s.deck_size[seat][DEMESNE_DECK] > 0 else 0
    return (1 if s.deck_size[seat][MAIN_DECK] > 0 else 0) + (1 if s.deck_size[seat][DEMESNE_DECK] > 0 else 0)


@rule
def legal_support(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Pass, or take back a card in play. RT-28."""
    mask[PASS] = 1
    count = 1
    for slot in range(s.top[seat]):
        if s.line[seat][slot] != NONE and not is_copy(book, s, seat, slot):
            mask[IN_PLAY + LINES * seat + slot] = 1
            count += 1
    return count


@rule
def play(book: Book, s: State, seat: int, action: int) -> None:
    """Carry out a legal action and what follows of itself. RT-6, RT-11, RT-16, RT-28, RT-29, RT-30."""
    if s.phase == SET_UP:
        set_up(book, s, seat, action)
    elif s.phase == LIMIT:
        drop(book, s, seat, action - CARD)
    elif s.owed_draws[seat] > 0 or s.phase == WINTER_DRAW:
        draw_one(book, s, seat, action)
    elif s.owed_discards[seat] > 0:
        s.owed_discards[seat] -= 1
        discard(book, s, seat, action - CARD)
    elif action == PASS:
        pass_on(book, s, seat)
    elif s.phase == RECRUIT or s.phase == CAMPAIGN:
        take_turn(book, s, seat, action)
    elif s.phase == ATTACH:
        attach(book, s, seat, action)
    elif s.phase == SUPPORT:
        slot = action - IN_PLAY - LINES * seat
        tell(s, TAKEN_BACK, seat, -1, s.line[seat][slot])
        take_back(book, s, seat, slot)
    else:
        choose_in_summer(book, s, seat, action)
    settle(book, s)
    take_stock(book, s)


@rule
def set_up(book: Book, s: State, seat: int, action: int) -> None:
    """RT-6, RT-7."""
    if action >= SPLIT:
        take_hand(book, s, seat, action - SPLIT)
    else:
        keep_or_not(book, s, seat, action)
    if have_all_kept(book, s):
        s.phase = RECRUIT
        show_splits(book, s)


@rule
def draw_one(book: Book, s: State, seat: int, action: int) -> None:
    """Make a draw that is owed, or that of Winter. RT-26, RT-29, RT-33."""
    draw_and_tell(book, s, seat, MAIN_DECK if action == DRAW_MAIN else DEMESNE_DECK)
    if s.owed_draws[seat] > 0:
        s.owed_draws[seat] -= 1
    else:
        draw_in_winter(book, s, seat)


@rule
def pass_on(book: Book, s: State, seat: int) -> None:
    """Leave the turn to the next seat, or end the season. RT-11, RT-16, RT-28."""
    tell(s, PASSED, seat, -1, s.acted)
    if s.phase == CAMPAIGN:
        s.passes = 0 if s.acted else s.passes + 1
        s.turn = (s.turn + 1) % book.seats
        s.step = DECLARE
        if s.passes == book.seats:
            s.phase = SEASON_END
    else:
        next_seat(book, s, s.phase)
    s.acted = 0


@rule
def take_turn(book: Book, s: State, seat: int, action: int) -> None:
    """Take up a card in play, or a card of the hand. RT-12, RT-16."""
    s.acted = 1
    if action >= IN_PLAY:
        slot = action - IN_PLAY - LINES * seat
        if s.phase == CAMPAIGN:
            s.on_seat, s.on = seat, slot
            s.phase = CHOOSE_REGION
        else:
            pick_up(s, seat, slot)
        return
    line = action - CARD
    kind = book.card[seat][line].kind
    if kind == QUEST or kind == REDIRECT:
        take_up(s, line)
    else:
        play_support(book, s, seat, line)


@rule
def outcome(book: Book, s: State, scores: list[int], ranks: list[int]) -> None:
    """Write the Renown of all, with what rows add to it, and the ranks. RT-31, RT-33."""
    for seat in range(book.seats):
        scores[seat] = renown_of(book, s, seat) + total(book, s, RENOWN, 0, seat, NONE, NONE)
    for seat in range(book.seats):
        ranks[seat] = 1
        for other in range(book.seats):
            ranks[seat] += 1 if scores[other] > scores[seat] else 0
