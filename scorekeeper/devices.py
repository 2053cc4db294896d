"""The cameras that are plugged into this computer, without opening one."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

TRIED = 4
"""How many numbers are offered where the system does not tell which cameras there are."""


@dataclass(frozen=True, slots=True)
class Device:
    """A camera of this computer."""

    number: int
    name: str
    """As it calls itself; empty where the system does not tell."""


def device_numbers() -> list[int]:
    """The numbers of the cameras that this Linux computer has; elsewhere they can only be tried."""
    names = (path.name.removeprefix("video") for path in Path("/dev").glob("video*"))
    return sorted(int(name) for name in names if name.isdecimal())


def devices() -> tuple[Device, ...]:
    """Every camera that may be here, without the sides of one that give no picture."""
    if sys.platform != "linux":
        return tuple(Device(number, "") for number in range(TRIED))
    found = ((number, Path(f"/sys/class/video4linux/video{number}")) for number in device_numbers())
    return tuple(
        Device(number, _text(place / "name")) for number, place in found if _text(place / "index") in ("", "0")
    )


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
