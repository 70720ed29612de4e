"""Environments for learning: the games through the interfaces that researchers already use.

`batch` steps many games at once in compiled code. The other modules are thin layers over it: `pettingzoo` for several
agents, `gymnasium` for one seat against bots, `vector` for many such games, and `openspiel`, which plays the rules
interpreted.
"""

from quintain.lab.extras import need

need("numpy", extra="compiler")
