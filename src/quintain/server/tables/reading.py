"""Reading texts that strangers write, such as sets of cards and records: what is asked, and what is answered.

`beside/reader.py` reads them in a process with limits of time and memory. Where nobody else waits, as in a browser,
`TextReader` itself reads them.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Mapping

import msgspec

from quintain.engine.cards import read_entries, write_entries
from quintain.engine.errors import BadCards, BadOption, BadRecord, QuintainError
from quintain.engine.play.documents import MatchRecord, read_document
from quintain.engine.play.match import Match
from quintain.engine.play.signatures import check_signature
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.server.turns import Asker

FROM_POSITION = (
    "this game began from a position and not from a deal, and nobody can check whether a game comes to that position: "
    "`quintain replay` shows it, but it cannot be brought in"
)
"""Compiled rules check nothing: they could fail in a position that no game comes to, and with them a bot's process."""
RECORD = "record"
SET = "set"
"""In the place of a game's id: the text of a record, or a set of cards, is to be read."""


class ReadRecord(msgspec.Struct):
    """A record that was played again: the document as it was written, and the record of that play, without names.

    `checked` tells whether the signature of the document, if it has one, was checked.
    """

    document: MatchRecord
    nameless: dict[str, object]
    checked: bool = True


class Answer(msgspec.Struct):
    """The answer to one text: options as they are stored, a record, or a set as it is kept.

    Else it says what is `wrong`, in a set with its line, or a `fault` of ours.
    """

    options: dict[str, object] | None = None
    record: ReadRecord | None = None
    written: str = ""
    is_set: bool = False
    wrong: str = ""
    line: int | None = None
    fault: str = ""


class TextReader:
    """Reads texts here and now."""

    async def read_options(
        self, asker: Asker, found: Game, seats: int, given: Mapping[str, object]
    ) -> dict[str, object]:
        """Return the options of a new table as they are stored, after making a book of them; raises BadOption.

        Options without a stranger's text are read here at once. The asker is an address and a player there.
        """
        if not _has_text(found, given):
            read = found.read_options(seats, given)
            found.make_book(seats, read)
            return read
        answer = await self._ask(asker, _encoded((found.id, seats, given)), f"options of {found.id}")
        assert answer.options is not None
        return answer.options

    async def read_record(self, asker: Asker, text: str) -> ReadRecord:
        """Return a record after playing it again; raises BadOption if it is not true."""
        answer = await self._ask(asker, _encoded((RECORD, 0, {RECORD: text})), "a record")
        assert answer.record
        return answer.record

    async def read_set(self, asker: Asker, found: Game, text: str) -> str:
        """Return a set of cards as it is kept, without remarks; raises BadCards if no set can be read from the text.

        Its cards may break rules of the game: whoever changes the set sees what is wrong.
        """
        answer = await self._ask(asker, _encoded((SET, 0, {"game": found.id, "text": text})), f"a set of {found.id}")
        return answer.written

    async def _ask(self, asker: Asker, question: bytes, what: str) -> Answer:
        """Return the answer to a question; raises BadOption if something is wrong with the text."""
        answer = await self._answered(asker, question)
        if answer.fault:
            raise RuntimeError(f"{what} cannot be read: {answer.fault}")
        if answer.wrong:
            raise BadCards(answer.wrong, answer.line) if answer.is_set else BadOption(answer.wrong)
        return answer

    async def _answered(self, asker: Asker, question: bytes) -> Answer:
        """Return the answer to a question when it is the asker's turn; a browser has nothing that checks signatures."""
        return read(question, checks_signatures=False)

    def stop(self) -> None:
        """End the reading, even in the middle of a text; whoever waits for a text gets Stopping."""


def _has_text(found: Game, given: Mapping[str, object]) -> bool:
    options = {option.name: option for option in found.text.OPTIONS}
    return isinstance(given, Mapping) and any(
        name in options and options[name].is_text(value) for name, value in given.items()
    )


def _encoded(question: tuple[str, int, Mapping[str, object]]) -> bytes:
    try:
        return msgspec.json.encode(question)
    except RecursionError as error:
        raise BadOption("the options cannot be read: lists in them are too deep") from error


def read(question: bytes, *, checks_signatures: bool = True) -> Answer:
    """Read the options of a game, a record or a set of cards; raises MemoryError if it needs too much memory."""
    id_, seats, given = msgspec.json.decode(question)
    try:
        if id_ == RECORD:
            return Answer(record=_replayed(given[RECORD], checks_signatures))
        if id_ == SET:
            return _read_set(game(given["game"]), given["text"])
        found = game(id_)
        options = found.read_options(seats, given)
        found.make_book(seats, options)
    except QuintainError as error:
        return Answer(wrong=str(error))
    except RecursionError:
        return Answer(wrong="the options cannot be read: lists in them are too deep")
    except MemoryError:
        raise
    except Exception:
        return Answer(fault=traceback.format_exc())
    return Answer(options=options)


def _read_set(found: Game, text: str) -> Answer:
    """Return a set as it is kept, or what is wrong with it and where."""
    assert found.collection and found.collection.vocabulary
    vocabulary = found.collection.vocabulary
    try:
        written = write_entries(read_entries(text, vocabulary))
        read_entries(written, vocabulary)
    except BadCards as error:
        return Answer(wrong=str(error), line=error.line, is_set=True)
    return Answer(written=written)


def _replayed(text: str, checks_signature: bool) -> ReadRecord:
    """Return a record after playing it again; raises BadRecord if it does not follow the rules."""
    document = read_document(text)
    if document.position:
        raise BadRecord(FROM_POSITION)
    if not isinstance(document, MatchRecord):
        raise BadRecord("this is a save of a game that is not over: only finished games can be brought in")
    if checks_signature:
        check_signature(json.loads(text))
    match = Match.load(text)
    return ReadRecord(document, match.record(with_names=False), checks_signature)
