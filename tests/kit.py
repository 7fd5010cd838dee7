"""What many tests need: where the golden cases are."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def golden(*parts: str) -> Path:
    """Return a path in the golden folder (`$TOURNEY_GOLDEN`, default `../shared/golden`); skip where it is absent."""
    folder = Path(os.environ.get("TOURNEY_GOLDEN") or ROOT.parent / "shared" / "golden")
    place = folder.joinpath(*parts)
    if not place.exists():
        pytest.skip(
            f"golden cases not here: {'/'.join(parts) or 'golden'} (set TOURNEY_GOLDEN)",
            allow_module_level=True,
        )
    return place
