"""The themes of puzzles say what the best move is about, and hold only where the position shows it."""

from collections.abc import Callable

import pytest

from games import heirless_positions as heirless
from games import kings_court_positions as court
from games import robin_positions as robin
from games import round_table_positions as table
from games import rune_war_positions as war
from quintain.engine.play.match import Match

ANN, BO = 0, 1


def themes_of(match: Match, move: str) -> tuple[str, ...]:
    """Return the themes of a move of the seat that is to act, from what that seat sees."""
    seen = match.seen(min(match.to_act))
    assert match.game.themes
    action = seen.understood(move)
    assert action in seen.legal, (move, [each.text for each in seen.moves])
    return match.game.themes(seen.book, seen.state, seen.seat, action)


def after(match: Match, *moves: str) -> Match:
    for move in moves:
        match.play(min(match.to_act), move)
    return match


HOUSES = {"Artois": (3, 3), "Castellia": (6, 0), "De Bourgogne": (0, 5), "Ellicta": (0, 4), "Febrois": (2, 4)}
HAND = "Artois 3, Artois 4, Bellerophon 1, Castellia 2, Castellia 5, De Bourgogne 8, Ellicta 2, Febrois 2, Castellia 7"


def in_court(plays: int = 20, hand: str = HAND, more: str = "") -> Match:
    match = court.position(plays, ann=hand, influence=HOUSES)
    return Match.from_position(match.game, f"{match.position()}\n{more}", names=match.names)


COURT: list[tuple[Callable[[], Match], str, tuple[str, ...]]] = [
    (in_court, "play Artois 4", ("break a tie",)),
    (in_court, "play Artois 3", ("bind the gift",)),
    (in_court, "play Bellerophon 1", ("look at a counter",)),
    (in_court, "play Castellia 5", ("move Influence",)),
    (in_court, "play Castellia 2", ("hold the lead",)),
    (in_court, "play De Bourgogne 8", ("take the lead",)),
    (in_court, "play Ellicta 2", ("catch up", "save the favour")),
    (in_court, "play Febrois 2", ("level the house",)),
    (lambda: in_court(28), "play Artois 4", ("break a tie", "count the hand")),
    (lambda: after(in_court(), "play Artois 4"), "give Ellicta 2", ("a harmless gift", "save the favour")),
    (lambda: after(in_court(), "play Artois 4"), "give Febrois 2", ("save the favour",)),
    (lambda: after(in_court(), "play Artois 4"), "give Castellia 2", ("let it go",)),
    (lambda: after(in_court(more="bound = 5 -1"), "play Artois 4"), "give Febrois 2", ("a bound gift",)),
    (lambda: after(in_court(), "play Bellerophon 1"), "switch Artois and Castellia", ("switch the counters",)),
    (lambda: after(in_court(), "play Castellia 5"), "move nothing", ("let it go",)),
    (lambda: after(in_court(), "play Castellia 5"), "move from De Bourgogne", ("break their lead",)),
    (lambda: after(in_court(), "play Castellia 5"), "move from Artois", ("move Influence",)),
    (lambda: after(in_court(), "play Castellia 7"), "move to Artois", ("move Influence",)),
    (lambda: after(in_court(), "play Castellia 5", "move from Artois"), "move theirs", ("move the rival's Influence",)),
    (lambda: after(in_court(), "play Castellia 5", "move from Artois"), "move own", ("move your own Influence",)),
    (court.begin, "put -2 on Artois", ("bluff",)),
    (court.begin, "put +5 on Artois", ("place the counters",)),
    (lambda: court.begin(garnets=(1, 0)), "go first", ("tempo",)),
]


@pytest.mark.parametrize("place", range(len(COURT)))
def test_themes_of_kings_court(place: int):
    made, move, expected = COURT[place]
    assert themes_of(made(), move) == expected


ROBIN_HAND = "Robin Hood, Little John, Tax Day, Summer in Sherwood"
Hand = robin.Side
OF_ROBIN, NOTHING = Hand(hand=ROBIN_HAND), Hand()


def in_robin(
    bo_plays: str = "", leader: int | None = None, ann: Hand = OF_ROBIN, bo: Hand = NOTHING, **options: bool
) -> Match:
    """Return a hand in which Ann is to act; if Bo leads, he has played a card."""
    bo = Hand(bo.stages, bo_plays, bo.lasting, bo.pile)
    match = robin.position(ann, bo, leader=leader, **options)
    return after(match, f"play {bo_plays}") if leader == BO else match


