"""The story of a finished campaign: what each season paid to whom and where, and the battles that were closest."""

from collections.abc import Iterator
from typing import NamedTuple, cast

from quintain.engine import Cell, Course, GridRow, Tale, Turned, numbers_of
from quintain.games.heirless import state as st
from quintain.games.heirless.state import Book, State
from quintain.games.heirless.words import TILE_NAMES, and_list, side_name, tile_name


class Won(NamedTuple):
    """A battle: the step that decided it, its season and tile, the victor with its ally, and the points of all."""

    step: int
    season: int
    tile: int
    victor: int
    ally: int
    points: tuple[tuple[int, int], ...]

    @property
    def mine(self) -> int:
        """The points of the victor, together with those of its ally. HB-16."""
        return sum(points for side, points in self.points if side in (self.victor, self.ally))

    @property
    def margin(self) -> int:
        """By how much the victor was ahead of the best other side; 0 if player order decided. HB-17."""
        return self.mine - max(
            (points for side, points in self.points if side not in (self.victor, self.ally)), default=0
        )

    def words(self) -> str:
        """Return who beat whom where, with the points. HB-16, HB-17."""
        winner = f"seat {self.victor}" + (f", allied with seat {self.ally}," if self.ally != st.NONE else "")
        others = [each for each in self.points if each[0] not in (self.victor, self.ally)]
        points = "1 point" if self.mine == 1 else f"{self.mine} points"
        rest = and_list([f"{number} of {side_name(side)}" for side, number in others])
        against = f" against {rest}" if others else ""
        tie = "" if self.margin else " (player order decides)"
        return f"{winner} wins the battle at {tile_name(self.tile)}, {points}{against}{tie}"


class _Seasons:
    """What the events of a campaign say, season by season."""

    def __init__(self, course: Course) -> None:
        self.locations: list[int] = []
        self.pays: dict[tuple[int, int], list[tuple[int, int]]] = {}
        """The tiles that paid a seat in a season, each with its pay."""
        self.battles: list[Won] = []
        points: list[tuple[int, int]] = []
        for step, _, event in course.told:
            season = len(self.locations) - 1
            if event.kind == st.SEASON:
                self.locations.append(event.b)
            elif event.kind == st.EARNED:
                self.pays.setdefault((season, event.seat), []).append((event.a, event.b))
            elif event.kind == st.SCORED:
                points.append((event.seat, event.a))
            elif event.kind == st.WON:
                self.battles.append(Won(step, season, event.a, event.seat, event.other, tuple(points)))
                points = []

    def cell(self, season: int, seat: int) -> Cell:
        """Return what a season paid to a seat, and where. HB-23."""
        pays = self.pays.get((season, seat), [])
        where = {"Capital": st.CAPITAL, "Interest": self.locations[season]}
        parts = [f"{name} {pay}" for name, tile in where.items() for there, pay in pays if there == tile]
        camps = [str(pay) for tile, pay in pays if st.FIRST_CAMP <= tile < st.CASTLE and tile != self.locations[season]]
        castles = [str(pay) for tile, pay in pays if tile >= st.CASTLE]
        for name, found in (("camp", camps), ("castle", castles)):
            if found:
                parts.append(f"{name}{'s' if len(found) > 1 else ''} {', '.join(found)}")
        return Cell(sum(pay for _, pay in pays), ", ".join(parts))

    def turned(self, battle: Won) -> Turned:
        """Return a battle with what the victor earned there at the end of the season. HB-17, HB-23."""
        earned = sum(pay for tile, pay in self.pays.get((battle.season, battle.victor), []) if tile == battle.tile)
        pay = f", and earns {earned} Resources" if earned else ""
        words = f"Season {battle.season + 1}: {battle.words()}{pay}."
        return Turned(battle.step, battle.victor, words, earned)


def story(book: Book, course: Course) -> Tale:
    """Tell where each Resource came from, and who won which battle. HB-17, HB-23."""
    s, seasons = cast(State, course.state(course.last)), _Seasons(course)
    fought = [battle for battle in seasons.battles if battle.victor != st.BANDITS]
    closest = sorted(fought, key=lambda battle: (battle.margin, battle.ally == st.NONE))
    return Tale(tuple(_rows(s, course, seasons)), turned=tuple(map(seasons.turned, closest)))


def _rows(s: State, course: Course, seasons: _Seasons) -> Iterator[GridRow]:
    for season, location in enumerate(seasons.locations):
        cells = tuple(seasons.cell(season, seat) for seat in course.seats)
        yield GridRow(f"Season {season + 1}", cells, "HB-23", f"Interest: {TILE_NAMES[location]}")
    yield GridRow("Resources", numbers_of([s.resources[seat] for seat in course.seats]), "HB-25", is_total=True)
    steps = numbers_of([s.gained[seat] for seat in course.seats])
    yield GridRow("Improvement steps", steps, "HB-25", is_tie_break=True)
