"""Events with valid digests and no meaning: refused by the entry, without a traceback.

The digests of an event prove that nobody changed it, not that this program made it: a script can chain
anything. Nonsense is drawn from a seed and put into an event of every system.
"""

import io
import json
import os
import typing
from random import Random
from unittest import mock

import msgspec
import pytest

from tests.desk.kit import lent, new_desk, play
from tests.event.pad import profile
from tests.kit import ROOT
from tourney.cli import root
from tourney.desk import import_event, submit_deck
from tourney.errors import TourneyError
from tourney.event import event_document, fold, ops, showing
from tourney.event.entry import NOTHING_YET, Text, read, write
from tourney.event.ops import (
    Kept,
    Newcomer,
    NewcomersDeck,
    NoTable,
    Proof,
)
from tourney.record import Outcome, Result, Seat, Table
from tourney.store.event_file import EventFile
from tourney.store.export import export_lines

SYSTEMS = {
    "swiss": {},
    "three rounds and a cut": {"rounds": 2},
    "pods": {"system": "pods", "seats": (4, 3, 5)},
    "pods and a cut": {"system": "pods", "seats": (3, 2)},
    "nothing but tables of three": {"system": "elimination", "seats": (3,), "cut_seats": 3},
    "round robin": {"system": "round-robin"},
    "elimination": {"system": "elimination"},
    "double elimination": {"system": "elimination", "double": True},
}
LOOKS = (
    "event show", "event show --json", "event log", "event log --json", "event check", "event check --json",
    "event backup --list", "verify", "verify --json", "round show", "round show --json",
    "round show --round 1", "round clock", "round check", "round plan", "round why 1", "round why-not #1 #2",
    "round prove", "standings", "standings --json", "standings --at 3", "standings --swiss",
    "event show --at 3", "round show --at 3", "publish --list --at 3", "event summary",
    "event summary --json", "standings why #1",
    "player list", "player list --json", "player show #1", "player show #2 --json", "player deck #1",
    "result missing", "forecast cut --cut 2", "forecast chances --cut 2 --runs 2 --jobs 1",
    "forecast rounds --cut 2 --runs 2 --jobs 1 --hours 5",
    "forecast what-if --cut 2 --under mtr --drop #1 --runs 2 --jobs 1",
    "forecast what-if --cut 2 --more 1 --exact",
    "event deck", "event deck --json", "event deck missions", "publish --list", "event undo --dry-run",
    "round pair --dry-run", "event close --dry-run", "player add Zoe --dry-run",
)  # fmt: skip


@pytest.fixture(scope="module", params=SYSTEMS)
def honest(request, tmp_path_factory):
    """Return the ops, texts and secret of a sound event of each system, in round 2 or the cut."""
    folder = tmp_path_factory.mktemp("honest")
    larger = SYSTEMS[request.param].get("seats")
    count = 9 if larger == (3,) else 7
    with new_desk(folder, *(f"P{n}" for n in range(1, count + 1)), **SYSTEMS[request.param]) as desk:
        pods(desk) if larger else play(desk)
        if request.param == "three rounds and a cut":
            play(desk)
            desk.cut(4)
        if request.param == "pods and a cut":
            desk.cut(3)
            pods(desk)
        if not larger:
            desk.pair_round()
            desk.report(next(iter(desk.state.round.tables)), "w")
        desk.drop("#5")
        submit_deck(desk, "#1", "4 Ant\n", source="deck", anyway=True)
    with EventFile.open(folder / "friday.tourney") as journal:
        texts = [Text(*text) for text in journal.texts()]
        return [entry.op for entry in read(journal.rows())], texts, journal.secret()


def pods(desk):
    desk.pair_round()
    for number, table in desk.state.round.tables.items():
        desk.report(number, ",".join(map(str, range(1, len(table.seats) + 1))))


