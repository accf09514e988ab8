"""A change of the code, and which lines of the documents it makes false."""

from pathlib import Path

import pytest

from cairn.adapters.vcs.trees import GitTrees
from cairn.freshness.diff.survey import SurveyMemory, survey_revisions
from repository import commit, git, make, put
from surveyed import SurveyCase as Case
from surveyed import found, look, one, page, short

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


CONNECT = "def connect(host, timeout=30):\n    print(host)\n    return timeout\n"
CLIENT = "class Client:\n    max_size = 5\n\n    def fetch_page(self, url):\n        return url\n"
ARGPARSE = (
    'import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument("--workers", type=int, default=4)\n'
)


GO_TYPE = "package config\n\n// ObjectMeta has the name.\ntype ObjectMeta struct {\n\tName string\n}\n"

VANISHED = [
    Case(
        "type of another package of Go",
        *one(
            GO_TYPE,
            "ObjectMeta",
            "Metadata",
            page("`metav1.ObjectMeta` is theirs.", "", "`config.ObjectMeta` is ours.", "", "So is `ObjectMeta`."),
            found(5, "renamed", "ObjectMeta"),
            found(7, "renamed", "ObjectMeta"),
            path="config/types.go",
        ),
    ),
    Case(
        "flag whose variable keeps its name",
        *one(
            'package main\n\nfunc init() {\n\trootCmd.Flags().IntVar(&workers, "workers", 4, "how many")\n}\n',
            '"workers"',
            '"threads"',
            page("Use `--workers`."),
            found(3, "renamed", "--workers"),
            path="main.go",
        ),
    ),
    *(
        Case(
            f"name that {path} still has",
            {"app.py": CLIENT, path: text, "a.md": page("Use `fetch_page()`.")},
            {"app.py": CLIENT.replace("fetch_page", "load_page")},
            [found(3, "renamed", "fetch_page")],
        )
        for path, text in (
            ("mkdocs.yml", "nav:\n  - fetch_page: api/fetch_page.md\n"),
            ("mkdocs.yaml", "nav:\n  - Fetch: api/fetch_page.md\n"),
            ("sidebars.js", 'module.exports = { docs: [{ label: "fetch_page", id: "x" }] }\n'),
            ("docs/.vitepress/config.ts", 'export default { sidebar: [{ text: "fetch_page", link: "/x" }] }\n'),
            (".readthedocs.yaml", "build: fetch_page\n"),
            (".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n      - run: fetch_page\n"),
        )
    ),
    Case(
        "signature in a reference",
        *one(
            CLIENT,
            "fetch_page",
            "load_page",
            page("```python", "def fetch_page(url): ...", "```"),
            found(4, "renamed", "fetch_page"),
        ),
    ),
    *(
        Case(
            f"variable that a workflow still has: {line}",
            {
                "app.py": 'TOKEN = os.environ["RELEASE_TOKEN"]\n',
                ".github/workflows/ci.yml": line,
                "a.md": page("Set `RELEASE_TOKEN`."),
            },
            {"app.py": "x = 1\n"},
        )
        for line in ("env:\n  RELEASE_TOKEN: x\n", "run: echo $RELEASE_TOKEN\n", "if: ${{ secrets.RELEASE_TOKEN }}\n")
    ),
    Case(
        "function renamed", *one(CONNECT, "connect", "dial", page("Call `connect()`."), found(3, "renamed", "connect"))
    ),
    Case(
        "function removed", *one(CONNECT, CONNECT, "x = 1\n", page("Call `connect()`."), found(3, "removed", "connect"))
    ),
    Case(
        "method in dotted, bold and leading-dot form",
        *one(
            CLIENT,
            "fetch_page",
            "load_page",
            page("Use `Client.fetch_page`.", "Or **fetch_page**.", "Or `.fetch_page`.", "Or `client.fetch_page(url)`."),
            *(found(line, "renamed", "fetch_page") for line in (3, 4, 5, 6)),
        ),
    ),
    Case(
        "method of another type",
        *one(CLIENT, "fetch_page", "load_page", page("Use `Browser.fetch_page`.")),
    ),
    Case(
        "attribute in a table, a heading and a list",
        *one(
            CLIENT,
            "max_size",
            "limit",
            page("| name | value |", "|---|---|", "| max_size | 5 |", "", "## max_size", "", "- `max_size`: the size"),
            *(found(line, "renamed", "max_size") for line in (5, 7, 9)),
        ),
    ),
    Case(
        "keyword in a call in a code block",
        *one(
            CONNECT,
            "timeout",
            "wait",
            page("```python", "connect(1, timeout=3)", "```"),
            found(4, "renamed", "timeout"),
        ),
    ),
    Case(
        "method on an object in a code block",
        *one(
            CLIENT,
            "fetch_page",
            "load_page",
            page("```python", "c.fetch_page(1)", "```"),
            found(4, "renamed", "fetch_page"),
        ),
    ),
    Case(
        "import in a code block",
        *one(
            CONNECT,
            "connect",
            "dial",
            page("```python", "from app import connect", "```"),
            found(4, "renamed", "connect"),
        ),
    ),
    Case(
        "flag in a pasted help text",
        *one(
            ARGPARSE,
            "--workers",
            "--threads",
            page("```", "usage: app [--workers N]", "  --workers N   how many", "```"),
            found(4, "renamed", "--workers"),
            found(5, "renamed", "--workers"),
        ),
    ),
    Case(
        "flag that only a message and a comment still mention",
        *one(
            ARGPARSE + '# "workers" are processes\nprint("Not valid with --workers.")\n',
            'parser.add_argument("--workers", type=int, default=4)',
            "",
            page("Use `--workers`."),
            found(3, "removed", "--workers"),
        ),
    ),
    Case(
        "flag that is declared beside its opposite now",
        *one(
            'option("--no-log", "no_log", help="x")\n',
            '"--no-log", "no_log"',
            '"--log/--no-log", "log"',
            page("Use `--no-log`."),
        ),
    ),
    Case(
        "flag that another command still declares",
        *one(
            ARGPARSE + 'other.add_argument(\n    "--workers",\n)\n',
            'parser.add_argument("--workers", type=int, default=4)',
            "",
            page("Use `--workers`."),
        ),
    ),
    Case(
        "flag of another program",
        *one(
            ARGPARSE,
            "--workers",
            "--threads",
            page("Run `gunicorn --workers 3`.", "```sh", "gunicorn --workers 3", "```"),
        ),
    ),
    Case(
        "environment variable",
        *one(
            'import os\n\nDEBUG = os.environ.get("APP_DEBUG")\n',
            "APP_DEBUG",
            "APP_VERBOSE",
            page("Set APP_DEBUG.", "```sh", "APP_DEBUG=1 app", "```"),
            found(3, "renamed", "APP_DEBUG"),
            found(5, "renamed", "APP_DEBUG"),
        ),
    ),
    Case(
        "environment variable as a property",
        *one(
            "const a = process.env.APP_DUMP === 'x'\n",
            "APP_DUMP",
            "APP_X",
            page("Set `APP_DUMP`."),
            found(3, "renamed", "APP_DUMP"),
            path="a.ts",
        ),
    ),
    Case(
        "flag in a constant",
        *one(
            'const val OUT = "--out-file"\n',
            "--out-file",
            "--output",
            page("Use `--out-file`."),
            found(3, "renamed", "--out-file"),
            path="a.kt",
        ),
    ),
    Case(
        "make target behind a prompt",
        *one(
            "update-sums:\n\ttrue\n",
            "update-sums",
            "sums",
            page("```", "$ make update-sums", "```"),
            found(4, "removed", "update-sums"),
            path="Makefile",
        ),
    ),
    Case(
        "hook name, quoted",
        *one(
            "HOOKS = ['preRouting', 'onEnd']\n",
            "'preRouting', ",
            "",
            page("Use 'preRouting'."),
            found(3, "removed", "preRouting"),
        ),
    ),
    Case(
        "error code",
        *one(
            'CODES = {\n    "E1042": "bad",\n}\n',
            "E1042",
            "E1043",
            page("Fails with `E1042`."),
            found(3, "renamed", "E1042"),
        ),
    ),
    Case(
        "frontmatter value, and a title that is left alone",
        *one(
            CLIENT,
            "fetch_page",
            "load_page",
            "---\ntitle: fetch_page\nhandler: fetch_page\n---\n# A\n",
            found(3, "renamed", "fetch_page"),
        ),
    ),
    Case(
        "string in prose that is English", *one('MODES = ["read-only"]\n', "read-only", "x", page("It is read-only."))
    ),
    Case("comment only", *one("# about fetch_page\nx = 1\n", "fetch_page", "more", page("See `fetch_page`."))),
    Case(
        "local variable",
        *one("def f():\n    page_size = 1\n    return 2\n", "page_size", "n", page("Use `page_size`.")),
    ),
    Case(
        "name that is only used", *one("import lib\n\nlib.load_all()\n", "load_all", "load", page("Call `load_all()`."))
    ),
    Case(
        "name that the block defines",
        *one(CONNECT, "connect", "dial", page("```python", "def connect(): ...", "connect()", "```")),
    ),
    Case(
        "name that the block imports from another package",
        *one(CONNECT, "connect", "dial", page("```python", "from other import connect", "connect()", "```")),
    ),
    Case(
        "override in a block",
        *one(
            CLIENT,
            "fetch_page",
            "load_page",
            page("```python", "class Mine(Client):", "    def fetch_page(self, url): ...", "```"),
            found(5, "renamed", "fetch_page"),
        ),
    ),
    *(
        Case(f"sentence that denies it: {text}", *one(CONNECT, "connect", "dial", page(text)))
        for text in (
            "There is no `connect()`.",
            "It is asynchronous, so there is no\n`connect()` for it.",
            "`connect` does not exist.",
            "`connect`\ndoes not exist here.",
            "Es gibt keine Funktion `connect`.",
        )
    ),
    *(
        Case(
            f"sentence that denies something else: {text}",
            *one(CONNECT, "connect", "dial", page(text), found(3, "renamed", "connect")),
        )
        for text in (
            "There is no need to call `connect()`.",
            "If `connect` does not exist, import it.",
            "There is no `dial()`: call `connect()`.",
            "There is no `connect()` there; call `connect()` here.",
            "`connect()` fails\n\nwhen there is no file.",
        )
    ),
    Case(
        "path and flag that a sentence denies",
        {"src/net.py": ARGPARSE, "a.md": page("There is no `src/net.py`.", "", "There is no flag `--workers`.")},
        {"src/net.py": None},
    ),
    Case("sentence about the past", *one(CONNECT, "connect", "dial", page("`connect()` was removed in 2.0."))),
    Case("section about the past", *one(CONNECT, "connect", "dial", page("## Changelog", "", "`connect()` waits."))),
    Case(
        "name in a template that the code writes",
        *one(
            "const T = `\nvars:\n  GREETING_TEXT: Hi\n`\n",
            "GREETING_TEXT",
            "X",
            page("Set `GREETING_TEXT`."),
            path="init.js",
        ),
    ),
    Case("key of frontmatter", *one(CLIENT, "max_size", "limit", "---\nmax_size: 4\n---\n# A\n")),
    Case(
        "navigation title",
        *one(
            "nav:\n  - ['index.md', 'Introduction']\n",
            "Introduction",
            "Home",
            page("```", "- ['index.md', 'Introduction']", "```"),
            path="mkdocs.yml",
        ),
    ),
    Case("placeholder", *one(CLIENT, "max_size", "limit", page("Write `<max_size>`."))),
    Case("address", *one(CLIENT, "max_size", "limit", page("See <https://example.org/max_size>."))),
    Case(
        "word that stands elsewhere in the code",
        {"a.py": CONNECT, "b.py": "from a import connect\n", "a.md": page("Call `connect()`.")},
        {"a.py": "x = 1\n"},
    ),
    Case(
        "word that stands in a file that nobody committed",
        {"a.py": CONNECT, "a.md": page("Call `connect()`.")},
        {"a.py": "x = 1\n", "b.py": CONNECT},
    ),
    Case(
        "word that stands only in a test",
        {"a.py": CONNECT, "tests/test_a.py": "connect\n", "a.md": page("Call `connect()`.")},
        {"a.py": "x = 1\n"},
        [found(3, "removed", "connect")],
    ),
    Case(
        "tests and other people's code define nothing",
        {"tests/a.py": CONNECT, "vendor/b.py": CONNECT, "a.md": page("Call `connect()`.")},
        {"tests/a.py": None, "vendor/b.py": None},
    ),
    Case(
        "dependency of a manifest",
        *one(
            '{"dependencies": {\n  "left-pad": "^1.0"\n}}\n',
            '"left-pad": "^1.0"',
            "",
            page("Uses `left-pad`."),
            path="package.json",
        ),
    ),
    Case(
        "the line was edited in the same change",
        {"a.py": CONNECT, "a.md": page("Call `connect()`.", "Then `connect()` again.")},
        {
            "a.py": CONNECT.replace("connect", "dial"),
            "a.md": page("Call `connect()` first.", "Then `connect()` again."),
        },
        [found(3, "renamed", "connect"), found(4, "renamed", "connect")],
    ),
    Case(
        "only the indentation of the line was edited",
        {"a.py": CONNECT, "a.md": page("- Call `connect()`.")},
        {"a.py": CONNECT.replace("connect", "dial"), "a.md": page("- Call", "  - Call `connect()`.")},
        [found(4, "renamed", "connect")],
    ),
    Case(
        "a line that was added, and one that says since when",
        {"a.py": CONNECT, "a.md": page("Call `connect()`.")},
        {
            "a.py": CONNECT.replace("connect", "dial"),
            "a.md": page("Don't call `connect()` unless you must.", "", "Call `connect()` (removed in 2.0)."),
        },
    ),
    Case(
        "a document that was renamed",
        {"a.py": CONNECT, "b.md": page("One.", "Two.", "Call `connect()`.")},
        {"a.py": CONNECT.replace("connect", "dial"), "b.md": None, "a.md": page("One.", "Two.", "Call `connect()`.")},
        [found(5, "renamed", "connect")],
    ),
    Case(
        "a document that was renamed and edited",
        {"a.py": CONNECT, "b.md": page("One.", "Two.", "Call `connect()`.")},
        {
            "a.py": CONNECT.replace("connect", "dial"),
            "b.md": None,
            "a.md": page("One.", "Two.", "Just call `connect()`.", "Or `connect`."),
        },
        [found(5, "renamed", "connect")],
    ),
    Case(
        "a document that is new",
        {"a.py": CONNECT},
        {"a.py": CONNECT.replace("connect", "dial"), "a.md": page("Call `connect()`.")},
    ),
    *(
        Case(
            f"document in {path}",
            {"a.py": CONNECT, path: text},
            {"a.py": CONNECT.replace("connect", "dial")},
            [found(line, "renamed", "connect", path)],
        )
        for path, text, line in [
            ("docs/a.markdown", page("Call `connect()`."), 3),
            ("docs/a.mdx", "import X from 'x'\n\n# A\n\n<X>\n\nCall `connect()`.\n\n</X>\n", 7),
            ("docs/a.rst", "A\n=\n\nCall ``connect()``.\n", 4),
            ("docs/b.rst", "A\n=\n\n.. autofunction:: a.connect\n", 4),
            ("docs/c.rst", "A\n=\n\nSee :func:`connect`.\n", 4),
            ("docs/d.rst", "A\n=\n\nSo::\n\n    connect(1)\n", 6),
            ("README", "Call connect() or `connect()`.\n", 1),
        ]
    ),
    *(
        Case(
            f"document of scope {path}",
            {"a.py": CONNECT, path: page("Call `connect()`.")},
            {"a.py": CONNECT.replace("connect", "dial")},
        )
        for path in ("CHANGELOG.md", "docs/v1/a.md", "website/versioned_docs/version-1.2/rules/a.md", "docs/de/a.md")
    ),
    *(
        Case(
            f"half-edited file: {edit[:12]!r}",
            *one(CONNECT, "def connect(host", edit, page("Call `connect()`.")),
        )
        for edit in ("def connect(host, =", "<<<<<<< ours\ndef connect(host", "def connect(")
    ),
]

