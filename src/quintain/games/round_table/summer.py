"""Round Table: Summer, in which Knights attack Regions, and Quests and Redirects are played."""

from quintain.engine.compiled import rule
from quintain.engine.events import tell
from quintain.games.round_table.effects import cost, note_types, total
from quintain.games.round_table.play_area import is_copy, leave_quest, put_in_play, take_from_hand
from quintain.games.round_table.spring import is_affordable
from quintain.games.round_table.state import (
    ATTACKED,
    ATTACKS,
    CAMPAIGN,
    CARD,
    CHOOSE_KNIGHT,
    CHOOSE_REGION,
    CHOOSE_TASK,
    DECLARE,
    ENGAGE,
    IMMUNE,
    IN_PLAY,
    JOINED,
    LINES,
    NONE,
    OPEN_REGIONS,
    PASS,
    PERMIT,
    PLAYED,
    QUEST,
    QUEST_PLAYED,
    QUESTED,
    QUESTS,
    REDEPLOY,
    REDIRECT,
    REDIRECT_PLAYED,
    REDIRECTS,
    REGION,
    REPEAT,
    RESET,
    RETURN,
    SEASON_ACTIONS,
    TASK,
    TO_QUESTS,
    TO_REDIRECTS,
    TO_ROWS,
    Book,
    State,
    is_engaged,
    is_knight,
)
from quintain.games.round_table.triggers import ask_card, ask_knight, carry_out_dues


