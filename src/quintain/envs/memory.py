"""Arrays that other libraries read without copying them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

ALIGNMENT = 64
"""JAX shares the memory of an array only if it begins at a multiple of this number of bytes; NumPy's own need not.
Otherwise JAX copies the array in a thread of its own, which can keep the program from ending."""


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
