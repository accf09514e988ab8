"""`cairn agent doctor`: every installed hook is run, word for word, on a turn that we made up, in a scratch folder."""

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cairn.agents.hook_settings import InstalledHook
from cairn.agents.hosts import AGENTS, Agent, our_command
from cairn.agents.install import agents_path, hooks_in, own_programs
from cairn.core.model.event import Event, parse_event
from cairn.core.model.issue import HealthFinding, HealthState
from cairn.core.ports.process import RunShell, ShellResult
from cairn.core.ports.runtime import Settings
from cairn.errors import CairnError
from cairn.hook.aside import BRIEFING, LEDGER, LOG, SETTINGS, branch_of, now_ms, read_small
from cairn.hook.briefed import MODE, place_of
from cairn.lib.text.parse_json import parse_json

SLOW = 1.0
"""Seconds. Claude Code gives one and a half to all hooks at the end of a session."""
RECORDED = {
    "prompt": "turn_begun",
    "stop": "turn_eligible",
    "stop-failure": "turn_failed",
    "interrupt": "turn_interrupted",
    "pre-compact": "session_spooled",
    "session-end": "session_spooled",
}
SESSION = "5e551011-0000-4000-8000-000000000000"
GREETING = "<cairn-briefing>a trial</cairn-briefing>"


class HookTrial(NamedTuple):
    """One hook, and how its trial went."""

    agent: Agent
    file: str
    hook: InstalledHook
    problems: tuple[str, ...]
    milliseconds: int

    @property
    def ok(self) -> bool:
        return not self.problems

    def json(self) -> dict[str, Any]:
        told = {"agent": self.agent.name, "file": self.file, "event": self.hook.event, "command": self.hook.command}
        return {**told, "ok": self.ok, "problems": list(self.problems), "milliseconds": self.milliseconds}


def try_hooks(root: Path, agent: Agent, *, env: Mapping[str, str], run_shell: RunShell) -> list[HookTrial]:
    """Each hook of each file of this agent."""
    hooks = [(path, hook) for path, found in hooks_in(root, agent).items() for hook in found]
    return [_tried(agent, path, hook, env, run_shell) for path, hook in hooks]


def _tried(agent: Agent, path: str, hook: InstalledHook, env: Mapping[str, str], run_shell: RunShell) -> HookTrial:
    command = our_command(hook.command)
    if command is None or command.program not in own_programs():
        program = command.program[0] if command else hook.command
        why = f"it calls {program}, which is not the Cairn that you are using; it was not run"
        return HookTrial(agent, path, hook, (why,), 0)
    with tempfile.TemporaryDirectory(prefix="cairn-doctor-") as folder:
        stage = Path(folder).resolve()
        payload = _stage(stage, agent, hook)
        ran = run_shell(hook.command, stdin=json.dumps(payload).encode(), cwd=str(stage), env=as_the_agent(env))
        problems = tuple(_problems(stage, agent, hook, ran))
    return HookTrial(agent, path, hook, problems, round(ran.seconds * 1000))


def as_the_agent(env: Mapping[str, str]) -> dict[str, str]:
    """Without what is this terminal's own, and without leaving a process behind."""
    kept = {key: value for key, value in env.items() if key not in ("VIRTUAL_ENV", "CAIRN_OFF", "CAIRN_INTERNAL")}
    return {**kept, "PATH": agents_path(env), "CAIRN_HOOK_DETACH": "0", "CAIRN_CAPTURE__ASK": "never"}


