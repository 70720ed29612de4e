"""Previews: what the rules make of an action, shown before a player chooses it.

No game writes any. `previews` plays the action on possible truths behind what the viewer sees, up to the next choice
of anybody, and compares the views before and after: scores, the totals and lines of a scene, verdicts, numbers of
pieces, public counts. It says what all truths agree on. It says so plainly if that follows without a look at anything
hidden, and else with the word "likely". It never asks the search, and it knows nothing but the viewer's blinded state.

The engine cannot see from the rules whether something follows from open things only, so it tries: it plays the action
on the blinded state itself, with a value in the place of each hidden one that raises when the rules use it.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Literal, NamedTuple, cast

from msgspec.structs import replace

from quintain.engine.rules.game import Game
from quintain.engine.rules.state import GameState, Record
from quintain.engine.rules.views import INCONSISTENT, Act, Line, Piece, Preview, Scene, Score, View
from quintain.engine.seen.layout import only_choice
from quintain.engine.seen.unknown import Undrawn, UsedChance, UsedUnknown, armed, disarmed

TRUTHS = 16
"""How many possible truths are tried where an action depends on what the viewer does not know."""
SHOWN = 12
"""The most previews that a front end asks for at once."""
MOST_LINES = 6
LONGEST = 18
"""The most letters of a preview's short form."""
OF_SOME = re.compile(r"^of \d+ ")
OPEN = "?"
DEPENDS = "? depends"
"""The short form of an action that means something else in each truth."""
LIKELY = "likely: "
"""Begins a line that all tried truths agree on, but that depends on something hidden or on chance."""
Tone = Literal["good", "even", "bad", "open"]
Path = tuple[int, ...]
"""A legal action, and perhaps the one that answers the next question: see `Act.path`."""
SCORE, TOTALS, VERDICT, LINE, NUMBER, COUNT = range(6)
"""The kinds of facts, the most important first."""


class Fact(NamedTuple):
    """A difference between two views: its kind, its words, its short form, and whether the viewer gains.

    `place` is the piece that differs. The short form for the number of a card says nothing away from that card.
    """

    kind: int
    words: str
    short: str = ""
    tone: Tone = "even"
    place: str = ""
    is_of_card: bool = False


def previews(
    game: Game, book: Record, known: GameState, seat: int, paths: Iterable[Path]
) -> Iterator[tuple[Path, Preview]]:
    """Yield the preview of each of these paths of a seat; none for one that changes nothing to tell.

    `known` is the seat's blinded state. Two viewers who see the same get the same previews: the possible truths are
    drawn from a hash of what they see.
    """
    seeing = None
    for path in paths:
        seeing = seeing or _Seeing(game, book, known, seat)
        if preview := seeing.preview(path):
            yield path, preview


def first_shown(view: View, chosen: str = "") -> list[Path]:
    """Return the paths whose previews a front end shows at once, at most SHOWN: those of the piece that the viewer has
    chosen, or else those that are the only one of their piece, the hand's first, and those that belong to no piece.
    """
    held = {piece.id for zone in view.zones if zone.role == "hand" for piece in zone.pieces}
    pieces = sorted(view.pieces(), key=lambda piece: piece.id not in held)
    chosen = chosen or only_choice(view)
    acts = [act for piece in pieces if piece.id == chosen for act in piece.acts]
    if not acts:
        acts = [piece.acts[0] for piece in pieces if len(piece.acts) == 1] + list(view.acts)
    return list(dict.fromkeys(act.path for act in acts))[:SHOWN]


def leading_on(view: View, action: int) -> list[Path]:
    """Return the paths of a view that begin with an action, at most SHOWN of them."""
    acts = chain(view.acts, chain.from_iterable(piece.acts for piece in view.pieces()))
    return list(dict.fromkeys(act.path for act in acts if act.action == action))[:SHOWN] or [(action,)]


def distinct(found: Mapping[Path, Preview | None]) -> dict[Path, Preview | None]:
    """Return previews of one question without their short forms, if these are all equal: then they tell nothing."""
    shorts = {preview.short if preview else "" for preview in found.values()}
    if len(found) < 2 or len(shorts) > 1:
        return dict(found)
    return {path: preview and replace(preview, short="") for path, preview in found.items()}


