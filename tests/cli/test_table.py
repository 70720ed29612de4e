"""The table of any game as text."""

import random
import re
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from cli.sitting import SEED, plain
from quintain.cli.table import Tabletop, menu
from quintain.engine.match import Match
from quintain.engine.views import Choice, Piece, View, Zone


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


def table_of(*zones: Zone, counts: dict[str, int] | None = None, menu: tuple[Choice, ...] = ()) -> View:
    return View(zones, menu, "What now?", "battle", (1,), counts or {})


def cards(place: str, *faces: str, seat: int | None = None) -> tuple[Piece, ...]:
    return tuple(Piece(f"{place}.{i}", face, f"{face.replace('-', ' ')}, a card", seat) for i, face in enumerate(faces))


def backs(place: str, count: int) -> tuple[Piece, ...]:
    return tuple(Piece(f"{place}.{i}", None, "a card face down") for i in range(count))


def test_the_head_names_the_phase_who_is_to_act_and_the_counts() -> None:
    head = shown(Tabletop(table_of(counts={"deck": 12, "rounds": 3}), ["Ann", "Bo"])).splitlines()[0]
    assert re.fullmatch(r"Battle · Bo to act +deck 12 · rounds 3 *", head)


def test_backs_are_shown_and_collapsed_to_a_count_when_many() -> None:
    few = Zone("hand.1", "Hand of Bo", 1, "fan", (*cards("hand.1", "rose-1"), *backs("hand.1", 3)), 4)
    many = Zone("deck", "Deck", None, "stack", backs("deck", 1), 20)
    empty = Zone("pile", "Pile", None, "stack", (), 0)
    table = shown(Tabletop(table_of(few, many, empty, counts={"rounds": 20}), ["Ann", "Bo"]))
    assert re.search(r"Hand of Bo +\[rose 1\] ▒▒ ▒▒ ▒▒\s", table)
    assert re.search(r"Deck +▒▒ x 20\s", table)
    assert re.search(r"Pile +none\s", table)
    assert "▒▒ x 20" not in shown(Tabletop(table_of(few, many, empty, counts={"cards in the deck": 20}), ["Ann", "Bo"]))


def test_pieces_of_several_owners_in_one_row_stand_by_owner() -> None:
    played = (*cards("p", "rose-1", seat=0), *cards("q", "lily-2", seat=1), *cards("r", "lily-3", seat=0))
    table = shown(Tabletop(table_of(Zone("played", "Played", None, "row", played, 3)), ["Ann", "Bo"]))
    assert re.search(r"Played: Ann +\[rose 1\] \[lily 3\]", table)
    assert re.search(r"Played: Bo +\[lily 2\]", table)


def test_attached_pieces_make_a_table_with_marks_explained_below() -> None:
    def house(row: int, name: str, counter: Piece, marks: tuple[str, ...] = ()) -> Piece:
        influence = Piece(f"influence.0.{row}", "influence", "3 Influence of Ann", 0, value=3)
        return Piece(f"house.{row}", name.lower(), f"{name}: Ann leads", marks=marks, attached=(influence, counter))

    houses = (
        house(0, "Artois", Piece("counter.1.0", None, "Bo's counter", 1)),
        house(1, "Berry", Piece("counter.1.1", None, "Bo's counter: +2", 1, value=2, marks=("stale",)), ("bound",)),
        house(2, "Clermont", Piece("counter.1.2", None, "no counter", 1, marks=("not put",))),
    )
    table = shown(Tabletop(table_of(Zone("houses", "Houses", None, "row", houses, 3)), ["Ann", "Bo"])).splitlines()
    rows = [line.split() for line in table if line.strip()]
    assert rows[1:7] == [
        ["Influence", "Counter"],
        ["Houses", "Ann", "Bo"],
        ["Artois", "3", "?"],
        ["Berry*", "3", "+2†"],
        ["Clermont", "3", "not", "put"],
        ["*", "bound", "†", "stale"],
    ]


