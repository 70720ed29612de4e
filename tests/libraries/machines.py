"""Runs drivers of libraries for other machines: their memory is copied there, and back."""

import ctypes
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from filelock import FileLock

from quintain.engine import home
from quintain.engine.rules.compiling.calls import FINE, numbered

BASE = 1 << 40
"""Where an `Image` pretends to begin: no number among the arguments is as large."""
RUNNER = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef _WIN32
#include <windows.h>
#define OPEN(name) ((void *)LoadLibraryA(name))
#define FIND(library, name) ((void *)GetProcAddress((HMODULE)library, name))
#else
#include <dlfcn.h>
#define OPEN(name) dlopen(name, RTLD_NOW)
#define FIND(library, name) dlsym(library, name)
#endif
/* runner LIBRARY SYMBOL IN OUT: the words, then the memory; words from BASE on are places in the memory. */
int main(int count, char **given) {
    int64_t sizes[2], base = (int64_t)1 << 40;
    FILE *in = fopen(given[3], "rb"), *out = fopen(given[4], "wb");
    void *library = OPEN(given[1]);
    if (!library) { fprintf(stderr, "the library cannot be loaded\n"); return 3; }
    int32_t (*driver)(int64_t *) = (int32_t (*)(int64_t *))FIND(library, given[2]);
    if (!driver || fread(sizes, 8, 2, in) != 2) { fprintf(stderr, "no such driver\n"); return 4; }
    int64_t *words = calloc(sizes[0], 8);
    char *memory = calloc(sizes[1] + 64, 1);
    memory += 64 - ((uintptr_t)memory & 63);
    if (fread(words, 8, sizes[0], in) != sizes[0] || fread(memory, 1, sizes[1], in) != sizes[1]) return 5;
    for (int64_t i = 0; i < sizes[0]; i++)
        if (words[i] >= base) words[i] = (int64_t)(uintptr_t)(memory + (words[i] - base));
    int64_t status = driver(words);
    fwrite(&status, 8, 1, out);
    fwrite(words, 8, 1, out);
    fwrite(memory, 1, sizes[1], out);
    return fclose(out);
}
"""


class Image:
    """The memory of arguments, to be copied to another machine: numbers as words, and all arrays in a row."""

    def __init__(self, arguments: tuple[Any, ...]) -> None:
        self.placed: list[tuple[int, Any]] = []
        self.size = 0
        self.numbered = numbered(arguments, self._place)

    def _place(self, value: Any) -> int:
        for offset, known in self.placed:
            if ctypes.addressof(known) == ctypes.addressof(value) and ctypes.sizeof(known) >= ctypes.sizeof(value):
                return BASE + offset
        self.placed.append((self.size, value))
        self.size += -(-ctypes.sizeof(value) // 64) * 64
        return BASE + self.placed[-1][0]

    def words(self, base: int) -> list[int]:
        """Return the words for a memory that begins at an address."""
        return [word - BASE + base if word >= BASE else word for word in (0, 0, *self.numbered.words)]

    def memory(self) -> bytes:
        """Return the bytes of all arrays, in their places."""
        held = bytearray(self.size)
        for offset, value in self.placed:
            held[offset : offset + ctypes.sizeof(value)] = bytes(value)
        return bytes(held)

    def take(self, memory: bytes) -> None:
        """Copy the bytes back into the arrays."""
        for offset, value in self.placed:
            ctypes.memmove(
                ctypes.addressof(value), memory[offset : offset + ctypes.sizeof(value)], ctypes.sizeof(value)
            )


Machine = Callable[[Path, str, Image], int]
"""Runs the driver with a symbol in the library of a file, changes the arrays of an image, and returns the result."""


MEGABYTE = 1 << 20
PLACES = {"__stack_pointer": MEGABYTE, "__memory_base": MEGABYTE, "__table_base": 0}
"""What a library for WebAssembly is told: the end of the stack, which grows downwards, and where its data begin."""


def wasm(file: Path, symbol: str, image: Image) -> int:
    """Run a driver in WebAssembly. Its memory holds a megabyte each for the stack, the library's data and the words."""
    import wasmtime

    store = wasmtime.Store()
    module = wasmtime.Module.from_file(store.engine, str(file))
    pages = 3 * MEGABYTE + image.size + 0xFFFF >> 16
    memory = wasmtime.Memory(store, wasmtime.MemoryType(wasmtime.Limits(pages, None)))
    given = {"memory": memory}
    for name, value in PLACES.items():
        kind = wasmtime.GlobalType(wasmtime.ValType.i32(), name == "__stack_pointer")
        given[name] = wasmtime.Global(store, kind, wasmtime.Val.i32(value))
    exports = wasmtime.Instance(store, module, [given[each.name] for each in module.imports]).exports(store)
    exports["__wasm_apply_data_relocs"](store)
    words = image.words(3 * MEGABYTE)
    memory.write(store, struct.pack(f"<{len(words)}q", *words), 2 * MEGABYTE)
    memory.write(store, image.memory(), 3 * MEGABYTE)
    assert exports[symbol](store, 2 * MEGABYTE) in FINE
    image.take(bytes(memory.read(store, 3 * MEGABYTE, 3 * MEGABYTE + image.size)))
    return int(struct.unpack("<q", memory.read(store, 2 * MEGABYTE, 2 * MEGABYTE + 8))[0])


