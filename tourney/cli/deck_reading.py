"""`tourney deck show` and `convert`; and how all deck commands read lists and rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct, field

import tourney.decks as decklists
from tourney.cards.names import suggestion
from tourney.cli.command import command
from tourney.cli.options import flag, format_option, positive
from tourney.cli.session import Exit, Session, source_of
from tourney.errors import RulesError, TourneyError, as_rules_error
from tourney.store.files import files_below
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.cards.pool import Pool
    from tourney.decks import Decklist, Line
    from tourney.decks.reading.vocabulary import Vocabulary
    from tourney.decks.resolving import ResolvedDeck
    from tourney.rules.banlist import BanList
    from tourney.rules.format import Format
    from tourney.rules.ruleset import Ruleset
    from tourney.store.data import Library


_LARGEST = 5_000_000
"""The maximum number of bytes of a decklist."""


class DeckFile(Struct, frozen=True):
    """A file with a decklist; `-` is standard input."""

    path: str

    @property
    def source(self) -> str:
        """The name by which messages refer to the file."""
        return source_of(self.path)

    def content(self, session: Session) -> bytes:
        """Read the file. Raises TourneyError if it is unreadable, too large or empty."""
        too_large = TourneyError(
            f"{self.source} is larger than {_LARGEST // 1_000_000} MB, so it is not a decklist"
        )
        if self.path != "-" and Path(self.path).stat().st_size > _LARGEST:
            raise too_large
        content = session.read(self.path)
        if len(content) > _LARGEST:
            raise too_large
        if self.path == "-" and not content.strip():
            raise TourneyError(
                f"{self.source} is empty", "pipe a decklist into the command, or name its file"
            )
        return content


def deck_files(names: tuple[str, ...]) -> list[DeckFile]:
    """Return the named files, and the files in named folders, at any depth.

    Hidden files are left out. Raises TourneyError for an unknown name, and for a folder with no files
    or too many.
    """
    decks: list[DeckFile] = []
    for name in names:
        path = Path(name)
        if name != "-" and path.is_dir():
            folder_files = [DeckFile(str(file)) for file in files_below(path)]
            if not folder_files:
                raise TourneyError(f"{name}: the folder has no files")
            decks.extend(folder_files)
        elif name == "-" or path.exists():
            decks.append(DeckFile(name))
        else:
            raise TourneyError(f"{name}: there is no such file or folder")
    return decks


# -- The rules that a deck is read and checked by


NONE = "none"
_MOST_READ = 5_000
"""The largest pool, in cards, in which deck commands look up the words of a format.

