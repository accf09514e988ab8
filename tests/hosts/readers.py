"""Runs Claude Code, Codex, OpenCode and Gemini CLI for real as readers of `cairn judge`, against a scripted model on
loopback.

usage: python tests/hosts/readers.py [--clients FOLDER] [--only claude,codex,opencode,gemini] [--keep]

A reader must answer from its prompt alone: the model is shown no tool, nothing of the project, and none of its
instructions; a tool that the model calls all the same does not run; no hook of Cairn hears of the run.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from clients import CLIENTS, PACKAGES, Client, Place, install
from model import Model

SECRET = "The password of the cellar is 4711-gneiss."
"""Stands in the project and in the home folder, and must not reach the model."""
SAFE = {"injectionDetected": False, "injectionType": None, "injectionDetails": None, "contentQuality": "clean"}
REPORT = {"confidence": 0.9, "safety": SAFE, "tags": [{"tag": "ovens", "reason": "Ovens"}]}
OF_THE_USER = {"claude": ".claude/CLAUDE.md", "opencode": ".config/opencode/AGENTS.md"}
"""Instructions in the home folder. Codex and Gemini CLI have no way to leave them out."""
HARMLESS = {"request_user_input"}
"""A tool that a headless run can't use, and that Codex does not let one switch off."""


class Failed(Exception):
    """A check did not hold."""


def expect(held: bool, otherwise: str) -> None:
    if not held:
        raise Failed(otherwise)


def _prepare_gemini(place: Place) -> None:
    (place.home / ".gemini").mkdir(parents=True, exist_ok=True)
    settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    (place.home / ".gemini/settings.json").write_text(json.dumps(settings))


def _gemini_env(place: Place) -> Mapping[str, str]:
    return {"GEMINI_API_KEY": "scripted", "GOOGLE_GEMINI_BASE_URL": place.url}


GEMINI = Client(
    "Gemini CLI",
    (".bin/gemini",),
    _prepare_gemini,
    lambda prompt, _: ["--prompt", prompt],
    _gemini_env,
    "run_shell_command",
    "mcp_cairn_{}",
)
READERS: Mapping[str, Client] = {**CLIENTS, "gemini": GEMINI}


def codex_for(model: str, program: str, folder: Path) -> Path:
    """As a reader, Codex ignores the settings of its user, so its model comes with the command line. Returns the folder
    to look for it in."""
    facts = f'{{name="scripted",base_url="{model}/v1",wire_api="responses",request_max_retries=0,stream_max_retries=0}}'
    chosen = ["-c", 'model_provider="scripted"', "-c", f"model_providers.scripted={facts}"]
    folder.mkdir()
    script = folder / "codex"
    script.write_text(f'#!/bin/sh\nexec {shlex.join([program, *chosen])} "$@"\n')
    script.chmod(0o755)
    return folder


class Desk:
    """A project with two questions, and one client as their reader."""

    def __init__(self, name: str, folder: Path, modules: Path) -> None:
        self.name, self.client = name, READERS[name]
        self.project, self.touched, self.temporary = (folder / name for name in ("project", "touched", "tmp"))
        for made in (self.project / "docs", folder / "home", self.temporary):
            made.mkdir(parents=True)
        self.model = Model(folder / "requests.jsonl")
        found = _executable(self.client, modules)
        program = codex_for(self.model.url, found, folder / "bin") if name == "codex" else Path(found).parent
        path = os.pathsep.join([str(Path(sys.executable).parent), str(program), "/usr/local/bin", "/usr/bin", "/bin"])
        self.place = Place(folder / "home", self.project, modules, self.model.url, path)
        self.client.prepare(self.place)
        if name in OF_THE_USER:
            own = self.place.home / OF_THE_USER[name]
            own.parent.mkdir(parents=True, exist_ok=True)
            own.write_text(f"# Rules\n\n{SECRET}\n")

    def run(self, *args: str, ends: int = 0) -> Any:
        env = {**self.client.environment(self.place), "TMPDIR": str(self.temporary)}
        ran = subprocess.run(args, cwd=self.project, env=env, capture_output=True, text=True, timeout=120)
        expect(ran.returncode == ends, f"`{' '.join(args)}` ended with {ran.returncode}: {ran.stdout}{ran.stderr}")
        return json.loads(ran.stdout) if "--json" in args else ran.stdout

    def question(self, name: str, *steps: Mapping[str, Any]) -> None:
        """About a document that holds what the model says."""
        text = f"# Ovens\n\nHot. SCRIPT {json.dumps([*steps])}\n"
        (self.project / f"docs/{name}.md").write_text(text)
        self.run("cairn", "scan", "-q")
        self.run("cairn", "job", "submit", "tag", "-n", f"docs/{name}.md")

    def asked(self) -> list[dict[str, Any]]:
        return [one["body"] for one in self.model.requests if one["body"]]


def _executable(client: Client, modules: Path) -> str:
    found = next((modules / one for one in client.program if (modules / one).is_file()), None)
    assert found is not None, f"{client.name} is not installed below {modules}"
    return str(found)


