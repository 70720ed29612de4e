"""The rows of players' own sets on both stores: drafts, versions, bounds, links, and who may read them."""

import asyncio

import pytest

from quintain.server.model import own_sets
from quintain.server.refused import Refused
from quintain.server.store.cards import player_sets
from quintain.server.store.cards.player_sets import PlayerSets
from quintain.server.store.devices import Devices
from quintain.server.store.store import Store

pytestmark = pytest.mark.both_stores


@pytest.fixture
def run(database):
    """Return a function that lets a coroutine use the sets, the store, and the numbers of two players."""

    def in_store(do):
        async def opened():
            async with Store.open(database) as store:
                numbers = [await number_of(store, name) for name in ("ann", "bo")]
                return await do(PlayerSets(store), store, *numbers)

        return asyncio.run(opened())

    return in_store


async def number_of(store, name):
    await store.name_player(name, name.capitalize())
    return (await store.player(name)).number


def test_a_set_keeps_its_draft_what_was_before_and_its_versions(run):
    async def check(sets, store, ann, bo):
        id_ = await sets.add(ann, "robin", "Mine", "one", True)
        own = await sets.find(ann, id_)
        assert (own.draft, own.valid, own.back, own.version) == ("one", "one", 0, 1)
        assert await sets.draft_at(own, -1) is None
        assert await sets.write(own, "two", False)
        assert not await sets.write(own, "late", True), "somebody else has changed it"
        own = await sets.find(ann, id_)
        assert (own.draft, own.valid, own.back) == ("two", "one", 1)
        assert await sets.draft_at(own, -1) == "one"
        assert await sets.go(own, -1, "one", True)
        assert not await sets.go(own, -1, "one", True), "somebody else has changed it"
        own = await sets.find(ann, id_)
        assert (own.draft, own.back, own.again) == ("one", 0, 1)
        assert await sets.save(own, "three")
        assert not await sets.save(own, "late")
        own = await sets.find(ann, id_)
        assert (own.draft, own.back, own.again, own.version) == ("three", 1, 0, 2)
        assert [(each.version, each.text) for each in await sets.versions(own)] == [(2, "three"), (1, "one")]
        await sets.rename(own, "Yours")
        assert [each.name for each in await sets.of_player(ann, "robin")] == ["Yours"]
        assert await sets.of_player(ann, "heirless") == []
        await sets.delete(own)
        assert await sets.of_player(ann, "robin") == [] and await sets.versions(own) == []

    run(check)


def test_changes_go_back_and_ahead_step_by_step_until_a_new_one(run, monkeypatch):
    monkeypatch.setattr(player_sets, "MOST_STEPS", 25)

    async def check(sets, store, ann, bo):
        id_ = await sets.add(ann, "robin", "Mine", "0", True)

        async def go(by):
            own = await sets.find(ann, id_)
            assert await sets.go(own, by, await sets.draft_at(own, by), True)
            return await sets.find(ann, id_)

        for number in range(1, 31):
            assert await sets.write(await sets.find(ann, id_), str(number), True)
        assert (await sets.find(ann, id_)).back == 25
        seen = [(await go(-1)).draft for _ in range(25)]
        assert seen == [str(number) for number in range(29, 4, -1)]
        own = await sets.find(ann, id_)
        assert (own.draft, own.back, own.again) == ("5", 0, 25) and await sets.draft_at(own, -1) is None
        assert [(await go(1)).draft for _ in range(3)] == ["6", "7", "8"]
        assert await sets.write(await sets.find(ann, id_), "other", True)
        own = await sets.find(ann, id_)
        assert (own.back, own.again) == (4, 0) and (await go(-1)).draft == "8" and (await go(1)).draft == "other"

    run(check)


def test_a_draft_with_faults_has_no_version_yet(run):
    async def check(sets, store, ann, bo):
        own = await sets.find(ann, await sets.add(ann, "robin", "Mine", "wrong", False))
        assert (own.version, own.valid) == (0, "") and await sets.versions(own) == []

    run(check)


def test_sets_of_others_are_not_found_unless_a_link_shares_a_version(run):
    async def check(sets, store, ann, bo):
        id_ = await sets.add(ann, "robin", "Mine", "one", True)
        with pytest.raises(Refused, match="no such set"):
            await sets.find(bo, id_)
        own = await sets.find(ann, id_)
        token = await sets.share(own, 1)
        assert len(token) >= 24 and await sets.share(own, 1) == token
        await sets.save(own, "two")
        shared = await sets.shared(token)
        assert (shared.name, shared.player, shared.text, shared.version) == ("Mine", "Ann", "one", 1)
        for wrong in ("", token[:-1], "x" * 500):
            with pytest.raises(Refused, match="nobody shares"):
                await sets.shared(wrong)
        with pytest.raises(Refused, match="no such version"):
            await sets.share(own, 7)

    run(check)


def test_sets_versions_and_characters_are_bounded(run, monkeypatch):
    monkeypatch.setattr(own_sets, "MOST_SETS", 2)
    monkeypatch.setattr(player_sets, "MOST_VERSIONS", 3)

    async def check(sets, store, ann, bo):
        id_ = await sets.add(ann, "robin", "Mine", "text", True)
        await sets.add(ann, "heirless", "More", "text", True)
        with pytest.raises(Refused, match="you have 2 sets"):
            await sets.add(ann, "robin", "Many", "text", True)
        await sets.add(bo, "robin", "Mine", "text", True)
        for number in range(5):
            assert await sets.save(await sets.find(ann, id_), f"text {number}")
        assert [each.version for each in await sets.versions(await sets.find(ann, id_))] == [6, 5, 4]
        monkeypatch.setattr(own_sets, "MOST_CHARACTERS", 30)
        with pytest.raises(Refused, match="as long as may be kept"):
            await sets.save(await sets.find(ann, id_), "text once more")

    run(check)


def test_whoever_leaves_leaves_no_sets(run):
    async def check(sets, store, ann, bo):
        own = await sets.find(ann, await sets.add(ann, "robin", "Mine", "one", True))
        token = await sets.share(own, 1)
        await sets.write(own, "two", True)
        await Devices(store).forget(ann)
        assert await sets.of_player(ann, "robin") == [] and await sets.versions(own) == []
        with pytest.raises(Refused):
            await sets.shared(token)

    run(check)
