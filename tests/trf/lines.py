"""Player lines for tests, column by column as the format's description gives them; the players are invented."""


def player(number: int, *cells: str, points: str = "0.0", name: str = "", rating: str = "") -> str:
    """Return a 001 line; a cell is `opponent side result`, such as `12 w 1`."""
    head = f"001 {number:>4}      {name or f'Player{number}':<33} {rating:>4} {'':3} {'':>11} {'':<10} {points:>4} {'':>4}"
    assert len(head) == 89
    return head + "".join(_cell(cell) for cell in cells)


def _cell(cell: str) -> str:
    if not cell:
        return " " * 10
    opponent, side, result = cell.split(" ", 2)
    return f"  {opponent:>4} {side} {result:1}"


def text(*lines: str) -> str:
    return "\n".join(lines) + "\n"
