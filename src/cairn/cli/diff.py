"""What changes in a file, as people know it from git."""

from cairn.cli.output import Output
from cairn.cli.width import safe


def diff_lines(path: str, before: str, after: str) -> list[str]:
    from difflib import unified_diff

    return list(unified_diff(before.splitlines(), after.splitlines(), path, path, lineterm="", n=1))


def print_diff(out: Output, lines: list[str]) -> None:
    for line in lines:
        out.data(out.style(safe(line), *_color(line)))


def _color(line: str) -> tuple[str, ...]:
    if line.startswith(("---", "+++")):
        return ("bold",)
    return {"+": ("green",), "-": ("red",), "@": ("dim",)}.get(line[:1], ())
