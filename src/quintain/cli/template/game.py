"""# Goofspiel

Everybody holds the cards 1 to 13 and bids one of them for each prize, face down. The prizes are worth 13
points, 12, and so on down to 1. When all have bid, the cards are turned up, and the single highest wins the
prize; if several are highest, nobody does. Cards that were bid are spent. The most points win the game.
"""

import sys

from quintain.engine import (
    UNKNOWN,
    Arrangement,
    Event,
    Game,
    Label,
    Line,
    Option,
    Phase,
    Piece,
    Question,
    Reason,
    Record,
    Role,
    Score,
    View,
    Zone,
    back,
    field,
    ranked,
    rng,
    rule,
    seats_in,
    tell,
)

PITCH = "Bid for prizes with the same cards as everybody else, all at once."
SEATS, CARDS, ACTIONS, LONGEST, OUTCOMES = 4, 13, 14, 52, 1
NO_BID, NOBODY = 0, -1
BID, SHOWN, WON = range(3)
STEPS = Label("bid", "bidding"), Label("over", "over")


class Book(Record):
    seats: int = field(low=2, high=SEATS)
    cards: int = field(low=2, high=CARDS)


class State(Record):
    rng: list[int] = field(4, bits=64)
    over: int = field(low=0, high=1)
    prize: int = field(low=0, high=CARDS)
    waiting: int = field(low=0, high=(1 << SEATS) - 1, means="seats")
    hand: list[list[int]] = field(SEATS, ACTIONS, low=0, high=1, seats=0)
    bid: list[int] = field(SEATS, low=NO_BID, high=CARDS, seats=0, secret=True)
    shown: list[int] = field(SEATS, low=NO_BID, high=CARDS, seats=0)
    points: list[int] = field(SEATS, low=0, high=CARDS * (CARDS + 1) // 2, seats=0)
    events_made: int = field(bits=64, low=0)
    events: list[Event] = field(SEATS + 2)


@rule
def deal(book: Book, s: State) -> None:
    for seat in range(book.seats):
        for card in range(1, book.cards + 1):
            s.hand[seat][card] = 1
    s.prize = book.cards
    s.waiting = (1 << book.seats) - 1


@rule
def to_act(book: Book, s: State) -> int:
    return s.waiting


@rule
def legal(book: Book, s: State, seat: int, mask: list[int]) -> int:
    for card in range(ACTIONS):
        mask[card] = s.hand[seat][card]
    return s.prize


@rule
def play(book: Book, s: State, seat: int, action: int) -> None:
    s.bid[seat] = action
    s.waiting -= 1 << seat
    tell(s, BID, seat)
    if s.waiting == 0:
        reveal(book, s)


@rule
def reveal(book: Book, s: State) -> None:
    for seat in range(book.seats):
        s.shown[seat] = s.bid[seat]
        s.bid[seat] = NO_BID
        s.hand[seat][s.shown[seat]] = 0
        tell(s, SHOWN, seat, a=s.shown[seat])
    winner = highest_bidder(book, s.shown)
    if winner != NOBODY:
        s.points[winner] += s.prize
    tell(s, WON, winner, a=s.prize)
    s.prize -= 1
    s.over = 1 if s.prize == 0 else 0
    s.waiting = 0 if s.over else (1 << book.seats) - 1


@rule
def highest_bidder(book: Book, bids: list[int]) -> int:
    highest, winner = NO_BID, NOBODY
    for seat in range(book.seats):
        if bids[seat] >= highest:
            winner = NOBODY if bids[seat] == highest else seat
            highest = bids[seat]
    return winner


@rule
def outcome(book: Book, s: State, scores: list[int], ranks: list[int]) -> None:
    for seat in range(book.seats):
        scores[seat] = s.points[seat]
        ranks[seat] = 1
        for other in range(book.seats):
            ranks[seat] += 1 if s.points[other] > s.points[seat] else 0


@rule
def hide(book: Book, s: State, seat: int) -> None:
    for other in range(book.seats):
        if other != seat and s.bid[other] != NO_BID:
            s.bid[other] = UNKNOWN


@rule
def redeal(book: Book, s: State) -> None:
    for seat in range(book.seats):
        while s.bid[seat] == UNKNOWN:
            card = 1 + rng.below(s.rng, book.cards)
            s.bid[seat] = card if s.hand[seat][card] else UNKNOWN


OPTIONS = (Option("cards", "number", CARDS, "cards in a hand, and prizes", least=2, most=CARDS),)


def make_book(seats: int, options: dict[str, int]) -> Book:
    return Book.from_json({"seats": seats, **options})


def rulebook() -> str:
    return __doc__ or ""


def name(book: Book, s: State, seat: int, action: int) -> str:
    return f"bid {action}"


def parse(book: Book, s: State, seat: int, text: str) -> int | None:
    return {f"bid {card}": card for card in range(1, ACTIONS)}.get(" ".join(text.lower().split()))


def why_not(book: Book, blinded: State, seat: int, action: int) -> Reason:
    may_act = blinded.waiting >> seat & 1
    return Reason("", f"there is no {action} in your hand" if may_act else "you have no bid to make now")


def narrate(book: Book, event: Event, viewer: int) -> str:
    who = {viewer: "You", NOBODY: "Nobody"}.get(event.seat, f"seat {event.seat}")
    did = {BID: "placed a bid", SHOWN: f"showed the {event.a}", WON: f"won the prize of {event.a}"}
    return f"{who} {did[event.kind]}."


def account(book: Book, blinded: State) -> list[Line]:
    bids = Line(f"Bids for the prize of {blinded.prize + 1}", tuple(blinded.shown[: book.seats]), "")
    points = Line("Points so far", tuple(blinded.points[: book.seats]), "")
    return [bids, points] if blinded.prize < book.cards else []


def piece(place: str, card: int, seat: int | None, mine: bool) -> Piece:
    if card == UNKNOWN:
        return back(place, seat)
    words = str(card)
    return Piece(place, key=words, name=words, corner=words, seat=seat, means=(card,) if mine else ())


def zone(
    id: str, role: Role, seat: int | None, layout: Arrangement, cards: list[int], words: str, mine: bool = False
) -> Zone:
    pieces = [piece(f"{id}.{i}", n, seat, mine) for i, n in enumerate(cards) if n == UNKNOWN or n != NO_BID]
    return Zone(id, role, seat, layout, tuple(pieces), size=len(pieces), words=words)


def view(book: Book, blinded: State, seat: int) -> View:
    s, acting = blinded, [] if blinded.over else seats_in(blinded.waiting)
    on_table = s.bid if 0 < len(acting) < book.seats else s.shown
    prizes = list(range(s.prize, 0, -1))
    zones = [zone("prizes", role="track", seat=None, layout="track", cards=prizes, words="Prizes")]
    for owner, points in enumerate(s.points[: book.seats]):
        mine = owner == seat
        hand = [card for card in range(ACTIONS) if s.hand[owner][card] and not (mine and card == s.bid[seat])]
        bid, words = [on_table[owner]], f"seat {owner}, {points} points"
        zones += [zone(f"bid.{owner}", "middle", owner, layout="row", cards=bid, words=f"Bid of seat {owner}")]
        zones += [zone(f"hand.{owner}", "hand", owner, layout="fan", cards=hand, words=words, mine=mine)]
    phase = Phase("over" if s.over else "bid", STEPS, book.cards + 1 - max(s.prize, 1), book.cards)
    asked = Question("bid", f"Which card do you bid for the prize of {s.prize}?") if seat in acting else None
    ranks = ranked(s.points[: book.seats])
    scores = [Score(i, s.points[i], "points", certain=True, parts=(), rank=ranks[i]) for i in range(book.seats)]
    return View(tuple(zones), phase, asked, tuple(scores), about=("prizes.0",) if asked else ())


here = sys.modules[__name__]
GAME = Game(
    "goofspiel",
    "Goofspiel",
    seats=(2, SEATS, 2),
    pitch=PITCH,
    minutes=(5, 10),
    weight=1,
    rules=here,
    contract=2,
)
