"""Recognizes the words for zones, and the lines that are headers.

A `Vocabulary` has the words for the zones of one format, and the general words of `words.toml`: in a format
with a zone `sideboard`, `SB` means that zone. The general words are grouped by *kind* of zone (`main`,
`side`, `leader` …). Without a format, these kinds serve as the ids of zones.

`read_header` reads a line as a header by its words (`Sideboard`, `Creatures (12)`) or by its form (`[Sky]`,
`Sky:`, `** Sky **`). The returned `Header` says whether the words are known, and whether the form makes
the line a header.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tourney.cards.names import FoldedName, fold
from tourney.decks.reading.words import folded_words, lazy_pattern, lists, patterns, squeeze

if TYPE_CHECKING:
    from tourney.rules.format import Format

GENERAL_ZONES: Mapping[str, tuple[str, ...]] = MappingProxyType(lists("zones"))
"""The general kind of a zone → the headers of such zones."""

LEADER_KINDS = frozenset({"leader", "signature"})
"""The general kinds of zones for the cards that lead a deck."""
LEADING = frozenset({"companion", "base", *LEADER_KINDS})
"""The general kinds of zones for cards that lead the deck or belong to its leader."""
NEVER_SORTED = LEADING.union(lists("headers")["never-sorted"])
"""Kinds of zones with one type of card; a word like `Creatures` below them ends the zone."""
ABOUT_THE_DECK = folded_words("headers", "about")
"""The headers of texts about the deck."""

_ZONE_WORDS = {kind: tuple(map(fold, words)) for kind, words in GENERAL_ZONES.items()}
_OUTSIDE_WORDS = {kind: tuple(map(fold, words)) for kind, words in lists("outside").items()}
_KINDS = {word: kind for kind, words in (_ZONE_WORDS | _OUTSIDE_WORDS).items() for word in words}
_OWN_LEADERS = folded_words("headers", "own-leaders")
_SURE_KINDS = frozenset({"main", "side", "extra", "fables", "z-zone", "j-ruler", "g-deck", "maybe", "tokens"})
_SURE = folded_words("headers", "sure")
_NEVER_A_NAME = folded_words("headers", "never-a-name")
SORTING = folded_words("headers", "sorting")
"""Words such as `Creatures` that sort the cards of a zone and are never a zone."""


def general_kind(header: str) -> str | None:
    """Return the kind of zone that a header means (`main`, `side` …); None if it is unknown."""
    return _KINDS.get(fold(header))


def is_never_a_name(words: str) -> bool:
    """Return whether words after a card's name mean a zone and cannot be part of the name.

    True for `Commander`; False for `Hero`, because `Kite (Hero)` may be a name.
    """
    return fold(words) in _NEVER_A_NAME


def is_side_or_maybe(words: str) -> bool:
    """Return whether words mean a sideboard or maybeboard and are unlikely in a card's name."""
    kind = general_kind(words)
    return kind == "side" or (kind == "maybe" and "maybe" in fold(words))


class Vocabulary(Struct, frozen=True):
    """The words that are headers of zones in a format, and the names of its game.

    zones:   folded header → zone id
    outside: folded headers of parts that never count (maybeboard, tokens)
    titles:  folded names of games and formats; a first line that contains such a name is a title
    ids:     the ids of the format's own zones; empty without a format
    """

    zones: Mapping[FoldedName, str]
    outside: frozenset[FoldedName]
    titles: tuple[FoldedName, ...] = ()
    ids: frozenset[str] = frozenset()

    def zone_id(self, header: str) -> str | None:
        """Return the id of the zone that `header` names; None if there is no such zone."""
        return self.zones.get(fold(header))

    def is_outside(self, header: str) -> bool:
        """Return whether cards under `header` never count."""
        return fold(header) in self.outside

    def is_sure(self, words: str) -> bool:
        """Return whether words are a zone's header even if a card could have this name."""
        key = fold(words)
        is_own_zone = self.zones.get(key) in self.ids
        return is_own_zone or _KINDS.get(key) in _SURE_KINDS or key in _SURE

    def zone_of_kind(self, kind: str) -> str | None:
        """Return the id of the zone of the kind `kind` (`main`, `side` …), or None."""
        return next((self.zones[word] for word in _ZONE_WORDS[kind] if word in self.zones), None)

    def is_header(self, words: str) -> bool:
        """Return whether the words are a zone's header, even of a zone that the format lacks."""
        key = fold(words)
        return key in self.zones or key in self.outside or key in _KINDS


