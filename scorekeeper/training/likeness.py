"""The likeness network's training: cards of composed spreads beside the enrolled backs they may be of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from scorekeeper.rules.lake import DeckId
from scorekeeper.training.back_designs import PLAIN, Picture, in_colours_of, recoloured
from scorekeeper.training.measure_backs import (
    Composed,
    cards_under,
    compose,
    drawn_backs,
    enrolment_picture,
    signature,
)
from scorekeeper.training.small_net import Recipe, Rows, Shard, all_shards, begin, conv, export, fit
from scorekeeper.vision.backs.gallery import (
    Compared,
    Gallery,
    Places,
    apart,
    exposure_of,
)
from scorekeeper.vision.backs.likeness import Likeness, as_contrasted
from scorekeeper.vision.backs.memo import Memo
from scorekeeper.vision.backs.search import found_scene
from scorekeeper.vision.backs.spread import SETTINGS
from scorekeeper.vision.detector import BACK, FACE
from scorekeeper.vision.eye import Eye, load_eye
from scorekeeper.vision.templates import CELL, COLUMNS, ROWS, Floats, Seen, Signature, balanced

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Spread:
    """A composed spread as ``identified`` sees it, with its truth."""

    gallery: Gallery
    owners: tuple[int, ...]
    """Which deck of the gallery each card is of; beyond its decks or -1 for a deck nobody enrolled and for a face."""
    seen: tuple[Seen, ...]
    compared: tuple[Compared, ...]
    exposure: np.float32
    alike: npt.NDArray[np.bool_]
    """(backs, decks): which backs nothing but the light tells from which decks."""


def spread_of(seed: int, eye: Eye, *, strays: bool = False) -> Spread:
    """A spread of 2 to 9 decks and two that nobody enrolled, as *eye* outlines it; now and then two decks are kin.

    With *strays* outlines on no card belong to it, too, as nobody's.
    """
    rng = np.random.default_rng(seed)
    decks = int(rng.choice([2, 3, 4, 6, 9]))
    backs = drawn_backs(rng, decks + 2, plain=PLAIN if rng.random() < 0.7 else MORE_PLAIN)
    if rng.random() < 0.4:
        backs[1] = _kin(rng, backs[0], backs[1])
    for stranger in (decks, decks + 1):
        if rng.random() < 0.6:
            backs[stranger] = _kin(rng, backs[int(rng.integers(decks))], backs[stranger])
    visible = float(rng.choice([0.45, 0.6, 0.75]))
    laid = compose(rng, backs, int(rng.integers(10, 33)), least_visible=visible, faces=int(rng.integers(0, 3)))
    enrolled = {
        DeckId(str(n)): [signature(enrolment_picture(rng, back)) for _ in range(1 if rng.random() < 0.7 else 2)]
        for n, back in enumerate(backs[:decks])
    }
    soft = [_soft(back) for back in backs]
    alike = np.array([[_same_but_for_light(back, deck) for deck in soft[:decks]] for back in soft], bool)
    return _seen(laid, Gallery.from_signatures(enrolled), alike, eye, strays)


MORE_PLAIN = 0.35
"""In some spreads so large a share of the printed backs is of one colour."""
CONFUSED = 20
"""Backs of which hardly a place differs by so much (of 255) differ in nothing but the light they might be seen in."""
SIBLINGS = 6
"""Of so many backs the one nearest to a deck is its kin."""


def _kin(rng: Rng, back: Picture, other: Picture) -> Picture:
    """A back that resembles *back*: its design in another colour, or larger, *other* in its colours, or the nearest of
    some."""
    how = rng.random()
    if how < 0.3:
        return recoloured(back, rng)
    if how < 0.42:
        zoom = rng.uniform(1.2, 1.7)
        top, left = (round(side * (1 - 1 / zoom) / 2) for side in back.shape[:2])
        part = back[top : back.shape[0] - top, left : back.shape[1] - left, :3]
        inside = cv2.resize(part, (back.shape[1], back.shape[0]), interpolation=cv2.INTER_CUBIC)
        return np.dstack([inside, back[..., 3]])
    if how < 0.65:
        return in_colours_of(back, other)
    siblings = [other, *(in_colours_of(back, each) for each in drawn_backs(rng, SIBLINGS))]
    gallery = Gallery.from_signatures(
        {DeckId(str(n)): [_as_enrolled(each)] for n, each in enumerate([back, *siblings])}
    )
    return siblings[int(np.argmin([apart(gallery, 0, n) for n in range(1, len(gallery.decks))]))]


def only_light_tells(back: Picture, other: Picture) -> bool:
    """Whether nothing but the light that both might be seen in tells these backs apart."""
    return _same_but_for_light(_soft(back), _soft(other))


def _soft(back: Picture) -> Floats:
    """A ``_small`` back without its finest lines."""
    return np.asarray(cv2.GaussianBlur(_small(back), (0, 0), 1.0), np.float32)


def _same_but_for_light(mine: Floats, theirs: Floats) -> bool:
    """The same of two backs as ``_soft`` has them."""
    gain = (mine * theirs).sum((0, 1)) / np.maximum((theirs * theirs).sum((0, 1)), 1)
    ways = (theirs * gain, theirs[::-1, ::-1] * gain)
    return min(float(np.percentile(np.abs(mine - way).max(2), 98)) for way in ways) < CONFUSED


def _as_enrolled(back: Picture) -> str:
    """The signature of a back that nothing is wrong with."""
    return Signature(balanced(_small(back).astype(np.uint8))).to_text()


def _small(back: Picture) -> Floats:
    """A back as large as a signature, (224, 160, 3), with nothing at its corners."""
    small = cv2.resize(back, (2 * COLUMNS * CELL, 2 * ROWS * CELL), interpolation=cv2.INTER_AREA).astype(np.float32)
    alpha = small[..., 3:] / 255
    return np.asarray(small[..., :3] * alpha + small[..., :3].mean((0, 1)) * (1 - alpha), np.float32)


def _seen(laid: Composed, gallery: Gallery, alike: npt.NDArray[np.bool_], eye: Eye, strays: bool) -> Spread:
    """The cards of *laid* that the eye finds, under the outlines it finds them in, and *strays*."""
    memo = Memo(laid.image)
    found = eye.look(laid.image, min_score=SETTINGS.least_score, turned=False)
    scene = found_scene(found.of(FACE, BACK), memo, gallery)
    cards = [] if scene is None else [scene.proposals.quads[n] for n in sorted(scene.scene.cards)]
    under = cards_under(cards, laid, 0.5)
    owners = {
        n: -1 if card is None else laid.cards[card].deck for n, card in enumerate(under) if strays or card is not None
    }
    seen = tuple(memo.seen([cards[n] for n in owners]))
    compared = tuple(gallery.compare(seen))
    return Spread(gallery, tuple(owners.values()), seen, compared, exposure_of(seen), alike)


def pairs_of(spread: Spread, rng: Rng) -> Iterator[tuple[Floats, bool]]:
    """Each card beside its own deck and the nearest other one, or the two nearest; now and then one more: but none
    that its own can't be told from."""
    for seen, compared, owner in zip(spread.seen, spread.compared, spread.owners, strict=True):
        if compared.visible < 0.2:
            continue
        own = [owner] if 0 <= owner < len(spread.gallery.decks) else []
        near = np.argsort(compared.distances).tolist()
        others = [deck for deck in near if deck != owner and not (owner >= 0 and spread.alike[owner, deck])]
        for deck in own + others[: 2 - len(own) + (rng.random() < 0.3)]:
            (pair,) = spread.gallery.pairs([seen], [compared], np.array([deck]), spread.exposure)
            yield pair, owner == deck


