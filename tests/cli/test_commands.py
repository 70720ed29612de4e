"""The commands besides `play`, and the messages for bad input."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import pexpect
import pytest

from cli.sitting import PLAY, SEED, Result, Run, finished_record, moves_in, saves, sealed
from quintain.engine.names import with_minus
from quintain.engine.play.match import Match
from quintain.lab import cluster, simulation
from quintain.lab.cluster import RayPool
from tutorial import write_goofspiel

GOLDEN = Path(__file__).parents[1] / "golden"


def test_watch_shows_a_game_of_bots_as_a_spectator_sees_it(quintain: Run) -> None:
    shown = quintain("watch", "kings-court", "--bots", "random", "--seed", SEED).out
    assert "Random 2 gives Random a card." in shown
    assert shown.count("The Royal Houses") >= 4
    assert "KC-19" in shown
    assert re.search(r"\n(Random|Random 2) wins: ", shown)


def test_simulate_sums_up_games_of_compiled_bots(quintain: Run) -> None:
    shown = quintain("simulate", "kings-court", "-n", "200", "--bots", "random", "--seed", "5").out
    assert re.search(r"Games +200 in [\d.]+ s, seed 5", shown)
    plies = re.search(r"Decisions in a game +(\d+)\.\d on average, (\d+) to (\d+)", shown)
    assert plies
    mean, shortest, longest = map(int, plies.groups())
    assert 70 <= shortest <= mean <= longest <= 150
    shares = [float(share) for share in re.findall(r"([\d.]+)%", shown)]
    assert len(shares) == 2
    assert sum(shares) == pytest.approx(100)


def test_simulate_passes_on_what_it_is_given(quintain: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    given = []

    def simulate(
        game: Any, n: int, bots: Any, options: Any, seed: int, progress: Any, *more: Any
    ) -> simulation.Summary:
        given.append((game.id, n, bots, options))
        progress(n)
        return simulation.Summary(n, 0.5, 1000, (0.25, 0.75), (30.0, 40.0), 1, 90, 110)

    monkeypatch.setattr(simulation, "simulate", simulate)
    shown = quintain("simulate", "kings-court", "-n", "10", "--bots", "greedy,random", "--option", "garnets=1,0")
    assert given == [("kings-court", 10, ["greedy", "random"], {"garnets": "1,0"})]
    assert re.search(r"Games per second +20\b", shown.out)
    assert re.search(r"Decisions per second +2,000\b", shown.out)
    assert re.search(r"1 +random +75\.00% +40\.00", shown.out)
    assert shown.err == ""


def test_ray_and_workers_name_the_pool_that_plays(quintain: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster itself is tested in `lab/test_cluster.py`."""
    joined = []

    class Joined(RayPool):
        def __enter__(self) -> Self:
            joined.append((self.address, self.wanted))
            return self

        def __exit__(self, *error: object) -> None:
            joined.append("left")

        def map(self, do: Any, jobs: Any) -> Any:
            return map(do, jobs)

    monkeypatch.setattr(cluster, "RayPool", Joined)
    games = ("simulate", "kings-court", "-n", "20", "--seed", "5")
    there = quintain(*games, "--ray", "local", "--workers", "2")
    assert (there.status, joined) == (0, [("local", 2), "left"])
    assert without_times(there.out) == without_times(quintain(*games).out)


def without_times(shown: str) -> list[str]:
    return [line for line in shown.splitlines() if not re.search(r" in [\d.]+ s|per second", line)]


def test_replay_prints_every_step_with_everything_open(quintain: Run, tmp_path: Path) -> None:
    record = finished_record(tmp_path / "record.json")
    shown = quintain("replay", tmp_path / "record.json")
    count = len(record["moves"])
    assert shown.status == 0
    assert re.findall(r"^(\d+) of", shown.out, re.MULTILINE) == [str(number) for number in range(1, count + 1)]
    assert f"2 of {count} · Ann takes the last move back" in shown.out
    flat, at = " ".join(shown.out.split()), 0
    for words in record["log"]:
        at = flat.index(f"· {with_minus(words)}", at) + 1
    assert flat.count(f"· {record['log'][0]}") == 1
    assert "▒▒" not in shown.out
    assert re.search(rf"wins: \w+ {max(record['result']['scores'])}, ", shown.out.splitlines()[-1])


