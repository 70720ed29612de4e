"""Round Table: the rules as the engine calls them: who acts, what is legal, what a move does, who has won.

Each of these functions asks which decision is due, and leaves the rest to the chapter that it belongs to: `setting_up`,
`spring`, `summer`, `autumn` or `winter`.
"""

from quintain.engine import rule, tell
from quintain.games.round_table import setting_up, summer
from quintain.games.round_table import state as st
from quintain.games.round_table.action_features import ACTION_FEATURES, action_features
from quintain.games.round_table.effects import renown_of, total
from quintain.games.round_table.play_area import is_copy, take_stock
from quintain.games.round_table.policy import policy
from quintain.games.round_table.secrecy import hide, redeal
from quintain.games.round_table.setting_up import deal
from quintain.games.round_table.spring import attach, legal_bearers, legal_recruits, pick_up, play_lasting_card
from quintain.games.round_table.state import ACTIONS, LONGEST, OUTCOMES, Book, State
from quintain.games.round_table.state_features import STATE_FEATURES, state_features
from quintain.games.round_table.triggers import take_back
from quintain.games.round_table.winter import debtor, drop, next_seat, settle, trigger_winter

__all__ = [
    "ACTIONS",
    "ACTION_FEATURES",
    "LONGEST",
    "OUTCOMES",
    "STATE_FEATURES",
    "Book",
    "State",
    "action_features",
    "deal",
    "hide",
    "legal",
    "outcome",
    "play",
    "policy",
    "redeal",
    "state_features",
    "to_act",
]


@rule
def to_act(book: Book, s: State) -> int:
    """Return the seats that may act, as bits. RT-7, RT-11, RT-16, RT-26, RT-30."""
    if s.phase == st.SET_UP or s.phase == st.LIMIT:
        bits = 0
        for seat in range(book.seats):
            waiting = s.set_up[seat] != st.KEPT if s.phase == st.SET_UP else s.to_drop[seat] > 0
            bits |= 1 << seat if waiting else 0
        return bits
    owes = debtor(book, s)
    return 1 << (s.turn if owes == st.NONE else owes)


