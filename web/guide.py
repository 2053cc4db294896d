"""The referee guide and the rules card: what the rules say, at this table."""

from __future__ import annotations

from dataclasses import dataclass, replace

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from scorekeeper import guide
from scorekeeper.guide.search import Document, search
from scorekeeper.guide.shared import OTHER_GAMES
from scorekeeper.guide.vocabulary import words_of_card
from scorekeeper.rules.game import Game
from scorekeeper.rules.house import Rules
from scorekeeper.rules.layout import GAMES, Layout
from scorekeeper.rules.presets import preset_of
from scorekeeper.scorebook import GameId
from web import here
from web.guard import for_everybody
from web.language import Values, language
from web.language import gettext as _

bp = Blueprint("guide", __name__)
bp.before_request(for_everybody)

MAX_QUERY = 100
OPEN_AT_ONCE = 3
"""So many answers of a search are open when the page comes."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One entry in the reader's language, under the house rules in force."""

    id: str
    question: str
    general: str
    house: list[str]
    """What these house rules say; each begins with a small letter."""
    hints: str
    """Search words, and the question in the language the guide is written in."""

    @property
    def document(self) -> Document:
        return Document(self.id, self.question, self.hints, " ".join((self.general, *self.house)))


@bp.get("/guide")
def page() -> str:
    """The whole guide under the usual rules, or what a search finds."""
    return _draw_list(None, "")


@bp.get("/guide/<entry>")
def one(entry: str) -> str:
    """One entry under the usual rules."""
    return _draw_one(None, "", entry)


@bp.get("/g/<game_id>/guide")
def in_game(game_id: str) -> str:
    """The same under the house rules of a game."""
    return _draw_list(_game(game_id), game_id)


@bp.get("/g/<game_id>/guide/<entry>")
def one_in_game(game_id: str, entry: str) -> str:
    """One entry under the house rules of a game."""
    return _draw_one(_game(game_id), game_id, entry)


@bp.get("/g/<game_id>/rules-card")
def card(game_id: str) -> ResponseReturnValue:
    """The house rules of a game on one page, to read together and to print."""
    game = _game(game_id)
    name = words_of_card(game.rules)["Game"]
    topics = card_topics(game.rules)
    return render_template("rules_card.html", game=game, game_id=game_id, topics=topics, title=_(name))


def card_topics(rules: Rules) -> list[tuple[str, list[tuple[str, list[str]]]]]:
    """The rules card in the reader's language: topics, and under each its labels with what they say."""
    values = _values(rules)

    def filled(text: str) -> str:
        return _(text, **values)

    def line(label: str, said: list[str]) -> tuple[str, list[str]]:
        return filled(label), [_capital(filled(text)) for text in said]

    card = [
        (filled(topic.title), [line(label, said) for label, said in lines.items()])
        for topic, lines in guide.rules_card(rules)
    ]
    return [*card, (_("Also agreed"), [(_("At this table"), [rules.note])])] if rules.note else card


def _values(rules: Rules) -> dict[str, object]:
    """What stands for the blanks of the guide's sentences: the house rules, and the words of the game."""
    return guide.values_of(rules) | {name: _(word) for name, word in words_of_card(rules).items()}


def game_title(rules: Rules) -> str:
    """What people call these rules; empty for a table's own rules of Nertz."""
    preset = preset_of(replace(rules, note=""))
    if preset:
        return _(preset.title)
    return "" if rules.layout is Layout.NERTZ else GAMES[rules.layout]


def _game(game_id: str) -> Game:
    here.game_version(GameId(game_id))
    return here.book().game(GameId(game_id))


def _draw_list(game: Game | None, game_id: str) -> str:
    query = " ".join(request.args.get("q", "")[:MAX_QUERY].split())
    rules = _rules(game)
    answers = all_answers(game)
    topics = [
        (each.id, _(each.title), [answers[entry.id] for entry in each.entries]) for each in guide.topics_of(rules)
    ]
    found = search(query, [each.document for each in answers.values()], language()) if query else []
    return render_template(
        "guide.html",
        game=game,
        game_id=game_id,
        query=query,
        found=[answers[name] for name in found],
        topics=topics,
        other_game=GAMES[rules.layout] if rules.layout in OTHER_GAMES else "",
        open_at_once=OPEN_AT_ONCE,
        open_all="all" in request.args,
    )


def _rules(game: Game | None) -> Rules:
    return game.rules if game else Rules()


def _entries(rules: Rules) -> list[guide.Entry]:
    return [entry for topic in guide.topics_of(rules) for entry in topic.entries]


def all_answers(game: Game | None) -> dict[str, Answer]:
    """Every answer by the id of its entry, under the rules of *game*; under the usual ones without a game."""
    rules = _rules(game)
    return {entry.id: _answer(entry, rules) for entry in _entries(rules)}


def _draw_one(game: Game | None, game_id: str, name: str) -> str:
    rules = _rules(game)
    answer = _answer(guide.find_entry(name, _entries(rules)), rules)
    return render_template("guide_entry.html", game=game, game_id=game_id, answer=answer)


def _answer(entry: guide.Entry, rules: Rules) -> Answer:
    values = _values(rules)
    general, *house = (_(said, **values) for said in guide.answer(entry, rules))
    question, in_english = _(entry.question, **values), entry.question % Values(values)
    hints = entry.search if question == in_english else f"{in_english} {entry.search}"
    return Answer(entry.id, question, general, house, hints)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
