"""The hand being entered, as the server keeps it between requests: typed fields and what the eye said."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

from scorekeeper.errors import ScorekeeperError
from scorekeeper.rules.lake import DeckId, Evidence, SeenBack, SpreadReading
from scorekeeper.rules.scoring import Hand, Side
from scorekeeper.scorebook import GameId
from web import here
from web.language import gettext as _
from web.looks import Look, lake_reading, read_look

T = TypeVar("T")

NEW_HAND = 0
"""The hand number of a draft that corrects none."""

__all__ = [
    "NEW_HAND",
    "Draft",
    "Look",
    "change_draft",
    "change_drafts",
    "drop_draft",
    "has_arrived",
    "one_at_a_time",
    "owner_of",
    "part_of",
    "picture_titles",
    "read_draft",
    "read_look",
    "save_draft",
    "spread_of",
    "unwanted",
    "with_piles",
]

ARRIVED = "arrived"
"""Where the ids of pictures lie that are in the drafts of a game already; recording the hand clears them with it."""

logger = logging.getLogger(__name__)

one_at_a_time = threading.RLock()
"""Two phones fill one draft: each reads it, changes it and writes it back before the other does."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One hand being entered."""

    fields: Mapping[str, str] = field(default_factory=dict)
    """What stands in the form, such as ``{"lake.amy": "14"}``."""
    looks: Mapping[str, Look] = field(default_factory=dict)
    """By step: ``lake``, ``spread`` and ``left.amy``."""

    def with_fields(self, fields: Mapping[str, str]) -> Draft:
        return replace(self, fields={**self.fields, **fields})

    def with_look(self, step: str, look: Look | None) -> Draft:
        """With what the eye said of *step*; None forgets it."""
        looks = {name: known for name, known in self.looks.items() if name != step}
        return replace(self, looks={**looks, step: look} if look else looks)

    @property
    def evidence(self) -> dict[str, list[str]]:
        """The overlays of each step, for the page of the hand."""
        return {step: list(look.overlays) for step, look in self.looks.items()}


def picture_titles(sides: tuple[Side, ...]) -> dict[str, str]:
    """What the pictures of each step show."""
    titles = {f"left.{side.id}": _("Left: %(name)s", name=side.name) for side in sides}
    return {"lake": _("The %(Lake)s"), "spread": _("%(Lake)s, backs up"), **titles}


def read_draft(game_id: GameId, number: int = NEW_HAND) -> Draft:
    """The draft of a new hand, or of the correction of hand *number*; empty when nobody has begun."""
    return _read(here.book().draft(game_id), number)


def _read(drafts: Mapping[str, Any], number: int) -> Draft:
    return part_of(drafts, str(number), _draft, Draft())


def _draft(known: Mapping[str, Any]) -> Draft:
    looks = {step: read_look(kept) for step, kept in known.get("looks", {}).items()}
    return Draft(dict(known.get("fields", {})), looks)


def part_of(drafts: Mapping[str, Any], name: str, read: Callable[[Any], T], otherwise: T) -> T:
    """One part of what is kept of a hand being entered; *otherwise* where there is none, or none that can be read."""
    try:
        return read(drafts[name]) if name in drafts else otherwise
    except (ValueError, LookupError, TypeError, AttributeError, ScorekeeperError) as error:
        logger.error("the draft %s of a game is damaged: %r", name, error)
        return otherwise


def save_draft(game_id: GameId, draft: Draft, number: int = NEW_HAND, *, expected: int | None = None) -> None:
    """Keeps a draft; raises StaleGameError when the game has left the version *expected*."""
    change_draft(game_id, lambda _: draft, number, expected=expected)


def change_draft(
    game_id: GameId,
    change: Callable[[Draft], Draft],
    number: int = NEW_HAND,
    *,
    expected: int | None = None,
    once: str = "",
) -> Draft:
    """Keeps what *change* makes of the draft as it is now, and answers with it; a picture's id comes in *once*."""

    def put(drafts: Mapping[str, Any]) -> dict[str, Any]:
        return {**drafts, str(number): asdict(change(_read(drafts, number)))}

    return _read(change_drafts(game_id, put, expected=expected, once=once), number)


def change_drafts(
    game_id: GameId,
    change: Callable[[Mapping[str, Any]], dict[str, Any]],
    *,
    expected: int | None = None,
    once: str = "",
) -> dict[str, Any]:
    """Keeps what *change* makes of all drafts of a game as they are now, and answers with them; *once* as above."""
    with one_at_a_time:
        if has_arrived(game_id, once):
            return dict(here.book().draft(game_id))
        changed = change(here.book().draft(game_id))
        if once:
            changed = {**changed, ARRIVED: [*part_of(changed, ARRIVED, list, []), once]}
        here.book().save_draft(game_id, changed, expected=expected)
    here.parts().told.tell(game_id, here.parts().told_count.more(game_id))
    return changed


def has_arrived(game_id: GameId, picture: str) -> bool:
    """Whether the picture of that id is in the drafts already; one without an id never is."""
    return bool(picture) and picture in part_of(here.book().draft(game_id), ARRIVED, list, [])


def unwanted(game_id: GameId, picture: str) -> None:
    """Nothing becomes of the picture of that id, as if it had arrived already."""
    change_drafts(game_id, dict, once=picture)


def drop_draft(game_id: GameId, number: int) -> None:
    """Forgets one draft."""
    change_drafts(game_id, lambda drafts: {name: kept for name, kept in drafts.items() if name != str(number)})


def owner_of(side: Side) -> str:
    """What a look calls the cards of *side*: its deck, or the side itself while it has none."""
    return str(side.deck) if side.deck else f"@{side.id}"


def spread_of(draft: Draft, sides: Sequence[Side], hand: Hand) -> SpreadReading | None:
    """The spread to check *hand* against; None without one, and when a person gave every unknown back its side."""
    look = draft.looks.get("spread")
    if look is None:
        return None
    counts, owners = look.counts, {side.id: owner_of(side) for side in sides}
    only_added = all(tally.lake >= counts.get(owners[tally.side], 0) for tally in hand.tallies)
    if only_added and hand.lake == look.total:
        return None
    cards = tuple(
        SeenBack(card.picture, DeckId(card.what) if card.what else None, card.confidence, card.box)
        for card in look.cards
    )
    return SpreadReading(cards, {DeckId(deck): count for deck, count in counts.items()}, look.certain, ())


def with_piles(evidence: Evidence, draft: Draft) -> Evidence:
    """*evidence* with the piles that the eye saw, as long as T still is what they add up to (rules M5)."""
    look = draft.looks.get("lake")
    if look is None or not look.cards:
        return evidence
    seen = replace(evidence, lake=lake_reading(look))
    return seen if seen.total == evidence.total else evidence
