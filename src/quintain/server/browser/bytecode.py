"""Python's library and the packages here with bytecode beside the sources, for faster later starts.

What a visitor loads holds sources alone, which are half as large. So the browser compiles the modules once, after the
first page has come, and keeps the result.
"""

from __future__ import annotations

import asyncio
import importlib.util
import io
import marshal
import sys
import zipfile
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from pathlib import Path

LIBRARY, PACKAGES = "/lib/python314.zip", "/lib/python3.14/site-packages"
"""Where the Python of a browser has its library, an archive, and all other packages."""
OWN = "quintain"
BYTECODE = "__pycache__"
UNCHECKED = 1
"""The flag of bytecode that counts as that of its source without a comparison: both lie in one archive."""


async def warm_library() -> bytes:
    """Return the archive of Python's library, with bytecode for the modules that are imported by now."""
    out = io.BytesIO()
    with zipfile.ZipFile(LIBRARY) as old, zipfile.ZipFile(out, "w") as new:
        files = [(name, old.read(name)) for name in old.namelist()]
        async for name, data in with_bytecode(files, LIBRARY, lambda name: f"{name}c"):
            new.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()


async def warm_packages() -> AsyncIterator[tuple[str, bytes]]:
    """Yield all files of packages, with bytecode for Quintain and for the modules that are imported by now.

    They come one by one, since the memory of a Python in a browser grows and never shrinks.
    """
    async for each in with_bytecode(_files_of(Path(PACKAGES)), PACKAGES, importlib.util.cache_from_source):
        yield each


def _files_of(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and BYTECODE not in path.parts:
            yield path.relative_to(folder).as_posix(), path.read_bytes()


async def with_bytecode(
    files: Iterable[tuple[str, bytes]], place: str, named: Callable[[str], str]
) -> AsyncIterator[tuple[str, bytes]]:
    """Yield files by their names, and bytecode where it is wanted, under the name that `named` gives it.

    Between two modules, others have their turn.
    """
    imported = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    for name, data in files:
        yield name, data
        if name.endswith(".py") and (name.startswith(f"{OWN}/") or f"{place}/{name}" in imported):
            yield named(name), bytecode(data, f"{place}/{name}")
            await asyncio.sleep(0)


def bytecode(source: bytes, place: str) -> bytes:
    """Return the file of bytecode of a source at a place."""
    code = compile(source, place, "exec", dont_inherit=True)
    head = importlib.util.MAGIC_NUMBER + UNCHECKED.to_bytes(4, "little") + importlib.util.source_hash(source)
    return head + marshal.dumps(code)
