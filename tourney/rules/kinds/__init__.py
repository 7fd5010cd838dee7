"""The kinds of rules that a format can have.

A kind is a subclass of `RuleKind` in a module of this package. There is no other table of the kinds: loading,
proofreading, judging and the judge's sheet treat all of `KINDS` alike.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from tourney.rules.kinds.kind import RuleKind


def _find_kinds() -> tuple[RuleKind[Any], ...]:
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return tuple(sorted((kind() for kind in RuleKind.__subclasses__()), key=lambda kind: kind.position))


KINDS = _find_kinds()
"""Every kind, in the order of the judge's sheet."""
