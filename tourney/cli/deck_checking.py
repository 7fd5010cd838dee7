"""`tourney deck check`: whether lists are legal, and why not.

By default, a single verdict is shown in full, and several verdicts in one line each. If the verdicts are for
several formats, a table has a row for each list and a column for each format instead. With --full, all
verdicts are shown in full.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

import click
from msgspec import Struct
from msgspec.structs import replace

import tourney.decks as decklists
from tourney import __version__
from tourney.cli.command import command
from tourney.cli.deck_reading import DeckFile, Rulesets, deck_files
from tourney.cli.options import (
    banlist_option,
    day_option,
    flag,
    format_option,
    parse_settings,
    repeatable,
    trust_declared,
)
from tourney.cli.output import align_rows, arrange_columns, json_text, style_text, table_style, visible
from tourney.cli.session import Exit, Session
from tourney.errors import Finding, RulesError, Severity, TourneyError
from tourney.wording import BANLIST_UNCHECKED, counted, listed

if TYPE_CHECKING:
    from tourney.decks import Decklist, Verdict
    from tourney.decks.verdict import Cause, Fix, Repair, Word
    from tourney.rules.ruleset import Ruleset


_MOST_KNOWN = 0.6
"""If another pool has at least this share of a list's names, it is probably the right pool."""

_COLORS = {"legal": "green", "illegal": "red", "unverified": "yellow"}
_WORDS: tuple[Word, ...] = ("legal", "illegal", "unverified")
_MOST_LINES, _MOST_NAMES = 4, 2
"""The maximum number of line numbers and of card names in a row; --json has all."""
_MOST_ALIKE = 4
"""The maximum number of findings with the same message that are shown in separate rows."""
_MOST_LISTED = 20
"""The maximum number of lists, unknown names and titles to name below a table of lists.

With --full and --json, all are named.
"""
_MOST_PLACES = 2
"""The maximum number of lists that are shown for each unknown name."""
PAGE = 94
"""The width of columns of names, in characters. With the indent, lines have up to 100."""


