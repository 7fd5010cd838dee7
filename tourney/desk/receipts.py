"""Answers to changes: what changed, the event's status, and what the organizer can do next.

`next_steps` reads only the state. So the answer after an undo is the same as before the entry that was
undone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Self

from msgspec import Struct
from msgspec.structs import replace

from tourney.errors import TourneyError
from tourney.event.brackets import bracket_of, winner_of
from tourney.event.decks import list_doubts, unsettled_lists, waits_for_lists
from tourney.event.entry import Entry
from tourney.event.fold import sentences
from tourney.event.kind import Decision, EventReading
from tourney.event.phrases import at_tables, result_line, still_playing
from tourney.event.presence import absent, absent_text, present_text, uses_check_in
from tourney.event.state import Round, State
from tourney.event.systems import cut_to_come, planned_rounds
from tourney.event.titles import be
from tourney.wording import clock_time, counted


class NextStep(Struct, frozen=True):
    """A sentence about what to do next.

    text:     the part before the first command: `16 players registered:`; the whole sentence if it has none
    commands: the rest, with the commands in backticks; empty if there are none
    """

    text: str
    commands: str = ""

    @property
    def sentence(self) -> str:
        """The whole sentence, as the terminal and JSON show it."""
        return " ".join(filter(None, (self.text, self.commands)))


class Receipt(Struct, frozen=True, kw_only=True):
    """What a change to the event did.

    state:    the event after the change
    entries:  the numbers of the new entries; empty if nothing was written
    changed:  what changed, in sentences: `Round 3, table 4: Mira 2–0 Tomo (entry 57).`
    next:     what to do next: `3 of 16 tables still playing: 2, 9, 11.`
    warnings: what the organizer should check: `Tomo has met Mira in round 1.`
    already:  whether the same change was entered before, so that nothing was written
    """

    state: State
    entries: tuple[int, ...] = ()
    changed: tuple[str, ...] = ()
    next: tuple[NextStep, ...] = ()
    already: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The receipt in one line: what changed and what to do next."""
        return " ".join((*self.changed, *(step.sentence for step in self.next)))

    @classmethod
    def of(cls, receipt: Receipt, **more: Any) -> Self:
        """Return a receipt of this class with the fields of `receipt`, and with the fields `more`."""
        return cls(**{name: getattr(receipt, name) for name in Receipt.__struct_fields__} | more)

    def plus(self, changes: Iterable[str] = (), warnings: Iterable[str] = ()) -> Self:
        """Return this receipt with more sentences about what changed, and more warnings."""
        return replace(self, changed=(*self.changed, *changes), warnings=(*self.warnings, *warnings))

    @staticmethod
    def together(receipts: Sequence[Receipt]) -> Receipt:
        """Combine the receipts of several changes, in order.

        `next` and `state` are those of the last receipt.
        """
        return replace(
            receipts[-1],
            entries=tuple(entry for receipt in receipts for entry in receipt.entries),
            changed=tuple(sentence for receipt in receipts for sentence in receipt.changed),
            warnings=tuple(warning for receipt in receipts for warning in receipt.warnings),
        )

    @classmethod
    def of_entries(cls, context: EventReading, new: Sequence[Entry], decision: Decision) -> Receipt:
        """Return the receipt of a change that was written.

        context: the event after the change
        new:     the entries that the change added
        """
        reasons = (f"{text[:1].upper()}{text[1:]}." for text in decision.because)
        return cls(
            entries=tuple(entry.seq for entry in new),
            changed=(
                *(f"{text} (entry {entry.seq})." for entry in new for text in sentences(entry.op, context)),
                *reasons,
            ),
            next=next_steps(context.state),
            state=context.state,
            warnings=decision.warnings,
        )

    @classmethod
    def of_no_change(cls, state: State, decision: Decision) -> Receipt:
        """Return the receipt of a decision that writes nothing, because the same was entered before."""
        origin = decision.entered
        origin_text = (
            f": already entered at {clock_time(origin.at)} by {origin.by} (entry {origin.entry})"
            if origin
            else ""
        )
        return cls(
            changed=(f"{decision.already}{origin_text}.",),
            next=next_steps(state),
            state=state,
            already=True,
            warnings=decision.warnings,
        )


# -- the event's status, and what to do next


def status_text(state: State) -> str:
    """Return the event's status in one sentence."""
    if state.closed:
        return "The event is over."
    current = state.round
    if current is None:
        return f"{len(state.players)} players are registered; nothing is paired yet."
    if current.held:
        return f"{current.title} {be(current.title)} paired and held back."
    if current.playing:
        return f"{current.title}: {still_playing(current)}."
    return f"{current.title} {be(current.title)} finished."


def next_steps(state: State) -> tuple[NextStep, ...]:
    """Return what the organizer has to do next."""
    if state.closed:
        return (NextStep("The event is closed.", "Next: `tourney standings`, `tourney publish`."),)
    current = state.round
    if current is None:
        return _before_round_one(state)
    if current.held:
        commands = "Next: `tourney round release`, or `tourney round start` to start the clock, too."
        return (NextStep(f"{current.title} {be(current.title)} held back.", commands),)
    if current.playing:
        return (NextStep(f"{still_playing(current)}."), *_player_steps(current))
    complete = NextStep(f"{current.title} {be(current.title)} complete.")
    if (open_round := state.open_round) is not None:
        text = f"{open_round.title}: {still_playing(open_round)}."
        return (complete, NextStep(text, f"Next: {result_line(state, open_round)}."))
    return (complete, *_steps_after(state, current))


