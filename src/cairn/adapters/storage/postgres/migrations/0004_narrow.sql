-- The index of the ledger, narrower: an event is known by its type, time and id (there is one writer, who looks), texts
-- that turns of a session share are written once, and the words of notes are added when somebody looks for some. All of
-- it is made of the ledger's files, so nothing is copied; the next command that reads them makes it again. Indexes of
-- what only grows leave no room between, and numbers come first in a row, so that none is lost before them.
DROP TABLE index_events;
DROP TABLE index_turns;
DROP TABLE index_notes;
DROP TABLE index_note_text;
DROP TABLE index_alerts;

CREATE TABLE index_events (
    at_ms BIGINT NOT NULL,
    "offset" BIGINT NOT NULL,
    type INTEGER NOT NULL,
    worktree INTEGER NOT NULL,
    file INTEGER NOT NULL,
    id BYTEA NOT NULL
);
CREATE INDEX index_events_by_type ON index_events (type, at_ms) WITH (fillfactor = 100);

-- Whose turn it was. The number is made of all the texts.
CREATE TABLE index_facts (
    number BIGINT PRIMARY KEY,
    worktree TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    agent TEXT COLLATE "C" NOT NULL,
    channel TEXT COLLATE "C" NOT NULL,
    session TEXT COLLATE "C" NOT NULL,
    host TEXT COLLATE "C" NOT NULL,
    stage TEXT COLLATE "C" NOT NULL,
    project TEXT COLLATE "C" NOT NULL,
    internal BIGINT NOT NULL,
    transcript TEXT COLLATE "C" NOT NULL
);
CREATE INDEX index_facts_by_session ON index_facts (session);

CREATE TABLE index_turns (
    id BIGINT PRIMARY KEY,
    facts BIGINT NOT NULL,
    start BIGINT,
    stop BIGINT,
    eligible_at_ms BIGINT,
    ended_at_ms BIGINT,
    turn_number INTEGER,
    tool_errors INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    turn_id TEXT COLLATE "C" NOT NULL,
    told_by BYTEA NOT NULL,
    message_id TEXT COLLATE "C" NOT NULL,
    hash TEXT COLLATE "C" NOT NULL,
    tools TEXT COLLATE "C" NOT NULL,
    ended_by BYTEA NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    fingerprint TEXT COLLATE "C" NOT NULL,
    duplicate_of TEXT COLLATE "C" NOT NULL,
    tried_by BYTEA NOT NULL,
    error TEXT COLLATE "C" NOT NULL
);
CREATE INDEX index_turns_by_facts ON index_turns (facts);
CREATE INDEX index_turns_by_time ON index_turns ((coalesce(eligible_at_ms, ended_at_ms, 0))) WITH (fillfactor = 100);
CREATE INDEX index_turns_by_original ON index_turns (duplicate_of) WHERE duplicate_of <> '';
CREATE INDEX index_turns_open ON index_turns (eligible_at_ms) WHERE outcome = '';

-- A title that the summary begins with is not there twice: then `title_size` says how much of the summary it is.
-- Numbered as they come: those behind the last one in index_note_text still wait for their words to be added.
CREATE TABLE index_notes (
    number BIGINT PRIMARY KEY WITH (fillfactor = 100),
    id BIGINT NOT NULL,
    facts BIGINT NOT NULL,
    created_at_ms BIGINT NOT NULL,
    updated_at_ms BIGINT NOT NULL,
    expires_at_ms BIGINT,
    turn_number INTEGER,
    revision INTEGER NOT NULL,
    score SMALLINT NOT NULL,
    low SMALLINT NOT NULL,
    title_size SMALLINT,
    turn_id TEXT COLLATE "C" NOT NULL,
    said_by BYTEA NOT NULL,
    title TEXT COLLATE "C" NOT NULL,
    summary TEXT COLLATE "C" NOT NULL,
    decision TEXT COLLATE "C" NOT NULL,
    evidence TEXT COLLATE "C" NOT NULL,
    tags TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    context TEXT COLLATE "C" NOT NULL,
    target TEXT COLLATE "C" NOT NULL,
    occurred_at TEXT COLLATE "C" NOT NULL,
    gist TEXT COLLATE "C" NOT NULL,
    taint TEXT COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX index_notes_by_id ON index_notes (id);
CREATE INDEX index_notes_by_gist ON index_notes (gist);
CREATE INDEX index_notes_by_time ON index_notes (created_at_ms) WITH (fillfactor = 100);

CREATE TABLE index_note_text (
    id BIGINT PRIMARY KEY WITH (fillfactor = 100),
    words TSVECTOR NOT NULL
);
CREATE INDEX index_note_text_by_word ON index_note_text USING gin (words);

CREATE TABLE index_alerts (
    key TEXT COLLATE "C" PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    severity TEXT COLLATE "C" NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    raised_by BYTEA NOT NULL,
    raised_at_ms BIGINT NOT NULL,
    resolved_at_ms BIGINT
);

DELETE FROM index_ledger_files;
DELETE FROM index_event_names;
DELETE FROM index_cleared;
DELETE FROM index_gap_days;
DELETE FROM index_gap_batches;
DELETE FROM index_gap_voices;
DELETE FROM index_gap_names;
DELETE FROM index_gap_excerpts;
DELETE FROM index_readings;
