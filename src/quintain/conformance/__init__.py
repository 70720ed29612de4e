"""The conformance suite: checks that a game keeps the engine's contract, by playing random games of it.

`quintain check` runs the suite on any game, and `check` does the same in Python. `suite` runs the checks. Their modules
are `rules` (states, masks and scores as numbers), `words` (the values that the functions of words return), `secrecy`
and `changes` (hidden values), `matches` (a game played through `Match`), `views` (the table as data), `parts` (the
optional parts) and `lessons`. A check takes a `Case`: see `cases`. `limits` stops a loop that does not end.

>>> from quintain.conformance import check
>>> results = check("kings-court", only="states_can")
>>> [(result.check.demand, result.state) for result in results]
[('A state and a book survive packing, the form of a record, and JSON unchanged.', 'passed')]
"""

from quintain.conformance.cases import Case, Failed, Skipped, cases_of
from quintain.conformance.checks import Check
from quintain.conformance.suite import CHECKS, Checked, check

__all__ = ["CHECKS", "Case", "Check", "Checked", "Failed", "Skipped", "cases_of", "check"]
