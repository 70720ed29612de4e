"""The rendered pages: what they show, what they hide, and how they behave in a browser.

The pages come from `samples.py`; the tests at the end open them in Chromium.
"""

import itertools
import random
import re
from functools import cache
from html import unescape

import pytest

import quintain
from quintain.engine.rules.registry import game
from quintain.engine.rules.views import FREE, Label, Phase, Piece, Question, View, Zone
from quintain.engine.seen.acts import completed
from quintain.games.heirless.state import BANDITS_SET, PLAYERS_SET
from quintain.games.rune_war.view import LEGEND
from quintain.server.pages import heraldry
from quintain.server.pages.rendering import STATIC, environment, view_context
from quintain.server.pages.words import with_seconds_left
from server.browsing import CHROMIUM, opened, reopened
from server.guests import PATIENCE
from server.samples import (
    ANSWERED,
    NAMES,
    SEED,
    all_pages,
    every_layout,
    is_answering,
    page,
    played,
    positions,
    table_page,
)

VOID = {"base", "input", "meta", "link", "br", "use", "path"}
GENERIC = "boards/generic.html"
FACE_DOWN = {"a card face down", "face down"}
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
needs_chromium = pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no /usr/bin/chromium (Debian: chromium)")
needs_files = pytest.mark.skipif(not (STATIC / "vendor").is_dir(), reason="tools/assets.py has not been run")
pytestmark = needs_files


ATTRIBUTE = r"""\s+([^\s"'<>/=]+)(?:="([^"]*)"|='([^']*)')?"""
ATTRIBUTES = re.compile(ATTRIBUTE)
TOKENS = re.compile(
    r"(?P<text>[^<]+)|</(?P<end>[a-zA-Z][\w-]*)>|<!--.*?-->|<!doctype html>"
    rf"|<(?P<tag>[a-zA-Z][\w-]*)(?P<attributes>(?:{ATTRIBUTE})*)\s*(?P<closed>/?)>",
    re.DOTALL,
)
"""What a page consists of; our pages write each value of an attribute in quotes."""


class Page:
    """A parsed page: every start tag with its attributes, and the text inside each element.

    It takes half the time of Python's parser, and takes no page that a browser would have to guess about.
    """

    def __init__(self, html):
        self.tags, self.open, self.said = [], [], []
        at = 0
        while at < len(html):
            found = TOKENS.match(html, at)
            assert found, f"this is no HTML: {html[at : at + 80]}"
            at = found.end()
            if found["text"]:
                self.said.append(unescape(found["text"]))
            elif found["tag"]:
                self._starts(found["tag"].lower(), found["attributes"], bool(found["closed"]))
            elif found["end"]:
                self._ends(found["end"].lower())
        assert not self.open, f"left open: {self.open}"

    def _starts(self, tag, attributes, is_closed):
        inside = [*self.open[-1][2], self.open[-1][0]["tag"]] if self.open else []
        element = {"tag": tag, "text": "", "inside": inside}
        for each in ATTRIBUTES.finditer(attributes):
            value = each[3] if each[2] is None else each[2]
            element[each[1].lower()] = unescape(value) if value else value
        self.tags.append(element)
        if tag not in VOID and not is_closed:
            self.open.append((element, len(self.said), inside))

    def _ends(self, tag):
        element, before, _ = self.open.pop()
        assert element["tag"] == tag, f"</{tag}> closes something else"
        element["text"] = "".join(self.said[before:])

    def all(self, tag=None, **attributes):
        wanted = attributes.items()
        return [e for e in self.tags if tag in (None, e["tag"]) and all(e.get(name) == value for name, value in wanted)]


@pytest.fixture(scope="module")
def templates():
    """Return templates that fail if they show an undefined value; they may test for one."""
    made = environment()
    made.undefined_behavior = "semi_strict"
    return made


def html_of(templates, template, context):
    return with_seconds_left(templates.render_template(template, **context))


def view_of(zone, legal, to_act=(0,)):
    """Return a view of one zone."""
    view = View((zone,), Phase("on", (Label("on", "playing"),), 1), Question("what", "Which?") if legal else None)
    return completed(view, legal, to_act)


@cache
def sample_pages():
    return list(all_pages(game("kings-court"), game("goofspiel"), game("robin")))


@cache
def drawn_pages(templates):
    """Return the sample pages as they are drawn: the name, the context, the HTML, and the page that it makes."""
    drawn = [(name, context, html_of(templates, template, context)) for name, template, context in sample_pages()]
    return [(name, context, html, Page(html)) for name, context, html in drawn]