@command("check", event=True)
@click.argument("files", nargs=-1, required=True, metavar="FILE|DIR|-...")
@format_option(
    "The format to check against; several formats give a matrix. Default: the event's format, or the one "
    "in the list's `Format:` line.",
    "-f",
    "--format",
    "names",
    multiple=True,
)
@day_option
@banlist_option("A ban list to use instead of the format's, or `none`.")
@repeatable(
    "--set",
    "choices",
    metavar="KEY=VALUE",
    help="A choice the format leaves to the organizer (`tourney format show` lists them).",
)
@trust_declared
@flag(
    "--strict", help="Treat unverified lists as illegal (exit 1), even if only the ban list is not installed."
)
@flag("--accept-unverified", help="Accept what could not be verified (exit 0).")
@flag("--short", help="Show one line for each list.")
@flag("--full", help="Show every finding of every list, even of many lists.")
@click.option("--table", metavar="STYLE", help="A table of lists: plain, simple, github, tsv, html …")
@flag("--sarif", help="A SARIF log on stdout, for code hosts.")
@flag("--junit", help="A JUnit report on stdout, for build servers.")
@flag("--fix", help="Suggest the fewest changes that make an illegal list legal.")
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

    Exits with 0 for legal, 1 for illegal, 4 for unverified: no broken rule was found, but the card data does
    not suffice to check every rule. A folder means all files in it. If a format, a ban list or a pool is
    faulty, no list is checked (exit 3).

    Examples:
      tourney deck check ada.txt --format redline/standard
      tourney deck check decks/ --format red-diamond/standard --on 2026-11-20
      tourney deck check - --short < ada.txt
      tourney deck check decks/ --format redline/standard --format redline/scramble
    """
    outputs = {
        "--short": short,
        "--full": full,
        "--table": table,
        "--sarif": sarif,
        "--junit": junit,
        "--json": session.json,
    }
    chosen_outputs = [option for option, is_set in outputs.items() if is_set]
    if len(chosen_outputs) > 1:
        raise click.UsageError(f"choose one output: {' or '.join(chosen_outputs)}")
    if strict and accept_unverified:
        raise click.UsageError("--strict and --accept-unverified contradict each other")
    rulesets = Rulesets(session, names, on, banlist, parse_settings(choices))
    checker = _Checker(session, rulesets, trust_declared=trust_declared, strict=strict, fix=fix)
    lists = deck_files(files)
    several = len(lists) > 1 or len(names) > 1
    rulesets.load()
    with session.progress(lists, "checking") as pending_files:
        named_verdicts = [pair for file in pending_files for pair in checker.verdicts(file, batch=several)]

    verdicts = [verdict for _, verdict in named_verdicts]
    if session.json:
        from tourney.decks.documents import deck_checks

        session.emit(deck_checks(verdicts, rulesets.day))
    elif sarif or junit:
        from tourney.decks import reports

        if sarif:
            report = json_text(reports.sarif(verdicts, __version__))
        else:
            report = visible(reports.junit(verdicts, strict=strict, accept=accept_unverified))
        click.echo(report, color=False)
    elif table is not None:
        _print_table(session, verdicts, table)
    elif short:
        session.say(map(_short_line, verdicts))
    else:
        _print_verdicts(session, named_verdicts, several=several, full=full, fix=fix)
    return _exit_of(verdicts, strict=strict, accept=accept_unverified)


def _exit_of(verdicts: Sequence[Verdict], *, strict: bool, accept: bool) -> Exit | None:
    words = {verdict.verdict for verdict in verdicts}
    if "illegal" in words or ("unverified" in words and strict):
        return Exit.FOUND
    return Exit.UNVERIFIED if "unverified" in words and not accept else None


class _Checker(Struct):
    """Checks decklists in files against the rules that the command line names."""

    session: Session
    rulesets: Rulesets
    trust_declared: bool
    strict: bool
    fix: bool

    def verdicts(self, file: DeckFile, *, batch: bool) -> Iterator[tuple[str, Verdict]]:
        """Yield the name of each format, and its verdict on a file.

        batch: whether to report a file that is not a decklist as a finding; if False, such a file raises
            TourneyError

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

            deck_repair = repair(decklist, ruleset, trust_declared=self.trust_declared)
            verdict = replace(verdict, repair=deck_repair)
        return verdict.strict() if self.strict else verdict

    def _other_pool(self, decklist: Decklist, ruleset: Ruleset, cause: Cause) -> Cause:
        """Return a better cause of unknown card names if another card pool has most of the names.

        The returned cause asks whether the decklist is for a format of that pool. If no other pool has most
        of the names, `cause` itself is returned.
        """
        library = self.rulesets.library
        shares = {
            pool: self._known_share(decklist, pool) for pool in library.pools() if pool != ruleset.format.pool
        }
        pool = max(shares, key=lambda pool: shares[pool], default="")
        if not pool or shares[pool] < _MOST_KNOWN:
            return cause
        format_names = [name for name in library.formats() if self._pool_of(name) == pool]
        return replace(
            cause,
            question=f"the card pool of {pool} has most of them; "
            f"is this a list for {' or '.join(format_names) or pool}?",
            hint=f"`--format {format_names[0]}` checks the list by the rules of that game"
            if format_names
            else cause.hint,
        )

    def _known_share(self, decklist: Decklist, name: str) -> float:
        """Return the fraction of a decklist's lines whose card is in a pool; 0 for a faulty pool."""
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


# -- verdicts as text