def compose_shard(seeds: range) -> Shard:
    """The pairs of some spreads: "seen" and "theirs" (n, 112, 80, 3), "mask" (n, 28, 20), "same" (n,)."""
    eye = load_eye()
    pairs: list[npt.NDArray[np.uint8]] = []
    same: list[bool] = []
    for seed in seeds:
        for pair, theirs in pairs_of(spread_of(seed, eye), np.random.default_rng(seed)):
            pairs.append(np.round(pair * 255).astype(np.uint8))
            same.append(theirs)
    return {
        "seen": np.stack([pair[:3].transpose(1, 2, 0) for pair in pairs]),
        "theirs": np.stack([pair[3:6].transpose(1, 2, 0) for pair in pairs]),
        "mask": np.stack([pair[6, ::CELL, ::CELL] for pair in pairs]),
        "same": np.array(same),
    }


REACH = 2
"""Places of 4 pixels by which what two pictures show may be moved against each other: outlines are not exact."""


class LikenessNet(nn.Module):
    """(n, 7, 112, 80) pairs to (n,) log odds that they are one design; what is hidden counts nothing.

    Both pictures are looked at by the same layers; each place of the card seen is held against that place of the
    enrolled back and those round it, by what the layers make of them and by colour.
    """

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        around = (2 * REACH + 1) ** 2
        self.look = nn.Sequential(
            *conv(3, width, 2), *conv(width, width, 2), nn.Conv2d(width, width, 3, 1, 1, bias=False)
        )
        self.a = nn.Sequential(*conv(2 * around + 7, 48, 1))
        self.b = nn.Sequential(*conv(48, 64, 2), *conv(64, 64, 1))
        self.f = nn.Sequential(nn.Linear(129, 64), nn.ReLU(inplace=True), nn.Dropout(0.2), nn.Linear(64, 1))

    def forward(self, pairs: torch.Tensor) -> torch.Tensor:
        seen, theirs, free = pairs[:, :3], pairs[:, 3:6], functional.avg_pool2d(pairs[:, 6:7], 4)
        mine, other = (functional.normalize(self.look(each - 0.5), dim=1) for each in (seen, theirs))
        colour, paint = functional.avg_pool2d(seen, 4), functional.avg_pool2d(theirs, 4)
        agree = [(mine * part).sum(1, keepdim=True) for part in _around(other)]
        differ = [(colour - part).abs().sum(1, keepdim=True) for part in _around(paint)]
        found = self.a(torch.cat([*agree, *differ, colour, paint, free], 1))
        found = self.b(found * free)
        weight = functional.avg_pool2d(free, 2)
        total = weight.sum((2, 3))
        mean, most = (found * weight).sum((2, 3)) / (total + 1e-3), (found * weight).amax((2, 3))
        odds: torch.Tensor = self.f(torch.cat([mean, most, total / 140], 1))[:, 0]
        return odds


