"""Robin in the Hood: the rules, clause by clause.

`test_robin_cards.py` tests what cards do, and `test_robin_advancing.py` tests which cards advance.
"""

import json
from pathlib import Path

import pytest

from games.robin_positions import (
    ANN,
    BO,
    Side,
    begin,
    changed,
    count,
    dead,
    fighting,
    finals,
    hand,
    menu,
    names,
    pieces,
    play,
    position,
    question,
    ruling,
    stood,
    truth,
    victories,
)
from games.test_robin_advancing import DULL_SET
from quintain.engine.errors import BadOption
from quintain.engine.play.match import Match
from quintain.engine.rules.fields import UNKNOWN
from quintain.engine.rules.views import Question
from quintain.engine.seen.result import result
from quintain.games.robin import cards
from quintain.games.robin.state import DREW, PICKING, READY
from quintain.games.robin.words import card_name, colour

WALL = "-, Little John, Friar Tuck, Much the Miller's Son"
OUTLAWS = (
    "Robin Hood,Little John,Will Scarlet,Friar Tuck,Much the Miller's Son,Alan-a-Dale,Will Stutely,"
    "David of Doncaster,Gilbert Whitehand,Arthur a Bland"
)
MORE = ",Maid Marian,Earl of Huntingdon,Lady Clare,Baron Fitzwalter"
MODIFIERS = ",Tax Day,King's Peace,Summer in Sherwood,Hard Winter"


def dull(ann: Side, bo: Side, won: tuple[int, int] = (0, 0), drawn: int = 0, **options) -> Match:
    return position(ann, bo, None, won, drawn, cards=DULL_SET, modifiers="off", **options)


@pytest.mark.clause("RH-1")
def test_a_card_shows_its_name_caste_politics_levels_with_colours_and_skill():
    match = position(Side(hand="Little John"), Side())
    (card,) = [piece for piece in pieces(match.view(ANN), "hand.0") if piece.name == "Little John"]
    levels = [("Agility", 3, "Red"), ("Weapons", 3, "Red"), ("Strength", 5, "Gold"), ("Endurance", 4, "Orange")]
    assert card.kind == "Outlaw, Activist"
    assert card.text == "It has +2 in Strength while another of your characters in play is an Outlaw."
    assert [(stat.key, stat.words, stat.number) for stat in card.stats] == [
        (stage.lower(), stage, level) for stage, level, _ in levels
    ]
    assert [(stat.words, stat.number, colour(stat.number)) for stat in card.stats] == levels


@pytest.mark.clause("RH-3")
def test_a_lasting_modifier_stays_until_your_own_next_one_replaces_it():
    match = position(Side(hand="Hard Winter, Silver Arrow, Royal Pardon"), Side(hand="Potter, Tinker, Miller"))
    play(match, "Hard Winter", "Potter")
    assert ruling(match, BO) == ["Hard Winter"] and dead(match, ANN) == []
    play(match, "Silver Arrow", "Tinker")
    assert ruling(match, BO) == ["Silver Arrow"] and dead(match, ANN) == ["Hard Winter"]
    assert "It replaces Hard Winter." in match.log()
    play(match, "Royal Pardon", "Miller")
    assert ruling(match, BO) == ["Silver Arrow"]
    assert dead(match, ANN) == ["Hard Winter", "Royal Pardon"]


@pytest.mark.clause("RH-3", "RH-20")
def test_a_removal_works_on_a_modifier_of_this_hand_whoever_played_first():
    for leader in (None, ANN, BO):
        match = position(Side(hand="Hard Winter"), Side(hand="Royal Pardon"), leader=leader)
        play(match, "Hard Winter", "Royal Pardon")
        assert ruling(match, ANN) == [] and dead(match, ANN) == ["Hard Winter"]
        assert dead(match, BO) == ["Royal Pardon"]
        assert "It removes your Hard Winter." in match.log(ANN) and "It removes Ann's Hard Winter." in match.log(BO)


@pytest.mark.clause("RH-3", "RH-20")
def test_a_modifier_that_cannot_be_removed_is_still_replaced_by_your_own():
    match = position(Side("-, -, -, -", "Summer in Sherwood", "Royal Charter"), Side(hand="Royal Pardon, Potter"))
    play(match, "Little John", "Royal Pardon")
    assert ruling(match, ANN) == ["Royal Charter"]
    play(match, "Summer in Sherwood", "Potter")
    assert ruling(match, ANN) == ["Summer in Sherwood"] and "Royal Charter" in dead(match, ANN)


@pytest.mark.clause("RH-3", "RH-20")
def test_the_replaced_modifier_is_gone_before_removals_and_nothing_is_removed_twice():
    match = position(
        Side(hand="Silver Arrow", lasting="Hard Winter"), Side(hand="Royal Pardon", lasting="King's Peace")
    )
    play(match, "Silver Arrow", "Royal Pardon")
    assert ruling(match, ANN) == ["King's Peace"]
    assert sorted(dead(match, ANN)) == ["Hard Winter", "Silver Arrow"]
    assert "It removes Ann's Silver Arrow." in match.log()


