"""Runs rules in two ways: interpreted on plain objects, and compiled on memory.

`interpreted` and `compiled` bind a driver (see `linking`) to one game. Compiled drivers come from a library that was
made ahead of time, if there is one of the same rules (see `libraries`). Otherwise Numba compiles them: the contract of
a game once, as `CompiledRules`, and drivers as small pieces of code that call it. `code_cache` keeps both, under names
that hash all that the code is made from (see `fingerprints`).
"""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast

from quintain.engine.errors import BadGame, QuintainError
from quintain.engine.rules.checks import check_rules, explained
from quintain.engine.rules.compiling import code_cache, libraries
from quintain.engine.rules.compiling.calls import LoadedDriver, Numbered, numbered
from quintain.engine.rules.compiling.fingerprints import fingerprint, processor
from quintain.engine.rules.compiling.memory_views import on_views
from quintain.engine.rules.compiling.targets import here
from quintain.engine.rules.linking import (
    Function,
    Linker,
    RuledGame,
    contract_of,
    is_bound,
    reached,
    rules,
)

if TYPE_CHECKING:
    from quintain.engine.rules.compiling.native import RuleCompiler

F = TypeVar("F", bound=Function)
T = TypeVar("T")

REMEDY = "" if sys.platform == "emscripten" else "To compile it, type `pip install 'quintain[compiler]'`"
"""What helps where rules run interpreted; in a browser nothing does."""
_compiling = [threading.RLock()]
"""Held while a driver is loaded from the cache or compiled. A process that is forked meanwhile has one of its own."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: _compiling.__setitem__(0, threading.RLock()))


def interpreted(game: RuledGame, driver: F) -> F:
    """Return a driver bound to a game's plain rules; it takes plain books and `Pool`s of plain states."""
    bound: F = Linker(game, lambda copy: copy, is_bound).link(driver)
    return bound


def bound_rules(game: RuledGame, stand_ins: Mapping[Function, Function] | None = None) -> ModuleType:
    """Return a game's complete rules for plain books and states, as a namespace.

    `stand_ins` maps rules to functions that are called in their place.
    """
    linker = Linker(game, lambda copy: copy, is_bound if stand_ins is None else lambda function: True)
    linker.linked.update(stand_ins or {})
    return linker.namespace(rules)


def compiled(game: RuledGame, driver: Callable[..., T], boundscheck: bool = False) -> Compiled[T]:
    """Return a driver bound to a game's compiled rules; it takes arrays and records of ctypes or numpy.

    It runs without the GIL. With `boundscheck`, for tests, an index outside its array raises IndexError.
    """
    return Compiled(game, driver, boundscheck)


def compiled_rules(game: RuledGame, boundscheck: bool = False) -> CompiledRules:
    """Return the compiled contract of a game, of which a process has one."""
    return _compiled_rules(game, boundscheck)


@cache
def _compiled_rules(game: RuledGame, boundscheck: bool) -> CompiledRules:
    """Return what `compiled_rules` does; its fingerprint takes 10 ms, and bots ask for it at each move."""
    return CompiledRules(game, boundscheck)


def is_warm(game: RuledGame, driver: Function) -> bool:
    """Tell, without importing Numba, whether the compiled driver can be loaded from a library or the cache."""
    if is_switched_off():
        return False
    return libraries.holds(game, driver) or (can_compile() and compiled_rules(game).holds(driver))


def _problem_of_numba() -> str:
    """Return why Numba cannot compile, which is found out by importing it; nothing if it can."""
    if not can_compile():
        return f"Numba is not installed. {REMEDY}"
    try:
        import numba
    except ImportError as error:
        return f"Numba cannot be loaded: {error}"
    return "a file of settings switches Numba off" if numba.config.DISABLE_JIT else ""


def can_compile() -> bool:
    """Tell, without importing it, whether Numba is installed, so that games without a library can be compiled."""
    return not is_switched_off() and all(map(importlib.util.find_spec, ("numba", "llvmlite", "numpy")))


