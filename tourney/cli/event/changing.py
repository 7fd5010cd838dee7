"""`tourney event new` to `reopen`: the commands that make and change an event."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, cast

import click

from tourney.cli.command import change_command, command
from tourney.cli.options import (
    F,
    apart,
    banlist_option,
    choice,
    file_option,
    flag,
    format_option,
    parse_settings,
    players,
    positive,
    profile_option,
    reason,
    repeatable,
    together,
)
from tourney.cli.session import Dice, Session, new_place
from tourney.desk import Desk, Receipt
from tourney.errors import TourneyError
from tourney.event.settings import UnknownSettingError, help_texts

# -- tourney event new, change, rebase: an event and its rules


def _setting_options(function: F) -> F:
    """Add the options for settings to a command. It gets them as `settings`: setting → value."""

    @wraps(function)
    def call(
        *args: Any, rounds: str | None, keep_apart: tuple[str, ...], more: tuple[str, ...], **others: Any
    ) -> Any:
        named = {key: others.pop(key) for key in ("best_of", "goal", "minutes", "beacon")}
        values = parse_settings([*more, *([f"rounds={rounds}"] if rounds is not None else [])])
        values |= {key: value for key, value in named.items() if value is not None}
        if "beacon" in values and str(values["beacon"]).casefold() == "none":
            values["beacon"] = ""
        if isinstance(word := values.get("keep_apart"), str):
            keep_apart = (word, *keep_apart)
        if keep_apart:
            values["keep_apart"] = apart(keep_apart)
        return function(*args, settings=values, **others)

    return cast("F", _named_settings(call))


_named_settings = together(
    click.option("--rounds", metavar="N|none", help="The number of Swiss rounds planned; none: open-ended."),
    click.option("--best-of", type=int, help="The most games in a match: 1, 3, 5 …"),
    click.option("--goal", type=int, help="Victory points to reach, if the game has them."),
    click.option("--minutes", type=int, help="Minutes in a round; 0: no limit."),
    click.option(
        "--beacon",
        metavar="SOURCE|none",
        help="A future public value, such as a lottery draw or a round of drand, "
        "that becomes part of every seed.",
    ),
    repeatable(
        "--keep-apart",
        metavar="KIND[:ROUNDS]",
        help="Keep players with the same tag apart, unless that would pair players further apart in points; "
        "for a hard rule use `round forbid`.",
    ),
    repeatable("--set", "more", metavar="KEY=VALUE", help="Any other setting; see below."),
)


@contextmanager
def _hint_at_option() -> Iterator[None]:
    """Let the error say so if `--set` names an option of the command.

    An example is `--set profile=mtr`.
    """
    try:
        yield
    except UnknownSettingError as error:
        option = f"--{error.key.replace('_', '-').casefold()}"
        options = {
            name for parameter in click.get_current_context().command.params for name in parameter.opts
        }
        if (
            option in options and option != "--goal"
        ):  # `goal` is a choice of the format, which this one does not have
            raise TourneyError(error.message, f"give it as the option `{option}`") from None
        raise


_OWN_OPTIONS = {"rounds", "best_of", "minutes", "beacon", "keep_apart", "choices"}
"""Settings that have an option, and `choices`.

