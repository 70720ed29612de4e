"""Sample pages: templates and values made from real matches, for `test_looks.py` and `tools/screenshots.py`."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from quintain.engine.play.course import story_of
from quintain.engine.play.match import Match
from quintain.engine.play.story import Story
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game
from quintain.engine.rules.views import Count, Label, Phase, Piece, Question, Stat, View, Zone, back, token
from quintain.engine.seen.acts import completed
from quintain.engine.seen.previews import distinct, first_shown
from quintain.server.clock import now
from quintain.server.model.deck_lists import changed_list, decks_of
from quintain.server.model.entries import OVER
from quintain.server.model.own_decks import OwnDeck
from quintain.server.model.saved_sets import SavedSet
from quintain.server.model.talk import READY
from quintain.server.model.wins import MOVE, OPENING, SEAT, WinCount
from quintain.server.pages.cards.balance.of_decks import deck_panel
from quintain.server.pages.cards.balance.panel import Trialed
from quintain.server.pages.cards.browsing import browse_context
from quintain.server.pages.cards.deck_pages import builder_page, decks_page, shared_context
from quintain.server.pages.cards.one_card import card_context
from quintain.server.pages.cards.printing import print_context
from quintain.server.pages.cards.sets.choosing_sets import set_context
from quintain.server.pages.cards.sets.saved_sets import sets_context, usual_choice
from quintain.server.pages.cards.sets.set_builder import set_page
from quintain.server.pages.contexts import NOTHING_SHOWN, Seeing, qr, seen_context
from quintain.server.pages.endings import ending
from quintain.server.pages.old_games import replay_context
from quintain.server.pages.rendering import board_template, environment, view_context
from quintain.server.pages.rule_pages import rules_context
from quintain.server.pages.since import Back
from quintain.server.pages.study.win_shares import shown_statistics
from quintain.server.people.players import Visitor
from quintain.server.tables.foresight import Advised
from quintain.server.tables.live_table import LiveTable
from quintain.server.tables.replays import Replay
from quintain.server.tables.table import Table
from quintain.server.workshop.subjects import OF_DECK, deck_subject
from server.logged import table_of
from server.study.analyzing import analysis_samples
from server.study.puzzling import puzzle_samples
from server.workshop.sample_sets import workshop_samples

ANSWERED = 6
"""A seed of random moves by which each player of Robin in the Hood comes to answer a card."""
NAMES = ("Ann", "Bo of Bellinghausen", "Cleo", "Dirk", "Eve", "Fay")
SEED = bytes(range(32))
VISITOR = Visitor("ann", "Ann", "c" * 32, "auto", number=1)
MOST_PREVIEWS = 40
"""A page with more actions than this has the previews that a server sends with it, one with fewer has all."""
_WON = {"words": "won", "rivals": [{"name": "Bo"}], "score": "11 : 6", "date": "12 March", "href": "/tables/t"}
"""A finished game, as the page of a deck lists it."""
SPEEDS = [{"value": speed, "words": speed.capitalize()} for speed in ("slow", "usual", "fast")]


def page(title: str, **more: Any) -> dict[str, Any]:
    """Return the values that every page needs, and more."""
    return {
        "title": title,
        "player": {"name": "Ann", "key": "1"},
        "csrf": "c" * 32,
        "theme": "auto",
        "here": "/",
        **more,
    }


def hint_for(match: Match, you: int) -> list[Advised]:
    """Return a hint about the first legal moves of a seat, the best first."""
    moves = enumerate(match.moves(you)[:3])
    return [Advised(move.action, move.text, 0.61 - 0.03 * number, 400) for number, move in moves]


def table_page(match: Match, you: int | None, chosen: str = "", foresees: bool = True, **more: Any) -> dict[str, Any]:
    """Return the context of a table as a seat sees it that has chosen a piece, by id, or nothing.

    Without `foresees` it has no previews, and is made much faster.
    """
    playing = match.outcome is None
    seen = match.seen(you)
    hint = more.pop("hint", ())
    paths = first_shown(seen.view, chosen)
    if len(seen.legal) <= MOST_PREVIEWS:
        paths = list(dict.fromkeys([*paths, *((action,) for action in seen.legal)]))
    made = distinct(dict(seen.previews(paths if foresees else ())))
    seeing = Seeing(chosen, previews={path: preview for path, preview in made.items() if preview}, hint=hint)
    coach = more.get("coach")
    if coach:
        seeing = Seeing(chosen, places=coach["at"], wanted=coach["action"])
    table = {
        "id": "k7f3",
        "href": "/tables/k7f3",
        "socket": "/tables/k7f3/socket",
        "game_id": match.game.id,
        "game_title": match.game.title,
        "status": "playing" if playing else "over",
        "seats": [seat_of(match, seat, you) for seat in range(match.seats)],
        "invite_url": "http://192.168.0.17:8000/tables/k7f3",
        "qr_svg": "",
        "clock_words": "60 seconds for each decision",
        "adjourned": False,
        "commitment": match.commitment,
        "decision": 3,
        "you": you,
        "can_undo": you is not None and match.can_undo(you),
        "can_hint": you is not None and bool(match.moves(you)),
        "can_resign": playing and you is not None,
        "speed": "usual",
        "speeds": SPEEDS,
        "passing": False,
        "move_link": "http://192.168.0.17:8000/seat/abc",
        "hint": [one._asdict() for one in hint] or None,
        "hinting": False,
        "hints_allowed": False,
        **more.pop("table", {}),
    }
    return page(
        match.game.title,
        table=table,
        **seen_context(seen, max(0, len(seen.log) - 3), seeing)
        | {"since": Back(match, you).context}
        | {"choice": None if coach else set_context(seen)},
        board=more.pop("board", board_template(match.game)),
        result=None if playing else result_of(match, you),
        **more,
    )


def talk(you: int | None) -> dict[str, Any]:
    """Return what people have said at a sample table, as a player or a spectator reads it."""
    said = [(0, "Good luck"), (1, "Thank you, you will need it more than I do. " * 2), (0, "W" * 90), (None, "Well!")]
    lines = [
        {"id": id_, "key": "7", "seat": seat, "name": NAMES[seat or 0], "text": text, "you": seat == you}
        for id_, (seat, text) in enumerate(said, 1)
        if seat is not None or you is None
    ]
    return {"is_off": False, "is_open": True, "lines": lines, "ready": READY, "most": 200}


def seat_of(match: Match, seat: int, you: int | None) -> dict[str, Any]:
    """Return a seat of a sample table; the last one is a bot's."""
    is_bot = seat == match.seats - 1
    return {
        "seat": seat,
        "name": match.names[seat],
        "note": "still warming up, and plays like a Squire" if is_bot else "",
        "kind": "bot" if is_bot else "person",
        "connected": seat != 1,
        "stand_in": None,
        "to_act": seat in match.to_act,
        "you": seat == you,
    }


