"""Every refusal of the scorekeeper, as one tree.

ScorekeeperError
├── RulesError               a rule of the game forbids it
│   ├── NotationError        a text is not the notation of a hand, a card or rules
│   ├── IllegalHandError     a hand has problems; carries all of them
│   └── EndMovesError        it moves the end of the game, which nobody was told yet
├── StoreError               the event log refuses
│   ├── NotFoundError        no such game, hand or picture
│   ├── StaleGameError       somebody else changed the game first
│   │   └── HandOverError    what was sent is about a hand that is recorded already
│   └── DataFolderError      the data folder is in use by another server, or not writable
├── GameFileError            a file is not the whole game it should be
├── BackupError              a file is not the whole backup it should be, or can't be written
├── VisionError              a picture can't be used
│   ├── PictureError         no image, too large, cut short
│   ├── CameraError          missing, busy, unplugged
│   └── EnrolmentError       no back, several backs, a face, or blur where one deck's back was expected
└── SettingsError            a setting or an option that can't be
    └── PortTakenError       another program listens on the port
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.rules.checks import Problem
    from scorekeeper.rules.moved import Moved


class ScorekeeperError(Exception):
    """Base class: a surface may show str(error) to a person at the table. Each argument is a reason of its own."""

    def __str__(self) -> str:
        """All reasons; a single one still knows how it was said."""
        return str(self.args[0]) if len(self.args) == 1 else "; ".join(map(str, self.args))

    @property
    def reasons(self) -> tuple[str, ...]:
        """Everything that is wrong, for pages that list it."""
        return self.args


class RulesError(ScorekeeperError):
    """A rule of the game forbids it."""


class NotationError(RulesError):
    """A text is not the notation it should be; the message quotes where."""


class IllegalHandError(RulesError):
    """A hand that can't be scored as it stands; ``problems`` lists every reason."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(*(problem.text for problem in problems))
        self.problems = tuple(problems)


class EndMovesError(RulesError):
    """An event that moves the end of the game, before anybody was told; ``moved`` says what it does."""

    def __init__(self, moved: Moved) -> None:
        super().__init__(moved.text)
        self.moved = moved


class StoreError(ScorekeeperError):
    """The event log refuses."""


class NotFoundError(StoreError):
    """No such game, hand or picture."""


class StaleGameError(StoreError):
    """Somebody else changed the game first; look at it again, then repeat."""


class HandOverError(StaleGameError):
    """What was sent is about a hand that is recorded already; the same again changes nothing either."""


class DataFolderError(StoreError):
    """The data folder is in use by another server, or can't be written."""


class GameFileError(ScorekeeperError):
    """A file that is no game of this program, is damaged, or was written by a newer one."""


class BackupError(ScorekeeperError):
    """A file that is no backup of this program, is damaged, or can't be written."""


class VisionError(ScorekeeperError):
    """A picture can't be used."""


class PictureError(VisionError):
    """Not an image, too large, or cut short."""


class CameraError(VisionError):
    """The camera is missing, busy or unplugged."""


class EnrolmentError(VisionError):
    """An enrolment picture that does not show exactly one sharp card back."""


class SettingsError(ScorekeeperError):
    """A setting or an option that can't be."""


class PortTakenError(SettingsError):
    """Another program listens on the port."""
