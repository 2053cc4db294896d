"""What was seen of the table before the first hand, and whether it is good enough."""

from __future__ import annotations

import pytest

from scorekeeper.rules.view import Point, Remark, View


def view(**good: bool | None) -> View:
    remarks = tuple(Remark(point, 20.0, 30.0, good.get(point.value, True)) for point in Point)
    return View(remarks, (), (640, 480))


@pytest.mark.parametrize(
    ("good", "whole"),
    [
        pytest.param({}, True, id="everything is good"),
        pytest.param({"sharp": False}, False, id="a blurred picture"),
        pytest.param({"size": None}, False, id="a point that could not be measured"),
    ],
)
def test_a_table_is_good_when_every_point_is(good, whole):
    seen = view(**good)
    assert seen.good is whole
    assert all(seen.remark(Point(name)).good is value for name, value in good.items())
