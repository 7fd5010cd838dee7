"""Make an event from an export, a damaged file or another program's file.

`export_as` writes an event as another program's file.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path

from msgspec import UNSET, Struct, UnsetType, structs
from msgspec.structs import replace

from tourney.decode import check_text, decode_text
from tourney.desk.desk import Desk
from tourney.desk.files import remember_files, write_current
from tourney.desk.gathering import gather, installed_version, new_settings
from tourney.desk.open_event import OpenEvent, Workplace, as_written
from tourney.desk.verifying import refuse_unsound
from tourney.document import Document
from tourney.errors import TourneyError
from tourney.event import exchange, ops
from tourney.event.entry import JournalRow, Sealing, write_entries
from tourney.event.field import record
from tourney.event.fold import fold
from tourney.event.kind import at_place
from tourney.event.names import clean_name
from tourney.event.state import Round, State
from tourney.record import Record
from tourney.standings import Profile, rank
from tourney.standings.reading import (
    SAY_GAMES,
    EventForm,
    Results,
    comparison_text,
    find_form,
    first_difference,
    read_results,
)
from tourney.store.export import read_exported, write_all
from tourney.store.files import NewFile
from tourney.store.journal import SECRET_BYTES, EventPlace, StoredEvent
from tourney.store.places import Named, place_of
from tourney.store.salvage import SalvagedEvent
from tourney.store.salvage import salvage as salvage_file


class ImportedRound(Struct, frozen=True):
    """A round that would be imported.

    title: the name of the round
    tables: the number of its tables
    playing: the number of its tables without a result
    byes: the number of players without a table
    """

    title: str
    tables: int
    playing: int
    byes: int


class ImportedEvent(Document, frozen=True, kw_only=True, tag="tourney.event-import/1"):
    """What `tourney event import FILE --json` prints.

    file: the new event
    entry: the number of its last entry
    digest: the digest of its journal up to that entry, a SHA-256
    form: the format of the file; this key and the next six are missing for an export of tourney
    profile: the standings profile
    took: what was imported, in words
    agrees: which standings in the file were compared with those of the event, in words; null if none were
    difference: the first difference between the file's standings and those of the event; null if there is
        none
    notes: contradictions in the file, and facts that the event stores differently, in sentences
    left_out: facts in the file that an event cannot store, in words
    dry_run: true if nothing was written because of `--dry-run`; otherwise missing
    players: names of the players; only with `--dry-run`
    rounds: the rounds; only with `--dry-run`
    """

    file: str
    entry: int
    digest: str
    form: str | UnsetType = UNSET
    profile: str | UnsetType = UNSET
    took: str | UnsetType = UNSET
    agrees: str | UnsetType | None = UNSET
    difference: str | UnsetType | None = UNSET
    notes: tuple[str, ...] | UnsetType = UNSET
    left_out: tuple[str, ...] | UnsetType = UNSET
    dry_run: bool | UnsetType = UNSET
    players: tuple[str, ...] | UnsetType = UNSET
    rounds: tuple[ImportedRound, ...] | UnsetType = UNSET


def imported_event(place: EventPlace, state: State, *, dry_run: bool) -> ImportedEvent:
    """Return what `tourney event import FILE --json` prints about an event made from an export."""
    return ImportedEvent(
        file=str(place), entry=state.entry, digest=state.digest, dry_run=True if dry_run else UNSET
    )


def import_event(source: Path, place: Named, workplace: Workplace) -> Desk:
    """Create the event at `place` from the export `source`.

    The new event has the same entries, texts and digests. Raises TourneyError, and creates nothing, if an
    entry contradicts the entries before it.
    """
    return Desk.begin(place, workplace, read_exported(source), check=refuse_unsound)


def salvage(place: Named, target: Path, workplace: Workplace) -> SalvagedEvent:
    """Create the event file `target` from the intact parts of a damaged event.

    The parts come from the event at `place` and from its copies. Raises TourneyError if nothing can be saved,
    or if `target` exists.
    """
    return salvage_file(place_of(place), target, lambda file: installed_version(workplace.library, file))


# -- reading another program's file

FALLBACK_ENCODING = "Windows-1252"
"""The encoding that is used if no other fits. Only a person can see whether it is right."""


class Takeover(Struct, frozen=True, kw_only=True):
    """The event that is made from a file.

    took:       players, rounds, results and the event's status, in words
    agrees:     which standings in the file were compared with those of the event, in words
    difference: the first difference between these standings; empty if there is none
    notes:      contradictions in the file, and facts that the event stores differently
    left_out:   facts that an event cannot store
    """

    form: EventForm
    results: Results
    state: State
    content: StoredEvent
    took: str
    agrees: str
    difference: str
    notes: tuple[str, ...]
    left_out: tuple[str, ...]

    def document(self, place: EventPlace, state: State, *, dry_run: bool) -> ImportedEvent:
        """Return what `tourney event import FILE --json` prints about the event at `place`.

        state: the new event
        """
        document = imported_event(place, state, dry_run=dry_run)
        return structs.replace(
            document,
            form=self.form.name,
            profile=state.profile,
            took=self.took,
            agrees=self.agrees or None,
            difference=self.difference or None,
            notes=self.notes,
            left_out=self.left_out,
            players=tuple(player.name for player in state.players.values()) if dry_run else UNSET,
            rounds=tuple(map(_imported_round, state.rounds)) if dry_run else UNSET,
        )


def _imported_round(round_: Round) -> ImportedRound:
    return ImportedRound(round_.title, len(round_.tables), len(round_.playing), len(round_.byes))


def event_in(
    content: bytes,
    workplace: Workplace,
    *,
    source: str,
    form: str | None = None,
    name: str | None = None,
    format_name: str | None = None,
    profile: str | None = None,
    fallback_name: str | None = None,
) -> Takeover:
    """Convert another program's file to an event.

    The event has the players, rounds, results, byes, drops and bracket of the file.

    form:        the name of the file's format; None: it is detected
    name:        the event's name; None: the name in the file, or else `fallback_name`, or else the name of
                 the file
    format_name: the event's format; None: an event without decks
    profile:     the standings profile; None: the rules of the other program, with the points that the file
                 states

    Raises a TourneyError that names file and line if the file cannot be read.
    """
    check_text(content, source=source)
    text, encoding = decode_text(content, source=source)
    now, library = workplace.clock(), workplace.library
    requested_profile = library.profile(profile) if profile else None
    scores = requested_profile is not None and requested_profile.from_score
    results = read_results(text, source=source, form=form, scores=scores)
    day = results.day or now.date()
    base = (requested_profile or library.profile(results.profile)).on(day)
    results = exchange.with_half_byes(results, base)
    if encoding == FALLBACK_ENCODING:
        note = f"the file is not UTF-8, so it was read as {FALLBACK_ENCODING}: check that the names are right"
        results = replace(results, remarks=(note, *results.remarks))
    file = _File(
        source=source,
        digest=sha256(content).hexdigest(),
        name=name or results.title or fallback_name or Path(source).stem,
        format_name=format_name or exchange.FORMAT,
        workplace=workplace,
        now=now,
        day=day,
    )
    # If the file does not say how many points a bye gives, both possibilities are tried.
    options = (
        [exchange.Rules(profile=profile)]
        if profile
        else [exchange.rules_of(results, base, bye_is_win=is_win) for is_win in (True, False)]
    )
    takeovers = [file.event_by(rules, base, results) for rules in dict.fromkeys(options)]
    return next((takeover for takeover in takeovers if not takeover.difference), takeovers[0])


def take_over(takeover: Takeover, place: Named, workplace: Workplace) -> Desk:
    """Create the event at `place` from another program's file that `event_in` has converted.

    Raises TourneyError, and creates nothing, if the place cannot be used or an entry is faulty.
    """
    return Desk.begin(place, workplace, takeover.content, check=refuse_unsound)


class _File(Struct, frozen=True, kw_only=True):
    """A file that is converted to an event.

    digest: the SHA-256 of the file
    name:   the event's name
    day:    the day of the event
    """

    source: str
    digest: str
    name: str
    format_name: str
    workplace: Workplace
    now: datetime
    day: date

    def event_by(self, rules: exchange.Rules, base: Profile, results: Results) -> Takeover:
        """Return a new event with these results and rules, ready to be written.

        rules: the standings profile that ranks the event
        base:  the standings profile that the user chose, or else that of the program that wrote the file
        """
        randomness = self.workplace.randomness
        format_, profile, files = gather(
            self.workplace.library,
            format_name=self.format_name,
            profile=rules.profile,
            banlist=None,
            day=self.day,
            overrides=exchange.profile_text(rules),
        )
        seal, secret = Sealing(randomness), randomness(SECRET_BYTES)
        has_seeds = results.playoff is None or bool(results.playoff.seeds)
        with at_place(self.source):
            name = seal(clean_name(self.name, noun="event's name"), "name")
            rule_files = files.keep(seal)
            results = results if has_seeds else _with_seeds(results, profile)
            results, entries = self.entries(results, seal, has_seeds=has_seeds)
            settings = new_settings(format_, exchange.settings_of(results), lambda: self.now, was_played=True)
            creation = ops.EventCreated(
                name=name,
                format=format_.id,
                on=self.day.isoformat(),
                rules=rule_files,
                settings=settings.differing(),
                secret=sha256(secret).hexdigest(),
            )
        author = seal(clean_name(self.workplace.by, noun="scorekeeper's name"), "by")

        def write_rows(*more: ops.Op) -> tuple[list[JournalRow], State]:
            rows, new_entries = write_entries([creation, *entries, *more], at=as_written(self.now), by=author)
            return rows, fold(new_entries, {text.ref: text.words for text in seal.texts})

        rows, state = write_rows()
        if exchange.is_finished(results, state):
            rows, state = write_rows(ops.EventClosed())
        agrees, difference = _compare(exchange.as_numbered(results), record(state), profile)
        return Takeover(
            form=find_form(results.form),
            results=results,
            state=state,
            content=StoredEvent(rows, [*seal.texts], secret),
            took=exchange.status_of(results, state),
            agrees=agrees,
            difference=difference,
            notes=(*files.warnings, *_notes(results, profile, base, has_seeds=has_seeds)),
            left_out=(*results.left_out, *results.unread_keys),
        )

    def entries(self, results: Results, seal: Sealing, *, has_seeds: bool) -> tuple[Results, list[ops.Op]]:
        """Return the results, and the journal entries that record them.

        If journal entries cannot record the bracket, the results and the entries are returned without it.
        """
        try:
            return results, exchange.entries_of(results, seal, form=results.form, file=self.digest)
        except TourneyError as fault:
            if results.playoff is None:
                raise
            no_seeds = "" if has_seeds else "the file does not say who had which seed, and by the standings "
            results = exchange.without_bracket(results, f"{no_seeds}{fault.message}")
            return results, exchange.entries_of(results, seal, form=results.form, file=self.digest)


def _compare(results: Results, event_record: Record, profile: Profile) -> tuple[str, str]:
    """Compare the standings that a file states with those of its event.

    Returns which standings were compared, in words, and the first difference; empty if there is none.
    """
    standings = rank(event_record, profile)
    parts = [(results, standings)]
    if results.divisions:  # each division has its own places
        parts = [
            (exchange.claims_of(results, members), rank(event_record, profile, among=members))
            for members in results.divisions.values()
        ]
    difference = next(filter(None, (first_difference(*part) for part in parts)), "")
    return comparison_text(results, standings), difference


def _notes(results: Results, profile: Profile, base: Profile, *, has_seeds: bool) -> Iterator[str]:
    """Yield contradictions in a file, and facts that the event stores differently.

    profile:   the standings profile of the event
    base:      the standings profile of the program that wrote the file
    has_seeds: whether the file says who had which seed in its bracket
    """
    yield from results.remarks
    if results.playoff and not has_seeds:
        yield (
            "the file does not say who had which seed in its bracket; the seeds are taken from the "
            "standings, because these give the same matches"
        )
    yield from exchange.import_differences(results)
    if scoring := results.scoring_difference(profile):
        yield scoring
    elif scoring := results.scoring_difference(base):
        yield f"{scoring}; the event counts points as the file does"
    if games := results.games_for_scores(profile):
        yield f"{games} ({SAY_GAMES})"


def _with_seeds(results: Results, profile: Profile) -> Results:
    """Return the results; the players in the bracket are seeded by their rank in the standings."""
    playoff = results.playoff
    assert playoff is not None, "the results have a bracket"
    order = [row.player for row in rank(results.record, profile).rows if row.player in playoff.players]
    is_over = all(table.result for tables in playoff.rounds for table in tables)
    seeded_record = (
        replace(results.record, planned_rounds=len(results.record.rounds)) if is_over else results.record
    )
    return replace(results, record=seeded_record, playoff=replace(playoff, seeds=tuple(order)))


# -- writing another program's file


def export_as(
    event: OpenEvent, form_name: str, folder: Path, *, replace: bool = False
) -> tuple[Path, tuple[str, ...]]:
    """Write the event in another program's file format.

    Returns the file, and what the format cannot store.

    form_name: a name in `tourney.standings.reading.FORMS`

    Raises TourneyError if the format cannot store the event.
    """
    form = find_form(form_name, writing=True)
    path = folder / f"{event.place.stem}.{form.ending}"

    def write() -> tuple[str, ...]:
        nonlocal replace
        export = form.write(exchange.results_of(event.state, event.standings(), event.texts.get))
        write_all([NewFile(path, export.text.encode())], replace=replace)
        replace = True  # a second run replaces the file of the first
        return export.lost_facts

    lost_facts = write_current(event, write)
    remember_files(event, path)
    return path, lost_facts
