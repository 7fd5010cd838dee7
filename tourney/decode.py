"""Data from outside becomes typed values here, or a refusal in our own words.

Every TOML or JSON text passes through `from_toml` or `from_json`: the result is a frozen `msgspec.Struct`, unknown
keys are refused, and the first fault is told with file and key path. (Tables in text: `tourney.spreadsheet`.)

The limits of what is taken from outside stand here, each with its reason, and nowhere else; what is specific to one
grammar (the longest line of a decklist) stands with that grammar. They are far above anything an honest file holds:
they are there so that a hostile one cannot use up the machine.
"""

from __future__ import annotations

import codecs
import re
import tomllib
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, TypeVar

import msgspec

from tourney.errors import TourneyError
from tourney.wording import listed

T = TypeVar("T")
"""What a text is to be read as."""

MAX_BYTES = 128_000_000
"""Of any file that is read whole: every card of the largest game, with its texts, is a third of that."""

MAX_TOML = 2_000_000
"""Letters of a TOML file: Python's own reader takes about 1 µs and some hundred bytes for each."""

MAX_DEPTH = 60
"""Levels of lists and tables inside each other: our own files have 5, a wrapped export 12."""

MAX_KEY_PARTS = 12
"""Parts of a dotted key. The reader's work grows with the square of them: 40 kB of `a.a.a…` took 1.6 GB."""

MAX_FILE_DOTS = 20_000
"""Dots in the keys of a file that have three parts or more: each part is a table to the reader. No file of ours has one."""

MAX_DIGITS = 30
"""Digits of a number before and after its point, and the exponent's value: `1e-99999999` is 12 letters and 12 MB."""

NUMBER_LIMIT = 10**MAX_DIGITS
"""A number has to be smaller, with any sign: the first one with a digit too many."""

MAX_CELL = 100_000
"""Letters in one cell of a table."""

MAX_ROW_CELLS = 50_000
"""Cells in one row of a table: the widest form of a registration has a hundred."""

MAX_TEXT = 10_000_000
"""Letters of a list of players, of a file of results, and of typed lines: 37,000 results of 5,000 players are 4 MB. As
JSON each of them can become 30 bytes in memory."""

MAX_EXPORT = 40_000_000
"""Bytes of an exported event: 40,000 results and 5,000 decklists are half of that."""

MAX_CARD_FILE = 48_000_000
MAX_CARDS = 120_000
"""Bytes and cards of a table of cards: every card of the largest game, with its texts, is 43 MB; every printing 100,000."""

MAX_TABLES = 500_000
"""Lists and tables in a JSON text: an empty one is 3 bytes, and a hundred times as much in memory."""

MAX_VALUES = 2_000_000
"""Values in a JSON text, counted by its commas, and cells of a table of cards: a short text takes 50 bytes in memory, with
a key of its own 150."""

MAX_CARD_VALUES = 10_000
"""Values of one card: the longest has some hundred, each printing with its prices."""

MAX_RESULTS = 250_000
"""Matches in a file: the largest event plays 40,000."""

MAX_TYPED_RESULTS = 100_000
"""Results typed at once, a line each: each is answered, and the answers are kept until the last one."""

MAX_LINES = 2_000_000
"""Lines of a table: decklists in cells have sixty each, and a line of one letter takes 60 bytes in memory."""

MAX_LISTED_PLAYERS = 25_000
"""Players in one list, or in a file of results: a player of an event takes 8 kB in memory."""

MAX_FILLED_CELLS = 1_000_000
"""Filled cells of a list of players: 25,000 players have forty each."""

MAX_FILES = 10_000
"""Files and folders in and below a folder that is named: the decklists of the largest event are a third of that, the
root of a disk has a million."""

MAX_PLAYERS = 100_000
"""Players that a file or an option may say there are; a Tournament Report File itself has room for 9,999."""

MAX_ROUNDS = 999
"""Rounds of the same; a Tournament Report File has room for as many."""

MAX_TIEBREAKS = 100
"""Of a standings profile: there are forty, with a dozen variants."""

