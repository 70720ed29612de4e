"""Round Table: the playout policy, a cheap way to play: raise Demesnes, recruit, attack where it can be enough.

It looks at printed numbers alone, as effect rows would take too long in a playout.
"""

from quintain.engine import rng, rule
from quintain.games.round_table import state as st
from quintain.games.round_table.state import Book, State

FIRST_DEMESNES = 4
"""The number of Demesnes for the first hand, if the deck has as many."""
MANY_DEMESNES = 4
"""With more useful Demesnes in hand than this, it discards Demesnes first."""
ONE_IN = 4
"""It draws a Demesne that it does not need in one of this many draws."""


@rule
def policy(book: Book, s: State, seat: int, mask: list[int], words: list[int]) -> int:
    """Return a legal action, chosen by what the seat knows. RT-6, RT-12, RT-16, RT-28, RT-29, RT-30."""
    if s.phase == st.SET_UP:
        return st.KEEP if mask[st.KEEP] else last_of(mask, st.SPLIT, st.SPLIT + FIRST_DEMESNES + 1)
    if mask[st.DRAW_MAIN] or mask[st.DRAW_DEMESNE]:
        return choose_deck(book, s, seat, mask, words)
    if s.phase == st.LIMIT or s.owed_discards[seat] > 0:
        return choose_discard(book, s, seat, mask, words)
    if s.phase == st.RECRUIT:
        return choose_recruit(book, s, seat, mask)
    if s.phase == st.CAMPAIGN:
        return choose_campaign(book, s, seat, mask, words)
    if s.phase == st.ATTACH:
        return choose_bearer(book, s, seat, mask, words)
    if s.phase == st.SUPPORT:
        return choose_support(book, s, seat, mask)
    if s.phase == st.CHOOSE_KNIGHT:
        return choose_target(book, s, seat, mask, words)
    return choose_place(book, s, seat, mask, words)


@rule
def last_of(mask: list[int], first: int, end: int) -> int:
    """Return the last legal action of a range; at least one is legal. RT-6."""
    last = first
    for action in range(first, end):
        if mask[action]:
            last = action
    return last


@rule
def any_of(mask: list[int], first: int, end: int, words: list[int]) -> int:
    """Return a random legal action of a range, or NONE. RT-30."""
    found, seen = st.NONE, 0
    for action in range(first, end):
        if mask[action]:
            seen += 1
            if rng.below(words, seen) == 0:
                found = action
    return found


@rule
def useful_demesnes(book: Book, s: State, seat: int) -> int:
    """Count the Demesnes of a hand that could be put into play. RT-9, RT-12."""
    count = 0
    for line in range(book.main_lines[seat], book.lines[seat]):
        step = book.card[seat][line].step
        if step == 0 or s.demesne[seat][step - 1] > s.demesne[seat][step]:
            count += s.hand[seat][line]
    return count


@rule
def choose_deck(book: Book, s: State, seat: int, mask: list[int], words: list[int]) -> int:
    """Draw a Main card; draw a Demesne if no useful one is in hand, and now and then. RT-29."""
    wanted = useful_demesnes(book, s, seat) == 0 or rng.below(words, ONE_IN) == 0
    if mask[st.DRAW_DEMESNE] and (wanted or not mask[st.DRAW_MAIN]):
        return st.DRAW_DEMESNE
    return st.DRAW_MAIN


@rule
def choose_discard(book: Book, s: State, seat: int, mask: list[int], words: list[int]) -> int:
    """Discard a Demesne if the hand has many useful ones, else a Main card. RT-30."""
    main = any_of(mask, st.CARD, st.CARD + book.main_lines[seat], words)
    demesne = any_of(mask, st.CARD + book.main_lines[seat], st.CARD + book.lines[seat], words)
    many = useful_demesnes(book, s, seat) > MANY_DEMESNES
    if demesne != st.NONE and (many or main == st.NONE):
        return demesne
    return main


