"""What `tourney deck check` prints: a block, a line each, a matrix, a table, or one JSON object."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from tourney.cli import verdict_text
from tourney.cli.columns import known_style
from tourney.cli.streams import json_text, styled, visible
from tourney.cli.verdict_text import block, coloured_word, mending, why

if TYPE_CHECKING:
    from tourney.cli.rules_asked import RulesAsked
    from tourney.cli.session import Session
    from tourney.decks import Verdict

Checked = Sequence[tuple[str, "Verdict"]]


def write(session: Session, checked: Checked, asked: RulesAsked, **shape: Any) -> None:
    """Write the verdicts in the shape asked for: `short`, `full`, `table`, `sarif`, `junit`, `several`."""
    verdicts = [verdict for _, verdict in checked]
    if session.json:
        session.emit("deck-check/1", as_json(verdicts, asked))
    elif shape["sarif"] or shape["junit"]:
        _exchange(verdicts, **shape)
    elif shape["table"] is not None:
        _table(session, verdicts, shape["table"])
    elif shape["short"]:
        _short(session, verdicts)
    elif not shape["several"]:
        _one(session, verdicts[0], fix=shape["fix"])
    elif len({name for name, _ in checked}) > 1 and not shape["full"]:
        _matrix(session, checked)
    else:
        _many(session, verdicts, full=shape["full"])


def _exchange(verdicts: Sequence[Verdict], *, sarif: bool, strict: bool, accept: bool, **_: Any) -> None:
    """Write another tool's file, without colours."""
    from tourney.decks import exchange

    if not sarif:
        click.echo(visible(exchange.junit(verdicts, strict=strict, accept=accept)), color=False)
        return
    from tourney import __version__

    click.echo(json_text(exchange.sarif(verdicts, __version__)), color=False)


def _one(session: Session, verdict: Verdict, *, fix: bool) -> None:
    for line in block(verdict):
        session.say(line)
    if fix and verdict.verdict == "illegal":
        session.say("")
        for line in mending(verdict.repair):
            session.say(line)


def _short(session: Session, verdicts: Sequence[Verdict]) -> None:
    for verdict in verdicts:
        session.say(verdict_text.short(verdict))


def _many(session: Session, verdicts: Sequence[Verdict], *, full: bool) -> None:
    if full:
        for verdict in verdicts:
            for line in block(verdict):
                session.say(line)
            session.say("")
    else:
        rows = [
            [
                verdict.source,
                _who(verdict),
                coloured_word(verdict.verdict),
                verdict.total,
                verdict.hash[:8],
                why(verdict),
            ]
            for verdict in verdicts
        ]
        session.table(("list", "player", "verdict", "cards", "hash", "rules"), rows, right=(3,))
        session.say("")
        _strange_names(session, verdicts)
    _notes(session, verdicts, titles=not full)
    session.say(summary(verdicts))


def _strange_names(session: Session, verdicts: Sequence[Verdict]) -> None:
    """Say once for all lists what their unknown names probably come from, then the names, those of many lists first."""
    causes = [(each.source, each.cause) for each in verdicts if each.cause]
    if causes:
        session.table((), [(source, cause.message) for source, cause in causes[:_MOST_TOLD]])
        if len(causes) > _MOST_TOLD:
            session.say(f"and {len(causes) - _MOST_TOLD} more: --full tells them")
        for hint in dict.fromkeys(cause.hint for _, cause in causes):
            session.say(styled(f"    {hint}", dim=True))
        session.say("")
    where: dict[str, list[str]] = {}
    asked: dict[str, str] = {}
    for verdict in verdicts:
        explained = verdict.cause.names if verdict.cause else ()
        for finding in verdict.findings:
            if finding.rule == "card" and finding.subjects[0] not in explained:
                name = finding.subjects[0]
                where.setdefault(name, []).append(f"{verdict.source} {verdict_text.place(finding)}")
                asked[name] = finding.reason or ""
    if where:
        session.say("1 name is no card:" if len(where) == 1 else f"{len(where)} names are no cards:")
        names = sorted(where, key=lambda name: -len(where[name]))
        rows = [(f"  {name}", asked[name], _places(where[name])) for name in names[:_MOST_TOLD]]
        session.table((), rows)
        if len(names) > len(rows):
            session.say(f"  and {len(names) - len(rows)} more: --full tells them")
        session.say("")


