"""An issue, its severity, and where it is shown."""

from cairn.plugin import Issue, Severity


def test_severities_go_from_worst_to_least():
    assert [str(severity) for severity in Severity] == ["error", "warn", "info"]


def test_an_issue_is_shown_at_the_first_node():
    assert Issue("x", Severity.INFO, ("b.md", "a.md"), "m").path == "b.md"
