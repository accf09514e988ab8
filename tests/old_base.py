"""A small knowledge base as the program before Cairn left it in `.ai/knowledge-base`: nodes, sessions in every state, a
conflict, state and logs."""

import json
from pathlib import Path

from repository import git

BASE = ".ai/knowledge-base"
DONE, PENDING, CURATED, CURSORY, FAILED = (
    f"{number}0000000-0000-4000-8000-00000000000{number}" for number in (1, 2, 3, 4, 5)
)
RUN = "7b1f0c52-0000-4000-8000-000000000009"


def node(kind: str, name: str, title: str, summary: str, body: str, *, tags: str, relates_to: str = "[]") -> str:
    return (
        f"---\nschema_version: 1\nid: {kind}-{name}\ntitle: {title}\nkind: {kind}\ntags: {tags}\n"
        f"derived_from:\n  - 20260504-1000-{CURATED}.md\nrelates_to: {relates_to}\nconfidence: high\n"
        f"summary: {summary}\n---\n\n# {title}\n\n{body}\n"
    )


NODES = {
    f"{BASE}/nodes/practice/practice-use-pnpm.md": node(
        "practice",
        "use-pnpm",
        "Install packages with pnpm",
        "Packages are installed with pnpm, never with npm.",
        "Install packages with pnpm. The lockfile of npm must not come back.",
        tags="[packages, tooling]",
        relates_to="[map-storefront]",
    ),
    f"{BASE}/nodes/practice/practice-prices-in-cents.md": node(
        "practice",
        "prices-in-cents",
        "Keep prices in cents",
        "Prices are whole numbers of cents everywhere.",
        "Keep prices as whole numbers of cents. Why: sums of floating point amounts were off by one.",
        tags="[money]",
    ),
    f"{BASE}/nodes/map/map-storefront.md": node(
        "map",
        "storefront",
        "The storefront",
        "The storefront in `apps/storefront` renders all pages that customers see.",
        "The storefront lies in `apps/storefront` and renders all pages that customers see.",
        tags="[components]",
    ),
}


def session(id: str, *, at: str, status: str, text: str, proposals: str = "", more: str = "") -> str:
    """As the original's YAML library writes it: two spaces, strings that look like times in quotes."""
    listed = proposals or "proposals:\n  practice: []\n  map: []\n"
    return (
        f"---\nschema_version: 1\nsession_id: {id}\ncaptured_by: stop\ncaptured_at: '{at}'\n"
        f"transcript_hash: sha256:{'0' * 64}\nproposal_status: {status}\n{more}secret_scan_status: clean\n{listed}---\n"
        f"## Transcript\n\n{text}\n\n## Proposal\n\n(populated by proposal worker)\n"
    )


