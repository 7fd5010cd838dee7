"""The desk: an event opened for work, for the command line, for scripts and for any later server.

    with Desk.open(path, by="Mira", clock=clock, randomness=token_bytes, library=Library.open) as desk:
        receipt = desk.report(4, "2-1")
        print(receipt.text)

`desk`         what an organizer can do, in the order of a tournament day; `receipts`: what is answered
`open_event`   an event file held open: read once, brought up to date by what is new, and how a change is written
`rules`        the rules an event keeps, and its settings
`registration` players and their decks, held against these rules
`player_list`  lists of players as organizers have them; `trackers`: what other programs for tournaments write
`views`        what is shown of the open event: views for the terminal and for `tourney.publish`
`publishing`   what leaves the desk: pages in a folder, posts to those who read a chat, sheets of paper
`evidence`     what the file has to show for itself, and whether a round still rests on the results that stand
`recorded_round`  a round held against its system, its proof as data, why this table and not that one
`verifying`    the secret, the seeds, the costs and the tables held against each other
`event_check`  the whole file looked at; `histories`: its history held against what somebody kept of it
`erasing`      whoever asks to be forgotten
"""

from tourney.desk.desk import Desk
from tourney.desk.receipts import DeckReceipt, ImportedDeck, ImportReceipt, Published, Receipt

__all__ = ["DeckReceipt", "Desk", "ImportReceipt", "ImportedDeck", "Published", "Receipt"]
