-- What PostgreSQL says its own way: the full-text index is an ordinary table of word vectors.

-- name: last_text_id
SELECT coalesce(max(id), 0) FROM scan_text
-- name: text_counts
SELECT (SELECT count(*) FROM scan_text), (SELECT count(text_id) FROM scan_nodes)
-- name: clear_texts
DELETE FROM scan_text
-- name: put_text
INSERT INTO scan_text (id, words) VALUES (:id,
    setweight(to_tsvector('scan_words', :name::text), 'A') || setweight(to_tsvector('scan_words', :title::text), 'B')
    || setweight(to_tsvector('scan_words', :summary::text), 'C') || setweight(to_tsvector('scan_words', :body::text), 'D'))
-- name: text_frequency
SELECT count(*) FROM (SELECT 1 FROM scan_text WHERE words @@ to_tsquery('scan_words', :match) LIMIT :most) found
-- name: text_frequency_now
SELECT count(*) FROM (SELECT 1 FROM scan_text t JOIN scan_nodes n ON n.text_id = t.id
    WHERE t.words @@ to_tsquery('scan_words', :match) AND n.kind IS NOT NULL LIMIT :most) found
-- name: count_text_rows
SELECT count(*) FROM scan_text
-- name: search
SELECT n.path, n.kind, n.provider, n.title, n.description, n.frontmatter, f.score
FROM (SELECT n.id, ts_rank('{0.15, 0.5, 1.0, 0.85}', t.words, q.asked, 1) AS score
    FROM (SELECT to_tsquery('scan_words', :match) AS asked) q
    JOIN scan_text t ON t.words @@ q.asked JOIN scan_nodes n ON n.text_id = t.id
    WHERE n.kind IS NOT NULL [where] ORDER BY score DESC, n.path LIMIT :limit) f
JOIN scan_nodes n ON n.id = f.id ORDER BY f.score DESC, n.path
-- name: add_orphan
INSERT INTO state_orphans (path, since_ms, body_hash, frontmatter_hash)
VALUES (:path, :since_ms, :body_hash, :frontmatter_hash)
ON CONFLICT (md5(path)) DO UPDATE SET since_ms = excluded.since_ms, body_hash = excluded.body_hash,
    frontmatter_hash = excluded.frontmatter_hash
-- name: tables
SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename COLLATE "C"
-- name: put_note_texts
INSERT INTO index_note_text (id, words) SELECT id,
    setweight(to_tsvector('scan_words', title), 'A') || setweight(to_tsvector('scan_words', body), 'B') FROM added_texts
-- name: worded_notes
SELECT coalesce(max(id), 0) FROM index_note_text
-- name: drop_note_text
DELETE FROM index_note_text WHERE id = :id
-- name: clear_note_texts
DELETE FROM index_note_text
-- name: search_notes
SELECT [= note_columns], [= seen_count]
FROM (SELECT n.number, ts_rank(w.words, to_tsquery('scan_words', :match), 1) AS score
    FROM index_note_text w JOIN index_notes n ON n.number = w.id JOIN index_facts f ON f.number = n.facts
    LEFT JOIN index_cleared c ON n.target <> '' AND c.target = n.target
    WHERE w.words @@ to_tsquery('scan_words', :match)
        AND (n.expires_at_ms IS NULL OR n.expires_at_ms > :now) AND n.updated_at_ms > coalesce(c.cleared_at_ms, -1) [where]
    ORDER BY score DESC, n.created_at_ms DESC, n.turn_id [limit]) best
JOIN index_notes n ON n.number = best.number JOIN index_facts f ON f.number = n.facts
ORDER BY best.score DESC, n.created_at_ms DESC, n.turn_id
-- name: note_frequency
SELECT count(*) FROM (SELECT 1 FROM index_note_text WHERE words @@ to_tsquery('scan_words', :match) LIMIT :most) found
-- name: events_between
SELECT 1 FROM index_events WHERE type IN [:types] AND at_ms >= :since AND at_ms <= :until LIMIT 1
-- name: add_staged_events
INSERT INTO index_events (type, at_ms, id, worktree, file, "offset")
SELECT type, at_ms, id, worktree, file, "offset" FROM added_index_events a WHERE NOT EXISTS
    (SELECT 1 FROM index_events e WHERE e.type = a.type AND e.at_ms = a.at_ms AND e.id = a.id)
-- name: next_job
SELECT id FROM state_jobs WHERE status = 'queued' [where]
    ORDER BY priority DESC, created_at_ms, id LIMIT 1 FOR UPDATE SKIP LOCKED
-- name: put_trust_artefact_staged
-- Rows of trust that were staged; of several with one key the latest counts, as when they come one by one.
INSERT INTO index_trust_artefacts (artefact, kind, status, version, rev, anchor, cohort, founding, content, revision, snapshot, seen_status,
    since_ms, submitter, hold, good_rev, good_status, good_content, good_revision, good_snapshot, patches, landed,
    transition, by_whom, at_ms, id)
SELECT DISTINCT ON (artefact) artefact, kind, status, version, rev, anchor, cohort, founding, content, revision, snapshot, seen_status,
    since_ms, submitter, hold, good_rev, good_status, good_content, good_revision, good_snapshot, patches, landed,
    transition, by_whom, at_ms, id
FROM added_index_trust_artefacts ORDER BY artefact, at_ms DESC, id DESC
ON CONFLICT (artefact) DO UPDATE SET kind = excluded.kind, status = excluded.status, version = excluded.version, rev = excluded.rev, anchor =
    excluded.anchor, cohort = excluded.cohort, founding = excluded.founding, content = excluded.content, revision =
    excluded.revision, snapshot = excluded.snapshot, seen_status = excluded.seen_status, since_ms =
    excluded.since_ms, submitter = excluded.submitter, hold = excluded.hold, good_rev = excluded.good_rev,
    good_status = excluded.good_status, good_content = excluded.good_content, good_revision =
    excluded.good_revision, good_snapshot = excluded.good_snapshot, patches = excluded.patches, landed =
    excluded.landed, transition = excluded.transition, by_whom = excluded.by_whom, at_ms = excluded.at_ms, id =
    excluded.id
WHERE excluded.at_ms > index_trust_artefacts.at_ms
    OR (excluded.at_ms = index_trust_artefacts.at_ms AND excluded.id > index_trust_artefacts.id)
-- name: put_trust_ballot_staged
INSERT INTO index_trust_ballots (cohort, voter, source, verdict, at_ms, id, reason)
SELECT DISTINCT ON (cohort, voter) cohort, voter, source, verdict, at_ms, id, reason
FROM added_index_trust_ballots ORDER BY cohort, voter, at_ms DESC, id DESC
ON CONFLICT (cohort, voter) DO UPDATE SET source = excluded.source, verdict = excluded.verdict,
    at_ms = excluded.at_ms, id = excluded.id, reason = excluded.reason
WHERE excluded.at_ms > index_trust_ballots.at_ms
    OR (excluded.at_ms = index_trust_ballots.at_ms AND excluded.id > index_trust_ballots.id)
-- name: mark_trust_dirty_staged
INSERT INTO index_trust_dirty (cohort) SELECT DISTINCT ON (cohort) cohort
FROM added_index_trust_dirty ORDER BY cohort ON CONFLICT DO NOTHING
