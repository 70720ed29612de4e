"""`quintain train`: trains a net for a game by self-play, with checkpoints from which it goes on after a kill."""

from __future__ import annotations

import tempfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from rich.console import Console
from rich.text import Text

from quintain.cli import completion, files
from quintain.cli.arguments import BatchSeed, GameFile, GameId, Options, find, new_console, read_seed
from quintain.cli.output import AsJson, print_document
from quintain.engine.errors import BadOption, BadRecord

if TYPE_CHECKING:
    from quintain.envs.learning.training import Point, Training

ENDING = ".checkpoint"
"""What is added to the name of a net's file for its checkpoint."""


Out = typer.Option(
    metavar="FILE.safetensors", help="Write the net here; if training is stopped, the same command goes on."
)
Rounds = Annotated[
    int, typer.Option("-n", "--rounds", metavar="N", min=1, help="How many rounds of games and learning.")
]
Games = Annotated[int, typer.Option(metavar="N", min=1, help="How many games are played at a time.")]
Steps = Annotated[int, typer.Option(metavar="N", min=1, help="How many actions each game takes in a round.")]
Every = Annotated[
    int, typer.Option("--every", metavar="N", min=1, help="Measure the net, and keep a checkpoint, each N rounds.")
]
Entropy = Annotated[
    float,
    typer.Option(metavar="X", min=0.0, help="How strongly it is held to try all actions; falls to 0."),
]
Past = Annotated[int, typer.Option(metavar="N", min=1, help="Each N rounds it joins its past selves.")]
AgainstPast = Annotated[int, typer.Option(metavar="N", min=1, help="It plays one of N games against a past self.")]
Numbers = Annotated[
    str | None,
    typer.Option("--seats", metavar="N,N", help="With how many players it learns; the usual number if not given."),
]
Against = Annotated[
    str, typer.Option(metavar="BOT", help="Measure it against this bot, or 'none'.", autocompletion=completion.bots)
]

Imitate = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="First learn from a dataset, which `quintain dataset` makes.")
]
Epochs = Annotated[int, typer.Option(metavar="N", min=1, help="How often it goes through the dataset.")]


class NetLesson(NamedTuple):
    """A dataset that a net learns from before it plays, and how often it goes through it."""

    folder: Path
    epochs: int

    @property
    def words(self) -> str:
        """What the recipe of the net says of it; raises BadOption if there is no dataset."""
        from quintain.envs.learning.imitation import words_of

        return f"{self.epochs} times {words_of(self.folder)}"


def train_net(
    game_id: GameId,
    out: Annotated[Path, Out],
    rounds: Rounds = 200,
    games: Games = 512,
    steps: Steps = 64,
    measured: Every = 10,
    seats: Numbers = None,
    against: Against = "squire",
    imitate: Imitate = None,
    epochs: Epochs = 4,
    entropy: Entropy = 0.01,
    past: Past = 10,
    against_past: AgainstPast = 5,
    option: Options = None,
    seed: BatchSeed = None,
    as_json: AsJson = False,
    game_file: GameFile = None,
) -> None:
    """Train a net for a game by self-play; `--bot net:FILE.safetensors` then plays it.

    It needs the extra `quintain[train]`. The net is measured against random moves and against its own past.
    """
    from quintain.envs.learning.training import Recipe, Training

    found, checkpoint = find(game_id, game_file), checkpoint_of(out)
    seed, lesson = read_seed_of(seed, checkpoint), None if imitate is None else NetLesson(imitate, epochs)
    rival, imitated = "" if against == "none" else against, lesson.words if lesson else ""
    recipe = Recipe(rounds, games, steps, measured=measured, against=rival, imitated=imitated, seed=seed)
    recipe = replace(recipe, entropy=entropy, past=past, against_past=against_past)
    training = Training.new(found, recipe, _numbers(seats), files.read_options(found, option or []))
    run_training(training, checkpoint, out, as_json, lesson)
    if as_json:
        print_document(_summary(training))


def _summary(training: Training) -> dict[str, object]:
    """Return what a training came to, as JSON shows it."""
    curve = [asdict(each) for each in training.curve]
    return {"game": training.game.id, "seed": training.recipe.seed, "rounds": training.done, "curve": curve}


