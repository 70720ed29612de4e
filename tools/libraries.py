"""Compile the games of this package ahead of time, for all platforms: libraries for Python, modules for browsers.

    python tools/libraries.py [--games ID ...] [--platforms NAME ...] [--folder FOLDER] [--workers N]

Numba makes bitcode of the rules and drivers of each game, unless the cache of compiled code has it. LLVM compiles it
for each platform, and Zig's linkers link it. The same sources give the same bytes. Quintain loads what comes out only
where it fits the rules at hand (see `quintain.engine.rules.compiling.libraries`). It takes some minutes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from quintain.cli.compile import drivers_of, size_of
from quintain.engine import home
from quintain.engine.rules.compiling import native
from quintain.engine.rules.compiling.calls import numbered
from quintain.engine.rules.compiling.compiled import compiled_rules
from quintain.engine.rules.compiling.libraries import INDEX, digest_of, folder, symbol_of
from quintain.engine.rules.compiling.targets import PLATFORMS, Platform, here
from quintain.engine.rules.registry import game, own_games

LINKERS = {"linux": "ld.lld", "windows": "lld-link", "wasm32": "wasm-ld", "macos": "cc"}
"""Zig's linker for the platforms whose names begin in this way."""
HERE = "here"
STACK = 1 << 20
"""The bytes of the stack of a WebAssembly module."""
COPYING = "memcpy", "memmove", "memset"
"""What code for Linux and macOS takes from the C library; for Windows it is `MEMORY`."""
MEMORY = r"""
define ptr @memcpy(ptr %to, ptr %from, i64 %n) #0 {
entry:
  %whole = and i64 %n, -8
  br label %words
words:
  %i = phi i64 [0, %entry], [%i8, %word]
  %done = icmp eq i64 %i, %whole
  br i1 %done, label %bytes, label %word
word:
  %from8 = getelementptr i8, ptr %from, i64 %i
  %to8 = getelementptr i8, ptr %to, i64 %i
  %w = load i64, ptr %from8, align 1
  store volatile i64 %w, ptr %to8, align 1
  %i8 = add i64 %i, 8
  br label %words
bytes:
  %j = phi i64 [%whole, %words], [%j1, %byte]
  %end = icmp eq i64 %j, %n
  br i1 %end, label %out, label %byte
byte:
  %from1 = getelementptr i8, ptr %from, i64 %j
  %to1 = getelementptr i8, ptr %to, i64 %j
  %b = load i8, ptr %from1
  store volatile i8 %b, ptr %to1
  %j1 = add i64 %j, 1
  br label %bytes
out:
  ret ptr %to
}
define ptr @memset(ptr %to, i32 %value, i64 %n) #0 {
entry:
  %short = trunc i32 %value to i8
  %byte1 = zext i8 %short to i64
  %byte8 = mul i64 %byte1, 72340172838076673
  %whole = and i64 %n, -8
  br label %words
words:
  %i = phi i64 [0, %entry], [%i8, %word]
  %done = icmp eq i64 %i, %whole
  br i1 %done, label %bytes, label %word
word:
  %to8 = getelementptr i8, ptr %to, i64 %i
  store volatile i64 %byte8, ptr %to8, align 1
  %i8 = add i64 %i, 8
  br label %words
bytes:
  %j = phi i64 [%whole, %words], [%j1, %byte]
  %end = icmp eq i64 %j, %n
  br i1 %end, label %out, label %byte
byte:
  %to1 = getelementptr i8, ptr %to, i64 %j
  store volatile i8 %short, ptr %to1
  %j1 = add i64 %j, 1
  br label %bytes
out:
  ret ptr %to
}
define ptr @memmove(ptr %to, ptr %from, i64 %n) #0 {
entry:
  %a = ptrtoint ptr %to to i64
  %b = ptrtoint ptr %from to i64
  %up = icmp ule i64 %a, %b
  %step = select i1 %up, i64 1, i64 -1
  %last = sub i64 %n, 1
  %first = select i1 %up, i64 0, i64 %last
  %end = select i1 %up, i64 %n, i64 -1
  br label %bytes
bytes:
  %j = phi i64 [%first, %entry], [%j1, %byte]
  %done = icmp eq i64 %j, %end
  br i1 %done, label %out, label %byte
byte:
  %from1 = getelementptr i8, ptr %from, i64 %j
  %to1 = getelementptr i8, ptr %to, i64 %j
  %w = load volatile i8, ptr %from1
  store volatile i8 %w, ptr %to1
  %j1 = add i64 %j, %step
  br label %bytes
out:
  ret ptr %to
}
@_fltused = constant i32 1
attributes #0 = { "no-builtins" noinline }
"""
"""Copying, in LLVM's words, for libraries that no C library is linked to."""


class Made(NamedTuple):
    """The bitcode of a game, and the symbols of its drivers: those in the bitcode, with those in libraries."""

    id: str
    modules: list[bytes]
    symbols: dict[str, str]


