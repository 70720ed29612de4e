"""Round Table: the table as data, as a viewer sees it: zones and pieces, phase, scores and counts.

The question and the scene are in `scene`, the names of cards in `words`.
"""

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from quintain.engine import (
    UNKNOWN,
    Count,
    Label,
    Line,
    Phase,
    Piece,
    Role,
    Score,
    Stat,
    View,
    Zone,
    acting,
    back,
    token,
)
from quintain.games.round_table import lanes, scene, touches
from quintain.games.round_table import rules as r
from quintain.games.round_table import state as st
from quintain.games.round_table.effects import all_knights_at, renown_of, strength, total
from quintain.games.round_table.setting_up import all_renown
from quintain.games.round_table.state import Book, State
from quintain.games.round_table.words import DEMESNES, SEASONS, card_name, face, kind_words, region_name, unit_name

DECKS = (("main_deck", "Main deck"), ("demesne_deck", "Demesne deck"))
DECK_TEXTS = {
    "main_deck": "Knights, Equipment, Titles, Quests and Redirects: all that costs RP.",
    "demesne_deck": "Demesnes: they give the RP that pay for all other cards.",
}
FEW_ACTIONS = 10
"""A view shows the actions that a seat has left in a Season if they are fewer than this."""
SET_UP, OVER = Label("set_up", "set-up"), Label("over", "over")
LEGEND = (
    Label("engaged", "engaged"),
    Label("namesake", "its namesake is in play"),
    Label("takes", "captures the Region as things stand"),
)
TOUCHED = {
    st.RECRUIT: (st.EQUIPMENT, st.TITLE),
    st.ATTACH: (st.KNIGHT,),
    st.CAMPAIGN: (st.KNIGHT,),
    st.CHOOSE_KNIGHT: (st.KNIGHT,),
    st.CHOOSE_TASK: (st.QUEST,),
    st.SUPPORT: (st.KNIGHT, st.EQUIPMENT, st.TITLE),
}
"""The kinds of cards in play that a seat can choose in a phase. RT-12, RT-16, RT-18, RT-19, RT-28."""


def view(book: Book, s: State, seat: int) -> View:
    """Return the view of a seat (-1: a spectator), made from its blinded state."""
    me = max(seat, 0)
    others = [(me + i) % book.seats for i in range(1, book.seats)]
    zones = (
        *(zone for owner in others for zone in _area(book, s, owner, seat, "rival")),
        lanes.regions(book, s, seat),
        lanes.region_deck(book, s, seat),
        *_area(book, s, me, seat, "own"),
        *((_splits(s, seat),) if seat >= 0 and s.phase == st.SET_UP else ()),
    )
    asked = scene.question(book, s, seat) if seat in acting(r, book, s) else None
    key = asked.key if asked else ""
    zones = touches.linked(book, s, seat, zones) if asked else zones
    now, legend = phase(book, s, seat), _legend(book, s)
    laid = View(zones, now, asked, scores(book, s), counts(book, s), legend=legend, last=(st.PASS,))
    pieces = {piece.id: piece for piece in laid.pieces()}
    places = {zone.id: tuple(piece.id for piece in zone.pieces) for zone in zones}
    return replace(
        laid, scene=scene.scene(book, s, seat, key, pieces), about=scene.about(s, seat, key, places) if asked else ()
    )


def phase(_: Book, s: State, seat: int) -> Phase:
    """Return the Season and the year; the note names the active player and what is special. RT-16, RT-26."""
    if s.over:
        return Phase("over", (OVER,), s.year, unit="year")
    active = f"seat {s.active} is the active player"
    if s.phase == st.SET_UP:
        return Phase("set_up", (SET_UP,), 0, note=active, unit="year")
    steps = tuple(Label(words.casefold(), words) for words in SEASONS)
    in_steps = s.season == st.SUMMER and s.phase != st.LIMIT
    note = f"step {s.step + 1} of 4: {scene.STEP_WORDS[s.step]}; {active}" if in_steps else active
    if s.phase == st.LAST_DRAWS:
        note = f"the game ends after these draws; {active}"
    return Phase(steps[s.season].key, steps, s.year, note=note, unit="year")