def is_switched_off() -> bool:
    """Tell whether NUMBA_DISABLE_JIT says that nothing is compiled, as debuggers and measures of coverage need it."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


class Example(NamedTuple):
    """A compiled driver, with arguments of the types that it is called with."""

    driver: Compiled[Any]
    arguments: tuple[object, ...]


def load(examples: Iterable[Example]) -> None:
    """Make drivers ready to be called: load them, or compile what is neither in a library nor in the cache."""
    for example in examples:
        example.driver.load(*example.arguments)


def source_of(example: Example) -> tuple[str, str]:
    """Return what a driver runs as, and why, without loading or compiling it."""
    game, driver = example.driver.game, example.driver.driver
    if is_switched_off():
        return "interpreted", "NUMBA_DISABLE_JIT is set"
    if not (why := libraries.problem(game, driver, numbered(example.arguments).digest)):
        return "library", f"made for {here()} from these sources"
    if not can_compile():
        return "interpreted", f"{why}, and Numba is not installed"
    if compiled_rules(game).holds(driver):
        return "cache", f"{why}, and Numba has compiled it"
    return "nothing yet", f"{why}, and Numba compiles it when it is needed"


class CompiledRules:
    """The contract of a game, compiled once, and the names of its code."""

    def __init__(self, game: RuledGame, boundscheck: bool) -> None:
        self.game, self.boundscheck = game, boundscheck
        self.contract = contract_of(game)
        self.name = self._name()
        """The name of the rules' code in the cache, and the beginning of its symbols."""
        self.ending = f".{processor()}{code_cache.OBJECT}"
        """The end of the names of files with code for this machine."""
        self.symbols = {name: f"{self.name}.{name}" for name in self.contract}
        self.made: list[str] = []
        """What this process has compiled: "rules", or the name of a driver."""
        self._drivers: dict[Function, str] = {}
        self._compiler: RuleCompiler | None = None

    def name_of(self, driver: Function) -> str:
        """Return the name of a driver's code, whatever the types of its arguments."""
        if driver not in self._drivers:
            self._drivers[driver] = self._name_of(driver)
        return self._drivers[driver]

    def _name(self) -> str:
        return f"{self.game.id}-rules-{fingerprint(self.game, self.contract, (), self.boundscheck)}"

    def _name_of(self, driver: Function) -> str:
        key = fingerprint(self.game, {driver.__qualname__: driver}, self.contract.values(), self.name)
        return f"{self.game.id}-{driver.__name__}-{key}"

    def holds(self, driver: Function) -> bool:
        """Tell whether the cache holds a driver, for arguments of some types, and the rules that it calls."""
        if is_bound(driver) and code_cache.read(code_cache.file(self.name, self.ending)) is None:
            return False
        return any(map(code_cache.read, code_cache.files(f"{self.name_of(driver)}-", self.ending)))

    def load(self) -> None:
        """Load the rules into this process, so that drivers can call them; compile them if the cache has none."""
        from quintain.engine.rules.compiling import native

        code = self._code(self.name, "rules", self.bitcode, lambda: self._name() == self.name)
        native.load_rules(code, self.symbols.values())

    def load_driver(self, driver: Function, arguments: tuple[object, ...], types: str) -> LoadedDriver:
        """Load a driver for arguments whose types have this digest, and the rules that it calls.

        Compiles what the cache has not.
        """
        from quintain.engine.rules.compiling import native

        if is_bound(driver):
            self.load()
        name = self.name_of(driver)
        symbol = f"{name}-{types}"
        code = self._code(
            symbol,
            driver.__name__,
            lambda: self.driver_bitcode(driver, arguments, types),
            lambda: self._name_of(driver) == name,
        )
        return LoadedDriver(f"{self.game.title} ({driver.__name__})", native.load_driver(code, symbol))

    def bitcode(self) -> bytes:
        """Return the rules as bitcode, which code for any machine is made of."""
        roots = list(self.contract.values())
        return self._bitcode(self.name, "rules", roots, lambda compiler: compiler.rules(), self._name)

    def driver_bitcode(self, driver: Function, arguments: tuple[object, ...], types: str) -> bytes:
        """Return a driver as bitcode; the symbol of its entry is its name and the digest of its types."""
        from quintain.engine.rules.compiling import native

        given, symbol = native.types_of(arguments), f"{self.name_of(driver)}-{types}"
        return self._bitcode(
            symbol,
            driver.__name__,
            [driver],
            lambda compiler: compiler.driver(driver, given, symbol),
            lambda: f"{self._name_of(driver)}-{types}",
        )

    def _code(self, name: str, part: str, bitcode: Callable[[], bytes], is_right: Callable[[], bool]) -> bytes:
        """Return a part of the game as code for this machine."""
        from quintain.engine.rules.compiling import native

        def make() -> bytes:
            return native.emit([bitcode()], native.this_machine())

        file = code_cache.file(name, self.ending)
        return code_cache.read_or_make(file, f"{self.game.title} ({part})", make, is_right)

    def _bitcode(
        self,
        name: str,
        part: str,
        roots: list[Function],
        make: Callable[[RuleCompiler], bytes],
        name_now: Callable[[], str],
    ) -> bytes:
        """Return a part of the game as bitcode, from the cache or from Numba."""
        file, what = code_cache.file(name, code_cache.BITCODE), f"{self.game.title} ({part})"
        outside = () if part == "rules" else self.contract.values()
        functions = reached(self.game, roots, outside)
        return code_cache.read_or_make(
            file, what, lambda: self._made(part, functions, make), lambda: name_now() == name
        )

    def _made(self, part: str, functions: list[Function], make: Callable[[RuleCompiler], bytes]) -> bytes:
        from quintain.engine.rules.compiling import native

        check_rules(functions)
        what, seconds = f"{self.game.title} ({part})", "; this takes some seconds, only once" * (part == "rules")
        code_cache.say(f"Compiling {what}{seconds} ...")
        self._compiler = self._compiler or native.RuleCompiler(self.game, self.symbols, self.boundscheck)
        try:
            with native.progress_shown(what, functions):
                code = make(self._compiler)
        except QuintainError:
            raise
        except Exception as error:  # Numba raises more than its own errors for what it cannot compile
            raise BadGame(explained(self.game.id, error)) from error
        self.made.append(part)
        return code


