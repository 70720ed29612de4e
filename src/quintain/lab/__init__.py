"""The lab: plays games between bots in large numbers, and reports on them.

`playouts` simulates many games, `ladder` compares bots, `balance` compares decks, and `report` counts events and
actions; all four play their games by `matches` where the bots are not compiled. `analysis` judges the moves of one
finished match.
"""
