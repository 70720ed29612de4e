"""A match: names, seeds, messages of errors, chance, taking moves back, and invalid documents."""

import hashlib
import hmac
import json
import random
import re
import struct
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quintain.engine.errors import BadOption, BadRecord, CannotUndo, IllegalMove, QuintainError, UnknownGame
from quintain.engine.play.match import Match
from quintain.engine.play.positions import write_position
from quintain.engine.rules import registry, rng
from quintain.engine.rules.game import Game
from quintain.engine.rules.linking import rule
from quintain.engine.rules.registry import register, register_file
from quintain.engine.rules.views import Reason
from remade import remade
from tutorial import write_goofspiel

ANN, BO, CLEO, ONLOOKER = 0, 1, 2, None
SEED = bytes(range(32))
Document = dict[str, Any]


@pytest.fixture(autouse=True)
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_games", {})


@pytest.fixture
def goofspiel(tmp_path: Path) -> Game:
    write_goofspiel(tmp_path / "goofspiel.py")
    return register_file(tmp_path / "goofspiel.py")


@pytest.fixture
def outbidding(goofspiel: Game) -> Game:
    """Goofspiel with moves that name the next seat, such as ``outbid seat 1 with the 3``."""

    def name(book: Any, s: Any, seat: int, action: int) -> str:
        return f"outbid seat {(seat + 1) % book.seats} with the {action}"

    def parse(book: Any, s: Any, seat: int, text: str) -> int | None:
        actions = {name(book, s, seat, action): action for action in range(1, goofspiel.actions)}
        return actions.get(" ".join(text.lower().split()))

    def why_not(book: Any, s: Any, seat: int, action: int) -> Reason:
        return Reason("OB-1", f"seat {seat} has no {action} in hand, unlike seat {(seat + 1) % book.seats}")

    words = {**vars(goofspiel.text), "name": name, "parse": parse, "why_not": why_not}
    game = remade(goofspiel, id="outbidding", title="Outbidding", text=SimpleNamespace(**words))
    register(game)
    return game


def court(seed: bytes = SEED, garnets: str = "0,0", **more: Any) -> Match:
    return Match.new("kings-court", names=("Ann", "Bo"), options={"garnets": garnets}, seed=seed, **more)


def put_counters(match: Match) -> None:
    """Put all counters, the first player's last, so that the first player draws and plays next."""
    first = match.blinded(ANN).first
    for seat in (1 - first, first):
        for _ in range(6):
            match.play(seat, match.moves(seat)[0].action)


def in_turn(seed: bytes = SEED) -> tuple[Match, int]:
    """Return a match in which the first player is to play a card, and that seat."""
    match = court(seed)
    put_counters(match)
    (first,) = match.to_act
    return match, first


def cards_to_play(match: Match, seat: int, ranks: set[int]) -> list[str]:
    return [move.text for move in match.moves(seat) if int(move.text[-1]) in ranks]


def play_on(match: Match, seed: int = 0) -> Match:
    chooser = random.Random(seed)
    while match.to_act:
        seat = min(match.to_act)
        match.play(seat, chooser.choice(match.moves(seat)).action)
    return match


