"""From events to a game: each event is checked, then changes the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import assert_never

from scorekeeper.errors import IllegalHandError, RulesError
from scorekeeper.rules import live as hand_in_play
from scorekeeper.rules import permitted
from scorekeeper.rules.checks import check_hand, check_sides
from scorekeeper.rules.ending import judge
from scorekeeper.rules.events import (
    DeckEnrolled,
    DisputeSettled,
    Event,
    GameStarted,
    HandCorrected,
    HandDisputed,
    HandicapSet,
    HandRecorded,
    LastHandUndone,
    LateHandsSettled,
    LiveEvent,
    PartnersChanged,
    RulesChanged,
    RulesConfirmed,
    SeatEvent,
    SeatsChanged,
    SideJoined,
    SideLeft,
    SideRenamed,
    SideRestyled,
    SideReturned,
)
from scorekeeper.rules.everybody import Everybody
from scorekeeper.rules.game import Game
from scorekeeper.rules.house import Rules
from scorekeeper.rules.lake import DeckId, Evidence
from scorekeeper.rules.live import MAX_REASON, Live, claims_against
from scorekeeper.rules.names import name_key
from scorekeeper.rules.people import seats_moved
from scorekeeper.rules.played import Played, add_hand
from scorekeeper.rules.problems import Problem, doubt
from scorekeeper.rules.renaming import Renaming
from scorekeeper.rules.said import Said, say
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.sides import Handicap, Side, SideId, is_text
from scorekeeper.rules.table import same_names


def apply(game: Game | None, event: Event) -> Game:
    """The game after *event*; raises RulesError when it can't follow. Never changes its argument."""
    if game is not None:
        permitted.refuse(game, event)
        _refuse_what_was_let_happen(game, event)
    after = follow(game, event)
    if isinstance(event, GameStarted | SeatEvent):
        _refuse(same_names(after.playing))
    return after


def _refuse_what_was_let_happen(game: Game, event: Event) -> None:
    """Raises RulesError for sides that don't play now; in a stored game they may have, as it was judged then."""
    if isinstance(event, HandRecorded):
        _refuse_other_sides(len(game.played) + 1, event.hand, game.rules, game.next_sides)
    if isinstance(event, LiveEvent):
        hand_in_play.refuse_strangers(event, game.next_sides)
    if isinstance(event, SideJoined):
        _refuse_taken(game, event.side.name)


def follow(game: Game | None, event: Event) -> Game:
    """The game after an *event* that is in the book already; an older program may have let more happen than ``apply``.

    Raises RulesError when it makes no sense at all.
    """
    if game is None:
        if not isinstance(event, GameStarted):
            raise RulesError(f"a game begins with its sides and rules, not with {type(event).__name__}")
        return _start(event)
    if isinstance(event, SeatEvent):
        return _seat(game, event)
    match event:
        case GameStarted():
            raise RulesError(say("this game has begun already: start another one"))
        case LateHandsSettled(counts):
            return _settle_late_hands(game, counts)
        case DeckEnrolled(side, deck, signatures):
            return _enrol(game, side, deck, signatures)
        case HandRecorded(hand):
            return _record(game, hand)
        case HandCorrected(number, hand, reason, _, removed):
            return _correct(game, number, hand, reason, removed)
        case LastHandUndone(reason):
            return _undo(game, reason)
        case HandDisputed(number, reason) | DisputeSettled(number, reason):
            return _dispute(game, number, reason, isinstance(event, HandDisputed))
        case RulesChanged(rules, reason):
            return _change_rules(game, rules, reason)
        case RulesConfirmed(side):
            return replace(game, agreed=game.agreed | {_present(game, side).id})
        case _:
            return _live(game, event)


def fold(events: Iterable[Event], step: Callable[[Game | None, Event], Game] = apply) -> Game:
    """The game that *events* add up to; raises RulesError when they can't. *step* is ``follow`` for stored events."""
    game: Game | None = None
    for event in events:
        game = step(game, event)
    if game is None:
        raise RulesError("no events make no game")
    return game


