"""`cairn plugins`: what is plugged in, switched on or off, and whether it keeps to the rules."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import argument, define, define_group
from cairn.cli.invocation import Invocation, confirmed
from cairn.cli.output import Output, columns, safe
from cairn.core.extension_points import folder_of
from cairn.errors import Refused, UsageError

if TYPE_CHECKING:
    from cairn.workspace.plugin_catalogue import PluginEntry
    from cairn.workspace.plugins import PluginDescription, PluginFinding

_WIDTH = 76


@define(
    "list",
    help="List every plugin: built in, installed, or in this project, and how many of its extensions are on.",
    examples=(
        ("cairn plugins list", "an overview"),
        ("cairn plugins list -v", "with every extension"),
        ("cairn plugins list --json", "for a program"),
    ),
)
def list_command(ctx: Invocation) -> int:
    from cairn.workspace.plugins import known_plugins

    with closing(ctx.app()) as app:
        plugins = known_plugins(app)
    if ctx.json:
        ctx.out.emit_json({"plugins": [plugin.json() for plugin in plugins]})
        return 0
    rows = [row for plugin in plugins for row in _rows(ctx, plugin)]
    ctx.out.table(rows, header=("plugin", "version", "origin", "status", "on", "extensions"))
    return 0


def _rows(ctx: Invocation, plugin: "PluginEntry") -> Iterator[list[str]]:
    on = f"{sum(e.enabled for e in plugin.extensions)}/{len(plugin.extensions)}"
    kinds = Counter(e.kind for e in plugin.extensions)
    what = ", ".join(f"{number} {kind if number == 1 else folder_of(kind)}" for kind, number in kinds.items())
    status = _status(ctx.out, plugin.status)
    yield [safe(plugin.id), safe(plugin.version), plugin.origin, status, on, what or safe(plugin.message)]
    if ctx.verbosity:
        for e in plugin.extensions:
            status = _status(ctx.out, e.status)
            yield [f"  {safe(e.id)}", safe(e.version), e.kind, status, "", safe(e.message or e.description)]


def _status(out: Output, status: str) -> str:
    color = {"enabled": "green", "disabled": "dim", "untrusted": "yellow"}.get(status, "red")
    return out.style(status, color)


@define(
    "show",
    help="Explain a plugin or an extension: what it declares, its settings, its documentation.",
    examples=(
        ("cairn plugins show core", "a plugin with its extensions"),
        ("cairn plugins show core/reference-broken", "one extension"),
        ("cairn plugins show external-url-counter", "by its own id, when only one plugin has it"),
    ),
    exits=(0, 2, 5),
)
@argument("id", help="`plugin`, or `plugin/extension`.")
def show_command(ctx: Invocation, id: str) -> int:
    from cairn.workspace.plugins import describe_plugin

    with closing(ctx.app()) as app:
        found = describe_plugin(app, id)
    if ctx.json:
        ctx.out.emit_json(found.json())
        return 0
    page = _plugin_page(ctx.out, found.plugin) if found.extension is None else _extension_page(ctx.out, found)
    ctx.out.data("\n".join(page))
    return 0


def _plugin_page(out: Output, plugin: "PluginEntry") -> Iterator[str]:
    head = f"{out.style(safe(plugin.id), 'bold')} {safe(plugin.version)}"
    yield f"{head} ({plugin.origin}, {_status(out, plugin.status)})"
    yield from (safe(text) for text in (plugin.description, plugin.message) if text)
    rows = [[safe(e.id), e.kind, _status(out, e.status), safe(e.message or e.description)] for e in plugin.extensions]
    if rows:
        yield from ("", *(f"  {line}" for line in columns(rows)))


def _extension_page(out: Output, found: "PluginDescription") -> Iterator[str]:
    extension = found.extension
    assert extension is not None
    facts = f"{extension.kind} {safe(extension.version)}, {extension.stability}, {_status(out, extension.status)}"
    yield f"{out.style(safe(extension.qualified), 'bold')} ({facts})"
    yield from (safe(text) for text in (extension.description, extension.message or found.plugin.message) if text)
    if found.loaded is None:
        return
    from cairn.workspace.plugins import declared, documentation

    yield from _section(out, "Manifest", list(_declared(declared(found.loaded.manifest))))
    yield from _section(out, "Settings", list(_settings(found)))
    text = documentation(found.loaded.extension)
    yield from _section(out, "Documentation", [safe(line) for line in text.splitlines()])


def _declared(values: dict[str, Any], depth: int = 0) -> Iterator[str]:
    """One line a field, wrapped; what is nested stands below its name."""
    from textwrap import wrap

    for name, value in values.items():
        start = f"{'  ' * depth}{safe(name)}"
        if isinstance(value, dict):
            yield start
            yield from _declared(value, depth + 1)
        else:
            yield from wrap(f"{start}: {_text(value)}", _WIDTH, subsequent_indent="  " * (depth + 1))


def _settings(found: "PluginDescription") -> Iterator[str]:
    for setting in found.settings():
        default = "" if setting["value"] == setting["default"] else f" (default {_text(setting['default'])})"
        yield f"{safe(setting['key'])} = {_text(setting['value'])}{default}"
        yield f"  {safe(setting['label'])}, {safe(setting['type'])}. {safe(setting['description'])}".rstrip()


def _section(out: Output, title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield from ("", out.style(title, "bold"), *(f"  {line}".rstrip() for line in lines))


def _text(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return safe(", ".join(value)) or "[]"
    return safe(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


_all = click.option("--all", "everything", is_flag=True, help="Every plugin that can run.")
_yes = click.option("--yes", is_flag=True, help="Don't ask before a plugin with several extensions is switched.")


@define(
    "enable",
    help="Switch plugins or extensions on, on this machine. A plugin stands for all its extensions.",
    examples=(
        ("cairn plugins enable core/mcp-tools", "one extension"),
        ("cairn plugins enable --all --yes", "everything, also what is experimental"),
    ),
    exits=(0, 1, 2, 5),
)
@argument("ids", nargs=-1, help="`plugin` or `plugin/extension`.")
@_all
@_yes
def enable_command(ctx: Invocation, ids: tuple[str, ...], everything: bool, yes: bool) -> int:
    return _switch(ctx, ids, everything, yes, wanted=True)


@define(
    "disable",
    help="Switch plugins or extensions off, on this machine. A plugin stands for all its extensions.",
    examples=(
        ("cairn plugins disable core/reference-redundant", "one extension"),
        ("cairn plugins disable antigravity", "a plugin"),
    ),
    exits=(0, 1, 2, 5),
)
@argument("ids", nargs=-1, help="`plugin` or `plugin/extension`.")
@_all
@_yes
def disable_command(ctx: Invocation, ids: tuple[str, ...], everything: bool, yes: bool) -> int:
    return _switch(ctx, ids, everything, yes, wanted=False)


def _switch(ctx: Invocation, ids: tuple[str, ...], everything: bool, yes: bool, *, wanted: bool) -> int:
    from cairn.core.paths import LOCAL
    from cairn.workspace.plugin_catalogue import sweeping
    from cairn.workspace.plugins import switch, targets_for

    word = "on" if wanted else "off"
    if everything == bool(ids):
        raise UsageError("Name plugins or extensions, or say --all.")
    with closing(ctx.app()) as app:
        targets = targets_for(app, ids, all=everything)
        wide = sweeping(targets)
        question = f"Switch all extensions of {', '.join(wide)} {word}?"
        if wide and not confirmed(ctx, question, yes=yes):
            raise Refused(f"`{wide[0]}` has several extensions; add --yes to switch them all {word}.", plugins=wide)
        done = switch(app, targets, wanted)
    if ctx.json:
        results = [{"id": one.id, "enabled": wanted, "changed": one.changed} for one in done]
        ctx.out.emit_json({"switched": results, "file": LOCAL})
        return 0
    for one in done:
        ctx.out.data(f"{safe(one.id)} is {word}{'' if one.changed else ' already'}")
    if any(one.changed for one in done):
        ctx.out.say(f"written to {LOCAL}; `cairn scan` brings the graph up to date")
    return 0


@define(
    "doctor",
    help="Check every plugin: does it load, is its manifest sound, and does its code write files, start programs or "
    "open connections, which extensions never do. Code that is not built in is read, not run.",
    examples=(
        ("cairn plugins doctor", "before you trust a plugin"),
        ("cairn plugins doctor --json", "for a program"),
    ),
    exits=(0, 1, 2),
)
def doctor_command(ctx: Invocation) -> int:
    from cairn.workspace.plugins import examine_plugins, known_plugins

    with closing(ctx.app()) as app:
        findings = examine_plugins(app)
        plugins = known_plugins(app)
    problems = sum(finding.level == "problem" for finding in findings)
    checked = {"plugins": len(plugins), "extensions": sum(len(plugin.extensions) for plugin in plugins)}
    if ctx.json:
        listed = [finding.json() for finding in findings]
        ctx.out.emit_json({"findings": listed, "problems": problems, "checked": checked})
    else:
        for finding in findings:
            ctx.out.data(_finding(ctx.out, finding))
        sound = f"{checked['plugins']} plugins with {checked['extensions']} extensions"
        ctx.out.say(f"{sound}: {problems} problem{'' if problems == 1 else 's'}" if findings else f"{sound} are sound")
    return 1 if problems else 0


def _finding(out: Output, finding: "PluginFinding") -> str:
    level = out.style(finding.level, "red" if finding.level == "problem" else "yellow")
    place = f" {safe(finding.file)}:{finding.line}" if finding.file else ""
    return f"{level} {safe(finding.subject)} ({safe(finding.code)}){place}: {safe(finding.message)}"


command = define_group(
    "plugins",
    [list_command, show_command, enable_command, disable_command, doctor_command],
    help="What is plugged in: providers, extractors, analyzers, actions, formatters and hooks.",
    examples=(
        ("cairn plugins list", "what there is"),
        ("cairn plugins disable core/reference-redundant", "switch one extension off"),
        ("cairn plugins doctor", "whether they keep to the rules"),
    ),
    exits=(0, 1, 2, 5),
)
