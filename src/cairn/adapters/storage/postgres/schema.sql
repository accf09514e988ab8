cache_outlines path text C True
cache_outlines size bigint True
cache_outlines mtime_ns bigint True
cache_outlines inode bigint True
cache_outlines outline text C True
cache_results name text C True
cache_results stamp text C True
cache_results body text C True
cache_vectors model text C True
cache_vectors body_hash bytea True
cache_vectors frontmatter_hash bytea True
cache_vectors vector bytea True
config_schema_versions version bigint True
config_schema_versions name text C True
config_schema_versions applied_at_ms bigint True
index_alerts key text C True
index_alerts kind text C True
index_alerts source text C True
index_alerts severity text C True
index_alerts text text C True
index_alerts number bigint True
index_alerts raised_by bytea True
index_alerts raised_at_ms bigint True
index_alerts resolved_at_ms bigint False
index_cleared target text C True
index_cleared cleared_at_ms bigint True
index_event_names number integer True
index_event_names name text C True
index_events at_ms bigint True
index_events offset bigint True
index_events type integer True
index_events worktree integer True
index_events file integer True
index_events id bytea True
index_facts number bigint True
index_facts worktree text C True
index_facts source text C True
index_facts agent text C True
index_facts channel text C True
index_facts session text C True
index_facts host text C True
index_facts stage text C True
index_facts project text C True
index_facts internal bigint True
index_facts transcript text C True
index_gap_batches id bigint True d
index_gap_batches heard text C True
index_gap_days topic text C True
index_gap_days day bigint True
index_gap_days signals bigint True
index_gap_days first_ms bigint True
index_gap_days last_ms bigint True
index_gap_days session_low text C True
index_gap_days session_high text C True
index_gap_excerpts topic text C True
index_gap_excerpts excerpt text C True
index_gap_excerpts at_ms bigint True
index_gap_names kind text C True
index_gap_names who text C True
index_gap_names number bigint True
index_gap_voices kind text C True
index_gap_voices heard text C True
index_ledger_files file text C True
index_ledger_files offset bigint True
index_ledger_files inode bigint True
index_note_text id bigint True
index_note_text words tsvector True
index_notes number bigint True
index_notes id bigint True
index_notes facts bigint True
index_notes created_at_ms bigint True
index_notes updated_at_ms bigint True
index_notes expires_at_ms bigint False
index_notes turn_number integer False
index_notes revision integer True
index_notes score smallint True
index_notes low smallint True
index_notes title_size smallint False
index_notes turn_id text C True
index_notes said_by bytea True
index_notes title text C True
index_notes summary text C True
index_notes decision text C True
index_notes evidence text C True
index_notes tags text C True
index_notes type text C True
index_notes context text C True
index_notes target text C True
index_notes occurred_at text C True
index_notes gist text C True
index_notes taint text C True
index_readings path text C True
index_readings day integer True
index_readings reader text C True
index_readings at_ms bigint True
index_trust_artefacts artefact text C True
index_trust_artefacts kind text C True
index_trust_artefacts status text C True
index_trust_artefacts version text C True
index_trust_artefacts rev bigint True
index_trust_artefacts anchor text C True
index_trust_artefacts cohort bigint True
index_trust_artefacts founding text C True
index_trust_artefacts content text C True
index_trust_artefacts revision text C True
index_trust_artefacts snapshot text C True
index_trust_artefacts seen_status text C True
index_trust_artefacts since_ms bigint True
index_trust_artefacts submitter bigint True
index_trust_artefacts hold bigint True
index_trust_artefacts good_rev bigint True
index_trust_artefacts good_status text C True
index_trust_artefacts good_content text C True
index_trust_artefacts good_revision text C True
index_trust_artefacts good_snapshot text C True
index_trust_artefacts patches text C True
index_trust_artefacts landed bigint True
index_trust_artefacts transition text C True
index_trust_artefacts by_whom text C True
index_trust_artefacts at_ms bigint True
index_trust_artefacts id bytea True
index_trust_ballots cohort bigint True
index_trust_ballots voter bigint True
index_trust_ballots source bigint True
index_trust_ballots verdict bigint True
index_trust_ballots at_ms bigint True
index_trust_ballots id bytea True
index_trust_ballots reason text C True
index_trust_dirty cohort bigint True
index_trust_rejected artefact text C True
index_trust_rejected content text C True
index_trust_rejected at_ms bigint True
index_trust_rejected rejected bigint True
index_trust_strikes voter bigint True
index_trust_strikes artefact text C True
index_trust_strikes rev bigint True
index_trust_tallies cohort bigint True
index_trust_tallies confirm_person bigint True
index_trust_tallies confirm_agent bigint True
index_trust_tallies confirm_merge bigint True
index_trust_tallies confirm_check bigint True
index_trust_tallies confirm_use bigint True
index_trust_tallies confirm_probe bigint True
index_trust_tallies reject_person bigint True
index_trust_tallies reject_agent bigint True
index_trust_tallies reject_merge bigint True
index_trust_tallies reject_check bigint True
index_trust_tallies reject_use bigint True
index_trust_tallies reject_probe bigint True
index_trust_tallies flags bigint True
index_trust_tallies last_confirm_ms bigint True
index_turns id bigint True
index_turns facts bigint True
index_turns start bigint False
index_turns stop bigint False
index_turns eligible_at_ms bigint False
index_turns ended_at_ms bigint False
index_turns turn_number integer False
index_turns tool_errors integer True
index_turns attempts integer True
index_turns turn_id text C True
index_turns told_by bytea True
index_turns message_id text C True
index_turns hash text C True
index_turns tools text C True
index_turns ended_by bytea True
index_turns outcome text C True
index_turns reason text C True
index_turns fingerprint text C True
index_turns duplicate_of text C True
index_turns tried_by bytea True
index_turns error text C True
scan_aside path text C True
scan_aside size bigint True
scan_aside mtime_ns bigint True
scan_aside inode bigint True
scan_aside rule text C True
scan_contributions node_id bigint True
scan_contributions extension text C True
scan_contributions key text C True
scan_contributions slot text C True
scan_contributions payload text C True
scan_emitters id bigint True
scan_emitters extractor text C True
scan_emitters kind text C True
scan_enrichments node_id bigint True
scan_enrichments extractor text C True
scan_enrichments value text C True
scan_extractor_sets id bigint True
scan_extractor_sets extractors text C True
scan_issues id bigint True d
scan_issues extension text C True
scan_issues analyzer text C True
scan_issues severity text C True
scan_issues path text C True
scan_issues others text C False
scan_issues line bigint False
scan_issues message text C True
scan_issues detail text C False
scan_issues fix text C False
scan_issues data text C False
scan_link_scores source_id bigint True
scan_link_scores target text C True
scan_link_scores kind text C True
scan_link_scores normalized text C True
scan_link_scores extension text C True
scan_link_scores op text C True
scan_link_scores value double precision True
scan_link_scores result double precision True
scan_links source_id bigint True
scan_links seq bigint True
scan_links target text C True
scan_links kind text C True
scan_links resolved_id bigint False
scan_links state text C True
scan_links confidence double precision True
scan_links name text C False
scan_links line bigint True
scan_links offset bigint True
scan_links seen bigint True
scan_links detail text C True
scan_meta key text C True
scan_meta value text C True
scan_names name text C True
scan_names node_id bigint True
scan_names origin text C True
scan_node_tags node_id bigint True
scan_node_tags tag text C True
scan_node_tags source text C True
scan_nodes id bigint True
scan_nodes path text C True
scan_nodes kind text C False
scan_nodes provider text C False
scan_nodes claims text C True
scan_nodes title text C True
scan_nodes description text C True
scan_nodes frontmatter text C True
scan_nodes body_hash bytea True
scan_nodes frontmatter_hash bytea True
scan_nodes bytes_frontmatter bigint True
scan_nodes bytes_body bigint True
scan_nodes modified_at_ms bigint False
scan_nodes size bigint True
scan_nodes mtime_ns bigint True
scan_nodes inode bigint True
scan_nodes reserved bigint True
scan_nodes virtual bigint True
scan_nodes derived_from text C False
scan_nodes external_refs text C False
scan_nodes external_refs_count bigint True
scan_nodes extractors bigint True
scan_nodes text_id bigint False
scan_nodes links_out bigint True 0
scan_nodes links_in bigint True 0
scan_nodes tokens_frontmatter bigint False
scan_nodes tokens_body bigint False
scan_rejections node_id bigint True
scan_rejections rejections text C True
scan_signals node_id bigint True
scan_signals signals text C True
scan_text id bigint True
scan_text words tsvector True
scan_virtuals node_id bigint True
scan_virtuals path text C True
scan_virtuals kind text C True
scan_virtuals provider text C True
scan_virtuals title text C True
state_attempts key text C True
state_attempts path text C True
state_attempts failures bigint True
state_attempts cause text C True
state_attempts reason text C True
state_attempts at_ms bigint True
state_attempts next_try_ms bigint True
state_audits key text C True
state_audits path text C True
state_audits day text C True
state_audits at_ms bigint True
state_audits verdict text C True
state_executions id text C True
state_executions kind text C True
state_executions extension_id text C True
state_executions extension_version text C True
state_executions node_id text C True
state_executions content_hash text C False
state_executions status text C True
state_executions failure_reason text C False
state_executions message text C False
state_executions exit_code bigint False
state_executions runner text C False
state_executions model text C False
state_executions started_at_ms bigint True
state_executions finished_at_ms bigint True
state_executions duration_ms bigint False
state_executions tokens_in bigint False
state_executions tokens_out bigint False
state_executions report_json text C False
state_executions job_id text C False
state_executions question_hash text C False
state_executions kept_json text C False
state_favorites path text C True
state_favorites favorited_at_ms bigint True
state_findings id text C True
state_findings lens text C True
state_findings severity text C True
state_findings report text C True
state_findings first_seen_ms bigint True
state_findings last_seen_ms bigint True
state_findings detail text C True
state_job_contents content_hash text C True
state_job_contents content text C True
state_job_contents created_at_ms bigint True
state_jobs id text C True
state_jobs action_id text C True
state_jobs action_version text C True
state_jobs node_id text C True
state_jobs question_hash text C True
state_jobs content_hash text C True
state_jobs nonce text C True
state_jobs priority bigint True
state_jobs status text C True
state_jobs failure_reason text C False
state_jobs runner text C False
state_jobs run_id text C False
state_jobs ttl_seconds bigint True
state_jobs attempt bigint True
state_jobs forced bigint True
state_jobs created_at_ms bigint True
state_jobs claimed_at_ms bigint False
state_jobs finished_at_ms bigint False
state_jobs expires_at_ms bigint False
state_jobs submitted_by text C False
state_jobs input_hash text C False
state_jobs retry_of text C False
state_jobs taint bigint True 1
state_jobs tokens bigint True 0
state_links key text C True
state_links url text C True
state_links ok bigint True
state_links status bigint False
state_links cause text C False
state_links reason text C False
state_links checked_at_ms bigint True
state_links failures bigint True
state_orphans path text C True
state_orphans since_ms bigint True
state_orphans body_hash bytea True
state_orphans frontmatter_hash bytea True
state_plugin_values plugin text C True
state_plugin_values path text C True
state_plugin_values key text C True
state_plugin_values value text C True
state_plugin_values updated_at_ms bigint True
state_renames id text C True
state_renames old text C True
state_renames new text C True
state_renames confidence text C True
state_renames candidates text C True
state_renames at_ms bigint True
state_source_texts key text C True
state_source_texts url text C True
state_source_texts anchor text C True
state_source_texts canon bigint True
state_source_texts hash text C True
state_source_texts raw text C True
state_source_texts snapshot text C True
state_source_texts seen_at_ms bigint True
state_sources key text C True
state_sources url text C True
state_sources anchor text C True
state_sources canon bigint True
state_sources hash text C False
state_sources raw text C False
state_sources snapshot text C False
state_sources etag text C False
state_sources modified text C False
state_sources seen_at_ms bigint False
state_sources changed_at_ms bigint False
state_sources pending_hash text C False
state_sources pending_snapshot text C False
state_sources pending_at_ms bigint False
state_sources looks bigint True
state_sources flips bigint True
state_sources failures bigint True
state_sources cause text C False
state_sources reason text C False
state_sources failed_at_ms bigint False
state_sources next_try_ms bigint False
state_sources shown_snapshot text C False
state_sources shown_at_ms bigint False
CREATE INDEX cache_outlines_by_path ON cache_outlines USING btree (md5(path))
CREATE UNIQUE INDEX cache_results_pkey ON cache_results USING btree (name)
CREATE UNIQUE INDEX cache_vectors_pkey ON cache_vectors USING btree (model, body_hash, frontmatter_hash)
CREATE UNIQUE INDEX config_schema_versions_pkey ON config_schema_versions USING btree (version)
CREATE UNIQUE INDEX index_alerts_pkey ON index_alerts USING btree (key)
CREATE UNIQUE INDEX index_cleared_pkey ON index_cleared USING btree (target)
CREATE UNIQUE INDEX index_event_names_name_key ON index_event_names USING btree (name)
CREATE UNIQUE INDEX index_event_names_pkey ON index_event_names USING btree (number)
CREATE INDEX index_events_by_type ON index_events USING btree (type, at_ms) WITH (fillfactor='100')
CREATE INDEX index_facts_by_session ON index_facts USING btree (session)
CREATE UNIQUE INDEX index_facts_pkey ON index_facts USING btree (number)
CREATE UNIQUE INDEX index_gap_batches_pkey ON index_gap_batches USING btree (id)
CREATE UNIQUE INDEX index_gap_days_pkey ON index_gap_days USING btree (topic, day)
CREATE UNIQUE INDEX index_gap_excerpts_pkey ON index_gap_excerpts USING btree (topic, excerpt)
CREATE UNIQUE INDEX index_gap_names_pkey ON index_gap_names USING btree (kind, who)
CREATE UNIQUE INDEX index_gap_voices_pkey ON index_gap_voices USING btree (kind)
CREATE UNIQUE INDEX index_ledger_files_pkey ON index_ledger_files USING btree (file)
CREATE INDEX index_note_text_by_word ON index_note_text USING gin (words)
CREATE UNIQUE INDEX index_note_text_pkey ON index_note_text USING btree (id) WITH (fillfactor='100')
CREATE INDEX index_notes_by_gist ON index_notes USING btree (gist)
CREATE UNIQUE INDEX index_notes_by_id ON index_notes USING btree (id)
CREATE INDEX index_notes_by_time ON index_notes USING btree (created_at_ms) WITH (fillfactor='100')
CREATE UNIQUE INDEX index_notes_pkey ON index_notes USING btree (number) WITH (fillfactor='100')
CREATE UNIQUE INDEX index_readings_pkey ON index_readings USING btree (path, day, reader)
CREATE INDEX index_trust_artefacts_by_cohort ON index_trust_artefacts USING btree (cohort, status, kind, since_ms, hold)
CREATE UNIQUE INDEX index_trust_artefacts_pkey ON index_trust_artefacts USING btree (artefact)
CREATE INDEX index_trust_ballots_by_voter ON index_trust_ballots USING btree (voter, at_ms)
CREATE UNIQUE INDEX index_trust_ballots_pkey ON index_trust_ballots USING btree (cohort, voter)
CREATE UNIQUE INDEX index_trust_dirty_pkey ON index_trust_dirty USING btree (cohort)
CREATE UNIQUE INDEX index_trust_rejected_pkey ON index_trust_rejected USING btree (artefact, content)
CREATE UNIQUE INDEX index_trust_strikes_pkey ON index_trust_strikes USING btree (voter, artefact, rev)
CREATE UNIQUE INDEX index_trust_tallies_pkey ON index_trust_tallies USING btree (cohort)
CREATE INDEX index_turns_by_facts ON index_turns USING btree (facts)
CREATE INDEX index_turns_by_original ON index_turns USING btree (duplicate_of) WHERE (duplicate_of <> ''::text)
CREATE INDEX index_turns_by_time ON index_turns USING btree (COALESCE(eligible_at_ms, ended_at_ms, (0)::bigint)) WITH (fillfactor='100')
CREATE INDEX index_turns_open ON index_turns USING btree (eligible_at_ms) WHERE (outcome = ''::text)
CREATE UNIQUE INDEX index_turns_pkey ON index_turns USING btree (id)
CREATE UNIQUE INDEX scan_contributions_pkey ON scan_contributions USING btree (node_id, extension, key)
CREATE UNIQUE INDEX scan_emitters_extractor_kind_key ON scan_emitters USING btree (extractor, kind)
CREATE UNIQUE INDEX scan_emitters_pkey ON scan_emitters USING btree (id)
CREATE UNIQUE INDEX scan_enrichments_pkey ON scan_enrichments USING btree (node_id, extractor)
CREATE UNIQUE INDEX scan_extractor_sets_pkey ON scan_extractor_sets USING btree (id)
CREATE INDEX scan_issues_by_extension ON scan_issues USING btree (extension)
CREATE INDEX scan_issues_by_path ON scan_issues USING hash (path)
CREATE UNIQUE INDEX scan_issues_pkey ON scan_issues USING btree (id)
CREATE INDEX scan_link_scores_by_source ON scan_link_scores USING btree (source_id)
CREATE INDEX scan_links_by_name ON scan_links USING hash (name) WHERE (name IS NOT NULL)
CREATE INDEX scan_links_by_resolved ON scan_links USING btree (resolved_id, source_id, kind, seen)
CREATE INDEX scan_links_loose ON scan_links USING hash (target) WHERE (resolved_id IS NULL)
CREATE UNIQUE INDEX scan_links_pkey ON scan_links USING btree (source_id, seq)
CREATE UNIQUE INDEX scan_meta_pkey ON scan_meta USING btree (key)
CREATE INDEX scan_names_by_name ON scan_names USING hash (name)
CREATE INDEX scan_names_by_node ON scan_names USING btree (node_id)
CREATE INDEX scan_node_tags_by_node ON scan_node_tags USING btree (node_id)
CREATE INDEX scan_node_tags_by_tag ON scan_node_tags USING hash (tag)
CREATE INDEX scan_nodes_by_path ON scan_nodes USING hash (path)
CREATE INDEX scan_nodes_by_text ON scan_nodes USING btree (text_id) WHERE (kind IS NOT NULL)
CREATE UNIQUE INDEX scan_nodes_pkey ON scan_nodes USING btree (id)
CREATE UNIQUE INDEX scan_rejections_pkey ON scan_rejections USING btree (node_id)
CREATE UNIQUE INDEX scan_signals_pkey ON scan_signals USING btree (node_id)
CREATE INDEX scan_text_by_word ON scan_text USING gin (words)
CREATE UNIQUE INDEX scan_text_pkey ON scan_text USING btree (id)
CREATE INDEX scan_virtuals_by_node ON scan_virtuals USING btree (node_id)
CREATE UNIQUE INDEX state_attempts_pkey ON state_attempts USING btree (key)
CREATE UNIQUE INDEX state_audits_pkey ON state_audits USING btree (key)
CREATE INDEX state_executions_by_node ON state_executions USING btree (node_id)
CREATE INDEX state_executions_by_question ON state_executions USING btree (question_hash, finished_at_ms)
CREATE INDEX state_executions_by_time ON state_executions USING btree (finished_at_ms)
CREATE UNIQUE INDEX state_executions_pkey ON state_executions USING btree (id)
CREATE UNIQUE INDEX state_favorites_pkey ON state_favorites USING btree (path)
CREATE UNIQUE INDEX state_findings_pkey ON state_findings USING btree (id)
CREATE UNIQUE INDEX state_job_contents_pkey ON state_job_contents USING btree (content_hash)
CREATE INDEX state_jobs_by_content ON state_jobs USING btree (content_hash)
CREATE INDEX state_jobs_by_input ON state_jobs USING btree (input_hash)
CREATE INDEX state_jobs_by_node ON state_jobs USING btree (node_id)
CREATE UNIQUE INDEX state_jobs_live ON state_jobs USING btree (question_hash, node_id, action_id, action_version) WHERE ((status = ANY (ARRAY['queued'::text, 'running'::text])) AND (forced = 0))
CREATE UNIQUE INDEX state_jobs_pkey ON state_jobs USING btree (id)
CREATE INDEX state_jobs_queue ON state_jobs USING btree (priority DESC, created_at_ms, id) WHERE (status = 'queued'::text)
CREATE INDEX state_jobs_running ON state_jobs USING btree (expires_at_ms) WHERE (status = 'running'::text)
CREATE UNIQUE INDEX state_links_pkey ON state_links USING btree (key)
CREATE UNIQUE INDEX state_orphans_by_path ON state_orphans USING btree (md5(path))
CREATE UNIQUE INDEX state_plugin_values_pkey ON state_plugin_values USING btree (plugin, path, key)
CREATE UNIQUE INDEX state_renames_pkey ON state_renames USING btree (id)
CREATE UNIQUE INDEX state_source_texts_pkey ON state_source_texts USING btree (key)
CREATE UNIQUE INDEX state_sources_pkey ON state_sources USING btree (key)
