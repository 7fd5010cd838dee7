"""Verdicts in sentences that a player understands, and as JSON documents.

An outlook (`cut.Outlook`) has the verdicts for one player: in, out or open. `sentence_key` chooses the
sentence that describes an outlook, for the terminal and for pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from tourney.document import Document
from tourney.forecast.cut import (
    Case,
    Ending,
    Forecast,
    Grounds,
    Margin,
    Outlook,
    TableOutlook,
    Verdict,
)
from tourney.forecast.question import CutQuestion
from tourney.forecast.shares import Names, OfPlayer, PlayerEstimate
from tourney.record import BY_PLAY, NameOf, Outcome, PlayerId
from tourney.standings import Row
from tourney.standings.exact import exact_text, text_of
from tourney.standings.profile import POINTS, Profile
from tourney.standings.ranking import note_text
from tourney.standings.tiebreaks import find
from tourney.wording import MAX_NAMED, Message, counted, format_ranges, listed, listed_short

# -- What a player needs


SENTENCES: Mapping[str, Message] = {
    "in": Message("in whatever happens"),
    "out": Message("out whatever happens"),
    "is_in": Message("in"),
    "is_out": Message("out"),
    "level": Message("level with the last place"),
    "draw": Message("in with a draw"),
    "draw_not_loss": Message("in with a draw, out with a loss"),
    "win_only": Message("needs a win"),
    "win": Message("in with a win"),
    "win_not_loss": Message("in with a win, out with a loss"),
    "win_open_draw": Message("in with a win, open with a draw, out with a loss"),
    "at_best_level": Message("level with the last place at best"),
    "at_best_level_win": Message("with a win, level with the last place at best; otherwise out"),
    "at_best_level_draw": Message("with a win or a draw, level with the last place at best; otherwise out"),
    "open": Message("open"),
    "open_win": Message("open with a win, otherwise out"),
    "open_draw": Message("open with a win or a draw, otherwise out"),
    "waits": Message("open (earlier results are missing)"),
    "waits_win": Message("open with a win, otherwise out (earlier results are missing)"),
    "waits_draw": Message("open with a win or a draw, otherwise out (earlier results are missing)"),
}
"""The sentences that describe an outlook, by key.

`is_in`, `is_out` and `level` are used when nothing is left to play.
"""


def outlook_text(outlook: Outlook) -> Message:
    """Return the sentence that describes an outlook, such as `in with a draw` or `needs a win`."""
    return SENTENCES[sentence_key(outlook)]


def sentence_key(outlook: Outlook) -> str:
    """Return the key (in `SENTENCES`) of the sentence that describes the verdicts for a player."""
    if outlook.shown_verdict == "level":
        return "level"
    if outlook.now == "in":
        return "is_in" if outlook.is_over else "in"
    if outlook.now == "out":
        return "is_out" if outlook.is_over else "out"
    win, draw, loss = (outlook.after(outcome) for outcome in BY_PLAY)
    if draw == "in":
        return "draw" if loss == "open" else "draw_not_loss"
    if win == "in":
        return _with_a_win(draw, loss)
    reason = "at best" if outlook.at_best_level else "waits" if outlook.has_missing_results else ""
    always, with_draw, with_win = _OPEN[reason]
    if loss != "out":
        return always
    return with_draw if draw == "open" else with_win


def _with_a_win(draw: Verdict | None, loss: Verdict | None) -> str:
    if {draw, loss} <= {"out", None}:
        return "win_only"
    if loss == "open":
        return "win"
    return "win_open_draw" if draw == "open" else "win_not_loss"


_OPEN: Mapping[str, tuple[str, str, str]] = {
    "at best": ("at_best_level", "at_best_level_draw", "at_best_level_win"),
    "waits": ("waits", "waits_draw", "waits_win"),
    "": ("open", "open_draw", "open_win"),
}
"""Reason why a verdict is open → the keys of three sentences.

