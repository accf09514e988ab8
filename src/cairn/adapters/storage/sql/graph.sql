-- Queries of those who read the graph, and of analyzers.

-- name: nodes
SELECT n.id, n.path, n.kind, n.provider, n.title, n.description, n.frontmatter, n.body_hash, n.frontmatter_hash,
    n.bytes_frontmatter, n.bytes_body, n.modified_at_ms, n.virtual, n.derived_from, n.external_refs,
    n.links_out, n.links_in, n.tokens_frontmatter, n.tokens_body
FROM scan_nodes n WHERE n.kind IS NOT NULL [focus n.id] [where] ORDER BY [order] [limit]
-- name: count_nodes
SELECT count(*) FROM scan_nodes n WHERE n.kind IS NOT NULL [where]
-- name: tags
SELECT node_id, tag, source FROM scan_node_tags WHERE node_id IN [:ids] ORDER BY node_id, source, tag
-- name: links
SELECT s.path, l.target, l.kind, l.confidence, l.name, l.line, l."offset", l.state, r.path, l.detail
FROM scan_links l JOIN scan_nodes s ON s.id = l.source_id LEFT JOIN scan_nodes r ON r.id = l.resolved_id
WHERE 1 = 1 [focus l.source_id] [where]
ORDER BY s.path, l.line, l."offset", l.kind, l.target
-- name: self_links
WITH loops AS MATERIALIZED (SELECT source_id, seq FROM scan_links WHERE resolved_id = source_id [focus source_id])
SELECT s.path, l.target, l.kind, l.confidence, l.name, l.line, l."offset", l.state, r.path, l.detail
FROM loops p JOIN scan_links l ON l.source_id = p.source_id AND l.seq = p.seq
JOIN scan_nodes s ON s.id = l.source_id JOIN scan_nodes r ON r.id = l.resolved_id
ORDER BY s.path, l.line, l."offset", l.kind, l.target
-- name: mixed_links
WITH pairs AS MATERIALIZED (
    SELECT source_id, resolved_id AS found, '' AS loose FROM scan_links
    WHERE resolved_id IS NOT NULL AND kind <> 'points' [focus source_id]
    GROUP BY resolved_id, source_id HAVING min(kind) <> max(kind)
    UNION ALL SELECT source_id, 0, target FROM scan_links
    WHERE resolved_id IS NULL AND kind <> 'points' [focus source_id]
    GROUP BY source_id, target HAVING min(kind) <> max(kind))
SELECT s.path, l.target, l.kind, l.confidence, l.name, l.line, l."offset", l.state, r.path, l.detail
FROM pairs p JOIN scan_links l ON l.source_id = p.source_id AND coalesce(l.resolved_id, 0) = p.found
    AND (p.found <> 0 OR l.target = p.loose) AND l.kind <> 'points'
JOIN scan_nodes s ON s.id = l.source_id LEFT JOIN scan_nodes r ON r.id = l.resolved_id
ORDER BY s.path, coalesce(r.path, l.target), l.line, l."offset", l.kind, l.target
-- name: repeated_links
WITH pairs AS MATERIALIZED (
    SELECT source_id, resolved_id AS found FROM scan_links WHERE resolved_id IS NOT NULL [focus source_id]
    GROUP BY resolved_id, source_id HAVING sum(seen) > 1)
SELECT s.path, l.target, l.kind, l.confidence, l.name, l.line, l."offset", l.state, r.path, l.detail
FROM pairs p JOIN scan_links l ON l.source_id = p.source_id AND l.resolved_id = p.found
JOIN scan_nodes s ON s.id = l.source_id JOIN scan_nodes r ON r.id = l.resolved_id
ORDER BY s.path, r.path, l.line, l."offset", l.kind, l.target
-- name: issue_counts
SELECT path, sum(CASE severity WHEN 'error' THEN 1 ELSE 0 END), sum(CASE severity WHEN 'warn' THEN 1 ELSE 0 END)
FROM scan_issues WHERE severity <> 'info' GROUP BY path
-- name: issue_counts_at
SELECT path, sum(CASE severity WHEN 'error' THEN 1 ELSE 0 END), sum(CASE severity WHEN 'warn' THEN 1 ELSE 0 END)
FROM scan_issues WHERE severity <> 'info' AND path IN [:paths] GROUP BY path
-- name: issues_naming_others
SELECT path, others, severity FROM scan_issues WHERE others IS NOT NULL AND severity <> 'info'
-- name: rejections
SELECT n.path, j.rejections FROM scan_rejections j JOIN scan_nodes n ON n.id = j.node_id
WHERE n.kind IS NOT NULL [focus n.id] ORDER BY n.path
-- name: shared_names
SELECT m.name, n.path FROM scan_names m JOIN scan_nodes n ON n.id = m.node_id
WHERE m.origin = :origin AND n.kind IS NOT NULL AND m.name IN (
    SELECT o.name FROM scan_names o JOIN scan_nodes p ON p.id = o.node_id
    WHERE o.origin = :origin AND p.kind IS NOT NULL GROUP BY o.name HAVING count(*) > 1)
