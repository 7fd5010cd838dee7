"""The event on the phones, tablets and screens of the venue, over HTTP.

The server has no rules of its own. `publish` makes the pages, and the desk enters what is sent, with the same
refusals as on the command line. Only `tourney serve` imports this package. `README.md` says who can do what.
"""
