"""Notes of agents' turns to search among: some say what a page says, most only touch what pages are about."""

import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence

import zipf
from cairn.core.ports.turns import NoteRow

DAY_MS = 86_400_000
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_HEADING = re.compile(r"^# +(.+)$", re.MULTILINE)
_FRONTMATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)

_TOUCHING = (
    "Read {page} before touching the {other} job; nothing in it had to change.",
    "Moved the link to {page} into the footer, since two people could not find it.",
    "{page} and {other} now use the same headings. No statement was changed.",
    "The user asked where {page} went. It was renamed last week, and the old path redirects.",
    "Reviewed a pull request about {page}; asked for a test and for a shorter title.",
    "Could not reproduce the report about {page}. Asked for the log and the version.",
    "Merged main into the branch for {page}; the only clash was in the change log.",
    "Renamed the helper in the {other} module after a look at {page}. Tests are green.",
)
_ELSEWHERE = (
    "The snapshot tests of the {thing} were updated after the border became two pixels wide.",
    "Bumped the {thing} by a minor version; the change log mentions nothing that concerns us.",
    "The {thing} logs one line less at start-up, since nobody reads it.",
    "Ran the formatter over the {thing} and committed the result apart from everything else.",
    "Split the {thing} into two files, because the first had grown past four hundred lines.",
    "A flaky test of the {thing} waited for a clock; it now waits for the event instead.",
    "The user prefers short commit messages, and no emoji in the {thing}.",
    "Deleted three unused imports in the {thing} and one comment that was no longer true.",
)
_THINGS = (
    "sidebar", "colour picker", "parser", "date widget", "importer", "tooltip", "router", "spell checker", "palette",
    "release script", "linter", "command palette", "emoji table", "cursor", "tab bar", "icon font", "sound mixer",
    "print preview", "undo stack", "calendar grid", "telemetry stub", "changelog", "lock file", "type stubs",
)  # fmt: skip


def noted(texts: Mapping[str, str], number: int = 400) -> list[NoteRow]:
    """About these pages: a fifth repeats one sentence of a page, two fifths name pages, the rest is about others."""
    rng = random.Random(f"notes/{len(texts)}/{number}")
    titles = [title for path in sorted(texts) if (title := _title(texts[path]))]
    sentences = [(path, one) for path in sorted(texts) for one in _sentences(texts[path])]
    rows = []
    for at in range(number):
        if at % 5 == 0 and sentences:
            _, summary = rng.choice(sentences)
            summary = f"{rng.choice(('', 'Learned: ', 'Confirmed by hand. ', 'As it turned out: '))}{summary}"
        elif at % 5 < 3 and titles:
            summary = rng.choice(_TOUCHING).format(page=rng.choice(titles), other=rng.choice(_THINGS))
        else:
            summary = rng.choice(_ELSEWHERE).format(thing=rng.choice(_THINGS))
        rows.append(_row(at, summary, tags=rng.sample(_THINGS, k=rng.randint(0, 2))))
    return rows


def drawn(number: int) -> list[NoteRow]:
    """In the made-up language of the large corpus, from a seed of its own."""
    language = zipf.Language(random.Random(f"zipf/1/{100_000}"))
    return [_row(at, f"{' '.join(language.draw(language.rng.randint(12, 45))).capitalize()}.") for at in range(number)]


def _row(number: int, summary: str, tags: Iterable[str] = ()) -> NoteRow:
    said = dict.fromkeys(NoteRow._fields, "")
    numbers = {"turn_number": None, "score": 50, "low": 0, "expires_at_ms": None, "revision": 1}
    at = {"created_at_ms": number * DAY_MS // 4, "updated_at_ms": number * DAY_MS // 4}
    fields = {"turn_id": f"claude:{number}", "agent": "claude", "type": "turn_note", "taint": "model"}
    texts = {
        "title": summary[:80],
        "summary": summary,
        "tags": json.dumps(list(tags)),
        "evidence": "[]",
        "context": "{}",
    }
    return NoteRow(**said | numbers | at | fields | texts | {"id": number + 1})  # type: ignore[arg-type]


def _title(text: str) -> str:
    found = _HEADING.search(text)
    return found[1].strip() if found else ""


def _sentences(text: str) -> Sequence[str]:
    body = _FRONTMATTER.sub("", text)
    lines = (
        " ".join(part.split()) for part in body.split("\n\n") if not part.lstrip().startswith(("#", "`", "|", "-"))
    )
    return [one for line in lines for one in _SENTENCE.split(line) if 40 <= len(one) <= 300]
