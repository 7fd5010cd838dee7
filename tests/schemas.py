"""JSON examples of the program, and its schemas, which are checked and extended by them.

A schema file lists every key, so that a reader can rely on it. Other keys are allowed, as JSON gains keys
with time, but the program's output may not contain a key that is not in the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from scripts.reference import documents
from tests.kit import ROOT

FOLDER = ROOT / "tourney" / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
GENERATED = frozenset(documents())
"""Made of the types themselves by `python -m scripts.reference`."""

MAPS = frozenset(
    {
        "choices",
        "agreed",
        "tags",
        "keep_apart",
        "byes",
        "attributes",
        "facts",
        "counts",
        "settings",
        "values",
        "sources",
        "zones",
    }
)
"""Keys whose objects have keys that are data: names, codes, settings."""

OPEN = frozenset({"inputs", "value", "reading", "numbers", "payloads", "printings", "certificate", "op"})
"""Keys whose objects are another's business: a game's, a pool's, a service's; a certificate has a schema of its own."""

MEANINGS = {
    "counts": "Which results are counted, or what counts for how much.",
    "there": "What it is there.",
    "mode": "The way of pairing the round: by chance, by rating or by standings.",
    "level": "Who is level, or the level of a penalty.",
    "op": "What happened; `tag` says of which kind, the other keys are of that kind.",
    "noun": "What is counted.",
    "new_attributes": "Attributes that the pool did not have before.",
    "meaning": "Where the rule is from.",
    "made": "When or by whom it was made, or what it is made of.",
    "division_last": "The last of the places in the division that the player has; the same as the first where it is theirs alone.",
    "division_place": "The first of the places in the division that the player has; null without one.",
    "division": "The name of the division; empty or null without one.",
    "choices": "What may be chosen.",
    "came": "How it ended for the player in the bracket; empty for who was not in it.",
    "schema": "The name of this form of JSON, and its version.",
    "entry": "The number of an entry in the event's journal.",
    "entries": "Numbers of entries in the event's journal.",
    "digest": "A SHA-256, hexadecimal; beside `entry` that of the journal up to that entry.",
    "sha256": "A SHA-256, hexadecimal.",
    "fingerprint": "What tells two contents apart: the first characters of a SHA-256.",
    "hash": "The name of a list by its content: equal lists have equal ones.",
    "dry_run": "Whether nothing was written: what would be is said.",
    "already": "Whether that stood already, and nothing was written.",
    "changed": "What changed, in sentences.",
    "next": "What is next, in sentences.",
    "warnings": "What to look at, though it was done, in sentences.",
    "notes": "What to know about it, in sentences.",
    "hint": "What helps; null where nothing special does.",
    "cite": "Where the rule stands in its source.",
    "severity": "How a finding weighs: error, advice or unverified.",
    "findings": "What a check found.",
    "verdict": "What a list is: legal, illegal or unverified.",
    "message": "What was found, in a sentence.",
    "subjects": "The cards, players or keys that a finding speaks of.",
    "have": "How many there are, where a finding counts.",
    "allowed": "How many there may be, where a finding counts.",
    "at": "The entry after which, or the time at which, this stood.",
    "as_of": "As of what this stands, in words.",
    "exact": "The value as a fraction.",
    "own_check_in": "Whether the player checked in alone, on a phone, and the desk has not seen them.",
    "points": "Points, as the profile counts them.",
    "player": "A player, by name or by the number `id`.",
    "players": "Players, by name, by number or as objects.",
    "round": "The number of a round, from 1.",
    "rounds": "Rounds, in order.",
    "table": "The number of a table.",
    "tables": "Tables, or how many.",
    "seats": "Who sits at a table, in seat order.",
    "byes": "Who has no table and an outcome nevertheless, or how many.",
    "drawn_games": "How many games of a match were drawn.",
    "score": "The score of a match (victory points, diamonds), where its game has one.",
    "rank": "The place in the standings, 1 the best; level players share one; null: out of the ranking.",
    "tiebreaks": "The tie-breaks, in the profile's order.",
    "profile": "The standings profile: points and tie-breaks.",
    "edition": "The day from which an edition of a profile holds.",
    "provisional": "Whether tables still play.",
    "playing": "Tables that still play, or how many.",
    "banlist": "The ban list, by name and day; null: none.",
    "format": "The format, by its id.",
    "game": "The game, by its id.",
    "seed": "What decided what is drawn by lot.",
    "reason": "Why, as somebody said it; null where nobody did.",
    "file": "A file, by its path as it was named.",
    "files": "Files, by their paths.",
    "folder": "The folder that was written to; null where none was.",
    "form": "A form of files, by the name that `--as` and `--form` know.",
    "took": "What was taken from a file, in words.",
    "agrees": "What of the file's own standings is so here, too; null where it has none.",
    "difference": "Where the standings first differ from the file's; null where they do not.",
    "left_out": "What the file says and no event holds.",
    "lost": "What the form cannot hold, or how many were lost.",
    "posts": "What came of posting, an object for each address.",
    "posted": "What went out, in order; in a dry run what would.",
    "payloads": "In a dry run what would be sent, as the service gets it.",
    "fault": "Why the rest was not posted; null where all was.",
    "unsure": "Whether it may have arrived all the same: no answer came.",
    "exit_code": "What the command left with; null where it was not run.",
    "removed": "How many files were removed.",
    "left": "Files that are no longer published and were not removed.",
    "insecure": "Whether http and unvouched certificates will do.",
    "rematches": "How many pairs meet again.",
    "proof": "How it is known that no pairing is better.",
    "engine": "The version of the engine that paired.",
    "cost": "What a pairing costs, level by level, the most important first.",
    "for_the_desk": "Whether it is the desk's to settle: disputed, unanswered for too long, or nobody is left to answer.",
    "waiting": "Whose answer is awaited.",
    "versions": "What each player says it was, the first report first.",
    "agree": "Who confirmed this version.",
    "calls": "Calls for a judge that nobody has answered.",
    "link": "The address of a page that whoever joins opens; null where the event was not served yet.",
    "expires": "Until when a link can be used.",
    "about": "What it is about, in a sentence or two.",
    "above": "Who stands directly above in the standings, and what put them there; null for the first.",
    "account": "What each line of the list was taken for.",
    "address": "The address under which it is reached.",
    "addresses": "The addresses that are kept, by name.",
    "advance": "How many players of a table in the cut advance.",
    "cut.seats": "Players at a table of the cut.",
    "advised": "How many Swiss rounds are advised.",
    "after": "How it was after, or after which round.",
    "against": "What the comparison is with.",
    "age": "How long ago it was fetched.",
    "agreed": "The lists that the players of a table have agreed upon, by table.",
    "alias": "What pages call the player; null: the name.",
    "aliases": "Other names under which the card is found.",
    "always": "Who goes on under each of the profiles.",
    "among": "The players who are level and among whom this tie-break compares.",
    "announced": "The day on which the list was made known; null where it does not say.",
    "answer": "What the rules answer, in a sentence.",
    "apart": "How many groups are shared at tables whose players are to be kept apart.",
    "arguments": "What the question is asked with.",
    "aside": "Cards that stand beside the deck and are not part of it.",
    "asked": "What was asked about.",
    "asks": "What the question asks.",
    "at_least": "How many there are at least.",
    "attribute": "The attribute of a card, as its pool names it.",
    "attributes": "What the pool knows of the card, by attribute.",
    "audit_draws": "Whether the draws of deck checks follow from the event's seed.",
    "audits": "Deck checks: who was drawn, and what was found.",
    "awarded_bye_counts": "Whether an awarded bye is an earlier one when the odd player's bye is given.",
    "awarded_byes": "Rounds for which a full-point bye was awarded.",
    "away": "What holds in the format that this one is like, and not here.",
    "banlists": "Ban lists.",
    "base": "The format that this one is like but for what follows; empty where everything is said.",
    "beacon": "The public value that the seeds wait for; null or empty where they wait for none.",
    "becomes": "What a column became.",
    "before": "How it was before.",
    "below": "Who stands directly below in the standings, and what put the player above them; null for the last.",
    "best": "What costs least.",
    "best.order": "How far tables are from the place that the way of pairing this round would give them.",
    "best_of": "How many games a match has at most.",
    "better": "What proves that nobody with fewer earlier byes or points could have the bye; null where nothing is to be proved.",
    "bound": "The lower bound that no pairing can go below, level by level.",
    "bound.total": "What no round without rematches can cost less than.",
    "bracket": "The bracket, or what came of it for the player; null or empty without one.",
    "by": "Who entered it, or gave it.",
    "by_hand": "Whether the round was paired by hand.",
    "bye": "Who has the bye, or what it counts.",
    "bye_earlier": "Earlier byes of whoever has the bye.",
    "bye_points": "Half points of whoever has the bye.",
    "byes_each": "How many byes everybody has.",
    "card": "The name of a card.",
    "cards": "Cards, by name or as objects.",
    "cause": "What lies behind the findings, where one thing does.",
    "cents": "The money to be given out, or given, in hundredths of the currency.",
    "certificate": "What proves the pairing; its form is `tourney.certificate/1`.",
    "champion": "Who has won the event; empty while nobody has.",
    "changed_cards": "The cards whose number changed, with the zone.",
    "changes": "What changed, an object each.",
    "checked": "What was checked, or when and by whom.",
    "checked_in": "Whether the player has checked in.",
    "choice": "What was chosen.",
    "cites": "Where the rules stand in their source.",
    "claims": "What is claimed of the round, or what players reported from their own phones.",
    "class": "Earlier byes and half points of whoever has the bye.",
    "clean": "Whether the deck was in order; null while it is not checked.",
    "closed": "Whether the event is over.",
    "code": "What it is called for short.",
    "codes": "Codes for players' own phones.",
    "columns": "The columns of a table, or of a list and what they became.",
    "command": "The command line that does it.",
    "comment": "What stands behind a card in the list, after a sign for remarks.",
    "commitment": "What binds to the list without showing it: the SHA-256 of list and salt.",
    "compared": "How the event stands to what it was held against.",
    "complete": "Whether nothing is missing.",
    "contact": "How the desk reaches the player; never published.",
    "continues": "Whether the event goes on from what was published.",
    "contradictions": "Facts of a card that two lists tell differently.",
    "copies": "How many copies of a card.",
    "corrected": "Whether the same was posted before and has changed since.",
    "corrections": "What was read otherwise than it is written, and why.",
    "cost.order": "How far tables are from the place that the way of pairing this round would give them.",
    "cost_fits": "Whether the round costs what its entry says.",
    "count": "How many.",
    "counted": "How many players were counted on.",
    "counts_as": "What the card counts as in limits on copies.",
    "created": "When the event was created.",
    "crossings": "Boundaries between scores that more tables must cross than parity says, each with a witness.",
    "currency": "The currency of the prizes.",
    "cut": "The bracket of the best, how many go on to it, or whether it is about that; null or 0 where there is none.",
    "cuts": "The sizes of a cut that its tables can play out.",
    "date": "The day it is from.",
    "day": "The day for which it holds, or what is to be known of the day.",
    "days": "The days of its editions.",
    "decided_by": "What decided: a level of the cost, or `forced`, `impossible`, `not-possible`, `seed`, `edited`, `bracket`.",
    "deck": "The player's decklist as it is registered; null without one.",
    "deck_checks": "The checks of the player's deck.",
    "decks": "Decklists, an object each.",
    "declared": "Facts of cards that a list declares itself, where the pool knows nothing.",
    "default": "What holds where nothing is chosen.",
    "departure": "When and why the player left; null where they have not.",
    "device": "The name of a device.",
    "devices": "The devices that may do something in the event.",
    "differences": "The squares of the differences in points at the tables, added up.",
    "differs": "The first entry that is another; null where none is.",
    "disqualified": "Whether, or since when, the player is disqualified.",
    "drawn": "Who or what was drawn, or how many are drawn.",
    "draws": "Whether a match may be drawn.",
    "dropped": "After which round the player left; null where they have not.",
    "duals": "The values at the players that prove the bound.",
    "earlier": "Earlier penalties of the same player for the same.",
    "editions": "The editions of a profile, each with the day from which it holds.",
    "edits": "Changes of a round after it was paired.",
    "encoding": "The encoding in which a file was read.",
    "ended": "How the match ended, where not by its score.",
    "ends": "When the round's clock runs out; empty or null where none was started.",
    "event": "The event, by name.",
    "examples": "Examples that the file brings along, and what came of them.",
    "explanation": "Why it is so.",
    "extended": "Minutes that a table has beyond the clock.",
    "extends": "What it builds on; null where it stands alone.",
    "extra": "Minutes that the table was given beyond the clock.",
    "extra_points": "Points that another program gave beside results: round, player and half points.",
    "facts": "Facts, by name.",
    "facts_used": "Facts that a list declares and that were believed.",
    "faults": "What was not as the example says.",
    "fewest": "The smallest number of players at a table.",
    "final": "Everybody's final place, or whether the places are final.",
    "finished": "Whether it is over.",
    "first": "The first of the two, or of the places that are shared.",
    "first_table": "The number of the first table.",
    "fixed_table": "The table at which the player always sits; null without one.",
    "floats": "How many players are moved between groups of points as they were before.",
    "forbidden": "Pairs that must not meet.",
    "forced": "Pairs that have to meet, or the pairing that was asked about.",
    "forced.order": "How far tables are from the place that the way of pairing this round would give them.",
    "forced_bye": "Who has to have the bye; null where nobody has.",
    "formats": "Formats, by id or as objects.",
    "found": "What was found.",
    "from": "From when, or from where.",
    "games": "How many games, or a game's questions.",
    "grammar": "In which form the list is written, as its reader is called.",
    "group": "A group, by name or number.",
    "groups": "Groups.",
    "half_bye_counts": "Whether a half-point bye is an earlier one when the odd player's bye is given.",
    "half_byes": "Rounds for which the player asked for a half-point bye.",
    "handle": "The name of a line of the sheet, by which an event says it otherwise; empty without one.",
    "header": "What stands above a column.",
    "held": "Whether nobody but the desk is to see it yet.",
    "help": "What it is, in a sentence.",
    "how": "How it came about.",
    "id": "The number or name by which the program knows it.",
    "imbalance": "The squares of first sides less second sides after the round, added up over the players.",
    "imported": "What is known of an event that another program made; null for one made here.",
    "in_force": "What holds on the day that was asked about.",
    "infraction": "What was done, by the name in the list of penalties.",
    "infractions": "What can be done wrong, with the penalty for it.",
    "inputs": "What the question was asked with.",
    "keep_apart": "Kind of tag: for how many first rounds its members are kept apart (0: always).",
    "kind": "Of what kind it is.",
    "kinds": "The kinds there are.",
    "known": "Whether the program knows what it is.",
    "label": "What the match is in a bracket; empty elsewhere.",
    "last": "The last of the places that are shared; the same as the first where it is one's own.",
    "late": "What a late player has for the rounds missed; null for others.",
    "left_early": "Who left before half of the games, whose games may not count.",
    "legal": "Whether it is allowed by the rules.",
    "levels": "The levels of penalties, the mildest first.",
    "line": "The number of a line, from 1.",
    "lines": "Lines, by number or as objects.",
    "list": "The list of players that was read.",
    "lists": "Decklists.",
    "leaving": "Whether the player leaves after the round that is being played.",
    "loss": "What a penalty takes away; null where nothing.",
    "lower_is_better": "Whether the lower value stands above.",
    "mark": "How firmly it stands: `law`, `reading`, `elsewhere` or `house`.",
    "markdown": "The text as Markdown.",
    "marks": "Marks of a printing that stand behind a card.",
    "matches": "The player's matches, round by round.",
    "matches.result": "What came of the match, as the player would say it.",
    "max": "How many there may be.",
    "means": "What it means, in a sentence.",
    "met": "What players who are level won against each other.",
    "minor": "Whether the player is under age: pages shorten the name.",
    "minutes": "The length of the round in minutes; 0: no limit.",
    "minutes_more": "Minutes that a table has beyond the clock.",
    "missing": "What is not there.",
    "more": "How much more it costs, level by level.",
    "most": "The largest number of players at a table.",
    "name": "What it is called.",
    "names": "Names.",
    "new": "The newer of the two.",
    "no_bye": "Who must not have the bye.",
    "no_show_meets": "Whether a table at which somebody did not show counts as a meeting.",
    "no_shows": "Rounds in which the player did not show.",
    "note": "What is to be said of it; empty or null where nothing is.",
    "number": "The number of it.",
    "numbers": "The numbers that a sentence tells.",
    "of": "Of how many.",
    "offline": "Whether what was fetched before was taken, as nothing could be reached.",
    "old": "The older of the two.",
    "on": "The day for which it holds.",
    "open": "Whether it is not settled yet.",
    "opens": "Whether list and salt give that commitment.",
    "opponent": "Whom the player met.",
    "opponents": "Whom the player has met.",
    "optimal": "Whether no pairing is better by the rules of the event.",
    "option": "The option of the command line.",
    "options": "The settings that the pairing follows.",
    "order": "The order that counts.",
    "ordered": "Whether the places of the cards matter.",
    "other_readings": "What other readings of an open place would answer.",
    "outcome": "What came of it for that seat.",
    "overruled": "What the file says and a later line of it takes back.",
    "own": "The player's own value.",
    "part": "The zone of the format, by its id.",
    "parts": "Parts of it, told one by one.",
    "path": "Where the file or the page is.",
    "penalties": "Penalties, an object each.",
    "periods": "Spans of days through which the verdict is the same.",
    "place": "The place; null or empty without one.",
    "places": "Places.",
    "plan": "What is advised, with the reasons.",
    "points.total": "How many points a deck may have.",
    "pool": "The card pool, by name.",
    "pools": "The card pools.",
    "possible": "Whether there is such a pairing at all.",
    "preferred": "The number of players that a table has where that comes out.",
    "price": "What the pairing that was asked about would cost.",
    "printings": "The printings of a card, as the pool has them.",
    "prize": "What goes to the place; empty where nothing is told.",
    "prizes": "What goes to whom.",
    "product": "What is given besides money.",
    "profiles": "Standings profiles.",
    "proofs": "What proves a finding that cannot be seen at once.",
    "proved": "Whether it is proved.",
    "published": "The day from which it is, or what was published.",
    "question": "The question, by name.",
    "questions": "The questions that a judge can have answered.",
    "rating": "The player's rating; null without one.",
    "raw": "The value before it was limited; null where nothing limits it.",
    "read_only": "Whether nobody enters anything from a phone.",
    "reading": "How an open place in the rules is read.",
    "readings": "How open places in the rules are read.",
    "reasons": "Why, a sentence or an object each.",
    "record": "Won, lost and drawn matches, as `3–1–1`.",
    "ref": "The name under which a text lies beside the journal.",
    "refused": "Lines that were not entered, each with why.",
    "registered": "Whether the list was registered.",
    "remarks": "What is to be known of it.",
    "rematch_certain": "From how many rounds on somebody meets somebody again for certain.",
    "rematch_free": "Up to how many rounds nobody has to meet anybody again.",
    "repair": "What would put it right; null where nothing is known to.",
    "reseed": "Whether the bracket is seeded anew after each of its rounds.",
    "result": "What came of the match; null or empty while it is played.",
    "revealed": "Whether the secret was revealed.",
    "role": "What a device may do.",
    "round_digest": "The digest of the entry that paired the round.",
    "round_entry": "The entry that paired the round.",
    "rule": "The rule, by the name in its file.",
    "rules": "The rules.",
    "runs": "Ranges of scores whose players cannot all be paired inside, each with a witness.",
    "said": "What is said of it, in a sentence.",
    "salt": "The salt that was hashed with it.",
    "same": "Whether both are the same.",
    "sat_out": "Who has no table.",
    "says": "What it says, in a sentence.",
    "score_name": "What is counted besides games, as the format calls it; empty where it does not say.",
    "scored": "Victory points or whatever the game counts; empty or null where none were reported.",
    "scores": "The scores by round and seat.",
    "sealed": "Whether the secret of the pairings is kept until the event is closed.",
    "searched": "Which other results were tried, in words.",
    "searched_all": "Whether all of them were tried.",
    "seats_before": "The seats that the player has had.",
    "second": "The second of the two.",
    "second_bye_round": "From which round on somebody has a second bye; null where nobody has.",
    "seconds_left": "Seconds until the clock runs out; below 0 past that.",
    "secret": "The secret that the seeds are made of, or what is known of it.",
    "secret_sha256": "The SHA-256 of the secret, which the event promised before round 1.",
    "sections": "Headings, each with its lines.",
    "seed_follows": "Whether the seed follows from the event's secret.",
    "separated_by": "The tie-break that told the two apart; null where none did.",
    "set": "The set of a printing.",
    "sets": "The sets of the pool.",
    "settings": "The event's settings.",
    "share": "The share, from 0 to 1.",
    "shared": "Lists that everybody plays with.",
    "sheet": "The sheet for players.",
    "shell": "The shell that the script is for.",
    "side": "What the seat plays, where sides are unequal; empty without sides.",
    "side_repeats": "How many players have the same side again.",
    "sides": "The names of unequal sides, in seat order.",
    "since": "From which round, or from which day.",
    "size": "How large it is.",
    "sizes": "How many players a table may have.",
    "sometimes": "Who goes on under some of the profiles and not under others.",
    "sound": "Whether nothing is wrong with it.",
    "source": "Where it is from.",
    "sources": "Where it is from, each with its address.",
    "stage": "Whether the round belongs to the Swiss rounds or to the cut.",
    "stale": "Where results have changed since the pairing: which; empty where they have not.",
    "standing": "Where the player stands, or how firmly a line stands.",
    "standings": "The standings.",
    "started": "When the clock was started; null where it was not.",
    "state": "How it stands.",
    "status": "Where the event stands, in a sentence.",
    "step": "A step of the working, in words.",
    "swaps": "Single other results that would have put the two the other way round.",
    "swiss": "The rank in the Swiss rounds; null without one.",
    "system": "How it is paired.",
    "tags": "Kind of tag: what it says, such as club: Harbour Club.",
    "taken": "Lines that were entered.",
    "taken_as": "What it was taken as.",
    "taken_for": "What a line was taken for: a card, a heading, a remark.",
    "text": "The text.",
    "theirs": "The other player's value.",
    "then": "The command that was run after, and what it left with.",
    "then.command": "The command that was run, word by word.",
    "third_place": "Whether the losers of the semifinals play for the third place.",
    "through": "Who goes on under this profile.",
    "tie": "Who is level at the edge of the cut, in a sentence; null where nobody is.",
    "times": "How often.",
    "times_met": "How often those who meet again have met before, added up.",
    "title": "What people call it.",
    "to": "To what, until when, or whom it went to.",
    "top_cut": "How many are advised to go on.",
    "total": "The sum of it.",
    "typed": "How the argument is typed.",
    "undone": "Whether the entry was taken back.",
    "unknown": "What is not known of it.",
    "unplaced": "Entries that are intact and could not be put in their place.",
    "unread": "What of the list was not read.",
    "unused": "What of the file is not used.",
    "upgrade": "The heavier penalty that repeating it brings; null where none does.",
    "upgrade_reasons": "Why a penalty was made heavier.",
    "upgrades": "Which penalties become heavier when repeated.",
    "usual": "What is usual.",
    "vacancy": "What becomes of the seat of somebody who leaves.",
    "value": "The value.",
    "values": "The values, in the order of the tie-breaks.",
    "version": "The version of it.",
    "versions.command": "The command line that enters this version.",
    "vouched": "Whether, or in which words, somebody believed the facts that the list declares.",
    "vouched_by": "Who believed the facts that the list declares; null where nobody had to.",
    "waived": "Whether the player need hand in no list.",
    "was": "What it was before.",
    "weights": "What each crossing weighs in the bound.",
    "what": "What it is about.",
    "where": "Where it is, or which cards are meant.",
    "why": "Why, in a sentence.",
    "witness": "Players who prove the bound, and what they fall into.",
    "won": "How many were won, or whether the seat won.",
    "words": "It in a sentence.",
    "worked": "The arithmetic that gives the value.",
    "working": "The steps by which the answer is reached.",
    "written": "What is written there, or how many files were written anew.",
    "zone": "The part of the list.",
    "zone_id": "The part of the list, by its id in the format; null where it is none of the format's.",
    "zones": "The parts of the list.",
}
"""What keys mean wherever they stand; `cost.order`: in an object under that key, where it is another thing there."""


def described(schema: Any, inside: str = "") -> Any:
    """Return a schema in which keys without a description get one from `MEANINGS`.

    inside: the key that contains the schema
    """
    if isinstance(schema, list):
        return [described(part, inside) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: described(value, inside) for key, value in schema.items() if key != "properties"}
    if "properties" not in schema:
        return made
    properties = {}
    for name, field in schema["properties"].items():
        meaning = MEANINGS.get(f"{inside}.{name}", MEANINGS.get(name))
        description = {"description": meaning} if meaning and "description" not in field else {}
        properties[name] = {**description, **described(field, name)}
    return {key: properties if key == "properties" else made[key] for key in schema}


_WORD = re.compile(r"[a-z][a-z0-9_]*")


def path_of(name: str) -> Path:
    """Return the file of a schema: `tourney.why-not/1` is in `why-not-1.json`."""
    return FOLDER / f"{name.removeprefix('tourney.').replace('/', '-')}.json"


def named_in_source() -> set[str]:
    """Return every schema name in the source."""
    names = set()
    for path in (ROOT / "tourney").rglob("*.py"):
        for name in re.findall(
            r'"(?:tourney\.)?([a-z]+(?:-[a-z]+)*/[0-9]+)"', path.read_text(encoding="utf-8")
        ):
            names.add(f"tourney.{name}")
    return names


def in_transcripts() -> Iterator[tuple[str, Any]]:
    """Yield each JSON object in the transcripts, with its place."""
    for path in sorted((ROOT / "tests").glob("*/**/*.txt")):
        session = path.read_text(encoding="utf-8").partition("=== session\n")[2]
        for step in f"\n{session}".split("\n$ ")[1:]:
            command, *lines = step.split("\n")
            output = [line for line in lines if not re.match(r"!|> |\[\d+\]$", line)]
            if "--json" in command and output[:1] == ["{"]:
                yield f"{path.relative_to(ROOT)}: {command}", json.loads("\n".join(output))


def strict(schema: Any) -> Any:
    """Return a schema that allows only the keys that it names."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {
        key: {name: strict(item) for name, item in value.items()}
        if key in {"properties", "$defs"}
        else strict(value)
        for key, value in schema.items()
    }
    if "properties" in made:
        made.setdefault("additionalProperties", False)
    return made