def _print_verdicts(
    session: Session, named_verdicts: Sequence[tuple[str, Verdict]], *, several: bool, full: bool, fix: bool
) -> None:
    """Print a single verdict in full, with its repair; print several verdicts in one line each.

    If there are several formats, print a table with a column for each instead. With --full, print all
    verdicts in full. A repair is a set of changes that makes an illegal deck legal.
    """
    verdicts = [verdict for _, verdict in named_verdicts]
    if not several:
        session.say(block(verdicts[0]))
        if fix and verdicts[0].verdict == "illegal":
            session.say(["", *_repair_lines(verdicts[0].repair)])
    elif len({name for name, _ in named_verdicts}) > 1 and not full:
        _print_matrix(session, named_verdicts)
    else:
        if full:
            for verdict in verdicts:
                session.say([*block(verdict), ""])
        else:
            _print_list(session, verdicts)
        _print_notes(session, verdicts, titles=not full)
        session.say(_summary(verdicts))


def color_word(verdict: str) -> str:
    """Return the verdict's word in its color."""
    return style_text(verdict, fg=_COLORS[verdict], bold=True)


# -- many lists


def _print_list(session: Session, verdicts: Sequence[Verdict]) -> None:
    rows = [
        (
            verdict.file,
            _player(verdict),
            color_word(verdict.verdict),
            verdict.cards,
            verdict.hash[:8],
            _rules(verdict),
        )
        for verdict in verdicts
    ]
    session.table(("list", "player", "verdict", "cards", "hash", "rules"), rows, right=(3,))
    session.say("")
    _print_unreadable(session, verdicts)
    _print_causes(session, verdicts)
    _print_unknown_names(session, verdicts)


def _print_unreadable(session: Session, verdicts: Sequence[Verdict]) -> None:
    """Print for each file that is not a decklist why it could not be read, and what to do."""
    faults = [
        f"{verdict.file} could not be read: {finding.message}; {finding.hint or 'check the file'}"
        for verdict in verdicts
        for finding in verdict.findings
        if finding.rule == "file"
    ]
    if faults:
        session.say([*dict.fromkeys(faults), ""])  # each once, though several formats have it


def _print_causes(session: Session, verdicts: Sequence[Verdict]) -> None:
    """Print the probable cause of unknown cards in each decklist, then hints on what to do.

    A hint that several causes share is printed once.
    """
    causes = [(verdict.file, verdict.cause) for verdict in verdicts if verdict.cause]
    if not causes:
        return
    session.table((), [(file, cause.message) for file, cause in causes[:_MOST_LISTED]])
    if len(causes) > _MOST_LISTED:
        session.say(f"and {len(causes) - _MOST_LISTED} more: --full shows them")
    for hint in dict.fromkeys(cause.hint for _, cause in causes):
        session.say(style_text(f"    {hint}", dim=True))
    session.say("")


def _print_unknown_names(session: Session, verdicts: Sequence[Verdict]) -> None:
    """Print the unknown card names that no probable cause explains, the most frequent first."""
    places: dict[str, list[str]] = {}
    questions: dict[str, str] = {}
    for verdict in verdicts:
        explained_names = verdict.cause.names if verdict.cause else ()
        for finding in verdict.findings:
            if finding.rule == "card" and finding.subjects[0] not in explained_names:
                name = finding.subjects[0]
                places.setdefault(name, []).append(f"{verdict.file} {_place(finding)}")
                questions[name] = finding.reason or ""
    if not places:
        return
    session.say("1 name is not a card:" if len(places) == 1 else f"{len(places)} names are not cards:")
    names = sorted(places, key=lambda name: -len(places[name]))
    rows = []
    for name in names[:_MOST_LISTED]:
        more = len(places[name]) - _MOST_PLACES
        more_lists = f" and {counted(more, 'more list')}" if more > 0 else ""
        rows.append((f"  {name}", questions[name], ", ".join(places[name][:_MOST_PLACES]) + more_lists))
    session.table((), rows)
    if len(names) > len(rows):
        session.say(f"  and {len(names) - len(rows)} more: --full shows them")
    session.say("")


def _player(verdict: Verdict) -> str:
    """Return the player named in a decklist, or else the file's name without its extension."""
    return verdict.player or verdict.file.replace("\\", "/").rpartition("/")[2].partition(".")[0]


