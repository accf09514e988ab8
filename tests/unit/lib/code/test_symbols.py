"""What files define: names, kinds, lines, and how they are shown."""

import pytest

from cairn.adapters.process.probe import comes_back
from cairn.lib.code.read import outline

PYTHON = '''\
import os

TIMEOUT = 30
HOST: str = "localhost"
A, B = 1, 2


class Client(Base, metaclass=Meta):
    """Talks."""

    retries: int = 3

    def __init__(self, host, *, timeout=TIMEOUT):
        self.host = host

    @property
    def name(self) -> str:
        return self.host

    @name.setter
    def name(self, value): ...

    class Error(Exception): ...


async def connect(host: str, /, *names, port: int = 80, **options) -> Client:
    def inner(): ...
    return os.environ["CLIENT_HOME"]


try:
    import fast
except ImportError:
    def slow(a=1): ...


@click.option("-v", "--verbose/--quiet", default=True, help="More.")
@click.option("--name")
def main(verbose, name): ...
'''


def rows(path: str, text: str) -> list[tuple[str, str, int, int, str]]:
    return [
        (one.name, one.kind, one.line, one.end_line, one.shown)
        for one in outline(path, text.encode(), comes_back).symbols
    ]


def test_of_python() -> None:
    assert sorted(rows("src/net/client.py", PYTHON), key=lambda row: (row[2], row[0])) == [
        ("net.client", "module", 1, 39, "module net.client"),
        ("TIMEOUT", "constant", 3, 3, "TIMEOUT = 30"),
        ("HOST", "constant", 4, 4, 'HOST: str = "localhost"'),
        ("A", "constant", 5, 5, "A = 1"),
        ("B", "constant", 5, 5, "B = 2"),
        (
            "Client", "class", 8, 23,
            "class Client(Base): __init__(self, host, *, timeout=TIMEOUT); retries: int = 3",
        ),
        ("Client.retries", "attribute", 11, 11, "retries: int = 3"),
        ("Client.__init__", "method", 13, 14, "__init__(self, host, *, timeout=TIMEOUT)"),
        ("Client.__init__.timeout", "parameter", 13, 13, "timeout=TIMEOUT"),
        ("Client.name", "method", 16, 18, "name(self) -> str"),
        ("Client.Error", "class", 23, 23, "class Error(Exception)"),
        ("connect", "function", 26, 28, "async connect(host: str, /, *names, port: int = 80, **options) -> Client"),
        ("connect.port", "parameter", 26, 26, "port=80"),
        ("CLIENT_HOME", "key", 28, 28, "CLIENT_HOME"),
        ("slow", "function", 34, 34, "slow(a=1)"),
        ("slow.a", "parameter", 34, 34, "a=1"),
        ("--quiet", "flag", 37, 37, "--quiet --verbose -v default=True"),
        ("--verbose", "flag", 37, 37, "--quiet --verbose -v default=True"),
        ("main", "function", 37, 39, "main(verbose, name)"),
        ("--name", "flag", 38, 38, "--name"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("src/net/client.py", "net.client"),
        ("net/__init__.py", "net"),
        ("lib/net/client.pyi", "net.client"),
        ("setup.py", None),
        ("my-scripts/run.py", None),
    ],
)
def test_a_module_is_known_by_what_it_is_imported_as(path: str, module: str | None) -> None:
    found = [symbol.name for symbol in outline(path, b"").symbols]
    assert found == ([module] if module else [])


def test_the_same_flag_of_two_commands_is_two_symbols_unless_it_is_alike() -> None:
    text = b"a.add_argument('--x', default=1)\nb.add_argument('--x', default=2)\nc.add_argument('--x', default=1)\n"
    assert [symbol.line for symbol in outline("a.py", text).symbols] == [1, 2]


@pytest.mark.parametrize(
    ("call", "names"),
    [
        ("p.add_argument('path')", []),
        ("p.add_argument('-v')", ["-v"]),
        ("p.add_argument('-v', '--verbose')", ["--verbose"]),
        ("p.add_argument('--x', action=argparse.BooleanOptionalAction)", ["--x", "--no-x"]),
        ("p.add_argument('--' + name)", []),
        ("p.add_argument('- a bullet')", []),
        ("parser.add_option('-q', '--quiet', action='store_true')", ["--quiet"]),
        ("typer.Option(1, '--level')", ["--level"]),
        ("os.getenv('MY_HOME')", ["MY_HOME"]),
        ("os.environ.setdefault('MY_HOME', 'a')", ["MY_HOME"]),
        ("environ['MY_HOME']", ["MY_HOME"]),
        ("settings.get('name')", []),
        ("os.environ[name]", []),
    ],
)
def test_flags_and_variables_of_python(call: str, names: list[str]) -> None:
    assert [symbol.name for symbol in outline("a.py", call.encode()).symbols] == names


