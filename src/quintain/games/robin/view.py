"""Robin in the Hood: the table as a viewer sees it, and what a seat is asked."""

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from quintain.engine.contract import acting, legal_mask
from quintain.engine.state import UNKNOWN
from quintain.engine.views import FREE, Choice, Piece, View, Zone
from quintain.games.robin import levels as lv
from quintain.games.robin import rules as r
from quintain.games.robin import state as st
from quintain.games.robin.moves import name
from quintain.games.robin.state import Book, State
from quintain.games.robin.words import STAGES, card_name, coloured, groups

PIECES_KEPT = 8192
STAGE_FACES = tuple(stage.lower() for stage in STAGES)
MEANS = {st.STAKE: st.STAKE_CARD, st.CHOOSE_SET: st.TAKE, st.FIGHT: st.PLAY}
"""What touching a card means in each phase."""
PHASES = ("ante", "active sets", "round {}, hand {}", "over")


def view(book: Book, s: State, seat: int) -> View:
    """Lay the table out for a seat (-1: a spectator) from its blinded state."""
    to_act = acting(r, book, s)
    seen = _Seen(book, s, seat, to_act)
    zones = tuple(seen.zones())
    asked = question(book, s, seat) if seat in to_act else ""
    counts = {f"victories of seat {owner}": s.victories[owner] for owner in (seen.me, 1 - seen.me)}
    counts |= {"needed": book.victories}
    if s.phase in (st.FIGHT, st.ENDED):
        counts |= {f"seat {owner}'s pile": s.pile_size[owner] for owner in (seen.me, 1 - seen.me)}
    return View(zones, seen.menu(zones), asked, phase(s), to_act, counts)


def phase(s: State) -> str:
    """Return the phase in words."""
    return PHASES[st.ENDED if s.over else s.phase].format(s.round, s.hands + 1)


def question(book: Book, s: State, seat: int) -> str:
    """Return what a seat that may act is asked."""
    if s.phase == st.STAKE:
        return "Which card do you stake?"
    if s.phase == st.CHOOSE_SET:
        if s.choosing[seat] == st.ASKED:
            return "With which active set do you play this round?"
        taken = s.pile_size[seat]
        if taken < book.active:
            return f"Which character do you take into your active set? ({taken} of {book.active} taken)"
        return f"Which modifier do you take? ({taken - book.active} of {book.modifiers} taken)"
    if s.leader == st.NONE:
        return "Which card do you play? Both choose in secret."
    if s.leader == seat:
        return "Which card do you play? You play first, openly."
    return f"Which card do you answer {card_name(book, s.chosen[s.leader])} with?"


@lru_cache(1024)
def face(called: str) -> str:
    """Return the key of a picture: the name in small letters."""
    return re.sub(r"\W+", "_", called.casefold())


@lru_cache(1024)
def level_face(stage: int, level: int) -> str:
    """Return the key of the picture of a level: its stage and colour, and its number in the corner. RH-1.

    >>> level_face(st.WEAPONS, 3), level_face(st.ENDURANCE, 7), level_face(st.AGILITY, -1)
    ('weapons_red-3', 'endurance_gold-7', 'agility_gray--1')
    """
    return f"{STAGE_FACES[stage]}_{coloured(level).lower().replace(' ', '-')}"


@lru_cache(PIECES_KEPT)
def _page(place: str, called: str, text: str, levels: tuple[int, ...], owner: int, action: int | None) -> Piece:
    """Return a card that is there to be read, the levels of a character lying on it."""
    lying = [(f"{STAGES[stage]} {coloured(level)}", stage, level) for stage, level in enumerate(levels)]
    told = "; ".join([*(words for words, _, _ in lying), text])
    attached = tuple(
        Piece(f"{place}.{stage}", level_face(stage, level), words, value=level) for words, stage, level in lying
    )
    return Piece(place, face(called), f"{called}: {told}", owner, action=action, attached=attached, text=text)


