"""The view of any game as text at the terminal."""

import random
import re
from io import StringIO
from typing import Any

import pytest
from msgspec.structs import replace
from rich.console import Console

from cli.sitting import SEED, plain
from quintain.cli.table import Tabletop, menu
from quintain.engine.play.match import Match
from quintain.engine.rules.views import Count, Label, Phase, Piece, Question, Stat, View, Zone, back, token
from quintain.engine.seen.acts import completed


def shown(*things: Any, width: int = 80, height: int = 50, terminal: bool = False) -> str:
    console = Console(
        width=width,
        height=height,
        file=StringIO(),
        force_terminal=terminal,
        color_system="standard" if terminal else None,
        highlight=False,
        markup=False,
    )
    console.print(*things, sep="\n")
    file = console.file
    assert isinstance(file, StringIO)
    return file.getvalue()


def table_of(
    *zones: Zone, counts: dict[str, int] | None = None, legend: str = "", legal: dict[int, str] | None = None
) -> View:
    numbers = tuple(Count(words.split()[-1], None, number, None, words) for words, number in (counts or {}).items())
    phase = Phase("battle", (Label("muster", "muster"), Label("battle", "battle")), 1)
    labels = tuple(Label(key, key.replace("_", " ")) for key in legend.split())
    view = View(zones, phase, Question("what", "What now?"), counts=numbers, legend=labels)
    return completed(view, legal or {}, (1,))


def cards(place: str, *keys: str, seat: int | None = None) -> tuple[Piece, ...]:
    return tuple(
        Piece(f"{place}.{i}", key, key.replace("-", " "), kind="a card", seat=seat) for i, key in enumerate(keys)
    )


def backs(place: str, count: int) -> tuple[Piece, ...]:
    return tuple(back(f"{place}.{i}") for i in range(count))


def test_the_head_names_the_phase_who_is_to_act_and_the_counts() -> None:
    head = shown(Tabletop(table_of(counts={"deck": 12, "rounds": 3}), ["Ann", "Bo"])).splitlines()[0]
    assert re.fullmatch(r"Battle · Bo to act +deck 12 · rounds 3 *", head)


def test_backs_are_shown_and_collapsed_to_a_count_when_many() -> None:
    few = Zone("hand.1", "hand", 1, "fan", (*cards("hand.1", "rose-1"), *backs("hand.1", 3)), 4, "Hand of Bo")
    many = Zone("deck", "pile", None, "stack", backs("deck", 1), 20, "Deck")
    empty = Zone("pile", "pile", None, "stack", (), 0, "Pile")
    table = shown(Tabletop(table_of(few, many, empty, counts={"rounds": 20}), ["Ann", "Bo"]))
    assert re.search(r"Hand of Bo +\[rose 1\] ▒▒ ▒▒ ▒▒\s", table)
    assert re.search(r"Deck +▒▒ x 20\s", table)
    assert re.search(r"Pile +none\s", table)
    assert "▒▒ x 20" not in shown(Tabletop(table_of(few, many, empty, counts={"cards in the deck": 20}), ["Ann", "Bo"]))


def test_pieces_of_several_owners_in_one_row_stand_by_owner() -> None:
    played = (*cards("p", "rose-1", seat=0), *cards("q", "lily-2", seat=1), *cards("r", "lily-3", seat=0))
    table = shown(Tabletop(table_of(Zone("played", "middle", None, "row", played, 3, "Played")), ["Ann", "Bo"]))
    assert re.search(r"Played: Ann +\[rose 1\] \[lily 3\]", table)
    assert re.search(r"Played: Bo +\[lily 2\]", table)


def test_attached_pieces_make_a_table_with_marks_explained_below() -> None:
    def house(row: int, name: str, counter: Piece, *state: str) -> Piece:
        influence = token(f"influence.0.{row}", Stat("influence", 3, words="Influence"), seat=0)
        return Piece(f"house.{row}", name.lower(), name, state=frozenset(state), on_it=(influence, counter))

    def counter(row: int, *state: str, stats: tuple[Stat, ...] = ()) -> Piece:
        states = frozenset({"token", *state})
        return Piece(f"counter.1.{row}", name="Bo's counter", kind="counter", seat=1, state=states, stats=stats)

    houses = (
        house(0, "Artois", counter(0, "down")),
        house(1, "Berry", counter(1, "stale", stats=(Stat("counter", 2, signed=True),)), "bound"),
        house(2, "Clermont", counter(2, "not_put")),
    )
    view = table_of(Zone("houses", "middle", None, "row", houses, 3, "Houses"), legend="bound stale not_put")
    table = shown(Tabletop(view, ["Ann", "Bo"])).splitlines()
    rows = [line.split() for line in table if line.strip()]
    assert rows[1:7] == [
        ["Influence", "Counter"],
        ["Houses", "Ann", "Bo"],
        ["Artois", "3", "?"],
        ["Berryᵃ", "3", "+2ᵇ"],
        ["Clermont", "3", "ᶜ"],
        ["ᵃ", "bound", "ᵇ", "stale", "ᶜ", "not", "put"],
    ]


