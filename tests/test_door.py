"""Data from outside: the first fault is told with file and key path, in our words."""

import msgspec
import pytest

from tourney.door import from_json, from_toml
from tourney.errors import TourneyError


class Limit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    max: int


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    limit: list[Limit]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('limit = [{max = "4"}]', "f.toml: limit[0].max: expected a whole number, found text"),
        ("limit = [{max = 4, mix = 1}]", "f.toml: limit[0]: there is no key `mix` here"),
        ("limit = [{}]", "f.toml: limit[0]: the key `max` is missing"),
        ("limit = 4", "f.toml: limit: expected a list, found a whole number"),
        ("limit = ", "f.toml: not readable as TOML: invalid value (at end of document)"),
    ],
)
def test_a_fault_in_toml_names_file_and_key_path(text, said):
    """The message starts with the file, then the key path, then what was expected and found."""
    with pytest.raises(TourneyError) as refusal:
        from_toml(text, Sheet, source="f.toml")
    assert refusal.value.message == said


def test_deep_json_is_refused_not_crashed():
    """A hundred thousand brackets are a refusal, not a RecursionError."""
    with pytest.raises(TourneyError, match=r"^f\.json: "):
        from_json("[" * 100_000, Sheet, source="f.json")
