"""Round Table: cards of your own whose rows meet: conditions, order, immunity, equal pieces. RT-12, RT-33."""

import pytest

from games.round_table_positions import (
    ANN,
    BO,
    Side,
    changed,
    count,
    doing,
    menu,
    names,
    on_it,
    pass_season,
    play,
    position,
    strength,
    why,
)
from quintain.engine.errors import BadCards
from quintain.engine.play.match import Match
from quintain.games.round_table import state as st
from quintain.games.round_table.cards import card_set


def summer(*sides: Side, cards: str = "", regions: tuple[str, ...] = ()) -> Match:
    if regions:
        return position(*sides, season=st.SUMMER, cards=cards, regions=regions)
    return position(*sides, season=st.SUMMER, cards=cards)


def title(name: str, *rows: str) -> str:
    return f'[[title]]\nname = "{name}"\nrp = 0\ninfluence = 0\nresistance = 0\nrows = [{in_braces(rows)}]\n'


def saddle(name: str, *rows: str) -> str:
    numbers = 'rp = 0\ninfluence = 0\nresistance = 0\nslot = "Mount"'
    return f'[[equipment]]\nname = "{name}"\n{numbers}\nrows = [{in_braces(rows)}]\n'


def hero(name: str, *rows: str, types: str = "") -> str:
    numbers = f"rp = 1\ninfluence = 1\nresistance = 1\ntypes = [{types}]"
    return f'[[knight]]\nname = "{name}"\n{numbers}\nrows = [{in_braces(rows)}]\n'


def quest(name: str, *rows: str) -> str:
    return f'[[quest]]\nname = "{name}"\nrp = 1\nrows = [{in_braces(rows)}]\n'


def in_braces(rows: tuple[str, ...]) -> str:
    return ", ".join(f"{{ {row} }}" for row in rows)


def subtype(name: str, condition: str) -> str:
    return f'when = "always", whom = "bearer", what = "subtype", detail = "{name}", if = "{condition}"'


OATH = title("Oath", subtype("Round Table", "with Mount"))


@pytest.mark.clause("RT-25", "RT-33")
@pytest.mark.parametrize(("mount", "influence"), [("", 3), (" + Palfrey", 4)])
def test_a_knight_has_a_subtype_only_while_the_condition_of_the_row_holds(mount: str, influence: int) -> None:
    match = summer(Side("", [f"Balin + Oath{mount} @ Camelot", "Kay @ Camelot"]), Side(), cards=OATH)
    assert strength(match, ANN, "Kay")[0] == influence
    assert strength(match, ANN, "Balin")[0] == influence + 2


@pytest.mark.clause("RT-25", "RT-33")
def test_a_subtype_begins_and_ends_as_its_condition_does() -> None:
    cards = title("Oath", subtype("Round Table", "opposed"))
    match = summer(Side("", ["Balin + Oath @ Camelot", "Kay @ Camelot"]), Side("", ["Agricol"]), cards=cards)
    assert strength(match, ANN, "Kay")[0] == 3
    play(match, "pass", "send Agricol", "attack Camelot")
    assert strength(match, ANN, "Kay")[0] == 4
    pass_season(match)
    assert strength(match, ANN, "Kay")[0] == 3


@pytest.mark.clause("RT-25", "RT-33")
@pytest.mark.parametrize(("mount", "resistance"), [("", 4), (" + Rouncy", 5)])
def test_the_grail_may_have_a_condition_too(mount: str, resistance: int) -> None:
    cards = title("Vow", subtype("Grail", "with Mount"))
    match = summer(Side("", [f"Balin + Vow{mount} @ Camelot", "Bors @ Camelot"]), Side(), cards=cards)
    assert strength(match, ANN, "Bors")[1] == resistance
    assert card_set(cards).cards["Vow"].text == "Its bearer is a Grail Knight while that Knight has a Mount."


@pytest.mark.clause("RT-25", "RT-33")
def test_a_subtype_may_depend_on_a_subtype_that_another_row_gives() -> None:
    cards = (
        title("First", subtype("Round Table", "is Monarch"))
        + title("Second", subtype("Monarch", "besides Grail"))
        + title("Third", subtype("Grail", "with Mount"))
    )
    there = ["Balin + First + Second @ Camelot", "Kay @ Camelot"]
    match = summer(Side("", [*there, "Ector + Third"]), Side(), cards=cards)
    assert strength(match, ANN, "Kay")[0] == 3
    match = summer(Side("", [*there, "Ector + Third + Rouncy"]), Side(), cards=cards)
    assert strength(match, ANN, "Kay")[0] == 4


