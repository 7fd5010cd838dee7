"""Facts that decklists declare: trusted by a named person, and compared with each other.

All cards are invented.
"""

import pytest

from tests.desk.kit import new_desk, open_desk
from tourney.desk import check, contradictions_by_player, register_list, submit_deck
from tourney.event import ops

FILLER = "".join(f"4 Invented Unit {number} {{type=efreet, faction=neutral}}\n" for number in range(8))


def redline(zeph="neutral"):
    """Return a list that is legal if its declared facts are true."""
    return (
        "General\n1 CPM General Koskof\nArsenal\n24 Basic Supply Drop\n"
        f"{FILLER}4 Zeph {{type=efreet, faction={zeph}}}\n"
    )


def desk_of(folder, *names):
    return new_desk(folder, *names, format_name="redline/standard")


def kind_of(desk, entry):
    return type(desk.entries[entry - 1].op)


def test_trusted_facts_count_and_the_entry_names_who_trusted_them(tmp_path):
    """Otherwise the list is unverified. A list without facts is written as before."""
    with desk_of(tmp_path, "Anna") as desk:
        plain = submit_deck(desk, "Anna", redline(), source="a.txt")
        assert (plain.verdict, kind_of(desk, plain.entries[0])) == ("unverified", ops.DeckSubmitted)
        vouched = submit_deck(desk, "Anna", redline(), source="a.txt", trust_declared=True)
        assert (vouched.verdict, kind_of(desk, vouched.entries[0])) == ("legal", ops.DeckSubmitted)
        assert vouched.text.startswith(
            "The deck of Anna is registered (legal, by the facts it declares, for which Ann vouches)"
        )
        assert "line 13: Zeph: type efreet, faction neutral" in vouched.facts_used
        assert desk.texts[desk.state.players[1].deck.vouched] == "Ann"
        desk.undo()
        assert (desk.state.players[1].deck.verdict, desk.state.players[1].deck.vouched) == (
            "unverified",
            None,
        )
        nothing = submit_deck(desk, "Anna", "1 Zeph\n", source="a.txt", anyway=True, trust_declared=True)
        assert kind_of(desk, nothing.entries[0]) == ops.DeckSubmitted


def test_contradictory_lists_are_reported(tmp_path):
    """With both places, on registration and by `event check`; the right list stays legal."""
    with desk_of(tmp_path, "Anna", "Tom") as desk:
        assert (
            submit_deck(desk, "Anna", redline("CPM"), source="a.txt", trust_declared=True).verdict == "legal"
        )
        tom = submit_deck(desk, "Tom", redline("neutral"), source="t.txt", trust_declared=True)
        assert tom.verdict == "legal"
        (fact_finding,) = [finding for finding in tom.findings if finding.rule == "fact"]
        assert fact_finding.severity.value == "unverified"
        assert fact_finding.message == "faction is neutral here, CPM in the list of Anna (line 13)"
        (contradiction,) = check(desk)
        assert contradiction.message == (
            "the faction of Zeph is CPM in the list of Anna (line 13), neutral in the list of Tom (line 13)"
        )
    with open_desk(tmp_path) as desk:
        assert (
            submit_deck(desk, "Tom", redline("cpm"), source="t.txt", trust_declared=True).verdict == "legal"
        )
        assert check(desk) == ()


