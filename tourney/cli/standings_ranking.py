"""`tourney standings`: the ranking, the reasons for a rank, the cut under several profiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from shlex import quote
from typing import NamedTuple

import click
from msgspec import UNSET, structs

from tourney.cli.command import command
from tourney.cli.options import flag, players, positive, profiles
from tourney.cli.output import table_style, table_text
from tourney.cli.session import Session
from tourney.cli.standings_results import RankedResults, StandingsRequest, asking, asking_results
from tourney.document import or_unset
from tourney.errors import TourneyError
from tourney.event.phrases import scores_text, tables_text
from tourney.event.view import FinalView, PlaceView
from tourney.record import PlayerId
from tourney.spreadsheet import format_csv
from tourney.standings import (
    Comparison,
    Explanation,
    Profile,
    Qualifiers,
    Standings,
    compare_cuts,
    cut_at,
    documents,
    explain_place,
)
from tourney.standings.describing import describe
from tourney.standings.profile import LOT, Percentage
from tourney.standings.ranking import columns, note_text, record_text, value_text
from tourney.standings.tiebreaks import find
from tourney.wording import as_of, counted, listed

# -- tourney standings show


@command("show", event=True)
@asking
@positive("--cut", help="Mark the first N players who are still in the event.")
@click.option(
    "--table",
    "style",
    metavar="FMT",
    default="text",
    help="The form of the table: text, markdown, csv, tsv, html …",
)
@click.option("--division", metavar="NAME", help="Only players of a division, with their places in it.")
@flag("--swiss", help="Show the standings of the Swiss rounds, even if there is a bracket.")
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
    --swiss shows only the standings of the Swiss rounds, with their tie-breaks. So does every option that
    selects other results or rules, such as --after or --profile.

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
    rankings = _rankings(results, cut)
    if session.json:
        session.emit(_document(results, rankings))
        return
    if results.stuck:
        session.warn(
            f"the places of the bracket are not known: {results.stuck}",
            "find the wrong entry with `tourney event log`, and undo it with `tourney event undo ENTRY`",
        )
    if results.final is not None and not swiss and cut is None:
        _show_final(session, results, results.final, style)
        _show_missing_lot(session, results, rankings[0].standings)
        return
    for i, ranking in enumerate(rankings):
        if ranking.division:
            session.say(f"{'' if i == 0 else chr(10)}{ranking.division}")
        _show(session, results, ranking, style)
    _show_notes(session, results, rankings)


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
    heading: a text that says which results are counted. It becomes a column in CSV, and in any style that
        does not allow the title
    """
    if style == "csv":
        header = [*headers, "note", "as of"]
        session.say(format_csv(header, [[*row, heading] for row in rows]).rstrip("\n"))
        return False
    has_notes = any(row[-1] for row in rows)
    has_title_above = bool(title) and style in _LINE_ABOVE
    if has_title_above:
        session.say(f"{title}\n")
    as_of = [heading] if title and not has_title_above else []
    session.table(
        [*headers, *([""] if has_notes else []), *(["as of"] if as_of else [])],
        [[*(row if has_notes else row[:-1]), *as_of] for row in rows],
        right=right,
        style=style,
    )
    return has_title_above


_LINE_ABOVE = frozenset({"plain", "simple", "github", "pipe"})
"""Styles that allow a line above the table."""


class _Ranking(NamedTuple):
    """A ranking to show.

    division: the division whose players are ranked, for a file with divisions; empty for all players
    cut:      the players who make the cut, and the players who are tied at its line; None without a cut
    """

    division: str
    standings: Standings
    cut: Qualifiers | None


def _rankings(results: RankedResults, cut: int | None) -> list[_Ranking]:
    """Return one ranking of all players, or one for each division if a file has divisions.

    cut: the size of the cut to mark; None to mark the cut that the event has made, if any
    """
    tables = {name: results.standings(players) for name, players in results.divisions.items()}
    tables = tables or {"": results.standings()}
    return [_Ranking(name, table, _qualifiers(results, table, cut)) for name, table in tables.items()]


def _qualifiers(results: RankedResults, standings: Standings, cut: int | None) -> Qualifiers | None:
    if results.cut is not None and results.made_cut(cut):
        through = tuple(results.cut)
        return Qualifiers(standings=standings, size=len(through), through=through, level=())
    return None if cut is None else cut_at(standings, cut, results.departed_players)


