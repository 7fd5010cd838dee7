"""Run a module repeatedly in one process, so that it is imported only once.

    python -P again.py MODULE

Each run is like `python -P -m MODULE`. Each line of stdin starts a run: a JSON array with the text for the
module's stdin, and the module's arguments. Each line of stdout answers a run: a JSON array with the module's
output on stdout and on stderr. This file is started by its path, so that no package is imported. The process
ends when its stdin ends.
"""

import contextlib
import io
import json
import runpy
import signal
import sys
import traceback


def _run(module: str, text: str, arguments: list[str]) -> tuple[str, str]:
    out, err, before = io.StringIO(), io.StringIO(), (sys.argv, sys.stdin)
    sys.argv = [module, *arguments]
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                runpy.run_module(module, run_name="__main__")
            except SystemExit:
                pass
            except Exception:  # noqa: BLE001 - shown on stderr, as in a separate process
                traceback.print_exc()
    finally:
        sys.argv, sys.stdin = before
    return out.getvalue(), err.getvalue()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the parent process reacts to Ctrl-C
    channel = sys.stdout
    for line in sys.stdin:
        channel.write(json.dumps(_run(sys.argv[1], *json.loads(line))) + "\n")
        channel.flush()
