"""What a browser keeps of puzzles: what people answered, which puzzles they doubt, and those that they made.

Answers and puzzles of one's own belong to one person each. Whether the answer of a doubted puzzle holds is the same
for all who share the device.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from quintain.lab.candidates import Candidate
from quintain.server.browser.keeping import Documents, Keeping
from quintain.server.clock import now
from quintain.server.model.puzzle_answers import (
    MOST_KEPT,
    Answered,
    FirstTry,
    PrivatePuzzle,
    PuzzleFacts,
    PuzzleKey,
    SolverFacts,
)
from quintain.server.people.players import new_id
from quintain.server.study.puzzle_judging import Part

ANSWERS, DOUBTS, OWN_PUZZLES, PARTS = "puzzles", "doubts", "own puzzles", "judged parts"
"""The kinds of the documents: one for each person and answered puzzle, each doubted puzzle, each private one, and each
judging that goes on."""


class KeptAnswer(msgspec.Struct):
    """A document: what a person answered, or that they asked for a hint."""

    number: int
    answered: Answered


class KeptDoubt(msgspec.Struct):
    """A document: who doubts a puzzle and when, how it was judged again, and when it was taken back, if it was."""

    key: PuzzleKey
    doubter: int
    doubted: float
    judged: tuple[Candidate, ...] = ()
    withdrawn: float | None = None

    @property
    def facts(self) -> PuzzleFacts:
        """What pages know of the puzzle: there are no others who solve it here, and so it has no rating."""
        return PuzzleFacts(doubter=self.doubter, doubted=self.doubted, judged=self.judged, withdrawn=self.withdrawn)


class BrowserAnswers:
    """The answers to puzzles in a browser, and doubts about them: a `KeptAnswers`."""

    def __init__(self, keeper: Keeping):
        self._kept = Documents(keeper, ANSWERS, KeptAnswer)
        self._doubts = Documents(keeper, DOUBTS, KeptDoubt)

    async def answers(self, number: int) -> dict[PuzzleKey, Answered]:
        """Return what a player answered, by puzzle; a puzzle for which they only asked for a hint has no action."""
        return {each.answered.key: each.answered for each in await self._kept.all() if each.number == number}

    async def facts(self, keys: Collection[PuzzleKey]) -> Mapping[PuzzleKey, PuzzleFacts]:
        """Return how puzzles fared that somebody here doubted; nothing for others."""
        return {each.key: each.facts for each in await self._doubts.all() if each.key in keys}

    async def withdrawn(self) -> frozenset[PuzzleKey]:
        """Return the puzzles that were taken back on this device."""
        return frozenset(each.key for each in await self._doubts.all() if each.withdrawn)

    async def solver(self, number: int) -> SolverFacts:
        """Return how many puzzles a player has tried and solved."""
        fates = [each.solved for each in (await self.answers(number)).values() if each.action is not None]
        return SolverFacts(tries=len(fates), solved=fates.count(True))

    async def hint(self, number: int, key: PuzzleKey) -> None:
        """Note that a player asked for a hint, unless they have answered."""
        if await self._of(number, key) is None:
            await self._put(number, Answered(*key, now(), True, None, None, None, None, None))

    async def answer(self, number: int, answer: FirstTry) -> bool:
        """Write a player's first answer; False if they have answered before."""
        known = await self._of(number, answer.key)
        if known and known.action is not None:
            return False
        hinted = bool(known and known.hinted)
        await self._put(
            number, Answered(*answer.key, now(), hinted, answer.action, answer.solved, answer.day, None, None)
        )
        return True

    async def doubt(self, number: int, key: PuzzleKey) -> bool:
        """Note that a player doubts a puzzle; False if somebody here has before."""
        if await self._doubts.read(_id(key)) is not None:
            return False
        await self._doubts.put(_id(key), KeptDoubt(key, number, now()))
        return True

    async def judged_again(self, key: PuzzleKey, candidates: Sequence[Candidate], holds: bool) -> None:
        """Write how the moves of a doubted puzzle were judged; take it back unless its answer holds."""
        if (doubt := await self._doubts.read(_id(key))) is not None:
            withdrawn = None if holds else now()
            again = msgspec.structs.replace(doubt, judged=tuple(candidates), withdrawn=withdrawn)
            await self._doubts.put(_id(key), again)

    async def thoughts(self, number: int, since: float) -> int:
        """Return 0: a browser works for its owner alone, who may ask as often as they like."""
        return 0

    async def _of(self, number: int, key: PuzzleKey) -> Answered | None:
        kept = await self._kept.read(f"{number}/{_id(key)}")
        return kept.answered if kept else None

    async def _put(self, number: int, answered: Answered) -> None:
        await self._kept.put(f"{number}/{_id(answered.key)}", KeptAnswer(number, answered))


class BrowserPuzzles:
    """The puzzles that people on a device made of decisions of their own: a `KeptPuzzles`."""

    def __init__(self, keeper: Keeping):
        self._kept = Documents(keeper, OWN_PUZZLES, PrivatePuzzle)

    async def of_player(self, number: int) -> list[PrivatePuzzle]:
        """Return the puzzles of a player, the newest first."""
        mine = [each for each in await self._kept.all() if each.number == number]
        return sorted(mine, key=lambda each: (-each.made, each.id))

    async def find(self, number: int, id_: str) -> PrivatePuzzle | None:
        """Return a puzzle of a player; None if it is none of theirs."""
        found = await self._kept.read(id_)
        return found if found and found.number == number else None

    async def add(self, number: int, table: str, entry: int, game: str) -> str:
        """Keep a new puzzle of a player, and return its id; when there are too many, the oldest goes."""
        new = PrivatePuzzle(new_id(), number, table, entry, game, now(), (), False, None)
        await self._kept.put(new.id, new)
        for old in (await self.of_player(number))[MOST_KEPT:]:
            await self._kept.delete(old.id)
        return new.id

    async def judged(self, id_: str, candidates: Sequence[Candidate]) -> None:
        """Write how the moves of a puzzle were judged."""
        if found := await self._kept.read(id_):
            await self._kept.put(id_, found._replace(judged=tuple(candidates)))

    async def hint(self, id_: str) -> None:
        """Note that the player asked for a hint."""
        if found := await self._kept.read(id_):
            await self._kept.put(id_, found._replace(hinted=True))

    async def answer(self, id_: str, action: int) -> bool:
        """Write the player's first answer; False if there is one already."""
        found = await self._kept.read(id_)
        if found is None or found.action is not None:
            return False
        await self._kept.put(id_, found._replace(action=action))
        return True


class BrowserParts:
    """How far judgings are: a `KeptParts`."""

    def __init__(self, keeper: Keeping):
        self._kept = Documents(keeper, PARTS, Part)

    async def read(self, name: str) -> Part:
        """Return how far a judging is."""
        return await self._kept.read(name) or Part()

    async def write(self, name: str, part: Part) -> None:
        """Keep how far a judging is; forget it if nothing is done."""
        await (self._kept.put(name, part) if part.done else self._kept.delete(name))


def _id(key: PuzzleKey) -> str:
    return f"{key.game}/{key.puzzle}"
