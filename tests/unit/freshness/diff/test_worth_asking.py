"""Which lines of documents a reader should be asked about after a change of the code, and in which order."""

from pathlib import Path

import pytest

from cairn.adapters.files.local import LocalFiles
from cairn.adapters.vcs.git import Git
from cairn.freshness.diff.doubt import StaleSentence
from cairn.freshness.diff.survey import SurveyOptions, survey
from cairn.freshness.states import span_of
from repository import make, put
from surveyed import page


def asked(
    root: Path, code: tuple[str, str], text: str, *, path: str = "app/net.py", **more: str
) -> list[StaleSentence]:
    """The lines to ask about after a file of code changed from one text to the other, the most doubtful first."""
    make(root, {path: code[0], "docs/a.md": text, **more})
    put(root, {path: code[1]})
    vcs = Git(root)
    options = SurveyOptions(mentions=True, ranked=True, project=root.name)
    return list(survey(span_of(vcs, "HEAD"), vcs, LocalFiles(root), options=options).mentions)


def lines(found: list[StaleSentence]) -> list[int]:
    return [one.line for one in found]


SERVER = "class Server:\n    def __init__(self, app=None, model=None):\n        self.app = app\n"
SWAPPED = SERVER.replace("app=None, model=None", "model=None, app=None")
ENDPOINT = "class Endpoint:\n    def save_client(self, info, user):\n        raise NotImplementedError\n"
ENDPOINT_NOW = ENDPOINT.replace("info, user", "info, request")
OPTION = 'def ordered(self):\n    return self.options.get("chord_ordered", False)\n'
SESSION = "def start(session, uri):\n    session.callback_uri = uri\n    return session\n"
GROUP = (
    "class Group:\n    def execute(self, task):\n        return task\n\n    def close(self):\n        self.open = 0\n"
)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        pytest.param((SERVER, SWAPPED), page("```python", "server = Server(Model, app)", "```"), id="constructor"),
        pytest.param((SERVER, SWAPPED), page("", "A `Server` needs an app."), id="class of a constructor"),
        pytest.param(
            (ENDPOINT, ENDPOINT_NOW),
            page("```python", "    def save_client(self, info, user):", "```"),
            id="method that a page overrides",
        ),
        pytest.param(
            (OPTION, OPTION.replace("False", "True")),
            page("", "Turn on `chord_ordered` first."),
            id="default of an option",
        ),
        pytest.param(
            (SESSION, SESSION.replace("callback_uri", "redirect_uri") + "\nOLD = ('callback_uri',)\n"),
            page("", "Assign a `callback_uri` first."),
            id="attribute with another name",
        ),
        pytest.param(
            ("import pkg_resources\nENTRY = pkg_resources.x\n", "import metadata\nENTRY = metadata.x\n"),
            page("", "Plugins are read with pkg_resources from the system."),
            id="removed import",
        ),
        pytest.param(
            ('run("lock --ignore-scripts")\nx = 1\n', 'run(f"lock {args}")\nx = "--ignore-scripts" if safe else ""\n'),
            page("", "Runs `lock --ignore-scripts` afterwards."),
            id="flag on a changed line",
        ),
        pytest.param(
            ("type Acme struct {\n\tStorageFile string\n}\n", "type Acme struct {\n\tStorage string\n}\n"),
            page("", "| `storageFile` | where certificates are kept |"),
            id="name in another form, in a table",
        ),
    ],
)
def test_a_line_about_changed_code_is_asked_about(tmp_path: Path, code: tuple[str, str], text: str) -> None:
    found = asked(tmp_path / "repo", code, text)
    assert lines(found) == [4], found
    assert found[0].path == "app/net.py" and not found[0].certain


def test_a_member_is_known_by_its_class(tmp_path: Path) -> None:
    now = GROUP.replace("    def execute(self, task):\n        return task\n\n", "")
    text = page("", "`Group.execute` returns results.", "", "`Cursor.execute` belongs to a database.")
    found = asked(tmp_path / "repo", (GROUP, now + "\n\ndef run(db):\n    db.execute(1)\n"), text)
    assert lines(found) == [4] and found[0].message == "`Group.execute` was removed from app/net.py."


CHANGED = (OPTION, OPTION.replace("False", "True"))


