"""Check, find, compare and shorten the names of players."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from msgspec.structs import replace

from tourney.cards.names import FoldedName, NearNames, fold, one_letter_apart, similar_pairs
from tourney.errors import TourneyError
from tourney.event.ops import Ref
from tourney.event.state import Player, State
from tourney.record import PlayerId
from tourney.wording import isolate_direction, listed

# -- valid names


LONGEST_NAME = 100
"""The maximum number of characters in a name; a longer name would not fit on a slip."""


def clean_name(text: str, *, noun: str = "name", longest: int = LONGEST_NAME) -> str:
    """Return a name as it is stored: in composed form (NFC), with single spaces.

    Raises TourneyError for an empty name, for a name of more than `longest` characters, and for characters
    that are invisible or change the direction of text (control characters, line ends, right-to-left
    overrides).

    >>> clean_name("  Mira   Oake ")
    'Mira Oake'
    """
    article = "an" if noun[0] in "aeiou" else "a"
    name = re.sub(r"[ \t\u00a0\u3000]+", " ", unicodedata.normalize("NFC", text)).strip()
    if not name or not fold(name):
        raise TourneyError(f"{article} {noun} needs at least one letter")
    if _NUMBER.fullmatch(name):
        raise TourneyError(f"`{name}` is a player's number, so it cannot be {article} {noun}")
    if noun == "name" and name.casefold() == "bye":
        raise TourneyError("`bye` means a round without an opponent, so it cannot be a name")
    if len(name) > longest:
        raise TourneyError(
            f"{article} {noun} may have at most {longest} characters, "
            f"but this one has {len(name)}: {name[:20]}…"
        )
    for place, letter in enumerate(name, 1):
        if _is_invisible(letter):
            raise TourneyError(
                f"{article} {noun} cannot contain U+{ord(letter):04X} ({_letter_name(letter)}),"
                f" character {place} of {_printable(name)}"
            )
    return name


def _is_invisible(letter: str) -> bool:
    # Joiners change the shape of letters in several scripts, so they are allowed. Other format characters can
    # deceive.
    return (
        unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} and letter not in "\u200c\u200d"
    )


def _letter_name(letter: str) -> str:
    return "a line end" if letter in "\r\n" else unicodedata.name(letter, "a control character").lower()


def _printable(name: str) -> str:
    return "`" + "".join("·" if _is_invisible(letter) else letter for letter in name) + "`"


# -- find a player


_NUMBER = re.compile(r"#\s*(\d{1,9})")


_BARE_NUMBER = re.compile(r"[0-9]{1,9}")


class UnknownPlayerError(TourneyError):
    """Raised if a text matches no player's name."""


PlayersByName = Mapping[FoldedName, Player]
"""Folded name (see `tourney.cards.names.fold`) → player: an index for looking up many names."""


def by_name(players: Mapping[PlayerId, Player]) -> PlayersByName:
    """Return name → player.

    The names are folded, so that differences such as case and accents do not matter.
    """
    return {fold(player.name): player for player in players.values()}


def find(
    players: Mapping[PlayerId, Player],
    text: str | int,
    names: PlayersByName | None = None,
    *,
    bare: bool = True,
    shown_by: str = "tourney player list",
) -> PlayerId:
    """Return the player that a text means: `#7`, `7`, a name, or the start of one name only.

    A whole name takes precedence over a number, and a number over the start of a name (`also_meant` warns of
    the alternative). Case, accents, width, quotes and extra spaces are ignored. Raises UnknownPlayerError,
    which suggests similar names, if no name matches. Raises TourneyError, which lists the candidates, if
    several names start with `text`.

    names:    the index of all names; None if the caller has none
    bare:     whether `7` without `#` may be a player's number
    shown_by: the command that lists the players, for the hint
    """
    if isinstance(text, int) or _NUMBER.fullmatch(text.strip()):
        return _by_number(players, text)
    folded_text = fold(text)
    if not folded_text:
        raise TourneyError("no player was named")
    names = by_name(players) if names is None else names
    if folded_text in names:
        return names[folded_text].id
    is_number = bare and _BARE_NUMBER.fullmatch(folded_text) is not None
    if is_number and PlayerId(int(folded_text)) in players:
        return PlayerId(int(folded_text))
    matches = [player for name, player in names.items() if name.startswith(folded_text)]
    matches = matches or [player for name, player in names.items() if f" {folded_text}" in name]
    if len(matches) == 1:
        return matches[0].id
    if matches:
        candidates = _list_alternatives(matches)
        raise TourneyError(f"`{text}` may be {candidates}", "type more of the name, or the number")
    if is_number:
        return _by_number(players, folded_text)
    _refuse_several(players, text, names, bare=bare)
    near = _near(players, text)
    question = f"; did you mean {_list_alternatives(near)}?" if near else ""
    raise UnknownPlayerError(f"there is no player `{text}`{question}", f"`{shown_by}` shows all players")


