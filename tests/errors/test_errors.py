"""Every refusal and every finding has an example that runs: the catalogue is generated from these transcripts."""

from pathlib import Path

import pytest

from tests.golden.transcript import Transcript, check

CASES = sorted(Path(__file__).parent.glob("*/*.txt"))


def name(path):
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", CASES, ids=name)
def test_the_example_says_what_the_catalogue_prints(path, tmp_path, request):
    """The commands say what is recorded, so what the page shows."""
    check(path, tmp_path, update=request.config.getoption("--update"))


@pytest.mark.parametrize("path", CASES, ids=name)
def test_the_example_ends_in_a_refusal_or_a_finding(path):
    """The last command leaves with 1 to 4; what it says is no traceback, no Python type, no "invalid"."""
    last = Transcript.read(path.read_text(encoding="utf-8")).steps[-1].said
    assert last[-1] in {"[1]", "[2]", "[3]", "[4]"}
    said = "\n".join(last)
    for word in ("Traceback", "NoneType", "nvalid", "ailed to", "None", "<class"):
        assert word not in said, f"`{word}` is no word for an organizer"
