"""A ban list that was pasted as lines: a name is banned, a name with a number may be played so often.

Every line is read, or refused with its number: a heading, a date or a remark must not become the name of a card. `0 Name` is
always a card, whatever its name looks like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tourney.cards.names import fold
from tourney.errors import TourneyError


class _Said(NamedTuple):
    """A card and how many copies of it may be played, with the line that says so."""

    line: int
    name: str
    copies: int


def pasted_cards(
    text: str, source: str = "", is_card: Callable[[str], bool] = lambda _: False
) -> Iterator[tuple[str, int]]:
    r"""Read pasted lines: `Card` is banned, `1 Card` restricted to one copy; `#` starts a comment.

    Bullets and the numbers of a list (`1.`, `2)`, `a)`) are left out. source: the file, for messages; is_card: whether a pool
    has a card of this name, which is then nothing else

    Raises TourneyError with the line of a heading, such as `Banned:`, and of what may be no card.

    >>> dict(pasted_cards("- Ant\n1x Bee\n\n# a comment\n24/7 News Cycle\n1. Cat\n2) 1 Dog"))
    {'Ant': 0, 'Bee': 1, '24/7 News Cycle': 0, 'Cat': 0, 'Dog': 1}
    >>> dict(pasted_cards("Ant - banned\nBee: 1\nCat x2\na) Dog\nElk (restricted)"))
    {'Ant': 0, 'Bee': 1, 'Cat': 2, 'Dog': 0, 'Elk': 1}
    """
    seen: dict[str, _Said] = {}
    for number, line in enumerate(text.splitlines(), 1):
        read = _read(line, is_card)
        if isinstance(read, str):
            raise _refused(source, number, line, read)
        if read is None:
            continue
        name, copies = read
        before = seen.setdefault(fold(name), _Said(number, name, copies))
        if before.copies != copies:
            words = f"line {before.line} says {before.copies} of this card, not {copies}"
            raise _refused(source, number, line, words, hint="keep one of the lines")
        yield name, copies


_HEADING = "is a heading, not a card"


def _refused(source: str, number: int, line: str, why: str, hint: str = "") -> TourneyError:
    place = f"{source}:{number}" if source else f"line {number}"
    usual = "correct the line or take it out; `Card` is banned, `1 Card` is restricted to one copy, `0 Card` is a card whatever it is called"
    return TourneyError(f"{place}: `{line.strip()}`{'' if why == _HEADING else ':'} {why}", hint or usual)


def _read(line: str, is_card: Callable[[str], bool]) -> tuple[str, int] | str | None:
    """Return the card of a line and its copies; None for a line that says nothing, and words for one to be asked about."""
    plain = " ".join(line.split()) if "\t" not in line else line.strip()
    if _NUMBERED_COMMENT.match(plain):
        return "a comment, or a card with a number?"
    plain = _BULLET.sub("", plain)
    if not re.search(r"\w", plain) or plain.startswith("#"):
        return None
    if is_card(plain):
        return plain, 0
    plain = _ITEM.sub("", plain)
    if is_card(plain):
        return plain, 0
    counted = _COUNTED.match(plain)
    if counted and not counted["copies"].strip("0") and not _COUNTS.fullmatch(counted["name"]):
        return counted["name"], 0
    cells = " - ".join(cell for cell in map(str.strip, _BARS.split(plain.strip("| "))) if cell)
    return _card(cells, counted, is_card)


def _card(plain: str, counted: re.Match[str] | None, is_card: Callable[[str], bool]) -> tuple[str, int] | str:
    if _is_heading(plain):
        return _HEADING
    if counted:
        name, copies = counted["name"], int(counted["copies"])
        if is_card(name):
            return name, copies
        why = "a sum, or a card?" if _COUNTS.fullmatch(name) else _doubt(name)
        return why or (name, copies)
    if _SUM.match(plain):
        return "a sum, or a card?"
    said = _SAID.fullmatch(plain)
    if said:
        copies_said = _copies_said(said["said"])
        if copies_said is not None and not _is_heading(said["name"]) and not _doubt(said["name"]):
            return said["name"], copies_said
    behind = _BEHIND.fullmatch(plain)
    if behind:
        copies = int(next(filter(None, behind.groups()[1:])))
        if copies > _MOST_COPIES:
            return f"is {copies} the number of copies?"
        return _doubt(behind["name"]) or (behind["name"], copies)
    return _doubt(plain) or (plain, 0)


# -- What stands before a name


_BULLET = re.compile(r"\A(?:[-*•‣⁃∙·・–—+>▪●○◦■□►☐☑✓✗✘❌🚫]\ufe0f?\s*)+")
_ITEM = re.compile(
    r"\A(?:\(?\d{1,3}\)|\d{1,3}\.\)|\d{1,3}\.(?=\s)|\(?(?:[A-Za-z]|[ivx]{2,5})\)|(?:[a-z]|[ivx]{2,5})\.(?=\s))\s*(?=\S)",
    re.ASCII,
)
"""The number or letter of an entry in a list: `1. `, `2)`, `(3)`, `4.)`, `a)`."""
_NUMBERED_COMMENT = re.compile(r"#\d{1,3}[.:)]?\s+\S")
_COUNTED = re.compile(r"(?P<copies>\d{1,3})\s*[x×]?\s+(?P<name>\S.*)\Z", re.ASCII)
_BARS = re.compile(r"\s*\|\s*|\t+")


# -- What stands behind a name


_MOST_COPIES = 9
_BEHIND = re.compile(
    r"(?P<name>\S.*?)(?:\s*(?:[:=→]|[-=]>)\s*[x×]?(\d{1,3})[x×]?|\s*[;,]\s*(\d{1,3})|\s+[-–—]\s*(\d{1,3})|\s+[x×]\s?(\d{1,3})|\s+(\d{1,3})[x×]"
    r"|\s*[(\[](?:[x×]\s?)?(\d{1,3})[x×]?[)\]])"
)
_SAID = re.compile(
    r"(?P<name>\S.*?)\s*(?:[:=,;→]|\s[-–—]|[-=]>|(?=[(\[]))\s*[(\[]?(?P<said>[^()\[\]]+?)[)\]]?[.!]?"
)
_STATUS = {
    0: (
        "banned", "ban", "forbidden", "prohibited", "suspended", "illegal", "not allowed", "not legal", "gebannt", "verboten", "nicht erlaubt",
        "banni", "bannie", "interdit", "interdite", "prohibida", "prohibido", "baneada", "baneado", "bandita", "bandito", "vietata", "vietato",
        "proibida", "proibido", "banida", "banido", "zakazana", "zakazany", "zbanowana", "запрещена", "запрещён", "запрещено", "забанена", "禁止",
    ),
    1: (
        "restricted", "limited", "eingeschränkt", "beschränkt", "limitiert", "restreint", "restreinte", "limité", "limitée", "restringida",
        "restringido", "limitada", "limitado", "limitata", "limitato", "ograniczona", "ограничена", "制限",
    ),
    2: ("semi-limited", "semi limited", "semilimited", "準制限"),
}  # fmt: skip
_COPIES_SAID = re.compile(
    r"(?P<most>(?:restricted|limited|limit|limitiert|beschränkt)(?: to| of| auf)?|max(?:imum|\.)?|at most|up to|höchstens|only|nur)?\s*"
    r"(?P<copies>\d|one|two|three|eine?|zwei|drei)(?P<unit>(?:\s*[x×]|\s+(?:cop(?:y|ies)|per deck|each|kopien?|exemplare?|mal))*)",
    re.I,
)
_NUMBERS = {"one": 1, "two": 2, "three": 3, "ein": 1, "eine": 1, "zwei": 2, "drei": 3}


def _copies_said(words: str) -> int | None:
    """Return the copies that words behind a name allow: `banned`, `restricted`, `max 2`; None where they say nothing of it."""
    key = fold(words)
    for copies, status in _STATUS.items():
        if key in map(fold, status):
            return copies
    match = _COPIES_SAID.fullmatch(words.strip())
    if match is None or not (match["most"] or match["unit"]):
        return None
    number = match["copies"].lower()
    return _NUMBERS[number] if number in _NUMBERS else int(number)


# -- Lines that are no cards


_TITLE_WORDS = """
    bans bannings banlist banlists ban-list banliste ban-liste bannliste restrictions unlimited unrestricted unbanned updated update
    verbotene verbotenen gebannte gebannten beschränkte eingeschränkte limitierte verbotsliste sperrliste gesperrt gesperrte aktualisiert stand gültig
    bannies bannis interdites interdits restreintes limitées prohibidas prohibidos baneadas restringidas limitadas bandite banditi vietate proibite
    limitate proibidas banidas zakazane zbanowane запрещённые запрещенные запрещены effective announced announcement changes errata
