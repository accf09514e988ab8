-- Trust: artefacts, ballots, and the ballots of each cohort counted. Made of the ledger's events; the latest event about
-- an artefact counts, and of each voter in a cohort the latest ballot.

-- name: put_trust_artefact
INSERT INTO index_trust_artefacts (artefact, kind, status, version, rev, anchor, cohort, founding, content, revision, snapshot, seen_status,
    since_ms, submitter, hold, good_rev, good_status, good_content, good_revision, good_snapshot, patches, landed,
    transition, by_whom, at_ms, id)
VALUES (:artefact, :kind, :status, :version, :rev, :anchor, :cohort, :founding, :content, :revision, :snapshot,
    :seen_status, :since_ms, :submitter, :hold, :good_rev, :good_status, :good_content, :good_revision,
    :good_snapshot, :patches, :landed, :transition, :by_whom, :at_ms, :id)
ON CONFLICT (artefact) DO UPDATE SET kind = excluded.kind, status = excluded.status, version = excluded.version, rev = excluded.rev, anchor =
    excluded.anchor, cohort = excluded.cohort, founding = excluded.founding, content = excluded.content, revision =
    excluded.revision, snapshot = excluded.snapshot, seen_status = excluded.seen_status, since_ms =
    excluded.since_ms, submitter = excluded.submitter, hold = excluded.hold, good_rev = excluded.good_rev,
    good_status = excluded.good_status, good_content = excluded.good_content, good_revision =
    excluded.good_revision, good_snapshot = excluded.good_snapshot, patches = excluded.patches, landed =
    excluded.landed, transition = excluded.transition, by_whom = excluded.by_whom, at_ms = excluded.at_ms, id =
    excluded.id
WHERE excluded.at_ms > index_trust_artefacts.at_ms
    OR (excluded.at_ms = index_trust_artefacts.at_ms AND excluded.id > index_trust_artefacts.id)
-- name: put_trust_ballot
INSERT INTO index_trust_ballots (cohort, voter, source, verdict, at_ms, id, reason)
VALUES (:cohort, :voter, :source, :verdict, :at_ms, :id, :reason)
ON CONFLICT (cohort, voter) DO UPDATE SET source = excluded.source, verdict = excluded.verdict,
    at_ms = excluded.at_ms, id = excluded.id, reason = excluded.reason
WHERE excluded.at_ms > index_trust_ballots.at_ms
    OR (excluded.at_ms = index_trust_ballots.at_ms AND excluded.id > index_trust_ballots.id)
-- name: put_trust_rejected
INSERT INTO index_trust_rejected (artefact, content, at_ms, rejected)
VALUES (:artefact, :content, :at_ms, :rejected)
ON CONFLICT (artefact, content) DO UPDATE SET at_ms = excluded.at_ms, rejected = excluded.rejected
WHERE excluded.at_ms > index_trust_rejected.at_ms
    OR (excluded.at_ms = index_trust_rejected.at_ms AND excluded.rejected < index_trust_rejected.rejected)
-- name: put_trust_strike
INSERT INTO index_trust_strikes (voter, artefact, rev) VALUES (:voter, :artefact, :rev) ON CONFLICT DO NOTHING
-- name: mark_trust_dirty
INSERT INTO index_trust_dirty (cohort) VALUES (:cohort) ON CONFLICT DO NOTHING
-- name: mark_trust_voter_dirty
INSERT INTO index_trust_dirty (cohort)
SELECT cohort FROM index_trust_ballots WHERE voter = :voter ON CONFLICT DO NOTHING
-- name: any_trust_dirty
SELECT 1 FROM index_trust_dirty LIMIT 1
-- name: trust_counts
SELECT d.cohort,
    coalesce(sum(CASE WHEN b.verdict = 0 AND b.source = 0 THEN 1 ELSE 0 END), 0),
    coalesce(sum(CASE WHEN b.verdict = 0 AND b.source = 1 THEN 1 ELSE 0 END), 0),
    coalesce(sum(CASE WHEN b.verdict = 0 AND b.source = 2 THEN 1 ELSE 0 END), 0),
    coalesce(sum(CASE WHEN b.verdict = 0 AND b.source = 3 THEN 1 ELSE 0 END), 0),
    coalesce(sum(CASE WHEN b.verdict = 0 AND b.source = 4 THEN 1 ELSE 0 END), 0),
    coalesce(sum(CASE WHEN b.verdict = 0 AND b.source = 5 THEN 1 ELSE 0 END), 0),
    coalesce(sum(CASE WHEN b.verdict = 1 AND b.source = 0 THEN 1 ELSE 0 END), 0),
    coalesce(sum(CASE WHEN b.verdict = 1 AND b.source = 1 THEN 1 ELSE 0 END), 0),
    coalesce(sum(CASE WHEN b.verdict = 1 AND b.source = 2 THEN 1 ELSE 0 END), 0),
    coalesce(sum(CASE WHEN b.verdict = 1 AND b.source = 3 THEN 1 ELSE 0 END), 0),
    coalesce(sum(CASE WHEN b.verdict = 1 AND b.source = 4 THEN 1 ELSE 0 END), 0),
    coalesce(sum(CASE WHEN b.verdict = 1 AND b.source = 5 THEN 1 ELSE 0 END), 0),
    coalesce(sum(CASE WHEN b.verdict = 2 AND b.voter NOT IN (SELECT voter FROM index_trust_strikes) THEN 1
        ELSE 0 END), 0),
    coalesce(max(CASE WHEN b.verdict = 0 THEN b.at_ms ELSE 0 END), 0)