def _print_notes(session: Session, verdicts: Sequence[Verdict], *, titles: bool) -> None:
    """Print the notes that all decklists share.

    titles: whether to also print the lines that were read as titles, not as cards
    """
    for note in verdicts[0].notes if verdicts else ():
        if all(note in verdict.notes for verdict in verdicts):
            session.say(f"Note: {note}")
    title_lines = [f"{verdict.file} `{verdict.title.text}`" for verdict in verdicts if verdict.title]
    if titles and title_lines:
        more = f" and {len(title_lines) - _MOST_LISTED} more" if len(title_lines) > _MOST_LISTED else ""
        session.say(f"Note: read as titles, not as cards: {', '.join(title_lines[:_MOST_LISTED])}{more}")


def _summary(verdicts: Sequence[Verdict]) -> str:
    """Return counts: `12 lists: 10 legal, 2 illegal (ban list not checked)`."""
    counts = Counter(verdict.verdict for verdict in verdicts)
    words = ", ".join(f"{counts[word]} {color_word(word)}" for word in _WORDS if counts[word])
    missing = sum(verdict.banlist_missing for verdict in verdicts)
    share = f" for {missing} of them" if missing < sum(bool(verdict.hash) for verdict in verdicts) else ""
    banlist_note = f" ({BANLIST_UNCHECKED}{share})" if missing else ""
    return f"{counted(len(verdicts), 'list')}: {words}{banlist_note}"


def _print_matrix(session: Session, named_verdicts: Sequence[tuple[str, Verdict]]) -> None:
    """Print the verdicts as a table, with a row for each decklist and a column for each format.

    Below it, print the number of lists with each verdict, for each format.
    """
    by_format: dict[str, list[Verdict]] = {}
    rows: dict[str, dict[str, str]] = {}
    for name, verdict in named_verdicts:
        column = name or "no format"  # a file that could not be read
        by_format.setdefault(column, []).append(verdict)
        rows.setdefault(verdict.file, {})[column] = color_word(verdict.verdict)
    session.table(
        ("list", *by_format),
        [[file, *(row.get(name, "") for name in by_format)] for file, row in rows.items()],
    )
    session.say("")
    _print_unreadable(session, [verdict for _, verdict in named_verdicts])
    for name, verdicts in by_format.items():
        session.say(f"{name}: {_summary(verdicts)}")


def _print_table(session: Session, verdicts: Sequence[Verdict], style: str) -> None:
    """Print the verdicts as a table in a given style, with a row for each decklist.

    Raises UsageError for an unknown style.
    """
    style = table_style(style)
    headers = ("list", "player", "format", "verdict", "cards", "hash", "findings")
    rows = [
        [
            verdict.file,
            _player(verdict),
            verdict.format,
            verdict.verdict,
            verdict.cards,
            verdict.hash[:12] if style == "plain" else verdict.hash,
            "; ".join(_in_brief(verdict)),
        ]
        for verdict in verdicts
    ]
    session.table(headers, rows, right=(4,), style=style)


def _short_line(verdict: Verdict) -> str:
    """Return the verdict in one line: `ada.txt  legal  60 cards  9f3c…`."""
    parts = (
        verdict.file,
        style_text(verdict.says, fg=_COLORS[verdict.verdict], bold=True),
        counted(verdict.cards, "card"),
        f"{verdict.hash[:8]}…",
        _rules(verdict),
        f"title: {verdict.title.text}" if verdict.title else "",
    )
    return "  ".join(part for part in parts if part)


