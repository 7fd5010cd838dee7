"""Install ban lists in the data folder, draft new ones, and read pasted ones.

A list is installed only if its checks find no objection, such as that it became much smaller, or if the user
accepts the objections.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from pkgutil import get_data
from typing import Any, NamedTuple

import tomli_w
from msgspec import Struct, field

from tourney.cards.names import fold
from tourney.cards.pool import Pool, open_pool
from tourney.decode import parse_toml
from tourney.document import Document
from tourney.errors import TourneyError
from tourney.rules.banlist import BanList, Change, changes, objections, parse_banlist
from tourney.store.checking import refuse_objections, unknown_cards
from tourney.store.data import Library
from tourney.store.files import replace_file

_NAME = re.compile(r"[a-z0-9][a-z0-9-]*(/[a-z0-9][a-z0-9-]*)+\Z", re.ASCII)


class InstalledList(Struct, frozen=True):
    """A ban list that was installed in the data folder.

    before:    the version that the new list replaces on its first day; None if none was in force
    changes:   the changes from `before`
    already:   whether the same file was already installed
    overruled: the objections that `accept` overruled
    """

    name: str
    banlist: BanList
    path: Path
    before: BanList | None
    changes: tuple[Change, ...]
    already: bool = False
    overruled: tuple[str, ...] = ()


class ImportedBanList(Document, frozen=True, tag="tourney.banlist-import/1"):
    """What `tourney banlist import FILE --json` prints.

    name: the name of the list
    from: the first day on which it is in force
    fingerprint: the first digits of the digest
    digest: the SHA-256 of the list's text
    path: the file that was written
    changed: whether a new list was installed
    changes: the changes from the previous list
    overruled: the objections that `--accept` overruled, in sentences
    """

    name: str
    day: date = field(name="from")
    fingerprint: str
    digest: str
    path: str
    changed: bool
    changes: tuple[Change, ...]
    overruled: tuple[str, ...]

    @classmethod
    def of(cls, list_: InstalledList) -> ImportedBanList:
        """Return what `tourney banlist import FILE --json` prints about an installed ban list."""
        banlist = list_.banlist
        return cls(
            name=list_.name,
            day=banlist.day,
            fingerprint=banlist.fingerprint,
            digest=banlist.digest,
            path=str(list_.path),
            changed=not list_.already,
            changes=list_.changes,
            overruled=list_.overruled,
        )


def install_banlist(
    library: Library, name: str, day: date, text: str, *, source: str, accept: bool = False
) -> InstalledList:
    """Install a ban list in the data folder as `name` (`game/list`), in force from `day`.

    Raises TourneyError if the list cannot be parsed. Unless `accept` is set, also raises TourneyError if the
    list is empty, is smaller by more than a third, names cards that a complete pool does not have, is older
    than the newest installed version, or belongs to an unknown game.
    """
    if not _NAME.match(name):
        raise TourneyError(
            f"`{name}` cannot be the name of a ban list", "write a game and a list: `red-diamond/standard`"
        )
    new = parse_banlist(text, source=source, day=day, name=name)
    path = library.home.banlists / name / f"{day.isoformat()}.toml"
    installed_file = library.find_banlist(name, day) if name in library.banlist_names() else None
    installed_list = library.read_banlist(installed_file) if installed_file else None
    if (
        installed_file
        and installed_file.day == day
        and installed_file.path == path
        and installed_file.text == text
    ):
        return InstalledList(name, new, path, installed_list, (), already=True)
    faults = _objections(library, name, new)
    refuse_objections(faults, f"{source}: not installed as {name} of {day}", accept=accept)
    replace_file(path, text.encode())
    return InstalledList(name, new, path, installed_list, changes(installed_list, new), overruled=faults)


def _objections(library: Library, name: str, new: BanList) -> tuple[str, ...]:
    game = name.partition("/")[0]
    if game not in library.games():
        games = ", ".join(sorted(library.games()))
        return (f"there is no game `{game}`; the games are {games}", *objections(new, ()))
    unknown_names = unknown_cards(library, game, new) if game in library.pools() else ()
    days = library.banlist_days(name) if name in library.banlist_names() else ()
    installed_lists = [library.read_banlist(library.banlist_file(name, day)) for day in days]
    return objections(new, installed_lists, unknown_names)


def list_and_day(library: Library, path: str, name: str | None, day: date | None) -> tuple[str, date]:
    """Return the name and the first day of a ban list; take each from `path` if it is None.

    path: the path or address of the file. `…/game/list/2026-01-31.toml` gives the name `game/list` and the
          day 2026-01-31. The name is taken only from folders below a folder `banlists`, or if the library
          has the game `game`

    Raises TourneyError if the path does not give the name or the day that is None.
    """
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    if day is None:
        try:
            day = date.fromisoformat(parts[-1].rpartition(".")[0] if parts else "")
        except ValueError:
            raise TourneyError(
                f"{path}: the file's name is not the day on which the list takes effect",
                "add `--from 2026-01-31`",
            ) from None
    name = name or _name_of(library, parts[:-1])
    if name is None:
        raise TourneyError(
            f"{path}: the list has no name, because the file is not in a folder `game/list`",
            "add `--as game/list`",
        )
    return name, day


def _name_of(library: Library, folders: list[str]) -> str | None:
    if "banlists" in folders:
        below = "/".join(folders[len(folders) - folders[::-1].index("banlists") :])
        return below if _NAME.match(below) else None
    last = "/".join(folders[-2:])
    return last if _NAME.match(last) and folders[-2] in library.games() else None


# -- A complete new ban list as a file to edit, made from the list in force


class BanListDraft(Struct, frozen=True):
    """The changes that make a new list `name` (`game/list`), in force from `day`.

    changes:     card → copies allowed
    free:        cards to take off the list
    card_lines:  lines with cards (`Card` is banned, `1 Card` is restricted) that replace the cards of the
                 list in force
    pasted_from: the file from which these lines come, for messages
    source:      where the list was announced; empty to keep the source of the list in force
    """

    name: str
    day: date
    changes: Mapping[str, int] = field(default_factory=dict)
    free: Sequence[str] = ()
    card_lines: str = ""
    pasted_from: str = ""
    source: str = ""

    def text(self, library: Library) -> str:
        """Return the content of the new ban list's file.

        The list in force, if there is one, is changed as the fields say. Its points, groups and conditions
        are kept; the date of its announcement is left out.

        Raises TourneyError if the pool is complete and lacks a card in `changes`, if a card in `free` is not
        on the list, or if `pasted` is not a valid list of cards.
        """
        before = library.find_banlist(self.name, self.day)
        table: dict[str, Any] = parse_toml(before.text, source=before.source) if before else {}
        table.pop("announced", None)  # the date of the old list
        game = self.name.partition("/")[0]
        pool = library.pool(game) if game in library.pools() else open_pool(game)
        cards = dict(table.get("cards", {}))
        if self.card_lines.strip():
            cards = dict(
                pasted_cards(self.card_lines, self.pasted_from, lambda name: pool.find(name) is not None)
            )
        self._change(pool, cards)
        if self.source:
            table["source"] = self.source
        table["cards"] = dict(sorted(cards.items(), key=lambda item: (item[1], fold(item[0]))))
        table.setdefault("source", "")
        head = f"# {self.name}, in force from {self.day}: 0 is banned, 1 is one copy.\n"
        short_first = sorted(table, key=lambda key: isinstance(table[key], dict | list))
        return head + tomli_w.dumps({key: table[key] for key in short_first})

    def _change(self, pool: Pool, cards: dict[str, int]) -> None:
        names = {fold(name): name for name in cards}
        for name, copies in self.changes.items():
            card = pool.find(name)
            if card is None and pool.complete:
                near = pool.near(name, limit=1)
                question = f"; did you mean `{near[0]}`?" if near else ""
                raise TourneyError(f"`{name}` is not a card of {pool.game}{question}")
            cards[names.get(fold(name), card.name if card else name)] = copies
        for name in self.free:
            if fold(name) not in names:
                raise TourneyError(f"`{name}` is not on the list {self.name}")
            cards.pop(names[fold(name)])


# -- A ban list that was pasted as lines

# A line `Name` means that the card is banned, and `1 Name` that it is restricted to one copy. Every line is
# either read as a card or refused with its number, so that a heading, a date or a remark is not taken for a
# card. `0 Name` is always a card. The words for statuses and headings are in `pasted.toml`.


class _Limit(NamedTuple):
    """A card's name, and how many copies of the card a deck can have."""

    name: str
    copies: int