@pytest.mark.clause("RT-25", "RT-33")
def test_subtypes_that_depend_only_on_each_other_do_not_arise() -> None:
    cards = title("Chicken", subtype("Round Table", "is Grail")) + title("Egg", subtype("Grail", "is Round Table"))
    match = summer(Side("", ["Balin + Chicken + Egg @ Camelot", "Kay @ Camelot"]), Side(), cards=cards)
    assert strength(match, ANN, "Kay")[0] == 3


RECALL = hero("Recaller", 'when = "attacks", whom = "others", if = "besides Monarch", what = "return"')


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize("knights", [["Agricol", "Balin"], ["Balin", "Agricol"]])
def test_a_condition_is_checked_once_for_all_knights_that_a_row_concerns(knights: list[str]) -> None:
    match = summer(Side("", ["Recaller", *knights]), Side(), cards=RECALL)
    play(match, "send Recaller", "attack Elmet")
    assert names(match, "knights.0", ANN) == ["Recaller"]


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize("knights", [["Squire", "Lord"], ["Lord", "Squire"]])
def test_a_row_concerns_the_knights_that_were_there_before_any_left(knights: list[str]) -> None:
    cards = (
        hero("Lord", types='"Monarch"')
        + hero("Squire")
        + title("Page", subtype("Round Table", "besides Monarch"))
        + hero("Caller", 'when = "attacks", whom = "others", what = "return", of = "Monarch"',
               'when = "attacks", whom = "others", what = "return", of = "Round Table"')
    )  # fmt: skip
    words = [f"{name} + Page" if name == "Squire" else name for name in knights]
    match = summer(Side("", ["Caller", *words]), Side(), cards=cards)
    play(match, "send Caller", "attack Elmet")
    assert names(match, "knights.0", ANN) == ["Caller"]


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize("first", [0, 1])
def test_a_row_works_whatever_an_earlier_row_of_the_moment_has_changed(first: int) -> None:
    rows = [
        'when = "attacks", whom = "opposing", here = true, what = "engage"',
        'when = "attacks", whom = "bearer", if = "opposed", what = "return"',
    ]
    cards = hero("Raider", rows[first], rows[1 - first])
    match = summer(Side("", ["Raider"]), Side("", ["Kay @ Elmet"]), cards=cards)
    play(match, "send Raider", "attack Elmet")
    assert doing(match, BO, "Kay") == ("engaged",) and names(match, "knights.0", ANN) == []


@pytest.mark.clause("RT-33")
def test_captures_of_all_regions_are_one_moment() -> None:
    cards = hero("Banisher", 'when = "captures", whom = "others", what = "return"')
    sides = Side("", ["Banisher + Destrier @ Elmet", "Gareth + Destrier @ Powys"]), Side()
    for regions in (("Elmet", "Powys"), ("Powys", "Elmet")):
        match = summer(*sides, cards=cards, regions=(*regions, "Camelot", "Logres", "Orkney", "Badon"))
        play(match, "pass", "pass")
        assert count(match, "draws", ANN) == 2 and names(match, "knights.0", ANN) == ["Banisher"]


STAYING = hero("Anchor", 'when = "always", whom = "others", here = true, what = "permit", detail = "stay"')


@pytest.mark.clause("RT-27", "RT-33")
@pytest.mark.parametrize("knights", [["Anchor", "Kay"], ["Kay", "Anchor"]])
def test_which_knights_stay_is_decided_before_any_knight_leaves(knights: list[str]) -> None:
    match = summer(Side("", [f"{name} @ Camelot" for name in knights]), Side(), cards=STAYING)
    pass_season(match)
    assert doing(match, ANN, "Kay") == ("attacks Camelot",) and doing(match, ANN, "Anchor") == ()


@pytest.mark.clause("RT-27", "RT-33")
@pytest.mark.parametrize("opponent", [ANN, BO])
def test_a_knight_that_stays_while_opposed_does_so_in_any_seat(opponent: int) -> None:
    cards = title("Oak", 'when = "always", whom = "bearer", if = "opposed", what = "permit", detail = "stay"')
    sides = [Side("", ["Kay + Oak @ Camelot"]), Side("", ["Agricol @ Camelot"])]
    match = summer(*(sides if opponent else reversed(sides)), cards=cards)
    pass_season(match)
    assert doing(match, 1 - opponent, "Kay") == ("attacks Camelot",)


