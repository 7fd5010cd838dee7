"""The kinds of rules a format can have, a class each; what is bound of them judges decks.

`kind.py` what a kind is, what all rules share (handle, bounds, messages), and what binds them to a pool · `limits.py`
(limits and conditions) and `permissions.py` (permissions and coverings) the kinds · `zones.py` the parts of a list: zones,
the leader, the kit.
"""

from tourney.rules.kinds.kind import RuleKind
from tourney.rules.kinds.limits import LimitKind, RequireKind
from tourney.rules.kinds.permissions import AllowKind, CoverKind
from tourney.rules.kinds.zones import KitKind

KINDS: tuple[RuleKind, ...] = (LimitKind(), RequireKind(), AllowKind(), CoverKind(), KitKind())  # type: ignore[type-arg]
"""Every kind there is, in the order of the judge's sheet."""
