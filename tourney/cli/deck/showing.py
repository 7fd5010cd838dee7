"""`tourney deck show` and `convert`: what a list says, and the same in another form."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import command
from tourney.cli.deck.reading import HEADERS, Read, Reader, deck_files, format_option
from tourney.cli.output import Exit
from tourney.cli.session import Session
from tourney.errors import TourneyError
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.decks.decklist import Decklist, Line


# -- tourney deck show: a list as it is understood, with every correction taken


@command(
    "show",
    examples=[
        "tourney deck show ada.txt",
        "tourney deck show ada.txt --format redline/standard",
        "tourney deck show - --json < ada.txt",
        "tourney deck show ada.txt --lines",
    ],
)
@click.argument("files", nargs=-1, required=True, metavar="FILE|DIR|-...")
@format_option(HEADERS)
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


@command(
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
@format_option(HEADERS)
@click.option(
    "--deck",
    "number",
    metavar="N",
    type=click.IntRange(min=1),
    help="Which deck of a file that holds several.",
)
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