def vet_hand(
    game: Game,
    hand: Hand,
    evidence: Evidence | None = None,
    *,
    number: int | None = None,
    confirm_doubts: bool = False,
) -> tuple[str, ...]:
    """The doubts a person confirmed with this hand; raises IllegalHandError with every problem in its way.

    *number* is the hand it corrects, judged by the rules and for the sides of that hand; None for the next hand.
    """
    rules, sides = terms(game, number)
    problems = check_hand(hand, rules, sides, evidence)
    if number is None:
        names = {side.id: side.name for side in game.sides}
        against = _claims(game, hand, names)
        problems += [doubt("C15", say("%(what)s: check again, or record anyway", what=text)) for text in against]
    if any(problem.blocking for problem in problems) or (problems and not confirm_doubts):
        raise IllegalHandError(problems)
    return tuple(problem.text for problem in problems)


def terms(game: Game, number: int | None = None) -> tuple[Rules, tuple[Side, ...]]:
    """The house rules and sides of hand *number*, counted from 1; those of the next hand without one."""
    if number is None or not 1 <= number <= len(game.played):
        return game.rules, game.next_sides
    return game.played[number - 1].rules, game.played[number - 1].sides


def _claims(game: Game, hand: Hand, names: dict[SideId, str]) -> list[Said]:
    known = [side for side in hand.callers if side in names]
    return claims_against(game.live, known, names)


def _start(event: GameStarted) -> Game:
    _refuse_sides(event.sides, event.rules)
    return Game(tuple(event.sides), event.rules, everybody=Everybody().seated(event.sides))


def _refuse_sides(sides: Sequence[Side], rules: Rules) -> None:
    _refuse([problem for problem in check_sides(sides, rules) if problem.blocking and problem.kind != "K15"])


def _refuse(problems: Sequence[Problem]) -> None:
    if problems:
        raise RulesError(*(problem.text for problem in problems))


def _present(game: Game, side_id: SideId) -> Side:
    side = game.side(side_id)
    if side.id in game.gone:
        raise RulesError(say("%(name)s has left the table", name=side.name))
    return side


# Hands


def _record(game: Game, hand: Hand) -> Game:
    sides = game.next_sides if _fits(hand, game.rules, game.next_sides) else _counted_in(game, hand)
    _refuse_other_sides(len(game.played) + 1, hand, game.rules, sides)
    played = Played(hand, game.rules, sides, game.live.penalties, absent=game.next_absent, table=game.table)
    ended = (game.ended_after or len(game.played)) if game.over else 0
    after = (*game.played, played)
    return replace(
        game,
        played=after,
        scores=(*game.scores, add_hand(game.score, played)),
        live=Live(),
        ended_after=ended,
    )


def _counted_in(game: Game, hand: Hand) -> tuple[Side, ...]:
    """Who played a *hand* of a stored game, where it would be others as the game is judged today."""
    return tuple(side for side in game.playing if side.id in hand.counted or not game.rules.counts)


def _correct(game: Game, number: int, hand: Hand, reason: str, removed: Sequence[int]) -> Game:
    at = _at(game, number)
    _ask_short(reason)
    played = game.played[at].counted_anew(hand, removed)
    _refuse_other_sides(number, hand, played.rules, played.sides)
    return _judged_anew(game, (*game.played[:at], played, *game.played[number:]))


def _undo(game: Game, reason: str) -> Game:
    if not game.played:
        raise RulesError(say("there is no hand to undo"))
    _ask_short(reason)
    penalties = (*game.played[-1].penalties, *game.live.penalties)
    after = _judged_anew(game, game.played[:-1])
    return replace(after, live=Live(penalties=penalties), agreed_hands=min(game.agreed_hands, len(after.played)))


def _judged_anew(game: Game, hands: Sequence[Played]) -> Game:
    """*game* with these hands, and with the end that they make."""
    played, scores, ended_after = judge(hands, game.agreed_hands)
    return replace(game, played=played, scores=scores, ended_after=ended_after)


def _settle_late_hands(game: Game, counts: bool) -> Game:
    """The hands that came after the end count, or they are left out (rules K14)."""
    if not game.late:
        raise RulesError(permitted.nothing_late())
    if counts:
        return replace(game, ended_after=0, agreed_hands=len(game.played))
    out = tuple(replace(each, left_out=True) for each in game.played[game.ended_after :])
    return _judged_anew(game, (*game.played[: game.ended_after], *out))


