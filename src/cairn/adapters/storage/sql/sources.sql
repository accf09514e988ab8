-- What is remembered about sources on the web. A key stands for url and anchor, which are too long for an index.

-- name: sources
SELECT url, anchor, canon, hash, raw, snapshot, etag, modified, seen_at_ms, changed_at_ms, pending_hash,
    pending_snapshot, pending_at_ms, looks, flips, failures, cause, reason, failed_at_ms, next_try_ms,
    shown_snapshot, shown_at_ms
FROM state_sources ORDER BY url, anchor
-- name: drop_sources
DELETE FROM state_sources WHERE key IN [:keys]
-- name: source_texts
SELECT url, anchor, canon, hash, raw, snapshot, seen_at_ms FROM state_source_texts
ORDER BY url, anchor, seen_at_ms DESC, hash
-- name: drop_source_texts
DELETE FROM state_source_texts WHERE key IN [:keys]
-- name: links_checked
SELECT url, ok, status, cause, reason, checked_at_ms, failures FROM state_links ORDER BY url
-- name: drop_links_checked
DELETE FROM state_links WHERE key IN [:keys]
-- name: attempts
SELECT path, failures, cause, reason, at_ms, next_try_ms FROM state_attempts ORDER BY path
-- name: drop_attempts
DELETE FROM state_attempts WHERE key IN [:keys]
-- name: audits
SELECT key, path, day, at_ms, verdict FROM state_audits ORDER BY path, key
-- name: drop_audits
DELETE FROM state_audits WHERE key IN [:keys]
