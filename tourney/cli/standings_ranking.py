"""`tourney standings`: the ranking, the reasons for a rank, the cut under several profiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from shlex import quote

import click
from msgspec import UNSET

from tourney.cli import standings_documents as documents
from tourney.cli.command import command
from tourney.cli.options import flag, players, positive, profiles
from tourney.cli.output import table_style, table_text
from tourney.cli.session import Session
from tourney.cli.standings_results import RankedResults, StandingsRequest, asking, asking_results
from tourney.document import or_unset
from tourney.errors import TourneyError
from tourney.event.phrases import scores_text, tables_text
from tourney.event.view import FinalView
from tourney.record import PlayerId
from tourney.spreadsheet import format_csv
from tourney.standings import Comparison, Profile, Qualifiers, Standings, compare_cuts, cut_at, why
from tourney.standings.describing import describe
from tourney.standings.documents import ProfileList, cut_comparison, profile_summary, shown_profile
from tourney.standings.profile import LOT, Percentage
from tourney.standings.ranking import columns, note_text, record_text, value_text
from tourney.standings.tiebreaks import find
from tourney.wording import as_of, counted, listed

# -- tourney standings show


@command("show", event=True)
@asking
@positive("--cut", help="Mark the first N players who are still in the event.")
@click.option(
    "--table", "style", metavar="FMT", default="text", help="text, markdown, csv, tsv, html or another form."
)
@click.option("--division", metavar="NAME", help="Only players of a division, with their places in it.")
@flag("--swiss", help="The standings of the Swiss rounds, also once there is a bracket.")
@flag(
    "--compare", "comparing", help="Show who makes the cut under each profile, as `standings compare` does."
)
def show(
    session: Session,
    cut: int | None,
    style: str,
    comparing: bool,
    *,
    division: str | None,
    swiss: bool,
    request: StandingsRequest,
) -> None:
    """Show the standings: of the event, or of a file of results with --from.

    Once there is a bracket, its players are ranked first, then all others by their rank in the Swiss rounds.
    --swiss shows only the Swiss rounds, with their tie-breaks. All options that select other results or rules
    do the same.

    A file contains JSON, comma-separated lines (`round,player1,player2,wins1,wins2,draws`; an empty player2
    is a bye) or a Tournament Report File. Values are exact; decimals are rounded half up for display.

    If players have a tag `division`, a column shows their places in it, in the same order.

    Examples:
      tourney standings
      tourney standings --after 3 --cut 8
      tourney standings --from results.csv --profile mtr
      tourney standings --from open.trf --profile fide --on 2025-01-01 --json
    """
    style = table_style(style)
    if comparing:
        if division is not None or request.profile is not None:
            raise click.UsageError("`--compare` compares all profiles, without divisions")
        _compare(session, request, session.library().profiles(), cut or 8)
        return
    results = request.read(session)
    if division is not None:
        results = results.of_division(division)
    tables = _standings(results)
    if session.json:
        session.emit(_document(results, tables, cut))
        return
    if results.stuck:
        session.warn(
            f"the places of the bracket are not known: {results.stuck}",
            "`tourney event log`, `tourney event undo ENTRY`",
        )
    if results.final is not None and not swiss and cut is None:
        _show_final(session, results, results.final, style)
        _show_missing_lot(session, results, tables[0][1])
        return
    for i, (name, table) in enumerate(tables):
        if name:
            session.say(f"{'' if i == 0 else chr(10)}{name}")
        _show(session, results, table, cut=cut, style=style)
    _show_notes(session, results, tables, cut)


def _show_final(session: Session, results: RankedResults, final: FinalView, style: str) -> None:
    """Show the final ranking: places by the bracket, with the ranks in the Swiss rounds."""
    csv = style == "csv"  # programs rely on its column names
    in_swiss = ["Swiss", "points", "record"] if csv else ["Swiss rank", "Swiss points", "Swiss record"]
    headers = ["place", "player", "bracket", *(in_swiss if final.swiss else ["record"])]
    headers += ["division"] if final.divided else []
    rows = [
        [
            row.place,
            row.name,
            row.bracket,
            *([row.swiss or "", row.points] if final.swiss else []),
            row.record,
            *([row.in_division] if final.divided else []),
            row.note,
        ]
        for row in final.rows
        if not results.division or row.division == results.division
    ]
    title = final.title + as_of(results.at)
    has_title = _show_ranking(
        session,
        headers,
        rows,
        right=(0, 3, 4) if final.swiss else (0,),
        style=style,
        title="" if final.finished and results.at is None else title,
        heading=final.counts + as_of(results.at),
    )
    if not csv:
        swiss = " `--swiss` shows the standings." if final.swiss else ""
        session.talk(f"{'' if has_title else f'{title}. '}{final.how}{swiss}")


def _show_ranking(
    session: Session,
    headers: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    right: Sequence[int],
    style: str,
    title: str,
    heading: str,
) -> bool:
    """Show a ranking; return whether its title is shown above it.

    rows:    each row has one cell more than `headers`: a note, which gets a column if any row has a note
    title:   a title above the table, if the style allows it; can be empty
    heading: a text about the counted results: a column if the style does not allow a title, and always in CSV
    """
    if style == "csv":
        header = [*headers, "note", "as of"]
        session.say(format_csv(header, [[*row, heading] for row in rows]).rstrip("\n"))
        return False
    noted = any(row[-1] for row in rows)
    above = bool(title) and style in _LINE_ABOVE
    if above:
        session.say(f"{title}\n")
    as_of = [heading] if title and not above else []
    session.table(
        [*headers, *([""] if noted else []), *(["as of"] if as_of else [])],
        [[*(row if noted else row[:-1]), *as_of] for row in rows],
        right=right,
        style=style,
    )
    return above


_LINE_ABOVE = frozenset({"plain", "simple", "github", "pipe"})
"""Styles that allow a line above the table."""


def _standings(results: RankedResults) -> list[tuple[str, Standings]]:
    if not results.divisions:
        return [("", results.standings())]
    return [(division, results.standings(players)) for division, players in results.divisions.items()]


@dataclass(frozen=True, slots=True)
class _Mark:
    """A player's note about the cut: `top 4`, or `level for place 4`.

    The second is for players who are level across the line of the cut.
    """

    text: str = ""
    through: bool = False
    level: bool = False


def _show(
    session: Session, results: RankedResults, standings: Standings, *, cut: int | None, style: str
) -> None:
    codes = columns(standings)
    marks, places = _marks(results, standings, cut), results.places(standings)
    headers = ["rank" if style == "csv" else "", "player", "points", "record"]
    headers += [f"{code} %" if find(code).unit == "percent" else code for code in codes]
    headers += ["division"] if places else []
    rows = []
    for row in results.shown(standings):
        place = places.get(row.player)
        note = note_text(row, gone=row.player in results.gone)
        rows.append(
            [
                "" if row.rank is None else str(row.rank),
                results.name(row.player),
                results.profile.points_text(row.points),
                record_text(row),
                *[value_text(key, results.profile) for key in row.keys if key.code in codes],
                *([place.words if place else ""] if places else []),
                ", ".join(filter(None, [marks.get(row.player, _Mark()).text, note])),
            ]
        )
    _show_ranking(
        session,
        headers,
        rows,
        right=(0, 2, *range(4, 4 + len(codes))),
        style=style,
        title=results.title(standings),
        heading=results.heading(standings) + (", no lot drawn" if results.missing_lot(standings) else ""),
    )


def _marks(results: RankedResults, standings: Standings, cut: int | None) -> dict[PlayerId, _Mark]:
    if results.cut is not None and results.made_cut(cut):
        return dict.fromkeys(results.cut, _Mark(f"top {len(results.cut)}", through=True))
    if cut is None:
        return {}
    qualifiers = cut_at(standings, cut, results.gone)
    return {
        **dict.fromkeys(qualifiers.through, _Mark(f"top {cut}", through=True)),
        **dict.fromkeys(qualifiers.level, _Mark(f"level for {_places(qualifiers)}", level=True)),
    }


def _places(cut: Qualifiers) -> str:
    first = cut.size - cut.places + 1
    return f"place {first}" if first == cut.size else f"places {first}–{cut.size}"


def _show_notes(
    session: Session, results: RankedResults, tables: list[tuple[str, Standings]], cut: int | None
) -> None:
    """Show notes about the table: the profile, unfinished matches, ties, and players left out."""
    standings = tables[0][1]
    edition = f", edition of {standings.profile.edition}" if standings.profile.edition else ""
    session.talk(f"{results.heading(standings)}, under {standings.profile.name}{edition}")
    _show_missing_lot(session, results, standings)
    if standings.playing:
        session.talk(f"no result yet, so not counted: {_tables_text(standings.playing)}")
    for tie in filter(None, (_tie(results, table, cut) for _, table in tables)):
        session.talk(tie)
    early = [results.names[row.player] for row in standings.rows if row.left_early]
    if early:
        session.talk(
            f"not counted, for either side: the games of {listed(early)}, who left before half of them"
        )
    if standings.left_out:
        session.talk(f"not ranked, left before their first match: {len(standings.left_out)}")


def _show_missing_lot(session: Session, results: RankedResults, standings: Standings) -> None:
    """Show that players share a rank because no lot is drawn, and the reason."""
    if reason := results.missing_lot(standings):
        session.talk(f"players who are level in everything share a place, as no lot is drawn: {reason}")


def _tables_text(playing: Iterable[tuple[int, int]]) -> str:
    """Return tables, given as (round, table), in words: `tables 1–16 of round 4`."""
    by_round: dict[int, list[int]] = {}
    for number, table in playing:
        by_round.setdefault(number, []).append(table)
    return listed(
        f"{'table' if len(tables) == 1 else 'tables'} {tables_text(tables)} of round {number}"
        for number, tables in by_round.items()
    )


def _tie(results: RankedResults, standings: Standings, cut: int | None) -> str:
    """Return a text about the players level across the line of the cut.

    The text also says how the tie is decided. It is empty if no players are level.
    """
    if cut is None or results.made_cut(cut):
        return ""
    qualifiers = cut_at(standings, cut, results.gone)
    if not qualifiers.level:
        return qualifiers.lot_text(results.name, made=False)
    if LOT in results.profile.order:
        lot = "no lot is drawn"
        draws = results.no_lot
    else:
        lot = f"{results.profile.name} has no lot"
        draws = (
            f"`tourney event cut {cut} --lot` draws one"
            if results.of_event
            else "`--tiebreaks` can end in LOT"
        )
    names = listed(map(results.name, qualifiers.level))
    return f"{names} are level for {_places(qualifiers)}: {lot}; {draws}"


def _document(
    results: RankedResults, tables: list[tuple[str, Standings]], cut: int | None
) -> documents.StandingsDocument:
    standings = tables[0][1]
    size = cut or (len(results.cut) if results.cut else None)
    return documents.StandingsDocument(
        profile=standings.profile.name,
        edition=standings.profile.edition,
        source=standings.profile.source,
        after=standings.rounds,
        order=tuple(standings.profile.order),
        playing=tuple(documents.UnfinishedTable(number, table) for number, table in standings.playing),
        provisional=bool(standings.playing),
        as_of=results.heading(standings),
        at=or_unset(results.at),
        no_lot=or_unset(results.missing_lot(standings) or None),
        final=documents.final_ranking(results.final, results.division) if results.final else UNSET,
        division=or_unset(results.division or None),
        cut=tuple(_cut_line(results, table, size) for _, table in tables) if size else UNSET,
        left_out=tuple(results.names[player] for player in standings.left_out),
        standings=tuple(
            row
            for division, table in tables
            for row in _document_rows(results, table, cut, division=division, has_cut=bool(size))
        ),
    )


def _document_rows(
    results: RankedResults, standings: Standings, cut: int | None, *, division: str, has_cut: bool
) -> Iterator[documents.StandingsRow]:
    """Yield the rows of the document.

    division: the division of a file that these standings rank; empty otherwise
    """
    marks, places = _marks(results, standings, cut), results.places(standings)
    for row in results.shown(standings):
        mark = marks.get(row.player, _Mark())
        yield documents.standings_row(
            results,
            row,
            cut=(mark.through, mark.level) if has_cut else None,
            division=division,
            place=places.get(row.player),
        )


def _cut_line(results: RankedResults, standings: Standings, size: int) -> documents.CutLine:
    is_made = results.made_cut(size)
    qualifiers = cut_at(standings, size, results.gone)
    return documents.CutLine(
        size=size,
        made=is_made,
        level=() if is_made else tuple(results.names[player] for player in qualifiers.level),
        places=0 if is_made else qualifiers.places,
        tie=_tie(results, standings, size),
    )


# -- tourney standings why


@command("why", event=True)
@click.argument("who", metavar="PLAYER", shell_complete=players)
@asking
def why_(session: Session, who: str, request: StandingsRequest) -> None:
    """Explain a player's rank.

    Shows the arithmetic of every tie-break in exact fractions: what each opponent contributes, floors, byes,
    and the opponents' own results; what separates the player from the neighbors above and below; and which
    different result of a single table would have swapped them. Once there is a bracket, the player's place in
    it comes first.

    Examples:
      tourney standings why Mira
      tourney standings why '#7' --after 3
      tourney standings why Mira --from results.csv --profile mtr
    """
    results = request.read(session)
    player = results.find(who)
    try:
        explanation = why(results.record, results.profile, player, seed=results.seed, form=results.form())
    except KeyError:
        raise TourneyError(
            f"{results.name(player)} is not in the standings: left before their first match"
        ) from None
    if session.json:
        session.emit(documents.rank_explanation(results, explanation))
        return
    if results.at is not None:
        session.say(f"As of entry {results.at}\n")
    if results.final is not None:
        session.say(_final_text(results.final, player))
        if not results.final.swiss:
            return
        session.say("\nIn the Swiss rounds:")
    side_of = results.side_of or (lambda _player, _round: "")

    def score_of(player: PlayerId, number: int) -> str:
        seats = results.seats_of(player, number)
        return scores_text(seats) if seats else ""

    session.say("\n".join(describe(explanation, results.name, side_of, score_of)))
    _show_next_command(session, results, request, player)


def _show_next_command(
    session: Session, results: RankedResults, request: StandingsRequest, player: PlayerId
) -> None:
    """Print the command that shows what a player needs for the cut.

    The command is printed only if matches are still to be played before the cut.
    """
    record = results.record
    to_come = results.planned is not None and results.planned > len(record.rounds)
    playing = bool(record.rounds) and any(table.result is None for table in record.rounds[-1])
    out = player in results.gone or player in record.drops or player in record.disqualified
    past = request.at is not None or request.after is not None
    if not (to_come or playing) or out or past or results.final is not None:
        return
    words = ["tourney forecast player", quote(results.name(player))]
    if not results.cut_to_come:
        if results.of_event:
            return  # no cut is planned
        words.append("--cut 8")
    session.talk(f"For the cut: `{' '.join([*words, *results.from_])}` shows what is still needed")


def _final_text(final: FinalView, player: PlayerId) -> str:
    """Return a text about a player's place in the final ranking, and how the place is decided."""
    row = final.row(player)
    came = f", {row.bracket}" if row.bracket else ""
    if row.first is None:
        return f"{row.name}: no place{f', {row.note}' if row.note else ''}{came}"
    return f"{row.name}: {row.places}{came} ({final.title[:1].lower()}{final.title[1:]})\n{final.how}"


