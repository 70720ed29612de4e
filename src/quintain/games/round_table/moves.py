"""Round Table: the name of each action in words, and the parsing of such words."""

import re

from quintain.engine import legal_mask
from quintain.games.round_table import rules as r
from quintain.games.round_table import state as st
from quintain.games.round_table.state import Book, State
from quintain.games.round_table.words import card_name, region_name, unit_name

ANSWERS = {
    "pass": st.PASS,
    "leave it unpaired": st.UNPAIRED,
    "draw from the Main deck": st.DRAW_MAIN,
    "draw from the Demesne deck": st.DRAW_DEMESNE,
    "keep": st.KEEP,
    "mulligan": st.MULLIGAN,
    **{f"take {number} Demesne{'' if number == 1 else 's'}": st.SPLIT + number for number in range(st.HAND + 1)},
}
WORDS_OF_ANSWERS = {action: words for words, action in ANSWERS.items()}
ANSWERS_READ = {words.casefold(): action for words, action in ANSWERS.items()}
VERBS = {
    st.RECRUIT: "move",
    st.ATTACH: "on",
    st.CAMPAIGN: "send",
    st.CHOOSE_KNIGHT: "on",
    st.CHOOSE_TASK: "join",
    st.SUPPORT: "take back",
}
PATTERN = re.compile(
    r"(?P<verb>play|discard|attack|move|on|send|join|take back) (?P<named>(?P<unit>.+?)(?: of seat (?P<seat>\d))?)"
)


def name(book: Book, s: State, seat: int, action: int) -> str:
    """Return an action in words, such as ``play Gawain``."""
    if action >= st.IN_PLAY:
        owner, slot = divmod(action - st.IN_PLAY, st.LINES)
        return f"{VERBS.get(s.phase, 'on')} {unit_name(book, s, owner, slot, seat)}"
    if action < st.REGION:
        verb = "discard" if s.phase == st.LIMIT or s.owed_discards[seat] > 0 else "play"
        return f"{verb} {card_name(book, seat, action)}"
    if action < st.PASS:
        return f"attack {region_name(book, s, s.open[action - st.REGION])}"
    return WORDS_OF_ANSWERS[action]


def parse(book: Book, s: State, seat: int, text: str) -> int | None:
    """Return the action that words mean, legal or not; None if they mean no action, or another one in this phase."""
    words = " ".join(text.split()).casefold()
    if words in ANSWERS_READ:
        return ANSWERS_READ[words]
    found = PATTERN.fullmatch(words)
    action = None if found is None else _meant(book, s, seat, found)
    if found is None or action is None or name(book, s, seat, action).startswith(found["verb"] + " "):
        return action
    mask = legal_mask(r, book, s, seat)
    return None if mask[action] else action


def _meant(book: Book, s: State, seat: int, found: re.Match[str]) -> int | None:
    """Return the action for the card or Region that a move names, or None; any verb for its kind will do."""
    if found["verb"] in ("play", "discard"):
        lines = range(book.lines[seat])
        return next((line for line in lines if book.card[seat][line].name.casefold() == found["named"]), None)
    if found["verb"] == "attack":
        open_now = enumerate(region_name(book, s, place).casefold() for place in s.open)
        return next((st.REGION + place for place, region in open_now if region == found["named"]), None)
    owners = range(book.seats) if found["seat"] is None else range(int(found["seat"]), book.seats)[:1]
    units = [
        (owner, slot)
        for owner in owners
        for slot in range(s.top[owner])
        if unit_name(book, s, owner, slot, owner).casefold() == found["unit"]
    ]
    chosen = [(owner, slot) for owner, slot in units if owner == seat] or units
    return st.IN_PLAY + st.LINES * chosen[0][0] + chosen[0][1] if len(chosen) == 1 else None
