"""Documents from under older rules: today's rules replay them, and their commitment holds for what it covers."""

from collections.abc import Callable
from typing import Any

import pytest

from quintain.engine.errors import BadRecord
from quintain.engine.play.commitments import commitment
from quintain.engine.play.documents import OtherRules, checksum
from quintain.engine.play.match import Match
from quintain.engine.rules.registry import game
from quintain.engine.toml import toml

SEED = bytes([7]) * 32


@pytest.fixture
def next_version(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that raises the version of the rules of King's Court, which stay as they are."""
    found = game("kings-court")
    return lambda: monkeypatch.setattr(found, "version", found.version + 1)


def played(moves: int = 5) -> Match:
    match = Match.new("kings-court", names=["Ann", "Bo"], seed=SEED)
    for _ in range(moves):
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[0].action)
    return match


def resealed(document: dict[str, object], **changes: object) -> dict[str, object]:
    changed = {**document, **changes}
    return {**changed, "sha256": checksum(changed)}


def test_a_save_from_under_older_rules_goes_on_and_says_so(next_version: Callable[[], None]) -> None:
    before = played()
    save, version = before.save(), before.game.version
    next_version()
    again = Match.load(save)
    words = f"This game began under version {version} of the rules, and goes on by version {version + 1}."
    assert [again.log(viewer)[-1] for viewer in (0, 1, None)] == [words] * 3
    assert (again.version, again.commitment, again.position()) == (version, before.commitment, before.position())
    again.resign(0)
    record = again.record()
    assert (record["version"], record["commitment"]) == (version + 1, before.commitment)
    assert Match.load(record).version == version and words in record["log"]  # type: ignore[operator]


def test_a_record_from_under_older_rules_is_replayed_and_its_log_stays(next_version: Callable[[], None]) -> None:
    match = played()
    match.resign(1)
    record, version = match.record(), match.game.version
    next_version()
    again = Match.load(record)
    assert again.version == version
    assert again.record() == resealed(record, version=version + 1)


def test_a_commitment_covers_the_options_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    """New rules may bring an option: the commitment, which does not name it, holds all the same."""
    found = game("kings-court")
    version = found.version
    options = {**played().options}
    name, _ = options.popitem()
    older = commitment(SEED, found.id, version, options, 2)
    save = resealed(played().save(), options=options, commitment=older)
    with pytest.raises(BadRecord, match="its commitment"):
        Match.load(resealed(save, options=played().options))
    monkeypatch.setattr(found, "version", version + 1)
    again = Match.load(save)
    assert name in again.options and again.committed_options == options
    again.resign(0)
    assert Match.load(again.record()).commitment == older


def test_a_save_with_the_text_of_a_file_in_an_older_form_goes_on_and_is_saved_again() -> None:
    cards = [{"name": name, "attack": [0, 0, 0], "defence": [0, 0, 0]} for name in ("Red", "Blue")]
    save = Match.new("heirless", seats=2, seed=SEED, options={"tables": f"cards = {toml(cards)}\n"}).save()
    options = {**save["options"], "tables": f"cards = {toml(cards)}\n"}  # type: ignore[dict-item]
    older = commitment(SEED, "heirless", game("heirless").version, options, 2)
    again = Match.load(resealed(save, options=options, commitment=older))
    assert Match.load(again.save()).commitment == older
    again.resign(0)
    assert Match.load(again.record()).commitment == older


def forged(document: dict[str, Any]) -> dict[str, Any]:
    return {"commitment": "0" * 64}


def moved(document: dict[str, Any]) -> dict[str, Any]:
    return {"moves": [{"seat": 0, "kind": "move", "text": "fly away"}]}


def unknown(document: dict[str, Any]) -> dict[str, Any]:
    return {"options": {**document["options"], "moons": 3}}


@pytest.mark.parametrize(("change", "why"), [(forged, "its commitment"), (moved, "entry 1"), (unknown, "moons")])
def test_what_newer_rules_cannot_replay_says_what_they_refuse(
    next_version: Callable[[], None], change: Callable[[dict[str, Any]], dict[str, Any]], why: str
) -> None:
    save, version = played().save(), played().game.version
    next_version()
    with pytest.raises(OtherRules, match=why) as raised:
        Match.load(resealed(save, **change(save)))
    assert f"under version {version} of the rules of kings-court, and version {version + 1} cannot" in str(raised.value)
    assert "it cannot go on" in str(raised.value) and raised.value.record is None


def test_a_newer_commitment_is_none_of_an_older_document() -> None:
    """A commitment to later rules than the document's is forged: nobody knew them then."""
    save = played().save()
    later = commitment(SEED, "kings-court", played().game.version + 1, played().options, 2)
    with pytest.raises(BadRecord, match="its commitment is not the one"):
        Match.load(resealed(save, commitment=later))
