"""Puzzles: each is exactly what its solver saw, has one clearly best move, and holds nothing hidden."""

import datetime
import json
import math
import pickle
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import quintain
from quintain.engine.errors import BadRecord
from quintain.engine.play.match import Match
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import own_games
from quintain.lab.mining import judge_puzzles, read_source, solved
from quintain.lab.puzzles import FILE, Puzzle, puzzle_of_the_day, puzzles, read_puzzles

SOURCES = Path(__file__).parents[1] / "puzzles"
GAMES = [game.id for game in own_games() if puzzles(game)]


def shipped(game: Game) -> Path:
    assert game.folder
    return game.folder / FILE


def played_to(record: dict[str, Any], step: int) -> Match:
    """Return the match of a record after this number of entries."""
    given = {name: record[name] for name in ("options", "seed")}
    match = Match.new(record["game"], record["seats"], **given)
    for entry in record["moves"][:step]:
        match.play(entry["seat"], entry["text"])
    return match


@pytest.mark.parametrize("id_", [game.id for game in own_games()])
def test_each_game_has_thirty_puzzles_with_one_clearly_best_move(id_: str):
    found = puzzles(quintain.game(id_))
    assert len(found) >= 30 and len({one.id for one in found}) == len(found)
    for one in found:
        best, second = one.candidates[:2]
        assert 3 <= len(one.candidates) <= 12 and best.tries >= 30_000
        assert best.share - second.share >= max(0.05, 3 * math.hypot(best.error, second.error)) - 1e-4
        assert one.themes and one.is_right(best.action) and not one.is_right(second.action)
        assert {each.action for each in one.candidates} == {*one.seen.legal}


@pytest.mark.parametrize("id_", GAMES)
def test_a_puzzle_is_what_its_solver_saw_in_the_recorded_game(id_: str):
    game = quintain.game(id_)
    source = read_source(SOURCES / f"{id_}.records.json.gz")
    found = {one.id: one for one in puzzles(game)}
    assert found.keys() == source.places.keys()
    assert (
        max(sum(place.record == number for place in source.places.values()) for number in range(len(source.records)))
        <= 3
    )
    for name, place in source.places.items():
        match, puzzle = played_to(source.records[place.record], place.step), found[name]
        seat = puzzle.seen.viewer
        assert seat is not None
        match.rename(puzzle.seen.names)
        played = match.seen(seat)
        bare = played.state.copy()
        bare.events_made, bare.events = 0, game.state().events
        assert puzzle.seen.state == bare and puzzle.seen.book == played.book
        for same in ("viewer", "legal", "to_act", "done", "names", "moves"):
            assert getattr(puzzle.seen, same) == getattr(played, same), (name, same)
        assert puzzle.seen.log == played.log[-len(puzzle.seen.log) :]
        assert puzzle.seen.view.zones == played.view.zones and puzzle.seen.view.question == played.view.question


@pytest.mark.parametrize("id_", GAMES)
def test_the_file_has_no_seed_and_no_hidden_value(id_: str):
    game = quintain.game(id_)
    text = shipped(game).read_text(encoding="utf-8")
    source = read_source(SOURCES / f"{id_}.records.json.gz")
    for record in source.records:
        assert record["seed"] not in text and record["commitment"] not in text
    for one in puzzles(game):
        again = game.blinded(one.seen.book, one.seen.state, one.seen.seat)
        assert again == one.seen.state


def test_records_and_puzzles_stay_small():
    assert sum(path.stat().st_size for path in SOURCES.glob("*.gz")) < 1_000_000
    assert all(shipped(quintain.game(id_)).stat().st_size < 400_000 for id_ in GAMES)


COURT = quintain.game("kings-court")


def edited(folder: Path, change: Any) -> Path:
    """Return the file of King's Court with its first puzzle alone, after a change."""
    document = json.loads(shipped(COURT).read_text(encoding="utf-8"))
    document["puzzles"] = document["puzzles"][:1]
    change(document, document["puzzles"][0])
    path = folder / FILE
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def show_a_card(_: Any, one: Any) -> None:
    number = next(number for number, line in enumerate(one["position"]) if line.startswith("hand[") and "?" in line)
    one["position"][number] = one["position"][number].replace("?", "1", 1)


def swap_the_moves(_: Any, one: Any) -> None:
    one["moves"] = dict(reversed(one["moves"].items()))


