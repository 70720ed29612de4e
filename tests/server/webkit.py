"""Drives WebKit, as Debian has it, by WebDriver, and lets a person play there."""

import contextlib
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import httpx

from server.browsing import ANSWER, ASKED, NEXT, RESULT, TABLE
from server.guests import PATIENCE, Guest, free_port, wait_until

DRIVER, DISPLAY = Path("/usr/bin/WebKitWebDriver"), Path("/usr/bin/Xvfb")
BROWSERS = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
IS_INSTALLED = DRIVER.exists() and DISPLAY.exists() and bool(BROWSERS)
SEEN = """
const seen = [...document.querySelectorAll(arguments[0])].filter((each) => each.getClientRects().length);
return seen[Math.floor(arguments[1] * seen.length)] ?? null;
"""
"""A script that returns one of the elements that can be seen, as the second argument, from 0 to 1, says."""


class WebKit:
    """A person in WebKit, in the window of a screen that nobody looks at, who answers at random."""

    def __init__(self, url: str):
        self.url, self.chance = url, random.Random(5)
        port = free_port()
        self.screen = subprocess.Popen(
            [DISPLAY, "-displayfd", "1", "-screen", "0", "1300x900x24", "-nolisten", "tcp"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self.screen.stdout
        number = self.screen.stdout.readline().decode().strip()
        with_screen = {**os.environ, "DISPLAY": f":{number}"}
        self.driver = subprocess.Popen([DRIVER, f"--port={port}"], env=with_screen, stderr=subprocess.DEVNULL)
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE)
        wait_until(self._answers)
        options = {"binary": str(BROWSERS[-1]), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"browserName": "MiniBrowser", "webkitgtk:browserOptions": options}}
        self.session = ""
        self.session = f"/session/{self.ask('/session', capabilities=wanted)['sessionId']}"
        self.ask("/window/rect", width=1280, height=880)

    def _answers(self) -> bool:
        with contextlib.suppress(httpx.TransportError):
            return self.http.get("/status").status_code == 200
        return False

    def close(self) -> None:
        """Close the browser and its screen."""
        with contextlib.suppress(httpx.HTTPError):
            self.http.delete(self.session)
        self.http.close()
        for process in (self.driver, self.screen):
            process.terminate()
            process.wait(PATIENCE)
        assert self.screen.stdout
        self.screen.stdout.close()

    def ask(self, what: str, **arguments: Any) -> Any:
        """Let the browser do something, and return what it answers."""
        answer = self.http.post(f"{self.session}{what}", json=arguments)
        assert answer.status_code == 200, answer.text
        return answer.json()["value"]

    def run(self, script: str, *arguments: Any) -> Any:
        return self.ask("/execute/sync", script=script, args=list(arguments))

    def goto(self, url: str) -> None:
        self.ask("/url", url=url)

    def text(self, selector: str) -> str:
        return str(self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector))

    def has(self, selector: str) -> bool:
        return bool(self.run("return document.querySelector(arguments[0]) !== null", selector))

    def touch(self, selector: str) -> bool:
        """Click one of the elements that can be seen; False if there is none, or if it has gone meanwhile."""
        found = self.run(SEEN, selector.replace(":visible", ""), self.chance.random())
        if not found:
            return False
        (element,) = found.values()
        return self.http.post(f"{self.session}/element/{element}/click", json={}).status_code == 200

    def come_as(self, guest: Guest, table: str) -> None:
        """Go on as a guest whose cookie this browser gets, at a table."""
        self.goto(f"{self.url}/rules")
        for name, value in guest.http.cookies.items():
            self.ask("/cookie", cookie={"name": name, "value": value})
        self.goto(f"{self.url}/tables/{table}")
        wait_until(lambda: self.has(TABLE))

    def decision(self) -> str | None:
        found = self.run("return document.querySelector('#moves > [name=decision]')?.value ?? null")
        return None if found is None else str(found)

    def is_over(self) -> bool:
        return self.has(RESULT)

    def is_asked(self) -> bool:
        return self.has(ASKED) and not self.is_over()

    comes_to_turn = is_asked

    def answer(self) -> None:
        """Answer, and wait until the page no longer asks for this decision."""
        asked = self.decision()

        def is_done() -> bool:
            if not self.is_asked() or self.decision() != asked:
                return True
            if not self.touch(NEXT):
                self.touch(ANSWER)
            return False

        wait_until(is_done)