FLAGS = {
    "argparse": ("cli.py", ARGPARSE),
    "click": (
        "cli.py",
        'import click\n\n\n@click.command()\n@click.option("--workers", default=4)\ndef main(workers): ...\n',
    ),
    "cobra": ("main.go", 'package main\n\nfunc init() {\n\trootCmd.Flags().IntVar(&n, "workers", 4, "how many")\n}\n'),
    "commander": ("cli.js", "program\n  .option('-w, --workers <n>', 'how many', 4)\n  .parse();\n"),
    "optparse": (
        "cli.rb",
        'OptionParser.new do |o|\n  o.on "-w", "--workers COUNT", "How many" do |n|\n    @n = n\n  end\nend\n',
    ),
    "optionparser without a parser in sight": ("cli.rb", 'opt("workers", "How many")\n'),
    "thor": ("cli.rb", "class Run < Thor\n  class_option :workers, type: :numeric\nend\n"),
    "symfony": ("Run.php", "<?php\n$x = [\n    new InputOption('workers', null, InputOption::VALUE_NONE, 'x'),\n];\n"),
    "yargs": ("cli.js", "yargs.option('workers', {\n  type: 'number',\n}).parse();\n"),
    "typer": ("cli.py", "@app.command()\ndef run(workers: int = typer.Option(4)):\n    return 1\n"),
    "shell": ("run.sh", 'while [ $# -gt 0 ]; do\n  case "$1" in\n    --workers) N=$2; shift ;;\n  esac\ndone\n'),
    "pflag with a letter": ("main.go", 'package main\n\nfunc init() {\n\tf.IntVarP(&n, "workers", "w", 4, "x")\n}\n'),
    "clap builder": ("main.rs", 'let app = Command::new("x").arg(Arg::new("workers").long("workers"));\n'),
    "picocli": ("Cli.java", 'class Cli {\n    @Option(names = {"-w", "--workers"})\n    int count;\n}\n'),
    "clap": (
        "main.rs",
        "struct Args {\n    /// How many\n    #[arg(long, default_value_t = 4)]\n    workers: usize,\n}\n",
    ),
}
KEYS = {
    "toml": ("config.toml", "[server]\nmax_size = 5\n"),
    "yaml": ("config.yaml", "server:\n  max_size: 5\n"),
    "json": ("config.json", '{\n  "server": {\n    "max_size": 5\n  }\n}\n'),
}

CLAP = "struct Args {\n    /// How many\n    #[arg(long, default_value_t = 4)]\n    pub worker_threads: usize,\n}\n"


@pytest.mark.parametrize(
    "code", [CLAP, CLAP.replace("(long, ", "(\n        long,\n        ").replace(")]", "\n    )]")]
)
def test_survey_finds_default_of_an_option_of_clap(tmp_path: Path, code: str) -> None:
    text = page("- `--worker-threads`: number of threads [default: 4]", "", "The `--jobs` [default: 4]")
    root = make(tmp_path / "repo", {"main.rs": code, "a.md": text})
    put(root, {"main.rs": code.replace("4", "6")})
    (doubt,) = look(root).doubts
    assert (doubt.line, doubt.written, str(doubt.reason)) == (3, "4", "value")
    assert doubt.message == "`worker_threads` is no longer `4`: it is `6`."


