"""Sets of cards as people change them: forms of cards, drafts with their faults, and differences in words.

It knows no game: everything comes from the vocabulary of a game's collection.
"""
