"""The engine: how states, rules, games and matches are made. A game imports nothing else of Quintain."""
