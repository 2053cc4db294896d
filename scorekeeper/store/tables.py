"""The tables as the program uses them; the migrations make them."""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Dialect,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)


class GameWord(TypeDecorator[str]):
    """The id of a game; what no database can hold, such as a zero byte from an address line, names no game."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """*value*, or an empty word for what can't be one."""
        return value if value is None or value.isprintable() else ""


metadata = MetaData()

event = Table(
    "event",
    metadata,
    Column("game", GameWord, nullable=False),
    Column("number", Integer, nullable=False),  # 1, 2, 3 ... within a game
    Column("request_id", Text, nullable=False),  # one for each tap, so that a double tap changes nothing
    Column("at", Text, nullable=False),  # UTC, ISO 8601
    Column("who", Text, nullable=False),  # empty when nobody said
    Column("kind", Text, nullable=False),  # see scorekeeper/store/codec.py
    Column("body", Text, nullable=False),  # JSON, see scorekeeper/store/codec.py
    PrimaryKeyConstraint("game", "number", name="event_pkey"),
    UniqueConstraint("game", "request_id", name="event_request"),
)

draft = Table(
    "draft",
    metadata,
    Column("game", GameWord, primary_key=True),
    Column("body", Text, nullable=False),  # JSON of the hand being entered; gone once it is recorded
)

summary = Table(
    "summary",
    metadata,
    Column("game", GameWord, primary_key=True),
    Column("number", Integer, nullable=False),  # how many events of the game it sums up; those after it are missing
    Column("body", Text, nullable=False),  # JSON, see scorekeeper/overview.py
)

house_rules = Table(
    "house_rules",
    metadata,
    Column("name", Text, primary_key=True),  # how the table calls its own house rules
    Column("rules", Text, nullable=False),  # in notation, see scorekeeper/rules/house_notation.py
)

shelf = Table(
    "shelf",
    metadata,
    Column("kind", Text, nullable=False),  # "session", "door" ... see who uses scorekeeper/store/shelf.py
    Column("name", GameWord, nullable=False),
    Column("body", Text, nullable=False),  # JSON
    PrimaryKeyConstraint("kind", "name", name="shelf_pkey"),
)
