"""What the pages of staff show: a view for each page. Audience: staff.

A template gets the view of its page as `here`, and a `Frame` as `staff`. Times are ISO 8601 with the zone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Self

from msgspec import Struct
from msgspec.structs import replace

from tourney.desk.receipts import next_steps
from tourney.document import filled
from tourney.errors import TourneyError
from tourney.event.claims import CallRow, ClaimedResult, overdue_claims
from tourney.event.decks import DeckCheckRow, deck_checks
from tourney.event.documents import PenaltyRow, penalty_row
from tourney.event.ops import Undone
from tourney.event.penalties import PenaltyList, history
from tourney.event.phrases import seats_text
from tourney.event.rounds import leavers_of_held_round
from tourney.event.score import SlipExamples, slip_examples
from tourney.serve.live import Publication
from tourney.serve.seat import DECK_LETTERS
from tourney.serve.steps import OfferedStep, PairLabels, champion, next_step, pair_labels, without_commands
from tourney.serve.visits import JUDGES, LONGEST_NAME, SCOREKEEPERS, UNENCRYPTED, Role, Visit
from tourney.wording import Message, sentence

if TYPE_CHECKING:
    from tourney.decks import Changed
    from tourney.desk import Desk
    from tourney.desk.open_event import LogLine
    from tourney.event.state import Player, Round, State
    from tourney.record import PlayerId
    from tourney.store.devices import Device

MOST_LINES = 100
"""The maximum number of entries on the page of the log, unless all are requested."""


class Frame(Struct, frozen=True, kw_only=True):
    """What all pages of staff show, and what the visitor may enter.

    at: the address of the page, which its forms send along
    scorekeeper, judge, organizer: whether the visitor may do what this role may do
    read_only: why the page has no forms; empty if it has forms
    names: the names of the players still in the event, which fields suggest
    last: the visitor's last entry that is not undone; None if there is none
    """

    at: str
    scorekeeper: bool
    judge: bool
    organizer: bool
    read_only: str
    names: tuple[str, ...]
    closed: bool
    last: LogLine | None
    penalty_list: PenaltyList

    @classmethod
    def of(cls, desk: Desk, visit: Visit, at: str) -> Self:
        """Return the frame of the page at the address `at`."""
        role = visit.visitor.role
        with desk.signing(visit.staff_device.signature):
            last = desk.own_last()
        return cls(
            at=at,
            scorekeeper=role in SCOREKEEPERS,
            judge=role in JUDGES,
            organizer=role is Role.ORGANIZER,
            read_only=_read_only(visit),
            names=tuple(player.name for player in desk.state.playing),
            closed=desk.state.closed,
            last=last,
            penalty_list=desk.penalty_list(),
        )

    @property
    def entering(self) -> bool:
        """Whether the page has forms."""
        return not self.read_only


def _read_only(visit: Visit) -> str:
    room = visit.room
    if room.read_only:
        return Message("These pages are read-only: enter results on the organizer's computer.")
    return "" if visit.secure or room.staff_over_http else sentence(UNENCRYPTED)


class StaffPageView(Struct, frozen=True, kw_only=True):
    """The view of a page. fault: why it cannot show what was asked for; None if it can."""

    fault: TourneyError | None = None


# -- the scorekeeper's desk


class DeskRound(Struct, frozen=True):
    """The current round.

    playing: whether it has open tables
    started: whether its clock was started
    """

    number: int
    title: str
    is_held: bool
    playing: bool
    started: bool

    @classmethod
    def of(cls, round_: Round) -> Self:
        """Return the view of a round."""
        return cls(round_.number, round_.title, round_.held, bool(round_.playing), bool(round_.started))


class DeskTable(Struct, frozen=True):
    """A table without a result.

    seats: the names of its players
    mark: the state of a report from the players, in words; empty if there is none
    extra: extra minutes
    """

    number: int
    seats: str
    mark: str
    extra: int


class CallView(CallRow, frozen=True):
    """A player's call for a judge. seats: the names of the players at the table."""

    seats: str

    @classmethod
    def all_of(cls, desk: Desk) -> tuple[Self, ...]:
        """Return the open calls, the oldest first."""
        state = desk.state
        tables = [(call, state.table_of(call.id)) for call in desk.calls()]
        return tuple(
            filled(cls, call, seats=seats_text(table.seats, state.name_of) if table else call.player)
            for call, table in tables
        )


