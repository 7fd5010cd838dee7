"""Accessibility rules, checked by axe-core on a page in a browser."""

from importlib.util import find_spec
from pathlib import Path

import pytest

_RUN = """(options) => axe.run({resultTypes: ["violations"], ...options}).then((found) => [
  found.passes.length,
  found.violations.map((each) => [each.id, each.nodes.map((node) => node.html.slice(0, 120))]),
])"""
"""Only violations are reported node by node: a long page has thousands of nodes that pass."""

_RULES_OF_COLOR = ("color-contrast", "link-in-text-block")
"""The rules that depend on the colors of a page. They take most of the time on a long page."""

_COLORS = {"runOnly": {"type": "rule", "values": _RULES_OF_COLOR}}
_NOT_COLORS = {"rules": {rule: {"enabled": False} for rule in _RULES_OF_COLOR}}


def faults_of(page, *, colors=("light",)):
    """Return the rules that a page breaks, with their nodes.

    colors: the color schemes in which the rules about color are checked. These take two thirds of the time,
            so an ordinary run checks them on one page with each style.
    """
    spec = find_spec("axe_playwright_python")
    if spec is None or spec.origin is None:
        pytest.skip("axe-playwright-python is not installed: accessibility was not checked")
    if not page.evaluate("'axe' in window"):
        page.evaluate(Path(spec.origin).with_name("axe.min.js").read_text(encoding="utf-8"))
    if colors:
        page.emulate_media(color_scheme=colors[0])
    passed, violations = page.evaluate(_RUN, {} if colors else _NOT_COLORS)
    assert passed, page.url
    for scheme in colors[1:]:
        page.emulate_media(color_scheme=scheme)
        violations += page.evaluate(_RUN, _COLORS)[1]
    return violations
