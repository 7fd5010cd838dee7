"""Convert data from outside to typed values, or raise a TourneyError.

The error names the file and the place in the file.

Every TOML or JSON text passes through `from_toml` or `from_json`. Both return a value of the requested type
(usually a frozen `msgspec.Struct`), refuse unknown keys of such a struct, and report the first error.
`decode_text` turns bytes into text. Tables in text are read by `tourney.spreadsheet`.

The limits at the top are far above what an honest file needs. They keep a hostile file from exhausting memory
or time. A limit of a single file format, such as the longest line of a decklist, is defined in the module
that reads the format.
"""

from __future__ import annotations

import codecs
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from tourney.errors import TourneyError
from tourney.wording import listed

T = TypeVar("T")

MAX_BYTES = 128_000_000
"""The maximum size of any file in bytes.

All cards of the largest game, with their texts, take a third of that.
"""

MAX_TOML = 2_000_000
"""The maximum number of characters in a TOML file.

`tomllib` needs about 1 µs and a few hundred bytes of memory for each character.
"""

MAX_DEPTH = 60
"""The maximum depth of nested lists and tables. Our own files have 5 levels, an export 12."""

MAX_KEY_PARTS = 12
"""The maximum number of parts in a dotted key.

The memory that `tomllib` needs grows with the square of this number: 40 kB of `a.a.a…` took 1.6 GB.
"""

MAX_KEY_DOTS = 20_000
"""The maximum number of dots in all keys of three or more parts together.

`tomllib` makes a table for each part.
"""

MAX_DIGITS = 30
"""The maximum number of digits before the point and after it, and the largest exponent.

`1e-99999999` takes 12 MB in memory.
"""

NUMBER_LIMIT = 10**MAX_DIGITS
"""Whole numbers must be smaller than this limit, and larger than its negative."""

MAX_CELL = 100_000
"""The maximum number of characters in one cell of a table."""

MAX_ROW_CELLS = 50_000
"""The maximum number of cells in a row of a table. The widest sign-up form has a hundred."""

MAX_TEXT = 10_000_000
"""The maximum number of characters in a player list, a results file or entered lines.

37,000 results of 5,000 players take 4 MB. In JSON each character can take 30 bytes in memory.
"""

MAX_EXPORT = 40_000_000
"""The maximum size of an exported event in bytes.

40,000 results and 5,000 decklists take half of that.
"""

MAX_CARD_FILE = 48_000_000
"""The maximum size of a table of cards in bytes.

All cards of the largest game, with their texts, take 43 MB.
"""

MAX_CARDS = 120_000
"""The maximum number of cards in a table of cards. The largest game has 100,000 printings."""

MAX_TABLES = 500_000
"""The maximum number of lists and tables in a JSON text.

An empty list has 3 characters and takes 300 bytes in memory.
"""

MAX_VALUES = 2_000_000
"""The maximum number of values in a JSON text, or of cells in a table of cards.

The values are counted by the commas. Each value or cell takes 50 to 150 bytes in memory.
"""

MAX_CARD_VALUES = 10_000
"""The maximum number of values of one card.

A card that lists its printings with their prices has a few hundred values.
"""

MAX_RESULTS = 250_000
"""The maximum number of matches in a file. The largest event plays 40,000."""

MAX_TYPED_RESULTS = 100_000
"""The maximum number of results that a user can enter at once, one on a line.

All answers are kept in memory until the last result is entered.
"""

MAX_LINES = 2_000_000
"""The maximum number of lines in a table.

A decklist in a cell has sixty lines, and even a short line takes 60 bytes in memory.
"""

MAX_LISTED_PLAYERS = 25_000
"""The maximum number of players in a player list or a results file.

A player of an event takes 8 kB in memory.
"""

MAX_FILLED_CELLS = 1_000_000
"""The maximum number of filled cells in a player list: forty for each of 25,000 players."""

MAX_FILES = 10_000
"""The maximum number of files and folders that are read below a folder.

The largest event has a third of that number.
"""

MAX_PLAYERS = 100_000
"""The maximum number of players in an event. A Tournament Report File has room for 9,999."""

MAX_ROUNDS = 999
"""The maximum number of rounds in an event.

A Tournament Report File has room for the same number of rounds.
"""

MAX_TIEBREAKS = 100
"""The maximum number of tie-breaks in a profile. We define forty and a dozen variants."""

MAX_EDITIONS = 200
"""The maximum number of editions of a standings profile. Our longest profile has five."""

