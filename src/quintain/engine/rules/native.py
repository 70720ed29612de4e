"""Compiles linked rules by Numba and LLVM to object code, and loads object code into this process.

Numba turns each rule into LLVM's intermediate representation (IR), but does not compile it: a `_Part` only holds it.
The parts of a whole game, or of a driver, are then linked and compiled once, together. The functions of a game's
contract have symbols of their own in the code of its rules; drivers call these symbols.

Only this module knows how Numba works inside. It imports Numba, so others import it only when they need it.
"""

from __future__ import annotations

import hashlib
import inspect
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import llvmlite.binding as llvm
import numba
from numba import _dynfunc
from numba.core import cgutils, codegen, cpu, event, registry, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.descriptors import TargetDescriptor
from numba.core.environment import Environment
from numba.extending import intrinsic

from quintain.engine.errors import BadGame
from quintain.engine.rules.code_cache import say
from quintain.engine.rules.linking import IN_MEMORY, Function, Linker, RuledGame, contract_of, reached

if TYPE_CHECKING:
    from numba.core.types import Type

OPTIMISATION = 2
"""LLVM's level of optimisation. At 1, Robin and Heirless play 2 % slower; 3 compiles longer, and helps no game."""
CODE_OPTIMISATION = 3
"""LLVM's level for the choice of machine instructions."""
COUNTED = False
"""Whether compiled code counts references to arrays. It need not: rules make no arrays, and the caller holds theirs."""
LARGE, MOST_INLINED = 50_000, 150
"""Bytes of code. If a game's rules are larger than LARGE together, no rule above MOST_INLINED is inlined: otherwise
compiling would take minutes."""
PROGRESS_EVERY = 5.0
"""Seconds between two lines about the progress of a compilation."""
_ENVIRONMENT = ".environment"
"""The end of the symbol of the place where an entry for Python finds its `Environment`."""
INTEGER = types.int64
COUNTING = ("to_act", "legal", "policy")
"""The functions of the contract that return a number."""


