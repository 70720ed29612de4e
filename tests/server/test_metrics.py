"""`/metrics` counts what the server does, and shows it to the operator alone."""

import multiprocessing
import os
import random
import signal
import subprocess
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from quintain.server import metrics
from server.guests import PATIENCE, PROGRAM, Serving, free_port, wait_until

TOKEN = "a token of the operator"
FORWARDED = {
    "a proxy's": {"x-forwarded-for": "192.0.2.7"},
    "a proxy's that names this machine": {"x-forwarded-for": "127.0.0.1"},
    "an nginx's": {"x-real-ip": "192.0.2.7"},
    "a standard": {"forwarded": "for=192.0.2.7"},
    "a cache's": {"via": "1.1 cache"},
}


@pytest.fixture
def guarded(tmp_path, goofspiel):
    with Serving(tmp_path, game_files=(goofspiel,), metrics_token=TOKEN) as serving:
        yield serving


def read(text):
    """Return the figures of a text by name and labels."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name.startswith("quintain_") and "le" not in sample.labels
    }


def figures(url, **more):
    answer = httpx.get(f"{url}/metrics", timeout=PATIENCE, **more)
    assert answer.status_code == 200
    return read(answer.text)


class Since:
    """How much the figures have grown since the beginning: all servers of these tests count together."""

    def __init__(self, url):
        self.url, self.before = url, figures(url)

    def __getitem__(self, key):
        return figures(self.url).get(key, 0) - self.before.get(key, 0)


def tables_of(serving):
    """Return how many tables wait, are played and are over; another server of this process may just have looked."""
    now = figures(serving.url)
    return tuple(now["quintain_tables", status] for status in ("waiting", "playing", "over"))


def test_requests_count_by_method_route_and_status(serving):
    since = Since(serving.url)
    ann = serving.guest("Ann")
    table = ann.make("kings-court", "me", "open")
    ann.view(table)
    ann.get("/tables/none.json")
    assert since["quintain_request_seconds_count", "POST", "/tables", "201"] == 1
    assert since["quintain_request_seconds_count", "GET", "/tables/{table_id}", "200"] == 1
    assert since["quintain_request_seconds_count", "GET", "/tables/{table_id}", "404"] == 1
    assert 0 < since["quintain_request_seconds_sum", "POST", "/tables", "201"] < 30


def test_a_client_chooses_no_label(serving):
    before = set(figures(serving.url))
    for number in range(20):
        for method in ("GET", "PURGE", "PROPFIND"):
            httpx.request(method, f"{serving.url}/none-{number}")
            httpx.request(method, f"{serving.url}/static/none-{number}")
    new = set(figures(serving.url)) - before
    assert not [key for key in new if "none" in str(key)]
    assert {key[1] for key in new if key[0].startswith("quintain_request")} <= {"GET", "other"}


def test_sockets_count_while_they_are_open(serving):
    ann = serving.guest("Ann")
    table = ann.make("kings-court", "me", "open")
    since = Since(serving.url)
    with ann.watching(table) as socket, ann.listening() as lobby:
        socket.recv(timeout=PATIENCE)
        lobby.recv(timeout=PATIENCE)
        assert (since["quintain_sockets", "table"], since["quintain_sockets", "lobby"]) == (1, 1)
    wait_until(lambda: (since["quintain_sockets", "table"], since["quintain_sockets", "lobby"]) == (0, 0))


def test_tables_stewards_bots_and_writes_count(tmp_path, goofspiel):
    with Serving(tmp_path, game_files=(goofspiel,)) as serving:
        ann, since = serving.guest("Ann"), Since(serving.url)
        ann.make("kings-court", "me", "open")
        played = ann.make("kings-court", "me", "page")
        wait_until(lambda: tables_of(serving) == (1, 1, 0))
        wait_until(lambda: figures(serving.url)["quintain_stewards",] == 1)
        chance = random.Random(1)
        wait_until(lambda: ann.move_at_random(played, chance) or since["quintain_bot_seconds_count", "page"] > 0)
        wait_until(lambda: ann.move_at_random(played, chance) and since["quintain_bot_seconds_count", "page"] > 0)
        assert since["quintain_write_seconds_count",] >= 3
        assert figures(serving.url)["quintain_bot_jobs_waiting",] >= 0
        ann.post(f"/tables/{played}/resign")
        wait_until(lambda: tables_of(serving) == (1, 0, 1))
        wait_until(lambda: figures(serving.url)["quintain_stewards",] == 0)


def test_errors_in_the_log_count(tmp_path):
    port, path = free_port(), tmp_path / "server.sqlite"
    command = [PROGRAM, "serve", "--host", "127.0.0.1", "--port", str(port), "--database", path]
    process, url = (
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL),
        f"http://127.0.0.1:{port}",
    )
    try:
        wait_until(lambda: is_up(url))
        assert ("quintain_logged_total", "error") not in figures(url)
        path.rename(tmp_path / "away")
        wait_until(lambda: httpx.get(f"{url}/health").status_code == 503)
        assert figures(url)["quintain_logged_total", "error"] >= 1
    finally:
        process.kill()
        process.wait()


def is_up(url):
    try:
        return httpx.get(f"{url}/health").status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "192.0.2.1", "localhost.evil.example"])
def test_a_request_that_names_another_host_finds_nothing(guarded, host):
    assert httpx.get(f"{guarded.url}/metrics", headers={"host": host}).status_code in (400, 404)
    port = guarded.url.rpartition(":")[2]
    for own in (f"localhost:{port}", f"127.0.0.1:{port}", f"[::1]:{port}"):
        assert httpx.get(f"{guarded.url}/metrics", headers={"host": own}).status_code == 200


@pytest.mark.parametrize("name", FORWARDED)
def test_a_request_that_a_proxy_passes_on_finds_nothing(guarded, name):
    answer = httpx.get(f"{guarded.url}/metrics", headers=FORWARDED[name])
    nowhere = httpx.get(f"{guarded.url}/nowhere", headers=FORWARDED[name])
    assert (answer.status_code, answer.text) == (404, nowhere.text)
    assert set(answer.headers) == set(nowhere.headers)


def test_the_token_opens_the_metrics_from_anywhere(guarded):
    away = {"x-forwarded-for": "192.0.2.7"}
    assert figures(guarded.url, headers={**away, "authorization": f"Bearer {TOKEN}"})
    assert figures(guarded.url, headers={**away, "authorization": f"bearer  {TOKEN}"})
    for wrong in ("Bearer", f"Bearer {TOKEN}2", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", "Bearer \xe4"):
        headers = {**away, "authorization": wrong.encode("latin-1")}
        assert httpx.get(f"{guarded.url}/metrics", headers=headers).status_code == 404, wrong


def test_without_a_token_no_word_opens_the_metrics(serving):
    for words in ("Bearer", "Bearer x"):
        headers = {"x-forwarded-for": "192.0.2.7", "authorization": words}
        assert httpx.get(f"{serving.url}/metrics", headers=headers).status_code == 404


def test_the_document_of_the_api_does_not_name_the_metrics(serving):
    assert "/metrics" not in httpx.get(f"{serving.url}/api/openapi.json").text


def count_something(sockets):
    """Count in a process of its own, then wait for the end."""
    from quintain.server import metrics

    metrics.WRITES.observe(0.01)
    metrics.SOCKETS.labels("table").inc(sockets)
    signal.pause()


def test_processes_count_together_and_a_dead_ones_sockets_are_forgotten(monkeypatch):
    started = multiprocessing.get_context("spawn")
    with metrics.share_between_processes():
        processes = [started.Process(target=count_something, args=(number,), daemon=True) for number in (2, 3)]
        for process in processes:
            process.start()
        wait_until(lambda: read(metrics.exposition().decode()).get(("quintain_sockets", "table")) == 5)
        assert read(metrics.exposition().decode())["quintain_write_seconds_count",] == 2
        Path(os.environ[metrics.SHARED], "histogram_1.db").touch()  # of a process that begins just now
        processes[0].kill()
        processes[0].join()
        now = read(metrics.exposition().decode())
        assert (now["quintain_sockets", "table"], now["quintain_write_seconds_count",]) == (3, 2)
        processes[1].kill()
        processes[1].join()
        folder = os.environ[metrics.SHARED]
    assert metrics.SHARED not in os.environ
    assert not Path(folder).exists()
