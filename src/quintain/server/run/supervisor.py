"""Serves in several processes, which share one socket and one PostgreSQL database.

Uvicorn's supervisor starts the processes, starts another one in the place of one that dies, and stops all when somebody
stops it. SIGHUP makes it replace them one after another, each when its successor serves.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from multiprocessing import parent_process
from multiprocessing.connection import wait

import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import multiprocess

from quintain.engine.rules.registry import register_files
from quintain.server.http.doors import raise_file_limit
from quintain.server.http.site import Config
from quintain.server.metrics import share_between_processes
from quintain.server.processes import without_ctrl_c
from quintain.server.run import operator_log as logs
from quintain.server.run.app import create_app
from quintain.server.run.serving import Server, serve

HUNG = 60
"""Seconds that a process may take to start, and to answer its supervisor."""
RETRY = 1.0
"""Seconds until a process that could not start, since the database does not answer, makes room for another one."""


def supervise(config: Config, log_level: str, listening: socket.socket) -> None:
    """Serve in `config.processes` processes until a signal stops this one."""
    multiprocess.Process = ServingProcess  # type: ignore[misc]  # the class of the processes that it starts
    with share_between_processes():
        multiprocess.Multiprocess(SupervisorConfig(config, log_level), [listening]).run()


class SupervisorConfig(uvicorn.Config):
    """Uvicorn's settings for the supervisor, and what each process needs to serve."""

    def __init__(self, config: Config, log_level: str):
        super().__init__("", workers=config.processes, log_config=None, timeout_worker_healthcheck=HUNG)
        self.serving, self.least_level = config, log_level


class ServingProcess(multiprocess.Process):
    """One of the processes that serve."""

    config: SupervisorConfig

    def start(self) -> None:
        """Start the process; on Ctrl-C its supervisor stops it.

        Only the process itself keeps its end of the connection, so that its death closes it.
        """
        with without_ctrl_c():
            super().start()
        self.child_conn.close()

    def target(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve in this process; it ends with its supervisor."""
        config = self.config.serving
        logs.set_up(self.config.least_level)
        raise_file_limit()
        register_files(config.game_files)
        self._server = Server(create_app(config), config.bounds.shared_by(config.processes), config.proxies)
        threading.Thread(target=_end_with_supervisor, daemon=True).start()
        threading.Thread(target=self.always_pong, daemon=True).start()
        try:
            serve(self._server, sockets)
        except SystemExit as ended:
            if ended.code == STARTUP_FAILURE:  # uvicorn's supervisor would stop all processes, also those that serve
                time.sleep(RETRY)
                sys.exit(1)
            raise

    def always_pong(self) -> None:
        """Answer the supervisor's questions until it closes the connection."""
        try:
            super().always_pong()
        except (EOFError, OSError):
            return


def _end_with_supervisor() -> None:
    """Stop this process in good order if its supervisor dies."""
    supervisor = parent_process()
    assert supervisor
    wait([supervisor.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)
