"""Plain text for chats: pairings and standings to paste, and the requests that post them.

Each table or place is one line, not arranged in columns, because chats use proportional fonts and phones wrap
long lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from typing import Any, Literal

from msgspec import Struct

from tourney.document import Document, to_plain
from tourney.event.view import EventView, FinalView, RoundView, StandingsView
from tourney.publish.data import Files
from tourney.publish.language import Language, capital, in_points, language_called, name_with_notes, no_lot
from tourney.wording import as_of, isolate_direction

Kind = Literal["pairings", "standings"]
"""The kinds of posts."""

Service = Literal["discord", "webhook", "apprise"]
"""Services that accept posts.

`webhook` is any address that accepts JSON. `apprise` is a library that reaches many other services.
"""

MOST_PLACES = 32
"""The maximum number of places of the standings in a post. The pages show all places."""

LONGEST_EMBED = 4000
"""The maximum number of UTF-16 units in an embed, the text box of a Discord message.

Discord allows 4,096 in an embed, and 6,000 in the whole message with its title.
"""

LONGEST_CONTENT = 2000
LONGEST_TITLE = 256
"""The maximum number of UTF-16 units in a Discord message's plain text, or an embed's title."""

LONGEST_POST = 16_000
"""The maximum number of UTF-16 units in any other post.

