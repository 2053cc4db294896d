"""Work that keeps a processor or a disk busy, done where nobody else waits for it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What *work* returns or raises; in a server of greenlets the others go on meanwhile.

    *work* may read and write files and compute; it must not wait for other greenlets, nor use the request.
    """
    monkey: Any = sys.modules.get("gevent.monkey")
    if monkey is None or not monkey.is_module_patched("threading"):
        return work(*args, **kwargs)
    from gevent import get_hub

    done: T = get_hub().threadpool.apply(work, args, kwargs)
    return done
