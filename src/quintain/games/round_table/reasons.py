"""Round Table: why an action is not legal now, in words, with the clause that forbids it.

The rules themselves only mark what is legal; this module asks the functions of `spring` and `summer` what is missing.
"""

from quintain.engine import Reason, acting
from quintain.games.round_table import rules as r
from quintain.games.round_table import spring, summer
from quintain.games.round_table import state as st
from quintain.games.round_table.effects import cost
from quintain.games.round_table.play_area import first_put, is_copy
from quintain.games.round_table.scene import question
from quintain.games.round_table.state import Book, State
from quintain.games.round_table.words import KIND_GROUPS, unit_name

CLAUSES = {
    st.SET_UP: "RT-7",
    st.RECRUIT: "RT-12",
    st.ATTACH: "RT-13",
    st.CAMPAIGN: "RT-16",
    st.CHOOSE_REGION: "RT-16",
    st.CHOOSE_KNIGHT: "RT-16",
    st.CHOOSE_TASK: "RT-19",
    st.SUPPORT: "RT-28",
    st.WINTER_DRAW: "RT-29",
    st.LIMIT: "RT-30",
}
"""The clause of each decision, for moves that belong to another decision."""
SEASON_OF_KIND = {
    st.DEMESNE: "Spring",
    st.KNIGHT: "Spring",
    st.EQUIPMENT: "Spring",
    st.TITLE: "Spring",
    st.QUEST: "Summer",
    st.REDIRECT: "Summer",
}


def why_not(book: Book, s: State, seat: int, action: int) -> Reason:
    """Return why an action is not legal now, with the clause that forbids it."""
    clause = _clause_of_decision(book, s, seat)
    if s.over:
        return Reason("RT-31", "the game is over")
    if seat not in acting(r, book, s):
        return _why_not_asked(book, s, clause)
    asked = Reason(clause, f"you are asked: {question(book, s, seat).words}")
    owing = s.owed_draws[seat] + s.owed_discards[seat] > 0
    if st.SPLIT <= action < st.IN_PLAY and s.phase == st.SET_UP and s.set_up[seat] != st.KEEP_OR_NOT:
        return Reason(
            "RT-6", "you take one to ten Demesnes, as far as your Demesne deck has them, and none only if it is empty"
        )
    if st.DRAW_MAIN <= action <= st.DRAW_DEMESNE and (s.owed_draws[seat] > 0 or s.phase == st.WINTER_DRAW):
        return Reason("RT-29", "that deck is empty")
    if action < st.REGION:
        discarding = s.phase == st.LIMIT or (owing and s.owed_draws[seat] == 0)
        if not discarding and (owing or s.phase not in (st.RECRUIT, st.CAMPAIGN)):
            return asked
        if action >= book.lines[seat]:
            return Reason(clause, "your deck has no such card")
        if s.hand[seat][action] == 0:
            return Reason(clause, f"{book.card[seat][action].name} is not in your hand")
        return _why_not_play(book, s, seat, action)
    if action >= st.IN_PLAY and not owing and s.phase in CLAUSES and s.phase not in (st.SET_UP, st.LIMIT):
        return _why_not_unit(book, s, seat, *divmod(action - st.IN_PLAY, st.LINES)) or asked
    return asked


def _clause_of_decision(book: Book, s: State, seat: int) -> str:
    """Return the clause of the decision that a seat has now, or waits for. RT-16, RT-18, RT-19, RT-26, RT-33.

    Who waits does not know yet whether the other's card is a Quest or a Redirect.
    """
    if s.owed_draws[seat] + s.owed_discards[seat] > 0:
        return "RT-26" if s.phase in (st.QUEST_DRAWS, st.LAST_DRAWS) else "RT-33"
    if s.phase == st.CHOOSE_KNIGHT and seat in acting(r, book, s):
        return "RT-18" if book.card[seat][s.card].kind == st.QUEST else "RT-19"
    return CLAUSES.get(s.phase, "RT-26")


def _why_not_asked(book: Book, s: State, clause: str) -> Reason:
    """Return why a seat that is not to act has to wait."""
    if s.phase == st.SET_UP:
        return Reason(clause, "you have kept your hand, and others still choose theirs")
    if s.phase == st.LIMIT:
        return Reason(clause, "you have no more cards to discard, and others still choose theirs")
    return Reason(clause, f"seat {max(acting(r, book, s))} is to act")


def _why_not_play(book: Book, s: State, seat: int, line: int) -> Reason:
    """Return why a seat cannot play a card of its hand now."""
    card = book.card[seat][line]
    if s.actions[seat] == st.SEASON_ACTIONS:
        clause = "RT-12" if s.phase == st.RECRUIT else "RT-16"
        return Reason(clause, f"you have taken {st.SEASON_ACTIONS} actions this Season")
    if SEASON_OF_KIND[card.kind] != ("Spring" if s.phase == st.RECRUIT else "Summer") and not card.in_summer:
        return Reason("RT-16", f"you play {KIND_GROUPS[card.kind]} in {SEASON_OF_KIND[card.kind]}")
    if card.kind == st.DEMESNE:
        if card.step > 0 and s.demesne[seat][card.step - 1] <= s.demesne[seat][card.step]:
            return Reason("RT-9", f"{card.name} goes on a {_step_before(book, seat, card.step)}, and you have none")
        return Reason("RT-12", "you have played as many Demesnes as you may this Spring")
    if not spring.is_affordable(book, s, seat, line):
        rp, free = cost(book, s, seat, line), s.capacity[seat] - s.allocated[seat]
        return Reason("RT-10", f"{card.name} costs {rp} RP, and you have {free} left")
    if summer.is_barred(book, s, seat, line):
        return Reason("RT-20", f"{card.name} has already been played this Summer")
    if s.step > (st.QUESTS if card.kind == st.QUEST else st.REDIRECTS):
        return Reason("RT-16", "you have gone on to a later step of your turn")
    clause = "RT-18" if card.kind == st.QUEST else "RT-19"
    return Reason(clause, f"{card.name} cannot be played on any Knight now")


