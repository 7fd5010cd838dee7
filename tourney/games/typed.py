"""How a judge types the arguments of a calculator: the cards and other things on the table.

The syntax is derived from the types of the calculator's arguments.

A thing on the table is typed as one word: its values in order, joined by `/` (`2/40`). `-` is a blank value.
`3x2/40` means three equal things. A name goes before `=` (`Ada=5`). Spaces or commas separate things; `+`
joins things into a group.

    int, str, Literal["red", "blue"]   a number, any word, or one of these words (a prefix is enough)
    T | None                           a value that may be blank
    a struct                           a thing: a value for each field; the field `name` goes before `=`
    tuple[T, ...], tuple[T, T]         any number of things, or exactly two
    tuple[tuple[T, ...], ...]          groups of things
    Mapping[Player, T]                 things by their names; A, B, C … if no thing has a name
    Mapping[Player, tuple[T, ...]]     any number of values for each name
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct, structs

from tourney.errors import TourneyError
from tourney.wording import counted, listed

MOST_THINGS = 1000
"""The maximum number of things in one argument, including copies."""

_WHOLE = re.compile(r"[+-]?[0-9]{1,6}")
_COPIES = re.compile(r"([0-9]{1,4})[x×](?=.)")
_SEPARATORS = re.compile(r"[\s,;]+")


class MisspeltError(ValueError):
    """A word cannot be read as a value of its argument.

    This is a usage error, not an illegal position.
    """


class Label(Struct, frozen=True):
    """The name that the help shows for a value, instead of the name of its field or argument.

    numbers: names that can be typed instead of the numbers 1, 2, 3 …
    """

    text: str
    numbers: tuple[str, ...] = ()


Player = Annotated[str, Label("PLAYER")]
"""The name of a player."""


def whole(text: str) -> int:
    """Parse a whole number of up to six digits.

    Raises MisspeltError if the text is something else.

    >>> whole("+2"), whole("−1")
    (2, -1)
    """
    plain = text.replace("\u2212", "-")
    if not _WHOLE.fullmatch(plain):
        raise MisspeltError(f"`{text}` is not a whole number of up to six digits")
    return int(plain)


def words_starting(text: str, words: Iterable[str]) -> list[str]:
    """Return the word equal to `text`; if there is none, all words that start with it.

    Upper and lower case count as the same. If `text` is empty, the result is empty.
    """
    start = text.casefold()
    fitting = [word for word in words if start and word.casefold().startswith(start)]
    return [word for word in fitting if word.casefold() == start] or fitting


def split_words(text: str) -> list[str]:
    """Split a text into words, one for each card or other thing that it lists.

    >>> split_words("2/40, 3/30 4/20")
    ['2/40', '3/30', '4/20']
    """
    return [word for word in _SEPARATORS.split(text) if word]


class Value(Struct, frozen=True):
    """What a user can type for one value, as derived from the type annotation of the value.

    label:    the name of the value in the help
    words:    word → value, for the words that can be typed; empty if there are none
    number:   whether the value can be a whole number
    text:     whether the value can be any text
    blank:    whether `-` stands for a blank value
    optional: whether the value can be left out
    """

    label: str
    words: Mapping[str, Any]
    number: bool
    text: bool
    blank: bool
    optional: bool = False

    def read(self, text: str) -> Any:
        """Parse a user's text, and return the value that it means.

        Returns None for `-` if the value can be blank. Raises MisspeltError if the text is not allowed for
        this value.
        """
        if self.blank and text == "-":
            return None
        fitting = words_starting(text, self.words)
        if len(fitting) == 1:
            return self.words[fitting[0]]
        if self.number and (not self.text or _WHOLE.fullmatch(text)):
            return whole(text)
        if not self.text:
            raise MisspeltError(f"unknown {self.label} `{text}`; choose {listed(self.words, 'or')}")
        if not text:
            raise MisspeltError(f"{self.label} is missing")
        return text


def value_of(annotation: Any, label: str, *, optional: bool = False) -> Value:
    """Return what a judge can type for a value with this type annotation.

    label: the name of the value in the help, unless the annotation has a `Label`
    """
    parts = list(parts_of(annotation))
    words = {word: word for part in parts if get_origin(part) is Literal for word in get_args(part)}
    for part in parts:
        if isinstance(part, Label):
            label = part.text
            words |= {name: number for number, name in enumerate(part.numbers, start=1)}
    return Value(label, words, int in parts, str in parts, NoneType in parts, optional)


def parts_of(annotation: Any) -> Iterator[Any]:
    """Yield all parts of an annotation: the types of its unions, and metadata of `Annotated`."""
    origin = get_origin(annotation)
    if origin is Annotated:
        base, *metadata = get_args(annotation)
        yield from metadata
        yield from parts_of(base)
    elif origin in {Union, UnionType}:
        for part in get_args(annotation):
            yield from parts_of(part)
    else:
        yield annotation


class Things(Struct, frozen=True, kw_only=True):
    """The syntax of a command-line argument that lists things in a game, such as cards.

    values:   the syntax of each value of a thing, in order
    make:     a function that makes a thing from its name and its values
    name:     the word that stands for a thing's name in the help, before `=`; "" if things have no name
    named:    whether every thing must have a name
    number:   the number of things or groups; None for any number
    repeat:   whether more values of the same kind as the last may follow it
    groups:   whether `+` joins things into groups
    single:   whether the argument is parsed to a single thing, not to a tuple of things
    by_name:  whether the argument is parsed to a mapping from names to things
    about:    the description of the things in messages
    """

    values: tuple[Value, ...]
    make: Callable[[str, list[Any]], Any]
    name: str = ""
    requires_name: bool = False
    number: int | None = None
    repeat: bool = False
    groups: bool = False
    single: bool = False
    by_name: bool = False
    about: str = ""

    @property
    def shape(self) -> str:
        """The pattern of one word of the argument, for help and messages: `[NAME=]ATK/DEF[/HGT]`."""
        name = f"{self.name}=" if self.requires_name else f"[{self.name}=]" if self.name else ""
        slashed = [f"{'/' * bool(place)}{value.label}" for place, value in enumerate(self.values)]
        patterns = [
            f"[{text}]" if value.optional else text for text, value in zip(slashed, self.values, strict=True)
        ]
        return name + "".join(patterns) + "[/…]" * self.repeat + "[+…]" * self.groups

    def read(self, text: str) -> Any:
        """Parse a text into items, such as players or cards.

        Raises MisspeltError for a word that does not match the pattern. Raises TourneyError for a wrong
        number of items, for repeated names, and if only some items have a name.
        """
        things: list[Any] = []
        for word in split_words(text):
            if self.groups:
                things.append(tuple(thing for part in word.split("+") for thing in self._copies(part)))
            else:
                things += self._copies(word)
            if len(things) > MOST_THINGS:
                raise MisspeltError(f"more than {MOST_THINGS} values")
        if self.by_name:
            return _by_name(things)
        if self.number is not None and len(things) != self.number:
            number_text, about = counted(self.number, "argument"), self.about.rstrip(".")
            raise TourneyError(f"expected {number_text}, found {len(things)}: {about[:1].lower()}{about[1:]}")
        return things[0] if self.single else tuple(things)

    def _copies(self, word: str) -> list[Any]:
        copies = _COPIES.match(word)
        number = int(copies[1]) if copies else 1
        if number > MOST_THINGS:
            raise MisspeltError(f"more than {MOST_THINGS} values")
        return [self._read_one(word[copies.end() :] if copies else word, word)] * number

    def _read_one(self, text: str, word: str) -> Any:
        name, equals, values_text = text.rpartition("=")
        parts = values_text.split("/")
        least = sum(not value.optional for value in self.values)
        expected_values = self.values + self.values[-1:] * (len(parts) - len(self.values)) * self.repeat
        if (
            bool(name) != bool(equals)
            or (name and not self.name)
            or (self.requires_name and not name)
            or not least <= len(parts) <= len(expected_values)
        ):
            raise MisspeltError(f"`{word}` does not have the form {self.shape}")
        try:
            values = [value.read(part) for value, part in zip(expected_values, parts, strict=False)]
        except MisspeltError as fault:
            raise MisspeltError(f"{fault}; type {self.shape}") from None
        return self.make(name, values)


def _by_name(things: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return name → value, with the names A, B, C … if no value has a name.

    Raises TourneyError for a repeated name, and if only some values have a name: a value without a name then
    probably belongs to the name before it.
    """
    names = [name for name, _ in things]
    if any(names) and not all(names):
        raise TourneyError(
            "some values have a name and others do not",
            "join the values of one name by `/`, without blanks or commas: `Ada=2/2/5 Ben=4`",
        )
    names = [name or chr(ord("A") + place) for place, name in enumerate(names)]
    refuse_repeated(names)
    return {name: value for name, (_, value) in zip(names, things, strict=True)}


