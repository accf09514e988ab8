"""Every command with its one line of help, so that `cairn --help` imports none of them."""

from typing import NamedTuple


class Command(NamedTuple):
    name: str
    group: str
    module: str
    """File under `cairn/cli/commands`; it has the click command as `command`."""
    help: str
    """One line, for the list; the command's own page says more."""


class GlobalOption(NamedTuple):
    """An option that every command understands, before or after the command's name."""

    name: str
    flags: tuple[str, ...]
    metavar: str | None
    help: str


GROUPS = ("start", "map", "find", "capture", "curate", "refresh", "observe", "trust", "change", "run")

COMMANDS: tuple[Command, ...] = (
    Command("try", "start", "try", "See the best findings about any repository; writes nothing."),
    Command("init", "start", "init", "Make a workspace here and scan it."),
    Command("status", "start", "status", "See what waits for you, what happened, and how things are."),
    Command("doctor", "start", "doctor", "Check that everything Cairn needs is in order."),
    Command("demo", "start", "demo", "Show the whole loop on a sample workspace."),
    Command("config", "start", "config", "Show and change settings, and where each comes from."),
    Command("version", "start", "version", "Show version information."),
    Command("completion", "start", "completion", "Print a completion script for your shell."),
    Command("help", "start", "help", "Explain a command; as JSON or Markdown, all of them."),
    Command("forget", "start", "forget", "Take something out of everything that Cairn keeps, and prove it."),
    Command("uninstall", "start", "uninstall", "Remove the workspace without a trace."),
    Command("scan", "map", "scan", "Bring the graph up to date with the files."),
    Command("check", "map", "check", "Scan, and list what is wrong."),
    Command("watch", "map", "watch", "Scan again whenever files change."),
    Command("list", "map", "list", "List nodes, by kind, tag, path or issue."),
    Command("show", "map", "show", "Show everything about one node."),
    Command("graph", "map", "graph", "Draw the graph, or what is around a node."),
    Command("export", "map", "export", "Write out the part of the graph that a query names."),
    Command("refresh", "map", "refresh", "Read some files again and say what changed."),
    Command("orphans", "map", "orphans", "List deleted files that still have stored data."),
    Command("reconcile", "map", "reconcile", "Record that a missing file was renamed."),
    Command("undo-rename", "map", "undo_rename", "Undo a recorded rename."),
    Command("plugins", "map", "plugins", "List, explain, switch and check plugins."),
    Command("db", "map", "db", "Back up, restore, empty or migrate the database."),
    Command("search", "find", "search", "Find the pages that answer a question."),
    Command("context", "find", "context", "Print what an agent should know before it begins, within a budget."),
    Command("agent", "capture", "agent", "Let agents call Cairn: install, remove and try their hooks."),
    Command("hook", "capture", "hook", "What agents call; reads their JSON on stdin."),
    Command("session", "capture", "session", "Keep what was said in sessions of agents, and look at it."),
    Command("logs", "capture", "logs", "Another name for `cairn session prune`."),
    Command("note", "capture", "note", "Write down what a turn brought, or why nothing is worth it."),
    Command("knowledge", "capture", "knowledge", "Another name for `cairn note`."),
    Command("turns", "capture", "turns", "See whether every turn left a trace, and what the traces say."),
    Command("curate", "curate", "curate", "Make pages of what sessions and notes said."),
    Command("bootstrap", "curate", "bootstrap", "Make pages of what the documents here say."),
    Command("conflict", "curate", "conflict", "Resolve conflicts between sessions and pages."),
    Command("import", "curate", "import", "Bring in what agents were told to remember, or an older base."),
    Command("entry", "curate", "entry", "Make a page of knowledge."),
    Command("node", "curate", "node", "Another name for `cairn entry`."),
    Command("index", "curate", "index", "Make the documents that list the nodes of a base."),
    Command("lint", "curate", "lint", "Find relations, names and tags of pages that don't fit together."),
    Command("freshness", "refresh", "freshness", "Check pages of knowledge, and record that they are still right."),
    Command("observe", "observe", "observe", "Find what does not fit together, and tell what happened."),
    Command("gaps", "observe", "gaps", "List missing topics, and draft pages for them."),
    Command("scrub", "trust", "scrub", "Take secrets and personal data out of a text."),
    Command("change", "change", "change", "Look at the changes that wait, and decide about them."),
    Command("mcp", "run", "mcp", "Serve knowledge to agents over the Model Context Protocol."),
    Command("lock", "run", "lock", "See who is at work, and take a lock away that was left behind."),
)

GLOBAL_OPTIONS: tuple[GlobalOption, ...] = (
    GlobalOption("json", ("--json",), None, "JSON on stdout, also for errors (or CAIRN_JSON=1)."),
    GlobalOption("verbose", ("-v", "--verbose"), None, "Say more; -vv and -vvv say even more."),
    GlobalOption("quiet", ("-q", "--quiet"), None, "Only data and errors."),
    GlobalOption("no_color", ("--no-color",), None, "No colours (or NO_COLOR=1)."),
    GlobalOption("directory", ("-C", "--directory"), "DIR", "Work as if started in DIR."),
    GlobalOption("db", ("--db",), "PATH", "Another database (or CAIRN_DB)."),
    GlobalOption("version", ("--version",), None, "Print the version."),
)
