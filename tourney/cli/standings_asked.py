"""What a look at standings is about: an event or a file of results, a profile, a round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tourney.cli.completers import profiles
from tourney.errors import TourneyError

if TYPE_CHECKING:
    from tourney.cli.session import Session
    from tourney.record import PlayerId, Record
    from tourney.standings import MatchForm, Profile
    from tourney.standings.reading import Name

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_PROFILE = "tourney"


def asking(function: F) -> F:
    """Add the options that say which results are looked at, and under which rules."""
    options = (
        click.option(
            "--profile",
            metavar="NAME|FILE",
            shell_complete=profiles,
            help="Other rules than the event's; `tourney standings profiles`.",
        ),
        click.option(
            "--after", metavar="N", type=click.IntRange(min=0), help="The standings after N rounds."
        ),
        click.option(
            "--at", metavar="ENTRY", type=click.IntRange(min=0), help="As the event stood after that entry."
        ),
        click.option(
            "--from",
            "source",
            metavar="FILE",
            help="Results from a file (JSON, CSV, TRF; `-`: standard input) instead of an event.",
        ),
        click.option(
            "--on",
            "day",
            metavar="DAY",
            type=click.DateTime(["%Y-%m-%d"]),
            help="The day whose edition of the rules holds.",
        ),
        click.option("--seed", metavar="TEXT", help="Draw the lot of a file's standings from this text."),
        click.option("--tiebreaks", metavar="CODES", help="Another order of tie-breaks: `PTS,BH/C1,BH,SB`."),
    )
    for option in reversed(options):
        function = option(function)
    return function


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Results and the rules they are ranked under.

    profile:   the edition that holds
    names:     player → name, as the event or the file has it
    seed:      of the lot; empty: none is drawn
    divisions: name → players ranked among themselves; empty: all together
    cut:       who went on to the event's bracket, where these are the standings it was made from; None: nobody did yet
    gone:      who had left when the last of these rounds was over
    of_event:  whether this is an event, not a file of results
    match:     the games a match can have, and whether it can be drawn, as far as that is known
    """

    record: Record
    profile: Profile
    names: Mapping[PlayerId, Name]
    seed: str = ""
    divisions: Mapping[str, tuple[PlayerId, ...]] = field(default_factory=dict)
    cut: frozenset[PlayerId] | None = None
    gone: frozenset[PlayerId] = frozenset()
    of_event: bool = False
    match: tuple[int | None, bool | None] = (None, None)

    def form(self) -> MatchForm:
        """Return what a match can end in; what is not known is read off the results."""
        from tourney.standings import MatchForm

        best_of, draws = self.match
        return MatchForm.seen_in(self.record, best_of=best_of, draws=draws)

    def name(self, player: PlayerId) -> str:
        """Return the name of a player as text."""
        return str(self.names[player])

    def find(self, text: str) -> PlayerId:
        """Return who is meant by a name, an unambiguous prefix or `#7`. Raises TourneyError where nobody is."""
        from tourney.event.parts import Ref
        from tourney.event.state import Player
        from tourney.event.who import find

        players = {
            player: Player(id=player, name=str(name), name_ref=Ref("")) for player, name in self.names.items()
        }
        return find(players, text)


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of `asking`, as they were given."""

    profile: str | None
    after: int | None
    at: int | None
    source: str | None
    day: datetime | None
    seed: str | None
    tiebreaks: str | None

    def asked(self, session: Session, told: set[str] | None = None) -> Asked:
        """Read what was asked about; warnings that are `told` already are not repeated. Raises TourneyError where it is not there, or the line asks for two things."""
        if self.source is not None and self.at is not None:
            raise click.UsageError("--at names an entry of an event, not of a file")
        if self.source is None and self.seed is not None:
            raise click.UsageError("--seed belongs to --from: an event draws its lots from its own seed")
        found = (
            self._of_file(session, self.source, set() if told is None else told)
            if self.source is not None
            else self._of_event(session)
        )
        return replace(found, profile=self._ordered(found.profile))

    def for_profile(self, name: str) -> Options:
        """Return the same question under another profile."""
        return replace(self, profile=name)

    def _of_file(self, session: Session, source: str, told: set[str]) -> Asked:
        from tourney.standings.reading import number_columns_are_scores, read_results

        profile = session.library().profile(self.profile or DEFAULT_PROFILE)
        results = read_results(
            session.read_text(source),
            source="standard input" if source == "-" else source,
            scores=number_columns_are_scores(profile),
        )
        edition = results.edition(profile, self.day.date() if self.day else None)
        unread = f"not read: {', '.join(results.unread)}" if results.unread else ""
        for remark in filter(None, [unread, *results.remarks, results.scored_otherwise(edition)]):
            if remark not in told:
                session.warn(f"{source}: {remark}")
                told.add(remark)
        record = results.record
        if self.after is not None:
            if self.after > len(record.rounds):
                raise TourneyError(
                    f"{source}: there is no round {self.after}: {len(record.rounds)} in the file"
                )
            record = record.after(self.after)
        return Asked(
            record=record,
            profile=edition,
            names=results.names,
            seed=self.seed or "",
            divisions=results.divisions,
            match=results.match,
        )

    def _of_event(self, session: Session) -> Asked:
        from tourney.event.field import cut_of, left_by

        with session.desk() as desk:
            ranked = desk.ranked(profile=self.profile, after=self.after, at=self.at)
            state = desk.state if self.at is None else desk.at(self.at)
        last = len(ranked.record.rounds)
        own = self.profile in (None, state.profile) and last == len(state.swiss) and not self.tiebreaks
        return Asked(
            record=ranked.record,
            profile=ranked.profile.on(self.day.date()) if self.day else ranked.profile,
            names={player.id: player.name for player in state.players.values()},
            seed=ranked.seed,
            cut=(cut_of(state) or None) if own else None,
            gone=left_by(state, last),
            of_event=True,
            match=(state.settings.best_of, state.settings.draws),
        )

    def _ordered(self, profile: Profile) -> Profile:
        if self.tiebreaks is None:
            return profile
        from tourney.standings import with_order

        return with_order(profile, [code.strip() for code in self.tiebreaks.split(",") if code.strip()])
