"""Write all that is known of a table into its log, with the numbers of players; the other rows follow from the log."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
KINDS = {"move": "moved", "undo": "undone", "resign": "resigned"}
AGREED = ("game", "version", "options", "clock", "speed", "private")
TABLE_COLUMNS = ("id", *AGREED, "status", "made", "begun", "rematch", "lesson")
OLD = ("entries", "seats", "tables", "players")


def upgrade() -> None:
    """Make the four tables anew, copy what is there, and let the new ones take the place of the old ones."""
    _make_players()
    _make_tables()
    _make_seats()
    _make_entries()
    connection = op.get_bind()
    numbers = _copy_players(connection)
    for table in _rows(connection, "SELECT * FROM tables ORDER BY made"):
        _copy_table(connection, table, numbers)
    for name in OLD:
        op.drop_table(name)
    for name in reversed(OLD):
        op.rename_table(f"new_{name}", name)
    op.create_index("ix_tables_made", "tables", ["made"])
    op.create_index("ix_tables_status", "tables", ["status"])
    op.create_index("ix_seats_number", "seats", ["number"])


def downgrade() -> None:
    """Refuse: the older rows would lack what the log says."""
    raise NotImplementedError("the log of tables cannot be turned back: use a backup from before")


def _rows(connection: sa.Connection, asked: str, **given: object) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(sa.text(asked), given).mappings()]


def _copy_players(connection: sa.Connection) -> dict[str, int]:
    """Give every player a number, the first one first; return the numbers by id."""
    numbers = {}
    for number, player in enumerate(_rows(connection, "SELECT * FROM players ORDER BY made, id"), 1):
        numbers[player["id"]] = number
        values = {"number": number, "named": player["made"], **player}
        connection.execute(
            sa.text(
                "INSERT INTO new_players (number, id, name, made, named) VALUES (:number, :id, :name, :made, :named)"
            ),
            values,
        )
    if numbers and connection.dialect.name == "postgresql":
        connection.execute(
            sa.text("SELECT setval(pg_get_serial_sequence('new_players', 'number'), :most)"), {"most": len(numbers)}
        )
    return numbers


def _copy_table(connection: sa.Connection, table: dict[str, Any], numbers: dict[str, int]) -> None:
    """Write a table's whole log, and the rows that follow from it."""
    for name in ("options", "record"):
        if isinstance(table[name], str):
            table[name] = json.loads(table[name])
    seats = _rows(connection, 'SELECT * FROM seats WHERE "table" = :id ORDER BY seat', id=table["id"])
    moves = _rows(connection, 'SELECT * FROM entries WHERE "table" = :id ORDER BY seq', id=table["id"])
    names = [seat["name"] or "" for seat in seats]
    moves = _without_names(table, seats, names, moves)
    for seat in seats:
        seat["number"] = numbers.get(seat["player"])
    add = sa.text(
        'INSERT INTO new_entries ("table", seq, seat, kind, text, at) VALUES (:table, :seq, :seat, :kind, :text, :at)'
    )
    for seq, (place, kind, words, at) in enumerate(_log(table, seats, names, moves), 1):
        connection.execute(
            add, {"table": table["id"], "seq": seq, "seat": place, "kind": kind, "text": words, "at": at}
        )
    shown = {name: table[name] for name in TABLE_COLUMNS} | {"options": json.dumps(table["options"])}
    connection.execute(
        sa.text(
            f"INSERT INTO new_tables ({', '.join(TABLE_COLUMNS)}) "
            f"VALUES ({', '.join(f':{name}' for name in TABLE_COLUMNS)})"
        ),
        shown,
    )
    for seat in seats:
        connection.execute(
            sa.text(
                'INSERT INTO new_seats ("table", seat, number, bot, stand_in, moved, since) '
                "VALUES (:table, :seat, :number, :bot, :stand_in, :moved, :since)"
            ),
            seat | {"since": table["made"], "stand_in": bool(seat["stand_in"])},
        )


