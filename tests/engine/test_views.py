"""What the engine adds to a game's view, and what layouts make of it."""

from quintain.engine.layout import lay_out
from quintain.engine.views import Act, Label, Line, Phase, Piece, Question, Stat, View, Zone, completed, token

LEGEND = (Label("exposed", "exposed"), Label("known", "known"))


def view_of(*pieces: Piece, last: tuple[int, ...] = ()) -> View:
    zone = Zone("row", "own", 0, "row", pieces, len(pieces), "A row")
    return View((zone,), Phase("on", (Label("on", "on"),), 1), Question("what", "What?"), legend=LEGEND, last=last)


def test_acts_are_the_legal_actions_that_a_touch_can_mean():
    view = view_of(Piece("row.0", "a", "a", means=(1, 2)), Piece("row.1", "b", "b", acts=(Act(9, "cheat"),)))
    made = completed(view, {2: "do two", 3: "pass"}, (0,))
    assert [piece.acts for piece in made.pieces()] == [(Act(2, "do two"),), ()]
    assert made.acts == (Act(3, "pass"),) and [act.action for act in made.menu] == [2, 3]


def test_a_viewer_who_is_not_to_act_can_touch_nothing():
    made = completed(view_of(Piece("row.0", "a", "a", means=(1,))), {}, (1,))
    assert made.question is None and not made.menu and not any(piece.means for piece in made.pieces())


def test_a_piece_that_lies_deep_has_its_acts_in_the_menu_too():
    deep = Piece("deep", "c", "c", means=(4,))
    pile = Piece("row.0", "a", "a", on_it=(Piece("on", "b", "b", on_it=(deep,)),))
    assert [act.action for act in completed(view_of(pile), {4: "dig"}, (0,)).menu] == [4]


def test_an_action_that_reaches_another_piece_names_it_and_is_not_done_by_one_touch():
    pair = (Piece("row.0", "a", "a", reaches=((5, "row.1"),)), Piece("row.1", "b", "b", reaches=((5, "row.0"),)))
    made = completed(view_of(*pair), {5: "switch a and b"}, (0,))
    assert [[act.target for act in piece.acts] for piece in made.pieces()] == [["row.1"], ["row.0"]]
    laid = lay_out(made, 0)
    assert all(spot.has_acts and spot.usual_act is None for spot in laid.zones[0].spots)
    assert [choice.act.action for choice in laid.choices] == [5]


def test_final_actions_stand_last():
    made = completed(view_of(last=(1,)), {1: "stop", 2: "go on"}, (0,))
    assert [act.words for act in made.menu] == ["go on", "stop"] == [act.words for act in made.acts]


def test_states_have_signs_and_what_changes_a_number_has_none_but_is_said():
    changed = (Line("+2 by the lance"),)
    card = Piece("row.0", "a", "a", state=frozenset({"known"}), now=changed)
    number = token("row.1", Stat("influence", 5, 3, "Influence"), now=changed)
    (zone,) = lay_out(view_of(card, number), None).zones
    assert [spot.signs for spot in zone.spots] == ["†‡", ""]
    assert [(note.sign, note.words) for note in zone.footnotes] == [("†", "known"), ("‡", "+2 by the lance")]
    assert zone.spots[1].description == "Influence 5, +2 by the lance"
