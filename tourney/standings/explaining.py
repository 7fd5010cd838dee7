"""Explain a player's place: what each round gave to each tie-break, and possible swaps.

A swap is a different result of one table that would have moved the player past a neighbor: the player just
above or just below in the standings.

A reader can recalculate every value on paper: each line says what was counted, and how. If a line counts a
value of an opponent, it also shows the results of the opponent from which that value was calculated.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from tourney.record import BY_PLAY, Outcome, PlayerId, Record
from tourney.standings import tiebreaks
from tourney.standings.exact import Value, halves, sum_text
from tourney.standings.profile import Profile
from tourney.standings.ranking import Row, Standings, pause_collector, rank_scorecards
from tourney.standings.scorecards import Scorecards, UncountedRound
from tourney.standings.swaps import Levels, MatchForm, SwapSearch, search_swaps
from tourney.standings.tally import GroupTally, Meetings, Tally, Term, Tiebreak, TieBreakFunction


class TiebreakExplanation(Struct, frozen=True, kw_only=True):
    """The explanation of one tie-break of a player.

    lines:         what each round gave to the value
    method:        how the value is calculated from the lines: `mean`, `sum` …
    note:          remarks: that a floor or cap changed the value, after which round it was frozen for a
                   player who dropped, what is special in `arithmetic`, or why the tie-break is not used
    raw:           the value before a floor or cap changed it; None if neither did
    arithmetic:    the calculation, as text, of `raw` if that is set, otherwise of `value`; can be empty
    parts:         the explanations of the tie-breaks that this one combines, as Konami's number does
    level_players: for direct encounter and head-to-head, this player and all others who are level with this
                   player; empty if there are no others. Always empty for other tie-breaks
    meetings:      for each player in `level_players`, the mean points against each of the others whom the
                   player has met; empty if the tie-break is not used
    """

    rule: Tiebreak
    value: Value
    method: str
    lines: tuple[Term, ...]
    note: str = ""
    raw: Value = None
    arithmetic: str = ""
    parts: tuple[TiebreakExplanation, ...] = ()
    level_players: tuple[PlayerId, ...] = ()
    meetings: Meetings = field(default_factory=dict)

    @property
    def code(self) -> str:
        """The code of the tie-break."""
        return self.rule.code


class Neighbour(Struct, frozen=True, kw_only=True):
    """The next player above or below a player in the standings.

    row:             the neighbor's row
    code:            the code of the first tie-break whose values differ (`PTS` for the points); None if the
                     players are level
    player_value:    the player's value of that tie-break
    neighbour_value: the neighbor's value of that tie-break
    search:          the search for single results that would have swapped the two players
    """

    row: Row
    code: str | None
    player_value: Value
    neighbour_value: Value
    search: SwapSearch


class Explanation(Struct, frozen=True, kw_only=True):
    """Why `row` has its place in `standings`: the tie-breaks in order, and the neighbors.

    above, below: the neighbors; None if they were not requested, or if `Explainer.neighbour` returns None
    """

    standings: Standings
    row: Row
    tiebreaks: tuple[TiebreakExplanation, ...]
    above: Neighbour | None
    below: Neighbour | None

    @property
    def profile(self) -> Profile:
        """The edition of the profile."""
        return self.standings.profile


def explain_place(
    record: Record, profile: Profile, player: PlayerId, *, seed: str = "", form: MatchForm | None = None
) -> Explanation:
    """Explain the place of `player` in the standings of `record` under `profile`.

    form: how a match between two players can end, such as best of three; None to infer it from the record.
          It is used to find single results that would have swapped the player with a neighbor

    Raises KeyError if the player is not in the standings, and TourneyError as `rank` does.
    """
    with pause_collector():
        explain = explainer(record, profile, seed=seed)
        row = explain.standings.row(player)
        form = form or MatchForm.from_record(record)
        above, below = (explain.neighbour(row, step, form) for step in (-1, +1))
        return replace(explain(row), above=above, below=below)


def explain_all(record: Record, profile: Profile, *, seed: str = "") -> Iterator[Explanation]:
    """Yield an explanation of every place, in order of the standings.

    They leave out the players just above and below: their `above` and `below` have the value None.
    """
    explain = explainer(record, profile, seed=seed)
    for row in explain.standings.rows:
        yield explain(row)


def explainer(record: Record, profile: Profile, *, seed: str = "") -> Explainer:
    """Return an `Explainer`, which explains one player's place in the standings at a time.

    Use it to explain only some places. Unlike `explain_place`, it compares with the next player above or
    below only on request (`Explainer.neighbour`).
    """
    with pause_collector():
        scorecards = Scorecards(record, profile, seed=seed)
        return Explainer(scorecards, rank_scorecards(scorecards))


class Explainer:
    """Explains rows of `standings`; a value needed for several players is calculated only once."""

    def __init__(self, scorecards: Scorecards, standings: Standings) -> None:
        """Store the standings, and the scorecards from which they were calculated."""
        self.scorecards = scorecards
        self.standings = standings
        self.levels = Levels(standings)
        self._tallies: dict[tuple[int, PlayerId], GroupTally] = {}
        self._opponent_values: dict[
            tuple[int, TieBreakFunction, PlayerId], tuple[Tally, str, tuple[Term, ...]]
        ] = {}

    def __call__(self, row: Row) -> Explanation:
        """Explain the place of `row`, without its neighbors."""
        rules = [tiebreaks.find(code) for code in self.standings.profile.order]
        explanations = tuple(
            self._explain_group_tiebreak(row, place, rule)
            if rule.group_function
            else self._explain_tiebreak(row.player, rule)
            for place, rule in enumerate(rules)
        )
        return Explanation(standings=self.standings, row=row, tiebreaks=explanations, above=None, below=None)

    def _explain_tiebreak(self, player: PlayerId, rule: Tiebreak) -> TiebreakExplanation:
        scorecards, freeze_note = self.scorecards, ""
        last = scorecards.record.drops.get(player)
        if rule.code in scorecards.profile.frozen_codes and last is not None and last < scorecards.rounds:
            scorecards, freeze_note = scorecards.after(last), f"as it was after round {last}"
        assert rule.player_function is not None
        tally = rule.player_function(scorecards, player)
        arithmetic, note = tally.arithmetic
        limit_note = (
            _limit_note(tally.raw, tally.value) if rule.has_limits and not rule.opponent_function else ""
        )
        return TiebreakExplanation(
            rule=rule,
            value=tally.value,
            method=tally.method,
            lines=self._explain_terms(scorecards, rule, player, tally),
            note="; ".join(filter(None, (freeze_note, note, limit_note))),
            raw=tally.raw if limit_note else None,
            arithmetic=arithmetic,
            parts=tuple(self._explain_tiebreak(player, tiebreaks.find(code)) for code in rule.parts),
        )

    def _explain_terms(
        self, scorecards: Scorecards, rule: Tiebreak, player: PlayerId, tally: Tally
    ) -> tuple[Term, ...]:
        lines = [self._explain_term(scorecards, rule, term) for term in tally.terms]
        counted_lines = {(line.entry.round, line.opponents) for line in lines}
        lines += [
            line
            for line in self._cut_terms(scorecards, rule, player)
            if (line.entry.round, line.opponents) not in counted_lines
        ]
        return _lines_by_round(
            scorecards,
            player,
            lines,
            shows_all_rounds=rule.opponent_function is not None or rule.unit == "percent",
        )

    def _cut_terms(self, scorecards: Scorecards, rule: Tiebreak, player: PlayerId) -> list[Term]:
        """Return a term for each round that would count if the tie-break cut no rounds.

        Each term is marked as `cut`. The caller leaves out the terms of rounds that do count. The list is
        empty if the tie-break has no cut (a modifier such as `C1` or `M1`).
        """
        if rule.uncut_function is None:
            return []
        lines = [
            self._explain_term(scorecards, rule, term)
            for term in rule.uncut_function(scorecards, player).terms
        ]
        return [replace(line, value=None, raw=line.value or 0, note="cut") for line in lines]

    def _explain_term(self, scorecards: Scorecards, rule: Tiebreak, term: Term) -> Term:
        """Return `term`, which is what one round gives to a tie-break, with its explanation added.

        If the term counts a value of opponents, it gets this value's arithmetic and the opponents' own terms.
        If a floor or cap changed the value of a single opponent, it also gets the value before that, and a
        note.

        If the term uses no opponent's record, it gets a note about an unusual outcome, such as a bye.
        """
        if not term.sources:
            return replace(term, note=term.note or _remark(term.entry.outcome))
        if rule.opponent_function is None:
            return term
        parts = [(opponent, *self._opponent_value(scorecards, rule, opponent)) for opponent in term.sources]
        if len(parts) > 1:  # at a table of three or more, the opponents' scores are added
            opponent_terms = tuple(
                Term(term.entry, tally.value, (opponent,), arithmetic, opponent_terms=lines)
                for opponent, tally, arithmetic, lines in parts
            )
            together = sum_text([tally.value or 0 for _, tally, _, _ in parts])
            return replace(
                term, arithmetic=_product_text(term.arithmetic, together), opponent_terms=opponent_terms
            )
        ((_, tally, arithmetic, opponent_terms),) = parts
        arithmetic = _product_text(term.arithmetic, arithmetic)
        if rule.has_limits and (limit_note := _limit_note(tally.value, term.value)):
            return replace(
                term, arithmetic=arithmetic, opponent_terms=opponent_terms, raw=tally.value, note=limit_note
            )
        return replace(
            term, arithmetic=arithmetic, opponent_terms=opponent_terms, note=term.note or tally.arithmetic[1]
        )

    def _opponent_value(
        self, scorecards: Scorecards, rule: Tiebreak, opponent: PlayerId
    ) -> tuple[Tally, str, tuple[Term, ...]]:
        """Return the value that a tie-break counts for an opponent, and how it is calculated.

        Returns the value before floor and cap, its arithmetic as text, and a `Term` for each round.

        rule: the tie-break
        """
        assert rule.opponent_function is not None
        key = (scorecards.rounds, rule.opponent_function, opponent)
        if key not in self._opponent_values:
            tally = rule.opponent_function(scorecards, opponent)
            opponent_rule = next(
                (row for row in tiebreaks.TABLE.values() if row.player_function == rule.opponent_function),
                _PLAIN,
            )
            lines = [self._explain_term(scorecards, opponent_rule, term) for term in tally.terms]
            self._opponent_values[key] = (
                tally,
                tally.arithmetic[0],
                _lines_by_round(scorecards, opponent, lines, shows_all_rounds=True),
            )
        return self._opponent_values[key]

    def _explain_group_tiebreak(self, row: Row, place: int, rule: Tiebreak) -> TiebreakExplanation:
        assert rule.group_function is not None
        before = self.levels.values[row.player][:place]
        group = self.levels.players_with(before, without_rank=row.rank is None, left_early=row.left_early)
        if (place, group[0]) not in self._tallies:
            self._tallies[place, group[0]] = rule.group_function(self.scorecards, group)
        tally = self._tallies[place, group[0]]
        others = set(group) - {row.player}
        lines = [
            Term(
                entry,
                halves(entry.points) if tally.counts_forfeits or entry.outcome.played else None,
                note=_remark(entry.outcome),
            )
            for entry in self.scorecards[row.player]
            if others.intersection(entry.opponents)
        ]
        note = (
            (f"not used: {tally.reason_unused}" if tally.reason_unused else "")
            if others
            else "no other player is level"
        )
        meetings = {
            player: {other: points_by_opponent[other] for other in group if other in points_by_opponent}
            for player, points_by_opponent in tally.meetings.items()
        }
        return TiebreakExplanation(
            rule=rule,
            value=self.levels.values[row.player][place],
            method="place among those who are level",
            lines=tuple(lines),
            note=note,
            level_players=tuple(group) if others else (),
            meetings={} if note else meetings,
        )

    def neighbour(self, row: Row, step: int, form: MatchForm) -> Neighbour | None:
        """Compare the player of `row` with the next player above (`step` -1) or below (1).

        Returns None at the end of the standings, or if one of the two was disqualified or left early.
        """
        rows = self.standings.rows
        place = next(at for at, other in enumerate(rows) if other.player == row.player) + step
        if row.rank is None or not 0 <= place < len(rows) or rows[place].rank is None:
            return None
        other = rows[place]
        if row.left_early or other.left_early:
            return None
        values, order = self.levels.values, self.standings.profile.order
        pairs = zip(order, values[row.player], values[other.player], strict=True)
        code, player_value, neighbour_value = next(
            ((code, mine, yours) for code, mine, yours in pairs if mine != yours), (None, None, None)
        )
        search = search_swaps(self.scorecards, self.levels, row.player, other.player, form)
        return Neighbour(
            row=other, code=code, player_value=player_value, neighbour_value=neighbour_value, search=search
        )


def _product_text(product: str, factor: str) -> str:
    """Return a product as text, then `=` and the product with its first factor written out.

    For example, `3/2 × 1` and `1 + 1/2` give `3/2 × 1 = (1 + 1/2) × 1`. If one of the two texts is empty,
    return the other.

    product: the product as text
    factor:  the calculation of its first factor
    """
    if not (product and factor):
        return product or factor
    return f"{product} = ({factor}) × {product.rpartition(' × ')[2]}"


_PLAIN = Tiebreak("", "", "", "number")
"""Replaces the row of `Tiebreak.opponent_function` if no tie-break has this function."""


def _limit_note(raw: Value, value: Value) -> str:
    if raw == value or value is None:
        return ""
    if raw is None:
        return "nothing counted, so the floor applies"
    return f"raised to the floor from {raw}" if raw < value else f"lowered to the cap from {raw}"


def _remark(outcome: Outcome) -> str:
    """Return the name of an unusual outcome, such as a bye; empty for a win, draw or loss."""
    return "" if outcome in BY_PLAY else outcome.words.alone


def _lines_by_round(
    scorecards: Scorecards, player: PlayerId, lines: list[Term], *, shows_all_rounds: bool
) -> tuple[Term, ...]:
    """Return the lines in order of rounds.

    A round that does not count because the player or an opponent left too early gets a note.

    shows_all_rounds: whether to add a line for each round that gave nothing to the tie-break
    """
    rounds = {line.entry.round for line in lines}
    uncounted_rounds = scorecards.uncounted_rounds.get(player, {})
    added_lines = [
        Term(entry, None, note=_remark(entry.outcome) or "not counted")
        for entry in scorecards[player]
        if shows_all_rounds and entry.round not in rounds
    ]
    marked_lines = [
        _mark_left_out(line, player, uncounted_rounds[line.entry.round])
        if line.entry.round in uncounted_rounds
        else line
        for line in lines + added_lines
    ]
    return tuple(sorted(marked_lines, key=lambda line: line.entry.round))


def _mark_left_out(line: Term, player: PlayerId, uncounted_round: UncountedRound) -> Term:
    """Return the line for a round in an explanation, with a note that a player left early.

    If the line's value is 0, it becomes None, which marks a round that does not count.

    uncounted_round: the outcome and the opponents to show, and the player who left
    """
    entry = line.entry._replace(outcome=uncounted_round.outcome, opponents=uncounted_round.opponents)
    noun = "opponent" if uncounted_round.opponents else "scheduled opponent"
    leaver = "the player" if uncounted_round.leaving_player == player else f"the {noun}"
    note = f"{leaver} left before half of their games"
    return replace(line, entry=entry, sources=(), value=line.value or None, note=note)
