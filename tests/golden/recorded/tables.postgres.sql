cache_outlines path text True None
cache_outlines size bigint True None
cache_outlines mtime_ns bigint True None
cache_outlines inode bigint True None
cache_outlines outline text True None
cache_results name text True None
cache_results stamp text True None
cache_results body text True None
cache_vectors model text True None
cache_vectors body_hash bytea True None
cache_vectors frontmatter_hash bytea True None
cache_vectors vector bytea True None
config_schema_versions version bigint True None
config_schema_versions name text True None
config_schema_versions applied_at_ms bigint True None
index_alerts key text True None
index_alerts kind text True None
index_alerts source text True None
index_alerts severity text True None
index_alerts text text True None
index_alerts number bigint True None
index_alerts raised_by bytea True None
index_alerts raised_at_ms bigint True None
index_alerts resolved_at_ms bigint False None
index_cleared target text True None
index_cleared cleared_at_ms bigint True None
index_event_names number integer True None
index_event_names name text True None
index_events at_ms bigint True None
index_events offset bigint True None
index_events type integer True None
index_events worktree integer True None
index_events file integer True None
index_events id bytea True None
index_facts number bigint True None
index_facts worktree text True None
index_facts source text True None
index_facts agent text True None
index_facts channel text True None
index_facts session text True None
index_facts host text True None
index_facts stage text True None
index_facts project text True None
index_facts internal bigint True None
index_facts transcript text True None
index_gap_batches id bigint True None
index_gap_batches heard text True None
index_gap_days topic text True None
index_gap_days day bigint True None
index_gap_days signals bigint True None
index_gap_days first_ms bigint True None
index_gap_days last_ms bigint True None
index_gap_days session_low text True None
index_gap_days session_high text True None
index_gap_excerpts topic text True None
index_gap_excerpts excerpt text True None
index_gap_excerpts at_ms bigint True None
index_gap_names kind text True None
index_gap_names who text True None
index_gap_names number bigint True None
index_gap_voices kind text True None
index_gap_voices heard text True None
index_ledger_files file text True None
index_ledger_files offset bigint True None
index_ledger_files inode bigint True None
index_note_text id bigint True None
index_note_text words tsvector True None
index_notes number bigint True None
index_notes id bigint True None
index_notes facts bigint True None
index_notes created_at_ms bigint True None
index_notes updated_at_ms bigint True None
index_notes expires_at_ms bigint False None
index_notes turn_number integer False None
index_notes revision integer True None
index_notes score smallint True None
index_notes low smallint True None
index_notes title_size smallint False None
index_notes turn_id text True None
index_notes said_by bytea True None
index_notes title text True None
index_notes summary text True None
index_notes decision text True None
index_notes evidence text True None
index_notes tags text True None
index_notes type text True None
index_notes context text True None
index_notes target text True None
index_notes occurred_at text True None
index_notes gist text True None
index_notes taint text True None
index_readings path text True None
index_readings day integer True None
index_readings reader text True None
index_readings at_ms bigint True None
index_trust_artefacts artefact text True None
index_trust_artefacts kind text True None
index_trust_artefacts status text True None
index_trust_artefacts version text True None
index_trust_artefacts rev bigint True None
index_trust_artefacts anchor text True None
index_trust_artefacts cohort bigint True None
index_trust_artefacts founding text True None
index_trust_artefacts content text True None
index_trust_artefacts revision text True None
index_trust_artefacts snapshot text True None
index_trust_artefacts seen_status text True None
index_trust_artefacts since_ms bigint True None
index_trust_artefacts submitter bigint True None
index_trust_artefacts hold bigint True None
index_trust_artefacts good_rev bigint True None
index_trust_artefacts good_status text True None
index_trust_artefacts good_content text True None
index_trust_artefacts good_revision text True None
index_trust_artefacts good_snapshot text True None
index_trust_artefacts patches text True None
index_trust_artefacts landed bigint True None
index_trust_artefacts transition text True None
index_trust_artefacts by_whom text True None
index_trust_artefacts at_ms bigint True None
index_trust_artefacts id bytea True None
index_trust_ballots cohort bigint True None
index_trust_ballots voter bigint True None
index_trust_ballots source bigint True None
index_trust_ballots verdict bigint True None
index_trust_ballots at_ms bigint True None
index_trust_ballots id bytea True None
index_trust_ballots reason text True None
index_trust_dirty cohort bigint True None
index_trust_rejected artefact text True None
index_trust_rejected content text True None
index_trust_rejected at_ms bigint True None
index_trust_rejected rejected bigint True None
index_trust_strikes voter bigint True None
index_trust_strikes artefact text True None
index_trust_strikes rev bigint True None
index_trust_tallies cohort bigint True None
index_trust_tallies confirm_person bigint True None
index_trust_tallies confirm_agent bigint True None
index_trust_tallies confirm_merge bigint True None
index_trust_tallies confirm_check bigint True None
index_trust_tallies confirm_use bigint True None
index_trust_tallies confirm_probe bigint True None
index_trust_tallies reject_person bigint True None
index_trust_tallies reject_agent bigint True None
index_trust_tallies reject_merge bigint True None
index_trust_tallies reject_check bigint True None
index_trust_tallies reject_use bigint True None
index_trust_tallies reject_probe bigint True None
index_trust_tallies flags bigint True None
index_trust_tallies last_confirm_ms bigint True None
index_turns id bigint True None
index_turns facts bigint True None
index_turns start bigint False None
index_turns stop bigint False None
index_turns eligible_at_ms bigint False None
index_turns ended_at_ms bigint False None
index_turns turn_number integer False None
index_turns tool_errors integer True None
index_turns attempts integer True None
index_turns turn_id text True None
index_turns told_by bytea True None
index_turns message_id text True None
index_turns hash text True None
index_turns tools text True None
index_turns ended_by bytea True None
index_turns outcome text True None
index_turns reason text True None
index_turns fingerprint text True None
index_turns duplicate_of text True None
index_turns tried_by bytea True None
index_turns error text True None
scan_aside path text True None
scan_aside size bigint True None
scan_aside mtime_ns bigint True None
scan_aside inode bigint True None
scan_aside rule text True None
scan_contributions node_id bigint True None
scan_contributions extension text True None
scan_contributions key text True None
scan_contributions slot text True None
scan_contributions payload text True None
scan_emitters id bigint True None
scan_emitters extractor text True None
scan_emitters kind text True None
scan_enrichments node_id bigint True None
scan_enrichments extractor text True None
scan_enrichments value text True None
scan_extractor_sets id bigint True None
scan_extractor_sets extractors text True None
scan_issues id bigint True None
scan_issues extension text True None
scan_issues analyzer text True None
scan_issues severity text True None
scan_issues path text True None
scan_issues others text False None
scan_issues line bigint False None
scan_issues message text True None
scan_issues detail text False None
scan_issues fix text False None
scan_issues data text False None
scan_link_scores source_id bigint True None
scan_link_scores target text True None
scan_link_scores kind text True None
scan_link_scores normalized text True None
scan_link_scores extension text True None
scan_link_scores op text True None
scan_link_scores value double precision True None
scan_link_scores result double precision True None
scan_links source_id bigint True None
scan_links seq bigint True None
scan_links target text True None
scan_links kind text True None
scan_links resolved_id bigint False None
scan_links state text True None
scan_links confidence double precision True None
scan_links name text False None
scan_links line bigint True None
scan_links offset bigint True None
scan_links seen bigint True None
scan_links detail text True None
scan_meta key text True None
scan_meta value text True None
scan_names name text True None
scan_names node_id bigint True None
scan_names origin text True None
scan_node_tags node_id bigint True None
scan_node_tags tag text True None
scan_node_tags source text True None
scan_nodes id bigint True None
scan_nodes path text True None
scan_nodes kind text False None
scan_nodes provider text False None
scan_nodes claims text True None
scan_nodes title text True None
scan_nodes description text True None
scan_nodes frontmatter text True None
scan_nodes body_hash bytea True None
scan_nodes frontmatter_hash bytea True None
scan_nodes bytes_frontmatter bigint True None
scan_nodes bytes_body bigint True None
scan_nodes modified_at_ms bigint False None
scan_nodes size bigint True None
scan_nodes mtime_ns bigint True None
scan_nodes inode bigint True None
scan_nodes reserved bigint True None
scan_nodes virtual bigint True None
scan_nodes derived_from text False None
scan_nodes external_refs text False None
scan_nodes external_refs_count bigint True None
scan_nodes extractors bigint True None
scan_nodes text_id bigint False None
scan_nodes links_out bigint True 0
scan_nodes links_in bigint True 0
scan_nodes tokens_frontmatter bigint False None
scan_nodes tokens_body bigint False None
scan_rejections node_id bigint True None
scan_rejections rejections text True None
scan_signals node_id bigint True None
scan_signals signals text True None
scan_text id bigint True None
scan_text words tsvector True None
scan_virtuals node_id bigint True None
scan_virtuals path text True None
scan_virtuals kind text True None
scan_virtuals provider text True None
scan_virtuals title text True None
state_attempts key text True None
state_attempts path text True None
state_attempts failures bigint True None
state_attempts cause text True None
state_attempts reason text True None
state_attempts at_ms bigint True None
state_attempts next_try_ms bigint True None
state_audits key text True None
state_audits path text True None
state_audits day text True None
state_audits at_ms bigint True None
state_audits verdict text True None
state_executions id text True None
state_executions kind text True None
state_executions extension_id text True None
state_executions extension_version text True None
state_executions node_id text True None
state_executions content_hash text False None
state_executions status text True None
state_executions failure_reason text False None
state_executions message text False None
state_executions exit_code bigint False None
state_executions runner text False None
state_executions model text False None
state_executions started_at_ms bigint True None
state_executions finished_at_ms bigint True None
state_executions duration_ms bigint False None
state_executions tokens_in bigint False None
state_executions tokens_out bigint False None
state_executions report_json text False None
state_executions job_id text False None
state_executions question_hash text False None
state_executions kept_json text False None
state_favorites path text True None
state_favorites favorited_at_ms bigint True None
state_findings id text True None
state_findings lens text True None
state_findings severity text True None
state_findings report text True None
state_findings first_seen_ms bigint True None
state_findings last_seen_ms bigint True None
state_findings detail text True None
state_job_contents content_hash text True None
state_job_contents content text True None
state_job_contents created_at_ms bigint True None
state_jobs id text True None
state_jobs action_id text True None
state_jobs action_version text True None
state_jobs node_id text True None
state_jobs question_hash text True None
state_jobs content_hash text True None
state_jobs nonce text True None
state_jobs priority bigint True None
state_jobs status text True None
state_jobs failure_reason text False None
state_jobs runner text False None
state_jobs run_id text False None
state_jobs ttl_seconds bigint True None
state_jobs attempt bigint True None
state_jobs forced bigint True None
state_jobs created_at_ms bigint True None
state_jobs claimed_at_ms bigint False None
state_jobs finished_at_ms bigint False None
state_jobs expires_at_ms bigint False None
state_jobs submitted_by text False None
state_jobs input_hash text False None
state_jobs retry_of text False None
state_jobs taint bigint True 1
state_jobs tokens bigint True 0
state_links key text True None
state_links url text True None
state_links ok bigint True None
state_links status bigint False None
state_links cause text False None
state_links reason text False None
state_links checked_at_ms bigint True None
state_links failures bigint True None
state_orphans path text True None
state_orphans since_ms bigint True None
state_orphans body_hash bytea True None
state_orphans frontmatter_hash bytea True None
state_plugin_values plugin text True None
state_plugin_values path text True None
state_plugin_values key text True None
state_plugin_values value text True None
state_plugin_values updated_at_ms bigint True None
state_renames id text True None
state_renames old text True None
state_renames new text True None
state_renames confidence text True None
state_renames candidates text True None
state_renames at_ms bigint True None
state_source_texts key text True None
state_source_texts url text True None
state_source_texts anchor text True None
state_source_texts canon bigint True None
state_source_texts hash text True None
state_source_texts raw text True None
state_source_texts snapshot text True None
state_source_texts seen_at_ms bigint True None
state_sources key text True None
state_sources url text True None
state_sources anchor text True None
state_sources canon bigint True None
state_sources hash text False None
state_sources raw text False None
state_sources snapshot text False None
state_sources etag text False None
state_sources modified text False None
state_sources seen_at_ms bigint False None
state_sources changed_at_ms bigint False None
state_sources pending_hash text False None
state_sources pending_snapshot text False None
state_sources pending_at_ms bigint False None
state_sources looks bigint True None
state_sources flips bigint True None
state_sources failures bigint True None
state_sources cause text False None
state_sources reason text False None
state_sources failed_at_ms bigint False None
state_sources next_try_ms bigint False None
state_sources shown_snapshot text False None
state_sources shown_at_ms bigint False None
cache_results cache_results_pkey PRIMARY KEY (name)
cache_vectors cache_vectors_pkey PRIMARY KEY (model, body_hash, frontmatter_hash)
config_schema_versions config_schema_versions_pkey PRIMARY KEY (version)
index_alerts index_alerts_pkey PRIMARY KEY (key)
index_cleared index_cleared_pkey PRIMARY KEY (target)
index_event_names index_event_names_name_key UNIQUE (name)
index_event_names index_event_names_pkey PRIMARY KEY (number)
index_facts index_facts_pkey PRIMARY KEY (number)
index_gap_batches index_gap_batches_pkey PRIMARY KEY (id)
index_gap_days index_gap_days_pkey PRIMARY KEY (topic, day)
index_gap_excerpts index_gap_excerpts_pkey PRIMARY KEY (topic, excerpt)
index_gap_names index_gap_names_pkey PRIMARY KEY (kind, who)
index_gap_voices index_gap_voices_pkey PRIMARY KEY (kind)
index_ledger_files index_ledger_files_pkey PRIMARY KEY (file)
index_note_text index_note_text_pkey PRIMARY KEY (id)
index_notes index_notes_pkey PRIMARY KEY (number)
index_readings index_readings_pkey PRIMARY KEY (path, day, reader)
index_trust_artefacts index_trust_artefacts_pkey PRIMARY KEY (artefact)
index_trust_ballots index_trust_ballots_pkey PRIMARY KEY (cohort, voter)
index_trust_dirty index_trust_dirty_pkey PRIMARY KEY (cohort)
index_trust_rejected index_trust_rejected_pkey PRIMARY KEY (artefact, content)
index_trust_strikes index_trust_strikes_pkey PRIMARY KEY (voter, artefact, rev)
index_trust_tallies index_trust_tallies_pkey PRIMARY KEY (cohort)
index_turns index_turns_pkey PRIMARY KEY (id)
scan_contributions scan_contributions_pkey PRIMARY KEY (node_id, extension, key)
scan_emitters scan_emitters_extractor_kind_key UNIQUE (extractor, kind)
scan_emitters scan_emitters_pkey PRIMARY KEY (id)
scan_enrichments scan_enrichments_pkey PRIMARY KEY (node_id, extractor)
scan_extractor_sets scan_extractor_sets_pkey PRIMARY KEY (id)
scan_issues scan_issues_pkey PRIMARY KEY (id)
scan_links scan_links_pkey PRIMARY KEY (source_id, seq)
scan_meta scan_meta_pkey PRIMARY KEY (key)
scan_nodes scan_nodes_pkey PRIMARY KEY (id)
scan_rejections scan_rejections_pkey PRIMARY KEY (node_id)
scan_signals scan_signals_pkey PRIMARY KEY (node_id)
scan_text scan_text_pkey PRIMARY KEY (id)
state_attempts state_attempts_pkey PRIMARY KEY (key)
state_audits state_audits_pkey PRIMARY KEY (key)
state_executions state_executions_pkey PRIMARY KEY (id)
state_executions state_executions_status_check CHECK ((status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])))
state_favorites state_favorites_pkey PRIMARY KEY (path)
state_findings state_findings_pkey PRIMARY KEY (id)
state_job_contents state_job_contents_pkey PRIMARY KEY (content_hash)
state_jobs state_jobs_pkey PRIMARY KEY (id)
state_jobs state_jobs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text])))
state_links state_links_pkey PRIMARY KEY (key)
state_plugin_values state_plugin_values_pkey PRIMARY KEY (plugin, path, key)
state_renames state_renames_pkey PRIMARY KEY (id)
state_source_texts state_source_texts_pkey PRIMARY KEY (key)
state_sources state_sources_pkey PRIMARY KEY (key)
CREATE INDEX cache_outlines_by_path ON <schema>.cache_outlines USING btree (md5(path))
CREATE UNIQUE INDEX cache_results_pkey ON <schema>.cache_results USING btree (name)
CREATE UNIQUE INDEX cache_vectors_pkey ON <schema>.cache_vectors USING btree (model, body_hash, frontmatter_hash)
CREATE UNIQUE INDEX config_schema_versions_pkey ON <schema>.config_schema_versions USING btree (version)
CREATE UNIQUE INDEX index_alerts_pkey ON <schema>.index_alerts USING btree (key)
CREATE UNIQUE INDEX index_cleared_pkey ON <schema>.index_cleared USING btree (target)
CREATE UNIQUE INDEX index_event_names_name_key ON <schema>.index_event_names USING btree (name)
CREATE UNIQUE INDEX index_event_names_pkey ON <schema>.index_event_names USING btree (number)
CREATE INDEX index_events_by_type ON <schema>.index_events USING btree (type, at_ms) WITH (fillfactor='100')
CREATE INDEX index_facts_by_session ON <schema>.index_facts USING btree (session)
CREATE UNIQUE INDEX index_facts_pkey ON <schema>.index_facts USING btree (number)
CREATE UNIQUE INDEX index_gap_batches_pkey ON <schema>.index_gap_batches USING btree (id)
CREATE UNIQUE INDEX index_gap_days_pkey ON <schema>.index_gap_days USING btree (topic, day)
CREATE UNIQUE INDEX index_gap_excerpts_pkey ON <schema>.index_gap_excerpts USING btree (topic, excerpt)
CREATE UNIQUE INDEX index_gap_names_pkey ON <schema>.index_gap_names USING btree (kind, who)
CREATE UNIQUE INDEX index_gap_voices_pkey ON <schema>.index_gap_voices USING btree (kind)
CREATE UNIQUE INDEX index_ledger_files_pkey ON <schema>.index_ledger_files USING btree (file)
CREATE INDEX index_note_text_by_word ON <schema>.index_note_text USING gin (words)
CREATE UNIQUE INDEX index_note_text_pkey ON <schema>.index_note_text USING btree (id) WITH (fillfactor='100')
CREATE INDEX index_notes_by_gist ON <schema>.index_notes USING btree (gist)
CREATE UNIQUE INDEX index_notes_by_id ON <schema>.index_notes USING btree (id)
CREATE INDEX index_notes_by_time ON <schema>.index_notes USING btree (created_at_ms) WITH (fillfactor='100')
CREATE UNIQUE INDEX index_notes_pkey ON <schema>.index_notes USING btree (number) WITH (fillfactor='100')
CREATE UNIQUE INDEX index_readings_pkey ON <schema>.index_readings USING btree (path, day, reader)
CREATE INDEX index_trust_artefacts_by_cohort ON <schema>.index_trust_artefacts USING btree (cohort, status, kind, since_ms, hold)
CREATE UNIQUE INDEX index_trust_artefacts_pkey ON <schema>.index_trust_artefacts USING btree (artefact)
CREATE INDEX index_trust_ballots_by_voter ON <schema>.index_trust_ballots USING btree (voter, at_ms)
CREATE UNIQUE INDEX index_trust_ballots_pkey ON <schema>.index_trust_ballots USING btree (cohort, voter)
CREATE UNIQUE INDEX index_trust_dirty_pkey ON <schema>.index_trust_dirty USING btree (cohort)
CREATE UNIQUE INDEX index_trust_rejected_pkey ON <schema>.index_trust_rejected USING btree (artefact, content)
CREATE UNIQUE INDEX index_trust_strikes_pkey ON <schema>.index_trust_strikes USING btree (voter, artefact, rev)
CREATE UNIQUE INDEX index_trust_tallies_pkey ON <schema>.index_trust_tallies USING btree (cohort)
CREATE INDEX index_turns_by_facts ON <schema>.index_turns USING btree (facts)
CREATE INDEX index_turns_by_original ON <schema>.index_turns USING btree (duplicate_of) WHERE (duplicate_of <> ''::text)
CREATE INDEX index_turns_by_time ON <schema>.index_turns USING btree (COALESCE(eligible_at_ms, ended_at_ms, (0)::bigint)) WITH (fillfactor='100')
CREATE INDEX index_turns_open ON <schema>.index_turns USING btree (eligible_at_ms) WHERE (outcome = ''::text)
CREATE UNIQUE INDEX index_turns_pkey ON <schema>.index_turns USING btree (id)
CREATE UNIQUE INDEX scan_contributions_pkey ON <schema>.scan_contributions USING btree (node_id, extension, key)
CREATE UNIQUE INDEX scan_emitters_extractor_kind_key ON <schema>.scan_emitters USING btree (extractor, kind)
CREATE UNIQUE INDEX scan_emitters_pkey ON <schema>.scan_emitters USING btree (id)
CREATE UNIQUE INDEX scan_enrichments_pkey ON <schema>.scan_enrichments USING btree (node_id, extractor)
CREATE UNIQUE INDEX scan_extractor_sets_pkey ON <schema>.scan_extractor_sets USING btree (id)
CREATE INDEX scan_issues_by_extension ON <schema>.scan_issues USING btree (extension)
CREATE INDEX scan_issues_by_path ON <schema>.scan_issues USING hash (path)
CREATE UNIQUE INDEX scan_issues_pkey ON <schema>.scan_issues USING btree (id)
CREATE INDEX scan_link_scores_by_source ON <schema>.scan_link_scores USING btree (source_id)
CREATE INDEX scan_links_by_name ON <schema>.scan_links USING hash (name) WHERE (name IS NOT NULL)
CREATE INDEX scan_links_by_resolved ON <schema>.scan_links USING btree (resolved_id, source_id, kind, seen)
CREATE INDEX scan_links_loose ON <schema>.scan_links USING hash (target) WHERE (resolved_id IS NULL)
CREATE UNIQUE INDEX scan_links_pkey ON <schema>.scan_links USING btree (source_id, seq)
CREATE UNIQUE INDEX scan_meta_pkey ON <schema>.scan_meta USING btree (key)
CREATE INDEX scan_names_by_name ON <schema>.scan_names USING hash (name)
CREATE INDEX scan_names_by_node ON <schema>.scan_names USING btree (node_id)
CREATE INDEX scan_node_tags_by_node ON <schema>.scan_node_tags USING btree (node_id)
CREATE INDEX scan_node_tags_by_tag ON <schema>.scan_node_tags USING hash (tag)
CREATE INDEX scan_nodes_by_path ON <schema>.scan_nodes USING hash (path)
CREATE INDEX scan_nodes_by_text ON <schema>.scan_nodes USING btree (text_id) WHERE (kind IS NOT NULL)
CREATE UNIQUE INDEX scan_nodes_pkey ON <schema>.scan_nodes USING btree (id)
CREATE UNIQUE INDEX scan_rejections_pkey ON <schema>.scan_rejections USING btree (node_id)
CREATE UNIQUE INDEX scan_signals_pkey ON <schema>.scan_signals USING btree (node_id)
CREATE INDEX scan_text_by_word ON <schema>.scan_text USING gin (words)
CREATE UNIQUE INDEX scan_text_pkey ON <schema>.scan_text USING btree (id)
CREATE INDEX scan_virtuals_by_node ON <schema>.scan_virtuals USING btree (node_id)
CREATE UNIQUE INDEX state_attempts_pkey ON <schema>.state_attempts USING btree (key)
CREATE UNIQUE INDEX state_audits_pkey ON <schema>.state_audits USING btree (key)
CREATE INDEX state_executions_by_node ON <schema>.state_executions USING btree (node_id)
CREATE INDEX state_executions_by_question ON <schema>.state_executions USING btree (question_hash, finished_at_ms)
CREATE INDEX state_executions_by_time ON <schema>.state_executions USING btree (finished_at_ms)
CREATE UNIQUE INDEX state_executions_pkey ON <schema>.state_executions USING btree (id)
CREATE UNIQUE INDEX state_favorites_pkey ON <schema>.state_favorites USING btree (path)
CREATE UNIQUE INDEX state_findings_pkey ON <schema>.state_findings USING btree (id)
CREATE UNIQUE INDEX state_job_contents_pkey ON <schema>.state_job_contents USING btree (content_hash)
CREATE INDEX state_jobs_by_content ON <schema>.state_jobs USING btree (content_hash)
CREATE INDEX state_jobs_by_input ON <schema>.state_jobs USING btree (input_hash)
CREATE INDEX state_jobs_by_node ON <schema>.state_jobs USING btree (node_id)
CREATE UNIQUE INDEX state_jobs_live ON <schema>.state_jobs USING btree (question_hash, node_id, action_id, action_version) WHERE ((status = ANY (ARRAY['queued'::text, 'running'::text])) AND (forced = 0))
CREATE UNIQUE INDEX state_jobs_pkey ON <schema>.state_jobs USING btree (id)
CREATE INDEX state_jobs_queue ON <schema>.state_jobs USING btree (priority DESC, created_at_ms, id) WHERE (status = 'queued'::text)
CREATE INDEX state_jobs_running ON <schema>.state_jobs USING btree (expires_at_ms) WHERE (status = 'running'::text)
CREATE UNIQUE INDEX state_links_pkey ON <schema>.state_links USING btree (key)
CREATE UNIQUE INDEX state_orphans_by_path ON <schema>.state_orphans USING btree (md5(path))
CREATE UNIQUE INDEX state_plugin_values_pkey ON <schema>.state_plugin_values USING btree (plugin, path, key)
CREATE UNIQUE INDEX state_renames_pkey ON <schema>.state_renames USING btree (id)
CREATE UNIQUE INDEX state_source_texts_pkey ON <schema>.state_source_texts USING btree (key)
CREATE UNIQUE INDEX state_sources_pkey ON <schema>.state_sources USING btree (key)
