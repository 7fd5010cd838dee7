"""A kind of rule is one class: an invented kind needs nothing else."""

import ast
import re

import pytest

from tests.kit import ROOT, with_rows
from tests.rules.kit import errors, format_of, rules, verdict
from tourney.errors import TourneyError
from tourney.rules import kinds
from tourney.rules.bounds import count_words
from tourney.rules.expressions.deck import View
from tourney.rules.expressions.language import About
from tourney.rules.expressions.values import Unknown, truth
from tourney.rules.findings import Rule
from tourney.rules.proofread import format_warnings
from tourney.rules.summary import sheet_of
from tourney.rules.vocabulary import RuleFile

CARDS = {"Ant": {"kind": "unit"}, "Bee": {"kind": "unit"}, "Map": {"kind": "mission"}}
TWINS = """
[[even]]
id    = "twins"
where = "kind == 'unit'"
"""


class EvenFile(RuleFile, frozen=True, kw_only=True):
    """`[[even]]`: the number of cards that fit is even."""

    where: str
    zones: tuple[str, ...] = ()


class Even(Rule, frozen=True, kw_only=True):
    """The rule bound to a pool."""

    where: object
    zones: frozenset

    def find(self, deck):
        fits = [(slot, truth(self.where(View(deck).of(slot)))) for slot in deck.slots]
        if any(isinstance(fit, Unknown) for _, fit in fits):
            yield self.terms.undecided(fit for _, fit in fits)
            return
        slots = [slot for slot, fit in fits if fit and slot.zone in self.zones]
        number = sum(slot.qty for slot in slots)
        if number % 2:
            yield self.terms.finding(f"{count_words(number)}, an even number is needed", slots=slots)


class EvenKind(kinds.RuleKind[EvenFile]):
    """All that a new kind has to declare."""

    word = "even"
    shape = EvenFile
    card_keys = ("where",)

    def bind_one(self, entry, binder):
        return Even(
            terms=binder.terms(entry, About.DECK),
            where=binder.bind(entry.rule.where, f"{entry.place}.where"),
            zones=binder.zones(entry.rule.zones),
        )

    def words(self, rule):
        return f"an even number of cards with `{rule.where}`"


@pytest.fixture(autouse=True)
def _with_an_invented_kind(monkeypatch):
    monkeypatch.setattr(kinds, "KINDS", (*kinds.KINDS, EvenKind()))


def test_an_invented_kind_judges_decks():
    """It can be broken, kept, undecided, or not apply."""
    assert errors(verdict(rules(TWINS, CARDS), "2 Ant\n1 Bee\n1 Map")) == [
        "twins: 3 cards, an even number is needed"
    ]
    assert errors(verdict(rules(TWINS, CARDS), "3 Ant\n1 Bee\n1 Map")) == []
    assert verdict(rules(TWINS), "2 Ant\n1 Bee").verdict == "unverified"
    assert errors(verdict(rules(TWINS + "when = \"has('Map')\"", CARDS), "1 Ant")) == []


@with_rows(
    ("text", "message"),
    [
        (TWINS.replace("kind ==", "kind ="), "even[0].where: column 6: to compare, write `==`"),
        (
            TWINS + "zones = ['nowhere']",
            "even[0].zones[0]: there is no zone `nowhere`; the only choice is deck",
        ),
        (TWINS + "max = 3", "even[0]: unknown key `max`"),
        (TWINS.replace("id    =", "# "), "even[0]: the key `id` is missing"),
        (TWINS + TWINS, "even[1].id: there is a rule `twins` already (even[0])"),
        (TWINS + "message = '{'", "even[0].message: column 1: a brace without its partner"),
    ],
)
def test_an_invented_kind_is_proofread(text, message):
    """Its expressions, zones, keys and ids are checked, and errors have their place."""
    with pytest.raises(TourneyError) as error:
        format_of(text)
    assert message in error.value.message


def test_an_invented_kind_is_shown_and_inherited():
    """It is on the judge's sheet, in overlays, and among keys without effect."""
    base = format_of(TWINS)
    ((_, lines),) = [section for section in sheet_of(base).sections if section[0] == "Rules"]
    assert ("twins", "an even number of cards with `kind == 'unit'`") in [
        (line.handle, line.says) for line in lines
    ]
    overlay = '[format]\nid = "club/friday"\nextends = "invented/standard"\n'
    dropped = format_of(overlay + 'drop = ["twins"]\n', parent=lambda _: base)
    assert dropped.rules["even"] == ()
    replaced = format_of(overlay + TWINS.replace("unit", "mission"), parent=lambda _: base)
    assert [entry.rule.where for entry in replaced.rules["even"]] == ["kind == 'mission'"]
    idle = format_of(
        '[[zone]]\nid = "deck"\n[[zone]]\nid = "aside"\ncounts = false\n' + TWINS + 'zones = ["aside"]'
    )
    assert list(format_warnings(idle)) == [
        "format.toml: even[0].zones: nothing counts in aside (`counts = false`)"
    ]


def test_no_module_outside_the_package_names_a_kind():
    """Only `rules/kinds` knows the kinds and their tables."""
    names = {kind.__class__.__name__ for kind in kinds.KINDS} | {kind.shape.__name__ for kind in kinds.KINDS}
    outside = [path for path in (ROOT / "tourney").rglob("*.py") if path.parent.name != "kinds"]
    for path in outside:
        text = path.read_text(encoding="utf-8")
        if names & {*re.findall(r"\w+", text)}:  # perhaps in a comment or a docstring
            used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
            assert not names & used, path


def test_the_guide_lists_every_kind():
    """Its table of a format file has a row for each."""
    page = (ROOT / "tourney" / "rules" / "FORMATS.md").read_text(encoding="utf-8")
    for kind in kinds.KINDS[:-1]:
        assert f"| `[{kind.word}]` |" in page or f"| `[[{kind.word}]]` |" in page