def _numbers(seats: str | None) -> list[int]:
    """Return the numbers of seats in a text such as ``2,3``; raises BadOption."""
    words = [each.strip() for each in seats.split(",")] if seats is not None else []
    if wrong := [each for each in words if not (each.isascii() and each.isdigit())]:
        raise BadOption(f"{wrong[0]!r} is no number of seats: write numbers with commas between, such as 2,3")
    return [int(each) for each in words]


def checkpoint_of(out: Path) -> Path:
    """Return the file of the checkpoints of a net; raises BadOption if the net could not be written in the end.

    A file that holds no net is not overwritten.
    """
    from quintain.bots import net_files

    if not out.name or out.is_dir():
        raise BadOption(f"{out} is a folder: name a file for the net, such as court.safetensors")
    if not out.parent.is_dir():
        raise BadOption(f"there is no folder {out.parent} for the net: make it first, or name another one")
    try:
        if out.exists():
            net_files.read(out)
        with tempfile.TemporaryFile(dir=out.parent):
            pass
    except BadOption as error:
        raise BadOption(f"the net would overwrite {out}: name another file, or remove it ({error})") from error
    except OSError as error:
        raise BadOption(f"the net {out} cannot be written: {error.strerror or error}; name another file") from error
    return out.with_name(out.name + ENDING)


def read_seed_of(seed: int | None, checkpoint: Path | None) -> int:
    """Return the seed that was given, that of a checkpoint, or a new one; raises BadRecord for a damaged checkpoint."""
    from quintain.envs.learning.training import Training

    if seed is None and checkpoint is not None and checkpoint.exists():
        return Training.seed_of(checkpoint)
    return read_seed(seed, None)


def run_training(
    training: Training, checkpoint: Path | None, out: Path | None, as_json: bool, lesson: NetLesson | None = None
) -> None:
    """Do the rounds that are left after those of a checkpoint, and write the net; say at each measurement how it is.

    Without a checkpoint, the net first learns its lesson if there is one. Raises BadRecord for a checkpoint that is
    damaged or of another training, also of one that runs at the same time.
    """
    from quintain.bots import net_files

    console = new_console(stderr=as_json)
    if checkpoint is not None and checkpoint.exists():
        training.resume(checkpoint)
    elif lesson is not None:
        _learn(training, lesson, checkpoint, console)
    known = _state_of(checkpoint)
    while not training.is_done:
        training.advance()
        if training.curve and training.curve[-1].round == training.done:
            if checkpoint is not None:
                _check_alone(checkpoint, known)
                training.save(checkpoint)
                known = _state_of(checkpoint)
            console.print(Text(_line(training, training.curve[-1])), soft_wrap=True)
    if out is not None:
        net_files.write(out, training.net())
    if checkpoint is not None:
        checkpoint.unlink(missing_ok=True)


def _learn(training: Training, lesson: NetLesson, checkpoint: Path | None, console: Console) -> None:
    """Let a net learn from a dataset, and keep what it has learned."""
    from quintain.envs.learning.imitation import imitate

    def tell(epoch: int, share: float) -> None:
        words = f"lesson {epoch} of {lesson.epochs}: in {share:.0%} of decisions it chose what the bots found best"
        console.print(Text(words), soft_wrap=True)

    imitate(training, lesson.folder, lesson.epochs, tell)
    if checkpoint is not None:
        training.save(checkpoint)


def _state_of(checkpoint: Path | None) -> tuple[int, int] | None:
    """Return what tells a checkpoint from every other one that takes its place; None if there is none."""
    try:
        about = checkpoint.stat() if checkpoint is not None else None
    except FileNotFoundError:
        return None
    return None if about is None else (about.st_ino, about.st_mtime_ns)


def _check_alone(checkpoint: Path, known: tuple[int, int] | None) -> None:
    """Raise BadRecord if another training has written or removed the checkpoint since this one knew it."""
    if _state_of(checkpoint) != known:
        raise BadRecord(
            f"another training has written or removed {checkpoint} meanwhile: this one stops and leaves it as it is; "
            "train with one command at a time, or give each another --out"
        )


def _line(training: Training, point: Point) -> str:
    """Return in words how far a training is, and how its net fares."""
    past = "" if point.past is None else f", {point.past:.0%} against its first self"
    rival = "" if point.level is None else f", {point.level:.0%} against {training.recipe.against}"
    return (
        f"round {point.round} of {training.recipe.rounds}, {training.seconds:.0f} s: "
        f"{point.random:.0%} of wins against random moves{past}{rival}"
    )
