"""Lines of Tournament Report Files for tests. All players are invented."""


def player(number: int, *cells: str, points: str = "0.0", name: str = "", rating: str = "") -> str:
    """Return a player line (001). A cell is `opponent side result`, such as `12 w 1`."""
    name = name or f"Player{number}"
    start = f"001 {number:>4}      {name:<33} {rating:>4} {'':3} {'':>11} {'':<10} {points:>4} {'':>4}"
    assert len(start) == 89
    return start + "".join(_cell(cell) for cell in cells)


def _cell(cell: str) -> str:
    if not cell:
        return " " * 10
    opponent, side, result = cell.split(" ", 2)
    return f"  {opponent:>4} {side} {result:1}"


def text(*lines: str) -> str:
    """Return the text of a file with these lines."""
    return "\n".join(lines) + "\n"
