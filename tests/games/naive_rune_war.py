"""A second, naive count of Rune War's points with names and lists, written from the rulebook, to compare with."""

from collections.abc import Sequence

COURTS = ("Page", "Knight", "Queen", "King")
EACH = (10, 20, 30, 40)


def numbers(side: Sequence[str]) -> list[tuple[int, str]]:
    """Return the number and the suit of each number card."""
    found = []
    for name in side:
        rank, _, suit = name.partition(" of ")
        if rank == "Ace" or rank.isdigit():
            found.append((1 if rank == "Ace" else int(rank), suit))
    return found


def runs(courts: list[str]) -> list[int]:
    """Return the lengths of the runs of one suit's courts, the longest first."""
    left, lengths = list(courts), []
    while left:
        best: list[str] = []
        for start in range(4):
            for end in range(start + 1, 5):
                run = list(COURTS[start:end])
                if all(court in left for court in run) and len(run) > len(best):
                    best = run
        for court in best:
            left.remove(court)
        lengths.append(len(best))
    return lengths


def points(side: Sequence[str], rune: str = "", other: str = "", pair: Sequence[str] = ()) -> int:
    """Return the points of a side with its own rune, the other side's, and a pair of suits for The Lovers."""
    if "The Fool" in (rune, other):
        rune = other = ""
    one = {
        suit: (pair[0] if rune == "The Lovers" and suit in pair else suit)
        for suit in ("Cups", "Pentacles", "Swords", "Wands")
    }
    values = sorted((number for number, _ in numbers(side)), reverse=True)
    suits = {one[suit] for _, suit in numbers(side)}
    if other == "Justice" and values:
        values[0] = 0
        values.sort(reverse=True)
    if rune == "The Magician" and values:
        values[0] *= 2
    total = sum(values)
    if "Temperance" not in (rune, other):
        for suit in set(one.values()):
            held = [
                name.split(" of ")[0]
                for name in side
                if name.split(" of ")[0] in COURTS and one[name.split(" of ")[1]] == suit
            ]
            if suit in suits or rune == "The Emperor":
                total += sum(sum(EACH[:length]) for length in runs(held))
    total += 8 if rune == "Strength" else 0
    total += 4 * len(suits) if rune == "The World" else 0
    return total


def attacker_wins(ours: int, theirs: int, hanged: bool) -> bool:
    """Return whether the attacker wins."""
    if ours == theirs:
        return False
    lower, higher = sorted((ours, theirs))
    winning = lower if hanged and not higher >= 2 * lower else higher
    return ours == winning
