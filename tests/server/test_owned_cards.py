"""Cards that players own when time runs out, backups are restored, records are forged and servers are killed."""

import asyncio
import json
import random
import re
import threading
import time
from html import unescape

import httpx
import pytest

from quintain.engine.play.documents import checksum
from quintain.engine.rules.registry import game
from quintain.games.round_table.decks import list_of
from quintain.server.http.site import Config
from quintain.server.model import entries as kinds
from quintain.server.run.app import create_app
from quintain.server.store.backups import back_up, restore
from quintain.server.tables import acts
from server.guests import UNLIMITED, Serving, ServingProcess, is_over, wait_until
from server.simulated import SimulatedLoop, simulated
from server.test_absence import RATES, Play, think
from server.test_brought import SHORT, cards, made, play, waiting

ROBIN = game("robin")
STAKES = {"ante": True, "victories": 1}


def seated(guests, **options):
    """Seat two guests with cards of their own, and let each stake one; return the table and the two stakes."""
    ann, bo = guests
    table = made(ann, **STAKES | options)
    bo.sit(table, 1)
    stakes = []
    for guest in guests:
        seen = guest.view(table)
        move = seen["menu"][len(stakes)]
        assert guest.move(table, move["action"], seen["table"]["decision"]).status_code == 200
        stakes.append(move["words"].removeprefix("stake "))
    return table, stakes


def owners(*guests):
    """Return the cards that each guest owns."""
    return [cards(guest)[0] for guest in guests]


def handed(before, stake, seat):
    """Return who owns what once the player at a seat has lost their stake to the other one."""
    after = [set(each) for each in before]
    after[seat].remove(stake)
    after[1 - seat].add(stake)
    return after


@pytest.mark.parametrize("picks", [0, 5, 13])
def test_who_runs_out_of_time_is_given_a_lawful_set_in_secret_and_the_table_goes_on(tmp_path, monkeypatch, picks):
    app = create_app(Config(tmp_path / "server.sqlite", **dict.fromkeys(RATES, UNLIMITED)))

    async def played():
        async with simulated(app, think, monkeypatch) as site:
            for who in ("ann", "bo"):
                number = await site.store.name_player(who, who.capitalize())
                await site.archive.collections.deal(number, ROBIN, ROBIN.collection.owned)
            live = await acts.add(site.tables, "ann", "robin", ["me", "open"], STAKES, clock="30", owned=True)
            await acts.sit_down(site.tables, live, 1, "bo")
            there = Play(app, site, live)
            listening = asyncio.create_task(there.bo.listen(f"{there.path}/socket", []))
            for caller in (there.ann, there.bo):
                await press(there, caller)
            await press(there, there.bo, "deal")
            for pick in range(picks):
                await press(there, there.ann, "" if pick else "choose")
            owned = set(await site.store.cards_of(1, "robin"))
            while (seen := await there.seen(there.ann))["view"]["phase"]["key"] == "sets":
                await asyncio.sleep(1)
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
            return owned, await there.log(), seen, await there.seen(there.bo)

    async def press(there, caller, word=""):
        seen = await there.seen(caller)
        move = next(move for move in seen["menu"] if word in move["words"])
        sent = {"action": move["action"], "decision": seen["table"]["decision"]}
        assert await caller.post(f"{there.path}/moves", **sent) == 200

    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        owned, log, own, rival = runner.run(played())
    assert kinds.STAND_IN in log and kinds.ADJOURNED not in log
    zones = {zone["id"]: zone["pieces"] for zone in own["view"]["zones"]}
    chosen = zones["hand.0"] + zones["pile.0"]
    names = {piece["name"] for piece in chosen}
    assert len(chosen) == len(names) == 15 and names <= owned
    assert sum("Modifier" in piece["kind"] for piece in chosen) == 3
    told = [line["words"] for line in rival["log"] if "Ann" in line["words"]]
    assert "Squire, for Ann, has a new active set." in told and not [
        name for name in names for line in told if name in line
    ]
    theirs = [piece for zone in rival["view"]["zones"] if zone["id"] == "hand.0" for piece in zone["pieces"]]
    assert len(theirs) == 5 and not [piece for piece in theirs if piece["key"]]


def test_a_restored_backup_brings_each_card_back_once(tmp_path):
    there = tmp_path / "server.sqlite"
    with Serving(tmp_path) as serving:
        ann, bo = guests = serving.guest("Ann"), serving.guest("Bo")
        table, stakes = seated(guests)
        before = owners(*guests)
        back_up(there, tmp_path / "staked")
        bo.post(f"/tables/{table}/resign")
        after = handed(before, stakes[1], 1)
        assert owners(*guests) == after
        back_up(there, tmp_path / "over")
        restore(tmp_path / "staked", there)
        wait_until(lambda: not is_over(ann.view(table)) and owners(*guests) == before)
        assert ann.post(f"/tables/{table}/resign").status_code == 200
        assert owners(*guests) == handed(before, stakes[0], 0), "the game ended in another way, and the card went once"
        restore(tmp_path / "over", there)
        wait_until(lambda: owners(*guests) == after)
        assert is_over(bo.view(table)) and bo.post(f"/tables/{table}/resign").status_code == 409
        cookies = [guest.http.cookies for guest in guests]
    with Serving(tmp_path) as serving:
        again = [serving.guest(), serving.guest()]
        for guest, cookie in zip(again, cookies, strict=True):
            guest.http.cookies = cookie
            guest.csrf = guest.get("/tables.json").json()["csrf"]
        assert is_over(again[0].view(table)) and owners(*again) == after, "to open the table again changes nothing"
        seated_again = made(again[0], **SHORT)
        assert seated_again != table, "nobody plays with their cards any more, so they can play again"


