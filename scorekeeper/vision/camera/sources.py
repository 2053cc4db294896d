"""Where pictures come from: bytes of an upload, a file, or a camera that keeps looking.

Everything that leaves here is one kind of picture: BGR, 8 bits, the right way up (EXIF applied).
"""

from __future__ import annotations

import io
import os
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import PIL.Image
from PIL import ImageOps, UnidentifiedImageError

from scorekeeper.devices import device_numbers
from scorekeeper.errors import CameraError, PictureError
from scorekeeper.network import with_quoted_password, without_secrets
from scorekeeper.rules.said import Said, say
from scorekeeper.vision.camera.stream import OtherKindError, pictures, unplayable, why_no_rtsp
from scorekeeper.vision.geometry import ROTATIONS, Image

MAX_BYTES = 40 * 1024 * 1024
MAX_PIXELS = 64_000_000
MAX_JPEG_PIXELS = 4 * MAX_PIXELS
"""Phones write photos of 64, 108 and 200 megapixels as JPEG, which is decoded at half its size at once."""
FORMATS = ("JPEG", "PNG", "WEBP", "AVIF", "BMP", "GIF", "TIFF")
"""What phones and cameras write, and none of the formats that start other programs."""
ENDINGS = {".jpg", ".jpeg", ".png", ".webp", ".avif", ".heic", ".heif", ".bmp", ".gif", ".tif", ".tiff"}

THE_PICTURE = say("the picture")
"""What a picture is called that has no name."""

_HEIC = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")


