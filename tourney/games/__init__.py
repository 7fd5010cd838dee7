"""The games: formats, sources and calculators in a folder for each, and the sheet for players (README.md)."""