class _UnclearError(Exception):
    """A line cannot be read as a card. The message is the reason."""


def pasted_cards(
    text: str, source: str = "", is_card: Callable[[str], bool] = lambda _: False
) -> Iterator[tuple[str, int]]:
    r"""Yield each card on a pasted ban list with the number of copies that a deck can have.

    A line with only a name bans the card: its number is 0. Bullets and the numbers of list items (`1.`, `2)`,
    `a)`) are ignored, and so are lines such as `# a comment`.

    source: the file, for messages
    is_card: returns whether the pool has a card with this name. A line with only such a name is a card, even
             if it looks like a heading

    Raises a TourneyError that names the line if the line is a heading, such as `Banned:`, if it is unclear
    whether the line is a card, or if an earlier line allows another number of copies.

    >>> dict(pasted_cards("- Ant\n1x Bee\n\n# a comment\n24/7 News Cycle\n1. Cat\n2) 1 Dog"))
    {'Ant': 0, 'Bee': 1, '24/7 News Cycle': 0, 'Cat': 0, 'Dog': 1}
    >>> dict(pasted_cards("Ant - banned\nBee: 1\nCat x2\na) Dog\nElk (restricted)"))
    {'Ant': 0, 'Bee': 1, 'Cat': 2, 'Dog': 0, 'Elk': 1}
    """
    first: dict[str, tuple[int, int]] = {}  # folded name → its first line and the copies there
    for number, line in enumerate(text.splitlines(), 1):
        place = f"{source}:{number}" if source else f"line {number}"
        try:
            limit = _read_line(line, is_card)
        except _UnclearError as unclear:
            raise TourneyError(f"{place}: `{line.strip()}`: {unclear}", _HINT) from None
        if limit is None:
            continue
        before, copies = first.setdefault(fold(limit.name), (number, limit.copies))
        if copies != limit.copies:
            raise TourneyError(
                f"{place}: `{line.strip()}`: line {before} allows {copies} of this card, not {limit.copies}",
                "delete one of the lines",
            )
        yield limit


