"""The pieces and scenes of Rune War for `view`: cards, the current battle, and a rune of the field at work."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from quintain.engine import FREE, TOKEN, Line, Piece, Reach, Scene, Side, Stat, token
from quintain.games.rune_war import battle as b
from quintain.games.rune_war import runes, shape
from quintain.games.rune_war import state as st
from quintain.games.rune_war.account import SIDES, Battle
from quintain.games.rune_war.state import State
from quintain.games.rune_war.words import (
    CARD_NAMES,
    CARD_SHORT,
    CARD_TEXTS,
    PLACE_NAMES,
    RANK_NAMES,
    RUNE_NAMES,
    RUNE_NUMERALS,
    SUIT_NAMES,
    and_list,
    effect,
)

COURT_LETTERS = ("P", "Kn", "Q", "K")
PREFIXES = {st.ATTACKER: "attack", st.DEFENDER: "support"}
"""The first part of the ids of each side's pieces in the battle."""
MOST_CHOSEN = {
    st.LOOK_AT: st.MOST_NAMED,
    st.EXCHANGE_OF: 2,
    st.EXCHANGE_OR_NOT: 2,
    st.TAKE_BACK: 1,
    st.DESTROY: 1,
    st.FROM_PILE: 1,
}
"""The most cards that can be named in each phase of a rune of the field."""


def _picture(card: int) -> tuple[str, str]:
    """Return the key of a card's picture, and the text in its corner."""
    if card >= st.FIRST_RUNE:
        rune = card - st.FIRST_RUNE
        return f"{RUNE_NAMES[rune].lower().replace(' ', '_')}-{rune}", RUNE_NUMERALS[rune]
    suit, rank = SUIT_NAMES[st.suit_of(card)].lower(), card % st.RANKS
    if st.number_of(card):
        return f"{suit}-{rank + 1}", str(rank + 1)
    letters = COURT_LETTERS[rank - st.HIGHEST_NUMBER]
    return f"{suit}_{RANK_NAMES[rank].lower()}-{letters}", letters


def _kind(card: int) -> str:
    if card < st.FIRST_RUNE:
        return "number card" if st.number_of(card) else "court card"
    return "rune of the battle" if st.OF_BATTLE[card - st.FIRST_RUNE] else "rune of the field"


PICTURES = tuple(map(_picture, range(st.CARDS)))
KEYS = tuple(key for key, _ in PICTURES)
KINDS = tuple(map(_kind, range(st.CARDS)))


def piece_of(id_: str, card: int, seat: int | None = None) -> Piece:
    """Return a card as a face-up piece."""
    key, corner = PICTURES[card]
    return Piece(
        id_,
        key,
        CARD_NAMES[card],
        short=CARD_SHORT[card],
        kind=KINDS[card],
        corner=corner,
        text=CARD_TEXTS[card],
        seat=seat,
    )


def place_id(owner: int, place: int) -> str:
    """Return the id of a place of a defence."""
    return f"defence.{owner}.{PLACE_NAMES[place]}"


def lying(s: State, where: int) -> list[int]:
    """Return the cards that are known to lie at `where`."""
    return [card for card in range(st.CARDS) if st.is_at(s, card, where)]


def is_in_battle(s: State) -> bool:
    """Return whether a battle is running."""
    return s.phase in (st.SUPPORT, st.RESPOND, st.FURTHER, st.JOIN_SUITS) and not s.over


def turned_up(s: State) -> list[int]:
    """Return the places of the cards that are turned up in the current battle. RW-8, RW-9."""
    return [st.place_of(s.row, column) for column in range(s.left, s.right + 1)]


def _prefix(battle: Battle, side: int) -> str:
    """Return the first part of the ids of a side's pieces: after the count they are others than in the next battle."""
    return f"{PREFIXES[side]}.counted" if battle.s.phase == st.FURTHER else PREFIXES[side]


