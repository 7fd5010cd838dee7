"""Rules of the project that no linter checks: pure modules, and no traces of a workplace."""

import ast
import re
from importlib import import_module

from tests.kit import ROOT, with_rows

PURE = (
    "event",
    "forecast",
    "games",
    "decks",
    "pairing",
    "standings",
    "rules",
    "cards",
    "trf",
    "record",
    "wording",
    "publish",
)
FORBIDDEN_CALLS = {"open", "print", "input", "eval", "exec", "compile", "__import__"}
CLOCKS = {("datetime", "now"), ("datetime", "today"), ("date", "today"), ("datetime", "utcnow")}

MODULES = sorted((ROOT / "tourney").rglob("*.py"))


def name(path):
    return str(path.relative_to(ROOT))


def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def in_pure_room(path):
    return path.relative_to(ROOT / "tourney").parts[0].removesuffix(".py") in PURE


def impurities(module):
    for node in ast.walk(module):
        if isinstance(node, ast.Call):
            function = node.func
            if isinstance(function, ast.Name) and function.id in FORBIDDEN_CALLS:
                yield f"line {node.lineno}: {function.id}()"
            elif clock(function) in CLOCKS:
                yield f"line {node.lineno}: {'.'.join(clock(function))}()"


def clock(function):
    """Return `datetime.now` as ("datetime", "now")."""
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return function.value.id, function.attr
    return None


SUSPECT = re.compile(
    rf"(?<![.\w])(?:{'|'.join(FORBIDDEN_CALLS)})\s*\(|\b(?:datetime|date)\s*\.\s*(?:now|today|utcnow)\b"
)
"""What a module that is not pure contains somewhere. Parsing all modules takes longer than a search."""


@with_rows("path", [path for path in MODULES if in_pure_room(path)])
def test_a_pure_module_uses_neither_files_nor_clock(path):
    """From `event` down, no builtin touches the machine, and no code is built from text."""
    if SUSPECT.search(path.read_text(encoding="utf-8")):
        assert list(impurities(tree(path))) == []


def test_no_file_contains_a_path_of_a_workplace():
    """The project speaks of itself alone: no absolute paths of a workplace stand in it."""
    suffixes = {".py", ".md", ".toml", ".html", ".css", ".js", ".jsonl", ""}
    folders = ("tourney", "tests", "scripts", "cardpools", "banlists", ".ci")
    files = [
        path
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix in suffixes
    ]
    words = ["/" + word + "/" for word in ("work", "root")]
    named = [
        name(path)
        for path in files
        if any(word in path.read_text(encoding="utf-8", errors="replace") for word in words)
    ]
    assert named == []


MAPS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "tourney").rglob("*.md"))]


@with_rows("path", MAPS)
def test_paths_in_documentation_exist(path):
    """From the top, from `tourney/` or from the folder of the page."""
    text = path.read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:\w+/)*\w+\.py)\b|`((?:tourney|tests|scripts)/[\w/.-]+)`", text))
    places = (ROOT, ROOT / "tourney", path.parent)
    lost = [
        file or folder
        for file, folder in named
        if not any((place / (file or folder)).exists() for place in places)
    ]
    assert not lost, f"{name(path)} points to what is not there: {', '.join(sorted(lost))}"


def test_public_class_names_are_unique():
    """So a class is found by its name."""
    homes = {}
    for path in MODULES:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if (match := re.match(r"class (\w+)", line)) and not match[1].startswith("_"):
                homes.setdefault(match[1], []).append(f"{name(path)}:{number}")
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


LAZY = [
    path
    for path in MODULES
    if path.name == "__init__.py" and "lazy_names(" in path.read_text(encoding="utf-8")
]


@with_rows("path", LAZY)
def test_a_package_has_the_names_that_it_imports_lazily(path):
    """They are those of its block `if TYPE_CHECKING`, and each is the one of its module."""
    package = ".".join(path.relative_to(ROOT).parts[:-1])
    [block, _] = [node for node in tree(path).body if isinstance(node, ast.If)]
    lazy = {(node.module, alias.name) for node in block.body for alias in node.names}
    for module, name in lazy:
        assert getattr(import_module(package), name) is getattr(import_module(module), name), name
    modules = {module.stem for module in path.parent.iterdir()}
    assert not {name for _, name in lazy} & modules, "an import of the module would hide the name"
