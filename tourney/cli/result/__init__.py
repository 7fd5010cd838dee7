"""`tourney result`: what came of the tables.

`reports` a result, or a block of them, and who is still playing; `stack` a stack of slips, one after the other; `claims`
what players report themselves.
"""

from tourney.cli.command import noun

cli = noun(
    "result",
    lazy={
        "add": "tourney.cli.result.reports:add",
        "import": "tourney.cli.result.reports:import_",
        "change": "tourney.cli.result.reports:change",
        "enter": "tourney.cli.result.stack:enter",
        "missing": "tourney.cli.result.reports:missing",
        "claims": "tourney.cli.result.claims:claims",
    },
)
