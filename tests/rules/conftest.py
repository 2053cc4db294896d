"""Property tests take the time they need: a busy machine is no reason to fail."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("table", deadline=None)
settings.load_profile("table")
