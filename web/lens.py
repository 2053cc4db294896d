"""The table's camera: which one looks, how it is turned, and a phone that is the camera."""

from __future__ import annotations

import io
import re
import secrets
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

import msgspec
import segno
from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorekeeper import sidefiles
from scorekeeper.config import Settings
from scorekeeper.devices import devices
from scorekeeper.errors import CameraError, RulesError, ScorekeeperError, VisionError
from scorekeeper.network import without_secrets
from scorekeeper.watch import PHONE, CameraChoice, Watch
from web import here
from web.address import base_address
from web.bodies import takes
from web.guard import keepers_only
from web.language import gettext as _
from web.refusals import in_words, keep_form
from web.uploads import eye

bp = Blueprint("lens", __name__, url_prefix="/camera")
bp.before_request(keepers_only)

CHOSEN = "camera.json"
"""The file in the data folder that says which camera the scorekeeper chose; it may have a password in it."""
FRAME_LIMIT = 4 * 1024 * 1024
"""Bytes of one picture of the phone that is the camera."""
SIZES = ((1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))
"""What a webcam or a phone may be asked for, width and height."""
TURNS = (0, 90, 180, 270)
ADDRESS = re.compile(r"(https?|rtsps?)://\S{1,500}")
"""Cameras of the network; a file of this computer is no matter of a phone's."""


class _Kept(msgspec.Struct, forbid_unknown_fields=True):
    """The file."""

    choice: CameraChoice
    instead_of: CameraChoice
    """What the server was started with then: started with another camera, it takes that one."""


@dataclass(slots=True)
class Lens:
    """Which camera the scorekeeper chose, and which phone may send its pictures."""

    folder: Path
    started: CameraChoice
    """The camera that the settings name."""
    token: str = ""
    """What the phone that is the camera knows; another one after another phone took over."""

    @classmethod
    def of(cls, settings: Settings) -> Lens:
        return cls(Path(settings.data_dir), CameraChoice(settings.camera, settings.rotate))

    def at_start(self) -> CameraChoice:
        """The camera that was chosen last, unless the server is started with another one than then."""
        kept = sidefiles.read(self.folder / CHOSEN, msgspec.json.Decoder(_Kept).decode)
        return kept.choice if kept is not None and kept.instead_of == self.started else self.started

    def keep(self, choice: CameraChoice) -> None:
        """Remembers it for the next start; raises DataFolderError."""
        sidefiles.write(self.folder / CHOSEN, msgspec.json.encode(_Kept(choice, self.started)), private=True)

    def hand_over(self) -> str:
        """From now on only the phone that is given this word is the camera."""
        self.token = secrets.token_urlsafe(16)
        return self.token


@bp.get("")
def page() -> str:
    """What the camera shows, and every camera that there may be."""
    return _draw()


@bp.post("")
def choose() -> ResponseReturnValue:
    """Looks through the camera that was chosen: ``source``, ``address``, ``rotate`` and ``size``."""
    keep_form(_draw)
    watch = eye()
    choice = CameraChoice(_source(watch), _turn(), _size())
    _use(watch, choice)
    return redirect(url_for("lens.page"), 303)


