"""Each JSON output has a schema in tourney/schemas and agrees with it; all schemas are used.

A schema lists every key, so that a reader can rely on it. Readers must allow other keys, as later versions
may add some, but the program's output may not contain a key that its schema does not name.
"""

import json
import os
import re
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import chdir
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from scripts.reference import schema_files
from tests.golden import transcript
from tests.kit import ROOT, with_rows
from tests.publish.sample import event
from tests.store.web import Server, tagged
from tourney.cli import root
from tourney.publish import render
from tourney.publish.chat import pairings, payloads
from tourney.store.devices import Devices, read_code
from tourney.store.event_file import EventFile
from tourney.store.files import user_folder

FOLDER = ROOT / "tourney" / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"

NO_JSON = frozenset(
    {
        "tourney.decklist/1",  # a list in TOML
        "tourney.undone",  # the tag of an entry, as every op has one
    }
)

LIVE = """completion bash
format list
format show red-diamond/standard
format show --game red-diamond
judge list
pool list
banlist list
banlist import list.toml --as red-diamond/standard --from 2026-01-01
banlist show red-diamond/standard
card find Kite
deck check deck.txt --format red-diamond/standard
deck hash deck.txt --format red-diamond/standard
deck hash deck.txt --format red-diamond/standard \
--opens 0000000000000000000000000000000000000000000000000000000000000000 \
--salt 00000000000000000000000000000000
deck history deck.txt --format red-diamond/standard
standings profiles
event tables
event new Cup --format red-diamond/standard --banlist none --rounds 3
player add Mira Tomo Ansel Bryn Cleo
player deck Mira deck.txt
player deck Mira
event deck
round pair
round show
round why 1
round why-not Mira Tomo
round prove
round check
result add 1..2 1-0
standings
event show
event backup
event summary
event export out
verify -e cup.tourney
publish --list -e cup.tourney
publish --to pages -e cup.tourney
verify -e cup.tourney --against pages/verification.html
event salvage -e cup.tourney --to saved.tourney
event generate Many --players 8"""
"""Command lines that say what no transcript shows in JSON."""


def path_of(name: str) -> Path:
    """Return the file of a schema: `tourney.why-not/1` is in `why-not-1.json`."""
    return FOLDER / f"{name.removeprefix('tourney.').replace('/', '-')}.json"


def named_in_source() -> set[str]:
    """Return every schema name in the source."""
    names = set()
    for path in (ROOT / "tourney").rglob("*.py"):
        for name in re.findall(
            r'"(?:tourney\.)?([a-z]+(?:-[a-z]+)*/[0-9]+)"', path.read_text(encoding="utf-8")
        ):
            names.add(f"tourney.{name}")
    return names


def in_transcripts() -> Iterator[tuple[str, Any]]:
    """Yield each JSON object in the transcripts, with its place."""
    for path in sorted((ROOT / "tests").glob("*/**/*.txt")):
        session = path.read_text(encoding="utf-8").partition("=== session\n")[2]
        for step in f"\n{session}".split("\n$ ")[1:]:
            command, *lines = step.split("\n")
            output = [line for line in lines if not re.match(r"!|> |\[\d+\]$", line)]
            if "--json" in command and output[:1] == ["{"]:
                yield f"{path.relative_to(ROOT)}: {command}", json.loads("\n".join(output))


def strict(schema: Any) -> Any:
    """Return a schema that allows only the keys that it names."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {
        key: {name: strict(item) for name, item in value.items()}
        if key in {"properties", "$defs"}
        else strict(value)
        for key, value in schema.items()
    }
    if "properties" in made:
        made.setdefault("additionalProperties", False)
    return made


def serving(folder):
    """Return the output of `tourney serve` before it serves, and end the process."""
    line = [
        sys.executable,
        "-m",
        "tourney",
        "serve",
        "--json",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "-e",
        "cup.tourney",
    ]
    surroundings = {**os.environ, "XDG_DATA_HOME": str(folder / "user"), "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        line, cwd=folder, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        lines = iter(server.stdout.readline, "}\n")
        document = json.loads("".join(lines) + "}")
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 0
    return document


@pytest.fixture(scope="module")
def documents(tmp_path_factory):
    """Return the program's JSON by schema: from transcripts, a small event, network and files."""
    documents = defaultdict(list)

    def add(where, value):
        if isinstance(value, dict) and "schema" in value:
            documents[value["schema"]].append((where, value))
            if isinstance(inner := value.get("certificate"), dict) and "schema" in inner:
                documents[inner["schema"]].append((where, inner))

    for where, value in in_transcripts():
        add(where, value)
    folder = tmp_path_factory.mktemp("live")
    (folder / "deck.txt").write_text("Amber Fox\nBitter Heron\nClever Otter\n")
    (folder / "list.toml").write_text('[cards]\n"Ember Fox" = 0\n')
    server = Server()
    server.answers["/list.toml"] = tagged(['[cards]\n"Invented Comet" = 0\n'])
    server.answers["/pool.toml"] = tagged(['game = "my-game"\ncomplete = true\n[sets.core]\n'])
    server.answers["/core.jsonl"] = tagged(['{"id": "ant", "name": "Ant"}\n'])
    fetched = [
        f"banlist fetch {server.url('/list.toml')} --as redline/standard --from "
        "2026-01-01 --insecure --accept",
        f"pool fetch {server.url('/pool.toml')} --insecure",
    ]
    surroundings = {
        "HOME": str(folder), "XDG_DATA_HOME": None, "TOURNEY_DATA": None, "TOURNEY_EVENT": None,
        "TOURNEY_BY": "desk", "TOURNEY_SEED": "schemas", "TOURNEY_NOW": "2026-11-20T18:00:00+00:00",
    }  # fmt: skip
    with chdir(folder):
        for line in (*LIVE.splitlines(), *fetched):
            words = transcript.shlex.split(line)
            answer = CliRunner(env=surroundings).invoke(root, [*words, "--json"])
            assert answer.stdout.startswith("{"), f"{line}: {answer.output}"
            add(line, json.loads(answer.stdout))
        for line in with_a_device(folder):
            answer = CliRunner(env=surroundings).invoke(root, [*line.split(), "--json"])
            add(line, json.loads(answer.stdout))
        for number, line in enumerate((folder / "out" / "cup.jsonl").read_text().splitlines()):
            documents["tourney.journal/1"].append((f"cup.jsonl:{number + 1}", json.loads(line)))
        add("tourney serve", serving(folder))
        add("pages/event.json", json.loads((folder / "pages" / "event.json").read_text()))
    server.stop()
    add("a page", json.loads(render(event(3), ["json"])["event.json"]))
    add("a post", payloads(pairings(event()), "webhook")[0])
    return documents