def with_previews(view: View, found: Mapping[Path, Preview]) -> View:
    """Return a view in which each act leads to its preview, if that was found."""

    def act_with(act: Act) -> Act:
        return replace(act, leads_to=found[act.path]) if act.path in found else act

    def piece_with(piece: Piece) -> Piece:
        if not (piece.acts or piece.on_it):
            return piece
        on_it = tuple(map(piece_with, piece.on_it))
        return replace(piece, acts=tuple(map(act_with, piece.acts)), on_it=on_it)

    if not found:
        return view
    zones = tuple([replace(zone, pieces=tuple(map(piece_with, zone.pieces))) for zone in view.zones])
    return replace(view, zones=zones, acts=tuple(map(act_with, view.acts)))


def facts(before: View, after: View, seat: int) -> tuple[Fact, ...]:
    """Return what differs between two views of a seat, the most important first."""
    found = chain(
        _score_facts(before, after, seat),
        _scene_facts(before.scene, after.scene, seat),
        _piece_facts(before, after, seat),
        _count_facts(before, after, seat),
    )
    return tuple(sorted(dict.fromkeys(found), key=lambda fact: fact.kind))


class _Seeing:
    """What a viewer sees, and the possible truths behind it."""

    def __init__(self, game: Game, book: Record, known: GameState, seat: int) -> None:
        self.game, self.rules, self.book, self.known, self.seat = game, game.rules, book, known, seat
        self.view = self._viewed(known)
        self.hidden = armed(known)
        self.hidden.rng = [Undrawn() for _ in known.rng]
        digest = hashlib.sha256(known.pack() + str(seat).encode()).digest()
        self.seed = int.from_bytes(digest[:7], "big")
        self.truths: list[GameState] = []

    def preview(self, path: Path) -> Preview | None:
        """Return the preview of a path; None if it changes nothing to tell."""
        known, is_all = self._surely(path)
        found = [self._facts(self._after(truth, path)) for truth in self._possible(1)]
        if not is_all or known != found[0]:
            found += [self._facts(self._after(truth, path)) for truth in self._possible(TRUTHS)[1:]]
        agreed = [fact for fact in found[0] if all(fact in each for each in found[1:])]
        touched = {piece.id for piece in self.view.pieces() if path[0] in piece.means or _reaches(piece, path)}
        agreed.sort(key=lambda fact: (fact.kind, fact.place not in touched))
        shorts = [fact for fact in agreed if fact.short and not (fact.is_of_card and fact.place not in touched)]
        return _preview(agreed, set(known), list(chain(*found)), shorts)

    def _possible(self, number: int) -> list[GameState]:
        """Return this many possible truths; always the same ones."""
        while len(self.truths) < number:
            truth = self.known.copy()
            self.rules.redeal(self.book, truth, self.seed + len(self.truths))
            self.truths.append(truth)
        return self.truths[:number]

    def _after(self, truth: GameState, path: Path) -> GameState:
        """Return what the viewer would know after a path, if this were the truth."""
        after = truth.copy()
        for action in path:
            self.rules.play(self.book, after, self.seat, action)
        return self.game.blinded(self.book, after, self.seat)

    def _surely(self, path: Path) -> tuple[tuple[Fact, ...], bool]:
        """Return what a path does whatever is hidden, up to the first use of chance, and whether that is all.

        Nothing is sure of a path that depends on something hidden.
        """
        after, is_all = self.hidden.copy(), True
        try:
            for action in path:
                self.rules.play(self.book, after, self.seat, action)
        except UsedChance:
            is_all = False
        except UsedUnknown:
            return (), False
        with contextlib.suppress(*INCONSISTENT):
            return self._facts(self.game.blinded(self.book, disarmed(after), self.seat)), is_all
        return (), False

    def _facts(self, known: GameState) -> tuple[Fact, ...]:
        return facts(self.view, self._viewed(known), self.seat)

    def _viewed(self, known: GameState) -> View:
        return cast(View, self.game.text.view(self.book, known, self.seat))


def _reaches(piece: Piece, path: Path) -> bool:
    """Tell whether a touch of a piece is one end of a path."""
    return any(reach.path == path for reach in piece.reaches)


def _preview(
    agreed: Sequence[Fact], sure: set[Fact], all_found: Sequence[Fact], shorts: Sequence[Fact]
) -> Preview | None:
    """Return the preview that says what all truths agree on; `sure` are the facts that depend on nothing hidden.

    `shorts` are those with a short form that fits here. The preview speaks of public counts only where there is nothing
    else to say, and only if they are sure.
    """
    leading = min((fact.kind for fact in all_found), default=None)
    told = [fact for fact in agreed if fact.kind < COUNT or (leading == COUNT and fact in sure)]
    words = [fact.words if fact in sure else LIKELY + fact.words for fact in told if fact.words]
    lines = tuple([Line(each) for each in words[:MOST_LINES]])
    first = next((fact for fact in shorts if fact in told), None)
    short = "" if first is None else first.short if first in sure else f"{first.short}{OPEN}"
    if leading is not None and leading < NUMBER and not any(fact.kind == leading for fact in agreed):
        return Preview("open", f"{short} {OPEN}" if first in sure else DEPENDS, lines)
    tone: Tone = next((fact.tone for fact in told if fact.kind <= TOTALS), first.tone if first else "even")
    return Preview(tone, short, lines) if lines else None


