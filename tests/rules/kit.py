"""Small formats, pools and decks for the tests of the rules. All cards are invented."""

import json
from datetime import date

from tourney.cards import open_pool, parse_pool
from tourney.decks import check
from tourney.decks.reading import read
from tourney.decks.zones import words_of
from tourney.finding import Severity
from tourney.rules import Ruleset, parse_banlist, parse_format

DAY = date(2026, 11, 20)
KINDS = {str: "text", int: "number", bool: "flag", list: "list", float: "number"}


def pool_of(cards, *, complete=True, key="name", attributes=None):
    """A pool of `{name: {attribute: value}}`; attributes are typed by the first value met."""
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
    """A format; `[format]` is put in front where the text has none."""
    head = "" if "[format]" in text else '[format]\nid = "invented/standard"\n'
    return parse_format(head + text, source=source, parent=parent)


def rules(text, cards=None, *, banlist=None, day=DAY, complete=True, settings=None, **pool):
    """A ruleset of a format's text and a pool's cards (None: an empty open pool)."""
    known = open_pool("invented") if cards is None else pool_of(cards, complete=complete, **pool)
    listed = parse_banlist(banlist, source="list.toml", day=day, name="invented/list") if banlist else None
    return Ruleset(format_of(text), listed, known, day, settings or {})


def verdict(ruleset, deck, **options):
    """The verdict on a deck given as text."""
    decklist = read(deck, source="deck.txt", vocabulary=words_of(ruleset.format))
    return check(decklist, ruleset, **options)


def errors(found):
    """The error findings as `handle: message`."""
    return [f"{each.rule}: {each.message}" for each in found.findings if each.severity is Severity.ERROR]


def handles(found):
    """The handles of the error findings, in order."""
    return [each.rule for each in found.findings if each.severity is Severity.ERROR]