def with_a_device(folder):
    """Bind a device as a server does, and return the lines about it."""
    with EventFile.open(folder / "cup.tourney") as journal:
        event = journal.rows()[0].digest
    data = user_folder({"HOME": str(folder), "LOCALAPPDATA": str(folder)})
    with Devices.open(data, event, clock=lambda: datetime.now(UTC), randomness=os.urandom) as devices:
        devices.bind(1, read_code(devices.new_code(1).text)[1])
    return ("device list -e cup.tourney", "device remove 1 -e cup.tourney", "device list -e cup.tourney")


def faults(documents):
    """Check each value against its schema, and return the faults."""
    wrong = []
    for name, values in sorted(documents.items()):
        path = path_of(name)
        if not path.exists():
            wrong.append(f"{name}: there is no {path.relative_to(ROOT)}")
            continue
        check = Draft202012Validator(strict(json.loads(path.read_text(encoding="utf-8"))))
        for where, value in values:
            wrong += [
                f"{where}: {name}: {fault.json_path}: {fault.message[:200]}"
                for fault in check.iter_errors(value)
            ]
    return wrong


def test_json_agrees_with_its_schema(documents):
    """It has no key that the schema does not name."""
    wrong = faults(documents)
    assert not wrong, "\n".join(wrong[:20])


def test_every_schema_has_a_name_a_file_and_an_example(documents):
    """The source, the folder and the output have the same ones."""
    named = named_in_source() - NO_JSON
    files = {f"tourney.{path.stem[::-1].replace('-', '/', 1)[::-1]}" for path in FOLDER.glob("*.json")}
    assert files == named
    assert set(documents) == named


@with_rows("path", sorted(FOLDER.glob("*.json")))
def test_a_schema_is_valid(path):
    """In its own dialect, and it has a description."""
    schema = json.loads(path.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    assert (schema["$schema"], path_of(schema["title"])) == (DIALECT, path)
    assert schema["description"]


@with_rows("path", sorted(FOLDER.glob("*.json")))
def test_every_key_has_a_description(path):
    """In docstrings of views for `event.json`, elsewhere in the schema.

    Keys that are data need none.
    """

    def silent(schema, where):
        if isinstance(schema, list):
            return [path for part in schema for path in silent(part, where)]
        if not isinstance(schema, dict):
            return []
        paths = [
            path
            for key, part in schema.items()
            if key not in {"properties", "additionalProperties"}
            for path in silent(part, where)
        ]
        for name, part in schema.get("properties", {}).items():
            paths += [] if part.get("description") else [f"{where}.{name}"]
            paths += silent(part, f"{where}.{name}")
        return paths

    assert silent(json.loads(path.read_text(encoding="utf-8")), path.stem) == []


def test_a_wrong_value_is_found():
    """A wrong type, a missing key, an unknown key, a schema without a file."""
    true = {"schema": "tourney.completion/1", "shell": "bash", "source": "x"}
    for lie in (
        {**true, "shell": 3},
        {"schema": true["schema"]},
        {**true, "more": 1},
        {"schema": "tourney.no-such/1"},
    ):
        assert faults({lie["schema"]: [("a lie", lie)]})
    assert not faults({true["schema"]: [("the truth", true)]})


def test_generated_schemas_are_up_to_date():
    """`python -m scripts.reference` writes them."""
    for path, text in schema_files().items():
        assert path.read_text(encoding="utf-8") == text, path.name


@pytest.mark.long
def test_every_transcript_with_json_agrees_with_its_schema(tmp_path, monkeypatch):
    """Every command of every transcript is run with `--json`."""
    documents, play = defaultdict(list), transcript._run

    def run(step, number, folder):
        head, mark, tail = step.command.partition(" < ")
        json_step = transcript.Step(f"{head} --json{mark}{tail}", step.stdin)
        plain = "--json" in head or transcript.SLIPS in step.command
        answer = play(step if plain else json_step, number, folder)
        if answer.exit_code == 2:
            return play(step, number, folder)
        if answer.stdout.startswith("{") and "schema" in (value := json.loads(answer.stdout)):
            documents[value["schema"]].append((step.command, value))
        return answer

    monkeypatch.setattr(transcript, "_run", run)
    for number, path in enumerate(sorted((ROOT / "tests").glob("*/**/*.txt"))):
        text = path.read_text(encoding="utf-8")
        if "\n=== session\n" in text:
            (folder := tmp_path / str(number)).mkdir()
            transcript.Transcript.read(text).play(folder)
    assert len(documents) > 40
    wrong = faults(documents)
    assert not wrong, "\n".join(wrong[:20])
