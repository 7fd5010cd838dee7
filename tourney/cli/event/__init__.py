"""`tourney event`: start one, look at it, take things back, close it.

`starting` what holds in it, `running` what is done while it runs, `showing` where it stands and its story, `files` the event
as a file, `generating` a random one to try things on.
"""

from tourney.cli.command import noun

cli = noun(
    "event",
    lazy={
        "new": "tourney.cli.event.starting:new",
        "change": "tourney.cli.event.starting:change",
        "rebase": "tourney.cli.event.starting:rebase",
        "deck": "tourney.cli.event.starting:deck",
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
        "check": "tourney.cli.event.files:check",
        "backup": "tourney.cli.event.files:backup",
        "salvage": "tourney.cli.event.files:salvage",
        "export": "tourney.cli.event.files:export",
        "import": "tourney.cli.event.files:import_",
        "generate": "tourney.cli.event.generating:generate",
    },
)
