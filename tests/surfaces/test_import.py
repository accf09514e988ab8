"""`cairn import memory`: what agents were told to remember becomes candidates, once."""

import json
import os
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from cairn.app.build import build_app
from cairn.core.fingerprint import recall_mark
from cairn.curate.curate import CurateOptions
from cairn.curate.import_offer import import_memory
from cairn.curate.memory import look, places
from cairn.curate.run_journal import CurateState, FateStamp
from drawn_secrets import TOKENS
from program import cairn, fits_schema
from repository import git, make, put

TOKEN = TOKENS["github-token"](Random(7))
CLAUDE = """# Shop

See @docs/conventions.md and @docs/nothing.md, @outside/rules.md, @../secret.md.

## Code

- Use vitest, not jest.
- Never commit directly to `main`.
- Be concise in your answers.
- Sign uploads with the key TOKEN in `tools/upload`.
<private>
- Never mention Project Tulip in commits.
</private>

<!-- cairn:begin -->
- Always search with `cairn search` before writing code.
<!-- cairn:end -->
""".replace("TOKEN", TOKEN)
FILES = {
    ".cairn/settings.json": "{}",
    ".gitignore": ".cairn/*\n!.cairn/settings.json\nCLAUDE.local.md\n",
    ".kbignore": "legacy/\n",
    "CLAUDE.md": CLAUDE,
    "CLAUDE.local.md": "- Always use my own proxy at `proxy.local`.\n",
    "AGENTS.md": CLAUDE,
    "legacy/CLAUDE.md": "- Always use Subversion for the old shop.\n",
    "docs/conventions.md": "# Conventions\n\n- Name branches after the ticket.\n- @../CLAUDE.md\n",
    ".claude/memory/db.md": "---\ntype: feedback\n---\n- Never mock the database in integration tests.\n",
    ".claude/memory/me.md": "---\ntype: user\n---\n- Always greet Ada with her title.\n",
    ".cursor/rules/types.mdc": "---\nglobs: *.ts\n---\n- Prefer `unknown` over `any` in TypeScript.\n",
    "knowledge/practice/claude.md": "---\nname: claude\ndescription: A page.\n---\n## Deep Guidance\n\nWhat it is.\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = make(tmp_path / "w", FILES)
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "rules.md").write_text("- Never tell `anybody` about the vault.\n")
    (tmp_path / "secret.md").write_text("- Never tell `anybody` about the cellar.\n")
    (made / "outside").symlink_to(tmp_path / "secret")
    (made / "GEMINI.md").symlink_to(made / "CLAUDE.md")
    return made


def test_which_files_and_what_becomes_of_what_they_say(root: Path) -> None:
    ran = cairn("import", "memory", "--dry-run", "--json", cwd=root)
    planned = ran.json()
    fits_schema(planned, "import-memory")
    told = {one["file"]: (one["candidates"], one["skipped"], one["namedBy"]) for one in planned["files"]}
    assert told == {
        ".claude/memory/db.md": (1, None, None),
        ".claude/memory/me.md": (0, "it is about a person", None),
        ".cursor/rules/types.mdc": (1, None, None),
        "AGENTS.md": (1, None, None),
        "docs/conventions.md": (1, None, "AGENTS.md"),
        "CLAUDE.md": (0, "it says the same as AGENTS.md", "docs/conventions.md"),
        "legacy/CLAUDE.md": (0, ".kbignore names it", None),
    }
    assert {action["title"] for action in planned["actions"]} == {
        "db.md",
        "types.mdc",
        "Code",
        "Conventions (docs)",
    }
    [code] = [action["proposedNode"] for action in planned["actions"] if action["title"] == "Code"]
    assert code["body"].startswith("- Use vitest, not jest.\n- Never commit directly to `main`.\n- Be concise")
    assert not any(
        word in ran.out for word in ("Tulip", TOKEN[4:], TOKEN[4:].lower(), "vault", "cellar", "proxy", "cairn search")
    )
    assert not (root / ".cairn/curate").exists()


