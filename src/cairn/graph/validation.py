"""Checking frontmatter against the schema of its kind."""

from collections.abc import Mapping, Sequence
from typing import Any

from cairn.core.extension_points import Provider
from cairn.core.failure import Failure
from cairn.core.registry import Loaded

_LEFT_TO_ANALYZER = ("name", "description")
"""A missing name or description is reported by the analyzer `schema-violation`, once."""


class Validators:
    """Compiled schemas by qualified kind. The checker is imported when the first file needs it: it costs 30 ms."""

    def __init__(self) -> None:
        self._compiled: dict[str, Any] = {}
        self._broken: dict[str, str] = {}
        """Qualified kinds whose schema is none, and why; their nodes are not checked."""

    def errors(self, kind: str, schema: Mapping[str, Any], value: Mapping[str, Any]) -> list[str]:
        """Sentences, one for each place that breaks the schema."""
        if kind not in self._compiled:
            self._compiled[kind] = self._compile(kind, schema)
        validator = self._compiled[kind]
        if validator is None or validator.is_valid(value):
            return []
        return [text for error in validator.iter_errors(value) if (text := _sentence(error))]

    def _compile(self, kind: str, schema: Mapping[str, Any]) -> Any:
        import jsonschema_rs

        try:
            return jsonschema_rs.validator_for(dict(schema))
        except (ValueError, TypeError, RecursionError, jsonschema_rs.ReferencingError) as error:
            self._broken[kind] = str(error).partition("\n")[0]
            return None

    def take_failures(self, providers: Sequence[Loaded[Provider]]) -> list[Failure]:
        """Of the providers whose schemas turned out to be none, since this was asked the last time."""
        if not self._broken:
            return []
        broken, self._broken = self._broken, {}
        return [
            Failure(p.qualified, p.manifest.version, "", f"the schema of its kind `{kind}` is not valid: {why}")
            for p in providers
            for kind in p.manifest.kinds
            if (why := broken.get(f"{p.id}/{kind}"))
        ]


def _sentence(error: Any) -> str:
    where = ".".join(str(part) for part in error.instance_path)
    message = str(error.message)
    if not where and any(f'"{name}" is a required property' in message for name in _LEFT_TO_ANALYZER):
        return ""
    return f"frontmatter `{where}`: {message}" if where else f"frontmatter: {message}"
