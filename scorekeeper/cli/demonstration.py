"""``scorekeeper demo``: a real server with a data folder of its own, and somebody who plays a hand on it by pictures.

Everything goes the way a phone goes: over HTTP, through the forms of the pages, read by the real eye.
"""

from __future__ import annotations

import contextlib
import html
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
import httpx

from scorekeeper.config import ENVIRONMENT, SETTINGS_NAME
from scorekeeper.errors import ScorekeeperError, SettingsError
from scorekeeper.resources import data_path
from scorekeeper.rules.scoring import PATTERNS, side_id

TAG = re.compile(r"<[^>]*>")
TROUBLE = re.compile(r'class="trouble"[^>]*>(.*?)</(?:p|div)>', re.DOTALL)
REFUSED = 422

START_S = 120.0
"""How long the server may take to come up."""
ANSWER_S = 240.0
"""How long it may take to answer; the first picture waits for the eye to wake up."""


class DemoError(ScorekeeperError):
    """The demonstration can't go on."""


def run(*, port: int, fast: bool, once: bool) -> None:
    """Plays the sample hands, then serves on until Ctrl-C, or ends when *once*."""
    hands = sample_hands()
    with (
        tempfile.TemporaryDirectory(prefix="scorekeeper-demo-") as folder,
        server(Path(folder), port) as (address, pin),
    ):
        pace = Pace(0 if fast else 3)
        try:
            with httpx.Client(
                base_url=address, headers={"Origin": address}, timeout=ANSWER_S, follow_redirects=True
            ) as client:
                Player(client, pace).play(hands, pin)
        except httpx.HTTPError as error:
            raise DemoError(f"the server of the demonstration broke down: {error}") from error
        if once:
            return
        click.echo("\nThe board stays up; try the pages yourself. Ctrl-C ends the demonstration.")
        with contextlib.suppress(KeyboardInterrupt):
            signal.pause() if hasattr(signal, "pause") else time.sleep(24 * 3600)
    click.echo("The demonstration's games are gone; `scorekeeper serve` keeps yours.")


def sample_hands() -> list[Path]:
    """The folders of the sample pictures, in order; raises SettingsError when there are none."""
    try:
        folder = data_path("datasets/samples")
    except FileNotFoundError as error:
        raise SettingsError(str(error)) from error
    hands = sorted(path.parent for path in folder.glob("*/truth.json"))
    if not hands:
        raise SettingsError(f"there are no sample pictures in {str(folder)!r}: install the scorekeeper again")
    return hands


@contextlib.contextmanager
def server(folder: Path, port: int) -> Iterator[tuple[str, str]]:
    """A real server with its data in *folder*; yields its local address and its PIN."""
    port = port or free_port()
    own = folder / SETTINGS_NAME  # empty, as those of this computer are for its own games
    own.touch()
    serve = [sys.executable, "-m", "scorekeeper", "serve"]
    command = [*serve, "--settings", str(own), "--data", str(folder), "--port", str(port)]
    process = subprocess.Popen(command, env={**os.environ, **dict.fromkeys(ENVIRONMENT, "")})
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_for(address, process)
        yield address, (folder / "pin.txt").read_text("ascii").strip()
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_S
    while time.monotonic() < until:
        if process.poll() is not None:
            raise DemoError("the server of the demonstration did not start; see above why")
        with contextlib.suppress(httpx.TransportError):
            httpx.get(address, timeout=5)
            return
        time.sleep(0.1)
    raise DemoError(f"the server of the demonstration has not answered for {START_S:.0f} seconds")


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a person gets to look at each step."""

    pause_s: float

    def say(self, text: str) -> None:
        """Tells what happens next, then waits."""
        click.echo(f"  {text}")
        time.sleep(self.pause_s)


class Form(HTMLParser):
    """Reads the fields of a page's forms as a browser would send them."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        name, kind = known.get("name"), known.get("type") or "text"
        if tag not in ("input", "button") or not name or kind in ("file", "submit"):
            return
        if kind in ("checkbox", "radio") and "checked" not in known:
            return
        if tag == "input":
            self.fields.setdefault(name, known.get("value") or ("on" if kind == "checkbox" else ""))
        elif name == "anyway":
            self.fields[name] = known.get("value") or ""


def fields_of(page: str) -> dict[str, str]:
    """Every field of *page*, and the mark of its button 'Record anyway'."""
    form = Form()
    form.feed(page)
    return form.fields


