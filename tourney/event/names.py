"""Names of players: valid ones, the player that a text means, near-equal ones, and names on pages."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

from tourney.cards.names import FoldedName, NearNames, fold, one_letter_apart, similar_pairs
from tourney.errors import TourneyError
from tourney.event.ops import Ref
from tourney.event.state import Player, State
from tourney.record import PlayerId
from tourney.wording import isolate_direction, listed

# -- valid names


LONGEST_NAME = 100
"""Characters in a name: more do not fit on a slip."""


def clean_name(text: str, *, what: str = "name", longest: int = LONGEST_NAME) -> str:
    """Return a name as it is kept: composed letters, single spaces.

    Raises TourneyError for an empty name, one of more than `longest` characters, and characters that are
    invisible or turn the text around them (control characters, line ends, right-to-left overrides).

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
            f"{article} {what} may have at most {longest} characters, this one has {len(name)}: {name[:20]}…"
        )
    for place, letter in enumerate(name, 1):
        if _is_unseen(letter):
            raise TourneyError(
                f"{article} {what} cannot contain U+{ord(letter):04X} ({_called(letter)}), character {place} of {_printable(name)}"
            )
    return name


def _is_unseen(letter: str) -> bool:
    # Joiners shape letters in several scripts and are harmless; every other format character is a trap.
    return (
        unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} and letter not in "\u200c\u200d"
    )


def _called(letter: str) -> str:
    return "a line end" if letter in "\r\n" else unicodedata.name(letter, "a control character").lower()


def _printable(name: str) -> str:
    return "`" + "".join("·" if _is_unseen(letter) else letter for letter in name) + "`"


# -- the player that a text means


_NUMBER = re.compile(r"#\s*(\d{1,9})")


_BARE_NUMBER = re.compile(r"[0-9]{1,9}")


NumbersByName = Mapping[FoldedName, PlayerId]
"""Folded name → player, to look up many names."""


def folded_names(players: Mapping[PlayerId, Player]) -> NumbersByName:
    """Return the index of names for `find`."""
    return {fold(player.name): player.id for player in players.values()}


def find(
    players: Mapping[PlayerId, Player],
    text: str | int,
    names: NumbersByName | None = None,
    *,
    bare: bool = True,
    shown_by: str = "tourney player list",
) -> PlayerId:
    """Return the player meant by `text`: `#7`, `7`, an id, a whole name, or the beginning of exactly one.

    A whole name takes precedence over a number, and a number over a beginning (`also_meant` names the
    alternative). Case, accents, width, quotes and extra spaces are ignored. Raises TourneyError with "did you
    mean" for a near miss, and with the candidates for an ambiguous beginning.

    names: the index, if the caller has it
    bare:  whether `7` is a number without its sign
    shown_by: the command that lists the players
    """
    if isinstance(text, int) or _NUMBER.fullmatch(text.strip()):
        return _by_number(players, text)
    folded = fold(text)
    if not folded:
        raise TourneyError("no player was named")
    names = folded_names(players) if names is None else names
    if folded in names:
        return names[folded]
    numbered = bare and _BARE_NUMBER.fullmatch(folded) is not None
    if numbered and PlayerId(int(folded)) in players:
        return PlayerId(int(folded))
    begun = [player for name, player in names.items() if name.startswith(folded)]
    begun = begun or [player for name, player in names.items() if f" {folded}" in name]
    if len(begun) == 1:
        return begun[0]
    if begun:
        candidates = _either(players[player] for player in begun)
        raise TourneyError(f"`{text}` may be {candidates}", "type more of the name, or the number")
    if numbered:
        return _by_number(players, folded)
    _refuse_several(players, text, names, bare=bare)
    near = _near(players, text)
    question = f"; did you mean {_either(near)}?" if near else ""
    raise TourneyError(f"there is no player `{text}`{question}", f"`{shown_by}` shows all")


