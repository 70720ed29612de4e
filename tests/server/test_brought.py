"""What players bring to a table: decks that they choose there, and cards that they own, win and lose."""

import asyncio
import random
import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape

import pytest

from quintain.engine.play.documents import checksum
from quintain.engine.play.match import Match
from quintain.engine.rules.registry import game
from quintain.engine.rules.seat_options import Gain
from quintain.games.round_table.decks import list_of
from quintain.server.model.entries import MADE, NO_SEAT, Gained, LogEntry, Made, Sitter, encoded, fold
from quintain.server.store.cards.owned_cards import OwnedCollections, hand_over
from quintain.server.store.store import Store
from server.guests import Serving, is_over

HTML = {"accept": "text/html"}
OWNED = {"game": "robin", "seats": ["me", "open"], "owned": True}
SHORT = {"ante": True, "victories": 1, "dealt": True}


def read(guest, path):
    """Return a page without its escapes."""
    return unescape(guest.get(path, headers=HTML).text)


def cards(guest):
    """Return the names of the cards that stand on a player's page, and of those that were won from somebody."""
    page = read(guest, f"/players/{number(guest)}")
    listed = re.search(r'<ul class="owned-cards">.*</section>', page, re.DOTALL)
    plain = re.sub(r"<svg.*?</svg>|</?a\b[^>]*>", "", listed[0])
    names = re.findall(r"<li>(.*?)(?: <small>won from (.*?)</small>)?</li>", plain.partition("Last games")[0])
    return {name for name, _ in names}, {name: giver for name, giver in names if giver}


def number(guest):
    """Return the number of a player."""
    return re.search(r"/players/(\d+)", read(guest, "/"))[1]


def play(table, *guests):
    """Let guests play at random to the end, and return what the winner sees."""
    chance = random.Random(1)
    for _ in range(4000):
        if is_over(guests[0].view(table)):
            return guests[0].view(table)["result"]
        assert any(guest.move_at_random(table, chance) for guest in guests)
    raise AssertionError("the game does not end")


def made(guest, **options):
    """Make a table at which all play with cards of their own; return its id."""
    answer = guest.post("/tables", **OWNED, options=options)
    assert answer.status_code == 201, answer.text
    return answer.json()["table"]["id"]