@pytest.mark.parametrize(
    ("id_", "every"),
    [("kings-court", 7), ("goofspiel", 7), ("heirless", 45), ("robin", 9), ("round-table", 90), ("rune-war", 40)],
)
@pytest.mark.parametrize("at_a_full_table", [False, pytest.param(True, marks=pytest.mark.long)], ids=["few", "full"])
def test_every_viewer_of_every_game_can_touch_what_is_legal_and_nothing_else(templates, id_, every, at_a_full_table):
    seats = game(id_).seats[at_a_full_table]
    for match in positions(game(id_), seats, every):
        for viewer in (*range(seats), None):
            context = table_page(match, viewer, foresees=False)
            page = Page(html_of(templates, "table.html", context))
            buttons = page.all("button", name="action")
            legal = [] if viewer is None else [move.action for move in match.moves(viewer)]
            if choice := context["choice"]:  # one form has all moves of this choice
                assert [way["value"] for way in page.all("button", name="way")] == ["keep", "rest", "chosen"]
                cards = {box["value"] for box in page.all("input", name="cards")}
                assert cards and cards <= set(choice["cards"])
                legal = []
            assert sorted({int(button["value"].partition("+")[0]) for button in buttons}) == legal
            assert all(button["text"].strip() for button in buttons)
            assert all("form" in button["inside"] for button in buttons)


def test_a_view_of_every_layout_is_drawn_with_all_its_pieces(templates):
    context = table_page(next(positions(game("goofspiel"), 2, every=1)), 0)
    context["view"] = view_context(game("goofspiel"), every_layout(game("goofspiel")), 0)
    page = Page(html_of(templates, "table.html", context))
    ids = {element["id"] for element in page.tags if "id" in element}
    view = every_layout(game("goofspiel"))
    assert {piece.id for piece in view.pieces()} <= ids
    assert {button["value"] for button in page.all("button", name="action")} == {"1", "30", "31", "10"}


@pytest.mark.parametrize("id_", ["goofspiel", "heirless", "robin", "round-table", "rune-war"])
def test_the_account_of_the_last_battle_is_beside_the_log(templates, id_):
    read = []
    for match in positions(game(id_), game(id_).seats[2], every=13 if id_ in ("goofspiel", "robin") else 39):
        for viewer in (0, None):
            lines, over = match.account(viewer), match.outcome is not None
            page = Page(html_of(templates, "table.html", table_page(match, viewer, foresees=False)))
            places = page.all("details", id="came-about")
            assert len(page.all("table", **{"class": "account"})) == len(places) == bool(lines)
            assert not any("open" in place for place in places)
            for line in lines:
                assert line.words in places[0]["text"]
                assert not line.clause or page.all("a", href=f"/rules/{id_}#{line.clause}")
            numbers = [(cell["data-name"], cell["text"]) for cell in page.all("td", **{"class": "number"})]
            rows = [line.by_seat for line in lines]
            assert numbers == [(match.names[i], str(n)) for row in rows for i, n in enumerate(row)]
            read.append((bool(lines), over))
    assert {(False, False), (True, False), (True, True)} <= set(read)


def test_equal_cards_are_all_lit():
    equal = tuple(Piece(f"hand.{n}", "bid-5", "5", means=(3,)) for n in (0, 1))
    view = view_of(Zone("hand", "hand", 0, "fan", equal, 2, "Your hand"), {3: "bid 5"})
    shown = view_context(game("goofspiel"), view, 0)
    assert [[act.words for act in piece.acts] for piece in shown["zones"][0].pieces] == [["bid 5"]] * 2
    assert all("lit" in piece.classes for piece in shown["zones"][0].pieces) and shown["acts"] == ()


def test_the_commitment_to_the_seed_is_shown_during_play(templates):
    for match in positions(game("goofspiel"), 2, every=5):
        page = Page(html_of(templates, "table.html", table_page(match, 0)))
        promised = [place["text"] for place in page.all("details", **{"class": "seed"})]
        assert len(promised) == 1 and match.commitment in promised[0]


def test_a_piece_that_can_be_touched_only_at_other_times_is_barred():
    zone = Zone("prize", "middle", None, "row", (Piece("prize.0", "3", "the prize of 3", means=(3,)),), 1, "Prize")
    for viewer, legal, barred in ((None, {}, None), (0, {4: "pass"}, 3), (1, {}, None), (0, {3: "take it"}, None)):
        (shown,) = view_context(game("goofspiel"), view_of(zone, legal), viewer)["zones"][0].pieces
        assert shown.barred == barred


