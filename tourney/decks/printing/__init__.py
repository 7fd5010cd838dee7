"""Printing decklists: a `Decklist` in, text out, and a report of what the form could not hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tourney.decks.decklist import Decklist
from tourney.decks.printing import lines, structured
from tourney.decks.printing.losses import losses
from tourney.decks.reading import read_all
from tourney.errors import TourneyError

__all__ = ["FORMS", "Form", "write"]


@dataclass(frozen=True, slots=True)
class Form:
    """A text form: what it is in one line, the file's usual suffix, how it is printed.

    by_code: it holds codes only, no names
    """

    summary: str
    suffix: str
    write: Callable[[Decklist], str]
    by_code: bool = False


FORMS: Mapping[str, Form] = MappingProxyType({
    "text": Form("plain text, `4 Name (SET) 12 *F*` under headers with their counts", ".txt", lines.plain),
    "toml": Form("the canonical form: everything a list knows, nothing to guess", ".toml", structured.toml),
    "markdown": Form("a Markdown list with headings", ".md", lines.markdown),
    "csv": Form("a table with a header line", ".csv", structured.as_csv),
    "json": Form("zones with their cards", ".json", structured.as_json),
    "arena": Form("what Magic Arena imports", ".txt", lines.arena),
    "mtgo": Form("what Magic Online imports as text", ".txt", lines.mtgo),
    "dek": Form("Magic Online's XML", ".dek", structured.mtgo_xml),
    "cod": Form("Cockatrice's XML", ".cod", structured.cockatrice),
    "o8d": Form("OCTGN's XML", ".o8d", structured.octgn),
    "mwdeck": Form("Magic Workstation and Apprentice", ".mwDeck", lines.workstation),
    "tappedout": Form("`4x Name (SET)`, `SB: 2x Name`", ".txt", lines.tappedout),
    "forge": Form("Forge's sections, `4 Name|SET|12`", ".dck", lines.forge),
    "xmage": Form("XMage's `4 [SET:12] Name`", ".dck", lines.xmage),
    "lackey": Form("LackeyCCG's tabs", ".txt", lines.lackey),
    "ydk": Form("passcodes, one a line", ".ydk", structured.ydk, by_code=True),
    "ydke": Form("passcodes in a link", ".txt", structured.ydke, by_code=True),
})  # fmt: skip
"""Every form that can be written; each can be read, too."""


def write(deck: Decklist, form: str) -> tuple[str, tuple[str, ...]]:
    """Print `deck` in `form` (one of `FORMS`) and say what was lost, a sentence each.

    Nothing is lost silently: the text is read back, and every difference is a loss. Raises TourneyError for a form
    that does not exist, and for one that can hold no card of this deck.
    """
    known = FORMS.get(form)
    if known is None:
        raise TourneyError(f"there is no form `{form}`", f"the forms are {', '.join(FORMS)}")
    text = known.write(deck)
    return text, _lost(deck, text, known)


def _lost(deck: Decklist, text: str, form: Form) -> tuple[str, ...]:
    try:
        first, *more = read_all(text, source=deck.source)
    except TourneyError as fault:
        return (f"the text would not be read back: {fault.message}",)
    if more:
        return (f"the text would be read back as {len(more) + 1} decks",)
    return losses(deck, first, by_code=form.by_code)
