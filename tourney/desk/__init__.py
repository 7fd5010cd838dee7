"""The desk: an event opened for work, for the command line, for scripts and for any later server.

    with Desk.open(path, by="Mira", clock=clock, randomness=token_bytes, library=Library.open) as desk:
        receipt = desk.report(4, "2-1")
        print(receipt.text)

`desk`         what an organizer can do, in the order of a tournament day
`open_event`   an event file held open: read once, brought up to date by what is new, how a change is written and answered;
               where the event stands and what is next
`rules`        the rules an event keeps, and its settings
`registration` players and their decks, held against these rules; `shared_decks`: lists that several play with
`player_list`  lists of players as organizers have them, and as other programs for tournaments write them
`own_seat`     what a player may do from the own phone
`views`        what is shown of the open event: views for the terminal and for `tourney.publish`
`publishing`   what leaves the desk: pages in a folder, posts to those who read a chat, sheets of paper
`evidence`     what the file has to show for a round: the results it rests on, its proof as data, why this table and not that
`verifying`    secret, seeds, costs and tables held against each other; the whole file looked at
`histories`    the history held against what somebody kept of it
`takeover`     another program's file made an event, and an event another program's file
`erasing`      whoever asks to be forgotten
"""

from tourney.desk.desk import Desk
from tourney.desk.open_event import DeckReceipt, ImportedDeck, ImportReceipt, Published, Receipt

__all__ = ["DeckReceipt", "Desk", "ImportReceipt", "ImportedDeck", "Published", "Receipt"]
