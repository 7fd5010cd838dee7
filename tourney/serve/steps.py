"""Buttons on the desk's page, for the next step and for remedies after an error.

Messages of the command line name commands in backticks. If the page has a form for such a command, it shows a
button instead (`remedies`). Before the page offers a next step, the step is tried without writing anything
(`next_step`), so that its button does not fail.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from tourney.errors import TourneyError
from tourney.event.brackets import bracket_of, winner_of
from tourney.event.phrases import result_line
from tourney.event.presence import absent
from tourney.event.rounds import Manner
from tourney.event.score import parse_line
from tourney.event.systems import cut_to_come, planned_rounds
from tourney.event.titles import cut_title, in_a_sentence
from tourney.serve.acts import ACTS
from tourney.serve.visits import Remedy, Role, refusal_text
from tourney.wording import Message

if TYPE_CHECKING:
    from tourney.desk import Desk
    from tourney.event.state import State

MOST_TRIED = 300
"""The maximum number of players with whom the page tries the next pairing in advance.

Trying it for so many players takes a third of a second.
"""

MOST_BUTTONS = 4
"""The maximum number of missing players who each get a button."""

# -- remedies


class RefusedForm(Struct, frozen=True):
    """A form that led to an error or a warning.

    act, fields: the form's name and fields
    state: the event
    """

    act: str
    fields: Mapping[str, str]
    state: State

    @property
    def this_round(self) -> tuple[str, str]:
        """The form field for the current round, as (name, value), such as `("round", "3")`."""
        return ("round", str(len(self.state.rounds)))

    @property
    def next_round(self) -> tuple[str, str]:
        """The form field for the next round, as (name, value), such as `("round", "4")`."""
        return ("round", str(len(self.state.rounds) + 1))


def remedies(text: str, form: RefusedForm, role: Role) -> tuple[Remedy, ...]:
    """Return the buttons for those commands in a hint or a warning that the role may use."""
    buttons = (button for command in _COMMAND.findall(text) for button in _buttons_of(command, form))
    return tuple(dict.fromkeys(button for button in buttons if role in ACTS[button.act].may))


def without_commands(text: str) -> str:
    """Return a warning without the command that it names."""
    return _NAMED.sub("", text).rstrip(" :;,") if "`" in text else text


_NAMED = re.compile(r"(?: \(|[:,;]? )?\x60tourney [^\x60]*\x60(?:\)| [^;.\x60]*)?")
"""A command in a warning, with the words around it."""


def _buttons_of(command: str, form: RefusedForm) -> Iterator[Remedy]:
    """Yield the buttons for a command that a hint or a warning names.

    `tourney player check-in NAME` has a button for each missing player; no buttons if more than
    `MOST_BUTTONS` players are missing. Every other command has one button, or no button.
    """
    if command == "tourney player check-in NAME":
        missing = absent(form.state)
        for player in missing if len(missing) <= MOST_BUTTONS else ():
            name = form.state.players[player].name
            yield Remedy("check-in", Message("Check in {value}", value=name), (("who", f"#{player}"),))
    elif (button := _remedy(command, form)) is not None:
        yield button


_COMMAND = re.compile(r"`((?:tourney |--anyway)[^`]*)`")

_PLACEHOLDER = re.compile("NAME|PLAYER|TABLE|SCORE|PLACES|ENTRY|N|FILE|TEXT|VALUE|SOURCE|DIR|…")
"""A placeholder in a command of a hint, such as NAME."""


def _remedy(command: str, form: RefusedForm) -> Remedy | None:
    """Return the button of a command; None if it has no button."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    if words[0] == "--anyway":
        return _anyway(form)
    name, rest = tuple(words[1:3]), words[3:]
    if name in _SPECIAL:
        return _SPECIAL[name](form, rest)
    return _BUTTONS[name].remedy(form, rest) if name in _BUTTONS else None