def test_a_pyramid_is_centred_a_track_shows_free_places_and_a_grid_keeps_columns() -> None:
    def at(place: str, *where: tuple[int, int]) -> tuple[Piece, ...]:
        return tuple(Piece(f"{place}.{r}.{i}", "rune-1", "sun", None, (r, i)) for r, i in where)

    def lines(layout: str, pieces: tuple[Piece, ...]) -> list[str]:
        table = shown(Tabletop(table_of(Zone("z", "Zone", None, layout, pieces, len(pieces))), ["Ann", "Bo"]))
        return [line.rstrip() for line in table.splitlines()[3:] if line.strip()]

    pyramid = (*at("p", (0, 0), (1, 0)), Piece("p.1.1", None, "a rune face down", None, (1, 1)))
    assert lines("pyramid", pyramid) == ["   [sun]", "[sun]  ▒▒"]
    assert lines("pyramid", at("g", (0, 0), (2, 0), (2, 2))) == ["      [sun]", "[sun]       [sun]"]
    assert lines("track", at("t", (0, 2), (1, 0))) == ["  ·     ·   [sun]", "[sun]   ·     ·"]
    assert lines("grid", at("g", (0, 0), (0, 2), (1, 1))) == ["[sun]       [sun]", "      [sun]"]


def test_the_own_hand_comes_last_and_its_menu_is_numbered() -> None:
    hand = Zone("hand.0", "Your hand", 0, "fan", cards("hand.0", "rose-1", "lily-2"), 2)
    pile = Zone("pile", "Pile", None, "stack", cards("pile", "lily-3"), 1)
    view = table_of(hand, pile, menu=(Choice(7, "play rose 1", "hand.0.0"), Choice(9, "play lily 2", "hand.0.1")))
    table = shown(Tabletop(view, ["Ann", "Bo"], seat=0, news=["Bo plays lily 3."]), menu(view, short=False))
    assert table.index("Pile") < table.index("─ Your hand ─") < table.index("· Bo plays lily 3.")
    assert re.search(r"│ \[rose 1\] \[lily 2\] +│", table)
    assert re.search(r"1 play rose 1 +2 play lily 2", table)


def test_what_is_there_to_be_read_stands_beside_the_name_of_each_piece_and_of_what_lies_on_it() -> None:
    sword = Piece("unit.1", "sword", "Sword: a blade", text="Weapon, Influence +1")
    knight = Piece("unit.0", "kay", "Kay: rides", marks=("engaged",), attached=(sword,), text="Influence 3")
    table = shown(Tabletop(table_of(Zone("knights.0", "Knights", 0, "row", (knight,), 1)), ["Ann", "Bo"]))
    assert re.search(r"\nKnights *\n\[Kay\] +engaged, Influence 3 *\n  \+ \[Sword\] +Weapon, Influence \+1 *\n", table)
    hand = Zone("hand.0", "Your hand", 0, "fan", (Piece("hand.0.0", "duke", "Duke: a card", text="Title, 3 RP"),), 1)
    table = shown(Tabletop(table_of(hand), ["Ann", "Bo"], seat=0))
    assert re.search(r"Your hand *\n\[Duke\] +Title, 3 RP", table)


def test_numbers_that_lie_on_a_page_stand_after_its_name() -> None:
    levels = tuple(Piece(f"hand.0.0.{n}", f"red-{n}", f"Stage {n} Red {n}", value=n) for n in (3, 5))
    card = Piece("hand.0.0", "john", "John: an Outlaw", attached=levels, text="Outlaw. It has +2.")
    table = shown(Tabletop(table_of(Zone("hand.0", "Your hand", 0, "fan", (card,), 1)), ["Ann", "Bo"], seat=0))
    assert re.search(r"Your hand *\n\[John 3/5\]  Outlaw. It has \+2. *\n", table)
    assert "Stage" not in table


