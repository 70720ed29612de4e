"""Compiles linked rules by Numba and LLVM to object code, and loads object code into this process.

Numba turns each rule into LLVM's intermediate representation (IR), but does not compile it: a `_Part` only holds it.
The parts of a whole game, or of a driver, are linked to one module, which is kept as bitcode. It does not depend on the
machine. `emit` optimises and compiles modules for one `Target`. The functions of a game's contract have symbols of
their own; drivers call these symbols. Each driver has an entry that takes its arguments as words (see `calls`).

Only this module knows how Numba works inside. It imports Numba, so others import it only when they need it.
"""

from __future__ import annotations

import ctypes
import inspect
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import cgutils, codegen, cpu, event, registry, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.descriptors import TargetDescriptor
from numba.core.types.containers import NamedTuple as NamedTupleType
from numba.extending import intrinsic

from quintain.engine.errors import BadGame
from quintain.engine.rules.compiling.calls import PROTOTYPE
from quintain.engine.rules.compiling.code_cache import say
from quintain.engine.rules.compiling.memory import MemoryRecord, declared_by, shape_of
from quintain.engine.rules.compiling.targets import Target
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
INTEGER = types.int64
COUNTING = ("to_act", "legal", "policy")
"""The functions of the contract that return a number."""
WRITTEN_BY_NUMBA = {"mul nsw i64": "mul i64", '@"sqrt"': '@"llvm.sqrt.f64"', "= common ": "= internal "}
"""What is replaced in Numba's IR. It says that no product exceeds 64 bits, but those of `rng` and `tree` wrap around on
purpose. It calls `sqrt` of the C library, where every processor has an instruction."""


class _Part(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The IR of one function. It is optimised and made machine code only where parts are linked."""

    def add_ir_module(self, ir_module: Any) -> None:
        """Take the IR of the function."""
        text = cgutils.normalize_ir_text(str(ir_module))
        for old, new in WRITTEN_BY_NUMBA.items():
            text = text.replace(old, new)
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
    """Makes parts, and holds the machine code that is loaded."""

    _library_class = _Part

    def __init__(self) -> None:
        super().__init__("quintain")

    def set_env(self, env_name: str, env: object) -> None:
        """Do nothing: no rule makes Python objects."""

    def linked(self, parts: Iterable[_Part], symbols: Mapping[str, str], entries: Mapping[str, str]) -> bytes:
        """Return parts and all that they call as one module of bitcode, which only what has a symbol can be called in.

        `symbols` maps the names of functions to symbols, `entries` the symbols of drivers to those of their entries.
        """
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
        for driver, entry in entries.items():
            module.link_in(llvm.parse_assembly(_entry(module.get_function(driver), entry)), preserve=True)
            module.get_function(driver).linkage = "internal"
        code: bytes = module.as_bitcode()
        return code

    def load(self, code: bytes) -> None:
        """Load object code; what it calls must be loaded before."""
        self._engine._ee.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine._ee.finalize_object()

    def address(self, symbol: str) -> int:
        """Return the address of a symbol that is loaded."""
        return int(self._engine._ee.get_function_address(symbol))


def _entry(driver: Any, symbol: str) -> str:
    """Return the IR of a driver's entry, which reads the arguments from words: see `calls`."""
    kinds = [str(argument.type) for argument in driver.arguments]
    lines, given = [], ["ptr %words", "ptr %error"]
    for number, kind in enumerate(kinds[2:], 2):
        lines.append(f"%at{number} = getelementptr i64, ptr %words, i64 {number}")
        lines.append(f"%word{number} = load i64, ptr %at{number}")
        cast = {"i64": "add i64 0,", "ptr": "inttoptr i64"}.get(kind, "trunc i64")
        lines.append(f"%given{number} = {cast} %word{number}" + ("" if kind == "i64" else f" to {kind}"))
        given.append(f"{kind} %given{number}")
    return "\n".join([
        f'declare i32 @"{driver.name}"({", ".join(kinds)})',
        f'define i32 @"{symbol}"(ptr %words) {{',
        "%error = getelementptr i64, ptr %words, i64 1",
        *lines,
        f'%status = call i32 @"{driver.name}"({", ".join(given)})',
        "ret i32 %status",
        "}",
    ])  # fmt: skip


def this_machine() -> Target:
    """Return this machine, whatever the settings of Numba say, which no fingerprint sees."""
    triple, features = llvm.get_process_triple(), llvm.get_host_cpu_features().flatten()
    return Target(triple, llvm.get_host_cpu_name(), features, "static" if triple.startswith("x86") else "default")


@cache
def _machine(target: Target) -> Any:
    """Return what makes code for a target."""
    if target.triple != llvm.get_process_triple():
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.processor,
        features=target.features,
        opt=CODE_OPTIMISATION,
        reloc=target.relocation,
        codemodel="jitdefault" if target == this_machine() else "default",
        jit=target == this_machine(),
    )


