"""A DimRift event with decks from the game's pool, from the first list to the pages."""

import json

from click.testing import CliRunner

from tests.kit import ROOT
from tourney.cli import root

FACTIONS = ("men", "fey", "telur", "wynn")
PLAYERS = ("Ansel", "Bryn", "Corin", "Della", "Edda", "Fenn")


def pool():
    """Return the shipped pool's lines."""
    lines = (ROOT / "cardpools" / "dimrift" / "classic.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def deck(player, cards):
    """Return a deck of 40 cards for a player; decks differ."""

    def some(faction, place, count):
        names = [card["name"] for card in cards if card.get("faction") == faction and card["deck"] == place]
        return [names[(player * 5 + number) % len(names)] for number in range(count)]

    faction = FACTIONS[player % len(FACTIONS)]
    main, extra = (
        some(faction, "main", 15) + some(None, "main", 15),
        some(faction, "extra", 7) + some(None, "extra", 3),
    )
    return "\n".join(["Main deck", *main, "", "Extra Deck", *extra, ""])


def typed(line, *words, code=0, text=None):
    result = CliRunner().invoke(root, [*line.split(), *words], input=text)
    assert result.exit_code == code, f"{line}: {result.output}"
    return result.stdout


def test_an_event_with_real_decks(tmp_path, monkeypatch):
    """Six legal decks, a refused one with a second faction, three rounds, a cut of two, pages."""
    monkeypatch.chdir(tmp_path)
    cards = pool()
    typed("event new Rift --format dimrift/classic --rounds 3")
    typed("player add", *PLAYERS)
    smuggled = deck(0, cards).replace(deck(0, cards).splitlines()[1], deck(1, cards).splitlines()[1])
    refused = json.loads(typed("player deck Ansel - --json", text=smuggled, code=1))
    assert refused["verdict"] == "illegal"
    assert "one-faction" in {finding["rule"] for finding in refused["findings"]}
    for number, name in enumerate(PLAYERS):
        accepted = json.loads(typed(f"player deck {name} - --json", text=deck(number, cards)))
        assert (accepted["verdict"], accepted["findings"]) == ("legal", [])
    for _ in range(3):
        typed("round pair")
        typed("result import -", text="1 2-0\n2 2-1\n3 1-1-1")
    typed("event cut 2")
    typed("round pair")
    typed("result add 1 2-1")
    typed("event close")
    typed("publish --to pages")
    assert json.loads(typed("verify --json"))["rounds"][2]["optimal"] is True
    assert "Ansel" in (tmp_path / "pages" / "index.html").read_text(encoding="utf-8")
