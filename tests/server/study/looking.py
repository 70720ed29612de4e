"""Helpers for tests of the pages of study in Chromium: windows, and what every page must keep."""

import pytest

from server.test_looks import RULES, TOO_SMALL

DESK, PHONE = (1280, 800), (375, 812)
LOOKS = [(DESK, "light"), (PHONE, "dark")]


def check(page, width):
    """Check that a page is readable, not too wide, and easy to touch."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page, options={"runOnly": list(RULES), "resultTypes": ["violations"]})
    faults = found.response["violations"]
    assert [(fault["id"], [node["html"][:160] for node in fault["nodes"][:3]]) for fault in faults] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert not page.evaluate(TOO_SMALL)
    assert page.complaints == []
