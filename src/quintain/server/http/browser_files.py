"""The files that browsers load but git ignores: fonts, icons and scripts, which tools/assets.py makes.

They lie in static/vendor. Without them no page of the templates can be drawn, so `answers.page` shows a plain page
instead, which names this module's COMMAND. The JSON API needs none of them.
"""

from __future__ import annotations

import logging

from quintain.server.pages import rendering as pages

FACES, SUBSETS = ("title", "text", "text-bold", "text-italic"), ("latin", "latin-ext")
FILES = (
    "arms.svg",
    "boards.css",
    "credits.json",
    "crest.svg",
    "crest-turn.svg",
    "htmx.min.js",
    "icons.json",
    "sha256.min.js",
    *(f"{face}-{subset}.woff2" for face in FACES for subset in SUBSETS),
)
"""The names of all files that pages use from static/vendor; licences lie beside them."""
COMMAND = ".venv/bin/python tools/assets.py"
"""Makes the files; to be typed in a checkout. An installed package has them."""
log = logging.getLogger("quintain.server")


def missing_files() -> list[str]:
    """Return the names of the files that static/vendor lacks."""
    return [name for name in FILES if not (pages.STATIC / "vendor" / name).is_file()]


def check_files() -> bool:
    """Tell whether static/vendor is complete; write an error to the log if it is not."""
    missing = missing_files()
    if missing:
        log.error("browser files are missing", extra={"missing": missing, "command": COMMAND})
    return not missing
