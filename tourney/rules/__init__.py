"""Formats, rule kinds, expressions, ban lists, and a ruleset on a day."""

from tourney.rules.banlist import BanList, parse_banlist
from tourney.rules.loading import Format, NamedList, parse_format
from tourney.rules.ruleset import Ruleset
from tourney.rules.vocabulary import Placed

__all__ = ["BanList", "Format", "NamedList", "Placed", "Ruleset", "parse_banlist", "parse_format"]