def decode_picture(data: bytes, name: str = THE_PICTURE) -> Image:
    """The picture in *data*, shape (height, width, 3), the right way up.

    Raises PictureError when *data* is no image, too large, cut short, or a HEIC photo that can't be read here.
    """
    _refuse_by_look(data, name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd metadata and bombs: judged below, by size
            with PIL.Image.open(io.BytesIO(data), formats=("HEIF",) if is_heic(data) else FORMATS) as opened:
                if opened.format == "JPEG" and MAX_PIXELS < opened.width * opened.height <= MAX_JPEG_PIXELS:
                    opened.draft(None, (opened.width // 2, opened.height // 2))
                _refuse_by_size(opened.size, name)
                opened.load()
                return _as_bgr(_upright(opened))
    except PictureError:
        raise
    except UnidentifiedImageError as error:
        raise PictureError(
            say("%(name)s is not a picture that can be read: send a JPEG or PNG photo", name=name)
        ) from error
    except PIL.Image.DecompressionBombError as error:
        raise PictureError(_too_many_pixels(name)) from error
    except MemoryError as error:
        raise PictureError(
            say("%(name)s does not fit into this computer's memory: send it smaller", name=name)
        ) from error
    except Exception as error:  # decoders raise many kinds: OSError, SyntaxError, ValueError, struct.error
        raise PictureError(_damaged(name)) from error


def read_picture(path: str | Path) -> Image:
    """The picture in a file; raises PictureError as ``decode_picture`` does, and when there is no such file."""
    path = Path(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise PictureError(_too_many_bytes(path.name, path.stat().st_size))
        return decode_picture(path.read_bytes(), path.name)
    except FileNotFoundError as error:
        raise PictureError(say("there is no picture %(path)r: check its name", path=str(path))) from error
    except OSError as error:
        text = say(
            "the picture %(path)r can't be opened (%(reason)s): choose another file",
            path=str(path),
            reason=error.strerror or "unknown reason",
        )
        raise PictureError(text) from error


def encode_jpeg(image: Image, quality: int = 85) -> bytes:
    """*image* as JPEG."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError(f"a picture of shape {image.shape} can't become JPEG")
    return data.tobytes()


def _refuse_by_look(data: bytes, name: str) -> None:
    if not data:
        raise PictureError(say("%(name)s is empty: take or choose the photo again", name=name))
    if len(data) > MAX_BYTES:
        raise PictureError(_too_many_bytes(name, len(data)))
    if is_video(data):
        raise PictureError(say("%(name)s is a video: send a photo, of a Live Photo its still picture", name=name))
    if is_heic(data) and not _reads_heic():
        text = say(
            "%(name)s is a HEIC photo, which can't be read here: on an iPhone choose Settings > Camera > Formats > "
            "'Most Compatible', or take the photo from this page, or send it as JPEG",
            name=name,
        )
        raise PictureError(text)
    if data.startswith(b"\x89PNG") and b"IEND" not in data[-4096:]:
        raise PictureError(_damaged(name))


def is_heic(data: bytes) -> bool:
    """Whether it is a photo as iPhones keep it."""
    return data[4:8] == b"ftyp" and data[8:12] in _HEIC


def is_video(data: bytes) -> bool:
    """Whether it is one of the films that phones write, such as the other half of a Live Photo."""
    return data[4:8] == b"ftyp" and data[8:12] not in (*_HEIC, b"avif", b"avis")


@cache
def _reads_heic() -> bool:
    """Has Pillow read HEIC from now on; False on computers for which the library is not built."""
    try:
        import pillow_heif
    except ImportError:
        return False
    pillow_heif.register_heif_opener()
    return True


def _refuse_by_size(size: tuple[int, int], name: str) -> None:
    """Judges the size that the header claims, before any pixel is decoded."""
    if size[0] * size[1] > MAX_PIXELS:
        raise PictureError(_too_many_pixels(name))


def _damaged(name: str) -> Said:
    return say("%(name)s is cut short or damaged: take or send it again", name=name)


def _too_many_bytes(name: str, size: int) -> Said:
    megabytes = round(size / 2**20)
    return say("%(name)s has %(size)s MB and at most 40 MB are taken: send it smaller", name=name, size=megabytes)


def _too_many_pixels(name: str) -> Said:
    return say("%(name)s is too large: send it smaller", name=name)


def _upright(picture: PIL.Image.Image) -> PIL.Image.Image:
    """Turned as its EXIF says; a picture whose EXIF is broken stays as it is."""
    with suppress(Exception):  # broken metadata takes many shapes, and the pixels are fine
        ImageOps.exif_transpose(picture, in_place=True)  # otherwise it copies a picture that stands upright already
    return picture


def _as_bgr(picture: PIL.Image.Image) -> Image:
    if picture.mode.startswith("I") or picture.mode == "F":
        return _from_deep_grey(np.asarray(picture, np.float32))
    if picture.has_transparency_data:
        paper = PIL.Image.new("RGBA", picture.size, "white")
        picture = PIL.Image.alpha_composite(paper, picture.convert("RGBA"))
    picture = picture if picture.mode == "RGB" else picture.convert("RGB")
    bgr: Image = np.empty((picture.height, picture.width, 3), np.uint8)
    for top in range(0, picture.height, 256):  # in strips: a photograph in one piece would be in memory four times
        strip = np.asarray(picture.crop((0, top, picture.width, min(top + 256, picture.height))), np.uint8)
        cv2.cvtColor(strip, cv2.COLOR_RGB2BGR, dst=bgr[top : top + 256])
    return bgr


def _from_deep_grey(grey: npt.NDArray[np.float32]) -> Image:
    """Greys of more than 8 bits, brought to 0..255: by 16 bits where they fit, by their own maximum elsewhere."""
    top = float(grey.max(initial=0))
    scale = 1.0 if top <= 255 else 255 / 65535 if top <= 65535 else 255 / top
    eight = np.clip(grey * scale, 0, 255).astype(np.uint8)
    return np.repeat(eight[:, :, None], 3, axis=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a camera is waited for."""

    first_s: float = 15.0
    """Until the first frame."""

    next_s: float = 15.0
    """Until the next frame, reconnecting included."""

    attempts: int = 4
    """Reconnections in a row before a live source counts as unplugged."""

    pause_s: float = 1.0
    """Between two reconnections."""

    picture_s: float = 4.0
    """How long each picture of a folder is shown."""


WANTED_SIZE = (1920, 1080)
"""Width and height a webcam is asked for where nothing else is said; it gives what it can."""
SILENT_S = 4.0
"""Without a picture for so long, the phone that is the camera is gone."""


class Sent:
    """A camera elsewhere that sends its pictures here, one by one; *gone* is said when it does so no more.

    Safe to be filled by another thread.
    """

    def __init__(self, gone: Said) -> None:
        self._gone = gone
        self._changed = threading.Condition()
        self._number = 0
        self._data = b""
        self._at_s = float("-inf")

    def put(self, data: bytes) -> None:
        """The next picture, as JPEG."""
        with self._changed:
            self._number, self._data, self._at_s = self._number + 1, data, time.monotonic()
            self._changed.notify_all()

    def pictures(self) -> Iterator[Image]:
        """The newest picture, and each that comes; raises CameraError once none has come for a while."""
        seen = 0
        while True:
            with self._changed:
                left = self._at_s + SILENT_S - time.monotonic()
                if not self._changed.wait_for(lambda: self._number > seen, max(0.0, left)) or left <= 0:  # noqa: B023
                    raise CameraError(self._gone)
                seen, data = self._number, self._data
            with suppress(PictureError):  # a phone that was interrupted
                yield decode_picture(data)


@contextmanager
def open_camera(source: int | str, patience: Patience | None = None, *, rotate: int = 0) -> Iterator[Iterator[Image]]:
    """The frames of *source*, always the newest one; an endless iterator.

    *source* is a device number, a video file (played again and again at its own speed), a folder of pictures
    (shown one after the other), or an http(s):// or rtsp:// address; *rotate* turns it clockwise by 0, 90, 180 or
    270 degrees. Raises CameraError, also later when it is unplugged.
    """
    patience = patience or Patience()
    with open_newest(source, patience, rotate=rotate) as newest:
        newest.wait(after=0, timeout_s=patience.first_s)
        yield _endless(newest, patience)


@contextmanager
def open_newest(
    source: int | str | Sent,
    patience: Patience | None = None,
    *,
    rotate: int = 0,
    size: tuple[int, int] = WANTED_SIZE,
) -> Iterator[Newest]:
    """The same for whoever can't wait: the newest frame whenever it is asked for. Raises CameraError.

    A webcam is asked for pictures of this *size*.
    """
    if isinstance(source, Sent):
        newest = Newest(source.pictures, "phone", True, ROTATIONS[rotate])
    else:
        name, produce = without_secrets(str(source)), _producer(source, patience or Patience(), size)
        newest = Newest(produce, name, is_live(source), ROTATIONS[rotate])
    try:
        yield newest
    finally:
        newest.stop()


def _endless(newest: Newest, patience: Patience) -> Iterator[Image]:
    seen = 0
    while True:
        seen, frame = newest.wait(after=seen, timeout_s=patience.next_s)
        yield frame


class Newest:
    """Reads a source in a thread of its own and keeps the last frame only."""

    def __init__(
        self, produce: Callable[[], Iterator[Image]], name: str, live: bool = False, turn: int | None = None
    ) -> None:
        self.live = live
        """Whether a lens is behind it, whose pictures are never the same twice."""
        self._produce = produce
        self._name = name
        self._turn = turn
        self._changed = threading.Condition()
        self._number = 0
        self._frame: Image | None = None
        self._error: Exception | None = None
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._thread.start()

    def peek(self, *, after: int, timeout_s: float) -> tuple[int, Image] | None:
        """The newest frame and its number, once it is newer than *after*; None when there is none in time."""
        with self._changed:
            self._changed.wait_for(lambda: self._error is not None or self._number > after, timeout_s)
            if self._error is not None:
                raise self._error
            return None if self._frame is None or self._number <= after else (self._number, self._frame)

    def wait(self, *, after: int, timeout_s: float) -> tuple[int, Image]:
        """The same; raises CameraError when there is none in time."""
        found = self.peek(after=after, timeout_s=timeout_s)
        if found is None:
            text = say(
                "camera %(name)r has given no picture for %(seconds)s seconds: "
                "check its plug and its network, then try again",
                name=self._name,
                seconds=round(timeout_s),
            )
            raise CameraError(text)
        return found

    def stop(self) -> None:
        self._stopped = True
        self._thread.join(timeout=2)  # a read that hangs ends with the process

    def _run(self) -> None:
        try:
            for frame in self._produce():
                if self._stopped:
                    return
                if self._turn is not None:
                    frame = cv2.rotate(frame, self._turn).astype(np.uint8, copy=False)
                with self._changed:
                    self._number, self._frame = self._number + 1, frame
                    self._changed.notify_all()
        except Exception as error:  # carried over to whoever waits, who raises it
            with self._changed:
                self._error = error
                self._changed.notify_all()


ADDRESSES = ("http://", "https://", "rtsp://", "rtsps://")


def is_live(source: int | str) -> bool:
    """Whether *source* is a lens that looks now, and no file or folder."""
    text = str(source).strip()
    return text.startswith((*ADDRESSES, "/dev/")) or text.isdecimal()


def _producer(source: int | str, patience: Patience, size: tuple[int, int]) -> Callable[[], Iterator[Image]]:
    text = str(source).strip()
    if text.startswith(ADDRESSES):
        return lambda: _live(with_quoted_password(text), patience, size)
    if text.isdecimal():
        return lambda: _live(int(text), patience, size)
    path = Path(text)
    if path.is_dir():
        return lambda: _leaf_through(path, patience)
    if path.is_file():
        return lambda: _play(path)
    if text.startswith("/dev/"):
        return lambda: _live(text, patience, size)
    told = say(
        "there is no camera %(source)r: give a device number such as 0, a video file, a folder of pictures, "
        "or an http:// or rtsp:// address",
        source=text,
    )
    raise CameraError(told)


def _live(source: int | str, patience: Patience, size: tuple[int, int]) -> Iterator[Image]:
    """Frames of a device or a network camera; an interrupted one is opened again a few times."""
    seen, failures = False, 0
    while True:
        try:
            for frame in _streamed(source, FIRST_LIMIT_MS if not seen else AGAIN_LIMIT_MS, size):
                seen, failures = True, 0
                yield frame
        except CameraError:
            if not seen:
                raise
        failures += 1
        if not seen:
            raise CameraError(_cannot_open(source))
        if failures > patience.attempts:
            text = say(
                "camera %(source)r was unplugged or switched off: plug it in and try again",
                source=without_secrets(str(source)),
            )
            raise CameraError(text)
        time.sleep(patience.pause_s)


def _streamed(source: int | str, limit_ms: int, size: tuple[int, int]) -> Iterator[Image]:
    """Frames until the source ends; raises CameraError where a network camera says why it gives none."""
    if not (isinstance(source, str) and source.startswith(("http://", "https://"))):
        yield from _captured(source, limit_ms, size)
        return
    try:
        yield from pictures(source, limit_ms / 1000, AGAIN_LIMIT_MS / 1000)
    except OtherKindError as error:
        shown = False
        for frame in _captured(source, limit_ms):
            shown = True
            yield frame
        if not shown:
            raise CameraError(unplayable(source, str(error))) from error


def _cannot_open(source: int | str) -> Said:
    if isinstance(source, str) and source.startswith(("rtsp://", "rtsps://")):
        return why_no_rtsp(source, AGAIN_LIMIT_MS / 1000)
    if isinstance(source, str) and "://" in source:
        return unplayable(source)
    device = Path(f"/dev/video{source}" if isinstance(source, int) else source)
    if Path("/dev").is_dir() and not device.exists():
        others = ", ".join(str(number) for number in device_numbers())
        if others:
            return say("there is no camera %(source)s, but %(others)s: choose one", source=source, others=others)
        return say("there is no camera %(source)s: plug it in, or choose another number", source=source)
    if device.exists() and not os.access(device, os.R_OK | os.W_OK):
        return say(
            "this user may not use camera %(source)s: add the user to the group 'video', then sign in again",
            source=source,
        )
    if user := user_of(device):
        return say("camera %(source)s is in use by %(program)s: close it, then try again", source=source, program=user)
    return say(
        "camera %(source)s can't be opened: close other programs that use it, or plug it in again", source=source
    )


def user_of(device: Path) -> str:
    """The program that has *device* open, as far as this user may know; empty for none."""
    for handle in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            if handle.readlink() == device and handle.parts[2] != str(os.getpid()):
                return (Path("/proc") / handle.parts[2] / "comm").read_text("utf-8", "replace").strip()
    return ""


FIRST_LIMIT_MS, AGAIN_LIMIT_MS = 8000, 3000
"""How long a network camera may take to answer at first, and when it is opened again."""


def _captured(
    source: int | str, limit_ms: int = FIRST_LIMIT_MS, size: tuple[int, int] = WANTED_SIZE
) -> Iterator[Image]:
    """Frames until the source ends; none when it can't be opened."""
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # our sentence says it
    capture = cv2.VideoCapture()
    try:
        if isinstance(source, str) and "://" in source:
            limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, limit_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC, AGAIN_LIMIT_MS]
            capture.open(source, cv2.CAP_FFMPEG, limits)
        else:
            capture.open(source, cv2.CAP_ANY)
        if is_live(source) and "://" not in str(source):
            _ask_for_much(capture, size)
        while capture.isOpened():
            good, frame = capture.read()
            if not good or frame is None:
                return
            yield _three_channels(frame.astype(np.uint8, copy=False))
    finally:
        capture.release()


def _ask_for_much(capture: cv2.VideoCapture, size: tuple[int, int]) -> None:
    """A webcam's full picture, compressed so that it fits through the cable, and no old frames."""
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)


def _three_channels(frame: npt.NDArray[np.uint8]) -> Image:
    return frame if frame.ndim == 3 else cv2.cvtColor(frame, cv2.COLOR_GRAY2BGR).astype(np.uint8, copy=False)


def _play(path: Path) -> Iterator[Image]:
    """A video file at its own speed, from the start again when it ends."""
    pause_s = 1 / _frames_per_second(path)
    while True:
        played, due_s = False, time.monotonic()
        for frame in _captured(str(path)):
            played = True
            yield frame
            due_s = max(due_s + pause_s, time.monotonic() - 1)  # a slow computer makes up for a second, not more
            time.sleep(max(0.0, due_s - time.monotonic()))
        if not played:
            raise CameraError(say("%(path)r is not a video that can be played: choose another file", path=str(path)))


def _frames_per_second(path: Path) -> float:
    capture = cv2.VideoCapture(str(path))
    try:
        rate = float(capture.get(cv2.CAP_PROP_FPS))
    finally:
        capture.release()
    return rate if 1 <= rate <= 240 else 25.0


def _leaf_through(folder: Path, patience: Patience) -> Iterator[Image]:
    """The pictures in and under a folder by name, each shown for a while; those that can't be read are left out."""
    while True:
        shown = False
        for path in sorted(path for path in folder.rglob("*") if path.suffix.lower() in ENDINGS):
            try:
                picture = read_picture(path)
            except PictureError:
                continue
            shown, until = True, time.monotonic() + patience.picture_s
            while time.monotonic() < until:
                yield picture
                time.sleep(min(0.1, patience.picture_s))
        if not shown:
            text = say("the folder %(path)r has no picture that can be read: put JPEG files there", path=str(folder))
            raise CameraError(text)
