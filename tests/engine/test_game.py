"""The contract of a game, its options, and the registry. Errors say what would be right."""

from collections import Counter
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import quintain
from quintain.engine.errors import BadGame, BadOption, UnknownGame
from quintain.engine.rules import registry
from quintain.engine.rules.collection import Held, ListedCard
from quintain.engine.rules.fields import field
from quintain.engine.rules.game import Game, seats_in
from quintain.engine.rules.linking import rule
from quintain.engine.rules.options import Option
from quintain.engine.rules.registry import register, register_file
from quintain.engine.rules.state import Event, Record
from remade import remade
from tutorial import write_goofspiel


@pytest.fixture(autouse=True)
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_games", {})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_goofspiel(tmp_path / "goofspiel.py")
    return tmp_path / "goofspiel.py"


@pytest.fixture
def goofspiel(path: Path) -> Game:
    return register_file(path)


def changed(game: Game, lacking: tuple[str, ...] = (), **changes: Any) -> Game:
    """Return the game made again from its module with some names left out or changed."""
    names = {name: value for name, value in {**vars(game.module), **changes}.items() if name not in lacking}
    return remade(game, rules=SimpleNamespace(**names), text=SimpleNamespace(**names))


def option(kind: str, **more: Any) -> Option:
    return Option("pace", kind, None, "how fast it goes", **more)


def test_a_game_lists_all_that_it_lacks(goofspiel: Game):
    lacking = ("redeal", "hide", "Book", "ACTIONS", "parse", "rulebook", "OPTIONS")
    with pytest.raises(BadGame) as error:
        changed(goofspiel, lacking)
    assert str(error.value) == (
        "the game goofspiel lacks rules.hide, rules.redeal, rules.Book, rules.ACTIONS, "
        "text.parse, text.rulebook, text.OPTIONS"
    )
    assert changed(goofspiel).actions == goofspiel.actions


def test_the_words_of_a_game_may_lie_in_several_modules(goofspiel: Game):
    options, moves, table = ModuleType("options"), ModuleType("moves"), ModuleType("table")
    words, prizes = vars(goofspiel.text), lambda book, blinded, ranks: ()
    vars(options).update({name: words[name] for name in ("OPTIONS", "make_book", "rulebook")})
    vars(moves).update({name: words[name] for name in ("name", "parse", "narrate")})
    vars(table).update({name: words[name] for name in ("view", "why_not", "account")})
    vars(table).update(name=words["name"], prizes=prizes, helper=print)
    vars(moves).update(view=table)  # the module, where it is imported
    game = remade(goofspiel, text=(options, moves, table))
    assert vars(game.text) == {**words, "prizes": prizes}
    with pytest.raises(BadGame, match=r"^the game goofspiel lacks text.parse, text.narrate$"):
        remade(goofspiel, text=[options, table])


def test_two_modules_of_words_may_not_define_the_same(goofspiel: Game):
    one, other = ModuleType("goofspiel.moves"), ModuleType("goofspiel.narration")
    vars(one).update(vars(goofspiel.text))
    vars(other).update(narrate=lambda book, event, viewer: "")
    with pytest.raises(BadGame) as error:
        remade(goofspiel, text=(one, other))
    assert str(error.value) == "the game goofspiel has narrate twice, in goofspiel.moves and in goofspiel.narration"


class Cards:
    """A collection, for Goofspiel."""

    option, decks = "cards", None

    def base(self) -> str:
        return ""

    def cards(self, own: str) -> list[ListedCard]:
        return [ListedCard(f"card {own}", "Cards")]

    def names(self, book: Any, seat: int) -> list[str]:
        return [str(card) for card in range(book.cards + 1)]

    def held(self, book: Any, s: Any, seat: int) -> Held:
        return Held(Counter(), Counter(), Counter())


def test_cards_and_a_report_are_parts_that_a_game_may_have(goofspiel: Game):
    assert goofspiel.collection is None and goofspiel.report is None
    cards, report = Cards(), lambda book, s: ()
    game = changed(goofspiel, collection=cards, report=report)
    assert game.collection is cards and game.report is report
    book = game.make_book(2, {"cards": 3})
    assert goofspiel.card_names(book) is None and (names := game.card_names(book)) and names(1) == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"report": lambda book: ()}, "report takes 2 parameters"),
        (
            {"collection": type("Own", (Cards,), {"option": "decks"})()},
            "collection.option of goofspiel must name one of ",
        ),
        ({"collection": type("Own", (Cards,), {"names": None})()}, "collection.names of goofspiel must be a function"),
        ({"collection": type("Own", (Cards,), {"base": None})()}, "collection.base of goofspiel must be a function"),
        ({"collection": type("Own", (Cards,), {"held": Cards.names})()}, "collection.held takes 3 parameters"),
        ({"collection": type("Own", (Cards,), {"decks": 1})()}, "decks.read of goofspiel must be a function"),
    ],
)
def test_a_wrong_optional_part_is_refused(goofspiel: Game, parts: dict[str, Any], said: str):
    with pytest.raises(BadGame, match=said):
        changed(goofspiel, **parts)