class _Seen:
    """The table from one seat."""

    def __init__(self, book: Book, s: State, viewer: int, to_act: tuple[int, ...]):
        self.book, self.s, self.viewer = book, s, viewer
        self.me, self.asked = max(viewer, 0), viewer in to_act

    def menu(self, zones: tuple[Zone, ...]) -> tuple[Choice, ...]:
        """Return the legal answers, each with the card that stands for it."""
        if not self.asked:
            return ()
        mask = legal_mask(r, self.book, self.s, self.viewer)
        places = {piece.action: piece.id for zone in zones for piece in zone.pieces if piece.action is not None}
        return tuple(
            Choice(action, name(self.book, self.s, self.viewer, action), places.get(action))
            for action in range(st.ACTIONS)
            if mask[action]
        )

    def zones(self) -> Iterator[Zone]:
        """Yield what the other has, the last comparison and the stages, what is one's own, and the hand last."""
        s, other, fighting = self.s, 1 - self.me, self.s.phase in (st.FIGHT, st.ENDED)
        if fighting:
            yield self._hand(other)
            yield from self._open(other)
        compared = tuple(self._compared(stage) for stage in range(st.STAGES) if self._fought_in(stage))
        if compared:
            yield Zone("compared", "The last comparison", None, "row", compared, len(compared))
        if fighting:
            yield Zone("stages", "The stages", None, "row", tuple(map(self._stage, range(st.STAGES))), st.STAGES)
            yield from self._open(self.me)
            yield from self._pile()
            yield self._hand(self.me)
        elif not s.over:
            yield from self._collections()

    def _text(self, card: int) -> str:
        """Return what is to be read on a card beside its name and its levels."""
        book = self.book
        if card >= book.characters:
            return f"Modifier. {book.modifier[card - book.characters].text}"
        return f"{groups(book.character[card])}. {book.character[card].text}"

    def _card(self, place: str, card: int, owner: int, action: int | None = None) -> Piece:
        """Return a card that lies open, to be read."""
        levels = tuple(self.book.character[card].level) if card < self.book.characters else ()
        return _page(place, card_name(self.book, card), self._text(card), levels, owner, action)

    def _hand(self, owner: int) -> Zone:
        """Show a hand: the viewer's own, or once all is over; of another, backs."""
        s = self.s
        held = [] if UNKNOWN in s.hand[owner] else sorted(s.hand[owner][: s.hand_size[owner]])
        means = self.asked and owner == self.viewer
        pieces = [
            self._card(f"hand.{owner}.{n}", card, owner, st.PLAY + card if means else None)
            for n, card in enumerate(held)
        ]
        if s.chosen[owner] != UNKNOWN and s.chosen[owner] in held:
            n = held.index(s.chosen[owner])
            pieces[n] = replace(pieces[n], marks=("chosen",))
        pieces += [
            Piece(f"hand.{owner}.{n}", None, "a card face down", owner) for n in range(len(held), s.hand_size[owner])
        ]
        title = "Your hand" if owner == self.viewer else f"Hand of seat {owner}"
        return Zone(f"hand.{owner}", title, owner, "fan", tuple(pieces), s.hand_size[owner])

    def _stage(self, stage: int) -> Piece:
        """Show a stage with who stands there on both sides, and their printed levels in it."""
        sides = [part for owner in (1 - self.me, self.me) for part in self._side(stage, owner)]
        words = ", ".join(f"seat {owner} {self._called(self.s.stage[owner][stage])}" for owner in range(st.SEATS))
        return Piece(f"stage.{stage}", STAGE_FACES[stage], f"{STAGES[stage]}: {words}", attached=tuple(sides))

    def _called(self, card: int) -> str:
        return "nobody" if card == st.NONE else card_name(self.book, card)

    def _side(self, stage: int, owner: int) -> tuple[Piece, Piece]:
        card = self.s.stage[owner][stage]
        at, level_at = f"character.{owner}.{stage}", f"level.{owner}.{stage}"
        if card == st.NONE:
            return Piece(at, FREE, "nobody", owner), Piece(level_at, FREE, "-", owner)
        called, text, level = self._called(card), self._text(card), self.book.character[card].level[stage]
        character = Piece(at, face(called), f"{called}: {text}", owner, text=text)
        return character, Piece(level_at, level_face(stage, level), coloured(level), owner)

    def _fought_in(self, stage: int) -> bool:
        return self.s.fought[0][stage] != st.NONE or self.s.fought[1][stage] != st.NONE

    def _compared(self, stage: int) -> Piece:
        """Show how a stage was compared: final levels, and how they came about. RH-12, RH-13."""
        there = [owner for owner in (1 - self.me, self.me) if self.s.fought[owner][stage] != st.NONE]
        workings = [f"{self._called(self.s.fought[owner][stage])} {self._working(stage, owner)}" for owner in there]
        words = f"{STAGES[stage]}: {' against '.join(workings)}{'' if len(there) > 1 else ' against nobody'}"
        changed = len(there) > 1 and " by " in words
        sides = [part for owner in (1 - self.me, self.me) for part in self._fought(stage, owner)]
        marks = (words,) if changed else ()
        return Piece(f"compared.{stage}", STAGE_FACES[stage], words, marks=marks, attached=tuple(sides))

    def _fought(self, stage: int, owner: int) -> tuple[Piece, Piece]:
        """Show who fought in a stage, with what level in the end."""
        card = self.s.fought[owner][stage]
        at, final_at = f"character.{owner}.{stage}.compared", f"final.{owner}.{stage}"
        if card == st.NONE:
            return Piece(at, FREE, "nobody", owner), Piece(final_at, FREE, "-", owner)
        called, final = self._called(card), lv.level(self.book, self.s, owner, stage)
        words = f"{coloured(final)}, {self._working(stage, owner)}"
        fighter = Piece(at, face(called), f"{called}, then in {STAGES[stage]}", owner)
        return fighter, Piece(final_at, level_face(stage, final), words, owner)

    def _working(self, stage: int, owner: int) -> str:
        """Return the printed level of who fought in a stage and what changed it: ``2 printed, -1 by modifiers``."""
        s = self.s
        changes = (s.by_skills[owner][stage], "skills"), (s.by_modifiers[owner][stage], "modifiers")
        printed = self.book.character[s.fought[owner][stage]].level[stage]
        return ", ".join([f"{printed} printed", *(f"{change:+d} by {by}" for change, by in changes if change)])

    def _open(self, owner: int) -> Iterator[Zone]:
        """Yield what lies open before a seat: the modifiers that work for it, and its dead cards."""
        s, modifiers = self.s, self.book.characters
        ruling = [modifiers + s.lasting[owner]] if s.lasting[owner] != st.NONE else []
        if s.leader == owner and s.chosen[owner] >= modifiers and not s.over:
            ruling.append(s.chosen[owner])
        alive = (*s.stage[owner], *ruling)
        dead = [card for card in range(self.book.cards) if s.shown[owner][card] and card not in alive]
        own = owner == self.viewer
        if ruling:
            title = "Your modifiers" if own else f"Modifiers of seat {owner}"
            yield self._row(f"modifiers.{owner}", title, owner, ruling)
        if dead:
            yield self._names(f"dead.{owner}", "Your dead cards" if own else f"Dead cards of seat {owner}", owner, dead)

    def _pile(self) -> Iterator[Zone]:
        """Yield what the viewer may still draw, which is known by its own active set; its order is not. RH-8."""
        if self.viewer != st.NONE and not self.s.over:
            left = sorted(self.s.pile[self.me][: self.s.pile_size[self.me]])
            yield self._names(f"pile.{self.me}", "Your draw pile, in some order", self.me, left)

    def _collections(self) -> Iterator[Zone]:
        """Yield what cards can be taken or staked from, and the active set as far as it is chosen. RH-7, RH-8."""
        book, s, me = self.book, self.s, self.me
        if not all(book.owned[1 - me][: book.cards]):
            cards = [card for card in range(book.cards) if book.owned[1 - me][card]]
            yield self._row(f"collection.{1 - me}", f"Collection of seat {1 - me}", 1 - me, cards)
        if self.viewer == st.NONE:
            return
        chosen = sorted(s.pile[me][: s.pile_size[me]])
        if s.phase == st.CHOOSE_SET and chosen:
            yield self._row(f"set.{me}", "Your active set", me, chosen)
        if self.asked and (s.phase == st.STAKE or s.choosing[me] == st.PICKING):
            there = [card for card in range(book.cards) if book.owned[me][card] and card not in chosen]
            yield self._row(f"collection.{me}", "Your collection", me, there, MEANS[s.phase])

    def _row(self, zone: str, title: str, owner: int, cards: list[int], means: int | None = None) -> Zone:
        """Show cards to be read."""
        pieces = tuple(
            self._card(f"{zone}.{card}", card, owner, None if means is None else means + card) for card in cards
        )
        return Zone(zone, title, owner, "row", pieces, len(pieces))

    def _names(self, zone: str, title: str, owner: int, cards: list[int]) -> Zone:
        """Show cards that need not be read any more, or not yet, by their names."""
        pieces = (self._card(f"{zone}.{card}", card, owner) for card in cards)
        return Zone(zone, title, owner, "stack", tuple(replace(p, attached=(), text="") for p in pieces), len(cards))