def scores(book: Book, s: State) -> tuple[Score, ...]:
    """Return the Renown that each seat would have if the game ended now; all of it is public. RT-31, RT-33."""
    totals, ranks = [0] * book.seats, [0] * book.seats
    r.outcome(book, s, totals, ranks)
    unit = f"of {all_renown(book, s)} Renown"
    return tuple(
        Score(seat, totals[seat], unit, True, tuple(_renown(book, s, seat)), ranks[seat]) for seat in range(book.seats)
    )


def _renown(book: Book, s: State, seat: int) -> Iterator[Count]:
    """Yield the Renown of each Region that a seat has captured, and that of its cards. RT-24, RT-33."""
    for place in range(book.regions):
        if s.captor[place] == seat:
            region = book.region[s.region[place]]
            yield Count(face(region.name), seat, region.renown, None, region.name)
    if by_cards := total(book, s, st.RENOWN, 0, seat, st.NONE, st.NONE):
        yield Count("cards", seat, by_cards, None, "from cards, at the end")


def counts(book: Book, s: State) -> tuple[Count, ...]:
    """Return the public numbers of the table and of each seat."""
    table = (
        Count("regions", None, s.regions_left, book.regions, "Regions in the deck"),
        Count("renown", None, all_renown(book, s), None, "Renown in all"),
    )
    return (*table, *(count for seat in range(book.seats) for count in _counts_of(book, s, seat)))


def _counts_of(book: Book, s: State, seat: int) -> Iterator[Count]:
    """Yield the public numbers of a seat; until all keep, deck sizes are hidden. RT-7, RT-10, RT-26, RT-30."""
    yield Count("capacity", seat, s.capacity[seat], None, "capacity")
    yield Count("free", seat, s.capacity[seat] - s.allocated[seat], s.capacity[seat], "RP free")
    if s.spent_rp[seat]:
        yield Count("spent", seat, s.spent_rp[seat], None, "RP spent until Autumn")
    for deck, (key, words) in enumerate(DECKS):
        if s.deck_size[seat][deck] != UNKNOWN:
            yield Count(key, seat, s.deck_size[seat][deck], book.deck[seat][deck], f"cards in the {words}")
    if s.owed_draws[seat]:
        yield Count("draws", seat, s.owed_draws[seat], None, "cards to draw")
    if discards := s.owed_discards[seat] + s.to_drop[seat]:
        yield Count("discards", seat, discards, None, "cards to discard")
    left = st.SEASON_ACTIONS - s.actions[seat]
    if left < FEW_ACTIONS:
        yield Count("actions", seat, left, st.SEASON_ACTIONS, "actions left this Season")


def _legend(book: Book, s: State) -> tuple[Label, ...]:
    """Return the words for each thing that Knights are doing now. RT-16, RT-18."""
    attacks = [
        Label(f"attacks.{place}", f"attacks {region_name(book, s, s.open[place])}")
        for place in range(st.OPEN_REGIONS)
        if all_knights_at(book, s, place) > 0
    ]
    quests = [
        Label(f"quest.{owner}.{slot}", f"on {card_name(book, owner, s.line[owner][slot])}")
        for owner in range(book.seats)
        for slot in range(s.top[owner])
        if _kind(book, s, owner, slot) == st.QUEST
    ]
    return (*LEGEND, *attacks, *quests)


def _kind(book: Book, s: State, owner: int, slot: int) -> int:
    """Return the kind of the card in a slot, or NONE if the slot is empty."""
    line = s.line[owner][slot]
    return line if line == st.NONE else book.card[owner][line].kind


