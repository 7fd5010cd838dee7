"""Red Kingdom & Blue Kingdom: the format of its box, and the arithmetic of its rules."""
