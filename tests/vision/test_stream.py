"""Cameras in the network, served for real: each that gives no picture says why, and no password shows anywhere."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.server
import os
import re
import socketserver
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from scorekeeper.errors import CameraError
from scorekeeper.network import secrets_in, without_secrets
from scorekeeper.vision.camera.sources import Patience, encode_jpeg, open_camera
from scorekeeper.vision.camera.stream import parts
from scorekeeper.watch import EyeProcess

QUICK = Patience(first_s=20, next_s=20, attempts=1, pause_s=0.05)
HOUSE = Path(__file__).parents[2]
PASSWORD = "s3cret:w/rd"
JPEG = encode_jpeg(np.full((48, 64, 3), 90, np.uint8))

Answer = Callable[[http.server.BaseHTTPRequestHandler], None]


@contextlib.contextmanager
def served(answer: Answer) -> Iterator[str]:
    """A device in the network that answers as told; its host and port."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with contextlib.suppress(OSError):
                answer(self)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def head(phone: http.server.BaseHTTPRequestHandler, status: int, **headers: str) -> None:
    phone.send_response(status)
    for name, value in headers.items():
        phone.send_header(name.replace("_", "-"), value)
    phone.end_headers()


def stream(phone: http.server.BaseHTTPRequestHandler, *frames: bytes, boundary: str = "frame") -> None:
    head(phone, 200, Content_Type=f"multipart/x-mixed-replace; boundary={boundary}")
    for data in frames:
        part = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data)
        phone.wfile.write(part + data + b"\r\n")


def why(address: str) -> str:
    with pytest.raises(CameraError) as caught, open_camera(address, QUICK):
        pass
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        pytest.param(lambda phone: head(phone, 401), "wants another name or password", id="no password"),
        pytest.param(lambda phone: head(phone, 403), "wants another name or password", id="not allowed"),
        pytest.param(lambda phone: head(phone, 404), "has no video there", id="another path"),
        pytest.param(lambda phone: head(phone, 503), r"refuses \(503\)", id="too many lookers"),
        pytest.param(lambda phone: head(phone, 200, Content_Type="text/html"), "is a web page", id="a web page"),
        pytest.param(lambda phone: head(phone, 200, Content_Type="image/jpeg"), "is one picture", id="a picture"),
        pytest.param(lambda phone: head(phone, 200, Content_Type="video/odd"), r"be played \(video/odd\)", id="codec"),
        pytest.param(lambda phone: stream(phone), "answers, but sends no picture", id="an empty stream"),
        pytest.param(lambda phone: stream(phone, b"no jpeg"), "answers, but sends no picture", id="no pictures"),
    ],
)  # fmt: skip
def test_a_camera_that_gives_no_picture_says_why(answer, says):
    with served(answer) as host:
        said = why(f"http://amy:{PASSWORD}@{host}/video?token=abc123")
    assert re.search(says, said)
    assert "w/rd" not in said
    assert "s3cret" not in said
    assert "abc123" not in said


def test_nobody_at_the_address_is_another_sentence_than_no_such_device():
    assert "no camera answers at http://127.0.0.1:9/video" in why("http://127.0.0.1:9/video")
    assert "there is no device called no-such-camera.invalid" in why("http://no-such-camera.invalid/video")


def test_a_picture_that_changes_its_size_is_shown_as_it_is():
    """A phone that is turned."""
    high = encode_jpeg(np.full((64, 48, 3), 90, np.uint8))
    with served(lambda phone: stream(phone, *[JPEG] * 3, *[high] * 3)) as host:
        from scorekeeper.vision.camera.stream import pictures

        shapes = [image.shape for image in pictures(f"http://{host}/video", 5, 5)]
    assert shapes == [(48, 64, 3)] * 3 + [(64, 48, 3)] * 3


