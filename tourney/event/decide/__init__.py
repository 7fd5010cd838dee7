"""What may happen next: one function an op, from the state and a wish to a decision. Pure.

A decision is an op to be appended, or the news that the same was entered before. What may not happen is refused with
a `TourneyError`, and nothing has changed.
"""

from tourney.event.decide.base import Decision

__all__ = ["Decision"]