@pytest.mark.parametrize("id_", ["goofspiel", "kings-court", "rune-war"])
def test_in_the_grid_of_the_end_the_final_scores_stand_out(templates, id_):
    match = played(game(id_), lambda match: False, seed=3)
    html = html_of(templates, "table.html", table_page(match, 0))
    grid = html.partition('id="grid"')[2].partition("</section>")[0]
    (total,) = re.findall(r'<tr class="total">(.*?)</tr>', grid, re.DOTALL)
    numbers = re.findall(r"<td[^>]*><b>(-?\d+)</b>", total)
    assert [int(number) for number in numbers] == list(match.outcome.scores)


def test_the_plates_of_robin_say_what_is_held_what_has_been_won_and_how_much_is_left(templates):
    match = played(game("robin"), is_answering, ANSWERED)
    page = Page(html_of(templates, "table.html", table_page(match, 0)))
    view = match.view(0)
    for seat in (0, 1):
        said = words_of(page, f"seat.{seat}")
        assert f"{view.scores[seat].number} of 4 stages" in said
        assert f"rounds won {view.count('rounds', seat)} of 3" in said
        assert f"cards to draw {view.count('pile', seat)}" in said
    assert len([dot for dot in page.all("i", **{"aria-hidden": "true"}) if "won" in dot.get("class", "")]) == sum(
        view.count("rounds", seat) for seat in (0, 1)
    )


def test_a_state_of_the_games_own_legend_has_the_same_sign_everywhere():
    found, signs = game("rune-war"), {}
    for match in positions(found, 3, every=5):
        for zone in view_context(found, match.view(0), 0)["zones"]:
            for note in zone.footnotes:
                signs.setdefault(note.words, set()).add(note.sign)
    own = [label.words for label in LEGEND if label.words in signs]
    assert len(own) >= 3 and all(len(signs[words]) == 1 for words in own)


def test_an_account_of_open_cards_is_the_same_for_all(templates):
    match = played(game("heirless"), lambda m: any(line.clause == "HB-17" for line in m.account()))
    pages = [html_of(templates, "table.html", table_page(match, viewer)) for viewer in (None, 0, 1)]
    assert len({re.search(r'<table class="account">.*?</table>', page, re.DOTALL)[0] for page in pages}) == 1


def test_a_token_on_a_piece_has_its_name_and_the_arms_of_its_owner_or_its_kind(templates):
    chips = set()
    for match in positions(game("heirless"), 2, every=5):
        html = html_of(templates, "table.html", table_page(match, 0, board=GENERIC))
        for chip in re.findall(r'<span class="chip" aria-hidden="true">(.*?)</span>', html):
            arms = re.findall(r"arms\.svg#([^\"]+)", chip)
            chips.add((*arms, re.sub(r"<.*?>", "", chip)))
    assert {("heirless.resources", "Resources 0"), ("heirless.damage", "Damage 8")} <= chips
    assert {arms for arms, words in chips if re.fullmatch(r"Knights? \d", words)} == {"seat.0", "seat.1"}
    assert {arms for arms, words in chips if re.fullmatch(r"Bandits? \d", words)} == {"heirless.bandit"}


def words_of(page, id_):
    """Return the text of the element with an id in a rendered page."""
    (element,) = page.all(id=id_)
    return " ".join(element["text"].split())


def test_a_card_of_robin_in_the_hand_shows_its_text_and_its_levels_in_their_colours(templates):
    match = played(game("robin"), is_answering, ANSWERED)
    html = html_of(templates, "table.html", table_page(match, 0))
    page, hand = Page(html), match.view(0).zones[-1]
    assert any(card.stats for card in hand.pieces)
    for card in hand.pieces:
        assert card.name in words_of(page, card.id) and card.text in words_of(page, card.id)
        drawn = html.partition(f'id="{card.id}"')[2].partition("</a>")[0]
        levels = [(int(tone), int(number)) for tone, number in re.findall(r'class="l(\d)">.*?(\d)</span>', drawn)]
        assert levels == [(stat.number, stat.number) for stat in card.stats]