class _Button(NamedTuple):
    """The button of a command with at most one argument.

    act: the form that the button sends
    label: the label, with `{value}` in place of the argument
    field: the field of the form for the argument; `round` for the current round, empty for no field
    """

    act: str
    label: Message
    field: str = ""

    def remedy(self, form: RefusedForm, words: Sequence[str]) -> Remedy | None:
        """Return a button that does the same as a command; None if a form cannot send its arguments.

        words: the arguments of the command
        """
        if self.field in {"", "round"}:
            fields = (form.this_round,) if self.field else ()
            return None if words else Remedy(self.act, self.label, fields)
        if len(words) != 1 or words[0].startswith("-") or _PLACEHOLDER.fullmatch(words[0]):
            return None
        if self.field == "entry" and not words[0].isdecimal():
            return None
        return Remedy(self.act, Message(self.label, value=words[0]), ((self.field, words[0]),))


_BUTTONS: Mapping[tuple[str, ...], _Button] = {
    ("round", "release"): _Button("release", Message("Release the round"), "round"),
    ("round", "cancel"): _Button("cancel", Message("Cancel the round and its results"), "round"),
    ("round", "start"): _Button("start", Message("Start the clock"), "round"),
    ("player", "return"): _Button("return", Message("Let {value} back in"), "who"),
    ("player", "check-in"): _Button("check-in", Message("Check in {value}"), "who"),
    ("player", "waive-deck"): _Button("waive-deck", Message("Let {value} play without a decklist"), "who"),
    ("event", "close"): _Button("close", Message("End the event")),
    ("event", "reopen"): _Button("reopen", Message("Reopen the event")),
    ("event", "undo"): _Button("take-back", Message("Undo: entry {value}"), "entry"),
    ("event", "redo"): _Button("put-back", Message("Redo: entry {value}"), "entry"),
}
"""Noun and verb of a command → the button that replaces it."""


def _anyway(form: RefusedForm) -> Remedy | None:
    """Return a button that sends the refused form again with `anyway` ticked."""
    if form.act not in {"pair", "pair-by-hand", "deck"}:
        return None
    fields = tuple((name, value) for name, value in form.fields.items() if name not in _OF_THE_PAGE)
    if form.act == "deck":
        label: str = Message("Accept the list even if it is illegal or decks are locked")
    else:
        label = pair_labels(form.state).anyway
    return Remedy(form.act, label, (*fields, ("anyway", "1")))


_OF_THE_PAGE = frozenset({"key", "once", "at", "anyway"})


def _pair(form: RefusedForm, words: Sequence[str]) -> Remedy | None:
    if words == ["--anyway"] and form.act == "pair":
        return _anyway(form)
    if words in ([], ["--anyway"]):
        anyway = (("anyway", "1"),) if words else ()
        labels = pair_labels(form.state)
        return Remedy("pair", labels.anyway if words else labels.pair, (form.next_round, *anyway))
    return _anyway(form) if form.act == "pair-by-hand" and "--anyway" in words else None


def _drop(form: RefusedForm, words: Sequence[str]) -> Remedy | None:
    if words == ["--absent"]:
        return Remedy("drop-absent", Message("Drop absent players"))
    return _Button("drop", Message("Drop {value}"), "who").remedy(form, words)


def _repair(form: RefusedForm, words: Sequence[str]) -> Remedy | None:
    label = Message("Seat now") if form.act in {"late", "return"} else Message("Repair the pairings")
    return _Button("repair", label, "round").remedy(form, words)


def _cut(form: RefusedForm, words: Sequence[str]) -> Remedy | None:
    lot, third = "--lot" in words, "--third-place" in words
    size, *others = [word for word in words if word not in {"--lot", "--third-place"}] or [""]
    size = str(cut_to_come(form.state) or "") if size == "N" else size
    if others or not size.isdecimal():
        return None
    ticks = tuple((name, "1") for name, is_set in (("lot", lot), ("third", third)) if is_set)
    fields = (form.this_round, ("size", size), *ticks)
    if lot:
        label = Message("Cut to the top {size}, ties broken by lot", size=int(size))
    else:
        label = Message("Cut to the top {size}", size=int(size))
    return Remedy("cut", label, fields)


