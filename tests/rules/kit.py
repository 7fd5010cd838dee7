"""Small formats, pools and decks for the tests of the rules. All cards are invented."""

import json
from datetime import date
from random import Random

from msgspec import structs
from msgspec.structs import replace

from tests.kit import amount
from tourney.cards import open_pool, parse_pool
from tourney.cards.names import fold
from tourney.decks import check, read
from tourney.errors import Severity
from tourney.rules import Ruleset, parse_banlist, parse_format

DAY = date(2026, 11, 20)
RULESETS = {}
KINDS = {str: "text", int: "number", bool: "flag", list: "list", float: "number"}


def pool_of(cards, *, complete=True, key="name", attributes=None):
    """Return a pool of `{name: {attribute: value}}`; a first value gives the type."""
    types = dict(attributes or {})
    for facts in cards.values():
        for name, value in facts.items():
            if value is not None and name not in {
                "aliases",
                "counts_as",
                "printings",
                "unknown",
                "id",
                "name",
                "version",
            }:
                types.setdefault(name, KINDS[type(value)])
    head = f'game = "invented"\ncomplete = {str(complete).lower()}\nkey = "{key}"\n[attributes]\n'
    head += "".join(f'{name} = "{kind}"\n' for name, kind in types.items())
    lines = "\n".join(json.dumps({"name": name, **facts}) for name, facts in cards.items())
    return parse_pool(head, {"core": lines}, source="pool.toml")


def no_parent(name):
    raise KeyError(name)


def format_of(text, *, parent=no_parent, source="format.toml"):
    """Return a format; `[format]` is added if the text has none."""
    head = "" if "[format]" in text else '[format]\nid = "invented/standard"\n'
    return parse_format(head + text, source=source, parent=parent)


def rules(text, cards=None, *, banlist=None, day=DAY, complete=True, settings=None, **pool):
    """Return a ruleset of a format's text and cards; None means an empty open pool.

    The same words give the same ruleset, which is made once.
    """
    key = repr((text, cards, banlist, day, complete, settings, pool))
    if key not in RULESETS:
        RULESETS[key] = _ruleset(text, cards, banlist, day, complete, settings, pool)
    return RULESETS[key]


def _ruleset(text, cards, banlist, day, complete, settings, pool):
    pool_ = open_pool("invented") if cards is None else pool_of(cards, complete=complete, **pool)
    listed = parse_banlist(banlist, source="list.toml", day=day, name="invented/list") if banlist else None
    return Ruleset(format_of(text), listed, pool_, day, settings or {})


def verdict(ruleset, deck, **options):
    """Return the verdict on a deck as text, after checking that its order does not matter."""
    return judged(read(deck, source="deck.txt", format_=ruleset.format), ruleset, **options)


def judged(decklist, ruleset, **options):
    """Return the verdict on a decklist, after checking that its order does not matter.

    An ordinary run shuffles the list; `scripts/test --long` reverses it, too.
    """
    result = check(decklist, ruleset, **options)
    for seed in (1, None)[: amount(1, of=2)]:
        assert gist(check(reordered(decklist, seed), ruleset, **options)) == gist(result)
    return result


def reordered(decklist, seed=None):
    """Return a deck with its lines reversed; with a seed, with its lines split and shuffled."""
    lines = list(decklist.lines)[::-1]
    if seed is not None:
        dice = Random(seed)
        cuts = [dice.randint(1, min(line.count, 60)) for line in lines]
        lines = [
            structs.replace(line, count=count)
            for line, cut in zip(lines, cuts, strict=True)
            for count in (cut, line.count - cut)
            if count
        ]
        dice.shuffle(lines)
    numbered = tuple(structs.replace(line, number=number) for number, line in enumerate(lines, start=1))
    return replace(decklist, lines=numbered)


def gist(result):
    """Return what the order of a list must not change in a verdict."""
    findings = {
        (finding.rule, finding.severity, frozenset(map(fold, finding.subjects)))
        for finding in result.findings
    }
    return result.verdict, findings, dict(result.zones), result.hash


def errors(result):
    """Return the error findings as `id: message`."""
    return [
        f"{finding.rule}: {finding.message}"
        for finding in result.findings
        if finding.severity is Severity.ERROR
    ]


def handles(result):
    """Return the ids of the error findings, in order."""
    return [finding.rule for finding in result.findings if finding.severity is Severity.ERROR]
