"""The kinds of machines that code is made for, ahead of time, and which of them this one is."""

from __future__ import annotations

import platform
import sys
from typing import NamedTuple


class Target(NamedTuple):
    """A kind of machine, in LLVM's words: what it is, its oldest processor, and how addresses are found."""

    triple: str
    processor: str
    features: str = ""
    relocation: str = "pic"


class Platform(NamedTuple):
    """A target that libraries are made for: its name, and the ending of its libraries."""

    name: str
    target: Target
    ending: str


PLATFORMS = (
    Platform("linux-x86_64", Target("x86_64-unknown-linux-gnu", "x86-64"), "so"),
    Platform("linux-arm64", Target("aarch64-unknown-linux-gnu", "generic"), "so"),
    Platform("windows-x86_64", Target("x86_64-pc-windows-msvc", "x86-64"), "dll"),
    Platform("windows-arm64", Target("aarch64-pc-windows-msvc", "generic"), "dll"),
    Platform("macos-x86_64", Target("x86_64-apple-macosx10.15.0", "x86-64"), "dylib"),
    Platform("macos-arm64", Target("arm64-apple-macosx11.0.0", "apple-m1"), "dylib"),
    Platform(
        "wasm32",
        Target(
            "wasm32-unknown-unknown",
            "generic",
            "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals",
            "static",
        ),
        "wasm",
    ),
)
SYSTEMS = {"linux": "linux", "win32": "windows", "darwin": "macos"}
PROCESSORS = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "arm64", "arm64": "arm64"}


def here() -> str:
    """Return the name of this machine's platform, whether libraries are made for it or not."""
    machine = platform.machine().lower()
    system, processor = SYSTEMS.get(sys.platform, sys.platform), PROCESSORS.get(machine, machine)
    return f"{system}-{processor}" if sys.maxsize > 2**32 else f"{system} with a Python of 32 bits"
