"""The lines of a text, each for itself: what heads a part of a deck, and what is a card, a comment, a key, a total or blank.

Which words head a zone is a general list and what a format adds; the readers of tables and trees ask it, too.
"""

from __future__ import annotations

import html
import itertools
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import structs

from tourney.cards.names import FoldedName, fold
from tourney.decks.reading.counts import head_count, is_only_a_count, split_count, tail_count
from tourney.decks.reading.names import LONGEST_CARD, NUMBER, SET, Dialect, late, peel, squeeze

if TYPE_CHECKING:
    from tourney.rules.format import Format


# Zone words of the tools and games in the wild, by the kind of zone they mean. A format's own words go before.
# Words of one kind are synonyms in every game; a part that any game has beside another is a kind of its own.
GENERAL_ZONES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "main": (
            "main", "main deck", "maindeck", "mainboard", "main board", "deck", "deck list", "decklist", "library",
            "arsenal", "draw deck", "cards", "starting deck", "deck cards", "your deck", "player deck", "stack", "r&d", "r&d / stack",
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
            "identity", "investigator", "oathbreaker", "warlord", "partner", "captain", "second leader", "secondleader",
            "ruler", "background", "champion", "legend", "house", "stronghold",
            "kommandeur", "kommandeure", "anführer", "held", "commandant", "commandants", "chef", "héros", "héroe", "comandante", "comandantes", "comandanti", "líder", "capo", "eroe", "herói",
            "dowódca", "dowódcy", "generał", "bohater", "przywódca", "командир", "командиры", "генерал", "герой", "лидер", "統率者", "リーダー", "将軍", "ヒーロー",
            "지휘관", "커맨더", "사령관", "리더", "영웅", "指挥官", "指揮官", "统帅", "統帥", "主将", "主將", "将军", "將軍", "英雄", "领袖", "領袖",
        ),
        "signature": ("signature spell", "signature spells"),
        "companion": (
            "companion", "companions", "gefährte", "gefährten", "compagnon", "compañero", "compagno", "companheiro", "towarzysz", "компаньон", "спутник", "相棒", "단짝", "동반자", "行侣", "行侶",
        ),
        "base": ("base", "bases"),
        "extra": (
            "extra-deck", "mazo extra", "mazzo extra", "deck extra", "baralho extra", "extradeck/fusionsdeck", "talia dodatkowa", "экстра", "экстра колода", "дополнительная колода",
            "エクストラデッキ", "エクストラ", "엑스트라 덱", "엑스트라덱", "额外", "額外", "额外卡组", "額外卡組", "额外牌组", "額外牌組", "extra", "extra deck", "extradeck"),
        "fables": ("fables deck", "fables"),
        "z-zone": ("z-zone",),
        "j-ruler": ("j-ruler",),
        "g-deck": ("g deck",),
        "crypt": ("crypt",),
        "arena": ("arena", "arena cards", "equipment cards"),
        "inventory": ("inventory",),
        "egg": ("egg", "digi-egg", "digi-eggs", "digi-egg deck", "digitama", "digi egg deck", "egg deck"),
        "don": ("don", "don!!", "don deck", "don!! deck"),
        "runes": ("runes", "rune deck", "rune pool"),
        "battlefields": ("battlefields", "battlefield"),
        "resources": ("resource deck",),
        "life": ("life deck",),
        "plots": ("plot deck",),
        "dynasty": ("dynasty", "dynasty deck"),
        "fate": ("fate", "fate deck"),
        "conflict": ("conflict", "conflict deck"),
        "provinces": ("province", "provinces", "province deck"),
        "planes": ("planes", "planar deck", "planechase", "planar"),
        "schemes": ("schemes", "scheme deck", "archenemy"),
        "attractions": ("attractions", "attraction deck"),
        "stickers": ("stickers", "sticker deck"),
        "contraptions": ("contraptions", "contraption deck"),
        "missions": ("mission", "missions", "mission deck"),
        "objectives": ("objectives", "objective deck"),
        "quests": ("quests", "quest deck"),
        "sites": ("sites", "site deck"),
        "adventure": ("adventure deck",),
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
LEADER_KINDS = frozenset({"leader", "signature"})
"""The general kinds of zones for the cards that lead a deck."""
_OWN_LEADERS = frozenset(map(fold, ("champion", "legend", "house", "stronghold")))
"""Leaders that some games have beside another leader: in a format they mean only a zone of that name."""
_SURE_KINDS = frozenset({"main", "side", "extra", "fables", "z-zone", "j-ruler", "g-deck", "maybe", "tokens"})
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
        return own or _KINDS.get(key) in _SURE_KINDS or key in _SURE

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
        meant = (
            kind if zones is None else _meant_zone(kind, words, own) or (default if kind == "main" else None)
        )
        if meant is not None:
            linked |= {word: meant for word in words if zones is None or word not in _OWN_LEADERS}
    return Vocabulary(
        zones=MappingProxyType(linked | own),
        outside=frozenset(itertools.chain(*_OUTSIDE_WORDS.values())) - own.keys(),
        titles=tuple(fold(title) for title in titles),
        ids=frozenset(zones or ()),
    )


def _meant_zone(kind: str, words: Iterable[FoldedName], own: Mapping[FoldedName, str]) -> str | None:
    """Return the zone of a format that general words mean, None if it has none, or if its leaders stand in several."""
    zones = list(dict.fromkeys(own[word] for word in words if word in own))
    return zones[0] if zones and (kind != "leader" or len(zones) == 1) else None


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
    trainerkarten, energie, energien, energiekarten, basis-energie, spezial-energie, unterstützer, unterstützerkarten, itemkarten, ausrüstung, ausrüstungen, stadion, stadionkarten,
    dresseur, dresseurs, cartes dresseur, énergie, énergies, cartes énergie, énergie de base, énergie spéciale, objet, objets, outil, outils, stade, stades,
    entrenador, entrenadores, cartas de entrenador, energía, energías, cartas de energía, energía básica, energía especial, partidario, partidarios, objeto, objetos, herramienta, herramientas, estadio, estadios,
    allenatore, allenatori, carte allenatore, energia, energie base, carte energia, aiuto, strumento, strumenti, stadio, treinador, treinadores, energias, apoiador, apoiadores, ferramenta, ferramentas, estádio, estádios,
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
    charakter, einheit, ereignis, kreatur, land, zauberspruch, hexerei, artefakt, verzauberung, figuren, gegenstände, waffen, ausrüstungskarten,
    personnage, personnages, unité, unités, événement, événements, créature, terrain, éphémère, rituel, artefact, équipement, lieu, lieux, allié, alliés,
    personaje, personajes, unidad, unidades, evento, eventos, criatura, tierra, instantáneo, conjuro, artefacto, encantamiento, equipo, lugar, lugares, aliado, aliados,
    personaggio, unità, creatura, istantaneo, stregoneria, artefatto, incantesimo, luogo, luoghi, alleato, alleati, personagem, personagens, unidade, feitiço, terreno, encantamento,
    ländereien, truppen, einheiten, ereignisse, charaktere, personaggi, terreni, eventi, postacie, jednostki, wydarzenia, персонажи, события, отряды,
    角色, 事件, 咒文, 캐릭터, 이벤트, 랜드
