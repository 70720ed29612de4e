"""Pages for those who want to play better: puzzles, and lists of moves with their chances."""
