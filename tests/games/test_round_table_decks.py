"""Round Table: deck lists, sets of cards and Regions, as players write them. RT-1, RT-2, RT-3, RT-4, RT-33, RT-35."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import quintain
from games.round_table_positions import STEPS, Side, deck_of, state
from quintain.engine.errors import BadCards, BadDeck, BadOption
from quintain.engine.play.match import Match
from quintain.games.round_table import cards as cards_module
from quintain.games.round_table import decks as decks_module
from quintain.games.round_table import state as st
from quintain.games.round_table.card_fields import base_text
from quintain.games.round_table.cards import base_set, card_set
from quintain.games.round_table.decks import READY_MADE, read_deck, ready_made, short_list
from quintain.games.round_table.vocabulary import DETAILS

GOOD = deck_of(Side())
REGIONS = [f"1 {name}" for name in base_set().regions]


def refusal(text: str) -> str:
    with pytest.raises(BadDeck) as error:
        read_deck(text, base_set())
    return str(error.value)


@pytest.mark.clause("RT-1")
@pytest.mark.parametrize(
    ("main", "demesne", "message"),
    [
        ("39 Knight Errant", "30 Farm", "section Main: it has 39 cards, and needs at least 40 (RT-1)"),
        (
            "40 Knight Errant",
            "19 Farm",
            "section Demesne: with Main it has 59 cards, and both together need at least 60",
        ),
        (
            "90 Knight Errant",
            "31 Farm",
            "section Demesne: with Main it has 121 cards, and both together may have at most 120",
        ),
        (
            "40 Knight Errant",
            "20 Manor",
            "section Demesne: it has no Farm, and you begin with a Farm in play (RT-1)",
        ),
        ("40 Knight Errant\n1 Farm", "20 Farm", "line 3: Farm is a Demesne, which belongs in the section Demesne"),
        ("40 Knight Errant", "20 Farm\n1 Kay", "line 5: Kay is a Knight, which belongs in the section Main (RT-1)"),
    ],
)
def test_a_deck_of_a_wrong_size_is_refused_with_its_section(main: str, demesne: str, message: str) -> None:
    assert refusal(f"Main\n{main}\nDemesne\n{demesne}\n").startswith(message)


@pytest.mark.clause("RT-1")
@pytest.mark.parametrize(("main", "demesne"), [(40, 20), (100, 20), (119, 1), (59, 1)])
def test_decks_of_60_to_120_cards_with_40_in_main_and_a_farm_are_played(main: int, demesne: int) -> None:
    deck = read_deck(f"Main\n{main} Knight Errant\nDemesne\n{demesne} Farm\n", base_set())
    assert (deck.main, deck.demesne) == ({"Knight Errant": main}, {"Farm": demesne})


@pytest.mark.clause("RT-2", "RT-4")
@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "2 Gawain",
            "line 2: this is a second copy of Gawain, and a deck has at most one copy of a named Knight (RT-2)",
        ),
        ("1 Gawain\n1 Kay\n1 Gawain", "line 4: this is a second copy of Gawain"),
        ("1 Sir Robin", "line 2: there is no card 'Sir Robin' (RT-4)"),
        ("4 knigt errant", "line 2: there is no card 'knigt errant': do you mean Knight Errant? (RT-4)"),
        ("1 Lothian", "line 2: Lothian is a Region, which belongs in the section Regions (RT-1)"),
        (
            "Gawain",
            "line 2: a line is a number and a card, such as `2 Knight Errant`, or a section, Main, Demesne, Regions, "
            "not 'Gawain' (RT-4)",
        ),
        ("0 Gawain", "line 2: a line is a number and a card"),
    ],
)
def test_a_wrong_line_of_a_list_is_named(line: str, message: str) -> None:
    assert refusal(f"Main\n{line}\n40 Knight Errant\nDemesne\n20 Farm\n").startswith(message)
    assert refusal(f"{line}\n").startswith("line 1: a list begins with a section")


@pytest.mark.clause("RT-3", "RT-4")
def test_regions_of_a_list_are_known_unique_and_no_more_than_forty() -> None:
    assert refusal(f"{GOOD}Regions\n1 Camelot\n1 Camelot\n").endswith(
        "Camelot is there twice, and a list has each Region once (RT-3)"
    )
    assert refusal(f"{GOOD}Regions\n2 Camelot\n").endswith(
        "Camelot is there twice, and a list has each Region once (RT-3)"
    )
    assert "there is no Region 'Atlantis' (RT-4)" in refusal(f"{GOOD}Regions\n1 Atlantis\n")
    assert len(read_deck(f"{GOOD}Regions\n" + "\n".join(REGIONS), base_set()).regions) == 30
    many = card_set("".join(f'[[region]]\nname = "{name}"\nresistance = 1\nrenown = 1\n' for name in own_names(11)))
    lines = "\n".join(f"1 {name}" for name in many.regions)
    with pytest.raises(BadDeck, match=re.escape("section Regions: it has 41, and may have at most 40 (RT-3)")):
        read_deck(f"{GOOD}Regions\n{lines}\n", many)


def own_names(count: int) -> list[str]:
    return [f"Land {chr(ord('A') + i // 26)}{chr(ord('a') + i % 26)}" for i in range(count)]


@pytest.mark.clause("RT-4")
@pytest.mark.parametrize("name", READY_MADE)
def test_ready_made_decks_are_right_and_their_short_lists_read_back(name: str) -> None:
    deck = read_deck(ready_made(name), base_set())
    assert read_deck(short_list(ready_made(name)), base_set()) == deck
    cheap = sum(count for card, count in deck.main.items() if base_set().cards[card].rp <= 3)
    assert cheap >= 10
    assert quintain.game("round-table").make_book(2, {"decks": [name], "regions": ["5"], "cards": ""})


@pytest.mark.clause("RT-3")
@pytest.mark.parametrize(
    ("regions", "message"),
    [
        ("4", "a match has 5 to 30 Regions with these decks, not 4 (RT-3)"),
        ("31", "a match has 5 to 30 Regions with these decks, not 31 (RT-3)"),
        ("Camelot,Elmet,Badon,Logres", "a match has 5 to 30 Regions with these decks, not 4 (RT-3)"),
        ("Camelot,Elmet,Badon,Logres,Elmet", "Elmet is there twice"),
        ("Camelot,Elmet,Badon,Logres,Atlantis", "there is no Region 'Atlantis'"),
        ("Camelot,Elmet,Cornwall,Powys,Camelford,Elmet", "Elmet is there twice"),
    ],
)
def test_wrong_regions_are_refused(regions: str, message: str) -> None:
    with pytest.raises(BadOption, match=re.escape(message)):
        Match.new("round-table", options={"regions": regions})


@pytest.mark.clause("RT-3")
def test_named_regions_may_not_hold_more_than_half_of_the_renown_in_one() -> None:
    big = '[[region]]\nname = "Rome"\nresistance = 9\nrenown = 9\n'
    small = ["Camelford", "Powys", "Elmet", "Dyfed"]
    with pytest.raises(BadOption, match="Rome holds more than half of the match's Renown"):
        Match.new("round-table", options={"regions": ["Rome", *small], "cards": big})
    assert Match.new("round-table", options={"regions": ["Rome", *small, "Camelot", "Cornwall"], "cards": big})


@pytest.mark.clause("RT-3")
def test_drawn_regions_come_from_the_lists_then_the_base_set_and_are_drawn_anew_if_one_outweighs_the_others() -> None:
    big = '[[region]]\nname = "Rome"\nresistance = 9\nrenown = 9\n'
    own = f"{GOOD}Regions\n1 Rome\n1 Camelot\n1 Elmet\n1 Dyfed\n1 Badon\n1 Powys\n"
    seen: Counter[str] = Counter()
    for seed in range(60):
        options = {"decks": [own, own], "cards": big}
        match = Match.new("round-table", options=options, seed=seed.to_bytes(32, "big"))
        dealt = state(match)
        regions = [match.book.region[place] for place in dealt.region[:5]]
        renown = [region.renown for region in regions]
        assert 2 * max(renown) <= sum(renown) and len({region.name for region in regions}) == 5
        listed = {"Rome", "Camelot", "Elmet", "Dyfed", "Badon", "Powys"}
        seen["lists" if {region.name for region in regions} <= listed else "base"] += 1
        assert len(set(dealt.open)) == 3
    assert min(seen["lists"], seen["base"]) > 5
    few = f"{GOOD}Regions\n1 Camelot\n1 Elmet\n"
    match = Match.new("round-table", options={"decks": [few, few], "regions": "6"})
    names = {match.book.region[place].name for place in state(match).region[:6]}
    assert len(names) == 6 and {"Camelot", "Elmet"} <= names


@pytest.mark.clause("RT-35")
def test_the_base_set_has_what_it_must_have() -> None:
    base = base_set()
    kinds = Counter(card.kind for card in base.cards.values())
    knights = [card for card in base.cards.values() if card.kind == st.KNIGHT]
    assert [card.rp for card in base.cards.values() if card.kind == st.DEMESNE] == [1, 2, 4, 7, 11]
    assert [card.name for card in base.cards.values() if card.kind == st.DEMESNE] == list(STEPS)
    assert kinds[st.KNIGHT] >= 30 and kinds[st.TITLE] >= 12
    assert (kinds[st.EQUIPMENT], kinds[st.QUEST], kinds[st.REDIRECT], len(base.regions)) == (32, 16, 12, 30)
    assert sum(bool(card.types & st.GENERIC) for card in knights) == 5
    assert sum(not card.types & st.GENERIC for card in knights) >= 25
    for types, least in ((st.MONARCH, 4), (st.ROUND_TABLE, 8), (st.GRAIL, 4)):
        assert sum(card.types & types == types for card in knights) >= least
    assert min(region.renown for region in base.regions.values()) >= 1
    named = ["Arthur", "Gawain", "Lancelot", "Guinevere", "Agricol", "Rouncy", "Baron", "Duke", "Bone-Snapper"]
    named += ["Good Sword", "Exquisite Morningstar", "Round Table Knight", "The Green Knight", "Royal Command"]
    assert set(named) <= set(base.cards) and "Camelot" in base.regions
    assert base.cards["Royal Command"].task == st.RESET


@pytest.mark.clause("RT-35")
def test_each_kind_of_equipment_has_eight_pieces_and_each_plain_one_a_better_fey_equivalent() -> None:
    base = base_set()
    equipment = {card.name: card for card in base.cards.values() if card.kind == st.EQUIPMENT}
    assert Counter(card.slot for card in equipment.values()) == dict.fromkeys(range(4), 8)
    assert Counter(base.fey.values()) == Counter(name for name in equipment if name not in base.fey)
    for fey, plain in ((equipment[fey], equipment[plain]) for fey, plain in base.fey.items()):
        assert fey.slot == plain.slot and fey.rp <= plain.rp
        assert fey.influence >= plain.influence and fey.resistance >= plain.resistance
        more = fey.influence + fey.resistance > plain.influence + plain.resistance
        assert more or fey.rows_used > plain.rows_used, fey.name


@pytest.mark.clause("RT-32", "RT-35")
def test_the_base_set_has_forty_different_rows_twelve_of_which_lift_or_change_a_rule() -> None:
    rows = [row for card in base_set().cards.values() for row in card.row[: card.rows_used]]
    different = {tuple(value for name, value in row.values() if name != "amount") for row in rows}
    lifting = {st.RP, st.CAPACITY, st.DEMESNES, st.SLOT, st.IMMUNE, st.PERMIT, st.LEAD, st.REACH, st.HAND_LIMIT}
    assert len(different) >= 40
    place = list(rows[0].fields).index("what")
    assert sum(key[place] in lifting for key in different) >= 12
    used = {(row.what, row.detail) for row in rows}
    assert {(what, detail) for what, details in DETAILS.items() for detail in details.values()} - used <= {
        (st.SLOT, st.ARMOR),
        (st.SUBTYPE, st.MONARCH),
        (st.SUBTYPE, st.LEADER),
    }


KAY = """[[knight]]
name = "Kay"
rp = 3
influence = 3
resistance = 2
types = ["Round Table"]
rows = [{ when = "always", whom = "you", what = "hand", amount = 2 }]
"""
"""A card of the base set, unchanged."""
KNIGHT = '[[knight]]\nname = "Aglovale"\nrp = 3\ninfluence = 2\nresistance = 2\n'


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{ when = "always", whom = "bearer", what = "fly" }', "what is one of influence"),
        ('{ when = "noon", whom = "bearer", what = "influence", amount = 1 }', "when is one of always"),
        ('{ when = "always", whom = "all", what = "influence", amount = 1 }', "whom is one of bearer"),
        ('{ when = "always", whom = "bearer", what = "influence" }', "amount is missing"),
        ('{ when = "always", whom = "bearer", what = "influence", amount = 0 }', "amount cannot be 0"),
        ('{ when = "always", whom = "bearer", what = "influence", amount = true }', "amount cannot be true"),
        ('{ when = "always", whom = "you", what = "capacity", amount = 100 }', "amount cannot be 100"),
        (
            '{ when = "attacks", whom = "you", what = "draw", amount = -1 }',
            "amount cannot be -1: it takes",
        ),
        ('{ when = "always", whom = "you", what = "draw", amount = 1 }', "what cannot be 'draw': it works at a moment"),
        (
            '{ when = "attacks", whom = "bearer", what = "influence", amount = 1 }',
            "'influence': it works always",
        ),
        (
            '{ when = "played", whom = "you", what = "draw", amount = 1 }',
            "this moment never comes for Knights",
        ),
        (
            '{ when = "always", whom = "opposing", what = "slot", detail = "Mount", amount = 1 }',
            "cannot work on 'opposing'",
        ),
        ('{ when = "always", whom = "bearer", what = "slot", detail = "Hat", amount = 1 }', "detail is one of Weapon"),
        ('{ when = "always", whom = "bearer", what = "influence", detail = "Mount", amount = 1 }', "takes no detail"),
        ('{ when = "attacks", whom = "bearer", what = "reset", amount = 1 }', "'reset' takes no amount"),
        ('{ when = "always", whom = "own", what = "rp", amount = 1 }', "own cards can only cost less"),
        (
            '{ when = "always", whom = "own", if = "alone", what = "rp", amount = -1 }',
            "RP are changed without a condition",
        ),
        (
            '{ when = "always", whom = "bearer", here = true, what = "influence", amount = 1 }',
            "here is for rows on own",
        ),
        ('{ when = "always", whom = "own", of = "Elf", what = "influence", amount = 1 }', "of is one of Monarch"),
        (
            '{ when = "always", whom = "own", named = "Robin", what = "influence", amount = 1 }',
            "there is no knight 'Robin'",
        ),
        (
            '{ when = "always", whom = "own", titled = "Kay", what = "influence", amount = 1 }',
            "there is no title 'Kay'",
        ),
        (
            '{ when = "always", whom = "own", kind = "Quests", what = "influence", amount = 1 }',
            "only RP can be changed",
        ),
        (
            '{ when = "always", whom = "bearer", if = "renown x", what = "influence", amount = 1 }',
            "there is no condition 'renown x'; perhaps renown 9; if begins with one of opposed",
        ),
        ('{ when = "always", whom = "bearer", if = "drunk", what = "influence", amount = 1 }', "if begins with one of"),
        (
            '{ when = "always", whom = "bearer", what = "subtype", detail = "Grail" }',
            "only Equipment and Titles give a subtype",
        ),
        (
            '{ when = "always", whom = "bearer", what = "influence", amount = 1, colour = 1 }',
            "a row has no field 'colour'",
        ),
        (
            '{ when = "always", whom = "bearer", what = "influence", amount = 1 }, '
            '{ when = "always", whom = "bearer", what = "influence", amount = 2 }',
            "row 2: it repeats row 1",
        ),
    ],
)
def test_a_wrong_row_is_refused_with_line_card_row_and_clause(row: str, message: str) -> None:
    with pytest.raises(BadCards) as error:
        card_set(f"# my set\n{KNIGHT}rows = [{row}]\n")
    words = str(error.value)
    assert words.startswith("line 2, Aglovale, row ") and message in words and re.search(r"\(RT-\d+\)$", words)


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[knight]\n", "the cards cannot be read"),
        ("[knight]\nrp = 1\n", "each card begins with its kind, such as [[knight]]"),
        ('[[dragon]]\nname = "Fafnir"\n', "line 1, Fafnir: there is no kind of card 'dragon'"),
        ('[[demesne]]\nname = "Palace"\nrp = 20\n', "line 1, Palace: there is no kind of card 'demesne'"),
        ("[[knight]]\nrp = 1\n", "line 1, a knight: the name is missing: a name begins"),
        ('[[knight]]\nname = "bob"\n', "line 1, bob: 'bob' is not a valid name"),
        (
            KNIGHT.replace("Aglovale", "Royal Command"),
            "line 1, Royal Command: the base set has a redirect of that name",
        ),
        (KNIGHT + KNIGHT, "line 6, Aglovale: line 1 has a card of this name already"),
        (KAY + KAY, "line 8, Kay: line 1 has a card of this name already"),
        (KNIGHT.replace("rp = 3\n", ""), "line 1, Aglovale: rp is missing"),
        (KNIGHT.replace("rp = 3", "rp = -1"), "line 1, Aglovale: rp cannot be -1"),
        (KNIGHT + "wings = 2\n", "line 1, Aglovale: [[knight]] has no field 'wings'"),
        (KNIGHT + 'types = ["Elf"]\n', "line 1, Aglovale: types cannot have 'Elf' in it: it is a list of some of"),
        (KNIGHT + "rows = [" + "{ }," * 5 + "]\n", "line 1, Aglovale: rows has 5 rows: at most 4 are allowed"),
        (
            '[[equipment]]\nname = "Hat"\nrp = 1\ninfluence = 1\nresistance = 1\n',
            "line 1, Hat: slot is missing: it is one of",
        ),
        ('[[region]]\nname = "Rome"\nresistance = 9\nrenown = 10\n', "line 1, Rome: renown cannot be 10"),
    ],
)
def test_a_wrong_card_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(BadCards) as error:
        card_set(text)
    assert str(error.value).startswith(message)


@pytest.mark.clause("RT-33")
def test_a_card_with_a_name_of_the_base_set_takes_its_place() -> None:
    own = card_set(KNIGHT.replace("Aglovale", "Gawain"))
    assert list(own.cards) == list(base_set().cards) and own.names == base_set().names
    changed, others = own.cards["Gawain"], [name for name in own.cards if name != "Gawain"]
    assert (changed.rp, changed.influence, changed.text) == (3, 2, "") and base_set().cards["Gawain"].rp != 3
    assert all(own.cards[name] == base_set().cards[name] for name in others)
    region = card_set('[[region]]\nname = "Camelot"\nresistance = 1\nrenown = 1\n').regions["Camelot"]
    assert region.base and (region.resistance, region.renown) == (1, 1)
    plain = base_text().partition('name = "Moonlit Sword"')[2].partition("[[")[0].replace("fey", "# fey")
    assert "Moonlit Sword" not in card_set(f'[[equipment]]\nname = "Moonlit Sword"{plain}').fey
    match = Match.new(
        "round-table", options={"cards": KNIGHT.replace("Aglovale", "Gawain"), "decks": ["wandering-table"]}
    )
    assert any(card.name == "Gawain" and card.rp == 3 for seat in match.book.card for card in seat)


@pytest.mark.clause("RT-33")
def test_a_redirect_cannot_do_two_things_to_its_knight_and_a_set_has_at_most_400_cards() -> None:
    rows = ", ".join(f'{{ when = "played", whom = "bearer", what = "{what}" }}' for what in ("reset", "return"))
    with pytest.raises(
        BadCards, match=re.escape("Muddle, row 2: a card that is played resets, engages or returns, but not")
    ):
        card_set(f'[[redirect]]\nname = "Muddle"\nrp = 1\nrows = [{rows}]\n')
    many = [f'[[region]]\nname = "{name}"\nresistance = 1\nrenown = 1\n' for name in own_names(401)]
    with pytest.raises(BadCards, match="at most 400 cards, not 401"):
        card_set("".join(many))
    assert len(card_set("".join(many[:400])).regions) == 430


@pytest.mark.clause("RT-33")
def test_a_card_of_an_own_set_is_played_and_kept_in_the_record() -> None:
    options = {"cards": KNIGHT, "decks": [deck_of(Side(deck="Aglovale"))]}
    match = Match.new("round-table", options=options)
    assert "Aglovale" in [card.name for card in match.book.card[0]]
    assert Match.load(match.save()).book == match.book


@pytest.mark.clause("RT-33")
def test_a_card_in_the_place_of_another_keeps_its_short_name_or_has_none() -> None:
    errant = '[[knight]]\nname = "Knight Errant"\nrp = 9\ninfluence = 2\nresistance = 1\ntypes = ["generic"]\n'
    for short in ("", 'short = "Errant"\n'):
        assert card_set(errant + short).cards["Knight Errant"].rp == 9
    for short in ("17", '"Wanderer"'):
        with pytest.raises(BadCards, match=r"line 1, Knight Errant: short is the short name of the base set, Errant"):
            card_set(f"{errant}short = {short}\n")


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize("rp", ["1.0", "true"])
def test_a_card_of_the_base_set_with_a_value_of_another_type_is_refused(rp: str) -> None:
    text = base_text().replace('short = "Mercenary"\nrp = 1\n', f'short = "Mercenary"\nrp = {rp}\n')
    with pytest.raises(BadCards, match="Knight Mercenary: rp cannot be"):
        card_set(text)


@pytest.mark.clause("RT-2")
def test_a_ready_made_deck_that_a_set_makes_illegal_is_named() -> None:
    own = '[[knight]]\nname = "Knight Errant"\nrp = 2\ninfluence = 2\nresistance = 1\n'
    with pytest.raises(BadDeck, match=r"^deck hedge-host, line 5: this is a second copy of Knight Errant"):
        quintain.Match.new("round-table", options={"cards": own})


def test_the_file_of_the_base_set_has_each_card_once() -> None:
    data = tomllib.loads(Path(cards_module.__file__).with_name("cards.toml").read_text(encoding="utf-8"))
    assert sum(map(len, data.values())) == len(base_set().cards) + len(base_set().regions)


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize(
    "wrong", ['["x"]', "{ a = 1 }", "5", "true", "1979-05-27", f"0x{'f' * 5000}", "[" * 90 + "]" * 90]
)
@pytest.mark.parametrize(
    "key", ["when", "whom", "what", "detail", "of", "named", "titled", "with", "kind", "if", "here"]
)
def test_a_field_of_a_row_that_is_not_words_is_refused_by_name(key: str, wrong: str) -> None:
    row = {"when": '"always"', "whom": '"own"', "what": '"influence"', "amount": "1"}
    if key == "detail":
        row |= {"what": '"slot"', "detail": '"Weapon"'}
    row[key] = wrong
    if (key, wrong) == ("here", "true"):
        assert card_set(own_row(row)).cards["Aglovale"].row[0].here == 1
        return
    with pytest.raises(BadCards, match=rf"^line 1, Aglovale, row 1: {key} .*not .*\(RT-33\)$"):
        card_set(own_row(row))


def own_row(row: dict[str, str]) -> str:
    return f"{KNIGHT}rows = [{{ {', '.join(f'{name} = {value}' for name, value in row.items())} }}]\n"


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize("here", ["1", "1.0", "0"])
def test_here_is_true_or_false(here: str) -> None:
    with pytest.raises(BadCards, match=f"here is true or false, not {re.escape(here)}"):
        card_set(own_row({"when": '"always"', "whom": '"own"', "what": '"influence"', "amount": "1", "here": here}))


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (KNIGHT + 'types = [["Grail"]]\n', "line 1, Aglovale: types has a list in it: it is a list of some of"),
        (KNIGHT + "types = [{ a = 1 }]\n", "line 1, Aglovale: types has a table in braces in it"),
        (KNIGHT.replace("rp = 3", f"rp = {'9' * 5000}"), "the cards cannot be read: "),
        (KNIGHT.replace("rp = 3", f"rp = 0x{'f' * 5000}"), "line 1, Aglovale: rp cannot be a value too long to show"),
        (KNIGHT + "rows = " + "[" * 2000 + "]" * 2000, "the cards cannot be read: lists in them are too deep"),
        (KNIGHT.replace('"Aglovale"', r'"\u001b[31mRed"'), r"line 1, '\x1b[31mRed': '\x1b[31mRed' is not a valid name"),
        ("knight = [1, 2]\n", "each card begins with its kind, such as [[knight]]; this is not a card: 'knight'"),
        ("knight = [1]\nx = '''\n[[knight]]\n'''\n", "each card begins with its kind, such as [[knight]]"),
        ("# nothing\n", "a set of your own has at least 1 and at most 400 cards, not 0"),
        ("\n", "a set of your own has at least 1 and at most 400 cards, not 0"),
        ("[[knight]\n", "the cards cannot be read: "),
    ],
)
def test_a_file_that_is_no_set_of_cards_is_refused_in_plain_words(text: str, message: str) -> None:
    with pytest.raises(BadCards) as error:
        card_set(text)
    words = str(error.value)
    assert words.startswith(message) and words.isprintable() and re.search(r"\(RT-\d+\)$", words)


@pytest.mark.clause("RT-35")
@pytest.mark.parametrize("plain", ['["Good Sword"]', "{ a = 1 }", "1", '"Kay"', '"Nothing"', '""'])
def test_fey_names_a_piece_of_equipment(plain: str) -> None:
    thing = '[[equipment]]\nname = "Thing"\nrp = 1\ninfluence = 1\nresistance = 1\nslot = "Weapon"\n'
    with pytest.raises(BadCards, match=r"line 1, Thing: .*fey names the plain Equipment.*\(RT-35\)"):
        card_set(f"{thing}fey = {plain}\n")


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize(("own", "other"), [("KAY", "a knight Kay"), ("CAMELOT", "a region Camelot")])
def test_names_differ_in_more_than_capitals(own: str, other: str) -> None:
    with pytest.raises(BadCards, match=f"line 1, {own}: there is {other}, which differs in capitals only"):
        card_set(KNIGHT.replace("Aglovale", own))
    with pytest.raises(BadCards, match="line 6, Strasse: line 1 has a card of this name already"):
        card_set(KNIGHT.replace("Aglovale", "Straße") + KNIGHT.replace("Aglovale", "Strasse"))


@pytest.mark.clause("RT-4")
def test_a_list_may_begin_with_a_mark_of_its_editor_and_write_accents_in_two_parts() -> None:
    deck = read_deck(f"\ufeff{GOOD}Regions\n1 Broce\u0301liande\n", base_set())
    assert deck.regions == ["Brocéliande"]


@pytest.mark.clause("RT-33")
def test_a_set_of_cards_may_begin_with_a_mark_of_its_editor_and_write_accents_in_two_parts() -> None:
    text = "\ufeff" + KNIGHT.replace("Aglovale", "Bre\u0301hus")
    assert "Bréhus" in card_set(text).cards


@pytest.mark.clause("RT-4")
@pytest.mark.parametrize("given", ["# x", "# x\n", "hedge-hosts", "Main"])
def test_an_unknown_deck_is_refused_with_the_names_of_the_ready_made_ones(given: str) -> None:
    words = f"deck 1, {given.strip()!r} is no ready-made deck: there are hedge-host, "
    with pytest.raises(BadDeck, match=re.escape(words)):
        Match.new("round-table", options={"decks": [given]})


@pytest.mark.clause("RT-3")
@pytest.mark.parametrize(
    ("regions", "words"),
    [
        (["-1"], "a match has 5 to 30 Regions with these decks, not -1"),
        (["5", ""], "there is no Region '5'; it takes names, or one number"),
    ],
)
def test_the_option_regions_takes_names_or_one_number(regions: list[str], words: str) -> None:
    with pytest.raises(BadOption, match=re.escape(words)):
        Match.new("round-table", options={"regions": regions})


DECKS = decks_module.collection.decks


@pytest.mark.clause("RT-1", "RT-2", "RT-3")
@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", {"40 Main cards short": "RT-1", "60 cards short together": "RT-1", "no Farm among the Demesnes": "RT-1"}),
        ("Main\n39 Knight Errant\nDemesne\n21 Farm\n", {"one Main card short": "RT-1"}),
        ("Main\n40 Knight Errant\nDemesne\n19 Farm\n", {"one card short together": "RT-1"}),
        ("Main\n100 Knight Errant\nDemesne\n21 Farm\n", {"one card too many together": "RT-1"}),
        ("Main\n40 Knight Errant\nDemesne\n20 Manor\n", {"no Farm among the Demesnes": "RT-1"}),
        (GOOD, {}),
    ],
)
def test_the_laws_of_an_unfinished_deck_say_what_is_wrong(text: str, faults: dict[str, str]) -> None:
    deck = DECKS.read_unfinished(text, "")
    assert {law.fault: law.clause for law in DECKS.laws(deck, "") if not law.is_kept} == faults
    if faults:
        with pytest.raises(BadDeck):
            DECKS.read(text, "")
    else:
        assert DECKS.read(text, "") == deck


@pytest.mark.clause("RT-2", "RT-3")
def test_places_say_how_often_a_card_may_be_there_and_why() -> None:
    places = DECKS.places("")
    assert (places["Gawain"].most, places["Gawain"].clause) == (1, "RT-2")
    assert (places["Knight Errant"].most, places["Good Sword"].most, places["Farm"].section) == (120, 120, "Demesne")
    assert (places["Camelot"].most, places["Camelot"].clause) == (1, "RT-3")
    twice = {"Main": {"Gawain": 2}, "Demesne": {}, "Regions": {}}
    assert [law.clause for law in DECKS.laws(twice, "") if law.fault.startswith("more than one")] == ["RT-2"]


@pytest.mark.clause("RT-4")
def test_a_deck_has_one_text_however_its_list_is_ordered() -> None:
    text = "Main\n1 Kay\n2 Good Sword\n3 Knight Errant\n1 Good Sword\nDemesne\n1 Manor\n2 Farm\n"
    turned = "Demesne\n2 Farm\n1 Manor\n\nMain\n3 Good Sword\n3 Knight Errant # all\n1 Kay\n"
    written = "Main\n3 Knight Errant\n1 Kay\n3 Good Sword\n\nDemesne\n2 Farm\n1 Manor\n"
    assert {DECKS.write(DECKS.read_unfinished(each, ""), "") for each in (text, turned, written)} == {written}
