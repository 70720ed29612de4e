"""Checks of a game played through `Match`: menus, illegal moves, undo, resigning, saves, records and logs.

They call the game's words with real matches, as front ends do.
"""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Callable

from quintain.conformance.cases import Case, Skipped, play_randomly, require, whose
from quintain.conformance.checks import check
from quintain.engine.errors import BadRecord, CannotUndo, IllegalMove, QuintainError
from quintain.engine.names import with_minus
from quintain.engine.play.match import Match
from quintain.engine.play.positions import write_position
from quintain.engine.seen.unknown import hidden

UNDONE = 100
"""After this many undos `undo_restores_every_byte` begins no further game."""
GAMES = 6
"""The most random games that `undo_restores_every_byte` plays."""
FORCED_MOVES = 300
"""The moves of a random game that `forced_moves_reveal_nothing` looks at."""
IN_BETWEEN = 30
"""The most undos after another seat's secret step that `undo_reveals_no_secret_steps` looks at."""
A_SEAT = re.compile(r"\bseat (\d+)", re.IGNORECASE)
"""Finds the token of a seat, in small letters or capitals."""
NOT_A_NAME = re.compile(r"\b[Ss]eat \d|\bNone\b|-32768")
"""Finds mistakes in lines for people: a seat in the place of a name, or a missing value."""


def refuses(error: type[QuintainError], do: Callable[..., object], *given: object) -> bool:
    """Tell whether a function, called with these arguments, raises an error of this class."""
    try:
        do(*given)
    except error:
        return True
    return False


@check
def menus_read_back(case: Case) -> None:
    """The names of a seat's legal moves differ, each reads back as its action, and its view has the same menu."""
    match, chooser, interval = case.match(1), random.Random(1), case.interval(200)
    for number in itertools.count():
        if not match.to_act:
            break
        for seat in range(case.seats) if number % interval == 0 else ():
            _check_menu(case, match, seat)
        seat = chooser.choice(sorted(match.to_act))
        match.play(seat, chooser.choice(match.moves(seat)).text)


def _check_menu(case: Case, match: Match, seat: int) -> None:
    moves, seen, text = match.moves(seat), match.seen(seat), case.game.text
    is_asked = seen.view.question is not None
    require(
        is_asked == (seat in match.to_act), f"the view of seat {seat} must have {'no' if is_asked else 'a'} question"
    )
    require(bool(moves) == is_asked, f"seat {seat} has {len(moves)} moves")
    names = [text.name(match.book, seen.state, seat, action) for action in seen.legal]
    twice = {name for name in names if names.count(name) > 1}
    require(len({move.text.casefold() for move in moves}) == len(moves), f"two moves have one name: {sorted(twice)}")
    for action, name in zip(seen.legal, names, strict=True):
        read = text.parse(match.book, seen.state, seat, name)
        require(read == action, f"action {action} is called {name!r}, which parse reads as {read}")
    for move in moves:
        require(seen.why_not(move.text.upper()) is None, f"the move {move.text!r} does not read back in capitals")
    require([move.action for move in moves] == list(seen.legal), "the menu of a match differs from the legal actions")
    in_view = sorted((act.action, act.words) for act in seen.menu)
    require(
        in_view == [(move.action, with_minus(move.text)) for move in moves],
        "the menu of the view differs from that of the match",
    )
    require(seen.view.to_act == seen.to_act == tuple(sorted(match.to_act)), "the view has other seats to act")


