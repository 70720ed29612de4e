"""OpenSpiel, if it is installed; if not, importing this module says how to install it.

The package imports this module before all others that need the library.
"""

from quintain.lab.extras import need

__all__ = ["CHANCE", "TERMINAL", "register_game"]

try:
    from pyspiel import PlayerId, register_game
except ImportError:
    need("pyspiel", extra="openspiel")
    raise

CHANCE, TERMINAL = int(PlayerId.CHANCE), int(PlayerId.TERMINAL)
