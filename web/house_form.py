"""The form of the house rules: every rule with its label, and what was typed until the referee has seen it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from scorekeeper.errors import RulesError
from scorekeeper.guide.marks import mark
from scorekeeper.guide.vocabulary import VOCABULARIES
from scorekeeper.rules.cards import RANKS
from scorekeeper.rules.house import (
    PLAY_RANGES,
    RULES_RANGES,
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
    suggested_target,
    wrong_note,
)
from scorekeeper.rules.house_notation import format_rules, parse_rules
from scorekeeper.rules.layout import GAMES, Layout
from web.forms import whole_number
from web.language import gettext as _
from web.language import ngettext, said

LONGEST, LONGEST_NOTE = 60, 1_000
"""Most letters that one field of the form keeps, and the one of the note."""


@dataclass(frozen=True, slots=True)
class Field:
    """One house rule in the form."""

    name: str
    """As in Rules or Play."""
    label: str
    hint: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    """The values to choose from, with what each means; empty where something is typed."""


@dataclass(frozen=True, slots=True)
class Group:
    """House rules that are decided together."""

    id: str
    title: str
    fields: tuple[Field, ...]


def _switch(name: str, label: str, on: str, off: str) -> Field:
    """A rule that is on or off, both in words."""
    return Field(name, label, choices=MappingProxyType({"1": on, "0": off}))


WORDS = Field("words", mark("What you call the game"), choices={words: VOCABULARIES[words]["Game"] for words in Words})
TARGET = Field("target", mark("Play to"), mark("Points (or hands) needed to win; leave empty for no limit"))
BONUS = Field("bonus", mark("Bonus for %(Call)s"), mark("Points for the call, 0 for none"))

NOTE = Field("note", mark("Also agreed"), mark("Anything else, in a few lines. It is printed on the rules card."))

GROUPS = (
    Group(
        "scoring",
        mark("What a hand is worth"),
        (
            Field(
                "scoring",
                mark("What counts"),
                choices={
                    Scoring.POINTS: mark("Cards in the %(Lake)s, less what is left"),
                    Scoring.HANDS: mark("Hands won: the caller wins, nothing is counted"),
                    Scoring.LEFTOVERS: mark("Cards the others have left, for whoever is done first"),
                    Scoring.FOUNDATION: mark("Cards on the foundations, played alone"),
                },
            ),
            Field("lake_value", mark("A card in the %(Lake)s"), mark("Points for each")),
            Field("nertz_penalty", mark("A card left over"), mark("Points off for each")),
            Field("rank_extras", mark("Cards worth more or less"), mark("Such as A+2 K-1; empty for none")),
        ),
    ),
    Group(
        "end",
        mark("The end, and ties"),
        (
            Field("rounds", mark("Hands at most"), mark("The game ends after so many; 0 for any number")),
            _switch(
                "calls_break_ties", mark("At equal points"), mark("More calls win"), mark("Straight to one more hand")
            ),
            Field(
                "tie_breaker",
                mark("A tie is broken by"),
                choices={
                    TieBreaker.EVERYBODY: mark("One more hand of everybody"),
                    TieBreaker.TIED: mark("One more hand of the tied sides only"),
                },
            ),
        ),
    ),
    Group(
        "table",
        mark("Table and decks"),
        (
            Field(
                "layout",
                mark("The cards are laid out as in"),
                choices={str(layout): game for layout, game in GAMES.items()},
            ),
            Field(
                "partnership",
                mark("Teams"),
                choices={
                    Partnership.FREE: mark("Singles and teams, as they come"),
                    Partnership.SINGLES: mark("Everybody alone"),
                    Partnership.DOUBLES: mark("Teams of two"),
                    Partnership.MIXED_DOUBLES: mark("Teams of a woman and a man"),
                    Partnership.ROTATING: mark("Partners change, the best person wins"),
                },
            ),
            Field(
                "alternation",
                mark("Partners at the %(Pile)s"),
                choices={
                    Alternation.SUGGESTED: mark("Take turns, hand by hand"),
                    Alternation.MANDATORY: mark("Must take turns"),
                    Alternation.OFF: mark("As they like"),
                },
            ),
            _switch("share_piles", mark("Partners’ cards"), mark("Partners play each other’s"), mark("Only the owner")),
            _switch("rotate_seats", mark("Seats"), mark("Move on one seat after each hand"), mark("Everybody stays")),
            Field("pile_size", mark("%(Pile)s"), mark("Cards at the start")),
            Field(
                "deal",
                mark("The %(Pile)s lies"),
                choices={Deal.FACE_DOWN: mark("Face down, the top card up"), Deal.FACE_UP: mark("Face up")},
            ),
            Field("river", mark("%(River)s"), mark("Columns of each side")),
            Field("flip", mark("%(Stream)s"), mark("Cards turned at a time")),
            Field("jokers", mark("Jokers"), mark("In each deck")),
            Field("shuffles", mark("Shuffles"), mark("Of each deck, at least")),
            Field("cuts", mark("Cuts"), mark("Of each deck, at least")),
            _switch("round_robin", mark("Who shuffles"), mark("A neighbour"), mark("The side itself")),
        ),
    ),
    Group(
        "play",
        mark("While the hand is played"),
        (
            Field(
                "hands",
                mark("Hands used"),
                choices={
                    HandsUsed.BOTH: mark("Both"),
                    HandsUsed.ONE: mark("One only"),
                    HandsUsed.OTHER_HOLDS: mark("One plays, the other holds the %(Stream)s"),
                },
            ),
            _switch("withholding", mark("Aces and cards that fit"), mark("May be held back"), mark("Must be played")),
            _switch("stacking", mark("Several cards at once"), mark("Allowed"), mark("One card at a time")),
            Field(
                "empty_slot",
                mark("An empty place in the %(River)s"),
                choices={
                    EmptySlot.ANY: mark("Takes any card, or none"),
                    EmptySlot.NERTZ: mark("Is filled from the %(Pile)s"),
                },
            ),
            Field(
                "simultaneous",
                mark("Two cards at the same moment"),
                choices={
                    Simultaneous.FIRST_STAYS: mark("The first stays"),
                    Simultaneous.BOTH_STAY: mark("Both stay if nobody can tell"),
                },
            ),
            Field(
                "finished",
                mark("A pile with its king"),
                choices={Finished.TURNED: mark("Its king is turned over"), Finished.ASIDE: mark("Is moved aside")},
            ),
            _switch("both_ends", mark("Piles are played from"), mark("Both ends"), mark("One end")),
            _switch("reversing", mark("The %(Lake)s goes"), mark("Up or down: some cards turn it"), mark("Up only")),
        ),
    ),
    Group(
        "call",
        mark("The call, and when nobody can move"),
        (
            _switch("call_at_once", mark("An empty %(Pile)s"), mark("Must be called at once"), mark("May wait")),
            _switch("last_card", mark("A card on its way at the call"), mark("Counts"), mark("Does not count")),
            Field("false_call", mark("A call that does not stand"), mark("Taken off the score, 0 for none")),
            Field(
                "stuck",
                mark("When nobody can move"),
                choices={
                    StuckTable.NATIONAL: mark("Burn together after two passes"),
                    StuckTable.NEW_STOCK: mark("Everybody forms a new %(Stream)s"),
                    StuckTable.TOP_TO_BOTTOM: mark("The top card goes to the bottom"),
                    StuckTable.HAND_ENDS: mark("The hand ends and is scored"),
                },
            ),
        ),
    ),
)
"""The full list, in the order it is offered; target, bonus and words stand before it, the note after it."""

FIELDS: Mapping[str, Field] = {
    each.name: each for each in (WORDS, TARGET, BONUS, NOTE, *(each for group in GROUPS for each in group.fields))
}
RANGES = {**RULES_RANGES, **PLAY_RANGES}
MAY_BE_EMPTY = frozenset({"target", "rounds"})
"""Numbers that are 0 when nothing is typed."""
_PLAY = frozenset(each.name for each in fields(Play))


@dataclass(frozen=True, slots=True)
class HouseForm:
    """House rules as typed."""

    values: Mapping[str, str]
    """By the name of the rule; all of them."""

    def parse(self) -> Rules:
        """The house rules; raises RulesError that lists everything wrong."""
        wrong: list[str] = []
        rules = self.read(wrong)
        if rules is None:
            raise RulesError(*wrong)
        return rules

    def read(self, wrong: list[str]) -> Rules | None:
        """The house rules; None when every reason against them was added to *wrong*."""
        reasons: list[str] = []
        found = {name: _value(name, self.values.get(name, ""), reasons) for name in FIELDS}
        if not found["target"] and not found["rounds"] and found["target"] is not None:
            text = mark("%(rule)s: enter what wins the game, or how many hands are played")
            reasons.append(_(text, rule=_(TARGET.label)))
        wrong.extend(reasons)
        if reasons:
            return None
        play = {name: found.pop(name) for name in FIELDS if name in _PLAY}
        try:
            return Rules(**found, play=Play(**play))
        except RulesError as error:
            wrong.extend(said(part) for part in error.reasons)
            return None

    def marked(self, base: Rules) -> set[str]:
        """The rules that differ from those of *base*, and those that can't be read."""
        return {name for name, usual in house_form(base).values.items() if self.values[name].strip() != usual}

    @property
    def words(self) -> Words:
        """What the table calls things, as far as it is chosen."""
        chosen = self.values.get("words", "")
        return Words(chosen) if chosen in [*Words] else Words.NERTZ

    @property
    def layout(self) -> Layout:
        """The game whose cards are laid out, as far as it is chosen."""
        chosen = self.values.get("layout", "")
        return Layout(chosen) if chosen in [*Layout] else Layout.NERTZ

    def other_target(self) -> int | None:
        """The target usual with such a bonus, where the one of the other kind stands; it is not forced (rules C7)."""
        target, bonus = whole_number(self.values["target"]), whole_number(self.values["bonus"])
        points = self.values["scoring"] == Scoring.POINTS
        if not points or bonus is None or target != suggested_target(0 if bonus else 1):
            return None
        return suggested_target(bonus)


