"""The table of King's Court as a viewer sees it: hands, houses, played cards, the question, and the scores so far.

`view` is given a blinded state. `houses` makes the houses, `scene` the question and the scene; `board.html` shows all
of it in the browser.
"""

from functools import cache, lru_cache

from quintain.engine import Count, Label, Phase, Piece, Reach, Score, Stat, View, Zone, acting, back, ranked, token
from quintain.games.kings_court import rules as r
from quintain.games.kings_court import state as st
from quintain.games.kings_court.houses import COUNTER_TEXT, HOUSE_KEYS, Known, houses, known_of
from quintain.games.kings_court.scene import CARD_KEYS, about, card_played, question, scene_of
from quintain.games.kings_court.secrecy import is_free
from quintain.games.kings_court.state import Book, State
from quintain.games.kings_court.words import CARD_NAMES, CARD_TEXTS, HOUSE_NAMES

PIECES_KEPT = 8192
SET_UP = (Label("order", "Order"), Label("counters", "Counters"))
TURN = (Label("draw", "Draw"), Label("play", "Play"), Label("give", "Give"))
OVER = (Label("over", "Over"),)


def view(book: Book, s: State, seat: int) -> View:
    """Return the table as a seat (-1: a spectator) sees it. KC-8."""
    me, asked = max(seat, 0), seat in acting(r, book, s)
    known = [known_of(s, each) for each in range(st.SEATS)]
    deck = Zone("deck", "pile", None, "stack", _backs("deck", min(s.deck_size, 1), None), s.deck_size, "Deck")
    puts = _puts(book, s, seat) if asked and s.phase == st.PUT_COUNTERS else ()
    supply = [_supply(seat, puts)] if puts else []
    own, scene = _hand(s, me, seat, known[me]), scene_of(book, s, seat, asked)
    zones = (_hand(s, 1 - me, seat, known[1 - me]), deck, houses(book, s, seat, known), _played(s), *supply, own)
    return View(
        zones,
        phase(book, s, seat),
        question(book, s, seat) if asked else None,
        _scores(book, s, known),
        _counts(book, s),
        scene,
        about(book, s, seat, own, scene) if asked else (),
        _legend(seat),
        last=(st.MOVE_NOTHING, st.STOP),
    )


@cache
def _legend(viewer: int) -> tuple[Label, ...]:
    """Return the words for the states of pieces."""
    binds = ("your next gift" if seat == viewer else f"the next gift of seat {seat}" for seat in range(st.SEATS))
    return (
        Label("banned", "may not be given"),
        *(Label(f"bound.{seat}", f"binds {words}") for seat, words in enumerate(binds)),
        Label("known", "known"),
        Label("asked", "here now"),
        Label("unput", "not put yet"),
        Label("outdated", "may be out of date"),
        Label("half", "only one counter known"),
    )


def phase(book: Book, s: State, seat: int) -> Phase:
    """Return the step of the turn, and the number of the turn, from 1 to 17 in the full game. KC-5, KC-7."""
    turns = (book.plays + 1) // st.SEATS
    if s.phase in (st.CHOOSE_ORDER, st.PUT_COUNTERS):
        return Phase(SET_UP[s.phase == st.PUT_COUNTERS].key, SET_UP, 0, turns, unit="turn")
    turn = (s.plays_made - (s.phase > st.PLAY_CARD)) // st.SEATS + 1
    if s.over or s.phase == st.OVER:
        return Phase("over", OVER, turn, turns, unit="turn")
    note = "the last card" if s.plays_made >= book.plays - 1 and s.phase != st.GIVE_CARD else ""
    return Phase("give" if s.phase == st.GIVE_CARD else "play", TURN, turn, turns, note, "turn")


def _counts(book: Book, s: State) -> tuple[Count, ...]:
    """Return the size of the deck, and how many counters each seat has put while they do so. KC-4, KC-8."""
    deck = Count("deck", None, s.deck_size, None, "deck")
    if s.phase != st.PUT_COUNTERS:
        return (deck,)
    put = (Count("counters", seat, s.counters_put[seat], book.houses, "counters put") for seat in range(st.SEATS))
    return deck, *put


def _scores(book: Book, s: State, known: list[Known]) -> tuple[Score, ...]:
    """Return the scores as they stand, from what the viewer knows; at the end, the final scores."""
    found = [[_house_score(s, known, seat, house) for house in range(book.houses)] for seat in range(st.SEATS)]
    totals = [sum(number for number, _ in each) for each in found]
    ranks = list(ranked(totals))
    if s.phase == st.OVER:
        r.outcome(book, s, [0] * st.SEATS, ranks)
    made = []
    for seat, brought in enumerate(found):
        counts = zip(HOUSE_KEYS[: book.houses], brought, HOUSE_NAMES[: book.houses], strict=True)
        parts = tuple([Count(key, seat, number, None, words) for key, (number, _), words in counts])
        certain = all(certain for _, certain in brought)
        made.append(Score(seat, totals[seat], "points", certain, parts, ranks[seat]))
    return tuple(made)


