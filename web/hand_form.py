"""The hand form as a value: what was typed stays text until the referee has seen it, so nothing typed is ever lost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from scorekeeper.guide.marks import mark
from scorekeeper.rules.cards import KING, RANKS
from scorekeeper.rules.checks import Problem
from scorekeeper.rules.house import Finished, Rules, Scoring, Simultaneous
from scorekeeper.rules.lake import Evidence, SpreadReading
from scorekeeper.rules.names import clean
from scorekeeper.rules.played import Played
from scorekeeper.rules.scoring import Adjustment, Hand, Points, Side, SideId, Tally, Typed
from web.forms import penalty_text, penalty_typed, plain, whole_number
from web.language import gettext as _

TOTALS = "totals"
"""What ``how`` says where one number is typed for each side; else cards are counted (rules C17)."""

GLYPHS = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅙": "1/6", "⅛": "1/8"}


def amount(text: str) -> Points | None:
    """Exact points typed as *text*, such as ``-5``, ``2.5``, ``2,5``, ``3 1/3`` or ``3⅓``; None when it is none."""
    typed = plain(text).replace(",", ".")
    for glyph, fraction in GLYPHS.items():
        typed = typed.replace(glyph, f" {fraction}")
    found = re.fullmatch(r"([+-]?)\s*(?:(\d{1,6}(?:\.\d{1,4})?)|(?:(\d{1,6})\s+)?(\d{1,4}/[1-9]\d{0,3}))", typed)
    if found is None:
        return None
    sign, decimal, whole, part = found.groups()
    exact = (Fraction(decimal) if decimal else Fraction(part) + int(whole or 0)) * (-1 if sign == "-" else 1)
    return int(exact) if exact.denominator == 1 else exact


def asked(rules: Rules, how: str = "") -> frozenset[str]:
    """What the form asks of each side: ``called``, and ``lake``, ``left`` or ``score`` (rules C17, K19, J5)."""
    if not rules.counts:
        return frozenset({"called"})
    called = {"called"} if rules.scoring is not Scoring.FOUNDATION or rules.bonus else set()
    if how == TOTALS:
        return frozenset({"score", *called})
    counted = {Scoring.LEFTOVERS: {"left"}, Scoring.FOUNDATION: {"lake"}}.get(rules.scoring, {"lake", "left"})
    return frozenset(counted | called)


@dataclass(frozen=True, slots=True)
class HandRow:
    """What was typed for one side in one hand."""

    lake: str = ""
    left: str = ""
    score: str = ""
    called: bool = False
    share: str = ""
    extra: str = ""
    """A penalty: what is taken off, or with a plus what is added."""
    why: str = ""
    ranks: Mapping[int, str] = field(default_factory=dict)
    """By rank: how many of these cards lie in the Lake, of the ranks worth extra (rules C11)."""


@dataclass(frozen=True, slots=True)
class HandForm:
    """Everything typed for one hand."""

    rows: Mapping[SideId, HandRow]
    names: Mapping[SideId, str]
    rules: Rules
    total: str = ""
    """Cards of the whole Lake as typed; empty when nobody counted."""
    aside: str = ""
    """Finished piles set aside (rules K9)."""
    duplicates: str = ""
    """Cards that stayed beside another of their rank (rules E14)."""
    start: str = ""
    """The rank the piles begin with (rules J5)."""
    how: str = ""
    vote: bool = False
    """Whether the table voted on the shares of the bonus (rules C10)."""
    nobody: bool = False
    """Whether somebody said that nobody called, where nothing else is entered."""

    @property
    def asked(self) -> frozenset[str]:
        """What is asked of each side."""
        return asked(self.rules, self.how)

    @property
    def asked_of_counts(self) -> frozenset[str]:
        """What would be asked by counting cards; the form holds these fields too, to switch without a request."""
        return asked(self.rules)

    def evidence(self, spread: SpreadReading | None = None) -> Evidence:
        """What the form says of the Lake, beside what the eye saw of it turned over."""
        begins = RANKS.index(self.start) + 1 if self.start in RANKS else 1
        lake = whole_number(self.total) if self.rules.counts else None
        aside, twice = whole_number(self.aside) or 0, whole_number(self.duplicates) or 0
        return Evidence(lake=lake, spread=spread, aside=aside, duplicates=twice, start=begins)

    @property
    def lake(self) -> int | None:
        """T with everything that was set aside; None while nobody counted."""
        return self.evidence().total

    @property
    def counted(self) -> int:
        """Lake cards of all sides typed so far."""
        return sum(whole_number(row.lake) or 0 for row in self.rows.values())

    @property
    def waiting(self) -> list[str]:
        """Names of the sides whose counts are not all entered."""
        return [self.names[side] for side, row in self.rows.items() if self._missing(row)]

    @property
    def callers(self) -> list[SideId]:
        """Who called, as ticked."""
        return [side for side, row in self.rows.items() if row.called and "called" in self.asked]

    @property
    def caller_names(self) -> list[str]:
        """The callers by name."""
        return [self.names[side] for side in self.callers]

    @property
    def hand(self) -> Hand:
        """The hand as far as it can be read: sides without readable counts are left out."""
        tallies = tuple(each for side, row in self.rows.items() if (each := self._tally(side, row)))
        scores = ((side, amount(row.score)) for side, row in self.rows.items() if "score" in self.asked)
        typed = tuple(Typed(side, score) for side, score in scores if score is not None)
        counted = {each.side for each in tallies} | {each.side for each in typed}
        there = counted if self.rules.counts else set(self.rows)
        return Hand(
            tallies,
            tuple(side for side in self.callers if side in there),
            tuple(each for each in self._adjustments() if each.side in there),
            tuple((side, share) for side, share in self._shares() if side in there),
            typed,
        )

    @property
    def shares(self) -> dict[SideId, Points]:
        """The bonus of each ticked caller, as it would be paid, whether or not its counts are entered (rules C9)."""
        return Hand(callers=tuple(self.callers), shares=tuple(self._shares())).bonus_shares(self.rules)

    def points(self, sides: Sequence[Side], penalties: Sequence[Adjustment] = ()) -> dict[SideId, Points]:
        """Points of the sides whose counts can be read, penalties of the hand in play and handicaps included."""
        hand = self.hand
        points = Played(hand, self.rules, tuple(sides), tuple(penalties)).points
        there = hand.counted if self.rules.counts else tuple(self.rows)
        return {side: points[side] for side in there if side in points}

    def problems(self) -> list[Problem]:
        """Everything that is missing or no number; empty when ``hand`` says all that was typed."""
        found = [problem for side, row in self.rows.items() for problem in self._row_problems(side, row)]
        twice = mark("Cards that stayed twice: %(text)r is no whole number: enter how many")
        for entry, typed, message in (
            ("total", self.total, mark("The %(Lake)s: %(text)r is no whole number: enter its cards")),
            ("aside", self.aside, mark("Piles set aside: %(text)r is no whole number: enter how many")),
            ("duplicates", self.duplicates, twice),
        ):
            if typed.strip() and whole_number(typed) is None:
                found.append(Problem("number", _(message, text=typed.strip()), entry=entry))
        if not self.rules.counts and not self.callers and not self.nobody:
            found.append(Problem("missing", _("Tick who called %(Call)s, or that nobody did")))
        return found

    def _missing(self, row: HandRow) -> bool:
        done = {"lake": row.lake.strip(), "left": row.left.strip() or row.called, "score": row.score.strip()}
        return any(not done.get(name, True) for name in self.asked)

    def _tally(self, side: SideId, row: HandRow) -> Tally | None:
        """The counts; None while one is missing or no number. A caller has none left unless typed otherwise."""
        if not self.asked & {"lake", "left"}:
            return None
        lake = whole_number(row.lake) if "lake" in self.asked else 0
        unsaid = "left" not in self.asked or (row.called and not row.left.strip())
        left = 0 if unsaid else whole_number(row.left)
        if lake is None or left is None:
            return None
        numbers = ((rank, whole_number(text)) for rank, text in row.ranks.items())
        return Tally(side, lake, left, tuple((rank, number) for rank, number in numbers if number is not None))

    def _shares(self) -> Iterator[tuple[SideId, Points]]:
        for side in self.callers if self.vote else ():
            yield side, amount(self.rows[side].share) or 0

    def _adjustments(self) -> Iterator[Adjustment]:
        for side, row in self.rows.items():
            points = penalty_typed(row.extra)
            if points is not None and (points or clean(row.why)):
                yield Adjustment(side, points, clean(row.why))

    def _row_problems(self, side: SideId, row: HandRow) -> Iterator[Problem]:
        name = self.names[side]
        for entry, message in self._unsaid(row):
            yield Problem("missing", _(message, name=name), side, entry=entry)
        for entry, typed, message, rank in self._no_numbers(row):
            yield Problem("number", _(message, name=name, text=typed.strip(), rank=rank), side, entry=entry)
        if clean(row.why) and not row.extra.strip():
            text = _("%(name)s, penalty: a reason but no number: type 5 to take 5 off, or +5 to add 5", name=name)
            yield Problem("number", text, side, entry="extra")
        if self.vote and row.called and "called" in self.asked and amount(row.share) is None:
            text = mark("%(name)s: %(text)r is no share of the bonus: enter points such as 5, 2.5 or 10/3")
            empty = mark("%(name)s: enter its share of the bonus, 0 if none")
            kind, message = ("number", text) if row.share.strip() else ("missing", empty)
            yield Problem(kind, _(message, name=name, text=row.share.strip()), side, entry="share")

    def _unsaid(self, row: HandRow) -> Iterator[tuple[str, str]]:
        """Each entry that is missing, with the message that asks for it."""
        if "lake" in self.asked and not row.lake.strip():
            yield "lake", mark("%(name)s: enter the cards in the %(Lake)s (0 if none)")
        if "left" in self.asked and not row.left.strip() and not row.called:
            yield "left", mark("%(name)s: enter the cards left in the %(Pile)s")
        if "score" in self.asked and not row.score.strip():
            yield "score", mark("%(name)s: enter the points of this hand, or count the cards")

    def _no_numbers(self, row: HandRow) -> Iterator[tuple[str, str, str, str]]:
        """Each entry that is no number: its text, the message that says so, and the rank whose cards it would count."""
        texts = []
        if "lake" in self.asked:
            whole = mark("%(name)s: %(text)r is no whole number: enter the cards in the %(Lake)s")
            texts.append(("lake", row.lake, whole, ""))
        if "left" in self.asked:
            message = mark("%(name)s: %(text)r is no whole number: enter the cards left")
            texts.append(("left", row.left, message, ""))
        if "lake" in self.asked:
            message = mark("%(name)s: %(text)r is no whole number: enter how many cards of rank %(rank)s")
            texts += [(f"rank{rank}", text, message, RANKS[rank - 1]) for rank, text in row.ranks.items()]
        penalty = mark("%(name)s, penalty: %(text)r is no whole number: type 5 to take 5 off, or +5 to add 5")
        texts.append(("extra", row.extra, penalty, ""))
        yield from (each for each in texts if each[1].strip() and whole_number(each[1]) is None)
        if "score" in self.asked and row.score.strip() and amount(row.score) is None:
            score = mark("%(name)s: %(text)r is no score: enter points such as 14, -5 or 2.5")
            yield "score", row.score, score, ""


def read_hand(fields: Mapping[str, str], sides: Sequence[Side], rules: Rules) -> HandForm:
    """The hand form from its posted or drafted fields, such as ``lake.amy``."""
    return HandForm(
        rows={side.id: _read_row(fields, side.id, rules) for side in sides},
        names={side.id: side.name for side in sides},
        rules=rules,
        total=fields.get("total", ""),
        aside=fields.get("aside", "") if rules.play.finished is Finished.ASIDE else "",
        duplicates=fields.get("duplicates", "") if rules.play.simultaneous is Simultaneous.BOTH_STAY else "",
        start=fields.get("start", ""),
        how=TOTALS if fields.get("how") == TOTALS and rules.counts else "",
        vote=bool(fields.get("vote")),
        nobody=bool(fields.get("nobody")),
    )


def _read_row(fields: Mapping[str, str], side: SideId, rules: Rules) -> HandRow:
    words = {kind: fields.get(f"{kind}.{side}", "") for kind in _TEXTS}
    ranks = {rank: fields.get(f"rank{rank}.{side}", "") for rank, _ in rules.rank_extras}
    return HandRow(called=bool(fields.get(f"called.{side}")), ranks=ranks, **words)


def hand_fields(hand: Hand, rules: Rules) -> dict[str, str]:
    """The fields that show *hand* in the form, to correct it."""
    fields = {f"called.{side}": "1" for side in hand.callers}
    for tally in hand.tallies:
        fields[f"lake.{tally.side}"] = str(tally.lake)
        fields[f"left.{tally.side}"] = str(tally.nertz_left)
        fields |= {f"rank{rank}.{tally.side}": str(number) for rank, number in tally.ranks}
    if hand.typed:
        bare = Hand(hand.tallies, hand.callers, (), hand.shares, hand.typed)
        fields |= {f"score.{side}": str(score) for side, score in bare.points(rules).items()}
    for each in hand.adjustments:
        fields[f"extra.{each.side}"] = penalty_text(each.points)
        fields[f"why.{each.side}"] = each.reason
    fields |= {f"share.{side}": str(share) for side, share in hand.shares}
    fields |= {"vote": "1" if hand.shares else "", "how": TOTALS if hand.typed else ""}
    return {**fields, "nobody": "" if hand.callers else "1"}


def hand_field_names(sides: Sequence[Side]) -> frozenset[str]:
    """Every field of the hand form that a draft keeps."""
    kinds = ("called", *_TEXTS, *(f"rank{rank}" for rank in range(1, KING + 1)))
    return frozenset({*_TABLE, *(f"{kind}.{side.id}" for kind in kinds for side in sides)})


_TABLE = ("total", "aside", "duplicates", "start", "how", "vote", "nobody")
_TEXTS = ("lake", "left", "score", "share", "extra", "why")