@rule
def legal(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark the legal actions of a seat, and return their number. RT-6, RT-12, RT-16, RT-28, RT-29, RT-30."""
    if s.phase == st.SET_UP:
        return legal_first_hands(s, seat, mask)
    if s.phase == st.LIMIT:
        return legal_cards(book, s, seat, mask)
    if s.owed_draws[seat] > 0 or s.phase == st.WINTER_DRAW:
        return legal_draws(s, seat, mask)
    if s.owed_discards[seat] > 0:
        return legal_cards(book, s, seat, mask)
    if s.phase == st.CAMPAIGN:
        return summer.legal_campaign(book, s, seat, mask)
    if s.phase == st.RECRUIT:
        return legal_recruits(book, s, seat, mask)
    if s.phase == st.ATTACH:
        return legal_bearers(book, s, seat, mask)
    if s.phase == st.CHOOSE_REGION:
        return summer.legal_places(s, s.place[s.on_seat][s.on], mask)
    if s.phase == st.CHOOSE_KNIGHT:
        return summer.legal_knights(book, s, seat, mask)
    if s.phase == st.SUPPORT:
        return legal_support(book, s, seat, mask)
    return summer.legal_tasks(book, s, mask)


@rule
def legal_first_hands(s: State, seat: int, mask: list[int]) -> int:
    """Mark the numbers of Demesnes that a seat may take; once it has a hand, keeping it and a mulligan. RT-6, RT-7."""
    if s.set_up[seat] == st.KEEP_OR_NOT:
        mask[st.KEEP] = 1
        mask[st.MULLIGAN] = 1
        return 2
    most = min(st.HAND, s.deck_size[seat][st.DEMESNE_DECK])
    least = min(1, most)
    for demesnes in range(least, most + 1):
        mask[st.SPLIT + demesnes] = 1
    return most - least + 1


@rule
def legal_cards(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark every card of the hand, for a discard. RT-30, RT-33."""
    count = 0
    for line in range(book.lines[seat]):
        if s.hand[seat][line] > 0:
            mask[st.CARD + line] = 1
            count += 1
    return count


@rule
def legal_draws(s: State, seat: int, mask: list[int]) -> int:
    """Mark the decks that are not empty, for a draw. RT-26, RT-29."""
    mask[st.DRAW_MAIN] = 1 if s.deck_size[seat][st.MAIN_DECK] > 0 else 0
    mask[st.DRAW_DEMESNE] = 1 if s.deck_size[seat][st.DEMESNE_DECK] > 0 else 0
    return (1 if s.deck_size[seat][st.MAIN_DECK] > 0 else 0) + (1 if s.deck_size[seat][st.DEMESNE_DECK] > 0 else 0)


@rule
def legal_support(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark passing, and taking back each card in play. RT-28."""
    mask[st.PASS] = 1
    count = 1
    for slot in range(s.top[seat]):
        if s.line[seat][slot] != st.NONE and not is_copy(book, s, seat, slot):
            mask[st.IN_PLAY + st.LINES * seat + slot] = 1
            count += 1
    return count


@rule
def play(book: Book, s: State, seat: int, action: int) -> None:
    """Carry out a legal action, and go on to the next decision. RT-6, RT-11, RT-16, RT-28, RT-29, RT-30."""
    if s.phase == st.SET_UP:
        set_up(book, s, seat, action)
    elif s.phase == st.LIMIT:
        drop(book, s, seat, action - st.CARD)
    elif s.owed_draws[seat] > 0 or s.phase == st.WINTER_DRAW:
        draw_one(book, s, seat, action)
    elif s.owed_discards[seat] > 0:
        s.owed_discards[seat] -= 1
        setting_up.discard(book, s, seat, action - st.CARD)
    elif action == st.PASS:
        pass_on(book, s, seat)
    elif s.phase == st.RECRUIT or s.phase == st.CAMPAIGN:
        take_turn(book, s, seat, action)
    elif s.phase == st.ATTACH:
        attach(book, s, seat, action)
    elif s.phase == st.SUPPORT:
        slot = action - st.IN_PLAY - st.LINES * seat
        tell(s, st.TAKEN_BACK, seat, -1, s.line[seat][slot], slot)
        take_back(book, s, seat, slot)
    else:
        summer.choose_in_summer(book, s, seat, action)
    settle(book, s)
    take_stock(book, s)


@rule
def set_up(book: Book, s: State, seat: int, action: int) -> None:
    """Carry out a choice of the set-up, and begin the first Spring once all have kept. RT-6, RT-7."""
    if action >= st.SPLIT:
        setting_up.take_hand(book, s, seat, action - st.SPLIT)
    else:
        setting_up.keep_or_not(book, s, seat, action)
    if setting_up.have_all_kept(book, s):
        s.phase = st.RECRUIT
        setting_up.show_splits(book, s)


@rule
def draw_one(book: Book, s: State, seat: int, action: int) -> None:
    """Draw a card that a seat owes, or the card of Winter. RT-26, RT-29, RT-33."""
    setting_up.draw_and_tell(book, s, seat, st.MAIN_DECK if action == st.DRAW_MAIN else st.DEMESNE_DECK)
    if s.owed_draws[seat] > 0:
        s.owed_draws[seat] -= 1
    else:
        trigger_winter(book, s, seat)


@rule
def pass_on(book: Book, s: State, seat: int) -> None:
    """Pass the turn to the next seat, or end the Season. RT-11, RT-16, RT-28."""
    tell(s, st.PASSED, seat, -1, s.acted)
    if s.phase == st.CAMPAIGN:
        s.passes = 0 if s.acted else s.passes + 1
        s.turn = (s.turn + 1) % book.seats
        s.step = st.DECLARE
        if s.passes == book.seats:
            s.phase = st.SEASON_END
    else:
        next_seat(book, s, s.phase)
    s.acted = 0


@rule
def take_turn(book: Book, s: State, seat: int, action: int) -> None:
    """Begin to move or send a card in play, or to play a card from the hand. RT-12, RT-16."""
    s.acted = 1
    if action >= st.IN_PLAY:
        slot = action - st.IN_PLAY - st.LINES * seat
        if s.phase == st.CAMPAIGN:
            s.on_seat, s.on = seat, slot
            s.phase = st.CHOOSE_REGION
        else:
            pick_up(s, seat, slot)
        return
    line = action - st.CARD
    kind = book.card[seat][line].kind
    if kind == st.QUEST or kind == st.REDIRECT:
        summer.take_up(s, line)
    else:
        play_lasting_card(book, s, seat, line)


@rule
def outcome(book: Book, s: State, scores: list[int], ranks: list[int]) -> None:
    """Write the Renown of each seat, including the Renown that rows add, and its rank. RT-31, RT-33."""
    for seat in range(book.seats):
        scores[seat] = renown_of(book, s, seat) + total(book, s, st.RENOWN, 0, seat, st.NONE, st.NONE)
    for seat in range(book.seats):
        ranks[seat] = 1
        for other in range(book.seats):
            ranks[seat] += 1 if scores[other] > scores[seat] else 0
