"""Robin in the Hood: the worked examples of the rulebook come out in play as it says."""

from games.robin_positions import ANN, BO, Side, dead, finals, play, position, stood, victories


def test_the_example_of_a_removal():
    match = position(Side("-, -, -, Miller", "Hard Winter"), Side("-, -, -, Potter", "Royal Pardon"), leader=ANN)
    play(match, "Hard Winter", "Royal Pardon")
    assert finals(match)[BO, 3] == 3 and dead(match, ANN) == ["Hard Winter"]


def test_the_example_of_a_level():
    match = position(Side("-, -, Little John, -", "Robin Hood", "Royal Charter"), Side("-, -, Miller, -", "Potter"))
    play(match, "Robin Hood", "Potter")
    assert finals(match)[ANN, 2] == 8


def test_the_example_of_advancing_and_of_the_win_after_it():
    match = position(Side("-, Templar, -, Beggar", "Potter, Tinker"), Side("-, Gatekeeper, Little John, -", "Miller"))
    play(match, "Potter", "Miller")
    levels = {(ANN, 0): 4, (BO, 0): 3, (ANN, 1): 4, (BO, 1): 4, (BO, 2): 5, (ANN, 3): 4}
    assert finals(match) == levels and dead(match, BO) == ["Miller"]
    assert stood(match, ANN) == "-, Potter, Templar, Beggar"
    assert stood(match, BO) == "-, Gatekeeper, -, Little John"
    match = position(Side("-, Templar, Potter, Beggar", "Tinker"), Side("-, Gatekeeper, -, -", "Miller"))
    play(match, "Tinker", "Miller")
    assert victories(match, ANN) == 1


def test_the_example_of_a_starred_skill():
    sheriff = Side("-, Sheriff of Nottingham, -, -", "Potter")
    match = position(sheriff, Side("-, Alan-a-Dale, Will Stutely, -", "Miller"))
    play(match, "Potter", "Miller")
    assert finals(match)[BO, 1] == 1 and finals(match)[BO, 2] == 3 - 1


def test_the_example_of_exchanged_stages():
    match = position(Side("-, Gilbert Whitehand, -, -", "Robin Hood", "Market Day"), Side(hand="Miller"))
    play(match, "Robin Hood", "Miller")
    assert finals(match)[ANN, 1] == 3