MAX_PATH = 4_096
"""The maximum number of characters in a path. No operating system opens a longer path."""


# -- limits


def check_limit(count: int, limit: int, things: str, *, source: str) -> None:
    """Raise TourneyError if `count` is above `limit`.

    things: what is counted, for the message, such as `lines`
    """
    if count > limit:
        raise TourneyError(f"{source}: {count:,} {things}; the limit is {limit:,}")


def check_size(size: int, *, source: str, limit: int = MAX_BYTES) -> None:
    """Raise TourneyError if a file has more than `limit` bytes."""
    if size > limit:
        raise TourneyError(f"{source}: larger than {limit / 1e6:,.0f} MB")


def check_text(text: str | bytes, *, source: str, limit: int = MAX_TEXT) -> None:
    """Raise TourneyError if a text is longer than `limit`.

    The length of a `str` is counted in characters, the length of `bytes` in bytes.
    """
    check_limit(len(text), limit, "bytes" if isinstance(text, bytes) else "characters", source=source)


def check_lines(text: str, *, source: str) -> None:
    """Raise TourneyError if a table has more than `MAX_LINES` lines."""
    check_limit(max(text.count("\n"), text.count("\r")), MAX_LINES, "lines", source=source)


def check_json(text: str | bytes, *, source: str) -> None:
    """Raise TourneyError if a JSON text has too many lists, objects or values.

    It counts the characters `[`, `{` and `,`, even those inside strings.
    """
    brackets, braces, commas = (
        text.count(mark) if isinstance(text, str) else text.count(mark.encode()) for mark in "[{,"
    )
    check_limit(brackets + braces, MAX_TABLES, "lists and tables", source=source)
    check_limit(commas, MAX_VALUES, "values", source=source)


_SURROGATE = re.compile("[\ud800-\udfff]")


def check_bounds(value: object, *, source: str) -> None:
    """Raise TourneyError if `value` is nested too deeply, or has a huge number or broken text.

    A whole number can have up to `MAX_DIGITS` digits. A text is broken if it contains a lone surrogate, which
    UTF-8 cannot encode.
    """
    level: list[object] = [value]
    for _ in range(MAX_DEPTH):
        next_level: list[object] = []
        for item in level:
            if isinstance(item, str):
                if not item.isascii() and _SURROGATE.search(item):
                    raise TourneyError(f"{source}: broken character (a lone surrogate) in `{item[:40]}`")
            elif isinstance(item, dict):
                next_level.extend(item)
                next_level.extend(item.values())
            elif isinstance(item, list | tuple):
                next_level.extend(item)
            elif isinstance(item, int) and not -NUMBER_LIMIT < item < NUMBER_LIMIT:
                raise TourneyError(f"{source}: a number with more than {MAX_DIGITS} digits")
        if not next_level:
            return
        level = next_level
    raise TourneyError(f"{source}: nested more than {MAX_DEPTH} levels deep")


# -- TOML


def from_toml(text: str, shape: type[T], *, source: str) -> T:
    """Read TOML as a value of the type `shape`.

    source: the file's name in messages

    Raises a TourneyError that names the line of a syntax error, or the key path of a value of the wrong type.
    """
    return build(parse_toml(text, source=source), shape, source=source)


def parse_toml(text: str, *, source: str) -> dict[str, Any]:
    """Read TOML as plain dicts, lists and values.

    Raises TourneyError for a syntax error or an exceeded limit.
    """
    check_limit(len(text), MAX_TOML, "characters", source=source)
    _check_keys(text, source)
    try:
        value = tomllib.loads(text, parse_float=lambda digits: float(parse_number_literal(digits)))
    except tomllib.TOMLDecodeError as error:
        raise TourneyError(f"{source}: not readable as TOML: {_lower_first(str(error))}") from None
    except RecursionError:
        raise TourneyError(f"{source}: not readable as TOML: nested too deeply") from None
    except ValueError as error:  # from `parse_number_literal`, or from Python for an integer of 4,300 digits
        is_ours = "`" in str(error)
        problem = str(error) if is_ours else f"a number with more than {MAX_DIGITS} digits"
        raise TourneyError(f"{source}: not readable as TOML: {problem}") from None
    check_bounds(value, source=source)
    return value