def _slip(form: RefusedForm, words: Sequence[str], change: bool = False) -> Remedy | None:
    """Return a button that enters a result; None if the score is only an example."""
    round_ = form.state.round
    if list(words[-2:]) == ["--round", form.this_round[1]]:
        words = words[:-2]
    if not change and form.act != "slip" and round_ is not None and round_.open_tables:
        example = shlex.split(result_line(form.state, round_).strip("`"))
        if ["tourney", "result", "add", *words] == example:
            return None
    words = [_typed_score(form) or word if word == "SCORE" else word for word in words]
    if len(words) < 2 or any(word.startswith("--") or _PLACEHOLDER.fullmatch(word) for word in words):
        return None
    line = " ".join(["change", *words] if change else words)
    if change and words[1:] == ["-"] and words[0].isdecimal():
        label = Message("Remove the result of table {table}", table=words[0])
    else:
        label = Message("Enter: {line}", line=line)
    return Remedy("slip", label, (form.this_round, ("slip", line)))


def _typed_score(form: RefusedForm) -> str:
    """Return the score in a result line that was refused: `2-1` for `4 2-1`.

    Returns empty text if `form` is not the form for result lines. Also returns it if the line cannot be
    parsed, has no score, has points, or says how the game ended.
    """
    try:
        report = parse_line(form.fields.get("slip", "")) if form.act == "slip" else None
    except TourneyError:
        return ""
    return report.score_text if report is not None and report.points is None and not report.ended else ""


_SPECIAL: Mapping[tuple[str, ...], Callable[[RefusedForm, Sequence[str]], Remedy | None]] = {
    ("round", "next"): _pair,
    ("round", "pair"): _pair,
    ("round", "repair"): _repair,
    ("player", "drop"): _drop,
    ("event", "cut"): _cut,
    ("result", "add"): _slip,
    ("result", "change"): partial(_slip, change=True),
}
"""Noun and verb of a command → a function that returns its button.

The button depends on the options of the command or on the refused form.
"""


# -- the next step


class PairLabels(NamedTuple):
    """The labels of the buttons that pair the next round: normally, despite an error, by hand."""

    pair: str
    anyway: str
    by_hand: str


def pair_labels(state: State) -> PairLabels:
    """Return the labels for the next round.

    In a bracket, the labels name the round: `Pair the semifinals`.
    """
    title = _next_of_bracket(state)
    if not title:
        number = len(state.rounds) + 1
        return PairLabels(
            Message("Pair round {round}", round=number),
            Message("Pair round {round} anyway", round=number),
            Message("Pair round {round} by hand", round=number),
        )
    stage = in_a_sentence(title)
    return PairLabels(
        Message("Pair {stage}", stage=stage),
        Message("Pair {stage} anyway", stage=stage),
        Message("Pair {stage} by hand", stage=stage),
    )


def _next_of_bracket(state: State) -> str:
    """Return the name of the next round of the bracket; empty if there is none."""
    if state.cut is None:
        return ""
    try:
        labels = bracket_of(state, state.cut).labels
    except TourneyError:  # an older version made an entry, or the round before is still being played
        return ""
    return cut_title(labels) if labels else ""


class OfferedStep(Struct, frozen=True, kw_only=True):
    """The next step that the page offers.

    act:       `pair`, `by-hand`, `cut` or `close`; empty if there is no next step
    lines:     sentences to show before the button
    refused:   whether `lines` say why the step is not possible yet
    remedies:  buttons that can help if it is not possible
    size:      the size of the cut
    lot:       whether the cut needs a lot to break ties
    can_close: whether the event may end without the cut
    can_pair:  whether a round that is not ready can be paired anyway
    """

    act: str = ""
    lines: tuple[str, ...] = ()
    refused: bool = False
    remedies: tuple[Remedy, ...] = ()
    size: int = 0
    lot: bool = False
    can_close: bool = False
    can_pair: bool = False


