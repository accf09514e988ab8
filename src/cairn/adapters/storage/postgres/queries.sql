-- What PostgreSQL says its own way: the full-text index is an ordinary table of word vectors.

-- name: last_text_id
SELECT coalesce(max(id), 0) FROM scan_text
-- name: text_counts
SELECT (SELECT count(*) FROM scan_text), (SELECT count(text_id) FROM scan_nodes)
-- name: clear_texts
DELETE FROM scan_text
-- name: put_text
INSERT INTO scan_text (id, words) VALUES (:id,
    setweight(to_tsvector('simple', :name::text), 'A') || setweight(to_tsvector('simple', :title::text), 'B')
    || setweight(to_tsvector('simple', :summary::text), 'C') || setweight(to_tsvector('simple', :body::text), 'D'))
-- name: add_orphan
INSERT INTO state_orphans (path, since_ms, body_hash, frontmatter_hash)
VALUES (:path, :since_ms, :body_hash, :frontmatter_hash)
ON CONFLICT (md5(path)) DO UPDATE SET since_ms = excluded.since_ms, body_hash = excluded.body_hash,
    frontmatter_hash = excluded.frontmatter_hash
-- name: tables
SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename COLLATE "C"