ORDER BY m.name, n.path
-- name: extractor_facts
SELECT n.path, e.value FROM scan_enrichments e JOIN scan_nodes n ON n.id = e.node_id
WHERE e.extractor = :extractor AND n.kind IS NOT NULL [focus n.id] ORDER BY n.path
-- name: reserved
SELECT path FROM scan_nodes WHERE reserved = 1 AND kind IS NOT NULL
-- name: degrees
WITH loops AS MATERIALIZED (
    SELECT source_id, count(*) AS number FROM scan_links WHERE resolved_id = source_id [focus source_id]
    GROUP BY source_id)
SELECT n.path, n.links_in, n.links_out, coalesce(loops.number, 0)
FROM scan_nodes n LEFT JOIN loops ON loops.source_id = n.id
WHERE n.kind IS NOT NULL AND (n.links_in > 0 OR n.links_out > 0) [focus n.id] ORDER BY n.path
-- name: issues
SELECT analyzer, severity, path, others, line, message, detail, fix, data FROM scan_issues i
WHERE 1 = 1 [where]
ORDER BY CASE severity WHEN 'error' THEN 0 WHEN 'warn' THEN 1 ELSE 2 END, path, line NULLS FIRST, analyzer, message
-- name: contributions
SELECT c.extension, c.key, c.slot, c.payload FROM scan_contributions c JOIN scan_nodes n ON n.id = c.node_id
WHERE n.path = :path ORDER BY c.extension, c.key
-- name: enrichments
SELECT e.extractor, e.value FROM scan_enrichments e JOIN scan_nodes n ON n.id = e.node_id
WHERE n.path = :path ORDER BY e.extractor
-- name: scores
SELECT s.target, s.kind, s.normalized, s.extension, s.op, s.value, s.result
FROM scan_link_scores s JOIN scan_nodes n ON n.id = s.source_id
WHERE n.path = :path ORDER BY s.target, s.kind, s.normalized, s.extension, s.op, s.value
-- name: count_visible
SELECT count(*) FROM scan_nodes WHERE kind IS NOT NULL
-- name: count_documents
SELECT count(*) FROM scan_nodes WHERE kind IS NOT NULL AND virtual = 0
-- name: count_urls
SELECT count(*) FROM scan_nodes WHERE kind IS NOT NULL AND virtual = 1 AND path LIKE 'http%://%'
-- name: count_links
SELECT count(*) FROM scan_links
-- name: count_issues
SELECT severity, count(*) FROM scan_issues GROUP BY severity
-- name: count_kinds
SELECT kind, count(*) FROM scan_nodes WHERE kind IS NOT NULL GROUP BY kind ORDER BY kind
-- name: count_tags
SELECT t.tag, count(*) FROM scan_node_tags t JOIN scan_nodes n ON n.id = t.node_id WHERE n.kind IS NOT NULL
GROUP BY t.tag ORDER BY t.tag
-- name: count_texts
SELECT count(*) FROM scan_nodes WHERE kind IS NOT NULL AND text_id IS NOT NULL
-- name: set_tokens
UPDATE scan_nodes SET tokens_frontmatter = :frontmatter, tokens_body = :body WHERE path = :path
-- name: renames
SELECT id, old, new, confidence, candidates, at_ms FROM state_renames ORDER BY at_ms DESC, new
-- name: orphans
SELECT o.path, o.since_ms, o.body_hash, o.frontmatter_hash,
    (SELECT count(*) FROM state_favorites f WHERE f.path = o.path)
    + (SELECT count(*) FROM state_plugin_values v WHERE v.path = o.path)
FROM state_orphans o ORDER BY o.path
-- name: outlines
SELECT path, size, mtime_ns, inode, outline FROM cache_outlines
-- name: drop_outlines
DELETE FROM cache_outlines WHERE path IN [:paths]
-- name: cached_result
SELECT body FROM cache_results WHERE name = :name AND stamp = :stamp
-- name: drop_result
DELETE FROM cache_results WHERE name = :name
-- name: ledger_offsets
SELECT file, "offset", inode FROM index_ledger_files
-- name: set_ledger_offset
INSERT INTO index_ledger_files (file, "offset", inode) VALUES (:file, :offset, :inode)
ON CONFLICT (file) DO UPDATE SET "offset" = excluded."offset", inode = excluded.inode
-- name: event_names
SELECT name, number FROM index_event_names
-- name: events
SELECT id, type, at_ms, worktree, file, "offset" FROM index_events
WHERE type = :type AND at_ms >= :since AND at_ms < :until ORDER BY at_ms DESC, id DESC [limit]
-- name: event_counts
SELECT type, count(*) FROM index_events WHERE type IN [:types] AND at_ms >= :since AND file IN [:files]
GROUP BY type
-- name: event_begins
SELECT file, min("offset") FROM index_events WHERE type IN [:types] AND at_ms >= :since GROUP BY file
-- name: event_of_file
SELECT 1 FROM index_events WHERE type = :type AND at_ms = :at AND id = :id AND file = :file AND "offset" >= :start AND "offset" < :stop
-- name: schema_versions
SELECT version, name FROM config_schema_versions ORDER BY version
-- name: add_schema_version
INSERT INTO config_schema_versions (version, name, applied_at_ms) VALUES (:version, :name, :applied_at_ms)
