"""Fits the weights by which readings of faces are believed, on composed tables and on photographs."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scorekeeper.rules.lake import JOKER
from scorekeeper.training.around import LAYOUTS, is_on_table
from scorekeeper.training.calibration import Beliefs, Judged
from scorekeeper.training.decks import DeckPool
from scorekeeper.training.layouts import random_pictures
from scorekeeper.training.logistic import fitted
from scorekeeper.vision.background import strange_grounds
from scorekeeper.vision.belief import likely
from scorekeeper.vision.camera.sources import read_picture
from scorekeeper.vision.eye import Eye
from scorekeeper.vision.faces import fan, lake
from scorekeeper.vision.faces.cards import FoundCard, find_cards, sizes_among, table_features
from scorekeeper.vision.faces.doubts import MOST, Doubt, in_doubt
from scorekeeper.vision.geometry import Image
from scorekeeper.vision.weights import READ, TABLE, UNSEEN
from scorekeeper.watch.labels import DEAD, Task, read_labels

Floats = npt.NDArray[np.float64]
Rows = Sequence[Mapping[str, float]]

PHOTOGRAPH = 2
"""A card on a photograph counts as much as so many composed ones."""
FAILS, SEEMS = 0.1, 0.7
"""On so many pictures what lies round some cards is made to tell nothing, up to so likely that they are real: tables
differ from all that the network was taught."""
SCREEN_WEIGHT = 0.3
"""What is no card of the table counts so much: screens that show cards are far rarer on real tables."""
SIZE, CARD_PX, SEED = (720, 960), (80, 180), 901
ON_TABLE = 0.9
"""Cards less likely on the table do not tell how well cards are read."""
MISLABELLED = frozenset({"edje/train_IMG_2396.jpg"})
"""Listed as a 9, but it shows the ten of diamonds."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What a reading makes of one labelled picture."""

    cards: Rows
    """What is known of each card that counts, ..."""
    right: list[bool]
    """... and whether the labels have it."""
    hints: Rows
    """What is known of what did not count, ..."""
    missing: list[bool]
    """... and whether a card is missing there."""
    chance: float
    """How likely all is right, as is believed."""
    whole: bool
    """Whether it is."""
    asked: bool
    """Whether something else is asked, however likely all is right."""


def looks_of(folder: Path, use: str, eye: Eye) -> Iterator[Looked]:
    """What the readings make of the face pictures of *folder* that may be put to this *use*."""
    for one in read_labels(folder, use):
        if one.task is not Task.SPREAD and one.complete and not one.nameless:
            look = _lake_look if one.task is Task.LAKE else _fan_look
            yield look(read_picture(one.pictures[0]), eye, Counter(one.truth), _code)


def ranks_of(listed: Path, eye: Eye) -> Iterator[Looked]:
    """The same for photographs *listed* with the ranks of their cards alone (a file like PHOTOS/train/edje.jsonl)."""
    for line in listed.read_text("utf-8").splitlines():
        row = json.loads(line)
        truth = Counter(str(card["rank"]) for card in row["cards"])
        if row["file"] not in MISLABELLED:
            yield _fan_look(read_picture(listed.parent / row["file"]), eye, truth, _rank)


def _code(card: FoundCard) -> str:
    return JOKER if card.joker else card.card.code if card.card else "?"


def _rank(card: FoundCard) -> str:
    return card.card.rank_name if card.card else "?"


def _fan_look(image: Image, eye: Eye, truth: Counter[str], name: Callable[[FoundCard], str]) -> Looked:
    cards, backs = fan.see_fan(image, eye)
    told, reading = fan.told_apart(cards), fan.reading_of(cards, image, backs=len(backs))
    rows = [fan.features(card, on_another=fan.lies_on(card, told.shown)) for card in told.shown]
    return _judged(told, rows, fan.doubts_of(told, image), reading.problems, truth, name)


def _lake_look(image: Image, eye: Eye, truth: Counter[str], name: Callable[[FoundCard], str]) -> Looked:
    found = lake.see_lake(image, eye)
    seen, reading = lake.piles_of(found, image), lake.reading_of(found, image)
    tops = [lake.top_of(heap) for heap in seen.heaps]
    truth.pop(DEAD, None)
    told = fan.Told(tops, [], list(seen.stray))
    rows = [fan.features(top) for top in tops]
    return _judged(told, rows, lake.doubts_of(seen, image), reading.problems, truth, name)


