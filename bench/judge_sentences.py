"""Sentences of an evaluation set beside changes of the code, and whether a reader finds those that became false.

What `cairn check --diff` itself says about each sentence is measured as well: it proves it false, notes that what it
names has changed, or passes it by, so that nobody would be asked.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from cairn.app.build import App, build_app
from cairn.core.model.change import Taint
from cairn.freshness.questions.still_holds.about_sentence import ChangedCode, NamedSentence, question_about
from cairn.freshness.questions.still_holds.question import QUESTION
from cairn.jobs.ask import AskedQuestion, ask, look_up
from cairn.workspace.check_diff import look_at_diff
from judge_room import AnswerParts, cairn, open_room, value_of
from judge_sets import Item, JudgeSet, has_words, normal
from strangers_clones import Repository, find_clone, git, make_tree, quiet_environment


class SentenceBooth:
    def __init__(self, given: JudgeSet, folder: Path, clones: Path) -> None:
        self.folder, self._clones = folder, clones
        kept = [self._resolved(one) for one in given.items if self._clone(one) is not None]
        self.given = given._replace(items=tuple(kept))
        self.app = open_room(folder, {"README.md": "# Project\n\nA project.\n"})
        self._questions: dict[str, AskedQuestion] = {}

    def _clone(self, item: Item) -> Path | None:
        return find_clone(self._clones, Repository(item["repository"], item["commit"]))

    def _show(self, item: Item, revision: str, path: str) -> bytes:
        clone = self._clone(item)
        assert clone is not None
        return git(clone, "show", f"{revision}:{path}", check=False)

    def _resolved(self, item: Item) -> Item:
        """A pointer has the hash of its sentence instead of the sentence."""
        if "sentence" in item:
            return item
        page = self._show(item, f"{item['commit']}^", item["page"]).decode("utf-8", "replace")
        start, length = item["at"]
        sentence = page[start : start + length]
        if sha256(sentence.encode()).hexdigest() != item["sha256"]:
            raise SystemExit(f"{item['id']}: {item['page']} does not have the sentence at {start}")
        return {**item, "sentence": sentence}

    def ask(self) -> None:
        jobs, settings = self.app.store.jobs, self.app.settings
        for item in self.given.items:
            ask(self._question(item), store=jobs, settings=settings, now_ms=self.app.clock.now_ms())

    def _question(self, item: Item) -> AskedQuestion:
        if item["id"] not in self._questions:
            self._questions[item["id"]] = self._made(item)
        return self._questions[item["id"]]

    def _made(self, item: Item) -> AskedQuestion:
        """About the page as it was: the sentence may have been corrected in the same commit."""
        before, after = (
            self._show(item, revision, item["code"]) for revision in (f"{item['commit']}^", item["commit"])
        )
        page = self._show(item, f"{item['commit']}^", item["page"]).decode("utf-8", "replace")
        sentence = NamedSentence(item["page"], page, item["line"], item["sentence"], item["symbol"])
        made = question_about(sentence, ChangedCode(item["code"], before, after), change=item["commit"][:10])
        return AskedQuestion(QUESTION, f"{made.subject}:{item['id']}", made.input, Taint.REPOSITORY)

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
        told = Counter(
            f"`check --diff` on sentences that are {self.label(i)}: {self._survey[i['id']]}" for i in self.given.items
        )
        return dict(sorted(told.items()))

    # --- check --diff --------------------------------------------------------------------------------------------

    @cached_property
    def _survey(self) -> Mapping[str, str]:
        """What `check --diff` says without a reader, by item; kept in a file, since it takes a while."""
        return {item["id"]: self._surveyed(item) for item in self.given.items}

    def _surveyed(self, item: Item) -> str:
        file = self.folder / "survey" / f"{item['id']}.txt"
        if not file.is_file():
            file.parent.mkdir(exist_ok=True)
            file.write_text(self._look(item), "utf-8")
        return file.read_text("utf-8")

    def _look(self, item: Item) -> str:
        found = look_at_diff(self._tree(item["repository"]), f"{item['commit']}^..{item['commit']}", mentions=True)
        for told, sentences in (("proven false", found.doubts), ("named as changed", found.mentions)):
            if any(one.document == item["page"] and _is_same(item["sentence"], one.sentence) for one in sentences):
                return told
        return "passed by"

    def _tree(self, repository: str) -> App:
        root, env = self.folder / "trees" / repository.replace("/", "+"), quiet_environment(self.folder / "home")
        item = next(one for one in self.given.items if one["repository"] == repository)
        if not (root / ".cairn").is_dir():
            clone = self._clone(item)
            assert clone is not None
            make_tree(clone, Repository(repository, item["commit"]), root)
            cairn(root, env, "init", "--no-scan", "--quiet")
        return build_app(root, env=env | {"CAIRN_INTERNAL": "1"})


def _is_same(sentence: str, line: str) -> bool:
    one, other = normal(sentence), normal(line)
    return bool(one and other) and (one in other or other in one)
