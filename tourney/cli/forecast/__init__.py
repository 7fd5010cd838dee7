"""`tourney forecast`: who can still make the cut, and how likely it is.

`cut` is what is proved, `chances` what is estimated by playing the rest of the event on; `what-if` holds both
against what might have been; `rounds` is asked before the event.
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
