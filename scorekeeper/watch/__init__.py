"""The eye as the pages know it: readings for bytes, from a process of its own.

``seam`` says what may be asked, ``process`` asks a worker, ``worker`` is that process, ``sight`` looks,
``labels`` and ``measure`` say how well.
"""

from scorekeeper.watch.process import EyeProcess
from scorekeeper.watch.seam import (
    PHONE,
    Act,
    CameraChoice,
    Condition,
    EnrolledDeck,
    LaidDeck,
    Moment,
    Phase,
    Scanned,
    ScanOrder,
    ScanState,
    Seen,
    Solved,
    TableCheck,
    Watch,
)

__all__ = [
    "PHONE",
    "Act",
    "CameraChoice",
    "Condition",
    "EnrolledDeck",
    "EyeProcess",
    "LaidDeck",
    "Moment",
    "Phase",
    "ScanOrder",
    "ScanState",
    "Scanned",
    "Seen",
    "Solved",
    "TableCheck",
    "Watch",
]
