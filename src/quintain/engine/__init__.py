"""The engine: everything that is the same in every game. A game imports nothing else of Quintain.

Read it in this order: `state` declares states and books, `compiled` runs rules in two ways, `contract` says what a game
writes, `game` puts a game together, `match` plays it, and `seen` and `views` say what each viewer is shown.
"""
