"""Makes what is generated: pages of commands, settings and extensions, and the first answers of `cairn mcp`.

`make docs` writes them, a test compares them."""

import json
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import Any

from cairn.cli.commands.help import markdown
from cairn.cli.describe import describe_all
from cairn.cli.main import root_group
from cairn.cli.table import ALWAYS, EXITS, GROUPS
from cairn.config.key import Key
from cairn.config.keys import KEYS
from cairn.config.schema import settings_schema
from cairn.config.settings import VARIABLES, variable_of
from cairn.core.extension_points import EXTENSION_KINDS, ExtensionRef, Manifest, Plugin, ProviderManifest
from cairn.extensions import BUILT_INS
from cairn.graph.findings.visible import KERNEL_RULES
from cairn.mcp.recorded import listing

HERE = Path(__file__).parent
NOTE = "<!-- Made by docs/build.py; run `make docs` after a change. -->"

SWITCHES = {
    "CAIRN_OFF": "Hooks of agents do nothing, and neither notes of turns nor questions are written down.",
    "CAIRN_JSON": "As if `--json` was given.",
    "NO_COLOR": "No colours, whatever its value.",
    "CAIRN_DISABLE_ALL_PROVIDERS": "No provider runs, so that there are no nodes.",
    "CAIRN_DISABLE_ALL_EXTRACTORS": "No extractor runs, so that there are no links.",
    "CAIRN_DISABLE_ALL_ANALYZERS": "No analyzer runs, so that there are no issues but those of reading.",
}
"""What `config/switches.py` reads; a test compares."""

OPERATOR = {
    "CAIRN_INTERNAL": "Hooks of agents do nothing, as with CAIRN_OFF; set for programs that Cairn itself starts, so"
    " that their work is no turn.",
    "CAIRN_HOOK_DETACH": "`0`: hooks record, and leave it to `cairn hook drain` to write the notes.",
    "CAIRN_STATE_HOME": "Folder for your approvals; without it `$XDG_STATE_HOME/cairn` or `~/.local/state/cairn`.",
    "CAIRN_AGENT": "Who writes a note by `cairn note`, where `--agent` does not say.",
    "CAIRN_SESSION": "The session that a note belongs to, where `--session` does not say.",
    "OTEL_EXPORTER_OTLP_ENDPOINT": "The collector for `capture.telemetry: otlp`; without it `http://localhost:4318`.",
    "CAIRN_GAP_SIGNAL_QUIET": "`1`: prompts don't ask agents to say what they did not find.",
    "CAIRN_FETCH_ALLOW": "`host:port,…` that may be fetched although they are inside, or on an unusual port.",
    "CAIRN_FETCH_AUTH": "`host=secret` words: passwords and tokens for single hosts.",
    "CAIRN_FETCH_PROXY": "`http://[user:password@]host:port` through which pages are fetched.",
    "CAIRN_FAULT": "For tests of Cairn itself: ends the process at that moment, or with `:ENOSPC` fails there.",
    "CAIRN_FAULT_LOG": "File that gets a line for each such moment.",
    "CAIRN_JUDGE_PRICE": "Dollars for a million tokens read and written, like `0.60/2.20`; for a budget in money.",
    "CAIRN_JUDGE_FALLBACK": "Reader that answers when the first one can't, this time.",
    "CAIRN_JUDGE_REPLAY": "Folder with recorded answers for the reader `replay`.",
    "GITHUB_TOKEN": "For `change.forge: github`; may write contents, pull requests and issues. Or `GH_TOKEN`.",
    "GITHUB_REPOSITORY": "`owner/name` there; without it, where the remote `origin` leads.",
    "GITHUB_API_URL": "Of a GitHub that is not github.com, such as `https://github.example.org/api/v3`.",
    "GITHUB_STEP_SUMMARY": "File to which `freshness run` and gates add a page for the people who open the job.",
}
"""Of whoever runs Cairn, and of nobody else: no file of a repository can say these. A test looks for others."""


def pages() -> dict[str, str]:
    made = {"cli": commands(), "config": settings(), "extensions": extensions(), "gates": gates()}
    texts = {f"reference/{name}.md": "\n".join([*lines]).rstrip("\n") + "\n" for name, lines in made.items()}
    schema = json.dumps(settings_schema(), indent=2, ensure_ascii=False) + "\n"
    return {**texts, "schemas/settings.schema.json": schema, "../src/cairn/mcp/listing.json": listing()}


