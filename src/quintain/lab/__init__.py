"""The lab: plays games between bots in large numbers, and reports on them.

Where to begin: `simulation` plays many games and sums them up, `ladder` and `tournament` compare bots, `balance`
compares decks, and `report` gathers the figures of a game. All of them play their games through `series`: in compiled
code, or move by move (`matches`) if the bots need that. `analysis` judges the moves of one finished match.
"""
