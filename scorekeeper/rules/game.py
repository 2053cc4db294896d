"""A game: what happened at the table, and the state it adds up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal, assert_never

from scorekeeper.errors import IllegalHandError, RulesError
from scorekeeper.rules.checks import MAX_REASON, check_hand, check_sides
from scorekeeper.rules.lake import DeckId, LakeReading, SpreadReading
from scorekeeper.rules.scoring import Hand, Points, Rules, Side, SideId, and_join, format_points, is_text


@dataclass(frozen=True, slots=True)
class GameStarted:
    """Sides sat down under house rules."""

    sides: tuple[Side, ...]
    rules: Rules


@dataclass(frozen=True, slots=True)
class DeckEnrolled:
    """A side showed the back of its deck to the eye."""

    side: SideId
    deck: DeckId
    signatures: tuple[str, ...]
    """What the eye knows the back by; opaque here."""


@dataclass(frozen=True, slots=True)
class HandRecorded:
    """A hand was counted and confirmed."""

    hand: Hand
    doubts: tuple[str, ...] = ()
    """Problems that a person confirmed knowingly, in their words."""


@dataclass(frozen=True, slots=True)
class HandCorrected:
    """An earlier hand was counted anew."""

    number: int
    """Which hand, counted from 1."""
    hand: Hand
    reason: str
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LastHandUndone:
    """The last hand was taken back."""

    reason: str


Event = GameStarted | DeckEnrolled | HandRecorded | HandCorrected | LastHandUndone
State = Literal["playing", "tie-breaker", "over"]


@dataclass(frozen=True, slots=True)
class Game:
    """The game as it stands; totals and the end follow from its hands alone."""

    sides: tuple[Side, ...]
    rules: Rules
    hands: tuple[Hand, ...] = ()
    signatures: Mapping[DeckId, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Enrolled decks, by the name of their back."""

    @property
    def totals(self) -> dict[SideId, Points]:
        """Points of each side over all hands, in the order of the sides (rules C18)."""
        return self.totals_after(len(self.hands))

    def totals_after(self, number: int) -> dict[SideId, Points]:
        """Points of each side after the first *number* hands."""
        totals = {side.id: Points(0) for side in self.sides}
        for hand in self.hands[:number]:
            for side, points in hand.points(self.rules).items():
                totals[side] += points
        return totals

    @property
    def calls(self) -> dict[SideId, int]:
        """How often each side called Nertz (rules G4)."""
        called = Counter(side for hand in self.hands for side in hand.callers)
        return {side.id: called[side.id] for side in self.sides}

    @property
    def ranking(self) -> tuple[Side, ...]:
        """The sides from most points to least, ties by calls, then in the order of the sides."""
        totals, calls = self.totals, self.calls
        return tuple(sorted(self.sides, key=lambda side: (-totals[side.id], -calls[side.id])))

    @property
    def leaders(self) -> tuple[SideId, ...]:
        """The sides in front by points, then by calls; everybody before the first hand (rules D3, D4)."""
        totals, calls = self.totals, self.calls
        best = max((totals[side.id], calls[side.id]) for side in self.sides)
        return tuple(side.id for side in self.sides if (totals[side.id], calls[side.id]) == best)

    @property
    def state(self) -> State:
        """Judged anew after every hand: playing, waiting for a tie-breaker hand, or over (rules D2, D3, D5)."""
        leaders = self.leaders
        if self.totals[leaders[0]] < self.rules.target:
            return "playing"
        return "over" if len(leaders) == 1 else "tie-breaker"

    @property
    def over(self) -> bool:
        """Whether somebody has won."""
        return self.state == "over"

    @property
    def winner(self) -> SideId | None:
        """The side that has won; None while playing or tied."""
        return self.leaders[0] if self.over else None

    def side(self, side_id: SideId) -> Side:
        """The side called *side_id*; raises RulesError when nobody is."""
        for side in self.sides:
            if side.id == side_id:
                return side
        raise RulesError(f"{side_id!r} does not play in this game: use one of {', '.join(s.id for s in self.sides)}")

    @property
    def verdict(self) -> str:
        """Why the game is over, or what it waits for, in one sentence."""
        match self.state:
            case "playing":
                return _verdict_playing(self)
            case "tie-breaker":
                points, calls = format_points(self.totals[self.leaders[0]]), _times(self.calls[self.leaders[0]])
                return f"{_names(self)} are tied at {points} points with {calls} each: play a tie-breaker hand"
            case "over":
                return _verdict_over(self)
            case state:
                assert_never(state)


def _verdict_playing(game: Game) -> str:
    if not game.hands:
        return f"The first hand is being played, to {game.rules.target}"
    best = max(game.totals.values())
    ahead = [side.name for side in game.sides if game.totals[side.id] == best]
    verb = "leads" if len(ahead) == 1 else "lead"
    return f"{and_join(ahead)} {verb} with {format_points(best)} of {game.rules.target} points"


