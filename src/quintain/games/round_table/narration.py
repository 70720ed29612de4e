"""Round Table: each event of a match in words, for the log of one viewer."""

from quintain.engine import UNKNOWN, Event, capital
from quintain.games.round_table import state as st
from quintain.games.round_table.state import Book
from quintain.games.round_table.words import SEASONS, card_name, next_regions

DECKS = ("the Main deck", "the Demesne deck")
ENDS = (
    "the last Region is captured",
    "a player cannot draw, as both decks are empty",
    "a player holds more than half of all Renown",
    "a player's Quests give more draws than both decks hold",
)


def narrate(book: Book, event: Event, viewer: int) -> str:
    """Return one event in words, as a viewer may know it; -1 is a spectator."""
    kind, seat = event.kind, event.seat
    if kind == st.SEASON_BEGAN:
        return f"{SEASONS[event.a]} begins; {_who(seat, viewer)} {'are' if seat == viewer else 'is'} the active player."
    if kind == st.REGION_OPENED:
        return f"{book.region[event.a].name} lies open."
    if kind == st.REGION_STAYED:
        return f"{book.region[event.a].name} stays independent."
    if kind == st.DECK_LAID_OPEN:
        cards = (f"{book.copies[seat][line]} {card_name(book, seat, line)}" for line in range(book.lines[seat]))
        whose = "Your deck" if seat == viewer else f"The deck of seat {seat}"
        return f"{whose}, {book.deck_name[seat]}: {', '.join(cards)}."
    if kind == st.GAME_OVER:
        return f"The game is over: {ENDS[event.a]}."
    if kind == st.MORE_SPENT:
        return f"{event.a} more of {_whose(seat, viewer)} cards {'goes' if event.a == 1 else 'go'} to the Spent Pile."
    if kind == st.DECKS_FALL_SHORT:
        whose, decks = ("Your", "your") if seat == viewer else (f"seat {seat}'s", "both")
        return f"{whose} Quests give more draws than {decks} decks hold: the game ends after the draws."
    if kind in PASSIVE:
        return f"{_subject(book, event, viewer)} {PASSIVE[kind]}."
    if kind == st.ATTACKED:
        return f"{_subject(book, event, viewer)} attacks {book.region[event.b].name}."
    if kind == st.JOINED:
        return f"{_subject(book, event, viewer)} goes on {card_name(book, event.other, event.b)}."
    return _does(book, event, viewer)


PASSIVE = {
    st.QUEST_OVER: "is over",
    st.WAS_RESET: "is reset",
    st.WAS_ENGAGED: "is engaged",
    st.RETURNED: "returns to the hand",
    st.CAME_OFF: "becomes unpaired",
}


def _subject(book: Book, event: Event, viewer: int) -> str:
    """Return the card of an event and its owner, as the beginning of a sentence."""
    words = _owned(book, event.seat, event.a, viewer)
    return capital(words)


def _owned(book: Book, seat: int, line: int, viewer: int) -> str:
    """Return the owner and the name of a card, such as ``your Green Knight``, without an article."""
    return f"{_whose(seat, viewer)} {card_name(book, seat, line).removeprefix('The ')}"


def _whose(seat: int, viewer: int) -> str:
    return "your" if seat == viewer else f"seat {seat}'s"


def _who(seat: int, viewer: int) -> str:
    return "you" if seat == viewer else f"seat {seat}"


def _does(book: Book, event: Event, viewer: int) -> str:
    """Return an event that is an action of a seat."""
    seat = event.seat
    plain = _plain(book, event, viewer)
    if seat != viewer:
        return f"seat {seat} {plain}."
    verb, _, rest = plain.partition(" ")
    base = {"is": "are", "has": "have", "passes": "pass"}.get(verb, verb.removesuffix("s"))
    return f"You {base} {rest}".rstrip() + "."


def _plain(book: Book, event: Event, viewer: int) -> str:
    """Return what a seat does in the third person, without the seat, such as ``passes``."""
    a = event.a
    match event.kind:
        case st.FIRST_DRAWN:
            return "is drawn as the first active player"
        case st.HAND_TAKEN:
            return "takes ten cards" + ("" if a == UNKNOWN else f", {a} of them Demesnes")
        case st.MULLIGANED:
            return "takes a mulligan"
        case st.SPLIT_SHOWN:
            return f"begins with {a} Demesne{'' if a == 1 else 's'} in hand"
        case st.PASSED:
            return "ends the turn" if a else "passes"
        case st.LOOKED:
            return f"looks at {next_regions(a)}"
        case st.REGION_CAPTURED:
            return f"captures {book.region[a].name}"
    return _with_card(book, event, viewer)


def _with_card(book: Book, event: Event, viewer: int) -> str:
    """Return what a seat does with a card in the third person, without the seat, such as ``plays Farm``."""
    seat, b = event.seat, event.b
    card = "a card" if event.a == UNKNOWN else card_name(book, seat, event.a)
    match event.kind:
        case st.DEMESNE_PLAYED:
            return f"plays {card}"
        case st.RECRUITS:
            return f"recruits {card}"
        case st.PUT_ON:
            return f"plays {card}" + ("" if b == st.NONE else f" on {card_name(book, seat, b)}")
        case st.MOVED:
            return f"moves {card} " + ("off" if b == st.NONE else f"onto {card_name(book, seat, b)}")
        case st.NAMESAKES:
            return f"loses {card}, and {_whose(event.other, viewer)} {card} goes, too"
        case st.QUEST_PLAYED | st.REDIRECT_PLAYED:
            return f"plays {_played_on(book, event, viewer)} for {event.c} RP"
        case st.CARD_DRAWN:
            return f"draws {card} from {DECKS[b]}"
        case st.DISCARDED:
            return f"discards {card}" + (f" ({b} copies)" if b > 1 else "")
        case st.DROPPED:
            return f"chooses {card} to discard"
        case st.TAKEN_BACK:
            return f"takes {card} back"
    raise AssertionError(f"there is no event of kind {event.kind}")


def _played_on(book: Book, event: Event, viewer: int) -> str:
    """Return the card that is played and the Knight that it is played on."""
    own, other = event.other == event.seat, event.other
    target = card_name(book, other, event.b) if own else _owned(book, other, event.b, viewer)
    return f"{card_name(book, event.seat, event.a)} on {target}"
