"""Gathers what decides whether a sentence still holds: its paragraph, and the changed code that speaks about it.

What decides may stand in another file than the one that the sentence was found by. So every hunk of the change is
ranked by the names and words that it shares with the sentence, and the best ones are shown.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from cairn.core.ports.runtime import Files
from cairn.core.ports.vcs import Vcs
from cairn.core.scope import is_code_noise, is_test
from cairn.freshness.diff.doubt import StaleSentence
from cairn.freshness.diff.hunks import Hunk, HunkRanking, SentenceTerms, hunks_of, shown_definition, shown_hunk
from cairn.freshness.diff.name_forms import NAME, is_distinct_name, plain_form, stems_of
from cairn.freshness.diff.vanished import bounded_grep, is_product
from cairn.freshness.states import RepositoryState, RevisionState, StateSpan, WorkTree
from cairn.lib.code.definitions import defined_by_keyword
from cairn.lib.code.model import Symbol
from cairn.lib.document.document import is_prose, outline
from cairn.lib.markdown.blocks import sentences
from cairn.lib.markdown.frontmatter import decode

_AROUND: Final = 12
"""Lines of code around a change whose definition nobody found."""
_PARAGRAPH: Final = 2_000
_DEFINITION: Final = 3_000
"""Characters of a definition, on each side."""
_HERE: Final = 4_500
"""Characters of hunks of the file that the sentence was found by."""
_ELSEWHERE: Final = 5_000
"""Characters of hunks of other files."""
_HUNK: Final = 2_000
_LINES: Final = 3
"""Of the code after the change, for each name."""
_MOST_NAMES: Final = 4
_MOST_LINES: Final = 300
_LONGEST_LINE: Final = 200
_MOST_FILES: Final = 400
_LARGEST: Final = 400_000
"""Bytes of a file whose hunks are looked at, unless the sentence was found by it."""


class _SentencePlace(NamedTuple):
    mention: StaleSentence
    sentence: str
    paragraph: str
    heading: str
    names: tuple[str, ...]
    """That which it was found by first."""
    terms: SentenceTerms


class _CodeLine(NamedTuple):
    """The most telling first."""

    beside: bool
    """Of a test, an example or the like."""
    uses: bool
    """Instead of defining it."""
    path: str
    text: str


class SentenceMaterial:
    """About the sentences of one change."""

    def __init__(self, vcs: Vcs, files: Files, span: StateSpan) -> None:
        self._vcs, self._span = vcs, span
        self._old = RevisionState(vcs, span.old)
        self._new: RepositoryState = WorkTree(files) if span.new is None else RevisionState(vcs, span.new)
        self.moment = span.new or "worktree"
        self._texts: dict[tuple[bool, str], str] = {}
        self._symbols: dict[tuple[bool, str], Sequence[Symbol]] = {}

    def about(self, mentions: Sequence[StaleSentence]) -> list[dict[str, Any]]:
        places = [self._place(mention) for mention in mentions]
        forms = self._forms({name for place in places for name in place.names})
        standing = self._standing({form for some in forms.values() for form in some})
        return [self._facts(place, forms, standing) for place in places]

    def _place(self, mention: StaleSentence) -> "_SentencePlace":
        page = self._text(mention.document, now=True)
        sentence, paragraph = _sentence(page, mention)
        heading = _heading(mention.document, page, mention.line)
        names = dict.fromkeys((mention.written, *filter(is_distinct_name, NAME.findall(sentence))))
        terms = _terms(names, sentence, f"{heading}\n{paragraph}\n{mention.document}")
        return _SentencePlace(mention, sentence, paragraph, heading, tuple(names), terms)

    def _facts(
        self, place: "_SentencePlace", forms: Mapping[str, Sequence[str]], standing: Mapping[str, Sequence["_CodeLine"]]
    ) -> dict[str, Any]:
        mention = place.mention
        here, elsewhere = self._hunks(mention, place.terms)
        before, after = self._definitions(mention, place.terms)
        return {
            "document": mention.document,
            "heading": place.heading,
            "sentence": place.sentence,
            "paragraph": place.paragraph,
            "named": mention.written,
            "code": {"path": mention.path, "before": before, "after": after, "diff": here},
            "elsewhere": elsewhere,
            "names": [
                {"name": name, "lines": _first_lines([line for form in forms[name] for line in standing[form]])}
                for name in place.names
                if forms[name]
            ][:_MOST_NAMES],
        }

    # --- files --------------------------------------------------------------------------------------------------------

    def _text(self, path: str, *, now: bool) -> str:
        if (now, path) not in self._texts:
            self._read([path], now=now)
        return self._texts[now, path]

    def _read(self, paths: Sequence[str], *, now: bool) -> None:
        found = (self._new if now else self._old).read(paths)
        for path in paths:
            self._texts[now, path] = decode(found.get(path, b"")).text.replace("\r\n", "\n")

    def _outline(self, path: str, *, now: bool) -> Sequence[Symbol]:
        if (now, path) not in self._symbols:
            from cairn.lib.code.read import outline as code_outline

            text = self._text(path, now=now)
            found = code_outline(path, text.encode("utf-8", "surrogatepass")).symbols if text else ()
            self._symbols[now, path] = found
        return self._symbols[now, path]

    # --- names --------------------------------------------------------------------------------------------------------

    def _forms(self, names: Collection[str]) -> Mapping[str, Sequence[str]]:
        """By name: how the changed lines write it, on either side; none if they don't have it."""
        written = {one for hunk in self._ranking.hunks for line in hunk.changed for one in NAME.findall(line)}
        alike: dict[str, list[str]] = {}
        for one in sorted(written):
            alike.setdefault(plain_form(one), []).append(one)
        return {name: [one for one in alike.get(plain_form(name), ()) if _are_one(one, name)] for name in names}

    def _standing(self, words: Collection[str]) -> Mapping[str, Sequence["_CodeLine"]]:
        """By word: the lines of the code after the change that have it, as far as they are looked at."""
        grep = bounded_grep(lambda some: self._vcs.grep(self._span.new, some), self._new)
        found: dict[str, list[_CodeLine]] = {word: [] for word in words}
        for path, line in grep(sorted(words)) if words else ():
            if not is_prose(path) and not is_code_noise(path):
                for word in found.keys() & NAME.findall(line[:_LONGEST_LINE]):
                    if len(found[word]) < _MOST_LINES:
                        found[word].append(_code_line(path, line, word))
        return found

    # --- hunks --------------------------------------------------------------------------------------------------------

    @cached_property
    def _ranking(self) -> HunkRanking:
        """Of all code that changed, tests included: they show how it is used now."""
        changed = [one.path for one in self._vcs.changed(self._span.old, self._span.new)]
        paths = [path for path in changed if is_product(path)] + [path for path in changed if _is_test_code(path)]
        for now in (False, True):
            self._read(paths[:_MOST_FILES], now=now)
        return HunkRanking([hunk for path in paths[:_MOST_FILES] for hunk in self._of_file(path, _LARGEST)])

    def _of_file(self, path: str, largest: int) -> list[Hunk]:
        texts = self._text(path, now=False), self._text(path, now=True)
        return hunks_of(path, *texts) if max(map(len, texts)) <= largest else []

    def _hunks(self, mention: StaleSentence, terms: SentenceTerms) -> tuple[str, list[dict[str, str]]]:
        """Those of the file that the sentence was found by, its place first, and the best ones of other files."""
        known = [hunk for hunk in self._ranking.hunks if hunk.path == mention.path]
        of_file = known or self._of_file(mention.path, 10 * _LARGEST)
        places = [hunk for hunk in of_file if hunk.changes(mention.old_line, mention.code_line or 0)]
        weights = terms.weighed(self._ranking.names_in(places))
        ranked = self._ranking.ranked(weights)
        here = [hunk for hunk in ranked if hunk.path == mention.path and hunk not in places]
        rest = [hunk for hunk in of_file if hunk not in places and hunk not in here]
        others = [hunk for hunk in ranked if hunk.path != mention.path]
        shown = "\n".join(text for _, text in self._within((*places, *here, *rest), weights, _HERE))
        return shown, _by_file(self._within(others, weights, _ELSEWHERE))

    def _within(self, hunks: Iterable[Hunk], weights: Mapping[str, float], longest: int) -> Iterator[tuple[str, str]]:
        for hunk in hunks:
            text = shown_hunk(hunk, weights, min(_HUNK, longest), self._inside(hunk))
            longest -= len(text)
            if longest <= 0:
                return
            yield hunk.path, text

    def _inside(self, hunk: Hunk) -> str:
        """The definition that the first changed line is in."""
        at = next((number for number, line in enumerate(hunk.lines) if line[:1] in "+-"), 0)
        held = _holding(self._outline(hunk.path, now=True), hunk.new_line + at)
        return held.name if held else ""

    # --- definitions --------------------------------------------------------------------------------------------------

    def _definitions(self, mention: StaleSentence, terms: SentenceTerms) -> tuple[str, str]:
        """What holds the lines of a mention, on both sides. Where one side has no such line, its definition of the same
        name."""
        before, after = (self._outline(mention.path, now=now) for now in (False, True))
        old, new = _holding(before, mention.old_line), _holding(after, mention.code_line or 0)
        if old is None and new is not None and not mention.old_line:
            old = _named(before, new.name)
        if new is None and old is not None and not mention.code_line:
            new = _named(after, old.name)
        texts = self._text(mention.path, now=False), self._text(mention.path, now=True)
        places = (old, mention.old_line), (new, mention.code_line or 0)
        one, other = (
            shown_definition(_lines_of(text, *place), terms.weighed(), _DEFINITION)
            for text, place in zip(texts, places, strict=True)
        )
        return one, other


