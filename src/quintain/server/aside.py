"""Runs long work in a thread, so that the event loop serves others meanwhile."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")


async def aside(do: Callable[Given, Result], *given: Given.args, **more: Given.kwargs) -> Result:
    """Return what a function returns. In a browser, which has no threads, everything else waits for it."""
    if sys.platform == "emscripten":
        await asyncio.sleep(0)  # what has waited so far comes first
        return do(*given, **more)
    return await asyncio.to_thread(do, *given, **more)