def sealed(document: Document) -> Document:
    """Return a document with the checksum that belongs to it."""
    rest = {key: value for key, value in document.items() if key != "sha256"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return {**rest, "sha256": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()}


def key_of(seed: bytes, ply: int) -> list[int]:
    """Return the generator's four words for a ply, by the published formula."""
    digest = hmac.new(seed, ply.to_bytes(8, "big"), hashlib.sha256).digest()
    return list(struct.unpack(">4I", digest[:16]))


GOOD_NAMES = ["A", "x" * 24, "Ann-Marie O'Neil", "Ünal 2", "3", "李雷", "seat", "Seat one", "d'"]
BAD_NAMES = [
    "",
    "x" * 25,
    " Ann",
    "Ann ",
    "-Ann",
    "'Ann",
    "Ann_B",
    "Ann!",
    "A\nB",
    "Ann\n",
    "A\tB",
    "<b>",
    "A\N{NO-BREAK SPACE}B",
]
BAD_NAMES += ["seat 1", "SEAT 12", "\N{ZERO WIDTH SPACE}Ann", "A\N{RIGHT-TO-LEFT OVERRIDE}B", "\ud800", None, 3, b"Ann"]


@pytest.mark.parametrize("name", GOOD_NAMES)
def test_a_name_has_1_to_24_letters_digits_blanks_hyphens_and_apostrophes(name: str):
    match = Match.new("kings-court", names=["Bo", name])
    match.resign(BO)
    assert match.names == ("Bo", name) and match.log(ANN)[-1] == f"{name} resigns."
    assert Match.load(json.dumps(match.record())).names == match.names


@pytest.mark.parametrize("name", BAD_NAMES, ids=ascii)
def test_a_wrong_name_is_refused_with_what_would_be_right(name: Any):
    with pytest.raises(BadOption) as error:
        Match.new("kings-court", names=["Bo", name])
    assert str(error.value).startswith(f"{name!r} cannot be a player's name: it takes 1 to 24 letters, digits, ")


@pytest.mark.parametrize("names", [("Ann", "ANN"), ("Straße", "STRASSE"), ("Bo", "Bo")])
def test_names_differ_in_more_than_case(names: tuple[str, str]):
    with pytest.raises(BadOption, match=f"^the players' names must differ: {names[0]}, {names[1]}$"):
        Match.new("kings-court", names=names)


def test_every_seat_needs_a_name_and_a_bot_or_none(goofspiel: Game):
    assert Match.new(goofspiel, 3).names == ("Player 1", "Player 2", "Player 3")
    with pytest.raises(BadOption, match=r"^there are 3 names for 2 seats$"):
        Match.new(goofspiel, 2, names=["Ann", "Bo", "Cleo"])
    assert Match.new(goofspiel, 3).bots == (None, None, None)
    with pytest.raises(BadOption, match=r"^`bots` takes a bot's name or None for each of 3 seats"):
        Match.new(goofspiel, 3, bots=["greedy"])
    with pytest.raises(BadOption, match="not \\[3, None\\]"):
        Match.new(goofspiel, 2, bots=[3, None])
    with pytest.raises(BadOption, match="not \\['', None\\]"):
        Match.new(goofspiel, 2, bots=["", None])


def test_bots_are_kept_in_saves_and_records():
    match = court(bots=[None, "greedy"])
    assert match.save()["bots"] == [None, "greedy"] and Match.load(match.save()).bots == (None, "greedy")
    match.resign(ANN)
    assert Match.load(match.record()).bots == (None, "greedy")


@pytest.mark.parametrize("seed", [SEED, SEED.hex(), SEED.hex().upper()], ids=["bytes", "hex", "HEX"])
def test_a_seed_is_32_bytes_or_64_hex_digits(seed: bytes | str):
    match = court(seed)
    match.resign(ANN)
    assert match.seed == SEED.hex() == match.record()["seed"]
    assert match.record()["commitment"] == match.commitment


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33), "ab", "g" * 64, "0x" + "0" * 62, "0" * 64 + "\n", 7, True])
def test_a_wrong_seed_is_refused_with_what_would_be_right(seed: Any):
    with pytest.raises(BadOption, match=r"^the seed .* is not valid: a seed has 64 hex digits \(32 bytes\)$"):
        Match.new("kings-court", seed=seed)


def test_without_a_seed_every_match_has_its_own():
    assert len({Match.new("kings-court").commitment for _ in range(5)}) == 5


def test_an_unknown_game_and_wrong_options_or_seats_begin_no_match():
    with pytest.raises(UnknownGame, match="there is no game 'chess'"):
        Match.new("chess")
    with pytest.raises(BadOption, match="the option garnets cannot be '3'"):
        Match.new("kings-court", options={"garnets": "3"})
    with pytest.raises(BadOption, match="not played with 3 seats"):
        Match.new("kings-court", 3)


def test_options_are_given_as_text_or_as_values():
    assert court(garnets="3, 1").options == Match.new("kings-court", options={"garnets": [3, 1]}).options
    assert court(garnets="3,1").book.garnets == [3, 1] and court(garnets="3,1").to_act == {ANN}


def message(play: Callable[[], object]) -> str:
    with pytest.raises(IllegalMove) as error:
        play()
    return str(error.value)


def test_an_illegal_move_names_the_seat_the_move_the_reason_its_clause_and_the_nearest_legal_ones():
    match = court()
    said = message(lambda: match.play(BO, "put +5 on castellia"))
    start = "Bo cannot put +5 on Castellia now: counters are put house by house, and Artois is next (KC-4). "
    assert said.startswith(f"{start}The nearest of 6 legal moves: put +5 on Artois")
    listed = said.removeprefix(f"{start}The nearest of 6 legal moves: ").split(", ")
    assert len(listed) == 4 and set(listed) < {move.text for move in match.moves(BO)}
    assert said == message(lambda: match.play(BO, match.game.text.parse(match.book, None, BO, "put +5 on Castellia")))


def test_where_nothing_is_near_the_first_legal_moves_are_listed():
    said = message(lambda: court(garnets="3,1").play(ANN, "dance"))
    assert said == "no move of King's Court is written 'dance'. Legal moves: go first, go second"
    listed = ", ".join(move.text for move in court().moves(ANN)[:4])
    assert message(lambda: court().play(ANN, "###")).endswith(f"'###'. The nearest of 6 legal moves: {listed}")


