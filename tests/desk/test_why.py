"""Explanations of recorded rounds, checked against a separate tally."""

import random
import re
from collections import Counter
from dataclasses import dataclass, field

import pytest

from tests.desk.kit import new_desk
from tests.pairing.claims import World
from tourney.desk import explain_table, import_players, price_pairing
from tourney.errors import TourneyError
from tourney.pairing import NOBODY, Entrant, Mode, Options

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal")


@dataclass
class Tally:
    """Facts about a player, counted from the entered results."""

    points: int = 0
    rating: int | None = None
    opponents: tuple = ()
    no_shows: tuple = ()
    byes: int = 0
    awarded: int = 0
    floats: tuple = ()
    tags: tuple = ()


@dataclass
class Night:
    """A desk with an event on it, and the same event on paper."""

    desk: object
    dice: object
    tallies: dict = field(default_factory=dict)
    forbidden: set = field(default_factory=set)
    forced: tuple = ()
    forced_bye: int | None = None
    first_round: Mode = Mode.RANDOM
    moments: dict = field(default_factory=dict)
    """How a table of the current round was made: players → (by hand, the world it was made in)."""

    def world(self, inside):
        """Return the players `inside` as entrants of the current round, and the pairing options."""
        number = self.desk.state.round.number
        entrants = [
            Entrant(
                id=player,
                points=tally.points,
                opponents=tally.opponents,
                no_shows=tally.no_shows,
                rating=tally.rating,
                byes=tally.byes,
                awarded_byes=tally.awarded,
                floats=tally.floats,
                tags=tally.tags,
            )
            for player, tally in self.tallies.items()
            if player in inside
        ]
        forced = tuple(pair for pair in self.forced if set(pair) <= inside)
        options = Options(
            round_number=number,
            mode=self.first_round if number == 1 else Mode.RANDOM,
            forbidden=frozenset(self.forbidden),
            forced=forced,
            forced_bye=self.forced_bye if self.forced_bye in inside and len(inside) % 2 else None,
        )
        return entrants, options

    def made(self):
        round_ = self.desk.state.round
        byes = tuple(player for player, kind in round_.byes.items() if kind.value == "bye")
        return {n: table.seats for n, table in round_.tables.items()}, (byes[0] if byes else None), byes

    def note(self, *, by_hand):
        """Record the facts at the time when new tables were made."""
        tables, _, byes = self.made()
        inside = {player for seats in tables.values() for player in seats} | set(byes)
        groups = {frozenset(seats) for seats in tables.values()} | {frozenset((player,)) for player in byes}
        world = self.world(inside), self.made()
        self.moments = {group: self.moments.get(group, (by_hand, world)) for group in groups}
        self.last = by_hand or any(hand for hand, _ in self.moments.values()), world

    def hold(self, read):
        """Ask about every table and pair, and check each sentence against the facts at that time."""
        round_ = self.desk.state.round
        for players, (by_hand, (asked, made)) in self.moments.items():
            world = World(*asked, made)
            answer = explain_table(self.desk, None, self.name(min(players)))
            assert (answer.made.how != "engine") == by_hand, "who made the table"
            if not world.rounds:
                continue
            for reason in answer.explanation.reasons:
                self.read(world, players, reason.text, read, chance=not by_hand)
        by_hand, (asked, made) = self.last
        world, ids = World(*asked, made), [question.id for question in asked[0]]
        if not world.rounds or len(ids) < 2:
            return
        for _ in range(4):
            one, other = self.dice.sample([*ids, NOBODY], 2)
            one, other = (one, other) if one else (other, one)
            for reason in price_pairing(self.desk, None, one, other).price.reasons:
                self.read(
                    world, (one, other), reason.text, read, chance=not round_.edits and bool(round_.engine)
                )

    def read(self, world, players, text, read, *, chance):
        assert chance or "chance chose" not in text, "nobody says so of a table by hand"
        numbered_text = re.sub("|".join(NAMES), lambda found: f"#{NAMES.index(found[0]) + 1}", text)
        world.holds(players, numbered_text.replace("the club ", "club "))
        read.update(world.read)
        world.read.clear()

    def name(self, player):
        return NAMES[player - 1]

    def played(self):
        """Enter all results of the open round, and update the tally."""
        round_, before = self.desk.state.round, {p: tally.points for p, tally in self.tallies.items()}
        for table in round_.tables.values():
            score = self.dice.choice(["1-0", "1-0", "0-1", "0-1", "=", "ff1"])
            self.desk.report(table.number, score)
            one, other = table.seats
            for mine, theirs, points in (
                (one, other, {"1-0": 2, "0-1": 0, "=": 1, "ff1": 0}[score]),
                (other, one, {"1-0": 0, "0-1": 2, "=": 1, "ff1": 2}[score]),
            ):
                tally = self.tallies[mine]
                tally.points += points
                if score == "ff1":
                    tally.no_shows += (theirs,)
                else:
                    tally.opponents += (theirs,)
                tally.floats += ((before[theirs] > before[mine]) - (before[theirs] < before[mine]),)
        for player, kind in round_.byes.items():
            tally = self.tallies[player]
            tally.points += {"bye": 2, "awarded-bye": 2, "half-bye": 1, "absent": 0}[kind.value]
            tally.byes += kind.value == "bye"
            tally.awarded += kind.value == "awarded-bye"
        for tally in self.tallies.values():
            tally.floats += (0,) * (round_.number - len(tally.floats))