"""
_GROUP_WORDS = frozenset(fold(word) for word in _SORTING.split(","))


def counts_cards(words: str) -> bool:
    """Return whether words behind a number say what is counted, and are not a card: `lands`, `Sideboard`, `Side Deck cards`.

    >>> [counts_cards(words) for words in ("lands", "Sideboard", "Sideboard cards", "Karten Reserve", "Wild Cards")]
    [True, True, True, True, False]
    >>> counts_cards("Landen"), counts_cards("Landen der Sonne")
    (True, False)
    >>> [counts_cards(words) for words in ("more lands", "Dual Lands", "basics")]
    [True, False, True]
    """
    key = fold(words)
    if words.islower() and (
        key.endswith("lands") or key.rpartition(" ")[2] in _GROUP_WORDS | _KINDS_OF_CARDS | _KINDS_ELSEWHERE
    ):
        return True  # `dual lands`, `random commons`
    first, _, rest = key.partition(" ")
    before, _, last = key.rpartition(" ")
    inside = FoldedName(before if last in _CARD_WORDS else rest if first in _CARD_WORDS else key)
    known = inside in _GROUP_WORDS | _KINDS_ELSEWHERE or _KINDS.get(inside) in (
        "main",
        "side",
        "maybe",
        "tokens",
    )
    return known or (first in _CARD_WORDS and first != "cards")


_KINDS_OF_CARDS = frozenset(map(fold, ("basics", "commons", "uncommons", "rares", "staples", "fillers")))
_OTHER_LANGUAGES = """
    земель terres landen wezens spreuken betoveringen artefacten tovenarijen basislanden länder landkort varelser trollformler förtrollningar artefakter
    lande væsener besværgelser landkort maat olennot loitsut země bytosti kouzla artefakty földek lények varázslatok araziler yaratıklar büyüler