def widened(schema: dict[str, Any] | None, values: Iterable[Any]) -> dict[str, Any]:
    """Return a schema that also allows these values, or one made from them. Descriptions stay."""
    for value in values:
        schema = _merged(schema, _of(value))
    assert schema is not None, "a schema is made of something"
    return schema


def grown(schema: dict[str, Any], values: Iterable[Any]) -> dict[str, Any]:
    """Return a schema extended by the new keys of these values, and otherwise unchanged.

    A schema's statement about a key is a promise to readers: a value that breaks it stays a fault, for a
    person to judge. An object or list about which the schema says nothing more may contain anything.
    """
    return _grown(schema, widened(None, values))


def _grown(old_schema: dict[str, Any], seen: dict[str, Any]) -> dict[str, Any]:
    made = dict(old_schema)
    if "properties" in old_schema:
        new = {
            name: field
            for name, field in seen.get("properties", {}).items()
            if name not in old_schema["properties"]
        }
        made["properties"] = {
            name: _grown(field, seen.get("properties", {}).get(name, {}))
            for name, field in old_schema["properties"].items()
        } | new
    if isinstance(old_schema.get("additionalProperties"), dict) and (inner := _values(seen)):
        made["additionalProperties"] = _grown(old_schema["additionalProperties"], widened_by(inner))
    if "items" in seen and "array" in old_schema.get("type", ()):
        made["items"] = _grown(old_schema["items"], seen["items"]) if "items" in old_schema else seen["items"]
    return made


