"""Flags of the command line and variables of the environment that programs show to their users."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Literal, NamedTuple

from cairn.lib.code.model import Symbol, SymbolKind, digest_of, shortened
from cairn.lib.code.python_form import last_name

_MAX_CALL: Final = 4_000
"""Characters. A definition of a flag that goes on for longer is cut."""


class _Flag(NamedTuple):
    names: list[str]
    start: int
    end: int
    seen: list[str]
    """What users notice, as written."""


def flags_and_variables(text: str, language: str) -> Iterator[Symbol]:
    """Symbols without a path."""
    for find in _FINDERS.get(language, ()):
        for flag in find(text):
            digest = digest_of([" ".join(part.split()) for part in (*sorted(flag.names), *flag.seen)])
            shown = shortened(" ".join([", ".join(flag.names), *flag.seen]))
            for name in [one for one in flag.names if one.startswith("--")] or flag.names:
                yield _symbol(text, name, "flag", flag.start, flag.end, digest, shown)
    for found in _VARIABLE.finditer(text):
        name = next(group for group in found.groups() if group)
        yield _symbol(text, name, "key", found.start(), found.end(), digest_of(["environment"]), name)


def _symbol(text: str, name: str, kind: SymbolKind, start: int, end: int, digest: str, shown: str) -> Symbol:
    line = text.count("\n", 0, start) + 1
    return Symbol("", name, kind, line, line + text.count("\n", start, end), digest, digest, shown)


_VARIABLE: Final = re.compile(
    r"""process\.env\.([A-Za-z_]\w*)
      | process\.env\[\s*['"]([A-Za-z_]\w*)['"]
      | import\.meta\.env\.([A-Z_]\w*)
      | \b(?:os\.(?:Getenv|LookupEnv)|(?:std::)?env::var(?:_os)?|System\.getenv|getenv|GetEnvironmentVariable)
        \(\s*['"]([A-Za-z_]\w*)['"]
      | \bENV(?:\[|\.fetch\(?)\s*['"]([A-Za-z_]\w*)['"]""",
    re.VERBOSE,
)


# --- JavaScript: commander, yargs -----------------------------------------------------------------------------------

_OPTION: Final = re.compile(r"(?:\.(?:option|requiredOption)|\bnew\s+Option)\s*(?=\()")
_SPELLING: Final = re.compile(r"--?[A-Za-z][\w-]*")
_DESCRIBED: Final = re.compile(
    r"""\b(?:describe|description|desc|group|help)\s*:\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`)\s*,?"""
)


def _javascript(text: str) -> Iterator[_Flag]:
    for found in _OPTION.finditer(text):
        arguments, end = _arguments(text, found.end())
        first = _literal(arguments[0]) if arguments else None
        if first is None:
            continue
        spelled = _SPELLING.findall(first) if first.startswith("-") else []
        if spelled:
            # The second argument of commander is a description.
            values = first[first.rfind(spelled[-1]) + len(spelled[-1]) :].strip()
            required = "required" if "required" in found[0] else ""
            yield _Flag(spelled, found.start(), end, [part for part in (values, *arguments[2:], required) if part])
        elif len(arguments) > 1 and arguments[1].startswith("{") and re.fullmatch(r"[A-Za-z][\w-]*", first):
            seen = " ".join(_DESCRIBED.sub("", arguments[1]).replace(", }", " }").split())
            yield _Flag([f"--{first}"], found.start(), end, [seen])


# --- Go: flag, pflag and so cobra -----------------------------------------------------------------------------------

_GO: Final = re.compile(
    r"\b(?P<on>flag|pflag|[A-Za-z_]\w*(?:\(\))?\.(?:Persistent|Local)?Flags\(\)|flags|fs|flagSet)"
    r"\.(?P<kind>(?:Bool|String|Int|Int32|Int64|Uint|Uint32|Uint64|Float64|Float32|Duration|Count|IP|Bytes\w*"
    r"|StringSlice|StringArray|IntSlice|StringToString)(?:Var)?(?P<short>P)?)\s*(?=\()"
)


def _go(text: str) -> Iterator[_Flag]:
    for found in _GO.finditer(text):
        arguments, end = _arguments(text, found.end())
        at = 1 if found["kind"].rstrip("P").endswith("Var") else 0
        name = _literal(arguments[at]) if len(arguments) > at + 1 else None
        if not name:
            continue
        short = _literal(arguments[at + 1]) if found["short"] else None
        long = found["on"] != "flag" or "pflag" in text
        names = [f"--{name}" if long else f"-{name}", *([f"-{short}"] if short else [])]
        values = arguments[at + (2 if found["short"] else 1) : -1]
        yield _Flag(names, found.start(), end, [found["kind"].replace("Var", "").rstrip("P"), *values])


# --- Rust: clap ------------------------------------------------------------------------------------------------------

_DERIVED: Final = re.compile(r"#\[\s*(?:arg|clap|structopt)\s*(?=\()")
_FIELD: Final = re.compile(
    r"\s*\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?(?:r#)?([A-Za-z_]\w*)\s*:\s*([^,}\n]+)"
)
_BUILT: Final = re.compile(r"\bArg::(?:new|with_name)\s*(?=\()")
_METHOD: Final = re.compile(r"\s*\.\s*(\w+)\s*(?=\()")
_WORDS_ONLY: Final = re.compile(r"^(?:help|long_help|about|help_heading|value_name|display_order)\b")


def _rust(text: str) -> Iterator[_Flag]:
    yield from _rust_derived(text)
    yield from _rust_built(text)


def _rust_derived(text: str) -> Iterator[_Flag]:
    for found in _DERIVED.finditer(text):
        arguments, end = _arguments(text, found.end())
        field = _FIELD.match(text, end)
        given = {key.strip(): value.strip() for key, _, value in (one.partition("=") for one in arguments)}
        if field is None or ("long" not in given and "short" not in given):
            continue
        names = []
        if "long" in given:
            names.append("--" + (_literal(given["long"]) or field[1].strip("_").replace("_", "-")))
        if "short" in given:
            names.append("-" + (given["short"].strip("'\"") or field[1][0]))
        seen = [one for one in arguments if not _WORDS_ONLY.match(one) and one.split("=")[0].strip() not in _NAMES]
        yield _Flag(names, found.start(), field.end(), [field[2].strip(), *sorted(seen)])


_NAMES: Final = ("long", "short")


def _rust_built(text: str) -> Iterator[_Flag]:
    for found in _BUILT.finditer(text):
        _, end = _arguments(text, found.end())
        names, seen = [], []
        while method := _METHOD.match(text, end):
            arguments, end = _arguments(text, method.end())
            if method[1] in _NAMES and arguments:
                dashes = "--" if method[1] == "long" else "-"
                names.append(dashes + (_literal(arguments[0]) or arguments[0].strip("'")))
            elif not _WORDS_ONLY.match(method[1]):
                seen.append(f"{method[1]}({', '.join(arguments)})")
        if names:
            yield _Flag(names, found.start(), end, sorted(seen))


# --- arguments of a call --------------------------------------------------------------------------------------------

_PIECE: Final = re.compile(
    r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|[()\[\]{},]|[^'"`()\[\]{},]+|.""", re.DOTALL
)


def _arguments(text: str, at: int) -> tuple[list[str], int]:
    """The arguments behind the bracket at `at`, each on one line, and where the call ends."""
    arguments, current, depth = [], "", 0
    end = at
    for piece in _PIECE.finditer(text, at, at + _MAX_CALL):
        end = piece.end()
        mark = piece[0]
        if mark in ("(", "[", "{"):
            depth += 1
            current += mark if depth > 1 else ""
        elif mark in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                break
            current += mark
        elif mark == "," and depth == 1:
            arguments.append(" ".join(current.split()))
            current = ""
        else:
            current += mark
    return [*arguments, " ".join(current.split())] if current.strip() else arguments, end


def _literal(text: str) -> str | None:
    """The text between quotes, if there is nothing else."""
    found = re.fullmatch(r"""(['"`])((?:[^'"`\\])*)\1""", text.strip())
    return found[2] if found else None


_FINDERS: Final[dict[str, tuple[Callable[[str], Iterator[_Flag]], ...]]] = {
    "javascript": (_javascript,),
    "typescript": (_javascript,),
    "tsx": (_javascript,),
    "go": (_go,),
    "rust": (_rust,),
}

WANTED: Final = frozenset({"add_argument", "add_option", "option", "Option", "getenv", "get", "setdefault"})
"""Last names of the functions that define or read such names."""

_FLAG_CALLS: Final = frozenset({"add_argument", "add_option", "option", "Option"})
_VISIBLE: Final = frozenset(
    {"default", "choices", "type", "is_flag", "required", "nargs", "action", "const", "count", "multiple"}
    | {"flag_value", "envvar", "min", "max"}
)
"""What of a flag its users notice; the words of its help are not among it."""


class OutsideName(NamedTuple):
    """A flag or a variable, with what makes its two digests."""

    name: str
    kind: Literal["flag", "key"]
    node: ast.expr
    interface: tuple[ast.AST | str | None, ...]
    rest: tuple[ast.AST | str | None, ...] = ()


def outside_names(calls: Iterable[ast.Call | ast.Subscript]) -> Iterator[OutsideName]:
    for node in calls:
        if isinstance(node, ast.Subscript):
            yield from _variable(node, node.slice, None)
        elif last_name(node.func) in _FLAG_CALLS:
            yield from _flags(node)
        elif node.args and _reads_environment(node.func):
            yield from _variable(node, node.args[0], node.args[1] if len(node.args) > 1 else None)


def flags_of_parameters(
    arguments: ast.arguments,
) -> Iterator[tuple[str, ast.expr, tuple[ast.AST | str | None, ...]]]:
    """What typer makes of parameters whose option does not name its flag."""
    for argument, default in _with_defaults(arguments):
        call = _option_call(default) or _annotated_option(argument.annotation)
        if call is None or _spellings(call):
            continue
        name = "--" + argument.arg.strip("_").replace("_", "-")
        kind = argument.annotation.slice if isinstance(argument.annotation, ast.Subscript) else argument.annotation
        if isinstance(kind, ast.Tuple) and kind.elts:
            kind = kind.elts[0]
        value = default if _option_call(default) is None else (call.args[0] if call.args else None)
        yield name, call, (kind, value, *_options(call, visible=True))


# --- flags ----------------------------------------------------------------------------------------------------------


def _flags(node: ast.Call) -> Iterator[OutsideName]:
    spellings = _spellings(node)
    names = sorted({part for spelling in spellings for part in _split(spelling)})
    long = [name for name in names if name.startswith("--")]
    if any(last_name(word.value) == "BooleanOptionalAction" for word in node.keywords):
        long += [f"--no-{name[2:]}" for name in long]
    others = [one for one in node.args if not _is_spelling(one)]
    interface = (*names, *others, *_options(node, visible=True))
    for name in long or names:
        yield OutsideName(name, "flag", node, interface, tuple(_options(node, visible=False)))


def _spellings(node: ast.Call) -> list[str]:
    return [str(one.value) for one in node.args if isinstance(one, ast.Constant) and _is_spelling(one)]


def _is_spelling(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.startswith("-")
        and node.value.strip("-") != ""
        and " " not in node.value.strip()
    )


def _split(spelling: str) -> list[str]:
    """`--color/--no-color` of click is two flags."""
    return [part.strip() for part in spelling.split("/") if part.strip().startswith("-")]


def _options(node: ast.Call, *, visible: bool) -> Iterator[ast.AST | str]:
    """Keyword arguments by name, those that users notice or the others."""
    chosen = [word for word in node.keywords if ((word.arg or "") in _VISIBLE) is visible]
    for word in sorted(chosen, key=lambda word: word.arg or ""):
        yield f"{word.arg}="
        yield word.value


def _option_call(node: ast.expr | None) -> ast.Call | None:
    return node if isinstance(node, ast.Call) and last_name(node.func) == "Option" else None


def _annotated_option(annotation: ast.expr | None) -> ast.Call | None:
    if not isinstance(annotation, ast.Subscript) or last_name(annotation.value) != "Annotated":
        return None
    parts = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else []
    return next((call for part in parts if (call := _option_call(part))), None)


def _with_defaults(arguments: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    ordered = [*arguments.posonlyargs, *arguments.args]
    bare: list[ast.expr | None] = [None] * (len(ordered) - len(arguments.defaults))
    yield from zip(ordered, [*bare, *arguments.defaults], strict=True)
    yield from zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)


# --- the environment ------------------------------------------------------------------------------------------------


def _reads_environment(function: ast.expr) -> bool:
    if last_name(function) == "getenv":
        return True
    return isinstance(function, ast.Attribute) and last_name(function.value) == "environ"


def _variable(node: ast.expr, name: ast.expr, default: ast.expr | None) -> Iterator[OutsideName]:
    """The default belongs to whoever reads the variable; that it is read is what documents say."""
    if isinstance(name, ast.Constant) and isinstance(name.value, str) and name.value.isidentifier():
        yield OutsideName(name.value, "key", node, (name.value, default))
