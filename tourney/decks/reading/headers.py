"""The words that head a part of a deck, not cards: a general list, what a format adds, and which lines are made of them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from tourney.cards.names import FoldedName, fold
from tourney.decks.reading.names import late, squeeze

if TYPE_CHECKING:
    from tourney.rules import Format

# Zone words of the tools and games in the wild, by the kind of zone they mean. A format's own words go before.
GENERAL_ZONES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "main": (
            "main", "main deck", "maindeck", "mainboard", "main board", "deck", "deck list", "decklist", "library",
            "arsenal", "draw deck", "cards", "starting deck", "deck cards", "your deck", "adventure deck", "player deck", "stack", "r&d", "r&d / stack",
            "md", "mb", "mazo", "mazo principal", "baraja", "baraja principal", "mazzo", "mazzo principale", "デッキ", "メインデッキ", "メイン", "主", "本デッキ", "デッキリスト",
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

_NEVER_COUNTED: Mapping[str, tuple[str, ...]] = MappingProxyType(
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


_ZONE_WORDS: Mapping[str, tuple[FoldedName, ...]] = MappingProxyType(
    {kind: tuple(map(fold, words)) for kind, words in GENERAL_ZONES.items()}
)
_OUTSIDE_WORDS = MappingProxyType({kind: tuple(map(fold, words)) for kind, words in _NEVER_COUNTED.items()})
_KINDS: Mapping[FoldedName, str] = MappingProxyType(
    {word: kind for kind, words in (_ZONE_WORDS | _OUTSIDE_WORDS).items() for word in words}
)
_SURE = frozenset(map(fold, ("commander", "general", "leader", "companion", "missions", "mission deck")))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Which words head a zone, and which name a game.

    zones:   folded header → zone id. Ids are the format's where one is known, else the general kinds
             (`main`, `side`, `leader`, `extra` …)
    outside: folded headers of what never counts (maybeboard, tokens)
    titles:  folded names of games and formats: a first line that names one is a title
    """

    zones: Mapping[FoldedName, str]
    outside: frozenset[FoldedName]
    titles: tuple[FoldedName, ...] = ()
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
        return own or _KINDS.get(key) in {"main", "side", "extra", "maybe", "tokens"} or key in _SURE

    def zone_of_kind(self, kind: str) -> str | None:
        """Give the id that a general kind of zone (`side`, `leader`) has here, None where there is no such zone."""
        return next((self.zones[word] for word in _ZONE_WORDS[kind] if word in self.zones), None)

    def is_header(self, words: str) -> bool:
        """Tell whether the words, standing alone, head a zone (also one that this format does not have)."""
        key = fold(words)
        return key in self.zones or key in self.outside or key in _KINDS


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
    linked: dict[FoldedName, str] = {}
    for kind, words in _ZONE_WORDS.items():
        meant = next((own[word] for word in words if word in own), default if kind == "main" else None)
        meant = kind if zones is None else meant
        linked |= dict.fromkeys(words, meant) if meant is not None else {}
    return Vocabulary(
        zones=MappingProxyType(linked | own),
        outside=frozenset(itertools.chain(*_OUTSIDE_WORDS.values())) - own.keys(),
        titles=tuple(fold(title) for title in titles),
        ids=frozenset(zones or ()),
    )


def general_kind(header: str) -> str | None:
    """Give the general kind of zone that a header means (`main`, `side`, `maybe` …), None where it means none."""
    return _KINDS.get(fold(header))


GENERAL = vocabulary()
"""What is a header when no format is known."""


@lru_cache(maxsize=64)
def _vocabulary_of(zones: tuple[tuple[str, ...], ...], default: str, titles: tuple[str, ...]) -> Vocabulary:
    return vocabulary({zone: words for zone, *words in zones}, default=default, titles=titles)


def vocabulary_of(format_: Format) -> Vocabulary:
    """Return the vocabulary of a format, for reading lists: its zones' ids, names and `headers`, and the game's names."""
    zones = tuple(
        (zone.rule.id, *filter(None, (zone.rule.name, *zone.rule.headers))) for zone in format_.zones
    )
    titles = (format_.name, format_.id, format_.game, format_.game.replace("-", " "))
    return _vocabulary_of(zones, format_.default_zone, titles)


# -- Which lines of a text are headers, and how many cards they say stand below