def _score_facts(before: View, after: View, seat: int) -> Iterator[Fact]:
    """Yield how the scores change, and first what that means for the viewer's lead.

    If they count something else afterwards, the public counts that have changed take their place.
    """
    if before.scores and after.scores and before.scores[0].unit != after.scores[0].unit:
        yield from _scored_counts(before, after, seat)
        return
    pairs = [(was, now) for was, now in zip(before.scores, after.scores, strict=False) if was.number != now.number]
    if not pairs:
        return
    gain = _lead(after.scores, seat) - _lead(before.scores, seat)
    own = next(((was, now) for was, now in pairs if was.seat == seat), pairs[0])
    tone: Tone = "good" if gain > 0 else "bad" if gain < 0 else "even"
    whose = "" if own[0].seat == seat else "rival "
    yield Fact(SCORE, "", whose + _gained(own[1].unit, own[1].number - own[0].number), tone)
    for was, now in pairs:
        who = "you" if now.seat == seat else f"seat {now.seat}"
        yield Fact(SCORE, f"{who}: {was.number} \N{RIGHTWARDS ARROW} {now.number} {now.unit}")


def _whose(owner: int, seat: int) -> str:
    """Return whose a number is, as a viewer calls that player."""
    return "your " if owner == seat else f"seat {owner}: "


def _scored_counts(before: View, after: View, seat: int) -> Iterator[Fact]:
    """Yield the public counts of seats that have changed, as scores."""
    was = {(count.key, count.seat): count.number for count in before.counts}
    for count in after.counts:
        change = count.number - was.get((count.key, count.seat), count.number)
        if change and count.seat is not None:
            whose = "" if count.seat == seat else "rival "
            tone: Tone = "good" if (change > 0) == (count.seat == seat) else "bad"
            words = (
                f"{_whose(count.seat, seat)}{count.words} {count.number - change} \N{RIGHTWARDS ARROW} {count.number}"
            )
            yield Fact(SCORE, words, f"{whose}{count.words} {_signed(change)}", tone)


def _gained(unit: str, change: int) -> str:
    """Return a change of a score in the fewest words.

    >>> _gained("Influence", 2), _gained("points", 1), _gained("of 4 stages", 1)
    ('+2 Influence', '+1 point', 'stages +1')
    """
    counted = OF_SOME.sub("", unit)
    if abs(change) == 1 and counted == unit:
        unit = counted = unit.removesuffix("s")
    return f"{_signed(change)} {unit}" if counted == unit else f"{counted} {_signed(change)}"


def _lead(scores: Sequence[Score], seat: int) -> int:
    """Return by how much a seat is ahead of the best other."""
    own = next((score.number for score in scores if score.seat == seat), 0)
    return own - max((score.number for score in scores if score.seat != seat), default=0)


def _signed(number: int) -> str:
    return f"{number:+d}".replace("-", "\N{MINUS SIGN}")


def _scene_facts(before: Scene | None, after: Scene | None, seat: int) -> Iterator[Fact]:
    """Yield the totals of a scene, the viewer's first, and the lines that are new."""
    if after is None:
        return
    totals = {side.seat: side.total for side in after.sides if side.total is not None}
    was = {side.seat: side.total for side in before.sides if side.total is not None} if before else {}
    if totals != was and len(totals) > 1 and seat in totals:
        own, others = totals[seat], [total for other, total in totals.items() if other != seat]
        tone: Tone = "good" if own > max(others) else "bad" if own < max(others) else "even"
        words = " : ".join(map(str, (own, *others)))
        stands = {"good": "ahead", "bad": "behind"}.get(tone, "equal")
        yield Fact(TOTALS, f"{after.title}: {words}", f"{words} {stands}", tone)
    for line in after.lines:
        if not line.by_seat and not (before and line in before.lines):
            yield Fact(LINE, line.words)


