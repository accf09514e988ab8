"""Writes real questions for people who say what a prompt lacks: of public repositories and corpora, never committed.

usage: python bench/judge_real.py QUESTION --clones DIR --work DIR --out DIR [--number N] [--base DIR]

QUESTION is `learned` (of repositories that keep their sessions in `.specstory/history`), `distil` (a document of each
clone), `place` (lessons of `tasks/lessons.md` beside the entries of --base) or `contradiction` (passages of one
clone that share rare names and differ in a number). Each question is asked as Cairn asks it, in a scratch workspace;
`OUT/QUESTION/NN.md` has the prompt, and nothing else.
"""

import argparse
import os
import random
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from cairn.app.build import App, build_app
from cairn.capture.capture_session import capture_session
from cairn.curate.ask_reader import Readers
from cairn.curate.bootstrap import bootstrap
from cairn.curate.bootstrap_survey import BootstrapOptions, survey
from cairn.curate.curate import CurateOptions, curate
from cairn.curate.propose import ProposeOptions, propose_sessions
from cairn.jobs.ask import AskedQuestion, ask
from cairn.lib.markdown.blocks import sections
from cairn.observe.questions.contradiction.question import QUESTION as CONTRADICTION
from judge_desk import write_prompts
from judge_room import cairn, open_room
from judge_transcripts import Message, session_id, write_transcript
from strangers_clones import Repository, git, make_tree, quiet_environment

HISTORY = ".specstory/history"
_SPEAKER = re.compile(r"^_\*\*(User|Agent|Assistant)[^*\n]*\*\*_[ \t]*$", re.MULTILINE)
_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)
_TOOL = re.compile(r"^(?:Tool use:|\*\*Agent task list|<tool-use)", re.MULTILINE)
_SESSION_SIZES = (600, 60_000)
"""Characters that person and agent wrote."""


def main() -> None:
    given = _arguments()
    work = given.work / given.question
    shutil.rmtree(work, ignore_errors=True)
    app_of = {"learned": _learned, "distil": _distil, "place": _place, "contradiction": _contradictions}
    out = given.out / given.question
    out.mkdir(parents=True, exist_ok=True)
    number = 0
    for app in app_of[given.question](given, work):
        for file in write_prompts(app, work / "prompts", work):
            if number < given.number and file.name.startswith(f"core-{given.question}-"):
                number += 1
                shutil.copy(file, out / f"{number:02}.md")
        shutil.rmtree(work / "prompts", ignore_errors=True)
    print(f"{number} questions in {out}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("question", choices=["learned", "distil", "place", "contradiction"])
    parser.add_argument("--clones", type=Path, required=True, metavar="DIR", help="clones, as owner+name/repo")
    parser.add_argument("--base", type=Path, metavar="DIR", help="a knowledge base with `tasks/lessons.md`")
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="scratch folder")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the prompts go")
    parser.add_argument("--number", type=int, default=10, metavar="N", help="how many")
    parser.add_argument("--seed", type=int, default=17, metavar="N", help="of the choice")
    return parser.parse_args()


def _clones(folder: Path) -> list[Path]:
    places = (one / "repo" if (one / "repo").is_dir() else one for one in sorted(folder.iterdir()) if one.is_dir())
    return [place for place in places if (place / "HEAD").is_file() or (place / ".git").exists()]


# --- sessions ---------------------------------------------------------------------------------------------------------


def _learned(given: argparse.Namespace, work: Path) -> Iterator[App]:
    """Sessions that people committed to their repositories."""
    found = [
        (f"{clone}:{path}", messages)
        for clone in _clones(given.clones)
        for path in git(clone, "ls-tree", "-r", "--name-only", "HEAD", HISTORY).decode().splitlines()
        if _fits(messages := messages_in(git(clone, "show", f"HEAD:{path}").decode("utf-8", "replace")))
    ]
    random.Random(given.seed).shuffle(found)
    app = open_room(work, {"README.md": "# Project\n"})
    for name, messages in found[: given.number]:
        id = session_id("real", name)
        capture_session(app, "claude", id, write_transcript(work / "transcripts", "claude-code", id, messages))
    propose_sessions(app, ProposeOptions(), Readers(app))
    yield app


def messages_in(text: str) -> list[Message]:
    """Of a session in the form in which SpecStory keeps them."""
    marks = list(_SPEAKER.finditer(text))
    ends = [*(mark.start() for mark in marks[1:]), *([len(text)] if marks else [])]
    found: list[Message] = []
    for mark, end in zip(marks, ends, strict=True):
        said = _THOUGHT.sub("", text[mark.end() : end]).strip().removesuffix("---").strip()
        if "sidechain" in mark[0]:
            continue
        who = "person" if mark[1] == "User" else "tool" if _TOOL.match(said) else "agent"
        found += [{"who": who, "text": said}] if said else []
    return found


def _fits(messages: Sequence[Message]) -> bool:
    said = sum(len(one["text"]) for one in messages if one["who"] != "tool")
    return _SESSION_SIZES[0] <= said <= _SESSION_SIZES[1] and sum(one["who"] == "person" for one in messages) > 2


# --- documents --------------------------------------------------------------------------------------------------------


