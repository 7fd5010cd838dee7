"""Each transcript in cases/ is a test: the commands give the same answers and exit codes."""

from pathlib import Path

import pytest

from tests.golden.transcript import Transcript, check

CASES = Path(__file__).with_name("cases")


@pytest.mark.parametrize(
    "path", sorted(CASES.rglob("*.txt")), ids=lambda path: path.relative_to(CASES).as_posix()
)
def test_transcript(path, tmp_path, request):
    """Files, commands, stdout, stderr and exit codes are as recorded."""
    check(path, tmp_path, update=request.config.getoption("--update"))


def test_a_wrong_transcript_is_detected(tmp_path):
    """By a wrong line, a wrong exit code and a missing error."""
    true = Transcript.read("About.\n\n=== session\n$ tourney rond\n").play(tmp_path)
    assert true.splitlines()[-1] == "[2]"
    lie = tmp_path / "lie.txt"
    for wrong in (
        true.replace("[2]", "[3]"),
        true.replace("! error", "! eror"),
        true + "$ tourney --version\n",
    ):
        lie.write_text(wrong, encoding="utf-8")
        with pytest.raises(AssertionError, match=r"lie\.txt"):
            check(lie, tmp_path, update=False)
    check(lie, tmp_path, update=True)
    check(lie, tmp_path, update=False)
