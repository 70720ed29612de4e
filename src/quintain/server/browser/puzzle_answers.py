"""Answers about puzzles: the list, each puzzle, and what is posted to one; and what a browser keeps of the answers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import msgspec

from quintain.engine.rules.registry import all_games, game
from quintain.lab.puzzles import Puzzle, reading
from quintain.server.browser.asking import PageAnswer, PageRequest
from quintain.server.browser.house import House
from quintain.server.browser.keeping import Keeping
from quintain.server.clock import now
from quintain.server.model.listed import Learned
from quintain.server.model.puzzle_answers import Answered, FirstTry, PuzzleFacts, PuzzleKey, SolverFacts
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.puzzle_lists import daily_context, lesson_first, puzzles_context
from quintain.server.pages.study.puzzle_pages import as_asked, puzzle_context, why_context
from quintain.server.posted.fields import NeedsName, decoded
from quintain.server.posted.posts import Answering, is_number
from quintain.server.refused import Refused
from quintain.server.slices import Slices
from quintain.server.study.solving import Attempt, PuzzleSolving

KIND = "puzzles"
"""The kind of the documents that hold what the people here answered: one for each person and puzzle."""
_reading = Slices()


class KeptAnswer(msgspec.Struct):
    """A document: what a person answered, or that they asked for a hint."""

    number: int
    answered: Answered


class AnswersHere:
    """The answers to puzzles in a browser. Nobody else is here, so that no puzzle has a rating."""

    def __init__(self, keeper: Keeping):
        self.keeper = keeper

    async def answers(self, number: int) -> dict[PuzzleKey, Answered]:
        """Return what a player answered, by puzzle; a puzzle for which they only asked for a hint has no action."""
        texts = msgspec.json.decode(await self.keeper.documents(KIND), type=list[str])
        found = [msgspec.json.decode(text, type=KeptAnswer) for text in texts]
        return {each.answered.key: each.answered for each in found if each.number == number}

    async def facts(self, keys: Collection[PuzzleKey]) -> Mapping[PuzzleKey, PuzzleFacts]:
        """Return nothing: there are no others who solve puzzles here."""
        return {}

    async def withdrawn(self) -> frozenset[PuzzleKey]:
        """Return no puzzle: nobody doubts any here."""
        return frozenset()

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

    async def _of(self, number: int, key: PuzzleKey) -> Answered | None:
        text = await self.keeper.document(KIND, _id(number, key))
        return msgspec.json.decode(text, type=KeptAnswer).answered if text else None

    async def _put(self, number: int, answered: Answered) -> None:
        text = msgspec.json.encode(KeptAnswer(number, answered)).decode()
        await self.keeper.put(KIND, _id(number, answered.key), text)


def _id(number: int, key: PuzzleKey) -> str:
    return f"{number}/{key.game}/{key.puzzle}"


def solving(house: House) -> PuzzleSolving:
    """Return the puzzles of a browser."""

    async def learned(player: str) -> Mapping[str, Learned]:
        return house.store.learned(player)

    return PuzzleSolving(house.tables, AnswersHere(house.store.keeper), learned)


async def daily_values(house: House) -> Context | None:
    """Return the puzzle of the day for the lobby."""
    return await daily_context(solving(house), house.visitor())


async def puzzle_list(house: House, asked: PageRequest) -> PageAnswer:
    """Show the list of puzzles: all, those of one game, or those of a theme that the visitor has answered."""
    wanted, theme = asked.query.get("game", ""), asked.query.get("theme", "")
    if wanted:
        game(wanted)
    await _read()
    shown = await puzzles_context(solving(house), house.visitor(), wanted, theme)
    return _page(house, "puzzles.html", shown)


async def puzzle_page(house: House, asked: PageRequest, game_id: str, id_: str) -> PageAnswer:
    """Show a puzzle; with `why`, `chosen`, `again` or `tried` as the server does."""
    await _read()
    found, visitor = solving(house), house.visitor()
    place = await found.place(visitor.number, game_id, id_)
    why = asked.query.get("why", "")
    if asked.is_partial and is_number(why):
        return _page(house, "parts/why.html", why_context(place, int(why[:9])))
    return _page(house, "puzzle.html", await puzzle_context(found, visitor, *as_asked(place, asked.query)))


async def puzzle_post(house: House, asked: PageRequest, game_id: str, id_: str, part: str) -> PageAnswer:
    """Answer a puzzle, take a hint, or play on from it; raises Refused for all else that is posted."""
    await _read()
    found, visitor = solving(house), house.visitor()
    if visitor.number is None:
        raise NeedsName
    place = await found.place(visitor.number, game_id, id_)
    if await lesson_first(found, visitor, place.task.game):
        raise Refused(403, f"do the lesson of {place.task.game.title} first, or play the game")
    match part:
        case "answer":
            return await _answered(found, visitor.number, place, decoded(asked.fields(Answering), Answering).action)
        case "hint":
            await found.hint(visitor.number, place)
            return PageAnswer.redirect(place.task.href)
        case "play-on":
            return PageAnswer.redirect(f"/tables/{(await found.play_on(place, visitor.id)).id}")
    raise Refused(404, "nothing of this kind can be posted here")


async def _answered(found: PuzzleSolving, number: int, place: Attempt, action: int) -> PageAnswer:
    """Answer a puzzle, and show it; only the first try counts."""
    is_first = await found.answer(number, place.judged_anew(), action)
    return PageAnswer.redirect(place.task.href + ("" if is_first else f"?tried={action}"))


async def _read() -> None:
    """Read the puzzles of all games, in pieces: at once they would hold up all other pages for seconds."""

    def steps() -> Iterator[Puzzle]:
        for each in all_games():
            yield from reading(each)

    await _reading.do(steps())


def _page(house: House, template: str, context: Context) -> PageAnswer:
    return PageAnswer.html(house.templates.render_template(template, **context))
