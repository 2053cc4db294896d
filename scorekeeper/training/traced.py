"""Path-traced pictures of tables: paper that bends and shines, lamps, shadows and light from cloth to card.

For measuring: nothing here shares a line with what composes the pictures that the networks learn from but the cards
and the cloths. Needs mitsuba (extra ``train``).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from scorekeeper.training.scene import Laid, Matrix, Sprite
from scorekeeper.training.tables import Image, Rng

Vertices = npt.NDArray[np.float64]

PAPER = 0.0036
"""How thick a card is; the unit here is a card's length."""
ACROSS, DOWN = 8, 12
"""Vertices of a card's mesh."""
CELL = 0.04
"""How finely what lies on the table is known when the next card comes to rest on it."""


@cache
def mitsuba() -> ModuleType:
    """The path tracer, compiled where DRJIT_LIBLLVM_PATH names LLVM 22 (16 ends the process), and elsewhere
    interpreted, several times slower."""
    import mitsuba as mi

    mi.set_variant("llvm_ad_rgb" if os.environ.get("DRJIT_LIBLLVM_PATH") else "scalar_rgb")
    return mi


def traced(rng: Rng, cards: Sequence[Laid], homography: Matrix, top: Image, *, samples: int = 32) -> Image:
    """*cards*, lowest first, on a table *top* (BGR), seen through *homography* (``scene.camera``) in a picture of its
    size."""
    mi = mitsuba()
    height, width = top.shape[:2]
    focal, pose = lens_and_pose(homography, (height, width))
    see = _Table(mi, pose)
    scene: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": 4},
        "camera": _camera(mi, focal, (height, width)),
        "table": see.shape(*_table_top(homography, (height, width)), _cloth(rng, see.texture(top))),
    }
    middle = np.array([(card.x, card.y) for card in cards]).mean(0) if cards else np.zeros(2)
    scene |= _lamps(rng, see, middle, float(np.arctan(np.hypot(width, height) / 2 / focal)))
    papers: dict[int, Any] = {}
    gloss = rng.uniform(0.08, 0.35)
    for number, (card, mesh) in enumerate(zip(cards, _laid(rng, cards), strict=True)):
        if id(card.sprite) not in papers:
            papers[id(card.sprite)] = see.paper(card.sprite, gloss)
        scene[f"card{number}"] = see.shape(*mesh, papers[id(card.sprite)])
    seen = np.array(mi.render(mi.load_dict(scene), spp=samples, seed=int(rng.integers(1 << 30))))[..., :3]
    bright = float(np.percentile(seen.max(2), 99))
    exposed = np.clip(seen * rng.uniform(0.35, 1.0) / max(bright, 1e-6), 0, 1)
    encoded = np.where(exposed < 0.0031308, 12.92 * exposed, 1.055 * exposed ** (1 / 2.4) - 0.055)
    return np.ascontiguousarray(np.round(encoded[..., ::-1] * 255).astype(np.uint8))


def lens_and_pose(homography: Matrix, size: tuple[int, int]) -> tuple[float, Matrix]:
    """The focal length in pixels, and where the table lies before a camera with square pixels: its x, its y and its
    origin as columns (3, 3), in card lengths."""
    height, width = size
    seen = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]]) @ homography
    (a, b), (c, d) = seen[:2, :2].T @ seen[:2, :2], np.outer(seen[2, :2], seen[2, :2])
    known = np.array([c[1], c[0] - d[1]])
    wanted = -np.array([a[1], a[0] - b[1]])
    tilted = float(known @ known) > 1e-9 * float(seen[2, 2]) ** 2 / float(a[0])
    squared = float(known @ wanted / (known @ known)) if tilted else 0.0
    focal = float(np.sqrt(squared)) if squared > 0 else 1.2 * max(size)
    pose = np.diag([1 / focal, 1 / focal, 1.0]) @ seen
    return focal, pose / np.linalg.norm(pose[:, 0])


