-- Who read which page on which day. Made of the ledger's events.

-- name: add_reading
INSERT INTO index_readings (path, day, reader, at_ms) VALUES (:path, :day, :reader, :at_ms)
ON CONFLICT (path, day, reader) DO UPDATE SET at_ms = CASE WHEN excluded.at_ms > index_readings.at_ms
    THEN excluded.at_ms ELSE index_readings.at_ms END
-- name: readings
SELECT path, day, at_ms FROM index_readings WHERE path IN [:paths]
-- name: reading_days
SELECT path, day, count(*), max(at_ms) FROM index_readings WHERE path IN [:paths] GROUP BY path, day ORDER BY path, day
-- name: renames_around
SELECT old, new, at_ms FROM state_renames WHERE old IN [:paths] OR new IN [:paths]
-- name: readers
SELECT path, reader, at_ms FROM index_readings WHERE path IN [:paths] AND at_ms >= :since ORDER BY at_ms, path, reader
-- name: has_reader
SELECT 1 FROM index_readings WHERE reader = :reader LIMIT 1
