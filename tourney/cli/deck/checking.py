"""`tourney deck check`: whether lists are legal, and why not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

import tourney.decks as decklists
from tourney.cli.command import command
from tourney.cli.deck.reading import DeckFile, Rulesets, deck_files
from tourney.cli.deck.verdicts import print_table, print_verdicts, short_line
from tourney.cli.options import banlist_option, day_option, formats, parse_settings, trust_declared
from tourney.cli.output import json_text, visible
from tourney.cli.session import Exit, Session
from tourney.errors import RulesError, TourneyError

if TYPE_CHECKING:
    from tourney.decks import Decklist, Verdict
    from tourney.decks.verdict import Cause
    from tourney.rules.ruleset import Ruleset


_MOST_KNOWN = 0.6
"""If another pool has at least this share of a list's names, it is probably the right pool."""


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
    help="The rules to check against; several give a matrix. Default: the event's, "
    "or the one in the list's `Format:` line.",
)  # fmt: skip
@day_option
@banlist_option("A ban list in place of the format's, or `none`.")
@click.option(
    "--set",
    "choices",
    metavar="KEY=VALUE",
    multiple=True,
    help="A choice the format leaves to the organizer (`tourney format show` lists them).",
)
@trust_declared
@click.option(
    "--strict",
    is_flag=True,
    help="Treat what could not be verified as illegal (exit 1), including a ban list that is not installed.",
)
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
    short: bool,
    full: bool,
    table: str | None,
    sarif: bool,
    junit: bool,
    fix: bool,
) -> Exit | None:
    """Check whether decklists are legal, and show why not.

    Exits with 0 for legal, 1 for illegal, 4 for unverified: no rule is broken, but the card data cannot
    settle one. A folder means all files in it. If a format, a ban list or a pool is faulty, no list is
    checked (exit 3).
    """
    outputs = {
        "--short": short,
        "--full": full,
        "--table": table,
        "--sarif": sarif,
        "--junit": junit,
        "--json": session.json,
    }
    chosen = [option for option, is_set in outputs.items() if is_set]
    if len(chosen) > 1:
        raise click.UsageError(f"choose one output: {' or '.join(chosen)}")
    if strict and accept_unverified:
        raise click.UsageError("--strict and --accept-unverified contradict each other")
    rulesets = Rulesets(session, names, on, banlist, parse_settings(choices))
    checker = _Checker(session, rulesets, trust_declared=trust_declared, strict=strict, fix=fix)
    lists = deck_files(files)
    several = len(lists) > 1 or len(names) > 1
    rulesets.load()
    with session.progress(lists, "checking") as remaining:
        checked = [pair for file in remaining for pair in checker.verdicts(file, batch=several)]

    verdicts = [verdict for _, verdict in checked]
    if session.json:
        from tourney.decks.documents import deck_checks

        session.emit(deck_checks(verdicts, rulesets.day))
    elif sarif or junit:
        from tourney import __version__
        from tourney.decks import reports

        if sarif:
            report = json_text(reports.sarif(verdicts, __version__))
        else:
            report = visible(reports.junit(verdicts, strict=strict, accept=accept_unverified))
        click.echo(report, color=False)
    elif table is not None:
        print_table(session, verdicts, table)
    elif short:
        session.say(map(short_line, verdicts))
    else:
        print_verdicts(session, checked, several=several, full=full, fix=fix)
    return _exit_of(verdicts, strict=strict, accept=accept_unverified)


def _exit_of(verdicts: Sequence[Verdict], *, strict: bool, accept: bool) -> Exit | None:
    words = {verdict.verdict for verdict in verdicts}
    if "illegal" in words or ("unverified" in words and strict):
        return Exit.FOUND
    return Exit.UNVERIFIED if "unverified" in words and not accept else None


@dataclass
class _Checker:
    """Checks files against the rules named on the command line."""

    session: Session
    rulesets: Rulesets
    trust_declared: bool
    strict: bool
    fix: bool

    def verdicts(self, file: DeckFile, *, batch: bool) -> Iterator[tuple[str, Verdict]]:
        """Yield the name of each format, and its verdict on a file.

        batch: whether a file that is not a decklist gets a finding; otherwise it raises TourneyError

        Raises RulesError for a faulty format, ban list or pool.
        """
        try:
            content = file.content(self.session)
            for name, ruleset in self.rulesets.of_list(content, file.source):
                yield name, self._check(content, file.source, ruleset)
        except RulesError:
            raise
        except TourneyError as fault:
            if not batch:
                raise
            from tourney.decks.checking import unreadable

            for name in self.rulesets.formats or ("",):
                yield name, unreadable(file.source, name, self.rulesets.day, fault)

    def _check(self, content: bytes, source: str, ruleset: Ruleset) -> Verdict:
        decklist = decklists.read(content, source=source, format_=ruleset.format)
        if zones := decklists.part_of(decklist, ruleset):
            ruleset = ruleset.part(zones)
        verdict = decklists.check(decklist, ruleset, trust_declared=self.trust_declared)
        if zones:
            parts = tuple(zone.rule.name or zone.rule.id for zone in ruleset.format.zones)
            verdict = replace(verdict, parts=parts)
        if verdict.cause and len(verdict.cause.names) > _MOST_KNOWN * len(decklist.lines):
            verdict = replace(verdict, cause=self._other_pool(decklist, ruleset, verdict.cause))
        if self.fix and verdict.verdict == "illegal":
            from tourney.decks.repair import repair

            repaired = repair(decklist, ruleset, trust_declared=self.trust_declared)
            verdict = replace(verdict, repair=repaired)
        return verdict.strict() if self.strict else verdict

    def _other_pool(self, decklist: Decklist, ruleset: Ruleset, cause: Cause) -> Cause:
        """Return the cause; if another pool has most of the names, one that asks about that pool."""
        library = self.rulesets.library
        shares = {
            pool: self._known(decklist, pool) for pool in library.pools() if pool != ruleset.format.pool
        }
        pool = max(shares, key=lambda pool: shares[pool], default="")
        if not pool or shares[pool] < _MOST_KNOWN:
            return cause
        format_names = [name for name in library.formats() if self._pool_of(name) == pool]
        return replace(
            cause,
            question=f"the card pool of {pool} has most of them; "
            f"is this a list for {' or '.join(format_names) or pool}?",
            hint=f"`--format {format_names[0]}` checks it by those rules" if format_names else cause.hint,
        )

    def _known(self, decklist: Decklist, name: str) -> float:
        """Return the share of a list's names that a pool has; 0 for a faulty pool."""
        try:
            pool = self.rulesets.library.pool(name)
            in_pool = [any(reading.name in pool for reading in line.readings) for line in decklist.lines]
        except TourneyError:
            return 0
        return sum(in_pool) / len(in_pool)

    def _pool_of(self, name: str) -> str | None:
        try:
            return self.rulesets.library.format(name).pool
        except TourneyError:  # another format is faulty; this check does not use it
            return None
