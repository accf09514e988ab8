"""Names whose place tells whose they are: a namespace, a generic type, a list of members, a package that moved."""

from pathlib import Path

import pytest

from repository import make, put
from surveyed import SurveyCase, found, look, one, page, short

COMPOSER = '{"name": "acme/lamp", "autoload": {"psr-4": {"Acme\\\\Lamp\\\\": "src/"}}}\n'
BULB = "<?php\nnamespace Acme\\Lamp;\n\nclass BulbSocket {}\n"
HOST = "public class HostBuilder<T> {}\npublic class LampHost {}\n"
PAGE_OF_PHP = page("```php", "use {}\\BulbSocket;", "", "$a = new BulbSocket();", "```")
POLICY = "class DimmingPolicy:\n    def set_level(self):\n        return 1\n"

SETUP = "setup(\n    extras_require={\n        'bright': ['a'],\n        'dim': ['b'],\n    },\n)\n"

OURS = [
    SurveyCase(
        "namespace of PHP that the manifest names",
        {"composer.json": COMPOSER, "src/BulbSocket.php": BULB, "a.md": PAGE_OF_PHP.replace("{}", "Acme\\Lamp")},
        {"src/BulbSocket.php": None, "src/Socket2.php": BULB.replace("BulbSocket", "Socket2")},
        [found(4, "removed", "BulbSocket"), found(6, "removed", "BulbSocket")],
    ),
    SurveyCase(
        "namespace of PHP of somebody else",
        {"composer.json": COMPOSER, "src/BulbSocket.php": BULB, "a.md": PAGE_OF_PHP.replace("{}", "Acme\\Other")},
        {"src/BulbSocket.php": None, "src/Socket2.php": BULB.replace("BulbSocket", "Socket2")},
    ),
    SurveyCase(
        "argument of a generic type",
        *one(
            HOST,
            "class LampHost",
            "class LampServer",
            page("```csharp", "var a = new HostBuilder<LampHost>();", "```"),
            found(4, "renamed", "LampHost"),
            path="src/Host.cs",
        ),
    ),
    SurveyCase(
        "placeholder of a path", *one(HOST, "LampHost", "LampServer", page("`/run/<LampHost>`"), path="Host.cs")
    ),
    SurveyCase(
        "member in a list of members",
        {
            "app.py": POLICY,
            "a.rst": "A\n=\n\n.. autoclass:: app.DimmingPolicy\n   :members:\n      other,\n      set_level\n",
        },
        {"app.py": POLICY.replace("set_level", "level")},
        [found(7, "renamed", "set_level", "a.rst")],
    ),
    SurveyCase(
        "public name that begins with an underscore",
        *one(
            "public static var _isDimmed = false\n",
            "_isDimmed",
            "isDimmed",
            page("Set `Lamp._isDimmed`."),
            found(3, "renamed", "_isDimmed"),
            path="Lamp.swift",
        ),
    ),
    SurveyCase(
        "name with a digit before its second word",
        *one("def md5Sum(x): ...\n", "md5Sum", "digest", page("It has md5Sum."), found(3, "removed", "md5Sum")),
    ),
    SurveyCase(
        "extra of a package that is installed",
        {"setup.py": SETUP, "lamp/__init__.py": "", "a.md": page("```sh", "pip install lamp[bright]", "```")},
        {"setup.py": SETUP.replace("        'bright': ['a'],\n", "")},
        [found(4, "removed", "bright")],
    ),
]

CONSTANTS = "export const one = 1;\nexport const two = 2;\nexport const three = 3;\n"
PACKAGE = {
    "core/package.json": '{\n  "name": "@acme/core"\n}\n',
    "core/src/dim.ts": f"{CONSTANTS}export class DimConfig {{}}\n",
    "core/src/lamp.ts": "export class LampConfig {}\n",
}
EDITED = PACKAGE["core/src/dim.ts"].replace("DimConfig", "Dimming")
MOVED = {
    "client/src/dim.ts": CONSTANTS,
    **dict.fromkeys(PACKAGE),
}

PACKAGES = [
    SurveyCase(
        "package whose files are in another one now",
        {**PACKAGE, "client/package.json": "{}\n", "a.md": page("Use `LampConfig`.")},
        MOVED,
        [found(3, "removed", "LampConfig")],
    ),
    SurveyCase(
        "file that moved to a new dependency of a part that stays",
        {**PACKAGE, "app/package.json": '{\n  "dependencies": {\n  }\n}\n', "a.md": page("Use `DimConfig`.")},
        {
            "core/src/dim.ts": None,
            "lights/dim.ts": EDITED,
            "app/package.json": '{\n  "dependencies": {\n    "acme-dim": "workspace:*"\n  }\n}\n',
        },
        [found(3, "removed", "DimConfig")],
    ),
    SurveyCase(
        "package that is gone as a whole",
        {**PACKAGE, "client/package.json": "{}\n", "a.md": page("Use `LampConfig`.")},
        dict.fromkeys(PACKAGE),
    ),
]

