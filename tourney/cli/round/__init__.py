"""`tourney round`: who meets whom.

`pairing` the next round, and tables changed by hand; `tables` a round as it stands; `clock` its time; `evidence` why it was
paired so, and what of that is proved. Calls for a judge stand with what else players send, in `result/claims`.
"""

from tourney.cli.command import Noun, noun

cli = noun(
    "round",
    lazy={
        "plan": "tourney.cli.round.pairing:plan",
        "force": "tourney.cli.round.pairing:force",
        "forbid": "tourney.cli.round.pairing:forbid",
        "pair": "tourney.cli.round.pairing:pair",
        "next": "tourney.cli.round.pairing:next_",
        "release": "tourney.cli.round.pairing:release",
        "show": "tourney.cli.round.tables:show",
        "start": "tourney.cli.round.clock:start",
        "extend": "tourney.cli.round.clock:extend",
        "clock": "tourney.cli.round.clock:clock",
        "calls": "tourney.cli.result.claims:calls",
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

cli.add_command(edit)  # not lazy: whoever says `swap` to a round is told where it is
