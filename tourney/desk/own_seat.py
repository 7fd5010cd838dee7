"""What a player may do from the own phone: for the own seat, and for no other.

A server makes an `OwnSeat` from the session that a request came with; no number in a form is believed. What is entered is
signed with the player's number, which is told as their name for as long as they have one, and says from which device it came.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from tourney.desk import registration
from tourney.desk.checking import DeckReceipt, judge_deck
from tourney.desk.receipts import Receipt
from tourney.desk.writing import WritableEvent
from tourney.errors import TourneyError
from tourney.event import claims
from tourney.event.claims import MOST_ENTRIES, TOO_MUCH, Request, Shown
from tourney.event.entry import Sealing
from tourney.event.fold import sentence, taken_back
from tourney.event.kind import Decision, open_event, player_of
from tourney.event.names import kept_apart, public
from tourney.event.score import Report
from tourney.event.state import State
from tourney.record import PlayerId
from tourney.wording import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tourney.event.ops import Ref


@dataclass(frozen=True)
class OwnSeat:
    """A player's seat in an open event: `Desk.own_seat`.

    device: what requests come from, `device 5, bound 14:05`
    key:    what tells this request from every other, up to 40 letters, digits, `-` and `_`: the same once more is answered
            with what was entered. Without one, the same content is

    Every method raises TourneyError, with the event as it was and what stands now in the message, where it is refused.
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
        """Report the result of the own table; nothing is entered before the others agree.

        report: from the player's point of view, without `tables`
        round_number, table, seats: what the page showed, players in seat order; replaces: the own claim that it showed

        If another player has reported the very same, this is its confirmation.
        """
        shown = Shown(round_number, table, tuple(map(PlayerId, seats)))
        return self._write(
            lambda state, request, _: claims.claim(
                state, report, request, shown=shown, replaces=replaces, find_game=self.desk.scoring
            )
        )

    def confirm(self, claim: int) -> Receipt:
        """Agree with the claim of an entry; with the last who has to, the result is entered in the same turn."""
        return self._write(lambda state, request, _: claims.confirm(state, claim, request))

    def dispute(self, claim: int, report: Report | None = None, *, reason: str | None = None) -> Receipt:
        """Contradict the claim of an entry, with the own version or without: the desk settles the table then."""
        return self._write(
            lambda state, request, seal: claims.dispute(
                state, claim, report, request, reason=reason, seal=seal, find_game=self.desk.scoring
            )
        )

    def call_judge(
        self, *, round_number: int, table: int, seats: Sequence[int], about: str | None = None
    ) -> Receipt:
        """Call a judge to the own table, once until somebody has been there. about: what for."""
        shown = Shown(round_number, table, tuple(map(PlayerId, seats)))
        return self._write(
            lambda state, request, seal: claims.call(state, request, shown=shown, about=about, seal=seal)
        )

    def leave(self, *, round_number: int) -> Receipt:
        """Leave after the round that the page showed (0: before round 1); it is played to its end."""
        return self._write(lambda state, _, seal: claims.leave(state, self.player, round_number, seal))

    def check_in(self) -> Receipt:
        """Say that the player is here, before round 1 is paired."""
        return self._write(lambda state, _request, _seal: claims.check_in(state, self.player))

    def submit_deck(self, data: str | bytes, *, source: str) -> DeckReceipt:
        """Hand in a decklist, or another one, before decks are locked; without a lock, until round 1 is paired.

        An illegal one is not registered: the receipt's verdict says why. Of what it declares otherwise than other lists
        nothing is said: those are closed to the player.
        """
        desk, state = self.desk, self.desk.refresh()
        open_event(state)
        player = player_of(state, self.player)
        if not player.playing:
            raise TourneyError(
                Message("you have left the event, so no list is taken"), Message("go to the desk")
            )
        locked = (
            Message("since round 1 was paired")
            if state.for_players.rounds
            else desk.locked(state.for_players)
        )
        if locked:
            raise TourneyError(
                Message("decks are locked {since}", since=locked),
                Message("go to the desk: it can take another list"),
            )
        judged = judge_deck(desk, data, source=source)
        same_list = player.deck and desk.journal.text(player.deck.text) == judged.text
        if player.deck and same_list and not state.is_outdated(player.deck):
            told = ("This list is registered already.",)
            same = Receipt(entries=(), changed=told, next=(), state=state, already=True)
            return replace(DeckReceipt.judged(same, judged.verdict), verdict=player.deck.verdict)
        with desk.signing_as_player(self.player):
            if self._spent() >= MOST_ENTRIES:
                raise TourneyError(*TOO_MUCH)
            receipt = registration.submit_deck(
                desk, self.player, data, source=source, anyway=False, trust_declared=False, own=True
            )
        return replace(receipt, findings=judged.verdict.findings)

    def _write(self, decide: Callable[[State, Request, Sealing], Decision]) -> Receipt:
        def decided(state: State, seal: Sealing) -> Decision:
            player_of(state, self.player)
            # A player must see neither a round that is held back nor names that the pages do not show.
            state = kept_apart(public(state))
            return decide(state, self._request(state, seal), seal)

        with self.desk.signing_as_player(self.player):
            return self.desk.write(decided)

    def _request(self, state: State, seal: Sealing) -> Request:
        """Return who asks, with what they entered so far."""
        desk, mine = self.desk, self.desk.own_refs()
        own = [each for each in desk.entries if each.by in mine]
        known = (getattr(each.op, "device", None) for each in own)
        device: Ref | None = None
        if self.device and not state.players[self.player].erased:
            same = (ref for ref in known if ref and desk.texts.get(ref) == self.device)
            device = next(same, None) or seal(self.device, "device")
        return Request(
            player=self.player,
            device=device,
            key=self.key,
            before=own,
            gone=taken_back(desk.entries).keys() if own else (),
            spent=self._spent(),
            tell=partial(sentence, context=desk.reading.log_context),
        )

    def _spent(self) -> int:
        """Count what the player entered since the last pairing."""
        round_, mine = self.desk.state.round, self.desk.own_refs()
        since = self.desk.entries[round_.paired.entry if round_ else 0 :]
        return sum(each.by in mine for each in since)
