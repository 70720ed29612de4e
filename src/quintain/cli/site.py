"""`quintain site`: writes the games without a server, as files for any web space.

The folder holds the page around all pages and its service worker, and, packed, everything that the worker keeps: the
static files of the server's pages, Python for WebAssembly, an archive with Quintain and the packages that it imports,
and the searches of the games. The same sources give the same bytes.
"""

from __future__ import annotations

import ast
import gzip
import hashlib
import io
import json
import shutil
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from quintain.bots.tree import search
from quintain.cli.arguments import GameFile, new_console
from quintain.engine.errors import BadOption
from quintain.engine.rules.compiling import libraries
from quintain.engine.rules.compiling.libraries import FOLDER, INDEX, PACKAGE
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import own_games, register_files
from quintain.server.browser.added import ADDED

BROWSER = PACKAGE / "server" / "browser"
FILES, RUNTIME = BROWSER / "files", BROWSER / "runtime"
STATIC = PACKAGE / "server" / "pages" / "static"
UNSEEN = ("vendor/credits.json", "vendor/icons.json")
"""Static files that no page asks for."""
TARGET = "wasm32"
OPEN = ("index.html", "shell.js", "shell.css", "manifest.webmanifest", "crest.svg")
"""The files that browsers load before the service worker is there; they lie in the folder as they are, too."""
WORKER, SOCKETS = "sw.js", "sockets.js"
"""The service worker, which gets the list of files; and what stands before htmx in its file."""
PYTHON = ("pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide.mjs")
ROOTS = ("server/browser/start.py", "server/browser/minds.py", "server/browser/bytecode.py", "bots/policy.py")
"""The modules that the workers of a page import, or load by name; with them goes what they import."""
READ = ("games/**/*", "server/pages/templates/**/*", "server/pages/static/vendor/credits.json")
"""What these read: files of games, rules too, which the registry imports by their names, and templates."""
NETS = "games/*/nets/*.safetensors"
"""The nets of the levels that play by one: they come when the first page is there, or when such a bot is asked."""
UNUSED = ("board.css",)
"""Files of games that no page here uses; style sheets are static files."""
UNUSED_PYTHON = """
_pyio.py _pyrepl/ bdb.py cProfile.py cmd.py compileall.py concurrent/futures/process.py concurrent/interpreters
curses/ dbm/ doctest.py encodings/big5 encodings/charmap encodings/cp10 encodings/cp11 encodings/cp12 encodings/cp7
encodings/cp8 encodings/cp9 encodings/euc encodings/gb encodings/hp encodings/iso encodings/johab encodings/koi
encodings/kz encodings/mac_ encodings/palm encodings/ptcp encodings/shift encodings/tis ensurepip/ filecmp.py
ftplib.py http/cookiejar.py http/cookies.py http/server.py idlelib/ imaplib.py lib2to3/ logging/config.py
logging/handlers.py mailbox.py modulefinder.py multiprocessing/ netrc.py optparse.py pdb.py pickletools.py pip/
plistlib.py poplib.py profile.py profiling/ pstats.py pyclbr.py pydoc.py pydoc_data/ rlcompleter.py sched.py
shelve.py smtplib.py socketserver.py sqlite3/ symtable.py tabnanny.py test/ tkinter/ trace.py turtle.py turtledemo/
unittest/ venv/ wave.py webbrowser.py wsgiref/ xml/dom xml/etree xmlrpc/ zipapp.py
"""
"""Parts of Python's own library that nothing here imports, by the beginnings of their names."""
BEGUN = (1980, 1, 1, 0, 0, 0)
"""The time in archives: the same whenever they are made."""
LICENSES = "LICENSE"

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the files go. It must be new, empty or a site.")]


class Packed(NamedTuple):
    """A file of the site: its bytes, and whether it lies there packed and comes after the first page."""

    data: bytes
    is_packed: bool = True
    is_later: bool = False