def vocabulary(
    zones: Mapping[str, Iterable[str]] | None = None,
    *,
    default: str | None = None,
    titles: Iterable[str] = (),
) -> Vocabulary:
    """Return the words that name the zones of a format, and the names of its game.

    `words.toml` has general words for each kind of zone, such as `SB` and `Sideboard` for a sideboard. If one
    of these words is a header of a zone of the format, the other words of that kind mean the same zone,
    except some words for leaders. Otherwise, they are still headers, but they have no zone id.

    zones:   zone id → the zone's headers (its name and `headers`); the id is added to them. None for the
             vocabulary without a format, in which the kinds of zones are the ids
    default: the zone of cards without a header. If no zone has a general word for a main deck as a header,
             these words mean the default zone
    titles:  the names of the game and the format
    """
    own_zones: dict[FoldedName, str] = {}
    for zone_id, words in (zones or {}).items():
        for word in (zone_id, *words):
            own_zones.setdefault(fold(word), zone_id)
    general_zones: dict[FoldedName, str] = {}
    for kind, general_words in _ZONE_WORDS.items():
        zone = (
            kind
            if zones is None
            else _zone_with_a_word(kind, own_zones) or (default if kind == "main" else None)
        )
        if zone is not None:
            general_zones |= {
                word: zone for word in general_words if zones is None or word not in _OWN_LEADERS
            }
    return Vocabulary(
        zones=MappingProxyType(general_zones | own_zones),
        outside=frozenset(itertools.chain(*_OUTSIDE_WORDS.values())) - own_zones.keys(),
        titles=tuple(map(fold, titles)),
        ids=frozenset(zones or ()),
    )


def _zone_with_a_word(kind: str, own_zones: Mapping[FoldedName, str]) -> str | None:
    """Return the id of the format's zone for a general kind of zone, such as `side`; or None.

    A zone is of this kind if one of its headers is a general word for the kind, such as `sideboard`. If
    several zones are of this kind, the first word in `GENERAL_ZONES` decides. But for the kind `leader`, the
    result is then None.

    own_zones: header → id of the format's zone
    """
    zones = list(dict.fromkeys(own_zones[word] for word in _ZONE_WORDS[kind] if word in own_zones))
    return zones[0] if zones and (kind != "leader" or len(zones) == 1) else None


GENERAL = vocabulary()
"""The vocabulary without a format."""


def vocabulary_of(format_: Format) -> Vocabulary:
    """Return the vocabulary of a format: words for its zones, and the names of the game."""
    zones = tuple(
        (zone.rule.id, *filter(None, (zone.rule.name, *zone.rule.headers))) for zone in format_.zones
    )
    titles = (format_.name, format_.id, format_.game, format_.game.replace("-", " "))
    return _vocabulary_of(zones, format_.default_zone, titles)


@lru_cache(maxsize=64)
def _vocabulary_of(zones: tuple[tuple[str, ...], ...], default: str, titles: tuple[str, ...]) -> Vocabulary:
    return vocabulary({zone: words for zone, *words in zones}, default=default, titles=titles)


# -- words that count cards


_COUNTED_KINDS = frozenset({"main", "side", "maybe", "tokens"})
_KINDS_OF_CARDS = folded_words("cards", "kinds")
_PLURALS = folded_words("cards", "plurals")
_CARD_WORDS = folded_words("cards", "cards")


def counts_cards(words: str) -> bool:
    """Return whether a number before these words is a sum of cards, as in `20 lands`.

    >>> [counts_cards(words) for words in ("lands", "Sideboard cards", "Karten Reserve", "Wild Cards")]
    [True, True, True, False]
    >>> [counts_cards(words) for words in ("Landen", "Landen der Sonne", "more lands", "Dual Lands")]
    [True, False, True, False]
    """
    key = fold(words)
    first, _, rest = key.partition(" ")
    before, _, last = key.rpartition(" ")
    if words.islower() and (key.endswith("lands") or last in SORTING | _KINDS_OF_CARDS | _PLURALS):
        return True  # `dual lands`, `random commons`
    kind_words = FoldedName(before if last in _CARD_WORDS else rest if first in _CARD_WORDS else key)
    if kind_words in SORTING | _PLURALS or _KINDS.get(kind_words) in _COUNTED_KINDS:
        return True
    return first in _CARD_WORDS and first != "cards"


def is_a_plural(words: str) -> bool:
    """Return whether a word is a plural in the list of plurals for kinds of cards."""
    return fold(words) in _PLURALS


# -- headers


class Header(Struct, frozen=True):
    """The words of a header, the number of cards that it gives, and why it is a header.

    is_zone:    whether the words mean a zone
    is_group:   whether the words only sort cards, as `Creatures` does
    is_marked:  whether the form makes it a header (`## x`, `[x]`, `x:`), independent of the words
    is_section: whether the form makes it a separate zone (`[x]`), even inside another zone
    """

    words: str
    count: int | None = None
    is_zone: bool = False
    is_group: bool = False
    is_marked: bool = False
    is_section: bool = False

    @property
    def is_known(self) -> bool:
        """Whether the words are known as a header, from `words.toml` or from the format."""
        return self.is_zone or self.is_group


