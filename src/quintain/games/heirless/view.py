"""Heirless battles: the table as a viewer sees it, and what a seat is asked."""

from collections.abc import Iterator
from functools import lru_cache

from quintain.engine.contract import acting, legal_mask
from quintain.engine.state import UNKNOWN
from quintain.engine.views import Choice, Piece, View, Zone
from quintain.games.heirless import rules as r
from quintain.games.heirless import state as st
from quintain.games.heirless.account import bound_words, card_of, change_of, is_revealed
from quintain.games.heirless.battle import has_twin_before, nth_standing
from quintain.games.heirless.battlecards import hand_left, hand_to_place, owner_of, rest_of_hand, set_of
from quintain.games.heirless.moves import name
from quintain.games.heirless.season import knights_sent
from quintain.games.heirless.state import Book, State
from quintain.games.heirless.words import (
    CAMP_NAMES,
    TILE_NAMES,
    TRACK_NAMES,
    VALUE_NAMES,
    bandits,
    knights,
    one_of,
    signed,
    tile_name,
    units_of,
)
from quintain.games.heirless.wounds import parts_of_blow, stands

ROLES = ("attack", "defence")
FACE_DOWN = {"attack": "card to attack, face down", "defence": "card to defend, face down"}
IN_BATTLE = (st.PLACE, st.PROPOSAL, st.ANSWER, st.STRIKE)
PHASES = {
    st.MUSTER: "muster",
    st.CHOOSE_BATTLE: "battles",
    st.PLACE: "placing cards",
    st.PROPOSAL: "alliances",
    st.ANSWER: "alliances",
    st.STRIKE: "battle turn",
    st.IMPROVE: "rewards",
}


def view(book: Book, s: State, seat: int) -> View:
    """Lay the table out for a seat (-1: a spectator) from its blinded state. HB-6, HB-7, HB-22."""
    return _Table(book, s, seat).view()


def phase(s: State) -> str:
    """Return the phase in a word or two."""
    return "over" if s.over else PHASES[s.phase]


def question(book: Book, s: State, seat: int) -> str:
    """Return what a seat that is to act is asked."""
    if s.phase == st.MUSTER:
        return f"Where do you send Knight {knights_sent(s, seat) + 1} of {book.knights}?"
    if s.phase == st.PLACE:
        return _of_cards(s, seat)
    if s.phase == st.ANSWER:
        return f"Do you accept the alliance that seat {s.proposer} proposes?"
    if s.phase == st.STRIKE:
        return f"Whom does your Knight {nth_standing(s, seat, s.sent) + 1} strike?"
    if s.phase == st.IMPROVE:
        return "Which of your attributes do you raise?"
    return "Which battle comes next?" if s.phase == st.CHOOSE_BATTLE else "To whom do you propose an alliance?"


def _of_cards(s: State, seat: int) -> str:
    """Ask for a card by what it changes; say so where the discards are taken up for it. HB-5, HB-7."""
    where, cards = f"at {tile_name(s.tile)}", s.hand[seat].bit_count()
    first = s.attack[seat] == s.defence[seat]
    if first and cards == 1:
        return f"Do you attack or defend {where} with the last card of your hand?"
    taken_up = "You take your discards up. " if cards == (0 if first else 1) else ""
    role, changed = ("defend", st.DEFENCE_SIDE) if s.attack[seat] != st.NONE else ("attack", st.ATTACK_SIDE)
    names = ", ".join(VALUE_NAMES[value] for value in changed)
    return f"{taken_up}Which card do you {role} with {where}: {names}?"


def _slug(words: str) -> str:
    return words.lower().replace(" ", "_")