def sealed(record):
    """Return an edited record as text, with the checksum that fits it."""
    plain = {key: value for key, value in record.items() if key != "sha256"}
    return kinds.msgspec.json.encode(plain | {"sha256": checksum(plain)}).decode()


def reason(answer):
    """Return why a record was refused."""
    return unescape(re.search(r'role="alert">(.*?)</p>', answer.text, re.DOTALL)[1])


def test_a_record_with_owned_cards_replays_and_changes_no_owner_and_an_edited_one_is_refused(serving):
    ann, bo = guests = serving.guest("Ann"), serving.guest("Bo")
    table = made(ann, **SHORT)
    bo.sit(table, 1)
    prize = play(table, ann, bo)["prizes"][0]
    after = owners(*guests)
    record = ann.get(f"/tables/{table}/record.json").json()
    for guest in (*guests, serving.guest("Cy")):
        seat = {} if guest in guests else {"seat": 0}
        brought = guest.post("/games/import", record=ann.get(f"/tables/{table}/record.json").text, **seat)
        assert brought.status_code == 201, brought.text
    assert owners(*guests) == after and prize
    record.pop("signature", None)
    mine = record["chosen"]["collection-0"]
    forged = [
        (record | {"chosen": record["chosen"] | {"collection-0": [*mine[:-1], "Nobody"]}}, "Nobody"),
        (record | {"chosen": record["chosen"] | {"collection-0": mine[:5]}}, "RH-8"),
        (record | {"chosen": record["chosen"] | {"collection-7": mine}}, "collection-7"),
        (record | {"moves": record["moves"][:-2]}, "the match is not over after its moves"),
        (
            record | {"result": record["result"] | {"ranks": record["result"]["ranks"][::-1]}},
            "its result is not the one",
        ),
    ]
    for edited, words in forged:
        answer = ann.post("/games/import", record=sealed(edited))
        assert (answer.status_code, words in reason(answer)) == (422, True), reason(answer)
    assert owners(*guests) == after


def test_a_record_with_decks_of_ones_own_replays_and_an_edited_deck_is_refused(serving):
    ann, bo, table = waiting(serving)
    mine = list_of("hedge-host").replace("8 Farm", "7 Farm").replace("6 Manor", "7 Manor")
    assert bo.post(f"/tables/{table}/seats/1/deck", deck=mine).status_code == 200
    chance = random.Random(4)
    for _ in range(30):
        assert ann.move_at_random(table, chance) or bo.move_at_random(table, chance)
    ann.post(f"/tables/{table}/resign")
    record = ann.get(f"/tables/{table}/record.json").json()
    assert bo.post("/games/import", record=ann.get(f"/tables/{table}/record.json").text).status_code == 201
    decks = record["chosen"]["decks"]
    other = decks[1].replace("4 Knight Errant", "3 Knight Errant").replace("1 Rouncy", "2 Rouncy")
    assert other != decks[1]
    for text, keeps, words in (
        (other, ("sha256", "signature"), "its checksum does not match"),
        (other, ("signature",), "ignature"),
        (decks[1].replace("1 Kay", "2 Kay"), (), "this is a second copy of Kay"),
        ("", (), "is no ready-made deck"),
    ):
        edited = record | {"chosen": {"decks": [decks[0], text]}}
        plain = {key: value for key, value in edited.items() if key != "signature" or "signature" in keeps}
        answer = bo.post("/games/import", record=json.dumps(edited) if "sha256" in keeps else sealed(plain))
        assert (answer.status_code, words in reason(answer)) == (422, True), reason(answer)


@pytest.mark.long  # `test_killed.py` kills a server at other moments
@pytest.mark.both_stores
def test_kill_9_as_a_card_changes_hands_moves_it_once(store, database, goofspiel):
    chance = random.Random(9)
    where = database.parent if store == "sqlite" else database
    with ServingProcess(where, goofspiel) as server:
        guests = [server.guest("Ann"), server.guest("Bo")]
        for turn in range(4):
            table, stakes = seated(guests)
            before = owners(*guests)
            giving_up = threading.Thread(target=resign, args=(guests[turn % 2], table))
            giving_up.start()
            time.sleep(chance.choice([0.0, 0.004, 0.01, 0.02]))
            server.kill()
            giving_up.join()
            server.start()
            if not is_over(guests[0].view(table)):
                assert owners(*guests) == before, "what is not written has not happened"
                resign(guests[turn % 2], table)
            after = handed(before, stakes[turn % 2], turn % 2)
            assert is_over(guests[0].view(table)) and owners(*guests) == after
        server.kill()
        server.start()
        assert is_over(guests[0].view(table)) and owners(*guests) == after


def resign(guest, table):
    """Give a game up, whether or not the server answers."""
    try:
        guest.post(f"/tables/{table}/resign")
    except httpx.TransportError:
        return