def _by_number(players: Mapping[PlayerId, Player], text: str | int) -> PlayerId:
    number = PlayerId(text if isinstance(text, int) else int(text.strip().lstrip("#")))
    if number not in players:
        last = max(players, default=0)
        raise TourneyError(
            f"there is no player #{number}",
            f"the last number is #{last}" if last else "no player is registered yet",
        )
    return number


def _refuse_several(
    players: Mapping[PlayerId, Player], text: str, names: PlayersByName, *, bare: bool
) -> None:
    """Raise TourneyError for `Ada,Ben` if both are players.

    The hint says how to name several players.
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) < 2:
        return
    try:
        for part in parts:
            find(players, part, names, bare=bare)
    except TourneyError:
        return
    raise TourneyError(
        f"`{text}` is more than one player",
        "separate names with spaces, not commas; repeat an option for each player",
    )


def _near(players: Mapping[PlayerId, Player], text: str) -> list[Player]:
    """Return up to three players with a name, or a word in it, that is similar to `text`."""
    by_word = {word: player for player in players.values() for word in player.name.split() if len(word) > 2}
    by_word |= {player.name: player for player in players.values()}
    near = NearNames(by_word).near(text)
    return list({by_word[name].id: by_word[name] for name in near}.values())


def _list_alternatives(players: Iterable[Player]) -> str:
    names = [f"{player.name} (#{player.id})" for player in players]
    more = [f"{len(names) - 5} more"] if len(names) > 5 else []
    return listed([*names[:5], *more], "or")


def also_meant(players: Mapping[PlayerId, Player], text: str | int, player: PlayerId) -> str:
    """Return a note if `text` is a number that could also mean another player; else "".

    player: the player that `find` returned for `text`
    """
    folded_text = "" if isinstance(text, int) else fold(text)
    if not _BARE_NUMBER.fullmatch(folded_text):
        return ""
    number, name = PlayerId(int(folded_text)), players[player].name
    if number in players and number != player:
        return f"`{text}` is taken as the name of {name} (#{player}); `'#{number}'` is {players[number].name}"
    others = [
        other for other in players.values() if other.id != player and fold(other.name).startswith(folded_text)
    ]
    return f"`{text}` is taken as the number of {name}, not as {_list_alternatives(others)}" if others else ""


def find_named(names: Mapping[PlayerId, str | int], text: str, *, shown_by: str) -> PlayerId:
    """Return the player whose name, start of a name, or number is `text`; see `find`.

    names: player → name; a name that is an integer is compared as text
    """
    players = {player: Player(id=player, name=str(name), name_ref=Ref("")) for player, name in names.items()}
    return find(players, text, shown_by=shown_by)


def find_all(players: Mapping[PlayerId, Player], texts: Sequence[str | int]) -> tuple[PlayerId, ...]:
    """Return the players that texts mean, as `find` does.

    Raises TourneyError if there are no texts.
    """
    if not texts:
        raise TourneyError("no player was named")
    return tuple(find(players, text) for text in texts)


# -- similar names


def near_equal(state: State, newcomers: Mapping[PlayerId, str]) -> tuple[str, ...]:
    """Return a warning about newcomers whose names are similar to those of other players.

    Such a pair may be one person who was registered twice. The tuple is empty if there are no such pairs.
    """
    names = {player.id: player.name for player in state.players.values() if not player.erased}
    names.update(newcomers)
    pairs = {pair: None for pair in _near_pairs(names, newcomers) if pair[1] in newcomers}
    if not pairs:
        return ()
    texts = [f"{names[one]} (#{one}) and {names[two]} (#{two})" for one, two in [*pairs][:_MOST_PAIRS]]
    more = [f"{len(pairs) - _MOST_PAIRS} more pairs"] if len(pairs) > _MOST_PAIRS else []
    return (f"similar names, perhaps the same person twice: {'; '.join([*texts, *more])}",)


_MOST_PAIRS = 8
"""The maximum number of pairs of similar names that a warning lists."""


def _near_pairs(
    names: Mapping[PlayerId, str], newcomers: Collection[PlayerId]
) -> Iterator[tuple[PlayerId, PlayerId]]:
    """Yield pairs of names that differ in one letter, or only in word order and umlauts.

    For a difference of one letter, only names of `newcomers` are compared with the others.
    """
    players_by_spelling: dict[tuple[str, ...], list[PlayerId]] = {}
    for player, name in names.items():
        players_by_spelling.setdefault(_spelling_key(name), []).append(player)
    for players in players_by_spelling.values():
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
"""The fewest letters of names that count as similar if they differ in one letter.

