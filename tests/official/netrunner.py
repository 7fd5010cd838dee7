"""Netrunner cards, dated snapshots and restriction lists of the golden folder as our data."""

import json
from datetime import date
from functools import cache
from typing import Any, NoReturn

import tomli_w

from tests.kit import ROOT, golden
from tourney.cards import parse_pool
from tourney.rules import Ruleset, parse_banlist, parse_format

POOL = """
game     = "netrunner"
complete = true
[attributes]
type = "text"
side = "text"
faction = "text"
deck_limit = "number"
influence_cost = "number"
influence_limit = "number"
minimum_deck_size = "number"
agenda_points = "number"
subtypes = "list"
unique = "flag"
"""
SAME = ("deck_limit", "influence_cost", "influence_limit", "minimum_deck_size", "agenda_points", "subtypes")


def load(name):
    return json.loads(golden("decks", "netrunner-pool", f"{name}.json").read_text(encoding="utf-8"))


def card_line(card):
    renamed = {"type": "card_type_id", "side": "side_id", "faction": "faction_id", "unique": "is_unique"}
    return json.dumps(
        {"id": card["id"], "name": card["title"]}
        | {ours: card[theirs] for ours, theirs in renamed.items()}
        | {key: card[key] for key in SAME if key in card}
        | {"printings": [{"id": code, "set": where} for code, where, _ in card["printings"]]}
    )


@cache
def pool():
    lines = "\n".join(card_line(card) for card in load("cards"))
    return parse_pool(POOL, {"all": lines}, source="netrunner/pool.toml")


def no_parent(name) -> NoReturn:
    raise AssertionError(f"the format needs no other, and asked for {name}")


@cache
def format_():
    text = (ROOT / "tests" / "official" / "netrunner.toml").read_text(encoding="utf-8")
    return parse_format(text, source="netrunner.toml", parent=no_parent)


@cache
def titles():
    return {card["id"]: card["title"] for card in load("cards")}


def snapshots(game_format):
    """Return the dated snapshots of a format, by the day of their list."""
    restrictions = load("restrictions")
    by_day = {}
    for snapshot in load("formats")[game_format]["snapshots"]:
        restriction = restrictions.get(snapshot.get("restriction_id"))
        by_day[date.fromisoformat(snapshot["date_start"])] = (snapshot["card_pool_id"], restriction)
    return by_day


def banlist_toml(game_format, card_pool, restriction):
    """Return a snapshot as a ban list file: its sets, and its restrictions."""
    file: dict[str, Any] = {
        "where": [
            {
                "where": f"not printed(set in {sets_of(game_format, card_pool)})",
                "reason": "not in the card pool",
            }
        ]
    }
    if restriction is None:
        return file
    names = titles()
    file["cards"] = {names[card]: 0 for card in restriction.get("banned", [])}
    if restricted := restriction.get("restricted"):
        file["group"] = [{"name": "restricted", "cards": [names[card] for card in restricted]}]
    for ours, theirs in (("penalty", "global_penalty"), ("universal", "universal_faction_cost")):
        numbers = {
            names[card]: int(number)
            for number, cards in restriction.get(theirs, {}).items()
            for card in cards
        }
        if numbers:
            file.setdefault("lists", {})[ours] = numbers
    for subtype in restriction.get("subtypes", {}).get("banned", []):
        file["where"].append({"where": f"'{subtype}' in subtypes", "reason": f"{subtype} cards are banned"})
    if "point_limit" in restriction:
        points = {
            names[card]: int(number) for number, cards in restriction["points"].items() for card in cards
        }
        file["points"] = {"total": restriction["point_limit"], "per": "name", "cards": points}
    return file


def sets_of(game_format, card_pool):
    cycles = {row["id"]: row["card_cycle_id"] for row in load("card_sets")}
    wanted = next(row for row in load("card_pools")[game_format] if row["id"] == card_pool)
    in_cycles = [card_set for card_set, cycle in cycles.items() if cycle in wanted.get("card_cycle_ids", [])]
    return sorted({*wanted.get("card_set_ids", []), *in_cycles})


@cache
def ruleset_on(day, side="any"):
    """Return the rules of a day, from the latest snapshot until then."""
    return ruleset_of(
        "standard", max(snapshot for snapshot in snapshots("standard") if snapshot <= day), day, side
    )


@cache
def ruleset_of(game_format, start, day, side="any"):
    text = tomli_w.dumps(banlist_toml(game_format, *snapshots(game_format)[start]))
    banlist = parse_banlist(text, source=f"{start}.toml", day=start, name=f"netrunner/{game_format}")
    return Ruleset(format_(), banlist, pool(), day, settings={"side": side})


@cache
def plain_ruleset(side="any"):
    """Return the construction rules alone, which the API checks without a snapshot."""
    return Ruleset(format_(), None, pool(), date(2026, 8, 1), settings={"side": side})
