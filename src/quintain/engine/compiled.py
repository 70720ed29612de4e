"""Rules written once, run two ways.

A function marked `@rule` runs as it stands on plain objects, and compiled by Numba on records. A *driver*
is such a function that works for any game: it calls the rules of "the game" through the placeholder `rules`,
and `interpreted` and `compiled` bind it to one game. Both clone the driver and the rules that it reaches, with
globals in which each rule is its clone, so that both forms, of any number of games, live in one process.

Compiled code is kept in the cache folder under a name that hashes all that it is made from.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import inspect
import json
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeGuard, TypeVar

from quintain.engine import home
from quintain.engine.errors import BadGame

if TYPE_CHECKING:
    from numba.core.dispatcher import Dispatcher
    from numba.core.types import Type

    from quintain.engine.game import Game

Function = Callable[..., object]
"""A rule or a driver, whatever it takes and returns."""
F = TypeVar("F", bound=Function)
T = TypeVar("T")

DRIVEN = ("deal", "to_act", "legal", "play", "blind", "blind_position", "redeal", "outcome")
"""The rules that drivers call most."""
MANIFEST = "manifest.json"
OPTIMISATION = 1
"""LLVM's level: inlining by `_Linker` does the rest, so that higher levels only take longer to compile."""
COUNTED = False
"""Whether compiled code counts the references to arrays: rules make none, and the caller holds those that they get."""
LARGE, MOST_INLINED = 50_000, 150
"""Bytes of code: of rules that are larger together the longer ones are called, not inlined wherever they stand, or
compiling would take minutes."""
TELL_EVERY = 5.0
"""Seconds between two lines about how far a compilation is."""
_lock = threading.RLock()


def rule(function: F) -> F:
    """Mark a function as a rule: over ints, books and states only; it compiles as it stands."""
    function.is_rule = True  # type: ignore[attr-defined]
    return function


class Placeholder:
    """Stands in a driver for functions and constants of whichever game the driver is bound to."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, name: str) -> Any:
        raise TypeError(f"{self._name}.{name}: bind the driver to a game first, by `interpreted` or `compiled`")


rules = Placeholder("rules")
"""The game's complete rules, as `quintain.engine.contract` says."""
written = Placeholder("written")
"""The functions that the game itself writes."""


def interpreted(game: Game, driver: F) -> F:
    """Bind a driver to a game's plain rules: it then runs on plain books and on `Pool`s of plain states."""
    bound: F = _Linker(game, lambda clone: clone, _is_bound).link(driver)
    return bound


def bound_rules(game: Game, stand_ins: Mapping[Function, Function] | None = None) -> ModuleType:
    """Return a game's complete rules for plain books and states, as a namespace.

    `stand_ins` are called in the place of other rules.
    """
    linker = _Linker(game, lambda clone: clone, _is_bound if stand_ins is None else lambda function: True)
    linker.clones.update(stand_ins or {})
    return linker.namespace(rules)


def compiled(game: Game, driver: Callable[..., T], boundscheck: bool = False) -> Compiled[T]:
    """Bind a driver to a game's compiled rules: it then runs on records and numpy arrays, without the GIL.

    `boundscheck` makes every index outside its array an IndexError, for tests.
    """
    return Compiled(game, driver, boundscheck)


def is_warm(game: Game, driver: Function) -> bool:
    """Tell, without importing Numba, whether the compiled driver can be loaded from the cache."""
    return _holds(_folder(game, driver))