class Nonsense:
    """A source of random values and ops of every kind, without regard to their meaning."""

    def __init__(self, dice, texts):
        self.dice = dice
        self.refs = [text.ref for text in texts]

    def number(self):
        return self.dice.choice((-1, 0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 99, 10**6, 10**12))

    def player(self):
        return self.dice.choice((1, 2, 3, 4, 5, 6, 7, 8, 0, -3, 10**9))

    def some(self, draw, most=4):
        return tuple(draw() for _ in range(self.dice.randrange(most)))

    def ref(self):
        return self.dice.choice([*self.refs, "", "nothing", "x" * 64])

    def word(self):
        return self.dice.choice(
            (
                "",
                "x",
                "swiss",
                "Semifinal 1",
                "Final",
                "table 1",
                "2026-10-04",
                "2026-99-99",
                "\x1b[2J",
                "½",
                "a" * 300,
            )
        )

    def unseated(self):
        return self.dice.choice(("bye", "awarded-bye", "half-bye", "absent"))

    def seating(self):
        return Table(self.number(), self.some(self.player))

    def result(self):
        seats = self.some(
            lambda: Seat(
                self.player(),
                self.dice.choice(list(Outcome)),
                self.number(),
                self.number(),
                self.dice.choice((None, self.number())),
            )
        )
        return Result(seats, self.number(), self.end())

    def end(self):
        return self.dice.choice(("", "time", "deck", "id", self.word()))

    def kept(self):
        return Kept(
            kind=self.dice.choice(("format", "banlist", "profile", "x")),
            name=self.word(),
            text=self.ref(),
            day=self.word(),
        )

    def settings(self):
        return self.dice.choice(
            (
                {},
                {"rounds": self.number()},
                {"seats": [self.number()]},
                {"seats": []},
                {"first_table": self.number()},
                {"best_of": self.number()},
                {"minutes": self.number()},
                {"keep_apart": {self.word(): self.number()}},
                {"x": 1},
                {"choices": {"goal": self.word()}},
                {"system": self.word()},
                {"draws": 5},
                {"beacon": self.word()},
                {"no_show": self.dice.choice(("drop", "keep", self.word()))},
                {"deck_lock": self.dice.choice(("round-1", "2026-11-20T19:30+01:00", self.word()))},
                {"publish_to": self.word(), "slips": False},
                {"post_to": self.some(self.word)},
                {"language": self.word()},
                {"cut_seats": self.number(), "cut_advance": self.number()},
                {"claims": self.dice.random() < 0.5, "claim_alone": True, "claim_minutes": self.number()},
            )
        )

    def extra_points(self):
        return ops.ExtraPoints(self.number(), self.player(), self.dice.randint(-5, 5))

    def proof(self):
        return Proof(cost=self.some(self.number, 12), bound=self.some(self.number, 12), text=self.word())

    def op(self):
        kind = self.dice.choice(ops.AnyOp.__args__)
        fields = {field.name: self.field(kind, field.name) for field in msgspec.structs.fields(kind)}
        return kind(**fields)

    def field(self, kind, name):
        one = {
            "name": self.ref, "format": self.word, "on": self.word, "secret": self.word,
            "sealed": lambda: self.dice.random() < 0.5,
            "reason": lambda: self.dice.choice((None, self.ref())), "after": self.number,
            "since": self.number, "player": self.player, "round": self.number, "table": self.number,
            "minutes": self.number, "entry": self.number, "proof": self.proof,
            "rules": lambda: self.some(self.kept), "profile": lambda: self.some(self.kept, 2),
            "settings": self.settings, "text": self.ref, "cards": lambda: None, "verdict": lambda: "legal",
            "contact": lambda: None, "rating": self.number,
            "tags": lambda: self.some(lambda: (self.word(), self.ref())), "byes": lambda: (),
            "clean": lambda: False, "remark": lambda: None, "hard": lambda: True, "kind": self.word,
            "reseed": lambda: self.dice.random() < 0.5, "third_place": lambda: self.dice.random() < 0.5,
            "vacancy": lambda: "opponent", "stage": lambda: self.dice.choice(("swiss", "cut")),
            "system": lambda: self.dice.choice(("swiss", "pods", "elimination", "manual", "dutch",
                "round-robin")), "seed": self.word,
            "engine": lambda: self.dice.choice(("", "tourney 0.1.0", "repair", self.word())),
            "labels": lambda: self.some(self.word), "removed": lambda: self.some(self.number),
            "tables": lambda: self.some(self.seating),
            "results": lambda: {self.number(): self.result() for _ in range(2)},
            "result": lambda: self.dice.choice((None, self.result())),
            "players": lambda: self.some(self.player), "value": self.word,
            "late": lambda: self.dice.random() < 0.5, "held": lambda: self.dice.random() < 0.2,
            "texts": lambda: self.some(self.ref), "lot": lambda: self.dice.choice((None, False, True)),
            "also": lambda: self.some(self.player),
            "cancelled": lambda: self.some(lambda: (self.player(), self.number())), "level": self.word,
            "infraction": self.word, "zone": self.word, "zone_name": self.word,
            "declared": lambda: self.dice.random() < 0.5,
            "loss": lambda: self.dice.choice(typing.get_args(ops.Loss)), "method": self.word,
            "form": self.word, "file": self.word, "entries": self.number,
            "alias": lambda: self.dice.choice((None, self.ref())), "minor": lambda: self.dice.random() < 0.5,
            "seats": lambda: self.dice.choice((2, 3, 3, 4, self.number())),
            "advance": lambda: self.dice.choice((1, 1, 2, self.number())), "vouched": self.ref,
            "old_level": self.word, "call": self.number, "claim": self.number, "replaces": self.number,
            "key": self.word, "by_player": lambda: self.dice.random() < 0.3,
            "noted": lambda: self.dice.random() < 0.3, "extra_points": lambda: self.some(self.extra_points),
            "device": lambda: self.dice.choice((None, self.ref())),
        }  # fmt: skip
        if kind is ops.EventCreated and name == "settings":
            return {}
        if kind is ops.PlayerAdded and name == "players":
            return self.some(
                lambda: Newcomer(
                    id=self.player(),
                    name=self.ref(),
                    since=self.number(),
                    byes=self.some(lambda: (self.number(), self.unseated())),
                    table=self.number(),
                    deck=NewcomersDeck(
                        text=self.ref(), verdict="legal", vouched=self.dice.choice((None, self.ref()))
                    )
                    if self.dice.random() < 0.3
                    else None,
                )
            )
        if kind is ops.PlayerChanged and name == "byes":
            return self.some(lambda: (self.number(), self.unseated()))
        if kind in {ops.RoundPaired, ops.RoundEdited} and name == "byes":
            return self.some(lambda: NoTable(self.player(), self.unseated()))
        if kind is ops.AuditDrawn and name == "tables":
            return self.some(self.number)
        if kind is ops.CutMade and name == "kind":
            return self.dice.choice(("single", "double"))
        return one[name]()

    def bent(self, op):
        """Return an op with one field drawn anew."""
        name = self.dice.choice([field.name for field in msgspec.structs.fields(op)] or [""])
        return msgspec.structs.replace(op, **{name: self.field(type(op), name)}) if name else op