def _area(book: Book, s: State, owner: int, viewer: int, role: Role) -> Iterator[Zone]:
    """Yield the zones of a seat, its hand last."""
    whose = "Your" if owner == viewer else f"seat {owner}'s"
    lands = tuple(lanes.captured(book, s, owner))
    words = f"{whose} Regions, Renown {renown_of(book, s, owner)}"
    yield Zone(f"captured.{owner}", role, owner, "row", lands, len(lands), words)
    yield _demesnes(book, s, owner, whose, role)
    kinds = {slot: _kind(book, s, owner, slot) for slot in range(s.top[owner])}
    knights = tuple(_knight(book, s, owner, slot, viewer) for slot, kind in kinds.items() if kind == st.KNIGHT)
    yield Zone(f"knights.{owner}", role, owner, "row", knights, len(knights), f"{whose} Knights")
    loose = tuple(
        _unit(book, s, owner, slot, viewer)
        for slot, kind in kinds.items()
        if kind == st.QUEST or (kind in (st.EQUIPMENT, st.TITLE) and s.bearer[owner][slot] == st.NONE)
    )
    yield Zone(f"unpaired.{owner}", role, owner, "row", loose, len(loose), f"{whose} unpaired cards and Quests")
    yield _spent(book, s, owner, whose)
    for deck in (st.MAIN_DECK, st.DEMESNE_DECK):
        yield _deck(book, s, owner, viewer, deck, whose)
    if s.drops[owner] > 0 and s.dropped[owner][0] != UNKNOWN:
        yield _dropped(book, s, owner)
    yield _hand(book, s, owner, viewer)


def _demesnes(book: Book, s: State, owner: int, whose: str, role: Role) -> Zone:
    """Return the Demesnes of a seat, a piece for each step, with the RP that are allocated. RT-8, RT-10."""
    lines = range(book.main_lines[owner], book.lines[owner])
    steps = {card.step: card for card in (book.card[owner][line] for line in lines)}
    pieces = tuple(
        _demesne(f"demesne.{owner}.{step}", step, steps[step].rp, s.demesne[owner][step], owner)
        for step in range(st.STEPS)
        if s.demesne[owner][step] > 0
    )
    words = f"{whose} Demesnes, {s.allocated[owner]} of {s.capacity[owner]} RP allocated"
    return Zone(f"demesnes.{owner}", role, owner, "row", pieces, len(pieces), words)


@lru_cache(1024)
def _demesne(place: str, step: int, rp: int, count: int, owner: int) -> Piece:
    called = DEMESNES[step]
    stats = (Stat("copies", count, words="in play"), Stat("capacity", rp, words="RP each", signed=True))
    text = f"{count * rp} RP in all. {scene.demesne_text(step, rp)}"
    return Piece(place, face(called), called, kind="Demesne", stats=stats, text=text, seat=owner)


def _knight(book: Book, s: State, owner: int, slot: int, viewer: int) -> Piece:
    """Return a Knight with its numbers now, its task, and the cards on it. RT-25, RT-34."""
    card = book.card[owner][s.line[owner][slot]]
    influence = strength(book, s, st.INFLUENCE, owner, slot)
    resistance = strength(book, s, st.RESISTANCE, owner, slot)
    on_it = [other for other in range(s.top[owner]) if st.is_on(book, s, owner, other, slot)]
    return replace(
        _unit(book, s, owner, slot, viewer),
        kind=kind_words(card, s.types[owner][slot]),
        not_now=touches.knight_not_now(s, owner, slot),
        stats=scene.strengths(influence, resistance, card),
        state=frozenset(_doings(s, owner, slot)),
        on_it=tuple(_borne(book, s, owner, other, viewer) for other in on_it),
    )


def _borne(book: Book, s: State, owner: int, slot: int, viewer: int) -> Piece:
    """Return a card on a Knight; Equipment has its place by its kind. RT-13."""
    kind = book.card[owner][s.line[owner][slot]].slot
    return replace(_unit(book, s, owner, slot, viewer), at=None if kind == st.NONE else (0, kind))


