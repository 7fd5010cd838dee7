"""Options and settings of the test run that belong to more than one folder."""

import signal

import pytest
from hypothesis import settings

# The same examples in every run: what a change breaks is seen with the change. `--hypothesis-profile fresh` draws new
# ones, as `scripts/test --long` does; what it finds becomes a case of its own.
settings.register_profile("repeatable", derandomize=True)
settings.register_profile("fresh", derandomize=False)
settings.load_profile("repeatable")


# A shell lets what it starts in the background ignore Ctrl-C, and so would every command that a test interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser):
    parser.addoption(
        "--update",
        action="store_true",
        help="rewrite the transcripts of tests/golden and tests/errors to what the commands say now",
    )


def pytest_collection_modifyitems(items):
    """Give each of the full-size proofs two hours, unless it says otherwise."""
    for item in items:
        if item.get_closest_marker("long") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(7200))
