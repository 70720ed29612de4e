"""Round Table: the table as a viewer sees it, and what a seat is asked."""

import re
from collections.abc import Iterator
from functools import lru_cache

from quintain.engine.contract import acting, legal_mask
from quintain.engine.state import UNKNOWN
from quintain.engine.views import Choice, Piece, View, Zone
from quintain.games.round_table import rules as r
from quintain.games.round_table import state as st
from quintain.games.round_table.autumn import judge, remaining
from quintain.games.round_table.effects import all_knights_at, cost, knights_at, renown_of, strength
from quintain.games.round_table.moves import name
from quintain.games.round_table.setting_up import all_renown
from quintain.games.round_table.state import Book, Card, State
from quintain.games.round_table.words import KINDS, SLOTS, TYPE_WORDS, region_name, unit_name

SEASONS = ("Spring", "Summer", "Autumn", "Winter")
STEPS = ("attacks", "Quests", "Redirects", "other cards")
DECK_NAMES = ("Main deck", "Demesne deck")


def view(book: Book, s: State, seat: int) -> View:
    """Lay the table out for a seat (-1: a spectator) from its blinded state."""
    to_act = acting(r, book, s)
    me = max(seat, 0)
    others = [(me + i) % book.seats for i in range(1, book.seats)]
    zones = [
        *(zone for owner in others for zone in _area(book, s, owner, seat)),
        _regions(book, s, seat),
        _region_deck(book, s),
        *_area(book, s, me, seat),
    ]
    asked = question(book, s, seat) if seat in to_act else ""
    menu = _menu(book, s, seat, zones) if asked else ()
    counts = {"Regions in the deck": s.regions_left, "Renown in all": all_renown(book, s)}
    return View(tuple(zones), menu, asked, phase(s), to_act, counts)


def phase(s: State) -> str:
    """Say which season it is, and in Summer which step."""
    if s.over:
        return "over"
    if s.phase == st.SET_UP:
        return "set-up"
    step = f", {STEPS[s.step]}" if s.season == st.SUMMER and s.phase != st.LIMIT else ""
    return SEASONS[s.season] + step


def question(book: Book, s: State, seat: int) -> str:
    """Return what a seat that may act is asked."""
    if s.phase == st.SET_UP:
        keeping = s.set_up[seat] == st.KEEP_OR_NOT
        return "Do you keep this hand?" if keeping else "How many of your ten cards are Demesnes?"
    if s.phase == st.LIMIT:
        return f"Which card do you discard? ({s.to_drop[seat]} more)"
    if s.owed_draws[seat] > 0 or s.phase == st.WINTER_DRAW:
        more = f" ({s.owed_draws[seat]} more)" if s.owed_draws[seat] > 1 else ""
        return f"From which deck do you draw?{more}"
    if s.owed_discards[seat] > 0:
        return f"Which card do you discard? ({s.owed_discards[seat]} more)"
    free = s.capacity[seat] - s.allocated[seat]
    if s.phase == st.RECRUIT:
        return f"What do you recruit, play or move? ({free} RP left)"
    if s.phase == st.CAMPAIGN:
        return f"What do you do in your campaign? ({free} RP left)"
    if s.phase == st.SUPPORT:
        return "What do you take back into your hand?"
    if s.phase == st.CHOOSE_REGION:
        return f"Which Region does {unit_name(book, s, s.on_seat, s.on, seat)} attack?"
    if s.phase == st.CHOOSE_TASK:
        return f"What is {unit_name(book, s, s.on_seat, s.on, seat)} to do now?"
    card = s.card if s.moving == st.NONE else s.line[seat][s.moving]
    return f"On whom do you put {book.card[seat][card].name}?"


def is_asked(book: Book, s: State, seat: int) -> bool:
    """Tell whether a seat may act."""
    return seat in acting(r, book, s)


