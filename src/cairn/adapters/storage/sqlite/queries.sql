-- What only SQLite says this way: its full-text index has shadow tables and commands of its own.

-- name: last_text_id
SELECT coalesce(max(id), 0) FROM scan_text_docsize
-- name: text_counts
SELECT (SELECT count(*) FROM scan_text_docsize), (SELECT count(text_id) FROM scan_nodes)
-- name: clear_texts
INSERT INTO scan_text (scan_text) VALUES ('delete-all')
