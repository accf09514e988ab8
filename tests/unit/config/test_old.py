"""The file of a program before Cairn: one key of it counts, under the committed settings."""

from pathlib import Path

import pytest

from cairn.config.files import OBSERVABILITY
from cairn.config.load import load
from cairn.config.settings import Settings

SKIP = "knowledge_freshness:\n  link_check:\n    skip: [intranet.example.org, 'https://a.example/b']\nlenses: {}\n"
KEY = "freshness.link_check.skip"


def loaded(root: Path, text: str, committed: str = "{}") -> Settings:
    for name, content in ((OBSERVABILITY, text), (".cairn/settings.json", committed)):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(content)
    return load(root, env={}, flags={}, tracked=lambda _: ())


def test_what_it_passes_over_is_passed_over(tmp_path: Path) -> None:
    settings = loaded(tmp_path, SKIP)
    assert settings.texts(KEY) == ("intranet.example.org", "https://a.example/b")
    assert str(settings.source(KEY)) == OBSERVABILITY and not settings.warnings


def test_the_committed_file_wins(tmp_path: Path) -> None:
    settings = loaded(tmp_path, SKIP, '{"freshness": {"link_check": {"skip": ["other.example.org"]}}}')
    assert settings.texts(KEY) == ("other.example.org",)


@pytest.mark.parametrize("text", ["", "lenses: {}\n", "[]", "knowledge_freshness: 3\n", "a: &x 1\n"])
def test_a_file_about_other_things(tmp_path: Path, text: str) -> None:
    assert loaded(tmp_path, text).texts(KEY) == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("knowledge_freshness: {link_check: {skip: 3}}\n", "'knowledge_freshness.link_check.skip' is not read"),
        ("a: [\n", f"{OBSERVABILITY}:"),
        ("a: !!python/object:os.system x\n", f"{OBSERVABILITY}:"),
    ],
)
def test_what_is_wrong_with_it_is_a_warning(tmp_path: Path, text: str, says: str) -> None:
    settings = loaded(tmp_path, text)
    assert settings.texts(KEY) == () and says in settings.warnings[0]
