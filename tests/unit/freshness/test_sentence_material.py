"""What a reader is shown about a sentence and a change: what decides may stand in another file."""

from pathlib import Path
from typing import Any

from cairn.adapters.files.local import LocalFiles
from cairn.adapters.vcs.git import Git
from cairn.freshness.diff.doubt import StaleReason, StaleSentence
from cairn.freshness.sentence_material import SentenceMaterial
from cairn.freshness.states import span_of
from repository import make, put

CLIENT = "def connect(host, timeout=30):\n    return Session(host, timeout)\n"
FILES = {
    "app/client.py": CLIENT,
    "app/settings.py": "PORT = 80\nstorage_file = 'a'\n",
    "tests/test_client.py": "def test_connect():\n    assert connect('a', timeout=30)\n",
    "docs/guide.md": "# Guide\n\n## Clients\n\nFirst. `connect` waits 30 seconds\nfor an answer. See `storageFile`.\n",
    "poetry.lock": "connect timeout\n",
}
CHANGED = {
    "app/client.py": CLIENT.replace("timeout=30", "timeout=WAIT"),
    "app/settings.py": "PORT = 80\nWAIT_SECONDS = 10  # to connect, in seconds\n",
    "tests/test_client.py": FILES["tests/test_client.py"].replace("30", "10"),
    "poetry.lock": "connect timeout again\n",
}


def about(root: Path, line: int, written: str, **changed: str) -> dict[str, Any]:
    make(root, FILES)
    put(root, {**CHANGED, **changed})
    text = FILES["docs/guide.md"].split("\n")[line - 1]
    mention = StaleSentence(
        "docs/guide.md", line, text, written, StaleReason.CHANGED, "", "app/client.py", 1, "", "", False, 1
    )
    vcs = Git(root)
    [facts] = SentenceMaterial(vcs, LocalFiles(root), span_of(vcs, "HEAD")).about([mention])
    return facts


def test_the_code_at_the_place_and_what_other_files_say(tmp_path: Path) -> None:
    facts = about(tmp_path / "a", 5, "connect")
    assert facts["sentence"] == "`connect` waits 30 seconds\nfor an answer." and facts["heading"] == "Guide > Clients"
    assert facts["code"]["path"] == "app/client.py" and facts["code"]["before"].startswith(
        "def connect(host, timeout=30)"
    )
    assert "+def connect(host, timeout=WAIT):" in facts["code"]["diff"]
    others = {one["path"]: one["diff"] for one in facts["elsewhere"]}
    assert list(others) == ["app/settings.py", "tests/test_client.py"], "no lock file, and the code before its test"
    assert "+WAIT_SECONDS = 10" in others["app/settings.py"]
    assert "@@ test_connect" in others["tests/test_client.py"]


def test_where_the_names_of_the_sentence_stand_afterwards(tmp_path: Path) -> None:
    facts = about(tmp_path / "a", 6, "storageFile")
    assert facts["names"] == [{"name": "storageFile", "lines": []}], "the code called it storage_file"
    facts = about(tmp_path / "b", 6, "storageFile", **{"app/other.py": "STORAGE_FILE = 'a'\nuse(STORAGE_FILE)\n"})
    assert facts["names"] == [
        {"name": "storageFile", "lines": ["app/other.py: STORAGE_FILE = 'a'", "app/other.py: use(STORAGE_FILE)"]}
    ]
    facts = about(tmp_path / "c", 5, "connect")
    assert [one["name"] for one in facts["names"]] == ["connect"]
    assert facts["names"][0]["lines"][0] == "app/client.py: def connect(host, timeout=WAIT):"
