"""Round Table: the question to a seat, the pieces that it is about, and the scene: a card being played, or Autumn.

`view` puts these into the view of a table, and makes its pieces of cards with `card_piece`.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from quintain.engine import Line, Piece, Question, Scene, Side, Stat
from quintain.games.round_table import state as st
from quintain.games.round_table.account import account
from quintain.games.round_table.autumn import remaining
from quintain.games.round_table.cards import base_set
from quintain.games.round_table.effects import cost
from quintain.games.round_table.state import Book, Card, State
from quintain.games.round_table.words import DEMESNES, face, kind_words, rp_words, unit_name

STRENGTHS = ("Influence", "Resistance")
STEPS = ("attacks", "quests", "redirects", "other_cards")
"""The keys of the questions in the steps of a Summer turn. RT-16."""
STEP_WORDS = ("attacks", "Quests", "Redirects", "other cards")
STEP_QUESTIONS = (
    "Whom do you send, or which card do you play?",
    "Which Quest or other card do you play?",
    "Which Redirect or other card do you play?",
    "Which other card do you play?",
)
HOW = {
    st.KNIGHT: "In Summer you send it to a Region: its Influence captures, its Resistance holds off opponents.",
    st.EQUIPMENT: "A Knight bears one piece of each kind. Unpaired it has no effect, but still takes up its RP.",
    st.TITLE: "A Knight bears any number of different Titles.",
    st.QUEST: "Played on a Knight in Summer: it leaves its attack. In Autumn its player draws a card for each RP. "
    "The game ends then if the player's decks hold too few cards.",
    st.REDIRECT: "Played in Summer, once a name. Its RP come back in Autumn.",
}
"""What a card of each kind is for. RT-13, RT-14, RT-16 to RT-20, RT-26, RT-27."""
OWN_END = "  "
"""Ends what a card itself says in its text: a narrow card shows no more. Pages show two spaces as one."""
AT_WORK = "at_work"
"""The id of a Redirect that has left the hand, while its player chooses its task."""


def question(book: Book, s: State, seat: int) -> Question:
    """Return the question to a seat that may act."""
    if s.phase == st.SET_UP:
        if s.set_up[seat] == st.KEEP_OR_NOT:
            return Question("keep", "Do you keep this hand?", "A mulligan shuffles it back; you draw ten anew, once.")
        return Question("split", "How many of your first ten cards are Demesnes?", "Demesnes pay for all other cards.")
    if s.phase == st.LIMIT:
        return Question(
            "discard", "Which card do you discard?", f"{_cards(s.to_drop[seat])} left to discard. All discard at once."
        )
    if s.owed_draws[seat] > 0 or s.phase == st.WINTER_DRAW:
        return Question("draw", "From which deck do you draw?", _draws(s.owed_draws[seat]))
    if s.owed_discards[seat] > 0:
        return Question("discard", "Which card do you discard?", f"{_cards(s.owed_discards[seat])} left to discard.")
    free = f"{s.capacity[seat] - s.allocated[seat]} RP free."
    if s.phase == st.RECRUIT:
        return Question("recruit", "What do you recruit, play or move?", f"{free} Passing ends your Spring.")
    if s.phase == st.CAMPAIGN:
        step = f"Step {s.step + 1} of 4: {STEP_WORDS[s.step]}. {free}"
        return Question(STEPS[s.step], STEP_QUESTIONS[s.step], step)
    if s.phase == st.SUPPORT:
        return Question("support", "Which cards do you take back into your hand?", "This frees their RP.")
    return _where(book, s, seat)


def _cards(number: int) -> str:
    return f"{number} card{'' if number == 1 else 's'}"


def _draws(owed: int) -> str:
    """Say how many cards a seat draws; in Winter it is one, for the new year. RT-26, RT-29."""
    if not owed:
        return "One card, for the new year."
    return f"{_cards(owed)} left to draw{'; you see each before the next' if owed > 1 else ''}."


def _where(book: Book, s: State, seat: int) -> Question:
    """Return the question that follows the choice of a card or a Knight. RT-12, RT-16, RT-18, RT-19."""
    if s.phase == st.CHOOSE_REGION:
        return Question("region", f"Which Region does {unit_name(book, s, s.on_seat, s.on, seat)} attack?")
    if s.phase == st.CHOOSE_TASK:
        return Question("task", f"Which new task for {unit_name(book, s, s.on_seat, s.on, s.on_seat)}?")
    card = book.card[seat][s.card if s.moving == st.NONE else s.line[seat][s.moving]]
    rp = cost(book, s, seat, s.card) if s.moving == st.NONE else 0
    left = f"{s.capacity[seat] - s.allocated[seat] - rp} RP left after it."
    if s.phase == st.CHOOSE_KNIGHT:
        draws = f" Its player draws {rp} in Autumn." if card.kind == st.QUEST else ""
        return Question("target", f"Which Knight gets {card.name}?", left + draws)
    return Question("bearer", f"Which Knight gets {card.name}?", left)


def about(s: State, seat: int, asked: str, places: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the ids of the pieces that a question is about; `places` holds the ids in each zone."""
    hand, knights = places[f"hand.{seat}"], places[f"knights.{seat}"]
    units = (*knights, *places[f"unpaired.{seat}"])
    match asked:
        case "split" | "draw":
            return (*places[f"deck.{seat}.0"], *places[f"deck.{seat}.1"])
        case "recruit":
            return hand or units or places[f"demesnes.{seat}"]
        case "attacks" | "quests" | "redirects" | "other_cards":
            return (*knights, *hand) or places["regions"]
        case "support":
            return units
        case "region" | "task":
            return (f"unit.{s.on_seat}.{s.on}",)
        case "bearer" | "target":
            return (taken_up(s, seat),)
    return hand