def battle_pieces(battle: Battle) -> Iterator[Piece]:
    """Yield the cards and runes of both sides with their points, and the totals."""
    for side in SIDES:
        yield from _cards(battle, side)
        total = Stat("total", battle.totals[side], words="total")
        yield token(f"{_prefix(battle, side)}.total", total, seat=battle.seat(side), now=tuple(_parts(battle, side)))


def _cards(battle: Battle, side: int) -> Iterator[Piece]:
    """Yield the cards of a side and its rune, each with its points."""
    s, seat, prefix = battle.s, battle.seat(side), _prefix(battle, side)
    for number, card in enumerate(battle.cards(side)):
        counts, why = battle.worth(side, card)
        says = st.number_of(card)
        stat = Stat("counts", counts, says if says not in (0, counts) else None, "counts")
        yield replace(piece_of(f"{prefix}.{number}", card, seat), stats=(stat,), now=why)
    rune = s.rune[side - st.ATTACKER]
    if rune != st.NONE:
        undone = st.FOOL in s.rune and rune != st.FOOL
        stat = Stat("counts", battle.rune_points(side), words="counts", signed=True)
        stats, state = (stat,) if stat.number else (), frozenset({"undone"} if undone else ())
        yield replace(piece_of(f"{prefix}.rune", st.FIRST_RUNE + rune, seat), stats=stats, state=state)


def _line(s: State) -> str:
    """Return the first part of the ids of the side that is asked."""
    return PREFIXES[st.ATTACKER if s.phase == st.RESPOND else st.DEFENDER]


def free_places(s: State, joins: Sequence[int]) -> Iterator[Piece]:
    """Yield the free places of the battle where a card can go: one for a card, one for a rune. RW-9, RW-20."""
    owner = s.attacker if s.phase == st.RESPOND else s.defender
    place = Piece(f"{_line(s)}.place", name="the free place", kind="a free place", seat=owner, state=frozenset({FREE}))
    if any(joins[st.ADD : st.ADD + st.CARDS]):
        yield replace(place, text="A card of your hand that you add goes here.")
    if any(joins[st.PLAY : st.PLAY + st.RUNES]):
        yield replace(place, id=f"{_line(s)}.rune_place", name="the place of the rune", text="Your rune goes here.")


def joining(s: State, joins: Sequence[int], card: int) -> Iterator[Reach]:
    """Yield where a card of the hand can go in the battle: its rune works, or it is added. RW-9, RW-20."""
    rune = card - st.FIRST_RUNE
    if rune >= 0 and joins[st.PLAY + rune]:
        yield Reach(st.PLAY + rune, f"{_line(s)}.rune_place")
    if joins[st.ADD + card]:
        yield Reach(st.ADD + card, f"{_line(s)}.place")


def _sums(battle: Battle, side: int) -> tuple[int, int, int]:
    """Return the parts of a side's total that come from numbers, from courts, and from runes."""
    numbers, courts = battle.numbers(side), sum(battle.courts(side, suit)[1] for suit in range(st.SUITS))
    return numbers, courts, battle.totals[side] - numbers - courts


def _parts(battle: Battle, side: int) -> Iterator[Line]:
    """Yield the parts of a side's total."""
    numbers, _, by_runes = _sums(battle, side)
    yield Line(f"numbers {numbers}", (), "RW-16")
    for suit in range(st.SUITS):
        words, worth, clause = battle.courts(side, suit)
        if words:
            yield Line(f"{words} {worth}", (), clause)
    if by_runes:
        yield Line(f"runes {by_runes:+d}", (), "RW-22")


def battle_scene(battle: Battle, viewer: int, places: tuple[str, ...]) -> Scene:
    """Return the scene of the current battle: both sides, how they are counted, and who would win now."""
    s, result = battle.s, battle.result()
    words = result.words.replace(f"seat {viewer} wins", "you win")
    words = words.replace("you win", "You win") if s.counted else f"Counted now, {words}"
    lines = (*(line for line in battle.lines() if line != result), replace(result, words=words))
    sides = tuple(_side(battle, side, viewer) for side in SIDES)
    return Scene("battle", "panel", _title(s, viewer), sides=sides, lines=lines, places=places)


