"""The packages that come with extras, since not everybody needs them, and the error if one of them is missing."""

from __future__ import annotations

import importlib.util

from quintain.engine.errors import QuintainError


def need(*modules: str, extra: str = "lab") -> None:
    """Raise QuintainError, which says how to install them, if one of these modules is missing."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        raise QuintainError(
            f"this needs {' and '.join(missing)}: type pip install 'quintain[{extra}]', or `make lab` in a checkout"
        )