MAX_EDITIONS = 200
"""Of a standings profile: the longest history has seven."""

MAX_PATH = 4_096
"""Letters of a file's path: no system opens a longer one."""

_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
    "date": "a date (YYYY-MM-DD)",
}
_TYPE_FAULT = re.compile(r"Expected `(?P<expected>[^`]*)`, got `(?P<found>[^`]*)`")
_PATH = re.compile(r" - at `(?P<path>[^`]*)`$")
_NUMBER = re.compile(
    rf"[-+]?[0-9]{{1,{MAX_DIGITS}}}(?:\.[0-9]{{1,{MAX_DIGITS}}})?(?:[eE](?P<exponent>[-+]?[0-9]{{1,3}}))?"
)
# A part of a key as the grammar has it, and runs of them; strings and remarks are stepped over. Possessive, so that the
# scan takes time in proportion to the text. Behind a quotation mark that is never closed the reader itself stops.
_PART = r"""(?:[\w-]++|(?!\"\"\")"(?:[^"\\\n]|\\.)*+"|(?!\'\'\')'[^'\n]*+')"""
_DOT = r"[ \t]*+\.[ \t]*+"
_SCANNED = re.compile(
    rf"""\#[^\n]*+
    |\"\"\"(?:[^"\\]|\\[\s\S]|"(?!""))*+"{{3,5}}
    |\'\'\'(?:[^']|'(?!''))*+'{{3,5}}
    |(?P<deep>{_PART}(?:{_DOT}{_PART}){{{MAX_KEY_PARTS},}}+)
    |(?P<dotted>{_PART}(?:{_DOT}{_PART}){{2,}}+)
    |{_PART}
    |(?P<open>["'])""",
    re.VERBOSE,
)


def from_toml(text: str, shape: type[T], *, source: str) -> T:
    """Read TOML `text` as `shape`. `source` names the file in messages.

    Raises TourneyError with file and line for a syntax fault, with file and key path for a wrong shape.
    """
    return build(parse_toml(text, source=source), shape, source=source)


def parse_toml(text: str, *, source: str) -> dict[str, Any]:
    """Read TOML `text` as plain values; a syntax fault is refused with file and line, and so is what is too large."""
    if len(text) > MAX_TOML:
        raise TourneyError(f"{source}: {len(text):,} letters, a TOML file has at most {MAX_TOML:,}")
    _check_keys(text, source)
    try:
        value = tomllib.loads(text, parse_float=_float)
    except tomllib.TOMLDecodeError as fault:
        raise TourneyError(f"{source}: not readable as TOML: {_lower_first(str(fault))}") from None
    except RecursionError:
        raise TourneyError(f"{source}: not readable as TOML: nested too deeply") from None
    except ValueError as fault:  # of `number`; or Python's own, of 4,300 digits
        said = str(fault) if "`" in str(fault) else f"a number of more than {MAX_DIGITS} digits"
        raise TourneyError(f"{source}: not readable as TOML: {said}") from None
    check_bounds(value, source=source)
    return value


def _check_keys(text: str, source: str) -> None:
    """Refuse dotted keys that make the reader's work grow faster than the text. Raises TourneyError with the line."""
    if text.count(".") < MAX_KEY_PARTS:
        return
    dots = 0
    for token in _SCANNED.finditer(text):
        if token["open"]:
            return
        if token["deep"]:
            line = text.count("\n", 0, token.start()) + 1
            raise TourneyError(f"{source}: line {line}: a key of more than {MAX_KEY_PARTS} parts")
        if token["dotted"]:
            dots += token[0].count(".")
            if dots > MAX_FILE_DOTS:
                line = text.count("\n", 0, token.start()) + 1
                raise TourneyError(f"{source}: line {line}: more than {MAX_FILE_DOTS:,} dots in keys")


def _float(text: str) -> float:
    return float(parse_number_literal(text))


