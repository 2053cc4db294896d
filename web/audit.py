"""Is the deck whole? All cards of one deck, fanned for a picture or typed, against the 52 and their jokers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from scorekeeper.errors import ScorekeeperError
from scorekeeper.rules.cards import RANKS, Card, Suit
from scorekeeper.rules.decks import DeckAudit, audit, parse_cards
from scorekeeper.rules.game import Game
from scorekeeper.scorebook import GameId
from web import here
from web.bodies import takes_pictures
from web.forms import whole_number
from web.guard import keepers_only
from web.refusals import keep_form, sentence
from web.uploads import eye, uploaded

bp = Blueprint("audit", __name__, url_prefix="/g/<game_id>")
bp.before_request(keepers_only)

UNREAD = "?"
"""Stands in the list for a card that was seen but not read."""
MAX_LIST = 2000
"""Longest list of cards in characters."""
SUIT_SIGNS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}


@dataclass(frozen=True, slots=True)
class Place:
    """One card of the deck as the page shows it."""

    name: str
    """Such as ``10♥``."""
    times: int
    """How often it is there."""


@dataclass(frozen=True, slots=True)
class Result:
    """What was found: sentences from the audit, and every card of the deck by suit."""

    audit: DeckAudit
    cards: int
    """Cards in the list, jokers and unread ones too."""
    suits: tuple[tuple[Place, ...], ...]


@bp.get("/audit")
def page(game_id: str) -> str:
    """The empty page."""
    return draw(game_of(game_id), game_id)


@bp.post("/audit")
@takes_pictures
def check(game_id: str) -> ResponseReturnValue:
    """Reads a picture into the list, or says what the list lacks."""
    game, typed = game_of(game_id), request.form.get("cards", "")[:MAX_LIST]
    keep_form(lambda error: draw(game, game_id, error=error, cards=typed))
    overlays: list[str] = []
    if request.form.get("camera") or any(file.filename for file in request.files.getlist("deck")):
        read, overlays = _read(uploaded("deck"))
        typed = " ".join([*typed.split(), *read])
    return draw(game, game_id, cards=typed, overlays=overlays, result=judged(typed, jokers_of(game)))


def game_of(game_id: str) -> Game:
    """The game; raises NotFoundError."""
    here.game_version(GameId(game_id))
    return here.book().game(GameId(game_id))


def judged(typed: str, jokers: int) -> Result | None:
    """What is missing and what is too much in a list such as ``AS 10H joker ?``; None for an empty list."""
    words = typed.replace(",", " ").split()
    if not words:
        return None
    read, jokers_seen = parse_cards(" ".join(word for word in words if word != UNREAD))
    unread = [None] * words.count(UNREAD)
    found = audit([*read, *unread], jokers_seen=jokers_seen, jokers=jokers)
    return Result(found, len(words), tuple(_suit(suit, read) for suit in Suit))


def jokers_of(game: Game) -> int:
    """Jokers that the deck should have: as typed, else as the house rules say."""
    typed = whole_number(request.form.get("jokers", ""))
    return game.rules.jokers if typed is None else min(max(typed, 0), 8)


def draw(
    game: Game,
    game_id: str,
    *,
    cards: str = "",
    overlays: Sequence[str] = (),
    result: Result | None = None,
    error: ScorekeeperError | None = None,
) -> str:
    """The page with the list as it stands, its pictures and what was found."""
    watch = here.watch()
    return render_template(
        "audit.html",
        game=game,
        game_id=game_id,
        cards=cards,
        jokers=jokers_of(game),
        overlays=overlays,
        result=result,
        code_of=lambda card: f"{card.rank_name}{SUIT_SIGNS[card.suit]}",
        eye=watch is not None,
        camera=watch.camera if watch else None,
        trouble=sentence(str(error)) if error else None,
    )


def _read(pictures: Sequence[bytes]) -> tuple[list[str], list[str]]:
    """The cards of all pictures as the list writes them, and the pictures with every card outlined."""
    codes: list[str] = []
    overlays: list[str] = []
    for data in pictures:
        seen = eye().fan(data)
        codes += [face.code or UNREAD for face in seen.reading.cards]
        overlays += [here.pictures().keep(overlay) for overlay in seen.overlays]
    return codes, overlays


def _suit(suit: Suit, cards: Sequence[Card]) -> tuple[Place, ...]:
    """Every card of one suit, and how often it is there."""
    whole = [Card(rank, suit) for rank in range(1, len(RANKS) + 1)]
    return tuple(Place(f"{card.rank_name}{SUIT_SIGNS[suit]}", cards.count(card)) for card in whole)
