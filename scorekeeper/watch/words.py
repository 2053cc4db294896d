"""What the live eye says to the people at the table: one sentence each, with what to do."""

from __future__ import annotations

from collections.abc import Mapping

from scorekeeper.rules.said import Said, say, say_count
from scorekeeper.vision.camera.steady import Stillness

OPENING = say("the camera is being opened: nothing is counted yet")
NO_PICTURE = say("the camera gives no picture: check its plug, its app and its network; counting goes on by itself")
STUMBLED = say("a picture could not be read: counting goes on by itself")
NO_CARDS = say("no cards seen: turn the %(Lake)s face down, spread it, and take your hands away")
CLEAR = say("these cards are counted: take them all away, then spread the next ones")
STILL_THERE = say("cards still lie there: take them all away, so that none is counted twice")
NEXT = say("the table is clear: spread the next cards and take your hands away")
REACHES_IN = say("something that is no card reaches into the picture: take it away, or count again if it belongs there")

WAITING: Mapping[Stillness, Said] = {
    Stillness.MOVING: say("something moves: nothing is counted until the table is still"),
    Stillness.HAND: say("take your hands out of the picture: nothing is counted meanwhile"),
    Stillness.CAMERA: say("the camera was moved: let it stand still, then the cards are counted anew"),
    Stillness.LIGHT: say("the light is changing: wait until it stays the same"),
    Stillness.BLACK: say("the picture is black: uncover the lens, or switch the light on"),
    Stillness.BRIGHT: say("the picture is all white: turn the camera or the lamp, there is too much light"),
    Stillness.FROZEN: say("the camera repeats one picture: start its app again, or plug it in anew"),
}
"""Why a frame is not counted on."""


def to_come(cards: int) -> Said:
    """What is said while a good part of the Lake was not spread yet."""
    return say_count("1 card is still to come", "%(num)s cards are still to come", cards)


NOT_LOCKED = say("the cards are not counted yet: wait until the count stands, then tap again")
NOTHING_BANKED = say("no group is put away: there is nothing to take back")
NOT_CLEARING = say("no group waits for a clear table")
NOTHING_COUNTED = say("nothing is counted yet: wait until the count stands")
NO_SCAN = say("nothing is being counted: start it first")
FORGOTTEN = say("this moment is not kept any more: only the last seconds of a hand are")
