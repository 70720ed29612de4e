"""Runs rules in two ways: interpreted on plain objects, and compiled by Numba on numpy records.

A game's functions marked `@rule` run in both ways unchanged. A *driver*, such as a playout or a search, is a rule that
works for any game: it calls the rules of "the game" through the placeholder `rules`. `interpreted` and `compiled` bind
a driver to one game. Both copy the driver and every rule that it calls, and give the copies globals of their own. So
both forms of any number of games can live in one process.

The cache folder (see `home`) keeps compiled code under a name that hashes everything the code is made from.
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
"""Any rule or driver."""
F = TypeVar("F", bound=Function)
T = TypeVar("T")

DRIVEN = ("deal", "to_act", "legal", "play", "blind", "blind_position", "redeal", "outcome", "observe", "observe_int8")
"""The functions of the contract; a rule that calls one of them is compiled on its own, not inlined."""
MANIFEST = "manifest.json"
OPTIMISATION = 1
"""LLVM's level of optimisation. Most rules are forced inline (see `_compile`); higher levels only compile longer."""
COUNTED = False
"""Whether compiled code counts references to arrays. It need not: rules make no arrays, and the caller holds theirs."""
LARGE, MOST_INLINED = 50_000, 150
"""Bytes of code. If a game's rules are larger than LARGE together, no rule above MOST_INLINED is inlined: otherwise
compiling would take minutes."""
PROGRESS_EVERY = 5.0
"""Seconds between two lines about the progress of a compilation."""
_lock = threading.RLock()


def rule(function: F) -> F:
    """Mark a function as a rule: it uses ints, books and states only, so it runs interpreted and compiled."""
    function.is_rule = True  # type: ignore[attr-defined]
    return function


class Placeholder:
    """A name in a driver that stands for the functions and constants of the game that the driver is bound to."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, name: str) -> Any:
        raise TypeError(f"{self._name}.{name} belongs to no game: bind the driver by `interpreted` or `compiled` first")


rules = Placeholder("rules")
"""The game's complete rules: see `quintain.engine.contract`."""
written = Placeholder("written")
"""The functions that the game itself writes; the engine completes them to `rules`."""


def interpreted(game: Game, driver: F) -> F:
    """Return a driver bound to a game's plain rules; it takes plain books and `Pool`s of plain states."""
    bound: F = _Linker(game, lambda clone: clone, _is_bound).link(driver)
    return bound


def bound_rules(game: Game, stand_ins: Mapping[Function, Function] | None = None) -> ModuleType:
    """Return a game's complete rules for plain books and states, as a namespace.

    `stand_ins` maps rules to functions that are called in their place.
    """
    linker = _Linker(game, lambda clone: clone, _is_bound if stand_ins is None else lambda function: True)
    linker.clones.update(stand_ins or {})
    return linker.namespace(rules)


def compiled(game: Game, driver: Callable[..., T], boundscheck: bool = False) -> Compiled[T]:
    """Return a driver bound to a game's compiled rules; it takes records and numpy arrays, and runs without the GIL.

    With `boundscheck`, for tests, an index outside its array raises IndexError.
    """
    return Compiled(game, driver, boundscheck)


def is_warm(game: Game, driver: Function) -> bool:
    """Tell, without importing Numba, whether the compiled driver can be loaded from the cache."""
    return _holds(_folder(game, driver))


