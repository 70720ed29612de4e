"""Forged saves and records are refused, although the checksum of each is right."""

import hashlib
import json
from typing import Any

import pytest

from quintain.engine.errors import BadRecord
from quintain.engine.play.commitments import commitment
from quintain.engine.play.documents import checksum
from quintain.engine.play.match import Match
from quintain.engine.rules.registry import game

Document = dict[str, Any]
SEED = "ab" * 32


def finished() -> Match:
    """Return a match with options, a move that was taken back, and a seat that resigned."""
    match = Match.new("kings-court", names=["Ann", "Bo"], options={"garnets": "0,0"}, seed=SEED)
    match.play(0, "put +5 on Artois")
    match.undo(0)
    match.play(1, "put -2 on Artois")
    match.resign(1)
    return match


def sealed(document: Document) -> Document:
    """Return a document with the right checksum, which anybody can compute."""
    rest = {key: value for key, value in document.items() if key != "sha256"}
    return {**rest, "sha256": checksum(rest)}


def doubled(document: Document, key: str, value: str) -> str:
    """Return the text of a document with a key added a second time, before the true one."""
    text = json.dumps(document)
    assert f'"{key}": ' in text
    return text.replace(f'"{key}": ', f'"{key}": {value}, "{key}": ', 1)


FALSE_RESULT = '{"scores": [99, 0], "ranks": [1, 2], "reason": "played to the end"}'
DOUBLED = [(key, "null") for key in finished().record()]
DOUBLED += [
    ("result", FALSE_RESULT),
    ("reason", '"Bo cheated"'),
    ("seat", "1"),
    ("text", '"pass"'),
    ("garnets", "[9,0]"),
]


@pytest.mark.parametrize(("key", "value"), DOUBLED, ids=lambda part: part[:12])
def test_a_key_that_appears_twice_is_refused_at_every_depth(key: str, value: str):
    with pytest.raises(BadRecord, match=f"^this document is not valid: the key '{key}' appears twice in one object"):
        Match.load(doubled(finished().record(), key, value))


def test_a_key_is_the_same_however_it_is_spelled():
    text = json.dumps(finished().record()).replace('"result": ', f'"res\\u0075lt": {FALSE_RESULT}, "result": ')
    with pytest.raises(BadRecord, match="the key 'result' appears twice"):
        Match.load(text.encode())


@pytest.mark.parametrize("key", ["names", "seat", "seed", "garnets"])
def test_a_save_with_a_key_that_appears_twice_is_refused(key: str):
    with pytest.raises(BadRecord, match=f"the key '{key}' appears twice"):
        Match.load(doubled(finished().save(), key, "null"))


def test_a_very_long_key_that_appears_twice_is_quoted_in_short():
    with pytest.raises(BadRecord) as error:
        Match.load(f'{{"{"k" * 10_000}": 1, "{"k" * 10_000}": 1}}')
    assert "appears twice" in str(error.value) and len(str(error.value)) < 300


@pytest.mark.parametrize("kind", ["save", "record"])
def test_an_unknown_key_is_refused_at_every_depth(kind: str):
    document: Document = getattr(finished(), kind)()
    more: list[Document] = [
        {**document, "signature": "good"},
        {**document, "moves": [{**document["moves"][0], "by": "Ann"}, *document["moves"][1:]]},
        {**document, "options": {**document["options"], "rubies": 3}},
    ]
    if kind == "record":
        more.append({**document, "result": {**document["result"], "winner": "Bo"}})
    for forged, key in zip(more, ("signature", "by", "rubies", "winner"), strict=False):
        with pytest.raises(BadRecord, match=key):
            Match.load(json.dumps(sealed(forged)))


def with_first_move(document: Document, **changes: Any) -> Document:
    return {**document, "moves": [{**document["moves"][0], **changes}, *document["moves"][1:]]}


def with_result(document: Document, **changes: Any) -> Document:
    return {**document, "result": {**document["result"], **changes}}


