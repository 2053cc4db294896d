"""Nertz Scorekeeper: keeps the score of a card table and reads it from pictures."""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded: small matrices need no threads

__all__ = ["__version__"]
__version__ = "1.0.0rc1"