def _house_score(s: State, known: list[Known], seat: int, house: int) -> tuple[int, bool]:
    """Return a seat's score for a house as it stands, and whether nothing hidden can change it. KC-16, KC-17."""
    own, other = known[seat], known[1 - seat]
    is_less = own.favour[house] < other.favour[house]
    if is_less and own.whole:
        return 0, True
    score, certain = s.influence[seat][house], True
    if r.majority(s, house) == seat:
        counters = own.counters[house], other.counters[house]
        score, certain = score + sum(filter(None, counters)), None not in counters
    may_fall = is_less or not other.whole
    return score, certain and not (score and may_fall)


@lru_cache(PIECES_KEPT)
def _backs(zone: str, count: int, seat: int | None, start: int = 0) -> tuple[Piece, ...]:
    return tuple(back(f"{zone}.{i}", seat) for i in range(start, start + count))


def _hand(s: State, owner: int, viewer: int, known: Known) -> Zone:
    """Return a hand: face up the cards that the viewer knows, then the others as backs."""
    zone, size, held = f"hand.{owner}", s.hand_size[owner], known.held
    pieces = tuple([_held(s, owner, i, viewer, card, known) for i, card in enumerate(held)])
    words = "Your hand" if owner == viewer else f"Hand of seat {owner}"
    return Zone(zone, "hand", owner, "fan", pieces + _backs(zone, size - len(held), owner, len(held)), size, words)


def _held(s: State, owner: int, number: int, viewer: int, card: int, known: Known) -> Piece:
    """Return a card of a hand, marked if it was a gift that both players know. KC-6, KC-8."""
    place = f"hand.{owner}.{number}"
    if owner != viewer:
        return _card(place, card, owner, "" if s.over else "known", False, (), None)
    gives = s.phase == st.GIVE_CARD and s.turn == owner
    banned = "banned" if gives and card == s.last_gift else ""
    plays = s.phase == st.PLAY_CARD and s.turn == owner
    means = () if plays else {st.PLAY_CARD: (st.PLAY + card,), st.GIVE_CARD: (st.GIVE + card,)}.get(s.phase, ())
    favour = known.favour[st.house_of(card)] if gives else None
    return _card(place, card, owner, banned, s.given[card] == 1 and not s.over, means, favour, plays)


@lru_cache(PIECES_KEPT)
def _card(
    place: str,
    card: int,
    owner: int,
    state: str,
    shared: bool,
    means: tuple[int, ...],
    favour: int | None,
    plays: bool = False,
) -> Piece:
    """Return a card of a hand; whether it `plays` into its house now. With `favour`, the sum of the ranks of its house
    there, it shows what is left without it. KC-17."""
    house, rank = HOUSE_NAMES[st.house_of(card)], st.rank_of(card)
    stats = () if favour is None else (Stat("left", favour - rank, favour, "left in your hand"),)
    return Piece(
        place,
        CARD_KEYS[card],
        CARD_NAMES[card],
        short=house,
        kind=f"counts {rank} for {house} in a hand at the end",
        corner=str(rank),
        stats=stats,
        text=CARD_TEXTS[card],
        seat=owner,
        state=frozenset(filter(None, [state])),
        known_to=(1 - owner,) if shared else (),
        means=means,
        reaches=(Reach(st.PLAY + card, f"house.{st.house_of(card)}"),) if plays else (),
    )


def _played(s: State) -> Zone:
    """Return the cards played, in order."""
    pieces = tuple([card_played(i, card, s.first ^ (i & 1)) for i, card in enumerate(s.played[: s.plays_made])])
    return Zone("played", "pile", None, "row", pieces, s.plays_made, "Played cards")


def _puts(book: Book, s: State, seat: int) -> tuple[int, ...]:
    """Return the actions that put each remaining counter on the next house. KC-4."""
    base = st.PUT + len(st.COUNTERS) * s.counters_put[seat]
    return tuple(base + counter for counter in range(len(st.COUNTERS)) if is_free(book, s, seat, counter))


def _supply(seat: int, puts: tuple[int, ...]) -> Zone:
    """Return the counters that the seat has not put yet. KC-4."""
    numbers = [st.COUNTERS[action % len(st.COUNTERS)] for action in puts]
    stats = [Stat("counter", number, words="counter", signed=True) for number in numbers]
    pieces = tuple(
        token(f"supply.{i}", stats[i], seat=seat, means=(action,), text=COUNTER_TEXT) for i, action in enumerate(puts)
    )
    return Zone("supply", "offer", seat, "row", pieces, len(pieces), "Your counters")