"""
_KINDS_ELSEWHERE = frozenset(map(fold, _OTHER_LANGUAGES.split()))
"""Plurals of kinds of cards in languages that have no other words here: `20 Landen`."""


def is_a_plural(words: str) -> bool:
    """Return whether a word is the plural of a kind of card in a language with few other words here."""
    return fold(words) in _KINDS_ELSEWHERE


_CARD_WORDS = frozenset(map(fold, ("cards", "karten", "cartes", "cartas", "carte", "kart", "карт")))

_CARDS = r"(?i:\s*(?:cards?|copies|total|vampires?|karten|cartes?|cartas|kart[ay]?|карт[аы]?|枚|장|张|張))?"
_COUNTED = (
    late(
        rf"(?P<words>.*?\S)\s*[(\[]\s*(?P<count>\d{{1,6}}){_CARDS}(?:\s*[;,/].*|\s+[^()\[\]]*)?[)\]]\s*:?(?:\s+[Cc]apacity\b.*)?"
    ),
    late(rf"(?P<words>.*?[^\s:–-])\s*(?P<mark>[:–-])\s*(?P<count>\d{{1,6}}){_CARDS}"),
    late(r"(?P<words>.*?\S)\s+(?P<count>\d{1,6})\s*cards"),
    late(r"(?P<words>.*?[^\s\d])\s*(?P<count>\d{1,6})\s?[枚장张張]"),
)
_COUNT_FIRST = late(r"(?P<count>\d{1,3})\s?x?\s+(?P<words>[^\W\d_].*?)\s*:?")
_MARKED = (
    late(r"\[(?P<words>[^\[\]]+)\]:?"),
    late(r"(?:\*\*|__)(?P<words>[^*_].*?)(?:\*\*|__)\s*:?"),
    late(r"(?P<rule>[-=*~_+]{2,})\s*(?P<words>[^\s\-=*~_+].*?)\s*[-=*~_+]{2,}"),
    late(r"!(?P<words>\w+)"),
)
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
        return _known(squeeze(line), vocabulary)
    in_signs = _between_signs(line, vocabulary)
    if in_signs is not None:
        return in_signs
    words, marked = _unwrap(line)
    first = _COUNT_FIRST.fullmatch(words) if marked or shaped or words.endswith(":") else None
    if first and (counted := _known(squeeze(first["words"]), vocabulary, int(first["count"]), shaped=True)):
        return counted
    if first and marked and line.startswith("["):
        return None  # `[2 Kite]`: a card in brackets
    header = _recognize(words, vocabulary, shaped=False)
    if header is None or not header.known:
        shaped = shaped or marked
        counted = _recognize_counted(words, vocabulary, shaped=shaped)
        header = counted or _recognize(words, vocabulary, shaped=shaped)
    return header and replace(header, section=marked and line.startswith("["))


def _known(
    words: str, vocabulary: Vocabulary, count: int | None = None, *, shaped: bool = False
) -> Header | None:
    """Read words that the format or a general list knows as a header."""
    zone = vocabulary.is_header(words)
    group = not zone and fold(words) in _GROUP_WORDS
    return Header(words, count, zone=zone, group=group, shaped=shaped) if zone or group else None


_IN_SIGNS = late(
    r"<(?P<words>[^<>]+)>|[「『《〈〔［({«](?P<words2>[^「」『』《》〈〉〔〕［］(){}«»]+)[」』》〉〕］)}»]"
)
"""Signs in which some write headers and others names: what stands between decides."""


def _between_signs(line: str, vocabulary: Vocabulary) -> Header | None:
    """Read `<Sideboard>`, `「サイド」`: a header only where its words surely head a zone, as names stand so, too."""
    signs = _IN_SIGNS.fullmatch(line.rstrip(":： "))
    inside = _recognize(signs["words"] or signs["words2"], vocabulary, shaped=False) if signs else None
    return replace(inside, shaped=True) if inside and vocabulary.is_sure(inside.words) else None


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
    known = _known(bare, vocabulary, count, shaped=shaped)
    if known is not None:
        return known
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


# -- What a line is: blank, comment, header, key, total, card


LONGEST_LINE = 1_000
"""Letters; a longer line names no card."""
_CONTROL = late(r"[\x00-\x08\x0e-\x1f\x7f]")
_WIDE_SPACES = late(r"[^\S\t ]")
_WIDE_BRACKETS = late(r" ?（([!-~][ -~]*)） ?")
"""Full-width brackets round plain letters: `Kite（ABC）12`."""


def tidy(line: str) -> str:
    r"""Give the line with plain spaces for every kind of space and without what cannot be seen; tabs stay.

    >>> tidy(" 4\u00a0Kite\u200b ")
    '4 Kite'
    """
    if line.isascii() and line.isprintable():
        return line.strip()
    if not line.isascii():
        line = _WIDE_SPACES.sub(" ", line)
        line = "".join(letter for letter in line if unicodedata.category(letter) != "Cf")
        line = _WIDE_BRACKETS.sub(r" (\1) ", line)
    return _CONTROL.sub("", line).strip()


class LineKind(Enum):
    """What a line is by itself; `roles` decides what a bare one is."""

    BLANK = "blank"
    COMMENT = "comment"
    HEADER = "header"
    KEY = "key"  # `Format: …`, `// NAME : …`
    TOTAL = "total"  # `Total Cards: 60`
    RULE = "rule"  # `=====`
    COUNTED = "counted"  # a card with its count
    BARE = "bare"  # words without a count: a card, a title, a header that only its place confirms
    OTHER = "other"  # addresses, layouts, fences: never a card
    TOO_LONG = "too long"

    __hash__ = object.__hash__  # members are singletons; a call into `enum` for each line adds up


class LineToken(msgspec.Struct, frozen=True):
    """One line: `text` is its card, comment or value; `zone` the words of a prefix (`SB:`).

    whole: the words with the count behind them, where a card's name could end so, too: `Kite (5)`
    tail:  that count, until the line's place says what it is
    doubt: why the line may be something else than this card; an error unless a pool knows it
    fault: what is wrong with the line whatever a pool knows
    question: what to ask about the line where no pool knows the card
    """

    kind: LineKind
    number: int
    raw: str
    text: str = ""
    key: str = ""
    count: str | None = None
    zone: str | None = None
    header: Header | None = None
    whole: str = ""
    tail: str = ""
    doubt: str = ""
    fault: str = ""
    question: str = ""


_KEYS = {
    "deck name": "name", "deckname": "name", "title": "name", "deck title": "name", "list name": "name",
    "name": "name-or-player", "player": "player", "player name": "player", "pilot": "player", "played by": "player",
    "format": "format", "deck format": "format", "game format": "format",
    "author": "author", "authors": "author", "creator": "author", "created by": "author", "deck by": "author",
    "description": "description", "notes": "description", "comments": "description", "source": "source",
    "date": "date", "event": "event", "archetype": "archetype", "class": "class", "year": "year", "packs": "packs",
    "colors": "colors", "place": "place", "rank": "rank", "record": "record", "deck type": "type", "type": "type",
    "team": "team", "country": "country", "dci": "number", "player id": "number", "id": "number", "url": "source",
    "link": "source", "set": "set", "price": "price", "last updated": "date", "game": "game", "deck": "name",
}  # fmt: skip

_STRUCK = late(r"(?:[-*]\s+)?(?:\d{1,3}\s?x?\s+)?~~[^~]+~~(?:\s+x?\d{1,3})?")
_BRACKETED_ZONES = frozenset({"side", "maybe", "tokens", "companion", *LEADER_KINDS})
_FENCE = late(r"(?:```|~~~).*")
_BULLET = late(r"(?:[*+–—-]\s+|\\item\b\s*|[•‣⁃∙·・･◦▪▫●○◯◆◇■□▢▶►▷➢➤➔→»›❖※✦✧⁎∗]+\s*)(?=\S)|\*(?=\d+\s?x?\s)")
_WORD_BULLET = (
    late(  # as word processors write them, also where a font is missing: `o`, `§`, a private sign, `a)`
        r"(?:[^\w\s\"“«(\[{<#;|+-]{1,2}|[oOüØqvn§]|[ivx]{1,4}[.)]|\(?[a-zA-Z][.)])\t\s*(?=\S)"
        r"|(?:[^\w\s\"“«(\[{<#;|+=-]|[oO]|[ivx]{1,4}[.)]|\(?[a-zA-Z][.)])\s+(?=\d{1,3}\s?[x×]?\s+[^\W\d_])"
    )
)
_NUMBERED = late(r"(?P<number>\d{1,3})[.)]\s+(?=\S)")
_CHECK_BOX = late(r"(?:\[[ xX✓✔]?\]|[☐☑☒✅✔✓🗹🗷])\ufe0f?\s+(?!\()(?=\S)")
_KEYCAP = late(r"(\d)\ufe0f?\u20e3")
_CIRCLED = {ord(sign): f"{place % 10 + 1} " for place, sign in enumerate("①②③④⑤⑥⑦⑧⑨⑩❶❷❸❹❺❻❼❽❾❿")}
_WIDE_SIGNS = {
    ord(wide): plain for wide, plain in zip("：（）［］【】＊，；＝－", ":()[][]*,;=-", strict=True)
}
# Arrows, boxes, dingbats and emoji; no sign of mathematics, no number, none of the signs for times.
_PICTURES = r"[\u2190-\u21ff\u2300-\u245f\u2500-\u2714\u2717-\u2775\u2794-\u2bff\ufe0f\U0001f000-\U0001faff]"
_PICTURE = late(rf"{_PICTURES}+\s*(?=[^\W_]|[\[(\"'“«])")
_WIKI_COUNTED = late(r"\[\[([^\[\]]+)\]\]\s*[:=-]?\s*[(\[]?[x×]?(\d{1,3})[x×]?[)\]]?", re.I)
_WIKI = late(r"\[\[(.+?)\]\](?!\])")
_EMPHASIS = late(
    r"(?P<before>(?:\d{1,3}\s?x?\s+)?)(?P<sign>\*{1,3}|_{1,3}|`+)(?P<inside>[^\s*_`](?:.*?\S)??)(?P=sign)(?P<after>(?:\s.*)?)"
)
_TAG = late(r"</?(?:li|ul|ol|p|div|span|b|i|em|strong|td|tr|br)(?:\s[^<>]*)?/?>", re.I)
_BRACKET_ZONE = late(
    r"(?P<count>(?:\d{1,3}\s?x?\s+)?)[\[(](?P<zone>[^\[\]()]{1,30})[\])]\s*:?\s+(?P<rest>\S.*)", re.I
)
_ZONE_BEHIND = late(
    r"(?P<rest>\S.*?)\s+[\[({<](?P<zone>[^\[\](){}<>]{2,30})[\])}>](?P<marks>(?:\s+[*#]\S+)*)"
)
_NEVER_A_NAME = frozenset(
    map(fold, ("commander", "commanders", "cmdr", "kommandeur", "commandant", "comandante", "dowódca", "командир", "統率者", "지휘관", "指挥官", "指揮官",
               "companion", "oathbreaker", "second leader"))
)  # fmt: skip
"""Words for leading zones that, in brackets behind a name, say its zone; `Kite (Hero)` may be a name."""
_SHORT_ZONE = late(r"(?P<zone>sb|mb)\s*[-–:.]?\s*(?P<rest>\d{1,3}\s?x?\s+\S.*)", re.I)
_QUOTE = late(r"(?:>\s?)+")
_LINK = late(
    r"\[((?:[^\[\]]|\[[^\[\]]*\])+)\]\((?:https?:|/|#|www\.)[^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)",
    re.I,
)
_BBCODE = late(
    r"\[/?(?:b|i|u|s|url|color|size|card|cards|deck|list|spoiler|quote|center|img)(?:=[^\]]*)?\]", re.I
)
_STRONG = late(r"(\*\*|__)(\d+\s?x?)\1", re.I)
_HASH_NUMBER = late(r"#(?P<number>\d+)\s+(?=\d+\s?x?\s)")
_HASH_COUNT = late(r"#(?P<count>\d{1,3})x?\s+(?P<name>[^\W\d_].*)")
_SLASHES = late(r"//+\s*(?P<text>.*)")
_HASHES = late(r"(?P<hashes>#+)\s*(?P<text>.*?)\s*#*")
_KEY = late(r"(?P<key>[^\W\d_][^\W\d_ ]*(?: [^\W\d_]+){0,3})\s*(?P<sign>[:=：])\s*(?P<value>\S.*)")
_PREFIX = late(r"(?P<zone>[^\W\d_][\w '&-]{0,30}?)\s*:\s*(?P<rest>\S.*)")
_BORDER = late(r"\+[-=:]+(?:\+[-=:]*)*")
_RULE = late(r"={3,}|-{2,}|\*{3,}|_{3,}|~{3,}|[–—―─━═]+|[.·•]{3,}|\+{3,}|(?:[-=*] ){2,}[-=*]")
_SUM = r"(?:total|(?:ins)?gesamt|totale|totaal|razem|suma|łącznie|итого|всего|合計|合计|总计|總計|总数|總數|총|총합|합계|총계)"
_FILLED = r"(?:\s*(?:[:=：|,;*>~–—-]|\.{2,}|[…·_]+)+\s*|\s+)"
"""What separates the words for a sum from its number: signs, rows of dots, or spaces."""
_ALL_CARDS = r"(?:cards|karten|cartes|cartas|carte|kart|карт|枚|장|张|張)"
# `Gesamtzahl der Karten`, `Nombre total de cartes`, `Cartas totales`, `Carte totali`
_SUM_OF_CARDS = (
    rf"(?:(?:gesamt(?:e|zahl|anzahl)?|(?:karten)?anzahl|nombre(?: total)?|número(?: total)?|numero(?: totale)?|cantidad(?: total)?|liczba|łączna liczba|total|totale|всего|итого)"
    rf"(?: (?:number of|der|de|di|das|von|of))? {_ALL_CARDS}|kartenanzahl|{_ALL_CARDS} (?:total(?:es|i|e|s)?|(?:ins)?gesamt|au total|en total|no total|in totale))"
)
_TOTAL = late(
    rf"(?:total(?: cards?| number of cards| deck)|cards(?: in deck| total)?|deck size|(?:total |number of |count of )?{_ALL_CARDS}|{_SUM_OF_CARDS}"
    rf"|{_SUM}(?: (?:de )?{_ALL_CARDS})?|{_ALL_CARDS} {_SUM}){_FILLED}(?P<count>\d{{1,6}})"
    rf"(?:\s*{_ALL_CARDS})?"
    r"|(?:(?:(?:card )?count|sum|size)\s*[:=：]|[=Σ∑])\s*(?P<count4>\d{1,6})|[(\[](?P<count5>\d{1,6}) cards[)\]]"
    rf"|(?P<count2>\d{{1,6}}){_FILLED}{_SUM}|(?P<count3>\d{{1,6}}) (?:total )?{_ALL_CARDS}(?: (?:total|in total|{_SUM}))?(?: \(.*\))?",
    re.I,
)
_FOOTER = late(
    r"\d+ (?:influence spent|agenda points)\b.*|cards up to \S.*|(?:deck ?list )?published on .*|layout (?:main|sideboard):.*"
    r"|made with .{0,40}\bfabrary.*|(?:generated|exported|created|built) (?:by|with|from|on|at|using) .*"
    r"|see the full deck .*|to use this deck, .*|\W*deck list generated by .*|\*{3,}.*\*{3,}|view this deck .*|-->?$|<!--.*",
    re.I,
)
_URL = late(r"(?:.*\s|\W*)?(?:https?://|www\.)\S+\W*", re.I)


# Most lines of most lists, told at once: a count, a name of nothing but letters and what joins them, a full mark.
_SIMPLE = late(
    r"(?P<count>\d{1,3})x? (?!x |of |cards|total(?: |$)|influence |agenda points|cop(?:y|ies) |pieces? |pcs |stück |(?:pcs|stk|szt|шт|ex)\. )"
    r"(?P<name>[^\W\d_][^\d\t\"#$%&()*+/:;<=>?@\[\]\\^_`{|}~×]*(?: \(\w{1,8}\) [A-Z]{0,3}\d{1,5}[a-z]?)?)",
    re.I,
)
_SUM_WORDS = frozenset(
    [
        "karten",
        "cartes",
        "cartas",
        "carte",
        "kart",
        "карт",
        "total",
        "gesamt",
        "insgesamt",
        "totale",
        "totaal",
        "razem",
        "suma",
        "łącznie",
        "итого",
        "всего",
    ]
)
_WIDE = "   "
"""Between words this separates columns; it is not a typing mistake."""
_SIMPLE_NAME = late(r"[A-Za-z][A-Za-z',.! -]*")


def tokenize(
    number: int, raw: str, line: str, vocabulary: Vocabulary, dialect: Dialect, *, numbered: bool = True
) -> LineToken:
    """Tell what the line is, by itself and by what is certain in its file; `line` is `raw`, tidied.

    numbered: the numbers before lines (`3. Kite`) run on and count lines; else they may be copies
    """
    simple = _SIMPLE.fullmatch(line) if _WIDE not in line and not line.endswith(" x") else None
    if simple and _SUM_WORDS.isdisjoint(simple["name"].lower().split()):
        return LineToken(LineKind.COUNTED, number, raw, text=simple["name"], count=simple["count"])
    if len(raw) > LONGEST_LINE:
        return _long(number, raw)
    if not line:
        return LineToken(LineKind.BLANK, number, raw)
    if _SIMPLE_NAME.fullmatch(line) and _WIDE not in line and not _FOOTER.fullmatch(line):
        header = read_header(line, vocabulary)
        return LineToken(
            LineKind.BARE if header is None else LineKind.HEADER, number, raw, text=line, header=header
        )
    place = None if numbered else list_number(line)
    if _STRUCK.fullmatch(line):
        count, name = split_count(squeeze(line.replace("~~", " ")).strip(" -*"))
        kind = LineKind.BARE if count is None else LineKind.COUNTED
        return LineToken(kind, number, raw, text=name, count=count, fault="it is struck out")
    bare = unmark(line)
    if line and not bare:
        return LineToken(LineKind.OTHER, number, raw, text=line)
    token = _undressed(number, raw, bare, vocabulary, dialect)
    if place is None or token.kind is not LineKind.BARE:
        return token
    fault = f"`{place}.` does not number the lines; if it is the count, write `{place} {token.text}`, else `{token.text}`"
    return structs.replace(token, kind=LineKind.COUNTED, count=str(place), fault=fault)


def _undressed(number: int, raw: str, line: str, vocabulary: Vocabulary, dialect: Dialect) -> LineToken:
    """Tell what a line is that nothing stands round any more; full-width signs make headers and counts, too."""
    if line.startswith("|") and line.count("|") > 1:
        line = " | ".join(cell.strip() for cell in line.strip("| ").split("|"))
        line = line if " | " in line else unmark(line)  # `| *Sideboard* | |`
    token = _by_its_signs(number, raw, line, vocabulary, dialect)
    plain = line if line.isascii() else line.translate(_WIDE_SIGNS)
    if plain == line or token.kind is not LineKind.BARE:
        return token
    read = _by_its_signs(number, raw, plain, vocabulary, dialect)
    return read if read.kind is not LineKind.BARE or read.tail else token


def _by_its_signs(number: int, raw: str, line: str, vocabulary: Vocabulary, dialect: Dialect) -> LineToken:
    if not line:
        return LineToken(LineKind.BLANK, number, raw)
    if _RULE.fullmatch(line):
        return LineToken(LineKind.RULE, number, raw, text=line[0])
    if _BORDER.fullmatch(line) or _FENCE.fullmatch(line) or _FOOTER.fullmatch(line):
        return LineToken(LineKind.OTHER, number, raw, text=line)
    comment = _comment(number, raw, line, vocabulary)
    if comment is None and len(line) > LONGEST_CARD and not _key(number, raw, line):
        return LineToken(LineKind.TOO_LONG, number, raw, text=raw[:40])
    return comment or _content(number, raw, line, vocabulary, dialect)


def _long(number: int, raw: str) -> LineToken:
    """Read a line too long for a card: where piles lie on the table, a comment, a description; else nothing that is read."""
    head = raw[:LONGEST_CARD].lstrip("\ufeff \t*>")
    if head.startswith(("//", "#", ";")):
        return LineToken(LineKind.COMMENT, number, raw, text=squeeze(head.lstrip("/#; ")))
    key = _KEY.match(head)
    if _FOOTER.fullmatch(head) or (key and squeeze(key["key"]).lower() in _KEYS):
        return LineToken(LineKind.OTHER, number, raw, text=squeeze(head))
    return LineToken(LineKind.TOO_LONG, number, raw, text=raw[:40])


def unmark(line: str) -> str:
    """Take off what mail, Markdown, wikis and forums put round a line, and the bullets and boxes before it."""
    if line.startswith(">"):
        line = _QUOTE.sub("", line, count=1)
    if "](" in line:
        line = _LINK.sub(r"\1", line)
    if "[[" in line:
        line = _WIKI_COUNTED.sub(r"\2 [[\1]]", line)
        line = _WIKI.sub(lambda link: re.split(r"(?<! )\|", link[1])[0], line)  # `[[page|words]]`
    if "[/" in line:
        line = _BBCODE.sub("", line).strip()
    if "<" in line:
        line = _TAG.sub("", line).strip()
    if "&" in line and ";" in line:
        line = html.unescape(line)
    line = _STRONG.sub(r"\2", line)
    line = _without_bullets(line) if not _RULE.fullmatch(line) else line
    match = _EMPHASIS.fullmatch(line)
    if match and (match["before"] or split_count(match["inside"])[0] or match["sign"] not in ("**", "__")):
        line = f"{match['before']}{match['inside']}{match['after']}"  # `**Sideboard**` alone is a header
    return line


def _without_bullets(line: str) -> str:
    """Take off bullets, numbers, check boxes and pictures, one after the other; something always stays."""
    line = _KEYCAP.sub(r"\1 ", line)
    for _ in range(4):
        forms = (_BULLET, _CHECK_BOX, _NUMBERED, _PICTURE, _WORD_BULLET)
        match = next(filter(None, (form.match(line) for form in forms)), None)
        if match is None:
            break
        line = line[match.end() :]
    return line[0].translate(_CIRCLED) + line[1:].lstrip() if line[:1] and ord(line[0]) in _CIRCLED else line


def is_item(line: str) -> bool:
    """Tell whether the line is an item of a list: a bullet, a number or a box to check stands before it."""
    return any(form.match(line) for form in (_BULLET, _CHECK_BOX, _NUMBERED, _WORD_BULLET))


_TIME = r"\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?\s?m\.?|\s?uhr)?"
_DATE = r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}\.?\s[^\W\d_]{3,9}\.?\s\d{4}|[^\W\d_]{3,9}\.?\s\d{1,2},?\s\d{4})"
_WHEN = rf"(?:{_TIME}(?:,?\s+(?:on\s+)?{_DATE})?|{_DATE},?\s+(?:at\s+|um\s+|à\s+)?{_TIME}|{_DATE})"
_WHO = r"(?:<[^<>]{1,40}>\s*:?|[^\s:\d\[\]][^:\[\]]{0,40}:)"
_MESSAGE = late(
    rf"(?:[\[(]\s*{_WHEN}\s*[\])]\s*(?:[-–—|]\s*)?(?:{_WHO}\s*)?|(?:{_DATE}(?:,?\s+(?:at\s+|um\s+|à\s+)?|T){_TIME}|{_TIME},?\s+{_DATE}|\d{{1,2}}[:h]\d{{2}}(?::\d{{2}})?(?:\s?[ap]\.?m\.?)?)\s*(?:[-–—|]\s*)?{_WHO}\s*"
    rf"|(?!\d)[^\[\]:]{{1,40}}\s[\[(]\s*{_WHEN}\s*[\])]\s*:\s*|[\[(](?!\d)[^\[\]():,]{{1,40}},\s*{_WHEN}\s*[\])]\s*:?\s*"
    rf"|(?!\d)[^\[\]:,]{{1,40}}(?:,|\s[–—-])\s*(?:{_DATE},?\s+)?{_TIME}\s*:\s+)",
    re.I,
)
_SENT = late(
    rf"(?!\d)[^\[\]:]{{1,40}}?(?:,?\s[\[(]\s*{_WHEN}\s*[\])]|\s[–—-]\s(?:[^\W\d_]{{2,12}}\s(?:at|um|à)\s{_TIME}|{_DATE},?\s{_TIME}))\s*:?",
    re.I,
)


def without_message_head(line: str) -> str:
    """Return the line without the time and the sender that a chat program writes before it.

    >>> without_message_head("[12:03, 24/05/2024] Tom: 4 Kite"), without_message_head("24.05.24, 12:03 - Tom: 4 Kite")
    ('4 Kite', '4 Kite')
    >>> without_message_head("Tom, [24.05.2024 12:03]"), without_message_head("Soul [Exodus 15:16 - K]")
    ('', 'Soul [Exodus 15:16 - K]')
    """
    if not _TIMED.search(line):
        return line
    return "" if _SENT.fullmatch(line) else _MESSAGE.sub("", line, count=1) if _MESSAGE.match(line) else line


_TIMED = late(r"\d{1,2}[:.h]\d{2}|\d[./-]\d{1,2}[./-]\d")


def list_number(line: str) -> int | None:
    """Give the number before a line that has no count besides: `3. Kite`; it counts lines, or copies.

    >>> list_number("3. Kite"), list_number("- 3) Kite"), list_number("3. 4 Kite"), list_number("3 Kite")
    (3, 3, None, None)
    """
    if "." not in line and ")" not in line:
        return None
    bullet = _BULLET.match(line)
    line = line[bullet.end() :] if bullet else line
    match = _NUMBERED.match(line)
    return int(match["number"]) if match and split_count(line[match.end() :])[0] is None else None


def _comment(number: int, raw: str, line: str, vocabulary: Vocabulary) -> LineToken | None:
    """`//` and `#` begin a comment, unless its words head a zone, hold a key or it is a numbered card."""
    numbered = _HASH_NUMBER.match(line)
    if numbered:
        count, name = split_count(line[numbered.end() :])
        return LineToken(LineKind.COUNTED, number, raw, text=name, count=count, key=numbered["number"])
    glued = _HASH_COUNT.fullmatch(line)
    if glued:
        count, name = glued["count"], glued["name"]
        doubt = f"is `{count}` the count? write `{count} {name}`, else `{name}`, or `# {count} {name}` for a comment"
        return LineToken(LineKind.BARE, number, raw, text=name, fault=doubt)
    match = _SLASHES.fullmatch(line) or _HASHES.fullmatch(line) or re.fullmatch(r";+\s*(?P<text>.*)", line)
    if not match:
        return None
    text = match["text"]
    if line.startswith(";") and _COUNT_AND_NAME.match(text):
        doubt = f"a card, or a comment? write `{text}` or `# {text}`"
        count, name = split_count(text)
        return LineToken(LineKind.COUNTED, number, raw, text=name, count=count, fault=doubt)
    heading = len(match.groupdict().get("hashes") or "") > 1
    header = read_header(text, vocabulary, shaped=heading)
    if header is not None and (header.known or heading):
        return LineToken(LineKind.HEADER, number, raw, text=text, header=header)
    return _key(number, raw, text, comment=True) or LineToken(
        LineKind.COMMENT, number, raw, text=squeeze(text), header=header
    )


def _key(number: int, raw: str, line: str, *, comment: bool = False) -> LineToken | None:
    """`Format: …`; a `Name` names the deck in a comment, in capitals or before `=`, else it is the player's."""
    match = _KEY.fullmatch(line)
    meaning = _KEYS.get(squeeze(match["key"]).lower()) if match else None
    if match is None or meaning is None:
        return None
    if meaning == "name-or-player" and (comment or match["sign"] == "=" or match["key"].isupper()):
        meaning = "name"
    return LineToken(LineKind.KEY, number, raw, text=squeeze(match["value"]), key=meaning)


