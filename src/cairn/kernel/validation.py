"""Checking frontmatter against the schema of its kind."""

from collections.abc import Mapping
from typing import Any

_LEFT_TO_ANALYZER = ("name", "description")
"""A missing name or description is reported by the analyzer `schema-violation`, once."""


class Validators:
    """Compiled schemas by qualified kind. The checker is imported when the first file needs it: it costs 30 ms."""

    def __init__(self) -> None:
        self._compiled: dict[str, Any] = {}

    def errors(self, kind: str, schema: Mapping[str, Any], value: Mapping[str, Any]) -> list[str]:
        """Sentences, one for each place that breaks the schema."""
        validator = self._compiled.get(kind)
        if validator is None:
            import jsonschema_rs

            validator = self._compiled[kind] = jsonschema_rs.validator_for(dict(schema))
        if validator.is_valid(value):
            return []
        return [text for error in validator.iter_errors(value) if (text := _sentence(error))]


def _sentence(error: Any) -> str:
    where = ".".join(str(part) for part in error.instance_path)
    message = str(error.message)
    if not where and any(f'"{name}" is a required property' in message for name in _LEFT_TO_ANALYZER):
        return ""
    return f"frontmatter `{where}`: {message}" if where else f"frontmatter: {message}"
