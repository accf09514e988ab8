"""Sentences of an evaluation set beside changes of the code, and whether a reader finds those that became false.

The documents of the parent are put back behind the code of the commit, so that a sentence that its author corrected in
the same commit is asked about as it stood. `cairn check --diff --judge` asks about sentences that name something that
changed. It is measured which of the set it asks about by itself; about the others the same question is asked for the
bench.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from hashlib import sha256
from pathlib import Path
from typing import Any

from cairn.app.build import App, build_app
from cairn.freshness.ask_diff import question_about
from cairn.freshness.diff.doubt import StaleReason, StaleSentence
from cairn.freshness.states import StateSpan, span_of
from cairn.jobs.ask import AskedQuestion, ask, look_up
from cairn.lib.document.document import format_of
from cairn.workspace.check_diff import judge_diff
from history_trees import put_back, run_git
from judge_room import AnswerParts, cairn, open_room, value_of
from judge_sets import Item, JudgeSet, has_words, normal
from strangers_clones import Repository, find_clone, git, make_tree, quiet_environment

_QUESTION = "core/still-holds"
_ONE_DATE = {"GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}


class SentenceBooth:
    """Questions are kept in one room; each repository has a work tree in which changes are looked at."""

    def __init__(self, given: JudgeSet, folder: Path, clones: Path) -> None:
        self.folder, self._clones = folder, clones
        kept = [self._resolved(one) for one in given.items if self._clone(one) is not None]
        self.given = given._replace(items=tuple(kept))
        self.app = open_room(folder, {"README.md": "# Project\n\nA project.\n"})
        self._questions: dict[str, AskedQuestion] = {}
        self._trees: dict[str, App] = {}
        self._spans: dict[str, str] = {}

    def _clone(self, item: Item) -> Path | None:
        return find_clone(self._clones, Repository(item["repository"], item["commit"]))

    def _show(self, item: Item, revision: str, path: str) -> str:
        clone = self._clone(item)
        assert clone is not None
        return git(clone, "show", f"{revision}:{path}", check=False).decode("utf-8", "replace")

    def _resolved(self, item: Item) -> Item:
        """A pointer has the hash of its sentence instead of the sentence."""
        if "sentence" in item:
            return item
        start, length = item["at"]
        sentence = self._show(item, f"{item['commit']}^", item["page"])[start : start + length]
        if sha256(sentence.encode()).hexdigest() != item["sha256"]:
            raise SystemExit(f"{item['id']}: {item['page']} does not have the sentence at {start}")
        return {**item, "sentence": sentence}

    # --- asking ---------------------------------------------------------------------------------------------------

    def ask(self) -> None:
        jobs, settings = self.app.store.jobs, self.app.settings
        for item in self.given.items:
            ask(self._question(item), store=jobs, settings=settings, now_ms=self.app.clock.now_ms())

    def _question(self, item: Item) -> AskedQuestion:
        if item["id"] not in self._questions:
            tree = self._tree(item["repository"])
            made = question_about(tree, self._mention(item), self._span(item, tree))
            self._questions[item["id"]] = made._replace(subject=f"{made.subject}:{item['id']}")
        return self._questions[item["id"]]

    def _span(self, item: Item, tree: App) -> StateSpan:
        return span_of(tree.vcs, self._commits(item))

    def _commits(self, item: Item) -> str:
        """From the parent to the commit with the parent's documents. Always the same id, since a subject has it."""
        if item["commit"] not in self._spans:
            root, before = self._root(item["repository"]), f"{item['commit']}^"
            tree = put_back(root, self.folder / "put-back-index", item["commit"], before)
            made = run_git(root, "commit-tree", tree, "-p", before, "-m", "Put documents back", extra=_ONE_DATE).strip()
            self._spans[item["commit"]] = f"{before}..{made}"
        return self._spans[item["commit"]]

    def _mention(self, item: Item) -> StaleSentence:
        """The sentence where it stands after the change, and the first changed lines of the code that have its name."""
        before, after = (self._show(item, one, item["code"]) for one in (f"{item['commit']}^", item["commit"]))
        old_line, new_line = _changed_lines(before.split("\n"), after.split("\n"), item["symbol"])
        message = f"`{item['symbol']}` changed."
        named = (item["page"], item["line"], item["sentence"], item["symbol"])
        return StaleSentence(*named, StaleReason.CHANGED, message, item["code"], new_line, "", "", False, old_line)

    def _root(self, repository: str) -> Path:
        return self.folder / "trees" / repository.replace("/", "+")

    def _tree(self, repository: str) -> App:
        if repository not in self._trees:
            root, env = self._root(repository), quiet_environment(self.folder / "home")
            item = next(one for one in self.given.items if one["repository"] == repository)
            if not (root / ".cairn").is_dir():
                clone = self._clone(item)
                assert clone is not None
                make_tree(clone, Repository(repository, item["commit"]), root)
                cairn(root, env, "init", "--no-scan", "--quiet")
            self._trees[repository] = build_app(root, env=env | {"CAIRN_INTERNAL": "1"})
        return self._trees[repository]

    # --- what came of it -----------------------------------------------------------------------------------------

    def subjects(self, item: Item) -> Sequence[str]:
        return (self._question(item).subject,)

    def label(self, item: Item) -> str:
        return {True: "holds", False: "false", None: "can't tell"}[item["holds"]]

    def result(self, item: Item) -> Any:
        return value_of(look_up(self._question(item), store=self.app.store.jobs))

    def raw(self, item: Item, report: Mapping[str, Any]) -> Any:
        return report

    def score(self, item: Item, result: Mapping[str, Any]) -> AnswerParts:
        said, is_false = result.get("answer"), item["holds"] is False
        hit = int(said == "false" and is_false)
        notes = () if (said == "false") == is_false else (f"{said}: {result.get('reason')}",)
        details = {f"{self.label(item)} answered as {said}": 1}
        if hit and result.get("new_sentence"):
            right = has_words(str(result["new_sentence"]), item["new_words"])
            details |= {"new sentences": 1, "new sentences with the right words": int(right)}
            if not right:
                notes = (f"the new sentence lacks {item['new_words']}: {result['new_sentence']}",)
        return AnswerParts(hit, int(said == "false") - hit, int(is_false) - hit, notes, (), details)

    def texts(self, result: Mapping[str, Any]) -> str:
        return str(result.get("new_sentence"))

    def measures(self) -> Mapping[str, Any]:
        told = Counter(f"{self.label(one)}: {self._told(one)} by `check --diff --judge`" for one in self.given.items)
        return dict(sorted(told.items()))

    # --- check --diff --judge -------------------------------------------------------------------------------------

    def _told(self, item: Item) -> str:
        """What the command makes of the sentence without an answer; kept in a file, since it takes a while."""
        file = self.folder / "told" / f"{item['id']}.txt"
        if not file.is_file():
            file.parent.mkdir(exist_ok=True)
            file.write_text(self._look(item), "utf-8")
        return file.read_text("utf-8")

    def _look(self, item: Item) -> str:
        if format_of(item["page"]) is None:
            return "passed by (a format that is not read)"
        tree = self._tree(item["repository"])
        judged = judge_diff(tree, self._commits(item), None, node=item["page"])
        places = (("proven false", judged.survey.doubts), ("asked about", judged.survey.mentions))
        for told, sentences in places:
            if any(one.document == item["page"] and _is_same(item["sentence"], one.sentence) for one in sentences):
                return told
        return "passed by"


def _is_same(sentence: str, line: str) -> bool:
    one, other = normal(sentence), normal(line)
    return bool(one and other) and (one in other or other in one)


def _changed_lines(before: Sequence[str], after: Sequence[str], name: str) -> tuple[int, int]:
    """The first changed lines that have the name, of each side; else the first changed ones."""
    blocks = [one for one in SequenceMatcher(None, before, after, autojunk=False).get_opcodes() if one[0] != "equal"]
    for _, start, end, new_start, new_end in blocks:
        old = next((number for number in range(start, end) if name in before[number]), None)
        new = next((number for number in range(new_start, new_end) if name in after[number]), None)
        if old is not None or new is not None:
            return (start if old is None else old) + 1, (new_start if new is None else new) + 1
    first = blocks[0] if blocks else ("", 0, 0, 0, 0)
    return first[1] + 1, first[3] + 1