# --- gates ----------------------------------------------------------------------------------------------------------

VERSIONS = """
## The version of a corpus

A corpus that has a file `VERSION` in its root, with a version such as `1.4.2` in it, gets a request that raises it
after every merge of a request whose branch starts with `knowledge-freshness/` or that has the label
`knowledge-freshness`. A line `BREAKING CHANGE:` makes it major, a title `feat(knowledge):` minor, everything else a
patch. What has to be counted is worked out from the merged requests each time, so merges that come close together, a
bump that was closed and a process that was killed lose nothing. `cairn freshness bump-version` shows what would come,
`--apply` opens the request."""


def gates() -> Iterator[str]:
    from cairn.app.gates import GATES
    from cairn.changes.gate_registry import registered

    yield from ("# Gates", "", NOTE, "", "Every change is judged by all of these before it can land;")
    yield from ("[how knowledge changes](../how-to/changes.md) says when, and what comes of it.", "")
    yield from ("| gate | command that runs it alone |", "|---|---|")
    yield from (f"| [`{gate.id}`](#{gate.id}) | {ALONE.get(gate.id, '')} |" for gate in registered(GATES))
    for gate in registered(GATES):
        yield from ("", f"## {gate.id}", "", cleandoc(type(gate).__doc__ or ""))
    yield VERSIONS


ALONE = {
    "validate": "`cairn freshness validate`",
    "link-check": "`cairn freshness link-check`",
    "unsourced": "`cairn freshness lint-unsourced`",
    "anti-over-rewrite": "`cairn freshness anti-over-rewrite`",
    "deep-guidance": "`cairn freshness deep-guidance-check`",
    "secrets": "`cairn scrub --check`, [explained here](../how-to/scrub.md)",
}


# --- commands -------------------------------------------------------------------------------------------------------


def commands() -> Iterator[str]:
    everything = describe_all(root_group())
    yield from ("# Commands", "", NOTE, "", "`cairn help COMMAND` shows the same in the terminal.", "")
    yield from ("## Options of every command", "")
    yield from table(("option", "meaning"), [(f"`{', '.join(o['flags'])}`", o["help"]) for o in everything["options"]])
    yield from ("## Exit codes", "", "One meaning each, for every command.", "")
    yield from table(("code", "meaning"), [(str(code), meaning) for code, meaning in EXITS.items()])
    both = " and ".join(map(str, ALWAYS))
    yield from (f"Any command can end with {both}; the sections below don't say so again.", "")
    for group in GROUPS:
        members = [entry for entry in everything["commands"] if entry["group"] == group]
        if members:
            yield from (f"## {group.capitalize()}", "")
        for entry in members:
            yield from markdown(_own(entry), 3)


def _own(entry: dict[str, Any]) -> dict[str, Any]:
    """Without the exit codes that every command has."""
    codes = [code for code in entry["exitCodes"] if code["code"] not in ALWAYS]
    return {**entry, "exitCodes": codes, "commands": [_own(below) for below in entry["commands"]]}


# --- settings -------------------------------------------------------------------------------------------------------


def settings() -> Iterator[str]:
    yield from ("# Settings", "", NOTE, "")
    yield (
        "Each value comes from the last of these that names it: the defaults, `.cairn/settings.json` (committed), "
        "`.cairn/settings.local.json` (this machine), the environment, the options of a command. "
        "`cairn config show KEY --source` says which it was. Lists replace each other, objects are merged. "
        'In files a dot is a level: `scan.strict` is `{"scan": {"strict": true}}`.'
    )
    yield from ("", "## Keys", "")
    yield from table(
        ("key", "value", "default", "meaning", "where"),
        [(f"`{k.name}`", k.expected, f"`{_json(k.default)}`", k.description, _where(k)) for k in KEYS],
    )
    yield from ("A `*` stands for a name: of a plugin, an extension, one of its settings.", "")
    yield from ("## Environment", "", "Empty means unset.", "")
    yield from table(
        ("variable", "meaning"),
        [
            *((f"`{name}`", f"`{key.name}`") for name, key in sorted(VARIABLES.items())),
            *((f"`{name}`", text) for name, text in SWITCHES.items()),
            *((f"`{name}`", text) for name, text in sorted(OPERATOR.items())),
        ],
    )


