"""`tourney deck`: what a list says (`show`, `convert`), whether two are one deck (`diff`, `hash`), since when it is legal (`history`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import noun
from tourney.cli.deck_check import DeckFile, coloured_word, deck_files
from tourney.cli.options import NONE, F, Rulesets, formats, players
from tourney.cli.output import Exit
from tourney.cli.session import Session, source_of
from tourney.errors import RulesError, TourneyError
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.decks.decklist import Decklist, Line
    from tourney.decks.history import Changed, Period
    from tourney.decks.reading.headers import Vocabulary
    from tourney.decks.resolving import Resolved
    from tourney.rules import Ruleset

cli = noun("deck", lazy={"check": "tourney.cli.deck_check:check"})


# -- Decklists as the commands that only look at them read them: with a format where one is known, else by themselves


def format_option(help_: str) -> Callable[[F], F]:
    """Return `--format`, with what the command takes from it and what holds without it."""
    return click.option("-f", "--format", "name", metavar="NAME|FILE", shell_complete=formats, help=help_)


_HEADERS = "The format whose headers and card names are meant; else the list's own `Format:` line, if it is one here."


def deck_number_option(function: Any) -> Any:
    """Add `--deck N`: which deck of a file of several."""
    return click.option(
        "--deck",
        "number",
        metavar="N",
        type=click.IntRange(min=1),
        help="Which deck of a file that holds several.",
    )(function)


@dataclass
class Read:
    """A deck as it was read, and what its names mean where a format is known."""

    deck: Decklist
    ruleset: Ruleset | None

    @cached_property
    def resolved(self) -> Resolved | None:
        """The names looked up, None where no format is known."""
        if self.ruleset is None:
            return None
        from tourney.decks.resolving import resolve

        return resolve(self.deck, self.ruleset)

    @property
    def hash(self) -> str | None:
        """The hash that `deck check` prints, None where no format is known."""
        return self.resolved.hash if self.resolved else None


class Reader:
    """Reads files for one command. name: the format asked for."""

    def __init__(self, session: Session, name: str | None) -> None:
        self.session = session
        self.rulesets = Rulesets(session, (name,) if name else (), banlist=NONE)
        self.left_out = 0
        self._warned: set[str | None] = set()

    def one(self, file: DeckFile, number: int | None) -> Read:
        """Read the deck meant. Raises TourneyError where the file holds several and none, or no such one, is asked for."""
        decks = self.all(file)
        if number is None and len(decks) > 1:
            raise TourneyError(
                f"{file.source}: there are {len(decks)} decks in this file: {_named(decks)}",
                "say which: `--deck 1`",
            )
        if number is not None and number > len(decks):
            raise TourneyError(f"{file.source}: there is no deck {number} in this file; it has {len(decks)}")
        return decks[(number or 1) - 1]

    def all(self, file: DeckFile) -> list[Read]:
        """Read every deck of a file."""
        from tourney.decks.reading import read_all

        content = file.content(self.session)
        decks = read_all(content, source=file.source, vocabulary=self._general)
        ruleset = self._ruleset(decks[0].format)
        if ruleset is not None:
            from tourney.decks.reading.headers import vocabulary_of
            from tourney.decks.resolving import decided

            decks = read_all(content, source=file.source, vocabulary=vocabulary_of(ruleset.format))
            return [Read(decided(deck, ruleset), ruleset) for deck in decks]
        return [Read(deck, ruleset) for deck in decks]

    def each(self, files: Iterable[DeckFile]) -> Iterator[Read]:
        """Read every deck of every file; of several files, one that is no decklist is told and left out."""
        listed = list(files)
        for file in listed:
            try:
                yield from self.all(file)
            except RulesError:
                raise
            except TourneyError as fault:
                if len(listed) == 1:
                    raise
                self.left_out += 1
                self.session.warn(fault.message, fault.hint)

    def _ruleset(self, name: str | None) -> Ruleset | None:
        if self.rulesets.formats:
            return self.rulesets.ruleset(self.rulesets.formats[0])
        try:
            return self.rulesets.ruleset(self.rulesets.format_named(name)) if name else None
        except RulesError as fault:
            if name not in self._warned:
                self._warned.add(name)
                self.session.warn(f"`Format: {name}` is left aside: {fault.message}", fault.hint)
        except TourneyError:  # another game's format
            pass
        return None  # the list is still a list

    @cached_property
    def _general(self) -> Vocabulary:
        """The general words, and the games that are here: a first line that names one is a title."""
        from tourney.decks.reading.headers import vocabulary

        names = self.rulesets.library.formats()
        return vocabulary(titles=[word for name in names for word in (name, name.partition("/")[0])])


def _named(decks: list[Read]) -> str:
    """Name the decks of a file by title, else by the line they begin on: `1 (Sky), 2 (line 9)`."""
    starts = (
        read.deck.name or (f"line {read.deck.lines[0].number}" if read.deck.lines else "empty")
        for read in decks
    )
    return ", ".join(f"{place} ({start})" for place, start in enumerate(starts, start=1))


# -- tourney deck show: a list as it is understood, with every correction taken


@cli.command(
    "show",
    examples=[
        "tourney deck show ada.txt",
        "tourney deck show ada.txt --format redline/standard",
        "tourney deck show - --json < ada.txt",
        "tourney deck show ada.txt --lines",
    ],
)
@click.argument("files", nargs=-1, required=True, metavar="FILE|DIR|-...")
@format_option(_HEADERS)
@click.option(
    "--lines",
    is_flag=True,
    help="Each line of the file with what it was taken for: card, header, title, comment.",
)
def show(session: Session, *, files: tuple[str, ...], name: str | None, lines: bool) -> Exit | None:
    """Show how decklists are understood: cards by zone, and what is read otherwise than it is written.

    Reads plain text, CSV, XML, JSON and TOML as other programs write them. With a format the names are looked up,
    and names that are not in the pool are told with near ones; a near name is never taken silently.
    """
    reader = Reader(session, name)
    reads = list(reader.each(deck_files(files)))
    if session.json:
        session.emit("deck-show/1", {"decks": [_as_json(read) for read in reads]})
        return Exit.FOUND if reader.left_out else None
    for place, read in enumerate(reads):
        if place:
            session.say()
        for line in _account(read) if lines else _text(read):
            session.say(line)
    return Exit.FOUND if reader.left_out else None


def _text(read: Read) -> Iterator[str]:
    deck = read.deck
    yield _headline(deck)
    yield from _zones(deck.lines)
    if deck.aside:
        yield "\nnever counted"
        yield from _zones(deck.aside)
    changes = list(corrections(read))
    if changes:
        yield "\nread otherwise than written"
        yield from (f"  line {line:<4} {words}" for line, words in changes)
    faults = list(_faults(read))
    if faults:
        yield "\nwrong with the list"
        yield from (f"  line {line:<4} {words}" if line else f"  {words}" for line, words in faults)


def _account(read: Read) -> Iterator[str]:
    """Give each line that is not blank with what it was taken for; of a finding, what is wrong with it."""
    deck = read.deck
    yield _headline(deck)
    if not deck.account:
        yield f"{deck.grammar} is not read line by line"
        return
    yield ""
    cards: dict[int, list[str]] = {}
    for line in (*deck.lines, *deck.aside):
        zone = f"  ({line.zone})" if line.zone else ""
        cards.setdefault(line.number, []).append(f"{line.count} {line.name}{zone}")
    wrong = {number: words for number, words in _faults(read) if number}
    for number, what in deck.account:
        meaning = wrong.get(number, "") if what == "finding" else "; ".join(cards.get(number, ()))
        yield f"  line {number:<4} {what:<8} {meaning}".rstrip()


def _headline(deck: Decklist) -> str:
    whose = [f"`{deck.name}`" if deck.name else "", f"of {deck.player}" if deck.player else ""]
    called = " ".join(word for word in whose if word)
    form = "plain text" if deck.grammar == "plain" else deck.grammar
    parts = [called, counted(deck.cards, "card"), form, deck.format or ""]
    return f"{deck.source}: " + ", ".join(part for part in parts if part)


def _zones(lines: tuple[Line, ...]) -> Iterator[str]:
    """Give the lines under their headers, in the order of the list."""
    for zone, members in groupby(lines, key=lambda line: line.zone):
        listed = list(members)
        yield ""
        if zone is not None:
            yield f"{zone} ({sum(line.count for line in listed)})"
        yield from map(_line, listed)


def _line(line: Line) -> str:
    facts = "{" + ", ".join(f"{key}={value}" for key, value in line.facts.items()) + "}" if line.facts else ""
    code = line.code if line.code and line.code != line.name else ""
    beside = [str(line.printing), code, *line.marks, facts, f"-- {line.comment}" if line.comment else ""]
    return f"  {line.count:>3}  {line.name}" + "".join(f"  {word}" for word in beside if word)


def corrections(read: Read) -> Iterator[tuple[int, str]]:
    """Give line and words of everything that is not read as it is written, in the order of the list."""
    from tourney.cards.names import meant

    notes = [(note.line, note.message) for note in read.deck.notes]
    notes += [
        (line.number, f"`{line.written}`: {line.question}") for line in read.deck.lines if line.question
    ]
    if read.resolved and read.ruleset:
        notes += [
            (each.line, f"`{each.written}` as {each.taken_as}: {each.reason}")
            for each in read.resolved.corrections
        ]
        for slot in read.resolved.unlisted if len(read.ruleset.pool) else ():
            near = read.ruleset.cards.near(slot.name)
            question = f"; {meant(slot.name, near)}" if near else ""
            notes += [(line, f"`{slot.name}` is not in the pool{question}") for line in slot.lines]
    return iter(sorted(notes))


def _faults(read: Read) -> Iterator[tuple[int, str]]:
    if read.ruleset is None:  # with a format the pool was asked, and what it could not settle is a finding
        yield from (
            (line.number, f"`{line.written}`: {line.doubt}") for line in read.deck.lines if line.doubt
        )
    for finding in read.deck.findings:
        subject = f"{', '.join(finding.subjects)}: " if finding.rule == "count" and finding.subjects else ""
        yield (finding.lines[0] if finding.lines else 0), subject + finding.message


def _as_json(read: Read) -> dict[str, Any]:
    deck = read.deck
    return {
        "file": deck.source,
        "grammar": deck.grammar,
        "name": deck.name,
        "player": deck.player,
        "format": deck.format,
        "cards": deck.cards,
        "hash": read.hash,
        "lines": [_line_as_json(line) for line in deck.lines],
        "aside": [_line_as_json(line) for line in deck.aside],
        "corrections": [{"line": line, "message": words} for line, words in corrections(read)],
        "findings": deck.findings,
        "title": _title(deck),
        "account": [{"line": line, "taken_for": what} for line, what in deck.account],
        "about": [{"key": key, "value": value} for key, value in deck.about],
    }


def _title(deck: Decklist) -> dict[str, Any] | None:
    words = deck.title
    return {"line": words.line.number, "text": words.text, "why": words.why} if words else None


def _line_as_json(line: Line) -> dict[str, Any]:
    return {
        "line": line.number,
        "count": line.count,
        "name": line.name,
        "written": line.written,
        "zone": line.zone,
        "zone_id": line.zone_id,
        "group": line.group,
        "set": line.printing.set,
        "number": line.printing.number,
        "code": line.code,
        "marks": line.marks,
        "facts": line.facts,
        "comment": line.comment,
    }


# -- tourney deck convert: one text form into another, with a report of what it could not hold


# Named here so that help and completion need not import the printers; a test holds the two together.
FORMS = {
    "text": "plain text under headers; the form to read and to mend",
    "toml": "the program's own form: holds everything, nothing to guess",
    "markdown": "a list for a page or a forum",
    "csv": "a table for a spreadsheet",
    "json": "zones with their cards",
    "arena": "Magic Arena",
    "mtgo": "Magic Online, text",
    "dek": "Magic Online, .dek",
    "cod": "Cockatrice, .cod",
    "o8d": "OCTGN, .o8d",
    "mwdeck": "Magic Workstation and Apprentice",
    "tappedout": "`4x Name (SET)`, `SB: 2x Name`",
    "forge": "Forge, .dck",
    "xmage": "XMage, .dck",
    "lackey": "LackeyCCG, tabs",
    "ydk": "passcodes, .ydk",
    "ydke": "passcodes, a ydke:// link",
}


@cli.command(
    "convert",
    notes={"Forms": FORMS},
    examples=[
        "tourney deck convert ada.cod --to text",
        "tourney deck convert ada.txt --to toml > ada.toml",
        "tourney deck convert decks.json --deck 2 --to csv",
    ],
)
@click.argument("file", metavar="FILE|-")
@click.option(
    "--to", "form", required=True, type=click.Choice(list(FORMS)), metavar="FORM", help="The form to write."
)
@format_option(_HEADERS)
@deck_number_option
@click.option("--lossless", is_flag=True, help="Refuse, and write nothing, if anything would be lost.")
def convert(
    session: Session, *, file: str, form: str, name: str | None, number: int | None, lossless: bool
) -> None:
    """Write a decklist in another form; what that form cannot hold is told on stderr.

    The text is read back, and every difference is told: nothing is lost silently. Lines that could not be read are
    told, too, and are not written.
    """
    from tourney.decks.printing import write

    deck = Reader(session, name).one(deck_files((file,))[0], number).deck
    text, lost = write(deck, form)
    unread = list(_unread(deck))
    if lossless and (lost or unread):
        first, *more = [f"it does not read {words}" for words in unread] + [
            f"it would lose {words}" for words in lost
        ]
        raise TourneyError(f"{deck.source}: as {form} {first}" + (f"; and {len(more)} more" if more else ""))
    if session.json:
        session.emit(
            "deck-convert/1",
            {"file": deck.source, "form": form, "text": text, "lost": lost, "unread": unread},
        )
        return
    session.say(text.removesuffix("\n"))
    if unread:
        session.talk("\nnot read, so not written:")
        for words in unread:
            session.talk(f"  {words}")
    if lost:
        session.talk(f"\nlost in {form}:")
        for words in lost:
            session.talk(f"  {words}")


def _unread(deck: Decklist) -> list[str]:
    """Say which lines are not in the deck."""
    return [
        (f"line {finding.lines[0]}: " if finding.lines else "") + finding.message
        for finding in deck.findings
        if finding.rule in ("count", "line")
    ]


# -- tourney deck diff: a presented list against another one, or against the one that was registered


@cli.command(
    "diff",
    event=True,
    examples=[
        "tourney deck diff registered.txt presented.txt",
        "tourney deck diff presented.txt --player Mira",
        "tourney deck diff old.txt new.txt --format redline/standard",
    ],
)
@click.argument("first", metavar="FILE|-")
@click.argument("second", metavar="[FILE]", required=False)
@click.option(
    "--player", metavar="PLAYER", shell_complete=players, help="Compare with the list this player registered."
)
@format_option("Whose aliases, printings and zones hold; the event's by default.")
def diff(
    session: Session, first: str, second: str | None, player: str | None, name: str | None
) -> Exit | None:
    """Compare two lists as decks: order, comments and printings do not matter. Leaves with 1 if they differ.

    With --player the registered list comes first and FILE is what was presented at the table.
    """
    if (second is None) == (player is None):
        raise click.UsageError("two files are compared, or one file with --player")
    rulesets = Rulesets(session, (name,) if name else ())
    rules = rulesets.ruleset(name) if name else rulesets.event_rules
    before: str | bytes
    if player is not None:
        with session.desk() as desk:
            before, after = desk.deck_text(player), session.read(first)
        shown = (f"registered by {player}", source_of(first))
    else:
        assert second is not None
        before, after = session.read(first), session.read(second)
        shown = (source_of(first), source_of(second))
    changed = _difference((before, after), shown, rules)
    if session.json:
        session.emit(
            "deck-diff/1", {"first": shown[0], "second": shown[1], "same": not changed, "changed": changed}
        )
    else:
        _say(session, changed, shown)
    return Exit.FOUND if changed else None


def _difference(
    texts: tuple[str | bytes, str | bytes], shown: tuple[str, str], rules: Ruleset | None
) -> tuple[Changed, ...]:
    from tourney.decks.history import difference
    from tourney.decks.reading import read
    from tourney.decks.reading.headers import GENERAL, vocabulary_of

    words = vocabulary_of(rules.format) if rules else GENERAL
    first, second = (
        read(text, source=source, vocabulary=words) for text, source in zip(texts, shown, strict=True)
    )
    return difference(first, second, rules)


def _say(session: Session, changed: tuple[Changed, ...], shown: tuple[str, str]) -> None:
    if not changed:
        session.say(f"{shown[1]} is the same deck as {shown[0]}")
        return
    session.say(f"{shown[1]} against {shown[0]}:\n")
    rows = [
        [f"{each.after - each.before:+d}", each.card, each.zone, f"{each.before} → {each.after}"]
        for each in changed
    ]
    session.table((), rows, right=(0,))
    out = sum(max(0, each.before - each.after) for each in changed)
    new = sum(max(0, each.after - each.before) for each in changed)
    session.say(f"\n{new} put in, {out} taken out")


# -- tourney deck hash: the fingerprint of a deck, and a commitment to it that reveals nothing


@cli.command(
    "hash",
    event=True,
    examples=[
        "tourney deck hash ada.txt --format redline/standard",
        "tourney deck hash ada.txt --commit",
        "tourney deck hash ada.txt --opens 5f2c… --salt 91ab…",
    ],
)
@click.argument("files", nargs=-1, required=True, metavar="FILE|DIR|-...")
@format_option("Whose aliases and zones hold; else the event's, else the list's own.")
@click.option(
    "--commit", is_flag=True, help="Print a salted commitment, and the salt to keep until the deck is shown."
)
@click.option("--promise", is_flag=True, hidden=True, help="The first name of --commit.")
@click.option(
    "--opens",
    "committed",
    metavar="COMMITMENT",
    help="Check whether this is the deck that was committed to (exit 1 if not); needs --salt.",
)
@click.option("--salt", metavar="HEX", help="The salt that belongs to the commitment.")
def hash_(
    session: Session,
    *,
    files: tuple[str, ...],
    name: str | None,
    commit: bool,
    promise: bool,
    committed: str | None,
    salt: str | None,
) -> Exit | None:
    """Print a deck's hash: the same for the same deck, whatever its order, comments and printings.

    With --commit a player hands in a line that reveals nothing about the deck, and proves later which deck it was.
    """
    if (committed is None) != (salt is None):
        raise click.UsageError("--opens and --salt belong together")
    rulesets = Rulesets(session, (name,) if name else ())
    hashes = {file.source: _hash(rulesets, file.content(session), file.source) for file in deck_files(files)}
    if committed is not None:
        kept = _bytes(salt or "")
        return _opened(session, hashes, _whole_commitment(committed), kept)
    rows = [_row(session, source, digest, commit=commit or promise) for source, digest in hashes.items()]
    if session.json:
        session.emit("deck-hash/1", {"decks": rows})
        return None
    for row in rows:
        session.say("  ".join(str(row[key]) for key in ("commitment", "salt", "hash", "file") if key in row))
    if commit or promise:
        session.talk(
            "hand in the commitment, keep the salt; `tourney deck hash FILE --opens COMMITMENT --salt SALT` proves it later"
        )
    return None


def _row(session: Session, source: str, digest: str, *, commit: bool) -> dict[str, object]:
    if not commit:
        return {"file": source, "hash": digest}
    from tourney.decks.history import SALT_BYTES, commitment

    salt = session.entropy(SALT_BYTES)
    return {"file": source, "commitment": commitment(digest, salt), "salt": salt.hex()}


def _opened(session: Session, hashes: dict[str, str], committed: str, salt: bytes) -> Exit | None:
    from tourney.decks.history import opens

    held = {source: opens(committed, digest, salt) for source, digest in hashes.items()}
    if session.json:
        session.emit(
            "deck-opens/1", {"decks": [{"file": source, "opens": same} for source, same in held.items()]}
        )
    else:
        for source, same in held.items():
            session.say(
                f"{source}: {'the deck that was committed to' if same else 'not the deck that was committed to'}"
            )
    return None if all(held.values()) else Exit.FOUND


def _whole_commitment(committed: str) -> str:
    """Refuse part of a commitment: its first digits could be met by another deck and salt, tried out for that."""
    plain = committed.strip().lower()
    if not re.fullmatch(r"[0-9a-f]{64}", plain):
        raise TourneyError(
            "--opens: not a whole commitment, which has 64 hexadecimal digits",
            "as `tourney deck hash FILE --commit` printed it",
        )
    return plain


def _bytes(salt: str) -> bytes:
    try:
        return bytes.fromhex(salt)
    except ValueError:
        raise TourneyError(f"--salt: `{salt}` is not hexadecimal") from None


def _hash(rulesets: Rulesets, content: bytes, source: str) -> str:
    from tourney.decks.reading import read
    from tourney.decks.reading.headers import vocabulary_of
    from tourney.decks.resolving import resolve

    _, rules = next(rulesets.of_list(content, source))
    decklist = read(content, source=source, vocabulary=vocabulary_of(rules.format))
    return resolve(decklist, rules).hash


# -- tourney deck history: from when to when a list was legal, and when it will break


MOST_REASONS = 3


@cli.command(
    "history",
    examples=[
        "tourney deck history ada.txt --format red-diamond/standard",
        "tourney deck history ada.txt -f my.toml --json",
    ],
)
@click.argument("file", metavar="FILE|-")
@format_option("The format; else the list's own `Format:` line.")
@click.option(
    "--trust-declared", is_flag=True, help="Believe the facts the list declares where the pool knows nothing."
)
def history(session: Session, file: str, name: str | None, trust_declared: bool) -> None:
    """Tell from when to when a list was legal, why it broke, and the next day already announced on which it will.

    Every installed ban list of the format counts, past and coming, and every rule of the format that has a first or
    a last day. The card pool is today's.
    """
    from tourney.decks.history import days_of
    from tourney.decks.history import history as periods_of
    from tourney.decks.reading import read
    from tourney.decks.reading.headers import vocabulary_of

    rulesets = Rulesets(session, ())
    content = _only(file).content(session)
    name = name or rulesets.format_named(read(content, source=file).format)
    format_ = rulesets.library.format(name)
    days = {*days_of(format_), *rulesets.library.banlist_days(format_.banlist or "")}
    decklist = read(content, source=file, vocabulary=vocabulary_of(format_))
    periods = periods_of(
        decklist, lambda day: rulesets.on_day(name, day), days, trust_declared=trust_declared
    )
    today = session.now().date()
    if session.json:
        session.emit(
            "deck-history/1",
            {"file": file, "format": format_.id, "on": today, "periods": [_json(each) for each in periods]},
        )
    else:
        for line in _told(periods, today):
            session.say(line)


def _only(file: str) -> DeckFile:
    files = deck_files((file,))
    if len(files) != 1 or not files[0].alone:
        raise TourneyError(f"{file}: one list is asked for, not a folder")
    return files[0]


def _json(period: Period) -> dict[str, object]:
    return {
        "from": period.first,
        "to": period.last,
        "verdict": period.word,
        "findings": period.reasons,
        "banlist": period.verdict.banlist,
    }


def _told(periods: Sequence[Period], today: date) -> Iterator[str]:
    for period in periods:
        first = period.first.isoformat() if period.first else "ever"
        last = period.last.isoformat() if period.last else "further notice"
        now = "  (now)" if _holds(period, today) else ""
        yield f"from {first:<10} to {last:<14} {coloured_word(period.word)}{now}"
        for finding in period.reasons[:MOST_REASONS]:
            yield f"    {', '.join(finding.subjects[:3])}: {finding.message} [{finding.rule}]"
        if len(period.reasons) > MOST_REASONS:
            yield f"    and {len(period.reasons) - MOST_REASONS} more"
    yield ""
    yield _outlook(periods, today)


def _holds(period: Period, day: date) -> bool:
    return (period.first is None or period.first <= day) and (period.last is None or day <= period.last)


def _outlook(periods: Sequence[Period], today: date) -> str:
    """Say the next day on which the list breaks or becomes legal."""
    current = next(period for period in periods if _holds(period, today))
    for period in periods:
        if period.first and period.first > today and period.word != current.word:
            return f"it will be {period.word} from {period.first.isoformat()}"
    return f"nothing that is announced changes that it is {current.word}"
