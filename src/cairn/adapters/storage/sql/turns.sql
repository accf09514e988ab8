-- Turns, notes and alerts. All of it is made of the ledger's events and can be made again.

-- name: turn_columns
t.turn_id, t.told_by, f.worktree, f.source, f.agent, f.channel, f.session, f.host, f.stage, f.project, f.internal,
    f.transcript, t.turn_number, t.message_id, t.start, t.stop, t.hash, t.tools, t.tool_errors, t.eligible_at_ms, t.ended_by,
    t.outcome, t.ended_at_ms, t.reason, t.fingerprint, t.duplicate_of, t.tried_by, t.attempts, t.error
-- name: note_title
coalesce(substr(n.summary, 1, n.title_size), n.title)
-- name: note_columns
n.id, n.turn_id, n.said_by, f.source, f.agent, f.channel, f.session, f.host, f.stage, f.project, n.turn_number, [= note_title],
    n.summary, n.decision, n.evidence, n.tags, n.type, n.context, n.target, n.occurred_at, n.score, n.low, n.expires_at_ms,
    n.gist, n.created_at_ms, n.updated_at_ms, n.revision, n.taint
-- name: seen_count
1 + (SELECT count(*) FROM index_turns t WHERE t.duplicate_of = n.turn_id AND t.duplicate_of <> '' AND t.fingerprint <> '')
-- name: turn_rows
SELECT [= turn_columns] FROM index_turns t JOIN index_facts f ON f.number = t.facts WHERE t.id IN [:ids]
-- name: turns
SELECT [= turn_columns] FROM index_turns t JOIN index_facts f ON f.number = t.facts
WHERE coalesce(t.eligible_at_ms, t.ended_at_ms, 0) >= :since [where]
ORDER BY coalesce(t.eligible_at_ms, t.ended_at_ms, 0) DESC, t.turn_id DESC [limit]
-- name: listed_turns
SELECT t.turn_id, n.id IS NOT NULL FROM index_turns t JOIN index_facts f ON f.number = t.facts
LEFT JOIN index_notes n ON n.id = t.id AND (n.expires_at_ms IS NULL OR n.expires_at_ms > :now) AND n.low <= :low
    AND NOT EXISTS (SELECT 1 FROM index_cleared c
        WHERE n.target <> '' AND c.target = n.target AND n.updated_at_ms <= c.cleared_at_ms)
WHERE coalesce(t.eligible_at_ms, t.ended_at_ms, 0) >= :since AND (t.outcome <> 'completed' OR n.id IS NOT NULL) [where]
ORDER BY coalesce(t.eligible_at_ms, t.ended_at_ms, 0) DESC, t.turn_id DESC [limit]
-- name: seen_counts
SELECT duplicate_of, count(*) FROM index_turns
WHERE duplicate_of IN [:ids] AND duplicate_of <> '' AND fingerprint <> '' GROUP BY duplicate_of
-- name: pending_turns
SELECT [= turn_columns] FROM index_turns t JOIN index_facts f ON f.number = t.facts
WHERE t.outcome = '' AND f.host <> '' AND f.worktree = :worktree ORDER BY t.eligible_at_ms, t.turn_id LIMIT :limit
-- name: drop_turns
DELETE FROM index_turns WHERE id IN [:ids]
-- name: lately
SELECT fingerprint, CASE WHEN duplicate_of = '' THEN turn_id ELSE duplicate_of END, ended_at_ms
FROM index_turns
WHERE facts IN (SELECT number FROM index_facts WHERE session = :session AND source = :source) AND ended_at_ms >= :since
    AND fingerprint <> '' AND (outcome = 'completed' OR duplicate_of <> '')
ORDER BY ended_at_ms DESC, turn_id LIMIT :limit
-- name: note_rows
SELECT [= note_columns] FROM index_notes n JOIN index_facts f ON f.number = n.facts WHERE n.id IN [:ids]
-- name: note_numbers
SELECT n.number, [= note_title], n.summary, n.decision, n.tags, n.target FROM index_notes n WHERE n.id IN [:ids]
-- name: last_note
SELECT coalesce(max(number), 0) FROM index_notes
-- name: wordless_notes
SELECT n.number, [= note_title], n.summary, n.decision, n.tags, n.target FROM index_notes n
WHERE n.number > :worded ORDER BY n.number LIMIT :limit
-- name: count_wordless_notes
SELECT count(*) FROM (SELECT 1 FROM index_notes WHERE number > :worded LIMIT :most) found
-- name: same_gist
SELECT [= note_columns] FROM index_notes n JOIN index_facts f ON f.number = n.facts
WHERE n.gist = :gist AND coalesce(n.expires_at_ms, :now + 1) > :now ORDER BY n.created_at_ms, n.turn_id LIMIT 1
-- name: notes
SELECT [= note_columns], [= seen_count]
FROM index_notes n JOIN index_facts f ON f.number = n.facts
LEFT JOIN index_cleared c ON n.target <> '' AND c.target = n.target
WHERE (n.expires_at_ms IS NULL OR n.expires_at_ms > :now) AND n.updated_at_ms > coalesce(c.cleared_at_ms, -1) [where]
ORDER BY n.created_at_ms DESC, n.turn_id DESC [limit]
-- name: note_total
SELECT count(*) FROM index_notes
-- name: drop_notes
DELETE FROM index_notes WHERE number IN [:numbers]
-- name: alerts
SELECT key, kind, source, severity, text, number, raised_by, raised_at_ms, resolved_at_ms FROM index_alerts ORDER BY key
-- name: drop_alerts
DELETE FROM index_alerts WHERE key IN [:keys]
-- name: cleared
SELECT target, cleared_at_ms FROM index_cleared ORDER BY target
-- name: drop_cleared
DELETE FROM index_cleared WHERE target IN [:targets]
