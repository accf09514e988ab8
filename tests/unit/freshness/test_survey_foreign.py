"""Names of documents that belong to something else: another folder, another package, the reader's own code."""

from pathlib import Path

import pytest

from repository import make, put
from surveyed import SurveyCase as Case
from surveyed import found, look, page, short

SKILL = "class Alex:\n    def group_by(self, field, max_retries=3):\n        return field\n"
HOME = "skills/alex/scripts/alex_client.py"


def of_skill(text: str, *doubts: tuple[str, int, str, str], document: str) -> tuple:  # type: ignore[type-arg]
    """A skill whose helper script goes, and one page."""
    return {HOME: SKILL, "skills/alex/SKILL.md": "# Alex\n", document: text}, {HOME: None}, list(doubts)


FOREIGN = [
    Case(
        "helper script of a skill, page of the same skill",
        *of_skill(
            page("Call `alex.group_by(1, max_retries=2)`."),
            ("skills/alex/guide.md", 3, "removed", "group_by"),
            ("skills/alex/guide.md", 3, "removed", "max_retries"),
            document="skills/alex/guide.md",
        ),
    ),
    Case(
        "helper script of a skill, page of another one",
        *of_skill(page("Call `df.group_by()` with `max_retries`."), document="skills/polars/SKILL.md"),
    ),
    Case(
        "helper script of a skill, page elsewhere that names it",
        *of_skill(page("With `alex_client`, call `group_by()`."), ("a.md", 3, "removed", "group_by"), document="a.md")[
            :2
        ],
        [("a.md", 3, "removed", "alex_client"), ("a.md", 3, "removed", "group_by")],
    ),
    Case(
        "value in a helper script of a skill",
        {
            "skills/alex/SKILL.md": page("`MAX_TRIES` is 30."),
            "skills/b/SKILL.md": page("`MAX_TRIES` is 30."),
            "skills/alex/scripts/x.py": "MAX_TRIES = 30\n",
        },
        {"skills/alex/scripts/x.py": "MAX_TRIES = 40\n"},
        [("skills/alex/SKILL.md", 3, "value", "30")],
    ),
    Case(
        "script of a package is everybody's",
        {"b/package.json": "{}", "b/README.md": "# B\n", "b/scripts/x.py": SKILL, "a.md": page("Use `max_retries`.")},
        {"b/scripts/x.py": None},
        [("a.md", 3, "removed", "max_retries")],
    ),
    *(
        Case(
            f"in a block: {name}",
            {"lib/app.py": SKILL, "lib/__init__.py": "", "a.md": page("The lib.", "", "```python", *lines, "```")},
            {"lib/app.py": "x = 1\n"},
            [found(at, "removed", word) for at, word in doubts],
        )
        for name, lines, doubts in [
            (
                "method of ours",
                ["from lib.app import Alex", "Alex().group_by(1)"],
                [(6, "Alex"), (7, "Alex"), (7, "group_by")],
            ),
            (
                "method of an object of others",
                ["import polars as pl", "df = pl.read()", "df.filter(1).group_by(2)"],
                [],
            ),
            ("method in a chain over lines", ["import polars as pl", "(", "pl.scan(x)", "  .group_by(2)", ")"], []),
            (
                "argument of a call of others",
                ["from sdk import Retry", "a = Retry(", "  b(1),", "  max_retries=3,", ")"],
                [],
            ),
            ("argument of a call of ours", ["import sdk", "a = alex(max_retries=3)"], [(7, "max_retries")]),
            ("parameter of its own", ["def load(url, max_retries=3):", "    return max_retries"], []),
            ("parameter of ours", ["def group_by(field, max_retries=3): ..."], [(6, "group_by"), (6, "max_retries")]),
        ]
    ),
    Case(
        "page about another package",
        {"lib/app.py": SKILL, "a.md": page("```python", "import polars", "```", "", "`df.group_by()`")},
        {"lib/app.py": "x = 1\n"},
    ),
    Case(
        "page about ours and another package",
        {"lib/app.py": SKILL, "a.md": page("```python", "import polars", "```", "", "Of lib: `df.group_by()`")},
        {"lib/app.py": "x = 1\n"},
        [found(7, "removed", "group_by")],
    ),
]


@pytest.mark.parametrize("case", FOREIGN, ids=lambda case: case.name)
def test_survey_leaves_names_of_others_alone(tmp_path: Path, case: Case) -> None:
    root = make(tmp_path, case.before)
    put(root, case.after)
    assert short(look(root).doubts) == list(case.doubts)
