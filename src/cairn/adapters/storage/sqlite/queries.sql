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
