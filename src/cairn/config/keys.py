"""The one table of settings: every key, its type, its default and who may set it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cairn.config.key import Key
from cairn.config.trust_keys import TRUST_KEYS

KEYS: tuple[Key, ...] = (
    Key("active_provider", "text", None, "The agent host whose rules decide what a link means.", nullable=True),
    Key(
        "approvers",
        "texts",
        (),
        "Keys whose signed commits approve pages: OpenPGP fingerprints, or SSH public keys as in `id_ed25519.pub`.",
        local_only=True,
        widens=True,
    ),
    Key(
        "active_provider_markers",
        "texts",
        None,
        "Hosts that were found when active_provider was chosen; Cairn writes it to notice a change.",
        nullable=True,
    ),
    Key(
        "serve.header_seconds",
        "integer",
        10,
        "How long a client of `cairn mcp --http` may take for the headers of a request.",
        local_only=True,
        minimum=1,
    ),
    Key(
        "serve.idle_seconds",
        "integer",
        30,
        "How long a client of `cairn mcp --http` may pause within the body of a request.",
        local_only=True,
        minimum=1,
    ),
    Key(
        "serve.connections_per_peer",
        "integer",
        32,
        "Connections with unfinished requests per address; a further one closes the oldest of them.",
        local_only=True,
        minimum=1,
    ),
    Key("scan.roots", "texts", (), "Folders or files to scan; empty means the whole repository.", inside=True),
    Key("scan.ignore", "texts", (), "More patterns to pass over, in the syntax of .gitignore."),
    Key("scan.gitignore", "flag", True, "Pass over what .gitignore names."),
    Key(
        "scan.tokenize",
        "flag",
        True,
        "Count tokens when a view shows them; exactly with the extra `tokens`, else by an estimate.",
    ),
    Key(
        "scan.tokenizer",
        "text",
        "cl100k_base",
        "Which encoding tokens are counted in.",
        choices=("cl100k_base", "o200k_base"),
    ),
    Key("scan.strict", "flag", False, "Treat problems of frontmatter as errors."),
    Key("scan.max_file_size_bytes", "integer", 1_048_576, "Files larger than this are named and not read.", minimum=1),
    Key("scan.max_nodes", "integer", None, "Stop at this many nodes; null means no limit.", nullable=True, minimum=1),
    Key("scan.watch.debounce_ms", "integer", 300, "How long `cairn watch` waits for more changes before it scans."),
    Key(
        "scan.reference_paths",
        "texts",
        (),
        "Paths or patterns that a link may point at without being broken, although nothing is there.",
        local_only=True,
        widens=True,
    ),
    Key(
        "allow_edit_sm_files",
        "flag",
        False,
        "Let Cairn edit sidecar files without asking each time.",
        local_only=True,
        widens=True,
    ),
    Key("allow_sidecar_writers", "flag", True, "Let actions propose changes to sidecar files."),
    Key(
        "store.url",
        "text",
        None,
        "Where the database is: a path to an SQLite file, or a postgresql:// address.",
        nullable=True,
        local_only=True,
    ),
    Key(
        "corpora.*.root",
        "text",
        None,
        "Folder of a corpus, a tree of knowledge; without it the corpus's own name.",
        inside=True,
    ),
    Key(
        "corpora.*.layout",
        "text",
        None,
        "How its pages are arranged: `entries` (the default), `nodes`, `artefacts`, or `plain` for any documentation.",
        choices=("entries", "nodes", "artefacts", "plain"),
    ),
    Key(
        "corpora.*.required_sections",
        "texts",
        None,
        "Headings that each of its pages must have; `[]` for none. Without it `Deep Guidance` in the layout `entries`.",
    ),
    Key(
        "change.base",
        "text",
        None,
        "Branch that changes are made for; without it origin's main branch, else main, master, the one checked out.",
        nullable=True,
        local_only=True,
    ),
    Key(
        "change.forge",
        "text",
        "local",
        "Where change requests live: `local`, in the repository itself, or `github`, as pull requests (GITHUB_TOKEN).",
        local_only=True,
        widens=True,
        choices=("local", "github"),
    ),
    Key("change.max_open", "integer", 10, "As long as so many change requests are open, proposals wait.", minimum=1),
    Key("change.max_per_hour", "integer", 2, "At most so many proposals become change requests in an hour.", minimum=1),
    Key(
        "change.automerge",
        "texts",
        (),
        "Classes of changes that may land without a person, such as `confirmations`, `status`; none by default.",
        local_only=True,
        widens=True,
    ),
    Key(
        "freshness.max_per_run",
        "integer",
        10,
        "At most so many entries are put to readers by runs of a day, and so many change requests opened.",
        minimum=1,
    ),
    Key(
        "freshness.confirmations",
        "text",
        "batched",
        "What a run found to be right goes into one change request, or `each` into its own.",
        choices=("batched", "each"),
    ),
    Key(
        "freshness.plain",
        "text",
        "auto",
        "Whether a run also looks at the links of pages that are not ours to edit: `on`, `off`, or `auto` for corpora "
        "with at most 200 of them.",
        choices=("auto", "on", "off"),
    ),
    Key(
        "freshness.confirmation_days",
        "integer",
        28,
        "Between two requests that only confirm, a run pauses for 1, 2, 4 … days, at most for so many.",
        minimum=1,
    ),
    Key(
        "freshness.allowlist",
        "text",
        "file",
        "Hosts that count as authoritative: those of the repository's own `file`; where it has none, `packed` takes "
        "the list that comes with Cairn; `off` compares with none.",
        choices=("file", "packed", "off"),
    ),
    Key(
        "freshness.link_check.skip",
        "texts",
        (),
        "Sources that `cairn freshness link-check` passes over: a URL, or a host with all below it.",
    ),
    Key(
        "freshness.state",
        "text",
        "off",
        "What runs know of sources is also kept on the ref `refs/cairn/state`: `local`, or `push` to origin with it.",
        local_only=True,
        widens=True,
        choices=("off", "local", "push"),
    ),
    Key("freshness.snapshots.days", "integer", 180, "How long texts of sources that nobody needs any more are kept."),
    Key(
        "freshness.snapshots.max_bytes",
        "integer",
        209_715_200,
        "What all kept texts may take; beyond, those that nobody needs go, the oldest first.",
    ),
    Key(
        "observe.disabled_lenses",
        "texts",
        (),
        "Lenses that never look, also when an audit asks for them by name; such as `I-knowledge-gaps`.",
    ),
    Key(
        "observe.fix_threshold",
        "text",
        "P2",
        "How grave an open finding must be to stand in the way: it, and everything graver.",
        choices=("P0", "P1", "P2", "P3"),
    ),
    Key(
        "observe.reports",
        "text",
        "docs/audits",
        "Folder that gets the reports of audits.",
        inside=True,
    ),
    Key(
        "observe.fix_command",
        "text",
        None,
        "Program that `observe audit --fix` lets edit files, such as `claude -p`; gets one finding on standard input.",
        nullable=True,
        local_only=True,
        widens=True,
    ),
    Key("observe.fix_timeout_seconds", "integer", 300, "How long it may take for one attempt.", minimum=1),
    Key("observe.fix_attempts", "integer", 3, "How often it may try to mend one finding.", minimum=1),
    Key(
        "observe.preset",
        "text",
        "auto",
        "How easily a missing topic counts as a gap: for one person (`solo`), a `team`, a `hub` of many projects, or "
        "`auto` by who reports.",
        choices=("auto", "solo", "team", "hub"),
    ),
    Key(
        "observe.knowledge_root",
        "text",
        None,
        "Folder of the entries that gaps are compared with; without it the corpora of the workspace. One outside of "
        "the repository may only stand in settings.local.json or the environment.",
        nullable=True,
    ),
    Key("observe.lessons", "text", "tasks/lessons.md", "File of lessons that is read for topics, too.", inside=True),
    Key("observe.gap_tail", "flag", True, "Let prompts end with the request to say what was not found."),
    Key("observe.phase_audit.enabled", "flag", True, "Audit the documents when a phase is complete."),
    Key(
        "observe.phase_audit.phases",
        "texts",
        (
            "user-stories",
            "tech-stack",
            "coding-standards",
            "design-system",
            "implementation-plan",
            "implementation-playbook",
        ),
        "Phases whose end starts an audit.",
    ),
    Key("observe.phase_audit.timeout_seconds", "integer", 60, "How long such an audit may take.", minimum=1),
    Key("observe.phase_audit.detached", "flag", False, "Start such an audit beside, and wait for nothing."),
    Key(
        "retrieve.context_budget",
        "integer",
        800,
        "Tokens that the briefing of a new session may cost, all of it counted; 0 for no briefing, 8,000 at most.",
    ),
    Key(
        "retrieve.log",
        "flag",
        True,
        "Write down in the ledger of this work tree what is searched and read, without secrets; nobody collects it.",
    ),
    Key(
        "retrieve.misses",
        "flag",
        True,
        "Count questions that nothing here answers as signals of gaps; `CAIRN_GAP_SIGNAL_QUIET=1` and "
        "`observe.gap_tail: false` stop it, too.",
    ),
    Key(
        "retrieve.embeddings",
        "text",
        "off",
        "Let search look at what pages mean, too: with a model of the extra `embeddings`, or by `embed_command`.",
        choices=("off", "wordllama", "minilm", "command"),
    ),
    Key(
        "retrieve.embed_command",
        "text",
        None,
        "Program that makes vectors; it reads lines of JSON with texts of pages and questions, and writes some.",
        nullable=True,
        local_only=True,
        widens=True,
    ),
    Key("capture.enabled", "flag", True, "Let hooks of agents record turns and sessions here."),
    Key(
        "capture.ask",
        "text",
        "never",
        "`once`: at the end of a turn without a note the agent is asked for one, which costs a turn of its model.",
        local_only=True,
        widens=True,
        choices=("never", "once"),
    ),
    Key(
        "capture.skip_reasons",
        "texts",
        (),
        "Reasons for no note that are accepted beside `routine-heartbeat`, `duplicate-signal`, `no-new-information`.",
    ),
    Key(
        "capture.score_threshold",
        "integer",
        30,
        "Notes that nobody asked for and that score less (of 100) are only shown when asked for.",
    ),
    Key("capture.low_days", "integer", 14, "How long such notes are kept in what can be found.", minimum=1),
    Key("capture.grace_minutes", "integer", 10, "How old a turn without an outcome is before it counts as missing."),
    Key(
        "capture.alert_command",
        "text",
        None,
        "Program that is run when the watchdog raises an alert; gets the alert as JSON on its standard input.",
        nullable=True,
        local_only=True,
        widens=True,
    ),
    Key(
        "capture.telemetry",
        "text",
        "off",
        "Send what happens to turns as OpenTelemetry: to the `console` (stderr), or by `otlp` to a collector.",
        local_only=True,
        widens=True,
        choices=("off", "console", "otlp"),
    ),
    Key("capture.session_days", "integer", 90, "How long the log of a session is kept after it was last added to."),
    Key(
        "capture.session_max_bytes",
        "integer",
        33_554_432,
        "How long the log of one session may become; what is said beyond that is not kept.",
        minimum=1,
    ),
    Key("capture.ledger_days", "integer", 730, "How long events of the ledger are kept, notes among them.", minimum=1),
    Key(
        "capture.ledger_max_bytes",
        "integer",
        1_073_741_824,
        "What the ledger may take; beyond, files that are full go, the oldest first.",
        minimum=1,
    ),
    Key("capture.log_days", "integer", 30, "How long logs of crashes and of hooks are kept.", minimum=1),
    Key(
        "curate.threshold",
        "integer",
        5,
        "When so many sessions wait for the curator, the briefing of a new session says so.",
        minimum=1,
    ),
    Key(
        "curate.lint_every_sessions",
        "integer",
        50,
        "After so many sessions `cairn status` says that a lint is due; 0 for never.",
    ),
    Key(
        "judge.with",
        "text",
        None,
        "Who answers questions: `claude`, `codex`, `opencode`, `gemini`, `anthropic`, `openai-compatible`, `ollama`, "
        "`deepseek`, `zai` or `command:PROGRAM`; null: the one that is there.",
        nullable=True,
        local_only=True,
        widens=True,
    ),
    Key(
        "judge.model",
        "text",
        None,
        "The model of the reader; null: as the reader chooses.",
        nullable=True,
        local_only=True,
    ),
    Key(
        "judge.budget",
        "text",
        None,
        "What readers may cost a day: tokens like `500k`, or money like `$2`; null: no ceiling.",
        nullable=True,
        local_only=True,
        widens=True,
    ),
    Key(
        "judge.when",
        "text",
        "ask",
        "When questions are answered: when somebody asks for it, also after each session, or never.",
        local_only=True,
        widens=True,
        choices=("ask", "session-end", "never"),
    ),
    Key(
        "judge.agent_outside",
        "flag",
        False,
        "Let the agent at work, which has tools, read questions about web pages and output of tools.",
        local_only=True,
        widens=True,
    ),
    Key("jobs.ttl_seconds", "integer", 3_600, "Seconds that an action takes which names no time.", minimum=1),
    Key("jobs.grace_multiplier", "integer", 3, "A claimed job may take so many times as long as expected.", minimum=1),
    Key("jobs.minimum_ttl_seconds", "integer", 60, "Seconds that a claimed job may always take.", minimum=1),
    Key("jobs.per_action_ttl.*", "integer", None, "Seconds that a job of this action may take.", minimum=1),
    Key("jobs.per_action_priority.*", "integer", None, "Jobs of higher priority are claimed first.", minimum=-(2**31)),
    Key("jobs.retention.completed", "integer", 2_592_000, "Seconds until completed jobs are pruned.", nullable=True),
    Key("jobs.retention.failed", "integer", None, "Seconds until failed jobs are pruned; null: never.", nullable=True),
    *TRUST_KEYS,
    Key("plugins.*.enabled", "flag", None, "Switch a plugin on or off.", lives_locally=True),
    Key("plugins.*.extensions.*.enabled", "flag", None, "Switch one extension on or off.", lives_locally=True),
    Key("plugins.*.extensions.*.settings.*", "any", None, "A setting that the extension declares.", nullable=True),
)


class Branch(NamedTuple):
    """A place in the tree of keys where more names follow."""

    children: dict[str, "Branch | Key"]

    def step(self, part: str) -> tuple[str, "Branch | Key"] | None:
        """The child of that name in its normal spelling; camelCase of a known name is understood."""
        for spelling in (part, snake_case(part)):
            if spelling in self.children and spelling != "*":
                return spelling, self.children[spelling]
        return (part, self.children["*"]) if "*" in self.children and part else None


def snake_case(name: str) -> str:
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")


def _grow(keys: Sequence[Key]) -> Branch:
    tree = Branch({})
    for key in keys:
        branch = tree
        for part in key.parts[:-1]:
            child = branch.children.setdefault(part, Branch({}))
            assert isinstance(child, Branch), key.name
            branch = child
        branch.children[key.parts[-1]] = key
    return tree


TREE = _grow(KEYS)
BY_NAME = {key.name: key for key in KEYS if not key.open}


def find_key(name: str) -> tuple[str, Key] | None:
    """The key of a dotted name and the name's normal spelling; None when there is no such key."""
    place: Branch | Key = TREE
    spelled: list[str] = []
    for part in name.split("."):
        found = place.step(part) if isinstance(place, Branch) else None
        if found is None:
            return None
        spelled.append(found[0])
        place = found[1]
    return (".".join(spelled), place) if isinstance(place, Key) else None


def known_names(like: str = "") -> Iterator[str]:
    """Names to suggest; a `*` takes the matching part of `like`, so that the suggestion can be used as it is."""
    wanted = like.split(".")
    for key in KEYS:
        parts = [w if p == "*" else p for p, w in zip(key.parts, wanted + ["…"] * len(key.parts), strict=False)]
        yield ".".join(parts)
