"""The event log: what happened at every table, kept so that nothing shown is ever lost."""

from __future__ import annotations

from scorekeeper.store.database import open_log
from scorekeeper.store.folder import lock_data_folder
from scorekeeper.store.log import Entry, EventLog

__all__ = ["Entry", "EventLog", "lock_data_folder", "open_log"]