@pytest.mark.clause("RH-3", "RH-20")
def test_two_removals_in_one_hand_both_work():
    match = position(Side(hand="Royal Pardon", lasting="Hard Winter"), Side(hand="Muddy Lists", lasting="Silver Arrow"))
    play(match, "Royal Pardon", "Muddy Lists")
    assert ruling(match, ANN) == [] and "Hard Winter" in dead(match, ANN) and "Silver Arrow" in dead(match, BO)


@pytest.mark.clause("RH-3", "RH-20")
def test_a_modifier_of_one_hand_works_in_that_hand_alone():
    match = position(Side("-, Little John, -, -", "Ambush, Miller"), Side("-, Potter, -, -", "Tinker, Butcher"))
    play(match, "Ambush", "Tinker")
    assert finals(match)[BO, 0] == 4 - 2 and finals(match)[BO, 1] == 2 - 2
    assert ruling(match, ANN) == [] and dead(match, ANN) == ["Ambush"]
    play(match, "Miller", "Butcher")
    assert (BO, 1) in finals(match) and "Ambush" not in " ".join(line.words for line in match.account())


@pytest.mark.clause("RH-4")
@pytest.mark.parametrize(("active", "modifiers"), [(10, "on"), (12, "on"), (20, "off"), (20, "on")])
def test_an_active_set_has_its_characters_once_and_three_modifiers_on_top(active: int, modifiers: str):
    match = fighting(active=active, modifiers=modifiers)
    s, book = truth(match), match.book
    for seat in (ANN, BO):
        cards = s.hand[seat][: s.hand_size[seat]] + s.pile[seat][: s.pile_size[seat]]
        assert len(set(cards)) == len(cards) == active + (3 if modifiers == "on" else 0)
        assert sum(card < book.characters for card in cards) == active
    for wrong in (9, 21):
        with pytest.raises(BadOption, match="from 10 to 20"):
            begin(active=wrong)


@pytest.mark.clause("RH-4")
def test_both_may_have_the_same_character():
    match = position(Side(hand="Little John"), Side(hand="Little John"))
    play(match, "Little John", "Little John")
    assert stood(match, ANN) == stood(match, BO) == "-, Little John, -, -"


@pytest.mark.clause("RH-6", "RH-15")
@pytest.mark.parametrize("needed", [1, 3, 9])
def test_the_first_to_win_the_agreed_rounds_wins_the_tournament(needed: int):
    ready = Side("-, High B, High C, High D", "High A")
    match = dull(ready, Side(hand="Low A"), won=(needed - 1, 0), victories=needed)
    assert match.outcome is None and match.view().count("rounds", ANN) == needed - 1
    play(match, "High A", "Low A")
    assert match.outcome.scores == (needed, 0) and match.outcome.ranks == (1, 2)
    (score, _) = match.view().scores
    assert (score.number, score.unit) == (needed, f"of {needed} round{'s' if needed > 1 else ''}")
    assert "Ann wins the tournament. Huzzah!" in match.log()


@pytest.mark.clause("RH-6")
def test_a_round_that_is_not_the_last_is_followed_by_another():
    match = dull(Side("-, High B, High C, High D", "High A"), Side(hand="Low A"), won=(1, 2))
    play(match, "High A", "Low A")
    assert match.outcome is None and victories(match, ANN) == 2 and match.view().phase.round == 2
    assert begin().view().scores[ANN].unit == "of 3 rounds"
    for wrong in (0, 10):
        with pytest.raises(BadOption, match="from 1 to 9"):
            begin(victories=wrong)


@pytest.mark.clause("RH-7")
def test_the_ante_is_staked_in_secret_stays_playable_and_goes_to_the_winner():
    match = begin(ante="on", victories=1, cards=DULL_SET, modifiers="off")
    assert match.to_act == {ANN, BO} and "stake High A" in menu(match, ANN)
    match.play(ANN, "stake High A")
    assert match.log(BO)[-1] == "Ann stakes a card in secret." and match.log(ANN)[-1] == "You stake High A."
    assert match.blinded(BO).staked[ANN] == UNKNOWN
    assert match.to_act == {BO}
    match.play(BO, "stake Low A")
    while match.outcome is None:
        seat = min(match.to_act)
        best = max(menu(match, seat), key=lambda text: "High" in text if seat == ANN else "Low" in text)
        match.play(seat, "deal a new set" if "deal a new set" in menu(match, seat) else best)
    assert match.outcome.ranks == (1, 2)
    assert [line.words for line in match.account()][-3:] == ["Ann staked High A", "Bo staked Low A", "Ann gains Low A"]
    assert match.log()[-3:] == ["Ann's stake was High A.", "Bo's stake was Low A.", "Ann gains Low A."]
    assert prizes_in_record(match) == ["Ann gains Low A, which Bo staked.", "Ann keeps High A."]


