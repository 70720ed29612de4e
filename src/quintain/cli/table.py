"""A view of any game as text: boards, lines of cards, menus, laid out for the width and height of the terminal.

A piece is called by its words up to the first comma or colon: the rest is for those who cannot see the table. What
is there to be read on it stands beside its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from msgspec.structs import replace
from rich.align import Align
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.panel import Panel
from rich.table import Column, Table
from rich.text import Text

from quintain.engine.views import Line, Piece, View, Zone

PALETTE = ("cyan", "yellow", "magenta", "green", "red", "bright_blue", "dark_orange", "bright_green")
FOOTNOTES = "*†‡§¶"
BACK = "▒▒"
MOST_BACKS = 3
TALL = 34
"""A terminal of fewer rows gets long lines of cards cut short, and the own hand without a frame."""
LEAST_BESIDE = 45
"""What is new stands beside a board where so many columns are left."""
BETWEEN = 4
UNBOUND = 10_000
"""Columns in which any table has room."""


class Paint:
    """The colours of a view: one for each kind of piece, wherever pieces of that kind or their names stand."""

    def __init__(self, view: View):
        shown = [piece for zone in view.zones for piece in zone.pieces if piece.face]
        kinds = dict.fromkeys(map(_kind, shown))
        self.by_kind = {kind: PALETTE[number % len(PALETTE)] for number, kind in enumerate(kinds)}
        self.by_name = {_name(piece): self.colour(piece) for piece in shown if _name(piece)[:1].isalpha()}

    def colour(self, piece: Piece) -> str:
        """Return the colour of a piece, empty if it has none."""
        return self.by_kind.get(_kind(piece), "")

    def words(self, words: str) -> Text:
        """Return words in which the names of pieces have their colours."""
        text = Text(words)
        for name in sorted(self.by_name, key=len):
            text.highlight_regex(rf"(?<!\w){re.escape(name)}(?!\w)", self.by_name[name])
        return text


class Tabletop:
    """All the zones of a view, and what is new (the first `old` lines are not).

    The hand of the seat that looks on comes last and stands out.
    """

    def __init__(
        self, view: View, names: Sequence[str], seat: int | None = None, news: Sequence[str] = (), old: int = 0
    ):
        self.view, self.names, self.seat = view, names, seat
        self.paint = Paint(view)
        self.news = [(self.paint.words(words), "dim" if number < old else "") for number, words in enumerate(news)]
        self.lit = {choice.piece for choice in view.menu}
        self.footnotes: dict[str, str] = {}

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        short = is_short(console)
        zones = [zone for zone in self.view.zones if not self._is_own_hand(zone) and not self._is_counted(zone)]
        news_to_show = bool(self.news)
        yield self._head(options.max_width)
        if not short:
            yield ""
        for in_line, group in groupby(zones, _is_line):
            if in_line:
                yield self._lines(group, short)
                continue
            boards = Group(*[self._board(zone) for zone in group])
            width = Measurement.get(console, options, boards).maximum
            if news_to_show and width + LEAST_BESIDE <= options.max_width:
                sides = Table.grid(Column(width=width), Column(), padding=(0, BETWEEN, 0, 0))
                sides.add_row(boards, self._news_in_lines())
                yield sides
                news_to_show = False
            else:
                yield boards
            if not short:
                yield ""
        for zone in filter(self._is_own_hand, self.view.zones):
            yield self._own_hand(zone, short)
        if self.footnotes:
            yield Flow([Text(f"{sign} {mark}  ", style="dim") for mark, sign in self.footnotes.items()])
        if news_to_show:
            yield self._news_in_a_row() if short else self._news_in_lines()

    def _news_in_lines(self) -> Table:
        lines = Table.grid(padding=(0, 1, 0, 0))
        for words, style in self.news:
            lines.add_row("·", words, style=style)
        return lines

    def _news_in_a_row(self) -> Flow:
        return Flow([Text.assemble("· ", words, style=style) for words, style in self.news])

    def _is_own_hand(self, zone: Zone) -> bool:
        return self.seat is not None and zone.seat == self.seat and zone.layout == "fan"

    def _is_counted(self, zone: Zone) -> bool:
        """Tell whether a zone is a face-down stack, and the head tells its size."""
        told = [count for name, count in self.view.counts.items() if zone.title.casefold() in name.casefold()]
        return zone.layout == "stack" and told == [zone.size] and not any(map(_is_known, zone.pieces))

    def _head(self, width: int) -> RenderableType:
        """What is going on, and the counts beside it or, where there is no room, below."""
        to_act = ", ".join(self.names[seat] for seat in self.view.to_act)
        phase = self.view.phase[:1].upper() + self.view.phase[1:]
        phase = " · ".join(filter(None, (phase, to_act and f"{to_act} to act")))
        counts = " · ".join(f"{name} {count}" for name, count in self.view.counts.items())
        told = Text(phase, style="bold"), Text(counts, style="dim")
        if sum(text.cell_len for text in told) + BETWEEN > width:
            return Group(*told)
        head = Table.grid(expand=True, padding=(0, 2, 0, 0))
        head.add_column(ratio=1)
        head.add_column(justify="right")
        head.add_row(*told)
        return head

    def _own_hand(self, zone: Zone, short: bool) -> RenderableType:
        if _is_read(zone):
            return self._pages(zone)
        cards = self._cards(zone.pieces, zone.size)
        if short:
            return Flow([Text(f" {zone.title} ", style="bold reverse"), *cards])
        return Panel(Flow(cards), title=Text(zone.title, style="bold"), title_align="left")

    def _lines(self, zones: Iterable[Zone], short: bool) -> Table:
        """A line for each zone; one for each owner, where the pieces of nobody's zone have owners."""
        lines = Table.grid(padding=(0, 2, 0, 0))
        for zone in zones:
            owners = {piece.seat for piece in zone.pieces if piece.seat is not None}
            if zone.seat is None and len(owners) > 1:
                for owner in sorted(owners):
                    pieces = [piece for piece in zone.pieces if piece.seat == owner]
                    title = Text(f"{zone.title}: {self.names[owner]}", style="bold")
                    lines.add_row(title, Flow(self._cards(pieces, len(pieces)), short))
            else:
                title = Text(zone.title, style="bold")
                cards = self._cards(zone.pieces, zone.size)
                lines.add_row(title, Flow(cards, short and zone.layout == "row"))
        return lines

    def _cards(self, pieces: Sequence[Piece], size: int) -> list[Text]:
        """Return the face-up pieces one by one, then the backs of the others, up to the size of their zone."""
        face_up = [self._card(piece) for piece in pieces if _is_known(piece)]
        down = size - len(face_up)
        backs = [BACK] * down if down <= MOST_BACKS else [f"{BACK} x {down}"]
        return face_up + [Text(back, style="dim") for back in backs] or [Text("none", style="dim")]

    def _card(self, piece: Piece) -> Text:
        lit = "bold " if piece.id in self.lit else ""
        name = _name(piece)
        if piece.value is not None and piece.number not in name:
            name += f" {piece.number}"
        lying = ": " + "; ".join(lying.words for lying in piece.attached) if piece.attached else ""
        shown = (name, lit + self.paint.colour(piece))
        return Text.assemble(("[", "dim"), shown, self._signs(piece), lying, ("]", "dim"))

    def _signs(self, piece: Piece) -> Text:
        """Return the signs of the piece's marks; the footnotes say what they stand for."""
        for mark in piece.marks:
            times, sign = divmod(len(self.footnotes), len(FOOTNOTES))
            self.footnotes.setdefault(mark, FOOTNOTES[sign] * (times + 1))
        return Text("".join(self.footnotes[mark] for mark in piece.marks))

    def _pages(self, zone: Zone) -> RenderableType:
        style = "bold reverse" if self._is_own_hand(zone) else "bold"
        return Group(Text(zone.title, style=style), self._texts(zone.pieces))

    def _texts(self, pieces: Sequence[Piece]) -> Table:
        """A line for each piece that is there to be read, and for each that lies on one."""
        lines = Table.grid(padding=(0, 2, 0, 0))
        for piece in pieces:
            lines.add_row(*self._page(piece))
            for lying in piece.attached:
                if not _is_number(lying):
                    name, text = self._page(lying)
                    lines.add_row(Text.assemble("  + ", name), text)
        return lines

    def _page(self, piece: Piece) -> tuple[Text, Text]:
        """The name with the numbers that lie on the piece, such as ``[Kay 3/5]``; and what is to be read."""
        numbers = "/".join(lying.number for lying in piece.attached if _is_number(lying))
        called = f"{_name(piece)} {numbers}" if numbers else piece.words
        name = self._card(replace(piece, words=called, marks=(), attached=()))
        return name, Text(", ".join((*piece.marks, piece.text)))

    def _board(self, zone: Zone) -> RenderableType:
        if _is_read(zone):
            return self._pages(zone)
        if any(piece.attached for piece in zone.pieces):
            read = [lying for piece in zone.pieces for lying in piece.attached if lying.text]
            return Group(self._ledger(zone), self._texts(read)) if read else self._ledger(zone)
        return Group(Text(zone.title, style="bold"), self._grid(zone))

    def _ledger(self, zone: Zone) -> Ledger:
        """A row for each piece; a column for each kind of piece that lies on them, and its owner."""
        slots = list(dict.fromkeys(_slot(lying) for piece in zone.pieces for lying in piece.attached))
        names = [
            Text.assemble((_name(piece), f"bold {self.paint.colour(piece)}"), self._signs(piece))
            for piece in zone.pieces
        ]
        columns = []
        for kind, seat in slots:
            head = Text(f"{kind.capitalize()}\n{'' if seat is None else self.names[seat]}")
            cells = [
                Text(" ").join(self._cell(lying) for lying in piece.attached if _slot(lying) == (kind, seat))
                for piece in zone.pieces
            ]
            columns.append((head, cells))
        return Ledger(zone.title, names, columns)

    def _cell(self, lying: Piece) -> Text:
        if lying.value is not None:
            return Text(lying.number).append_text(self._signs(lying))
        if lying.face is None:
            return Text(", ".join(lying.marks) or "?", style="dim")
        return Text(_name(lying), style=self.paint.colour(lying)).append_text(self._signs(lying))

    def _grid(self, zone: Zone) -> RenderableType:
        """Every piece at its row and place; the rows of a pyramid are centred, free places of a track shown."""
        rows: dict[int, dict[int, Text]] = {}
        for number, piece in enumerate(zone.pieces):
            row, place = piece.at or (0, number)
            here = rows.setdefault(row, {})
            shown = self._card(piece) if _is_known(piece) else Text(BACK, style="dim")
            here[place] = _joined([here[place], shown]) if place in here else shown
        width = max((text.cell_len for row in rows.values() for text in row.values()), default=0)
        longest = max((place for row in rows.values() for place in row), default=-1) + 1
        lines = Table.grid()
        free = "·" if zone.layout == "track" else ""
        for row, taken in sorted(rows.items()):
            places = range(row + 1 if zone.layout == "pyramid" else longest)
            line = Table.grid(*(Column(width=width, justify="center") for _ in places), padding=(0, 1, 0, 0))
            line.add_row(*(taken.get(place, free) for place in places))
            lines.add_row(Align(line, "center") if zone.layout == "pyramid" else line)
        return lines


