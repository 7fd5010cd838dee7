"""Import the names of a package only when they are first used, so that commands start fast.

    if TYPE_CHECKING:
        from tourney.cards.names import fold

    if not TYPE_CHECKING:
        __getattr__ = lazy_names(__name__)

The block `if TYPE_CHECKING` is the only list of the names: type checkers read it, and `lazy_names` finds the
names and their modules in the source of the package.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module

_BLOCK = re.compile(r"^if TYPE_CHECKING:.*\n((?:    .*\n)+)", re.MULTILINE)
_IMPORT = re.compile(r"^    from (\S+) import (\([^)]*\)|.*)", re.MULTILINE)


def lazy_names(package: str) -> Callable[[str], object]:
    """Return a package's `__getattr__`, which imports a name from the module that defines it.

    The names are those in the block `if TYPE_CHECKING` of the package, as `ruff format` lays it out.
    """
    module = sys.modules[package]

    @cache
    def homes() -> dict[str, str]:
        assert module.__file__ is not None
        assert module.__spec__ is not None
        source = module.__spec__.loader.get_data(module.__file__).decode()  # type: ignore[union-attr]
        block = _BLOCK.search(source)
        imports = _IMPORT.findall(block[1]) if block else ()
        return {name: home for home, names in imports for name in re.findall(r"\w+", names)}

    def load(name: str) -> object:
        """Import and return a name. Raises AttributeError if the package has no such name."""
        if name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(homes()[name]), name)
        setattr(module, name, value)
        return value

    return load
