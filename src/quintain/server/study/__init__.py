"""Study: what people do to play better, such as solving puzzles."""
