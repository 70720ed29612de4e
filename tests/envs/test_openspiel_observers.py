"""OpenSpiel's observers: each type shows what it is asked for and no more, or says why it cannot be shown."""

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python.observation import make_observation

import quintain
from quintain.engine.rules import registry
from quintain.engine.rules.contract import SPECTATOR
from quintain.engine.rules.observation import Block
from quintain.engine.rules.registry import register_file
from quintain.envs import openspiel
from quintain.envs.openspiel.observers import SpielObserver
from tutorial import kept_goofspiel

KUHN = Path(__file__).parents[1] / "kuhn.py"
GAMES = ("quintain_kuhn", "quintain_goofspiel(cards=5,seats=3)", *map(openspiel.name_of, quintain.all_games()))
NONE, ONE, ALL = (getattr(pyspiel.PrivateInfoType, name) for name in ("NONE", "SINGLE_PLAYER", "ALL_PLAYERS"))


@pytest.fixture(scope="module", autouse=True)
def _small_games() -> None:
    for game in (register_file(kept_goofspiel()), register_file(KUHN)):
        openspiel.register(game)


def observer(game: pyspiel.Game, public: bool, private: pyspiel.PrivateInfoType, recall: bool = False) -> SpielObserver:
    asked = pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
    return make_observation(game, asked)


def shown(observer: SpielObserver, state: pyspiel.State, player: int) -> tuple[bytes, str]:
    """Return what an observer writes, as bytes and as text."""
    observer.set_from(state, player)
    return observer.tensor.tobytes(), observer.string_from(state, player)


def decisions(name: str, most: int) -> Iterator[pyspiel.State]:
    """Yield some of the decisions of a random game, from the first on."""
    chooser, state = random.Random(5), pyspiel.load_game(name).new_initial_state()
    while not state.is_terminal() and most:
        if not state.is_chance_node() and (len(state.history()) < 40 or chooser.random() < 0.2):
            yield state
            most -= 1
        state.apply_action(chooser.choice(state.legal_actions()))


def worlds(name: str) -> Iterator[tuple[pyspiel.State, int, pyspiel.State]]:
    """Yield decisions of a random game, for each seat, with a twin: all that the seat does not know dealt anew."""
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    for state in decisions(name, 12):
        for seat in range(state.num_players()):
            yield state, seat, state.resample_from_infostate(seat, sampler)


@pytest.mark.parametrize("name", GAMES)
def test_an_observer_of_one_player_or_of_none_shows_nothing_that_is_hidden_from_it(name: str):
    game, differ = pyspiel.load_game(name), 0
    observers = [observer(game, *kind) for kind in ((True, NONE), (True, ONE), (False, ONE))]
    observers += [observer(game, True, private, recall=True) for private in (NONE, ONE)]
    for state, seat, twin in worlds(name):
        for each in observers:
            assert shown(each, state, seat) == shown(each, twin, seat)
        differ += str(state) != str(twin)
    assert differ, "the twins never differ"


@pytest.mark.parametrize("name", GAMES)
def test_public_information_is_the_same_for_every_player_and_never_more_than_one_knows(name: str):
    game = pyspiel.load_game(name)
    now, past = observer(game, True, NONE), observer(game, True, NONE, recall=True)
    for state in decisions(name, 12):
        assert len({shown(now, state, seat) for seat in range(game.num_players())}) == 1
        assert len({shown(past, state, seat) for seat in range(game.num_players())}) == 1
        public = state.node.blinded(SPECTATOR)
        assert public.pack() == state.node.tree.game.blinded(state.node.tree.book, public, 0).pack()


@pytest.mark.parametrize("name", GAMES)
def test_public_and_private_numbers_add_up_to_the_observation_of_a_seat(name: str):
    game = pyspiel.load_game(name)
    public, private, both = observer(game, True, NONE), observer(game, False, ONE), observer(game, True, ONE)
    flags = np.zeros(game.observation_tensor_size(), bool)
    for block in public_blocks(game):
        flags[block.flags_at : block.end] = True
    seen = 0
    for state in decisions(name, 12):
        for each in (public, private, both):
            each.set_from(state, 0)
        cut = slice(0, -quintain_game(game).seats[1])  # `you` stands in both
        assert np.allclose((public.tensor + private.tensor)[~flags][cut], both.tensor[~flags][cut])
        seen += bool(private.tensor[~flags][cut].any())
    assert seen


def quintain_game(game: pyspiel.Game) -> quintain.Game:
    return game.tree.game


def public_blocks(game: pyspiel.Game) -> tuple[Block, ...]:
    return quintain_game(game).observation.blocks


def test_what_is_private_in_kuhn_poker_is_the_card_of_the_player():
    game = pyspiel.load_game("quintain_kuhn")
    state = game.new_initial_state()
    for action in (2, 0, 1):  # the first player has the king and bets, the second has the jack
        state.apply_action(action)
    texts = {
        (public, str(private).split(".")[1]): observer(game, public, private).string_from(state, 0)
        for public, private in ((True, NONE), (True, ONE), (True, ALL), (False, ONE), (False, ALL))
    }
    assert texts == {
        (True, "NONE"): "turn = 1\ncard = ? ?\nchips = 2 1",
        (True, "SINGLE_PLAYER"): "turn = 1\ncard = 2 ?\nchips = 2 1",
        (True, "ALL_PLAYERS"): "turn = 1\ncard = 2 0\nchips = 2 1",
        (False, "SINGLE_PLAYER"): "card = 2 ?",
        (False, "ALL_PLAYERS"): "card = 2 0",
    }
    assert observer(game, False, ONE).string_from(state, 1) == "card = ? 0"