def _menu(book: Book, s: State, seat: int, zones: list[Zone]) -> tuple[Choice, ...]:
    mask = legal_mask(r, book, s, seat)
    pieces = [piece for zone in zones for whole in zone.pieces for piece in (whole, *whole.attached)]
    places = {piece.action: piece.id for piece in reversed(pieces)}
    legal = (action for action in range(st.ACTIONS) if mask[action])
    return tuple(Choice(action, name(book, s, seat, action), places.get(action)) for action in legal)


def _regions(book: Book, s: State, seat: int) -> Zone:
    """Show the open Regions, with the forces on each side and who would take them as things stand."""
    pieces = tuple(_region(book, s, place, seat) for place in range(st.OPEN_REGIONS) if s.open[place] != st.NONE)
    return Zone("regions", "Open Regions", None, "row", pieces, len(pieces))


def _region(book: Book, s: State, place: int, viewer: int) -> Piece:
    region = book.region[s.region[s.open[place]]]
    forces: tuple[Piece, ...] = ()
    stands = ""
    if all_knights_at(book, s, place) > 0:
        judged = s.copy()
        judge(book, judged, place)
        there = [seat for seat in range(book.seats) if knights_at(book, s, seat, place, st.NONE) > 0]
        forces = tuple(_force(book, judged, place, seat) for seat in there)
        captor = judged.judged_captor[place]
        stands = (
            "; as things stand nobody takes it" if captor == st.NONE else f"; as things stand seat {captor} takes it"
        )
    text = f"Resistance {region.resistance}, Renown {region.renown}{stands}"
    action = st.REGION + place if is_asked(book, s, viewer) and s.phase in (st.CHOOSE_REGION, st.CHOOSE_TASK) else None
    words = f"{region.name}: {text}"
    return Piece(f"region.{place}", face(region.name), words, action=action, attached=forces, text=text)


def _force(book: Book, s: State, place: int, seat: int) -> Piece:
    influence, resistance = s.judged_influence[place][seat], s.judged_resistance[place][seat]
    left = remaining(book, s, place, seat)
    text = f"Influence {influence}, Resistance {resistance}; {left} left against the Region"
    return Piece(f"force.{place}.{seat}", str(left), f"seat {seat}: {text}", seat, value=left, text=text)


def _region_deck(book: Book, s: State) -> Zone:
    """Show the Regions to come: those that the viewer knows, the next one first, then a back."""
    order = [s.region_deck[i] for i in range(s.regions_left - 1, -1, -1)]
    known = [place for place in order if place != UNKNOWN]
    pieces = [
        Piece(f"to_come.{i}", face(region_name(book, s, place)), f"{region_name(book, s, place)}, to come")
        for i, place in enumerate(known)
    ]
    if len(known) < s.regions_left:
        pieces.append(_back(f"to_come.{len(known)}", "a Region face down", None))
    seen = {*known, *s.open, *(place for place in range(book.regions) if s.captor[place] != st.NONE)}
    hidden = [region_name(book, s, place) for place in range(book.regions) if place not in seen]
    title = f"Regions to come, in some order: {', '.join(hidden)}" if hidden else "Regions to come"
    return Zone("to_come", title, None, "stack", tuple(pieces), s.regions_left)


def _area(book: Book, s: State, owner: int, viewer: int) -> Iterator[Zone]:
    """Yield all that lies before a seat, its hand last."""
    whose = "Your" if owner == viewer else f"seat {owner}'s"
    yield _captured(book, s, owner, whose)
    yield _demesnes(book, s, owner, whose)
    knights = [slot for slot in range(s.top[owner]) if st.is_knight(book, s, owner, slot)]
    pieces = tuple(_knight(book, s, owner, slot, viewer) for slot in knights)
    yield Zone(f"knights.{owner}", f"{whose} Knights", owner, "row", pieces, len(pieces))
    loose = [slot for slot in range(s.top[owner]) if s.line[owner][slot] != st.NONE and _is_loose(book, s, owner, slot)]
    pieces = tuple(_unit(book, s, owner, slot, viewer) for slot in loose)
    yield Zone(f"unpaired.{owner}", f"{whose} unpaired cards and Quests", owner, "row", pieces, len(pieces))
    yield _spent(book, s, owner, whose)
    for deck in (st.MAIN_DECK, st.DEMESNE_DECK):
        yield _deck(book, s, owner, viewer, deck, whose)
    yield _hand(book, s, owner, viewer)