@rule
def choose_recruit(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Play the highest Demesne, then the dearest Knights, then other cards, then pair unpaired ones. RT-12."""
    best, most = st.PASS, st.NONE
    for line in range(book.lines[seat]):
        if mask[st.CARD + line]:
            card = book.card[seat][line]
            value = card.rp + (400 if card.kind == st.DEMESNE else 200 if card.kind == st.KNIGHT else 0)
            useful = card.kind == st.KNIGHT or card.kind == st.DEMESNE or has_knights(book, s, seat)
            if useful and value > most:
                best, most = st.CARD + line, value
    if best == st.PASS:
        for slot in range(s.top[seat]):
            if mask[st.IN_PLAY + st.LINES * seat + slot] and s.bearer[seat][slot] == st.NONE:
                best = st.IN_PLAY + st.LINES * seat + slot
    return best


@rule
def has_knights(book: Book, s: State, seat: int) -> bool:
    """Return whether a seat has a Knight in play. RT-12."""
    for slot in range(s.top[seat]):
        if st.is_knight(book, s, seat, slot):
            return True
    return False


@rule
def choose_bearer(book: Book, s: State, seat: int, mask: list[int], words: list[int]) -> int:
    """Put a card on a random Knight that can bear it. RT-12."""
    knight = any_of(mask, st.IN_PLAY + st.LINES * seat, st.IN_PLAY + st.LINES * seat + s.top[seat], words)
    return st.UNPAIRED if knight == st.NONE else knight


@rule
def knight_of(book: Book, s: State, seat: int, slot: int) -> int:
    """Return the slot of the Knight that a card in play is or is on, or NONE. RT-13, RT-14."""
    line = s.line[seat][slot]
    if line == st.NONE:
        return st.NONE
    kind = book.card[seat][line].kind
    return slot if kind == st.KNIGHT else st.NONE if kind == st.QUEST else s.bearer[seat][slot]


@rule
def printed_influence(book: Book, s: State, seat: int, knight: int) -> int:
    """Return the Influence printed on a Knight and on the cards that it bears. RT-21."""
    influence = 0
    for slot in range(s.top[seat]):
        if knight_of(book, s, seat, slot) == knight:
            influence += book.card[seat][s.line[seat][slot]].influence
    return influence


@rule
def needed(book: Book, s: State, seat: int, place: int) -> int:
    """Return the printed Influence that a seat lacks to capture an open Region. RT-21, RT-22."""
    need = book.region[s.region[s.open[place]]].resistance + 1
    most = 0
    for other in range(book.seats):
        resistance = 0
        for slot in range(s.top[other]):
            knight = knight_of(book, s, other, slot)
            if knight != st.NONE and s.place[other][knight] == place:
                card = book.card[other][s.line[other][slot]]
                if other == seat:
                    need -= card.influence
                else:
                    resistance += card.resistance
        most = max(most, resistance)
    return need + most


@rule
def at_home(book: Book, s: State, seat: int) -> int:
    """Return the printed Influence of all Knights that a seat can send. RT-16."""
    influence = 0
    for slot in range(s.top[seat]):
        knight = knight_of(book, s, seat, slot)
        if knight != st.NONE and s.place[seat][knight] == st.NONE and not st.is_engaged(s, seat, knight):
            influence += book.card[seat][s.line[seat][slot]].influence
    return influence


@rule
def best_place(book: Book, s: State, seat: int, force: int) -> int:
    """Return the place of the Region of most Renown that this much Influence would capture, or NONE. RT-22."""
    best, most = st.NONE, 0
    for place in range(st.OPEN_REGIONS):
        if s.open[place] != st.NONE:
            renown = book.region[s.region[s.open[place]]].renown
            need = needed(book, s, seat, place)
            if 0 < need <= force and renown > most:
                best, most = place, renown
    return best


@rule
def choose_campaign(book: Book, s: State, seat: int, mask: list[int], words: list[int]) -> int:
    """Send Knights if all of them could capture a Region, then play cards worth it, then pass. RT-16."""
    knight = any_of(mask, st.IN_PLAY + st.LINES * seat, st.IN_PLAY + st.LINES * seat + s.top[seat], words)
    if knight != st.NONE and best_place(book, s, seat, at_home(book, s, seat)) != st.NONE:
        return knight
    for line in range(book.main_lines[seat]):
        if mask[st.CARD + line] and is_worth_it(book, s, seat, line):
            return st.CARD + line
    return st.PASS


@rule
def is_worth_it(book: Book, s: State, seat: int, line: int) -> bool:
    """Return whether a card is worth playing on any Knight. RT-18, RT-19."""
    card = book.card[seat][line]
    if card.kind != st.QUEST and card.kind != st.REDIRECT:
        return True
    for other in range(book.seats):
        for slot in range(s.top[other]):
            if st.is_knight(book, s, other, slot) and worth(book, s, seat, line, other, slot) > 0:
                return True
    return False


@rule
def worth(book: Book, s: State, seat: int, line: int, other: int, slot: int) -> int:
    """Return the value of a Knight as a target: 2 for an attacking opponent, 1 for a useful own Knight. RT-18."""
    card = book.card[seat][line]
    if other != seat:
        return 2 if s.place[other][slot] != st.NONE else 0
    if card.kind == st.QUEST:
        return 1 if s.place[other][slot] == st.NONE else 0
    return 1 if card.task == st.RESET and s.place[other][slot] == st.NONE else 0


@rule
def choose_target(book: Book, s: State, seat: int, mask: list[int], words: list[int]) -> int:
    """Play a card on the Knight of most value as a target. RT-18, RT-19."""
    best, most, equals = st.NONE, st.NONE, 0
    for other in range(book.seats):
        for slot in range(s.top[other]):
            if mask[st.IN_PLAY + st.LINES * other + slot]:
                value = worth(book, s, seat, s.card, other, slot)
                equals = equals + 1 if value == most else 1
                if value > most or (value == most and rng.below(words, equals) == 0):
                    best, most = st.IN_PLAY + st.LINES * other + slot, value
    return best


@rule
def choose_place(book: Book, s: State, seat: int, mask: list[int], words: list[int]) -> int:
    """Send an own Knight where it helps to capture, and a Knight of an opponent anywhere. RT-16, RT-19."""
    if s.on_seat == seat:
        force = at_home(book, s, seat) if s.phase == st.CHOOSE_REGION else printed_influence(book, s, seat, s.on)
        place = best_place(book, s, seat, force)
        if place != st.NONE and mask[st.REGION + place]:
            return st.REGION + place
    place = any_of(mask, st.REGION, st.REGION + st.OPEN_REGIONS, words)
    return place if place != st.NONE else any_of(mask, st.IN_PLAY, st.IN_PLAY + st.LINES * book.seats, words)


@rule
def choose_support(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Take the cheapest Knight back if a dearer one in hand could replace it, else pass. RT-28."""
    cheapest = st.NONE
    for slot in range(s.top[seat]):
        asked = mask[st.IN_PLAY + st.LINES * seat + slot] and st.is_knight(book, s, seat, slot)
        if asked and (cheapest == st.NONE or s.rp[seat][slot] < s.rp[seat][cheapest]):
            cheapest = slot
    if cheapest != st.NONE:
        rp = s.rp[seat][cheapest]
        free = s.capacity[seat] - s.allocated[seat]
        for line in range(book.main_lines[seat]):
            card = book.card[seat][line]
            if s.hand[seat][line] > 0 and card.kind == st.KNIGHT and max(rp, free) < card.rp <= free + rp:
                return st.IN_PLAY + st.LINES * seat + cheapest
    return st.PASS
