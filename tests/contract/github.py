"""Does GitHub's own description accept every request that we make? Run by `make contract`; needs node and npm.

A whole life of change requests and tickets runs against the stand-in, which writes down what it is asked. Then the same
requests go to a mock that GitHub's OpenAPI description is served by, and which says what it does not accept.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

sys.path.insert(0, os.fspath(Path(__file__).parent.parent))

from cairn.adapters.forge.github.forge import GitHubForge, open_github
from cairn.adapters.http.json_client import JsonClient, NoAnswer, Patience
from cairn.core.model.change import ChangeSet, FileEdit, GateRuling, Label, Level
from cairn.errors import CairnError
from github_stand_in import Asked, Hub, serve
from repository import commit, git, make

PACKAGES = ("@octokit/openapi@23", "@stoplight/prism-cli@5")
DESCRIPTION = "node_modules/@octokit/openapi/generated/api.github.com.json"
PRISM = "node_modules/.bin/prism"
START_SECONDS = 180
PAGE = "knowledge/ovens.md"
NOW = 1_767_225_600_000
NO_PATH = frozenset(
    {"NO_PATH_MATCHED_ERROR", "NO_METHOD_MATCHED_ERROR", "UNAUTHORIZED", "INVALID_CONTENT_TYPE", "METHOD_NOT_ALLOWED"}
)


# --- what we ask ----------------------------------------------------------------------------------------------------


def recorded(folder: Path) -> list[Asked]:
    """Everything that the forge can ask, once at least."""
    root = make(folder / "hosted", {PAGE: "one\n\ntwo\n\nthree\n", "other.md": "here\n"})
    with serve(Hub(root)) as hub:
        forge = open_github(hub.environment(), origin=None, sleep=lambda _: None)
        ada = open_github(hub.environment("ada-token"), origin=None, sleep=lambda _: None)
        forge.check()
        id = _published(forge, hub, "one\n\nTWO\n\nthree\n")
        _published(forge, hub, "one\n\n2\n\nthree\n")
        forge.judge(id, (GateRuling("secrets", Level.WARN, "Look."),), now_ms=NOW)
        forge.label(id, add=(Label("looked at: yes/no", "ada"),), now_ms=NOW)
        forge.label(id, remove=("looked at: yes/no",), now_ms=NOW)
        ada.approve(id, "ada", now_ms=NOW)
        forge.close(id, by="ada", reason="later", now_ms=NOW)
        forge.reopen(id, by="ada", now_ms=NOW)
        _worked_on(forge, hub, id)
        forge.diff(id)
        forge.merge(id, by="ada", now_ms=NOW)
        forge.revert(id, by="ada", now_ms=NOW)
        forge.requests()
        forge.open_ticket("url:x", "Gone", "twice", now_ms=NOW)
        forge.open_ticket("url:x", "Gone", "three times", now_ms=NOW)
        forge.close_ticket("url:x", now_ms=NOW)
        return hub.asked


def _published(forge: GitHubForge, hub: Hub, text: str) -> str:
    change = ChangeSet(
        origin="freshness",
        subject="ovens",
        base=hub.tip("main"),
        edits=(FileEdit(PAGE, text.encode()), FileEdit("other.md", None)),
        title="docs: say two louder",
        body="Because.",
        labels=(Label("knowledge-freshness", "freshness"),),
    )
    return forge.publish(change, (GateRuling("validator", Level.PASS, "Fine."),), now_ms=NOW).id


def _worked_on(forge: GitHubForge, hub: Hub, id: str) -> None:
    """Somebody else commits to the branch, so that more has to be asked."""
    git(hub.root, "checkout", "-q", forge.request(id).branch)
    commit(hub.root, {"extra.md": "mine\n"})
    git(hub.root, "checkout", "-q", "main")
    forge.change(id)


# --- who says whether that is right ---------------------------------------------------------------------------------


@contextmanager
def mock(folder: Path) -> Iterator[JsonClient]:
    if not (folder / PRISM).exists():
        install = ["npm", "install", "--no-fund", "--no-audit", "--no-save", *PACKAGES]
        subprocess.run(install, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    port = _free_port()
    command = ["node", PRISM, "mock", "-h", "127.0.0.1", "-p", str(port), "--errors", DESCRIPTION]
    with open(folder / "prism.log", "wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
        try:
            client = JsonClient(f"http://127.0.0.1:{port}", patience=Patience(attempts=1))
            _wait(client, process)
            yield client
        finally:
            process.terminate()
            process.wait()


def _wait(client: JsonClient, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(START_SECONDS * 2):
        if process.poll() is not None:
            raise SystemExit("The mock ended at once; its log is prism.log.")
        try:
            client.send("GET", "/meta")
            return
        except NoAnswer:
            time.sleep(0.5)
    raise SystemExit(f"The mock did not start within {START_SECONDS} seconds.")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def complaint(client: JsonClient, asked: Asked) -> str | None:
    """What the description does not accept about a request."""
    # The description knows one media type of each answer; asked for GitHub's own, the mock would not look any further.
    headers = {"accept": "application/json", "authorization": asked.headers["authorization"]}
    path = quote(asked.path, safe="/%:")
    answer = client.send(asked.method, path, asked.body, query=asked.query, headers=headers)
    value = answer.value if isinstance(answer.value, dict) else {}
    kind = str(value.get("type")).rpartition("prism/errors#")[2]
    if kind in NO_PATH:
        return f"{kind}: {value.get('detail')}"
    found = json.loads(answer.headers.get("sl-violations", "[]")) + (value.get("validation") or [])
    ours = [item for item in found if item["location"][:1] == ["request"]]  # not its own examples of answers
    if ours:
        return json.dumps(ours)
    # Where the description has an answer for what is invalid, the mock gives that, without saying what it is.
    return f"HTTP {answer.status}: {answer.body[:300]!r}" if 400 <= answer.status < 500 else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--at", type=Path, help="folder where the npm packages are or go; else one that is removed")
    given = parser.parse_args()
    with TemporaryDirectory(prefix="cairn-contract-") as made:
        folder = given.at or Path(made)
        asked = recorded(Path(made))
        distinct = {(a.method, a.path, str(a.query), str(a.body), a.headers.get("accept")): a for a in asked}
        with mock(folder) as client:
            wrong = [(a, said) for a in distinct.values() if (said := complaint(client, a))]
    for request, said in wrong:
        print(f"{request.method} {request.path} {request.query or ''}\n    {said}")
    kinds = {(a.method, "/".join("*" if any(c.isdigit() for c in p) else p for p in a.path.split("/"))) for a in asked}
    print(f"{len(distinct)} distinct requests of {len(kinds)} kinds; {len(wrong)} not accepted by GitHub's description")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CairnError as error:
        sys.exit(error.message)
