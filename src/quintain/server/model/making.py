"""What is agreed when a table is made: who sits there, what can be rated, and the entries with which it begins."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence

from quintain.bots import BY_NET
from quintain.bots.shipped_nets import lack_of_net
from quintain.engine.errors import BadOption
from quintain.engine.play.commitments import commitment as commitment_to
from quintain.engine.rules.game import Game
from quintain.engine.rules.seat_options import with_deck
from quintain.server.clock import now
from quintain.server.model import entries as kinds
from quintain.server.model.entries import Act, Folded, LogEntry, Made, SeatChoice, Sitter
from quintain.server.model.levels import BELOW_SQUIRE, levels, playable
from quintain.server.model.ratings import MOST_SEATS, anchors

ME, OPEN = "me", "open"
"""Who may sit at a seat beside the level of a bot: the player who makes the table, and whoever comes."""
NOTHING: Mapping[int, SeatChoice] = {}
"""What seats have chosen at a table at which nobody has chosen anything."""
FAIR_KINDS = ("number", "switch", "choice")
"""The kinds of options that hold for all seats alike, so that a rated game may have any of their values."""
NO_CLOCK = "none"
"""The clock of a table at which nobody's time runs."""


def new_table(
    found: Game,
    options: dict[str, object],
    clock: str,
    speed: str,
    private: bool,
    seats: list[Sitter],
    seed: str = "",
    rated: bool = False,
    hints: bool = False,
    owned: bool = False,
) -> Made:
    """Return what is agreed at a new table; without a seed it gets one of its own."""
    seed = seed or secrets.token_hex(32)
    committed = commitment_to(bytes.fromhex(seed), found.id, found.version, options, len(seats))
    agreed = found.id, found.version, options, seed, clock, speed, private, seats
    return Made(*agreed, commitment=committed, rated=rated, hints=hints, owned=owned)


def first_entries(
    made: Made, acts: Iterable[Act] = (), id_: str = "", chosen: Mapping[int, SeatChoice] = NOTHING
) -> tuple[Sequence[LogEntry], Folded]:
    """Return the entries with which a new table begins, and the table that follows from them.

    `chosen` is what seats have chosen for themselves already.
    """
    begins = all(sitter != Sitter() and not sitter.commitment for sitter in made.seats)
    begun = [(seat, kinds.CHOSE, kinds.encoded(each)) for seat, each in chosen.items()]
    begun += [(kinds.NO_SEAT, kinds.BEGUN, "")] if begins else []
    acts = [(kinds.NO_SEAT, kinds.MADE, kinds.encoded(made)), *begun, *acts]
    entries = kinds.log_from(id_ or secrets.token_urlsafe(9), acts, now())
    return entries, kinds.fold(entries)


def check_ratable(found: Game, options: Mapping[str, object], wanted: Sequence[str], clock: str) -> None:
    """Raise BadOption for a game that cannot be rated.

    It has many seats, or no clock, so that a loser could hold it up; or a bot that anybody beats, or options that may
    favour a seat. Whoever makes it may choose their own deck, as those will who sit down later.
    """
    if len(wanted) > MOST_SEATS:
        raise BadOption(f"a rated game has at most {MOST_SEATS} seats")
    if clock == NO_CLOCK:
        raise BadOption("a rated game has a clock, so that nobody can hold it up: choose one")
    if weak := [level for level in wanted if level in BELOW_SQUIRE]:
        raise BadOption(f"no bot below Squire plays in a rated game: choose a stronger one than {weak[0].capitalize()}")
    if strange := [level for level in wanted if level in levels() and level not in anchors(found)]:
        raise BadOption(f"nobody knows how strong {levels()[strange[0]]} is: play with it in a game that is not rated")
    by_net = [level for level in wanted if level in levels() and playable(level).kind in BY_NET]
    if by_net and (lack := lack_of_net(found, len(wanted), found.make_book(len(wanted), options))):
        raise BadOption(f"{lack}, so {levels()[by_net[0]]} plays no rated game there")
    usual = found.read_options(len(wanted), {})
    decks = found.collection.decks.option if found.collection and found.collection.decks else None
    for option in found.text.OPTIONS:
        given, same = options.get(option.name), usual.get(option.name)
        if option.name == decks and _differ_only_at(given, same, len(wanted), wanted.index(ME)):
            continue
        if option.kind not in FAIR_KINDS and given != same:
            which = "the decks of the other seats stay" if option.name == decks else f"{option.name} stays"
            raise BadOption(f"in a rated game {which} as usual: play this one for fun")


def _differ_only_at(given: object, usual: object, seats: int, seat: int) -> bool:
    """Tell whether the decks of all other seats are the usual ones."""
    if not isinstance(given, list) or not isinstance(usual, list) or not given:
        return False
    return with_deck(given, seats, seat, "") == with_deck(usual, seats, seat, "")


def sitters(wanted: Sequence[str], number: int, commitment: str = "") -> list[Sitter]:
    """Return who sits at the seats of a new table, from ME, OPEN or the level of a bot for each; raises BadOption.

    `number` and `commitment` are those of the player who makes it.
    """
    if wanted.count(ME) != 1:
        raise BadOption("you take one of the seats yourself")
    for sitter in wanted:
        if sitter not in (ME, OPEN, *levels()):
            raise BadOption(f"there is no bot {sitter!r}; there are {', '.join(levels())}")
    me = Sitter(player=number, commitment=commitment)
    return [me if one == ME else Sitter() if one == OPEN else Sitter(bot=one) for one in wanted]