def chained(written):
    """Chain ops that no function decided; ops that no reader can decode are left out."""
    rows, digest = [], NOTHING_YET
    for op in written:
        try:
            row = write(
                op,
                seq=len(rows) + 1,
                at=f"2026-10-04T18:{len(rows) % 60:02}:00+02:00",
                by="by",
                previous=digest,
            )
        except Exception:  # noqa: BLE001 - unreadable nonsense is for the tests of reading
            continue
        rows.append(row)
        digest = row.digest
    return rows


def tampered(honest, dice):
    """Return a sound event with a few ops inserted, changed, removed or reordered."""
    written, texts, secret = honest
    written, draw = list(written), Nonsense(dice, texts)
    for _ in range(dice.randrange(1, 4)):
        place = dice.randrange(len(written) + 1)
        how = dice.randrange(5)
        if how < 2:
            written.insert(max(place, 1), draw.op())
        elif how == 2 and place < len(written):
            written[place] = draw.bent(written[place])
        elif how == 3 and 1 < place < len(written):
            written.pop(place)
        elif 1 < place < len(written):
            written[place - 1], written[place] = written[place], written[place - 1]
    return chained(written), texts, secret


def tourney(path, line):
    out, err = io.StringIO(), io.StringIO()
    words = [*line.split(), "-e", str(path)]
    environ = {
        "TOURNEY_DEBUG": "1",
        "TOURNEY_BY": "Ann",
        "TOURNEY_NOW": "2026-10-04T19:00:00+02:00",
        "XDG_DATA_HOME": "/nowhere",
    }
    with mock.patch.multiple("sys", stdout=out, stderr=err), mock.patch.dict(os.environ, environ):
        return root.run(words), out.getvalue(), err.getvalue()