class Compiled(Generic[T]):
    """A driver with one game's rules; the first call loads it from the cache, or else compiles it."""

    def __init__(self, game: Game, driver: Callable[..., T], boundscheck: bool = False):
        self.game, self.driver, self.boundscheck = game, driver, boundscheck
        self._run: Callable[..., T] | None = None

    def __call__(self, *arguments: object) -> T:
        """Run the driver. Every call must give arguments of the same types. Raises BadGame for what cannot compile."""
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
            with contextlib.suppress(RuntimeError):  # Numba raises it for a folder that it cannot write to
                run = self._compile(types, folder)
                if run.stats.cache_misses:  # other types of arguments than before
                    _write_manifest(folder)
                return run
        elif home.is_there(folder):
            _say(f"The compiled code of {self.game.title} in the cache is damaged; Quintain compiles it again.")
            _remove(folder)
        check_rules(reached(self.game, self.driver))
        _say(f"Compiling {self.game.title} ({self.driver.__name__}); this takes some seconds, only once ...")
        with _progress_shown(reached(self.game, self.driver)):
            try:
                return self._compile_and_keep(types, folder)
            except numba.core.errors.NumbaError as error:
                raise BadGame(explained(self.game, error)) from error
            except (OSError, RuntimeError) as error:
                _say(f"The compiled code cannot be kept for the next time: {error}.")
                return self._compile(types, None)

    def _compile_and_keep(self, types: tuple[Type, ...], folder: Path) -> Dispatcher:
        """Compile into a temporary folder, and rename it when it is complete."""
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
        """Compile the driver, or load it from the folder that is given if the folder holds it already."""
        import numba

        contract = {function.__code__ for function in _called(self.game)}
        large = sum(len(function.__code__.co_code) for function in reached(self.game, self.driver)) > LARGE

        def jit(clone: Function) -> object:
            code = clone.__code__
            alone = code in contract or _calls_contract(clone) or (large and len(code.co_code) > MOST_INLINED)
            options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # only compiled code calls it
            made = numba.njit(forceinline=not alone, boundscheck=self.boundscheck, _nrt=COUNTED, **options)(clone)
            return _compiled_once(made) if large else made

        clone = _Linker(self.game, jit).clone(self.driver)
        config = numba.config
        before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES, config.OPT
        try:
            config.CACHE_DIR = str(folder or "")
            config.CACHE_LOCATOR_CLASSES = "UserProvidedCacheLocator"  # no other folder
            config.OPT = type(config.OPT)(OPTIMISATION)
            options = {"nogil": True, "cache": folder is not None}
            run: Dispatcher = numba.njit(boundscheck=self.boundscheck, _nrt=COUNTED, **options)(clone)
            run.compile(types)
        finally:
            config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES, config.OPT = before
        return run


@contextlib.contextmanager
def _progress_shown(functions: Iterable[Function]) -> Iterator[None]:
    """While the context lasts, print from time to time how many of these functions are compiled."""
    from numba.core import event

    left = {function.__code__ for function in functions}
    count = len(left)

    class Listener(event.Listener):  # type: ignore[misc]
        printed_at = time.monotonic()

        def on_start(self, begun: object) -> None:
            """Do nothing: only the end of a compilation counts."""

        def on_end(self, ended: event.Event) -> None:
            """Take a compiled function off the list; it may be compiled again for other types."""
            left.discard(ended.data["dispatcher"].py_func.__code__)
            if time.monotonic() - self.printed_at >= PROGRESS_EVERY:
                self.printed_at = time.monotonic()
                _say(f"... {count - len(left)} of {count} functions")

    with event.install_listener("numba:compile", Listener()):
        yield


def _compiled_once(dispatcher: Any) -> object:
    """Make Numba compile a function only once for all integer types, constants included."""
    from numba import types

    templates = dispatcher.get_call_template

    def widened(argument: Type) -> Type:
        return types.int64 if isinstance(argument, types.Integer) else argument

    def get_call_template(args: tuple[Type, ...], kws: Mapping[str, Type]) -> object:
        return templates(tuple(map(widened, args)), {name: widened(value) for name, value in kws.items()})

    dispatcher.get_call_template = get_call_template
    return dispatcher


