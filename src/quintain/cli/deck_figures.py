"""What `quintain deck` says of a deck beside its cards: laws, costs, a first hand, and which cards it would miss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.table import Table
from rich.text import Text

from quintain.cli.arguments import new_console, new_progress, open_pool
from quintain.cli.output import print_lines
from quintain.engine.errors import BadOption
from quintain.engine.rules.deck_figures import chance_of, first_hand, split_of
from quintain.engine.rules.decks import DeckList, Law, OpeningHand
from quintain.engine.rules.game import Game


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


class Playing(NamedTuple):
    """The games for each card of a deck: how many, between which bots, by which seed, and how many at a time."""

    games: int
    bot: str
    seed: int
    workers: int | None


def print_missed(game: Game, deck: str, own: str, playing: Playing, as_json: bool) -> None:
    """Let bots play, and print what a deck loses without each card, the least missed first; raises BadOption."""
    from quintain.lab.missed import missed_cards

    with new_progress() as progress, open_pool(None, playing.workers) as pool:
        task = progress.add_task("games", total=None)
        found = [
            *missed_cards(
                game, deck, playing.games, playing.seed, pool, playing.bot, own, lambda n: progress.advance(task, n)
            )
        ]
    found.sort(key=lambda one: one.lost)
    if as_json:
        print_lines(found)
        return
    table = _table("", "Card", "Lost, in points", "95 % interval")
    for one in found:
        interval = f"{100 * one.low:.2f} to {100 * one.high:.2f}"
        table.add_row(*map(Text, (str(one.copies), one.name, f"{100 * one.lost:.2f}", interval)))
    new_console().print(table)
    words = f"For each card {playing.games:,} games between bots of the level {playing.bot}, seed {playing.seed}."
    new_console().print(Text(words), soft_wrap=True)


def _table(*titles: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in titles:
        table.add_column(title)
    return table
