"""The table of Rune War as a viewer sees it: defences, hands, piles, the current battle, scores, and the question.

`view` is given a blinded state. `scene` makes the pieces of the battle; `reasons` repeats the question.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from quintain.engine import (
    DOWN,
    FREE,
    UNKNOWN,
    Count,
    Label,
    Phase,
    Piece,
    Question,
    Reach,
    Role,
    Scene,
    Score,
    View,
    Zone,
    acting,
    back,
    ranked,
)
from quintain.games.rune_war import battle as b
from quintain.games.rune_war import rules as r
from quintain.games.rune_war import scene, shape
from quintain.games.rune_war import state as st
from quintain.games.rune_war import turns as t
from quintain.games.rune_war.account import Battle
from quintain.games.rune_war.state import Book, State
from quintain.games.rune_war.words import PLACE_NAMES, RUNE_SHORT, card_name

HAND_MEANS = {st.SUPPORT: st.ADD, st.RESPOND: st.ADD, st.FURTHER: st.ADD, st.GIVE_UP: st.DISCARD}
"""For each phase in which a card in the hand goes to no place, the first action that a touch of it means."""
NOT_NOW = {st.SUPPORT: "attacker only", st.RESPOND: "no more cards", st.FURTHER: "in a battle only"}
"""For each phase of a battle, why a number or a court card of the hand cannot be used."""
OWN_MEANS = {st.SUPPORT: st.TURN_UP, st.EXCHANGE_OF: st.AT, st.TAKE_BACK: st.AT}
"""The same for a card of the defence of the seat that acts."""
AIMING = (st.AIM, st.FURTHER, st.LOOK_AT, st.DESTROY)
"""The phases in which a touch of another's defence card names it."""
NAMES_COVERED = (st.SUPPORT, st.EXCHANGE_OF, st.LOOK_AT, st.IN_ROW, st.ON_SEAT)
"""The phases in which covered cards can be named, too."""
LEGEND = (
    Label("exposed", "exposed"),
    Label("up", "turned up"),
    Label("known", "face down, known to all"),
    Label("seen", "face down, known to you"),
    Label("chosen", "chosen"),
    Label("held_openly", "known to all"),
    Label("held_seen", "known to you"),
    Label("named", "named"),
    Label("undone", "undone by The Fool"),
)
JOINING = {st.SUPPORT: b.legal_support, st.RESPOND: b.legal_response}
"""For each phase in which a card can join the battle, the rule that marks these actions."""
IN_TURN = (st.TURN, st.LAY_AT, st.AIM)
"""The phases in which a seat chooses what to do in its turn."""
IN_BATTLE = (st.SUPPORT, st.RESPOND, st.FURTHER, st.JOIN_SUITS)
"""The phases of a battle. In all others but BUILD and those of IN_TURN, a rune of the field asks something."""
ASKED = ("build", "turn", "place", "attack", "support", "answer", "further", "join", "look", "take_up", "exchange",
         "take_back", "destroy", "seat", "row", "take", "return", "give_up")  # fmt: skip
"""The key of the question of each phase."""
QUESTIONS = {
    st.TURN: "Do you lay a card, attack, or play a rune?",
    st.AIM: "Which exposed card do you attack?",
    st.SUPPORT: "Do you support the attacked card?",
    st.FURTHER: "Do you attack another card, or stop?",
    st.JOIN_SUITS: "Which two suits do you join?",
    st.EXCHANGE_OR_NOT: "Do you exchange the two cards?",
    st.TAKE_BACK: "Which of your exposed cards do you take back into your hand?",
    st.DESTROY: "Which exposed card do you destroy?",
    st.ON_SEAT: "Whose hand does the rune work on?",
    st.IN_ROW: "Which row does the rune work on?",
    st.FROM_PILE: "Which card do you take?",
    st.RETURN: "Which number card do you take?",
}
HELP = {
    st.BUILD: "The root is the card on top, 1.1: row 1, place 1. Cards that you do not lay are your hand.",
    st.TURN: "Choose a card, then the card that it attacks, or the free place where you lay it.",
    st.LAY_AT: "4.3 is the third place of row 4. The card lies face down, over those that it overlaps.",
    st.AIM: "The card that you attack is turned up. You need more points than its side; on a tie it holds.",
    st.SUPPORT: "Turn up a neighbour, or play a rune. You win a tie. If you lose, you lose all that is turned up.",
    st.FURTHER: "If you stop, you take the attacking cards back. If you lose a further attack, you lose them.",
    st.JOIN_SUITS: "They count as one on your side. Touch one suit, then the other.",
    st.LOOK_AT: "One to three cards of one opponent; you see them once all are named.",
    st.EXCHANGE_OF: "The others will not know which of the two lies where.",
    st.EXCHANGE_OR_NOT: "Otherwise they go back as they were. The others do not learn which.",
    st.RETURN: "For each card that you take, you discard another.",
}


