"""The files of programs before Cairn: what counts of them, under the committed settings, and what is said."""

from pathlib import Path

import pytest

from cairn.config.load import load
from cairn.config.settings import LayeredSettings
from cairn.core.paths import KNOWLEDGE_BASE, OBSERVABILITY

SKIP = "knowledge_freshness:\n  link_check:\n    skip: [intranet.example.org, 'https://a.example/b']\nlenses: {}\n"
KEY = "freshness.link_check.skip"


def loaded(root: Path, text: str, committed: str = "{}", *, file: str = OBSERVABILITY) -> LayeredSettings:
    for name, content in ((file, text), (".cairn/settings.json", committed)):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
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


WHOLE = """
disabled_lenses: [I-knowledge-gaps]
phase_audit: {enabled: false, timeout_s: 5, detached: true}
lenses: {C-standards: {escalation_threshold: 5}, H-cross-doc: {}}
stall: {task_stale: 4h}
llm: {timeout_s: 60}
"""


def test_what_it_says_about_audits(tmp_path: Path) -> None:
    settings = loaded(tmp_path, WHOLE, '{"observe": {"phase_audit": {"timeout_seconds": 9}}}')
    assert settings.texts("observe.disabled_lenses") == ("I-knowledge-gaps",)
    assert not settings.flag("observe.phase_audit.enabled")
    assert settings.integer("observe.phase_audit.timeout_seconds") == 9
    assert str(settings.source("observe.disabled_lenses")) == OBSERVABILITY
    assert not settings.warnings


def test_a_program_to_run_is_for_nobody_else_to_say(tmp_path: Path) -> None:
    committed = '{"observe": {"fix_command": "sh evil"}}'
    settings = loaded(tmp_path, "fix: {dispatcher_command: 'sh evil', max: 3}\n", committed)
    assert settings.optional_text("observe.fix_command") is None
    assert settings.refused == {"observe.fix_command": ".cairn/settings.json:1"}
    assert sum("may only stand in settings.local.json" in warning for warning in settings.warnings) == 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("disabled_lenses: I-knowledge-gaps\n", "'disabled_lenses' is not read: it expects a list of texts"),
        ("phase_audit: {timeout_s: soon}\n", "'phase_audit.timeout_s' is not read: it expects a whole number"),
        ("disabled_lense: []\n", "'disabled_lense' is not known; did you mean 'disabled_lenses'?"),
        ("phase_audit: {timeout: 5}\n", "'phase_audit.timeout' is not known; did you mean 'phase_audit.timeout_s'?"),
        ("zzz: 1\n", "'zzz' is not known and not read"),
        ("- a\n", "it is no mapping of settings"),
    ],
)
def test_slips_are_named(tmp_path: Path, text: str, says: str) -> None:
    (warning,) = loaded(tmp_path, text).warnings
    assert warning.startswith(OBSERVABILITY) and says in warning


BASE = """
schema_version: 1
curationThreshold: 20
logsRetentionDays: 7
lintEveryNSessions: 12
cliDefaultHarness: claude
proposalModel: {harness: claude, name: haiku, effort: low}
curatorModel: {harness: codex, model: gpt-5, reasoningEffort: high}
bootstrapModel: {harness: opencode, model: some/model, agent: build}
"""


def test_the_configuration_of_an_older_base(tmp_path: Path) -> None:
    settings = loaded(tmp_path, BASE, '{"curate": {"lint_every_sessions": 3}}', file=KNOWLEDGE_BASE)
    assert (settings.integer("curate.threshold"), settings.integer("capture.log_days")) == (20, 7)
    assert settings.integer("curate.lint_every_sessions") == 3
    assert str(settings.source("curate.threshold")) == KNOWLEDGE_BASE and not settings.warnings


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("curationTreshold: 5\n", "'curationTreshold' is not known; did you mean 'curationThreshold'?"),
        ("curationThreshold: many\n", "'curationThreshold' is not read: it expects a whole number of at least 1"),
        ("logsRetentionDays: -1\n", "'logsRetentionDays' is not read: it expects a whole number of at least 1"),
    ],
)
def test_slips_in_the_configuration_of_an_older_base(tmp_path: Path, text: str, says: str) -> None:
    (warning,) = loaded(tmp_path, text, file=KNOWLEDGE_BASE).warnings
    assert warning.startswith(f"{KNOWLEDGE_BASE}: {says}")
