"""House rules as a small text file, to send to somebody and to read back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

from scorekeeper.errors import RulesError
from scorekeeper.rules.house import Rules
from scorekeeper.rules.house_notation import format_rules, parse_rules
from scorekeeper.texts import decode_text
from web.language import gettext as _

FILE_LIMIT = 20_000
"""Bytes of a file of rules."""
COMMENT = "#"


def rules_file(rules: Rules, words: Sequence[str]) -> str:
    """The file: the line of the rules, and above it what they say in *words*, for people."""
    return "".join(f"{line}\n" for line in (*(f"{COMMENT} {word}" for word in words), format_rules(rules)))


def read_rules_file(file: IO[bytes]) -> str:
    """The line of rules of such a file; raises RulesError for any other file."""
    data = file.read(FILE_LIMIT + 1)
    try:
        lines = [line.strip() for line in decode_text(data).splitlines()]
    except UnicodeDecodeError:
        lines = []
    rules = [line for line in lines if line and not line.startswith(COMMENT)]
    if len(data) > FILE_LIMIT or len(rules) != 1:
        raise RulesError(_("that is no file of house rules: it has one line such as 13+10 to 150, x1 -2"))
    parse_rules(rules[0])
    return rules[0]