def house_form(rules: Rules) -> HouseForm:
    """The form that shows *rules*."""
    return HouseForm({name: _text(name, _now(rules, name)) for name in FIELDS})


def read_house(typed: Mapping[str, str], base: Rules) -> HouseForm:
    """The form as posted; a rule that was not posted stays as in *base*."""
    values = {name: typed.get(name, old)[:LONGEST] for name, old in house_form(base).values.items()}
    note = typed.get("note", base.note)[:LONGEST_NOTE]
    return HouseForm(values | {"note": "\n".join(note.splitlines())})


def _now(rules: Rules, name: str) -> Any:
    return getattr(rules.play if name in _PLAY else rules, name)


def _text(name: str, value: Any) -> str:
    if name == "rank_extras":
        return " ".join(f"{RANKS[rank - 1]}{extra:+d}" for rank, extra in value)
    if isinstance(value, bool):
        return "1" if value else "0"
    return "" if name == "target" and value == 0 else str(value)


def _value(name: str, text: str, wrong: list[str]) -> Any:
    """What *text* means for the rule *name*; None when the reason against it was added to *wrong*."""
    rule = FIELDS[name]
    if name == "rank_extras":
        return _extras(text, wrong)
    if name == "note":
        wrong.extend(said(reason) for reason in wrong_note(text))
        return text
    if not rule.choices:
        return _number(name, text, wrong)
    if text not in rule.choices:
        wrong.append(_("%(rule)s: choose one of the list", rule=_(rule.label)))
        return None
    default = _now(Rules(), name)
    return type(default)(text) if isinstance(default, StrEnum) else text == "1"