def prizes_in_record(match: Match) -> list[str]:
    """Return what the result of a record says about the stakes; assert that it is saved and shown."""
    record = match.record()
    assert Match.load(json.dumps(record)).record() == record
    prizes: list[str] = record["result"].get("prizes", [])
    assert result(match.names, match.outcome).endswith(" ".join(prizes))
    return prizes


@pytest.mark.clause("RH-7")
@pytest.mark.parametrize(
    ("staked", "quitter", "told"),
    [
        ({ANN: "Miller", BO: "Potter"}, BO, ["Ann gains Potter, which Bo staked.", "Ann keeps Miller."]),
        ({ANN: "Miller", BO: "Potter"}, ANN, ["Bo gains Miller, which Ann staked.", "Bo keeps Potter."]),
        ({BO: "Potter"}, BO, ["Ann gains Potter, which Bo staked.", "Ann had not staked a card yet."]),
        ({BO: "Potter"}, ANN, ["Ann had not staked a card yet.", "Bo keeps Potter."]),
        ({}, ANN, ["Ann had not staked a card yet.", "Bo had not staked a card yet."]),
    ],
)
def test_a_player_who_resigns_loses_the_stake_and_the_result_names_both(
    staked: dict[int, str], quitter: int, told: list[str]
):
    match = begin(ante="on")
    for seat, card in staked.items():
        match.play(seat, f"stake {card}")
    match.resign(quitter)
    assert prizes_in_record(match) == told


@pytest.mark.clause("RH-7")
def test_without_an_ante_the_result_names_no_card():
    match = fighting()
    match.resign(ANN)
    assert prizes_in_record(match) == []


@pytest.mark.clause("RH-7")
def test_a_stake_is_any_card_of_the_own_collection_and_no_other():
    match = begin(ante="on", active=10, collection_0=OUTLAWS + MORE + MODIFIERS)
    owned = {f"stake {name}" for name in (OUTLAWS + MORE + MODIFIERS).split(",")}
    assert set(menu(match, ANN)) == owned and len(menu(match, BO)) == 64
    match.play(ANN, "stake Hard Winter")
    guessed = set()
    for seed in range(40):
        world = match.blinded(BO)
        match.game.rules.redeal(match.book, world, seed)
        guessed.add(f"stake {card_name(match.book, world.staked[ANN])}")
    assert len(guessed) > 5 and guessed <= owned


@pytest.mark.clause("RH-7", "RH-18")
def test_in_a_drawn_tournament_both_keep_their_stakes():
    match = dull(Side(hand="High A", pile=0), Side(hand="Low A"), drawn=8, ante="on")
    play(match, "High A", "Low A")
    assert match.outcome.ranks == (1, 1)
    assert match.account()[-1].words == "The tournament is drawn: both keep their own stakes"
    assert match.outcome.prizes == ("Ann keeps High A.", "Bo keeps High A.")


@pytest.mark.clause("RH-8")
def test_before_each_round_both_keep_deal_or_choose_a_set_at_the_same_time():
    match = begin()
    assert match.to_act == {ANN, BO} and menu(match, ANN) == ["deal a new set", "choose a new set"]
    assert match.why_not(ANN, "keep this set").clause == "RH-8"
    match.play(ANN, "choose a new set")
    assert len(menu(match, ANN)) == 48 + 1 and menu(match, ANN)[0] == "take Robin Hood"
    for _ in range(12):
        match.play(ANN, menu(match, ANN)[0])
    assert menu(match, ANN)[0] == "take Tax Day" and len(menu(match, ANN)) == 16 + 1
    for name in ("Night Watch", "Silver Arrow", "Market Brawl"):
        match.play(ANN, f"take {name}")
    assert match.to_act == {BO} and "Ann has a new active set." in match.log(BO)
    match.play(BO, "deal a new set")
    mine = set(hand(match, ANN))
    chosen = {card.name for card in match.book.character[:12]} | {"Market Brawl", "Silver Arrow", "Night Watch"}
    assert mine <= chosen and len(mine) == 5


def second_round() -> Match:
    """Return a match in which both choose their sets for the second round."""
    match = position(Side("-, Little John, Friar Tuck, Templar", "Robin Hood"), Side(hand="Miller"))
    return play(match, "Robin Hood", "Miller")


