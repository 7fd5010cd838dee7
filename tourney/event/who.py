"""Who is meant: players by name, unambiguous prefix or `#7`; and what may be a name at all."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from tourney.cards.names import FoldedName, NearNames, fold
from tourney.errors import TourneyError
from tourney.event.state import Player
from tourney.record import PlayerId

LONGEST_NAME = 100
"""Characters in a name: more do not fit on a slip."""

_NUMBER = re.compile(r"#\s*(\d{1,9})")


def clean_name(text: str, *, what: str = "name", longest: int = LONGEST_NAME) -> str:
    """Return a name as it is kept: composed letters, single spaces.

    Raises TourneyError for nothing, for more than `longest` characters, and for characters that cannot be seen or
    that turn the text around them (control characters, line ends, right-to-left overrides).

    >>> clean_name("  Mira   Oake ")
    'Mira Oake'
    """
    article = "an" if what[0] in "aeiou" else "a"
    name = re.sub(r"[ \t\u00a0\u3000]+", " ", unicodedata.normalize("NFC", text)).strip()
    if not name or not fold(name):
        raise TourneyError(f"{article} {what} needs at least one letter")
    if _NUMBER.fullmatch(name):
        raise TourneyError(f"`{name}` means a player's number, so it cannot be {article} {what}")
    if what == "name" and name.casefold() == "bye":
        raise TourneyError("`bye` means that nobody sits opposite, so it cannot be a name")
    if len(name) > longest:
        raise TourneyError(
            f"{article} {what} may have {longest} characters, this one has {len(name)}: {name[:20]}…"
        )
    for place, letter in enumerate(name, 1):
        if _unseen(letter):
            raise TourneyError(
                f"{article} {what} may not hold U+{ord(letter):04X} ({_called(letter)}), character {place} of {_printable(name)}"
            )
    return name


def _unseen(letter: str) -> bool:
    # Joiners shape letters in several scripts and are harmless; every other format character is a trap.
    return (
        unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} and letter not in "\u200c\u200d"
    )


def _called(letter: str) -> str:
    return "a line end" if letter in "\r\n" else unicodedata.name(letter, "a control character").lower()


def _printable(name: str) -> str:
    return "`" + "".join("·" if _unseen(letter) else letter for letter in name) + "`"


Names = Mapping[FoldedName, PlayerId]
"""Folded name → player: made once where many names are looked up."""


def folded_names(players: Mapping[PlayerId, Player]) -> Names:
    """Return the index by which `find` looks names up."""
    return {fold(player.name): player.id for player in players.values()}


def find(players: Mapping[PlayerId, Player], text: str | int, names: Names | None = None) -> PlayerId:
    """Return the player meant by `text`: `#7`, an id, a whole name, or the beginning of exactly one.

    A whole name beats a beginning; case, accents, width, quotes and extra spaces do not matter.
    Raises TourneyError with "did you mean" for a near miss, and with the candidates where several begin so.
    """
    if isinstance(text, int) or _NUMBER.fullmatch(text.strip()):
        return _by_number(players, text)
    wanted = fold(text)
    if not wanted:
        raise TourneyError("no player was named")
    names = folded_names(players) if names is None else names
    if wanted in names:
        return names[wanted]
    begun = [player for name, player in names.items() if name.startswith(wanted)]
    begun = begun or [player for name, player in names.items() if f" {wanted}" in name]
    if len(begun) == 1:
        return begun[0]
    if begun:
        said = _either(players[each] for each in begun)
        raise TourneyError(f"`{text}` may be {said}", "type more of the name, or the number")
    near = _near(players, text)
    asked = f"; did you mean {_either(near)}?" if near else ""
    raise TourneyError(f"there is no player `{text}`{asked}", "`tourney player list` shows all")


def _by_number(players: Mapping[PlayerId, Player], text: str | int) -> PlayerId:
    number = PlayerId(text if isinstance(text, int) else int(text.strip().lstrip("#")))
    if number not in players:
        last = max(players, default=0)
        raise TourneyError(
            f"there is no player #{number}",
            f"numbers go up to #{last}" if last else "nobody is registered yet",
        )
    return number


def _either(players: Iterable[Player]) -> str:
    said = [f"{player.name} (#{player.id})" for player in players]
    shown = said[:5] + ([f"{len(said) - 5} more"] if len(said) > 5 else [])
    return " or ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def _near(players: Mapping[PlayerId, Player], text: str) -> list[Player]:
    """Return up to three players whose name, or a word of it, `text` may be a slip for."""
    by_word = {word: player for player in players.values() for word in player.name.split() if len(word) > 2}
    by_word |= {player.name: player for player in players.values()}
    near = NearNames(by_word).near(text)
    return list({by_word[name].id: by_word[name] for name in near}.values())


def clash(players: Mapping[PlayerId, Player], name: str) -> Player | None:
    """Return the player who has this name already, whatever the case and the accents; None if nobody has."""
    wanted = fold(name)
    return next((player for player in players.values() if fold(player.name) == wanted), None)