COMMANDS = {
    "cmd/list.go": 'var c = &cobra.Command{Use: "list"}\nfunc init() { c.Flags().BoolVar(&a, "all", false, "x") }\n',
    "cmd/show.go": 'var d = &cobra.Command{Use: "show"}\nfunc init() { d.Flags().BoolVar(&a, "all", false, "x") }\n',
    "go.mod": "module example.org/app\n",
    "a.md": page("## show", "", "- `--all`: x", "", "## list", "", "- `--all`: x", "", "Run `app list --all`."),
}
WITHOUT = {"cmd/list.go": 'var c = &cobra.Command{Use: "list"}\n'}
URFAVE = 'var f = []cli.Flag{\n\tcli.StringFlag{\n\t\tName:  "add-kms, k",\n\t\tUsage: "x",\n\t},\n}\n'
SUBCOMMANDS = [
    Case(
        "flag that an entry of a literal declares",
        *one(URFAVE, "add-kms", "add-key", page("Use `--add-kms`."), found(3, "renamed", "--add-kms"), path="main.go"),
    ),
    *(
        Case(
            f"flag that {path} still declares, in several lines",
            {"cli.py": "p.add_argument('--add-kms')\n", path: code, "a.md": page("Use `--add-kms`.")},
            {"cli.py": "x = 1\n"},
        )
        for path, code in (
            ("main.go", URFAVE),
            ("main.rs", 'struct A {\n    #[arg(long, env = "K")]\n    pub add_kms: bool,\n}\n'),
            ("cli.rb", "class Run < Thor\n  class_option :add_kms,\n               desc: 'x'\nend\n"),
            ("run.rb", "class Run < Thor\n  class_option :add_kms, desc: 'x'\nend\n"),
        )
    ),
    Case(
        "flag of two words, declared without dashes",
        *one(
            "<?php\n$x = [new InputOption('with-all', null, 1, 'All')];\n",
            "with-all",
            "with-every",
            page("* **--with-all:** All."),
            found(3, "renamed", "--with-all"),
            path="Run.php",
        ),
    ),
    Case(
        "flag of two words in a structure of one's own",
        *one(
            'var f = Flag{\n\tName: "all-spaces",\n}\n',
            "all-spaces",
            "every-space",
            page("Use `--all-spaces`."),
            found(3, "renamed", "--all-spaces"),
            path="flags.go",
        ),
    ),
    Case(
        "flag that every parser adds",
        *one('parser.add_argument("--version", action="x")\n', "parser", "x = 1  #", page("Run `app --version`.")),
    ),
    Case(
        "camel-case flag of an option's key",
        *one(
            "export interface Options {\n  outputJson?: string\n}\n",
            "outputJson",
            "json",
            page("Use `--outputJson main.json`."),
            found(3, "renamed", "--outputJson"),
            path="cli.ts",
        ),
    ),
    Case(
        "name in a file that reads flags, which stands elsewhere",
        {
            "a.js": "const parser = 1;\nmatch('toMatch');\n",
            "b.js": "export const toMatch = 1;\n",
            "a.md": page("`toMatch()`"),
        },
        {"a.js": "const parser = 1;\n"},
    ),
    Case(
        "name that the code puts together now",
        *one(
            'KINDS = {"ec2_sd_configs": 1}\n',
            '{"ec2_sd_configs": 1}',
            '"ec2" + "_sd_configs"',
            page("Set `ec2_sd_configs`."),
        ),
    ),
    Case(
        "key of a literal in the reader's code, which was a string of ours",
        *one(
            'x = {"textAlign": 1}\n', '"textAlign": 1', "", page("```js", "{ textAlign: 'center' }", "```"), path="a.js"
        ),
    ),
    Case(
        "flag that only another subcommand still has",
        COMMANDS,
        WITHOUT,
        [found(9, "argument", "--all"), found(11, "argument", "--all")],
    ),
    Case(
        "flag that a helper may give to the command",
        {**COMMANDS, "cmd/filter.go": 'func add(c *C) { c.Flags().BoolVar(&a, "all", false, "x") }\n'},
        WITHOUT,
    ),
    Case(
        "flag that moved to the base of all commands",
        COMMANDS,
        {**WITHOUT, "root.go": 'func init() { root.PersistentFlags().BoolVar(&a, "all", false, "x") }\n'},
    ),
]

PARSERS = {
    "argparse": (
        "p = argparse.ArgumentParser(prog='kite')\ns = p.add_subparsers()\n"
        "b = s.add_parser('build')\nb.add_argument('--all', action='store_true')\n"
        "b.add_argument('-j', '--jobs')\nb.add_argument('--out')\n"
        "c = s.add_parser('list')\nc.add_argument('--all', action='store_true')\n",
        ("b.add_argument('--all', action='store_true')\n", "b.add_argument('-j', '--jobs')\n"),
        ("b.add_argument('--out')", "b.add_argument('--out', required=True)"),
    ),
    "click": (
        "import click\n\n@click.group()\ndef kite(): ...\n\n@kite.command()\n@click.option('--all', is_flag=True)\n"
        "@click.option('--jobs', '-j')\n@click.option('--out')\ndef build(all, jobs, out): ...\n\n"
        "@kite.command('list')\n@click.option('--all')\ndef list_all(all): ...\n",
        ("@click.option('--all', is_flag=True)\n", "@click.option('--jobs', '-j')\n"),
        ("@click.option('--out')", "@click.option('--out', required=True)"),
    ),
}
BUILDING = page(
    "```sh",
    "kite build --all",
    "kite list --all",
    "kite build",
    "kite build \\",
    "  --out x",
    "kite build -h",
    "kite build -j4",
    "kite build <options>",
    "```",
    "Run `kite list --all` or `kite build --all`, not `kite build`.",
)
PYPROJECT = '[project]\nname = "kite"\n'


@pytest.mark.parametrize("library", PARSERS)
def test_survey_finds_flags_that_one_command_of_a_file_no_longer_takes(tmp_path: Path, library: str) -> None:
    code, removed, _ = PARSERS[library]
    root = make(tmp_path / "repo", {"pyproject.toml": PYPROJECT, "cli.py": code, "a.md": BUILDING})
    for line in removed:
        code = code.replace(line, "", 1)
    put(root, {"cli.py": code})
    assert short(look(root).doubts) == [
        found(4, "argument", "--all"),
        found(10, "argument", "-j"),
        found(13, "argument", "--all"),
    ]


@pytest.mark.parametrize("library", PARSERS)
def test_survey_finds_commands_without_a_flag_that_became_required(tmp_path: Path, library: str) -> None:
    code, _, (old, new) = PARSERS[library]
    root = make(tmp_path / "repo", {"pyproject.toml": PYPROJECT, "cli.py": code, "a.md": BUILDING})
    put(root, {"cli.py": code.replace(old, new)})
    assert short(look(root).doubts) == [found(line, "argument", "build") for line in (4, 6, 10)]


GIVEN_BY_OTHERS = {
    "a function that gets the parser": ("argparse", "share(b)\n"),
    "a loop over parsers": ("argparse", "for one in (b, c):\n    one.add_argument('--all')\n"),
    "the program": ("argparse", "p.add_argument('--all')\np.add_argument('-j')\n"),
}


@pytest.mark.parametrize("name", GIVEN_BY_OTHERS)
def test_survey_leaves_flags_alone_that_something_else_may_add(tmp_path: Path, name: str) -> None:
    library, other = GIVEN_BY_OTHERS[name]
    code, removed, _ = PARSERS[library]
    root = make(tmp_path / "repo", {"pyproject.toml": PYPROJECT, "cli.py": code, "a.md": BUILDING})
    for line in removed:
        code = code.replace(line, "", 1)
    put(root, {"cli.py": code + other})
    assert "--all" not in [one.written for one in look(root).doubts]


PATHS = [
    Case(
        "moved file",
        {"src/net.py": CONNECT, "a.md": page("See `src/net.py`.")},
        {"src/net.py": None, "src/wire.py": CONNECT},
        [found(3, "path-removed", "src/net.py")],
    ),
    Case(
        "link relative to the document, and a leading slash",
        {"docs/img/a.png": "x", "docs/a/b.md": page("![x](../img/a.png)", "![x](/img/a.png)")},
        {"docs/img/a.png": None},
        [
            found(3, "path-removed", "../img/a.png", "docs/a/b.md"),
            found(4, "path-removed", "/img/a.png", "docs/a/b.md"),
        ],
    ),
    Case(
        "folder",
        {"old/a.py": "x = 1\n", "old/sub/b.py": "y = 2\n", "a.md": page("It is in `old/sub/`.")},
        {"old/a.py": None, "old/sub/b.py": None, "new/a.py": "x = 1\n", "new/sub/b.py": "y = 2\n"},
        [found(3, "path-removed", "old/sub/")],
    ),
    Case(
        "tree of folders",
        {
            "src/net.py": CONNECT,
            "src/b.py": "x\n",
            "a.md": page("```", "app/", "├── src/", "│   ├── b.py", "│   └── net.py", "```"),
        },
        {"src/net.py": None},
        [found(7, "path-removed", "net.py")],
    ),
    Case(
        "frontmatter",
        {"img/a.png": "x", "b/a.md": "---\nimage: /img/a.png\n---\n# A\n"},
        {"img/a.png": None},
        [found(2, "path-removed", "/img/a.png", "b/a.md")],
    ),
    Case(
        "alias of a folder, as bundlers have it",
        {"docs/shared/card.mdx": "x\n", "docs/a.mdx": "import Card from '@site/shared/card.mdx';\n\n# A\n"},
        {"docs/shared/card.mdx": None},
        [found(1, "path-removed", "@site/shared/card.mdx", "docs/a.mdx")],
    ),
    Case(
        "file of the reader with the same name",
        {"examples/main.py": CONNECT, "a.md": page("Create `main.py`.")},
        {"examples/main.py": None},
    ),
    Case(
        "another file that the path may mean",
        {"a/src/net.py": CONNECT, "b/src/net.py": CONNECT, "a.md": page("See `src/net.py`.")},
        {"a/src/net.py": None},
    ),
]

