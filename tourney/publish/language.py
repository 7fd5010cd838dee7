"""The language of pages, sheets and posts: gettext catalogs, messages and filled templates.

The texts to translate (msgids) are English, so English needs no catalog. The source of a catalog is
`locale/CODE.po`. The compiled `locale/CODE.mo` is checked in, so that a clone and a wheel need no build step.
`python -m scripts.catalogs` writes the compiled catalogs and `locale/messages.pot`. A msgid names its
arguments in braces, as in `str.format`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from gettext import GNUTranslations, NullTranslations
from hashlib import sha256
from io import BytesIO
from pkgutil import get_data
from typing import TYPE_CHECKING

from tourney.store.files import keep, recall
from tourney.wording import Message, as_sentence, clock_time, isolate_direction

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.bccache import Bucket
    from markupsafe import Markup

    from tourney.event.view import StandingsView

_RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})


class Language:
    """A language, with gettext's functions. They translate a text and fill in its arguments.

    catalog: the bytes of a `.mo` file; None for English
    """

    def __init__(self, code: str, catalog: bytes | None = None) -> None:
        self.code = code
        self.direction = "rtl" if code in _RIGHT_TO_LEFT else "ltr"
        self._texts = GNUTranslations(BytesIO(catalog)) if catalog else NullTranslations()

    def gettext(self, text: str, /, **arguments: object) -> str:
        """Translate a msgid and fill in its arguments. A `Message` has its own arguments."""
        if isinstance(text, Message):
            return self.translate(text)
        return self._fill_pattern(self._lookup(text), arguments)

    def pgettext(self, context: str, text: str, /, **arguments: object) -> str:
        """Translate a msgid whose meaning depends on the context."""
        return self._fill_pattern(self._texts.pgettext(context, text), arguments)

    def ngettext(self, one: str, many: str, n: int, /, **arguments: object) -> str:
        """Translate a msgid with a singular and a plural form; `{n}` is the number."""
        return self._fill_pattern(self._texts.ngettext(one, many, n), {"n": n, **arguments})

    def translate(self, text: str) -> str:
        """Translate a `Message` with its arguments.

        Any other text, such as a name, is not translated.
        """
        if not isinstance(text, Message):
            return text
        if text.msgid_plural:
            pattern = self._texts.ngettext(text.msgid, text.msgid_plural, text.number)
        else:
            pattern = self._lookup(text.msgid)
        translation = self._fill_pattern(pattern, text.arguments)
        return as_sentence(translation) if text.is_sentence else translation

    def _lookup(self, msgid: str) -> str:
        # A joined message without parts has the empty msgid, under which a catalog keeps its header.
        return self._texts.gettext(msgid) if msgid else ""

    def _fill_pattern(self, pattern: str, arguments: Mapping[str, object]) -> str:
        if not arguments:
            return pattern
        values = {
            name: self.translate(value) if isinstance(value, str) else value
            for name, value in arguments.items()
        }
        return pattern.format(**values)


@cache
def language_called(code: str) -> Language:
    """Return a language by its code, with its packaged catalog."""
    return Language(code, None if code == "en" else get_data("tourney.publish", f"locale/{code}.mo"))


def in_points(points: str) -> Message:
    """Return points with their noun: `1 point`, `4½ points`. points: the number as text."""
    return Message.plural(
        "{points} point", "{points} points", 1 if points in {"1", "½"} else 2, points=points
    )


def note_in_words(note: str) -> str:
    """Return the note to show after a player's name: `dropped` for `drop`, else unchanged."""
    return Message("dropped") if note == "drop" else note


def name_with_notes(name: str, *notes: str) -> str:
    """Return a name in plain text, with notes in parentheses: `Mira (2½, drop)`."""
    note = ", ".join(filter(None, notes))
    return f"{isolate_direction(name)} ({note})" if note else isolate_direction(name)


def no_lot(view: StandingsView, language: Language, escape: Callable[[str], str] = str) -> str:
    """Return the note that says why ties are not decided by lot; empty if none is needed."""
    if not view.no_lot:
        return ""
    text = language.gettext(
        "Players who are level on every tie-break share a place. No lot is drawn: {reason}",
        reason=view.no_lot,
    )
    return f"{escape(text)}."


# -- templates


def fill(name: str, language: str, /, **facts: object) -> bytes:
    """Return the template `name` filled with `facts`, in a language.

    facts: the values that the template uses, by name

    Raises UndefinedError if one of them is missing.
    """
    return _environment(language_called(language)).get_template(name).render(**facts).encode()


@cache
def _environment(language: Language) -> Environment:
    """Return the templates for a language.

    The templates translate `_(…)` and each `Message` that they show.
    """
    import jinja2

    options = sha256(f"{jinja2.__version__} escaped trimmed gettext".encode()).hexdigest()[:16]

    class Compiled(jinja2.BytecodeCache):
        """A cache of compiled templates: compiling most of them takes longer than filling them."""

        def load_bytecode(self, bucket: Bucket) -> None:
            code = recall("compiled", f"{bucket.key}-{options}")
            if code is not None:
                bucket.bytecode_from_string(code)

        def dump_bytecode(self, bucket: Bucket) -> None:
            keep("compiled", f"{bucket.key}-{options}", bucket.bytecode_to_string())

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("tourney.publish"),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        bytecode_cache=Compiled(),
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
        finalize=lambda value: language.translate(value) if isinstance(value, Message) else value,
    )
    environment.install_gettext_callables(  # type: ignore[attr-defined]  # from the extension
        language.gettext, language.ngettext, newstyle=False, pgettext=language.pgettext
    )
    # Jinja's own `_` looks for gettext in the context of the template, which takes longer than to translate.
    environment.globals.update(language=language, _=language.gettext)
    environment.filters.update(
        translated=language.translate,
        capital=lambda text: capital(language.translate(text)),
        note=note_in_words,
        in_points=in_points,
        quoted=lambda text: re.sub("`([^`]*)`", r"“\1”", language.translate(text)),
        typed=lambda text: _code_html(language.translate(text)),
        clock_time=clock_time,
        unbroken=lambda text: _unbroken_html(language.translate(text)),
    )
    return environment


def capital(text: str) -> str:
    """Return a text with its first letter capitalized."""
    return text[:1].upper() + text[1:]


_UNBROKEN = re.compile(r"(\d+(?:–\d+)+|\d[\d.,]* [^\s,]+)")
"""A score, such as `2–1`, or an amount, such as `12.50 EUR` or `2 boosters`."""


def _unbroken_html(text: str) -> Markup:
    """Return a text as HTML, in which no line ends inside a score or an amount."""
    return _pieces_html(_UNBROKEN.split(text), '<span class="unbroken">{}</span>')


def _code_html(text: str) -> Markup:
    """Return a text as HTML, in which parts between backticks are shown as code."""
    return _pieces_html(text.split("`"), "<code>{}</code>")


def _pieces_html(pieces: Sequence[str], element: str) -> Markup:
    """Join the pieces of a text as HTML, with every second piece in an element."""
    from markupsafe import Markup, escape

    return Markup("").join(
        Markup(element).format(piece) if place % 2 else escape(piece)  # noqa: S704  an element of ours
        for place, piece in enumerate(pieces)
    )