def _is_test_code(path: str) -> bool:
    return is_test(path) and not is_prose(path) and not is_code_noise(path)


def _by_file(shown: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    files: dict[str, list[str]] = {}
    for path, text in shown:
        files.setdefault(path, []).append(text)
    return [{"path": path, "diff": "\n".join(texts)} for path, texts in files.items()]


# --- the sentence -----------------------------------------------------------------------------------------------------


def _terms(names: Iterable[str], sentence: str, around: str) -> SentenceTerms:
    stems = stems_of(sentence)
    named = frozenset(f"={plain_form(name)}" for name in names)
    return SentenceTerms(named, frozenset(stems), frozenset(stems_of(around) - stems))


def _sentence(page: str, mention: StaleSentence) -> tuple[str, str]:
    """The sentence that names it, as it stands in the page, and the paragraph around it."""
    lines = page.split("\n")
    start = end = min(mention.line, len(lines)) - 1
    while start > 0 and lines[start - 1].strip() and mention.line - start < _AROUND:
        start -= 1
    while end + 1 < len(lines) and lines[end + 1].strip() and end - mention.line < _AROUND:
        end += 1
    paragraph = "\n".join(lines[start : end + 1])
    at = sum(len(line) + 1 for line in lines[start : mention.line - 1])
    place = paragraph.find(mention.written, at)
    within = [one for one in sentences(paragraph) if one.start <= max(place, at) < one.end]
    sentence = paragraph[within[0].start : within[0].end].strip() if within and place >= 0 else mention.sentence.strip()
    return sentence or mention.sentence, paragraph[:_PARAGRAPH]


def _heading(path: str, page: str, line: int) -> str:
    above: dict[int, str] = {}
    for heading in outline(path, page).headings:
        if heading.line > line:
            break
        above = {level: text for level, text in above.items() if level < heading.level} | {heading.level: heading.text}
    return " > ".join(above.values())


# --- names --------------------------------------------------------------------------------------------------------


def _are_one(one: str, other: str) -> bool:
    """Whether two spellings are of one name: two words that differ in capitals only are not."""
    return one == other or (is_distinct_name(one) and is_distinct_name(other))


def _code_line(path: str, line: str, word: str) -> _CodeLine:
    defines = word in defined_by_keyword(line.encode("utf-8", "replace"))
    return _CodeLine(not is_product(path), not defines, path, line.strip()[:_LONGEST_LINE])


def _first_lines(found: Iterable[_CodeLine]) -> list[str]:
    lines = (f"{one.path}: {one.text}" for one in sorted(found))
    return list(dict.fromkeys(lines))[:_LINES]


# --- symbols ----------------------------------------------------------------------------------------------------------


def _holding(symbols: Sequence[Symbol], line: int) -> Symbol | None:
    """The smallest definition that a line is in. A parameter says little without its function."""
    holding = [one for one in symbols if one.line <= line <= one.end_line and one.kind not in ("module", "parameter")]
    return min(holding, key=lambda one: one.end_line - one.line, default=None)


def _named(symbols: Sequence[Symbol], name: str) -> Symbol | None:
    return next((one for one in symbols if one.name == name), None)


def _lines_of(text: str, definition: Symbol | None, line: int) -> list[str]:
    """Those of a definition, else those around a line; none where there is neither."""
    if definition is None and not (line and text):
        return []
    first, last = (definition.line, definition.end_line) if definition else (max(1, line - _AROUND), line + _AROUND)
    return text.split("\n")[first - 1 : last]