def _content(number: int, raw: str, line: str, vocabulary: Vocabulary, dialect: Dialect) -> LineToken:
    if re.fullmatch(r"\d{1,3} x", line):  # a count whose card is on the next line
        return LineToken(LineKind.BARE, number, raw, text=line)
    total = _TOTAL.fullmatch(line.replace("**", ""))
    if total:
        return LineToken(LineKind.TOTAL, number, raw, text=line, count=next(filter(None, total.groups())))
    prefixed = _zone_prefix(number, raw, line, vocabulary)
    if prefixed is not None:
        return prefixed
    keyed = _KEYED_CARD.fullmatch(line)
    if keyed:
        fault = f"write the count before the name, as in `{keyed['count']} {keyed['name']}`"
        return LineToken(LineKind.COUNTED, number, raw, text=keyed["name"], count=keyed["count"], fault=fault)
    count, name, doubt, fault = _split(line, dialect)
    if count is not None and _COPIES_BEHIND.fullmatch(line):
        return LineToken(LineKind.BARE, number, raw, text=name, whole=line, tail=count)
    if count is not None:
        capital = _CAPITAL_X.fullmatch(line)
        whole, question = (line, _X_OR_COUNT) if capital and not doubt else ("", "")
        return LineToken(LineKind.COUNTED, number, raw, text=name, count=count, doubt=doubt, fault=fault, whole=whole, question=question)  # fmt: skip
    if doubt:
        return LineToken(LineKind.BARE, number, raw, text=name, doubt=doubt)
    return _key(number, raw, line) or _uncounted(number, raw, line, name, vocabulary)


