"""Options of the test run that belong to more than one folder."""


def pytest_addoption(parser):
    parser.addoption(
        "--update",
        action="store_true",
        help="rewrite the transcripts of tests/golden and tests/errors to what the commands say now",
    )
