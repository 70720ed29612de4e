"""Robin in the Hood: the table as a viewer sees it, and the question to a seat.

It works on a state that is blinded for the viewer. `account.py` explains the levels that are shown here.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from quintain.engine.contract import acting, legal_mask
from quintain.engine.state import UNKNOWN
from quintain.engine.views import (
    FREE,
    Count,
    Label,
    Line,
    Phase,
    Piece,
    Question,
    Role,
    Scene,
    Score,
    Side,
    Stat,
    View,
    Zone,
    back,
    ranked,
    token,
)
from quintain.games.robin import levels as lv
from quintain.games.robin import rules as r
from quintain.games.robin import state as st
from quintain.games.robin.account import as_it_stands, comparison
from quintain.games.robin.state import Book, State
from quintain.games.robin.words import GROUPS, STAGES, card_name, colour, groups, some

PIECES_KEPT = 8192
STAGE_KEYS = tuple(stage.lower() for stage in STAGES)
MEANS = {st.STAKE: st.STAKE_CARD, st.CHOOSE_SET: st.TAKE, st.FIGHT: st.PLAY}
"""The first of the actions that touching a card means in each phase."""
CHOSEN = "chosen"
LEGEND = (Label(CHOSEN, "chosen"),)
STEPS = {st.STAKE: "ante", st.CHOOSE_SET: "sets", st.FIGHT: "hand", st.ENDED: "over"}
"""The key of each phase."""


def view(book: Book, s: State, seat: int) -> View:
    """Lay out the table for a seat, or for a spectator (-1), from its blinded state."""
    table = _Table(book, s, seat)
    zones = tuple(table.zones())
    asked = question(book, s, seat) if table.asked else None
    about = table.about(zones) if asked else ()
    return View(zones, phase(book, s), asked, table.scores(), table.counts(), table.scene(about), about, LEGEND)


def phase(book: Book, s: State) -> Phase:
    """Return the current step of a round, with the number of the round."""
    words = {"ante": "ante", "sets": "active sets", "hand": f"round {s.round}, hand {s.hands + 1}", "over": "over"}
    steps = tuple(Label(key, name) for key, name in words.items() if key != "ante" or book.ante)
    return Phase(STEPS[st.ENDED if s.over else s.phase], steps, max(s.round, 1))


def question(book: Book, s: State, seat: int) -> Question:
    """Return the question to a seat that may act. RH-7, RH-8, RH-10."""
    if s.phase == st.STAKE:
        return Question("stake", "Which card do you stake?")
    if s.phase == st.CHOOSE_SET:
        if s.choosing[seat] == st.ASKED:
            return Question("set", "With which active set do you play this round?")
        taken = s.pile_size[seat]
        if taken < book.active:
            words = "Which character do you take into your active set?"
            return Question("character", words, f"You have {taken} of {book.active}.")
        return Question(
            "modifier", "Which modifier do you take?", f"You have {taken - book.active} of {book.modifiers}."
        )
    if s.leader == st.NONE:
        return Question("play", "Which card do you play?", "Both choose in secret.")
    if s.leader == seat:
        return Question("lead", "Which card do you play?", "You play first, openly.")
    return Question("answer", f"Which card do you answer {card_name(book, s.chosen[s.leader])} with?")


@lru_cache(1024)
def card_key(called: str) -> str:
    """Return the key of a card's picture: its name in small letters, with underscores."""
    return re.sub(r"\W+", "_", called.casefold())


@lru_cache(1024)
def level_key(stage: int, level: int) -> str:
    """Return the key of the picture of a level: its stage and colour, and its number in the corner. RH-1.

    >>> level_key(st.WEAPONS, 3), level_key(st.ENDURANCE, 7), level_key(st.AGILITY, -1)
    ('weapons_red-3', 'endurance_gold-7', 'agility_gray--1')
    """
    return f"{STAGE_KEYS[stage]}_{colour(level).lower()}-{level}"


def _stat(stage: int, level: int, printed: int | None = None) -> Stat:
    """Return the level on a stage, and the printed level if it differs."""
    return Stat(STAGE_KEYS[stage], level, None if printed == level else printed, STAGES[stage])