`format show --check` looks them up in a pool of any size.
"""


class Rulesets(Struct, dict=True):
    """The rulesets that a command line names; each is read once.

    formats:  names or files of formats. If empty, the event's format is used, or without an event the format
        that each list names
    on:       the day of `--on`; None for today
    banlist:  a name, a file or `none`, in place of the format's own ban list
    settings: the choices that the format leaves to the organizer: name → value
    tolerant: whether to accept a format that names zones or choices that do not exist, because the caller
        reports them
    """

    session: Session
    formats: Sequence[str]
    on: date | None = None
    banlist: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    tolerant: bool = False
    _rulesets: dict[str, Ruleset] = field(default_factory=dict)

    @cached_property
    def library(self) -> Library:
        """The formats, ban lists and card pools of the session."""
        return self.session.library()

    @property
    def day(self) -> date:
        """The day of `--on`, or today."""
        return self.on or self.session.now().date()

    @property
    def without_banlist(self) -> bool:
        """Whether the organizer plays without a ban list."""
        return self.banlist == NONE

    def ruleset(self, name: str) -> Ruleset:
        """Return the rules of a format on the day. Raises RulesError if they are faulty."""
        if name not in self._rulesets:
            from tourney.rules.ruleset import Ruleset

            with as_rules_error():
                format_ = self.library.format(name)
                pool = self.library.pool_of(format_)
                if not (self.tolerant or format_.is_shipped):
                    self._proofread(format_, pool, name)
                self._rulesets[name] = Ruleset(
                    format_,
                    self._banlist(format_.banlist),
                    pool,
                    self.day,
                    {
                        key: format_.choice(key, value) if key in format_.settings else value
                        for key, value in self.settings.items()
                        if value is not None
                    },
                    self.without_banlist,
                )
        return self._rulesets[name]

    def _proofread(self, format_: Format, pool: Pool, name: str) -> None:
        """Refuse a format whose expressions name unknown zones or choices; warn of unknown words.

        A choice is a possible value of a setting of the format. Unknown attributes of printings are refused,
        too. A word is unknown if no card of the pool has it. The words are not checked if the format is
        installed, or if the pool is incomplete or very large.
        """
        from tourney.rules.proofread import misspelt, refuse_misspelt

        refuse_misspelt(format_, pool)
        is_installed = self.library.find_format(name).name in self.library.formats()
        if is_installed or not pool.complete or len(pool) > _MOST_READ:
            return
        try:
            words = list(misspelt(format_, pool))
        except TourneyError:  # a faulty line of the pool; the check of its card reports it
            return
        for sentence in words:
            self.session.warn(
                sentence, "`tourney format show FILE --check` shows every line of a format that has no effect"
            )

    def load(self) -> None:
        """Read the rules of `--format`, or otherwise of the event.

        Raises RulesError for faulty rules.
        """
        for name in self.formats:
            self.ruleset(name)
        if not self.formats:
            _ = self.event_rules

    def of_list(self, content: bytes, source: str) -> Iterator[tuple[str, Ruleset]]:
        """Yield the name and the rules of each format to check a decklist against.

        These are the formats of `--format`. Without this option, it is the event's format, or without an
        event the format that the decklist names. Raises TourneyError if no format is named in any of these
        ways.
        """
        for name in self.formats:
            yield name, self.ruleset(name)
        if self.formats:
            return
        if event := self.event_rules:
            yield event.format.id, event
        else:
            name = self.format_named(decklists.read(content, source=source).format)
            yield name, self.ruleset(name)

    def on_day(self, name: str, day: date) -> Ruleset:
        """Return the rules of a format as they are on `day`, instead of on `self.day`.

        Raises RulesError if they are faulty.
        """
        other = Rulesets(self.session, self.formats, day, self.banlist, self.settings, self.tolerant)
        return other.ruleset(name)

    @cached_property
    def event_rules(self) -> Ruleset | None:
        """The rules of the event that is named, or else of the only event in this folder.

        The option `-e` or the variable `TOURNEY_EVENT` names an event. Without a name, this returns None if
        this folder has no event or several events.

        Raises TourneyError if the event cannot be opened. The options `--on`, `--banlist` and `--set` are
        errors, too, because an event has its own day, ban list and choices.
        """
        if not self.session.has_event:
            return None
        if self.banlist is not None or self.settings or self.on is not None:
            raise TourneyError(
                "`--on`, `--banlist` and `--set` do not work in an event,"
                " which has its own day, ban list and choices",
                "add `--format NAME` to check without the event",
            )
        with self.session.desk() as desk, as_rules_error():
            return desk.rules.ruleset(desk.library)

    def format_named(self, word: str | None) -> str:
        """Return the format that a list names, for a command without `--format`.

        Raises TourneyError if the list names an unknown format, or does not name one.
        """
        names = self.library.formats()
        all_names = ", ".join(names) or "none"
        if not word:
            raise TourneyError(
                "the format is missing: add --format NAME, or write `Format: NAME` into the list",
                f"formats: {all_names}",
            )
        if word in names:
            return word
        matches = self.library.formats_with_title(word)
        if len(matches) != 1:
            raise TourneyError(
                f"the list says `Format: {word}`, but no such format is installed", f"formats: {all_names}"
            )
        return matches[0]

    def _banlist(self, format_banlist: str | None) -> BanList | None:
        """Return the ban list of `--banlist`, or otherwise of the format.

        Returns None if the ban list is not installed, or if no ban list is used.
        """
        if self.without_banlist:
            return None
        if self.banlist:
            return self.library.read_banlist(self.library.banlist_named(self.banlist, self.day))
        return self.library.banlist(format_banlist, self.day) if format_banlist else None


# -- A deck as it was read


class _ListRead(Struct, frozen=True):
    """A deck as it was read; if its format is known, also the rules and the cards found."""

    deck: Decklist
    ruleset: Ruleset | None = None
    resolved_deck: ResolvedDeck | None = None


class _Reader:
    """Reads files for one command.

    name:           the format of `--format`
    left_out_count: the number of files that were left out because they are not decklists
    """

    def __init__(self, session: Session, name: str | None) -> None:
        self.session = session
        self.rulesets = Rulesets(session, (name,) if name else (), banlist=NONE)
        self.left_out_count = 0
        self._warned_names: set[str] = set()

    def read_one(self, file: DeckFile, number: int | None) -> _ListRead:
        """Read one deck of a file. number: from 1; None for the only deck.

        Raises TourneyError for a wrong or missing number.
        """
        decks = self.read_file(file)
        if number is None and len(decks) > 1:
            raise TourneyError(
                f"{file.source}: there are {len(decks)} decks in this file: {_deck_names(decks)}",
                "choose one deck, such as `--deck 1`",
            )
        if number is not None and number > len(decks):
            raise TourneyError(f"{file.source}: there is no deck {number} in this file; it has {len(decks)}")
        return decks[(number or 1) - 1]

    def read_file(self, file: DeckFile) -> list[_ListRead]:
        """Read every deck of a file.

        The format is that of `--format`, or else the one that the first deck names. Without a format, the
        decks are read, but their cards are not looked up.
        """
        content = file.content(self.session)
        decks = decklists.read_all(content, source=file.source, vocabulary=self._general_words)
        ruleset = self._ruleset(decks[0].format)
        if ruleset is None:
            return [_ListRead(deck) for deck in decks]
        decks = decklists.read_all(content, source=file.source, format_=ruleset.format)
        resolved_decks = [decklists.resolve(deck, ruleset) for deck in decks]
        return [_ListRead(deck.decklist, ruleset, deck) for deck in resolved_decks]

    def read_files(self, files: Sequence[DeckFile]) -> Iterator[_ListRead]:
        """Read every deck of the files.

        If there are several files, a file that cannot be read as a decklist is left out, with a warning.

        Raises TourneyError if the only file cannot be read as a decklist. Raises RulesError for a faulty
        format, ban list or pool.
        """
        for file in files:
            try:
                yield from self.read_file(file)
            except RulesError:
                raise
            except TourneyError as fault:
                if len(files) == 1:
                    raise
                self.left_out_count += 1
                self.session.warn(fault.message, fault.hint)

    @cached_property
    def _general_words(self) -> Vocabulary:
        """The words by which a decklist is read if its format is unknown, such as zones and titles.

        They include the names of all games and formats, which are read as titles of decklists.
        """
        from tourney.decks.reading.vocabulary import vocabulary

        names = self.rulesets.library.formats()
        return vocabulary(titles=[word for name in names for word in (name, name.partition("/")[0])])

    def _ruleset(self, format_name: str | None) -> Ruleset | None:
        if self.rulesets.formats:
            return self.rulesets.ruleset(self.rulesets.formats[0])
        try:
            return self.rulesets.ruleset(self.rulesets.format_named(format_name)) if format_name else None
        except RulesError as fault:
            if format_name not in self._warned_names:
                self._warned_names.add(format_name or "")
                self.session.warn(f"`Format: {format_name}` is not used: {fault.message}", fault.hint)
        except TourneyError:  # another game's format
            pass
        return None  # the list can be read without a format


def _deck_names(decks: list[_ListRead]) -> str:
    """Return a text that lists the decks of a file: `1 (Sky), 2 (line 9)`.

    The text in brackets is the title of the deck. A deck without a title has the number of its first line
    there, or `empty` if it has no line.
    """
    starts = (
        read.deck.name or (f"line {read.deck.lines[0].number}" if read.deck.lines else "empty")
        for read in decks
    )
    return ", ".join(f"{place} ({start})" for place, start in enumerate(starts, start=1))


# -- tourney deck show: a list as it was read, with every correction


_HEADERS = "The format whose headers and card names to use; by default the one that the list names."


@command("show")
@click.argument("files", nargs=-1, required=True, metavar="FILE|DIR|-...")
@format_option(_HEADERS, "-f", "--format", "name")
@flag("--lines", help="Show how each line of the file was read: as a card, header, title or comment.")
def show(session: Session, *, files: tuple[str, ...], name: str | None, lines: bool) -> Exit | None:
    """Show how decklists are read: cards by zone, and every correction.

    Reads plain text, CSV, XML, JSON and TOML as other programs write them. With a format, names are looked up
    in the pool. Unknown names are shown with similar ones; a similar name is never used silently.

    Examples:
      tourney deck show ada.txt
      tourney deck show ada.txt --format redline/standard
      tourney deck show - --json < ada.txt
      tourney deck show ada.txt --lines
    """
    from tourney.decks.documents import ShownDecks, shown_deck

    reader = _Reader(session, name)
    reads = list(reader.read_files(deck_files(files)))
    shown_decks = (
        shown_deck(read.deck, read.resolved_deck.hash if read.resolved_deck else None, _corrections(read))
        for read in reads
    )
    session.emit(ShownDecks(decks=tuple(shown_decks)))
    for place, read in enumerate(reads):
        if place:
            session.say()
        session.say(_account(read) if lines else _text(read))
    return Exit.FOUND if reader.left_out_count else None


def _text(read: _ListRead) -> Iterator[str]:
    deck = read.deck
    yield _headline(deck)
    yield from _zones(deck.lines)
    if deck.aside:
        yield "\nnever counted"
        yield from _zones(deck.aside)
    if changes := _corrections(read):
        yield "\nnot read as written"
        yield from (f"  line {line:<4} {words}" for line, words in changes)
    faults = list(_faults(read))
    if faults:
        yield "\nproblems in the list"
        yield from (f"  line {line:<4} {words}" if line else f"  {words}" for line, words in faults)


def _account(read: _ListRead) -> Iterator[str]:
    """Yield how each line of a decklist was read, with the error of a faulty line.

    Blank lines are left out. For a format that is not read line by line, such as JSON, a sentence says so.
    """
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
    faults = {number: words for number, words in _faults(read) if number}
    for number, kind in deck.account:
        meaning = faults.get(number, "") if kind == "finding" else "; ".join(cards.get(number, ()))
        yield f"  line {number:<4} {kind:<8} {meaning}".rstrip()


def _headline(deck: Decklist) -> str:
    name_parts = [f"`{deck.name}`" if deck.name else "", f"of {deck.player}" if deck.player else ""]
    deck_title = " ".join(word for word in name_parts if word)
    form = "plain text" if deck.grammar == "plain" else deck.grammar
    parts = [deck_title, counted(deck.cards, "card"), form, deck.format or ""]
    return f"{deck.source}: " + ", ".join(part for part in parts if part)


def _zones(lines: tuple[Line, ...]) -> Iterator[str]:
    """Yield the cards under the headers of their zones, in the order of the decklist."""
    for zone, members in groupby(lines, key=lambda line: line.zone):
        cards = list(members)
        yield ""
        if zone is not None:
            yield f"{zone} ({sum(line.count for line in cards)})"
        yield from map(_line, cards)


def _line(line: Line) -> str:
    facts = "{" + ", ".join(f"{key}={value}" for key, value in line.facts.items()) + "}" if line.facts else ""
    code = line.code if line.code and line.code != line.name else ""
    details = [str(line.printing), code, *line.marks, facts, f"-- {line.comment}" if line.comment else ""]
    return f"  {line.count:>3}  {line.name}" + "".join(f"  {word}" for word in details if word)


def _corrections(read: _ListRead) -> list[tuple[int, str]]:
    """Return (line, sentence), in order, for each part of a decklist not read as written."""
    notes = [(note.line, note.message) for note in read.deck.notes]
    notes += [
        (line.number, f"`{line.written_name}`: {line.question}") for line in read.deck.lines if line.question
    ]
    if read.resolved_deck and read.ruleset:
        notes += [
            (correction.line, f"`{correction.written}` as {correction.taken_as}: {correction.reason}")
            for correction in read.resolved_deck.corrections
        ]
        for slot in read.resolved_deck.unlisted_slots if len(read.ruleset.pool) else ():
            similar_names = read.ruleset.cards.near(slot.name)
            question = f"; {suggestion(slot.name, similar_names)}" if similar_names else ""
            notes += [(line, f"`{slot.name}` is not in the pool{question}") for line in slot.lines]
    return sorted(notes)


def _faults(read: _ListRead) -> Iterator[tuple[int, str]]:
    if read.ruleset is None:  # with a format, what the pool could not settle is a finding
        yield from (
            (line.number, f"`{line.written_name}`: {line.doubt}") for line in read.deck.lines if line.doubt
        )
    for finding in read.deck.findings:
        subject = f"{', '.join(finding.subjects)}: " if finding.rule == "count" and finding.subjects else ""
        yield (finding.lines[0] if finding.lines else 0), subject + finding.message


# -- tourney deck convert: from one text form to another, with a report of what is lost


# Named here so that help and completion need not import the printers; a test compares them with the printers.
FORMS = {
    "text": "plain text under headers, to read and to edit",
    "toml": "the program's own form, which keeps everything",
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


@command(
    "convert",
    notes={"Forms": FORMS},
)
@click.argument("file", metavar="FILE|-")
@click.option(
    "--to", "form", required=True, type=click.Choice(list(FORMS)), metavar="FORM", help="The form to write."
)
@format_option(_HEADERS, "-f", "--format", "name")
@positive("--deck", "number", help="The number of the deck to convert, if the file has several.")
@flag("--lossless", help="Refuse to write if anything would be lost.")
def convert(
    session: Session, *, file: str, form: str, name: str | None, number: int | None, lossless: bool
) -> None:
    """Write a decklist in another form, and report on stderr what that form cannot hold.

    The text is read back, and every difference is reported. Lines that could not be read are not written;
    they are reported, too.

    Examples:
      tourney deck convert ada.cod --to text
      tourney deck convert ada.txt --to toml > ada.toml
      tourney deck convert decks.json --deck 2 --to csv
    """
    from tourney.decks.documents import ConvertedDeck

    deck = _Reader(session, name).read_one(deck_files((file,))[0], number).deck
    text, losses = decklists.write(deck, form)
    unread_lines = [
        (f"line {finding.lines[0]}: " if finding.lines else "") + finding.message
        for finding in deck.findings
        if finding.rule in ("count", "line")
    ]
    sections = (
        ("not read, so not written", unread_lines),
        (f"lost or changed in the form `{form}`", losses),
    )
    if lossless and (losses or unread_lines):
        first, *more = [f"{heading}: {words}" for heading, lines in sections for words in lines]
        raise TourneyError(f"{deck.source}: {first}" + (f"; and {len(more)} more" if more else ""))
    session.emit(
        ConvertedDeck(file=deck.source, form=form, text=text, lost=tuple(losses), unread=tuple(unread_lines))
    )
    session.say(text.removesuffix("\n"))
    for heading, lines in sections:
        if lines:
            session.talk(f"\n{heading}:")
            for words in lines:
                session.talk(f"  {words}")
