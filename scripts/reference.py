"""Generate parts of the documentation with cog.

`tests/test_docs.py` checks that they are up to date.

Run `python -m scripts.reference` to update the pages; `--check` only compares them.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Collection, Iterator
from fractions import Fraction
from inspect import cleandoc
from itertools import takewhile
from pathlib import Path
from typing import Any

import click
import msgspec
from cogapp import Cog  # type: ignore[import-untyped]  # it has no type hints
from msgspec import structs

from tourney.cli.command import SECTIONS, root
from tourney.document import Document
from tourney.standings.tiebreaks import TABLE

ROOT = Path(__file__).resolve().parent.parent
WIDTH = 100
PAGES = ("tourney/cli/COMMANDS.md", "tests/errors/README.md", "tourney/standings/README.md")
MARKERS = "cog:code cog:page cog:end"
"""Cog's default markers are three brackets, which can occur in the JSON of examples."""


def every_command() -> Iterator[tuple[str, click.Command, click.Context]]:
    """Yield each command of the program as (`tourney deck check`, command, its context)."""
    with click.Context(root, info_name="tourney", **root.context_settings) as context:
        for nouns in SECTIONS.values():
            for noun in nouns:
                yield from _walk(root.get_command(context, noun), context, noun)


def _walk(
    command: click.Command | None, parent: click.Context, name: str
) -> Iterator[tuple[str, click.Command, click.Context]]:
    assert command is not None, f"{name} is listed and does not exist"
    with click.Context(
        command, info_name=name, parent=parent, max_content_width=WIDTH, terminal_width=WIDTH
    ) as context:
        if not isinstance(command, click.Group):
            yield context.command_path, command, context
            return
        for child in command.list_commands(context):
            yield from _walk(command.get_command(context, child), context, child)


def commands() -> str:
    """Return the reference of all commands as Markdown, under the headings of `tourney --help`."""
    help_of = {path: context.get_help() for path, _, context in every_command()}
    parts = []
    for heading, nouns in SECTIONS.items():
        parts.append(f"## {heading}\n")
        for noun, described in nouns.items():
            parts.append(f"### {noun}\n\n{described.help}\n")
            own = {path: text for path, text in help_of.items() if path.split()[1] == noun}
            parts += [f"```\n$ {path} --help\n{text}\n```\n" for path, text in own.items()]
    return "\n".join(parts)


def errors() -> str:
    """Return the catalogue of error messages as Markdown: every example of `tests/errors`."""
    parts = []
    for folder in sorted(path for path in (ROOT / "tests" / "errors").iterdir() if path.is_dir()):
        cases = sorted(folder.glob("*.txt"))
        if cases:
            parts.append(f"## {folder.name}\n")
            parts += [_example(path) for path in cases]
    return "\n".join(parts)


def _example(path: Path) -> str:
    about, _, rest = path.read_text(encoding="utf-8").partition("\n\n")
    files, _, session = rest.rpartition("=== session\n")
    steps = [step for step in f"\n{session}".split("\n$ ")[1:] if _says_something(step)]
    shown = files.strip().splitlines()[:12] + [f"$ {step.rstrip()}" for step in steps]
    return f"### {path.stem}\n\n{about}\n\n```\n" + "\n".join(shown) + "\n```\n"


def _says_something(step: str) -> bool:
    """Return whether a step has output.

    The page leaves out the silent commands that prepare an example.
    """
    return any(not line.startswith(">") for line in step.rstrip().splitlines()[1:])


def tie_breaks() -> str:
    """Return the table of tie-breaks as Markdown, a row each, in the table's own order."""
    lines = ["| code | name | better | of whose matches | variants | source |", "|---|---|---|---|---|---|"]
    for row in TABLE.values():
        whose = (
            "those among level players"
            if row.group_function
            else ("own", "opponents'", "their opponents'")[row.reach]
        )
        variants = ", ".join(f"`{row.code}/{name}`" for name in row.modifiers)
        better = "lower" if row.low else "higher"
        lines.append(f"| `{row.code}` | {row.name} | {better} | {whose} | {variants} | {row.source} |")
    return "\n".join(lines) + "\n"


def documents() -> dict[str, type[Document]]:
    """Return every JSON document of the program by its schema: `tourney.prizes/1`."""
    for path in sorted((ROOT / "tourney").rglob("*.py")):
        if re.search(r"tourney[.\w]*\.documents? import", path.read_text(encoding="utf-8")):
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    ours = (
        kind for kind in _subclasses(Document) if kind.__module__.startswith("tourney.")
    )  # not those of tests
    return {tag: kind for kind in ours if "/" in (tag := _tag_of(kind))}


def _subclasses(kind: type[Document]) -> Iterator[type[Document]]:
    for child in kind.__subclasses__():
        yield child
        yield from _subclasses(child)


def _tag_of(kind: type[Document]) -> str:
    return str(kind.__struct_config__.tag)


def schema_path(tag: str) -> Path:
    """Return the file of a schema: `tourney.why-not/1` is in `why-not-1.json`."""
    return SCHEMAS / f"{tag.removeprefix('tourney.').replace('/', '-')}.json"


