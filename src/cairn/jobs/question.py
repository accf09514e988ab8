"""A question to a reader: a folder with a prompt, schemas, and a checker; and one asked question with its material."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

_PLUGIN: Final = "core"
FACTS, PROMPT, REPORT, INPUT = "question.toml", "prompt.md", "report.schema.json", "input.schema.json"

Input = Mapping[str, Any]
"""The facts that a question is about, as JSON."""


class CheckedAnswer(NamedTuple):
    """What counts of an answer."""

    value: dict[str, Any]
    """The answer without what was set aside."""
    problems: tuple[str, ...] = ()
    """Why parts were set aside, a sentence each, for the reader: it is asked once more with them."""
    repairs: tuple[str, ...] = ()
    """What was put right, where nothing was lost."""


class NumberedItems(list[Any]):
    """The items of a list of an answer that have the right form, with their places in the answer, from 0."""

    def __init__(self, items: Sequence[Any], places: Sequence[int]) -> None:
        super().__init__(items)
        self.places = places


def items_of(report: Mapping[str, Any], name: str) -> Iterator[tuple[int, Any]]:
    """The items of a list, with their numbers in the reader's own answer, from 1."""
    items = report[name]
    places = items.places if isinstance(items, NumberedItems) else range(len(items))
    yield from ((place + 1, item) for place, item in zip(places, items, strict=True))


def field_in_words(path: Sequence[str | int]) -> str:
    """`reason`, or `sentence` of item 2 of `drifted`; items are counted from 1."""
    words = (f"item {step + 1}" if isinstance(step, int) else f"`{step}`" for step in path)
    return " of ".join(reversed(list(words)))


Material = Callable[[Input], str]
"""The text that a reader is shown between the fences."""
Check = Callable[[Input, Mapping[str, Any]], CheckedAnswer]
"""Checks an answer that has the right form against its material."""


class Question:
    """Its files lie beside the module of its checker: `question.toml`, `prompt.md`, and the two schemas."""

    def __init__(self, checker: str, *, material: Material, check: Check) -> None:
        self._folder = Path(checker).parent
        self.material, self.check = material, check

    @property
    def id(self) -> str:
        """Of the name of its folder, with hyphens."""
        return f"{_PLUGIN}/{self._folder.name.replace('_', '-')}"

    @cached_property
    def facts(self) -> Mapping[str, Any]:
        """`version`, `description`, `expected_seconds`, `answer_tokens` (of a usual answer), `noun` and `nouns` (of
        what it is asked about, such as `session` and `sessions`), and optionally `tags` and `priority`."""
        import tomllib

        return tomllib.loads(self._text(FACTS))

    @property
    def version(self) -> str:
        return str(self.facts["version"])

    @cached_property
    def prompt(self) -> str:
        return self._text(PROMPT)

    @cached_property
    def report_schema(self) -> Mapping[str, Any]:
        schema: Mapping[str, Any] = json.loads(self._text(REPORT))
        return schema

    @cached_property
    def input_schema(self) -> Mapping[str, Any]:
        schema: Mapping[str, Any] = json.loads(self._text(INPUT))
        return schema

    def _text(self, name: str) -> str:
        return (self._folder / name).read_text("utf-8")
