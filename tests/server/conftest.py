"""Fixtures: one server that most tests of this folder share, and Goofspiel from the tutorial as a further game."""

import pytest

from quintain.engine import registry
from quintain.engine.registry import register_file
from server.guests import Serving
from tutorial import kept_goofspiel


@pytest.fixture(scope="session")
def goofspiel():
    return kept_goofspiel()


@pytest.fixture(autouse=True)
def goofspiel_is_there(goofspiel, monkeypatch):
    monkeypatch.setattr(registry, "_games", dict(registry._games))
    register_file(goofspiel)


@pytest.fixture(scope="package")
def server(tmp_path_factory, goofspiel):
    before = dict(registry._games)
    register_file(goofspiel)
    with Serving(tmp_path_factory.mktemp("server"), game_files=(goofspiel,)) as server:
        yield server
    registry._games.clear()
    registry._games.update(before)


@pytest.fixture
def serving(server):
    """The shared server; its guests leave after each test."""
    yield server
    server.say_goodbye()
