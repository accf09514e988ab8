"""Which names a line of code defines, and which of these others can name."""

import pytest

from cairn.core.repository.deletion_history import OldVersion
from cairn.lib.code.definitions import defined_in, flags_in, is_definition

LINES = [
    ("def fetch_page(url):", ["fetch_page"]),
    ("    async def fetch_page(self):", ["fetch_page"]),
    ("class DiskStore(Store):", ["DiskStore"]),
    ("export default class Button extends X {", ["Button"]),
    ("export const useThing = () => {", ["useThing"]),
    ("pub fn parse_header(x: &str) -> u8 {", ["parse_header"]),
    ("func (s *Server) Listen(addr string) error {", ["Listen"]),
    ("type Config struct {", ["Config"]),
    ("    public String getName() {", ["getName"]),
    ("MAX_RETRIES = 3", ["MAX_RETRIES"]),
    ("timeout: float = 5.0", ["timeout"]),
    ("retry_limit: 3", ["retry_limit"]),
    ('  "fail-fast": true,', ["fail-fast"]),
    ("parser.add_argument('--dry-run', '--preview')", ["--dry-run", "--preview"]),
    ('os.environ["APP_LOG_LEVEL"]', ["APP_LOG_LEVEL"]),
    ("#define MAX_SIZE 10", ["MAX_SIZE"]),
    ("if (ready) {", []),
    ("while (x) {", []),
    ("return value", []),
    ("x == y", []),
]


@pytest.mark.parametrize(("line", "names"), LINES, ids=[line for line, _ in LINES])
def test_names_that_a_line_defines(line: str, names: list[str]) -> None:
    assert defined_in(line.encode()) == names


FILES = [
    ("a module-level constant", "LIMIT = 3", True),
    ("an attribute of a class", "class A:\n    limit = 3", True),
    ("a local variable", "def f():\n    limit = 3", False),
    ("a local variable in a loop", "def f():\n    for x in y:\n        limit = 3", False),
    ("a parameter on its own line", "def f(\n    limit=3,", True),
    ("an argument of a call", "f(\n    limit=3,", False),
    ("a key of a literal in code", 'x = {\n    "limit": 3,', False),
    ("a field of an interface", "interface A {\n  limit: number", True),
    ("a key of a settings file", "limit: 3", True),
    ("a field in a docstring", 'def f(limit):\n    """Does it.\n\n    limit: The most of them', False),
    ("an assignment in a docstring", 'class A:\n    """Sets\n    SameSite=None cookies.', False),
    ("a definition after a docstring", 'class A:\n    """Sets it."""\n    limit = 3', True),
    ("a definition in a comment", "// class Limit is gone", False),
    ("a macro", "#define LIMIT 3", True),
    ("a local constant", "function f() {\n  const limit = 3", False),
    ("a constant of a module", "const limit = 3", True),
]


@pytest.mark.parametrize(("text", "wanted"), [case[1:] for case in FILES], ids=[case[0] for case in FILES])
def test_the_last_line_is_a_definition(text: str, wanted: bool) -> None:
    version = OldVersion(text.encode())
    last = len(version.lines) - 1
    assert is_definition(version.lines, last, in_docstring=version.in_docstring(last)) is wanted


def test_a_long_line_takes_no_time() -> None:
    assert defined_in(b" " * 100_000 + b"x = 1") == []
    assert len(defined_in(b"(" * 100_000)) == 0


@pytest.mark.parametrize(
    ("code", "flags"),
    [
        ('cli.StringFlag{\n\tName:  "dry-run, n",\n\tUsage: "x",\n}', {"--dry-run"}),
        ('let option = Option(\n    argumentName: "dry-run"\n)', {"--dry-run"}),
        ('server := Server{\n\tName: "dry-run",\n}', set()),
        ("class_option :dry_run, desc: 'x'", {"--dry-run"}),
        ('#[arg(long, env = "K")]\npub dry_run: bool', {"--dry-run"}),
    ],
)
def test_flags_that_code_declares_without_dashes(code: str, flags: set[str]) -> None:
    assert flags_in(code.encode()) >= {flag.encode() for flag in flags}
    assert (b"--dry-run" in flags_in(code.encode())) is bool(flags)
