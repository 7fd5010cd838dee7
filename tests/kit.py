"""What many tests need: where the golden cases are, and what it means that they are not there."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

NOT_HERE = "golden cases not here"
"""How the reason of a skipped test begins: the summary of a run counts them by it."""

NO_POSTGRES = "no PostgreSQL here"
"""And that there is no server that could be started."""

NO_NETWORK = "no network of its own here"
"""And that no network can be made that a test may spoil."""


def golden_folder() -> Path:
    """Return where the cases are that others worked out: `$TOURNEY_GOLDEN`, or `../shared/golden` beside the checkout."""
    named = os.environ.get("TOURNEY_GOLDEN", "")
    return Path(named) if named not in ("", "required") else ROOT.parent / "shared" / "golden"


def golden(*parts: str) -> Path:
    """Return a path in the golden folder; where it is absent, skip.

    With `TOURNEY_GOLDEN=required`, or with a folder named there, what is absent fails.
    """
    place = golden_folder().joinpath(*parts)
    if not place.exists():
        missing = "/".join(parts) or "the folder"
        if os.environ.get("TOURNEY_GOLDEN"):
            pytest.fail(
                f"golden cases are asked for (TOURNEY_GOLDEN), and {missing} is not in {golden_folder()}"
            )
        pytest.skip(f"{NOT_HERE}: {missing} (set TOURNEY_GOLDEN)", allow_module_level=True)
    return place
