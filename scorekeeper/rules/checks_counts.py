"""What the counts of a hand say by themselves: who is counted, ranges, callers, adjustments and the bonus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorekeeper.rules.cards import KING, RANKS
from scorekeeper.rules.house import Rules, Scoring
from scorekeeper.rules.lake import Evidence
from scorekeeper.rules.live import MAX_REASON
from scorekeeper.rules.points import Points
from scorekeeper.rules.problems import Problem, cards, doubt, repeated
from scorekeeper.rules.said import Names, Said, Signed, say
from scorekeeper.rules.scoring import Adjustment, Hand, Tally, bonus_of
from scorekeeper.rules.sides import MAX_POINTS, Side, SideId, is_text
from scorekeeper.rules.table import most_left


@dataclass(frozen=True, slots=True)
class Table:
    """The sides of one hand by their short names, with the rules they play by."""

    sides: Sequence[Side]
    rules: Rules

    def name(self, side: SideId) -> str:
        """The name of *side*; its short name for a stranger."""
        found = self.find(side)
        return found.name if found else side

    def find(self, side: SideId) -> Side | None:
        """The side called so; None for a stranger."""
        return next((each for each in self.sides if each.id == side), None)

    def most_left(self, side: SideId) -> int:
        """Most cards *side* can have left: its pile, or a whole deck where stock and discard are counted."""
        found = self.find(side)
        return most_left(found, self.rules) if found else self.rules.pile_size


def check_counts(hand: Hand, rules: Rules, sides: Sequence[Side], seen: Evidence) -> Iterator[Problem]:
    """Every problem that needs no look at the Lake."""
    table = Table(sides, rules)
    yield from _check_sides(hand, table)
    if rules.counts:
        for tally in hand.tallies:
            yield from _check_tally(tally, table)
            yield from _check_ranks(tally, table)
        yield from _check_shared(hand, table)
        yield from _check_rest(hand, table, seen)
        yield from _check_callers(hand, table)
    yield from _check_adjustments(hand, table)
    yield from _check_shares(hand, table)
    yield from _check_bonus(hand, table)
    if rules.scoring is Scoring.POINTS and not rules.rank_extras:
        yield from _check_range(hand, table)


def _check_sides(hand: Hand, table: Table) -> Iterator[Problem]:
    known = [side.id for side in table.sides]
    for side in table.sides if table.rules.counts else ():
        if side.id not in hand.counted:
            text = say(
                "%(name)s has no counts: enter its cards in the %(Lake)s and the cards left in its %(Pile)s",
                name=side.name,
            )
            yield Problem("sides", text, side.id)
    for again in repeated(hand.counted):
        twice = SideId(again)
        text = say("%(name)s is counted twice: keep one of the two counts", name=table.name(twice))
        yield Problem("sides", text, twice)
    for stranger in hand.named:
        if stranger not in known:
            text = say(
                "%(name)s does not play in this game: take it out, or use one of %(known)s",
                name=stranger,
                known=", ".join(known),
            )
            yield Problem("sides", text, stranger)
    if hand.typed and not table.rules.counts:
        yield Problem("sides", say("A tally of hands takes no scores: say only who called"))


def _check_tally(tally: Tally, table: Table) -> Iterator[Problem]:
    """Plain ranges, then the conservation of a deck (rules B1, M7)."""
    lake, left, deck, name = tally.lake, tally.nertz_left, table.rules.deck_size, table.name(tally.side)
    most = table.most_left(tally.side)
    if not 0 <= lake <= deck:
        text = say(
            "%(name)s can't have %(cards)s in the %(Lake)s: enter 0 to %(deck)s, the size of a deck",
            name=name,
            cards=cards(lake),
            deck=deck,
        )
        yield Problem("range", text, tally.side, entry="lake")
    if not 0 <= left <= most:
        text = say(
            "%(name)s can't have %(cards)s left: enter 0 to %(most)s, the size of %(pile)s",
            name=name,
            cards=cards(left),
            most=most,
            pile=_pile(table),
        )
        yield Problem("range", text, tally.side, entry="left")
    if 0 <= lake <= deck and 0 <= left <= most and lake + left > deck:
        text = say(
            "%(name)s has %(lake)s in the %(Lake)s and %(left)s left, "
            "%(cards)s of a deck of %(deck)s: count both again",
            name=name,
            lake=lake,
            left=left,
            cards=cards(lake + left),
            deck=deck,
        )
        yield Problem("M7", text, tally.side, entry="lake")


def _check_shared(hand: Hand, table: Table) -> Iterator[Problem]:
    """Players who share one deck have no more cards than it (rules J5, M7)."""
    whole, deck = sum(tally.lake + tally.nertz_left for tally in hand.tallies), table.rules.deck_size
    if table.rules.plan.sharers > 1 and whole > deck:
        text = say("%(cards)s are more than the one deck of %(deck)s: count again", cards=cards(whole), deck=deck)
        yield Problem("M7", text)


def _pile(table: Table) -> Said:
    return say("a deck") if table.rules.scoring is Scoring.LEFTOVERS else say("a %(Pile)s")


def _check_ranks(tally: Tally, table: Table) -> Iterator[Problem]:
    """How many of the cards that are worth extra lie in the Lake (rules C11)."""
    name, of_a_rank = table.name(tally.side), 4 + table.rules.jokers
    for rank, number in tally.ranks:
        if not (1 <= rank <= KING and 0 <= number <= of_a_rank):
            text = say(
                "%(name)s can't have %(number)s of rank %(rank)s in the %(Lake)s: enter 0 to %(most)s of each rank",
                name=name,
                number=number,
                rank=rank,
                most=of_a_rank,
            )
            yield Problem("C11", text, tally.side, entry=f"rank{rank}")
    if tally.ranks and sum(number for _, number in tally.ranks) > tally.lake:
        text = say(
            "%(name)s has more cards of single ranks than its %(cards)s in the %(Lake)s: count both again",
            name=name,
            cards=cards(tally.lake),
        )
        yield Problem("C11", text, tally.side, entry="lake")
    missing = [RANKS[rank - 1] for rank, _ in table.rules.rank_extras if rank not in dict(tally.ranks)]
    if missing and tally.lake > 0:
        text = say(
            "%(name)s: say how many cards of rank %(ranks)s it has in the %(Lake)s, or record anyway if it has none",
            name=name,
            ranks=Names(missing),
        )
        yield doubt("C11", text, tally.side)


def _check_rest(hand: Hand, table: Table, seen: Evidence) -> Iterator[Problem]:
    """Lake, Nertz pile, River and Stream together are one deck (rules M7)."""
    for tally in hand.tallies:
        side = table.find(tally.side)
        rest = seen.rest.get(side.deck) if side and side.deck else None
        if rest is None:
            continue
        whole, deck = tally.lake + tally.nertz_left + rest, table.rules.deck_size
        if whole != deck:
            text = say(
                "%(name)s has %(cards)s of %(deck)s with %(River)s and %(Stream)s, so %(what)s: look for it",
                name=table.name(tally.side),
                cards=cards(whole),
                deck=deck,
                what=say("a card is lost") if whole < deck else say("a card is counted twice"),
            )
            yield doubt("M7", text, tally.side)


def _check_callers(hand: Hand, table: Table) -> Iterator[Problem]:
    """A caller has no card left (rules C12, M11)."""
    for tally in hand.tallies:
        if tally.side in hand.callers and tally.nertz_left != 0:
            text = say(
                "%(name)s called %(Call)s with %(cards)s left: "
                "a caller has none, so correct the caller or what is left",
                name=table.name(tally.side),
                cards=cards(tally.nertz_left),
            )
            yield Problem("M11", text, tally.side, entry="left")


def _check_adjustments(hand: Hand, table: Table) -> Iterator[Problem]:
    for each in hand.adjustments:
        name = table.name(each.side)
        if not is_text(each.reason, MAX_REASON):
            text = say(
                "The %(points)s of %(name)s needs a reason of 1 to %(most)s letters: say why, in one line",
                points=Signed(each.points),
                name=name,
                most=MAX_REASON,
            )
            yield Problem("adjustment", text, each.side, entry="why")
        if not 0 < abs(each.points) <= MAX_POINTS:
            text = say(
                "%(name)s, penalty: it takes off or adds 1 to %(most)s, not %(points)s: change it, or drop it",
                name=name,
                most=MAX_POINTS,
                points=Signed(each.points),
            )
            yield Problem("adjustment", text, each.side, entry="extra")


def _check_shares(hand: Hand, table: Table) -> Iterator[Problem]:
    """Voted shares go to callers and add up to the bonus (rules C10, M12)."""
    bonus = bonus_of(table.rules)
    for side, share in hand.shares:
        if side not in hand.callers:
            text = say(
                "%(name)s gets a share of the bonus but did not call: give it to the callers", name=table.name(side)
            )
            yield Problem("M12", text, side, entry="share")
        if share < 0:
            text = say(
                "%(name)s can't get %(share)s of the bonus: enter 0 to %(bonus)s",
                name=table.name(side),
                share=share,
                bonus=bonus,
            )
            yield Problem("M12", text, side, entry="share")
    for again in repeated([side for side, _ in hand.shares]):
        twice = SideId(again)
        yield Problem("M12", say("%(name)s has two shares of the bonus: keep one", name=table.name(twice)), twice)
    if hand.shares:
        yield from _check_vote(sum(share for _, share in hand.shares), bonus)


def _check_vote(total: Points, bonus: int) -> Iterator[Problem]:
    """More than the bonus can't be paid; less is what the table voted only if it says so (rules C10, M12)."""
    if total > bonus:
        text = say(
            "The shares the table voted make %(total)s of %(bonus)s, %(more)s too much: make them smaller",
            total=total,
            bonus=bonus,
            more=total - bonus,
        )
        yield Problem("M12", text)
    elif total < bonus:
        text = say(
            "The shares the table voted make %(total)s of %(bonus)s, %(missing)s missing: "
            "make them larger, or record anyway: the rest goes to nobody",
            total=total,
            bonus=bonus,
            missing=bonus - total,
        )
        yield doubt("M12", text)


