"""Red Diamond: its formats as data, and its calculators for judges."""