"""
_OF_LISTS = frozenset(
    map(fold, [*_TITLE_WORDS.split(), *(word for words in _STATUS.values() for phrase in words for word in phrase.split())])
) - {"not", "nicht", "semi"}  # fmt: skip
_OTHER_WORDS = """
    the a an card cards list lists name names status copies copy of in for to as from on since and or one until are is official current new latest
    format formats tournament tournaments play game date version last all per deck only max semi
    karten karte liste der die das und von vom ab seit für zum sind aktuelle aktuell cartes carte interdictions les des du de et
    lista cartas carta las los la el le y e delle kart karty карты список
    january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
    januar februar märz mai juni juli oktober dezember
"""
_BESIDE = frozenset(map(fold, _OTHER_WORDS.split()))
"""Words that stand in such titles beside others, and in names of cards."""
_COLUMNS = frozenset(
    map(
        fold,
        [
            "card",
            "cards",
            "name",
            "names",
            "list",
            "status",
            "karten",
            "cartes",
            "cartas",
            "copies",
            "of",
            "the",
        ],
    )
)
"""Words that are a heading if a line has no others."""
_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_COUNTS = re.compile(
    r"(?:cards?|karten?|cartes?|cartas?|carte|entries|kart|total|in total|copies|copy)(?:\s.*)?", re.I
)
_SUM = re.compile(
    r"(?:total|(?:ins)?gesamt|summe|anzahl|totale|razem|итого|number of cards|count)\b(?: (?:cards|karten))?\s*[:=–-]?\s*\d",
    re.I,
)
_TITLE = re.compile(r".*[:：]|(?:.* )?ban[- ]?list(?:e)?(?: .*\d.*)?", re.I)
_DATE = re.compile(
    r"\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d{2})(?!\d)|(?:\d{1,2}\.?\s)?(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[^\W\d_]*\.?,?\s(?:\d{1,2},?\s)?\d{4}",
    re.I,
)
_SENTENCE = re.compile(r"[^\W\d_]{3,}[.…]$|[!?]{2,}$|(?:\S+\s+){8}\S")


def _is_heading(words: str) -> bool:
    """Return whether words are a title, or consist of dates and of words that titles of ban lists are made of."""
    bare = words.strip("*_=[]<>()# ")
    head, colon, _ = bare.replace("：", ":").partition(":")
    if _TITLE.fullmatch(bare) or (colon and _is_heading(head)):
        return True
    said = {fold(word) for word in _WORDS.findall(_DATE.sub(" ", bare))}
    if said and said <= _COLUMNS:
        return True
    dated = _DATE.search(bare) is not None
    return said <= _OF_LISTS | _BESIDE and (dated or not said.isdisjoint(_OF_LISTS))


def _doubt(words: str) -> str:
    """Say why words may be no name of a card; empty where they may well be one."""
    said = [fold(word) for word in _WORDS.findall(words)]
    if "://" in words or re.match(r"www\.", words):
        return "an address, or a card?"
    if _DATE.search(words):
        return "a date, or a card?"
    if any(word in _OF_LISTS - _NAMES_SAY for word in said):
        return "a card, or words about the list?"
    if len(re.findall(r"[,;、，；]", words)) > 1 or ";" in words:
        return "are these several cards? write one on a line"
    if words[-1] in "*†‡¹²³":
        return f"is the `{words[-1]}` part of the name?"
    if _SENTENCE.search(words):
        return "a sentence, or a card?"
    behind = re.fullmatch(r".*[^\W\d_]\S*\s(?P<number>[0-4])", words)
    return f"is {behind['number']} the number of copies? write it before the name" if behind else ""


_NAMES_SAY = frozenset(
    [
        "stand",
        "changes",
        "effective",
        "update",
        "updated",
        "ban",
        "illegal",
        "limited",
        "restricted",
        "announcement",
        "unlimited",
        "suspended",
        "forbidden",
    ]
)
"""Words of titles that many cards are called by, too: `Forbidden Orchard`."""
