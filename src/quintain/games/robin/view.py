"""Robin in the Hood: the table as a viewer sees it.

It works on a state that is blinded for the viewer. `asking.py` words the question, `faces.py` shows cards, and
`stages.py` shows the four stages.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from quintain.engine import (
    UNKNOWN,
    Count,
    Label,
    Piece,
    Reach,
    Role,
    Scene,
    Score,
    Side,
    Stat,
    View,
    Zone,
    acting,
    back,
    legal_mask,
    ranked,
)
from quintain.games.robin import rules as r
from quintain.games.robin import state as st
from quintain.games.robin.asking import phase, question
from quintain.games.robin.faces import card_piece, level_stat
from quintain.games.robin.stages import FALLS, Stages
from quintain.games.robin.state import Book, State
from quintain.games.robin.words import CASTES, GROUPS, ONLOOKER, OWNER, POLITICS, RIVAL, Voice, some

CHOSEN, LEAVES = "played", "leaves"
LEGEND = (
    Label(CHOSEN, "chosen for this hand"),
    Label(LEAVES, "goes when the hand is judged"),
    Label(FALLS, "falls"),
    Label("open", "still open"),
    *(Label(group.lower(), group) for group in (*CASTES, *POLITICS)),
)
"""In a collection the caste and the politics of a character are states, so that painters can sort by them."""


def view(book: Book, s: State, seat: int) -> View:
    """Lay out the table for a seat, or for a spectator (-1), from its blinded state."""
    table = _Table(book, s, seat)
    zones = tuple(table.zones())
    asked = question(book, s, seat) if table.asked else None
    about = table.about(zones) if asked else ()
    return View(
        zones, phase(book, s, seat), asked, table.scores(), table.counts(), table.scene(about), about, LEGEND
    )  # fmt: skip


def _actions(piece: Piece) -> Iterator[int]:
    yield from piece.means
    yield from (reach.action for reach in piece.reaches)


class _Table:
    """The table as one viewer sees it; a spectator looks from seat 0."""

    def __init__(self, book: Book, s: State, viewer: int):
        self.book, self.s, self.viewer = book, s, viewer
        self.me, self.asked = max(viewer, 0), viewer in acting(r, book, s)
        self.seats = (1 - self.me, self.me)
        self.fighting = s.phase in (st.FIGHT, st.ENDED)
        asked = self.asked and s.phase == st.FIGHT
        self.stages = Stages(book, s, viewer, sorted(s.hand[self.me][: s.hand_size[self.me]]) if asked else ())

    def counts(self) -> tuple[Count, ...]:
        """Return the rounds that each seat has won, its cards left to draw, and the rounds drawn in a row.

        RH-6, RH-9, RH-18.
        """
        s, needed = self.s, self.book.victories
        counts = [Count("rounds", seat, s.victories[seat], needed, "rounds won") for seat in self.seats]
        if self.fighting:
            counts += [Count("pile", seat, s.pile_size[seat], None, "cards to draw") for seat in self.seats]
        if s.drawn:
            counts.append(Count("drawn", None, s.drawn, st.MOST_DRAWN, "drawn in a row"))
        return tuple(counts)

    def scores(self) -> tuple[Score, ...]:
        """Return the stages that each seat holds while a round is fought, else the rounds that it has won.

        RH-6, RH-15.
        """
        s, won, needed = self.s, self.s.victories, self.book.victories
        held = [sum(card != st.NONE for card in stages) for stages in s.stage]
        parts = [Count("stages", seat, held[seat], st.STAGES, "stages held") for seat in range(st.SEATS)]
        in_round = s.phase == st.FIGHT
        numbers = held if in_round else won
        unit = f"of {st.STAGES} stages" if in_round else f"of {some(needed, 'round')}"
        return tuple(
            Score(seat, numbers[seat], unit, True, (parts[seat],), rank) for seat, rank in enumerate(ranked(won))
        )

    def about(self, zones: Sequence[Zone]) -> tuple[str, ...]:
        """Return the ids of the pieces that the question is about. RH-7, RH-8, RH-10.

        These are the card to answer; or else all cards to choose from; or else the set that the viewer may keep.
        """
        s, me = self.s, self.me
        if s.phase == st.FIGHT and s.leader == 1 - me:
            card = s.chosen[s.leader]
            at = f"character.{s.leader}.{st.AGILITY}"
            return (at if card < self.book.characters else f"modifiers.{s.leader}.{card}",)
        mask = legal_mask(r, self.book, s, me)
        pieces = [(zone.id, piece) for zone in zones for piece in zone.pieces]
        can_be_chosen = tuple(piece.id for _, piece in pieces if any(mask[action] for action in _actions(piece)))
        return can_be_chosen or tuple(piece.id for zone, piece in pieces if zone == f"set.{me}")

    def scene(self, about: tuple[str, ...]) -> Scene | None:
        """Return the stages while a hand is played; before, the slots for the cards that the viewer chooses."""
        if self.s.phase == st.FIGHT:
            return self.stages.scene()
        if self.asked and self.s.phase == st.STAKE:
            return Scene("ante", "strip", "Your stake", slots=(None,), places=about)
        if self.asked and self.s.choosing[self.me] == st.PICKING:
            return self._active_set(about)
        return None

    def _active_set(self, about: tuple[str, ...]) -> Scene:
        """Return the set as far as it is chosen, with the sum of its levels on each stage and its castes. RH-8."""
        book, me = self.book, self.me
        cards = self._chosen_set()
        people = [book.character[card] for card in cards if card < book.characters]
        stats = [level_stat(stage, sum(who.level[stage] for who in people)) for stage in range(st.STAGES)]
        castes = [who.caste for who in people]
        stats += [Stat(GROUPS[of].lower(), castes.count(of), None, GROUPS[of]) for of in sorted(set(castes))]
        taken = tuple(f"set.{me}.{card}" for card in cards)
        slots = taken + (None,) * (book.active + book.modifiers - len(taken))
        side = Side(me, f"seat {me}", taken, tuple(stats), len(taken))
        return Scene("set", "strip", "Your active set", None, (side,), slots, (), about)

    def _chosen_set(self) -> list[int]:
        return sorted(self.s.pile[self.me][: self.s.pile_size[self.me]])

    def zones(self) -> Iterator[Zone]:
        """Yield the opponent's zones, the last comparison, the stages, and the viewer's own zones, the hand last."""
        other = 1 - self.me
        yield from self._stakes()
        if self.fighting:
            yield self._hand(other)
            yield from self._open(other)
        yield from self.stages.compared()
        if self.fighting:
            yield self.stages.zone()
            yield from self._open(self.me)
            yield from self._pile()
            yield self._hand(self.me)
        elif not self.s.over:
            yield from self._collections()

    def _stakes(self) -> Iterator[Zone]:
        """Yield the card that each seat has staked: face up to its owner alone, until the tournament is over. RH-7."""
        for seat in self.seats if not self.s.over else ():
            card, own = self.s.staked[seat], seat == self.viewer
            words = "Your stake" if own else f"Stake of seat {seat}"
            if card == UNKNOWN:
                yield Zone(f"stake.{seat}", "pile", seat, "stack", (back(f"stake.{seat}.0", seat),), 1, words)
            elif card != st.NONE:
                yield self._names(f"stake.{seat}", seat, [card], words)

    def _voice(self, owner: int) -> Voice:
        """Return how the viewer reads the texts of a seat's cards."""
        return OWNER if owner == self.viewer else ONLOOKER if self.viewer == st.NONE else RIVAL

    def _hand(self, owner: int) -> Zone:
        """Show a hand: face up to its owner, and to all once the tournament is over; otherwise backs."""
        s = self.s
        held = [] if UNKNOWN in s.hand[owner] else sorted(s.hand[owner][: s.hand_size[owner]])
        pieces = [
            card_piece(self.book, f"hand.{owner}.{n}", card, owner, st.PLAY + card, self._voice(owner))
            for n, card in enumerate(held)
        ]
        if self.asked and owner == self.me:
            there = f"character.{owner}.{st.AGILITY}"
            pieces = [replace(piece, means=(), reaches=(Reach(piece.means[0], there),)) for piece in pieces]
        if s.chosen[owner] != UNKNOWN and s.chosen[owner] in held:
            n = held.index(s.chosen[owner])
            pieces[n] = replace(pieces[n], state=frozenset({CHOSEN}))
        pieces += [back(f"hand.{owner}.{n}", owner) for n in range(len(held), s.hand_size[owner])]
        words = "Your hand" if owner == self.viewer else f"Hand of seat {owner}"
        return Zone(f"hand.{owner}", "hand", owner, "fan", tuple(pieces), s.hand_size[owner], words)

    def _open(self, owner: int) -> Iterator[Zone]:
        """Yield the open cards of a seat beside the stages: its modifiers in force and its dead cards."""
        s, modifiers = self.s, self.book.characters
        ruling = [modifiers + s.lasting[owner]] if s.lasting[owner] != st.NONE else []
        if s.leader == owner and s.chosen[owner] >= modifiers and not s.over:
            ruling.append(s.chosen[owner])
        alive = (*s.stage[owner], *ruling)
        dead = [card for card in range(self.book.cards) if s.shown[owner][card] and card not in alive]
        own = owner == self.viewer
        if self.book.modifiers and not s.over:
            words = "Your modifiers" if own else f"Modifiers of seat {owner}"
            shown = self._row(f"modifiers.{owner}", "own" if owner == self.me else "rival", owner, ruling, words)
            yield replace(shown, pieces=tuple(map(self._in_force, shown.pieces, ruling)))
        if dead:
            yield self._names(f"dead.{owner}", owner, dead, "Your dead cards" if own else f"Dead cards of seat {owner}")

    def _in_force(self, piece: Piece, card: int) -> Piece:
        """Mark a lasting modifier that an open card of this hand replaces or removes. RH-3."""
        assert piece.seat is not None
        stays = self.s.phase != st.FIGHT or card - self.book.characters in self.stages.now.in_force[piece.seat]
        return piece if stays else replace(piece, state=frozenset({LEAVES}))

    def _pile(self) -> Iterator[Zone]:
        """Yield the viewer's own draw pile in no order: it follows from the active set. RH-8."""
        if self.viewer != st.NONE and not self.s.over:
            yield self._names(f"pile.{self.me}", self.me, self._chosen_set(), "Your draw pile, in some order")

    def _collections(self) -> Iterator[Zone]:
        """Yield the collections to take or stake cards from, and the active set as far as it is chosen. RH-7, RH-8."""
        book, s, me = self.book, self.s, self.me
        for seat in (1 - me,) if self.viewer != st.NONE else range(st.SEATS):
            if not all(book.owned[seat][: book.cards]):
                cards = [card for card in range(book.cards) if book.owned[seat][card]]
                yield self._row(f"collection.{seat}", "offer", seat, cards, f"Collection of seat {seat}")
        if self.viewer == st.NONE:
            return
        chosen = self._chosen_set()
        if s.phase == st.CHOOSE_SET and chosen:
            yield self._row(f"set.{me}", "own", me, chosen, "Your active set")
        if not self.asked:
            return
        means = st.STAKE_CARD if s.phase == st.STAKE else st.TAKE if s.choosing[me] == st.PICKING else None
        taken = chosen if means == st.TAKE else []
        there = [card for card in range(book.cards) if book.owned[me][card] and card not in taken]
        if means == st.TAKE and len(chosen) >= book.active:
            there = [card for card in there if card >= book.characters]
        shown = self._row(f"collection.{me}", "offer", me, there, "Your collection", means)
        yield replace(shown, pieces=tuple(map(self._sorted_by_group, shown.pieces, there)))

    def _sorted_by_group(self, piece: Piece, card: int) -> Piece:
        """Give a card its caste and politics as states; a modifier stays as it is."""
        if card >= self.book.characters:
            return piece
        who = self.book.character[card]
        found = {GROUPS[group].lower() for group in (who.caste, who.politics) if group != st.EVERYBODY}
        return replace(piece, kind="Character", state=frozenset(found))

    def _row(self, zone: str, role: Role, owner: int, cards: list[int], words: str, means: int | None = None) -> Zone:
        """Return a zone of cards in a row, with their texts."""
        pieces = tuple(
            card_piece(
                self.book, f"{zone}.{card}", card, owner, st.NONE if means is None else means + card, self._voice(owner)
            )
            for card in cards
        )
        return Zone(zone, role, owner, "row", pieces, len(pieces), words)

    def _names(self, zone: str, owner: int, cards: list[int], words: str) -> Zone:
        """Return a zone of cards of which the table shows only the names."""
        pieces = tuple(card_piece(self.book, f"{zone}.{card}", card, owner, voice=self._voice(owner)) for card in cards)
        return Zone(zone, "pile", owner, "stack", pieces, len(cards), words)