PREFIXES = [
    SurveyCase(
        f"name whose beginning the code only looks for: {line}",
        *one(
            f'PW = "LAMP_VAULT_PW"\n{line}\n',
            "LAMP_VAULT_PW",
            "x",
            page("Set `LAMP_VAULT_PW`."),
            found(3, "removed", "LAMP_VAULT_PW"),
        ),
    )
    for line in (
        'a = k.startswith("LAMP_VAULT_")',
        'a = strings.HasPrefix(k, "LAMP_VAULT_")',
        """say("remove all 'LAMP_VAULT_' variables")""",
    )
]

FIELD = "struct C {\n    #[clap(long)]\n    /// Dim\n    #[serde(skip)]\n    pub(crate) dim_all: bool,\n}\n"
LEXOPT = 'fn f() {\n    match arg {\n        Long("dim-all") => x!(),\n    }\n}\n'
COMPOSER_SCRIPTS = '{"scripts": {"lint-all": "phpcs", "install": "x"}}\n'
RUN = [
    SurveyCase(
        "script of Composer",
        {
            "composer.json": COMPOSER_SCRIPTS,
            "a.md": page("Run `composer lint-all`.", "Run `composer run-script lint-all`."),
        },
        {"composer.json": COMPOSER_SCRIPTS.replace("lint-all", "style")},
        [found(3, "renamed", "lint-all"), found(4, "renamed", "lint-all")],
    ),
    SurveyCase(
        "command that Composer has by itself",
        {"composer.json": COMPOSER_SCRIPTS, "a.md": page("Run `composer install`.")},
        {"composer.json": COMPOSER_SCRIPTS.replace(', "install": "x"', "")},
    ),
    SurveyCase(
        "script of npm that the page tells its reader to write",
        {
            "package.json": '{"scripts": {"docs:dev": "x"}}\n',
            "a.md": page("```json", '"docs:dev": "lamp docs"', "```", "", "Run `npm run docs:dev`."),
        },
        {"package.json": '{"scripts": {}}\n'},
    ),
    SurveyCase(
        "field with comments below the attribute that makes it a flag",
        {
            "src/args.rs": "#[clap(long)]\ndim_all: bool,\n",
            "src/config.rs": FIELD,
            "README.md": page("Use `--dim-all`."),
        },
        {"src/args.rs": "x: bool,\n"},
    ),
    SurveyCase(
        "sentence of a help text that begins like a program",
        {
            "lint/a.go": "package lint\n",
            "cmd/charts.go": 'var c = &cobra.Command{\n\tUse: "charts",\n}\n',
            "a.md": page("```", "lint     Lint charts from a file", "lint charts", "```"),
        },
        {"cmd/charts.go": 'var c = &cobra.Command{\n\tUse: "list",\n}\n'},
        [found(5, "renamed", "charts")],
    ),
    SurveyCase(
        "flag that a parser of Rust matches, while a help text goes",
        {
            "src/cli.rs": LEXOPT,
            "src/main.rs": "#[clap(long)]\ndim_all: bool,\n",
            "README.md": page("Use `--dim-all`."),
        },
        {"src/main.rs": "fn main() {}\n"},
    ),
]

SITE = {"apps/site/content/docs/a/b.mdx": "# A\n\n<include>../../examples/web/app/page.ts</include>\n"}
PATHS = [
    SurveyCase(
        "path that the program of a site reads from its own folder",
        {**SITE, "examples/web/app/page.ts": "x\n"},
        {"examples/web/app/page.ts": None},
        [found(3, "path-removed", "../../examples/web/app/page.ts", "apps/site/content/docs/a/b.mdx")],
    ),
    SurveyCase(
        "the same, where another folder still has it",
        {**SITE, "examples/web/app/page.ts": "x\n", "apps/examples/web/app/page.ts": "y\n"},
        {"examples/web/app/page.ts": None},
    ),
]


@pytest.mark.parametrize("case", [*OURS, *PACKAGES, *PREFIXES, *RUN, *PATHS], ids=lambda case: case.name)
def test_survey_finds_names_by_their_place(tmp_path: Path, case: SurveyCase) -> None:
    root = make(tmp_path / "repo", case.before)
    put(root, case.after)
    assert short(look(root).doubts) == list(case.doubts)


MINIMUM = '[package]\nrust-version = "1.66"\n'


@pytest.mark.parametrize(
    "text",
    [
        "The minimum supported Rust version (MSRV) of `lamp` is 1.66.",
        "Minimum Rust version: 1.66",
        "The Minimum Required Rust version for lamp is `1.66`.",
    ],
)
def test_survey_finds_a_minimum_version_in_words(tmp_path: Path, text: str) -> None:
    root = make(tmp_path / "repo", {"Cargo.toml": MINIMUM, "a.md": page(text)})
    put(root, {"Cargo.toml": MINIMUM.replace("66", "70")})
    assert short(look(root).doubts) == [found(3, "value", "1.66")]
