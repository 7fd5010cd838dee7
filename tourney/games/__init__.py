"""The games: a folder for each game, with its formats, sources and calculators.

The modules of this package read these folders, and build a sheet for players. See README.md.
"""