@check
def illegal_moves_change_nothing(case: Case) -> None:
    """The match refuses illegal moves, moves of seats that may not act, and words that mean no move."""
    match, chooser, step = case.match(3), random.Random(3), max(1, case.length // 30)
    while match.to_act:
        before = _all_of(match)
        for seat in range(case.seats):
            legal = {move.action for move in match.moves(seat)}
            illegal = sorted(set(range(case.game.actions)) - legal)
            tries = [*chooser.sample(illegal, min(3, len(illegal))), -1, case.game.actions, "dance", "", True]
            for tried in tries:
                refused = refuses(IllegalMove, match.play, seat, tried)
                require(refused, f"seat {seat} may play {tried!r}, which is not legal")
        for nobody in (-1, case.seats):
            require(refuses(IllegalMove, match.play, nobody, 0), f"seat {nobody} may play")
        require(before == _all_of(match), "a refused move changes the match")
        play_randomly(match, chooser.randrange(1000), step)
    require(refuses(IllegalMove, match.play, 0, 0), "a move is allowed after the end")


def _all_of(match: Match) -> object:
    """Return the save, the position and the decision numbers of a match, to see whether something changes."""
    return match.save(), match.position(), [match.decision(seat) for seat in range(match.seats)]


@check
def reasons_name_a_clause(case: Case) -> None:
    """`why_not` gives a reason for illegal actions only, and reasons and accounts name clauses of the rulebook."""
    clauses = set(re.findall(r"\*\*([A-Z]+-\d+)\*\*", case.game.text.rulebook()))
    words = f"the rulebook has {len(clauses)} clauses, and the game says that it has {case.game.clauses}"
    require(len(clauses) == case.game.clauses, words)
    match, chooser, step = case.match(4), random.Random(4), max(1, case.length // 40)
    while match.to_act:
        for seat in range(case.seats):
            legal = {move.action for move in match.moves(seat)}
            for action in chooser.sample(range(case.game.actions), min(12, case.game.actions)):
                reason = match.why_not(seat, action)
                words = (
                    f"action {action} of seat {seat} is {'' if action in legal else 'not '}legal, and the reason is "
                )
                require((reason is None) == (action in legal), f"{words}{reason}")
                known = reason is None or not clauses or reason.clause in clauses
                require(known, f"a reason names the clause {reason and reason.clause}, which is not in the rulebook")
        play_randomly(match, chooser.randrange(1000), step)
    for line in match.account():
        known = not clauses or line.clause in clauses
        require(known, f"the account names the clause {line.clause}, which is not in the rulebook")


@check
def undo_restores_every_byte(case: Case) -> None:
    """An undo restores everything except the log, which gets a line, and the same move then has the same effect."""
    chooser, undone = random.Random(5), 0
    for seed in range(GAMES):
        if undone >= UNDONE:
            break
        match = case.match(seed)
        while match.to_act:
            seat = chooser.choice(sorted(match.to_act))
            move = chooser.choice(match.moves(seat)).text
            undone += _try_undo(case, match, seat, move)
    if not undone:
        raise Skipped(f"in {GAMES} random games no move could be taken back")


def _try_undo(case: Case, match: Match, seat: int, move: str) -> bool:
    """Play a move, take it back if possible and play it again; tell whether it could be taken back."""
    before, menu, asked = match.position(), match.moves(seat), match.decision(seat)
    match.play(seat, move)
    after = match.position()
    for other in range(case.seats):
        refused = match.can_undo(other) or refuses(CannotUndo, match.undo, other)
        require(refused, f"undo takes a move of seat {other} back although can_undo says no")
    if not match.can_undo(seat):
        return False
    shown = {viewer: (match.blinded(viewer), len(match.log(viewer))) for viewer in (None, *range(case.seats))}
    match.undo(seat)
    for viewer, (seen, lines) in shown.items():
        notices = viewer == seat or seen != match.blinded(viewer)
        more = len(match.log(viewer)) - lines
        words = f"the log of {whose(viewer)} gets {more} lines when {move!r} is taken back, and should get {notices:d}"
        require(more == notices, words)
    require(match.position() == before, f"taking {move!r} back does not restore the position")
    require(match.moves(seat) == menu, f"taking {move!r} back does not restore the menu")
    require(match.decision(seat) > asked + 1, "an undo does not raise the number of the decision")
    match.play(seat, move)
    require(match.position() == after, f"the move {move!r}, played again after an undo, gives another position")
    return True


@check
def undo_reveals_no_secret_steps(case: Case) -> None:
    """A secret step of one seat does not change whether another seat can take its move back."""
    chooser, in_between, secret_steps = random.Random(15), 0, 0
    for seed in range(3):
        if seed and not secret_steps:
            break
        match = case.match(seed)
        while match.to_act and in_between < IN_BETWEEN:
            seat = chooser.choice(sorted(match.to_act))
            others = {other: (match.blinded(other), match.can_undo(other)) for other in match.to_act - {seat}}
            match.play(seat, chooser.choice(match.moves(seat)).action)
            for other, (known, could) in others.items():
                if known == match.blinded(other):
                    secret_steps += 1
                    can = match.can_undo(other)
                    require(
                        can == could,
                        f"a secret step of seat {seat} changes whether seat {other} can take its move back",
                    )
                    if could:
                        in_between += 1
                        mine = match.blinded(seat)
                        match.undo(other)
                        require(match.blinded(seat) == mine, f"an undo of seat {other} undoes a step of seat {seat}")
                        require(Match.load(match.save()).save() == match.save(), "the save does not load again")
    if not in_between:
        raise Skipped("no seat makes a secret step while another can take a move back")


@check
def saves_and_records_replay(case: Case) -> None:
    """A loaded save goes on exactly as its match does, and a record replays to the same record."""
    match = play_randomly(case.match(6), 6, min(7, case.length // 2))
    again = Match.load(json.dumps(match.save()))
    require(
        again.save() == match.save() and again.position() == match.position(), "a loaded save differs from the match"
    )
    for viewer in (None, *range(case.seats)):
        require(again.log(viewer) == match.log(viewer), f"the log of {whose(viewer)} differs in a loaded save")
        require(again.view(viewer) == match.view(viewer), f"the view of {whose(viewer)} differs in a loaded save")
    numbers = [[each.decision(seat) for seat in range(case.seats)] for each in (again, match)]
    require(numbers[0] == numbers[1], "the numbers of decisions differ in a loaded save")
    play_randomly(match, 7)
    play_randomly(again, 7)
    require(again.record() == match.record(), "a loaded save, played on with the same moves, ends in another record")
    replayed = Match.load(json.dumps(match.record()).encode())
    require(replayed.record() == match.record(), "a record replays to another record")
    require(replayed.position() == match.position(), "a record replays to another position")
    require(Match.load(match.save()).outcome == match.outcome, "the save of a finished match has another outcome")


@check
def finished_matches_can_be_stepped_through(case: Case) -> None:
    """`steps` plays a finished match again from the deal, hides nothing from spectators, and gives the same record."""
    require(refuses(QuintainError, lambda: next(case.match(13).steps())), "steps works before the end")
    match = case.finished()
    steps = match.steps()
    entry, again = next(steps)
    require(entry is None and not again.moves_made, "the first step is not the deal")
    made = []
    for entry, again in steps:
        made.append(entry)
        require(not hidden(again.blinded(None)), "something is hidden in a step of a finished match")
    require(made == match.moves_made, "the entries of the steps are not those of the match")
    require(again.record() == match.record(), "the match after the last step has another record")


@check
def the_seed_settles_everything(case: Case) -> None:
    """The seed stays secret until the end, and a new match of the same seed and moves ends in the same record."""
    match, finished = case.match(13), case.finished()
    require(refuses(QuintainError, lambda: match.seed), "the seed is shown before the end")
    require(refuses(QuintainError, match.record), "a record is given before the end")
    again = play_randomly(match, 13)
    require(again.record() == finished.record(), "two matches with the same seed and moves differ")
    require(finished.seed == (bytes([13]) * 32).hex(), "the finished match shows another seed")


@check
def changed_documents_are_refused(case: Case) -> None:
    """Loading refuses a save or a record in which one bit has changed."""
    chooser, match = random.Random(9), case.finished()
    for document in (match.save(), match.record()):
        data = bytearray(json.dumps(document, separators=(",", ":")).encode())
        for place in chooser.sample(range(len(data)), 60):
            changed = bytearray(data)
            changed[place] ^= 1 << chooser.randrange(7)
            if _json_or_none(bytes(changed)) != document:
                refused = refuses(BadRecord, Match.load, bytes(changed))
                require(refused, f"a document loads although byte {place} has changed: {bytes(changed[:200])!r}")


def _json_or_none(data: bytes) -> object:
    try:
        return json.loads(data)
    except ValueError:
        return None


@check
def resigning_ends_or_goes_on(case: Case) -> None:
    """Resigning ends a match of two; with more seats the others play on, and the first seat to resign ranks last."""
    if case.seats == 1:
        raise Skipped("the only player who could go on would be the one who resigns")
    match = play_randomly(case.match(10), 10, min(3, case.length // 4))
    quitters = random.Random(10).sample(range(case.seats), case.seats - 1)
    for number, seat in enumerate(quitters, 1):
        if match.outcome:
            raise Skipped("the random game was over before all but one had resigned")
        match.resign(seat)
        require(not match.moves(seat), f"seat {seat} has moves after it has resigned")
        require(refuses(IllegalMove, match.resign, seat), f"seat {seat} resigns twice")
        if number < case.seats - 1 and case.length > 4 * case.seats:
            play_randomly(match, number, 2)
    require(match.outcome is not None and not match.to_act, "the match goes on although only one player is left")
    assert match.outcome
    winner = next(seat for seat in range(case.seats) if seat not in quitters)
    ranks = [match.outcome.ranks[seat] for seat in (winner, *reversed(quitters))]
    require(
        ranks == list(range(1, case.seats + 1)),
        f"after resigning the ranks are {match.outcome.ranks}",
    )
    require(match.outcome.scores is None, "a match that ended by resignation has scores")
    require(match.names[winner] in match.outcome.reason, "the result does not name the winner")
    wrong = [words for words in match.outcome.prizes if NOT_A_NAME.search(words)]
    require(not wrong, f"the prizes have a seat in the place of a name, or a missing value: {wrong}")
    require(Match.load(json.dumps(match.record())).record() == match.record(), "the record does not load again")


@check
def resigned_seats_rank_last(case: Case) -> None:
    """A seat that has resigned ranks last when the others play to the end, and the match plays its moves at random."""
    match = case.match(11)
    match.resign(1 if case.seats > 1 else 0)
    if case.seats <= 2:
        require(match.outcome is not None, "the match goes on although all but one have resigned")
        return
    play_randomly(match, 11)
    assert match.outcome
    require(match.outcome.scores is not None, "a match that was played to the end has no scores")
    require(match.outcome.ranks[1] == case.seats, f"seat 1 has resigned, and the ranks are {match.outcome.ranks}")
    moves = [entry for entry in match.moves_made if entry.seat == 1 and entry.kind == "move"]
    require(all(entry.auto for entry in moves), "a move of a seat that has resigned is not marked as auto")
    require(Match.load(match.record()).record() == match.record(), "the record does not load again")


@check
def a_secret_choice_asks_nobody_anew(case: Case) -> None:
    """While several seats choose, the choice of one does not change the number of another's decision."""
    match, chooser, together = case.match(12), random.Random(12), 0
    while match.to_act:
        seat = chooser.choice(sorted(match.to_act))
        waiting = {other: (match.decision(other), match.moves(other)) for other in match.to_act - {seat}}
        match.play(seat, chooser.choice(match.moves(seat)).action)
        for other, (decision, moves) in waiting.items():
            if match.moves(other) == moves:
                together += 1
                require(
                    match.decision(other) == decision,
                    f"seat {other} gets a new decision number because seat {seat} has chosen",
                )
    if not together:
        raise Skipped("no two seats choose at the same time")


@check
def forced_moves_reveal_nothing(case: Case) -> None:
    """Whether a move counts as openly forced, or as noticed, depends only on what spectators see."""
    match, chooser = case.match(14), random.Random(14)
    for number in itertools.count():
        if not match.to_act or number > FORCED_MOVES:
            break
        for seat in match.to_act:
            _check_forced(case, match, seat, chooser.getrandbits(60))
        seat = chooser.choice(sorted(match.to_act))
        move = chooser.choice(match.moves(seat)).action
        before, noticed = match.blinded(None), match.is_noticed(seat, move)
        match.play(seat, move)
        require(noticed == (before != match.blinded(None)), "is_noticed is wrong about what a spectator notices")


def _check_forced(case: Case, match: Match, seat: int, seed: int) -> None:
    openly = match.is_openly_forced(seat)
    require(len(match.moves(seat)) == 1 or not openly, f"seat {seat} counts as openly forced, and has a choice")
    if len(match.moves(seat)) == 1:
        twin = match.blinded(None)
        case.game.rules.redeal(match.book, twin, seed)
        if len(case.game.legal_actions(match.book, twin, seat)) == 1:
            other = write_position(twin, case.game.card_names(match.book))
            forced = [case.placed(each).is_openly_forced(seat) for each in (match.position(), other)]
            require(
                forced[0] == forced[1],
                f"whether seat {seat} counts as openly forced depends on what spectators do not see",
            )


@check
def logs_name_players(case: Case) -> None:
    """Every viewer's log has lines, which name players, not seats, and have no missing values."""
    match = case.finished()
    for viewer in (None, *range(case.seats)):
        lines = match.log(viewer)
        require(lines, f"the log of {whose(viewer)} is empty")
        wrong = [line for line in lines if NOT_A_NAME.search(line)]
        require(not wrong, f"the log of {whose(viewer)} says {wrong[:1]}")
    require(match.record()["log"], "the record has no log")
