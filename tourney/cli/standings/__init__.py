"""`tourney standings`: rank players, explain a rank, and compare standings profiles.

`results` reads the results of an event or a file, with a standings profile. `ranking` shows the table, and
explains a rank by its arithmetic. `profiles` lists the profiles, and ranks the same results under several of
them.
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
