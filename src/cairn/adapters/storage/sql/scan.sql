-- Queries of a scan. `IN [:ids]` takes a list; `[focus COLUMN]` becomes a condition when only some nodes are in focus.

-- name: meta
SELECT key, value FROM scan_meta
-- name: facts
SELECT path, size, mtime_ns, inode FROM scan_nodes WHERE virtual = 0
UNION ALL SELECT path, size, mtime_ns, inode FROM scan_aside
-- name: ids
SELECT path, id FROM scan_nodes WHERE path IN [:paths]
-- name: paths
SELECT path FROM scan_nodes WHERE id IN [:ids]
-- name: living
SELECT id FROM scan_nodes WHERE id IN [:ids]
-- name: last_id
SELECT coalesce(max(id), 0) FROM scan_nodes
-- name: gone
SELECT path, body_hash, frontmatter_hash FROM scan_nodes WHERE path IN [:paths] AND virtual = 0
-- name: stored
SELECT n.id, n.path, n.kind, n.provider, s.signals
FROM scan_nodes n JOIN scan_signals s ON s.node_id = n.id WHERE n.id IN [:ids] ORDER BY n.id
-- name: stored_all
SELECT n.id, n.path, n.kind, n.provider, s.signals
FROM scan_signals s JOIN scan_nodes n ON n.id = s.node_id ORDER BY s.node_id
-- name: rows
SELECT id, path, kind, provider, claims, title, description, frontmatter, body_hash, frontmatter_hash,
    bytes_frontmatter, bytes_body, modified_at_ms, size, mtime_ns, inode, reserved, virtual, derived_from,
    external_refs, external_refs_count, extractors, text_id
FROM scan_nodes WHERE id IN [:ids]
-- name: rows_all
SELECT id, path, kind, provider, claims, title, description, frontmatter, body_hash, frontmatter_hash,
    bytes_frontmatter, bytes_body, modified_at_ms, size, mtime_ns, inode, reserved, virtual, derived_from,
    external_refs, external_refs_count, extractors, text_id
FROM scan_nodes ORDER BY id
-- name: rows_virtual
SELECT id, path, kind, provider, claims, title, description, frontmatter, body_hash, frontmatter_hash,
    bytes_frontmatter, bytes_body, modified_at_ms, size, mtime_ns, inode, reserved, virtual, derived_from,
    external_refs, external_refs_count, extractors, text_id
FROM scan_nodes WHERE virtual = 1 ORDER BY path
-- name: targets
SELECT id, path, kind, provider, reserved FROM scan_nodes WHERE kind IS NOT NULL AND path IN [:paths]
-- name: targets_all
SELECT id, path, kind, provider, reserved FROM scan_nodes WHERE kind IS NOT NULL
-- name: named
SELECT m.name, n.id, n.path, n.kind, n.provider, n.reserved
FROM scan_names m JOIN scan_nodes n ON n.id = m.node_id
WHERE n.kind IS NOT NULL AND m.name IN [:names] ORDER BY n.path
-- name: named_all
SELECT m.name, n.id, n.path, n.kind, n.provider, n.reserved
FROM scan_nodes n JOIN scan_names m ON n.id = m.node_id
WHERE n.kind IS NOT NULL ORDER BY n.path
-- name: names_by_node
SELECT node_id, name FROM scan_names WHERE node_id IN [:ids]
-- name: linkers_by_path
SELECT DISTINCT source_id FROM scan_links
WHERE resolved_id IS NULL AND target IN [:paths]
-- name: linkers_by_resolved
SELECT DISTINCT l.source_id FROM scan_links l JOIN scan_nodes n ON n.id = l.resolved_id WHERE n.path IN [:paths]
-- name: linkers_by_name
SELECT DISTINCT source_id FROM scan_links WHERE name IS NOT NULL AND name IN [:names]
-- name: loose_targets
SELECT DISTINCT target, name, state FROM scan_links
WHERE resolved_id IS NULL AND state <> 'outside' AND (name IS NULL OR name LIKE '=%')
-- name: neighbours
SELECT source_id FROM scan_links WHERE resolved_id IN [:ids]
UNION SELECT resolved_id FROM scan_links WHERE source_id IN [:ids] AND resolved_id IS NOT NULL
-- name: resolved_from
SELECT DISTINCT resolved_id FROM scan_links WHERE source_id IN [:ids] AND resolved_id IS NOT NULL
-- name: virtuals
SELECT v.path, v.kind, v.provider, v.title, n.path
FROM scan_virtuals v JOIN scan_nodes n ON n.id = v.node_id WHERE n.kind IS NOT NULL ORDER BY v.path, n.path
-- name: extractor_sets
SELECT id, extractors FROM scan_extractor_sets ORDER BY id
-- name: add_extractor_set
INSERT INTO scan_extractor_sets (id, extractors) VALUES (:id, :extractors)
-- name: emitters
SELECT id, extractor, kind FROM scan_emitters
-- name: nodes_with_set
SELECT id, path, claims FROM scan_nodes WHERE extractors = :set_id AND virtual = 0 ORDER BY id
-- name: set_extractors
UPDATE scan_nodes SET extractors = :set_id WHERE id = :id
-- name: set_signals
UPDATE scan_signals SET signals = :signals WHERE node_id = :id
-- name: drop_contributions_of
DELETE FROM scan_contributions WHERE node_id = :id AND extension IN [:extensions]
-- name: drop_enrichments_of
DELETE FROM scan_enrichments WHERE node_id = :id AND extractor IN [:extensions]
-- name: set_claims
UPDATE scan_nodes SET claims = :claims WHERE id = :id
-- name: set_appearance
UPDATE scan_nodes SET kind = :kind, provider = :provider, reserved = :reserved WHERE id = :id
-- name: touch
UPDATE scan_nodes SET size = :size, mtime_ns = :mtime_ns, inode = :inode, modified_at_ms = :modified_at_ms
WHERE path = :path
-- name: set_external_refs
UPDATE scan_nodes SET external_refs = :refs, external_refs_count = :count WHERE id = :id
-- name: aside
SELECT path, rule FROM scan_aside
-- name: drop_aside
DELETE FROM scan_aside WHERE path IN [:paths]
-- name: drop_aside_issues
DELETE FROM scan_issues WHERE extension = 'kernel' AND analyzer IN ('file-oversized', 'file-binary')
    AND path IN [:paths]
