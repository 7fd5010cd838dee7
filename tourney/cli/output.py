"""The ways out of the program: its exit code, and what leaves through stdout and stderr: text, tables, JSON.

One place turns exceptions into words and exit codes. Text is UTF-8 always, with control characters made visible. A
table for the terminal stands two spaces apart, as wide as a terminal shows it; in its other forms a cell is escaped as
each asks for, as a name is never markup in a post, a wiki or a document.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from functools import cache
from pathlib import Path

import click

from tourney import __version__
from tourney.errors import TourneyError


class Exit(IntEnum):
    """What an exit code says to a script. 2 is "the line is not a command"."""

    DONE = 0
    FOUND = 1  # a check found something: an illegal deck, a difference
    USAGE = 2
    REFUSED = 3  # nothing changed
    UNVERIFIED = 4  # a check could not settle it
    BUG = 70
    INTERRUPTED = 130


def guard(work: Callable[[], object]) -> int:
    """Run `work` and return the exit code; whatever it raises becomes words on stderr.

    `work` returns None or an exit code.
    """
    try:
        return _finish(work())
    except BaseException as raised:  # noqa: BLE001  a native panic is a BaseException and must not print its own trace
        try:
            return _answer(raised)
        except OSError as fault:  # help is written, too
            return _system_refused(fault)


def _finish(value: object) -> int:
    sys.stdout.flush()
    return int(value) if isinstance(value, int) else Exit.DONE


def _answer(raised: BaseException) -> int:
    if isinstance(raised, click.exceptions.Exit):
        return _finish(raised.exit_code)
    if isinstance(raised, (KeyboardInterrupt, click.Abort, EOFError)):
        talk_error("interrupted")
        return Exit.INTERRUPTED
    if isinstance(raised, SystemExit):
        return _finish(raised.code)
    if isinstance(raised, TourneyError):
        talk_error(raised.message, raised.hint)
        return raised.exit_code
    if isinstance(raised, click.ClickException):
        return _usage(raised)
    if isinstance(raised, BrokenPipeError):
        # Somebody piped us into `head`: that is not an error, and there is nobody left to tell.
        mute()
        return Exit.DONE
    if isinstance(raised, OSError):
        return _system_refused(raised)
    return bug(raised)


def _usage(fault: click.ClickException) -> int:
    """Tell what is wrong with the line, in our words where click's differ most."""
    context = getattr(fault, "ctx", None)
    talk_error(_usage_words(fault), f"`{context.command_path} --help`" if context else None)
    return Exit.USAGE


def _usage_words(fault: click.ClickException) -> str:
    if isinstance(fault, click.NoSuchOption):
        near = f"; did you mean `{fault.possibilities[0]}`?" if fault.possibilities else ""
        return f"there is no option `{fault.option_name}` here{near}"
    if isinstance(fault, click.MissingParameter) and fault.param is not None:
        metavar = fault.param.make_metavar(fault.ctx) if fault.ctx else fault.param.name
        option = f"{fault.param.opts[0]} " if isinstance(fault.param, click.Option) else ""
        return f"{option}{metavar} is missing"
    if isinstance(fault, click.BadParameter) and fault.param is not None:
        named = fault.param.get_error_hint(fault.ctx) if fault.ctx else fault.param.name
        said = _NOT_A_NUMBER.sub("is not a whole number", fault.message).removesuffix(".")
        return f"{named}: {said}".replace("'", "`")
    message = fault.format_message()
    return (message[:1].lower() + message[1:]).removesuffix(".")


_NOT_A_NUMBER = re.compile("is not a valid integer( range)?")


def _system_refused(fault: OSError) -> int:
    """Tell what the operating system refused: a full disk, a missing right. The journal is safe by design."""
    what = (fault.strerror or str(fault)).lower()
    where = f"{fault.filename}: " if fault.filename else ""
    talk_error(
        f"{where}{what}", None if where else "the answer could not be written; nothing recorded was lost"
    )
    mute()
    return Exit.REFUSED