def test_the_board_of_robin_shows_every_zone_and_the_characters_on_both_sides(templates):
    stood = fought = 0
    for match in positions(game("robin"), 2, every=18):
        for viewer in (0, 1, None):
            page = Page(html_of(templates, "table.html", table_page(match, viewer, foresees=False)))
            view = match.view(viewer)
            is_picking = view.scene is not None and view.scene.kind == "set"
            for zone in view.zones:
                if zone.id == "compared" and is_picking:
                    continue
                assert len(page.all(id=f"zone.{zone.id}")) == 1
                names = [piece.name for piece in zone.pieces if piece.key]
                assert all(name in words_of(page, f"zone.{zone.id}") for name in names)
                for stage in zone.pieces if zone.id in ("stages", "compared") else ():
                    sides = [stage.on_it[:2], stage.on_it[2:4]]
                    for who, level in [side for side in sides if side[0].key]:
                        assert level.stats[0].written.replace("-", "\N{MINUS SIGN}") in words_of(page, level.id)
                        assert who.name in words_of(page, who.id) and who.text in words_of(page, who.id)
                        stood, fought = stood + (zone.id == "stages"), fought + (zone.id == "compared")
    assert stood > 10 and fought > 10


@needs_chromium
@pytest.mark.parametrize(("caste", "politics", "shown"), [("outlaw", "", 10), ("outlaw", "pacifist", 2)])
def test_a_collection_of_robin_is_filtered_without_script_and_stays_so_when_a_card_is_taken(
    browser, templates, caste, politics, shown
):
    match = quintain.Match.new("robin", names=NAMES[:2], seed=SEED)
    match.play(0, "choose a new set")
    page = opened(browser, html_of(templates, "table.html", table_page(match, 0)))
    cards = page.locator("[id='zone.collection.0'] .piece:visible")
    assert cards.count() == 64
    page.locator(f"label[for=rh-caste-{caste}]").click()
    if politics:
        page.locator(f"label[for=rh-politics-{politics}]").click()
    assert cards.count() == shown
    match.play(0, "take Friar Tuck")
    swap(page, html_of(templates, "table_body.html", table_page(match, 0)))
    assert cards.count() == shown - 1
    page.locator("label[for=rh-caste-noble]").click()
    assert cards.count() > shown, "filters of one kind add up"
    page.locator(f"[id='rh-caste-{caste}']").focus()
    page.evaluate("document.querySelector('#moves').addEventListener('submit', () => { window.sent = true; })")
    page.keyboard.press("Enter")
    assert not page.evaluate("window.sent"), "a filter sends no move"
    page.close()


def test_no_page_has_a_script_or_a_style_of_its_own_and_every_id_is_there_once(templates):
    for name, _, _, drawn in drawn_pages(templates):
        ids = [element["id"] for element in drawn.tags if "id" in element]
        assert len(ids) == len(set(ids)), f"{name}: {[id_ for id_ in ids if ids.count(id_) > 1]}"
        assert not drawn.all("style"), name
        for element in drawn.tags:
            assert element["tag"] != "script" or element.get("src", "").startswith("/static/"), name
            assert not [attribute for attribute in element if attribute == "style" or attribute.startswith("on")], name


def test_every_form_that_posts_carries_the_token(templates):
    for name, context, html, _ in drawn_pages(templates):
        forms = re.findall(r'<form[^>]*method="post".*?</form>', html, re.DOTALL)
        assert all(f'name="csrf" value="{context["csrf"]}"' in form for form in forms), name


def test_every_id_that_is_pointed_to_is_there(templates):
    for name, _, _, drawn in drawn_pages(templates):
        ids = {element.get("id") for element in drawn.tags}
        for element in drawn.tags:
            for attribute in ("for", "form", "aria-describedby", "aria-labelledby", "data-copy"):
                assert ids.issuperset(element.get(attribute, "").split()), f"{name}: {element}"


def test_words_of_players_and_games_are_never_markup(templates):
    for _, template, context in sample_pages():
        hostile = {
            "title": "<b>",
            "player": {"name": "<b>", "key": "1"},
            "notice": "<b>",
            "words": "<b>",
            "seat_name": "<b>",
        }
        html = html_of(templates, template, (context | hostile))
        assert not re.search(r"<b>&(?!(\w+;|&)+</b>)", html), "signs of footnotes aside"
        assert not re.search(r"<b></?(title|span|p|h1)", html)


@pytest.mark.parametrize("id_", ["kings-court", "goofspiel"])
def test_a_face_down_card_says_only_that_and_its_owner(templates, id_):
    backs = 0
    for match in positions(game(id_), 2, every=5):
        for viewer in (0, 1, None):
            page = Page(html_of(templates, "table.html", table_page(match, viewer)))
            for back in page.all("span", **{"class": "back"}):
                backs += 1
                piece = page.tags[page.tags.index(back) - 1]
                assert re.fullmatch(r"piece \w+ is-down", piece["class"])
                assert re.fullmatch(r"@[01]?", piece["data-flies"])
                assert piece["text"] in FACE_DOWN
    assert backs > 3