Shorter names, such as Ada and Ida, are taken to be two people.
"""


def _spelling_key(name: str) -> tuple[str, ...]:
    """Return the words of a name in alphabetical order, with `ue` and `ü` both as `u`.

    >>> _spelling_key("Petra Grün") == _spelling_key("Gruen, Petra")
    True
    """
    folded_name: str = fold(name)
    for two, one in _SPELLED_OUT:
        folded_name = folded_name.replace(two, one)
    return tuple(sorted(re.findall(r"\w+", folded_name)))


_SPELLED_OUT = (("ae", "a"), ("oe", "o"), ("ue", "u"))


# -- names on pages


def public(state: State, *, shows_held: bool = False) -> State:
    """Return the event as pages show it: with public names, and without a round held back.

    Pages show a player's alias, if there is one, or else the name. Names are shortened if the setting
    `public_names` says so; names of minors are always shortened. Players with the same name also get their
    numbers. Hidden divisions are left out.

    shows_held: whether to include a round that is held back, for sheets that are printed before its release
    """
    page_names = {
        player.id: shown_name(player, state.settings.pages.public_names) for player in state.players.values()
    }
    counts = Counter(map(fold, page_names.values()))
    names = {
        number: name if counts[fold(name)] == 1 else f"{name} #{number}"
        for number, name in page_names.items()
    }
    hidden_tag = "division" if hides_divisions(state) else ""
    players = {
        number: player
        if player.name == names[number] and hidden_tag not in player.tags
        else replace(player, name=names[number], tags=_tags_but(player, hidden_tag))
        for number, player in state.players.items()
    }
    return replace(state if shows_held else state.for_players, players=MappingProxyType(players))


def _tags_but(player: Player, kind: str) -> Mapping[str, tuple[Ref, str]]:
    return MappingProxyType({other: tag for other, tag in player.tags.items() if other != kind})


def shown_name(player: Player, names: str) -> str:
    """Return a player's name on pages, without a number. names: the setting `public_names`."""
    if player.erased:
        return player.name
    name = player.alias_name or player.name
    return shorten_name(name) if player.minor or (names == "short" and not player.alias) else name


def hides_divisions(state: State) -> bool:
    """Return whether pages leave out divisions.

    A division can reveal that a player is under age. So unless the organizer decides otherwise, pages leave
    out all divisions as soon as a player in one of them is marked as a minor.
    """
    setting = state.settings.pages.public_divisions
    if setting == "careful":
        return any(player.minor and "division" in player.tags for player in state.players.values())
    return setting == "hidden"


def kept_apart(state: State) -> State:
    """Isolate right-to-left names in an event, so that scores beside them keep their order."""
    players = {
        number: replace(player, name=name)
        if (name := isolate_direction(player.name)) != player.name
        else player
        for number, player in state.players.items()
    }
    return replace(state, players=MappingProxyType(players))


def shorten_name(name: str) -> str:
    """Shorten a name to its first word and the initial of its last. A name of one word stays.

    >>> tuple(map(shorten_name, ("Anna Schmidt", "Schmidt, Anna", "Anna Lena von der Au", "Bo")))
    ('Anna S.', 'Anna S.', 'Anna A.', 'Bo')
    """
    last, comma, first = name.partition(",")
    words = name.split()
    if comma and first.strip() and last.strip():
        words = [*first.split(), *last.split()[:1]]
    return f"{words[0]} {words[-1][:1].upper()}." if len(words) > 1 else name
