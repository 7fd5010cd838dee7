"""Views become pages, sheets and files: `render(view) -> {path: bytes}`. Pure: nothing is written here."""

from tourney.publish.folder import FORMS, render

__all__ = ["FORMS", "render"]
