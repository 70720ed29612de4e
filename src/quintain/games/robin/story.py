"""The story of a finished tournament: for each round the hands, the stage that decided, and who fell."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple, cast

from quintain.engine import Cell, Course, Curve, GridRow, Tale, Turned, numbers_of
from quintain.games.robin import state as st
from quintain.games.robin.state import Book, State
from quintain.games.robin.words import STAGES, card_name

COMPARISONS = range(st.COMPARED, st.COMPARED + st.STAGES)
NOBODY = -1


class Hand(NamedTuple):
    """A hand of a round: its step, the comparisons in words by stage, who fell, and the stages held after it.

    `winner` is the seat that won the round by it, NOBODY if it drew the round, and None if the round went on. `clause`
    is the one by which the round ended.
    """

    step: int
    round: int
    won: tuple[tuple[int, int, str], ...]
    """For each comparison with a winner: the seat, the stage, and words."""
    held: tuple[int, int]
    winner: int | None
    clause: str

    def fallen(self, seat: int) -> int:
        """Return how many characters of a seat fell."""
        return sum(winner != seat for winner, _, _ in self.won)


def story(book: Book, course: Course) -> Tale:
    """Tell what decided each round, and how many stages each player held, hand by hand. RH-6, RH-13, RH-15."""
    hands = tuple(_hands(book, course))
    rounds = [(number, tuple(of_round)) for number, of_round in groupby(hands, key=lambda hand: hand.round)]
    held = _held(hands) if len(hands) > 1 else None
    return Tale(tuple(_rows(course, rounds)), held, tuple(_ends(rounds)), _end(course))


def _end(course: Course) -> str:
    """Return why the tournament ended. RH-6."""
    won = cast(State, course.state(course.last)).victories
    winner = next((told.event.seat for told in course.told if told.event.kind == st.TOURNAMENT_WON), None)
    if winner is None:
        return "The tournament has lasted as many rounds as it may."
    rounds = "1 round" if won[winner] == 1 else f"{won[winner]} rounds"
    return f"seat {winner} has won {rounds}."


def _hands(book: Book, course: Course) -> Iterator[Hand]:
    number = following = 0
    for step, events in groupby(course.told, key=lambda told: told.step):
        won, winner, clause, is_hand = [], None, "RH-15", False
        for _, _, event in events:
            if event.kind == st.ROUND_BEGINS:
                number = event.a if not is_hand else number
                following = event.a
            elif event.kind in COMPARISONS or event.kind == st.UNOPPOSED:
                is_hand = True
                if event.kind in COMPARISONS and event.c != event.d:
                    won.append(_comparison(book, event.kind - st.COMPARED, (event.a, event.b), (event.c, event.d)))
            elif event.kind in (st.ROUND_WON, st.ROUND_DRAWN):
                winner = event.seat if event.kind == st.ROUND_WON else NOBODY
                clause = "RH-16" if (event.kind, event.a) == (st.ROUND_DRAWN, st.PILE_EMPTY) else "RH-15"
        if is_hand:
            fought = cast(State, course.state(step)).fought
            held = [sum(card != st.NONE for card in fought[seat]) for seat in range(st.SEATS)]
            left = tuple(held[seat] - sum(who != seat for who, _, _ in won) for seat in range(st.SEATS))
            yield Hand(step, number, tuple(won), cast(tuple[int, int], left), winner, clause)
            number = following


def _comparison(book: Book, stage: int, cards: tuple[int, int], levels: tuple[int, int]) -> tuple[int, int, str]:
    """Return who wins a comparison, on which stage, and words such as ``Endurance: Joan (5) beats Alan (3)``. RH-13."""
    winner = int(levels[0] < levels[1])
    called = [f"{card_name(book, card)} ({level})" for card, level in zip(cards, levels, strict=True)]
    return winner, stage, f"{STAGES[stage]}: {called[winner]} beats {called[1 - winner]}"


def _rows(course: Course, rounds: Sequence[tuple[int, tuple[Hand, ...]]]) -> Iterator[GridRow]:
    for number, hands in rounds:
        winner, clause = hands[-1].winner, hands[-1].clause
        cells = tuple(
            Cell(int(winner == seat), f"{sum(hand.fallen(seat) for hand in hands)} fell") for seat in range(st.SEATS)
        )
        yield GridRow(f"Round {number}", cells, clause, _note(hands))
    victories = cast(State, course.state(course.last)).victories
    yield GridRow("Rounds won", numbers_of(victories), "RH-6", is_total=True)


def _note(hands: Sequence[Hand]) -> str:
    """Return how long a round took, and the stages that decided it."""
    last, played = hands[-1], "1 hand" if len(hands) == 1 else f"{len(hands)} hands"
    if last.winner is None:
        return f"{played}, not finished"
    if last.winner == NOBODY:
        return f"{played}, drawn"
    return f"{played}, {_deciding(last) or 'Agility'} decided"


def _deciding(hand: Hand) -> str:
    """Return the stages that the winner of a round won in its last hand."""
    return " and ".join(STAGES[stage] for winner, stage, _ in hand.won if winner == hand.winner)


def _held(hands: Sequence[Hand]) -> Curve:
    """Return the stages that each player held after each hand. RH-15."""
    labels = tuple(str(number) for number in range(1, len(hands) + 1))
    by_seat = tuple(tuple(hand.held[seat] for hand in hands) for seat in range(st.SEATS))
    return Curve(f"stages held, of {st.STAGES}", "hand", labels, by_seat, is_score=False)


def _ends(rounds: Sequence[tuple[int, tuple[Hand, ...]]]) -> Iterator[Turned]:
    """Yield the hand that won each round. RH-6."""
    for number, hands in rounds:
        last = hands[-1]
        if last.winner in range(st.SEATS):
            wins = [words for winner, _, words in last.won if winner == last.winner]
            how = wins[-1] if wins else "Agility unopposed"
            words = f"Round {number}: seat {last.winner} wins in {len(hands)} hands. {how}."
            yield Turned(last.step, last.winner, words, worth=1)
