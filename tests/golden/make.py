"""Make a game's golden records anew, after its rules version was raised on purpose.

python tests/golden/make.py kings-court
"""

import json
import random
import sys
from pathlib import Path

import quintain
from quintain.bots import Budget, level

HERE = Path(__file__).parent


def between_bots(game: quintain.Game, seed: int) -> quintain.Match:
    """Play a match of greedy bots."""
    seats = game.check_seats(None)
    match = quintain.Match.new(game, seats, seed=bytes([seed]) * 32, bots=["greedy"] * seats)
    players = [level("greedy").kind(game, seat) for seat in range(seats)]
    while match.to_act:
        seat = min(match.to_act)
        match.play(seat, players[seat].choose(match.seen(seat), Budget()))
    return match


def at_random(game: quintain.Game, seats: int, seed: int, resign_after: int | None) -> quintain.Match:
    """Play a match at random, taking some moves back; one seat may resign on the way."""
    chooser = random.Random(seed)
    match = quintain.Match.new(game, seats, seed=bytes([seed]) * 32)
    while match.to_act:
        seat = chooser.choice(sorted(match.to_act))
        match.play(seat, chooser.choice(match.moves(seat)).text)
        if match.can_undo(seat) and chooser.random() < 0.2:
            match.undo(seat)
        if len(match.moves_made) == resign_after:
            match.resign(seat)
    return match


def main() -> None:
    """Write the records of one game."""
    game = quintain.game(sys.argv[1])
    least, most, _ = game.seats
    matches = {
        "bots": between_bots(game, 1),
        "random": at_random(game, least, 2, None),
        "resigned": at_random(game, most, 3, 40),
    }
    for name, match in matches.items():
        text = json.dumps(match.record(), indent=1, sort_keys=True, ensure_ascii=False)
        path = HERE / f"{game.id}-{name}.json"
        path.write_text(text + "\n", encoding="utf-8")
        print(f"{path.name}: {len(match.moves_made)} moves")


if __name__ == "__main__":
    main()
