"""Which proposals are the cards of a table: scenes drawn by hand, and composed ones seen by the trained eye."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from scorekeeper.rules.lake import DeckId
from scorekeeper.training.measure_backs import camera_over, compose, enrolment_picture, lay, signature
from scorekeeper.vision.backs.evidence import LONG, Evidence, Patch
from scorekeeper.vision.backs.gallery import Gallery
from scorekeeper.vision.backs.memo import Memo
from scorekeeper.vision.backs.scene import GROUND, Pairs, Scene
from scorekeeper.vision.backs.search import found_scene
from scorekeeper.vision.backs.spread import SETTINGS, read_spread
from scorekeeper.vision.eye import load_eye
from scorekeeper.vision.places import iou

HIGH, WIDE = int(LONG), int(LONG / 1.4)
SURELY, NEVER = 5.0, -5.0


def drawn(cards, ground=SURELY, size=(80, 120)):
    """The evidence for cards at ``left, top``, each with what speaks for it everywhere, or in its own picture."""
    patches = []
    for left, top, odds in cards:
        patches.append(Patch(left, top, np.broadcast_to(np.float32(odds), (HIGH, WIDE)).copy()))
    bare = np.full(size, ground, np.float32)
    for left, top, _ in cards:
        bare[top : top + HIGH, left : left + WIDE] = NEVER
    return Evidence(1.0, bare, tuple(patches))


def scene_of(evidence, alone=2.0):
    return Scene(Pairs.of(evidence), np.full(len(evidence.cards), alone, np.float32))


def half(upper):
    """What speaks for a card of which the upper or the lower half shows."""
    rows = np.full((HIGH, WIDE), NEVER, np.float32)
    rows[: HIGH // 2 if upper else None] = SURELY
    if not upper:
        rows[: HIGH // 2] = NEVER
        rows[HIGH // 2 :] = SURELY
    return rows


def test_a_card_that_is_there_wins_and_one_on_bare_cloth_does_not():
    evidence = drawn([(10, 10, SURELY), (60, 10, NEVER)])
    evidence.ground[10 : 10 + HIGH, 60 : 60 + WIDE] = SURELY
    scene = scene_of(evidence)
    assert scene.gain(0) > 0 > scene.gain(1)


def test_a_second_outline_of_the_same_card_wins_nothing():
    scene = scene_of(drawn([(10, 10, SURELY), (12, 11, SURELY)]))
    assert scene.grow([0, 1]) > 0
    assert len(scene.cards) == 1


def test_of_two_cards_that_overlap_the_one_lies_above_that_shows_there():
    scene = scene_of(drawn([(10, 10, half(upper=True)), (10, 10 + HIGH // 2, SURELY)]))
    scene.grow([0, 1])
    assert scene.cards == {0, 1}
    assert scene.owner[10 + HIGH // 2 + 2, 12] == 1
    assert scene.owner[12, 12] == 0


def test_what_a_card_hid_shows_when_it_is_taken_away():
    scene = scene_of(drawn([(10, 10, 2.0), (10, 30, SURELY)]))
    scene.grow([0, 1])
    before = scene.copy()
    scene.remove(1)
    assert (scene.owner == 0).sum() == HIGH * WIDE
    assert scene.owner[64, 12] == GROUND
    scene.add(1)
    assert (scene.owner == before.owner).all()


def test_the_order_in_which_cards_are_laid_changes_nothing():
    evidence = drawn([(10, 10, 2.0), (14, 20, 3.0), (20, 28, SURELY), (5, 30, 1.0)])
    owners = []
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]):
        scene = scene_of(evidence)
        for card in order:
            scene.add(card)
        owners.append(scene.owner)
    assert (owners[0] == owners[1]).all()
    assert (owners[0] == owners[2]).all()


def dotted():
    """A back with white dots on black, as regular as any."""
    back = np.full((560, 400, 4), 255, np.uint8)
    back[20:540, 20:380, :3] = 30
    for y in range(40, 540, 32):
        for x in range(40, 380, 32):
            cv2.circle(back, (x, y), 9, (255, 255, 255, 255), -1, cv2.LINE_AA)
    return back


@pytest.fixture(scope="module")
def crossed():
    """Two cards of one dotted deck crosswise, and two of a plain red one beside them; and the enrolled decks."""
    rng, red = np.random.default_rng(12), np.full((560, 400, 4), 255, np.uint8)
    red[25:535, 25:375, :3] = (40, 40, 190)
    decks = {DeckId("dots"): dotted(), DeckId("red"): red}
    gallery = Gallery.from_signatures(
        {deck: [signature(enrolment_picture(np.random.default_rng(5), back))] for deck, back in decks.items()}
    )
    size = (720, 1280)
    camera = camera_over(rng, size, 170 / 88, 10.0)
    image = np.full((*size, 3), (70, 110, 60), np.float32)
    image += rng.normal(0, 3, image.shape)
    for deck, x, y, turn in (
        ("dots", -60, 0, 0.1),
        ("dots", -28, 14, 1.6),
        ("red", 60, -10, 0.4),
        ("red", 90, 30, 2.2),
    ):
        axis = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [62.8 / 2, 44] @ axis + (x, y)
        lay(image, decks[DeckId(deck)], cv2.perspectiveTransform(corners[None], camera)[0], 170)
    return np.clip(image, 0, 255).astype(np.uint8), gallery


def test_two_cards_of_one_dotted_deck_that_lie_crosswise_are_two(crossed):
    image, gallery = crossed
    assert read_spread([image], load_eye(), gallery).counts == {"dots": 2, "red": 2}


def test_the_same_picture_turned_by_half_is_counted_the_same(crossed):
    image, gallery = crossed
    turned = np.ascontiguousarray(image[::-1, ::-1])
    assert read_spread([turned], load_eye(), gallery).counts == read_spread([image], load_eye(), gallery).counts


def test_each_true_card_of_a_spread_raises_the_posterior_and_no_other_proposal_does():
    rng = np.random.default_rng(77)
    backs = [dotted(), np.dstack([np.full((560, 400, 3), (190, 90, 40), np.uint8), np.full((560, 400), 255, np.uint8)])]
    spread = compose(rng, backs, 20, least_visible=0.6, tilt=15.0)
    signatures = {
        DeckId(str(n)): [signature(enrolment_picture(np.random.default_rng(n), back))] for n, back in enumerate(backs)
    }
    gallery, memo = Gallery.from_signatures(signatures), Memo(spread.image)
    found = load_eye().look(spread.image, min_score=SETTINGS.least_score, turned=False)
    seen = found_scene(found, memo, gallery)
    assert seen is not None
    outlines = [card.corners_px.astype(np.float32) for card in spread.cards]
    under = Counter(
        next((n for n, outline in enumerate(outlines) if iou(seen.proposals.quads[card], outline) > 0.6), None)
        for card in seen.scene.cards
    )
    assert under == Counter(range(20))
    assert all(seen.scene.worth(card) > 0 for card in seen.scene.cards)
    assert all(seen.scene.gain(n) <= 0 for n in range(len(seen.proposals)) if n not in seen.scene.cards)
