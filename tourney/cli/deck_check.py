"""`tourney deck check`: legal, illegal or unverified, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import command
from tourney.cli.completers import formats
from tourney.cli.deck_files import DeckFile, deck_files
from tourney.cli.exits import Exit
from tourney.cli.options import settings
from tourney.cli.rules_asked import RulesAsked, ruleset_options
from tourney.cli.session import Session
from tourney.errors import RulesError, TourneyError

if TYPE_CHECKING:
    from tourney.decks import Verdict
    from tourney.decks.decklist import Decklist
    from tourney.decks.verdict import Cause
    from tourney.rules import Ruleset

MOST_KNOWN = 0.6
"""The share of a list's names from which another pool is probably the one that is meant."""


@command(
    "check",
    event=True,
    examples=[
        "tourney deck check ada.txt --format redline/standard",
        "tourney deck check decks/ --format red-diamond/standard --on 2026-11-20",
        "tourney deck check - --short < ada.txt",
        "tourney deck check decks/ --format redline/standard --format redline/scramble",
    ],
)
@click.argument("files", nargs=-1, required=True, metavar="FILE|DIR|-...")
@click.option(
    "-f", "--format", "names", metavar="NAME|FILE", multiple=True, shell_complete=formats,
    help="The rules to check against; several give a matrix. Without it: the event's here, else the list's own `Format:` line.",
)  # fmt: skip
@ruleset_options
@click.option(
    "--trust-declared", is_flag=True, help="Believe the facts a list declares where the pool knows nothing."
)
@click.option("--strict", is_flag=True, help="Treat what could not be verified as illegal (exit 1).")
@click.option("--accept-unverified", is_flag=True, help="Accept what could not be verified (exit 0).")
@click.option("--short", is_flag=True, help="One line per list, for a queue.")
@click.option("--full", is_flag=True, help="Show every finding of every list, even of many lists.")
@click.option("--table", metavar="STYLE", help="A table of lists: plain, simple, github, tsv, html …")
@click.option("--sarif", is_flag=True, help="A SARIF log on stdout, for code hosts.")
@click.option("--junit", is_flag=True, help="A JUnit report on stdout, for build servers.")
@click.option("--fix", is_flag=True, help="Suggest the fewest changes that make an illegal list legal.")
def check(
    session: Session,
    *,
    files: tuple[str, ...],
    names: tuple[str, ...],
    on: date | None,
    banlist: str | None,
    choices: tuple[str, ...],
    trust_declared: bool,
    strict: bool,
    accept_unverified: bool,
    fix: bool,
    **shape: Any,
) -> Exit | None:
    """Say whether decklists are legal, and why not.

    Leaves with 0 for legal, 1 for illegal, 4 for unverified: no rule is broken, but the card data cannot settle one.
    A folder stands for all files in it. Where a format, a ban list or a pool will not do, no list is judged (3).
    """
    shapes = [name for name in ("short", "full", "table", "sarif", "junit") if shape[name]]
    if len(shapes) > 1 or (shapes and session.json):
        raise click.UsageError(
            f"one shape at a time: --{' or --'.join([*shapes, *(['json'] if session.json else [])])}"
        )
    if strict and accept_unverified:
        raise click.UsageError("--strict and --accept-unverified say opposite things")
    asked = RulesAsked(session, names, on, banlist, settings(choices))
    checker = Checker(session, asked, trust_declared=trust_declared, fix=fix)
    found = deck_files(files)
    several = len(found) > 1 or len(names) > 1
    asked.load()
    with session.progress(found, "checking") as walked:
        checked = [verdicts for file in walked for verdicts in checker.verdicts(file, batch=several)]
    from tourney.cli.deck_check_output import write

    shape |= {"strict": strict, "accept": accept_unverified, "several": several, "fix": fix}
    write(session, checked, asked, **shape)
    return _way_out([verdict for _, verdict in checked], strict=strict, accept=accept_unverified)