@bp.get("/picture")
def picture() -> Response:
    """What the camera shows now; where it shows nothing, why, as a sentence (503)."""
    keep_form(lambda error: Response(in_words(error), mimetype="text/plain"))
    try:
        data = eye().snapshot()
    except CameraError:
        raise
    except VisionError as error:
        raise CameraError(error.args[0]) from error
    return Response(data, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@bp.get("/phone")
def phone() -> str:
    """Makes this phone the table's camera."""
    watch = here.watch()
    return render_template("lens_phone.html", size=watch.choice.size if watch else SIZES[1])


@bp.post("/phone")
def begin() -> ResponseReturnValue:
    """This phone is the camera from now on; answers with the word that its pictures have to bring."""
    watch = eye()
    token = here.parts().lens.hand_over()
    _use(watch, replace(watch.choice, source=PHONE))
    return jsonify(token=token)


@bp.post("/phone/picture")
@takes(FRAME_LIMIT)
def frame() -> ResponseReturnValue:
    """The next picture of the phone that is the camera: ``picture`` and its ``token``."""
    keep_form(lambda error: jsonify(trouble=in_words(error)))
    known = here.parts().lens.token
    if not known or not secrets.compare_digest(request.form.get("token", "").encode(), known.encode()):
        raise RulesError(_("another phone is the camera now: tap Start to use this one again"))
    sent = request.files.get("picture")
    if sent is None or not (data := sent.stream.read(FRAME_LIMIT)).startswith(b"\xff\xd8\xff"):
        raise RulesError(_("the phone's camera gives no picture: close other apps that use it, then tap Start"))
    eye().feed(data)
    return jsonify(trouble="")


@bp.get("/phone.svg")
def code() -> Response:
    """The QR code that makes another phone the camera, once the PIN is typed there."""
    drawn = io.BytesIO()
    address = base_address() + url_for("lens.phone")
    segno.make(address, error="m").save(drawn, kind="svg", scale=8, border=2, light="#ffffff", xmldecl=False)
    return Response(drawn.getvalue(), mimetype="image/svg+xml", headers={"Cache-Control": "no-store"})


def _use(watch: Watch, choice: CameraChoice) -> None:
    here.parts().lens.keep(choice)
    watch.use(choice)
    here.witness().again()


def _source(watch: Watch) -> str | None:
    """Which camera the form names; raises RulesError for none that a phone may choose."""
    kind, started = request.form.get("source", "none"), here.parts().lens.started.source
    if kind == "address":
        return _address(watch.choice.source)
    if kind.startswith("device.") and kind.removeprefix("device.") in {str(each.number) for each in devices()}:
        return kind.removeprefix("device.")
    if kind in ("none", PHONE, "started"):
        return {"none": None, PHONE: PHONE, "started": started}[kind]
    raise RulesError(_("that camera is not there any more: plug it in, or choose another"))


def _address(known: str | None) -> str:
    """The address that was typed; the one in use where it is shown without its password."""
    typed = request.form.get("address", "").strip()
    if known is not None and typed == without_secrets(known):
        return known
    try:
        parts = urlsplit(typed)
        whole = bool(ADDRESS.fullmatch(typed)) and typed.isprintable() and bool(parts.hostname)
    except ValueError:
        whole = False
    if not whole:
        raise RulesError(_("type the whole address of the camera's video, such as http://192.168.1.20:8080/video"))
    if not _has_port(parts):
        raise RulesError(_("a port is a number from 1 to 65535: look in the camera's app which one it has"))
    return typed


def _has_port(parts: SplitResult) -> bool:
    """Whether a port can be what the address says, if it says one."""
    try:
        return parts.port != 0
    except ValueError:
        return False


def _turn() -> int:
    typed = request.form.get("rotate", "0")
    return next((turn for turn in TURNS if str(turn) == typed), 0)


def _size() -> tuple[int, int]:
    typed = request.form.get("size", "")
    return next((size for size in SIZES if size_text(size) == typed), SIZES[1])


def size_text(size: tuple[int, int]) -> str:
    """A size as a form has it: ``1920x1080``."""
    return f"{size[0]}x{size[1]}"


def _draw(error: ScorekeeperError | None = None) -> str:
    watch, lens = here.watch(), here.parts().lens
    if watch is None:
        return render_template("lens.html", eye=False)
    now = watch.choice
    found = devices()
    kind = _kind(now.source, lens.started.source, {str(each.number) for each in found})
    return render_template(
        "lens.html",
        eye=True,
        error=in_words(error) if error else None,
        kind=request.form.get("source", kind) if error else kind,
        typed=request.form.get("address", "") if error else without_secrets(now.source or "") * (kind == "address"),
        started=lens.started.source if _is_file(lens.started.source) else None,
        devices=found,
        now=now,
        turns=TURNS,
        sizes=[(size, size_text(size)) for size in SIZES],
        secure=request.is_secure,
        phone_address=base_address() + url_for("lens.phone"),
    )


def _kind(source: str | None, started: str | None, numbers: set[str]) -> str:
    """Which of the form's choices the camera in use is."""
    if source is None:
        return "none"
    if source == PHONE:
        return PHONE
    if ADDRESS.fullmatch(source):
        return "address"
    return f"device.{source}" if source in numbers else "started" if source == started else "none"


def _is_file(source: str | None) -> bool:
    """Whether the server was started with what no phone may choose: a file, a folder, or a device by its name."""
    return source is not None and source != PHONE and not source.isdecimal() and not ADDRESS.fullmatch(source)
