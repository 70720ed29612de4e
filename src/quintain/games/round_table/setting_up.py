"""Round Table: the set-up: decks, Regions and first hands; also the drawing and discarding of a card in any Season.

The Seasons follow in `spring`, `summer`, `autumn` and `winter`.
"""

from quintain.engine import A, rng, rule, tell
from quintain.games.round_table import state as st
from quintain.games.round_table.play_area import take_from_hand, take_stock
from quintain.games.round_table.state import Book, State


@rule
def deal(book: Book, s: State) -> None:
    """Set up a new match, in a state of zeros, until the players choose their first hands. RT-2, RT-3, RT-5."""
    s.phase = st.SET_UP
    s.year = 1
    s.card = s.moving = s.on_seat = s.on = st.NONE
    for seat in range(book.seats):
        lay_out(book, s, seat)
        tell(s, st.DECK_LAID_OPEN, seat)
    choose_regions(book, s)
    s.active = rng.below(s.rng, book.seats)
    s.turn = s.active
    tell(s, st.FIRST_DRAWN, s.active)
    take_stock(book, s)


@rule
def lay_out(book: Book, s: State, seat: int) -> None:
    """Clear a seat's area and put its first Farm into play. RT-5."""
    for slot in range(st.LINES):
        s.line[seat][slot] = s.bearer[seat][slot] = st.NONE
        s.place[seat][slot] = s.quest[seat][slot] = st.NONE
    for line in range(book.lines[seat]):
        s.deck[seat][line] = book.copies[seat][line]
    for line in range(book.main_lines[seat], book.lines[seat]):
        if book.card[seat][line].step == 0:
            s.deck[seat][line] -= 1
    s.demesne[seat][0] = 1
    s.deck_size[seat][st.MAIN_DECK] = book.deck[seat][st.MAIN_DECK]
    s.deck_size[seat][st.DEMESNE_DECK] = book.deck[seat][st.DEMESNE_DECK] - 1


@rule
def choose_regions(book: Book, s: State) -> None:
    """Draw the Regions of the match from the listed ones, then from the base set; shuffle them. RT-3."""
    listed = 0
    for number in range(book.regions_known):
        listed += book.region[number].listed
    from_lists = min(listed, book.regions)
    chosen = pick_regions(book, s, 1, from_lists, 0)
    pick_regions(book, s, 0, book.regions - from_lists, chosen)
    while is_lopsided(book, s):
        pick_base_regions(book, s)
    for place in range(st.MOST_REGIONS):
        s.captor[place] = s.region_deck[place] = st.NONE
        if place >= book.regions:
            s.region[place] = st.NONE
    for place in range(book.regions):
        other = rng.below(s.rng, place + 1)
        s.region_deck[place] = s.region_deck[other]
        s.region_deck[other] = place
    s.regions_left = book.regions
    for place in range(st.OPEN_REGIONS):
        s.open[place] = s.judged[place] = s.judged_captor[place] = st.NONE
    open_regions(book, s)


@rule
def pick_regions(book: Book, s: State, listed: int, wanted: int, chosen: int) -> int:
    """Draw `wanted` Regions, and return the number of Regions that the match has now. RT-3.

    They come from the listed Regions if `listed` is 1, else from those of the base set that are not listed. Before, the
    match has `chosen` Regions.
    """
    left = 0
    for number in range(book.regions_known):
        region = book.region[number]
        left += 1 if region.listed == listed and (listed or region.base) else 0
    for number in range(book.regions_known):
        region = book.region[number]
        if region.listed == listed and (listed or region.base) and wanted > 0:
            if rng.below(s.rng, left) < wanted:
                s.region[chosen] = number
                chosen += 1
                wanted -= 1
            left -= 1
    return chosen


@rule
def pick_base_regions(book: Book, s: State) -> None:
    """Draw all Regions of the match anew, from the whole base set. RT-3."""
    left, chosen = 0, 0
    for number in range(book.regions_known):
        left += book.region[number].base
    for number in range(book.regions_known):
        if book.region[number].base:
            if rng.below(s.rng, left) < book.regions - chosen:
                s.region[chosen] = number
                chosen += 1
            left -= 1


@rule
def is_lopsided(book: Book, s: State) -> bool:
    """Return whether one Region holds more than half of the match's Renown. RT-3."""
    most = 0
    for place in range(book.regions):
        most = max(most, book.region[s.region[place]].renown)
    return 2 * most > all_renown(book, s)


