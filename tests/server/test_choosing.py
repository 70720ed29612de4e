"""Choosing a piece before acting with it, as the server draws it for browsers without script."""

import re

PIECE = r'<{tag} class="piece [^"]*" id="([^"]+)"'
GROUP = r'<div class="group[^"]*" data-for="([^"]+)"( hidden)?>'


def pieces(page, tag):
    """Return the ids of all pieces with a tag: buttons play an action, links choose."""
    return re.findall(PIECE.format(tag=tag), page)


def shown_groups(page):
    return [piece for piece, is_hidden in re.findall(GROUP, page) if not is_hidden]


def asked(serving, question):
    """Return a guest who is asked this question in King's Court, and the table."""
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open")
    bo.sit(table, 1)
    for _ in range(60):
        for guest in (ann, bo):
            seen = guest.view(table)
            if seen["menu"] and seen["view"]["question"]["key"] == question:
                return guest, table
            if seen["menu"]:
                guest.move(table, seen["menu"][0]["action"], seen["table"]["decision"])
    raise AssertionError(f"nobody is asked {question!r}")


def test_a_chosen_piece_shows_its_actions_and_nothing_is_sent(serving):
    ann, table = asked(serving, "give")
    page, before = ann.get(f"/tables/{table}").text, ann.view(table)
    links = [piece for piece in pieces(page, "a") if piece.startswith("hand.")]
    assert links and not shown_groups(page)
    chosen = ann.get(f"/tables/{table}?chosen={links[0]}").text
    assert shown_groups(chosen) == [links[0]] and links[0] in pieces(chosen, "button")
    assert ann.view(table) == before


def test_a_piece_that_cannot_be_used_now_says_why_when_it_is_chosen(serving):
    ann, table = asked(serving, "house")
    barred = re.findall(r'id="([^"]+)"[^>]*data-why="\d+"', ann.get(f"/tables/{table}").text)
    assert barred
    assert "<b>Not now:</b>" in ann.get(f"/tables/{table}?chosen={barred[0]}").text


def test_a_piece_that_is_not_there_cannot_be_chosen(serving):
    ann, table = asked(serving, "give")
    page = ann.get(f"/tables/{table}?chosen=hand.0.99").text
    assert not shown_groups(page) and pieces(page, "a") == pieces(ann.get(f"/tables/{table}").text, "a")


def test_whoever_wants_to_confirm_touches_twice(serving):
    ann, table = asked(serving, "house")
    assert pieces(ann.get(f"/tables/{table}").text, "button")
    ann.submit("/confirming", confirming="yes", next=f"/tables/{table}")
    assert not pieces(ann.get(f"/tables/{table}").text, "button")
    answer = ann.post("/confirming", confirming="perhaps")
    assert answer.status_code == 422 and "perhaps" in answer.text
    ann.submit("/confirming", confirming="no", next=f"/tables/{table}")
    assert pieces(ann.get(f"/tables/{table}").text, "button")
