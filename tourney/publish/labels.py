"""The words that pages, sheets and posts say themselves: English (`labels/en.toml`), or another language laid over it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache, cached_property
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

    def said(self, text: str, *, ours: bool = True) -> str:
        """Return what the event says in words (`drop`, `won 2–1`, `Round 3`) as these labels say it; else as it is.

        A key of `[words]` with `{…}` says every text that is like it, and what stands in the braces is said in turn.
        ours: false for a text that may be the game's or the organizer's own, in which an `and` or a `by` makes no phrase of
        these labels: there a key of one word besides its braces says only what has a single word in each of them, and a number
        or one that these labels know among them.
        """
        if (word := self._texts["words"].get(text)) is not None:
            return str(word)
        for like, told, connects in self._phrases:
            if found := like.fullmatch(text):
                parts = found.groupdict()
                if not ours and connects and not self._sure(parts.values()):
                    continue
                return told.format(**{name: self.said(part, ours=ours) for name, part in parts.items()})
        return text

    def facts(self, text: str) -> str:
        """Return what this program says of a match, fact for fact: `2 players, one game, draws count`."""
        return ", ".join(self.said(each) for each in text.split(", "))

    def _sure(self, parts: Collection[str]) -> bool:
        """Whether what stands in the braces of a phrase makes it one of these labels, and no words between others."""
        known = (any(map(str.isdigit, part)) or part in self._texts["words"] for part in parts)
        return not any(" " in part for part in parts) and any(known)

    def reason(self, line: str, names: Collection[str] = ()) -> str:
        """Return a line of an explanation with its clauses, or the pieces of them, as these labels have them.

        A key of `[reasons]` with `{…}` says every clause that is like it (`beat {name}`), so that words may stand in the order
        of another language. names: those in which something is that is not to be told otherwise, as `pieces_in` finds them
        """
        if not self._clauses and (
            self._pieces is None or not any(piece in line for piece in self._pieces[1])
        ):
            return line
        held: list[str] = []

        def hold(text: str) -> str:
            held.append(text)
            return chr(_PRIVATE + len(held) - 1)

        for name in sorted(names, key=len, reverse=True):
            if name in line:
                line = line.replace(name, hold(name))
        parts = _BETWEEN_CLAUSES.split(line)
        parts[::2] = [hold(said) if (said := self._clause(part)) else part for part in parts[::2]]
        line = "".join(parts)
        if self._pieces is not None:
            pattern, pieces = self._pieces
            line = pattern.sub(lambda found: pieces[found[0]], line)
        for place in reversed(range(len(held))):  # names are in clauses, never the other way
            line = line.replace(chr(_PRIVATE + place), held[place])
        return line

    def _clause(self, text: str) -> str:
        """Return a clause as these labels have it whole; empty where they do not."""
        for like, told in self._clauses:
            if found := like.fullmatch(text):
                return told.format(**found.groupdict())
        return ""

    def pieces_in(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the names in which something is that an explanation would be told otherwise."""
        pattern = self._pieces[0] if self._pieces is not None else None
        return tuple(
            name
            for name in names
            if _BETWEEN_CLAUSES.search(name) or (pattern is not None and pattern.search(name))
        )

    @cached_property
    def _clauses(self) -> list[tuple[re.Pattern[str], str]]:
        """The clauses of explanations that are told otherwise, those first of which most is given."""
        told = {key: said for key, said in self._texts["reasons"].items() if "{" in key and said != key}
        keys = sorted(told, key=lambda key: -len(_FILLED.sub("", key)))
        return [(re.compile(_like(key), re.DOTALL), told[key]) for key in keys]

    @cached_property
    def _pieces(self) -> tuple[re.Pattern[str], dict[str, str]] | None:
        """What finds the pieces of explanations that are called otherwise, and what they are called; None where nothing is."""
        texts = {**self._texts["words"], **self._texts["reasons"]}
        pieces = {key: told for key, told in texts.items() if "{" not in key and told != key}
        if not pieces:
            return None
        longest = sorted(pieces, key=lambda key: (-len(key), key))
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)"), pieces

    @cached_property
    def _phrases(self) -> list[tuple[re.Pattern[str], str, bool]]:
        """The keys with `{…}` that are said otherwise, those first of which most is given; and whether they only connect."""
        words = {key: told for key, told in self._texts["words"].items() if "{" in key and told != key}
        keys = sorted(words, key=lambda key: (-len(_FILLED.sub("", key)), -key.count("{"), key))
        return [
            (re.compile(_like(key), re.DOTALL), words[key], len(_FILLED.sub(" ", key).split()) < 2)
            for key in keys
        ]


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
        if key in {"words", "reasons"}:
            texts = [*value.values()] if isinstance(value, dict) else [None]
            known: set[str] = set()
            if isinstance(value, dict) and all(isinstance(each, str) for each in texts):
                _look_at_words(value, source, key)
                continue
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
    tables = {key: {**english[key], **given.get(key, {})} for key in ("words", "reasons")}
    return Labels({**english, **given, **tables})


_BETWEEN_CLAUSES = re.compile(r"(: |, | = |\s*\(|\))")
"""What stands between the clauses of an explanation."""

_PRIVATE = 0xE000
"""Letters that nobody's name has (`tourney.event.names`), which stand for what is not to be told otherwise."""

_FILLED = re.compile(r"\{(\w*)\}")


def _look_at_words(words: Mapping[str, str], source: str, table: str) -> None:
    """Raise TourneyError for a phrase that is told with a `{…}` which its key does not have."""
    for key, told in words.items():
        names = _FILLED.findall(key)
        strange = (set(_FILLED.findall(told)) - set(names)) | (set("{}") & set(_FILLED.sub("", told)))
        if strange or len(names) != len(set(names)) or not all(each.isidentifier() for each in names):
            raise TourneyError(
                f"{source}: `{key}` under [{table}] cannot be filled in: {', '.join(sorted(strange)) or key}",
                "what stands in braces is as in labels/en.toml",
            )


def _like(key: str) -> str:
    """Return the expression of the texts that a phrase says: `won {score}` is like `won 2–1`."""
    parts = re.split(r"\{(\w+)\}", key)
    return "".join(f"(?P<{part}>.+?)" if place % 2 else re.escape(part) for place, part in enumerate(parts))


@cache
def _english() -> dict[str, Any]:
    text = get_data("tourney.publish", "labels/en.toml")
    assert text is not None
    return parse_toml(text.decode(), source="labels/en.toml")
