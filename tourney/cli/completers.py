"""What the shell may complete: the events here, and what an event and the data know. A completer never complains."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem


def events(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the event files here; where none fits, files are the shell's business."""
    here = sorted(str(path) for path in Path().glob("*.tourney"))
    fitting = [CompletionItem(name) for name in here if name.startswith(incomplete)]
    return fitting or [CompletionItem(incomplete, type="file")]
