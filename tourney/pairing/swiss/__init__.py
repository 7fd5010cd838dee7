"""Card-game Swiss: the round as a lexicographic optimum, its proof, and answers about it."""