def test_replay_shows_what_a_seat_saw(quintain: Run, tmp_path: Path) -> None:
    finished_record(tmp_path / "record.json")
    shown = quintain("replay", tmp_path / "record.json", "--seat", "1").out
    assert "Ann draws a card." in shown
    assert "You draw " in shown
    assert "▒▒" in shown


def test_replay_steps_by_enter_and_stops_at_q(at_terminal: Callable[..., Any], tmp_path: Path) -> None:
    count = len(finished_record(tmp_path / "record.json")["moves"])
    child = at_terminal("replay", tmp_path / "record.json")
    child.expect("The deal")
    child.expect("q: quit $")
    child.sendline("")
    child.expect(f"1 of {count} · Ann: put -2 on Artois")
    child.expect("q: quit $")
    child.sendline("q")
    child.expect(pexpect.EOF)
    assert "2 of" not in child.before
    child.close()
    assert child.exitstatus == 0


def test_a_record_of_other_rules_tells_its_log_and_result_before_the_error(quintain: Run, tmp_path: Path) -> None:
    record = finished_record(tmp_path / "record.json")
    (tmp_path / "old.json").write_text(sealed({**record, "version": 0, "log": ["\x1b[2JAnn wakes.", *record["log"]]}))
    for command in ("replay", "verify"):
        shown = quintain(command, tmp_path / "old.json")
        assert shown.status == 2
        assert "\n\N{REPLACEMENT CHARACTER}[2JAnn wakes.\n" in shown.out
        assert record["log"][-1] in shown.out
        assert shown.out.splitlines()[-1].split()[1] == "wins:"
        assert "version 0" in shown.err

    for wrong in ({"ranks": []}, {"scores": [1], "ranks": [1], "reason": ""}):
        (tmp_path / "old.json").write_text(sealed({**record, "version": 0, "result": wrong}))
        unreadable = quintain("replay", tmp_path / "old.json")
        assert (unreadable.status, unreadable.out) == (2, "")


def test_saves_and_records_are_told_apart(quintain: Run, tmp_path: Path, home: Path) -> None:
    finished_record(tmp_path / "record.json")
    quintain(*PLAY)
    for command in ("replay", "verify"):
        refused = quintain(command, saves(home)[0])
        assert (refused.status, refused.out) == (2, "")
        assert "not over yet: `quintain resume` goes on with it" in refused.err
    refused = quintain("resume", tmp_path / "record.json")
    assert refused.status == 2
    assert "is over: `quintain replay` steps through it" in refused.err


@pytest.mark.parametrize("command", ["replay", "verify", "resume"])
def test_deep_nesting_gives_one_message(quintain: Run, tmp_path: Path, command: str) -> None:
    (tmp_path / "deep.json").write_text('{"format": "quintain-record", "zz": ' + "[" * 100_000 + "]" * 100_000 + "}")
    refused = quintain(command, tmp_path / "deep.json")
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)


def test_nothing_of_a_changed_record_is_printed(quintain: Run, tmp_path: Path) -> None:
    record = finished_record(tmp_path / "record.json")
    (tmp_path / "changed.json").write_text(json.dumps({**record, "version": 2, "log": ["Bo cheated."]}))
    refused = quintain("verify", tmp_path / "changed.json")
    assert (refused.status, refused.out) == (2, "")


def test_a_save_of_a_finished_game_is_not_a_record(quintain: Run, tmp_path: Path) -> None:
    record = Match.load(finished_record(tmp_path / "record.json"))
    (tmp_path / "save.json").write_text(json.dumps(record.save()))
    refused = quintain("verify", tmp_path / "save.json")
    assert refused.status == 2 and "is a save" in refused.err


