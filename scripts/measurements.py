"""Measure the source: size, import cycles, journeys, English and test times.

`scripts/measure` prints one section for each; `scripts/measure house english` prints those two; `--json`
prints the figures as one object. A figure is a compass: nothing fails here. `tests/test_ratchet.py` holds
the figures that may only fall.
"""

from __future__ import annotations

import ast
import collections
import functools
import io
import json
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import rustworkx

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "tourney"
PLAIN_SUFFIXES = {".html", ".css", ".js", ".toml", ".md", ".json", ".svg", ".txt", ".po"}


def main() -> int:
    """Print the measurements named on the command line, or all that need no test run."""
    words = [word for word in sys.argv[1:] if word != "--json"]
    names = words or ["house", "journeys", "english"]
    unknown = [name for name in names if name not in MEASUREMENTS and not name.endswith(".xml")]
    if unknown:
        sys.exit(
            f"error: unknown measurement `{unknown[0]}`; choose from "
            f"{', '.join(MEASUREMENTS)} or a junit.xml file"
        )
    figures = {
        name: MEASUREMENTS[name]() if name in MEASUREMENTS else test_times(Path(name)) for name in names
    }
    if "--json" in sys.argv:
        print(json.dumps(figures, indent=1))
    else:
        for name, figure in figures.items():
            _show(name, figure)
    return 0


# -- the house -----------------------------------------------------------------------------------------------


def modules() -> list[Path]:
    """Return every Python module of the package."""
    return sorted(SOURCE.rglob("*.py"))


@functools.cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def nodes_of(path: Path) -> list[ast.AST]:
    """Return every node of a module's syntax tree."""
    return list(ast.walk(parsed(path)))


