"""`tourney standings compare`: who makes the cut under which rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import command
from tourney.cli.completers import profiles
from tourney.cli.session import Session
from tourney.cli.standings_asked import Asked, Options, asking
from tourney.standings.printing import heading_text

if TYPE_CHECKING:
    from tourney.standings import Comparison, Cut


@command(
    "compare",
    event=True,
    examples=[
        "tourney standings compare tourney mtr --cut 8",
        "tourney standings compare mtr melee wer --from results.csv --cut 2",
    ],
)
@click.argument("names", metavar="PROFILE...", nargs=-1, required=True, shell_complete=profiles)
@asking
@click.option("--cut", metavar="N", type=click.IntRange(min=1), default=8, help="How many make the cut (8).")
def compare_(session: Session, names: tuple[str, ...], cut: int, **options: Any) -> None:
    """Show the same results under several profiles, and who makes the cut under each.

    Looking at standings under another profile changes nothing in the event.
    """
    show_comparison(session, Options(**options), names, cut)


def show_comparison(session: Session, options: Options, names: Sequence[str], cut: int) -> None:
    """Compare the results under the profiles `names`."""
    if options.profile:
        raise click.UsageError("--profile names one profile; a comparison is of several")
    from tourney.standings import compare_cuts, rank

    told: set[str] = set()
    asked = [options.for_profile(name).asked(session, told) for name in names]
    # A file is read anew for each profile: whether two numbers are games or scores is the profile's to say.
    found = compare_cuts(
        [rank(each.record, each.profile, seed=each.seed) for each in asked], cut=cut, gone=asked[0].gone
    )
    if session.json:
        session.emit("standings-compare/1", _as_json(asked[0], found))
        return
    _print(session, asked[0], found)


def _as_json(asked: Asked, found: Comparison) -> dict[str, Any]:
    return {
        "cut": found.size,
        "provisional": bool(found.cuts[0].standings.playing),
        "as_of": heading_text(found.cuts[0].standings),
        "always": [asked.names[player] for player in found.always],
        "sometimes": [asked.names[player] for player in found.sometimes],
        "profiles": [
            {
                "profile": cut.standings.profile.name,
                "edition": cut.standings.profile.edition,
                "through": [asked.names[player] for player in cut.through],
                "level": [asked.names[player] for player in cut.level],
                "places": cut.places,
            }
            for cut in found.cuts
        ],
    }


def _print(session: Session, asked: Asked, found: Comparison) -> None:
    standings = found.cuts[0].standings
    if standings.playing:
        session.say(f"Provisional: {heading_text(standings)}\n")
    headers = ["", *[cut.standings.profile.name for cut in found.cuts]]
    rows = [
        [str(place + 1), *[_cell(asked, found, cut, place) for cut in found.cuts]]
        for place in range(found.size)
    ]
    session.table(headers, rows, right=(0,))
    always, sometimes = (", ".join(map(asked.name, each)) for each in (found.always, found.sometimes))
    session.say()
    session.say(f"in the top {found.size} under every profile: {always or 'nobody'}")
    session.say(f"only under some (*): {sometimes or 'nobody'}")
    for cut in found.cuts:
        if cut.level:
            names = ", ".join(map(asked.name, cut.level))
            places = "1 place" if cut.places == 1 else f"{cut.places} places"
            session.say(f"level across the line under {cut.standings.profile.name}, for {places}: {names}")
    session.talk(heading_text(standings))


def _cell(asked: Asked, found: Comparison, cut: Cut, place: int) -> str:
    if place >= len(cut.through):
        return "(level)" if place < len(cut.through) + cut.places else ""
    player = cut.through[place]
    return asked.name(player) + ("*" if player in found.sometimes else "")
