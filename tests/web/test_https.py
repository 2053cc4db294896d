"""The server with a certificate of its own: real TLS, a real browser, and a certificate that is kept and renewed."""

from __future__ import annotations

import contextlib
import http.client
import ssl
import stat
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pytest
from cryptography import x509

from scorekeeper.errors import SettingsError
from web.address import own_names
from web.certificate import LASTS, kept_certificate, names_of

NAMES = frozenset({"localhost", "127.0.0.1"})
NOW = datetime.now(UTC)


@pytest.fixture
def address(safe_address) -> str:
    """Every phone of a browser comes by https."""
    return safe_address


def test_a_phone_that_trusts_the_certificate_reads_the_board(safe_address, certificate, game_id):
    place = urlsplit(safe_address)
    trusting = ssl.create_default_context(cafile=str(certificate.certfile))
    for host in ("localhost", "127.0.0.1"):
        link = http.client.HTTPSConnection(host, place.port, context=trusting, timeout=60)
        with contextlib.closing(link):
            link.request("GET", f"/g/{game_id}")
            assert link.getresponse().status == 200


def test_a_phone_that_does_not_trust_it_harms_nobody(safe_address, certificate, game_id):
    place = urlsplit(safe_address)
    with (
        pytest.raises(ssl.SSLCertVerificationError),
        contextlib.closing(http.client.HTTPSConnection(place.hostname, place.port, timeout=60)) as link,
    ):
        link.request("GET", "/")
    test_a_phone_that_trusts_the_certificate_reads_the_board(safe_address, certificate, game_id)


def test_a_phone_that_comes_by_http_is_led_to_https(safe_address):
    place = urlsplit(safe_address)
    with contextlib.closing(http.client.HTTPConnection(place.hostname, place.port, timeout=60)) as link:
        link.request("GET", "/g/tavokimu?tv=1")
        answer = link.getresponse()
        assert answer.status == 307
        assert answer.headers["Location"] == f"https://{place.netloc}/g/tavokimu?tv=1"


@pytest.mark.browser
def test_a_browser_past_the_warning_may_use_camera_and_wake_lock(phone, game_id):
    page = phone(f"/g/{game_id}/join", keeper=True, ignore_https_errors=True)
    assert page.evaluate("isSecureContext && 'wakeLock' in navigator && !!navigator.mediaDevices")
    assert "this computer made the certificate itself" in page.content()
    assert page.locator(".address").first.inner_text().startswith("https://")


def test_the_certificate_is_kept_and_its_key_is_its_owners_only(settings, certificate):
    again = kept_certificate(settings.data_dir, NAMES)
    assert again == certificate
    assert stat.S_IMODE(certificate.keyfile.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("names", "later"),
    [
        pytest.param(NAMES | {"192.0.2.7", "table.local"}, timedelta(), id="in another network"),
        pytest.param(NAMES, LASTS - timedelta(days=3), id="shortly before its end"),
    ],
)
def test_a_certificate_is_renewed_and_keeps_its_old_names_and_key(settings, certificate, names, later):
    key = certificate.keyfile.read_bytes()
    renewed = kept_certificate(settings.data_dir, names - {"localhost"}, NOW + later)
    assert renewed.fingerprint != certificate.fingerprint or "192.0.2.7" not in names
    assert names_of(x509.load_pem_x509_certificate(renewed.certfile.read_bytes())) == names
    assert renewed.keyfile.read_bytes() == key


@pytest.mark.parametrize("file", ["server.crt", "server.key"])
def test_a_damaged_file_is_replaced(settings, certificate, file):
    (settings.data_dir / file).write_text("no")
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(
        *(kept_certificate(settings.data_dir, NAMES).certfile, certificate.keyfile)
    )


def test_a_folder_that_can_not_be_written_is_said_in_words(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="certificate can't be kept"):
        kept_certificate(tmp_path / "file", NAMES)


def test_this_computer_has_names():
    assert {"localhost", "127.0.0.1"} <= own_names()
