"""Small games, solved exactly: all positions, best responses to any policy, and how exploitable a bot is.

`positions` walks through a game, `policies` reckons with policies over all its information sets, and `sampled` asks
bots for theirs. `walk` and `sweeps` hold the compiled loops.
"""