def bitcode_of(id_: str) -> Made:
    """Return the bitcode of the rules and of all drivers of a game; make what is not in the cache."""
    found = game(id_)
    rules = compiled_rules(found)
    modules, symbols = [rules.bitcode()], {}
    for example in drivers_of(found):
        driver, types = example.driver.driver, numbered(example.arguments).digest
        symbol = symbol_of(driver, digest_of(found, driver) or "", types)
        if symbol not in symbols.values():
            modules.append(rules.driver_bitcode(driver, example.arguments, types))
            symbols[f"{rules.name_of(driver)}-{types}"] = symbol
    return Made(id_, modules, symbols)


def build(made: Made, platform: Platform, into: Path) -> list[str]:
    """Write the library of a game for a platform; return the hash of its file, and the symbols of its drivers."""
    out = into / platform.name / f"{made.id}.{platform.ending}"
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        objects = [Path(work) / "game.o"]
        objects[0].write_bytes(native.emit(made.modules, platform.target, made.symbols))
        if platform.name.startswith("windows"):
            objects.append(Path(work) / "memory.o")
            objects[1].write_bytes(native.emit([], platform.target, more=MEMORY))
        link(platform, objects, out, sorted(made.symbols.values()))
    return [hashlib.sha256(out.read_bytes()).hexdigest(), *sorted(made.symbols.values())]


def link(platform: Platform, objects: list[Path], out: Path, symbols: list[str]) -> None:
    """Link objects to a library in which these symbols can be called; raises SystemExit with what the linker says."""
    kind = next(each for each in LINKERS if platform.name.startswith(each))
    if kind == "linux":
        given = ["-shared", "--gc-sections", "--strip-all", "-O2", "-z", "now", "-z", "noexecstack", "--build-id=none"]
        given += ["--hash-style=gnu", "-soname", out.name, "-o", out]
    elif kind == "windows":
        given = ["/dll", "/noentry", "/nodefaultlib", "/Brepro", "/noimplib", f"/out:{out}"]
        given += [
            f"/machine:{'arm64' if 'arm64' in platform.name else 'x64'}",
            *(f"/export:{each}" for each in symbols),
        ]
    elif kind == "wasm32":
        given = ["--no-entry", "--strip-all", "-z", f"stack-size={STACK}", "--export=__heap_base", "-o", out]
        given += [f"--export={each}" for each in symbols]
    else:
        processor = "aarch64" if "arm64" in platform.name else "x86_64"
        given = ["-target", f"{processor}-macos", "-shared", "-s", f"-Wl,-install_name,@rpath/{out.name}", "-o", out]
    cache = str(home.cache() / "zig")
    done = subprocess.run(
        [sys.executable, "-m", "ziglang", LINKERS[kind], *given, *objects],
        env=os.environ | {"ZIG_LOCAL_CACHE_DIR": cache, "ZIG_GLOBAL_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{out.name} for {platform.name} could not be linked: {done.stdout}{done.stderr}")


def write_index(into: Path, found: Mapping[tuple[str, str], list[str]]) -> None:
    """Write what was made for each platform and game."""
    index: dict[str, dict[str, object]] = {}
    for (platform, id_), (sha256, *drivers) in sorted(found.items()):
        index.setdefault(platform, {})[id_] = {"sha256": sha256, "drivers": drivers}
    (into / INDEX).write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")


def make(ids: Iterable[str], platforms: Iterable[Platform], into: Path, workers: int) -> None:
    """Make the libraries of these games for these platforms, and the index of them."""
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        made = list(pool.map(bitcode_of, ids))
        jobs = {(platform.name, each.id): pool.submit(build, each, platform, into)
                for platform in platforms for each in made}  # fmt: skip
        write_index(into, {key: job.result() for key, job in jobs.items()})


def main() -> None:
    """Make what the command line asks for, and print the size of each library."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", metavar="ID", help="the games (all of the package if not given)")
    known = {each.name: each for each in PLATFORMS}
    parser.add_argument(
        "--platforms", nargs="+", metavar="NAME", choices=[*known, HERE], default=[*known],
        help=f"of {', '.join(known)}, or {HERE} for this machine's (all if not given)",
    )  # fmt: skip
    parser.add_argument("--folder", type=Path, default=folder(), help="where the libraries go (into the package)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="how many to make at a time")
    given = parser.parse_args()
    ids = given.games or sorted((each.id for each in own_games()), key=lambda id_: -size_of(game(id_)))
    names = list(dict.fromkeys(here() if name == HERE else name for name in given.platforms))
    if not set(names) <= set(known):
        raise SystemExit(f"there are no libraries for this machine, {here()}; there are some for {', '.join(known)}")
    make(ids, [known[name] for name in names], given.folder, given.workers)
    for name in names:
        files = sorted((given.folder / name).iterdir())
        print(f"{name}: {', '.join(f'{file.stem} {file.stat().st_size // 1000} KB' for file in files)}")


if __name__ == "__main__":
    main()
