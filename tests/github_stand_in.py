"""A stand-in for GitHub on loopback: its REST interface as far as we use it, over a real git repository."""

import json
import os
import re
import subprocess
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

Json = dict[str, Any]
Answer = tuple[int, Any]
OWNER, NAME = "bakery", "handbook"
TOKEN = "bot-token"


class Asked(NamedTuple):
    method: str
    path: str
    query: dict[str, str]
    body: Any
    headers: dict[str, str]


Fault = Callable[[Asked], tuple[int, Any, dict[str, str]] | None]


class Hub:
    """What the service knows. `fault` may answer before it does."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.logins = {TOKEN: "cairn-bot", "ada-token": "ada"}
        self.pulls: dict[int, Json] = {}
        self.issues: dict[int, Json] = {}
        self.comments: dict[int, list[Json]] = {}
        self.events: dict[int, list[Json]] = {}
        self.reviews: dict[int, list[Json]] = {}
        self.labels: set[str] = set()
        self.repository: Json = {"default_branch": "main", "archived": False, "permissions": {"push": True}}
        self.headers: dict[str, str] = {}
        self.mergeable_state = "clean"
        self.undecided = 0
        """How often GitHub has yet to say that it does not know whether a pull request can be merged."""
        self.asked: list[Asked] = []
        self.fault: Fault | None = None
        self.port = 0
        self._next_comment = 1
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def environment(self, token: str = TOKEN) -> dict[str, str]:
        return {"GITHUB_API_URL": self.url, "GITHUB_REPOSITORY": f"{OWNER}/{NAME}", "GITHUB_TOKEN": token}

    def changes(self) -> list[str]:
        """What was asked of it that changes anything."""
        return [f"{asked.method} {asked.path}" for asked in self.asked if asked.method != "GET"]

    # --- git -----------------------------------------------------------------------------------------------------

    def git(self, *arguments: str, given: bytes | None = None) -> bytes | None:
        identity = {f"GIT_{who}_{what}": "cairn-bot" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        done = subprocess.run(
            ["git", "-C", os.fspath(self.root), *arguments],
            input=given,
            capture_output=True,
            env=environment | identity | {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull},
        )
        return done.stdout if done.returncode == 0 else None

    def line(self, *arguments: str, given: bytes | None = None) -> str:
        return (self.git(*arguments, given=given) or b"").decode().strip()

    def tip(self, branch: str) -> str:
        return self.line("rev-parse", "--verify", "--quiet", f"refs/heads/{branch}")

    # --- answering -----------------------------------------------------------------------------------------------

    def answer(self, asked: Asked) -> tuple[int, Any, dict[str, str]]:
        with self._lock:
            self.asked.append(asked)
            if self.fault is not None and (answer := self.fault(asked)) is not None:
                return answer
            token = asked.headers.get("authorization", "").removeprefix("Bearer ")
            if token not in self.logins:
                return 401, {"message": "Bad credentials"}, {}
            prefix = f"/repos/{OWNER}/{NAME}"
            path = asked.path.removeprefix(prefix)
            if not asked.path.startswith(prefix):
                return 404, {"message": "Not Found"}, {}
            for method, pattern, view in _ROUTES:
                if method == asked.method and (found := re.fullmatch(pattern, path)):
                    status, value = view(self, asked, self.logins[token], *map(unquote, found.groups()))
                    return status, value, self.headers
            return 404, {"message": f"No route for {asked.method} {path}"}, {}

    def pull(self, number: int) -> Json:
        value = self.pulls[number]
        tip = self.tip(value["head"]["ref"]) if value["state"] == "open" else ""
        if tip:
            value["head"]["sha"] = tip
            self.git("update-ref", f"refs/pull/{number}/head", tip)
        return {**value, "labels": [{"name": name} for name in self.issues[number]["labels"]]}

    def whole_pull(self, number: int) -> Json:
        value = self.pull(number)
        if value["state"] == "open" and self.undecided:
            self.undecided -= 1
            return {**value, "mergeable": None, "mergeable_state": "unknown"}
        if value["state"] != "open":
            return {**value, "mergeable": None, "mergeable_state": "unknown"}
        base = self.tip(value["base"]["ref"])
        tree = self.line("merge-tree", "--write-tree", base, value["head"]["sha"])
        if not tree:
            return {**value, "mergeable": False, "mergeable_state": "dirty"}
        tried = self.line("commit-tree", tree, "-p", base, "-p", value["head"]["sha"], "-m", "tried")
        return {**value, "mergeable": True, "mergeable_state": self.mergeable_state, "merge_commit_sha": tried}

    def new_comment_id(self) -> int:
        self._next_comment += 1
        return self._next_comment


def _invalid(message: str, **error: str) -> Answer:
    return 422, {"message": "Validation Failed", "errors": [{"message": message, **error}]}


MISSING: Answer = (404, {"message": "Not Found"})


def _repository(hub: Hub, asked: Asked, login: str) -> Answer:
    return 200, {"full_name": f"{OWNER}/{NAME}", **hub.repository}


# --- git objects ----------------------------------------------------------------------------------------------------


def _ref(hub: Hub, asked: Asked, login: str, name: str) -> Answer:
    tip = hub.tip(name)
    return (200, {"ref": f"refs/heads/{name}", "object": {"sha": tip, "type": "commit"}}) if tip else MISSING


def _make_ref(hub: Hub, asked: Asked, login: str) -> Answer:
    ref, id = asked.body["ref"], asked.body["sha"]
    if hub.line("rev-parse", "--verify", "--quiet", ref):
        return 422, {"message": "Reference already exists"}
    if hub.git("update-ref", ref, id, "0" * 40) is None:
        return 422, {"message": "Reference update failed"}
    return 201, {"ref": ref, "object": {"sha": id, "type": "commit"}}


def _move_ref(hub: Hub, asked: Asked, login: str, name: str) -> Answer:
    if not hub.tip(name):
        return 422, {"message": "Reference does not exist"}
    hub.git("update-ref", f"refs/heads/{name}", asked.body["sha"])
    return _ref(hub, asked, login, name)


def _drop_ref(hub: Hub, asked: Asked, login: str, name: str) -> Answer:
    if not hub.tip(name):
        return 422, {"message": "Reference does not exist"}
    for number, pull in hub.pulls.items():
        if pull["head"]["ref"] == name and pull["state"] == "open":
            hub.pull(number)
            pull["state"] = hub.issues[number]["state"] = "closed"
    hub.git("update-ref", "-d", f"refs/heads/{name}")
    return 204, None


def _commit(hub: Hub, asked: Asked, login: str, id: str) -> Answer:
    text = hub.git("cat-file", "commit", id)
    if text is None:
        return MISSING
    head, _, message = text.decode().partition("\n\n")
    facts = [line.partition(" ")[::2] for line in head.splitlines()]
    return 200, {
        "sha": id,
        "message": message,
        "tree": {"sha": dict(facts)["tree"]},
        "parents": [{"sha": value} for key, value in facts if key == "parent"],
    }


def _make_commit(hub: Hub, asked: Asked, login: str) -> Answer:
    parents = [word for parent in asked.body["parents"] for word in ("-p", parent)]
    id = hub.line("commit-tree", asked.body["tree"], *parents, given=asked.body["message"].encode())
    return (201, _commit(hub, asked, login, id)[1]) if id else _invalid("tree is not there")


def _tree(hub: Hub, asked: Asked, login: str, id: str) -> Answer:
    out = hub.git("ls-tree", "-z", id)
    if out is None:
        return MISSING
    items = []
    for line in filter(None, out.decode().split("\0")):
        mode, kind, sha = line.partition("\t")[0].split()
        items.append({"path": line.partition("\t")[2], "mode": mode, "type": kind, "sha": sha})
    return 200, {"sha": id, "tree": items, "truncated": False}


def _make_tree(hub: Hub, asked: Asked, login: str) -> Answer:
    index = hub.root / ".git" / "stand-in-index"
    index.unlink(missing_ok=True)

    def run(*arguments: str, given: bytes | None = None) -> bytes:
        environment = {**os.environ, "GIT_INDEX_FILE": os.fspath(index)}
        command = ["git", "-C", os.fspath(hub.root), *arguments]
        return subprocess.run(command, input=given, capture_output=True, env=environment, check=True).stdout

    run("read-tree", asked.body["base_tree"])
    lines = [
        f"{item['mode'] if item['sha'] else '0'} {item['sha'] or '0' * 40}\t{item['path']}\n"
        for item in asked.body["tree"]
    ]
    run("update-index", "--index-info", given="".join(lines).encode())
    return 201, {"sha": run("write-tree").decode().strip(), "tree": []}


def _blob(hub: Hub, asked: Asked, login: str, id: str) -> Answer:
    content = hub.git("cat-file", "blob", id)
    return (
        MISSING if content is None else (200, {"sha": id, "encoding": "base64", "content": b64encode(content).decode()})
    )


def _make_blob(hub: Hub, asked: Asked, login: str) -> Answer:
    return 201, {"sha": hub.line("hash-object", "-w", "--stdin", given=b64decode(asked.body["content"]))}


def _compare(hub: Hub, asked: Asked, login: str, old: str, new: str) -> Answer:
    return 200, {"merge_base_commit": {"sha": hub.line("merge-base", old, new)}}


# --- pull requests --------------------------------------------------------------------------------------------------


def _page(items: list[Any], asked: Asked) -> Answer:
    size, page = int(asked.query.get("per_page", "30")), int(asked.query.get("page", "1"))
    return 200, items[size * (page - 1) : size * page]


def _pulls(hub: Hub, asked: Asked, login: str) -> Answer:
    state = asked.query.get("state", "open")
    head = asked.query.get("head", "").removeprefix(f"{OWNER}:")
    found = [hub.pull(number) for number in sorted(hub.pulls, reverse=True)]
    found = [pull for pull in found if head in ("", pull["head"]["ref"])]
    return _page([pull for pull in found if state in ("all", pull["state"])], asked)


def _open_pull(hub: Hub, asked: Asked, login: str) -> Answer:
    head, base = asked.body["head"], asked.body["base"]
    if not hub.tip(head):
        return _invalid("", field="head", code="invalid")
    if any(pull["head"]["ref"] == head and pull["state"] == "open" for pull in hub.pulls.values()):
        return _invalid(f"A pull request already exists for {OWNER}:{head}.")
    number = len(hub.issues) + 1
    user = {"login": login}
    hub.issues[number] = {"number": number, "state": "open", "labels": [], "user": user, "pull_request": {}}
    hub.pulls[number] = {
        "number": number,
        "state": "open",
        "title": asked.body["title"],
        "body": asked.body["body"],
        "user": user,
        "draft": False,
        "head": {"ref": head, "sha": hub.tip(head), "repo": {"full_name": f"{OWNER}/{NAME}"}},
        "base": {"ref": base, "sha": hub.tip(base)},
        "merged_at": None,
        "merge_commit_sha": None,
        "html_url": f"https://github.com/{OWNER}/{NAME}/pull/{number}",
    }
    return 201, hub.pull(number)


def _show_pull(hub: Hub, asked: Asked, login: str, number: str) -> Answer:
    if int(number) not in hub.pulls:
        return MISSING
    value = hub.whole_pull(int(number))
    if asked.headers.get("accept") != "application/vnd.github.diff":
        return 200, value
    old = hub.line("merge-base", value["base"]["sha"], value["head"]["sha"])
    return 200, hub.git("diff", "--no-renames", old, value["head"]["sha"])


def _change_pull(hub: Hub, asked: Asked, login: str, number: str) -> Answer:
    value = hub.pulls[int(number)]
    if asked.body.get("state") == "open" and value["state"] != "open" and not hub.tip(value["head"]["ref"]):
        return _invalid("state cannot be changed. The branch has been deleted.")
    hub.pull(int(number))
    value.update({key: asked.body[key] for key in ("title", "body", "state") if key in asked.body})
    hub.issues[int(number)]["state"] = value["state"]
    return 200, hub.pull(int(number))


def _merge_pull(hub: Hub, asked: Asked, login: str, number: str) -> Answer:
    value = hub.whole_pull(int(number))
    if value["mergeable"] is False:
        return 405, {"message": "Pull Request is not mergeable"}
    if value["mergeable_state"] == "blocked":
        return 405, {"message": "At least 1 approving review is required by reviewers with write access."}
    if asked.body["sha"] != value["head"]["sha"]:
        return 409, {"message": "Head branch was modified. Review and try the merge again."}
    tree = hub.line("rev-parse", f"{value['merge_commit_sha']}^{{tree}}")
    base = value["base"]["ref"]
    landed = hub.line("commit-tree", tree, "-p", hub.tip(base), "-m", value["title"])
    hub.git("update-ref", f"refs/heads/{base}", landed)
    hub.pulls[int(number)].update(state="closed", merged_at="2026-01-01T00:00:00Z", merge_commit_sha=landed)
    hub.issues[int(number)]["state"] = "closed"
    return 200, {"sha": landed, "merged": True, "message": "Pull Request successfully merged"}


def _files(hub: Hub, asked: Asked, login: str, number: str) -> Answer:
    value = hub.pull(int(number))
    old = hub.line("merge-base", value["base"]["sha"], value["head"]["sha"])
    names = hub.line("diff", "--name-only", "--no-renames", old, value["head"]["sha"]).splitlines()
    return _page([{"filename": name, "status": "modified"} for name in names], asked)


def _reviews(hub: Hub, asked: Asked, login: str, number: str) -> Answer:
    return _page(hub.reviews.get(int(number), []), asked)


def _review(hub: Hub, asked: Asked, login: str, number: str) -> Answer:
    if hub.pulls[int(number)]["user"]["login"] == login:
        return 422, {"message": "Unprocessable Entity", "errors": ["Can not approve your own pull request"]}
    review = {"user": {"login": login}, "state": "APPROVED", "commit_id": asked.body["commit_id"]}
    hub.reviews.setdefault(int(number), []).append(review)
    return 200, review


# --- issues, comments, labels ---------------------------------------------------------------------------------------


def _issues(hub: Hub, asked: Asked, login: str) -> Answer:
    state, label = asked.query.get("state", "open"), asked.query.get("labels", "")
    found = [hub.issues[number] for number in sorted(hub.issues, reverse=True)]
    shown = [i for i in found if state in ("all", i["state"]) and (not label or label in i["labels"])]
    return _page([{**issue, "labels": [{"name": name} for name in issue["labels"]]} for issue in shown], asked)


def _open_issue(hub: Hub, asked: Asked, login: str) -> Answer:
    number = len(hub.issues) + 1
    url = f"https://github.com/{OWNER}/{NAME}/issues/{number}"
    facts = {"number": number, "state": "open", "user": {"login": login}, "html_url": url}
    hub.issues[number] = {**facts, **asked.body, "labels": list(asked.body.get("labels", ()))}
    return 201, hub.issues[number]


def _change_issue(hub: Hub, asked: Asked, login: str, number: str) -> Answer:
    hub.issues[int(number)].update(asked.body)
    return 200, hub.issues[int(number)]


def _comments(hub: Hub, asked: Asked, login: str, number: str) -> Answer:
    return _page(hub.comments.get(int(number), []), asked)


def _comment_on(hub: Hub, asked: Asked, login: str, number: str) -> Answer:
    comment = {"id": hub.new_comment_id(), "user": {"login": login}, "body": asked.body["body"]}
    hub.comments.setdefault(int(number), []).append(comment)
    return 201, comment


def _change_comment(hub: Hub, asked: Asked, login: str, id: str) -> Answer:
    for comment in (comment for comments in hub.comments.values() for comment in comments):
        if comment["id"] == int(id):
            comment["body"] = asked.body["body"]
            return 200, comment
    return MISSING


def _make_label(hub: Hub, asked: Asked, login: str) -> Answer:
    if asked.body["name"] in hub.labels:
        return _invalid("", resource="Label", code="already_exists", field="name")
    hub.labels.add(asked.body["name"])
    return 201, asked.body


def _add_labels(hub: Hub, asked: Asked, login: str, number: str) -> Answer:
    labels = hub.issues[int(number)]["labels"]
    for name in asked.body["labels"]:
        if name not in labels:
            labels.append(name)
            _happened(hub, int(number), "labeled", name, login)
    return 200, [{"name": name} for name in labels]


def _drop_label(hub: Hub, asked: Asked, login: str, number: str, name: str) -> Answer:
    labels = hub.issues[int(number)]["labels"]
    if name not in labels:
        return 404, {"message": "Label does not exist"}
    labels.remove(name)
    _happened(hub, int(number), "unlabeled", name, login)
    return 200, [{"name": name} for name in labels]


def _happened(hub: Hub, number: int, event: str, name: str, login: str) -> None:
    hub.events.setdefault(number, []).append({"event": event, "actor": {"login": login}, "label": {"name": name}})


def _events(hub: Hub, asked: Asked, login: str, number: str) -> Answer:
    return _page(hub.events.get(int(number), []), asked)


_ROUTES: list[tuple[str, str, Callable[..., Answer]]] = [
    ("GET", "", _repository),
    ("GET", r"/git/ref/heads%2F([^/]+)", _ref),
    ("POST", r"/git/refs", _make_ref),
    ("PATCH", r"/git/refs/heads%2F([^/]+)", _move_ref),
    ("DELETE", r"/git/refs/heads%2F([^/]+)", _drop_ref),
    ("GET", r"/git/commits/(\w+)", _commit),
    ("POST", r"/git/commits", _make_commit),
    ("GET", r"/git/trees/(\w+)", _tree),
    ("POST", r"/git/trees", _make_tree),
    ("GET", r"/git/blobs/(\w+)", _blob),
    ("POST", r"/git/blobs", _make_blob),
    ("GET", r"/compare/(\w+)\.\.\.(\w+)", _compare),
    ("GET", r"/pulls", _pulls),
    ("POST", r"/pulls", _open_pull),
    ("GET", r"/pulls/(\d+)", _show_pull),
    ("PATCH", r"/pulls/(\d+)", _change_pull),
    ("PUT", r"/pulls/(\d+)/merge", _merge_pull),
    ("GET", r"/pulls/(\d+)/files", _files),
    ("GET", r"/pulls/(\d+)/reviews", _reviews),
    ("POST", r"/pulls/(\d+)/reviews", _review),
    ("GET", r"/issues", _issues),
    ("POST", r"/issues", _open_issue),
    ("PATCH", r"/issues/(\d+)", _change_issue),
    ("GET", r"/issues/(\d+)/events", _events),
    ("GET", r"/issues/(\d+)/comments", _comments),
    ("POST", r"/issues/(\d+)/comments", _comment_on),
    ("PATCH", r"/issues/comments/(\d+)", _change_comment),
    ("POST", r"/labels", _make_label),
    ("POST", r"/issues/(\d+)/labels", _add_labels),
    ("DELETE", r"/issues/(\d+)/labels/([^/]+)", _drop_label),
]


@contextmanager
def serve(hub: Hub) -> Iterator[Hub]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _any(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            data = self.rfile.read(size)
            parts = urlsplit(self.path)
            headers = {name.lower(): value for name, value in self.headers.items()}
            body = json.loads(data) if data else None
            asked = Asked(self.command, parts.path, dict(parse_qsl(parts.query)), body, headers)
            status, value, more = hub.answer(asked)
            out = value if isinstance(value, bytes) else b"" if value is None else json.dumps(value).encode()
            self.send_response(status)
            for name, text in {**more, "Content-Length": str(len(out))}.items():
                self.send_header(name, text)
            self.end_headers()
            self.wfile.write(out)

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _any

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    hub.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