@rule
def legal_campaign(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Pass, send a Knight, or play a card, in the order of the steps. RT-16."""
    mask[PASS] = 1
    count = 1
    if s.actions[seat] == SEASON_ACTIONS:
        return count
    if s.step == DECLARE:
        for slot in range(s.top[seat]):
            if may_attack(book, s, seat, slot):
                mask[IN_PLAY + LINES * seat + slot] = 1
                count += 1
    for line in range(book.main_lines[seat]):
        if s.hand[seat][line] > 0 and may_play(book, s, seat, line):
            mask[CARD + line] = 1
            count += 1
    return count


@rule
def may_attack(book: Book, s: State, seat: int, slot: int) -> bool:
    """Tell whether a place holds an active Knight that can be sent to a Region, or once from one to another. RT-16."""
    if not is_knight(book, s, seat, slot) or is_engaged(s, seat, slot) or is_copy(book, s, seat, slot):
        return False
    place = s.place[seat][slot]
    if place != NONE and (
        s.moves[seat][slot] > 0 or total(book, s, PERMIT, REDEPLOY, seat, s.line[seat][slot], slot) == 0
    ):
        return False
    return other_regions(s, place) > 0


@rule
def other_regions(s: State, place: int) -> int:
    """Count the open Regions besides one. RT-19."""
    count = 0
    for other in range(OPEN_REGIONS):
        count += 1 if other != place and s.open[other] != NONE else 0
    return count


@rule
def may_play(book: Book, s: State, seat: int, line: int) -> bool:
    """Tell whether a card can be played in this step of Summer. RT-16, RT-17, RT-20."""
    card = book.card[seat][line]
    if card.kind == QUEST or card.kind == REDIRECT:
        if s.step > (QUESTS if card.kind == QUEST else REDIRECTS):
            return False
        if is_barred(book, s, seat, line):
            return False
        return is_affordable(book, s, seat, line) and some_knight_for(book, s, seat, line)
    return card.in_summer == 1 and is_affordable(book, s, seat, line)


@rule
def is_barred(book: Book, s: State, seat: int, line: int) -> bool:
    """Tell whether a Quest or Redirect may not be played because one of its name was played this Summer. RT-20."""
    return s.used[seat][line] == 1 and total(book, s, PERMIT, REPEAT, seat, NONE, NONE) == 0


@rule
def some_knight_for(book: Book, s: State, seat: int, line: int) -> bool:
    """Tell whether there is a Knight that a Quest or Redirect can be played on. RT-18, RT-19."""
    for other in range(book.seats):
        for slot in range(s.top[other]):
            if may_be_played_on(book, s, seat, line, other, slot):
                return True
    return False


@rule
def legal_knights(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """The Knights that the Quest or Redirect that is taken up can be played on. RT-18, RT-19."""
    count = 0
    for other in range(book.seats):
        for slot in range(s.top[other]):
            if may_be_played_on(book, s, seat, s.card, other, slot):
                mask[IN_PLAY + LINES * other + slot] = 1
                count += 1
    return count


@rule
def may_be_played_on(book: Book, s: State, seat: int, line: int, other: int, slot: int) -> bool:
    """Tell whether a Quest or Redirect can be played on what is in a place. RT-18, RT-19."""
    if not is_knight(book, s, other, slot) or is_copy(book, s, other, slot):
        return False
    card = book.card[seat][line]
    if card.kind == QUEST:
        return s.quest[other][slot] == NONE and not is_immune(book, s, TO_QUESTS, seat, other, slot)
    if card.task == RESET:
        return other == seat and is_engaged(s, other, slot)
    if is_immune(book, s, TO_REDIRECTS, seat, other, slot):
        return False
    if card.task == ENGAGE:
        return s.place[other][slot] != NONE and not is_immune(book, s, TO_ROWS, seat, other, slot)
    if s.place[other][slot] == NONE and s.quest[other][slot] == NONE:
        return False
    if card.task == RETURN:
        return not is_immune(book, s, TO_ROWS, seat, other, slot)
    return other_regions(s, s.place[other][slot]) > 0 or quests_to_join(book, s, other, s.quest[other][slot]) > 0


@rule
def is_immune(book: Book, s: State, against: int, seat: int, other: int, slot: int) -> bool:
    """Tell whether a Knight is immune to what another seat does. RT-33."""
    return other != seat and total(book, s, IMMUNE, against, other, s.line[other][slot], slot) > 0


@rule
def is_quest_of(book: Book, s: State, owner: int, slot: int, seat: int) -> bool:
    """Tell whether a place holds a running Quest that was played on a Knight of a seat. RT-19."""
    return (
        s.line[owner][slot] != NONE
        and book.card[owner][s.line[owner][slot]].kind == QUEST
        and s.bearer[owner][slot] == seat
    )


@rule
def quests_to_join(book: Book, s: State, seat: int, quest: int) -> int:
    """Count the running Quests that a Knight of a seat, which is on one or none, can join. RT-19."""
    count = 0
    for owner in range(book.seats):
        for slot in range(s.top[owner]):
            if is_quest_of(book, s, owner, slot, seat) and LINES * owner + slot != quest:
                count += 1
    return count


@rule
def legal_tasks(book: Book, s: State, mask: list[int]) -> int:
    """The Regions and the Quests that a Redirect can send its Knight to. RT-19."""
    count = legal_places(s, s.place[s.on_seat][s.on], mask)
    for owner in range(book.seats):
        for slot in range(s.top[owner]):
            if is_quest_of(book, s, owner, slot, s.on_seat) and LINES * owner + slot != s.quest[s.on_seat][s.on]:
                mask[IN_PLAY + LINES * owner + slot] = 1
                count += 1
    return count


@rule
def legal_places(s: State, but: int, mask: list[int]) -> int:
    """The open Regions besides one. RT-16, RT-19."""
    for place in range(OPEN_REGIONS):
        if place != but and s.open[place] != NONE:
            mask[REGION + place] = 1
    return other_regions(s, but)


@rule
def take_up(s: State, line: int) -> None:
    """Take up a Quest or Redirect, to play it; nobody else knows which until it is played. RT-2, RT-16."""
    s.card = line
    s.phase = CHOOSE_KNIGHT


@rule
def choose_in_summer(book: Book, s: State, seat: int, action: int) -> None:
    """Choose the Knight that a card is played on, or where a Knight is sent to. RT-16, RT-18, RT-19."""
    place = quest = NONE
    if s.phase == CHOOSE_KNIGHT:
        s.on_seat, s.on = (action - IN_PLAY) // LINES, (action - IN_PLAY) % LINES
        rp = pay(book, s, seat)
        if book.card[seat][s.card].kind == QUEST:
            tell(s, QUEST_PLAYED, seat, s.on_seat, s.card, s.line[s.on_seat][s.on], rp)
            slot = put_in_play(book, s, seat, s.card, s.on_seat)
            s.rp[seat][slot] = rp
            quest = LINES * seat + slot
        else:
            tell(s, REDIRECT_PLAYED, seat, s.on_seat, s.card, s.line[s.on_seat][s.on], rp)
            if book.card[seat][s.card].task == TASK:
                s.phase = CHOOSE_TASK
                return
    elif action < IN_PLAY:
        place = action - REGION
    else:
        quest = action - IN_PLAY
    if s.phase == CHOOSE_REGION:
        s.actions[seat] += 1
        s.moves[seat][s.on] += 1 if s.place[seat][s.on] != NONE else 0
    carry_out(book, s, seat, place, quest)


@rule
def pay(book: Book, s: State, seat: int) -> int:
    """Play the Quest or Redirect that is taken up: spend its RP, bar its name for this Summer. RT-16, RT-17, RT-20."""
    take_from_hand(book, s, seat, s.card)
    s.step = QUESTS if book.card[seat][s.card].kind == QUEST else REDIRECTS
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
    """Give the chosen Knight its task, if any, and do what the card that was played says. RT-16, RT-17, RT-19."""
    line, on_seat, on = s.card, s.on_seat, s.on
    s.card = s.on_seat = s.on = NONE
    s.phase = CAMPAIGN
    if place != NONE or quest != NONE:
        assign(book, s, on_seat, on, place, quest)
    if line != NONE and book.card[seat][line].kind == REDIRECT:
        s.spent[seat][line] += 1
    note_types(book, s)
    if place != NONE or quest != NONE:
        ask_knight(book, s, ATTACKS if quest == NONE else QUESTED, on_seat, on)
    if line != NONE:
        ask_card(book, s, PLAYED, seat, line, on_seat, on)
    carry_out_dues(book, s)


@rule
def assign(book: Book, s: State, seat: int, slot: int, place: int, quest: int) -> None:
    """Let a Knight attack a Region or go on a Quest; it leaves what it was at. RT-16, RT-18, RT-19."""
    leave_quest(book, s, seat, slot)
    s.engaged[seat][slot] = 0
    s.place[seat][slot] = place
    s.quest[seat][slot] = quest
    if quest == NONE:
        tell(s, ATTACKED, seat, -1, s.line[seat][slot], s.region[s.open[place]])
    else:
        tell(s, JOINED, seat, quest // LINES, s.line[seat][slot], s.line[quest // LINES][quest % LINES])
