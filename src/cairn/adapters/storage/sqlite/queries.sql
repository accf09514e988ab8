-- What only SQLite says this way: its full-text index has shadow tables and commands of its own.

-- name: last_text_id
SELECT coalesce(max(id), 0) FROM scan_text_docsize
-- name: text_counts
SELECT (SELECT count(*) FROM scan_text_docsize), (SELECT count(text_id) FROM scan_nodes)
-- name: clear_texts
INSERT INTO scan_text (scan_text) VALUES ('delete-all')
-- name: text_frequency
SELECT count(*) FROM (SELECT 1 FROM scan_text WHERE scan_text MATCH :match LIMIT :most)
-- name: text_frequency_now
SELECT count(*) FROM (SELECT 1 FROM scan_text CROSS JOIN scan_nodes n ON n.text_id = scan_text.rowid
    WHERE scan_text MATCH :match AND n.kind IS NOT NULL LIMIT :most)
-- name: count_text_rows
SELECT count(*) FROM scan_text_docsize
-- name: search
SELECT n.path, n.kind, n.provider, n.title, n.description, n.frontmatter, -f.score
FROM (SELECT n.id, bm25(scan_text, 5.0, 6.0, 3.0, 1.0) AS score
    FROM scan_text CROSS JOIN scan_nodes n ON n.text_id = scan_text.rowid
    WHERE scan_text MATCH :match AND n.kind IS NOT NULL [where] ORDER BY score LIMIT :limit) f
CROSS JOIN scan_nodes n ON n.id = f.id ORDER BY f.score, n.path
-- name: worded_notes
SELECT coalesce(max(id), 0) FROM index_note_text_docsize
-- name: drop_note_text
INSERT INTO index_note_text (index_note_text, rowid, title, body) VALUES ('delete', :id, :title, :body)
-- name: clear_note_texts
INSERT INTO index_note_text (index_note_text) VALUES ('delete-all')
-- name: search_notes
SELECT [= note_columns], [= seen_count]
FROM (SELECT n.number, bm25(index_note_text, 2.0, 1.0) AS score
    FROM index_note_text CROSS JOIN index_notes n ON n.number = index_note_text.rowid
    CROSS JOIN index_facts f ON f.number = n.facts LEFT JOIN index_cleared c ON n.target <> '' AND c.target = n.target
    WHERE index_note_text MATCH :match
        AND (n.expires_at_ms IS NULL OR n.expires_at_ms > :now) AND n.updated_at_ms > coalesce(c.cleared_at_ms, -1) [where]
    ORDER BY score, n.created_at_ms DESC, n.turn_id [limit]) best
CROSS JOIN index_notes n ON n.number = best.number CROSS JOIN index_facts f ON f.number = n.facts
ORDER BY best.score, n.created_at_ms DESC, n.turn_id
-- name: note_frequency
SELECT count(*) FROM (SELECT 1 FROM index_note_text WHERE index_note_text MATCH :match LIMIT :most)