def _json(value: object) -> str:
    return json.dumps(value)


def _where(key: Key) -> str:
    words = []
    if key.local_only:
        words.append("local file only")
    elif key.lives_locally:
        words.append("both files; `config set` writes the local one")
    if key.widens:
        words.append("asks before it is set")
    return "; ".join(words) or ("anywhere" if variable_of(key) in VARIABLES else "both files")


# --- extensions -----------------------------------------------------------------------------------------------------


def extensions() -> Iterator[str]:
    plugins: list[Plugin] = [import_module(name).PLUGIN for name in BUILT_INS]
    yield from ("# Extensions", "", NOTE, "")
    yield (
        "What comes with Cairn. `cairn plugins list` shows what is plugged in where you are, "
        "`cairn plugins disable ID` switches one off. [Write your own](../how-to/add-an-analyzer.md)."
    )
    yield ""
    yield from table(("plugin", "version", "what it is"), [(f"`{p.id}`", p.version, p.description) for p in plugins])
    for kind in EXTENSION_KINDS:
        found = [(plugin, ref) for plugin in plugins for ref in plugin.extensions if ref.kind == kind]
        if found:
            yield from (f"## {kind.capitalize()}s", "")
            yield from _section(kind, found)
    yield from ("## Issues of reading", "", "Found while files are walked, read and compared, by no analyzer.", "")
    yield from table(("issue", "meaning"), [(f"`{rule}`", text) for rule, text in KERNEL_RULES.items()])


def _section(kind: str, found: Sequence[tuple[Plugin, ExtensionRef]]) -> Iterator[str]:
    if kind == "analyzer":
        for plugin, ref in found:
            yield from _analyzer(plugin, ref)
        return
    yield from table(
        ("id", "what it does", "details"),
        [(f"`{p.id}/{ref.id}`", _manifest(ref).description, _details(_manifest(ref))) for p, ref in found],
    )


def _analyzer(plugin: Plugin, ref: ExtensionRef) -> Iterator[str]:
    """Its docstring: a sentence, then parts with an indented text each."""
    manifest = _manifest(ref)
    lines = cleandoc(type(import_module(ref.module).extension).__doc__ or "").splitlines()
    yield from (f"### {ref.id}", "", lines[0], "")
    yield from (f"`{plugin.id}/{ref.id}` {manifest.version}, {_details(manifest)}.", "")
    for part in "\n".join(lines[1:]).strip().split("\n\n"):
        title, _, text = part.partition("\n")
        yield from (f"**{title}.** {' '.join(text.split())}", "")


def _manifest(ref: ExtensionRef) -> Any:
    manifest: Manifest = import_module(ref.module).extension.manifest
    return manifest


def _details(manifest: Any) -> str:
    words = []
    if hasattr(manifest, "phase"):
        words.append(f"phase {manifest.phase}, reach {manifest.reach}")
    if isinstance(manifest, ProviderManifest):
        words += [f"kinds {', '.join(manifest.kinds)}"] if manifest.kinds else ["no files of its own"]
        words += [f"found by {', '.join(f'`{marker}`' for marker in manifest.markers)}"] if manifest.markers else []
    if getattr(manifest, "content_type", None):
        words.append(manifest.content_type)
    wanted = getattr(manifest, "precondition", None)
    if wanted is not None:
        words += [f"while {' or '.join(wanted.provider)} is active"] if wanted.provider else []
        words += [f"on {', '.join(wanted.kind)}"] if wanted.kind else []
    words += [
        f"setting `{name}`: {setting.description or setting.label}" for name, setting in manifest.settings.items()
    ]
    if not manifest.on_by_default:
        words.append(f"{manifest.stability}, off unless enabled")
    return "; ".join(words) or "always"


# --- the files ------------------------------------------------------------------------------------------------------


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(header)} |"
    yield f"|{'---|' * len(header)}"
    yield from (f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)
    yield ""


def main() -> int:
    for name, text in pages().items():
        path = HERE / name
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            sys.stdout.write(f"wrote docs/{name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
