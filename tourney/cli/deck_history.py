"""`tourney deck history`: from when to when a list was legal, and when it will break."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

import click

from tourney.cli.command import command
from tourney.cli.completers import formats
from tourney.cli.deck_files import DeckFile, deck_files
from tourney.cli.rules_asked import RulesAsked
from tourney.cli.session import Session
from tourney.cli.verdict_text import coloured_word
from tourney.errors import TourneyError

if TYPE_CHECKING:
    from tourney.decks.history import Period

MOST_REASONS = 3


@command(
    "history",
    examples=[
        "tourney deck history ada.txt --format red-diamond/standard",
        "tourney deck history ada.txt -f my.toml --json",
    ],
)
@click.argument("file", metavar="FILE|-")
@click.option(
    "-f",
    "--format",
    "name",
    metavar="NAME|FILE",
    shell_complete=formats,
    help="The format; else the list's own `Format:` line.",
)
@click.option(
    "--trust-declared", is_flag=True, help="Believe the facts the list declares where the pool knows nothing."
)
def history(session: Session, file: str, name: str | None, trust_declared: bool) -> None:
    """Tell from when to when a list was legal, why it broke, and the next day already announced on which it will.

    Every installed ban list of the format counts, past and coming, and every rule of the format that has a first or
    a last day. The card pool is today's.
    """
    from tourney.decks.history import days_of
    from tourney.decks.history import history as periods_of
    from tourney.decks.reading import read
    from tourney.decks.zones import words_of

    asked = RulesAsked(session, (), None, None, {})
    content = _only(file).content(session)
    name = name or asked.named_by(read(content, source=file).format)
    format_ = asked.library.format(name)
    days = {*days_of(format_), *asked.library.banlist_days(format_.banlist or "")}
    decklist = read(content, source=file, vocabulary=words_of(format_))
    periods = periods_of(decklist, lambda day: asked.on_day(name, day), days, trust_declared=trust_declared)
    today = session.now().date()
    if session.json:
        session.emit(
            "deck-history/1",
            {"file": file, "format": format_.id, "on": today, "periods": [_json(each) for each in periods]},
        )
    else:
        for line in _told(periods, today):
            session.say(line)


def _only(file: str) -> DeckFile:
    found = deck_files((file,))
    if len(found) != 1 or not found[0].alone:
        raise TourneyError(f"{file}: one list is asked for, not a folder")
    return found[0]


def _json(period: Period) -> dict[str, object]:
    return {
        "from": period.first,
        "to": period.last,
        "verdict": period.word,
        "findings": period.reasons,
        "banlist": period.verdict.banlist,
    }


def _told(periods: Sequence[Period], today: date) -> Iterator[str]:
    for period in periods:
        first = period.first.isoformat() if period.first else "ever"
        last = period.last.isoformat() if period.last else "further notice"
        now = "  (now)" if _holds(period, today) else ""
        yield f"from {first:<10} to {last:<14} {coloured_word(period.word)}{now}"
        for finding in period.reasons[:MOST_REASONS]:
            yield f"    {', '.join(finding.subjects[:3])}: {finding.message} [{finding.rule}]"
        if len(period.reasons) > MOST_REASONS:
            yield f"    and {len(period.reasons) - MOST_REASONS} more"
    yield ""
    yield _outlook(periods, today)


def _holds(period: Period, day: date) -> bool:
    return (period.first is None or period.first <= day) and (period.last is None or day <= period.last)


def _outlook(periods: Sequence[Period], today: date) -> str:
    """Say the next day on which the list breaks or becomes legal."""
    current = next(period for period in periods if _holds(period, today))
    for period in periods:
        if period.first and period.first > today and period.word != current.word:
            return f"it will be {period.word} from {period.first.isoformat()}"
    return f"nothing that is announced changes that it is {current.word}"
