"""`quintain verify`: compares commitments and keys, and prints what a record proves and what it cannot prove."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from rich.console import Console
from rich.text import Text

from quintain.cli.show import printable
from quintain.engine.errors import BadOption, BadRecord, quoted
from quintain.engine.play.commitments import read_hex, seed_commitment
from quintain.engine.play.documents import Signature
from quintain.engine.play.match import Match
from quintain.engine.play.signatures import check_signature
from quintain.engine.seen.result import result

WHOLE = "the seed, the game, version {version} of its rules, its options and the number of seats"
SEED_ALONE = "the seed alone, as older versions of Quintain made it"


class Evidence(NamedTuple):
    """A match whose record has passed every check, its signature if it has one, and what else was compared.

    `shown` is the commitment that somebody saw before the deal, `server` the key of the server; each may be missing.
    """

    match: Match
    signature: Signature | None
    shown: str | None
    server: str | None

    def covered(self, commitment: str) -> str:
        """Return what a commitment to this match covers, in words."""
        alone = commitment == seed_commitment(bytes.fromhex(self.match.seed))
        return SEED_ALONE if alone else WHOLE.format(version=self.match.version)

    def names(self, revealed: bool) -> list[str]:
        """Return the names of those who committed and revealed their random numbers, or of those who did not reveal."""
        return [self.match.names[each.seat] for each in self.match.reveals if bool(each.revealed) == revealed]


def read_commitment(given: str | None) -> str | None:
    """Return a commitment in the form in which matches write it; raises BadOption."""
    if given is None:
        return None
    if not re.fullmatch("[0-9a-fA-F]{64}", given.strip()):
        raise BadOption(f"{quoted(given)} cannot be a commitment: give the 64 hex digits that you saw before the deal")
    return given.strip().lower()


def read_key(given: str | None) -> str | None:
    """Return the public key of a server in the form in which signatures write it; raises BadOption."""
    return None if given is None else read_hex(given.strip(), "the key of a server")


def check(match: Match, text: str, name: str, shown: str | None, server: str | None) -> Evidence:
    """Check what a replay does not: the commitment that was shown, if given, and the signature; raises BadRecord.

    `text` is that of the record, and `name` what its file is called.
    """
    try:
        signature = check_signature(json.loads(text))
    except BadRecord as error:
        raise BadRecord(f"{name}: {error}") from error
    if shown not in (None, match.commitment, seed_commitment(bytes.fromhex(match.seed))):
        raise BadRecord(
            f"{name}: it is not the match fixed before the deal: its commitment is {match.commitment}, "
            f"but the commitment that you saw is {shown}"
        )
    if server and not signature:
        raise BadRecord(
            f"{name}: no server has signed it, and the one with the key {server} signs what is played there"
        )
    if server and signature and signature.key != server:
        raise BadRecord(f"{name}: another key has signed it: {signature.key}, and not the server's key {server}")
    return Evidence(match, signature, shown, server)


def print_proof(console: Console, evidence: Evidence) -> None:
    """Print what the record of a match proves, and what it does not prove."""
    match, signature = evidence.match, evidence.signature
    assert match.outcome
    facts = [("Commitment", match.commitment), ("Seed", match.seed)]
    facts += [(f"Seat {each.seat}", each.revealed or "not revealed") for each in match.reveals]
    if signature:
        facts += [("Signed by", signature.key)]
    for paragraph in (
        f"{match.game.title}. {result(match.names, match.outcome)}",
        "\n".join(f"{about:12}{value}" for about, value in facts),
        _listed("This record proves:", _proved(evidence)),
        _listed(f"It does not prove{'' if signature else ', for it carries no signature'}:", _not_proved(evidence)),
    ):
        console.print(Text(f"{paragraph}\n"))


def proof_of(evidence: Evidence) -> dict[str, Any]:
    """Return what the record of a match holds and proves, for programs."""
    match = evidence.match
    return {
        "game": match.game.id,
        "version": match.version,
        "names": match.names,
        "result": match.outcome,
        "moves": len(match.moves_made),
        "commitment": match.commitment,
        "seed": match.seed,
        "from_position": match.is_from_position,
        "reveals": match.reveals,
        "signature": evidence.signature,
        "commitment_compared": evidence.shown is not None,
        "server_compared": evidence.server is not None,
        "proved": _proved(evidence),
        "not_proved": _not_proved(evidence),
    }


def _proved(evidence: Evidence) -> list[str]:
    match, revealed, withheld = evidence.match, evidence.names(True), evidence.names(False)
    proved = [
        f"the moves follow the rules, version {match.game.version}: its {len(match.moves_made)} entries, played again, "
        "give the scores and ranks that the record states",
        f"{_chance(match)} the seed{f' and the random numbers of {_all(revealed)}' if revealed else ''}, "
        f"and the commitment covers {evidence.covered(match.commitment)}",
    ]
    if revealed:
        proved.append(f"each random number fits the commitment of its seat: {_all(revealed)} revealed theirs")
    if withheld:
        proved.append(f"no card depends on a number of {_all(withheld)}: the record says that it was not revealed")
    if evidence.shown:
        proved.append(
            f"the match is the one fixed before the deal, if you saw that commitment then: it covers "
            f"{evidence.covered(evidence.shown)}"
        )
    return proved + _vouched(evidence)


def _chance(match: Match) -> str:
    if match.is_from_position:
        return "the game began from a position, and all chance from there on follows from"
    return "the cards follow from"


def _vouched(evidence: Evidence) -> list[str]:
    """Return what the signature of a record proves; nothing without one."""
    signature = evidence.signature
    if signature is None:
        return []
    signer = "your server" if evidence.server else "whoever has this key"
    where = f", at the table {printable(signature.table)}" if signature.table else ""
    when = (
        ""
        if signature.ended is None
        else f", and ended {datetime.fromtimestamp(signature.ended, UTC):%Y-%m-%d %H:%M} UTC"
    )
    return [f"{signer} signed it, and nobody changed it since: {signer} says that this was played{where}{when}"]


def _not_proved(evidence: Evidence) -> list[str]:
    unproved = ["the words of its log: `quintain replay` shows what really follows from the moves"]
    if evidence.match.is_from_position:
        unproved.append(
            "the position from which the game began: it was not dealt, the commitment does not cover it, and no rule "
            "says that a game could come to it"
        )
    if evidence.match.chosen:
        unproved.append(
            f"that the options {_all(sorted(evidence.match.chosen))} were chosen before the deal: each seat chooses "
            "for itself until all have sat down, and the commitment, which is older, does not cover them"
        )
    if evidence.signature is None:
        unproved += [
            "who played: anybody can write other names or bots into a record and compute its checksum again",
            "when it was played, or that these moves were the ones played: anybody who has the seed can play other "
            "moves with it, in this game or another, or invent a whole match with a seed of their own",
        ]
    elif evidence.server is None:
        unproved.append(
            "whose key that is: anybody can make one. Compare it with the key that the server shows at /keys, or add "
            "--server and that key"
        )
    else:
        unproved.append("that the server is honest: whoever runs it can invent matches, and see all cards")
    if not evidence.shown:
        unproved.append(
            "that the seed was fixed before play: to check that, add --commitment and the 64 hex digits that you saw "
            "before the deal"
        )
    unproved.append(_luck(evidence))
    return unproved


def _luck(evidence: Evidence) -> str:
    """Return what remains unproved about how the cards were drawn."""
    if not evidence.names(True):
        return "that the seed was drawn honestly: the person who drew it could know the cards"
    return (
        "that the random numbers are the players' own: each of them can look for their own commitment in the record. "
        "Whoever made the seed saw all numbers first, and could say of one that it was not revealed"
    )


def _all(names: Sequence[str]) -> str:
    """Return names as a list in words.

    >>> _all(["Ann", "Bo", "Cy"])
    'Ann, Bo and Cy'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _listed(title: str, points: list[str]) -> str:
    return "\n".join([title, *(f"- {point};" for point in points[:-1]), f"- {points[-1]}."])
