"""Secrecy: no page, no JSON and no message on a socket holds anything that its receiver may not know."""

import copy
import random

import msgspec
import pytest

import quintain
from conformance.cases import over_cases
from quintain.engine.play.match import Match
from quintain.engine.play.undo import Undo
from quintain.engine.rules.contract import SPECTATOR
from quintain.games.kings_court import state as st
from quintain.games.kings_court.words import card_name
from quintain.server.pages import contexts
from quintain.server.pages.rendering import environment
from quintain.server.people.players import Visitor
from quintain.server.tables.foresight import NOTHING_FORESEEN
from quintain.server.tables.live_table import LiveTable, Viewing
from quintain.server.tables.table import Table
from server import logged
from server.guests import Guest, cards_in, is_over
from server.stores import POSTGRESQL

TEMPLATES = environment()
FIRST_LOOKS, MOST_LOOKS = 8, 25


@over_cases
def test_what_differs_only_in_hidden_things_looks_the_same_to_every_viewer(case):
    chance = random.Random(5)
    names = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"][: case.seats]
    match = Match.new(case.game, case.seats, names, case.options, seed=bytes(32))
    table = table_of(match)
    looked = accounts = 0
    while match.outcome is None and looked < MOST_LOOKS:
        if looked < FIRST_LOOKS or chance.random() < 0.1:
            looked += 1
            accounts += bool(match.account(None))
            for viewer in (None, *range(case.seats)):
                check_twin(table, viewer, chance)
        seat = chance.choice(sorted(match.to_act))
        match.play(seat, chance.choice(match.moves(seat)).action)
    assert looked >= min(4, case.length)
    assert accounts or match.game.id == "kings-court", "no account is looked at"


def check_twin(table: Table, viewer: int | None, chance: random.Random) -> None:
    """Render what a viewer gets of the true match, and of one that is redealt from what the viewer knows."""
    match = table.match
    shown = rendered(table, viewer)
    table.match = twin_of(match, viewer, chance.getrandbits(60))
    try:
        assert rendered(table, viewer) == shown
    finally:
        table.match = match


def twin_of(match: Match, viewer: int | None, seed: int) -> Match:
    """Return a match with other hidden things than this one, in the states before moves as well: all redealt alike."""

    def redealt(state):
        world = match.game.blinded(match.book, state, SPECTATOR if viewer is None else viewer)
        match.game.rules.redeal(match.book, world, seed)
        world.rng = list(state.rng)
        return world

    twin = copy.copy(match)
    twin._state = redealt(match._state)
    twin._undo = Undo(match.game, match.book)
    steps = [step._replace(before=redealt(step.before)) for step in match._undo.steps]
    known = [*(seen_in(match, one.before, viewer) for one in match._undo.steps), seen_in(match, match._state, viewer)]
    twin._undo.steps = [possible(match, step, viewer, then) for step, then in zip(steps, known[1:], strict=True)]
    twin._undo.first = match._undo.first
    twin._menus = [
        match.game.legal_actions(match.book, twin._state, seat) if seat in match.to_act else []
        for seat in range(match.seats)
    ]
    return twin


def seen_in(match: Match, state, viewer: int | None):
    return match.game.blinded(match.book, state, SPECTATOR if viewer is None else viewer)


def possible(match: Match, step, viewer: int | None, then):
    """Return a step of another seat with an action that is legal in this world and looks the same to the viewer."""
    if step.seat == viewer:
        return step
    menu = match.game.legal_actions(match.book, step.before, step.seat)
    for action in sorted(menu, key=lambda action: action != step.action):
        after = step.before.copy()
        match.game.rules.play(match.book, after, step.seat, action)
        if seen_in(match, after, viewer) == then:
            return step._replace(action=action)
    return step


def rendered(table: Table, viewer: int | None) -> list[str]:
    visitor = Visitor("nobody" if viewer is None else f"player {viewer}", "X", "csrf", "auto")
    viewing = Viewing.of(LiveTable(table), visitor)
    context = contexts.table_context(viewing, "http://localhost", "")
    whys = [] if viewer is None else [contexts.why_context(viewing, a) for a in range(table.match.game.actions)]
    return [
        TEMPLATES.render_template("table.html", **context),
        TEMPLATES.render_template("parts/looks.html", **contexts.looks_context(viewing, NOTHING_FORESEEN)),
        msgspec.json.encode(contexts.table_json(viewing)).decode(),
        *(why["reason"]["words"] for why in whys),
    ]


def table_of(match: Match) -> Table:
    table = logged.table_of(match)
    table.match = match
    return table


@pytest.mark.parametrize("store", [POSTGRESQL], indirect=True)
def test_no_card_is_named_to_anybody_before_they_may_know_it(serving):
    """Two servers on one database send all that one server sends, and what they learn from each other."""
    ann, bo, eve = serving.guest("Ann"), serving.guest("Bo"), serving.guest()
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    received: list[tuple[int, int | None, str]] = []
    chance = random.Random(7)
    with ann.watching(table) as a, bo.watching(table) as b, eve.watching(table) as e:
        guests = ((0, ann, a), (1, bo, b), (None, eve, e))
        while not is_over(ann.view(table)):
            for seat, guest, socket in guests:
                look(guest, table, everywhere=chance.random() < 0.05)
                texts = (*guest.received, *pushed(socket))
                received += [(len(serving.table(table).match.moves_made), seat, text) for text in texts]
                guest.received.clear()
            for guest in chance.sample([ann, bo], 2):
                if guest.move_at_random(table, chance):
                    break
    match = quintain.Match.load(ann.get(f"/tables/{table}/record.json").json())
    known = knowledge(match)
    named = {(seat, card) for made, seat, text in received for card in cards_in(text)}
    for made, seat, text in received:
        assert cards_in(text) <= known[made][seat], f"after {made} moves, to {seat}"
    assert len({card for seat, card in named if seat is None}) > 25, "the test sees no cards"


def look(guest: Guest, table: str, everywhere: bool) -> None:
    further = (
        f"?why={st.MOVE_NOTHING}",
        "/steps?after=0",
        "?since",
        "?since=1",
        "?since=2",
        "/replay",
        "/record.json",
        "/looks",
    )
    for path in ("", ".json", *(further if everywhere else ())):
        guest.get(f"/tables/{table}{path}")


def pushed(socket) -> list[str]:
    """Return what has come over a socket so far."""
    texts = []
    while True:
        try:
            texts.append(socket.recv(timeout=0.02))
        except TimeoutError:
            return texts


def knowledge(match: Match) -> list[dict[int | None, set[str]]]:
    """Return, after each entry of the log, the cards that each seat and a spectator have had before their eyes."""
    seen = {0: set(), 1: set(), None: set()}
    by_entry = []
    for _, again in match.steps():
        s = again._state
        played = {card_name(card) for card in s.played[: s.plays_made]}
        for seat in (0, 1):
            seen[seat] |= played | {card_name(card) for card in range(st.CARDS) if s.hand[seat][card]}
        seen[None] |= played
        by_entry.append({viewer: set(cards) for viewer, cards in seen.items()})
    return by_entry


def test_the_helper_that_looks_for_cards_finds_them_in_pages():
    assert cards_in('<b title="Artois 5">de_bourgogne-8</b>') == {"Artois 5", "De Bourgogne 8"}