def drive(honest, folder, seed, looks):
    dice = Random(seed)
    path = folder / "nonsense.tourney"
    rows, texts, secret = tampered(honest, dice)
    EventFile.create(path, rows, texts, secret).close()
    for line in dice.sample(LOOKS, looks):
        code, _, errors = tourney(path, line)
        story = "\n".join(f"{row.seq} {row.op.decode()}" for row in rows)
        assert code in {0, 1, 3, 4}, f"seed {seed}: {line}: {code}\n{errors}\n{story}"
    path.unlink()


def test_nonsense_never_causes_a_traceback(honest, tmp_path):
    """A dozen events, each read by some of the commands."""
    for seed in range(12):
        drive(honest, tmp_path, seed, 6)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_much_nonsense_never_causes_a_traceback(honest, tmp_path):
    """TOURNEY_NONSENSE events, each read by every command."""
    for seed in range(int(os.environ.get("TOURNEY_NONSENSE", "400"))):
        drive(honest, tmp_path, seed, len(LOOKS))


def test_every_event_that_folds_can_be_ranked_and_shown(honest):
    """After each entry, sound or not, because changes are written without ranking players first."""
    count, tourney_profile = 0, profile()
    for seed in range(40):
        rows, texts, _ = tampered(honest, Random(seed))
        words, entries = {text.ref: text.content.decode("utf-8", "replace") for text in texts}, read(rows)
        for number in range(1, len(entries) + 1):
            try:
                state = fold.fold(entries[:number], words)
            except TourneyError:
                break
            points = showing.points_after(state, tourney_profile)
            for round_ in state.rounds:
                showing.round_view(state, round_, points)
            assert event_document.show(state)
            count += 1
    assert count > 100


def test_every_command_names_an_entry_without_meaning(tmp_path):
    """A result of a table that does not exist: `check` finds it, commands and import refuse it."""
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        desk.pair_round()
    with EventFile.open(tmp_path / "friday.tourney") as journal:
        written, texts = (
            [entry.op for entry in read(journal.rows())],
            [Text(*text) for text in journal.texts()],
        )
    seats = (Seat(1, Outcome.WIN), Seat(2, Outcome.LOSS))
    rows = chained([*written, ops.ResultReported(round=1, results={7: Result(seats)})])
    path = tmp_path / "nonsense.tourney"
    with EventFile.create(path, rows, texts, b"secret") as journal:
        exported = tmp_path / "nonsense.jsonl"
        exported.write_bytes(b"\n".join(export_lines(journal, with_secret=True)))
    message = "entry 4 (result.reported) contradicts the entries before it: round 1 has no table 7"
    code, out, _ = tourney(path, "event check")
    assert (code, message in " ".join(out.split())) == (1, True)
    code, out, _ = tourney(path, "event check --json")
    assert (code, json.loads(out)["findings"][0]["rule"]) == (1, "entry")
    for line in "event show", "event log", "player add Zoe", "standings", "verify", "publish":
        code, _, errors = tourney(path, line)
        assert (code, errors.splitlines()[0]) == (3, f"error: {message}")
    target = tmp_path / "again.tourney"
    with pytest.raises(TourneyError, match=r"entry 4 .* round 1 has no table 7"):
        import_event(exported, target, lent())
    assert not target.exists()


