"""A second, naive implementation of Round Table, made from the clauses and the printed texts.

It keeps the position in the State of the game, as data, and calls none of its rules.
"""

from typing import Any

from games.naive_round_table import Scene, Thing, happenings
from games.naive_round_table_effects import Effect, knight_says, says
from games.naive_round_table_legal import Position, task_of
from quintain.games.round_table import state as st

STAYS = "(?P<who>.+) stays? in (?:its|their) Region until that Region is captured"
RENOWN = r"you have (?P<n>\d+) more Renown when the game has ended"
REACH = r"where (?P<who>.+) attacks?, the Region has (?P<n>\d+) less Resistance for you"
LEAD = r"where (?P<who>.+) attacks?, you need (?P<n>\d+) less lead"


class Naive(Position):
    """A position that goes on naively; `after` is the real position after the move, which shows what was drawn."""

    def __init__(self, book: Any, s: Any, after: Any):
        super().__init__(book, s)
        self.after = after

    def play(self, seat: int, action: int) -> None:
        s = self.s
        if s.phase == st.LIMIT:
            self.drop(seat, action - st.CARD)
        elif s.owed_draws[seat] or s.phase == st.WINTER_DRAW:
            self.draw(seat, action - st.DRAW_MAIN)
        elif s.owed_discards[seat]:
            s.owed_discards[seat] -= 1
            self.lose(seat, action - st.CARD)
            s.spent[seat][action - st.CARD] += 1
        elif action == st.PASS:
            self.pass_on(seat)
        elif s.phase in (st.RECRUIT, st.CAMPAIGN):
            self.begin(seat, action)
        elif s.phase == st.ATTACH:
            self.attach(seat, st.NONE if action == st.UNPAIRED else action - st.IN_PLAY - st.LINES * seat)
        elif s.phase == st.SUPPORT:
            self.take_back(seat, action - st.IN_PLAY - st.LINES * seat)
        else:
            self.choose(seat, action)
        self.run_on()
        self.take_stock()

    def lose(self, seat: int, line: int) -> None:
        self.s.hand[seat][line] -= 1
        self.s.hand_size[seat] -= 1

    def gain(self, seat: int, line: int) -> None:
        self.s.hand[seat][line] += 1
        self.s.hand_size[seat] += 1

    def draw(self, seat: int, deck: int) -> None:
        """Make a draw, and in Winter carry out the rows of each Winter. RT-29, RT-33."""
        s = self.s
        (line,) = (line for line in range(st.LINES) if self.after.deck[seat][line] < s.deck[seat][line])
        assert (line >= self.book.main_lines[seat]) == (deck == st.DEMESNE_DECK)
        s.deck[seat][line] -= 1
        s.deck_size[seat][deck] -= 1
        self.gain(seat, line)
        if s.owed_draws[seat]:
            s.owed_draws[seat] -= 1
            return
        s.phase = st.WINTER_ROWS
        scene = self.look()
        own = [thing for thing in scene.things if thing.seat == seat]
        awake = [thing for thing in own if thing.card.kind != st.EQUIPMENT or thing.bearer is not None]
        self.carry_out([effect for thing in awake for effect in says(scene, thing, st.EACH_WINTER)])

    def drop(self, seat: int, line: int) -> None:
        """Choose a card to discard; after the last choice discard them all. RT-30."""
        s = self.s
        s.hand[seat][line] -= 1
        s.dropped[seat][line] += 1
        s.drops[seat] += 1
        s.to_drop[seat] -= 1
        if not any(s.to_drop):
            for other in range(self.book.seats):
                for each in range(st.LINES):
                    s.spent[other][each] += s.dropped[other][each]
                    s.dropped[other][each] = 0
                s.hand_size[other] -= s.drops[other]
                s.drops[other] = 0
            self.begin_season()

    def pass_on(self, seat: int) -> None:
        """Pass the turn on, or end the Season. RT-11, RT-16, RT-28."""
        s = self.s
        if s.phase == st.CAMPAIGN:
            s.passes = 0 if s.acted else s.passes + 1
            s.turn, s.step = (seat + 1) % self.book.seats, st.DECLARE
            s.phase = st.SEASON_END if s.passes == self.book.seats else st.CAMPAIGN
        else:
            self.next_seat(s.phase)
        s.acted = 0

    def next_seat(self, phase: int) -> None:
        s = self.s
        s.turn = (s.turn + 1) % self.book.seats
        s.phase = st.SEASON_END if s.turn == s.active else phase

    def begin(self, seat: int, action: int) -> None:
        """Begin to move or send a card in play, or to play a card of the hand. RT-12, RT-16."""
        s = self.s
        s.acted = 1
        if action >= st.IN_PLAY:
            slot = action - st.IN_PLAY - st.LINES * seat
            if s.phase == st.CAMPAIGN:
                s.on_seat, s.on, s.phase = seat, slot, st.CHOOSE_REGION
            else:
                scene = self.look()
                moved = self.moved_for(scene, scene.at(seat, slot))
                assert moved is not None
                s.moving, s.phase = moved.slot, st.ATTACH
            return
        card = self.card(seat, action)
        if card.kind in (st.QUEST, st.REDIRECT):
            s.card, s.phase = action, st.CHOOSE_KNIGHT
        elif card.kind in (st.EQUIPMENT, st.TITLE):
            s.card, s.phase = action, st.ATTACH
        else:
            self.lose(seat, action)
            s.actions[seat] += 1
            s.step = st.OTHER_CARDS
            if card.kind == st.DEMESNE:
                s.demesnes_played[seat] += 1
                s.demesne[seat][card.step] += 1
            else:
                self.recruit(seat, action)

    def put_in_play(self, seat: int, line: int, bearer: int) -> int:
        s = self.s
        slot = int(s.line[seat].index(st.NONE))
        s.line[seat][slot] = line
        self.put_on(seat, slot, bearer)
        return slot

    def put_on(self, seat: int, slot: int, bearer: int) -> None:
        s = self.s
        s.bearer[seat][slot] = bearer
        s.puts[seat] += 1
        s.put[seat][slot] = s.puts[seat]

    def recruit(self, seat: int, line: int) -> None:
        """Recruit a Knight, and remove namesakes. RT-15, RT-33."""
        s, card = self.s, self.card(seat, line)
        slot = self.put_in_play(seat, line, st.NONE)
        if any(happenings(card, st.RECRUITED)) and not s.welcomed[seat][line]:
            s.welcomed[seat][line] = 1
            scene = self.look()
            self.carry_out(says(scene, scene.at(seat, slot), st.RECRUITED))
        scene = self.look()
        same = [knight for knight in scene.knights if knight.card.name == card.name]
        if not card.types & st.GENERIC and len(same) > 1 and s.line[seat][slot] == line:
            for knight in same:
                for thing in knight.on_it:
                    if thing.card.kind == st.TITLE:
                        s.spent[thing.seat][self.leave(thing.seat, thing.slot)] += 1
                s.spent[knight.seat][self.leave(knight.seat, knight.slot)] += 1

    def attach(self, seat: int, knight: int) -> None:
        """Put the chosen card on a Knight, or leave it unpaired. RT-12."""
        s = self.s
        if s.moving == st.NONE:
            self.lose(seat, s.card)
            s.step = st.OTHER_CARDS
            self.put_in_play(seat, s.card, knight)
        else:
            self.put_on(seat, s.moving, knight)
            s.moves[seat][s.moving] += 1
        s.actions[seat] += 1
        s.card = s.moving = st.NONE
        s.phase = st.RECRUIT if s.season == st.SPRING else st.CAMPAIGN

    def leave(self, seat: int, slot: int) -> int:
        """Take a card out of play. RT-13, RT-19, RT-28."""
        for other in self.look().at(seat, slot).on_it:
            self.put_on(other.seat, other.slot, st.NONE)
        self.leave_quest(seat, slot)
        return self.free(seat, slot)

    def free(self, seat: int, slot: int) -> int:
        s = self.s
        line = int(s.line[seat][slot])
        s.line[seat][slot] = s.bearer[seat][slot] = s.place[seat][slot] = s.quest[seat][slot] = st.NONE
        s.engaged[seat][slot] = s.moves[seat][slot] = s.put[seat][slot] = s.rp[seat][slot] = 0
        return line

    def leave_quest(self, seat: int, slot: int) -> None:
        """Take a Knight off its Quest, and end a Quest without Knights. RT-19."""
        s = self.s
        quest, s.quest[seat][slot] = s.quest[seat][slot], st.NONE
        if quest != st.NONE and not any(quest in row for row in s.quest[: self.book.seats]):
            owner, place = divmod(quest, st.LINES)
            s.spent[owner][self.free(owner, place)] += 1

    def take_back(self, seat: int, slot: int) -> None:
        self.gain(seat, self.leave(seat, slot))

    def choose(self, seat: int, action: int) -> None:
        """Choose a Knight, a Region or a Quest in Summer. RT-16 to RT-19."""
        s = self.s
        place = quest = st.NONE
        if s.phase == st.CHOOSE_KNIGHT:
            s.on_seat, s.on = divmod(action - st.IN_PLAY, st.LINES)
            rp, card = self.pay(seat, s.card), self.card(seat, s.card)
            if card.kind == st.QUEST:
                slot = self.put_in_play(seat, s.card, st.FOR_SEAT + s.on_seat)
                s.rp[seat][slot], quest = rp, st.LINES * seat + slot
            elif task_of(card) == st.TASK:
                s.phase = st.CHOOSE_TASK
                return
        elif action < st.IN_PLAY:
            place = action - st.REGION
            if s.phase == st.CHOOSE_REGION:
                s.actions[seat] += 1
                s.moves[seat][s.on] += int(s.place[seat][s.on] != st.NONE)
        else:
            quest = action - st.IN_PLAY
        self.go(seat, place, quest)

    def pay(self, seat: int, line: int) -> int:
        s, scene, card = self.s, self.look(), self.card(seat, line)
        rp = scene.rp(Thing(seat, st.NONE, card, scene))
        self.lose(seat, line)
        s.step = st.QUESTS if card.kind == st.QUEST else st.REDIRECTS
        s.spent_rp[seat] += rp
        s.actions[seat] += 1
        for other in range(self.book.seats):
            for each in range(self.book.main_lines[other]):
                s.used[other][each] |= int(self.card(other, each).name == card.name)
        return rp

    def go(self, seat: int, place: int, quest: int) -> None:
        """Give a Knight its task, and carry out the effects of this moment. RT-18, RT-19, RT-33."""
        s = self.s
        line, on_seat, on = s.card, s.on_seat, s.on
        s.card = s.on_seat = s.on = st.NONE
        s.phase = st.CAMPAIGN
        has_task = place != st.NONE or quest != st.NONE
        if has_task:
            self.leave_quest(on_seat, on)
            s.engaged[on_seat][on], s.place[on_seat][on], s.quest[on_seat][on] = 0, place, quest
        if line != st.NONE and self.card(seat, line).kind == st.REDIRECT:
            s.spent[seat][line] += 1
        scene = self.look()
        knight, effects = scene.at(on_seat, on), []
        if has_task:
            effects += knight_says(scene, knight, st.ATTACKS if quest == st.NONE else st.QUESTED)
        if line != st.NONE:
            effects += says(scene, Thing(seat, st.NONE, self.card(seat, line), scene, knight), st.PLAYED)
        self.carry_out(effects)

    def carry_out(self, effects: list[Effect]) -> None:
        """Carry out effects one after another, and pass over Knights that have left play. RT-33."""
        s = self.s
        for done, *rest in effects:
            if done in ("draw", "discard"):
                owed = s.owed_draws if done == "draw" else s.owed_discards
                owed[rest[0]] += rest[1]
            elif done == "look":
                s.foreseen[rest[0]] = min(s.regions_left, max(s.foreseen[rest[0]], rest[1]))
            elif s.line[rest[0]][rest[1]] != st.NONE:
                self.do_to_knight(done, *rest)

    def do_to_knight(self, done: str, seat: int, slot: int) -> None:
        s = self.s
        is_engaged = s.quest[seat][slot] != st.NONE or s.engaged[seat][slot]
        if done == "returned":
            self.take_back(seat, slot)
        elif done == "reset" and is_engaged:
            s.engaged[seat][slot] = 0
            self.leave_quest(seat, slot)
        elif done == "engaged" and not is_engaged:
            s.engaged[seat][slot], s.place[seat][slot] = 1, st.NONE

    # The year

    def run_on(self) -> None:
        """Let the game go on until a player is to act. RT-16, RT-26 to RT-31, RT-33."""
        s = self.s
        self.forget_debts()
        while not s.over and not any(s.owed_draws) and not any(s.owed_discards):
            if s.phase == st.SUPPORT and all(line == st.NONE for line in s.line[s.turn]):
                self.next_seat(st.SUPPORT)
            elif s.phase == st.WINTER_DRAW and not any(s.deck_size[s.turn]):
                s.phase, s.over = st.OVER, 1
            elif s.phase == st.RESOLVE:
                self.resolve()
            elif s.phase == st.QUEST_DRAWS:
                s.phase, s.turn = st.SUPPORT, s.active
            elif s.phase == st.LAST_DRAWS:
                s.phase, s.over = st.OVER, 1
            elif s.phase == st.WINTER_ROWS:
                self.next_seat(st.WINTER_DRAW)
            elif s.phase == st.SEASON_END:
                self.end_season()
            else:
                return
            self.forget_debts()

    def forget_debts(self) -> None:
        s = self.s
        for seat in range(self.book.seats):
            if not any(s.deck_size[seat]):
                s.owed_draws[seat] = 0
            if not s.owed_draws[seat]:
                s.owed_discards[seat] = min(s.owed_discards[seat], s.hand_size[seat])

    def end_season(self) -> None:
        """Let players discard, or begin the next Season. RT-30."""
        s, scene = self.s, self.look()
        s.phase = st.LIMIT
        for seat in range(self.book.seats):
            s.to_drop[seat] = max(0, s.hand_size[seat] - max(0, st.HAND + scene.player_sum("hand is", seat)))
        if not any(s.to_drop):
            self.begin_season()

    def begin_season(self) -> None:
        """Begin the next Season. RT-12, RT-16, RT-20, RT-29."""
        s = self.s
        s.season = (s.season + 1) % 4
        s.active = (s.active + (s.season == st.WINTER)) % self.book.seats
        s.turn, s.step, s.acted, s.passes = s.active, st.DECLARE, 0, 0
        for seat in range(self.book.seats):
            s.actions[seat] = s.demesnes_played[seat] = 0
            s.moves[seat], s.used[seat] = [0] * st.LINES, [0] * st.LINES
        s.phase = {st.SPRING: st.RECRUIT, st.SUMMER: st.CAMPAIGN, st.AUTUMN: st.RESOLVE, st.WINTER: st.WINTER_DRAW}[
            s.season
        ]

    def resolve(self) -> None:
        """Carry out Autumn up to the draws for Quests. RT-21 to RT-28, RT-31."""
        s, scene = self.s, self.look()
        captors = {place: self.captor_of(scene, place) for place in range(st.OPEN_REGIONS) if s.open[place] != st.NONE}
        taken = {place: captor for place, captor in captors.items() if captor is not None}
        for place, captor in taken.items():
            s.captor[s.open[place]] = captor
        scene = self.look()
        there = [knight for place in taken for knight in scene.knights
                 if knight.region == place and knight.seat == taken[place]]  # fmt: skip
        self.carry_out([effect for knight in there for effect in knight_says(scene, knight, st.CAPTURES)])
        for place in taken:
            s.open[place] = st.NONE
            for row in s.place[: self.book.seats]:
                row[:] = [st.NONE if each == place else each for each in row]
        self.open_regions()
        renown = [self.book.region[s.region[place]].renown for place in range(self.book.regions)]
        half = any(2 * self.look().renown(seat) > sum(renown) for seat in range(self.book.seats))
        if half or all(place == st.NONE for place in s.open):
            s.phase, s.over = st.OVER, 1
            return
        s.phase = st.QUEST_DRAWS
        self.end_quests()
        self.send_home()

    def captor_of(self, scene: Scene, place: int) -> int | None:
        """Return the seat that captures an open Region, or None. RT-21, RT-22, RT-25."""
        region = self.book.region[self.s.region[self.s.open[place]]]
        there: dict[int, list[Thing]] = {}
        for knight in scene.knights:
            if knight.region == place:
                there.setdefault(knight.seat, []).append(knight)
        influence = {seat: sum(scene.strength(each, "influence") for each in own) for seat, own in there.items()}
        resistance = {seat: sum(scene.strength(each, "resistance") for each in own) for seat, own in there.items()}
        left = {}
        for seat in there:
            against = [resistance[other] for other in there if other != seat]
            left[seat] = influence[seat] - (max(against) if against else 0)
        strong = {
            seat: left[seat]
            for seat, own in there.items()
            if left[seat] > region.resistance - sum(scene.sum_of(REACH, knight) for knight in own)
        }
        ranked = sorted(strong, key=lambda seat: -strong[seat])
        if len(ranked) > 1:
            lead = max(1, region.renown - sum(scene.sum_of(LEAD, knight) for knight in there[ranked[0]]))
            return ranked[0] if strong[ranked[0]] - strong[ranked[1]] >= lead else None
        return ranked[0] if ranked else None

    def open_regions(self) -> None:
        """Turn Regions up until three lie open. RT-24."""
        s = self.s
        for place in range(st.OPEN_REGIONS):
            if s.open[place] == st.NONE and s.regions_left:
                s.regions_left -= 1
                s.open[place] = s.region_deck[s.regions_left]
                s.region_deck[s.regions_left] = st.NONE
                s.foreseen[:] = [max(0, known - 1) for known in s.foreseen]

    def end_quests(self) -> None:
        """Carry out the Quests that are done. RT-26, RT-33."""
        s, scene, effects = self.s, self.look(), []
        musts = dict.fromkeys(range(self.book.seats), 0)
        for knight in scene.knights:
            if knight.quest != st.NONE:
                owner, slot = divmod(knight.quest, st.LINES)
                musts[knight.seat] += s.rp[owner][slot]
                effects += [("draw", knight.seat, s.rp[owner][slot]), *knight_says(scene, knight, st.QUEST_DONE)]
        if any(sum(s.deck_size[seat]) < draws for seat, draws in musts.items()):
            s.phase = st.LAST_DRAWS
        for quest in scene.things:
            if quest.card.kind == st.QUEST:
                effects += says(scene, quest, st.QUEST_DONE, of_each=False)
        self.carry_out(effects)

    def send_home(self) -> None:
        """Send Knights home; which ones stay is decided before any leaves. RT-17, RT-27, RT-33."""
        s, scene = self.s, self.look()
        staying = {(knight.seat, knight.slot) for knight in scene.knights if scene.sum_of(STAYS, knight)}
        for thing in scene.things:
            seat, slot = thing.seat, thing.slot
            s.quest[seat][slot], s.engaged[seat][slot] = st.NONE, 0
            if thing.card.kind == st.QUEST:
                s.spent[seat][self.free(seat, slot)] += 1
            elif (seat, slot) not in staying:
                s.place[seat][slot] = st.NONE
        s.spent_rp[:] = [0] * st.SEATS

    def take_stock(self) -> None:
        """Take excess cards off Knights, the last one first; add up costs. RT-8, RT-10, RT-13, RT-14."""
        s, scene = self.s, self.look()
        while excess := [thing for knight in scene.knights for thing in knight.on_it if self.is_excess(scene, thing)]:
            self.put_on(excess[0].seat, excess[0].slot, st.NONE)
            scene = self.look()
        for seat in range(self.book.seats):
            own = [thing for thing in scene.things if thing.seat == seat and thing.card.kind != st.QUEST]
            for thing in own:
                s.rp[seat][thing.slot] = scene.rp(thing)
            s.allocated[seat] = s.spent_rp[seat] + sum(s.rp[seat][thing.slot] for thing in own)
            s.capacity[seat] = scene.capacity(seat)

    def is_excess(self, scene: Scene, thing: Thing) -> bool:
        knight, put = thing.bearer, self.s.put[thing.seat]
        assert knight is not None
        earlier = [other for other in knight.on_it if put[other.slot] < put[thing.slot]]
        likes = sum(self.like(thing.card, other.card) for other in earlier)
        return likes >= self.room(scene, knight, thing.card)

    def scores(self) -> list[int]:
        """Return the Renown of each seat. RT-31, RT-33."""
        scene = self.look()
        return [scene.renown(seat) + scene.sum_for(RENOWN, seat) for seat in range(self.book.seats)]
