"""Runs a module again and again in one process, each time as `python -P -m MODULE` does: what it imports is imported once.

    python -P again.py MODULE

A line of stdin is a JSON array: the text the module reads on its stdin, and its arguments. A line of stdout is what it
wrote to its own stdout and stderr. Started as a file, so that nothing else is imported; it ends with its stdin.
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
            except Exception:  # noqa: BLE001 - told to whoever asked, as a process of its own would
                traceback.print_exc()
    finally:
        sys.argv, sys.stdin = before
    return out.getvalue(), err.getvalue()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is answered by the process that asks
    channel = sys.stdout
    for line in sys.stdin:
        channel.write(json.dumps(_run(sys.argv[1], *json.loads(line))) + "\n")
        channel.flush()