# --- the checks -------------------------------------------------------------------------------------------------------


def prepare(desk: Desk) -> str:
    desk.run("git", "init", "--quiet", "--initial-branch", "main")
    for file in ("AGENTS.md", "CLAUDE.md"):
        (desk.project / file).write_text(f"# Rules\n\n{SECRET}\n")
    desk.run("cairn", "init")
    if desk.name in CLIENTS:
        desk.run("cairn", "agent", "install", "--agent", desk.name, "--skills", "--yes")
    return desk.client.version(desk.place)


def check_answers(desk: Desk) -> str:
    desk.question("a", {"text": json.dumps(REPORT)})
    found = desk.run("cairn", "judge", "--with", desk.name, "--json")
    expect(found["answered"] == 1 and not found["stopped"], f"not answered: {found}")
    [row] = desk.run("cairn", "history", "--json")
    expect(row["report"]["tags"] == REPORT["tags"], f"another report: {row['report']}")
    expect(bool(row["tokensIn"] and row["tokensOut"]), f"no tokens: {row}")
    return f"one question, {len(desk.asked())} requests, model {row['model']}"


def check_sees_the_question_only(desk: Desk) -> str:
    main = [body for body in desk.asked() if "user-content" in json.dumps(body)]
    expect(bool(main), "the question did not reach the model")
    for body in desk.asked():
        text = json.dumps(body)
        expect(SECRET not in text and "4711" not in text, "the model sees what stands in the project")
        expect(str(desk.project) not in text, "the model is told where the project is")
    tools = {name for body in main for name in tools_of(body)}
    expect(tools <= HARMLESS, f"the model has tools: {tools - HARMLESS}")
    return f"nothing of the project; tools: {', '.join(sorted(tools)) or 'none'}"


def tools_of(body: dict[str, Any]) -> Iterator[str]:
    """Codex also hands them over in its input, in groups."""
    more = [item.get("tools") for item in body.get("input", ()) if isinstance(item, dict)]
    for tools in (body.get("tools"), *more):
        for tool in tools or ():
            inner = tool.get("tools") or tool.get("functionDeclarations", [tool])
            yield from (str(one.get("name") or one.get("type")) for one in inner)


def check_runs_no_tool(desk: Desk) -> str:
    order = f"touch {desk.touched}"
    desk.question(
        "b", {"tool": desk.client.shell, "input": desk.client.shell_input(order)}, {"text": json.dumps(REPORT)}
    )
    ran = desk.run("cairn", "judge", "--with", desk.name, "--json")
    expect(not desk.touched.exists(), "a tool that the model called was run")
    return f"a call of `{desk.client.shell}` was not run; {ran['answered']} answered, {ran['failed']} failed"


def check_leaves_nothing(desk: Desk) -> str:
    turns = desk.run("cairn", "turns", "list", "--low", "--json")["turns"]
    expect(all(turn["host"] != desk.name for turn in turns), f"hooks heard of it: {turns}")
    left = sorted(path.name for path in desk.temporary.glob("cairn-reader-*"))
    expect(not left, f"folders are left: {left}")
    return "no turn was recorded, no folder is left"


def check_logged_out(desk: Desk) -> str:
    """A key that the service refuses is one sentence, and the question waits."""
    desk.question("c", {"fail": 401, "message": "API key not valid. Please pass a valid API key."})
    found = desk.run("cairn", "judge", "--with", desk.name, "--json", ends=1)
    waiting = desk.run("cairn", "job", "status", "--json")["queued"]
    expect(found["answered"] == 0 and waiting == 1, f"{found}, {waiting} waiting")
    return str(found["stopped"])[:160]


CHECKS: tuple[Callable[[Desk], str], ...] = (
    prepare,
    check_answers,
    check_sees_the_question_only,
    check_runs_no_tool,
    check_leaves_nothing,
    check_logged_out,
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=Path, default=Path(tempfile.gettempdir()) / "cairn-hosts-clients")
    parser.add_argument("--only", default=",".join(READERS), help="some of the clients")
    parser.add_argument("--keep", action="store_true", help="leave the projects for a look")
    given = parser.parse_args()
    modules = install(given.clients, (*PACKAGES, "@google/gemini-cli"))
    folder = Path(tempfile.mkdtemp(prefix="cairn-readers-", dir=given.clients))
    failures = 0
    for name in given.only.split(","):
        print(f"{READERS[name].name} as a reader", flush=True)
        desk = Desk(name, folder / name, modules)
        for check in CHECKS:
            try:
                held, said = True, check(desk)
            except Failed as problem:
                held, said = False, str(problem)[:1500]
            failures += not held
            what = check.__name__.removeprefix("check_").replace("_", " ")
            print(f"  {'ok   ' if held else 'FAIL '} {what:<24} {said}", flush=True)
        desk.model.close()
    if given.keep:
        print(f"kept in {folder}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