def _show(session: Session, results: RankedResults, ranking: _Ranking, style: str) -> None:
    standings = ranking.standings
    codes = columns(standings)
    marks, places = _marks(ranking.cut) if ranking.cut else {}, results.places(standings)
    headers = ["rank" if style == "csv" else "", "player", "points", "record"]
    headers += [f"{code} %" if find(code).unit == "percent" else code for code in codes]
    headers += ["division"] if places else []
    rows = []
    for row in results.shown_rows(standings):
        place = places.get(row.player)
        note = note_text(row, has_left=row.player in results.departed_players)
        rows.append(
            [
                "" if row.rank is None else str(row.rank),
                results.name(row.player),
                results.profile.points_text(row.points),
                record_text(row),
                *[value_text(key, results.profile) for key in row.keys if key.code in codes],
                *([place.in_division if place else ""] if places else []),
                ", ".join(filter(None, [marks.get(row.player), note])),
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


def _marks(cut: Qualifiers) -> dict[PlayerId, str]:
    """Return the note about the cut for each player: `top 4`, or `level for place 4`."""
    level = f"level for {_places(cut)}"
    return dict.fromkeys(cut.through, f"top {cut.size}") | dict.fromkeys(cut.level, level)


def _places(cut: Qualifiers) -> str:
    first = cut.size - cut.places + 1
    return f"place {first}" if first == cut.size else f"places {first}–{cut.size}"


def _show_notes(session: Session, results: RankedResults, rankings: Sequence[_Ranking]) -> None:
    """Show notes about the table: the profile, unfinished matches, ties, and players left out."""
    standings = rankings[0].standings
    edition = f", edition of {standings.profile.edition}" if standings.profile.edition else ""
    counted_results = "ranked" if results.title(standings) else f"{results.heading(standings)},"
    session.talk(f"{counted_results} under {standings.profile.name}{edition}")
    _show_missing_lot(session, results, standings)
    if standings.open_tables:
        session.talk(f"no result yet, so not counted: {_tables_text(standings.open_tables)}")
    for ranking in rankings:
        if ranking.cut and (tie := _tie_text(results, ranking.cut)):
            session.talk(tie)
    early = [results.names[row.player] for row in standings.rows if row.left_early]
    if early:
        session.talk(
            f"the games of {listed(early)} do not count for either player: {listed(early)} left before"
            " half of them"
        )
    if standings.left_out:
        number = counted(len(standings.left_out), "player")
        session.talk(f"left before their first match, so not ranked: {number}")


def _show_missing_lot(session: Session, results: RankedResults, standings: Standings) -> None:
    """Show that players share a rank because no lot is drawn, and the reason."""
    if reason := results.missing_lot(standings):
        session.talk(f"players who are level in everything share a place, as no lot is drawn: {reason}")


def _tables_text(playing: Iterable[tuple[int, int]]) -> str:
    """Return a text that names some tables: `tables 1–16 of round 4`.

    playing: the tables, each as the round's number and the table's number
    """
    by_round: dict[int, list[int]] = {}
    for number, table in playing:
        by_round.setdefault(number, []).append(table)
    return listed(
        f"{'table' if len(tables) == 1 else 'tables'} {tables_text(tables)} of round {number}"
        for number, tables in by_round.items()
    )


def _tie_text(results: RankedResults, cut: Qualifiers) -> str:
    """Return a sentence about ties for the last places in the cut; empty without ties.

    If players are level, the sentence names them, and says how to break the tie. If the lot has broken the
    tie, it says who makes the cut by the lot alone, and who misses it.
    """
    if not cut.level:
        return cut.lot_text(results.name, is_made=False)
    if LOT in results.profile.order:
        lot = "no lot is drawn"
        draws = results.no_lot
    else:
        lot = f"{results.profile.name} has no lot"
        draws = (
            f"`tourney event cut {cut.size} --lot` draws one"
            if results.of_event
            else "`--tiebreaks` can end in LOT"
        )
    names = listed(map(results.name, cut.level))
    return f"{names} are level for {_places(cut)}: {lot}; {draws}"


def _document(results: RankedResults, rankings: Sequence[_Ranking]) -> documents.StandingsDocument:
    standings = rankings[0].standings
    cuts = tuple(
        documents.CutLine(
            size=cut.size,
            made=results.made_cut(cut.size),
            level=tuple(results.names[player] for player in cut.level),
            places=cut.places,
            tie=_tie_text(results, cut),
        )
        for cut in (ranking.cut for ranking in rankings)
        if cut
    )
    return documents.StandingsDocument(
        profile=standings.profile.name,
        edition=standings.profile.edition,
        source=standings.profile.source,
        after=standings.rounds,
        order=tuple(standings.profile.order),
        playing=tuple(documents.UnfinishedTable(number, table) for number, table in standings.open_tables),
        provisional=bool(standings.open_tables),
        as_of=results.heading(standings),
        at=or_unset(results.at),
        no_lot=or_unset(results.missing_lot(standings) or None),
        final=_final_rows(results.final, results.division) if results.final else UNSET,
        division=or_unset(results.division or None),
        cut=cuts or UNSET,
        left_out=tuple(results.names[player] for player in standings.left_out),
        standings=tuple(row for ranking in rankings for row in _rows(results, ranking)),
    )


def _rows(results: RankedResults, ranking: _Ranking) -> Iterator[documents.StandingsRow]:
    """Yield the rows of a ranking, as `--json` prints them."""
    cut, places = ranking.cut, results.places(ranking.standings)
    through, level = (set(cut.through), set(cut.level)) if cut else (set(), set())
    for row in results.shown_rows(ranking.standings):
        place = places.get(row.player)
        of_file = {"division": or_unset(ranking.division or None)}
        yield documents.StandingsRow(
            **documents.ranked_fields(row, results.names, results.departed_players),
            tiebreaks=documents.tiebreak_values(row),
            cut=row.player in through if cut else UNSET,
            level=row.player in level if cut else UNSET,
            **(structs.asdict(place) if place else of_file),
        )


def _final_rows(final: FinalView, division: str) -> documents.FinalRows:
    return documents.FinalRows(
        finished=final.finished,
        open=final.why_not or None,
        as_of=final.counts,
        places=tuple(_final_place(row) for row in final.rows if not division or row.division == division),
    )


def _final_place(row: PlaceView) -> documents.FinalPlaceRow:
    return documents.FinalPlaceRow(
        place=row.first,
        last=row.last,
        player=row.name,
        number=row.player,
        bracket=row.bracket,
        swiss=row.swiss,
        record=row.record.replace("–", "-"),
        dropped=row.note == "drop",
        disqualified=row.note == "disqualified",
        **documents.division_fields(row.division, row.division_place, row.division_last),
    )


# -- tourney standings why


@command("why", event=True)
@click.argument("player_name", metavar="PLAYER", shell_complete=players)
@asking
def why_(session: Session, player_name: str, request: StandingsRequest) -> None:
    """Explain a player's rank.

    The command shows the arithmetic of every tie-break in exact fractions: what each opponent contributes,
    floors, byes, and the opponents' own results. It also shows what separates the player from the neighbors
    above and below, and which different result of a single table would have swapped them. Once there is a
    bracket, the player's place in it comes first.

    Examples:
      tourney standings why Mira
      tourney standings why '#7' --after 3
      tourney standings why Mira --from results.csv --profile mtr
    """
    results = request.read(session)
    player = results.find(player_name)
    try:
        explanation = explain_place(
            results.record, results.profile, player, seed=results.seed, form=results.form()
        )
    except KeyError:
        raise TourneyError(
            f"{results.name(player)} is not in the standings, because this player left"
            " before their first match"
        ) from None
    if session.json:
        session.emit(_explanation(results, explanation))
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


def _explanation(results: RankedResults, explanation: Explanation) -> documents.RankExplanation:
    final = results.final
    return documents.rank_explanation(
        explanation,
        results.names,
        late_drops=results.departed_players,
        as_of=results.heading(explanation.standings),
        at=results.at,
        final=_final_place(final.row(explanation.row.player)) if final else None,
        side_of=results.side_of,
        seats_of=results.seats_of,
    )


def _show_next_command(
    session: Session, results: RankedResults, request: StandingsRequest, player: PlayerId
) -> None:
    """Print the command that shows what a player needs for the cut.

    The command is printed only if matches are still to be played before the cut.
    """
    record = results.record
    to_come = results.planned_rounds is not None and results.planned_rounds > len(record.rounds)
    playing = bool(record.rounds) and any(table.result is None for table in record.rounds[-1])
    out = player in results.departed_players or player in record.drops or player in record.disqualified
    past = request.at is not None or request.after is not None
    if not (to_come or playing) or out or past or results.final is not None:
        return
    words = ["tourney forecast player", quote(results.name(player))]
    if not results.cut_to_come:
        if results.of_event:
            return  # no cut is planned
        words.append("--cut 8")
    session.talk(f"For the cut: `{' '.join([*words, *results.source_options])}` shows what is still needed")


def _final_text(final: FinalView, player: PlayerId) -> str:
    """Return a text about a player's place in the final ranking, and how the place is decided."""
    row = final.row(player)
    bracket_text = f", {row.bracket}" if row.bracket else ""
    if row.first is None:
        return f"{row.name}: no place{f', {row.note}' if row.note else ''}{bracket_text}"
    return f"{row.name}: {row.places}{bracket_text} ({final.title[:1].lower()}{final.title[1:]})\n{final.how}"


# -- tourney standings compare


@command("compare", event=True)
@click.argument("names", metavar="[PROFILE]...", nargs=-1, shell_complete=profiles)
@asking_results
@positive("--cut", default=8, show_default=True, help="The number of players who make the cut.")
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
        late_drops=results[0].departed_players,
    )
    first = results[0]
    as_of = first.heading(comparison.cuts[0].standings)
    session.emit(documents.cut_comparison(comparison, first.names, as_of=as_of, at=first.at))
    _show_comparison(session, first, comparison)


def _show_comparison(session: Session, results: RankedResults, comparison: Comparison) -> None:
    standings = comparison.cuts[0].standings
    if title := results.title(standings):
        session.say(f"{title}\n")
    names = [cut.standings.profile.name for cut in comparison.cuts]
    columns = [
        [_cell(results, comparison, cut, place) for place in range(comparison.size)]
        for cut in comparison.cuts
    ]
    rows = [[str(place), *cells] for place, cells in enumerate(zip(*columns, strict=True), 1)]
    if session.fits(["", *names], rows):
        session.table(["", *names], rows, right=(0,))
    else:
        lists = [", ".join(filter(None, cells)) for cells in columns]
        session.table([], list(zip(names, lists, strict=True)))
    always, sometimes = (
        ", ".join(map(results.name, group)) for group in (comparison.always, comparison.sometimes)
    )
    session.say()
    session.say(f"in the top {comparison.size} under every profile: {always or 'no player'}")
    session.say(f"only under some (*): {sometimes or 'no player'}")
    ties: dict[str, list[str]] = {}
    for cut in comparison.cuts:
        if cut.level:
            tie = f"for {counted(cut.places, 'place')}: {', '.join(map(results.name, cut.level))}"
            ties.setdefault(tie, []).append(cut.standings.profile.name)
    for tie, under in ties.items():
        session.say(f"tied at the cut line under {listed(under)}, {tie}")
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
        session.emit(documents.shown_profile(profile))
        session.say(_explain_profile(profile))
        return
    all_profiles = [library.profile(name) for name in library.profiles()]
    session.emit(documents.ProfileList(profiles=tuple(map(documents.profile_summary, all_profiles))))
    rows = [
        [profile.name, profile.title, ", ".join(profile.order), str(profile.since)]
        for profile in all_profiles
    ]
    session.table(("profile", "rules of", "order", "as of"), rows)
    session.talk("\n`tourney standings profiles NAME` explains a profile")


def _explain_profile(profile: Profile) -> Iterator[str]:
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
    draw_value = f"a drawn game counts {profile.game_win.draw}"
    yield f"game-win %: {_limits(profile.game_win)}, {draw_value}"
    if profile.frozen_codes:
        codes = ", ".join(sorted(profile.frozen_codes))
        yield f"a dropped player keeps these values from the last round before the drop: {codes}"
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
    words += [] if limits.own_floor else ["the player's own value is shown and ranked without the floor"]
    return ", ".join(words)
