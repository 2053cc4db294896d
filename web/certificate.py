"""The certificates of a table: an authority that phones may trust, and the server's own certificate, which it signs.

Both are made on first use, kept in the data folder and renewed when they must be; their keys never leave it.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from scorekeeper import sidefiles
from scorekeeper.errors import DataFolderError, SettingsError
from web.address import AT_HOME, Names

CERTIFICATE, KEY = "server.crt", "server.key"
AUTHORITY, AUTHORITY_KEY = "authority.crt", "authority.key"
LASTS = timedelta(days=397)
"""Phones refuse a server's certificate that lasts much longer."""
AUTHORITY_LASTS = timedelta(days=3650)
"""Each phone has to be given another authority by hand, so that one lasts for years."""
RENEWED = timedelta(days=7)
"""How long before its end a server's certificate is made anew."""
PROGRAM = "Nertz Scorekeeper"
LOCAL = ("localhost", "local", *(ending.removeprefix(".") for ending in AT_HOME))
"""All names an authority may vouch for, with what stands before them: whoever steals its key gains no site."""

Key = ec.EllipticCurvePrivateKey
Builder = x509.CertificateBuilder


@dataclass(frozen=True, slots=True)
class Certificate:
    """Where the server finds its certificate, with the authority's behind it, and the key to it."""

    certfile: Path
    keyfile: Path
    fingerprint: str
    """What a phone shows of the authority under "details", the first eight bytes of SHA-256: ``4F:0A:...``."""
    serial: int
    """Of the server's certificate; another one after it was made anew."""


@dataclass(frozen=True, slots=True)
class Given:
    """The authority as a phone installs it."""

    der: bytes
    fingerprint: str
    """As of a ``Certificate``."""


def kept_certificate(
    folder: Path, names: Names, now: datetime | None = None, *, own: Names = frozenset()
) -> Certificate:
    """The certificate of this data folder for *names*; raises SettingsError when it can't be kept there.

    Names of the internet are left out, unless they are this server's *own*, such as that of ``base_url``.
    """
    now = now or datetime.now(UTC)
    certfile, keyfile = folder / CERTIFICATE, folder / KEY
    try:
        signer_key, signer = _authority(folder, own, now)
        key, known = _kept_key(keyfile), _read(certfile)
        wanted = frozenset(name for name in names | own if _is_permitted(name, signer))
        if known is None or not _fits(known, key, wanted, now) or not _is_signed(known, signer):
            old = frozenset(name for name in names_of(known) if _is_permitted(name, signer)) if known else Names()
            known = _make(key, wanted | old, signer, signer_key, now)
            sidefiles.write(certfile, _pem(known) + _pem(signer))
    except DataFolderError as error:
        raise SettingsError(f"the certificate can't be kept in {str(folder)!r}: {error}") from error
    return Certificate(certfile, keyfile, fingerprint(signer), known.serial_number)


def names_of(certificate: x509.Certificate) -> Names:
    """Everything a certificate is for."""
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return frozenset(str(name.value) for name in names)


def fingerprint(certificate: x509.Certificate) -> str:
    """The beginning of its SHA-256."""
    return certificate.fingerprint(hashes.SHA256())[:8].hex(":").upper()


def certificate_end(folder: Path) -> datetime | None:
    """When the certificate of this data folder ends, UTC; None where there is none that can be read."""
    try:
        return x509.load_pem_x509_certificate((folder / CERTIFICATE).read_bytes()).not_valid_after_utc
    except (OSError, ValueError):
        return None


def authority_of(folder: Path) -> x509.Certificate | None:
    """The authority of this data folder, without its key; None where none was made yet."""
    return _read(folder / AUTHORITY)


def given_authority(folder: Path) -> Given | None:
    """The same for phones."""
    known = authority_of(folder)
    return Given(known.public_bytes(serialization.Encoding.DER), fingerprint(known)) if known else None


def _read(path: Path) -> x509.Certificate | None:
    """A kept certificate; None when there is none that can be read."""
    return sidefiles.read(path, x509.load_pem_x509_certificate)


def _fits(known: x509.Certificate, key: Key, names: Names, now: datetime) -> bool:
    """Whether a kept certificate still does: for this key, these names, and long enough."""
    lasts = known.not_valid_after_utc >= now + RENEWED
    return lasts and names <= names_of(known) and known.public_key() == key.public_key()


def _is_signed(known: x509.Certificate, signer: x509.Certificate) -> bool:
    try:
        known.verify_directly_issued_by(signer)
    except Exception:  # InvalidSignature, ValueError, TypeError: it is another authority's, or nobody's
        return False
    return True


def _authority(folder: Path, own: Names, now: datetime) -> tuple[Key, x509.Certificate]:
    """The key and the certificate of the authority; made anew once it would end before what it signs."""
    key, known = _kept_key(folder / AUTHORITY_KEY), _read(folder / AUTHORITY)
    lasts = known is not None and known.not_valid_after_utc >= now + LASTS
    if known is None or not lasts or known.public_key() != key.public_key() or not _permits(known, own):
        known = _make_authority(key, own, now)
        sidefiles.write(folder / AUTHORITY, _pem(known))
    return key, known


def _permits(authority: x509.Certificate, own: Names) -> bool:
    return all(_is_permitted(name, authority) for name in own)


def _is_permitted(name: str, authority: x509.Certificate) -> bool:
    """Whether *authority* may vouch for *name*: any address by number, and the names it was made for."""
    if _ip(name):
        return True
    limits = authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or ()
    return any(name == str(limit.value) or name.endswith(f".{limit.value}") for limit in limits)


def _make_authority(key: Key, own: Names, now: datetime) -> x509.Certificate:
    """It may sign for this server's names alone, and make no further authority."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"{PROGRAM} {now:%Y-%m-%d}")])
    places = [x509.DNSName(place) for place in (*LOCAL, *sorted(name for name in own if not _ip(name)))]
    usage = {"key_cert_sign": True, "crl_sign": True, **dict.fromkeys(OTHER_USES, False)}
    return (
        _begun(name, name, key, now, AUTHORITY_LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.KeyUsage(**usage), critical=True)
        .add_extension(x509.NameConstraints(places, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )


OTHER_USES = (
    *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment"),
    *("key_agreement", "encipher_only", "decipher_only"),
)
"""What the key of an authority is not for."""


def _make(key: Key, names: Names, signer: x509.Certificate, signer_key: Key, now: datetime) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, PROGRAM)])
    return (
        _begun(subject, signer.subject, key, now, LASTS)
        .add_extension(x509.SubjectAlternativeName(_general(sorted(names))), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer_key.public_key()), critical=False)
        .sign(signer_key, hashes.SHA256())
    )


def _begun(subject: x509.Name, issuer: x509.Name, key: Key, now: datetime, lasts: timedelta) -> Builder:
    """What every certificate says; it holds since yesterday, as clocks differ."""
    return (
        Builder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + lasts)
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _kept_key(path: Path) -> Key:
    """A key of this data folder, for its owner only; kept when its certificate is made anew."""
    key = sidefiles.read(path, _key)
    if key is None:
        key = ec.generate_private_key(ec.SECP256R1())
        pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
        sidefiles.write(path, key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain), private=True)
    return key


def _key(data: bytes) -> Key:
    key = serialization.load_pem_private_key(data, None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise ValueError("it is another kind of key")
    return key


def _general(names: Iterable[str]) -> Iterator[x509.GeneralName]:
    for name in names:
        yield x509.IPAddress(ip) if (ip := _ip(name)) else x509.DNSName(name)


def _ip(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
