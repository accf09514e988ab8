CREATE TABLE cache_outlines ( path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, inode INTEGER NOT NULL, outline TEXT NOT NULL ) WITHOUT ROWID
CREATE TABLE cache_results ( name TEXT PRIMARY KEY, stamp TEXT NOT NULL, body TEXT NOT NULL ) WITHOUT ROWID
CREATE TABLE cache_vectors ( model TEXT NOT NULL, body_hash BLOB NOT NULL, frontmatter_hash BLOB NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, body_hash, frontmatter_hash) ) WITHOUT ROWID
CREATE TABLE config_schema_versions ( version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at_ms INTEGER NOT NULL )
CREATE TABLE index_alerts ( key TEXT PRIMARY KEY, kind TEXT NOT NULL, source TEXT NOT NULL, severity TEXT NOT NULL, text TEXT NOT NULL, number INTEGER NOT NULL, raised_by BLOB NOT NULL, raised_at_ms INTEGER NOT NULL, resolved_at_ms INTEGER )
CREATE TABLE index_cleared ( target TEXT PRIMARY KEY, cleared_at_ms INTEGER NOT NULL )
CREATE TABLE index_event_names ( number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE )
CREATE TABLE index_events ( type INTEGER NOT NULL, at_ms INTEGER NOT NULL, id BLOB NOT NULL, worktree INTEGER NOT NULL, file INTEGER NOT NULL, "offset" INTEGER NOT NULL, PRIMARY KEY (type, at_ms, id) ) WITHOUT ROWID
CREATE TABLE index_facts ( number INTEGER PRIMARY KEY, worktree TEXT NOT NULL, source TEXT NOT NULL, agent TEXT NOT NULL, channel TEXT NOT NULL, session TEXT NOT NULL, host TEXT NOT NULL, stage TEXT NOT NULL, project TEXT NOT NULL, internal INTEGER NOT NULL, transcript TEXT NOT NULL )
CREATE TABLE index_gap_batches ( id INTEGER PRIMARY KEY, heard TEXT NOT NULL )
CREATE TABLE index_gap_days ( topic TEXT NOT NULL, day INTEGER NOT NULL, signals INTEGER NOT NULL, first_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL, session_low TEXT NOT NULL, session_high TEXT NOT NULL, PRIMARY KEY (topic, day) ) WITHOUT ROWID
CREATE TABLE index_gap_excerpts ( topic TEXT NOT NULL, excerpt TEXT NOT NULL, at_ms INTEGER NOT NULL, PRIMARY KEY (topic, excerpt) ) WITHOUT ROWID
CREATE TABLE index_gap_names ( kind TEXT NOT NULL, who TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (kind, who) ) WITHOUT ROWID
CREATE TABLE index_gap_voices ( kind TEXT PRIMARY KEY, heard TEXT NOT NULL )
CREATE TABLE index_ledger_files ( file TEXT PRIMARY KEY, "offset" INTEGER NOT NULL, inode INTEGER NOT NULL )
CREATE VIRTUAL TABLE index_note_text USING fts5 (title, body, content = '', tokenize = 'porter unicode61 remove_diacritics 2')
CREATE TABLE 'index_note_text_config'(k PRIMARY KEY, v) WITHOUT ROWID
CREATE TABLE 'index_note_text_data'(id INTEGER PRIMARY KEY, block BLOB)
CREATE TABLE 'index_note_text_docsize'(id INTEGER PRIMARY KEY, sz BLOB)
CREATE TABLE 'index_note_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID
CREATE TABLE index_notes ( number INTEGER PRIMARY KEY, id INTEGER NOT NULL, facts INTEGER NOT NULL, created_at_ms INTEGER NOT NULL, updated_at_ms INTEGER NOT NULL, expires_at_ms INTEGER, turn_number INTEGER, revision INTEGER NOT NULL, score INTEGER NOT NULL, low INTEGER NOT NULL, title_size INTEGER, turn_id TEXT NOT NULL, said_by BLOB NOT NULL, title TEXT NOT NULL, summary TEXT NOT NULL, decision TEXT NOT NULL, evidence TEXT NOT NULL, tags TEXT NOT NULL, type TEXT NOT NULL, context TEXT NOT NULL, target TEXT NOT NULL, occurred_at TEXT NOT NULL, gist TEXT NOT NULL, taint TEXT NOT NULL )
CREATE TABLE index_readings ( path TEXT NOT NULL, day INTEGER NOT NULL, reader TEXT NOT NULL, at_ms INTEGER NOT NULL, PRIMARY KEY (path, day, reader) ) WITHOUT ROWID
CREATE TABLE index_trust_artefacts ( artefact TEXT PRIMARY KEY, kind TEXT NOT NULL, status TEXT NOT NULL, version TEXT NOT NULL, rev INTEGER NOT NULL, anchor TEXT NOT NULL, cohort INTEGER NOT NULL, founding TEXT NOT NULL, content TEXT NOT NULL, revision TEXT NOT NULL, snapshot TEXT NOT NULL, seen_status TEXT NOT NULL, since_ms INTEGER NOT NULL, submitter INTEGER NOT NULL, hold INTEGER NOT NULL, good_rev INTEGER NOT NULL, good_status TEXT NOT NULL, good_content TEXT NOT NULL, good_revision TEXT NOT NULL, good_snapshot TEXT NOT NULL, patches TEXT NOT NULL, landed INTEGER NOT NULL, transition TEXT NOT NULL, by_whom TEXT NOT NULL, at_ms INTEGER NOT NULL, id BLOB NOT NULL )
CREATE TABLE index_trust_ballots ( cohort INTEGER NOT NULL, voter INTEGER NOT NULL, source INTEGER NOT NULL, verdict INTEGER NOT NULL, at_ms INTEGER NOT NULL, id BLOB NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (cohort, voter) ) WITHOUT ROWID
CREATE TABLE index_trust_dirty ( cohort INTEGER PRIMARY KEY )
CREATE TABLE index_trust_rejected ( artefact TEXT NOT NULL, content TEXT NOT NULL, at_ms INTEGER NOT NULL, rejected INTEGER NOT NULL, PRIMARY KEY (artefact, content) ) WITHOUT ROWID
CREATE TABLE index_trust_strikes ( voter INTEGER NOT NULL, artefact TEXT NOT NULL, rev INTEGER NOT NULL, PRIMARY KEY (voter, artefact, rev) ) WITHOUT ROWID
CREATE TABLE index_trust_tallies ( cohort INTEGER PRIMARY KEY, confirm_person INTEGER NOT NULL, confirm_agent INTEGER NOT NULL, confirm_merge INTEGER NOT NULL, confirm_check INTEGER NOT NULL, confirm_use INTEGER NOT NULL, confirm_probe INTEGER NOT NULL, reject_person INTEGER NOT NULL, reject_agent INTEGER NOT NULL, reject_merge INTEGER NOT NULL, reject_check INTEGER NOT NULL, reject_use INTEGER NOT NULL, reject_probe INTEGER NOT NULL, flags INTEGER NOT NULL, last_confirm_ms INTEGER NOT NULL )
CREATE TABLE index_turns ( id INTEGER NOT NULL, facts INTEGER NOT NULL, start INTEGER, stop INTEGER, eligible_at_ms INTEGER, ended_at_ms INTEGER, turn_number INTEGER, tool_errors INTEGER NOT NULL, attempts INTEGER NOT NULL, turn_id TEXT NOT NULL, told_by BLOB NOT NULL, message_id TEXT NOT NULL, hash TEXT NOT NULL, tools TEXT NOT NULL, ended_by BLOB NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL, fingerprint TEXT NOT NULL, duplicate_of TEXT NOT NULL, tried_by BLOB NOT NULL, error TEXT NOT NULL )
CREATE TABLE scan_aside ( path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, inode INTEGER NOT NULL, rule TEXT NOT NULL ) WITHOUT ROWID
CREATE TABLE scan_contributions ( node_id INTEGER NOT NULL, extension TEXT NOT NULL, key TEXT NOT NULL, slot TEXT NOT NULL, payload TEXT NOT NULL, PRIMARY KEY (node_id, extension, key) ) WITHOUT ROWID
CREATE TABLE scan_emitters ( id INTEGER PRIMARY KEY, extractor TEXT NOT NULL, kind TEXT NOT NULL, UNIQUE (extractor, kind) )
CREATE TABLE scan_enrichments ( node_id INTEGER NOT NULL, extractor TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (node_id, extractor) ) WITHOUT ROWID
CREATE TABLE scan_extractor_sets ( id INTEGER PRIMARY KEY, extractors TEXT NOT NULL UNIQUE )
CREATE TABLE scan_issues ( id INTEGER PRIMARY KEY, extension TEXT NOT NULL, analyzer TEXT NOT NULL, severity TEXT NOT NULL, path TEXT NOT NULL, others TEXT, line INTEGER, message TEXT NOT NULL, detail TEXT, fix TEXT, data TEXT )
CREATE TABLE scan_link_scores ( source_id INTEGER NOT NULL, target TEXT NOT NULL, kind TEXT NOT NULL, normalized TEXT NOT NULL, extension TEXT NOT NULL, op TEXT NOT NULL, value REAL NOT NULL, result REAL NOT NULL )
CREATE TABLE scan_links ( source_id INTEGER NOT NULL, seq INTEGER NOT NULL, target TEXT NOT NULL, kind TEXT NOT NULL, resolved_id INTEGER, state TEXT NOT NULL, confidence REAL NOT NULL, name TEXT, line INTEGER NOT NULL, "offset" INTEGER NOT NULL, seen INTEGER NOT NULL, detail TEXT NOT NULL, PRIMARY KEY (source_id, seq) ) WITHOUT ROWID
CREATE TABLE scan_meta ( key TEXT PRIMARY KEY, value TEXT NOT NULL ) WITHOUT ROWID
CREATE TABLE scan_names ( name TEXT NOT NULL, node_id INTEGER NOT NULL, origin TEXT NOT NULL, PRIMARY KEY (name, node_id) ) WITHOUT ROWID
CREATE TABLE scan_node_tags ( node_id INTEGER NOT NULL, tag TEXT NOT NULL, source TEXT NOT NULL, PRIMARY KEY (node_id, tag) ) WITHOUT ROWID
CREATE TABLE scan_nodes ( id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, kind TEXT, provider TEXT, claims TEXT NOT NULL, title TEXT NOT NULL, description TEXT NOT NULL, frontmatter TEXT NOT NULL, body_hash BLOB NOT NULL, frontmatter_hash BLOB NOT NULL, bytes_frontmatter INTEGER NOT NULL, bytes_body INTEGER NOT NULL, modified_at_ms INTEGER, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, inode INTEGER NOT NULL, reserved INTEGER NOT NULL, virtual INTEGER NOT NULL, derived_from TEXT, external_refs TEXT, external_refs_count INTEGER NOT NULL, extractors INTEGER NOT NULL, text_id INTEGER, links_out INTEGER NOT NULL DEFAULT 0, links_in INTEGER NOT NULL DEFAULT 0, tokens_frontmatter INTEGER, tokens_body INTEGER )
CREATE TABLE scan_rejections ( node_id INTEGER PRIMARY KEY, rejections TEXT NOT NULL )
CREATE TABLE scan_signals ( node_id INTEGER PRIMARY KEY, signals TEXT NOT NULL )
CREATE VIRTUAL TABLE scan_text USING fts5 (name, title, summary, body, content = '', tokenize = 'porter unicode61 remove_diacritics 2')
CREATE TABLE 'scan_text_config'(k PRIMARY KEY, v) WITHOUT ROWID
CREATE TABLE 'scan_text_data'(id INTEGER PRIMARY KEY, block BLOB)
CREATE TABLE 'scan_text_docsize'(id INTEGER PRIMARY KEY, sz BLOB)
CREATE TABLE 'scan_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID
CREATE TABLE scan_virtuals ( node_id INTEGER NOT NULL, path TEXT NOT NULL, kind TEXT NOT NULL, provider TEXT NOT NULL, title TEXT NOT NULL, PRIMARY KEY (node_id, path) ) WITHOUT ROWID
CREATE TABLE state_attempts ( key TEXT PRIMARY KEY, path TEXT NOT NULL, failures INTEGER NOT NULL, cause TEXT NOT NULL, reason TEXT NOT NULL, at_ms INTEGER NOT NULL, next_try_ms INTEGER NOT NULL )
CREATE TABLE state_audits ( key TEXT PRIMARY KEY, path TEXT NOT NULL, day TEXT NOT NULL, at_ms INTEGER NOT NULL, verdict TEXT NOT NULL )
CREATE TABLE state_executions ( id TEXT PRIMARY KEY, kind TEXT NOT NULL, extension_id TEXT NOT NULL, extension_version TEXT NOT NULL, node_id TEXT NOT NULL, content_hash TEXT, status TEXT NOT NULL CHECK (status IN ('completed', 'failed', 'cancelled')), failure_reason TEXT, message TEXT, exit_code INTEGER, runner TEXT, model TEXT, started_at_ms INTEGER NOT NULL, finished_at_ms INTEGER NOT NULL, duration_ms INTEGER, tokens_in INTEGER, tokens_out INTEGER, report_json TEXT, job_id TEXT , question_hash TEXT, kept_json TEXT)
CREATE TABLE state_favorites ( path TEXT PRIMARY KEY, favorited_at_ms INTEGER NOT NULL )
CREATE TABLE state_findings ( id TEXT PRIMARY KEY, lens TEXT NOT NULL, severity TEXT NOT NULL, report TEXT NOT NULL, first_seen_ms INTEGER NOT NULL, last_seen_ms INTEGER NOT NULL, detail TEXT NOT NULL )
CREATE TABLE state_job_contents ( content_hash TEXT PRIMARY KEY, content TEXT NOT NULL, created_at_ms INTEGER NOT NULL )
CREATE TABLE state_jobs ( id TEXT PRIMARY KEY, action_id TEXT NOT NULL, action_version TEXT NOT NULL, node_id TEXT NOT NULL, question_hash TEXT NOT NULL, content_hash TEXT NOT NULL, nonce TEXT NOT NULL, priority INTEGER NOT NULL, status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')), failure_reason TEXT, runner TEXT, run_id TEXT, ttl_seconds INTEGER NOT NULL, attempt INTEGER NOT NULL, forced INTEGER NOT NULL, created_at_ms INTEGER NOT NULL, claimed_at_ms INTEGER, finished_at_ms INTEGER, expires_at_ms INTEGER, submitted_by TEXT , input_hash TEXT, retry_of TEXT, taint INTEGER NOT NULL DEFAULT 1, tokens INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID
CREATE TABLE state_links ( key TEXT PRIMARY KEY, url TEXT NOT NULL, ok INTEGER NOT NULL, status INTEGER, cause TEXT, reason TEXT, checked_at_ms INTEGER NOT NULL, failures INTEGER NOT NULL )
CREATE TABLE state_orphans ( path TEXT PRIMARY KEY, since_ms INTEGER NOT NULL, body_hash BLOB NOT NULL, frontmatter_hash BLOB NOT NULL )
CREATE TABLE state_plugin_values ( plugin TEXT NOT NULL, path TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, updated_at_ms INTEGER NOT NULL, PRIMARY KEY (plugin, path, key) )
CREATE TABLE state_renames ( id TEXT PRIMARY KEY, old TEXT NOT NULL, new TEXT NOT NULL, confidence TEXT NOT NULL, candidates TEXT NOT NULL, at_ms INTEGER NOT NULL )
CREATE TABLE state_source_texts ( key TEXT PRIMARY KEY, url TEXT NOT NULL, anchor TEXT NOT NULL, canon INTEGER NOT NULL, hash TEXT NOT NULL, raw TEXT NOT NULL, snapshot TEXT NOT NULL, seen_at_ms INTEGER NOT NULL )
CREATE TABLE state_sources ( key TEXT PRIMARY KEY, url TEXT NOT NULL, anchor TEXT NOT NULL, canon INTEGER NOT NULL, hash TEXT, raw TEXT, snapshot TEXT, etag TEXT, modified TEXT, seen_at_ms INTEGER, changed_at_ms INTEGER, pending_hash TEXT, pending_snapshot TEXT, pending_at_ms INTEGER, looks INTEGER NOT NULL, flips INTEGER NOT NULL, failures INTEGER NOT NULL, cause TEXT, reason TEXT, failed_at_ms INTEGER, next_try_ms INTEGER, shown_snapshot TEXT, shown_at_ms INTEGER )
CREATE INDEX index_facts_by_session ON index_facts (session)
CREATE INDEX index_notes_by_gist ON index_notes (gist)
CREATE UNIQUE INDEX index_notes_by_id ON index_notes (id)
CREATE INDEX index_notes_by_time ON index_notes (created_at_ms)
CREATE INDEX index_trust_artefacts_by_cohort ON index_trust_artefacts (cohort, status, kind, since_ms, hold)
CREATE INDEX index_trust_ballots_by_voter ON index_trust_ballots (voter, at_ms)
CREATE INDEX index_turns_by_facts ON index_turns (facts)
CREATE UNIQUE INDEX index_turns_by_id ON index_turns (id)
CREATE INDEX index_turns_by_original ON index_turns (duplicate_of) WHERE duplicate_of <> ''
CREATE INDEX index_turns_by_time ON index_turns (coalesce(eligible_at_ms, ended_at_ms, 0))
CREATE INDEX index_turns_open ON index_turns (eligible_at_ms) WHERE outcome = ''
CREATE INDEX scan_issues_by_extension ON scan_issues (extension)
CREATE INDEX scan_issues_by_path ON scan_issues (path)
CREATE INDEX scan_link_scores_by_source ON scan_link_scores (source_id)
CREATE INDEX scan_links_by_name ON scan_links (name) WHERE name IS NOT NULL
CREATE INDEX scan_links_by_resolved ON scan_links (resolved_id, source_id, kind, seen)
CREATE INDEX scan_links_loose ON scan_links (target) WHERE resolved_id IS NULL
CREATE INDEX scan_names_by_node ON scan_names (node_id)
CREATE INDEX scan_node_tags_by_tag ON scan_node_tags (tag)
CREATE INDEX scan_nodes_by_text ON scan_nodes (text_id) WHERE kind IS NOT NULL
CREATE INDEX state_executions_by_node ON state_executions (node_id)
CREATE INDEX state_executions_by_question ON state_executions (question_hash, finished_at_ms)
CREATE INDEX state_executions_by_time ON state_executions (finished_at_ms)
CREATE INDEX state_jobs_by_content ON state_jobs (content_hash)
CREATE INDEX state_jobs_by_input ON state_jobs (input_hash)
CREATE INDEX state_jobs_by_node ON state_jobs (node_id)
CREATE UNIQUE INDEX state_jobs_live ON state_jobs (question_hash, node_id, action_id, action_version) WHERE status IN ('queued', 'running') AND forced = 0
CREATE INDEX state_jobs_queue ON state_jobs (priority DESC, created_at_ms, id) WHERE status = 'queued'
CREATE INDEX state_jobs_running ON state_jobs (expires_at_ms) WHERE status = 'running'