def _camera(mi: ModuleType, focal: float, size: tuple[int, int]) -> dict[str, Any]:
    height, width = size
    return {
        "type": "perspective",
        "fov": float(np.rad2deg(2 * np.arctan(width / 2 / focal))),
        "fov_axis": "x",
        "near_clip": 0.05,
        "film": {"type": "hdrfilm", "width": width, "height": height, "pixel_format": "rgb"},
    }


class _Table:
    """Makes mitsuba's objects from points on the table: x to the right, y down as seen, z up from the cloth."""

    def __init__(self, mi: ModuleType, pose: Matrix) -> None:
        self._mi = mi
        right, down, self._origin = pose.T
        self._axes = np.stack([right, down, -np.cross(right, down)])

    def seen_from_camera(self, points: Vertices) -> Vertices:
        """*points* (n, 3) of the table where mitsuba's camera, which looks along z with y up, sees them."""
        return (points @ self._axes + self._origin) * (-1, -1, 1)

    def shape(self, points: Vertices, places: Vertices, surface: dict[str, Any]) -> Any:
        """A bent rectangle: *points* (rows, columns, 3) and their *places* (rows, columns, 2) in its texture."""
        rows, columns = points.shape[:2]
        corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).reshape(-1, 1)
        faces = np.concatenate([corner + (0, columns, 1), corner + (1, columns, columns + 1)])
        properties = self._mi.Properties()
        properties["bsdf"] = self._mi.load_dict(surface) if isinstance(surface, dict) else surface
        mesh = self._mi.Mesh(
            "", rows * columns, len(faces), has_vertex_normals=True, has_vertex_texcoords=True, props=properties
        )
        buffers = self._mi.traverse(mesh)
        buffers["vertex_positions"] = self.seen_from_camera(points.reshape(-1, 3)).astype(np.float32).ravel()
        buffers["vertex_texcoords"] = places.reshape(-1, 2).astype(np.float32).ravel()
        buffers["faces"] = faces.astype(np.uint32).ravel()
        buffers.update()
        return mesh

    def texture(self, image: Image, *, raw: bool = False) -> dict[str, Any]:
        """*image* (h, w, 3), BGR, or with *raw* (h, w, 1) numbers."""
        pixels = np.ascontiguousarray(image if raw else image[..., ::-1])
        return {"type": "bitmap", "bitmap": self._mi.Bitmap(pixels), "raw": raw, "wrap_mode": "mirror"}

    def paper(self, sprite: Sprite, gloss: float) -> Any:
        """A card's print under varnish, cut round at its corners; loaded once for all cards that show it."""
        level = sprite.levels[0]
        cover = level[..., 3:].astype(np.float32) / 255
        print_ = np.clip(level[..., :3] / np.maximum(cover, 1 / 255), 0, 255).astype(np.uint8)
        varnished = {"type": "roughplastic", "diffuse_reflectance": self.texture(print_), "alpha": float(gloss)}
        return self._mi.load_dict(
            {
                "type": "mask",
                "opacity": self.texture(np.asarray(cover, np.float32), raw=True),
                "bsdf": {"type": "twosided", "bsdf": varnished},
            }
        )


def _cloth(rng: Rng, texture: dict[str, Any]) -> dict[str, Any]:
    """A table's surface: cloth, or now and then polished wood."""
    if rng.random() < 0.75:
        return {"type": "diffuse", "reflectance": texture}
    return {"type": "roughplastic", "diffuse_reflectance": texture, "alpha": float(rng.uniform(0.15, 0.4))}


def _table_top(homography: Matrix, size: tuple[int, int]) -> tuple[Vertices, Vertices]:
    """A rectangle of cloth as large as what the camera sees of the table and half as much on every side."""
    height, width = size
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    seen = cv2.perspectiveTransform(corners[None], np.linalg.inv(homography))[0]
    low, high = seen.min(0), seen.max(0)
    low, high = low - (high - low) / 2, high + (high - low) / 2
    places = np.stack(np.meshgrid(np.linspace(0, 1, 2), np.linspace(0, 1, 2)), 2)
    flat = low + places * (high - low)
    return np.concatenate([flat, np.zeros((2, 2, 1))], 2), places * 2 - 0.5