def evening(folder, dice, read):
    """Play an event of a few rounds with random actions, and ask about everything."""
    count = dice.randint(4, 8)
    first_round = dice.choice([Mode.RANDOM, Mode.RANDOM, Mode.FOLD, Mode.SLIDE])
    with new_desk(folder, keep_apart={"club": 0}, first_round=first_round.value) as desk:
        night = Night(desk, dice, first_round=first_round)
        for player in range(1, count + 1):
            club = dice.choice([None, None, "Ravens", "Owls"])
            bye = {2: "awarded-bye"} if dice.random() < 0.1 else {}
            rating = dice.choice([None, 1500, 1600]) if player > 1 else 1700
            desk.add_player(NAMES[player - 1], tags={"club": club} if club else {}, byes=bye, rating=rating)
            night.tallies[player] = Tally(tags=(f"club:{club}",) if club else (), rating=rating)
        for number in range(1, dice.randint(2, 5)):
            if (
                number > 1 and len(night.tallies) < len(NAMES) and dice.random() < 0.3
            ):  # a player registers late
                new_number = len(night.tallies) + 1
                desk.add_player(NAMES[new_number - 1])
                night.tallies[new_number] = Tally(floats=(0,) * (number - 1))
            wish(night, number)
            if not pair(night):
                return
            for _ in range(dice.choice([0, 0, 1, 2])):
                edit(night)
            night.hold(read)
            night.played()


def wish(night, number):
    """Force or forbid random pairs and a bye before a round."""
    dice, desk = night.dice, night.desk
    there = [player_id.id for player_id in desk.state.playing if number not in player_id.byes]
    night.forced, night.forced_bye = (), None
    if len(there) < 2:
        return
    if dice.random() < 0.2:
        pair = tuple(sorted(dice.sample(there, 2)))
        if pair not in night.forbidden:
            desk.force(*pair)
            night.forced = (pair,)
    if dice.random() < 0.1 and len(there) % 2:
        left = [player for player in there if all(player not in pair for pair in night.forced)]
        night.forced_bye = dice.choice(left)
        desk.force(night.forced_bye)
    if dice.random() < 0.2:
        pair = tuple(sorted(dice.sample(there, 2)))
        if dice.random() < 0.5 and pair not in night.forced:
            desk.forbid(*pair)
            night.forbidden.add(pair)
        elif pair not in night.forced:
            desk.forbid(*pair, hard=False)
            for player in pair:
                night.tallies[player].tags += (f"apart:{pair}",)


def pair(night):
    """Pair the next round by the engine or by hand; return False if there is none."""
    dice, desk = night.dice, night.desk
    number = len(desk.state.rounds) + 1
    by_hand = dice.random() < 0.2
    try:
        if by_hand:
            there = [player_id.id for player_id in desk.state.playing if number not in player_id.byes]
            dice.shuffle(there)
            lines = [
                f"{NAMES[a - 1]} - {NAMES[b - 1]}" for a, b in zip(there[::2], there[1::2], strict=False)
            ]
            lines += [f"{NAMES[there[-1] - 1]} bye"] if len(there) % 2 else []
            desk.pair_round(by_hand="\n".join(lines))
        else:
            desk.pair_round()
    except TourneyError:
        return False
    night.moments = {}
    night.note(by_hand=by_hand)
    return True


def edit(night):
    """Edit the round by hand, or drop a player and repair it."""
    dice, desk, round_ = night.dice, night.desk, night.desk.state.round
    seated = [player for table in round_.tables.values() for player in table.seats]
    if not seated:
        return
    try:
        kind = dice.choice(["swap", "swap", "bye", "drop"])
        if kind == "swap":
            byes = [player for player, how in round_.byes.items() if how.value == "bye"]
            desk.swap(*dice.sample([*seated, *byes], 2))
        elif kind == "bye":
            desk.bye(dice.choice(seated), dice.choice(["bye", "half-bye", "absent"]))
        else:
            desk.drop(dice.choice(seated))
            desk.repair_round()
    except TourneyError:
        return
    night.note(by_hand=True)