The first sentence is for a verdict that is open after every result. The second is for one that is open only
after a win or a draw, the third for one that is open only after a win.
"""


# -- The effect of a draw at a table


def draw_text(at: TableOutlook, name: NameOf) -> str:
    """Return a sentence about the players whom a draw suits, such as `a draw suits both`.

    The sentence is empty if a draw is impossible.
    """
    parts = _draw_parts(at, name)
    of_draw = listed([text for text, is_of_draw in parts if is_of_draw])
    other_texts = [text for text, is_of_draw in parts if not is_of_draw]
    return "; ".join([*([f"a draw {of_draw}"] if of_draw else []), *other_texts])


def draw_parts(at: TableOutlook, name: NameOf) -> list[str]:
    """Return what a draw means for the players of a table, such as `suits Ada`.

    `suits Ada` means that Ada makes the cut with a draw. The texts are for a column with the title `a draw`.
    Players for whom a draw has the same effect share a text. The list is empty if a draw is impossible.
    """
    return [text for text, _ in _draw_parts(at, name)]


def _draw_parts(at: TableOutlook, name: NameOf) -> list[tuple[str, bool]]:
    """Return phrases about the effect of a draw, and whether each can follow the words `a draw`.

    `suits Ada` can, as in `a draw suits Ada`; `Ben is in anyway` cannot.
    """
    effects = dict(at.draw_effects())
    is_pair = len(at.outlooks) == 2
    is_alone = "suits" in effects and "not enough" in effects and "open" not in effects
    parts = []
    for word, players in effects.items():
        is_all = len(effects) == 1
        names = ("both" if is_pair else "all of them") if is_all else listed(map(name, players))
        if word == "suits":
            parts.append((f"suits {names}{' alone' if is_alone else ''}", True))
        elif word == "open":
            parts.append((f"leaves {names} open", True))
        elif word == "not enough":
            if is_all:
                parts.append((f"suits {'neither' if is_pair else 'no player'}", True))
            elif not is_alone:
                parts.append((f"is not enough for {names}", True))
        else:
            parts.append((f"{names} {'are' if is_all or players[1:] else 'is'} {word}", False))
    return parts


# -- Why


def because_text(question: CutQuestion, case: Case, name: NameOf) -> str:
    """Return the reason for the verdict `in` or `out` in words; empty for `open`.

    For example: `with a draw: even if table 3 is drawn, at most 6 others can reach 13½ points`.
    """
    grounds = case.grounds
    if grounds is None:
        return ""
    points = with_unit(question.profile.points_text(grounds.points))
    own_result = f"with a {case.outcome.value}" if case.outcome else "as it stands"
    if case.verdict == "in":
        count = (
            f"at most {counted(grounds.other_count, 'other')}" if grounds.other_count else "no other player"
        )
        goal = f"reach {points}" if grounds.by == "points" else _rank_text(question, points)
        condition = _even_if(question, grounds, name)
        return f"{own_result}: {condition}{count} can {goal}{_level_text(question, case, name)}"
    ends = "ends" if grounds.other_count == 1 else "end"
    lead = (
        f"with more than {points}"
        if grounds.by == "points"
        else f"ahead, with more than {points} or better tie-breaks"
    )
    count = f"at least {counted(grounds.other_count, 'other')}"
    condition = _whatever(question, grounds)
    return f"{own_result}: {condition}{count} {ends} {lead}{_level_text(question, case, name)}"


def _rank_text(question: CutQuestion, points: str) -> str:
    led_by_points = question.profile.order[0] == POINTS and not question.record.left_early
    least = f" ({points} or more)" if led_by_points else ""
    return f"end level or ahead by points and tie-breaks{least}"


def with_unit(points: str) -> str:
    """Return printed points with their unit.

    >>> [with_unit(points) for points in ("0", "½", "0.5", "1", "1½", "13")]
    ['0 points', '½ point', '0.5 points', '1 point', '1½ points', '13 points']
    """
    return f"{points} point{'' if points in {'½', '1'} else 's'}"


def _whatever(question: CutQuestion, grounds: Grounds) -> str:
    if not grounds.tried_tables:
        return "" if question.is_over else "whatever happens, "
    if grounds.by == "ranking":
        tables = _tables_text(sorted(table.number for table in grounds.tried_tables))
    else:
        tables = listed(f"table {table.number} of round {table.round}" for table in grounds.tried_tables)
    return f"in each of {counted(grounds.cases, 'case')} of {tables}, "


def _even_if(question: CutQuestion, grounds: Grounds, name: NameOf) -> str:
    if 0 < len(grounds.tables) <= MAX_NAMED:
        return f"even if {_endings_text(grounds.tables, name)}, "
    return _whatever(question, grounds)


def _endings_text(endings: Iterable[Ending], name: NameOf) -> str:
    """Return the results of tables, such as `tables 3–5 are drawn and Mira wins at table 2`."""
    drawn_tables, phrases = [], []
    for ending in endings:
        table = _tables_text([ending.table.number])
        first = _seats_with(ending, Outcome.DRAW)
        if first == ending.table.seats:
            drawn_tables.append(ending.table.number)
        elif winners := _seats_with(ending, Outcome.WIN):
            phrases.append(f"{listed(map(name, winners))} wins at {table}")
        else:
            phrases.append(f"{listed(map(name, first))} share the first place at {table}")
    parts = (
        [f"{_tables_text(drawn_tables)} {'are' if drawn_tables[1:] else 'is'} drawn"] if drawn_tables else []
    )
    return listed([*parts, *phrases])


def _seats_with(ending: Ending, outcome: Outcome) -> tuple[PlayerId, ...]:
    seats = zip(ending.table.seats, ending.kinds, strict=True)
    return tuple(player for player, (seat_outcome, _) in seats if seat_outcome is outcome)


def _tables_text(numbers: Sequence[int]) -> str:
    return f"table{'s' if numbers[1:] else ''} {listed(format_ranges(numbers))}"


def _level_text(question: CutQuestion, case: Case, name: NameOf) -> str:
    """Return a text about players who can be level on points, but whom a tie-break separates.

    Such players surely end behind if the verdict is `in`, and surely ahead if it is `out`. The text names
    them and the tie-break. It is empty if no player is like that.
    """
    assert case.grounds is not None
    by_code: dict[str, dict[str, Margin]] = {}
    for player, margin in case.grounds.level.items():
        by_code.setdefault(margin.code, {})[name(player)] = margin
    side = "behind" if case.verdict == "in" else "ahead"
    return "".join(
        f"; {listed_short(list(margins))} {'stays' if len(margins) == 1 else 'stay'} {side} on {code}"
        f"{_margin_text(question.profile, list(margins.values()), ahead=side == 'ahead')}"
        for code, margins in by_code.items()
    )


def _margin_text(profile: Profile, margins: Sequence[Margin], *, ahead: bool) -> str:
    """Return a player's value of a tie-break and the closest value of the others, in words.

    Returns an empty text if one of these players has no value.

    ahead: whether the other players are ahead of the player
    """
    row = find(margins[0].code)
    other_values = [margin.other_value for margin in margins if margin.other_value is not None]
    own_value = margins[0].player_value
    if own_value is None or len(other_values) < len(margins):
        return ""
    is_above = ahead is not row.low
    nearest = min(other_values) if is_above else max(other_values)
    words = ("at least", "at most") if is_above else ("at most", "at least")
    unit = " %" if row.unit == "percent" else ""
    texts = [text_of(value, row.unit, profile) + unit for value in (nearest, own_value)]
    if texts[0] == texts[1]:
        texts = [exact_text(nearest), exact_text(own_value)]
    return f": {words[0]} {texts[0]} against {words[1]} {texts[1]}"


# -- JSON documents


class ByResult(Struct, frozen=True):
    """The verdict (`in`, `out` or `open`) after each result of the player's own table.

    win: the verdict after a win; null if a win is impossible
    draw: the verdict after a draw; null if a draw is impossible
    loss: the verdict after a loss; null if a loss is impossible
    """

    win: Verdict | None
    draw: Verdict | None
    loss: Verdict | None


class VerdictReason(Struct, frozen=True):
    """The reason for a verdict.

    with: the player's own result; null for a player without an open table
    verdict: `in` or `out`
    others: for `in`, the largest number of other players who can end level or above; for `out`, the smallest
        number of other players who end above
    text: the reason in a sentence
    """

    with_: str | None = msgspec.field(name="with")
    verdict: Verdict
    others: int
    text: str


class SeatVerdict(OfPlayer, frozen=True):
    """The verdict for a player: whether the player makes the cut.

    now: `in` or `out` if this is proved for all results of the open tables; otherwise `open`
    with: the verdict after each result of the player's own table
    """

    now: Verdict
    with_: ByResult = msgspec.field(name="with")


class PlayerVerdict(SeatVerdict, frozen=True):
    """The verdict for a player, and the results that the player needs.

    text: the results that the player needs, in words
    because: the reasons, one for each kind of result after which the player is `in` or `out`
    """

    text: str
    because: tuple[VerdictReason, ...]


class TableVerdict(Struct, frozen=True):
    """The verdicts for the players of an open table.

    table: the number of the table
    text: a sentence that names the players whom a draw suits; empty if no match can be drawn
    draw_suits: the numbers of the players who make the cut with a draw, but not with every result
    players: the players, seat by seat
    """

    table: int
    text: str
    draw_suits: tuple[PlayerId, ...]
    players: tuple[SeatVerdict, ...]


class CutForecast(Document, frozen=True, tag="tourney.forecast-cut/1"):
    """What `tourney forecast cut --json` prints: for each player, whether the cut is certain.

    cut: the number of players who make the cut
    after: the number of rounds paired so far
    settled: whether every player is in or out
    players: the players in the order of the standings
    draws_that_suit: the numbers of the tables where both players are sure to make the cut with a draw, unless
        both are sure to make it with every result
    tables: the open tables of the last round
    """

    cut: int
    after: int
    settled: bool
    players: tuple[PlayerVerdict, ...]
    draws_that_suit: tuple[int, ...]
    tables: tuple[TableVerdict, ...]


def cut_forecast(forecast: Forecast, players: Iterable[PlayerVerdict], names: Names) -> CutForecast:
    """Return the JSON document of a forecast of the cut for all players."""
    return CutForecast(
        cut=forecast.question.cut,
        after=len(forecast.question.record.rounds),
        settled=forecast.is_settled,
        players=tuple(players),
        draws_that_suit=tuple(table.number for table in forecast.draws_that_suit()),
        tables=tuple(table_verdict(at, names) for at in forecast.tables),
    )


def player_verdict(
    row: Row, forecast: Forecast | None, names: Names, *, seems_gone: bool = False, with_reasons: bool = True
) -> PlayerVerdict:
    """Return the document about one player.

    row:          the player's row of the standings
    forecast:     the forecast, without an outlook for a player who left; None before the first round
    seems_gone:   whether the player counts as gone only because the last rounds do not include the player
    with_reasons: whether to include the reasons; finding them for many players takes a while
    """
    now: Verdict = "open"
    text, because, outlook = "open", list[VerdictReason](), None
    if forecast:
        outlook = forecast.by_player.get(row.player)
        now = outlook.now if outlook else "out"
        if outlook is None:
            text = f"{note_text(row, has_left=True)}: out"
        else:
            has_left = row.has_dropped and now == "open"
            text = left_text(seems_gone=seems_gone) if has_left else outlook_text(outlook)
            because = [*_reasons(forecast.question, outlook, names)] if with_reasons else []
    return PlayerVerdict(
        player=names[row.player],
        number=row.player,
        now=now,
        with_=_by_result(outlook),
        text=text,
        because=tuple(because),
    )


def left_text(*, seems_gone: bool) -> str:
    """Return the text for a player who left but could still make the cut by points."""
    return "seems to have left" if seems_gone else "has left"


def _by_result(outlook: Outlook | None) -> ByResult:
    return ByResult(*map(outlook.after, BY_PLAY)) if outlook else ByResult(None, None, None)


def _reasons(question: CutQuestion, outlook: Outlook, names: Names) -> Iterable[VerdictReason]:
    for case in outlook.cases:
        if case.grounds:
            yield VerdictReason(
                with_=case.outcome.value if case.outcome else None,
                verdict=case.verdict,
                others=case.grounds.other_count,
                text=because_text(question, case, lambda player: str(names[player])),
            )


def table_verdict(at: TableOutlook, names: Names) -> TableVerdict:
    """Return the JSON document about an open table and the verdicts for its players."""
    return TableVerdict(
        table=at.table.number,
        text=draw_text(at, lambda player: str(names[player])),
        draw_suits=tuple(
            player for word, players in at.draw_effects() if word == "suits" for player in players
        ),
        players=tuple(
            SeatVerdict(names[player], player, outlook.now if outlook else "out", _by_result(outlook))
            for player, outlook in zip(at.table.seats, at.outlooks, strict=True)
        ),
    )


class PlayerForecast(Document, PlayerVerdict, frozen=True, tag="tourney.forecast-player/1"):
    """What `tourney forecast player PLAYER --json` prints: which results the player needs.

    It also has the player's chance of making the cut.

    cut: the number of players who make the cut
    after: the number of rounds paired so far
    table: the player's own open table; null if the player has none
    estimate: the player's chance of making the cut; null if the verdict is `in` or `out`
    """

    cut: int
    after: int
    table: TableVerdict | None
    estimate: PlayerEstimate | None