-- name: drop_nodes
DELETE FROM scan_nodes WHERE id IN [:ids]
-- name: loosen
UPDATE scan_links SET resolved_id = NULL, state = 'broken' WHERE resolved_id IN [:ids]
-- name: drop_issues_everywhere
DELETE FROM scan_issues WHERE (extension = 'kernel' AND analyzer IN [:rules]) OR extension IN [:rules]
-- name: drop_issues_at
DELETE FROM scan_issues WHERE path IN [:paths]
    AND ((extension = 'kernel' AND analyzer IN [:rules]) OR extension IN [:rules])
-- name: drop_kernel_issues_of
DELETE FROM scan_issues WHERE extension = 'kernel' AND path IN (SELECT path FROM scan_nodes WHERE id IN [:ids])
-- name: drop_issues_of_nodes
DELETE FROM scan_issues WHERE path IN (SELECT path FROM scan_nodes WHERE id IN [:ids])
-- name: move_favorites
UPDATE state_favorites SET path = :new
WHERE path = :old AND NOT EXISTS (SELECT 1 FROM state_favorites f WHERE f.path = :new)
-- name: drop_plugin_value
DELETE FROM state_plugin_values WHERE plugin = :plugin AND path = :path AND key = :key
-- name: move_plugin_values
UPDATE state_plugin_values SET path = :new
WHERE path = :old AND NOT EXISTS (
    SELECT 1 FROM state_plugin_values v
    WHERE v.path = :new AND v.plugin = state_plugin_values.plugin AND v.key = state_plugin_values.key)
-- name: move_attempts
UPDATE state_attempts SET path = :new, key = :key
WHERE path = :old AND NOT EXISTS (SELECT 1 FROM state_attempts a WHERE a.path = :new)
-- name: issue_analyzers
SELECT DISTINCT extension FROM scan_issues WHERE extension <> 'kernel'
-- name: set_severity
UPDATE scan_issues SET severity = :severity WHERE extension = 'kernel' AND analyzer IN [:rules]
-- name: issues_of
SELECT id, extension, analyzer, severity, path, others, line, message, detail, fix, data
FROM scan_issues WHERE extension = :extension
-- name: issues_of_at
SELECT id, extension, analyzer, severity, path, others, line, message, detail, fix, data
FROM scan_issues WHERE extension = :extension AND path IN [:paths]
-- name: drop_issues_by_id
DELETE FROM scan_issues WHERE id IN [:ids]
-- name: contributions_of
SELECT node_id, extension, key, slot, payload FROM scan_contributions WHERE extension = :extension [focus node_id]
-- name: drop_contribution
DELETE FROM scan_contributions WHERE node_id = :node_id AND extension = :extension AND key = :key
-- name: contributing
SELECT DISTINCT extension FROM scan_contributions
-- name: drop_contributions_from
DELETE FROM scan_contributions WHERE extension IN [:extensions]
-- name: drop_scores
DELETE FROM scan_link_scores WHERE 1 = 1 [focus source_id]
-- name: plain_confidence
UPDATE scan_links SET confidence = 1.0 WHERE confidence <> 1.0 [focus source_id]
-- name: link_places
SELECT source_id, target, kind, seq FROM scan_links WHERE source_id IN [:ids]
-- name: set_confidence
UPDATE scan_links SET confidence = :result WHERE source_id = :source_id AND seq = :seq
-- name: count_links_of
UPDATE scan_nodes SET links_out = counted.links_out, links_in = counted.links_in
FROM (
    SELECT id, sum(links_out) AS links_out, sum(links_in) AS links_in
    FROM (
        SELECT source_id AS id, count(*) AS links_out, 0 AS links_in
        FROM scan_links WHERE 1 = 1 [focus source_id] GROUP BY source_id
        UNION ALL SELECT resolved_id, 0, count(*)
        FROM scan_links WHERE resolved_id IS NOT NULL [focus resolved_id] GROUP BY resolved_id
        UNION ALL SELECT id, 0, 0 FROM scan_nodes WHERE links_in + links_out > 0 [focus id]
    ) ends GROUP BY id
) counted
WHERE scan_nodes.id = counted.id
    AND (scan_nodes.links_out <> counted.links_out OR scan_nodes.links_in <> counted.links_in)
-- name: drop_renames
DELETE FROM state_renames WHERE id = :id
-- name: add_rename
INSERT INTO state_renames (id, old, new, confidence, candidates, at_ms)
VALUES (:id, :old, :new, :confidence, :candidates, :at_ms)
-- name: add_orphan
INSERT INTO state_orphans (path, since_ms, body_hash, frontmatter_hash)
VALUES (:path, :since_ms, :body_hash, :frontmatter_hash)
ON CONFLICT (path) DO UPDATE SET since_ms = excluded.since_ms, body_hash = excluded.body_hash,
    frontmatter_hash = excluded.frontmatter_hash
-- name: drop_orphans
DELETE FROM state_orphans WHERE path IN [:paths]
-- name: put_meta
INSERT INTO scan_meta (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value
