"""The commands with their groups, the pages that list them, and the exit codes."""

from collections.abc import Sequence
from typing import NamedTuple


class CommandRow(NamedTuple):
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

COMMANDS: tuple[CommandRow, ...] = (
    CommandRow("try", "start", "try", "Print the best findings about any repository; writes nothing."),
    CommandRow("init", "start", "init", "Create a workspace here and scan it."),
    CommandRow("status", "start", "status", "Show what is waiting for you, and the state of the workspace."),
    CommandRow("doctor", "start", "doctor", "Check that everything Cairn needs is in order."),
    CommandRow("demo", "start", "demo", "Run the main commands on a sample repository."),
    CommandRow("config", "start", "config", "Show and change settings, with the source of each value."),
    CommandRow("version", "start", "version", "Show version information."),
    CommandRow("completion", "start", "completion", "Print a completion script for your shell."),
    CommandRow("help", "start", "help", "Explain a command, or list all commands."),
    CommandRow("forget", "start", "forget", "Delete something from everything that Cairn stores, and prove it."),
    CommandRow("uninstall", "start", "uninstall", "Remove the workspace without a trace."),
    CommandRow("scan", "map", "scan", "Update the graph from the files."),
    CommandRow("check", "map", "check", "List findings, or the sentences that a change puts in doubt."),
    CommandRow("findings", "map", "findings", "List every finding: of checks, of audits, and of reports of jobs."),
    CommandRow("watch", "map", "watch", "Scan again whenever files change."),
    CommandRow("list", "map", "list", "List documents, by kind, tag, path or finding."),
    CommandRow("show", "map", "show", "Show everything about one document."),
    CommandRow("graph", "map", "graph", "Draw the map of the repository."),
    CommandRow("export", "map", "export", "Export the part of the graph that a query selects."),
    CommandRow("refresh", "map", "refresh", "Read some files again and report what changed."),
    CommandRow("orphans", "map", "orphans", "List deleted files that still have stored data."),
    CommandRow("reconcile", "map", "reconcile", "Record that a missing file was renamed."),
    CommandRow("undo-rename", "map", "undo_rename", "Undo a recorded rename."),
    CommandRow("plugins", "map", "plugins", "List, explain, enable, disable and check plugins."),
    CommandRow("db", "map", "db", "Back up, restore, reset or migrate the database."),
    CommandRow("search", "find", "search", "Find the pages that answer a question."),
    CommandRow("context", "find", "context", "Print a briefing for an agent, within a token budget."),
    CommandRow("agent", "capture", "agent", "Connect coding agents: install, test and remove their hooks."),
    CommandRow("hook", "capture", "hook", "Handle a hook call of an agent; reads JSON on stdin."),
    CommandRow("session", "capture", "session", "Capture, list, show and delete session logs of agents."),
    CommandRow("logs", "capture", "logs", "Another name for `cairn session prune`.", alias=True),
    CommandRow("note", "capture", "note", "Record the outcome of a turn, or why there is none."),
    CommandRow("knowledge", "capture", "knowledge", "Another name for `cairn note`.", alias=True),
    CommandRow("turns", "capture", "turns", "Report turns without an outcome, and list the others."),
    CommandRow("curate", "curate", "curate", "Propose pages from sessions and notes."),
    CommandRow("bootstrap", "curate", "bootstrap", "Propose pages from the documents of this repository."),
    CommandRow("conflict", "curate", "conflict", "Resolve conflicts between sessions and pages."),
    CommandRow("import", "curate", "import", "Adopt memory files of agents, or an older knowledge base."),
    CommandRow("entry", "curate", "entry", "Create a page of knowledge."),
    CommandRow("node", "curate", "node", "Another name for `cairn entry`.", alias=True),
    CommandRow("index", "curate", "index", "Build the documents that list the pages of a base."),
    CommandRow("lint", "curate", "lint", "Check relations, names and tags of pages."),
    CommandRow("freshness", "refresh", "freshness", "Compare pages with their sources, and record reviews."),
    CommandRow("observe", "observe", "observe", "Audit all documents together, and read the event log."),
    CommandRow("gaps", "observe", "gaps", "List missing topics, and draft pages for them."),
    CommandRow("trust", "trust", "trust", "Show what pages have earned, and let ballots decide."),
    CommandRow("approve", "trust", "approve", "Approve pages for briefings, and list what waits."),
    CommandRow("scrub", "trust", "scrub", "Remove secrets and personal data from a text."),
    CommandRow("change", "change", "change", "Review, merge or close proposed changes."),
    CommandRow("judge", "run", "judge", "Have the questions that wait answered by an agent or a model."),
    CommandRow("job", "run", "job", "Ask questions about documents, and see what became of them."),
    CommandRow("record", "run", "record", "Record the answer to a job."),
    CommandRow("history", "run", "history", "List jobs that ended, and count tokens and failures."),
    CommandRow("actions", "run", "actions", "List what can be asked about documents."),
    CommandRow("mcp", "run", "mcp", "Serve the workspace to agents over the Model Context Protocol."),
    CommandRow("lock", "run", "lock", "Show who holds the lock, and remove a stale one."),
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

TITLE = "Cairn: the knowledge base that AI agents write, and that keeps itself true."
_USAGE = "Usage: cairn [OPTIONS] COMMAND [ARGS]…"


def top_page() -> str:
    """The commands that most people need, in the order in which they need them."""
    by_name = {command.name: command for command in COMMANDS}
    options = [(", ".join(o.flags) + (f" {o.metavar}" if o.metavar else ""), o.help) for o in GLOBAL_OPTIONS]
    options.append(("-h, --help", "Show this page, or a command's own."))
    return _page(
        _section("commands", _rows([by_name[name] for name in FIRST])),
        _section("options (before or after the command)", options),
        "`cairn COMMAND --help` explains a command, with examples and exit codes.\n"
        "`cairn help --all` lists all commands.",
    )


def full_page() -> str:
    """Every command, by group; other names of a command are left out."""
    shown = [(group, [c for c in COMMANDS if c.group == group and not c.alias]) for group in GROUPS]
    return _page(
        *(_section(group, _rows(commands)) for group, commands in shown if commands),
        "`cairn COMMAND --help` explains a command. `cairn --help` lists the options of every command.",
    )


def _page(*parts: str) -> str:
    return "\n\n".join([f"{_USAGE}\n\n{TITLE}", *parts]) + "\n"


def _rows(commands: Sequence[CommandRow]) -> list[tuple[str, str]]:
    return [(command.name, command.help) for command in commands]


def _section(title: str, rows: list[tuple[str, str]]) -> str:
    width = max(22, *(len(left) for left, _ in rows))
    return "\n".join([f"{title[0].upper()}{title[1:]}:", *(f"  {left:<{width}}  {right}" for left, right in rows)])


EXITS: dict[int, str] = {
    0: "all is fine",
    1: "there are findings, or Cairn refused",
    2: "bad usage, configuration or environment",
    3: "conflict or duplicate",
    4: "wrong token or nonce",
    5: "not found",
    70: "an error inside Cairn; a log to paste was written",
    130: "stopped by ^C",
}

ALWAYS = (70, 130)
"""Any command can end like this, so their pages don't repeat it."""
