"""Decks by themselves: told apart well enough before a game, complete after it (rules A6, A7, M13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scorekeeper.errors import NotationError
from scorekeeper.rules.cards import RANKS, Card, Suit, parse_card
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.points import and_join, count
from scorekeeper.rules.problems import Problem, doubt

JOKER_WORDS = frozenset({"JOKER", "JK", "*"})


def too_alike(distances: Mapping[tuple[DeckId, DeckId], float], threshold: float) -> list[Problem]:
    """The pairs of backs nearer than *threshold*, the nearest first; the eye measures (rules A6, M13)."""
    near = sorted((distance, pair) for pair, distance in distances.items() if distance < threshold)
    return [
        doubt(
            "M13",
            f"The backs of {one!r} and {other!r} look alike ({distance:.2f} apart, {threshold:.2f} is needed): "
            "use another deck, or more light, then show them again",
        )
        for distance, (one, other) in near
    ]


@dataclass(frozen=True, slots=True)
class DeckAudit:
    """What is wrong with the cards of one deck."""

    missing: tuple[Card, ...] = ()
    foreign: tuple[Card, ...] = ()
    """Cards that are there more often than once: each further one is another deck's."""
    jokers_missing: int = 0
    jokers_foreign: int = 0
    unread: int = 0
    """Cards seen but not read; they may be some of the missing."""

    @property
    def complete(self) -> bool:
        """Whether this is the whole deck and nothing else."""
        return self == DeckAudit()

    @property
    def text(self) -> str:
        """What to look for, in one sentence."""
        parts = [_listed("missing", self.missing, self.jokers_missing)]
        parts.append(_listed("of another deck", self.foreign, self.jokers_foreign))
        parts.append(f"{count(self.unread, 'card')} could not be read" if self.unread else "")
        return "; ".join(part for part in parts if part) or "the deck is complete"


def _listed(what: str, cards: tuple[Card, ...], jokers: int) -> str:
    names = [card.code for card in cards] + ([count(jokers, "joker")] if jokers else [])
    return f"{what}: {and_join(names)}" if names else ""


def audit(cards: Iterable[Card | None], *, jokers_seen: int = 0, jokers: int = 0) -> DeckAudit:
    """The cards of one deck against 52 and its *jokers*; None stands for a card that could not be read."""
    seen = Counter(cards)
    unread = seen.pop(None, 0)
    deck = [Card(rank, suit) for suit in Suit for rank in range(1, len(RANKS) + 1)]
    foreign = tuple(card for card in deck for _ in range(seen[card] - 1))
    return DeckAudit(
        missing=tuple(card for card in deck if not seen[card]),
        foreign=foreign,
        jokers_missing=max(jokers - jokers_seen, 0),
        jokers_foreign=max(jokers_seen - jokers, 0),
        unread=unread,
    )


def strays(audits: Mapping[DeckId, DeckAudit]) -> list[tuple[Card, DeckId, DeckId]]:
    """Cards to hand back: which, in whose deck it lies, and the one deck that misses it."""
    found = []
    for holder, audited in audits.items():
        for card in audited.foreign:
            owners = [owner for owner, other in audits.items() if owner != holder and card in other.missing]
            if len(owners) == 1:
                found.append((card, holder, owners[0]))
    return found


def parse_cards(text: str) -> tuple[tuple[Card, ...], int]:
    """Typed cards and the number of jokers among them, such as ``AS 10H, joker``; raises NotationError."""
    words = text.replace(",", " ").split()
    jokers = sum(word.upper() in JOKER_WORDS for word in words)
    wrong: list[str] = []
    cards: list[Card] = []
    for word in words:
        if word.upper() in JOKER_WORDS:
            continue
        try:
            cards.append(parse_card(word))
        except NotationError:
            wrong.append(repr(word))
    if wrong:
        raise NotationError(f"{', '.join(wrong)}: write cards such as '10H', 'AS', 'qd' or 'joker'")
    return tuple(cards), jokers