_KEYED_CARD = late(
    r"(?:card ?)?name\s*[:=]\s*(?P<name>\S.*?)[\s,;|]+(?:qty|quantity|count|copies|anzahl|menge|cantidad|quantité)\s*[:=]?\s*(?P<count>\d{1,3})",
    re.I,
)
"""`Name: Kite, Quantity: 2`: a card, though `Name:` says what the deck is called."""
_COPIES_BEHIND = late(r"[^\W\d].*[:：]\s*\d{1,3}\s?[^\W\d_]+\.?")
"""`Kite: 3 pcs`, `予備: 2枚`: copies, or the header of that many cards."""
_CAPITAL_X = late(r"[^\W\d].*[a-z].* X \d{1,3}")
_X_OR_COUNT = "its `X` was read as a sign of the count; if it ends the name, write the count before it"


def _uncounted(number: int, raw: str, line: str, name: str, vocabulary: Vocabulary) -> LineToken:
    """Tell what a line without a count before its words is: a header, an address, a card, perhaps with a count behind."""
    head = head_count(line)
    if head is not None:
        return LineToken(LineKind.COUNTED, number, raw, text=head[1], count=head[0], whole=line)
    tail = tail_count(line) or _count_among_marks(line)
    header = read_header(line, vocabulary)
    if header is not None and (header.known or tail is None):
        return LineToken(LineKind.HEADER, number, raw, text=line, header=header)
    if _URL.fullmatch(line):
        return LineToken(LineKind.OTHER, number, raw, text=line)
    if tail is not None:
        return LineToken(LineKind.BARE, number, raw, text=tail[1], whole=line, tail=tail[0])
    behind = _CARD_BEHIND.fullmatch(line)
    if behind:
        doubt = f"nothing says what `{behind['head'].strip()}` is; write `{behind['card']}`"
        return LineToken(LineKind.BARE, number, raw, text=name, doubt=doubt)
    prefix = _PREFIX.fullmatch(line)
    if prefix and _COUNT_AND_NAME.match(prefix["rest"]):
        doubt = f"`{squeeze(prefix['zone'])}` is not a known part of a deck; write `{prefix['rest']}`, below a header if it is a part"
        return LineToken(LineKind.BARE, number, raw, text=name, doubt=doubt)
    glued = re.fullmatch(r".*[^\W\d_].*\d[,;](?P<count>\d{1,3})", line)
    doubt = f"is {glued['count']} the count? write it before the name" if glued else ""
    columns = re.split(r" {2,}", line) if _WIDE in line else []
    question = _COLUMNS if columns and all(column[0].isalnum() for column in columns) else ""
    return LineToken(LineKind.BARE, number, raw, text=name, doubt=doubt, question=question)


