"""Card-game Swiss: find the round that is best level by level, prove it and explain it."""
