-- Trust: artefacts as their last event left them, one ballot for each voter and cohort, and the ballots of each cohort
-- counted. Made of the ledger's events.
CREATE TABLE index_trust_artefacts (
    artefact TEXT COLLATE "C" PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    version TEXT COLLATE "C" NOT NULL,
    rev BIGINT NOT NULL,
    anchor TEXT COLLATE "C" NOT NULL,
    cohort BIGINT NOT NULL,
    founding TEXT COLLATE "C" NOT NULL,
    content TEXT COLLATE "C" NOT NULL,
    revision TEXT COLLATE "C" NOT NULL,
    snapshot TEXT COLLATE "C" NOT NULL,
    seen_status TEXT COLLATE "C" NOT NULL,
    since_ms BIGINT NOT NULL,
    submitter BIGINT NOT NULL,
    hold BIGINT NOT NULL,
    good_rev BIGINT NOT NULL,
    good_status TEXT COLLATE "C" NOT NULL,
    good_content TEXT COLLATE "C" NOT NULL,
    good_revision TEXT COLLATE "C" NOT NULL,
    good_snapshot TEXT COLLATE "C" NOT NULL,
    patches TEXT COLLATE "C" NOT NULL,
    landed BIGINT NOT NULL,
    transition TEXT COLLATE "C" NOT NULL,
    by_whom TEXT COLLATE "C" NOT NULL,
    at_ms BIGINT NOT NULL,
    id BYTEA NOT NULL
);
CREATE INDEX index_trust_artefacts_by_cohort ON index_trust_artefacts (cohort, status, kind, since_ms, hold);

CREATE TABLE index_trust_ballots (
    cohort BIGINT NOT NULL,
    voter BIGINT NOT NULL,
    source BIGINT NOT NULL,
    verdict BIGINT NOT NULL,
    at_ms BIGINT NOT NULL,
    id BYTEA NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (cohort, voter)
);
CREATE INDEX index_trust_ballots_by_voter ON index_trust_ballots (voter, at_ms);

CREATE TABLE index_trust_rejected (
    artefact TEXT COLLATE "C" NOT NULL,
    content TEXT COLLATE "C" NOT NULL,
    at_ms BIGINT NOT NULL,
    rejected BIGINT NOT NULL,
    PRIMARY KEY (artefact, content)
);

CREATE TABLE index_trust_strikes (
    voter BIGINT NOT NULL,
    artefact TEXT COLLATE "C" NOT NULL,
    rev BIGINT NOT NULL,
    PRIMARY KEY (voter, artefact, rev)
);

CREATE TABLE index_trust_tallies (
    cohort BIGINT PRIMARY KEY,
    confirm_person BIGINT NOT NULL,
    confirm_agent BIGINT NOT NULL,
    confirm_merge BIGINT NOT NULL,
    confirm_check BIGINT NOT NULL,
    confirm_use BIGINT NOT NULL,
    confirm_probe BIGINT NOT NULL,
    reject_person BIGINT NOT NULL,
    reject_agent BIGINT NOT NULL,
    reject_merge BIGINT NOT NULL,
    reject_check BIGINT NOT NULL,
    reject_use BIGINT NOT NULL,
    reject_probe BIGINT NOT NULL,
    flags BIGINT NOT NULL,
    last_confirm_ms BIGINT NOT NULL
);

CREATE TABLE index_trust_dirty (
    cohort BIGINT PRIMARY KEY
);
