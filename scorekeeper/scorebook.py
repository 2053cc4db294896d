"""The use cases of a table: start a game, record, correct and undo hands, note what happens, and tell it all."""

from __future__ import annotations

import hashlib
import itertools
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, NewType

from scorekeeper.errors import EndMovesError, NotFoundError, RulesError, StaleGameError, StoreError
from scorekeeper.labels import Label, all_labels, change_label, following_name, label_of
from scorekeeper.overview import Overview, Shown, Stand, overview_of, read_overview, write_overview
from scorekeeper.recent import Recent
from scorekeeper.rules import permitted
from scorekeeper.rules.clock import HandClock, hand_clock, hand_times
from scorekeeper.rules.ending import State
from scorekeeper.rules.events import (
    DeckEnrolled,
    Event,
    GameStarted,
    HandBegun,
    HandCorrected,
    HandRecorded,
    LastHandUndone,
)
from scorekeeper.rules.fold import apply, fold, follow, vet_hand
from scorekeeper.rules.game import Game
from scorekeeper.rules.house import Rules
from scorekeeper.rules.house_notation import format_rules, parse_rules
from scorekeeper.rules.lake import DeckId, Evidence
from scorekeeper.rules.live import not_ready
from scorekeeper.rules.moved import Moved, moved_by
from scorekeeper.rules.names import clean, is_shown
from scorekeeper.rules.people import rematch_sides
from scorekeeper.rules.presets import check_rules_name
from scorekeeper.rules.said import Names, Said, say
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.sides import Side, SideId, is_text
from scorekeeper.rules.statistics import Part
from scorekeeper.rules.words import describe
from scorekeeper.store import Entry, EventLog, Shelf
from scorekeeper.store.codec import UNREADABLE
from scorekeeper.store.transfer import DIFFERENT, read_game, write_game
from scorekeeper.threads import in_thread

GameId = NewType("GameId", str)
"""A short word that names a game in addresses, such as "tavokimu"."""

MAX_REQUEST = 100
"""Longest request id in characters."""
MAX_WHO = 80
"""Longest name of the person who did something; more is cut."""
UNKNOWN_DAY = datetime(1970, 1, 1, tzinfo=UTC)
"""When a game began that can't be read."""
TRIES = 4
"""How often a single tap is written anew when others write at the same moment."""

Listener = Callable[[GameId, int], None]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One line of the list of games."""

    id: GameId
    started_at: datetime
    """UTC."""
    sides: tuple[str, ...]
    """Names in order."""
    state: State
    winner: str | None
    """Who has won, a side or a person; None while playing or tied."""
    hands: int
    """How many hands stand."""
    trouble: str = ""
    """Why the game can't be read; empty for nearly all. Nothing else is known then but when it began."""
    stands: tuple[Stand, ...] = ()
    """Everybody at the table, best first."""
    label: Label = Label()
    """What the table says of it."""

    @property
    def title(self) -> str:
        """What the game is called: by its name, else by who plays."""
        return self.label.name or ", ".join(self.sides)


@dataclass(frozen=True, slots=True)
class Imported:
    """A game that was read in from a file."""

    id: GameId
    added: int
    """How many events are new here; 0 when all of them were here already."""


