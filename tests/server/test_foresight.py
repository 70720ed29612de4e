"""Previews of one decision, as pages show them: a tag that is equal on all choices says nothing and goes."""

from quintain.engine.rules.views import Preview
from quintain.server.tables.foresight import Previews

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
