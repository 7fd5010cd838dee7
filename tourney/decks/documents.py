"""JSON documents about decklists: structs, and the functions that make them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

import msgspec
from msgspec import UNSET, Struct, UnsetType

from tourney.decks.decklist import Decklist, Line
from tourney.decks.history import Changed, Hit, Period
from tourney.decks.verdict import ListUsed, Title, Verdict
from tourney.document import Document
from tourney.errors import Finding
from tourney.rules.banlist import BanList, Change


class DeckChecks(Document, frozen=True, tag="tourney.deck-check/1"):
    """What `tourney deck check FILE --json` prints.

    format: the format, by its id; a list of ids if there are several formats
    on: the day of the check
    banlist: the ban list of all verdicts; null if they differ or have none
    decks: the verdict on each list
    """

    format: str | tuple[str, ...]
    on: date
    banlist: ListUsed | None
    decks: tuple[Verdict, ...]


def deck_checks(verdicts: Sequence[Verdict], day: date) -> DeckChecks:
    """Return the JSON document of `tourney deck check`.

    verdicts: the verdict on each decklist
    day:      the day of the check
    """
    formats = tuple(dict.fromkeys(verdict.format for verdict in verdicts))
    banlist = verdicts[0].banlist if verdicts else None
    is_one_banlist = all(verdict.banlist == banlist for verdict in verdicts)
    return DeckChecks(
        format=formats[0] if len(formats) == 1 else formats,
        on=day,
        banlist=banlist if is_one_banlist else None,
        decks=tuple(verdicts),
    )


class ShownLine(Struct, frozen=True):
    """A line that names a card.

    line: the number of the line, from 1
    count: the number of copies
    name: the name of the card
    written: the name as written
    zone: the zone's header; null if there is none
    zone_id: the zone's id; null if the header is unknown
    group: the header that sorts the line inside its zone
    set: the set of the printing
    number: the collector's number of the printing
    code: the card's id, if the file has one
    marks: other marks after the name
    facts: facts that the line declares
    comment: words about the card
    """

    line: int
    count: int
    name: str
    written: str
    zone: str | None
    zone_id: str | None
    group: str | None
    set: str | None
    number: str | None
    code: str | None
    marks: tuple[str, ...]
    facts: Mapping[str, str]
    comment: str

    @classmethod
    def of(cls, line: Line) -> ShownLine:
        """Return the `ShownLine` for a line of a decklist, for output as JSON."""
        return cls(
            line=line.number,
            count=line.count,
            name=line.name,
            written=line.written_name,
            zone=line.zone,
            zone_id=line.zone_id,
            group=line.group,
            set=line.printing.set,
            number=line.printing.number,
            code=line.code,
            marks=line.marks,
            facts=dict(line.facts),
            comment=line.comment,
        )


class LineMessage(Struct, frozen=True):
    """A line with a message. line: the number of the line; message: a sentence."""

    line: int
    message: str


class LineUse(Struct, frozen=True):
    """What a line was read as.

    line: the number of the line
    taken_for: the role of the line: `card`, `zone`, `title` and so on
    """

    line: int
    taken_for: str


class DeckKey(Struct, frozen=True):
    """Something that a decklist says about itself, such as its author.

    key: what the value is, such as `author`, `source` or `comment`
    value: the value
    """

    key: str
    value: str


class ShownDeck(Struct, frozen=True):
    """A list as it was read.

    file: the name of the file, as given
    grammar: the form of the list, such as `plain` or `ydk`
    name: the name of the list; null if there is none
    player: the player that the list names; null if there is none
    format: the format that the list names; null if there is none
    cards: the number of cards
    hash: the deck's hash, as in `deck check`; null if no format was given
    lines: the lines that name cards
    aside: lines that name cards and are never counted
    corrections: the lines that were not read exactly as written
    findings: the errors found while reading
    title: the line that was read as the title; null if there is none
    account: what each line was read as
    about: what the list says about itself
    """

    file: str
    grammar: str
    name: str | None
    player: str | None
    format: str | None
    cards: int
    hash: str | None
    lines: tuple[ShownLine, ...]
    aside: tuple[ShownLine, ...]
    corrections: tuple[LineMessage, ...]
    findings: tuple[Finding, ...]
    title: Title | None
    account: tuple[LineUse, ...]
    about: tuple[DeckKey, ...]


class ShownDecks(Document, frozen=True, tag="tourney.deck-show/1"):
    """What `tourney deck show FILE --json` prints. decks: each list as it was read."""

    decks: tuple[ShownDeck, ...]


def shown_deck(deck: Decklist, hash_: str | None, corrections: Iterable[tuple[int, str]]) -> ShownDeck:
    """Return a list as it was read.

    corrections: the numbers of lines that were not read exactly as written, each with an explanation
    """
    return ShownDeck(
        file=deck.source,
        grammar=deck.grammar,
        name=deck.name,
        player=deck.player,
        format=deck.format,
        cards=deck.cards,
        hash=hash_,
        lines=tuple(map(ShownLine.of, deck.lines)),
        aside=tuple(map(ShownLine.of, deck.aside)),
        corrections=tuple(LineMessage(*correction) for correction in corrections),
        findings=tuple(deck.findings),
        title=Title.of(deck),
        account=tuple(LineUse(*use) for use in deck.account),
        about=tuple(DeckKey(*item) for item in deck.about),
    )


class ConvertedDeck(Document, frozen=True, tag="tourney.deck-convert/1"):
    """What `tourney deck convert FILE --to toml --json` prints.

    file: the name of the file, as given
    form: the form that was written
    text: the list in that form
    lost: the information that this form cannot hold
    unread: the lines that could not be read and are therefore missing from the text
    """

    file: str
    form: str
    text: str
    lost: tuple[str, ...]
    unread: tuple[str, ...]


class DeckDifference(Document, frozen=True, tag="tourney.deck-diff/1"):
    """What `tourney deck diff FILE FILE --json` prints.

    first: the first list
    second: the second list
    same: whether both lists are the same deck
    changed: the cards whose number of copies differs
    """

    first: str
    second: str
    same: bool
    changed: tuple[Changed, ...]


class HashedDeck(Struct, frozen=True):
    """The hash of a deck, or a commitment to it.

    file: the name of the file, as given
    hash: the hash of the deck
    commitment: with `--commit`: a SHA-256 that reveals nothing about the deck
    salt: with `--commit`: the salt, which must be kept until the deck is revealed
    """

    file: str
    hash: str | UnsetType = UNSET
    commitment: str | UnsetType = UNSET
    salt: str | UnsetType = UNSET


class HashedDecks(Document, frozen=True, tag="tourney.deck-hash/1"):
    """What `tourney deck hash FILE --json` prints.

    decks: the hash of each deck; with `--commit`, a commitment to the deck instead of the hash
    """

    decks: tuple[HashedDeck, ...]


class OpenedDeck(Struct, frozen=True):
    """Whether a commitment was made for a deck.

    file: the name of the file, as given
    opens: whether the commitment was made from this deck and the given salt
    """

    file: str
    opens: bool


class OpenedDecks(Document, frozen=True, tag="tourney.deck-opens/1"):
    """What `tourney deck hash FILE --opens COMMITMENT --salt HEX --json` prints.

    decks: whether each list is the committed one
    """

    decks: tuple[OpenedDeck, ...]


class DeckHistory(Document, frozen=True, tag="tourney.deck-history/1"):
    """What `tourney deck history FILE --json` prints.

    file: the name of the file, as given
    format: the format, by its id
    on: today's date
    periods: the periods with their verdicts, without gaps, the oldest first
    """

    file: str
    format: str
    on: date
    periods: tuple[Period, ...]


class NamedBanList(Struct, frozen=True):
    """A ban list without its entries.

    name: the name of the list
    from: the first day on which it is in force
    fingerprint: the first digits of the digest
    digest: the SHA-256 of the list's text
    """

    name: str
    day: date = msgspec.field(name="from")
    fingerprint: str
    digest: str

    @classmethod
    def of(cls, banlist: BanList) -> NamedBanList:
        """Return a ban list without its entries."""
        return cls(banlist.name, banlist.day, banlist.fingerprint, banlist.digest)


class BanListDifference(Document, frozen=True, tag="tourney.banlist-diff/1"):
    """What `tourney banlist diff OLD NEW --json` prints.

    old: the old ban list
    new: the new ban list
    changes: what changed, in words
    decks: the decks that a change affects
    checked: the number of decks that were checked
    """

    old: NamedBanList
    new: NamedBanList
    changes: tuple[Change, ...]
    decks: tuple[Hit, ...]
    checked: int