def test_a_game_that_defines_no_rulebook_has_the_file_beside_its_rules(goofspiel: Game, path: Path):
    own = goofspiel.text.rulebook()
    path.with_name("rulebook.md").write_text("# Göofspiel\n", encoding="utf-8")
    assert changed(goofspiel, ("rulebook",)).text.rulebook() == "# Göofspiel\n"
    assert changed(goofspiel).text.rulebook() == own


def test_a_game_has_a_folder_to_itself_or_is_a_single_file(goofspiel: Game):
    court = quintain.game("kings-court")
    assert court.folder == Path(quintain.__file__).parent / "games" / "kings_court"
    assert court.text.rulebook() == (court.folder / "rulebook.md").read_text(encoding="utf-8")
    assert goofspiel.folder is None


def test_a_game_says_which_rules_are_not_marked(goofspiel: Game):
    def unmarked(*arguments: Any) -> None:
        pass

    with pytest.raises(BadGame, match=r"^the game goofspiel must mark deal, outcome, policy with @rule$"):
        changed(goofspiel, deal=unmarked, outcome=unmarked, policy=unmarked)


def test_the_engine_stands_in_for_a_policy_and_a_payoff_where_a_game_has_none(goofspiel: Game):
    @rule
    def policy(book: Any, s: Any, seat: int, mask: list[int], words: list[int]) -> int:
        return 3

    @rule
    def payoff(book: Any, s: Any, values: list[float]) -> None:
        values[0], values[1] = 10, -20

    complete = ["blind", "blind_position", "deal", "legal", "observe", "observe_int8", "outcome", "payoff", "play"]
    complete = sorted([*complete, "policy", "redeal", "to_act", "state_features", "action_features"])
    own = changed(goofspiel, policy=policy, payoff=payoff, PAYOFFS=(-20, 20))
    assert sorted(goofspiel.functions) == sorted(own.functions) == complete
    assert goofspiel.constants["HAS_POLICY"] == 0 and own.constants["HAS_POLICY"] == 1
    book, s = goofspiel.make_book(2, {"cards": 5}), goofspiel.state()
    mask, values = [0, 1, 0, 1, 0, 1, *[0] * 8], [0.0, 0.0]
    chosen = {goofspiel.rules.policy(book, s, 0, mask, 3, [1, 2**n, 2, 3]) for n in range(32)}
    assert chosen == {1, 3, 5} and own.rules.policy(book, s, 0, mask, 3, [1, 2, 3, 4]) == 3
    s.points[:2] = [4, 9]
    goofspiel.rules.payoff(book, s, 2, [0] * 2, [0] * 2, values)
    assert values == [0.0, 1.0]
    s.points[0] = 9
    goofspiel.rules.payoff(book, s, 2, [0] * 2, [0] * 2, values)
    assert values == [0.5, 0.5]
    own.rules.payoff(book, s, 2, [0] * 2, [0] * 2, values)
    assert values == [0.75, 0.0]


def test_a_seat_that_is_not_to_act_has_no_legal_actions_nor_has_any_after_the_end(goofspiel: Game):
    book, s, mask = goofspiel.make_book(2, {"cards": 5}), goofspiel.state(), [7] * goofspiel.actions
    goofspiel.rules.deal(book, s)
    goofspiel.rules.play(book, s, 0, 2)
    assert goofspiel.rules.to_act(book, s) == 0b10
    assert goofspiel.rules.legal(book, s, 1, mask) == 5 and mask == [0, *[1] * 5, *[0] * 8]
    assert goofspiel.rules.legal(book, s, 0, mask) == 0 and mask == [0] * goofspiel.actions
    s.over = 1
    assert goofspiel.rules.to_act(book, s) == goofspiel.rules.legal(book, s, 1, mask) == 0


class WithoutEvents(Record):
    rng: list[int] = field(4, bits=64)
    events_made: int = field(bits=64)


class EventsFirst(Record):
    rng: list[int] = field(4, bits=64)
    events_made: int = field(bits=64)
    events: list[Event] = field(3)
    over: int = field()


