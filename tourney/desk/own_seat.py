"""The changes that a player can make from a phone, for their own seat only.

The server makes an `OwnSeat` from the session of a request, and does not trust a player's number in a form.
Entries are signed with the player's number, and record the device. The log shows the number as the player's
name, unless it was erased.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tourney.desk.open_event import WritableEvent
from tourney.desk.receipts import Receipt
from tourney.desk.registration import DeckReceipt, judge_deck, register_deck
from tourney.errors import TourneyError
from tourney.event import claims
from tourney.event.claims import MOST_ENTRIES, TOO_MUCH, Request, Shown
from tourney.event.entry import Entry
from tourney.event.fold import sentence, undos_by_entry
from tourney.event.kind import Decision, EventChange, open_event, player_of
from tourney.event.names import kept_apart, public
from tourney.event.score import Report
from tourney.record import PlayerId
from tourney.wording import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tourney.event.ops import Ref


class OwnSeat(Struct, frozen=True):
    """A player's seat in an open event.

    device: the device that sends the request, `device 5, bound 14:05`
    key:    the id of this request: up to 40 letters, digits, `-` and `_`. A repeated request enters nothing,
            and is answered with the earlier entry. Without a key, a request with the same content counts as
            repeated

    If a request is refused, the method raises TourneyError with the current state, and changes nothing.
    """

    desk: WritableEvent
    player: PlayerId
    device: str = ""
    key: str = ""

    def claim(
        self,
        report: Report,
        *,
        round_number: int,
        table: int,
        seats: Sequence[int],
        replaces: int = 0,
    ) -> Receipt:
        """Report the result of the player's table. It is entered when the opponents confirm it.

        report:   the result from the player's point of view; its field `tables` is not used
        round_number, table, seats: the table as the page showed it, with the players in seat order
        replaces: the entry number of the player's earlier report, if the page showed one; otherwise 0

        If an opponent has reported the same result, this confirms that report.
        """
        shown_table = Shown(round_number, table, tuple(map(PlayerId, seats)))
        return self._write(
            lambda change, request: claims.claim(
                change, report, request, shown=shown_table, replaces=replaces
            )
        )

    def confirm(self, claim: int) -> Receipt:
        """Confirm the report in entry `claim`.

        When all opponents have confirmed it, the result is entered.
        """
        return self._write(lambda change, request: claims.confirm(change, claim, request))

    def dispute(self, claim: int, report: Report | None = None, *, reason: str | None = None) -> Receipt:
        """Dispute the report in entry `claim`, with the player's own report if given.

        The desk then decides.
        """
        return self._write(
            lambda change, request: claims.dispute(change, claim, report, request, reason=reason)
        )

    def call_judge(
        self, *, round_number: int, table: int, seats: Sequence[int], about: str | None = None
    ) -> Receipt:
        """Call a judge to the player's table.

        A second call before a judge has answered changes nothing.
        """
        shown_table = Shown(round_number, table, tuple(map(PlayerId, seats)))
        return self._write(
            lambda change, request: claims.call(change, request, shown=shown_table, about=about)
        )

    def leave(self, *, round_number: int) -> Receipt:
        """Drop the player after the round that the page showed (0: before round 1)."""
        return self._write(lambda change, _: claims.leave(change, self.player, round_number))

    def check_in(self) -> Receipt:
        """Check the player in, before round 1 is paired."""
        return self._write(lambda change, _: claims.check_in(change, self.player))

    def submit_deck(self, data: str | bytes, *, source: str) -> DeckReceipt:
        """Register or replace the player's decklist, until decks are locked or round 1 is paired.

        An illegal list is not registered; the receipt has the verdict. Contradictions to other lists are not
        returned, because a player must not learn about other lists.
        """
        desk, state = self.desk, self.desk.refresh()
        open_event(state)
        player = player_of(state, self.player)
        if not player.playing:
            raise TourneyError(
                Message("you have left the event, so you cannot submit a list"), Message("go to the desk")
            )
        lock_text = (
            Message("since round 1 was paired")
            if state.for_players.rounds
            else desk.lock_text(state.for_players)
        )
        if lock_text:
            raise TourneyError(
                Message("decks have been locked {since}", since=lock_text),
                Message("go to the desk, which can still register another list"),
            )
        judged_list = judge_deck(desk, data, source=source)
        same_list = player.deck and desk.journal.text(player.deck.text) == judged_list.text
        if player.deck and same_list and not state.is_outdated(player.deck):
            text = "This list is already registered."
            unchanged_receipt = Receipt(state=state, changed=(text,), already=True)
            return replace(
                DeckReceipt.with_verdict(unchanged_receipt, judged_list.verdict), verdict=player.deck.verdict
            )
        with desk.signing_as_player(self.player):
            if self._count_recent(self._own_entries()) >= MOST_ENTRIES:
                raise TourneyError(*TOO_MUCH)
            receipt = register_deck(desk, self.player, judged_list, by_phone=True)
        return replace(receipt, findings=judged_list.verdict.findings)

    def _write(self, decide: Callable[[EventChange, Request], Decision]) -> Receipt:
        def decide_for_player(change: EventChange) -> Decision:
            player_of(change.state, self.player)
            # Answers to a player must not reveal a round that is held back, or names that the pages do not
            # show.
            change = replace(change, state=kept_apart(public(change.state)))
            return decide(change, self._request(change))

        with self.desk.signing_as_player(self.player):
            return self.desk.write(decide_for_player)

    def _request(self, change: EventChange) -> Request:
        """Return the data of this request, including the player's earlier entries."""
        desk, own_entries = self.desk, self._own_entries()
        device: Ref | None = None
        if self.device and not change.state.players[self.player].erased:
            device_refs = (getattr(entry.op, "device", None) for entry in own_entries)
            known_refs = (ref for ref in device_refs if ref and desk.texts.get(ref) == self.device)
            device = next(known_refs, None) or change.seal(self.device, "device")
        return Request(
            player=self.player,
            device=device,
            key=self.key,
            earlier=own_entries,
            undone=undos_by_entry(desk.entries).keys() if own_entries else (),
            recent=self._count_recent(own_entries),
            describe=partial(sentence, context=desk.reading),
        )

    def _own_entries(self) -> list[Entry]:
        own_refs = self.desk.own_refs()
        return [entry for entry in self.desk.entries if entry.by in own_refs]

    def _count_recent(self, entries: Sequence[Entry]) -> int:
        """Count the player's entries since the last pairing."""
        round_ = self.desk.state.round
        return sum(round_ is None or entry.seq > round_.paired.entry for entry in entries)