def refuse_repeated(names: Sequence[str], because: str = "every name must differ") -> None:
    """Raise TourneyError if a name occurs twice. because: the end of the message."""
    for place, name in enumerate(names):
        if name in names[:place]:
            raise TourneyError(f"{name} is named twice; {because}")


def reader_of(annotation: Any, label: str, about: str = "") -> Value | Things:
    """Return the syntax of an argument with this type annotation (see the module docstring).

    label: the name of the argument in the help
    about: the help of the argument
    """
    things = _things(annotation, label)
    return structs.replace(things, about=about) if things else value_of(annotation, label)


def _things(annotation: Any, label: str) -> Things | None:
    """Return the syntax of an argument for things on the table, such as cards.

    Returns None if the argument is one plain value, such as a number or a word.
    """
    annotation = next((part for part in parts_of(annotation) if _is_compound(part)), None)
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is tuple:
        number = None if inner[-1] is Ellipsis else len(inner)
        if get_origin(inner[0]) is tuple:
            return structs.replace(_thing(get_args(inner[0])[0], label), groups=True, number=number)
        return structs.replace(_thing(inner[0], label), number=number)
    if origin is Mapping:
        things = _thing(inner[1], label)
        return structs.replace(
            things,
            make=lambda name, values: (name, things.make("", values)),
            name=value_of(inner[0], "NAME").label,
            by_name=True,
        )
    if _is_struct(annotation):
        return structs.replace(_thing(annotation, label), single=True, number=1)
    return None