def test_words_that_are_no_move_are_answered_with_the_nearest_moves():
    match = court()
    said = message(lambda: match.play(ANN, "put +3 on Artoi"))
    assert said.startswith(
        "no move of King's Court is written 'put +3 on Artoi'. The nearest of 6 legal moves: put +3 on Artois, "
    )
    assert message(lambda: match.play(ANN, "")).startswith(
        "no move of King's Court is written ''. The nearest of 6 legal moves: "
    )


def test_a_seat_that_is_not_to_act_reads_who_must_act_first():
    match, first = in_turn()
    names = match.names
    said = message(lambda: match.play(1 - first, "play Artois 1"))
    assert said == f"{names[1 - first]} cannot play Artois 1 now: {names[first]} must act first"
    said = message(lambda: match.play(1 - first, "dance"))
    assert said == f"no move of King's Court is written 'dance'. {names[1 - first]} has no move now"


def test_when_the_match_is_over_no_move_is_legal():
    match = court()
    match.resign(ANN)
    assert message(lambda: match.play(BO, "stop")) == "Bo cannot stop: the match is over"
    assert message(lambda: match.resign(BO)) == "Bo cannot resign: the match is over"
    assert match.why_not(BO, "stop").words == "the match ended by resignation"


def test_actions_and_seats_that_do_not_exist_are_refused():
    match = court()
    assert message(lambda: match.play(ANN, 165)) == "there is no action 165; actions are 0 to 164"
    assert message(lambda: match.play(ANN, True)) == "there is no action True; actions are 0 to 164"
    for ask in (match.moves, match.view, match.log, match.decision, match.blinded, match.undo, match.resign):
        for seat in (2, -1, True, "0"):
            assert message(lambda ask=ask, seat=seat: ask(seat)) == f"there is no seat {seat!r}; the seats are 0 to 1"


def test_why_not_gives_a_reason_none_for_a_legal_move_and_an_error_for_no_move():
    match = court()
    assert match.why_not(ANN, "put +5 on Artois") is None
    assert match.why_not(ANN, "put +5 on Febrois").clause == "KC-4"
    assert match.why_not(ANN, "play Artois 1").words.endswith("Which counter do you put on Artois?")
    assert message(lambda: match.why_not(ANN, "dance")).startswith("no move of King's Court is written 'dance'")


def test_moves_views_logs_reasons_and_errors_name_the_players(outbidding: Game):
    match = Match.new(outbidding, 3, ["Ann", "Bo", "Cleo"], {"cards": 3}, SEED)
    assert [move.text for move in match.moves(CLEO)] == [f"outbid Ann with the {card}" for card in (1, 2, 3)]
    match.play(CLEO, "outbid ANN with the 3")
    match.play(BO, "outbid seat 2 with the 3")
    match.play(ANN, "Outbid  Bo with the 2")
    assert match.log(ANN)[:3] == ["Cleo placed a bid.", "Bo placed a bid.", "You placed a bid."]
    titles = [zone.words for zone in match.view(ONLOOKER).zones]
    assert titles[1:5] == ["Bid of Ann", "Ann, 0 points", "Bid of Bo", "Bo, 0 points"]
    reason = match.why_not(ANN, "outbid bo with the 2")
    assert reason == Reason("OB-1", "Ann has no 2 in hand, unlike Bo")
    said = message(lambda: match.play(ANN, "outbid seat 1 with the 2"))
    assert said == (
        "Ann cannot outbid Bo with the 2 now: Ann has no 2 in hand, unlike Bo (OB-1). "
        "Legal moves: outbid Bo with the 1, outbid Bo with the 3"
    )
    assert message(lambda: match.play(ANN, "outbid Cleo with the 1")).startswith("no move of Outbidding is written")


def test_documents_keep_seats_where_moves_name_players(outbidding: Game):
    match = Match.new(outbidding, 2, ["Ann", "Bo"], {"cards": 2}, SEED)
    match.play(ANN, "outbid Bo with the 2")
    assert match.save()["moves"] == [{"seat": 0, "kind": "move", "text": "outbid seat 1 with the 2"}]
    renamed = Match.load(sealed({**match.save(), "names": ["Dan", "Eve"]}))
    assert renamed.moves(BO)[0].text == "outbid Dan with the 1" and renamed.log(BO) == ["Dan placed a bid."]


def test_a_new_name_is_in_all_words_and_in_no_move(outbidding: Game):
    match = Match.new(outbidding, 2, ["Ann", "Bo"], {"cards": 2}, SEED)
    match.play(ANN, "outbid Bo with the 2")
    moves = match.save()["moves"]
    assert match.log(BO) == ["Ann placed a bid."]
    match.rename(["Dan", "Bo"])
    assert match.log(BO) == match.log(ONLOOKER) == ["Dan placed a bid."]
    assert match.names == ("Dan", "Bo") and match.moves(BO)[0].text == "outbid Dan with the 1"
    assert match.save()["moves"] == moves
    for wrong in ("Bo", "", "seat 1"):
        with pytest.raises(BadOption):
            match.rename([wrong, "Bo"])
    assert match.log(BO) == ["Dan placed a bid."]


