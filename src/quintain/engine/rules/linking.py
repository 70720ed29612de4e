"""Marks rules, and links them: makes copies of rules in which every rule that they call is a copy, too.

A game's functions marked `@rule` run interpreted and compiled. A *driver*, such as a playout or a search, is a rule
that works for any game: it calls the rules of "the game" through the placeholder `rules`. A `Linker` binds rules to one
game. Its copies have globals of their own, so both forms of any number of games can live in one process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, Protocol, TypeGuard, TypeVar

from quintain.engine.rules.state import GameState, Record

Function = Callable[..., object]
"""Any rule or driver."""
F = TypeVar("F", bound=Function)

INLINED = ("to_act", "legal", "hide", "redeal")
"""The functions of a game that the engine completes: the game's part is inlined in the engine's."""


class RuledGame(Protocol):
    """What linking and compiling need of a game; a `Game` has it all."""

    id: str
    title: str

    def __hash__(self) -> int: ...

    @property
    def written(self) -> dict[str, Function]:
        """The rule functions that the game writes, by name."""

    @property
    def functions(self) -> dict[str, Function]:
        """The complete rule functions, by name."""

    @property
    def constants(self) -> dict[str, int | float]:
        """The numbers that drivers find in `rules` beside the functions."""

    @property
    def state(self) -> type[GameState]:
        """The class of the game's states."""

    @property
    def book(self) -> type[Record]:
        """The class of the game's books."""


def rule(function: F) -> F:
    """Mark a function as a rule: it uses ints, books and states only, so it runs interpreted and compiled."""
    function.is_rule = True  # type: ignore[attr-defined]
    return function


IN_MEMORY: dict[Function, Function] = {}
"""The rules that differ between plain states and compiled memory, each with what is compiled in its place."""


class Placeholder:
    """A name in a driver that stands for the functions and constants of the game that the driver is bound to."""

    def __init__(self, name: str):
        self.name = name

    def __getattr__(self, name: str) -> Any:
        raise TypeError(f"{self.name}.{name} belongs to no game: bind the driver by `interpreted` or `compiled` first")


rules = Placeholder("rules")
"""The game's complete rules: see `quintain.engine.rules.contract`."""
written = Placeholder("written")
"""The functions that the game itself writes; the engine completes them to `rules`."""


class Linker:
    """Copies functions so that every rule they call is a copy, too; `make` turns each copy into a callable.

    A rule for which `needs` returns False stays as it is, with all that it calls. `others` take the place of rules.
    """

    def __init__(
        self,
        game: RuledGame,
        make: Callable[[Function], object],
        needs: Callable[[Function], bool] = lambda function: True,
        others: Mapping[Function, Function] = MappingProxyType({}),
    ):
        self.game, self.make, self.needs, self.others = game, make, needs, others
        self.linked: dict[Function, object] = {}
        """What stands for each rule; callers may enter other functions."""
        self.globals: dict[int, dict[str, object]] = {}
        self.modules: dict[ModuleType, ModuleType] = {}
        self.namespaces: dict[Placeholder, ModuleType] = {}

    def link(self, function: Function) -> Any:
        """Return the copy of a rule, ready to be called."""
        if not self.needs(function):
            return function
        if function not in self.linked:
            self.linked[function] = self.make(self.copy(self.others.get(function, function)))
        return self.linked[function]

    def copy(self, function: Function) -> FunctionType:
        """Return a copy of a function that sees the linked globals of its module."""
        linked_globals = self._linked_globals(function.__globals__)
        copy = FunctionType(function.__code__, linked_globals, function.__name__, function.__defaults__)
        copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
        return copy

    def namespace(self, placeholder: Placeholder) -> ModuleType:
        """Return the namespace that a placeholder stands for: the game's functions, linked, and its constants."""
        if placeholder not in self.namespaces:
            self.namespaces[placeholder] = made = ModuleType(placeholder.name)
            made.__dict__.update(self.game.constants)
            made.__dict__.update({name: self.link(each) for name, each in functions_of(self.game, placeholder).items()})
        return self.namespaces[placeholder]

    def _linked_globals(self, names: dict[str, object]) -> dict[str, object]:
        """Return a copy of a module's globals in which every rule is linked."""
        if id(names) not in self.globals:
            linked = self.globals[id(names)] = dict(names)
            linked.update({name: self._linked(value) for name, value in names.items() if _reaches_rules(value)})
        return self.globals[id(names)]

    def _linked(self, value: Function | ModuleType | Placeholder) -> object:
        """Return the linked form of a rule, of a module that has rules, or of a placeholder."""
        if isinstance(value, Placeholder):
            return self.namespace(value)
        return self._linked_module(value) if isinstance(value, ModuleType) else self.link(value)

    def _linked_module(self, module: ModuleType) -> ModuleType:
        """Return a copy of a module whose rules are linked."""
        if module not in self.modules:
            twin = self.modules[module] = ModuleType(module.__name__)
            twin.__dict__.update(self._linked_globals(module.__dict__))
        return self.modules[module]