def _level(place: str, stage: int, stat: Stat, owner: int | None = None, kind: str = "level") -> Piece:
    """Show a level with its colour, on a card or on a stage. RH-1."""
    key, level = level_key(stage, stat.number), stat.number
    return token(place, stat, key=key, kind=kind, corner=str(level), text=colour(level), seat=owner)


def _nobody(at: str, level_at: str, owner: int) -> tuple[Piece, Piece]:
    """Return two empty places: for a character and for its level."""
    free = frozenset({FREE})
    return Piece(at, None, "nobody", seat=owner, state=free), Piece(level_at, seat=owner, state=free)


@lru_cache(PIECES_KEPT)
def _page(place: str, called: str, kind: str, text: str, levels: tuple[int, ...], owner: int, action: int) -> Piece:
    """Show a card face up with its text; a character has its levels on it."""
    stats = tuple(_stat(stage, level) for stage, level in enumerate(levels))
    on_it = tuple(_level(f"{place}.{stage}", stage, stat) for stage, stat in enumerate(stats))
    means = () if action == st.NONE else (action,)
    return Piece(
        place, card_key(called), called, kind=kind, stats=stats, text=text, seat=owner, means=means, on_it=on_it
    )


class _Table:
    """The table as one viewer sees it; a spectator looks from seat 0."""

    def __init__(self, book: Book, s: State, viewer: int):
        self.book, self.s, self.viewer = book, s, viewer
        self.me, self.asked = max(viewer, 0), viewer in acting(r, book, s)
        self.seats = (1 - self.me, self.me)
        self.fighting = s.phase in (st.FIGHT, st.ENDED)

    def counts(self) -> tuple[Count, ...]:
        """Return how many cards each seat has left to draw. RH-9."""
        s, counts = self.s, list[Count]()
        if self.fighting:
            counts += [Count("pile", seat, s.pile_size[seat], None, "cards to draw") for seat in self.seats]
        return tuple(counts)

    def scores(self) -> tuple[Score, ...]:
        """Return each seat's score: rounds won, with the number of stages that it holds now. RH-6, RH-15."""
        won, needed = self.s.victories, self.book.victories
        unit = f"of {some(needed, 'round')}"
        held = [sum(card != st.NONE for card in stages) for stages in self.s.stage]
        return tuple(
            Score(seat, won[seat], unit, True, (Count("stages", seat, held[seat], st.STAGES, "stages held"),), rank)
            for seat, rank in enumerate(ranked(won))
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
        can_be_chosen = tuple(piece.id for _, piece in pieces if any(mask[action] for action in piece.means))
        return can_be_chosen or tuple(piece.id for zone, piece in pieces if zone == f"set.{me}")

    def scene(self, about: tuple[str, ...]) -> Scene | None:
        """Return the stages while a hand is played; before, the slots for the cards that the viewer chooses."""
        if self.s.phase == st.FIGHT:
            return self._stages()
        if self.asked and self.s.phase == st.STAKE:
            return Scene("ante", "strip", "Your stake", slots=(None,), places=about)
        if self.asked and self.s.choosing[self.me] == st.PICKING:
            return self._active_set(about)
        return None

    def _stages(self) -> Scene:
        """Compare the stages as they are now, except Agility, where cards are still to come. RH-12, RH-13."""
        now = as_it_stands(self.book, self.s)
        sides = []
        for owner in self.seats:
            there = [stage for stage in range(st.STAGES) if now.fought[owner][stage] != st.NONE]
            stats = tuple(self._final(now, owner, stage) for stage in there)
            places = tuple(f"character.{owner}.{stage}" for stage in there)
            sides.append(Side(owner, f"seat {owner}", places, stats, len(there)))
        lines = tuple(comparison(self.book, now, st.WEAPONS))
        places = tuple(f"stage.{stage}" for stage in range(st.STAGES))
        return Scene("comparison", "stage", "The stages as they stand", None, tuple(sides), (), lines, places)

    def _active_set(self, about: tuple[str, ...]) -> Scene:
        """Return the set as far as it is chosen, with the sum of its levels on each stage and its castes. RH-8."""
        book, me = self.book, self.me
        cards = self._chosen_set()
        people = [book.character[card] for card in cards if card < book.characters]
        stats = [_stat(stage, sum(who.level[stage] for who in people)) for stage in range(st.STAGES)]
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
        if self.fighting:
            yield self._hand(other)
            yield from self._open(other)
        compared = tuple(self._compared(stage) for stage in range(st.STAGES) if self._fought_in(stage))
        if compared:
            yield Zone("compared", "middle", None, "row", compared, len(compared), "The last comparison")
        if self.fighting:
            stages = tuple(map(self._stage, range(st.STAGES)))
            yield Zone("stages", "middle", None, "row", stages, st.STAGES, "The stages")
            yield from self._open(self.me)
            yield from self._pile()
            yield self._hand(self.me)
        elif not self.s.over:
            yield from self._collections()

    def _printed(self, card: int) -> tuple[str, str]:
        """Return the kind of a card, such as its caste, and its printed text. RH-1, RH-3."""
        if card >= self.book.characters:
            return "Modifier", self.book.modifier[card - self.book.characters].text
        return groups(self.book.character[card]), self.book.character[card].text

    def _card(self, place: str, card: int, owner: int, action: int = st.NONE) -> Piece:
        """Show a card face up."""
        levels = tuple(self.book.character[card].level) if card < self.book.characters else ()
        return _page(place, card_name(self.book, card), *self._printed(card), levels, owner, action)

    def _hand(self, owner: int) -> Zone:
        """Show a hand: face up to its owner, and to all once the tournament is over; otherwise backs."""
        s = self.s
        held = [] if UNKNOWN in s.hand[owner] else sorted(s.hand[owner][: s.hand_size[owner]])
        pieces = [self._card(f"hand.{owner}.{n}", card, owner, st.PLAY + card) for n, card in enumerate(held)]
        if s.chosen[owner] != UNKNOWN and s.chosen[owner] in held:
            n = held.index(s.chosen[owner])
            pieces[n] = replace(pieces[n], state=frozenset({CHOSEN}))
        pieces += [back(f"hand.{owner}.{n}", owner) for n in range(len(held), s.hand_size[owner])]
        words = "Your hand" if owner == self.viewer else f"Hand of seat {owner}"
        return Zone(f"hand.{owner}", "hand", owner, "fan", tuple(pieces), s.hand_size[owner], words)

    def _stage(self, stage: int) -> Piece:
        """Show a stage with the characters of both sides and their printed levels on it."""
        sides = tuple(part for owner in self.seats for part in self._side(stage, owner))
        return Piece(f"stage.{stage}", STAGE_KEYS[stage], STAGES[stage], on_it=sides)

    def _side(self, stage: int, owner: int) -> tuple[Piece, Piece]:
        card = self.s.stage[owner][stage]
        at, level_at = f"character.{owner}.{stage}", f"level.{owner}.{stage}"
        if card == st.NONE:
            return _nobody(at, level_at, owner)
        called, (kind, text) = card_name(self.book, card), self._printed(card)
        printed = _stat(stage, self.book.character[card].level[stage])
        character = Piece(at, card_key(called), called, kind=kind, text=text, seat=owner)
        return character, _level(level_at, stage, printed, owner)

    def _fought_in(self, stage: int) -> bool:
        return any(self.s.fought[owner][stage] != st.NONE for owner in self.seats)

    def _compared(self, stage: int) -> Piece:
        """Show the last comparison of a stage: the final levels and their changes. RH-12, RH-13."""
        sides = tuple(part for owner in self.seats for part in self._fought(stage, owner))
        return Piece(f"compared.{stage}", STAGE_KEYS[stage], STAGES[stage], on_it=sides)

    def _fought(self, stage: int, owner: int) -> tuple[Piece, Piece]:
        """Show the character that fought for a side on a stage, and its final level."""
        s, card = self.s, self.s.fought[owner][stage]
        at, final_at = f"character.{owner}.{stage}.compared", f"final.{owner}.{stage}"
        if card == st.NONE:
            return _nobody(at, final_at, owner)
        called, (kind, _) = card_name(self.book, card), self._printed(card)
        changes = (s.by_skills[owner][stage], "skills", "RH-2"), (s.by_modifiers[owner][stage], "modifiers", "RH-3")
        now = tuple(Line(f"{change:+d} by {by}", (), clause) for change, by, clause in changes if change)
        final = _level(final_at, stage, self._final(s, owner, stage), owner, "final level")
        return Piece(at, card_key(called), called, kind=kind, seat=owner), replace(final, now=now)

    def _final(self, s: State, owner: int, stage: int) -> Stat:
        """Return the final level in a comparison, and the printed level if it differs. RH-12."""
        printed = self.book.character[s.fought[owner][stage]].level[stage]
        return _stat(stage, lv.level(self.book, s, owner, stage), printed)

    def _open(self, owner: int) -> Iterator[Zone]:
        """Yield the open cards of a seat beside the stages: its modifiers in force and its dead cards."""
        s, modifiers = self.s, self.book.characters
        ruling = [modifiers + s.lasting[owner]] if s.lasting[owner] != st.NONE else []
        if s.leader == owner and s.chosen[owner] >= modifiers and not s.over:
            ruling.append(s.chosen[owner])
        alive = (*s.stage[owner], *ruling)
        dead = [card for card in range(self.book.cards) if s.shown[owner][card] and card not in alive]
        own = owner == self.viewer
        if ruling:
            words = "Your modifiers" if own else f"Modifiers of seat {owner}"
            yield self._row(f"modifiers.{owner}", "own" if owner == self.me else "rival", owner, ruling, words)
        if dead:
            yield self._names(f"dead.{owner}", owner, dead, "Your dead cards" if own else f"Dead cards of seat {owner}")

    def _pile(self) -> Iterator[Zone]:
        """Yield the viewer's own draw pile in no order: it follows from the active set. RH-8."""
        if self.viewer != st.NONE and not self.s.over:
            yield self._names(f"pile.{self.me}", self.me, self._chosen_set(), "Your draw pile, in some order")

    def _collections(self) -> Iterator[Zone]:
        """Yield the collections to take or stake cards from, and the active set as far as it is chosen. RH-7, RH-8."""
        book, s, me, other = self.book, self.s, self.me, 1 - self.me
        if not all(book.owned[other][: book.cards]):
            cards = [card for card in range(book.cards) if book.owned[other][card]]
            yield self._row(f"collection.{other}", "offer", other, cards, f"Collection of seat {other}")
        if self.viewer == st.NONE:
            return
        chosen = self._chosen_set()
        if s.phase == st.CHOOSE_SET and chosen:
            yield self._row(f"set.{me}", "own", me, chosen, "Your active set")
        if self.asked and (s.phase == st.STAKE or s.choosing[me] == st.PICKING):
            there = [card for card in range(book.cards) if book.owned[me][card] and card not in chosen]
            yield self._row(f"collection.{me}", "offer", me, there, "Your collection", MEANS[s.phase])

    def _row(self, zone: str, role: Role, owner: int, cards: list[int], words: str, means: int | None = None) -> Zone:
        """Return a zone of cards in a row, with their texts."""
        actions = [st.NONE if means is None else means + card for card in cards]
        pieces = [self._card(f"{zone}.{card}", card, owner, means) for card, means in zip(cards, actions, strict=True)]
        return Zone(zone, role, owner, "row", tuple(pieces), len(pieces), words)

    def _names(self, zone: str, owner: int, cards: list[int], words: str) -> Zone:
        """Return a zone of cards that shows only their names."""
        pieces = (self._card(f"{zone}.{card}", card, owner) for card in cards)
        names = tuple(replace(piece, on_it=(), text="") for piece in pieces)
        return Zone(zone, "pile", owner, "stack", names, len(cards), words)
