"""DimRift: its formats as data, and its calculators for judges."""
