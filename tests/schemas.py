"""What the program says in JSON, gathered; its schemas, read, held against that, and widened by what is new.

A schema file names every key that there is, so that a reader can rely on it; other keys are allowed, as JSON gains keys
with time, but none may be said here that the file does not know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.kit import ROOT

FOLDER = ROOT / "tourney" / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
GENERATED = frozenset({"tourney.event-page/1"})
"""Made of the types themselves by `python -m scripts.reference`."""

MAPS = frozenset(
    {
        "choices",
        "agreed",
        "tags",
        "keep_apart",
        "byes",
        "attributes",
        "facts",
        "counts",
        "settings",
        "values",
        "sources",
        "zones",
    }
)
"""Keys whose objects have keys that are data: names, codes, settings."""

OPEN = frozenset({"inputs", "value", "reading", "numbers", "payloads", "printings", "certificate", "op"})
"""Keys whose objects are another's business: a game's, a pool's, a service's; a certificate has a schema of its own."""

MEANINGS = {
    "schema": "The name of this form of JSON, and its version.",
    "entry": "The number of an entry in the event's journal.",
    "entries": "Numbers of entries in the event's journal.",
    "digest": "A SHA-256, hexadecimal; beside `entry` that of the journal up to that entry.",
    "sha256": "A SHA-256, hexadecimal.",
    "fingerprint": "What tells two contents apart: the first characters of a SHA-256.",
    "hash": "The name of a list by its content: equal lists have equal ones.",
    "dry_run": "Whether nothing was written: what would be is said.",
    "already": "Whether that stood already, and nothing was written.",
    "changed": "What changed, in sentences.",
    "next": "What is next, in sentences.",
    "warnings": "What to look at, though it was done, in sentences.",
    "notes": "What to know about it, in sentences.",
    "hint": "What helps; null where nothing special does.",
    "cite": "Where the rule stands in its source.",
    "severity": "How a finding weighs: error, advice or unverified.",
    "findings": "What a check found.",
    "verdict": "What a list is: legal, illegal or unverified.",
    "message": "What was found, in a sentence.",
    "subjects": "The cards, players or keys that a finding speaks of.",
    "have": "How many there are, where a finding counts.",
    "allowed": "How many there may be, where a finding counts.",
    "at": "The entry after which, or the time at which, this stood.",
    "as_of": "As of what this stands, in words.",
    "exact": "The value as a fraction.",
    "points": "Points, as the profile counts them.",
    "player": "A player, by name or by the number `id`.",
    "players": "Players, by name, by number or as objects.",
    "round": "The number of a round, from 1.",
    "rounds": "Rounds, in order.",
    "table": "The number of a table.",
    "tables": "Tables, or how many.",
    "seats": "Who sits at a table, in seat order.",
    "byes": "Who has no table and an outcome nevertheless, or how many.",
    "drawn_games": "How many games of a match were drawn.",
    "score": "The score of a match (victory points, diamonds), where its game has one.",
    "rank": "The place in the standings, 1 the best; level players share one; null: out of the ranking.",
    "tiebreaks": "The tie-breaks, in the profile's order.",
    "profile": "The standings profile: points and tie-breaks.",
    "edition": "The day from which an edition of a profile holds.",
    "provisional": "Whether tables still play.",
    "playing": "Tables that still play, or how many.",
    "banlist": "The ban list, by name and day; null: none.",
    "format": "The format, by its id.",
    "game": "The game, by its id.",
    "seed": "What decided what is drawn by lot.",
    "reason": "Why, as somebody said it; null where nobody did.",
    "file": "A file, by its path as it was named.",
    "files": "Files, by their paths.",
    "folder": "The folder that was written to; null where none was.",
    "form": "A form of files, by the name that `--as` and `--form` know.",
    "took": "What was taken from a file, in words.",
    "agrees": "What of the file's own standings is so here, too; null where it has none.",
    "difference": "Where the standings first differ from the file's; null where they do not.",
    "left_out": "What the file says and no event holds.",
    "lost": "What of the event the form cannot hold.",
    "posts": "What came of posting, an object for each address.",
    "posted": "What went out, in order; in a dry run what would.",
    "payloads": "In a dry run what would be sent, as the service gets it.",
    "fault": "Why the rest was not posted; null where all was.",
    "unsure": "Whether it may have arrived all the same: no answer came.",
    "exit_code": "What the command left with; null where it was not run.",
    "removed": "How many files were removed.",
    "left": "Files that are no longer published and were not removed.",
    "insecure": "Whether http and unvouched certificates will do.",
    "rematches": "How many pairs meet again.",
    "proof": "How it is known that no pairing is better.",
    "engine": "The version of the engine that paired.",
    "cost": "What a pairing costs, level by level, the most important first.",
    "for_the_desk": "Whether it is the desk's to settle: disputed, unanswered for too long, or nobody is left to answer.",
    "waiting": "Whose answer is awaited.",
    "versions": "What each player says it was, the first report first.",
    "agree": "Who confirmed this version.",
    "calls": "Calls for a judge that nobody has answered.",
    "link": "The address of a page that whoever joins opens; null where the event was not served yet.",
    "expires": "Until when a link can be used.",
}
"""What keys mean that mean the same wherever they stand."""


def described(schema: Any) -> Any:
    """Return a schema in which each key of `MEANINGS` is described that has no description of its own."""
    if isinstance(schema, list):
        return [described(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: described(value) for key, value in schema.items()}
    for name, each in made.get("properties", {}).items():
        if name in MEANINGS and "description" not in each:
            made["properties"][name] = {"description": MEANINGS[name], **each}
    return made


_WORD = re.compile(r"[a-z][a-z0-9_]*")


def path_of(name: str) -> Path:
    """Return the file of a schema: `tourney.why-not/1` is in `why-not-1.json`."""
    return FOLDER / f"{name.removeprefix('tourney.').replace('/', '-')}.json"


def named_in_source() -> set[str]:
    """Return every schema that the program can name."""
    found = set()
    for path in (ROOT / "tourney").rglob("*.py"):
        for name in re.findall(
            r'"(?:tourney\.)?([a-z]+(?:-[a-z]+)*/[0-9]+)"', path.read_text(encoding="utf-8")
        ):
            found.add(f"tourney.{name}")
    return found


def in_transcripts() -> Iterator[tuple[str, Any]]:
    """Give each JSON object that a transcript shows, with where it stands."""
    for path in sorted((ROOT / "tests").glob("*/**/*.txt")):
        session = path.read_text(encoding="utf-8").partition("=== session\n")[2]
        for step in f"\n{session}".split("\n$ ")[1:]:
            command, *lines = step.split("\n")
            said = [line for line in lines if not re.match(r"!|> |\[\d+\]$", line)]
            if "--json" in command and said[:1] == ["{"]:
                yield f"{path.relative_to(ROOT)}: {command}", json.loads("\n".join(said))


def strict(schema: Any) -> Any:
    """Return a schema that allows no key but those it names."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {
        key: {name: strict(each) for name, each in value.items()}
        if key in {"properties", "$defs"}
        else strict(value)
        for key, value in schema.items()
    }
    if "properties" in made:
        made.setdefault("additionalProperties", False)
    return made