PAIRS = page("`waitTime` is 8000.", "`maxBody` is 100.", "`maxBody` is 8000.", "The `conf` has 100 users.")
PAIRS_ON_ONE_LINE = [
    ("a.js", "export const conf = {{ maxBody: {}, waitTime: {} }};\n"),
    ("b.js", "connect({{ maxBody: {}, waitTime: {} }})\n"),
    ("a.ts", "  maxBody: {}, waitTime: {},\n"),
    ("a.go", "var conf = Conf{{maxBody: {}, waitTime: {}}}\n"),
    ("a.json", '{{"conf": {{"maxBody": {}, "waitTime": {}}}}}\n'),
    ("a.py", 'conf = {{"maxBody": {}, "waitTime": {}}}\n'),
    ("b.py", "conf = Conf(maxBody={}, waitTime={})\n"),
    ("c.py", "def run(maxBody: int | None = {}, waitTime: int = {}): ...\n"),
]
VALUES = [
    *(
        Case(
            f"pairs on one line of {path}",
            {path: code.format(100, 8000), "a.md": PAIRS},
            {path: code.format(200, 9000)},
            [found(3, "value", "8000"), found(4, "value", "100")],
        )
        for path, code in PAIRS_ON_ONE_LINE
    ),
    Case(
        "number of a constant, beside its name",
        *one(
            "MAX_SIZE = 100\n",
            "100",
            "200",
            page("Nothing is larger than `MAX_SIZE`, which is 100."),
            found(3, "value", "100"),
        ),
    ),
    Case(
        "number in words, by all words of the name",
        *one(
            "DEFAULT_TIMEOUT = 5\n", "5", "10", page("The default timeout is five seconds."), found(3, "value", "five")
        ),
    ),
    Case(
        "default in words, under the name that documents have for it",
        *one(
            "def run(request_timeout: int = 5): ...\n",
            "5",
            "10",
            page("`--request-timeout` is five seconds."),
            found(3, "value", "five"),
        ),
    ),
    Case(
        "default of a parameter by its documented name",
        *one(
            "def get(url, timeout=5.0): ...\n", "5.0", "10.0", page("`timeout` is 5 seconds."), found(3, "value", "5")
        ),
    ),
    Case(
        "flag's default by its mechanical spelling",
        *one("def run(max_jobs: int = 4): ...\n", "4", "8", page("`--max-jobs` is 4."), found(3, "value", "4")),
    ),
    Case(
        "reference entry by its heading",
        *one("page_size = 20\n", "20", "50", page("## page_size", "", "Default: `20`"), found(5, "value", "20")),
    ),
    Case(
        "reference entry by its first cell",
        *one(
            "verify = True\n",
            "True",
            "False",
            page("| name | default |", "|---|---|", "| `verify` | `true` |"),
            found(5, "value", "true"),
        ),
    ),
    Case(
        "text in a reference entry",
        *one('level = "info"\n', "info", "warning", page("`level` defaults to `info`."), found(3, "value", "info")),
    ),
    Case(
        "argparse default behind its flag",
        *one(ARGPARSE, "default=4", "default=8", page("`--workers` is 4 by default."), found(3, "value", "4")),
    ),
    Case(
        "default in a signature of a directive",
        {"app.py": CONNECT, "a.rst": "A\n=\n\n.. function:: connect(host, timeout=30)\n"},
        {"app.py": CONNECT.replace("30", "60")},
        [found(4, "value", "30", "a.rst")],
    ),
    Case(
        "required version of a manifest, in words",
        *one(
            'rust-version = "1.66"\n',
            "1.66",
            "1.70",
            page("It requires Rust version 1.66."),
            found(3, "value", "1.66"),
            path="Cargo.toml",
        ),
    ),
    Case(
        "default below the name of the item",
        *one(
            "page_size = 20\n",
            "20",
            "50",
            page("- `page_size`", "", "  How many there are. Default: `20`"),
            found(5, "value", "20"),
        ),
    ),
    Case(
        "default in pasted help",
        *one(
            ARGPARSE,
            "default=4",
            "default=8",
            page("```", "--workers N", "    How many (default: 4)", "```"),
            found(5, "value", "4"),
        ),
    ),
    Case(
        "default in a reference of settings",
        *one(
            "maxRetries = 10\n",
            "10",
            "3",
            page("```yaml", "[ max_retries: <int> | default = 10 ]", "```"),
            found(4, "value", "10"),
        ),
    ),
    Case(
        "entry with the name of the section before it",
        *one(
            "OPTIONS = dict(\n    redis=dict(\n        max_wait=Option(5.0),\n    ),\n)\n",
            "5.0",
            "7.0",
            page("## redis_max_wait", "", "Default: 5.0 seconds."),
            found(5, "value", "5.0"),
        ),
    ),
    Case(
        "entry with another section before it",
        *one(
            "OPTIONS = dict(\n    redis=dict(\n        max_wait=Option(5.0),\n    ),\n)\n",
            "5.0",
            "7.0",
            page("## mongo_max_wait", "", "Default: 5.0 seconds."),
        ),
    ),
    Case(
        "fallback of an option",
        *one(
            "const size = maxBody ?? 1e6;\n",
            "1e6",
            "2e6",
            page("## maxBody", "", "Default: `1e6`"),
            found(5, "value", "1e6"),
            path="app.js",
        ),
    ),
    Case(
        "value behind its name in a call",
        *one(
            "ini_set('memory_limit', '512M');\n",
            "512M",
            "1G",
            page("`memory_limit` is `512M`."),
            found(3, "value", "512M"),
            path="app.php",
        ),
    ),
    Case(
        "default by the name of its flag",
        *one(
            'const defaultDBRepository = "example.org/db"\n',
            "example.org/db",
            "example.org/db:2",
            page("```", '--db-repository string   where from (default "example.org/db")', "```"),
            found(4, "value", "example.org/db"),
            path="a.go",
        ),
    ),
    Case(
        "value behind a symbol of Ruby",
        *one(
            "set_if_empty :git_wait, 3\n",
            "3",
            "7",
            page("- `:git_wait`", "  - **default:** `3`"),
            found(4, "value", "3"),
            path="a.rb",
        ),
    ),
    Case(
        "seconds in minutes",
        *one(
            "SESSION_TTL = 300\n",
            "300",
            "600",
            page("`SESSION_TTL` is five minutes."),
            found(3, "value", "five minutes"),
        ),
    ),
    Case(
        "milliseconds in seconds",
        *one(
            "const POLL_MS = 5_000;\n",
            "5_000",
            "9_000",
            page("`POLL_MS`: every 5 seconds."),
            found(3, "value", "5 seconds"),
            path="app.js",
        ),
    ),
    Case(
        "bytes in megabytes",
        *one("MAX_BODY = 10 * 1024 * 1024\n", "10 *", "20 *", page("`MAX_BODY` is 10 MB."), found(3, "value", "10 MB")),
    ),
    Case(
        "shifted bytes",
        *one(
            "const maxBody = 1 << 20\n",
            "20",
            "21",
            page("`maxBody` is 1 MiB."),
            found(3, "value", "1 MiB"),
            path="a.go",
        ),
    ),
    Case(
        "duration of a language with units",
        *one(
            "const IdleTimeout = 30 * time.Second\n",
            "30",
            "60",
            page("The idle timeout is 30s."),
            found(3, "value", "30s"),
            path="a.go",
        ),
    ),
    Case(
        "duration made by a call",
        *one(
            "const IDLE_TIMEOUT: Duration = Duration::from_secs(5);\n",
            "5",
            "9",
            page("`IDLE_TIMEOUT` is five seconds."),
            found(3, "value", "five"),
            path="a.rs",
        ),
    ),
    Case(
        "default that is one of the allowed values, with the new one beside it",
        *one(
            'mode = "auto"\n',
            "auto",
            "dist",
            page("`mode` defaults to `auto`; `source` and `dist` are possible."),
            found(3, "value", "auto"),
        ),
    ),
    *(
        Case(
            f"value that is stated: {text}", *one("MAX_RETRIES = 3\n", "3", "5", page(text), found(3, "value", written))
        )
        for text, written in (
            ("`MAX_RETRIES` is 3.", "3"),
            ("`MAX_RETRIES` = 3", "3"),
            ("Max retries: three", "three"),
            ("| `n` | Max retries. Current: `3`. |", "3"),
            ("`MAX_RETRIES`, which is set to 3, counts them.", "3"),
            ("It has a max retries of 3.", "3"),
            ("The `max_retries` of `connect()` is 3.", "3"),
            ("It follows `max_retries` retries, 3 by default.", "3"),
            ("Call `connect(url, max_retries=3)`.", "3"),
            ("| Max retries | 3 |", "3"),
            ("| `MAX_RETRIES` | int | 3 | how often |", "3"),
        )
    ),
    *(
        Case(f"number that stands near the name: {text}", *one("MAX_RETRIES = 3\n", "3", "5", page(text)))
        for text in (
            "Step 3 sets `MAX_RETRIES`.",
            "See chapter 3 about `MAX_RETRIES`.",
            "See chapter 3 (`MAX_RETRIES`).",
            "Since version 3 there is `MAX_RETRIES`.",
            "Python 3 has `MAX_RETRIES`.",
            "`MAX_RETRIES` is at line 3.",
            "Among the 3 settings, `MAX_RETRIES` is new.",
            "There are 3 kinds of errors for which max retries does not apply.",
            "For example, `acme run --max-retries 3`.",
            "For example, `acme run --max-retries=3`.",
            "Call `connect(max_retries=3)`.",
            "`connect('a', max_retries=3)` tries again.",
            "Write `client.max_retries(3)`.",
            "| `MAX_RETRIES` | see chapter 3 |",
        )
    ),
    *(
        Case(f"unit that the code does not have: {text}", *one("REQUEST_TIMEOUT = 5\n", "5", "10", page(text)))
        for text in (
            "The request timeout is 5 minutes.",
            "The request timeout is 5 %.",
            "The request timeout is 5 ms by default.",
        )
    ),
    Case(
        "unit that the code has",
        *one("wait = minutes(5)  # minutes\n", "5", "10", page("`wait` is 5 minutes."), found(3, "value", "5")),
    ),
    *(
        Case(
            f"words of the name in the heading: {text}",
            *one("DEFAULT_TIMEOUT = 5\n", "5", "10", page(*text.split("/")), found(5, "value", written)),
        )
        for text, written in (
            ("## Default timeout//It is five seconds.", "five"),
            ("## Default timeout//Defaults to five seconds.", "five"),
            ("## The default timeout//It is 5 seconds.", "5"),
            ("## Default//The timeout is 5 seconds.", "5"),
            ("## Timeouts//The default is 5 seconds.", "5"),
        )
    ),
    Case(
        "words of the name in a heading of .rst",
        {"app.py": "DEFAULT_TIMEOUT = 5\n", "a.rst": "Page\n====\n\nDefault timeout\n---------------\n\nIt is 5 s.\n"},
        {"app.py": "DEFAULT_TIMEOUT = 10\n"},
        [found(7, "value", "5", "a.rst")],
    ),
    Case(
        "number below a heading with the words of the name",
        *one("DEFAULT_TIMEOUT = 5\n", "5", "10", page("## Default timeout", "", "There are 5 ways to set it.")),
    ),
    Case(
        "number below a heading with other words",
        *one("DEFAULT_TIMEOUT = 5\n", "5", "10", page("## Retries", "", "The default is 5.")),
    ),
    *(
        Case(f"text that is still allowed: {text}", *one(code, old, new, page(text)))
        for code, old, new, text in (
            ('LOG_LEVEL = "info"\n', "info", "warning", "Set `LOG_LEVEL` to `debug`, `info` or `error`."),
            ('LOG_LEVEL = "info"\n', "info", "warning", "`LOG_LEVEL` may be `info`."),
            ('LOG_LEVEL = "info"\n', "info", "warning", "| `LOG_LEVEL` | `debug`, `info` or `error` |"),
            ('def f(region="us-east-1"): ...\n', "us-east", "eu-west", "Set `region` to `us-east-1` or another."),
            ('{\n  mode: "fast_mode",\n}\n', "fast_mode", "slow_mode", "`fast_mode` needs memory."),
        )
    ),
    Case(
        "default text in a row",
        *one('LEVEL = "info"\n', "info", "error", page("| `LEVEL` | `info` | how much |"), found(3, "value", "info")),
    ),
    Case(
        "text that the code no longer allows",
        *one(
            'LEVELS = ["debug_level", "info_level"]\nLEVEL = "debug_level"\n',
            "debug_level",
            "info_level",
            page("Set it to `debug_level`."),
            found(3, "removed", "debug_level"),
        ),
    ),
    Case(
        "version in a name with underscores",
        *one('__version__ = "1.0.0"\n', "1.0", "1.1", page("`__version__` is `1.0.0`."), found(3, "value", "1.0.0")),
    ),
    Case(
        "member of one of two classes with the same value",
        {
            "app.py": "class A:\n    limit_size = 64\nclass B:\n    limit_size = 64\n",
            "a.md": page("`A.limit_size` is 64.", "`B.limit_size` is 64."),
        },
        {"app.py": "class A:\n    limit_size = 128\nclass B:\n    limit_size = 64\n"},
        [found(3, "value", "64")],
    ),
    *(
        Case(
            f"key with the name of its table: {path}",
            *one(
                code,
                "8000",
                "9000",
                page("`SERVER_PORT` is 8000.", "The server port is 8000.", "The server has 8000 users."),
                found(3, "value", "8000"),
                found(4, "value", "8000"),
                path=path,
            ),
        )
        for path, code in (
            ("app.yaml", "server:\n  port: 8000\n"),
            ("app.json", '{\n  "server": {\n    "port": 8000\n  }\n}\n'),
            ("app.toml", "[server]\nport = 8000\n"),
        )
    ),
    Case("other value in the same unit", *one("SESSION_TTL = 300\n", "300", "600", page("`SESSION_TTL`: 5 pages."))),
    Case(
        "number of a product that stays the same",
        *one("MAX_BODY = 10 * 1024\n", "10 * 1024", "10240", page("`MAX_BODY` is 10 KB.")),
    ),
    Case("value without the name", *one("MAX_SIZE = 100\n", "100", "200", page("There are 100 of them."))),
    Case("name without the value", *one("MAX_SIZE = 100\n", "100", "200", page("See `MAX_SIZE`."))),
    Case("sentence with the new value", *one("MAX_SIZE = 100\n", "100", "200", page("`MAX_SIZE` is 200, not 100."))),
    *(
        Case(
            f"signature in inline code: {text}",
            *one("def connect(url, wait=30, *, size=None): ...\n", "30", "60", page(text), found(3, "value", "30")),
        )
        for text in (
            "`connect(url, wait=30)`",
            "- `connect(wait=30)` opens it.",
            "The signature is `connect(url, wait=30, *, size=None)`.",
            "It is `net.connect(url, wait=30) -> int`.",
        )
    ),
    *(
        Case(
            f"example call in inline code: {text}",
            *one("def connect(url, wait=30, *, size=None): ...\n", "30", "60", page(text)),
        )
        for text in (
            "Call `connect(wait=30)`.",
            "Call `connect('a', wait=30)`.",
            "`connect('a', wait=30)` opens it.",
            "`connect(make_url(1), wait=30)` opens it.",
            "`retry(url, wait=30)` tries again.",
            "Write `conf.wait(30)`.",
        )
    ),
    Case("callable named as a whole", *one(CONNECT, "30", "60", page("`connect()` waits 30 seconds."))),
    Case("argument in an example call", *one(CONNECT, "30", "60", page("```python", "connect(1, timeout=30)", "```"))),
    Case(
        "another constant with the same value in the entry of this one",
        *one(
            "max_size = 7\nmin_length = 7\n",
            "max_size = 7",
            "max_size = 9",
            page("| name | about | default |", "|---|---|---|", "| `max-size` | above the min-length | `7` |"),
            found(5, "value", "7"),
        ),
    ),
    Case(
        "another constant with the same value may be meant",
        *one(
            "max_size = 100\nmax_size_total = 100\n",
            "max_size = 100",
            "max_size = 200",
            page("The max size total is 100."),
        ),
    ),
]

