"""What stores remember of the last audits, the same on every database."""

from cairn.adapters.storage.sql.store import SqlStore
from cairn.core.ports.observe import FindingRow

GRAVE = FindingRow("b" * 16, "H-cross-doc", "P0", "audit-1", 1, 2, '{"title": "Ünïcode"}')
MILD = FindingRow("a" * 16, "H-cross-doc", "P2", "audit-1", 1, 2, "{}")
OTHER = FindingRow("c" * 16, "I-knowledge-gaps", "P1", "audit-1", 1, 2, "{}")


def test_the_worst_come_first(store: SqlStore) -> None:
    store.findings.replace(["H-cross-doc", "I-knowledge-gaps"], [MILD, OTHER, GRAVE])
    assert store.findings.all() == [GRAVE, OTHER, MILD]


def test_a_lens_replaces_what_it_said_before_and_nobody_elses(store: SqlStore) -> None:
    store.findings.replace(["H-cross-doc", "I-knowledge-gaps"], [MILD, OTHER, GRAVE])
    store.findings.replace(["H-cross-doc"], [MILD._replace(severity="P1", report="audit-2")])
    assert store.findings.all() == [MILD._replace(severity="P1", report="audit-2"), OTHER]
    store.findings.replace(["I-knowledge-gaps"], [])
    assert [row.id for row in store.findings.all()] == [MILD.id]


def test_it_is_kept_state(store: SqlStore) -> None:
    """A reset of what can be rebuilt leaves it; a dump has it."""
    store.findings.replace(["H-cross-doc"], [GRAVE])
    assert "INSERT INTO state_findings " in "".join(store.dump())
    store.reset(state=False)
    assert store.findings.all() == [GRAVE]
    store.reset(state=True)
    assert store.findings.all() == []
