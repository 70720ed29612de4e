"""The server's log: one JSON object a line, on the standard error. `start.py` sets it up."""

from __future__ import annotations

import asyncio
import json
import logging
import time

from quintain.server.metrics import LineCounter

PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}
"""The names that every record has; all others were given as `extra`."""


class JsonLines(logging.Formatter):
    """Writes a record with its message and all values given as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line for a record."""
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line = {
            "time": f"{moment}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "event": record.getMessage().strip(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in PLAIN}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


def _is_no_cut(record: logging.LogRecord) -> bool:
    """Tell whether a record is about anything but a request that the server cuts off as it stops."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


def set_up(level: str) -> None:
    """Write the logs of the server to the standard error."""
    uvicorn = logging.getLogger("uvicorn")
    uvicorn.setLevel(max(logging.WARNING, logging.getLevelNamesMapping()[level.upper()]))
    logging.getLogger("uvicorn.error").addFilter(_is_no_cut)
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler, LineCounter()], force=True)
