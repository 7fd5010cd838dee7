"""An event: the entries that change it, its state after them, and the views that show it.

These modules do no input or output. README.md shows the model in a diagram.
"""
