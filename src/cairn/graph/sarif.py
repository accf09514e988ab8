"""Issues for other people's tools: SARIF for code scanning, annotations for GitHub's log."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from cairn.core.model.issue import Issue, Severity
from cairn.graph.compare import fingerprint

_SARIF_LEVEL = {Severity.ERROR: "error", Severity.WARN: "warning", Severity.INFO: "note"}
_GITHUB_WORD = {Severity.ERROR: "error", Severity.WARN: "warning", Severity.INFO: "notice"}


def sarif(
    issues: Sequence[Issue],
    rules: Mapping[str, str],
    version: str,
    owners_of: Callable[[str], Sequence[str]] | None = None,
    left: Sequence[str] = (),
    failed: Sequence[str] = (),
) -> dict[str, Any]:
    """A SARIF 2.1.0 log. `rules` gives the description of each analyzer, `owners_of` who owns a file, `left` names what
    was not checked or not read, `failed` the checks that ended with an error."""
    ids = sorted({issue.analyzer for issue in issues})
    driver = {
        "name": "cairn",
        "version": version,
        "rules": [{"id": id, "shortDescription": {"text": rules.get(id, id)}} for id in ids],
    }
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "invocations": [
                    {
                        "executionSuccessful": not failed,
                        "toolExecutionNotifications": [
                            *(_notification(sentence, "error") for sentence in failed),
                            *(_notification(sentence, "warning") for sentence in left),
                        ],
                    }
                ],
                "originalUriBaseIds": {"ROOT": {"description": {"text": "The root of the repository."}}},
                "results": [_result(issue, ids.index(issue.analyzer), owners_of) for issue in issues],
            }
        ],
    }


def _notification(sentence: str, level: str) -> dict[str, Any]:
    return {"level": level, "message": {"text": sentence}}


def _result(issue: Issue, rule: int, owners_of: Callable[[str], Sequence[str]] | None) -> dict[str, Any]:
    owners = list(owners_of(issue.path)) if owners_of else []
    return {
        "ruleId": issue.analyzer,
        "ruleIndex": rule,
        "level": _SARIF_LEVEL[issue.severity],
        "message": {"text": _with_fix(issue)},
        "locations": [_location(issue.path, issue.line)],
        **_others(issue),
        "partialFingerprints": {"cairn/v1": fingerprint(issue)},
        **({"properties": {"owners": owners}} if owners else {}),
    }


def _location(path: str, line: int | None) -> dict[str, Any]:
    artifact = {"uri": _uri(path), "uriBaseId": "ROOT"}
    return {"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": line or 1}}}


def _others(issue: Issue) -> dict[str, Any]:
    """Further places with the same cause."""
    from cairn.core.model.issue import places_of

    others = places_of(issue)[1:]
    return {"relatedLocations": [_location(place.path, place.line) for place in others]} if others else {}


def _with_fix(issue: Issue) -> str:
    """The problem, the evidence, the fix."""
    from cairn.core.model.issue import proofs_of

    proofs = [f"Evidence: {proof.sentence}." for proof in proofs_of(issue)]
    detail = [f"A note, because {issue.detail}."] if issue.detail and issue.severity is Severity.INFO else []
    return " ".join([issue.message, *proofs, *detail, *([issue.fix.summary] if issue.fix else [])])


def _uri(path: str) -> str:
    from urllib.parse import quote

    return quote(path)


def github(issues: Iterable[Issue]) -> list[str]:
    """Workflow commands, one a line and place: a reviewer sees an annotation only in the file that it names."""
    from cairn.core.model.issue import places_of

    return [
        f"::{_GITHUB_WORD[issue.severity]} file={_property(place.path)},line={place.line or 1},"
        f"title={_property(issue.analyzer)}::{_data(_with_fix(issue))}"
        for issue in issues
        for place in places_of(issue)
    ]


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
