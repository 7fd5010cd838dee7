"""Options and settings of the test run that belong to more than one folder."""

from hypothesis import settings

# The same examples in every run: what a change breaks is seen with the change. `--hypothesis-profile fresh` draws new
# ones, as `scripts/test --long` does; what it finds becomes a case of its own.
settings.register_profile("repeatable", derandomize=True)
settings.register_profile("fresh", derandomize=False)
settings.load_profile("repeatable")


def pytest_addoption(parser):
    parser.addoption(
        "--update",
        action="store_true",
        help="rewrite the transcripts of tests/golden and tests/errors to what the commands say now",
    )
