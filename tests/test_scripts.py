"""The scripts end quietly after Ctrl-C at any time."""

import hashlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.kit import ROOT, sampled

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="there, Ctrl-C is not a signal to a group of processes"),
]

SCRIPTS = {
    "demo": ("", []),
    "test": ("test", ["-n", "1", "tests/test_record.py"]),
    "bench": ("test", ["commands"]),
    "tourney": ("", ["pool", "check"]),
    "check-certificate": ("", []),
}
"""The extra whose environment each asks for, and words that keep it busy."""


@pytest.fixture
def environment(tmp_path):
    """Return a folder in place of the environment of an extra: an interpreter and a stamp."""

    def made(extra):
        (tmp_path / "bin").mkdir()
        python = tmp_path / "bin" / "python"
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        python.chmod(0o755)
        for tool in Path(sys.executable).parent.iterdir():  # what is installed beside it (`lint-imports`)
            if not tool.name.startswith("python"):
                (tmp_path / "bin" / tool.name).symlink_to(tool)
        stamp = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + extra.encode()).hexdigest()
        (tmp_path / "installed-from").write_text(stamp)
        return tmp_path

    return made


@pytest.mark.parametrize("seconds", sampled([0.1, 0.4, 1.5], [0.1, 1.5]))
@pytest.mark.parametrize("script", SCRIPTS)
def test_ctrl_c_never_shows_a_traceback(script, seconds, environment, tmp_path):
    """As a terminal sends it to all processes: during imports, and during work."""
    extra, words = SCRIPTS[script]
    process = subprocess.Popen(
        [sys.executable, ROOT / "scripts" / script, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=tmp_path,
        env=os.environ | {"TOURNEY_VENV": str(environment(extra)), "PYTHONPATH": str(ROOT),
            "TMPDIR": str(tmp_path)},
        start_new_session=True,
        text=True,
    )  # fmt: skip
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    frames = re.findall(r'File "([^"]+)", line [1-9]', output)
    # What Python prints of its own start (site, .pth files, a script that is being read) no script can
    # answer.
    ours = [
        frame
        for frame in frames
        if "<frozen" not in frame
        and not re.search(r"site\.py|__editable__|sitecustom", frame)
        and not ("init_import_site" in output and frame == "<string>")
        and not ("Could not import runpy module" in output and frame.startswith(sys.base_prefix))
    ]
    assert not frames or not ours, output
    assert process.returncode in {0, 1, 130, -signal.SIGINT}, output
