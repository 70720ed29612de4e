"""The engine: everything that is the same in every game, and its face to those who write one.

A game imports from `quintain.engine` itself: the names below stay, whatever moves inside. The engine has four floors,
of which each imports only from itself and those below it. They are, from the bottom: the modules beside this file, such
as `errors` and `names`; `rules`, which declares states, runs rules and puts a game together; `seen`, which makes what
each viewer is shown; and `play`, in which matches are played, kept and told.
"""

from quintain.engine.cards import CARD_NAME, CardEntry, check_numbers, read_entries, write_entries
from quintain.engine.errors import BadCards, BadDeck, BadOption, quoted
from quintain.engine.names import MOST_LETTERS, capital, composed, folded, is_name
from quintain.engine.play.course import Course
from quintain.engine.play.story import Cell, Curve, GridRow, Tale, Turned, numbers_of
from quintain.engine.rules import rng
from quintain.engine.rules.card_numbers import CardNumbers, one_of
from quintain.engine.rules.collection import (
    CardSet,
    Collection,
    Held,
    ListedCard,
    PaperParts,
    SetChoice,
    SetGroup,
    SetPart,
)
from quintain.engine.rules.contract import CONTRACT, acting, legal_mask
from quintain.engine.rules.decks import Blank, CardPlace, DeckList, Decks, Law, OpeningHand
from quintain.engine.rules.events import OTHER, A, B, C, D, tell
from quintain.engine.rules.fields import UNKNOWN, field
from quintain.engine.rules.game import Game, seats_in
from quintain.engine.rules.linking import rule
from quintain.engine.rules.options import Option
from quintain.engine.rules.seat_options import Gain, OwnedCards
from quintain.engine.rules.state import Event, Record
from quintain.engine.rules.views import (
    DOWN,
    FREE,
    TOKEN,
    Arrangement,
    Count,
    Label,
    Line,
    Phase,
    Piece,
    Question,
    Reach,
    Reason,
    Recap,
    Role,
    Scene,
    Score,
    Side,
    Stat,
    View,
    Zone,
    back,
    ranked,
    token,
)
from quintain.engine.toml import plain_text, read_toml, toml_lines
from quintain.engine.vocabulary import Refusal, SetField, SetKind, Vocabulary, in_toml

# The book and the state.
__all__ = ["UNKNOWN", "Event", "Record", "field"]

# The rules.
__all__ += ["OTHER", "A", "B", "C", "D", "rng", "rule", "tell"]

# The words.
__all__ += ["Count", "Line", "Option", "Reach", "Reason", "Recap", "acting", "capital", "legal_mask", "seats_in"]

# The table, as a viewer sees it.
__all__ += [
    "DOWN",
    "FREE",
    "TOKEN",
    "Arrangement",
    "Label",
    "Phase",
    "Piece",
    "Question",
    "Role",
    "Scene",
    "Score",
    "Side",
    "Stat",
    "View",
    "Zone",
    "back",
    "ranked",
    "token",
]

# Texts that people write: cards, decks, tables and names; and the list of a game's cards.
__all__ += [
    "CARD_NAME",
    "MOST_LETTERS",
    "BadCards",
    "BadDeck",
    "BadOption",
    "Blank",
    "CardEntry",
    "CardNumbers",
    "CardPlace",
    "CardSet",
    "Collection",
    "DeckList",
    "Decks",
    "Gain",
    "Held",
    "Law",
    "ListedCard",
    "OpeningHand",
    "OwnedCards",
    "PaperParts",
    "Refusal",
    "SetChoice",
    "SetField",
    "SetGroup",
    "SetKind",
    "SetPart",
    "Vocabulary",
    "check_numbers",
    "composed",
    "folded",
    "in_toml",
    "is_name",
    "one_of",
    "plain_text",
    "quoted",
    "read_entries",
    "read_toml",
    "toml_lines",
    "write_entries",
]

# The story of a finished match.
__all__ += ["Cell", "Course", "Curve", "GridRow", "Tale", "Turned", "numbers_of"]

# All of it together.
__all__ += ["CONTRACT", "Game"]
