"""Paints the view of any game as text: boards, lines of cards and menus, for the width and height of the terminal.

It paints what `engine.layout` returns, as the server's templates do for the browser. Pieces with texts to read get a
line of their own, with the text beside the name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich.align import Align
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.panel import Panel
from rich.table import Column, Table
from rich.text import Text

from quintain.engine.rules.views import Act, Count, Line, Piece, View, Zone
from quintain.engine.seen.layout import LaidZone, Spot, lay_out

PALETTE = ("cyan", "yellow", "magenta", "green", "red", "bright_blue", "dark_orange", "bright_green")
BACK = "▒▒"
MOST_BACKS = 3
TALL = 34
"""On a terminal with fewer rows, long lines of cards are cut and the player's hand has no frame."""
TONES = {"good": "green", "even": "yellow", "bad": "red", "open": "dim"}
"""The colours of previews."""
LEAST_BESIDE = 45
"""The news stand beside a board if at least this number of columns is free there, else below."""
BETWEEN = 4
UNBOUND = 10_000
"""More columns than any table needs."""


class Paint:
    """The colours of a view: each kind of picture has its own."""

    def __init__(self, view: View):
        kinds = dict.fromkeys(_picture(piece) for zone in view.zones for piece in zone.pieces if piece.key)
        self.by_kind = {kind: PALETTE[number % len(PALETTE)] for number, kind in enumerate(kinds)}

    def colour(self, piece: Piece | None) -> str:
        """Return the colour of a piece; empty if it has none."""
        return self.by_kind.get(_picture(piece), "") if piece else ""


