"""The arrays of batches: those that compiled code works on, and those that other libraries read without copying."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np
import numpy.typing as npt

from quintain.bots.playout import STATES, Workspace
from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.envs.stepping import NOBODY, PlaceArrays, Settings

ALIGNMENT = 64
"""JAX shares the memory of an array only if it begins at a multiple of this number of bytes; NumPy's own need not.
Otherwise JAX copies the array in a thread of its own, which can keep the program from ending."""

MOST_MEMORY = 0.9
"""The share of the machine's memory that a batch may take."""


def check(games: int, size: int) -> None:
    """Raise BadOption if the machine has no memory for this number of games, each of this size in bytes."""
    needed = games * size
    there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else needed
    if needed > MOST_MEMORY * there:
        has = f"this machine has {there / 2**30:.0f}"
        raise BadOption(f"{games:,} games need {needed / 2**30:.0f} GiB, and {has}: take fewer games")


def zeros(shape: tuple[int, ...], kind: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an array of zeros that JAX, torch and others can share."""
    size = math.prod(shape) * np.dtype(kind).itemsize
    memory = np.zeros(size + ALIGNMENT, np.uint8)
    first = -memory.ctypes.data % ALIGNMENT
    return memory[first : first + size].view(kind).reshape(shape)


def copied(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a copy of an array that JAX, torch and others can share."""
    copy = zeros(array.shape, array.dtype)
    copy[...] = array
    return copy


def workspace(game: Game) -> Workspace:
    """Return the memory of one thread, in NumPy's arrays as those of all places are."""
    seats, kind = game.seats[1], game.state.dtype()
    return Workspace(
        pool=np.zeros(STATES, kind),
        blank=np.zeros(1, kind),
        mask=np.zeros(game.actions, np.int8),
        trial_mask=np.zeros(game.actions, np.int8),
        totals=np.zeros(game.actions, np.float64),
        scores=np.zeros(seats, np.int64),
        ranks=np.zeros(seats, np.int64),
        values=np.zeros(seats, np.float64),
        words=np.zeros((seats, 4), np.int64),
    )


def places(game: Game, games: int, seats: int, settings: Settings) -> PlaceArrays:
    """Return the arrays of this number of games, in which nobody is asked yet."""
    slots = seats if settings.together else 1
    return PlaceArrays(
        states=np.zeros(games, game.state.dtype()),
        seeds=np.zeros(games, np.int64),
        games=np.zeros(games, np.int64),
        chance=np.zeros((games, 4), np.int64),
        opponent=np.zeros(games, np.int64),
        to_act=np.zeros(games, np.int64),
        seat=np.full(games, NOBODY, np.int64),
        observer=np.full((games, slots), max(settings.learner, 0), np.int64),
        mask=np.zeros((games, slots, game.actions), np.int8),
        choices=np.zeros((games, slots), np.int64),
        reward=np.zeros((games, seats), np.float32),
        done=np.zeros(games, np.bool_),
        returns=np.zeros((games, seats), np.float32),
        scores=np.zeros((games, seats), np.int64),
    )