class Player:
    """Somebody with a phone, who plays the sample hands."""

    def __init__(self, client: httpx.Client, pace: Pace) -> None:
        self._client = client
        self._pace = pace

    def play(self, hands: list[Path], pin: str) -> str:
        """Starts a game, enrols the decks and records every hand; returns the address of the board."""
        truths = [json.loads((hand / "truth.json").read_text("utf-8")) for hand in hands]
        self._post("/sign-in", {"pin": pin, "who": "Demo", "next": "/"})
        board = self._start(truths[0])
        click.echo(f"\n  Watch the game here: {self._client.base_url}{board}\n")
        self._pace.say("A newcomer opens the board; the decks are shown to the eye.")
        ids = self._enrol(board, hands[0], truths[0])
        for number, (hand, truth) in enumerate(zip(hands, truths, strict=True), 1):
            self._hand(board, number, hand, truth, ids)
        return board

    def _start(self, truth: Mapping[str, Any]) -> str:
        """Starts the game on the start page; returns the path of its board."""
        form: dict[str, Any] = fields_of(self._get("/start"))
        form |= {"action": "start", "name": [side["name"] for side in truth["sides"]]}
        for number, side in enumerate(truth["sides"]):
            form |= {f"color.{number}": side["color"], f"deck.{number}": side["deck"]}
            form[f"pattern.{number}"] = PATTERNS[number % len(PATTERNS)]
        path = urlsplit(str(self._post("/start", form).url)).path
        return "/".join(path.split("/")[:3])

    def _enrol(self, board: str, hand: Path, truth: Mapping[str, Any]) -> dict[str, str]:
        """Shows every deck's back to the eye; returns the short name of each side."""
        names = [side["name"] for side in truth["sides"]]
        ids = dict(zip(names, side_ids(names), strict=True))
        for side in truth["sides"]:
            pictures = sorted(hand.glob(f"enrol-{side['deck']}*.jpg"))
            form = {"deck": side["deck"], "request_id": secrets.token_hex(8)}
            self._send(f"{board}/decks/{ids[side['name']]}", "pictures", pictures, form)
            self._pace.say(f"{side['name']} plays the deck {side['deck']!r}; the eye knows it now.")
        return ids

    def _hand(self, board: str, number: int, hand: Path, truth: Mapping[str, Any], ids: Mapping[str, str]) -> None:
        """One hand from its pictures to the board."""
        callers = truth["callers"]
        self._pace.say(f"Hand {number} ends: {' and '.join(callers) or 'nobody'} calls Nertz!")
        for name in callers:
            self._keep(board, f"called.{ids[name]}", "1")
        self._send(f"{board}/hand/lake", "lake", [hand / "lake.jpg"])
        self._pace.say(f"The Lake as it lies: the eye adds up {self._field(board, 'total')} cards.")
        for picture in sorted(hand.glob("spread*.jpg")):
            self._send(f"{board}/hand/spread", "spread", [picture])
        counts = ", ".join(f"{name} {self._field(board, f'lake.{ids[name]}')}" for name in ids)
        self._pace.say(f"The Lake turned over and spread: {counts}.")
        for name in (name for name, codes in truth["fans"].items() if codes):
            self._send(f"{board}/hand/left/{ids[name]}", f"left.{ids[name]}", [hand / f"fan-{ids[name]}.jpg"])
            self._pace.say(f"{name} fans what is left: {self._field(board, f'left.{ids[name]}')} cards.")
        self._correct(board, truth, ids)
        self._record(board)
        self._pace.say(f"Confirmed: hand {number} is on the board.")

    def _correct(self, board: str, truth: Mapping[str, Any], ids: Mapping[str, str]) -> None:
        """Looks at the numbers as a person at the table does, and types those that are not what lies there."""
        decks = {side["deck"]: side["name"] for side in truth["sides"]}
        lying = {"total": sum(pile["height"] for pile in truth["piles"])}
        lying |= {f"lake.{ids[decks[deck]]}": count for deck, count in truth["lake"].items()}
        lying |= {f"left.{ids[name]}": count for name, count in truth["left"].items()}
        seen = fields_of(self._get(f"{board}/hand"))
        for name, count in lying.items():
            if seen.get(name) not in (str(count), "" if count == 0 else None):
                self._pace.say(f"The eye says {seen.get(name) or 'nothing'} for {name}, but {count} lie there: typed.")
            self._keep(board, name, str(count))

    def _record(self, board: str) -> None:
        """Confirms the hand as the page shows it; a doubt is confirmed knowingly."""
        answer = self._client.post(f"{board}/hand", data={**fields_of(self._get(f"{board}/hand")), "action": "record"})
        if answer.status_code == REFUSED and (form := fields_of(answer.text)).get("anyway"):
            self._pace.say("The referee has a doubt; the table looks again and confirms.")
            answer = self._client.post(f"{board}/hand", data=form)
        _checked(answer)

    def _field(self, board: str, name: str) -> str:
        return fields_of(self._get(f"{board}/hand")).get(name) or "no"

    def _keep(self, board: str, name: str, value: str) -> None:
        """Types one field, as the page sends it while somebody types."""
        form = {**fields_of(self._get(f"{board}/hand")), name: value}
        self._post(f"{board}/hand/draft", form, {"HX-Request": "true", "HX-Trigger-Name": name})

    def _send(self, path: str, name: str, pictures: list[Path], form: Mapping[str, str] | None = None) -> None:
        """Sends pictures the way the page's file field does."""
        page = fields_of(self._get(path.rpartition("/hand/")[0] + "/hand")) if "/hand/" in path else {}
        files = [(name, (picture.name, picture.read_bytes(), "image/jpeg")) for picture in pictures]
        headers = {"HX-Request": "true"} if page else {}
        answer = self._client.post(path, data={**page, **(form or {})}, files=files, headers=headers)
        if answer.status_code == REFUSED and (trouble := TROUBLE.search(answer.text)):
            self._pace.say(f"The eye refuses the picture: {_words(trouble[1])}")
        else:
            _checked(answer)

    def _get(self, path: str) -> str:
        return _checked(self._client.get(path)).text

    def _post(self, path: str, form: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> httpx.Response:
        return _checked(self._client.post(path, data=dict(form), headers=headers))


def side_ids(names: Iterable[str]) -> list[str]:
    """The short names that the start page makes of the sides' names."""
    taken: list[str] = []
    for name in names:
        taken.append(side_id(name, taken))
    return taken


def _checked(answer: httpx.Response) -> httpx.Response:
    if answer.is_error:
        raise DemoError(f"{answer.request.url.path} answers {answer.status_code}: {_words(answer.text)[:300]}")
    return answer


def _words(page: str) -> str:
    """The text of some HTML."""
    return html.unescape(" ".join(TAG.sub(" ", page).split()))