@pytest.mark.parametrize(
    ("path", "text", "rows_"),
    [
        ("a.ts", "program.requiredOption('-n, --name <s>', 'who');", [("--name", "flag", "-n, --name <s> required")]),
        ("a.ts", "// program.option('--gone')\n", []),
        ("a.js", "x(process.env.API_KEY);", [("API_KEY", "key", "API_KEY")]),
        ("a.rb", "ENV.fetch('API_KEY')\n", [("API_KEY", "key", "API_KEY")]),
        (
            "a.go",
            'package p\nfunc i() { c.PersistentFlags().StringVarP(&x, "out", "o", "a,b", "where, to") }\n',
            [("i", "function", "func i()"), ("--out", "flag", '--out, -o String "a,b"')],
        ),
        (
            "a.rs",
            "struct A {\n  /// How many\n  #[arg(short, long)]\n  dry_run: bool,\n}\n",
            [
                ("A.dry_run", "attribute", "dry_run: bool"),
                ("A", "class", "struct A"),
                ("--dry-run", "flag", "--dry-run, -d bool"),
            ],
        ),
    ],
)  # fmt: skip
def test_flags_and_variables_of_others(path: str, text: str, rows_: list[tuple[str, str, str]]) -> None:
    assert [(name, kind, shown) for name, kind, _, _, shown in rows(path, text)] == rows_


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("a.js", "const { a, b } = require('x');\nexport default { c: 1 };\n", []),
        ("a.ts", "export abstract class A { abstract m(): void }\nexport { B } from './b'\n", ["A.m", "A"]),
        ("a.tsx", "export const App = () => <p>it's</p>\n", ["App"]),
        ("a.go", "package p\nconst (\n\tA = iota\n\tB\n)\ntype I interface {\n\tM()\n}\n", ["A", "B", "I.M", "I"]),
        ("a.rs", "impl<T> Tr for S<T> { fn m(&self) {} }\nmod n { pub const C: u8 = 1; }\n", ["S.m", "n.C"]),
        ("a.java", "class A { enum B { C } interface D { int e(); } }\n", ["A.B.C", "A.B", "A.D.e", "A.D", "A"]),
        ("a.c", "struct s *p;\nint (*q)(int);\nextern int r[3];\n", ["p", "q", "r"]),
        ("a.cpp", "namespace a::b { struct S { S(); void m(); }; }\nvoid a::b::S::m() {}\n", ["S.S", "S.m", "S"]),
        ("a.cs", "namespace N;\nclass A { int b, c; event E d; }\n", ["A.b", "A.c", "A.d", "A"]),
        ("a.rb", "module M\n  def self.a; end\n  B = 1\n  x = 2\nend\n", ["M.a", "M.B", "M"]),
        ("a.php", "<?php\ntrait T { public static $a, $b; }\n", ["T.a", "T.b", "T"]),
        ("a.kt", "object O {\n  val a = 1\n}\nfun String.b() = 1\n", ["O.a", "O", "String.b"]),
        ("a.swift", "struct S {\n  enum E {\n    case a, b\n  }\n}\n", ["S.E.a", "S.E.b", "S.E", "S"]),
        ("a.sh", "A=1\nexport B=2\nrun() { C=3; }\n", ["A", "B", "run"]),
        ("Makefile", ".PHONY: a\nV = 1\na b: c\n\tx\n$(D): e\n%.o: %.c\n", ["V", "a", "b"]),
        ("justfile", "v := '1'\n@a x='y' +z: b\n  c\n", ["v", "a"]),
    ],
)
def test_names_of_others(path: str, text: str, names: list[str]) -> None:
    assert [row[0] for row in rows(path, text)] == names


@pytest.mark.parametrize(
    ("path", "text", "lines"),
    [
        ("a.json", '{\n"a": {\n"b": [\n1,\n2]},\n"c": 1}', {"a": 2, "a.b": 3, "a.b[0]": 4, "a.b[1]": 5, "c": 6}),
        ("a.json", '[\n{"a": 1},\n{"a": 2}\n]', {"[0]": 2, "[0].a": 2, "[1]": 3, "[1].a": 3}),
        ("a.toml", "[a.b]\nc = 1\n[[d]]\ne = 2\n[[d]]\ne = 3\n", {"a": 1, "a.b": 1, "a.b.c": 2, "d[1].e": 6}),
        ("a.toml", "a = [\n  1,\n  2,\n]\n'b.c' = 1\n", {"a": 1, "a[1]": 1, '"b.c"': 5}),
        (
            "a.yaml",
            "a:\n  b:\n    - c\n    - d: 1\n      e: 2\nf: {g: 1}\n",
            {"a.b": 2, "a.b[0]": 3, "a.b[1].e": 5, "f.g": 6},
        ),
        ("a.yaml", "a:\n- b\n- c: |\n    d: 1\n  e: 2\n'f': 1\n", {"a[1].c": 3, "a[1].e": 5, "f": 6}),
        ("a.yaml", "a: 1\n---\nb: 1\n---\nb: 2\n", {"[0].a": 1, "[1].b": 3, "[2].b": 5}),
        ("a.ini", "[a]\nb = 1\nc : 2\n", {"a": 1, "a.b": 2, "a.c": 3}),
        (".env", "# x\nA=1\n", {"A": 2}),
    ],
)
def test_lines_of_keys(path: str, text: str, lines: dict[str, int]) -> None:
    found = {symbol.name: symbol.line for symbol in outline(path, text.encode()).symbols}
    assert {name: found[name] for name in lines} == lines