# Words that sort cards inside a zone, in the exports of many games: never zones of their own.
_SORTING = """
    creature, creatures, land, lands, instant, instants, sorcery, sorceries, artifact, artifacts, enchantment,
    enchantments, planeswalker, planeswalkers, battle, battles, spell, spells, mana, ramp, removal, card draw,
    instants & sorceries, instants and sorceries, basic lands, nonbasic lands, other spells, other, others,
    monster, monsters, trap, traps, spell cards, trap cards, monster cards, normal monsters, effect monsters,
    pokemon, pok?mon, pok�mon, pokã©mon, trainer, trainers, trainer cards, energy, energies, energy cards, basic energy, special energy,
    supporter, supporters, item, items, tool, tools, stadium, stadiums,
    agenda, agendas, asset, assets, upgrade, upgrades, operation, operations, ice, barrier, barriers, code gate,
    code gates, sentry, sentries, multi, event, events, hardware, resource, resources, program, programs,
    icebreaker, icebreakers,
    master, masters, action, actions, political action, political actions, action modifier, action modifiers,
    action modifier/combat, action modifier/reaction, reaction, reactions, combat, combat/reaction, ally, allies,
    retainer, retainers, equipment, power, powers, conviction, imbued,
    character, characters, location, locations, attachment, attachments, plot, plots, skill, skills, treachery,
    unit, units, weapon, weapons, armor, minion, minions, song, songs, efreet, efreets, tactic, tactics, strategy,
    strategies, digimon, tamer, tamers, hand, hands, arcane, accessory, body, tarot, option, options, stage, stages, permanents,
    kreaturen, länder, spontanzauber, hexereien, artefakte, verzauberungen, zaubersprüche, standardländer, monster, zauber, fallen,
    créatures, terrains, éphémères, rituels, artefacts, enchantements, sorts, monstres, magies, pièges,
    criaturas, tierras, instantáneos, conjuros, artefactos, encantamientos, hechizos, monstruos, mágicas, trampas, terrenos, feitiços, artefatos, encantamentos, monstros, magias, armadilhas,
    creature, terre, istantanei, stregonerie, artefatti, incantesimi, mostri, magie, trappole, magia, trappola,
    stwory, stworzenia, ziemie, lądy, czary, artefakty, zaklęcia, potwory, pułapki,
    существа, земли, мгновенные заклинания, волшебства, волшебство, артефакты, чары, заклинания, монстры, ловушки,
    クリーチャー, 土地, インスタント, ソーサリー, アーティファクト, エンチャント, プレインズウォーカー, モンスター, 魔法, 罠, 呪文, ポケモン, トレーナーズ, エネルギー, グッズ, サポート, スタジアム,
    생물, 대지, 순간마법, 집중마법, 마법물체, 부여마법, 몬스터, 마법, 함정, 포켓몬, 트레이너스, 에너지,
    生物, 地, 瞬间, 法术, 神器, 结界, 瞬間, 巫術, 結界, 怪兽, 怪獸, 陷阱, 魔法卡, 陷阱卡, 怪兽卡, 宝可梦, 寶可夢, 训练家, 訓練家, 能量,
    ländereien, truppen, einheiten, ereignisse, charaktere, personaggi, terreni, eventi, postacie, jednostki, wydarzenia, персонажи, события, отряды,
    角色, 事件, 咒文, 캐릭터, 이벤트, 랜드
"""
_GROUP_WORDS = frozenset(fold(word) for word in _SORTING.split(","))

