"""Which lines of a plain text are headers, and how many cards they say stand below."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tourney.cards.names import fold
from tourney.decks.reading.text import squeeze
from tourney.decks.vocabulary import Vocabulary

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
GROUP_WORDS = frozenset(fold(word) for word in _SORTING.split(","))

_CARDS = r"(?i:\s*(?:cards?|copies|total|vampires?|karten|cartes?|cartas|kart[ay]?|карт[аы]?|枚|장|张|張))?"
_COUNTED = (
    re.compile(
        rf"(?P<words>.*?\S)\s*[(\[]\s*(?P<count>\d{{1,6}}){_CARDS}(?:\s*[;,/].*|\s+[^()\[\]]*)?[)\]]\s*:?(?:\s+[Cc]apacity\b.*)?"
    ),
    re.compile(rf"(?P<words>.*?[^\s:–-])\s*(?P<mark>[:–-])\s*(?P<count>\d{{1,6}}){_CARDS}"),
    re.compile(r"(?P<words>.*?\S)\s+(?P<count>\d{1,6})\s*cards"),
    re.compile(r"(?P<words>.*?[^\s\d])\s*(?P<count>\d{1,6})\s?[枚장张張]"),
)
_MARKED = (
    re.compile(r"\[(?P<words>[^\[\]]+)\]:?"),
    re.compile(r"(?:\*\*|__)(?P<words>[^*_].*?)(?:\*\*|__)\s*:?"),
    re.compile(r"(?P<rule>[-=*~_+]{2,})\s*(?P<words>[^\s\-=*~_+].*?)\s*[-=*~_+]{2,}"),
    re.compile(r"!(?P<words>\w+)"),
)
_LIKE_A_HEADER = re.compile(r"(?:\S+ ){0,4}(?:cards|deck|board|pool|pile|zone)", re.I)
_TELLING = re.compile(r"[^\w\s'’&/+.-]|\d|--|__")
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
        known = vocabulary.is_header(line)
        return (
            Header(squeeze(line), zone=known, group=not known) if known or fold(line) in GROUP_WORDS else None
        )
    words, marked = _unwrap(line)
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
    found = _COUNTED[0].fullmatch(words)
    return Header(squeeze(found["words"]), int(found["count"])) if found else None


def _unwrap(line: str) -> tuple[str, bool]:
    for form in _MARKED:
        found = form.fullmatch(line)
        if found:
            return found["words"].strip(), True
    return line, False


def _recognize(
    words: str, vocabulary: Vocabulary, *, shaped: bool, count: int | None = None
) -> Header | None:
    bare = squeeze(words.rstrip(":").strip().strip("【】"))
    if not bare or not any(letter.isalpha() for letter in bare):
        return None
    zone = vocabulary.is_header(bare)
    group = not zone and fold(bare) in GROUP_WORDS
    if zone or group:
        return Header(bare, count, zone=zone, group=group, shaped=shaped)
    if (shaped or words.endswith(":")) and not bare.startswith(("http", "//")):
        return Header(bare, count, shaped=True)
    return None


def _recognize_counted(words: str, vocabulary: Vocabulary, *, shaped: bool) -> Header | None:
    for form in _COUNTED:
        found = form.fullmatch(words)
        if not found:
            continue
        colon = found.groupdict().get("mark") == ":"
        header = _recognize(found["words"], vocabulary, shaped=shaped or colon, count=int(found["count"]))
        if header is not None:
            return header
    return None