def test_the_log_names_the_bot_that_plays_on_for_a_player_until_the_player_is_back(outbidding: Game):
    match = Match.new(outbidding, 2, ["Ann", "Bo"], {"cards": 2}, SEED)
    match.hand_over(ANN, "Squire")
    match.play(ANN, "outbid Bo with the 2")
    match.hand_over(ANN)
    match.play(BO, "outbid Ann with the 2")
    assert (
        match.log(BO)[:4]
        == [*match.log(ONLOOKER)[:3], "You placed a bid."]
        == [
            "Squire, a bot, now plays for Ann.",
            "Squire, for Ann, placed a bid.",
            "Ann is back, and plays again.",
            "You placed a bid.",
        ]
    )
    assert match.log(ANN)[:3] == [
        "Squire, a bot, now plays for you.",
        "Squire, for you: you placed a bid.",
        "You are back, and play again.",
    ]
    again = Match.load(match.save())
    assert [again.log(viewer) for viewer in (ANN, BO, ONLOOKER)] == [match.log(one) for one in (ANN, BO, ONLOOKER)]
    assert [entry.kind for entry in again.moves_made] == ["stand-in", "move", "returned", "move"]
    assert again.moves_made[0].words(again.names) == "Squire, a bot, now plays for Ann"


@pytest.mark.parametrize(
    "names",
    [
        ("Ann", "Bo"),
        ("Ann", "Ann Lee"),
        ("Lee", "Ann-Lee"),
        ("O'Bo", "Bo"),
        ("Seat", "Robert"),
        ("1", "Robert"),
        ("3", "13"),
        ("outbid", "Bo"),
        ("with the", "Bo"),
        ("1", "Ann  Lee"),
        ("Straße", "Bo"),
    ],
    ids=" and ".join,
)
def test_every_move_that_is_shown_can_be_played_in_its_words_whatever_the_players_are_called(
    names: tuple[str, str], outbidding: Game
):
    for seat in (ANN, BO):
        for move in Match.new(outbidding, names=names, options={"cards": 3}).moves(seat):
            for words in (move.text, move.text.lower()):
                match = Match.new(outbidding, names=names, options={"cards": 3})
                match.play(seat, words)
                assert match.blinded(seat).bid[seat] == move.action


def test_chance_is_keyed_by_the_seed_and_the_number_of_moves_in_effect():
    chooser, match, undone = random.Random(3), court(), 0
    expected = match.game.state()
    expected.rng = key_of(SEED, 0)
    match.game.rules.deal(match.book, expected)
    history = [expected]
    while match.to_act:
        assert match.position() == write_position(history[-1])
        seat = chooser.choice(sorted(match.to_act))
        action = chooser.choice(match.moves(seat)).action
        match.play(seat, action)
        following = history[-1].copy()
        following.rng = key_of(SEED, len(history))
        match.game.rules.play(match.book, following, seat, action)
        history.append(following)
        if match.can_undo(seat) and chooser.random() < 0.4:
            match.undo(seat)
            history.pop()
            undone += 1
    assert match.position() == write_position(history[-1]) and undone > 5


def test_taking_a_move_back_and_playing_another_meets_the_same_chance():
    drawn = set()
    for tries in range(3):
        match = court()
        first = match.blinded(ANN).first
        for seat in (1 - first, first):
            for left in range(6, 0, -1):
                for number in range(min(tries, left - 1)):
                    match.play(seat, match.moves(seat)[number].action)
                    match.undo(seat)
                match.play(seat, match.moves(seat)[-1].action)
        drawn.add(match.log(first)[-1])
    assert len(drawn) == 1 and drawn.pop().startswith("You draw ")


def test_another_seed_gives_other_chance():
    assert len({court(bytes([n]) * 32).position() for n in range(10)}) == 10


def test_a_play_of_an_even_rank_can_be_taken_back():
    match, first = in_turn()
    before = match.view(first)
    match.play(first, cards_to_play(match, first, {2, 4, 6, 8})[0])
    assert match.can_undo(first) and not match.can_undo(1 - first)
    match.undo(first)
    assert match.view(first) == before
    assert match.log(first)[-1] == "You take the last move back."
    assert match.log(1 - first)[-1] == f"{match.names[first]} takes the last move back."


