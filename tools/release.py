"""Build a release and try it: ``make release`` runs this after the tests and the site.

    .venv/bin/python tools/release.py [FOLDER]

It builds the source distribution and the wheel twice and compares them, checks both, installs the wheel with the pinned
requirements into a fresh environment, plays and serves there, and lists all third-party parts with their licences from
what the locks installed. All files of the release go into FOLDER, which is `dist` if not given.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import quintain

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
LOCK = ROOT / "requirements" / "play.txt"
PATIENCE = 60
"""Seconds that the installed server may take until it answers."""


def main() -> None:
    """Make the release; stop with a message at the first thing that is wrong."""
    out = Path(sys.argv[1] if sys.argv[1:] else ROOT / "dist").resolve()
    check_version()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        built = build_twice(work)
        run(BIN / "twine", "check", "--strict", *built)
        run(BIN / "check-wheel-contents", built[-1])
        fresh = install(built[-1], work / "fresh")
        smoke_test(fresh, work)
        name, parts = f"quintain-{quintain.__version__}", [work / "python.cdx.json", work / "browser.cdx.json"]
        list_parts(fresh, *parts)
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        for file in built:
            shutil.copy(file, out)
        for file in (LOCK, *parts):
            shutil.copy(file, out / f"{name}-{'requirements.txt' if file == LOCK else file.name}")
    sums = [f"{digest(file)}  {file.name}\n" for file in sorted(out.iterdir())]
    (out / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    print(f"The release is in {out}:", *(f"  {line.strip()}" for line in sums), sep="\n")


def check_version() -> None:
    """Stop if the changelog or the citation does not name the version."""
    version = quintain.__version__
    for file, pattern in (
        ("CHANGELOG.md", rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$"),
        ("CITATION.cff", rf"^version: {re.escape(version)}$"),
    ):
        if not re.search(pattern, (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE):
            sys.exit(f"{file} does not name version {version}")


def build_twice(work: Path) -> list[Path]:
    """Build in two folders and return the files of the first, the wheel last; stop if they differ."""
    for number in ("one", "two"):
        run(BIN / "python", "-m", "build", "--no-isolation", "--outdir", work / number, ROOT)
    one, two = (sorted((work / number).glob("quintain-*"), key=lambda file: file.suffix) for number in ("one", "two"))
    one.sort(key=lambda file: file.suffix == ".whl")
    two.sort(key=lambda file: file.suffix == ".whl")
    if [(file.name, digest(file)) for file in one] != [(file.name, digest(file)) for file in two]:
        sys.exit("two builds of the same files differ")
    return one


def install(wheel: Path, folder: Path) -> Path:
    """Install a wheel and the pinned requirements into a fresh environment; return the folder of its programs."""
    run(BIN / "python", "-m", "venv", folder)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = (programs / "python", "-m", "pip", "--disable-pip-version-check", "--quiet")
    run(*pip, "install", "--require-hashes", "--requirement", LOCK)
    run(*pip, "install", "--no-deps", wheel)
    run(*pip, "check")
    return programs


def smoke_test(programs: Path, work: Path) -> None:
    """Play a game and ask a server for its lobby and for a rulebook, by what was installed."""
    own = {"QUINTAIN_HOME": str(work / "home")}
    run(programs / "quintain", "--version", cwd=work, **own)
    run(programs / "quintain", "watch", "kings-court", "--bots", "squire,page", cwd=work, **own)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [programs / "quintain", "serve", "--host", "127.0.0.1", "--port", str(port), "--log-level", "warning"]
    with subprocess.Popen(command, cwd=work, env={**os.environ, **own}, stdout=subprocess.DEVNULL) as server:
        try:
            wait_for(f"http://127.0.0.1:{port}/health")
            for path, words in (("/", "King"), ("/rules/robin", "RH-1")):
                with urlopen(f"http://127.0.0.1:{port}{path}") as answer:
                    if words not in answer.read().decode():
                        sys.exit(f"the installed server's page {path} lacks {words!r}")
        finally:
            server.terminate()


def wait_for(address: str) -> None:
    """Wait until a server answers; stop if it does not."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            urlopen(address).close()
            return
        except URLError as error:
            if time.monotonic() > until:
                sys.exit(f"the installed server does not answer: {error}")
            time.sleep(0.1)


def list_parts(programs: Path, of_python: Path, of_browser: Path) -> None:
    """Write the third-party parts with their licences, as CycloneDX: those in Python, and those that browsers load."""
    listing = ("environment", "--of", "JSON", "--gather-license-texts", "--output-file", of_python)
    run(BIN / "cyclonedx-py", *listing, programs / "python")
    found = json.loads(run("npm", "sbom", "--sbom-format", "cyclonedx", "--package-lock-only"))
    for part in found["components"]:
        if not part.get("licenses"):  # its package names none, but holds the text
            text = next((ROOT / "node_modules" / part["name"]).glob("LICENSE*")).read_text(encoding="utf-8")
            part["licenses"] = [{"license": {"name": text.splitlines()[0], "text": {"content": text}}}]
    of_browser.write_text(json.dumps(found, indent=1), encoding="utf-8")
    for file in (of_python, of_browser):
        parts = json.loads(file.read_text(encoding="utf-8"))["components"]
        if unknown := [part["name"] for part in parts if not part.get("licenses")]:
            sys.exit(f"{file.name} names no licence of {', '.join(unknown)}")


def digest(file: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def run(*command: str | Path, cwd: Path = ROOT, **variables: str) -> str:
    """Run a command and return what it prints; stop with that if it fails."""
    print("$", *command, flush=True)
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