def _of(value: Any, key: str = "") -> dict[str, Any]:
    if value is None:
        return {"type": ["null"]}
    if isinstance(value, bool):
        return {"type": ["boolean"]}
    if isinstance(value, (int, float)):
        return {"type": ["integer" if isinstance(value, int) else "number"]}
    if isinstance(value, str):
        return {"type": ["string"]}
    if isinstance(value, list):
        return {
            "type": ["array"],
            **(
                {"items": widened_by(_of(item, key if key in OPEN else "") for item in value)}
                if value
                else {}
            ),
        }
    if key in OPEN:
        return {"type": ["object"]}
    if key in MAPS or not all(_WORD.fullmatch(name) for name in value):
        inner = {"additionalProperties": widened(None, value.values())} if value else {}
        return {"type": ["object"], **inner}
    return {
        "type": ["object"],
        "properties": {name: _of(item, name) for name, item in value.items()},
        "required": [*value],
    }


def _merged(one: dict[str, Any] | None, other: dict[str, Any]) -> dict[str, Any]:
    if one is None:
        return other
    if not one or not other:  # anything
        return {key: text for key, text in one.items() if key == "description"}
    made = {**one}
    types = {*one.get("type", ()), *other.get("type", ())}
    types -= {"integer"} if "number" in types else set()
    made["type"] = sorted(types)
    if "additionalProperties" in one or "additionalProperties" in other:
        either = [*_values(one), *_values(other)]
        made.pop("properties", None)
        made.pop("required", None)
        made |= {"additionalProperties": widened_by(either)} if either else {}
    elif "properties" in one and "properties" in other:
        names = dict.fromkeys([*one["properties"], *other["properties"]])
        made["properties"] = {
            name: widened_by(side["properties"][name] for side in (one, other) if name in side["properties"])
            for name in names
        }
        made["required"] = [name for name in one["required"] if name in other["required"]]
    else:
        made |= {key: other[key] for key in ("properties", "required") if key in other}
    if "items" in one or "items" in other:
        made["items"] = widened_by(side["items"] for side in (one, other) if "items" in side)
    return made


