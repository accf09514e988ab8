"""Settings of files that other programs left: read as they are, as a layer under the committed file."""

from collections.abc import Mapping
from typing import Any

from cairn.config.check import BadValue, checked
from cairn.config.keys import BY_NAME, Value
from cairn.config.layer import Layer

_KEYS: Mapping[tuple[str, ...], str] = {
    ("knowledge_freshness", "link_check", "skip"): "freshness.link_check.skip",
}
"""Where a value stands in the old file, and which of ours it is. What is not listed is nobody's business here."""


def from_old_file(file: str, text: str) -> Layer:
    """What is wrong in it is a warning: nobody maintains it for us, and Cairn works without."""
    from cairn.kernel.text.yaml import YamlProblem, load_yaml

    try:
        tree = load_yaml(text)
    except YamlProblem as problem:
        line = (problem.line or 0) + 1
        return Layer("old", {}, file=file, warnings=(f"{file}:{line}: this is not read: {problem.message}",))
    values: dict[str, Value] = {}
    warnings: list[str] = []
    for path, name in _KEYS.items():
        found = _at(tree, path)
        if found is None:
            continue
        try:
            values[name] = checked(BY_NAME[name], found)
        except BadValue as problem:
            warnings.append(f"{file}: '{'.'.join(path)}' is not read: it {problem}")
    return Layer("old", values, {name: path for path, name in _KEYS.items()}, file, warnings=tuple(warnings))


def _at(tree: Any, path: tuple[str, ...]) -> Any:
    for part in path:
        tree = tree.get(part) if isinstance(tree, dict) else None
    return tree
