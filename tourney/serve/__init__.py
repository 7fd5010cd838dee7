"""The event on the phones, tablets and screens of the room: the same desk, over HTTP.

It has no rule of its own: what is shown is made by `publish`, what is entered goes through `desk`, and what a page refuses
the command line refuses in the same words. It is imported by `tourney serve` alone; `README.md` says who can do what.
"""
