"""What `scripts/bench` runs: the modules of `benchmarks/`, one after the other."""

from __future__ import annotations

import sys

import environment

BENCHES = environment.ROOT / "scripts" / "benchmarks"


def main() -> int:
    """Run the named benches, or all, and return the worst exit code."""
    known = sorted(path.stem for path in BENCHES.glob("[!_]*.py"))
    named = [word for word in sys.argv[1:2] if not word.startswith("-")]
    if named and named[0] not in known:
        sys.stderr.write(f"error: there is no bench `{named[0]}`; there are {', '.join(known)}\n")
        return 2
    rest = sys.argv[1 + len(named) :]
    interpreter = environment.python("test")
    return max(environment.play(interpreter, BENCHES / f"{name}.py", *rest) for name in named or known)