def _deciding(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings that decide the verdict.

    These are the errors. In a deck without errors, they are the findings that could not be decided.
    """
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    return errors or [finding for finding in findings if finding.severity is Severity.UNVERIFIED]


def _rules(verdict: Verdict) -> str:
    """Return the ids of the rules that decide the verdict, as one text without duplicates."""
    return ", ".join(dict.fromkeys(finding.rule for finding in _deciding(verdict.findings)))


def _in_brief(verdict: Verdict) -> Iterator[str]:
    """Yield short texts on the findings that decide the verdict.

    For a legal deck whose ban list was not checked, yield a text that says so.
    """
    for group in _groups(_deciding(verdict.findings)):
        place, cards, message, rule = _row(group)
        yield f"{rule}: {place}: {cards}: {message}" if cards else f"{rule}: {place}: {message}"
    if verdict.verdict == "legal" and verdict.banlist_missing:
        yield BANLIST_UNCHECKED


# -- one verdict: a headline, a line for each finding in the order of the list, then the notes


def block(verdict: Verdict) -> Iterator[str]:
    """Yield the lines that show a verdict in full."""
    yield _headline(verdict)
    if verdict.cause:
        yield from ("", f"  {verdict.cause.message}", f"      {style_text(verdict.cause.hint, dim=True)}")
    if verdict.findings:
        yield ""
        yield from rows(verdict.findings)
        yield from source_lines(verdict.findings)
    if verdict.proofs and verdict.verdict == "legal":
        yield ""
        yield from (f"  allowed as {line}" for line in verdict.proofs)
    if tail := list(_tail(verdict)):
        yield ""
        yield from tail


def _headline(verdict: Verdict) -> str:
    """Return the headline of a verdict: the file, the verdict, the rules, the day, the ban list."""
    parts = f" ({listed(map(str.lower, verdict.parts))} alone)" if verdict.parts else ""
    banlist = " (ban list: none installed)" if verdict.banlist_missing else ""
    if edition := verdict.banlist:
        banlist = f" (ban list: {edition.name} of {edition.day.isoformat()}, {edition.fingerprint})"
    rules = f"{verdict.format}{parts} on {verdict.on.isoformat()}{banlist}"
    return f"{verdict.file}: {color_word(verdict.verdict)} in {rules}"


def _repair_lines(repair: Repair | None) -> Iterator[str]:
    """Yield the lines about a repair: the changes that make an illegal list legal.

    The repair is called the smallest only if it is proved that a smaller one does not exist.
    """
    if repair is None:
        yield "No repair was found that only takes out, adds or moves cards of the list"
        return
    number = counted(repair.number, "change")
    yield f"Smallest repair, {number}:" if repair.proved else f"A repair, {number} (not proved the smallest):"
    for change in repair.changes:
        noun = "line" if len(change.lines) == 1 else "lines"
        lines = f" ({noun} {', '.join(map(str, change.lines))})" if change.lines else ""
        yield f"  {_change_words(change)}{lines}"


def _change_words(change: Fix) -> str:
    if change.what == "read":
        return f"write {change.to} instead of {change.card}"
    copies = f"{change.copies} {change.card}"
    if change.what == "move":
        return f"move {copies} from {change.zone} to {change.to}"
    return f"take out {copies}" if change.what == "out" else f"put in {copies}"


def rows(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the findings as aligned lines: place in the list, card, message, the rule's id.

    A message that many cards share is shown once, with the cards in columns below.
    """
    groups = list(_groups(findings))
    hints: set[str] = set()
    for group, line in zip(groups, align_rows(map(_row, groups)), strict=True):
        yield f"  {line}"
        hint = group[0].hint
        if hint and hint not in hints and all(finding.hint == hint for finding in group):
            hints.add(hint)
            yield f"      {style_text(hint, dim=True)}"
        if len(group) > 1:
            yield from (f"      {line}".rstrip() for line in _card_lines(group))


def source_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield a blank line and the source of each broken rule; nothing if no rule has a source."""
    cites: dict[str, dict[str, None]] = {}
    for finding in _deciding(findings):
        if finding.cite and finding.cite not in finding.message:
            cites.setdefault(finding.rule, {})[finding.cite] = None
    if cites:
        yield ""
        lines = align_rows([[rule, "; ".join(sources)] for rule, sources in cites.items()])
        yield from (f"  {style_text(line, dim=True)}" for line in lines)


def _groups(findings: Sequence[Finding]) -> Iterator[list[Finding]]:
    """Yield findings in groups, in the order of their first findings.

    If more than _MOST_ALIKE findings have the same message, each about a single card, they are one group.
    """
    findings_by_message: dict[object, list[Finding]] = {}
    for finding in findings:
        findings_by_message.setdefault(_message_key(finding), []).append(finding)
    for finding in findings:
        group = findings_by_message[_message_key(finding)]
        if len(group) <= _MOST_ALIKE:
            yield [finding]
        elif group[0] is finding:
            yield group


def _message_key(finding: Finding) -> object:
    if len(finding.subjects) == 1 and finding.lines:
        return finding.rule, finding.severity, finding.shared_message, finding.cite
    return id(finding)


def _row(group: Sequence[Finding]) -> list[str]:
    """Return the cells for a group of findings: place in the list, cards, message, rule."""
    first = group[0]
    if len(group) == 1:
        place, message = _place(first), first.message
        names = first.subjects if first.lines else ()
        more = len(names) - _MOST_NAMES
        cards = ", ".join(names if more <= 1 else names[:_MOST_NAMES]) + (
            f" and {more} more" if more > 1 else ""
        )
    else:
        place = _lines(sorted({line for finding in group for line in finding.lines}))
        message = first.shared_message
        cards = f"{len(group)} {'names' if first.rule == 'card' else 'cards'}"
    return [place, cards, f"{'advice: ' * (first.severity is Severity.ADVICE)}{message}", first.rule]


def _card_lines(group: Sequence[Finding]) -> Iterator[str]:
    """Yield the lines for a group of findings with the same message, each about one card.

    A card whose finding has a reason gets a row of its own, with the reason. The names of all other cards
    follow in columns.
    """
    numbers = [", ".join(map(str, finding.lines)) for finding in group]
    widest = max(map(len, numbers))
    common = None if len({finding.hint for finding in group}) > 1 else group[0].hint
    reason_rows, names = [], []
    for finding, lines in zip(group, numbers, strict=True):
        row = [lines.rjust(widest), *finding.subjects]
        if finding.reason:
            own_hint = f" ({finding.hint})" if finding.hint and finding.hint != common else ""
            reason_rows.append([*row, f"{finding.reason}{own_hint}"])
        else:
            names += align_rows([row])
    yield from align_rows(reason_rows)
    if names:
        yield from arrange_columns(names, PAGE)


def _place(finding: Finding) -> str:
    """Return where a finding is, such as `lines 7, 12`; without a line, what it is about."""
    return _lines(finding.lines) if finding.lines else ", ".join(finding.subjects) or "deck"


def _lines(lines: Sequence[int]) -> str:
    numbers = ", ".join(map(str, lines[:_MOST_LINES])) + (" …" if len(lines) > _MOST_LINES else "")
    return f"line {numbers}" if len(lines) == 1 else f"lines {numbers}"


def _tail(verdict: Verdict) -> Iterator[str]:
    """Yield the count of problems, the notes, and the facts that were accepted without proof.

    These are facts that the decklist itself declares about cards.
    """
    counts = Counter(finding.severity for finding in verdict.findings)
    error_count, unverified_count = counts[Severity.ERROR], counts[Severity.UNVERIFIED]
    number = ", ".join([
        *([counted(error_count, "problem")] if error_count else []),
        *([f"{unverified_count} unverified"] if unverified_count else []),
    ])  # fmt: skip
    notes = [f"Note: {note}" for note in verdict.notes]
    if number and len(notes) == 1 and "\n" not in notes[0]:
        yield f"{number}. {notes[0]}"
    else:
        yield from ([number] if number else [])
        yield from notes
    if verdict.facts_used:
        yield "Accepted as declared: " + "; ".join(verdict.facts_in_brief)