def _doings(s: State, owner: int, slot: int) -> Iterator[str]:
    """Yield the key of the task of a Knight, if it has one, or that it is engaged. RT-16, RT-18."""
    place, quest = s.place[owner][slot], s.quest[owner][slot]
    if place != st.NONE:
        yield f"attacks.{place}"
    elif quest != st.NONE:
        yield f"quest.{quest // st.LINES}.{quest % st.LINES}"
    elif s.engaged[owner][slot]:
        yield "engaged"


def _unit(book: Book, s: State, owner: int, slot: int, viewer: int) -> Piece:
    """Return a card in play as a piece; the RP of a Quest are those spent on it."""
    card = book.card[owner][s.line[owner][slot]]
    owing = s.owed_draws[viewer] + s.owed_discards[viewer] > 0
    anyones = s.phase in (st.CHOOSE_KNIGHT, st.CHOOSE_TASK)
    touched = not owing and (owner == viewer or anyones) and card.kind in TOUCHED.get(s.phase, ())
    means = (st.IN_PLAY + st.LINES * owner + slot,) if touched else ()
    called = unit_name(book, s, owner, slot, owner)
    return scene.card_piece(f"unit.{owner}.{slot}", card, owner, s.rp[owner][slot], name=called, means=means)


def _spent(book: Book, s: State, owner: int, whose: str) -> Zone:
    lines = [line for line in range(book.lines[owner]) if s.spent[owner][line] > 0]
    pieces = tuple(
        _spent_card(f"spent.{owner}.{line}", book.card[owner][line].name, s.spent[owner][line], owner) for line in lines
    )
    count = sum(s.spent[owner][line] for line in lines)
    return Zone(f"spent.{owner}", "pile", owner, "stack", pieces, count, f"{whose} Spent Pile")


@lru_cache(4096)
def _spent_card(place: str, called: str, count: int, owner: int) -> Piece:
    stats = (Stat("copies", count, words="copies"),) if count > 1 else ()
    return Piece(place, face(called), called, stats=stats, seat=owner)


def _deck(book: Book, s: State, owner: int, viewer: int, deck: int, whose: str) -> Zone:
    """Return a deck as a back; a touch on it draws. In the set-up others do not know its size. RT-7, RT-26, RT-29."""
    size, (key, words) = s.deck_size[owner][deck], DECKS[deck]
    hidden = size == UNKNOWN
    draws = owner == viewer and (s.owed_draws[owner] > 0 or s.phase == st.WINTER_DRAW)
    piece = back(f"deck.{owner}.{deck}", owner, means=(st.DRAW_MAIN + deck,) if draws else ())
    if owner == viewer:
        stats = tuple(_contents(book, s, owner, deck))
        piece = replace(piece, name=words, kind=f"{size} cards face down", text=DECK_TEXTS[key], stats=stats)
    shown = 1 if hidden or size > 0 else 0
    size = shown if hidden else size
    return Zone(f"deck.{owner}.{deck}", "pile", owner, "stack", (piece,) * shown, size, f"{whose} {words}")


def _contents(book: Book, s: State, owner: int, deck: int) -> Iterator[Stat]:
    """Yield how many cards of each cost, or of each step, are left in a deck: its player may know. RT-2."""
    main = book.main_lines[owner]
    lines = range(main) if deck == st.MAIN_DECK else range(main, book.lines[owner])
    numbers: dict[tuple[int, str], int] = {}
    for line in lines:
        card = book.card[owner][line]
        rank = (card.step, card.name) if deck == st.DEMESNE_DECK else (card.rp, f"for {card.rp} RP")
        numbers[rank] = numbers.get(rank, 0) + s.deck[owner][line]
    return (Stat(f"cost.{rank}", number, words=words) for (rank, words), number in sorted(numbers.items()) if number)