@pytest.mark.clause("RT-26", "RT-33")
@pytest.mark.parametrize("knights", [["Healer", "Restless"], ["Restless", "Healer"]])
def test_a_quest_that_resets_when_done_does_not_end_another_quest_first(knights: list[str]) -> None:
    cards = (
        hero("Healer", 'when = "quest done", whom = "others", what = "reset"')
        + hero("Restless", 'when = "quest done", whom = "bearer", what = "return"')
    )  # fmt: skip
    match = summer(Side("The Perilous Bridge, The Fair Unknown", knights), Side(), cards=cards)
    play(match, "play The Perilous Bridge", "on Healer", "play The Fair Unknown", "on Restless", "pass", "pass", "pass")
    assert names(match, "knights.0", ANN) == ["Healer"] and count(match, "draws", ANN) == 3


@pytest.mark.clause("RT-33")
def test_the_cards_on_a_knight_work_although_it_returns() -> None:
    cards = (
        hero("Shy", 'when = "attacks", whom = "bearer", what = "return"')
        + saddle("Horn", 'when = "attacks", whom = "others", what = "return"')
    )  # fmt: skip
    match = summer(Side("", ["Kay", "Shy + Horn", "Bedivere"]), Side("", ["Balin"]), cards=cards)
    play(match, "send Shy", "attack Elmet")
    assert names(match, "knights.0", ANN) == [] and names(match, "knights.1", BO) == ["Balin"]
    assert names(match, "unpaired.0", ANN) == ["Horn"]


PROUD = hero("Proud", 'when = "always", whom = "bearer", what = "immune", detail = "rows"')
SHOUT = hero("Shouter", 'when = "attacks", whom = "opposing", what = "{what}"')


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize("what", ["reset", "engage", "return"])
def test_immunity_is_against_resets_too(what: str) -> None:
    cards = PROUD + SHOUT.replace("{what}", what)
    match = summer(Side("The Fair Unknown, The Perilous Bridge", ["Shouter"]), Side("", ["Proud", "Kay"]), cards=cards)
    if what == "reset":
        match = changed(match, f"engaged[{BO}][0] = 1", f"engaged[{BO}][1] = 1")
    before = names(match, "knights.1", BO), doing(match, BO, "Proud")
    play(match, "send Shouter", "attack Elmet")
    assert doing(match, BO, "Proud") == before[1]
    after = {"reset": [()], "engage": [("engaged",)], "return": []}[what]
    assert [doing(match, BO, "Kay") for name in names(match, "knights.1", BO) if name == "Kay"] == after


@pytest.mark.clause("RT-33")
def test_the_text_of_immunity_speaks_of_resets() -> None:
    assert card_set(PROUD).cards["Proud"].text == "Opponents cannot engage it, reset it or return it to the hand."
    cards = title("Ward", 'when = "always", whom = "own", of = "Grail", what = "immune", detail = "rows"')
    assert card_set(cards).cards["Ward"].text == (
        "Opponents cannot engage your Grail Knights, reset them or return them to the hand."
    )


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize(
    ("card", "target", "words"),
    [
        ("Banishment", "Proud", "opponents cannot engage, reset or return Proud of Bo"),
        ("Change of Heart", "Bors", "opponents cannot play Redirects on Bors of Bo"),
        ("The Fair Unknown", "Gawain", "opponents cannot play Quests on Gawain of Bo"),
    ],
)
def test_the_reason_for_an_immune_knight_names_its_immunity(card: str, target: str, words: str) -> None:
    bo = Side("", ["Proud @ Elmet", "Bors @ Elmet", "Gawain @ Elmet", "Balin @ Elmet"])
    match = summer(Side(card, ["Kay"]), bo, cards=PROUD)
    play(match, f"play {card}")
    reason = match.why_not(ANN, f"on {target} of Bo")
    assert reason is not None and (reason.clause, reason.words) == ("RT-33", words)


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize(("others", "influence"), [([], 2), (["Knight Errant @ Camelot"], 5), (["Knight Errant"], 2)])
def test_a_knight_is_not_beside_itself(others: list[str], influence: int) -> None:
    cards = title(
        "Twin", 'when = "always", whom = "bearer", if = "beside Knight Errant", what = "influence", amount = 3'
    )
    match = summer(Side("", ["Knight Errant + Twin @ Camelot", *others]), Side(), cards=cards)
    assert strength(match, ANN, "Knight Errant")[0] == influence


