"""The command line: words in, words out.

One module a noun, imported only when its command runs; `README.md` beside this file tells how to add a command.
Nothing here computes or stores: a command turns words into a call of `tourney.desk` (or of a pure room) and the
answer into text. The clock, the user's name and randomness enter here (`session.py`) and are handed down.
"""

from __future__ import annotations


def run() -> int:
    """Run the command line on this process's arguments and return its exit code."""
    from tourney.cli.command import root
    from tourney.cli.output import prepare

    prepare()
    return root.run()