@pytest.mark.clause("RH-8")
@pytest.mark.parametrize("taken", [0, 3, 12, 14])
def test_the_rest_of_a_set_is_dealt_whenever_a_player_wants_and_the_cards_taken_so_far_stay(taken: int):
    match = begin()
    match.play(ANN, "choose a new set")
    for _ in range(taken):
        match.play(ANN, menu(match, ANN)[0])
    mine = whole_set(match, ANN)
    assert menu(match, ANN)[-1] == "deal the rest" and "keep the last set" not in menu(match, ANN)
    match.play(ANN, "deal the rest")
    whole = whole_set(match, ANN)
    assert mine < whole and len(mine) == taken
    assert len([card for card in whole if card < match.book.characters]) == 12 and len(whole) == 15
    assert match.to_act == {BO} and "Ann has a new active set." in match.log(BO)


@pytest.mark.clause("RH-8")
@pytest.mark.parametrize("is_last", [False, True])
def test_whoever_takes_cards_may_still_keep_the_last_set_or_take_the_choice_back(is_last: bool):
    match = second_round()
    if is_last:
        match.play(BO, "deal a new set")
    before, ways = whole_set(match, ANN), menu(match, ANN)
    match.play(ANN, "choose a new set")
    for _ in range(4):
        match.play(ANN, menu(match, ANN)[0])
    assert whole_set(match, ANN) != before
    for _ in range(5):
        match.undo(ANN)
    assert menu(match, ANN) == ways and whole_set(match, ANN) == before
    match.play(ANN, "choose a new set")
    match.play(ANN, menu(match, ANN)[0])
    match.play(ANN, "keep the last set")
    assert whole_set(match, ANN) == before and "Ann keeps the active set." in match.log(BO)
    if not is_last:
        match.play(BO, "deal a new set")
    assert len(hand(match, ANN)) == 5 and whole_set(match, ANN) == before


@pytest.mark.clause("RH-8")
def test_nobody_else_sees_the_set_that_a_player_could_still_keep_and_search_guesses_one():
    match = second_round()
    match.play(ANN, "choose a new set")
    match.play(ANN, menu(match, ANN)[0])
    for viewer in (BO, None):
        known = match.blinded(viewer)
        assert set(known.last_set[ANN][:15]) == {UNKNOWN} and known.pile_size[ANN] == 1
    guessed = match.blinded(BO)
    match.game.rules.redeal(match.book, guessed, 7)
    kept = guessed.last_set[ANN][:15]
    assert len(set(kept)) == 15 and sum(card < match.book.characters for card in kept) == 12
    assert guessed.pile_size[ANN] == 1 and guessed.pile[ANN][0] in range(match.book.characters)


@pytest.mark.clause("RH-8")
@pytest.mark.parametrize("viewer", [BO, None])
def test_how_a_set_is_chosen_and_how_many_cards_are_taken_may_be_seen_but_not_which(viewer: int | None):
    ways = {"keep this set": (READY, 15), "deal a new set": (READY, 15), "choose a new set": (PICKING, 4)}
    for way, (choosing, size) in ways.items():
        seen, taken = [], set()
        for pick in range(3):
            match = position(Side("-, Little John, Friar Tuck, Templar", "Robin Hood"), Side(hand="Miller"))
            play(match, "Robin Hood", "Miller")
            match.play(ANN, way)
            for _ in range(4 if way == "choose a new set" else 0):
                match.play(ANN, menu(match, ANN)[pick])
            taken.add(frozenset(whole_set(match, ANN)))
            seen.append((match.blinded(viewer), match.view(viewer), match.log(viewer)))
        known = seen[0][0]
        assert (known.choosing[ANN], known.pile_size[ANN]) == (choosing, size)
        assert set(known.pile[ANN][:size]) == {UNKNOWN}
        assert seen == [seen[0]] * 3 and len(taken) == (3 if size == 4 else 1)


@pytest.mark.clause("RH-8", "RH-9")
def test_a_kept_set_is_the_same_and_stages_dead_cards_and_modifiers_are_cleared():
    match = position(Side("-, Little John, Friar Tuck, Templar", "Robin Hood", "Hard Winter"), Side(hand="Miller"))
    before = whole_set(match, ANN)
    play(match, "Robin Hood", "Miller")
    assert victories(match, ANN) == 1
    assert menu(match, ANN) == ["keep this set", "deal a new set", "choose a new set"]
    match.play(ANN, "keep this set")
    assert "Ann keeps the active set." in match.log(BO)
    match.play(BO, "deal a new set")
    assert whole_set(match, ANN) == before and len(hand(match, ANN)) == 5
    assert stood(match, ANN) == stood(match, BO) == "-, -, -, -"
    assert not dead(match, ANN) + dead(match, BO) and not ruling(match, ANN)


def whole_set(match: Match, seat: int) -> set[int]:
    s = truth(match)
    return set(s.hand[seat] + s.pile[seat] + [card for card, shown in enumerate(s.shown[seat]) if shown]) - {-1}


