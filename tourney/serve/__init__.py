"""The server that shows an event on the phones, tablets and screens of the venue, over HTTP.

The server has no rules of its own. `tourney.publish` makes the pages. All entries go through the desk
(`tourney.desk`), with the same errors as on the command line. Only `tourney serve` imports this package.
`README.md` lists what each role can do.
"""
