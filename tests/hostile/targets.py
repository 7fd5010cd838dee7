"""The targets of the fuzz tests: functions that read outside data, and all kinds of damage to this data.

A target reads bytes, and shows and uses the result. It may refuse the bytes with a `TourneyError` that names
the place of the fault, if the reader promises one. Anything else is a failure. Input `n` is the same in every
run, so a failure can be repeated by its number.
"""

from __future__ import annotations

import contextlib
import copy
import gc
import gzip
import io
import json
import mmap
import os
import random
import re
import resource
import shutil
import signal
import socket
import struct
import sys
import tempfile
import threading
import time
import tomllib
import traceback
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import Any

import tomli_w

from tests.desk.kit import Dice, library, new_desk, play
from tests.hostile.fuzz import NUMBERS, PIECES, away, transcript_files
from tests.kit import ROOT
from tests.pairing.proofs import SCRIPT
from tests.store.workbooks import workbook
from tourney.desk import Workplace, check, export, import_event, import_players, salvage, submit_deck
from tourney.errors import TourneyError

SECONDS = 2.0
"""Of processor time for one input."""
MEMORY = 768 << 20
"""Bytes that one process may take on top of what it had before the first input."""
LONGEST = 300_000
"""Bytes of one input; each reader's own limit of size has tests of its own."""
LONGEST_SAID = 20_000
"""Letters of a refusal: what it quotes, it quotes in part."""

DAY = date(2026, 11, 20)
FORMATS = (
    "red-diamond/standard",
    "redline/standard",
    "redline/scramble",
    "dimrift/classic",
    "diamonsters/standard",
    "kingdoms/standard",
)

Enter = Callable[[bytes, random.Random], object]


@dataclass(frozen=True)
class Target:
    """A reader of outside data.

    seeds: undamaged files; enter: reads and uses bytes; weight: the share of inputs; names: how a refusal
    begins
    """

    seeds: Sequence[bytes]
    enter: Enter
    weight: int = 10
    names: str = ""


# -- damage

ODD = (
    None, True, False, 0, -1, 1, 2, 999, 2**31, 2**63, 10**29, 10**40, -(10**40), 0.5, -0.5, 1e308, 1e-300,
    "", " ", "x", "0", "-1", "½", "\u202e", "\x00", "é", "e\u0301", "日本", "ﬁ", "K", "ſ", "\ud800",
    "x" * 5_000, "9" * 5_000, "a.b.c", "2026-02-30", "2026-01-01", "<b>", "=1+1", "{}", "[]", "%s", "../x",
    "/", [], {}, [[]], [None], [0, 0], {"": None}, {"x": {}}, {"name": ["x"]},
)  # fmt: skip
TOKENS = (
    *(character.encode("utf-8", "surrogatepass") for character in ("\u2028", "\x85", "\u200b", "\u202e",
        "e\u0301", "ﬁ", "Ⅳ", "½", "⅓", "٣", "𝟛", "\U0001f600", "\U000e0001", "İ", "ß", "ﷺ", "\ud800",
        "\ufeff", "\uffff", "\U0010ffff")),
    b"\n\n", b"\r\n", b"\x0b", b"\x0c", b"\x00", b"\x1b[2J", b"//", b"#", b"x" * 2_000, b"(" * 300,
    b"[" * 300, b"\"" * 3, b"'''", b"4x", b"x4", b"[[", b"]]", b" = ", b" - ", b"<![foo[", b"<!--",
    b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"&a;", b"&#0;", b"&#xD800;", b"<?x", b"]]>", b"SB:", b"Deck",
    b"Sideboard", b"{", b"}", b"%00", b"\\u0000", b"\\", b"1e9999", b"0x10", b"1_0", b"-0", b"+1", b"1/0",
    b"nan", b"inf", b"1979-05-27T07:32:00Z", b"true", b"null",
)  # fmt: skip


def mutant(dice: random.Random, seeds: Sequence[bytes]) -> bytes:
    """Return a seed with a few kinds of damage: to bytes, lines, cells, structure or encoding."""
    body = dice.choice(seeds)
    if dice.random() < 0.6:
        bent = _bent_structure(dice, body)
        if bent is not None and dice.random() < 0.8:
            return bent[:LONGEST]
    for _ in range(dice.choice((1, 1, 1, 1, 2, 3, 6))):
        body = dice.choice(_INJURIES)(dice, body, seeds)[:LONGEST]
    return body


def _span(dice: random.Random, body: bytes) -> tuple[int, int]:
    at = dice.randrange(len(body) + 1)
    return at, min(len(body), at + dice.choice((1, 1, 2, 4, 8, 20, 40, 400, len(body))))


def _cut(dice, body, _):
    at, to = _span(dice, body)
    return body[:at] + body[to:]


def _ended(dice, body, _):
    return body[: dice.randrange(len(body) + 1)]


def _doubled(dice, body, _):
    at, to = _span(dice, body)
    return body[:to] + body[at:to] * dice.choice((1, 2, 50)) + body[to:]


def _turned(dice, body, _):
    damaged = bytearray(body)
    for _ in range(dice.choice((1, 1, 3, 20)) if body else 0):
        damaged[dice.randrange(len(body))] ^= 1 << dice.randrange(8)
    return bytes(damaged)


def _spliced(dice, body, seeds):
    other = dice.choice(seeds)
    at, (begin, end) = dice.randrange(len(body) + 1), _span(dice, other)
    return body[:at] + other[begin:end] + body[at:]


def _put_in(dice, body, _):
    at = dice.randrange(len(body) + 1)
    pieces = PIECES if dice.random() < 0.3 else TOKENS
    return body[:at] + dice.choice(pieces) + body[at:]


def _numbered(dice, body, _):
    numbers = list(re.finditer(rb"\d+", body))
    if not numbers:
        return body
    first, last = dice.choice(numbers).span()
    return body[:first] + dice.choice(NUMBERS).encode() + body[last:]


def _lines(dice, body, _):
    lines = body.split(b"\n")
    one, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    how = dice.randrange(5)
    if how == 0:
        del lines[one]
    elif how == 1:
        lines.insert(other, lines[one])
    elif how == 2:
        lines[one], lines[other] = lines[other], lines[one]
    elif how == 3:
        lines[one] += b" " + lines[other]
    else:
        lines[one:other] = reversed(lines[one:other])
    return b"\n".join(lines)


