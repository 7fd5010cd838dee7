"""Accessibility rules, checked by axe-core on a page that a browser shows."""

from importlib.util import find_spec
from pathlib import Path

import pytest

_RUN = """(options) => axe.run({resultTypes: ["violations"], ...options}).then((found) => [
  found.passes.length,
  found.violations.map((each) => [each.id, each.nodes.map((node) => node.html.slice(0, 120))]),
])"""
"""Only violations are reported node by node: a long page has thousands of nodes that pass."""

_COLORS = {"runOnly": {"type": "tag", "values": ["cat.color"]}}
"""The rules that depend on the colors of a page."""


def faults_of(page, *, dark=False):
    """Return the rules that a page breaks, each with its nodes; with `dark`, the rules of color in dark colors, too."""
    found = find_spec("axe_playwright_python")
    if found is None:
        pytest.skip("axe-playwright-python is not installed: accessibility was not checked")
    if not page.evaluate("'axe' in window"):
        page.evaluate(Path(found.origin).with_name("axe.min.js").read_text(encoding="utf-8"))
    passed, violations = page.evaluate(_RUN, {})
    assert passed, page.url
    if dark:
        page.emulate_media(color_scheme="dark")
        violations += page.evaluate(_RUN, _COLORS)[1]
        page.emulate_media(color_scheme="light")
    return violations
