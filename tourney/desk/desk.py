"""One class with one method for each thing that is done at the desk."""

from __future__ import annotations

from tourney.desk.players import PlayerDesk
from tourney.desk.results import ResultDesk
from tourney.desk.rounds import RoundDesk
from tourney.desk.upkeep import UpkeepDesk


class Desk(PlayerDesk, RoundDesk, ResultDesk, UpkeepDesk):
    """An event file opened for work by one scorekeeper. `create` or `open` it; `leave` it, or use it in a `with`.

    Every change is read–decide–append: it is decided on the event as it stands, and appended only if nobody wrote
    in between; otherwise it is decided again. What a method has answered is on the disk. Every method that changes
    returns a `Receipt` and raises TourneyError, with the event as it was, where the change is refused.

    Wherever a player is asked for (`who`), a name, an unambiguous prefix, `#7` or an id will do.
    """