def _dispute(game: Game, number: int, reason: str, opens: bool) -> Game:
    """A hand is doubted, or the doubt is settled (rules H7)."""
    at = _at(game, number)
    if not opens and game.played[at].dispute is None:
        raise RulesError(say("nobody disputes hand %(number)s", number=number))
    doubted = say("hand %(number)s is disputed", number=number)
    _ask_why(reason, doubted if opens else say("the dispute about hand %(number)s ends", number=number))
    played = replace(game.played[at], dispute=reason if opens else None)
    return replace(game, played=(*game.played[:at], played, *game.played[number:]))


def _at(game: Game, number: int) -> int:
    last = len(game.played)
    if not 1 <= number <= last:
        raise RulesError(say("there is no hand %(number)s: this game has %(all)s", number=number, all=last))
    return number - 1


def _ask_why(reason: str, what: str) -> None:
    if not is_text(reason, MAX_REASON):
        raise RulesError(say("say why %(what)s, in one line of 1 to %(most)s letters", what=what, most=MAX_REASON))


def _ask_short(reason: str) -> None:
    if reason and not is_text(reason, MAX_REASON):
        raise RulesError(say("use at most %(most)s letters in one line", most=MAX_REASON))


def _refuse_other_sides(number: int, hand: Hand, rules: Rules, sides: Sequence[Side]) -> None:
    if not _fits(hand, rules, sides):
        names = sorted(side.id for side in sides)
        raise RulesError(say("hand %(number)s must count %(sides)s, each once", number=number, sides=", ".join(names)))


def _fits(hand: Hand, rules: Rules, sides: Sequence[Side]) -> bool:
    """Whether a hand counts exactly its sides, each once; a tally of hands only names them."""
    names = sorted(side.id for side in sides)
    return set(hand.named) <= set(names) and (not rules.counts or sorted(hand.counted) == names)


# Rules and seats


def _change_rules(game: Game, rules: Rules, reason: str) -> Game:
    _ask_short(reason)
    if rules == game.rules:
        raise RulesError(say("these are the house rules already: change one of them, or leave them"))
    _refuse_sides(game.playing, rules)
    after = replace(game, rules=rules, agreed=frozenset())
    if game.ended_after and not after.over:  # from here on nothing of before is judged again
        return replace(after, ended_after=0, agreed_hands=len(game.played))
    return after


def _seat(game: Game, event: SeatEvent) -> Game:
    match event:
        case SideJoined(side):
            return _join(game, side)
        case SideLeft(side_id, reason):
            return _leave(game, side_id, reason)
        case SideReturned(side_id):
            return _return(game, side_id)
        case SideRenamed(side_id, name):
            return _rename(game, side_id, name)
        case SideRestyled(side_id, color, pattern):
            return _restyle(game, side_id, color, pattern)
        case SeatsChanged(order):
            return _reseat(game, order)
        case HandicapSet(side_id, handicap):
            return _set_handicap(game, side_id, handicap)
        case PartnersChanged(partners):
            return _change_partners(game, dict(partners))
        case _:
            assert_never(event)


def _join(game: Game, side: Side) -> Game:
    if any(other.id == side.id for other in game.sides):
        raise RulesError(_taken(side.name))
    _refuse_sides((*game.playing, side), game.rules)
    return replace(game, sides=(*game.sides, side), everybody=game.everybody.seated([side]))


def _refuse_taken(game: Game, name: str, but: SideId | None = None) -> None:
    """Refuses the *name* of another row than *but* (rules K15)."""
    for other in game.sides:
        if other.id != but and name_key(other.name) == name_key(name):
            raise RulesError(_taken(other.name))


def _taken(name: str) -> Said:
    return say("%(name)s has a row in this game already: choose another name, or let it return", name=name)


def _leave(game: Game, side_id: SideId, reason: str) -> Game:
    _ask_short(reason)
    side = _present(game, side_id)
    if len(game.playing) <= game.rules.fewest_sides:
        raise RulesError(say("%(name)s can't leave: the others would be too few to play on", name=side.name))
    return replace(
        game,
        gone=game.gone | {side_id},
        everybody=game.everybody.left(side),
        agreed=game.agreed - {side_id},
        live=_without(game.live, side_id),
    )


def _without(live: Live, side: SideId) -> Live:
    """The hand in play without a side that left; its penalties stay in the book until the hand is recorded."""
    claims = tuple(claim for claim in live.claims if claim.side != side)
    passes = {name: number for name, number in live.stuck.passes.items() if name != side}
    return replace(live, ready=live.ready - {side}, claims=claims, stuck=replace(live.stuck, passes=passes))


