"""Small records for tests, in the notation in which people write results."""

from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table

SCORES = {
    "1-0": (Outcome.WIN, Outcome.LOSS),
    "0-1": (Outcome.LOSS, Outcome.WIN),
    "1/2": (Outcome.DRAW, Outcome.DRAW),
    "+-": (Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS),
    "-+": (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_WIN),
    "--": (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_LOSS),
    "dl": (Outcome.DOUBLE_LOSS, Outcome.DOUBLE_LOSS),
}


def seat(player, outcome, games=0, score=None):
    """Return a seat; its place follows from the outcome."""
    return Seat(player, outcome, 2 if outcome in (Outcome.LOSS, Outcome.FORFEIT_LOSS) else 1, games, score)


def match(number, first, second, score):
    """Return a table from `1-0`, `1/2`, `+-`, `dl` …, games such as `2-1`, or `?` if open."""
    if score == "?":
        return Table(number, (first, second))
    if score in SCORES:
        one, two = SCORES[score]
        games = [int(one is Outcome.WIN), int(two is Outcome.WIN), int(one is Outcome.DRAW)]
    else:
        games = [*map(int, score.split("-")), 0][:3]
        one, two = SCORES["1/2" if games[0] == games[1] else "1-0" if games[0] > games[1] else "0-1"]
    seats = (seat(first, one, games[0]), seat(second, two, games[1]))
    return Table(number, (first, second), Result(seats, games[2]))


def record(players, *rounds, **more):
    """Return a record, with ids in alphabetic order.

    For example `record("ABCD", "A 2-1 B, C ? D", "A bye, B half, C away")`.
    """
    ids = {name: PlayerId(i) for i, name in enumerate(players, 1)}
    tables, byes, absences = [], [], []
    for line in rounds:
        tables.append([])
        byes.append({})
        absences.append(set())
        for words in filter(None, (part.split() for part in line.split(","))):
            if len(words) == 3:
                tables[-1].append(match(len(tables[-1]) + 1, ids[words[0]], ids[words[2]], words[1]))
            elif words[1] == "away":
                absences[-1].add(ids[words[0]])
            else:
                byes[-1][ids[words[0]]] = BYES[words[1]]
    for key in ("drops", "disqualified"):
        if key in more:
            more[key] = {ids[name]: last for name, last in more[key].items()}
    return Record(
        players=tuple(ids.values()),
        rounds=tuple(map(tuple, tables)),
        byes=tuple(byes),
        absences=tuple(map(frozenset, absences)),
        **more,
    )


BYES = {"bye": Outcome.BYE, "awarded": Outcome.AWARDED_BYE, "half": Outcome.HALF_BYE}