def site(folder: Folder, game_file: GameFile = None) -> None:
    """Write the games without a server: files that any web space can serve, and that then work offline."""
    check_sources()
    check_folder(folder)
    added = register_files(game_file or [])
    files = gathered(added)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    sizes = write(folder, files)
    listed = {
        path: {"hash": digest(file.data), "packed": file.is_packed, "size": len(file.data), "later": file.is_later}
        for path, file in sorted(files.items())
    }
    version = digest(json.dumps(listed).encode())[:12]
    head = f'const VERSION = "{version}";\nconst FILES = {json.dumps(listed, separators=(",", ":"))};\n'
    worker = head + (FILES / WORKER).read_text(encoding="utf-8")
    (folder / WORKER).write_text(worker, encoding="utf-8")
    later = sum(size for path, size in sizes.items() if files[path].is_later) / 1e6
    first = (sum(sizes.values()) + len(worker)) / 1e6 - later
    new_console().print(
        f"{len(sizes) + 1} files in {folder}; a first visit loads {first:.1f} MB, and {later:.1f} later"
    )


def check_sources() -> None:
    """Raise BadOption if something is missing that a checkout makes."""
    wanted = {
        "Python for browsers": RUNTIME / "pyodide.mjs",
        "the files of pages": STATIC / "vendor" / "arms.svg",
        "the searches": libraries.folder() / TARGET,
    }
    if missing := [words for words, path in wanted.items() if not path.exists()]:
        raise BadOption(f"{' and '.join(missing)} are missing here: type `make site` in a checkout of Quintain")
    if old := [found.title for found in own_games() if not libraries.is_made(TARGET, found, search)]:
        raise BadOption(
            f"the searches in {libraries.folder()} were made from other sources than the rules of {' and '.join(old)}: "
            f"type `make site` in a checkout of Quintain"
        )


def check_folder(folder: Path) -> None:
    """Raise BadOption for a folder that holds anything but a site."""
    if folder.exists() and not folder.is_dir():
        raise BadOption(f"{folder} is a file: name a folder")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / WORKER).is_file():
        raise BadOption(f"{folder} holds other files, which would be deleted: name a new folder")


def gathered(added: Sequence[Game] = ()) -> dict[str, Packed]:
    """Return all files that the service worker keeps, by their paths in the site; `added` are games from files."""
    found = {path: Packed(data, not path.endswith((".woff2", ".zip"))) for path, data in static_files()}
    found |= {f"runtime/{name}": Packed((RUNTIME / name).read_bytes()) for name in PYTHON}
    found["runtime/python_stdlib.zip"] = Packed(python_library(), is_packed=False)
    found["runtime/pyodide-lock.json"] = Packed(lock())
    found["app.zip"] = Packed(application(added), is_packed=False)
    for found_game in own_games():
        path = f"{TARGET}/{found_game.id}.wasm"
        found[f"{FOLDER}/{path}"] = Packed((libraries.folder() / path).read_bytes())
    for net in sorted(PACKAGE.glob(NETS)):
        found[net.relative_to(PACKAGE).as_posix()] = Packed(net.read_bytes(), is_later=True)
    scripts = [path for path in sorted(FILES.glob("*.js")) if path.name not in (WORKER, SOCKETS)]
    found |= {path.name: Packed(path.read_bytes()) for path in scripts}
    for name in OPEN:
        source = STATIC / "vendor" / name if name == "crest.svg" else FILES / name
        found[name] = Packed(source.read_bytes(), is_packed=False)
    versions = {
        path.removeprefix("static/"): digest(file.data)[:8] for path, file in found.items() if "static/" in path
    }
    found["assets.json"] = Packed(json.dumps(versions, sort_keys=True).encode())
    return found


def static_files() -> Iterator[tuple[str, bytes]]:
    """Yield the static files of the server's pages; sockets lead to the house of the browser."""
    sockets = (FILES / SOCKETS).read_bytes()
    for path in sorted(STATIC.rglob("*")):
        name = path.relative_to(STATIC).as_posix()
        if (
            path.is_file()
            and not path.name.startswith(LICENSES)
            and name not in ("vendor/credits.json", "vendor/icons.json")
        ):
            data = path.read_bytes()
            yield f"static/{name}", sockets + b"\n" + data if path.name == "htmx.min.js" else data


