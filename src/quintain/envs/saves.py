"""Saves of a batch: a line of JSON that says for which batch they are, then the arrays from which all else follows."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from quintain.engine.errors import BadRecord, quoted

if TYPE_CHECKING:
    import numpy.typing as npt

KEPT = (
    "states",
    "seeds",
    "games",
    "chance",
    "to_act",
    "seat",
    "observer",
    "reward",
    "done",
    "returns",
    "scores",
)
"""Those of `PlaceArrays` from which the others follow."""


def packed(made_for: Mapping[str, object], arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """Return arrays as a save for batches of this description, which is JSON data."""
    file = io.BytesIO()
    held: dict[str, Any] = dict(arrays)
    np.savez(file, **held)
    body = file.getvalue()
    head = json.dumps({**made_for, "digest": hashlib.sha256(body).hexdigest()})
    return head.encode() + b"\n" + body


def unpacked(
    saved: object, made_for: Mapping[str, object], wanted: Mapping[str, npt.NDArray[Any]]
) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a save, which have the types and shapes of those that are wanted.

    Raises BadRecord if the save is damaged, or made for a batch of another description.
    """
    if not isinstance(saved, bytes):
        raise BadRecord(f"a save of a batch is bytes, not {quoted(saved)}")
    head, _, body = saved.partition(b"\n")
    try:
        described = json.loads(head)
        digest = described.pop("digest")
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        raise BadRecord("this is not a save of a batch: it does not begin with a description in JSON") from None
    if digest != hashlib.sha256(body).hexdigest():
        raise BadRecord("the save of the batch is damaged: its digest does not fit")
    for name, value in made_for.items():
        if described.get(name) != value:
            there = quoted(described.get(name))
            raise BadRecord(f"the save is of a batch with {name} {there}; this batch has {quoted(value)}")
    try:
        with np.load(io.BytesIO(body), allow_pickle=False) as file:
            held = {name: file[name] for name in wanted}
    except (ValueError, KeyError, OSError, EOFError) as error:
        raise BadRecord(f"the save of the batch does not hold its arrays: {error}") from None
    for name, array in held.items():
        right = wanted[name]
        if array.dtype != right.dtype or array.shape != right.shape:
            shape = f"{right.dtype}, {right.shape}"
            raise BadRecord(f"the array {name} in the save must be {shape}, not {array.dtype}, {array.shape}")
    return held