def _around(places: torch.Tensor) -> list[torch.Tensor]:
    """*places* (n, channels, 28, 20) moved by up to REACH each way, zeros coming in."""
    padded = functional.pad(places, (REACH,) * 4)
    steps = range(2 * REACH + 1)
    return [padded[:, :, y : y + ROWS, x : x + COLUMNS] for y in steps for x in steps]


def _seen_otherwise(rng: Rng, picture: Floats) -> Floats:
    """An upright card under light that falls off, with another camera's contrast, haze, blur, aliasing and noise."""
    across, down = (np.linspace(-1, 1, side, dtype=np.float32) for side in (picture.shape[1], picture.shape[0]))
    x, y = np.meshgrid(across, down)
    slope = rng.normal(0, 0.08, 2)
    shade = (1 + slope[0] * x + slope[1] * y)[..., None] * np.exp(rng.normal(0, 0.05, 3))
    other = np.clip(picture * shade, 0, 1) ** np.exp(rng.normal(0, 0.15))
    if rng.random() < 0.3:
        haze = rng.uniform(0, 0.15)
        other = other * (1 - haze) + haze
    if rng.random() < 0.4:
        other = cv2.GaussianBlur(other, (0, 0), rng.uniform(0.3, 1.3))
    if rng.random() < 0.35:
        other = _aliased(rng, other)
    if rng.random() < 0.2:
        other = _mirrored_lamp(rng, other, x, y)
    other = other + rng.normal(0, 0.02 * rng.random(), picture.shape)
    return np.clip(other, 0, 1).astype(np.float32)


def _mirrored_lamp(rng: Rng, picture: Floats, x: Floats, y: Floats) -> Floats:
    """An upright card on which a lamp is mirrored: paler round a place, at *x* and *y* from -1 to 1."""
    middle, size = rng.uniform(-1.2, 1.2, 2), rng.uniform(0.3, 1.5, 2)
    near = np.exp(-(((x - middle[0]) / size[0]) ** 2) - ((y - middle[1]) / size[1]) ** 2)[..., None]
    veil = rng.uniform(0.1, 0.6) * near
    return np.asarray(picture * (1 - veil) + veil * np.exp(rng.normal(0, 0.1, 3)), np.float32)


