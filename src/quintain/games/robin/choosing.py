"""Robin in the Hood: the choice of an active set as a whole, for pages that let players choose all its cards at once.

The rules take a set card by card: `RobinSets.moves` says which moves those are. RH-4, RH-8.
"""

from __future__ import annotations

from collections.abc import Sequence

from quintain.engine import BadOption, SetChoice, SetGroup, SetPart, Stat, quoted
from quintain.games.robin import state as st
from quintain.games.robin.faces import level_stat
from quintain.games.robin.state import Book, State
from quintain.games.robin.words import CASTES, GROUPS, MANY, POLITICS, STAR, card_name, some

CHARACTER, MODIFIER = range(2)
"""The parts of a set, in the order in which its cards are taken."""


class RobinSets:
    """The active sets that players choose before a round."""

    def asked(self, book: Book, s: State, seat: int) -> SetChoice | None:
        """Return what a seat may choose from; None if it chooses no set now. RH-8."""
        if s.phase != st.CHOOSE_SET or s.choosing[seat] == st.READY:
            return None
        is_picking = s.choosing[seat] == st.PICKING
        held = tuple(card_name(book, card) for card in sorted(s.pile[seat][: s.pile_size[seat]]))
        put_aside = tuple(card_name(book, card) for card in sorted(s.last_set[seat]) if card != st.NONE)
        return SetChoice(
            _parts(book),
            {card_name(book, card): _part(book, card) for card in _usable(book, seat)},
            taken=held if is_picking else (),
            last=put_aside if is_picking else held,
            average=_average(book, seat),
            keep=st.KEEP,
            groups=_groups(book, seat),
        )

    def free(self, book: Book, seat: int) -> SetChoice:
        """Return what a seat may choose from before any round. RH-8."""
        cards = {card_name(book, card): _part(book, card) for card in _usable(book, seat)}
        return SetChoice(_parts(book), cards, average=_average(book, seat), groups=_groups(book, seat))

    def moves(self, book: Book, s: State, seat: int, names: Sequence[str], deals_rest: bool) -> Sequence[int]:
        """Return the moves that take these cards into the set of a seat; raises BadOption. RH-4, RH-8."""
        is_asked = s.choosing[seat] == st.ASKED
        taken = [] if is_asked else list(s.pile[seat][: s.pile_size[seat]])
        chosen = sorted({*taken, *_numbers(book, seat, names)})
        characters = [card for card in chosen if card < book.characters]
        modifiers = chosen[len(characters) :]
        lacks = _check_counts(book, len(characters), len(modifiers), deals_rest)
        if lacks and modifiers and len(characters) < book.active:
            raise BadOption(
                "modifiers are taken after the characters: choose all characters, "
                f"or leave out {card_name(book, modifiers[0])} and let it be dealt (RH-8)"
            )
        takes = [st.TAKE + card for card in chosen if card not in taken]
        begins = [st.CHOOSE] if is_asked and takes else []
        return [*begins, *takes, *([st.DEAL] if lacks else [])]


def _parts(book: Book) -> tuple[SetPart, ...]:
    """Return how many cards of each kind a set has. RH-4."""
    modifiers = (SetPart("modifier", "modifiers", book.modifiers, "RH-4"),) if book.modifiers else ()
    return (SetPart("character", "characters", book.active, "RH-4"), *modifiers)


def _part(book: Book, card: int) -> int:
    return CHARACTER if card < book.characters else MODIFIER


def _usable(book: Book, seat: int) -> Sequence[int]:
    """Return the cards that a seat may have in its set. RH-8."""
    return book.usable[seat][: book.usable_characters[seat] + book.usable_modifiers[seat]]


def _average(book: Book, seat: int) -> tuple[Stat, ...]:
    """Return the sum of the levels on each stage in a set of average characters. RH-1."""
    people = book.usable[seat][: book.usable_characters[seat]]
    levels = [[book.character[card].level[stage] for card in people] for stage in range(st.STAGES)]
    return tuple(level_stat(stage, round(sum(on) * book.active / len(people))) for stage, on in enumerate(levels))


def _groups(book: Book, seat: int) -> tuple[SetGroup, ...]:
    """Return the castes in the order of the cards, the modifiers, the politics, and the skills that work elsewhere.

    RH-1, RH-2.
    """
    usable = _usable(book, seat)
    people = [card for card in usable if card < book.characters]
    found = list[SetGroup]()
    for kind, names in (("Caste", CASTES), ("Politics", POLITICS)):
        by_group = {
            group: [card for card in people if group in (book.character[card].caste, book.character[card].politics)]
            for group in map(GROUPS.index, names)
        }
        in_order = sorted(by_group.items(), key=lambda each: each[1][:1] or [book.cards])
        found += [_group(book, kind, GROUPS[group], MANY[group], cards) for group, cards in in_order]
    modifiers = [card for card in usable if card >= book.characters]
    if modifiers:
        found.insert(len(CASTES), _group(book, "Caste", "Modifiers", "modifiers", modifiers))
    starred = [card for card in people if book.character[card].skill.whom >= st.OWN]
    about = "characters whose skill has a star: it also works in stages where they do not stand (RH-2)"
    return (*found, _group(book, "Skill", f"{STAR} elsewhere", "that work elsewhere", starred, about))


def _group(book: Book, kind: str, words: str, many: str, cards: Sequence[int], about: str = "") -> SetGroup:
    key = words.removeprefix(f"{STAR} ").lower()
    return SetGroup(kind, key, words, many, frozenset(card_name(book, card) for card in cards), about)


def _numbers(book: Book, seat: int, names: Sequence[str]) -> list[int]:
    """Return the numbers of named cards; raises BadOption for one that a set cannot have. RH-3, RH-4, RH-8."""
    by_name = {card_name(book, card).casefold(): card for card in range(book.cards)}
    numbers = list[int]()
    for name in names:
        card = by_name.get(" ".join(name.split()).casefold())
        if card is None:
            raise BadOption(f"there is no card {quoted(name)} here (RH-8)")
        if card in numbers:
            raise BadOption(f"{card_name(book, card)} is named twice: a set has each card once (RH-4)")
        if not book.owned[seat][card]:
            raise BadOption(f"{card_name(book, card)} is not in your collection (RH-8)")
        if card >= book.characters and not book.modifiers:
            raise BadOption(f"{card_name(book, card)} is a modifier, and this match is played without them (RH-3)")
        numbers.append(card)
    return numbers


def _check_counts(book: Book, characters: int, modifiers: int, deals_rest: bool) -> bool:
    """Tell whether cards are missing, which may be dealt; raises BadOption for a set of another size. RH-4."""
    there = ((characters, book.active, "character"), (modifiers, book.modifiers, "modifier"))
    for number, needed, word in there:
        if number > needed:
            raise BadOption(
                f"a set has {some(needed, word)}, and you chose {number}: put {number - needed} back (RH-4)"
            )
    lacks = [some(needed - number, word) for number, needed, word in there if number < needed]
    if lacks and not deals_rest:
        whole = " and ".join(some(part.needed, part.one) for part in _parts(book))
        raise BadOption(f"a set has {whole}: choose {' and '.join(lacks)} more (RH-4)")
    return bool(lacks)
