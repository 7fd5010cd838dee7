"""A player's own page, and the forms that a player can send from a phone.

Only the session determines which player sends a form. A form names the round, table, players and reported
result (claim) that its page showed; the desk refuses the form if any of these have changed. Each form has a
random word (`once`), so that a form that is sent twice is entered only once.

The form for a result (`ResultForm`) has a button for each result that the game allows. The fields that it
sends (`SentResult`) become a `Report`. The event checks a report in the same way as a result that a
scorekeeper enters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from msgspec import Struct, structs
from msgspec.structs import replace
from starlette.responses import Response

from tourney.desk.own_seat import OwnSeat
from tourney.errors import TourneyError
from tourney.event import claims
from tourney.event.claims import claim_text
from tourney.event.decks import locked_since
from tourney.event.names import kept_apart
from tourney.event.phrases import own_result, result_text, unchecked_part
from tourney.event.score import Games, Report, Score, SeatPlaces
from tourney.event.showing import match_view, without_points
from tourney.event.titles import in_a_sentence
from tourney.publish.pages import Now
from tourney.record import games_needed, most_decided_games, parse_whole_number
from tourney.rules.scoring import USUAL_ENDS, Scoring, Unscored
from tourney.serve.live import Pages
from tourney.serve.news import RESULTS, ROOM, about_player, on_page
from tourney.serve.visits import (
    PLAYERS,
    PLAYERS_ONLY,
    READ_ONLY,
    RefusedError,
    Role,
    Route,
    Visit,
    refusal_text,
)
from tourney.wording import Message, clock_time, listed, sentence

if TYPE_CHECKING:
    from tourney.errors import Finding
    from tourney.event.state import Claim, Player, Round, RoundTable, State
    from tourney.record import PlayerId
    from tourney.rules.vocabulary import EndFile

R = TypeVar("R")

DECK_BYTES = 256 * 1024
"""The maximum size of a form with a decklist in bytes.

