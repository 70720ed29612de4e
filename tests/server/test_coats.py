"""Coats of arms: each player has one, it keeps the rules of heraldry, and browsers can draw it."""

import re
from xml.etree import ElementTree

import pytest

from quintain.server.pages import coats
from quintain.server.pages.coats import Coat, blazon, coat_of, drawn_large, drawn_small
from quintain.server.pages.rendering import STATIC, environment

MANY = range(1, 20_001)
LEVELS = ("random", "page", "greedy", "squire", "knight", "champion", "minstrel", "grandmaster")
STRANGE = ("careful:Careful", "bold:Bold", "a b", "", "-3", "<svg>")
SAMPLE = [*map(str, range(1, 2000, 3)), *map(str, range(6000, 20_000, 53)), *LEVELS, *STRANGE]
METALS = {"or", "argent"}


def small_picture(coat: Coat) -> tuple[str, ...]:
    return coat.field, coat.parted, coat.second, coat.charge, coat.tincture


def laid(coat: Coat) -> list[tuple[str, str]]:
    """Return each tincture of a coat with one on which it lies."""
    fields = [coat.field] + [coat.second] * bool(coat.parted)
    pairs = [(coat.tincture, field) for field in fields]
    pairs += [(coat.over, field) for field in fields if coat.support]
    below = [coat.over] if coat.support else fields
    return pairs + [(coat.lesser_tincture, lower) for lower in below if coat.lesser]


def test_the_first_20000_players_have_different_coats_and_blazons():
    chosen = {coat_of(str(number)) for number in MANY}
    assert len(chosen) == len({blazon(coat) for coat in chosen}) == len(MANY)


def test_100000_coats_suffice_for_a_large_house():
    assert coats.PEOPLE > 100_000
    assert coat_of(str(coats.PEOPLE)) != coat_of(str(coats.PEOPLE + 1)) == coat_of("1")


def test_small_pictures_repeat_only_after_all_have_been_used():
    first = [small_picture(coat_of(str(number))) for number in range(1, coats.SMALL + 1)]
    assert len(set(first)) == coats.SMALL > 6000
    assert small_picture(coat_of(str(coats.SMALL + 1))) == first[0]


def test_neighbours_differ_in_field_and_charge():
    for number in range(1, 3000):
        coat, following = coat_of(str(number)), coat_of(str(number + 1))
        assert coat.charge != following.charge
        assert (coat.field, coat.parted, coat.second) != (following.field, following.parted, following.second)


def test_every_coat_keeps_the_rule_of_tincture():
    for who in [*map(str, MANY), *LEVELS, *STRANGE]:
        coat = coat_of(who)
        assert all((upper in METALS) != (lower in METALS) for upper, lower in laid(coat)), coat


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"field": "azure", "tincture": "gules"}, "gules lies on azure"),
        ({"field": "or", "tincture": "argent"}, "argent lies on or"),
        ({"field": "azure", "tincture": "or", "parted": "per pale", "second": "argent"}, "or lies on argent"),
        ({"field": "azure", "tincture": "or", "support": "chief", "over": "vert"}, "vert lies on azure"),
        ({"field": "azure", "tincture": "or", "lesser": "stars", "lesser_tincture": "sable"}, "sable lies on azure"),
    ],
)
def test_a_coat_that_breaks_the_rule_of_tincture_is_refused(fields: dict[str, str], message: str):
    with pytest.raises(ValueError, match=message):
        Coat(charge="lion", **fields)


@pytest.mark.parametrize(
    ("who", "words"),
    [
        ("1", "Azure, a lion's head or"),
        ("7", "Or, an axe between two flaunches sable"),
        ("9", "Argent, a moon sable; on a chief gules three hearts argent"),
        ("812", "Per fess gules and vert, a fox's face or within a bordure argent"),
        ("champion", "Purpure, a crown within a laurel wreath or; on a chief or three stars purpure"),
        ("minstrel", "Or, a lyre within a bordure azure"),
        ("grandmaster", "Gules, a throne or; on a chief or three lozenges gules"),
    ],
)
def test_a_player_keeps_the_same_coat_for_ever(who: str, words: str):
    assert blazon(coat_of(who)) == words


