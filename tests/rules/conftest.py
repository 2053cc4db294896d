"""Property tests take the time they need, and any house rules that can be are one strategy."""

from __future__ import annotations

from dataclasses import fields
from enum import StrEnum

from hypothesis import settings
from hypothesis import strategies as st

from scorekeeper.rules.house import DECK, PLAY_RANGES, RULES_RANGES, Play, Rules, Scoring, wrong_note
from scorekeeper.rules.layout import PLANS

settings.register_profile("table", deadline=None)
settings.load_profile("table")


def choices(kind: type[Play] | type[Rules], ranges: dict[str, tuple[int, int]]) -> dict[str, st.SearchStrategy]:
    """A strategy for each field of house rules that is a number, a choice or a switch."""
    found: dict[str, st.SearchStrategy] = {}
    for field in fields(kind):
        if field.name in ranges:
            found[field.name] = st.integers(*ranges[field.name])
        elif isinstance(field.default, StrEnum):
            found[field.name] = st.sampled_from(type(field.default))
        elif isinstance(field.default, bool):
            found[field.name] = st.booleans()
    return found


def no_bonus_in_a_tally(values: dict[str, object]) -> dict[str, object]:
    return values | ({"bonus": 0, "rank_extras": ()} if values["scoring"] is Scoring.HANDS else {})


def as_the_layout_deals(values: dict[str, object]) -> dict[str, object]:
    """A pile that the deck leaves room for; where two share a deck, half of what it has."""
    plan, jokers, play = PLANS[values["layout"]], values["jokers"], values["play"]
    if plan.sharers > 1:
        return values | {
            "jokers": jokers - jokers % 2,
            "pile_size": (DECK + jokers - jokers % 2 - plan.foundation) // 2,
        }
    room = DECK + jokers - plan.foundation - sum(plan.columns_of(play.river))
    return values | {"pile_size": min(values["pile_size"], room)}


plays = st.builds(Play, **choices(Play, dict(PLAY_RANGES)))
extras = st.dictionaries(st.integers(1, 13), st.integers(-100, 100).filter(bool), max_size=3).map(
    lambda found: tuple(found.items())
)
notes = st.text(max_size=60).filter(lambda text: not list(wrong_note(text))) | st.sampled_from(
    ["", 'Ann said "no", twice,\nand note "left" \\n is left', "9 jokers, 13 to 100, x1 -2"]
)
any_rules = (
    st.fixed_dictionaries(
        {
            **choices(Rules, dict(RULES_RANGES)),
            "pile_size": st.integers(1, 45),
            "rank_extras": extras,
            "play": plays,
            "note": notes,
        }
    )
    .map(no_bonus_in_a_tally)
    .map(as_the_layout_deals)
    .map(lambda values: Rules(**values))
)

st.register_type_strategy(Play, plays)
st.register_type_strategy(Rules, any_rules)
