"""Names as people type them, in any script: how they are cleaned, what they may hold, and when two are one."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

JOINERS = frozenset("\u200c\u200d")
"""What joins letters and keeps them apart: invisible, and part of the spelling, as in 👩‍🚀 and علی‌رضا."""
ENDS = "".join(JOINERS)
"""At the end of a word they join nothing."""
TAGS = frozenset(map(chr, range(0xE0020, 0xE0080)))
"""Invisible letters that make the flags of Scotland and others."""
DROPPED = frozenset("\u00ad\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff")
"""Direction marks and the like, which messengers put around a name and nobody sees."""
UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
"""Kinds of characters that no page can show."""
ISOLATE, ISOLATE_END = "\u2068", "\u2069"
FROM_THE_RIGHT = frozenset({"R", "AL"})
"""Directions of Hebrew and Arabic letters, as Unicode calls them."""
_RIGHT = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+"
RUNS = re.compile(rf"{_RIGHT}(?:[\s\u200c\u200d]+{_RIGHT})*")
"""Words of Hebrew, Arabic and their neighbours, in a row."""
EMOJI = range(0x1F000, 0x1FB00)
"""Where new emoji come, which a phone may know before this Python does."""


def clean(text: str) -> str:
    """*text* as one line in one spelling: composed letters, no direction marks, no needless spaces."""
    seen = "".join(char for char in unicodedata.normalize("NFC", text) if char not in DROPPED)
    words = (word.strip(ENDS) for word in seen.split())
    return " ".join(word for word in words if word)


def is_shown(text: str) -> bool:
    """Whether a page can show every sign of *text*."""
    return all(
        char == " " or char in JOINERS or char in TAGS or ord(char) in EMOJI or unicodedata.category(char) not in UNSEEN
        for char in text
    )


def isolated(text: str) -> str:
    """*text* so that its letters, written from the right, turn nothing round it: no number, no name beside it."""
    turned = ISOLATE not in text and any(unicodedata.bidirectional(char) in FROM_THE_RIGHT for char in text)
    return f"{ISOLATE}{text}{ISOLATE_END}" if turned else text


def isolated_runs(text: str) -> str:
    """The same for every run of such words in a whole sentence."""
    return text if ISOLATE in text else RUNS.sub(lambda found: isolated(found[0]), text)


@lru_cache(maxsize=4096)
def name_key(name: str) -> str:
    """What all spellings of one name share: small and capital letters, and accents in one or two characters (K15)."""
    return unicodedata.normalize("NFC", clean(name).casefold())
