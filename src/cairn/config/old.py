"""Settings of files that other programs left: read as they are, as a layer under the committed file."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from cairn.config.key import Value
from cairn.config.keys import BY_NAME
from cairn.config.settings import BadValue, Layer, checked
from cairn.core.paths import KNOWLEDGE_BASE, OBSERVABILITY, REVIEWS
from cairn.lib.text.names import did_you_mean


class _File(NamedTuple):
    keys: Mapping[str, str]
    """Where a value stands in the old file, and which of ours it is."""
    others: tuple[str, ...]
    """What else such a file may hold: it was for parts that Cairn does not have, or that know by themselves. A `*` is
    any name, and covers what is below it."""


_FILES: Mapping[str, _File] = {
    OBSERVABILITY: _File(
        {
            "knowledge_freshness.link_check.skip": "freshness.link_check.skip",
            "disabled_lenses": "observe.disabled_lenses",
            "lenses.I-knowledge-gaps.knowledge_root": "observe.knowledge_root",
            "phase_audit.enabled": "observe.phase_audit.enabled",
            "phase_audit.timeout_s": "observe.phase_audit.timeout_seconds",
            "phase_audit.detached": "observe.phase_audit.detached",
            "fix.dispatcher_command": "observe.fix_command",
            "fix.timeout_s": "observe.fix_timeout_seconds",
            "fix.per_finding_max_attempts": "observe.fix_attempts",
        },
        ("lenses.*", "stall.*", "llm.*", "fix.*"),
    ),
    REVIEWS: _File(
        {"audit_fix_threshold": "observe.fix_threshold", "fix_threshold": "observe.fix_threshold"},
        ("*",),
    ),
    KNOWLEDGE_BASE: _File(
        {
            "curationThreshold": "curate.threshold",
            "logsRetentionDays": "capture.log_days",
            "lintEveryNSessions": "curate.lint_every_sessions",
        },
        (
            "schema_version",
            "proposalModel.*",
            "curatorModel.*",
            "bootstrapModel.*",
            "cliDefaultHarness",
            "notifications.*",
        ),
    ),
}
"""A line here is all that it takes to read one more of their keys."""


def from_old_file(file: str, text: str) -> Layer:
    """What is wrong in it is a warning: nobody maintains it for us, and Cairn works without."""
    from cairn.lib.yaml.parse import YamlProblem, load_yaml

    try:
        tree = load_yaml(text)
    except YamlProblem as problem:
        line = (problem.line or 0) + 1
        return Layer("old", {}, file=file, warnings=(f"{file}:{line}: this is not read: {problem.message}",))
    if tree is None:
        return Layer("old", {}, file=file)
    if not isinstance(tree, dict):
        return Layer("old", {}, file=file, warnings=(f"{file}: this is not read: it is no mapping of settings",))
    return _layer(file, _FILES[file], dict(_leaves(_FILES[file], tree)))


def _layer(file: str, known: _File, found: Mapping[str, Any]) -> Layer:
    values: dict[str, Value] = {}
    warnings: list[str] = []
    refused: dict[str, str] = {}
    spelled: dict[str, tuple[str, ...]] = {}
    for path, value in sorted(found.items(), key=lambda item: _rank(known, item[0])):
        name = known.keys.get(path)
        if name is None:
            warnings += [] if _is_other(known, path) else [f"{file}: {_unknown(known, path)}"]
        elif BY_NAME[name].local_only:
            warnings.append(f"{file}: '{path}' is not followed; '{name}' may only stand in settings.local.json")
            refused[name] = file
        elif value is not None and name not in values:
            try:
                values[name] = checked(BY_NAME[name], value)
                spelled[name] = tuple(path.split("."))
            except BadValue as problem:
                warnings.append(f"{file}: '{path}' is not read: it {problem}")
    return Layer("old", values, spelled, file, warnings=tuple(warnings), refused=refused)


def _rank(known: _File, path: str) -> int:
    """Of two spellings of one setting, the one that stands first above counts."""
    return list(known.keys).index(path) if path in known.keys else len(known.keys)


def _leaves(known: _File, tree: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """(dotted path, value), down to the keys that are known."""
    for name, value in tree.items():
        path = f"{above}{name}"
        if isinstance(value, dict) and path not in known.keys and not _is_other(known, path):
            yield from _leaves(known, value, f"{path}.")
        else:
            yield path, value


def _is_other(known: _File, path: str) -> bool:
    """Keys of ours that stand below a `*` are looked at all the same."""
    if any(key.startswith(f"{path}.") for key in known.keys):
        return False
    return any(one in (path, "*") or (one.endswith(".*") and f"{path}.".startswith(one[:-1])) for one in known.others)


def _unknown(known: _File, path: str) -> str:
    names = [*known.keys, *(one.removesuffix(".*") for one in known.others)]
    return f"'{path}' is not known{did_you_mean(path, names) or ' and not read'}"