def test_an_undone_entry_without_meaning_is_named(tmp_path):
    """The event folds without it; as of that entry it does not, and a redo would bring it back."""
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        desk.pair_round()
    with EventFile.open(tmp_path / "friday.tourney") as journal:
        written, texts = (
            [entry.op for entry in read(journal.rows())],
            [Text(*text) for text in journal.texts()],
        )
    seats = (Seat(1, Outcome.WIN), Seat(2, Outcome.LOSS))
    nonsense = ops.ResultReported(round=1, results={7: Result(seats)})
    [table] = written[-1].tables
    won = tuple(Seat(player, seat.outcome) for player, seat in zip(table.seats, seats, strict=True))
    contradiction = ops.ResultReported(round=1, results={table.number: Result(won)})
    paired = len(written)
    cases = {
        "taken-back": ([nonsense, ops.Undone(entry=paired + 1)], paired + 1, "round 1 has no table 7"),
        "put-back": (
            [ops.Undone(entry=paired), nonsense, ops.Undone(entry=paired + 2)],
            paired + 2,
            "there is no round 1",
        ),
        "needed": (
            [contradiction, ops.Undone(entry=paired), ops.Undone(entry=paired + 2)],
            paired + 2,
            f"without entry {paired}, entry {paired + 1} (result.reported) contradicts",
        ),
    }
    for name, (more, number, message) in cases.items():
        path, exported = tmp_path / f"{name}.tourney", tmp_path / f"{name}.jsonl"
        with EventFile.create(path, chained([*written, *more]), texts, b"secret") as journal:
            exported.write_bytes(b"\n".join(export_lines(journal, with_secret=True)))
        assert tourney(path, "event show")[0] == 0, "as it stands all is well"
        code, out, _ = tourney(path, "event check --json")
        findings = [finding for finding in json.loads(out)["findings"] if finding["rule"] == "entry"]
        assert (code, len(findings)) == (1, 1)
        assert findings[0]["message"].startswith(f"entry {number} ")
        assert message in findings[0]["message"]
        with pytest.raises(TourneyError, match=rf"^entry {number} "):
            import_event(exported, tmp_path / "again.tourney", lent())
        assert not (tmp_path / "again.tourney").exists()


def test_an_entry_as_of_which_nothing_can_be_shown_is_named(tmp_path):
    """Its rules have no format, and were undone later."""
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        desk.pair_round()
    with EventFile.open(tmp_path / "friday.tourney") as journal:
        written, texts = (
            [entry.op for entry in read(journal.rows())],
            [Text(*text) for text in journal.texts()],
        )
    without = ops.EventRebased(on="2026-11-01", rules=())
    path, number = tmp_path / "shown.tourney", len(written) + 1
    rows = chained([*written, without, ops.Undone(entry=number)])
    EventFile.create(path, rows, texts, b"secret").close()
    code, out, _ = tourney(path, "event check --json")
    messages = [finding["message"] for finding in json.loads(out)["findings"] if finding["rule"] == "shown"]
    assert code == 1
    assert [item.partition(":")[0] for item in messages] == [
        f"the event cannot be shown as of entry {number}"
    ]


def test_an_undo_to_unreadable_rules_is_refused(tmp_path):
    """The rules before have no profile; nothing is written, and the event is unchanged."""
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        desk.pair_round()
        kept, on = desk.state.rules, desk.state.on
    with EventFile.open(tmp_path / "friday.tourney") as journal:
        written, texts = (
            [entry.op for entry in read(journal.rows())],
            [Text(*text) for text in journal.texts()],
        )
    without, again = ops.EventRebased(on="2026-11-01", rules=()), ops.EventRebased(on=on, rules=kept)
    path = tmp_path / "rebased.tourney"
    EventFile.create(path, chained([*written, without, again]), texts, b"secret").close()
    code, _, errors = tourney(path, f"event undo {len(written) + 2}")
    assert (
        code,
        "error: the event could not be shown after this change: the event has no copy of its profile"
        in errors,
    ) == (
        3,
        True,
    )
    with EventFile.open(path) as journal:
        assert len(journal.rows()) == len(written) + 2