-- name: trust_excluded
LEFT JOIN index_trust_artefacts a ON a.cohort = d.cohort
LEFT JOIN index_trust_ballots b ON b.cohort = d.cohort AND b.voter <> coalesce(a.submitter, 0)
    AND b.voter NOT IN (SELECT voter FROM index_trust_strikes GROUP BY voter HAVING count(*) >= :banned)
-- name: drop_dirty_tallies
DELETE FROM index_trust_tallies WHERE cohort IN (SELECT cohort FROM index_trust_dirty)
-- name: count_dirty_tallies
INSERT INTO index_trust_tallies (cohort, confirm_person, confirm_agent, confirm_merge, confirm_check, confirm_use, confirm_probe, reject_person,
    reject_agent, reject_merge, reject_check, reject_use, reject_probe, flags, last_confirm_ms)
[= trust_counts]
FROM index_trust_dirty d
[= trust_excluded]
GROUP BY d.cohort
-- name: clear_trust_dirty
DELETE FROM index_trust_dirty
-- name: trust_tallies_since
[= trust_counts]
FROM (SELECT cohort FROM index_trust_artefacts WHERE cohort IN [:cohorts]) d
[= trust_excluded] AND b.at_ms >= :since
GROUP BY d.cohort
-- name: trust_tallies
SELECT cohort, confirm_person, confirm_agent, confirm_merge, confirm_check, confirm_use, confirm_probe, reject_person,
    reject_agent, reject_merge, reject_check, reject_use, reject_probe, flags, last_confirm_ms
FROM index_trust_tallies WHERE cohort IN [:cohorts]
-- name: trust_artefacts
SELECT artefact, kind, status, version, rev, anchor, cohort, founding, content, revision, snapshot, seen_status,
    since_ms, submitter, hold, good_rev, good_status, good_content, good_revision, good_snapshot, patches, landed,
    transition, by_whom, at_ms, id FROM index_trust_artefacts ORDER BY artefact
-- name: trust_artefacts_named
SELECT artefact, kind, status, version, rev, anchor, cohort, founding, content, revision, snapshot, seen_status,
    since_ms, submitter, hold, good_rev, good_status, good_content, good_revision, good_snapshot, patches, landed,
    transition, by_whom, at_ms, id FROM index_trust_artefacts
WHERE artefact IN [:names] ORDER BY artefact
-- name: any_trust_artefact
SELECT 1 FROM index_trust_artefacts LIMIT 1
-- name: preselect_trust
-- The order of the tables is given, because SQLite without statistics begins with the wrong one.
SELECT f.artefact, f.kind, f.status, f.version, f.rev, f.anchor, f.cohort, f.founding, f.content, f.revision,
    f.snapshot, f.seen_status, f.since_ms, f.submitter, f.hold, f.good_rev, f.good_status, f.good_content,
    f.good_revision, f.good_snapshot, f.patches, f.landed, f.transition, f.by_whom, f.at_ms, f.id,
    m.confirm_person, m.confirm_agent, m.confirm_merge, m.confirm_check, m.confirm_use, m.confirm_probe,
    m.reject_person, m.reject_agent, m.reject_merge, m.reject_check, m.reject_use, m.reject_probe, m.flags,
    m.last_confirm_ms
FROM (
    SELECT a.status, a.kind, a.since_ms, a.hold, t.*,
        :w0 * t.confirm_person + :w1 * t.confirm_agent + :w2 * t.confirm_merge + :w3 * t.confirm_check + :w4 * t.confirm_use + :w5 * t.confirm_probe AS confirms,
        :w0 * t.reject_person + :w1 * t.reject_agent + :w2 * t.reject_merge + :w3 * t.reject_check + :w4 * t.reject_use + :w5 * t.reject_probe AS rejects
    FROM index_trust_artefacts a CROSS JOIN index_trust_tallies t WHERE t.cohort = a.cohort
) m
CROSS JOIN index_trust_artefacts f
WHERE f.cohort = m.cohort [where] ORDER BY f.artefact
-- name: trust_ballots
SELECT cohort, voter, source, verdict, at_ms, id, reason FROM index_trust_ballots
WHERE cohort = :cohort ORDER BY at_ms, id
-- name: count_trust_ballots_by
SELECT count(*) FROM index_trust_ballots WHERE voter = :voter AND at_ms >= :since
-- name: trust_rejected
SELECT artefact, content FROM index_trust_rejected WHERE rejected = 1 AND artefact IN [:artefacts]
-- name: trust_strikes
SELECT voter, count(*) FROM index_trust_strikes WHERE voter IN [:voters] GROUP BY voter
-- name: count_trust_voters
SELECT cohort, count(DISTINCT voter) FROM index_trust_ballots GROUP BY cohort