def _way_out(verdicts: list[Verdict], *, strict: bool, accept: bool) -> Exit | None:
    words = {verdict.verdict for verdict in verdicts}
    if "illegal" in words or ("unverified" in words and strict):
        return Exit.FOUND
    return Exit.UNVERIFIED if "unverified" in words and not accept else None


@dataclass
class Checker:
    """Checks files against the rules asked for."""

    session: Session
    asked: RulesAsked
    trust_declared: bool
    fix: bool

    def verdicts(self, file: DeckFile, *, batch: bool) -> Iterator[tuple[str, Verdict]]:
        """Give a verdict for each format asked for, with the format's name as asked.

        A file that is no decklist is refused when it is the only one, else it is a finding of that file. Raises
        RulesError where a format, its ban list or its pool will not do: that is no finding of any list.
        """
        try:
            content = file.content(self.session)
            for name, ruleset in self._rulesets(content, file):
                yield name, self._check(content, file, ruleset)
        except RulesError:
            raise
        except TourneyError as fault:
            if not batch:
                raise
            yield from self._faulty(file, fault)

    def _check(self, content: bytes, file: DeckFile, ruleset: Ruleset) -> Verdict:
        from tourney.decks import check as judge
        from tourney.decks.reading import read
        from tourney.decks.zones import words_of

        decklist = read(content, source=file.source, vocabulary=words_of(ruleset.format))
        verdict = judge(decklist, ruleset, trust_declared=self.trust_declared)
        if verdict.cause and len(verdict.cause.names) > MOST_KNOWN * len(decklist.lines):
            verdict = replace(verdict, cause=self._elsewhere(decklist, ruleset, verdict.cause))
        if not self.fix or verdict.verdict != "illegal":
            return verdict
        from tourney.decks.repair import repair

        return replace(verdict, repair=repair(decklist, ruleset, trust_declared=self.trust_declared))

    def _elsewhere(self, decklist: Decklist, ruleset: Ruleset, cause: Cause) -> Cause:
        """Ask about the formats whose pool has the names that this one's has not."""
        library = self.asked.library
        best = [
            (known, pool)
            for pool in library.pools()
            if pool != ruleset.format.pool and (known := self._known(decklist, pool)) >= MOST_KNOWN
        ]
        if not best:
            return cause
        _, pool = max(best, key=lambda each: each[0])
        fitting = [name for name in library.formats() if self._pool_of(name) == pool]
        return replace(
            cause,
            asked=f"the card pool of {pool} has most of them; is this a list for {' or '.join(fitting) or pool}?",
            hint=f"`--format {fitting[0]}` checks it by those rules" if fitting else cause.hint,
        )

    def _known(self, decklist: Decklist, name: str) -> float:
        """Return the share of a list's names that a pool has; a faulty pool, which is not asked about, has none."""
        try:
            pool = self.asked.library.pool(name)
            known = [any(each.name in pool for each in line.readings) for line in decklist.lines]
        except TourneyError:
            return 0
        return sum(known) / len(known)

    def _pool_of(self, name: str) -> str | None:
        try:
            return self.asked.library.format(name).pool
        except TourneyError:  # a faulty format, which nobody asked for
            return None

    def _rulesets(self, content: bytes, file: DeckFile) -> Iterator[tuple[str, Ruleset]]:
        for name in self.asked.formats:
            yield name, self.asked.ruleset(name)
        if not self.asked.formats and (event := self.asked.event_rules):
            yield event.format.id, event
        elif not self.asked.formats:
            from tourney.decks.reading import read

            name = self.asked.named_by(read(content, source=file.source).format)
            yield name, self.asked.ruleset(name)

    def _faulty(self, file: DeckFile, fault: TourneyError) -> Iterator[tuple[str, Verdict]]:
        from tourney.decks.verdict import unreadable

        for name in self.asked.formats or ("",):
            yield name, unreadable(file.source, name, self.asked.day, fault)
