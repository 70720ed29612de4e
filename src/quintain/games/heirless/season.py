"""Heirless battles: a season of the campaign, from the muster to the rewards and the clean-up, and the final ranks.

`rules.py` calls this file phase by phase. Battles are in `battle.py`: this file hands it a tile, and asks it afterwards
which sides have won.
"""

from quintain.engine import rng, rule, tell
from quintain.games.heirless import state as st
from quintain.games.heirless.battle import begin_battle, wins
from quintain.games.heirless.state import Book, State


@rule
def begin_season(book: Book, s: State) -> None:
    """Draw the Location of Interest, put the Bandits on the camps, and begin the muster. HB-21, HB-22."""
    s.location = st.FIRST_CAMP + rng.below(s.rng, st.CAMPS)
    for camp in range(st.FIRST_CAMP, st.FIRST_CAMP + st.CAMPS):
        s.bandits[camp] = 0 if book.bandits == 0 else 2 if camp == s.location else 1
        s.defeated[camp] = 0
    for seat in range(book.seats):
        for tile in range(st.TILES):
            s.host[seat][tile] = 0
    for i in range(book.seats):
        s.place[s.order[i]] = i
    s.fought = 0
    s.shared = 0
    s.caller = 0
    s.waiting = (1 << book.seats) - 1
    s.phase = st.MUSTER
    tell(s, st.SEASON, st.NONE, st.NONE, s.season, s.location)


@rule
def knights_sent(s: State, seat: int) -> int:
    """Return how many Knights a seat has sent to tiles in this muster. HB-22."""
    sent = 0
    for tile in range(st.TILES):
        sent += s.host[seat][tile]
    return sent


@rule
def legal_sending(book: Book, mask: list[int]) -> int:
    """Mark every tile, all Castles among them, and return their number. HB-20, HB-22."""
    for tile in range(st.CASTLE + book.seats):
        mask[st.SEND + tile] = 1
    return st.CASTLE + book.seats


@rule
def send(book: Book, s: State, seat: int, tile: int) -> None:
    """Send a Knight to a tile; when all seats are ready, everybody sees where the Knights are. HB-22."""
    s.host[seat][tile] += 1
    if knights_sent(s, seat) == book.knights:
        s.waiting -= 1 << seat
        tell(s, st.READY, seat)
    if s.waiting == 0:
        s.phase = st.BATTLES
        for i in range(book.seats):
            for there in range(st.TILES):
                if s.host[s.order[i]][there] > 0:
                    s.mustered[destination(s, s.order[i], there)] += s.host[s.order[i]][there]
                    tell(s, st.SENT, s.order[i], st.NONE, there, s.host[s.order[i]][there])


@rule
def destination(s: State, seat: int, tile: int) -> int:
    """Return which kind of tile, from TO_CAPITAL to TO_HOME, a tile is for a seat. HB-21, HB-22."""
    if tile >= st.CASTLE:
        return st.TO_HOME if tile == st.CASTLE + seat else st.TO_RIVAL
    return st.TO_CAPITAL if tile == st.CAPITAL else st.TO_LOCATION if tile == s.location else st.TO_CAMP


@rule
def sides_on(book: Book, s: State, tile: int) -> int:
    """Return how many sides a tile has: each player with Knights there, and its Bandits. HB-1, HB-4."""
    sides = 1 if s.bandits[tile] > 0 else 0
    for seat in range(book.seats):
        sides += 1 if s.host[seat][tile] > 0 else 0
    return sides


@rule
def has_battle(book: Book, s: State, seat: int, tile: int) -> bool:
    """Return whether a tile, not a Castle, still has a battle to come that involves a seat. HB-1, HB-2, HB-3."""
    return not s.fought >> tile & 1 and s.host[seat][tile] > 0 and sides_on(book, s, tile) > 1


