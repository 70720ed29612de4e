"""The files of the site, made once for all tests, and a server of them."""

import http.server
from collections.abc import Iterator
from pathlib import Path

import pytest

from quintain.cli import site
from quintain.engine.rules.compiling import libraries
from server.browser.visits import WASM, serving


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the site below it, in /club."""
    made_in = tmp_path_factory.mktemp("web")
    with pytest.MonkeyPatch.context() as setting:
        setting.setenv(libraries.SETTING, str(WASM))
        site.site(made_in / "club")
    return made_in


@pytest.fixture
def served(folder: Path) -> Iterator[http.server.ThreadingHTTPServer]:
    """Serve the folder on this machine."""
    with serving(folder) as server:
        yield server