In an encoded form, a character can take three to twelve bytes.
"""

DECK_LETTERS = 20_000
"""The maximum number of characters of a decklist."""


# -- the player's own page


async def me(visit: Visit) -> Response:
    """Show the player's own page.

    Redirect a spectator to the form where players enter their personal codes, and staff to the home page.
    """
    player = visit.visitor.player
    if player is None:
        to = "/join" if visit.visitor.role is Role.SPECTATOR else "/"
        return visit.back(to)
    return await _own_page(visit, player)


async def _own_page(visit: Visit, player: PlayerId, refused: TourneyError | None = None) -> Response:
    pages = visit.event.pages
    if _is_behind(pages, visit.event.state, player):
        pages = await visit.event.fresh_pages()
    if player not in pages.players or player not in visit.event.state.players:
        return visit.back("/")  # the registration was undone, and the desk will end the session
    why = pages.why.by_player.get(player, ())  # made in the background, so that the page does not wait
    here = now(pages, visit.event.public, player)
    here = replace(here, view=structs.replace(here.view, why=why))
    return await visit.page(
        "live/me.html",
        "me",
        pages=pages,
        topics=(ROOM, about_player(player)),
        fault=refused,
        here=here,
        player=here.view,
        needs=pages.needs_for(player),
        seat=SeatStatus.of(visit, player),
    )


def _is_behind(pages: Pages, state: State, player: PlayerId) -> bool:
    """Return whether the newest round or the player is missing from the pages."""
    return player not in pages.players or len(pages.event.rounds) != len(state.for_players.rounds)


def now(pages: Pages, state: State, player: PlayerId) -> Now:
    """Return the player's current match, rank and next step.

    state: the public state, which may have a newer round than the pages. The match is taken from its newest
           round, if there is one
    """
    here = pages.site.now(pages.players[player])
    if not state.rounds or player not in state.players:
        return here
    newest = state.rounds[-1]
    table = newest.table_of(player)
    match = match_view(state, newest, player, without_points, table)
    if match is None:
        return replace(here, match=None)
    earlier = [match for match in here.view.matches if match.round != newest.number]
    points = next((match.points for match in here.view.matches if match.round == newest.number), "")
    match = structs.replace(match, points=points)
    extra = table.extra_minutes if table else 0
    return replace(here, match=match, extra=extra, view=structs.replace(here.view, matches=(*earlier, match)))


# -- the status of the seat


class ClaimView(Struct, frozen=True, kw_only=True):
    """A reported result, as one player sees it or as everyone sees it.

    own: whether this player reported it
    name: the name of the player who reported it
    at: the time of the report
    text: the result
    for_you: the result from this player's side; empty in a view for everyone
    waiting, confirmed: the names of the players who still have to answer, and of those who have confirmed
    disputes: the names of the players who dispute it, with their results
    to_answer: whether this player can confirm or dispute it
    to_tell: whether it is disputed, and this player has not reported a result yet
    replaceable: whether this player can replace it with another report
    """

    entry: int
    own: bool
    name: str
    at: str
    text: str
    for_you: str
    waiting: str
    waiting_count: int
    confirmed: str
    disputes: Sequence[tuple[str, str]]
    to_answer: bool
    to_tell: bool
    replaceable: bool

    @classmethod
    def of(cls, claim: Claim, state: State, player: PlayerId | None = None) -> ClaimView:
        """Return the view of a result that a player reported in the current round.

        state:  the event with public names, which the view shows
        player: the player who sees the view; None if the view is for everyone
        """
        state = kept_apart(state)
        name, own = state.name_of, claim.player == player
        silent = player is not None and not own and not claim.answered_by(player)
        return cls(
            entry=claim.entry,
            own=own,
            name=name(claim.player),
            at=clock_time(claim.at),
            text=claim_text(claim, state),
            for_you=own_result(claim.result, player) if player is not None else "",
            waiting=listed(map(name, claim.waiting)),
            waiting_count=len(claim.waiting),
            confirmed=listed(map(name, claim.confirmed)),
            disputes=[(name(dispute.player), claim_text(dispute, state)) for dispute in claim.disputes],
            to_answer=silent and not claim.disputed,
            to_tell=silent and claim.disputed,
            replaceable=own and not claim.answered,
        )

    @property
    def disputed(self) -> bool:
        """Whether the result is disputed, so that the desk must settle it."""
        return bool(self.disputes)


class SeatStatus(Struct, frozen=True, kw_only=True):
    """The status of a player's seat, and what the player can do now.

    round: the last public round; None before the first
    table: the player's table in that round; None if there is none
    open: whether the table has no result yet
    claims: whether players may report results
    claim: the reported result; None if there is none
    called: the time at which this player called a judge; empty if no such call is open
    playing: whether the player is in the event
    leaving: whether the player leaves after this round, but still plays it
    writable: whether the server accepts forms and the event is open
    can_call: whether the player can call a judge
    check_in: whether the player can check in
    deck: the verdict on the player's list; empty if there is no list, None if the event needs none
    deck_says: the verdict in words, including what it did not check
    can_hand_in: whether the player can still submit a list
    minutes: the minutes for which a report waits for an answer
    """

    round: Round | None
    table: RoundTable | None
    open: bool
    claims: bool
    claim: ClaimView | None
    called: str
    playing: bool
    leaving: bool
    writable: bool
    can_call: bool
    check_in: bool
    deck: str | None
    deck_says: str
    can_hand_in: bool
    minutes: int

    @classmethod
    def of(cls, visit: Visit, player: PlayerId) -> SeatStatus:
        """Return the status of a player's seat."""
        state = visit.event.public
        whose, round_, table = state.players[player], state.round, state.table_of(player)
        calls = round_.calls.values() if round_ else ()
        writable = not visit.room.read_only and not state.closed
        return cls(
            round=round_,
            table=table,
            open=table is not None and table.result is None,
            claims=state.settings.phones.claims and whose.disqualified is None,
            claim=ClaimView.of(table.claim, state, player) if table and table.claim else None,
            called=next((clock_time(call.at) for call in calls if call.player == player), ""),
            playing=whose.playing,
            leaving=whose.leaving,
            writable=writable,
            can_call=round_ is not None and table is not None and not round_.done,
            check_in=writable and whose.playing and not state.rounds and not whose.checked_in,
            deck=_verdict(state, whose),
            deck_says=_verdict_in_words(visit, whose),
            can_hand_in=writable and not closed_for(visit, whose),
            minutes=state.settings.phones.claim_minutes,
        )

    @property
    def can_report(self) -> bool:
        """Whether the player can report a result, or answer a reported one."""
        claim = self.claim
        is_free = claim is None or claim.to_answer or claim.to_tell or claim.replaceable
        return self.open and self.writable and self.claims and is_free