`--set` takes each choice of the format by its own name.
"""

_SETTINGS = {
    **help_texts(without=_OWN_OPTIONS),
    "Choices of the format (--set)": {"…": "Such as goal; `tourney format show` lists them."},
}


@command("new", signed=True, notes=_SETTINGS)
@click.argument("name")
@format_option("The format; `tourney format list`.")
@banlist_option("A ban list instead of the format's, or `none`.")
@profile_option("Points and tie-breaks; `tourney standings profiles`.")
@click.option("--on", metavar="DAY", help="The day (YYYY-MM-DD) whose ban list applies. Default: today.")
@flag("--sealed", help="Publish the hash of the pairing secret now, and the secret at `event close`.")
@click.option(
    "--seed",
    metavar="TEXT",
    help="Derive the secret from TEXT. The pairings can be repeated, "
    "and anyone who knows TEXT can foresee them.",
)
@file_option
@_setting_options
def new(
    session: Session, *, name: str, format_name: str | None, seed: str | None, file: str | None, **rules: Any
) -> None:
    """Make an event: one file in this folder, or an event in a database (`-e pg:friday`).

    Examples:
      tourney event new "Friday Diamonds" --format red-diamond/standard --rounds 5
      tourney event new "League day 3" --format redline/standard --banlist none --keep-apart club:2
      tourney event new Open --format dimrift/classic --profile mtr --set first_round=fold --sealed
      tourney event new Cup --format redline/standard --sealed --beacon "drand quicknet, round 14412000"
    """
    if format_name is None:
        names = ", ".join(f"`{format_}`" for format_ in session.library().formats())
        raise TourneyError("which format is it?", f"--format NAME; there are {names}")
    place, workplace = new_place(file, name), session.workplace(Dice(seed) if seed else None)
    with (
        _hint_at_option(),
        Desk.create(place, workplace, name=name, format_name=format_name, **rules) as desk,
    ):
        assert desk.last is not None, "a creation has a receipt"
        session.answer(desk.last, file=str(desk.place))
    if file is None:
        session.warn_of_another(place)


@command("change", changes=True, notes=_SETTINGS)
@click.option("--name", help="A new name. The file is not renamed.")
@profile_option("The standings profile.")
@_setting_options
@reason
def change(session: Session, **changes: Any) -> None:
    """Change the event's name, its standings profile or its settings.

    Examples:
      tourney event change --rounds 6
      tourney event change --profile mtr --reason "as announced"
    """
    if not any(changes[key] for key in ("name", "profile", "settings")):
        raise click.UsageError("name a change: --name, --profile, --rounds …")
    with session.desk() as desk, _hint_at_option():
        session.answer(desk.change(**changes))


@change_command("rebase")
@click.option(
    "--on", metavar="DAY", help="The day (YYYY-MM-DD) whose ban list applies. Default: the event's."
)
@reason
def rebase(desk: Desk, on: str | None, reason: str | None) -> Receipt:
    """Adopt the current format, ban list and profile.

    Until then the event keeps those it started with.

    Examples:
      tourney event rebase
      tourney event rebase --on 2026-12-01
    """
    return desk.rebase(on=on, reason=reason)


# -- tourney event beacon, undo, redo, cut, seed, close, reopen


@change_command("beacon")
@click.argument("value", nargs=-1, required=True)
def beacon(desk: Desk, value: tuple[str, ...]) -> Receipt:
    """Enter the value of `event new --beacon` as it was published, after registration.

    It becomes part of every seed, so that even the organizer could not choose the pairings by choosing the
    event's secret. It is entered once, and cannot be undone after a round was paired with it.

    Examples:
      tourney event beacon 3 14 15 27 38 44
      tourney event beacon 8a9f21c0
    """
    return desk.enter_beacon(" ".join(value))


@change_command("undo", seats=True)
@click.argument("entry", type=click.IntRange(min=1), required=False)
@reason
def undo(desk: Desk, entry: int | None, reason: str | None) -> Receipt:
    """Undo your own last entry, or another one. It stays in the log.

    An entry on which later entries depend cannot be undone; the command names them.

    Examples:
      tourney event undo
      tourney event undo 57 --reason "wrong slip"
    """
    return desk.undo(entry, reason=reason)


@change_command("redo", seats=True)
@click.argument("entry", type=click.IntRange(min=1), required=False)
@reason
def redo(desk: Desk, entry: int | None, reason: str | None) -> Receipt:
    """Undo your own last undo, or the undo of an entry.

    Examples:
      tourney event redo
      tourney event redo 57
    """
    return desk.redo(entry, reason=reason)


@change_command("cut")
@click.argument("size", type=click.IntRange(min=2))
@choice("--kind", ["single", "double"], help="Single or double elimination.")
@flag("--reseed", help="In each round, pair the best seed left with the worst seed left.")
@flag("--third-place", help="The losing semifinalists play for third place.")
@choice("--vacancy", ["opponent", "highest-seed"], help="Who gets the bye if a player of the cut drops out.")
@flag("--lot", help="Decide by lot, from the event's seed, between players who are level on all tie-breaks.")
@positive("--seats", type=click.IntRange(min=2), help="Players at a table. Default: the event's number.")
@positive("--advance", help="How many advance from a table of three or more. Default: the event's number.")
def cut(desk: Desk, size: int, **how: Any) -> Receipt:
    """Make the bracket of the best SIZE players still in the event; `round next` pairs it.

    At tables of three and more, SIZE must fill the tables of every round: 3, 9 or 27 if one of three
    advances. Seeds are dealt in a snake: 1, 2, 3 to tables 1, 2, 3, then 4, 5, 6 to tables 3, 2, 1. The seat
    of a player who leaves stays empty.

    Examples:
      tourney event cut 4
      tourney event cut 8 --reseed --third-place
      tourney event cut 9 --seats 3
    """
    return desk.cut(size, **how)


@command("seed", changes=True)
@click.argument("who", metavar="[PLAYER]...", nargs=-1, shell_complete=players)
@click.option(
    "--from", "source", metavar="FILE", help="A file of players in seed order, one per line; `-`: stdin."
)
def seed(session: Session, who: tuple[str, ...], source: str | None) -> None:
    """Seed a bracket by hand.

    This needs an event made with `--set system=elimination --set seeding=hand`. Name all playing players, the
    first seed first. Until round 1 is paired, you can seed again.

    Examples:
      tourney event seed Mira Tomo Ansel Bryn
      tourney event seed --from seeds.txt
    """
    if bool(who) == (source is not None):
        raise click.UsageError("name the players, or a file of them with --from")
    lines = session.read_text(source).splitlines() if source else who
    with session.desk() as desk:
        session.answer(desk.seed(*(line.strip() for line in lines if line.strip())))


@change_command("close")
def close(desk: Desk) -> Receipt:
    """End the event. The secret of a sealed event is revealed.

    Examples:
      tourney event close
    """
    return desk.close()


@change_command("reopen")
@reason
def reopen(desk: Desk, reason: str | None) -> Receipt:
    """Reopen a closed event.

    Examples:
      tourney event reopen --reason "a late appeal"
    """
    return desk.reopen(reason=reason)