def from_json(text: str | bytes, shape: type[T], *, source: str) -> T:
    """Read JSON `text` as `shape`. Raises TourneyError with file and key path."""
    check_tables(text, source=source)
    try:
        value = msgspec.json.decode(text, type=shape)
    except msgspec.ValidationError as fault:
        raise TourneyError(f"{source}: {explain_validation_error(str(fault), shape)}") from None
    except msgspec.DecodeError as fault:
        raise TourneyError(f"{source}: {explain_json_error(fault)}") from None
    except (RecursionError, UnicodeError) as fault:
        raise TourneyError(f"{source}: {explain_json_error(fault)}") from None
    check_bounds(value, source=source)
    return value


def explain_json_error(fault: Exception) -> str:
    """Say why a text could not be read as JSON: what its reader said of it, in our words."""
    why = "nested too deeply" if isinstance(fault, RecursionError) else _lower_first(str(fault))
    return f"not readable as JSON: {why}"


def parse_number_literal(text: str) -> int | Fraction:
    """Read a number as TOML and JSON write it, exactly. Raises ValueError for one too long to be meant.

    >>> number("2.50"), number("1e3"), number("-0.0")
    (Fraction(5, 2), 1000, 0)
    """
    plain = text.replace("_", "")
    match = _NUMBER.fullmatch(plain)
    if not match or abs(int(match["exponent"] or 0)) > MAX_DIGITS:
        raise ValueError(f"`{text[:40]}` is not a number, or one of more than {MAX_DIGITS} digits")
    value = Fraction(plain)
    return int(value) if value.denominator == 1 else value


def check_size(size: int, *, source: str, most: int = MAX_BYTES) -> None:
    """Refuse a file of more than `most` bytes. Raises TourneyError."""
    if size > most:
        raise TourneyError(f"{source}: {size / 1e6:,.0f} MB or more, at most {most / 1e6:,.0f} MB are read")


def check_text(text: str | bytes, *, source: str, most: int = MAX_TEXT) -> None:
    """Refuse a text of more than `most` letters, or bytes where it is not decoded yet. Raises TourneyError."""
    if len(text) > most:
        what = "bytes" if isinstance(text, bytes) else "letters"
        raise TourneyError(
            f"{source}: {len(text):,} {what}, at most {most:,} are read", "leave out what is not needed"
        )


def check_lines(text: str, *, source: str) -> None:
    """Refuse a table of more than `MAX_LINES` lines. Raises TourneyError."""
    if text.count("\n") > MAX_LINES or text.count("\r") > MAX_LINES:
        raise TourneyError(
            f"{source}: line {MAX_LINES + 1:,}: a table has at most {MAX_LINES:,} lines",
            "leave out what is not needed",
        )


def check_tables(text: str | bytes, *, source: str) -> None:
    """Refuse JSON of more lists, tables and values than any file of ours has. Raises TourneyError."""
    tables = (
        text.count("[") + text.count("{") if isinstance(text, str) else text.count(b"[") + text.count(b"{")
    )
    if tables > MAX_TABLES:
        raise TourneyError(
            f"{source}: {tables:,} lists and tables in the JSON, at most {MAX_TABLES:,} are read",
            "leave out what is not needed",
        )
    values = text.count(",") if isinstance(text, str) else text.count(b",")
    if values > MAX_VALUES:
        raise TourneyError(
            f"{source}: {values:,} values in the JSON, at most {MAX_VALUES:,} are read",
            "leave out what is not needed",
        )


def check_bounds(value: object, *, source: str) -> None:
    """Refuse, with the place, what no reader behind may meet: endless nesting, endless numbers, half a letter.

    Raises TourneyError.
    """
    level: list[object] = [value]
    for _ in range(MAX_DEPTH):
        below: list[object] = []
        for each in level:
            if isinstance(each, str):
                if not each.isascii() and _HALF_LETTER.search(each):
                    raise TourneyError(
                        f"{source}: half a letter (a lone surrogate) in `{each[:40]}`", "export it again"
                    )
            elif isinstance(each, dict):
                below.extend(each)
                below.extend(each.values())
            elif isinstance(each, list | tuple):
                below.extend(each)
            elif isinstance(each, int) and not -NUMBER_LIMIT < each < NUMBER_LIMIT:
                raise TourneyError(f"{source}: a number of more than {MAX_DIGITS} digits")
        if not below:
            return
        level = below
    raise TourneyError(f"{source}: nested more than {MAX_DEPTH} deep")