def test_all_players_know_their_hands_and_nobody_the_order_of_the_deck():
    game = pyspiel.load_game("quintain_kings_court")
    state = next(decisions("quintain_kings_court", 1))
    text = observer(game, True, ALL).string_from(state, 0)
    assert "deck = ?" in text and "hand[0] = ?" not in text and "hand[1] = ?" not in text
    layout, everything = quintain_game(game).observation["hand"], observer(game, True, ALL)
    everything.set_from(state, 0)
    hands = everything.tensor[layout.first : layout.flags_at].reshape(layout.shape)
    assert hands.sum(axis=1).tolist() == list(state.node.s.hand_size)


def test_what_a_spectator_alone_does_not_know_is_left_out_of_the_public_numbers():
    game = pyspiel.load_game("quintain_kings_court")
    seen = quintain_game(game).observation["seen"]
    assert not seen.flags
    public, both = observer(game, True, NONE), observer(game, True, ONE)
    looked = 0
    for state in decisions("quintain_kings_court", 1000):
        for each in (public, both):
            each.set_from(state, 0)
        hidden = [value == quintain.engine.UNKNOWN for row in state.node.blinded(SPECTATOR).seen for value in row]
        columns = public.tensor[seen.first : seen.end].reshape(-1, seen.width)
        assert columns.any(axis=1).tolist() == [not each for each in hidden]
        looked += any(hidden)
    assert looked


@pytest.mark.parametrize(
    ("public", "private", "recall", "said"),
    [
        (False, NONE, False, "shows nothing: ask for public_info=True"),
        (False, NONE, True, "shows nothing: ask for public_info=True"),
        (False, ONE, True, "cannot be cut into public and private"),
        (False, ALL, True, "cannot be cut into public and private"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_the_reason(public: bool, private: object, recall: bool, said: str):
    with pytest.raises(ValueError, match=said):
        observer(pyspiel.load_game("quintain_kuhn"), public, private, recall)


@pytest.mark.usefixtures("own_registry")
def test_a_game_that_observes_itself_is_shown_to_one_player_alone(tmp_path: Path):
    text = KUHN.read_text(encoding="utf-8").replace('"kuhn",', '"kuhn-observed",')
    own = "\n\nOBSERVATION = 1\n\n\n@rule\ndef observe(book: Book, s: State, seat: int, out: list[float]) -> None:\n"
    path = tmp_path / "kuhn.py"
    path.write_text(text.replace("\n\n@rule\ndef hide", f"{own}    out[0] = s.card[seat]\n\n\n@rule\ndef hide"))
    game = pyspiel.load_game(openspiel.register(register_file(path)))
    state = game.new_initial_state().child(2).child(0)
    assert state.observation_tensor(0) == [2.0] and len(state.information_state_tensor(0)) > 1
    with pytest.raises(ValueError, match="writes `observe` itself"):
        observer(game, True, NONE)


@pytest.fixture
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_games", {})


def test_all_players_with_their_pasts_are_one_player_after_the_other():
    game = pyspiel.load_game("quintain_goofspiel(cards=4)")
    state = game.new_initial_state()
    for bid in (1, 2, 3):
        state.apply_action(bid)
    everything, own = observer(game, True, ALL, recall=True), observer(game, True, ONE, recall=True)
    everything.set_from(state, 1)
    for place, seat in enumerate((1, 0)):
        own.set_from(state, seat)
        assert (everything.dict[f"decisions {place}"] == own.dict["decisions"]).all()
        if not place:
            assert (everything.dict[f"events {place}"] == own.dict["events"]).all()
    text = everything.string_from(state, 1)
    assert text.split() == [state.information_state_string(seat) for seat in range(2)]
    assert [*everything.dict] == ["observation", "decisions 0", "events 0", "decisions 1", "events 1"]


@pytest.mark.parametrize("name", GAMES)
def test_an_information_state_is_the_observation_and_what_a_seat_remembers(name: str):
    game = pyspiel.load_game(name)
    past, now = observer(game, True, ONE, recall=True), observer(game, True, ONE)
    for state in itertools.chain(decisions(name, 6), [game.new_initial_state()]):
        for seat in range(game.num_players()):
            past.set_from(state, seat)
            now.set_from(state, seat)
            assert (past.dict["observation"] == now.tensor).all()
            assert state.information_state_tensor(seat) == past.tensor.tolist()
            assert past.string_from(state, seat) == state.information_state_string(seat)
    decisions_, events = quintain_game(game).window
    assert past.dict["decisions"].shape == (decisions_, quintain_game(game).actions)
    assert past.dict["events"].shape[0] == events
    assert game.information_state_tensor_size() == past.tensor.size
    assert game.get_type().provides_information_state_tensor