def statements_in(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield every statement inside a node of a syntax tree, at any depth.

    A statement is never inside an expression, so this skips most nodes.
    """
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        if not isinstance(child, ast.expr):
            yield from statements_in(child)


def room_of(path: Path) -> str:
    """Return the room of a file: the folder below `tourney`, or `root`."""
    parts = path.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else "root"


def house() -> dict:
    """Count modules, lines, statements and inner imports by room, and import cycles.

    Lines of code are counted apart from other lines.
    """
    rooms: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    for path in modules():
        counts = rooms[room_of(path)]
        counts["modules"] += 1
        counts["code lines"] += len(_code_lines(path))
        counts["statements"] += sum(isinstance(node, ast.stmt) for node in nodes_of(path)) - len(
            _docstrings(path)
        )
        counts["inner imports"] += _inner_imports(path)
    for path in SOURCE.rglob("*"):
        if path.is_file() and path.suffix in PLAIN_SUFFIXES:
            rooms[room_of(path)]["other lines"] += len(path.read_text(encoding="utf-8").splitlines())
    total: collections.Counter = collections.Counter()
    for counts in rooms.values():
        total.update(counts)
    by_room = {name: dict(rooms[name]) for name in sorted(rooms, key=lambda name: -rooms[name]["code lines"])}
    return {
        "rooms": by_room | {"all": dict(total)},
        "cycles": cycles(),
        "JSON builders": json_builders(),
        "long lines": long_lines(),
        "inner names in tests": inner_names_in_tests(),
    }


def _inner_imports(path: Path) -> int:
    """Count the import statements inside functions."""
    functions = [node for node in nodes_of(path) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    inner = {
        id(node)
        for function in functions
        for node in statements_in(function)
        if isinstance(node, (ast.Import, ast.ImportFrom))
    }
    return len(inner)


@functools.cache
def _docstrings(path: Path) -> list[ast.Expr]:
    """Return the docstrings of a module, its classes, functions and attributes."""
    return [
        node
        for node in nodes_of(path)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]


@functools.cache
def _scan(path: Path) -> tuple[set[int], list[str]]:
    """Return the numbers of the lines with a token of code or a docstring, and the comments."""
    skipped = {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
    lines: set[int] = set()
    comments = []
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        if token.type == tokenize.COMMENT:
            comments.append(token.string)
        elif token.type not in skipped:
            lines.update(range(token.start[0], token.end[0] + 1))
    return lines, comments


def _code_lines(path: Path) -> set[int]:
    """Return the numbers of the lines that hold code.

    These are not blank lines, comments or docstrings.
    """
    documented = {
        line for node in _docstrings(path) for line in range(node.lineno, (node.end_lineno or 0) + 1)
    }
    return _scan(path)[0] - documented


def imports_of(path: Path, names: dict[str, Path]) -> set[str]:
    """Return the package's modules that a module imports: at its top, in functions, for typing."""
    here = _dotted(path)
    package = here if path.name == "__init__.py" else here.rpartition(".")[0]
    found: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join(
                    [*package.split(".")[: len(package.split(".")) - node.level + 1], *filter(None, [base])]
                )
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                found.add(whole if whole in names else base)
    return (found & names.keys()) - {here}


def cycles() -> list[list[str]]:
    """Return the groups of modules that import each other, largest first.

    Every kind of import counts.

    A group is a strongly connected component of the import graph with two or more modules.
    """
    names = {_dotted(path): path for path in modules()}
    graph: rustworkx.PyDiGraph = rustworkx.PyDiGraph()
    nodes = {name: graph.add_node(name) for name in names}
    for name, path in names.items():
        graph.add_edges_from_no_data([(nodes[name], nodes[target]) for target in imports_of(path, names)])
    groups = [
        sorted(graph[node] for node in group) for group in rustworkx.strongly_connected_components(graph)
    ]
    return sorted((group for group in groups if len(group) > 1), key=lambda group: (-len(group), group))


def _dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def json_builders() -> int:
    """Count the functions of the command line with a dict literal of two or more JSON keys."""
    return sum(
        any(
            isinstance(node, ast.Dict) and sum(isinstance(key, ast.Constant) for key in node.keys) > 1
            for node in ast.walk(function)
        )
        for path in (SOURCE / "cli").rglob("*.py")
        for function in nodes_of(path)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
    )


def long_lines() -> int:
    """Count the lines of more than 110 characters."""
    return sum(
        len(line) > 110 for path in modules() for line in path.read_text(encoding="utf-8").splitlines()
    )


def inner_names_in_tests() -> int:
    """Count the test lines that import inner names.

    These are names with an underscore, or names from below a room's package.
    """
    count = 0
    for path in (ROOT / "tests").rglob("*.py"):
        text = _LONG_TEXT.sub("", path.read_text(encoding="utf-8"))
        for module, names in _IMPORT.findall(text):
            count += module.count(".") > 1 or bool(re.search(r"\b_", names))
    return count


_LONG_TEXT = re.compile(r"(?s)(?:'''.*?'''|\"\"\".*?\"\"\")")
"""A docstring, or a program in a test."""

_IMPORT = re.compile(r"^ *from (tourney\.[.\w]+) import (\([^)]*\)|.*)", re.MULTILINE)
"""An import from a room, and the names. A search takes a tenth of the time of parsing all tests."""


# -- journeys ------------------------------------------------------------------------------------------------


def journeys() -> dict:
    """Count the package's modules, functions and lines that run in each of the four journeys."""
    return {name: _journey(name) for name in ("deck check", "result add", "round pair", "phone report")}


def _journey(name: str) -> dict:
    script = Path(__file__).with_name("journeys.py")
    done = subprocess.run(
        [sys.executable, script, name], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"error: the journey `{name}` failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


# -- English -------------------------------------------------------------------------------------------------

HABITS = {
    "told, tells": r"\b(?:told|tells)\b",
    "nobody, somebody, whoever": r"\b(?:nobody|somebody|whoever|whatever)\b",
    "is no, is none": r"\b(?:is|are|was) (?:no|none)\b",
    "where there is": r"\bwhere there (?:is|are)\b",
    "stands, stood": r"\b(?:stands?|stood)\b",
    "mend, put right": r"\b(?:mend(?:s|ed)?|puts? right)\b",
    "hangs on, rests on": r"\b(?:hangs? on|rests? on)\b",
    "held against": r"\b(?:held|holds?) against\b",
    "door, face": r"\b(?:doors?|faces?)\b",
    "taken back": r"\b(?:taken|takes?|took) back\b",
}

_BARE_NAME = re.compile(
    r"[a-z]*[^e]ed"
    r"|(?:un|over|mis)?(?:known|shown|seen|given|taken|written|chosen|broken|hidden|drawn)"
    r"|kept|left|met|made|held|told|said|found|meant|come|came|gone|done|had|late|due|own|each"
    r"|what|which|who|whose|where|when|how|why|also|again|here|same"
)
"""A name that is only a participle or a word that begins a clause: it does not say what it holds or does."""


def bare_names(path: Path) -> Iterator[str]:
    """Yield the names of functions, arguments and local values that are only a participle or a clause word.

    Fields are not examined: their names can be keys of JSON or of an entry.
    """
    fields = {
        id(statement.target)
        for node in nodes_of(path)
        if isinstance(node, ast.ClassDef)
        for statement in node.body
        if isinstance(statement, ast.AnnAssign)
    }
    for node in nodes_of(path):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            name = node.name
        elif isinstance(node, ast.arg):
            name = node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in fields:
            name = node.id
        else:
            continue
        words = name.strip("_").split("_")
        if len(words) == 1 and _BARE_NAME.fullmatch(words[0]):
            yield words[0]


def english() -> dict:
    """Count old habits of speech in prose and names, and long sentences and lines.

    Long lines are first lines and commit subjects.
    """
    prose: list[str] = []
    names: collections.Counter = collections.Counter()
    long_first_lines: list[str] = []
    for path in modules():
        prose += _scan(path)[1]
        for node in nodes_of(path):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                prose.append(node.value)
        names.update(bare_names(path))
        long_first_lines += [
            f"{path.relative_to(ROOT)}:{node.lineno}"
            for node in _docstrings(path)
            if len(str(node.value.value).split("\n")[0]) > 90  # type: ignore[attr-defined]
        ]
    for path in [*ROOT.glob("*.md"), *SOURCE.rglob("*.md"), *SOURCE.rglob("*.html"), *SOURCE.rglob("*.toml")]:
        prose.append(path.read_text(encoding="utf-8"))
    whole = "\n".join(prose)
    habits = {name: len(re.findall(pattern, whole, re.IGNORECASE)) for name, pattern in HABITS.items()}
    return {
        "habits": habits | {"all": sum(habits.values())},
        "bare names": dict(names.most_common(20)) | {"all": sum(names.values())},
        "words in a docstring's sentence": round(_sentence_length(), 1),
        "first lines over 90 characters": long_first_lines,
        "commit subjects over 72 characters": _long_subjects(),
    }


def _sentence_length() -> float:
    lengths = [
        len(sentence.split())
        for path in modules()
        for node in _docstrings(path)
        for sentence in re.split(r"(?<=[.!?])\s+|\n\n", str(node.value.value))  # type: ignore[attr-defined]
        if sentence.strip()
    ]
    return sum(lengths) / len(lengths)


def _long_subjects() -> str:
    """Return `long of all`, of the commits since the last tag."""
    tag = _git("describe", "--tags", "--abbrev=0")
    subjects = _git("log", "--format=%s", *([f"{tag}..HEAD"] if tag else [])).splitlines()
    return f"{sum(len(subject) > 72 for subject in subjects)} of {len(subjects)}"


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


# -- tests ---------------------------------------------------------------------------------------------------


def test_times(junit: Path) -> dict:
    """Add up the seconds of a report by folder, and list the slowest twenty tests.

    The report is from `pytest --junit-xml`.
    """
    from xml.etree import ElementTree  # our own report

    folders: collections.Counter = collections.Counter()
    counts: collections.Counter = collections.Counter()
    slowest = []
    for case in ElementTree.parse(junit).iter("testcase"):
        parts = (case.get("classname") or "").split(".")
        folder = parts[1] if len(parts) > 2 else "top"
        folders[folder] += float(case.get("time") or 0)
        counts[folder] += 1
        slowest.append((float(case.get("time") or 0), f"{case.get('classname')}::{case.get('name')}"))
    rows = {
        name: {"tests": counts[name], "seconds": round(seconds, 1)} for name, seconds in folders.most_common()
    }
    total = {"tests": counts.total(), "seconds": round(folders.total(), 1)}
    return {
        "folders": rows | {"all": total},
        "slowest": {name: round(time, 1) for time, name in sorted(slowest)[:-21:-1]},
    }


MEASUREMENTS = {"house": house, "journeys": journeys, "english": english}


def _show(name: str, figure: dict) -> None:
    print(f"\n== {name}")
    for key, value in figure.items():
        if isinstance(value, dict) and value and all(isinstance(row, dict) for row in value.values()):
            _table(key, value)
        elif isinstance(value, dict):
            print(f"{key}: " + ", ".join(f"{part} {count}" for part, count in value.items()))
        elif isinstance(value, list):
            print(f"{key}: {len(value)}")
            for row in value:
                print(f"  {row if isinstance(row, str) else ', '.join(row)}")
        else:
            print(f"{key}: {value}")


def _table(title: str, rows: dict[str, dict]) -> None:
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    print(f"{title:<12}" + "".join(f"{column:>15}" for column in columns))
    for name, row in rows.items():
        print(f"{name:<12}" + "".join(f"{row.get(column, 0):>15,}" for column in columns))


if __name__ == "__main__":
    sys.exit(main())
