"""The event log: what happened at every table, kept so that nothing shown is ever lost."""

from __future__ import annotations

from scorekeeper.store.copies import checkpoint, copies, keep_copy
from scorekeeper.store.database import open_log
from scorekeeper.store.folder import lock_data_folder
from scorekeeper.store.log import Entry, EventLog
from scorekeeper.store.moving import check_copy, copy_database, put_back
from scorekeeper.store.shelf import Shelf

__all__ = [
    "Entry",
    "EventLog",
    "Shelf",
    "check_copy",
    "checkpoint",
    "copies",
    "copy_database",
    "keep_copy",
    "lock_data_folder",
    "open_log",
    "put_back",
]