def _verdict(state: State, player: Player) -> str | None:
    """Return the verdict on a player's list; empty if there is no list, None if none is needed."""
    if player.deck is not None:
        return player.deck.verdict
    return "" if state.settings.decks.lists and not player.waived else None


def _verdict_in_words(visit: Visit, player: Player) -> str:
    """Return the verdict in words, including what it did not check; empty if there is no list."""
    if player.deck is None:
        return ""
    return Message.joined(", ", [player.deck.verdict, unchecked_part(visit.event.state, player.deck)])


def closed_for(visit: Visit, player: Player) -> str:
    """Return why the player cannot submit a decklist from a phone; empty if the player can."""
    state = visit.event.public
    if state.closed or not player.playing:
        return Message("You can no longer submit a list.")
    locked = Message("since round 1 was paired") if state.rounds else locked_since(state, visit.event.clock())
    return locked and Message("Decks have been locked {since}; the desk can take another list.", since=locked)


# -- the form for a result


OTHER_SCORE = "other"
"""The value of the button for another score, which is entered as numbers of games."""

BY_SCORE = "score"
"""The value of the button for a result that the points decide."""

BY_PLACE = "places"
"""The value of the button for entering the place of each player."""

MOST_CHOICES = 10
"""The maximum number of possible scores of a match for which each score has a button.

If more scores are possible, players enter the numbers of games.
"""

SCORES: Mapping[str, Score] = {"w": SeatPlaces((1, 2)), "l": SeatPlaces((2, 1)), "=": "=", "id": "id"}
"""Value of a button → the score, for the buttons that do not stand for numbers of games."""


class ResultChoice(NamedTuple):
    """A button of the form.

    value: the score that the button sends, followed by the word for the ending, if any: `= time`
    """

    value: str
    text: str


class ResultForm(Struct, frozen=True, kw_only=True):
    """The form for a player's table.

    round, table: the number of the round and of the table
    seats:        the players in seat order
    players:      the players with their names, starting with the player who reports
    choices:      the buttons
    games:        the numbers of won games that can be chosen, if another score can be entered
    drawn:        the numbers of drawn games that can be chosen
    places:       the places at a table of three or more; empty at a table of two
    score:        the name of the points that are counted besides games; empty if there are none
    goal:         the score that wins; None if there is none
    signed:       whether a score can be negative
    ends:         other ways in which a game can end
    """

    round: int
    table: int
    seats: Sequence[PlayerId]
    players: Sequence[tuple[PlayerId, str]]
    choices: tuple[ResultChoice, ...]
    games: tuple[int, ...] = ()
    drawn: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    score: str = ""
    goal: int | None = None
    signed: bool = False
    ends: tuple[ResultChoice, ...] = ()

    @classmethod
    def of(cls, state: State, table: RoundTable, player: PlayerId, rule: Scoring | Unscored) -> ResultForm:
        """Return the form to report the result of a table of the last round.

        state:  the event with the names that the form shows
        player: the player who reports; the form lists this player first
        """
        round_, name = state.rounds[-1], state.name_of
        match, number = state.settings.match, len(table.seats)
        draws, best_of, two = match.draws and round_.stage == "swiss", match.best_of, number == 2
        drawn_game = match.drawn_in(bracket=round_.stage == "cut")
        scored = rule if isinstance(rule, Scoring) else None
        if two:
            usual = _choices_of_two(best_of, rule, draws=draws)
        else:
            usual = _choices_of_more(rule, number, draws=draws)
        by_score = [ResultChoice(BY_SCORE, Message("By {score}", score=rule.name))]
        other = [ResultChoice(OTHER_SCORE, Message("Another score"))]
        choices = [
            *(by_score if scored and best_of == 1 else ()),
            *usual,
            *(other if two and best_of > 1 else ()),
        ]
        return cls(
            round=round_.number,
            table=table.number,
            seats=table.seats,
            players=[
                (seat, name(seat)) for seat in (player, *(seat for seat in table.seats if seat != player))
            ],
            choices=tuple(choices),
            games=tuple(range(games_needed(best_of) + 1)) if two and best_of > 1 else (),
            drawn=tuple(range(1 if drawn_game == "none" else best_of + 1)),
            places=() if two else tuple(range(1, number + 1)),
            score=rule.name,
            goal=scored.goal(number) if scored else None,
            signed=scored.file.least < 0 if scored else bool(rule.name),
            ends=tuple(_other_ends(rule)) if best_of == 1 or two else (),
        )

    @property
    def first(self) -> str:
        """The button that is selected when the form is first shown; `-` for none.

        A button that is a complete result, such as 2–0, is never selected first. Only a button that opens the
        fields for points or places can be.
        """
        value = self.choices[0].value
        return value if value in {BY_SCORE, BY_PLACE} else "-"

    @property
    def others(self) -> str:
        """The names of the other players at the table."""
        return listed(name for _, name in self.players[1:])