@pytest.mark.clause("RT-33")
def test_a_row_that_names_a_kind_of_cards_is_not_for_those_in_one_region() -> None:
    row = 'when = "always", whom = "opposing", kind = "Redirects", here = true, what = "rp", amount = 2'
    with pytest.raises(BadCards, match="Snare, row 1: here is for Knights"):
        card_set(title("Snare", row))


THIRD = (
    title("Armory", 'when = "always", whom = "bearer", what = "slot", detail = "Weapon", amount = 2')
    + title("Forge", 'when = "always", whom = "bearer", what = "slot", detail = "Weapon", amount = 1')
)  # fmt: skip


def on_kay(match: Match) -> list[str]:
    return on_it(match, ANN, "Kay")


@pytest.mark.clause("RT-12", "RT-13")
def test_of_equal_pieces_on_one_knight_the_one_put_on_first_is_moved() -> None:
    ann = Side("Good Sword, Good Sword, Fine Lance, Armory, Forge", ["Kay", "Balin"])
    match = position(ann, Side(), cards=THIRD)
    play(match, "play Armory", "on Kay", "play Forge", "on Balin")
    play(match, "play Good Sword", "leave it unpaired", "play Good Sword", "on Kay", "play Fine Lance", "on Kay")
    play(match, "move Good Sword", "on Kay")
    assert on_kay(match) == ["Armory", "Good Sword", "Good Sword 2", "Fine Lance"]
    swords = [move for move in menu(match) if move.startswith("move Good Sword")]
    assert swords == ["move Good Sword"], "which of them is not asked"
    play(match, swords[0], "on Balin", "move Forge", "on Kay", "move Armory", "leave it unpaired")
    assert on_kay(match) == ["Forge", "Good Sword", "Fine Lance"], "two Weapons, and both may stay"
    play(match, "move Forge", "leave it unpaired")
    assert on_kay(match) == ["Fine Lance"], "the sword that is left was put on last"


@pytest.mark.clause("RT-12")
def test_of_equal_pieces_on_one_knight_one_that_has_been_moved_twice_stays() -> None:
    match = position(Side("Good Sword", ["Lamorak + Good Sword", "Kay"]), Side())
    play(match, "move Good Sword", "on Kay", "move Good Sword", "on Lamorak", "play Good Sword", "on Lamorak")
    play(match, "move Good Sword", "on Kay")
    assert on_kay(match) == ["Good Sword 2"] and why(match, ANN, "move Good Sword") == "RT-12"


IF_TITLED = 'whom = "bearer", if = "titled", what = "engage"'


@pytest.mark.clause("RT-19", "RT-33")
@pytest.mark.parametrize(
    ("rows", "of_ann", "of_bo", "engaged", "has_use"),
    [
        ([IF_TITLED], "Kay @ Elmet", "", 0, False),
        ([IF_TITLED], "Kay + Baron @ Elmet", "", 0, True),
        ([IF_TITLED, 'whom = "you", what = "draw", amount = 1'], "Kay @ Elmet", "", 0, True),
        (['whom = "opposing", of = "Leader", what = "engage"'], "Kay @ Elmet", "", 0, False),
        (['whom = "opposing", what = "engage"'], "Kay", "Caradoc @ Elmet", 0, False),
        (['whom = "opposing", what = "engage"'], "Kay", "Caradoc @ Elmet, Balin", 0, True),
        (['whom = "others", what = "reset"'], "Kay", "", 1, False),
        (['whom = "others", what = "reset"'], "Kay, Bedivere", "", 2, True),
    ],
)
def test_a_redirect_that_could_do_nothing_is_not_played(
    rows: list[str], of_ann: str, of_bo: str, engaged: int, has_use: bool
) -> None:
    played = in_braces(tuple(f'when = "played", {row}' for row in rows))
    idle = f'[[redirect]]\nname = "Idle"\nrp = 0\nrows = [{played}]\n'
    sides = [[knight for knight in named.split(", ") if knight] for named in (of_ann, of_bo)]
    more = [f"engaged[{ANN}][{slot}] = 1" for slot in range(engaged)]
    match = position(Side("Idle", sides[0]), Side("", sides[1]), season=st.SUMMER, cards=idle, more=more)
    assert ("play Idle" in menu(match)) == has_use
