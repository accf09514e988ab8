"""Skills that are too large, that no agent would pick, or that carry files which nothing mentions."""

from collections.abc import Iterator
from posixpath import basename, dirname

from cairn.app.trying.finding import Evidence, Finding
from cairn.app.trying.ground import Ground, Page
from cairn.kernel.text.frontmatter import parse

KIND = "skill"
MOST_LINES = 500
MOST_TOKENS = 5_000
MOST_DESCRIPTION = 1_024
_LETTERS_A_TOKEN = 4
_TEXTS = (".md", ".py", ".sh", ".js", ".ts", ".txt", ".json", ".yaml", ".yml", ".toml", ".html")
_OF_COURSE = frozenset({"license", "license.txt", "license.md", "readme.md", "__init__.py", "requirements.txt"})


def find(ground: Ground) -> Iterator[Finding]:
    for path in sorted(ground.paths):
        if basename(path) == "SKILL.md" and dirname(path):
            page = ground.page(path)
            if page is not None:
                yield from _about(ground, page)


def _about(ground: Ground, page: Page) -> Iterator[Finding]:
    parsed = parse(page.text)
    front = parsed.frontmatter
    yield from _description(page, front.get("description"))
    yield from _name(page, front.get("name"))
    yield from _size(page)
    yield from _unmentioned(ground, page)


def _description(page: Page, description: object) -> Iterator[Finding]:
    if not isinstance(description, str) or not description.strip():
        message = "This skill has no description, so that no agent knows when to use it."
        because = "agents choose a skill by `description` in its frontmatter, and there is none"
        fix = "Add `description:` with what it does and when to use it."
        yield Finding(KIND, message, (page.evidence(1),), because, fix, 0.97, 0.9)
    elif len(description) > MOST_DESCRIPTION:
        line = _line_of(page, "description:")
        message = f"The description of this skill has {len(description):,} characters; hosts take {MOST_DESCRIPTION:,}."
        because = "the Agent Skills format limits it, and longer ones are cut or refused"
        yield Finding(KIND, message, (page.evidence(line),), because, "Say what it does and when, shorter.", 0.97, 0.7)


def _name(page: Page, name: object) -> Iterator[Finding]:
    folder = basename(dirname(page.path))
    if isinstance(name, str) and name.strip() and name.strip() != folder:
        message = f"This skill is called `{name.strip()}`, but lies in the folder `{folder}`."
        because = "the Agent Skills format wants both to be the same; some hosts don't load it otherwise"
        line = _line_of(page, "name:")
        yield Finding(KIND, message, (page.evidence(line),), because, "Rename the folder or the skill.", 0.9, 0.6)


def _size(page: Page) -> Iterator[Finding]:
    lines, tokens = len(page.lines), len(page.text) // _LETTERS_A_TOKEN
    if lines <= MOST_LINES and tokens <= MOST_TOKENS * 1.2:
        return
    message = f"This skill is {lines:,} lines, about {tokens:,} tokens, long; all of it is read whenever it is used."
    because = f"the format advises at most {MOST_LINES} lines and {MOST_TOKENS:,} tokens in SKILL.md"
    fix = "Move details into files beside it, and say in SKILL.md when to read which."
    yield Finding(KIND, message, (page.evidence(1),), because, fix, 0.95, 0.5)


def _unmentioned(ground: Ground, page: Page) -> Iterator[Finding]:
    """Files of the skill that neither it nor any of its other files names."""
    folder = dirname(page.path) + "/"
    inside = [path for path in sorted(ground.paths) if path.startswith(folder) and path != page.path]
    texts = {path: ground.text(path) or "" for path in inside if path.endswith(_TEXTS)} | {page.path: page.text}
    lost = [path for path in inside if not _named(path, folder, texts)]
    if not lost or len(inside) > 200:
        return
    others = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
    message = (
        f"No text of this skill mentions its file `{lost[0].removeprefix(folder)}`{others}; an agent won't open it."
    )
    because = "neither its path, its name nor its folder stands in SKILL.md or in the files beside it"
    evidence = (page.evidence(1), *(Evidence(path, 1, "") for path in lost[:2]))
    yield Finding(KIND, message, evidence, because, "Say in SKILL.md when to read it, or remove it.", 0.85, 0.4)


def _named(path: str, folder: str, texts: dict[str, str]) -> bool:
    name = basename(path)
    stem = name.rpartition(".")[0] or name
    below = path.removeprefix(folder).split("/")[:-1]
    wanted = [name, stem, *(f"{part}/" for part in below)]
    if name.lower() in _OF_COURSE:
        return True
    return any(word in text for other, text in texts.items() if other != path for word in wanted)


def _line_of(page: Page, start: str) -> int:
    return next((number for number, line in enumerate(page.lines, 1) if line.startswith(start)), 1)
