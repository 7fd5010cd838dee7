"""A new format file to fill in, from the templates `new_format.toml` and `new_overlay.toml`."""

from __future__ import annotations

from pkgutil import get_data
from string import Template


def scaffold(format_id: str, *, name: str = "", extends: str = "") -> str:
    """Return the text of a new format file, which is valid at once.

    extends: the format of which it is an overlay; empty for a whole format
    """
    data = get_data("tourney.rules", "new_overlay.toml" if extends else "new_format.toml")
    assert data is not None, "the templates are part of the package"
    game = format_id.partition("/")[0]
    return Template(data.decode()).substitute(
        id=format_id, name=name or format_id, game=game, extends=extends
    )
