"""The workshop in a browser: people's own sets of cards, and the bots that try sets and decks."""
