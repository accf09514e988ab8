-- Vectors of pages, by what the pages say.

-- name: pages_without_vector
SELECT n.path, n.title, n.description, n.body_hash, n.frontmatter_hash FROM scan_nodes n
WHERE n.kind IS NOT NULL AND n.text_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM cache_vectors v
    WHERE v.model = :model AND v.body_hash = n.body_hash AND v.frontmatter_hash = n.frontmatter_hash)
ORDER BY n.path LIMIT :limit
-- name: count_pages_without_vector
SELECT count(*) FROM scan_nodes n
WHERE n.kind IS NOT NULL AND n.text_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM cache_vectors v
    WHERE v.model = :model AND v.body_hash = n.body_hash AND v.frontmatter_hash = n.frontmatter_hash)
-- name: vectors
SELECT n.path, v.vector FROM scan_nodes n
JOIN cache_vectors v ON v.model = :model AND v.body_hash = n.body_hash AND v.frontmatter_hash = n.frontmatter_hash
WHERE n.kind IS NOT NULL AND n.text_id IS NOT NULL LIMIT :limit
-- name: drop_vectors
DELETE FROM cache_vectors WHERE model <> :model OR body_hash NOT IN (SELECT body_hash FROM scan_nodes)
-- name: texts_at
SELECT n.path, n.kind, n.provider, n.title, n.description, n.frontmatter, 0.0
FROM scan_nodes n WHERE n.path IN [:at] AND n.kind IS NOT NULL [where] ORDER BY n.path
