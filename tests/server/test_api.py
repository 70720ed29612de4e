"""The JSON API does what its OpenAPI document says, even for random requests."""

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck
from schemathesis.specs.openapi.checks import positive_data_acceptance

from server.guests import PATIENCE

MIXING = ("commitment", "reveal")
LESSON = ("lesson/on", "lesson/show", "lesson/skip", "lesson/leave")
OPERATIONS = (
    "GET /games/records.zip",
    "GET /tables.json",
    "GET /tables/{table_id}.json",
    "GET /tables/{table_id}/previews",
    "GET /tables/{table_id}/record.json",
    "GET /tables/{table_id}/analysis.json",
    "POST /tables/{table_id}/analysis",
    "POST /tables/{table_id}/analysis/stop",
    "GET /health",
    "GET /keys",
    "POST /name",
    "POST /tables",
    *(
        f"POST /tables/{{table_id}}/{deed}"
        for deed in (
            "moves",
            "set",
            "undo",
            "resign",
            "skip",
            "hurry",
            "rematch",
            "leave",
            "start",
            "hint",
            "play-on",
            *MIXING,
            *LESSON,
        )
    ),
    "GET /tables/{table_id}/sets",
    "POST /tables/{table_id}/sets",
    "POST /tables/{table_id}/sets/text",
    "GET /cards/{game_id}/sets",
    "POST /cards/{game_id}/sets",
    "GET /cards/{game_id}/sets/{set_id}",
    *(f"POST /cards/{{game_id}}/sets/{{set_id}}/{deed}" for deed in ("touch", "deal", "text", "name", "delete")),
    "GET /puzzles/{game_id}/{puzzle}",
    "POST /puzzles/mine",
    *(f"POST /puzzles/{{game_id}}/{{puzzle}}/{deed}" for deed in ("answer", "hint", "doubt", "play-on")),
    "POST /cards/{game_id}/decks",
    "GET /cards/{game_id}/decks/{deck_id}",
    *(f"POST /cards/{{game_id}}/decks/{{deck_id}}/{deed}" for deed in ("touch", "text", "name", "back", "delete")),
    *(
        operation
        for subject in ("/cards/{game_id}/workshop/{set_id}", "/cards/{game_id}/decks/{deck_id}")
        for operation in (
            f"GET {subject}/balance.json",
            f"POST {subject}/balance",
            f"POST {subject}/balance/stop",
        )
    ),
    "GET /cards/{game_id}/workshop/{set_id}",
    "POST /cards/{game_id}/workshop/{set_id}",
    "POST /learn/{game_id}",
    "POST /tables/{table_id}/seats/{seat}",
    "POST /tables/{table_id}/seats/{seat}/deck",
    "POST /cards/{game_id}/starter",
    "POST /tables/{table_id}/talk",
    "POST /tables/{table_id}/report",
    "POST /sessions/end",
)


@pytest.fixture(scope="module")
def api(server):
    """The operations by name, and a guest who asks for them, with a table."""
    guest = server.guest("Ann")
    schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json", wait_for_schema=PATIENCE)
    operations = {found.ok().label: found.ok() for found in schema.get_all_operations()}
    yield operations, guest, guest.make("goofspiel", "me", "greedy")
    server.say_goodbye()


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_answers_random_requests_as_documented(api, name):
    operations, guest, table = api
    headers = {**guest.headers(), "x-csrf-token": guest.csrf}

    @hypothesis.given(case=operations[name].as_strategy(), at_table=hypothesis.strategies.booleans())
    @hypothesis.settings(max_examples=15, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def check(case, at_table):
        if at_table and "table_id" in case.path_parameters:
            case.path_parameters["table_id"] = table
        case.call_and_validate(headers=headers, excluded_checks=[positive_data_acceptance])

    check()


def test_the_tests_try_every_operation_of_the_document(api):
    assert set(OPERATIONS) == set(api[0])


def test_the_document_has_every_operation_that_programs_need(server):
    paths = server.guest().get("/api/openapi.json").json()["paths"]
    server.say_goodbye()
    assert set(paths) >= {
        "/tables/{table_id}.json",
        *(f"/tables/{{table_id}}/{deed}" for deed in ("moves", "undo", "resign", "skip", "rematch", "seats/{seat}")),
    }
    assert set(paths["/tables/{table_id}/moves"]["post"]["requestBody"]["content"]) == {
        "application/json",
        "application/x-www-form-urlencoded",
    }
