"""House rules in one line, every value of them: ``13+10 to 150, x1 -2, river 5``, written and read back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorekeeper.errors import NotationError
from scorekeeper.rules.cards import RANKS
from scorekeeper.rules.house import (
    Alternation,
    Deal,
    EmptySlot,
    Finished,
    HandsUsed,
    Partnership,
    Play,
    Rules,
    Scoring,
    Simultaneous,
    StuckTable,
    TieBreaker,
    Words,
)
from scorekeeper.rules.layout import GAMES, Layout

_HEAD = re.compile(
    r"(?P<pile_size>[0-9]{1,6})(\+(?P<bonus>[0-9]{1,6}))?"
    r"( to (?P<target>[0-9]{1,6}))?( (within|for) (?P<rounds>[0-9]{1,6}) hands?)?"
)
_VALUES = re.compile(r"x(?P<lake_value>[0-9]{1,6}) -(?P<nertz_penalty>[0-9]{1,6})")


@dataclass(frozen=True, slots=True)
class _Number:
    """A clause with a number: ``river 5``."""

    name: str
    words: str
    """How it is written; ``#`` stands for the number."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """A clause that is there or not; each phrase stands for one value."""

    name: str
    phrases: Mapping[Any, str]


_RULES: tuple[_Number | _Choice, ...] = (
    _Number("jokers", "# joker(s)"),
    _Choice(
        "scoring",
        {
            Scoring.HANDS: "hands won",
            Scoring.LEFTOVERS: "cards the others have left",
            Scoring.FOUNDATION: "played alone",
        },
    ),
    _Choice("tie_breaker", {TieBreaker.TIED: "tie-breaker of the tied"}),
    _Choice("calls_break_ties", {False: "straight to the tie-breaker"}),
    _Number("false_call", "false call -#"),
    _Choice(
        "partnership",
        {
            Partnership.SINGLES: "singles",
            Partnership.DOUBLES: "doubles",
            Partnership.MIXED_DOUBLES: "mixed doubles",
            Partnership.ROTATING: "rotating partners",
        },
    ),
    _Choice(
        "words",
        {
            Words.NERTS: "called Nerts",
            Words.POUNCE: "called Pounce",
            Words.RACING_DEMON: "called Racing Demon",
            Words.PEANUTS: "called Peanuts",
            Words.NUTS: "called Nuts",
        },
    ),
    _Choice("layout", {each: f"laid out as {GAMES[each]}" for each in Layout if each is not Layout.NERTZ}),
)
_PLAY: tuple[_Number | _Choice, ...] = (
    _Number("river", "River #"),
    _Number("flip", "flip #"),
    _Number("shuffles", "shuffle #"),
    _Number("cuts", "cut #"),
    _Choice("round_robin", {True: "neighbours shuffle"}),
    _Choice("deal", {Deal.FACE_UP: "pile face up"}),
    _Choice("withholding", {True: "may withhold"}),
    _Choice("stacking", {True: "stacking"}),
    _Choice("empty_slot", {EmptySlot.NERTZ: "empty slot from the pile"}),
    _Choice("finished", {Finished.ASIDE: "finished piles aside"}),
    _Choice("hands", {HandsUsed.ONE: "one hand", HandsUsed.OTHER_HOLDS: "other hand holds the Stream"}),
    _Choice("simultaneous", {Simultaneous.BOTH_STAY: "both cards stay"}),
    _Choice("reversing", {True: "reversing cards"}),
    _Choice("both_ends", {True: "both ends"}),
    _Choice("call_at_once", {True: "call at once"}),
    _Choice("last_card", {False: "no last card"}),
    _Choice(
        "stuck",
        {
            StuckTable.NEW_STOCK: "stuck: new Stream",
            StuckTable.TOP_TO_BOTTOM: "stuck: top to bottom",
            StuckTable.HAND_ENDS: "stuck: hand ends",
        },
    ),
    _Choice("share_piles", {False: "own piles only"}),
    _Choice("alternation", {Alternation.OFF: "no alternation", Alternation.MANDATORY: "must alternate"}),
    _Choice("rotate_seats", {True: "seats rotate"}),
)
_EXTRA = re.compile(rf"({'|'.join(RANKS)})([+-][0-9]{{1,3}})")
_NOTE = re.compile(r',\s*note\s*"((?:[^"\\]|\\.)*)"\s*(?=,|$)', re.IGNORECASE)


