"""Fetch what `quintain site` needs and git ignores: Python for WebAssembly, and the packages that it imports there.

    .venv/bin/python tools/runtime.py

Python comes from the npm package `pyodide`, which package-lock.json pins by hash, and the packages come from PyPI,
which requirements/site.txt does. All files go to src/quintain/server/browser/runtime, which git and the wheel leave
out.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from assets import MODULES, ROOT, npm

RUNTIME = ROOT / "src" / "quintain" / "server" / "browser" / "runtime"
FILES = ("pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json", "pyodide.mjs")
"""The files of the npm package that a browser loads; the last one says that all are there."""
PLATFORM, VERSION = "pyemscripten_2026_0_wasm32", "3.14"
"""For which machine and which Python wheels are fetched: those of this version of pyodide."""


def main() -> None:
    """Fetch the packages, then write the folder anew."""
    subprocess.run([*npm(), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], cwd=ROOT, check=True)
    shutil.rmtree(RUNTIME, ignore_errors=True)
    wheels = RUNTIME / "wheels"
    wheels.mkdir(parents=True)
    fetch = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    given = ["--require-hashes", "-r", ROOT / "requirements" / "site.txt", "--dest", wheels]
    for_browsers = ["--platform", PLATFORM, "--python-version", VERSION, "--only-binary", ":all:"]
    subprocess.run([*fetch, *given, *for_browsers], check=True)
    for name in FILES:
        shutil.copyfile(MODULES / "pyodide" / name, Path(RUNTIME / name))


if __name__ == "__main__":
    main()
