"""The pages in a real browser, at phone and desktop width."""

import shutil

import pytest

from tests.publish.sample import event
from tourney.publish import render

pytestmark = pytest.mark.browser
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def browser():
    if not CHROMIUM:
        pytest.skip("no chromium on this machine: the pages were not opened in a browser")
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
        )
        yield opened
        opened.close()


@pytest.fixture
def folder(tmp_path):
    for path, content in render(event(3)).items():
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return tmp_path


@pytest.mark.parametrize("width", [320, 375, 1280])
def test_no_page_is_wider_than_the_screen(browser, folder, width):
    """On a phone nobody has to push the whole page sideways; wide tables scroll inside their box."""
    page = browser.new_page(viewport={"width": width, "height": 700})
    for file in sorted(folder.rglob("*.html")):
        page.goto(file.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), file.name
    page.close()


def test_a_player_finds_their_table_by_name(browser, folder):
    """Typing part of a name, accents or not, leaves the tables of that player; an unknown name says so."""
    page = browser.new_page()
    faults = []
    page.on("pageerror", lambda fault: faults.append(fault))
    page.goto((folder / "round-3.html").as_uri())
    box = page.locator("input[type=search]")
    box.fill("asa|un")
    assert page.locator("#tables > li:visible").count() == 1
    box.fill("nobody")
    assert page.locator("#tables > li:visible").count() == 0
    assert page.locator(".find [role=status]").text_content() == "Nobody of that name here"
    box.fill("")
    assert page.locator("#tables > li:visible").count() == 4
    assert not faults
    page.close()