def test_the_counters_of_the_rival_show_nothing(templates):
    for match in positions(game("kings-court"), 2, every=9):
        if match.outcome:
            break
        page = Page(html_of(templates, "table.html", table_page(match, None)))
        counters = [element for element in page.tags if element.get("id", "").startswith("counter.")]
        words = {counter["text"].partition(": ")[2].strip() for counter in counters}
        assert len(counters) == 12
        assert words <= {"counter, face down", "counter, not put yet"}


def test_the_numbers_of_every_battlecard_can_be_read_and_who_still_holds_it(templates):
    holders = set()
    for match in positions(game("heirless"), 3, every=11):
        for viewer in (1, None):
            page = Page(html_of(templates, "table.html", table_page(match, viewer, foresees=False)))
            rows = {"".join(row["text"].split()) for row in page.all("tr") if "tbody" in row["inside"]}
            hands = [zone for zone in match.view(viewer).zones if zone.id.startswith("hand.")]
            for which, owned in ((PLAYERS_SET, range(3)), (BANDITS_SET, range(6, 9))):
                for card, title in enumerate(match.book.card_name[which][:6]):
                    changes = (*match.book.attack[which][card], *match.book.defence[which][card])
                    holding = [
                        hand.words
                        for hand in sorted(hands, key=lambda zone: zone.id)
                        if hand.id in {f"hand.{owner}" for owner in owned}
                        and any(piece.key == f"card_{title.lower().replace(' ', '_')}" for piece in hand.pieces)
                    ]
                    numbers = "".join(f"{change:+d}" if change else "0" for change in changes).replace(
                        "-", "\N{MINUS SIGN}"
                    )
                    assert "".join([title, numbers, *holding]).replace(" ", "") in rows
                    holders.add(len(holding))
    assert holders == {0, 1, 2, 3}


def test_every_face_of_kings_court_has_its_picture():
    kings_court = game("kings-court")
    arms = heraldry.all_arms([kings_court])
    faces = set()
    for match in positions(kings_court, 2, every=1):
        faces |= {piece.key for piece in match.view(0).pieces() if piece.key}
    assert {f"{house}-{rank}" for house in ("artois", "febrois") for rank in range(1, 9)} & faces
    for face in faces | {f"de_bourgogne-{rank}" for rank in range(1, 9)}:
        shown = heraldry.picture(kings_court, face, None)
        assert shown.arms in arms
        assert shown.arms.startswith("kings-court.")
        assert bool(shown.foot) == bool(shown.label)


def test_a_pyramid_keeps_its_gaps_and_shows_free_places(templates):
    own = [Piece(f"camp.{row}.{i}", "rune-7", "a rune", seat=0, at=(row, i)) for row, i in ((0, 0), (2, 1))]
    free = Piece("camp.1.0", None, "a free place", seat=0, at=(1, 0), means=(5,), state=frozenset({FREE}))
    view = view_of(Zone("camp", "own", 0, "pyramid", (*own, free), 2, "Your camp"), {5: "at 1.0"})
    (shown,) = view_context(game("goofspiel"), view, 0)["own"]
    assert [[piece and piece.id for piece in row["pieces"]] for row in shown.rows] == [
        ["camp.0.0"],
        ["camp.1.0", None],
        [None, "camp.2.1", None],
    ]
    assert not shown.docked
    html = templates.render_template("parts/zone.html", part=shown)
    assert html.count('class="vacant"') == 1 and html.count('class="free"') == 3 and 'class="back"' not in html


def test_the_six_houses_can_be_told_apart_without_colours():
    houses = heraldry.arms_of(game("kings-court"))
    assert len({arms.charge for arms in houses.values()}) == len(houses)


def test_the_sprite_holds_all_that_pages_refer_to(templates):
    sprite = (STATIC / "vendor" / "arms.svg").read_text(encoding="utf-8")
    held = set(re.findall(r'<symbol id="([^"]+)"', sprite))
    assert set(heraldry.all_arms([game("kings-court"), game("rune-war"), game("robin")])) <= held
    for name, _, html, _ in drawn_pages(templates):
        assert set(re.findall(r"arms\.svg#([^\"]+)", html)) <= held, name


