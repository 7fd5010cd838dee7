"""REDLINE: formats as data, and the arithmetic of its rules."""
