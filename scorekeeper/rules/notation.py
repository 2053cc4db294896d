"""One line for a hand: ``amy 14/0! ben 9/4 -5(misdeal)``, written and read back."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scorekeeper.errors import NotationError
from scorekeeper.rules.scoring import Adjustment, Hand, SideId, Tally, is_side_id

_COUNT = r"-?[0-9]{1,6}"
_TALLY = re.compile(rf"\s*(?P<side>[^\s/!()]+)\s+(?P<lake>{_COUNT})/(?P<left>{_COUNT})(?P<call>!?)(?=\s|$)")
_ADJUSTMENT = re.compile(r"\s*(?P<points>[+-][0-9]{1,6})\((?P<reason>(?:[^\\()]|\\.)*)\)(?=\s|$)", re.DOTALL)


def parse_hand(text: str) -> Hand:
    """The hand written as *text*; raises NotationError that quotes the place. It may still have problems."""
    tallies: list[Tally] = []
    callers: list[SideId] = []
    adjustments: list[Adjustment] = []
    for match in _pieces(text):
        if match.re is _ADJUSTMENT:
            if not tallies:
                raise NotationError(f"expected 'name lake/left' before {match.group().strip()!r} in {text!r}")
            reason = re.sub(r"\\(.)", r"\1", match["reason"], flags=re.DOTALL)
            adjustments.append(Adjustment(tallies[-1].side, int(match["points"]), reason))
        else:
            tallies.append(Tally(SideId(match["side"]), int(match["lake"]), int(match["left"])))
            callers += [tallies[-1].side] if match["call"] else []
    return Hand(tuple(tallies), tuple(callers), tuple(adjustments))


def _pieces(text: str) -> Iterator[re.Match[str]]:
    """Every tally and adjustment of *text* in order; raises NotationError where neither stands."""
    end = 0
    while text[end:].strip():
        match = _ADJUSTMENT.match(text, end) or _TALLY.match(text, end)
        if match is None or (match.re is _TALLY and not is_side_id(match["side"])):
            raise NotationError(f"expected 'name lake/left' such as 'amy 14/0!' at {text[end:].strip()!r} in {text!r}")
        yield match
        end = match.end()


def format_hand(hand: Hand) -> str:
    """*hand* in one line, ``!`` behind every caller; raises NotationError when a caller or adjustment has no tally."""
    sides = {tally.side for tally in hand.tallies}
    if strangers := {*hand.callers, *(each.side for each in hand.adjustments)} - sides:
        raise NotationError(f"no counts for {', '.join(sorted(strangers))}, so this hand can't be written in one line")
    words: list[str] = []
    written: set[SideId] = set()
    for tally in hand.tallies:
        call = "!" if tally.side in hand.callers else ""
        words.append(f"{tally.side} {tally.lake}/{tally.nertz_left}{call}")
        if tally.side not in written:
            words += [_format_adjustment(each) for each in hand.adjustments if each.side == tally.side]
        written.add(tally.side)
    return " ".join(words)


def _format_adjustment(adjustment: Adjustment) -> str:
    reason = re.sub(r"([\\()])", r"\\\1", adjustment.reason)
    return f"{adjustment.points:+d}({reason})"
