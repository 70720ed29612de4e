"""Rules: states, the marking, linking and compiling of rules, what a game declares, and the list of all games."""
