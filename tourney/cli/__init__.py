"""The command line: parse words, call `tourney.desk` or a library, show the answer.

Modules with commands are imported only when a command needs them; `README.md` shows how to add a command.
Nothing here computes or stores. The clock, the user's name and randomness enter in `session.py` and are
handed down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tourney.lazy import lazy_names

if TYPE_CHECKING:  # imported lazily
    from tourney.cli.command import root, run

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__)