def taken_up(s: State, seat: int) -> str:
    """Return the id of the card that a seat moves or plays: in play, or the first of its copies in the hand."""
    return f"hand.{seat}.{sum(s.hand[seat][: s.card])}" if s.moving == st.NONE else f"unit.{seat}.{s.moving}"


def scene(book: Book, s: State, seat: int, asked: str, shown: Mapping[str, Piece]) -> Scene | None:
    """Return the scene: a card that is played, cards that are discarded or drawn, or the attacks of Autumn."""
    if s.phase == st.CHOOSE_TASK:
        card, knight = held(book, s, s.turn, s.card, AT_WORK), f"unit.{s.on_seat}.{s.on}"
        card = replace(card, text=book.card[s.turn][s.card].text or card.text)
        return Scene("card", "strip", card.name, card, slots=(knight, None), places=(knight,))
    if asked == "discard":
        dropped = tuple(id_ for id_ in shown if id_.startswith(f"dropped.{seat}."))
        left = s.to_drop[seat] + s.owed_discards[seat]
        return Scene("discard", "strip", "Cards to discard", slots=(*dropped, *((None,) * left)))
    if asked == "split":
        return Scene("split", "panel", "Your two decks", places=(f"deck.{seat}.0", f"deck.{seat}.1"))
    lines = tuple(account(book, s)) if s.season == st.AUTUMN and not s.over else ()
    sides = tuple(_sides(book, s)) if lines else ()
    places = tuple(dict.fromkeys(place for side in sides for place in side.pieces))
    return Scene("autumn", "stage", "What Autumn decided", sides=sides, lines=lines, places=places) if lines else None


def _sides(book: Book, s: State) -> Iterator[Side]:
    """Yield the forces in each Region of this Autumn, with their remaining Influence. RT-21."""
    for place in range(st.OPEN_REGIONS):
        for seat in range(book.seats):
            if s.judged_there[place][seat]:
                influence, left = s.judged_influence[place][seat], remaining(book, s, place, seat)
                less = Stat("against", influence - left, words="greatest Resistance of one opponent there")
                stats = (*strengths(influence, s.judged_resistance[place][seat]), less)
                called = book.region[s.region[s.judged[place]]].name
                yield Side(seat, called, (_judged_region(s, place),), stats, left)


def _judged_region(s: State, place: int) -> str:
    """Return the id of a Region of the last Autumn: a captured one, or one that is still open. RT-22, RT-24."""
    captor = s.judged_captor[place]
    if captor == st.NONE:
        return f"region.{place}"
    return f"captured.{captor}.{s.captor[: s.judged[place]].count(captor)}"


def held(book: Book, s: State, owner: int, line: int, id_: str, **more: Any) -> Piece:
    """Return a card that is not in play as a piece, with its cost now; `more` are other fields of a Piece."""
    card = book.card[owner][line]
    return card_piece(id_, card, owner, None if card.kind == st.DEMESNE else cost(book, s, owner, line), **more)


def card_piece(id_: str, card: Card, owner: int, rp: int | None, **more: Any) -> Piece:
    """Return a card as a piece; `rp` is its cost after effects (None: no cost), `more` other fields of a Piece."""
    now = () if rp is None or rp == card.rp else (Line(rp_words(card, rp), clause="RT-10"),)
    fields = {"name": card.name, "kind": kind_words(card, card.types), "stats": printed(card), "now": now}
    return Piece(
        id_, face(card.name), short=short_name(card.name), text=text(card), cost=rp, seat=owner, **{**fields, **more}
    )


@lru_cache(1024)
def short_name(name: str) -> str:
    """Return the short name of a card; empty if it has none."""
    return base_set().short.get(name, "")


def text(card: Card) -> str:
    """Return what a card says and, after OWN_END, what cards of its kind are for."""
    if card.kind == st.DEMESNE:
        return demesne_text(card.step, card.rp)
    return f"{card.text}{OWN_END}{HOW[card.kind]}"


def demesne_text(step: int, rp: int) -> str:
    """Return what a Demesne does. RT-8, RT-9."""
    below = f" It goes on a {DEMESNES[step - 1]} of yours." if step else ""
    more = f"A {DEMESNES[step - 1]} bears one {DEMESNES[step]}. " if step else ""
    return f"It adds {rp} RP to your capacity.{below}{OWN_END}{more}You play one Demesne each Spring."


def printed(card: Card) -> tuple[Stat, ...]:
    """Return the printed numbers of a card without its cost; those of Equipment and Titles are signed changes."""
    if card.kind == st.KNIGHT:
        return strengths(card.influence, card.resistance)
    if card.kind == st.DEMESNE:
        return (Stat("capacity", card.rp, words="RP", signed=True),)
    changes = strengths(card.influence, card.resistance)
    return tuple(replace(stat, signed=True) for stat in changes if stat.number)


def strengths(influence: int, resistance: int, card: Card | None = None) -> tuple[Stat, ...]:
    """Return Influence and Resistance as stats, each with the number printed on the card if that differs."""
    printed_ones = (influence, resistance) if card is None else (card.influence, card.resistance)
    return tuple(
        Stat(words.casefold(), number, None if number == other else other, words)
        for words, number, other in zip(STRENGTHS, (influence, resistance), printed_ones, strict=True)
    )
