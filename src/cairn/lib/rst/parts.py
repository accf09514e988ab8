"""Collects what is found in a page of reStructuredText, with lines and offsets of the file."""

import re
from bisect import bisect_right
from collections.abc import Mapping

from cairn.lib.document.parts import Block, CodeSpan, PageHeading, PageLink, PageTarget
from cairn.lib.rst.inline import Markup, markup, read_role
from cairn.lib.rst.lines import Lines, RstLine
from cairn.lib.rst.names import Ids, normal_name, unescaped

_EMBEDDED = re.compile(r"(?:(?<![ \n])[ \n]++|\A)<(?!\s)((?:[^<>\0]|\0.)+)(?<![\s\0])>\Z", re.DOTALL)
_ESCAPED_BLANKS = re.compile(r"(\0[ \n])|[ \n]+")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+\Z")


class RstParts:
    """Everything that was found so far."""

    def __init__(self, lines: int) -> None:
        self.headings: list[PageHeading] = []
        self.targets: list[PageTarget] = []
        self.links: list[PageLink] = []
        self.spans: list[CodeSpan] = []
        self.blocks: list[Block] = []
        self.prose: list[str] = [""] * lines
        self.roles: dict[str, str] = {}
        """Roles that the page defines, with the role they are made of."""
        self.ids = Ids()
        self._columns: Mapping[int, int] = {}

    def columns(self, lines: Lines) -> None:
        """The offset at which each line of the file starts."""
        self._columns = {line.number: line.offset for line in lines}

    # --- blocks -----------------------------------------------------------------------------------------------------

    def heading(self, line: RstLine, level: int) -> None:
        text = self.text([line])
        shown = unescaped(" ".join(text.split()))
        identifier = self.ids.take(normal_name(shown), "section")
        self.headings.append(PageHeading(shown, line.number, level, (identifier,)))

    def target(self, name: str, line: int, url: str = "", tag: str = "target") -> None:
        normal = normal_name(unescaped(name))
        self.targets.append(PageTarget(normal, self.ids.take(normal, tag), line, url))

    def block(self, language: str, lines: Lines) -> None:
        if lines:
            self.blocks.append(Block(language, lines[0].number, tuple(line.text for line in lines)))

    def link(self, target: str, line: RstLine, kind: str, *, role: str = "", text: str = "") -> None:
        end = line.offset + len(line.text)
        self.links.append(PageLink(target, line.number, kind == "image", kind, line.offset, end, role, text))

    # --- text -------------------------------------------------------------------------------------------------------

    def text(self, lines: Lines) -> str:
        """Reads the inline markup of a paragraph; the result is its text as a reader sees it, escapes kept."""
        for line in lines:
            self._keep(line)
        joined = lines[0].text if len(lines) == 1 else "\n".join([line.text for line in lines])
        place = _Place(lines)
        shown: list[str] = []
        position = 0
        for found in markup(joined):
            if found.kind != "uri":
                shown += (joined[position : found.start], self._read(found, place))
                position = found.end
            else:
                self._add(unescaped(found.text), "auto", found, place)
        return "".join([*shown, joined[position:]]).replace("\\", "\0")

    def _keep(self, line: RstLine) -> None:
        column = line.offset - self._columns[line.number]
        before = self.prose[line.number - 1]
        after = before[column + len(line.text) :]
        self.prose[line.number - 1] = before[:column].ljust(column) + line.text + after

    def _add(self, target: str, kind: str, found: Markup, place: "_Place", *, role: str = "", text: str = "") -> None:
        line, offset = place.at(found.start)
        end = offset + found.end - found.start
        self.links.append(PageLink(target, line, False, kind, offset, end, role, text))

    def _read(self, found: Markup, place: "_Place") -> str:
        """Records one piece of markup, and returns the text that it shows."""
        kind, text = found.kind, found.text
        plain = unescaped(text)
        if kind == "literal":
            self.spans.append(CodeSpan(" ".join(text.replace("\0", "\\").split()), place.at(found.start)[0]))
            return text.replace("\0", "\\")
        if kind == "role":
            return self._role(found, place)
        if kind == "phrase":
            return self._phrase(found, place)
        if kind == "name":
            self._add("" if found.end_sign == "__" else normal_name(plain), "name", found, place, text=plain)
        elif kind == "footnote":
            self._add(plain, "footnote", found, place, role=found.role)
        elif kind == "target":
            self.target(text, place.at(found.start)[0])
        elif kind == "substitution":
            self._add(plain, "substitution", found, place)
            if found.end_sign:
                self._add("" if found.end_sign == "__" else normal_name(plain), "name", found, place, text=plain)
        return plain

    def _phrase(self, found: Markup, place: "_Place") -> str:
        embedded = _EMBEDDED.search(found.text) if found.text.endswith(">") else None
        if embedded is None:
            plain = unescaped(found.text)
            self._add("" if found.end_sign == "__" else normal_name(plain), "name", found, place, text=plain)
            return plain
        shown, inside = unescaped(found.text[: embedded.start()]), embedded[1]
        if inside.endswith("_") and not inside.endswith("\0_") and "://" not in inside:
            url, alias = "", normal_name(unescaped(inside[:-1]))
            self._add(alias, "name", found, place, text=shown)
        else:
            url = unescaped(_ESCAPED_BLANKS.sub(lambda blank: " " if blank[1] else "", inside))
            url = f"mailto:{url}" if _MAIL.match(url) else url
            self._add(url, "link", found, place, text=shown or url)
        if found.end_sign == "_":
            self.target(shown or url or alias, place.at(found.start)[0], url or f"{alias}_")
        return shown or url

    def _role(self, found: Markup, place: "_Place") -> str:
        line = place.at(found.start)[0]
        role = self.roles.get(found.role.lower(), found.role)
        text = found.text
        if not role:
            self.spans.append(CodeSpan(" ".join(unescaped(text).split()), line, "default"))
            return unescaped(text)
        read = read_role(role, text)
        if read.is_code:
            self.spans.append(CodeSpan(unescaped(read.target), line, role))
        if read.is_link:
            self._add(unescaped(read.target), "role", found, place, role=role, text=unescaped(read.title))
        return unescaped(read.title or text)


class _Place:
    """Where a position in the joined lines of a paragraph is in the file."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._starts = [0]
        for line in lines[:-1]:
            self._starts.append(self._starts[-1] + len(line.text) + 1)

    def at(self, position: int) -> tuple[int, int]:
        """(line, offset)."""
        index = bisect_right(self._starts, position) - 1
        line = self._lines[index]
        return line.number, line.offset + position - self._starts[index]
