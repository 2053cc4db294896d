"""The web server: gevent, because hundreds of boards stay open at once."""

from __future__ import annotations

import contextlib
import errno
import logging
import resource

from flask import Flask
from gevent import socket
from gevent.pywsgi import WSGIServer

from scorekeeper.errors import SettingsError

BOARDS = 4096
"""Open files to ask the system for; each open board needs one."""

BACKLOG = 512
"""Phones that may knock at the same moment."""

logger = logging.getLogger(__name__)


def bind(app: Flask, host: str, port: int) -> WSGIServer:
    """A server that listens already; raises SettingsError when the address can't be had. Port 0 takes a free one."""
    allow_many_files()
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise SettingsError(_why(error, host, port)) from error
    server = WSGIServer(listener, app, log=None, error_log=logger)
    server.start()
    return server


def serve(app: Flask, host: str, port: int) -> None:
    """Serves until interrupted."""
    server = bind(app, host, port)
    with contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()
    server.stop(timeout=1)


def allow_many_files() -> None:
    """Raises the soft limit of open files towards BOARDS as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = BOARDS if hard == resource.RLIM_INFINITY else min(BOARDS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _why(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use, perhaps by another scorekeeper: stop that one, or choose another with --port"
    if error.errno == errno.EACCES:
        return f"port {port} needs special rights: choose one above 1023 with --port"
    return f"can't listen on {host}:{port}: {error.strerror or error}"
