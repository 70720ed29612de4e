"""The contract of Rune War with the engine: deal, who is to act, what is legal, and playing an action.

Here are the first defences and the actions of a turn. Further chapters are `shape` (defences), `battle` and `points`,
`runes` (of the field), and `turns` (drawing, the end of a turn and of the war).
"""

from quintain.engine import B, rng, rule, tell
from quintain.games.rune_war import battle
from quintain.games.rune_war import state as st
from quintain.games.rune_war.action_features import ACTION_FEATURES, action_features
from quintain.games.rune_war.runes import answer, legal_field_runes, legal_question, play_field_rune
from quintain.games.rune_war.secrecy import hide, redeal
from quintain.games.rune_war.shape import mark_exposed, mark_free, put_card
from quintain.games.rune_war.state import ACTIONS, LONGEST, OUTCOMES, Book, State
from quintain.games.rune_war.state_features import STATE_FEATURES, state_features
from quintain.games.rune_war.turns import draw, end_turn, out_of_hand, outcome

__all__ = [
    "ACTIONS",
    "ACTION_FEATURES",
    "LONGEST",
    "OUTCOMES",
    "STATE_FEATURES",
    "Book",
    "State",
    "action_features",
    "deal",
    "hide",
    "legal",
    "outcome",
    "play",
    "redeal",
    "state_features",
    "to_act",
]


@rule
def deal(book: Book, s: State) -> None:
    """Deal the hands and draw the first player, from a state of zeros. RW-1, RW-2."""
    for card in range(st.CARDS):
        s.lies[card] = st.DECK if card < book.cards else st.NONE
    s.deck_size = book.cards
    for seat in range(st.SEATS):
        s.chosen[seat] = st.NONE
        for place in range(st.PLACES):
            s.defence[seat][place] = st.NONE
    for _ in range(book.dealt):
        for seat in range(book.seats):
            draw(s, seat)
    s.target = st.NONE
    s.attacker = st.NONE
    s.defender = st.NONE
    s.row = st.NONE
    s.rune[0] = st.NONE
    s.rune[1] = st.NONE
    s.joined = st.NONE
    s.field_rune = st.NONE
    s.first = rng.below(s.rng, book.seats)
    s.turn = s.first
    tell(s, st.STARTS, s.first)


@rule
def to_act(book: Book, s: State) -> int:
    """Return the bits of the seats that may act: several while defences are built, else one. RW-2, RW-5, RW-9."""
    if s.phase == st.BUILD:
        bits = 0
        for seat in range(book.seats):
            bits |= 1 << seat if s.built[seat] == 0 else 0
        return bits
    if s.phase == st.SUPPORT or (s.phase == st.JOIN_SUITS and battle.joiner(s) == s.defender):
        return 1 << s.defender
    return 1 << s.turn


@rule
def legal(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark the legal actions of a seat, and return how many. RW-2, RW-5, RW-9, RW-12, RW-20."""
    if s.phase == st.TURN:
        return legal_turn(book, s, seat, mask)
    if s.phase == st.LAY_AT or (s.phase == st.BUILD and s.chosen[seat] != st.NONE):
        return mark_free(s, seat, mask, st.AT)
    if s.phase == st.AIM:
        return legal_aims(book, s, seat, mask)
    if s.phase == st.SUPPORT:
        return battle.legal_support(s, seat, mask)
    if s.phase == st.RESPOND:
        return battle.legal_response(s, seat, mask)
    if s.phase == st.FURTHER:
        return battle.legal_further(s, mask)
    if s.phase == st.BUILD:
        return legal_building(s, seat, mask)
    if s.phase == st.JOIN_SUITS:
        for pair in range(len(st.PAIRS)):
            mask[st.JOIN + pair] = 1
        return len(st.PAIRS)
    return legal_question(book, s, seat, mask)


@rule
def legal_building(s: State, seat: int, mask: list[int]) -> int:
    """Mark each card of the hand; once there is a root, also being done. RW-2."""
    for card in range(st.CARDS):
        mask[st.LAY + card] = 1 if st.is_at(s, card, st.HAND + seat) else 0
    if s.defence_size[seat] == 0:
        return s.hand_size[seat]
    mask[st.DONE] = 1
    return s.hand_size[seat] + 1


@rule
def legal_turn(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark each card of the hand to lay or to attack with, and the runes of the field. RW-5."""
    for card in range(st.CARDS):
        held = 1 if st.is_at(s, card, st.HAND + seat) else 0
        mask[st.LAY + card] = held
        mask[st.ATTACK + card] = held
    return 2 * s.hand_size[seat] + legal_field_runes(book, s, seat, mask)


@rule
def legal_aims(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark every exposed card of every opponent. RW-8."""
    count = 0
    for other in range(book.seats):
        if other != seat:
            count += mark_exposed(s, other, mask, st.AIM_AT + st.PLACES * other)
    return count


@rule
def play(book: Book, s: State, seat: int, action: int) -> None:
    """Carry out a legal action; if it was the last of the turn, end the turn. RW-2, RW-5, RW-9, RW-12."""
    done = False
    if s.phase == st.BUILD:
        done = build(book, s, seat, action)
    elif s.phase == st.TURN:
        done = begin_action(s, seat, action)
    elif s.phase == st.LAY_AT:
        tell(s, st.LAID, seat, -1, action - st.AT, s.chosen[seat], secret=B)
        lay(s, seat, action - st.AT)
        done = True
    elif s.phase == st.SUPPORT or s.phase == st.RESPOND:
        done = battle.contend(book, s, seat, action)
    elif action == st.STOP:
        battle.stop(s, seat)
        done = True
    elif s.phase == st.AIM or s.phase == st.FURTHER:
        battle.attack(book, s, seat, action - st.AIM_AT)
    elif s.phase == st.JOIN_SUITS:
        battle.join_suits(s, seat, action - st.JOIN)
    else:
        done = answer(s, seat, action)
    if done and s.over == 0:
        end_turn(book, s)


@rule
def build(book: Book, s: State, seat: int, action: int) -> bool:
    """Carry out an action of building; return True if the war begins with a turn of drawing only. RW-2, RW-5."""
    if action >= st.LAY:
        s.chosen[seat] = action - st.LAY
    elif action >= st.AT:
        lay(s, seat, action - st.AT)
    else:
        s.built[seat] = 1
        if to_act(book, s) == 0:
            return begin_war(book, s)
    return False


@rule
def begin_war(book: Book, s: State) -> bool:
    """Begin the war; return True if the first player has no card and only draws. RW-2, RW-5."""
    s.phase = st.TURN
    for seat in range(book.seats):
        tell(s, st.BUILT, seat, -1, s.defence_size[seat])
    return s.hand_size[s.first] == 0


@rule
def lay(s: State, seat: int, place: int) -> None:
    """Lay the chosen card at a place. RW-2, RW-5."""
    card = s.chosen[seat]
    s.chosen[seat] = st.NONE
    out_of_hand(s, seat, card, st.DEFENCE + seat)
    put_card(s, seat, place, card)


@rule
def begin_action(s: State, seat: int, action: int) -> bool:
    """Choose the card to lay or to attack with, or play a rune; return True if the turn is complete. RW-5."""
    if action < st.AT:
        return play_field_rune(s, seat, action - st.PLAY)
    if action < st.ATTACK:
        s.chosen[seat] = action - st.LAY
        s.phase = st.LAY_AT
    else:
        s.chosen[seat] = action - st.ATTACK
        s.phase = st.AIM
    return False
