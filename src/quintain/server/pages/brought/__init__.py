"""The pages of what players bring to a table: their decks, and the cards that they own."""