def functions_of(game: RuledGame, placeholder: Placeholder) -> dict[str, Function]:
    """Return the functions that a placeholder stands for."""
    return game.written if placeholder is written else game.functions


def contract_of(game: RuledGame) -> dict[str, Function]:
    """Return the functions of the contract that are compiled once for a game, by name; all others are inlined."""
    own = {name: function for name, function in game.written.items() if name not in INLINED}
    completed = ("to_act", "legal", "blind", "blind_position", "redeal", "observe", "observe_int8")
    return own | {name: game.functions[name] for name in completed}


def is_rule(value: object) -> TypeGuard[Function]:
    """Tell whether a value is a function marked by `rule`."""
    return isinstance(value, FunctionType) and hasattr(value, "is_rule")


def _reaches_rules(value: object) -> TypeGuard[Function | ModuleType | Placeholder]:
    if isinstance(value, ModuleType):
        return any(map(is_rule, vars(value).values()))
    return isinstance(value, Placeholder) or is_rule(value)


@cache
def is_bound(function: Function) -> bool:
    """Tell whether a rule uses a placeholder, directly or through the rules that it calls."""
    seen: set[object] = set()
    todo: list[Function] = [function]
    while todo:
        reader = todo.pop()
        if reader not in seen:
            seen.add(reader)
            for _, value in readings(reader):
                if isinstance(value, Placeholder):
                    return True
                if is_rule(value):
                    todo.append(value)
    return False


def reached(game: RuledGame, roots: Iterable[Function], outside: Iterable[Function] = ()) -> list[Function]:
    """Return the roots and every rule that they call in compiled code, also through other rules and the game's.

    The rules that are `outside`, and what only they call, do not count.
    """
    found: dict[Function, None] = {}
    left, todo = set(outside), list(roots)
    while todo:
        function = todo.pop(0)
        function = IN_MEMORY.get(function, function)
        if function not in found and function not in left:
            found[function] = None
            for _, value in readings(function):
                if isinstance(value, Placeholder):
                    todo += functions_of(game, value).values()
                elif is_rule(value):
                    todo.append(value)
    return list(found)


def readings(function: Function) -> Iterator[tuple[str, object]]:
    """Yield the globals that a function may read, with their names: ``module.name`` for those of a module.

    A field of a state that has the name of something in such a module counts, too. Builtins do not.
    """
    for code in codes(function.__code__):
        yield from _read_in(function.__globals__, code.co_names, "", ())


def codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function, and of all functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def _read_in(
    names: Mapping[str, object], read: tuple[str, ...], before: str, through: tuple[ModuleType, ...]
) -> Iterator[tuple[str, object]]:
    for name in read:
        if name in names:
            yield f"{before}{name}", names[name]
            if isinstance(module := names[name], ModuleType) and module not in through:
                yield from _read_in(vars(module), read, f"{before}{name}.", (*through, module))
