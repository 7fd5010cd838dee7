"""A new ban list as a file to be looked at: complete, made from the one in force."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import tomli_w

from tourney.cards import open_pool
from tourney.cards.names import fold
from tourney.door import parse_toml
from tourney.errors import TourneyError
from tourney.store.data import Library

_COUNTED = re.compile(r"(?P<copies>\d{1,3})\s*[x×]?\s+(?P<name>\S.*)\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Draft:
    """A list `name` (`game/list`) for a day.

    changes: card → copies allowed; free: cards to be taken off; pasted: lines of names (`Card` bans, `1 Card`
    restricts), instead of what the list in force says of cards
    """

    name: str
    day: date
    changes: Mapping[str, int] = field(default_factory=dict)
    free: Sequence[str] = ()
    pasted: str = ""
    source: str = ""

    def text(self, library: Library) -> str:
        """Return the file's text. Raises TourneyError for names that are no cards of a complete pool.

        What the list in force says besides cards (points, groups, conditions) is kept.
        """
        before = library.find_banlist(self.name, self.day)
        said: dict[str, Any] = parse_toml(before.text, source=before.source) if before else {}
        said.pop("announced", None)  # of the old list; the new one's is not known here
        cards = dict(pasted_cards(self.pasted)) if self.pasted.strip() else dict(said.get("cards", {}))
        cards = self._changed(library, cards)
        if self.source:
            said["source"] = self.source
        said["cards"] = dict(sorted(cards.items(), key=lambda each: (each[1], fold(each[0]))))
        said.setdefault("source", "")
        plain_first = sorted(said, key=lambda key: isinstance(said[key], dict | list))
        head = f"# {self.name}, in force from {self.day}: 0 is banned, 1 is one copy.\n"
        return head + tomli_w.dumps({key: said[key] for key in plain_first})

    def _changed(self, library: Library, cards: dict[str, int]) -> dict[str, int]:
        game = self.name.partition("/")[0]
        pool = library.pool(game) if game in library.pools() else open_pool(game)
        written = {fold(name): name for name in cards}
        for name, copies in self.changes.items():
            card = pool.find(name)
            if card is None and pool.complete:
                near = pool.near(name, limit=1)
                asked = f"; did you mean `{near[0]}`?" if near else ""
                raise TourneyError(f"`{name}` is no card of {game}{asked}")
            cards[written.get(fold(name), card.name if card else name)] = copies
        for name in self.free:
            if fold(name) not in written:
                raise TourneyError(f"`{name}` is not on the list {self.name}")
            cards.pop(written[fold(name)])
        return cards


def pasted_cards(text: str) -> Iterator[tuple[str, int]]:
    r"""Read names as they are pasted: `Card` is banned, `1 Card` restricted to one copy; `#` starts a comment.

    >>> dict(pasted_cards("- Ant\n1x Bee\n\n# a comment\n24/7 News Cycle"))
    {'Ant': 0, 'Bee': 1, '24/7 News Cycle': 0}
    """
    for line in text.splitlines():
        plain = line.strip().lstrip("-*•").strip()
        if plain and not plain.startswith("#"):
            counted = _COUNTED.match(plain)
            yield (counted["name"], int(counted["copies"])) if counted else (plain, 0)
