"""Previews of one decision, as pages show them: a tag that is equal on all choices says nothing and goes."""

from quintain.engine.play.match import Match
from quintain.engine.rules.views import Line, Preview
from quintain.engine.seen.previews import leading_on
from quintain.server.tables.foresight import Previews, reason

MORE, SAME, LESS = Preview("good", "+1 war score"), Preview("good", "+1 war score"), Preview("bad", "-2 war score")


def shorts(*made):
    """Return the tags of previews that were made one after another, by path."""
    return {path: shown.short for path, shown in Previews(1, None, dict(made)).shown.items()}


def test_a_tag_goes_as_soon_as_another_preview_has_the_same():
    assert shorts(((1,), MORE)) == {(1,): MORE.short}
    assert shorts(((1,), MORE), ((2,), SAME)) == {(1,): "", (2,): ""}


def test_tags_stay_while_one_is_another_or_a_choice_has_none():
    assert shorts(((1,), MORE), ((2,), SAME), ((3,), LESS)) == {(1,): MORE.short, (2,): SAME.short, (3,): LESS.short}
    assert shorts(((1,), MORE), ((2,), None)) == {(1,): MORE.short}


def test_a_hint_gives_its_reasons_in_sentences():
    lines = (
        "you: 1 \N{RIGHTWARDS ARROW} 2 war score",
        "likely: Bo: 3 \N{RIGHTWARDS ARROW} 1 war score",
        "Main deck: for 1 RP 11 \N{RIGHTWARDS ARROW} 19",
    )
    known = {(4,): Preview("good", "+1", tuple(map(Line, lines)))}
    assert reason(known, 4) == "You have 2 war score instead of 1. Main deck, for 1 RP: 19 instead of 11."
    assert reason({(4,): Preview("good", "", (Line(lines[1]),))}, 4) == "Likely: Bo has 1 war score instead of 3."
    assert reason(known, 5) == ""


def test_the_reason_for_a_card_whose_place_is_chosen_next_holds_at_each_place():
    both, one = Line("Bo wins"), Line("Knight 1 falls")
    known = {(4, 8): Preview("bad", "", (one, both)), (4, 9): Preview("bad", "", (both,))}
    assert reason(known, 4) == "Bo wins."


def test_the_previews_for_a_hint_are_those_of_all_places_of_a_card():
    view = Match.new("rune-war", seed=bytes(32)).view(0)
    act = next(act for piece in view.pieces() for act in piece.acts if act.then is not None)
    paths = leading_on(view, act.action)
    assert act.path in paths and all(path[0] == act.action and len(path) == 2 for path in paths)
    assert leading_on(view, -1) == [(-1,)]
