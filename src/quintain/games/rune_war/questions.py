"""Rune War: what is asked in each phase."""

from quintain.games.rune_war import state as st
from quintain.games.rune_war.names import RUNE_NAMES, card_name
from quintain.games.rune_war.state import State

PHASES = {
    st.BUILD: "building",
    st.TURN: "turn",
    st.LAY_AT: "laying",
    st.AIM: "attack",
    st.SUPPORT: "battle",
    st.RESPOND: "battle",
    st.FURTHER: "battle",
    st.JOIN_SUITS: "battle",
}
"""The names of the phases; in all others a rune of the field is at work."""
QUESTIONS = {
    st.TURN: "Do you lay a card, attack with one, or play a rune?",
    st.AIM: "Which exposed card do you attack?",
    st.SUPPORT: "Do you turn up a card in support?",
    st.FURTHER: "Which card do you attack next, or do you stop?",
    st.JOIN_SUITS: "Which two suits count as one on your side?",
    st.EXCHANGE_OR_NOT: "Do you exchange the two cards or put them back as they were?",
    st.TAKE_BACK: "Which of your exposed cards do you take back into your hand?",
    st.DESTROY: "Which exposed card do you destroy?",
    st.ON_SEAT: "Whom does it work on?",
    st.IN_ROW: "Which row does it work on?",
    st.FROM_PILE: "Which card do you take from the discard pile?",
    st.RETURN: "Which number card do you return to your hand?",
}


def phase(s: State) -> str:
    """Return the phase in a word or two."""
    if s.over:
        return "over"
    return PHASES[s.phase] if s.phase in PHASES else RUNE_NAMES[s.field_rune]


def question(s: State, seat: int) -> str:
    """Return what a seat that is to act is asked."""
    if s.phase in (st.BUILD, st.LAY_AT) and s.chosen[seat] != st.NONE:
        return f"Where do you lay {card_name(s.chosen[seat])}?"
    if s.phase == st.BUILD:
        return "Which card do you lay next, or is your defence done?" if s.defence_size[seat] else "What is your root?"
    if s.phase == st.RESPOND:
        cards = s.right - s.left - s.added
        may = f" You may add {cards} for the supporting ones." if cards and s.hand_size[seat] else ""
        return f"Do you answer?{may}"
    if s.phase == st.TURN and st.is_at(s, st.FIRST_RUNE, st.NONE):
        return "Do you lay a card or attack with one?"
    if s.phase == st.LOOK_AT:
        return "Which card do you look at?" if s.names == 0 else "Which other card do you look at, or is that all?"
    if s.phase == st.EXCHANGE_OF:
        return f"Which is the {'second' if s.names else 'first'} card that you take up?"
    if s.phase == st.GIVE_UP:
        return f"Which card do you discard? There {'is 1' if s.names == 1 else f'are {s.names}'} to go."
    return QUESTIONS[s.phase]
