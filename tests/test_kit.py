"""The tests' own rules: skipped tests are reported, transcripts change only on request."""

import inspect
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from types import SimpleNamespace

import pytest

from tests import conftest, kit


def run_pytest(*words, **environment):
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
        cwd=kit.ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_transcripts_are_not_rewritten_in_ci():
    """There, `--update` is a usage error."""
    done = run_pytest("--update", "tests/golden", CI="true")
    assert done.returncode == 4
    assert "not in CI" in done.stderr


def test_missing_cases_fail_if_they_are_required(tmp_path, monkeypatch):
    """By default they are skipped; with `required` or a named folder they fail."""
    monkeypatch.setattr(kit, "ROOT", tmp_path)
    monkeypatch.setenv("TOURNEY_GOLDEN", "")
    with pytest.raises(pytest.skip.Exception, match=kit.NOT_HERE):
        kit.golden("decks")
    for value in ("required", str(tmp_path)):
        monkeypatch.setenv("TOURNEY_GOLDEN", value)
        with pytest.raises(pytest.fail.Exception, match="decks is not in"):
            kit.golden("decks")


def test_a_run_without_the_cases_reports_the_number_of_tests():
    """A skipped file counts with the number of its tests."""
    lines = []
    reporter = SimpleNamespace(
        stats={
            "skipped": [
                SimpleNamespace(nodeid="tests/official/test_decklists.py",
                    longrepr=f"Skipped: {kit.NOT_HERE}: decklists"),
                SimpleNamespace(nodeid="tests/trf/test_reading.py::test_x",
                    longrepr=f"Skipped: {kit.NOT_HERE}: golden"),
                SimpleNamespace(nodeid="tests/store/test_http.py::test_y", longrepr="Skipped: no openssl"),
            ]
        },
        write_line=lambda line, **_: lines.append(line),
        write_sep=lambda *_, **__: None,
    )  # fmt: skip
    conftest.pytest_terminal_summary(reporter)
    assert re.match(r"87 tests did not run", lines[0])
    assert lines[0].endswith("test_decklists, test_reading")


def test_the_counts_are_those_of_the_collected_tests():
    """`tests/official/COUNTS` has a line for each file."""
    kit.golden()
    collected = run_pytest("--collect-only", "tests/official").stdout
    counts = Counter(
        line.partition("::")[0].rpartition("/")[2] for line in collected.splitlines() if "::" in line
    )
    assert dict(conftest.counts()) == counts


@pytest.mark.skipif(
    sys.platform == "win32", reason="Windows sends Ctrl-C to a console, not to a process group"
)
def test_ctrl_c_in_a_script_shows_no_traceback(tmp_path):
    """The command gets the interrupt first; then the script exits with 130."""
    script = tmp_path / "long.py"
    script.write_text("import sys, time\nprint('begun', sys.argv[1:], flush=True)\ntime.sleep(60)\n", "utf-8")
    line = (
        "import sys, environment; from pathlib import Path; "
        f"sys.exit(environment.play(Path(sys.executable), Path({str(script)!r}), 'a b'))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", line], cwd=kit.ROOT / "scripts", start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout.readline() == "begun ['a b']\n"
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=30) == ("", "")
    assert process.returncode == 130


def test_a_table_names_each_row_that_fails():
    """All rows run, also after a failure; fixtures pass through, and nested tables multiply."""
    ran = []

    @kit.with_rows("one", [1, 2, 3])
    @kit.with_rows("two, three", [(0, 0), (5, 7)])
    def is_small(one, two, three, limit):
        ran.append((one, two, three))
        assert one + two + three < limit

    assert list(inspect.signature(is_small).parameters) == ["limit"]
    is_small(limit=20)
    assert len(ran) == 6
    with pytest.raises(ExceptionGroup, match="2 of 3 rows failed") as failure:
        is_small(limit=14)
    assert len(ran) == 12
    notes = [note for group in failure.value.exceptions for note in group.__notes__]
    assert notes == ["in the row {'one': 2}", "in the row {'one': 3}"]
    with pytest.raises(AssertionError, match="needs rows"):
        kit.with_rows("one", [])


def test_the_count_of_lines_distinguishes_linear_and_quadratic_time():
    def linear(size):
        for _ in range(size):
            pass

    def quadratic(size):
        for _ in range(size):
            linear(size)

    assert kit.takes_linear_time(linear, 100)
    assert not kit.takes_linear_time(quadratic, 100)
