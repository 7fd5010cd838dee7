"""Read results to rank, from an event or a file, as the command-line options ask.

The results come with the standings profile by which they are ranked.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

import click
from msgspec import Struct, field
from msgspec.structs import replace

from tourney.cards.names import fold
from tourney.cli.options import F, at_entry, date_option, gather_options, profile_option, together
from tourney.cli.session import Session, source_of
from tourney.errors import TourneyError
from tourney.record import DrawnGame, PlayerId, Record, Seat
from tourney.standings import MatchForm, Profile, Row, Standings, with_order
from tourney.standings.ranking import heading_text, lacks_lot, rank
from tourney.standings.reading import SAY_GAMES, Name, Results, read_results
from tourney.wording import as_of, counted, listed

if TYPE_CHECKING:  # a file of results needs no event
    from tourney.desk import Desk
    from tourney.event.field import InDivision
    from tourney.event.settings import System
    from tourney.event.view import FinalView
    from tourney.forecast.simulation import Coming


_asking_results = together(
    click.option("--after", metavar="N", type=click.IntRange(min=0), help="The standings after N rounds."),
    at_entry,
    click.option(
        "--from",
        "source",
        metavar="FILE",
        help="Results from a file (JSON, CSV, TRF; `-`: standard input) instead of an event.",
    ),
    date_option("--on", "day", "The day whose edition of the rules applies."),
    click.option(
        "--seed", metavar="TEXT", help="The text that determines the lots in the standings of a file."
    ),
    click.option("--tiebreaks", metavar="CODES", help="Another order of tie-breaks: `PTS,BH/C1,BH,SB`."),
)


class StandingsRequest(Struct, frozen=True, kw_only=True):
    """The values of the options that `asking` adds: which results to rank, and by which profile."""

    after: int | None
    at: int | None
    source: str | None
    day: date | None
    seed: str | None
    tiebreaks: str | None
    profile: str | None = None

    def read(self, session: Session) -> RankedResults:
        """Read the results.

        Raises TourneyError if they cannot be read or ranked as the options ask. Raises UsageError for options
        that contradict each other.
        """
        return self.read_under(session, [self.profile])[0]

    def read_under(self, session: Session, profiles: Sequence[str | None]) -> list[RankedResults]:
        """Read the results for each of several profiles.

        profiles: names of profiles; None means the profile of the event or of the file

        Raises the same errors as `read`.
        """
        if self.source is not None and self.at is not None:
            raise click.UsageError("--at works for events only, not with --from")
        if self.source is None and self.seed is not None:
            raise click.UsageError("--seed works only with --from: an event draws its lots from its own seed")
        results = (
            [self._of_event(session, name) for name in profiles]
            if self.source is None
            else list(self._of_file(session, self.source, profiles))
        )
        return [replace(result, profile=self._apply_order(result.profile)) for result in results]

    def _of_file(
        self, session: Session, source: str, profiles: Sequence[str | None]
    ) -> Iterator[RankedResults]:
        # The profile decides whether a match's two numbers are games or scores: read the file once for each
        # meaning.
        readings: dict[bool, Results] = {}
        warned_texts: set[str] = set()

        def warn(text: str, hint: str | None = None) -> None:
            if text and text not in warned_texts:
                warned_texts.add(text)
                session.warn(f"{source}: {text}", hint)

        for name in profiles:
            named_profile = session.library().profile(name) if name else None
            scores = named_profile is not None and named_profile.from_score
            if scores not in readings:
                readings[scores] = read_results(
                    session.read_text(source), source=source_of(source), scores=scores
                )
            results = readings[scores]
            profile = named_profile or session.library().profile(results.profile)
            edition = results.edition(profile, self.day)
            unread_text = f"not read: {', '.join(results.unread_keys)}" if results.unread_keys else ""
            for remark in (unread_text, *results.remarks, results.scoring_difference(edition)):
                warn(remark)
            warn(results.games_for_scores(edition), SAY_GAMES)
            yield self._rank_file(results, edition, source)

    def _rank_file(self, results: Results, edition: Profile, source: str) -> RankedResults:
        record = results.record
        if self.after is not None:
            if self.after > len(record.rounds):
                rounds = counted(len(record.rounds), "round")
                raise TourneyError(f"{source}: there is no round {self.after}: the file has {rounds}")
            record = record.after(self.after)
        return RankedResults(
            record=record,
            profile=edition,
            names=results.names,
            seed=self.seed or "",
            no_lot="" if self.seed else "`--seed TEXT` draws one",
            source=source,
            file_form=results.form,
            presumed_drops=results.presumed_drops & record.drops.keys(),
            divisions=results.divisions,
            cut_to_come=edition.advised_cut(len(record.players)),
            match=results.match,
            planned_rounds=record.planned_rounds,
            next_rounds=partial(_any_rounds, record),
        )

    def _of_event(self, session: Session, profile: str | None) -> RankedResults:
        from tourney.desk.forecasting import paired_by, refuse_bracket, rounds_to_come
        from tourney.event.field import cut_of, division_places, divisions_of, leavers_until, record_without
        from tourney.event.phrases import own_seats_of, sides_of
        from tourney.event.systems import cut_to_come, rounds_before_cut

        with session.look(self.at) as desk:
            ranking, state = desk.ranking_input(profile=profile, after=self.after), desk.state
            final, stuck = self._final(desk) if profile is None else (None, "")
        last = len(ranking.record.rounds)
        system, divisions = state.settings.pairing.system, divisions_of(state)
        is_own = profile in (None, state.profile) and last == len(state.swiss) and not self.tiebreaks
        return RankedResults(
            record=ranking.record,
            profile=ranking.profile.on(self.day) if self.day else ranking.profile,
            names={player.id: player.name for player in state.players.values()},
            seed=ranking.seed,
            no_lot=ranking.no_lot,
            cut=(cut_of(state) or None) if is_own else None,
            cut_to_come=cut_to_come(state, ranking.profile),
            departed_players=leavers_until(state, last),
            match=(state.settings.match.best_of, state.settings.match.draws),
            drawn_game_rule=state.settings.match.drawn_in(bracket=False),
            final=final,
            stuck=stuck,
            at=self.at,
            side_of=sides_of(state) if state.settings.match.sides else None,
            seats_of=own_seats_of(state),
            division_of=divisions,
            places_in=partial(division_places, divisions),
            planned_rounds=rounds_before_cut(state),
            system=system,
            refuse_bracket=partial(refuse_bracket, system),
            next_rounds=partial(rounds_to_come, state.for_players, ranking.profile, last),
            paired_by=partial(paired_by, system),
            without=partial(record_without, state.for_players),
        )

    def _final(self, desk: Desk) -> tuple[FinalView | None, str]:
        """Return the final ranking of an event with a bracket, or the reason why it is unknown.

        Returns neither a ranking nor a reason if the event has no bracket, if the bracket has not begun, or
        if an option asks for other standings.
        """
        from tourney.desk.views import bracket_places

        if self.after is not None or self.day or self.tiebreaks:
            return None, ""
        try:
            return bracket_places(desk), ""
        except TourneyError as error:  # the Swiss rounds can still be ranked
            return None, error.message

    def _apply_order(self, profile: Profile) -> Profile:
        if self.tiebreaks is None:
            return profile
        return with_order(profile, [code.strip() for code in self.tiebreaks.split(",") if code.strip()])


def asking_results(function: F) -> F:
    """Add the options for results to a command, as its argument `request`."""
    return _asking_results(gather_options("request", StandingsRequest)(function))


def asking(function: F) -> F:
    """Add `--profile` and the options that choose results to a command.

    The command gets the values as its argument `request`, a `StandingsRequest`.
    """
    return profile_option("Another profile than the event's; `tourney standings profiles` shows them.")(
        asking_results(function)
    )


class RankedResults(Struct, frozen=True, kw_only=True):
    """Results to rank, with their profile.

    profile:          the edition in force
    names:            player → name in the event or in the file
    seed:             the seed of the lot; empty: no lot is drawn, and `no_lot` is the reason
    divisions:        the divisions of a file: name → players, who are ranked separately; empty: one ranking
    cut:              the players in the event's bracket, if the bracket was made from these standings;
                      otherwise None
    cut_to_come:      the size of the planned cut; 0: none is planned
    departed_players: players who had left by the last round of these results
    presumed_drops:   players of a file who seem to have left, judging by its last rounds
    source:           the file; empty: an event
    file_form:        the file's format, such as `csv`; empty for an event
    match:            the most games in a match, and whether a match can be drawn; None: not known
    final:            the final ranking of an event with a bracket, unless other standings were asked for
    stuck:            why the final ranking is unknown; empty if it is known or there is none
    at:               the entry after which the event is shown; None: the current state
    side_of:          a function that returns a player's side in a round; None without sides
    seats_of:         a function that returns the seats of a player's match in a round, the player's own
                      first; for a file, it returns an empty sequence
    division_of:      the divisions of an event: player → division
    places_in:        a function that takes pairs of a player and a rank, and returns player → place in the
                      player's division; for a file, it returns an empty mapping
    division:         the only division to show; empty: all
    planned_rounds:   the number of rounds before the cut; None: not known
    system:           the pairing system of the event
    refuse_bracket:   a function that raises TourneyError for an event that is a bracket, which has no cut
    next_rounds:      a function that takes the total number of rounds (None: as planned), and returns the
                      rounds to come
    paired_by:        a function that returns how rounds to come are paired, in words
    without:          a function that returns the record after some players have left the event
    """

    record: Record
    profile: Profile
    names: Mapping[PlayerId, Name]
    seed: str = ""
    no_lot: str = ""
    divisions: Mapping[str, tuple[PlayerId, ...]] = field(default_factory=dict)
    cut: frozenset[PlayerId] | None = None
    cut_to_come: int = 0
    departed_players: frozenset[PlayerId] = frozenset()
    presumed_drops: frozenset[PlayerId] = frozenset()
    source: str = ""
    file_form: str = ""
    match: tuple[int | None, bool | None] = (None, None)
    drawn_game_rule: DrawnGame = "again"
    final: FinalView | None = None
    stuck: str = ""
    at: int | None = None
    side_of: Callable[[PlayerId, int], str] | None = None
    seats_of: Callable[[PlayerId, int], Sequence[Seat]] = lambda _player, _round: ()
    division_of: Mapping[PlayerId, str] = field(default_factory=dict)
    places_in: Callable[[Iterable[tuple[PlayerId, int | None]]], dict[PlayerId, InDivision]] = lambda _: {}
    division: str = ""
    planned_rounds: int | None = None
    system: System = "swiss"
    refuse_bracket: Callable[[], None] = lambda: None
    next_rounds: Callable[[int | None], Sequence[Coming]] = lambda _rounds: ()
    paired_by: Callable[[Sequence[Coming]], str] = lambda _coming: _BY_SWISS_RULES
    without: Callable[[Record, Collection[PlayerId]], Record] = lambda record, _leaving: record

    @property
    def of_event(self) -> bool:
        """Whether this is an event, not a file of results."""
        return not self.source

    @property
    def source_options(self) -> list[str]:
        """The option that selects the file of these results: `--from FILE`; empty for an event."""
        return [f"--from {shlex.quote(self.source)}"] if self.source else []

    def standings(self, among: Sequence[PlayerId] | None = None) -> Standings:
        """Rank the players. among: the players to rank; None for all."""
        return rank(self.record, self.profile, seed=self.seed, among=among)

    def with_rounds(self, rounds: int | None) -> RankedResults:
        """Return the same results with another number of rounds before the cut; None: as planned."""
        if rounds is None:
            return self
        return replace(self, planned_rounds=len(self.record.rounds) + len(self.next_rounds(rounds)))

    def heading(self, standings: Standings) -> str:
        """Return a text that says which results the standings count, such as `after round 3`.

        For an earlier state of the event, the text also names the entry after which the event is shown.
        """
        return heading_text(standings) + as_of(self.at)

    def missing_lot(self, standings: Standings) -> str:
        """Return why no lot is drawn, if some players share a rank because of that.

        Returns an empty text otherwise.
        """
        return self.no_lot if lacks_lot(standings) else ""

    def title(self, standings: Standings) -> str:
        """Return a title if the standings are provisional or show an earlier state of the event.

        Returns an empty text for other standings.
        """
        if not standings.open_tables and self.at is None:
            return ""
        return f"{'Provisional: ' if standings.open_tables else 'Standings '}{self.heading(standings)}"

    def made_cut(self, size: int | None) -> bool:
        """Return whether the event has made a cut of this size (None: of any size)."""
        return self.cut is not None and size in (None, len(self.cut))

    def places(self, standings: Standings) -> dict[PlayerId, InDivision]:
        """Return player → place in the player's division of an event."""
        return self.places_in((row.player, row.rank) for row in standings.rows)

    def shown_rows(self, standings: Standings) -> list[Row]:
        """Return the rows of the selected division of an event, or all rows if none is selected."""
        only = self.division if self.division_of else ""
        return [row for row in standings.rows if not only or self.division_of.get(row.player) == only]

    def of_division(self, division_name: str) -> RankedResults:
        """Return the results, restricted to one division.

        Raises TourneyError if no player is in the division.
        """
        divisions = dict.fromkeys([*self.divisions, *self.division_of.values()])
        name = next((division for division in divisions if fold(division) == fold(division_name)), None)
        if name is None:
            raise TourneyError(
                f"no player is in the division `{division_name}`",
                f"the {'divisions are' if len(divisions) > 1 else 'division is'} "
                f"{listed([f'`{division}`' for division in divisions])}"
                if divisions
                else "divisions belong to the players of an event: leave out `--division`"
                if self.source
                else "`tourney player change NAME --tag division=NAME` puts a player into a division",
            )
        return replace(
            self, divisions={name: self.divisions[name]} if name in self.divisions else {}, division=name
        )

    def form(self) -> MatchForm:
        """Return the ways in which a match can end.

        If the event does not state them, they are derived from the results.
        """
        best_of, draws = self.match
        return MatchForm.from_record(
            self.record, best_of=best_of, draws=draws, drawn_game_rule=self.drawn_game_rule
        )

    def name(self, player: PlayerId) -> str:
        """Return the name of a player as text."""
        return str(self.names[player])

    def find(self, text: str) -> PlayerId:
        """Return the player with a name, an unambiguous prefix of a name, or a number such as `#7`.

        Raises TourneyError if there is no such player.
        """
        from tourney.event.names import find_named

        shown_by = (
            " ".join(["tourney standings", *self.source_options])
            if self.source_options
            else "tourney player list"
        )
        return find_named(self.names, text, shown_by=shown_by)


_BY_SWISS_RULES = "by this program's Swiss rules, as the players' wishes are not known"
"""How the rounds to come after a file of results are paired."""


def _any_rounds(record: Record, rounds: int | None) -> Sequence[Coming]:
    """Return the rounds that follow those in a file of results.

    These are Swiss rounds with the default options, because the file does not state the event's own.
    """
    from tourney.forecast.simulation import coming_rounds

    round_count = len(record.rounds)
    return coming_rounds(round_count + 1, rounds or record.planned_rounds or round_count)