class _Table:
    """The table of one viewer."""

    def __init__(self, book: Book, s: State, viewer: int):
        self.book, self.s, self.viewer = book, s, viewer
        self.to_act = acting(r, book, s)
        self.asked = viewer in self.to_act

    def view(self) -> View:
        s, seats = self.s, self.book.seats
        me = max(self.viewer, 0)
        zones: list[Zone] = []
        for step in range(1, seats):
            zones += self._of_seat((me + step) % seats)
        zones += self._common()
        zones += self._of_seat(me)
        counts = {"season": s.season + 1, "seasons in all": self.book.seasons}
        asked = question(self.book, s, self.viewer) if self.asked else ""
        return View(tuple(zones), self._menu(zones), asked, phase(s), self.to_act, counts)

    def _menu(self, zones: list[Zone]) -> tuple[Choice, ...]:
        if not self.asked:
            return ()
        pieces = [piece for zone in zones for whole in zone.pieces for piece in (whole, *whole.attached)]
        touched = {piece.action: piece.id for piece in pieces}
        mask = legal_mask(r, self.book, self.s, self.viewer)
        return tuple(
            Choice(action, name(self.book, self.s, self.viewer, action), touched.get(action))
            for action in range(st.ACTIONS)
            if mask[action]
        )

    def _whose(self, seat: int) -> str:
        return "Your" if seat == self.viewer else f"seat {seat}'s"

    def _of_seat(self, owner: int) -> Iterator[Zone]:
        """Yield the discards and the Battle Hand of a seat."""
        whose = self._whose(owner)
        hand, discards = self._hand(owner, owner)
        if discards:
            yield Zone(f"discards.{owner}", f"{whose} discards", owner, "row", discards, len(discards))
        yield Zone(f"hand.{owner}", f"{whose} Battle Hand", owner, "fan", hand, len(hand))

    def _of_camp(self, camp: int) -> Iterator[Zone]:
        """Yield the discards and the Battle Hand of a camp's Bandits."""
        owner, name_ = st.SEATS + camp, CAMP_NAMES[camp]
        hand, discards = self._hand(owner, None)
        if discards:
            yield Zone(f"discards.{owner}", f"Discards of the {name_}", None, "row", discards, len(discards))
        yield Zone(f"hand.{owner}", f"Battle Hand of the {name_}", None, "row", hand, len(hand))

    def _player(self, owner: int, place: int) -> Piece:
        """Show a player with Resources, improvement steps and attributes."""
        s = self.s
        earned = Piece(f"resources.{owner}", "resources", f"Resources {s.resources[owner]}", value=s.resources[owner])
        steps = Piece(f"steps.{owner}", "steps", f"improvements {s.gained[owner]}", value=s.gained[owner])
        attached = (earned, *([steps] if self.book.bandits else ()), *self._attributes(owner))
        return Piece(f"player.{owner}", "seat", f"seat {owner}", owner, (place, 0), attached=attached)

    def _attributes(self, owner: int) -> Iterator[Piece]:
        """Yield the attributes of a player or of a camp's Bandits, and what comes next on their tracks."""
        raising = self.asked and owner == self.viewer and self.s.phase == st.IMPROVE
        for track, name_ in enumerate(TRACK_NAMES):
            step, steps = self.s.step[owner][track], self.book.track[track][: self.book.steps[track]]
            then = f"then {steps[step + 1]}" if step + 1 < len(steps) else "at its end"
            action = st.RAISE + track if raising else None
            words = f"{name_} {steps[step]}, {then}"
            yield Piece(f"{_slug(name_)}.{owner}", _slug(name_), words, value=steps[step], action=action)

    def _hand(self, owner: int, seat: int | None) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
        """Return the cards of a Battle Hand, and its discards; cards of the running battle are in neither."""
        which, bits = set_of(owner), self._hand_bits(owner)
        roles, action = self._roles(owner), self._placing(owner)
        hand: list[Piece] = []
        discards: list[Piece] = []
        for card in range(self.book.cards[which]):
            in_hand = bits >> card & 1
            if self._is_placed(owner, card):
                continue
            where = f"{'hand' if in_hand else 'discards'}.{owner}.{card}"
            touch = None if action is None else action + card
            piece = self._card(where, which, card, seat, touch, roles if in_hand else ())
            (hand if in_hand else discards).append(piece)
        return tuple(hand), tuple(discards)

    def _hand_bits(self, owner: int) -> int:
        """Return the cards of a Battle Hand; to who places cards, with the discards that are taken up for it. HB-7."""
        s, book = self.s, self.book
        if s.over or s.phase != st.PLACE or owner != self.viewer or s.force[owner] == 0:
            return s.hand[owner]
        placed = [card for card in (s.attack[owner], s.defence[owner]) if card != st.NONE]
        if len(placed) == 1:
            return rest_of_hand(book, s, owner, placed[0])
        return hand_left(book, s, owner) if placed else hand_to_place(book, s, owner)

    def _is_placed(self, owner: int, card: int) -> bool:
        """Tell whether a card lies in the running battle, as far as the viewer knows."""
        s = self.s
        side = self._side_of(owner)
        if side is None or s.phase not in IN_BATTLE:
            return False
        return any(placed != UNKNOWN and placed == card for placed in (s.attack[side], s.defence[side]))

    def _side_of(self, owner: int) -> int | None:
        """Return as which side of the battle an owner fights, None if not at all."""
        s, side = self.s, min(owner, st.BANDITS)
        return side if not s.over and s.force[side] > 0 and owner_of(s, side) == owner else None

    def _placing(self, owner: int) -> int | None:
        """Return in which role touching a card of the own set places it: ATTACK or DEFEND."""
        if not self.asked or owner != self.viewer or self.s.phase != st.PLACE:
            return None
        return st.ATTACK if self.s.attack[owner] == st.NONE else st.DEFEND

    def _roles(self, owner: int) -> tuple[str, ...]:
        """Return in which roles a viewer who places a card is to read the numbers of an owner's hand. HB-6, HB-7.

        Of the own hand it is the role that is asked for; of the Bandits', whose set is another, both.
        """
        s = self.s
        if self._placing(self.viewer) is None or (owner != self.viewer and self._side_of(owner) != st.BANDITS):
            return ()
        if owner >= st.SEATS or (s.hand[owner].bit_count() == 1 and s.attack[owner] == s.defence[owner]):
            return ROLES
        return ROLES[:1] if s.attack[owner] == st.NONE else ROLES[1:]

    def _card(
        self,
        where: str,
        which: int,
        card: int,
        seat: int | None,
        action: int | None = None,
        roles: tuple[str, ...] = (),
    ) -> Piece:
        """Show a card, to be read with its numbers in some roles."""
        book = self.book
        changes = tuple(book.attack[which][card]), tuple(book.defence[which][card])
        return _card(where, book.card_name[which][card], changes, seat, action, roles)

    def _common(self) -> Iterator[Zone]:
        """Yield the battle, the tiles, the players in order, and the Bandits."""
        s, book = self.s, self.book
        if s.sides:
            yield from self._battle()
        tiles = tuple(self._tile(tile) for tile in range(st.CASTLE + book.seats))
        yield Zone("tiles", "Tiles", None, "row", tiles, len(tiles))
        players = tuple(self._player(s.order[place], place) for place in range(book.seats))
        yield Zone("players", "Players in order", None, "grid", players, len(players))
        if book.bandits:
            camps = tuple(self._camp(camp) for camp in range(st.CAMPS))
            yield Zone("camps", "Bandits", None, "row", camps, len(camps))
            for camp in range(st.CAMPS):
                yield from self._of_camp(camp)

    def _tile(self, tile: int) -> Piece:
        """Show a tile with who is there."""
        s, castle = self.s, tile >= st.CASTLE
        action = None
        if self.asked and s.phase == st.MUSTER:
            action = st.SEND + tile
        elif self.asked and s.phase == st.CHOOSE_BATTLE and not castle:
            action = st.FIGHT + tile
        there = [self._host(seat, tile) for seat in range(self.book.seats)]
        if not castle:
            there.append(self._bandits(tile))
        words = f"seat {tile - st.CASTLE}'s Castle" if castle else TILE_NAMES[tile]
        face = "seat" if castle else _slug(TILE_NAMES[tile])
        owner = tile - st.CASTLE if castle else None
        attached = tuple(piece for piece in there if piece)
        return Piece(
            f"tile.{tile}", face, words, owner, marks=tuple(self._tile_marks(tile)), action=action, attached=attached
        )

    def _host(self, seat: int, tile: int) -> Piece | None:
        number = self.s.host[seat][tile]
        if number == UNKNOWN or number == 0:
            return None
        return Piece(f"knights.{seat}.{tile}", "knight", f"{knights(number)}, of seat {seat}", seat, value=number)

    def _bandits(self, tile: int) -> Piece | None:
        number = self.s.bandits[tile]
        return Piece(f"bandits.{tile}", "bandit", bandits(number), value=number) if number else None

    def _tile_marks(self, tile: int) -> Iterator[str]:
        s = self.s
        if tile == s.location:
            yield "Location of Interest"
        if tile < st.CASTLE and s.fought >> tile & 1:
            yield "battle" if tile == s.tile and s.phase in IN_BATTLE and not s.over else "battle resolved"

    def _camp(self, camp: int) -> Piece:
        owner = st.SEATS + camp
        return Piece(f"camp.{camp}", _slug(CAMP_NAMES[camp]), CAMP_NAMES[camp], attached=tuple(self._attributes(owner)))

    def _battle(self) -> Iterator[Zone]:
        """Yield the running or the last battle: cards and values of each side, then its Knights."""
        s = self.s
        running = s.phase in IN_BATTLE and not s.over
        title = f"{'The' if running else 'The last'} battle, at {tile_name(s.tile)}"
        sides = tuple(self._side(s.lineup[i], i) for i in range(s.sides))
        yield Zone("battle", title, None, "grid", sides, len(sides))
        for side in s.lineup[: s.sides]:
            units = "The Bandits" if side == st.BANDITS else f"{self._whose(side)} Knights"
            pieces = tuple(self._fighter(side, knight) for knight in range(s.force[side]))
            yield Zone(f"fighters.{side}", f"{units} in the battle", None, "fan", pieces, len(pieces))

    def _side(self, side: int, row: int) -> Piece:
        """Show a side of the battle with its cards, its values and what has changed them, and its points."""
        s, seat = self.s, None if side == st.BANDITS else side
        action = None
        if self.asked and s.phase == st.PROPOSAL and side != self.viewer:
            action = st.PROPOSE + side
        words = "The Bandits" if side == st.BANDITS else f"seat {side}"
        face = "bandit" if side == st.BANDITS else "seat"
        attached = (*self._placed(side), *(self._values(side) if is_revealed(s) else self._before_cards(side)))
        marks = tuple(self._side_marks(side))
        return Piece(f"side.{side}", face, words, seat, (row, 0), marks=marks, action=action, attached=attached)

    def _side_marks(self, side: int) -> Iterator[str]:
        s = self.s
        if not is_revealed(s):
            return
        if s.ally[side] != st.NONE:
            yield f"allied with seat {s.ally[side]}"
        if s.phase == st.STRIKE and not s.over and side == s.actor:
            yield "strikes now"
        if s.victor != st.NONE and (side == s.victor or s.ally[s.victor] == side):
            yield "victor"

    def _placed(self, side: int) -> Iterator[Piece]:
        """Yield the cards that a side has placed; face down to others until all are open."""
        s, which = self.s, set_of(side)
        waiting = s.phase == st.PLACE and (side == st.BANDITS or s.waiting >> side & 1)
        for role, card in zip(ROLES, (s.attack[side], s.defence[side]), strict=True):
            where = f"{role}.{side}"
            if card != UNKNOWN and card != st.NONE:
                yield self._card(where, which, card, None, None, (role,))
            elif not waiting:
                yield Piece(where, None, FACE_DOWN[role])

    def _before_cards(self, side: int) -> Iterator[Piece]:
        """Yield the attributes that the cards of a side are going to change."""
        steps = self.s.step[owner_of(self.s, side)]
        for value, name_ in enumerate(TRACK_NAMES):
            now = self.book.track[value][steps[value]]
            yield Piece(f"{_slug(name_)}.side.{side}", _slug(name_), f"{name_} {now}", value=now)

    def _values(self, side: int) -> Iterator[Piece]:
        s, turn = self.s, self.s.turns[: self.s.sides].index(side) + 1
        for value in range(st.TRACKS):
            change, now = change_of(self.book, s, side, value), s.value[side][value]
            by = card_of(self.book, side, (s.attack if value in st.ATTACK_SIDE else s.defence)[side])
            bound = bound_words(self.book, s, side, value)
            how = f", {signed(change)} by {by}{bound}" if change else ""
            words = f"{VALUE_NAMES[value]} {now}{how}"
            yield Piece(f"{_slug(VALUE_NAMES[value])}.side.{side}", _slug(VALUE_NAMES[value]), words, value=now)
        yield Piece(f"turn.{side}", "turn", f"turn {turn}, by Delay", value=turn)
        if s.victor != st.NONE:
            yield Piece(f"points.{side}", "points", f"{s.points[side]} points", value=s.points[side])

    def _fighter(self, side: int, knight: int) -> Piece:
        """Show a Knight or a Bandit with its number, its owner's arms and its Wounds."""
        s, seat = self.s, None if side == st.BANDITS else side
        unit = "Bandit" if side == st.BANDITS else "Knight"
        where, words = f"fighter.{side}.{knight}", f"{unit} {knight + 1}"
        kind = "bandit" if side == st.BANDITS else "seat"
        if not is_revealed(s):
            return Piece(where, f"{kind}-{knight + 1}", words, seat)
        down, action = not stands(s, side, knight), None
        is_twin = not down and has_twin_before(s, side, knight)
        if self.asked and s.phase == st.STRIKE and side != self.viewer and not is_twin:
            action = st.TARGET + side * st.MOST_KNIGHTS + knight
        face = f"{'fallen' if down else kind}-{knight + 1}"
        return Piece(where, face, words, seat, action=action, attached=(self._wounds(side, knight, down),))

    def _wounds(self, side: int, knight: int, down: bool) -> Piece:
        """Show the Wounds of a Knight, and who strikes it in the running turn."""
        s = self.s
        words = f"{s.wounds[side][knight]} of {s.value[side][st.HEALTH]} Wounds"
        if down:
            words += ", struck down"
        if strikers := self._strikers(side, knight):
            words += f", struck by {one_of(strikers)}"
        return Piece(f"wounds.{side}.{knight}", "wounds", words, value=s.wounds[side][knight])

    def _strikers(self, side: int, knight: int) -> list[str]:
        """Say who has struck a Knight in this battle, and who strikes it in the running turn."""
        s = self.s
        blows = [parts_of_blow(blow) for blow in s.blow[: s.blows]]
        struck = [units_of(attacker, number) for attacker, *target, number in blows if target == [side, knight]]
        if s.phase == st.STRIKE and not s.over and s.aim[side][knight]:
            struck.append(f"{units_of(s.actor, s.aim[side][knight])} now")
        return struck


@lru_cache(4096)
def _card(
    where: str,
    title: str,
    changes: tuple[tuple[int, ...], tuple[int, ...]],
    seat: int | None,
    action: int | None,
    roles: tuple[str, ...],
) -> Piece:
    """Return a card with what it changes to attack and to defend; the same cards are met again at every look."""
    names = st.ATTACK_SIDE, st.DEFENCE_SIDE
    told = {
        role: ", ".join(f"{VALUE_NAMES[value]} {signed(change)}" for value, change in zip(values, numbers, strict=True))
        for role, values, numbers in zip(ROLES, names, changes, strict=True)
    }
    words = "; ".join(f"{role} {numbers}" for role, numbers in told.items())
    text = told[roles[0]] if len(roles) == 1 else words if roles else ""
    return Piece(where, f"card_{_slug(title)}", f"{title}: {words}", seat, action=action, text=text)
