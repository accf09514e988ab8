"""The repository as analyzers of the `read` phase see it: documents, links, code, and what was removed."""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import TypeVar

from cairn.core.model.issue import Issue, Place, Severity, narrowed
from cairn.core.model.knowledge import Corpus
from cairn.core.ports.files import Files, WalkRequest
from cairn.core.ports.vcs import Commit, History
from cairn.core.repository.addresses import OnForge, file_on_forge, own_addresses
from cairn.core.repository.code import Code
from cairn.core.repository.code_blocks import Imports
from cairn.core.repository.deletions import Deletions
from cairn.core.repository.links import LinkForms, Links, docs_folder, may_give
from cairn.core.repository.mentions import announces_a_change, is_about_the_past, is_record, is_versioned
from cairn.core.repository.tree import RepositoryTree
from cairn.core.scope import is_for_agents, is_read_on_forge
from cairn.lib.document.outline import PageOutline

MOST_NAMES = 5_000
_ABOVE = 2
T = TypeVar("T")


class Repository:
    def __init__(
        self,
        files: Files,
        history: History,
        walk: WalkRequest,
        *,
        everything: bool = False,
        corpora: tuple[Corpus, ...] = (),
    ) -> None:
        self.history = history
        self.tree = RepositoryTree(files, walk, everything=everything, corpora=corpora)
        self.links = Links(self.tree)
        self.forms = LinkForms(self.tree, self.links)
        self.code = Code(self.tree)
        self.imports = Imports(self.tree, self.code)
        self._past_anchors: dict[tuple[str, int], frozenset[str]] = {}
        self.not_checked: list[str] = []
        """Checks that were not made, each with the reason."""
        self.past = Deletions(self.tree, self.code, history, self.not_checked)

    def pages(self, having: re.Pattern[str] | None = None) -> Iterator[PageOutline]:
        """Documents that describe the project as it is today; only those whose text matches, which saves parsing the
        others."""
        return self.tree.pages(having)

    def place(self, path: str, line: int) -> Place:
        return self.tree.place(path, line)

    def removed_anchor(self, path: str, anchor: str) -> tuple[Commit, int] | None:
        """The latest commit before which a heading of the page gave this anchor."""
        for number, (commit, at, text) in enumerate(self.past.versions(path)):
            known = (path, number) in self._past_anchors
            if (known or may_give(anchor, text)) and anchor.lower() in self._anchors_then(path, number, text):
                return commit, at
        return None

    def _anchors_then(self, path: str, number: int, text: str) -> frozenset[str]:
        """Of one version of a page. A page with many broken links asks for all versions many times."""
        if (path, number) not in self._past_anchors:
            self._past_anchors[path, number] = self.links.anchors_in(path, text)
        return self._past_anchors[path, number]

    def announces_a_change(self, page: PageOutline, line: int) -> bool:
        """Whether the words around a line, or above the block that it is in, say that something is gone."""
        around = list(page.prose_lines[max(0, line - 2) : line + 1])
        if not "".join(page.prose_lines[line - 1 : line]).strip():  # a fence that ends the page has no line after it
            above = (text for text in reversed(page.prose_lines[: line - 1]) if text.strip())
            around += [*islice(above, _ABOVE)][::-1]
        if announces_a_change(" ".join(around)) or is_about_the_past(page.headings_above(line)):
            return True
        return page.format == "rst" and is_versioned(self.tree.lines(page.path), line)

    def weighed(self, issue: Issue) -> Issue:
        """The issue at the places where nothing says that something is gone; a note if something does everywhere."""
        kept = narrowed(issue, lambda place: not self._is_announced(place))
        return kept or issue._replace(severity=Severity.INFO, detail="the text may be about something that is gone")

    def without_news(self, issue: Issue) -> Issue:
        """The issue at the places that are not entries of a list of news; a note if all are."""
        kept = narrowed(issue, lambda place: not is_record(place.text))
        return kept or issue._replace(severity=Severity.INFO, detail="the line tells what a release had")

    def _is_announced(self, place: Place) -> bool:
        if is_record(place.text):
            return True
        page = self.tree.page(place.path)
        return page is not None and self.announces_a_change(page, place.line)

    def is_for_agents(self, path: str) -> bool:
        """Whether agents act on the page; its examples are about other projects as often as about this one."""
        return is_for_agents(path)

    def is_read_on_forge(self, path: str) -> bool:
        """Whether people read the page on the forge, by whose rules its links are judged."""
        return is_read_on_forge(path)

    def is_documentation(self, path: str) -> bool:
        """Whether a file belongs to a manual: its examples are not the product."""
        site = self.links.site(path)
        return docs_folder(path) != "" or (site is not None and site.root not in ("", "."))

    @cached_property
    def _own_addresses(self) -> frozenset[str]:
        return own_addresses(self.tree, self.history.remote)

    def file_on_forge(self, target: str) -> OnForge | None:
        """The file of this workspace that an address on the forge leads to; None for every other address."""
        found = file_on_forge(target, self._own_addresses)
        if found is None or not found.path.startswith(self.history.prefix):
            return None
        return found._replace(path=found.path.removeprefix(self.history.prefix))

    def bounded(self, check: str, found: Mapping[str, T]) -> Mapping[str, T]:
        """At most `MOST_NAMES` of them, and a word about the others."""
        if len(found) <= MOST_NAMES:
            return found
        self.not_checked.append(f"{check}: {len(found) - MOST_NAMES:,} of {len(found):,} names")
        return dict(sorted(found.items())[:MOST_NAMES])
