"""The words that are headers and titles, not cards: a general list, and what a format adds to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tourney.cards.names import FoldedName, fold

# Zone words of the tools and games in the wild, by the kind of zone they mean. A format's own words go before.
GENERAL_ZONES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "main": (
            "main", "main deck", "maindeck", "mainboard", "main board", "deck", "deck list", "decklist", "library",
            "arsenal", "draw deck", "cards", "starting deck", "deck cards", "your deck", "adventure deck", "player deck", "stack", "r&d", "r&d / stack",
            "md", "mb", "mazo", "mazo principal", "baraja", "baraja principal", "mazzo", "mazzo principale", "デッキ", "メインデッキ", "メイン", "本デッキ", "デッキリスト",
            "hauptdeck", "haupt-deck", "kartendeck", "karten", "cartes", "cartas", "карты", "основная", "paquet", "paquet principal", "deck principal", "jeu principal", "baralho", "baralho principal", "grimório",
            "talia", "talia główna", "główna talia", "deck główny", "główna", "principal", "principale", "колода", "основная колода", "главная колода", "основа", "мейн", "мейндек", "главная",
            "덱", "메인 덱", "메인덱", "메인", "덱 리스트", "套牌", "主牌", "主牌组", "主牌組", "主套牌", "牌组", "牌組", "牌库", "牌庫", "主卡组", "主卡組", "卡组", "卡組", "主要套牌",
        ),
        "side": (
            "side", "sideboard", "side board", "side deck", "sidedeck", "sb", "side cards", "reserve", "reserves",
            "réserve", "reserva", "banquillo", "サイドボード", "サイド", "サイドデッキ", "控え",
            "reserve-deck", "seitendeck", "nebendeck", "side-deck", "ersatzbank", "banca", "riserva", "panchina", "banco", "banco lateral", "mazo lateral", "deck lateral",
            "talia boczna", "talia poboczna", "boczna talia", "rezerwa", "zaplecze", "сайд", "сайдборд", "сайдбоард", "резерв", "запас", "запасные", "боковая колода",
            "사이드보드", "사이드 보드", "사이드", "사이드 덱", "사이드덱", "备牌", "備牌", "副牌", "边牌", "邊牌", "备选牌", "副卡组", "副卡組", "副牌组", "后备牌", "後備牌",
        ),
        "leader": (
            "commander", "commanders", "cmdr", "general", "generals", "leader", "leaders", "hero", "heroes",
            "identity", "investigator", "champion", "legend", "oathbreaker", "warlord", "house", "partner", "captain",
            "signature spell", "signature spells", "second leader", "secondleader", "ruler", "background", "stronghold",
            "kommandeur", "kommandeure", "anführer", "held", "commandant", "commandants", "chef", "héros", "héroe", "comandante", "comandantes", "comandanti", "líder", "capo", "eroe", "herói",
            "dowódca", "dowódcy", "generał", "bohater", "przywódca", "командир", "командиры", "генерал", "герой", "лидер", "統率者", "リーダー", "将軍", "ヒーロー",
            "지휘관", "커맨더", "사령관", "리더", "영웅", "指挥官", "指揮官", "统帅", "統帥", "主将", "主將", "将军", "將軍", "英雄", "领袖", "領袖",
        ),
        "companion": (
            "companion", "companions", "gefährte", "gefährten", "compagnon", "compañero", "compagno", "companheiro", "towarzysz", "компаньон", "спутник", "相棒", "단짝", "동반자", "行侣", "行侶",
        ),
        "base": ("base", "bases"),
        "extra": (
            "extra-deck", "mazo extra", "mazzo extra", "deck extra", "baralho extra", "extradeck/fusionsdeck", "talia dodatkowa", "экстра", "экстра колода", "дополнительная колода",
            "エクストラデッキ", "エクストラ", "엑스트라 덱", "엑스트라덱", "额外", "額外", "额外卡组", "額外卡組", "额外牌组", "額外牌組", "extra", "extra deck", "extradeck", "fables deck", "fables", "z-zone", "j-ruler", "g deck"),
        "crypt": ("crypt",),
        "arena": ("arena", "arena cards", "equipment cards", "inventory"),
        "egg": ("egg", "digi-egg", "digi-eggs", "digi-egg deck", "digitama", "digi egg deck", "egg deck"),
        "don": ("don", "don!!", "don deck", "don!! deck"),
        "runes": ("runes", "rune deck", "rune pool"),
        "battlefields": ("battlefields", "battlefield"),
        "resources": ("resource deck", "life deck", "plot deck", "dynasty", "dynasty deck", "fate", "fate deck",
                      "conflict", "conflict deck", "province", "provinces"),
        "planes": ("planes", "planar deck", "planechase", "planar"),
        "schemes": ("schemes", "scheme deck", "archenemy"),
        "attractions": ("attractions", "attraction deck", "stickers", "contraptions"),
        "missions": ("mission", "missions", "mission deck", "objectives", "quests", "sites", "site deck"),
        "critical": ("critical", "critical deck", "critical hits", "critical hit deck", "crit deck"),
    }
)  # fmt: skip

NEVER_COUNTED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "maybe": (
            "maybe", "maybeboard", "maybe board", "maybes", "considering", "consideration", "wishlist", "wish list",
            "acquireboard", "acquire board", "scratchpad", "ideas", "cuts", "cut", "outside the game", "ignore",
            "vielleicht", "peut-être", "à l'étude", "quizás", "quizá", "tal vez", "forse", "talvez", "może", "być może", "возможно", "может быть", "мейбиборд", "検討中", "候補", "메이비보드", "고려 중", "후보", "待定", "候选", "候選", "考虑中", "考慮中",
        ),
        "tokens": (
            "token", "tokens", "emblems", "tokens & extras", "tokens and extras", "token deck", "spielsteine", "spielmarken", "jetons", "fichas", "pedine", "żetony", "фишки", "жетоны", "токены",
            "トークン", "토큰", "衍生物", "衍生牌", "指示物",
        ),
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Which words head a zone, and which name a game.

    zones:   folded header → zone id. Ids are the format's where one is known, else the general kinds
             (`main`, `side`, `leader`, `extra` …)
    outside: folded headers of what never counts (maybeboard, tokens)
    titles:  folded names of games and formats: a first line that names one is a title
    general: True where no format has spoken
    """

    zones: Mapping[FoldedName, str]
    outside: frozenset[FoldedName]
    titles: tuple[FoldedName, ...] = ()
    general: bool = True
    ids: frozenset[str] = field(default=frozenset())

    def zone_id(self, header: str) -> str | None:
        """Give the id of the zone that `header` names, None where it names none."""
        return self.zones.get(fold(header))

    def is_outside(self, header: str) -> bool:
        """Tell whether what stands under `header` never counts."""
        return fold(header) in self.outside

    def is_sure(self, words: str) -> bool:
        """Tell whether the words head a zone even where they could be a card: the format's own, and the commonest."""
        key = fold(words)
        own = self.zones.get(key) in self.ids
        return own or _GENERAL_WORDS.get(key) in {"main", "side", "extra", "maybe", "tokens"} or key in _SURE

    def zone_of_kind(self, kind: str) -> str | None:
        """Give the id that a general kind of zone (`side`, `leader`) has here, None where there is no such zone."""
        return next((self.zones[word] for word in _folded(GENERAL_ZONES[kind]) if word in self.zones), None)

    def is_header(self, words: str) -> bool:
        """Tell whether the words, standing alone, head a zone (also one that this format does not have)."""
        key = fold(words)
        return key in self.zones or key in self.outside or key in _GENERAL_WORDS