def document_schema(kind: type[Document]) -> str:
    """Return the JSON Schema of a document; its descriptions are those of the docstrings.

    A key is optional only if its type allows UNSET.
    """
    tag = _tag_of(kind)
    (whole,), parts = msgspec.json.schema_components([kind], schema_hook=_text_schema)
    by_name = {struct.__name__: struct for struct in _structs(msgspec.inspect.type_info(kind))}
    for name, part in parts.items():
        _describe(part)
        for base in by_name[name].__mro__[1:] if name in by_name else ():
            _add_meanings(part.get("properties", {}), cleandoc(base.__doc__ or ""))
    made = parts.pop(whole["$ref"].rpartition("/")[2])
    properties = {"schema": {"description": "Name and version of this JSON form.", "const": tag}}
    properties |= {name: value for name, value in made["properties"].items() if name != "schema"}
    schema = {"$schema": DIALECT, "title": tag, **made, "properties": properties}
    return json.dumps(schema | ({"$defs": parts} if parts else {}), indent=1, ensure_ascii=False) + "\n"


def _structs(kind: Any) -> Iterator[type[msgspec.Struct]]:
    """Yield the structs of a type as `msgspec.inspect` describes it."""
    waiting, seen = [kind], set()
    while waiting:
        part = waiting.pop()
        if isinstance(part, msgspec.inspect.StructType):
            if part.cls not in seen:
                seen.add(part.cls)
                yield part.cls
                waiting += [field.type for field in part.fields]
        elif isinstance(part, msgspec.inspect.Type):
            for value in structs.asdict(part).values():
                waiting += value if isinstance(value, tuple) else [value]


DIALECT = "https://json-schema.org/draft/2020-12/schema"


def _text_schema(kind: type) -> dict[str, str]:
    """Return the schema of a type that msgspec does not know: fractions are written as text."""
    if not issubclass(kind, (Fraction, str)):
        raise TypeError(f"no schema for {kind.__name__}")
    return {"type": "string"}


def _describe(part: dict[str, Any]) -> None:
    """Describe the struct and its keys by the docstring.

    A key that is always written is required, whatever its default.
    """
    part.pop("title", None)
    text = cleandoc(part.get("description", ""))
    properties = part.get("properties", {})
    before_fields = takewhile(lambda paragraph: not meanings(paragraph, properties), text.split("\n\n"))
    part["description"] = "\n\n".join(before_fields) or text.partition("\n\n")[0]
    required = set(part.pop("required", ()))
    for name, value in properties.items():
        if "default" in value:
            required.add(name)
            del value["default"]
        properties[name] = _joined(value)
    _add_meanings(properties, text)
    part["required"] = [name for name in properties if name in required]


def _add_meanings(properties: dict[str, Any], text: str) -> None:
    for name, meaning in meanings(text, properties).items():
        if "description" not in properties[name]:
            properties[name] = {"description": meaning, **properties[name]}


def _joined(value: dict[str, Any]) -> dict[str, Any]:
    """Return `anyOf` of plain types as one list of types, which is shorter."""
    choices = value.get("anyOf", [])
    if choices and all(choice.keys() == {"type"} for choice in choices):
        return {"type": [choice["type"] for choice in choices]}
    return value


def meanings(text: str, fields: Collection[str]) -> dict[str, str]:
    r"""Return what a docstring says of each of the fields, as in `points: before this round`.

    A field's words start a line, or follow a stop.

    >>> text = "A seat. points: before this round; won, lost:\n  whether it is so"
    >>> meanings(text, ["points", "won", "lost"])
    {'points': 'Before this round.', 'won': 'Whether it is so.', 'lost': 'Whether it is so.'}
    """
    any_of = "|".join(map(re.escape, fields))
    parts = re.split(rf"(?:^|(?<=[.;])\s|\n)\s*((?:{any_of})(?:, (?:{any_of}))*):\s+", text)
    found: dict[str, str] = {}
    for names, said in zip(parts[1::2], parts[2::2], strict=True):
        meaning = " ".join(said.partition("\n\n")[0].split()).rstrip(".;")
        found |= dict.fromkeys(names.split(", "), f"{meaning[:1].upper()}{meaning[1:]}.")
    return found


SCHEMAS = ROOT / "tourney" / "schemas"


def schema_files() -> dict[Path, str]:
    """Return each generated file of `tourney/schemas` with its content."""
    return {schema_path(tag): document_schema(kind) for tag, kind in documents().items()}


def write_schemas(*, check: bool = False) -> int:
    """Write the generated schemas; return 0 if the files are up to date."""
    for path, text in schema_files().items():
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            return 1
    return 0


def write(page: str, *, check: bool = False) -> int:
    """Let cog write a page anew, or say by 0 that it is up to date; return cog's exit code."""
    how = "--check" if check else "-r"
    return int(Cog().main(["cog", how, "-I", str(ROOT), f"--markers={MARKERS}", str(ROOT / page)]))


if __name__ == "__main__":
    looking = "--check" in sys.argv[1:]
    sys.exit(max(write_schemas(check=looking), *(write(page, check=looking) for page in PAGES)))
