"""`tourney completion`: what the shell must read at its start."""

from __future__ import annotations

import click

from tourney.cli.command import command
from tourney.cli.session import Session


@command(
    "completion",
    examples=[
        "tourney completion bash >> ~/.bashrc",
        "tourney completion zsh >> ~/.zshrc",
        "tourney completion fish > ~/.config/fish/completions/tourney.fish",
    ],
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def cli(session: Session, shell: str) -> None:
    """Print what your shell must read at its start to complete commands, events, players and tables."""
    from click.shell_completion import get_completion_class

    from tourney.cli.command import root

    completer = get_completion_class(shell)
    if completer is None:  # a shell that this version of click does not know
        raise click.UsageError(f"there is no completion for {shell}")
    source = completer(root, {}, "tourney", "_TOURNEY_COMPLETE").source()
    if session.json:
        session.emit("completion/1", {"shell": shell, "source": source})
    else:
        session.say(source)
