"""The kinds of rules: each takes a counted deck and gives findings, and what it could not decide."""