_HALF_LETTER = re.compile("[\ud800-\udfff]")


def build(value: object, shape: type[T], *, source: str) -> T:
    """Turn plain dicts and lists into `shape`. Raises TourneyError with file and key path."""
    try:
        return msgspec.convert(value, type=shape)
    except msgspec.ValidationError as fault:
        raise TourneyError(f"{source}: {explain_validation_error(str(fault), shape)}") from None
    except RecursionError:
        raise TourneyError(f"{source}: nested too deeply") from None


def explain_validation_error(fault: str, shape: type | None = None) -> str:
    """Say a msgspec fault in our words, the key path first.

    shape: what was to be built; with it a word that may not stand somewhere is answered with those that may

    >>> explain("Expected `int`, got `str` - at `$.limit[1].max`")
    'limit[1].max: expected a whole number, found text'
    >>> explain("Object contains unknown field `sise` - at `$.zone[0]`")
    'zone[0]: there is no key `sise` here'
    """
    place = _PATH.search(fault)
    path = place["path"].removeprefix("$").removeprefix(".") if place else ""
    said = _say(_PATH.sub("", fault))
    if shape is not None and said.endswith(_MAY_STAND):
        words = _words_at(shape, place["path"] if place else "$")
        said += f": {listed(words, 'or')}" if words else ""
    return f"{path}: {said}" if path else said


_MAY_STAND = "is not one of the words that may stand here"
_STEP = re.compile(r"\.([^.\[\]]+)|\[[^\]]*\]")


def _words_at(shape: type, path: str) -> list[str]:
    """Return the words that may stand at a place of a value, in alphabetical order; none where any text may."""
    from msgspec import inspect

    def within(types: Iterable[inspect.Type]) -> Iterator[inspect.Type]:
        for each in types:
            yield from within(each.types) if isinstance(each, inspect.UnionType) else (each,)

    types = list(within([inspect.type_info(shape)]))
    for step in _STEP.finditer(path):
        below: list[inspect.Type] = []
        for each in types:
            if isinstance(each, inspect.StructType):
                below += [field.type for field in each.fields if field.encode_name == step[1]]
            elif isinstance(each, inspect.DictType):
                below.append(each.value_type)
            elif isinstance(
                each, inspect.ListType | inspect.VarTupleType | inspect.SetType | inspect.FrozenSetType
            ):
                below.append(each.item_type)
            elif isinstance(each, inspect.TupleType):
                below += each.item_types
        types = list(within(below))
    values = [value for each in types if isinstance(each, inspect.LiteralType) for value in each.values]
    return sorted(map(str, {*values}))


def _say(fault: str) -> str:
    wrong_type = _TYPE_FAULT.search(fault)
    if wrong_type:
        expected, found = (_words(wrong_type[name]) for name in ("expected", "found"))
        return f"expected {expected}, found {found}"
    fault = re.sub(r"Object contains unknown field (`[^`]*`)", r"there is no key \1 here", fault)
    fault = re.sub(r"Object missing required field (`[^`]*`)", r"the key \1 is missing", fault)
    fault = re.sub(r"Invalid enum value '?([^']*)'?", rf"`\1` {_MAY_STAND}", fault)
    fault = re.sub(r"Invalid RFC3339 encoded date", f"expected {_WORDS['date']}", fault)
    return _lower_first(fault)


def _words(types: str) -> str:
    names = [name.strip() for name in types.split("|")]
    return listed([_WORDS.get(name, name) for name in names if name != "null" or len(names) == 1], "or")


def _lower_first(text: str) -> str:
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


# -- From bytes to text


