"""`tourney forecast`: who can still make the cut, and how likely it is.

`cut` shows what is proved, and `chances` estimates the rest by simulation. `what-if` compares both with other
results. `rounds` helps to plan an event.
"""

from tourney.cli.command import noun

cli = noun(
    "forecast",
    lazy={
        "cut": "tourney.cli.forecast.cut:cut_",
        "chances": "tourney.cli.forecast.chances:chances_",
        "player": "tourney.cli.forecast.chances:player_",
        "what-if": "tourney.cli.forecast.what_if:what_if_",
        "rounds": "tourney.cli.forecast.rounds:rounds_",
    },
)