class Compiled(Generic[T]):
    """A driver compiled with one game's rules, at the first call or from the cache."""

    def __init__(self, game: Game, driver: Callable[..., T], boundscheck: bool = False):
        self.game, self.driver, self.boundscheck = game, driver, boundscheck
        self._run: Callable[..., T] | None = None

    def __call__(self, *arguments: object) -> T:
        """Run the driver; the types of the arguments are the same in every call."""
        if self._run is None:
            with _lock:
                self._run = self._run or self._load(arguments)
        return self._run(*arguments)

    def _load(self, arguments: tuple[object, ...]) -> Dispatcher:
        import numba

        from quintain.engine.checks import check_rules, explained

        types = tuple(numba.typeof(argument) for argument in arguments)
        folder = _folder(self.game, self.driver, self.boundscheck)
        if _holds(folder):
            with contextlib.suppress(RuntimeError):  # Numba's, for a folder that it cannot write to
                run = self._compile(types, folder)
                if run.stats.cache_misses:  # other types of arguments than before
                    _write_manifest(folder)
                return run
        elif home.is_there(folder):
            _say(f"The compiled code of {self.game.title} in the cache is damaged: it is made anew.")
            _remove(folder)
        check_rules(reached(self.game, self.driver))
        _say(f"Compiling {self.game.title} ({self.driver.__name__}), once; this takes some seconds ...")
        with _telling_progress(reached(self.game, self.driver)):
            try:
                return self._compile_and_keep(types, folder)
            except numba.core.errors.NumbaError as error:
                raise BadGame(explained(self.game, error)) from error
            except (OSError, RuntimeError) as error:
                _say(f"The compiled code cannot be kept for the next time ({error}).")
                return self._compile(types, None)

    def _compile_and_keep(self, types: tuple[Type, ...], folder: Path) -> Dispatcher:
        """Compile into a folder that takes its name only when it is complete."""
        folder.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
        try:
            run = self._compile(types, staging)
            _write_manifest(staging)
            with contextlib.suppress(OSError):  # another process has put the same code there
                staging.rename(folder)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
        return run

    def _compile(self, types: tuple[Type, ...], folder: Path | None) -> Dispatcher:
        """Compile, into a folder if one is given, or load what was compiled into it before."""
        import numba

        contract = {function.__code__ for function in _called(self.game)}
        large = sum(len(function.__code__.co_code) for function in reached(self.game, self.driver)) > LARGE

        def jit(clone: Function) -> object:
            code = clone.__code__
            alone = code in contract or _calls_contract(clone) or (large and len(code.co_code) > MOST_INLINED)
            options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # called from compiled code alone
            made = numba.njit(forceinline=not alone, boundscheck=self.boundscheck, _nrt=COUNTED, **options)(clone)
            return _compiled_once(made) if large else made

        clone = _Linker(self.game, jit).clone(self.driver)
        config = numba.config
        before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES, config.OPT
        try:
            config.CACHE_DIR = str(folder or "")
            config.CACHE_LOCATOR_CLASSES = "UserProvidedCacheLocator"  # there or nowhere
            config.OPT = type(config.OPT)(OPTIMISATION)
            options = {"nogil": True, "cache": folder is not None}
            run: Dispatcher = numba.njit(boundscheck=self.boundscheck, _nrt=COUNTED, **options)(clone)
            run.compile(types)
        finally:
            config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES, config.OPT = before
        return run


@contextlib.contextmanager
def _telling_progress(functions: Iterable[Function]) -> Iterator[None]:
    """Say from time to time how many of these functions are compiled."""
    from numba.core import event

    left = {function.__code__ for function in functions}
    count = len(left)

    class Listener(event.Listener):  # type: ignore[misc]
        told = time.monotonic()

        def on_start(self, begun: object) -> None:
            """Wait for its end."""

        def on_end(self, ended: event.Event) -> None:
            """Count a function that is compiled, or compiled once more for other types."""
            left.discard(ended.data["dispatcher"].py_func.__code__)
            if time.monotonic() - self.told >= TELL_EVERY:
                self.told = time.monotonic()
                _say(f"... {count - len(left)} of {count} functions")

    with event.install_listener("numba:compile", Listener()):
        yield


def _compiled_once(dispatcher: Any) -> object:
    """Have a function compiled once for all widths of whole numbers, and for numbers known beforehand, too."""
    from numba import types

    templates = dispatcher.get_call_template

    def widened(argument: Type) -> Type:
        return types.int64 if isinstance(argument, types.Integer) else argument

    def get_call_template(args: tuple[Type, ...], kws: Mapping[str, Type]) -> object:
        return templates(tuple(map(widened, args)), {name: widened(value) for name, value in kws.items()})

    dispatcher.get_call_template = get_call_template
    return dispatcher


class _Linker:
    """Clones functions so that every rule they call is a clone too, made ready by `make`.

    Rules of which `needs` says no are left as they are, with all that they call.
    """

    def __init__(
        self, game: Game, make: Callable[[Function], object], needs: Callable[[Function], bool] = lambda function: True
    ):
        self.game, self.make, self.needs = game, make, needs
        self.clones: dict[Function, object] = {}
        self.globals: dict[int, dict[str, object]] = {}
        self.modules: dict[ModuleType, ModuleType] = {}
        self.namespaces: dict[Placeholder, ModuleType] = {}

    def link(self, function: Function) -> Any:
        """Return the ready clone of a rule."""
        if not self.needs(function):
            return function
        if function not in self.clones:
            self.clones[function] = self.make(self.clone(function))
        return self.clones[function]

    def clone(self, function: Function) -> FunctionType:
        """Return a copy of a function that sees the linked globals of its module."""
        home_globals = self.linked_globals(function.__globals__)
        clone = FunctionType(function.__code__, home_globals, function.__name__, function.__defaults__)
        clone.__module__, clone.__qualname__ = function.__module__, function.__qualname__
        return clone

    def linked_globals(self, names: dict[str, object]) -> dict[str, object]:
        if id(names) not in self.globals:
            linked = self.globals[id(names)] = dict(names)
            linked.update({name: self.linked(value) for name, value in names.items() if _reaches_rules(value)})
        return self.globals[id(names)]

    def linked(self, value: Function | ModuleType | Placeholder) -> object:
        if isinstance(value, Placeholder):
            return self.namespace(value)
        return self.linked_module(value) if isinstance(value, ModuleType) else self.link(value)

    def linked_module(self, module: ModuleType) -> ModuleType:
        if module not in self.modules:
            twin = self.modules[module] = ModuleType(module.__name__)
            twin.__dict__.update(self.linked_globals(module.__dict__))
        return self.modules[module]

    def namespace(self, placeholder: Placeholder) -> ModuleType:
        """Return what a placeholder stands for: the game's functions, linked, and its constants."""
        if placeholder not in self.namespaces:
            self.namespaces[placeholder] = made = ModuleType(placeholder._name)
            made.__dict__.update(self.game.constants)
            made.__dict__.update({name: self.link(each) for name, each in _functions(self.game, placeholder).items()})
        return self.namespaces[placeholder]