@dataclass(frozen=True, slots=True)
class KnownDeck:
    """A deck as it was learned in some game."""

    signatures: tuple[str, ...]
    game: GameId
    side: SideId
    number: int
    """Which step of the game it was, as the pictures of it are kept by."""
    at: datetime
    """UTC."""


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One thing that happened, in words."""

    number: int
    """Counted from 1, undo and corrections too."""
    at: datetime
    """UTC."""
    who: str
    text: str
    event: Event


def utc_now() -> datetime:
    """This moment."""
    return datetime.now(UTC)


class Scorebook:
    """Every game of one event log; safe to use from several threads."""

    def __init__(self, log: EventLog, clock: Callable[[], datetime] = utc_now) -> None:
        self._log = log
        self._clock = clock
        self._listeners: dict[object, Listener] = {}
        self._stood = Recent[GameId, tuple[int, Entry, Game]]()
        """How many entries were played through, the last of them, and the game after it."""
        self._overviews: dict[GameId, tuple[int, Overview | StoreError]] = {}
        """After how many entries, and the overview or why there is none."""

    @property
    def log(self) -> EventLog:
        """Where the games lie."""
        return self._log

    @property
    def shelf(self) -> Shelf:
        """What is kept beside the games, shared by all servers of one database."""
        return self._log.shelf

    def start_game(self, sides: Iterable[Side], rules: Rules, *, request_id: str, who: str = "") -> GameId:
        """Starts a game and names it; a repeated request gets the same game. Raises RulesError."""
        event = GameStarted(tuple(sides), rules)
        game = apply(None, event)
        for game_id in _words_for(_checked(request_id)):
            try:
                self._write(game_id, [], event, game, request_id, who)
            except StaleGameError:
                if self._log.find_request(game_id, request_id):
                    raise
                continue  # another game has this word
            return game_id
        raise AssertionError("words never run out")

    def game(self, game_id: GameId) -> Game:
        """The game as it stands; raises NotFoundError."""
        return self._stand(game_id, self._log.read(game_id))

    def _stand(self, game_id: GameId, entries: Sequence[Entry]) -> Game:
        """The game after *entries*; only those that came since it was asked for last are played through."""
        number, last, game = self._stood.get(game_id) or (0, None, None)
        if number > len(entries) or (number and entries[number - 1] is not last):
            number, game = 0, None
        game = _played(game_id, game, entries[number:])
        self._stood.put(game_id, (len(entries), entries[-1], game))
        return game

    def version(self, game_id: GameId) -> int:
        """How many events the game has; grows with every change. 0 when there is no such game."""
        return self._log.version(game_id)

    def started_at(self, game_id: GameId) -> datetime:
        """When the game began, in UTC; raises NotFoundError."""
        return self._log.read(game_id)[0].at

    @property
    def trouble(self) -> str:
        """Why nothing can be recorded any more, for everybody at the table; empty while all is well."""
        return self._log.trouble

    def games(self) -> list[GameSummary]:
        """Every game, the one started last first, hidden and deleted ones too; one that can't be read says so."""
        labels = all_labels(self.shelf)
        found = [
            replace(self._summary(game_id, overview), label=labels.get(game_id, Label()))
            for game_id, overview in self._all().items()
        ]
        return sorted(found, key=lambda game: game.started_at, reverse=True)

    def newest_games(self, most: int) -> list[Game]:
        """At most so many games as they stand, the one started last first; deleted and damaged ones are left out."""
        found = []
        for summary in [each for each in self.games() if not (each.trouble or each.label.deleted)][:most]:
            with suppress(StoreError):
                found.append(self.game(summary.id))
        return found

    def people(self) -> list[tuple[Part, ...]]:
        """What everybody did, game by game; a game that can't be read, or was deleted, has nobody."""
        return [overview.people for overview in self.counted()]

    def counted(self) -> list[Overview]:
        """The games that count in statistics, the one started first first: all but those deleted or damaged."""
        labels = all_labels(self.shelf)
        readable = {game: each for game, each in self._all().items() if isinstance(each, Overview)}
        found = [each for game, each in readable.items() if not labels.get(game, Label()).deleted]
        return sorted(found, key=lambda overview: overview.started_at)

    def label(self, game_id: GameId) -> Label:
        """What the table says of a game."""
        return label_of(self.shelf, game_id)

    def change_label(self, game_id: GameId, change: Callable[[Label], Label]) -> Label:
        """Names a game, hides or deletes it, or takes that back; raises NotFoundError for a game that is not there."""
        if not self.version(game_id):
            raise NotFoundError(say("there is no game %(game)r: look for it in the list of games", game=game_id))
        return change_label(self.shelf, game_id, change)

    def catch_up(self) -> None:
        """Sums up the games of older programs, so that no list has to; done when a server starts."""
        for game_id, number in self._log.versions().items():
            kept = self._log.summary(game_id, number)
            if kept is None or read_overview(kept) is None:
                overview = self._overview(GameId(game_id), number)
                with suppress(StoreError):
                    if isinstance(overview, Overview):
                        self._log.keep_summary(game_id, number, write_overview(overview))

    def _all(self) -> dict[GameId, Overview | StoreError]:
        """The overview of every game, or why it can't be read."""
        return {GameId(game): self._overview(GameId(game), number) for game, number in self._log.versions().items()}

    def _overview(self, game_id: GameId, number: int) -> Overview | StoreError:
        """The overview of a game of *number* events; read once, and made only where none was kept."""
        known = self._overviews.get(game_id)
        if known is not None and known[0] == number and isinstance(known[1], Overview):
            return known[1]  # what can't be read is tried again: perhaps only the disk was busy
        found: Overview | StoreError | None = read_overview(self._log.summary(game_id, number) or "")
        if found is None:
            try:
                entries = self._log.read(game_id)
                found = overview_of(entries, _played(game_id, None, entries))
            except StoreError as error:
                if known is None:
                    logger.error("the game %s can't be read: %s", game_id, error)
                found = error
        self._overviews[game_id] = (number, found)
        time.sleep(0)  # a long list keeps nobody else waiting
        return found

    def _summary(self, game_id: GameId, overview: Overview | StoreError) -> GameSummary:
        if isinstance(overview, Overview):
            return GameSummary(
                game_id,
                overview.started_at,
                overview.sides,
                overview.state,
                overview.winner,
                overview.hands,
                stands=overview.stands,
            )
        return GameSummary(game_id, UNKNOWN_DAY, (game_id,), "playing", None, 0, str(overview))

    def history(self, game_id: GameId) -> list[HistoryRow]:
        """Everything that happened in the game, in order and in words; raises NotFoundError."""
        rows, game = [], None
        for entry in self._log.read(game_id):
            after = _played(game_id, game, [entry])
            text = _told(describe(game, entry.event), game, entry.event, after)
            rows.append(HistoryRow(entry.number, entry.at, entry.who, text, entry.event))
            game = after
        return rows

    def record_hand(
        self,
        game_id: GameId,
        hand: Hand,
        *,
        request_id: str,
        who: str = "",
        expected: int | None = None,
        evidence: Evidence | None = None,
        confirm_doubts: bool = False,
    ) -> Game:
        """Adds a hand; raises IllegalHandError with every problem, or with doubts nobody confirmed."""

        def decide(game: Game) -> Event:
            permitted.refuse(game, HandRecorded(hand))
            doubts = vet_hand(game, hand, evidence, confirm_doubts=confirm_doubts)
            return HandRecorded(hand, doubts)

        return self._change(game_id, decide, HandRecorded(hand), request_id, who, expected)

    def correct_hand(
        self,
        game_id: GameId,
        number: int,
        hand: Hand,
        reason: str,
        *,
        request_id: str,
        who: str = "",
        expected: int | None = None,
        evidence: Evidence | None = None,
        confirm_doubts: bool = False,
        announced: bool = False,
        removed: Sequence[int] = (),
    ) -> Game:
        """Counts hand *number* (from 1) anew, by the rules of that hand; it may reopen the game or end it.

        The penalties *removed*, counted from 1 among those given while it was played, fall. Raises EndMovesError
        where the correction moves the end, unless that was *announced*.
        """

        def decide(game: Game) -> Event:
            doubts = vet_hand(game, hand, evidence, number=number, confirm_doubts=confirm_doubts)
            return HandCorrected(number, hand, reason.strip(), doubts, tuple(removed))

        wanted = HandCorrected(number, hand, reason.strip(), removed=tuple(removed))
        return self._change(game_id, decide, wanted, request_id, who, expected, announced)

    def undo_last_hand(
        self,
        game_id: GameId,
        reason: str,
        *,
        request_id: str,
        who: str = "",
        expected: int | None = None,
        announced: bool = False,
    ) -> Game:
        """Takes the last hand back, also after the end of the game; raises RulesError when there is none.

        Raises EndMovesError where that moves the end, unless it was *announced*.
        """
        event = LastHandUndone(reason.strip())
        return self._change(game_id, lambda _game: event, event, request_id, who, expected, announced)

    def undone(self, game_id: GameId) -> Hand | None:
        """The hand that was just taken back; None once anything else has happened. Raises NotFoundError."""
        return _undone(self._log.read(game_id))

    def redo_hand(self, game_id: GameId, *, request_id: str, who: str = "", expected: int | None = None) -> Game:
        """Records the hand that was just taken back again; what was begun of the next hand stays.

        Raises RulesError once anything else has happened.
        """
        entries, begun = self._log.read(game_id), self.draft(game_id)
        repeated = next((entry.event for entry in entries if entry.request_id == request_id), None)
        hand = repeated.hand if isinstance(repeated, HandRecorded) else _undone(entries)
        if hand is None:
            raise RulesError(say("nothing was just undone: record the hand again"))
        game = self.record_hand(game_id, hand, request_id=request_id, who=who, expected=expected, confirm_doubts=True)
        if begun and not repeated:
            self.save_draft(game_id, begun)
        return game

    def moved_by(self, game_id: GameId, event: Event) -> Moved | None:
        """How *event* would move the end of the game; None where it would not. Raises RulesError when it can't be."""
        game = self.game(game_id)
        return moved_by(game, event, apply(game, event))

    def enrol_deck(
        self,
        game_id: GameId,
        side: SideId,
        deck: DeckId,
        signatures: Sequence[str],
        *,
        request_id: str,
        who: str = "",
        expected: int | None = None,
    ) -> Game:
        """Remembers how the deck of *side* looks; raises RulesError when another side has that deck."""
        event = DeckEnrolled(side, deck, tuple(signatures))
        return self._tap(game_id, lambda _game: event, event, request_id, who, expected)

    def known_decks(self) -> dict[DeckId, KnownDeck]:
        """Every deck of every game by its name, as it was learned last; the one learned last comes first."""
        learned = [
            (shown, game_id)
            for game_id, overview in self._all().items()
            if isinstance(overview, Overview)
            for shown in overview.decks
        ]
        newest: dict[DeckId, KnownDeck] = {}
        for shown, game_id in sorted(learned, key=lambda one: one[0].at, reverse=True):
            if shown.deck not in newest and (signatures := self._signatures(game_id, shown)):
                newest[shown.deck] = KnownDeck(signatures, game_id, shown.side, shown.number, shown.at)
        return newest

    def _signatures(self, game_id: GameId, shown: Shown) -> tuple[str, ...]:
        """What the eye knows a deck by; empty where that step of the game can't be read."""
        with suppress(StoreError):
            event = self._log.entry(game_id, shown.number).event
            if isinstance(event, DeckEnrolled):
                return event.signatures
        return ()

    def note(
        self,
        game_id: GameId,
        event: Event,
        *,
        request_id: str,
        who: str = "",
        expected: int | None = None,
        announced: bool = False,
    ) -> Game:
        """Adds what happened at the table with one tap: a rule, a seat, a call, a time-out; raises RulesError.

        Raises EndMovesError where it moves the end of the game, unless that was *announced*.
        """
        if isinstance(event, GameStarted | HandRecorded | HandCorrected):
            raise ValueError(f"{type(event).__name__} has a use case of its own")
        return self._tap(game_id, lambda _game: event, event, request_id, who, expected, announced)

    def begin_hand(
        self,
        game_id: GameId,
        *,
        request_id: str,
        who: str = "",
        expected: int | None = None,
        anyway: bool = False,
    ) -> Game:
        """Go; raises RulesError naming the sides that are not ready, unless it is said *anyway* (rules B9)."""

        def decide(game: Game) -> Event:
            waiting = [side.name for side in not_ready(game.live, game.next_sides)]
            if waiting and not anyway:
                raise RulesError(say("not ready yet: %(names)s; wait for them, or begin anyway", names=Names(waiting)))
            return HandBegun()

        return self._change(game_id, decide, HandBegun(), request_id, who, expected)

    def hand_clock(self, game_id: GameId) -> HandClock:
        """The clock of the hand in play, time-outs left out; raises NotFoundError."""
        return hand_clock((entry.at, entry.event) for entry in self._log.read(game_id))

    def hand_times(self, game_id: GameId) -> list[timedelta | None]:
        """How long each recorded hand was played; None where nobody said Go."""
        return hand_times((entry.at, entry.event) for entry in self._log.read(game_id))

    def export_game(self, game_id: GameId) -> str:
        """The whole game as the text of a file; raises NotFoundError."""
        return write_game(game_id, self._log.read(game_id))

    def import_game(self, text: str) -> Imported:
        """Reads a game in; the same game twice is one game, a longer file of it goes on where the shorter ended.

        Raises GameFileError for what is no such file, StaleGameError when the game went on differently here.
        """
        game_id, entries, game = in_thread(_read_game, text)
        own = _words_for(f"{game_id} {entries[0].request_id} {entries[0].at.isoformat()}")
        for word in itertools.chain([game_id], own):
            known = self._log.read(word) if self._log.version(word) else []
            if not known or known[0] == entries[0]:
                return self._take_in(GameId(word), known, entries, game)
        raise AssertionError("words never run out")

    def _take_in(self, game_id: GameId, known: Sequence[Entry], entries: Sequence[Entry], game: Game) -> Imported:
        shorter = min(len(known), len(entries))
        if list(known[:shorter]) != list(entries[:shorter]):
            raise StaleGameError(DIFFERENT)
        if more := entries[shorter:]:
            summary = in_thread(_summed, game_id, entries, game)
            self._log.append_all(game_id, more, summary)
            self._tell(game_id, len(entries))
        return Imported(game_id, len(more))

    def rematch(self, game_id: GameId, *, request_id: str, who: str = "") -> GameId:
        """Another game of the same sides, decks and house rules, everybody one seat further; raises NotFoundError."""
        entries = self._log.read(game_id)
        game, first = _fold(entries), _fold(entries[:1])
        late = {side.id for side in game.sides} - {side.id for side in first.sides}
        sides = rematch_sides(game, late)
        new = self.start_game(sides, game.rules, request_id=request_id, who=who)
        for number, side in enumerate(sides):
            if side.deck is not None and side.deck in game.signatures:
                known = game.signatures[side.deck]
                self.enrol_deck(new, side.id, side.deck, known, request_id=f"{request_id}:{number}", who=who)
        if name := following_name(self.label(game_id).name):
            self.change_label(new, lambda label: replace(label, name=label.name or name))
        return new

    def save_rules(self, name: str, rules: Rules) -> None:
        """Keeps house rules under a name of the table's own; an older value of that name is replaced."""
        clean = " ".join(name.split())
        check_rules_name(clean)
        self._log.save_rules(clean, format_rules(rules))

    def saved_rules(self) -> dict[str, Rules]:
        """The table's own house rules by name, in the order of the alphabet."""
        return {name: parse_rules(text) for name, text in self._log.saved_rules().items()}

    def forget_rules(self, name: str) -> None:
        """Drops house rules of the table's own; raises NotFoundError when there are none of that name."""
        self._log.forget_rules(name)

    def save_draft(self, game_id: GameId, draft: Mapping[str, Any], *, expected: int | None = None) -> None:
        """Keeps the hand being entered across restarts; raises StaleGameError when the game left *expected*."""
        self._log.save_draft(game_id, draft, expected=expected)

    def draft(self, game_id: GameId) -> dict[str, Any]:
        """The hand being entered; empty when nobody is entering one. Recording a hand clears it."""
        return self._log.draft(game_id)

    def drafts(self) -> dict[GameId, dict[str, Any]]:
        """Every game in which somebody is entering a hand, with that hand."""
        return {GameId(game_id): draft for game_id, draft in self._log.drafts().items()}

    def on_change(self, callback: Listener) -> Callable[[], None]:
        """Calls *callback* with game and version after every committed write; the answer unsubscribes it."""
        token = object()
        self._listeners[token] = callback

        def unsubscribe() -> None:
            self._listeners.pop(token, None)

        return unsubscribe

    def _tap(
        self,
        game_id: GameId,
        decide: Callable[[Game], Event],
        wanted: Event,
        request_id: str,
        who: str,
        expected: int | None,
        announced: bool = False,
    ) -> Game:
        """One write of somebody who did not look at the version: others may write at the same moment."""
        for _ in range(TRIES if expected is None else 0):
            with suppress(StaleGameError):
                return self._change(game_id, decide, wanted, request_id, who, expected, announced)
        return self._change(game_id, decide, wanted, request_id, who, expected, announced)

    def _change(
        self,
        game_id: GameId,
        decide: Callable[[Game], Event],
        wanted: Event,
        request_id: str,
        who: str,
        expected: int | None,
        announced: bool = False,
    ) -> Game:
        """One write: a repeated request is answered again, everything else is checked, then added."""
        _checked(request_id)
        entries = self._log.read(game_id)
        for entry in entries:
            if entry.request_id == request_id:
                _same(entry.event, wanted)
                return _fold(entries[: entry.number])
        if expected not in (None, len(entries)):
            raise StaleGameError(
                say(
                    "the game has changed since you looked (it is at step %(now)s, you saw step %(seen)s): look at it "
                    "again, then repeat if it is still needed",
                    now=len(entries),
                    seen=expected,
                )
            )
        before = self._stand(game_id, entries)
        event = decide(before)
        after = apply(before, event)
        _refuse_unannounced(event, before, after, announced)
        entry = self._write(game_id, entries, event, after, request_id, who)
        return after if entry.number == len(entries) + 1 else _fold(self._log.read(game_id)[: entry.number])

    def _write(
        self, game_id: GameId, entries: Sequence[Entry], event: Event, after: Game, request_id: str, who: str
    ) -> Entry:
        by = "".join(filter(is_shown, clean(who)))[:MAX_WHO]
        at = self._clock()
        summary = _summed(game_id, [*entries, Entry(len(entries) + 1, at, by, request_id, event)], after)
        entry = self._log.append(game_id, len(entries), event, request_id=request_id, who=by, at=at, summary=summary)
        _same(entry.event, event)
        self._tell(game_id, entry.number)
        return entry

    def _tell(self, game_id: GameId, version: int) -> None:
        for listener in tuple(self._listeners.values()):
            try:
                listener(game_id, version)
            except Exception:
                logger.exception("a listener failed after event %d of game %s", version, game_id)


