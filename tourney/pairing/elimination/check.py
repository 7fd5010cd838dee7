"""Check the tables of a cut round against the bracket."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tourney.finding import Finding, Severity
from tourney.pairing.elimination.types import Bracket
from tourney.pairing.entrant import NameOf, number_of
from tourney.record import PlayerId


def check(
    now: Bracket, tables: Mapping[str, Sequence[PlayerId]], *, name: NameOf = number_of
) -> list[Finding]:
    """Return where the tables of the next cut round, by label, are not the bracket's; errors first.

    Errors: `match` (a label that is none of this round), `table-size`, `seated-twice`, `not-in-round` (out, gone or a
    stranger), `not-seated` (neither a table nor one of the round's byes to pass). Advice: `bracket` (other opponents).
    """
    due = {label: table.seats for label, table in zip(now.labels, now.tables, strict=True)}
    findings = [*_matches(due, tables, name), *_seats(now, due, tables, name), *_opponents(due, tables, name)]
    return sorted(findings, key=lambda finding: finding.severity is not Severity.ERROR)


def _finding(
    rule: str, message: str, subjects: Sequence[str], severity: Severity = Severity.ERROR
) -> Finding:
    return Finding(rule=rule, severity=severity, message=message, subjects=tuple(subjects))


def _matches(
    due: Mapping[str, Sequence[PlayerId]], tables: Mapping[str, Sequence[PlayerId]], name: NameOf
) -> Iterator[Finding]:
    for label, seats in tables.items():
        if label not in due:
            message = f"`{label}` is no match of this round; its matches are {', '.join(due)}"
            yield _finding("match", message, [label])
        if len(seats) != 2:
            yield _finding(
                "table-size", f"{label} has {len(seats)} seats, a match has two", list(map(name, seats))
            )


def _seats(
    now: Bracket,
    due: Mapping[str, Sequence[PlayerId]],
    tables: Mapping[str, Sequence[PlayerId]],
    name: NameOf,
) -> Iterator[Finding]:
    expected = {player for seats in due.values() for player in seats}
    places: dict[PlayerId, list[str]] = {}
    for label, seats in tables.items():
        for player in seats:
            places.setdefault(player, []).append(label)
    for player, labels in places.items():
        if player not in expected and player not in now.byes:
            message = f"{name(player)} is not in this round of the bracket, but sits at {labels[0]}"
            yield _finding("not-in-round", message, [name(player)])
        if len(labels) > 1:
            message = f"{name(player)} is seated {len(labels)} times: {' and '.join(labels)}"
            yield _finding("seated-twice", message, [name(player)])
    left_out = sorted(expected - set(places))
    passes = sum(player in places for player in now.byes)
    for player in left_out[passes:]:
        yield _finding(
            "not-seated", f"{name(player)} has no table and no bye of this round is free", [name(player)]
        )


def _opponents(
    due: Mapping[str, Sequence[PlayerId]], tables: Mapping[str, Sequence[PlayerId]], name: NameOf
) -> Iterator[Finding]:
    for label, seats in tables.items():
        if label in due and set(seats) != set(due[label]):
            have, should = (" – ".join(map(name, players)) for players in (seats, due[label]))
            yield _finding("bracket", f"{label}: {have}; by the bracket {should}", [label], Severity.ADVICE)
