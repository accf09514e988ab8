"""What a host's file looks like with our hooks in it, and without them."""

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any, NamedTuple

from cairn.agents.hosts import Agent, entry, our_command
from cairn.errors import ConfigError, Refused
from cairn.lib.text.json_splice import Step, parse_object, with_item, without
from cairn.lib.text.parse_json import parse_json

MARK = "// Written by `cairn agent install`"
_PROGRAM = 'const PROGRAM = ["cairn"]'


class InstalledHook(NamedTuple):
    """One hook of ours in a file."""

    event: str
    """By the host's name."""
    ours: str
    """By our name."""
    command: str
    path: tuple[Step, ...] = ()
    """Where in the file: what has to go when it goes."""
    before: int = 0
    """How many hooks of others stand in front of it."""


_HOOKS = "the hooks by hand as docs/how-to/agents.md shows them"


def read_object(text: str, file: str, by_hand: str = _HOOKS) -> dict[str, Any]:
    """The file as JSON, or why it will not be touched, and what to do `by_hand` then."""
    try:
        return parse_object(text, file)
    except ConfigError as problem:
        if _has_comments(text):
            said = f"{file} has comments, and Cairn edits plain JSON only; take them out, or add {by_hand}."
            raise ConfigError(f"{said} Nothing was written.", file=file) from None
        raise ConfigError(f"{problem.message}; mend it, nothing was written.", **problem.details) from None


def _has_comments(text: str) -> bool:
    return any(line.lstrip().startswith(("//", "/*")) or " // " in line or "*/" in line for line in text.splitlines())


# --- in -------------------------------------------------------------------------------------------------------------


def installed(agent: Agent, text: str | None, program: tuple[str, ...]) -> str:
    """The file with every hook of ours, each once, calling this program."""
    if agent.style == "plugin":
        return _plugin(agent, text, program)
    import shlex

    spoken = shlex.join(program)
    known = {hook.event: hook for hook in wired(agent, text)} if text is not None else {}
    for event, ours in agent.events.items():
        command = agent.text(spoken, ours)
        if event in known and known[event].command == command:
            continue
        if text is not None and event in known:
            text = _taken_out(agent, text, event)
        text = _put_in(agent, text, event, command)
    assert text is not None
    return text


def _put_in(agent: Agent, text: str | None, event: str, command: str) -> str:
    if text is None or not text.strip():
        text = json.dumps(dict(agent.start), indent=2) + "\n"
    value = read_object(text, agent.shared)
    _check_shape(agent, value, event)
    expected = json.loads(json.dumps(value))
    expected.setdefault("hooks", {}).setdefault(event, []).append(entry(agent, command))
    return _proven(with_item(text, ("hooks", event), entry(agent, command)), expected)


def _check_shape(agent: Agent, value: Mapping[str, Any], event: str) -> None:
    hooks = value.get("hooks", {})
    if not isinstance(hooks, dict) or not isinstance(hooks.get(event, []), list):
        where = "hooks" if not isinstance(hooks, dict) else f"hooks.{event}"
        raise ConfigError(
            f"{agent.shared}: `{where}` is not what {agent.title} expects there; mend it, nothing was written.",
            file=agent.shared,
        )


def _plugin(agent: Agent, text: str | None, program: tuple[str, ...]) -> str:
    if text is not None and not text.startswith(MARK):
        raise Refused(f"{agent.shared} is not Cairn's; move it out of the way. Nothing was written.", file=agent.shared)
    template = files("cairn.agents").joinpath("plugin.js").read_text("utf-8")
    return template.replace(_PROGRAM, f"const PROGRAM = {json.dumps(list(program))}")


# --- out ------------------------------------------------------------------------------------------------------------


def removed(agent: Agent, text: str, backup: str | None = None) -> str | None:
    """The file without anything of ours: as it was before us, where nothing else has changed since; None when there
    was no file and nothing is left."""
    if agent.style == "plugin":
        return backup
    while found := wired(agent, text):
        text = _taken_out(agent, text, found[-1].event)
    if backup is not None and _beneath(text) == _beneath(backup):
        return backup
    return None if backup is None and read_object(text, agent.shared) in ({}, dict(agent.start)) else text


def _taken_out(agent: Agent, text: str, event: str) -> str:
    hook = [hook for hook in wired(agent, text) if hook.event == event][-1]
    expected = read_object(text, agent.shared)
    _prune(expected, hook.path)
    return _proven(without(text, hook.path), expected)


def _prune(value: Any, path: tuple[Step, ...]) -> None:
    """The same as `without`, on the value."""
    while len(path) > 1 and len(_at(value, path[:-1])) == 1:
        path = path[:-1]
    del _at(value, path[:-1])[path[-1]]


def _at(value: Any, path: tuple[Step, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def _proven(text: str, expected: Any) -> str:
    assert json.loads(text) == expected
    return text


def _beneath(text: str) -> Any:
    """What a file says, empty places for hooks left aside."""
    value = json.loads(text) if text.strip() else {}
    hooks = value.get("hooks")
    if not isinstance(hooks, dict):
        return value
    kept = {event: entries for event, entries in hooks.items() if entries != []}
    rest = {name: item for name, item in value.items() if name != "hooks"}
    return {**rest, "hooks": kept} if kept else rest


# --- what is there --------------------------------------------------------------------------------------------------


def wired(agent: Agent, text: str) -> list[InstalledHook]:
    """Our hooks in this file."""
    if agent.style == "plugin":
        return list(_of_plugin(agent, text))
    hooks = read_object(text, agent.shared).get("hooks")
    found: list[InstalledHook] = []
    for event, entries in hooks.items() if isinstance(hooks, dict) else ():
        if isinstance(entries, list):
            walk = _in_groups if agent.style == "groups" else _in_list
            found += walk(event, entries)
    return found


def _in_groups(event: str, groups: list[Any]) -> Iterator[InstalledHook]:
    seen = 0
    for number, group in enumerate(groups):
        handlers = group.get("hooks") if isinstance(group, dict) else None
        handlers = handlers if isinstance(handlers, list) else []
        mine = [_event_of(handler) for handler in handlers]
        for at, ours in enumerate(mine):
            if ours is not None:
                alone = all(mine)
                path: tuple[Step, ...] = ("hooks", event, number) + (() if alone else ("hooks", at))
                yield InstalledHook(event, ours, handlers[at]["command"], path, seen)
            else:
                seen += 1


def _in_list(event: str, entries: list[Any]) -> Iterator[InstalledHook]:
    for at, item in enumerate(entries):
        ours = _event_of(item)
        if ours is not None:
            yield InstalledHook(event, ours, item["command"], ("hooks", event, at), at)


def _event_of(handler: Any) -> str | None:
    command = our_command(handler.get("command")) if isinstance(handler, dict) else None
    return command.event if command else None


def _of_plugin(agent: Agent, text: str) -> Iterator[InstalledHook]:
    if not text.startswith(MARK):
        return
    import shlex

    line = next((line for line in text.splitlines() if line.startswith("const PROGRAM = ")), "")
    try:
        program = [str(word) for word in parse_json(line.removeprefix("const PROGRAM = "))]
    except (ValueError, TypeError):
        return
    for event, ours in agent.events.items():
        yield InstalledHook(event, ours, agent.text(shlex.join(program), ours))