def _splits(s: State, seat: int) -> Zone:
    """Return the numbers of Demesnes that a seat may take into its first hand; none once it has a hand. RT-6."""
    most = min(st.HAND, s.deck_size[seat][st.DEMESNE_DECK])
    taken = s.set_up[seat] not in (st.SPLIT_FIRST, st.SPLIT_AGAIN)
    pieces = () if taken else tuple(_split(seat, number) for number in range(min(1, most), most + 1))
    return Zone(f"split.{seat}", "offer", seat, "row", pieces, len(pieces), "Demesnes in your first hand")


@lru_cache(64)
def _split(seat: int, number: int) -> Piece:
    stat = Stat("demesnes", number, words="Demesnes")
    text = f"Draw {number} from the Demesne deck and {st.HAND - number} from the Main deck."
    called = f"Demesne{'' if number == 1 else 's'} in your first hand"
    return token(f"split.{seat}.{number}", stat, name=called, text=text, means=(st.SPLIT + number,))


def _dropped(book: Book, s: State, owner: int) -> Zone:
    """Return the cards that a seat has chosen to discard, until all have chosen. RT-30."""
    lines = [line for line in range(book.lines[owner]) for _ in range(s.dropped[owner][line])]
    pieces = tuple(scene.held(book, s, owner, line, f"dropped.{owner}.{i}") for i, line in enumerate(lines))
    return Zone(f"dropped.{owner}", "own", owner, "row", pieces, len(pieces), "Cards that you discard")


def _hand(book: Book, s: State, owner: int, viewer: int) -> Zone:
    """Return a hand: cards if the viewer may see them, else backs. RT-2."""
    if s.hand[owner][0] == UNKNOWN:
        pieces = [_hidden(f"hand.{owner}.{i}", owner) for i in range(s.hand_size[owner])]
    else:
        lines = [line for line in range(book.lines[owner]) for _ in range(s.hand[owner][line])]
        chosen = s.owed_discards[owner] > 0 or s.phase in (st.RECRUIT, st.CAMPAIGN, st.LIMIT)
        touched = owner == viewer and chosen and s.owed_draws[owner] == 0
        pieces = [
            scene.held(book, s, owner, line, f"hand.{owner}.{i}", means=(st.CARD + line,) if touched else ())
            for i, line in enumerate(lines)
        ]
        pieces = [_warned(book, s, owner, line, piece) for piece, line in zip(pieces, lines, strict=True)]
    words = "Your hand" if owner == viewer else f"Hand of seat {owner}"
    return Zone(f"hand.{owner}", "hand", owner, "fan", tuple(pieces), len(pieces), words)


def _warned(book: Book, s: State, owner: int, line: int, piece: Piece) -> Piece:
    """Return a card of a hand that says when it can be played, and whether its namesake is in play. RT-12, RT-15."""
    not_now = touches.card_not_now(book, s, owner, line) if s.phase in (st.RECRUIT, st.CAMPAIGN) else ""
    namesakes = tuple(_namesakes(book, s, owner, line))
    state = frozenset({"namesake"} if namesakes else ())
    return replace(piece, not_now=not_now, now=(*piece.now, *namesakes), state=state)


def _namesakes(book: Book, s: State, owner: int, line: int) -> Iterator[Line]:
    """Yield a line for each namesake in play of a named Knight in a hand. RT-15."""
    card = book.card[owner][line]
    if card.kind != st.KNIGHT or card.types & st.GENERIC:
        return
    for seat in range(book.seats):
        for slot in range(s.top[seat]):
            if _kind(book, s, seat, slot) == st.KNIGHT:
                other = book.card[seat][s.line[seat][slot]]
                if other.namesake == card.namesake:
                    whose = "of yours" if seat == owner else f"of seat {seat}"
                    words = f"{other.name} {whose} is in play: if you recruit this one, both are removed."
                    yield Line(words, clause="RT-15")


@lru_cache(4096)
def _hidden(place: str, owner: int) -> Piece:
    return back(place, owner)