_CARD_BEHIND = late(
    r"(?P<head>@\S+\s|[^:>\]\d][^:>\]]{0,40}[)>]\s?:?\s|\S[^:]{0,40}?>\s)\s*(?P<card>\d{1,2}\s?[x×]?\s+[^\W\d_].*)"
)
"""A card behind the name of a sender: `Tom> 4 Kite`, `@Tom 4 Kite`, `Tom (away): 4 Kite`."""
_COLUMNS = "its columns were read as one card; if they are several cards, write one on a line"


def _count_among_marks(line: str) -> tuple[str, str] | None:
    """Part a count from a name with marks behind both: `Kite x3 [ABC]`, `Kite (3) *F*`; the marks stay with the name."""
    for reading in peel(line).readings[1:]:
        count, name = split_count(reading.name)
        parted = (count, name) if count is not None else tail_count(reading.name)
        if parted and reading.certain and reading.name in line:
            return parted[0], line.replace(reading.name, parted[1], 1)
    return None


def _zone_prefix(number: int, raw: str, line: str, vocabulary: Vocabulary) -> LineToken | None:
    """`SB: 2 Name`, `[SB] 2 Name`, `2 Name (sideboard)`, `Hero: Name`; `Sideboard: 3 cards` is a header, `Deck: Name` a title."""
    match = _PREFIX.fullmatch(line) or _SHORT_ZONE.fullmatch(line)
    if match and vocabulary.is_header(match["zone"]):
        if read_header(line, vocabulary):
            return None
        zone, rest = squeeze(match["zone"]), match["rest"]
        count, name = split_count(rest)
        return None if count is None and zone.lower() in _KEYS else _zoned(number, raw, zone, count, name)
    match = _BRACKET_ZONE.fullmatch(line)
    if not match or not _is_zone_mark(match["zone"], vocabulary):
        match = _ZONE_BEHIND.fullmatch(line)
        if not match or not _is_zone_behind(match["zone"], vocabulary):
            return None
    parts = match.groupdict()
    count, name = split_count((parts.get("count") or "") + match["rest"] + (parts.get("marks") or ""))
    return _zoned(number, raw, squeeze(match["zone"]), count, name)