# -- tourney standings compare


@command("compare", event=True)
@click.argument("names", metavar="[PROFILE]...", nargs=-1, shell_complete=profiles)
@asking_results
@positive("--cut", default=8, show_default=True, help="How many make the cut.")
def compare_(session: Session, names: tuple[str, ...], cut: int, request: StandingsRequest) -> None:
    """Show the same results under several profiles, and who makes the cut under each.

    Without a name, all profiles are compared. The event is not changed.

    Examples:
      tourney standings compare tourney mtr --cut 8
      tourney standings compare mtr melee wer --from results.csv --cut 2
    """
    _compare(session, request, names or session.library().profiles(), cut)


def _compare(session: Session, request: StandingsRequest, names: Sequence[str], cut: int) -> None:
    results = request.read_under(session, names)
    comparison = compare_cuts(
        [result.standings() for result in results],
        cut=cut,
        gone=results[0].gone,
    )
    first = results[0]
    as_of = first.heading(comparison.cuts[0].standings)
    session.emit(cut_comparison(comparison, first.names, as_of=as_of, at=first.at))
    _show_comparison(session, first, comparison)


def _show_comparison(session: Session, results: RankedResults, comparison: Comparison) -> None:
    standings = comparison.cuts[0].standings
    if title := results.title(standings):
        session.say(f"{title}\n")
    headers = ["", *[cut.standings.profile.name for cut in comparison.cuts]]
    rows = [
        [str(place + 1), *[_cell(results, comparison, cut, place) for cut in comparison.cuts]]
        for place in range(comparison.size)
    ]
    session.table(headers, rows, right=(0,))
    always, sometimes = (
        ", ".join(map(results.name, group)) for group in (comparison.always, comparison.sometimes)
    )
    session.say()
    session.say(f"in the top {comparison.size} under every profile: {always or 'no player'}")
    session.say(f"only under some (*): {sometimes or 'no player'}")
    for cut in comparison.cuts:
        if cut.level:
            names = ", ".join(map(results.name, cut.level))
            places = counted(cut.places, "place")
            session.say(f"level across the line under {cut.standings.profile.name}, for {places}: {names}")
    session.talk(results.heading(standings))