EDITS: list[tuple[Any, str]] = [
    (show_a_card, "its position shows what the solver cannot know, or hides what the solver knows"),
    (swap_the_moves, "its moves must stand in the order of their shares, the best first"),
    (lambda _, one: one["moves"].popitem(), "is missing; it must have all"),
    (lambda _, one: one["moves"].update({"play the fool": 0.0}), "the move 'play the fool' is not legal"),
    (lambda _, one: one.update(tries=0), "found in at least 1 try"),
    (lambda _, one: one.update(id="000000"), "its id must be"),
    (lambda _, one: one.update(seat=7), "its solver is seat 7, and the seats are 0 to 1"),
    (lambda _, one: one.update(seats=3), "not played with 3 seats"),
    (lambda _, one: one.update(done=[9]), "the seats that are done must be some of 0 to 1"),
    (lambda _, one: one["position"].append("crowns = 3"), "there is no field crowns"),
    (lambda _, one: one.update(options={"crowns": 3}), "crowns"),
]


@pytest.mark.parametrize("place", range(len(EDITS)))
def test_an_edited_puzzle_is_refused_with_the_file_and_its_number(tmp_path: Path, place: int):
    change, words = EDITS[place]
    path = edited(tmp_path, change)
    with pytest.raises(BadRecord) as refused:
        read_puzzles(COURT, path)
    assert f"puzzle 1 of {path}" in str(refused.value) and words in str(refused.value)


def test_a_file_that_is_none_is_refused(tmp_path: Path):
    path = tmp_path / FILE
    for text, words in (
        ("", "holds no puzzles"),
        ("{}", "holds no puzzles: Object missing required field"),
        ('{"game": "robin", "version": 1, "puzzles": []}', "holds puzzles of 'robin', and must hold those of kings-co"),
    ):
        path.write_text(text)
        with pytest.raises(BadRecord, match=words):
            read_puzzles(COURT, path)
    with pytest.raises(BadRecord, match="has the same id"):
        read_puzzles(COURT, edited(tmp_path, lambda document, one: document["puzzles"].append(one)))


def test_a_puzzle_of_other_rules_says_so(tmp_path: Path):
    def older(document: Any, one: Any) -> None:
        document["version"] = 0
        one["position"].append("crowns = 3")

    with pytest.raises(BadRecord, match=r"it is of version 0 of the rules, and these are version 1\): line"):
        read_puzzles(COURT, edited(tmp_path, older))


def test_a_move_within_the_interval_of_the_best_one_is_right():
    one = puzzles(COURT)[0]
    best, second, *others = one.candidates
    near = replace(one, candidates=(best, with_share(second, best.low + 1e-6), *others))
    far = replace(one, candidates=(best, with_share(second, best.low - 1e-6), *others))
    assert near.is_right(second.action) and near.is_right(best.action)
    assert not far.is_right(second.action) and not far.is_right(-1)


def with_share(candidate: Any, share: float) -> Any:
    return type(candidate)(candidate.action, candidate.text, share, candidate.tries)


def test_days_walk_through_all_puzzles_before_one_comes_again():
    total = sum(len(puzzles(game)) for game in own_games())
    begun = datetime.date(2026, 11, 28)
    walked = [puzzle_of_the_day(begun + datetime.timedelta(days)) for days in range(total + 1)]
    assert all(isinstance(one, Puzzle) for one in walked)
    names = [(one.game.id, one.id) for one in walked if one]
    assert len(set(names)) == total and names[0] == names[-1]
    assert {game for game, _ in names} == {*GAMES}
    assert sum(one[0] == next_one[0] for one, next_one in pairwise(names)) <= 2


def test_a_game_without_a_file_has_no_puzzles():
    from conformance.cases import tutorial_game

    assert puzzles(tutorial_game()) == ()


def test_a_puzzle_can_be_sent_to_another_process():
    one = puzzles(COURT)[0]
    sent = pickle.loads(pickle.dumps(one))
    assert sent == one and sent.themes == one.themes and sent.seen.view == one.seen.view


def test_reading_puzzles_needs_no_package_of_the_lab():
    code = (
        "import sys, datetime\nfrom quintain.lab.puzzles import puzzle_of_the_day\n"
        "print(puzzle_of_the_day(datetime.date(2026, 1, 1)).seen.view.question.words)\n"
        "print({'numpy', 'numba', 'polars', 'rich', 'scipy'} & {*sys.modules})"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[1] == "set()"


@pytest.mark.long
@pytest.mark.parametrize("id_", GAMES)
def test_puzzles_judged_anew_keep_their_answers(id_: str):
    found = puzzles(quintain.game(id_))
    judged = list(judge_puzzles(found, found[0].best.tries, seed=20_261_128))
    figures = solved(judged)
    print(f"{id_}: {len(found)} puzzles, {figures}")
    assert figures["confirmed"] >= math.ceil(29 / 30 * len(found))
    assert figures["page"] < 0.5 < figures["knight"]
