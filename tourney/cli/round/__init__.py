"""`tourney round`: pair, show and change rounds.

`running` has the commands that pair, show and change rounds, run their clock and list calls for a judge,
`evidence` explanations and proofs.
"""

from tourney.cli.command import Noun, noun

cli = noun(
    "round",
    lazy={
        "force": "tourney.cli.round.running:force",
        "forbid": "tourney.cli.round.running:forbid",
        "pair": "tourney.cli.round.running:pair",
        "next": "tourney.cli.round.running:next_",
        "release": "tourney.cli.round.running:release",
        "show": "tourney.cli.round.running:show",
        "start": "tourney.cli.round.running:start",
        "extend": "tourney.cli.round.running:extend",
        "clock": "tourney.cli.round.running:clock",
        "calls": "tourney.cli.round.running:calls",
        "edit": "tourney.cli.round:edit",
        "repair": "tourney.cli.round.running:repair",
        "cancel": "tourney.cli.round.running:cancel",
        "why": "tourney.cli.round.evidence:why",
        "why-not": "tourney.cli.round.evidence:why_not",
        "check": "tourney.cli.round.evidence:check",
        "prove": "tourney.cli.round.evidence:prove",
    },
)

edit = Noun(
    "edit",
    help="Change tables of the current round by hand.",
    lazy={
        "swap": "tourney.cli.round.running:swap",
        "set": "tourney.cli.round.running:set_",
        "move": "tourney.cli.round.running:move",
        "bye": "tourney.cli.round.running:bye",
    },
)

# Not lazy, so that the error for `round swap` can suggest `tourney round edit swap`.
cli.add_command(edit)