RECORD = finished().record()
OLDER = {**RECORD, "commitment": hashlib.sha256(bytes.fromhex(SEED)).hexdigest()}
"""A record as older versions wrote it: it commits to the seed alone."""
FORGED = {
    "seats as a truth": ({**RECORD, "seats": True}, "Expected `int`, got `bool`"),
    "seats as a fraction": ({**RECORD, "seats": 2.0}, "Expected `int`, got `float`"),
    "a version as a fraction": ({**RECORD, "version": 1.0}, "Expected `int`, got `float`"),
    "a mover as a truth": (with_first_move(RECORD, seat=False), "Expected `int`, got `bool`"),
    "a mover as a fraction": (with_first_move(RECORD, seat=0.0), "Expected `int`, got `float`"),
    "drawn as a number": (with_first_move(RECORD, auto=0), "Expected `bool`, got `int`"),
    "ranks as truths": (with_result(RECORD, ranks=[True, 2]), "Expected `int`, got `bool`"),
    "ranks as fractions": (with_result(RECORD, ranks=[1.0, 2]), "Expected `int`, got `float`"),
    "scores where there are none": (with_result(RECORD, scores=[1, 0]), "its result is not the one"),
    "no scores at all": (with_result(RECORD, scores=[]), "its result is not the one"),
    "the loser first": (with_result(RECORD, ranks=[2, 1]), "its result is not the one"),
    "another commitment": ({**RECORD, "commitment": "0" * 64}, "its commitment is not the one"),
    "a commitment in capitals": ({**RECORD, "commitment": RECORD["commitment"].upper()}, "its commitment is not"),
    "another seed": ({**RECORD, "seed": "cd" * 32}, "its commitment is not the one"),
    "a seed in capitals": ({**RECORD, "seed": SEED.upper()}, "the part seed is not written as a match writes it"),
    "an option as text": ({**OLDER, "options": {"garnets": "0,0"}}, "the part options is not written as a match"),
    "other options": ({**RECORD, "options": {"garnets": [1, 0]}}, "its commitment is not the one"),
    "an option as truths": ({**RECORD, "options": {"garnets": [False, 0]}}, "the option garnets cannot be False"),
    "an undo with words": (
        {**RECORD, "moves": [RECORD["moves"][0], {**RECORD["moves"][1], "text": "undo"}, *RECORD["moves"][2:]]},
        "entry 2 of the moves is not valid: only an entry of the kind move may have a text",
    ),
    "a resignation that never was": ({**RECORD, "moves": RECORD["moves"][:-1]}, "the match is not over after its"),
}  # fmt: skip


@pytest.mark.parametrize(("forged", "message"), FORGED.values(), ids=FORGED)
def test_a_forged_record_is_refused_though_its_checksum_is_right(forged: Document, message: str):
    assert Match.load(json.dumps(sealed(RECORD))).record() == RECORD
    with pytest.raises(BadRecord, match=message):
        Match.load(json.dumps(sealed(forged)))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_does_not_have_are_refused(number: str):
    text = json.dumps(RECORD).replace('"seats": 2', f'"seats": {number}')
    with pytest.raises(BadRecord, match=f"^this document is not valid: {number} is not a number in JSON"):
        Match.load(text)


@pytest.mark.parametrize("digits", [19, 5000])
def test_a_number_of_very_many_digits_is_refused_without_repeating_it(digits: int):
    text = json.dumps(RECORD).replace('"seats": 2', f'"seats": -{"1" * digits}')
    with pytest.raises(BadRecord, match=f"^this document is not valid: it has a number of {digits} digits") as error:
        Match.load(text)
    assert len(str(error.value)) < 200


def test_a_number_too_large_for_a_fraction_is_refused():
    huge = {**RECORD, "seats": float("inf")}
    with pytest.raises(BadRecord, match="Expected `int`, got `float`"):
        Match.load(json.dumps(sealed(huge)).replace("Infinity", "1e999"))