def _places(places: Sequence[str]) -> str:
    more = len(places) - _MOST_PLACES
    rest = f" and {more} more {'list' if more == 1 else 'lists'}" if more > 0 else ""
    return f"{', '.join(places[:_MOST_PLACES])}{rest}"


_MOST_PLACES = 2
"""Lists named for a name that many have."""


def _who(verdict: Verdict) -> str:
    """Return whose list it is: what it says, else its file's name."""
    return verdict.player or verdict.source.replace("\\", "/").rpartition("/")[2].partition(".")[0]


def _notes(session: Session, verdicts: Sequence[Verdict], *, titles: bool) -> None:
    """Say once what is noted of every list."""
    common = (
        set(verdicts[0].notes).intersection(*(verdict.notes for verdict in verdicts)) if verdicts else set()
    )
    for note in [note for note in verdicts[0].notes if note in common] if verdicts else ():
        session.say(f"Note: {note}")
    titled = [f"{verdict.source} `{verdict.title.text}`" for verdict in verdicts if verdict.title]
    if titles and titled:
        more = f" and {len(titled) - _MOST_TOLD} more" if len(titled) > _MOST_TOLD else ""
        session.say(f"Note: taken as titles, not as cards: {', '.join(titled[:_MOST_TOLD])}{more}")


_MOST_TOLD = 20
"""Titles, names and lists told below a table of many lists; --full and --json have them all."""


def summary(verdicts: Sequence[Verdict]) -> str:
    """Count the verdicts: `12 lists: 10 legal, 2 illegal`."""
    counts = Counter(verdict.verdict for verdict in verdicts)
    words = ", ".join(
        f"{counts[word]} {coloured_word(word)}" for word in ("legal", "illegal", "unverified") if counts[word]
    )
    return f"{len(verdicts)} {'list' if len(verdicts) == 1 else 'lists'}: {words}"


def _matrix(session: Session, checked: Checked) -> None:
    """Write decks × formats."""
    names = list(dict.fromkeys(name for name, _ in checked))
    rows: dict[str, dict[str, str]] = {}
    for name, verdict in checked:
        rows.setdefault(verdict.source, {})[name] = coloured_word(verdict.verdict)
    session.table(
        ("list", *names), [[source, *(row.get(name, "") for name in names)] for source, row in rows.items()]
    )
    session.say("")
    for name in names:
        session.say(f"{name}: {summary([verdict for asked, verdict in checked if asked == name])}")


def _table(session: Session, verdicts: Sequence[Verdict], style: str) -> None:
    style = known_style(style)
    headers = ("list", "player", "format", "verdict", "cards", "hash", "findings")
    rows = [
        [
            v.source,
            _who(v),
            v.format,
            v.verdict,
            v.total,
            v.hash[:12] if style == "plain" else v.hash,
            "; ".join(verdict_text.in_brief(v)),
        ]
        for v in verdicts
    ]
    session.table(headers, rows, right=(4,), style=style)


def as_json(verdicts: Sequence[Verdict], asked: RulesAsked) -> dict[str, Any]:
    """Return the JSON object: what was checked against, and a list of decks, always a list."""
    formats = list(dict.fromkeys(verdict.format for verdict in verdicts))
    lists = [verdict.banlist for verdict in verdicts]
    return {
        "format": formats[0] if len(formats) == 1 else formats,
        "on": asked.day,
        "banlist": lists[0] if lists and all(each == lists[0] for each in lists) else None,
        "decks": [_deck(verdict) for verdict in verdicts],
    }


def _deck(verdict: Verdict) -> dict[str, Any]:
    return {
        "file": verdict.source,
        "name": verdict.name,
        "player": verdict.player,
        "title": verdict.title,
        "format": verdict.format,
        "banlist": verdict.banlist,
        "verdict": verdict.verdict,
        "cards": verdict.total,
        "zones": dict(verdict.cards),
        "hash": verdict.hash,
        "findings": verdict.findings,
        "notes": verdict.notes,
        "corrections": verdict.corrections,
        "facts_used": verdict.facts_used,
        "proofs": verdict.proofs,
        "repair": verdict.repair,
        "cause": verdict.cause,
    }