def evenings(folder, numbers):
    read = Counter()
    for number in numbers:
        place = folder / str(number)
        place.mkdir()
        try:
            evening(place, random.Random(f"evening {number}"), read)
        except AssertionError as fault:
            raise AssertionError(f"evening {number}: {fault}") from fault
    return read


def test_every_sentence_of_an_evening_is_true(tmp_path):
    """Paired, by hand, edited or repaired, with fixed tables, keep-aparts, byes and drops."""
    assert len(evenings(tmp_path, range(10))) > 15


@pytest.mark.long
def test_every_sentence_of_many_evenings_is_true(tmp_path):
    assert len(evenings(tmp_path, range(100, 220))) > 25


def test_a_table_number_with_too_many_digits_is_refused(tmp_path):
    """Refused as any other table that is not there."""
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        desk.pair_round()
        with pytest.raises(TourneyError, match="is not a table"):
            explain_table(desk, None, "9" * 5_000)


def test_results_of_a_larger_table_are_described_by_first_places(tmp_path):
    """Winners, or players who share first place, separated by semicolons."""
    from tourney.standings import explain_place
    from tourney.standings.describing import describe

    with new_desk(tmp_path, "Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", system="pods", seats=[3]) as desk:
        desk.pair_round()
        desk.report("1..2", "1,1,3")
        ranked, names = (
            desk.ranking_input(),
            {player.id: player.name for player in desk.state.players.values()},
        )
        lines = [
            line.partition(": ")[2]
            for player in names
            for line in describe(
                explain_place(ranked.record, ranked.profile, player, seed=ranked.seed), names.__getitem__
            )
            if line.startswith("    round 1, ")
        ]
    assert lines
    one = "(Ada|Ben|Cleo|Dora|Emil|Fay)"
    some, either = rf"{one}(, {one})*( and {one})?", rf"{one}(, {one})*( or {one})?"
    ways = (
        rf"{either} wins",
        rf"a first place shared by {some}((, by {some})* or by {some})?",
        rf"{some} (wins|share the first place) and {some} (does|do) not show up",
        "all share the first place|no player shows up|a loss for all",
        r"or any of \d+ other changes?",
    )
    for line in lines:
        assert all(re.fullmatch("|".join(ways), way) for way in line.split("; ")), line
        assert len(set(re.findall(one, line))) <= 3, line


def test_facts_name_clubs_like_sentences(tmp_path):
    """`--json` has the club's name, not its digest."""
    with new_desk(tmp_path, keep_apart={"club": 0}) as desk:
        import_players(desk, "name,club\nAda,Reef\nBen,Reef", source="list")
        desk.forbid("Ada", "Ben", hard=False)
        desk.pair_round()
        for sentences in (explain_table(desk, 1, "1").explanation, price_pairing(desk, 1, 1, 2).price):
            tags = [tag for fact in sentences.facts for tag in fact.get("tags", ())]
            assert not [tag for tag in tags if re.search("[0-9a-f]{64}", tag)]
        [shared] = [fact for fact in explain_table(desk, 1, "1").explanation.facts if "tags" in fact]
        assert "the club Reef" in shared["tags"]


@pytest.mark.parametrize("kind", ["single", "double"])
def test_why_not_in_a_bracket_repeats_nothing(tmp_path, kind):
    """Two players who meet get only that answer; a match between them is mentioned once."""
    with new_desk(tmp_path, *NAMES) as desk:
        desk.pair_round()
        desk.report_block(f"{table} w" for table in desk.state.round.tables)
        desk.cut(8, kind=kind, lot=True)
        for _ in range(4):
            desk.pair_round()
            tables = list(desk.state.round.tables.values())
            for one in desk.state.players:
                for other in desk.state.players.keys() - {one}:
                    price = price_pairing(desk, None, one, other).price
                    kinds = [reason.what for reason in price.reasons]
                    meet = any(set(table.seats) == {one, other} for table in tables)
                    assert (kinds == ["meets"]) is meet
                    facts = zip(kinds, price.facts, strict=True)
                    matches = [fact["match"] for what, fact in facts if what == "came-from"]
                    assert len(matches) == len(set(matches))
                    assert kinds
            desk.report_block(f"{table.number} w" for table in tables)
            if len(tables) == 1:
                break
