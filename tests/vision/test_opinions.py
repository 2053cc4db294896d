"""Where a picture is looked at again, and how what is seen there, turned, comes back into it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.vision.faces.opinions import spots_in
from scorekeeper.vision.geometry import touching
from scorekeeper.vision.windows import Near, turned_window

TABLE = np.zeros((600, 900, 3), np.uint8)
places = st.tuples(st.integers(0, 899), st.integers(0, 599))


@given(st.integers(0, 3), places)
def test_what_is_seen_turned_comes_back_to_its_place(turn, place):
    x, y = place
    left, top, width, height = 40, 30, 300, 200
    table, x, y = TABLE.copy(), left + x % width, top + y % height
    table[y, x] = 255
    window, to_table = turned_window(table, (left, top, left + width, top + height), turn)
    row, column = np.argwhere(window[..., 0])[0]
    assert np.allclose(to_table(np.array([[column + 0.5, row + 0.5]], np.float32)), [[x + 0.5, y + 0.5]])


@given(st.lists(places, min_size=1, max_size=12), st.integers(5, 200))
def test_windows_lie_in_the_picture_apart_from_each_other_and_hold_all_that_is_unsure(spots, reach):
    spots = np.array(spots, np.float32)
    windows = Near(spots, reach).windows(TABLE)
    assert touching(windows, windows).sum() == len(windows)
    assert (windows >= 0).all()
    assert (windows <= [900, 600, 900, 600]).all()
    wanted = np.clip(np.concatenate([spots - reach, spots + reach], 1), 0, [900, 600, 900, 600])
    held = (windows[None, :, :2] <= wanted[:, None, :2]) & (wanted[:, None, 2:] <= windows[None, :, 2:])
    assert held.all(2).any(1).all()


def test_a_sentence_about_the_whole_picture_has_no_place_to_look_at():
    assert spots_in(["no face-up card was seen"]).shape == (0, 2)
