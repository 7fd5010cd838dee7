"""The games: a folder for each with formats, sources and calculators; and the sheet.

The sheet is for players. See README.md.
"""