def runner(target: str) -> Path:
    """Return the program that runs drivers on a machine, made by Zig's C compiler."""
    path = home.data() / "runners" / (f"{target}.exe" if "windows" in target else target)
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_suffix(".lock")):
        if not path.exists():
            source = path.with_suffix(".c")
            source.write_text(RUNNER)
            cache = str(home.cache() / "zig")
            command = [sys.executable, "-m", "ziglang", "cc", "-target", target, "-O1", "-w", source, "-o", path]
            own = {"ZIG_LOCAL_CACHE_DIR": cache, "ZIG_GLOBAL_CACHE_DIR": cache}
            subprocess.run(command, env=os.environ | own, check=True, capture_output=True)
    return path


def emulated(command: list[str | Path], **variables: str) -> Machine:
    """Return a machine whose programs another program runs."""

    def run(file: Path, symbol: str, image: Image) -> int:
        given, taken = file.with_suffix(".in"), file.with_suffix(".out")
        words = image.words(BASE)
        given.write_bytes(struct.pack(f"<{2 + len(words)}q", len(words), image.size, *words) + image.memory())
        taken.unlink(missing_ok=True)
        done = subprocess.run(
            [*command, file, symbol, given, taken], env=os.environ | variables, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        status, result = struct.unpack("<2q", (held := taken.read_bytes())[:16])
        assert status in FINE
        image.take(held[16:])
        return int(result)

    return run


ARM = Path("/usr/aarch64-linux-gnu")
"""Where Debian's package libc6-arm64-cross puts the C library."""


def machine(platform: str) -> tuple[Machine | None, str]:
    """Return what runs libraries for a platform here; None, and why, if nothing does."""
    if platform == "wasm32":
        return wasm, ""
    if platform == "linux-arm64":
        if not shutil.which("qemu-aarch64") or not ARM.is_dir():
            return None, "needs qemu-aarch64 and the C library of ARM: apt install qemu-user libc6-arm64-cross"
        return emulated(["qemu-aarch64", "-L", ARM, runner("aarch64-linux-gnu.2.31")]), ""
    if platform == "windows-x86_64":
        wine = shutil.which("wine64") or shutil.which("wine") or "/usr/lib/wine/wine64"
        if not Path(wine).exists():
            return None, "needs Wine: apt install wine64"
        folder = home.data() / "wine"
        folder.mkdir(parents=True, exist_ok=True)
        return emulated([wine, runner("x86_64-windows-gnu")], WINEPREFIX=str(folder), WINEDEBUG="-all"), ""
    return None, f"nothing here runs programs for {platform}"