@pytest.mark.clause("RH-8")
def test_dealt_sets_leave_no_choice_and_are_kept_for_all_rounds():
    match, sets = begin(dealt="on", victories=3), []
    while match.to_act:
        assert {move.text.split()[0] for seat in match.to_act for move in match.moves(seat)} == {"play"}
        sets.append([match.game.collection.held(match.book, truth(match), seat).deck for seat in (ANN, BO)])
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[0].action)
    assert all(there == sets[0] for there in sets) and sets[0][ANN] != sets[0][BO]
    assert [there.total() for there in sets[0]] == [15, 15] and truth(match).round >= 2
    other = begin(seed=1, dealt="on")
    assert other.game.collection.held(other.book, truth(other), ANN).deck != sets[0][ANN]


@pytest.mark.clause("RH-8")
def test_a_small_collection_leaves_no_choice_and_its_first_cards_are_used_in_every_round():
    match = begin(active=10, collection_0=OUTLAWS + MORE + MODIFIERS)
    assert match.to_act == {BO}
    match.play(BO, "deal a new set")
    known = {match.book.character[card].name for card in whole_set(match, ANN) if card < 48}
    assert known == set(OUTLAWS.split(","))
    assert {match.book.modifier[card - 48].name for card in whole_set(match, ANN) if card >= 48} == {
        "Tax Day", "King's Peace", "Summer in Sherwood",
    }  # fmt: skip
    redealt = match.blinded(BO)
    match.game.rules.redeal(match.book, redealt, 3)
    assert set(redealt.hand[ANN] + redealt.pile[ANN]) - {-1} == whole_set(match, ANN)


@pytest.mark.clause("RH-8")
def test_you_see_your_opponents_collection_if_it_is_not_the_whole_set():
    match = begin(active=10, modifiers="off", collection_1=OUTLAWS)
    assert set(names(match, ANN, "collection.1")) == set(OUTLAWS.split(","))
    assert "collection.1" not in {zone.id for zone in begin(active=10).view(ANN).zones}


@pytest.mark.clause("RH-8")
def test_twice_the_active_characters_are_a_choice_and_one_fewer_are_not_but_the_first_as_they_are_listed():
    twenty = OUTLAWS + MORE + ",Prince John,King Richard,Templar,Hospitaller,Crusader,Minstrel"
    nineteen = ",".join(reversed(twenty.split(",")[:-1]))
    match = begin(active=10, modifiers="off", collection_0=twenty, collection_1=nineteen)
    assert match.to_act == {ANN}
    match.play(ANN, "deal a new set")
    assert {card_name(match.book, card) for card in whole_set(match, BO)} == set(nineteen.split(",")[:10])


@pytest.mark.clause("RH-8")
@pytest.mark.parametrize(
    ("collection", "words"),
    [
        ("Robin Hood", "has 1 character, and an active set takes 10"),
        (OUTLAWS + ",Tax Day", "has 1 modifier, and an active set takes 3"),
        (OUTLAWS + ",Robin Hood", "Robin Hood is named twice"),
        (OUTLAWS + ",Batman", "the set has no card 'Batman'"),
    ],
)
def test_a_collection_that_is_too_small_or_wrong_is_refused(collection: str, words: str):
    with pytest.raises(BadOption, match=words) as refused:
        begin(active=10, collection_1=collection)
    assert "(RH-8)" in str(refused.value)


@pytest.mark.clause("RH-8")
def test_hands_piles_and_sets_are_hidden_and_played_cards_known_to_both_even_dead():
    match = position(Side(hand="Robin Hood"), Side(hand="Miller"))
    assert hand(match, ANN) and names(match, BO, "hand.0") == [] and names(match, None, "hand.0") == []
    play(match, "Robin Hood", "Miller")
    for viewer in (ANN, BO, None):
        assert names(match, viewer, "dead.1") == ["Miller"] and not names(match, viewer, "dead.0")
    blinded = match.blinded(BO)
    assert set(blinded.hand[ANN]) | set(blinded.pile[ANN]) <= {UNKNOWN, -1}
    assert sum(blinded.shown[BO]) == 1


@pytest.mark.clause("RH-9")
def test_the_set_is_shuffled_and_only_the_player_who_draws_sees_the_card():
    hands = set()
    for seed in range(8):
        match = begin(seed, active=10, modifiers="off", collection_1=OUTLAWS)
        match.play(ANN, "choose a new set")
        while match.view().phase.key in ("ante", "sets"):
            match.play(ANN, menu(match, ANN)[0])
        hands.add(frozenset(hand(match, ANN)))
    assert len(hands) > 4
    match = position(Side(hand="Robin Hood"), Side(hand="Miller"))
    play(match, "Robin Hood", "Miller")
    drawn = {viewer: [e for e in match.blinded(viewer).events if e.kind == DREW] for viewer in (ANN, BO, None)}
    assert all(events for events in drawn.values())
    assert all((e.a == UNKNOWN) == (e.seat != viewer) for viewer, events in drawn.items() for e in events)