def test_foreign_games_get_arms_for_every_kind_of_face():
    goofspiel = game("goofspiel")
    arms = heraldry.all_arms([])
    assert heraldry.picture(goofspiel, "13", 1) == heraldry.Picture("seat.1", "13")
    assert heraldry.picture(goofspiel, "13", None) == heraldry.Picture("nobody", "13")
    assert heraldry.picture(goofspiel, "seat", 2) == heraldry.Picture("seat.2")
    for face in ("wagon", "rune-7", "a b c", "-3", "", "<svg>"):
        assert heraldry.picture(goofspiel, face, 5).arms in arms


def test_bad_arms_are_refused():
    with pytest.raises(ValueError, match="there is no tincture 'pink'"):
        heraldry.Arms("pink", "plain", "lion", "or")
    with pytest.raises(ValueError, match="there is no ordinary 'swirl'"):
        heraldry.Arms("or", "swirl", "lion", "gules")


def test_the_credits_name_the_author_of_every_icon(templates):
    sprite = (STATIC / "vendor" / "arms.svg").read_text(encoding="utf-8")
    html = html_of(templates, "credits.html", page("Credits"))
    for author in ("Lorc", "Delapouite", "Skoll", "Caro Asercion", "sbed"):
        assert author in html
    icons = set(re.findall(r'<symbol id="([^".]+)" viewBox="0 0 512 512"', sprite))
    charges = {arms.charge for arms in heraldry.all_arms(quintain.all_games()).values()}
    for icon in icons | charges:
        assert icon.replace("-", " ") in html


TOO_SMALL = """[...document.querySelectorAll("button, summary, select, a.piece, a.button")].filter((e) => {
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const [right, down] = middle(e.getBoundingClientRect());
  const isInSight = right >= 0 && right <= innerWidth && down >= 0 && down <= innerHeight;
  if (!isInSight) e.scrollIntoView({block: "nearest", inline: "nearest"});
  const box = e.getBoundingClientRect();
  const [x, y] = middle(box);
  const reach = (right, down) => {
    let n = 0;
    while (n < 44 && e.contains(document.elementFromPoint(x + right * (n + 1), y + down * (n + 1)))) n += 1;
    return n;
  };
  const isCard = e.matches(".hand.idle .piece") || (e.matches(".hand .piece") && box.width >= 38 && box.height >= 60);
  const isRow = e.matches(".deck-row") && box.height >= 27 && matchMedia("(pointer: fine)").matches;
  if (!box.width || !e.checkVisibility() || isCard || isRow || e.matches("[id^=defence]")) return false;
  const wide = box.width >= 43.5 || reach(-1, 0) + reach(1, 0) >= 43;
  const high = box.height >= 43.5 || reach(0, -1) + reach(0, 1) >= 43;
  return !(wide && high);
}).map((e) => e.textContent)"""
"""Finds what is too small to touch; what is out of sight is scrolled into sight first.

Cards in a full hand may be narrower, and so may the cards of a large defence. Rows that a mouse uses may be 27 px high.
"""


SETTLED = """async () => {
  await document.fonts.ready;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
"""Waits until the scripts of a page have heard of a new size of the window: the browser tells them with a frame."""


ZOOMS = """[...document.querySelectorAll("input:not([type=checkbox], [type=range], [type=hidden]), select, textarea")]
  .filter((e) => parseFloat(getComputedStyle(e).fontSize) < 16).map((e) => e.outerHTML.slice(0, 80))"""
"""Finds fields with text of less than 16 px."""
LOOKS = (("light", 375), ("dark", 1280))


@needs_chromium
@pytest.mark.parametrize("other", [0, pytest.param(1, marks=pytest.mark.long)], ids=["one look", "the other look"])
@pytest.mark.parametrize("half", [0, 1])
def test_no_page_is_hard_to_read_to_reach_or_to_touch(browser, templates, half, other):
    """Pages alternate between the looks, since many have the same parts, and all colours come from one list."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = None
    for number, (name, template, context) in enumerate(sample_pages()[half::2]):
        html = html_of(templates, template, context)
        page = reopened(page, html) if page else opened(browser, html)
        theme, width = LOOKS[(number + other) % 2]
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        page.evaluate(SETTLED)
        found = axe.run(page, options={"runOnly": list(RULES), "resultTypes": ["violations"]})
        faults = found.response["violations"]
        shown = [(fault["id"], [node["html"][:120] for node in fault["nodes"][:3]]) for fault in faults]
        assert not shown, f"{name}, {theme}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than {width}"
        small = page.evaluate(TOO_SMALL)
        assert not small, f"{name}, {width}: too small to touch: {small}"
        assert not page.evaluate(ZOOMS), f"{name}: Safari on a phone zooms in on these fields"
        assert not page.complaints, name
    page.close()