def test_a_pyramid_is_centred_a_track_shows_free_places_and_a_grid_keeps_columns() -> None:
    def at(place: str, *where: tuple[int, int]) -> tuple[Piece, ...]:
        return tuple(Piece(f"{place}.{r}.{i}", "rune-1", "sun", at=(r, i)) for r, i in where)

    def lines(layout: str, pieces: tuple[Piece, ...]) -> list[str]:
        table = shown(Tabletop(table_of(Zone("z", "middle", None, layout, pieces, len(pieces), "Zone")), ["Ann", "Bo"]))
        return [line.rstrip() for line in table.splitlines()[4:] if line.strip()]

    pyramid = (*at("p", (0, 0), (1, 0)), back("p.1.1", at=(1, 1)))
    assert lines("pyramid", pyramid) == ["   [sun]", "[sun]  ▒▒"]
    assert lines("pyramid", at("g", (0, 0), (2, 0), (2, 2))) == ["      [sun]", "[sun]       [sun]"]
    assert lines("track", at("t", (0, 2), (1, 0))) == ["  ·     ·   [sun]", "[sun]   ·     ·"]
    assert lines("grid", at("g", (0, 0), (0, 2), (1, 1))) == ["[sun]       [sun]", "      [sun]"]


def test_the_own_hand_comes_last_and_its_menu_is_numbered() -> None:
    held = (Piece("hand.0.0", "rose-1", "rose 1", means=(7,)), Piece("hand.0.1", "lily-2", "lily 2", means=(9,)))
    hand = Zone("hand.0", "hand", 0, "fan", held, 2, "Your hand")
    pile = Zone("pile", "pile", None, "stack", cards("pile", "lily-3"), 1, "Pile")
    view = table_of(hand, pile, legal={7: "play rose 1", 9: "play lily 2"})
    table = shown(Tabletop(view, ["Ann", "Bo"], seat=0, news=["Bo plays lily 3."]), menu(view, short=False))
    assert table.index("Pile") < table.index("─ Your hand ─") < table.index("· Bo plays lily 3.")
    assert re.search(r"│ \[rose 1\] \[lily 2\] +│", table)
    assert re.search(r"1 play rose 1 +2 play lily 2", table)


def test_texts_to_read_stand_beside_the_names_of_pieces_and_of_those_on_them() -> None:
    influence = Stat("influence", 1, words="Influence", signed=True)
    sword = Piece("unit.1", "sword", "Sword", kind="Weapon", stats=(influence,), text="A blade.")
    engaged = frozenset({"engaged"})
    knight = Piece("unit.0", "kay", "Kay", state=engaged, on_it=(sword,), text="He rides.", cost=3)
    view = table_of(Zone("knights.0", "own", 0, "row", (knight,), 1, "Knights"), legend="engaged")
    table = shown(Tabletop(view, ["Ann", "Bo"]))
    assert re.search(r"\nKnights *\n\[Kay\] +cost 3, engaged. He rides. *\n", table)
    assert re.search(r"\n  \+ \[Sword\] +Weapon, Influence \+1. A blade. *\n", table)
    hand = Zone("hand.0", "hand", 0, "fan", (Piece("hand.0.0", "duke", "Duke", text="Title, 3 RP"),), 1, "Your hand")
    table = shown(Tabletop(table_of(hand), ["Ann", "Bo"], seat=0))
    assert re.search(r"Your hand *\n\[Duke\] +Title, 3 RP", table)


def test_numbers_that_lie_on_a_page_stand_after_its_name() -> None:
    levels = tuple(token(f"hand.0.0.{n}", Stat("red", n, words=f"Stage {n}")) for n in (3, 5))
    card = Piece("hand.0.0", "john", "John", on_it=levels, text="Outlaw. It has +2.")
    hand = Zone("hand.0", "hand", 0, "fan", (card,), 1, "Your hand")
    table = shown(Tabletop(table_of(hand), ["Ann", "Bo"], seat=0))
    assert re.search(r"Your hand *\n\[John 3/5\]  Outlaw. It has \+2. *\n", table)
    assert "Stage" not in table


def test_texts_of_pieces_that_lie_on_a_table_of_pieces_stand_below_it() -> None:
    john = Piece("character.0", "john", "John", seat=0, text="Outlaw. It has +2.")
    stage = Piece("stage.0", "weapons", "Weapons", on_it=(john, Piece("level.0", "red-3", "Red 3", seat=0)))
    table = shown(Tabletop(table_of(Zone("stages", "track", None, "row", (stage,), 1, "Stages")), ["Ann", "Bo"]))
    assert re.search(r"\nWeapons +John +Red 3 *\n\[John\]  Outlaw. It has \+2. *\n", table)


