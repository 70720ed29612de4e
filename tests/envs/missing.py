"""What importing an environment says where its library is not installed."""

import subprocess
import sys


def said_without(library: str, module: str) -> str:
    """Return what a program prints that imports a module as if a library were not installed."""
    program = f"import sys; sys.modules[{library!r}] = None; import {module}"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    return ran.stderr.splitlines()[-1]