def swap(shown, body):
    """Morph a table in, as the socket does."""
    shown.evaluate(
        "(text) => htmx.swap({target: '#table-body', swap: 'outerMorph', text, sourceElement: document.body})", body
    )


NOTE_FLIGHTS = r"""
window.flown = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (steps, how) {
  const [x, y] = /translate\((.*?)px, (.*?)px\)/.exec(steps[0].transform ?? "")?.slice(1).map(Number) ?? [];
  const box = this.getBoundingClientRect();
  if ("transform" in steps[0]) flown.push([this.id, [box.x + x, box.y + y]]);
  return animate.call(this, steps, how);
};
0
"""


@needs_chromium
def test_the_first_house_without_a_counter_is_lit_for_the_player_who_puts_one(browser, templates):
    lit = "[...document.querySelectorAll('.house')].map(house => getComputedStyle(house).boxShadow != 'none')"
    waited, page = set(), None
    for match in itertools.islice(positions(game("kings-court"), 2, every=3), 5):
        for viewer in (0, 1, None):
            if match.view(viewer).phase.key == "counters":
                waits = match.blinded(viewer).counters_put[viewer] if viewer in match.to_act else None
                html = html_of(templates, "table.html", table_page(match, viewer))
                page = reopened(page, html) if page else opened(browser, html)
                assert page.evaluate(lit) == [house == waits for house in range(6)]
                waited.add(waits)
    page.close()
    assert None in waited and len(waited) > 3


@needs_chromium
def test_arrows_go_from_card_to_card_and_digits_answer_the_menu(browser, templates):
    _, template, context = next(sample for sample in sample_pages() if sample[0] == "layouts")
    page = opened(browser, html_of(templates, template, context))
    page.evaluate(
        "document.querySelector('#moves').addEventListener('submit', (e) => { window.sent = e.submitter.value; })"
    )
    page.locator("[id='hand.0.0']").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "hand.0.1"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.id") == "hand.0.5"
    page.keyboard.press("Enter")
    assert page.locator(".piece.chosen").get_attribute("id") == "hand.0.5"
    page.locator("[id='hand.0.0']").click()
    assert page.locator("#acts [data-digit]").evaluate_all("acts => acts.map((act) => act.value)") == ["10", "30", "31"]
    page.keyboard.press("3")
    assert page.evaluate("window.sent") == "31"
    page.keyboard.press("Escape")
    assert not page.locator(".piece.chosen").count()
    page.close()


@needs_chromium
@pytest.mark.parametrize("late", ["vendor/htmx", "js/table", "js/fly"])
def test_the_socket_opens_even_if_a_script_loads_late(browser, templates, late):
    _, template, context = next(sample for sample in sample_pages() if sample[0] == "layouts")
    page = opened(browser, html_of(templates, template, context))

    def wait(route):
        page.wait_for_timeout(300)
        route.fallback()

    page.route(f"**/static/{late}*", wait)
    page.reload()
    page.locator("#link.on").wait_for(timeout=1000 * PATIENCE)
    page.close()


@needs_chromium
def test_a_refused_move_shows_a_notice_above_the_table_which_stays(browser, templates):
    _, template, context = next(sample for sample in sample_pages() if sample[0] == "layouts")
    page = opened(browser, html_of(templates, template, context))
    notice = templates.render_template("parts/notice.html", notice="that was too late")
    headers = {"hx-retarget": "#notice", "hx-reswap": "outerHTML"}
    page.route("**/moves", lambda route: route.fulfill(status=409, body=notice, headers=headers))
    before = page.locator("#moves").inner_text()
    assert not page.locator("#notice").is_visible()
    page.locator("#moves button[name=action]:visible").first.click()
    page.locator("#notice").get_by_text("that was too late").wait_for()
    assert page.locator("#moves").inner_text() == before
    page.close()


@needs_chromium
def test_a_barred_card_says_why_below_the_question(browser, templates):
    _, template, context = next(sample for sample in sample_pages() if sample[0] == "layouts")
    page = opened(browser, html_of(templates, template, context))
    page.locator("[id='hand.0.3']").click()
    page.locator("#why p").wait_for()
    assert "not in your hand" in page.locator("#why").inner_text()
    for decision, stays in (("3", True), ("4", False)):
        body = html_of(templates, "table_body.html", context | {"table": context["table"] | {"decision": decision}})
        swap(page, body)
        assert page.locator("#moves > [name=decision]").input_value() == decision
        assert page.locator("#why p").count() == stays
    page.close()


