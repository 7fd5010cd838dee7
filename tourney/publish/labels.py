"""The words that pages, sheets and posts say themselves: English (`labels/en.toml`), or another language laid over it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pkgutil import get_data
from typing import Any

from tourney.decode import parse_toml
from tourney.errors import TourneyError


class Labels:
    """The words by their keys in `labels/en.toml`; a template calls it `t`."""

    def __init__(self, texts: Mapping[str, Any]) -> None:
        self._texts = texts

    def __getitem__(self, key: str) -> str:
        return self(key)

    def __call__(self, key: str, n: int | None = None, **facts: object) -> str:
        """Return a text, filled in. n: how many, where one thing is said otherwise than several."""
        text = self._texts[key]
        if isinstance(text, list):
            text = text[0] if n == 1 else text[-1]
        return str(text).format(n=n, **facts)

    def of_points(self, points: str) -> str:
        """Return points as they are counted: `1 point`, `4½ points`."""
        return self("points_count", 1 if points in {"1", "½"} else 2, points=points)

    def said(self, text: str) -> str:
        """Return a word of the event (`drop`, `bye`) as these labels say it; others as they are."""
        return str(self._texts["words"].get(text, text))


def english() -> Labels:
    """Return the words as they are."""
    return Labels(_english())


def read_labels(text: str, *, source: str) -> Labels:
    """Return labels in another language: a copy of `labels/en.toml`, in which what is missing stays English.

    Raises TourneyError for a key or a `{…}` that there is not, and for what is no text.
    """
    given, english = parse_toml(text, source=source), _english()
    for key, value in given.items():
        if key not in english:
            raise TourneyError(
                f"{source}: there is no label `{key}`", "the labels are those of labels/en.toml"
            )
        texts: list[Any]
        if key == "words":
            texts = [*value.values()] if isinstance(value, dict) else [None]
            known: set[str] = set()
        else:
            texts = value if isinstance(value, list) and isinstance(english[key], list) else [value]
            known = set(_FILLED.findall("".join(english[key])))
        if not texts or not all(isinstance(each, str) for each in texts):
            raise TourneyError(f"{source}: `{key}` is not a text as it is in labels/en.toml")
        for each in texts:
            strange = (set(_FILLED.findall(each)) - known) | (set("{}") & set(_FILLED.sub("", each)))
            if strange:
                raise TourneyError(
                    f"{source}: `{key}` cannot be filled in: {', '.join(sorted(strange))}",
                    "what stands in braces is as in labels/en.toml",
                )
    return Labels({**english, **given, "words": {**english["words"], **given.get("words", {})}})


_FILLED = re.compile(r"\{(\w*)\}")


@cache
def _english() -> dict[str, Any]:
    text = get_data("tourney.publish", "labels/en.toml")
    assert text is not None
    return parse_toml(text.decode(), source="labels/en.toml")
