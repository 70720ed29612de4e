"""Robin in the Hood: the four stages as pieces of a view: who stands there, at which level, and who would win now."""

from collections.abc import Iterator

from msgspec.structs import replace

from quintain.engine import FREE, UNKNOWN, Line, Piece, Scene, Side, Stat, Zone, back, token
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
LEVEL, FINAL, VERDICT = "level", "final level", "if nothing else changes"


class Stages:
    """The stages as one viewer sees them; a spectator looks from seat 0."""

    def __init__(self, book: Book, s: State, viewer: int):
        self.book, self.s, self.viewer = book, s, viewer
        self.me = max(viewer, 0)
        self.seats = (1 - self.me, self.me)
        self.now = as_it_stands(book, s)
        self.changes = changes(book, self.now) if s.phase == st.FIGHT else {}

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
            sides.append(Side(owner, f"seat {owner}", places, stats, len(there)))
        lines = tuple(comparison(self.book, self.now, st.WEAPONS))
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
        character = Piece(
            at,
            card_key(card_name(self.book, card)),
            card_name(self.book, card),
            card_short(self.book, card),
            kind=kind_of(self.book, card),
            stats=fighting_stats(self.book, self.now, owner, stage, stat.number),
            text=text_of(self.book, card, voice),
            now=tuple(self.changes.get((owner, stage), ())),
            seat=owner,
        )
        return character, level_token(level_at, stat, owner)

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
            return self._free(at, owner, "your next card" if mine else f"the next card of seat {owner}")
        return self._free(at, owner, "you need a card here" if mine else f"seat {owner} needs a card here")

    @staticmethod
    def _free(at: str, owner: int, words: str) -> Piece:
        return Piece(at, None, words, seat=owner, state=frozenset({FREE}))

    def _verdict(self, stage: int) -> Piece:
        """Say how a stage would be judged now; on Agility cards are still to come. RH-11, RH-13."""
        at, now = f"verdict.{stage}", self.now
        there = [owner for owner in self.seats if now.fought[owner][stage] != st.NONE]
        if not there and stage != st.AGILITY:
            return Piece(at, None, "nobody", state=frozenset({FREE}))
        stats = tuple(
            Stat(f"seat.{owner}", lv.level(self.book, now, owner, stage), None, f"seat {owner}") for owner in there
        )
        return Piece(at, STAGE_KEYS[stage], self._words_of_verdict(stage, there), kind=VERDICT, stats=stats)

    def _words_of_verdict(self, stage: int, there: list[int]) -> str:
        book, now, s = self.book, self.now, self.s
        if stage == st.AGILITY:
            modifier = s.leader != st.NONE and st.has_chosen(s.chosen[s.leader]) and not there
            return "any character wins" if modifier else "still open"
        if len(there) == 1:
            return "unopposed"
        theirs, mine = (lv.level(book, now, owner, stage) for owner in there)
        if theirs == mine:
            return "neither falls"
        winner = there[int(mine > theirs)]
        return f"{card_short(book, now.fought[winner][stage])} wins"

    def compared(self) -> Iterator[Zone]:
        """Yield the last comparison, if there has been one: final levels with their changes. RH-12, RH-13."""
        stages = [
            stage for stage in range(st.STAGES) if any(self.s.fought[owner][stage] != st.NONE for owner in self.seats)
        ]
        if stages:
            pieces = tuple(map(self._compared, stages))
            yield Zone("compared", "middle", None, "row", pieces, len(pieces), "The last comparison")

    def _compared(self, stage: int) -> Piece:
        """Show the last comparison of a stage. RH-12, RH-13."""
        sides = tuple(part for owner in self.seats for part in self._fought(stage, owner))
        return Piece(f"compared.{stage}", STAGE_KEYS[stage], STAGES[stage], kind="the last comparison", on_it=sides)

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
        final = level_token(final_at, final_stat(self.book, s, owner, stage), owner, FINAL)
        character = Piece(at, card_key(called), called, short, kind=kind_of(self.book, card), seat=owner)
        return character, replace(final, now=now)


def final_stat(book: Book, s: State, owner: int, stage: int) -> Stat:
    """Return the final level in a comparison, and the printed level if it differs. RH-12."""
    printed = book.character[s.fought[owner][stage]].level[stage]
    return level_stat(stage, lv.level(book, s, owner, stage), printed)


def level_token(place: str, stat: Stat, owner: int, kind: str = LEVEL) -> Piece:
    """Show a level with its colour. RH-1."""
    return token(place, stat, key=None, kind=kind, text=colour(stat.number), seat=owner)
