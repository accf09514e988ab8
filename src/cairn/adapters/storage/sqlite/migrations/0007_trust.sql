-- Trust: artefacts as their last event left them, one ballot for each voter and cohort, and the ballots of each cohort
-- counted. Made of the ledger's events.
CREATE TABLE index_trust_artefacts (
    artefact TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    version TEXT NOT NULL,
    rev INTEGER NOT NULL,
    anchor TEXT NOT NULL,
    cohort INTEGER NOT NULL,
    founding TEXT NOT NULL,
    content TEXT NOT NULL,
    revision TEXT NOT NULL,
    snapshot TEXT NOT NULL,
    seen_status TEXT NOT NULL,
    since_ms INTEGER NOT NULL,
    submitter INTEGER NOT NULL,
    hold INTEGER NOT NULL,
    good_rev INTEGER NOT NULL,
    good_status TEXT NOT NULL,
    good_content TEXT NOT NULL,
    good_revision TEXT NOT NULL,
    good_snapshot TEXT NOT NULL,
    patches TEXT NOT NULL,
    landed INTEGER NOT NULL,
    transition TEXT NOT NULL,
    by_whom TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    id BLOB NOT NULL
);
CREATE INDEX index_trust_artefacts_by_cohort ON index_trust_artefacts (cohort, status, kind, since_ms, hold);

CREATE TABLE index_trust_ballots (
    cohort INTEGER NOT NULL,
    voter INTEGER NOT NULL,
    source INTEGER NOT NULL,
    verdict INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    id BLOB NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (cohort, voter)
) WITHOUT ROWID;
CREATE INDEX index_trust_ballots_by_voter ON index_trust_ballots (voter, at_ms);

CREATE TABLE index_trust_rejected (
    artefact TEXT NOT NULL,
    content TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    rejected INTEGER NOT NULL,
    PRIMARY KEY (artefact, content)
) WITHOUT ROWID;

CREATE TABLE index_trust_strikes (
    voter INTEGER NOT NULL,
    artefact TEXT NOT NULL,
    rev INTEGER NOT NULL,
    PRIMARY KEY (voter, artefact, rev)
) WITHOUT ROWID;

CREATE TABLE index_trust_tallies (
    cohort INTEGER PRIMARY KEY,
    confirm_person INTEGER NOT NULL,
    confirm_agent INTEGER NOT NULL,
    confirm_merge INTEGER NOT NULL,
    confirm_check INTEGER NOT NULL,
    confirm_use INTEGER NOT NULL,
    confirm_probe INTEGER NOT NULL,
    reject_person INTEGER NOT NULL,
    reject_agent INTEGER NOT NULL,
    reject_merge INTEGER NOT NULL,
    reject_check INTEGER NOT NULL,
    reject_use INTEGER NOT NULL,
    reject_probe INTEGER NOT NULL,
    flags INTEGER NOT NULL,
    last_confirm_ms INTEGER NOT NULL
);

CREATE TABLE index_trust_dirty (
    cohort INTEGER PRIMARY KEY
);