# The tokens of TOML that are needed to count the dots in keys. Strings and comments match first, so that dots
# inside them do not count. All repetitions are possessive, so the scan takes linear time.
_KEY_PART = r"""(?:[\w-]++|(?!\"\"\")"(?:[^"\\\n]|\\.)*+"|(?!\'\'\')'[^'\n]*+')"""
_DOT = r"[ \t]*+\.[ \t]*+"
_TOKEN = re.compile(
    rf"""\#[^\n]*+
    |\"\"\"(?:[^"\\]|\\[\s\S]|"(?!""))*+"{{3,5}}
    |\'\'\'(?:[^']|'(?!''))*+'{{3,5}}
    |(?P<key>{_KEY_PART}(?:{_DOT}{_KEY_PART}){{2,}}+)
    |{_KEY_PART}
    |(?P<unclosed>["'])""",
    re.VERBOSE,
)
_KEY_DOT = re.compile(rf"{_KEY_PART}({_DOT})?")


def _check_keys(text: str, source: str) -> None:
    """Raise TourneyError for dotted keys that would cost `tomllib` too much memory."""
    if text.count(".") < MAX_KEY_PARTS:
        return
    all_dots = 0
    for token in _TOKEN.finditer(text):
        if token["unclosed"]:
            return  # an unclosed string, at which `tomllib` stops, too
        if token["key"]:
            dots = sum(part[1] is not None for part in _KEY_DOT.finditer(token["key"]))
            all_dots += dots
            problem = ""
            if dots >= MAX_KEY_PARTS:
                problem = f"a key with more than {MAX_KEY_PARTS} parts"
            elif all_dots > MAX_KEY_DOTS:
                problem = f"more than {MAX_KEY_DOTS:,} dots in keys"
            if problem:
                line = text.count("\n", 0, token.start()) + 1
                raise TourneyError(f"{source}: line {line}: {problem}")


# -- JSON


def from_json(text: str | bytes, shape: type[T], *, source: str) -> T:
    """Read JSON as a value of the type `shape`.

    Raises a TourneyError that names the key path if a value has the wrong type.
    """
    check_json(text, source=source)
    value = decode_json(msgspec.json.Decoder(shape), text, source=source)
    check_bounds(value, source=source)
    return value


def decode_json(decoder: msgspec.json.Decoder[T], text: str | bytes, *, source: str) -> T:
    """Decode JSON with a decoder that the caller can use again for many short texts.

    Does not check the limits. Raises a TourneyError that names the key path if a value has the wrong type.
    """
    try:
        return decoder.decode(text)
    except msgspec.ValidationError as error:
        raise TourneyError(f"{source}: {explain_validation_error(error, decoder.type)}") from None
    except RecursionError:
        raise TourneyError(f"{source}: not readable as JSON: nested too deeply") from None
    except (msgspec.DecodeError, ValueError) as error:
        raise TourneyError(f"{source}: not readable as JSON: {_lower_first(str(error))}") from None


_NUMBER = re.compile(
    rf"[-+]?[0-9]{{1,{MAX_DIGITS}}}(?:\.[0-9]{{1,{MAX_DIGITS}}})?(?:[eE](?P<exponent>[-+]?[0-9]{{1,3}}))?"
)


def parse_number_literal(text: str) -> int | Fraction:
    """Return the exact value of a number that is written in TOML or JSON.

    Raises ValueError if the number has more than `MAX_DIGITS` digits.

    >>> parse_number_literal("2.50"), parse_number_literal("1e3"), parse_number_literal("-0.0")
    (Fraction(5, 2), 1000, 0)
    """
    plain = text.replace("_", "")
    match = _NUMBER.fullmatch(plain)
    if not match or abs(int(match["exponent"] or 0)) > MAX_DIGITS:
        raise ValueError(f"`{text[:40]}` is not a number with at most {MAX_DIGITS} digits")
    value = Fraction(plain)
    return int(value) if value.denominator == 1 else value


# -- types


def build(value: object, shape: type[T], *, source: str) -> T:
    """Convert plain dicts and lists to the type `shape`.

    Raises a TourneyError that names the key path if a value has the wrong type.
    """
    try:
        return msgspec.convert(value, type=shape)
    except msgspec.ValidationError as error:
        raise TourneyError(f"{source}: {explain_validation_error(error, shape, value)}") from None
    except RecursionError:
        raise TourneyError(f"{source}: nested too deeply") from None


