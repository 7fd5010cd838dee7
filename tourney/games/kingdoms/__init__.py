"""Red Kingdom & Blue Kingdom: its format and its box of cards as data, and its calculators."""
