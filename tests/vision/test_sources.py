"""Every picture a phone may send becomes one kind of picture, or one sentence."""

from __future__ import annotations

import http.server
import io
import struct
import sys
import threading
import zlib
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import PIL.Image
import pytest

from scorekeeper.errors import CameraError, PictureError
from scorekeeper.vision.camera import sources as camera
from scorekeeper.vision.camera.sources import Patience, decode_picture, encode_jpeg, open_camera, read_picture
from scorekeeper.vision.geometry import Image

QUICK = Patience(first_s=20, next_s=20, attempts=1, pause_s=0.05, picture_s=0.05)


def scene() -> PIL.Image.Image:
    """Wider than high: red in the top left corner, green in the top right, blue and white below."""
    pixels = np.zeros((120, 160, 3), np.uint8)
    pixels[:60, :80], pixels[:60, 80:] = (250, 0, 0), (0, 250, 0)
    pixels[60:, :80], pixels[60:, 80:] = (0, 0, 250), (250, 250, 250)
    return PIL.Image.fromarray(pixels)


def stored(picture: PIL.Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def corners(image: Image) -> list[str]:
    """The colours at the four corners, from the top left, clockwise."""
    names = {(0, 0, 1): "red", (0, 1, 0): "green", (1, 0, 0): "blue", (1, 1, 1): "white"}
    spots = (image[20, 20], image[20, -20], image[-20, -20], image[-20, 20])
    return [names[tuple(int(channel > 128) for channel in spot)] for spot in spots]


STORED_AS = {
    1: None,
    2: PIL.Image.Transpose.FLIP_LEFT_RIGHT,
    3: PIL.Image.Transpose.ROTATE_180,
    4: PIL.Image.Transpose.FLIP_TOP_BOTTOM,
    5: PIL.Image.Transpose.TRANSPOSE,
    6: PIL.Image.Transpose.ROTATE_90,
    7: PIL.Image.Transpose.TRANSVERSE,
    8: PIL.Image.Transpose.ROTATE_270,
}
"""How a phone that was held each way stores the pixels of the same scene."""


@pytest.mark.parametrize("orientation", STORED_AS)
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_however_the_phone_was_held_the_picture_is_upright(orientation: int, kind: str) -> None:
    turn = STORED_AS[orientation]
    held = scene() if turn is None else scene().transpose(turn)
    exif = PIL.Image.Exif()
    exif[0x0112] = orientation
    image = decode_picture(stored(held, kind, exif=exif))
    assert image.shape == (120, 160, 3)
    assert corners(image) == ["red", "green", "white", "blue"]


@pytest.mark.parametrize("exif", [b"Exif\x00\x00nonsense", b"Exif\x00\x00II*\x00\xff\xff\xff\x7f", b"\x00"])
def test_broken_exif_leaves_the_picture_as_it_is(exif: bytes) -> None:
    assert corners(decode_picture(stored(scene(), "JPEG", exif=exif))) == ["red", "green", "white", "blue"]


def test_an_impossible_orientation_is_ignored() -> None:
    exif = PIL.Image.Exif()
    exif[0x0112] = 99
    assert decode_picture(stored(scene(), "JPEG", exif=exif)).shape == (120, 160, 3)


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        ("RGB", "JPEG"),
        ("CMYK", "JPEG"),
        ("RGBA", "PNG"),
        ("P", "PNG"),
        ("P", "GIF"),
        ("RGB", "BMP"),
        ("RGB", "TIFF"),
        ("RGB", "AVIF"),
    ],
)
def test_every_kind_of_colour_becomes_bgr(mode: str, kind: str) -> None:
    image = decode_picture(stored(scene().convert(mode), kind))
    assert image.dtype == np.uint8
    assert image.flags.c_contiguous
    assert corners(image) == ["red", "green", "white", "blue"]


@pytest.mark.parametrize("mode", ["L", "LA", "1", "I;16"])
def test_greys_become_three_equal_channels(mode: str) -> None:
    ramp = np.tile(np.linspace(0, 255, 256, dtype=np.uint8), (64, 1))
    grey = PIL.Image.fromarray(ramp.astype(np.uint16) * 257) if mode == "I;16" else PIL.Image.fromarray(ramp)
    image = decode_picture(stored(grey if mode == "I;16" else grey.convert(mode), "PNG"))
    assert image.shape == (64, 256, 3)
    assert (image[..., 0] == image[..., 2]).all()
    assert image[:, :16].mean() < 20 < 235 < image[:, -16:].mean()


def test_a_transparent_ground_is_paper() -> None:
    assert (decode_picture(stored(PIL.Image.new("RGBA", (64, 64), (0, 0, 0, 0)), "PNG")) == 255).all()


