"""Red Kingdom & Blue Kingdom: the format of its box as data, and its calculators for judges."""
