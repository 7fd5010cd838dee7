"""The command line: parse words, call the desk or a library, show the answer.

There is a module for each noun, imported only when its command runs; `README.md` shows how to add a command. Nothing
here computes or stores. The clock, the user's name and randomness enter in `session.py` and are handed down.
"""