def _step_before(book: Book, seat: int, step: int) -> str:
    """Return the words for the Demesnes that a Demesne of this step can upgrade. RT-9."""
    cards = book.card[seat][book.main_lines[seat] : book.lines[seat]]
    called = next((card.name for card in cards if card.step == step - 1), "Demesne of the step before")
    return f"{called} without an upgrade"


def _why_not_unit(book: Book, s: State, seat: int, owner: int, slot: int) -> Reason | None:
    """Return why a seat cannot choose a card in play; None if its decision is not about cards in play."""
    clause = "RT-12" if s.phase in (st.RECRUIT, st.ATTACH) else CLAUSES[s.phase]
    if owner >= book.seats or s.line[owner][slot] == st.NONE:
        return Reason(clause, "no card lies in that place")
    called, card = unit_name(book, s, owner, slot, seat), book.card[owner][s.line[owner][slot]]
    if s.phase in (st.CHOOSE_REGION, st.WINTER_DRAW):
        return None
    if s.phase == st.CHOOSE_KNIGHT:
        return _why_not_target(book, s, seat, owner, slot, called)
    if s.phase == st.CHOOSE_TASK:
        return Reason("RT-19", f"{called} is not another Quest that was played on a Knight of the same player")
    if owner != seat:
        return Reason(clause, f"{called} is not yours")
    if is_copy(book, s, owner, slot):
        return Reason(CLAUSES[s.phase], f"{called} is just like an earlier one: choose that one")
    if s.phase == st.CAMPAIGN:
        return _why_not_send(s, seat, slot, called, card.kind)
    if s.phase == st.ATTACH:
        if card.kind != st.KNIGHT:
            return Reason("RT-12", f"{called} is not a Knight")
        if s.moving != st.NONE and s.bearer[seat][s.moving] == slot:
            return Reason("RT-12", f"{called} bears it already")
        put = book.card[seat][s.card if s.moving == st.NONE else s.line[seat][s.moving]]
        allows = any(row.what in (st.SLOT, st.PERMIT) for row in put.row[: put.rows_used])
        more = f"; {put.name} allows more only after it is on the Knight" if allows else ""
        if put.kind == st.TITLE:
            return Reason("RT-14", f"{called} bears a Title of that name already")
        return Reason("RT-13", f"{called} cannot bear another card of this kind{more}")
    if card.kind not in (st.EQUIPMENT, st.TITLE):
        return Reason("RT-12", "you move only Equipment and Titles in Spring")
    if first_put(s, seat, slot) == st.NONE or s.actions[seat] == st.SEASON_ACTIONS:
        return Reason("RT-12", f"{called} cannot be moved again this Spring")
    return Reason("RT-14" if card.kind == st.TITLE else "RT-13", f"no other Knight of yours can bear {called}")


def _why_not_send(s: State, seat: int, slot: int, called: str, kind: int) -> Reason:
    """Return why a seat cannot send a card in play to a Region."""
    if kind != st.KNIGHT:
        return Reason("RT-16", f"{called} is not a Knight")
    if s.actions[seat] == st.SEASON_ACTIONS:
        return Reason("RT-16", f"you have taken {st.SEASON_ACTIONS} actions this Season")
    if s.step > st.DECLARE:
        return Reason("RT-16", "you have gone on to a later step of your turn")
    if st.is_engaged(s, seat, slot):
        return Reason("RT-18", f"{called} is engaged")
    if s.place[seat][slot] != st.NONE:
        again = "" if s.moves[seat][slot] == 0 else ", and has already been sent from one to another this Summer"
        return Reason("RT-16", f"{called} is committed to a Region{again}")
    return Reason("RT-16", "no Region lies open")


def _why_not_target(book: Book, s: State, seat: int, owner: int, slot: int, called: str) -> Reason:
    """Return why a seat cannot play its Quest or Redirect on a card in play."""
    card = book.card[seat][s.card]
    clause = "RT-18" if card.kind == st.QUEST else "RT-19"
    if not st.is_knight(book, s, owner, slot):
        return Reason(clause, f"{called} is not a Knight")
    if is_copy(book, s, owner, slot):
        return Reason(clause, f"{called} is just like an earlier one: choose that one")
    against = st.TO_QUESTS if card.kind == st.QUEST else st.TO_REDIRECTS
    if summer.is_immune(book, s, against, seat, owner, slot):
        return Reason("RT-33", f"opponents cannot play {KIND_GROUPS[card.kind]} on {called}")
    if card.task in (st.ENGAGE, st.RETURN) and summer.is_immune(book, s, st.TO_ROWS, seat, owner, slot):
        return Reason("RT-33", f"opponents cannot engage, reset or return {called}")
    if card.kind == st.QUEST:
        return Reason("RT-18", f"{called} is on a Quest")
    return Reason("RT-19", f"{card.name} would change nothing for {called}")