class Tabletop:
    """All zones of a view, and lines of the log, of which the first `old` are not new.

    The viewer's own hand comes last, in a frame.
    """

    def __init__(
        self, view: View, names: Sequence[str], seat: int | None = None, news: Sequence[str] = (), old: int = 0
    ):
        self.view, self.names, self.seat = view, names, seat
        self.paint, self.layout = Paint(view), lay_out(view, seat)
        self.news = [(Text(words), "dim" if number < old else "") for number, words in enumerate(news)]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        short = is_short(console)
        zones = [laid for laid in self.layout.zones if not self._is_own_hand(laid) and not self._is_counted(laid.zone)]
        news_to_show = bool(self.news)
        yield self._head(options.max_width)
        if not short or any(count.seat is not None for count in self.view.counts):
            yield Flow(self._plates())
        if not short:
            yield ""
        for in_line, group in groupby(zones, _is_line):
            if in_line:
                yield self._lines(group, short)
                continue
            boards = Group(*[self._board(laid) for laid in group])
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
        for laid in filter(self._is_own_hand, self.layout.zones):
            yield self._own_hand(laid, short)
        if self.layout.footnotes:
            yield Flow([Text(f"{note.sign} {note.words}  ", style="dim") for note in self.layout.footnotes])
        if news_to_show:
            yield self._news_in_a_row() if short else self._news_in_lines()

    def _news_in_lines(self) -> Table:
        lines = Table.grid(padding=(0, 1, 0, 0))
        for words, style in self.news:
            lines.add_row("·", words, style=style)
        return lines

    def _news_in_a_row(self) -> Flow:
        return Flow([Text.assemble("· ", words, style=style) for words, style in self.news])

    def _is_own_hand(self, laid: LaidZone) -> bool:
        return self.seat is not None and laid.zone.seat == self.seat and laid.zone.layout == "fan"

    def _is_counted(self, zone: Zone) -> bool:
        """Tell whether a zone is a face-down stack whose size the head shows, so that it need not be painted."""
        key = zone.id.partition(".")[0]
        shown = [count.number for count in self.view.counts if (count.key, count.seat) == (key, zone.seat)]
        return zone.layout == "stack" and shown == [zone.size] and not any(map(_is_known, zone.pieces))

    def _head(self, width: int) -> RenderableType:
        """Return a line with the phase and who is to act; the counts stand beside it, or below if it is too long."""
        to_act = ", ".join(self.names[seat] for seat in self.view.to_act)
        step = self.view.phase.words
        phase = " · ".join(
            filter(None, (step[:1].upper() + step[1:], self.view.phase.note, to_act and f"{to_act} to act"))
        )
        counts = " · ".join(_counted(count) for count in self.view.counts if count.seat is None)
        parts = Text(phase, style="bold"), Text(counts, style="dim")
        if sum(text.cell_len for text in parts) + BETWEEN > width:
            return Group(*parts)
        head = Table.grid(expand=True, padding=(0, 2, 0, 0))
        head.add_column(ratio=1)
        head.add_column(justify="right")
        head.add_row(*parts)
        return head

    def _plates(self) -> list[Text]:
        """Return a line for each seat: its counts and its score, with ``?`` if hidden things can change the score."""
        plates = []
        for score in self.view.scores:
            counts = [count for count in self.view.counts if count.seat == score.seat]
            head = f"{self.names[score.seat]} {score.number}{'' if score.certain else '?'} {score.unit}"
            plates.append(Text(" · ".join([head, *map(_counted, counts)]) + "   ", style="dim"))
        return plates

    def _own_hand(self, laid: LaidZone, short: bool) -> RenderableType:
        if laid.has_texts:
            return self._zone_of_texts(laid)
        cards = self._cards(laid.spots, laid.zone.size)
        if short:
            return Flow([Text(f" {laid.zone.words} ", style="bold reverse"), *cards])
        return Panel(Flow(cards), title=Text(laid.zone.words, style="bold"), title_align="left")

    def _lines(self, zones: Iterable[LaidZone], short: bool) -> Table:
        """Return a line for each zone; a zone that is nobody's has a line for each owner of its pieces."""
        lines = Table.grid(padding=(0, 2, 0, 0))
        for laid in zones:
            for row in laid.rows:
                owner = "" if row.owner is None else f": {self.names[row.owner]}"
                size = laid.zone.size if row.owner is None else len(row.spots)
                cards = self._cards([spot for spot in row.spots if spot], size)
                cut = short and laid.zone.layout == "row"
                lines.add_row(Text(laid.zone.words + owner, style="bold"), Flow(cards, cut))
        return lines

    def _cards(self, spots: Sequence[Spot], size: int) -> list[Text]:
        """Return the pieces that the viewer knows, then backs for the others, up to the size of the zone."""
        face_up = [self._card(spot) for spot in spots if _is_known(spot.piece)]
        down = size - len(face_up)
        backs = [BACK] * down if down <= MOST_BACKS else [f"{BACK} x {down}"]
        return face_up + [Text(back, style="dim") for back in backs] or [Text("none", style="dim")]

    def _card(self, spot: Spot, numbers: str = "") -> Text:
        lit = "bold " if spot.has_acts else ""
        piece = spot.piece
        name = spot.coordinates if piece.is_down else piece.name
        numbers = numbers or (spot.number if piece.is_token else "")
        lying = ": " + "; ".join(_words(one) for one in spot.on_it) if spot.on_it and not piece.text else ""
        shown = (f"{name} {numbers}".rstrip(), lit + self.paint.colour(piece))
        return Text.assemble(("[", "dim"), shown, spot.signs, lying, ("]", "dim"))

    def _zone_of_texts(self, laid: LaidZone) -> RenderableType:
        style = "bold reverse" if self._is_own_hand(laid) else "bold"
        return Group(Text(laid.zone.words, style=style), self._text_rows(laid.spots))

    def _text_rows(self, spots: Sequence[Spot]) -> Table:
        """Return a line for each piece with a text to read, and for each piece that lies on one."""
        lines = Table.grid(padding=(0, 2, 0, 0))
        for spot in spots:
            lines.add_row(*self._text_row(spot))
            for lying in spot.on_it:
                if not lying.piece.is_token:
                    name, text = self._text_row(lying)
                    lines.add_row(Text.assemble("  + ", name), text)
        return lines

    def _text_row(self, spot: Spot) -> tuple[Text, Text]:
        """Return the name with the numbers that lie on the piece, such as ``[Kay 3/5]``, and the text to read."""
        chips = [lying for lying in spot.on_it if lying.piece.is_token]
        shown = {stat.key for chip in chips for stat in chip.piece.stats}
        piece = spot.piece
        facts = [piece.kind, *(f"{stat.words} {stat.written}" for stat in piece.stats if stat.key not in shown)]
        facts += [] if piece.cost is None else [f"cost {piece.cost}"]
        head = ", ".join(filter(None, (*facts, *spot.marks)))
        numbers = "/".join(chip.number for chip in chips)
        return self._card(spot, numbers), Text(". ".join(filter(None, (head, piece.text))))

    def _board(self, laid: LaidZone) -> RenderableType:
        if laid.has_texts:
            return self._zone_of_texts(laid)
        if any(spot.on_it for spot in laid.spots):
            read = [
                lying for spot in laid.spots for lying in spot.on_it if lying.piece.text and not lying.piece.is_token
            ]
            return Group(self._ledger(laid), self._text_rows(read)) if read else self._ledger(laid)
        return Group(Text(laid.zone.words, style="bold"), self._grid(laid))

    def _ledger(self, laid: LaidZone) -> Ledger:
        """Return a table with a row for each piece, and a column for each kind and owner of pieces that lie on them."""
        titles: dict[tuple[str, int | None], str] = {}
        for lying in (lying for spot in laid.spots for lying in spot.on_it):
            titles[_slot(lying)] = titles.get(_slot(lying)) or _title(lying)
        names = [
            Text.assemble((spot.piece.name, f"bold {self.paint.colour(spot.piece)}"), spot.signs) for spot in laid.spots
        ]
        columns = []
        for slot, title in titles.items():
            head = Text(f"{title[:1].upper()}{title[1:]}\n{'' if slot[1] is None else self.names[slot[1]]}")
            cells = [
                Text(" ").join(self._cell(lying) for lying in spot.on_it if _slot(lying) == slot) for spot in laid.spots
            ]
            columns.append((head, cells))
        return Ledger(laid.zone.words, names, columns)

    def _cell(self, lying: Spot) -> Text:
        if lying.piece.is_token and lying.number:
            return Text(lying.number + lying.signs)
        if lying.piece.is_free:
            return Text(", ".join(lying.marks) or lying.piece.name, style="dim")
        if lying.piece.key is None:
            return Text(lying.signs or "?", style="dim")
        return Text.assemble((lying.piece.name, self.paint.colour(lying.piece)), lying.signs)

    def _grid(self, laid: LaidZone) -> RenderableType:
        """Return the pieces at their rows and places; a pyramid's rows are centred, a track's free places are dots."""
        width = max((self._placed(spot).cell_len for spot in laid.spots), default=0)
        lines = Table.grid()
        free = Text("·" if laid.zone.layout == "track" else "")
        for row in laid.rows:
            line = Table.grid(*(Column(width=width, justify="center") for _ in row.spots), padding=(0, 1, 0, 0))
            line.add_row(*(self._placed(spot) if spot else free for spot in row.spots))
            lines.add_row(Align(line, "center") if laid.zone.layout == "pyramid" else line)
        return lines

    def _placed(self, spot: Spot) -> Text:
        return self._card(spot) if _is_known(spot.piece) else Text(BACK, style="dim")