def result_of(match: Match, you: int | None) -> dict[str, Any]:
    """Return the result of a finished sample match, as a seat reads it."""
    assert match.outcome
    return {
        "scores": match.outcome.scores,
        "seed": match.seed,
        "commitment": match.commitment,
        "record_url": "/tables/k7f3/record.json",
        "replay_url": "/tables/k7f3/replay",
        "rematch": you is not None,
        "again": {"is_asked": match.seats > 2, "you_agree": False, "agreed": [], "missing": [match.names[1]]},
        **ending(match, told(match), you, "/tables/k7f3"),
    }


@lru_cache(1)
def told(match: Match) -> Story:
    """Return the story of a finished match, which several viewers see one after the other."""
    return story_of(match)


def played(game: Game, until: Callable[[Match], bool], seed: int = 1, **options: Any) -> Match:
    """Return a match played at random until something holds, or to the end."""
    chooser = random.Random(seed)
    seats = options.pop("seats", game.seats[2])
    match = Match.new(game, seats=seats, names=NAMES[:seats], options=options, seed=SEED)
    while match.outcome is None and not until(match):
        seat = chooser.choice(sorted(match.to_act))
        match.play(seat, chooser.choice(match.moves(seat)).action)
    return match


def positions(game: Game, seats: int, every: int, seed: int = 1) -> Iterator[Match]:
    """Yield one match at many moments of a random game, its start and its end among them."""
    chooser = random.Random(seed)
    match = Match.new(game, seats=seats, names=NAMES[:seats], seed=SEED)
    ply = 0
    while match.outcome is None:
        if ply % every == 0:
            yield match
        seat = chooser.choice(sorted(match.to_act))
        match.play(seat, chooser.choice(match.moves(seat)).action)
        ply += 1
    yield match


def asked_in(question: str, turn: int = 1) -> Callable[[Match], bool]:
    """Return a condition: the first seat is asked a question, by its key, in this turn or later."""

    def holds(match: Match) -> bool:
        return is_asked(match, question) and match.view(0).phase.round >= turn

    return holds


def is_asked(match: Match, question: str, seat: int = 0) -> bool:
    """Tell whether a seat is asked a question, by its key."""
    asked = match.view(seat).question
    return asked is not None and asked.key == question