def _verdict_over(game: Game) -> str:
    winner, *others = game.ranking
    best = game.totals[winner.id]
    tied = [side for side in others if game.totals[side.id] == best]
    if not tied:
        return f"{winner.name} wins with {format_points(best)} points"
    most = max(game.calls[side.id] for side in tied)
    even = and_join([side.name for side in tied])
    return (
        f"{winner.name} wins: {format_points(best)} points like {even}, but {_times(game.calls[winner.id])} to {most}"
    )


def _times(calls: int) -> str:
    return "1 Nertz call" if calls == 1 else f"{calls} Nertz calls"


def _names(game: Game) -> str:
    return and_join([side.name for side in game.sides if side.id in game.leaders])


def apply(game: Game | None, event: Event) -> Game:
    """The game after *event*; raises RulesError when it can't follow. Never changes its argument."""
    if game is None:
        if not isinstance(event, GameStarted):
            raise RulesError(f"a game begins with its sides and rules, not with {type(event).__name__}")
        return _start(event)
    match event:
        case GameStarted():
            raise RulesError("this game has begun already: start another one")
        case DeckEnrolled(side, deck, signatures):
            return _enrol(game, side, deck, signatures)
        case HandRecorded(hand):
            return _record(game, hand)
        case HandCorrected(number, hand, reason):
            return _correct(game, number, hand, reason)
        case LastHandUndone(reason):
            return _undo(game, reason)
        case _:
            assert_never(event)


def fold(events: Iterable[Event]) -> Game:
    """The game that *events* add up to; raises RulesError when they can't."""
    game: Game | None = None
    for event in events:
        game = apply(game, event)
    if game is None:
        raise RulesError("no events make no game")
    return game


def refuse_when_over(game: Game) -> None:
    """Raises RulesError when somebody has won: no further hand is played."""
    if game.over:
        raise RulesError(f"the game is over ({game.verdict}): undo or correct a hand, or start another game")


def vet_hand(
    game: Game,
    hand: Hand,
    *,
    lake: LakeReading | int | None = None,
    spread: SpreadReading | None = None,
    confirm_doubts: bool = False,
) -> tuple[str, ...]:
    """The doubts a person confirmed with this hand; raises IllegalHandError with every problem in its way."""
    problems = check_hand(hand, game.rules, game.sides, lake=lake, spread=spread)
    if any(problem.blocking for problem in problems) or (problems and not confirm_doubts):
        raise IllegalHandError(problems)
    return tuple(problem.text for problem in problems)


def _start(event: GameStarted) -> Game:
    if problems := check_sides(event.sides):
        raise RulesError("; ".join(problem.text for problem in problems))
    return Game(tuple(event.sides), event.rules)


def _enrol(game: Game, side_id: SideId, deck: DeckId, signatures: tuple[str, ...]) -> Game:
    side = game.side(side_id)
    for other in game.sides:
        if other is not side and other.deck == deck:
            raise RulesError(f"the deck {deck!r} is {other.name}'s: give {side.name}'s deck another name")
    if not signatures:
        raise RulesError(f"the eye knows nothing of the deck {deck!r}: take its picture again")
    sides = tuple(replace(each, deck=deck) if each is side else each for each in game.sides)
    kept = {name: known for name, known in game.signatures.items() if name != side.deck}
    return replace(game, sides=sides, signatures=MappingProxyType({**kept, deck: tuple(signatures)}))


def _record(game: Game, hand: Hand) -> Game:
    refuse_when_over(game)
    return _with_hands(game, (*game.hands, hand))


def _correct(game: Game, number: int, hand: Hand, reason: str) -> Game:
    if not 1 <= number <= len(game.hands):
        raise RulesError(f"there is no hand {number} to correct: this game has {len(game.hands)}")
    _ask_why(reason, f"hand {number} is corrected")
    return _with_hands(game, (*game.hands[: number - 1], hand, *game.hands[number:]))


def _undo(game: Game, reason: str) -> Game:
    if not game.hands:
        raise RulesError("there is no hand to undo")
    _ask_why(reason, f"hand {len(game.hands)} is undone")
    return _with_hands(game, game.hands[:-1])


def _ask_why(reason: str, what: str) -> None:
    if not is_text(reason, MAX_REASON):
        raise RulesError(f"say why {what}, in one line of 1 to {MAX_REASON} letters")


def _with_hands(game: Game, hands: tuple[Hand, ...]) -> Game:
    """*game* with other hands, each counted for exactly its sides."""
    sides = {side.id for side in game.sides}
    for number, hand in enumerate(hands, 1):
        if set(hand.points(game.rules)) != sides:
            raise RulesError(f"hand {number} must count {', '.join(sorted(sides))}, each once")
    return replace(game, hands=hands)