_HINT = (
    "remove the line if it is not a card; to ban a card, write `0 NAME`; "
    "to restrict it to one copy, write `1 NAME`"
)


def _read_line(line: str, is_card: Callable[[str], bool]) -> _Limit | None:
    """Return the card on a line; None for an empty line or a comment. Raises _UnclearError."""
    plain = " ".join(line.split()) if "\t" not in line else line.strip()
    if _NUMBERED_COMMENT.match(plain):
        raise _UnclearError("is this a comment, or a card with a number?")
    plain = _BULLET.sub("", plain)
    if not re.search(r"\w", plain) or plain.startswith("#"):
        return None
    without_number = _ITEM.sub("", plain)
    for name in (plain, without_number):
        if is_card(name):
            return _Limit(name, 0)
    count_match = _COUNTED.match(without_number)
    if count_match and int(count_match["copies"]) == 0 and not _SUM_OF.fullmatch(count_match["name"]):
        return _Limit(count_match["name"], 0)
    columns = (column.strip() for column in _BARS.split(without_number.strip("| ")))
    words = " - ".join(filter(None, columns))
    # Without words, the line is an empty row of a numbered table.
    return _read_words(words, count_match, is_card) if words else None


def _read_words(words: str, count_match: re.Match[str] | None, is_card: Callable[[str], bool]) -> _Limit:
    """Return the card that a line of a ban list names, and how many copies of it are allowed.

    words:       the text of the line, without bullets and item numbers
    count_match: if the line begins with a number, the match with the groups `copies` (the number) and `name`;
                 otherwise None
    is_card:     returns whether the pool has a card with this name

    Raises _UnclearError if the line cannot be read as a card.
    """
    if _is_heading(words):
        raise _UnclearError("this is a heading, not a card")
    if count_match and is_card(count_match["name"]):
        return _Limit(count_match["name"], int(count_match["copies"]))
    if _SUM.match(words) or (count_match and _SUM_OF.fullmatch(count_match["name"])):
        raise _UnclearError("is this a sum or a card?")
    if count_match:
        limit = _Limit(count_match["name"], int(count_match["copies"]))
    else:
        limit = _with_status(words) or _with_number_behind(words) or _Limit(words, 0)
    if limit.copies > _MAX_COPIES and not count_match:
        raise _UnclearError(f"is {limit.copies} the number of copies?")
    if doubt := _doubt(limit.name):
        raise _UnclearError(doubt)
    return limit


