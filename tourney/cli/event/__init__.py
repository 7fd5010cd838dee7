"""`tourney event`: make, change, show and close an event.

`changing` has the commands that change an event, `showing` its state, log, prizes and summary, `files` copies
and exports, `generating` random events. Shared decklists are with those of the players (`cli/player/decks`).
"""

from tourney.cli.command import noun

cli = noun(
    "event",
    lazy={
        "new": "tourney.cli.event.changing:new",
        "change": "tourney.cli.event.changing:change",
        "rebase": "tourney.cli.event.changing:rebase",
        "deck": "tourney.cli.player.decks:shared_deck",
        "show": "tourney.cli.event.showing:show",
        "log": "tourney.cli.event.showing:log",
        "beacon": "tourney.cli.event.changing:beacon",
        "undo": "tourney.cli.event.changing:undo",
        "redo": "tourney.cli.event.changing:redo",
        "cut": "tourney.cli.event.changing:cut",
        "seed": "tourney.cli.event.changing:seed",
        "prizes": "tourney.cli.event.showing:prizes",
        "summary": "tourney.cli.event.showing:summary",
        "close": "tourney.cli.event.changing:close",
        "reopen": "tourney.cli.event.changing:reopen",
        "list": "tourney.cli.event.files:list_",
        "copy": "tourney.cli.event.files:copy",
        "check": "tourney.cli.event.files:check",
        "backup": "tourney.cli.event.files:backup",
        "salvage": "tourney.cli.event.files:salvage",
        "export": "tourney.cli.event.files:export",
        "import": "tourney.cli.event.files:import_",
        "tables": "tourney.cli.event.files:tables",
        "generate": "tourney.cli.event.generating:generate",
    },
)