def _is_compound(part: Any) -> bool:
    return get_origin(part) in {tuple, Mapping} or (_is_struct(part) and part is not Label)


def _is_struct(part: Any) -> bool:
    return isinstance(part, type) and issubclass(part, Struct)


def _thing(annotation: Any, label: str) -> Things:
    """Return the syntax in which a judge enters one object of the game, such as a card.

    annotation: the Python type of the object: a struct, a tuple, or the type of a single value
    """
    if get_origin(annotation) is tuple:
        value = value_of(get_args(annotation)[0], label)
        return Things(values=(value,), make=lambda _, values: tuple(values), repeat=True)
    if not _is_compound(annotation):
        return Things(values=(value_of(annotation, label),), make=lambda _, values: values[0])
    types = get_type_hints(annotation, include_extras=True)
    by_name = {field.name: field for field in structs.fields(annotation)}
    name_field = by_name.pop("name", None)
    fields = list(by_name.values())
    values = [
        value_of(types[field.name], label_of(field.name), optional=field.default is not msgspec.NODEFAULT)
        for field in fields
    ]
    if name_field is None:
        return Things(values=tuple(values), make=lambda _, values: annotation(*values))
    return Things(
        values=tuple(values),
        make=lambda name, values: annotation(
            **{field.name: value for field, value in zip(fields, values, strict=False)}, name=name
        ),
        name=value_of(types["name"], "NAME").label,
        requires_name=name_field.default is msgspec.NODEFAULT,
    )


def label_of(name: str) -> str:
    """Return the name that the help shows for a field or an argument, such as DEF for `def_`."""
    return name.strip("_").upper()
