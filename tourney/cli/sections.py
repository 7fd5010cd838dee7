"""The nouns of the command line under their headings, in the order of a tournament day."""

SECTIONS: dict[str, dict[str, str]] = {
    "Decks": {
        "deck": "Check decklists, show, compare and convert them.",
        "format": "The rules decks are built by: list them, read them, start one.",
        "card": "Look a card up.",
    },
    "The event": {
        "event": "Start an event, look at it, take things back, close it.",
        "player": "Who plays: add, drop, decklists, check-in.",
        "round": "Pair a round, see it, ask why, change it.",
        "result": "Enter what came of the tables.",
        "standings": "Who is ahead, and why.",
        "publish": "Write the event as pages, tables and print sheets.",
        "verify": "Prove that the event and its pairings are what they claim.",
    },
    "Upkeep": {
        "pool": "The cards of a game: list, import, fetch, check.",
        "banlist": "Dated lists of what may not be played: show, compare, import.",
        "completion": "Make your shell complete commands, players and tables.",
    },
}
"""Heading → noun → its line of help, so that `tourney --help` need not import any command."""

NOUNS: dict[str, str] = {noun: line for section in SECTIONS.values() for noun, line in section.items()}
