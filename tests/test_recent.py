"""What is kept in memory, and how much of it."""

from __future__ import annotations

from scorekeeper.recent import Recent


def test_what_was_put_longest_ago_goes_first():
    recent = Recent[str, int](most=2)
    for key, value in (("a", 1), ("b", 2), ("a", 3), ("c", 4)):
        recent.put(key, value)
    assert (recent.get("a"), recent.get("b"), recent.get("c")) == (3, None, 4)
    assert len(recent) == 2