_PATH = re.compile(r" - at `\$\.?(?P<path>[^`]*)`$")
_TYPE_ERROR = re.compile(r"Expected `(?P<expected>[^`]*)`, got `(?P<actual>[^`]*)`")
_UNKNOWN_KEY = re.compile(r"Object contains unknown field `(?P<key>[^`]*)`")
_VALUE_ERROR = re.compile(r"Invalid enum value '?(?P<value>[^']*)'?")
_LONGEST_QUOTED = 40
_TYPE_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
    "date": "a date (YYYY-MM-DD)",
}


def explain_validation_error(
    error: msgspec.ValidationError, shape: type | None = None, value: object = None
) -> str:
    """Return msgspec's message in our words, beginning with the key path.

    shape: the type that was requested; if it allows only some words at this path, the message lists them,
           and for an unknown key it suggests a similar one
    value: the data; a short text of the wrong type is quoted from it

    >>> error = msgspec.ValidationError("Expected `int`, got `str` - at `$.limit[1].max`")
    >>> explain_validation_error(error)
    'limit[1].max: expected a whole number, found text'
    >>> error = msgspec.ValidationError("Expected `int`, got `str` - at `$.rounds`")
    >>> explain_validation_error(error, value={"rounds": "few"})
    'rounds: expected a whole number, found the text `few`'
    """
    match = _PATH.search(str(error))
    path = match["path"] if match else ""
    problem = _explain(_PATH.sub("", str(error)), path, shape)
    text = value.get(path) if isinstance(value, Mapping) else None
    if isinstance(text, str) and text.isprintable() and 0 < len(text) <= _LONGEST_QUOTED:
        problem = problem.replace("found text", f"found the text `{text}`")
    return f"{path}: {problem}" if path else problem


def _explain(message: str, path: str, shape: type | None) -> str:
    if match := _TYPE_ERROR.search(message):
        return f"expected {_type_words(match['expected'])}, found {_type_words(match['actual'])}"
    if match := _VALUE_ERROR.search(message):
        words = listed(_allowed_words(shape, path), "or") if shape else ""
        return f"expected {words}, found `{match['value']}`" if words else f"unknown value `{match['value']}`"
    if match := _UNKNOWN_KEY.search(message):
        from difflib import get_close_matches

        near = get_close_matches(match["key"], _keys(shape, path), 1) if shape else []
        return f"unknown key `{match['key']}`" + (f"; did you mean `{near[0]}`?" if near else "")
    message = re.sub(r"Object missing required field (`[^`]*`)", r"the key \1 is missing", message)
    message = message.replace("Invalid RFC3339 encoded date", f"expected {_TYPE_WORDS['date']}")
    return _lower_first(message)


def _type_words(types: str) -> str:
    names = types.split(" | ")
    return listed([_TYPE_WORDS.get(name, name) for name in names if name != "null" or len(names) == 1], "or")


def _allowed_words(shape: type, path: str) -> list[str]:
    """Return the words, sorted, that `shape` allows as the value at a key path (`limit[1].per`).

    The list is empty if the type there is not a `Literal`.
    """
    literals = [type_ for type_ in _types_at(shape, path) if isinstance(type_, inspect.LiteralType)]
    return sorted({str(word) for type_ in literals for word in type_.values})


def _keys(shape: type, path: str) -> list[str]:
    """Return the keys that `shape` allows in the object at a key path, such as `limit[1]`.

    The list is empty if the type there is not a struct.
    """
    structs = [type_ for type_ in _types_at(shape, path) if isinstance(type_, inspect.StructType)]
    return [field.encode_name for type_ in structs for field in type_.fields]


def _types_at(shape: type, path: str) -> list[inspect.Type]:
    types = list(_plain_types([inspect.type_info(shape)]))
    for step in re.finditer(r"([^.\[\]]+)|\[[^\]]*\]", path):
        types = list(_plain_types(part for type_ in types for part in _parts(type_, step[1])))
    return types


def _plain_types(types: Iterable[inspect.Type]) -> Iterator[inspect.Type]:
    """Yield the types, with unions and annotated types replaced by the types inside them."""
    for type_ in types:
        if isinstance(type_, inspect.UnionType):
            yield from _plain_types(type_.types)
        elif isinstance(type_, inspect.Metadata):
            yield from _plain_types([type_.type])
        else:
            yield type_