class Ledger:
    """A table with a title over the names of its rows; too wide a one has a line for its title, and goes on below."""

    def __init__(self, title: str, names: Sequence[Text], columns: Sequence[tuple[Text, Sequence[Text]]]):
        self.title, self.names, self.columns = title, names, columns

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        whole = self._table(f"\n{self.title}", self.columns)
        if self._width(console, options, whole) <= options.max_width:
            yield whole
            return
        yield Text(self.title, style="bold")
        first = 0
        while first < len(self.columns):
            last = len(self.columns)
            while last > first + 1 and not self._fits(console, options, self.columns[first:last]):
                last -= 1
            yield self._table("", self.columns[first:last])
            first = last

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        width = self._width(console, options, self._table(f"\n{self.title}", self.columns))
        return Measurement(min(width, options.max_width), min(width, options.max_width))

    def _fits(self, console: Console, options: ConsoleOptions, columns: Sequence[tuple[Text, Sequence[Text]]]) -> bool:
        return self._width(console, options, self._table("", columns)) <= options.max_width

    def _width(self, console: Console, options: ConsoleOptions, table: Table) -> int:
        """Return how wide a table would be if there were room for all of it."""
        return Measurement.get(console, options.update(width=UNBOUND), table).maximum

    def _table(self, title: str, columns: Sequence[tuple[Text, Sequence[Text]]]) -> Table:
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
        table.add_column(Text(title))
        for head, _ in columns:
            table.add_column(head, justify="right")
        for number, name in enumerate(self.names):
            table.add_row(name, *(cells[number] for _, cells in columns))
        return table


