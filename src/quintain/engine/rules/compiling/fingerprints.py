"""Fingerprints of rules: hashes of all that decides what compiled code computes, and of nothing else.

Compiled code is kept under its fingerprint. It changes with the bytecode and the constants of the rules, the values
that they read, the declared fields, and the versions of what compiles. It does not change with a docstring, a comment,
a time stamp or the folder of the code. Code for one processor also has the hash of that in its name.
"""

from __future__ import annotations

import dis
import hashlib
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, ModuleType
from typing import Any, cast

from quintain.engine.rules.linking import Function, Placeholder, RuledGame, is_rule, reached, readings
from quintain.engine.rules.state import layout_of

PLAIN = (int, float, str, bytes, type(None))
KNOWN = ("builtins", "math", "numpy")
"""The modules whose functions and types rules may use; their versions are in the fingerprint."""
LOAD_CONSTANT = dis.opmap["LOAD_CONST"]


def fingerprint(game: RuledGame, roots: Mapping[str, Function], outside: Iterable[Function], *more: object) -> str:
    """Return a hash, as 32 hexadecimal digits, of the roots and of all rules that they reach in a game.

    `roots` have the names under which their code is called. The rules that are `outside` are compiled elsewhere, and
    count by their names alone. `more` are further values that change the code. `checks.check_rules` refuses rules that
    read what no fingerprint can see.
    """
    elsewhere = list(outside)
    numbers = {function: f"outside {place}" for place, function in enumerate(elsewhere)}
    functions = reached(game, roots.values(), elsewhere)
    numbers |= {function: f"rule {place}" for place, function in enumerate(functions)}
    called = {name: numbers[function] for name, function in roots.items()}
    digest = hashlib.sha256(repr((_maker(), called, sorted(game.constants.items()), more)).encode())
    digest.update(layout_of(game.state).encode() + layout_of(game.book).encode())
    named = {f"rules.{name}": each for name, each in game.functions.items()}
    named |= {f"written.{name}": each for name, each in game.written.items()}
    digest.update(repr({name: numbers.get(each) for name, each in sorted(named.items())}).encode())
    for function in functions:
        digest.update(_described(function, numbers).encode())
    return digest.hexdigest()[:32]


def is_seen(value: object) -> bool:
    """Tell whether a fingerprint changes with a value that a rule reads."""
    return _worth(value, {}) is not None


@cache
def _maker() -> tuple[object, ...]:
    """Return what compiles: the versions of Python and the libraries, and our own compiler."""
    from importlib.metadata import version  # here, since `import quintain` takes 15 ms longer with it

    versions = [version(package) for package in ("numba", "llvmlite", "numpy")]
    own = [_meaning(Path(__file__).parent / name) for name in ("native.py", "../linking.py")]
    return sys.version, versions, own


@cache
def processor() -> str:
    """Return a hash of the processor of this machine and of what it can do, as 8 hexadecimal digits."""
    import llvmlite.binding

    found = llvmlite.binding.get_host_cpu_name(), llvmlite.binding.get_host_cpu_features().flatten()
    return hashlib.sha256(repr(found).encode()).hexdigest()[:8]


def _meaning(source: Path) -> str:
    """Return the bytecode of a module, which no comment and no docstring changes."""
    return repr(_code(compile(source.read_bytes(), "", "exec", optimize=2, dont_inherit=True)))


def _described(function: Function, numbers: Mapping[Function, str]) -> str:
    """Return all that decides what a rule computes, but for the rules that it calls; these have numbers instead."""
    return repr((_code(function.__code__, function.__doc__), values_of(function, numbers)))


def values_of(function: Function, numbers: Mapping[Function, str]) -> str:
    """Return the values that a rule reads, and its defaults; the rules that it calls have numbers instead."""
    read = sorted({name: _worth(value, numbers) for name, value in readings(function)}.items())
    return repr((read, [_worth(each, numbers) for each in function.__defaults__ or ()]))


def _code(code: CodeType, docstring: str | None = None) -> tuple[object, ...]:
    constants = [_code(each) if isinstance(each, CodeType) else _constant(each) for each in code.co_consts]
    used = (LOAD_CONSTANT, 0) in zip(code.co_code[::2], code.co_code[1::2], strict=True)  # by the code, too
    if docstring is not None and code.co_consts[:1] == (docstring,) and not used:
        constants[0] = "a docstring"
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_argcount, code.co_posonlyargcount
    return code.co_code, constants, names, code.co_flags, code.co_exceptiontable


def _constant(value: object) -> str:
    return f"frozenset {sorted(map(repr, value))}" if isinstance(value, frozenset) else repr(value)


def _worth(value: object, numbers: Mapping[Function, str]) -> str | None:
    """Return a text that changes when a value that a rule reads becomes another one; None if no text can."""
    kind = type(value)
    if isinstance(value, Placeholder | ModuleType):
        return kind.__name__
    if is_rule(value):
        return numbers.get(value, "rule")
    if isinstance(value, PLAIN) and kind.__module__ in ("builtins", "numpy"):
        return f"{kind.__name__} {value!r}"
    if kind is tuple:
        parts = [_worth(each, numbers) for each in cast(tuple[object, ...], value)]
        return None if None in parts else str(parts)
    if kind.__module__ == "numpy" and hasattr(value, "tobytes"):
        array = cast(Any, value)
        layout = array.dtype, array.shape, array.strides
        return None if array.dtype.hasobject else f"array {layout} {array.tobytes()!r}"
    if isinstance(value, BuiltinFunctionType | type) or kind.__name__ == "ufunc":
        room = str(getattr(value, "__module__", "numpy")).partition(".")[0]
        return f"{room}.{getattr(value, '__name__', '')}" if room in KNOWN else None
    return None
