"""Robin in the Hood: the step of the round, and the question to a seat, in words for people."""

from quintain.engine import Label, Phase, Question
from quintain.games.robin import levels as lv
from quintain.games.robin import state as st
from quintain.games.robin.account import as_it_stands
from quintain.games.robin.state import Book, State
from quintain.games.robin.words import card_name

JUDGED = Label("judged", "judged")
"""The step in which the stages are compared. The rules carry it out by themselves, so it is never the current one."""


def phase(book: Book, s: State, viewer: int) -> Phase:
    """Return the current step and all steps around it, with the number of the round and of the hand."""
    round_ = max(s.round, 1)
    if s.over:
        return Phase("over", (Label("over", "over"),), round_)
    if s.phase != st.FIGHT:
        ante = (Label("ante", "stake"),) if book.ante else ()
        steps = (*ante, Label("sets", "active sets"), Label("play", "first hand"))
        return Phase("ante" if s.phase == st.STAKE else "sets", steps, round_)
    note = f"hand {s.hands + 1} of {s.hands + 1 + min(s.pile_size)}"
    if s.leader == st.NONE:
        return Phase("play", (Label("play", "both play"), JUDGED), round_, note=note)
    leads = viewer == s.leader
    steps = (
        Label("lead", "you play" if leads else "first card"),
        Label("answer", "answer" if leads or viewer == st.NONE else "you answer"),
    )
    return Phase("answer" if st.has_chosen(s.chosen[s.leader]) else "lead", (*steps, JUDGED), round_, note=note)


def question(book: Book, s: State, seat: int) -> Question:
    """Return the question to a seat that may act. RH-7, RH-8, RH-10."""
    if s.phase == st.STAKE:
        return Question("stake", "Which card do you stake?", "The winner of the tournament gains the other's stake.")
    if s.phase == st.CHOOSE_SET:
        return _question_of_set(book, s, seat)
    if s.leader == st.NONE:
        return Question("play", "Which card do you play?", "Both choose in secret and show their cards together.")
    if s.leader == seat:
        return Question("lead", "Which card do you play?", "You won Agility, so you play first, openly.")
    card = s.chosen[s.leader]
    words = f"Which card answers {card_name(book, card)}?"
    if card >= book.characters:
        return Question("answer", words, "A modifier leaves Agility empty: any character of yours wins there.")
    level = lv.level(book, as_it_stands(book, s), s.leader, st.AGILITY)
    return Question("answer", words, f"It has Agility {level} before your card counts.")


def _question_of_set(book: Book, s: State, seat: int) -> Question:
    """Return the question about an active set, or about the next card to take into it. RH-8."""
    if s.choosing[seat] == st.ASKED:
        modifiers = f" and {book.modifiers} modifiers" if book.modifiers else ""
        return Question(
            "set",
            "With which cards do you play this round?",
            f"You need {book.active} characters{modifiers}; nobody else sees them. If you are new, let them be dealt.",
        )
    taken = s.pile_size[seat]
    if taken < book.active:
        return Question("character", "Which character do you take?", f"You have {taken} of {book.active}.")
    return Question("modifier", "Which modifier do you take?", f"You have {taken - book.active} of {book.modifiers}.")