def _player_steps(current: Round) -> Iterator[NextStep]:
    """Yield which disputed results and calls from players wait for the desk."""
    if disputed_tables := [claim.table for claim in current.claims if claim.disputed]:
        text = f"Disputed by the players: {at_tables(disputed_tables)};"
        yield NextStep(text, "`tourney result claims` shows the reports.")
    if called_tables := sorted({call.table for call in current.calls.values()}):
        yield NextStep(
            f"A judge is called to {at_tables(called_tables)};", "`tourney round calls` shows the calls."
        )


def _before_round_one(state: State) -> tuple[NextStep, ...]:
    players, pairing = len(state.playing), f"`{_pairing(state)}`"
    if players < 2:
        return (NextStep(f"{counted(players, 'player')} registered:", "`tourney player add NAME`."),)
    if state.waits_for_beacon:
        source = state.settings.pairing.beacon
        commands = f"`tourney event beacon VALUE` when all players are here and {source} is published."
    elif state.beacon is not None:
        commands = f"{pairing}. `tourney verify` names every player who is added or changed from now on."
    elif absent(state):
        commands = f"{pairing} when all are here; `tourney player drop --absent` drops the others."
    else:
        commands = f"{pairing}." if uses_check_in(state) else f"{pairing} when all are here."
    return (*_missing_at_first(state), NextStep(f"{players} players registered:", commands))


def _missing_at_first(state: State) -> tuple[NextStep, ...]:
    """Return sentences about present and absent players, and about doubtful decklists.

    A decklist is doubtful if it is missing, illegal, not checked or unverified, or if it was checked by older
    rules. Decklists are left out unless round 1 waits for them.
    """
    attendance = "; ".join(filter(None, [present_text(state), absent_text(state, absent(state))]))
    lists = (*list_doubts(state), *unsettled_lists(state)) if waits_for_lists(state) else ()
    return tuple(NextStep(f"{text[:1].upper()}{text[1:]}.") for text in (attendance, *lists) if text)


def _steps_after(state: State, current: Round) -> tuple[NextStep, ...]:
    """Return what follows a complete round: sentences about no-shows, and the next command."""
    missing, next_command = absent(state), _next_command(state, current)
    text = absent_text(state, missing)
    if not text:
        return (next_command,)
    total_rounds = planned_rounds(state)
    goes_on = state.cut is None and (total_rounds is None or len(state.rounds) < total_rounds)
    if state.settings.pairing.no_show == "drop":
        by = "the next pairing" if goes_on else "the cut, if there is one"
        return (NextStep(f"{text} and will be dropped by {by}."), next_command)
    way = "--absent" if len(missing) > 1 else f'"{state.players[missing[0]].name}"'
    drop = f"`tourney player drop {way}` if they have left"
    if not goes_on:
        return (NextStep(f"{text}:", f"{drop}."), next_command)
    # The next command is refused without `--anyway` while these players are in the event.
    return (NextStep(f"{text}:", f"{drop}, otherwise `{_pairing(state)} --anyway`."),)


def _next_command(state: State, current: Round) -> NextStep:
    if state.cut is not None:
        try:
            bracket = bracket_of(state, state.cut)
        except TourneyError as fault:  # its entries contradict each other; they can be read and undone
            text = f"The bracket cannot go on: {fault.message}."
            return NextStep(
                text, "`tourney event log` shows the entries; `tourney event undo ENTRY` undoes an entry."
            )
        if not bracket.is_finished:
            return NextStep("", f"Next: `{_pairing(state)}`.")
        winner = winner_of(state, bracket)
        winner_text = f"{state.name_of(winner)} has won." if winner else ""
        return NextStep(winner_text, "Next: `tourney publish`, `tourney event close`.")
    total_rounds = planned_rounds(state)
    if total_rounds is None or current.number < total_rounds:
        return NextStep("", f"Next: `{_pairing(state)}`.")
    size = cut_to_come(state)
    cut = f"`tourney event cut {size}` or " if size else ""
    commands = f"Next: `tourney standings`, then {cut}`tourney event close`."
    return NextStep("That was the last planned round.", commands)


def _pairing(state: State) -> str:
    """Return the command that pairs the next round."""
    by_hand = state.settings.pairing.system == "manual" and state.cut is None
    return "tourney round pair --by-hand FILE" if by_hand else "tourney round next"


def unplayed_part(state: State) -> str:
    """Return which planned part of the event was not played, in words; empty if none."""
    if state.cut is not None:
        try:
            if bracket_of(state, state.cut).is_finished:
                return ""
        except TourneyError:  # its entries contradict each other
            pass
        return "the bracket is not finished, so the players still in it share their places"
    total_rounds, played_rounds = planned_rounds(state), len(state.rounds)
    if total_rounds is None or played_rounds >= total_rounds:
        return ""
    verb = "was" if played_rounds == 1 else "were"
    return f"{played_rounds or 'none'} of the {total_rounds} planned rounds {verb} played"


class ImportedDeck(Struct, frozen=True):
    """The result of importing one of several decklists.

    file:       its file, or the file and line of the list of players
    player:     the player's name; empty if it is unknown
    verdict:    the verdict; empty if the list could not be read
    registered: whether the list was registered
    reason:     why it was not registered, or the rules that it breaks
    vouched:    the declared facts that the verdict relies on, in words
    """

    file: str
    player: str
    verdict: str
    registered: bool
    reason: str
    vouched: str = ""

    @classmethod
    def of_refusal(cls, file: str, player: str, reason: str) -> Self:
        """Return the result, without a verdict, for a decklist that was not registered.

        reason: the reason
        """
        return cls(file, player, "", registered=False, reason=reason)
