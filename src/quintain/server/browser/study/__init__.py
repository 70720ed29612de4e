"""What helps people to play better, in a browser: analyses, puzzles and statistics."""
