"""What the Lake says of the counts: as it lies, turned over, and face up (rules M1-M6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from scorekeeper.rules.cards import KING, RANKS, Card, Suit
from scorekeeper.rules.checks_counts import Table
from scorekeeper.rules.house import Rules, Simultaneous
from scorekeeper.rules.lake import Evidence, LakeReading, SpreadReading, height
from scorekeeper.rules.problems import Problem, cards, doubt
from scorekeeper.rules.said import Names, Said, say, say_count
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.sides import Side

SUIT_NAMES = {
    Suit.SPADES: say("spades"),
    Suit.HEARTS: say("hearts"),
    Suit.DIAMONDS: say("diamonds"),
    Suit.CLUBS: say("clubs"),
}


def check_lake(hand: Hand, rules: Rules, sides: Sequence[Side], seen: Evidence) -> Iterator[Problem]:
    """Every disagreement between the counts and the Lake, the most exact explanation first."""
    if not rules.counts:
        return
    table = Table(sides, rules)
    if rules.play.simultaneous is not Simultaneous.BOTH_STAY:
        seen = replace(seen, duplicates=0)
    if rules.lake_checks:
        yield from _check_piles(table, seen)
        yield from check_faces(seen, len(sides))
        yield from _check_total(hand, table, seen)
    yield from _check_spread(hand, table, seen.spread)
    yield from _check_stacks(table, seen)


def _check_piles(table: Table, seen: Evidence) -> Iterator[Problem]:
    """A suit has as many piles as there are decks (rules M5)."""
    if not isinstance(seen.lake, LakeReading):
        return
    decks, piles = len(table.sides), seen.lake.piles
    suits = Counter(pile.top.suit for pile in piles if pile.top is not None)
    for suit in Suit:
        if suits[suit] > decks:
            text = say(
                "%(piles)s piles of %(suit)s lie with %(decks)s: one is counted twice; check again, or record anyway",
                piles=suits[suit],
                suit=SUIT_NAMES[suit],
                decks=_decks(decks),
            )
            yield doubt("M5", text)
    whole = len(piles) + seen.aside
    if whole > 4 * decks:
        text = say(
            "%(piles)s piles are more than %(aces)s, the aces of %(decks)s: "
            "one is counted twice; check again, or record anyway",
            piles=whole,
            aces=4 * decks,
            decks=_decks(decks),
        )
        yield doubt("M5", text)


def _decks(number: int) -> Said:
    return say_count("%(num)s deck", "%(num)s decks", number)


def check_faces(seen: Evidence, decks: int) -> Iterator[Problem]:
    """The face-up spread by itself, then against the piles as they lay (rules M2-M4)."""
    if seen.faces is None:
        return
    unread = sum(face.code is None for face in seen.faces.cards)
    if unread:
        text = say(
            "%(cards)s of the face-up %(Lake)s could not be read: read them, or record anyway", cards=cards(unread)
        )
        yield doubt("M3", text)
        return
    seen_cards = Counter(face.card for face in seen.faces.cards if face.card is not None)
    gaps = list(_gaps(seen_cards, decks, seen.start))
    jokers = sum(face.joker for face in seen.faces.cards)
    if sum(gap for _, gap, _ in gaps) > seen.duplicates + jokers:
        yield from (doubt("M3", text) for _, _, text in gaps)
    if isinstance(seen.lake, LakeReading) and not seen.lake.unread and not jokers:
        wrong = {suit for suit, _, _ in gaps}
        yield from _check_views(seen_cards, seen.lake, seen, wrong)


def _gaps(seen: Mapping[Card, int], decks: int, start: int) -> Iterator[tuple[Suit, int, str]]:
    """Suit, cards too many, and words, wherever a higher rank is there more often than the one below (rules M3)."""
    for suit in Suit:
        low, below = decks, None
        for rank in _ranks(start):
            now = seen.get(Card(rank, suit), 0)
            name = say("%(rank)s of %(suit)s", rank=RANKS[rank - 1], suit=SUIT_NAMES[suit])
            if now > low:
                yield suit, now - low, _gap_text(name, now, below, decks)
            low, below = now, name


def _gap_text(name: Said, now: int, below: Said | None, decks: int) -> Said:
    if below is None:
        miss = say("there are %(decks)s", decks=_decks(decks))
    else:
        miss = say("a %(card)s was overlooked", card=below)
    times = say_count("%(num)s time", "%(num)s times", now)
    return say(
        "The %(card)s is there %(times)s, so %(miss)s or a %(card)s is read wrong", card=name, times=times, miss=miss
    )


def _ranks(start: int) -> list[int]:
    """The ranks in the order a pile takes them."""
    return [(start - 1 + step) % KING + 1 for step in range(KING)]


def _check_views(
    seen: Mapping[Card, int], lake: LakeReading, evidence: Evidence, wrong: set[Suit]
) -> Iterator[Problem]:
    """Each card of the spread lies in a pile that reaches it, and the other way round (rules M2, M4)."""
    tops = Counter(pile.top for pile in lake.piles if pile.top is not None and not pile.dead)
    differences = {suit: _differences(suit, seen, tops, evidence.start) for suit in Suit}
    finished = _finished(differences, lake.finished + evidence.aside)
    left = {
        suit: {rank: more - finished[suit] for rank, more in by_rank.items()} for suit, by_rank in differences.items()
    }
    if sum(abs(more) for by_rank in left.values() for more in by_rank.values()) <= evidence.duplicates:
        return
    for suit, by_rank in left.items():
        if suit not in wrong and any(by_rank.values()):
            yield _view_problem(suit, by_rank)


def _differences(suit: Suit, seen: Mapping[Card, int], tops: Mapping[Card, int], start: int) -> dict[int, int]:
    """By rank: how many more cards of *suit* the spread has than the open piles account for."""
    heights = [(height(top.rank, start), number) for top, number in tops.items() if top.suit is suit]
    return {
        rank: seen.get(Card(rank, suit), 0) - sum(n for tall, n in heights if tall >= height(rank, start))
        for rank in _ranks(start)
    }


def _finished(differences: Mapping[Suit, Mapping[int, int]], number: int) -> dict[Suit, int]:
    """How many of the face-down piles are of each suit: each goes where most ranks miss a card."""
    found = dict.fromkeys(Suit, 0)
    for _ in range(number):
        missed = {suit: sum(more > found[suit] for more in differences[suit].values()) for suit in Suit}
        found[max(missed, key=lambda suit: missed[suit])] += 1
    return found


def _view_problem(suit: Suit, by_rank: Mapping[int, int]) -> Problem:
    name, off = SUIT_NAMES[suit], {rank: more for rank, more in by_rank.items() if more}
    if set(off.values()) == {1} or set(off.values()) == {-1}:
        ranks = [RANKS[rank - 1] for rank in off]
        at: object = ranks[0] if len(ranks) == 1 else say("%(low)s to %(high)s", low=ranks[0], high=ranks[-1])
        return doubt("M4", _off_by_one(name, at, more=next(iter(off.values())) > 0))
    gap = sum(by_rank.values())
    if gap > 0:
        how = say("%(cards)s too many for the piles", cards=cards(gap))
    else:
        how = say("%(cards)s too few for the piles", cards=cards(-gap)) if gap else say("others than the piles")
    text = say(
        "The %(suit)s are wrong: the spread has %(how)s; check the %(suit)s again, or record anyway", suit=name, how=how
    )
    return doubt("M2", text)


def _off_by_one(suit: Said, at: object, more: bool) -> Said:
    if more:
        return say(
            "The spread has one more of the %(suit)s %(at)s than the piles show: a pile of %(suit)s is higher, "
            "or a card is read wrong; check again, or record anyway",
            suit=suit,
            at=at,
        )
    return say(
        "A pile of %(suit)s reaches %(at)s, but the spread does not: the pile is lower, or a card is hidden; "
        "check again, or record anyway",
        suit=suit,
        at=at,
    )


def _check_total(hand: Hand, table: Table, seen: Evidence) -> Iterator[Problem]:
    """The cards of all sides are the cards of the Lake (rules M1)."""
    if seen.lake is None:
        return
    most = len(table.sides) * table.rules.deck_size
    if isinstance(seen.lake, int) and not 0 <= seen.lake <= most:
        text = say(
            "The %(Lake)s can't hold %(cards)s: enter 0 to %(most)s, or leave it empty",
            cards=cards(seen.lake),
            most=most,
        )
        yield Problem("lake", text)
        return
    if isinstance(seen.lake, LakeReading) and seen.lake.unread:
        text = say_count(
            "%(num)s pile of the %(Lake)s could not be read: enter the top card, or record anyway, without this check",
            "%(num)s piles of the %(Lake)s could not be read: enter the top card, or record anyway, without this check",
            seen.lake.unread,
        )
        yield doubt("lake", text)
        return
    total = seen.total or 0
    if not hand.typed and total != hand.lake:
        yield doubt("M1", _lake_text(total, hand, seen))


def _lake_text(total: int, hand: Hand, seen: Evidence) -> Said:
    gap = abs(total - hand.lake)
    fault = _missed(gap, seen) if total > hand.lake else _too_many(gap)
    return say(
        "The %(Lake)s holds %(cards)s, but the sides have %(counted)s together, so %(fault)s: "
        "check again, or record anyway",
        cards=cards(total),
        counted=hand.lake,
        fault=fault,
    )


def _missed(gap: int, seen: Evidence) -> Said:
    if seen.spread is not None and seen.spread.unknown:
        return say_count(
            "%(cards)s missed in the counts, most likely among the %(num)s back that fits no deck",
            "%(cards)s missed in the counts, most likely among the %(num)s backs that fit no deck",
            seen.spread.unknown,
            cards=cards(gap),
        )
    return say("%(cards)s missed in the counts or a pile seen too high", cards=cards(gap))


def _too_many(gap: int) -> Said:
    if gap % KING == 0:
        return say_count(
            "%(num)s finished pile overlooked, or %(cards)s counted twice",
            "%(num)s finished piles overlooked, or %(cards)s counted twice",
            gap // KING,
            cards=cards(gap),
        )
    return say("%(cards)s counted twice or a pile overlooked", cards=cards(gap))


def _check_spread(hand: Hand, table: Table, spread: SpreadReading | None) -> Iterator[Problem]:
    """Every side has in the Lake what the spread shows of its deck, and every back is somebody's."""
    if spread is None:
        return
    if spread.unknown:
        text = say_count(
            "%(num)s back of the spread fits no deck: say whose, or record anyway",
            "%(num)s backs of the spread fit no deck: say whose, or record anyway",
            spread.unknown,
        )
        yield doubt("spread", text)
    for tally in hand.tallies:
        side = table.find(tally.side)
        seen = spread.counts.get(side.deck) if side and side.deck else None
        if side and seen is not None and seen != tally.lake:
            text = say(
                "%(name)s has %(lake)s in the %(Lake)s, but the spread shows %(seen)s: check again, or record anyway",
                name=side.name,
                lake=tally.lake,
                seen=seen,
            )
            yield doubt("spread", text, side.id)


def _check_stacks(table: Table, seen: Evidence) -> Iterator[Problem]:
    """A deck has each card once; jokers are no cards in this sense (rules M6, I3)."""
    for side in table.sides:
        reading = seen.stacks.get(side.deck) if side.deck else None
        if reading is None:
            continue
        twice = [card for card, n in Counter(face.card for face in reading.cards).items() if card is not None and n > 1]
        if twice:
            text = say(
                "%(cards)s lies twice in the cards of %(name)s: one has another's back, or is read wrong; "
                "check again, or record anyway",
                cards=Names(card.code for card in sorted(twice)),
                name=side.name,
            )
            yield doubt("M6", text, side.id)
