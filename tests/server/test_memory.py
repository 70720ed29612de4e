"""A table that nobody looks at leaves memory, and is read again when somebody opens it."""

import pytest

from quintain.server.tables import memory as service
from server.guests import PATIENCE, Serving, wait_until


@pytest.fixture
def tidy(tmp_path, goofspiel, monkeypatch):
    """Start a server that tidies up soon."""

    def start(**seconds):
        for name, value in seconds.items():
            monkeypatch.setattr(service, name, value)
        return Serving(tmp_path)

    return start


def sat_down(serving):
    """Return a guest and a table of King's Court that the guest has looked at."""
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    look(ann, table)
    return ann, table


def look(guest, table):
    page = guest.get(f"/tables/{table}", headers={"accept": "text/html"})
    assert page.status_code == 200
    return page.text


def test_a_table_that_nobody_asks_for_leaves_memory_and_is_found_again(tidy):
    with tidy(TIDIED=0.1, FORGOTTEN=0.5) as serving:
        ann, table = sat_down(serving)
        before = look(ann, table)
        with ann.watching(table) as socket:
            socket.recv(timeout=PATIENCE)
            _, unwatched = sat_down(serving)
            wait_until(lambda: unwatched not in serving.site.tables._opening)
            assert table in serving.site.tables._opening, "who watches a table keeps it"
        wait_until(lambda: table not in serving.site.tables._opening)
        assert look(ann, table) == before


def test_a_new_table_takes_the_place_of_the_one_that_was_asked_for_longest_ago(tidy):
    with tidy(MOST_IN_MEMORY=3) as serving:
        ann = serving.guest("Ann")
        first, _, third = (ann.make("kings-court", "me", "open") for _ in range(3))
        ann.view(first)
        fourth = ann.make("kings-court", "me", "open")
        assert set(serving.site.tables._opening) == {first, third, fourth}
