"""
Times a hand at the table: 4 sides, 80 cards turned over, from the pictures to the recorded score.

    python tests/web/bench_hand.py
    python tests/web/bench_hand.py --hands 5

A real server with the real eye and a phone's page in Chromium. The cards are composed, two pictures of 40 of which
three quarters of each show; a deck is enrolled from one picture in other light. Taps are scripted, and each is given
the second that a person needs. Where the counts are not those of the table they are typed over, a second each.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
from bench_boards import PHONE, bench, start_game
from playwright.sync_api import Page, expect

from scorekeeper.training.measure_backs import Composed, compose, drawn_backs, enrolment_picture

SIDES, CARDS, PICTURES = 4, 40, 2
TAP_S = 1.0
"""What a tap takes a person."""
PATIENCE_MS = 60_000


def write(path: Path, composed: Composed) -> Path:
    cv2.imwrite(str(path), composed.image)
    return path


def enrol(page: Page, folder: Path, game: str, backs: list[np.ndarray], rng: np.random.Generator) -> None:
    """Shows the page one back of each side."""
    page.goto(f"/g/{game}/decks")
    for number, back in enumerate(backs):
        form = page.locator("form.deck").nth(number)
        picture = write(folder / f"back-{number}.jpg", enrolment_picture(rng, back))
        form.locator("input[type=file]").first.set_input_files(picture)
        expect(page.locator("form.deck").nth(number)).to_contain_text("Known", timeout=PATIENCE_MS)


def count(page: Page, game: str, pictures: list[Path], truth: Counter[int], called: int) -> tuple[float, int, int]:
    """Seconds that the computer took, taps, and numbers typed over, from the pictures to the recorded hand."""
    page.goto(f"/g/{game}/hand")
    began, taps, wrong = time.perf_counter(), 1, 0
    page.locator("#step-spread input[type=file][multiple]").set_input_files(pictures)
    expect(page.locator("#step-spread .pan img")).to_have_count(len(pictures), timeout=PATIENCE_MS)
    for side in range(SIDES):
        if page.locator(f"#lake-{side}").input_value() != str(truth[side]):
            page.fill(f"#lake-{side}", str(truth[side]))
            taps, wrong = taps + 1, wrong + 1
        if side != called:
            page.fill(f"#left-{side}", str(2 + side))
            taps += 1
    page.locator(f"#row-{called} .toggle").click()
    page.fill(f"#left-{called}", "0")
    page.get_by_role("button", name="Record hand").click()
    taps += 3
    verdict = page.locator(".verdict h1")
    anyway = page.get_by_role("button", name="Record anyway")
    expect(verdict.or_(anyway).first).to_be_visible(timeout=PATIENCE_MS)
    if anyway.is_visible():
        anyway.click()
        taps += 1
        expect(verdict).to_be_visible(timeout=PATIENCE_MS)
    return time.perf_counter() - began, taps, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=3)
    parser.add_argument("--seed", type=int, default=70)
    chosen = parser.parse_args()
    rng = np.random.default_rng(chosen.seed)
    backs = drawn_backs(rng, SIDES)
    with bench() as here:
        table = start_game(here.link, here.address, SIDES)
        page = here.browser.new_context(base_url=here.address, viewport=PHONE).new_page()
        page.goto("/sign-in")
        page.get_by_label("PIN").fill(here.pin)
        page.get_by_role("button", name="Sign in").click()
        enrol(page, here.folder, table.game, backs, rng)
        totals = []
        for hand in range(chosen.hands):
            spreads = [compose(rng, backs, CARDS, least_visible=0.75) for _ in range(PICTURES)]
            truth = Counter(card.deck for spread in spreads for card in spread.cards)
            pictures = [write(here.folder / f"spread-{hand}-{n}.jpg", spread) for n, spread in enumerate(spreads)]
            seconds, taps, wrong = count(page, table.game, pictures, truth, hand % SIDES)
            totals.append(seconds + taps * TAP_S)
            print(
                f"hand {hand + 1}: {sum(truth.values())} cards, computer {seconds:.1f} s, {taps} taps, "
                f"{wrong} of {SIDES} counts typed over: {totals[-1]:.1f} s"
            )
        print(f"median {statistics.median(totals):.1f} s, goal 20 s; load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