PROPOSALS = """proposals:
  practice:
    - kind: practice
      tags:
        - database
        - migrations
      title: Write migrations that can run twice
      summary: Every migration checks whether its work is done already.
      body: >-
        Write every migration so that it can run twice. The deploy of the storefront
        repeats the last one when a health check fails.
      confidence: high
    - title: One without a summary
      kind: practice
  map:
    - kind: map
      tags:
        - components
      title: The stock service
      summary: The stock service in `services/stock` answers how many pieces are left.
      body: The stock service lies in `services/stock` and answers how many pieces of an article are left.
      confidence: medium
"""
_TIMES = "proposal_completed_at: '2026-05-05T10:05:00.000Z'\nproposal_error: null\n"
SESSIONS = {
    f"{BASE}/_sessions/20260504-1000-{CURATED}.md": session(
        CURATED,
        at="2026-05-04T10:00:00.000Z",
        status="done",
        text="[USER]: We install packages with pnpm.\n\n[AGENT]: Noted.",
        more="proposal_completed_at: '2026-05-04T10:05:00.000Z'\n"
        "curator_processed_at: '2026-05-04T11:00:00.000Z'\n"
        f"curator_run_id: {RUN}\n",
        proposals="proposals:\n  practice:\n    - kind: practice\n      tags: [packages]\n      title: Old news\n"
        "      summary: This was curated.\n      body: This was curated long ago.\n      confidence: high\n  map: []\n",
    ),
    f"{BASE}/_sessions/20260505-1000-{DONE}.md": session(
        DONE,
        at="2026-05-05T10:00:00.000Z",
        status="done",
        text="[USER]: Make the migration of orders.\n\n[AGENT]: Done, it is in `services/stock`.",
        more=f"{_TIMES}proposal_log: _logs/proposal/{DONE}__20260505T100500Z.jsonl\n",
        proposals=PROPOSALS,
    ),
    f"{BASE}/_sessions/20260506-1000-{PENDING}.md": session(
        PENDING,
        at="2026-05-06T10:00:00.000Z",
        status="pending",
        text="[USER]: No, don't call the payment provider from a test, because it books real money. From now on tests "
        "of the checkout always use the recorded answers in `apps/checkout/recorded`. The proposal said:\n\n"
        "## Proposal\n\nto call it anyway.\n\n[AGENT]: I changed the tests of the checkout to use the recorded answers "
        "in `apps/checkout/recorded`, and removed the calls of the payment provider.\n\n[USER]: Remember: the "
        "linter runs before every commit, because the build server rejects what it finds.\n\n[AGENT]: I will.",
    ),
    f"{BASE}/_sessions/20260507-1000-{CURSORY}.md": session(
        CURSORY,
        at="2026-05-07T10:00:00.000Z",
        status="skipped",
        text="[USER]: Which year is it?\n\n[AGENT]: 2026.",
        more="proposal_error: cursory_session\n",
    ),
    f"{BASE}/_sessions/20260508-1000-{FAILED}.md": session(
        FAILED,
        at="2026-05-08T10:00:00.000Z",
        status="failed",
        text="[USER]: Name branches after the ticket, because the release notes are made of them.\n\n[AGENT]: I will "
        "name branches after the ticket from now on.",
        more="proposal_error: the model did not answer in 60 seconds\n",
    ),
}
CONFLICT = f"""---
id: {RUN}-1
status: pending
detected_at: '2026-05-04T11:00:00.000Z'
run_id: {RUN}
candidate_origin: {CURATED}:practice:1
target_node_id: practice-use-pnpm
proposed_kind: practice
proposed_title: Install packages with npm
proposed_confidence: high
---
## Rationale

The session installs packages with npm, the node says pnpm.

## Proposed node

Install packages with npm. Why: the build server has no pnpm.
"""
CONFIG = (
    "schema_version: 1\ncurationThreshold: 3\nlogsRetentionDays: 14\nlintEveryNSessions: 20\n"
    "proposalModel:\n  harness: claude\n  name: haiku\n  effort: low\n"
)
LOCK = {"name": "curator", "pid": 4711, "acquired_at": "2026-05-08T10:00:00.000Z", "ttl_ms": 1_800_000}


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


STATE = {
    f"{BASE}/.state/installed-version": _json({"version": "0.17.0", "installed_at": "2026-05-01T08:00:00.000Z"}),
    f"{BASE}/.state/state.json": _json({"schema_version": 1, "lock": LOCK, "last_nudged_at": None}),
    f"{BASE}/.state/lint-state.json": _json({"sessions_since_last_lint": 4, "last_errors": 0, "last_findings": 1}),
    f"{BASE}/.state/bootstrap-state.json": "{ this was cut",
    f"{BASE}/.state/memory-ledger.json": _json({"schema_version": 1, "entries": {}}),
}
FILES = {
    **NODES,
    **SESSIONS,
    **STATE,
    f"{BASE}/conflicts/{RUN}-1.md": CONFLICT,
    f"{BASE}/config.yaml": CONFIG,
    f"{BASE}/_logs/proposal/{DONE}__20260505T100500Z.jsonl": '{"type": "result"}\n',
    f"{BASE}/_logs/hook-errors-2026-05-05.log": '{"hook": "capture"}\n',
    ".kbignore": "docs/drafts/\n",
    ".gitignore": f"{BASE}/_sessions/\n{BASE}/_logs/\n{BASE}/.state/\n",
}


def old_base(root: Path, **more: str) -> Path:
    """Committed, and not yet a workspace."""
    for path, text in {**FILES, **more}.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-qm", "The base as it was")
    return root