def _parts(type_: inspect.Type, name: str | None) -> Iterable[inspect.Type]:
    """Return the types of a struct's field, or of a container's items; empty for other types.

    name: the name of the field; ignored for containers
    """
    match type_:
        case inspect.StructType(fields=fields):
            return [field.type for field in fields if field.encode_name == name]
        case inspect.DictType(value_type=item_type):
            return [item_type]
        case inspect.TupleType(item_types=item_types):
            return item_types
        case (
            inspect.ListType(item_type=item_type)
            | inspect.VarTupleType(item_type=item_type)
            | inspect.SetType(item_type=item_type)
            | inspect.FrozenSetType(item_type=item_type)
        ):
            return [item_type]
    return []


def _lower_first(text: str) -> str:
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


# -- from bytes to text

_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_TEXT_ENCODINGS = re.compile(
    r"utf-(8|16|32)(-sig|-le|-be)?|ascii|cp\d+|iso8859-\d+|mac-\w+|koi8-\w|shift_jis\w*|euc_\w+|gb\w+"
    r"|big5\w*|johab"
)


def decode_text(
    data: bytes, *, source: str, encoding: str | None = None, lenient: bool = False
) -> tuple[str, str]:
    """Return bytes as text, and the name of their encoding, such as `Windows-1252`.

    A byte-order mark determines the encoding, and is not part of the text. Without a mark, zero bytes mean
    UTF-16. Other text is read as UTF-8 if possible, otherwise as Windows-1252, which includes the letters of
    Latin-1.

    encoding: the encoding to use; None: detect it
    lenient:  whether to replace bytes that Windows-1252 does not define, instead of refusing them

    Raises TourneyError if the bytes do not fit the encoding, or if `encoding` is unknown.
    """
    codec = _codec(encoding) if encoding else _detected(data)
    try:
        return data.decode(codec).removeprefix("\ufeff"), _display_name(codec)
    except UnicodeDecodeError as error:
        if encoding:
            line = data[: error.start].count(b"\n") + 1
            raise TourneyError(
                f"{source}:{line}: not {_display_name(codec)} text", "leave out `--encoding` to detect it"
            ) from None
    if codec != "utf-8":
        raise TourneyError(f"{source}: starts like {codec.upper()} but is not; save it as UTF-8")
    try:
        return data.decode("cp1252", errors="replace" if lenient else "strict"), _display_name("cp1252")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise TourneyError(f"{source}:{line}: neither UTF-8 nor Windows-1252; save it as UTF-8") from None


def _codec(name: str) -> str:
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        codec = ""
    if not _TEXT_ENCODINGS.fullmatch(codec):
        raise TourneyError(f"unknown encoding `{name}` (utf-8, utf-16, cp1252, cp1250, shift_jis …)")
    return codec


def _display_name(codec: str) -> str:
    """Return the name of a Python codec as spreadsheets show it."""
    if windows := re.fullmatch(r"cp(125\d)", codec):
        return f"Windows-{windows[1]}"
    names = {"utf-8-sig": "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}
    return names.get(codec, codec.upper())


def _detected(data: bytes) -> str:
    """Return the codec that a byte-order mark or the zero bytes of UTF-16 indicate, or `utf-8`."""
    for mark, codec in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return codec
    if codec := _utf16_by_separators(data):
        return codec
    head = data[:200]
    if len(head) >= 4 and head.count(0) >= len(head) // 3:  # one Western word, or a truncated file
        return "utf-16-le" if head[1::2].count(0) > head[::2].count(0) else "utf-16-be"
    return "utf-8"


_SAMPLE = 20_000
"""The number of bytes that are read to determine the byte order of UTF-16."""


def _utf16_by_separators(data: bytes) -> str:
    """Return the UTF-16 codec of a text without a byte-order mark; empty for other encodings.

    Text in UTF-8 or with one byte per character has no zero byte. UTF-16 has a zero byte in every line end,
    space and comma. If these separators are read in the wrong byte order, they become rare characters
    (U+0A00, U+2C00). So the byte order in which the text has more separators is right.
    """
    if 0 not in data or len(data) % 2:
        return ""
    little, big = (_count_separators(data[:_SAMPLE], codec) for codec in ("utf-16-le", "utf-16-be"))
    return "" if little == big else "utf-16-le" if little > big else "utf-16-be"


def _count_separators(data: bytes, codec: str) -> int:
    """Return the number of line ends, spaces and commas; 0 if the bytes are not text in `codec`."""
    try:
        text = codecs.getincrementaldecoder(codec)().decode(data)
    except UnicodeDecodeError:
        return 0
    return 0 if "\0" in text else sum(map(text.count, "\n\r\t ,;"))
