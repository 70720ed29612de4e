"""What `quintain deck` says of a deck beside its cards: its laws, the curve of its costs, and a first hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rich.table import Table
from rich.text import Text

from quintain.cli.arguments import new_console
from quintain.cli.output import print_lines
from quintain.engine.errors import BadOption
from quintain.engine.rules.deck_figures import chance_of, first_hand, split_of
from quintain.engine.rules.decks import DeckList, Law, OpeningHand


def print_laws(laws: Sequence[Law], costs: Mapping[int, Counter[str]], as_json: bool) -> None:
    """Print the laws of decks, each with whether a deck keeps it, and how many cards it has at each cost."""
    if as_json:
        print_lines([{"laws": laws, "is_valid": all(law.is_kept for law in laws), "costs": costs}])
        return
    table = _table("", "Law", "", "", "")
    for law in laws:
        number = str(law.number) if law.counted else ""
        table.add_row(*map(Text, ("✓" if law.is_kept else "✗", law.words, number, law.clause, law.fault)))
    new_console().print(table)
    curve = _table("Cost", "Cards", "")
    for cost, kinds in costs.items():
        words = ", ".join(f"{kind} {number}" for kind, number in kinds.items())
        curve.add_row(Text(str(cost)), Text(str(kinds.total())), Text(words))
    new_console().print()
    new_console().print(curve)


def print_hand(hand: OpeningHand, deck: DeckList, chosen: int, seed: int, as_json: bool) -> None:
    """Print a first hand, and the chance of each card of a deck to be in one; raises BadOption."""
    if not hand.least <= chosen <= hand.most:
        raise BadOption(f"a first hand has {hand.least} to {hand.most} cards of {hand.chosen}, not {chosen}")
    drawn, (first, others) = first_hand(hand, deck, seed, chosen), split_of(hand, deck, chosen)
    chances = {
        name: chance_of(hand, deck, [name], chosen)
        for section in (hand.rest, hand.chosen)
        for name in deck.get(section, {})
    }
    if as_json:
        print_lines([{"hand": drawn, "seed": seed, "chances": chances}])
        return
    console = new_console()
    console.print(Text(f"A first hand, {hand.chosen} {first} and {hand.rest} {others}: {', '.join(drawn)}"))
    console.print()
    table = _table("At least one of", "in a first hand")
    for name, chance in sorted(chances.items(), key=lambda item: (-item[1], item[0])):
        table.add_row(Text(name), Text(f"{chance:.0%}", justify="right"))
    console.print(table)


def _table(*titles: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in titles:
        table.add_column(title)
    return table