NOTHING = OfferedStep()


def next_step(desk: Desk, role: Role) -> OfferedStep:
    """Return the next step of an event between two rounds.

    The step is tried on the event without writing anything.
    """
    state = desk.state
    if state.closed or state.open_round is not None or (not state.rounds and len(state.playing) < 2):
        return NOTHING
    act, size = _choose_step(desk, state)
    if act == "pair":
        return _pairing(desk, role)
    if act == "cut":
        return _cutting(desk, size, role)
    if act == "close":
        return _closing(state, role)
    return NOTHING


def _choose_step(desk: Desk, state: State) -> tuple[str, int]:
    """Return the next step, and the size of the cut (0 if it is not a cut)."""
    if state.cut is not None:
        try:
            return ("close" if bracket_of(state, state.cut).is_finished else "pair"), 0
        except TourneyError:  # an older version made an entry; the page says so in a sentence
            return "", 0
    planned = planned_rounds(state)
    if not state.rounds or planned is None or len(state.rounds) < planned:
        return "pair", 0
    size = min(cut_to_come(state, desk.rules.profile), len(state.playing))
    return ("cut", size) if size > 1 else ("close", 0)


def _pairing(desk: Desk, role: Role) -> OfferedStep:
    state = desk.state
    if state.settings.pairing.system == "manual" and state.cut is None:
        return OfferedStep(act="by-hand")
    if len(state.playing) > MOST_TRIED:
        return OfferedStep(act="pair")
    fault = _fault(desk, lambda: desk.pair_round(manner=Manner(careful=True)))
    return OfferedStep(act="pair") if fault is None else _not_yet(fault, "pair", desk, role)


def _cutting(desk: Desk, size: int, role: Role) -> OfferedStep:
    if role is not Role.ORGANIZER:
        return OfferedStep(
            lines=(Message("Next: the cut to the top {size}. The organizer makes it.", size=size),)
        )
    fault = _fault(desk, lambda: desk.cut(size))
    if fault is None:
        return OfferedStep(act="cut", size=size, can_close=True)
    if _fault(desk, lambda: desk.cut(size, lot=True)) is None:
        line, _ = refusal_text(fault)
        return OfferedStep(act="cut", size=size, lot=True, lines=(line,), can_close=True)
    return _not_yet(fault, "cut", desk, role)


def _closing(state: State, role: Role) -> OfferedStep:
    lines = tuple(filter(None, [champion(state)]))
    if role is not Role.ORGANIZER:
        return OfferedStep(lines=(*lines, Message("Next: the organizer ends the event.")))
    return OfferedStep(act="close", lines=lines)


def champion(state: State) -> str:
    """Return a sentence that names the winner of the bracket; empty if there is none yet."""
    if state.cut is None:
        return ""
    try:
        winner = winner_of(state, bracket_of(state, state.cut))
    except TourneyError:
        return ""
    return Message("{name} has won.", name=state.name_of(winner)) if winner is not None else ""


def _fault(desk: Desk, change: Callable[[], object]) -> TourneyError | None:
    """Return the error that a change would cause; None if it would succeed."""
    try:
        with desk.trying():
            change()
    except TourneyError as fault:
        return fault
    return None


def _not_yet(fault: TourneyError, act: str, desk: Desk, role: Role) -> OfferedStep:
    state = desk.state
    form = RefusedForm(act, {"round": str(len(state.rounds) + 1)}, state)
    helps = remedies(fault.hint or "", form, role)
    anyway = any(button.act == "pair" and ("anyway", "1") in button.fields for button in helps)
    return OfferedStep(
        lines=tuple(filter(None, refusal_text(fault))), refused=True, remedies=helps, can_pair=anyway
    )
