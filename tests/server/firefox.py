"""Starts Firefox, as Debian has it, for Playwright, which drives it by WebDriver BiDi: a program with its arguments.

Playwright begins by setting media features, which Firefox does not know how to do yet, and then gives up. This program
stands between them, and answers in Firefox's place that it has done so.
"""

import asyncio
import json
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Playwright
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

FIREFOX = Path("/usr/bin/firefox-esr")
PREFERENCES = {"ui.prefersReducedMotion": 1}
SPARED = "emulation.setMediaFeaturesOverride"
LISTENING = "WebDriver BiDi listening on "


def program(folder: Path) -> Path:
    """Write a program that starts Firefox in this way, since Playwright starts a file, and return its path."""
    made = folder / "firefox"
    made.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, __file__])} "$@"\n', encoding="utf-8")
    made.chmod(0o755)
    return made


@contextmanager
def launched(driver: Playwright, folder: Path) -> Iterator[Browser]:
    """Launch Firefox without a window; the program that starts it goes into a folder."""
    browser = driver.firefox.launch(
        channel="moz-firefox", executable_path=program(folder), firefox_user_prefs=PREFERENCES
    )
    yield browser
    browser.close()


async def main() -> None:
    """Run Firefox, and relay what Playwright and Firefox say to each other."""
    firefox = await asyncio.create_subprocess_exec(FIREFOX, *sys.argv[1:], stderr=asyncio.subprocess.PIPE)
    assert firefox.stderr
    address = ""
    while not address and (line := await firefox.stderr.readline()):
        address = "".join(re.findall(rf"{LISTENING}(ws://\S+)", line.decode(errors="replace")))

    async def relay(playwright: ServerConnection) -> None:
        async with connect(f"{address}/session", max_size=None) as bidi:
            answers = asyncio.create_task(pass_on(bidi, playwright))
            async for said in playwright:
                asked = json.loads(said)
                if asked["method"] == SPARED:
                    await playwright.send(json.dumps({"type": "success", "id": asked["id"], "result": {}}))
                else:
                    await bidi.send(said)
            answers.cancel()

    async with serve(relay, "127.0.0.1", 0, max_size=None) as server:
        (listening,) = server.sockets
        print(f"{LISTENING}ws://127.0.0.1:{listening.getsockname()[1]}", file=sys.stderr, flush=True)
        while await firefox.stderr.read(4096):
            pass
        await firefox.wait()


async def pass_on(speaker, listener) -> None:
    """Pass on all that one side says."""
    async for said in speaker:
        await listener.send(said)


if __name__ == "__main__":
    asyncio.run(main())
