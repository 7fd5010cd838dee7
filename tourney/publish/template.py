"""The HTML templates of this room: found in `templates/`, everything put into them is escaped."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment


def fill(name: str, /, **facts: Any) -> bytes:
    """Return template `name` filled with `facts`; a fact the template misses is a bug and raises."""
    return _environment().get_template(name).render(**facts).encode()


def source(name: str) -> bytes:
    """Return a file of the templates folder as it is (style sheet, script)."""
    loader = _environment().loader
    assert loader is not None
    return loader.get_source(_environment(), name)[0].encode()


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("tourney.publish"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
