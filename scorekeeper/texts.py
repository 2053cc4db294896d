"""The text of a file, however an editor of whatever system has saved it."""

from __future__ import annotations

import codecs

MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
"""Byte order marks, and what is written behind them."""


def decode_text(data: bytes, errors: str = "strict") -> str:
    """UTF-8 or UTF-16 as text, with a byte order mark or without; raises UnicodeDecodeError where *errors* are strict.

    Without a mark UTF-16 is known by its first letter, which in our files is one of ASCII.
    """
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors)
    wide = {(False, True): "utf-16-le", (True, False): "utf-16-be"}.get((data[:1] == b"\0", data[1:2] == b"\0"))
    return data.decode(wide or "utf-8", errors)