def test_a_low_terminal_cuts_rows_but_no_hands() -> None:
    row = Zone("played", "middle", None, "row", cards("played", *(f"rose-{i}" for i in range(20))), 20, "Played")
    hand = Zone("hand.1", "hand", 1, "fan", cards("hand.1", *(f"lily-{i}" for i in range(20))), 20, "Hand")
    low = plain(shown(Tabletop(table_of(row, hand), ["Ann", "Bo"]), height=24, terminal=True))
    assert re.search(r"Played +15 before these … \[rose 15\].* \[rose 19\]", low)
    assert "[lily 0]" in low
    high = plain(shown(Tabletop(table_of(row, hand), ["Ann", "Bo"]), height=50, terminal=True))
    assert "[rose 0]" in high


def test_news_stand_beside_a_board_if_there_is_room() -> None:
    track = Zone("track", "track", None, "track", cards("track", "rose-1"), 1, "Track")
    view = table_of(track)
    assert re.search(r"Track +· Ann waits", shown(Tabletop(view, ["Ann", "Bo"], news=["Ann waits."])))
    assert re.search(r"\n· Ann waits", shown(Tabletop(view, ["Ann", "Bo"], news=["Ann waits."]), width=50))


def test_pieces_of_a_kind_share_a_colour_and_no_color_takes_only_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = [replace(piece, means=(n,)) for n, piece in enumerate(cards("pile", "rose-1", "lily-2", "rose-3"))]
    zone = Zone("pile", "pile", None, "row", tuple(pieces), 3, "Pile")
    view = table_of(zone, legal={1: "lily 2"})
    table = Tabletop(view, ["Ann", "Bo"], 1, news=["Bo waits.", "Ann plays rose 1."], old=1)
    coloured = shown(table, menu(view, short=True), terminal=True)
    by_name = {name: colour for colour, name in re.findall(r"\x1b\[(?:1;)?(\d+)m((?:rose|lily) \d)", coloured)}
    assert by_name["rose 1"] == by_name["rose 3"] != by_name["lily 2"]
    assert len(re.findall(rf"\x1b\[(?:1;)?{by_name['lily 2']}mlily 2", coloured)) == 2, "the card, and the answer"
    assert "\x1b[2mBo waits." in coloured
    assert "\x1b[2mAnn plays" not in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    plain = shown(Tabletop(view, ["Ann", "Bo"]), terminal=True)
    assert not re.search(r"\x1b\[3\dm", plain)
    assert "\x1b[" not in shown(Tabletop(view, ["Ann", "Bo"]))


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40)])
def test_a_game_of_kings_court_fits_the_screen_all_the_way(width: int, height: int) -> None:
    match = Match.new("kings-court", names=["Ann", "Bartholomew"], seed=SEED)
    choose, tallest = random.Random(1), 0
    while match.outcome is None:
        view = match.view(0)
        screen = shown(
            Tabletop(view, match.names, 0), menu(view, short=height < 30), width=width, height=height, terminal=True
        )
        lines = plain(screen).splitlines()
        assert max(map(len, lines)) <= width
        tallest = max(tallest, len(lines))
        seat = min(match.to_act)
        match.play(seat, choose.choice(match.moves(seat)).action)
    assert tallest <= height
    assert tallest > height // 2


def test_a_table_that_is_too_wide_has_its_title_alone_and_goes_on_below() -> None:
    kinds = ("damage", "precision", "dodge", "defense", "delay", "health", "turn", "points")
    lying = tuple(token(f"{kind}.0", Stat(kind, number, words=kind)) for number, kind in enumerate(kinds))
    sides = tuple(Piece(f"side.{name}", "seat", name, on_it=lying) for name in ("Ann", "Squire 2"))
    zone = Zone("battle", "middle", None, "grid", sides, 2, "The battle, at the Wolf Camp")
    lines = [line.rstrip() for line in shown(Tabletop(table_of(zone), ["Ann", "Bo"]), width=60).splitlines()]
    assert "The battle, at the Wolf Camp" in lines
    assert [line.split() for line in lines if line.startswith("Squire 2")] == [
        ["Squire", "2", "0", "1", "2", "3", "4", "5"],
        ["Squire", "2", "6", "7"],
    ]
    assert all(kind.capitalize() in " ".join(lines) for kind in kinds)
    wide = shown(Tabletop(table_of(zone), ["Ann", "Bo"]), width=120)
    assert wide.count("Squire 2") == 1


def test_pieces_that_lie_on_the_pieces_of_a_fan_stand_in_its_line() -> None:
    wounds = token("wounds.0.0", Stat("wounds", 3, words="Wounds"), text="of 8", state=frozenset({"token", "struck"}))
    knight = Piece("fighter.0", "seat-1", "Knight 1", seat=0, on_it=(wounds,))
    view = table_of(Zone("fighters", "middle", None, "fan", (knight,), 1, "Knights"), legend="struck")
    assert "Knights  [Knight 1: Wounds 3 of 8, struck]" in shown(Tabletop(view, ["Ann", "Bo"]))