def _piece_facts(before: View, after: View, seat: int) -> Iterator[Fact]:
    """Yield what changes on pieces that stay where they are: verdicts, numbers, and notes on what becomes of them."""
    was = {piece.id: piece for piece in before.pieces()}
    shifted = _shifted(before, after)
    is_staged = _is_other_stage(before.scene, after.scene)
    legend = {label.key: label.words for label in after.legend}
    for piece in after.pieces():
        old = was.get(piece.id)
        if old is None or piece.id in shifted or (old.key, old.seat) != (piece.key, piece.seat):
            continue
        if piece.is_token and piece.name != old.name and not piece.stats:
            yield Fact(VERDICT, piece.name, _brief(piece.name), place=piece.id)
        elif piece.name == old.name and not (is_staged and piece.is_token):
            yield from _number_facts(old, piece, legend, seat)
            if not piece.is_token:
                yield from _notes(old, piece, seat)


def _shifted(before: View, after: View) -> set[str]:
    """Return the places at which another piece may lie now: others like it are in its zone, and some came or went."""
    shifted: set[str] = set()
    zones = {zone.id: zone for zone in before.zones}
    for zone in after.zones:
        old = zones.get(zone.id)
        if old and len(old.pieces) != len(zone.pieces):
            for pieces in (old.pieces, zone.pieces):
                alike = Counter((piece.key, piece.name) for piece in pieces)
                shifted.update(piece.id for piece in pieces if alike[piece.key, piece.name] > 1)
    return shifted


def _is_other_stage(before: Scene | None, after: Scene | None) -> bool:
    """Tell whether a stage has begun or ended: numbers that stand on it mean something else then."""
    was, now = ((scene.title if scene and scene.size == "stage" else "") for scene in (before, after))
    return was != now


def _number_facts(old: Piece, piece: Piece, legend: Mapping[str, str], seat: int) -> Iterator[Fact]:
    """Yield what changes in the numbers of a piece; the states of a token qualify its number, as on the table.

    Numbers of a token in different states mean different things: there is nothing to compare.
    """
    if piece.is_token and old.state != piece.state:
        return
    states = sorted(words for key, words in legend.items() if key in piece.state) if piece.is_token else []
    qualified = f" ({', '.join(states)})" if states else ""
    numbers = {stat.key: stat for stat in old.stats}
    for stat in piece.stats:
        was = numbers.get(stat.key)
        if was is not None and was.number != stat.number:
            words = piece.name if piece.is_token and stat is piece.stats[0] else stat.words
            step = f"{was.written} → {stat.written}"
            named = words if piece.is_token else f"{piece.name}: {words}"
            whose = "" if piece.seat is None or f"seat {piece.seat}" in named else _whose(piece.seat, seat)
            yield Fact(
                NUMBER,
                f"{whose}{named} {step}{qualified}",
                (_short(words, step) or _short(words, stat.written)) if not states else "",
                "even",
                piece.id,
                not piece.is_token,
            )


def _short(words: str, number: str) -> str:
    short = f"{words} {number}"
    return short if len(short) <= LONGEST else ""


def _notes(old: Piece, piece: Piece, seat: int) -> Iterator[Fact]:
    """Yield the notes that are new, and whether the viewer gains by them, compared with the notes before."""
    gain = _favour(piece.now, seat) - _favour(old.now, seat)
    tone: Tone = "good" if gain > 0 else "bad" if gain < 0 else "even"
    for line in piece.now:
        if line not in old.now:
            yield Fact(LINE, f"{piece.name}: {line.words}", _brief(line.words), tone, place=piece.id)


def _favour(lines: Iterable[Line], seat: int) -> int:
    """Return how many lines say that a seat gains, less those that say so of others.

    >>> _favour([Line("Ann wins it.", gains=0), Line("Bo wins it.", gains=1), Line("Nobody wins it.")], 1)
    0
    """
    return sum(1 if line.gains == seat else -1 for line in lines if line.gains is not None)


def _brief(words: str) -> str:
    """Return words if they are short enough for a pill; else their first clause, if that is; else nothing.

    >>> _brief("It stays: seat 1 needs 2 more Influence."), _brief("one very long clause of words")
    ('It stays', '')
    """
    for end in ("", ":", ","):
        part = words.partition(end)[0] if end else words
        if len(part) <= LONGEST:
            return part.rstrip(".")
    return ""


def _count_facts(before: View, after: View, seat: int) -> Iterator[Fact]:
    was = {(count.key, count.seat): count.number for count in before.counts}
    for count in after.counts:
        old = was.get((count.key, count.seat), count.number)
        if old != count.number:
            whose = "" if count.seat is None else _whose(count.seat, seat)
            short = _short(count.words, str(count.number)) if count.seat == seat else ""
            yield Fact(COUNT, f"{whose}{count.words} {old} → {count.number}", short)
