"""A Lake counted live: a film of hands and cards, by MJPEG, through the real process and the real weights."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from scorekeeper.errors import CameraError, VisionError
from scorekeeper.training import film
from scorekeeper.vision.camera.sources import decode_picture, encode_jpeg
from scorekeeper.watch import Act, EyeProcess, Phase, ScanOrder, ScanState, words

SIZE = (540, 960)
PATIENCE_S = 240


@pytest.fixture
def table() -> film.Table:
    return film.empty_table(np.random.default_rng(3), SIZE, card_px=95)


@pytest.fixture
def eye(camera) -> Iterator[EyeProcess]:
    watch = EyeProcess(camera.address)
    yield watch
    watch.close()


def until(eye: EyeProcess, wanted: Callable[[ScanState], bool], never: Callable[[ScanState], bool]) -> ScanState:
    """The first state that is *wanted*; fails on one that must never be."""
    end_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < end_s:
        state = eye.scan_state()
        assert not never(state), state
        if wanted(state):
            return state
        time.sleep(0.02)
    raise AssertionError(f"still {state}")


def locked(state: ScanState) -> bool:
    return state.phase is Phase.LOCKED


def says(*sentences: str) -> Callable[[ScanState], bool]:
    return lambda state: state.why in sentences


def order(total: int | None = None) -> ScanOrder:
    return ScanOrder(owner="game/1", decks=film.signatures(), total=total)


def test_cards_spread_by_hand_in_batches_are_counted_once_each_and_hands_never(camera, eye, table):
    rng = np.random.default_rng(8)
    first, second = (table.with_cards(film.spread_out(rng, table, count)) for count in (10, 8))
    truth = first.counts + second.counts
    camera.show([table.clean()])
    assert eye.scan(order(truth.total())).phase is Phase.WAITING
    until(eye, says(words.NO_CARDS), locked)

    camera.show(film.laying(table, first.cards))
    camera.played()
    assert until(eye, locked, says(words.NO_CARDS)).counts == first.counts
    arm = film.with_arm(first.clean(), (700, 420), 0.9)
    camera.show([film.with_arm(first.clean(), (700, 420), reach / 10) for reach in range(1, 9)] + [arm])
    camera.played()
    resting = until(eye, says(words.REACHES_IN), lambda state: state.counts != first.counts)
    assert resting.phase is Phase.WAITING
    with pytest.raises(VisionError, match="not counted yet"):
        eye.scan_act(Act.NEXT_BATCH)
    camera.show([first.clean()])
    camera.played()
    until(eye, locked, lambda state: state.counts != first.counts)

    banked = eye.scan_act(Act.NEXT_BATCH)
    assert (banked.phase, banked.banked, banked.reading.total) == (Phase.CLEAR_TABLE, dict(first.counts), 0)
    moved = table.with_cards([replace(card, x=card.x + 40, y=card.y + 25) for card in first.cards])
    camera.show(film.with_arm(moved.clean(), (450, 250), reach / 8) for reach in range(8, -1, -1))
    camera.played()
    until(eye, says(words.STILL_THERE), lambda state: state.phase is not Phase.CLEAR_TABLE)
    camera.show(film.taking(moved))
    camera.played()
    until(eye, says(words.NEXT), locked)

    camera.show(film.laying(table, second.cards))
    camera.played()
    done = until(eye, locked, lambda state: state.seen > truth.total())
    assert (done.counts, done.batches, done.missing) == (truth, 1, 0)
    assert done.solved is not None
    assert (done.solved.counts, done.solved.said) == (truth, "")

    scanned = eye.scan_result()
    assert scanned.seen.reading.counts == truth
    assert [sum(card.image == n for card in scanned.seen.reading.cards) for n in (0, 1)] == [10, 8]
    assert [decode_picture(picture).shape for picture in scanned.pictures] == [(*SIZE, 3)] * 2
    assert len(scanned.seen.overlays) == 2
    assert decode_picture(eye.scan_picture()).shape == (540, 960, 3)
    assert eye.scan_act(Act.STOP) == ScanState()


def test_a_scan_goes_on_with_what_was_banked_after_its_process_died(camera, eye, table):
    first = table.with_cards(film.spread_out(np.random.default_rng(8), table, 6))
    camera.show([first.clean()])
    eye.scan(order())
    until(eye, locked, lambda state: state.seen > 6)
    eye.scan_act(Act.NEXT_BATCH)
    os.kill(eye._camera._process.pid, signal.SIGKILL)
    camera.show([table.clean()])
    state = until(eye, says(words.NO_CARDS, words.NEXT), locked)
    assert (state.banked, state.batches) == (first.counts, 1)
    assert eye.scan_result().seen.reading.counts == first.counts
    undone = eye.scan_act(Act.UNDO_BATCH)
    assert (undone.banked, undone.batches) == ({}, 0)


def test_a_camera_that_is_unplugged_loses_nothing_and_comes_back(camera, eye, table):
    first = table.with_cards(film.spread_out(np.random.default_rng(8), table, 6))
    camera.show([first.clean()])
    eye.scan(order())
    until(eye, locked, lambda state: state.seen > 6)
    camera.unplug()
    gone = until(eye, lambda state: state.phase is Phase.WAITING, lambda state: state.counts != first.counts)
    assert "camera" in gone.why
    camera.plug_in()
    assert until(eye, locked, lambda state: state.counts != first.counts).reading.total == 6


def test_single_pictures_are_read_while_a_scan_runs(camera, eye, table):
    first = table.with_cards(film.spread_out(np.random.default_rng(8), table, 6))
    camera.show([first.clean()])
    eye.scan(order())
    assert eye.spread([encode_jpeg(first.clean(), 92)], film.signatures()).reading.counts == first.counts
    until(eye, locked, lambda state: state.seen > 6)
    assert decode_picture(eye.snapshot()).shape == (*SIZE, 3)


def test_without_a_camera_there_is_no_scan():
    eye = EyeProcess()
    assert eye.scan_state() == ScanState()
    with pytest.raises(CameraError, match="no camera"):
        eye.scan(order())
    with pytest.raises(VisionError):
        eye.scan_act(Act.NEXT_BATCH)