_CARDS = r"(?i:\s*(?:cards?|copies|total|vampires?|karten|cartes?|cartas|kart[ay]?|карт[аы]?|枚|장|张|張))?"
_COUNTED = (
    late(
        rf"(?P<words>.*?\S)\s*[(\[]\s*(?P<count>\d{{1,6}}){_CARDS}(?:\s*[;,/].*|\s+[^()\[\]]*)?[)\]]\s*:?(?:\s+[Cc]apacity\b.*)?"
    ),
    late(rf"(?P<words>.*?[^\s:–-])\s*(?P<mark>[:–-])\s*(?P<count>\d{{1,6}}){_CARDS}"),
    late(r"(?P<words>.*?\S)\s+(?P<count>\d{1,6})\s*cards"),
    late(r"(?P<words>.*?[^\s\d])\s*(?P<count>\d{1,6})\s?[枚장张張]"),
)
_MARKED = (
    late(r"\[(?P<words>[^\[\]]+)\]:?"),
    late(r"(?:\*\*|__)(?P<words>[^*_].*?)(?:\*\*|__)\s*:?"),
    late(r"(?P<rule>[-=*~_+]{2,})\s*(?P<words>[^\s\-=*~_+].*?)\s*[-=*~_+]{2,}"),
    late(r"!(?P<words>\w+)"),
)
_IN_SIGNS = late(
    r"<(?P<words>[^<>]+)>|[「『《〈〔［({«](?P<words2>[^「」『』《》〈〉〔〕［］(){}«»]+)[」』》〉〕］)}»]"
)
"""Signs in which some write headers and others names: what stands between decides."""
_LIKE_A_HEADER = late(r"(?:\S+ ){0,4}(?:cards|deck|board|pool|pile|zone)", re.I)
_TELLING = late(r"[^\w\s'’&/+.-]|\d|--|__")
_LONGEST = 80
DESCRIBING = frozenset({"description", "notes", "comments"})
"""Headers over words about the deck, not over cards."""


@dataclass(frozen=True, slots=True)
class Header:
    """The words of a header, the number of cards it says, and how sure it is one.

    zone:  the vocabulary or the general list knows it as a zone
    group: it is known to sort only
    shaped: its form says it is a header (`## x`, `[x]`, `x:`), whatever the words
    section: its form says it is a zone of its own (`[x]`), also inside another
    """

    words: str
    count: int | None = None
    zone: bool = False
    group: bool = False
    shaped: bool = False
    section: bool = False

    @property
    def known(self) -> bool:
        """Whether the words themselves are known."""
        return self.zone or self.group


def read_header(line: str, vocabulary: Vocabulary, *, shaped: bool = False) -> Header | None:
    """Read `line` as a header; None where neither its words nor its form make it one.

    shaped: something outside the line (a `##` before it) says that it is a header.
    """
    if not line or len(line) > _LONGEST:
        return None
    if not shaped and not _TELLING.search(line):
        zone = vocabulary.is_header(line)
        group = not zone and fold(line) in _GROUP_WORDS
        return Header(squeeze(line), zone=zone, group=group) if zone or group else None
    words, marked = _unwrap(line)
    signs = _IN_SIGNS.fullmatch(line.rstrip(":： "))
    inside = _recognize(signs["words"] or signs["words2"], vocabulary, shaped=False) if signs else None
    if inside is not None and vocabulary.is_sure(inside.words):
        return replace(inside, shaped=True)
    header = _recognize(words, vocabulary, shaped=False)
    if header is None or not header.known:
        shaped = shaped or marked
        counted = _recognize_counted(words, vocabulary, shaped=shaped)
        header = counted or _recognize(words, vocabulary, shaped=shaped)
    if header is None:
        return None
    return replace(header, section=marked and line.startswith("["))


def could_be_header(line: str) -> Header | None:
    """Read `line` as a header that only its place can confirm: `Arena cards`, `Agenda (6)`."""
    words, _ = _unwrap(line)
    if _LIKE_A_HEADER.fullmatch(words):
        return Header(squeeze(words))
    match = _COUNTED[0].fullmatch(words)
    return Header(squeeze(match["words"]), int(match["count"])) if match else None


def _unwrap(line: str) -> tuple[str, bool]:
    for form in _MARKED:
        match = form.fullmatch(line)
        if match:
            return match["words"].strip(), True
    return line, False


def _recognize(
    words: str, vocabulary: Vocabulary, *, shaped: bool, count: int | None = None
) -> Header | None:
    bare = squeeze(words.rstrip(":").strip().strip("【】"))
    if not bare or not any(letter.isalpha() for letter in bare):
        return None
    zone = vocabulary.is_header(bare)
    group = not zone and fold(bare) in _GROUP_WORDS
    if zone or group:
        return Header(bare, count, zone=zone, group=group, shaped=shaped)
    if (shaped or words.endswith(":")) and not bare.startswith(("http", "//")):
        return Header(bare, count, shaped=True)
    return None


def _recognize_counted(words: str, vocabulary: Vocabulary, *, shaped: bool) -> Header | None:
    for form in _COUNTED:
        match = form.fullmatch(words)
        if not match:
            continue
        colon = match.groupdict().get("mark") == ":"
        header = _recognize(match["words"], vocabulary, shaped=shaped or colon, count=int(match["count"]))
        if header is not None:
            return header
    return None
