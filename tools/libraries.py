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
import shutil
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
from quintain.engine.rules.compiling.libraries import FOLDER, INDEX, PACKAGE, digest_of, symbol_of
from quintain.engine.rules.compiling.targets import PLATFORMS, SUFFIX, TEST, Platform, here
from quintain.engine.rules.registry import game, own_games

LINKERS = {"linux": "ld.lld", "windows": "lld-link", "wasm32": "wasm-ld", "macos": "cc"}
"""Zig's linker for the platforms whose names begin in this way."""
HERE = "here"
FREE = ("-O2", "-ffreestanding", "-fno-builtin", "-fno-stack-protector", "-g0")
"""How C is compiled without a C library."""
BESIDE = Path(__file__).with_suffix(".c")
"""What some libraries need beside the game."""


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
        parts = {"game": native.emit(made.modules, platform.target, made.symbols)}
        symbols = [*made.symbols.values()]
        if platform.is_twofold:
            newer = {name: f"{symbol}{SUFFIX}" for name, symbol in made.symbols.items()}
            parts["newer"] = native.emit(made.modules, platform.newer, newer)
            symbols += [*newer.values(), TEST]
        files = [Path(work) / f"{name}.o" for name in parts]
        for file, code in zip(files, parts.values(), strict=True):
            file.write_bytes(code)
        if platform.is_twofold or platform.name.startswith("windows"):
            files.append(Path(work) / "beside.o")
            zig("cc", "-target", zig_target(platform), *FREE, "-c", BESIDE, "-o", files[-1])
        linked = Path(work) / out.name
        link(platform, files, linked, sorted(symbols))
        shutil.copy(linked, part := out.with_suffix(".part"))
        part.replace(out)  # at once: a process may use the one that is there
    return [hashlib.sha256(out.read_bytes()).hexdigest(), *sorted(made.symbols.values())]


def zig_target(platform: Platform) -> str:
    """Return a platform in Zig's words."""
    system, processor = platform.name.split("-")
    return f"{'aarch64' if processor == 'arm64' else processor}-{system}{'-gnu' if system == 'windows' else ''}"


def zig(*words: str | Path) -> None:
    """Run one of Zig's programs; raises SystemExit with what it says if it fails."""
    cache = str(home.cache() / "zig")
    own = {"ZIG_LOCAL_CACHE_DIR": cache, "ZIG_GLOBAL_CACHE_DIR": cache}
    command = [sys.executable, "-m", "ziglang", *words]
    done = subprocess.run(command, env=os.environ | own, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))}:\n{done.stdout}{done.stderr}")


def link(platform: Platform, objects: list[Path], out: Path, symbols: list[str]) -> None:
    """Link objects to a library in which these symbols can be called."""
    kind = next(each for each in LINKERS if platform.name.startswith(each))
    if kind == "linux":
        given = ["-shared", "--gc-sections", "--strip-all", "-O2", "-z", "now", "-z", "noexecstack", "--build-id=none"]
        given += ["--hash-style=gnu", "-soname", out.name, "-o", out]
    elif kind == "windows":
        given = ["/dll", "/noentry", "/nodefaultlib", "/Brepro", "/noimplib", f"/out:{out}"]
        given.append(f"/machine:{'arm64' if 'arm64' in platform.name else 'x64'}")
        given += [f"/export:{each}" for each in symbols]
    elif kind == "wasm32":
        given = ["-shared", "--experimental-pic", "--strip-all", "-o", out]
        given += [f"--export={each}" for each in symbols]
    else:
        given = ["-target", zig_target(platform), "-shared", "-s", f"-Wl,-install_name,@rpath/{out.name}", "-o", out]
    zig(LINKERS[kind], *given, *objects)


def write_index(into: Path, found: Mapping[tuple[str, str], list[str]]) -> None:
    """Write what was made for each platform and game, beside what was made before."""
    there = into / INDEX
    index: dict[str, dict[str, object]] = json.loads(there.read_text(encoding="utf-8")) if there.is_file() else {}
    for (platform, id_), (sha256, *drivers) in sorted(found.items()):
        index.setdefault(platform, {})[id_] = {"sha256": sha256, "drivers": drivers}
    there.write_text(json.dumps(index, indent=1, sort_keys=True) + "\n", encoding="utf-8")


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
    parser.add_argument(
        "--folder", type=Path, default=PACKAGE / FOLDER, help="where the libraries go (into the package)"
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="how many to make at a time")
    given = parser.parse_args()
    ids = given.games or sorted((each.id for each in own_games()), key=lambda id_: -size_of(game(id_)))
    names = list(dict.fromkeys(here() if name == HERE else name for name in given.platforms))
    if not set(names) <= set(known):
        raise SystemExit(f"there are no libraries for this machine, {here()}; there are some for {', '.join(known)}")
    make(ids, [known[name] for name in names], given.folder, given.workers)
    for name in names:
        files = [given.folder / name / f"{id_}.{known[name].ending}" for id_ in ids]
        print(f"{name}: {', '.join(f'{file.stem} {file.stat().st_size // 1000} KB' for file in files)}")


if __name__ == "__main__":
    main()
