"""Heirless battles: the table as a viewer sees it, and the question to a seat.

The battle itself is laid out in `scene.py`.
"""

from collections.abc import Iterator

from quintain.engine import (
    TOKEN,
    UNKNOWN,
    Count,
    Label,
    Line,
    Phase,
    Piece,
    Question,
    Reach,
    Score,
    Stat,
    View,
    Zone,
    acting,
    token,
)
from quintain.games.heirless import rules as r
from quintain.games.heirless import state as st
from quintain.games.heirless import texts
from quintain.games.heirless.battle import may_ally, nth_standing
from quintain.games.heirless.battlecards import hand_left, hand_to_place, owner_of, rest_of_hand, set_of
from quintain.games.heirless.scene import ROLES, Battle, card, is_running
from quintain.games.heirless.season import has_battle, knights_sent, pay_of
from quintain.games.heirless.state import Book, State
from quintain.games.heirless.words import (
    CAMP_NAMES,
    TILE_NAMES,
    TRACK_NAMES,
    VALUE_NAMES,
    and_list,
    key_of,
    whose,
)

PHASES = {
    **dict.fromkeys((st.MUSTER,), "muster"),
    **dict.fromkeys((st.IMPROVE, st.REWARDS, st.STEPS, st.CLEANUP), "rewards"),
}
"""The step of a season that each phase belongs to; all other phases are battles."""
STEPS = (Label("muster", "Muster"), Label("battles", "Battles"), Label("rewards", "Rewards"))
OVER = Label("over", "Over")
LEGEND = (
    Label("strikes", "strikes now"),
    Label("acted", "has had its turn"),
    Label("sent", "has its target"),
    Label("victor", "victor"),
    Label("location", "Location of Interest"),
    Label("battle", "battle"),
    Label("resolved", "battle resolved"),
    Label("fallen", "struck down"),
)
OPPOSED = {st.PRECISION: st.DODGE, st.DODGE: st.PRECISION, st.DELAY: st.DELAY}
"""The track of the others that each of these tracks is compared with. HB-12, HB-14."""
MUSTER_HELP = (
    "Touch a tile. If you still have a Knight there after the battles, you earn its Resources. All choose in secret."
)
ALLIES = "Allies win together: their points add up, and each earns 1 less."
LAST = (st.PROPOSE_NOTHING, st.HOLD_BACK)


def view(book: Book, s: State, seat: int) -> View:
    """Lay out the table for a seat, or for a spectator (-1), from its blinded state. HB-6, HB-7, HB-22."""
    return _Table(book, s, seat).view()


def phase(book: Book, s: State, _: int) -> Phase:
    """Return the step of the season, and the number of the season; the note names the Location of Interest."""
    steps = (*STEPS, OVER) if s.over else STEPS
    key = OVER.key if s.over else PHASES.get(s.phase, "battles")
    note = "" if s.over else f"Location of Interest: {TILE_NAMES[s.location]}"
    return Phase(key, steps, s.season + 1, book.seasons, note, "season")


def question(book: Book, s: State, seat: int) -> Question:
    """Return the question to a seat that is to act."""
    if s.phase == st.MUSTER:
        words = f"Where do you send Knight {knights_sent(s, seat) + 1} of {book.knights}?"
        return Question("send", words, MUSTER_HELP)
    if s.phase == st.PLACE:
        return _of_cards(s, seat)
    if s.phase == st.ANSWER:
        return Question("answer", f"seat {s.proposer} offers you an alliance. Do you accept?", ALLIES)
    if s.phase == st.STRIKE:
        knight = nth_standing(s, seat, s.sent) + 1
        return Question("strike", f"Whom does your Knight {knight} strike?", "Several Knights on one target add up.")
    if s.phase == st.IMPROVE:
        return Question("raise", "Which of your attributes do you raise?", "It holds for all your Knights from now on.")
    if s.phase == st.CHOOSE_BATTLE:
        return Question("fight", "Which battle comes next?", "Nothing else happens before it is over.")
    return Question("propose", "To whom do you propose an alliance?", ALLIES)


def _of_cards(s: State, seat: int) -> Question:
    """Ask for a card and name the values that it changes; say so if the seat takes its discards up. HB-5, HB-7."""
    cards, first = s.hand[seat].bit_count(), s.attack[seat] == s.defence[seat]
    if first and cards == 1:
        words = "Do you attack or defend with the last card of your hand?"
        return Question("either", words, "For the other one you take your discards up.")
    taken_up = "You have taken your discards up." if cards == (0 if first else 1) else ""
    role, changed = ("defend", st.DEFENCE_SIDE) if s.attack[seat] != st.NONE else ("attack", st.ATTACK_SIDE)
    changes = f"It changes {and_list([VALUE_NAMES[value] for value in changed])}."
    return Question(role, f"Which card do you {role} with?", " ".join(filter(None, (taken_up, changes))))