def says_total(line: str) -> bool:
    """Return whether a line says how many cards a list has: `Total   60`."""
    return _TOTAL.fullmatch(squeeze(line)) is not None


def is_total(words: str) -> bool:
    """Tell whether words are those before a list's sum: `Total`, `Gesamt`."""
    return re.fullmatch(_SUM, words, re.I) is not None


def _is_zone_mark(words: str, vocabulary: Vocabulary) -> bool:
    """Whether words in brackets before a card say its zone: one of the format's own, or one that is not the deck's."""
    return vocabulary.zones.get(fold(words)) in vocabulary.ids or general_kind(words) in _BRACKETED_ZONES


def _is_zone_behind(words: str, vocabulary: Vocabulary) -> bool:
    """Return whether words in brackets behind a name are its zone: the format's own, or one that never ends a name."""
    key = fold(words)
    return key in map(fold, vocabulary.ids) or is_never_a_name(words) or could_be_aside(words)


def is_never_a_name(words: str) -> bool:
    """Return whether words head a zone and never end a name: `Commander`; `Hero` may end a name."""
    return fold(words) in _NEVER_A_NAME


def could_be_aside(words: str) -> bool:
    """Return whether words head a sideboard or a list of optional cards, and are hardly part of a name."""
    kind = general_kind(words)
    return kind == "side" or (kind == "maybe" and "maybe" in fold(words))


def _zoned(number: int, raw: str, zone: str, count: str | None, name: str) -> LineToken:
    tail = tail_count(name) if count is None else None
    if tail is not None:
        return LineToken(LineKind.COUNTED, number, raw, text=tail[1], count=tail[0], zone=zone, whole=name)
    return LineToken(
        LineKind.BARE if count is None else LineKind.COUNTED, number, raw, text=name, count=count, zone=zone
    )


def pieces(line: str) -> list[str]:
    """Part several cards on one line: `4 Kite, 3 Bell` or `Kite x4; Bell x3`; one piece where it is one card.

    >>> pieces("4 Kite, 3 Bell"), pieces("Kite x4; Bell x3"), pieces("1 Jace, the Mind")
    (['4 Kite', '3 Bell'], ['Kite x4', 'Bell x3'], ['1 Jace, the Mind'])
    >>> pieces("4 Kite (2 main, 2 side), 3 Bell"), pieces("4 Kite # 2 old, 2 new")
    (['4 Kite (2 main, 2 side)', '3 Bell'], ['4 Kite # 2 old, 2 new'])
    """
    if not _PARTING.search(line):
        return [line]
    parts = _split_outside_brackets(line)
    if len(parts) > 1 and all(_COUNT_AND_NAME.match(_ZONE_HEAD.sub("", part)) for part in parts):
        return parts
    return _counted_behind(line) or [line]


def _split_outside_brackets(line: str) -> list[str]:
    """Split a line before each card; no card begins in brackets or in a remark."""
    if _HIDING.isdisjoint(line):
        return _SEVERAL.split(line)
    masked = _BRACKETED.sub(lambda bracket: "~" * len(bracket[0]), line)
    masked = _REMARK.sub(lambda remark: "~" * len(remark[0]), masked)
    starts = [match.span() for match in _SEVERAL.finditer(masked)]
    edges = zip([0, *(end for _, end in starts)], [*(start for start, _ in starts), len(line)], strict=True)
    return [line[start:end] for start, end in edges]


_HIDING = frozenset("([{#/")


def without_remark_behind(line: str) -> str:
    """Return a card's line without the remark behind it: a comma in it separates neither cards nor cells.

    >>> without_remark_behind("4 Kite # great, 2 would be better"), without_remark_behind("4 Fire // Ice")
    ('4 Kite', '4 Fire // Ice')
    """
    remarked = ("#" in line or "//" in line) and _COUNT_AND_NAME.match(line.lstrip(" \t-*•"))
    return _REMARK.sub("", line) if remarked else line