REQUIREMENTS = {
    "Python": ("pyproject.toml", '[project]\nrequires-python = ">=3.8"\n', "3.8", "3.10", "Python 3.8+"),
    "Node": ("package.json", '{\n  "engines": {\n    "node": ">=14"\n  }\n}\n', "14", "18", "Node.js >= 14"),
    "Node on one line": ("package.json", '{"engines": { "node": ">=18" }}\n', "18", "22", "Node 18 or newer"),
    **{
        f"Go: {bound}": ("go.mod", "module example.org/x\n\ngo 1.21\n", "1.21", "1.23", bound)
        for bound in (
            "Go 1.21 or newer",
            "Go 1.21 or later",
            "at least Go 1.21",
            "Go (version 1.21 or higher)",
            "Requires Go 1.21",
            "`Go 1.21`, or later",
        )
    },
    "Go": ("go.mod", "module example.org/x\n\ngo 1.21\n", "1.21", "1.23", "Go 1.21+"),
    "Rust": ("Cargo.toml", '[package]\nrust-version = "1.66"\n', "1.66", "1.70", "Rust 1.66+"),
    "PHP": ("composer.json", '{\n  "require": {\n    "php": "^7.4"\n  }\n}\n', "7.4", "8.1", "PHP ≥ 7.4"),
    "Ruby": (
        "x.gemspec",
        'Gem::Specification.new do |s|\n  s.required_ruby_version = ">= 2.7"\nend\n',
        "2.7",
        "3.0",
        "Ruby 2.7+",
    ),
}

CALLS = [
    Case(
        "keyword that is no longer taken",
        *one(
            "def get(url, cert=None, verify=True): ...\n\n\ndef other(cert): ...\n",
            "cert=None, ",
            "",
            page("```python", "get(1, cert=2)", "get(1)", "```"),
            found(4, "argument", "get"),
        ),
    ),
    *(
        Case(
            f"keyword that a {decorator} no longer takes",
            *one(
                f"class Net:\n    @{decorator}\n    def open_all(cls, url, cert=None): ...\n\n\ndef other(cert): ...\n",
                ", cert=None",
                "",
                page("Call `Net.open_all(1, cert=2)`."),
                found(3, "argument", "open_all"),
            ),
        )
        for decorator in ("classmethod", "abstractmethod")
    ),
    Case(
        "argument that became required",
        *one(
            "def get(url, key=None): ...\n",
            "key=None",
            "key",
            page("Call `get(1)`.", "Or `get(1, key=2)`."),
            found(3, "argument", "get"),
        ),
    ),
    Case(
        "another function of that name still takes it",
        {
            "a.py": "def get(url, cert=None): ...\n",
            "b.py": "class C:\n    def get(self, url, cert=None): ...\n",
            "a.md": page("Call `get(1, cert=2)`."),
        },
        {"a.py": "def get(url): ...\n"},
    ),
    Case(
        "decorated function",
        *one("@wraps(f)\ndef get(url, cert=None): ...\ncert = 1\n", ", cert=None", "", page("Call `get(1, cert=2)`.")),
    ),
]

MAKEFILE = "build:\n\tcc main.c\n\nlint: build\n\tcheck main.c\n\ntest-%:\n\trun $@\n"
PACKAGE = '{"name": "web-app", "scripts": {"docs:api": "x", "e2e": "y", "build": "z"}}\n'
TASKS = [
    Case(
        "target of a Makefile removed",
        *one(
            MAKEFILE,
            "lint: build\n\tcheck main.c\n",
            "",
            page(
                "Run `make lint` and `make build`.",
                "",
                "```sh",
                "make -j4 lint",
                "make test-lint",
                "```",
                "",
                "Make lint.",
            ),
            found(3, "removed", "lint"),
            found(6, "removed", "lint"),
            path="Makefile",
        ),
    ),
    Case(
        "target that another Makefile has",
        {"Makefile": MAKEFILE, "sub/rules.mk": "ALL = lint\n", "a.md": page("Run `make lint`.")},
        {"Makefile": "build:\n\tcc main.c\n"},
    ),
    Case(
        "target that a pattern makes",
        {"Makefile": "quickrun:\n\trun\n\nquick%:\n\trun $@\n", "a.md": page("Run `make quickrun`.")},
        {"Makefile": "quick%:\n\trun $@\n"},
    ),
    Case(
        "script of npm removed",
        *one(
            PACKAGE,
            '"docs:api": "x", "e2e": "y", ',
            "",
            page(
                "Run `npm run e2e`, `yarn docs:api`.", "", "`yarn e2e` may be a program.", "", "`npm run build` builds."
            ),
            found(3, "removed", "docs:api"),
            found(3, "removed", "e2e"),
            path="package.json",
        ),
    ),
    Case(
        "recipe of just and task of rake removed",
        {
            "justfile": "fmt:\n  x\n\nship target:\n  y\n",
            "Rakefile": "task :tidy do\nend\n",
            "a.md": page("`just ship prod`, then `rake tidy`.", "", "`just fmt`"),
        },
        {"justfile": "fmt:\n  x\n", "Rakefile": "task :spec do\nend\n"},
        [found(3, "removed", "ship"), found(3, "removed", "tidy")],
    ),
]

