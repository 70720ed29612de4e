"""The workshop's balance at once: seconds from a changed number to the first interval, and to one of 1.5 points.

    python benchmarks/balance.py [--subject NAME ...] [--points P] [--json]

A server starts as `quintain serve` does, with a database of its own, and a player of it changes a number: of a card of
Robin in the Hood (`robin`), and of a table of Heirless battles (`heirless`); and has bots play with a deck of Round
Table (`deck`). The time counts from the post of the change. As a page does, the player has the bots begin two seconds
after it, and asks ten times a second how far they are. With the deck it counts from the post that has them begin.

`first` are the seconds to the first interval from 20 games or more, and `narrow` those to an interval that reaches at
most 1.5 points to each side: that of the difference on equal deals, or with the deck that of its share. `games` were
played then on each side of the change. `narrow` is empty if the last game did not bring it, and `points` says how far
the interval reached then.

All traffic goes to 127.0.0.1. The command only measures: it does not fail if a figure misses its goal.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from parts.serving import free_port, wait_for
from quintain.engine.rules.registry import game
from quintain.server.workshop.drafts import base_draft, entries_of, form_of_card

CALM, LOOKS, PATIENCE = 2.0, 0.1, 300.0
"""Seconds from a change to the first game, between two looks, and until the command gives up."""
SEE_OTHER = 303
LEAST = 20
"""The games from which an interval counts."""
GOALS = {"first": 3.0, "narrow": 30.0}
CHANGES = {"robin": ("Robin Hood", "levels.0", "3"), "heirless": ("Thrust", "attack.0", "5")}
"""For each game the card that is changed, the field, and its new value."""


class Measured(NamedTuple):
    """What was measured of a subject: see above."""

    subject: str
    first: float | None
    narrow: float | None
    games: int
    points: float | None


def main() -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--subject", action="append", choices=(*CHANGES, "deck"), help="only these")
    parser.add_argument("--points", type=float, default=1.5, help="how far the narrow interval reaches to each side")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = [measured(subject, given.points) for subject in given.subject or (*CHANGES, "deck")]
    if given.json:
        print(json.dumps({"goals": GOALS, "subjects": [each._asdict() for each in found]}))
        return
    print(f"{'':10}{'first, s':>10}{'narrow, s':>11}{'games':>8}{'points':>8}")
    for each in found:
        cells = [f"{value:.1f}" if value is not None else "-" for value in (each.first, each.narrow, each.points)]
        print(f"{each.subject:10}{cells[0]:>10}{cells[1]:>11}{each.games:>8,}{cells[2]:>8}")


@contextmanager
def serving() -> Iterator[httpx.Client]:
    """Start a server, and yield a client of a player with a name; end it at last."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        command = [sys.executable, "-c", "from quintain.cli import main; main()", "serve", "--log-level", "error"]
        command += ["--host", "127.0.0.1", "--port", str(port), "--database", str(Path(folder) / "server.sqlite")]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
            try:
                wait_for(f"http://127.0.0.1:{port}")
                with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
                    client.headers["x-csrf-token"] = client.get("/tables.json").json()["csrf"]
                    client.post("/name", json={"name": "Ann"}).raise_for_status()
                    yield client
            finally:
                server.terminate()


def measured(subject: str, points: float) -> Measured:
    """Measure one subject on a server of its own."""
    with serving() as client:
        if subject == "deck":
            made = client.post("/cards/round-table/decks", json={"ready": "hedge-host"}).raise_for_status().json()
            url, fields, begun = f"/cards/round-table/decks/{made['id']}", {"more": True}, time.perf_counter()
        else:
            (url, begun), fields = changed(client, subject), {"to_end": True}
            time.sleep(max(0.0, begun + CALM - time.perf_counter()))
        client.post(f"{url}/balance", json=fields).raise_for_status()
        return followed(client, subject, url, begun, points)


def changed(client: httpx.Client, id_: str) -> tuple[str, float]:
    """Begin a set with the base set, change a number of it, and return its address, and when the change was posted."""
    found, (name, field, value) = game(id_), CHANGES[id_]
    url = client.post(f"/cards/{id_}/workshop", data={"begin": "base"}, follow_redirects=False).headers["location"]
    text = base_draft(found)
    at = next(at for at, entry in enumerate(entries_of(found, text)) if entry.name == name)
    form = {**form_of_card(found, text, at), f"{at}.{field}": value, "change": "0"}
    begun = time.perf_counter()
    answer = client.post(url, data=form, headers={"accept": "text/html"}, follow_redirects=False)
    if answer.status_code != SEE_OTHER:
        raise SystemExit(f"the change was refused: {answer.text}")
    return url, begun


def followed(client: httpx.Client, subject: str, url: str, begun: float, points: float) -> Measured:
    """Ask how far the bots are until the interval is narrow, or they have played their last game."""
    first = None
    while (passed := time.perf_counter() - begun) < PATIENCE:
        found = client.get(f"{url}/balance.json").raise_for_status().json()
        reach = reached(found, subject)
        if first is None and reach is not None and found["games"] >= LEAST:
            first = passed
        if reach is not None and reach <= points and found["games"] >= LEAST:
            return Measured(subject, first, passed, found["games"], reach)
        if found["state"] not in ("working", "empty"):
            return Measured(subject, first, None, found["games"], reach)
        time.sleep(LOOKS)
    raise SystemExit(f"{subject}: the bots did not come to an end in {PATIENCE:.0f} s")


def reached(found: dict[str, Any], subject: str) -> float | None:
    """Return how many points an interval reaches to each side; None as long as there is none."""
    figures = found["figures"]
    things = figures["decks" if subject == "deck" else "cards"] if figures else []
    won = next((each["won"] for each in things if each["is_subject"]), None)
    if won is None or won["now"] is None:
        return None
    low, high = (won["now"]["low"], won["now"]["high"]) if subject == "deck" else won["interval"] or (None, None)
    return None if low is None else 50 * (high - low)


if __name__ == "__main__":
    main()
