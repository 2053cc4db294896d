"""Typed forms as values: what was typed stays text until the referee has seen it, so nothing typed is ever lost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from scorekeeper.errors import RulesError
from scorekeeper.rules.checks import Problem
from scorekeeper.rules.lake import DeckId
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.scoring import (
    COLORS,
    PATTERNS,
    Adjustment,
    Hand,
    Points,
    Rules,
    Side,
    SideId,
    Tally,
    side_id,
)

RULE_WORDS: Mapping[str, tuple[str, str]] = {
    "target": ("Play to", "Points to win"),
    "bonus": ("Bonus for Nertz", "Points for the call"),
    "lake_value": ("A card in the Lake", "Points for each"),
    "nertz_penalty": ("A card left over", "Points off for each"),
    "pile_size": ("Nertz pile", "Cards at the start"),
    "jokers": ("Jokers", "In each deck"),
}
"""Label and hint of each house rule, in the order of the form."""

FEWEST_SIDES = 2
MOST_SIDES = 12
ROWS_AT_FIRST = 4


def whole_number(text: str) -> int | None:
    """The whole number typed as *text*; None when it is none."""
    clean = text.strip().replace("\N{MINUS SIGN}", "-")
    return int(clean) if re.fullmatch(r"[+-]?[0-9]{1,6}", clean) else None


@dataclass(frozen=True, slots=True)
class SideRow:
    """One row of the start form; a row without a name plays no part."""

    name: str = ""
    color: str = COLORS[0]
    pattern: str = PATTERNS[0]
    deck: str = ""


@dataclass(frozen=True, slots=True)
class StartForm:
    """Everything typed on the page that starts a game."""

    preset: str
    rules: Mapping[str, str]
    rows: tuple[SideRow, ...]

    def with_preset(self, preset: str) -> StartForm:
        """The same sides under the house rules of *preset*."""
        rules = {name: str(value) for name, value in asdict(PRESETS[preset].rules).items()}
        return replace(self, preset=preset, rules=rules)

    def with_row(self) -> StartForm:
        """One more empty row, in the next colour and pattern, up to MOST_SIDES."""
        rows = (*self.rows, fresh_row(len(self.rows)))
        return replace(self, rows=rows[:MOST_SIDES])

    def without_row(self, number: int) -> StartForm:
        """Without row *number*, counted from 0; two rows always stay."""
        rows = tuple(row for place, row in enumerate(self.rows) if place != number)
        return replace(self, rows=rows) if len(rows) >= FEWEST_SIDES else self

    def parse(self) -> tuple[tuple[Side, ...], Rules]:
        """The sides and house rules; raises RulesError that lists everything wrong."""
        wrong: list[str] = []
        sides = tuple(self._sides(wrong))
        rules = self._rules(wrong)
        if len([row for row in self.rows if row.name.strip()]) < FEWEST_SIDES:
            wrong.append("Name two sides at least")
        if wrong or rules is None:
            raise RulesError("; ".join(wrong))
        return sides, rules

    def _sides(self, wrong: list[str]) -> Iterator[Side]:
        taken: list[str] = []
        for row in self.rows:
            name = " ".join(row.name.split())
            if not name:
                continue
            taken.append(side_id(name, taken))
            deck = DeckId(" ".join(row.deck.split())) if row.deck.strip() else None
            try:
                yield Side(SideId(taken[-1]), name, row.color, deck, row.pattern)
            except RulesError as error:
                wrong.append(str(error))

    def _rules(self, wrong: list[str]) -> Rules | None:
        numbers = {name: whole_number(self.rules.get(name, "")) for name in RULE_WORDS}
        missing = [name for name, number in numbers.items() if number is None]
        wrong.extend(f"{RULE_WORDS[name][0]}: {self.rules.get(name, '')!r} is no whole number" for name in missing)
        if missing:
            return None
        try:
            return Rules(**{name: number for name, number in numbers.items() if number is not None})
        except RulesError as error:
            wrong.append(str(error))
            return None


def fresh_row(number: int) -> SideRow:
    return SideRow("", COLORS[number % len(COLORS)], PATTERNS[number % len(PATTERNS)])


def fresh_start(preset: str = "national") -> StartForm:
    """The start form before anything is typed."""
    rows = tuple(fresh_row(number) for number in range(ROWS_AT_FIRST))
    return StartForm(preset, {}, rows).with_preset(preset)


def read_start(fields: Mapping[str, str], names: Sequence[str]) -> StartForm:
    """The start form as posted; *names* has one entry per row."""
    rows = tuple(
        SideRow(
            name,
            fields.get(f"color.{number}", COLORS[number % len(COLORS)]),
            fields.get(f"pattern.{number}", PATTERNS[number % len(PATTERNS)]),
            fields.get(f"deck.{number}", ""),
        )
        for number, name in enumerate(names[:MOST_SIDES])
    )
    preset = fields.get("preset", "")
    rules = {name: fields.get(name, "") for name in RULE_WORDS}
    return StartForm(preset if preset in PRESETS else next(iter(PRESETS)), rules, rows)


@dataclass(frozen=True, slots=True)
class HandRow:
    """What was typed for one side in one hand."""

    lake: str = ""
    left: str = ""
    called: bool = False
    extra: str = ""
    why: str = ""

    @property
    def tally(self) -> tuple[int, int] | None:
        """Lake and left; None while one is missing or no number. A caller has none left unless typed otherwise."""
        lake = whole_number(self.lake)
        left = 0 if self.called and not self.left.strip() else whole_number(self.left)
        return None if lake is None or left is None else (lake, left)

    @property
    def blank(self) -> bool:
        """Whether a count is still to be entered."""
        return not self.lake.strip() or not (self.left.strip() or self.called)


@dataclass(frozen=True, slots=True)
class HandForm:
    """Everything typed for one hand."""

    total: str
    """T as typed, the cards of the whole Lake; empty when nobody counted."""
    rows: Mapping[SideId, HandRow]
    names: Mapping[SideId, str] = field(default_factory=dict)

    @property
    def lake(self) -> int | None:
        return whole_number(self.total)

    @property
    def counted(self) -> int:
        """Lake cards of all sides typed so far."""
        return sum(whole_number(row.lake) or 0 for row in self.rows.values())

    @property
    def waiting(self) -> list[str]:
        """Names of the sides whose counts are not all entered."""
        return [self.names[side] for side, row in self.rows.items() if row.blank]

    @property
    def hand(self) -> Hand:
        """The hand as far as it can be read: sides without readable counts are left out."""
        tallies = tuple(Tally(side, *row.tally) for side, row in self.rows.items() if row.tally)
        counted = {tally.side for tally in tallies}
        callers = tuple(side for side, row in self.rows.items() if row.called and side in counted)
        return Hand(tallies, callers, tuple(each for each in self._adjustments() if each.side in counted))

    def points(self, rules: Rules) -> dict[SideId, Points]:
        """Points of the sides whose counts can be read."""
        return self.hand.points(rules)

    def problems(self) -> list[Problem]:
        """Everything that is missing or no number; empty when ``hand`` says all that was typed."""
        found = [problem for side, row in self.rows.items() for problem in self._row_problems(side, row)]
        if self.total.strip() and self.lake is None:
            found.append(Problem("number", f"The Lake: {self.total.strip()!r} is no whole number: enter its cards"))
        return found

    def _adjustments(self) -> Iterator[Adjustment]:
        for side, row in self.rows.items():
            points = whole_number(row.extra)
            if points is not None and (points or row.why.strip()):
                yield Adjustment(side, points, row.why.strip())

    def _row_problems(self, side: SideId, row: HandRow) -> Iterator[Problem]:
        name = self.names[side]
        if not row.lake.strip():
            yield Problem("missing", f"{name}: enter how many of its cards are in the Lake, 0 if none", side)
        if not row.left.strip() and not row.called:
            yield Problem("missing", f"{name}: enter how many cards are left in its Nertz pile", side)
        for text, what in ((row.lake, "cards in the Lake"), (row.left, "cards left"), (row.extra, "extra points")):
            if text.strip() and whole_number(text) is None:
                yield Problem("number", f"{name}: {text.strip()!r} is no whole number: enter the {what}", side)
        if row.why.strip() and not row.extra.strip():
            yield Problem("number", f"{name}: extra points need a number beside the reason: enter it", side)


def read_hand(fields: Mapping[str, str], sides: Sequence[Side]) -> HandForm:
    """The hand form from its posted or drafted fields, such as ``lake.amy``."""
    rows = {
        side.id: HandRow(
            lake=fields.get(f"lake.{side.id}", ""),
            left=fields.get(f"left.{side.id}", ""),
            called=bool(fields.get(f"called.{side.id}", "")),
            extra=fields.get(f"extra.{side.id}", ""),
            why=fields.get(f"why.{side.id}", ""),
        )
        for side in sides
    }
    return HandForm(fields.get("total", ""), rows, {side.id: side.name for side in sides})


def hand_fields(hand: Hand) -> dict[str, str]:
    """The fields that show *hand* in the form, to correct it."""
    fields: dict[str, str] = {}
    for tally in hand.tallies:
        fields[f"lake.{tally.side}"] = str(tally.lake)
        fields[f"left.{tally.side}"] = str(tally.nertz_left)
        fields[f"called.{tally.side}"] = "1" if tally.side in hand.callers else ""
    for each in hand.adjustments:
        fields[f"extra.{each.side}"] = str(each.points)
        fields[f"why.{each.side}"] = each.reason
    return fields


def hand_field_names(sides: Sequence[Side]) -> frozenset[str]:
    """Every field of the hand form that a draft keeps."""
    return frozenset({"total", *(f"{kind}.{side.id}" for kind in _KINDS for side in sides)})


_KINDS = ("lake", "left", "called", "extra", "why")
