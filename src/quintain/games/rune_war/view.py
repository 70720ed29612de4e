"""Rune War: the table as a viewer sees it, and what a seat is asked."""

from collections.abc import Iterator

from quintain.engine.contract import acting, legal_mask
from quintain.engine.state import UNKNOWN
from quintain.engine.views import FREE, Choice, Piece, View, Zone
from quintain.games.rune_war import rules as r
from quintain.games.rune_war import shape
from quintain.games.rune_war import state as st
from quintain.games.rune_war.account import SIDES, Battle
from quintain.games.rune_war.moves import ACTION_NAMES
from quintain.games.rune_war.state import Book, State
from quintain.games.rune_war.words import CARD_NAMES, PLACE_NAMES, RANK_NAMES, RUNE_NAMES, SUIT_NAMES, card_name

HAND_MEANS = {st.BUILD: st.LAY, st.TURN: st.LAY, st.RESPOND: st.ADD, st.GIVE_UP: st.DISCARD}
OWN_MEANS = {st.SUPPORT: st.TURN_UP, st.EXCHANGE_OF: st.AT, st.TAKE_BACK: st.AT}
AIMING = (st.AIM, st.FURTHER, st.LOOK_AT, st.DESTROY)
"""The phases in which touching a card of the hand, of the own defence or of another's has a meaning."""
IN_BATTLE = (st.SUPPORT, st.RESPOND, st.FURTHER, st.JOIN_SUITS)
COURT_LETTERS = ("P", "Kn", "Q", "K")
MARKS = (
    "exposed",
    "turned up",
    "face down, known to all",
    "face down, known to you",
    "chosen",
    "known to all",
    "known to you",
    "named",
)
PHASES = {
    st.BUILD: "building",
    st.TURN: "turn",
    st.LAY_AT: "laying",
    st.AIM: "attack",
    st.SUPPORT: "battle",
    st.RESPOND: "battle",
    st.FURTHER: "battle",
    st.JOIN_SUITS: "battle",
}
"""The names of the phases; in all others a rune of the field is at work."""
QUESTIONS = {
    st.TURN: "Do you lay a card, attack with one, or play a rune?",
    st.AIM: "Which exposed card do you attack?",
    st.SUPPORT: "Do you turn up a card in support?",
    st.FURTHER: "Which card do you attack next, or do you stop?",
    st.JOIN_SUITS: "Which two suits count as one on your side?",
    st.EXCHANGE_OR_NOT: "Do you exchange the two cards or put them back as they were?",
    st.TAKE_BACK: "Which of your exposed cards do you take back into your hand?",
    st.DESTROY: "Which exposed card do you destroy?",
    st.ON_SEAT: "Whom does it work on?",
    st.IN_ROW: "Which row does it work on?",
    st.FROM_PILE: "Which card do you take from the discard pile?",
    st.RETURN: "Which number card do you return to your hand?",
}


def _face(card: int) -> str:
    if card >= st.FIRST_RUNE:
        rune = card - st.FIRST_RUNE
        return f"{RUNE_NAMES[rune].lower().replace(' ', '_')}-{rune}"
    suit, rank = SUIT_NAMES[st.suit_of(card)].lower(), card % st.RANKS
    if st.number_of(card):
        return f"{suit}-{rank + 1}"
    return f"{suit}_{RANK_NAMES[rank].lower()}-{COURT_LETTERS[rank - st.HIGHEST_NUMBER]}"


FACES = tuple(map(_face, range(st.CARDS)))


def view(book: Book, s: State, seat: int) -> View:
    """Lay the table out for a seat (-1: a spectator) from its blinded state. RW-23."""
    return _Table(book, s, seat).view()


def phase(s: State) -> str:
    """Return the phase in a word or two."""
    if s.over:
        return "over"
    return PHASES[s.phase] if s.phase in PHASES else RUNE_NAMES[s.field_rune]


def question(s: State, seat: int) -> str:
    """Return what a seat that is to act is asked."""
    if s.phase in (st.BUILD, st.LAY_AT) and s.chosen[seat] != st.NONE:
        return f"Where do you lay {card_name(s.chosen[seat])}?"
    if s.phase == st.BUILD:
        return "Which card do you lay next, or is your defence done?" if s.defence_size[seat] else "What is your root?"
    if s.phase == st.RESPOND:
        cards = s.right - s.left - s.added
        may = f" You may add {cards} for the supporting ones." if cards and s.hand_size[seat] else ""
        return f"Do you answer?{may}"
    if s.phase == st.TURN and st.is_at(s, st.FIRST_RUNE, st.NONE):
        return "Do you lay a card or attack with one?"
    if s.phase == st.LOOK_AT:
        return "Which card do you look at?" if s.names == 0 else "Which other card do you look at, or is that all?"
    if s.phase == st.EXCHANGE_OF:
        return f"Which is the {'second' if s.names else 'first'} card that you take up?"
    if s.phase == st.GIVE_UP:
        return f"Which card do you discard? There {'is 1' if s.names == 1 else f'are {s.names}'} to go."
    return QUESTIONS[s.phase]