JAVA = "src/main/java/org/kite/core/Http.java"
HIDDEN = [
    Case(
        "section about what is deprecated",
        *one(
            ARGPARSE,
            "--workers",
            "--threads",
            page("## Deprecated options", "", "`--workers` sets it.", "", "## Removed", "", "`--workers` set it."),
            found(5, "renamed", "--workers"),
        ),
    ),
    Case(
        "name between the braces of an import",
        {
            "package.json": '{"name": "webapp"}\n',
            "index.ts": "export interface PageLoader {}\n",
            "a.md": page(
                "```ts", "import {PageLoader} from 'webapp';", "const {PageLoader} = require('webapp');", "```"
            ),
        },
        {"index.ts": "export interface Other {}\n"},
        [found(4, "removed", "PageLoader"), found(5, "removed", "PageLoader")],
    ),
    Case(
        "name that a block imports from a package of ours in Java",
        {
            JAVA: "class HttpLoader {}\n",
            "src/main/java/org/kite/core/Other.java": "class Other {}\n",
            "a.md": page(
                "```java",
                "import org.kite.core.HttpLoader;",
                "import static org.kite.core.HttpLoader.load;",
                "import org.other.HttpLoader;",
                "```",
            ),
            "b.md": page("```java", "import org.kite.core.HttpLoader;", "HttpLoader.load();", "```"),
        },
        {JAVA: "class Http {}\n"},
        [found(4, "renamed", "HttpLoader", "b.md"), found(5, "renamed", "HttpLoader", "b.md")],
    ),
    Case(
        "entry of a schema",
        *one(
            "load({\n  properties: {\n    deadLetterConfig: {\n      type: 'x' },\n  },\n});\n",
            "    deadLetterConfig: {\n      type: 'x' },\n",
            "",
            page("```yaml", "deadLetterConfig: x", "```"),
            found(4, "removed", "deadLetterConfig"),
            path="index.js",
        ),
    ),
    Case(
        "variable that a script takes from outside",
        *one(
            'echo "${APP_TMUX_PANE:-1}"\n',
            'echo "${APP_TMUX_PANE:-1}"',
            "echo 1",
            page("Set `APP_TMUX_PANE`."),
            found(3, "removed", "APP_TMUX_PANE"),
            path="run.sh",
        ),
    ),
    Case(
        "flag in a list of its own",
        *one(
            'class Workers(Setting):\n    cli = ["--worker-count"]\n',
            '    cli = ["--worker-count"]',
            "    cli = None",
            page("Use `--worker-count`."),
            found(3, "removed", "--worker-count"),
        ),
    ),
    Case(
        "flag that only a message writes with its dashes",
        {
            "a.swift": 'let option = Descriptor(\n    argumentName: "typelines",\n)\n',
            "b.swift": 'func help() {\n    print("--typelines is one")\n}\n',
            "a.md": page("Use `--typelines`."),
        },
        {
            "a.swift": 'let option = Descriptor(\n    argumentName: "other",\n)\n',
            "b.swift": 'func help() {\n    print("--other is one")\n}\n',
        },
        [found(3, "renamed", "--typelines")],
    ),
    Case(
        "part of a project",
        {
            "settings.gradle": "include 'app-core'\ninclude 'app-extra'\n",
            "package.json": '{\n  "name": "@x/old-reporter",\n  "dependencies": {"some-dep": "^1.0.0"}\n}\n',
            "a.md": page("- `app-extra`", "- `old-reporter`", "- `some-dep`"),
        },
        {"settings.gradle": "include 'app-core'\n", "package.json": '{\n  "name": "reporter"\n}\n'},
        [found(3, "removed", "app-extra"), found(4, "removed", "old-reporter")],
    ),
]

SILENT = [
    Case(
        "name in the path of a figure",
        {"a.py": 'x = ["filters.outlier_two"]\n', "a.rst": "A\n=\n\n.. figure:: filters.outlier_two.img1.png\n"},
        {"a.py": "x = 1\n"},
    ),
    Case(
        "name of a folder of tests with a space",
        *one("let managerAge = 1\n", "managerAge", "x", page("`managerAge`"), path="Kite Tests/TestHelper.swift"),
    ),
    Case(
        "variable of C++ that is made with a value",
        *one(
            "void f() {\n    Cloud::Ptr cloud_ground(new Cloud);\n}\n",
            "cloud_ground",
            "x",
            page("```cpp", "filter(*cloud_ground);", "```"),
            path="a.cpp",
        ),
    ),
    Case(
        "variable of a block of Java, with its type",
        {
            JAVA: "class Http {\n    private int pageCount;\n}\n",
            "a.md": page("```java", "Page pageCount =", "    load(1);", "show(", "    pageCount, 1);", "```"),
        },
        {JAVA: "class Http {\n}\n"},
    ),
    *(
        Case(
            f"name that the reader's own {what} has",
            {"app.py": CLIENT.replace("self, ", ""), "a.md": page(*text)},
            {"app.py": CLIENT.replace("fetch_page(self, ", "load_page(")},
        )
        for what, text in (
            ("function", ("```python", "def fetch_page(url):", "    return url", "", 'print(fetch_page("x"))', "```")),
            ("class", ("```python", "class fetch_page:", "    pass", "", "one = fetch_page()", "```")),
            (
                "function of JavaScript",
                ("```js", "function fetch_page(u) {", "  return 1;", "}", "fetch_page(1)", "```"),
            ),
            ("constant of JavaScript", ("```js", "const fetch_page = (u) => 1;", 'fetch_page("x")', "```")),
            ("file", ("Create a file `fetch_page.py`, and run `python fetch_page.py`.",)),
            ("file in a block", ("```sh", "python fetch_page.py", "```")),
        )
    ),
    *(
        Case(
            f"title in {path}",
            {"app.py": CLIENT, path: "# Summary\n\n- Guide\n  - [fetch_page](fetch.md)\n", "docs/fetch.md": "# x\n"},
            {"app.py": CLIENT.replace("fetch_page", "load_page")},
        )
        for path in ("docs/SUMMARY.md", "docs/_sidebar.md")
    ),
    Case(
        "method of another object with an ordinary name",
        *one(
            "class Group:\n    def add(self, key, value, ttl): ...\n",
            ", ttl",
            "",
            page("```python", "cache.add(1, 2, 3)", "```"),
        ),
    ),
    Case(
        "string that is another name",
        *one(
            'f("no-pip", "no-tools")\ng("no-tools")\n',
            '"no-pip", "no-tools"',
            '"no-pip", "tools"',
            page("Set `no-pip` and `no-tools`."),
        ),
    ),
    Case(
        "inline call that does not use the removed argument",
        *one(
            "def get(url, cert=None): ...\ncert = 1\n",
            ", cert=None",
            "",
            page("Call `get(url)` or `get()`.", "", "Call `get(url, cert=1)`."),
            found(5, "argument", "get"),
        ),
    ),
    Case(
        "dots in place of the arguments of a call",
        *one(
            "def get(url, *, cert=None): ...\ncert = 1\n",
            "url, *, cert=None",
            "*, cert=None",
            page("Call `get(..., cert=1)` or `get(*args)`.", "", "Call `get(url)`."),
            found(5, "argument", "get"),
        ),
    ),
    Case(
        "moved class that is re-exported",
        {
            "pkg/__init__.py": "from pkg.a import Client\n",
            "pkg/a.py": CLIENT,
            "pkg/b.py": "",
            "a.md": page("Use `pkg.Client`."),
        },
        {"pkg/__init__.py": "from pkg.b import Client\n", "pkg/a.py": "", "pkg/b.py": CLIENT},
    ),
    Case(
        "added field",
        *one(CLIENT, "max_size = 5\n", "max_size = 5\n    min_size = 1\n", page("A `Client` has `max_size` (5).")),
    ),
    Case(
        "changed help text",
        *one('option("--workers", help="How many")\n', "How many", "How many of them", page("`--workers`: How many")),
    ),
    Case(
        "new optional parameter",
        *one(CONNECT, "timeout=30", "timeout=30, proxy=None", page("Call `connect(host, timeout=30)`.")),
    ),
    Case("positional-only parameters", *one(CONNECT, "timeout=30", "/, timeout=30", page("Call `connect(host)`."))),
    Case("types only", *one(CONNECT, "timeout=30", "timeout: int = 30", page("Call `connect(timeout=30)`."))),
    Case("function body", *one(CONNECT, "return timeout", "return None", page("Call `connect()`."))),
]


RELOAD = "from app import load\n\n\ndef start(host, port):\n    return load(host, port)\n"
GEM = "task :output do |t|\n  puts 'x' if t.include?('publicAccess')\nend\n"
SWIFT = "/**\n Possible values include 'TableController'.\n*/\nstruct Scene {}\n"
WIDGET = "class Widget {\n  public void Attach(IWebHost host) {\n    host.Run();\n  }\n}\n"
PLUGIN = "package yandex\n\ntype DiskConfig struct {\n\tDiskName string\n}\n"
MODULE = "module example.com/packer\n\nrequire example.com/cobra v1.0.0\n"
WEAK = [
    Case(
        "variable that an example passes by its place",
        *one(
            "def connect(host, max_size): ...\n",
            "max_size",
            "limit",
            page(
                "Like `resize(img, max_size)`.",
                "Call `connect(host, max_size)`.",
                "Or `connect(1, max_size=2)`.",
                "Pass `max_size`.",
            ),
            *(found(line, "renamed", "max_size") for line in (4, 5, 6)),
        ),
    ),
    Case("ordinary word", *one(RELOAD, RELOAD, "x = 1\n", page("Pass `host` to it.", "The `host` is a machine."))),
    Case("string of one word", *one('KINDS = ["mysql", "sqlite"]\n', '"mysql", ', "", page("Install `mysql`."))),
    Case(
        "variable of every environment",
        *one(
            'import os\nx = os.environ["XDG_CONFIG_HOME"]\n', "XDG_CONFIG_HOME", "APP_HOME", page("`XDG_CONFIG_HOME`")
        ),
    ),
    Case("name of the language", *one("xrange = range\n", "xrange", "many", page("Use `xrange()`."))),
    Case(
        "private name",
        *one("class A:\n    _my_client = 1\n", "    _my_client = 1\n", "    pass\n", page("`_my_client`")),
    ),
    Case("string of a build script", *one(GEM, GEM, "x\n", page("Set `publicAccess`."), path="Rakefile")),
    Case("word of a comment", *one(SWIFT, "Table", "", page("Or `TableController`."), path="a.swift")),
    Case("type of a parameter", *one(WIDGET, "IWebHost", "object", page("Pass an `IWebHost`."), path="a.cs")),
    Case(
        "condition of a compiler",
        *one("#if NET8_0_OR_GREATER\n#endif\n", "NET8_0_OR_GREATER", "X", page("`NET8_0_OR_GREATER`"), path="a.cs"),
    ),
    Case(
        "test folder in camel case",
        *one("let greenApple = 1\n", "greenApple", "x", page("`greenApple`"), path="UnitTests/expected/a.swift"),
    ),
    Case(
        "part of a dotted project of tests",
        *one("public class TestStartup {}\n", "TestStartup", "X", page("`TestStartup`"), path="src/App.Tests.Web/a.cs"),
    ),
    Case(
        "playground",
        *one("let greenApple = 1\n", "greenApple", "x", page("`greenApple`"), path="App.playground/Pages/a.swift"),
    ),
    Case(
        "copied dependency",
        *one("func openDriver() {}\n", "openDriver", "x", page("`openDriver`"), path="Godeps/_workspace/src/a.go"),
    ),
    Case(
        "plugin that is a dependency now",
        {"builder/yandex/config.go": PLUGIN, "go.mod": MODULE, "a.md": page("Set `DiskName`.")},
        {"builder/yandex/config.go": None, "go.mod": MODULE + "require example.com/packer-plugin-yandex v1.0.0\n"},
    ),
    Case(
        "package that left with its manifest",
        {"src/web/a.py": CLIENT, "src/web/setup.py": "x = 1\n", "a.md": page("Use `fetch_page`.")},
        {"src/web/a.py": None, "src/web/setup.py": None},
    ),
    Case(
        "flag that comes from a field now",
        *one(
            ARGPARSE,
            'parser.add_argument("--workers", type=int, default=4)\n',
            "class Options:\n    workers = IntParameter(default=4)\n",
            page("Pass `--workers`."),
        ),
    ),
]
"""A name is gone, and the line may mean something else by it."""
CONFIG = 'create_config! {\n    max_width: usize, 100, "Maximum width";\n    wrap_arms: bool, true, "Wrap";\n}\n'
DOTTED = page(
    "Set `server.limit`.",
    "",
    "```toml",
    "[server]",
    "limit = 10",
    "```",
    "",
    "```yaml",
    "server:",
    "  limit: 10",
    "```",
    "",
    "Set a `limit`.",
    "",
    "```yaml",
    "client:",
    "  limit: 10",
    "```",
)
STRONG = [
    Case(
        "dotted string, with all of it and with a part of it",
        *one(
            'get("server.fs.strict")\n',
            "server.fs.strict",
            "server.port",
            page(
                "The setting `server.fs.strict` is on.",
                "",
                "A `strict` parser.",
                "```yaml",
                "server.fs.strict: on",
                "```",
            ),
            found(3, "removed", "server.fs.strict"),
            found(7, "removed", "server.fs.strict"),
        ),
    ),
    Case(
        "dotted string of which two words are gone",
        *one(
            'get("http.max_size")\n',
            "http.max_size",
            "web.max_bytes",
            page("Set `http.max_size`."),
            found(3, "removed", "http.max_size"),
        ),
    ),
    *(
        Case(
            f"plain key behind its table or within it: {path}",
            *one(
                code, "limit", "max_bytes", DOTTED, *(found(line, "renamed", "limit") for line in (3, 7, 12)), path=path
            ),
        )
        for path, code in (
            ("app.toml", "[server]\nlimit = 10\nport = 1\n"),
            ("app.yaml", "server:\n  limit: 10\n  port: 1\n"),
            ("app.json", '{\n  "server": {\n    "limit": 10,\n    "port": 1\n  }\n}\n'),
        )
    ),
    Case(
        "entry of a macro of Rust",
        *one(
            CONFIG,
            '    wrap_arms: bool, true, "Wrap";\n',
            "",
            page("`wrap_arms` wraps."),
            found(3, "removed", "wrap_arms"),
            path="src/config.rs",
        ),
    ),
    Case(
        "function of one word that is called",
        *one(
            "def start(host):\n    return host\n",
            "start",
            "x = 1\n\n\ndef begin_all",
            page("`app.start(host)`"),
            found(3, "removed", "start"),
        ),
    ),
    Case(
        "file of a plugin that is gone, without a dependency in its place",
        {"builder/yandex/config.go": PLUGIN, "go.mod": MODULE, "a.md": page("Set `DiskName`.")},
        {"builder/yandex/config.go": None},
        [found(3, "removed", "DiskName")],
    ),
    Case(
        "folder that ends like one of tests",
        *one(
            "public var allSchemes = 1\n", "allSchemes", "x", page("`allSchemes`"), path="Sources/ProjectSpec/a.swift"
        ),
    )._replace(doubts=[found(3, "removed", "allSchemes")]),
]


