"""Examples in JSON and Python that no parser accepts."""

import re
from collections.abc import Iterator
from textwrap import dedent
from typing import TYPE_CHECKING, NamedTuple

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import Block, PageOutline, Repository

_EXAMPLES = re.compile(r"^[ \t>]*+(?:`{3,}+|~{3,}+|\.\. \S+::)[ \t]*+\{?(?:json|py)", re.IGNORECASE | re.MULTILINE)
_SHORTENED = re.compile(r"\.\.\.|…|<[\w -]+>|\{\{|\{%|\$\{|//|/\*|#")
"""Something is left out, filled in, or commented on."""
_LENIENT = re.compile(
    r"jsonc|json5|tsconfig|jsconfig|settings\.json|launch\.json|\.vscode|devcontainer|renovate|workspaceFolder", re.I
)
"""Files whose readers accept trailing commas."""
_PYTHON = (
    "was never closed",
    "does not match opening",
    "':' expected after dictionary key",
    "unterminated string literal",
)
"""Messages of Python's parser about slips. Others are as often a fragment, or another version of the language."""
_STRING = re.compile(r"""[=(,\[{:+]\s*[rbfuRBFU]{0,2}["']""")
"""A string in the place of a value; a line of prose may begin with a quotation mark, or have an apostrophe."""
_SIGNATURE = re.compile(r"\s*(?:async\s+)?(?:def|class)\s")
"""The first lines of a function are shown as often without their end."""
_SESSION = re.compile(r"^[ \t]*(?:>>>|In \[|[$%] )", re.MULTILINE)
_LONGEST = 100_000


class ExampleFault(NamedTuple):
    line: int
    language: str
    problem: str


_COMMA = "a comma before the closing bracket"


class ExampleInvalid:
    """An example in JSON or Python that no parser accepts.

    What it finds
        Code blocks labelled `json` with a trailing comma, or without the comma between two lines, and blocks labelled
        `python` with a bracket or a string that is never closed. Examples that leave something
        out (`...`), have placeholders or comments, or are for files whose readers accept trailing commas are not
        judged.

    Why it matters
        Whoever copies the example gets an error. A trailing comma is a note, because many programs accept it.

    Example
        `{"a": 1 "b": 2}` on two lines of a block labelled `json`.

    Fix
        Correct the example.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="An example that no parser accepts.", phase="read", reach="graph"
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        for page in ctx.pages(_EXAMPLES):
            found = [fault for block in page.blocks if (fault := _fault(page, block))]
            lenient = [fault for fault in found if fault.problem == _COMMA]
            if strict := [fault for fault in found if fault.problem != _COMMA]:
                yield _issue(ctx, page.path, strict)
            if lenient:
                issue = _issue(ctx, page.path, lenient)
                yield issue._replace(severity=Severity.INFO, detail="many programs accept a comma at the end")


def _fault(page: "PageOutline", block: "Block") -> ExampleFault | None:
    text = "\n".join(block.lines)
    if len(text) > _LONGEST:
        return None
    if block.language == "json":
        return _json_fault(page, block, text)
    return _python_fault(block, text) if block.language in ("python", "py", "python3") else None


def _json_fault(page: "PageOutline", block: "Block", text: str) -> ExampleFault | None:
    import json

    above = " ".join(page.prose_lines[max(0, block.line - 6) : block.line])
    if not text.lstrip().startswith(("{", "[")) or _SHORTENED.search(_without_addresses(text)):
        return None
    if _LENIENT.search(above) or _LENIENT.search(text):
        return None
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        problem, at = _slip(text, error.pos)
        return ExampleFault(block.line + text.count("\n", 0, at), "JSON", problem) if problem else None
    except RecursionError:
        return None
    return None


def _without_addresses(text: str) -> str:
    return re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)


def _slip(text: str, at: int) -> tuple[str, int]:
    """The slip and its offset; empty if it may be intended."""
    before, here = text[:at].rstrip(), text[at : at + 1]
    if here and here in "}]" and before.endswith(","):
        return _COMMA, len(before)
    is_value = before[-1:] in ('"', "}", "]", "e", "l") or before[-1:].isdigit()
    is_next_line = "\n" in text[len(before) : at]
    return ("no comma before this line", at) if here == '"' and is_value and is_next_line else ("", at)


def _python_fault(block: "Block", text: str) -> ExampleFault | None:
    import ast
    import warnings

    if _SESSION.search(text) or _SHORTENED.search(re.sub(r"#.*", "", text)):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(dedent(text))
    except SyntaxError as error:
        said = error.msg or ""
        line = error.text or ""
        is_last = (error.lineno or 1) >= len(text.rstrip().split("\n"))
        is_cut = is_last or ("unterminated" in said and not _STRING.search(line)) or _SIGNATURE.match(line) is not None
        if "f-string" not in said and not is_cut and any(message in said for message in _PYTHON):
            return ExampleFault(block.line + (error.lineno or 1) - 1, "Python", said)
    except (ValueError, RecursionError, MemoryError):
        return None
    return None


def _issue(ctx: "Repository", path: str, faults: list[ExampleFault]) -> Issue:
    from cairn.plugin import Proof, proven

    languages = " or ".join(sorted({fault.language for fault in faults}))
    one = faults[0]
    message = f"This example is not valid {one.language}: {one.problem}."
    if len(faults) > 1:
        message = f"{len(faults)} examples on this page are not valid {languages}."
    places = [ctx.place(path, fault.line) for fault in faults]
    proofs = [Proof(f"{fault.language}: {fault.problem}", path, fault.line) for fault in faults]
    fix = "Correct the example." if len(faults) == 1 else "Correct the examples."
    return proven("example-invalid", Severity.WARN, f"{path} examples", message, places, proofs, fix)


extension = ExampleInvalid()