def widened(schema: dict[str, Any] | None, values: Iterable[Any]) -> dict[str, Any]:
    """Return a schema that takes these values, too; without one, one that is made of them alone. Descriptions stay."""
    for value in values:
        schema = _merged(schema, _of(value))
    assert schema is not None, "a schema is made of something"
    return schema


def _of(value: Any, key: str = "") -> dict[str, Any]:
    if value is None:
        return {"type": ["null"]}
    if isinstance(value, bool):
        return {"type": ["boolean"]}
    if isinstance(value, (int, float)):
        return {"type": ["integer" if isinstance(value, int) else "number"]}
    if isinstance(value, str):
        return {"type": ["string"]}
    if isinstance(value, list):
        return {
            "type": ["array"],
            **({"items": widened_by(_of(each, key) for each in value)} if value else {}),
        }
    if key in OPEN:
        return {"type": ["object"]}
    if key in MAPS or not all(_WORD.fullmatch(name) for name in value):
        inner = {"additionalProperties": widened(None, value.values())} if value else {}
        return {"type": ["object"], **inner}
    return {
        "type": ["object"],
        "properties": {name: _of(each, name) for name, each in value.items()},
        "required": [*value],
    }


def _merged(one: dict[str, Any] | None, other: dict[str, Any]) -> dict[str, Any]:
    if one is None:
        return other
    if not one or not other:  # anything
        return {key: text for key, text in one.items() if key == "description"}
    made = {**one}
    types = {*one.get("type", ()), *other.get("type", ())}
    types -= {"integer"} if "number" in types else set()
    made["type"] = sorted(types)
    if "additionalProperties" in one or "additionalProperties" in other:
        either = [*_values(one), *_values(other)]
        made.pop("properties", None)
        made.pop("required", None)
        made |= {"additionalProperties": widened_by(either)} if either else {}
    elif "properties" in one and "properties" in other:
        names = dict.fromkeys([*one["properties"], *other["properties"]])
        made["properties"] = {
            name: widened_by(each["properties"][name] for each in (one, other) if name in each["properties"])
            for name in names
        }
        made["required"] = [name for name in one["required"] if name in other["required"]]
    else:
        made |= {key: other[key] for key in ("properties", "required") if key in other}
    if "items" in one or "items" in other:
        made["items"] = widened_by(each["items"] for each in (one, other) if "items" in each)
    return made


def _values(schema: dict[str, Any]) -> list[dict[str, Any]]:
    if "additionalProperties" in schema:
        return [schema["additionalProperties"]]
    return [*schema.get("properties", {}).values()]


def widened_by(schemas: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return a schema that takes whatever one of these takes."""
    made: dict[str, Any] | None = None
    for each in schemas:
        made = _merged(made, each)
    assert made is not None, "a schema is made of something"
    return made


def written(schema: dict[str, Any]) -> str:
    """Return a schema as its file has it: a single type as a word; of what was never there nothing is said."""

    def plain(each: Any, key: str = "") -> Any:
        if isinstance(each, dict) and each.get("type") == ["null"]:
            return {name: text for name, text in each.items() if name == "description"}
        if isinstance(each, dict):
            return {name: plain(value, name) for name, value in each.items()}
        if isinstance(each, list):
            return each[0] if key == "type" and len(each) == 1 else [plain(value) for value in each]
        return each

    return json.dumps(plain(schema), indent=1, ensure_ascii=False) + "\n"


def read(path: Path) -> dict[str, Any]:
    """Read a schema, each `type` as a list."""

    def listed(each: Any) -> Any:
        if isinstance(each, list):
            return [listed(value) for value in each]
        if not isinstance(each, dict):
            return each
        return {
            name: [value] if name == "type" and isinstance(value, str) else listed(value)
            for name, value in each.items()
        }

    return listed(json.loads(path.read_text(encoding="utf-8")))
