"""What trials by bots show, on the pages of sets and decks: the verdict, the growing lines, and the figures."""
