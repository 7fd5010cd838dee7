"""The language of conditions, weights and bounds in formats and ban lists.

`language` turns text into a tree and checks it · `values` and `deck` define the values, the cards that are
asked and the functions · `evaluate` turns a tree into a function · `describing` explains an answer in words.
"""
