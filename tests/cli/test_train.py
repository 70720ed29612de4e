"""`quintain train` writes a net, goes on after a kill to the same net, and says what is wrong."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jax")
pytest.importorskip("optax")

from cli.sitting import Run
from quintain.bots import net_files
from quintain.engine.rules.registry import game
from quintain.envs.learning.training import Recipe, Training

COMMAND = (
    *("train", "kings-court", "-n", "6", "--games", "16", "--steps", "8", "--every", "1", "--seed", "1"),
    *("--against", "none"),
)
ONE_THREAD = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"


def test_a_trained_net_plays_a_tournament(quintain: Run, tmp_path: Path) -> None:
    ran = quintain(*COMMAND, "--out", tmp_path / "court.safetensors")
    assert ran.status == 0, ran.err
    *_, last = ran.out.splitlines()
    assert last.startswith("round 6 of 6, ") and "of wins against random moves" in last
    assert [path.name for path in tmp_path.glob("court*")] == ["court.safetensors"]
    bots = f"net:{tmp_path / 'court.safetensors'},random"
    assert "court.safetensors" in quintain("tournament", "kings-court", "-n", "2", "--bots", bots, "--seed", "1").out


@pytest.mark.long
def test_a_training_that_was_killed_goes_on_to_the_same_net(quintain: Run, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole.safetensors", tmp_path / "killed.safetensors"
    run = (sys.executable, "-c", "from quintain.cli import main; main()", *COMMAND[:3], "12", *COMMAND[4:], "--out")
    environment = {**os.environ, "XLA_FLAGS": ONE_THREAD}
    assert subprocess.run((*run, whole), env=environment, capture_output=True, check=False).returncode == 0
    checkpoint = tmp_path / "killed.safetensors.checkpoint"
    with subprocess.Popen((*run, killed), env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stdout.readline().startswith("round 1 of 12")
        process.send_signal(signal.SIGKILL)
    assert checkpoint.exists() and not killed.exists()
    went_on = subprocess.run((*run, killed), env=environment, capture_output=True, text=True, check=False)
    assert went_on.returncode == 0, went_on.stderr
    assert not went_on.stdout.startswith("round 1 of")
    one, two = (net_files.read(path) for path in (whole, killed))
    assert one.layers == two.layers and one.metadata["curve"] == two.metadata["curve"]


def test_entropy_and_past_selves_belong_to_the_recipe_and_change_the_net(quintain: Run, tmp_path: Path) -> None:
    more = {"usual": (), "curious": ("--entropy", "0.5"), "steady": ("--past", "1", "--against-past", "2")}
    for name, given in more.items():
        assert quintain(*COMMAND[:3], "3", *COMMAND[4:], *given, "--out", tmp_path / f"{name}.safetensors").status == 0
    usual, curious, steady = (net_files.read(tmp_path / f"{name}.safetensors") for name in more)
    kept = [json.loads(each.metadata["recipe"]) for each in (usual, curious, steady)]
    assert [(each["entropy"], each["past"], each["against_past"]) for each in kept] == [
        (0.01, 10, 5),
        (0.5, 10, 5),
        (0.01, 1, 2),
    ]
    assert usual.layers != curious.layers and usual.layers != steady.layers
    assert "0.5 at first, 0 in the end" in quintain("net", tmp_path / "curious.safetensors").out
    for wrong in ("-1", "nan", "inf", "much"):
        ran = quintain(*COMMAND, "--entropy", wrong, "--out", tmp_path / "court.safetensors")
        assert ran.status == 2 and "entropy" in ran.err, wrong


def test_a_damaged_checkpoint_and_one_of_other_settings_are_refused(quintain: Run, tmp_path: Path) -> None:
    file = tmp_path / "court.safetensors.checkpoint"
    file.write_bytes(b"nothing")
    ran = quintain(*COMMAND, "--out", tmp_path / "court.safetensors")
    assert ran.status == 2 and f"{file} cannot be read: 'it does not begin as one'" in ran.err
    Training.new(game("kings-court"), Recipe(rounds=9, games=16, steps=8, measured=1, seed=1)).save(file)
    ran = quintain(*COMMAND, "--out", tmp_path / "court.safetensors")
    assert ran.status == 2 and "is of a training with rounds 9; this one has 6: go on with the same" in ran.err
    assert not (tmp_path / "court.safetensors").exists()


def test_a_folder_that_is_not_there_is_named(quintain: Run, tmp_path: Path) -> None:
    ran = quintain(*COMMAND, "--out", tmp_path / "nowhere" / "court.safetensors")
    assert ran.status == 2 and f"there is no folder {tmp_path / 'nowhere'}" in ran.err


def test_json_holds_the_learning_curve(quintain: Run, tmp_path: Path) -> None:
    ran = quintain(*COMMAND, "--out", tmp_path / "court.safetensors", "--json")
    made = json.loads(ran.out)
    assert (made["game"], made["seed"], made["rounds"]) == ("kings-court", 1, 6)
    assert [point["round"] for point in made["curve"]] == [1, 2, 3, 4, 5, 6]


def test_seats_that_are_no_numbers_are_named(quintain: Run, tmp_path: Path) -> None:
    ran = quintain("train", "heirless", "--seats", "2,three", "--out", tmp_path / "a.safetensors")
    assert ran.status == 2 and "'three' is no number of seats: write numbers with commas between" in ran.err
    ran = quintain("train", "heirless", "--seats", "2,9", "--out", tmp_path / "a.safetensors")
    assert ran.status == 2 and "is not played with 9 seats, but with 2 to 6" in ran.err


def test_a_net_learns_from_a_dataset_first(quintain: Run, tmp_path: Path) -> None:
    lessons, out = tmp_path / "lessons", tmp_path / "court.safetensors"
    made = quintain("dataset", "kings-court", "-n", "2", "--bots", "greedy,random", "--out", lessons, "--seed", "1")
    assert made.status == 0, made.err
    ran = quintain(*COMMAND, "--out", out, "--imitate", lessons, "--epochs", "2")
    assert ran.status == 0, ran.err
    first, second, *_ = ran.out.splitlines()
    assert first.startswith("lesson 1 of 2: in ") and second.startswith("lesson 2 of 2: in ")
    assert json.loads(net_files.read(out).metadata["recipe"])["imitated"] == "2 times 2 games of greedy,random, seed 1"
    ran = quintain(*COMMAND, "--out", out, "--imitate", tmp_path / "nowhere")
    assert ran.status == 2 and f"{tmp_path / 'nowhere'} holds no dataset: `quintain dataset` makes one" in ran.err


def test_a_net_that_could_not_be_written_is_refused_before_the_training(quintain: Run, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("precious")
    for out, words in (
        (tmp_path, f"{tmp_path} is a folder: name a file for the net"),
        ("", ". is a folder: name a file for the net"),
        (notes, f"the net would overwrite {notes}: name another file, or remove it"),
        ("/proc/court.safetensors", "the net /proc/court.safetensors cannot be written"),
    ):
        ran = quintain(*COMMAND, "--out", out)
        assert (ran.status, ran.out) == (2, "") and words in ran.err
    assert notes.read_text() == "precious" and not [*tmp_path.glob("*.part"), *tmp_path.glob("*.checkpoint")]


def test_a_training_stops_when_another_one_writes_its_checkpoint(tmp_path: Path) -> None:
    from quintain.cli.train import run_training
    from quintain.engine.errors import BadRecord

    recipe, file = Recipe(rounds=3, games=4, steps=4, hidden=(8,), measured=1), tmp_path / "court.checkpoint"
    one, other = (Training.new(game("kings-court"), dataclasses.replace(recipe, seed=seed)) for seed in (1, 2))
    advance = one.advance

    def advance_beside_another() -> None:
        advance()
        if one.done == 2:
            other.save(file)

    one.advance = advance_beside_another  # type: ignore[method-assign]
    with pytest.raises(BadRecord, match="another training has written or removed"):
        run_training(one, file, tmp_path / "court", as_json=True)
    assert Training.seed_of(file) == 2 and list(tmp_path.glob("court*")) == [file]


def test_a_round_that_does_not_fit_into_memory_is_refused(quintain: Run, tmp_path: Path) -> None:
    for steps in ("10000000000", "1000000000000000000"):
        ran = quintain(*COMMAND[:2], "--steps", steps, "--games", "4", "--against", "none", "--out", tmp_path / "a")
        assert ran.status == 2 and f"a round of {steps} steps in 4 games does not fit into memory" in ran.err
