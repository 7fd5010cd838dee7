"""Another program's file becomes an event, and an event another program's file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from tourney.desk.rules import gather, new_settings
from tourney.errors import TourneyError
from tourney.event import exchange, ops
from tourney.event.entry import NOTHING_YET, JournalRow, Sealing, Text, read, write
from tourney.event.field import record
from tourney.event.fold import fold
from tourney.event.kind import at_place
from tourney.event.names import clean_name
from tourney.event.state import State
from tourney.standings import rank
from tourney.standings.reading import (
    SAY_GAMES,
    EventForm,
    Results,
    compared_claims,
    find_form,
    first_difference,
    number_columns_are_scores,
    read_results,
)
from tourney.store.journal import SECRET_BYTES

if TYPE_CHECKING:
    from tourney.desk.desk import Desk
    from tourney.standings import Profile
    from tourney.store.data import Library

GUESSED = "Windows-1252"
"""What a text is taken for whose bytes are of no other encoding: whether it is, its reader sees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeover:
    """What was taken from a file, and the entries it became.

    took:   in words: players, rounds, results, and how the event stands
    agrees: what of the file's own standings was held against ours; difference: the first that is not so here
    notes:  what in the file does not fit together, or is held in another way; left_out: what no event holds
    """

    form: EventForm
    results: Results
    state: State
    rows: Sequence[JournalRow]
    texts: Sequence[Text]
    secret: bytes
    took: str
    agrees: str
    difference: str
    notes: tuple[str, ...]
    left_out: tuple[str, ...]


def take_over(
    content: bytes,
    *,
    source: str,
    form: str | None,
    name: str | None,
    format_name: str | None,
    profile: str | None,
    untitled: str,
    by: str,
    now: datetime,
    at: str,
    randomness: Callable[[int], bytes],
    library: Library,
) -> Takeover:
    """Read a file and work out the event it is; see `Desk.take_over`."""
    from tourney.decode import check_text, decode_text

    check_text(content, source=source)
    text, encoding = decode_text(content, source=source)
    asked = library.profile(profile) if profile else None
    results = read_results(
        text, source=source, form=form, scores=asked is not None and number_columns_are_scores(asked)
    )
    day = results.day or now.date()
    base = (asked or library.profile(results.profile)).on(day)
    results = exchange.with_half_byes(results, base)
    if encoding == GUESSED:
        note = f"not UTF-8, so it was read as {GUESSED}: are the names right?"
        results = replace(results, remarks=(note, *results.remarks))
    options = [exchange.Rules(profile=profile)] if profile else _rules(results, base)
    made = [_made(text_of_rules, base, results, content, source=source, name=name or results.title or untitled, format_name=format_name, by=by, now=now,
                  at=at, randomness=randomness, library=library, day=day) for text_of_rules in options]  # fmt: skip
    return next((each for each in made if not each.difference), made[0])


def _rules(results: Results, base: Profile) -> list[exchange.Rules]:
    """Return what the file may be ranked by: programs differ in what a bye is worth where it is not said."""
    both = [exchange.rules_of(results, base, bye_is_win=worth) for worth in (True, False)]
    return list(dict.fromkeys(both))