def _is_loose(book: Book, s: State, owner: int, slot: int) -> bool:
    kind = book.card[owner][s.line[owner][slot]].kind
    return kind == st.QUEST or (kind != st.KNIGHT and s.bearer[owner][slot] == st.NONE)


def _captured(book: Book, s: State, owner: int, whose: str) -> Zone:
    taken = [book.region[s.region[place]] for place in range(book.regions) if s.captor[place] == owner]
    pieces = tuple(
        Piece(f"captured.{owner}.{i}", face(region.name), f"{region.name}: {text}", owner, text=text)
        for i, region in enumerate(taken)
        for text in (f"Renown {region.renown}",)
    )
    title = f"{whose} Regions, Renown {renown_of(book, s, owner)}"
    return Zone(f"captured.{owner}", title, owner, "row", pieces, len(pieces))


def _demesnes(book: Book, s: State, owner: int, whose: str) -> Zone:
    """Show the Demesnes step by step, and what is left of their capacity."""
    lines = range(book.main_lines[owner], book.lines[owner])
    steps = {card.step: card for card in (book.card[owner][line] for line in lines)}
    pieces = tuple(
        _demesne(f"demesne.{owner}.{step}", steps[step].name, steps[step].rp, s.demesne[owner][step], owner)
        for step in range(st.STEPS)
        if s.demesne[owner][step] > 0
    )
    title = f"{whose} Demesnes, {s.allocated[owner]} of {s.capacity[owner]} RP allocated"
    return Zone(f"demesnes.{owner}", title, owner, "row", pieces, len(pieces))


@lru_cache(1024)
def _demesne(place: str, called: str, rp: int, count: int, owner: int) -> Piece:
    text = f"{count} in play, {rp} RP each"
    return Piece(place, face(called), f"{called}: {text}", owner, text=text)


def _knight(book: Book, s: State, owner: int, slot: int, viewer: int) -> Piece:
    card = book.card[owner][s.line[owner][slot]]
    influence = strength(book, s, st.INFLUENCE, owner, slot)
    resistance = strength(book, s, st.RESISTANCE, owner, slot)
    attached = tuple(
        _unit(book, s, owner, other, viewer) for other in range(s.top[owner]) if st.is_on(book, s, owner, other, slot)
    )
    numbers = f"Influence {influence}, Resistance {resistance}, {s.rp[owner][slot]} RP, {_kind(card)}"
    text = _with_text(numbers, card)
    words = f"{unit_name(book, s, owner, slot, owner)}: {text}"
    action = st.IN_PLAY + st.LINES * owner + slot if is_asked(book, s, viewer) else None
    marks = _doings(book, s, owner, slot)
    return Piece(f"unit.{owner}.{slot}", face(card.name), words, owner, None, None, marks, action, attached, text)


def _doings(book: Book, s: State, owner: int, slot: int) -> tuple[str, ...]:
    """Say what a Knight is doing."""
    place, quest = s.place[owner][slot], s.quest[owner][slot]
    if place != st.NONE:
        return (f"attacks {region_name(book, s, s.open[place])}",)
    if quest != st.NONE:
        return (f"on {book.card[quest // st.LINES][s.line[quest // st.LINES][quest % st.LINES]].name}",)
    return ("engaged",) if s.engaged[owner][slot] else ()


def _unit(book: Book, s: State, owner: int, slot: int, viewer: int) -> Piece:
    card = book.card[owner][s.line[owner][slot]]
    text = _with_text(card_numbers(card), card)
    words = f"{unit_name(book, s, owner, slot, owner)}: {text}"
    action = st.IN_PLAY + st.LINES * owner + slot if is_asked(book, s, viewer) else None
    return Piece(f"unit.{owner}.{slot}", face(card.name), words, owner, action=action, text=text)


