"""Make the pictures of the README: a player's phone and the projector.

They show round 2 of an evening.

`python -m scripts.pictures` serves an event with invented names and writes `phone.png` and `projector.png` to
`tourney/guides`. It needs the environment of the tests and Chromium.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.desk.kit import new_desk
from tests.serve.served import served
from tests.serve.test_in_a_browser import join
from tourney.record import PlayerId

ROOT = Path(__file__).resolve().parent.parent
NAMES = (
    "Mira Oake", "Tomo Reed", "Ansel Quick", "Bryn Tallow", "Corin Vane", "Della Marsh", "Edda Flint",
    "Fenn Harrow", "Greta Sand", "Holt Ember", "Ines Calder", "Jory Finch", "Kira Stone", "Lorn Ashby",
    "Maren Holt", "Nilo Brook",
)  # fmt: skip


def main() -> None:
    """Play one round, pair the next, start the clock and photograph both pages."""
    guides = ROOT / "tourney" / "guides"
    with tempfile.TemporaryDirectory() as name, sync_playwright() as player:
        folder = Path(name)
        with new_desk(folder, *NAMES, rounds=4, minutes=50) as desk:
            desk.pair_round()
            desk.report_block(f"{table} 1-0" for table in desk.state.round.tables)
            desk.pair_round()
            # The desk of the tests has a clock of its own: the command starts the round now.
            start = [sys.executable, "-m", "tourney", "round", "start", "--minutes", "45", "--quiet"]
            subprocess.run(start, cwd=folder, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
            with served(folder) as (_, address):
                browser = player.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
                phone = browser.new_page(viewport={"width": 390, "height": 640}, device_scale_factor=1.5)
                phone.home = address
                join(phone, folder, PlayerId(1))
                phone.screenshot(path=guides / "phone.png")
                projector = browser.new_page(viewport={"width": 1280, "height": 720})
                projector.goto(f"{address}/screen")
                projector.locator(".clock").first.wait_for()
                projector.screenshot(path=guides / "projector.png")
                browser.close()


if __name__ == "__main__":
    main()