FULL = "-, Friar Tuck, Will Scarlet, Will Stutely"
ROBIN: list[tuple[Callable[[], Match], str, tuple[str, ...]]] = [
    (in_robin, "play Robin Hood", ("bluff",)),
    (lambda: in_robin(leader=ANN), "play Robin Hood", ("tempo",)),
    (lambda: in_robin("Arthur a Bland", BO), "play Robin Hood", ("beat the card",)),
    (lambda: in_robin("Crusader", BO, Hand(hand="Gilbert Whitehand")), "play Gilbert Whitehand", ("beat the card",)),
    (lambda: in_robin("Alan-a-Dale", BO), "play Robin Hood", ("hold it level",)),
    (lambda: in_robin("Alan-a-Dale", BO), "play Little John", ("let it go",)),
    (lambda: in_robin("Hard Winter", BO), "play Little John", ("an open stage",)),
    (in_robin, "play Tax Day", ("let it go", "one strong hand")),
    (in_robin, "play Summer in Sherwood", ("let it go", "a modifier that lasts")),
    (lambda: in_robin(bo=Hand(FULL)), "play Robin Hood", ("bluff", "stop the fourth stage")),
    (lambda: in_robin(ann=Hand(FULL, ROBIN_HAND)), "play Robin Hood", ("bluff", "fill the fourth stage")),
    (lambda: in_robin(ann=Hand(FULL, ROBIN_HAND)), "play Tax Day", ("let it go", "one strong hand")),
    (lambda: in_robin(bo=Hand(pile=3)), "play Robin Hood", ("bluff", "count the pile")),
    (lambda: in_robin(bo=Hand(pile=4)), "play Robin Hood", ("bluff",)),
    (robin.begin, "deal a new set", ("choose a set",)),
    (lambda: robin.begin(ante=True), "stake Robin Hood", ("choose the stake",)),
]


@pytest.mark.parametrize("place", range(len(ROBIN)))
def test_themes_of_robin_in_the_hood(place: int):
    made, move, expected = ROBIN[place]
    assert themes_of(made(), move) == expected


def at_wolf_camp() -> Match:
    return heirless.altered(heirless.begin(), f"location = {heirless.WOLF}")


def in_battle(*moves: str, more: str = "") -> Match:
    """Return a battle of Ann, Bo and Cid at the Capital after these moves of whoever is to act."""
    match = heirless.mustered(heirless.begin(), {seat: {heirless.CAPITAL: 2} for seat in range(3)})
    return after(heirless.altered(match, more) if more else match, *moves)


LAST_THREE = f"hand[0] = {1 << 2 | 1 << 4 | 1 << 5}"
"""Ann holds Cleave, Guard and Riposte."""
PLACED = ("attack with Feint", "defend with Guard") * 3
FIRST_STRIKE = (*PLACED, *["propose nothing"] * 3)
HEIRLESS: list[tuple[Callable[[], Match], str, tuple[str, ...]]] = [
    (at_wolf_camp, "send a Knight to the Capital", ("fight for the Capital",)),
    (at_wolf_camp, "send a Knight to the Wolf Camp", ("seek the Location of Interest",)),
    (at_wolf_camp, "send a Knight to the Cat Camp", ("hunt Bandits",)),
    (at_wolf_camp, "send a Knight to Ann's Castle", ("guard the Castle",)),
    (at_wolf_camp, "send a Knight to Bo's Castle", ("raid a Castle",)),
    (in_battle, "attack with Charge", ("tempo",)),
    (in_battle, "attack with Cleave", ("hit harder",)),
    (in_battle, "attack with Riposte", ("save a card",)),
    (lambda: in_battle("attack with Feint"), "defend with Cleave", ("dodge",)),
    (lambda: in_battle("attack with Feint"), "defend with Charge", ("take the blow",)),
    (lambda: in_battle("attack with Cleave", more=LAST_THREE), "defend with Guard", ("spare your Knights",)),
    (lambda: in_battle("attack with Feint"), "defend with Guard", ("save a card",)),
    (lambda: in_battle(*PLACED), "propose an alliance to Bo", ("make an ally",)),
    (lambda: in_battle(*PLACED), "propose nothing", ("stand alone",)),
    (lambda: in_battle(*PLACED, "propose an alliance to Bo"), "accept", ("make an ally",)),
    (lambda: in_battle(*PLACED, "propose an alliance to Bo"), "decline", ("stand alone",)),
    (lambda: in_battle(*FIRST_STRIKE), "hold back", ("let it go",)),
    (lambda: in_battle(*FIRST_STRIKE), "Knight 1 strikes Bo's Knight 1", ("choose the target",)),
    (
        lambda: in_battle(*FIRST_STRIKE, "Knight 1 strikes Bo's Knight 1"),
        "Knight 2 strikes Bo's Knight 1",
        ("strike together",),
    ),
    (
        lambda: in_battle(*FIRST_STRIKE, more="resources = 0 9 0 0 0 0"),
        "Knight 1 strikes Bo's Knight 1",
        ("stop the leader",),
    ),
    (
        lambda: in_battle(*FIRST_STRIKE, more="resources = 0 9 0 0 0 0"),
        "Knight 1 strikes Ann's Knight 1",
        ("choose the target",),
    ),
    (
        lambda: in_battle(*FIRST_STRIKE, "Knight 1 strikes Ann's Knight 1", "hold back", more="step[0] = 0 0 0 0 0 5"),
        "Knight 1 strikes Ann's Knight 1",
        ("finish the wounded",),
    ),
]


