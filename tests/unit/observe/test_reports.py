"""Reports for people, programs and pages: nothing private in them, and nothing that becomes markup."""

import json
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.lens import Finding
from cairn.observe.audit_formats import fragment, markdown, plain, review_findings
from cairn.observe.audit_result import (
    Audit,
    cleaned,
    engine_output,
    finding_json,
    finding_of,
    path_mask,
    report_id,
    reported,
)
from cairn.observe.lens import LensRun

HOSTILE = '</details><script>alert(1)</script> `x` [a](b) | <img src=x onerror=y> "&quot;'
FINDING = Finding(
    "0123456789abcdef", "H-cross-doc", "P1", HOSTILE, f"two {HOSTILE}", HOSTILE, "docs/a.md", 3,
    evidence={"kind": "contradiction", "claims": [{"path": "docs/a.md", "line": 3, "text": HOSTILE}], "n": None},
    ack_note=HOSTILE,
)  # fmt: skip


def audit(*findings: Finding, **more) -> Audit:
    runs = (LensRun("H-cross-doc", "ran", findings), LensRun("I-knowledge-gaps", "failed", reason=HOSTILE))
    return Audit("audit-1", "fast", "all", (), "P2", runs, findings, 0, 1000, **more)


@pytest.mark.parametrize(
    ("lenses", "what"),
    [
        ((), "docs"),
        (("H-cross-doc",), "lens-H-cross-doc"),
        (("H-cross-doc", "shed/my lens"), "lenses-H-cross-doc+shed-my-lens"),
        (("../../x",), "lens-..-..-x"),
    ],
)
def test_the_id_says_when_and_what(lenses: tuple[str, ...], what: str) -> None:
    assert (
        report_id(1_700_000_000_042, "fast", "docs", lenses, "abcdef")
        == f"audit-2023-11-14-221320042-fast-{what}-abcdef"
    )


@given(st.lists(st.text(), max_size=9))
def test_an_id_is_always_the_name_of_a_file(lenses: list[str]) -> None:
    name = report_id(0, "fast", "all", lenses, "abcdef")
    assert "/" not in name and len(name) < 200 and name.isascii()


def test_the_output_has_everything_and_is_json() -> None:
    said = json.loads(json.dumps(engine_output(audit(FINDING), version="1.2")))
    assert said["schema_version"] == "1.0" and said["invocation"]["cairn_version"] == "1.2"
    assert (said["verdict"], said["needs_attention"]) == ("blocked", [FINDING.id])
    assert finding_of(said["findings"][0]) == FINDING
    assert [run["state"] for run in said["lenses"]] == ["ran", "failed"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{",
        b'{"engine_output": 3}',
        b'{"engine_output": {"findings": [1, {"id": "x"}, {"id": 3}]}}',
        b"[" * 9999,
    ],
)
def test_what_is_no_report_names_no_finding(data: bytes) -> None:
    assert reported(data) == []


def test_findings_of_a_report_are_found_again() -> None:
    said = {"engine_output": {"findings": [finding_json(FINDING), {"id": "0" * 16, "severity": "P9", "title": "t"}]}}
    assert [(one.id, one.severity) for one in reported(json.dumps(said).encode())] == [(FINDING.id, "P1")]


def test_every_text_is_cleaned_and_nothing_else() -> None:
    done = cleaned(FINDING, lambda _: "x")
    assert (done.id, done.lens, done.severity, done.line) == (FINDING.id, FINDING.lens, FINDING.severity, 3)
    assert (done.title, done.source_doc, done.evidence["claims"][0]) == (
        "x",
        "x",
        {"path": "x", "line": 3, "text": "x"},
    )


def test_paths_are_masked_wherever_they_stand_and_alike() -> None:
    mask = path_mask(["docs/a.md", "docs/a.md.bak/b.md", "a.md"])
    one, other = mask("`docs/a.md` and docs/a.md.bak/b.md:3, not xdocs/a.md or docs/a.mdx").split(" and ")
    assert one == f"`{mask('docs/a.md')}`" and "a.md" not in one
    assert other.startswith("path-") and "not xdocs/a.md or docs/a.mdx" in other
    assert path_mask([])("docs/a.md") == "docs/a.md"


def test_markdown_has_no_markup_of_documents() -> None:
    text = markdown(audit(FINDING, notes=("a *note*",)))
    assert "<script" not in text.replace("\\<", "") and "[a](b)" not in text
    assert "## P1" in text and "| P1 | 1 | 0 | 0 |" in text and "## Skipped lenses" in text
    assert "a \\*note\\*" in text


@given(st.text())
def test_plain_text_stays_on_one_line(text: str) -> None:
    assert len(plain(text).splitlines()) <= 1


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_fragment_is_whole_and_harmless() -> None:
    parser = Tags()
    parser.feed(fragment(audit(FINDING)))
    assert parser.open == [] and parser.seen[0] == "section"
    assert not {"script", "img", "link", "iframe", "a"} & set(parser.seen)
    assert "http" not in fragment(audit(FINDING))


def test_reviewers_get_what_is_open() -> None:
    known = Finding("f" * 16, "I-knowledge-gaps", "P2", "t", "d", status="acknowledged")
    (item,) = review_findings([FINDING, known])
    assert item["location"] == "docs/a.md::H-cross-doc::01234567"
    assert item["description"].startswith("[doc-conformance/H-cross-doc]")
    (other,) = review_findings([Finding("f" * 16, "I-knowledge-gaps", "P2", "t", "d")])
    assert other["location"] == "(no-source-doc)::I-knowledge-gaps::ffffffff"
