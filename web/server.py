"""The web server: gevent, because hundreds of boards stay open at once."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
from typing import TYPE_CHECKING, Any

from flask import Flask
from gevent import Timeout, socket, ssl

from scorekeeper.errors import PortTakenError, SettingsError
from web.connections import Server

if TYPE_CHECKING:
    from web.certificate import Certificate

BACKLOG = 512
"""Phones that may knock at the same moment."""

GREETING_S = 10.0
"""How long a phone may take to say its first word, where the server speaks https."""
TLS_HANDSHAKE = b"\x16"
"""The first byte of a phone that speaks https."""

logger = logging.getLogger(__name__)


class SafeServer(Server):
    """A server that speaks https, and leads phones that come by http to it."""

    def __init__(self, *args: Any, ssl_context: ssl.SSLContext, **kwargs: Any) -> None:
        super().__init__(*args, ssl_context=ssl_context, **kwargs)
        self.context = ssl_context

    def present(self, certificate: Certificate) -> None:
        """From the next connection on the server shows this certificate."""
        self.context.load_cert_chain(certificate.certfile, certificate.keyfile)

    def wrap_socket_and_handle(self, client_socket: Any, address: Any) -> Any:
        """One connection; a phone that does not trust the certificate hangs up, which is nobody's fault."""
        with contextlib.suppress(ssl.SSLError, OSError):
            with Timeout(GREETING_S, False):
                if client_socket.recv(1, socket.MSG_PEEK) != TLS_HANDSHAKE:
                    return _lead_to_https(client_socket)
                client_socket = self.wrap_socket(client_socket, **self.ssl_args)
            if isinstance(client_socket, ssl.SSLSocket):
                return self.handle(client_socket, address)
        return None


def bind(
    app: Flask, host: str, port: int, certificate: Certificate | None = None, *, one_proxy: bool = False
) -> Server:
    """A server that listens already; raises SettingsError when the address can't be had, PortTakenError among them.

    Port 0 takes a free one.

    With a *certificate* it speaks https. *one_proxy* says that all phones come through a proxy before it.
    """
    try:
        listener = _listener(host, port)
    except OSError as error:
        if host != "::" or error.errno not in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL):
            raise _refused(error, host, port) from error
        return bind(app, "0.0.0.0", port, certificate, one_proxy=one_proxy)  # a computer without IPv6
    server = _server(listener, app, certificate, one_proxy)
    server.start()
    return server


def _listener(host: str, port: int) -> Any:
    """A socket for IPv4, IPv6, or with ``::`` for both; raises OSError when the address can't be had."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "nt":  # there SO_REUSEADDR lets two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if host == "::":
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def _server(listener: Any, app: Flask, certificate: Certificate | None, one_proxy: bool) -> Server:
    if certificate is None:
        return Server(listener, app, log=None, error_log=logger, one_proxy=one_proxy)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.certfile, certificate.keyfile)
    return SafeServer(listener, app, log=None, error_log=logger, ssl_context=context, one_proxy=one_proxy)


def _lead_to_https(client_socket: Any) -> None:
    """Answers a phone that came by http with the same address by https."""
    head = client_socket.recv(8192).decode("latin-1").split("\r\n")
    way = (head[0].split(" ") + ["", "/"])[1]
    host = next((line[5:].strip() for line in head if line.lower().startswith("host:")), "")
    if host and way.startswith("/") and host.isprintable() and way.isprintable():
        answer = f"HTTP/1.1 307 Temporary Redirect\r\nLocation: https://{host}{way}\r\n"
        client_socket.sendall(f"{answer}Content-Length: 0\r\nConnection: close\r\n\r\n".encode("latin-1"))


def serve(app: Flask, host: str, port: int) -> None:
    """Serves until interrupted."""
    server = bind(app, host, port)
    with contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()
    server.stop(timeout=1)


def _refused(error: OSError, host: str, port: int) -> SettingsError:
    if error.errno == errno.EADDRINUSE or (os.name == "nt" and error.errno == errno.EACCES):
        return PortTakenError(
            f"port {port} is in use, perhaps by another scorekeeper: stop that one, or choose another with --port"
        )
    if error.errno == errno.EACCES:
        return SettingsError(f"port {port} needs special rights: choose one above 1023 with --port")
    return SettingsError(
        f"can't listen on {host}:{port} ({error.strerror or error}): give --host an address of this computer, or none"
    )