def test_the_cost_of_asking_a_reader_is_stated_before_it_is_asked(root: Path) -> None:
    cost = "other text for a reader: about "
    planned, asked = (cairn("import", "memory", option, cwd=root).err for option in ("--dry-run", "--yes"))
    tokens = int(planned.partition(cost)[2].split()[0].replace(",", ""))
    assert tokens > 1_500, "the instructions of the question are read, too"
    assert asked.index(cost) < asked.index("change request c-")
    assert cost not in cairn("import", "memory", "--yes", cwd=root).err, "nothing new is asked"


def test_once_and_again_when_a_file_changes(root: Path) -> None:
    first = cairn("import", "memory", "--yes", "--json", cwd=root).json()
    assert first["request"] and first["counts"]["add"] == 4
    asked = cairn("change", "show", first["request"], cwd=root).out
    assert "add 4 pages from documents" in asked and "What documents say, as pages." in asked
    again = cairn("import", "memory", "--yes", cwd=root)
    assert again.code == 0 and "unchanged since" in again.out and "waiting to be read" in again.err
    longer = CLAUDE.replace("Use vitest", "Follow PEP 8 in `tools/`.\n- Use vitest")
    put(root, {"AGENTS.md": longer, "CLAUDE.md": longer})
    more = cairn("import", "memory", "--yes", "--json", cwd=root).json()
    assert [(action["title"], action["action"]) for action in more["actions"]] == [("Code", "contradict")]
    assert cairn("change", "merge", first["request"], cwd=root).code == 0
    page = (root / "knowledge/practice/code.md").read_text()
    assert "AGENTS.md" in page and str(root) not in page and "alpha" in page
    seen = json.loads((root / ".cairn/curate/memory-ledger.json").read_text())["entries"]
    # The text of AGENTS.md that is no list still waits for a reader.
    assert (root / ".claude/memory/db.md").as_uri() in seen
    assert not {(root / name).as_uri() for name in ("AGENTS.md", "CLAUDE.md")} & set(seen)


def test_for_people_and_one_file_alone(root: Path) -> None:
    ran = cairn("import", "memory", "docs/conventions.md", "--apply", "--yes", cwd=root)
    assert ran.code == 0 and "Conventions (docs)" in ran.out and "named by docs/conventions.md" in ran.out
    written = git(root, "status", "--porcelain", "--untracked-files=all").splitlines()
    assert {line[3:] for line in written if "knowledge/" in line} == {
        "knowledge/practice/conventions-docs.md",
        "knowledge/practice/code.md",
    }


def test_what_a_person_keeps_at_home_is_shown_before_it_is_read(root: Path, tmp_path: Path) -> None:
    slug = "".join(letter if letter.isalnum() else "-" for letter in os.path.realpath(root))
    own = tmp_path / "home/.claude/projects" / slug / "memory/feedback.md"
    own.parent.mkdir(parents=True)
    own.write_text("- Always run `make check` before a release, because tags are final.\n")
    env = {"HOME": str(tmp_path / "home")}
    without = cairn("import", "memory", "--dry-run", cwd=root, **env)
    assert "make check" not in without.out
    asked = cairn("import", "memory", "--user", "--dry-run", cwd=root, **env)
    assert asked.code == 2 and str(own) in asked.err and "--yes" in asked.err and not asked.out
    done = cairn("import", "memory", "--user", "--yes", "--apply", "--json", cwd=root, **env).json()
    [action] = [one for one in done["actions"] if one["title"] == "feedback.md"]
    assert action["taint"] == "model" and action["candidateOrigin"].startswith("harness-memory:file:~/.claude/memory/")
    page = (root / action["place"]).read_text()
    assert "file:~/.claude/memory/feedback.md" in page and slug not in page


