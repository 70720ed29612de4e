"""Round Table: a card that its player has chosen is hidden from others until it is played. RT-2."""

import pytest

import quintain
from games.round_table_positions import ANN, BO, Side, names, play, position, state
from quintain.engine.rules.fields import UNKNOWN
from quintain.games.round_table import state as st


@pytest.mark.clause("RT-2")
@pytest.mark.parametrize(
    ("season", "card", "done"),
    [
        (st.SUMMER, "Bone-Snapper", "on Kay"),
        (st.SUMMER, "Ambush", "on Balin of Bo"),
        (st.SPRING, "Good Sword", "on Kay"),
        (st.SPRING, "Baron", "leave it unpaired"),
        (st.SUMMER, "Jack of Leaves", "on Kay"),
    ],
)
def test_a_card_that_is_only_taken_up_is_known_to_nobody_else(season: int, card: str, done: str) -> None:
    decks = "Bone-Snapper, The Fair Unknown, Ambush, Banishment, Good Sword, Baron, Jack of Leaves, Rouncy"
    ann = Side(f"{card}, Farm", ["Kay"], deck=decks)
    match = position(ann, Side("", ["Balin @ Elmet"]), season=season)
    before = {seat: match.view(seat) for seat in (BO, None)}
    play(match, f"play {card}")
    assert names(match, "hand.0", ANN) == [card, "Farm"] and match.can_undo(ANN)
    for viewer in (BO, None):
        assert match.view(viewer) == before[viewer]
        assert match.blinded(viewer).card == UNKNOWN
    deals, book, game = set(), match.book, quintain.game("round-table")
    for seed in range(40):
        redealt = match.blinded(BO)
        game.rules.redeal(book, redealt, seed)
        redealt.check()
        assert redealt.hand[ANN][redealt.card] > 0 and sum(redealt.hand[ANN]) == redealt.hand_size[ANN] == 2
        assert game.legal_actions(book, redealt, ANN)
        again = game.blinded(book, redealt, BO)
        assert again.pack() == match.blinded(BO).pack()
        deals.add(book.card[ANN][redealt.card].name)
    assert card in deals and (len(deals) > 1 or card == "Jack of Leaves")
    play(match, done)
    assert names(match, "hand.0", ANN) == ["Farm"] and match.blinded(BO).card == st.NONE


@pytest.mark.clause("RT-2")
def test_a_redirect_that_is_played_is_seen_while_its_task_is_chosen() -> None:
    match = position(Side("Change of Heart, Farm", ["Kay @ Elmet"]), Side(), season=st.SUMMER)
    play(match, "play Change of Heart", "on Kay")
    assert names(match, "hand.0", ANN) == ["Farm"] and match.blinded(BO).card == state(match).card != st.NONE
    redealt = match.blinded(BO)
    quintain.game("round-table").rules.redeal(match.book, redealt, 3)
    assert sum(redealt.hand[ANN]) == redealt.hand_size[ANN] == 1
