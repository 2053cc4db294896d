"""Whether corrected pictures are kept for the eye to learn from, and keeping them when their hand is recorded."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from pathlib import Path

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper.errors import ScorekeeperError
from scorekeeper.rules.game import Game
from scorekeeper.scorebook import GameId
from scorekeeper.watch.labels import LabelledCard, Task, label_row
from scorekeeper.watch.lessons import FOLDER, Lessons, file_word
from web import here
from web.guard import keepers_only, who
from web.looks import UNKNOWN, Act, Look
from web.pictures import kind_of

log = logging.getLogger(__name__)

bp = Blueprint("lessons", __name__, url_prefix="/g/<game_id>")
bp.before_request(keepers_only)

ENDINGS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"}


@bp.post("/hand/keep")
def agree(game_id: str) -> ResponseReturnValue:
    """Begins or ceases to keep corrected pictures."""
    lessons().agree(bool(request.form.get("keep_corrected")), who())
    if "HX-Request" in request.headers:
        return "", 204
    return redirect(f"{url_for('hands.page', game_id=game_id)}#keep-corrected", 303)


def lessons() -> Lessons:
    """The corrected pictures of this data folder."""
    return Lessons(Path(here.settings().data_dir) / FOLDER)


def learn(game_id: GameId, game: Game, number: int, looks: Mapping[str, Look]) -> None:
    """Keeps those of the *looks* of recorded hand *number* that somebody corrected, while the table agrees."""
    kept = lessons()
    if not kept.agreed:
        return
    for step, look in looks.items():
        guessed = any(each.act is Act.TAKEN for each in look.standing)
        if look.standing and look.pictures and look.shown and not guessed:
            try:
                _keep(kept, f"{game_id}-{number}-{file_word(step)}", step, look, game)
            except ScorekeeperError as error:  # the hand is recorded; a full disk must not make it look otherwise
                log.error("corrected pictures of game %s could not be kept: %s", game_id, error)


def _keep(kept: Lessons, name: str, step: str, look: Look, game: Game) -> None:
    pictures = [here.pictures().data(picture) for picture in look.pictures]
    files = [f"{name}-{n}.{ENDINGS.get(kind_of(data), 'bin')}" for n, data in enumerate(pictures, 1)]
    task = Task(step) if step in ("lake", "spread") else Task.FAN
    signatures = game.signatures if task is Task.SPREAD else {}
    cards = list(_cards(look))
    row = label_row(task, files, cards, kind=f"corrected {task.value}", source="this table", signatures=signatures)
    kept.keep(name, row, pictures)


def _cards(look: Look) -> Iterator[LabelledCard]:
    added = {each.card for each in look.standing if each.act is Act.MORE}
    for card in look.cards:
        what = None if card.what == UNKNOWN else card.what
        yield LabelledCard(what, card.box if card.placed else None, card.picture, card.number in added)