@pytest.mark.clause("RH-9", "RH-17")
def test_five_cards_are_drawn_and_one_after_each_hand():
    match = fighting()
    assert [len(hand(match, seat)) for seat in (ANN, BO)] == [5, 5] and count(match, "pile", ANN) == 10
    match = position(Side(hand="Robin Hood"), Side(hand="Miller"))
    play(match, "Robin Hood", "Miller")
    assert [len(hand(match, seat)) for seat in (ANN, BO)] == [5, 5] and count(match, "pile", ANN) == 9


@pytest.mark.clause("RH-10")
def test_the_first_hand_is_chosen_in_secret_and_shown_together():
    match = position(Side(hand="Robin Hood"), Side(hand="Miller"))
    assert match.to_act == {ANN, BO}
    match.play(ANN, "play Robin Hood")
    assert match.to_act == {BO} and match.log(BO)[-1] == "Ann has chosen a card in secret."
    assert stood(match, ANN) == "-, -, -, -" and names(match, BO, "hand.0") == []
    assert len(pieces(match.view(BO), "hand.0")) == 5 and match.blinded(BO).chosen[ANN] == UNKNOWN
    for seed in range(8):
        world = match.blinded(BO)
        match.game.rules.redeal(match.book, world, seed)
        assert world.chosen[ANN] in world.hand[ANN]
    match.play(BO, "play Miller")
    assert stood(match, ANN) == "-, Robin Hood, -, -"
    assert {"Ann plays Robin Hood.", "Bo plays Miller."} <= set(match.log())


@pytest.mark.clause("RH-10")
def test_the_winner_of_agility_plays_first_openly_and_after_a_draw_both_choose_again():
    match = dull(Side(hand="Low A, Even A, Even B"), Side(hand="High A, Even A, Even B"))
    play(match, "Low A", "High A")
    assert match.to_act == {BO}
    why = match.why_not(ANN, "play Even A")
    assert (why.clause, why.words) == ("RH-10", "Bo won the last Agility stage and plays first")
    assert question(match, BO).key == "lead"
    match.play(BO, "play Even A")
    assert stood(match, BO) == "Even A, High A, -, -"
    assert question(match, ANN) == Question(
        "answer", "Which card answers Even A?", "It has Agility 3 before your card counts."
    )
    match.play(ANN, "play Even A")
    assert match.to_act == {ANN, BO}


@pytest.mark.clause("RH-10")
def test_an_open_modifier_lies_on_the_table_before_the_answer():
    match = position(Side(hand="Ambush"), Side(), leader=ANN)
    match.play(ANN, "play Ambush")
    assert ruling(match, BO) == ["Ambush"] and question(match, BO).words.endswith("answers Ambush?")


@pytest.mark.clause("RH-11")
def test_a_player_of_a_modifier_loses_agility_and_does_not_advance_but_fights():
    match = position(Side("-, Little John, -, -", "Royal Pardon"), Side("-, Potter, -, -", "Miller"))
    play(match, "Royal Pardon", "Miller")
    assert finals(match)[ANN, 1] == 3 and stood(match, ANN) == "-, Little John, -, -", "though he has beaten the Potter"
    assert stood(match, BO) == "-, Miller, -, -" and match.to_act == {BO}
    assert "Bo wins Agility unopposed." in match.log()
    match = position(Side("-, Tinker, -, -", "Miller"), Side("-, Little John, -, -", "Royal Pardon"))
    play(match, "Miller", "Royal Pardon")
    assert stood(match, ANN) == "-, Miller, Tinker, -" and stood(match, BO) == "-, Little John, -, -"


@pytest.mark.clause("RH-11")
def test_two_modifiers_leave_everybody_in_place_and_both_choose_again():
    match = position(Side("-, Little John, -, -", "Royal Pardon"), Side("-, -, Tinker, -", "Ambush"), leader=BO)
    play(match, "Royal Pardon", "Ambush")
    assert stood(match, ANN) == "-, Little John, -, -" and stood(match, BO) == "-, -, Tinker, -"
    assert match.to_act == {ANN, BO}
    assert "Nobody fields a character: nobody wins Agility." in match.log()


