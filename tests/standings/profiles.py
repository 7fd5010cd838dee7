"""The shipped profiles for tests."""

from datetime import date
from functools import cache

from tests.kit import ROOT
from tourney.standings import Profile, load_profile, parse_profile

FOLDER = ROOT / "tourney" / "standings" / "profiles"


def text_of(name: str) -> tuple[str, str]:
    """Return the text and the file name of a shipped profile."""
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8"), f"{name}.toml"


@cache
def shipped(name: str, day: date | None = None) -> Profile:
    """Return the edition of a shipped profile in force on `day` (None: the newest)."""
    return load_profile(name, text_of).on(day)


def house(text: str) -> Profile:
    """Return a house profile; it may extend the shipped ones."""
    return parse_profile(text, source="house.toml", parent=shipped)
