"""The desk: an event opened for work, for the command line, for scripts and for the server.

    workplace = Workplace("Mira", clock, token_bytes, Library.open)
    with Desk.open(path, workplace) as desk:
        receipt = desk.report(4, "2-1")
        print(receipt.text)

The README lists the modules. What needs the rules of decks, the pages or another program's file is a function of its own
module, so that a result is entered without loading them.
"""

from tourney.desk.desk import Desk
from tourney.desk.open_event import Workplace
from tourney.desk.receipts import Receipt

__all__ = ["Desk", "Receipt", "Workplace"]