class DeskView(StaffPageView, frozen=True, kw_only=True):
    """The desk's page: reports, open tables, the next step and more.

    round: the current round; None before round 1
    next_number, labels: the number of the next round, and the labels of the buttons that pair it
    minutes: the length of a round; 0 for no limit
    time: whether to tick that time was called, in the form for slips
    steps: what to do next, as far as it needs no command
    overdue: whether players did not answer a report in time
    published: what was published last, and what could not be published; without a time if nothing was
    publishing: whether pages and posts are being published
    publishes: whether the event publishes pages or posts
    champion: a sentence that names the winner; empty if there is none yet
    ready: whether the current round is complete and not held back; also true before round 1
    gone: the names of the players who left after the held round was paired
    """

    round: DeskRound | None
    next_number: int
    labels: PairLabels
    has_cut: bool
    minutes: int
    claims: tuple[ClaimedResult, ...]
    calls: tuple[CallView, ...]
    open: tuple[DeskTable, ...]
    time: bool
    examples: SlipExamples
    steps: tuple[str, ...]
    step: OfferedStep
    overdue: bool
    published: Publication
    publishing: bool
    publishes: bool
    champion: str
    ready: bool
    gone: str

    @classmethod
    def of(cls, desk: Desk, visit: Visit) -> Self:
        """Return the view for a visit. The next step is one that the visitor's role may take."""
        state, claims, settings = desk.state, desk.claims(), desk.state.settings
        round_, marks = state.round, {claim.table: claim.mark for claim in claims}
        published = visit.event.publication or Publication("")
        return cls(
            round=DeskRound.of(round_) if round_ else None,
            next_number=len(state.rounds) + 1,
            labels=pair_labels(state),
            has_cut=state.cut is not None,
            minutes=settings.match.minutes,
            claims=claims,
            calls=CallView.all_of(desk),
            open=tuple(
                DeskTable(
                    table.number,
                    seats_text(table.seats, state.name_of),
                    marks.get(table.number, ""),
                    table.extra_minutes,
                )
                for table in (round_.open_tables if round_ else ())
            ),
            time=bool(visit.query.get("time")),
            examples=slip_examples(settings),
            steps=tuple(step.text for step in next_steps(state) if not step.commands),
            step=next_step(desk, visit.visitor.role),
            overdue=bool(overdue_claims(state, desk.workplace.clock())),
            published=published._replace(
                lines=_sentences(published.lines), faults=_sentences(published.faults)
            ),
            publishing=bool(visit.event.publishing),
            publishes=bool(settings.pages.publish_to or settings.pages.post_to),
            champion=champion(state) or _first(visit, state),
            ready=round_ is None or (round_.done and not round_.held),
            gone=", ".join(state.players[player].name for player in leavers_of_held_round(state)),
        )


