"""The place Cards of a browser alone: what it answers there, and how it keeps decks and sets."""
