"""Round Table: Summer, in which players send Knights to attack Regions, and play Quests and Redirects.

What comes of it is in `autumn`.
"""

from quintain.engine import rule, tell
from quintain.games.round_table import state as st
from quintain.games.round_table.effects import cost, note_types, total
from quintain.games.round_table.play_area import is_copy, leave_quest, put_in_play, take_from_hand
from quintain.games.round_table.spring import is_affordable
from quintain.games.round_table.state import Book, State
from quintain.games.round_table.triggers import carry_out_dues, does_something, trigger_card, trigger_knight


@rule
def legal_campaign(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark passing, every Knight that a seat may send, and every card that it may play in this step. RT-16."""
    mask[st.PASS] = 1
    count = 1
    if s.actions[seat] == st.SEASON_ACTIONS:
        return count
    if s.step == st.DECLARE:
        for slot in range(s.top[seat]):
            if may_attack(book, s, seat, slot):
                mask[st.IN_PLAY + st.LINES * seat + slot] = 1
                count += 1
    for line in range(book.main_lines[seat]):
        if s.hand[seat][line] > 0 and may_play(book, s, seat, line):
            mask[st.CARD + line] = 1
            count += 1
    return count


@rule
def may_attack(book: Book, s: State, seat: int, slot: int) -> bool:
    """Return whether a slot holds an active Knight that its player may send to a Region now. RT-16."""
    if not st.is_knight(book, s, seat, slot) or st.is_engaged(s, seat, slot) or is_copy(book, s, seat, slot):
        return False
    place = s.place[seat][slot]
    if place != st.NONE and (
        s.moves[seat][slot] > 0 or total(book, s, st.PERMIT, st.REDEPLOY, seat, s.line[seat][slot], slot) == 0
    ):
        return False
    return other_regions(s, place) > 0


@rule
def other_regions(s: State, place: int) -> int:
    """Count the open Regions, except the one in a place. RT-19."""
    count = 0
    for other in range(st.OPEN_REGIONS):
        count += 1 if other != place and s.open[other] != st.NONE else 0
    return count


@rule
def may_play(book: Book, s: State, seat: int, line: int) -> bool:
    """Return whether a seat may play a card in this step of Summer. RT-16, RT-17, RT-20."""
    card = book.card[seat][line]
    if card.kind == st.QUEST or card.kind == st.REDIRECT:
        if s.step > (st.QUESTS if card.kind == st.QUEST else st.REDIRECTS):
            return False
        if is_barred(book, s, seat, line):
            return False
        return is_affordable(book, s, seat, line) and some_knight_for(book, s, seat, line)
    return card.in_summer == 1 and is_affordable(book, s, seat, line)


@rule
def is_barred(book: Book, s: State, seat: int, line: int) -> bool:
    """Return whether a seat may not play a Quest or Redirect, as its name was played this Summer. RT-20."""
    return s.used[seat][line] == 1 and total(book, s, st.PERMIT, st.REPEAT, seat, st.NONE, st.NONE) == 0


@rule
def some_knight_for(book: Book, s: State, seat: int, line: int) -> bool:
    """Return whether a Quest or Redirect can be played on any Knight. RT-18, RT-19."""
    for other in range(book.seats):
        for slot in range(s.top[other]):
            if may_be_played_on(book, s, seat, line, other, slot):
                return True
    return False


@rule
def legal_knights(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark the Knights that the chosen Quest or Redirect can be played on. RT-18, RT-19."""
    count = 0
    for other in range(book.seats):
        for slot in range(s.top[other]):
            if may_be_played_on(book, s, seat, s.card, other, slot):
                mask[st.IN_PLAY + st.LINES * other + slot] = 1
                count += 1
    return count


@rule
def may_be_played_on(book: Book, s: State, seat: int, line: int, other: int, slot: int) -> bool:
    """Return whether a slot holds a Knight that a Quest or Redirect can be played on. RT-18, RT-19."""
    if not st.is_knight(book, s, other, slot) or is_copy(book, s, other, slot):
        return False
    card = book.card[seat][line]
    if card.kind == st.QUEST:
        return s.quest[other][slot] == st.NONE and not is_immune(book, s, st.TO_QUESTS, seat, other, slot)
    if card.task == st.RESET:
        return other == seat and st.is_engaged(s, other, slot) and does_something(book, s, seat, line, other, slot)
    if is_immune(book, s, st.TO_REDIRECTS, seat, other, slot):
        return False
    if s.place[other][slot] == st.NONE and (card.task == st.ENGAGE or s.quest[other][slot] == st.NONE):
        return False
    if card.task == st.ENGAGE or card.task == st.RETURN:
        return does_something(book, s, seat, line, other, slot)
    return other_regions(s, s.place[other][slot]) > 0 or quests_to_join(book, s, other, s.quest[other][slot]) > 0


@rule
def is_immune(book: Book, s: State, against: int, seat: int, other: int, slot: int) -> bool:
    """Return whether a Knight is immune to another seat's Quests, Redirects or rows. RT-33."""
    return other != seat and total(book, s, st.IMMUNE, against, other, s.line[other][slot], slot) > 0


@rule
def is_quest_of(book: Book, s: State, owner: int, slot: int, seat: int) -> bool:
    """Return whether a slot of `owner` holds a Quest that was played on a Knight of `seat`. RT-19."""
    return (
        s.line[owner][slot] != st.NONE
        and book.card[owner][s.line[owner][slot]].kind == st.QUEST
        and s.bearer[owner][slot] == st.FOR_SEAT + seat
    )


@rule
def quests_to_join(book: Book, s: State, seat: int, quest: int) -> int:
    """Count the Quests that a Knight of a seat can join; `quest` is the one that it is on, or NONE. RT-19."""
    count = 0
    for owner in range(book.seats):
        for slot in range(s.top[owner]):
            if is_quest_of(book, s, owner, slot, seat) and st.LINES * owner + slot != quest:
                count += 1
    return count


@rule
def legal_tasks(book: Book, s: State, mask: list[int]) -> int:
    """Mark the Regions and Quests that a Redirect can send its Knight to. RT-19."""
    count = legal_places(s, s.place[s.on_seat][s.on], mask)
    for owner in range(book.seats):
        for slot in range(s.top[owner]):
            if is_quest_of(book, s, owner, slot, s.on_seat) and st.LINES * owner + slot != s.quest[s.on_seat][s.on]:
                mask[st.IN_PLAY + st.LINES * owner + slot] = 1
                count += 1
    return count


@rule
def legal_places(s: State, excluded: int, mask: list[int]) -> int:
    """Mark the open Regions, except the one in the excluded place. RT-16, RT-19."""
    for place in range(st.OPEN_REGIONS):
        if place != excluded and s.open[place] != st.NONE:
            mask[st.REGION + place] = 1
    return other_regions(s, excluded)


@rule
def take_up(s: State, line: int) -> None:
    """Begin to play a Quest or Redirect; others learn which once its Knight is chosen. RT-2, RT-16."""
    s.card = line
    s.phase = st.CHOOSE_KNIGHT


@rule
def choose_in_summer(book: Book, s: State, seat: int, action: int) -> None:
    """Choose the Knight that a card is played on, or the Region or Quest for a Knight. RT-16, RT-18, RT-19."""
    place = quest = st.NONE
    if s.phase == st.CHOOSE_KNIGHT:
        s.on_seat, s.on = (action - st.IN_PLAY) // st.LINES, (action - st.IN_PLAY) % st.LINES
        rp = pay(book, s, seat)
        if book.card[seat][s.card].kind == st.QUEST:
            tell(s, st.QUEST_PLAYED, seat, s.on_seat, s.card, s.line[s.on_seat][s.on], rp)
            slot = put_in_play(book, s, seat, s.card, st.FOR_SEAT + s.on_seat)
            s.rp[seat][slot] = rp
            quest = st.LINES * seat + slot
        else:
            tell(s, st.REDIRECT_PLAYED, seat, s.on_seat, s.card, s.line[s.on_seat][s.on], rp)
            if book.card[seat][s.card].task == st.TASK:
                s.phase = st.CHOOSE_TASK
                return
    elif action < st.IN_PLAY:
        place = action - st.REGION
    else:
        quest = action - st.IN_PLAY
    if s.phase == st.CHOOSE_REGION:
        s.actions[seat] += 1
        s.moves[seat][s.on] += 1 if s.place[seat][s.on] != st.NONE else 0
    carry_out(book, s, seat, place, quest)


@rule
def pay(book: Book, s: State, seat: int) -> int:
    """Pay for the chosen Quest or Redirect, bar its name for this Summer, and return the RP. RT-16, RT-17, RT-20."""
    take_from_hand(book, s, seat, s.card)
    s.step = st.QUESTS if book.card[seat][s.card].kind == st.QUEST else st.REDIRECTS
    rp = cost(book, s, seat, s.card)
    s.spent_rp[seat] += rp
    s.actions[seat] += 1
    name = book.card[seat][s.card].namesake
    for other in range(book.seats):
        for line in range(book.main_lines[other]):
            if book.card[other][line].namesake == name:
                s.used[other][line] = 1
    return rp


@rule
def carry_out(book: Book, s: State, seat: int, place: int, quest: int) -> None:
    """Give the chosen Knight its task, if it gets one, and carry out the text of the card. RT-16, RT-17, RT-19."""
    line, on_seat, on = s.card, s.on_seat, s.on
    s.card = s.on_seat = s.on = st.NONE
    s.phase = st.CAMPAIGN
    if place != st.NONE or quest != st.NONE:
        assign(book, s, on_seat, on, place, quest)
    if line != st.NONE and book.card[seat][line].kind == st.REDIRECT:
        s.spent[seat][line] += 1
    note_types(book, s)
    if place != st.NONE or quest != st.NONE:
        trigger_knight(book, s, st.ATTACKS if quest == st.NONE else st.QUESTED, on_seat, on)
    if line != st.NONE:
        trigger_card(book, s, st.PLAYED, seat, line, on_seat, on)
    carry_out_dues(book, s)


@rule
def assign(book: Book, s: State, seat: int, slot: int, place: int, quest: int) -> None:
    """Let a Knight attack a Region or go on a Quest, and leave its earlier task. RT-16, RT-18, RT-19."""
    leave_quest(book, s, seat, slot)
    s.engaged[seat][slot] = 0
    s.place[seat][slot] = place
    s.quest[seat][slot] = quest
    if quest == st.NONE:
        tell(s, st.ATTACKED, seat, -1, s.line[seat][slot], s.region[s.open[place]])
    else:
        tell(s, st.JOINED, seat, quest // st.LINES, s.line[seat][slot], s.line[quest // st.LINES][quest % st.LINES])
