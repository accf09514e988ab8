"""Every command with its one line of help, so that `cairn --help` imports none of them."""

from typing import NamedTuple


class Command(NamedTuple):
    name: str
    group: str
    module: str
    """File under `cairn/cli/commands`; it has the click command as `command`."""
    help: str
    """One line, for the list; the command's own page says more."""
    alias: bool = False
    """Another name for a command; it works, and no list shows it."""


class GlobalOption(NamedTuple):
    """An option that every command understands, before or after the command's name."""

    name: str
    flags: tuple[str, ...]
    metavar: str | None
    help: str


GROUPS = ("start", "map", "find", "capture", "curate", "refresh", "observe", "trust", "change", "run")

COMMANDS: tuple[Command, ...] = (
    Command("try", "start", "try", "Print the best findings about any repository; writes nothing."),
    Command("init", "start", "init", "Create a workspace here and scan it."),
    Command("status", "start", "status", "Show what is waiting for you, and the state of the workspace."),
    Command("doctor", "start", "doctor", "Check that everything Cairn needs is in order."),
    Command("demo", "start", "demo", "Run the main commands on a sample repository."),
    Command("config", "start", "config", "Show and change settings, with the source of each value."),
    Command("version", "start", "version", "Show version information."),
    Command("completion", "start", "completion", "Print a completion script for your shell."),
    Command("help", "start", "help", "Explain a command, or list all commands."),
    Command("forget", "start", "forget", "Delete something from everything that Cairn stores, and prove it."),
    Command("uninstall", "start", "uninstall", "Remove the workspace without a trace."),
    Command("scan", "map", "scan", "Update the graph from the files."),
    Command("check", "map", "check", "List findings, or the sentences that a change puts in doubt."),
    Command("findings", "map", "findings", "List every finding: of checks, of audits, and of reports of jobs."),
    Command("watch", "map", "watch", "Scan again whenever files change."),
    Command("list", "map", "list", "List documents, by kind, tag, path or finding."),
    Command("show", "map", "show", "Show everything about one document."),
    Command("graph", "map", "graph", "Draw the map of the repository."),
    Command("export", "map", "export", "Export the part of the graph that a query selects."),
    Command("refresh", "map", "refresh", "Read some files again and report what changed."),
    Command("orphans", "map", "orphans", "List deleted files that still have stored data."),
    Command("reconcile", "map", "reconcile", "Record that a missing file was renamed."),
    Command("undo-rename", "map", "undo_rename", "Undo a recorded rename."),
    Command("plugins", "map", "plugins", "List, explain, enable, disable and check plugins."),
    Command("db", "map", "db", "Back up, restore, reset or migrate the database."),
    Command("search", "find", "search", "Find the pages that answer a question."),
    Command("context", "find", "context", "Print a briefing for an agent, within a token budget."),
    Command("agent", "capture", "agent", "Connect coding agents: install, test and remove their hooks."),
    Command("hook", "capture", "hook", "Handle a hook call of an agent; reads JSON on stdin."),
    Command("session", "capture", "session", "Capture, list, show and delete session logs of agents."),
    Command("logs", "capture", "logs", "Another name for `cairn session prune`.", alias=True),
    Command("note", "capture", "note", "Record the outcome of a turn, or why there is none."),
    Command("knowledge", "capture", "knowledge", "Another name for `cairn note`.", alias=True),
    Command("turns", "capture", "turns", "Report turns without an outcome, and list the others."),
    Command("curate", "curate", "curate", "Propose pages from sessions and notes."),
    Command("bootstrap", "curate", "bootstrap", "Propose pages from the documents of this repository."),
    Command("conflict", "curate", "conflict", "Resolve conflicts between sessions and pages."),
    Command("import", "curate", "import", "Adopt memory files of agents, or an older knowledge base."),
    Command("entry", "curate", "entry", "Create a page of knowledge."),
    Command("node", "curate", "node", "Another name for `cairn entry`.", alias=True),
    Command("index", "curate", "index", "Build the documents that list the pages of a base."),
    Command("lint", "curate", "lint", "Check relations, names and tags of pages."),
    Command("freshness", "refresh", "freshness", "Compare pages with their sources, and record reviews."),
    Command("observe", "observe", "observe", "Audit all documents together, and read the event log."),
    Command("gaps", "observe", "gaps", "List missing topics, and draft pages for them."),
    Command("approve", "trust", "approve", "Approve pages for briefings, and list what waits."),
    Command("scrub", "trust", "scrub", "Remove secrets and personal data from a text."),
    Command("change", "change", "change", "Review, merge or close proposed changes."),
    Command("job", "run", "job", "Ask questions about documents, and see what became of them."),
    Command("record", "run", "record", "Record the answer to a job."),
    Command("history", "run", "history", "List jobs that ended, and count tokens and failures."),
    Command("actions", "run", "actions", "List what can be asked about documents."),
    Command("mcp", "run", "mcp", "Serve the workspace to agents over the Model Context Protocol."),
    Command("lock", "run", "lock", "Show who holds the lock, and remove a stale one."),
)

FIRST = ("try", "init", "check", "search", "status", "graph", "agent", "uninstall")
"""The commands that `cairn --help` lists; `cairn help --all` lists the others as well."""

GLOBAL_OPTIONS: tuple[GlobalOption, ...] = (
    GlobalOption("json", ("--json",), None, "JSON on stdout, also for errors (or CAIRN_JSON=1)."),
    GlobalOption("verbose", ("-v", "--verbose"), None, "Print more; -vv and -vvv print even more."),
    GlobalOption("quiet", ("-q", "--quiet"), None, "Print only data and errors."),
    GlobalOption("no_color", ("--no-color",), None, "No colours (or NO_COLOR=1)."),
    GlobalOption("directory", ("-C", "--directory"), "DIR", "Work as if started in DIR."),
    GlobalOption("db", ("--db",), "PATH", "Another database (or CAIRN_DB)."),
    GlobalOption("version", ("--version",), None, "Print the version."),
)
