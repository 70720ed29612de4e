"""Headings in order and landmarks with names of their own, on every page."""

import html
import itertools
import re

import pytest

from quintain.engine.rules.registry import all_games
from quintain.server.pages.rendering import environment
from server.test_looks import Page, needs_files, sample_pages

GAMES = [found.id for found in all_games()]
PAGES = ["/", "/name", "/credits", "/nowhere", *(f"/{room}/{id_}" for id_ in GAMES for room in ("new", "rules"))]
LANDMARKS = {"header": "banner", "footer": "contentinfo", "main": "main", "nav": "navigation", "aside": "complementary"}
SECTIONING = {"article", "aside", "main", "nav", "section"}
pytestmark = needs_files


def outline(page):
    return [int(element["tag"][1]) for element in page.tags if re.fullmatch("h[1-6]", element["tag"])]


def landmarks(page):
    """Return the role and the name of each landmark."""
    words = {element["id"]: " ".join(element["text"].split()) for element in page.tags if "id" in element}
    found = []
    for element in page.tags:
        tag, named = element["tag"], element.get("aria-labelledby")
        name = words[named] if named else element.get("aria-label", "")
        role = element.get("role") or LANDMARKS.get(tag) or ("region" if tag == "section" and name else "")
        if tag in ("header", "footer") and SECTIONING.intersection(element["inside"]):
            continue
        if role in ("region", *LANDMARKS.values()):
            found.append((role, name))
    return found


def check_outline(page):
    levels = outline(page)
    assert levels.count(1) == 1 and levels[0] == 1, "there is one main heading, and it comes first"
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels)), f"a level is missing: {levels}"
    assert all(e["text"].strip() for e in page.tags if re.fullmatch("h[1-6]", e["tag"]))
    found = landmarks(page)
    assert len(set(found)) == len(found), f"two landmarks cannot be told apart: {found}"
    assert [role for role, _ in found].count("main") == 1


@pytest.mark.parametrize("path", PAGES)
def test_headings_are_in_order_and_landmarks_differ(serving, path):
    check_outline(Page(serving.guest().get(path, headers={"accept": "text/html"}).text))


def test_headings_are_in_order_on_pages_that_follow_a_post_or_a_link(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    shown = html.unescape(ann.get(f"/tables/{table}", headers={"accept": "text/html"}).text)
    link = re.search(r"/seat/[\w.-]+", shown)[0]
    pages = [
        ann.get("/", headers={"accept": "text/html"}),
        ann.submit("/name", name="Squire"),
        ann.submit("/tables", game="robin", **{"seat.0": "me", "seat.1": "me"}),
        ann.submit("/tables", game="robin", csrf="wrong"),
        bo.get(link, headers={"accept": "text/html"}),
    ]
    assert [answer.status_code for answer in pages] == [200, 422, 422, 403, 200]
    for answer in pages:
        check_outline(Page(answer.text))


def test_headings_are_in_order_on_tables_and_replays():
    made = environment()
    for name, template, context in sample_pages():
        try:
            check_outline(Page(made.render_template(template, **context)))
        except AssertionError as wrong:
            raise AssertionError(f"{name}: {wrong}") from wrong


@pytest.mark.parametrize(
    "broken",
    [
        "<main><h1>A</h1><h3>B</h3></main>",
        "<main><h2>A</h2></main>",
        "<main><h1>A</h1></main><nav></nav><nav></nav>",
        "<main><h1> </h1></main>",
    ],
)
def test_the_check_finds_what_is_wrong(broken):
    with pytest.raises(AssertionError):
        check_outline(Page(broken))