def _aliased(rng: Rng, picture: Floats) -> Floats:
    """An upright card from fewer pixels than its fine lines need: they come out as other lines."""
    height, width = picture.shape[:2]
    size = (round(width * rng.uniform(0.55, 0.95)), round(height * rng.uniform(0.55, 0.95)))
    few = cv2.resize(picture, size, interpolation=int(rng.choice([cv2.INTER_NEAREST, cv2.INTER_LINEAR])))
    return np.asarray(cv2.resize(few, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _elsewhere(rng: Rng, picture: Floats) -> Floats:
    """An upright card whose outline was taken a little too large, too small or beside it, and hazier."""
    height, width = picture.shape[:2]
    scale, shift = np.exp(rng.normal(0, 0.03, 2)), rng.normal(0, 1.7, 2)
    middle = np.array([width, height]) / 2
    matrix = np.array([[scale[0], 0, 0], [0, scale[1], 0]])
    matrix[:, 2] = middle * (1 - scale) + shift
    moved = cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    haze = rng.uniform(0, 0.5) if rng.random() < 0.4 else 0.0
    return np.asarray(moved * (1 - haze) + haze * moved.mean((0, 1)), np.float32)


def batch_of(shard: Shard, rows: Rows, rng: Rng) -> torch.Tensor:
    """Pairs in other light, seen otherwise, turned by half, a little beside each other, and with parts hidden."""
    seen, theirs = (shard[name][rows].astype(np.float32) / 255 for name in ("seen", "theirs"))
    seen = np.stack([_seen_otherwise(rng, picture) for picture in seen])
    free = (shard["mask"][rows].astype(np.float32) / 255).repeat(CELL, 1).repeat(CELL, 2)
    light = np.exp(rng.normal(0, 0.12, (len(rows), 1, 1, 3)) + rng.normal(0, 0.2, (len(rows), 1, 1, 1)))
    seen, theirs = (np.clip(part * light.astype(np.float32), 0, 1) for part in (seen, theirs))
    half = rng.random(len(rows)) < 0.5
    for part in (seen, theirs, free):
        part[half] = part[half][:, ::-1, ::-1]
    for n in range(len(rows)):
        if rng.random() < 0.35:
            theirs[n] = _elsewhere(rng, theirs[n])
        if rng.random() < 0.3:
            y, x = rng.integers(0, (90, 60))
            free[n, y : y + rng.integers(10, 60), x : x + rng.integers(10, 60)] = 0
        theirs[n] = as_contrasted(theirs[n], seen[n], free[n])
    stacked = np.concatenate([seen.transpose(0, 3, 1, 2), theirs.transpose(0, 3, 1, 2), free[:, None]], 1)
    return torch.from_numpy(np.ascontiguousarray(stacked, np.float32))


def train(recipe: Recipe) -> None:
    """Composes what is missing of the pairs, trains on all of them, and writes likeness.onnx."""
    begin(recipe.seed, recipe.threads)
    shard, rng, net = all_shards(recipe, compose_shard), np.random.default_rng(recipe.seed), LikenessNet()

    def loss_of(rows: Rows) -> torch.Tensor:
        wanted = torch.from_numpy(shard["same"][rows].astype(np.float32)) * 0.99 + 0.005
        with torch.autocast("cpu", dtype=torch.bfloat16):
            odds = net(batch_of(shard, rows, rng))
        return functional.binary_cross_entropy_with_logits(odds.float(), wanted)

    fit(net, len(shard["same"]), loss_of, recipe, lambda: write(net, Path(recipe.out) / "likeness.onnx"))


def write(net: LikenessNet, path: Path) -> None:
    """Exports the network."""
    export(net, (7, ROWS * CELL, COLUMNS * CELL), path, ("pairs", "odds"))


@dataclass(frozen=True, slots=True)
class Known:
    """What the comparison says of cards whose decks are known."""

    features: Floats
    """(n, 4): 1, and the likeness, the distance and the view of the likeliest deck."""
    right: npt.NDArray[np.bool_]
    """(n,): whether that is the card's deck."""
    leads: Floats
    """(m,): how much more evidence there is for a card's own deck than for the best other that was asked about."""


def known_of(spread: Spread, likeness: Likeness) -> Known:
    """What the comparison says of the cards of *spread*."""
    gallery, scores, owners = spread.gallery, spread.gallery.scores(spread.compared), np.array(spread.owners)

    def odds(cards: Places, decks: Places) -> Floats:
        seen, compared = [spread.seen[n] for n in cards], [spread.compared[n] for n in cards]
        return likeness(gallery.pairs(seen, compared, decks, spread.exposure))

    alike = gallery.alike(spread.compared, scores, odds)
    evidence = np.where(alike > -gallery.settings.most_likeness, gallery.evidence(scores, alike), -np.inf)
    cards, best = np.arange(len(owners)), evidence.argmax(1)
    visible = np.array([one.visible for one in spread.compared])
    features = np.stack([np.ones(len(cards)), alike[cards, best], scores[cards, best], visible], 1)
    enrolled = np.flatnonzero((owners >= 0) & (owners < len(gallery.decks)))
    own, others = evidence[enrolled, owners[enrolled]], evidence[enrolled].copy()
    others[np.arange(len(enrolled)), owners[enrolled]] = -np.inf
    leads = own - others.max(1)
    return Known(features.astype(np.float32), best == owners, leads[np.isfinite(leads)])