def test_a_contradiction_is_shown_for_each_list(tmp_path):
    """If one of three lists differs, the others name it. Untrusted lists have no questions."""
    with desk_of(tmp_path, "Anna", "Tom", "Kit") as desk:
        for name, faction in (("Anna", "CPM"), ("Tom", "neutral"), ("Kit", "CPM")):
            submit_deck(desk, name, redline(faction), source="x.txt", trust_declared=True)
            assert bool(contradictions_by_player(desk)) == (name != "Anna")
        by_name = {
            name: [finding.message for finding in findings]
            for name, findings in contradictions_by_player(desk).items()
        }
        assert by_name == {
            "Anna": ["faction is CPM here, neutral in the list of Tom (line 13)"],
            "Tom": ["faction is neutral here, CPM in the lists of Anna (line 13) and Kit (line 13)"],
            "Kit": ["faction is CPM here, neutral in the list of Tom (line 13)"],
        }
        assert {
            finding.subjects for findings in contradictions_by_player(desk).values() for finding in findings
        } == {("Zeph",)}
        submit_deck(desk, "Tom", redline("CPM"), source="t.txt", trust_declared=True)
        assert contradictions_by_player(desk) == {}
    (tmp_path / "two").mkdir()
    with desk_of(tmp_path / "two", "Anna", "Tom") as desk:
        for name, faction in (("Anna", "CPM"), ("Tom", "neutral")):
            submit_deck(desk, name, redline(faction), source="x.txt")
        assert contradictions_by_player(desk) == {}


def test_untrusted_contradictions_are_advice(tmp_path):
    """Two lists whose facts are not trusted: advice."""
    with desk_of(tmp_path, "Anna", "Tom") as desk:
        submit_deck(desk, "Anna", redline("CPM"), source="a.txt")
        tom = submit_deck(desk, "Tom", redline("UNE"), source="t.txt")
        assert [finding.severity.value for finding in tom.findings if finding.rule == "fact"] == ["advice"]
        assert tom.verdict == "unverified"


@pytest.mark.parametrize("trusted", [True, False])
def test_an_imported_table_of_lists_is_compared(tmp_path, trusted):
    """No list is refused because of another one, and the entry names who trusted the facts."""
    rows = [("Anna", "neutral", 0), ("Tom", "CPM", 1), ("Kit", "UNE", 1)]
    table = "name,deck\n" + "".join(
        f'{name},"{redline(zeph).replace("Zeph", "Zeph" if together else "Other Zeph")}"\n'
        for name, zeph, together in rows
    )
    with desk_of(tmp_path) as desk:
        from tourney.desk import read_list

        players = read_list(table, source="list.csv", kinds=frozenset())
        receipt = register_list(desk, players, trust_declared=trusted)
        registered = [player.deck for player in desk.state.players.values() if player.deck]
        if trusted:  # UNE under a general of CPM is illegal, and left out
            assert [deck.verdict for deck in receipt.decks] == ["legal", "legal", "illegal"]
            assert receipt.contradictions == ()
            assert [desk.texts[op.vouched] for op in registered] == ["Ann", "Ann"]
        else:
            assert [deck.verdict for deck in receipt.decks] == ["unverified"] * 3
            assert [op.vouched for op in registered] == [None] * 3
            assert [contradiction.message for contradiction in receipt.contradictions] == [
                "the faction of Zeph is CPM in the list of Tom (line 13), UNE in the list of Kit (line 13)"
            ]


def test_many_lists_are_parsed_only_twice(tmp_path, monkeypatch):
    """Twelve lists with facts: each for itself, and once for the comparison."""
    from tourney.desk import registration as room

    parsed_texts = []
    real = room._declared_in
    monkeypatch.setattr(
        room, "_declared_in", lambda desk, text: parsed_texts.append(text) or real(desk, text)
    )
    names = [f"Player {number:02}" for number in range(12)]
    with desk_of(tmp_path, *names) as desk:
        for name in names:
            submit_deck(desk, name, f"# {name}\n{redline()}", source="a.txt", trust_declared=True)
        assert len(parsed_texts) == len(names) - 1


def test_the_rules_are_bound_once_for_all_lists(tmp_path):
    """And again for other choices of the organizer."""
    with new_desk(tmp_path, "Ada", "Ben", format_name="redline/standard") as desk:
        bound = desk.rules.ruleset(desk.library)
        assert desk.rules.ruleset(desk.library) is bound
        desk.change(missions="organizer")
        assert desk.rules.ruleset(desk.library) is not bound