def _functions(game: Game, placeholder: Placeholder) -> dict[str, Function]:
    """Return the functions that a placeholder stands for."""
    return game.written if placeholder is written else game.functions


def _called(game: Game) -> list[Function]:
    """Return the functions of the contract that are compiled once, and called wherever they stand.

    Of those that the engine completes, what the game has written is inlined in what the engine adds.
    """
    inlined = ("to_act", "legal", "hide", "redeal")
    own = [function for name, function in game.written.items() if name not in inlined]
    return [*own, *(game.functions[name] for name in ("to_act", "legal", "blind", "blind_position", "redeal"))]


@cache
def _is_bound(function: Function) -> bool:
    """Tell whether a rule, or one that it calls, however deep, calls the rules of whichever game it is bound to."""
    seen: set[object] = set()
    todo: list[Function | Placeholder] = [function]
    while todo:
        value = todo.pop()
        if isinstance(value, Placeholder):
            return True
        if value not in seen:
            seen.add(value)
            todo += _read_rules(value)
    return False


def _is_rule(value: object) -> TypeGuard[Function]:
    return isinstance(value, FunctionType) and hasattr(value, "is_rule")


def _reaches_rules(value: object) -> TypeGuard[Function | ModuleType | Placeholder]:
    if isinstance(value, ModuleType):
        return any(map(_is_rule, vars(value).values()))
    return isinstance(value, Placeholder) or _is_rule(value)


def _calls_contract(function: Function) -> bool:
    """Tell whether a driver calls a game's rules: it and they are compiled once, all else is inlined."""
    names = function.__code__.co_names
    return "rules" in names and any(name in DRIVEN for name in names)


def reached(game: Game, driver: Function) -> list[Function]:
    """Return the driver and every rule that it or the game's rules call, however deep."""
    found: dict[Function, None] = {}
    todo: list[Function | Placeholder] = [driver]
    while todo:
        value = todo.pop()
        if isinstance(value, Placeholder):
            todo += _functions(game, value).values()
        elif value not in found:
            found[value] = None
            todo += _read_rules(value)
    return list(found)


def _read_rules(function: Function) -> list[Function | Placeholder]:
    """Return the rules and placeholders that a function reads, those of modules too."""
    read = [found for _, found in _globals_read(function)]
    modules = [value for value in read if isinstance(value, ModuleType)]
    named = [value for value in read if isinstance(value, Placeholder) or _is_rule(value)]
    return named + [inner for module in modules for inner in vars(module).values() if _is_rule(inner)]


def _globals_read(function: Function) -> list[tuple[str, object]]:
    """Return the globals that a function reads, with their names, and what it may read of those that are modules."""
    names = function.__code__.co_names
    read = [(name, function.__globals__[name]) for name in names if name in function.__globals__]
    modules = [(name, value) for name, value in read if isinstance(value, ModuleType)]
    inside = [(f"{name}.{item}", vars(value)[item]) for name, value in modules for item in names if item in vars(value)]
    return read + inside


def _folder(game: Game, driver: Function, boundscheck: bool = False) -> Path:
    """Return the cache folder of a driver for a game, named by the hash of all that it is compiled from and for."""
    import llvmlite.binding

    functions = reached(game, driver)
    constants = {
        f"{function.__module__}.{name}": repr(value)
        for function in functions
        for name, value in _globals_read(function)
        if isinstance(value, int | float | str | tuple)
    }
    versions = [importlib.metadata.version(package) for package in ("numba", "llvmlite", "numpy")]
    versions.append(llvmlite.binding.get_host_cpu_name())
    layout = [game.state.fields, game.book.fields, sorted(game.constants.items())]
    made_from = [driver.__qualname__, boundscheck, sys.version, versions, layout, sorted(constants.items())]
    digest = hashlib.sha256(repr(made_from).encode())
    for path in sorted({__file__, *(inspect.getfile(function) for function in functions)}):
        digest.update(path.encode())
        digest.update(Path(path).read_bytes())
    return home.cache() / f"{game.id}-{digest.hexdigest()[:16]}"


def _digests(folder: Path) -> dict[str, str]:
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST)
    return {str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(paths)}


def _write_manifest(folder: Path) -> None:
    (folder / MANIFEST).write_text(json.dumps(_digests(folder)))


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _holds(folder: Path) -> bool:
    """Tell whether a cache folder holds what its manifest says: damaged machine code must never be loaded."""
    try:
        return bool(json.loads((folder / MANIFEST).read_text()) == _digests(folder))
    except (OSError, ValueError):
        return False


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
