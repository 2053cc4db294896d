"""Everything typed on the page that starts a game, as a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scorekeeper.errors import RulesError
from scorekeeper.rules.checks import check_sides
from scorekeeper.rules.house import Rules, Words
from scorekeeper.rules.layout import PLANS, Plan
from scorekeeper.rules.names import name_key
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.sides import Side
from web.forms import SideRow, fresh_row, read_row, row_of
from web.house_form import HouseForm, house_form, read_house, with_words
from web.language import gettext as _
from web.language import said

FEWEST_ROWS = 2
ROWS_AT_FIRST = 4
MOST_ROWS = 40
"""More rows than any table has; the rules themselves know no limit (rules K1)."""


@dataclass(frozen=True, slots=True)
class StartForm:
    """The page that starts a game, as typed."""

    house: HouseForm
    rows: tuple[SideRow, ...]
    preset: str = ""
    """The preset, or the name of the table's own rules, that was chosen last; it may have been changed since."""

    @property
    def words(self) -> Words:
        """What the table calls things."""
        return self.house.words

    @property
    def named(self) -> int:
        """Rows where somebody sits."""
        return sum(bool(row.title) for row in self.rows)

    @property
    def plan(self) -> Plan:
        """What the game that is laid out fixes, such as how many sides play."""
        return PLANS[self.house.layout]

    @property
    def fewest(self) -> int:
        """So many rows always stay."""
        return self.plan.sides or FEWEST_ROWS

    @property
    def most(self) -> int:
        """More rows can't be added."""
        return self.plan.sides or MOST_ROWS

    def with_rules(self, rules: Rules, preset: str = "") -> StartForm:
        """The same sides under other house rules; the table's words and its note stay where the rules bring none."""
        before = PRESETS.get(self.preset)
        words = Words.NERTZ if before and before.rules.words is self.words else self.words
        house = house_form(with_words(rules, words))
        house = house if rules.note else HouseForm({**house.values, "note": self.house.values.get("note", "")})
        changed = replace(self, house=house, preset=preset)
        return changed if changed.plan.sides == self.plan.sides else replace(changed, rows=changed._fitting())

    def with_seated(self, sides: Sequence[Side]) -> StartForm:
        """With *sides* of earlier games in the empty rows, each in its own look; who sits already stays."""
        form = self
        for side in sides:
            form = form._with_side(side)
        return form

    @property
    def free(self) -> int | None:
        """The first row without a name, counted from 0; None where every row has one."""
        return next((number for number, row in enumerate(self.rows) if not row.title), None)

    def seats(self, side: Side) -> bool:
        """Whether a row has the name of *side*."""
        return any(name_key(row.title) == name_key(side.name) for row in self.rows)

    def _with_side(self, side: Side) -> StartForm:
        roomy = self.with_row() if self.free is None else self
        rows, at = roomy.rows, roomy.free
        if at is None or self.seats(side):
            return self
        seated, empty = row_of(side), rows[at]
        alike = [number for number, row in enumerate(rows) if row.look == seated.look and number != at]
        changed = {at: seated} | {number: rows[number].with_look(empty.look) for number in alike}
        if any(rows[number].title for number in alike):
            changed = {at: seated.with_look(empty.look)}
        return replace(self, rows=tuple(changed.get(number, row) for number, row in enumerate(rows)))

    def with_row(self) -> StartForm:
        """One more empty row, in the next look."""
        return self if len(self.rows) >= self.most else replace(self, rows=_filled_up(self.rows, len(self.rows) + 1))

    def without_row(self, number: int) -> StartForm:
        """Without row *number*, counted from 0; as many rows as must play stay."""
        rows = tuple(row for place, row in enumerate(self.rows) if place != number)
        return replace(self, rows=rows) if len(rows) >= self.fewest else self

    def with_row_up(self, number: int) -> StartForm:
        """Row *number* one seat further up; the rows stand in the order of the seats."""
        if not 0 < number < len(self.rows):
            return self
        rows = [*self.rows]
        rows[number - 1], rows[number] = rows[number], rows[number - 1]
        return replace(self, rows=tuple(rows))

    def parse(self) -> tuple[tuple[Side, ...], Rules]:
        """The sides and house rules; raises RulesError that lists everything wrong."""
        wrong: list[str] = []
        sides = tuple(self._sides(wrong))
        rules = self.house.read(wrong)
        fewest = rules.fewest_sides if rules else self.fewest
        if self.named < fewest:
            wrong.append(_("Enter at least two names") if fewest > 1 else _("Enter the name of the player"))
        elif len(sides) == self.named and rules:
            wrong.extend(said(problem.text) for problem in check_sides(sides, rules) if problem.blocking)
        if wrong or rules is None:
            raise RulesError(*wrong)
        return sides, rules

    def hints(self) -> list[str]:
        """What the referee would say of so many sides; nothing of it stands in the way (rules A1)."""
        sides = tuple(self._sides([]))
        problems = check_sides(sides, self.house.read([]))
        return [said(problem.text) for problem in problems if not problem.blocking]

    def chosen(self, known: Mapping[str, Rules]) -> tuple[str, bool]:
        """Which of the *known* rules these are, by name, and whether they were changed since they were chosen."""
        rules = self.house.read([])
        same = [name for name, each in known.items() if rules and _unnamed(each) == _unnamed(rules)]
        if same:
            return (self.preset if self.preset in same else same[0]), False
        return self.preset, self.preset in known

    def _fitting(self) -> tuple[SideRow, ...]:
        """As many rows as the game has sides, some to begin with where that is open; whatever is typed stays."""
        typed = tuple(row for row in self.rows if row.title or row.more)
        return _filled_up(typed, self.plan.sides or ROWS_AT_FIRST)

    def _sides(self, wrong: list[str]) -> Iterator[Side]:
        taken: list[str] = []
        for row in self.rows:
            side = row.read(taken, wrong) if row.title else None
            if side:
                taken.append(side.id)
                yield side


def _filled_up(rows: tuple[SideRow, ...], number: int) -> tuple[SideRow, ...]:
    """*rows* and empty ones, *number* at least, each empty one in the first look that nobody has."""
    while len(rows) < number:
        taken = {row.look for row in rows}
        looks = (fresh_row(each) for each in range(MOST_ROWS))
        rows = (*rows, next((row for row in looks if row.look not in taken), fresh_row(len(rows))))
    return rows


def _unnamed(rules: Rules) -> Rules:
    """*rules* whatever the table calls the game."""
    return replace(rules, words=Words.NERTZ)


def fresh_start(rules: Rules, preset: str = "") -> StartForm:
    """The start form before anything is typed."""
    return StartForm(house_form(rules), _filled_up((), rules.most_sides or ROWS_AT_FIRST), preset)


def read_start(typed: Mapping[str, str], names: Sequence[str], usual: Rules) -> StartForm:
    """The start form as posted; *names* has one entry per row, and what is not posted stays as in *usual*."""
    rows = tuple(read_row(typed, name, number, f".{number}") for number, name in enumerate(names[:MOST_ROWS]))
    preset = typed.get("preset", "")
    base = PRESETS[preset].rules if preset in PRESETS else usual
    return StartForm(read_house(typed, base), rows or _filled_up((), base.most_sides or ROWS_AT_FIRST), preset)
