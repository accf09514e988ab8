"""`cairn config`: shows settings, says where each comes from, and changes them."""

import re
from typing import Any

import click

from cairn.cli.define import argument, define, define_group
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.config.edit import Edit, WriteFile, place_of, set_value, unset_value
from cairn.config.key import Key, Value
from cairn.config.keys import find_key
from cairn.config.settings import LayeredSettings, SettingSource, nested, unknown_key
from cairn.core.paths import LOCAL
from cairn.errors import NotFound, Refused

PROVIDER = "active_provider"
WITH, BUDGET = "judge.with", "judge.budget"
_PASSWORD = re.compile(r"(://[^\s:/@]*:)[^\s@]{1,2000}@|(password=)[^\s&]+")

_local = click.option("--local", is_flag=True, help="In settings.local.json, for this machine only.")


@define(
    "list",
    help="List every setting with the value in force.",
    examples=(
        ("cairn config list", "all settings"),
        ("cairn config list --json", "with sources, defaults and explanations"),
    ),
)
def list_command(ctx: Invocation) -> int:
    settings = ctx.settings()
    if ctx.json:
        ctx.out.emit_json({"settings": [_described(settings, name) for name in sorted(settings.values)]})
    else:
        ctx.out.table([[name, safe(_text(value))] for name, value in sorted(settings.values.items())])
    return 0


@define(
    "get",
    help="Print the value in force of one setting.",
    examples=(
        ("cairn config get scan.strict", "one value"),
        ("cairn config get scan.ignore --json", "with its source"),
    ),
    exits=(0, 2, 5),
)
@argument("key", help="Dotted name, such as scan.strict.")
def get_command(ctx: Invocation, key: str) -> int:
    name, _ = _known(key)
    settings = ctx.settings()
    value = settings.values.get(name)
    if ctx.json:
        ctx.out.emit_json({"key": name, "value": _shown(value), "source": _source(settings, name)})
    else:
        ctx.out.data(safe(_text(value)))
    return 0


@define(
    "set",
    help="Set one setting in the committed file, or with --local for this machine only.",
    examples=(
        ("cairn config set scan.strict true", "for everybody who works here"),
        ("cairn config set scan.ignore 'drafts/, *.tmp.md'", "a list"),
        ("cairn config set store.url /tmp/cairn.db --local", "for this machine"),
    ),
    exits=(0, 1, 2),
)
@argument("key", help="Dotted name, such as scan.strict.")
@argument("value", help="true, 42, a text, a, b, c for a list, null, or JSON.")
@_local
@click.option("--yes", is_flag=True, help="Don't ask, also when the setting lets Cairn do more than before.")
def set_command(ctx: Invocation, key: str, value: str, local: bool, yes: bool) -> int:
    root = ctx.root()
    name, entry, _ = place_of(key, local)
    _check_reader(name, value)
    if entry.widens and not yes and not _lowers_budget(ctx, name, value):
        _ask(ctx, name, entry)
    if name == PROVIDER:
        _known_provider(ctx, value)
    edit = set_value(root, key, value, local, write_file=_writer())
    if name == PROVIDER and edit.value is not None:
        _settle_provider(ctx)
    _say_edit(ctx, edit, f"{edit.key} = {_text(edit.value)}" if edit.changed else f"{edit.key} was so already")
    if entry.lives_locally and not local and not ctx.json:
        ctx.out.say("switches of plugins live in the local file, so it applies to this machine")
    return 0


@define(
    "reset",
    help="Take one setting out of the committed file, or with --local out of the local one.",
    examples=(
        ("cairn config reset scan.strict", "back to the default"),
        ("cairn config reset store.url --local", "on this machine"),
    ),
)
@argument("key", help="Dotted name, such as scan.strict.")
@_local
def reset_command(ctx: Invocation, key: str, local: bool) -> int:
    edit = unset_value(ctx.root(), key, local, write_file=_writer())
    if edit.key == PROVIDER:  # the next scan looks for agent hosts anew
        unset_value(ctx.root(), f"{PROVIDER}_markers", local, write_file=_writer())
    _say_edit(ctx, edit, f"{edit.key} removed" if edit.changed else f"{edit.key} was not set")
    return 0