def _with_status(words: str) -> _Limit | None:
    """Return the card in `Name: banned` or `Name (max 2)`; None if no status follows a name."""
    match = _STATUS_BEHIND.fullmatch(words)
    copies = _copies_of_status(match["status"]) if match else None
    if match is None or copies is None or _is_heading(match["name"]) or _doubt(match["name"]):
        return None
    return _Limit(match["name"], copies)


def _with_number_behind(words: str) -> _Limit | None:
    """Return the card in `Name: 1` or `Name x2`; None if no number follows a name."""
    match = _NUMBER_BEHIND.fullmatch(words)
    return _Limit(match[1], int(next(filter(None, match.groups()[1:])))) if match else None


# -- Parts of a line before a name


_BULLET = re.compile(r"\A(?:[-*•‣⁃∙·・–—+>▪●○◦■□►☐☑✓✗✘❌🚫]\ufe0f?\s*)+")
_ITEM = re.compile(
    r"\A(?:\(?\d{1,3}\)|\d{1,3}\.\)|\d{1,3}\.(?=\s)"
    r"|\(?(?:[A-Za-z]|[ivx]{2,5})\)|(?:[a-z]|[ivx]{2,5})\.(?=\s))\s*(?=\S)",
    re.ASCII,
)
"""Matches the number or letter of an item in a list: `1. `, `2)`, `(3)`, `4.)`, `a)`."""
_NUMBERED_COMMENT = re.compile(r"#\d{1,3}[.:)]?\s+\S")
_COUNTED = re.compile(r"(?P<copies>\d{1,3})\s*[x×]?\s+(?P<name>\S.*)\Z", re.ASCII)
_BARS = re.compile(r"\s*\|\s*|\t+")


# -- Parts of a line after a name


_MAX_COPIES = 9
_NUMBER_BEHIND = re.compile(
    r"(\S.*?)(?:\s*(?:[:=→]|[-=]>)\s*[x×]?(\d{1,3})[x×]?|\s*[;,]\s*(\d{1,3})|\s+[-–—]\s*(\d{1,3})"
    r"|\s+[x×]\s?(\d{1,3})|\s+(\d{1,3})[x×]|\s*[(\[](?:[x×]\s?)?(\d{1,3})[x×]?[)\]])"
)
_STATUS_BEHIND = re.compile(
    r"(?P<name>\S.*?)\s*(?:[:=,;→]|\s[-–—]|[-=]>|(?=[(\[]))\s*[(\[]?(?P<status>[^()\[\]]+?)[)\]]?[.!]?"
)
_COPIES = re.compile(
    r"(?P<most>(?:restricted|limited|limit|limitiert|beschränkt)"
    r"(?: to| of| auf)?|max(?:imum|\.)?|at most|up to"
    r"|höchstens|only|nur)?\s*(?P<copies>\d|one|two|three|eine?|zwei|drei)"
    r"(?P<unit>(?:\s*[x×]|\s+(?:cop(?:y|ies)|per deck|each|kopien?|exemplare?|mal))*)",
    re.I,
)


