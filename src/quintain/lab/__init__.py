"""The lab: plays games between bots in large numbers, and reports on them.

`playouts` simulates many games, `ladder` compares bots, `balance` compares decks, `report` counts what happens in
games, and `analysis` goes through one finished match. `matches` plays single games for the others.
"""
