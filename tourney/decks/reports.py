"""Verdicts as SARIF for code hosts and JUnit for build servers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as Xml

from tourney.decks.verdict import Verdict
from tourney.errors import Finding, Severity
from tourney.wording import BANLIST_UNCHECKED

_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.UNVERIFIED: "warning", Severity.ADVICE: "note"}
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def sarif(verdicts: Sequence[Verdict], version: str) -> dict[str, Any]:
    """Return verdicts as a SARIF 2.1.0 log: a result for each finding, with its lines."""
    handles = dict.fromkeys(finding.rule for verdict in verdicts for finding in verdict.findings)
    driver = {
        "name": "tourney",
        "version": version,
        "rules": [{"id": handle, "shortDescription": {"text": handle}} for handle in handles],
    }
    order = {handle: number for number, handle in enumerate(handles)}
    results = [
        _result(verdict, finding, order[finding.rule]) for verdict in verdicts for finding in verdict.findings
    ]
    run: dict[str, Any] = {"tool": {"driver": driver}, "results": results}
    if notifications := [_notification(verdict) for verdict in verdicts if verdict.banlist_missing]:
        run["invocations"] = [{"executionSuccessful": True, "toolExecutionNotifications": notifications}]
    return {"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _notification(verdict: Verdict) -> dict[str, Any]:
    """Return the SARIF notification that a decklist was checked without the format's ban list."""
    return {
        "level": "note",
        "message": {"text": f"{verdict.file}: {BANLIST_UNCHECKED}"},
        "locations": [_location(verdict, None)],
    }


def _result(verdict: Verdict, finding: Finding, rule: int) -> dict[str, Any]:
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": _sentence(finding)},
        "locations": [_location(verdict, line) for line in finding.lines or (None,)],
        "properties": {"format": verdict.format, "on": verdict.on.isoformat(), "cite": finding.cite},
    }


def _location(verdict: Verdict, line: int | None) -> dict[str, Any]:
    uri = quote(verdict.file.replace("\\", "/"), safe="/.:-_~")
    place: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if line is not None:
        place["region"] = {"startLine": line}
    return {"physicalLocation": place}


def _sentence(finding: Finding) -> str:
    """Return a finding in one line: its subject, the problem, and the source of the rule."""
    about = ", ".join(finding.subjects)
    cite = f" ({finding.cite})" if finding.cite else ""
    return f"{about}: {finding.message}{cite}" if about else f"{finding.message}{cite}"


def junit(verdicts: Sequence[Verdict], *, strict: bool, accept: bool) -> str:
    """Return verdicts as a JUnit report: a test case for each list and format.

    An illegal list is always a failure.

    accept: whether an unverified list passes, even if `strict` is true
    strict: whether an unverified list that does not pass is a failure; otherwise it is reported as skipped
    """
    suite = Xml.Element("testsuite", name="tourney deck check")
    counts = {"failure": 0, "skipped": 0}
    for verdict in verdicts:
        case = Xml.SubElement(suite, "testcase", classname=_xml(verdict.format), name=_xml(verdict.file))
        kind = _outcome(verdict, strict=strict, accept=accept)
        if kind:
            counts[kind] += 1
            Xml.SubElement(case, kind, message=_xml(verdict.verdict)).text = _xml(
                "\n".join(_reasons(verdict))
            )
        if verdict.banlist_missing:
            Xml.SubElement(case, "system-out").text = BANLIST_UNCHECKED
    suite.set("tests", str(len(verdicts)))
    suite.set("failures", str(counts["failure"]))
    suite.set("skipped", str(counts["skipped"]))
    Xml.indent(suite)
    return Xml.tostring(suite, encoding="unicode", xml_declaration=True)


def _outcome(verdict: Verdict, *, strict: bool, accept: bool) -> str | None:
    if verdict.verdict == "illegal":
        return "failure"
    if verdict.verdict == "unverified" and not accept:
        return "failure" if strict else "skipped"
    return None


def _reasons(verdict: Verdict) -> Iterator[str]:
    for finding in verdict.findings:
        if finding.severity is not Severity.ADVICE:
            lines = f"line {', '.join(map(str, finding.lines))}: " if finding.lines else ""
            yield f"{lines}{_sentence(finding)} [{finding.rule}]"


def _xml(text: str) -> str:
    """Replace control characters, which XML does not allow even if they are escaped."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
