"""Options and settings of the test run that belong to more than one folder."""

import asyncio
import gc
import os
import pickle
import shutil
import signal
import tomllib
from pathlib import Path

import pytest
from hypothesis import settings

from tests.kit import NO_NETWORK, NO_POSTGRES, NOT_HERE
from tests.store.web import Server

# The same few examples in every run, so that a failure belongs to the change that was made.
# `--hypothesis-profile fresh` (`scripts/test --long`) draws many new ones; what it finds becomes a case.
settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=25)
settings.register_profile("fresh", derandomize=False, deadline=None, max_examples=200)
settings.load_profile("repeatable")


# A shell makes background processes ignore Ctrl-C. Commands that a test interrupts would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def server():
    """A web server on this machine; it has no files until a test adds some."""
    made = Server()
    yield made
    made.stop()


@pytest.fixture(scope="session")
def postgres():
    """Start a PostgreSQL for this run, in which tests make databases.

    The tests are skipped if PostgreSQL is not installed.
    """
    from tests.store.servers import started

    server = started()
    yield server
    server.remove()


@pytest.fixture
def database(postgres):
    """Return the name of an empty database."""
    name = postgres.database()
    yield name
    postgres.give_back(name)


@pytest.fixture(scope="session")
def chromium():
    """Start Chromium without a window, for this run."""
    # The headless shell is the same browser without windows, and needs half the processor time.
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip("no chromium on this machine: the pages were not opened in a browser")
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=path,
            args=["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
        )
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield opened
        asyncio._set_running_loop(loop)
        opened.close()


@pytest.fixture
def browser(chromium):
    """Return the browser of this run, for one test.

    Playwright's event loop counts as running all the while. Other tests run loops of their own.
    """
    asyncio._set_running_loop(chromium._loop)
    yield chromium
    asyncio._set_running_loop(None)


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory):
    """What commands keep for the next one is kept for this run."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session", autouse=True)
def parsed_once():
    """Parse each TOML text once.

    Thousands of commands in one process read the same formats and profiles.
    """
    loads, kept = tomllib.loads, {}

    def loads_once(text, /, *, parse_float=float):
        key = text, parse_float is float
        if key not in kept:
            value = loads(text, parse_float=parse_float)
            if not 500 < len(text) < 100_000:
                return value
            kept[key] = pickle.dumps(value)
        return pickle.loads(kept[key])

    tomllib.loads = loads_once
    yield
    tomllib.loads = loads


@pytest.fixture(scope="session", autouse=True)
def kept_engine():
    """Ask one process of the Dutch engine all questions.

    Each start of the engine takes longer than a round. `tests/store/test_fide.py` compares its answers with
    those of new processes.
    """
    from tourney.store import fide

    asked_once, fide.dutch_pairs = fide.dutch_pairs, fide.dutch_pairs_kept
    yield
    fide.dutch_pairs = asked_once
    fide.end_kept()


def pytest_addoption(parser):
    parser.addoption(
        "--update",
        action="store_true",
        help="rewrite the transcripts of tests/golden and tests/errors to what the commands say now",
    )


def pytest_configure(config):
    """Refuse to rewrite the transcripts in CI, where the change would not be read."""
    if config.getoption("--update") and os.environ.get("CI"):
        raise pytest.UsageError(
            "--update rewrites the transcripts: not in CI, where the change would not be read"
        )


def pytest_collection_modifyitems(items):
    """Give each of the full-size proofs two hours, unless it says otherwise."""
    for item in items:
        if item.get_closest_marker("long") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(7200))


def pytest_collection_finish():
    """Collect garbage less often, and never among the collected tests.

    Otherwise this takes a sixth of a run.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


def pytest_terminal_summary(terminalreporter):
    """Report how many official cases were tested, and which tests did not run."""
    reports = terminalreporter.stats
    held = sum("tests/official/" in each.nodeid for each in reports.get("passed", ()) if each.when == "call")
    missing = [each.nodeid for each in reports.get("skipped", ()) if NOT_HERE in str(each.longrepr)]
    without = sum(NO_POSTGRES in str(each.longrepr) for each in reports.get("skipped", ()))
    if without:
        said = (
            f"{without} tests of events in a database did not run: {NO_POSTGRES} "
            "(Debian's package `postgresql`)"
        )
        terminalreporter.write_line(said, red=True)
    unconnected = sum(NO_NETWORK in str(each.longrepr) for each in reports.get("skipped", ()))
    if unconnected:
        said = (
            f"{unconnected} tests over a network that fails did not run: {NO_NETWORK} (Linux, "
            "root, Debian's package `iproute2`)"
        )
        terminalreporter.write_line(said, red=True)
    if held:
        terminalreporter.write_line(f"conformance: {held} tests of tests/official passed")
    if missing:
        whole = dict(counts())
        lost = sum(whole.get(Path(each).name, 1) for each in missing)
        names = sorted({Path(each.partition("::")[0]).stem for each in missing})
        terminalreporter.write_sep("!", "conformance not tested", red=True)
        terminalreporter.write_line(
            f"{lost} tests did not run: the golden cases, which others worked out, are not here (set "
            f"TOURNEY_GOLDEN to their folder).\nWhat they would have tested: {', '.join(names)}",
            red=True,
        )


def counts():
    """Yield the files of tests/official and their numbers of tests.

    Without its cases, a whole file is skipped.
    """
    for line in (Path(__file__).parent / "official" / "COUNTS").read_text(encoding="utf-8").splitlines():
        name, _, count = line.partition(" ")
        yield name, int(count)
