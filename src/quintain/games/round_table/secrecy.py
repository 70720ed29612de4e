"""Round Table: what each seat may not know, and how a search deals those cards anew.

`hide` puts UNKNOWN over hands, decks and choices of others; `redeal` replaces every UNKNOWN by a possible truth.
"""

from quintain.engine import UNKNOWN, rng, rule
from quintain.games.round_table import state as st
from quintain.games.round_table.play_area import in_play
from quintain.games.round_table.spring import is_affordable
from quintain.games.round_table.state import Book, State
from quintain.games.round_table.summer import may_play


@rule
def hide(book: Book, s: State, seat: int) -> None:
    """Hide everything that a seat may not know; -1 is a spectator. RT-2, RT-3, RT-7, RT-30, RT-33."""
    foreseen = s.foreseen[seat] if seat != st.NONE else 0
    for i in range(s.regions_left - foreseen):
        s.region_deck[i] = UNKNOWN
    for owner in range(book.seats):
        if owner != seat:
            blind_cards(book, s, owner)
    if seat != s.turn and is_taken_up(s):
        s.card = UNKNOWN


@rule
def is_taken_up(s: State) -> bool:
    """Return whether a seat has chosen a card of its hand that it has not shown yet. RT-2."""
    return s.phase == st.CHOOSE_KNIGHT or (s.phase == st.ATTACH and s.moving == st.NONE)


@rule
def blind_cards(book: Book, s: State, owner: int) -> None:
    """Hide the hand, the decks and the discards of a seat, and the split of its first hand. RT-2, RT-7, RT-30."""
    hide_drops = s.phase == st.LIMIT and s.drops[owner] > 0
    for line in range(book.lines[owner]):
        s.hand[owner][line] = UNKNOWN
        s.deck[owner][line] = UNKNOWN
        if hide_drops:
            s.dropped[owner][line] = UNKNOWN
    if s.phase == st.SET_UP and s.hand_size[owner] > 0:
        s.deck_size[owner][st.MAIN_DECK] = UNKNOWN
        s.deck_size[owner][st.DEMESNE_DECK] = UNKNOWN


@rule
def redeal(book: Book, s: State) -> None:
    """Replace everything that is UNKNOWN by a random deal that fits what is known. RT-2, RT-3, RT-7."""
    redeal_regions(book, s)
    for seat in range(book.seats):
        if s.deck[seat][0] == UNKNOWN:
            redeal_split(book, s, seat)
            if seat == s.turn and is_taken_up(s):
                redeal_card(book, s, seat)
            redeal_cards(book, s, seat)


@rule
def redeal_regions(book: Book, s: State) -> None:
    """Shuffle the Regions whose places are not known. RT-3."""
    unknown = 0
    for place in range(book.regions):
        if is_unseen(book, s, place):
            other = rng.below(s.rng, unknown + 1)
            s.region_deck[unknown] = s.region_deck[other]
            s.region_deck[other] = place
            unknown += 1


@rule
def is_unseen(book: Book, s: State, place: int) -> bool:
    """Return whether a Region is neither captured, nor open, nor a known one of the deck. RT-3."""
    if s.captor[place] != st.NONE:
        return False
    for i in range(len(s.open)):
        if s.open[i] == place:
            return False
    for i in range(s.regions_left):
        if s.region_deck[i] == place:
            return False
    return True


@rule
def redeal_split(book: Book, s: State, seat: int) -> None:
    """Choose the number of Demesnes in a first hand, if it is not known. RT-6, RT-7."""
    if s.deck_size[seat][st.DEMESNE_DECK] == UNKNOWN:
        demesnes = book.deck[seat][st.DEMESNE_DECK] - 1
        taken = 1 + rng.below(s.rng, min(demesnes, s.hand_size[seat])) if demesnes > 0 else 0
        s.deck_size[seat][st.DEMESNE_DECK] = demesnes - taken
        s.deck_size[seat][st.MAIN_DECK] = book.deck[seat][st.MAIN_DECK] - (s.hand_size[seat] - taken)


@rule
def redeal_card(book: Book, s: State, seat: int) -> None:
    """Choose the card that a seat has chosen in secret, among those that it could play now. RT-2."""
    copies = 0
    for line in range(book.main_lines[seat]):
        if may_be_taken_up(book, s, seat, line):
            copies += unseen_copies(book, s, seat, line)
    chosen = rng.below(s.rng, copies)
    for line in range(book.main_lines[seat]):
        if may_be_taken_up(book, s, seat, line):
            here = unseen_copies(book, s, seat, line)
            if 0 <= chosen < here:
                s.card = line
            chosen -= here


@rule
def may_be_taken_up(book: Book, s: State, seat: int, line: int) -> bool:
    """Return whether a card could be the one that a seat has chosen in secret. RT-12, RT-16."""
    kind = book.card[seat][line].kind
    if s.phase == st.CHOOSE_KNIGHT:
        return (kind == st.QUEST or kind == st.REDIRECT) and may_play(book, s, seat, line)
    if kind != st.EQUIPMENT and kind != st.TITLE:
        return False
    return is_affordable(book, s, seat, line) if s.season == st.SPRING else may_play(book, s, seat, line)


@rule
def redeal_cards(book: Book, s: State, seat: int) -> None:
    """Deal the unseen cards of a seat to its decks, its hand and its discards. RT-2."""
    drops_hidden = 0
    in_hand = s.hand_size[seat]
    held = s.card if seat == s.turn and is_taken_up(s) else st.NONE
    for line in range(book.lines[seat]):
        if s.dropped[seat][line] == UNKNOWN:
            s.dropped[seat][line] = 0
            drops_hidden = s.drops[seat]
    for deck in range(2):
        first = 0 if deck == st.MAIN_DECK else book.main_lines[seat]
        last = book.main_lines[seat] if deck == st.MAIN_DECK else book.lines[seat]
        left, in_deck = 0, s.deck_size[seat][deck]
        for line in range(first, last):
            s.hand[seat][line] = 1 if line == held else 0
            s.deck[seat][line] = unseen_copies(book, s, seat, line) - s.hand[seat][line]
            left += s.deck[seat][line]
        for line in range(first, last):
            for _ in range(s.deck[seat][line]):
                if rng.below(s.rng, left) < in_deck:
                    in_deck -= 1
                else:
                    s.deck[seat][line] -= 1
                    s.hand[seat][line] += 1
                left -= 1
    if drops_hidden > 0:
        redeal_drops(book, s, seat, in_hand)


@rule
def unseen_copies(book: Book, s: State, seat: int, line: int) -> int:
    """Count the copies of a card in the hand, the deck and the secret discards of a seat. RT-2."""
    return book.copies[seat][line] - s.spent[seat][line] - in_play(book, s, seat, line)


@rule
def redeal_drops(book: Book, s: State, seat: int, left: int) -> None:
    """Choose which cards of a hand of `left` cards are the secret discards. RT-30."""
    wanted = s.drops[seat]
    for line in range(book.lines[seat]):
        for _ in range(s.hand[seat][line]):
            if rng.below(s.rng, left) < wanted:
                wanted -= 1
                s.hand[seat][line] -= 1
                s.dropped[seat][line] += 1
            left -= 1
