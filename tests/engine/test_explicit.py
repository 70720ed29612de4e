"""With explicit chance a game asks for its draws, and its answers lead to every deal and every end of a move."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import quintain
from quintain.engine.errors import BadGame
from quintain.engine.rules import registry, rng
from quintain.engine.rules.compiling.compiled import bound_rules
from quintain.engine.rules.explicit import Draw, Explicit
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import register_file

KUHN = Path(__file__).parents[1] / "kuhn.py"


@pytest.fixture(autouse=True)
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_games", {})


@pytest.fixture
def kuhn() -> Game:
    return register_file(KUHN)


def book_of(game: Game) -> Any:
    seats = game.check_seats(None)
    return game.make_book(seats, game.read_options(seats, {}))


def deals(chance: Explicit, book: Any, answers: tuple[int, ...] = (), weight: float = 1.0) -> Iterator[Any]:
    """Yield every deal with its probability."""
    dealt = chance.deal(book, answers)
    if not isinstance(dealt, Draw):
        yield dealt, weight
        return
    for answer in range(dealt.outcomes):
        yield from deals(chance, book, (*answers, answer), weight / dealt.outcomes)


def test_the_answers_lead_to_every_deal_with_its_probability(kuhn: Game):
    chance, book = Explicit(kuhn), book_of(kuhn)
    assert chance.deal(book) == Draw(3) and chance.deal(book, (2,)) == Draw(2)
    found: Counter[tuple[int, ...]] = Counter()
    for s, weight in deals(chance, book):
        found[tuple(s.card)] += weight
        assert s.rng == [0, 0, 0, 0]
    assert found == pytest.approx(
        {(0, 1): 1 / 6, (0, 2): 1 / 6, (1, 0): 1 / 6, (1, 2): 1 / 6, (2, 0): 1 / 6, (2, 1): 1 / 6}
    )


def test_a_move_leaves_the_state_before_it_alone(kuhn: Game):
    chance, book = Explicit(kuhn), book_of(kuhn)
    s = chance.deal(book, (0, 1))
    before = s.pack()
    after = chance.play(book, s, 0, 1)
    assert s.pack() == before and after.chips == [2, 1]


def test_answers_that_no_draw_takes_are_refused(kuhn: Game):
    chance, book = Explicit(kuhn), book_of(kuhn)
    with pytest.raises(ValueError, match="answered from 0 to 2, not by 3"):
        chance.deal(book, (3,))
    with pytest.raises(ValueError, match="draw 2 times, and there are 3 answers"):
        chance.deal(book, (0, 1, 0))


@pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in quintain.all_games()])
def test_a_game_with_the_answers_of_its_generator_goes_as_it_does_with_the_generator(game: Game):
    book, chance, drawn = book_of(game), Explicit(game), list[int]()

    def noted(words: Any, n: int) -> int:
        answer = rng.below(words, n)
        if n > 1:
            drawn.append(answer)
        return answer

    rules = bound_rules(game, {rng.below: noted})
    s = game.state()
    rng.seed(s.rng, 4)
    rules.deal(book, s)
    ours, words = chance.deal(book, drawn), [1, 2, 3, 4]
    for _ in range(150):
        plain = s.copy()
        plain.rng[:] = [0, 0, 0, 0]
        assert ours == plain
        if s.over:
            break
        seat = rules.to_act(book, s).bit_length() - 1
        legal = game.legal_actions(book, s, seat)
        action = legal[rng.below(words, len(legal))]
        drawn.clear()
        rules.play(book, s, seat, action)
        ours = chance.play(book, ours, seat, action, drawn)


@pytest.mark.parametrize(
    ("instead", "said"),
    [
        ("rng.draw(s.rng) % CARDS", "deal or play calls rng.draw; let it draw with rng.below"),
        ("CARDS - CARDS\n    rng.seed(s.rng, 5)", "deal or play calls rng.seed; only the engine seeds"),
    ],
)
def test_a_game_that_draws_in_another_way_is_refused(tmp_path: Path, instead: str, said: str):
    text, old = KUHN.read_text(encoding="utf-8"), "rng.below(s.rng, CARDS)\n    s.card[1]"
    assert old in text
    path = tmp_path / "kuhn_draws.py"
    path.write_text(text.replace(old, f"{instead}\n    s.card[1]").replace('Game("kuhn"', 'Game("kuhn-draws"'))
    game = register_file(path)
    with pytest.raises(BadGame, match=said):
        Explicit(game).deal(book_of(game))