def format_rules(rules: Rules) -> str:
    """Pile and bonus, the end, Lake value and penalty, then whatever is not the default: ``13+10 to 150, x1 -2``."""
    bonus = f"+{rules.bonus}" if rules.bonus else ""
    clauses = [
        f"{rules.pile_size}{bonus}{_format_end(rules)}",
        f"x{rules.lake_value} -{rules.nertz_penalty}",
        *_format(rules, Rules(), _RULES),
    ]
    if rules.rank_extras:
        clauses.append("extra " + " ".join(f"{RANKS[rank - 1]}{extra:+d}" for rank, extra in rules.rank_extras))
    return ", ".join([*clauses, *_format(rules.play, Play(), _PLAY), *_format_note(rules.note)])


def brief_rules(rules: Rules) -> str:
    """The line without the note, for where there is no room: ``13+10 to 150, x1 -2``."""
    return format_rules(replace(rules, note=""))


def _format_note(note: str) -> Iterator[str]:
    r"""The note in quotes, its lines with ``\n`` between them: ``note "Turn left.\nNo peeking."``."""
    if note:
        quoted = note.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
        yield f'note "{quoted}"'


def _parse_note(text: str) -> tuple[str, str]:
    """The line without its note, and the note; raises NotationError for two notes."""
    notes: list[str] = _NOTE.findall(text)
    if len(notes) > 1:
        raise NotationError(f"there are two notes in {text!r}: keep one of them")
    plain = re.sub(r"\\(.)", lambda pair: "\n" if pair[1] == "n" else pair[1], "".join(notes))
    return _NOTE.sub("", text), plain


def _format_end(rules: Rules) -> str:
    target = f" to {rules.target}" if rules.target else ""
    within = f" {'within' if rules.target else 'for'} {rules.rounds} hand{'s' if rules.rounds > 1 else ''}"
    return f"{target}{within if rules.rounds else ''}"


def _format(value: Rules | Play, default: Rules | Play, clauses: tuple[_Number | _Choice, ...]) -> Iterator[str]:
    for clause in clauses:
        now = getattr(value, clause.name)
        if now == getattr(default, clause.name):
            continue
        if isinstance(clause, _Choice):
            yield clause.phrases[now]
        else:
            yield clause.words.replace("(s)", "s" if now > 1 else "").replace("#", str(now))


def parse_rules(text: str) -> Rules:
    """The house rules written as *text*; raises NotationError, or RulesError for a value that can't be."""
    line, note = _parse_note(text)
    head, values, *clauses = [" ".join(part.split()) for part in line.split(",")] + ([""] if "," not in line else [])
    first, second = _HEAD.fullmatch(head), _VALUES.fullmatch(values)
    if first is None or second is None or not (first["target"] or first["rounds"]):
        raise NotationError(f"expected house rules such as '13+10 to 150, x1 -2', not {text!r}")
    numbers: dict[str, Any] = {
        name: int(value or 0) for name, value in (first.groupdict() | second.groupdict()).items()
    }
    found: dict[str, Any] = {}
    for clause in clauses:
        name, value = _parse_clause(clause, text)
        if name in found:
            raise NotationError(f"{clause!r} says again what the house rules have said already in {text!r}")
        found[name] = value
    play = {clause.name: found.pop(clause.name) for clause in _PLAY if clause.name in found}
    return Rules(**numbers, **found, play=Play(**play), note=note)


def _parse_clause(clause: str, text: str) -> tuple[str, Any]:
    """The field a clause sets, and its value; raises NotationError for what is none."""
    for known in (*_RULES, *_PLAY):
        if isinstance(known, _Choice):
            for value, phrase in known.phrases.items():
                if clause.casefold() == phrase.casefold():
                    return known.name, value
        elif match := _number_pattern(known).fullmatch(clause):
            return known.name, int(match[1])
    if clause.startswith("extra "):
        pairs = [_EXTRA.fullmatch(word) for word in clause.split()[1:]]
        if all(pairs):
            return "rank_extras", tuple((RANKS.index(pair[1]) + 1, int(pair[2])) for pair in pairs if pair)
    raise NotationError(f"{clause!r} is no house rule that is known here, in {text!r}: take it out or correct it")


def _number_pattern(clause: _Number) -> re.Pattern[str]:
    words = re.escape(clause.words).replace(re.escape("(s)"), "s?").replace(re.escape("#"), "([0-9]{1,6})")
    return re.compile(words, re.IGNORECASE)
