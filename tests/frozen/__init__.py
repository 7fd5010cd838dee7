"""What the program answered before the rebuild, and the scripts that compare with it."""
