"""What a doubt says: the sentence, the evidence and the fix."""

from pathlib import Path

import pytest

from cairn.core.model.issue import proofs_of
from cairn.freshness.diff.doubt import as_issues
from repository import make, put
from surveyed import look, page

CLIENT = "class Client:\n    pass\n\n\ndef connect(host, timeout=30):\n    return host\n"
TREE = page("```", "repo/", "├── shop/", "│   ├── __init__.py", "│   └── client.py", "└── setup.py", "```")
GO = 'import "x"\n\nfunc f() {\n\tc.Flags().Bool("no-cache", false, "x")\n}\n'


@pytest.mark.parametrize(
    ("before", "after", "text", "said"),
    [
        (
            {"a.py": "DEFAULT_PORT = 3000\n"},
            {"a.py": "DEFAULT_PORT = 4000\n"},
            page("The `port` is 3000."),
            [
                (
                    "`DEFAULT_PORT` is no longer `3000`: it is `4000`.",
                    "a.py:1: DEFAULT_PORT = 3000 → DEFAULT_PORT = 4000",
                    "Write `4000`.",
                )
            ],
        ),
        (
            {"shop/__init__.py": "", "shop/client.py": CLIENT},
            {"shop/__init__.py": None, "shop/client.py": None, "store/__init__.py": "", "store/client.py": CLIENT},
            page("```python", "from shop.client import Client", "```"),
            [
                (
                    "`shop` no longer exists: renamed to `store`.",
                    "shop/client.py: moved to `store/client.py` by this change",
                    "Write `store`.",
                )
            ],
        ),
        (
            {"shop/__init__.py": "", "shop/client.py": CLIENT},
            {"shop/__init__.py": None, "shop/client.py": None, "store/__init__.py": "", "store/client.py": CLIENT},
            TREE,
            [
                (
                    "The folder `shop` no longer exists: moved to `store`.",
                    "shop: moved to `store` by this change",
                    "Write `store`.",
                )
            ],
        ),
        (
            {"shop/client.py": CLIENT, "shop/x.py": "x = 1\n"},
            {"shop/client.py": None, "store/client.py": CLIENT},
            TREE,
            [
                (
                    "The file `shop/client.py` no longer exists: moved to `store/client.py`.",
                    "shop/client.py: moved to `store/client.py` by this change",
                    "Move this entry to `store/`.",
                )
            ],
        ),
        (
            {"shop/client.py": CLIENT, "shop/x.py": "x = 1\n"},
            {"shop/client.py": None},
            TREE,
            [
                (
                    "The file `shop/client.py` no longer exists: removed.",
                    "shop/client.py: deleted by this change",
                    "Remove this entry.",
                )
            ],
        ),
        (
            {"a.go": GO},
            {"a.go": GO.replace("no-cache", "disable-cache")},
            page("Use `--no-cache`."),
            [
                (
                    "`--no-cache` no longer exists: renamed to `--disable-cache`.",
                    'a.go:4: c.Flags().Bool("no-cache", false, "x") → c.Flags().Bool("disable-cache", false, "x")',
                    "Write `--disable-cache`.",
                )
            ],
        ),
        (
            {"a.yaml": "a: 1\nmax_conns: 4\nb: 2\n"},
            {"a.yaml": "a: 1\nlimit: 4\nb: 2\n"},
            page("Set `max_conns`."),
            [
                (
                    "`max_conns` no longer exists: renamed to `limit`.",
                    "a.yaml:2: max_conns: 4 → limit: 4",
                    "Write `limit`.",
                )
            ],
        ),
        (
            {"a.yaml": "a: 1\nmax_conns: 4\nb: 2\n"},
            {"a.yaml": "a: 1\nb: 2\nlimit: 4\n"},
            page("Set `max_conns`."),
            [
                (
                    "`max_conns` no longer exists: removed from a.yaml.",
                    "a.yaml:2: max_conns: 4",
                    "Update or remove this sentence.",
                )
            ],
        ),
    ],
)
def test_survey_states_problem_evidence_and_fix(
    tmp_path: Path, before: dict[str, str], after: dict[str, str | None], text: str, said: list[tuple[str, str, str]]
) -> None:
    root = make(tmp_path / "repo", {**before, "a.md": text})
    put(root, after)
    issues = as_issues(look(root).doubts)
    assert [(one.message, proofs_of(one)[0].sentence, one.fix.summary if one.fix else "") for one in issues] == said


@pytest.mark.parametrize(
    ("old", "new", "said", "evidence"),
    [
        ("timeout=30", "timeout=30, retries=3", "`connect` gained the parameter `retries`.", "→"),
        ("timeout=30", "timeout=60", "`connect` has `timeout=60` instead of `timeout=30`.", "→"),
        ("return host", "return None", None, ""),
    ],
)
def test_survey_notes_say_what_changed(tmp_path: Path, old: str, new: str, said: str | None, evidence: str) -> None:
    root = make(tmp_path / "repo", {"a.py": CLIENT, "a.md": page("Call `connect`.")})
    put(root, {"a.py": CLIENT.replace(old, new)})
    issues = as_issues(look(root, mentions=True).mentions)
    assert [one.message for one in issues] == ([said] if said else [])
    assert all(evidence in proofs_of(one)[0].sentence for one in issues)


def test_survey_notes_of_a_move_show_one_line(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"a.py": CLIENT, "b.py": "x = 1\n", "a.md": page("Call `connect`.")})
    put(root, {"a.py": "from b import Client, connect\n", "b.py": f"x = 1\n\n\n{CLIENT}"})
    (issue,) = as_issues(look(root, mentions=True).mentions)
    assert issue.message == "`connect` moved from a.py to b.py."
    assert proofs_of(issue)[0].sentence == "b.py:8: connect(host, timeout=30)"
