"""The certificate of a table's own server: made on first use, kept in the data folder, renewed when it must be."""

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
from web.address import Names

CERTIFICATE, KEY = "server.crt", "server.key"
LASTS = timedelta(days=397)
"""Phones refuse certificates that last much longer."""
RENEWED = timedelta(days=7)
"""How long before its end a certificate is made anew."""
PROGRAM = "Nertz Scorekeeper"


@dataclass(frozen=True, slots=True)
class Certificate:
    """Where the server finds its certificate and the key to it."""

    certfile: Path
    keyfile: Path
    fingerprint: str
    """What a phone shows under "details", the first eight bytes of SHA-256: ``4F:0A:...``."""


def kept_certificate(folder: Path, names: Names, now: datetime | None = None) -> Certificate:
    """The certificate of this data folder for *names*; raises SettingsError when it can't be kept there."""
    now = now or datetime.now(UTC)
    certfile, keyfile = folder / CERTIFICATE, folder / KEY
    try:
        key, known = _kept_key(keyfile), _read(certfile)
        if known is None or not _fits(known, key, names, now):
            known = _make(certfile, key, names | (names_of(known) if known else frozenset()), now)
    except DataFolderError as error:
        raise SettingsError(f"the certificate can't be kept in {str(folder)!r}: {error}") from error
    print_of_it = known.fingerprint(hashes.SHA256())
    return Certificate(certfile, keyfile, print_of_it[:8].hex(":").upper())


def names_of(certificate: x509.Certificate) -> Names:
    """Everything a certificate is for."""
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return frozenset(str(name.value) for name in names)


def certificate_end(folder: Path) -> datetime | None:
    """When the certificate of this data folder ends, UTC; None where there is none that can be read."""
    try:
        return x509.load_pem_x509_certificate((folder / CERTIFICATE).read_bytes()).not_valid_after_utc
    except (OSError, ValueError):
        return None


def _read(path: Path) -> x509.Certificate | None:
    """A kept certificate; None when there is none that can be read."""
    return sidefiles.read(path, x509.load_pem_x509_certificate)


def _fits(known: x509.Certificate, key: ec.EllipticCurvePrivateKey, names: Names, now: datetime) -> bool:
    """Whether a kept certificate still does: for this key, these names, and long enough."""
    lasts = known.not_valid_after_utc >= now + RENEWED
    return lasts and names <= names_of(known) and known.public_key() == key.public_key()


def _make(certfile: Path, key: ec.EllipticCurvePrivateKey, names: Names, now: datetime) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, PROGRAM)])
    alternatives = x509.SubjectAlternativeName(_general(sorted(names)))
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + LASTS)
        .add_extension(alternatives, critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    sidefiles.write(certfile, certificate.public_bytes(serialization.Encoding.PEM))
    return certificate


def _kept_key(path: Path) -> ec.EllipticCurvePrivateKey:
    """The key of this data folder, for its owner only; kept when the certificate is made anew."""
    key = sidefiles.read(path, _key)
    if key is None:
        key = ec.generate_private_key(ec.SECP256R1())
        pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
        sidefiles.write(path, key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain), private=True)
    return key


def _key(data: bytes) -> ec.EllipticCurvePrivateKey:
    key = serialization.load_pem_private_key(data, None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise ValueError("it is another kind of key")
    return key


def _general(names: Iterable[str]) -> Iterator[x509.GeneralName]:
    for name in names:
        try:
            yield x509.IPAddress(ipaddress.ip_address(name))
        except ValueError:
            yield x509.DNSName(name)