class _Table:
    """The table of one viewer."""

    def __init__(self, book: Book, s: State, viewer: int):
        self.book, self.s, self.viewer = book, s, viewer
        self.to_act = acting(r, book, s)
        self.asked = viewer in self.to_act

    def view(self) -> View:
        s, me = self.s, max(self.viewer, 0)
        zones: list[Zone] = []
        for step in range(1, self.book.seats):
            zones += self._of_seat((me + step) % self.book.seats)
        zones += self._common()
        zones += self._of_seat(me)
        playing = [seat for seat in range(self.book.seats) if not s.out[seat]]
        to_truce = max(min(st.MOST_TURNS - s.turns[seat], st.QUIET_TURNS - s.quiet[seat]) for seat in playing)
        counts = {"cards in the deck": s.deck_size, "cards in the discard pile": s.pile_size}
        counts["turns to a truce"] = max(to_truce, 0)
        asked = question(s, self.viewer) if self.asked else ""
        return View(tuple(zones), self._menu(zones), asked, phase(s), self.to_act, counts)

    def _menu(self, zones: list[Zone]) -> tuple[Choice, ...]:
        if not self.asked:
            return ()
        mask = legal_mask(r, self.book, self.s, self.viewer)
        touched = {piece.action: piece.id for zone in zones for piece in zone.pieces}
        held = {piece.face: piece.id for zone in zones if zone.id == f"hand.{self.viewer}" for piece in zone.pieces}
        return tuple(
            Choice(action, ACTION_NAMES[action], touched.get(action, held.get(_face_used(action))))
            for action in range(st.ACTIONS)
            if mask[action]
        )

    def _of_seat(self, owner: int) -> Iterator[Zone]:
        """Yield the defence and the hand of a seat; nothing of others' while the defences are built. RW-23."""
        if self.s.hand_size[owner] == UNKNOWN:
            return
        defence, hand = tuple(self._defence(owner)), tuple(self._hand(owner))
        state = ", out of the war" if self.s.out[owner] else ""
        whose = "Your" if owner == self.viewer else f"seat {owner}'s"
        size = sum(piece.face != FREE for piece in defence)
        yield Zone(f"defence.{owner}", f"{whose} defence{state}", owner, "pyramid", defence, size)
        yield Zone(f"hand.{owner}", f"{whose} hand", owner, "fan", hand, len(hand))

    def _defence(self, owner: int) -> Iterator[Piece]:
        """Yield the cards of a defence, and while its owner looks for a place those that are free."""
        s = self.s
        laying = self.asked and owner == self.viewer and s.phase in (st.BUILD, st.LAY_AT)
        for place in range(st.PLACES):
            row, column = st.ROW_OF[place], st.column_of(place)
            at, where = (row, column), f"defence.{owner}.{PLACE_NAMES[place]}"
            if shape.is_taken(s, owner, place):
                yield self._defender(owner, place, where, at)
            elif laying and shape.free_in_row(s, owner, row) >> column & 1:
                yield Piece(where, FREE, f"{PLACE_NAMES[place]}, free to build on", owner, at, action=st.AT + place)

    def _defender(self, owner: int, place: int, where: str, at: tuple[int, int]) -> Piece:
        s, card = self.s, self.s.defence[owner][place]
        action = None
        if self.asked and owner == self.viewer and s.phase in OWN_MEANS:
            action = OWN_MEANS[s.phase] + place
        elif self.asked and owner != self.viewer and s.phase in AIMING:
            action = st.AIM_AT + st.PLACES * owner + place
        marks = tuple(self._marks(owner, place))
        if card == UNKNOWN:
            return Piece(where, None, f"{PLACE_NAMES[place]}, face down", owner, at, marks=marks, action=action)
        words = f"{CARD_NAMES[card]}, at {PLACE_NAMES[place]}"
        return Piece(where, FACES[card], words, owner, at, marks=marks, action=action)

    def _marks(self, owner: int, place: int) -> Iterator[str]:
        s, (row, column) = self.s, (st.ROW_OF[place], st.column_of(place))
        if shape.exposed_in_row(s, owner, row) >> column & 1:
            yield "exposed"
        if self._in_battle() and owner == s.defender and row == s.row and s.left <= column <= s.right:
            yield "turned up"
        elif s.seen[owner][place] == st.ANYBODY:
            yield "face down, known to all"
        elif owner == self.viewer:
            yield from (f"seen by seat {other}" for other in range(st.SEATS) if s.seen[owner][place] >> other & 1)
        elif self.viewer != st.NONE and s.seen[owner][place] >> self.viewer & 1:
            yield "face down, known to you"
        named = place in s.named[: s.names]
        if named and s.phase == (st.LOOK_AT if owner == s.target else st.EXCHANGE_OF if owner == s.turn else st.NONE):
            yield "named"

    def _hand(self, owner: int) -> Iterator[Piece]:
        """Yield the cards of a hand that the viewer knows, then the backs of the others."""
        s, own = self.s, owner == self.viewer
        held = [card for card in range(st.CARDS) if st.is_at(s, card, st.HAND + owner)]
        for number, card in enumerate(held):
            action = HAND_MEANS[s.phase] + card if own and self.asked and s.phase in HAND_MEANS else None
            marks = tuple(self._hand_marks(owner, card))
            yield Piece(f"hand.{owner}.{number}", FACES[card], CARD_NAMES[card], owner, marks=marks, action=action)
        for number in range(len(held), s.hand_size[owner]):
            yield Piece(f"hand.{owner}.{number}", None, "a card, face down", owner)

    def _hand_marks(self, owner: int, card: int) -> Iterator[str]:
        s = self.s
        if s.over:
            return
        if s.known[card][max(self.viewer, 0)] == st.OPENLY:
            yield "known to all"
        elif owner != self.viewer:
            yield "known to you"
        else:
            yield from (f"known to seat {other}" for other in range(st.SEATS) if s.known[card][other])
        if owner == self.viewer and s.chosen[owner] == card:
            yield "chosen"

    def _in_battle(self) -> bool:
        return self.s.phase in IN_BATTLE and not self.s.over

    def _common(self) -> Iterator[Zone]:
        """Yield the deck, the running battle, and what has been discarded."""
        s = self.s
        backs = (Piece("deck.0", None, "the deck, face down"),) if s.deck_size else ()
        yield Zone("deck", "Deck", None, "stack", backs, s.deck_size)
        if self._in_battle():
            sides = tuple(piece for side in SIDES for piece in self._side(side))
            yield Zone("battle", "The battle", None, "row", sides, len(sides))
        takes = self.asked and s.phase in (st.FROM_PILE, st.RETURN)
        for where, zone, title in ((st.CAST_OFF, "cast", "Discarded in this turn"), (st.PILE, "pile", "Discard pile")):
            cards = [card for card in range(st.CARDS) if st.is_at(s, card, where)]
            if cards:
                yield Zone(zone, title, None, "row", tuple(self._discarded(zone, cards, takes)), len(cards))

    def _discarded(self, zone: str, cards: list[int], takes: bool) -> Iterator[Piece]:
        for number, card in enumerate(cards):
            action = st.TAKE + card if takes and zone == "pile" else None
            yield Piece(f"{zone}.{number}", FACES[card], CARD_NAMES[card], action=action)

    def _side(self, side: int) -> Iterator[Piece]:
        """Yield the cards of a side of the battle, its rune, and its points with how they come about."""
        s, battle = self.s, Battle(self.book, self.s)
        seat, prefix = battle.seat(side), "attack" if side == st.ATTACKER else "support"
        for number, card in enumerate(card for card in range(st.CARDS) if s.side[card] == side):
            yield Piece(f"{prefix}.{number}", FACES[card], CARD_NAMES[card], seat)
        rune = s.rune[side - st.ATTACKER]
        if rune != st.NONE:
            undone = ("undone by The Fool",) if st.FOOL in s.rune and rune != st.FOOL else ()
            yield Piece(f"{prefix}.rune", FACES[st.FIRST_RUNE + rune], RUNE_NAMES[rune], seat, marks=undone)
        courts = [
            f"{words} {worth}" for words, worth, _ in (battle.courts(side, suit) for suit in range(st.SUITS)) if words
        ]
        words = f"total {battle.totals[side]}: {'; '.join([f'numbers {battle.numbers(side)}', *courts])}"
        yield Piece(f"{prefix}.total", "total", words, seat, value=battle.totals[side])


def _face_used(action: int) -> str | None:
    """Return the face of the card of the hand that an action uses, if it uses one."""
    if st.PLAY <= action < st.AT:
        return FACES[st.FIRST_RUNE + action - st.PLAY]
    if st.ATTACK <= action < st.TURN_UP:
        return FACES[action - st.ATTACK]
    return None
