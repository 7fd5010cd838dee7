"""Facts that lists declare of their cards, at the desk: believed on somebody's word, held against each other. Cards are invented."""

import pytest

from tests.desk.kit import new_desk, open_desk
from tourney.desk import check, disputed, register_list, submit_deck
from tourney.event import ops

FILLER = "".join(f"4 Invented Unit {number} {{type=efreet, faction=neutral}}\n" for number in range(8))


def redline(zeph="neutral"):
    """A list that is legal if its facts are so."""
    return f"General\n1 CPM General Koskof\nArsenal\n24 Basic Supply Drop\n{FILLER}4 Zeph {{type=efreet, faction={zeph}}}\n"


def desk_of(folder, *names):
    return new_desk(folder, *names, format_name="redline/standard")


def kind_of(desk, entry):
    return type(desk.entries[entry - 1].op)


def test_facts_count_on_somebody_s_word_and_the_entry_says_whose(tmp_path):
    """Unverified by itself; trusted it is legal, in the second version of the op; what needs no fact stays in the first."""
    with desk_of(tmp_path, "Anna") as desk:
        plain = submit_deck(desk, "Anna", redline(), source="a.txt")
        assert (plain.verdict, kind_of(desk, plain.entries[0])) == ("unverified", ops.DeckSubmitted)
        vouched = submit_deck(desk, "Anna", redline(), source="a.txt", trust_declared=True)
        assert (vouched.verdict, kind_of(desk, vouched.entries[0])) == ("legal", ops.DeckSubmitted)
        assert vouched.text.startswith(
            "The deck of Anna is registered (legal, on facts it declares and Ann vouches for)"
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


def test_two_lists_that_contradict_each_other(tmp_path):
    """Found when the second is registered, with both places, and by `event check` till it is mended; the right one stays legal."""
    with desk_of(tmp_path, "Anna", "Tom") as desk:
        assert (
            submit_deck(desk, "Anna", redline("CPM"), source="a.txt", trust_declared=True).verdict == "legal"
        )
        tom = submit_deck(desk, "Tom", redline("neutral"), source="t.txt", trust_declared=True)
        assert tom.verdict == "legal"
        (told,) = [each for each in tom.findings if each.rule == "fact"]
        assert told.severity.value == "unverified"
        assert told.message == "faction is neutral here, CPM in the list of Anna (line 13)"
        (found,) = check(desk)
        assert found.message == (
            "faction of Zeph is CPM in the list of Anna (line 13), neutral in the list of Tom (line 13)"
        )
    with open_desk(tmp_path) as desk:
        assert (
            submit_deck(desk, "Tom", redline("cpm"), source="t.txt", trust_declared=True).verdict == "legal"
        )
        assert check(desk) == ()


def test_a_contradiction_is_seen_from_each_list_till_it_is_mended(tmp_path):
    """By whose list it is; of three lists the odd one is named to the others, and both others to it. Nobody vouched: nothing is asked."""
    with desk_of(tmp_path, "Anna", "Tom", "Kit") as desk:
        for name, faction in (("Anna", "CPM"), ("Tom", "neutral"), ("Kit", "CPM")):
            submit_deck(desk, name, redline(faction), source="x.txt", trust_declared=True)
            assert bool(disputed(desk)) == (name != "Anna")
        found = {name: [each.message for each in told] for name, told in disputed(desk).items()}
        assert found == {
            "Anna": ["faction is CPM here, neutral in the list of Tom (line 13)"],
            "Tom": ["faction is neutral here, CPM in the lists of Anna (line 13) and Kit (line 13)"],
            "Kit": ["faction is CPM here, neutral in the list of Tom (line 13)"],
        }
        assert {each.subjects for told in disputed(desk).values() for each in told} == {("Zeph",)}
        submit_deck(desk, "Tom", redline("CPM"), source="t.txt", trust_declared=True)
        assert disputed(desk) == {}
    (tmp_path / "two").mkdir()
    with desk_of(tmp_path / "two", "Anna", "Tom") as desk:
        for name, faction in (("Anna", "CPM"), ("Tom", "neutral")):
            submit_deck(desk, name, redline(faction), source="x.txt")
        assert disputed(desk) == {}


def test_what_is_not_believed_is_told_and_changes_no_verdict(tmp_path):
    """Two lists that nobody vouches for: advice."""
    with desk_of(tmp_path, "Anna", "Tom") as desk:
        submit_deck(desk, "Anna", redline("CPM"), source="a.txt")
        tom = submit_deck(desk, "Tom", redline("UNE"), source="t.txt")
        assert [each.severity.value for each in tom.findings if each.rule == "fact"] == ["advice"]
        assert tom.verdict == "unverified"


@pytest.mark.parametrize("trusted", [True, False])
def test_a_whole_list_of_players(tmp_path, trusted):
    """Each list is held against the others that come with it, and no list suffers for another; the entry says who vouched."""
    rows = [("Anna", "neutral", 0), ("Tom", "CPM", 1), ("Kit", "UNE", 1)]
    table = "name,deck\n" + "".join(
        f'{name},"{redline(zeph).replace("Zeph", "Zeph" if together else "Other Zeph")}"\n'
        for name, zeph, together in rows
    )
    with desk_of(tmp_path) as desk:
        from tourney.desk import read_list

        players = read_list(table, source="list.csv", kinds=frozenset())
        receipt = register_list(desk, players, trust_declared=trusted)
        registered = [each.deck for each in desk.state.players.values() if each.deck]
        if trusted:  # UNE under a general of CPM is illegal, and left out
            assert [each.verdict for each in receipt.decks] == ["legal", "legal", "illegal"]
            assert receipt.contradictions == ()
            assert [desk.texts[each.vouched] for each in registered] == ["Ann", "Ann"]
        else:
            assert [each.verdict for each in receipt.decks] == ["unverified"] * 3
            assert [each.vouched for each in registered] == [None] * 3
            assert [each.message for each in receipt.contradictions] == [
                "faction of Zeph is CPM in the list of Tom (line 13), UNE in the list of Kit (line 13)"
            ]


def test_many_lists_are_read_once_each(tmp_path, monkeypatch):
    """Twelve lists that declare facts, one after another: each is read for itself, and once more for all the others."""
    from tourney.desk import registration as room

    asked = []
    real = room._declared_in
    monkeypatch.setattr(room, "_declared_in", lambda desk, text: asked.append(text) or real(desk, text))
    names = [f"Player {number:02}" for number in range(12)]
    with desk_of(tmp_path, *names) as desk:
        for name in names:
            submit_deck(desk, name, f"# {name}\n{redline()}", source="a.txt", trust_declared=True)
        assert len(asked) == len(names) - 1


def test_the_rules_are_bound_once_for_all_lists_of_an_event(tmp_path):
    """However many lists are looked at; again where the organizer's choices are others."""
    with new_desk(tmp_path, "Ada", "Ben", format_name="redline/standard") as desk:
        bound = desk.rules.ruleset(desk.library)
        assert desk.rules.ruleset(desk.library) is bound
        desk.change(missions="organizer")
        assert desk.rules.ruleset(desk.library) is not bound
