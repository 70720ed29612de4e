"""Checks that a game keeps the contract, before anybody plays or compiles it.

`Game` calls `check_game`, which looks at names, parameters, marks and fields. `check_rules` reads the source of the
rules and finds code that would not compile. It takes longer, so it runs only for a game from a file (`registry`) and
before compiling (`compiled`). Both raise BadGame, whose message says in a few lines what is wrong and where.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import NamedTuple, get_args, get_type_hints

from quintain.engine.errors import BadGame, nearest, quoted
from quintain.engine.rules.collection import PARTS
from quintain.engine.rules.compiling.fingerprints import is_seen
from quintain.engine.rules.contract import CONTRACT, OPTIONAL, WRITTEN
from quintain.engine.rules.linking import Function, readings
from quintain.engine.rules.options import Option
from quintain.engine.rules.state import Event, GameState, Record, text_fields
from quintain.engine.rules.written import TEXT, WrittenGame

OBJECTS = (
    *(ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp),
    *(ast.JoinedStr, ast.Lambda, ast.FunctionDef, ast.Global, ast.Raise, ast.Try, ast.With),
)
"""The parts of Python's syntax that a rule cannot use: they make objects, or raise and catch errors."""
KEPT_FIELDS = ("rng", "over", "events_made", "events")
"""The fields that every state has."""


def check_game(game: WrittenGame) -> None:
    """Check names, parameters, marks and fields, without reading the source; raises BadGame."""
    if not re.fullmatch("[a-z][a-z0-9-]*", game.id):
        raise BadGame(f"a game's id consists of small letters, digits and hyphens, such as my-game, not {game.id!r}")
    if game.contract not in (None, CONTRACT):
        raise BadGame(
            f"{game.id} was written for version {quoted(game.contract)} of the contract of a game, and this Quintain "
            f"has version {CONTRACT}: the changelog says how to move a game to it"
        )
    if not _are_numbers(game.seats, 3) or not 1 <= game.seats[0] <= game.seats[2] <= game.seats[1]:
        raise BadGame(f"the seats of {game.id} must be the least, the most and the usual number, not {game.seats}")
    if not 1 <= game.weight <= 5 or len(game.minutes) != 2 or not 0 < game.minutes[0] <= game.minutes[1]:
        raise BadGame(
            f"{game.id} must have a weight from 1 to 5, and as minutes the shortest and the longest time, "
            f"not {game.weight} and {game.minutes}"
        )
    _check_names(game)
    _check_constants(game)
    _check_parameters(game)
    _check_parts(game)
    _check_fields(game)


def _check_names(game: WrittenGame) -> None:
    missing = [f"rules.{name}" for name in (*WRITTEN, "State", "Book", "ACTIONS") if not hasattr(game.module, name)]
    missing += [f"text.{name}" for name in (*TEXT, "OPTIONS") if not hasattr(game.text, name)]
    if missing:
        raise BadGame(f"the game {game.id} lacks {', '.join(missing)}")
    unmarked = [name for name, function in game.written.items() if not hasattr(function, "is_rule")]
    if unmarked:
        raise BadGame(f"the game {game.id} must mark {', '.join(unmarked)} with @rule")


