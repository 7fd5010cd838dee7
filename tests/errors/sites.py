"""Every place in the source that refuses, with a pattern of its message."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

from tests.kit import ROOT


class Site(NamedTuple):
    """A `TourneyError(...)` in the source, with its place and a pattern that fits its message."""

    place: str
    pattern: re.Pattern[str]
    shown: str


def sites(*rooms: str) -> list[Site]:
    """Return the refusals of folders or files under `tourney/` whose message has fixed parts."""
    refusals = []
    for room in rooms:
        path = ROOT / "tourney" / room
        for module in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            refusals += _sites(module)
    return refusals


def _sites(module: Path) -> list[Site]:
    text = module.read_text(encoding="utf-8")
    if "Error(" not in text:
        return []
    tree = ast.parse(text)
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"TourneyError", "DamagedSecretError"}
        and node.args
    ]
    refusals = []
    for call in calls:
        fixed = _fixed(call.args[0])
        if sum(len(part) for part in fixed if part) > 6:
            place = f"{module.relative_to(ROOT / 'tourney').as_posix()}:{call.lineno}"
            # A search for `.*` first would try the whole of every line.
            within = fixed[next(at for at, part in enumerate(fixed) if part) :]
            pattern = "".join(".*" if part is None else re.escape(part) for part in within)
            refusals.append(
                Site(place, re.compile(pattern), "".join("…" if part is None else part for part in fixed))
            )
    return refusals


def _fixed(node: ast.expr) -> list[str | None]:
    """Return the fixed parts of a message, with None for each value that is filled in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        return [str(part.value) if isinstance(part, ast.Constant) else None for part in node.values]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _fixed(node.left) + _fixed(node.right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Message":
        return _fixed_of_msgid(node.args[0])
    return [None]


def _fixed_of_msgid(node: ast.expr) -> list[str | None]:
    """Return the fixed parts of a msgid, whose arguments are in braces."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return [None]
    return [None if part.startswith("{") else part for part in re.split(r"(\{\w+\})", node.value)]


def without_example(text: str, *rooms: str) -> list[Site]:
    """Return the refusals of these folders or files that no line of a text fits."""
    return [site for site in sites(*rooms) if not site.pattern.search(text)]
