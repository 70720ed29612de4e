"""Tables: each is the fold of its log; those in memory, and what players, bots and clocks do there."""
