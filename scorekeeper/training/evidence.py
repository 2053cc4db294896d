"""The training of the networks that say what each pixel of a spread shows, and the fit of a scene's terms."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from scorekeeper.rules.lake import DeckId
from scorekeeper.training import scene
from scorekeeper.training.arena import spreads_in
from scorekeeper.training.back_designs import drawn_back, recoloured
from scorekeeper.training.logistic import fitted
from scorekeeper.training.measure_backs import cases, enrolment_picture, signature
from scorekeeper.training.scene import Laid, Matrix, Sprite
from scorekeeper.training.small_net import begin, export
from scorekeeper.training.tables import Rng
from scorekeeper.vision.backs.evidence import CARD_FEATURES, GROUND_FEATURES, Raster, evidence_of, patch_of, raster_of
from scorekeeper.vision.backs.gallery import Gallery
from scorekeeper.vision.backs.memo import Memo
from scorekeeper.vision.backs.proposals import CLEAR, Proposals, poses_of, proposed
from scorekeeper.vision.backs.scene import Pairs, Scene, alone_features
from scorekeeper.vision.backs.spread import SETTINGS, turned_looks
from scorekeeper.vision.detector import BACK, FACE, Detections
from scorekeeper.vision.eye import Eye, load_eye
from scorekeeper.vision.geometry import Image, Points, side_lengths
from scorekeeper.vision.places import iou
from scorekeeper.vision.windows import Near

log = logging.getLogger(__name__)

Floats = npt.NDArray[np.float32]

ON_CARD = 0.65
"""A proposal whose IoU with a card is higher is on it."""
ON_IT, BADLY = 0.6, 0.2
"""One is the best one on a card from such an IoU on; and lies badly on one from such an IoU on."""
MOST_PROPOSALS, PIXELS = 8, 1200
"""So many proposals of a pixel are learned from, and so many pixels of a table."""
SIZE = (1080, 1920)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The knobs of one run."""

    out: str = "models/out/evidence"
    """Folder for the exported networks."""
    tables: int = 220
    first_seed: int = 600_000
    traced: str = ""
    """Folder of path-traced tables to learn from, too, as datasets/make_spreads.py writes them; none if empty."""
    epochs: int = 6
    batch: int = 1024
    learning_rate: float = 0.008
    threads: int = 1
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """A composed spread, the enrolled decks, and where its cards lie."""

    image: Image
    gallery: Gallery
    corners_px: Points
    """(n, 4, 2), lowest first."""
    decks: tuple[DeckId | None, ...]
    """(n,) whose each is; None where nobody enrolled its deck."""


