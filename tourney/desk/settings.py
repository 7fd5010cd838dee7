"""The settings of an event: the format's own, and what the organizer asked for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

import msgspec

from tourney.errors import TourneyError
from tourney.event.parts import Settings, refuse_beyond, settings_from

if TYPE_CHECKING:
    from tourney.rules import Format


LONGEST_SOURCE = 200
"""Characters in the name of a public value."""


def day_from(text: str) -> date:
    """Read a day. Raises TourneyError for what is none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise TourneyError(f"`{text}` is not a day", "YYYY-MM-DD, as 2026-10-04") from None


def new_settings(format_: Format, wanted: Mapping[str, Any]) -> Settings:
    """Return the settings of a new event of this format. Raises TourneyError for what is none, or will not do."""
    own = of_format(format_)
    settings = settings_from(changed_settings(format_, wanted, own), own)
    refuse_beyond(settings, settings.__struct_fields__)
    return settings


def changed_settings(format_: Format, wanted: Mapping[str, Any], known: Settings) -> dict[str, Any]:
    """Return what was asked for as settings: a choice of the format (`goal`) may be named like one."""
    choices = {key: value for key, value in wanted.items() if key in format_.settings}
    plain = {key: value for key, value in wanted.items() if key not in choices}
    if isinstance(plain.get("beacon"), str):
        plain["beacon"] = _source(plain["beacon"])
    if not choices and "choices" not in plain:
        return plain
    if not isinstance(plain.get("choices", {}), dict):
        raise TourneyError(
            "settings: choices: expected a table", "`--set goal=40` sets one choice of the format"
        )
    asked = {**plain.get("choices", {}), **choices}
    for name, value in asked.items():
        if name not in known.choices or known.choices[name] != value:
            _refuse_choice(format_, name, value)
    return {**plain, "choices": {**known.choices, **asked}}


def _source(named: str) -> str:
    """Return the name of a public value, blanks made one. Raises TourneyError for what cannot be printed."""
    source = " ".join(named.split())
    if len(source) > LONGEST_SOURCE or not source.isprintable():
        raise TourneyError(
            f"a public value is named in up to {LONGEST_SOURCE} characters that can be printed",
            'as `--beacon "drand quicknet, round 14412000"`',
        )
    return source


def _refuse_choice(format_: Format, name: str, value: Any) -> None:
    if name not in format_.settings:
        known = ", ".join(f"`{each}`" for each in format_.settings) or "none"
        raise TourneyError(f"{format_.id} leaves no choice called `{name}`", f"its choices: {known}")
    setting = format_.settings[name]
    if setting.choices and value not in setting.choices:
        raise TourneyError(f"{name}: `{value}` is not among {', '.join(map(str, setting.choices))}")
    if type(value) is not type(setting.default):
        raise TourneyError(f"{name}: `{value}` is not like its default, {setting.default}")


def of_format(format_: Format) -> Settings:
    """Return the settings that a format itself asks for."""
    match = format_.match
    sizes: tuple[int, ...]
    if format_.event.pods:
        sizes = format_.event.pods
    elif isinstance(match.seats, int):
        sizes = (match.seats,)
    else:
        sizes = tuple(range(match.seats.min, match.seats.max + 1))
    return msgspec.structs.replace(
        Settings(),
        system="swiss" if sizes == (2,) else "pods",
        best_of=match.games,
        seats=sizes,
        sides=match.sides,
        draws=match.draws,
        minutes=50 if match.minutes is None else match.minutes,
    )
