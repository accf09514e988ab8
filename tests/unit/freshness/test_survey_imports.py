"""Imports of documents after something moved to another module."""

from pathlib import Path

import pytest

from repository import make, put
from surveyed import SurveyCase as Case
from surveyed import found, look, page, short

CLIENT = "class Client:\n    pass\n"
PACKAGE = {"pkg/__init__.py": "", "pkg/a.py": f"LIMIT = 3\n\n\n{CLIENT}", "pkg/c.py": "from pkg.b import Client\n"}
MOVED = {"pkg/a.py": "LIMIT = 3\n", "pkg/b.py": CLIENT}
LINES = page("```python", "from pkg.a import Client", "```", "", "Make a `pkg.a.Client()`, or just a `Client`.")
BOTH = [found(4, "import", "Client"), found(7, "import", "Client")]

CASES = [
    Case("class moved without a re-export", {**PACKAGE, "a.md": LINES}, MOVED, BOTH),
    Case(
        "class moved, in src",
        {f"src/{path}": text for path, text in PACKAGE.items()} | {"a.md": LINES},
        {f"src/{path}": text for path, text in MOVED.items()},
        BOTH,
    ),
    Case(
        "class moved and re-exported", {**PACKAGE, "a.md": LINES}, {**MOVED, "pkg/a.py": "from pkg.b import Client\n"}
    ),
    Case("class moved and all re-exported", {**PACKAGE, "a.md": LINES}, {**MOVED, "pkg/a.py": "from pkg.b import *\n"}),
    Case("module deleted", {**PACKAGE, "a.md": LINES}, {**MOVED, "pkg/a.py": None}, BOTH),
    Case("module became a package", {**PACKAGE, "a.md": LINES}, {"pkg/a.py": None, "pkg/a/__init__.py": CLIENT}),
    Case(
        "import over lines",
        {
            **PACKAGE,
            "a.md": page("```python", "from pkg.a import (", "    LIMIT,", "    Client,", ")", "Client()", "```"),
        },
        MOVED,
        [found(6, "import", "Client")],
    ),
    Case(
        "import from another module", {**PACKAGE, "a.md": page("```python", "from pkg.c import Client", "```")}, MOVED
    ),
    Case("import by its new name", {**PACKAGE, "a.md": page("`pkg.c.a.Client` and `from pkg import Client`")}, MOVED),
    Case("line about the past", {**PACKAGE, "a.md": page("Formerly `pkg.a.Client`.")}, MOVED),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_survey_finds_imports_from_the_old_place(tmp_path: Path, case: Case) -> None:
    root = make(tmp_path, case.before)
    put(root, case.after)
    assert short(look(root).doubts) == list(case.doubts)


def test_survey_names_the_new_place_of_an_import(tmp_path: Path) -> None:
    root = make(tmp_path, {**PACKAGE, "a.md": LINES})
    put(root, MOVED)
    first, _ = look(root).doubts
    assert first.message == "`Client` can no longer be imported from `pkg.a`: moved to `pkg.b`."
    assert (first.path, first.code_line, first.new) == ("pkg/b.py", 1, "class Client:")
    assert first.fix == "Import it from `pkg.b`."