@define(
    "show",
    help="Show the settings in force, nested as in a file; with --source, where each comes from.",
    examples=(
        ("cairn config show", "as JSON, to copy from"),
        ("cairn config show --source", "which file and line decides"),
    ),
)
@click.option("--source", is_flag=True, help="Name the file and line, variable or option that decides.")
def show_command(ctx: Invocation, source: bool) -> int:
    settings = ctx.settings()
    tree = nested({name: _shown(value) for name, value in sorted(settings.values.items())})
    if ctx.json and source:
        ctx.out.emit_json({"settings": tree, "sources": {name: _source(settings, name) for name in settings.values}})
    elif ctx.json or not source:
        ctx.out.emit_json({"settings": tree} if ctx.json else tree)
    else:
        names = sorted(settings.values)
        rows = [[name, safe(_text(settings.values[name])), safe(str(settings.source(name)))] for name in names]
        ctx.out.table(rows, header=("setting", "value", "source"))
    return 0


def _check_reader(name: str, value: str) -> None:
    """A slip of the pen is refused here, not when a reader is asked for the first time."""
    from cairn.app.judging import must_be_reader
    from cairn.core.model_budget import parse_budget

    given = value.strip().strip('"')
    if given == "null":
        return
    if name == WITH:
        must_be_reader(given)
    if name == BUDGET:
        parse_budget(given, BUDGET)


def _lowers_budget(ctx: Invocation, name: str, value: str) -> bool:
    from cairn.core.model_budget import ceiling_of

    if name != BUDGET or value == "null":
        return False
    before, after = ceiling_of(ctx.settings().optional_text(BUDGET)), ceiling_of(value.strip().strip('"'))
    return after.is_within(before)


def _known_provider(ctx: Invocation, value: str) -> None:
    from cairn.graph.run_scan import must_be_known

    if value != "null":
        must_be_known(ctx.app().registry, value)


def _settle_provider(ctx: Invocation) -> None:
    """What is found now is what the provider was chosen among, so that the next scan has nothing to warn about."""
    from cairn.graph.run_scan import settle_provider

    settle_provider(ctx.app())


command = define_group(
    "config",
    [list_command, get_command, set_command, reset_command, show_command],
    help="Show and change settings. Defaults, settings.json, settings.local.json, environment, options: the last wins.",
    examples=(
        ("cairn config show --source", "what is in force, and why"),
        ("cairn config set scan.strict true", "change it for everybody"),
    ),
    exits=(0, 1, 2, 5),
)


def _known(key: str) -> tuple[str, Key]:
    found = find_key(key)
    if found is None:
        raise NotFound(unknown_key(key), key=key)
    return found


def _ask(ctx: Invocation, name: str, key: Key) -> None:
    question = f"{name}: {key.description} This lets Cairn do more than before. Set it?"
    if not ctx.interactive or not click.confirm(question, err=True):
        raise Refused(f"'{name}' lets Cairn do more than before; add --yes if you mean it", key=name)


def _writer() -> WriteFile:
    from cairn.changes.write import write_file

    return write_file


def _say_edit(ctx: Invocation, edit: Edit, sentence: str) -> None:
    if ctx.json:
        value = {"key": edit.key, "value": _shown(edit.value), "file": edit.file, "changed": edit.changed}
        ctx.out.emit_json({**value, "local": edit.file == LOCAL})
    else:
        ctx.out.say(f"{safe(_redacted(sentence))} ({edit.file})")


def _described(settings: LayeredSettings, name: str) -> dict[str, Any]:
    _, key = _known(name)
    return {
        "key": name,
        "value": _shown(settings.values[name]),
        "default": _shown(key.default),
        "source": _source(settings, name),
        "localOnly": key.local_only,
        "expects": key.expected,
        "description": key.description,
    }


def _source(settings: LayeredSettings, name: str) -> dict[str, Any] | None:
    source = settings.source(name) if name in settings.origins else SettingSource("default")
    return {"layer": source.layer, "file": source.file, "line": source.line}


def _shown(value: Value) -> Value:
    """A value as JSON, without the password in an address."""
    if isinstance(value, str):
        return _redacted(value)
    return list(value) if isinstance(value, tuple) else value


def _redacted(text: str) -> str:
    return _PASSWORD.sub(lambda match: f"{match[1] or match[2]}<redacted>" + ("@" if match[1] else ""), text)


def _text(value: Value) -> str:
    """A value as a person would type it."""
    import json

    shown = _shown(value)
    return shown if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False)
