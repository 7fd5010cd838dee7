"""Reads the XML of other programs: Cockatrice `.cod`, OCTGN `.o8d`, MTGO and Lackey `.dek`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct, field

from tourney.decks.decklist import Decklist, PrintMark
from tourney.decks.reading.builder import DeckBuilder
from tourney.decks.reading.names import parse_field
from tourney.decks.reading.text import ListForm, ListText
from tourney.decks.reading.vocabulary import Vocabulary
from tourney.decks.reading.words import lazy_pattern, lists, pattern, squeeze
from tourney.errors import TourneyError

_XML = pattern("xml")
_PAGE = lazy_pattern(
    r"\s*(?:<\?xml[^>]*>\s*)?(?P<tag><!doctype\s+html|<(?:html|head|body|div|svg|rss)\b)", re.I
)
_MAX_ELEMENTS = 50_000
_MAX_DEPTH = 40

_CARDS, _ZONES, _SKIPPED, _COUNTS, _SETS, _NUMBERS, _CODES, _TITLES, _ABOUT = (
    lists("xml", "keys.toml")[meaning]
    for meaning in ("cards", "zones", "skipped", "count", "set", "number", "code", "title", "about")
)
_ROOTS = {"cockatrice_deck": "cockatrice", "cockatrice_deckset": "cockatrice"}


class Element(Struct):
    """An XML element: its names in lower case, its text, and the line on which it begins."""

    tag: str
    attributes: dict[str, str]
    line: int
    words: list[str] = field(default_factory=list)
    children: list[Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text in the element itself, without that of elements inside it."""
        return "".join(self.words)

    def get(self, *names: str) -> str | None:
        """Return the first attribute or child with one of these names that is not empty."""
        for name in names:
            value = self.attributes.get(name) or self.child_text(name)
            if value:
                return value
        return None

    def child_text(self, name: str) -> str | None:
        """Return the text of the first child with that name that is not empty."""
        return next(
            (squeeze(child.text) for child in self.children if child.tag == name and child.text.strip()), None
        )


class _Tree:
    """Builds elements with their lines. Raises TourneyError if a file is too large or too deep."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.line: Callable[[], int] = lambda: 1
        self.root: Element | None = None
        self.open: list[Element] = []
        self.element_count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle a start tag: add the element to the tree."""
        self.element_count += 1
        if self.element_count > _MAX_ELEMENTS or len(self.open) >= _MAX_DEPTH:
            raise TourneyError(f"{self.source}: line {self.line()}: too large or too deep to be a decklist")
        local_attributes = {_local_name(name): value for name, value in attributes.items()}
        element = Element(_local_name(tag), local_attributes, self.line())
        if self.open:
            self.open[-1].children.append(element)
        elif self.root is None:
            self.root = element
        self.open.append(element)

    def end(self, _: str) -> None:
        """Handle an end tag: the current element is complete."""
        self.open.pop()

    def data(self, text: str) -> None:
        """Add text to the current element."""
        if self.open:
            self.open[-1].words.append(text)

    def close(self) -> None:
        """Handle the end of the document; nothing needs to be done."""


def _local_name(name: str) -> str:
    return name.rpartition("}")[2].lower()


def parse_xml(text: str, *, source: str) -> Element:
    """Parse XML. Raises TourneyError with the line for broken XML, and for a DTD or entities."""
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    page = _PAGE.match(text)
    if page:
        line = text.count("\n", 0, page.start("tag")) + 1
        raise TourneyError(f"{source}: line {line}: a web page, not a decklist", "export the deck as text")
    tree = _Tree(source)
    parser = DefusedXMLParser(target=tree, forbid_dtd=True)
    tree.line = lambda: int(parser.parser.CurrentLineNumber)
    try:
        parser.feed(text.lstrip())
        parser.close()
    except ParseError as fault:
        line = fault.position[0] + text[: len(text) - len(text.lstrip())].count("\n")
        reason = str(fault).partition(":")[0].replace("no element found", "it ends too early")
        raise TourneyError(
            f"{source}: line {line}: not readable as XML: {reason}", "export the deck again"
        ) from None
    except DefusedXmlException:
        raise TourneyError(
            f"{source}: declares a document type or entities, which a decklist does not need",
            "delete the `<!DOCTYPE …>` part, or export the deck again",
        ) from None
    root = tree.root
    if root is None:
        raise TourneyError(f"{source}: not readable as XML: there is no element in it")
    return root


def read_decks(text: ListText) -> list[Decklist]:
    """Read the decks of an XML text; return no decks for any other text."""
    if not _XML.match(text.text):
        return []
    root = parse_xml(text.text, source=text.source)
    parts = [child for child in root.children if child.tag in ("deck", "cockatrice_deck") and child.children]
    return [_read_deck(part, text) for part in (parts if len(parts) > 1 else [root])]


FORM = ListForm(order=10, read=read_decks, searches_all=True)


def _read_deck(root: Element, text: ListText) -> Decklist:
    deck = DeckBuilder(text, _ROOTS.get(root.tag, "xml"), by_lines=False)
    deck.name = root.attributes.get("name") or None
    for element, zone in _walk(root, None, text.vocabulary):
        if element.tag in _CARDS and (element.get("name") or element.text.strip() or element.get(*_CODES)):
            _add_card(deck, element, zone)
        elif element is not root:
            _read_words(deck, element)
    return deck.build()


def _walk(element: Element, zone: str | None, vocabulary: Vocabulary) -> Iterator[tuple[Element, str | None]]:
    """Yield an element and those inside it, each with its zone; skip the elements inside a card."""
    if element.tag in _SKIPPED:
        return
    if element.tag in _ZONES:
        zone = element.attributes.get("name") or zone
    elif element.tag not in _CARDS and element.tag != "deck" and vocabulary.is_header(element.tag):
        zone = element.tag
    yield element, zone
    if element.tag in _CARDS and not any(child.tag in _CARDS for child in element.children):
        return
    for child in element.children:
        yield from _walk(child, zone, vocabulary)


def _read_words(deck: DeckBuilder, element: Element) -> None:
    """Read `<deckname>`, `<comments>`, `<game>` and the like."""
    words = squeeze(element.text)
    if not words or element.children:
        return
    if element.tag in _TITLES:
        deck.name = deck.name or words
    elif element.tag in ("format", "player", "author"):
        deck.about.append((element.tag, words))
        deck.format = words if element.tag == "format" else deck.format
        deck.player = words if element.tag == "player" else deck.player
    elif element.tag in _ABOUT:
        deck.about.append((element.tag, words))


def _add_card(deck: DeckBuilder, element: Element, zone: str | None) -> None:
    name = element.get("name") or squeeze(element.text)
    code = element.get(*_CODES) or next(
        (child.attributes.get("id") for child in element.children if child.tag == "name"), None
    )
    if re.fullmatch(r"true|1|yes", element.attributes.get("sideboard", ""), re.I):
        zone = "Sideboard"
    deck.continue_in(zone, line=element.line)
    printing = PrintMark(element.get(*_SETS), element.get(*_NUMBERS))
    count = element.get(*_COUNTS)
    parsed_name = parse_field(name or code or "", printing, code=code)
    deck.add(parsed_name, line=element.line, count=count or 1, has_count=count is not None)
