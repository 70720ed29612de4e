"""Robin in the Hood: the table as a viewer sees it."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from msgspec.structs import replace

from quintain.engine.game import FREE, Choice, Piece, View, Zone, seats_in
from quintain.engine.state import UNKNOWN
from quintain.games.robin import levels as lv
from quintain.games.robin import rules as r
from quintain.games.robin import state as st
from quintain.games.robin.naming import card_name, name
from quintain.games.robin.questions import phase, question
from quintain.games.robin.state import Book, Character, Modifier, State
from quintain.games.robin.words import COLOURS, STAGES, coloured, groups, levels, numbers

PIECES_KEPT = 8192
STAGE_FACES = tuple(stage.lower() for stage in STAGES)
LEVEL_FACES = tuple(f"{colour.lower()}-{level}" for level, colour in enumerate(COLOURS))
MEANS = {st.STAKE: st.STAKE_CARD, st.CHOOSE_SET: st.TAKE, st.FIGHT: st.PLAY}
"""What touching a card means in each phase."""


def view(book: Book, s: State, seat: int) -> View:
    """Lay the table out for a seat (-1: a spectator) from its blinded state."""
    to_act = tuple(seats_in(r.to_act(book, s)))
    seen = _Seen(book, s, seat, to_act)
    zones = tuple(seen.zones())
    asked = question(book, s, seat) if seat in to_act else ""
    counts = {f"victories of seat {owner}": s.victories[owner] for owner in (seen.me, 1 - seen.me)}
    counts |= {"needed": book.victories}
    counts |= {f"seat {owner}'s pile": s.pile_size[owner] for owner in (seen.me, 1 - seen.me)}
    return View(zones, seen.menu(zones), asked, phase(s), to_act, counts)


@lru_cache(1024)
def face(called: str) -> str:
    """Return the key of a picture: the name in small letters."""
    return re.sub(r"\W+", "_", called.casefold())


@lru_cache(1024)
def _level(place: str, level: int, owner: int) -> Piece:
    """Return a printed level, whose colour carries its number. RH-1."""
    return Piece(place, LEVEL_FACES[level], coloured(level), owner)


def character_words(card: Character) -> str:
    """Return all that is on a character, its name with the four levels first."""
    return f"{card.name} {numbers(card)}: {groups(card)}; {levels(card)}. {card.text}"


def modifier_words(card: Modifier) -> str:
    """Return all that is on a modifier."""
    return f"{card.name}: modifier. {card.text}"


class _Seen:
    """The table from one seat."""

    def __init__(self, book: Book, s: State, viewer: int, to_act: tuple[int, ...]):
        self.book, self.s, self.viewer = book, s, viewer
        self.me, self.asked = max(viewer, 0), viewer in to_act

    def menu(self, zones: tuple[Zone, ...]) -> tuple[Choice, ...]:
        """Return the legal answers, each with the card that stands for it."""
        if not self.asked:
            return ()
        mask = [0] * st.ACTIONS
        r.legal(self.book, self.s, self.viewer, mask)
        places = {piece.action: piece.id for zone in zones for piece in zone.pieces if piece.action is not None}
        return tuple(
            Choice(action, name(self.book, self.s, self.viewer, action), places.get(action))
            for action in range(st.ACTIONS)
            if mask[action]
        )

    def zones(self) -> Iterator[Zone]:
        """Yield the other's hand, the stages, the last comparison, modifiers, the dead, and what is one's own."""
        s, fighting = self.s, self.s.phase in (st.FIGHT, st.ENDED)
        if fighting:
            yield self._hand(1 - self.me)
            yield Zone("stages", "The stages", None, "row", tuple(map(self._stage, range(st.STAGES))), st.STAGES)
        compared = tuple(self._compared(stage) for stage in range(st.STAGES) if self._fought_in(stage))
        if compared:
            yield Zone("compared", "The last comparison", None, "row", compared, len(compared))
        yield from self._common("modifiers", "Modifiers in force", self._ruling)
        yield from self._common("dead", "Dead cards", self._dead)
        if s.phase in (st.STAKE, st.CHOOSE_SET) and not s.over:
            yield from self._collections()
        if fighting:
            yield self._hand(self.me)

    def _card(self, place: str, card: int, owner: int, action: int | None = None) -> Piece:
        """Return a card that lies open; a character carries its levels."""
        book = self.book
        if card >= book.characters:
            modifier = book.modifier[card - book.characters]
            return Piece(place, face(modifier.name), modifier_words(modifier), owner, action=action)
        character = book.character[card]
        attached = tuple(_level(f"{place}.{n}", level, owner) for n, level in enumerate(character.level))
        return Piece(place, face(character.name), character_words(character), owner, action=action, attached=attached)

    def _hand(self, owner: int) -> Zone:
        """Show a hand: the viewer's own, or once all is over; of another, backs."""
        s = self.s
        held = [] if UNKNOWN in s.hand[owner] else sorted(s.hand[owner][: s.hand_size[owner]])
        own = self.asked and owner == self.viewer
        means = own and s.phase == st.FIGHT
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
        character = self.book.character[card]
        words = character_words(character).replace(f" {numbers(character)}", "", 1)
        return Piece(at, face(character.name), words, owner), _level(level_at, character.level[stage], owner)

    def _fought_in(self, stage: int) -> bool:
        return self.s.fought[0][stage] != st.NONE or self.s.fought[1][stage] != st.NONE

    def _compared(self, stage: int) -> Piece:
        """Show how a stage was compared: final levels, and how they came about. RH-12, RH-13."""
        s = self.s
        attached, workings = [], []
        for owner in (1 - self.me, self.me):
            card = s.fought[owner][stage]
            at, final_at = f"character.{owner}.{stage}.compared", f"final.{owner}.{stage}"
            if card == st.NONE:
                attached += [Piece(at, FREE, "nobody", owner), Piece(final_at, FREE, "-", owner)]
                continue
            final = lv.level(self.book, s, owner, stage)
            called = self._called(card)
            attached.append(Piece(at, face(called), f"{called}, then in {STAGES[stage]}", owner))
            attached.append(Piece(final_at, "final", f"final level {final}", owner, value=final))
            printed = self.book.character[card].level[stage]
            parts = [f"{called} {printed}"]
            for change, by in ((s.by_skills[owner][stage], "skills"), (s.by_modifiers[owner][stage], "modifiers")):
                parts += [f"{change:+d} by {by}"] if change else []
            workings.append(" ".join(parts))
        words = f"{STAGES[stage]}: {' against '.join(workings)}{'' if len(workings) > 1 else ' against nobody'}"
        changed = any(" by " in working for working in workings) and len(workings) > 1
        marks = (f"{STAGES[stage]}: {' against '.join(workings)}",) if changed else ()
        return Piece(f"compared.{stage}", STAGE_FACES[stage], words, marks=marks, attached=tuple(attached))

    def _ruling(self, owner: int) -> list[int]:
        """Return the modifiers of a seat that lie on the table."""
        s, modifiers = self.s, self.book.characters
        lasting = [modifiers + s.lasting[owner]] if s.lasting[owner] != st.NONE else []
        open_now = s.leader == owner and s.chosen[owner] >= modifiers and not s.over
        return lasting + ([s.chosen[owner]] if open_now else [])

    def _dead(self, owner: int) -> list[int]:
        alive = (*self.s.stage[owner], *self._ruling(owner))
        return [card for card in range(self.book.cards) if self.s.shown[owner][card] and card not in alive]

    def _common(self, zone: str, title: str, cards: Callable[[int], list[int]]) -> Iterator[Zone]:
        """Yield a zone of cards of both that lie open; nothing if there are none."""
        pieces = []
        for owner in (1 - self.me, self.me):
            for n, card in enumerate(cards(owner)):
                shown = self._card(f"{zone}.{owner}.{n}", card, owner)
                pieces.append(Piece(shown.id, shown.face, shown.words, owner))
        if pieces:
            yield Zone(zone, title, None, "row", tuple(pieces), len(pieces))

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
        pieces = tuple(
            self._card(f"{zone}.{card}", card, owner, None if means is None else means + card) for card in cards
        )
        return Zone(zone, title, owner, "row", pieces, len(pieces))