OPEN_TEXT = "No card overlaps it, so it can be attacked."
COVERED_TEXT = "Covered: it cannot be attacked while a card overlaps it, but it can support its neighbour."


def _where(place: int) -> str:
    """Say which place its short name means, such as 4.3. RW-3.

    >>> _where(0), _where(8)
    ('The root, on top', 'Row 4, place 3')
    """
    return f"Row {st.ROW_OF[place] + 1}, place {st.column_of(place) + 1}" if place else "The root, on top"


def view(book: Book, s: State, seat: int) -> View:
    """Return the table as a seat (-1: a spectator) sees it. RW-23."""
    return _Table(book, s, seat).view()


def phase(book: Book, s: State, _: int) -> Phase:
    """Return the current step and the number of the turn. RW-15."""
    key, steps = _step(s)
    playing = [seat for seat in range(book.seats) if not s.out[seat]]
    number = s.turns[s.turn] + (0 if s.over and len(playing) > 1 else 1)
    return Phase(key, steps, 0 if s.phase == st.BUILD else number, st.MOST_TURNS, unit="turn")


def _step(s: State) -> tuple[str, tuple[Label, ...]]:
    """Return the key of the current step, and the steps of a turn; a rune of the field stands in for the battle."""
    turn, fight, drawing = Label("turn", "Turn"), Label("battle", "Battle"), Label("draw", "Draw")
    if s.over:
        return "over", (Label("over", "over"),)
    if s.phase == st.BUILD:
        return "build", (Label("build", "First defence"), turn, fight, drawing)
    if s.phase in IN_TURN:
        return "turn", (turn, fight, drawing)
    if s.phase in IN_BATTLE:
        return "battle", (turn, fight, drawing)
    return "rune", (turn, Label("rune", RUNE_SHORT[s.field_rune]), drawing)


def question(s: State, seat: int) -> Question:
    """Return the question to a seat that is to act."""
    if s.phase in (st.BUILD, st.LAY_AT) and s.chosen[seat] != st.NONE:
        return Question("place", f"Where do you lay {card_name(s.chosen[seat])}?", HELP[st.LAY_AT])
    words = QUESTIONS.get(s.phase, "")
    if s.phase == st.BUILD:
        words = (
            "Which card do you lay next, or is your defence done?"
            if s.defence_size[seat]
            else "Which card is your root?"
        )
    elif s.phase == st.RESPOND:
        return Question("answer", "How do you answer?", _allowance(s, seat))
    elif s.phase == st.SUPPORT and b.legal_support(s, seat, [0] * st.ACTIONS) == 1:
        return Question("support", "You can only hold back.", "You have no neighbour to turn up, and no rune to play.")
    elif s.phase == st.TURN and st.is_at(s, st.FIRST_RUNE, st.NONE):
        words = "Do you lay a card or attack with one?"
    elif s.phase == st.ON_SEAT and s.field_rune == st.TOWER:
        words = "Whose defence does The Tower show?"
    elif s.phase == st.LOOK_AT:
        words = "Which card do you look at?" if s.names == 0 else "Which other card do you look at, or is that all?"
    elif s.phase == st.EXCHANGE_OF:
        words = f"Which is the {'second' if s.names else 'first'} card that you take up?"
    elif s.phase == st.GIVE_UP:
        words = f"Which card do you discard? {s.names} to go."
    return Question(ASKED[s.phase], words, HELP.get(s.phase, ""))