class EventsBeforeTheirNumber(Record):
    rng: list[int] = field(4, bits=64)
    over: int = field()
    events: list[Event] = field(3)
    events_made: int = field(bits=64)


class OtherEvents(Record):
    rng: list[int] = field(4, bits=64)
    over: int = field()
    events_made: int = field(bits=64)
    events: list[int] = field(3)


class Named(Record):
    name: str = field(text=True)


class WithWords(Record):
    rng: list[int] = field(4, bits=64)
    over: int = field()
    cards: list[Named] = field(2)
    events_made: int = field(bits=64)
    events: list[Event] = field(4)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (WithoutEvents, "the state of goofspiel lacks the field over, events"),
        (EventsFirst, "the state of goofspiel must end with the fields events_made and events, in this order"),
        (
            EventsBeforeTheirNumber,
            "the state of goofspiel must end with the fields events_made and events, in this order",
        ),
        (OtherEvents, "the field events of goofspiel must be a list of Event"),
        (WithWords, "the state of goofspiel holds texts, cards.name, which belong in the book"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_state_has_the_fields_that_the_engine_keeps_with_the_events_last(
    state: type[Record], message: str, goofspiel: Game
):
    with pytest.raises(BadGame) as error:
        changed(goofspiel, State=state)
    assert str(error.value) == message


READ = [
    (option("number"), "3", 3),
    (option("number"), " +3 ", 3),
    (option("number"), -3, -3),
    (option("number", least=0, most=5), "5", 5),
    (option("number", least=0, most=5), 0, 0),
    (option("number"), "9" * 18, 10**18 - 1),
    (option("number"), "-" + "9" * 18, 1 - 10**18),
    (option("numbers", count=2), "3,1", [3, 1]),
    (option("numbers", count=2), " 3 , -1 ", [3, -1]),
    (option("numbers", count=2), [3, "1"], [3, 1]),
    (option("numbers", count=2), (3, 1), [3, 1]),
    (option("numbers"), "1,2,3", [1, 2, 3]),
    (option("numbers"), [], []),
    (option("switch"), "on", True),
    (option("switch"), "Yes", True),
    (option("switch"), True, True),
    (option("switch"), "off", False),
    (option("switch"), "no", False),
    (option("switch"), "false", False),
    (option("switch"), False, False),
    (option("choice", choices=("slow", "fast")), "fast", "fast"),
    (option("names"), "Ann, Bo", ["Ann", "Bo"]),
    (option("names"), ["Ann", " Bo "], ["Ann", "Bo"]),
    (option("file"), "one line\nand another\n", "one line\nand another\n"),
]


@pytest.mark.parametrize(("option", "given", "value"), READ, ids=[f"{o.kind} {given!r}" for o, given, _ in READ])
def test_an_option_is_read_from_text_and_from_its_value(option: Option, given: Any, value: Any):
    read = option.read(given)
    assert read == value and type(read) is type(value)
    assert option.read(read) == value


BOUNDED = {"least": 0, "most": 5}
WRONG = [
    (option("number"), "three", "a whole number"),
    (option("number"), "", "a whole number"),
    (option("number"), "3 1", "a whole number"),
    (option("number"), "0x3", "a whole number"),
    (option("number"), "1_000", "a whole number"),
    (option("number"), "3.0", "a whole number"),
    (option("number"), 3.0, "a whole number"),
    (option("number"), True, "a whole number"),
    (option("number"), None, "a whole number"),
    (option("number"), [3], "a whole number"),
    (option("number"), "\N{ARABIC-INDIC DIGIT THREE}", "a whole number"),
    (option("number", **BOUNDED), 6, "a whole number from 0 to 5"),
    (option("number", **BOUNDED), "-1", "a whole number from 0 to 5"),
    (option("number", least=1), 0, "a whole number of at least 1"),
    (option("numbers", count=2), "3", "2 whole numbers with commas between"),
    (option("numbers", count=2), [3, 1, 2], "2 whole numbers with commas between"),
    (option("numbers", count=2), "3,", "2 whole numbers with commas between"),
    (option("numbers", count=2), [3, True], "2 whole numbers with commas between"),
    (option("numbers", count=2), {"3": 0, "1": 0}, "2 whole numbers with commas between"),
    (option("numbers", count=2), 31, "2 whole numbers with commas between"),
    (option("numbers", count=2, **BOUNDED), "3,6", "2 whole numbers from 0 to 5 with commas between"),
    (option("numbers"), "", "some whole numbers with commas between"),
    (option("switch"), "maybe", "on or off"),
    (option("switch"), 1, "on or off"),
    (option("switch"), "", "on or off"),
    (option("switch"), None, "on or off"),
    (option("choice", choices=("slow", "fast")), "quick", "one of slow, fast"),
    (option("choice", choices=("slow", "fast")), ["slow"], "one of slow, fast"),
    (option("choice", choices=("1", "2")), 1, "one of 1, 2"),
    (option("names"), ["Ann", 3], "names with commas between"),
    (option("names"), {"Ann": 1}, "names with commas between"),
    (option("names"), None, "names with commas between"),
    (option("file"), 3, "a file of text in UTF-8"),
    (option("file"), "a half \ud800", "a file of text in UTF-8"),
    (option("file"), b"bytes", "a file of text in UTF-8"),
]


@pytest.mark.parametrize(
    ("option", "given", "takes"),
    WRONG,
    ids=[f"{o.kind} {i}" for i, (o, _, _) in enumerate(WRONG)],
)
def test_a_wrong_option_is_refused_with_what_would_be_right(option: Option, given: Any, takes: str):
    with pytest.raises(BadOption) as error:
        option.read(given)
    assert str(error.value).startswith("the option pace cannot be ")
    assert str(error.value).endswith(f": it takes {takes} (how fast it goes)")


@pytest.mark.parametrize(
    "given",
    [10**18, -(10**18), 10**10_000, "9" * 19, "9" * 10_000],
    ids=["large", "small", "huge", "text", "long text"],
)
def test_a_number_of_more_than_18_digits_is_refused(given: Any):
    for kind, value in (("number", given), ("numbers", [0, given])):
        with pytest.raises(BadOption, match=r"^the option pace takes numbers of at most 18 digits$"):
            option(kind).read(value)


def test_options_that_were_not_given_have_their_defaults_which_may_depend_on_the_seats(goofspiel: Game):
    options = (
        Option("cards", "number", lambda seats: 13 - seats, "cards"),
        Option("pace", "choice", "slow", "pace", choices=("slow", "fast")),
        Option("runes", "switch", True, "runes"),
    )
    game = changed(goofspiel, OPTIONS=options)
    assert game.read_options(2, {}) == {"cards": 11, "pace": "slow", "runes": True}
    assert game.read_options(4, {"runes": "off"}) == {"cards": 9, "pace": "slow", "runes": False}
    assert game.read_options(4, {"cards": "3", "pace": "fast"}) == {"cards": 3, "pace": "fast", "runes": True}


def test_options_that_are_read_are_not_shared_with_the_game():
    game = quintain.game("kings-court")
    one, two = game.read_options(2, {}), game.read_options(2, {})
    assert one == two == {"garnets": [0, 0], "houses": 6, "ranks": 8} and one["garnets"] is not two["garnets"]


def test_an_unknown_option_is_refused_with_a_list_of_all(goofspiel: Game):
    with pytest.raises(BadOption, match=r"^Goofspiel has no option card: its options are cards; perhaps cards$"):
        goofspiel.read_options(2, {"cards": 3, "card": 3})
    with pytest.raises(BadOption, match=r"^Goofspiel has no option cards: it has no options$"):
        changed(goofspiel, OPTIONS=()).read_options(2, {"cards": 3})


def test_a_first_game_gives_values_to_options_that_there_are(goofspiel: Game):
    assert goofspiel.first_game == {} and changed(goofspiel, FIRST_GAME={"cards": 3}).first_game == {"cards": 3}
    for wrong in ({"card": 3}, ["cards"]):
        with pytest.raises(BadGame, match=r"^FIRST_GAME of goofspiel must give values to some of cards, not "):
            changed(goofspiel, FIRST_GAME=wrong)


def test_seats_are_the_usual_number_or_one_that_the_game_allows(goofspiel: Game):
    assert goofspiel.check_seats(None) == 2
    assert [goofspiel.check_seats(seats) for seats in (2, 3, 4)] == [2, 3, 4]
    for seats in (1, 5, 0, -2):
        with pytest.raises(BadOption, match=rf"^Goofspiel is not played with {seats} seats, but with 2 to 4$"):
            goofspiel.check_seats(seats)
    with pytest.raises(BadOption, match=r"^King's Court is not played with 3 seats, but with 2$"):
        quintain.game("kings-court").check_seats(3)


def test_the_seats_in_bits_come_lowest_first():
    assert [seats_in(bits) for bits in (0, 1, 0b110, 0b10001)] == [[], [0], [1, 2], [0, 4]]


def test_an_unknown_game_is_refused_with_a_list_of_all(goofspiel: Game):
    with pytest.raises(UnknownGame) as error:
        quintain.game("chess")
    there = ", ".join(game.id for game in quintain.all_games())
    assert str(error.value) == f"there is no game 'chess'; there are {there}"
    assert {"goofspiel", "kings-court"} <= set(there.split(", "))


def test_all_games_are_sorted_by_id_and_include_those_of_quintain(goofspiel: Game):
    ids = [game.id for game in quintain.all_games()]
    assert ids == sorted(ids) and quintain.game("goofspiel") is goofspiel
    assert quintain.game("kings-court").module.__name__ == "quintain.games.kings_court.rules"


def test_an_id_is_taken_once_and_for_all(goofspiel: Game):
    before = quintain.all_games()
    register(goofspiel)
    for id_, origin in (("goofspiel", r"in \S+goofspiel\.py"), ("kings-court", "one of Quintain's own")):
        with pytest.raises(
            BadGame, match=rf"^there is a game {id_} already, {origin}: give this one an id of its own$"
        ):
            register(remade(quintain.game(id_), title="Another"))
    assert quintain.all_games() == before


def test_who_follows_the_registry_hears_of_every_game_now_and_later(goofspiel: Game, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(registry, "_followers", [])
    heard: list[str] = []
    registry.for_each_game(lambda found: heard.append(found.id))
    assert heard == [found.id for found in quintain.all_games()]
    register(remade(goofspiel, id="goofspiel-again"))
    assert heard[-1] == "goofspiel-again"


def test_a_game_written_for_another_contract_is_refused(path: Path):
    path.write_text(path.read_text().replace("contract=2", "contract=1"))
    with pytest.raises(
        BadGame, match=r"written for version 1 of the contract of a game, and this Quintain has version 2"
    ):
        register_file(path)


def test_a_file_can_be_registered_again_after_it_was_changed(path: Path):
    first = register_file(path)
    path.write_text(path.read_text().replace('"Goofspiel"', '"The Game of Pure Strategy"'))
    second = register_file(path)
    assert quintain.game("goofspiel") is second and second.title == "The Game of Pure Strategy"
    assert first.title == "Goofspiel" and first.rules is not second.rules


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (None, r"there is no file .*goofspiel.py$"),
        ("def deal(", r"goofspiel.py cannot be loaded: SyntaxError: "),
        (
            "import no_such_module",
            r"goofspiel.py cannot be loaded: line 1: ModuleNotFoundError: No module named 'no_such_module'$",
        ),
        ("1 / 0", r"goofspiel.py cannot be loaded: line 1: ZeroDivisionError: division by zero$"),
        ("x = 1", r"goofspiel.py defines no GAME = Game\(...\)$"),
        ("GAME = 'goofspiel'", r"goofspiel.py defines no GAME = Game\(...\)$"),
        ("\0", r"goofspiel.py cannot be loaded: "),
        ("x = '\udcff'", r"goofspiel.py cannot be loaded: "),
    ],
    ids=["missing", "syntax", "import", "error", "no game", "another thing", "null byte", "not UTF-8"],
)
def test_a_file_that_holds_no_game_is_refused(source: str | None, message: str, path: Path):
    path.unlink()
    if source is not None:
        path.write_text(source, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(BadGame, match=message):
        register_file(path)
    with pytest.raises(UnknownGame):
        quintain.game("goofspiel")


def test_a_folder_or_a_file_of_another_kind_is_not_a_game(tmp_path: Path):
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "game.txt").write_text("GAME = None")
    for name in ("folder.py", "game.txt"):
        with pytest.raises(BadGame, match=rf"{name} is not a Python file"):
            register_file(tmp_path / name)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (
            '"goofspiel"',
            '"kings-court"',
            r"defines a game kings-court, which is here already, one of Quintain's own: give it another id$",
        ),
        ('"goofspiel"', '"../evil"', r"of small letters, digits and hyphens, such as my-game, not '../evil'$"),
        (
            "seats=(2, ",
            "seats=(0, ",
            r"the seats of goofspiel must be the least, the most and the usual number, not \(0, ",
        ),
    ],
)
def test_a_game_has_an_id_of_its_own_and_numbers_of_seats(before: str, after: str, message: str, path: Path):
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after))
    with pytest.raises(BadGame, match=message):
        register_file(path)
    assert quintain.game("kings-court").title == "King's Court"


def test_a_game_that_lacks_something_says_so_when_its_file_is_loaded(path: Path):
    path.write_text(path.read_text().replace("def parse(", "def parses("))
    with pytest.raises(BadGame, match=r"goofspiel.py cannot be loaded: the game goofspiel lacks text.parse$"):
        register_file(path)