def every_layout(game: Game) -> View:
    """Return a view in which every layout is used, with pieces attached, gaps, and a menu of both kinds."""

    def card(place: str, key: str, **more: Any) -> Piece:
        return Piece(place, key, key, corner=key.partition("-")[2], **more)

    rows = [
        card(f"camp.{row}.{i}", "rune-7", at=(row, i)) if row else back("camp.0.0", at=(0, 0))
        for row in range(4)
        for i in range(row + 1)
    ]
    field = [card(f"field.{i}", f"knight-{i}", at=(i // 2, 2 * (i % 2)), seat=i % 2, means=(i,)) for i in range(4)]
    laden = card("laden", "wagon", on_it=(card("load.0", "grain-2"), token("load.1", Stat("gold", 3, words="gold"))))
    hand = [card(f"hand.0.{i}", f"knight-{i + 3}", seat=0, means=(10 + i, 30)) for i in range(1)]
    hand += [card(f"hand.0.{i}", f"knight-{i + 3}", seat=0, means=(10 + i,)) for i in range(1, 6)]
    road = [card(f"road.{place}", "pilgrim", at=(0, place), seat=place % 2) for place in (0, 3, 4)]
    zones = (
        Zone("camp", "rival", 1, "pyramid", tuple(rows), len(rows), "The camp"),
        Zone("field", "middle", None, "grid", tuple(field), len(field), "The field"),
        Zone("road", "track", None, "track", tuple(road), len(road), "The road"),
        Zone("train", "middle", None, "row", (laden,), 1, "The train"),
        Zone("deck", "pile", None, "stack", (back("deck.0"),), 23, "Deck"),
        Zone("hand.0", "hand", 0, "fan", tuple(hand), len(hand), "Your hand"),
    )
    view = View(
        zones,
        Phase("battle", (Label("battle", "battle"),), 1),
        Question("knights", "What do you do with the knights?"),
        counts=(Count("rounds", None, 3, None, "rounds"),),
        last=(31,),
    )
    return completed(view, {1: "charge knight 1", 10: "play knight 3", 30: "swear fealty", 31: "pass"}, (0,))


def all_pages(kings_court: Game, goofspiel: Game, robin: Game) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield every sample page: a name, the template and its context."""
    kc = lambda until, **options: played(kings_court, until, **options)  # noqa: E731
    yield "order", "table.html", table_page(kc(lambda match: True, garnets=[3, 1]), 0)
    yield "counters", "table.html", table_page(kc(lambda match: len(match.moves(0)) == 4), 0)
    middle = kc(asked_in("play", 8))
    yield "play", "table.html", table_page(middle, 0)
    yield "waiting-for-rival", "table.html", table_page(middle, 1)
    yield "spectator", "table.html", table_page(middle, None)
    yield "switch", "table.html", table_page(kc(asked_in("switch", 5)), 0)
    yield "move-house", "table.html", table_page(kc(lambda m: asked_in("house", 6)(m) and len(m.moves(0)) > 3), 0)
    yield "move-unit", "table.html", table_page(kc(asked_in("unit", 6)), 0)
    bound = kc(lambda m: asked_in("give", 3)(m) and m.view(0).question.help, seed=2)
    reason = {"clause": "KC-11", "words": "this gift must be of Febrois, which you can give"}
    yield "give", "table.html", table_page(bound, 0, reason=reason, rules_url="/rules/kings-court")
    hint = hint_for(middle, 0)
    yield "hint", "table.html", table_page(middle, 0, hint=hint, notice="That was too late: here is the table now.")
    over = kc(lambda match: False)
    yield "over", "table.html", table_page(over, 0)
    yield "goofspiel", "table.html", table_page(played(goofspiel, lambda m: m.view(0).phase.round >= 3), 0)
    yield (
        "goofspiel-4",
        "table.html",
        table_page(
            played(goofspiel, lambda m: m.view(0).phase.round >= 8 and 0 in m.to_act and len(m.to_act) == 2, seats=4),
            0,
        ),
    )
    yield "goofspiel-over", "table.html", table_page(played(goofspiel, lambda match: False, cards="4"), 1)
    yield "heirless-over", "table.html", table_page(played(game("heirless"), lambda match: False, seats=6), None)
    reckoning = table_page(over, 1)
    reckoning["result"] = reckoning["result"] | {"grid": None, "curve": None, "turned": None}
    yield "over-reckoning", "table.html", reckoning
    yield from battles(game("heirless"))
    layouts = table_page(played(goofspiel, lambda match: True), 0)
    yield "layouts", "table.html", layouts | {"view": view_context(goofspiel, every_layout(goofspiel), 0)}
    yield from waiting_pages(middle)
    yield "talk", "table.html", table_page(middle, 0, talk=talk(0))
    yield "talk-of-spectators", "table.html", table_page(middle, None, talk=talk(None))
    yield "talk-off", "table.html", table_page(middle, 0, talk=talk(0) | {"is_off": True, "lines": []})
    table, steps = finished(over)
    yield "replay", "replay.html", replay_page(table, steps, steps.last // 2, None)
    yield "replay-of-a-seat", "replay.html", replay_page(table, steps, 0, 1)
    yield from robin_pages(robin)
    yield from wide_pages()
    yield from card_pages()
    yield from workshop_samples()
    yield from analysis_samples(table, steps, page("Analysis"))
    yield from puzzle_samples(kings_court, page("A puzzle"))
    yield from other_pages(kings_court)


def waiting_pages(match: Match) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield tables that wait for players: as somebody who sits there sees them, and as a guest does."""
    about = {"seats_words": "2 players", "effort": "15 to 20 minutes, easy to learn", "options_words": "garnets: 3, 1"}
    about |= {"lesson_minutes": 8, "bots": "Squire", "manner": "looks ahead a little; good to learn against"}
    about |= {"since": now() - 42, "searches": True, "owned": "", "decks": []}
    address = "http://192.168.0.17:8000/tables/k7f3"
    before = {"status": "waiting", "about": about, "qr_svg": qr(address), "can_start": True, "can_leave": True}
    waiting = table_page(match, 0, table=before)
    waiting["table"]["seats"][1] |= {"kind": "empty", "name": None}
    of_guest = {"you": None, "can_leave": False, "can_start": False}
    guest = waiting | {"player": None, "table": waiting["table"] | of_guest}
    yield "table-waits-guest", "table.html", guest | NOTHING_SHOWN
    yield "table-waits", "table.html", waiting | NOTHING_SHOWN
    yield "table-waits-talk", "table.html", waiting | NOTHING_SHOWN | {"talk": talk(0)}
    seats = [{"seat": 0, "title": "The Hedge Host", "text": "Main\n6 Knight Mercenary"}]
    seats.append({"seat": 1, "title": "a deck of their own", "text": "Main\n1 Gawain"})
    brought = {"about": about | {"decks": seats, "owned": "Each player stakes a card, and the winner gains it."}}
    with_decks = waiting["table"] | brought
    yield "table-waits-decks", "table.html", waiting | NOTHING_SHOWN | {"table": with_decks}
    yield "table-waits-decks-guest", "table.html", guest | NOTHING_SHOWN | {"table": with_decks | of_guest}
    offers = [{"name": f"deck-{number}", "about": "Few Knights, who stay.", **one} for number, one in enumerate(seats)]
    facts = {"action": "/tables/k7f3/seats/1/deck", "back": "/tables/k7f3", "decks_url": "/cards/round-table/decks"}
    facts |= {"game": {"id": "round-table"}, "seat_number": 2, "others": seats[:1], "offers": offers, "typed": ""}
    typed = {"chosen": "text", "typed": "Main\n1 Gawain\n1 Gawain"}
    wrong = facts | typed | {"is_free": True, "error": "Deck 2, line 2: this is a second copy of Gawain."}
    yield "choose-deck", "choose_deck.html", page("A deck", **facts, chosen="deck-0", is_free=False, error="")
    yield "choose-deck-guest", "choose_deck.html", page("A deck", **wrong, player=None)


def robin_pages(robin: Game) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield pages of Robin in the Hood, which has a board of its own and cards that are pages."""
    yield "robin-set", "table.html", table_page(played(robin, lambda match: is_asked(match, "set")), 0)
    again = played(robin, lambda match: is_asked(match, "set") and match.view(0).phase.round > 1)
    yield "robin-set-again", "table.html", table_page(again, 0)
    yield "robin-picks", "table.html", table_page(played(robin, lambda match: is_asked(match, "character")), 0)
    yield "robin", "table.html", table_page(played(robin, is_answering, ANSWERED), 0)
    waiting = played(robin, lambda match: is_answering(match, 1), ANSWERED)
    yield "robin-waits", "table.html", table_page(waiting, 0)
    yield "robin-over", "table.html", table_page(played(robin, lambda match: False, victories=1), 0)
    yield "rules-found", "rules.html", rules_context(robin, VISITOR, environment(), "outlaw royalty")


def set_pages(robin: Game) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the tab Sets: without sets, with one that is whole and one that is not, and with a list that is wrong."""
    names = [*list(usual_choice(robin).cards)[:12], "Tax Day", "Ambush", "Hard Winter"]
    saved = [
        SavedSet("a", 7, "robin", "Greenwood", "\n".join(names), 0.0, 0.0),
        SavedSet("b", 7, "robin", "W" * 40, "\n".join([*names[:9], "Dragon"]), 0.0, 0.0),
    ]
    shown = sets_context(robin, VISITOR, saved, {})
    yield "sets", "sets.html", shown
    wrong = {"draft": {"title": "Greenwood", "text": "Dragon!"}, "said": "line 1: 'Dragon!' cannot be a name (RH-4)"}
    yield "sets-wrong", "sets.html", sets_context(robin, VISITOR, (), {}) | wrong
    yield "sets-none", "sets.html", sets_context(robin, VISITOR, (), {})
    yield from builder_pages(robin, *saved)
    frame = page("Your saved sets", sets=shown["sets"], said="", table={"href": "/tables/k7f3", "decision": 3})
    yield "table-sets", "table_sets.html", frame


def builder_pages(robin: Game, whole: SavedSet, short: SavedSet) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the builder of a set in its states: empty, with filters, full and asked in whose place, refused, whole."""

    share = {"share": 55.0, "low": 34.2, "high": 74.2}
    often = {"games": 20, "won": 11, "share": share, "even": 50.0, "least": 20, "rows": [_WON]}
    never = {"games": 0, "won": 0, "share": None, "even": 50.0, "least": 20, "rows": []}

    def built(own: SavedSet, groups: Sequence[str] = (), did: dict[str, Any] = never, **query: str) -> dict[str, Any]:
        return set_page(robin, VISITOR, own, did, query, groups, "http://192.168.0.17:8000", [whole, short])

    yield "set-empty", "set.html", built(whole._replace(cards=""))
    yield "set-short", "set.html", built(short, groups=("outlaw", "townsfolk"), order="strength")
    yield "set-whole", "set.html", built(whole, did=often)
    yield "set-instead", "set.html", built(whole, instead="Sheriff of Nottingham")
    yield "set-none-left", "set.html", built(whole, groups=("elsewhere",), search="dragon")
    fault = {"text": "Dragon!", "words": "Line 1: 'Dragon!' cannot be the name of a card", "clause": "RH-4"}
    yield "set-refused", "set.html", built(short) | {"wrong": fault, "said": fault}


def card_pages() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield pages of the place Cards: all cards, those that filters leave, none, single cards, and cards on paper."""
    kings_court, robin, round_table = (game(id_) for id_ in ("kings-court", "robin", "round-table"))
    heirless, rune_war = game("heirless"), game("rune-war")
    yield "cards", "cards_browse.html", browse_context(robin, VISITOR, {})
    kinds = {"order": "cost"}, ["Titles", "Quests"]
    yield "cards-filtered", "cards_browse.html", browse_context(round_table, VISITOR, *kinds)
    none = {"search": "dragons", "sort": "Gain"}, ["Artois"]
    yield "cards-none", "cards_browse.html", browse_context(kings_court, VISITOR, *none)
    yield "cards-one", "cards_one.html", card_context(round_table, VISITOR, "knight_errant", environment())
    yield "cards-one-rune", "cards_one.html", card_context(rune_war, VISITOR, "the_tower-16", environment())
    yield from set_pages(robin)
    yield "cards-print", "cards_print.html", print_context(kings_court, VISITOR, {})
    deck = {"which": "deck.hedge-host", "backs": "yes", "page": "2", "paper": "letter"}
    yield "cards-print-backs", "cards_print.html", print_context(round_table, VISITOR, deck)
    yield "cards-print-plain", "cards_print.html", print_context(heirless, VISITOR, {"plain": "yes"})
    yield from deck_pages(round_table)


def deck_pages(round_table: Game) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield pages of decks: the list, a legal deck, one that is short, one with a wrong text, and a shared one."""
    decks = decks_of(round_table)
    legal = decks.write(decks.read("wandering-table", ""), "")
    short = changed_list(round_table, legal, "Knight Errant", -4)
    share = {"share": 55.0, "low": 34.2, "high": 74.2}
    did = {"games": 20, "won": 11, "share": share, "even": 50.0, "least": 20, "rows": [_WON]}
    few = {"games": 0, "won": 0, "share": None, "even": 50.0, "least": 20, "rows": []}

    def own(name: str, text: str) -> OwnDeck:
        return OwnDeck("d" * 12, 1, round_table.id, name, "The Wandering Table", 0.0, time.time(), 1, text, True)

    mine = [own("My Wandering Table", short), own("W" * 40, legal)._replace(id="e" * 12)]

    def built(name: str, text: str, did: dict[str, Any], *more: Any) -> dict[str, Any]:
        here = own(name, text)
        panel = deck_panel(here, Trialed(round_table, deck_subject(round_table, here, OF_DECK), None))
        shown = builder_page(round_table, VISITOR, here, did, *(more or ({}, [])), "https://quintain.example", mine)
        return shown | {"balance": panel}

    yield "decks", "decks.html", decks_page(round_table, VISITOR, mine, {})
    yield "decks-none", "decks.html", decks_page(round_table, VISITOR, [], {})
    yield "deck", "deck.html", built("My Wandering Table", legal, did, {"order": "cost"}, ["Knights"])
    refused = {"said": {"words": "A deck has at most one copy of a named Knight.", "clause": "RT-2"}}
    yield "deck-short", "deck.html", built("W" * 40, short, few, {"in": "deck"}, []) | refused
    wrong = {"text": "Main\n2 Knigt Vassal", "words": "Line 2: there is no card 'Knigt Vassal'.", "clause": "RT-4"}
    yield "deck-empty", "deck.html", built("My deck", "", few) | {"wrong": wrong}
    yield "deck-shared", "deck_shared.html", shared_context(round_table, VISITOR, "Grail first", legal)


def wide_pages() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield pages of tables with much on them: cards on Knights, decks to draw from, and large defences."""
    yield "round-table", "table.html", table_page(played(game("round-table"), bears_much), 0)
    drawing = played(game("round-table"), lambda match: is_asked(match, "draw"))
    yield "round-table-draw", "table.html", table_page(drawing, 0)
    late = played(game("rune-war"), lambda match: is_attacking(match) and len(match.moves_made) > 60, seats=4)
    yield "rune-war", "table.html", table_page(late, 0)


def bears_much(match: Match) -> bool:
    """Tell whether a Knight in Round Table bears several cards."""
    return any(len(piece.on_it) > 1 for piece in match.view(0).pieces())


def is_attacking(match: Match) -> bool:
    """Tell whether the first seat attacks in Rune War."""
    return is_asked(match, "attack")


def set_of(match: Match) -> int:
    """Return how many cards the first seat has taken into an active set in Robin in the Hood."""
    scene = match.view(0).scene
    return len(scene.sides[0].pieces) if scene and scene.kind == "set" else 0


def is_answering(match: Match, seat: int = 0) -> bool:
    """Tell whether a seat answers a card in Robin in the Hood; a modifier is in force, and both have characters."""
    view = match.view(seat)
    stages = [stage for zone in view.zones if zone.id == "stages" for stage in zone.pieces]
    standing = {who.seat for stage in stages for who in stage.on_it if not who.is_free}
    modified = any(zone.id.startswith("modifiers") for zone in view.zones)
    return view.question is not None and view.question.key == "answer" and modified and len(standing) == 2


def battles(heirless: Game) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield moments of Heirless battles, with names of cards as long as they may be."""
    cards = "".join(
        f'[[cards]]\nname = "{name}"\nattack = [{number}, -{number}, 0]\ndefence = [{number}, 0, 1]\n'
        for number, name in enumerate(("Feint", "Wwwwwwwwwwwwwwwwwwwwwwww", "Sword of the Old King's", "Guard"), 2)
    )
    for question in ("send", "attack", "propose", "strike", "raise"):
        match = played(
            heirless,
            lambda m, question=question: m.account() and is_asked(m, question),
            seats=4,
            tables=cards,
        )
        yield f"heirless-{question}", "table.html", table_page(match, 0)


def finished(match: Match) -> tuple[Table, Replay]:
    """Return the table at which a match was played, and its replay."""
    table = table_of(match, match.moves_made, "k7f3")
    table.row.status = OVER
    replay = Replay(match, table.headings)
    for _ in replay.play(match):
        pass
    return table, replay


def replay_page(table: Table, replay: Replay, step: int, seat: int | None) -> dict[str, Any]:
    """Return the context of one step of a replay, for a visitor without a seat."""
    visitor = Visitor("somebody", None, "c" * 32, "auto")
    return replay_context(LiveTable(table), replay, visitor, step, seat, "http://192.168.0.17:8000")


def other_pages(game: Game) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the pages that show no table."""
    shown = {
        "id": game.id,
        "title": game.title,
        "seats_words": "2 players",
        "effort": "15 to 25 minutes, easy to learn",
        "rivals": "against Squire",
        "pitch": "Win the favour of six Royal Houses, and give your rival a card of yours every turn.",
        "picture": game.id,
    }
    foreign = shown | {"id": "goofspiel", "title": "Goofspiel", "seats_words": "2 to 4 players", "picture": "other.3"}
    yield from lobbies(game, foreign | {"id": "goofspiel"}, shown)
    yield "new-table", "new_table.html", new_table(shown)
    yield (
        "name",
        "name.html",
        page(
            "Your name",
            player=None,
            next="/",
            action="/name",
            given="Ann!",
            error="That name has a sign in it.",
            kept={},
        ),
    )
    yield "take-seat", "take_seat.html", page("A seat", seat_name="Ann", game_title=game.title, action="/seat/abc")
    yield "error", "error.html", page("There is no such table", status=404, words="It may be over long since.")
    yield "credits", "credits.html", page("Credits")
    yield "rules", "rules.html", rules_context(game, VISITOR, environment(), "")
    yield "rulebooks", "rules_index.html", page("Rules", games=[foreign, shown])
    numbers = [shown | {"number": number} for number in (0, 1, 1200)]
    yield "statistics-index", "statistics_index.html", page("Statistics", games=numbers)
    yield "statistics", "statistics.html", statistics_of(game)
    yield "statistics-none", "statistics.html", shown_statistics(game, VISITOR, {}, 0, [])
    yield from player_pages(game)


def lobbies(game: Game, foreign: dict[str, Any], shown: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the lobby of somebody for whom much waits, and that of a newcomer."""
    facts = {"minutes": "15 to 20 min", "weight": 2, "learned": False, "lesson": {"minutes": 8, "step": None, "of": 9}}
    games = [foreign | facts, shown | facts | {"learned": True}]
    seats = [
        {"name": "Bo of Bellinghausen", "kind": "person", "who": "7"},
        {"name": None, "kind": "empty", "who": None},
    ]
    listed = {"id": "k7f3", "game": game.id, "title": game.title, "seats": seats, "options_words": "", "href": "/"}
    listed |= {"pace": "60 seconds a move", "status": "waiting", "until": None, "lesson": False}
    listed |= {"rated": True, "rivals": NAMES[1], "host": NAMES[1], "who": f"{NAMES[1]}, 1490; one free"}
    yours = {"your_turn": True, "question": "Which card do you play?", "until": now() + 100.4}
    own = [listed | {"id": "k7f5", **yours}, listed | {"id": "k7f6", "your_turn": False}]
    invitation = {"table": "k7f8", "href": "/tables/k7f8", "game": game.id, "title": game.title, "by": NAMES[1]}
    invitation |= {"pace": "3 days for each decision", "rated": True}
    choice = {"href": "/?rated=yes", "is_on": True}
    wish = {"all": {"href": "/", "is_on": False}, "games": [choice | {"id": game.id, "title": game.title}]}
    wish |= {
        "flags": [choice | {"words": "Rated"}, {"href": "/", "is_on": False, "words": "Days a move"}],
        "near": False,
    }
    quick = {
        "games": [{"id": game.id, "title": game.title}],
        "clocks": [{"value": "60", "words": "a minute"}],
        "bots": [{"value": "page", "words": "Page"}],
        "chosen": "",
    }
    daily = {"state": "missed", "href": "/", "best": "Play Castellia 4", "streak": 0, "left": "5 h"}
    common = {"daily": daily, "games": games, "quick": quick, "socket": "/lobby/socket"}
    more = listed | {"id": "k7f4", "options_words": "garnets 3, 1"}
    full = {"open_tables": [listed, more], "my_tables": own, "invitations": [invitation], "watched": [listed]}
    yield "lobby", "lobby.html", page("Lobby", **common, **full, wish=wish | {"is_narrow": True}, is_new=False)
    empty = {"open_tables": [], "my_tables": [], "invitations": [], "watched": []}
    stranger = {"wish": wish | {"is_narrow": False}, "is_new": True, "player": None}
    yield "lobby-empty", "lobby.html", page("Lobby", **common, **empty, **stranger)
    asked = {"key": "7", "name": NAMES[1]}
    yield "import", "import.html", page("Bring in", text="", names=[], error="This is not JSON.")
    yield "import-who", "import.html", page("Bring in", text="{}", names=list(NAMES[:2]), error=None)
    yield "invite", "invite.html", page("Invite", who=asked, games=[foreign, shown])
    yield "decline", "decline.html", page("Not today", action="/tables/a/decline", game_id=game.id, href="/tables/a")


def statistics_of(game: Game) -> dict[str, Any]:
    """Return the context of a page with shares above, below and near the even one, and with few games."""
    kinds = ((SEAT, "1"), (SEAT, "2"), (OPENING, "pass"), (MOVE, "play a card with a rather long name"))
    found = [
        WinCount(game.id, 2, kind, key, bot, games, won)
        for kind, key in kinds
        for bot, games, won in ((False, 120, 80.5 if key == "1" else 39.5), (True, 50 if key == "1" else 3, 24.0))
    ]
    return shown_statistics(game, VISITOR, {2: 120, 3: 9}, 2, found)


def player_pages(game: Game) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield lists of games, and the pages of players."""
    met = (("7", NAMES[1]), ("squire", "Squire"))
    bo, squire = ({"who": who, "name": name, "href": f"/players/{who}"} for who, name in met)
    one = {"href": "/tables/k7f3", "record_url": "/tables/k7f3/record.json", "game": game.id, "title": game.title}
    one |= {"notes": "rated", "rivals": [bo], "result": "won", "place": None, "words": "won", "score": "41 : 33"}
    one |= {"date": "14 March", "length": "106 moves, 18 min", "change": "+12"}
    three = one | {"rivals": [squire, bo], "result": "lost", "place": 2, "words": "2nd", "score": f"26; {NAMES[1]} 28"}
    left = one | {"rivals": [squire], "result": "left", "words": "left early", "score": "", "notes": ""}
    shelf = {"months": [{"month": "March 2026", "rows": [one, three, left], "games": 9, "won": 5}], "number": 212}
    shelf |= {"newer": None, "older": "/games?before=1.5~k7f3"}
    choices = [{"value": "", "words": "All", "chosen": False}, {"value": "x", "words": NAMES[1], "chosen": True}]
    filters = [{"name": name, "label": name.capitalize(), "choices": choices} for name in ("game", "with", "when")]
    running = {"id": "k7f4", "href": "/tables/k7f4", "game": game.id, "title": game.title, "rivals": [bo]}
    running |= {"pace": "60 seconds for each decision", "round": "turn 9 of 17", "asleep": False}
    yours = running | {"your_turn": True, "waits": "Which card do you play?", "until": now() + 100.4}
    sleeps = running | {"your_turn": False, "asleep": True, "waits": "nobody has moved for 3 days", "until": None}
    mine = page(
        "My games",
        notice=None,
        running=[yours, sleeps],
        waiting=1,
        shelf=shelf,
        all_games=215,
        uncounted=3,
        has_finished=True,
        filters=filters,
    )
    yield "games", "games.html", mine | {"here": "/games", "records_url": "/games/records.zip?game=x"}
    yield "games-none", "games.html", page("My games", notice="Done.", running=[], waiting=0, shelf=None)
    ann, him, bot = (
        {"key": key, "name": name, "href": f"/players/{key}", "is_bot": key == "squire", "is_here": True}
        | {"manner": "looks ahead a little", "blazon": "Azure, a lion's head or"}
        for key, name in (("1", "Ann"), ("7", NAMES[1]), ("squire", "Squire"))
    )
    sums = {"games": 212, "won": 103, "rated": 156, "resigned": 2, "left": 1, "uncounted": 3}
    row = {"who": "7", "name": NAMES[1], "href": "/players/1/with/7", "cells": ["19 : 14", "-"], "all": "19 : 14"}
    all_ = {"who": None, "name": "All", "href": None, "cells": ["65 : 48", "0 : 2"], "all": "65 : 50"}
    titles = ((game.id, game.title), ("x", "Heirless battles"))
    grid = {"games": [{"id": id_, "title": title} for id_, title in titles], "rows": [row, all_]}
    shown = {"sums": sums, "since": "March 2025", "is_gone": False, "met": {"people": 23, "bots": 1}, "grid": grid}
    shown |= {"last": [one, three, left]}
    devices = [
        {"id": kind, "kind": kind, "words": "Firefox on Linux", "seen": "2 March"} for kind in ("Computer", "Tablet")
    ]
    own = {
        "devices": [each | {"is_this": each["id"] == "Tablet"} for each in devices],
        "recovery": {"shown": "4 March"},
    }
    own |= {"notice": None, "link": None, "code": None}
    marks = [
        {"name": name, "at": at}
        for name, at in (("Page", 16.4), ("Squire", 39.1), ("Knight", 70.0), ("Champion", 80.9))
    ]
    rated = {"game": game.id, "title": game.title, "points": 1520, "margin": 50, "words": "1520 plus or minus 50"}
    rated |= {"marks": marks, "at": 56.4, "low": 51.8, "high": 60.9, "games": 113, "place": "7th", "of": 61}
    new = rated | {"place": None, "is_settled": False, "games": 4}
    shown |= {"ratings": [rated | {"is_settled": True}, new], "unrated": "Round Table", "can_invite": True}
    kinds = [
        {"title": "Characters", "cards": [{"name": "Little John", "from": "Bo"}, {"name": "Friar Tuck", "from": ""}]}
    ]
    lacks = "an active set takes 12 characters, and the collection has 2 (RH-8)"
    owned = {"game": "robin", "title": "Robin in the Hood", "number": 2, "won": 1, "kinds": kinds, "lacks": lacks}
    shown["collections"] = [owned]
    yield "player", "player.html", page("Ann", who=ann, is_you=True, pair_href=None, **shown, **own)
    link = {
        "url": "http://192.168.0.17:8000/join/abcdefghijklmnopqrstuv",
        "qr_svg": qr("http://192.168.0.17:8000/join/abc"),
    }
    asked = own | {"notice": "Done.", "link": link, "code": ["ABCD", "EFGH", "2345", "6789"]}
    yield "player-asked", "player.html", page("Ann", who=ann, is_you=True, pair_href=None, **shown, **asked)
    join = {"who": "Ann", "key": "1", "action": "/join/abc", "error": None}
    yield "join", "join.html", page("Be Ann here", **join)
    wrong = {"who": None, "key": None, "action": "/recover", "error": "Nobody here has this code."}
    yield "recover", "join.html", page("I was here before", player=None, **wrong)
    yield "forget", "forget.html", page("Delete me", error="To be deleted, type your name as it is: Ann.", notice=None)
    yield "forgotten", "forget.html", page("Farewell", player=None, notice="Your name is gone from here.", error=None)
    visited = shown | {"grid": None, "last": [], "notice": None, "ratings": [rated | {"is_settled": True, "margin": 0}]}
    best = {"place": "1st", "who": "7", "name": NAMES[1], "is_bot": False, "is_you": True, "points": 1520, "margin": 50}
    between = best | {"place": "", "who": "squire", "name": "Squire", "is_bot": True, "is_you": False, "games": 0}
    places = {"game": {"id": game.id, "title": game.title}, "places": [best | {"games": 113}, between], "number": 1}
    yield "ratings", "ratings.html", page("The best", **places, settled=10, start=1500)
    pair = "/players/squire/with/1"
    yield "player-bot", "player.html", page("Squire", who=bot, is_you=False, pair_href=pair, **visited)
    by_game = [{"title": game.title, "game": game.id, "ahead": 19, "behind": 14, "games": 33}]
    both = {"who": ann, "rival": him, "by_game": by_game, "ahead": 19, "behind": 14, "games": 33}
    yield "pair", "pair.html", page("Ann and Bo", shelf=shelf, **both)


def new_table(shown: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the page for a new table, with a field of every kind."""
    usual = {"number": 13, "numbers": "0, 0", "switch": True, "choice": "long"}
    fields = [form_field(kind, now) for kind, now in usual.items()]
    decks = [{"id": f"option.decks.{seat}", "chosen": "long", "text": ""} for seat in range(3)]
    return page(
        "A table",
        game=shown,
        fields=[*fields, form_field("files", "", id="option.decks", files=decks)],
        expert_fields=[form_field(kind, "") for kind in ("names", "file")],
        seat_choices=[
            {"seat": seat, "chosen": "me" if seat == 0 else "open", "may_be_missing": seat == 2} for seat in range(3)
        ],
        bot_choices=[{"value": "squire", "words": "Squire, a bot: looks ahead a little; good to learn against"}],
        clocks=[{"value": "none", "words": "no clock"}],
        absence="If everybody has left, the game waits.",
        errors={
            "option.number": "This takes 2 to 13.",
            "option.file": "Line 3 is not TOML.",
            "seats": "Choose a seat.",
        },
        first_wrong="option.number",
        given={"clock": "none", "private": None, "rated": None},
        invited={"number": "7", "name": NAMES[1]},
    )


def form_field(kind: str, now: object, **more: Any) -> dict[str, Any]:
    """Return a field of the form for a new table."""
    words = {"label": f"How a {kind} is chosen", "help": "What it changes for the players.", "files": []}
    bounds = {"choices": ["short", "long"], "least": 2, "most": 13}
    ready = [{"name": "long", "title": "The Long Deck", "about": "Many cards.", "text": "3 Knight"}]
    bounds |= {"example": "[[cards]]\nname = 'Lance'\n" * 9, "format_url": "/rules/heirless#HB-29", "ready": ready}
    sets = [{"value": "greener-woods", "words": "Greener woods, a set of a package"}] if kind == "file" else []
    words |= {"sets": {"id": f"option.{kind}.set", "now": "", "choices": sets}}
    return {"id": f"option.{kind}", "kind": kind, "now": now, **words, **bounds, **more}