def test_check_shows_the_event_as_of_every_entry(tmp_path, monkeypatch):
    """Results, names and penalties can fold and not be shown: check and import name their entry."""
    from tourney.event import event_document, showing

    with new_desk(tmp_path, "Ada", "Ben", "Cleo", "Dan") as desk:
        desk.pair_round()
        first = desk.report(1, "w").entries[0]
        desk.change_result(1, "l")
        renamed = desk.rename("Ada", "Ada Oak").entries[0]
        desk.rename("Ada Oak", "Ada")
    path, exported = tmp_path / "friday.tourney", tmp_path / "friday.jsonl"
    with EventFile.open(path) as journal:
        exported.write_bytes(b"\n".join(export_lines(journal, with_secret=True)))

    def refuse(module, what, when):
        plain = getattr(module, what)

        def shown(*given, **more):
            if when(*given):
                raise TourneyError("there are no words for that")
            return plain(*given, **more)

        return shown

    first_won = refuse(
        showing,
        "_table_view",
        lambda _state, _round, table, _points: (
            table.result and table.result.seats[0].place == 1 and table.number == 1
        ),
    )
    oak = refuse(event_document, "_player", lambda player: player.name == "Ada Oak")
    for module, name, shown, number in (
        (showing, "_table_view", first_won, first),
        (event_document, "_player", oak, renamed),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, shown)
            code, out, _ = tourney(path, "event check --json")
            messages = [
                finding["message"] for finding in json.loads(out)["findings"] if finding["rule"] == "shown"
            ]
            text = f"the event cannot be shown as of entry {number}: there are no words for that"
            assert (code, messages) == (1, [text])
            with pytest.raises(TourneyError, match=f"^{text}$"):
                import_event(exported, tmp_path / "again.tourney", lent())
            assert not (tmp_path / "again.tourney").exists()
    assert tourney(path, "event check")[0] == 0
    import_event(exported, tmp_path / "again.tourney", lent()).leave()


def test_the_golden_event_is_read_and_its_faulty_entry_named(tmp_path):
    """It was rebased to rules without a format: it opens, `log` works, `check` names the entry."""
    path = tmp_path / "first.tourney"
    with import_event(ROOT / "tests/event/version-1.jsonl", path, lent()) as desk:
        assert desk.state.entry == len(desk.log())
    code, out, _ = tourney(path, "event check")
    assert code == 1
    rebased = next(row.seq for row in rows_of_first(path) if b"event.rebased" in row.op)
    assert f"entry {rebased}: the event has no copy of its format" in " ".join(out.split())
    for line in LOOKS:
        code, _, errors = tourney(path, line)
        assert code in {0, 1, 3, 4}, f"{line}: {errors}"
    assert tourney(path, "event show")[0] == 0
    assert tourney(path, "event log")[0] == 0


def rows_of_first(path):
    with EventFile.open(path) as journal:
        return journal.rows()


def test_missing_texts_are_shown_as_damaged_by_every_command(tmp_path):
    """Of the event's name, an author and a tag; every page and answer can still be made."""
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        desk.pair_round()
    with EventFile.open(tmp_path / "friday.tourney") as journal:
        written, texts = (
            [entry.op for entry in read(journal.rows())],
            [Text(*text) for text in journal.texts()],
        )
    lost = (ops.EventChanged(name="nothing"), ops.PlayerChanged(player=1, tags=(("club", "nothing"),)))
    path = tmp_path / "lost.tourney"
    EventFile.create(path, chained([*written, *lost]), texts, b"secret").close()
    paper = f"print pairings slips tables standings seatings badges decklists empty --to {tmp_path / 'print'}"
    for line in (*LOOKS, f"publish --to {tmp_path / 'pages'} --json", paper):
        code, _, errors = tourney(path, line)
        assert code in {0, 1, 3, 4}, f"{line}: {errors}"
    assert (tmp_path / "pages" / "event.json").exists()
    assert (tmp_path / "print" / "slips-round-1.html").exists()