def test_resume_skips_saves_that_cannot_be_resumed_and_keeps_files_elsewhere(
    quintain: Run, tmp_path: Path, home: Path
) -> None:
    quintain(*PLAY, typed="1\n")
    kept = saves(home)[0]
    (kept.parent / "garbage.json").write_text("garbage")
    (kept.parent / "folder.json").mkdir()
    (kept.parent / "dangling.json").symlink_to(tmp_path / "nowhere")
    os.utime(kept, (1, 1))
    resumed = quintain("resume", typed="1\n")
    assert resumed.status == 0 and "garbage.json" in resumed.err
    assert len(moves_in(kept)) == 2
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_bytes(kept.read_bytes())
    assert "Check its cards:" in quintain("resume", elsewhere, typed="resign\nyes\n").out
    assert elsewhere.exists()


def test_a_save_of_several_people_is_not_resumed(quintain: Run, tmp_path: Path) -> None:
    (tmp_path / "two.json").write_text(json.dumps(Match.new("kings-court").save()))
    refused = quintain("resume", tmp_path / "two.json")
    assert refused.status == 2
    assert "2 people play in it" in refused.err


@pytest.mark.parametrize("command", ["resume", "replay", "verify"])
@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        (b"", "it is empty"),
        (b"[1, 2", "this is not JSON"),
        (b"[" * 100_000, "lists in it are too deep"),
        (b"\xff\xfe\x00", "it is not a text in UTF-8"),
        (b"{}", "neither a save nor a record"),
        (b'"text"', "neither a save nor a record"),
        (b'{"format": "quintain-record", "sha256": 0}', "its checksum does not match"),
        (None, "No such file or directory"),
    ],
)
def test_a_damaged_file_gives_one_message(
    quintain: Run, tmp_path: Path, command: str, content: bytes | None, wrong: str
) -> None:
    path = tmp_path / "damaged.json"
    if content is not None:
        path.write_bytes(content)
    refused = quintain(command, path)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith(f"quintain: {path}")
    assert wrong in refused.err
    assert refused.err.count("\n") == 1


def test_a_folder_and_a_changed_record_are_refused(quintain: Run, tmp_path: Path) -> None:
    assert quintain("verify", tmp_path).err == f"quintain: {tmp_path} cannot be read: Is a directory\n"
    record = finished_record(tmp_path / "record.json")
    (tmp_path / "changed.json").write_text(sealed({**record, "seed": "cd" * 32}))
    changed = quintain("verify", tmp_path / "changed.json")
    assert (changed.status, changed.out) == (2, "")
    assert "is not valid" in changed.err


