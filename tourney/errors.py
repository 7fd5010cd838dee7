"""Refusals: the one exception a user may meet.

Checks return findings (`tourney.finding`), refusals raise `TourneyError`, bugs crash: three ways out.
"""


class TourneyError(Exception):
    """Something was refused and nothing was changed.

    `message` says what is and what should be, the place first; `hint` is, where possible, a command to paste.
    The command line prints both on stderr and exits with `exit_code` (3: refused; DESIGN of the command line).
    """

    exit_code = 3

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message
