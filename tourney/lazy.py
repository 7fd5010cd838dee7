"""Import the names of a package only when they are first used, so that commands start fast."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_names(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """Return a package's `__getattr__`, which imports a name from the module that defines it.

    package: the name of the package
    modules: module of the package → the names that it defines, separated by spaces

    Type checkers do not see these names, so the package also imports them `if TYPE_CHECKING`
    (`tests/test_house.py` checks that both lists are equal).
    """
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def load(name: str) -> object:
        """Import and return a name. Raises AttributeError if the package has no such name."""
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
