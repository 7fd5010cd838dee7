"""`tourney event new`, `change`, `rebase`, `deck`: what holds in an event: its rules, its settings, what everybody plays with."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from tourney.cli.command import command
from tourney.cli.completing import parts
from tourney.cli.event.files import file_name, file_option
from tourney.cli.options import (
    anyway,
    apart,
    banlist_option,
    format_option,
    profile_option,
    reason,
    settings,
    together,
    trust_declared,
)
from tourney.cli.output import Exit
from tourney.cli.session import Dice, Session, answer, answering, source_of
from tourney.errors import TourneyError

# -- tourney event new, change, rebase: starting an event, and its own rules


_setting_options = together(
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
        "--keep-apart",
        multiple=True,
        metavar="KIND[:ROUNDS]",
        help="Keep those with the same tag apart where that makes no gap in points wider: a wish; `round forbid` is a rule.",
    ),
    click.option("--set", "more", multiple=True, metavar="KEY=VALUE", help="Any other setting; see below."),
)


_SETTINGS = {
    "Settings for --set": {
        "system": "swiss, round-robin, pods, elimination, dutch or manual.",
        "seats": "Players at a table: [3], or all sizes that will do, the best first: [4, 5, 3].",
        "cut_seats": "Players at a table of the cut, or of an elimination: one of `seats`; 0: the first of them.",
        "cut_advance": "How many go on from each table of the cut, where it has three seats and more; 1 unless the format has more.",
        "sides": 'Names of unequal sides in seat order: ["red", "blue"].',
        "draws": "false where a match cannot end without a winner.",
        "first_round": "random, fold or slide (the latter two by rating).",
        "last_round": "swiss or rank.",
        "late": "What a late player has for rounds missed: absent, bye, half-bye.",
        "awarded_bye_counts, half_bye_counts": "Whether such a bye counts as an earlier one when the odd bye is given.",
        "no_show_meets": "Whether a table where somebody did not show counts as a meeting.",
        "double": "Round robin: everybody twice; elimination: out after the second loss.",
        "seeding": "Elimination: by rating, registration, lot, or hand (then `event seed`).",
        "public_names": "How pages call players: `full`, or `short` (`Anna S.`); who is under age is always shortened.",
        "public_divisions": "Divisions on pages: careful (none where a player in one is under age), shown, or hidden.",
        "decklists": "Whose lists pages show: closed, cut (who is in it, once it is made), end (all, once over) or all (from round 1).",
        "third_place": "Elimination: the losers of the semifinals play for the third place.",
        "left_early": "Round robin: games of whoever left before half of them: void (FIDE's rule, in new ones) or counts.",
        "first_table": "The number of the first table.",
        "no_show": "Whoever did not show in the last round: tell, drop (by the next pairing or the cut) or keep.",
        "deck_lock": "From when decks are taken on your word only: round-1, 19:30 (today) or a whole time; none.",
        "publish_to": "The folder that `round next` publishes to, as seen from the event's file; none.",
        "post_to": "Where `round next` posts to: names that `tourney publish --remember NAME -` keeps addresses under; none.",
        "address": "Where those pages are seen, https://…: slips and badges have its code then; none.",
        "slips": "false where result slips are not to be published.",
        "lists": "false where players hand in no decklists.",
        "day": 'What players should know of the day, on the pages: ["doors at 18:00", "5 euros to enter"].',
        "penalties": "The list judges give penalties by; `tourney penalty rules` shows it.",
        "…": "Choices of the format, such as goal; `tourney format show` lists them.",
    }
}


@command(
    "new",
    signed=True,
    examples=[
        'tourney event new "Friday Diamonds" --format red-diamond/standard --rounds 5',
        'tourney event new "League day 3" --format redline/standard --banlist none --keep-apart club:2',
        "tourney event new Open --format dimrift/classic --profile mtr --set first_round=fold --sealed",
        'tourney event new Cup --format redline/standard --sealed --beacon "drand quicknet, round 14412000"',
    ],
    notes=_SETTINGS,
)
@click.argument("name")
@format_option("The format; `tourney format list`.")
@banlist_option("Another ban list than the format's, or none.")
@profile_option("Points and tie-breaks; `tourney standings profiles`.")
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
@file_option
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
        names = ", ".join(f"`{each}`" for each in library.formats())
        raise TourneyError("which format is it?", f"--format NAME; there are {names}")
    desk = Desk.create(
        Path(file) if file else file_name(name),
        name=name,
        format_name=format_name,
        by=session.by,
        clock=session.now,
        randomness=Dice(seed) if seed else session.entropy,
        library=lambda: library,
        profile=profile,
        banlist=banlist,
        on=on,
        sealed=sealed,
        **_settings(given),
    )
    with desk:
        assert desk.last is not None, "a creation has a receipt"
        answer(session, desk.last, file=str(desk.path))


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    """Gather the settings that were named, the plain options and those of --set."""
    values = settings(given["more"])
    if given["rounds"] is not None:
        values |= settings([f"rounds={given['rounds']}"])
    values |= {key: given[key] for key in ("best_of", "goal", "minutes") if given[key] is not None}
    if given["beacon"] is not None:
        values["beacon"] = "" if given["beacon"].casefold() == "none" else given["beacon"]
    if given["keep_apart"]:
        values["keep_apart"] = apart(given["keep_apart"])
    return values


@command(
    "change",
    event=True,
    dry_run=True,
    examples=[
        "tourney event change --rounds 6",
        'tourney event change --profile mtr --reason "as announced"',
    ],
    notes=_SETTINGS,
)
@click.option("--name", help="Another name; the file keeps its own.")
@profile_option("Another standings profile.")
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


# -- tourney event deck: what everybody plays with


@command(
    "deck",
    event=True,
    dry_run=True,
    examples=[
        "tourney event deck missions missions.txt",
        "tourney event deck missions missions.txt --trust-declared",
        "tourney event deck layout layout.txt --table 3",
        "tourney event deck missions",
        "tourney event deck",
    ],
)
@click.argument("part", required=False, shell_complete=parts)
@click.argument("file", type=click.Path(allow_dash=True), required=False)
@click.option(
    "--table", type=int, metavar="N", help="What the players of a table have agreed upon for this round."
)
@trust_declared("Believe the facts that the list declares where the pool knows nothing; the log says so.")
@anyway
def deck(
    session: Session,
    part: str | None,
    file: str | None,
    *,
    table: int | None,
    trust_declared: bool,
    anyway: bool,
) -> Exit | None:
    """Check a list that everybody plays with, such as the organizer's mission deck, and register it with the event.

    Which parts of a deck can be everybody's says the format, and whether they are, the organizer's choices. Without a
    file, print the list that is registered; without a part, say what there is and what is missing. An illegal list is not
    registered (1); one that cannot be settled is, and the command leaves with 4.

    With `--table` it is what the players of a table have agreed upon, such as the layout of a scenario: it goes before their own
    lists in this round.
    """
    if part is None:
        _tell_shared(session)
        return None
    if file is None:
        _print_shared(session, part, table)
        return None
    data, source = session.read(file), source_of(file)
    with session.desk() as desk:
        if table is None:
            receipt = desk.share_deck(part, data, source=source, trust_declared=trust_declared, anyway=anyway)
        else:
            receipt = desk.agree_deck(
                table, part, data, source=source, trust_declared=trust_declared, anyway=anyway
            )
    from tourney.cli.player.decks import tell_deck

    with answering(session, receipt) if receipt.entries else nullcontext():
        tell_deck(session, receipt)
    return {"illegal": None if receipt.entries else Exit.FOUND, "unverified": Exit.UNVERIFIED}.get(
        receipt.verdict
    )


def _tell_shared(session: Session) -> None:
    """Say which parts everybody shares, which list each has, and what is missing at the tables of the round."""
    from tourney.desk.shared_decks import agreements, doubts, views

    with session.desk() as desk:
        shown, round_ = views(desk), desk.state.round
        tables = [(each.number, each.seats) for each in round_.tables.values()] if round_ else []
        missing = list(doubts(desk, tables))
        agreed = agreements(desk)
    if session.json:
        told = {"decks": shown, "missing": missing, **({"agreed": agreed} if agreed else {})}
        session.emit("event-decks/1", told)
        return
    if not shown and not missing and not agreed:
        session.say("Nobody shares a deck in this event")
    rows = [(view.name, view.entered) for view in shown]
    rows += [
        (f"{each['name']} of table {each['table']}", f"{each['verdict']} (entry {each['entry']})")
        for each in agreed
    ]
    if rows:
        session.table((), rows)
    for each in missing:
        session.talk(f"note: {each}")


def _print_shared(session: Session, typed: str, table: int | None) -> None:
    """Print the list that is registered for a part, with a table: its players' own."""
    from tourney.desk.shared_decks import part_named, text_of

    with session.desk() as desk:
        part = part_named(desk, typed)
        text = text_of(desk, part, table)
    if session.json:
        session.emit("event-deck/1", {"part": part.id, "name": part.name or part.id, "text": text})
    else:
        session.say(text.rstrip("\n"))
