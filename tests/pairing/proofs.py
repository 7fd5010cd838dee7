"""Proofs as `tourney round prove --json` writes them, without an event, and their checker."""

import importlib.machinery
import importlib.util
import json

from msgspec import to_builtins
from msgspec.structs import asdict

from tests.kit import ROOT
from tourney.desk.proofs import proof_options, proof_player
from tourney.pairing import number_of, prove


def _script():
    """Return `scripts/check-certificate` as a module, which defines valid certificates."""
    path = str(ROOT / "scripts" / "check-certificate")
    loader = importlib.machinery.SourceFileLoader("check_certificate", path)
    spec = importlib.util.spec_from_loader("check_certificate", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


SCRIPT = _script()
PROVED, WRONG, PART = SCRIPT.PROVED, SCRIPT.WRONG, SCRIPT.PART


def checked(proof):
    """Return the exit code and the output of the script for a proof."""
    return SCRIPT.verdict(proof if isinstance(proof, str) else json.dumps(proof))


def frame(entrants, options, made, *, rules, claims, had=None):
    """Return all parts of a proof except the certificate."""
    return {
        "schema": "tourney.proof/1",
        "round": options.round_number,
        "title": f"Round {options.round_number}",
        "rules": rules,
        "event": {"entry": 7, "digest": "a" * 64, "round_entry": 5, "round_digest": "b" * 64},
        "players": [
            to_builtins(proof_player(entrant, number_of(entrant.id), had or {})) for entrant in entrants
        ],
        "options": to_builtins(proof_options(options)),
        "tables": [{"number": t.number, "seats": list(t.seats), "label": ""} for t in made.tables],
        "byes": list(made.byes),
        "cost": made.cost.as_dict(),
        "claims": [{"what": what, "proved": proved, "text": ""} for what, proved in claims.items()],
    }


def swiss_proof(entrants, options, made):
    """Return the proof of a Swiss round that the engine made."""
    claims = dict.fromkeys(("legal", "rematches", "bye", "differences"), True)
    proof = frame(entrants, options, made, rules="swiss", claims=claims)
    return json.loads(json.dumps(proof | {"certificate": prove(entrants, options, made)}))


def pods_proof(entrants, options, made, sizes, had, groups):
    """Return the proof of a round of pods."""
    proof = frame(entrants, options, made, rules="pods", claims={"legal": True}, had=had)
    return proof | {"sizes": asdict(sizes), "certificate": {"groups": groups}}