@rule
def all_renown(book: Book, s: State) -> int:
    """Return the Renown of all Regions of the match together. RT-3, RT-31."""
    renown = 0
    for place in range(book.regions):
        renown += book.region[s.region[place]].renown
    return renown


@rule
def open_regions(book: Book, s: State) -> None:
    """Turn Regions up until three lie open or none is left. RT-3, RT-24."""
    for place in range(st.OPEN_REGIONS):
        if s.open[place] == st.NONE and s.regions_left > 0:
            s.regions_left -= 1
            s.open[place] = s.region_deck[s.regions_left]
            s.region_deck[s.regions_left] = st.NONE
            for seat in range(book.seats):
                s.foreseen[seat] = max(0, s.foreseen[seat] - 1)
            tell(s, st.REGION_OPENED, st.NONE, -1, s.region[s.open[place]])


@rule
def draw(book: Book, s: State, seat: int, deck: int) -> int:
    """Draw a random card from a deck into the hand, and return its line; decks keep no order. RT-6, RT-29."""
    left = rng.below(s.rng, s.deck_size[seat][deck])
    line = 0 if deck == st.MAIN_DECK else book.main_lines[seat]
    while left >= s.deck[seat][line]:
        left -= s.deck[seat][line]
        line += 1
    s.deck[seat][line] -= 1
    s.deck_size[seat][deck] -= 1
    s.hand[seat][line] += 1
    s.hand_size[seat] += 1
    return line


@rule
def take_hand(book: Book, s: State, seat: int, demesnes: int) -> None:
    """Draw a first hand: this number of Demesnes, and Main cards up to ten. RT-6, RT-7."""
    for card in range(st.HAND):
        draw(book, s, seat, st.DEMESNE_DECK if card < demesnes else st.MAIN_DECK)
    tell(s, st.HAND_TAKEN, seat, -1, demesnes, secret=A)
    s.set_up[seat] = st.KEEP_OR_NOT if s.set_up[seat] == st.SPLIT_FIRST else st.KEPT


@rule
def keep_or_not(book: Book, s: State, seat: int, action: int) -> None:
    """Keep the first hand, or shuffle it back into the decks. RT-7."""
    s.set_up[seat] = st.KEPT
    if action == st.MULLIGAN:
        s.set_up[seat] = st.SPLIT_AGAIN
        for line in range(book.lines[seat]):
            deck = st.MAIN_DECK if line < book.main_lines[seat] else st.DEMESNE_DECK
            s.deck_size[seat][deck] += s.hand[seat][line]
            s.deck[seat][line] += s.hand[seat][line]
            s.hand[seat][line] = 0
        s.hand_size[seat] = 0
        tell(s, st.MULLIGANED, seat)


@rule
def have_all_kept(book: Book, s: State) -> bool:
    """Return whether all players have kept their first hands. RT-7."""
    for seat in range(book.seats):
        if s.set_up[seat] != st.KEPT:
            return False
    return True


@rule
def show_splits(book: Book, s: State) -> None:
    """Show the number of Demesnes in each first hand, and begin the first Spring. RT-7."""
    for seat in range(book.seats):
        tell(s, st.SPLIT_SHOWN, seat, -1, book.deck[seat][st.DEMESNE_DECK] - 1 - s.deck_size[seat][st.DEMESNE_DECK])
    tell(s, st.SEASON_BEGAN, s.active, -1, s.season)


@rule
def draw_and_tell(book: Book, s: State, seat: int, deck: int) -> None:
    """Draw a card, which only its player sees. RT-26, RT-29."""
    line = draw(book, s, seat, deck)
    tell(s, st.CARD_DRAWN, seat, -1, line, deck, secret=A)


@rule
def discard(book: Book, s: State, seat: int, line: int) -> None:
    """Discard a card from the hand, face up. RT-30, RT-33."""
    take_from_hand(book, s, seat, line)
    s.spent[seat][line] += 1
    tell(s, st.DISCARDED, seat, -1, line, 1)


@rule
def draws_left(s: State, seat: int) -> int:
    """Return the number of cards that a seat can still draw. RT-29."""
    return s.deck_size[seat][st.MAIN_DECK] + s.deck_size[seat][st.DEMESNE_DECK]
