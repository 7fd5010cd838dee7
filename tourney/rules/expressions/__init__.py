"""The language of conditions, weights and bounds in formats and ban lists.

`language` turns text into a tree and checks it · `values` defines the values · `deck` defines the cards that
expressions examine, and the functions · `evaluate` turns a tree into a function · `describing` explains an
answer in words.
"""