@pytest.mark.parametrize("place", range(len(HEIRLESS)))
def test_themes_of_heirless_battles(place: int):
    made, move, expected = HEIRLESS[place]
    assert themes_of(made(), move) == expected


WAR_HAND = "2 of Cups, 5 of Wands, Death, 10 of Swords, The Fool, Strength"


def in_war(*moves: str, turns: int = 1, more: str = "") -> Match:
    """Return a war in which Ann attacks a defence of three cards, after these moves of whoever is to act."""
    hands, defences = [WAR_HAND, "King of Cups"], ["3 of Cups", "4 of Cups, 5 of Cups, 6 of Cups"]
    return after(war.position(hands, defences, turns=turns, more=more), *moves)


ATTACK = ("attack with 10 of Swords", "attack Bo at 2.1")
WAR: list[tuple[Callable[[], Match], str, tuple[str, ...]]] = [
    (in_war, "play Death", ("a rune of the field",)),
    (in_war, "lay 2 of Cups", ("build",)),
    (in_war, "lay The Fool", ("bluff",)),
    (in_war, "attack with 2 of Cups", ("probe",)),
    (in_war, "attack with 5 of Wands", ("strike hard",)),
    (in_war, "attack with Strength", ("bluff",)),
    (lambda: in_war(turns=18), "lay 2 of Cups", ("build", "count for the truce")),
    (lambda: in_war(turns=17), "lay 2 of Cups", ("build",)),
    (lambda: in_war("lay 2 of Cups"), "lay at 2.1", ("choose the place",)),
    (lambda: in_war("play Death"), "destroy Bo at 2.1", ("strike in the dark",)),
    (lambda: in_war(ATTACK[0]), "attack Bo at 2.1", ("strike in the dark",)),
    (lambda: in_war(ATTACK[0], more=war.seen_by_all(BO, "2.1")), "attack Bo at 2.1", ("strike what you know",)),
    (lambda: in_war(*ATTACK), "turn up 2.2", ("call for support",)),
    (lambda: in_war(*ATTACK), "hold back", ("let it go",)),
    (lambda: in_war(*ATTACK, "turn up 2.2"), "add 2 of Cups", ("send more",)),
    (lambda: in_war(*ATTACK, "turn up 2.2"), "play Strength", ("a rune of the battle",)),
    (lambda: in_war(*ATTACK, "hold back", "hold back"), "stop", ("stop in time",)),
]


@pytest.mark.parametrize("place", range(len(WAR)))
def test_themes_of_rune_war(place: int):
    made, move, expected = WAR[place]
    assert themes_of(made(), move) == expected


SPRING_HAND = "Gawain, Good Sword, Baron, Farm, Manor, Bone-Snapper"
SPRING, SUMMER, AUTUMN, WINTER = range(4)


def at_table(*moves: str, season: int = SPRING, hand: str = SPRING_HAND, bo: str = "Lancelot @ Tintagel") -> Match:
    """Return the beginning of a Season, after these moves of whoever is to act."""
    ann = table.Side(hand, knights=("Kay", "Bors @ Camelot"))
    return after(table.position(ann, table.Side(knights=(bo,)), season=season), *moves)


TABLE: list[tuple[Callable[[], Match], str, tuple[str, ...]]] = [
    (at_table, "play Farm", ("grow",)),
    (at_table, "play Gawain", ("recruit",)),
    (at_table, "play Good Sword", ("arm",)),
    (at_table, "play Baron", ("honour",)),
    (at_table, "pass", ("tempo",)),
    (lambda: at_table("play Good Sword"), "on Kay", ("choose the Knight",)),
    (lambda: at_table(season=SUMMER), "send Kay", ("choose the Knight to send",)),
    (lambda: at_table("send Kay", season=SUMMER), "attack Tintagel", ("fight for a Region",)),
    (lambda: at_table("send Kay", season=SUMMER), "attack Camelot", ("send help",)),
    (lambda: at_table("send Kay", season=SUMMER), "attack Elmet", ("an open Region",)),
    (lambda: at_table(season=SUMMER), "play Bone-Snapper", ("send on a Quest",)),
    (lambda: at_table("play Bone-Snapper", season=SUMMER), "on Lancelot", ("strike at a rival",)),
    (lambda: at_table(season=SUMMER, hand="Ambush"), "play Ambush", ("turn the campaign",)),
    (lambda: at_table(season=AUTUMN), "take back Kay", ("let it go",)),
    (lambda: at_table(season=WINTER), "draw from the Main deck", ("choose the deck",)),
    (lambda: Match.new("round-table", seed="ab" * 32), "take 3 Demesnes", ("the first hand",)),
]


@pytest.mark.parametrize("place", range(len(TABLE)))
def test_themes_of_the_round_table(place: int):
    made, move, expected = TABLE[place]
    assert themes_of(made(), move) == expected