def _copies_of_status(words: str) -> int | None:
    """Return how many copies a status (`banned`, `restricted`, `max 2`) allows.

    Returns None if the words are not a status.
    """
    match = _COPIES.fullmatch(words.strip())
    if fold(words) in _STATUS or match is None or not (match["most"] or match["unit"]):
        return _STATUS.get(fold(words))
    number = match["copies"].lower()
    return _NUMBERS[number] if number in _NUMBERS else int(number)


# -- Lines that are not cards


def _fold_all(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(fold, words))


_DATA = tomllib.loads((get_data("tourney.store", "pasted.toml") or b"").decode())
_HEADINGS = {name: _fold_all(words.split()) for name, words in _DATA["headings"].items()}
_NUMBERS: dict[str, int] = _DATA["numbers"]
_STATUS = {fold(status): int(copies) for copies, words in _DATA["status"].items() for status in words}
_STATUS_WORDS = _fold_all(
    word for words in _DATA["status"].values() for status in words for word in status.split()
)
_TITLE_WORDS = (_HEADINGS["titles"] | _STATUS_WORDS) - {"not", "nicht", "semi"}

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SUM_OF = re.compile(
    r"(?:cards?|karten?|cartes?|cartas?|carte|entries|kart|total|in total|copies|copy)(?:\s.*)?", re.I
)
_SUM = re.compile(
    r"(?:total|(?:ins)?gesamt|summe|anzahl|totale|razem|итого|number of cards|count)\b(?: (?:cards|karten))?"
    r"\s*[:=–-]?\s*\d",
    re.I,
)
_TITLE = re.compile(r".*[:：]|(?:.* )?ban[- ]?list(?:e)?(?: .*\d.*)?", re.I)
_DATE = re.compile(
    r"\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d{2})(?!\d)"
    r"|(?:\d{1,2}\.?\s)?(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[^\W\d_]*\.?,?\s"
    r"(?:\d{1,2},?\s)?\d{4}",
    re.I,
)
_SENTENCE = r"[^\W\d_]{3,}[.…]$|[!?]{2,}$|(?:\S+\s+){8}\S"


def _is_heading(line: str) -> bool:
    """Return whether a line is a title, or contains only dates and words that titles have."""
    bare = line.strip("*_=[]<>()# ")
    head, colon, _ = bare.replace("：", ":").partition(":")
    if _TITLE.fullmatch(bare) or (colon and _is_heading(head)):
        return True
    words = _fold_all(_WORD.findall(_DATE.sub(" ", bare)))
    if words and words <= _HEADINGS["columns"]:
        return True
    has_title_word = not words.isdisjoint(_TITLE_WORDS)
    return words <= _TITLE_WORDS | _HEADINGS["others"] and (has_title_word or bool(_DATE.search(bare)))


_DOUBTS = tuple(
    (re.compile(pattern), question)
    for pattern, question in (
        (r"www\.|.*://", "is this an address or a card?"),
        (r".*[,;、，；].*[,;、，；]|.*;", "are these several cards? write one on a line"),
        (r".*[*†‡¹²³]\Z", "is the `{}` part of the name?"),
        (r".*[^\W\d_]\S*\s[0-4]\Z", "is {} the number of copies? write it before the name"),
        (rf".*(?:{_SENTENCE})", "is this a sentence or a card?"),
    )
)
"""Patterns of texts that are perhaps not cards, each with the question to ask the user.

`{}` in the question is replaced by the last character of the text.
"""


def _doubt(name: str) -> str:
    """Return a question to the user about a text that is perhaps not a card; otherwise empty.

    For example `is this a date or a card?`.
    """
    if _DATE.search(name):
        return "is this a date or a card?"
    if _fold_all(_WORD.findall(name)) & _TITLE_WORDS - _HEADINGS["in_names"]:
        return "is this a card or a remark about the list?"
    return next((question.format(name[-1]) for pattern, question in _DOUBTS if pattern.match(name)), "")
