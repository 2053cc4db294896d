"""The hand being entered, as the server keeps it between requests: typed fields and what the eye said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from scorekeeper.rules.cards import KING, parse_card
from scorekeeper.rules.lake import DeckId, Evidence, LakeReading, Pile, SeenBack, SpreadReading
from scorekeeper.rules.scoring import Hand, Side
from scorekeeper.scorebook import GameId
from web import here
from web.language import gettext as _

NOWHERE = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
"""The box of a card whose place is not kept."""
NEW_HAND = 0
"""The hand number of a draft that corrects none."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the eye said of one step of a hand."""

    pictures: tuple[str, ...]
    """Ids of the pictures as they came in."""
    overlays: tuple[str, ...]
    """Ids of the pictures with every card outlined."""
    problems: tuple[str, ...]
    certain: bool
    total: int
    """Cards seen."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """Backs per deck, of a spread only."""
    unknown: int = 0
    tops: tuple[str, ...] = ()
    """The Lake's piles, such as ``7C``; ``dead`` lies face down, ``?`` could not be read."""


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
    titles = {f"left.{side.id}": _("Left over: %(name)s", name=side.name) for side in sides}
    return {"lake": _("The %(Lake)s"), "spread": _("The %(Lake)s turned over"), **titles}


def read_draft(game_id: GameId, number: int = NEW_HAND) -> Draft:
    """The draft of a new hand, or of the correction of hand *number*; empty when nobody has begun."""
    known = here.book().draft(game_id).get(str(number), {})
    looks = {step: _look(kept) for step, kept in known.get("looks", {}).items()}
    return Draft(dict(known.get("fields", {})), looks)


def save_draft(game_id: GameId, draft: Draft, number: int = NEW_HAND, *, expected: int | None = None) -> None:
    """Keeps a draft; raises StaleGameError when the game has left the version *expected*."""
    whole = {**here.book().draft(game_id), str(number): asdict(draft)}
    here.book().save_draft(game_id, whole, expected=expected)


def drop_draft(game_id: GameId, number: int) -> None:
    """Forgets one draft."""
    whole = here.book().draft(game_id)
    here.book().save_draft(game_id, {name: kept for name, kept in whole.items() if name != str(number)})


def spread_of(draft: Draft, sides: tuple[Side, ...], hand: Hand) -> SpreadReading | None:
    """The spread to check *hand* against; None without one, and when a person gave every unknown back its side."""
    look = draft.looks.get("spread")
    if look is None:
        return None
    decks = {side.id: str(side.deck) for side in sides}
    only_added = all(tally.lake >= look.counts.get(decks[tally.side], 0) for tally in hand.tallies)
    if only_added and hand.lake == look.total:
        return None
    strangers = (SeenBack(0, None, 0.0, NOWHERE),) * look.unknown
    return SpreadReading(strangers, {DeckId(deck): count for deck, count in look.counts.items()}, look.certain, ())


def with_piles(evidence: Evidence, draft: Draft) -> Evidence:
    """*evidence* with the piles that the eye saw, as long as T still is what they add up to (rules M5)."""
    look = draft.looks.get("lake")
    if look is None or not look.tops:
        return evidence
    piles = LakeReading(tuple(map(_pile, look.tops)), look.certain, ())
    seen = replace(evidence, lake=piles)
    return seen if seen.total == evidence.total else evidence


def _pile(top: str) -> Pile:
    card = None if top in ("dead", "?") else parse_card(top)
    height = KING if top == "dead" else card.rank if card else 0
    return Pile(card, height, top == "dead", 1.0, NOWHERE)


def _look(kept: Mapping[str, Any]) -> Look:
    lists = {name: tuple(kept.get(name, ())) for name in ("pictures", "overlays", "problems", "tops")}
    return Look(**{**kept, **lists})