def bug(raised: BaseException) -> int:
    """Write a report of `raised`, tell its path in one line and return the exit code of a bug.

    With TOURNEY_DEBUG set the traceback goes to stderr instead.
    """
    if os.environ.get("TOURNEY_DEBUG"):
        import traceback

        write("".join(traceback.format_exception(raised)).rstrip(), err=True)
        return Exit.BUG
    talk_error(f"this is {_reported(raised)}", "TOURNEY_DEBUG=1 shows the traceback here")
    return Exit.BUG


def _reported(raised: BaseException) -> str:
    """Write a report of `raised`; return the bug in words, with the report's path."""
    what = _without_secrets(f"{type(raised).__name__}: {raised}").splitlines()[0][:200]
    path = _report(raised)
    where = f"report: {path}" if path else "no report could be written"
    return f"a bug in tourney ({what}); {where}"


def _report(raised: BaseException) -> Path | None:
    import platform
    import tempfile
    import traceback

    lines = [
        f"tourney {__version__}, Python {platform.python_version()}, {platform.platform()}",
        f"arguments: {sys.argv[1:]!r}",
        "",
        *traceback.format_exception(raised),
    ]
    try:
        handle, name = tempfile.mkstemp(prefix="tourney-report-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(_without_secrets("\n".join(lines)))
    except OSError:
        return None
    return Path(name)


def _without_secrets(text: str) -> str:
    """Shorten every address to its scheme and host: a report is passed on, and the rest can be a webhook's secret."""
    return re.sub(
        r"([A-Za-z][A-Za-z0-9+.-]*://)(?:\S*@\S*|([^\s/?#'\"]*)[^\s'\"]*)",
        lambda address: f"{address[1]}…" if address[2] is None else f"{address[1]}{address[2]}/…",
        text,
    )


_LOGIN = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://)(?:[^\s/?#@:]*:\S*@|\S*[?&]\w*password=)[^\s`')]*")
"""An address with a password, before the host or among the settings."""


@contextmanager
def already_written(done: str) -> Iterator[None]:
    """Tell what is done already: whatever goes wrong within is told on stderr, and it is a success all the same.

    done: what stands, in a sentence
    """
    try:
        yield
        sys.stdout.flush()
    except Exception as raised:  # noqa: BLE001  nothing that fails now can take back what is done
        mute()
        write(
            styled("warning:", fg="yellow", bold=True)
            + f" the answer could not be given ({_fault_words(raised)}), but it is done: {done}",
            err=True,
        )
    except KeyboardInterrupt:
        talk_error(f"interrupted, but it is done: {done}")


def _fault_words(raised: Exception) -> str:
    if isinstance(raised, OSError):
        return (raised.strerror or str(raised)).lower()
    if isinstance(raised, TourneyError):
        return raised.message
    return _reported(raised)


# -- Text on its way out


def prepare() -> None:
    """Make both streams UTF-8, escaping what cannot be encoded, whatever the machine's locale.

    A stream that came closed gets a stand-in, so that no file opened later takes its number and no answer is lost
    unnoticed: writing to this stdout fails as writing to a closed one does; nobody wants to hear this stderr.
    """
    if sys.stdin is None:
        sys.stdin = open(_stand_in(0, os.O_RDONLY), encoding="utf-8")  # noqa: SIM115 - for the whole run
    if sys.stdout is None:
        sys.stdout = open(_stand_in(1, os.O_RDONLY), "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(_stand_in(2, os.O_WRONLY), "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _stand_in(number: int, flags: int) -> int:
    opened = os.open(os.devnull, flags)
    if opened == number:
        return opened
    os.dup2(opened, number)
    os.close(opened)
    return number


def write(text: str, *, err: bool = False, color: bool | None = None) -> None:
    """Write one line. What cannot be written on stderr is lost: there is nobody left to tell, and nothing depends on it."""
    with contextlib.suppress(OSError) if err else contextlib.nullcontext():
        click.echo(visible(text).replace(_OURS, "\x1b"), err=err, color=color)


def visible(text: str) -> str:
    r"""Show control characters and direction marks instead of obeying them.

    >>> visible("Mira\x07")
    'Mira\\x07'
    """
    return _HOSTILE.sub(lambda match: ascii(match[0])[1:-1], text)


_OURS = f"\x1b{os.urandom(8).hex()}"
"""How our own colours begin until they are written. No text from outside can know it, so that no file can colour a line
or hide one."""


_HOSTILE = re.compile(
    # Control characters but newline and tab, and the marks that turn the direction of text: a name must not be
    # able to clear the screen or swap two columns.
    f"\x1b(?!{_OURS[1:]}\\[[0-9;]*m)"
    "|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


def styled(text: str, *, fg: str | None = None, bold: bool | None = None, dim: bool | None = None) -> str:
    """Return text in colour or bold (`fg`, `bold`, `dim` as click has them); whatever it holds itself stays visible."""
    start = click.style("", reset=False, fg=fg, bold=bold, dim=dim)
    return f"{start.replace(chr(27), _OURS)}{text}{_OURS}[0m"


def unstyled(text: str) -> str:
    """Return text without our own colours.

    >>> unstyled(styled("legal", fg="green"))
    'legal'
    """
    return click.unstyle(text.replace(_OURS, "\x1b")) if _OURS in text else text


def coloured(no_color: bool = False) -> bool | None:
    """Whether colour is forbidden (False) or left to click, which colours terminals only (None)."""
    return False if no_color or os.environ.get("NO_COLOR") else None


def talk_error(message: str, hint: str | None = None) -> None:
    """Write a refusal: `error: …`, and after a blank line `hint: …`. Shortens an address with a password."""
    message = _LOGIN.sub(r"\1…", message)
    context = click.get_current_context(silent=True)
    color = coloured() if context is None or context.color is None else context.color
    # What was already said on stdout comes first, also where both go to one file.
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    write(styled("error:", fg="red", bold=True) + f" {message}", err=True, color=color)
    if hint:
        write("\n" + styled("hint:", fg="cyan", bold=True) + f" {hint}", err=True, color=color)


def json_text(plain: object) -> str:
    """Return plain values as JSON, UTF-8; what could command a terminal is escaped as JSON escapes it."""
    import json

    text = json.dumps(plain, ensure_ascii=False, indent=2)
    return _HOSTILE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


_HOSTILE_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def mute() -> None:
    """Point stdout at nothing, so that the interpreter's last flush cannot fail on a closed pipe or a full disk."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# -- A table for the terminal. Not tabulate's: importing it costs more than most commands take, and it counts 名 as one
# place where a terminal needs two


def table_text(
    headers: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    right: Sequence[int] = (),
    style: str = "plain",
) -> str:
    """Return a table as text; see `Session.table`."""
    cells = [[("" if cell is None else str(cell)) for cell in row] for row in rows]
    if style == "plain":
        return "\n".join(aligned([list(headers), *cells] if headers else cells, right))
    if style == "csv":
        from tourney.spreadsheet import format_csv

        return format_csv(headers, [[unstyled(cell) for cell in row] for row in cells]).rstrip("\n")
    cells = [[escaped(cell, style) for cell in row] for row in cells]
    head = [escaped(cell, style) for cell in headers]
    if style == "tsv":
        return "\n".join("\t".join(row) for row in ([head, *cells] if head else cells))
    from tourney.publish.markdown import tabulated

    return "\n".join(line.rstrip() for line in tabulated(head, cells, right=right, style=style).splitlines())


def aligned(rows: Iterable[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Return each row as a line; the columns in `right` (from 0) are set flush right.

    >>> aligned([["#", "player"], ["10", "Mira"]], right=(0,))
    [' #  player', '10  Mira']
    """
    cells = [[visible(cell).replace("\n", " ") for cell in row] for row in rows]
    taken = [[width(cell) for cell in row] for row in cells]
    widths = [max(column) for column in zip(*taken, strict=True)]
    return ["  ".join(_set(row, own, widths, right)).rstrip() for row, own in zip(cells, taken, strict=True)]


def _set(
    row: Sequence[str], taken: Sequence[int], widths: Sequence[int], right: Collection[int]
) -> Iterable[str]:
    for column, (cell, own, places) in enumerate(zip(row, taken, widths, strict=True)):
        blanks = " " * (places - own)
        yield blanks + cell if column in right else cell + blanks


def padded(text: str, places: int) -> str:
    """Return text with blanks behind it up to so many places of a terminal.

    >>> padded("名前", 6) + "|"
    '名前  |'
    """
    return text + " " * (places - width(text))


def width(text: str) -> int:
    r"""Return how many places of a terminal a text takes; colours take none.

    >>> width("Mira"), width("名前"), width("e\u0301"), width(styled("Mira", fg="red"))
    (4, 4, 1, 4)
    """
    plain = unstyled(text)
    if plain.isascii():
        return len(plain)
    others = _NOT_ASCII.findall(plain)
    return len(plain) - len(others) + sum(map(_places, others))


_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


@cache
def _places(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) in {"Cf", "Me", "Mn"}:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"F", "W"} else 1


# -- The other forms of a table


def known_style(style: str) -> str:
    """Return tabulate's name of a style of tables, `csv` aside. Raises UsageError for one that is none."""
    if style in {"text", "plain", "csv", "markdown", "github"}:
        return _WORDS.get(style, style)
    from tabulate import tabulate_formats

    styles = [each for each in tabulate_formats if each not in _UNSAFE]
    if style not in styles:
        raise click.UsageError(
            f"--table: `{style}` is not a style; there are text, markdown, csv, tsv, html, latex …"
        )
    return _WORDS.get(style, style)


_WORDS = {"text": "plain", "markdown": "github", "unsafehtml": "html", "latex_raw": "latex"}
"""Our words for tabulate's styles, and its own that would not escape."""


_UNSAFE = frozenset({"moinmoin"})
"""Styles in which a name cannot be kept from being markup."""


def escaped(cell: str, style: str) -> str:
    r"""Return a cell's text as a style of tables must have it to show just that, on one line.

    >>> escaped("<b>A|B*", "github"), escaped("a|b", "mediawiki"), escaped("=1+1", "tsv")
    ('\\<b\\>A\\|B\\*', 'a&#124;b', "'=1+1")
    """
    text = " ".join(visible(unstyled(cell)).split("\n"))
    if style in _MARKDOWN:
        from tourney.publish.markdown import escape

        return escape(text)
    if style in _BACKSLASHED:
        return "".join(f"\\{letter}" if letter in _BACKSLASHED[style] else letter for letter in text)
    if style in _AS_ENTITIES:
        return "".join(f"&#{ord(letter)};" if letter in _MARKUP else letter for letter in text)
    if style == "orgtbl":
        return "".join(f"\\{_ORG[letter]}{{}}" if letter in _ORG else letter for letter in text)
    if style == "tsv":
        from tourney.spreadsheet import escape_formula

        return escape_formula(text.replace("\t", " "))
    return text


_MARKDOWN = frozenset({"github", "pipe", "colon_grid"})


_BACKSLASHED = {
    "jira": r"\|{}[]*_-+^~?!",
    "rst": r"\`*_|<>",
}


_AS_ENTITIES = frozenset({"mediawiki", "asciidoc", "textile", "youtrack"})


_MARKUP = frozenset("|{}[]<>&'\"*_=#^~+-`:@!%\\/")


_ORG = {
    "|": "vert", "[": "lbrack", "]": "rbrack", "<": "lt", ">": "gt", "\\": "backslash", "_": "under", "*": "ast",
    "/": "slash", "~": "tilde", "=": "equal", "+": "plus", "{": "lbrace", "}": "rbrace",
}  # fmt: skip


# -- What is drawn


def drawn_code(address: str) -> str:
    """Draw the QR code of an address, two rows of it in a line; its light parts are drawn, as terminals are dark."""
    import segno

    rows = [[*row] for row in segno.make(address, micro=False, error="l").matrix_iter(border=2)]
    rows += [[0] * len(rows[0])] if len(rows) % 2 else []
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join("█▀▄ "[up * 2 + down] for up, down in zip(*two, strict=True)) for two in pairs)
