"""`tourney` itself: its nouns under headings in the order of a tournament day, loaded when asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from tourney.cli.command import NOUNS, SECTIONS, Noun
from tourney.cli.exits import guard

_PLACES = {noun: f"tourney.cli.{noun}:cli" for noun in NOUNS}


class Root(Noun):
    """The top group; `run` is the whole program."""

    def run(self, args: Sequence[str] | None = None) -> int:
        """Run one command line and return its exit code; nothing is raised."""
        given = _arguments() if args is None else list(args)
        return guard(lambda: self._dispatch(given))

    def main(self, args: Sequence[str] | None = None, *_: Any, **__: Any) -> Any:
        """Do the same as `run` and leave by SystemExit: what click's test runner calls."""
        sys.exit(self.run(args))

    def _dispatch(self, args: list[str]) -> object:
        if "_TOURNEY_COMPLETE" in os.environ:
            from click.shell_completion import shell_complete

            return shell_complete(self, {}, "tourney", "_TOURNEY_COMPLETE", os.environ["_TOURNEY_COMPLETE"])
        with self.make_context("tourney", list(args), obj=tuple(args)) as context:
            return self.invoke(context)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the nouns under their headings, without importing them."""
        for heading, nouns in SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl(list(nouns.items()))


def _arguments() -> list[str]:
    """Return this process's arguments; on Windows, where the shell does not, patterns are expanded."""
    words = sys.argv[1:]
    if os.name != "nt":
        return words
    from glob import glob

    return [found for word in words for found in (glob(word) or [word])]  # noqa: PTH207  patterns as typed


def _show_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        from tourney import __version__

        click.echo(f"tourney {__version__}")
        ctx.exit()


root = Root(
    "tourney",
    lazy=_PLACES,
    help="Run a card-game tournament from the decklist to the published standings, offline, from one terminal.",
    epilog="`tourney NOUN --help` lists its commands. The event is -e FILE, $TOURNEY_EVENT or the one *.tourney here.",
    params=[
        click.Option(
            ["-V", "--version", "version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_version,
            help="Say the version and exit.",
        )
    ],
)
