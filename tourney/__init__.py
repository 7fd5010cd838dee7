"""Run a card-game tournament from the decklist to the published standings."""

__version__ = "0.1.0"