@pytest.mark.parametrize(
    ("coat", "words"),
    [
        (
            Coat("gules", "lion", "or", support="chief", over="argent", lesser="stars", lesser_tincture="azure"),
            "Gules, a lion's head or; on a chief argent three stars azure",
        ),
        (Coat("azure", "deer", "argent", support="bordure", over="or"), "Azure, a stag argent within a bordure or"),
        (Coat("azure", "deer", "or", support="bordure", over="or"), "Azure, a stag within a bordure or"),
        (Coat("or", "oak", "vert", support="base", over="vert"), "Or, an oak and a base vert"),
        (Coat("or", "oak", "vert", support="base", over="sable"), "Or, an oak vert, a base sable"),
        (
            Coat("azure", "owl", "or", "per bend", "gules", lesser="hearts", lesser_tincture="argent"),
            "Per bend azure and gules, an owl or between three hearts argent",
        ),
        (
            Coat("tenne", "crossed-swords", "argent", lesser="rings", lesser_tincture="argent"),
            "Tenné, two swords in saltire between three rings argent",
        ),
    ],
)
def test_blazons_follow_the_order_of_heralds(coat: Coat, words: str):
    assert blazon(coat) == words


def test_every_charge_is_in_the_sprite_and_in_the_credits():
    vendor = STATIC / "vendor"
    held = set(re.findall(r'<symbol id="([^"]+)"', (vendor / "arms.svg").read_text(encoding="utf-8")))
    credited = (vendor / "credits.json").read_text(encoding="utf-8")
    for charge in [*coats.CHARGES, *coats.BADGES]:
        assert charge in held and f'"{charge}"' in credited


def test_bots_have_coats_of_their_own():
    people = {coat_of(str(number)) for number in MANY}
    bots = [coat_of(who) for who in (*LEVELS, *STRANGE)]
    assert len({small_picture(bot) for bot in bots[: len(LEVELS)]}) == len(LEVELS)
    assert len(set(bots)) == len(bots)
    assert not {small_picture(bot) for bot in bots} & {small_picture(person) for person in people}
    assert not {bot.charge for bot in bots[: len(LEVELS)]} & {person.charge for person in people}


@pytest.mark.parametrize("draw", [drawn_small, drawn_large])
def test_drawings_are_xml_without_styles_that_the_policy_forbids(draw):
    colours = set(re.findall(r"(--[a-z-]+):", (STATIC / "css" / "colours.css").read_text(encoding="utf-8")))
    for who in SAMPLE:
        svg = draw(coat_of(who), "coat", 'O\'Neil & "<b>"')
        root = ElementTree.fromstring(svg)
        assert root.attrib == {
            "class": "coat",
            "viewBox": "0 0 100 116",
            "role": "img",
            "aria-label": 'O\'Neil & "<b>"',
        }
        assert not any("style" in part.attrib or part.tag == "style" for part in root.iter())
        assert set(re.findall(r"var\((--[a-z-]+)\)", svg)) <= colours
        assert [use.get("href") for use in root.iter("use")] == [f"/static/vendor/arms.svg#{coat_of(who).charge}"]


def test_a_drawing_without_a_label_is_hidden_from_screen_readers():
    root = ElementTree.fromstring(drawn_small(coat_of("7"), "arms"))
    assert root.attrib == {"class": "arms", "viewBox": "0 0 100 116", "aria-hidden": "true"}


def test_large_drawings_differ_and_small_ones_leave_out_what_would_not_be_seen():
    numbers = ["2", str(coats.SMALL + 2), str(2 * coats.SMALL + 2)]
    assert len({drawn_large(coat_of(number), "coat") for number in numbers}) == 3
    assert len({drawn_small(coat_of(number), "arms") for number in numbers}) == 1


def test_templates_can_draw_coats():
    templates = environment()
    assert templates.render_str("{{ coat('7') }}") == drawn_small(coat_of("7"), "arms")
    large = templates.render_str("{{ big_coat('squire', '<Ada>') }}", "page.html")
    words = ElementTree.fromstring(large).get("aria-label")
    assert words == "<Ada>'s arms: Azure, a horseshoe within an orle argent"
