"""Round Table: every printed text does what it says. RT-33."""

import random
import re
from collections import Counter
from functools import cache

import pytest

from games.naive_round_table import IT, MOMENTS, Scene, Thing, happenings, sentences
from games.round_table_positions import ANN, BO, Side, pass_season, play, position, rp, slot_of
from quintain.engine.match import Match
from quintain.games.round_table import state as st
from quintain.games.round_table.cards import base_set

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


@cache
def scenes(name: str) -> list[Match]:
    """Return positions with a card in play that differ in who is where, with what, and who is ahead."""
    found, kind = [], kind_of(name)
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
        match = position(Side(hand, mine + others[:split], "Good Sword, Baron"), Side("", theirs), season=st.SUMMER)
        match._state.captor[3 + number % 3] = number % 2
        if kind == st.QUEST:
            play(match, f"play {name}", f"on {knight}")
        found.append(match)
    return found


@pytest.mark.clause("RT-32", "RT-33")
@pytest.mark.parametrize("name", sorted({name for name, _ in OF_NUMBERS}))
def test_the_rules_reckon_what_the_texts_of_all_cards_in_play_say(name: str) -> None:
    for match in scenes(name):
        scene = Scene(match)
        for knight in scene.knights:
            expected = scene.strength(knight, "influence"), scene.strength(knight, "resistance")
            assert shown(match, knight) == expected, (knight.card.name, knight.seat)
        for seat in (ANN, BO):
            own = [thing for thing in scene.things if thing.seat == seat and thing.card.kind != st.QUEST]
            assert rp(match, seat) == (sum(map(scene.rp, own)) + match._state.spent_rp[seat], scene.capacity(seat))


def shown(match: Match, knight: Thing) -> tuple[int, int]:
    """Return the Influence and the Resistance that the table shows."""
    pieces = next(zone.pieces for zone in match.view(None).zones if zone.id == f"knights.{knight.seat}")
    words = next(piece.words for piece in pieces if piece.id == f"unit.{knight.seat}.{knight.slot}")
    influence, resistance = re.search(r": Influence (-?\d+), Resistance (-?\d+)", words).groups()
    return int(influence), int(resistance)


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize(("name", "sentence"), [of for of in OF_NUMBERS if "Quests cost" not in of[1]])
def test_every_text_about_numbers_changes_one_in_some_scene(name: str, sentence: str) -> None:
    changed = 0
    for scene in map(Scene, scenes(name)):
        before = reckoned(scene)
        for thing in scene.things:
            if thing.card.name == name:
                thing.card = thing.card.copy()
                thing.card.text = ". ".join(other for other in sentences(thing.card) if other != sentence)
        changed += reckoned(scene) != before
    assert changed > 0


def reckoned(scene: Scene) -> list[int]:
    strengths = [scene.strength(knight, number) for knight in scene.knights for number in ("influence", "resistance")]
    return [*strengths, *map(scene.rp, scene.things), *map(scene.capacity, (ANN, BO))]


@pytest.mark.clause("RT-33")
@pytest.mark.parametrize("company", range(4))
@pytest.mark.parametrize(("name", "moment"), HAPPENING)
def test_what_a_text_says_of_a_moment_happens_then(name: str, moment: int, company: int) -> None:
    match, moves, knight = before(name, moment, company)
    scene = Scene(match)
    if moment in (st.ATTACKS, st.CAPTURES):
        scene.s = scene.s.copy()
        scene.s.place[ANN][slot_of(match, ANN, knight)] = 0 if moment == st.ATTACKS else 2
    it = next((one for one in scene.knights if one.seat == ANN and one.card.name == knight), None)
    source = next((thing for thing in scene.things if thing.card.name == name), it)
    expected: Counter[str] = Counter()
    for condition, clause in happenings(CARDS[name], moment):
        if not condition or holds(scene, condition, source, name):
            expected += meant(scene, clause, source, it, knight)
    made = match._state.events_made
    for move in moves:
        play(match, move)
    told = [match._state.events[i % 192] for i in range(made, match._state.events_made)]
    seen = Counter({word: sum(event.kind == kind for event in told) for word, kind in EVENTS.items()})
    seen += Counter({f"draw {seat}": match._state.owed_draws[seat] for seat in (ANN, BO)})
    seen += Counter({f"discard {seat}": match._state.owed_discards[seat] for seat in (ANN, BO)})
    seen += Counter({"look": match._state.foreseen[ANN]})
    if moment == st.QUEST_DONE:
        seen -= Counter({f"draw {ANN}": CARDS[name].rp if kind_of(name) == st.QUEST else 2})
    assert seen == expected


EVENTS = {"returned": st.RETURNED, "engaged": st.WAS_ENGAGED, "reset": st.WAS_RESET}


def before(name: str, moment: int, company: int) -> tuple[Match, list[str], str]:
    """Return a position before a moment, the moves that lead to it, and the Knight that it concerns."""
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
    match._state.captor[4] = company % 2
    if kind == st.REDIRECT and CARDS[name].task == st.RESET:
        slot = slot_of(match, ANN, BEARER)
        match._state.place[ANN][slot], match._state.engaged[ANN][slot] = st.NONE, 1
    match._ask(None)
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


def holds(scene: Scene, condition: str, source: Thing | None, name: str) -> bool:
    if source is not None:
        return scene.holds(condition, source)
    return scene.holds(condition, Thing(ANN, st.LINES - 1, CARDS[name], scene))


def meant(scene: Scene, clause: str, source: Thing | None, it: Thing | None, knight: str) -> Counter[str]:
    """Return what a clause of Ann's card makes happen, counted."""
    if found := re.fullmatch(r"you look at the next (\d) Regions?", clause):
        return Counter({"look": int(found[1])})
    if found := re.fullmatch(rf"(you|each opponent|the player of {IT}) (draw|discard)s? (\d) cards?", clause):
        return Counter({f"{found[2]} {BO if found[1] == 'each opponent' else ANN}": int(found[3])})
    found = re.fullmatch(r"(.+?) (?:(?:is|are) (reset|engaged)|returns? to (?:its|their) owner's hand)", clause)
    done = found[2] or "returned"
    anchor = source or it
    among = [one for one in scene.knights if scene.is_meant(found[1], anchor, one)]
    if done == "reset":
        among = [one for one in among if st.is_engaged(scene.s, one.seat, one.slot)]
    return Counter({done: len(among)}) if among else Counter()


@pytest.mark.clause("RT-33")
def test_every_row_of_the_base_set_is_a_sentence_that_the_small_reader_knows() -> None:
    read = sum(len(sentences(card)) for card in CARDS.values())
    assert read == sum(card.rows_used for card in CARDS.values())
    moments = sum(len(list(happenings(card, moment))) for card in CARDS.values() for moment in MOMENTS)
    assert moments == read - len(STANDING) and pass_season
