"""Reading decklists: bytes or text in, a `Decklist` out. No file is opened here.

`GRAMMARS` has a row for each form in which lists come, in the order in which they are tried. Every reader puts what it
finds into a `builder`; the words of a card's line are taken apart by `names`, its copies counted by `counts`, and `lines`
knows what a line is and what heads a zone. A list of no other form is `plain` text: what its lines are together, `roles`
decides.
`tables`, `beside` (lists side by side), `json_form`, `xml_form`, `codes` and `canonical` (our own form) are imported for
the first list that shows their sign.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tourney.decks.decklist import Decklist, Note
from tourney.decks.reading.builder import ListText
from tourney.decks.reading.lines import GENERAL, LONGEST_LINE, Vocabulary, tidy, without_remark_behind
from tourney.decks.reading.names import CODE
from tourney.decks.reading.plain import MOST_LINES, read_plain
from tourney.decode import decode_text
from tourney.errors import Finding, Severity, TourneyError

__all__ = ["GRAMMARS", "Grammar", "decode", "read", "read_all"]


def read(data: str | bytes, *, source: str, vocabulary: Vocabulary = GENERAL) -> Decklist:
    """Read the decklist that `data` holds, whatever its grammar; `source` names the file in messages.

    A file of several decks gives the first, with an error finding that names the others (`read_all` gives all).
    Everything wrong with a line is a finding. Raises TourneyError for what cannot be a decklist at all (pictures,
    a draft log, XML with entities, broken JSON).
    """
    first, *others = read_all(data, source=source, vocabulary=vocabulary)
    if not others:
        return first
    starts = [_place(deck) for deck in (first, *others)]
    several = Finding(
        rule="decks",
        severity=Severity.ERROR,
        message=f"there are {len(starts)} decks in this file ({'; '.join(starts)}); only the first was read",
        lines=tuple(deck.lines[0].number for deck in others if deck.lines)[:1],
        have=str(len(starts)),
        allowed="1",
        hint="give one deck in each file",
    )
    return replace(first, findings=(*first.findings, several))


def _place(deck: Decklist) -> str:
    line = f"line {deck.lines[0].number}" if deck.lines else "without cards"
    return f"`{deck.name}`, {line}" if deck.name else line


def read_all(data: str | bytes, *, source: str, vocabulary: Vocabulary = GENERAL) -> tuple[Decklist, ...]:
    """Read each deck that `data` holds, in order; at least one (an empty file is one empty deck with a finding)."""
    text, encoding = decode(data, source=source)
    text = _without_boxes(text)
    lines = split_lines(text)
    if "\t" in text:
        lines = [_BULLET.sub(_without_tab, line, count=1) for line in lines]
        text = "\n".join(lines)
    written = ListText(text, lines, source, vocabulary)
    grammar, decks = next(
        (grammar, decks) for grammar in GRAMMARS if grammar.sign(written) and (decks := grammar.read(written))
    )
    if grammar.searched and not any(deck.lines or deck.aside for deck in decks):
        decks = [_without_cards(decks[0], grammar), *decks[1:]]
    if not grammar.by_lines:
        decks = [replace(deck, account=()) for deck in decks]
    if encoding is not None:
        note = Note(line=1, message=encoding)
        decks = [replace(deck, notes=(note, *deck.notes)) for deck in decks]
    return tuple(decks)


def _without_cards(deck: Decklist, grammar: Grammar) -> Decklist:
    """Say that a file in which cards were looked for has nothing that was read as one, unless a finding tells why."""
    others = [finding for finding in deck.findings if finding.rule != "empty"]
    if any(finding.severity is Severity.ERROR for finding in others):
        return deck
    nothing = Finding(
        rule="unread",
        severity=Severity.ERROR,
        message=f"no card was found in this {grammar.name} file",
        hint="export the deck as text, one card a line: `4 Name`",
    )
    return replace(deck, findings=(*others, nothing))


# -- From bytes to lines


MOST_BYTES = 4_000_000
"""A larger file is no decklist."""
_BULLET = re.compile(
    r"^\s*(?:[^\w\s\"“«'(\[{<#|,;]{1,2}|[oOüØqvn§]|\(?[a-zA-Z][.)]|[ivx]{1,4}[.)]|(?P<number>\d{1,3}[.)]))\t+(?=[^\t\s][^\t]*$)"
)
"""A bullet and its tab, as word processors write them; a row of a table has more tabs."""


def _without_tab(bullet: re.Match[str]) -> str:
    return f"{bullet['number']} " if bullet["number"] else ""


_LINE_END = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


def decode(data: str | bytes, *, source: str) -> tuple[str, str | None]:
    """Give the text of `data`, and a sentence on its encoding where that is not plain UTF-8.

    UTF-8 first, by its byte order mark UTF-16 and UTF-32, UTF-16 without a mark where zero bytes show it, else
    Windows-1252 (of which Latin-1's letters are a part). Raises TourneyError for what is no text (pictures,
    archives, databases) or over 4 MB.
    """
    if len(data) > MOST_BYTES:
        raise TourneyError(
            f"{source}: {len(data):,} bytes, a decklist has at most {MOST_BYTES:,}",
            "give one deck in each file",
        )
    text, encoding = (
        (data.removeprefix("\ufeff"), "UTF-8")
        if isinstance(data, str)
        else decode_text(data, source=source, lenient=True)
    )
    if "\x00" in text or len(_CONTROL.findall(text)) > len(text) // 50:
        raise TourneyError(f"{source}: not a text", "export the deck as text, CSV, JSON or XML")
    if encoding == "UTF-8":
        return text, None
    called = "Windows-1252 or Latin-1" if encoding == "Windows-1252" else encoding
    return text, f"the file is {called}, not UTF-8; read as such"


def split_lines(text: str) -> list[str]:
    """Give the lines of `text` as an editor numbers them, without their ends."""
    return _LINE_END.split(text)


_BOX_ROW = re.compile(r"^[ \t]*[│┃║].*[│┃║][ \t]*$", re.M)
_BOX_SIGNS = (
    dict.fromkeys(map(ord, "│┃║"), "|")
    | dict.fromkeys(map(ord, "─━═┄┈╌"), "-")
    | dict.fromkeys(map(ord, "├┤┼┌┐└┘┬┴┝┥┿┠┨╂┣┫╋┏┓┗┛┳┻╭╮╯╰╞╡╪╟╢╫╠╣╬╔╗╚╝╦╩╒╕╘╛╤╧╓╖╙╜╥╨"), "+")
)


def _without_boxes(text: str) -> str:
    """Return the text with bars, dashes and plus signs, if a table is drawn in it with box signs."""
    return text.translate(_BOX_SIGNS) if _BOX_ROW.search(text) else text


# -- The grammars in which lists come, and the sign of each: no reader is imported for a text without its sign


@dataclass(frozen=True, slots=True)
class Grammar:
    """One form in which decklists come.

    name:     what messages call it
    sign:     whether a text may be of it; quick, and right about every text that is
    read:     gives its decks, none where the text is of another form after all; refuses what has to be refused
    by_lines: each line of the text is read as it stands, so the deck says what became of each (`Decklist.account`)
    searched: cards are looked for in a structure of any shape; where none is found that is an error
    """

    name: str
    sign: Callable[[ListText], object]
    read: Callable[[ListText], list[Decklist]]
    by_lines: bool = True
    searched: bool = False


_JSON = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*(?:[{\"]|\[\s*[\d\"{\[\]]|\d+\s*[,\]]\s*[\d\[]|\]\s*$))")
_XML = re.compile(
    r"\s*(?!<[^<>\n]*>\s*\d{1,3}\s?x?\s+[^<\n]+(?:\n|$))<(?:\?xml|!doctype|!--|(?!(?:li|ul|ol|p|b|i|u|em|strong|span|br|font|table|tbody|thead|tr|td|th|h[1-6]|pre|section|article)[\s/>])[a-z_][\w.-]*[\s/>])",
    re.I,
)
_TOML = re.compile(r"\s*(?:\[\[\s*zone\s*\]\]|schema\s*=\s*[\"']tourney\.decklist/)")
_YDK = re.compile(r"[#!]\s*(?:main|extra|side)", re.I)
_CODE_ROW = re.compile(rf"\s*{CODE}[\s,;$|]+{CODE}")
_ROW_TAG = re.compile(r"</(?:tr|li|td|p|div|h[1-6])>|<(?:tr|li|td)\b|<br\s*/?>", re.I)
_CELLS = re.compile(r"[\t|,;]")
_WIDE_SPACE = re.compile(r"\S[^\S\n]{2,}\S|^[^\S\n]{2,}\S", re.M)


def _read_xml(text: ListText) -> list[Decklist]:
    from tourney.decks.reading.xml_form import read_xml

    return read_xml(text)


def _looks_like_toml(text: ListText) -> bool:
    return ("[[" in text.text or "schema" in text.text) and any(map(_TOML.match, text.lines[:2_000]))


def _read_toml(text: ListText) -> list[Decklist]:
    from tourney.decks.reading.canonical import read_toml

    return read_toml(text)


def _read_json(text: ListText) -> list[Decklist]:
    from tourney.decks.reading.json_form import read_json

    return read_json(text)


def _read_ydke(text: ListText) -> list[Decklist]:
    from tourney.decks.reading.codes import read_ydke

    return read_ydke(text)


def _read_ydk(text: ListText) -> list[Decklist]:
    from tourney.decks.reading.codes import read_ydk

    return read_ydk(text)


def _read_deckstring(text: ListText) -> list[Decklist]:
    from tourney.decks.reading.codes import read_deckstring

    return read_deckstring(text)


def _read_code_row(text: ListText) -> list[Decklist]:
    from tourney.decks.reading.codes import read_code_row

    return read_code_row(text)


_YAML_ITEM = re.compile(
    r"\s*-\s+[\"']?(?:name|card|card_?name|title|count|quantity|qty|id|code)[\"']?\s*:\s+\S", re.I
)
_YAML_MORE = re.compile(r"\s{2,}[\"']?\w+[\"']?\s*:\s+\S")


def _refuse_yaml(text: ListText) -> list[Decklist]:
    """Raise TourneyError, naming the line, if the text is a list of YAML mappings: one card goes over several lines."""
    for number, (line, below) in enumerate(itertools.pairwise(text.lines[:MOST_LINES]), start=1):
        if _YAML_ITEM.match(line[:LONGEST_LINE]) and _YAML_MORE.match(below[:LONGEST_LINE]):
            raise TourneyError(
                f"{text.source}: line {number}: a list in YAML begins here, which is not read",
                "export the deck as JSON, or as text, one card a line: `4 Name`",
            )
    return []


def _has_tags(text: ListText) -> bool:
    """Whether tags that end a line on a page stand in the text."""
    return "<" in text.text and any("<" in line and _ROW_TAG.search(line) for line in text.lines[:MOST_LINES])


def _read_html(text: ListText) -> list[Decklist]:
    from tourney.decks.reading.tables import read_html

    return read_html(text)


def _may_have_columns(text: ListText) -> bool:
    """Return whether the first lines have signs between cells, or any line has a tab or a wide space."""
    first = itertools.islice(filter(str.strip, text.lines), 20)
    return "\t" in text.text or any(map(_CELLS.search, first)) or _WIDE_SPACE.search(text.text) is not None


def _read_columns(text: ListText) -> list[Decklist]:
    from tourney.decks.reading.tables import read_columns

    most = _within_bounds(text.lines)
    cut = [without_remark_behind(line) for line in text.lines[:most]]
    decks = read_columns(replace(text, lines=cut) if cut != list(text.lines) else text)
    if most == len(text.lines) or not decks:
        return decks
    rest = Finding(
        rule="line",
        severity=Severity.ERROR,
        message=f"only the lines up to here were read, {most:,} of {len(text.lines):,}",
        lines=(most,),
    )
    return [*decks[:-1], replace(decks[-1], findings=(*decks[-1].findings, rest))]


_MOST_LETTERS = 1_000_000


def _within_bounds(lines: Sequence[str]) -> int:
    """Return how many lines of a table are read: at most ten thousand, with at most a million letters."""
    letters = itertools.accumulate(map(len, lines[:MOST_LINES]))
    return sum(1 for _ in itertools.takewhile(lambda total: total <= _MOST_LETTERS, letters))


def _tells_picks(text: ListText) -> bool:
    return any("pick " in line.lower() for line in text.lines[:200])


_EVENT = re.compile(r"event #:\s*\S", re.I)
_PICK = re.compile(r"pack \d+ pick \d+:?$|round \d+ pick \d+:?$|-->\s+\S", re.I)


def _refuse_draft_log(text: ListText) -> list[Decklist]:
    """Raise TourneyError, naming the line, if the text is a draft's log: it says which cards passed by, not which were registered."""
    tidied = [tidy(line) for line in text.lines[:200] if len(line) < 200]
    picks = [line for line in tidied if _PICK.match(line)]
    if len(picks) > 1:
        start = next(n for n, line in enumerate(tidied, 1) if _EVENT.match(line) or _PICK.match(line))
        raise TourneyError(
            f"{text.source}: line {start}: a draft log begins here, not a decklist",
            "export the deck that was built from the draft",
        )
    return []


GRAMMARS = (
    Grammar("XML", lambda text: _XML.match(text.text), _read_xml, by_lines=False, searched=True),
    Grammar("TOML", _looks_like_toml, _read_toml, by_lines=False),
    Grammar("JSON", lambda text: _JSON.match(text.text), _read_json, by_lines=False, searched=True),
    Grammar("ydke", lambda text: "ydke://" in text.text.lower(), _read_ydke, by_lines=False),
    Grammar("ydk", lambda text: _YDK.search(text.text), _read_ydk),
    Grammar("deckstring", lambda text: "AAE" in text.text, _read_deckstring),
    Grammar("row of codes", lambda text: _CODE_ROW.match(text.text), _read_code_row),
    Grammar("YAML", lambda text: "-" in text.text and ":" in text.text, _refuse_yaml),
    Grammar("HTML", _has_tags, _read_html),
    Grammar("columns", _may_have_columns, _read_columns),
    Grammar("draft log", _tells_picks, _refuse_draft_log),
    Grammar("plain text", lambda _: True, read_plain),
)
"""Every form in which lists come, in the order in which they are tried; the last reads whatever is left."""
