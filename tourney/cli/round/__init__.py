"""`tourney round`: pair, show and change rounds.

`pairing` has the commands that pair, show and change rounds, `playing` those for the clock and calls for a
judge, `evidence` explanations and proofs.
"""

from tourney.cli.command import Noun, noun

cli = noun(
    "round",
    lazy={
        "plan": "tourney.cli.forecast.rounds:plan_",
        "force": "tourney.cli.round.pairing:force",
        "forbid": "tourney.cli.round.pairing:forbid",
        "pair": "tourney.cli.round.pairing:pair",
        "next": "tourney.cli.round.pairing:next_",
        "release": "tourney.cli.round.pairing:release",
        "show": "tourney.cli.round.pairing:show",
        "start": "tourney.cli.round.playing:start",
        "extend": "tourney.cli.round.playing:extend",
        "clock": "tourney.cli.round.playing:clock",
        "calls": "tourney.cli.round.playing:calls",
        "edit": "tourney.cli.round:edit",
        "repair": "tourney.cli.round.pairing:repair",
        "cancel": "tourney.cli.round.pairing:cancel",
        "why": "tourney.cli.round.evidence:why",
        "why-not": "tourney.cli.round.evidence:why_not",
        "check": "tourney.cli.round.evidence:check",
        "prove": "tourney.cli.round.evidence:prove",
    },
)

edit = Noun(
    "edit",
    help="Change tables of the current round by hand: allowed, checked, recorded.",
    lazy={
        "swap": "tourney.cli.round.pairing:swap",
        "set": "tourney.cli.round.pairing:set_",
        "move": "tourney.cli.round.pairing:move",
        "bye": "tourney.cli.round.pairing:bye",
    },
)

# Not lazy, so that the error for `round swap` can suggest `tourney round edit swap`.
cli.add_command(edit)