def test_a_look_cannot_be_taken_back():
    match, first = next(
        found for found in map(in_turn, (bytes([n]) * 32 for n in range(99))) if cards_to_play(*found, {1})
    )
    match.play(first, cards_to_play(match, first, {1})[0])
    assert match.to_act == {first} and not match.can_undo(first)
    with pytest.raises(CannotUndo, match=f"^{match.names[first]} cannot take a move back now: a player may take back"):
        match.undo(first)


def test_a_draw_cannot_be_taken_back():
    match = court()
    first = match.blinded(ANN).first
    for seat in (1 - first, first):
        for _ in range(5 + (seat != first)):
            match.play(seat, match.moves(seat)[0].action)
    assert match.can_undo(first)
    match.play(first, match.moves(first)[0].action)
    assert match.to_act == {first} and match.log(first)[-1].startswith("You draw ")
    assert not match.can_undo(first)
    with pytest.raises(CannotUndo):
        match.undo(first)


def test_only_the_last_move_in_effect_can_be_taken_back_and_then_the_one_before():
    match = court()
    with pytest.raises(CannotUndo):
        match.undo(ANN)
    for words in ("put +5 on Artois", "put +3 on Bellerophon", "put 0 on Castellia"):
        match.play(ANN, words)
    match.play(BO, "put +5 on Artois")
    assert match.can_undo(ANN) and match.can_undo(BO), "both choose at the same time"
    match.undo(BO)
    for left in (2, 1, 0):
        match.undo(ANN)
        assert match.blinded(ANN).counters_put == [left, 0]
    assert not match.can_undo(ANN)
    assert [entry.kind for entry in match.moves_made] == ["move"] * 4 + ["undo"] * 4


def test_a_decision_counts_how_often_a_seat_was_asked():
    match = court(garnets="3,1")

    def asked() -> tuple[int, int]:
        return match.decision(ANN), match.decision(BO)

    assert asked() == (1, 0)
    match.play(ANN, "go first")
    assert asked() == (2, 1)
    match.play(ANN, "put +5 on Artois")
    assert asked() == (3, 1)
    with pytest.raises(IllegalMove):
        match.play(ANN, "put +5 on Artois")
    assert asked() == (3, 1)
    match.undo(ANN)
    assert asked() == (4, 1)
    match.play(BO, "put +5 on Artois")
    assert asked() == (4, 2)


def standing_still() -> Match:
    """Begin King's Court with moves that draw a number and change nothing else."""

    @rule
    def play(book: Any, s: Any, seat: int, action: int) -> None:
        rng.draw(s.rng)

    game = registry.game("kings-court")
    rules = SimpleNamespace(**{**vars(game.module), "play": play})
    return Match.new(remade(game, rules=rules), seed=SEED)


def test_a_move_that_used_chance_cannot_be_taken_back_though_it_showed_nothing():
    match = standing_still()
    match.play(ANN, "put +5 on Artois")
    assert match.to_act == {ANN, BO} and not match.can_undo(ANN)


def test_a_seat_that_has_moved_is_asked_anew_though_its_menu_is_the_same():
    match = standing_still()
    before = match.moves(ANN), match.decision(ANN), match.decision(BO)
    match.play(ANN, "put +5 on Artois")
    assert (match.moves(ANN), match.decision(ANN) - 1, match.decision(BO)) == before


def test_a_log_shows_what_its_viewer_knew_at_the_time_and_the_record_shows_all():
    match = court()
    match.play(ANN, "put +5 on Artois")
    play_on(match)
    assert match.log(ANN)[1] == "You put +5 on Artois."
    assert match.log(BO)[1] == match.log(ONLOOKER)[1] == "Ann puts a counter on Artois."
    assert match.record()["log"][1] == "Ann puts +5 on Artois."


def test_an_account_names_the_players():
    match = play_on(court())
    words = " ".join(line.words for line in match.account())
    assert re.search(r"for (Ann|Bo)", words) and "seat" not in words


def test_the_seed_is_in_the_save_and_in_nothing_else_before_the_end():
    match, shown = court(), []
    for _ in range(30):
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[-1].action)
        for viewer in (ANN, BO, ONLOOKER):
            shown += [match.view(viewer), match.log(viewer), match.account(viewer), match.blinded(viewer)]
        shown += [match.moves(ANN), match.commitment, match.options, match.moves_made, repr(match), str(match)]
    for ask in (lambda: match.seed, match.record):
        with pytest.raises(QuintainError) as error:
            ask()
        shown.append(str(error.value))
    assert match.save()["seed"] == SEED.hex()
    assert SEED.hex() not in repr(shown) and repr(SEED)[2:20] not in repr(shown)


def test_a_document_is_read_from_data_text_and_bytes():
    match = play_on(court())
    for document in (match.save(), match.record()):
        assert sealed(document) == document
        text = json.dumps(document)
        assert [Match.load(data).save() for data in (document, text, text.encode())] == [match.save()] * 3