def _title(s: State, viewer: int) -> str:
    you = viewer == s.attacker
    if s.phase == st.FURTHER:
        return f"{'You have' if you else f'seat {s.attacker} has'} won and may attack again"
    whose = "your" if viewer == s.defender else f"seat {s.defender}'s"
    where = and_list([PLACE_NAMES[place] for place in turned_up(s)])
    return f"{'You attack' if you else f'seat {s.attacker} attacks'} {whose} {where}"


def _side(battle: Battle, side: int, viewer: int) -> Side:
    """Return a side with its cards and total; the attacker's, with how many cards may still be added. RW-9."""
    s, seat = battle.s, battle.seat(side)
    numbers, courts, by_runes = _sums(battle, side)
    stats = [
        Stat("numbers", numbers, words="number cards"),
        Stat("courts", courts, words="court cards"),
        Stat("runes", by_runes, words="runes", signed=True),
    ]
    if side == st.ATTACKER and b.attacker_may_add(s) and s.phase != st.FURTHER:
        stats.append(Stat("may_add", s.right - s.left - s.added, words="cards may be added"))
    name = "You" if seat == viewer else f"seat {seat}"
    return Side(seat, name, tuple(piece.id for piece in _cards(battle, side)), tuple(stats), battle.totals[side])


def rune_scene(s: State, places: tuple[str, ...]) -> Scene:
    """Return the scene of a rune of the field: its text, and a slot for each card that can be named."""
    rune = st.FIRST_RUNE + s.field_rune
    number = lying(s, st.CAST_OFF).index(rune)
    card = replace(piece_of(f"cast.{number}", rune), text=effect(s.field_rune))
    return Scene("rune", "strip", RUNE_NAMES[s.field_rune], card, slots=_slots(s), places=places)


def _slots(s: State) -> tuple[str | None, ...]:
    """Return the ids of the cards that have been named for the rune, and None for each that can still be named."""
    if s.phase == st.GIVE_UP:
        return (None,) * s.names
    named = s.named[: s.names]
    if s.phase == st.RETURN:
        held = lying(s, st.HAND + s.turn)
        chosen = [f"hand.{s.turn}.{held.index(card)}" for card in named]
        most = min(st.MOST_NAMED, s.hand_size[s.turn] - s.names, s.names + runes.numbers_in_pile(s))
    else:
        owner = s.target if s.phase == st.LOOK_AT else s.turn
        chosen = [place_id(owner, place) for place in named]
        most = MOST_CHOSEN.get(s.phase, 0)
        most = min(most, s.defence_size[owner]) if s.phase == st.LOOK_AT and named else most
    return (*chosen, *[None] * (most - len(chosen)))


def suit_pieces() -> Iterator[Piece]:
    """Yield the four suits, of which The Lovers join two. RW-21."""
    for suit, name in enumerate(SUIT_NAMES):
        pairs = [(st.JOIN + number, pair) for number, pair in enumerate(st.PAIRS) if suit in pair]
        reaches = tuple([Reach(action, f"suit.{sum(pair) - suit}") for action, pair in pairs])
        text = "Joined, number cards of either suit make the courts of both count, and these make runs together."
        yield Piece(f"suit.{suit}", name.lower(), name, kind="suit", text=text, reaches=reaches)


def row_pieces(s: State, owner: int) -> Iterator[Piece]:
    """Yield the rows of a defence that hold cards, for The Tower and The Moon. RW-21."""
    for row in range(st.ROWS):
        if cards := shape.cards_in_row(s, owner, row):
            kind, text = "1 card" if cards == 1 else f"{cards} cards", effect(s.field_rune)
            yield Piece(
                f"row.{row + 1}",
                "row",
                f"Row {row + 1}",
                kind=kind,
                seat=owner,
                state=frozenset({TOKEN}),
                means=(st.ROW + row,),
                text=text,
            )