class _Linker:
    """Clones functions so that every rule they call is a clone, too; `make` turns each clone into a callable.

    A rule for which `needs` returns False stays as it is, with all that it calls.
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
        """Return the clone of a rule, ready to be called."""
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
        """Return a copy of a module's globals in which every rule is linked."""
        if id(names) not in self.globals:
            linked = self.globals[id(names)] = dict(names)
            linked.update({name: self.linked(value) for name, value in names.items() if _reaches_rules(value)})
        return self.globals[id(names)]

    def linked(self, value: Function | ModuleType | Placeholder) -> object:
        """Return the linked form of a rule, of a module that has rules, or of a placeholder."""
        if isinstance(value, Placeholder):
            return self.namespace(value)
        return self.linked_module(value) if isinstance(value, ModuleType) else self.link(value)

    def linked_module(self, module: ModuleType) -> ModuleType:
        """Return a copy of a module whose rules are linked."""
        if module not in self.modules:
            twin = self.modules[module] = ModuleType(module.__name__)
            twin.__dict__.update(self.linked_globals(module.__dict__))
        return self.modules[module]

    def namespace(self, placeholder: Placeholder) -> ModuleType:
        """Return the namespace that a placeholder stands for: the game's functions, linked, and its constants."""
        if placeholder not in self.namespaces:
            self.namespaces[placeholder] = made = ModuleType(placeholder._name)
            made.__dict__.update(self.game.constants)
            made.__dict__.update({name: self.link(each) for name, each in _functions(self.game, placeholder).items()})
        return self.namespaces[placeholder]


def _functions(game: Game, placeholder: Placeholder) -> dict[str, Function]:
    """Return the functions that a placeholder stands for."""
    return game.written if placeholder is written else game.functions


def _called(game: Game) -> list[Function]:
    """Return the functions of the contract that are compiled on their own and called, not inlined.

    Where the engine completes a function of the game, the game's part is inlined in the engine's.
    """
    inlined = ("to_act", "legal", "hide", "redeal")
    own = [function for name, function in game.written.items() if name not in inlined]
    added = ("to_act", "legal", "blind", "blind_position", "redeal", "observe", "observe_int8")
    return [*own, *(game.functions[name] for name in added)]


@cache
def _is_bound(function: Function) -> bool:
    """Tell whether a rule uses a placeholder, directly or through the rules that it calls."""
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
    """Tell whether a function calls the contract of a game; such a function is compiled on its own, not inlined."""
    names = function.__code__.co_names
    return "rules" in names and any(name in DRIVEN for name in names)


def reached(game: Game, driver: Function) -> list[Function]:
    """Return the driver and every rule that it calls, directly or through other rules, the game's included."""
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
    """Return the rules and placeholders that a function reads, including all rules of the modules that it reads."""
    read = [found for _, found in _globals_read(function)]
    modules = [value for value in read if isinstance(value, ModuleType)]
    named = [value for value in read if isinstance(value, Placeholder) or _is_rule(value)]
    return named + [inner for module in modules for inner in vars(module).values() if _is_rule(inner)]


def _globals_read(function: Function) -> list[tuple[str, object]]:
    """Return the globals that a function reads, with their names, and the names that it may read in modules."""
    names = function.__code__.co_names
    read = [(name, function.__globals__[name]) for name in names if name in function.__globals__]
    modules = [(name, value) for name, value in read if isinstance(value, ModuleType)]
    inside = [(f"{name}.{item}", vars(value)[item]) for name, value in modules for item in names if item in vars(value)]
    return read + inside


def _folder(game: Game, driver: Function, boundscheck: bool = False) -> Path:
    """Return the cache folder of a driver for a game.

    Its name is a hash of the sources, the constants, the fields of the state and the book, the versions of Python and
    Numba, and the processor.
    """
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
    made_from = [
        driver.__qualname__,
        boundscheck,
        sys.version,
        versions,
        layout,
        sorted(constants.items()),
    ]
    digest = hashlib.sha256(repr(made_from).encode())
    made = {function for function in functions if hasattr(function, "source")}  # by a program: they are in no file
    for source in sorted(str(vars(function)["source"]) for function in made):
        digest.update(source.encode())
    for path in sorted({__file__, *(inspect.getfile(function) for function in functions if function not in made)}):
        digest.update(path.encode())
        digest.update(Path(path).read_bytes())
    return home.cache() / f"{game.id}-{digest.hexdigest()[:16]}"


def _digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file in a cache folder but the manifest."""
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
    """Tell whether the files of a cache folder match its manifest: damaged machine code must never be loaded."""
    try:
        return bool(json.loads((folder / MANIFEST).read_text()) == _digests(folder))
    except (OSError, ValueError):
        return False


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