@pytest.mark.both_stores
def test_the_winner_keeps_the_card_that_the_loser_has_staked(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = made(ann, **SHORT)
    assert "the winner gains the other's for good" in read(bo, f"/tables/{table}")
    bo.sit(table, 1)
    before = [cards(ann)[0], cards(bo)[0]]
    assert [len(each) for each in before] == [30, 30]
    result = play(table, ann, bo)
    winner = result["ranks"].index(1)
    gained = re.match(r"(Ann|Bo) gains (.*), which", result["prizes"][0])[2]
    after, won = zip(cards(ann), cards(bo), strict=True)
    assert after[1 - winner] == before[1 - winner] - {gained}
    assert after[winner] == before[winner] | {gained}
    if gained not in before[winner]:
        assert won[winner] == {gained: "Bo" if winner == 0 else "Ann"}
    for seat, guest in enumerate((ann, bo)):
        here = f'<a href="/players/{number(guest)}#collections">Your cards</a>'
        gains = f"You gain {gained}" if seat == winner else f"gains {gained}, which you staked"
        shown = read(guest, f"/tables/{table}")
        assert here in shown and gains in shown
        assert f'">{gained}</a>' in read(guest, f"/players/{number((ann, bo)[winner])}")
    record = ann.get(f"/tables/{table}/record.json").json()
    assert record["options"]["collection-0"] == [] and set(record["chosen"]["collection-1"]) == before[1]
    assert Match.load(record).record()["chosen"] == record["chosen"]
    page = read(bo, f"/players/{number(ann)}")
    assert "of their own" in page and f"{len(after[0])} cards" in page


def test_a_rematch_is_played_with_the_cards_as_they_are_then(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = made(ann, **SHORT)
    bo.sit(table, 1)
    play(table, ann, bo)
    ann.post(f"/tables/{table}/rematch")
    again = bo.post(f"/tables/{table}/rematch").json()["table"]["id"]
    assert again != table
    match = serving.table(again).match
    assert [set(match.options[f"collection-{seat}"]) for seat in (0, 1)] == [cards(ann)[0], cards(bo)[0]]


def test_all_who_ask_at_once_to_play_again_come_to_one_table(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = made(ann, **SHORT)
    bo.sit(table, 1)
    play(table, ann, bo)
    with ThreadPoolExecutor(6) as pool:
        answers = [*pool.map(lambda guest: guest.post(f"/tables/{table}/rematch"), (ann, bo) * 3)]
    assert [answer.status_code for answer in answers] == [200] * 6
    assert len({answer.json()["table"]["id"] for answer in answers} - {table}) == 1


def test_the_winner_gains_the_stake_of_the_loser_and_nobody_gains_one_in_a_drawn_tournament():
    robin = game("robin")
    book, state = robin.make_book(2, robin.read_options(2, {"ante": True})), robin.state()
    names, gains = robin.collection.names(book, 0), robin.collection.owned.gains
    state.staked = [3, 5]
    assert gains(book, state, [1, 2]) == [Gain(names[5], 1, 0)] and gains(book, state, [2, 1]) == [Gain(names[3], 0, 1)]
    assert gains(book, state, [1, 1]) == []
    state.staked = [-1, 5]
    assert gains(book, state, [2, 1]) == []


def test_no_card_changes_hands_without_stakes_or_before_one_is_staked(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = made(ann, **SHORT | {"ante": False})
    assert "No card changes hands" in read(bo, f"/tables/{table}")
    bo.sit(table, 1)
    before = cards(ann), cards(bo)
    play(table, ann, bo)
    table = made(ann, **SHORT)
    bo.sit(table, 1)
    bo.post(f"/tables/{table}/resign")
    assert is_over(ann.view(table))
    assert (cards(ann), cards(bo)) == before


def test_nobody_plays_with_their_cards_at_two_tables(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    first = made(ann)
    assert "finish that game first" in ann.post("/tables", **OWNED).json()["error"]
    other = made(bo)
    refused = ann.post(f"/tables/{other}/seats/1")
    assert refused.status_code == 409 and "finish that game first" in refused.json()["error"]
    assert ann.post(f"/tables/{first}/leave").status_code == 200
    assert ann.post(f"/tables/{other}/seats/1").status_code == 200


def test_of_tables_that_are_asked_for_at_the_same_time_one_is_made(serving):
    ann = serving.guest("Ann")
    with ThreadPoolExecutor(4) as pool:
        answers = [*pool.map(lambda _: ann.post("/tables", **OWNED).status_code, range(4))]
    assert sorted(answers) == [201, 409, 409, 409]
    assert len(cards(ann)[0]) == 30


def test_no_rematch_begins_while_a_player_plays_with_their_cards_elsewhere(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = made(ann, **SHORT)
    bo.sit(table, 1)
    bo.post(f"/tables/{table}/resign")
    made(ann)
    bo.post(f"/tables/{table}/rematch")
    refused = ann.post(f"/tables/{table}/rematch")
    assert refused.status_code == 409 and "Ann plays with their own cards at another table" in refused.json()["error"]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"seats": ["me", "squire"]}, "bots own no cards"),
        ({"rated": True, "clock": "60"}, "in a rated game nobody plays with cards of their own"),
        ({"game": "kings-court"}, "in King's Court nobody owns cards"),
        ({"options": {"collection-0": ["Little John"]}}, "and an active set takes 12"),
        ({"options": {"active": 20, "dealt": True}}, ""),
    ],
)
def test_a_table_for_owned_cards_that_cannot_be_is_refused(serving, changed, words):
    answer = serving.guest("Ann").post("/tables", **OWNED | changed)
    assert (answer.status_code, words) == (201, "") or words in answer.json()["error"]


def test_bots_take_no_seat_where_everybody_plays_with_cards_of_their_own(serving):
    ann = serving.guest("Ann")
    table = made(ann)
    refused = ann.post(f"/tables/{table}/start")
    assert refused.status_code == 409 and "bots own no cards" in refused.json()["error"]
    assert "Start now" not in read(ann, f"/tables/{table}")


def test_a_seat_with_cards_of_ones_own_stays_with_its_player(serving):
    ann = serving.guest("Ann")
    table = made(ann)
    serving.guest("Bo").sit(table, 1)
    link = re.search(r'/seat/[^"\s<]+', read(ann, f"/tables/{table}"))[0]
    refused = serving.guest("Eve").post(link)
    assert refused.status_code == 409 and "stays with its player" in refused.json()["error"]


def test_a_new_starter_is_for_those_who_have_too_few_cards(serving, monkeypatch):
    ann = serving.guest("Ann")
    assert serving.guest().post("/cards/robin/starter").status_code == 403
    made_there = made(ann)
    ann.post(f"/tables/{made_there}/leave")
    refused = ann.post("/cards/robin/starter")
    assert refused.status_code == 409 and "too few cards left" in refused.json()["error"]
    monkeypatch.setattr("quintain.games.robin.cards.STARTER_CHARACTERS", 11)
    bo = serving.guest("Bo")
    refused = bo.post("/tables", **OWNED)
    assert refused.status_code == 409 and "the collection has 11 (RH-8)" in refused.json()["error"]
    monkeypatch.undo()
    assert "Have new cards dealt" in read(bo, f"/players/{number(bo)}")
    assert bo.submit("/cards/robin/starter").status_code == 303
    assert len(cards(bo)[0]) == 30
    made(bo)


def test_programs_get_a_new_starter_by_the_names_of_its_cards(serving):
    ann = serving.guest("Ann")
    answer = ann.post("/cards/robin/starter")
    assert answer.status_code == 200, answer.text
    (collection,) = answer.json()["collections"]
    dealt = [card for kind in collection["kinds"] for card in kind["cards"]]
    assert sorted(card["name"] for card in dealt) == sorted(cards(ann)[0])
    assert collection["number"] == len(dealt) == 30 and all(
        card == {"name": card["name"], "from": ""} for card in dealt
    )


def test_a_card_changes_hands_once_and_only_from_who_has_it(tmp_path):
    robin = game("robin")

    async def handed_over():
        async with Store.open(tmp_path / "kept.sqlite") as store:
            collections = OwnedCollections(store)
            ann, bo = [await store.name_player(id_, id_) for id_ in ("ann", "bo")]
            for _ in range(2):
                await collections.deal(ann, robin, robin.collection.owned)
            dealt = [card.name for card in await collections.of_player(ann, "robin")]
            sitters = [Sitter(player=ann), Sitter(player=bo)]
            made = Made("robin", 1, {}, "00" * 32, "none", "usual", False, sitters, owned=True)
            folded = fold([LogEntry("T", 1, NO_SEAT, MADE, encoded(made), 0.0)])
            folded.ended = 7.0
            folded.gains = [(1, Gained(dealt[0], 0)), (1, Gained("no such card", 0)), (1, Gained(dealt[0], 0))]
            async with store.together.begin() as connection:
                await hand_over(connection, folded, store.is_shared)
            return dealt, [await store.cards_of(number, "robin") for number in (ann, bo)]

    dealt, (ann, bo) = asyncio.run(handed_over())
    assert len(dealt) == 30 == len(set(dealt))
    assert ann == dealt[1:] and bo == dealt[:1]


def waiting(serving, *more):
    """Return two guests, and a table of Round Table of the first one that waits for a player."""
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    return ann, bo, ann.make("round-table", "me", "open", *more)


@pytest.mark.both_stores
def test_whoever_sits_down_chooses_a_deck_and_may_change_it(serving):
    ann, bo, table = waiting(serving, "open")
    page = read(bo, f"/tables/{table}/seats/1/deck")
    assert re.findall(r'value="([a-z-]+)" required checked', page) == ["crowned-heads"]
    assert bo.post(f"/tables/{table}/seats/1/deck", deck="hedge-host").status_code == 200
    assert ann.submit(f"/tables/{table}/seats/0/deck", deck="great-houses").status_code == 303
    shown = read(serving.guest("Cy"), f"/tables/{table}")
    assert re.findall(r'sit-deck"><summary>(.*?)<span', shown) == [
        "The Great Houses",
        "The Hedge Host",
        "The Wandering Table",
    ]
    assert "Choose a deck first" in shown and "Change my deck" in read(bo, f"/tables/{table}")
    bo.post(f"/tables/{table}/leave")
    assert serving.table(table).row.options["decks"] == ["great-houses", "crowned-heads", "wandering-table"]
    bo.post(f"/tables/{table}/seats/2/deck", deck="hedge-host")
    serving.guest("Dot").sit(table, 1)
    match = serving.table(table).match
    assert match.options["decks"] == ["great-houses", "crowned-heads", "hedge-host"] == match.chosen["decks"]
    late = ann.post(f"/tables/{table}/seats/0/deck", deck="hedge-host")
    assert late.status_code == 409 and "all seats are taken" in late.json()["error"]


def test_who_sits_down_is_offered_a_deck_of_their_own_first_and_reads_that_each_is_legal(serving):
    _, bo, table = waiting(serving, "open")
    bo.post("/cards/round-table/decks", ready="hedge-host")
    page = read(bo, f"/tables/{table}/seats/1/deck")
    (checked,) = re.findall(r'value="([^"]+)" required checked', page)
    assert checked.startswith("deck:") and page.count("Legal: ") == 5
    assert re.search(r"A deck of your own\. <small[^>]*>Legal: \d+ Main, ", page)
    bo.post(f"/tables/{table}/seats/1/deck", deck="crowned-heads")
    page = read(bo, f"/tables/{table}/seats/1/deck")
    assert re.findall(r'value="([^"]+)" required checked', page) == ["crowned-heads"], "what was chosen stays"


def test_a_deck_of_ones_own_is_played_as_it_is_now(serving):
    ann, bo, table = waiting(serving)
    deck = bo.post("/cards/round-table/decks", ready="hedge-host", title="Hedges").json()
    id_ = deck["id"]
    assert "Hedges" in read(bo, f"/tables/{table}/seats/1/deck")
    assert "Hedges" not in read(serving.guest("Cy"), f"/tables/{table}/seats/1/deck")
    refused = ann.post(f"/tables/{table}/seats/0/deck", deck=f"deck:{id_}")
    assert refused.status_code == 404
    assert bo.submit(f"/tables/{table}/seats/1/deck", deck=f"deck:{id_}").status_code == 303
    record = serving.table(table).match.save()
    assert "Knight Mercenary" in record["chosen"]["decks"][1] and record["options"]["decks"][1] == "crowned-heads"


def test_a_deck_is_written_on_the_page_and_a_wrong_line_is_named_beside_it(serving):
    _, bo, table = waiting(serving)
    path, lines = f"/tables/{table}/seats/1/deck", list_of("hedge-host").splitlines()
    typed = "\r\n".join([*lines, "2 Gawain"])
    page = bo.submit(path, deck="text", text=typed)
    assert page.status_code == 422 and serving.table(table).seats[1].number is None
    shown = unescape(page.text)
    assert f"Deck 2, line {len(lines) + 1}: " in re.search(r'id="deck-wrong" role="alert">(.*?)</p>', shown)[1]
    assert "2 Gawain</textarea>" in shown and 'value="text" required checked' in shown
    for deck, text, words in (("hedge-host", typed, "and chosen another deck"), ("text", " ", "Write the list")):
        assert words in bo.submit(path, deck=deck, text=text).text
    mine = [line.replace("8 Farm", "7 Farm").replace("6 Manor", "7 Manor") for line in lines]
    assert bo.submit(path, deck="text", text="\r\n".join(mine)).status_code == 303
    assert {"7 Farm", "7 Manor"} < set(serving.table(table).match.chosen["decks"][1].splitlines())


@pytest.mark.parametrize(
    ("deck", "status", "words"),
    [
        ("Main\n2 Gawain\n", 422, "line 2: this is a second copy of Gawain"),
        ("hedge-hst", 422, "hedge-hst"),
        ("deck:nothing", 404, "no such deck"),
        ("\0", 422, ""),
        ("x" * 60_000, 422, ""),
    ],
)
def test_a_deck_that_cannot_be_played_is_refused_and_nobody_sits_down(serving, deck, status, words):
    _, bo, table = waiting(serving)
    answer = bo.post(f"/tables/{table}/seats/1/deck", deck=deck)
    assert answer.status_code == status and words in answer.json()["error"]
    assert serving.table(table).seats[1].number is None
    page = bo.submit(f"/tables/{table}/seats/1/deck", deck=deck)
    assert page.status_code == status and (status != 422 or 'role="alert"' in page.text)


def test_nobody_chooses_for_another_seat_or_in_a_game_without_decks(serving):
    ann, bo, table = waiting(serving, "open")
    bo.sit(table, 1)
    cy = serving.guest("Cy")
    for guest, seat in ((ann, 1), (ann, 2), (cy, 0)):
        assert guest.post(f"/tables/{table}/seats/{seat}/deck", deck="hedge-host").status_code == 403
        assert guest.get(f"/tables/{table}/seats/{seat}/deck", headers=HTML).status_code == 403
    assert cy.post(f"/tables/{table}/seats/9/deck", deck="hedge-host").status_code == 404
    other = ann.make("robin", "me", "open")
    assert bo.post(f"/tables/{other}/seats/1/deck", deck="hedge-host").status_code == 404


def test_a_deck_that_needs_anothers_is_refused_so_nobody_can_spoil_the_table(serving):
    """The decks together must bring the Regions that the table wants (RT-3), also when somebody gets up again."""
    lands = [f"New Land {letter}" for letter in "ABCDEFGHIJ"]
    own = "".join(f'[[region]]\nname = "{name}"\nrenown = 2\nresistance = 3\n\n' for name in lands)
    usual = list_of("hedge-host")
    rich = usual.partition("Regions")[0] + "Regions\n" + "".join(f"1 {name}\n" for name in lands)
    options = {"cards": own, "regions": ["40"], "decks": [rich, usual, usual]}
    ann, bo, cy = (serving.guest(name) for name in ("Ann", "Bo", "Cy"))
    made = ann.post("/tables", game="round-table", seats=["me", "open", "open"], options=options)
    table = made.json()["table"]["id"]
    agreed = serving.table(table).row.options["decks"]
    assert bo.post(f"/tables/{table}/seats/1/deck", deck=rich).status_code == 200
    refused = ann.post(f"/tables/{table}/seats/0/deck", deck="hedge-host")
    assert refused.status_code == 422
    assert "if another player changes their deck or gets up, this one cannot be played: " in refused.json()["error"]
    assert "5 to 30 Regions" in refused.json()["error"]
    assert bo.post(f"/tables/{table}/leave").status_code == 200
    serving.loop.call_soon_threadsafe(serving.site.tables.forget_all)  # the table is read from its log again
    bo.sit(table, 1)
    assert cy.post(f"/tables/{table}/seats/2").status_code == 200
    assert serving.table(table).match.options["decks"] == agreed


def test_a_deck_is_refused_if_another_was_chosen_while_it_was_read(serving, monkeypatch):
    ann, bo, table = waiting(serving, "open")
    bo.sit(table, 1)
    reader, answers = serving.site.tables.reader, []
    usual = reader.read_options

    async def slow(*given):
        if not answers:
            answers.append(None)
            answers.append(await asyncio.to_thread(bo.post, f"/tables/{table}/seats/1/deck", deck="hedge-host"))
        return await usual(*given)

    monkeypatch.setattr(reader, "read_options", slow)
    answer = ann.post(f"/tables/{table}/seats/0/deck", deck="great-houses")
    assert answer.status_code == 409 and "at the same moment: choose yours again" in answer.json()["error"]
    assert answers[-1].status_code == 200
    assert ann.post(f"/tables/{table}/seats/0/deck", deck="wandering-table").status_code == 200


RATED = {"game": "round-table", "rated": True, "clock": "60"}


@pytest.mark.parametrize(
    ("decks", "seats", "status"),
    [
        (["great-houses", "crowned-heads"], ["me", "open"], 201),
        (["hedge-host", "great-houses"], ["open", "me"], 201),
        (["hedge-host", "great-houses"], ["me", "open"], 422),
        (["great-houses"], ["me", "squire"], 422),
        ([], ["me", "open"], 422),
    ],
)
def test_in_a_rated_game_each_player_chooses_their_own_deck_alone(serving, decks, seats, status):
    ann = serving.guest("Ann")
    answer = ann.post("/tables", **RATED, seats=seats, options={"decks": decks})
    assert answer.status_code == status, answer.text
    if decks and status == 422:
        assert "the decks of the other seats stay as usual" in answer.json()["error"]


def test_at_a_rated_table_a_deck_is_chosen_as_anywhere(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.post("/tables", **RATED, seats=["me", "open"]).json()["table"]["id"]
    assert bo.post(f"/tables/{table}/seats/1/deck", deck="hedge-host").status_code == 200
    assert serving.table(table).match.options["decks"] == ["hedge-host", "hedge-host"]


def test_a_stranger_names_themselves_as_they_sit_down_with_a_deck(serving):
    _, _, table = waiting(serving)
    eve = serving.guest()
    assert eve.submit(f"/tables/{table}/seats/1/deck", deck="hedge-host", name="Eve").status_code == 303
    assert [seat.name for seat in serving.table(table).seats] == ["Ann", "Eve"]


def test_a_record_with_forged_choices_is_refused(serving):
    ann, bo, table = waiting(serving)
    bo.post(f"/tables/{table}/seats/1/deck", deck="hedge-host")
    ann.post(f"/tables/{table}/resign")
    record = ann.get(f"/tables/{table}/record.json").json()
    record.pop("signature")
    for chosen, words in (
        ({"regions": ["7"]}, "seats cannot choose the option regions"),
        ({"deck": ["hedge-host"]}, "perhaps decks"),
        ({"decks": ["Main\n2 Gawain"]}, "line 2: this is a second copy of Gawain"),
    ):
        forged = record | {"chosen": chosen}
        with pytest.raises(Exception, match=words):
            Match.load(forged | {"sha256": checksum(forged)})
    assert bo.post("/games/import", record=ann.get(f"/tables/{table}/record.json").text).status_code == 201


def test_the_choice_stays_when_the_server_starts_again(tmp_path, goofspiel):
    with Serving(tmp_path, game_files=(goofspiel,)) as serving:
        _, bo, table = waiting(serving, "open")
        bo.post(f"/tables/{table}/seats/1/deck", deck="hedge-host")
    with Serving(tmp_path, game_files=(goofspiel,)) as serving:
        serving.guest("Cy").get(f"/tables/{table}.json")
        assert serving.table(table).row.options["decks"] == ["hedge-host", "hedge-host", "wandering-table"]