def emit(modules: Iterable[bytes], target: Target, exported: Mapping[str, str] | None = None) -> bytes:
    """Return the object code of modules of bitcode for a target.

    With `exported`, only these symbols can be called from outside, by the names that it gives them.
    """
    machine = _machine(target)
    module = llvm.parse_assembly("")
    for bitcode in modules:
        module.link_in(llvm.parse_bitcode(bitcode))
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    values = [] if exported is None else [*module.functions, *module.global_variables]
    for value in values:
        if exported is not None and not value.is_declaration:
            value.linkage = "external" if value.name in exported else "internal"
            value.name = exported.get(value.name, value.name)
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=OPTIMISATION))
    passes.getModulePassManager().run(module, passes)
    code: bytes = machine.emit_object(module)
    return code


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
        """Return the bitcode of the game's contract."""
        linker = Linker(self.game, self._part, others=IN_MEMORY)
        parts, symbols = [], {}
        for name, function in self.contract.items():
            result = self._compiled(linker.link(function), self._types(name), self._returned(name))
            parts.append(result.library)
            symbols[result.fndesc.llvm_func_name] = self.symbols[name]
        return _target.codegen.linked(parts, symbols, {})

    def driver(self, driver: Function, given: tuple[Type, ...], symbol: str) -> bytes:
        """Return the bitcode of a driver for arguments of these types; its entry has the symbol."""
        linker = Linker(self.game, self._inlined, others=IN_MEMORY)  # a new one: it copies the globals as they are now
        linker.linked.update(self.calls)
        options = self._options(no_cpython_wrapper=True, no_cfunc_wrapper=True)
        result = self._compiled(_RuleDispatcher(_shown(linker.copy(driver)), targetoptions=options), given)
        name = result.fndesc.llvm_func_name
        return _target.codegen.linked([result.library], {name: name}, {name: symbol})

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
        return _RuleDispatcher(_shown(function), targetoptions=options)

    def _inlined(self, function: Function) -> object:
        """Return a rule of a driver as a part, which is inlined unless it calls the contract."""
        names = set(function.__code__.co_names)
        calls = "rules" in names and not names.isdisjoint(self.symbols)
        options = self._options(forceinline=not calls, no_cpython_wrapper=True, no_cfunc_wrapper=True)
        return _RuleDispatcher(_shown(function), targetoptions=options)

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
            "state": types.float32[::1],
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


def _shown(function: Any) -> Any:
    """Let the errors of a function name its file from the package on: libraries hold no path of a machine."""
    path = function.__code__.co_filename
    if path.startswith(_FOLDER):
        function.__code__ = function.__code__.replace(co_filename=path.removeprefix(_FOLDER))
    return function


def types_of(arguments: Iterable[object]) -> tuple[Type, ...]:
    """Return Numba's types of arguments that `calls.numbered` takes."""
    return tuple(map(_type_of, arguments))


def _type_of(value: Any) -> Type:
    if isinstance(value, ctypes.Array):
        shape, item = shape_of(type(value))
        return types.Array(_item_type(item), len(shape), "C")
    if isinstance(value, MemoryRecord):
        return _item_type(type(value))
    if isinstance(value, tuple):
        return cast("Type", NamedTupleType(types_of(value), type(value)))
    if hasattr(value, "dtype") and (value.shape or value.dtype.names):
        item = numba.from_dtype(value.dtype)
        return types.Array(item, value.ndim, "C") if value.shape else item
    return INTEGER


def _item_type(kind: Any) -> Type:
    dtype = declared_by(kind).dtype() if issubclass(kind, MemoryRecord) else np.dtype(kind)
    return cast("Type", numba.from_dtype(dtype))


def load_rules(code: bytes, symbols: Iterable[str]) -> None:
    """Load the code of a game's rules, unless it is there already."""
    if not _loaded.issuperset(symbols):
        _target.codegen.load(code)
        _loaded.update(symbols)


def load_driver(code: bytes, symbol: str) -> Callable[[int], int]:
    """Load the code of a driver, and return its entry. The rules that the driver calls must be loaded."""
    if symbol not in _loaded:
        _target.codegen.load(code)
        _loaded.add(symbol)
    return PROTOTYPE(_target.codegen.address(symbol))


_loaded: set[str] = set()
"""The symbols that are loaded: object code cannot be loaded twice, and never leaves the process."""
_FOLDER = f"{Path(__file__).parents[4]}{os.sep}"
"""The folder that holds the package."""


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
