"""`bench/rooms` renames and merges by what a name refers to, not by how it is written."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOMS = Path(__file__).parents[2] / "bench" / "rooms"


@pytest.fixture(scope="module", autouse=True)
def programs() -> Iterator[None]:
    sys.path.insert(0, str(ROOMS))
    yield
    sys.path.remove(str(ROOMS))


def package(root: Path, **files: str):
    from rewrite import Package

    subprocess.run(["git", "init", "-q", str(root)], check=True)
    for name, text in {"": "", **files}.items():
        file = root.joinpath("src", "cairn", *name.split("__")).with_suffix(".py") if name else None
        file = file or root / "src/cairn/__init__.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (root / "page.md").write_text("See `cairn.a.Told` and `b.py`.\n")
    subprocess.run(["git", "-C", str(root), "add", "-A"], check=True)
    return Package(root)


def changed(root: Path, given, **what) -> dict[str, str]:
    from rewrite import Change

    change = Change(given, **what)
    texts = {
        file.relative_to(root).as_posix().removeprefix("src/cairn/"): text for file, text in change.all_files().items()
    }
    assert not change.problems
    return texts


TOLD = 'class Told:\n    """A `Told`."""\n\n    def other(self) -> "Told | None": ...\n'


def test_rename_follows_imports_attributes_quotes_and_strings(tmp_path):
    given = package(
        tmp_path,
        a=TOLD,
        b="from cairn.a import Told\n\nNAME = 'cairn.a:Told'\nOTHER = {'Told': 1}\n",
        c="from cairn import a\n\ndef f(x: a.Told) -> 'list[a.Told]':\n    return [a.Told(), f'{a.Told}']\n",
        d="from cairn.b import Told as Known\n\nx = Known()\n",
    )
    found = changed(tmp_path, given, symbols={"cairn.a.Told": "cairn.a.Event"})
    assert found["a.py"] == TOLD.replace("Told", "Event")
    assert found["b.py"] == "from cairn.a import Event\n\nNAME = 'cairn.a:Event'\nOTHER = {'Told': 1}\n"
    assert found["c.py"] == given.by_module["cairn.c"].text.replace("Told", "Event")
    assert found["d.py"] == "from cairn.b import Event\n\nx = Event()\n"
    assert found["page.md"] == "See `cairn.a.Event` and `b.py`.\n"


def test_rename_leaves_another_thing_of_the_same_name(tmp_path):
    text = "from cairn.a import Told as T\n\nclass Told: ...\n\ndef f(Event: int) -> T:\n    return Told() or T()\n"
    given = package(tmp_path, a=TOLD, b=text)
    found = changed(tmp_path, given, symbols={"cairn.a.Told": "cairn.a.Event"})
    assert found["b.py"] == text.replace("import Told as T", "import Event as T")


def test_the_public_door_keeps_its_names(tmp_path):
    given = package(
        tmp_path, a=TOLD, plugin="from cairn.a import Told\n", b="from cairn.plugin import Told\n\nTold()\n"
    )
    found = changed(tmp_path, given, symbols={"cairn.a.Told": "cairn.a.Event"})
    assert found["plugin.py"] == "from cairn.a import Event as Told\n"
    assert "b.py" not in found


def test_modules_are_renamed_where_they_are_imported_and_named(tmp_path):
    given = package(
        tmp_path, b=TOLD, c="from cairn import b\nfrom cairn.b import Told\n\nb.Told, 'cairn.b.Told', Told\n"
    )
    found = changed(tmp_path, given, modules={"cairn.b": "cairn.e"})
    assert found["c.py"] == "from cairn import e\nfrom cairn.e import Told\n\ne.Told, 'cairn.e.Told', Told\n"
    assert found["page.md"] == "See `cairn.a.Told` and `e.py`.\n"


def merged(root: Path, given, line: str) -> tuple[str, list[str]]:
    from merge import _result, change_of, read_table

    (root / "table").write_text(line)
    groups = read_table(root / "table")
    change, names = change_of(groups, given)
    texts = change.all_files()
    problems = names.problems + change.problems
    return _result(groups[0], given, texts, problems), problems


def test_merge_puts_what_is_needed_first_and_drops_imports_between_members(tmp_path):
    first = '"""First."""\n\nimport re\n\nfrom cairn.b import rows\n\n\ndef _size():\n    return len(rows())\n'
    second = (
        '"""Second."""\n\nimport re\n\n\ndef rows():\n    from cairn.a import one\n\n    return [one, _size]\n\n\n'
        "_size = re.compile('x')\n"
    )
    given = package(tmp_path, a=first + "\n\none = re.compile('y')\n", b=second)
    text, problems = merged(tmp_path, given, "cairn.a + cairn.b -> cairn.a : Both.\n")
    assert not problems
    assert text.startswith('"""Both."""\n\nimport re\n')
    assert "cairn" not in text
    assert text.index("def rows") < text.index("def _size")
    assert "return [one, _b_size]" in text
    assert "_b_size = re.compile('x')" in text


def test_merge_refuses_two_public_names_and_a_hidden_built_in(tmp_path):
    given = package(tmp_path, a="def f(): ...\n", b="def f(): ...\n\n\nopen('x')\n", c="def open(): ...\n")
    assert merged(tmp_path, given, "cairn.a + cairn.b -> cairn.a\n")[1] == [
        "cairn.b.f and cairn.a.f have one name; give another one in the table"
    ]
    assert merged(tmp_path, given, "cairn.a + cairn.b -> cairn.a\n    cairn.b.f -> g\n")[1] == []
    assert "hide the built-in `open`" in merged(tmp_path, given, "cairn.b + cairn.c -> cairn.b\n")[1][0]


def test_a_private_copy_is_dropped(tmp_path):
    same = "def _f(x):\n    return x + 1\n"
    given = package(tmp_path, a=same, b=f"{same}\n\nprint(_f(1))\n")
    text, problems = merged(tmp_path, given, "cairn.a + cairn.b -> cairn.a\n")
    assert not problems
    assert text.count("def _f") == 1
