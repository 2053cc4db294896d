"""What lies beside a recorded hand: its pictures, and the cards as the eye and people saw them."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict

from scorekeeper.errors import DataFolderError, ScorekeeperError, StaleGameError, StoreError
from scorekeeper.rules.game import Game
from scorekeeper.rules.sides import Side
from scorekeeper.scorebook import GameId
from web import here
from web.drafts import Draft, picture_titles
from web.layers import remembered_cards
from web.pictures import ids_in

logger = logging.getLogger(__name__)


@contextmanager
def evidence_of(game_id: GameId, game: Game, version: int, draft: Draft) -> Iterator[bool]:
    """Has the pictures of the next hand safe before it is recorded inside, and takes them back where it is not.

    So a hand that stands has its pictures, whenever the power fails. A full disk does not keep a hand from being
    recorded: then this is false. *version* is what the hand was entered at.
    """
    if version != here.game_version(game_id):  # refused, or the second tap of one that is recorded
        yield True
        return
    number, after = len(game.hands) + 1, version + 1
    kept = not here.settings().keep_pictures or _attach(game_id, number, after, draft)
    try:
        yield kept
    except ScorekeeperError as error:
        if isinstance(error, StaleGameError) or not _is_written(game_id, after):
            _detach(game_id, number, after)
        raise
    if not here.settings().keep_pictures:
        here.pictures().forget(ids_in(json.dumps(asdict(draft))))


def pictures_of(game_id: GameId, number: int, sides: tuple[Side, ...]) -> dict[str, object]:
    """The pictures of hand *number* under their titles, and the cards drawn over them: ``shown`` and ``cards``."""
    titles = picture_titles(sides)
    kept, cards = here.pictures().about(game_id, f"hand-{number}"), remembered_cards(game_id, number, sides)
    return {
        "shown": {titles.get(step, step): pictures for step, pictures in kept.items()},
        "cards": {titles.get(step, step): drawn for step, drawn in cards.items()},
    }


def _attach(game_id: GameId, number: int, version: int, draft: Draft) -> bool:
    """Whether everything about the hand could be kept."""
    pictures, looks = here.pictures(), {step: look for step, look in draft.looks.items() if look.shown}
    _detach(game_id, number, version)  # what a power cut left of another try
    try:
        cards = {step: pictures.keep(json.dumps(asdict(look)).encode()) for step, look in looks.items()}
        shown = {step: [cards[step], *look.shown] for step, look in looks.items()}
        pictures.attach(game_id, f"cards-{number}", version, shown)
        pictures.attach(game_id, f"hand-{number}", version, draft.evidence)
    except DataFolderError:
        logger.error("the pictures of hand %d of game %s could not be kept", number, game_id)
        return False
    return True


def _detach(game_id: GameId, number: int, version: int) -> None:
    for topic in ("cards", "hand"):
        here.pictures().detach(game_id, f"{topic}-{number}", version)


def _is_written(game_id: GameId, version: int) -> bool:
    """Whether the game has come as far as *version*; yes where nobody can say, as pictures too many do no harm."""
    with suppress(StoreError):
        return here.book().version(game_id) >= version
    return True
