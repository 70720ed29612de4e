"""What the engine adds to a game's view, and what layouts make of it."""

from quintain.engine.rules.views import Act, Label, Line, Phase, Piece, Question, Reach, Stat, View, Zone, token
from quintain.engine.seen.acts import completed
from quintain.engine.seen.layout import lay_out

LEGEND = (Label("exposed", "exposed"), Label("known", "known"))


def view_of(*pieces: Piece, last: tuple[int, ...] = ()) -> View:
    zone = Zone("row", "own", 0, "row", pieces, len(pieces), "A row")
    return View((zone,), Phase("on", (Label("on", "on"),), 1), Question("what", "What?"), legend=LEGEND, last=last)


def test_acts_are_the_legal_actions_that_a_touch_can_mean():
    view = view_of(Piece("row.0", "a", "a", means=(1, 2)), Piece("row.1", "b", "b", acts=(Act(9, "cheat"),)))
    made = completed(view, {2: "do two", 3: "pass"}, (0,))
    assert [piece.acts for piece in made.pieces()] == [(Act(2, "do two", "Do two"),), ()]
    assert made.acts == (Act(3, "pass", "Pass"),) and [act.action for act in made.menu] == [2, 3]


def test_a_viewer_who_is_not_to_act_can_touch_nothing():
    made = completed(view_of(Piece("row.0", "a", "a", means=(1,))), {}, (1,))
    assert made.question is None and not made.menu and not any(piece.means for piece in made.pieces())


def test_a_piece_that_lies_deep_has_its_acts_in_the_menu_too():
    deep = Piece("deep", "c", "c", means=(4,))
    pile = Piece("row.0", "a", "a", on_it=(Piece("on", "b", "b", on_it=(deep,)),))
    assert [act.action for act in completed(view_of(pile), {4: "dig"}, (0,)).menu] == [4]


def test_an_action_that_reaches_another_piece_names_it_and_is_not_done_by_one_touch():
    pair = (
        Piece("row.0", "a", "a", reaches=(Reach(5, "row.1"),)),
        Piece("row.1", "b", "b", reaches=(Reach(5, "row.0"),)),
    )
    made = completed(view_of(*pair), {5: "switch a and b"}, (0,))
    assert [[act.target for act in piece.acts] for piece in made.pieces()] == [["row.1"], ["row.0"]]
    laid = lay_out(made, 0)
    assert all(spot.can_be_chosen and spot.does is None for spot in laid.zones[0].spots)
    one, other = lay_out(made, 0, chosen="row.0").zones[0].spots
    assert one.is_chosen and other.is_target and other.does == made.zones[0].pieces[0].acts[0]


def test_a_piece_that_all_actions_concern_is_chosen_from_the_start():
    knight = Piece("knight", "k", "k", reaches=(Reach(1, "tile.0"), Reach(2, "tile.1")))
    tiles = [Piece(f"tile.{n}", "t", "t", reaches=(Reach(n + 1, "knight"),)) for n in range(2)]
    words = {1: "send it here", 2: "send it there"}
    spots = lay_out(completed(view_of(knight, *tiles), words, (0,)), 0).zones[0].spots
    assert [spot.is_chosen for spot in spots] == [True, False, False]
    assert [spot.does and spot.does.action for spot in spots] == [None, 1, 2]
    other = Piece("knight.1", "k", "k", reaches=(Reach(3, "tile.0"),))
    both = lay_out(completed(view_of(knight, *tiles, other), {**words, 3: "send the other"}, (0,)), 0)
    assert not any(spot.is_chosen for spot in both.zones[0].spots)


def test_a_touch_of_a_target_may_answer_two_questions():
    card = Piece("card", "c", "c", reaches=(Reach(7, "wall.0", 20), Reach(7, "wall.1", 21)))
    walls = [Piece(f"wall.{n}", "w", "w", reaches=(Reach(7, "card", 20 + n),)) for n in range(2)]
    made = completed(view_of(card, *walls), {7: "attack with c"}, (0,))
    spots = lay_out(made, 0, chosen="card").zones[0].spots
    assert [spot.does and spot.does.moves for spot in spots] == [None, "7+20", "7+21"]
    assert [(act.action, act.then, act.target) for act in made.menu] == [(7, None, None)]


def test_final_actions_stand_last():
    made = completed(view_of(last=(1,)), {1: "stop", 2: "go on"}, (0,))
    assert [act.words for act in made.menu] == ["go on", "stop"] == [act.words for act in made.acts]


def test_states_have_signs_and_what_changes_a_number_has_none_but_is_said():
    changed = (Line("+2 by the lance"),)
    card = Piece("row.0", "a", "a", state=frozenset({"known"}), now=changed)
    number = token("row.1", Stat("influence", 5, 3, "Influence"), now=changed)
    (zone,) = lay_out(view_of(card, number), None).zones
    assert [spot.signs for spot in zone.spots] == ["ᵇᶜ", ""]
    assert [(note.sign, note.words) for note in zone.footnotes] == [("ᵇ", "known"), ("ᶜ", "+2 by the lance")]
    assert zone.spots[1].description == "Influence 5, +2 by the lance"


def test_one_touch_acts_only_if_every_piece_has_one_action_that_can_be_taken_back():
    cards = tuple(Piece(f"row.{n}", "a", "a", means=means) for n, means in enumerate([(1,), (2,), (3, 4), (9,)]))
    made = completed(view_of(*cards), {1: "one", 2: "two", 3: "three", 4: "four"}, (0,), undoable={1, 3, 4})

    def touches(chosen="", confirms=False):
        spots = lay_out(made, 0, chosen, confirms).zones[0].spots
        return [spot.does.action if spot.does else "choose" if spot.can_be_chosen else None for spot in spots]

    assert touches() == ["choose"] * 4, "the second card cannot be taken back, and the third has two actions"
    assert touches("row.1") == ["choose", 2, "choose", "choose"]
    assert touches("row.2") == ["choose"] * 4
    quick = completed(view_of(*cards), {1: "one", 2: "two"}, (0,), undoable={1, 2})
    assert [spot.does and spot.does.action for spot in lay_out(quick, 0).zones[0].spots] == [1, 2, None, None]
    assert not any(spot.does for spot in lay_out(quick, 0, confirms=True).zones[0].spots)
    assert [spot.barred for spot in lay_out(made, 0).zones[0].spots] == [None, None, None, 9]
    assert not any(spot.does or spot.can_be_chosen for spot in lay_out(made, None).zones[0].spots)
