"""What stores remember about sources on the web, the same on every database."""

from cairn.adapters.storage.sql.store import SqlStore
from cairn.core.ports.sources import AttemptRow, AuditRow, SourceRow, SourceTextRow, UrlCheckRow

URL = "https://docs.example.org/a"
LONG = "https://docs.example.org/" + "ä" * 4_000
HASHES = ("sha256:a", "sha256:b", "sha256:c")
PENDING = ("sha256:d", "sha256:e", 3)
FULL = SourceRow(URL, "#part", 1, *HASHES, '"e"', "Mon", 1, 2, *PENDING, 4, 5, 6, "dns", "No.", 7, 8)


def test_sources_come_back_as_they_were(store: SqlStore) -> None:
    rows = [FULL, SourceRow(URL), SourceRow(LONG, "#" + "b" * 4_000)]
    store.web.keep_sources(rows)
    assert store.web.sources() == [SourceRow(URL), FULL, rows[2]]


def test_a_row_takes_the_place_of_the_one_before(store: SqlStore) -> None:
    store.web.keep_sources([SourceRow(URL), FULL])
    store.web.keep_sources([SourceRow(URL, looks=3), SourceRow(URL, looks=4)])
    assert store.web.sources() == [SourceRow(URL, looks=4), FULL]
    store.web.keep_sources([])
    assert len(store.web.sources()) == 2


def test_texts_are_kept_beside_and_dropped_one_by_one(store: SqlStore) -> None:
    old, new = (SourceTextRow(URL, "", 1, f"sha256:{n}", "sha256:r", "sha256:s", n) for n in (1, 2))
    store.web.keep_sources([SourceRow(URL)], [old, new])
    store.web.keep_sources([SourceRow(URL)], [new])
    assert store.web.texts() == [new, old]
    store.web.drop_texts([old])
    assert store.web.texts() == [new]


def test_links_and_attempts(store: SqlStore) -> None:
    fine, broken = UrlCheckRow(URL, True, 200, None, None, 5, 0), UrlCheckRow(LONG, False, None, "dns", "No.", 6, 2)
    store.web.keep_links([broken, fine])
    store.web.keep_links([fine._replace(checked_at_ms=9)])
    assert store.web.links() == [fine._replace(checked_at_ms=9), broken]
    attempt = AttemptRow("knowledge/a.md", 2, "status", "Gone.", 1, 2)
    store.web.keep_attempts([attempt, attempt._replace(path="b.md")])
    store.web.forget_attempts(["b.md", "nobody.md"])
    assert store.web.attempts() == [attempt]
    audit = AuditRow("k1", "knowledge/a.md", "2026-03-01", 1, "{}")
    store.web.keep_audits([audit, audit._replace(key="k2")])
    store.web.keep_audits([audit._replace(verdict='{"é": 1}')])
    store.web.forget_audits(["k2", "k9"])
    assert store.web.audits() == [audit._replace(verdict='{"é": 1}')]


def test_it_is_kept_state(store: SqlStore) -> None:
    """A reset of what can be rebuilt leaves it; a dump has it."""
    store.web.keep_sources([FULL], [SourceTextRow(URL, "", 1, "sha256:1", "sha256:r", "sha256:s", 1)])
    store.web.keep_links([UrlCheckRow(URL, True, 200, None, None, 5, 0)])
    store.web.keep_attempts([AttemptRow("a.md", 1, "dns", "No.", 1, 2)])
    store.web.keep_audits([AuditRow("k", "a.md", "2026-03-01", 1, "{}")])
    dumped = "".join(store.dump())
    for table in ("state_sources", "state_source_texts", "state_links", "state_attempts", "state_audits"):
        assert f"INSERT INTO {table} " in dumped
    store.reset(state=False)
    assert store.web.sources() == [FULL]
    store.reset(state=True)
    assert (store.web.sources(), store.web.texts(), store.web.links(), store.web.attempts()) == ([], [], [], [])


def test_stability_is_a_share_of_looks() -> None:
    assert SourceRow(URL, looks=1).stability is None
    assert SourceRow(URL, looks=4, flips=1).stability == 0.75
