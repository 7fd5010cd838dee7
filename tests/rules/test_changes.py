"""What changed from one ban list to the next, and what makes a new one suspect."""

from datetime import date
from itertools import product

from tests.kit import with_rows
from tourney.rules import parse_banlist
from tourney.rules.banlist import changes, entries, objections


def banlist(text, day="2026-01-01"):
    return parse_banlist(text, source="list.toml", day=date.fromisoformat(day), name="game/main")


@with_rows(
    ("old", "new", "words"),
    [
        ("", "[cards]\nA = 0\nB = 1\nC = 3\n", ["A: banned", "B: restricted to 1 copy",
            "C: at most 3 copies"]),
        ("[cards]\nA = 0\nB = 1\n", "[cards]\nB = 0\n",
         ["A: no longer limited, was banned", "B: banned, was restricted to 1 copy"]),
        ("[cards]\nElan = 0\n", '[cards]\n"ÉLAN" = 0\n', []),
        ("[points]\ntotal = 7\nA = 1\n", "[points]\ntotal = 8\nA = 2\nB = 1\n",
         ["points: 8, was 7", "A: points: 2, was 1", "B: points: 1"]),
        ("[points]\ntotal = 7\nA = 1\n", "", ["points: no longer, was 7", "A: points: no longer, was 1"]),
        ("", '[lists]\nwatched = ["A"]\n', ["A: now on the list `watched`"]),
        ('[lists]\nwatched = ["A"]\n', "", ["A: no longer on the list `watched`"]),
        (
            '[[group]]\ncards = ["A", "B"]\n',
            '[[group]]\ncards = ["B", "A"]\n[[group]]\ncards = ["C", "D"]\nmax = 2\n',
            ["at most 2 of C, D"],
        ),
        ('[[group]]\ncards = ["A", "B"]\n', "", ["no longer: at most 1 of A, B"]),
        ("", "[[where]]\nwhere = \"type == 'current'\"\nreason = 'currents'\n", ["banned: currents"]),
        ("[[where]]\nwhere = 'cost > 9'\nmax = 1\n", "", ["no longer: at most 1: cards with `cost > 9`"]),
        (
            '[[group]]\ncards = ["A", "B"]\n',
            '[[group]]\ncards = ["A", "B"]\nper = "copy"\nzones = ["main", "side"]\nname = "twins"\n',
            ["no longer: at most 1 of A, B", "at most 1 copy in all of `twins`, in main and side: A, B"],
        ),
        (
            "[[where]]\nwhere = 'cost > 9'\nreason = 'too big'\n",
            "[[where]]\nwhere = 'cost > 8'\nreason = 'too big'\n",
            ["no longer: banned: too big (cards with `cost > 9`)", "banned: too big (cards with `cost > 8`)"],
        ),
        (
            "[points]\ntotal = 7\nA = 1\n",
            '[points]\ntotal = 7\nper = "name"\nA = 1\n',
            ["points: once for each card, however many copies, was for each copy"],
        ),
    ],
)  # fmt: skip
def test_changes_in_words(old, new, words):
    """Each change is one sentence. Spelling and order are not changes."""
    assert [change.words for change in changes(banlist(old), banlist(new))] == words


def test_every_entry_of_the_first_list_is_new():
    """Each entry is a change with its cards."""
    result = changes(None, banlist("[cards]\nA = 0\n[[group]]\ncards = ['B', 'C']\n"))
    assert [change.cards for change in result] == [("A",), ("B", "C")]


_GROUPS = (
    [f"[[group]]\ncards = {cards}\nmax = {most}\nper = '{per}'\nzones = {zones}\n" for cards, most, per,
     zones in product(
        (["A", "B"], ["A", "C"]), (0, 1), ("name", "copy"), ([], ["side"], ["main", "side"])
    )]
)  # fmt: skip
_WHERES = (
    [f'[[where]]\nwhere = "{where}"\nmax = {most}\nby = "{by}"\nreason = "{reason}"\nexcept = {spared}\n' for where, most, by, reason, spared in product(
        ("cost > 8", "cost > 9"), (0, 1, '"min(2, 3)"'), ("", "name"), ("", "too big"),
        ([], ["A"], ["A", "B"])
    )]
)  # fmt: skip
_POINTS = [
    f"[points]\ntotal = {total}\nper = '{per}'\nA = {cost}\n"
    for total, per, cost in product((7, 8), ("name", "copy"), (1, 2))
]


@with_rows("texts", [_GROUPS, _WHERES, _POINTS])
def test_removed_and_added_entries_differ_in_words(texts):
    """If two entries allow different things there is a change, and no sentence fits both."""
    lists = [banlist(text) for text in texts]
    for old, new in product(lists, lists):
        words = [change.words for change in changes(old, new)]
        assert len({sentence.removeprefix("no longer: ") for sentence in words}) == len(words)
        differ = (old.groups, old.points) != (new.groups, new.points)
        differ |= list(map(_allows, old.wheres)) != list(map(_allows, new.wheres))
        assert bool(words) == differ


def _allows(where):
    """Return what a condition allows. A ban does not depend on how copies are counted."""
    return where.where, where.max, where.max and where.by, where.except_cards


ONE, TWO, THREE = ("[cards]\n" + "".join(f"{name} = 0\n" for name in "ABC"[:number]) for number in (1, 2, 3))


@with_rows(
    ("new", "installed", "reasons"),
    [
        (banlist(THREE), [], ()),
        (banlist(""), [], ("the list is empty",)),
        (banlist(TWO, "2026-02-01"), [banlist(THREE)], ()),
        (banlist(ONE, "2026-02-01"), [banlist(THREE)], ("the list shrinks from 3 entries to 1",)),
        (banlist(ONE, "2026-03-01"), [banlist(THREE), banlist(ONE, "2026-02-01")], ()),
        (
            banlist(THREE, "2026-01-01"),
            [banlist(THREE, "2026-02-01")],
            ("a newer list is installed, that of 2026-02-01",),
        ),
        (banlist("", "2026-02-01"), [banlist(ONE)], ("the list is empty",)),
    ],
)
def test_objections(new, installed, reasons):
    """A list that is empty, a third shorter than the one before, or older than an installed one."""
    assert objections(new, installed) == reasons


def test_unknown_names_are_objections():
    """All objections are returned together."""
    assert objections(banlist(""), [], ["`A` is no card"]) == ("the list is empty", "`A` is no card")


def test_entries_are_cards_groups_and_conditions():
    """A card in two places is one entry."""
    text = "[cards]\nA = 0\n[points]\ntotal = 1\na = 1\nB = 1\n[[group]]\ncards = ['A']\n[[where]]\nwhere = 'cost > 9'\n"
    assert entries(banlist(text)) == 4