def _cell(results: RankedResults, comparison: Comparison, cut: Qualifiers, place: int) -> str:
    if place >= len(cut.through):
        return "(level)" if place < len(cut.through) + cut.places else ""
    player = cut.through[place]
    return results.name(player) + ("*" if player in comparison.sometimes else "")


# -- tourney standings profiles


@command("profiles")
@click.argument("name", metavar="[NAME|FILE]", required=False, shell_complete=profiles)
def profiles_(session: Session, name: str | None) -> None:
    """List standings profiles, or show one: points, percentages, tie-breaks, editions, source.

    Examples:
      tourney standings profiles
      tourney standings profiles melee
    """
    library = session.library()
    if name:
        profile = library.profile(name)
        session.emit(shown_profile(profile))
        session.say(_explained(profile))
        return
    all_profiles = [library.profile(name) for name in library.profiles()]
    session.emit(ProfileList(profiles=tuple(map(profile_summary, all_profiles))))
    rows = [
        [profile.name, profile.title, ", ".join(profile.order), str(profile.since)]
        for profile in all_profiles
    ]
    session.table(("profile", "rules of", "order", "as of"), rows)
    session.talk("\n`tourney standings profiles NAME` explains one")


def _explained(profile: Profile) -> Iterator[str]:
    yield f"{profile.name}: {profile.title}, as of {profile.since}"
    yield f"source: {profile.source}"
    if profile.extends:
        yield f"extends {profile.extends}"
    yield ""
    rows = [
        [code, find(code).name, "lower" if find(code).low else "higher", find(code).source]
        for code in profile.order
    ]
    yield table_text(("order", "", "better", "source"), rows)
    yield ""
    yield _outcomes(profile)
    yield ""
    yield f"match-win %: {_limits(profile.match_win)}"
    drawn = f"a drawn game counts {profile.game_win.draw}"
    yield f"game-win %: {_limits(profile.game_win)}, {drawn}"
    if profile.frozen:
        yield f"kept as of the last round before a drop: {', '.join(sorted(profile.frozen))}"
    if profile.schedule:
        yield ""
        yield table_text(
            ("players", "Swiss rounds", "cut"),
            [
                [f"{row.fewest}–{row.most}", str(row.rounds or "none"), str(row.cut or "none")]
                for row in profile.schedule
            ],
        )
    yield from ["", *profile.notes]
    if profile.editions:
        yield ""
        yield table_text(
            ("edition since", "why"), [[str(edition.since), edition.source] for edition in profile.editions]
        )


def _outcomes(profile: Profile) -> str:
    rows = [
        [
            outcome.value.replace("-", " "),
            profile.points_text(rule.points),
            "left out" if rule.match is None else str(rule.match),
            "as played" if rule.games is None else "–".join(map(str, rule.games)),
        ]
        for outcome, rule in profile.outcomes.items()
    ]
    return table_text(("outcome", "points", "of a match-win %", "games (won–lost–drawn)"), rows, right=(1,))


def _limits(limits: Percentage) -> str:
    words = [f"floor {limits.floor}" if limits.floor else "no floor"]
    words += [f"floor {floor} at tables of {seats}" for seats, floor in limits.floor_by_size.items()]
    words += [f"cap {limits.cap}"] if limits.cap < 1 else []
    words += [f"cap {limits.cap_dropped} after a drop"] if limits.cap_dropped < limits.cap else []
    words += [] if limits.own_floor else ["the own value is shown and ranked without the floor"]
    return ", ".join(words)