@pytest.mark.clause("RH-12")
def test_a_level_is_printed_then_skills_then_modifiers_and_may_leave_the_scale():
    match = position(Side("-, -, Little John, -", "Robin Hood", "Royal Charter"),
                     Side("-, -, Miller, -", "Arthur a Bland, Abbot of Saint Mary"))  # fmt: skip
    play(match, "Robin Hood", "Abbot of Saint Mary")
    assert finals(match)[ANN, 2] == 5 + 2 - 1 + 1
    lines = [(line.words, line.by_seat, line.clause) for line in match.account() if line.words.startswith("Strength")]
    assert lines == [
        ("Strength: Ann's Little John against Bo's Miller, printed levels", (5, 4), "RH-12"),
        ("Strength: the special skill of Ann's Little John", (2, 0), "RH-2"),
        ("Strength: the special skill of Bo's Abbot of Saint Mary, Agility", (-1, 0), "RH-2"),
        ("Strength: Ann's Royal Charter", (1, 0), "RH-3"),
        ("Strength, final levels: Ann wins", (7, 4), "RH-13"),
    ]
    match = position(Side("-, -, Little John, -", "Night Watch"), Side("-, -, Tinker, -", "Miller"))
    play(match, "Night Watch", "Miller")
    assert finals(match)[BO, 2] == -1


@pytest.mark.clause("RH-2")
def test_a_skill_works_on_the_stage_of_its_card_and_one_with_a_star_on_all_others_while_the_card_is_in_play():
    match = position(
        Side("-, Baron Fitzwalter, Friar Tuck, Little John", "Robin Hood"), Side("-, -, Potter, -", "Miller")
    )
    play(match, "Robin Hood", "Miller")
    assert finals(match)[ANN, 3] == 4 + 1, "the Baron stands elsewhere"
    assert finals(match)[BO, 2] == 1, "Friar Tuck weakens whom he faces in Weapons, not in Strength"
    match = position(Side("-, Friar Tuck, -, Baron Fitzwalter", "Robin Hood"), Side("-, Potter, -, -", "Miller"))
    play(match, "Robin Hood", "Miller")
    assert finals(match)[ANN, 3] == 3 and finals(match)[BO, 1] == 2 - 1
    match = position(Side("-, -, -, Little John", "Robin Hood, Baron Fitzwalter"), Side("-, -, -, -", "Miller"))
    play(match, "Robin Hood", "Miller")
    assert finals(match)[ANN, 3] == 4, "the Baron is in the hand"


@pytest.mark.clause("RH-20")
def test_the_account_says_once_of_each_ignored_skill_that_it_is_ignored():
    match = position(Side("-, -, Little John, -", "Feast of Fools"), Side("-, -, Tinker, Templar", "Miller"))
    play(match, "Feast of Fools", "Miller")
    assert [line.words for line in match.account() if line.clause == "RH-20"] == [
        "Strength: the special skill of Ann's Little John is ignored",
        "Strength: the special skill of Bo's Tinker is ignored",
    ]


@pytest.mark.clause("RH-12")
def test_all_stages_are_compared_in_the_same_position():
    match = position(
        Side("-, Much the Miller's Son, Little John, -", "Robin Hood"), Side("-, Guy of Gisborne, Gaoler, -", "Miller")
    )
    play(match, "Robin Hood", "Miller")
    assert finals(match)[ANN, 2] == 5 + 2 + 1 - 2 and "Much the Miller's Son" in dead(match, ANN)


@pytest.mark.clause("RH-20")
def test_of_two_modifiers_that_exchange_the_levels_of_a_character_neither_does():
    match = position(Side("-, Gilbert Whitehand, -, Friar Tuck", "Muddy Lists", "Market Day"), Side(hand="Miller"))
    play(match, "Muddy Lists", "Miller")
    assert finals(match)[ANN, 1] == 5 + 1 and finals(match)[ANN, 3] == 3 + 1
    match = position(Side("-, Gilbert Whitehand, -, Friar Tuck", "Robin Hood", "Market Day"), Side(hand="Miller"))
    play(match, "Robin Hood", "Miller")
    assert finals(match)[ANN, 1] == 2 + 1 and finals(match)[ANN, 3] == 3 + 1
    match = position(Side("-, Gilbert Whitehand, -, -", "Muddy Lists", "Market Day"), Side("-, Miller, -, -", "Potter"))
    play(match, "Muddy Lists", "Potter")
    assert [(line.words, line.by_seat) for line in match.account() if line.words.startswith("Weapons")] == [
        ("Weapons: Ann's Gilbert Whitehand against Bo's Miller, printed levels", (5, 3)),
        ("Weapons: Ann's Market Day", (1, 0)),
        ("Weapons: Ann's Muddy Lists", (0, 1)),
        ("Weapons: levels that two modifiers exchange stay as they are", ()),
        ("Weapons, final levels: Ann wins", (6, 4)),
    ]


@pytest.mark.clause("RH-20")
def test_only_characters_of_its_group_fight_with_the_level_that_a_modifier_exchanges():
    base = Path(cards.__file__).with_name("cards.toml").read_text(encoding="utf-8")
    head, lists, tail = base.partition('name = "Muddy Lists"\n')
    of_knights = head + lists + tail.replace('group = "all"', 'group = "Knight"', 1)
    sides = Side("-, Gilbert Whitehand, -, -", "Muddy Lists"), Side("-, Crusader, -, -", "Miller")
    match = play(position(*sides, cards=of_knights), "Muddy Lists", "Miller")
    assert finals(match)[ANN, 1] == 5 and finals(match)[BO, 1] == 3


