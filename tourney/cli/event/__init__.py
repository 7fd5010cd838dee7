"""`tourney event`: make, change, show and close an event.

`running` has the commands that change an event, `showing` its state, log, prizes and summary, `files` copies and exports.
"""

from tourney.cli.command import noun

cli = noun(
    "event",
    lazy={
        "new": "tourney.cli.event.running:new",
        "change": "tourney.cli.event.running:change",
        "rebase": "tourney.cli.event.running:rebase",
        "deck": "tourney.cli.event.running:deck",
        "show": "tourney.cli.event.showing:show",
        "log": "tourney.cli.event.showing:log",
        "beacon": "tourney.cli.event.running:beacon",
        "undo": "tourney.cli.event.running:undo",
        "redo": "tourney.cli.event.running:redo",
        "cut": "tourney.cli.event.running:cut",
        "seed": "tourney.cli.event.running:seed",
        "prizes": "tourney.cli.event.showing:prizes",
        "summary": "tourney.cli.event.showing:summary",
        "close": "tourney.cli.event.running:close",
        "reopen": "tourney.cli.event.running:reopen",
        "list": "tourney.cli.event.files:list_",
        "copy": "tourney.cli.event.files:copy",
        "check": "tourney.cli.event.files:check",
        "backup": "tourney.cli.event.files:backup",
        "salvage": "tourney.cli.event.files:salvage",
        "export": "tourney.cli.event.files:export",
        "import": "tourney.cli.event.files:import_",
        "tables": "tourney.cli.event.files:tables",
        "generate": "tourney.cli.event.running:generate",
    },
)