def _judged(
    told: fan.Told,
    rows: Rows,
    doubts: Sequence[Doubt],
    problems: Sequence[str],
    truth: Counter[str],
    name: Callable[[FoundCard], str],
) -> Looked:
    """What was *told* apart, whose cards have these *rows* of features, and asked, beside the *truth*."""
    spare, right = Counter(truth), [False] * len(told.shown)
    for n in sorted(range(len(told.shown)), key=lambda n: -fan.belief(told.shown[n])):
        right[n] = spare[name(told.shown[n])] > 0
        spare[name(told.shown[n])] -= 1
    missing = +spare
    sure = [n for n, card in enumerate(told.shown) if card.card and card.table > ON_TABLE]
    hints = [(card, False) for card in told.hints if not card.elsewhere] + [(card, True) for card in told.twice]
    return Looked(
        [rows[n] for n in sure],
        [right[n] for n in sure],
        [fan.unseen_features(card, twice=twice) for card, twice in hints],
        [bool(missing) if twice or card.card is None else missing[name(card)] > 0 for card, twice in hints],
        math.prod(doubt.right for doubt in doubts),
        all(right) and not missing,
        len(in_doubt(doubts)) <= MOST and any(problem not in [one.problem for one in doubts] for problem in problems),
    )


def fit_read(composed: Sequence[Looked], photographs: Sequence[Looked]) -> Floats:
    """The weights of READ."""
    looks = [*composed, *list(photographs) * PHOTOGRAPH]
    return _fitted(READ, [row for look in looks for row in look.cards], [one for look in looks for one in look.right])


def fit_unseen(composed: Sequence[Looked], photographs: Sequence[Looked]) -> Floats:
    """The weights of UNSEEN."""
    looks = [*composed, *list(photographs) * PHOTOGRAPH]
    rows, there = [row for look in looks for row in look.hints], [one for look in looks for one in look.missing]
    return _fitted(UNSEEN, rows, there)


def _fitted(names: Iterable[str], rows: Rows, true: Sequence[bool], weights: Sequence[float] | None = None) -> Floats:
    names = [*names]
    features = np.array([[row[name] for name in names] for row in rows]).reshape(-1, len(names))
    return fitted(features, np.array(true, float), weights=None if weights is None else np.array(weights))


def fit_table(count: int, art: Path | None, eye: Eye) -> Floats:
    """The weights of TABLE, by so many composed pictures with screens that show cards."""
    rng, rows, there = np.random.default_rng(SEED), list[Mapping[str, float]](), list[bool]()
    pool = DeckPool(rng, art, art_share=0.4, varied=True)
    for picture in random_pictures(rng, pool, count, SIZE, card_px=CARD_PX, layouts=LAYOUTS, fresh_every=8):
        cards = [card for card in find_cards(picture.image, eye)[0] if card.whole and card.card is not None]
        outlines = [card.corners_px for card in cards]
        grounds, sizes = strange_grounds(picture.image, outlines), sizes_among(picture.image, cards)
        told = [is_on_table(picture, outline) for outline in outlines]
        fails = rng.random() < FAILS
        for card, strange, size, real in zip(cards, grounds, sizes, told, strict=True):
            if real is not None:
                seems = float(rng.uniform(0, SEEMS)) if fails and rng.random() < 0.5 else card.real
                rows.append(table_features(seems, float(strange), float(size)))
                there.append(real)
    return _fitted(TABLE, rows, there, [1.0 if real else SCREEN_WEIGHT for real in there])


def beliefs_of(looks: Iterable[Looked]) -> Beliefs:
    """What ``calibration.report`` and ``plot`` show of these."""
    seen = list(looks)
    beliefs = [likely(row, READ) for look in seen for row in look.cards]
    right = [float(one) for look in seen for one in look.right]
    return Beliefs(np.array(beliefs), np.array(right), [Judged(look.chance, look.whole, look.asked) for look in seen])
