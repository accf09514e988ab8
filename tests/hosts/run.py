"""Runs Claude Code, Codex and OpenCode for real against a scripted model, and checks what Cairn makes of it.

usage: python tests/hosts/run.py [--clients FOLDER] [--only claude,codex,opencode] [--keep]

Each client works in a project of its own, with its own home folder, an environment that holds nothing else, and a model
on loopback that says what the prompt tells it to. It is not part of `make test`: npm and the network are needed once,
to install the clients.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from clients import CLIENTS, Place, install, stop
from left_behind import Contents, contents, left_behind
from model import Model

LESSON = "The cellar door must stay shut, because the sourdough dies below ten degrees."
NOTED = "The oven needs forty minutes to heat up."
WORKED = "Ran the command, and it printed hello to the terminal."
LOOKED = "Looked it up in the knowledge base, which says how hot the ovens run."
PAGE = "Prices are integers, in cents."
OWN_SETTINGS = {
    "claude": (".claude/settings.json", '{\n  "model":   "opus"\n}\n'),
    "codex": (".codex/config.toml", "# mine\n[features]\nhooks = true\n"),
    # Without a `$schema` OpenCode itself adds one.
    "opencode": ("opencode.json", '{\n\t"$schema": "https://opencode.ai/config.json",\n\t"theme":   "system"\n}\n'),
}


class Failed(Exception):
    """A check did not hold."""


class Stage:
    """One client in its project, with what happened so far."""

    def __init__(self, name: str, folder: Path, modules: Path) -> None:
        self.name, self.client = name, CLIENTS[name]
        self.project = folder / "project"
        self.project.mkdir(parents=True)
        (folder / "home").mkdir()
        self.model = Model(folder / "requests.jsonl")
        path = os.pathsep.join([str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"])
        self.place = Place(folder / "home", self.project, modules, self.model.url, path)
        self.before: Contents = {}
        self.installed: Contents = {}

    def contents(self) -> Contents:
        """Of every file in the project and in the home folder."""
        return contents(self.project, self.place.home)

    def run(self, *args: str, ends: int = 0) -> str:
        env = {"HOME": str(self.place.home), "PATH": self.place.path, "LANG": "C.UTF-8"}
        ran = subprocess.run(args, cwd=self.project, env=env, capture_output=True, text=True, timeout=120)
        expect(ran.returncode == ends, f"`{' '.join(args)}` ended with {ran.returncode}: {ran.stdout}{ran.stderr}")
        return ran.stdout

    def json(self, *args: str, ends: int = 0) -> Any:
        return json.loads(self.run("cairn", *args, "--json", ends=ends))

    def turn(self, *steps: dict[str, Any], again: bool = False, code: int | None = 0) -> list[dict[str, Any]]:
        """One turn; the requests that the client made for it."""
        before = len(self.model.requests)
        ended = self.client.turn(self.place, prompt_of(steps), again=again)
        expect(
            code is None or ended.code == code,
            f"the client ended with {ended.code}: {ended.out[-300:]}{ended.err[-600:]}",
        )
        return [one for one in self.model.requests[before:] if one["body"]]

    def killed(self, *steps: dict[str, Any]) -> None:
        """A turn whose client is killed, with everything that it started, when it has called its tool."""
        before, process = len(self.model.requests), self.client.start(self.place, prompt_of(steps))
        wait(lambda: any(is_main(one["body"]) for one in self.model.requests[before:]), "the model was never asked")
        time.sleep(2)
        stop(process, time.monotonic(), signal.SIGKILL)

    def note(self, text: str) -> dict[str, Any]:
        return {"tool": self.client.mcp.format("note"), "input": {"summary": text}}

    def shell(self, command: str) -> dict[str, Any]:
        return {"tool": self.client.shell, "input": self.client.shell_input(command)}


def prompt_of(steps: tuple[dict[str, Any], ...]) -> str:
    return f"Please help me with the bakery today. SCRIPT {json.dumps(list(steps))}"


def expect(held: bool, otherwise: str) -> None:
    if not held:
        raise Failed(otherwise)


def wait(done: Callable[[], bool], otherwise: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not done():
        expect(time.monotonic() < end, otherwise)
        time.sleep(0.1)


def is_main(body: dict[str, Any]) -> bool:
    """A request of the agent itself, and not one for a title."""
    return bool(body.get("tools"))


def tools_in(body: dict[str, Any]) -> str:
    return json.dumps(body.get("tools", []))


# --- the story ------------------------------------------------------------------------------------------------------


def prepare(stage: Stage) -> None:
    """A repository with a page that its person approved, and settings of the host that are theirs."""
    path, text = OWN_SETTINGS[stage.name]
    (stage.project / path).parent.mkdir(parents=True, exist_ok=True)
    (stage.project / path).write_text(text)
    (stage.project / "README.md").write_text("# Bakery\n\nBread, mostly.\n")
    stage.run("git", "init", "--quiet", ".")
    stage.run("git", "config", "user.email", "kim@example.org")
    stage.run("git", "config", "user.name", "Kim")
    stage.run("git", "add", "--all")
    stage.run("git", "commit", "--quiet", "--message", "Begin")
    stage.run("cairn", "init")
    stage.run("git", "add", "--all")
    stage.run("git", "commit", "--quiet", "--message", "Set Cairn up")
    stage.client.prepare(stage.place)


def merge_page(stage: Stage) -> None:
    stage.run("cairn", "note", "--keep", PAGE)
    stage.run("cairn", "curate")
    [request] = stage.json("change", "list")["requests"]
    stage.run("cairn", "change", "merge", request["id"])


def check_install(stage: Stage) -> str:
    stage.before = stage.contents()
    stage.run("cairn", "agent", "install", "--agent", stage.name, "--yes")
    stage.installed = stage.contents()
    added = stage.run("git", "add", "--all", "--dry-run")
    expect("backup" not in added and "before-cairn" not in added, f"a backup reaches a commit: {added}")
    tried = stage.json("agent", "doctor", "--agent", stage.name)
    expect(tried["ok"], f"the doctor fails: {tried}")
    merge_page(stage)
    return f"{len(tried['hooks'])} hooks and the server tried; no backup in `git add`"


def check_first_request(stage: Stage) -> str:
    asked = stage.turn({"text": LESSON})
    main = [one["body"] for one in asked if is_main(one["body"])]
    expect(bool(main), "the model was not asked")
    for tool in ("search", "read", "note"):
        expect(tool in tools_in(main[0]) and "cairn" in tools_in(main[0]), f"`{tool}` is not in the first request")
    expect(PAGE in json.dumps(main[0], ensure_ascii=False), "the page merged just before is not in the first request")
    others = [one["body"] for one in asked if not is_main(one["body"])]
    expect(PAGE not in json.dumps(others), "the request for a title has the briefing")
    return "tools and the page merged just before are in the first request"


def check_tools(stage: Stage) -> str:
    note = stage.turn(stage.note(NOTED), {"text": "I wrote it down for the others."}, again=True)
    main = [one["body"] for one in note if is_main(one["body"])]
    expect(PAGE in json.dumps(main[0], ensure_ascii=False), "a continued session has no briefing")
    search = {"tool": stage.client.mcp.format("search"), "input": {"query": "prices integers"}}
    stage.turn(search, {"text": LOOKED}, again=True)
    stage.turn(stage.shell("echo hello"), {"text": WORKED})
    return "a note and a search through tools in a continued session"


def check_bad_ends(stage: Stage) -> str:
    stage.turn({"fail": 400}, code=None)
    stage.killed(stage.shell("sleep 30"), {"text": "Slept."})
    return "a turn whose model failed, and one that was killed in a tool call"


def check_turns(stage: Stage) -> str:
    wait(lambda: accounted(stage) >= 6, "not every turn is accounted for", 60)
    found = stage.json("turns", "list", "--low")["turns"]
    own = [turn for turn in found if turn["host"] == stage.name]
    words = {(turn["note"] or {}).get("summary"): turn for turn in own}
    for text in (LESSON, NOTED, LOOKED, WORKED):
        expect(text in words, f"no turn has the words “{text}”: {list(words)}")
    expect(words[NOTED]["session"] == words[LESSON]["session"], "the note is in another session than its turn")
    expect(len(own) == 6, f"{len(own)} turns instead of 6: {[(t['turnId'], t['outcome'], t['reason']) for t in own]}")
    verified = stage.json("turns", "verify")
    bad = sorted(turn["outcome"] for turn in verified["endedBadly"])
    expect(bad == ["failed", "interrupted"], f"ended badly: {bad}")
    logged = asked_of(stage)
    expect(logged.get("session") == words[LOOKED]["session"], f"the search belongs to another session: {logged}")
    expect(logged.get("turn") == words[LOOKED]["turnId"], f"the search belongs to another turn: {logged}")
    return f"6 turns: 4 noted with their words, 1 failed, 1 interrupted; {verified['verdict']}"


def accounted(stage: Stage) -> int:
    """Turns with an outcome. The detached step works on its own, and nothing here drains for it."""
    stage.json("turns", "verify")
    found = stage.json("turns", "list", "--low")["turns"]
    return sum(turn["host"] == stage.name and bool(turn["outcome"]) for turn in found)


def asked_of(stage: Stage) -> dict[str, Any]:
    files = (stage.project / ".cairn/ledger").glob("*.jsonl")
    lines = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    return next((line["payload"] for line in lines if line["type"] == "search_asked"), {})


def check_sessions(stage: Stage) -> str:
    def kept() -> list[dict[str, Any]]:
        return [one for one in stage.json("session", "list")["sessions"] if one["host"] == stage.name]

    wait(lambda: any(one["userTurns"] == 3 for one in kept()), f"no session with three turns: {kept()}", 30)
    return f"{len(kept())} sessions recorded, one of them with three turns"


def check_doctor(stage: Stage) -> str:
    tried = stage.json("agent", "doctor", "--agent", stage.name)
    said = [one["message"] for one in tried["findings"]]
    expect(tried["ok"], f"the doctor fails: {said}")
    expect(any("came with their words" in one for one in said), f"the doctor says nothing about words: {said}")
    expect(any("tools were listed" in one for one in said), f"the doctor says nothing about tools: {said}")
    expect(tried["mishaps"] == [], f"hooks had mishaps: {tried['mishaps']}")
    return "words and tools seen; no mishap of a hook"


def check_uninstall(stage: Stage) -> str:
    used = stage.contents()
    stage.run("cairn", "agent", "uninstall", "--yes")
    wrong = left_behind(stage.before, stage.installed, used, stage.contents())
    expect(wrong == [], f"not every byte is as before: {wrong}")
    left = stage.run("git", "status", "--porcelain").splitlines()
    expect(left == [], f"uninstall leaves something: {left}")
    path, text = OWN_SETTINGS[stage.name]
    expect((stage.project / path).read_text() == text, f"{path} is not as it was")
    return f"{len(used):,} files of project and home compared: all as before, to the byte"


CHECKS: tuple[Callable[[Stage], str], ...] = (
    check_install,
    check_first_request,
    check_tools,
    check_bad_ends,
    check_turns,
    check_sessions,
    check_doctor,
    check_uninstall,
)


# --- running it -----------------------------------------------------------------------------------------------------


def play(name: str, folder: Path, modules: Path) -> Iterator[tuple[str, bool, str]]:
    stage = Stage(name, folder, modules)
    try:
        yield "version", True, stage.client.version(stage.place)
        prepare(stage)
        for check in CHECKS:
            try:
                yield check.__name__.removeprefix("check_").replace("_", " "), True, check(stage)
            except Failed as problem:
                yield check.__name__.removeprefix("check_").replace("_", " "), False, str(problem)[:1500]
    finally:
        stage.model.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=Path, default=Path(tempfile.gettempdir()) / "cairn-hosts-clients")
    parser.add_argument("--only", default=",".join(CLIENTS), help="some of the clients")
    parser.add_argument("--keep", action="store_true", help="leave the projects for a look")
    given = parser.parse_args()
    modules = install(given.clients)
    folder = Path(tempfile.mkdtemp(prefix="cairn-hosts-", dir=given.clients))
    failures = 0
    for name in given.only.split(","):
        started = time.monotonic()
        print(f"{CLIENTS[name].name}")
        for what, held, said in play(name, folder / name, modules):
            failures += not held
            print(f"  {'ok   ' if held else 'FAIL '} {what:<14} {said}", flush=True)
        print(f"         {time.monotonic() - started:.0f} s")
    if given.keep:
        print(f"kept in {folder}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
