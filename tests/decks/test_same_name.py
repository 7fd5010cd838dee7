"""Cards that share a name in one set: the collector's number tells them apart, on each line that has one. Invented cards."""

import json

import pytest

from tests.decks.kit import deck
from tests.rules.kit import DAY, errors, format_of, verdict
from tourney.cards import open_pool, parse_pool
from tourney.decks import difference, resolve
from tourney.decks.reading.vocabulary import vocabulary_of
from tourney.rules import Ruleset

FORMAT = '[[zone]]\nid = "deck"\ndefault = true\n[[limit]]\nid = "copies"\nby = "name"\nmax = 4\n'
HEAD = 'game = "invented"\ncomplete = {complete}\nkey = "id"\n[attributes]\ncost = "number"\n'
CARDS = [
    {"id": "svi-130", "name": "Evo", "cost": 1, "printings": [{"set": "SVI", "number": "130"}]},
    {"id": "svi-131", "name": "Evo", "cost": 2, "printings": [{"set": "SVI", "number": "131"}]},
    {"id": "jtg-007", "name": "Evo", "cost": 3, "printings": [{"set": "JTG", "number": "007"}]},
    {"id": "svi-001", "name": "Kite", "cost": 4, "printings": [{"set": "SVI", "number": "1"}]},
    {"id": "svi-tg05", "name": "Kite", "cost": 5, "printings": [{"set": "SVI", "number": "TG05"}]},
]


def ruleset(complete=True):
    head = HEAD.format(complete=str(complete).lower())
    pool = parse_pool(head, {"all": "\n".join(map(json.dumps, CARDS))}, source="pool.toml")
    return Ruleset(format_of(FORMAT), None, pool, DAY)


def ids(text, complete=True):
    rules = ruleset(complete)
    return [
        (slot.qty, slot.card.id) for slot in resolve(deck(text, vocabulary_of(rules.format)), rules).slots
    ]


@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize(
    "form",
    ["2 Evo ({set}) {number}", "2 Evo [{set}] {number}", "2 Evo [{set}#{number}]", "2 [{set}#{number}] Evo", "2 Evo|{set}|{number}", "2 Evo {set} {number}",
     "2 Evo ({set}:{number})", "2x Evo ({set}) 0{number}", "Evo ({set}) {number} x2",
     "2 Evo ({set} {number})", "2 Evo ({set}-{number})", "2 Evo {set}-{number}", "2 {set}-{number} Evo", "2 Evo ({set}, {number})", "2 Evo ({set} #{number})",
     "2 Evo ({set}) #{number}", "2 Evo ({set}) No. {number}", "2\tEvo\t{set}\t{number}", "2\tEvo\t{set} {number}", "2  Evo  {set}  {number}", "2  Evo  {set} {number}"],
)  # fmt: skip
def test_set_and_number_choose_the_card(form, complete):
    """In every form of a printing mark."""
    both = "\n".join(form.format(set="SVI", number=number) for number in (131, 130))
    assert ids(both, complete) == [(2, "svi-131"), (2, "svi-130")]
    short = "007" if "{set}-{number}" in form else 7  # no code has a single digit
    assert ids(form.format(set="JTG", number=short), complete) == [(2, "jtg-007")]


@pytest.mark.parametrize("form", ["2 Evo #131", "2 Evo (131)"])
def test_a_number_alone_chooses_the_card_that_has_it(form):
    """If no other card of the name has it."""
    assert ids(form) == [(2, "svi-131")]


def test_a_number_with_letters_is_the_same_with_and_without_zeros():
    """`TG05` is `TG5`."""
    assert ids("1 Kite (SVI) TG5\n1 Kite (SVI) TG05\n1 Kite (SVI) 01") == [(2, "svi-tg05"), (1, "svi-001")]


def test_codes_and_printings_stand_in_one_list():
    """Each line is read by its own form."""
    assert ids("2 Evo SVI-131\n1 Evo (SVI) 130\n1 Kite SVI-001\n1 Evo JTG 7") == [
        (2, "svi-131"), (1, "svi-130"), (1, "svi-001"), (1, "jtg-007"),
    ]  # fmt: skip