@needs_chromium
def test_a_barred_card_says_nothing_while_there_is_no_network(browser, templates):
    _, template, context = next(sample for sample in sample_pages() if sample[0] == "layouts")
    page = opened(browser, html_of(templates, template, context))
    page.route("**/*why=*", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.locator("[id='hand.0.3']").click()
    page.wait_for_timeout(100)
    assert page.locator("#why p").count() == 0
    assert page.complaints == ["Failed to load resource: net::ERR_FAILED"]
    page.close()


@needs_chromium
def test_the_focus_stays_in_the_hand_when_its_card_is_played(browser, templates):
    match = quintain.Match.new("goofspiel", names=NAMES[:2], seed=SEED)
    page = opened(browser, html_of(templates, "table.html", table_page(match, 0)))
    assert page.title().startswith("● Your turn")
    page.locator("[id='hand.0.12']").focus()
    match.play(0, 13)
    match.play(1, 1)
    body = html_of(templates, "table_body.html", table_page(match, 0))
    swap(page, body)
    assert page.evaluate("document.activeElement.id") == "hand.0.11"
    match.play(0, 12)
    body = html_of(templates, "table_body.html", table_page(match, 0))
    swap(page, body)
    assert page.evaluate("!!document.activeElement.closest('#table-body')")
    assert not page.title().startswith("●")
    assert not page.complaints
    page.close()


@needs_chromium
def test_the_focus_stays_in_the_hand_if_none_of_its_cards_can_be_used(browser, templates):
    match, chance = quintain.Match.new("kings-court", names=NAMES[:2], seed=SEED), random.Random(3)
    while True:
        seat = min(match.to_act)
        before, move = table_page(match, seat), chance.choice(match.moves(seat))
        match.play(seat, move.action)
        then = match.view(seat).question
        if before["view"]["question"].key == "play" and then and then.key == "house":
            break
    page = opened(browser, html_of(templates, "table.html", before))
    page.locator(".hand .piece.lit").first.focus()
    swap(page, html_of(templates, "table_body.html", table_page(match, seat)))
    assert page.evaluate("document.activeElement.matches('.hand .piece, #question')")
    page.close()


@needs_chromium
def test_cards_fly_only_for_people_who_allow_motion(browser, templates):
    match = quintain.Match.new("goofspiel", names=NAMES[:2], seed=SEED)
    flown = {}
    for motion in ("reduce", "no-preference"):
        again = quintain.Match.load(match.save())
        page = opened(browser, html_of(templates, "table.html", table_page(again, 0)))
        page.emulate_media(reduced_motion=motion)
        page.evaluate(NOTE_FLIGHTS)
        again.play(0, 5)
        body = html_of(templates, "table_body.html", table_page(again, 0))
        swap(page, body)
        flown[motion] = page.evaluate("flown")
        page.close()
    assert not flown["reduce"]
    assert flown["no-preference"]


@needs_chromium
def test_backs_fly_from_where_a_card_has_gone_and_from_a_smaller_stack(browser, templates):
    moments = positions(game("kings-court"), 2, 1)
    match = next(itertools.islice(moments, 12, None))
    page = opened(browser, html_of(templates, "table.html", table_page(match, 1, board=GENERIC)), height=1600)
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(NOTE_FLIGHTS)
    played = drawn = 0
    for _ in range(28):
        before = {zone.id: zone.size for zone in match.view(1).zones}
        next(moments)
        after = {zone.id: zone.size for zone in match.view(1).zones}
        page.evaluate("flown.length = 0; document.getAnimations().forEach((flight) => flight.finish())")
        hand = page.locator("[id='zone.hand.0']").bounding_box()
        swap(page, html_of(templates, "table_body.html", table_page(match, 1, board=GENERIC)))
        flown = dict(page.evaluate("flown"))
        if after["played"] > before["played"]:
            owner = match.view(1).zones[3].pieces[-1].seat
            x, y = flown[f"played.{before['played']}"]
            from_hand = hand["x"] <= x <= hand["x"] + hand["width"] and hand["y"] <= y <= hand["y"] + hand["height"]
            assert from_hand == (owner == 0)
            played += owner == 0
        if after["deck"] < before["deck"] and after["hand.0"] >= before["hand.0"]:
            assert any(place.startswith("hand.0.") for place in flown)
            drawn += 1
    assert played > 1 and drawn > 1
    assert not page.complaints
    page.close()
