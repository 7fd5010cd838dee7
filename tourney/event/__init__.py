"""An event: what can happen to it, what it is then, and what is shown of it.

Pure; README.md draws the model.
"""