def _values(schema: dict[str, Any]) -> list[dict[str, Any]]:
    if "additionalProperties" in schema:
        return [schema["additionalProperties"]]
    return [*schema.get("properties", {}).values()]


def widened_by(schemas: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return a schema that allows all values that one of these allows."""
    made: dict[str, Any] | None = None
    for schema in schemas:
        made = _merged(made, schema)
    assert made is not None, "a schema is made of something"
    return made


def written(schema: dict[str, Any]) -> str:
    """Return a schema as in its file: a single type as a word, and nothing about empty values."""

    def plain(each: Any, key: str = "") -> Any:
        if isinstance(each, dict) and each.get("type") == ["null"]:
            return {name: text for name, text in each.items() if name == "description"}
        if isinstance(each, dict):
            return {name: plain(value, name) for name, value in each.items()}
        if isinstance(each, list):
            return each[0] if key == "type" and len(each) == 1 else [plain(value) for value in each]
        return each

    return json.dumps(plain(schema), indent=1, ensure_ascii=False) + "\n"


def read(path: Path) -> dict[str, Any]:
    """Read a schema, each `type` as a list."""

    def listed(each: Any) -> Any:
        if isinstance(each, list):
            return [listed(value) for value in each]
        if not isinstance(each, dict):
            return each
        return {
            name: [value] if name == "type" and isinstance(value, str) else listed(value)
            for name, value in each.items()
        }

    return listed(json.loads(path.read_text(encoding="utf-8")))
