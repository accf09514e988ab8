-- The index of the ledger, narrower: an event is known by its type, time and id, texts that turns of a session share are
-- written once, and the words of notes are added when somebody looks for some. All of it is made of the ledger's files, so
-- nothing is copied; the next command that reads them makes it again.
DROP TABLE index_events;
DROP TABLE index_turns;
DROP TABLE index_notes;
DROP TABLE index_note_text;
DROP TABLE index_alerts;

-- The key comes first: SQLite 3.40 finds fault with other orders when it checks itself.
CREATE TABLE index_events (
    type INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    id BLOB NOT NULL,
    worktree INTEGER NOT NULL,
    file INTEGER NOT NULL,
    "offset" INTEGER NOT NULL,
    PRIMARY KEY (type, at_ms, id)
) WITHOUT ROWID;

-- Whose turn it was. The number is made of all the texts.
CREATE TABLE index_facts (
    number INTEGER PRIMARY KEY,
    worktree TEXT NOT NULL,
    source TEXT NOT NULL,
    agent TEXT NOT NULL,
    channel TEXT NOT NULL,
    session TEXT NOT NULL,
    host TEXT NOT NULL,
    stage TEXT NOT NULL,
    project TEXT NOT NULL,
    internal INTEGER NOT NULL,
    transcript TEXT NOT NULL
);
CREATE INDEX index_facts_by_session ON index_facts (session);

CREATE TABLE index_turns (
    id INTEGER NOT NULL,
    facts INTEGER NOT NULL,
    start INTEGER,
    stop INTEGER,
    eligible_at_ms INTEGER,
    ended_at_ms INTEGER,
    turn_number INTEGER,
    tool_errors INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    turn_id TEXT NOT NULL,
    told_by BLOB NOT NULL,
    message_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    tools TEXT NOT NULL,
    ended_by BLOB NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    duplicate_of TEXT NOT NULL,
    tried_by BLOB NOT NULL,
    error TEXT NOT NULL
);
CREATE UNIQUE INDEX index_turns_by_id ON index_turns (id);
CREATE INDEX index_turns_by_facts ON index_turns (facts);
CREATE INDEX index_turns_by_time ON index_turns (coalesce(eligible_at_ms, ended_at_ms, 0));
CREATE INDEX index_turns_by_original ON index_turns (duplicate_of) WHERE duplicate_of <> '';
CREATE INDEX index_turns_open ON index_turns (eligible_at_ms) WHERE outcome = '';

-- A title that the summary begins with is not there twice: then `title_size` says how much of the summary it is.
-- Numbered as they come: those behind the last one in index_note_text still wait for their words to be added.
CREATE TABLE index_notes (
    number INTEGER PRIMARY KEY,
    id INTEGER NOT NULL,
    facts INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER,
    turn_number INTEGER,
    revision INTEGER NOT NULL,
    score INTEGER NOT NULL,
    low INTEGER NOT NULL,
    title_size INTEGER,
    turn_id TEXT NOT NULL,
    said_by BLOB NOT NULL,
    title TEXT NOT NULL,
    summary TEXT NOT NULL,
    decision TEXT NOT NULL,
    evidence TEXT NOT NULL,
    tags TEXT NOT NULL,
    type TEXT NOT NULL,
    context TEXT NOT NULL,
    target TEXT NOT NULL,
    occurred_at TEXT NOT NULL,
    gist TEXT NOT NULL,
    taint TEXT NOT NULL
);
CREATE UNIQUE INDEX index_notes_by_id ON index_notes (id);
CREATE INDEX index_notes_by_gist ON index_notes (gist);
CREATE INDEX index_notes_by_time ON index_notes (created_at_ms);

CREATE VIRTUAL TABLE index_note_text USING fts5 (title, body, content = '', tokenize = 'porter unicode61 remove_diacritics 2');

CREATE TABLE index_alerts (
    key TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    source TEXT NOT NULL,
    severity TEXT NOT NULL,
    text TEXT NOT NULL,
    number INTEGER NOT NULL,
    raised_by BLOB NOT NULL,
    raised_at_ms INTEGER NOT NULL,
    resolved_at_ms INTEGER
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
