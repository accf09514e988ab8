"""Conflicts: files that lose nothing, advice, and what accepting one makes of a page."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.candidate import KnowledgeConflict, ProposedNode
from cairn.core.model.change import Taint
from cairn.curate.conflicts import (
    MERGE,
    REPLACE,
    changed_lines,
    conflict_text,
    in_walking_order,
    read_conflict,
    resolved,
    same_as,
)
from cairn.errors import UsageError
from curation import candidate, page

NODE = ProposedNode(
    "Use pnpm, not npm, for packages", "practice", ("tools",), "Use pnpm.", "Use pnpm, not npm, for packages.", "high"
)
ONE = KnowledgeConflict(
    "run-1",
    "pending",
    "2026-05-04T10:00:00Z",
    "run",
    "s:practice:0",
    "packages",
    "They differ.",
    NODE,
    ("log.md",),
    Taint.PERSON,
)

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=60).filter(str.strip)
BODY = st.lists(
    st.sampled_from(["Use pnpm.", "```sh", "```", "````", "---", "## Proposed node", "~~~", "- item"]), min_size=1
)


@given(TEXT, BODY, TEXT, st.sampled_from(list(Taint)))
def test_a_file_gives_back_what_went_in(title: str, body: list[str], rationale: str, taint: Taint) -> None:
    node = replace(NODE, title=title, summary=title, body="\n".join(body).strip(), relates_to=("a",))
    one = replace(ONE, proposed=node, rationale=" ".join(rationale.split()), taint=taint)
    assert read_conflict(conflict_text(one), "x.md") == one


def test_what_is_settled_keeps_who_when_and_why() -> None:
    one = replace(ONE, status="kept", settled_by="Ada", settled_at="2026-05-05", extra={"reason": "both are right"})
    assert read_conflict(conflict_text(one), "x.md") == one


def test_a_file_of_an_older_program_can_be_read() -> None:
    text = (
        "---\nid: r-1\nstatus: pending\ndetected_at: '2026-01-01T00:00:00Z'\nrun_id: r\ncandidate_origin: s:map:0\n"
        "target_node_id: null\nproposed_kind: map\nproposed_title: The queue\nproposed_confidence: low\n---\n\n"
        "## Rationale\n\nBecause.\n\n## Proposed node\n\nThe queue is in Redis.\n"
    )
    one = read_conflict(text, "x.md")
    assert (one.proposed.title, one.proposed.body, one.rationale) == ("The queue", "The queue is in Redis.", "Because.")
    assert one.taint is Taint.OUTSIDE, "nobody vouches for it"


HEADLESS = "it does not begin with a head between two lines of `---`. Fix"
BROKEN = [
    ("", HEADLESS),
    ("hello\n", HEADLESS),
    ("---\n---\n", HEADLESS),
    ("---\nid: x-1\n---\n", "its head lacks status, detected_at, run_id, candidate_origin; `proposed.title`"),
    (conflict_text(ONE).replace("status: pending", "status: perhaps"), '`status`: "perhaps" is not one of'),
    ("---\nid: [\n---\n", "not valid YAML"),
]


@pytest.mark.parametrize(("text", "why"), BROKEN)
def test_a_file_that_is_none_is_named_with_what_is_wrong_in_one_sentence(text: str, why: str) -> None:
    with pytest.raises(UsageError) as told:
        read_conflict(text, "conflicts/x.md")
    assert told.value.message.startswith("conflicts/x.md is not a valid conflict") and why in told.value.message
    assert "the file" not in told.value.message and len(told.value.message) < 300


PAGE = page("Use npm for packages. Run npm ci in pipelines.", id="packages", title="Packages")


def test_accepting_replaces_what_is_opposed_and_leaves_the_rest() -> None:
    assert resolved(PAGE, ONE).body == "\nUse pnpm, not npm, for packages. Run npm ci in pipelines.\n"


def test_accepting_keeps_the_marks_of_a_list() -> None:
    listed = page("- Use npm for packages.\n- Run npm ci.", id="packages", title="Packages")
    assert resolved(listed, ONE).body == "\n- Use pnpm, not npm, for packages.\n- Run npm ci.\n"


def test_a_title_that_is_opposed_becomes_the_new_one() -> None:
    titled = page("# Use npm for packages\n\nUse npm for packages.", id="packages", title="Use npm for packages")
    node = resolved(titled, ONE)
    assert node.title == NODE.title and node.body.startswith(f"\n# {NODE.title}\n")


def test_the_opposed_sentence_is_replaced_wherever_the_page_has_it() -> None:
    told = page(
        "# Packages\n\nUse npm for packages.\n\n## Deep Guidance\n\nUse npm for packages.\n\nAsk Ada.",
        id="packages",
        title="Packages",
    )
    assert resolved(told, ONE).body == (
        f"\n# Packages\n\n{NODE.summary}\n\n## Deep Guidance\n\n{NODE.body}\n\nAsk Ada.\n"
    )


def test_another_value_is_replaced_in_every_sentence_that_has_it() -> None:
    held = "Hold orders for 48 hours"
    told = page(f"# {held}\n\n{held}.\n\n## Deep Guidance\n\n{held}, because of the tasting.\n\nAsk Ada.", title=held)
    node = replace(
        NODE,
        title="Hold orders for 24 hours",
        summary="Hold orders for 24 hours.",
        body="Hold orders for 24 hours, not more.",
    )
    after = resolved(told, replace(ONE, proposed=node))
    assert after.title == node.title and "48" not in after.body and "Ask Ada." in after.body
    assert after.body.count("24 hours") == 3


def test_the_page_as_a_reader_would_have_it_replaces_the_whole() -> None:
    whole = replace(NODE, title="Use pnpm", body="Use pnpm. Run pnpm ci in pipelines.")
    titled = page("# Use npm\n\nUse npm for packages. Run npm ci.", id="packages", title="Use npm")
    node = resolved(titled, replace(ONE, proposed=whole, extra={"resolution": REPLACE}))
    assert (node.title, node.body) == ("Use pnpm", f"\n# Use pnpm\n\n{whole.body}\n".replace("\n\n# ", "\n# "))


def test_where_nothing_can_be_pinned_down_the_proposal_takes_the_place() -> None:
    other = page("# Packages\n\nAsk Ada.", id="packages", title="Packages")
    assert resolved(other, ONE).body.split() == ["#", "Packages", *NODE.body.split()]


def test_what_only_a_gate_kept_out_is_added() -> None:
    node = replace(NODE, body="Pin Node 22.")
    held = replace(ONE, proposed=node, extra={"resolution": MERGE})
    assert resolved(PAGE, held).body == f"{PAGE.body.rstrip()}\n\nPin Node 22.\n"


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [("a\nb\nc\n", "a\nb\nd\n", 1), ("a\n", "a\n\nb\nc\n", 2), ("a\nb\n", "", 2), ("a\n", "a\n", 0)],
)
def test_the_size_of_a_change_is_counted_in_lines(before: str, after: str, lines: int) -> None:
    assert changed_lines(before, after) == lines


def test_they_are_walked_through_page_by_page() -> None:
    of = [replace(ONE, id=f"r-{n}", target_node_id=target) for n, target in enumerate(["b", None, "a", "b"])]
    assert [one.target_node_id for one in in_walking_order(of)] == ["a", "b", "b", None]


def test_one_that_was_accepted_does_not_silence_later_ones() -> None:
    again = candidate("Use pnpm, not npm, for packages.")
    assert same_as(again, [ONE]) == ONE
    assert same_as(again, [replace(ONE, status="accepted")]) is None
    assert same_as(candidate("Write commits in English."), [ONE]) is None
