"""A view of any game as text: hands, boards and menus, laid out for the width and height of the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich import box
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from quintain.engine.game import Line, Piece, View, Zone

PALETTE = ("cyan", "yellow", "magenta", "green", "red", "bright_blue")
BACK = "▒▒"
MOST_BACKS = 3
WIDE, TALL = 110, 34
"""From these columns on boards and lines of cards stand side by side; from these rows on nothing is shortened."""
SHORT_ROW = 2
LINES = ("fan", "row", "stack")


@dataclass(frozen=True)
class Flow:
    """Short texts side by side, broken into lines between them; with `most`, only the last so many lines."""

    texts: Sequence[Text]
    most: int | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines: list[list[Text]] = [[]]
        for text in self.texts:
            if lines[-1] and sum(t.cell_len + 1 for t in lines[-1]) + text.cell_len > options.max_width:
                lines.append([])
            lines[-1].append(text)
        if self.most and len(lines) > self.most:
            left_out = sum(map(len, lines[: -self.most]))
            yield Text(f"… {left_out} before these", style="dim")
            lines = lines[-self.most :]
        for line in lines:
            yield Text(" ").join(line)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widths = [text.cell_len for text in self.texts] or [0]
        most = options.max_width
        return Measurement(min(max(widths), most), min(sum(widths) + len(widths) - 1, most))


@dataclass(frozen=True)
class Tabletop:
    """All the zones of a view; the hand of the seat that looks on comes last, framed."""

    view: View
    names: Sequence[str]
    seat: int | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        most = SHORT_ROW if console.is_terminal and console.height < TALL else None
        own = [zone for zone in self.view.zones if self._is_own_hand(zone)]
        others = [zone for zone in self.view.zones if not self._is_own_hand(zone)]
        yield self._head()
        if options.max_width >= WIDE:
            boards = [self._board(zone) for zone in others if not _is_line(zone)]
            lines = self._lines([zone for zone in others if _is_line(zone)], None)
            sides = Table.grid(padding=(0, 4, 0, 0))
            sides.add_row(Group(*boards), lines)
            yield sides if boards else lines
        else:
            for in_line, zones in groupby(others, _is_line):
                yield from [self._lines(list(zones), most)] if in_line else map(self._board, zones)
        for zone in own:
            yield Panel(Flow(self._pieces(zone)), title=Text(zone.title), title_align="left", border_style="bold")

    def _is_own_hand(self, zone: Zone) -> bool:
        return self.seat is not None and zone.seat == self.seat and zone.layout == "fan"

    def _head(self) -> RenderableType:
        to_act = " and ".join(self.names[seat] for seat in self.view.to_act)
        head = Table.grid(expand=True, padding=(0, 1))
        head.add_column(ratio=1)
        head.add_column(justify="right")
        phase = Text(" · ".join(filter(None, (self.view.phase, to_act and f"{to_act} to act"))), style="bold")
        counts = Text(" · ".join(f"{name} {count}" for name, count in self.view.counts.items()), style="dim")
        head.add_row(phase, counts)
        return head

    def _lines(self, zones: Iterable[Zone], most: int | None) -> Table:
        lines = Table.grid(padding=(0, 2, 0, 0))
        for zone in zones:
            owners = sorted({piece.seat for piece in zone.pieces if piece.seat is not None})
            if zone.seat is None and len(owners) > 1:
                for owner in owners:
                    pieces = [piece for piece in zone.pieces if piece.seat == owner]
                    title = f"{zone.title}: {self.names[owner]}"
                    lines.add_row(Text(title, style="bold"), Flow(self._line(pieces, 0), most))
            else:
                unseen = zone.size - len(zone.pieces)
                title = f"{zone.title} ({zone.size})" if zone.layout == "stack" else zone.title
                lines.add_row(Text(title, style="bold"), Flow(self._line(zone.pieces, unseen), most))
        return lines

    def _pieces(self, zone: Zone) -> list[Text]:
        return self._line(zone.pieces, zone.size - len(zone.pieces))

    def _line(self, pieces: Iterable[Piece], unseen: int) -> list[Text]:
        """Return face-up cards one by one, then the backs of all others, `unseen` ones included."""
        lit = {choice.piece for choice in self.view.menu}
        pieces = list(pieces)
        up = [card(piece, self._colour(piece), piece.id in lit) for piece in pieces if _is_shown(piece)]
        down = unseen + sum(not _is_shown(piece) for piece in pieces)
        backs = [BACK] * down if down <= MOST_BACKS else [f"{BACK} ×{down}"]
        return up + [Text(back, style="dim") for back in backs] or [Text("–", style="dim")]

    def _board(self, zone: Zone) -> RenderableType:
        if any(piece.attached for piece in zone.pieces):
            return self._ledger(zone)
        return Group(Text(zone.title, style="bold"), self._grid(zone))

    def _ledger(self, zone: Zone) -> RenderableType:
        """A row for each piece, a column for each kind of piece that lies on it and its owner."""
        slots = list(dict.fromkeys(_slot(lying) for piece in zone.pieces for lying in piece.attached))
        ledger = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        ledger.add_column(Text(zone.title), no_wrap=True)
        for kind, seat in slots:
            owner = "" if seat is None else f"\n{self.names[seat]}"
            ledger.add_column(Text(f"{kind.capitalize()}{owner}"), justify="right")
        for piece in zone.pieces:
            cells = [
                Text(", ").join(_cell(lying) for lying in piece.attached if _slot(lying) == slot) for slot in slots
            ]
            ledger.add_row(card(piece, self._colour(piece), False, framed=False), *cells)
        return ledger

    def _grid(self, zone: Zone) -> RenderableType:
        """Every piece at its row and place; a pyramid's rows are centred, a track's free places shown."""
        rows: dict[int, dict[int, Text]] = {}
        for number, piece in enumerate(zone.pieces):
            row, place = piece.at or (0, number)
            shown = card(piece, self._colour(piece), False) if _is_shown(piece) else Text(BACK, style="dim")
            here = rows.setdefault(row, {})
            here[place] = Text(" ").join([here[place], shown]) if place in here else shown
        places = range(max((place for row in rows.values() for place in row), default=-1) + 1)
        width = max((text.cell_len for row in rows.values() for text in row.values()), default=0)
        free = Text("·" if zone.layout == "track" else "", style="dim")
        centred = zone.layout == "pyramid"
        lines = []
        for row in sorted(rows):
            line = Table.grid(padding=(0, 1, 0, 0))
            taken = [place for place in places if place in rows[row]] if centred else places
            for _ in taken:
                line.add_column(width=width, justify="center" if centred else "left")
            line.add_row(*(rows[row].get(place, free) for place in taken))
            lines.append(line)
        if not centred:
            return Group(*lines)
        pyramid = Table.grid()
        pyramid.add_column(justify="center")
        for line in lines:
            pyramid.add_row(line)
        return pyramid

    def _colour(self, piece: Piece) -> str:
        return colours(self.view).get(_kind(piece), "")


def colours(view: View) -> dict[str, str]:
    """Return a colour for each kind of piece (the part of its face before the hyphen), in order of appearance."""
    kinds = dict.fromkeys(_kind(piece) for zone in view.zones for piece in zone.pieces if piece.face)
    return {kind: PALETTE[number % len(PALETTE)] for number, kind in enumerate(kinds)}


def card(piece: Piece, colour: str, lit: bool, framed: bool = True) -> Text:
    """Return a piece in words, with its value and its marks; a lit one stands out."""
    value = "" if piece.value is None or str(piece.value) in piece.words else f" {piece.value}"
    text = Text(f"{piece.words}{value}", style=f"bold {colour}" if lit or not framed else colour)
    if piece.marks:
        text = Text.assemble(text, (f" ({', '.join(piece.marks)})", "dim"))
    return Text.assemble(("[", "dim"), text, ("]", "dim")) if framed else text


def menu(view: View) -> RenderableType:
    """Return the numbered answers to the question that the viewer is asked, in columns."""
    colour_of = colours(view)
    kinds = {piece.id: _kind(piece) for zone in view.zones for piece in zone.pieces}
    width = len(str(len(view.menu)))
    answers = [
        Text.assemble(
            (f"{number:>{width}}", "bold"), " ", (choice.words, colour_of.get(kinds.get(choice.piece or "", ""), ""))
        )
        for number, choice in enumerate(view.menu, 1)
    ]
    return Columns(answers, equal=True, column_first=True, padding=(0, 3))


def account(lines: Sequence[Line], names: Sequence[str]) -> Table:
    """Return an account as a table: words, a number for each seat, the clause."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("")
    for name in names:
        table.add_column(Text(name), justify="right")
    table.add_column("", style="dim")
    for line in lines:
        table.add_row(
            Text(line.words), *(str(number) for number in line.by_seat or [""] * len(names)), Text(line.clause)
        )
    return table


def _is_line(zone: Zone) -> bool:
    return zone.layout in LINES and not any(piece.attached for piece in zone.pieces)


def _is_shown(piece: Piece) -> bool:
    """Tell whether a piece stands by itself: it is face up, or something about it is known."""
    return piece.face is not None or piece.value is not None or bool(piece.marks)


def _kind(piece: Piece) -> str:
    return (piece.face or "").partition("-")[0]


def _slot(lying: Piece) -> tuple[str, int | None]:
    return lying.id.partition(".")[0], lying.seat


def _cell(lying: Piece) -> Text:
    value = str(lying.value) if lying.value is not None else "?" if lying.face is None else lying.words
    return Text.assemble(value, *((f" {mark}", "dim") for mark in lying.marks))