Slack, Mattermost and Teams have this limit.
"""


class ChatMessage(Struct, frozen=True, kw_only=True):
    """A post: the pairings of a round, or the standings after one.

    round: the number of the round; the bracket's rounds continue the numbers of the Swiss rounds
    event: the name of the event
    what: the content in words, such as `pairings of round 3`
    title: the title, such as `Round 3: pairings`
    again: the title if the post corrects an earlier one
    corrected: whether the post corrects an earlier one
    """

    kind: Kind
    round: int
    event: str
    what: str
    title: str
    again: str
    lines: tuple[str, ...]
    corrected: bool = False

    @property
    def heading(self) -> str:
        """The name of the event and the title of the post."""
        return f"{self.event} · {self.again if self.corrected else self.title}"

    @property
    def text(self) -> str:
        """The post as plain text for pasting.

        Names that look like mentions are changed so that they notify no one (`quiet`).
        """
        return quiet("\n".join([self.heading, "", *self.lines]))

    @property
    def digest(self) -> str:
        """The SHA-256 of the title and the lines, which identifies a post that was sent before."""
        return sha256("\n".join([self.title, *self.lines]).encode()).hexdigest()


def pairings(event: EventView) -> ChatMessage | None:
    """Return a post with the pairings of the newest round; None before round 1."""
    if not event.rounds:
        return None
    language, view = language_called(event.language), event.rounds[-1]
    title = language.gettext("{round}: pairings", round=view.title)
    description = f"pairings of {_in_a_sentence(view.title)}"
    return _message(
        event, "pairings", view.number, title, _tables(view, language, results=False), description=description
    )


def standings(event: EventView) -> ChatMessage | None:
    """Return a post with the standings after the last complete round; None if there is none."""
    language, final, view = language_called(event.language), event.final, event.settled
    if final is not None and not final.playing:
        round_, title, lines = event.rounds[-1].number, final.title, [*_places(final, language)]
    elif view.after:
        round_, title, lines = view.after, view.title, [*_ranks(view, language)]
    else:
        return None
    hidden_count = len(lines) - MOST_PLACES
    if hidden_count > 0:
        more = language.ngettext("and 1 more player", "and {n} more players", hidden_count)
        lines = [*lines[:MOST_PLACES], more]
    return _message(event, "standings", round_, language.translate(title), lines)


def _message(
    event: EventView, kind: Kind, round_: int, title: str, lines: Iterable[str], *, description: str = ""
) -> ChatMessage:
    language = language_called(event.language)
    return ChatMessage(
        kind=kind,
        round=round_,
        event=event.name,
        what=description or _in_a_sentence(title),
        title=title,
        again=language.gettext("{title} (corrected)", title=title),
        lines=tuple(lines),
    )


def _in_a_sentence(title: str) -> str:
    return title[:1].lower() + title[1:]


def files(event: EventView) -> Files:
    """Return `standings.txt`, and for each round a `round-N.txt` with the results so far."""
    language = language_called(event.language)
    return {
        "standings.txt": partial(_standings_file, event, language),
        **{f"round-{view.number}.txt": partial(_round_file, event, view, language) for view in event.rounds},
    }


def _standings_file(event: EventView, language: Language) -> bytes:
    if event.final:
        return _file(event, language.gettext(event.final.title), _places(event.final, language))
    return _file(event, language.gettext(event.standings.title), _ranks(event.standings, language))


def _round_file(event: EventView, view: RoundView, language: Language) -> bytes:
    return _file(event, language.gettext(view.title), _tables(view, language, results=True))


def _file(event: EventView, title: str, lines: Iterator[str]) -> bytes:
    return ("\n".join([f"{event.name} · {title}{as_of(event.past)}", "", *lines]) + "\n").encode()


def _tables(view: RoundView, language: Language, *, results: bool) -> Iterator[str]:
    _, translate = language.gettext, language.translate
    for table in view.tables:
        label = _("Table {n}", n=table.number)
        if table.label:
            label = _("{label}, table {n}", n=table.number, label=table.label)
        seats = " – ".join(
            name_with_notes(
                seat.name,
                translate(seat.side),
                seat.points if view.number > 1 else "",
                translate(seat.note),
            )
            for seat in table.seats
        )
        yield f"{label}: {seats}{f' · {translate(table.in_full)}' if results and table.result else ''}"
        for deck in table.decks if results else ():
            yield f"  {translate(deck.name)}: {isolate_direction(deck.in_a_line)}"
    for bye in view.byes:
        yield f"{capital(translate(bye.kind))}: {name_with_notes(bye.name, translate(bye.note))}"


def _ranks(view: StandingsView, language: Language) -> Iterator[str]:
    translate = language.translate
    if view.no_lot:
        yield no_lot(view, language)
    for row in view.rows:
        name, points = name_with_notes(row.name, translate(row.note)), translate(in_points(row.points))
        yield f"{row.rank or '–'}: {name}, {points}, {row.record}"


def _places(view: FinalView, language: Language) -> Iterator[str]:
    translate = language.translate
    for row in view.rows:
        name = name_with_notes(row.name, translate(row.note))
        yield f"{row.place}: {', '.join(filter(None, (name, translate(row.bracket), row.record, row.prize)))}"


# -- posting


class WebhookPost(Document, frozen=True, tag="tourney.post/1"):
    """What `tourney publish --post NAME` sends to a webhook that does not belong to Discord.

    event: the name of the event
    kind: `pairings` or `standings`
    round: the number of the round, from 1; the bracket's rounds continue the numbers of the Swiss rounds
    title: the title of the post: `Round 3: pairings`
    corrected: whether the post corrects an earlier one
    part: the number of this part, from 1
    parts: the number of parts that a long post is split into
    text: the heading and the lines of this part, as plain text
    """

    event: str
    kind: Kind
    round: int
    title: str
    corrected: bool
    part: int
    parts: int
    text: str


def service_of(url: str) -> Service:
    """Return the kind of service that an address belongs to.

    >>> service_of("https://discord.com/api/webhooks/1/x"), service_of("https://hooks.example.org/x")
    ('discord', 'webhook')
    >>> service_of("tgram://token/room")
    'apprise'
    """
    if not re.match(r"https?:", url, re.IGNORECASE):
        return "apprise"
    discord = re.match(r"https?://[^/]*/api/(v\d+/)?webhooks/[^/?#]+/[^/?#]+/?([?#]|$)", url, re.IGNORECASE)
    return "discord" if discord else "webhook"


def payloads(message: ChatMessage, service: Service) -> list[dict[str, Any]]:
    """Return the JSON bodies that post a message.

    A message that exceeds the limits of the service is split into several bodies. Names are escaped, so that
    they are neither mentions nor markup.
    """
    if service == "discord":
        return _discord(message)
    parts = [*_parts(message.lines, LONGEST_POST)]
    return [
        to_plain(
            WebhookPost(
                event=message.event,
                kind=message.kind,
                round=message.round,
                title=message.title,
                corrected=message.corrected,
                part=number,
                parts=len(parts),
                text=quiet("\n".join([f"{message.heading}{_of(number, parts)}", "", *lines])),
            )
        )
        for number, lines in enumerate(parts, 1)
    ]


def _discord(message: ChatMessage) -> list[dict[str, Any]]:
    parts = [*_parts([_escape_markup(line) for line in message.lines], LONGEST_EMBED)]
    return [
        {
            # A phone shows the plain text in its notification.
            "content": _cut(_escape_markup(message.heading), LONGEST_CONTENT) if number == 1 else "",
            "embeds": [
                {
                    "title": _cut(_escape_markup(f"{message.title}{_of(number, parts)}"), LONGEST_TITLE),
                    "description": "\n".join(lines),
                }
            ],
            "allowed_mentions": {"parse": []},
        }
        for number, lines in enumerate(parts, 1)
    ]


def _escape_markup(text: str) -> str:
    r"""Return a text in which all characters that a chat would interpret are escaped.

    These are markup, mentions and links.

    >>> print(_escape_markup("@everyone *x*"))
    \@everyone \*x\*
    """
    return _MARKUP.sub(r"\\\g<0>", text)


_MARKUP = re.compile(r"[\\`*_~|<>\[\]#@]|(?<=\w):(?=//)")


def quiet(text: str) -> str:
    """Return a text in which a zero-width space disables mentions (`@all`, `<!channel>`).

    >>> quiet("@all <!here> a@b").replace("\u200b", "|")
    '@|all <|!here> a@|b'
    """
    return _MENTION.sub("\\g<0>\u200b", text)


_MENTION = re.compile(r"@(?=\w)|<(?=[!@#&:]|users/)")


def _of(number: int, parts: Sequence[object]) -> str:
    return f" ({number}/{len(parts)})" if len(parts) > 1 else ""


def _parts(lines: Sequence[str], limit: int) -> Iterator[list[str]]:
    """Yield the lines in parts of at most `limit` UTF-16 units.

    A single line that exceeds the limit is cut off.
    """
    part: list[str] = []
    size = 0
    for whole in lines:
        line = _cut(whole, limit)
        if part and size + _units(line) + 1 > limit:
            yield part
            part, size = [], 0
        part.append(line)
        size += _units(line) + 1
    yield part


def _units(text: str) -> int:
    """Return the length of a text in UTF-16 units, which most chats count."""
    return len(text) + sum(letter > "\uffff" for letter in text)


def _cut(text: str, limit: int) -> str:
    if _units(text) <= limit:
        return text
    while _units(text) > limit - 1:
        text = text[: len(text) - max(1, (_units(text) - limit) // 2)]
    return f"{text}…"