def _distil(given: argparse.Namespace, work: Path) -> Iterator[App]:
    """A document of each clone that says how things are done there."""
    clones = _clones(given.clones)
    random.Random(given.seed).shuffle(clones)
    for clone in clones[: given.number * 2]:
        app = _opened(clone, work)
        found = survey(app, BootstrapOptions())
        due = [one for one in found.due if 2_000 < _size(app, one.path) < 20_000 and HISTORY not in one.path]
        random.Random(given.seed).shuffle(due)
        if due:
            bootstrap(app, BootstrapOptions(here=True, ask=True), found._replace(due=(due[0],)))
            yield app


def _opened(clone: Path, work: Path) -> App:
    name = clone.parent.name if clone.name == "repo" else clone.name
    root = work / name
    head = git(clone, "rev-parse", "HEAD").decode().strip()
    make_tree(clone, Repository(name.replace("+", "/"), head), root)
    env = quiet_environment(work / "home")
    cairn(root, env, "init", "--quiet")
    return build_app(root, env=env | {"CAIRN_INTERNAL": "1"})


def _size(app: App, path: str) -> int:
    return (app.root / path).stat().st_size


# --- candidates -------------------------------------------------------------------------------------------------------


def _place(given: argparse.Namespace, work: Path) -> Iterator[App]:
    """Lessons that a team wrote down, each as a note to keep, beside its base."""
    lessons = _lessons((given.base / "tasks/lessons.md").read_text("utf-8"))
    random.Random(given.seed).shuffle(lessons)
    pages = {
        path.relative_to(given.base).as_posix(): path.read_text("utf-8")
        for path in sorted((given.base / "content").rglob("*.md"))
    }
    app = open_room(work, pages)
    for lesson in lessons[: given.number]:
        cairn(app.root, quiet_environment(work / "home"), "note", "--keep", lesson)
    curate(app, CurateOptions(everything=True))
    yield app


def _lessons(text: str) -> list[str]:
    items = re.split(r"^- ", text, flags=re.MULTILINE)[1:]
    plain = [" ".join(item.split("\n\n")[0].replace("**", "").split()) for item in items]
    return [item for item in plain if 80 < len(item) < 1_500]


# --- passages ---------------------------------------------------------------------------------------------------------


class Passage(NamedTuple):
    path: str
    headings: tuple[str, ...]
    text: str
    names: frozenset[str]
    numbers: frozenset[str]


def _contradictions(given: argparse.Namespace, work: Path) -> Iterator[App]:
    """Of each clone one or two pairs: they share names that few passages have, and differ in a number."""
    app = open_room(work, {"README.md": "# Project\n"})
    clones = _clones(given.clones)
    random.Random(given.seed).shuffle(clones)
    asked = 0
    for clone in clones:
        for one, two in _pairs(_passages(clone))[:1]:
            if asked < given.number:
                asked += 1
                _ask_pair(app, one, two)
    yield app


def _passages(clone: Path) -> list[Passage]:
    names = git(clone, "ls-tree", "-r", "--name-only", "HEAD").decode("utf-8", "replace").splitlines()
    plain = [name for name in names if not name.startswith(".") and "/." not in name and "change" not in name.lower()]
    documents = [name for name in plain if name.endswith((".md", ".mdx"))]
    found = []
    for path in documents[:400]:
        text = git(clone, "show", f"HEAD:{path}", check=False).decode("utf-8", "replace")
        for section in sections(text):
            for paragraph in text[section.start : section.end].split("\n\n"):
                if 60 < len(paragraph) < 900 and not paragraph.lstrip().startswith(("#", "```", "|", "<")):
                    found.append(_passage(path, section.heading, paragraph.strip()))
    return found


def _passage(path: str, heading: str, text: str) -> Passage:
    names = frozenset(re.findall(r"`([^`\n]{3,40})`", text))
    numbers = frozenset(re.findall(r"(?<![\w.])\d+(?:\.\d+)*(?![\w])", text))
    return Passage(path, (heading,) if heading else (), text, names, numbers)


def _pairs(found: Sequence[Passage]) -> list[tuple[Passage, Passage]]:
    having: dict[str, list[int]] = defaultdict(list)
    for at, one in enumerate(found):
        for name in one.names:
            having[name].append(at)
    shared: Counter[tuple[int, int]] = Counter()
    for places in having.values():
        if len(places) <= 6:
            shared.update(combinations(places, 2))
    ranked = [
        (count, found[one], found[two])
        for (one, two), count in shared.items()
        if found[one].path != found[two].path and found[one].text != found[two].text
    ]
    ranked.sort(key=lambda pair: (-bool(pair[1].numbers ^ pair[2].numbers), -pair[0], pair[1].path))
    return [(one, two) for _, one, two in ranked]


def _ask_pair(app: App, one: Passage, two: Passage) -> None:
    value = {
        side: {"path": p.path, "headings": list(p.headings), "text": p.text, "sources": [], "date": None}
        for side, p in (("a", one), ("b", two))
    }
    subject = f"pair:{one.path}#{'/'.join(one.headings)}|{two.path}#{'/'.join(two.headings)}"
    asked = AskedQuestion(CONTRADICTION, subject, value)
    ask(asked, store=app.store.jobs, settings=app.settings, now_ms=app.clock.now_ms())


if __name__ == "__main__":
    os.environ.pop("CAIRN_DB", None)
    main()
