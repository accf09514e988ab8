-- Turns, notes and alerts. All of it is made of the ledger's events and can be made again.

-- name: turn_rows
SELECT turn_id, told_by, worktree, source, agent, channel, session, turn_number, host, stage, project, internal,
    message_id, transcript, start, stop, hash, tools, tool_errors, eligible_at_ms, ended_by, outcome, ended_at_ms, reason,
    fingerprint, duplicate_of, tried_by, attempts, error
FROM index_turns WHERE turn_id IN [:ids]
-- name: turns
SELECT turn_id, told_by, worktree, source, agent, channel, session, turn_number, host, stage, project, internal,
    message_id, transcript, start, stop, hash, tools, tool_errors, eligible_at_ms, ended_by, outcome, ended_at_ms, reason,
    fingerprint, duplicate_of, tried_by, attempts, error
FROM index_turns WHERE coalesce(eligible_at_ms, ended_at_ms, 0) >= :since [where]
ORDER BY coalesce(eligible_at_ms, ended_at_ms, 0) DESC, turn_id DESC [limit]
-- name: pending_turns
SELECT turn_id, told_by, worktree, source, agent, channel, session, turn_number, host, stage, project, internal,
    message_id, transcript, start, stop, hash, tools, tool_errors, eligible_at_ms, ended_by, outcome, ended_at_ms, reason,
    fingerprint, duplicate_of, tried_by, attempts, error
FROM index_turns WHERE outcome = '' AND host <> '' AND worktree = :worktree
ORDER BY eligible_at_ms, turn_id LIMIT :limit
-- name: drop_turns
DELETE FROM index_turns WHERE turn_id IN [:ids]
-- name: lately
SELECT fingerprint, CASE WHEN duplicate_of = '' THEN turn_id ELSE duplicate_of END, ended_at_ms
FROM index_turns
WHERE session = :session AND source = :source AND ended_at_ms >= :since AND fingerprint <> ''
    AND (outcome = 'completed' OR duplicate_of <> '')
ORDER BY ended_at_ms DESC, turn_id LIMIT :limit
-- name: note_rows
SELECT id, turn_id, said_by, source, agent, channel, session, turn_number, host, stage, project, title, summary,
    decision, evidence, tags, type, context, target, occurred_at, score, low, expires_at_ms, fingerprint, gist,
    created_at_ms, updated_at_ms, revision, taint
FROM index_notes WHERE turn_id IN [:ids]
-- name: same_gist
SELECT id, turn_id, said_by, source, agent, channel, session, turn_number, host, stage, project, title, summary,
    decision, evidence, tags, type, context, target, occurred_at, score, low, expires_at_ms, fingerprint, gist,
    created_at_ms, updated_at_ms, revision, taint
FROM index_notes WHERE gist = :gist AND coalesce(expires_at_ms, :now + 1) > :now ORDER BY created_at_ms, turn_id LIMIT 1
-- name: notes
SELECT n.id, n.turn_id, n.said_by, n.source, n.agent, n.channel, n.session, n.turn_number, n.host, n.stage, n.project,
    n.title, n.summary, n.decision, n.evidence, n.tags, n.type, n.context, n.target, n.occurred_at, n.score, n.low,
    n.expires_at_ms, n.fingerprint, n.gist, n.created_at_ms, n.updated_at_ms, n.revision, n.taint,
    1 + (SELECT count(*) FROM index_turns t WHERE t.duplicate_of = n.turn_id AND t.fingerprint <> '')
FROM index_notes n LEFT JOIN index_cleared c ON n.target <> '' AND c.target = n.target
WHERE (n.expires_at_ms IS NULL OR n.expires_at_ms > :now) AND n.updated_at_ms > coalesce(c.cleared_at_ms, -1) [where]
ORDER BY n.created_at_ms DESC, n.turn_id DESC [limit]
-- name: note_total
SELECT count(*) FROM index_notes
-- name: drop_notes
DELETE FROM index_notes WHERE id IN [:ids]
-- name: alerts
SELECT key, kind, source, severity, text, number, raised_by, raised_at_ms, resolved_at_ms FROM index_alerts ORDER BY key
-- name: drop_alerts
DELETE FROM index_alerts WHERE key IN [:keys]
-- name: cleared
SELECT target, cleared_at_ms FROM index_cleared ORDER BY target
-- name: drop_cleared
DELETE FROM index_cleared WHERE target IN [:targets]