def _read_game(text: str) -> tuple[str, list[Entry], Game]:
    game_id, entries = read_game(text)
    return game_id, entries, _fold(entries)


def _played(game_id: GameId, game: Game | None, entries: Sequence[Entry]) -> Game:
    """*game* after more of its *entries*; raises StoreError where they make no sense."""
    for entry in entries:
        try:
            game = follow(game, entry.event)
        except UNREADABLE as error:
            raise StoreError(
                say(
                    "step %(number)s of the game %(game)s makes no sense (%(reason)s): "
                    "restore the database from a copy",
                    number=entry.number,
                    game=game_id,
                    reason=str(error)[:200],
                )
            ) from error
    assert game is not None, "a game has entries"
    return game


def _summed(game_id: GameId, entries: Sequence[Entry], game: Game) -> str:
    """What the lists show of a game; empty where that fails, as it must not keep anything from being recorded."""
    try:
        return write_overview(overview_of(entries, game))
    except Exception:
        logger.exception("the game %s could not be summed up", game_id)
        return ""


def _fold(entries: Sequence[Entry]) -> Game:
    return fold((entry.event for entry in entries), follow)


def _refuse_unannounced(event: Event, before: Game, after: Game, announced: bool) -> None:
    """Raises EndMovesError where an event other than a hand moves the end, and nobody was told (rules K14)."""
    if not announced and (moved := moved_by(before, event, after)):
        raise EndMovesError(moved)