WRONG = [
    (("import", "memory"), 2, "--yes"),
    (("import", "memory", "nothing.md"), 5, "There is no file"),
    (("import", "base"), 5, "cairn bootstrap"),
]


@pytest.mark.parametrize(("arguments", "code", "words"), WRONG, ids=[" ".join(case[0]) for case in WRONG])
def test_bad_input(root: Path, arguments: tuple[str, ...], code: int, words: str) -> None:
    ran = cairn(*arguments, cwd=root)
    assert ran.code == code and words in ran.err


def test_what_cairn_told_an_agent_is_not_told_back(root: Path) -> None:
    rule = "Never commit directly to `main` of the shop, because a release is made of it."
    said = f"# Rules\n\n- {rule}\n\n{recall_mark(f'- {rule}')}\n\n- Use vitest, not jest.\n"
    put(root, {"GEMINI.txt": said})
    with closing(build_app(root, env=os.environ)) as app:
        [one] = look(app, places(app, [root / "GEMINI.txt"]))
    assert [candidate.body for candidate in one.candidates] == ["- Use vitest, not jest."]
    assert one.remarks == ("what Cairn said itself left out",)


def test_files_that_are_none(root: Path) -> None:
    put(root, {"AGENTS.md": "- Use vitest, not jest.\n" + "x" * 300_000, "CLAUDE.md": " \n"})
    (root / "tools").mkdir()
    (root / "tools" / "CLAUDE.md").write_bytes(b"\xff\xfe- Use `uv` instead of pip.\n\0\x1b[31m")
    with closing(build_app(root, env=os.environ)) as app:
        told = {one.place.path: one.skipped for one in look(app, places(app))}
    assert told["AGENTS.md"] == "it is larger than 256 kB" and told["CLAUDE.md"] == "it is empty"
    assert "GEMINI.md" not in told and told["tools/CLAUDE.md"] == "it is not text"
    named = cairn("import", "memory", "GEMINI.md", "--dry-run", cwd=root)
    assert named.code == 0 and "GEMINI.md" in named.out and "\x1b" not in named.out


def test_a_repository_without_any(tmp_path: Path) -> None:
    root = make(tmp_path / "w", {".cairn/settings.json": "{}"})
    ran = cairn("import", "memory", cwd=root)
    assert ran.code == 0 and "--user" in ran.err


def test_what_failed_is_tried_again(root: Path) -> None:
    """Although its file has not changed since."""
    with closing(build_app(root, env=os.environ)) as app:
        looked = look(app, places(app))
        first = looked[0].candidates[0]
        CurateState(app).stamp([FateStamp(first.origin, "failed", "r-1", "2026-05-04T10:00:00Z")])
        import_memory(app, looked, CurateOptions("here"))
    done = cairn("curate", "--retry-failed", "--apply", "--json", cwd=root).json()
    assert [action["candidateOrigin"] for action in done["actions"]] == [first.origin]


def test_alone_it_says_what_there_is(root: Path) -> None:
    ran = cairn("import", cwd=root)
    assert ran.code == 0 and "`cairn import memory --dry-run` shows what would become of each" in ran.out
    assert "`cairn bootstrap --dry-run`" in ran.out and "older base" in ran.out
    told = cairn("import", "--json", cwd=root)
    value = json.loads(told.out)
    fits_schema(value, "import-list")
    assert value["base"] is None and value["documents"] == 1
    assert value["candidates"] == sum(one["candidates"] for one in value["memory"]) > 0
    assert cairn("import", "list", "--json", cwd=root).out == told.out
    assert not (root / ".cairn" / "curate").exists()


def test_init_names_what_agents_remember_by(tmp_path: Path) -> None:
    put(tmp_path, {"AGENTS.md": "- Use vitest, not jest.\n"})
    ran = cairn("init", cwd=tmp_path)
    assert "AGENTS.md has rules for agents; `cairn import` lists those that could become pages" in ran.err