@pytest.mark.parametrize(
    ("arguments", "right"),
    [
        (("play", "chess"), "there are heirless, kings-court"),
        (("rules", "chess"), "there are heirless, kings-court"),
        (("play", "kings-court", "--seats", "3"), "but with 2"),
        (("play", "kings-court", "--seat", "2"), "the seats are 0 to 1"),
        (("play", "kings-court", "--seat", "-1"), "the seats are 0 to 1"),
        (("play", "kings-court", "--option", "garnets=-1,0"), "it takes 2 whole numbers"),
        (("play", "kings-court", "--option", "garnets=1"), "it takes 2 whole numbers"),
        (("play", "kings-court", "--option", "garnets"), "write name=value; King's Court has the options garnets"),
        (("play", "kings-court", "--option", "rubies=1"), "its options are garnets"),
        (("play", "kings-court", "--seed", "12"), "a seed has 64 hex digits"),
        (("play", "kings-court", "--name", "A_b"), "it takes 1 to 24 letters"),
        (("play", "kings-court", "--name", ""), "it takes 1 to 24 letters"),
        (("play", "kings-court", "--against", "merlin"), "the bots are random, page, greedy"),
        (("play", "kings-court", "--against", "random,random"), "name at most 1, one for each of their seats"),
        (("play", "kings-court", "--game-file", "missing.py"), "there is no file missing.py"),
        (("play", "kings-court", "--option", "garnets=3,1", "--option", "garnets=1,3"), "garnets is given twice"),
        (("play", "robin", "--option", "cards="), "the option cards takes"),
        (("play", "round-table", "--option", "decks=hedge-host,"), "a file name is missing in 'hedge-host,'"),
        (("ladder", "kings-court", "-n", "10000000000000000", "--bots", "page,random"), "up to 1,000,000,000,000"),
        (("report", "robin", "-n", "5", "--seats", "3"), "not played with 3 seats, but with 2"),
        (("report", "round-table", "-n", "2", "--bot", ""), "there is no bot ''"),
        (("serve", "--host", "nonsense.invalid"), "there is no address nonsense.invalid"),
        (("watch", "kings-court", "--bots", "merlin"), "the bots are random, page, greedy"),
        (("simulate", "kings-court", "-n", "1", "--bots", "merlin"), "the bots are random, page, greedy"),
        (("resume",), "`quintain play GAME` begins one"),
        (("replay", "missing.json"), "missing.json cannot be read: No such file or directory"),
    ],
)
def test_bad_input_gives_status_2_and_says_what_would_be_right(
    quintain: Run, home: Path, arguments: tuple[str, ...], right: str
) -> None:
    refused = quintain(*arguments)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith("quintain: ")
    assert right in refused.err
    assert not (home / "data").exists()


@pytest.mark.parametrize(
    ("game", "option", "text"),
    [
        ("heirless", "tables", "tracks = " + "[" * 100_000),
        ("heirless", "tables", f"cards.{'.'.join('a' * 2_000)} = 1"),
        ("robin", "cards", f"[[character]]\nname.{'.'.join('a' * 2_000)} = 1"),
        ("round-table", "cards", "[[knight]]\nname = " + "[" * 100_000),
    ],
)
def test_a_deeply_nested_file_gives_one_message(
    quintain: Run, tmp_path: Path, game: str, option: str, text: str
) -> None:
    (tmp_path / "deep.toml").write_text(text)
    refused = quintain("play", game, "--option", f"{option}={tmp_path / 'deep.toml'}")
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert refused.err.startswith("quintain: ") and len(refused.err) < 500


def test_replay_refuses_a_seat_that_is_not_there(quintain: Run, tmp_path: Path) -> None:
    finished_record(tmp_path / "record.json")
    refused = quintain("replay", tmp_path / "record.json", "--seat", "2")
    assert refused.status == 2
    assert "the seats are 0 to 1" in refused.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("simulate", "kings-court", "-n", "0"),
        ("simulate", "kings-court"),
        ("report", "robin", "--seed", str(2**63)),
        ("deck", "round-table"),
        ("joust",),
        ("play",),
    ],
)
def test_usage_errors_give_status_2(quintain: Run, arguments: tuple[str, ...]) -> None:
    refused = quintain(*arguments)
    assert refused.status == 2
    assert "Usage: quintain" in refused.err


def test_stakes_are_named_at_the_end_and_by_verify(quintain: Run, home: Path) -> None:
    told = "Random gains Miller, which Ann staked. Random keeps "
    played = quintain(
        *("play", "robin", "--against", "random", "--name", "Ann", "--option", "ante=on", "--seed", SEED),
        typed="stake Miller\nresign\nyes\n",
    )
    assert told in " ".join(played.out.split())
    (record,) = (home / "data" / "records").glob("*")
    assert told in " ".join(quintain("verify", record).out.split())


def test_python_runs_the_package_as_the_program_runs(quintain: Run) -> None:
    program = quintain("rules", "chess")
    package = [sys.executable, "-m", "quintain", "rules", "chess"]
    ran = subprocess.run(package, capture_output=True, text=True, check=False)
    assert Result(ran.returncode, ran.stdout, ran.stderr) == program
    assert program.status == 2 and program.err.startswith("quintain: there is no game")