def _undone(entries: Sequence[Entry]) -> Hand | None:
    """The hand that the last of *entries* took back; None where that did something else."""
    if not isinstance(entries[-1].event, LastHandUndone):
        return None
    return _fold(entries[:-1]).hands[-1]


def _told(text: Said, before: Game | None, event: Event, after: Game) -> Said:
    """*text* of an event, with what it did to the end of the game; a hand that ends one says so by its points."""
    moved = moved_by(before, event, after) if before is not None else None
    return say("%(what)s. %(then)s", what=text, then=moved.text) if moved else text


def _checked(request_id: str) -> str:
    if not is_text(request_id, MAX_REQUEST):
        raise RulesError(say("this request has no proper id: load the page again, then repeat"))
    return request_id


def _same(first: Event, second: Event) -> None:
    """Raises StaleGameError when a request that was written already comes back with something else."""
    if _bare(first) != _bare(second):
        raise StaleGameError(
            say("this form was sent already with other values: load the page again, then change it there")
        )


def _bare(event: Event) -> Event:
    """*event* without the doubts, which follow from what it is checked against."""
    return replace(event, doubts=()) if isinstance(event, HandRecorded | HandCorrected) else event


def _words_for(request_id: str) -> Iterable[GameId]:
    """Words for a game, the first from *request_id* alone, so that a repeated request finds its game."""
    number = 0
    while True:
        digest = hashlib.sha256(f"{request_id} {number}".encode()).digest()
        pairs = zip(digest[0:10:2], digest[1:10:2], strict=True)
        yield GameId("".join("bdfghjklmnprstvz"[one % 16] + "aeiou"[two % 5] for one, two in pairs))
        number += 1
