"""The server with a certificate of its own: real TLS, a real browser, and a certificate that is kept and renewed."""

from __future__ import annotations

import contextlib
import http.client
import ssl
import stat
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from playwright.sync_api import expect

from scorekeeper.errors import SettingsError
from web import certificate as making
from web.address import own_names
from web.app import create_app
from web.certificate import AUTHORITY_LASTS, LASTS, authority_of, fingerprint, kept_certificate, names_of
from web.server import bind

NAMES = frozenset({"localhost", "127.0.0.1"})
NOW = datetime.now(UTC)


@pytest.fixture
def settings(settings):
    """A server that speaks https itself."""
    return replace(settings, self_signed=True)


AUTHORITY = "authority.crt"


@pytest.fixture
def address(safe_address) -> str:
    """Every phone of a browser comes by https."""
    return safe_address


def test_a_phone_that_trusts_the_certificate_reads_the_board(safe_address, certificate, game_id):
    place = urlsplit(safe_address)
    trusting = ssl.create_default_context(cafile=str(certificate.certfile.with_name(AUTHORITY)))
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
def test_a_browser_that_trusts_the_authority_installs_the_app_and_keeps_the_board(trusting_phone, game_id):
    page = trusting_phone.new_page()
    page.goto("/trust")
    expect(page.locator("#trusted")).to_be_visible(timeout=60_000)
    page.goto(f"/g/{game_id}")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    assert trusting_phone.new_cdp_session(page).send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    page.wait_for_function(f"caches.open('boards').then((kept) => kept.match('/g/{game_id}')).then(Boolean)")
    trusting_phone.set_offline(True)
    page.reload()
    expect(page.locator("#connection")).to_contain_text("last seen", timeout=60_000)
    assert "Amy" in page.locator("#board").inner_text()


@pytest.mark.browser
def test_a_browser_past_the_warning_may_use_camera_and_wake_lock(phone, game_id):
    page = phone(f"/g/{game_id}/join", keeper=True, ignore_https_errors=True)
    assert page.evaluate("isSecureContext && 'wakeLock' in navigator && !!navigator.mediaDevices")
    assert "this computer made the certificate itself" in page.content()
    assert page.locator(".address").first.inner_text().startswith("https://")
    page.get_by_role("link", name="Stop the warning").click()
    expect(page.get_by_role("heading", name="Trust this server")).to_be_visible()


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
    assert renewed.serial != certificate.serial
    assert renewed.fingerprint == certificate.fingerprint, "no phone has to be told anything"
    assert names_of(x509.load_pem_x509_certificate(renewed.certfile.read_bytes())) == names
    assert renewed.keyfile.read_bytes() == key


# The authority


def test_a_phone_is_given_the_authority_and_never_a_key(app, watcher, certificate, settings):
    page = watcher.get("/trust", base_url="https://localhost").text
    assert certificate.fingerprint in page.replace("<wbr>", "")
    given = watcher.get("/trust/nertz-scorekeeper.crt", base_url="https://localhost")
    assert given.mimetype == "application/x-x509-ca-cert"
    authority = x509.load_der_x509_certificate(given.data)
    assert authority == authority_of(settings.data_dir)
    assert given.data == authority.public_bytes(Encoding.DER), "nothing stands behind it"
    assert fingerprint(authority) == certificate.fingerprint
    for file in ("authority.key", "server.key"):
        assert stat.S_IMODE((settings.data_dir / file).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("agent", "title"),
    [
        ("Mozilla/5.0 (Linux; Android 15; Pixel 9)", "Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)", "iPhone, iPad"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64)", "Windows"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 14_7)", "macOS"),
        ("Mozilla/5.0 (X11; Linux x86_64)", "Linux and Firefox"),
    ],
)
def test_the_steps_of_the_phone_in_the_hand_are_open(watcher, certificate, agent, title):
    page = watcher.get("/trust", base_url="https://localhost", headers={"User-Agent": agent}).text
    opened = page.split('trust-steps" open')
    assert len(opened) == 2
    assert opened[1].split("<h2>")[1].startswith(title)


def test_without_a_certificate_the_page_says_how_to_get_one(book, settings):
    phone = create_app(book, None, replace(settings, self_signed=False)).test_client()
    assert "scorekeeper serve --https" in phone.get("/trust").text
    assert phone.get("/trust/nertz-scorekeeper.crt").status_code == 404


def shown_by(server, called: str, trusted: x509.Certificate) -> x509.Certificate:
    """What a phone that trusts the authority is shown; raises SSLError where it hangs up."""
    phone = ssl.create_default_context(cadata=trusted.public_bytes(Encoding.PEM).decode())
    to_phone, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    here = phone.wrap_bio(to_phone, to_server, server_hostname=called)
    there = server.wrap_bio(to_server, to_phone, server_side=True)
    for _ in range(4):
        for side in (here, there):
            with contextlib.suppress(ssl.SSLWantReadError):
                side.do_handshake()
    return x509.load_der_x509_certificate(here.getpeercert(binary_form=True))


def test_the_authority_can_vouch_for_no_website(settings, certificate):
    """Whoever steals its key can't pretend to be somebody's bank."""
    authority, key = authority_of(settings.data_dir), making._kept_key(settings.data_dir / "authority.key")
    for name, works in (("laptop.local", True), ("192.0.2.7", True), ("bank.example", False), ("evillocal", False)):
        own = making._kept_key(settings.data_dir / "other.key")
        forged = making._make(own, frozenset({name}), authority, key, NOW)
        (settings.data_dir / "forged.crt").write_bytes(forged.public_bytes(Encoding.PEM))
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        server.load_cert_chain(settings.data_dir / "forged.crt", settings.data_dir / "other.key")
        if works:
            assert shown_by(server, name, authority) == forged
        else:
            with pytest.raises(ssl.SSLCertVerificationError):
                shown_by(server, name, authority)


def test_names_that_the_authority_may_not_vouch_for_are_left_out_and_the_servers_own_is_not(settings, certificate):
    kept_certificate(settings.data_dir, NAMES | {"laptop", "host.example"})
    authority = authority_of(settings.data_dir)
    assert names_of(making._read(certificate.certfile)) == NAMES
    kept_certificate(settings.data_dir, NAMES, own=frozenset({"nertz.example"}))
    assert names_of(making._read(certificate.certfile)) == NAMES | {"nertz.example"}
    assert authority_of(settings.data_dir) != authority, "it was made for that name, too"


def test_a_server_shows_a_renewed_certificate_without_a_new_start(app, settings, certificate):
    server = bind(app, "127.0.0.1", 0, certificate)
    try:
        authority, context = authority_of(settings.data_dir), server.context
        assert names_of(shown_by(context, "127.0.0.1", authority)) == NAMES
        renewed = kept_certificate(settings.data_dir, NAMES | {"192.0.2.7"})
        assert renewed != certificate
        server.present(renewed)
        assert "192.0.2.7" in names_of(shown_by(context, "192.0.2.7", authority))
    finally:
        server.stop()


def test_the_authority_outlives_what_it_signs(settings, certificate):
    late = NOW + AUTHORITY_LASTS - timedelta(days=400)
    kept_certificate(settings.data_dir, NAMES, late)
    assert fingerprint(authority_of(settings.data_dir)) == certificate.fingerprint
    renewed = kept_certificate(settings.data_dir, NAMES, late + timedelta(days=10))
    assert renewed.fingerprint != certificate.fingerprint
    assert authority_of(settings.data_dir).not_valid_after_utc > late + AUTHORITY_LASTS


@pytest.mark.parametrize("file", ["server.crt", "server.key", "authority.crt", "authority.key"])
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
