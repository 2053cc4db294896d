"""From the set-up check to the counts in the hand: real Chromium, real server, real eye, a phone's camera over HTTP."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from scorekeeper.resources import data_path
from scorekeeper.rules.scoring import Rules, make_sides
from scorekeeper.watch import EyeProcess
from web import create_app

pytestmark = pytest.mark.browser
HAND = data_path("datasets/samples/hand1")
TRUTH = json.loads((HAND / "truth.json").read_text("utf-8"))
LAID = {"red": 5, "blue": 12, "green": 8}
"""Cards of each deck on spread-1.jpg; the decks from left to right on decks.jpg."""
PATIENCE_MS = 300_000


class PhoneCamera:
    """A phone that serves its camera over HTTP: the picture named last, with the noise of a camera."""

    def __init__(self) -> None:
        self._frames: list[bytes] = []
        self._gone = threading.Event()
        self._server: http.server.ThreadingHTTPServer
        self._port = 0
        self.plug_in()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}/video"

    def plug_in(self) -> None:
        camera = self
        self._gone.clear()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                number = 0
                while not camera._gone.wait(0.15):
                    data = camera._frames[number % len(camera._frames)]
                    number += 1
                    head = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data)
                    try:
                        self.wfile.write(head + data + b"\r\n")
                    except OSError:
                        return

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", self._port), Handler)
        self._server.daemon_threads = True
        self._port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def unplug(self) -> None:
        self._gone.set()
        self._server.shutdown()
        self._server.server_close()

    def show(self, name: str) -> None:
        """Points at a sample picture."""
        image = cv2.resize(cv2.imread(str(HAND / name)), (1280, 720), interpolation=cv2.INTER_AREA)
        rng = np.random.default_rng(4)
        noisy = [np.clip(image + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8) for _ in range(4)]
        self._frames = [cv2.imencode(".jpg", frame)[1].tobytes() for frame in noisy]


@pytest.fixture
def camera() -> Iterator[PhoneCamera]:
    camera = PhoneCamera()
    camera.show("lake.jpg")
    yield camera
    camera.unplug()


@pytest.fixture
def game_id(book):
    return book.start_game(make_sides([side["name"] for side in TRUTH["sides"]]), Rules(), request_id="start")


@pytest.fixture
def app(book, settings, camera):
    with EyeProcess(camera.address) as eye:
        yield create_app(book, eye, settings)


@pytest.fixture
def page(browser: Browser, address: str, pin: str) -> Iterator[Page]:
    expect.set_options(timeout=PATIENCE_MS)
    context = browser.new_context(service_workers="block", base_url=address, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto("/sign-in")
    page.get_by_label("PIN").fill(pin)
    page.get_by_role("button", name="Sign in").click()
    yield page
    context.close()


def counted(page: Page) -> None:
    expect(page.locator("#scan")).to_have_attribute("data-phase", "locked")


def test_a_table_is_set_up_and_its_lake_counted_live_through_an_unplugged_camera(page, camera, game_id):
    page.goto(f"/g/{game_id}/camera")
    expect(page.locator(".remark-sum")).to_contain_text("Nothing is wrong")

    camera.show("decks.jpg")
    page.goto(f"/g/{game_id}/decks")
    page.locator(".all-decks").get_by_role("button", name="Table camera").click()
    for number, colour in enumerate(LAID):
        card = page.locator(".laid > li").nth(number)
        expect(card.get_by_role("heading")).to_have_text(f"The {colour} one")
        owner = next(side["name"] for side in TRUTH["sides"] if side["deck"] == colour)
        card.get_by_label("Whose is it?").select_option(label=owner)
    page.get_by_role("button", name="These are the decks").click()
    expect(page.locator("img.back")).to_have_count(3)

    page.goto(f"/g/{game_id}/hand")
    page.fill("#total", str(sum(LAID.values())))
    expect(page.locator("#sum-line")).to_contain_text("25")
    page.get_by_role("link", name="Count live with the table camera").click()
    camera.show("spread-1.jpg")
    page.get_by_role("button", name="Start counting").click()
    counted(page)
    camera.unplug()
    expect(page.locator(".scan-why")).to_contain_text("The camera gives no picture")
    camera.plug_in()
    counted(page)
    expect(page.locator(".scan-sum")).to_contain_text("All cards found")
    page.get_by_role("button", name="Use these counts").click()
    for number, side in enumerate(TRUTH["sides"]):
        expect(page.locator(f"#lake-{number}")).to_have_value(str(LAID[side["deck"]]))
    expect(page.locator("#step-spread .shape.back")).to_have_count(25)