def application(added: Sequence[Game]) -> bytes:
    """Return an archive with Quintain and the packages that it imports, as both lie in the folder of packages."""
    parts = dict(own_modules())
    for game in added:
        assert game.source
        parts[f"quintain/{ADDED.relative_to(PACKAGE).as_posix()}/{game.id}.py"] = game.source[1]
    for wheel in sorted((RUNTIME / "wheels").glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            parts |= {name: archive.read(name) for name in archive.namelist() if is_used(name)}
    return archived(parts)


def is_used(name: str) -> bool:
    """Tell whether a file of a wheel is one that Python imports or reads; metadata stay, for licences and versions."""
    return not name.endswith((".pyi", "/", "py.typed", "RECORD", ".json.license")) and "/sboms/" not in name


def own_modules() -> Iterator[tuple[str, bytes]]:
    """Yield the files of Quintain that a browser needs."""
    read = [path for pattern in READ for path in PACKAGE.glob(pattern) if path.is_file() and is_read(path)]
    modules = [*map(PACKAGE.joinpath, ROOTS), *(path for path in read if path.suffix == ".py")]
    for path in sorted({*reached(modules), *read}):
        if "__pycache__" not in path.parts:
            yield f"quintain/{path.relative_to(PACKAGE).as_posix()}", path.read_bytes()
    index = json.loads((libraries.folder() / INDEX).read_text(encoding="utf-8"))
    yield f"quintain/{FOLDER}/{INDEX}", json.dumps({TARGET: index[TARGET]}, sort_keys=True).encode()


def is_read(path: Path) -> bool:
    """Tell whether a file of a game is read from the archive."""
    return path.name not in UNUSED and path.suffix != Path(NETS).suffix


def reached(modules: Sequence[Path]) -> set[Path]:
    """Return modules of this package, and all that they import, also inside of functions."""
    found, left = set[Path](), [*modules]
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            left += [PACKAGE / "__init__.py", path.parent / "__init__.py", *imported(path)]
    return found


def imported(path: Path) -> Iterator[Path]:
    """Yield the modules of this package that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == PACKAGE.name:
            for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                place = PACKAGE.parent.joinpath(*str(name).split("."))
                yield from (each for each in (place.with_suffix(".py"), place / "__init__.py") if each.is_file())


def python_library() -> bytes:
    """Return Python's own library without the parts that nothing here imports."""
    unused = tuple(UNUSED_PYTHON.split())
    with zipfile.ZipFile(RUNTIME / "python_stdlib.zip") as archive:
        return archived({name: archive.read(name) for name in archive.namelist()
                         if not name.startswith(unused) and not name.endswith("/")})  # fmt: skip


def lock() -> bytes:
    """Return the list of packages that pyodide could load: none, for all that is needed is in the archive."""
    read = json.loads((RUNTIME / "pyodide-lock.json").read_text(encoding="utf-8"))
    return json.dumps({**read, "packages": {}}, sort_keys=True).encode()


def archived(parts: Mapping[str, bytes]) -> bytes:
    """Return an archive of files, the same whenever it is made."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(parts):
            archive.writestr(zipfile.ZipInfo(name, BEGUN), parts[name], zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


def write(folder: Path, files: Mapping[str, Packed]) -> dict[str, int]:
    """Write the files, and return how many bytes of each a browser loads."""
    sizes = {}
    for path, file in files.items():
        data = gzip.compress(file.data, 9, mtime=0) if file.is_packed else file.data
        out = folder / (f"{path}.gz" if file.is_packed else path)
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(data)
        sizes[path] = len(data)
    return sizes


def digest(data: bytes) -> str:
    """Return the SHA-256 of bytes in hex."""
    return hashlib.sha256(data).hexdigest()
