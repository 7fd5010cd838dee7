"""`tourney event new` and what changes an event's own rules."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from tourney.cli.answer import answer
from tourney.cli.command import command
from tourney.cli.completers import banlists, formats, profiles
from tourney.cli.options import apart, reason, settings
from tourney.cli.session import Dice, Session
from tourney.errors import TourneyError

_OPTIONS: list[Callable[[Any], Any]] = [
    click.option("--rounds", metavar="N|none", help="Planned Swiss rounds; none: open-ended."),
    click.option("--best-of", type=int, help="Games a match can have: 1, 3, 5 …"),
    click.option("--goal", type=int, help="Victory points to reach, where the game has them."),
    click.option("--minutes", type=int, help="Minutes in a round; 0: no limit."),
    click.option(
        "--beacon",
        metavar="SOURCE|none",
        help="A public value to come (a lottery's draw, drand's round) that every seed waits for.",
    ),
    click.option(
        "--keep-apart", multiple=True, metavar="KIND[:ROUNDS]", help="Keep those with the same tag apart."
    ),
    click.option("--set", "more", multiple=True, metavar="KEY=VALUE", help="Any other setting; see below."),
]

SETTINGS = {
    "Settings for --set": {
        "system": "swiss, round-robin, pods, elimination, dutch or manual.",
        "seats": "Players at a table: [3], or all sizes that will do, the best first: [4, 5, 3].",
        "sides": 'Names of unequal sides in seat order: ["red", "blue"].',
        "draws": "false where a match cannot end without a winner.",
        "first_round": "random, fold or slide (the latter two by rating).",
        "last_round": "swiss or rank.",
        "late": "What a late player has for rounds missed: absent, bye, half-bye.",
        "awarded_bye_counts, half_bye_counts": "Whether such a bye counts as an earlier one when the odd bye is given.",
        "no_show_meets": "Whether a table where somebody did not show counts as a meeting.",
        "double": "Round robin: everybody twice.",
        "first_table": "The number of the first table.",
        "…": "Choices of the format, such as goal; `tourney format show` lists them.",
    }
}


def _setting_options(function: Any) -> Any:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    """Gather the settings that were named, the plain options and those of --set."""
    found = settings(given["more"])
    if given["rounds"] is not None:
        found |= settings([f"rounds={given['rounds']}"])
    found |= {key: given[key] for key in ("best_of", "goal", "minutes") if given[key] is not None}
    if given["beacon"] is not None:
        found["beacon"] = "" if given["beacon"].casefold() == "none" else given["beacon"]
    if given["keep_apart"]:
        found["keep_apart"] = apart(given["keep_apart"])
    return found


@command(
    "new",
    examples=[
        'tourney event new "Friday Diamonds" --format red-diamond/standard --rounds 5',
        'tourney event new "League day 3" --format redline/standard --banlist none --keep-apart club:2',
        "tourney event new Open --format dimrift/classic --profile mtr --set first_round=fold --sealed",
        'tourney event new Cup --format redline/standard --sealed --beacon "drand quicknet, round 14412000"',
    ],
    notes=SETTINGS,
)
@click.argument("name")
@click.option(
    "--format",
    "format_name",
    metavar="NAME|FILE",
    shell_complete=formats,
    help="The format; `tourney format list`.",
)
@click.option(
    "--banlist",
    metavar="NAME|FILE|none",
    shell_complete=banlists,
    help="Another ban list than the format's, or none.",
)
@click.option(
    "--profile",
    metavar="NAME|FILE",
    shell_complete=profiles,
    help="Points and tie-breaks; `tourney standings profiles`.",
)
@click.option(
    "--on", metavar="DAY", help="The day (YYYY-MM-DD) for which the ban list is picked; else today."
)
@click.option(
    "--sealed", is_flag=True, help="Publish the hash of the pairing secret now, the secret at `event close`."
)
@click.option(
    "--seed",
    metavar="TEXT",
    help="Draw the secret from TEXT: the same pairings again, and no secret any more.",
)
@click.option("--file", "file", metavar="FILE", help="The event's file; by default named after the event.")
@_setting_options
def new(
    session: Session,
    *,
    name: str,
    format_name: str | None,
    banlist: str | None,
    profile: str | None,
    on: str | None,
    sealed: bool,
    seed: str | None,
    file: str | None,
    **given: Any,
) -> None:
    """Start an event: one file, here, that holds everything of it."""
    from tourney.desk import Desk

    library = session.library()
    if format_name is None:
        known = ", ".join(f"`{each}`" for each in library.formats())
        raise TourneyError("which format is it?", f"--format NAME; there are {known}")
    desk = Desk.create(
        Path(file) if file else file_name(name),
        name=name,
        format_name=format_name,
        by=session.by,
        clock=session.now,
        randomness=Dice(seed) if seed else session.entropy,
        library=library,
        profile=profile,
        banlist=banlist,
        on=on,
        sealed=sealed,
        **_settings(given),
    )
    with desk:
        assert desk.last is not None, "a creation has a receipt"
        answer(session, desk.last, file=str(desk.path))


def file_name(name: str) -> Path:
    """Return a file name for an event's name.

    >>> file_name("Friday  Diamonds, März").name
    'friday-diamonds-märz.tourney'
    """
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", name).casefold())
    if not words:
        raise TourneyError(f"no file can be named after `{name}`", "name it: `--file friday.tourney`")
    return Path("-".join(words)[:80] + ".tourney")


@command(
    "change",
    event=True,
    dry_run=True,
    examples=[
        "tourney event change --rounds 6",
        'tourney event change --profile mtr --reason "as announced"',
    ],
    notes=SETTINGS,
)
@click.option("--name", help="Another name; the file keeps its own.")
@click.option("--profile", metavar="NAME|FILE", shell_complete=profiles, help="Another standings profile.")
@_setting_options
@reason
def change(session: Session, name: str | None, profile: str | None, reason: str | None, **given: Any) -> None:
    """Change the event's name, its standings profile or its settings."""
    changes = _settings(given)
    if not (changes or name or profile):
        raise click.UsageError("say what to change: --name, --profile, --rounds …")
    with session.desk() as desk:
        answer(session, desk.change(name=name, profile=profile, reason=reason, **changes))


@command(
    "rebase",
    event=True,
    dry_run=True,
    examples=["tourney event rebase", "tourney event rebase --on 2026-12-01"],
)
@click.option(
    "--on", metavar="DAY", help="The day (YYYY-MM-DD) for which the ban list is picked; else the event's."
)
@reason
def rebase(session: Session, on: str | None, reason: str | None) -> None:
    """Adopt format, ban list and profile as they are now; till then the event keeps those it began with."""
    with session.desk() as desk:
        answer(session, desk.rebase(on=on, reason=reason))
