"""The desk: one method for each change of an event, in the order of a tournament day.

Changes that need decklists, pages or another program's file are functions in other modules, so that entering
a result does not load the card rules: `registration`, `shared_decks`, `publishing`, `files`, `takeover`,
`erasing`, `verifying`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing, nullcontext
from datetime import date
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Self

from msgspec.structs import replace

import tourney.standings as rankings
from tourney.desk.corrections import basis_of, warn_of_pairings
from tourney.desk.evidence import check_seals, pairing_question
from tourney.desk.open_event import Decide, Workplace, WritableEvent, as_method, as_written
from tourney.desk.receipts import Receipt, unplayed_part
from tourney.desk.rules import day_from
from tourney.errors import Severity, TourneyError
from tourney.event import (
    brackets,
    claims,
    decks,
    event_admin,
    fold,
    ops,
    penalties,
    players,
    presence,
    results,
    rounds,
)
from tourney.event.entry import NOTHING_YET, Sealing, write
from tourney.event.field import Ask, audit_seed, damaged_secret_error, own_secret, round_seed, standings
from tourney.event.kind import Decision, EventChange
from tourney.event.names import clean_name, find
from tourney.event.players import Registration
from tourney.event.score import Report, ending, parse_lines, slip_examples
from tourney.event.seating import read_pairings
from tourney.event.state import Penalty, State
from tourney.record import PlayerId
from tourney.store.journal import SECRET_BYTES, Journal, StoredEvent, Waiting
from tourney.store.places import Named, place_of
from tourney.wording import CHECKED_BY_OLD_RULES

if TYPE_CHECKING:
    from tourney.event.penalties import PenaltyList


class Desk(WritableEvent):
    """An open event with one method for each change.

    `create` and `open` make a desk; `leave` or the end of a `with` block closes it. Every method that changes
    something returns a `Receipt`. When it returns, the change is on the disk. If the change is refused, it
    raises TourneyError and changes nothing.

    A player (`who`) is given by name, unambiguous prefix, `7`, `#7` or id. If other players' names are
    similar, the receipt warns of them. A table is given by number, or by a player who sits there.
    """

    # -- creating and opening an event

    @classmethod
    def create(
        cls,
        place: Named,
        workplace: Workplace,
        *,
        name: str,
        format_name: str,
        profile: str | None = None,
        banlist: str | None = None,
        on: str | None = None,
        sealed: bool = False,
        settings: Mapping[str, object] | None = None,
        **more_settings: object,
    ) -> Self:
        """Create the event at `place` and open it. The receipt is in the attribute `last`.

        format_name:   name or file of a format; its settings (best of, seats, sides, system) are the defaults
        profile:       name or file of a standings profile; None: the profile of the format
        banlist:       name or file of a ban list, instead of the format's; `none`: play without a ban list
        on:            the day that decides which ban list is in force, YYYY-MM-DD; None: today
        sealed:        keep the event's secret, from which random choices follow, out of exports and pages
                       until `close`
        settings:      see `tourney.event.settings`. Settings of the format, such as `goal`, can be included
        more_settings: more settings, as keyword arguments

        Raises TourneyError if the place is taken, or if the folder, a name, a rule file or a setting cannot
        be used.
        """
        from tourney.desk.gathering import gather, new_settings  # loads the rules of decks

        seal, now, library = Sealing(workplace.randomness), workplace.clock(), workplace.library
        day = day_from(on) if on else now.date()
        format_, _, files = gather(
            library, format_name=format_name, profile=profile, banlist=banlist, day=day
        )
        event_settings = new_settings(format_, {**(settings or {}), **more_settings}, workplace.clock)
        if "penalties" in event_settings.differing():
            library.penalty_list(event_settings.match.penalties)
        place = place_of(place)
        secret = workplace.randomness(SECRET_BYTES)
        op = ops.EventCreated(
            name=seal(clean_name(name, noun="event's name"), "name"),
            format=format_.id,
            on=day.isoformat(),
            rules=files.keep(seal),
            settings=event_settings.differing(),
            secret=sha256(secret).hexdigest(),
            sealed=sealed,
        )
        author = seal(clean_name(workplace.by, noun="scorekeeper's name"), "by")
        row = write(op, seq=1, at=as_written(now), by=author, previous=NOTHING_YET)
        warnings = (*place.warnings(), *files.warnings)
        return cls.begin(place, workplace, StoredEvent([row], [*seal.texts], secret), warnings=warnings)

    @classmethod
    def begin(
        cls,
        place: Named,
        workplace: Workplace,
        content: StoredEvent,
        *,
        warnings: tuple[str, ...] = (),
        check: Callable[[Self], None] = lambda _: None,
    ) -> Self:
        """Create the event at `place` with the entries and texts in `content`, and open it.

        The event is created completely or not at all.

        check: a function that takes the new `Desk`, and raises TourneyError if the event must not be created

        Raises TourneyError, and creates nothing, if the place cannot be used or an entry is faulty.
        """

        def load_desk(journal: Journal) -> Self:  # type: ignore[type-var] # the class is the method's
            desk = cls(journal, workplace)
            desk.load()
            desk.last = Receipt.of_entries(desk.reading, desk.entries[-1:], Decision(warnings=warnings))
            check(desk)
            return desk

        return place_of(place).begin(content, load_desk)

    @classmethod
    def open(cls, place: Named, workplace: Workplace, *, waiting: Waiting | None = None) -> Self:
        """Open the event at `place` and check the whole chain of digests.

        waiting: called while another program locks the event

        Raises TourneyError if it is not an event, was altered, or was written by a newer tourney.
        """
        journal = place_of(place).open(waiting=waiting)
        try:
            desk = cls(journal, workplace)
            desk.load()
        except BaseException:
            journal.close()
            raise
        return desk

    # -- the event, its rules and its end

    def change(
        self,
        *,
        name: str | None = None,
        profile: str | None = None,
        reason: str | None = None,
        settings: Mapping[str, object] | None = None,
        **more_settings: object,
    ) -> Receipt:
        """Change the event's name, its standings profile, or its settings.

        Settings are given in `settings`, as keyword arguments, or both.
        """
        from tourney.desk.gathering import RuleFiles, changed_settings  # loads the rules of decks

        new_values = {**(settings or {}), **more_settings}
        changes = changed_settings(
            self.rules.format, new_values, self.refresh().settings, self.workplace.clock
        )
        if isinstance(changes.get("penalties"), str):
            self.library.penalty_list(changes["penalties"])
        files = RuleFiles(self.library)
        if profile:
            files.add_profile(profile)
        return self.write(
            lambda change: event_admin.change_settings(
                change, changes, name=name, profile=files.keep(change.seal), reason=reason
            )
        )

    enter_beacon = as_method(event_admin.enter_beacon)

    def rebase(self, *, on: str | None = None, reason: str | None = None) -> Receipt:
        """Replace the event's rules by the library's current ones.

        The receipt names the files that have changed. A damaged rule file in the event is repaired
        if the library has the same file.
        """
        from tourney.desk.gathering import NO_BANLIST, differences, gather  # loads the rules of decks

        state = self.refresh()
        day = day_from(on) if on else date.fromisoformat(state.on)
        banlist_name = state.banlist if state.banlist or state.missing_banlist else NO_BANLIST
        *_, files = gather(
            self.library,
            format_name=state.format,
            profile=state.profile,
            banlist=banlist_name or None,
            day=day,
            overrides=self.rules.imported_files(state),
        )
        kept_refs = {file.text for file in state.rules}
        repairs = self.journal.restore_texts([text for text in files.texts.values() if text.ref in kept_refs])

        def decide(change: EventChange) -> Decision:
            rules = files.keep(change.seal)
            decision = event_admin.rebase(change, day.isoformat(), rules, reason=reason)
            warnings = (*decision.warnings, *files.warnings, *differences(change.state.rules, rules))
            return replace(decision, warnings=warnings) if decision.op else decision

        receipt = self.write(decide)
        if receipt.entries:
            receipt = receipt.plus(warnings=self._outdated_lists())
        if repairs:
            self._rules = None
            receipt = receipt.plus(["The damaged rule files of the event are repaired."])
        return receipt

    def _outdated_lists(self) -> tuple[str, ...]:
        """Return warnings about lists that were checked by rules that have since changed.

        The warnings give commands to check these lists again.
        """
        state = self.state
        lists = [player.deck for player in state.players.values() if player.deck and not player.erased]
        number = sum(map(state.is_outdated, lists))
        shared_parts = [part for part, deck in state.shared.items() if state.is_outdated(deck)]
        command = (
            "`tourney player deck NAME FILE --anyway`"
            if self.lock_text(state)
            else "`tourney player decks DIR`"
        )
        were, pronoun = ("registered list was", "it") if number == 1 else ("registered lists were", "them")
        warning = f"{number} {were} {CHECKED_BY_OLD_RULES}: {command} checks {pronoun} again"
        return (
            *([warning] if number else []),
            *(
                f"the list `{part}` for all players was {CHECKED_BY_OLD_RULES}:"
                f" `tourney event deck {part} FILE` checks it again"
                for part in shared_parts
            ),
        )

    def close(self) -> Receipt:
        """End the event. The secret of a sealed event is revealed.

        Refused while tables are still playing. Warns if the secret, the seeds and the recorded costs of
        pairings contradict each other. A secret that does not match the hash in entry 1 is never revealed.
        """

        def decide(change: EventChange) -> Decision:
            state = change.state
            doubts = [
                finding.message
                for finding in check_seals(self.evidence())
                if finding.severity is Severity.ERROR
            ]
            if unplayed_text := unplayed_part(state):
                doubts.append(f"{unplayed_text}: run `tourney event reopen` if the event continues")
            stored_secret = self.journal.secret()
            return event_admin.close(change, own_secret(state, stored_secret) or stored_secret, doubts)

        return self._end_round(decide)

    reopen = as_method(event_admin.reopen)

    # -- players

    def add_player(self, name: str, **facts: Any) -> Receipt:
        """Register a player. facts: see `tourney.event.players.Registration`."""
        newcomer = Registration(name=name, **facts)
        return self.write(lambda change: players.add(change, [newcomer]))

    def add_players(self, names: Sequence[str]) -> Receipt:
        """Register players by name in one entry. Registered names are left out with a warning."""
        newcomers = [Registration(name=name) for name in names]
        return self.write(lambda change: players.add(change, newcomers, skip_known=True))

    check_in = as_method(presence.check_in)
    check_in_all = as_method(presence.check_in_all)
    rename = as_method(players.rename)

    def change_player(self, who: str | PlayerId, **facts: Any) -> Receipt:
        """Change facts of a player.

        facts: see `tourney.event.players.Facts`; facts that are not given stay as they are
        """
        return self.write(lambda change: players.change_facts(change, who, players.Facts(**facts)))

    waive_deck = as_method(decks.waive)
    waive_all_decks = as_method(decks.waive_all)
    drop = as_method(presence.drop)
    drop_absent = as_method(presence.drop_absent)
    return_ = as_method(presence.return_)
    disqualify = as_method(presence.disqualify)

    # -- pairing a round

    force = as_method(rounds.force)
    forbid = as_method(rounds.forbid)

    def pair_round(
        self, *, by_hand: str | None = None, source: str = "-", manner: rounds.Manner = rounds.PLAINLY
    ) -> Receipt:
        """Pair the next round, or after the cut the bracket's next matches.

        by_hand: the organizer's tables, one on a line: `Mira - Tomo`, `4: Mira - Tomo`, `Mira vs Tomo`, `Ada
                 bye`, `Ada half-bye`, `Ada awarded-bye`, `Ada absent`; the receipt warns of pairings that an
                 engine would avoid
        source:  the name of this text, for messages
        manner:  whether to hold the round back, to start its clock, and to wait for missing players

        Players who did not show up in the last round are dropped first if the setting `no_show` is `drop`.
        Refused while tables are still playing, after the last planned round, and with fewer than two players.
        """

        def decide(change: EventChange) -> Decision:
            state = change.state
            if by_hand is None:
                return self._with_list_warnings(rounds.pair(change, self._ask(state), manner))
            lines = read_pairings(state, by_hand, source=source)
            ask = self._ask(state, with_seed=False)
            return self._with_list_warnings(rounds.pair_by_hand(change, ask, lines, manner))

        receipt = self._end_round(decide)
        attendance = presence.present_text(receipt.state)
        if not attendance or receipt.already:
            return receipt
        return receipt.plus([f"{attendance[:1].upper()}{attendance[1:]}."])

    def _end_round(self, decide: Decide) -> Receipt:
        """Write a change that ends the current round.

        If the setting `claim_alone` is on, reports from players that no opponent answered in time are entered
        first. Everything is written together or not at all. A table whose report still waits for an answer
        counts as playing.
        """
        state = self.refresh()
        overdue_claims = claims.overdue_claims(state, self.workplace.clock())
        if self.only_tries or not state.settings.phones.claim_alone or not overdue_claims:
            return self.write(decide)

        def decide_in_turn() -> Generator[Decide, None, None]:
            for claim in overdue_claims:
                with self.signing_as_player(claim.player):
                    yield partial(self._enter_unanswered, claim.entry, False)
            yield decide

        with closing(decide_in_turn()) as decides:
            answers = self.write_in_turn(decides, all_or_none=True)
        receipts = [answer for answer in answers if isinstance(answer, Receipt)]
        return Receipt.together(
            [receipt for receipt in receipts if receipt.entries or receipt is receipts[-1]]
        )

    def _with_list_warnings(self, decision: Decision) -> Decision:
        """Return the decision with warnings about shared decklists that a new round still needs.

        These are lists for all players, lists that a player of each table must bring, and lists on which the
        players of each table must agree.
        """
        if not self.rules.may_share:
            return decision
        # Loads the rules of decks, which few formats need here.
        from tourney.desk.shared_decks import missing_list_warnings

        tables = [
            (table.number, table.seats)
            for op in decision.ops
            if isinstance(op, ops.RoundPaired)
            for table in op.tables
        ]
        return replace(decision, warnings=(*decision.warnings, *missing_list_warnings(self, tables)))

    def _ask(self, state: State, number: int | None = None, *, with_seed: bool = True) -> Ask:
        number = number or len(state.rounds) + 1
        public_value = state.beacon.value if state.beacon else None
        seed = round_seed(self._secret(state), number, public_value) if with_seed else ""
        return pairing_question(state, self.rules.profile, number, seed)

    def _secret(self, state: State) -> bytes:
        """Return the secret that seeds are drawn from.

        Raises TourneyError if it is missing or damaged.
        """
        stored_secret = self.journal.secret()
        if stored_secret is None:
            raise TourneyError(
                "this copy of the event does not have the secret, so nothing can be paired or drawn in it",
                "continue in the original file, or `tourney round pair --by-hand FILE`",
            )
        secret = own_secret(state, stored_secret)
        if secret is None:
            raise damaged_secret_error("nothing can be paired or drawn with it")
        return secret

    release_round = as_method(rounds.release)
    start_round = as_method(rounds.start)
    extend = as_method(rounds.extend)

    # -- changing a round

    swap = as_method(rounds.swap)
    seat = as_method(rounds.seat)
    bye = as_method(rounds.unseat)
    move = as_method(rounds.move)

    def repair_round(self, *, reason: str | None = None) -> Receipt:
        """Pair the current round again after players or results changed.

        Tables with a result stay. If results of earlier rounds were corrected since the pairing, the open
        tables are paired as well as possible by the corrected results. Among equally good pairings, the one
        that changes the fewest tables is chosen.
        """

        def decide(change: EventChange) -> Decision:
            state = change.state
            ask = self._ask(state, max(len(state.rounds), 1))
            corrected_points = (
                basis_of(self.evidence(), state.rounds[-1]).corrected_points if state.rounds else {}
            )
            return rounds.repair(change, ask, reason, corrected_points)

        return self.write(decide)

    cancel_round = as_method(rounds.cancel)

    # -- results

    def report(
        self,
        table: int | str,
        score: str = "",
        *,
        scores: str | None = None,
        time: bool = False,
        ended: str = "",
        round_number: int | None = None,
        reason: str | None = None,
    ) -> Receipt:
        """Enter the result of a table, or of several tables: `4`, `4..7`, `2,4,9`.

        table:        if it names a player, score and scores are from that player's point of view
        score:        `2-1`, `2-1-1`, `w`, `l`, `d`, `½-½`, `=`, `id`, `ff1`, `ff2`, `dl`; at larger tables
                      places `1,3,2`; empty if the format says how `scores` decide the game
        scores:       victory points in seat order, `32,18`
        time:         the match ended by time, so an unfinished score is allowed
        ended:        how the game ended, if not by its score: `time`, `concession`, `ruling`, or a word of
                      the format
        round_number: None: the current round

        If the same result is already entered, the receipt says so (`already`). A different result is refused;
        use `change_result`.
        """
        report = Report(tables=table, score=score or None, points=scores, ended=ending(ended, time=time))
        return self.report_all([report], round_number=round_number, reason=reason)

    def report_block(
        self,
        lines: Iterable[str],
        *,
        source: str = "-",
        time: bool = False,
        round_number: int | None = None,
        reason: str | None = None,
    ) -> Receipt:
        """Enter lines such as `4 2-1`, `lena 2-1` or `4 2-1 32,18` in one entry.

        All lines are entered, or none. Blank lines and `#` comments are skipped. Raises a TourneyError that
        names every faulty line.
        """
        examples = slip_examples(self.state.settings)
        reports = parse_lines(lines, source=source, time=time, examples=examples)
        return self.report_all(reports, round_number=round_number, reason=reason)

    def report_all(
        self, reports: Sequence[Report], *, round_number: int | None = None, reason: str | None = None
    ) -> Receipt:
        """Enter results in one entry, all of them or none; see `report`."""
        return self.write(lambda change: results.enter(change, reports, round_number, reason=reason))

    def report_each(
        self, reports: Sequence[Report], *, round_number: int | None = None
    ) -> tuple[Receipt | TourneyError, ...]:
        """Record each result in an entry of its own, while no other program can write to the event.

        Returns for each report its receipt, or the error if it is refused.
        """

        def decide_on(report: Report) -> Decide:
            return lambda change: results.enter(change, [report], round_number)

        return self.write_in_turn(map(decide_on, reports), all_or_none=False)

    def meaning(self, report: Report, *, round_number: int | None = None) -> tuple[str, ...]:
        """Return the results that `report` would enter now.

        There is a line for each table, such as `table 4: Mira 2–1 Tomo`. Empty if all results are already
        entered. Raises TourneyError if the report would be refused.
        """
        return results.meaning(EventChange(self.state, find_game=self.scoring), report, round_number)

    def change_result(
        self,
        table: int | str,
        score: str = "",
        *,
        scores: str | None = None,
        time: bool = False,
        ended: str = "",
        round_number: int | None = None,
        reason: str | None = None,
    ) -> Receipt:
        """Change the result of a table, or of several tables (`3,6`).

        The arguments are those of `report`. The score `-` removes the result. If the same result is already
        entered, a new reason is recorded. Warnings name later rounds that were paired from the old result,
        and commands that pair them again.
        """
        report = Report(tables=table, score=score or None, points=scores, ended=ending(ended, time=time))
        return self.change_reported(report, round_number=round_number, reason=reason)

    def change_reported(
        self, report: Report, *, round_number: int | None = None, reason: str | None = None
    ) -> Receipt:
        """Change a result to the one in a report; see `change_result`."""
        return self.write(
            lambda change: self._with_pairing_warnings(
                results.change_result(change, report, number=round_number, reason=reason)
            )
        )

    def _with_pairing_warnings(self, decision: Decision) -> Decision:
        """Return the decision with warnings about later rounds.

        The warnings name rounds that were paired from a result that the decision changes.
        """
        result_changes = [op for op in decision.ops if isinstance(op, ops.ResultChanged) and not op.noted]
        if not result_changes:
            return decision
        return replace(
            decision, warnings=(*decision.warnings, *warn_of_pairings(self.evidence(), result_changes))
        )

    # -- reports from players' phones

    def enter_unanswered(self, *, anyway: bool = False) -> tuple[Receipt, ...]:
        """Enter players' reports that no opponent answered in time.

        Without `anyway`, nothing is entered unless the setting `claim_alone` is on. Each entry is signed by
        the player who reported the result.

        anyway: enter the reports even if the setting is off; the desk signs these entries
        """
        state = self.refresh()
        if state.closed or not (anyway or state.settings.phones.claim_alone):
            return ()
        receipts = []
        for claim in claims.overdue_claims(state, self.workplace.clock()):
            with nullcontext() if anyway else self.signing_as_player(claim.player):
                receipts.append(self.write(partial(self._enter_unanswered, claim.entry, anyway)))
        return tuple(receipt for receipt in receipts if receipt.entries)

    def _enter_unanswered(self, entry: int, anyway: bool, change: EventChange) -> Decision:
        return claims.accept_unanswered(change, entry, self.workplace.clock(), anyway=anyway)

    answer_call = as_method(claims.answer_call)

    # -- penalties and deck checks

    def penalty_list(self) -> PenaltyList:
        """Return this event's list of penalties."""
        return self.library.penalty_list(self.state.settings.match.penalties)

    def penalize(
        self,
        who: str | PlayerId,
        penalty: str = "",
        *,
        infraction: str | None = None,
        apply: bool = False,
        round_number: int | None = None,
        reason: str | None = None,
    ) -> PenaltyReceipt:
        """Give a penalty from the event's list.

        penalty:    a level (`game loss`), or an infraction, which has a usual level
        infraction: the infraction, if `penalty` is a level
        apply:      also enter the consequence (a match loss, a disqualification), in a separate entry
        """
        self.refresh()
        rules = self.penalty_list()
        ruling = rules.ruling(penalty, infraction)
        receipt = self.write(
            lambda change: self._with_pairing_warnings(
                penalties.give(
                    change,
                    who,
                    ruling,
                    rules=rules,
                    apply=apply,
                    number=round_number,
                    reason=reason,
                )
            )
        )
        player = find(receipt.state.players, who)
        return _penalty_receipt(receipt, rules, penalties.history(receipt.state, player))

    def upgrade_penalty(
        self, entry: int, level: str | None = None, *, apply: bool = False, reason: str | None = None
    ) -> PenaltyReceipt:
        """Upgrade the penalty in entry `entry` to a harsher level.

        level: the new level; None for the level that the list of penalties gives for a repeated infraction
        apply: also enter the new consequence, in a separate entry
        """
        self.refresh()
        rules = self.penalty_list()
        new_level = rules.level(level) if level is not None else None
        receipt = self.write(
            lambda change: self._with_pairing_warnings(
                penalties.upgrade(change, entry, new_level, rules=rules, apply=apply, reason=reason)
            )
        )
        player = next(penalty.player for penalty in receipt.state.penalties if penalty.entry == entry)
        history = penalties.history(receipt.state, player)
        return _penalty_receipt(receipt, rules, tuple(other for other in history if other.entry <= entry))

    def draw_audit(self, tables: int = 1) -> Receipt:
        """Draw tables of the current round for deck checks, at random from the event's secret."""

        def decide(change: EventChange) -> Decision:
            state = change.state
            public_value = state.beacon.value if state.beacon else None
            seed = audit_seed(self._secret(state), len(state.rounds), decks.count_draws(state), public_value)
            return decks.draw_checks(change, seed, tables)

        return self.write(decide)

    record_audit = as_method(decks.record_check)

    # -- the cut

    def cut(
        self,
        size: int,
        *,
        lot: bool = False,
        seats: int | None = None,
        advance: int | None = None,
        **options: Any,
    ) -> Receipt:
        """Make a bracket of the first `size` players in the standings.

        The next `pair_round` pairs it.

        seats, advance: the number of players at a table, and how many of them advance; None: as the event's
            settings say
        options: `kind`, `reseed`, `third_place` and `vacancy`, as in `tourney.event.ops.CutMade`
        lot: draw lots between players who are tied at the cut line

        Players who did not show up in the last round are dropped first if the setting `no_show` is `drop`.
        Refused while tables are still playing. If players are tied at the cut line, it is refused without
        `lot`.
        """
        profile = self.rules.profile
        if lot and not profile.has_lot:
            profile = rankings.with_order(profile, [*profile.order, rankings.LOT])

        def decide(change: EventChange) -> Decision:
            state, drop = presence.without_no_shows(change)
            decision = brackets.cut(
                replace(change, state=state),
                standings(state, profile, self.lot(state) if profile.has_lot else ""),
                size,
                lot=lot and bool(self.lot(state)),
                seats=seats,
                advance=advance,
                **options,
            )
            unplayed_text = unplayed_part(state)
            early_warnings = (
                [f"the cut was made early: {unplayed_text}; `tourney event undo` undoes the cut"]
                if unplayed_text
                else []
            )
            return replace(decision, first=drop, warnings=(*decision.warnings, *early_warnings))

        return self._end_round(decide)

    seed = as_method(brackets.seed_by_hand)

    # -- undoing

    undo = as_method(fold.undo)
    redo = as_method(fold.redo)


class PenaltyReceipt(Receipt, frozen=True, kw_only=True):
    """The result of giving a penalty to a player.

    history: the player's penalties in this event up to this one, which is the last
    upgrade: the level that the penalty list requires after the earlier penalties; empty if the penalty
        already has that level
    """

    history: tuple[Penalty, ...] = ()
    upgrade: str = ""


def _penalty_receipt(receipt: Receipt, rules: PenaltyList, history: tuple[Penalty, ...]) -> PenaltyReceipt:
    upgrade = penalties.due_upgrade(rules, history) if receipt.entries else None
    return PenaltyReceipt.of(receipt, history=history, upgrade=upgrade[0] if upgrade else "")