class Compiled(Generic[T]):
    """A driver with one game's rules; the first call loads it from the cache, or else compiles it."""

    def __init__(self, game: RuledGame, driver: Callable[..., T], boundscheck: bool = False):
        self.game, self.driver, self.boundscheck = game, driver, boundscheck
        self._loaded: LoadedDriver | None = None
        self._interpreted: Callable[..., T] | None = None
        self._types = ""

    def __call__(self, *arguments: object) -> T:
        """Run the driver. Every call must give arguments of the same types. Raises BadGame for what cannot compile."""
        return self.prepared(*arguments)()

    def prepared(self, *arguments: object) -> Callable[[], T]:
        """Return a function that runs the driver with these arguments each time: what is in their arrays then counts.

        Only one thread at a time may call it. Raises as a call does.
        """
        given = self.load(*arguments)
        if self._interpreted is not None:
            return partial(self._interpreted, *arguments)
        if given.text != self._types:
            raise TypeError(
                f"the driver was compiled for arguments of the types {self._types}, not {given.text}: "
                "make another one for these"
            )
        assert self._loaded is not None
        return cast(Callable[[], T], self._loaded.prepared(given.words, arguments))

    def load(self, *arguments: object) -> Numbered:
        """Load the driver for arguments like these, if it is not loaded yet; return them as `numbered` does."""
        given = numbered(arguments)
        if self._loaded is None and self._interpreted is None:
            self._take_from_library(given)
        if self._loaded is None and self._interpreted is None:
            with _compiling[0]:
                if self._loaded is None and self._interpreted is None:
                    self._load(arguments, given)
        return given

    def _load(self, arguments: tuple[object, ...], given: Numbered) -> None:
        """Take the driver from Numba; without it, run it interpreted, and say so."""
        self._types = given.text
        if not is_switched_off() and not (problem := _problem_of_numba()):
            loaded = compiled_rules(self.game, self.boundscheck)
            self._loaded = loaded.load_driver(self.driver, arguments, given.digest)
            return
        if not is_switched_off():
            why = libraries.problem(self.game, self.driver, given.digest)
            code_cache.say(f"{self.game.title} ({self.driver.__name__}) runs interpreted: {why}, and {problem}.")
        self._interpreted = on_views(interpreted(self.game, self.driver))

    def _take_from_library(self, given: Numbered) -> None:
        """Take the driver from the library of the game, if it has it; this needs no lock."""
        wanted = not self.boundscheck and not is_switched_off()
        if wanted and (found := libraries.load(self.game, self.driver, given.digest)):
            self._types, self._loaded = given.text, found
