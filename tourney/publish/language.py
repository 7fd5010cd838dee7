"""The language of pages, sheets and posts: gettext catalogs, and translated `Message`s.

The msgids are English, so English needs no catalog. The source of a catalog is `locale/CODE.po`. The compiled
`locale/CODE.mo` is checked in, so that a clone and a wheel need no build step. `python -m scripts.catalogs`
writes it and `locale/messages.pot`. A msgid names its arguments in braces, as in `str.format`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pkgutil import get_data

from tourney.wording import Message, as_sentence

_RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})


class Language:
    """A language, with gettext's functions, which also fill in arguments.

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
        return self._filled(self._lookup(text), arguments)

    def pgettext(self, context: str, text: str, /, **arguments: object) -> str:
        """Translate a msgid whose meaning depends on the context."""
        return self._filled(self._texts.pgettext(context, text), arguments)

    def ngettext(self, one: str, many: str, n: int, /, **arguments: object) -> str:
        """Translate a msgid with a singular and a plural form; `{n}` is the number."""
        return self._filled(self._texts.ngettext(one, many, n), {"n": n, **arguments})

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
        translated = self._filled(pattern, text.arguments)
        return as_sentence(translated) if text.is_sentence else translated

    def _lookup(self, msgid: str) -> str:
        # A joined message without parts has the empty msgid, under which a catalog keeps its header.
        return self._texts.gettext(msgid) if msgid else ""

    def _filled(self, pattern: str, arguments: Mapping[str, object]) -> str:
        if not arguments:
            return pattern
        filled = {
            name: self.translate(value) if isinstance(value, str) else value
            for name, value in arguments.items()
        }
        return pattern.format(**filled)


@cache
def language_called(code: str) -> Language:
    """Return a language by its code, with its packaged catalog."""
    return Language(code, None if code == "en" else get_data("tourney.publish", f"locale/{code}.mo"))


def in_points(points: str) -> Message:
    """Return points with their noun: `1 point`, `4½ points`."""
    return Message.plural(
        "{points} point", "{points} points", 1 if points in {"1", "½"} else 2, points=points
    )


def note_in_words(note: str) -> str:
    """Return the note after a player's name as pages show it: `dropped` for `drop`."""
    return Message("dropped") if note == "drop" else note
