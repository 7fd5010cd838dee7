"""A pseudo-language with every msgid between ⟦ and ⟧, which shows untranslated text."""

import re
from contextlib import contextmanager
from html.parser import HTMLParser
from io import BytesIO

import pytest

from tests.kit import ROOT
from tourney.publish import chat, language, markdown

NAMED = ("aria-label", "title", "placeholder", "alt", "data-one", "data-many", "data-nobody", "data-left",
         "data-over", "data-done", "data-offline", "data-unsent", "data-news", "data-show-news")  # fmt: skip
"""Attributes that a reader sees or hears."""


def marked(msgid):
    """Put the words of a msgid between ⟦ and ⟧, but not the arguments.

    >>> marked("{round}: 1 table of {n} open")
    '{round}⟦: 1 table of ⟧{n}⟦ open⟧'
    """
    parts = re.split(r"(\{\w+\})", msgid)
    return "".join(part if part.startswith("{") or not part else f"⟦{part}⟧" for part in parts)


def catalog():
    """Return the pseudo-language's compiled catalog; skip the test if Babel is not installed."""
    read_po = pytest.importorskip("babel.messages.pofile").read_po
    write_mo = pytest.importorskip("babel.messages.mofile").write_mo
    texts = read_po(BytesIO((ROOT / "tourney/publish/locale/messages.pot").read_bytes()))
    for text in texts:
        if not text.id:
            continue
        if isinstance(text.id, tuple):
            text.string = tuple(map(marked, text.id))
        else:
            text.string = marked(text.id)
    file = BytesIO()
    write_mo(file, texts)
    return file.getvalue()


@contextmanager
def pseudo_language():
    """Show every page in the pseudo-language, in place of English."""
    spoken = language.Language("en", catalog())
    with pytest.MonkeyPatch.context() as patch:
        for module in (chat, markdown, language):
            patch.setattr(module, "language_called", lambda _: spoken)
        yield


class Seen(HTMLParser):
    """Collect the texts of a page that a reader sees or hears.

    Code inside a sentence does not divide it.
    """

    def __init__(self, page):
        super().__init__()
        self.texts, self.hidden, self.after_code = [], 0, False
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.hidden += tag in {"style", "script", "code", "pre", "textarea"}
        self.texts += [value for name, value in attributes if name in NAMED and value]

    def handle_endtag(self, tag):
        self.hidden -= tag in {"style", "script", "code", "pre", "textarea"}
        self.after_code = tag == "code" and bool(self.texts)

    def handle_data(self, text):
        if not self.hidden:
            if self.after_code:
                self.texts[-1] += f" {text}"
            else:
                self.texts.append(text)
            self.after_code = False


def untranslated(page):
    """Return a page's lower-case words without translation; names in capitals are left out."""
    texts = "\n".join(Seen(page).texts if "<" in page else [page])
    texts = re.sub(r"⟦[^⟦⟧]*⟧", " ", texts)
    return [line for line in map(str.strip, texts.split("\n")) if re.search(r"[A-Za-z]*[a-z]{3,}", line)]
