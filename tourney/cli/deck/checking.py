"""`tourney deck check`: whether lists are legal and why not, as text for judges, as tables and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import zip_longest
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from tourney.cli.command import command
from tourney.cli.deck.reading import DeckFile, Rulesets, deck_files
from tourney.cli.options import banlist_option, day_option, formats, settings, trust_declared
from tourney.cli.output import Exit, aligned, json_text, known_style, padded, styled, visible, width
from tourney.cli.session import Session
from tourney.errors import Finding, RulesError, Severity, TourneyError
from tourney.wording import BANLIST_UNCHECKED, counted, listed

if TYPE_CHECKING:
    from tourney.decks.decklist import Decklist
    from tourney.decks.verdict import Cause, Fix, Repair, Verdict
    from tourney.rules.ruleset import Ruleset


_MOST_KNOWN = 0.6
"""If another pool has this share of a list's names, it is probably the right one."""


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
@day_option
@banlist_option("A ban list in place of the format's, or `none`.")
@click.option(
    "--set",
    "choices",
    metavar="KEY=VALUE",
    multiple=True,
    help="A choice the format leaves to the organizer (`tourney format show` lists them).",
)
@trust_declared("Believe the facts a list declares where the pool knows nothing.")
@click.option(
    "--strict",
    is_flag=True,
    help="Treat what could not be verified as illegal (exit 1), also a ban list that is not installed.",
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

    Exits with 0 for legal, 1 for illegal, 4 for unverified: no rule is broken, but the card data cannot settle one.
    A folder is all files in it. If a format, a ban list or a pool is faulty, no list is checked (exit 3).
    """
    shapes = {
        "short": short,
        "full": full,
        "table": table,
        "sarif": sarif,
        "junit": junit,
        "json": session.json,
    }
    chosen = [f"--{name}" for name, is_set in shapes.items() if is_set]
    if len(chosen) > 1:
        raise click.UsageError(f"choose one output: {' or '.join(chosen)}")
    if strict and accept_unverified:
        raise click.UsageError("--strict and --accept-unverified contradict each other")
    rulesets = Rulesets(session, names, on, banlist, settings(choices))
    checker = _Checker(session, rulesets, trust_declared=trust_declared, strict=strict, fix=fix)
    lists = deck_files(files)
    several = len(lists) > 1 or len(names) > 1
    rulesets.load()
    with session.progress(lists, "checking") as remaining:
        checked = [verdicts for file in remaining for verdicts in checker.verdicts(file, batch=several)]

    verdicts = [verdict for _, verdict in checked]
    if session.json:
        from tourney.decks.documents import deck_checks

        session.emit(deck_checks(verdicts, rulesets.day))
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
            session.say(_short_line(verdict))
    else:
        _blocks(session, checked, several=several, full=full, fix=fix)
    return _exit_of(verdicts, strict=strict, accept=accept_unverified)


def _exit_of(verdicts: Sequence[Verdict], *, strict: bool, accept: bool) -> Exit | None:
    words = {verdict.verdict for verdict in verdicts}
    if "illegal" in words or ("unverified" in words and strict):
        return Exit.FOUND
    return Exit.UNVERIFIED if "unverified" in words and not accept else None


@dataclass
class _Checker:
    """Checks files by the rules of the command line."""

    session: Session
    rulesets: Rulesets
    trust_declared: bool
    strict: bool
    fix: bool

    def verdicts(self, file: DeckFile, *, batch: bool) -> Iterator[tuple[str, Verdict]]:
        """Yield the name of each format and the verdict by it.

        A file that is not a decklist gets a finding; if it is the only file, TourneyError is raised. Raises RulesError
        for a faulty format, ban list or pool.
        """
        try:
            content = file.content(self.session)
            for name, ruleset in self.rulesets.of_list(content, file.source):
                verdict = self._check(content, file, ruleset)
                yield name, verdict.strict() if self.strict else verdict
        except RulesError:
            raise
        except TourneyError as fault:
            if not batch:
                raise
            yield from self._faulty(file, fault)

    def _check(self, content: bytes, file: DeckFile, ruleset: Ruleset) -> Verdict:
        from tourney.decks import check as judge
        from tourney.decks.reading import read
        from tourney.decks.reading.vocabulary import vocabulary_of
        from tourney.decks.resolving import part_of

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
        """Return a cause that asks about another pool with most of the names, if there is one."""
        library = self.rulesets.library
        best = [
            (share, pool)
            for pool in library.pools()
            if pool != ruleset.format.pool and (share := self._known(decklist, pool)) >= _MOST_KNOWN
        ]
        if not best:
            return cause
        _, pool = max(best, key=lambda entry: entry[0])
        fitting = [name for name in library.formats() if self._pool_of(name) == pool]
        return replace(
            cause,
            asked=f"the card pool of {pool} has most of them; is this a list for {' or '.join(fitting) or pool}?",
            hint=f"`--format {fitting[0]}` checks it by those rules" if fitting else cause.hint,
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
        except TourneyError:  # a faulty format that is not the one to check by
            return None

    def _faulty(self, file: DeckFile, fault: TourneyError) -> Iterator[tuple[str, Verdict]]:
        from tourney.decks.checking import unreadable

        for name in self.rulesets.formats or ("",):
            yield name, unreadable(file.source, name, self.rulesets.day, fault)


# -- What tourney deck check prints: a block, a line for each list, a matrix, a table, or one JSON object


def _blocks(
    session: Session, checked: Sequence[tuple[str, Verdict]], *, several: bool, full: bool, fix: bool
) -> None:
    """Print verdicts: one in full, with its repair; many as a matrix of formats or as a table."""
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
            for line in _repair_lines(verdicts[0].repair):
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
                verdict.file,
                _who(verdict),
                coloured_word(verdict.verdict),
                verdict.cards,
                verdict.hash[:8],
                _why(verdict),
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
    """Print the probable cause of the unknown names of each list, then every hint once."""
    causes = [(verdict.file, verdict.cause) for verdict in verdicts if verdict.cause]
    if not causes:
        return
    session.table((), [(source, cause.message) for source, cause in causes[:_MOST_LISTED]])
    if len(causes) > _MOST_LISTED:
        session.say(f"and {len(causes) - _MOST_LISTED} more: --full shows them")
    for hint in dict.fromkeys(cause.hint for _, cause in causes):
        session.say(styled(f"    {hint}", dim=True))
    session.say("")


def _unknown_names(session: Session, verdicts: Sequence[Verdict]) -> None:
    """Print once the names that are not cards, those of many lists first, without those of a printed cause."""
    places: dict[str, list[str]] = {}
    questions: dict[str, str] = {}
    for verdict in verdicts:
        explained = verdict.cause.names if verdict.cause else ()
        for finding in verdict.findings:
            if finding.rule == "card" and finding.subjects[0] not in explained:
                name = finding.subjects[0]
                places.setdefault(name, []).append(f"{verdict.file} {_place(finding)}")
                questions[name] = finding.reason or ""
    if not places:
        return
    session.say("1 name is not a card:" if len(places) == 1 else f"{len(places)} names are not cards:")
    names = sorted(places, key=lambda name: -len(places[name]))
    rows = [(f"  {name}", questions[name], _places(places[name])) for name in names[:_MOST_LISTED]]
    session.table((), rows)
    if len(names) > len(rows):
        session.say(f"  and {len(names) - len(rows)} more: --full shows them")
    session.say("")


def _places(places: Sequence[str]) -> str:
    more = len(places) - _MOST_PLACES
    rest = f" and {counted(more, 'more list')}" if more > 0 else ""
    return f"{', '.join(places[:_MOST_PLACES])}{rest}"


_MOST_PLACES = 2
"""The most lists that are named for an unknown name."""


def _who(verdict: Verdict) -> str:
    """Return the player that a list names, else the name of its file."""
    return verdict.player or verdict.file.replace("\\", "/").rpartition("/")[2].partition(".")[0]


def _notes(session: Session, verdicts: Sequence[Verdict], *, titles: bool) -> None:
    """Print the notes that all lists share, and the lines that were taken as titles."""
    common = (
        set(verdicts[0].notes).intersection(*(verdict.notes for verdict in verdicts)) if verdicts else set()
    )
    for note in [note for note in verdicts[0].notes if note in common] if verdicts else ():
        session.say(f"Note: {note}")
    titled = [f"{verdict.file} `{verdict.title.text}`" for verdict in verdicts if verdict.title]
    if titles and titled:
        more = f" and {len(titled) - _MOST_LISTED} more" if len(titled) > _MOST_LISTED else ""
        session.say(f"Note: taken as titles, not as cards: {', '.join(titled[:_MOST_LISTED])}{more}")


_MOST_LISTED = 20
"""The most titles, names and lists below a table of many lists; --full and --json have all."""


def _summary(verdicts: Sequence[Verdict]) -> str:
    """Return the counts and what was not checked: `12 lists: 10 legal, 2 illegal (ban list not checked)`."""
    counts = Counter(verdict.verdict for verdict in verdicts)
    missing = sum(verdict.banlist_missing for verdict in verdicts)
    some = f" for {missing} of them" if missing < sum(bool(verdict.hash) for verdict in verdicts) else ""
    unchecked = f" ({BANLIST_UNCHECKED}{some})" if missing else ""
    words = ", ".join(
        f"{counts[word]} {coloured_word(word)}" for word in ("legal", "illegal", "unverified") if counts[word]
    )
    return f"{counted(len(verdicts), 'list')}: {words}{unchecked}"


def _matrix(session: Session, checked: Sequence[tuple[str, Verdict]]) -> None:
    """Print a table of lists by formats."""
    names = list(dict.fromkeys(name for name, _ in checked))
    rows: dict[str, dict[str, str]] = {}
    for name, verdict in checked:
        rows.setdefault(verdict.file, {})[name] = coloured_word(verdict.verdict)
    session.table(
        ("list", *names), [[source, *(row.get(name, "") for name in names)] for source, row in rows.items()]
    )
    session.say("")
    for name in names:
        of_format = [verdict for format_, verdict in checked if format_ == name]
        session.say(f"{name}: {_summary(of_format)}")


def _table(session: Session, verdicts: Sequence[Verdict], style: str) -> None:
    style = known_style(style)
    headers = ("list", "player", "format", "verdict", "cards", "hash", "findings")
    rows = [
        [
            v.file,
            _who(v),
            v.format,
            v.verdict,
            v.cards,
            v.hash[:12] if style == "plain" else v.hash,
            "; ".join(_in_brief(v)),
        ]
        for v in verdicts
    ]
    session.table(headers, rows, right=(4,), style=style)


# -- A verdict as text: a headline, a line for each finding in the order of the list, then the notes


_COLOURS = {"legal": "green", "illegal": "red", "unverified": "yellow"}
_MOST_LINES, _MOST_NAMES = 4, 2
"""The most lines and names in one row; --json has all."""
_MOST_ALIKE = 4
"""The most findings alike that still have rows of their own."""
PAGE = 94
"""The width in letters of names in columns; with their indent, 100."""


def coloured_word(verdict: str) -> str:
    """Return the verdict's word in its colour."""
    return _coloured(verdict, verdict)


def _coloured(words: str, verdict: str) -> str:
    return styled(words, fg=_COLOURS[verdict], bold=True)


def _headline(verdict: Verdict) -> str:
    """Return the list, the verdict, the rules and the day."""
    what = f" ({listed(map(str.lower, verdict.parts))} alone)" if verdict.parts else ""
    start = f"{verdict.file}: {coloured_word(verdict.verdict)} in {verdict.format}{what}"
    return f"{start} on {verdict.on.isoformat()}{_list_used(verdict)}"


def _list_used(verdict: Verdict) -> str:
    if verdict.banlist:
        used = verdict.banlist
        return f" (ban list: {used.name} of {used.day.isoformat()}, {used.fingerprint})"
    return " (ban list: none installed)" if verdict.banlist_missing else ""


def _short_line(verdict: Verdict) -> str:
    """Return the verdict in one line: `ada.txt  legal  60 cards  9f3c…`."""
    number = counted(verdict.cards, "card")
    title = f"title: {verdict.title.text}" if verdict.title else ""
    parts = [
        verdict.file,
        _coloured(verdict.says, verdict.verdict),
        number,
        f"{verdict.hash[:8]}…",
        _why(verdict),
        title,
    ]
    return "  ".join(part for part in parts if part)


def _deciding(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings that decide the verdict: the errors, else what could not be decided."""
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    return errors or [finding for finding in findings if finding.severity is Severity.UNVERIFIED]


def _why(verdict: Verdict) -> str:
    """Return the rules that decide the verdict, without repetition."""
    return ", ".join(dict.fromkeys(finding.rule for finding in _deciding(verdict.findings)))


def _in_brief(verdict: Verdict) -> Iterator[str]:
    """Yield the findings that decide the verdict in a few words, like ones once; then what was not checked."""
    for together in _grouped(_deciding(verdict.findings)):
        where, cards, message, rule = _row(together)
        yield f"{rule}: {where}: {cards}: {message}" if cards else f"{rule}: {where}: {message}"
    if verdict.verdict == "legal" and verdict.banlist_missing:
        yield BANLIST_UNCHECKED


def block(verdict: Verdict) -> Iterator[str]:
    """Yield the lines of the whole verdict."""
    yield _headline(verdict)
    if verdict.cause:
        yield ""
        yield f"  {verdict.cause.message}"
        yield f"      {styled(verdict.cause.hint, dim=True)}"
    if verdict.findings:
        yield ""
        yield from rows(verdict.findings)
        yield from cited(verdict.findings)
    proofs = verdict.proofs if verdict.verdict == "legal" else ()
    if proofs:
        yield ""
        yield from (f"  allowed as {line}" for line in proofs)
    tail = list(_tail(verdict))
    if tail:
        yield ""
        yield from tail


def _repair_lines(repair: Repair | None) -> Iterator[str]:
    """Yield the lines of a repair; it is called the smallest only if that is proved."""
    if repair is None:
        yield "No repair was found by taking out, putting in and moving the list's own cards"
        return
    number = counted(repair.number, "change")
    yield f"Smallest repair, {number}:" if repair.proved else f"A repair, {number} (not proved the smallest):"
    for change in repair.changes:
        where = f" (line {', '.join(map(str, change.lines))})" if change.lines else ""
        yield f"  {_change_words(change)}{where}"


def _change_words(change: Fix) -> str:
    if change.what == "read":
        return f"write {change.to} instead of {change.card}"
    copies = f"{change.copies} {change.card}"
    if change.what == "move":
        return f"move {copies} from {change.zone} to {change.to}"
    return f"take out {copies}" if change.what == "out" else f"put in {copies}"


def rows(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the findings as aligned lines: place, card, message, the rule's handle.

    A message that many cards share is shown once, with the cards in columns below.
    """
    groups = list(_grouped(findings))
    lines = aligned([_row(together) for together in groups])
    hints: set[str] = set()
    for together, line in zip(groups, lines, strict=True):
        yield f"  {line}"
        hint = together[0].hint
        if hint and hint not in hints and all(finding.hint == hint for finding in together):
            hints.add(hint)
            yield f"      {styled(hint, dim=True)}"
        if len(together) > 1:
            yield from (f"      {line}".rstrip() for line in _listed(together))


def cited(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield a blank line and the source of each broken rule; nothing if the format has no source for any."""
    cites: dict[str, dict[str, None]] = {}
    for finding in _deciding(findings):
        if finding.cite and finding.cite not in finding.message:
            cites.setdefault(finding.rule, {})[finding.cite] = None
    if cites:
        yield ""
        lines = aligned([[rule, "; ".join(where)] for rule, where in cites.items()])
        yield from (f"  {styled(line, dim=True)}" for line in lines)


def _grouped(findings: Sequence[Finding]) -> Iterator[list[Finding]]:
    """Yield findings in groups: more than _MOST_ALIKE that are alike are one group, at the place of the first."""
    alike: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        alike.setdefault(_alike(finding), []).append(finding)
    for finding in findings:
        together = alike[_alike(finding)]
        if len(together) <= _MOST_ALIKE:
            yield [finding]
        elif together[0] is finding:
            yield together


def _alike(finding: Finding) -> tuple[object, ...]:
    """Return a key that findings share if they have the same message about one card; else a key of its own."""
    if len(finding.subjects) == 1 and finding.lines:
        return (finding.rule, finding.severity, finding.shared_message, finding.cite)
    return (id(finding),)


def _row(together: Sequence[Finding]) -> list[str]:
    first = together[0]
    if len(together) == 1:
        return [_place(first), _subject(first), _message(first), first.rule]
    lines = sorted({line for finding in together for line in finding.lines})
    noun = "names" if first.rule == "card" else "cards"
    return [_lines(lines), f"{len(together)} {noun}", _message(first, first.shared_message), first.rule]


def _listed(together: Sequence[Finding]) -> Iterator[str]:
    """Yield the lines and names of many cards: those with a reason in rows, the others in columns."""
    widest = max(len(_numbers(finding)) for finding in together)
    common = None if len({finding.hint for finding in together}) > 1 else together[0].hint
    explained = [finding for finding in together if finding.reason]
    if explained:
        rows = [
            [_numbers(finding).rjust(widest), *finding.subjects, _more(finding, common)]
            for finding in explained
        ]
        yield from aligned(rows)
    cells = [
        [_numbers(finding).rjust(widest), *finding.subjects] for finding in together if not finding.reason
    ]
    if names := [line for cell in cells for line in aligned([cell])]:
        columns = _columns(names)
        widths = [max(map(width, column)) for column in columns]
        for row in zip_longest(*columns, fillvalue=""):
            yield "    ".join(map(padded, row, widths))


def _columns(names: Sequence[str]) -> list[Sequence[str]]:
    """Return names in as many columns as PAGE has room for, filled downwards."""
    across = PAGE // (min(map(width, names)) + 4) + 1
    while True:
        down = -(-len(names) // across)
        columns = [names[start : start + down] for start in range(0, len(names), down)]
        if across == 1 or sum(max(map(width, column)) + 4 for column in columns) - 4 <= PAGE:
            return columns
        across -= 1


def _more(finding: Finding, common: str | None) -> str:
    own = f" ({finding.hint})" if finding.hint and finding.hint != common else ""
    return f"{finding.reason}{own}"


def _numbers(finding: Finding) -> str:
    return ", ".join(map(str, finding.lines))


def _place(finding: Finding) -> str:
    """Return the place of a finding: `line 7`, `lines 7, 12`, or what it is about."""
    return _lines(finding.lines) if finding.lines else ", ".join(finding.subjects) or "deck"


def _lines(lines: Sequence[int]) -> str:
    numbers = ", ".join(map(str, lines[:_MOST_LINES])) + (" …" if len(lines) > _MOST_LINES else "")
    return f"line {numbers}" if len(lines) == 1 else f"lines {numbers}"


def _subject(finding: Finding) -> str:
    if not finding.lines:
        return ""
    more = len(finding.subjects) - _MOST_NAMES
    if more <= 1:
        return ", ".join(finding.subjects)
    return f"{', '.join(finding.subjects[:_MOST_NAMES])} and {more} more"


def _message(finding: Finding, message: str = "") -> str:
    message = message or finding.message
    return f"advice: {message}" if finding.severity is Severity.ADVICE else message


def _tail(verdict: Verdict) -> Iterator[str]:
    """Yield the count of problems, the notes, and the facts that only the organizer vouches for."""
    count = _count(verdict.findings)
    notes = list(verdict.notes)
    if count and len(notes) == 1 and "\n" not in notes[0]:
        yield f"{count}. Note: {notes[0]}"
        notes = []
    elif count:
        yield count
    yield from (f"Note: {note}" for note in notes)
    if verdict.facts_used:
        yield "On the organizer's word: " + "; ".join(verdict.facts_in_brief)


def _count(findings: Sequence[Finding]) -> str:
    kinds = ((Severity.ERROR, "problem", "problems"), (Severity.UNVERIFIED, "not decided", "not decided"))
    numbers = [
        (sum(finding.severity is kind for finding in findings), one, many) for kind, one, many in kinds
    ]
    return ", ".join(f"{number} {one if number == 1 else many}" for number, one, many in numbers if number)
