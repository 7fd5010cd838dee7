"""`tourney player`: who plays.

`joining` who registers, `showing` who is there, `decks` what they play, `changing` what is put right of them, and who leaves.
"""

from tourney.cli.command import noun

cli = noun(
    "player",
    lazy={
        "add": "tourney.cli.player.joining:add",
        "import": "tourney.cli.player.joining:import_",
        "list": "tourney.cli.player.showing:list_",
        "show": "tourney.cli.player.showing:show",
        "deck": "tourney.cli.player.decks:deck",
        "decks": "tourney.cli.player.decks:decks",
        "waive-deck": "tourney.cli.player.decks:waive",
        "check-in": "tourney.cli.player.changing:check_in",
        "rename": "tourney.cli.player.changing:rename",
        "change": "tourney.cli.player.changing:change",
        "drop": "tourney.cli.player.changing:drop",
        "return": "tourney.cli.player.changing:return_",
        "disqualify": "tourney.cli.player.changing:disqualify",
        "blank": "tourney.cli.player.changing:erase",
    },
)