class Flow:
    """Short texts side by side, broken into lines only between them; or cut to the last ones that fit into one."""

    def __init__(self, texts: Sequence[Text], cut: bool = False):
        self.texts, self.cut = texts, cut

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.cut:
            yield self._last(options.max_width)
            return
        lines: list[list[Text]] = [[]]
        for text in self.texts:
            if lines[-1] and _width([*lines[-1], text]) > options.max_width:
                lines.append([])
            lines[-1].append(text)
        yield from map(_joined, lines)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        longest = max(text.cell_len for text in self.texts)
        return Measurement(min(longest, options.max_width), min(_width(self.texts), options.max_width))

    def _last(self, width: int) -> Text:
        line = self.texts
        for left_out in range(1, len(self.texts)):
            if _width(line) <= width:
                break
            line = [Text(f"{left_out} before these …", style="dim"), *self.texts[left_out:]]
        return _joined(line)


def is_short(console: Console) -> bool:
    """Tell whether lines must be saved."""
    return console.is_terminal and console.height < TALL


def menu(view: View, short: bool) -> RenderableType:
    """Return the numbered answers to the question that the viewer is asked: in columns, or in few lines."""
    paint = Paint(view)
    width = len(str(len(view.menu)))
    answers = [
        Text.assemble((f"{number:>{width}}", "bold"), " ", paint.words(choice.words))
        for number, choice in enumerate(view.menu, 1)
    ]
    if short:
        return Flow([Text.assemble(answer, "  ") for answer in answers])
    return Columns(answers, equal=True, column_first=True, padding=(0, 3))


