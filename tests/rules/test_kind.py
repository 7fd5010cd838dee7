"""A kind of rule is a class and a row of the registry: an invented one is all there, and nothing else names any kind."""

import ast

import msgspec
import pytest

from tests.kit import ROOT
from tests.rules.kit import errors, format_of, rules, verdict
from tourney.errors import TourneyError
from tourney.rules import kinds, parse_format
from tourney.rules.expressions import About, Unknown, truth
from tourney.rules.expressions.deck import View
from tourney.rules.kinds.kind import PlacedExpression, RuleKind, Terms, copies
from tourney.rules.proofread import unheard
from tourney.rules.scaffold import scaffold
from tourney.rules.summary import sheet_of
from tourney.rules.vocabulary import Ruled

CARDS = {"Ant": {"kind": "unit"}, "Bee": {"kind": "unit"}, "Map": {"kind": "mission"}}
TWINS = """
[[even]]
id    = "twins"
where = "kind == 'unit'"
"""


class EvenFile(Ruled, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[even]]`: of the cards that fit there is an even number."""

    where: str
    zones: tuple[str, ...] = ()


class Even(msgspec.Struct, frozen=True, kw_only=True):
    """It, bound to a pool."""

    terms: Terms
    where: object
    zones: frozenset

    def judge(self, deck):
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck):
        fits = [(slot, truth(self.where(View(deck).of(slot)))) for slot in deck.slots]
        if any(isinstance(each, Unknown) for _, each in fits):
            yield self.terms.undecided(each for _, each in fits)
            return
        slots = [slot for slot, each in fits if each and slot.zone in self.zones]
        number = sum(slot.qty for slot in slots)
        if number % 2:
            yield self.terms.finding(f"{copies(number)}, an even number is needed", slots=slots)


class EvenKind(RuleKind[EvenFile]):
    """The whole of what a new kind has to say."""

    word = "even"
    shape = EvenFile
    sketch = "# [[even]]\n# id    = 'twins'\n# where = \"kind == 'unit'\"         # of these there is an even number\n"

    def expressions(self, placed, card, _deck):
        yield PlacedExpression(placed.rule.where, f"{placed.place}.where", card)

    def bind(self, placed, composer):
        for each in placed:
            yield Even(
                terms=composer.terms(each, About.DECK),
                where=composer.expressions.bind(each.rule.where, f"{each.place}.where"),
                zones=composer.zones(each.rule.zones),
            )

    def words(self, rule):
        return f"an even number of cards with `{rule.where}`"


@pytest.fixture(autouse=True)
def _with_an_invented_kind(monkeypatch):
    monkeypatch.setattr(kinds, "KINDS", (*kinds.KINDS, EvenKind()))


def test_an_invented_kind_judges_decks():
    """Broken, kept, undecided, and asleep."""
    assert errors(verdict(rules(TWINS, CARDS), "2 Ant\n1 Bee\n1 Map")) == [
        "twins: 3 cards, an even number is needed"
    ]
    assert errors(verdict(rules(TWINS, CARDS), "3 Ant\n1 Bee\n1 Map")) == []
    assert verdict(rules(TWINS), "2 Ant\n1 Bee").verdict == "unverified"
    assert errors(verdict(rules(TWINS + "when = \"has('Map')\"", CARDS), "1 Ant")) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TWINS.replace("kind ==", "kind ="), "even[0].where: column 6: to compare, write `==`"),
        (TWINS + "zones = ['nowhere']", "even[0].zones[0]: there is no zone `nowhere`; there are deck"),
        (TWINS + "max = 3", "even[0]: unknown key `max`"),
        (TWINS.replace("id    =", "# "), "even[0]: the key `id` is missing"),
        (TWINS + TWINS, "even[1].id: there is a rule `twins` already (even[0])"),
        (TWINS + "message = '{'", "even[0].message: column 1: a brace without its partner"),
    ],
)
def test_an_invented_kind_is_proofread(text, said):
    """Its expressions, zones, keys and handles, with the place."""
    with pytest.raises(TourneyError) as refused:
        format_of(text)
    assert said in refused.value.message


def test_an_invented_kind_is_shown_and_extended():
    """On the judge's sheet, in a new format, dropped and replaced by an overlay, told where it says nothing."""
    known = format_of(TWINS)
    ((_, lines),) = [section for section in sheet_of(known).sections if section[0] == "Rules"]
    assert ("twins", "an even number of cards with `kind == 'unit'`") in [
        (line.handle, line.says) for line in lines
    ]
    assert EvenKind.sketch in scaffold("game/new")
    parse_format(scaffold("game/new").replace("# [[even]]", "[[even]]", 1).replace("# id    = 'twins'", "id = 'twins'").replace('# where = "kind ==', 'where = "kind =='), source="new.toml", parent=lambda _: known)  # fmt: skip
    overlay = '[format]\nid = "club/friday"\nextends = "invented/standard"\n'
    dropped = format_of(overlay + 'drop = ["twins"]\n', parent=lambda _: known)
    assert dropped.rules["even"] == ()
    anew = format_of(overlay + TWINS.replace("unit", "mission"), parent=lambda _: known)
    assert [each.rule.where for each in anew.rules["even"]] == ["kind == 'mission'"]
    idle = format_of(
        '[[zone]]\nid = "deck"\n[[zone]]\nid = "aside"\ncounts = false\n' + TWINS + 'zones = ["aside"]'
    )
    assert list(unheard(idle)) == ["format.toml: even[0].zones: nothing counts in aside (`counts = false`)"]


def test_nothing_outside_the_package_names_a_kind():
    """Kinds and their shapes stand in `rules/kinds` alone; the registry is the one list of them."""
    names = {kind.__class__.__name__ for kind in kinds.KINDS} | {kind.shape.__name__ for kind in kinds.KINDS}
    outside = [path for path in (ROOT / "tourney").rglob("*.py") if path.parent.name != "kinds"]
    for path in outside:
        used = {
            node.id
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Name)
        }
        assert not names & used, path


def test_the_page_of_the_room_tells_every_kind():
    """Its table of the parts of a format file has a line for each."""
    page = (ROOT / "tourney" / "rules" / "README.md").read_text(encoding="utf-8")
    for kind in kinds.KINDS[:-1]:
        assert f"| `[{kind.word}]` |" in page or f"| `[[{kind.word}]]` |" in page