def test_a_card_that_is_not_told_apart_is_asked_about():
    """A number that none of them has, and a rule that depends on which one it is."""
    rules = ruleset()
    notes = verdict(rules, "2 Evo (SVI) 999").notes
    assert (
        "line 1 `Evo (SVI) 999`: the pool has 2 cards of this name, and none with this set and number (SVI 130 and SVI 131)"
        in notes
    )
    dear = Ruleset(
        format_of(FORMAT + '[[limit]]\nid = "dear"\nwhere = "cost > 2"\nmax = 1\n'), None, rules.pool, DAY
    )
    (finding,) = verdict(dear, "2 Evo\n1 Evo (SVI) 131").findings
    assert finding.hint == "the pool has 3 cards called Evo: write set and number, as in `2 Evo (JTG) 007`"


def test_lines_with_and_without_a_printing_stand_in_one_list():
    """A limit by name counts them together; what nobody says of a card stays unknown."""
    rules = ruleset()
    found = resolve(deck("2 Evo (SVI) 131\n1 Evo\n1 Kite", vocabulary_of(rules.format)), rules)
    assert found.slots[0].card.get("cost") == 2
    assert {slot.qty for slot in found.slots} == {2, 1}
    assert errors(verdict(rules, "2 Evo (SVI) 131\n2 Evo (SVI) 130\n1 Evo")) == [
        "copies: 5 copies, at most 4"
    ]


def test_a_number_that_the_set_does_not_have_chooses_none():
    """The set still tells cards of other sets apart."""
    rules = ruleset()
    found = resolve(deck("2 Evo (SVI) 999\n1 Evo (JTG) 999", vocabulary_of(rules.format)), rules)
    assert [slot.card.get("cost") for slot in found.slots][1] == 3
    assert len(found.slots[0].card.candidates) == 2


def test_an_id_in_brackets_chooses_the_card():
    """As some programs write it."""
    assert ids("2 Evo (svi-131)\n1 svi-130") == [(2, "svi-131"), (1, "svi-130")]


@pytest.mark.parametrize(
    "text",
    [
        "2 Evo AB01-002\n2 Kite\n3 Bell AB01-003",
        "2 Evo AB01-002\n2 Evo AB01-002_p1\n1 Kite",
    ],
)
def test_codes_on_some_lines_are_no_part_of_names(text):
    """Half the lines with a code show that a code is none."""
    assert {line.name for line in deck(text).lines} <= {"Evo", "Kite", "Bell"}


@pytest.mark.parametrize("other", ["Evo AB01-002", "Evo SVI 131"])
def test_one_name_with_a_code_and_without_is_asked_about(other):
    """In an open pool it may be another card."""
    text = f"2 Evo\n2 {other}\n1 Kite\n1 Bell\n1 Drum"
    rules = Ruleset(format_of(FORMAT), None, open_pool("invented"), DAY)
    assert [finding.lines for finding in verdict(rules, text).findings] == [(2,)]


def test_the_hash_and_the_difference_tell_cards_of_one_name_apart():
    """Whatever form names the printing; a card of which nobody says which it is is another one."""
    rules = ruleset()
    said = {
        form: verdict(rules, form).hash
        for form in ("2 Evo (SVI) 131", "2 Evo SVI-131", "2 Evo (JTG) 7", "2 Evo")
    }
    assert said["2 Evo (SVI) 131"] == said["2 Evo SVI-131"]
    assert len(set(said.values())) == 3
    changes = difference(deck("2 Evo (SVI) 131\n1 Kite"), deck("2 Evo (JTG) 7\n1 Kite"), rules)
    assert [(change.card, change.before, change.after) for change in changes] == [
        ("Evo (JTG) 007", 0, 2),
        ("Evo (SVI) 131", 2, 0),
    ]
