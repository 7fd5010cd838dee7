"""Cards that share a name in one set are distinguished by number. All cards are invented."""

import json

from tests.decks.kit import deck
from tests.kit import with_rows
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


@with_rows("complete", [True, False])
@with_rows(
    "form",
    ["2 Evo ({set}) {number}", "2 Evo [{set}] {number}", "2 Evo [{set}#{number}]", "2 [{set}#{number}] Evo",
     "2 Evo|{set}|{number}", "2 Evo {set} {number}", "2 Evo ({set}:{number})", "2x Evo ({set}) 0{number}",
     "Evo ({set}) {number} x2", "2 Evo ({set} {number})", "2 Evo ({set}-{number})", "2 Evo {set}-{number}",
     "2 {set}-{number} Evo", "2 Evo ({set}, {number})", "2 Evo ({set} #{number})",
     "2 Evo ({set}) #{number}", "2 Evo ({set}) No. {number}", "2\tEvo\t{set}\t{number}",
     "2\tEvo\t{set} {number}", "2  Evo  {set}  {number}", "2  Evo  {set} {number}"],
)  # fmt: skip
def test_set_and_number_choose_the_card(form, complete):
    """In every form of a printing mark."""
    both = "\n".join(form.format(set="SVI", number=number) for number in (131, 130))
    assert ids(both, complete) == [(2, "svi-131"), (2, "svi-130")]
    short = "007" if "{set}-{number}" in form else 7  # no code has a single digit
    assert ids(form.format(set="JTG", number=short), complete) == [(2, "jtg-007")]


@with_rows("form", ["2 Evo #131", "2 Evo (131)"])
def test_a_unique_number_alone_chooses_the_card(form):
    assert ids(form) == [(2, "svi-131")]


def test_leading_zeros_in_a_number_do_not_matter():
    """`TG05` is `TG5`."""
    assert ids("1 Kite (SVI) TG5\n1 Kite (SVI) TG05\n1 Kite (SVI) 01") == [(2, "svi-tg05"), (1, "svi-001")]


def test_codes_and_printings_may_be_mixed_in_a_list():
    assert ids("2 Evo SVI-131\n1 Evo (SVI) 130\n1 Kite SVI-001\n1 Evo JTG 7") == [
        (2, "svi-131"), (1, "svi-130"), (1, "svi-001"), (1, "jtg-007"),
    ]  # fmt: skip


def test_an_ambiguous_card_is_asked_about():
    """No card of the name has the number, or a rule depends on which card it is."""
    rules = ruleset()
    notes = verdict(rules, "2 Evo (SVI) 999").notes
    assert (
        "line 1 `Evo (SVI) 999`: the pool has 2 cards of this name, but none with this set and number (SVI 130 and SVI 131)"
        in notes
    )
    dear = Ruleset(
        format_of(FORMAT + '[[limit]]\nid = "dear"\nwhere = "cost > 2"\nmax = 1\n'), None, rules.pool, DAY
    )
    (finding,) = verdict(dear, "2 Evo\n1 Evo (SVI) 131").findings
    assert finding.hint == "the pool has 3 cards called Evo: write set and number, as in `2 Evo (JTG) 007`"


def test_lines_with_and_without_a_printing_may_be_mixed():
    """A limit by name counts them together; a value that is not given stays unknown."""
    rules = ruleset()
    resolved_deck = resolve(deck("2 Evo (SVI) 131\n1 Evo\n1 Kite", vocabulary_of(rules.format)), rules)
    assert resolved_deck.slots[0].card.get("cost") == 2
    assert {slot.qty for slot in resolved_deck.slots} == {2, 1}
    assert errors(verdict(rules, "2 Evo (SVI) 131\n2 Evo (SVI) 130\n1 Evo")) == [
        "copies: 5 copies, at most 4"
    ]


def test_a_number_that_the_set_does_not_have_chooses_no_card():
    """The set still distinguishes cards of different sets."""
    rules = ruleset()
    resolved_deck = resolve(deck("2 Evo (SVI) 999\n1 Evo (JTG) 999", vocabulary_of(rules.format)), rules)
    assert [slot.card.get("cost") for slot in resolved_deck.slots][1] == 3
    assert len(resolved_deck.slots[0].card.candidates) == 2


def test_an_id_in_parentheses_chooses_the_card():
    """Some programs write lists like this."""
    assert ids("2 Evo (svi-131)\n1 svi-130") == [(2, "svi-131"), (1, "svi-130")]


@with_rows(
    "text",
    [
        "2 Evo AB01-002\n2 Kite\n3 Bell AB01-003",
        "2 Evo AB01-002\n2 Evo AB01-002_p1\n1 Kite",
    ],
)
def test_codes_on_some_lines_are_not_part_of_names(text):
    """A code on half of the lines is enough."""
    assert {line.name for line in deck(text).lines} <= {"Evo", "Kite", "Bell"}


@with_rows("other", ["Evo AB01-002", "Evo SVI 131"])
def test_a_name_with_and_without_a_code_is_asked_about(other):
    """In an open pool they may be two cards."""
    text = f"2 Evo\n2 {other}\n1 Kite\n1 Bell\n1 Drum"
    rules = Ruleset(format_of(FORMAT), None, open_pool("invented"), DAY)
    assert [finding.lines for finding in verdict(rules, text).findings] == [(2,)]


def test_hash_and_difference_distinguish_cards_with_one_name():
    """The form of the printing mark does not matter. A card without a printing is another card."""
    rules = ruleset()
    verdicts = {
        form: verdict(rules, form).hash
        for form in ("2 Evo (SVI) 131", "2 Evo SVI-131", "2 Evo (JTG) 7", "2 Evo")
    }
    assert verdicts["2 Evo (SVI) 131"] == verdicts["2 Evo SVI-131"]
    assert len(set(verdicts.values())) == 3
    changes = difference(deck("2 Evo (SVI) 131\n1 Kite"), deck("2 Evo (JTG) 7\n1 Kite"), rules)
    assert [(change.card, change.before, change.after) for change in changes] == [
        ("Evo (JTG) 007", 0, 2),
        ("Evo (SVI) 131", 2, 0),
    ]
