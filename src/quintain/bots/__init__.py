"""Bots: anything that chooses an action from a blinded state, its book and a budget."""
