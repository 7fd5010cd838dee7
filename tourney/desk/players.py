"""Players and their decks."""

from __future__ import annotations

from collections.abc import Mapping

from tourney.desk.receipt import DeckReceipt, Receipt
from tourney.desk.session import Session
from tourney.record import PlayerId


class PlayerDesk(Session):
    """Registration: who plays, under which name, with which deck, and until when."""

    def who(self, text: str | PlayerId) -> PlayerId:
        """Return the player meant by a name, an unambiguous prefix, `#7` or an id.

        Raises TourneyError with "did you mean" for a near miss, and with the candidates for an ambiguous one.
        """
        raise NotImplementedError

    def add_player(
        self,
        name: str,
        *,
        rating: int | None = None,
        tags: Mapping[str, str] | None = None,
        byes: Mapping[int, str] | None = None,
        awarded: int = 0,
        table: int | None = None,
        contact: str | None = None,
        late: str | None = None,
    ) -> Receipt:
        """Register a player. Once a round was paired they play from the next one on.

        tags:    kind → text, such as club → `Harbour Club`; compared by `keep_apart`
        byes:    round → `awarded-bye`, `half-bye` or `absent`
        awarded: full-point byes for the first that many rounds
        table:   a fixed table
        late:    what missed rounds count for: `absent`, `bye` or `half-bye`; None: the event's setting
        """
        raise NotImplementedError

    def import_players(self, text: str, *, source: str) -> Receipt:
        """Register many players in one entry: a name a line, or CSV with a header.

        Columns: name (or first and last), rating, table, awarded, byes, late; any other column is a tag of that kind.
        Names that are registered already are left out and warned of. Raises TourneyError with file and line.
        """
        raise NotImplementedError

    def rename(self, who: str | PlayerId, name: str) -> Receipt:
        """Put a player's name right. Raises TourneyError where another player has it."""
        raise NotImplementedError

    def change_player(
        self,
        who: str | PlayerId,
        *,
        rating: int | str | None = "",
        tags: Mapping[str, str] | None = None,
        byes: Mapping[int, str] | None = None,
        table: int | str | None = "",
        contact: str | None = None,
    ) -> Receipt:
        """Change facts of a player; what is not named stays (None clears a rating or a table).

        tags: added or replaced; an empty text takes a tag away. byes: round → `awarded-bye`, `half-bye`, `absent`,
        or `play` to lift what was announced. Rounds already paired are refused (`result`, `round edit`).
        """
        raise NotImplementedError

    def drop(self, *who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Take players out from the next round on. If they sit at a table that is still playing, a warning says so."""
        raise NotImplementedError

    def return_(self, *who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Let players who had dropped play again from the next round on; rounds missed are absences."""
        raise NotImplementedError

    def disqualify(self, who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Take a player out of the ranking; those who met them still have."""
        raise NotImplementedError

    def check_in(self, *who: str | PlayerId) -> Receipt:
        """Note that players were seen at the desk."""
        raise NotImplementedError

    def blank(self, who: str | PlayerId) -> Receipt:
        """Delete a person's name, deck and notes from the file; entries, chain and standings hold.

        Cannot be undone. Backups and exports made before keep the texts; the receipt says so.
        """
        raise NotImplementedError

    def submit_deck(
        self, who: str | PlayerId, text: str, *, source: str, anyway: bool = False
    ) -> DeckReceipt:
        """Check a decklist under the event's own rules and register it, unless it is illegal.

        source: the file's name, for the findings; anyway: register an illegal list too
        """
        raise NotImplementedError

    def deck_text(self, who: str | PlayerId) -> str:
        """Return the registered list of a player. Raises TourneyError where there is none."""
        raise NotImplementedError

    def waive_deck(self, *who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Note that players need not hand in a list."""
        raise NotImplementedError
