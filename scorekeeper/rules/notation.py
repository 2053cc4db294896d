"""One line for a hand: ``amy 14/0! ben 9/4 -5(misdeal)``, written and read back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from scorekeeper.errors import NotationError
from scorekeeper.rules.cards import RANKS
from scorekeeper.rules.points import Points
from scorekeeper.rules.scoring import Adjustment, Hand, SideId, Tally, Typed, is_side_id

_COUNT = r"-?[0-9]{1,6}"
_AMOUNT = r"-?[0-9]{1,9}(?:/[0-9]{1,9})?"
_NAME = r"(?P<side>[^\s/!(){}=]+)"
_CALL = rf"(?P<call>!(?P<share>{_AMOUNT})?)"
_RANKS = r"(?:\{(?P<ranks>[^{}]*)\})?"
_END = r"(?=\s|$)"
_TALLY = re.compile(rf"\s*{_NAME}\s+(?P<lake>{_COUNT})/(?P<left>{_COUNT}){_CALL}?{_RANKS}{_END}")
_TYPED = re.compile(rf"\s*{_NAME}\s+=(?P<score>{_AMOUNT}){_CALL}?{_END}")
_NAMED = re.compile(rf"\s*{_NAME}(?:{_CALL}{_END}|(?=\s+[+-][0-9]{{1,6}}\())")
_ADJUSTMENT = re.compile(r"\s*(?P<points>[+-][0-9]{1,6})\((?P<reason>(?:[^\\()]|\\.)*)\)(?=\s|$)", re.DOTALL)


@dataclass
class _Draft:
    """A hand while its line is read."""

    tallies: list[Tally] = field(default_factory=list)
    typed: list[Typed] = field(default_factory=list)
    callers: list[SideId] = field(default_factory=list)
    shares: list[tuple[SideId, Points]] = field(default_factory=list)
    adjustments: list[Adjustment] = field(default_factory=list)
    last: SideId | None = None
    """The side that an adjustment would belong to."""


def parse_hand(text: str) -> Hand:
    """The hand written as *text*; raises NotationError that quotes the place. It may still have problems."""
    draft = _Draft()
    for match in _pieces(text):
        if match.re is _ADJUSTMENT:
            if draft.last is None:
                raise NotationError(f"expected 'name lake/left' before {match.group().strip()!r} in {text!r}")
            reason = re.sub(r"\\(.)", r"\1", match["reason"], flags=re.DOTALL)
            draft.adjustments.append(Adjustment(draft.last, int(match["points"]), reason))
        else:
            _read_side(draft, match)
    callers, shares = tuple(draft.callers), tuple(draft.shares)
    return Hand(tuple(draft.tallies), callers, tuple(draft.adjustments), shares, tuple(draft.typed))


def _read_side(draft: _Draft, match: re.Match[str]) -> None:
    side = draft.last = SideId(match["side"])
    if match.re is _TALLY:
        draft.tallies.append(Tally(side, int(match["lake"]), int(match["left"]), _parse_ranks(match)))
    elif match.re is _TYPED:
        draft.typed.append(Typed(side, _amount(match["score"], match)))
    if match["call"]:
        draft.callers.append(side)
        draft.shares += [(side, _amount(match["share"], match))] if match["share"] else []


def _amount(text: str, match: re.Match[str]) -> Fraction:
    try:
        return Fraction(text)
    except ZeroDivisionError as error:
        raise NotationError(f"nothing is divided by 0 at {match.group().strip()!r} in {match.string!r}") from error


def _parse_ranks(match: re.Match[str]) -> tuple[tuple[int, int], ...]:
    """Ranks and their numbers, as in ``{3A 1K}``."""
    found: list[tuple[int, int]] = []
    for word in (match["ranks"] or "").split():
        pair = re.fullmatch(rf"(-?[0-9]{{1,6}})x({'|'.join(RANKS)})", word)
        if pair is None:
            raise NotationError(f"expected numbers and ranks such as '{{3xA 1xK}}' at {word!r} in {match.string!r}")
        found.append((RANKS.index(pair[2]) + 1, int(pair[1])))
    return tuple(found)


def _pieces(text: str) -> Iterator[re.Match[str]]:
    """Every side and adjustment of *text* in order; raises NotationError where neither stands."""
    end = 0
    while text[end:].strip():
        found = (pattern.match(text, end) for pattern in (_ADJUSTMENT, _TALLY, _TYPED, _NAMED))
        match = next((match for match in found if match is not None), None)
        if match is None or (match.re is not _ADJUSTMENT and not is_side_id(match["side"])):
            raise NotationError(f"expected 'name lake/left' such as 'amy 14/0!' at {text[end:].strip()!r} in {text!r}")
        yield match
        end = match.end()


def format_hand(hand: Hand) -> str:
    """*hand* in one line, ``!`` behind every caller; raises NotationError where the line can't say it."""
    if strangers := {side for side, _ in hand.shares} - set(hand.callers):
        raise NotationError(f"{', '.join(sorted(strangers))} did not call, so this hand can't be written in one line")
    words: list[str] = []
    calls = _format_calls(hand)
    adjustments = {side: [each for each in hand.adjustments if each.side == side] for side in hand.named}
    for side, counts in _format_counts(hand):
        words.append(counts.replace("!", calls.pop(side, "")))
        words += [_format_adjustment(each) for each in adjustments.pop(side, ())]
    return " ".join(words)


def _format_counts(hand: Hand) -> Iterator[tuple[SideId, str]]:
    """Each side with its counts, ``!`` where its call would stand; then who has none."""
    for tally in hand.tallies:
        ranks = " ".join(f"{number}x{RANKS[rank - 1]}" for rank, number in tally.ranks)
        braces = f"{{{ranks}}}" if ranks else ""
        yield tally.side, f"{tally.side} {tally.lake}/{tally.nertz_left}!{braces}"
    for typed in hand.typed:
        yield typed.side, f"{typed.side} ={typed.score}!"
    for side in hand.named:
        if side not in hand.counted:
            yield side, f"{side}!"


def _format_calls(hand: Hand) -> dict[SideId, str]:
    shares = dict(hand.shares)
    if len(shares) < len(hand.shares):
        raise NotationError("a side has two shares of the bonus, so this hand can't be written in one line")
    return {side: f"!{shares[side]}" if side in shares else "!" for side in hand.callers}


def _format_adjustment(adjustment: Adjustment) -> str:
    reason = re.sub(r"([\\()])", r"\\\1", adjustment.reason)
    return f"{adjustment.points:+d}({reason})"
