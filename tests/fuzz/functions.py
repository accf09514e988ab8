"""Finds every function of the package that gets text, and calls it with a text."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from tests.fuzz.patterns import SOURCE
from tests.fuzz.texts import PATHS, Case

ROOMS = (
    "cairn.lib.",
    "cairn.core.",
    "cairn.graph.",
    "cairn.knowledge.",
    "cairn.curate.",
    "cairn.freshness.",
    "cairn.retrieve.",
    "cairn.lib.scrub.",
    "cairn.capture.",
    "cairn.observe.",
    "cairn.workspace.",
    "cairn.extensions.",
    "cairn.changes.",
)
"""Rooms whose public functions are called; those of the others read and write files, or start programs."""
_SKIP = (
    "cairn.core.ports",
    "cairn.changes.write",
    "cairn.changes.recovery",
    # These two get a number whose form a pattern has found; `cairn.lib.scrub.find` gets the text.
    "cairn.lib.scrub.arithmetic",
    "cairn.lib.scrub.check_digits",
)


NOT_TEXT = {
    "cairn.capture.watchdog.named": "the name of a function of ours",
    "cairn.capture.redaction.pattern_needle": "an expression that the operator gives",
    "cairn.capture.redaction.spellings": "words that the operator gives",
    "cairn.core.cues.pattern_of": "words of our own table",
    "cairn.extensions.knowledge.likeness.share": "two sketches that Cairn made",
    "cairn.freshness.drift.unpack": "what Cairn stored",
    "cairn.knowledge.values.pattern": "an expression of ours",
    "cairn.changes.gate_registry.registered": "the names of our gates",
    "cairn.core.model.event.field_schemas": "the name of an event type",
    "cairn.core.model.event.needed_fields": "the name of an event type",
    "cairn.core.model.graph.load_rejections": "what Cairn stored",
    "cairn.graph.relink.unpack": "what Cairn stored",
    "cairn.lib.text.json_splice.repeated": "a text that was read as JSON",
    "cairn.lib.text.json_splice.members": "a text that was read as JSON",
    "cairn.lib.text.json_splice.top": "a text that was read as JSON",
    "cairn.lib.text.atoms.measured": "a unit of our own table",
    "cairn.lib.rst.inline.starts": "a text and a place in it",
    "cairn.core.ledger_events.describe": "the name of an event type",
    "cairn.workspace.workflows.texts.template": "the name of a file of ours",
    "cairn.lib.scrub.checks.luhn": "digits that a pattern found",
    "cairn.lib.scrub.plan.head_pattern": "an expression of our own table",
    "cairn.lib.scrub.arithmetic.is_iban": "letters and digits that a pattern found",
    "cairn.lib.scrub.arithmetic.remainder": "letters and digits that a pattern found",
}
"""Functions that get something else than a stranger's text, and what."""


class Target(NamedTuple):
    name: str
    function: Callable[..., Any]
    parameters: tuple[tuple[str, str], ...]
    """Names and types of those that get a value; keyword-only ones too."""


@cache
def targets() -> list[Target]:
    found = {}
    for info in pkgutil.walk_packages([str(SOURCE)], "cairn."):
        if not info.name.startswith(ROOMS) or info.name.startswith(_SKIP) or info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            if inspect.isroutine(value) and (target := _target(module.__name__, name, value)):
                found[target.name] = target
    return [found[name] for name in sorted(found)]


def _target(module: str, name: str, value: Any) -> Target | None:
    function = inspect.unwrap(value)
    if name.startswith("_") or getattr(function, "__module__", "") != module or not inspect.isfunction(function):
        return None
    given = []
    for parameter in inspect.signature(function).parameters.values():
        kind = (
            str(parameter.annotation).strip("'\"").removeprefix("<class '").removesuffix("'>").removeprefix("typing.")
        )
        if (
            parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
            or parameter.default is not inspect._empty
        ):
            continue
        if kind not in _MAKERS:
            return None
        given.append((parameter.name, kind))
    if f"{module}.{name}" in NOT_TEXT:
        return None
    if not any(kind in _TEXTUAL for _, kind in given):
        return None
    return Target(f"{module}.{name}", function, tuple(given))


_TEXTUAL = frozenset(
    (
        "str",
        "bytes",
        "str | None",
        "bytes | None",
        "Sequence[str]",
        "Iterable[str]",
        "list[str]",
        "tuple[str, ...]",
        "object",
        "Any",
    )
)


def call(target: Target, made: Case, random: Any) -> Any:
    values = {name: _MAKERS[kind](name, made, random) for name, kind in target.parameters}
    result = target.function(**values) if not _positional(target) else target.function(*values.values())
    return list(result) if isinstance(result, Iterator) else result


def _positional(target: Target) -> bool:
    kinds = [one.kind for one in inspect.signature(target.function).parameters.values()]
    return inspect.Parameter.POSITIONAL_ONLY in kinds


def _string(name: str, made: Case, random: Any) -> str:
    if name in _NAMED:
        return random.choice((made.path, made.path, made.path, random.choice(PATHS), made.text))
    if name in ("key", "keys", "prefix"):
        return random.choice(("key", "name", "version"))
    if name == "language":
        return _LANGUAGES.get(made.path.rpartition(".")[2], "ini")
    return made.text


_NAMED = frozenset(("path", "file", "name", "where", "iri", "folder", "root", "target", "page_path"))
_LANGUAGES = {"ini": "ini", "json": "json", "yaml": "yaml", "toml": "toml", "env": "env"}


def _pieces(name: str, made: Case, random: Any) -> list[str]:
    return made.text.split("\n")[:2_000]


def _value(name: str, made: Case, random: Any) -> Any:
    text = made.text
    return random.choice((text, [text], {"id": text, text[:40]: [text]}, None, 5, 1.5, True, {text: {text: text}}))


def _data(name: str, made: Case, random: Any) -> bytes:
    return made.text.encode("utf-8", "replace")


def _front(name: str, made: Case, random: Any) -> dict[str, Any]:
    return {"id": made.text, "sources": [{"url": made.text}], made.text[:40]: [made.text]}


_MAKERS: Mapping[str, Callable[[str, Case, Any], Any]] = {
    "str": _string,
    "str | None": _string,
    "bytes": _data,
    "bytes | None": _data,
    "Frontmatter": _front,
    "int": lambda name, made, random: random.choice((0, 1, 3, 80)),
    "float": lambda name, made, random: 0.5,
    "bool": lambda name, made, random: random.random() < 0.5,
    "Sequence[str]": _pieces,
    "Iterable[str]": _pieces,
    "list[str]": _pieces,
    "tuple[str, ...]": lambda name, made, random: tuple(_pieces(name, made, random)),
    "frozenset[str]": lambda name, made, random: frozenset(_pieces(name, made, random)),
    "object": _value,
    "Any": _value,
}


if __name__ == "__main__":
    for one in targets():
        print(one.name, one.parameters)
