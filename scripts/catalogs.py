"""The gettext catalogs of pages, phones, sheets and posts.

`python -m scripts.catalogs` extracts all msgids to `tourney/publish/locale/messages.pot`, and compiles each
`CODE.po` there to `CODE.mo`. `--check` writes nothing and fails if a file is out of date, as
`tests/publish/test_language.py` does. To begin a language: copy `messages.pot` to `CODE.po`, translate it,
and add CODE to the setting `language`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "tourney" / "publish" / "locale"
KEYWORDS = {
    "_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "Message": None,
    "plural": (1, 2),  # Message.plural
}
METHODS = {".py": "python", ".html": "jinja2.ext:babel_extract"}


def extracted() -> Catalog:
    """Return every msgid of the sources and the templates."""
    catalog = Catalog(fuzzy=False)
    for path in sorted((ROOT / "tourney").rglob("*")):
        if method := METHODS.get(path.suffix):
            with path.open("rb") as file:
                for _, msgid, _, context in extract(method, file, KEYWORDS):
                    catalog.add(msgid, context=context)
    return catalog


def template() -> bytes:
    """Return `messages.pot`: without a header, whose date would change it each day."""
    file = BytesIO()
    write_po(file, extracted(), width=110, omit_header=True, sort_output=True, no_location=True)
    return file.getvalue()


def compiled(catalog: bytes) -> bytes:
    """Return the `.mo` file of a `.po` file."""
    file = BytesIO()
    write_mo(file, read_po(BytesIO(catalog)))
    return file.getvalue()


def wanted() -> dict[Path, bytes]:
    """Return what each generated file must contain."""
    translations = {path.with_suffix(".mo"): compiled(path.read_bytes()) for path in LOCALE.glob("*.po")}
    return {LOCALE / "messages.pot": template(), **translations}


def outdated() -> Mapping[Path, bytes]:
    """Return the generated files that are missing or out of date, with what they must contain."""
    return {
        path: content
        for path, content in wanted().items()
        if not path.exists() or path.read_bytes() != content
    }


def main() -> int:
    """Write the files, or with `--check` name those that are out of date: exit 1."""
    old = outdated()
    if "--check" in sys.argv:
        for path in old:
            print(f"{path.relative_to(ROOT)} is out of date: run `python -m scripts.catalogs`")
        return 1 if old else 0
    for path, content in old.items():
        path.write_bytes(content)
        print(f"wrote {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