@pytest.mark.clause("RH-13")
def test_the_lower_card_dies_equal_ones_stay_and_an_empty_stage_is_won():
    match = dull(Side("-, High B, Even C, High D", "Low A"), Side("-, Low B, Even C, -", "High A"))
    play(match, "Low A", "High A")
    assert dead(match, ANN) == ["Low A"] and dead(match, BO) == ["Low B"]
    assert stood(match, ANN) == "-, High B, Even C, High D" and stood(match, BO) == "-, High A, Even C, -"
    assert [line.words for line in match.account()][-1] == "Endurance: Ann's High D faces nobody and is the victor"


@pytest.mark.clause("RH-15")
def test_four_stages_after_the_comparison_win_the_round_before_anybody_advances():
    match = dull(Side("-, High B, High C, High D", "Even A"), Side(hand="Even A"))
    play(match, "Even A", "Even A")
    assert victories(match, ANN) == 1
    match = dull(Side("-, High B, High C, High D", "Low A"), Side(hand="High A"))
    play(match, "Low A", "High A")
    assert victories(match, ANN) == 0 and match.view().phase.round == 1


@pytest.mark.clause("RH-15")
def test_a_round_in_which_both_have_four_stages_is_drawn():
    full = Side("-, Even B, Even C, Even D", "Even A")
    match = dull(full, full)
    play(match, "Even A", "Even A")
    assert match.view().phase.round == 2 and victories(match, ANN) == victories(match, BO) == 0
    assert "The round is drawn: both have all four stages." in match.log()


@pytest.mark.clause("RH-16")
@pytest.mark.parametrize("seat", [ANN, BO])
def test_an_empty_draw_pile_draws_the_round_but_the_win_is_asked_first(seat: int):
    piles = [None, None]
    piles[seat] = 0
    match = dull(Side(hand="High A", pile=piles[ANN]), Side(hand="Low A", pile=piles[BO]))
    play(match, "High A", "Low A")
    assert match.view().phase.round == 2 and "The round is drawn: a draw pile is empty." in match.log()
    match = dull(Side("-, High B, High C, High D", "High A", pile=piles[ANN]), Side(hand="Low A", pile=piles[BO]))
    play(match, "High A", "Low A")
    assert victories(match, ANN) == 1


@pytest.mark.clause("RH-16", "RH-17")
@pytest.mark.parametrize(("active", "modifiers", "hands"), [(12, "on", 11), (12, "off", 8), (10, "off", 6)])
def test_an_empty_draw_pile_comes_after_four_hands_fewer_than_the_set_has_cards(active, modifiers, hands):
    options = {"active": active, "modifiers": modifiers}
    match, played = fighting(**options), 0
    while match.view().phase.round == 1:
        match = changed(match, "stage = -1", **options)
        while match.position().count(f"\nhands = {played}\n") and match.view().phase.round == 1:
            seat = min(match.to_act)
            match.play(seat, menu(match, seat)[0])
        played += 1
    assert played == hands and "The round is drawn: a draw pile is empty." in match.log()


@pytest.mark.clause("RH-18")
@pytest.mark.parametrize(("victories", "ranks"), [((0, 0), (1, 1)), ((2, 1), (1, 2)), ((0, 1), (2, 1))])
def test_nine_drawn_rounds_in_a_row_end_the_tournament(victories: tuple[int, int], ranks: tuple[int, int]):
    for drawn in (7, 8):
        match = dull(Side(hand="High A", pile=0), Side(hand="Low A"), won=victories, drawn=drawn)
        play(match, "High A", "Low A")
        assert (match.outcome is not None) == (drawn == 8)
    assert match.outcome.ranks == ranks and match.outcome.scores == victories


@pytest.mark.clause("RH-18")
def test_a_decided_round_resets_the_count_of_drawn_rounds():
    match = dull(Side("-, High B, High C, High D", "High A"), Side(hand="Low A"), drawn=8)
    play(match, "High A", "Low A")
    assert match.outcome is None and "drawn = 0" in match.position().splitlines()


@pytest.mark.clause("RH-18")
def test_a_drawn_round_after_a_decided_one_does_not_end_the_tournament():
    match = dull(Side("-, High B, High C, High D", "High A"), Side(hand="Low A"), drawn=8)
    play(match, "High A", "Low A")
    won = match.position().splitlines()
    lines = [line for line in won if line.startswith(("drawn = ", "victories = "))]
    match = dull(Side(hand="High A", pile=0), Side(hand="Low A"), won=(1, 0), drawn=int(lines[0].split()[-1]))
    play(match, "High A", "Low A")
    assert match.outcome is None and "The round is drawn: a draw pile is empty." in match.log()