def _by_number(players: Mapping[PlayerId, Player], text: str | int) -> PlayerId:
    number = PlayerId(text if isinstance(text, int) else int(text.strip().lstrip("#")))
    if number not in players:
        last = max(players, default=0)
        raise TourneyError(
            f"there is no player #{number}",
            f"numbers go up to #{last}" if last else "nobody is registered yet",
        )
    return number


def _refuse_several(
    players: Mapping[PlayerId, Player], text: str, names: NumbersByName, *, bare: bool
) -> None:
    """Refuse `Ada,Ben` if both are players, with the way to type several."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) < 2:
        return
    try:
        for part in parts:
            find(players, part, names, bare=bare)
    except TourneyError:
        return
    raise TourneyError(
        f"`{text}` is more than one player", "a name each, without commas; an option is said once for each"
    )


def _near(players: Mapping[PlayerId, Player], text: str) -> list[Player]:
    """Return up to three players whose name, or a word of it, is near `text`."""
    by_word = {word: player for player in players.values() for word in player.name.split() if len(word) > 2}
    by_word |= {player.name: player for player in players.values()}
    near = NearNames(by_word).near(text)
    return list({by_word[name].id: by_word[name] for name in near}.values())


def _either(players: Iterable[Player]) -> str:
    named = [f"{player.name} (#{player.id})" for player in players]
    more = [f"{len(named) - 5} more"] if len(named) > 5 else []
    return listed([*named[:5], *more], "or")


def also_meant(players: Mapping[PlayerId, Player], text: str | int, player: PlayerId) -> str:
    """Return a note about the other player that digits could mean, if `find` returned `player`.

    Empty if there is none.
    """
    folded = "" if isinstance(text, int) else fold(text)
    if not _BARE_NUMBER.fullmatch(folded):
        return ""
    number, name = PlayerId(int(folded)), players[player].name
    if number in players and number != player:
        return f"`{text}` is taken as the name of {name} (#{player}); `'#{number}'` is {players[number].name}"
    begun = [
        other for other in players.values() if other.id != player and fold(other.name).startswith(folded)
    ]
    return f"`{text}` is taken as the number of {name}, not as {_either(begun)}" if begun else ""


def find_all(players: Mapping[PlayerId, Player], texts: Sequence[str | int]) -> tuple[PlayerId, ...]:
    """Return the players that texts mean, at least one; see `find`."""
    if not texts:
        raise TourneyError("no player was named")
    return tuple(find(players, text) for text in texts)


def clash(players: Mapping[PlayerId, Player], name: str) -> Player | None:
    """Return the player with this name, ignoring case and accents; None if there is none."""
    folded = fold(name)
    return next((player for player in players.values() if fold(player.name) == folded), None)


# -- near-equal names


def near_equal(state: State, newcomers: Mapping[PlayerId, str]) -> tuple[str, ...]:
    """Warn of newcomers whose names are almost those of others, perhaps the same person twice."""
    names = {player.id: player.name for player in state.players.values() if not player.erased}
    names.update(newcomers)
    pairs = {pair: None for pair in _near_pairs(names, newcomers) if pair[1] in newcomers}
    if not pairs:
        return ()
    named = [f"{names[one]} (#{one}) and {names[two]} (#{two})" for one, two in [*pairs][:_MOST_PAIRS]]
    more = [f"{len(pairs) - _MOST_PAIRS} more pairs"] if len(pairs) > _MOST_PAIRS else []
    return (f"near-equal names, perhaps one person twice: {'; '.join([*named, *more])}",)


_MOST_PAIRS = 8
"""Pairs of near-equal names that a warning names."""


def _near_pairs(
    names: Mapping[PlayerId, str], newcomers: Collection[PlayerId]
) -> Iterator[tuple[PlayerId, PlayerId]]:
    """Yield pairs of names that are one letter apart, or equal but for order and umlauts.

    Names one letter apart are compared only with those of `newcomers`.
    """
    spelled: dict[tuple[str, ...], list[PlayerId]] = {}
    for player, name in names.items():
        spelled.setdefault(_spelled(name), []).append(player)
    for players in spelled.values():
        yield from pairwise(players)
    numbers = {name: player for player, name in names.items()}
    new = {names[player] for player in newcomers}
    for one, two in similar_pairs(numbers, _one_letter_apart, new):
        first, second = sorted((numbers[one], numbers[two]))
        yield first, second


def _one_letter_apart(name: str, other: str) -> bool:
    one, two = ("".join(re.findall(r"[^\W\d_]+", fold(text))) for text in (name, other))
    return min(len(one), len(two)) >= _SHORTEST_NAME and one_letter_apart(one, two)


_SHORTEST_NAME = 6
"""Letters from which names one letter apart count as near-equal: Ada and Ida are two people."""


def _spelled(name: str) -> tuple[str, ...]:
    """Return the words of a name in alphabetical order, umlauts without their `e`.

    >>> _spelled("Petra Grün") == _spelled("Gruen, Petra")
    True
    """
    folded: str = fold(name)
    for two, one in _SPELLED_OUT:
        folded = folded.replace(two, one)
    return tuple(sorted(re.findall(r"\w+", folded)))


_SPELLED_OUT = (("ae", "a"), ("oe", "o"), ("ue", "u"))


# -- names on pages


def public(state: State, *, held: bool = False) -> State:
    """Return the event as everyone can see it: no round that is held back, names as on pages.

    A player's name on pages is the alias, or the name, shortened if the event says so, and always for minors.
    Equal names get the players' numbers. Hidden divisions are left out.

    held: keep a round that is held back, as it is printed before it is shown
    """
    shown = {
        player.id: shown_name(player, state.settings.pages.public_names) for player in state.players.values()
    }
    counts = Counter(map(fold, shown.values()))
    names = {
        number: name if counts[fold(name)] == 1 else f"{name} #{number}" for number, name in shown.items()
    }
    hidden = "division" if hides_divisions(state) else ""
    players = {
        number: player
        if player.name == names[number] and hidden not in player.tags
        else replace(player, name=names[number], tags=_tags_but(player, hidden))
        for number, player in state.players.items()
    }
    return replace(state if held else state.for_players, players=MappingProxyType(players))


def _tags_but(player: Player, kind: str) -> Mapping[str, tuple[Ref, str]]:
    return MappingProxyType({other: tag for other, tag in player.tags.items() if other != kind})


def shown_name(player: Player, names: str) -> str:
    """Return a player's name on pages, without a number. names: the setting `public_names`."""
    if player.erased:
        return player.name
    called = player.alias[1] if player.alias else player.name
    return shortened(called) if player.minor or (names == "short" and not player.alias) else called


def hides_divisions(state: State) -> bool:
    """Return whether pages leave out divisions.

    A division can reveal who is under age. So unless the organizer decides otherwise, all divisions are left
    out as soon as a player in one is marked as a minor.
    """
    shown = state.settings.pages.public_divisions
    if shown == "careful":
        return any(player.minor and "division" in player.tags for player in state.players.values())
    return shown == "hidden"


def kept_apart(state: State) -> State:
    """Return an event for sentences, with right-to-left names isolated so that scores are not turned."""
    players = {
        number: replace(player, name=name)
        if (name := isolate_direction(player.name)) != player.name
        else player
        for number, player in state.players.items()
    }
    return replace(state, players=MappingProxyType(players))


def shortened(name: str) -> str:
    """Return a name with its last part shortened, except a name of one word.

    >>> shortened("Anna Schmidt"), shortened("Schmidt, Anna"), shortened("Anna Lena von der Au"), shortened("Bo")
    ('Anna S.', 'Anna S.', 'Anna A.', 'Bo')
    """
    last, comma, first = name.partition(",")
    words = name.split()
    if comma and first.strip() and last.strip():
        words = [*first.split(), *last.split()[:1]]
    return f"{words[0]} {words[-1][:1].upper()}." if len(words) > 1 else name