class _Part(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The IR of one function. It is optimised and made machine code only where parts are linked."""

    def add_ir_module(self, ir_module: Any) -> None:
        """Take the IR of the function. Products wrap around, as `rng` and `tree` need; Numba says that none does."""
        text = cgutils.normalize_ir_text(str(ir_module)).replace("mul nsw i64", "mul i64")
        module = llvm.parse_assembly(text)
        module.verify()
        self.add_llvm_module(module)

    def add_llvm_module(self, ll_module: Any) -> None:
        """Take IR as it is."""
        self._final_module.link_in(ll_module)

    def finalize(self) -> None:
        """Do nothing more: nobody runs a part."""
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return that there is no machine code."""
        return 0

    def gathered(self) -> dict[_Part, None]:
        """Return this part and all that it calls."""
        found: dict[_Part, None] = {}
        todo = [self]
        while todo:
            part = todo.pop()
            if part not in found:
                found[part] = None
                todo += part._linking_libraries
        return found


class _Codegen(codegen.JITCPUCodegen):  # type: ignore[misc]
    """Makes parts for the processor of this machine, and holds the machine code that is loaded."""

    _library_class = _Part

    def __init__(self) -> None:
        before = numba.config.OPT
        try:
            numba.config.OPT = type(before)(CODE_OPTIMISATION)
            super().__init__("quintain")
        finally:
            numba.config.OPT = before

    def _get_host_cpu_name(self) -> str:
        """Return the processor, whatever the settings of Numba say, which no fingerprint sees."""
        return str(llvm.get_host_cpu_name())

    def _get_host_cpu_features(self) -> str:
        """Return what the processor can do, whatever the settings of Numba say."""
        return str(llvm.get_host_cpu_features().flatten())

    def set_env(self, env_name: str, env: object) -> None:
        """Do nothing: no rule makes Python objects."""

    def emitted(self, parts: Iterable[_Part], symbols: Mapping[str, str]) -> bytes:
        """Return the object code of parts and of all that they call; `symbols` maps the names of entries to symbols."""
        module = llvm.parse_assembly(str(self._create_empty_module("quintain")))
        for part in {each: None for root in parts for each in root.gathered()}:
            module.link_in(part._final_module, preserve=True)
        for variable in module.global_variables:
            if variable.name.startswith(codegen.RuntimeLinker.PREFIX):  # rules that call each other in a circle
                called = variable.name.removeprefix(codegen.RuntimeLinker.PREFIX)
                text = f'@"{variable.name}" = constant ptr @"{called}"\ndeclare void @"{called}"()'
                module.link_in(llvm.parse_assembly(text), preserve=True)
        for value in [*module.functions, *module.global_variables]:
            if not value.is_declaration:
                value.linkage = "external" if value.name in symbols else "internal"
                value.name = symbols.get(value.name, value.name)
        passes = llvm.create_pass_builder(self._tm, llvm.create_pipeline_tuning_options(speed_level=OPTIMISATION))
        passes.getModulePassManager().run(module, passes)
        code: bytes = self._tm.emit_object(module)
        return code

    def load(self, code: bytes) -> None:
        """Load object code; what it calls must be loaded before."""
        self._engine._ee.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine._ee.finalize_object()

    def address(self, symbol: str) -> int:
        """Return the address of a symbol that is loaded."""
        return int(self._engine._ee.get_function_address(symbol))


class _Target(TargetDescriptor):  # type: ignore[misc]
    """This machine, as Numba's own target, but for the code generation."""

    options = cpu.CPUTargetOptions
    typing_context = None
    target_context = None

    def __init__(self) -> None:
        super().__init__("cpu")
        self.codegen = _Codegen()
        self.typing_context = registry.cpu_target.typing_context
        self.target_context = registry.cpu_target.target_context.subtarget(_internal_codegen=self.codegen)


_target = _Target()


class _RuleDispatcher(registry.CPUDispatcher):  # type: ignore[misc]
    """A rule that Numba turns into a part, once for each list of types."""

    targetdescr = _target

    def get_call_template(self, args: tuple[Type, ...], kws: Mapping[str, Type]) -> object:
        """Take all whole numbers for the same type, constants too, so that a rule is compiled once for them."""
        return super().get_call_template(tuple(map(_widened, args)), {name: _widened(kws[name]) for name in kws})


def _widened(kind: Type) -> Type:
    return INTEGER if isinstance(kind, types.Integer) else kind


class _Callee(NamedTuple):
    """What Numba needs to know of a function that it calls by a symbol."""

    mangled_name: str
    restype: Type
    argtypes: tuple[Type, ...]
    args: list[str]
    noalias: bool = False
    inline: bool = False


class RuleCompiler:
    """Compiles the rules of one game, and drivers that call them.

    `symbols` holds the symbol of each function of the contract, by its name.
    """

    def __init__(self, game: RuledGame, symbols: Mapping[str, str], boundscheck: bool) -> None:
        self.game, self.symbols, self.boundscheck = game, symbols, boundscheck
        self.contract = contract_of(game)
        size = sum(len(function.__code__.co_code) for function in reached(game, self.contract.values()))
        self.most_inlined = MOST_INLINED if size > LARGE else None
        self.calls = {self.contract[name]: self._called(name) for name in self.contract}

    def rules(self) -> bytes:
        """Return the object code of the game's contract."""
        linker = Linker(self.game, self._part, others=IN_MEMORY)
        parts, entries = [], {}
        for name, function in self.contract.items():
            result = self._compiled(linker.link(function), self._types(name), self._returned(name))
            parts.append(result.library)
            entries[result.fndesc.llvm_func_name] = self.symbols[name]
        return _target.codegen.emitted(parts, entries)

    def driver(self, driver: Function, given: tuple[Type, ...], symbol: str) -> bytes:
        """Return the object code of a driver for arguments of these types; its entry for Python has the symbol."""
        linker = Linker(self.game, self._inlined, others=IN_MEMORY)  # a new one: it copies the globals as they are now
        linker.linked.update(self.calls)
        options = self._options(nogil=True, no_cfunc_wrapper=True)
        result = self._compiled(_RuleDispatcher(linker.copy(driver), targetoptions=options), given)
        names = {result.fndesc.llvm_cpython_wrapper_name: symbol, result.fndesc.env_name: f"{symbol}{_ENVIRONMENT}"}
        return _target.codegen.emitted([result.library], names)

    def _compiled(self, made: Any, given: tuple[Type, ...], returned: Type | None = None) -> Any:
        with global_compiler_lock:
            before, numba.config.BOUNDSCHECK = numba.config.BOUNDSCHECK, None  # else it overrides ours
            try:
                made.compile(given if returned is None else returned(*given))
            finally:
                numba.config.BOUNDSCHECK = before
        return made.overloads[given]

    def _options(self, **more: bool) -> dict[str, object]:
        return {"nopython": True, "boundscheck": self.boundscheck, "_nrt": COUNTED, **more}

    def _part(self, function: Function) -> object:
        """Return a rule of the game as a part, which is inlined unless it belongs to the contract or is long."""
        long = self.most_inlined is not None and len(function.__code__.co_code) > self.most_inlined
        contract = {each.__code__ for each in self.contract.values()}
        alone = long or function.__code__ in contract
        options = self._options(forceinline=not alone, no_cpython_wrapper=True, no_cfunc_wrapper=True)
        return _RuleDispatcher(function, targetoptions=options)

    def _inlined(self, function: Function) -> object:
        """Return a rule of a driver as a part, which is inlined unless it calls the contract."""
        names = set(function.__code__.co_names)
        calls = "rules" in names and not names.isdisjoint(self.symbols)
        options = self._options(forceinline=not calls, no_cpython_wrapper=True, no_cfunc_wrapper=True)
        return _RuleDispatcher(function, targetoptions=options)

    def _returned(self, name: str) -> Any:
        """Return the type of what a function of the contract returns."""
        return INTEGER if name in COUNTING else types.none

    def _types(self, name: str) -> tuple[Type, ...]:
        """Return the types of the parameters of a function of the contract."""
        of = {
            "book": numba.from_dtype(self.game.book.dtype()),
            "s": numba.from_dtype(self.game.state.dtype()),
            "mask": types.int8[::1],
            "values": types.float64[::1],
            "out": types.int8[::1] if name == "observe_int8" else types.float32[::1],
        } | dict.fromkeys(("scores", "ranks", "words"), INTEGER[::1])
        return tuple(of.get(parameter, INTEGER) for parameter in inspect.signature(self.contract[name]).parameters)

    def _called(self, name: str) -> object:
        """Return what stands for a function of the contract in drivers: a call of its symbol."""
        signature = self._returned(name)(*self._types(name))
        parameters = list(inspect.signature(self.contract[name]).parameters)
        callee = _Callee(self.symbols[name], signature.return_type, signature.args, parameters)

        def call(context: Any, builder: Any, _: object, arguments: Any) -> Any:
            return context.call_internal(builder, callee, signature, arguments)

        def typed(*given: Type) -> object:
            for parameter, kind, wanted in zip(parameters, given, signature.args, strict=True):
                if kind != wanted and not (wanted == INTEGER and isinstance(kind, types.Integer | types.Boolean)):
                    raise BadGame(f"rules.{name} takes {wanted} as {parameter}, and a driver gives it {kind}")
            return signature, call

        made: dict[str, Any] = {"typed": typed}  # an intrinsic has named parameters, which differ between functions
        exec(f"def {name}(typing, {', '.join(parameters)}): return typed({', '.join(parameters)})", made)
        return intrinsic(made[name])


def types_of(arguments: Iterable[object]) -> tuple[Type, ...]:
    """Return Numba's types of values; raises TypeError for a value that compiled code cannot take."""
    try:
        return tuple(map(numba.typeof, arguments))
    except ValueError as error:
        raise TypeError(f"a driver takes numbers, records, arrays, and named tuples of them: {error}") from None


def digest_of(given: tuple[Type, ...]) -> str:
    """Return a short text that tells lists of types apart."""
    return hashlib.sha256(str([*map(_described, given)]).encode()).hexdigest()[:8]


def _described(kind: Any) -> str:
    """Return a type in words; those of Numba leave the names of a named tuple's fields out."""
    fields = getattr(kind, "fields", None)
    if isinstance(fields, tuple):  # a record has a dictionary
        return f"{kind.name} {fields} {[*map(_described, kind)]}"
    return str(kind)


def load_rules(code: bytes, symbols: Iterable[str]) -> None:
    """Load the code of a game's rules, unless it is there already."""
    if not _loaded.issuperset(symbols):
        _target.codegen.load(code)
        _loaded.update(symbols)


def load_driver(code: bytes, driver: Function, given: tuple[Type, ...], symbol: str) -> Callable[..., Any]:
    """Load the code of a driver, and return a function that runs it, and raises TypeError for arguments of other types.

    The rules that the driver calls must be loaded.
    """
    if symbol not in _loaded:
        _target.codegen.load(code)
        _loaded.add(symbol)
    environment = Environment({})
    address = _target.codegen.address(symbol)
    entry = _dynfunc.make_function(_MODULE, driver.__name__, driver.__doc__ or "", address, environment, (environment,))
    codegen.JITCPUCodegen.set_env(_target.codegen, f"{symbol}{_ENVIRONMENT}", environment)
    run: Any = numba.njit(driver)  # checks the types of arguments, and compiles nothing
    run.add_overload(SimpleNamespace(signature=types.none(*given), entry_point=entry, objectmode=False))
    run._compile_for_args = _refuse
    return run  # type: ignore[no-any-return]


def _refuse(*arguments: object, **named: object) -> None:
    """Raise TypeError: a driver is compiled for one list of types."""
    given = ", ".join(map(str, types_of(arguments)))
    raise TypeError(f"the driver was compiled for arguments of other types than {given}: make another one for these")


_loaded: set[str] = set()
"""The symbols that are loaded: object code cannot be loaded twice, and never leaves the process."""
_MODULE = SimpleNamespace(__name__=__name__)


@contextmanager
def progress_shown(what: str, functions: Iterable[Function]) -> Iterator[None]:
    """While the context lasts, print from time to time how many of these functions are compiled."""
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
                say(f"... {what}: {count - len(left)} of {count} functions")

    with event.install_listener("numba:compile", Listener()):
        yield