def test_names_are_written_as_a_match_writes_them():
    match = Match.new("kings-court", names=["\N{LATIN CAPITAL LETTER U WITH DIAERESIS}nal", "Bo"], seed=SEED)
    match.resign(1)
    with pytest.raises(BadRecord, match="the part names is not written as a match writes it"):
        Match.load(sealed({**match.record(), "names": ["U\N{COMBINING DIAERESIS}nal", "Bo"]}))


def test_the_text_of_a_file_may_stand_in_a_document_in_another_form():
    match = Match.new("round-table", options={"decks": ["hedge-host"]}, seed=SEED)
    save = match.save()
    del save["commitment"]  # saves of older versions have none
    again = Match.load(sealed({**save, "options": {**save["options"], "decks": ["hedge-host "]}})).save()
    assert again["options"] == save["options"]
    with pytest.raises(BadRecord, match="the part options is not written"):
        Match.load(sealed({**save, "options": {**save["options"], "regions": "5"}}))


def test_who_played_and_when_cannot_be_found_out_from_a_record_alone():
    invented = Match.new("kings-court", names=["Eve", "Bo"], bots=["champion", None], seed=SEED)
    invented.resign(1)
    assert Match.load(json.dumps(invented.record())).record() == invented.record()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "utf-8-sig", "latin-1"])
def test_a_document_in_another_encoding_is_refused(encoding: str):
    match = Match.new("kings-court", names=["\u00c4nn", "Bo"], seed="ab" * 32)
    text = json.dumps(match.save(), ensure_ascii=False)
    assert Match.load(text.encode()).names == ("\u00c4nn", "Bo")
    with pytest.raises(BadRecord, match="this is not JSON"):
        Match.load(text.encode(encoding))


def test_zero_is_written_without_a_sign():
    text = json.dumps(Match.new("kings-court", names=["Ann", "Bo"], seed="ab" * 32, options={"garnets": "0,0"}).save())
    assert '"garnets": [0, 0]' in text
    with pytest.raises(BadRecord, match="it has the number -0, and 0 is written without a sign"):
        Match.load(text.replace('"garnets": [0, 0]', '"garnets": [-0, 0]'))


@pytest.mark.parametrize("part", ["log", "reason", "bots", "names"])
def test_half_a_character_is_refused_wherever_it_stands(part: str):
    """Written as an escape, it is JSON; but no text in UTF-8 can hold it."""
    half = json.loads('"\\ud800"')
    record = finished().record()
    changed = {
        "log": {"log": [half]},
        "reason": {"result": {**record["result"], "reason": half}},  # type: ignore[dict-item]
        "bots": {"bots": [half, None]},
        "names": {"names": ["Ann", half]},
    }[part]
    with pytest.raises(BadRecord, match="UTF-8"):
        Match.load(json.dumps(sealed({**record, **changed})))


def test_what_seats_choose_after_the_commitment_is_kept_beside_the_options():
    found = game("round-table")
    usual = found.read_options(2, {})
    chosen = {"decks": ["hedge-host", "great-houses"]}
    match = Match.new(found, 2, options={**usual, **chosen}, seed="17" * 32)
    committed = commitment(bytes.fromhex("17" * 32), found.id, found.version, usual, 2)
    assert committed != match.commitment
    match.keep_commitment(committed, found.version, usual, chosen)
    save = match.save()
    assert save["options"] == usual and save["chosen"] == chosen
    again = Match.load(save)
    assert again.position() == match.position() and again.options["decks"] == chosen["decks"]
    assert again.save() == save
    for wrong, words in (({"cards": ""}, "seats cannot choose the option cards"), ({"decks": []}, "1 to 2 decks")):
        forged = {**save, "chosen": wrong}
        with pytest.raises(BadRecord, match=words):
            Match.load(forged | {"sha256": checksum(forged)})
    committed_later = {**save, "options": {**usual, **chosen}, "chosen": {}}
    with pytest.raises(BadRecord, match="its commitment is not the one"):
        Match.load(committed_later | {"sha256": checksum(committed_later)})