@pytest.mark.parametrize(
    "case",
    [*WEAK, *STRONG, *VANISHED, *SUBCOMMANDS, *PATHS, *VALUES, *CALLS, *TASKS, *HIDDEN, *SILENT],
    ids=lambda case: case.name,
)
def test_survey_finds_lines_that_a_change_makes_false(tmp_path: Path, case: Case) -> None:
    root = make(tmp_path / "repo", case.before)
    put(root, case.after)
    assert short(look(root).doubts) == list(case.doubts)


@pytest.mark.parametrize("library", FLAGS)
def test_survey_finds_renamed_flag(tmp_path: Path, library: str) -> None:
    path, code = FLAGS[library]
    root = make(
        tmp_path / "app",
        {path: code, "a.md": page("Use `--workers`.", "", "```sh", "app --workers 3", "```")},
    )
    put(root, {path: code.replace("workers", "threads")})
    assert [(line, written) for _, line, _, written in short(look(root).doubts)] == [(3, "--workers"), (6, "--workers")]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("go.mod", "module example.org/app\n"),
        ("main.go", 'var root = &cobra.Command{Use: "app"}\nvar c = &cobra.Command{Use: "serve"}\n'),
        ("src/main.rs", '#[command(version, name = "app")]\nstruct Args;\n'),
        ("src/cli.rs", 'let c = Command::new("app").arg(x);\n'),
        ("Cargo.toml", '[package]\nname = "app"\n'),
        ("package.json", '{"name": "x", "bin": {"app": "./x.js"}}\n'),
        ("pyproject.toml", '[project.scripts]\napp = "x.cli:main"\n'),
        ("cli.py", 'p = ArgumentParser(prog="app")\n'),
        ("x.js", 'program.name("app")\n'),
        ("b.py", "y = 1\n"),
    ],
)
def test_survey_knows_a_program_by_its_declaration(tmp_path: Path, path: str, text: str) -> None:
    """The last file declares none, so that the line runs a program of somebody else."""
    line = "app serve --workers 3"
    root = make(tmp_path / "repo", {"a.py": ARGPARSE, path: text, "a.md": page("```sh", line, "```", f"`{line}`")})
    put(root, {"a.py": ARGPARSE.replace("--workers", "--threads")})
    lines = [(line, written) for _, line, _, written in short(look(root).doubts)]
    assert lines == ([] if path == "b.py" else [(4, "--workers"), (6, "--workers")])


COMMANDS = {
    "cobra": ("main.go", 'var c = &cobra.Command{\n\tUse:   "fetch-all [url]",\n\tShort: "Fetch all",\n}\n'),
    "clap": (
        "main.rs",
        "#[derive(Subcommand)]\nenum Commands {\n    /// x\n    FetchAll { url: String },\n    Clean,\n}\n",
    ),
    "clap builder": ("main.rs", 'let a = x.subcommand(\n    Command::new("fetch-all").about("x"),\n);\n'),
    "argparse": ("cli.py", 'p = sub.add_parser("fetch-all", help="x")\n'),
    "click": ("cli.py", "@cli.command()\n@click.option('-v')\ndef fetch_all(url):\n    return url\n"),
    "click with a name": ("cli.py", '@cli.command("fetch-all")\ndef fetch(url):\n    return url\n'),
    "commander": ("cli.js", "program\n  .command('fetch-all <url>')\n  .action(run);\n"),
}


@pytest.mark.parametrize("library", COMMANDS)
def test_survey_finds_renamed_command(tmp_path: Path, library: str) -> None:
    path, code = COMMANDS[library]
    text = page("Run `app fetch-all x`.", "", "```sh", "$ app fetch-all", "```", "We fetch-all.")
    root = make(tmp_path / "app", {path: code, "a.md": text})
    new = code.replace("fetch-all", "pull-all").replace("FetchAll", "PullAll").replace("fetch_all", "pull_all")
    put(root, {path: new})
    doubts = look(root).doubts
    assert short(doubts) == [found(3, "renamed", "fetch-all"), found(6, "renamed", "fetch-all")]
    assert {doubt.message for doubt in doubts} <= {
        "The command `fetch-all` no longer exists: renamed to `pull-all`.",
        "`fetch-all` no longer exists: renamed to `pull-all`.",
    }
    put(root, {path: new, "alias" + path[path.index(".") :]: 'aliases("fetch-all")\n'})
    assert look(root).doubts == ()


@pytest.mark.parametrize("language", KEYS)
def test_survey_finds_renamed_key(tmp_path: Path, language: str) -> None:
    path, text = KEYS[language]
    root = make(
        tmp_path / "repo", {path: text, "a.md": page("`server.max_size` limits it.", f"```{language}", text, "```")}
    )
    put(root, {path: text.replace("max_size", "limit")})
    lines = [line for _, line, _, _ in short(look(root).doubts)]
    assert lines[0] == 3 and len(lines) == 2
    assert {doubt.written for doubt in look(root).doubts} == {"max_size"}


@pytest.mark.parametrize("language", REQUIREMENTS)
def test_survey_finds_raised_version_of_a_language(tmp_path: Path, language: str) -> None:
    path, text, old, new, bound = REQUIREMENTS[language]
    said = page(f"It needs {bound}.", "", f"It was written for {bound.rstrip('+')}.", "", f"It runs {old} times.")
    root = make(tmp_path / "repo", {path: text, "a.md": said})
    put(root, {path: text.replace(old, new)})
    assert short(look(root).doubts)[0] == found(3, "value", old)
    assert all(line in (3, 5) for _, line, _, _ in (*short(look(root).doubts), *short(look(root).mentions)))


def test_survey_notes_a_version_that_another_manifest_still_requires(tmp_path: Path) -> None:
    text = '[package]\nrust-version = "1.66"\n'
    root = make(tmp_path / "repo", {"a/Cargo.toml": text, "b/Cargo.toml": text, "a.md": page("It needs Rust 1.66+.")})
    put(root, {"a/Cargo.toml": text.replace("66", "70")})
    assert look(root).doubts == () and short(look(root).mentions) == [found(3, "changed", "1.66")]


def test_survey_finds_renamed_symbol_in_ten_places(tmp_path: Path) -> None:
    text = page(
        "`raise_for_status()` raises.",
        "Call raise_for_status() last.",
        "",
        "| name | what |",
        "|---|---|",
        "| `raise_for_status` | raises |",
        "| x | see `Response.raise_for_status` |",
        "",
        "- `response.raise_for_status()`",
        "- **raise_for_status**",
        "1. `.raise_for_status()`",
        "",
        "### raise_for_status",
        "",
        "```python",
        "r.raise_for_status()",
        "```",
        "",
        "> Don't forget `raise_for_status`.",
    )
    code = "class Response:\n    def raise_for_status(self):\n        return self\n"
    root = make(tmp_path / "repo", {"app.py": code, "a.md": text})
    put(root, {"app.py": code.replace("raise_for_status", "check_status")})
    doubts = look(root).doubts
    assert len(doubts) == text.count("raise_for_status") == 10
    assert len({doubt.cause for doubt in doubts}) == 1


def test_survey_leaves_rows_of_data_alone(tmp_path: Path) -> None:
    rows = {count: "".join(f'"row_{n}": {n + 100},\n' for n in range(count)) for count in (40, 60)}
    root = make(tmp_path / "repo", {"a.json": rows[40], "b.json": rows[60], "a.md": page("`row_7` is 107.")})
    put(root, {"b.json": rows[60].replace(": 1", ": 2"), "a.json": ""})
    assert look(root).doubts == ()
    put(root, {"a.json": rows[40].replace(": 1", ": 2")})
    assert short(look(root).doubts)[0] == found(3, "value", "107")


