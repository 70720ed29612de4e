"""Round Table: every printed text does what it says. RT-33."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import quintain
from games.naive_round_table import MOMENTS, Scene, Thing, happenings, sentences
from games.naive_round_table_game import Effect, says
from games.round_table_positions import (
    ANN,
    BO,
    Side,
    changed,
    count,
    pass_season,
    play,
    position,
    rp,
    slot_of,
    state,
    stats,
    zone,
)
from quintain.engine.play.match import Match
from quintain.engine.rules.views import Piece
from quintain.games.round_table import state as st
from quintain.games.round_table.cards import base_set, card_set
from quintain.games.round_table.words import KINDS, LEADER_WORDS

CARDS = {name: card for name, card in base_set().cards.items() if card.rows_used}


def is_standing(sentence: str) -> bool:
    return not any(re.match(moment, sentence) for moment in MOMENTS.values())


STANDING = sorted(
    (name, sentence) for name, card in CARDS.items() for sentence in sentences(card) if is_standing(sentence)
)
OF_NUMBERS = [
    (name, words) for name, words in STANDING if re.search(r"[+-]\d|cost|capacity|is a \w+ Knight|is a Grail", words)
]
HAPPENING = sorted(
    (name, moment) for name, card in CARDS.items() for moment in MOMENTS if any(happenings(card, moment))
)
BEARER = "Knight Chevalier"
COMPANIONS = ("Gawain", "Galahad", "Elaine", "Uther", "Knight Errant", "Lancelot + Rouncy", "Knight Bachelor + Baron")


def kind_of(name: str) -> int:
    return int(base_set().cards[name].kind)


def scenes(name: str) -> Iterator[Match]:
    """Yield positions with a card in play; Knights, Regions, cards on Knights and captures differ."""
    kind = kind_of(name)
    for number in range(12):
        chooser = random.Random(number)
        place = ("", " @ Camelot", " @ Camelot", " @ Elmet")[number % 4]
        others = [words for words in COMPANIONS if words.split(" +")[0] != name]
        others = [words + chooser.choice(["", " @ Camelot", " @ Elmet"]) for words in others]
        knight = name if kind == st.KNIGHT else ("Agricol" if number % 3 else BEARER)
        on_it = f" + {name}" if kind in (st.EQUIPMENT, st.TITLE) else ""
        mount = " + Courser + Earl" if number % 2 and name not in ("Courser", "Earl") else ""
        mine = [knight + on_it + (mount if base_set().cards[name].slot != st.MOUNT else "") + place]
        split = number % (len(others) + 1)
        theirs = [*others[split:], *(["Kay + Palfrey" + place] if name not in ("Kay", "Palfrey") else [])]
        hand = name if kind == st.QUEST else ""
        ann, bo = Side(hand, mine + others[:split], "Good Sword, Baron"), Side("", theirs)
        match = position(ann, bo, season=st.SUMMER, more=[f"captor[{3 + number % 3}] = {number % 2}"])
        if kind == st.QUEST:
            play(match, f"play {name}", f"on {knight}")
        yield match


@pytest.mark.clause("RT-32", "RT-33")
@pytest.mark.parametrize("name", sorted({name for name, _ in OF_NUMBERS}))
def test_the_rules_add_up_what_the_texts_of_all_cards_say_and_each_text_changes_a_number(name: str) -> None:
    idle = {sentence for of, sentence in OF_NUMBERS if of == name and "Quests cost" not in sentence}
    for match in scenes(name):
        s = state(match)
        check_reckoning(match, Scene(match.book, s))
        before = reckoned(Scene(match.book, s))
        idle -= {sentence for sentence in idle if reckoned(scene_without(match, s, name, sentence)) != before}
    assert not idle, "no scene shows what these change"


def check_reckoning(match: Match, scene: Scene) -> None:
    """Check that the table shows the numbers that the texts come to."""
    pieces = {piece.id: piece for piece in match.view(None).pieces()}
    for knight in scene.knights:
        expected = scene.strength(knight, "influence"), scene.strength(knight, "resistance")
        assert shown(pieces, knight) == expected, (knight.card.name, knight.seat)
    for seat in (ANN, BO):
        own = [thing for thing in scene.things if thing.seat == seat and thing.card.kind != st.QUEST]
        assert rp(match, seat) == (sum(map(scene.rp, own)) + count(match, "spent", seat), scene.capacity(seat))


def shown(pieces: dict[str, Piece], knight: Thing) -> tuple[int, int]:
    """Return the Influence and the Resistance that the view shows."""
    numbers = stats(pieces[f"unit.{knight.seat}.{knight.slot}"])
    return numbers["influence"], numbers["resistance"]


def scene_without(match: Match, s: Any, name: str, sentence: str) -> Scene:
    """Return a scene in which a sentence is missing from the text of a card."""
    scene = Scene(match.book, s)
    for thing in scene.things:
        if thing.card.name == name:
            thing.card = thing.card.copy()
            thing.card.text = ". ".join(other for other in sentences(thing.card) if other != sentence)
    return scene


def reckoned(scene: Scene) -> list[int]:
    strengths = [scene.strength(knight, number) for knight in scene.knights for number in ("influence", "resistance")]
    return [*strengths, *map(scene.rp, scene.things), *map(scene.capacity, (ANN, BO))]


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize("company", range(4))
@pytest.mark.parametrize(("name", "moment"), HAPPENING)
def test_the_text_of_a_card_for_a_moment_happens_at_that_moment(name: str, moment: int, company: int) -> None:
    match, moves, knight = before(name, moment, company)
    scene = Scene(match.book, state(match))
    if moment in (st.ATTACKS, st.CAPTURES):
        scene.s.place[ANN][slot_of(match, ANN, knight)] = 0 if moment == st.ATTACKS else 2
    it = next((one for one in scene.knights if one.seat == ANN and one.card.name == knight), None)
    speaking = Thing(ANN, st.NONE, CARDS[name], scene, it)
    source = next((thing for thing in scene.things if thing.card.name == name), speaking)
    expected = counted(scene, says(scene, source, moment))
    made = len(match.log())
    for move in moves:
        play(match, move)
    new_lines = match.log()[made:]
    seen = Counter({done: sum(line.endswith(f" {words}.") for line in new_lines) for done, words in LINES_OF.items()})
    seen += Counter({f"draw {seat}": count(match, "draws", seat) for seat in (ANN, BO)})
    seen += Counter({f"discard {seat}": count(match, "discards", seat) for seat in (ANN, BO)})
    seen += Counter({"look": sum(land.key is not None for land in zone(match, "to_come", ANN).pieces)})
    if moment == st.QUEST_DONE:
        seen -= Counter({f"draw {ANN}": CARDS[name].rp if kind_of(name) == st.QUEST else 2})
    assert seen == expected


LINES_OF = {"returned": "returns to the hand", "engaged": "is engaged", "reset": "is reset"}


def before(name: str, moment: int, company: int) -> tuple[Match, list[str], str]:
    """Return a position before a moment, the moves that lead to the moment, and the Knight that it is about."""
    kind = kind_of(name)
    knight = name if kind == st.KNIGHT else BEARER
    there = {st.CAPTURES: " @ Elmet"}.get(moment, "")
    if kind == st.REDIRECT:
        there = " @ Camelot"
    mine = [knight + (f" + {name}" if kind in (st.EQUIPMENT, st.TITLE) else "") + there]
    if moment == st.RECRUITED:
        mine = []
    mine += [["Agricol", "Knight Errant @ Tintagel"], [], ["Uther @ Camelot"], ["Knight Errant", "Bors"]][company]
    theirs = [["Kay + Palfrey @ Camelot"], ["Kay @ Tintagel"], ["Kay + Palfrey @ Camelot", "Arthur"], []][company]
    quest = "The Fair Unknown" if moment in (st.QUESTED, st.QUEST_DONE) and kind != st.QUEST else ""
    hand = name if moment in (st.RECRUITED, st.PLAYED) or kind == st.QUEST else quest
    fillers = ", Knight Vassal, Knight Vassal"
    season = {st.RECRUITED: st.SPRING, st.EACH_WINTER: st.WINTER}.get(moment, st.SUMMER)
    match = position(Side(hand + fillers, mine), Side("Farm, Farm", theirs), season=season)
    lines = [f"captor[4] = {company % 2}"]
    if kind == st.REDIRECT and CARDS[name].task == st.RESET:
        slot = slot_of(match, ANN, BEARER)
        lines += [f"place[{ANN}][{slot}] = {st.NONE}", f"engaged[{ANN}][{slot}] = 1"]
    match = changed(match, *lines)
    to_task = ["attack Elmet"] if kind == st.REDIRECT and CARDS[name].task == st.TASK else []
    ends = ["pass"] * 3
    moves = {
        st.RECRUITED: [f"play {name}"],
        st.ATTACKS: [f"send {knight}", "attack Camelot"],
        st.CAPTURES: ["pass"] * 2,
        st.QUESTED: [f"play {quest or name}", f"on {knight}"],
        st.QUEST_DONE: [f"play {quest or name}", f"on {knight}", *ends],
        st.EACH_WINTER: ["draw from the Main deck"],
        st.PLAYED: [f"play {name}", f"on {knight}", *to_task],
    }[moment]
    return match, moves, knight


def counted(scene: Scene, effects: list[Effect]) -> Counter[str]:
    """Count the expected events and debts; a reset makes an event only for an engaged Knight."""
    count: Counter[str] = Counter()
    for done, seat, number in effects:
        if done in ("draw", "discard"):
            count[f"{done} {seat}"] += number
        elif done == "look":
            count[done] = number
        else:
            count[done] += int(done != "reset" or scene.at(seat, number).is_engaged)
    return +count


@pytest.mark.clause("RT-33")
def test_every_row_of_the_base_set_is_a_sentence_that_the_small_reader_knows() -> None:
    read = sum(len(sentences(card)) for card in CARDS.values())
    assert read == sum(card.rows_used for card in CARDS.values())
    moments = sum(len(list(happenings(card, moment))) for card in CARDS.values() for moment in MOMENTS)
    assert moments == read - len(STANDING) and pass_season


@pytest.mark.clause("RT-33", "RT-35")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Jack of Leaves", "Fey: better than Padded Jack. This card may be played in Summer, too."),
        ("Harness of Starlight", "Fey: better than Plate Harness."),
        ("Good Sword", ""),
        ("Uther", f"{LEADER_WORDS} The limit of each opponent's hand is 1 less."),
        ("Gaheris", "It has +2 Influence while your Gawain attacks its Region, too."),
        ("Bedivere", "When it is recruited for the first time, you draw 1 card."),
        ("Galahad", "When its Quest is done, you draw 2 cards."),
        ("Courser of the Mere", "Fey: better than Courser. When its bearer's Quest is done, you draw 1 card."),
        ("Warden", "Its bearer has +2 Resistance while opponents attack that Knight's Region."),
        ("Lucan", "It stays in its Region until that Region is captured."),
        ("The White Hart", "Whenever a Knight goes on this Quest, you look at the next Region."),
        ("Signal Fires", "Gives a Knight with a task a new one. When played, you look at the next 2 Regions."),
        ("The Lady of the Lake", "Your Equipment costs 1 RP less."),
        ("Palamedes", "Your Quests cost 1 RP less."),
        ("Caradoc", "Opponents cannot engage it, reset it or return it to the hand."),
        ("Bors", "Opponents cannot play Redirects on it."),
    ],
)  # fmt: skip
def test_texts_are_printed_in_plain_english(name: str, text: str) -> None:
    assert base_set().cards[name].text == text


@pytest.mark.clause("RT-33")
def test_texts_of_own_cards_are_printed_in_plain_english() -> None:
    rows = [
        '{ when = "always", whom = "bearer", what = "slot", detail = "Armor", amount = 2 }',
        '{ when = "always", whom = "own", what = "immune", detail = "rows" }',
        '{ when = "always", whom = "own", what = "permit", detail = "stay" }',
    ]
    title = f'[[title]]\nname = "Lord"\nrp = 1\ninfluence = 0\nresistance = 0\nrows = [{", ".join(rows)}]\n'
    quest = (
        '[[quest]]\nname = "Duel"\nrp = 1\nrows = [\n'
        '{ when = "played", whom = "bearer", if = "beside Kay", what = "discard", amount = 1 },\n'
        '{ when = "always", whom = "bearer", if = "alone", what = "influence", amount = 1 }]\n'
    )
    cards = card_set(title + quest).cards
    assert cards["Lord"].text == (
        "Its bearer may have 2 more pieces of Armor. Opponents cannot engage your Knights, reset them or "
        "return them to the hand. Your Knights stay in their Region until that Region is captured."
    )
    assert cards["Duel"].text == (
        "When played, if its player's Kay attacks that Knight's Region, too, the player of that Knight discards 1 card."
        " Each Knight on it has +1 Influence while that Knight is its player's only Knight in the Region."
    )


@pytest.mark.clause("RT-33")
def test_a_card_asks_for_its_draw_before_its_discard_as_it_says() -> None:
    assert (
        base_set().cards["Forced March"].text.endswith("When played, you draw 1 card. When played, you discard 1 card.")
    )
    match = position(Side("Forced March, Farm", ["Kay @ Elmet"]), Side(), season=st.SUMMER)
    play(match, "play Forced March", "on Kay", "attack Camelot", "draw from the Main deck", "discard Farm")
    assert match.to_act == {ANN}


@pytest.mark.clause("RT-12")
def test_the_log_says_onto_whom_a_card_is_moved() -> None:
    match = position(Side("", ["Kay + Baron", "Bors"]), Side())
    play(match, "move Baron", "on Bors")
    assert match.log(ANN)[-1] == "You move Baron onto Bors."


@pytest.mark.clause("RT-35")
def test_the_rulebook_counts_the_cards_of_the_base_set() -> None:
    cards, counts = base_set().cards, Counter(KINDS[card.kind] for card in base_set().cards.values())
    words = (
        f"{counts['Knight']} Knights, {counts['Equipment']} pieces of Equipment, {counts['Title']} Titles, "
        f"{counts['Quest']} Quests, {counts['Redirect']} Redirects and {len(base_set().regions)} Regions"
    )
    rulebook = quintain.game("round-table").text.rulebook()
    assert words in " ".join(rulebook.split()) and len(cards) == sum(counts.values())
