"""Robin in the Hood: the four stages as pieces of a view: who stands there, at which level, and who would win now."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from quintain.engine import FREE, TOKEN, UNKNOWN, Line, Piece, Scene, Side, Stat, Zone, back, token
from quintain.games.robin import levels as lv
from quintain.games.robin import state as st
from quintain.games.robin.account import as_it_stands, changes, comparison
from quintain.games.robin.faces import STAGE_KEYS, card_key, fighting_stats, kind_of, level_stat, text_of
from quintain.games.robin.state import Book, State
from quintain.games.robin.words import ONLOOKER, OWNER, RIVAL, STAGES, card_name, card_short, colour

ABOUT_STAGES = (
    "stage 1 of 4: a new character comes here; the winner plays first in the next hand",
    "stage 2 of 4: the winner moves on to Strength",
    "stage 3 of 4: the winner moves on to Endurance",
    "stage 4 of 4: who alone has a character on all four stages wins the round",
)
LEVEL, FINAL, VERDICT, JUDGED = "level", "final level", "if nothing else changes", "as it was judged"
FALLS = "falls"
"""The state of a character that has lost its comparison."""


class Stages:
    """The stages as one viewer sees them; a spectator looks from seat 0.

    `held` are the cards that the viewer may play now, in the order of their hand.
    """

    def __init__(self, book: Book, s: State, viewer: int, held: Sequence[int] = ()):
        self.book, self.s, self.viewer = book, s, viewer
        self.me = max(viewer, 0)
        self.seats = (1 - self.me, self.me)
        self.now = as_it_stands(book, s)
        self.changes = changes(book, self.now) if s.phase == st.FIGHT else {}
        self.held = held
        self.then = [as_it_stands(book, s, self.me, card) for card in held]

    def zone(self) -> Zone:
        """Return the stages with the characters of both sides, their levels, and the verdict."""
        stages = tuple(map(self._stage, range(st.STAGES)))
        return Zone("stages", "middle", None, "row", stages, st.STAGES, "The stages")

    def scene(self) -> Scene:
        """Compare the stages as they are now, except Agility, where cards are still to come. RH-12, RH-13."""
        sides = []
        for owner in self.seats:
            there = [stage for stage in range(st.STAGES) if self.now.fought[owner][stage] != st.NONE]
            stats = tuple(final_stat(self.book, self.now, owner, stage) for stage in there)
            places = tuple(f"character.{owner}.{stage}" for stage in there)
            sides.append(Side(owner, f"seat {owner}", places, stats))
        found = comparison(self.book, self.now, st.WEAPONS)
        lines = tuple(line for line in found if line.by_seat or line.clause != "RH-13")
        places = tuple(f"stage.{stage}" for stage in range(st.STAGES))
        return Scene("comparison", "stage", "The stages as they stand", None, tuple(sides), (), lines, places)

    def _stage(self, stage: int) -> Piece:
        """Show a stage: the opponent's character with its level, the viewer's, and the verdict."""
        sides = tuple(part for owner in self.seats for part in self._side(stage, owner))
        verdict = (self._verdict(stage),) if self.s.phase == st.FIGHT else ()
        return Piece(
            f"stage.{stage}", STAGE_KEYS[stage], STAGES[stage], kind=ABOUT_STAGES[stage], on_it=(*sides, *verdict)
        )

    def _side(self, stage: int, owner: int) -> tuple[Piece, Piece]:
        card = self.s.stage[owner][stage]
        at, level_at = f"character.{owner}.{stage}", f"level.{owner}.{stage}"
        if card == st.NONE:
            free = Piece(level_at, seat=owner, state=frozenset({FREE}))
            return self._nobody(at, stage, owner), free
        stat = final_stat(self.book, self.now, owner, stage)
        voice = OWNER if owner == self.viewer else ONLOOKER if self.viewer == st.NONE else RIVAL
        key = card_key(card_name(self.book, card))
        character = Piece(
            at,
            key,
            card_name(self.book, card),
            card_short(self.book, card),
            kind=kind_of(self.book, card),
            stats=fighting_stats(self.book, self.now, owner, stage, stat.number),
            text=text_of(self.book, card, voice),
            now=tuple(self.changes.get((owner, stage), ())),
            seat=owner,
        )
        return character, level_token(level_at, stat, owner, key)

    def _nobody(self, at: str, stage: int, owner: int) -> Piece:
        """Return an empty place, which says what it waits for; or a card that somebody has chosen in secret."""
        s, mine = self.s, owner == self.viewer
        chosen = s.chosen[owner]
        if stage == st.AGILITY and s.phase == st.FIGHT and st.has_chosen(chosen):
            if chosen == UNKNOWN:
                return back(at, owner)
            if chosen >= self.book.characters:
                return self._free(at, owner, "a modifier leaves this place empty")
            return back(at, owner, f"{card_name(self.book, chosen)}, face down")
        if stage == st.AGILITY and s.phase == st.FIGHT:
            return self._free(at, owner, "your next card" if mine else "still to come")
        return self._free(at, owner, "you need a card here" if mine else "nobody")

    @staticmethod
    def _free(at: str, owner: int, words: str) -> Piece:
        return Piece(at, None, words, seat=owner, state=frozenset({FREE}))

    def _verdict(self, stage: int) -> Piece:
        """Say how a stage would be judged now; on it lie the verdicts after each card in hand. RH-11, RH-13."""
        s, answers = self.s, self.s.leader == 1 - self.me
        foreseen = tuple(
            self._judged(f"verdict.{stage}.{s.hands}.{n}", stage, then, stage == st.AGILITY and not answers)
            for n, then in enumerate(self.then)
        )
        return replace(self._judged(f"verdict.{stage}", stage, self.now, stage == st.AGILITY), on_it=foreseen)

    def _judged(self, at: str, stage: int, now: State, is_open: bool) -> Piece:
        """Say how a stage is judged in a state; `is_open` if cards are still to come there."""
        there = [owner for owner in self.seats if now.fought[owner][stage] != st.NONE]
        if not there and not is_open:
            return Piece(at, None, "nobody", state=frozenset({FREE}))
        stats = tuple(
            Stat(f"seat.{owner}", lv.level(self.book, now, owner, stage), None, f"seat {owner}") for owner in there
        )
        words = self._still_open(there) if is_open else self._words_of_verdict(now, stage, there)
        state = frozenset({TOKEN, "open"} if is_open else {TOKEN})
        return Piece(at, None, words, kind=VERDICT, stats=stats, state=state)

    def _still_open(self, there: list[int]) -> str:
        leader = self.s.leader
        modifier = leader != st.NONE and st.has_chosen(self.s.chosen[leader]) and not there
        return "any character wins" if modifier else "still open"

    def _words_of_verdict(self, now: State, stage: int, there: list[int]) -> str:
        if len(there) == 1:
            return f"{card_short(self.book, now.fought[there[0]][stage])} is alone"
        theirs, mine = (lv.level(self.book, now, owner, stage) for owner in there)
        if theirs == mine:
            return "neither falls"
        winner = there[int(mine > theirs)]
        return f"{card_short(self.book, now.fought[winner][stage])} wins"

    def compared(self) -> Iterator[Zone]:
        """Yield the last comparison, if there has been one: final levels with their changes. RH-12, RH-13."""
        stages = [
            stage for stage in range(st.STAGES) if any(self.s.fought[owner][stage] != st.NONE for owner in self.seats)
        ]
        if stages:
            self.causes = changes(self.book, self.s)
            pieces = tuple(map(self._compared, stages))
            yield Zone("compared", "middle", None, "row", pieces, len(pieces), "The last comparison")

    def _compared(self, stage: int) -> Piece:
        """Show the last comparison of a stage. RH-12, RH-13."""
        sides = tuple(part for owner in self.seats for part in self._fought(stage, owner))
        judged = Piece(f"judged.{stage}", None, self._result(stage), kind=JUDGED, state=frozenset({TOKEN}))
        on_it = (*sides, judged)
        return Piece(f"compared.{stage}", STAGE_KEYS[stage], STAGES[stage], kind="the last comparison", on_it=on_it)

    def _result(self, stage: int) -> str:
        """Say who fell, or that nobody did."""
        there = [owner for owner in self.seats if self.s.fought[owner][stage] != st.NONE]
        fallen = next((owner for owner in there if self._falls(stage, owner)), None)
        if fallen is not None:
            return f"{card_short(self.book, self.s.fought[fallen][stage])} falls"
        return self._words_of_verdict(self.s, stage, there)

    def _falls(self, stage: int, owner: int) -> bool:
        """Tell whether a character lost the last comparison of its stage. RH-13."""
        s = self.s
        if s.fought[1 - owner][stage] == st.NONE:
            return False
        return lv.level(self.book, s, owner, stage) < lv.level(self.book, s, 1 - owner, stage)

    def _fought(self, stage: int, owner: int) -> tuple[Piece, Piece]:
        """Show the character that fought for a side on a stage, and its final level."""
        s, card = self.s, self.s.fought[owner][stage]
        at, final_at = f"character.{owner}.{stage}.compared", f"final.{owner}.{stage}"
        if card == st.NONE:
            free = frozenset({FREE})
            return Piece(at, None, "nobody", seat=owner, state=free), Piece(final_at, seat=owner, state=free)
        called, short = card_name(self.book, card), card_short(self.book, card)
        causes = (s.by_skills[owner][stage], "skills", "RH-2"), (s.by_modifiers[owner][stage], "modifiers", "RH-3")
        now = tuple(Line(f"{change:+d} by {by}", (), clause) for change, by, clause in causes if change)
        final = level_token(final_at, final_stat(self.book, s, owner, stage), owner, kind=FINAL)
        character = Piece(
            at,
            card_key(called),
            called,
            short,
            kind=kind_of(self.book, card),
            now=tuple(self.causes.get((owner, stage), ())),
            seat=owner,
            state=frozenset({FALLS} if self._falls(stage, owner) else ()),
        )
        return character, replace(final, now=now)


def final_stat(book: Book, s: State, owner: int, stage: int) -> Stat:
    """Return the final level in a comparison, and the printed level if it differs. RH-12."""
    printed = book.character[s.fought[owner][stage]].level[stage]
    return level_stat(stage, lv.level(book, s, owner, stage), printed)


def level_token(place: str, stat: Stat, owner: int, key: str | None = None, kind: str = LEVEL) -> Piece:
    """Show a level with its colour; `key` is that of the character that has it. RH-1."""
    return token(place, stat, key=key, kind=kind, text=colour(stat.number), seat=owner)