def _made(
    rules: exchange.Rules,
    base: Profile,
    results: Results,
    content: bytes,
    *,
    source: str,
    name: str,
    format_name: str | None,
    by: str,
    now: datetime,
    at: str,
    randomness: Callable[[int], bytes],
    library: Library,
    day: date,
) -> Takeover:
    gathered = gather(
        library,
        format_name=format_name or exchange.FORMAT,
        profile=rules.profile,
        banlist=None,
        day=day,
        own=exchange.profile_text(rules),
    )
    seal, secret = Sealing(randomness), randomness(SECRET_BYTES)
    with at_place(source):
        settings = new_settings(gathered.format, exchange.settings_of(results), lambda: now, played=True)
        created = ops.EventCreated(
            name=seal(clean_name(name, what="event's name"), "name"),
            format=gathered.format.id,
            on=day.isoformat(),
            rules=gathered.files.keep(seal),
            settings=settings.differing(),
            secret=sha256(secret).hexdigest(),
        )
        results, seeded = _with_seeds(results, [created], seal, at=at)
        if seeded:  # which can settle how many rounds there are
            settings = new_settings(gathered.format, exchange.settings_of(results), lambda: now, played=True)
            created = msgspec.structs.replace(created, settings=settings.differing())
        told, results = _entries(results, seal, sha256(content).hexdigest(), seeded=seeded)
    author = seal(clean_name(by, what="scorekeeper's name"), "by")
    rows = _rows([created, *told], at=at, by=author)
    state = _folded(rows, seal)
    if exchange.is_finished(results, state):
        rows = _rows([created, *told, ops.EventClosed()], at=at, by=author)
        state = _folded(rows, seal)
    ranked = _ranked(state, seal)
    made = record(state)
    standings, here = rank(made, ranked), exchange.as_numbered(results)
    parts = [(here, standings)]
    if here.divisions:  # places are those of a division by itself
        parts = [
            (exchange.claims_of(here, members), rank(made, ranked, among=members))
            for members in here.divisions.values()
        ]
    return Takeover(
        form=find_form(results.form),
        results=results,
        state=state,
        rows=rows,
        texts=seal.texts,
        secret=secret,
        took=exchange.status_of(results, state),
        agrees=compared_claims(here, standings),
        difference=next(filter(None, (first_difference(*each) for each in parts)), ""),
        notes=(
            *gathered.warnings,
            *results.remarks,
            *([_SEEDED] if seeded and results.playoff else []),
            *exchange.told_otherwise(results),
            *filter(None, [results.scored_otherwise(ranked) or _laid_over(results, base)]),
            *(f"{games} ({SAY_GAMES})" for games in filter(None, [results.games_for_scores(ranked)])),
        ),
        left_out=(*results.left_out, *results.unread),
    )


def _laid_over(results: Results, base: Profile) -> str:
    """Say what the file's own scoring changed of the rules of its program; empty where nothing."""
    said = results.scored_otherwise(base)
    return f"{said}; the event counts as the file does" if said else ""


_SEEDED = "the file does not say who had which seed in its bracket: they are taken from the standings, which make its matches"


def _with_seeds(results: Results, begun: list[ops.Op], seal: Sealing, *, at: str) -> tuple[Results, bool]:
    """Return results whose bracket has seeds: those of the standings, where its file tells none. Say whether that is so."""
    playoff = results.playoff
    if playoff is None or playoff.seeds:
        return results, False
    profile = _ranked(_folded(_rows(begun, at=at, by=ops.Ref("")), seal), seal)
    order = [row.player for row in rank(results.record, profile).rows if row.player in playoff.players]
    over = all(table.result for tables in playoff.rounds for table in tables)
    made = replace(results.record, planned_rounds=len(results.record.rounds)) if over else results.record
    return replace(results, record=made, playoff=replace(playoff, seeds=tuple(order))), True


def _entries(
    results: Results, seal: Sealing, file: str, *, seeded: bool = False
) -> tuple[list[ops.Op], Results]:
    """Return the entries; without the bracket where its rounds are not those of one."""
    if results.playoff is not None:
        try:
            return exchange.entries_of(results, seal, form=results.form, file=file), results
        except TourneyError as fault:
            unsaid = "the file does not say who had which seed, and by the standings " if seeded else ""
            results = exchange.without_bracket(results, f"{unsaid}{fault.message}")
    return exchange.entries_of(results, seal, form=results.form, file=file), results


def _rows(told: Sequence[ops.Op], *, at: str, by: ops.Ref) -> list[JournalRow]:
    rows: list[JournalRow] = []
    digest = NOTHING_YET
    for seq, op in enumerate(told, 1):
        row = write(op, seq=seq, at=at, by=by, previous=digest)
        rows.append(row)
        digest = row.digest
    return rows


def _folded(rows: list[JournalRow], seal: Sealing) -> State:
    return fold(read(rows), {text.ref: text.content.decode() for text in seal.texts})


def _ranked(state: State, seal: Sealing) -> Profile:
    from tourney.desk.rules import KeptRules

    texts = {text.ref: text.content.decode() for text in seal.texts}
    return KeptRules(state, texts.get).profile


def export_as(desk: Desk, name: str, folder: Path, *, replace: bool) -> tuple[Path, tuple[str, ...]]:
    """Write an event in another program's form; see `Desk.export_as`."""
    from tourney.store.export import folder_made, write_all

    form = find_form(name, writing=True)
    results = exchange.results_of(desk.state, desk.standings(), desk.texts.get)
    written = form.write(results)
    path = folder_made(folder) / f"{desk.place.stem}.{form.ending}"
    write_all([(path, [written.text.encode()], 0o666)], replace=replace)
    return path, written.lost
