"""What every test may ask for, and what a run may insist on: a browser, the training extra, a PostgreSQL server."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def chromium_path() -> str | None:
    """A Chromium or Chrome of this machine; ``SCOREKEEPER_BROWSER`` names another one."""
    return os.environ.get("SCOREKEEPER_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)


def can_train() -> bool:
    """Whether the extra "train", fonts and card art are installed."""
    packages = all(importlib.util.find_spec(name) for name in ("torch", "torchvision", "ultralytics", "onnx"))
    return packages and all(map(shutil.which, ("fc-list", "rsvg-convert"))) and Path("/usr/share/carddecks").is_dir()


def has_postgres() -> bool:
    """Whether a PostgreSQL server can be started or is named."""
    return "SCOREKEEPER_TEST_POSTGRES_URL" in os.environ or any(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


INSISTENCE: Mapping[str, tuple[Callable[[], object], str]] = {
    "SCOREKEEPER_REQUIRE_BROWSER": (chromium_path, "there is no Chromium: install the package chromium"),
    "SCOREKEEPER_REQUIRE_TRAINING": (can_train, "training can't run: `make .venv/train`, and see .ci/run for packages"),
    "SCOREKEEPER_REQUIRE_POSTGRES": (has_postgres, "there is no PostgreSQL server: install the package postgresql"),
}
"""Tests that lack something are skipped with a reason, unless the variable is 1: then the run does not start."""


def pytest_configure() -> None:
    for variable, (is_there, reason) in INSISTENCE.items():
        if os.environ.get(variable) == "1" and not is_there():
            raise pytest.UsageError(f"{reason} ({variable}=1)")


@pytest.fixture
def runner() -> CliRunner:
    """Runs commands in this process."""
    return CliRunner()


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium."""
    found = chromium_path()
    if found is None:
        pytest.skip("no Chromium found: install the package chromium to run browser tests")
    return found


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One headless browser for the whole run; open a context of your own in it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()
