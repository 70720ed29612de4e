"""A second, naive list of legal actions of Round Table, made from the clauses and the printed texts.

It reads the State of the game as data, and calls none of its rules.
"""

from collections.abc import Iterator
from typing import Any

from games.naive_round_table import PIECES, Scene, Thing, sentences
from games.naive_round_table_effects import says
from quintain.games.round_table import state as st

REPEAT = "you may play Quests and Redirects of a name that was played this Summer"
REDEPLOY = "(?P<who>.+) may be sent from one Region to another once a Summer"
SAME_TITLE = "(?P<who>.+) may have several Titles of a name"
DEMESNES = r"you may play (?P<n>\d+) more Demesnes? each Spring"
TO_QUESTS = "opponents cannot play Quests on (?P<who>.+)"
TO_REDIRECTS = "opponents cannot play Redirects on (?P<who>.+)"
TASKS = {
    "For an engaged Knight of yours": st.RESET,
    "For a Knight that attacks": st.ENGAGE,
    "For a Knight with a task": st.RETURN,
}


def task_of(card: Any) -> int:
    """Return the task of a Redirect, by the beginning of its text."""
    return next((task for words, task in TASKS.items() if card.text.startswith(f"{words}.")), st.TASK)


class Position:
    """A position and its legal actions."""

    def __init__(self, book: Any, s: Any):
        self.book, self.s = book, s.copy()

    def look(self) -> Scene:
        return Scene(self.book, self.s)

    def card(self, seat: int, line: int) -> Any:
        return self.book.card[seat][line]

    def to_act(self) -> set[int]:
        s, seats = self.s, range(self.book.seats)
        if s.over:
            return set()
        if s.phase == st.LIMIT:
            return {seat for seat in seats if s.to_drop[seat]}
        return {next(self.debtors(), s.turn)}

    def debtors(self) -> Iterator[int]:
        order = [(self.s.active + i) % self.book.seats for i in range(self.book.seats)]
        return (seat for seat in order if self.s.owed_draws[seat] or self.s.owed_discards[seat])

    def legal(self, seat: int) -> set[int]:
        s = self.s
        hand = {st.CARD + line for line in range(self.book.lines[seat]) if s.hand[seat][line]}
        if s.phase == st.LIMIT:
            return hand
        if s.owed_draws[seat] or s.phase == st.WINTER_DRAW:
            return {st.DRAW_MAIN + deck for deck in range(2) if s.deck_size[seat][deck]}
        if s.owed_discards[seat]:
            return hand
        asked = {
            st.RECRUIT: self.recruits,
            st.ATTACH: self.bearers,
            st.CAMPAIGN: self.campaigns,
            st.CHOOSE_REGION: self.regions,
            st.CHOOSE_KNIGHT: self.targets,
            st.CHOOSE_TASK: self.tasks,
            st.SUPPORT: self.supports,
        }[s.phase]
        return asked(seat)

    def at(self, thing: Thing) -> int:
        return st.IN_PLAY + st.LINES * thing.seat + thing.slot

    def unlike(self, scene: Scene, seat: int) -> list[Thing]:
        """Return the cards that a seat has in play, only the first one of equal cards."""
        seen, first = set(), []
        for thing in (thing for thing in scene.things if thing.seat == seat):
            key: tuple[int, ...] = (thing.slot,)
            if not thing.on_it:
                s, slot = self.s, thing.slot
                moves = -1 if s.bearer[seat][slot] != st.NONE else s.moves[seat][slot]
                engaged = s.engaged[seat][slot]
                key = (-1, s.line[seat][slot], s.bearer[seat][slot], thing.region, thing.quest, engaged, moves)
            if key not in seen:
                first.append(thing)
            seen.add(key)
        return first

    def affords(self, scene: Scene, seat: int, card: Any) -> bool:
        cost = scene.rp(Thing(seat, st.NONE, card, scene))
        return cost == 0 or self.s.allocated[seat] + cost <= self.s.capacity[seat]

    def recruits(self, seat: int) -> set[int]:
        s, scene, legal = self.s, self.look(), {st.PASS}
        if s.actions[seat] == st.SEASON_ACTIONS:
            return legal
        for line in (line for line in range(self.book.lines[seat]) if s.hand[seat][line]):
            card = self.card(seat, line)
            if card.kind == st.DEMESNE:
                free = card.step == 0 or s.demesne[seat][card.step - 1] > s.demesne[seat][card.step]
                may = free and s.demesnes_played[seat] < 1 + scene.sum_for(DEMESNES, seat)
            else:
                may = card.kind in (st.KNIGHT, st.EQUIPMENT, st.TITLE) and self.affords(scene, seat, card)
            legal |= {st.CARD + line} if may else set()
        for thing in self.unlike(scene, seat):
            if thing.card.kind in (st.EQUIPMENT, st.TITLE) and self.moved_for(scene, thing) is not None:
                takers = [knight for knight in scene.knights if self.takes(scene, knight, seat, thing.card)]
                legal |= {self.at(thing)} if thing.bearer is not None or takers else set()
        return legal

    def moved_for(self, scene: Scene, thing: Thing) -> Thing | None:
        """Return the card that moves: of equal cards on a Knight the first one put on that may still move."""
        equal = [thing]
        if thing.bearer is not None:
            equal = [other for other in thing.bearer.on_it if other.card.name == thing.card.name]
        free = [other for other in equal if self.s.moves[other.seat][other.slot] < st.MOVES]
        return min(free, key=lambda other: self.s.put[other.seat][other.slot], default=None)

    def like(self, card: Any, other: Any) -> bool:
        """Return whether two cards are Equipment of the same kind or Titles of the same name."""
        same = card.slot == other.slot if card.kind == st.EQUIPMENT else card.name == other.name
        return bool(card.kind == other.kind and same)

    def room(self, scene: Scene, knight: Thing, card: Any) -> int:
        if card.kind == st.EQUIPMENT:
            return 1 + scene.sum_of(rf"(?P<who>.+) may have (?P<n>\d+) more (?:{'|'.join(PIECES[card.slot])})", knight)
        return st.LINES if scene.sum_of(SAME_TITLE, knight) else 1

    def takes(self, scene: Scene, knight: Thing, seat: int, card: Any) -> bool:
        likes = sum(self.like(card, thing.card) for thing in knight.on_it)
        return knight.seat == seat and likes < self.room(scene, knight, card)

    def bearers(self, seat: int) -> set[int]:
        s, scene = self.s, self.look()
        moving = s.moving != st.NONE
        card = self.card(seat, s.line[seat][s.moving] if moving else s.card)
        bearer = s.bearer[seat][s.moving] if moving else st.NONE
        legal = {st.UNPAIRED} if not moving or bearer != st.NONE else set()
        knights = [thing for thing in self.unlike(scene, seat) if thing.card.kind == st.KNIGHT]
        return legal | {
            self.at(knight)
            for knight in knights
            if knight.slot != bearer and self.takes(scene, knight, seat, card)
        }  # fmt: skip

    def campaigns(self, seat: int) -> set[int]:
        s, scene, legal = self.s, self.look(), {st.PASS}
        if s.actions[seat] == st.SEASON_ACTIONS:
            return legal
        for knight in self.unlike(scene, seat):
            if knight.card.kind == st.KNIGHT and s.step == st.DECLARE and not knight.is_engaged:
                again = s.moves[seat][knight.slot] == 0 and scene.sum_of(REDEPLOY, knight) > 0
                if (knight.region == st.NONE or again) and self.open_but(knight.region):
                    legal.add(self.at(knight))
        for line in (line for line in range(self.book.main_lines[seat]) if s.hand[seat][line]):
            card = self.card(seat, line)
            if card.kind in (st.QUEST, st.REDIRECT):
                barred = s.used[seat][line] and not scene.sum_for(REPEAT, seat)
                in_time = s.step <= (st.QUESTS if card.kind == st.QUEST else st.REDIRECTS)
                may = in_time and not barred and any(self.targets_of(scene, seat, card))
            else:
                may = "This card may be played in Summer, too" in sentences(card)
            legal |= {st.CARD + line} if may and self.affords(scene, seat, card) else set()
        return legal

    def open_but(self, region: int) -> set[int]:
        return {st.REGION + place for place in range(st.OPEN_REGIONS) if place != region and self.s.open[place] >= 0}

    def regions(self, _: int) -> set[int]:
        return self.open_but(self.s.place[self.s.on_seat][self.s.on])

    def targets(self, seat: int) -> set[int]:
        return {self.at(knight) for knight in self.targets_of(self.look(), seat, self.card(seat, self.s.card))}

    def targets_of(self, scene: Scene, seat: int, card: Any) -> Iterator[Thing]:
        for other in range(self.book.seats):
            for knight in self.unlike(scene, other):
                if knight.card.kind == st.KNIGHT and self.is_target(scene, seat, card, knight):
                    yield knight

    def is_target(self, scene: Scene, seat: int, card: Any, knight: Thing) -> bool:
        def immune(pattern: str) -> bool:
            return knight.seat != seat and scene.sum_of(pattern, knight) > 0

        if card.kind == st.QUEST:
            return knight.quest == st.NONE and not immune(TO_QUESTS)
        task = task_of(card)
        if task == st.RESET:
            return knight.seat == seat and knight.is_engaged and self.does_something(scene, seat, card, knight)
        if immune(TO_REDIRECTS) or (knight.region == st.NONE and (task == st.ENGAGE or knight.quest == st.NONE)):
            return False
        if task in (st.ENGAGE, st.RETURN):
            return self.does_something(scene, seat, card, knight)
        return bool(self.open_but(knight.region) or self.joinable(scene, knight))

    def does_something(self, scene: Scene, seat: int, card: Any, knight: Thing) -> bool:
        for done, *about in says(scene, Thing(seat, st.NONE, card, scene, knight), st.PLAYED):
            if done in ("draw", "discard", "look", "returned"):
                return True
            if scene.at(*about).is_engaged == (done == "reset"):
                return True
        return False

    def joinable(self, scene: Scene, knight: Thing) -> set[int]:
        quests = [thing for thing in scene.things if thing.card.kind == st.QUEST]
        own = [quest for quest in quests if self.s.bearer[quest.seat][quest.slot] == st.FOR_SEAT + knight.seat]
        return {self.at(quest) for quest in own if st.LINES * quest.seat + quest.slot != knight.quest}

    def tasks(self, _: int) -> set[int]:
        scene = self.look()
        knight = scene.at(self.s.on_seat, self.s.on)
        return self.open_but(knight.region) | self.joinable(scene, knight)

    def supports(self, seat: int) -> set[int]:
        return {st.PASS} | {self.at(thing) for thing in self.unlike(self.look(), seat)}