def _choices_of_two(best_of: int, rule: Scoring | Unscored, *, draws: bool) -> Iterator[ResultChoice]:
    """Yield the buttons for a match of two, from the side of the player who reports.

    They include results that are only possible when time has been called.
    """
    if best_of == 1:
        yield ResultChoice("w", Message("I won"))
        yield ResultChoice("l", Message("I lost"))
        if draws:
            yield from _draw_choices(rule, 2, Message("Drawn"))
    else:
        needed = games_needed(best_of)
        most = most_decided_games(best_of, draws=draws) - needed
        won = [(needed, lost) for lost in range(most + 1)]
        level = [(best_of // 2, best_of // 2)] if draws and best_of % 2 == 0 else []
        full = [*won, *level, *(score[::-1] for score in reversed(won))]
        if len(full) <= MOST_CHOICES:
            yield from (ResultChoice(f"{own}-{other}", _score_text(own, other)) for own, other in full)
        if needed == 2:
            early = [(1, 0), (1, 1), (0, 1)] if best_of % 2 else [(1, 0), (0, 1)]
            for own, other in early:
                if draws or own != other:
                    text = Message("{result} (time)", result=_score_text(own, other))
                    yield ResultChoice(f"{own}-{other} time", text)
    if draws:
        yield ResultChoice("id", Message("Intentional draw"))


def _choices_of_more(rule: Scoring | Unscored, players: int, *, draws: bool) -> Iterator[ResultChoice]:
    yield ResultChoice(BY_PLACE, Message("By place"))
    if draws:
        yield from _draw_choices(rule, players, Message("Drawn by all"))
        yield ResultChoice("id", Message("Intentional draw"))


def _draw_choices(rule: Scoring | Unscored, players: int, text: str) -> Iterator[ResultChoice]:
    """Yield the buttons for a draw.

    If a draw must name how the game ended, each possible ending has a button. Otherwise a single button is
    enough. A judge's ruling is left out, because only the desk enters it.
    """
    ends = [rule.ends[word] for word in rule.drawn_by(players)]
    if not ends:
        yield ResultChoice("=", text)
    for end in ends:
        if end.word != "ruling":
            yield ResultChoice(f"= {end.word}", Message("Drawn: {why}", why=_end_text(end)))


def _score_text(own: int, other: int) -> str:
    score = f"{own}–{other}"
    if own == other:
        return Message("Drawn {score}", score=score)
    return Message("I won {score}", score=score) if own > other else Message("I lost {score}", score=score)


def _other_ends(rule: Scoring | Unscored) -> Iterator[ResultChoice]:
    """Yield the buttons for other ways in which a game can end.

    A judge's ruling is left out, because only the desk enters it.
    """
    return (ResultChoice(end.word, _end_text(end)) for word, end in rule.ends.items() if word != "ruling")


def _end_text(end: EndFile) -> str:
    if end in USUAL_ENDS and end.word in _END_TEXTS:
        return _END_TEXTS[end.word]
    return f"{end.says[:1].lower()}{end.says[1:]}"


_END_TEXTS = {"time": Message("time was called"), "concession": Message("by concession")}
"""Ending → the words on a phone, for the usual endings.

For endings of a particular game, the words come from the format.
"""


# -- the report that the form sends


class SentResult(Struct, frozen=True, kw_only=True):
    """The fields of a form that was sent, to make the report and to show the form again.

    won, lost, drawn: numbers of games
    places, points: the place and points of each player, in the order of `ResultForm.players`
    """

    result: str = ""
    won: str = ""
    lost: str = ""
    drawn: str = ""
    ended: str = ""
    places: Sequence[str] = ()
    points: Sequence[str] = ()
    reason: str = ""

    @classmethod
    def of(cls, visit: Visit) -> SentResult:
        """Return the fields of a form. Raises RefusedError if a field is too long."""
        return cls(
            result=visit.text("result", 40),
            won=visit.text("won", 4),
            lost=visit.text("lost", 4),
            drawn=visit.text("drawn", 4),
            ended=visit.text("ended", 20),
            places=visit.texts("place", 4),
            points=visit.texts("points", 12),
            reason=visit.text("reason", 300),
        )

    def report(self) -> Report:
        """Return the report from the player's point of view.

        Raises TourneyError if a field is missing.
        """
        word, _, ending = self.result.partition(" ")
        points = None
        if any(self.points) or word == BY_SCORE:
            if not self.points or not all(self.points):
                raise TourneyError(Message("enter the points of every player at the table"))
            points = tuple(parse_whole_number(number, least=None, digits=9) for number in self.points)
        takes_ending = word in {BY_SCORE, BY_PLACE, OTHER_SCORE, "w", "l", "="}
        return Report(
            score=self._score(word),
            points=points,
            ended=ending or (self.ended if takes_ending else ""),
        )

    def _score(self, word: str) -> Score | None:
        """Return the score that the player chose; None if the entered points decide the result.

        word: the value of the chosen button

        Raises TourneyError if a field is missing or the button is unknown.
        """
        if word == BY_SCORE:
            return None
        if word == BY_PLACE:
            if not self.places or not all(self.places):
                raise TourneyError(Message("choose the place of every player at the table"))
            return SeatPlaces(tuple(map(parse_whole_number, self.places)))
        if word == OTHER_SCORE:
            if not self.won or not self.lost:
                raise TourneyError(Message("choose how many games each player won"))
            won = (parse_whole_number(self.won), parse_whole_number(self.lost))
            return Games(won, parse_whole_number(self.drawn or "0"))
        if games := re.fullmatch("([0-9]{1,4})-([0-9]{1,4})", word):
            return Games((int(games[1]), int(games[2])))
        if word not in SCORES:
            raise TourneyError(Message("choose a result"))
        return SCORES[word]


# -- the result of the player's table


async def report(visit: Visit) -> Response:
    """Show the form to report the result of the player's table."""
    return await _report_page(visit, SentResult())


async def _report_page(visit: Visit, sent: SentResult, refused: TourneyError | None = None) -> Response:
    """Show the form to report a result in the current round.

    sent: the fields of a form that was sent, with which the form is filled in
    """
    player = _own(visit)
    seat, form = SeatStatus.of(visit, player), None
    if seat.table and seat.can_report:
        state = visit.event.public  # before the wait, as the seat
        rule = await visit.event.read(lambda desk: desk.scoring())
        form = ResultForm.of(state, seat.table, player, rule)
    if form is None and refused is None:
        refused = TourneyError(claims.table_status(kept_apart(visit.event.public), player))
    return await visit.page(
        "live/report.html",
        "report",
        topics=(about_player(player), ROOM),
        fault=refused,
        seat=seat,
        form=form,
        given=sent,
    )


def _own(visit: Visit) -> PlayerId:
    """Return the player of the session. Raises RefusedError if the player is not registered."""
    player = visit.visitor.player
    if player is None or player not in visit.event.public.players:
        raise RefusedError(403, PLAYERS_ONLY)
    return player


async def _write(visit: Visit, act: Callable[[OwnSeat], R]) -> R:
    """Make a change for the player's seat, and return the result of `act`.

    Raises TourneyError if the change is refused.
    """
    player, device, once = _own(visit), visit.visitor.device, visit.text("once", 40)
    assert device is not None
    return await visit.write(lambda desk: act(OwnSeat(desk, player, device.words, once)))


def _shown(visit: Visit) -> dict[str, Any]:
    """Return the round, the table and the players that the player saw on the page with the form.

    The desk compares them with the current ones, and refuses the request if they have changed.
    """
    return {
        "round_number": visit.number("round"),
        "table": visit.number("table"),
        "seats": visit.numbers("seat"),
    }


async def send_report(visit: Visit) -> Response:
    """Report the result of the player's table."""
    fields, page_values, replaces = SentResult.of(visit), _shown(visit), visit.number("replaces")
    try:
        result = fields.report()
        receipt = await _write(visit, lambda seat: seat.claim(result, **page_values, replaces=replaces))
    except TourneyError as fault:
        return await _report_page(visit, fields, fault)
    warnings = map(sentence, receipt.warnings) if len(receipt.entries) == 1 else ()
    return visit.back("/me", *_settled(visit), *warnings)


async def send_answer(visit: Visit) -> Response:
    """Confirm or dispute a reported result. A player who disputes it can report another result."""
    claim, fields = visit.number("claim"), SentResult.of(visit)
    agrees = visit.text("answer", 10) == "yes"
    try:
        if agrees:
            await _write(visit, lambda seat: seat.confirm(claim))
        else:
            result = fields.report() if fields.result else None
            await _write(visit, lambda seat: seat.dispute(claim, result, reason=fields.reason or None))
    except TourneyError as fault:
        if agrees:
            return await _own_page(visit, _own(visit), fault)
        return await _report_page(visit, fields, fault)
    return visit.back("/me", *_settled(visit))


def _settled(visit: Visit) -> tuple[str, ...]:
    """Return a sentence about the status of the player's table.

    Returns nothing if a reported result still waits to be confirmed or settled, because the player's page
    already shows that.
    """
    state, player = visit.event.public, _own(visit)
    if claims.claim_at(state, player):
        return ()
    return (sentence(claims.table_status(kept_apart(state), player)),)


# -- calling a judge, leaving, checking in


async def call_judge(visit: Visit) -> Response:
    """Call a judge to the player's table."""
    page_values, about = _shown(visit), visit.text("about", 300) or None
    message = Message("A judge was called to your table.")
    return await _change(visit, lambda seat: seat.call_judge(**page_values, about=about), message)


async def leave(visit: Visit) -> Response:
    """Record that the player leaves after the round that the page showed."""
    round_ = visit.number("round")
    message = Message("You have left and are not paired again.")
    return await _change(visit, lambda seat: seat.leave(round_number=round_), message)


async def check_in(visit: Visit) -> Response:
    """Check the player in."""
    return await _change(visit, lambda seat: seat.check_in(), Message("You are checked in."))


async def _change(visit: Visit, act: Callable[[OwnSeat], object], done: str) -> Response:
    """Make a change for the player's seat. The player's page then shows `done` or the error."""
    try:
        await _write(visit, act)
    except TourneyError as fault:
        return await _own_page(visit, _own(visit), fault)
    return visit.back("/me", done)


# -- the decklist


async def deck(visit: Visit) -> Response:
    """Show the player's decklist and, until decks are locked, a form for a new list."""
    return await _deck_page(visit)


async def _deck_page(
    visit: Visit,
    text: str | None = None,
    findings: Sequence[Finding] = (),
    warnings: Sequence[str] = (),
    refused: TourneyError | None = None,
) -> Response:
    """Show a decklist.

    text: the text of a refused list; None for the registered list
    findings: what a check of the refused list found
    """
    player = _own(visit)
    whose = visit.event.state.players[player]
    if text is None:
        text = await visit.event.read(lambda desk: desk.deck_text(player)) if whose.deck else ""
    return await visit.page(
        "live/deck.html",
        "deck",
        topics=(),
        fault=refused,
        verdict=_verdict(visit.event.state, whose),
        verdict_says=_verdict_in_words(visit, whose),
        text=text,
        findings=[PhoneFinding.of(finding) for finding in findings],
        warnings=warnings,
        closed=READ_ONLY if visit.room.read_only else closed_for(visit, whose),
        longest=DECK_LETTERS,
    )


async def submit_deck(visit: Visit) -> Response:
    """Submit a decklist, and show the verdict."""
    text = visit.text("list", DECK_LETTERS)
    if not text:
        return await _deck_page(visit, text, refused=TourneyError(Message("the list is empty")))
    try:
        receipt = await _write(visit, lambda seat: seat.submit_deck(text, source=Message("your list")))
    except TourneyError as fault:
        return await _deck_page(visit, text, refused=fault)
    warnings = [sentence(warning) for warning in receipt.warnings if "`tourney " not in warning]
    if receipt.verdict == "illegal":
        return await _deck_page(
            visit,
            text,
            receipt.findings,
            warnings,
            TourneyError(Message("this list is illegal and was not registered")),
        )
    player = visit.event.state.players[_own(visit)]
    verdict = _verdict_in_words(visit, player)
    if receipt.already:
        message = Message("This list is already registered: {verdict}.", verdict=verdict)
    else:
        message = Message("Your list is registered: {verdict}.", verdict=verdict)
    findings = (PhoneFinding.of(finding).text for finding in receipt.findings)
    return visit.back("/deck", message, *warnings, *findings)


class PhoneFinding(Struct, frozen=True):
    """A finding of a deck check on a phone.

    Example: `Line 12 · Siege Hammer: 5 copies, at most 4 · rule copies, L40`.
    """

    where: str
    what: str
    rule: str
    hint: str

    @classmethod
    def of(cls, finding: Finding) -> PhoneFinding:
        """Return a finding as a phone shows it."""
        lines, about = finding.lines, ", ".join(finding.subjects[:3])
        cited = finding.cite if finding.cite and finding.cite not in finding.message else ""
        _, hint = refusal_text(TourneyError("", finding.hint))
        return cls(
            where=Message.plural("Line {lines}", "Lines {lines}", len(lines), lines=listed(lines))
            if lines
            else "",
            what=f"{about}: {finding.message}" if about and about not in finding.message else finding.message,
            rule=Message.joined(", ", [Message("rule {rule}", rule=finding.rule), cited]),
            hint=hint,
        )

    @property
    def text(self) -> str:
        """The finding on one line."""
        return Message.joined(" · ", [self.where, self.what, self.rule])


# -- the page that the code on a slip opens


JOIN_TO_REPORT = Message(
    "Is this your table? Report the result from your own phone: join with the personal code from the desk."
)


async def table(visit: Visit) -> Response:
    """Show a table of the current round. Players at the table also see links to their own pages.

    Everyone can see a reported result. Only the desk sees the reason for a dispute.
    """
    number, state = visit.path["number"], visit.event.public
    round_ = state.round
    if round_ is None:
        raise RefusedError(404, Message("no round is paired yet"))
    at = round_.tables.get(number)
    if at is None:
        raise RefusedError(
            404,
            Message(
                "there is no table {number} in {round}", number=number, round=in_a_sentence(round_.title)
            ),
        )
    apart, player = kept_apart(state), visit.visitor.player
    name = apart.name_of
    results = state.settings.phones.claims and not visit.room.read_only
    own = player if player in at.seats else None
    needs = visit.event.pages.needs_for(own)
    if needs and not {row.player for row in needs.at_table(number)} <= set(at.seats):
        needs = None  # the pages still have the needs of the previous round
    return await visit.page(
        "live/table.html",
        f"table/{number}",
        topics=(ROOM, RESULTS, *map(on_page, at.seats), *([about_player(own)] if own else [])),
        number=number,
        round=round_,
        seats=[(seat, name(seat), state.settings.match.side(place)) for place, seat in enumerate(at.seats)],
        result=result_text(at.result, name) if at.result else "",
        label=at.label,
        extra=at.extra_minutes,
        claim=ClaimView.of(at.claim, state) if at.claim else None,
        own=own is not None,
        needs=needs,
        how=""
        if at.result or state.closed
        else JOIN_TO_REPORT
        if results
        else Message("Report results at the desk."),
        results=results,
        may_join=results and visit.visitor.role is Role.SPECTATOR,
    )


# -- the table of routes

routes = (
    Route("/me", me),
    Route("/report", report, PLAYERS),
    Route("/report", send_report, PLAYERS, form=True),
    Route("/answer", send_answer, PLAYERS, form=True),
    Route("/call", call_judge, PLAYERS, form=True),
    Route("/leave", leave, PLAYERS, form=True),
    Route("/checkin", check_in, PLAYERS, form=True),
    Route("/deck", deck, PLAYERS),
    Route("/deck", submit_deck, PLAYERS, form=True, most=DECK_BYTES),
    Route("/table/{number:int}", table),
)