def test_sixteen_bits_a_channel_become_eight() -> None:
    deep = np.full((40, 50, 3), (0, 30000, 65535), np.uint16)
    image = decode_picture(cv2.imencode(".png", deep)[1].tobytes())
    assert np.abs(image[20, 25].astype(int) - (0, 117, 255)).max() <= 1


def refusal(data: bytes) -> str:
    with pytest.raises(PictureError) as caught:
        decode_picture(data, "lake.jpg")
    text = str(caught.value)
    assert text.startswith("lake.jpg")
    assert "\n" not in text
    return text


@pytest.mark.parametrize(
    "data", [b"x", b"hello, I am a text" * 99, b"%PDF-1.7 ...", b"\xff\xd8", b"\x89PNG\r\n\x1a\nIEND"]
)
def test_no_picture_is_refused(data: bytes) -> None:
    assert "take or send it again" in refusal(data) or "send a JPEG or PNG photo" in refusal(data)


def test_an_empty_upload_is_refused() -> None:
    assert "empty" in refusal(b"")


def test_a_vector_file_that_would_start_another_program_is_refused() -> None:
    assert "not a picture" in refusal(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EOF\n")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("left", [0.02, 0.5, 0.9, 0.999])
def test_a_picture_cut_short_is_refused_instead_of_filled_with_grey(kind: str, left: float) -> None:
    noise = PIL.Image.fromarray(np.random.default_rng(7).integers(0, 255, (200, 300, 3), np.uint8))
    data = stored(noise, kind)
    refusal(data[: min(int(len(data) * left), len(data) - 13)])


def test_a_progressive_photo_cut_short_is_refused() -> None:
    data = stored(scene().resize((1200, 900)), "JPEG", progressive=True)
    assert "cut short" in refusal(data[: len(data) // 2])


def test_what_a_phone_hangs_on_after_the_photo_is_ignored() -> None:
    assert decode_picture(stored(scene(), "JPEG") + b"MotionPhoto_Data" * 1000).shape == (120, 160, 3)


def test_forty_megabytes_are_too_many() -> None:
    assert "41 MB" in refusal(stored(scene(), "JPEG") + bytes(41 * 2**20))


def png_claiming(width: int, height: int) -> bytes:
    """A small file whose header claims a huge picture."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack("!I", len(body)) + kind + body + struct.pack("!I", zlib.crc32(kind + body))

    header = struct.pack("!IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(8001, 8000), (12000, 9000), (60000, 60000), (1, 2_000_000_000)])
def test_a_decompression_bomb_is_refused_by_its_header(size: tuple[int, int]) -> None:
    assert "is too large: send it smaller" in refusal(png_claiming(*size))


def test_sixty_four_megapixels_are_just_allowed() -> None:
    assert "cut short" in refusal(png_claiming(8000, 8000))  # judged by its pixels, of which it has none


@pytest.mark.parametrize("size", [(9248, 6936), (12000, 9000)], ids=["64 megapixels", "108 megapixels"])
def test_a_large_photo_of_a_phone_is_read_at_half_its_size(size: tuple[int, int]) -> None:
    image = decode_picture(stored(scene().resize(size, PIL.Image.Resampling.NEAREST), "JPEG"))
    assert image.shape == (size[1] // 2, size[0] // 2, 3)
    assert corners(image[:: size[1] // 240, :: size[0] // 320]) == ["red", "green", "white", "blue"]


@pytest.mark.parametrize("brand", [b"heic", b"mif1", b"heix"])
def test_a_heic_photo_says_what_to_do_where_the_library_is_not_built(monkeypatch, brand: bytes) -> None:
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    camera._reads_heic.cache_clear()
    assert "Most Compatible" in refusal(b"\x00\x00\x00\x18ftyp" + brand + bytes(40))
    camera._reads_heic.cache_clear()


@pytest.fixture
def heic() -> bytes:
    """A photo of an iPhone."""
    pillow_heif = pytest.importorskip("pillow_heif", reason="this computer has no library for HEIC")
    file = io.BytesIO()
    pillow_heif.from_pillow(scene()).save(file, quality=95)
    return file.getvalue()


def test_a_heic_photo_is_read(heic: bytes, tmp_path: Path) -> None:
    assert corners(decode_picture(heic)) == ["red", "green", "white", "blue"]
    (tmp_path / "table.heic").write_bytes(heic)
    with open_camera(tmp_path.as_posix(), QUICK) as frames:
        assert next(frames).shape == (120, 160, 3)


def test_a_heic_photo_that_is_cut_short_is_refused(heic: bytes) -> None:
    for length in (40, len(heic) // 2, len(heic) - 20):
        assert refusal(heic[:length])


@pytest.mark.parametrize("brand", [b"qt  ", b"mp42", b"isom", b"hvc1"])
def test_the_film_of_a_live_photo_is_said_to_be_one(brand: bytes) -> None:
    assert "is a video" in refusal(b"\x00\x00\x00\x18ftyp" + brand + bytes(40))


def test_other_kinds_of_phone_pictures_are_read() -> None:
    """A photo with a film behind it, a panorama, and a screenshot that can be seen through."""
    moving = stored(scene(), "JPEG") + b"\x00\x00\x00\x18ftypmp42" + bytes(5000)
    assert corners(decode_picture(moving)) == ["red", "green", "white", "blue"]
    wide = scene().resize((15000, 3000), PIL.Image.Resampling.NEAREST)
    assert decode_picture(stored(wide, "JPEG")).shape == (3000, 15000, 3)
    screenshot = scene().convert("RGBA")
    screenshot.putalpha(255)
    assert corners(decode_picture(stored(screenshot, "PNG"))) == ["red", "green", "white", "blue"]


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="there is no picture"):
        read_picture(tmp_path / "none.jpg")


def test_a_folder_is_no_picture(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="can't be opened"):
        read_picture(tmp_path)


# --- cameras


def photo(shade: int) -> Image:
    return np.full((48, 64, 3), shade, np.uint8)


def test_a_folder_of_pictures_is_shown_in_turn(tmp_path: Path) -> None:
    for name, shade in (("a.jpg", 40), ("b.jpg", 200)):
        (tmp_path / name).write_bytes(encode_jpeg(photo(shade)))
    (tmp_path / "broken.jpg").write_bytes(b"no picture")
    (tmp_path / "notes.txt").write_text("no picture either")
    with open_camera(tmp_path.as_posix(), QUICK) as frames:
        shades = {int(round(next(frames).mean(), -1)) for _ in range(12)}
    assert shades == {40, 200}


@pytest.mark.parametrize("names", [(), ("notes.txt",), ("broken.jpg",)])
def test_a_folder_without_pictures_is_refused(tmp_path: Path, names: tuple[str, ...]) -> None:
    for name in names:
        (tmp_path / name).write_text("no picture")
    with pytest.raises(CameraError, match="no picture that can be read"), open_camera(str(tmp_path), QUICK):
        pass


def test_a_video_plays_again_when_it_ends(tmp_path: Path) -> None:
    path = str(tmp_path / "clip.avi")
    writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"MJPG"), 100, (64, 48))
    for _ in range(3):
        writer.write(photo(90))
    writer.release()
    with open_camera(path, QUICK) as frames:
        assert all(next(frames).shape == (48, 64, 3) for _ in range(5))


def test_a_file_that_is_no_video_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    path.write_text("no video")
    with pytest.raises(CameraError, match="not a video"), open_camera(str(path), QUICK):
        pass


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (73, "there is no camera 73: plug it in"),
        ("73", "there is no camera 73: plug it in"),
        ("/dev/video73", "there is no camera /dev/video73"),
        ("no-such-thing", "there is no camera 'no-such-thing'"),
        ("http://127.0.0.1:9/video", "no camera answers at"),
    ],
)
def test_a_missing_camera_says_what_to_do(source: int | str, says: str) -> None:
    with pytest.raises(CameraError, match=says), open_camera(source, QUICK):
        pass


class PhoneCamera(http.server.BaseHTTPRequestHandler):
    """A phone app that serves MJPEG, and goes away when its server says so."""

    frames = 0

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        while not self.server.unplugged.is_set():  # type: ignore[attr-defined]
            type(self).frames += 1
            data = encode_jpeg(photo(min(255, self.frames)))
            head = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data)
            try:
                self.wfile.write(head + data + b"\r\n")
            except OSError:
                return
            self.server.unplugged.wait(0.01)  # type: ignore[attr-defined]

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def phone() -> Iterator[http.server.ThreadingHTTPServer]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), PhoneCamera)
    server.daemon_threads = True
    server.unplugged = threading.Event()  # type: ignore[attr-defined]
    PhoneCamera.frames = 0
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.unplugged.set()  # type: ignore[attr-defined]
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_phone_is_a_camera_until_it_is_switched_off(phone: http.server.ThreadingHTTPServer) -> None:
    with open_camera(f"http://127.0.0.1:{phone.server_port}/video", QUICK) as frames:
        assert next(frames).shape == (48, 64, 3)
        phone.unplugged.set()  # type: ignore[attr-defined]
        with pytest.raises(CameraError, match="unplugged or switched off"):
            deque(frames, maxlen=0)


def test_whoever_looks_rarely_sees_the_newest_frame(phone: http.server.ThreadingHTTPServer) -> None:
    with open_camera(f"http://127.0.0.1:{phone.server_port}/video", QUICK) as frames:
        first = next(frames).mean()
        while PhoneCamera.frames < 150:
            threading.Event().wait(0.01)
        assert next(frames).mean() > first + 30  # a frame's shade is its number: those between were dropped