def _check_constants(game: WrittenGame) -> None:
    if type(game.module.ACTIONS) is not int or game.module.ACTIONS < 1:
        raise BadGame(f"ACTIONS of {game.id} must be a whole number of at least 1, not {quoted(game.module.ACTIONS)}")
    for name, number in (("LONGEST", game.longest), ("OUTCOMES", game.outcomes)):
        if number is not None and (type(number) is not int or number < 1):
            raise BadGame(f"{name} of {game.id} must be a whole number of at least 1, not {quoted(number)}")
    if not _are_numbers(game.window, 2) or not all(type(number) is int and number >= 1 for number in game.window):
        words = f"WINDOW of {game.id} must be a number of decisions and one of events, both whole and at least 1"
        raise BadGame(f"{words}, such as (4, 24), not {quoted(game.window)}")
    payoffs = getattr(game.module, "PAYOFFS", (0, 1))
    if not _are_numbers(payoffs, 2) or payoffs[0] >= payoffs[1]:
        raise BadGame(f"PAYOFFS of {game.id} must be the least and the most that payoff writes, not {quoted(payoffs)}")
    columns = getattr(game.module, "OBSERVATION", None)
    if "observe" in game.written and (type(columns) is not int or columns < 1):
        words = f"OBSERVATION of {game.id} must be the number of columns that observe writes"
        raise BadGame(f"{words}, not {quoted(columns)}")
    features = {"state_features": "STATE_FEATURES", "action_features": "ACTION_FEATURES"}
    if there := [name for name in features if name in game.written]:
        if missing := [name for name in features if name not in there]:
            raise BadGame(f"{game.id} writes {there[0]} without {missing[0]}: nets need both")
        for name, constant in features.items():
            count = getattr(game.module, constant, None)
            if type(count) is not int or count < 1:
                words = f"{constant} of {game.id} must be how many numbers {name} writes, at least 1"
                raise BadGame(f"{words}, not {quoted(count)}")
    options = game.text.OPTIONS
    if not isinstance(options, list | tuple) or not all(isinstance(option, Option) for option in options):
        raise BadGame(f"OPTIONS of {game.id} must be a tuple of Option, such as (Option(...),), not {quoted(options)}")
    first, names = getattr(game.text, "FIRST_GAME", {}), [option.name for option in options]
    if not isinstance(first, dict) or not set(first) <= set(names):
        raise BadGame(f"FIRST_GAME of {game.id} must give values to some of {', '.join(names)}, not {quoted(first)}")


def _are_numbers(given: object, count: int) -> bool:
    if not isinstance(given, list | tuple) or len(given) != count:
        return False
    return all(isinstance(number, int | float) for number in given)


def _check_parameters(game: WrittenGame) -> None:
    for name, function in game.written.items():
        wanted, given = {**WRITTEN, **OPTIONAL}[name], tuple(inspect.signature(function).parameters)
        if given != wanted:
            raise BadGame(f"{_place(function)}: {name} takes ({', '.join(wanted)}), not ({', '.join(given)})")
    for name, count in TEXT.items():
        _check_function(game, name, getattr(game.text, name), count)


def _check_parts(game: WrittenGame) -> None:
    """Check the optional parts: each has its functions, and the option that it names exists."""
    if hasattr(game.text, "phase"):
        _check_function(game, "phase", game.text.phase, 3)
    if game.report is not None:
        _check_function(game, "report", game.report, 2)
    if game.story is not None:
        _check_function(game, "story", game.story, 2)
    if game.themes is not None:
        _check_function(game, "themes", game.themes, 4)
    cards = game.collection
    parts = {"collection": cards, **{part: getattr(cards, part, None) for part in ("decks", "sets", "vocabulary")}}
    options = [option.name for option in game.text.OPTIONS]
    for part, found in parts.items():
        if found is None:
            continue
        for name, count in PARTS[part].items():
            _check_function(game, f"{part}.{name}", getattr(found, name, None), count)
        taken = getattr(found, "option", None)
        names_option = taken in options or (part == "collection" and taken == "")
        if part in ("collection", "decks") and not names_option:
            raise BadGame(f"{part}.option of {game.id} must name one of its options, {', '.join(options)}")


def _check_function(game: WrittenGame, name: str, function: object, count: int) -> None:
    if not callable(function):
        raise BadGame(f"{name} of {game.id} must be a function, not {function!r}")
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        raise BadGame(f"{_place(function)}: {name} takes {count} parameters") from None


def _check_fields(game: WrittenGame) -> None:
    fields = list(game.state.fields)
    if lacking := [name for name in KEPT_FIELDS if name not in fields]:
        raise BadGame(f"the state of {game.id} lacks the field {', '.join(lacking)}")
    if fields[-2:] != ["events_made", "events"]:
        raise BadGame(f"the state of {game.id} must end with the fields events_made and events, in this order")
    if game.state.fields["events_made"].bits != 64:
        raise BadGame(f"the field events_made of {game.id} must have 64 bits")
    if get_type_hints(game.state)["events"] != list[Event]:
        raise BadGame(f"the field events of {game.id} must be a list of Event")
    if texts := text_fields(game.state):
        raise BadGame(f"the state of {game.id} holds texts, {', '.join(texts)}, which belong in the book")


def _place(function: Function, line: int | None = None) -> str:
    """Return the file of a function, and its first line or the given one, in words."""
    code = function.__code__
    return f"{code.co_filename}, line {code.co_firstlineno if line is None else line}"


