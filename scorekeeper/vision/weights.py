"""Fitted weights: how far what is seen may be believed. models/calibrate_faces.py and calibrate_backs.py fit them."""

from __future__ import annotations

READ = {"bias": 1.79, "confidence": 0.8, "single": -1.17, "on_another": -1.59}
"""That a card is read right."""
TABLE = {"bias": 5.82, "strange": -0.82, "size": -1.86, "unreal": -2.73}
"""That an outline is a card of the table."""
UNSEEN = {"bias": -1.79, "unread": 0.93, "twice": 0.82}
"""That a card is missing where something did not count."""
FACE_DOWN = {"found": 0.12, "down": 0.28, "around": 0.76}
"""That what is found as a back lies face down: by the detector's score, and by `pips` and `around`. Fitted before."""
LEFT_OUT = {"bias": 0.01, "gain": 1.3, "distance": -1.07}
"""That a card lies where an outline of a spread of backs nearly counted."""
