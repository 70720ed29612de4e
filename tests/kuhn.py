"""# Kuhn poker

A poker of three cards for two (H. W. Kuhn, 1950). Each puts one chip into the pot and gets one of the cards jack,
queen and king; the third stays hidden. The first player checks or bets a second chip. After a bet, the other calls
with a chip, too, or folds and loses the pot. After two checks or a call, the higher card wins the pot.
"""

import sys

from quintain.engine import (
    UNKNOWN,
    Event,
    Game,
    Label,
    Line,
    Phase,
    Piece,
    Question,
    Reason,
    Record,
    Score,
    Stat,
    View,
    Zone,
    back,
    field,
    ranked,
    rng,
    rule,
    tell,
    token,
)

SEATS, CARDS, ACTIONS = 2, 3, 2
LONGEST, OUTCOMES = 3, CARDS
WINDOW = 2, 6
PASS, BET = range(ACTIONS)
CHECKED, BETTED, CALLED, FOLDED, SHOWED = range(5)
PAYOFFS = -2, 2
JACK_TO_KING = "jack", "queen", "king"
STEPS = Label("bet", "betting"), Label("over", "over")


class Book(Record):
    seats: int = field(low=2, high=SEATS)


class State(Record):
    rng: list[int] = field(4, bits=64)
    over: int = field(low=0, high=1)
    turn: int = field(low=0, high=1, means="seat")
    card: list[int] = field(SEATS, low=0, high=CARDS - 1, seats=0, means="kind", secret=True)
    chips: list[int] = field(SEATS, low=0, high=2, seats=0)
    winner: int = field(low=0, high=1, means="seat")
    events_made: int = field(bits=64, low=0)
    events: list[Event] = field(4)


@rule
def deal(book: Book, s: State) -> None:
    s.card[0] = rng.below(s.rng, CARDS)
    s.card[1] = (s.card[0] + 1 + rng.below(s.rng, CARDS - 1)) % CARDS
    for seat in range(SEATS):
        s.chips[seat] = 1


@rule
def to_act(book: Book, s: State) -> int:
    return 1 << s.turn


@rule
def legal(book: Book, s: State, seat: int, mask: list[int]) -> int:
    mask[PASS] = mask[BET] = 1
    return 2


@rule
def play(book: Book, s: State, seat: int, action: int) -> None:
    faces_bet = s.chips[1 - seat] == 2
    if action == BET:
        s.chips[seat] = 2
        tell(s, CALLED if faces_bet else BETTED, seat)
    else:
        tell(s, FOLDED if faces_bet else CHECKED, seat)
    s.turn = 1 - seat
    if faces_bet or (action == PASS and seat == 1):
        s.over = 1
        s.winner = 1 - seat if faces_bet and action == PASS else 0 if s.card[0] > s.card[1] else 1
        for other in range(SEATS):
            tell(s, SHOWED, other, a=s.card[other])


@rule
def won(s: State, seat: int) -> int:
    return s.chips[1 - seat] if seat == s.winner else -s.chips[seat]


@rule
def outcome(book: Book, s: State, scores: list[int], ranks: list[int]) -> None:
    for seat in range(SEATS):
        scores[seat] = won(s, seat)
        ranks[seat] = 1 if seat == s.winner else 2


@rule
def payoff(book: Book, s: State, values: list[float]) -> None:
    for seat in range(SEATS):
        values[seat] = won(s, seat)


@rule
def hide(book: Book, s: State, seat: int) -> None:
    for other in range(SEATS):
        s.card[other] = s.card[other] if other == seat else UNKNOWN


@rule
def redeal(book: Book, s: State) -> None:
    for seat in range(SEATS):
        while s.card[seat] == UNKNOWN:
            card = rng.below(s.rng, CARDS)
            s.card[seat] = card if s.card[1 - seat] != card else UNKNOWN


OPTIONS = ()


def make_book(seats: int, options: dict[str, int]) -> Book:
    return Book.from_json({"seats": seats})


def rulebook() -> str:
    return __doc__ or ""


def name(book: Book, s: State, seat: int, action: int) -> str:
    names = ("fold", "call") if s.chips[1 - seat] == 2 else ("check", "bet")
    return names[action]


def parse(book: Book, s: State, seat: int, text: str) -> int | None:
    return {name(book, s, seat, action): action for action in range(ACTIONS)}.get(text.strip().lower())


def why_not(book: Book, blinded: State, seat: int, action: int) -> Reason:
    return Reason("", "it is not your turn")


def narrate(book: Book, event: Event, viewer: int) -> str:
    who = "You" if event.seat == viewer else f"seat {event.seat}"
    card = JACK_TO_KING[event.a] if event.kind == SHOWED else ""
    return f"{who} {('checked', 'bet a chip', 'called', 'folded', f'had the {card}')[event.kind]}."


def account(book: Book, blinded: State) -> list[Line]:
    return [Line("Chips in the pot", tuple(blinded.chips), "")]


def card_of(s: State, seat: int) -> Piece:
    if s.card[seat] == UNKNOWN:
        return back(f"card.{seat}", seat)
    return Piece(f"card.{seat}", JACK_TO_KING[s.card[seat]], JACK_TO_KING[s.card[seat]], seat=seat)


def view(book: Book, blinded: State, seat: int) -> View:
    s, zones, asked = blinded, [], None
    for owner in range(SEATS):
        pot = token(f"pot.{owner}", Stat("chips", s.chips[owner], words="chips"), seat=owner)
        zones += [Zone(f"card.{owner}", "hand", owner, "row", (card_of(s, owner),), 1, f"Card of seat {owner}")]
        zones += [Zone(f"pot.{owner}", "middle", owner, "row", (pot,), 1, f"Chips of seat {owner}")]
    if s.turn == seat and not s.over:
        asked = Question("bet", f"Do you {name(book, s, seat, PASS)} or {name(book, s, seat, BET)}?")
    chips = [won(s, owner) if s.over else 0 for owner in range(SEATS)]
    scores = tuple(Score(i, chips[i], "chips", bool(s.over), (), ranked(chips)[i]) for i in range(SEATS))
    about = (f"pot.{1 - seat}",) if asked else ()
    return View(tuple(zones), Phase(STEPS[s.over].key, STEPS, 1, 1), asked, scores, about=about, last=(PASS,))


here = sys.modules[__name__]
GAME = Game("kuhn", "Kuhn poker", seats=(2, 2, 2), pitch="Bet or bluff.", minutes=(1, 2), weight=1, rules=here)
