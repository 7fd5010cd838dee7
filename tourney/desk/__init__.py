"""The desk: an event opened for work. The door for the command line, for scripts and for any later server.

with Desk.open(path, by="Mira", clock=clock, randomness=token_bytes, library=library) as desk:
    receipt = desk.report(4, "2-1")
    print(receipt.text)
"""

from tourney.desk.desk import DeckReceipt, Desk, Receipt

__all__ = ["DeckReceipt", "Desk", "Receipt"]
