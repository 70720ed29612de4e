"""The conformance suite: demands that every game meets, tried on random games of it.

`quintain check` runs it on any game, and `check` does so in Python. The modules hold the checks: `rules` those of
numbers, `secrecy` and `changes` those of what is hidden, `matches` those of a game played through `Match`, `views`
those of what people see, `parts` those of optional parts. `cases` is what a check is given.

>>> from quintain.conformance import check
>>> results = check("kings-court", only="states")
>>> [(result.check.demand, result.state) for result in results]
[('A state and a book are the same again after packing, as a record, and as JSON.', 'passed')]
"""

from quintain.conformance.cases import Case, Failed, Skipped, cases_of
from quintain.conformance.checks import Check
from quintain.conformance.suite import CHECKS, Checked, check

__all__ = ["CHECKS", "Case", "Check", "Checked", "Failed", "Skipped", "cases_of", "check"]