def _allowance(s: State, seat: int) -> str:
    """Return how many cards the attacker may add, and who wins a tie. RW-9, RW-10."""
    cards = s.right - s.left - s.added
    may = f"You may add {'1 card' if cards == 1 else f'{cards} cards'}. " if cards and s.hand_size[seat] else ""
    if b.legal_response(s, seat, [0] * st.ACTIONS) == 1:
        may = "You have no card to add, and no rune to play. "
    return f"{may}seat {s.defender} wins a tie."


def scores(book: Book, s: State) -> tuple[Score, ...]:
    """Return the war scores. Equal scores are not certain: the points of hidden cards break the tie. RW-14, RW-15.

    While the first defences are built, only the viewer's own is known. RW-2.
    """
    known = [s.defence_size[seat] != UNKNOWN for seat in range(book.seats)]
    numbers = [t.score(s, seat) if known[seat] else 0 for seat in range(book.seats)]
    ranks = [1] * book.seats
    if s.over:
        t.outcome(book, s, [0] * book.seats, ranks)
    elif s.phase != st.BUILD:
        below = [s.out[seat] - st.SEATS - 1 if s.out[seat] else number for seat, number in enumerate(numbers)]
        ranks = list(ranked(below))
    certain = [bool(s.over) or ranks.count(rank) == 1 for rank in ranks]
    return tuple(
        Score(seat, number, "war score", certain[seat], _parts(s, seat) if known[seat] else (), ranks[seat])
        for seat, number in enumerate(numbers)
    )


def _parts(s: State, seat: int) -> tuple[Count, ...]:
    own = s.defence_size[seat]
    twice = 2 * min(s.destroyed[seat], own)
    return (
        Count("defence", seat, own, None, "cards in defence"),
        Count("destroyed", seat, twice, None, "2 for each card destroyed, up to the number left in defence"),
    )


