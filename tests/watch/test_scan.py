"""A scan, frame by frame: what counts, what waits, and that no card is ever counted twice."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor, Future
from dataclasses import replace

import numpy as np
import pytest

from scorekeeper.errors import VisionError
from scorekeeper.rules.lake import SeenBack, SpreadReading, spotted
from scorekeeper.training import film
from scorekeeper.vision.camera.sources import decode_picture
from scorekeeper.vision.camera.steady import Stillness
from scorekeeper.vision.geometry import Image, box_of
from scorekeeper.watch import Act, Phase, ScanOrder, words
from scorekeeper.watch.scan import Scan, joined

SIZE = (270, 480)
RATE = 12


class AtOnce(Executor):
    """Reads where it is asked to, so that a test needs no clock."""

    def submit(self, read, /, *arguments):
        done: Future = Future()
        try:
            done.set_result(read(*arguments))
        except Exception as error:
            done.set_exception(error)
        return done


class Hand:
    """A table, a camera that gives twelve frames a second, and a reader that knows what lies there."""

    def __init__(self, total: int | None = None, most: dict | None = None) -> None:
        self.table = film.empty_table(np.random.default_rng(3), SIZE, card_px=48)
        self.grain = film.Grain(np.random.default_rng(5), SIZE, 3.0)
        self.lying = self.table
        self.read_wrong: list[int] = []
        self.taken_for_cards: tuple[SeenBack, ...] = ()
        self.readings = 0
        self.settled: list[bool] = []
        self.trouble: Exception | None = None
        order = ScanOrder(owner="game/1", decks=film.signatures(), total=total, most=most or {})
        self.scan = Scan(order, self, AtOnce())
        self.at_s = 0.0
        self.forgotten = 0

    def forget(self) -> None:
        self.forgotten += 1

    def __call__(self, picture: Image, *, settled: bool) -> SpreadReading:
        self.settled.append(settled)
        return self.read(picture)

    def read(self, picture: Image) -> SpreadReading:
        """What the eye would say; ``read_wrong`` leaves so many cards out, reading by reading."""
        if self.trouble is not None:
            raise self.trouble
        self.readings += 1
        shown = self.lying.cards[: len(self.lying.cards) - (self.read_wrong.pop(0) if self.read_wrong else 0)]
        backs = tuple(SeenBack(0, card.deck, 0.95, box_of(self.lying.outline(card))) for card in shown)
        backs += self.taken_for_cards
        counts = {deck: sum(card.deck == deck for card in shown) for deck in film.DESIGNS}
        return SpreadReading(backs, counts, bool(backs), () if backs else ("no cards seen",))

    def play(self, frames: Iterable[Image]) -> set[Phase]:
        """Shows frames; the phases that were seen."""
        phases = set()
        for frame in frames:
            self.at_s += 1 / RATE
            self.scan.see(self.grain.on(frame), self.at_s)
            phases.add(self.scan.state.phase)
        return phases

    def rest(self, picture: Image | None = None, seconds: float = 2) -> set[Phase]:
        """Nobody moves for a while."""
        return self.play([self.lying.clean() if picture is None else picture] * int(seconds * RATE))

    def lay(self, count: int, seed: int = 8) -> None:
        """Cards are spread at once, no hand in sight."""
        self.lying = self.table.with_cards(film.spread_out(np.random.default_rng(seed), self.table, count))
        self.rest()

    def clear(self) -> None:
        self.lying = self.table
        self.rest()


@pytest.fixture
def hand() -> Hand:
    return Hand()


def test_an_empty_table_asks_for_cards(hand):
    hand.rest()
    assert (hand.scan.state.phase, hand.scan.state.why) == (Phase.WAITING, words.NO_CARDS)
    assert hand.scan.state.solved is None
    assert hand.scan.counted == ()


def test_cards_that_lie_still_lock_once_a_frame_and_the_mean_of_several_agree_and_are_not_read_again(hand):
    hand.lay(9)
    assert hand.settled == [False, True]
    state = hand.scan.state
    assert (state.phase, state.counts, state.size) == (Phase.LOCKED, hand.lying.counts, (480, 270))
    readings = hand.readings
    hand.rest(seconds=3)
    assert (hand.readings, hand.scan.state.number) == (readings, state.number)
    assert hand.scan.state.states_per_s == pytest.approx(RATE, rel=0.1)
    hand.rest(seconds=3)
    assert hand.scan.state.readings_per_s == 0


def test_nothing_is_counted_while_hands_lay_cards(hand):
    hand.rest()
    lying = film.spread_out(np.random.default_rng(8), hand.table, 9)
    phases = hand.play(film.laying(hand.table, lying))
    assert Phase.LOCKED not in phases
    assert Phase.COUNTING not in phases
    hand.lying = hand.table.with_cards(lying)
    hand.rest()
    assert hand.scan.state.counts == hand.lying.counts


def test_a_hand_that_passes_over_counted_cards_changes_nothing(hand):
    hand.lay(9)
    over = [film.with_arm(hand.lying.clean(), (200, 120), reach) for reach in (0.4, 0.6, 0.8, 0.6, 0.4)]
    assert hand.play(over) == {Phase.WAITING}
    assert hand.scan.state.why == words.WAITING[Stillness.HAND]
    assert hand.scan.state.counts == hand.lying.counts
    hand.rest()
    assert (hand.scan.state.phase, hand.readings) == (Phase.LOCKED, 2)


def test_an_arm_that_rests_in_the_picture_is_no_card_until_somebody_says_it_belongs_there(hand):
    hand.lay(9)
    arm = film.with_arm(hand.lying.clean(), (330, 200), 0.9)
    hand.play(film.with_arm(hand.lying.clean(), (330, 200), reach / 10) for reach in range(2, 9))
    assert Phase.LOCKED not in hand.rest(arm, 3)
    assert (hand.scan.state.phase, hand.scan.state.why) == (Phase.WAITING, words.REACHES_IN)
    assert hand.scan.counted == ()
    hand.rest()
    assert hand.scan.state.phase is Phase.LOCKED
    hand.rest(arm, 2)
    hand.scan.act(Act.AGAIN)
    hand.rest(arm, 2)
    assert hand.scan.state.phase is Phase.LOCKED


SLEEVE = np.array([[290, 140], [370, 140], [370, 269], [290, 269]], np.float32)


@pytest.mark.parametrize("deck", [None, next(iter(film.DESIGNS))])
def test_an_arm_that_the_eye_takes_for_a_card_is_not_counted(hand, deck):
    hand.lay(6)
    known = hand.scan.state.counts
    hand.taken_for_cards = (SeenBack(0, deck, 0.9, box_of(SLEEVE)),)
    hand.play(film.with_arm(hand.lying.clean(), (330, 200), reach / 10) for reach in range(2, 9))
    assert Phase.LOCKED not in hand.rest(film.with_arm(hand.lying.clean(), (330, 200), 0.9), 3)
    assert hand.scan.state.counts == known
    hand.taken_for_cards = ()
    hand.rest()
    assert (hand.scan.state.phase, hand.scan.state.counts) == (Phase.LOCKED, hand.lying.counts)


def test_one_card_more_is_counted_anew_and_replaces_what_was_there(hand):
    hand.lay(8)
    hand.lay(9)
    assert hand.scan.state.counts == hand.lying.counts
    assert hand.scan.state.seen == 9


def test_what_a_single_frame_shows_otherwise_is_forgotten_once_two_means_agree(hand):
    hand.read_wrong = [1]
    hand.lay(9)
    state = hand.scan.state
    assert (state.phase, state.counts, state.reading.certain) == (Phase.LOCKED, hand.lying.counts, True)
    assert hand.readings == 3


def test_readings_that_go_on_to_differ_are_asked_about(hand):
    hand.read_wrong = [0, 1, 0, 1, 0]
    hand.lay(9)
    state = hand.scan.state
    assert (state.phase, state.counts) == (Phase.LOCKED, hand.lying.counts)
    assert hand.readings == 5
    assert not state.reading.certain


def test_a_batch_is_banked_only_when_it_stands_and_the_next_only_after_a_clear_table(hand):
    with pytest.raises(VisionError, match="not counted yet"):
        hand.scan.act(Act.NEXT_BATCH)
    hand.lay(9)
    first = hand.lying
    hand.scan.act(Act.NEXT_BATCH)
    assert (hand.scan.state.phase, hand.scan.state.why) == (Phase.CLEAR_TABLE, words.CLEAR)
    assert (hand.scan.state.counts, hand.scan.state.reading.total) == (first.counts, 0)
    assert hand.rest(seconds=3) == {Phase.CLEAR_TABLE}
    with pytest.raises(VisionError, match="not counted yet"):
        hand.scan.act(Act.NEXT_BATCH)

    hand.lay(6, seed=20)  # some were taken, some pushed about
    assert (hand.scan.state.phase, hand.scan.state.why) == (Phase.CLEAR_TABLE, words.STILL_THERE)
    hand.clear()
    assert hand.scan.state.why == words.NEXT
    hand.lay(7, seed=4)
    assert hand.scan.state.counts == first.counts + hand.lying.counts
    assert [batch.reading.total for batch in hand.scan.counted] == [9, 7]
    assert decode_picture(hand.scan.counted[1].picture).shape == (*SIZE, 3)


def test_a_person_may_say_that_the_table_is_clear(hand):
    with pytest.raises(VisionError, match="no group waits"):
        hand.scan.act(Act.CLEARED)
    hand.lay(9)
    hand.scan.act(Act.NEXT_BATCH)
    hand.scan.act(Act.CLEARED)
    hand.rest()
    assert hand.scan.state.phase is Phase.LOCKED


def test_the_last_batch_can_be_taken_back_and_is_counted_as_the_present_one(hand):
    with pytest.raises(VisionError, match="nothing to take back"):
        hand.scan.act(Act.UNDO_BATCH)
    hand.lay(9)
    hand.scan.act(Act.NEXT_BATCH)
    hand.scan.act(Act.UNDO_BATCH)
    assert (hand.scan.state.batches, hand.scan.state.seen) == (0, 0)
    hand.rest()
    assert (hand.scan.state.phase, hand.scan.state.counts) == (Phase.LOCKED, hand.lying.counts)


def test_counting_again_forgets_the_batch_on_the_table_and_keeps_those_banked(hand):
    hand.lay(6)
    hand.scan.act(Act.NEXT_BATCH)
    hand.clear()
    hand.lay(9)
    hand.scan.act(Act.AGAIN)
    assert (hand.scan.state.phase, hand.scan.state.reading.total, hand.scan.state.batches) == (Phase.COUNTING, 0, 1)
    assert hand.forgotten == 2
    hand.rest()
    assert hand.scan.state.seen == 15


def test_a_camera_that_goes_away_loses_nothing(hand):
    hand.lay(9)
    hand.scan.miss(words.NO_PICTURE)
    assert (hand.scan.state.phase, hand.scan.state.why) == (Phase.WAITING, words.NO_PICTURE)
    hand.rest(seconds=0.5)
    assert (hand.scan.state.phase, hand.readings) == (Phase.LOCKED, 2)


@pytest.mark.parametrize(("shade", "says"), [(2, "black"), (254, "white")])
def test_a_picture_that_shows_nothing_credits_nothing_and_loses_nothing(hand, shade, says):
    hand.lay(9)
    assert hand.rest(np.full((*SIZE, 3), shade, np.uint8), 2) == {Phase.WAITING}
    assert says in hand.scan.state.why
    hand.rest()
    assert hand.scan.state.phase is Phase.LOCKED


def test_another_resolution_is_counted_anew(hand):
    hand.lay(9)
    larger = np.repeat(np.repeat(hand.lying.clean(), 2, 0), 2, 1)
    for _ in range(20):
        hand.at_s += 1 / RATE
        hand.scan.see(larger, hand.at_s)
    assert (hand.scan.state.phase, hand.scan.state.size, hand.readings) == (Phase.LOCKED, (960, 540), 4)


def test_an_eye_that_can_not_look_says_why_and_is_asked_again_when_told_to(hand):
    hand.trouble = VisionError("the weights are missing")
    hand.lay(9)
    assert (hand.scan.state.phase, hand.scan.state.why) == (Phase.WAITING, "the weights are missing")
    hand.trouble = None
    hand.scan.act(Act.AGAIN)
    hand.rest()
    assert hand.scan.state.phase is Phase.LOCKED


@pytest.mark.parametrize(
    ("total", "says"),
    [
        pytest.param(None, "", id="without T nothing can be missing"),
        pytest.param(9, "", id="M1 all there"),
        pytest.param(10, "1 card is missing: look for cards that lie exactly on each other", id="M1 one is missing"),
        pytest.param(30, "21 cards are still to come", id="a batch of several"),
        pytest.param(8, "the Lake may hold 9 cards, not 8", id="M1 one too many"),
    ],
)
def test_m1_the_likeliest_explanation_of_a_difference_is_said(total, says):
    hand = Hand(total)
    hand.lay(9)
    state = hand.scan.state
    assert state.solved is not None
    assert (state.solved.said, state.solved.counts) == (says, hand.lying.counts)
    assert state.missing == (None if total is None else total - 9)


def test_m7_a_deck_that_has_more_than_it_can_is_noticed():
    hand = Hand(9, {deck: 52 for deck in film.DESIGNS} | {next(iter(film.DESIGNS)): 2})
    hand.lay(9)
    assert hand.scan.state.solved is not None
    assert "can have 2 at most" in hand.scan.state.solved.said


class InTwoMinds(Hand):
    """A reader to whom one card may be of another deck."""

    chance = 0.0

    def read(self, picture: Image) -> SpreadReading:
        reading = super().read(picture)
        if not reading.cards:
            return reading
        card = reading.cards[0]
        other = next(deck for deck in film.DESIGNS if deck != card.deck)
        doubted = replace(card, confidence=1 - self.chance, others=((other, self.chance),))
        return replace(reading, cards=(doubted, *reading.cards[1:]))


@pytest.mark.parametrize(
    ("chance", "offered"), [pytest.param(0.3, True, id="likely"), pytest.param(0.03, False, id="1 to 32")]
)
def test_a_second_reading_is_offered_while_it_is_not_too_unlikely(chance, offered):
    hand = InTwoMinds(9)
    hand.chance = chance
    hand.lay(9)
    state = hand.scan.state
    assert state.solved is not None
    assert state.solved.counts == state.counts
    if offered:
        assert state.runner_up is not None
        assert sum(state.runner_up.counts.values()) == 9
        assert state.runner_up.counts != state.counts
        assert state.runner_up.said.startswith("a card read as")
    else:
        assert state.runner_up is None


def test_batches_are_joined_as_pictures_of_one_reading():
    back = SeenBack(0, next(iter(film.DESIGNS)), 0.9, ((0, 0), (1, 0), (1, 1), (0, 1)))
    first = SpreadReading((back,), {back.deck: 1}, True, ())
    second = SpreadReading((back, back), {back.deck: 2}, False, (spotted("look there", (0, 5.0, 6.0)),))
    whole = joined([first, second])
    assert ([card.image for card in whole.cards], whole.counts) == ([0, 1, 1], {back.deck: 3})
    assert (whole.certain, whole.problems) == (False, ("look there in group 2",))
    assert whole.problems[0].spots == ((1, 5.0, 6.0),)
