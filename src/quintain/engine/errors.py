"""The errors of Quintain: each message says what is wrong first, then what would be right."""


class QuintainError(Exception):
    """Base of every error that a caller can put right."""


class UnknownGame(QuintainError):
    """No game of that id is registered."""


class BadGame(QuintainError):
    """A game does not keep the contract; the message lists what is missing."""


class BadOption(QuintainError):
    """An option, the number of seats, a name or a seed that the game does not allow."""


class BadRecord(QuintainError):
    """A save, a record or a state in JSON that does not hold."""


class IllegalMove(QuintainError):
    """A move that is not legal now, or that no move is written like."""


class CannotUndo(QuintainError):
    """Nothing can be taken back by that seat now."""
