-- Gaps: counts by topic and day, who missed what, and what they said. Made of the ledger's events.

-- name: add_gap_day
INSERT INTO index_gap_days (topic, day, signals, first_ms, last_ms, session_low, session_high)
VALUES (:topic, :day, :signals, :first_ms, :last_ms, :session_low, :session_high)
ON CONFLICT (topic, day) DO UPDATE SET signals = index_gap_days.signals + excluded.signals,
    first_ms = CASE WHEN excluded.first_ms < index_gap_days.first_ms THEN excluded.first_ms
        ELSE index_gap_days.first_ms END,
    last_ms = CASE WHEN excluded.last_ms > index_gap_days.last_ms THEN excluded.last_ms
        ELSE index_gap_days.last_ms END,
    session_low = CASE WHEN excluded.session_low < index_gap_days.session_low THEN excluded.session_low
        ELSE index_gap_days.session_low END,
    session_high = CASE WHEN excluded.session_high > index_gap_days.session_high THEN excluded.session_high
        ELSE index_gap_days.session_high END
-- name: put_gap_voices
INSERT INTO index_gap_voices (kind, heard) VALUES (:kind, :heard)
ON CONFLICT (kind) DO UPDATE SET heard = excluded.heard
-- name: count_gap_batches
SELECT count(*), coalesce(sum(length(heard)), 0) FROM index_gap_batches
-- name: gap_batches
SELECT heard FROM index_gap_batches ORDER BY id
-- name: clear_gap_batches
DELETE FROM index_gap_batches
-- name: add_gap_excerpt
INSERT INTO index_gap_excerpts (topic, excerpt, at_ms) VALUES (:topic, :excerpt, :at_ms)
ON CONFLICT (topic, excerpt) DO UPDATE SET at_ms = CASE WHEN excluded.at_ms > index_gap_excerpts.at_ms
    THEN excluded.at_ms ELSE index_gap_excerpts.at_ms END
-- name: crowded_gap_excerpts
SELECT topic FROM index_gap_excerpts WHERE topic IN [:topics] GROUP BY topic HAVING count(*) > :most
-- name: gap_counts
SELECT topic, sum(signals), count(*), min(first_ms), max(last_ms), min(session_low), max(session_high)
FROM index_gap_days WHERE day >= :day GROUP BY topic ORDER BY topic
-- name: gap_days
SELECT topic, day, signals FROM index_gap_days WHERE day >= :day [where] ORDER BY topic, day
-- name: gap_voices
SELECT heard FROM index_gap_voices WHERE kind = :kind
-- name: gap_names
SELECT who, number FROM index_gap_names WHERE kind = :kind ORDER BY number
-- name: gap_excerpts
SELECT topic, excerpt, at_ms FROM index_gap_excerpts
WHERE topic IN [:topics] AND at_ms >= :since ORDER BY at_ms DESC, excerpt DESC
-- name: drop_gap_excerpt
DELETE FROM index_gap_excerpts WHERE topic = :topic AND excerpt = :excerpt