def table_of(seed: int) -> Table:
    """A spread with nothing but cards on even cloth, or with printed cloths, other things and bad light by turns."""
    if seed % 2:
        return _cluttered(seed)
    (case,) = cases(1, seed, (0.45, 0.7, 0.45, 0.35)[seed // 2 % 4])
    corners = np.array([card.corners_px for card in case.spread.cards], np.float32)
    decks = (DeckId(str(card.deck)) for card in case.spread.cards)
    known = (deck if deck in case.signatures else None for deck in decks)
    return Table(case.spread.image, Gallery.from_signatures(case.signatures), corners, tuple(known))


def _cluttered(seed: int) -> Table:
    rng = np.random.default_rng([seed, 7])
    count = int(rng.integers(2, 8))
    backs = [drawn_back(rng, (420, int(420 * rng.uniform(0.63, 0.715)))) for _ in range(count + 1)]
    if rng.random() < 0.35:
        backs[1] = recoloured(backs[0], rng)
    sprites = [Sprite.of(back) for back in backs]
    shown = count + int(rng.random() < 0.3)  # now and then a deck that nobody enrolled
    while True:
        least = float(rng.choice([0.33, 0.45, 0.6, 0.6]))
        thrown = _scattered(rng, sprites[:shown], float(rng.uniform(0.45, 1.0)))
        cards = scene.thinned(thrown, least)
        view = _framed(rng, cards)
        if view is None:
            continue
        clutter = int(rng.integers(0, 5)) if rng.random() < 0.5 else 0
        picture = scene.compose(rng, SIZE, cards, view, clutter=clutter, calm=rng.random() < 0.6)
        if min(seen.visible for seen in picture.cards) >= least - 0.05:
            break
    signatures = {DeckId(str(n)): [signature(enrolment_picture(rng, back))] for n, back in enumerate(backs[:count])}
    corners = np.array([seen.corners for seen in picture.cards], np.float32)
    decks = (DeckId(seen.laid.deck) for seen in picture.cards)
    known = (deck if deck in signatures else None for deck in decks)
    return Table(picture.image, Gallery.from_signatures(signatures), corners, tuple(known))


def _scattered(rng: Rng, sprites: list[Sprite], room: float) -> list[Laid]:
    """8 to 49 cards on loose places of a grid, *room* apart."""
    count, loose = int(rng.integers(8, 50)), rng.uniform(0.05, 0.3) * room
    across, laid = max(3, round(np.sqrt(count * 1.6))), list[Laid]()
    for k in rng.permutation(count).tolist():
        x, y = k % across * room + rng.normal(0, loose), k // across * room + rng.normal(0, loose)
        deck = int(rng.integers(len(sprites)))
        laid.append(Laid(sprites[deck], float(x), float(y), float(rng.uniform(0, 6.28)), str(deck)))
    return laid


def _framed(rng: Rng, cards: list[Laid]) -> Matrix | None:
    """A camera that sees every card whole; None where none was found."""
    spots, middle, card_px = np.array([(card.x, card.y) for card in cards]), np.eye(3), rng.uniform(120, 280)
    middle[:2, 2] = -(spots.min(0) + spots.max(0)) / 2
    for _ in range(60):
        view = scene.camera(rng, SIZE, card_px, most_tilt=40) @ middle
        if scene.sees_whole(view, spots, SIZE):
            return view
        card_px *= 0.95
    return None


def traced_tables(folder: Path, eye: Eye) -> Iterator[Table]:
    """The spreads of the path-traced tables in *folder*, their decks learned from their own pictures."""
    for _, image, signatures, about in spreads_in(folder, eye):
        corners = np.array([card["corners"] for card in about["cards"]], np.float32)
        decks = tuple(DeckId(card["deck"]) for card in about["cards"])
        yield Table(image, Gallery.from_signatures(signatures), corners, decks)


@dataclass(frozen=True, slots=True)
class Known:
    """A table's proposals and pixels, and what is true of them."""

    memo: Memo
    proposals: Proposals
    raster: Raster
    owner: npt.NDArray[np.int32]
    """(h, w) which card shows; -1 where none does."""
    on: npt.NDArray[np.float64]
    """(proposals, cards) IoU of each two."""


def known_of(table: Table, eye: Eye) -> Known | None:
    """What the eye proposes on *table*, in turned looks, too; None where that is nothing."""
    memo = Memo(table.image)
    found = eye.look(table.image, min_score=SETTINGS.least_score, turned=False).of(FACE, BACK)
    if not len(found):
        return None
    clear = found.pick(np.argsort(-found.scores)[:10])
    length = float(np.median(side_lengths(clear.corners_px).max(1)))
    height, width = table.image.shape[:2]
    everywhere = Near(np.array([[width / 2, height / 2]], np.float32), max(width, height))
    both = Detections.joined([found, *turned_looks(table.image, eye, everywhere, length)])
    poses, length = poses_of(both, memo)
    proposals = proposed(table.gallery, memo, poses, length)
    known = [*proposals.quads[proposals.joint >= CLEAR]]
    raster = raster_of(length, (height, width), memo.cloth(known) if known else None)
    owner = np.full(raster.off.shape, -1, np.int32)
    for n, corners in enumerate(table.corners_px):
        cv2.fillConvexPoly(owner, np.round((corners * raster.scale - 0.5) * 16).astype(np.int32), n, shift=4)
    on = np.array([[iou(quad, corners) for corners in table.corners_px] for quad in proposals.quads])
    return Known(memo, proposals, raster, owner, on)


class Pixels(NamedTuple):
    """Pixels of a table, and what is true of them."""

    cards: Tensor
    """(n, 8, 14) features of the proposals that cover each."""
    covers: Tensor
    """(n, 8) which of these there are."""
    shows: Tensor
    """(n, 8) which of these are on the card that shows."""
    ground: Tensor
    """(n, 3)"""
    bare: Tensor
    """(n,) where no card shows."""


def pixels_of(known: Known, rng: Rng) -> Pixels:
    """Pixels that proposals cover, and a third as many anywhere."""
    width, lists = known.owner.shape[1], dict[int, list[tuple[int, Floats]]]()
    for n in range(len(known.proposals)):
        patch = patch_of(known.proposals, n, known.raster)
        rows, columns = np.nonzero(np.isfinite(patch.values[..., 0])) if patch.values.size else ((), ())
        for row, column in zip(rows, columns, strict=True):
            place = int((row + patch.top) * width + column + patch.left)
            lists.setdefault(place, []).append((n, patch.values[row, column]))
    covered = rng.permutation(np.array([*lists], np.int64))[:PIXELS]
    chosen = np.concatenate([covered, rng.integers(0, known.owner.size, PIXELS // 3)])
    cards = np.zeros((len(chosen), MOST_PROPOSALS, CARD_FEATURES), np.float32)
    covers, shows = np.zeros((2, len(chosen), MOST_PROPOSALS), bool)
    owners = known.owner.reshape(-1)[chosen]
    for n, (place, owner) in enumerate(zip(chosen.tolist(), owners.tolist(), strict=True)):
        for k, (proposal, features) in enumerate(lists.get(place, [])[:MOST_PROPOSALS]):
            cards[n, k], covers[n, k] = features, True
            shows[n, k] = owner >= 0 and known.on[proposal, owner] > ON_CARD
    ground = known.raster.ground.reshape(-1, GROUND_FEATURES)[chosen]
    return Pixels(*(torch.from_numpy(each) for each in (cards, covers, shows, ground, owners < 0)))


class PixelNet(nn.Module):
    """Features (n, *count*) of a pixel to log odds (n, 1)."""

    def __init__(self, count: int, width: int) -> None:
        super().__init__()
        self.mean: Tensor
        self.scale: Tensor
        self.register_buffer("mean", torch.zeros(count))
        self.register_buffer("scale", torch.ones(count))
        self.layers = nn.Sequential(
            nn.Linear(count, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1)
        )

    def forward(self, pixels: Tensor) -> Tensor:
        odds: Tensor = self.layers((pixels - self.mean) / self.scale)
        return odds

    def suit(self, pixels: Tensor) -> None:
        """Learns what its features usually are."""
        self.mean, self.scale = pixels.mean(0), pixels.std(0) + 1e-3


def loss_of(card_net: PixelNet, ground_net: PixelNet, pixels: Pixels) -> Tensor:
    """How unlikely what shows is, by a softmax over the ground and all proposals there; and the ground by itself."""
    odds = torch.full(pixels.covers.shape, -30.0)
    odds[pixels.covers] = card_net(pixels.cards[pixels.covers])[:, 0]
    ground = ground_net(pixels.ground)
    every, true = torch.cat([odds, ground], 1), torch.cat([pixels.shows, pixels.bare[:, None]], 1)
    told = torch.logsumexp(every, 1) - torch.logsumexp(every.masked_fill(~true, -40.0), 1)
    bare = functional.binary_cross_entropy_with_logits(ground[:, 0], pixels.bare.float(), reduction="none")
    return (told * true.any(1) + 0.5 * bare).mean()


def train(recipe: Recipe) -> None:
    """Trains both networks; writes card.onnx and ground.onnx after each epoch."""
    begin(recipe.seed, recipe.threads)
    out, rng = Path(recipe.out), np.random.default_rng(recipe.seed)
    tables = [pixels_of(known, rng) for known in all_known(range(recipe.first_seed, recipe.first_seed + recipe.tables))]
    every = Pixels(*(torch.cat(parts) for parts in zip(*tables, strict=True)))
    card_net, ground_net = PixelNet(CARD_FEATURES, 32), PixelNet(GROUND_FEATURES, 12)
    card_net.suit(every.cards[every.covers])
    ground_net.suit(every.ground)
    optimizer = torch.optim.Adam([*card_net.parameters(), *ground_net.parameters()])
    batches = max(1, len(every.bare) // recipe.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, recipe.learning_rate, total_steps=recipe.epochs * batches + 1
    )
    for epoch in range(recipe.epochs):
        losses = []
        for rows in np.array_split(rng.permutation(len(every.bare)), batches):
            loss = loss_of(card_net, ground_net, Pixels(*(each[torch.from_numpy(rows)] for each in every)))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        log.info("epoch %d of %d, loss %.4f", epoch + 1, recipe.epochs, float(np.mean(losses)))
        export(card_net, (CARD_FEATURES,), out / "card.onnx", ("pixels", "odds"))
        export(ground_net, (GROUND_FEATURES,), out / "ground.onnx", ("pixels", "odds"))


def all_known(seeds: range) -> Iterator[Known]:
    """What the eye proposes on the tables of these seeds."""
    eye = load_eye()
    for seed in seeds:
        known = known_of(table_of(seed), eye)
        if known is not None:
            yield known


def moves_of(known: Known) -> Iterator[tuple[bool, list[float]]]:
    """Whether each proposal is the best one on a card, and what each of the scene's terms says of it beside and under
    the others that are; and of one that lies badly on a card what they say where it takes the best one's place."""
    best = {int(column.argmax()) for column in known.on.T if column.max() > ON_IT}
    alone = alone_features(known.proposals)
    true = Scene(
        Pairs.of(evidence_of(known.proposals, known.raster, known.memo)), np.zeros(len(known.proposals), np.float32)
    )
    for card in sorted(best):
        true.add(card)
    for card in range(len(known.proposals)):
        beside = true.without(card)[0] if card in best else true
        yield card in best, [*alone[card].tolist(), *beside.terms(card)]
        under = int(known.on[card].argmax())
        rival = int(known.on[:, under].argmax())
        if card not in best and rival in best and BADLY < known.on[card, under] <= ON_IT:
            instead, _ = true.without(rival)
            yield False, [*alone[card].tolist(), *instead.terms(card)]


def fitted_terms(seeds: range) -> npt.NDArray[np.float64]:
    """What each term counts: card, sure, joint, size, nobodys, over_ground, over_cards, overlap."""
    moves = [move for known in all_known(seeds) for move in moves_of(known)]
    return fitted(np.array([features for _, features in moves]), np.array([there for there, _ in moves], float))
