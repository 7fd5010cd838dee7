"""`tourney deck`: decklists, each command in its own module."""

from __future__ import annotations

from tourney.cli.command import noun

cli = noun("deck", lazy={"check": "tourney.cli.deck_check:check"})