def test_what_lies_on_pieces_of_a_table_and_is_there_to_be_read_stands_below_it() -> None:
    john = Piece("character.0", "john", "John: an Outlaw", 0, text="Outlaw. It has +2.")
    stage = Piece("stage.0", "weapons", "Weapons: John", attached=(john, Piece("level.0", "red-3", "Red 3", 0)))
    table = shown(Tabletop(table_of(Zone("stages", "Stages", None, "row", (stage,), 1)), ["Ann", "Bo"]))
    assert re.search(r"\nWeapons +John +Red 3 *\n\[John\]  Outlaw. It has \+2. *\n", table)


def test_a_low_terminal_cuts_rows_but_no_hands() -> None:
    row = Zone("played", "Played", None, "row", cards("played", *(f"rose-{i}" for i in range(20))), 20)
    hand = Zone("hand.1", "Hand", 1, "fan", cards("hand.1", *(f"lily-{i}" for i in range(20))), 20)
    low = plain(shown(Tabletop(table_of(row, hand), ["Ann", "Bo"]), height=24, terminal=True))
    assert re.search(r"Played +15 before these … \[rose 15\].* \[rose 19\]", low)
    assert "[lily 0]" in low
    high = plain(shown(Tabletop(table_of(row, hand), ["Ann", "Bo"]), height=50, terminal=True))
    assert "[rose 0]" in high


def test_what_is_new_stands_beside_a_board_where_there_is_room() -> None:
    track = Zone("track", "Track", None, "track", cards("track", "rose-1"), 1)
    view = table_of(track)
    assert re.search(r"Track +· Ann waits", shown(Tabletop(view, ["Ann", "Bo"], news=["Ann waits."])))
    assert re.search(r"\n· Ann waits", shown(Tabletop(view, ["Ann", "Bo"], news=["Ann waits."]), width=50))


def test_pieces_of_a_kind_share_a_colour_and_no_color_takes_only_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    view = table_of(Zone("pile", "Pile", None, "row", cards("pile", "rose-1", "lily-2", "rose-3"), 3))
    coloured = shown(Tabletop(view, ["Ann", "Bo"], news=["Bo waits.", "Ann plays rose 1."], old=1), terminal=True)
    by_name = {name: colour for colour, name in re.findall(r"\x1b\[(\d+)m((?:rose|lily) \d)", coloured)}
    assert by_name["rose 1"] == by_name["rose 3"] != by_name["lily 2"]
    assert len(re.findall(rf"\x1b\[{by_name['rose 1']}mrose 1", coloured)) == 2
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


def test_a_table_that_is_too_wide_has_a_line_for_its_title_and_goes_on_below() -> None:
    kinds = ("damage", "precision", "dodge", "defense", "delay", "health", "turn", "points")
    lying = tuple(Piece(f"{kind}.0", kind, f"{kind} {number}", value=number) for number, kind in enumerate(kinds))
    sides = tuple(Piece(f"side.{name}", "seat", name, attached=lying) for name in ("Ann", "Squire 2"))
    zone = Zone("battle", "The battle, at the Wolf Camp", None, "grid", sides, 2)
    lines = [line.rstrip() for line in shown(Tabletop(table_of(zone), ["Ann", "Bo"]), width=60).splitlines()]
    assert "The battle, at the Wolf Camp" in lines
    assert [line.split() for line in lines if line.startswith("Squire 2")] == [
        ["Squire", "2", "0", "1", "2", "3", "4", "5"],
        ["Squire", "2", "6", "7"],
    ]
    assert all(kind.capitalize() in " ".join(lines) for kind in kinds)
    wide = shown(Tabletop(table_of(zone), ["Ann", "Bo"]), width=120)
    assert wide.count("Squire 2") == 1


def test_what_lies_on_the_pieces_of_a_fan_stands_in_its_line() -> None:
    wounds = Piece("wounds.0.0", "wounds", "3 of 8 Wounds, struck by 1 Knight", value=3)
    fan = Zone(
        "fighters", "Knights", None, "fan", (Piece("fighter.0", "seat-1", "Knight 1", 0, attached=(wounds,)),), 1
    )
    assert "Knights  [Knight 1: 3 of 8 Wounds, struck by 1 Knight]" in shown(Tabletop(table_of(fan), ["Ann", "Bo"]))