def test_survey_finds_constant_whose_value_occurs_twice_on_the_page(tmp_path: Path) -> None:
    text = page("`MAX_SIZE` is 100.", "", "A century has 100 years.")
    root = make(tmp_path / "repo", {"app.py": "MAX_SIZE = 100\n", "a.md": text})
    put(root, {"app.py": "MAX_SIZE = 200\n"})
    assert short(look(root).doubts) == [found(3, "value", "100")]


def test_survey_of_a_commit_that_touches_500_files(tmp_path: Path) -> None:
    files = {f"src/m{n}.py": f"def make_thing_{n}(x):\n    return {n}\n" for n in range(500)}
    root = make(tmp_path / "repo", {**files, "a.md": page(*(f"Call `make_thing_{n}()`." for n in range(0, 500, 100)))})
    commit(root, {path: text.replace("make_thing", "build_thing") for path, text in files.items()})
    assert [line for _, line, _, _ in short(look(root, "HEAD~..HEAD").doubts)] == [3, 4, 5, 6, 7]


def test_survey_asks_the_code_first_about_words_of_many_pages(tmp_path: Path) -> None:
    code = "def fetch_page(): ...\n\n\ndef load_page(): ...\n"
    pages = {f"p{n}.md": page("`fetch_page` or `load_page`.") for n in range(12)}
    root = make(tmp_path / "repo", {"app.py": code, "other.py": "load_page()\n", **pages})
    put(root, {"app.py": ""})
    assert {(doubt.document, doubt.written) for doubt in look(root).doubts} == {(name, "fetch_page") for name in pages}


def test_survey_of_a_merge_commit(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"app.py": CONNECT, "a.md": page("Call `connect()`.")})
    git(root, "checkout", "-qb", "work")
    commit(root, {"app.py": CONNECT.replace("connect", "dial")})
    git(root, "checkout", "-q", "main")
    commit(root, {"other.py": "x = 1\n"})
    git(root, "merge", "-q", "--no-ff", "-m", "merge", "work")
    assert short(look(root, "HEAD~..HEAD").doubts) == [found(3, "renamed", "connect")]


def test_survey_of_a_root_commit_has_nothing_to_compare(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"app.py": CONNECT, "a.md": page("Call `connect()`.")})
    found_here = survey_revisions(GitTrees(root), EMPTY_TREE, "HEAD")
    assert (found_here.doubts, found_here.changed) == ((), 2)


def test_survey_of_a_renamed_package(tmp_path: Path) -> None:
    before = {"oldpkg/__init__.py": "", "oldpkg/net.py": CONNECT, "oldpkg/b.py": "from oldpkg.net import connect\n"}
    text = page("```python", "from oldpkg.net import connect", "```", "It is in `oldpkg/net.py`.", "Call `connect()`.")
    root = make(tmp_path / "repo", {**before, "a.md": text})
    gone = dict.fromkeys(before)
    commit(root, {**gone, **{path.replace("old", "new"): text.replace("old", "new") for path, text in before.items()}})
    commit(root, {"newpkg/c.py": "x = 1\n"})
    assert {line for _, line, _, _ in short(look(root, "HEAD~2..HEAD").doubts)} == {4, 6}
    assert look(root, "HEAD~..HEAD").doubts == ()


def test_survey_of_a_renamed_package_in_which_a_default_and_an_import_changed(tmp_path: Path) -> None:
    before = {
        "oldpkg/__init__.py": "",
        "oldpkg/net.py": f"PORT = 8080\n{CONNECT}",
        "oldpkg/b.py": "import oldpkg.net\n",
    }
    root = make(tmp_path / "repo", {**before, "a.md": page("`PORT` is 8080.", "", "See `oldpkg/b.py`.")})
    commit(root, {path.replace("old", "new"): text.replace("old", "new") for path, text in before.items()})
    commit(root, {**dict.fromkeys(before), "newpkg/net.py": f"PORT = 9090\n{CONNECT}"})
    doubts = look(root, "HEAD~2..HEAD").doubts
    assert short(doubts) == [found(3, "value", "8080"), found(5, "path-removed", "oldpkg/b.py")]
    assert doubts[1].message == "The file `oldpkg/b.py` no longer exists: moved to `newpkg/b.py`."


def test_survey_reads_the_documents_of_the_revision_not_of_the_work_tree(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"app.py": CONNECT, "a.md": page("Call `connect()`.")})
    commit(root, {"app.py": CONNECT.replace("connect", "dial")})
    put(root, {"a.md": None, "b.py": CONNECT})
    assert short(look(root, "HEAD~..HEAD").doubts) == [found(3, "renamed", "connect")]


def test_survey_of_two_commits_and_of_the_point_where_branches_parted(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"app.py": CONNECT, "a.md": page("Call `connect()`.")})
    git(root, "checkout", "-qb", "work")
    commit(root, {"app.py": CONNECT.replace("connect", "dial")})
    git(root, "branch", "later")
    commit(root, {"app.py": CONNECT})
    assert len(look(root, "main..later").doubts) == 1
    assert look(root, "main...work").doubts == look(root, "main...").doubts == ()


def test_survey_of_documents_put_back_in_a_bare_repository(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"app.py": CONNECT, "a.md": page("Call `connect()`.")})
    commit(root, {"app.py": CONNECT.replace("connect", "dial"), "a.md": page("Call `dial()`.")})
    git(tmp_path, "clone", "-q", "--bare", str(root), "bare.git")
    trees, memory = GitTrees(tmp_path / "bare.git"), SurveyMemory()
    assert survey_revisions(trees, "HEAD~", "HEAD", memory=memory).doubts == ()
    put_back = survey_revisions(trees, "HEAD~", "HEAD", documents_from="HEAD~", memory=memory)
    assert short(put_back.doubts) == [found(3, "renamed", "connect")]


def test_survey_does_not_count_files_of_cairn_as_changed(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {".cairn/settings.json": "{}\n", "a.md": page("x")})
    put(root, {".cairn/settings.json": '{"a": 1}\n'})
    assert look(root).changed == 0


def test_survey_notes_what_a_sentence_names_without_proof(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"app.py": CONNECT, "a.md": page("`connect()` waits a while.")})
    put(root, {"app.py": CONNECT.replace("30", "60")})
    assert look(root).mentions == ()
    assert short(look(root, mentions=True).mentions) == [found(3, "changed", "connect")]


CHANGED = [
    ("SIZE_LIMIT", "a.py", "SIZE_LIMIT = 5\n", "SIZE_LIMIT = 9\n", "changed from `SIZE_LIMIT = 5` to `SIZE_LIMIT = 9`"),
    (
        "Pool",
        "a.py",
        "class Pool: ...\n",
        "class Pool(Base): ...\n",
        "changed from `class Pool` to `class Pool(Base)`",
    ),
    ("server", "a.toml", "[server]\nport = 1\n", "[server]\nport = 1\nhost = 2\n", "gained the key `host`"),
    ("server", "a.toml", "[server]\nport = 1\nhost = 2\n", "[server]\nport = 1\n", "lost the key `host`"),
    ("connect", "a.py", "def connect(a): ...\n", "def connect(a, b=1): ...\n", "gained the parameter `b`"),
]


@pytest.mark.parametrize(("name", "path", "old", "new", "did"), CHANGED)
def test_survey_states_what_changed(tmp_path: Path, name: str, path: str, old: str, new: str, did: str) -> None:
    root = make(tmp_path / "repo", {path: old, "a.md": page(f"See `{name}`.")})
    put(root, {path: new})
    assert [one.message for one in look(root, mentions=True).mentions] == [f"`{name}` {did}."]


def test_survey_notes_a_name_that_may_be_meant_otherwise(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"app.py": 'KINDS = ["mysql", "sqlite"]\n', "a.md": page("Install `mysql`.")})
    put(root, {"app.py": 'KINDS = ["sqlite"]\n'})
    noted = look(root)
    assert noted.doubts == () and short(noted.mentions) == [found(3, "changed", "mysql")]
    assert noted.mentions[0].fix == "Read the sentence: it may mean something else by this name."


@pytest.mark.parametrize("comment", ["# was fetch_page\n", "x = 1  # was fetch_page\n"])
@pytest.mark.parametrize("path", ["app.py", "other.py"])
def test_survey_notes_a_name_that_only_a_comment_still_has(tmp_path: Path, comment: str, path: str) -> None:
    root = make(tmp_path / "repo", {"app.py": CLIENT, "other.py": "y = 1\n", "a.md": page("Call `fetch_page()`.")})
    new = CLIENT.replace("fetch_page", "load_page")
    put(root, {"app.py": new, path: comment + (new if path == "app.py" else "")})
    noted = look(root)
    assert noted.doubts == () and short(noted.mentions) == [found(3, "changed", "fetch_page")]
    put(root, {"app.py": new, path: comment.replace("was fetch_page", "new") + (new if path == "app.py" else "")})
    assert short(look(root).doubts) == [found(3, "renamed", "fetch_page")]


def test_survey_notes_a_value_that_something_else_has_too(tmp_path: Path) -> None:
    code = "max_size = 100\nmax_size_total = 100\n"
    root = make(tmp_path / "repo", {"app.py": code, "a.md": page("The max size total is 100.")})
    put(root, {"app.py": code.replace("max_size = 100", "max_size = 200")})
    noted = look(root)
    assert noted.doubts == () and short(noted.mentions) == [found(3, "changed", "100")]
    assert noted.mentions[0].fix == "Read the sentence: something else has the old value too."


SOURCES = "---\nname: k\nsources:\n{}---\nText.\n"


def test_survey_finds_changed_and_removed_sources(tmp_path: Path) -> None:
    files = {
        "a.py": CONNECT + "\n\ndef other():\n    return 1\n",
        "k.md": SOURCES.format("  - path: a.py#connect\n"),
        "l.md": SOURCES.format("  - path: a.py#other\n"),
        "m.md": SOURCES.format("  - path: b.py\n"),
        "b.py": "x = 1\n",
    }
    root = make(tmp_path / "repo", files)
    put(root, {"a.py": files["a.py"].replace("print(host)", "print(host, 1)"), "b.py": None})
    messages = {(doubt.document, doubt.line): doubt.message for doubt in look(root).doubts}
    assert messages[("k.md", 4)] == "The source `a.py#connect` has changed."
    assert messages[("m.md", 4)] == "The source `b.py` no longer exists."
    assert ("l.md", 4) not in messages