def account(lines: Sequence[Line], names: Sequence[str]) -> Table:
    """Return an account as a table: words, a number for each seat, the clause."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("How it came about")
    for name in names:
        table.add_column(Text(name), justify="right")
    table.add_column("Rule", style="dim")
    for line in lines:
        table.add_row(Text(line.words), *(str(number) for number in line.by_seat or [""] * len(names)), line.clause)
    return table


def _kind(piece: Piece) -> str:
    return (piece.face or "").partition("-")[0]


def _name(piece: Piece) -> str:
    return re.split("[,:] ", piece.words)[0]


def _slot(lying: Piece) -> tuple[str, int | None]:
    return lying.id.partition(".")[0], lying.seat


def _is_line(zone: Zone) -> bool:
    """Tell whether a zone stands in a line: a row on whose pieces others lie is shown as a table, texts as pages."""
    if _is_read(zone):
        return False
    return zone.layout in ("fan", "stack") or (zone.layout == "row" and not any(p.attached for p in zone.pieces))


def _is_read(zone: Zone) -> bool:
    return any(piece.text for piece in zone.pieces)


def _is_number(lying: Piece) -> bool:
    """Tell whether a piece that lies on a page is a number on it."""
    return lying.value is not None and not lying.text


def _is_known(piece: Piece) -> bool:
    """Tell whether more can be said of a piece than that it is there."""
    return piece.face is not None or piece.value is not None or bool(piece.marks)


def _joined(texts: Iterable[Text]) -> Text:
    return Text(" ").join(texts)


def _width(texts: Sequence[Text]) -> int:
    return sum(text.cell_len for text in texts) + len(texts) - 1
