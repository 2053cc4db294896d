"""A camera in the network: its MJPEG stream picture by picture, each in the size it has, and why there is none."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from urllib.parse import unquote, urlsplit

import cv2
import httpx
import numpy as np

from scorekeeper.errors import CameraError
from scorekeeper.network import without_secrets
from scorekeeper.rules.said import Said, say
from scorekeeper.vision.geometry import Image

MOST_BYTES = 16 * 1024 * 1024
"""Of one picture of a stream; what is longer is no stream of pictures."""
RTSP_PORT = 554
OK, UNAUTHORIZED, FORBIDDEN, NOT_FOUND = 200, 401, 403, 404


class OtherKindError(Exception):
    """The address gives a video of another kind, which OpenCV may be able to play."""


def pictures(address: str, open_s: float, read_s: float) -> Iterator[Image]:
    """The pictures of an http(s) MJPEG stream until it ends or is silent for *read_s* seconds.

    Raises CameraError that says why there are none, OtherKindError for what is no MJPEG.
    """
    # Cameras make their certificates themselves, and none is behind this computer's proxy.
    with httpx.Client(verify=False, trust_env=False, follow_redirects=True) as client:
        timeout, seen = httpx.Timeout(open_s, read=read_s), False
        try:
            with closing(_opened(client, address, timeout)) as answer:
                kind = answer.headers.get("Content-Type", "")
                _refuse_by_answer(address, answer.status_code, kind.strip().lower())
                boundary = _boundary(kind)
                if not boundary:
                    raise OtherKindError(kind)
                for data in parts(answer.iter_raw(), boundary):
                    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
                    if image is not None:
                        seen = True
                        yield image.astype(np.uint8, copy=False)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.InvalidURL) as error:
            raise CameraError(_unreached(address, str(error))) from error
        except (httpx.HTTPError, httpx.StreamError):
            pass  # it was interrupted, or never began
    if not seen:
        raise CameraError(
            say(
                "the camera at %(source)s answers, but sends no picture: start its app again",
                source=without_secrets(address),
            )
        )


def _opened(client: httpx.Client, address: str, timeout: httpx.Timeout) -> httpx.Response:
    """The answer, whose pictures are not read yet; once more where the camera wants its password as a digest."""
    answer = client.send(client.build_request("GET", address, timeout=timeout), stream=True)
    parsed = urlsplit(address)
    if answer.status_code == UNAUTHORIZED and "digest" in answer.headers.get("WWW-Authenticate", "").lower():
        answer.close()
        digest = httpx.DigestAuth(unquote(parsed.username or ""), unquote(parsed.password or ""))
        answer = client.send(client.build_request("GET", address, timeout=timeout), stream=True, auth=digest)
    return answer


def _refuse_by_answer(address: str, status: int, kind: str) -> None:
    if status != OK:
        raise CameraError(_refused(address, status))
    if kind.startswith(("text/html", "application/xhtml+xml")):
        raise CameraError(
            say(
                "%(source)s is a web page, not a camera's pictures: give the address of its video, which often ends in "
                "/video or /stream",
                source=without_secrets(address),
            )
        )
    if kind.startswith("image/"):
        raise CameraError(
            say(
                "%(source)s is one picture, not a video: give the address of the camera's video",
                source=without_secrets(address),
            )
        )
    if not kind.startswith("multipart/"):
        raise OtherKindError(kind.partition(";")[0])


def parts(chunks: Iterable[bytes], boundary: bytes) -> Iterator[bytes]:
    """The pieces of a multipart stream, each as soon as it is whole."""
    buffer = bytearray()
    for chunk in chunks:
        buffer += chunk
        while (found := _first_part(buffer, b"--" + boundary)) is not None:
            start, end = found
            yield bytes(buffer[start:end])
            del buffer[:end]
        if len(buffer) > MOST_BYTES:
            return


def _first_part(buffer: bytearray, mark: bytes) -> tuple[int, int] | None:
    """Where the first whole piece begins and ends; None while there is none."""
    at = buffer.find(mark)
    start = buffer.find(b"\r\n\r\n", at) + 4 if at >= 0 else 0
    if start < 4:
        return None
    length = re.search(rb"content-length:\s*(\d{1,9})", bytes(buffer[at:start]), re.IGNORECASE)
    if length is None:  # ends where the next one begins
        end = buffer.find(mark, start)
        return None if end < 0 else (start, end)
    end = start + int(length[1])
    return (start, end) if len(buffer) >= end else None


def _boundary(kind: str) -> bytes:
    """What separates the pictures; some cameras write the dashes along."""
    found = re.search(r'boundary="?([^";]+)', kind, re.IGNORECASE)
    return (found[1].strip() if found else "").removeprefix("--").encode("latin-1", "replace")


def why_no_rtsp(address: str, wait_s: float) -> Said:
    """Why a camera that speaks RTSP gives no picture, as it says itself."""
    parsed = urlsplit(address)
    plain = f"rtsp://{parsed.hostname}:{parsed.port or RTSP_PORT}{parsed.path}".encode()
    asked = b"DESCRIBE %b RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n" % plain
    answer = b""
    try:
        with socket.create_connection((parsed.hostname or "", parsed.port or RTSP_PORT), wait_s) as link:
            link.settimeout(wait_s)
            link.sendall(asked)
            with suppress(TimeoutError):
                answer = link.recv(1024)
    except (OSError, ValueError) as error:
        return _unreached(address, str(error))
    status = re.match(rb"RTSP/1\.\d (\d{3})", answer)
    return _refused(address, int(status[1])) if status and int(status[1]) != OK else unplayable(address)


def unplayable(address: str, kind: str = "") -> Said:
    """That a camera answers, but its video can't be decoded."""
    return say(
        "the video of %(source)s can't be played (%(kind)s): choose MJPEG or H.264 in the camera's settings",
        source=without_secrets(address),
        kind=kind or "?",
    )


def _refused(address: str, status: int) -> Said:
    source = without_secrets(address)
    if status in (UNAUTHORIZED, FORBIDDEN):
        return say(
            "the camera at %(source)s wants another name or password: write them into the settings as "
            "http://name:password@...",
            source=source,
        )
    if status == NOT_FOUND:
        return say("the camera at %(source)s answers, but has no video there: look up its address", source=source)
    return say("the camera at %(source)s refuses (%(status)s): look at its app", source=source, status=status)


def _unreached(address: str, reason: str) -> Said:
    host = urlsplit(address).hostname or ""
    if "Name or" in reason or "getaddrinfo" in reason or "nodename" in reason or "name resolution" in reason:
        return say("there is no device called %(host)s in this network: give its numeric address", host=host)
    return say(
        "no camera answers at %(source)s: check that its app is running and in the same network",
        source=without_secrets(address),
    )
