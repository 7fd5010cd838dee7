"""`tourney serve` in a separate process."""

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager

from tests.kit import ROOT


@contextmanager
def served(folder, *options, port=0, program=("-m", "tourney")):
    """Serve the event of a folder; yield the process and the address. Ctrl-C ends it.

    program: what Python runs
    """
    line = [
        sys.executable,
        *program,
        "serve",
        "--json",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        *options,
    ]
    surroundings = {
        **os.environ,
        "XDG_DATA_HOME": str(folder / "user"),
        "PYTHONPATH": str(ROOT),
        "TOURNEY_BY": "Ann",
    }
    server = subprocess.Popen(
        line, cwd=folder, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    assert server.stderr is not None
    try:
        text = ""
        while not text.endswith("}\n"):
            read = server.stdout.readline()
            assert read, server.stderr.read()
            text += read
        yield server, json.loads(text)["address"]
    finally:
        if server.poll() is None:
            server.send_signal(signal.SIGINT)
            server.wait(60)
        server.stdout.close()
        server.stderr.close()
