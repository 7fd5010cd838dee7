"""`tourney standings`: who is ahead, why, and under other rules.

`results` what is looked at: an event or a file, under which rules; `ranking` the table, and a place as arithmetic; `profiles` the
rules there are, and the same results under several of them.
"""

from tourney.cli.command import noun

cli = noun(
    "standings",
    default="show",
    lazy={
        "show": "tourney.cli.standings.ranking:show",
        "why": "tourney.cli.standings.ranking:why_",
        "compare": "tourney.cli.standings.profiles:compare_",
        "profiles": "tourney.cli.standings.profiles:profiles_",
    },
)
