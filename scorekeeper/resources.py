"""Where the weights and the sample pictures lie, in a checkout and in an installed package alike."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_path(name: str) -> Path:
    """The file or folder *name*, such as ``models/detector/detector.onnx`` or ``datasets/samples``.

    Raises FileNotFoundError when it is nowhere.
    """
    for root in (_PACKAGE.parent, _PACKAGE / "_data"):
        if (root / name).exists():
            return root / name
    raise FileNotFoundError(f"{name!r} belongs to the scorekeeper and is missing; install it again")
