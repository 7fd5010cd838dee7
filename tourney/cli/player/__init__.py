"""`tourney player`: register, change, drop and show players.

`roster` has the commands that change players, `decks` those for their decklists, `showing` the list and one
player.
"""

from tourney.cli.command import noun

cli = noun(
    "player",
    lazy={
        "add": "tourney.cli.player.roster:add",
        "import": "tourney.cli.player.roster:import_",
        "list": "tourney.cli.player.showing:list_",
        "show": "tourney.cli.player.showing:show",
        "deck": "tourney.cli.player.decks:deck",
        "decks": "tourney.cli.player.decks:decks",
        "waive-deck": "tourney.cli.player.decks:waive",
        "check-in": "tourney.cli.player.roster:check_in",
        "rename": "tourney.cli.player.roster:rename",
        "change": "tourney.cli.player.roster:change",
        "drop": "tourney.cli.player.roster:drop",
        "return": "tourney.cli.player.roster:return_",
        "disqualify": "tourney.cli.player.roster:disqualify",
        "blank": "tourney.cli.player.roster:erase",
    },
)
