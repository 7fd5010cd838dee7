"""`tourney standings profiles`: the rules that standings can be made by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.columns import table_text
from tourney.cli.command import command
from tourney.cli.completers import profiles
from tourney.cli.session import Session

if TYPE_CHECKING:
    from tourney.standings import Profile
    from tourney.standings.profile import Percentage


@command(
    "profiles",
    examples=["tourney standings profiles", "tourney standings profiles melee"],
)
@click.argument("name", metavar="[NAME|FILE]", required=False, shell_complete=profiles)
def profiles_(session: Session, name: str | None) -> None:
    """List the standings profiles, or explain one: points, percentages, tie-breaks in order, editions, source."""
    library = session.library()
    if name:
        profile = library.profile(name)
        if session.json:
            session.emit("standings-profile/1", _as_json(profile))
        else:
            session.say("\n".join(_explained(profile)))
        return
    found = [library.profile(each) for each in library.profiles()]
    if session.json:
        session.emit("standings-profiles/1", {"profiles": [_as_json(profile) for profile in found]})
        return
    rows = [[profile.name, profile.title, ", ".join(profile.order), str(profile.since)] for profile in found]
    session.table(("profile", "rules of", "order", "as of"), rows)
    session.talk("\n`tourney standings profiles NAME` explains one")


def _as_json(profile: Profile) -> dict[str, Any]:
    from tourney.standings.printing import json_value
    from tourney.standings.tiebreaks import find

    return {
        "name": profile.name,
        "title": profile.title,
        "source": profile.source,
        "date": profile.since,
        "extends": profile.extends,
        "edition": profile.edition,
        "editions": [{"since": edition.since, "source": edition.source} for edition in profile.editions],
        "order": [
            {
                "code": code,
                "name": find(code).name,
                "source": find(code).source,
                "lower_is_better": find(code).low,
            }
            for code in profile.order
        ],
        "points": {outcome.value: json_value(profile.points_of(outcome)) for outcome in profile.outcomes},
        "notes": list(profile.notes),
    }


def _explained(profile: Profile) -> Iterator[str]:
    from tourney.standings.tiebreaks import find

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
    yield from ["", *profile.notes]
    if profile.editions:
        yield ""
        yield table_text(
            ("edition since", "why"), [[str(each.since), each.source] for each in profile.editions]
        )


def _outcomes(profile: Profile) -> str:
    from tourney.standings.printing import points_text

    rows = [
        [
            outcome.value.replace("-", " "),
            points_text(rule.points, profile),
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
