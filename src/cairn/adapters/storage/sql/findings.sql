-- What the lenses of the last audits found.

-- name: findings
SELECT id, lens, severity, report, first_seen_ms, last_seen_ms, detail FROM state_findings ORDER BY severity, lens, id
-- name: drop_findings
DELETE FROM state_findings WHERE lens IN [:lenses] OR id IN [:ids]