_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_ENCODINGS = {"utf-8-sig": "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}
_TEXT_ENCODINGS = re.compile(
    r"utf-(8|16|32)(-sig|-le|-be)?|ascii|cp\d+|iso8859-\d+|mac-\w+|koi8-\w|shift_jis\w*|euc_\w+|gb\w+|big5\w*|johab"
)


def decode_text(
    data: bytes, *, source: str, encoding: str | None = None, lenient: bool = False
) -> tuple[str, str]:
    """Read bytes as text, without a byte-order mark; return it and what its encoding is called: `UTF-8`, `Windows-1252`.

    By the mark UTF-8, UTF-16 and UTF-32; without one UTF-16 where zero bytes show it, in any script, else UTF-8, else
    Windows-1252, of which Latin-1's letters are a part.

    encoding: the one to take instead, by any of its names
    lenient:  put a replacement where a byte is no letter of Windows-1252

    Raises TourneyError where the bytes are not of the encoding, or there is none of that name.
    """
    codec = _codec(encoding) if encoding else _marked_or_guessed(data)
    try:
        return data.decode(codec).removeprefix("\ufeff"), _called(codec)
    except UnicodeDecodeError as fault:
        if encoding:
            line = data[: fault.start].count(b"\n") + 1
            raise TourneyError(
                f"{source}:{line}: not {_called(codec)} text", "without `--encoding` it is found"
            ) from None
    if codec != "utf-8":
        raise TourneyError(f"{source}: begins like {codec.upper()} and is not", "save it as UTF-8")
    try:
        return data.decode("cp1252", errors="replace" if lenient else "strict"), _called("cp1252")
    except UnicodeDecodeError as fault:
        line = data[: fault.start].count(b"\n") + 1
        raise TourneyError(
            f"{source}:{line}: neither UTF-8 nor Windows-1252 text", "save the file as UTF-8"
        ) from None


def _codec(name: str) -> str:
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        codec = ""
    if not _TEXT_ENCODINGS.fullmatch(codec):
        raise TourneyError(f"there is no encoding `{name}`", "utf-8, utf-16, cp1252, cp1250, shift_jis …")
    return codec


def _called(codec: str) -> str:
    """Name an encoding as spreadsheets do."""
    windows = re.fullmatch(r"cp(125\d)", codec)
    return f"Windows-{windows[1]}" if windows else _ENCODINGS.get(codec, codec.upper())


def _marked_or_guessed(data: bytes) -> str:
    """Return the encoding by its mark, UTF-16 without one by its zero bytes."""
    if marked := next((codec for mark, codec in _MARKS if data.startswith(mark)), None):
        return marked
    if found := _unmarked_utf16(data):
        return found
    head = data[:200]
    if len(head) >= 4 and head.count(0) >= len(head) // 3:  # a word of Western text, or a file cut off
        return "utf-16-le" if head[1::2].count(0) > head[::2].count(0) else "utf-16-be"
    return "utf-8"


def _unmarked_utf16(data: bytes) -> str:
    """Return which UTF-16 a text of any script is that has no mark; empty where it is none.

    Text of one byte a letter, and UTF-8, has no zero byte; UTF-16 has one in each line end and each comma. In the wrong
    byte order these are letters that nobody writes (U+0A00, U+2C00), so the order that has more of them is the one.
    """
    if 0 not in data or len(data) % 2:
        return ""
    little, big = (_separators(data[:_SAMPLE], codec) for codec in ("utf-16-le", "utf-16-be"))
    return "" if little == big else "utf-16-le" if little > big else "utf-16-be"


def _separators(data: bytes, codec: str) -> int:
    """Count the line ends, blanks and commas in the beginning of a text; none where it is no text of that encoding."""
    try:
        text = codecs.getincrementaldecoder(codec)().decode(data)
    except UnicodeDecodeError:
        return 0
    return 0 if "\0" in text else sum(map(text.count, "\n\r\t ,;"))


_SAMPLE = 20_000
"""Bytes by which the order of UTF-16 is found."""