def _stage(stage: Path, agent: Agent, hook: InstalledHook) -> dict[str, Any]:
    """A workspace, a transcript, a briefing; and what the host would say about them."""
    (stage / ".cairn").mkdir()
    (stage / SETTINGS).write_text("{}\n")
    made = {"branch": branch_of(str(stage)), "head": None, "at_ms": now_ms(), "text": GREETING}
    (stage / BRIEFING).write_text(json.dumps({"v": 3, "place": place_of(str(stage)), "briefings": [made]}))
    (stage / BRIEFING).chmod(MODE)
    transcript = stage / ("rollout-trial.jsonl" if agent.name == "codex" else "trial.jsonl")
    transcript.write_text("".join(json.dumps(line) + "\n" for line in _TRANSCRIPTS[agent.name]))
    payload: dict[str, Any] = {"hook_event_name": hook.event, "cwd": str(stage), "transcript_path": str(transcript)}
    if agent.name == "cursor":
        own = {"conversation_id": SESSION, "generation_id": "g-1", "workspace_roots": [str(stage)], "loop_count": 0}
        return {**payload, **own, "status": "completed", "prompt": "a trial", "cursor_version": "trial"}
    if agent.name == "opencode":
        return {**payload, "host": "opencode", "session_id": SESSION, "message_id": "msg_trial", "tools": ["bash"]}
    payload |= {"session_id": SESSION, "stop_hook_active": False, "source": "startup", "permission_mode": "default"}
    payload |= {"prompt": "a trial"}
    return {**payload, "turn_id": "t-1", "model": "trial"} if agent.name == "codex" else payload


_TRANSCRIPTS: Mapping[str, list[dict[str, Any]]] = {
    "claude": [{"type": "user", "uuid": "u-1", "message": {"role": "user", "content": "a trial"}}],
    "codex": [{"type": "event_msg", "payload": {"type": "user_message", "message": "a trial"}}],
    "cursor": [{"role": "user", "message": {"content": [{"type": "text", "text": "a trial"}]}}],
    "opencode": [],
}


# --- how it went ------------------------------------------------------------------------------------------------------


def _problems(stage: Path, agent: Agent, hook: InstalledHook, ran: ShellResult) -> Iterator[str]:
    if ran.code is None:
        yield "it did not end within 15 seconds"
        return
    if ran.code != 0:
        yield _why(hook, ran)
        return
    yield from (f"it wrote to its log: {error['error']}" for error in read_log(stage))
    yield from _wrong_answer(agent, hook, ran.out)
    wanted = RECORDED.get(hook.ours)
    if wanted and wanted not in [event.type for event in _events(stage)]:
        yield f"it recorded no {wanted} event"
    if ran.seconds > SLOW:
        yield f"it took {ran.seconds:.1f} seconds; hosts allow as little as one"


def _why(hook: InstalledHook, ran: ShellResult) -> str:
    program = hook.command.split()[0]
    if ran.code == 127:
        return f"`{program}` is not on the PATH that agents have; run `cairn agent install` again"
    if ran.code == 126:
        return f"`{program}` may not be run; check its permissions"
    said = ran.err.strip().splitlines()
    return f"it ended with {ran.code}" + (f": {said[-1][:200]}" if said else "")


def _wrong_answer(agent: Agent, hook: InstalledHook, out: str) -> Iterator[str]:
    try:
        said = parse_json(out) if out.strip() else {}
    except ValueError:
        yield "what it printed is not JSON, which the host expects"
        return
    greets = hook.ours == "session-start"
    wanted: Any = {"continue": True} if hook.ours == "prompt" and agent.style == "flat" else {}
    if greets and agent.style == "flat":
        wanted = {"additional_context": GREETING}
    elif greets:
        wanted = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": GREETING}}
    if said != wanted:
        yield f"it answered {json.dumps(said)[:200]}, and {agent.title} expects {json.dumps(wanted)}"


def _events(stage: Path) -> Iterator[Event]:
    folder = stage / LEDGER
    for file in sorted(folder.glob("*.jsonl")) if folder.is_dir() else ():
        for line in file.read_bytes().splitlines():
            if isinstance(event := parse_event(line), Event):
                yield event