def _lamps(rng: Rng, see: _Table, middle: npt.NDArray[np.float64], half_view: float) -> dict[str, Any]:
    """Daylight from all sides, and two to four lamps, small and hard or large and soft, none within *half_view*
    (radians) of the camera's axis."""
    count = int(rng.integers(2, 5))
    lamps: dict[str, Any] = {"sky": {"type": "constant", "radiance": _white(rng, float(rng.uniform(0.15, 0.8)))}}
    while len(lamps) < count:
        away, high, radius = rng.uniform(0, 14), rng.uniform(5, 16), np.exp(rng.uniform(np.log(0.15), np.log(2.5)))
        turn = rng.uniform(0, 2 * np.pi)
        spot = see.seen_from_camera(
            np.array([[middle[0] + away * np.cos(turn), middle[1] + away * np.sin(turn), high]])
        )[0]
        far = float(np.linalg.norm(spot))
        if far < 1.5 * radius or np.arccos(spot[2] / far) < half_view + np.arcsin(radius / far) + 0.05:
            continue  # it would stand in the picture
        power = float(rng.uniform(0.3, 1.5) * (away**2 + high**2) / radius**2)
        lamps[f"lamp{len(lamps)}"] = {
            "type": "sphere",
            "center": spot.tolist(),
            "radius": float(radius),
            "emitter": {"type": "area", "radiance": _white(rng, power)},
        }
    return lamps


def _white(rng: Rng, power: float) -> dict[str, Any]:
    """Light, warm to cold."""
    warm = float(rng.normal(0, 0.15))
    return {"type": "rgb", "value": [power * float(np.exp(warm)), power, power * float(np.exp(-warm))]}


def _wide(card: Laid) -> float:
    height, width = card.sprite.levels[0].shape[:2]
    return width / height


def _laid(rng: Rng, cards: Sequence[Laid]) -> Iterator[tuple[Vertices, Vertices]]:
    """Each card's mesh, bent along and across as used cards are, resting where it first touches what lies below."""
    middles = np.array([(card.x, card.y) for card in cards]).reshape(-1, 2)
    low = middles.min(0, initial=0.0) - 1
    cells = np.ceil((middles.max(0, initial=0.0) + 1 - low) / CELL).astype(int)
    x, y = np.meshgrid(*(edge + CELL * np.arange(count) for edge, count in zip(low, cells, strict=True)))
    ground = np.zeros(x.shape)
    u, v = np.meshgrid(np.linspace(-1, 1, ACROSS), np.linspace(-1, 1, DOWN))
    for card in cards:
        bend, turned = np.abs(rng.normal(0, 0.012, 2)), rng.random() < 0.5
        c, s, half = np.cos(card.angle), np.sin(card.angle), _wide(card) / 2
        across, along = ((x - card.x) * c + (y - card.y) * s) / half, ((y - card.y) * c - (x - card.x) * s) * 2
        under = (np.abs(across) < 1.05) & (np.abs(along) < 1.05)
        rise = _bent(bend, across[under], along[under], turned)
        lift = float(np.max(ground[under] - rise)) + PAPER
        ground[under] = rise + lift
        right, down = u * half, v / 2
        spots = card.x + c * right - s * down, card.y + s * right + c * down
        yield np.stack([*spots, _bent(bend, u, v, turned) + lift], 2), np.stack([u + 1, v + 1], 2) / 2


def _bent(bend: Vertices, across: Vertices, along: Vertices, turned: bool) -> Vertices:
    """How high a card that is bent so far rises at places from -1 to 1 across and along it; *turned*: it arches."""
    rise = bend[0] * across**2 + bend[1] * along**2
    return np.asarray(-rise if turned else rise, np.float64)
