"""The benchmark of load counts the processor time of all processes, also of those that have ended."""

import os
import subprocess
import sys
import time

from load import processor_seconds

BURN = "import time\nwhile time.process_time() < 0.4: pass"


def test_the_time_of_processes_that_have_ended_is_counted():
    before = processor_seconds(os.getpid())
    for _ in range(2):
        subprocess.run([sys.executable, "-c", BURN], check=True)
    assert processor_seconds(os.getpid()) - before > 0.7


def test_the_time_of_processes_that_run_is_counted():
    before = processor_seconds(os.getpid())
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        time.sleep(1.0)
        taken = processor_seconds(os.getpid()) - before
        busy.kill()
    assert taken > 0.1
