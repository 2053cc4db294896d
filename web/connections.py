"""Who may hold a connection to the server, and for how long without a word."""

from __future__ import annotations

import contextlib
import logging
from collections import Counter
from typing import Any

from gevent import Timeout
from gevent.pool import Pool
from gevent.pywsgi import WSGIHandler, WSGIServer

from web.address import plain_address

try:
    import resource
except ImportError:  # a system that counts files otherwise, as Windows does
    resource = None  # type: ignore[assignment]

HEAD_S = 10.0
"""How long a phone may take to say what it wants, from its first letter to the end of its headers, in seconds."""
IDLE_S = 60.0
"""How long a connection may lie idle between two requests, or stand still in one, in seconds."""
WANTED_FILES = 4096
"""Open files to ask the system for; each open board needs one."""
OWN_FILES = 128
"""Files that no connection takes: the database, pictures, cameras."""
REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nRetry-After: 30\r\nConnection: close\r\n\r\n"
    b"Too many connections from one address: close some pages, then try again.\n"
)
NO_HTTP = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
SILENCE = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

logger = logging.getLogger(__name__)


class SilentError(ValueError):
    """A phone began to say something and did not come to an end."""


class Handler(WSGIHandler):  # type: ignore[misc]
    """One connection; whoever keeps silent too long is hung up on."""

    def handle(self) -> None:
        self.served = False
        self.socket.settimeout(IDLE_S)
        with contextlib.suppress(OSError):  # the phone hung up before it was answered
            super().handle()

    def read_requestline(self) -> str:
        """The first line of a request; empty where none came in time."""
        with Timeout(IDLE_S if self.served else HEAD_S, False):
            self.served = True
            line: str = super().read_requestline()
            return line
        return ""

    def read_request(self, raw_requestline: str) -> Any:
        """The headers; raises ValueError where they don't end in time."""
        try:
            with Timeout(HEAD_S, SilentError("the headers did not end")):
                return super().read_request(raw_requestline)
        except OSError as error:
            raise SilentError("the phone hung up") from error

    def get_environ(self) -> dict[str, Any]:
        """Also says by which of this computer's addresses a phone came, for a computer may have several."""
        environ: dict[str, Any] = super().get_environ()
        environ["SERVER_ADDR"] = plain_address(self.socket.getsockname()[0])
        environ["REMOTE_ADDR"] = plain_address(environ["REMOTE_ADDR"])
        return environ

    def log_error(self, msg: str, *args: object) -> None:
        """What a phone said that is no HTTP: nothing that anybody could mend, so that it troubles nobody."""
        logger.info("no HTTP from %s: %s", self.client_address[0], msg % args if args else msg)

    def _handle_client_error(self, ex: Exception) -> tuple[str, bytes]:
        if isinstance(ex, SilentError):
            return "408", SILENCE
        self.log_error(str(ex))
        return "400", NO_HTTP


class Server(WSGIServer):  # type: ignore[misc]
    """A server that leaves files to the game itself, and no more than half of its connections to one address."""

    handler_class = Handler

    def __init__(self, *args: Any, one_proxy: bool = False, **kwargs: Any) -> None:
        most = min(allow_many_files(), WANTED_FILES) - OWN_FILES
        super().__init__(*args, spawn=Pool(most), **kwargs)
        self.most_of_one = most if one_proxy else most // 2
        """Connections of one address; where all phones come through a proxy, that is everybody's."""
        self._held: Counter[str] = Counter()
        self._full: set[str] = set()
        """Addresses that were refused one, until they have let go of all."""

    def do_handle(self, client_socket: Any, address: Any) -> None:
        if self._held[address[0]] >= self.most_of_one:
            if address[0] not in self._full:
                logger.warning("%s holds %d connections, and gets no more", address[0], self.most_of_one)
            self._full.add(address[0])
            with contextlib.suppress(OSError):
                client_socket._sock.send(REFUSAL)  # what does not fit at once is not waited for
            client_socket.close()
            return
        self._held[address[0]] += 1
        super().do_handle(client_socket, address)

    def do_close(self, client_socket: Any, address: Any) -> None:
        self._held[address[0]] -= 1
        if not self._held[address[0]]:
            del self._held[address[0]]
            self._full.discard(address[0])
        super().do_close(client_socket, address)


def allow_many_files() -> int:
    """Raises the soft limit of open files towards WANTED_FILES as far as the system allows; returns what it is now."""
    if resource is None:
        return WANTED_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return WANTED_FILES if soft == resource.RLIM_INFINITY else max(soft, wanted)