def read_log(root: Path, most: int = 5) -> list[dict[str, str]]:
    """The last mishaps of hooks, the newest last."""
    found = []
    for line in read_small(str(root / LOG), 1024 * 1024).splitlines()[-most:]:
        try:
            value = parse_json(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            found.append({key: str(value.get(key, "")) for key in ("ts", "hook", "phase", "error")})
    return found


# --- what stands in the way -------------------------------------------------------------------------------------------


def obstacles(root: Path, agent: Agent, *, env: Mapping[str, str], settings: Settings) -> Iterator[HealthFinding]:
    """Reasons why hooks that work would still not do their work."""
    check = agent.name
    if env.get("CAIRN_OFF"):
        yield HealthFinding(
            check, HealthState.WARN, "CAIRN_OFF is set here: hooks do nothing", "unset it where agents are started"
        )
    if not settings.flag("capture.enabled"):
        yield HealthFinding(check, HealthState.WARN, "capture.enabled is false: hooks record nothing here")
    for file in _switched_off(root, agent, env):
        yield HealthFinding(
            check, HealthState.ERROR, f"{agent.title} has hooks switched off in {file}", "switch them on there"
        )
    crowd = sorted({h.event for found in hooks_in(root, agent).values() for h in found if h.before})
    if crowd:
        message = f"hooks of others stand before ours for {', '.join(crowd)}; one that blocks can end the turn first"
        yield HealthFinding(check, HealthState.OK, message)
    if agent.note:
        yield HealthFinding(check, HealthState.OK, agent.note)


def _switched_off(root: Path, agent: Agent, env: Mapping[str, str]) -> Iterator[str]:
    home = Path(env.get("HOME", "/nonexistent"))
    if agent.name == "claude":
        for base, name in ((home, "settings.json"), (root, "settings.json"), (root, "settings.local.json")):
            data = read_small(str(base / ".claude" / name), 1024 * 1024)
            if b"disableAllHooks" in data and _says(data, "disableAllHooks") is True:
                yield str(Path("~" if base == home else "") / ".claude" / name)
    elif agent.name == "codex":
        for base in (home, root):
            data = read_small(str(base / ".codex" / "config.toml"), 1024 * 1024)
            if b"hooks" in data and _features(data).get("hooks", _features(data).get("codex_hooks")) is False:
                yield str(Path("~" if base == home else "") / ".codex/config.toml")


def _says(data: bytes, name: str) -> Any:
    try:
        value = parse_json(data)
    except ValueError:
        return None
    return value.get(name) if isinstance(value, dict) else None


def _features(data: bytes) -> Mapping[str, Any]:
    import tomllib

    try:
        found = tomllib.loads(data.decode("utf-8", "replace")).get("features", {})
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


# --- in short, for `cairn doctor` -------------------------------------------------------------------------------------


def in_short(root: Path, *, env: Mapping[str, str], settings: Settings, run_shell: RunShell) -> Iterator[HealthFinding]:
    """One line an agent that has hooks of ours, and the newest mishap."""
    for agent in AGENTS.values():
        try:
            tried = try_hooks(root, agent, env=env, run_shell=run_shell)
            bad = [one for one in tried if not one.ok]
            if bad:
                message = f"{agent.title}: {len(bad)} of {len(tried)} hooks do not work; {bad[0].problems[0]}"
                yield HealthFinding("agents", HealthState.ERROR, message, "`cairn agent doctor` says more")
            elif tried:
                yield HealthFinding("agents", HealthState.OK, f"{agent.title}: {len(tried)} hooks, each was tried")
            off = (
                [f for f in obstacles(root, agent, env=env, settings=settings) if f.state != HealthState.OK]
                if tried
                else []
            )
            yield from (finding for finding in off)
        except CairnError as error:
            yield HealthFinding("agents", HealthState.ERROR, error.message)
    newest = read_log(root, 1)
    if newest and os.path.exists(root / LOG):
        message = f"a hook had a mishap at {newest[0]['ts']}: {newest[0]['error']}"
        yield HealthFinding("agents", HealthState.WARN, message, f"look at {LOG}; remove it when it is settled")