@rule
def legal_battles(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark the battles that a seat may resolve next, and return their number. HB-3."""
    count = 0
    for tile in range(st.CASTLE):
        if has_battle(book, s, seat, tile):
            mask[st.FIGHT + tile] = 1
            count += 1
    return count


@rule
def next_battle(book: Book, s: State) -> None:
    """Ask the next player in order who has battles left which comes next; begin the only one at once. HB-3."""
    if s.caller == book.seats:
        s.phase = st.REWARDS
        return
    seat = s.order[s.caller]
    found = st.NONE
    count = 0
    for tile in range(st.CASTLE):
        if has_battle(book, s, seat, tile):
            found = tile
            count += 1
    if count == 0:
        s.caller += 1
    elif count == 1:
        begin_battle(s, found)
    else:
        s.actor = seat
        s.phase = st.CHOOSE_BATTLE


@rule
def leave_tile(book: Book, s: State) -> None:
    """Remove all Knights but the victors' from the tile of a battle, and Bandits that lost. HB-17."""
    for seat in range(book.seats):
        if s.force[seat] > 0:
            if not wins(s, seat):
                s.host[seat][s.tile] = 0
            elif s.ally[seat] != st.NONE:
                s.shared |= 1 << s.tile
    if s.force[st.BANDITS] > 0 and s.victor != st.BANDITS:
        s.defeated[s.tile] = s.bandits[s.tile]
        s.bandits[s.tile] = 0
    s.phase = st.BATTLES


@rule
def pay_of(s: State, seat: int, tile: int) -> int:
    """Return the Resources that a seat with Knights left on a tile earns there. HB-23."""
    if tile >= st.CASTLE:
        owner = tile - st.CASTLE
        return st.CASTLE_PAYS if owner != seat and s.host[seat][tile] > s.host[owner][tile] else 0
    pay = st.CAPITAL_PAYS if tile == st.CAPITAL else st.LOCATION_PAYS if tile == s.location else st.CAMP_PAYS
    return pay - st.ALLIES_LOSE if s.shared >> tile & 1 else pay


@rule
def reward(book: Book, s: State) -> None:
    """Pay each seat, in player order, for the tiles where it has Knights left. HB-23."""
    for i in range(book.seats):
        seat = s.order[i]
        for tile in range(st.TILES):
            if s.host[seat][tile] > 0:
                pay = pay_of(s, seat, tile)
                s.resources[seat] += pay
                if pay > 0:
                    tell(s, st.EARNED, seat, st.NONE, tile, pay)
    s.phase = st.STEPS


@rule
def is_last_season(book: Book, s: State) -> bool:
    """Return whether this is the last season. HB-20, HB-24."""
    return s.season == book.seasons - 1


@rule
def has_room(book: Book, s: State, owner: int) -> bool:
    """Return whether a seat, or the Bandits of a camp, has a track that is not at its end. HB-23, HB-24."""
    for track in range(st.TRACKS):
        if s.step[owner][track] < book.steps[track] - 1:
            return True
    return False


@rule
def camp_with_step_due(s: State) -> int:
    """Return the first camp where a defeated Bandit still has an improvement to give, or NONE. HB-23."""
    for camp in range(st.FIRST_CAMP, st.FOX_CAMP + 1):
        if s.defeated[camp] > 0:
            return camp
    return st.NONE


@rule
def next_step(book: Book, s: State) -> None:
    """Give the improvement of the next defeated Bandit to the player with the most Knights there. HB-23."""
    camp = camp_with_step_due(s)
    if camp == st.NONE:
        s.phase = st.CLEANUP
        return
    s.defeated[camp] -= 1
    seat = most_knights_on(book, s, camp)
    if is_last_season(book, s):
        s.gained[seat] += 1
        tell(s, st.COUNTED, seat, st.NONE, camp)
    elif has_room(book, s, seat):
        s.actor = seat
        s.phase = st.IMPROVE
    else:
        tell(s, st.LOST, seat, st.NONE, camp)


@rule
def most_knights_on(book: Book, s: State, tile: int) -> int:
    """Return the seat with the most Knights on a tile; player order settles ties. HB-19, HB-23."""
    most = s.order[0]
    for i in range(1, book.seats):
        if s.host[s.order[i]][tile] > s.host[most][tile]:
            most = s.order[i]
    return most


@rule
def legal_tracks(book: Book, s: State, seat: int, mask: list[int]) -> int:
    """Mark the tracks that a seat may raise, and return their number. HB-23."""
    count = 0
    for track in range(st.TRACKS):
        if s.step[seat][track] < book.steps[track] - 1:
            mask[st.RAISE + track] = 1
            count += 1
    return count


@rule
def improve(book: Book, s: State, seat: int, track: int) -> None:
    """Move a seat one step on a track. HB-23, HB-26."""
    s.step[seat][track] += 1
    s.gained[seat] += 1
    tell(s, st.RAISED, seat, st.NONE, track, book.track[track][s.step[seat][track]])
    s.phase = st.STEPS


@rule
def clean_up(book: Book, s: State) -> None:
    """End the campaign; or raise the Bandits, move the first player to the end, and begin a season. HB-19, HB-24."""
    if is_last_season(book, s):
        s.over = 1
        return
    if book.bandits:
        for owner in range(st.SEATS, st.SEATS + st.CAMPS):
            if has_room(book, s, owner):
                rise(book, s, owner)
    first = s.order[0]
    for i in range(book.seats - 1):
        s.order[i] = s.order[i + 1]
    s.order[book.seats - 1] = first
    s.season += 1
    begin_season(book, s)


@rule
def rise(book: Book, s: State, owner: int) -> None:
    """Move the Bandits of a camp one step on a track, drawn from those not at their end. HB-24."""
    count = 0
    chosen = st.NONE
    for track in range(st.TRACKS):
        if s.step[owner][track] < book.steps[track] - 1:
            count += 1
            chosen = track if rng.below(s.rng, count) == 0 else chosen
    s.step[owner][chosen] += 1
    camp = owner - st.SEATS + st.FIRST_CAMP
    tell(s, st.ROSE, st.NONE, st.NONE, camp, chosen, book.track[chosen][s.step[owner][chosen]])


@rule
def outcome(book: Book, s: State, scores: list[int], ranks: list[int]) -> None:
    """Write each seat's Resources and rank: improvement steps settle ties, equal seats share a rank. HB-25."""
    for seat in range(book.seats):
        scores[seat] = s.resources[seat]
        ranks[seat] = 1
        for other in range(book.seats):
            if is_richer(s, other, seat):
                ranks[seat] += 1


@rule
def is_richer(s: State, seat: int, other: int) -> bool:
    """Return whether a seat is ahead of another: in Resources, or if these are equal in steps. HB-25."""
    if s.resources[seat] != s.resources[other]:
        return s.resources[seat] > s.resources[other]
    return s.gained[seat] > s.gained[other]