def _check_bonus(hand: Hand, table: Table) -> Iterator[Problem]:
    """The bonus is paid once, by the engine, and only for a call (rules M12)."""
    shares = hand.bonus_shares(table.rules)
    for each in hand.adjustments:
        if table.rules.bonus and each.points in (table.rules.bonus, shares.get(each.side)):
            what = _bonus_text(each, shares.get(each.side), table)
            text = say("%(what)s: drop the adjustment, or record anyway", what=what)
            yield doubt("M12", text, each.side)


def _bonus_text(each: Adjustment, share: Points | None, table: Table) -> Said:
    name, points = table.name(each.side), Signed(each.points)
    if share is not None:
        return say(
            "%(name)s gets the bonus for the call by itself, and %(points)s by hand as well", name=name, points=points
        )
    return say(
        "%(name)s did not call %(Call)s but gets %(points)s by hand, as much as the bonus", name=name, points=points
    )


def _check_range(hand: Hand, table: Table) -> Iterator[Problem]:
    """Without the bonus, what a side can score at all (rules M8, by the values of these rules)."""
    rules = table.rules
    shares, points = hand.bonus_shares(rules), hand.points(rules)
    adjusted = {each.side for each in hand.adjustments}
    for tally in hand.tallies:
        low = -rules.nertz_penalty * table.most_left(tally.side)
        high = rules.lake_value * (rules.deck_size - tally.nertz_left) - rules.nertz_penalty * tally.nertz_left
        score = points[tally.side] - shares.get(tally.side, 0)
        if tally.side in adjusted and not low <= score <= high:
            text = say(
                "%(name)s would score %(score)s, but cards alone make %(low)s to %(high)s: "
                "check the adjustment, or record anyway",
                name=table.name(tally.side),
                score=score,
                low=low,
                high=high,
            )
            yield doubt("M8", text, tally.side)