def _number(name: str, text: str, wrong: list[str]) -> int | None:
    label, (low, high) = _(FIELDS[name].label), RANGES[name]
    if name in MAY_BE_EMPTY and text.strip() in ("", "0"):
        return 0
    number = whole_number(text)
    if number is None:
        wrong.append(_("%(rule)s: %(text)r is no whole number", rule=label, text=text.strip()))
    elif not low <= number <= high:
        message = mark("%(rule)s: %(number)s does not fit, use %(low)s to %(high)s")
        wrong.append(_(message, rule=label, number=number, low=low, high=high))
        return None
    return number


def _extras(text: str, wrong: list[str]) -> tuple[tuple[int, int], ...] | None:
    """Extra points of ranks, typed as in the notation of house rules."""
    clean = " ".join(text.upper().replace("\N{MINUS SIGN}", "-").replace(",", " ").split())
    if not clean:
        return ()
    try:
        return parse_rules(f"{format_rules(Rules())}, extra {clean}").rank_extras
    except RulesError:
        message = mark("%(rule)s: write each rank once with its points, such as A+2 K-1, not %(text)r")
        label = FIELDS["rank_extras"].label
        wrong.append(_(message, rule=_(label), text=text.strip()))
        return None


def meaning(rules: Rules) -> str:
    """What the rules come to, in a sentence or two."""
    return f"{_goal(rules)} {_worth(rules)}"


def _goal(rules: Rules) -> str:
    if not rules.target:
        return ngettext("One hand, then most points win.", "%(num)s hands, then most points win.", rules.rounds)
    if rules.scoring is Scoring.HANDS:
        text = ngettext("The first hand won wins.", "Whoever has won %(num)s hands wins.", rules.target)
    else:
        text = _("Whoever has %(target)s points or more at the end of a hand wins.", target=rules.target)
    if rules.rounds:
        limit = ngettext("One hand at most.", "%(num)s hands at most.", rules.rounds)
        return f"{text} {limit}"
    return text


def _worth(rules: Rules) -> str:
    if rules.scoring is Scoring.HANDS:
        return _("The caller wins the hand; nothing is counted.")
    if rules.scoring is Scoring.LEFTOVERS:
        return _("Whoever is done first scores the cards the others have left.")
    if rules.scoring is Scoring.FOUNDATION:
        return _("One player scores the cards on the foundations.")
    values = {"value": rules.lake_value, "penalty": rules.nertz_penalty, "bonus": rules.bonus}
    if rules.bonus:
        text = mark("%(value)s for a card in the %(Lake)s, %(penalty)s off for a card left, %(bonus)s for the call.")
    else:
        text = mark("%(value)s for a card in the %(Lake)s, %(penalty)s off for a card left, no bonus for the call.")
    return _(text, **values)


def with_words(rules: Rules, words: Words) -> Rules:
    """*rules* in the words a table has chosen, unless they bring words of their own."""
    return rules if rules.words is not Words.NERTZ else replace(rules, words=words)