class _Kind(NamedTuple):
    """What is known of an expression: it is a record, nested in `depth` lists (0: the record itself)."""

    record: type[Record]
    depth: int


def check_rules(functions: Iterable[Function]) -> None:
    """Read the source of rules; raises BadGame with the file, the line and the cause if one would not compile.

    It also refuses values that compiled code would keep as they are now, and that no fingerprint can see.
    """
    for function in functions:
        if function.__closure__ or function.__code__.co_kwonlyargcount or hasattr(function, "__wrapped__"):
            words = "a rule stands at the top of its module, wraps no other function, and has no parameter after a *"
            raise BadGame(f"{_place(function)}: {function.__name__} cannot be compiled: {words}")
        for value in function.__defaults__ or ():
            if not is_seen(value):
                raise BadGame(f"{_place(function)}, in {function.__name__}: {_unseen('a default', value)}")
        body = _body(function)
        if body:
            _Reader(function, body).check()
            continue
        for name, value in readings(function):
            if not is_seen(value):
                raise BadGame(f"{_place(function)}: {_unseen(name, value)}")


def _body(function: Function) -> ast.FunctionDef | None:
    """Return the source of a rule; None if a program made it, or it is no function with a name."""
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError):
        return None
    ast.increment_lineno(tree, first - 1)
    return next((node for node in tree.body if isinstance(node, ast.FunctionDef)), None)


class _Reader:
    """Reads the source of one rule, and keeps track of which names are records."""

    def __init__(self, function: Function, body: ast.FunctionDef) -> None:
        self.function, self.body = function, body
        self.kinds = _annotated(function)
        self.local = {node.arg for node in ast.walk(body) if isinstance(node, ast.arg)}
        self.local |= {n.id for n in ast.walk(body) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}

    def check(self) -> None:
        """Check every name, field and call of the rule; raises BadGame."""
        self._check_values()
        for node in self._in_order():
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self._assign(node.targets[0].id, node.value)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                self._name(node)
            elif isinstance(node, ast.Attribute):
                self._field(node)
            elif isinstance(node, ast.Call):
                self._call(node)
            elif isinstance(node, OBJECTS):
                words = "a rule cannot make a list, a text or another object, nor raise or catch errors"
                raise self._wrong(node, f"{words}: keep numbers in variables and fields, and loop over ranges")

    def _check_values(self) -> None:
        """Check that a fingerprint sees every value that the rule reads; what it calls is checked elsewhere."""
        nodes = list(self._in_order())
        called = [node.func for node in nodes if isinstance(node, ast.Call)]
        aside = {id(node) for node in called if isinstance(self._found(node), FunctionType)}
        owners = [node.value for node in nodes if isinstance(node, ast.Attribute)]
        aside |= {id(node) for node in owners if isinstance(self._found(node), ModuleType)}
        noted = [each for node in nodes if isinstance(node, ast.AnnAssign) for each in ast.walk(node.annotation)]
        aside |= set(map(id, noted))
        for node in nodes:
            if isinstance(node, ast.Name | ast.Attribute) and id(node) not in aside:
                value = self._found(node)
                owner = self._found(node.value) if isinstance(node, ast.Attribute) else None
                if isinstance(owner, ModuleType) and node.attr not in vars(owner):  # type: ignore[union-attr]
                    raise self._wrong(node, f"there is no {ast.unparse(node)}")
                if isinstance(value, ModuleType) or not is_seen(value):
                    raise self._wrong(node, _unseen(ast.unparse(node), value))

    def _in_order(self) -> Iterator[ast.AST]:
        """Yield every node of the body, statement by statement, in the order of the lines."""
        for statement in self.body.body:
            yield from sorted(ast.walk(statement), key=lambda node: getattr(node, "lineno", 0))

    def _wrong(self, node: ast.expr | ast.stmt, cause: str) -> BadGame:
        name = self.function.__name__
        return BadGame(f"{self.function.__code__.co_filename}, line {node.lineno}, in {name}: {cause}")

    def _assign(self, name: str, value: ast.expr) -> None:
        kind = self._kind(value)
        if kind:
            self.kinds[name] = kind
        else:
            self.kinds.pop(name, None)

    def _kind(self, node: ast.expr) -> _Kind | None:
        """Return the kind of an expression that is a record, or a part of one; None for any other."""
        if isinstance(node, ast.Name):
            return self.kinds.get(node.id)
        if isinstance(node, ast.Subscript):
            outer = self._kind(node.value)
            return _Kind(outer.record, outer.depth - 1) if outer and outer.depth else None
        if isinstance(node, ast.Attribute):
            owner = self._kind(node.value)
            return _part(owner.record, node.attr) if owner and not owner.depth else None
        return None

    def _found(self, node: ast.expr) -> object:
        """Return the function or module that an expression names; None if that is known only at run time."""
        if isinstance(node, ast.Name) and node.id not in self.local:
            return self.function.__globals__.get(node.id)
        if isinstance(node, ast.Attribute) and isinstance(module := self._found(node.value), ModuleType):
            return getattr(module, node.attr, None)
        return None

    def _name(self, node: ast.Name) -> None:
        known = (*self.local, *self.function.__globals__, *dir(builtins))
        if node.id not in known:
            raise self._wrong(node, f"there is no {node.id}{nearest(node.id, known)}")

    def _field(self, node: ast.Attribute) -> None:
        owner = self._kind(node.value)
        if owner and not owner.depth and node.attr not in owner.record.fields:
            near = nearest(node.attr, owner.record.fields)
            raise self._wrong(node, f"{owner.record.__name__} has no field {node.attr}{near}")

    def _call(self, node: ast.Call) -> None:
        callee = self._found(node.func)
        if not isinstance(callee, FunctionType):
            return
        if not hasattr(callee, "is_rule"):
            raise self._wrong(node, f"it calls {callee.__name__}, which is not marked with @rule ({_place(callee)})")
        signature = inspect.signature(callee)
        try:
            bound = signature.bind(*node.args, **{word.arg: word.value for word in node.keywords if word.arg})
        except TypeError as error:
            raise self._wrong(node, f"it calls {callee.__name__}{signature}: {error}") from None
        wanted = _annotated(callee)
        for name, value in bound.arguments.items():
            given = self._kind(value) if isinstance(value, ast.expr) else None
            if given and name in wanted and given != wanted[name]:
                raise self._wrong(
                    node,
                    f"{callee.__name__} takes a {wanted[name].record.__name__} as {name}, and is given "
                    f"{ast.unparse(value)}, a {given.record.__name__}",
                )


