"""Runs rules in two ways: interpreted on plain objects, and compiled by Numba on numpy records.

`interpreted` and `compiled` bind a driver (see `linking`) to one game. Each game is one compiled library: its contract
is compiled once, as `CompiledRules`, and drivers are small pieces of code that call it. `code_cache` keeps both, under
names that hash all that the code is made from (see `fingerprints`).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from quintain.engine.errors import BadGame, QuintainError
from quintain.engine.rules import code_cache
from quintain.engine.rules.checks import check_rules, explained
from quintain.engine.rules.fingerprints import fingerprint
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
    from numba.core.types import Type

    from quintain.engine.rules.native import RuleCompiler

F = TypeVar("F", bound=Function)
T = TypeVar("T")

_lock = threading.RLock()


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
    """Return a driver bound to a game's compiled rules; it takes records and numpy arrays, and runs without the GIL.

    With `boundscheck`, for tests, an index outside its array raises IndexError.
    """
    return Compiled(game, driver, boundscheck)


def compiled_rules(game: RuledGame, boundscheck: bool = False) -> CompiledRules:
    """Return the contract of a game as a compiled library, of which a process has one."""
    return _compiled_rules(game, boundscheck)


@cache
def _compiled_rules(game: RuledGame, boundscheck: bool) -> CompiledRules:
    """Return what `compiled_rules` does; its fingerprint takes 10 ms, and bots ask for it at each move."""
    return CompiledRules(game, boundscheck)


def is_warm(game: RuledGame, driver: Function) -> bool:
    """Tell, without importing Numba, whether the compiled driver can be loaded from the cache."""
    return not is_switched_off() and compiled_rules(game).holds(driver)


def is_switched_off() -> bool:
    """Tell whether NUMBA_DISABLE_JIT says that nothing is compiled, as debuggers and measures of coverage need it."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


class CompiledRules:
    """The contract of a game, compiled once, and the names of its code."""

    def __init__(self, game: RuledGame, boundscheck: bool) -> None:
        self.game, self.boundscheck = game, boundscheck
        self.contract = contract_of(game)
        self.name = self._name()
        """The name of the rules' code in the cache, and the beginning of its symbols."""
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
        if is_bound(driver) and code_cache.read(code_cache.file(self.name)) is None:
            return False
        return any(map(code_cache.read, code_cache.files(f"{self.name_of(driver)}-")))

    def load(self) -> None:
        """Load the rules into this process, so that drivers can call them; compile them if the cache has none."""
        from quintain.engine.rules import native

        def make() -> bytes:
            return self._made("rules", self.contract.values(), lambda compiler: compiler.rules())

        code = code_cache.read_or_make(
            code_cache.file(self.name), f"{self.game.title} (rules)", make, lambda: self._name() == self.name
        )
        native.load_rules(code, self.symbols.values())

    def load_driver(self, driver: Callable[..., T], given: tuple[Type, ...]) -> Callable[..., T]:
        """Load a driver for arguments of these types, and the rules that it calls; compile what the cache has not."""
        from quintain.engine.rules import native

        file = code_cache.file(f"{self.name_of(driver)}-{native.digest_of(given)}")

        def make() -> bytes:
            return self._made(driver.__name__, [driver], lambda compiler: compiler.driver(driver, given, file.stem))

        if is_bound(driver):
            self.load()
        name = self.name_of(driver)
        what = f"{self.game.title} ({driver.__name__})"
        code = code_cache.read_or_make(file, what, make, lambda: self._name_of(driver) == name)
        return native.load_driver(code, driver, given, file.stem)

    def _made(self, name: str, roots: Any, make: Callable[[RuleCompiler], bytes]) -> bytes:
        from quintain.engine.rules import native

        functions = reached(self.game, roots, self.contract.values() if name != "rules" else ())
        check_rules(functions)
        seconds = "; this takes some seconds, only once" if name == "rules" else ""
        code_cache.say(f"Compiling {self.game.title} ({name}){seconds} ...")
        self._compiler = self._compiler or native.RuleCompiler(self.game, self.symbols, self.boundscheck)
        try:
            with native.progress_shown(f"{self.game.title} ({name})", functions):
                code = make(self._compiler)
        except QuintainError:
            raise
        except Exception as error:  # Numba raises more than its own errors for what it cannot compile
            raise BadGame(explained(self.game.id, error)) from error
        self.made.append(name)
        return code


class Compiled(Generic[T]):
    """A driver with one game's rules; the first call loads it from the cache, or else compiles it."""

    def __init__(self, game: RuledGame, driver: Callable[..., T], boundscheck: bool = False):
        self.game, self.driver, self.boundscheck = game, driver, boundscheck
        self._run: Callable[..., T] | None = None

    def __call__(self, *arguments: object) -> T:
        """Run the driver. Every call must give arguments of the same types. Raises BadGame for what cannot compile."""
        if self._run is None:
            with _lock:
                self._run = self._run or self._load(arguments)
        return self._run(*arguments)

    def _load(self, arguments: tuple[object, ...]) -> Callable[..., T]:
        import numba

        if is_switched_off() or numba.config.DISABLE_JIT:  # a file can switch it off, too
            from quintain.engine.rules.memory_views import on_views

            return on_views(interpreted(self.game, self.driver))
        from quintain.engine.rules import native

        return compiled_rules(self.game, self.boundscheck).load_driver(self.driver, native.types_of(arguments))