_BRACKETED = late(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")
_REMARK = late(r"(?<=\S)\s+(?:#(?!\d)|//\s?[a-zß-ÿ]).*")


def _counted_behind(line: str) -> list[str]:
    """Part cards with their counts behind them, `Kite x4 | Bell x3`; none where the line is not made of them."""
    parts, at = [], 0
    while match := _NAME_AND_COUNT.match(line, at):
        parts.append(match["card"])
        at = match.end()
    return parts if len(parts) > 1 and at == len(line) else []


_PARTING = late(r"[,;•·|/+&，、；\t]|\s\s|\sand\s|[x×\d)\]]\s+(?:[-–—]\s+)?[^\W\d_].*[x×\d)\]]$", re.I)
_SEVERAL = late(
    r"\s*[,;•·，、；\t|]\s*(?=\d{1,2}\s?x?\s+\D)|\s+(?:[/+&]|and|und|u\.)\s+(?=\d{1,2}\s?x?\s+\D)|\s{2,}(?=\d{1,2}\s?x?\s[^\W\d_])"
    r"|(?:\s*[;\t|]\s*|,\s+|\s{2,})(?=[^\W\d_]{2,12}\s?[:：]\s*\d{1,2}\s?x?\s+[^\W\d_])",
    re.I,
)
_COUNT_AND_NAME = late(r"\d{1,2}\s?x?\s+[^\W\d_]", re.I)
_ZONE_HEAD = late(r"^[^\W\d_]{2,12}\s?[:：]\s*")
"""`SB: ` before a card in another column."""
_NAME_AND_COUNT = late(  # in capitals `X23` belongs to the name, unless a sign parts it from what follows
    r"(?P<card>[^\W\d_][^,;|\t]*?\s(?:(?:[x×]\s?\d{1,2}|\d{1,2}\s?[x×])(?=\s)|(?:[xX×]\s?\d{1,2}|\d{1,2}\s?[xX×])(?=\s*[,;|/•·、，；+&\t]|$)|[(\[][xX]?\d{1,2}[xX]?[)\]]))"
    r"(?:\s*[,;|/•·、，；+&\t]\s*|\s+(?:[-–—]\s+)?|$)(?=[^\W\d_]|$)"
)
_PRICE = late(r"[$€£¥₩₽]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[$€£¥₩₽]|zł|руб\.?|eur|usd|tix)|\d+[.,]\d{2}", re.I)


class _Parted(NamedTuple):
    """A line parted into its count (None: there is none) and its card, and what that leaves open, as a token says it."""

    copies: str | None
    name: str
    doubt: str = ""
    fault: str = ""


def _split(line: str, dialect: Dialect) -> _Parted:
    """Part count and name, columns first: `4<tab>Name<tab>SET<tab>picture`, `Name<tab>4<tab>$1.50`."""
    columns = [column.strip() for column in line.split("\t")]
    if len(columns) > 1:
        return _split_columns([column for column in columns if column])
    if dialect.count_last:
        match = re.fullmatch(r"(?P<rest>\S.*)\s(?P<count>\d+)", line)
        if match:
            return _Parted(match["count"], match["rest"])
    barred = re.fullmatch(
        r"(?P<count>\d{1,3}) ?x? ?\|(?P<name> [^\s|].*|[^\W\d_].*)", line
    )  # `3 | Name | Subtitle`
    if barred:
        return _split_bars(barred["count"], barred["name"].strip())
    count, name = split_count(line)
    if dialect.columns:
        name = re.split(r"\s{2,}(?=\d)", name, maxsplit=1)[0]
    if count is None:
        return _Parted(count, name)
    return _split_wide(count, name, is_column=_WIDE_BEHIND_COUNT.match(line) is not None)


def _split_bars(count: str, words: str) -> _Parted:
    """Read what follows `3 | `: a name, or a name and its subtitle. Anything unknown becomes a question."""
    words = re.sub(r"\s*\|\s*", " | ", words)
    words = re.sub(
        r" \| (?=(?:[*#^(\[{][^|]*\w[^|]*)$)", " ", words
    )  # a mark in the last cell: `*F*`, `# a remark`
    others = words.split(" | ")[1:]
    subtitle = others[0] if others else ""
    unknown = others[1:] if _is_subtitle(subtitle) else others
    return _Parted(count, words, *_left_over(unknown))


def _is_subtitle(cell: str) -> bool:
    """Return whether the cell behind a name could be its subtitle: not a number, a set code or a sorting word."""
    code = cell.isupper() and SET.fullmatch(cell)
    return (
        any(map(str.isalpha, cell))
        and not code
        and not is_only_a_count(cell)
        and fold(cell) not in _GROUP_WORDS
    )


_WIDE_BEHIND_COUNT = late(r"\d{1,3}\s?[xX×]? {2,}\S")


def _split_wide(count: str, name: str, *, is_column: bool) -> _Parted:
    """Read columns separated by wide spaces, with a set, marks and a price. Anything unknown becomes a question.

    is_column: the count has a wide space behind it, too, so two spaces are enough
    """
    first, *columns = re.split(r" {2,}", name)
    price = columns and _PRICE.fullmatch(columns[-1])
    if price:
        columns, name = columns[:-1], name.removesuffix(columns[-1]).rstrip()
    if (
        is_column
        and len(columns) in (1, 2)
        and (mark := _printing_of(columns))
        and (len(columns) == 1 or "#" in mark)
    ):
        return _Parted(count, f"{first} [{mark}]")
    unknown = [
        column
        for column in columns
        if column[0].isalnum() and (_WIDE in name or is_column or _CODE_WITH_A_DIGIT.fullmatch(column))
    ]
    return _Parted(count, name, *_left_over(unknown if first else []))


_CODE_WITH_A_DIGIT = late(r"(?=[A-Z]*\d)[A-Z][A-Z0-9]{1,4}")


def _split_columns(columns: list[str]) -> _Parted:
    """Read one card's line of columns; what no column says for sure is a doubt, a second count a fault."""
    counts = [place for place, column in enumerate(columns) if is_only_a_count(column)]
    if counts:
        columns = [column for column in columns if not _PRICE.fullmatch(column)]
        counts = [place for place, column in enumerate(columns) if is_only_a_count(column)]
    if len(columns) < _THREE:
        return _split_two_columns(columns, counted=bool(counts))
    number = columns[0].rstrip("xX ")
    if not re.fullmatch(r"-?\d+", number):
        if len(counts) == 1 and counts[0] == 1:
            return _Parted(columns[1].strip("xX×хХ "), columns[0], *_left_over(columns[2:]))
        return _Parted(None, " ".join(columns), "its columns could be several cards")
    mark = _printing_of(columns[2:])
    name = columns[1] if not mark or columns[1].endswith(f"[{mark}]") else f"{columns[1]} [{mark}]"
    count, rest = split_count(f"{columns[0]} {name}")
    return _Parted(count, rest, *([] if mark else _left_over(columns[2:])))


def _printing_of(columns: Sequence[str]) -> str:
    """Return a set and a number from the columns behind a name, as they are written in brackets; empty without a set."""
    if not columns or not (together := _SET_AND_NUMBER.fullmatch(columns[0])):
        return ""
    number = together["number"] or (columns[1] if len(columns) > 1 and NUMBER.fullmatch(columns[1]) else "")
    return f"{together['set']}#{number}" if number else together["set"]


_SET_AND_NUMBER = late(r"(?P<set>(?=\S*[A-Z])[A-Z0-9_]{1,8})(?:\s+#?(?P<number>[A-Z]{0,3}\d{1,4}[a-z]?))?")


_THREE = 3


def _split_two_columns(columns: list[str], *, counted: bool) -> _Parted:
    """Read a line of one column or two. counted: one of them is a count and nothing else."""
    count, name = split_count("\t".join(columns))
    if len(columns) == 1:
        return _Parted(count, squeeze(name))
    first = split_count(columns[0])
    if first[0] is not None and is_only_a_count(columns[1]):
        return _Parted(*first, fault="it has two counts; write one, before the name")
    if count is None:
        return _Parted(None, squeeze(name), "a tab stands between; is it one card or two?")
    if counted:
        return _Parted(count, squeeze(name))
    name = columns[0] if is_only_a_count(columns[0]) else first[1]
    return _Parted(first[0] or count, squeeze(name), _left_over(columns[1:])[0])


def _left_over(columns: list[str]) -> tuple[str, str]:
    """Say that nobody knows what columns are: a doubt, or a fault where a number among them could be another count."""
    if not columns:
        return "", ""
    shown = " and ".join(f"`{column[:20]}`" for column in columns)
    words = f"nothing says what {shown} {'is' if len(columns) == 1 else 'are'}"
    return ("", words) if any(is_only_a_count(column) for column in columns) else (words, "")
