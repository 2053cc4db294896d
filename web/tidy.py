"""Pictures that nobody needs any more, such as those of drafts left lying."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from web.pictures import Pictures, ids_in

if TYPE_CHECKING:
    from scorekeeper.scorebook import Scorebook

LOOSE = timedelta(days=1)
"""After so long a picture goes that no hand, no deck and no draft speaks of."""
ABANDONED = timedelta(days=7)
"""After so long without a new picture a draft loses its pictures; what was typed stays."""


def tidy(book: Scorebook, pictures: Pictures, now: datetime) -> int:
    """Deletes what was left lying; done when a server starts. Returns how many pictures went."""
    kept, old = pictures.attached(), set(pictures.older_than(now - ABANDONED))
    spoken_of: set[str] = set()
    for game_id, draft in book.drafts().items():
        shown = ids_in(json.dumps(draft))
        if shown and shown <= old:
            book.save_draft(game_id, _without_looks(draft))
        else:
            spoken_of |= shown
    gone = set(pictures.older_than(now - LOOSE)) - kept - spoken_of
    pictures.forget(gone)
    return len(gone)


def _without_looks(draft: Mapping[str, Any]) -> dict[str, Any]:
    """*draft* with what was typed, and nothing that the eye said."""
    return {name: {**each, "looks": {}} if isinstance(each, dict) else each for name, each in draft.items()}
