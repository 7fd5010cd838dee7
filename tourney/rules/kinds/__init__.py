"""The kinds of rules a format can have, a class each; what is bound of them judges decks.

`kind.py` what a kind is, and what binds its rules to a pool · `terms.py` what all rules share: handle, bounds, messages ·
`limits.py` `requires.py` `permissions.py` the kinds · `zones.py` the parts of a list: zones, the leader, the kit.
"""

from tourney.rules.kinds.kind import RuleKind
from tourney.rules.kinds.limits import LimitKind
from tourney.rules.kinds.permissions import AllowKind, CoverKind
from tourney.rules.kinds.requires import RequireKind
from tourney.rules.kinds.zones import KitKind

KINDS: tuple[RuleKind, ...] = (LimitKind(), RequireKind(), AllowKind(), CoverKind(), KitKind())  # type: ignore[type-arg]
"""Every kind there is, in the order of the judge's sheet."""