class Ledger:
    """A table with a title over the names of its rows.

    If it is too wide for the terminal, the title gets a line of its own, and the other columns follow below.
    """

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
        """Return the width that a table needs to show everything."""
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
    """Short texts side by side, with line breaks only between them; with `cut`, only the last that fit in a line."""

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
    """Tell whether the terminal is so low that the table must save lines."""
    return console.is_terminal and console.height < TALL


def menu(view: View, short: bool) -> RenderableType:
    """Return the viewer's legal moves with their numbers, in columns, or on a short terminal one after the other."""
    acts = view.menu
    paint, width = Paint(view), len(str(len(acts)))
    pieces = {act.action: piece for piece in view.pieces() for act in piece.acts}
    answers = [
        Text.assemble(
            (f"{number:>{width}}", "bold"), " ", (act.words, paint.colour(pieces.get(act.action))), *_previewed(act)
        )
        for number, act in enumerate(acts, 1)
    ]
    if short:
        return Flow([Text.assemble(answer, "  ") for answer in answers])
    return Columns(answers, equal=True, column_first=True, padding=(0, 3))


def _previewed(act: Act) -> Iterator[tuple[str, str]]:
    """Yield the short form of an action's preview, in the colour of its tone."""
    if act.leads_to and act.leads_to.short:
        yield f"  {act.leads_to.short}", TONES[act.leads_to.tone]


def account(lines: Sequence[Line], names: Sequence[str]) -> Table:
    """Return an account as a table: for each line its words, a number for each seat, and the clause."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("How it came about")
    for name in names:
        table.add_column(Text(name), justify="right")
    table.add_column("Rule", style="dim")
    for line in lines:
        table.add_row(Text(line.words), *(str(number) for number in line.by_seat or [""] * len(names)), line.clause)
    return table


def _counted(count: Count) -> str:
    return f"{count.words} {count.number}" + ("" if count.of is None else f" of {count.of}")


def _picture(piece: Piece) -> str:
    """Return the kind of a piece's picture: ``artois`` for the key ``artois-5``."""
    return (piece.key or "").partition("-")[0]


def _words(spot: Spot) -> str:
    """Return the words for a piece that lies on another."""
    piece = spot.piece
    head = " ".join(filter(None, (piece.name, spot.number if piece.is_token else "", piece.text)))
    return ", ".join((head, *spot.marks))


def _slot(lying: Spot) -> tuple[str, int | None]:
    return lying.piece.id.partition(".")[0], lying.piece.seat


def _title(lying: Spot) -> str:
    """Return the title of a column of tokens that lie on pieces; empty for a column of cards, which shows the owner."""
    piece = lying.piece
    return (piece.kind or (piece.stats[0].words if piece.stats else piece.name)) if piece.is_token else ""


def _is_line(laid: LaidZone) -> bool:
    """Tell whether a zone is painted as a line; rows with pieces on pieces become tables, and texts get lines."""
    zone = laid.zone
    if laid.has_texts:
        return False
    return zone.layout in ("fan", "stack") or (zone.layout == "row" and not any(p.on_it for p in zone.pieces))


def _is_known(piece: Piece) -> bool:
    """Tell whether the viewer knows anything about a piece except that it is there."""
    marked = bool(piece.stats or piece.known_to or len(piece.state) > 1)
    return not piece.is_free and (piece.key is not None or marked)


def _joined(texts: Iterable[Text]) -> Text:
    return Text(" ").join(texts)


def _width(texts: Sequence[Text]) -> int:
    return sum(text.cell_len for text in texts) + len(texts) - 1