class _Table:
    """The table of one viewer."""

    def __init__(self, book: Book, s: State, viewer: int):
        self.book, self.s, self.viewer = book, s, viewer
        self.asked = viewer in acting(r, book, s)

    def view(self) -> View:
        book, s, seats = self.book, self.s, range(self.book.seats)
        battle = Battle(book, s, self.viewer) if s.sides else None
        return View(
            tuple(self._zones(battle)),
            phase(book, s, self.viewer),
            question(book, s, self.viewer) if self.asked else None,
            self._scores(),
            tuple(self._counts()),
            battle.scene() if battle and is_running(s) else None,
            self._about() if self.asked else (),
            (*LEGEND, *(Label(f"allied.{seat}", f"allied with seat {seat}") for seat in seats)),
            LAST,
        )

    def _zones(self, battle: Battle | None) -> Iterator[Zone]:
        """Yield the zones of the other seats in their order, then the shared zones, then the viewer's own."""
        seats, me = self.book.seats, max(self.viewer, 0)
        for step in range(1, seats):
            yield from self._of_owner((me + step) % seats)
        if battle:
            yield from battle.zones()
        yield from self._common()
        if self.asked and self.s.phase == st.MUSTER:
            yield self._stock()
        yield from self._of_owner(me)

    def _scores(self) -> tuple[Score, ...]:
        """Return each seat's Resources and rank; improvement steps settle ties. HB-25."""
        seats = self.book.seats
        scores, ranks = [0] * seats, [0] * seats
        r.outcome(self.book, self.s, scores, ranks)
        return tuple(Score(seat, scores[seat], "Resources", True, (), ranks[seat]) for seat in range(seats))

    def _counts(self) -> Iterator[Count]:
        s, book = self.s, self.book
        for seat in range(book.seats):
            yield Count("place", seat, s.place[seat] + 1, None, "place in player order")
            yield Count("hand", seat, s.hand[seat].bit_count(), None, "cards in the Battle Hand")
            if book.bandits:
                yield Count("steps", seat, s.gained[seat], None, "improvements")

    def _about(self) -> tuple[str, ...]:
        """Return the ids of the pieces that the question to the viewer is about."""
        s, book, me = self.s, self.book, self.viewer
        if s.phase == st.MUSTER:
            return tuple(f"tile.{tile}" for tile in range(st.CASTLE + book.seats))
        if s.phase == st.CHOOSE_BATTLE:
            return tuple(f"tile.{tile}" for tile in range(st.CASTLE) if has_battle(book, s, me, tile))
        if s.phase == st.PLACE:
            return (f"side.{me}",)
        if s.phase == st.PROPOSAL:
            return tuple(f"side.{side}" for side in s.lineup[: s.sides] if may_ally(s, me, side))
        if s.phase == st.ANSWER:
            return (f"side.{s.proposer}",)
        if s.phase == st.STRIKE:
            return (f"fighter.{me}.{nth_standing(s, me, s.sent)}",)
        return tuple(f"{key_of(name)}.{me}" for name in TRACK_NAMES)

    def _of_owner(self, owner: int) -> Iterator[Zone]:
        """Yield the discards and the Battle Hand of a seat, or of the Bandits of a camp."""
        seat, camp = (owner, "") if owner < st.SEATS else (None, CAMP_NAMES[owner - st.SEATS])
        hand, discards = self._hand(owner, seat)
        if discards:
            words = f"Discards of the {camp}" if camp else f"{whose(owner, self.viewer)} discards"
            yield Zone(f"discards.{owner}", "pile", seat, "row", discards, len(discards), words)
        words = f"Battle Hand of the {camp}" if camp else f"{whose(owner, self.viewer)} Battle Hand"
        yield Zone(f"hand.{owner}", "hand", seat, "row" if camp else "fan", hand, len(hand), words)

    def _hand(self, owner: int, seat: int | None) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
        """Return the cards of a Battle Hand and its discards, without those placed in the battle that runs."""
        bits, placing = self._hand_bits(owner), self._placing(owner)
        roles = self._roles(owner)
        hand: list[Piece] = []
        discards: list[Piece] = []
        for number in range(self.book.cards[set_of(owner)]):
            if self._is_placed(owner, number):
                continue
            in_hand = bits >> number & 1
            where = f"{'hand' if in_hand else 'discards'}.{owner}.{number}"
            means = tuple([action + number for action in placing])
            piece = card(self.book, where, owner, number, seat, means, roles if in_hand else ())
            (hand if in_hand else discards).append(piece)
        return tuple(hand), tuple(discards)

    def _hand_bits(self, owner: int) -> int:
        """Return a bit for each card of a Battle Hand; a viewer who takes discards up sees them in it. HB-7."""
        s, book = self.s, self.book
        if s.over or s.phase != st.PLACE or owner != self.viewer or s.force[owner] == 0:
            return s.hand[owner]
        placed = [card for card in (s.attack[owner], s.defence[owner]) if card != st.NONE]
        if len(placed) == 1:
            return rest_of_hand(book, s, owner, placed[0])
        return hand_left(book, s, owner) if placed else hand_to_place(book, s, owner)

    def _is_placed(self, owner: int, number: int) -> bool:
        """Return whether the viewer knows that a card is placed in the battle that runs."""
        s = self.s
        side = self._side_of(owner)
        if side is None or not is_running(s):
            return False
        return any(placed != UNKNOWN and placed == number for placed in (s.attack[side], s.defence[side]))

    def _side_of(self, owner: int) -> int | None:
        """Return the side of the battle that an owner fights as, or None."""
        s, side = self.s, min(owner, st.BANDITS)
        return side if not s.over and s.force[side] > 0 and owner_of(s, side) == owner else None

    def _placing(self, owner: int) -> tuple[int, ...]:
        """Return the first actions of the kinds that touching a card of an owner can mean; the asked role first."""
        if not self.asked or owner != self.viewer or self.s.phase != st.PLACE:
            return ()
        return (st.ATTACK, st.DEFEND) if self.s.attack[owner] == st.NONE else (st.DEFEND, st.ATTACK)

    def _roles(self, owner: int) -> tuple[str, ...]:
        """Return the roles in which an owner's cards may be used now, for a viewer who places a card. HB-6, HB-7.

        For the viewer's own hand it is the role that is asked for; for the Bandits' hand it is both.
        """
        s = self.s
        if not self._placing(self.viewer) or (owner != self.viewer and self._side_of(owner) != st.BANDITS):
            return ()
        if owner >= st.SEATS or (s.hand[owner].bit_count() == 1 and s.attack[owner] == s.defence[owner]):
            return ROLES
        return ROLES[:1] if s.attack[owner] == st.NONE else ROLES[1:]

    def _common(self) -> Iterator[Zone]:
        """Yield the tiles, the players in order, and the Bandits."""
        s, book = self.s, self.book
        tiles = tuple(self._tile(tile) for tile in range(st.CASTLE + book.seats))
        yield Zone("tiles", "middle", None, "row", tiles, len(tiles), "Tiles")
        players = tuple(self._player(s.order[place], place) for place in range(book.seats))
        yield Zone("players", "track", None, "grid", players, len(players), "Players in order")
        if book.bandits:
            camps = tuple(self._camp(camp) for camp in range(st.CAMPS))
            yield Zone("camps", "track", None, "row", camps, len(camps), "Bandits")
            for camp in range(st.CAMPS):
                yield from self._of_owner(st.SEATS + camp)

    def _stock(self) -> Zone:
        """Yield the Knights that the viewer has not sent yet; the first of them can be sent to any tile. HB-22."""
        me, first = self.viewer, knights_sent(self.s, self.viewer)
        tiles = range(st.CASTLE + self.book.seats)
        reaches = tuple(Reach(st.SEND + tile, f"tile.{tile}") for tile in tiles)
        pieces = tuple(
            Piece(
                f"stock.{knight}",
                "knight",
                f"Knight {knight + 1}",
                text=texts.WAITING_KNIGHT if knight > first else texts.NEXT_KNIGHT,
                seat=me,
                state=frozenset({TOKEN}),
                reaches=() if knight > first else reaches,
            )
            for knight in range(first, self.book.knights)
        )
        return Zone("stock", "own", me, "row", pieces, len(pieces), "Your Knights to send")

    def _tile(self, tile: int) -> Piece:
        """Show a tile with its pay, and the Knights and Bandits on it. HB-23."""
        s, owner = self.s, tile - st.CASTLE if tile >= st.CASTLE else None
        there = [self._host(seat, tile) for seat in range(self.book.seats)]
        pay = st.CASTLE_PAYS
        if owner is None:
            there.append(self._bandits(tile))
            pay = pay_of(s, 0, tile)
        asked = self.asked and s.phase == st.MUSTER
        fights = self.asked and s.phase == st.CHOOSE_BATTLE and owner is None
        less = st.ALLIES_LOSE if s.shared >> tile & 1 else 0
        name = TILE_NAMES[tile] if owner is None else f"{whose(owner, self.viewer)} Castle"
        bandits = bool(self.book.bandits and owner is None)
        return Piece(
            f"tile.{tile}",
            key_of(name) if owner is None else "seat",
            name,
            kind="Castle" if owner is not None else "camp" if tile != st.CAPITAL else "tile",
            stats=(Stat("pay", pay, pay + less if less else None, "Resources"),),
            text=texts.of_tile(tile, pay, less, bandits),
            seat=owner,
            state=frozenset({TOKEN, *self._state(tile)}),
            means=(st.FIGHT + tile,) if fights else (),
            reaches=(Reach(st.SEND + tile, f"stock.{knights_sent(s, self.viewer)}"),) if asked else (),
            on_it=tuple(piece for piece in there if piece),
            not_now=self._no_battle(tile) if fights else "",
        )

    def _no_battle(self, tile: int) -> str:
        """Say in short why a tile has no battle that the viewer may choose; nothing if it has one. HB-3."""
        s = self.s
        if has_battle(self.book, s, self.viewer, tile):
            return ""
        if s.fought >> tile & 1:
            return "over"
        return "none of yours" if s.host[self.viewer][tile] == 0 else "nobody to fight"

    def _host(self, seat: int, tile: int) -> Piece | None:
        number = self.s.host[seat][tile]
        if number == UNKNOWN or number == 0:
            return None
        stat = Stat("knights", number, words="Knight" if number == 1 else "Knights")
        return token(f"knights.{seat}.{tile}", stat, key="knight", text=f"of seat {seat}", seat=seat)

    def _bandits(self, tile: int) -> Piece | None:
        number = self.s.bandits[tile]
        stat = Stat("bandits", number, words="Bandit" if number == 1 else "Bandits")
        return token(f"bandits.{tile}", stat, key="bandit") if number else None

    def _state(self, tile: int) -> Iterator[str]:
        s = self.s
        if tile == s.location:
            yield "location"
        if tile < st.CASTLE and s.fought >> tile & 1:
            yield "battle" if tile == s.tile and is_running(s) else "resolved"

    def _player(self, owner: int, place: int) -> Piece:
        """Show a player with Resources, improvement steps and attributes, at their place in player order."""
        s = self.s
        earned = [token(f"resources.{owner}", Stat("resources", s.resources[owner], words="Resources"))]
        if self.book.bandits:
            earned.append(token(f"steps.{owner}", Stat("steps", s.gained[owner], words="improvements")))
        return Piece(
            f"player.{owner}",
            "seat",
            f"seat {owner}",
            kind=f"place {place + 1} in player order",
            text=texts.PLAYER,
            seat=owner,
            at=(place, 0),
            state=frozenset({TOKEN}),
            on_it=(*earned, *self._attributes(owner)),
        )

    def _camp(self, camp: int) -> Piece:
        name, on_it = CAMP_NAMES[camp], tuple(self._attributes(st.SEATS + camp))
        state, text = frozenset({TOKEN}), texts.BANDITS_OF_CAMP
        return Piece(f"camp.{camp}", key_of(name), name, kind="Bandits", text=text, state=state, on_it=on_it)

    def _attributes(self, owner: int) -> Iterator[Piece]:
        """Yield the attributes of a player, or of the Bandits of a camp, each with the next value on its track."""
        raising = owner == self.viewer and self.s.phase == st.IMPROVE
        for track, name in enumerate(TRACK_NAMES):
            step, steps = self.s.step[owner][track], self.book.track[track][: self.book.steps[track]]
            is_last = step + 1 == len(steps)
            now, then = steps[step], steps[min(step + 1, len(steps) - 1)]
            values = (Stat(key_of(name), now, words=name),) + (() if is_last else (Stat("next", then, words="next"),))
            yield token(
                f"{key_of(name)}.{owner}",
                values[0],
                stats=values,
                kind="at its end" if is_last else f"step {step + 1} of {len(steps)}",
                text=texts.TRACKS[track],
                now=self._overtaken(owner, track, now, then) if raising and not is_last else (),
                means=(st.RAISE + track,) if raising else (),
                not_now="at its end" if raising and is_last else "",
            )

    def _overtaken(self, owner: int, track: int, now: int, then: int) -> tuple[Line, ...]:
        """Name the others whose value on the opposed track a step reaches or passes. HB-12, HB-14."""
        if track not in OPPOSED:
            return ()
        other, book, s = OPPOSED[track], self.book, self.s
        reached = range(then, now) if then < now else range(now + 1, then + 1)
        camps = range(st.SEATS, st.SEATS + st.CAMPS) if book.bandits else ()
        names = [
            f"seat {rival}" if rival < st.SEATS else f"the {CAMP_NAMES[rival - st.SEATS]}"
            for rival in (*range(book.seats), *camps)
            if rival != owner and book.track[other][s.step[rival][other]] in reached
        ]
        return (Line(f"reaches the {TRACK_NAMES[other]} of {and_list(names)}", (), "HB-14"),) if names else ()
