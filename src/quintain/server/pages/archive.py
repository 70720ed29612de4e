"""What pages ask about tables and people beside the table that they show: lists, players, ratings and who is here."""

from __future__ import annotations

from quintain.server.beside.workers import Workers
from quintain.server.people.sessions import Sessions
from quintain.server.store.cards.owned_cards import OwnedCollections
from quintain.server.store.cards.player_decks import PlayerDecks
from quintain.server.store.cards.player_sets import PlayerSets
from quintain.server.store.cards.saved_sets import SavedSets
from quintain.server.store.finished_games import GameHistory
from quintain.server.store.invitations import Invitations
from quintain.server.store.standings import Standings
from quintain.server.store.store import Store
from quintain.server.store.study.analyses import Analyses
from quintain.server.store.study.private_puzzles import PrivatePuzzles
from quintain.server.store.study.solved_puzzles import SolvedPuzzles
from quintain.server.study.own_puzzles import PuzzleStudy
from quintain.server.study.puzzle_judging import NoParts, PuzzleJudging
from quintain.server.tables.memory import Tables
from quintain.server.workshop.bench import Bench


class Archive:
    """The tables in memory, and everything that the database knows of tables and people."""

    def __init__(self, store: Store, tables: Tables, sessions: Sessions, workers: Workers):
        self.store, self.tables, self.sessions = store, tables, sessions
        answers, own = SolvedPuzzles(store), PrivatePuzzles(store)
        self.puzzles = PuzzleStudy(tables, answers, own, store.learned, PuzzleJudging(workers, NoParts()))
        self.history, self.standings, self.invitations = GameHistory(store), Standings(store), Invitations(store)
        self.analyses, self.decks = Analyses(store), PlayerDecks(store)
        self.sets, self.saved_sets, self.bench = PlayerSets(store), SavedSets(store), Bench()
        self.collections = OwnedCollections(store)