def _sentences(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(sentence(without_commands(line)) for line in lines)


def _first(visit: Visit, state: State) -> str:
    """Return a sentence that names the first player of the standings.

    Returns an empty text if several players share first place, and after a cut.
    """
    if state.cut is not None or not state.rounds:
        return ""
    first = [row.player for row in visit.event.pages.event.settled.rows if row.rank == 1]
    return Message("{name} is first.", name=state.players[first[0]].name) if len(first) == 1 else ""


# -- players and devices


class PlayerLine(Struct, frozen=True, kw_only=True):
    """A player.

    status: whether the player is here or has left, in words; empty if neither needs a word
    code: the state of the player's code: `bound`, `fresh` or `void`; empty without a code
    """

    id: PlayerId
    name: str
    status: str
    code: str
    can_check_in: bool
    can_return: bool
    can_drop: bool


class PlayersView(StaffPageView, frozen=True, kw_only=True):
    """The page of all players. begun: whether round 1 is paired."""

    begun: bool
    players: tuple[PlayerLine, ...]

    @classmethod
    def of(cls, desk: Desk, visit: Visit) -> Self:
        """Return the players, with their status and the status of their codes."""
        codes, state = visit.room.devices.codes(), desk.state
        begun = bool(state.rounds)
        lines = (
            PlayerLine(
                id=player.id,
                name=player.name,
                status=_status(player, begun=begun),
                code=codes.get(player.id, ""),
                can_check_in=not begun and player.playing and not player.checked_in,
                can_return=player.dropped is not None and player.disqualified is None and not state.closed,
                can_drop=player.playing and not state.closed,
            )
            for player in state.players.values()
        )
        return cls(begun=begun, players=tuple(lines))


def _status(player: Player, *, begun: bool) -> str:
    if player.disqualified is not None:
        return Message("disqualified")
    if player.dropped is not None:
        return Message("leaves after this round") if player.leaving else Message("dropped")
    if player.checked_in:
        return Message("here")
    return "" if begun else Message("not checked in")


class DeviceLine(Struct, frozen=True):
    """A device that joined.

    owner: the name of the player or staff member; empty if a staff member gave none
    can_remove: whether the visitor may remove it
    """

    device: Device
    owner: str
    can_remove: bool


class DevicesView(StaffPageView, frozen=True, kw_only=True):
    """The page of the devices that joined, also of removed ones. The newest is first."""

    devices: tuple[DeviceLine, ...]

    @classmethod
    def of(cls, desk: Desk, visit: Visit) -> Self:
        """Return the view for a visit."""
        devices = reversed(visit.room.devices.list())
        lines = (
            DeviceLine(device, owner_of(device, desk.state), can_remove(visit, device)) for device in devices
        )
        return cls(devices=tuple(lines))


def owner_of(device: Device, state: State) -> str:
    """Return the name of the player or staff member who joined with a device."""
    if device.player is None:
        return device.name
    names = (player.name for player in state.players.values() if player.id == device.player)
    return next(names, f"#{device.player}")


def can_remove(visit: Visit, device: Device) -> bool:
    """Return whether the visitor may remove a device.

    Only the organizer may remove a staff device.
    """
    if device.ended is not None or visit.staff_device.number == device.number:
        return False
    return device.player is not None or visit.visitor.role is Role.ORGANIZER


# -- the log


class LogView(StaffPageView, frozen=True, kw_only=True):
    """The page of the log.

    lines: the entries, the newest first
    undos: the numbers of the entries that undo another entry. They have no button
    older: the number of older entries
    """

    lines: tuple[LogLine, ...]
    undos: frozenset[int]
    older: int

    @classmethod
    def of(cls, desk: Desk, visit: Visit) -> Self:
        """Return the last entries, or all if the visit asks for them."""
        older = 0 if visit.query.get("all") else max(0, desk.state.entry - MOST_LINES)
        undos = frozenset(entry.seq for entry in desk.entries[older:] if isinstance(entry.op, Undone))
        return cls(lines=desk.log(older)[::-1], undos=undos, older=older)


# -- the judge's pages


class JudgeView(StaffPageView, frozen=True, kw_only=True):
    """The judge's page.

    title: the title of the current round; empty before round 1
    due, checked: the decks that were drawn but not checked yet, and those that were checked
    """

    title: str
    calls: tuple[CallView, ...]
    penalties: tuple[PenaltyRow, ...]
    due: tuple[DeckCheckRow, ...]
    checked: tuple[DeckCheckRow, ...]

    @classmethod
    def of(cls, desk: Desk, visit: Visit) -> Self:
        """Return the view for a visit.

        While a round is held back, a judge sees no calls, and no deck checks of that round.
        """
        state = desk.state if visit.visitor.role in SCOREKEEPERS else desk.state.for_players
        is_hidden = len(state.rounds) != len(desk.state.rounds)
        checks = [check for check in deck_checks(state, desk.texts) if check.round <= len(state.rounds)]
        return cls(
            title=state.round.title if state.round else "",
            calls=() if is_hidden else CallView.all_of(desk),
            penalties=tuple(penalty_row(state, penalty, desk.texts) for penalty in reversed(state.penalties)),
            due=tuple(check for check in checks if not check.checked and check.round),
            checked=tuple(check for check in checks if check.checked),
        )


class DeckComparison(Struct, frozen=True):
    """The differences between a deck and the registered list.

    text: the deck, as it was entered
    summary: the numbers of added and removed cards, in words
    """

    text: str
    changed: tuple[Changed, ...]
    summary: str


class ListView(StaffPageView, frozen=True, kw_only=True):
    """The page of a player's registered decklist and penalties.

    who: the player, as the visitor entered it
    player, name: the number and name of the player; None and empty without a player
    text: the list as it was submitted; empty without a list
    earlier: the player's penalties
    longest: the maximum number of characters of a list
    """

    who: str = ""
    player: PlayerId | None = None
    name: str = ""
    text: str = ""
    earlier: tuple[PenaltyRow, ...] = ()
    compared: DeckComparison | None = None
    longest: int = DECK_LETTERS

    @classmethod
    def of(cls, desk: Desk, visit: Visit) -> Self:
        """Return the view of the player whom the visit names."""
        view = cls(who=(visit.query.get("who") or visit.text("who", LONGEST_NAME))[:LONGEST_NAME])
        if not view.who:
            return view
        try:
            player = desk.state.players[desk.find_player(view.who)]
            penalties = history(desk.state, player.id)
            earlier = tuple(penalty_row(desk.state, penalty, desk.texts) for penalty in penalties)
            view = replace(view, player=player.id, name=player.name, earlier=earlier)
            return replace(view, text=desk.deck_text(player.id)) if player.deck else view
        except TourneyError as fault:
            return replace(view, fault=fault)
