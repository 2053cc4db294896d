"""Nertz Scorekeeper: keeps the score of a card table and reads it from pictures."""

from __future__ import annotations

__all__ = ["__version__"]
__version__ = "0.1.0"