def _return(game: Game, side_id: SideId) -> Game:
    side = game.side(side_id)
    if side_id not in game.gone:
        raise RulesError(say("%(name)s sits at the table already", name=side.name))
    _refuse_sides((*game.playing, side), game.rules)
    return replace(game, gone=game.gone - {side_id}, everybody=game.everybody.seated([side]))


def _rename(game: Game, side_id: SideId, name: str) -> Game:
    """The same side under another name, in the hands that it played, too."""
    before = game.side(side_id)
    if name == before.name:
        raise RulesError(say("%(name)s is its name already: type another one", name=name))
    _refuse_taken(game, name, but=side_id)
    known = game.everybody.names.get(name_key(name))
    if known and not before.members and name_key(name) != name_key(before.name):
        raise RulesError(_taken(known))
    named = Renaming(before, name)
    after = replace(game, sides=named.sides(game.sides), everybody=named.everybody(game.everybody))
    _refuse_sides(after.playing, game.rules)
    return _judged_anew(after, [named.played(hand) for hand in game.played])


def _restyle(game: Game, side_id: SideId, color: str, pattern: str) -> Game:
    """The same side in another look, in the hands that it played, too."""
    before = game.side(side_id)
    if (color, pattern) == (before.color, before.pattern):
        raise RulesError(say("%(name)s looks like that already: choose another colour or pattern", name=before.name))

    def styled(side: Side) -> Side:
        return replace(side, color=color, pattern=pattern) if side.id == side_id else side

    return replace(
        game, sides=tuple(map(styled, game.sides)), played=tuple(hand.restyled(styled) for hand in game.played)
    )


def _reseat(game: Game, order: Sequence[SideId]) -> Game:
    """The sides in the *order* of the next hand; who has left the table comes last."""
    if sorted(order) != sorted(side.id for side in game.playing):
        raise RulesError(say("somebody joined or left meanwhile: look at the seats, then move them again"))
    first = seats_moved(game)
    seated = [game.side(side_id) for side_id in (*order[first:], *order[:first])]
    return replace(game, sides=(*seated, *(side for side in game.sides if side.id in game.gone)))


def _set_handicap(game: Game, side_id: SideId, handicap: Handicap) -> Game:
    side = _present(game, side_id)
    changed = _with_sides(game, {side_id: replace(side, handicap=handicap)})
    return replace(changed, everybody=game.everybody.given(side, handicap.start - side.handicap.start))


def _change_partners(game: Game, partners: Mapping[SideId, tuple[str, ...]]) -> Game:
    if not partners:
        raise RulesError(say("nobody changed sides: say who plays with whom"))
    changed = {side_id: replace(_present(game, side_id), members=members) for side_id, members in partners.items()}
    after = _with_sides(game, changed)
    newcomers = [replace(side, handicap=replace(side.handicap, start=0)) for side in changed.values()]
    return replace(after, everybody=game.everybody.seated(newcomers))


def _with_sides(game: Game, changed: Mapping[SideId, Side]) -> Game:
    sides = tuple(changed.get(side.id, side) for side in game.sides)
    after = replace(game, sides=sides)
    _refuse_sides(after.playing, game.rules)
    return after


def _enrol(game: Game, side_id: SideId, deck: DeckId, signatures: tuple[str, ...]) -> Game:
    side = game.side(side_id)
    for other in game.playing:
        if other.id != side_id and other.deck == deck:
            names = {"deck": str(deck), "owner": other.name, "name": side.name}
            raise RulesError(say("the deck %(deck)r is %(owner)s's: give %(name)s's deck another name", **names))
    if not signatures:
        raise RulesError(say("the eye knows nothing of the deck %(deck)r: take its picture again", deck=str(deck)))
    sides = tuple(replace(each, deck=deck) if each.id == side_id else each for each in game.sides)
    kept = {name: known for name, known in game.signatures.items() if name != side.deck}
    return replace(game, sides=sides, signatures=MappingProxyType({**kept, deck: tuple(signatures)}))


# The hand in play


def _live(game: Game, event: LiveEvent) -> Game:
    known = not hand_in_play.strangers(event, game.next_sides)
    sides = game.next_sides if known else game.playing
    return replace(game, live=hand_in_play.after(game.live, event, sides, game.rules))
