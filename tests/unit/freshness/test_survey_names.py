"""Where a name counts: how the code had it, how a document writes it, and what stands beside it."""

from pathlib import Path

import pytest

from repository import make, put
from surveyed import SurveyCase, found, look, one, page, short

APP = '[project]\nname = "webapp"\n'
CYCLE = "FILTERS = {\n    'cycle': 1,\n    'join_all': 2,\n}\n"

DEFINED = [
    SurveyCase(
        "key of a literal",
        *one(
            "function f() {\n  return g({ waitTime: 3 });\n}\n",
            "{ waitTime: 3 }",
            "",
            page("Set `waitTime`."),
            found(3, "removed", "waitTime"),
            path="a.js",
        ),
    ),
    SurveyCase(
        "key of a literal in a program of the reader",
        *one(
            "function f() {\n  return g({ waitTime: 3 });\n}\n",
            "{ waitTime: 3 }",
            "",
            page("```js", "let x = waitTime(1)", "```"),
            path="a.js",
        ),
    ),
    SurveyCase(
        "member that is set",
        *one(
            "function f() {\n  window.my_state = g();\n}\n",
            "window.my_state = ",
            "",
            page("Read `window.my_state`."),
            found(3, "removed", "my_state"),
            path="a.js",
        ),
    ),
    SurveyCase(
        "variable of a script",
        *one(
            "echo $APP_NAMESPACE\n",
            "$APP_NAMESPACE",
            "x",
            page("Set `APP_NAMESPACE`."),
            found(3, "removed", "APP_NAMESPACE"),
            path="dump.sh",
        ),
    ),
    SurveyCase(
        "part of a dotted string",
        *one(
            'f := flag("mesh.peer-id", "")\n',
            "mesh.peer-id",
            "mesh.other",
            page("`mesh.peer-id` is one."),
            found(3, "renamed", "peer-id"),
            path="a.go",
        ),
    ),
    SurveyCase(
        "module with a dotted name",
        *one(
            "defmodule App.Markdown.Pandoc do\nend\n",
            "App.Markdown.Pandoc",
            "App.Markdown.Other",
            page("Use `App.Markdown.Pandoc`.", "", "defmodule App.Markdown"),
            found(3, "renamed", "Pandoc"),
            path="lib/a.ex",
        ),
    ),
    SurveyCase(
        "member of a type with a dotted name",
        {
            "a.rb": "class Pack::Compiler\nend\n",
            "b.rb": "mattr_accessor :cache_dir\n",
            "a.md": page("Set `Pack::Compiler.cache_dir`."),
        },
        {"b.rb": "x = 1\n"},
        [found(3, "removed", "cache_dir")],
    ),
    SurveyCase(
        "alias of a type",
        *one(
            "typealias PageResult = Other\n",
            "PageResult",
            "X",
            page("A `PageResult`."),
            found(3, "removed", "PageResult"),
            path="a.kt",
        ),
    ),
    SurveyCase(
        "private module and header",
        {
            "app/_client.py": "class PageLoader:\n    pass\n",
            "include/app/a.h": "void load_page(int x);\n",
            "a.md": page("`PageLoader`", "", "`load_page`"),
        },
        {"app/_client.py": "x = 1\n", "include/app/a.h": "int x;\n"},
        [found(3, "removed", "PageLoader"), found(5, "removed", "load_page")],
    ),
    SurveyCase(
        "option of a generic type",
        *one(
            'var x = new Option<bool>("--ensure-info")\n',
            "--ensure-info",
            "--x",
            page("Pass `--ensure-info`."),
            found(3, "removed", "--ensure-info"),
            path="a.cs",
        ),
    ),
    SurveyCase(
        "flag that a program compares by itself",
        {
            "a.js": "if (arg === '--legacy-watch') run();\n",
            "b.py": 'if "--no-docker" in sys.argv:\n    run()\n',
            "a.md": page("Pass `--legacy-watch`.", "", "Pass `--no-docker`."),
        },
        {"a.js": "run();\n", "b.py": "run()\n"},
        [found(3, "removed", "--legacy-watch"), found(5, "removed", "--no-docker")],
    ),
    SurveyCase(
        "flag that comes from a property now",
        *one(
            'let x = Option("config", flag: "c")\n',
            'let x = Option("config", flag: "c")',
            "@Option(name: .shortAndLong)\nvar config: String",
            page("Pass `--config`."),
            path="a.swift",
        ),
    ),
    SurveyCase(
        "package that moved with its manifest",
        {"base/a.py": "class PageLoader:\n    pass\n", "base/setup.py": "x = 1\n", "a.md": page("Use `PageLoader`.")},
        {
            "base/a.py": None,
            "base/setup.py": None,
            "core/setup.py": "x = 1\n",
            "core/a.py": "class Loader:\n    pass\n",
        },
        [found(3, "removed", "PageLoader")],
    ),
]
WRITTEN = [
    SurveyCase(
        "flag with one hyphen",
        *one(
            'flag.String("ssl-cert", "")\n',
            "ssl-cert",
            "cert",
            page("```", "-ssl-cert /path", "-x -ssl-cert=1", "my-ssl-cert", "```"),
            found(4, "removed", "ssl-cert"),
            found(5, "removed", "ssl-cert"),
            path="a.go",
        ),
    ),
    SurveyCase(
        "line that goes on with a flag",
        *one(
            'flag.String("ssl-cert", "")\n',
            "ssl-cert",
            "cert",
            page("```sh", "webapp \\", '  --ssl-cert="x" \\', "```"),
            found(5, "removed", "--ssl-cert"),
            path="a.go",
        ),
    ),
    SurveyCase(
        "setting in a program",
        *one(
            'x = get("dump_signal")\n',
            "dump_signal",
            "signal",
            page("```js", 'dump_signal = "HUP"', "```", "", "```js", "dump_signal = 1", "f(dump_signal)", "```"),
            found(4, "renamed", "dump_signal"),
        ),
    ),
    SurveyCase(
        "string with hyphens in a program",
        *one(
            'KINDS = ["page-loader", "other"]\n',
            '"page-loader", ',
            "",
            page("```python", 'use(["page-loader"])', "```"),
            found(4, "removed", "page-loader"),
        ),
    ),
    SurveyCase(
        "subcommand, and value of a flag",
        {
            "pyproject.toml": APP,
            "a.py": "KINDS = ['dots', 'other']\n",
            "a.md": page("`webapp dots`", "", "```sh", "webapp run --show=dots", "cat dots", "```"),
        },
        {"a.py": "KINDS = ['other']\n"},
        [found(3, "removed", "dots"), found(6, "removed", "dots")],
    ),
    SurveyCase(
        "program of a script, and of two words",
        {
            "Cargo.toml": '[package]\nname = "cargo-tidy"\n',
            "bin/page": "x\n",
            "a.py": 'parser.add_argument("--fast-mode")\n',
            "a.md": page("```sh", "cargo tidy --fast-mode", "./bin/page --fast-mode", "other --fast-mode", "```"),
        },
        {"a.py": "x = 1\n"},
        [found(4, "removed", "--fast-mode"), found(5, "removed", "--fast-mode")],
    ),
    SurveyCase(
        "extra of a package",
        {
            "pyproject.toml": APP,
            "a.py": "EXTRAS = {'web': 1}\nALL = ['charts']\n",
            "a.md": page("```sh", "pip install webapp[web,charts]", "pip install other[charts]", "```"),
        },
        {"a.py": "EXTRAS = {'web': 1}\n"},
        [found(4, "removed", "charts")],
    ),
    SurveyCase(
        "name of the package that is installed",
        {"package.json": '{\n  "name": "island"\n}\n', "a.md": page("```sh", "npm install -g island", "```")},
        {"package.json": '{\n  "name": "eleven"\n}\n'},
        [found(4, "renamed", "island")],
    ),
    SurveyCase(
        "variable in capitals that a line sets",
        *one(
            'import os\nx = os.environ["HOOKED"]\n',
            "HOOKED",
            "OTHER",
            page("```sh", "HOOKED=0 git commit", "```", "", "`export HOOKED=1`", "", "A HOOKED line."),
            found(4, "renamed", "HOOKED"),
            found(7, "renamed", "HOOKED"),
        ),
    ),
    SurveyCase(
        "element of markup",
        *one(
            "class A {\n  public String enabledFeatures = 1;\n}\n",
            "enabledFeatures",
            "features",
            page("```xml", "<enabledFeatures>", "```", "", "Give `<enabledFeatures>`."),
            found(4, "renamed", "enabledFeatures"),
            path="A.java",
        ),
    ),
    SurveyCase(
        "list of options of rst",
        {"a.py": 'parser.add_argument("--fast-mode")\n', "a.rst": "A\n=\n\n  --fast-mode\n            Be fast.\n"},
        {"a.py": "x = 1\n"},
        [found(4, "removed", "--fast-mode", "a.rst")],
    ),
    SurveyCase(
        "import with a default name",
        {
            "package.json": '{"name": "webapp"}\n',
            "index.ts": "export interface PageLoader {}\n",
            "a.md": page("```ts", "import app, {PageLoader} from 'webapp';", "let x = app as PageLoader;", "```"),
        },
        {"index.ts": "export interface Other {}\n"},
        [found(4, "removed", "PageLoader"), found(5, "removed", "PageLoader")],
    ),
    SurveyCase(
        "section with a number",
        *one(
            "MAX_SIZE = 1\n",
            "MAX_SIZE",
            "X",
            page("## 2.1 Limits", "", "`MAX_SIZE`", "", "## 2.1.0", "", "`MAX_SIZE`"),
            found(5, "removed", "MAX_SIZE"),
        ),
    ),
    SurveyCase(
        "heading with the name of the project",
        {
            "composer.json": '{"name": "doctrine/migrations"}\n',
            "a.py": "MAX_SIZE = 1\n",
            "a.md": "# Doctrine Migrations\n\n`MAX_SIZE`\n\n## Migration\n\n`MAX_SIZE`\n",
        },
        {"a.py": "x = 1\n"},
        [found(3, "removed", "MAX_SIZE")],
    ),
    SurveyCase(
        "path beside the page that another folder still has",
        {"docs/a.md": page("![x](img/a.gif)"), "docs/img/a.gif": "x", "other/img/a.gif": "y"},
        {"docs/img/a.gif": None},
        [found(3, "path-removed", "img/a.gif", "docs/a.md")],
    ),
    SurveyCase(
        "task of a namespace",
        {"Rakefile": "namespace :test do\n  task :every do\n  end\nend\n", "a.md": page("Run `rake test:every`.")},
        {"Rakefile": "task :other\n"},
        [found(3, "removed", "every")],
    ),
]
STRENGTH = [
    SurveyCase(
        "plain word whose line says what it is",
        *one(
            CYCLE,
            "    'cycle': 1,\n",
            "",
            page("The `cycle` filter joins.", "", "Use filter `cycle`.", "", "Ride a `cycle` to work."),
            found(3, "removed", "cycle"),
            found(5, "removed", "cycle"),
        ),
    ),
    SurveyCase(
        "plain word beside another name of its file",
        *one(
            CYCLE,
            "    'cycle': 1,\n",
            "",
            page("Both `cycle` and `join_all`.", "", "Both `cycle` and `other_one`."),
            found(3, "removed", "cycle"),
        ),
    ),
    SurveyCase(
        "key of a program that was a string of ours, beside another name of its file",
        *one(
            "const SET = new Set(['tryIt']);\nconst noExperiments = 1;\n",
            "'tryIt'",
            "",
            page("```js", "{ noExperiments: {", "  tryIt: true", "} }", "```"),
            found(5, "removed", "tryIt"),
            path="a.js",
        ),
    ),
    SurveyCase(
        "name in capitals, and a code of an error",
        *one(
            "X = ['BLUEPRINTS', 'E501', 'SET']\n",
            "'BLUEPRINTS', 'E501', 'SET'",
            "",
            page("`BLUEPRINTS`: a", "or `E501` or", "so `SET` is"),
            found(3, "removed", "BLUEPRINTS"),
            found(4, "removed", "E501"),
        ),
    ),
    SurveyCase(
        "name of a product in prose",
        *one('X = ["OpenLDAP"]\n', '"OpenLDAP"', "", page("Start OpenLDAP.")),
    ),
    SurveyCase(
        "method of the object itself",
        *one(
            "impl A {\n    fn http_reply() {}\n}\n",
            "http_reply",
            "x",
            page("```rust", "Self::http_reply()", "```"),
            found(4, "removed", "http_reply"),
            path="a.rs",
        ),
    ),
    SurveyCase(
        "key of a file of services",
        *one("services:\n  depends_on: x\n", "depends_on", "x", page("`depends_on`"), path="docker-compose.yml"),
    ),
]
KEPT = [
    SurveyCase(
        "name that a resource still has",
        {
            "a.py": "def name():\n    return 'page_loader'\n",
            "resources/tasks.yml": "- {task: page_loader}\n",
            "a.md": page("`page_loader`"),
        },
        {"a.py": "x = 1\n"},
    ),
    SurveyCase(
        "name of a file that is a copied dependency now",
        {"kv/a.go": 'f.Var("acl-token")\n', "a.md": page("Pass `acl-token`.")},
        {"kv/a.go": None, "vendor/dskit/kv/a.go": 'f.Var("acl-token")\n'},
    ),
    SurveyCase(
        "flag that comes from a key now",
        *one(
            "cli({\n  'cache-location': {\n  },\n});\n",
            "'cache-location'",
            "cacheLocation",
            page("Use `cache-location` or `--cache-location`."),
            path="cli.js",
        ),
    ),
    SurveyCase("header of HTTP", *one('H = ["Content-Type"]\n', '"Content-Type"', "", page("Set `Content-Type`."))),
    SurveyCase(
        "variable of the reader that a call passes by its place",
        *one(
            "def render(wrapped_logger, size=1):\n    return size\n",
            "wrapped_logger, size=1",
            "size=1, *more",
            page(
                "```python",
                "show(wrapped_logger, 1)",
                "show(1, wrapped_logger=x)",
                "```",
                "`f(wrapped_logger)`",
                "`render(wrapped_logger)`",
            ),
            found(5, "removed", "wrapped_logger"),
            found(8, "removed", "wrapped_logger"),
        ),
    ),
    SurveyCase(
        "variable of a block that uses it",
        *one(
            "class A {\n    fun startTest() {}\n}\n",
            "startTest",
            "x",
            page("```kotlin", "val startTest: B = {", "}", "  beforeTest(startTest)", "```"),
            path="A.kt",
        ),
    ),
    SurveyCase(
        "variable that a block sets and uses inside of a function",
        *one(
            "OP_MOD = 1\nOP_XOR = 2\n",
            "OP_MOD = 1\nOP_XOR = 2\n",
            "",
            page("```python", "OP_MOD = 'mod'", "def f(a):", "    return E(a, OP_MOD, OP_XOR)", "```"),
            found(6, "removed", "OP_XOR"),
        ),
    ),
    SurveyCase(
        "parameter behind a label in Swift",
        *one(
            "func find(indexPath: Path) {}\n",
            "indexPath",
            "place, other",
            page("```swift", "func row(at indexPath: Path) {", "  table.get(at: indexPath)", "}", "```"),
            path="a.swift",
        ),
    ),
    SurveyCase(
        "variable that a line of a shell takes from the environment",
        *one(
            'p = env["PODS_ROOT"]\n',
            '"PODS_ROOT"',
            "1",
            page("```sh", '"$PODS_ROOT/app" run', "${PODS_ROOT}/app", "PODS_ROOT=1 app", "```"),
            found(6, "removed", "PODS_ROOT"),
        ),
    ),
    SurveyCase(
        "type of another project that `typings` copied",
        *one(
            "declare module NodeRuntime {}\n",
            "NodeRuntime",
            "x",
            page("On `NodeRuntime`."),
            path="typings/globals/a.d.ts",
        ),
    ),
    SurveyCase(
        "subcommand of a program that left with its manifest",
        {
            "cmd/ctl/main.go": 'var root = Command{Use: "ctl"}\nvar apply = Command{Use: "apply"}\n',
            "cmd/ctl/go.mod": "module example.com/ctl\n",
            "main.go": 'var root = Command{Use: "ctl"}\n',
            "a.md": page("Run `ctl apply`."),
        },
        {"cmd/ctl/main.go": None, "cmd/ctl/go.mod": None},
    ),
    SurveyCase(
        "variable of the reader with its type",
        *one(
            "class A {\n  public void Add(Calendar cal) {}\n}\n",
            "cal)",
            "other)",
            page("```csharp", "Calendar cal = new Calendar();", "```"),
            path="A.cs",
        ),
    ),
]
"""A name that is not gone, or that is not one of the product."""
SHOWN = [
    SurveyCase(
        "parameter in a signature that a reference shows",
        {
            "app.py": "def get(url, cert=None, size=1):\n    return cert\n\n\ndef put(cert): ...\n",
            "a.rst": "A\n=\n\n.. py:function:: get(url, cert=None, size=1)\n\n.. function:: get(url)\n",
        },
        {"app.py": "def get(url, size=1):\n    return size\n\n\ndef put(cert): ...\n"},
        [found(4, "argument", "get", "a.rst")],
    ),
    SurveyCase(
        "call in a directive of MyST",
        {
            "app.py": "def connect(url, retries=1):\n    return url\n\n\ndef put(retries): ...\n",
            "a.md": page(
                "```{doctest}",
                ">>> connect(1, retries=2)",
                "```",
                "```{code-block} python",
                "connect(1, retries=2)",
                "```",
            ),
        },
        {"app.py": "def connect(url, attempts=1):\n    return url\n\n\ndef put(retries): ...\n"},
        [found(4, "argument", "connect"), found(7, "argument", "connect")],
    ),
    SurveyCase(
        "flag below a string between backticks with an address",
        *one(
            'package a\n\nvar x = `see http://example.com`\nvar y = f.Bool("skip-verify")\n',
            "skip-verify",
            "y",
            page("Pass `--skip-verify`."),
            found(3, "removed", "--skip-verify"),
            path="a.go",
        ),
    ),
    SurveyCase(
        "call in a block that can't be parsed",
        {
            "app.py": "def connect(url, retries=1):\n    return url\n",
            "a.md": page("```python", "f(...", "x = connect(", "  url, retries=2)", "connect(retries=", "```"),
        },
        {"app.py": "def connect(url, attempts=1, retries=None, /):\n    return url\n"},
        [found(5, "argument", "connect")],
    ),
    SurveyCase(
        "flag of a file with a backtick in a string",
        *one(
            'package a\n\nvar x = "`"\nvar y = f.Bool("skip-verify")\n',
            "skip-verify",
            "y",
            page("Pass `--skip-verify`."),
            found(3, "removed", "--skip-verify"),
            path="a.go",
        ),
    ),
]
STATED = [
    SurveyCase(
        "default in the item of a list",
        *one(
            "page_size = 20\n",
            "20",
            "50",
            page("- [ ] **page_size**: How many. Defaults to `20`. More is better."),
            found(3, "value", "20"),
        ),
    ),
    SurveyCase(
        "row that names it in another cell",
        *one(
            "verify = True\n",
            "True",
            "False",
            page("| what | name | default |", "|---|---|---|", "| Check | `verify` | `true` |"),
            found(5, "value", "true"),
        ),
    ),
]


@pytest.mark.parametrize("case", [*DEFINED, *WRITTEN, *STRENGTH, *KEPT, *SHOWN, *STATED], ids=lambda case: case.name)
def test_survey_finds_names_that_a_change_removes(tmp_path: Path, case: SurveyCase) -> None:
    root = make(tmp_path / "repo", case.before)
    put(root, case.after)
    assert short(look(root).doubts) == list(case.doubts)