def _many(dice, body, _):
    """Repeat a few lines up to a large file, unchanged or with new names and numbers."""
    if dice.random() < 0.93:
        return _lines(dice, body, _)
    lines = body.split(b"\n")
    at = dice.randrange(len(lines))
    part = b"\n".join(lines[at : at + dice.choice((1, 1, 2, 4))]) + b"\n"
    times, word = min(2_000, 30_000 // len(part)), dice.choice((rb"[A-Za-z]{3,}", rb"\d+", rb"[^\s\S]"))
    copies = [re.sub(word, rb"\g<0>%d" % number, part, count=1) for number in range(times)]
    return b"\n".join(lines[:at]) + b"\n" + b"".join(copies) + b"\n".join(lines[at:])


def _cells(dice, body, _):
    lines = body.split(b"\n")
    at = dice.randrange(len(lines))
    mark = dice.choice((b",", b";", b"\t", b" ", b"|"))
    cells = lines[at].split(mark)
    one, other = dice.randrange(len(cells)), dice.randrange(len(cells))
    how = dice.randrange(4)
    if how == 0:
        cells[one], cells[other] = cells[other], cells[one]
    elif how == 1:
        cells.insert(one, dice.choice(NUMBERS).encode())
    elif how == 2:
        cells[one] = dice.choice(TOKENS)
    else:
        del cells[one]
    lines[at] = mark.join(cells)
    return b"\n".join(lines)


def _recoded(dice, body, _):
    text = body.decode("utf-8", "replace")
    how = dice.choice(("utf-16", "utf-16-le", "utf-8-sig", "cp1252", "utf-32", "upper", "wide", "cr"))
    if how == "upper":
        return text.upper().encode()
    if how == "wide":
        return "".join(
            chr(ord(character) + 0xFEE0) if "!" <= character <= "~" and dice.random() < 0.2 else character
            for character in text
        ).encode()
    if how == "cr":
        return body.replace(b"\n", dice.choice((b"\r", b"\r\n", b"\x85", b"\xe2\x80\xa8")))
    return text.encode(how, "replace")


_INJURIES = (
    _cut,
    _ended,
    _doubled,
    _turned,
    _turned,
    _spliced,
    _put_in,
    _put_in,
    _numbered,
    _lines,
    _many,
    _cells,
    _recoded,
)


def _bent_structure(dice: random.Random, body: bytes) -> bytes | None:
    """Change a value in JSON, JSON Lines or TOML; return None for other bytes."""
    kind, value = _parsed(body)
    if kind == "":
        return None
    value = copy.deepcopy(value)
    for _ in range(dice.choice((1, 1, 2, 4))):
        value = _bent(dice, value)
    with contextlib.suppress(Exception):  # what TOML cannot say at all
        if kind == "toml":
            return tomli_w.dumps(value).encode("utf-8", "surrogatepass")
        if kind == "jsonl":
            return b"\n".join(json.dumps(item).encode() for item in value)
        return json.dumps(value, indent=dice.choice((None, 1)), ensure_ascii=dice.random() < 0.5).encode(
            "utf-8", "surrogatepass"
        )
    return None


@cache
def _parsed(body: bytes) -> tuple[str, Any]:
    with contextlib.suppress(ValueError):
        return "json", json.loads(body)
    lines = body.split(b"\n")
    if lines[0].startswith(b"{"):
        with contextlib.suppress(ValueError):
            return "jsonl", [json.loads(line) for line in lines if line.strip()]
    with contextlib.suppress(ValueError):
        value = tomllib.loads(body.decode())
        if value:
            return "toml", value
    return "", None


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place inside a value as (container, key)."""
    level = [value]
    while level:
        inner = []
        for container in level:
            pairs = (
                container.items()
                if isinstance(container, dict)
                else enumerate(container)
                if isinstance(container, list)
                else ()
            )
            for key, below in pairs:
                yield container, key
                inner.append(below)
        level = inner


def _bent(dice: random.Random, value: Any) -> Any:
    places = list(_places(value))
    if not places:
        return copy.deepcopy(dice.choice(ODD))
    inside, key = dice.choice(places)
    other, another = dice.choice(places)
    how = dice.randrange(10)
    if how < 2:
        inside[key] = copy.deepcopy(dice.choice(ODD))
    elif how == 3:
        del inside[key]
    elif how == 4:
        inside[key] = copy.deepcopy(other[another])
    elif how == 5 and isinstance(inside, dict):
        inside[str(another if isinstance(other, dict) else dice.choice(("", "x", "name", "1")))] = inside.pop(
            key
        )
    elif how == 6 and isinstance(inside, list):
        inside[key:key] = [inside[key]] * dice.choice((1, 2, 30))
    else:
        was = inside[key]
        if isinstance(was, bool) or was is None:
            inside[key] = not was
        elif isinstance(was, int):
            inside[key] = was + dice.choice((-1, 1, 10, -100))
        elif isinstance(was, str):
            inside[key] = _bent_text(dice, was)
        else:
            inside[key] = [was]
    return value


def _bent_text(dice: random.Random, text: str) -> str:
    words = text.split(" ")
    at = dice.randrange(len(words))
    how = dice.randrange(6)
    if how == 0:
        return text + dice.choice(("x", " ", "\n", "½", "é", text))
    if how == 1:
        return text.swapcase()
    if how == 2:
        words[at] = dice.choice(NUMBERS)[:100]
    elif how == 3:
        words[at:at] = [dice.choice(words)]
    elif how == 4:
        del words[at]
    else:
        return "".join(dice.sample(text, len(text)))
    return " ".join(words)


# -- the targets


def ground(name: str) -> Path:
    """Return a new folder, in memory if possible, which is removed with this process."""
    return Path(tempfile.mkdtemp(prefix=f"{name}-", dir=_ground().name))


@cache
def _ground() -> tempfile.TemporaryDirectory[str]:
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    return tempfile.TemporaryDirectory(prefix="targets-", dir=memory, ignore_cleanup_errors=True)


def text_of(body: bytes, source: str) -> str:
    """Return the text of the bytes, decoded as readers of files do it."""
    from tourney.store.files import decode_source

    return decode_source(body, source=source)


@cache
def ruleset(name: str, banlist: str = ""):
    """Return the rules of a shipped format with this ban list."""
    from tourney.rules import Ruleset, parse_banlist

    format_ = library().format(name)
    listed = parse_banlist(banlist, source="list", day=DAY, name=name) if banlist else None
    return Ruleset(format_, listed, library().pool_of(format_), DAY)


def files_named(*endings: str) -> list[bytes]:
    """Return the files of the suite's transcripts with these name endings."""
    return [body for name, body in transcript_files().items() if name.endswith(endings)]


def under(folder: str, pattern: str, longest: int = 20_000) -> list[bytes]:
    """Return files of the checkout, long ones cut."""
    return [path.read_bytes()[:longest] for path in sorted((ROOT / folder).rglob(pattern))]


def decks_target() -> Target:
    from tests.decks.reading.test_fuzz import CORPUS
    from tourney.decks import check, read_all, write
    from tourney.decks.printing import FORMS
    from tourney.decks.reading.vocabulary import GENERAL, vocabulary_of

    banned = '[cards]\n"Kite" = 0\n"Amber Fox" = 1\n[points]\ntotal = 3\n"Bell" = 2\n'
    rules = [*map(ruleset, FORMATS), ruleset("red-diamond/standard", banned)]
    vocabularies = [GENERAL, *(vocabulary_of(ruleset.format) for ruleset in rules)]
    seeds = [
        *(text.encode() for text in CORPUS),
        *files_named(".txt", ".csv", ".json", ".xml", ".dek", ".md", ".ydk", ".list")[::3],  # many are alike
    ]

    def enter(body: bytes, dice: random.Random) -> None:
        decks = read_all(body, source="file", vocabulary=dice.choice(vocabularies))
        for deck in decks[:2]:
            for line in (*deck.lines, *deck.aside):
                assert 1 <= line.count <= 999, line
                assert line.name.strip() == line.name != "", line
            assert deck.lines or deck.findings or deck.aside, "nothing read and nothing said"
            text, lost = write(deck, "toml")
            assert not lost or len(text) > 500_000, f"the canonical form loses: {lost}"
            with contextlib.suppress(TourneyError):
                write(deck, dice.choice(list(FORMS)))
            _verdict(check(deck, dice.choice(rules)))

    return Target(seeds, enter, weight=40, names="file")


def _verdict(verdict) -> None:
    import msgspec

    assert verdict.verdict in {"legal", "illegal", "unverified"}
    assert all(finding.message for finding in verdict.findings)
    msgspec.json.encode(msgspec.to_builtins(verdict, enc_hook=str, str_keys=True))


DECK = "Name: Mira\n3 Amber Fox\n1 Bell\n\nSideboard\n2 Kite\n"


@cache
def deck_of(text: str = DECK):
    from tourney.decks import read

    return read(text, source="deck")


def formats_target() -> Target:
    from tourney.decks import check
    from tourney.rules import Ruleset, parse_format
    from tourney.rules.summary import sheet_of

    seeds = [
        *under("tourney/games", "*.toml"),
        *(body for body in files_named(".toml") if b"[format]" in body),
    ]

    def enter(body: bytes, dice: random.Random) -> None:
        format_ = parse_format(text_of(body, "file"), source="file", parent=library().format)
        sheet_of(format_)
        rules = Ruleset(format_, None, library().pool_of(format_), DAY)
        _verdict(check(deck_of(), rules))
        for placed in format_.examples[:2]:
            _verdict(check(deck_of(placed.rule.deck[:500]), rules))

    return Target(seeds, enter, weight=8, names="file")


def banlists_target() -> Target:
    from tourney.decks import check
    from tourney.rules import Ruleset, parse_banlist
    from tourney.rules.banlist import changes, entries, objections

    seeds = [
        *under("banlists", "*.toml"),
        *(
            body
            for body in files_named(".toml")
            if b"[cards]" in body or b"[[group]]" in body or b"[[where]]" in body
        ),
    ]
    seeds.append(
        b'source = "x"\nannounced = 2026-01-01\n[cards]\n"Kite" = 0\n[points]\ntotal = 5\nper = "name"\n'
        b'"Amber Fox" = 2\n[[group]]\ncards = ["Bell", "Kite"]\nmax = 1\nper = "copy"\n[[where]]\n'
        b'where = "kind == \'x\'"\nmax = 1\nby = "name"\nreason = "r"\nexcept = ["Bell"]\n[lists]\n'
        b'old = ["Kite"]\nscored = { "Bell" = 3 }\n'
    )
    old = parse_banlist(seeds[-1].decode(), source="old", day=date(2026, 1, 1), name="a/b")

    def enter(body: bytes, dice: random.Random) -> None:
        new = parse_banlist(text_of(body, "file"), source="file", day=DAY, name="a/b")
        for change in changes(old, new):
            assert change.words
        objections(new, [old])
        entries(new)
        list(new.names())
        rules = ruleset(dice.choice(FORMATS))
        _verdict(
            check(
                deck_of(),
                Ruleset(
                    rules.format,
                    new,
                    rules.cards.pool if hasattr(rules.cards, "pool") else library().pool_of(rules.format),
                    DAY,
                ),
            )
        )

    return Target(seeds, enter, names="file")


@cache
def records():
    """Return two records: a Swiss one with every outcome, and one of pods."""
    from tourney.standings.reading import read_results

    swiss = (
        "round,player1,player2,wins1,wins2,draws\n1,Ada,Ben,2,0,0\n1,Cid,Dov,1,1,1\n1,Eve,,0,0,0\n"
        "2,Ada,Cid,2,1,0\n2,Eve,Ben,0,2,0\n2,Dov,,0,0,0\n"
    )
    pods = json.dumps(
        {
            "rounds": [
                [
                    {"players": ["A", "B", "C"], "places": [1, 2, 3]},
                    {"players": ["D", "E", "F"], "places": [1, 1, 3]},
                ]
            ]
        }
    )
    both = [read_results(swiss, source="swiss").record]
    with contextlib.suppress(TourneyError):
        both.append(read_results(pods, source="pods").record)
    return both


def profiles_target() -> Target:
    from tourney.standings import explain_place, parse_profile, rank
    from tourney.standings.describing import describe

    seeds = [
        *under("tourney/standings/profiles", "*.toml"),
        *(body for body in files_named(".toml") if b"extends" in body),
    ]

    def enter(body: bytes, dice: random.Random) -> None:
        profile = parse_profile(text_of(body, "file"), source="file", parent=library().profile)
        record = dice.choice(records())
        standings = rank(record, profile.on(dice.choice((None, DAY))), seed=dice.choice(("", "x")))
        for row in standings.rows[:1]:
            describe(explain_place(record, profile.on(None), row.player), "player {}".format)

    return Target(seeds, enter, names="file")


def prizes_target() -> Target:
    from tourney.event.brackets import FinalPlace, FinalRanking
    from tourney.event.prizes import award, read_prizes
    from tourney.record import PlayerId

    seeds = [body for body in files_named(".toml") if b"[[prize]]" in body]

    def enter(body: bytes, dice: random.Random) -> None:
        table = read_prizes(text_of(body, "file"), source="file")
        places = tuple(
            FinalPlace(
                player=PlayerId(n), first=n - n % 2 or 1, last=n - n % 2 + 1, seed=dice.choice((n, None))
            )
            for n in range(1, dice.choice((2, 8)))
        )
        ranking = FinalRanking(places=places, why_not="", counts="after round 1")
        given = award(table, ranking, name="player {}".format)
        assert all(row.cents >= 0 for row in given.prizes)

    return Target(seeds, enter, names="file")


HEAD = (
    b'game = "g"\ncomplete = false\nname = "G"\nsources = ["s"]\n[attributes]\nkind = "text"\n'
    b'cost = "number"\nflag = "flag"\nwords = "list"\n[sets.core]\nname = "Core Set"\n'
)
CARDS = (
    b'{"id": "ant", "name": "Ant", "aliases": ["Emmet"], "kind": "insect", "cost": 3, "flag": true, '
    b'"words": ["a", "b"], "printings": [{"set": "core", "number": "1", "status": "current"}]}\n'
    b'{"id": "bee", "name": "Bee", "counts_as": "Ant", "cost": 1.5, "unknown": ["kind"], "note": "x"}\n'
    b'{"name": "Amber Fox", "version": "2", "kind": null}\n'
)


def pools_target() -> Target:
    from tourney.cards import lint_pool, parse_pool
    from tourney.decks import check
    from tourney.errors import Severity
    from tourney.rules import Ruleset

    seeds = [CARDS, HEAD, *under("cardpools", "*.jsonl", 4_000), *under("cardpools", "pool.toml")]

    def enter(body: bytes, dice: random.Random) -> None:
        seed_is_head = b"game =" in body[:200]
        head = text_of(body, "pool.toml") if seed_is_head else HEAD.decode()
        sets = {"core": CARDS if seed_is_head else body}
        findings = [
            finding
            for finding in lint_pool(head, sets, source="pool.toml")
            if finding.severity is Severity.ERROR
        ]
        try:
            pool = parse_pool(head, sets, source="pool.toml")
            names = [*pool.names()[:50], "no such card", "7"]
            for name in names:
                pool.find(name)
                pool.find_all(name)
            pool.near("Amber Foxx")
            cards = list(pool)
        except TourneyError:
            assert findings, "refused, and the proofreader found nothing"
            raise
        rules = ruleset("red-diamond/standard")
        _verdict(check(deck_of(), Ruleset(rules.format, None, pool, DAY)))
        assert len(cards) <= len(pool)

    return Target(seeds, enter, weight=15)


def imports_target() -> Target:
    from tourney.cards import lint_pool
    from tourney.errors import Severity
    from tourney.store.data import DataRoot, Library
    from tourney.store.pools import CardFile, prepare_import

    folder = ground("pools")
    (folder / "cardpools" / "g").mkdir(parents=True)
    (folder / "cardpools" / "g" / "pool.toml").write_bytes(HEAD)
    (folder / "cardpools" / "g" / "core.jsonl").write_bytes(CARDS)
    seeds = [
        b"name,kind,cost,set,number,status,aliases\nCat,mammal,3,core,4,current,Tom|Felix\n"
        b"Dog,?,x?,core,5,,\n\"Elk, Great\",none,-,,,,\n",
        b"name\tkind\nCat\tmammal\nDog\tmammal?\n", b"Name;Cost;Flag\nCat;3;yes\nDog;4,5;no\n", CARDS,
        json.dumps([{"name": "Cat", "cost": 3, "printings": [{"set": "core", "number": 4}]},
            {"name": "Dog", "words": ["x"]}]).encode(),
        json.dumps({"data": {"Cat": {"cost": 3}, "Dog": {"flag": True}}}).encode(),
        json.dumps({"cards": ["Cat", "Dog"]}).encode(),
        *files_named(".csv", ".tsv", ".json"),
    ]  # fmt: skip

    def enter(body: bytes, dice: random.Random) -> None:
        name = f"more.{dice.choice(('csv', 'tsv', 'json', 'jsonl'))}"
        if dice.random() < 0.7:
            name = "more.json" if body[:1] in b"[" else "more.jsonl" if body[:1] in b"{" else "more.csv"
        file = CardFile(name, text_of(body, "file"), "file")
        here = Library([DataRoot.folder(folder)])
        game = dice.choice(("g", "new"))
        made = prepare_import(
            here, file, game, add_attributes=dice.random() < 0.5, replace=dice.random() < 0.3
        )
        messages = [
            finding.message
            for finding in lint_pool(made.head, made.sets, source="pool.toml")
            if finding.severity is Severity.ERROR
        ]
        assert not messages, f"an import makes a faulty pool: {messages}"

    return Target(seeds, enter, weight=15)


def results_target() -> Target:
    from tourney.standings import explain_place, rank
    from tourney.standings.describing import describe
    from tourney.standings.reading import read_results

    seeds = [*files_named(".csv", ".json"), *files_named(".trf")]
    seeds += [
        b"round,player1,player2,wins1,wins2,draws\n1,Ada,Ben,2,0,0\n1,Cid,Dov,1,1,1\n1,Eve,,0,0,0\n"
        b"2,Ada,Cid,2,1,0\n2,Eve,Ben,0,2,0\n2,Dov,,0,0,0\n",
        b"# date 2026-01-01\n# drops Ada:1\nround;table;player1;player2;result\n1;1;Ada;Ben;2-0\n"
        b"1;2;Cid;Dov;1-1-1\n1;3;Eve;;bye\n",
        json.dumps(
            {
                "date": "2026-01-01",
                "rounds": [
                    [["Ada", "Ben", 2, 0, 0], ["Cid", None]],
                    [["Ada", "Cid", 1, 1, 1], ["Ben", "Dov", 0, 2]],
                ],
                "drops": {"Dov": 2},
                "ratings": {"Ada": 1500},
                "own_gw_floor": True,
                "divisions": {"a": ["Ada", "Ben"]},
            }
        ).encode(),
        json.dumps(
            {
                "players": ["A", "B", "C"],
                "matches": [{"round": 1, "player1": "A", "player2": "B", "wins1": 2, "wins2": 1}],
            }
        ).encode(),
        *(path.read_bytes() for path in sorted((ROOT / "tests").rglob("*.trf"))),
    ]
    profiles = [library().profile(name) for name in library().profiles()]

    def enter(body: bytes, dice: random.Random) -> None:
        profile = dice.choice(profiles)
        results = read_results(text_of(body, "file"), source="file", scores=dice.random() < 0.2)
        edition = results.edition(profile)
        results.scoring_difference(edition)
        standings = rank(results.record, edition, seed="x")
        for row in standings.rows[:1]:
            describe(
                explain_place(results.record, edition, row.player), lambda player: str(results.names[player])
            )

    return Target(seeds, enter, weight=20, names="file")


def takeover_target() -> Target:
    """Make an event of another program's file in memory; read back each form that it writes."""
    from datetime import UTC, datetime

    from tests.standings.fields import random_record
    from tourney.desk import event_in
    from tourney.event.exchange import results_of
    from tourney.standings import rank
    from tourney.standings.reading import FORMS, Results, read_results

    made = [random_record(seed, players=6, rounds=3) for seed in (1, 2)]
    events = [
        Results(
            record=record, names={player: f"Invented {player}x" for player in record.players}, title="Cup"
        )
        for record in made
    ]
    seeds = [form.write(event).text.encode() for form in FORMS if form.writes for event in events]
    cases = ROOT / "tests" / "golden" / "cases" / "event"
    for case in ("import-other-programs.txt", "import-of-forms.txt"):
        parts = (cases / case).read_text(encoding="utf-8").split("\n=== ")[1:]
        seeds += [part.partition("\n")[2].encode() for part in parts if not part.startswith("session")]
    here = library()

    def enter(body: bytes, dice: random.Random) -> None:
        took = event_in(
            body,
            Workplace("Ann", lambda: datetime(2026, 4, 3, 12, tzinfo=UTC), dice.randbytes, lambda: here),
            source="file",
            form=dice.choice(FORMS).name if dice.random() < 0.1 else None,
            name="Cup",
            format_name=None,
            profile=dice.choice((None, None, "mtr", "cobra")),
            fallback_name="Cup",
        )
        profile = here.profile("mtr")
        from tourney.event.field import record

        event = results_of(took.state, rank(record(took.state), profile), lambda _ref: None)
        form = dice.choice([form for form in FORMS if form.writes])
        try:
            written = form.write(event)
        except TourneyError:
            return
        if all(event.record.rounds) and event.record.rounds:
            try:
                read_results(written.text, source="again", form=form.name)
            except TourneyError as fault:
                raise AssertionError(f"what {form.name} writes is refused: {fault.message}") from None

    return Target(seeds, enter, weight=15, names="file")


def trf_target() -> Target:
    from tests.trf.lines import player, text
    from tourney import trf

    seeds = [
        text("012 Open", "042 2026/01/01", "XXR 5", "XXS W=3 D=1 L=0",
            player(1, "2 w 1", "3 b =", points="1.5", name="Ada", rating="1500"),
            player(2, "1 b 0", "0000 - U", points="1.0"), player(3, "0000 - H", "1 w =", points="1.0"),
            "XXP 1 2", "240 F 003 1").encode(),
        text("012 Open", "062 4", "092 Swiss", "162 W 1.0 D 0.5 L 0.0",
            player(1, "2 w +", "4 b 1", points="2.0"), player(2, "1 b -", "3 w 0"),
            player(3, "4 w D", "2 b 1"), player(4, "3 b D", "1 w 0"), "299 1 2 1.0", "260 1 2 1 2",
            "XXC white1").encode(),
        *(path.read_bytes() for path in sorted((ROOT / "tests").rglob("*.trf"))),
    ]  # fmt: skip

    def enter(body: bytes, dice: random.Random) -> None:
        file = trf.read(text_of(body, "file"), source="file")
        with contextlib.suppress(TourneyError):
            trf.record_of(file)
            trf.check_points(file)
        try:
            written = trf.write(file, dice.choice(("trf26", "javafo")))
        except TourneyError:
            return
        again = trf.write(trf.read(written, source="again"), "trf26")
        assert trf.write(trf.read(again, source="third"), "trf26") == again, "writing again changes the file"

    return Target(seeds, enter, weight=15, names="file")


# -- changes by the desk: decided, folded and shown, but not written


class Night:
    """An open event in its second round, on which everything is tried and nothing is written."""

    def __init__(self) -> None:
        from tourney.desk import Desk
        from tourney.event.entry import Sealing

        class Trying(Desk):
            def write(self, decide):
                return self._draft(decide, Sealing(self.workplace.randomness)).receipt

        self.folder = ground("night")
        with new_desk(
            self.folder, "Mira Oake", "Tomo Reed", "Ansel Quick", "Bryn Tallow", "Corin Vane"
        ) as desk:
            play(desk)
            export(desk, self.folder / "exported")
            shutil.copy(self.folder / "friday.tourney", self.folder / "between.tourney")
            desk.pair_round()
        self.playing = Trying.open(self.folder / "friday.tourney", _lent())
        self.between = Trying.open(self.folder / "between.tourney", _lent())


def _lent() -> Workplace:
    return Workplace("Ann", lambda: datetime(2026, 10, 4, 20, 0, tzinfo=UTC), Dice("targets"), library)


@cache
def night() -> Night:
    return Night()


def players_target() -> Target:
    seeds = [
        b"name,rating,club,byes,late,table,awarded,contact\n"
        b"Uma Vale,1500,Reds,3:half-bye,,4,,u@example.org\n\"Ola, The\",,Blues,,bye,,1,\n",
        b"first;last;elo\nUma;Vale;1500\nOla;Frey;1400\n", b"name\tclub\nUma\tReds\nOla\t\n",
        b"Uma Vale\nOla Frey\n# a comment\nMira Oake\n",
        *files_named(".csv"),
        "Vereinsabend;;\nNachname;Vorname;Familie;Decklist\nGrün;Uma;Ohm;a.txt\nOhm;Ola;Ohm;\"Amber Fox\n"
        "Bitter Heron\"\n".encode("cp1252"),
        "選手\tクラブ\n田中\t港\n".encode("utf-16"),
        workbook([["Nr.", "Name", "Verein"], [1, "Uma Vale", "Reds"], [2, "Ola Frey", None]]),
        workbook([["Name", "Decklist"], ["Uma Vale", "Amber Fox\nBitter Heron"]], [["x"]],
            method=zipfile.ZIP_STORED),
        *files_named(".json"),
        *(body for name, body in transcript_files().items() if name.startswith("eventlink")),
    ]  # fmt: skip

    def enter(body: bytes, dice: random.Random) -> None:
        encoding = dice.choice(["utf-16", "cp1252", "shift_jis"]) if dice.random() < 0.1 else None
        columns = {"name": "nickname", "club": "skip"} if dice.random() < 0.1 else None
        import_players(night().between, body, source="file", encoding=encoding, columns=columns)

    return Target(seeds, enter)


def slips_target() -> Target:
    seeds = [
        b"1 2-1\n2 1-0\n",
        b"1 w\n2 =\n",
        b"1 ff1\n2 dl # a comment\n",
        b"1..2 2-0\n",
        b"1 2-1 32,18\n2 \xc2\xbd-\xc2\xbd\n",
        b"1 id\n\n2 1,2\n",
    ]

    def enter(body: bytes, dice: random.Random) -> None:
        night().playing.report_block(
            text_of(body, "file").splitlines(), source="file", time=dice.random() < 0.2
        )

    return Target(seeds, enter, weight=6)


def by_hand_target() -> Target:
    seeds = [
        b"Mira Oake - Tomo Reed\nAnsel Quick vs Bryn Tallow\nCorin Vane bye\n",
        b"4: #1 - #2\n7. #3\t#4\n#5 half-bye\n",
        b"table 2: Mira ; Tomo # a comment\nAnsel - Corin\nBryn absent\n",
    ]  # fmt: skip

    def enter(body: bytes, dice: random.Random) -> None:
        night().between.pair_round(by_hand=text_of(body, "file"), source="file")

    return Target(seeds, enter, weight=6)


def submitted_target() -> Target:
    seeds = [DECK.encode(), b"Amber Fox\nBitter Heron\n", *files_named(".txt")[:40]]

    def enter(body: bytes, dice: random.Random) -> None:
        submit_deck(night().between, "#1", body, source="file", anyway=dice.random() < 0.5)

    return Target(seeds, enter, weight=6)


def exports_target() -> Target:
    """Import exports, some with changed entries chained anew: valid digests, nonsense."""
    from tourney.event.entry import NOTHING_YET, chain_digest

    exported = (night().folder / "exported" / "friday.jsonl").read_bytes()
    seeds = [exported, (ROOT / "tests/event/version-1.jsonl").read_bytes()]
    place = night().folder / f"in-{os.getpid()}.jsonl"

    def chained_anew(body: bytes) -> bytes:
        lines, digest, count = [], NOTHING_YET, 0
        for raw in body.split(b"\n"):
            with contextlib.suppress(ValueError, TypeError, AttributeError, KeyError, RecursionError):
                line = json.loads(raw)
                if "entry" in line:
                    count += 1
                    op = json.dumps(line["op"], separators=(",", ":"), ensure_ascii=False).encode()
                    digest = chain_digest(digest, count, line["at"], line["by"], op)
                    lines.append(
                        b'{"entry":%d,"at":%b,"by":%b,"op":%b,"digest":"%b"}'
                        % (
                            count,
                            json.dumps(line["at"]).encode(),
                            json.dumps(line["by"]).encode(),
                            op,
                            digest.encode(),
                        )
                    )
                    continue
                if "schema" not in line:
                    lines.append(raw)
        head = json.dumps({"schema": "tourney.journal/1", "entries": count, "digest": digest}).encode()
        return b"\n".join([head, *lines])

    def enter(body: bytes, dice: random.Random) -> None:
        place.write_bytes(chained_anew(body) if dice.random() < 0.8 else body)
        target = place.with_suffix(".tourney")
        target.unlink(missing_ok=True)
        with import_event(place, target, _lent()) as desk:
            _looked_at(desk, dice)

    return Target(seeds, enter, weight=8)


def _looked_at(desk, dice: random.Random) -> None:
    from tourney.desk import event_view, verify
    from tourney.publish import FORMS, render

    desk.log()
    if dice.random() < 0.3:
        check(desk)
    for look in (
        (lambda: render(event_view(desk), list(FORMS)), lambda: verify(desk)) if dice.random() < 0.1 else ()
    ):
        with contextlib.suppress(TourneyError):
            look()


def event_files_target() -> Target:
    """Open, show and check the bytes of an event file; salvage those that cannot be opened."""
    from tourney.desk import Desk

    seeds = [(night().folder / name).read_bytes() for name in ("friday.tourney", "between.tourney")]
    folder = ground("files")

    def enter(body: bytes, dice: random.Random) -> None:
        path, saved = folder / f"{os.getpid()}.tourney", folder / f"{os.getpid()}-saved.tourney"
        path.write_bytes(body)
        saved.unlink(missing_ok=True)
        try:
            with Desk.open(path, _lent()) as desk:
                _looked_at(desk, dice)
        except TourneyError:
            if dice.random() < 0.15:
                salvage(path, saved, _lent())
            raise

    return Target(seeds, enter, weight=4)


def against_target() -> Target:
    from tourney.desk import compare, event_view
    from tourney.desk.histories import read_record
    from tourney.publish import render

    desk = night().playing
    pages = render(event_view(desk), ["html", "json", "markdown"])
    exported = night().folder / "exported"
    seeds = [
        pages["verification.html"],
        pages["event.json"],
        pages["verification.md"],
        (exported / "friday.jsonl").read_bytes(),
        (exported / "friday.toml").read_bytes(),
        f"entry 3, {desk.state.digest}".encode(),
    ]
    names = ("page.html", "event.json", "verification.md", "friday.jsonl", "friday.toml", "mail")

    def enter(body: bytes, dice: random.Random) -> None:
        kept = read_record(body, dice.choice(names))
        assert compare(desk, kept).text

    return Target(seeds, enter, weight=15)


def certificates_target() -> Target:
    from tourney.desk import judge, proof_of
    from tourney.document import to_plain

    seeds = []
    for system in (
        {},
        {"system": "pods", "seats": (4, 3)},
        {"system": "round-robin"},
        {"system": "elimination"},
        {"rounds": 1},
    ):
        folder = ground("proof")
        with new_desk(folder, *(f"P{n}" for n in range(1, 9)), **system) as desk:
            desk.pair_round()
            seeds.append(json.dumps(to_plain(proof_of(desk, judge(desk)))).encode())
            if system.get("system") != "pods":
                desk.report_block(f"{table} w" for table in desk.state.round.tables)
                if system.get("rounds"):
                    desk.cut(4)
                desk.pair_round()
                seeds.append(json.dumps(to_plain(proof_of(desk, judge(desk)))).encode())
        shutil.rmtree(folder)

    def enter(body: bytes, dice: random.Random) -> None:
        try:
            text = body.decode()
        except UnicodeDecodeError:
            return
        code, lines = SCRIPT.verdict(text)
        assert code in {0, 1, 4}
        assert lines

    return Target(seeds, enter, weight=15)


def installed_target() -> Target:
    """Proofread a data folder with a damaged file; what is requested of it is loaded or refused."""
    from tourney.store.checking import check_library
    from tourney.store.data import DataRoot, Library

    files = {
        "cardpools/g/pool.toml": HEAD, "cardpools/g/core.jsonl": CARDS,
        "banlists/g/list/2026-01-01.toml": b'[cards]\n"Ant" = 0\n',
        "banlists/g/list/2026-06-01.toml": b'announced = 2026-05-01\n[cards]\n"Bee" = 1\n',
        "formats/g/open.toml": b'[format]\nid = "g/open"\nname = "Open"\nbanlist = "g/list"\n[[zone]]\n'
            b'id = "deck"\ndefault = true\nsize = 3\n[[limit]]\nid = "copies"\nby = "name"\nmax = 2\n'
            b'[[example]]\nname = "three"\ndeck = "3 Ant"\nverdict = "illegal"\n',
        "formats/g/house.toml": b'extends = "g/open"\n[format]\nid = "g/house"\n',
        "profiles/own.toml": b'extends = "tourney"\ntitle = "own"\norder = ["PTS", "OMW"]\n',
    }  # fmt: skip
    folder = ground("data")
    shipped = library().roots[-1]

    def enter(body: bytes, dice: random.Random) -> None:
        name = dice.choice(list(files))
        if dice.random() < 0.5:
            body = mutant(dice, [files[name]])
        for file, content in files.items():
            path = folder / str(os.getpid()) / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(body if file == name else content)
        here = Library(
            [
                DataRoot.folder(folder / str(os.getpid())),
                DataRoot(
                    shipped.path, Path("/none"), shipped.profiles, Path("/none"), Path("/none"), Path("/none")
                ),
            ]
        )
        for checked in check_library(here, DAY, ["g"]):
            assert all(finding.message for finding in checked.findings)
        with contextlib.suppress(TourneyError):
            here.profile("own")
        with contextlib.suppress(TourneyError):
            here.format("g/house")

    return Target(list(files.values()), enter, weight=5)


def remembered_target() -> Target:
    """Read what an earlier fetch recorded."""
    from tourney.store.fetching import Fetched, Memory, Part

    url = "https://lists.example.org/banlists/g/list/2026-01-01.toml"
    home = ground("home")
    memory = Memory(home)
    (home / "banlists").mkdir()
    (home / "banlists" / "a.toml").write_bytes(b"[cards]\n")
    memory.keep(
        Fetched(
            url,
            datetime(2026, 1, 1, tzinfo=UTC),
            "banlists/a.toml",
            memory.result("banlists/a.toml"),
            {"a.toml": Part("0" * 64, '"1"')},
        )
    )
    place = memory._path(url)
    seeds = [place.read_bytes()]

    def enter(body: bytes, dice: random.Random) -> None:
        place.write_bytes(body)
        recollection = memory.recall(url)
        assert recollection is None or recollection.parts is not None

    return Target(seeds, enter, weight=5)


def published_target() -> Target:
    """Publish over a damaged manifest: no file outside the folder or of others is touched."""
    from tourney.store.folder import MANIFEST, write_folder

    top = ground("site")
    pages = {"index.html": b"one", "rounds/1.html": b"two"}
    write_folder(top / "seed", pages)
    line = (top / "seed" / MANIFEST).read_bytes()
    seeds = [
        line,
        line + b"index.html\nold.html\n../outside.txt\n/etc/passwd\nrounds\n",
        b"index.html\nrounds/1.html\nmine.txt\n",
    ]

    def enter(body: bytes, dice: random.Random) -> None:
        here = top / str(os.getpid())
        shutil.rmtree(here, ignore_errors=True)
        folder = here / "site"
        write_folder(folder, pages)
        outside, mine = here / "outside.txt", folder / "mine.txt"
        outside.write_bytes(b"outside")
        mine.write_bytes(b"mine")
        (folder / MANIFEST).write_bytes(body)
        try:
            write_folder(folder, {"index.html": b"three"})
        finally:
            assert (outside.read_bytes(), mine.read_bytes()) == (b"outside", b"mine"), (
                "touched what is not its own"
            )

    return Target(seeds, enter, weight=5)


RESPONSES = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 8\r\nETag: \"1\"\r\n"
    b"Last-Modified: x\r\n\r\n[cards]\n",
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[1,2,\r\n"
    b"2\r\n3]\r\n0\r\n\r\n",
    b"HTTP/1.1 302 Found\r\nLocation: https://[::1\r\n\r\n",
    b"HTTP/1.1 301 Moved\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 503 Busy\r\nRetry-After: 3\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n", b"HTTP/1.0 200 OK\r\n\r\nname\nAnt\n",
    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"
    + gzip.compress(b"[cards]\n" * 20),
    b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nSet-Cookie: a=b; Path=/\r\n\r\n"
    + zlib.compress(b"[cards]\n" * 20),
)  # fmt: skip


def answers_target() -> Target:
    """Fetch whole answers of a web server, status line included, over a local socket."""
    from tourney.store.http import Http, Limits

    http = Http(
        insecure=True,
        limits=Limits(deadline=1.5, silence=0.3, tries=1, bytes_=200_000, redirects=2),
        sleep=lambda _: None,
    )

    def enter(body: bytes, dice: random.Random) -> None:
        port, answers = _serving(os.getpid())
        answers.append(body)
        reply = http.get(f"http://127.0.0.1:{port}/list", {"etag": '"1"'} if dice.random() < 0.5 else {})
        assert reply.content is None or len(reply.content) <= 200_000

    return Target(RESPONSES, enter, weight=5, names="http")


@cache
def _serving(_process: int) -> tuple[int, list[bytes]]:
    """Start a server in this process that sends the last of `answers` to every client."""
    answers: list[bytes] = []
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            with contextlib.suppress(OSError):
                line, _ = listening.accept()
                with line:
                    line.settimeout(1)
                    line.recv(65_536)
                    line.sendall(answers[-1])
                    del answers[:-1]

    threading.Thread(target=serve, daemon=True).start()
    return listening.getsockname()[1], answers


def bodies_target() -> Target:
    """Read compressed bodies."""
    from tourney.store.http import TransientError, decompress, refuse_page

    plain = b"[cards]\n" * 200
    seeds = [
        gzip.compress(plain),
        gzip.compress(plain) + gzip.compress(b"more"),
        zlib.compress(plain),
        gzip.compress(bytes(150_000)),
        plain,
        gzip.compress(b"") + bytes(20),
    ]

    def enter(body: bytes, dice: random.Random) -> None:
        limit = dice.choice((100, 10_000, 100_000))
        with contextlib.suppress(TransientError):
            kind = dice.choice(
                ("", "text/plain", "text/html", "a/b;c", "\xff", "application/json; charset=x")
            )
            encoding = dice.choice(("gzip", "deflate", "x-gzip", "", "identity", "br", "GZIP "))
            content = decompress("file", encoding, body[:limit], limit)
            assert len(content) <= limit
            refuse_page("file", kind, content)

    return Target(seeds, enter, names="file")


TARGETS: dict[str, Callable[[], Target]] = {
    "decklists": decks_target,
    "formats": formats_target,
    "ban lists": banlists_target,
    "profiles": profiles_target,
    "prizes": prizes_target,
    "pools": pools_target,
    "pool imports": imports_target,
    "results": results_target,
    "other programs' events": takeover_target,
    "tournament report files": trf_target,
    "players": players_target,
    "slips": slips_target,
    "pairings by hand": by_hand_target,
    "decks of players": submitted_target,
    "exports": exports_target,
    "event files": event_files_target,
    "what was kept": against_target,
    "certificates": certificates_target,
    "installed data": installed_target,
    "remembered fetches": remembered_target,
    "published lists": published_target,
    "web answers": answers_target,
    "compressed bodies": bodies_target,
}


# -- running


@dataclass
class Tally:
    """The results of inputs: how many each target accepted and refused, and failures by number."""

    accepted: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def summary(self) -> str:
        total = self.accepted + self.refused
        lines = [
            f"{name}: {total[name]:,} inputs, {self.refused[name]:,} refused"
            for name in TARGETS
            if total[name]
        ]
        return "\n".join([*lines, f"{total.total():,} inputs, {len(self.faults)} faults"])


class TooLongError(BaseException):
    """An input took too long."""


def prepared_targets(only: Sequence[str] = ()) -> dict[str, Target]:
    """Prepare targets once, for child processes to share; only accepted seeds are damaged.

    only: their names; empty for all
    """
    return {name: _prepared_target(name) for name in only or TARGETS}


@cache
def _prepared_target(name: str) -> Target:
    with away():
        target = TARGETS[name]()
        return replace(target, seeds=_accepted_seeds(target) or target.seeds)


def _accepted_seeds(target: Target) -> list[bytes]:
    accepted = []
    for seed in target.seeds:
        with contextlib.suppress(TourneyError):
            target.enter(seed, random.Random("seed"))
            accepted.append(seed)
    return accepted


def drawn(number: int, only: Sequence[str] = ()) -> tuple[str, bytes, random.Random]:
    """Return the target of an input, its bytes, and the random source for the rest."""
    dice = random.Random(f"target {number}")
    targets = prepared_targets(only)
    names = list(targets)
    name = dice.choices(names, [targets[target].weight for target in names])[0]
    return name, mutant(dice, targets[name].seeds), dice


def fault_of(number: int, only: Sequence[str] = ()) -> tuple[str, bool, str | None]:
    """Give an input to its target.

    Return the target, whether the input was refused, and the failure or None.
    """
    name, body, dice = drawn(number, only)
    target = prepared_targets(only)[name]
    try:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            target.enter(body, dice)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except TourneyError as refusal:
        return name, True, _wrong_words(refusal, target)
    except TooLongError:
        return name, False, "too long\n" + "".join(traceback.format_exc().splitlines(keepends=True)[-14:])
    except BaseException:  # noqa: BLE001 - any exception is a fault; it is reported with its number
        return name, False, traceback.format_exc()[-2_000:]
    return name, False, None


_PYTHON = re.compile(
    r"NoneType|<class '|<function|object at 0x|Traceback|Struct\b|dict_|\bKeyError\b|msgspec"
)


def _wrong_words(refusal: TourneyError, target: Target) -> str | None:
    text = f"{refusal.message}\n{refusal.hint or ''}"
    if not refusal.message.strip():
        return "a refusal without words"
    if match := _PYTHON.search(text):
        return f"a refusal speaks Python ({match[0]}): {text[:500]}"
    if len(text) > LONGEST_SAID:
        return f"a refusal of {len(text)} letters: {text[:200]}"
    if target.names and not refusal.message.lstrip("`").startswith(target.names):
        return f"a refusal without its place: {text[:500]}"
    return None


def run(
    numbers: range,
    only: Sequence[str] = (),
    *,
    batch: int = 1_000,
    say: Callable[[str], object] = lambda _: None,
) -> Tally:
    """Give inputs to their targets, in processes with limits of time and memory."""
    prepared_targets(only)
    tally = Tally()
    at = numbers.start
    with away():
        while at < numbers.stop:
            at = _batch(range(at, min(at + batch, numbers.stop)), only, tally, say)
    return tally


def _batch(numbers: range, only: Sequence[str], tally: Tally, say: Callable[[str], object]) -> int:
    """Run one process over `numbers`; return the number to continue with."""
    place = mmap.mmap(-1, 8)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _child(numbers, only, place, writing)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as stream:
        for line in stream:
            number, name, refused, wrong = json.loads(line)
            (tally.refused if refused else tally.accepted)[name] += 1
            if wrong:
                tally.faults.append(f"input {number} at {name}: {wrong}")
                say(tally.faults[-1])
    _, status = os.waitpid(child, 0)
    (reached,) = struct.unpack("q", place[:])
    if status == 0:
        return numbers.stop
    tally.faults.append(f"input {reached} at {drawn(reached, only)[0]}: the process ended ({status})")
    say(tally.faults[-1])
    return reached + 1


def _child(numbers: range, only: Sequence[str], place: mmap.mmap, writing: int) -> None:
    def too_long(*_):
        raise TooLongError

    signal.signal(signal.SIGPROF, too_long)
    had = (
        int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        if Path("/proc/self/statm").exists()
        else 1 << 30
    )
    resource.setrlimit(resource.RLIMIT_AS, (had + MEMORY, had + MEMORY))
    gc.freeze()
    with (
        os.fdopen(writing, "w", encoding="utf-8") as stream,
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        for number in numbers:
            place[:] = struct.pack("q", number)
            signal.alarm(60)  # for what no processor time is spent on
            name, refused, wrong = fault_of(number, only)
            stream.write(json.dumps([number, name, refused, wrong]) + "\n")
        signal.alarm(0)


def main(words: Sequence[str]) -> int:
    """Run `python -m tests.hostile.targets START COUNT [TARGET…]`: print failures, then the counts."""
    start, count, only = int(words[0]), int(words[1]), words[2:]
    begun = time.monotonic()
    tally = run(range(start, start + count), only, say=lambda fault: print(fault, flush=True))
    print(tally.summary())
    print(f"{time.monotonic() - begun:.0f} s")
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