def _spent(book: Book, s: State, owner: int, whose: str) -> Zone:
    lines = [line for line in range(book.lines[owner]) if s.spent[owner][line] > 0]
    pieces = tuple(_spent_card(f"spent.{owner}.{line}", book.card[owner][line].name, owner) for line in lines)
    count = sum(s.spent[owner][line] for line in lines)
    return Zone(f"spent.{owner}", f"{whose} Spent Pile", owner, "stack", pieces, count)


@lru_cache(4096)
def _spent_card(place: str, called: str, owner: int) -> Piece:
    return Piece(place, face(called), called, owner)


def _deck(book: Book, s: State, owner: int, viewer: int, deck: int, whose: str) -> Zone:
    size = s.deck_size[owner][deck]
    here = viewer == owner and is_asked(book, s, viewer)
    action = st.DRAW_MAIN + deck if here else None
    hidden = size == UNKNOWN
    shown = 1 if hidden or size > 0 else 0
    piece = Piece(f"deck.{owner}.{deck}", None, "a card face down", owner, action=action)
    return Zone(
        f"deck.{owner}.{deck}",
        f"{whose} {DECK_NAMES[deck]}",
        owner,
        "stack",
        (piece,) * shown,
        shown if hidden else size,
    )


def _hand(book: Book, s: State, owner: int, viewer: int) -> Zone:
    """Show a hand: the viewer's own, or one that lies open; of another, backs."""
    size = s.hand_size[owner]
    if s.hand[owner][0] == UNKNOWN:
        pieces = [_back(f"hand.{owner}.{i}", "a card face down", owner) for i in range(size)]
    else:
        mine = owner == viewer and is_asked(book, s, viewer)
        held = [line for line in range(book.lines[owner]) for _ in range(s.hand[owner][line])]
        size = len(held)
        pieces = [_held(book, s, owner, i, line, mine) for i, line in enumerate(held)]
    title = "Your hand" if owner == viewer else f"Hand of seat {owner}"
    return Zone(f"hand.{owner}", title, owner, "fan", tuple(pieces), size)


def _held(book: Book, s: State, owner: int, place: int, line: int, mine: bool) -> Piece:
    """Show a card of a hand, with what it costs now."""
    card = book.card[owner][line]
    rp = card.rp if card.kind == st.DEMESNE else cost(book, s, owner, line)
    text = _with_text(card_numbers(card, rp), card)
    action = line if mine else None
    return Piece(f"hand.{owner}.{place}", face(card.name), f"{card.name}: {text}", owner, action=action, text=text)


@lru_cache(4096)
def _back(place: str, words: str, owner: int | None) -> Piece:
    return Piece(place, None, words, owner)


def card_numbers(card: Card, rp: int | None = None) -> str:
    """Return a card's kind and numbers, such as ``Knight, 6 RP, Influence 5, Resistance 4``; `rp` after effects."""
    changed = rp is not None and rp != card.rp
    numbers = [_kind(card), f"{rp} RP instead of {card.rp}" if changed else f"{card.rp} RP"]
    strengths = (("Influence", card.influence), ("Resistance", card.resistance))
    if card.kind == st.KNIGHT:
        numbers += [f"{words} {number}" for words, number in strengths]
    else:
        numbers += [f"{words} {number:+d}" for words, number in strengths if number]
    return ", ".join(numbers)


def _kind(card: Card) -> str:
    """Return what a card is: the types of a Knight, the kind of Equipment, else its kind."""
    types = [words for bit, words in TYPE_WORDS.items() if card.types & bit]
    return ", ".join(types) or (KINDS[card.kind] if card.slot == st.NONE else SLOTS[card.slot])


def _with_text(words: str, card: Card) -> str:
    return f"{words}. {card.text}" if card.text else words


@lru_cache(1024)
def face(called: str) -> str:
    """Return the key of a picture: the name in small letters."""
    return re.sub(r"\W+", "_", called.casefold())