def test_invalid_bytes_and_a_terminal_without_unicode_do_no_harm(home: Path) -> None:
    played = subprocess.run(
        [Path(sys.executable).with_name("quintain"), *PLAY],
        input=b"\xff\xfe\n1\n",
        capture_output=True,
        check=True,
        timeout=60,
        env={**os.environ, "PYTHONIOENCODING": "ascii:strict"},
    )
    assert b"No move of King's Court is written" in played.stdout
    assert b"?? x 7" in played.stdout
    assert moves_in(saves(home)[0]) == ["put -2 on Artois"]


def test_a_command_takes_several_game_files(quintain: Run, tmp_path: Path) -> None:
    for number, folder in enumerate((tmp_path / "a", tmp_path / "b")):
        folder.mkdir()
        write_goofspiel(folder / "game.py")
        text = (folder / "game.py").read_text(encoding="utf-8")
        renamed = text.replace('"goofspiel",', f'"bids-{number}",').replace('"Goofspiel",', f'"Bids {number}",')
        (folder / "game.py").write_text(renamed, encoding="utf-8")
    given = ("--game-file", tmp_path / "a/game.py", "--game-file", tmp_path / "b/game.py")
    listed = quintain("games", *given).out
    assert "bids-0  Bids 0" in listed and "bids-1  Bids 1" in listed
    assert "Bids 1" in quintain("simulate", "bids-1", "-n", 2, "--bots", "random", *given).out


def test_two_game_files_with_games_of_one_id_are_refused(quintain: Run, tmp_path: Path) -> None:
    for name in ("one.py", "two.py"):
        write_goofspiel(tmp_path / name)
    given = ("--game-file", tmp_path / "one.py", "--game-file", tmp_path / "two.py")
    refused = quintain("games", *given)
    assert refused.status == 2
    assert "both define a game goofspiel: give one of them another id" in refused.err


def test_at_the_end_of_a_replay_stand_the_grid_what_turned_the_game_and_the_result(quintain):
    shown = quintain("replay", str(GOLDEN / "kings-court-bots.json"), "--seat", "1").out
    end = shown[shown.rindex("Score ") :]
    assert re.search(r"Total +36 +44 +KC-19", end) and "Influence 4, lost" in end
    assert end.index("Asked only if equal:") > end.index("Total")
    assert re.search(r"84  Turn 13: Player 1 plays De Bourgogne 2 .*\+35", end)
    assert "All 17 turns are over. 8 ahead of Player 1." in end
    assert end.splitlines()[-1] == "Player 2 wins: Player 2 44, Player 1 36."


@pytest.mark.parametrize(
    "command", [("tables", "rebuild"), ("keys", "list"), ("keys", "rotate"), ("mute", "7")], ids=" ".join
)
def test_a_typo_in_the_path_of_a_database_makes_no_other_one(
    quintain: Run, tmp_path: Path, command: tuple[str, str]
) -> None:
    path = tmp_path / "serwer.sqlite"
    refused = quintain(*command, "--database", path)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err == f"quintain: there is no database {path}: name one with --database\n"
    assert not path.exists()
    path.touch()
    refused = quintain(*command, "--database", path)
    assert refused.status == 2 and "is empty, so it is no database: name another one with --database" in refused.err
    assert path.stat().st_size == 0


def test_a_folder_with_files_named_like_pythons_own_breaks_no_process(tmp_path: Path) -> None:
    for name in ("types.py", "random.py", "re.py", "signal.py"):
        (tmp_path / name).write_text("raise ImportError('this is not the module that Python wanted')\n")
    program = Path(sys.executable).with_name("quintain")
    command = [
        program,
        "simulate",
        "kings-court",
        "-n",
        "400",
        "--bots",
        "page,random",
        "--workers",
        "2",
        "--seed",
        "1",
    ]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "not the module" not in ran.stderr and "Games" in ran.stdout