def vocabulary(
    zones: Mapping[str, Iterable[str]] | None = None,
    *,
    default: str | None = None,
    titles: Iterable[str] = (),
) -> Vocabulary:
    """Make the vocabulary of a format.

    zones:   zone id → all words that head it (its name, its `headers`); the id itself is one, too
    default: the zone of cards under no header; the general words for a main deck mean it
    titles:  names of the game and the format

    A general word means the zone that shares a word with its kind: in a format with a zone `sideboard`, `SB` is that
    zone. General words that no zone of the format shares have no id: `zone` is set, `zone_id` is None.
    """
    own: dict[FoldedName, str] = {}
    for zone_id, words in (zones or {}).items():
        for word in (zone_id, *words):
            own.setdefault(fold(word), zone_id)
    linked = _link_general_words(own, default) if zones is not None else _general_zones()
    return Vocabulary(
        zones=MappingProxyType(linked | own),
        outside=frozenset(word for words in NEVER_COUNTED.values() for word in _folded(words)) - own.keys(),
        titles=tuple(fold(title) for title in titles),
        general=zones is None,
        ids=frozenset(zones or ()),
    )


def general_kind(header: str) -> str | None:
    """Give the general kind of zone that a header means (`main`, `side`, `maybe` …), None where it means none."""
    return _GENERAL_WORDS.get(fold(header))


def _general_zones() -> dict[FoldedName, str]:
    return {word: kind for kind, words in GENERAL_ZONES.items() for word in _folded(words)}


def _link_general_words(own: Mapping[FoldedName, str], default: str | None) -> dict[FoldedName, str]:
    linked: dict[FoldedName, str] = {}
    for kind, words in GENERAL_ZONES.items():
        keys = _folded(words)
        zone_id = next((own[key] for key in keys if key in own), default if kind == "main" else None)
        if zone_id is not None:
            linked.update(dict.fromkeys(keys, zone_id))
    return linked


def _folded(words: Iterable[str]) -> tuple[FoldedName, ...]:
    return tuple(fold(word) for word in words)


_GENERAL_WORDS: Mapping[FoldedName, str] = MappingProxyType(
    {
        fold(word): kind
        for table in (GENERAL_ZONES, NEVER_COUNTED)
        for kind, words in table.items()
        for word in words
    }
)

_SURE = frozenset(_folded(("commander", "general", "leader", "companion", "missions", "mission deck")))

GENERAL = vocabulary()
"""What is a header when no format is known."""