_MAX_HEADER = 80
_HAS_SIGNS = lazy_pattern(r"[^\w\s'’&/+.-]|--|__|-\s*\d|\d\s*(?:cards|[枚장张張])")
"""The signs of a header. A number alone is not enough: `Agenda 6` is not a header."""
_COUNTED = patterns("counted-header")
_COUNT_FIRST = lazy_pattern(r"(?P<count>\d{1,3})\s?x?\s+(?P<words>[^\W\d_].*?)\s*:?")
_MARKED = patterns("marked-header")
_LIKE_A_HEADER = lazy_pattern(r"(?:\S+ ){0,4}(?:cards|deck|board|pool|pile|zone)", re.I)
_IN_SIGNS = lazy_pattern(
    r"<(?P<words>[^<>]+)>|[「『《〈〔［({«](?P<words2>[^「」『』《》〈〉〔〕［］(){}«»]+)[」』》〉〕］)}»]"
)
"""Signs that can be around headers or names; only the words between them decide which it is."""


def read_header(line: str, vocabulary: Vocabulary, *, is_marked: bool = False) -> Header | None:
    """Read a line as a header; None if neither its words nor its form make it one.

    is_marked: whether a sign outside `line` (such as `##` before it) makes it a header
    """
    if not line or len(line) > _MAX_HEADER:
        return None
    if not is_marked and not _HAS_SIGNS.search(line):
        return _known_header(squeeze(line), vocabulary)
    if (header_in_signs := _read_between_signs(line, vocabulary)) is not None:
        return header_in_signs
    words, has_signs = _unwrap(line)
    is_in_brackets = has_signs and line.startswith("[")
    count_match = _COUNT_FIRST.fullmatch(words) if has_signs or is_marked or words.endswith(":") else None
    if count_match:
        counted_header = _known_header(
            squeeze(count_match["words"]), vocabulary, int(count_match["count"]), is_marked=True
        )
        if counted_header or is_in_brackets:
            return counted_header  # `[2 Kite]` is a card in brackets
    header = _header_of(words, vocabulary, is_marked=False)
    if header is None or not header.is_known:
        is_marked = is_marked or has_signs
        header = _counted_header(words, vocabulary, is_marked=is_marked) or _header_of(
            words, vocabulary, is_marked=is_marked
        )
    return header and replace(header, is_section=is_in_brackets)


def possible_header(line: str) -> Header | None:
    """Return the header that a line may be, such as `Arena cards` or `Agenda (6)`; else None.

    Whether the line is a header depends on the lines around it.
    """
    words, _ = _unwrap(line)
    if _LIKE_A_HEADER.fullmatch(words):
        return Header(squeeze(words))
    match = _COUNTED[0].fullmatch(words)
    return Header(squeeze(match["words"]), int(match["count"])) if match else None


def _known_header(
    words: str, vocabulary: Vocabulary, count: int | None = None, *, is_marked: bool = False
) -> Header | None:
    is_zone = vocabulary.is_header(words)
    is_group = not is_zone and fold(words) in SORTING
    return (
        Header(words, count, is_zone=is_zone, is_group=is_group, is_marked=is_marked)
        if is_zone or is_group
        else None
    )


def _read_between_signs(line: str, vocabulary: Vocabulary) -> Header | None:
    """Read `<Sideboard>` and `「サイド」` as headers if the words are sure to mean a zone."""
    signs = _IN_SIGNS.fullmatch(line.rstrip(":： "))
    header = _header_of(signs["words"] or signs["words2"], vocabulary, is_marked=False) if signs else None
    return replace(header, is_marked=True) if header and vocabulary.is_sure(header.words) else None


def _unwrap(line: str) -> tuple[str, bool]:
    """Return a line without the punctuation around it, and whether there was any."""
    match = next(filter(None, (form.fullmatch(line) for form in _MARKED)), None)
    return (match["words"].strip(), True) if match else (line, False)


def _header_of(
    words: str, vocabulary: Vocabulary, *, is_marked: bool, count: int | None = None
) -> Header | None:
    bare_words = squeeze(words.rstrip(":").strip().strip("【】"))
    if not any(map(str.isalpha, bare_words)):
        return None
    header = _known_header(bare_words, vocabulary, count, is_marked=is_marked)
    has_form = (is_marked or words.endswith(":")) and not bare_words.startswith(("http", "//"))
    return header or (Header(bare_words, count, is_marked=True) if has_form else None)


def _counted_header(words: str, vocabulary: Vocabulary, *, is_marked: bool) -> Header | None:
    for form in _COUNTED:
        if match := form.fullmatch(words):
            has_colon = match.groupdict().get("mark") == ":"
            count = int(match["count"])
            header = _header_of(match["words"], vocabulary, is_marked=is_marked or has_colon, count=count)
            if header is not None:
                return header
    return None