class _Table:
    """The table of one viewer."""

    def __init__(self, book: Book, s: State, viewer: int):
        self.book, self.s, self.viewer = book, s, viewer
        to_act = acting(r, book, s)
        self.asked = viewer in to_act
        self.lays = self.asked and (s.phase in (st.TURN, st.BUILD, st.LAY_AT))
        self.actor = viewer if self.asked else max(to_act, default=st.NONE)
        self.battle = Battle(book, s) if scene.is_in_battle(s) else None
        self.joins = [0] * st.ACTIONS
        if self.asked and s.phase in JOINING:
            JOINING[s.phase](s, viewer, self.joins)

    def view(self) -> View:
        s, me = self.s, max(self.viewer, 0)
        zones: list[Zone] = []
        for step in range(1, self.book.seats):
            zones += self._of_seat((me + step) % self.book.seats)
        zones += self._common()
        zones += self._of_seat(me)
        meant = self._meant([piece for zone in zones for piece in zone.pieces])
        return View(
            tuple(zones),
            phase(self.book, s, self.viewer),
            question(s, self.viewer) if self.asked else None,
            scores(self.book, s),
            tuple(self._counts()),
            self._scene(meant),
            meant if self.asked else (),
            LEGEND,
            (st.HOLD, st.DONE, st.STOP),
            tuple([seat for seat in range(self.book.seats) if s.out[seat]]),
        )

    def _counts(self) -> Iterator[Count]:
        s = self.s
        yield Count("deck", None, s.deck_size, None, "deck")
        yield Count("pile", None, s.pile_size, None, "discards")
        playing = [seat for seat in range(self.book.seats) if not s.out[seat]]
        to_truce = max(min(st.MOST_TURNS - s.turns[seat], st.QUIET_TURNS - s.quiet[seat]) for seat in playing)
        yield Count("truce", None, max(to_truce, 0), None, "turns to a truce")
        for seat in range(self.book.seats):
            if s.hand_size[seat] != UNKNOWN:
                yield Count("hand", seat, s.hand_size[seat], None, "cards in hand")
                yield Count("defence", seat, s.defence_size[seat], None, "cards in defence")

    def _scene(self, meant: tuple[str, ...]) -> Scene | None:
        if self.battle:
            return scene.battle_scene(self.battle, self.viewer, meant)
        if self.s.over or self.s.phase == st.BUILD or self.s.phase in IN_TURN:
            return None
        return scene.rune_scene(self.s, meant)

    def _meant(self, pieces: Sequence[Piece]) -> tuple[str, ...]:
        """Return the ids of the pieces that the current question is about, even if it is not this viewer's."""
        found = self._candidates([piece for piece in pieces if not piece.is_free]) if self.actor != st.NONE else ()
        return next((tuple(piece.id for piece in meant) for meant in found if meant), ())

    def _candidates(self, pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
        """Yield groups of pieces; the first one that is not empty is what the question is about."""
        s, own = self.s, [piece for piece in pieces if piece.seat == self.actor]
        yield [piece for piece in own if "chosen" in piece.state]
        if s.phase == st.JOIN_SUITS:
            yield [piece for piece in own if piece.id.startswith(tuple(scene.PREFIXES.values())) and not piece.is_token]
        elif s.phase == st.FURTHER:
            open_places = self._open()
            yield [piece for piece in pieces if piece.id in open_places]
        elif self.battle:
            yield [piece for piece in pieces if "up" in piece.state]
        yield [piece for piece in pieces if "named" in piece.state]
        if s.phase in (st.BUILD, st.TURN, st.GIVE_UP):
            yield [piece for piece in own if piece.id.startswith("hand")]
        covered_too = s.phase not in (st.TAKE_BACK, st.DESTROY)
        yield [p for p in pieces if p.means and not p.is_token and (covered_too or "exposed" in p.state)]
        yield own

    def _open(self) -> set[str]:
        """Return the ids of the cards that a further attack may be against. RW-12."""
        s = self.s
        places = [place for place in range(st.PLACES) if b.open_in_row(s, st.ROW_OF[place]) >> st.column_of(place) & 1]
        return {scene.place_id(s.defender, place) for place in places}

    def _of_seat(self, owner: int) -> Iterator[Zone]:
        """Yield the defence and the hand of a seat; while defences are built, only the viewer's own. RW-23."""
        if self.s.hand_size[owner] == UNKNOWN:
            return
        defence, hand = tuple(self._defence(owner)), tuple(self._hand(owner))
        state = ", out of the war" if self.s.out[owner] else ""
        whose = "Your" if owner == self.viewer else f"seat {owner}'s"
        role: Role = "own" if owner == max(self.viewer, 0) else "rival"
        size = sum(not piece.is_free for piece in defence)
        yield Zone(f"defence.{owner}", role, owner, "pyramid", defence, size, f"{whose} defence{state}")
        yield Zone(f"hand.{owner}", "hand", owner, "fan", hand, len(hand), f"{whose} hand")

    def _defence(self, owner: int) -> Iterator[Piece]:
        """Yield the cards of a defence; while its owner may lay a card, also the free places."""
        free_places = self._free() if self.lays and owner == self.viewer else ()
        for place in range(st.PLACES):
            row, column = st.ROW_OF[place], st.column_of(place)
            if shape.is_taken(self.s, owner, place):
                yield self._defender(owner, place)
            elif place in free_places:
                free = Piece(scene.place_id(owner, place), name=PLACE_NAMES[place], kind="a free place", seat=owner)
                text = f"{_where(place)}. Free: every card that it would overlap is there."
                yield replace(free, at=(row, column), state=frozenset({FREE}), means=(st.AT + place,), text=text)

    def _free(self) -> list[int]:
        """Return the places where the viewer may lay a card. RW-3."""
        s, seat = self.s, self.viewer
        return [p for p in range(st.PLACES) if shape.free_in_row(s, seat, st.ROW_OF[p]) >> st.column_of(p) & 1]

    def _goals(self) -> tuple[Reach, ...]:
        """Return where a card of the viewer's hand may go: as in `Piece.reaches`, for card 0. RW-5."""
        s = self.s
        lays = [Reach(st.LAY, scene.place_id(self.viewer, place), st.AT + place) for place in self._free()]
        if s.phase != st.TURN:
            return tuple(lays)
        attacks = [
            Reach(st.ATTACK, scene.place_id(other, place), st.AIM_AT + st.PLACES * other + place)
            for other in range(self.book.seats)
            if other != self.viewer
            for place in range(st.PLACES)
            if shape.exposed_in_row(s, other, st.ROW_OF[place]) >> st.column_of(place) & 1
        ]
        return (*attacks, *lays)

    def _defender(self, owner: int, place: int) -> Piece:
        s, where = self.s, PLACE_NAMES[place]
        id_, card = scene.place_id(owner, place), s.defence[owner][place]
        state = frozenset(self._state(owner, place))
        if card == UNKNOWN:
            text = f"{_where(place)}. {OPEN_TEXT if 'exposed' in state else COVERED_TEXT}"
            piece = back(id_, owner, where, kind="a card face down", state=state | {DOWN}, text=text)
        else:
            shown = scene.piece_of(id_, card, owner)
            piece = replace(shown, kind=f"{shown.kind} at {where}: {_where(place).lower()}", state=state)
        is_known = s.over or st.has_seen(s, st.SPECTATORS, owner, place)
        others = () if is_known else (other for other in range(self.book.seats) if other not in (owner, self.viewer))
        return replace(
            piece,
            at=(st.ROW_OF[place], st.column_of(place)),
            known_to=tuple(other for other in others if st.has_seen(s, other, owner, place)),
            means=self._defence_means(owner, place),
            not_now="" if "exposed" in state or self.s.phase in NAMES_COVERED else "covered",
        )

    def _state(self, owner: int, place: int) -> Iterator[str]:
        s, (row, column) = self.s, (st.ROW_OF[place], st.column_of(place))
        if shape.exposed_in_row(s, owner, row) >> column & 1:
            yield "exposed"
        if s.over:
            return
        if self.battle and owner == s.defender and place in scene.turned_up(s):
            yield "up"
        elif st.has_seen(s, st.SPECTATORS, owner, place):
            yield "known"
        elif owner != self.viewer != st.NONE and st.has_seen(s, self.viewer, owner, place):
            yield "seen"
        naming = (st.LOOK_AT,) if owner == s.target else (st.EXCHANGE_OF, st.EXCHANGE_OR_NOT)
        if s.phase in naming and owner in (s.target, s.turn) and place in s.named[: s.names]:
            yield "named"

    def _defence_means(self, owner: int, place: int) -> tuple[int, ...]:
        """Return the actions that a touch of a defence card means for the seat that acts."""
        s, own, row = self.s, owner == self.actor, st.ROW_OF[place]
        if s.phase == st.IN_ROW and owner == (s.target if s.field_rune == st.TOWER else s.turn):
            return (st.ROW + row,)
        if s.phase == st.ON_SEAT and s.field_rune == st.TOWER and not own:
            return (st.ON + owner,)
        if own and s.phase in OWN_MEANS:
            return (OWN_MEANS[s.phase] + place,)
        return () if own or s.phase not in (*AIMING, st.TURN) else (st.AIM_AT + st.PLACES * owner + place,)

    def _hand(self, owner: int) -> Iterator[Piece]:
        """Yield the cards of a hand that the viewer knows, then the others as backs."""
        s = self.s
        held = scene.lying(s, st.HAND + owner)
        lays = self.lays and owner == self.viewer and s.chosen[owner] == st.NONE
        goals = self._goals() if lays else ()
        on = (st.ON + owner,) if s.phase == st.ON_SEAT and s.field_rune != st.TOWER and owner != self.actor else ()
        for number, card in enumerate(held):
            piece = scene.piece_of(f"hand.{owner}.{number}", card, owner)
            known_to = tuple(self._others_who_know(owner, card))
            state, means = frozenset(self._hand_state(owner, card)), on or self._hand_means(owner, card)
            reaches = tuple([reach._replace(action=reach.action + card) for reach in goals])
            if owner == self.actor:
                joining = scene.joining(s, self.joins, card)
                reaches, means = (*reaches, *joining), tuple([action for action in means if not self.joins[action]])
            not_now = self._not_now(card) if owner == self.actor else ""
            yield replace(piece, state=state, known_to=known_to, means=means, reaches=reaches, not_now=not_now)
        for number in range(len(held), s.hand_size[owner]):
            text = "Cards in a hand attack, support an attack, or are laid into the defence."
            yield back(f"hand.{owner}.{number}", owner, means=on, text=text)

    def _hand_state(self, owner: int, card: int) -> Iterator[str]:
        s = self.s
        if s.over:
            return
        if s.known[card][max(self.viewer, 0)] == st.OPENLY:
            yield "held_openly"
        elif owner != self.viewer:
            yield "held_seen"
        if owner == self.viewer and s.chosen[owner] == card:
            yield "chosen"

    def _others_who_know(self, owner: int, card: int) -> list[int]:
        """Return the other seats that know a card of the viewer's own hand; none if everybody knows it. RW-23."""
        known = self.s.known[card]
        if self.s.over or owner != self.viewer or known[owner] == st.OPENLY:
            return []
        return [other for other in range(self.book.seats) if known[other]]

    def _hand_means(self, owner: int, card: int) -> tuple[int, ...]:
        """Return the actions that a touch of a card in the hand means for the seat that acts. RW-20."""
        s, rune = self.s, card - st.FIRST_RUNE
        if owner != self.actor:
            return ()
        means = (HAND_MEANS[s.phase] + card,) if s.phase in HAND_MEANS else ()
        if rune >= 0 and s.phase == st.TURN and not st.OF_BATTLE[rune]:
            return (st.PLAY + rune,)
        if rune >= 0 and s.phase in (st.SUPPORT, st.RESPOND) and st.OF_BATTLE[rune]:
            return (st.PLAY + rune, *means)
        return means

    def _not_now(self, card: int) -> str:
        """Return in a few words why a card of the hand cannot be used in this battle. RW-9, RW-20."""
        s, rune = self.s, card - st.FIRST_RUNE
        if rune < 0 or s.phase == st.FURTHER:
            return NOT_NOW.get(s.phase, "")
        if not st.OF_BATTLE[rune]:
            return "on your turn only"
        side = 0 if s.phase == st.RESPOND else 1
        return "one rune a side" if s.rune[side] != st.NONE else "attacker only"

    def _common(self) -> Iterator[Zone]:
        """Yield the deck, the current battle, the cards discarded in this turn, and the discard pile."""
        s = self.s
        backs = (back("deck.0", name="the deck, face down"),) if s.deck_size else ()
        yield Zone("deck", "pile", None, "stack", backs, s.deck_size, "Deck")
        if self.battle:
            sides = (*scene.battle_pieces(self.battle), *scene.free_places(s, self.joins))
            yield Zone("battle", "middle", None, "row", sides, len(sides), "The battle")
        yield from self._choices()
        takes = s.phase in (st.FROM_PILE, st.RETURN)
        for where, zone, title in ((st.CAST_OFF, "cast", "Discarded in this turn"), (st.PILE, "pile", "Discard pile")):
            cards = scene.lying(s, where)
            pieces = [scene.piece_of(f"{zone}.{number}", card) for number, card in enumerate(cards)]
            if takes and zone == "pile":
                pieces = [replace(piece, means=(st.TAKE + card,)) for piece, card in zip(pieces, cards, strict=True)]
            if cards:
                yield Zone(zone, "pile", None, "row", tuple(pieces), len(cards), title)

    def _choices(self) -> Iterator[Zone]:
        """Yield what this viewer can choose that is no card: the suits of The Lovers, or the rows of a defence."""
        s = self.s
        if not self.asked:
            return
        if s.phase == st.JOIN_SUITS:
            suits = tuple(scene.suit_pieces())
            yield Zone("suits", "offer", None, "row", suits, len(suits), "Suits to join")
        if s.phase == st.IN_ROW:
            owner = s.target if s.field_rune == st.TOWER else s.turn
            rows = tuple(scene.row_pieces(s, owner))
            yield Zone("rows", "offer", None, "row", rows, len(rows), "Rows")
