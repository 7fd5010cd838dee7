"""`tourney standings compare` and `profiles`: the cut under several standings profiles.

`profiles` lists the profiles.
"""

from __future__ import annotations

from collections.abc import Iterator

import click

from tourney.cli.command import command
from tourney.cli.options import positive, profiles
from tourney.cli.output import table_text
from tourney.cli.session import Session
from tourney.cli.standings.results import RankedResults, StandingsRequest, asking_results
from tourney.standings import Comparison, Profile, Qualifiers, compare_cuts, rank
from tourney.standings.documents import ProfileList, cut_comparison, profile_summary, shown_profile
from tourney.standings.profile import Percentage
from tourney.standings.tiebreaks import find
from tourney.wording import counted

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
    results = request.read_under(session, names or session.library().profiles())
    comparison = compare_cuts(
        [rank(result.record, result.profile, seed=result.seed) for result in results],
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