def test_a_password_is_given_plain_or_as_a_digest():
    """As cameras of different makers ask for it."""

    def plain(phone: http.server.BaseHTTPRequestHandler) -> None:
        wanted = base64.b64encode(b"amy:pa@ss").decode()
        if phone.headers.get("Authorization") == f"Basic {wanted}":
            stream(phone, *[JPEG] * 50)
        else:
            head(phone, 401, WWW_Authenticate='Basic realm="camera"')

    def digest(phone: http.server.BaseHTTPRequestHandler) -> None:
        given = dict(re.findall(r'(\w+)="?([^",]+)', phone.headers.get("Authorization", "")))
        first = hashlib.md5(b"amy:camera:pa@ss").hexdigest()
        second = hashlib.md5(f"GET:{phone.path}".encode()).hexdigest()
        wanted = hashlib.md5(f"{first}:n0nce:{second}".encode()).hexdigest()
        if given.get("response") == wanted:
            stream(phone, *[JPEG] * 50)
        else:
            head(phone, 401, WWW_Authenticate='Digest realm="camera", nonce="n0nce"')

    for answer in (plain, digest):
        with served(answer) as host, open_camera(f"http://amy:pa%40ss@{host}/video", QUICK) as frames:
            assert next(frames).shape == (48, 64, 3)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (b"RTSP/1.0 401 Unauthorized\r\nCSeq: 1\r\n\r\n", "wants another name or password"),
        (b"RTSP/1.0 404 Not Found\r\nCSeq: 1\r\n\r\n", "has no video there"),
        (b"RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n", "can't be played"),
    ],
)
def test_a_camera_of_rtsp_says_why(answer, says):
    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with contextlib.suppress(OSError):
                while self.request.recv(4096):
                    self.request.sendall(answer)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        said = why(f"rtsp://amy:{PASSWORD}@127.0.0.1:{server.server_address[1]}/live")
        server.shutdown()
    assert says in said
    assert "s3cret" not in said


@pytest.mark.parametrize("size", [1, 7, 100, 5000])
@pytest.mark.parametrize("length", [True, False], ids=["with lengths", "without"])
def test_pieces_are_found_however_the_network_cuts_them(size, length):
    pieces = [bytes([number]) * (50 * number) for number in range(1, 9)]
    heads = [
        b"--b\r\nContent-Type: image/jpeg\r\n" + (b"content-length: %d\r\n" % len(p) if length else b"") for p in pieces
    ]
    whole = b"".join(start + b"\r\n" + piece + b"\r\n" for start, piece in zip(heads, pieces, strict=True)) + b"--b\r\n"
    chunks = (whole[at : at + size] for at in range(0, len(whole), size))
    assert [piece.rstrip(b"\r\n") for piece in parts(chunks, b"b")] == [piece.rstrip(b"\r\n") for piece in pieces]


# Devices


def test_a_device_that_this_user_may_not_use_says_so():
    script = "\n".join(
        [
            "import os",
            "from scorekeeper.vision.camera.sources import open_camera",
            "os.setuid(54321)",
            "try:",
            "    with open_camera('/dev/kmsg'): pass",
            "except Exception as error: print(error)",
        ]
    )
    if os.geteuid() != 0 or not Path("/dev/kmsg").exists():
        pytest.skip("only root can become somebody who may not")
    done = subprocess.run([sys.executable, "-c", script], cwd=HOUSE, capture_output=True, text=True, check=True)
    assert "this user may not use camera /dev/kmsg: add the user to the group 'video'" in done.stdout


def test_a_device_that_another_program_uses_names_it():
    with Path("/dev/zero").open("rb") as zero, subprocess.Popen(["sleep", "60"], stdin=zero) as user:
        said = why("/dev/zero")
        user.kill()
    assert "camera /dev/zero is in use by sleep: close it" in said


# Passwords


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://amy:pa@ss@cam.lan:8080/video", "http://cam.lan:8080/video"),
        ("rtsp://amy:s3cret/x@10.0.0.9/live", "rtsp://10.0.0.9/live"),
        ("http://10.0.0.9/v?user=amy&pwd=s3cret&size=2", "http://10.0.0.9/v?user=***&pwd=***&size=2"),
        ("http://10.0.0.9/video", "http://10.0.0.9/video"),
        ("0", "0"),
    ],
)
def test_an_address_is_shown_without_its_secrets(address, shown):
    assert without_secrets(address) == shown
    assert all(word not in shown for word in secrets_in(address) if word != "amy")


def test_a_password_stands_neither_in_the_list_of_processes_nor_in_what_is_said(capfd):
    def ask(phone: http.server.BaseHTTPRequestHandler) -> None:
        head(phone, 401)

    with served(ask) as host:
        eye = EyeProcess(f"http://amy:s3cret@{host}/video?token=abc123")
        assert eye.camera == f"http://{host}/video?token=***"
        with pytest.raises(CameraError, match="name or password") as caught:
            eye.snapshot()
        lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if _is_ours(path)]
        assert any(b"scorekeeper.watch.worker\0camera" in line for line in lines)
        seen = [*lines, str(caught.value).encode(), str(eye.condition()).encode(), "".join(capfd.readouterr()).encode()]
        eye.close()
    assert not any(b"s3cret" in each or b"abc123" in each for each in seen)


def _is_ours(path: Path) -> bool:
    """Whether a process was started by this one."""
    with contextlib.suppress(OSError):
        return f"PPid:\t{os.getpid()}\n" in (path.parent / "status").read_text("utf-8")
    return False
