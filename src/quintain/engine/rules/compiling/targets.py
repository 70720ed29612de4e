"""The kinds of machines that code is made for, ahead of time, and which of them this one is."""

from __future__ import annotations

import platform
import sys
import sysconfig
from typing import NamedTuple


class Target(NamedTuple):
    """A kind of machine, in LLVM's words: what it is, its oldest processor, and how addresses are found."""

    triple: str
    processor: str
    features: str = ""
    relocation: str = "pic"


class Platform(NamedTuple):
    """What libraries are made for: its name, its target, and the ending of its libraries.

    A library for x86-64 holds each driver twice: for the oldest of these processors, and for those of about 2013 and
    later. Rune War and Robin are clearly faster on the latter's instructions.
    """

    name: str
    target: Target
    ending: str

    @property
    def is_twofold(self) -> bool:
        """Whether its libraries hold each driver for newer processors, too."""
        return self.target.processor == OLDEST

    @property
    def newer(self) -> Target:
        """The target of newer processors."""
        return self.target._replace(processor=NEWER)


OLDEST, NEWER = "x86-64", "x86-64-v3"
SUFFIX, TEST = "_v3", "fits_v3"
"""The end of the symbols of drivers for newer processors, and the function that tells whether this is one."""


PLATFORMS = (
    Platform("linux-x86_64", Target("x86_64-unknown-linux-gnu", OLDEST), "so"),
    Platform("linux-arm64", Target("aarch64-unknown-linux-gnu", "generic"), "so"),
    Platform("windows-x86_64", Target("x86_64-pc-windows-msvc", OLDEST), "dll"),
    Platform("windows-arm64", Target("aarch64-pc-windows-msvc", "generic"), "dll"),
    Platform("macos-x86_64", Target("x86_64-apple-macosx10.15.0", OLDEST), "dylib"),
    Platform("macos-arm64", Target("arm64-apple-macosx11.0.0", "apple-m1"), "dylib"),
    Platform(
        "wasm32",
        Target(
            "wasm32-unknown-emscripten",
            "generic",
            "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals,+simd128",
        ),
        "wasm",
    ),
)
SYSTEMS = {"linux": "linux", "win32": "windows", "darwin": "macos"}
PROCESSORS = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "arm64", "arm64": "arm64"}


def here() -> str:
    """Return the name of this machine's platform, whether libraries are made for it or not."""
    if sys.platform == "emscripten":
        return "wasm32"
    machine = platform.machine().lower()
    if sys.platform == "win32":  # where the processor runs programs of another one, this Python may be one of them
        machine = sysconfig.get_platform().removeprefix("win-")
    system, processor = SYSTEMS.get(sys.platform, sys.platform), PROCESSORS.get(machine, machine)
    return f"{system}-{processor}" if sys.maxsize > 2**32 else f"{system} with a Python of 32 bits"