@pytest.mark.parametrize(
    ("code", "text"),
    [
        pytest.param(
            (OPTION, OPTION + "\n\ndef other():\n    pass\n"), page("`chord_ordered` is off."), id="unchanged"
        ),
        pytest.param(CHANGED, page("See <https://example.org/chord_ordered>."), id="address"),
        pytest.param(CHANGED, page("See [this](other.md#chord_ordered)."), id="target of a link"),
        pytest.param(CHANGED, page("## `chord_ordered`", "", "An option."), id="heading"),
        pytest.param(CHANGED, page(*["Use `chord_ordered` here.\n"] * 50), id="everywhere"),
        pytest.param(
            ("def start(a):\n    pause(a)\n", "def start(a):\n    wait(a)\n"),
            page("Please pause before you start."),
            id="plain words in prose",
        ),
    ],
)
def test_nothing_is_asked_about_other_lines(tmp_path: Path, code: tuple[str, str], text: str) -> None:
    assert asked(tmp_path / "repo", code, text) == []


def test_changelogs_tests_and_examples_are_left_out(tmp_path: Path) -> None:
    log = "# Changelog\n\n- `chord_ordered` is on.\n"
    assert asked(tmp_path / "one", CHANGED, "# A\n", **{"CHANGELOG.md": log}) == []
    assert asked(tmp_path / "two", CHANGED, page("`chord_ordered` is off."), path="tests/test_net.py") == []


def test_a_changed_definition_comes_before_a_changed_line_and_a_rare_name_before_a_frequent_one(tmp_path: Path) -> None:
    before = 'def send_all(host):\n    return host\n\n\nx = get("first_key", 1)\ny = get("second_key", 1)\n'
    after = before.replace("host):", "host, port):").replace(", 1)", ", 2)")
    often = ["The `second_key` of a server has words.", ""] * 3
    text = page(*often, "The `first_key` of a server has words.", "", "Call `send_all`: a server has words.")
    found = asked(tmp_path / "repo", (before, after), text)
    assert [one.written for one in found[:3]] == ["send_all", "first_key", "second_key"]


def test_the_line_that_shares_words_with_the_change_comes_first(tmp_path: Path) -> None:
    before = 'x = listen("entry_point", "socket")\n'
    text = page("An `entry_point` has a name.", "", "An `entry_point` may have a socket.")
    found = asked(tmp_path / "repo", (before, before.replace('"socket"', '"socket", udp=True')), text)
    assert lines(found) == [5, 3]


def test_a_line_about_another_version_comes_last(tmp_path: Path) -> None:
    says = "The options have `chord_ordered`, which is off."
    text = page("## Upgrading from 1.x", "", says, "", "## Use", "", says)
    assert lines(asked(tmp_path / "repo", CHANGED, text)) == [9, 5]


def test_of_several_files_the_one_that_the_page_is_about_is_named(tmp_path: Path) -> None:
    root = make(
        tmp_path / "repo", {f"app/{name}.py": SERVER for name in ("flask", "django")} | {
            f"docs/{name}.md": page("```python", "server = Server(Model, app)", "```") for name in ("flask", "django")
        }
    )  # fmt: skip
    put(root, {f"app/{name}.py": SWAPPED for name in ("flask", "django")})
    vcs = Git(root)
    options = SurveyOptions(mentions=True, ranked=True, project=root.name)
    found = survey(span_of(vcs, "HEAD"), vcs, LocalFiles(root), options=options).mentions
    assert {(one.document, one.path) for one in found} == {
        ("docs/flask.md", "app/flask.py"), ("docs/django.md", "app/django.py")
    }  # fmt: skip


def test_of_a_name_that_is_everywhere_the_line_about_the_change_is_asked_about(tmp_path: Path) -> None:
    before = 'x = listen("entry_point", "socket", systemd_activation=False)\n'
    often = ["An `entry_point` has a name.", ""] * 60
    text = page(*often, "No `entry_point` supports sockets of systemd without its activation.")
    found = asked(tmp_path / "repo", (before, before.replace("False", "True")), text)
    assert [one.sentence[:20] for one in found] == ["No `entry_point` sup"]


def test_a_name_that_moved_to_another_file_was_not_removed(tmp_path: Path) -> None:
    root = make(
        tmp_path / "repo", {"app/a.py": GROUP, "app/b.py": "x = 1\n", "docs/a.md": page("Use `Group.execute`.")}
    )
    put(root, {"app/a.py": "y = 1\n", "app/b.py": f"x = 1\n\n\n{GROUP}"})
    vcs = Git(root)
    options = SurveyOptions(mentions=True, ranked=True, project=root.name)
    found = survey(span_of(vcs, "HEAD"), vcs, LocalFiles(root), options=options).mentions
    assert not [one for one in found if "removed" in one.message]