def test_a_document_shares_nothing_with_its_match():
    match = court()
    match.play(ANN, "put +5 on Artois")
    save = match.save()
    save["options"]["garnets"][0] = 9
    save["moves"].clear()
    save["names"][0] = "Dan"
    assert (
        match.save() == sealed(match.save())
        and match.save()["moves"]
        and match.options == {"garnets": [0, 0], "houses": 6, "ranks": 8}
    )
    assert match.names == ("Ann", "Bo")


def test_a_finished_match_is_stepped_through_entry_by_entry_and_stays_as_it_was():
    match = court()
    match.play(ANN, "put +5 on Artois")
    with pytest.raises(QuintainError, match="only when it is over"):
        next(match.steps())
    match.undo(ANN)
    record = play_on(match).record()
    entries, states = [], []
    for entry, again in match.steps():
        entries.append(entry)
        states.append(again.position())
        assert len(again.moves_made) == len(entries) - 1
    assert entries == [None, *match.moves_made] and states[0] == states[2] != states[1]
    assert states[-1] == match.position() and match.record() == record


def test_a_step_shows_a_spectator_everything_and_a_seat_what_it_saw():
    match = court()
    first, before = match.blinded(ANN).first, court()
    _, dealt = next(play_on(match).steps())
    faces = {
        viewer: [
            sum(not piece.is_down for piece in zone.pieces) for zone in dealt.view(viewer).zones if "hand" in zone.id
        ]
        for viewer in (first, 1 - first, ONLOOKER)
    }
    assert faces[first] == [0, 8] and faces[1 - first] == [0, 7] and sorted(faces[ONLOOKER]) == [7, 8]
    assert dealt.view(first) == before.view(first) and dealt.log(BO) == before.log(BO)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "this is not JSON: it is empty"),
        ("{", "this is not JSON"),
        (b"\xff\xfe\xfd", "this is not JSON"),
        ("[" * 100_000, "this is not a document: lists in it are too deep: at most 100 levels are allowed"),
        ("[]", "this is neither a save nor a record of Quintain"),
        ("3", "this is neither a save nor a record of Quintain"),
        ("null", "this is neither a save nor a record of Quintain"),
        ("{}", "this is neither a save nor a record of Quintain"),
        ('{"format": "quintain"}', "this is neither a save nor a record of Quintain"),
        ('{"format": ["quintain-save"]}', "this is neither a save nor a record of Quintain"),
        ('{"format": "quintain-save"}', "this document was changed or damaged"),
        ('{"format": "quintain-save", "sha256": null}', "this document was changed or damaged"),
        (None, "this is neither a save nor a record of Quintain"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_data_that_are_no_document_are_refused(data: Any, message: str):
    with pytest.raises(BadRecord, match=f"^{message}"):
        Match.load(data)


def without(field: str) -> Callable[[Document], Document]:
    return lambda document: {key: value for key, value in document.items() if key != field}


def with_(**changes: Any) -> Callable[[Document], Document]:
    return lambda document: {**document, **changes}


FIRST_MOVE = {"seat": 0, "kind": "move", "text": "put +5 on Artois"}
BROKEN_SAVES = {
    **{
        f"without {name}": (without(name), f"missing required field `{name}`")
        for name in ("game", "seed", "moves", "bots")
    },
    **{f"without {name}": (without(name), name) for name in ("version", "seats", "names", "options")},
    "an extra field": (with_(result=None), "unknown field `result`"),
    "version as text": (with_(version="1"), r"Expected `int`, got `str` - at `\$.version`"),
    "version as truth": (with_(version=True), r"Expected `int`, got `bool` - at `\$.version`"),
    "seats as a fraction": (with_(seats=2.5), r"Expected `int`, got `float` - at `\$.seats`"),
    "names as a text": (with_(names="AB"), r"Expected `array`, got `str` - at `\$.names`"),
    "a name as a number": (with_(names=["Ann", 3]), r"Expected `str`, got `int` - at `\$.names\[1\]`"),
    "options as a list": (with_(options=[]), r"Expected `object`, got `array` - at `\$.options`"),
    "moves as an object": (with_(moves={}), r"Expected `array`, got `object` - at `\$.moves`"),
    "an unknown game": (with_(game="chess"), "of a game that is not here: there is no game 'chess'"),
    "another rules version": (
        with_(version=99),
        "under version 99 of the rules of kings-court, and only version 1 is here",
    ),
    "other seats": (with_(seats=3), "King's Court is not played with 3 seats"),
    "very many seats": (with_(seats=10**30), "King's Court is not played with 10+ seats"),
    "one name": (with_(names=["Ann"]), "there are 1 names for 2 seats"),
    "a bad name": (with_(names=["Ann", "seat 0"]), "'seat 0' cannot be a player's name"),
    "one bot": (with_(bots=[None]), "takes a bot's name or None for each of 2 seats"),
    "an unknown option": (with_(options={"rubies": 3}), "King's Court has no option rubies"),
    "a bad option": (with_(options={"garnets": [1]}), r"the option garnets cannot be \[1\]"),
    "a short seed": (with_(seed="ab"), "the seed 'ab' is not valid"),
    "an illegal move": (
        with_(moves=[FIRST_MOVE, FIRST_MOVE]),
        r"entry 2 of the moves is not valid: Ann cannot put \+5 on Artois now",
    ),
    "no move at all": (
        with_(moves=[{**FIRST_MOVE, "text": "dance"}]),
        "entry 1 of the moves is not valid: no move of King's Court is written 'dance'",
    ),
    "a move without words": (with_(moves=[{"seat": 0, "kind": "move"}]), "entry 1 of the moves is not valid"),
    "a move as a number": (with_(moves=[3]), r"Expected `object`, got `int` - at `\$.moves\[0\]`"),
    "an unknown kind": (
        with_(moves=[{"seat": 0, "kind": "pass"}]),
        r"Invalid enum value 'pass' - at `\$.moves\[0\].kind`",
    ),
    "a seat that there is not": (with_(moves=[{**FIRST_MOVE, "seat": 2}]), "entry 1 .* there is no seat 2"),
    "a negative seat": (with_(moves=[{"seat": -1, "kind": "resign"}]), "entry 1 .* there is no seat -1"),
    "an undo of nothing": (with_(moves=[{"seat": 0, "kind": "undo"}]), "entry 1 .* Ann cannot take a move back"),
    "a move after the end": (
        with_(moves=[{"seat": 0, "kind": "resign"}, {**FIRST_MOVE, "seat": 1}]),
        r"entry 2 .* Bo cannot put \+5 on Artois: the match is over",
    ),
    "a move that is said to be drawn": (
        with_(moves=[{**FIRST_MOVE, "auto": True}]),
        "entry 1 .* no seat that has resigned is to act here",
    ),
    "a stand-in without a name": (with_(moves=[{"seat": 0, "kind": "stand-in"}]), "entry 1 .* must name a bot"),
    "a return of nobody": (with_(moves=[{"seat": 0, "kind": "returned"}]), "entry 1 .* no bot plays there"),
    "a stand-in twice": (
        with_(moves=[{"seat": 0, "kind": "stand-in", "text": "Squire"}] * 2),
        "entry 2 .* that bot plays there already",
    ),
    "a version that never was": (with_(version=-1), "the rules have no version -1"),
    "a return with words": (
        with_(moves=[{"seat": 0, "kind": "returned", "text": "Squire"}]),
        "entry 1 .* only an entry of the kind move may have a text",
    ),
    "a lone surrogate in a move": (
        with_(moves=[{**FIRST_MOVE, "text": "\ud800"}]),
        "entry 1 .* no move of King's Court",
    ),
    "a lone surrogate as a kind": (with_(moves=[{"seat": 0, "kind": "\ud800"}]), "is not valid"),
    "a lone surrogate as a field": (with_(**{"\ud800": 1}), "is not valid"),
}


@pytest.mark.parametrize(("change", "message"), BROKEN_SAVES.values(), ids=BROKEN_SAVES)
def test_an_invalid_save_is_refused_though_its_checksum_is_right(change: Callable[[Document], Document], message: str):
    match = court()
    match.play(ANN, "put +5 on Artois")
    with pytest.raises(BadRecord, match=message):
        Match.load(sealed(change(match.save())))


def test_deeply_nested_lists_are_refused():
    whole: list[Any] = []
    for _ in range(100_000):
        whole = [whole]
    with pytest.raises(BadRecord):
        Match.load({**court().save(), "options": {"garnets": whole}})


def test_a_save_that_was_changed_without_its_checksum_is_refused():
    save = court().save()
    for changed in ({**save, "names": ["Ann", "Eve"]}, {**save, "sha256": "0" * 64}, without("sha256")(save)):
        with pytest.raises(BadRecord, match=r"^this document was changed or damaged after it was written"):
            Match.load(changed)


BROKEN_RECORDS = {
    "moves that do not end": (lambda d: {**d, "moves": d["moves"][:-1]}, "the match is not over after its moves"),
    "another result": (
        lambda d: {**d, "result": {**d["result"], "ranks": d["result"]["ranks"][::-1]}},
        "its result is not the one",
    ),
    "other scores": (lambda d: {**d, "result": {**d["result"], "scores": [1, 2]}}, "its result is not the one"),
    "no result": (with_(result=None), "its result must give"),
    "another commitment": (with_(commitment="0" * 64), "its commitment is not the one"),
    "another seed": (with_(seed="cd" * 32), "is not valid"),
    "without a commitment": (without("commitment"), "its commitment is not the one"),
    "the form of a save": (with_(format="quintain-save"), "unknown field"),
    "a result of another form": (with_(result={"ranks": [1, 2]}), "missing required field"),
    "a log of numbers": (with_(log=[1]), r"Expected `str`, got `int` - at `\$.log\[0\]`"),
}


@pytest.mark.parametrize(("change", "message"), BROKEN_RECORDS.values(), ids=BROKEN_RECORDS)
def test_an_invalid_record_is_refused_though_its_checksum_is_right(
    change: Callable[[Document], Document], message: str
):
    record = play_on(court()).record()
    assert Match.load(sealed(record)).record() == record
    with pytest.raises(BadRecord, match=message):
        Match.load(sealed(change(record)))


REWORDED = {
    "another log": lambda d: {**d, "log": [line.replace("puts", "places") for line in d["log"]]},
    "without a log": without("log"),
    "another reason": lambda d: {**d, "result": {**d["result"], "reason": "it went to the end"}},
    "moves in other words": lambda d: {**d, "moves": [{**m, "text": m["text"].upper()} for m in d["moves"]]},
}


@pytest.mark.parametrize("change", REWORDED.values(), ids=REWORDED)
def test_a_record_with_other_words_loads_and_is_written_in_todays_words(change: Callable[[Document], Document]):
    record = play_on(court()).record()
    assert sealed(change(record)) != record and Match.load(sealed(change(record))).record() == record


@pytest.fixture
def resigned(goofspiel: Game) -> Match:
    """A finished match of three seats, in which Bo resigned and the others played on."""
    match = Match.new(goofspiel, 3, ["Ann", "Bo", "Cleo"], {"cards": 3}, SEED)
    match.play(ANN, "bid 3")
    match.resign(BO)
    return play_on(match)


def test_the_match_plays_for_a_seat_that_has_resigned_and_marks_its_moves(resigned: Match):
    assert [entry.seat for entry in resigned.moves_made if entry.auto] == [BO] * 3
    assert {entry.seat for entry in resigned.moves_made if entry.kind == "move" and not entry.auto} == {ANN, CLEO}
    assert resigned.log(CLEO)[1] == "Bo resigns." and resigned.log(BO)[1] == "You resign."
    assert Match.load(resigned.record()).record() == resigned.record()


def test_stepping_through_shows_each_entry_of_a_resigned_seat_as_a_step(resigned: Match):
    made = [len(again.moves_made) for _, again in resigned.steps()]
    assert made == list(range(len(resigned.moves_made) + 1))


def first_drawn(moves: list[Document]) -> int:
    return next(place for place, entry in enumerate(moves) if entry.get("auto"))


def with_drawn(**changes: Any) -> Callable[[list[Document]], list[Document]]:
    """Return a function that changes the first entry of the seat that has resigned."""

    def change(moves: list[Document]) -> list[Document]:
        place = first_drawn(moves)
        return [*moves[:place], {**moves[place], **changes}, *moves[place + 1 :]]

    return change


def other_bid(moves: list[Document]) -> list[Document]:
    drawn = moves[first_drawn(moves)]["text"]
    return with_drawn(text=next(f"bid {card}" for card in (1, 2, 3) if f"bid {card}" != drawn))(moves)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (other_bid, r'entry 3 of the moves .* so it should be .*"bid \d"'),
        (with_drawn(auto=False), r'entry 3 of the moves .* so it should be .*"bid \d"'),
        (with_drawn(seat=CLEO), r'entry 3 of the moves .* so it should be .*"bid \d"'),
        (lambda moves: moves[: first_drawn(moves)], "entry 3 of the moves is missing"),
        (lambda moves: [m for m in moves if not m.get("auto")], "entry 3 of the moves is not valid"),
        (lambda moves: [*moves[:3], {"seat": BO, "kind": "resign"}], "entry 4 .* that player has resigned already"),
        (lambda moves: [*moves[:3], {"seat": BO, "kind": "undo"}], "entry 4 .* Bo cannot take a move back"),
        (lambda moves: [*moves[:3], {**moves[2], "seat": CLEO}], "entry 4 .* no seat that has resigned is to act here"),
    ],
    ids=["another bid", "not marked", "another seat", "cut off", "left out", "resigned twice", "undone", "marked"],
)
def test_moves_of_a_resigned_seat_must_follow_from_the_seed(
    change: Callable[[list[Document]], list[Document]], message: str, resigned: Match
):
    save = resigned.save()
    assert Match.load(sealed(save)).save() == save
    with pytest.raises(BadRecord, match=message):
        Match.load(sealed({**save, "moves": change(save["moves"])}))