def _log(
    table: dict[str, Any], seats: Sequence[dict[str, Any]], names: Sequence[str], moves: Sequence[dict[str, Any]]
) -> Iterator[tuple[int, str, str, float]]:
    """Yield the seat, the kind, the text and the time of each entry of a table's log."""
    made, last = table["made"], moves[-1]["at"] if moves else table["begun"] or table["made"]
    sitters = [
        {"player": seat["number"]} if seat["number"] else {"bot": seat["bot"]} if seat["bot"] else {} for seat in seats
    ]
    begins = {name: table[name] for name in (*AGREED, "seed")}
    begins |= {"private": bool(table["private"]), "seats": sitters}
    if table["lesson"] is not None:
        begins["lesson"] = table["lesson"]
    yield -1, "made", json.dumps(begins), made
    if table["status"] != "waiting":
        yield -1, "begun", "", table["begun"] or made
    for move in moves:
        yield move["seat"], KINDS.get(move["kind"], move["kind"]), move["text"], move["at"]
    for seat in seats:
        for _ in range(seat["moved"]):
            yield seat["seat"], "seat-moved", str(seat["number"]), last
    if table["status"] == "over":
        yield -1, "over", json.dumps(_record_without_names(table["record"], names)), last
    if table["rematch"]:
        yield -1, "again", table["rematch"], last


def _record_without_names(record: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return a record with ``seat 0`` in the place of names: as its match writes it, if that can be played again."""
    from quintain.engine.errors import QuintainError
    from quintain.engine.names import with_tokens
    from quintain.engine.play.match import Match

    try:
        return Match.load(record).record(with_names=False)
    except QuintainError:
        pass
    result = dict(record["result"])
    result["reason"] = with_tokens(names, result["reason"])
    if result.get("prizes"):
        result["prizes"] = [with_tokens(names, words) for words in result["prizes"]]
    log = [with_tokens(names, line) for line in record.get("log", [])]
    kept = {name: value for name, value in record.items() if name != "sha256"}
    return {**kept, "names": [f"seat {seat}" for seat in range(len(names))], "log": log, "result": result}


def _without_names(
    table: dict[str, Any], seats: Sequence[dict[str, Any]], names: Sequence[str], moves: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the moves with ``seat 0`` in the place of names, as matches write them.

    A word of a card may be a player's name. So a log in which names seem to occur is played again, and the match says
    how it writes each move. A log that cannot be played again stays as it is.
    """
    from quintain.engine.errors import QuintainError
    from quintain.engine.names import with_tokens
    from quintain.engine.play.match import Match

    here = [name for name in names if name]
    if not any(move["kind"] == "move" and with_tokens(here, move["text"]) != move["text"] for move in moves):
        return moves
    try:
        bots = [seat["bot"] for seat in seats]
        match = Match.new(table["game"], len(seats), names, table["options"], table["seed"], bots)
        if match.game.version != table["version"]:
            return moves
        written = []
        for move in moves:
            place = len(match.moves_made)
            if move["kind"] == "move":
                match.play(move["seat"], move["text"])
                written.append({**move, "text": match.moves_made[place].text})
                continue
            written.append(move)
            if move["kind"] == "undo":
                match.replay_undo(move["seat"])
            elif move["kind"] == "resign":
                match.resign(move["seat"])
            else:
                match.hand_over(move["seat"], move["text"])
    except QuintainError:
        return moves
    return written


def _make_players() -> None:
    op.create_table(
        "new_players",
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("id", sa.String(), nullable=False, unique=True),
        sa.Column("name", sa.String(), nullable=True),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("named", sa.Double(), nullable=False),
    )


def _make_tables() -> None:
    op.create_table(
        "new_tables",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("clock", sa.String(), nullable=False),
        sa.Column("speed", sa.String(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("begun", sa.Double(), nullable=True),
        sa.Column("rematch", sa.String(), nullable=True),
        sa.Column("lesson", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )


def _make_seats() -> None:
    op.create_table(
        "new_seats",
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("bot", sa.String(), nullable=True),
        sa.Column("stand_in", sa.Boolean(), nullable=False),
        sa.Column("moved", sa.Integer(), nullable=False),
        sa.Column("since", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["new_tables.id"]),
        sa.ForeignKeyConstraint(["number"], ["new_players.number"]),
        sa.PrimaryKeyConstraint("table", "seat"),
    )


def _make_entries() -> None:
    op.create_table(
        "new_entries",
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("table", "seq"),
        sqlite_with_rowid=False,
    )
