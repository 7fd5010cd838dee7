"""`tourney deck check`: legal, illegal or unverified, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import command
from tourney.cli.completing import formats
from tourney.cli.deck.reading import DeckFile, deck_files
from tourney.cli.deck.verdict import block, coloured_word, in_brief, mending, place, short_line, why
from tourney.cli.options import settings, trust_declared
from tourney.cli.output import Exit, json_text, known_style, styled, visible
from tourney.cli.rulesets import Rulesets, ruleset_options
from tourney.cli.session import Session
from tourney.errors import RulesError, TourneyError
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.decks import Verdict
    from tourney.decks.checking import Cause
    from tourney.decks.decklist import Decklist
    from tourney.rules import Ruleset


_MOST_KNOWN = 0.6
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
@trust_declared("Believe the facts a list declares where the pool knows nothing.")
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
    short: bool,
    full: bool,
    table: str | None,
    sarif: bool,
    junit: bool,
    fix: bool,
) -> Exit | None:
    """Say whether decklists are legal, and why not.

    Leaves with 0 for legal, 1 for illegal, 4 for unverified: no rule is broken, but the card data cannot settle one.
    A folder stands for all files in it. Where a format, a ban list or a pool will not do, no list is judged (3).
    """
    shapes = {
        "short": short,
        "full": full,
        "table": table,
        "sarif": sarif,
        "junit": junit,
        "json": session.json,
    }
    chosen = [f"--{name}" for name, given in shapes.items() if given]
    if len(chosen) > 1:
        raise click.UsageError(f"one shape at a time: {' or '.join(chosen)}")
    if strict and accept_unverified:
        raise click.UsageError("--strict and --accept-unverified say opposite things")
    rulesets = Rulesets(session, names, on, banlist, settings(choices))
    checker = _Checker(session, rulesets, trust_declared=trust_declared, fix=fix)
    listed = deck_files(files)
    several = len(listed) > 1 or len(names) > 1
    rulesets.load()
    with session.progress(listed, "checking") as walked:
        checked = [verdicts for file in walked for verdicts in checker.verdicts(file, batch=several)]

    verdicts = [verdict for _, verdict in checked]
    if session.json:
        session.emit("deck-check/1", _as_json(verdicts, rulesets.day))
    elif sarif:
        from tourney import __version__
        from tourney.decks import reports

        click.echo(json_text(reports.sarif(verdicts, __version__)), color=False)
    elif junit:
        from tourney.decks import reports

        report = reports.junit(verdicts, strict=strict, accept=accept_unverified)
        click.echo(visible(report), color=False)
    elif table is not None:
        _table(session, verdicts, table)
    elif short:
        for verdict in verdicts:
            session.say(short_line(verdict))
    else:
        _blocks(session, checked, several=several, full=full, fix=fix)
    return _way_out(verdicts, strict=strict, accept=accept_unverified)


def _way_out(verdicts: Sequence[Verdict], *, strict: bool, accept: bool) -> Exit | None:
    words = {verdict.verdict for verdict in verdicts}
    if "illegal" in words or ("unverified" in words and strict):
        return Exit.FOUND
    return Exit.UNVERIFIED if "unverified" in words and not accept else None


@dataclass
class _Checker:
    """Checks files against the rules asked for."""

    session: Session
    rulesets: Rulesets
    trust_declared: bool
    fix: bool

    def verdicts(self, file: DeckFile, *, batch: bool) -> Iterator[tuple[str, Verdict]]:
        """Give a verdict for each format asked for, with the format's name as asked.

        A file that is no decklist is refused when it is the only one, else it is a finding of that file. Raises
        RulesError where a format, its ban list or its pool will not do: that is no finding of any list.
        """
        try:
            content = file.content(self.session)
            for name, ruleset in self.rulesets.of_list(content, file.source):
                yield name, self._check(content, file, ruleset)
        except RulesError:
            raise
        except TourneyError as fault:
            if not batch:
                raise
            yield from self._faulty(file, fault)

    def _check(self, content: bytes, file: DeckFile, ruleset: Ruleset) -> Verdict:
        from tourney.decks import check as judge
        from tourney.decks.checking import part_of
        from tourney.decks.reading import read
        from tourney.decks.reading.lines import vocabulary_of

        decklist = read(content, source=file.source, vocabulary=vocabulary_of(ruleset.format))
        if zones := part_of(decklist, ruleset):
            ruleset = ruleset.part(zones)
        verdict = judge(decklist, ruleset, trust_declared=self.trust_declared)
        if zones:
            parts = [zone.rule.name or zone.rule.id for zone in ruleset.format.zones]
            verdict = replace(verdict, parts=tuple(parts))
        if verdict.cause and len(verdict.cause.names) > _MOST_KNOWN * len(decklist.lines):
            verdict = replace(verdict, cause=self._elsewhere(decklist, ruleset, verdict.cause))
        if not self.fix or verdict.verdict != "illegal":
            return verdict
        from tourney.decks.repair import repair

        return replace(verdict, repair=repair(decklist, ruleset, trust_declared=self.trust_declared))

    def _elsewhere(self, decklist: Decklist, ruleset: Ruleset, cause: Cause) -> Cause:
        """Ask about the formats whose pool has the names that this one's has not."""
        library = self.rulesets.library
        best = [
            (share, pool)
            for pool in library.pools()
            if pool != ruleset.format.pool and (share := self._known(decklist, pool)) >= _MOST_KNOWN
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
            pool = self.rulesets.library.pool(name)
            in_pool = [any(each.name in pool for each in line.readings) for line in decklist.lines]
        except TourneyError:
            return 0
        return sum(in_pool) / len(in_pool)

    def _pool_of(self, name: str) -> str | None:
        try:
            return self.rulesets.library.format(name).pool
        except TourneyError:  # a faulty format, which nobody asked for
            return None

    def _faulty(self, file: DeckFile, fault: TourneyError) -> Iterator[tuple[str, Verdict]]:
        from tourney.decks.checking import unreadable

        for name in self.rulesets.formats or ("",):
            yield name, unreadable(file.source, name, self.rulesets.day, fault)


# -- What tourney deck check prints: a block, a line each, a matrix, a table, or one JSON object


def _blocks(
    session: Session, checked: Sequence[tuple[str, Verdict]], *, several: bool, full: bool, fix: bool
) -> None:
    """Write verdicts for people: a single one whole, with its repair; of many a matrix of formats, or a table."""
    verdicts = [verdict for _, verdict in checked]
    if several and len({name for name, _ in checked}) > 1 and not full:
        _matrix(session, checked)
    elif several:
        _many(session, verdicts, full=full)
    else:
        for line in block(verdicts[0]):
            session.say(line)
        if fix and verdicts[0].verdict == "illegal":
            session.say("")
            for line in mending(verdicts[0].repair):
                session.say(line)


def _many(session: Session, verdicts: Sequence[Verdict], *, full: bool) -> None:
    if full:
        for verdict in verdicts:
            for line in block(verdict):
                session.say(line)
            session.say("")
    else:
        rows = [
            [
                verdict.source,
                _who(verdict),
                coloured_word(verdict.verdict),
                verdict.total,
                verdict.hash[:8],
                why(verdict),
            ]
            for verdict in verdicts
        ]
        session.table(("list", "player", "verdict", "cards", "hash", "rules"), rows, right=(3,))
        session.say("")
        _causes(session, verdicts)
        _unknown_names(session, verdicts)
    _notes(session, verdicts, titles=not full)
    session.say(_summary(verdicts))


def _causes(session: Session, verdicts: Sequence[Verdict]) -> None:
    """Say of each list what its unknown names probably come from; what to do about it once for all."""
    causes = [(each.source, each.cause) for each in verdicts if each.cause]
    if not causes:
        return
    session.table((), [(source, cause.message) for source, cause in causes[:_MOST_TOLD]])
    if len(causes) > _MOST_TOLD:
        session.say(f"and {len(causes) - _MOST_TOLD} more: --full tells them")
    for hint in dict.fromkeys(cause.hint for _, cause in causes):
        session.say(styled(f"    {hint}", dim=True))
    session.say("")


def _unknown_names(session: Session, verdicts: Sequence[Verdict]) -> None:
    """Say once for all lists which names are no cards, those of many lists first; not those whose cause is told."""
    places: dict[str, list[str]] = {}
    questions: dict[str, str] = {}
    for verdict in verdicts:
        explained = verdict.cause.names if verdict.cause else ()
        for finding in verdict.findings:
            if finding.rule == "card" and finding.subjects[0] not in explained:
                name = finding.subjects[0]
                places.setdefault(name, []).append(f"{verdict.source} {place(finding)}")
                questions[name] = finding.reason or ""
    if not places:
        return
    session.say("1 name is not a card:" if len(places) == 1 else f"{len(places)} names are not cards:")
    names = sorted(places, key=lambda name: -len(places[name]))
    rows = [(f"  {name}", questions[name], _places(places[name])) for name in names[:_MOST_TOLD]]
    session.table((), rows)
    if len(names) > len(rows):
        session.say(f"  and {len(names) - len(rows)} more: --full tells them")
    session.say("")


def _places(places: Sequence[str]) -> str:
    more = len(places) - _MOST_PLACES
    rest = f" and {counted(more, 'more list')}" if more > 0 else ""
    return f"{', '.join(places[:_MOST_PLACES])}{rest}"


_MOST_PLACES = 2
"""Lists named for a name that many have."""


def _who(verdict: Verdict) -> str:
    """Return whose list it is: what it says, else its file's name."""
    return verdict.player or verdict.source.replace("\\", "/").rpartition("/")[2].partition(".")[0]


def _notes(session: Session, verdicts: Sequence[Verdict], *, titles: bool) -> None:
    """Say once what is noted of every list."""
    common = (
        set(verdicts[0].notes).intersection(*(verdict.notes for verdict in verdicts)) if verdicts else set()
    )
    for note in [note for note in verdicts[0].notes if note in common] if verdicts else ():
        session.say(f"Note: {note}")
    titled = [f"{verdict.source} `{verdict.title.text}`" for verdict in verdicts if verdict.title]
    if titles and titled:
        more = f" and {len(titled) - _MOST_TOLD} more" if len(titled) > _MOST_TOLD else ""
        session.say(f"Note: taken as titles, not as cards: {', '.join(titled[:_MOST_TOLD])}{more}")


_MOST_TOLD = 20
"""Titles, names and lists told below a table of many lists; --full and --json have them all."""


def _summary(verdicts: Sequence[Verdict]) -> str:
    """Count the verdicts: `12 lists: 10 legal, 2 illegal`."""
    counts = Counter(verdict.verdict for verdict in verdicts)
    words = ", ".join(
        f"{counts[word]} {coloured_word(word)}" for word in ("legal", "illegal", "unverified") if counts[word]
    )
    return f"{counted(len(verdicts), 'list')}: {words}"


def _matrix(session: Session, checked: Sequence[tuple[str, Verdict]]) -> None:
    """Write decks × formats."""
    names = list(dict.fromkeys(name for name, _ in checked))
    rows: dict[str, dict[str, str]] = {}
    for name, verdict in checked:
        rows.setdefault(verdict.source, {})[name] = coloured_word(verdict.verdict)
    session.table(
        ("list", *names), [[source, *(row.get(name, "") for name in names)] for source, row in rows.items()]
    )
    session.say("")
    for name in names:
        session.say(f"{name}: {_summary([verdict for asked, verdict in checked if asked == name])}")


def _table(session: Session, verdicts: Sequence[Verdict], style: str) -> None:
    style = known_style(style)
    headers = ("list", "player", "format", "verdict", "cards", "hash", "findings")
    rows = [
        [
            v.source,
            _who(v),
            v.format,
            v.verdict,
            v.total,
            v.hash[:12] if style == "plain" else v.hash,
            "; ".join(in_brief(v)),
        ]
        for v in verdicts
    ]
    session.table(headers, rows, right=(4,), style=style)


def _as_json(verdicts: Sequence[Verdict], day: date) -> dict[str, Any]:
    """Return the JSON object: what was checked against, and a list of decks, always a list."""
    formats = list(dict.fromkeys(verdict.format for verdict in verdicts))
    lists = [verdict.banlist for verdict in verdicts]
    return {
        "format": formats[0] if len(formats) == 1 else formats,
        "on": day,
        "banlist": lists[0] if lists and all(each == lists[0] for each in lists) else None,
        "decks": [_deck(verdict) for verdict in verdicts],
    }


def _deck(verdict: Verdict) -> dict[str, Any]:
    return {
        "file": verdict.source,
        "name": verdict.name,
        "player": verdict.player,
        "title": verdict.title,
        "format": verdict.format,
        "banlist": verdict.banlist,
        "verdict": verdict.verdict,
        "cards": verdict.total,
        "zones": dict(verdict.cards),
        "hash": verdict.hash,
        "findings": verdict.findings,
        "notes": verdict.notes,
        "corrections": verdict.corrections,
        "facts_used": verdict.facts_used,
        "proofs": verdict.proofs,
        "repair": verdict.repair,
        "cause": verdict.cause,
        **({"parts": list(verdict.parts)} if verdict.parts else {}),
    }
