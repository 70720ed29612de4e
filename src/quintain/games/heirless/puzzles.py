"""Heirless battles: the themes of puzzles, by what the solver sees and the best move."""

from quintain.games.heirless import state as st
from quintain.games.heirless.state import Book, State

TRACK_THEMES = ("hit harder", "aim better", "dodge", "take the blow", "tempo", "last longer")
"""What it is about to raise each track."""


def themes(book: Book, s: State, seat: int, best: int) -> tuple[str, ...]:
    """Return what the best action of a seat is about."""
    if best < st.FIGHT:
        return _of_muster(s, seat, best - st.SEND)
    if best < st.ATTACK:
        return ("choose the battle",)
    if best < st.PROPOSE:
        return _of_card(book, s, seat, best)
    if best < st.HOLD_BACK:
        is_alone = best in (st.PROPOSE_NOTHING, st.DECLINE)
        return ("stand alone",) if is_alone else ("make an ally",)
    if best == st.HOLD_BACK:
        return ("let it go",)
    if best < st.RAISE:
        return _of_target(s, seat, *divmod(best - st.TARGET, st.MOST_KNIGHTS))
    return (TRACK_THEMES[best - st.RAISE],)


def _of_muster(s: State, seat: int, tile: int) -> tuple[str, ...]:
    """Return the themes of a tile that a Knight is sent to. HB-22, HB-23."""
    if tile == st.CASTLE + seat:
        return ("guard the Castle",)
    if tile >= st.CASTLE:
        return ("raid a Castle",)
    if tile == st.CAPITAL:
        return ("fight for the Capital",)
    return ("seek the Location of Interest",) if tile == s.location else ("hunt Bandits",)


def _of_card(book: Book, s: State, seat: int, best: int) -> tuple[str, ...]:
    """Return the themes of a Battlecard: what no other card in hand does as well. HB-5."""
    is_attack = best < st.DEFEND
    card = best - (st.ATTACK if is_attack else st.DEFEND)
    sides = (book.attack if is_attack else book.defence)[st.PLAYERS_SET]
    placed = s.defence[seat] if is_attack else s.attack[seat]
    cards = range(book.cards[st.PLAYERS_SET])
    held = [other for other in cards if s.hand[seat] >> other & 1 and other not in (card, placed)]
    words = ("hit harder", "aim better", "tempo") if is_attack else ("dodge", "take the blow", "spare your Knights")
    values = st.ATTACK_SIDE if is_attack else st.DEFENCE_SIDE
    signs = [-1 if value in (st.DELAY, st.WOUND) else 1 for value in values]
    found = [
        theme
        for number, theme in enumerate(words)
        if all(signs[number] * (sides[card][number] - sides[other][number]) > 0 for other in held)
    ]
    return tuple(found) or ("save a card",)


def _of_target(s: State, seat: int, side: int, knight: int) -> tuple[str, ...]:
    """Return the themes of a target. HB-13, HB-14."""
    found = []
    if s.wounds[side][knight] > s.value[side][st.WOUND]:
        found.append("finish the wounded")
    if s.aim[side][knight] > 0:
        found.append("strike together")
    if side != st.BANDITS and s.resources[side] == max(s.resources) > s.resources[seat]:
        found.append("stop the leader")
    return tuple(found) or ("choose the target",)