def _unseen(name: str, value: object) -> str:
    what = "a module" if isinstance(value, ModuleType) else f"of the type {type(value).__name__}"
    kept = "which compiled code would keep as it is now, whatever becomes of it"
    return f"it reads {name}, {what}, {kept}: use numbers, tuples of them, or arrays"


def explained(game: str, error: Exception) -> str:
    """Return Numba's error in one line: the innermost place that it names outside of Numba itself, and the cause."""
    said = str(error) or type(error).__name__
    places = re.finditer(r'File "([^"]+)", line (\d+)', said)
    place = next((each for each in places if "numba" not in Path(each[1]).parts), None)
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    causes = [line for line in lines if not line.startswith("Failed in nopython mode")]
    cause = " ".join(causes[: 2 if causes[:1] and causes[0].endswith(":") else 1]).replace(" >>> ", " ")
    where = f"{Path(place[1]).resolve()}, line {place[2]}: " if place else ""
    return f"the rules of {game} do not compile: {where}{cause}"


def _annotated(function: Function) -> dict[str, _Kind]:
    """Return the parameters of a rule whose annotations are records or lists of records."""
    try:
        hints = get_type_hints(function)
    except NameError:
        return {}  # only type checkers import the name
    found = {}
    for name, hint in hints.items():
        kind = _kind_of(hint)
        if kind and name != "return":
            found[name] = kind
    return found


def _part(record: type[Record], name: str) -> _Kind | None:
    """Return the kind of a record's field; None if it is neither a record nor a list of records."""
    return _kind_of(get_type_hints(record).get(name))


def _kind_of(hint: object, depth: int = 0) -> _Kind | None:
    """Return the kind that an annotation names; None if it is neither a record with known fields nor a list of them."""
    if get_args(hint):
        return _kind_of(get_args(hint)[0], depth + 1)
    if isinstance(hint, type) and issubclass(hint, Record) and hint not in (Record, GameState):
        return _Kind(hint, depth)
    return None
