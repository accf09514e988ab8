"""Reads the blocks of a page: sections, paragraphs, lists, literal blocks, tables, and explicit markup."""

import re

from cairn.lib.rst import lines as kinds
from cairn.lib.rst.inline import titled
from cairn.lib.rst.lines import (
    FIELD,
    GRID_TOP,
    SIMPLE_TOP,
    Directive,
    Lines,
    RstLine,
    dedented,
    grid_cells,
    grid_end,
    indented,
    item,
    marked,
    simple_cells,
    simple_end,
    split_directive,
    text_block,
    trimmed,
)
from cairn.lib.rst.names import SIMPLE_NAME, escaped, normal_name, unescaped
from cairn.lib.rst.parts import RstParts

DEEPEST = 40
"""Blocks nested deeper than this are not read; nobody writes them."""

_BULLET = re.compile(r"[-+*•‣⁃](?: +|\Z)")
_NUMBER = r"(?:[0-9]+|[a-zA-Z]|[ivxlcdm]+|[IVXLCDM]+|#)"
_ENUMERATOR = re.compile(rf"(?:\(?{_NUMBER}\)|{_NUMBER}\.)(?: +|\Z)")
_ARGUMENT = r"(?:[a-zA-Z][\w-]*|<[^<>]+>)"
_OPTION = rf"(?:[-+][a-zA-Z0-9](?: ?{_ARGUMENT})?|(?:--|/)[a-zA-Z0-9][\w-]*(?:[ =]{_ARGUMENT})?)"
_OPTIONS = re.compile(rf"{_OPTION}(?:, {_OPTION})*(?:  +| ?\Z)", re.ASCII)
_DOCTEST = re.compile(r">>>(?: +|\Z)")
_LINE_BLOCK = re.compile(r"\|(?: +|\Z)")
_EXPLICIT = re.compile(r"\.\.(?: +|\Z)")
_ANONYMOUS = re.compile(r"__(?: +|\Z)")
_RULE = re.compile(r"([!-/:-@\[-`{-~])\1* *\Z")
_LITERAL_SIGN = re.compile(r"(?<!\\)(?:\\\\)*::\Z")
_NOTE = re.compile(rf"\.\. +\[(?:([0-9]+|\#(?:{SIMPLE_NAME})?|\*)|({SIMPLE_NAME}))\](?: +|\Z)")
_DIRECTIVE = re.compile(rf"\.\. +({SIMPLE_NAME}) ?::(?: +|\Z)")
_SUBSTITUTION = re.compile(rf"\.\. +\|(?! )([^|]+?(?<! ))\| +({SIMPLE_NAME}) ?::(?: +|\Z)")
_TARGET = re.compile(
    r"(?:(?P<anonymous>_)|(?!_)(?P<quote>`?)(?![ `])(?P<name>.+?)(?<![\s\0])(?P=quote))"
    r"(?<!(?<!\0):)(?<![\s\0]) ?:(?: +|\Z)"
)
_REFERENCE = re.compile(rf"(?:({SIMPLE_NAME})_|`(?! )(.+?)(?<![\s\0])`_)\Z")
_ROLE_DEFINITION = re.compile(r"([\w-]+)(?:\s*\(\s*([\w-]+)\s*\))?")
_FIRST = frozenset("-+*•‣⁃:>|.=_(#/")


class BlockReader:
    """Walks over lines, and tells `found` what they hold."""

    def __init__(self, found: RstParts) -> None:
        self._found = found
        self._styles: list[str] = []

    def read(self, lines: Lines, depth: int = 0, *, sections: bool = False) -> None:
        at = 0
        while at < len(lines):
            at = self._block(lines, at, depth, sections)

    def _nested(self, lines: Lines, depth: int, *, sections: bool = False) -> None:
        if depth < DEEPEST:
            self.read(lines, depth + 1, sections=sections)

    def _block(self, lines: Lines, at: int, depth: int, sections: bool) -> int:
        text = lines[at].text
        if not text:
            return at + 1
        if text[0] == " ":
            block, end = indented(lines, at)
            self._nested(block, depth)
            return end
        end = self._list(lines, at, depth) if text[0] in _FIRST or text[0].isalnum() else at
        if end == at and text[0] in "|+=>":
            end = self._table(lines, at, depth)
        if end == at and text[0] in "._":
            end = self._explicit(lines, at, depth, sections)
        if end == at and _RULE.match(text):
            end = self._rule(lines, at, sections)
        return end if end > at else self._text(lines, at, depth, sections)

    # --- lists ------------------------------------------------------------------------------------------------------

    def _list(self, lines: Lines, at: int, depth: int) -> int:
        text = lines[at].text
        if (found := _BULLET.match(text)) or ((found := _ENUMERATOR.match(text)) and _is_item(lines, at)):
            block, end = item(lines, at, found.end())
        elif text[0] == ":" and (found := FIELD.match(text)):
            self._found.text([RstLine(found[1], lines[at].number, lines[at].offset + 1)])
            block, end = marked(lines, at, found.end())
        elif text[0] in "-+/" and (found := _OPTIONS.match(text)) and _has_description(lines, at, found.end()):
            block, end = marked(lines, at, found.end())
        else:
            return at
        self._nested(block, depth)
        return end

    # --- tables, line blocks, doctests --------------------------------------------------------------------------------

    def _table(self, lines: Lines, at: int, depth: int) -> int:
        text = lines[at].text
        if text[0] == ">" and _DOCTEST.match(text):
            end = next((i for i in range(at, len(lines)) if not lines[i].text), len(lines))
            self._found.block("pycon", lines[at:end])
            return end
        if text[0] == "|" and _LINE_BLOCK.match(text):
            return self._line_block(lines, at)
        if text[0] == "+" and GRID_TOP.match(text):
            end = grid_end(lines, at)
            for cell in grid_cells(lines[at:end]):
                self._nested(cell, depth)
            return end
        if text[0] == "=" and SIMPLE_TOP.match(text):
            end = simple_end(lines, at)
            for cell in simple_cells(lines[at:end]):
                self._nested(cell, depth)
            return end
        return at

    def _line_block(self, lines: Lines, at: int) -> int:
        while at < len(lines) and (found := _LINE_BLOCK.match(lines[at].text)):
            end = at + 1
            while end < len(lines) and lines[end].text.startswith(" "):
                end += 1
            first = lines[at].cut(found.end())
            rest = dedented(lines[at + 1 : end])
            if first.text:
                self._found.text([first, *rest])
            at = end
        return at

    # --- sections -----------------------------------------------------------------------------------------------------

    def _rule(self, lines: Lines, at: int, sections: bool) -> int:
        """A line over a title, or a transition; `at` if it is text."""
        rule = lines[at].text
        title = lines[at + 1].text if at + 1 < len(lines) else ""
        under = lines[at + 2].text if at + 2 < len(lines) else ""
        if not title:
            return at + 1 if len(rule) >= 4 else at
        if not sections or under != rule or (len(rule) < 4 and len(title.rstrip()) > len(rule)):
            return at if len(rule) < 4 else at + 1
        indent = len(title) - len(title.lstrip())
        self._heading(lines[at + 1].cut(indent), f"{rule[0]}{rule[0]}")
        return at + 3

    def _heading(self, line: RstLine, style: str) -> None:
        if style not in self._styles:
            self._styles.append(style)
        self._found.heading(line, self._styles.index(style) + 1)

    # --- paragraphs ---------------------------------------------------------------------------------------------------

    def _text(self, lines: Lines, at: int, depth: int, sections: bool) -> int:
        following = lines[at + 1].text if at + 1 < len(lines) else ""
        if following.startswith(" "):
            return self._definition(lines, at, depth)
        if following and _RULE.match(following):
            rule = following.rstrip()
            if len(rule) >= 4 or len(rule) >= len(lines[at].text):
                if sections:
                    self._heading(lines[at], rule[0])
                return at + 2
        end = text_block(lines, at)
        return self._paragraph(lines, at, max(end, at + 1))

    def _definition(self, lines: Lines, at: int, depth: int) -> int:
        self._found.text([lines[at]])
        block, end = indented(lines, at + 1)
        self._nested(block, depth)
        return end

    def _paragraph(self, lines: Lines, at: int, end: int) -> int:
        last = lines[end - 1]
        if not last.text.endswith("::") or not _LITERAL_SIGN.search(last.text):
            self._found.text(lines[at:end])
            return end
        shown = last.text[:-2].rstrip() if last.text[:-2].endswith(" ") else last.text[:-1]
        if last.text != "::":
            self._found.text([*lines[at : end - 1], last._replace(text=shown)])
        elif end - at > 1:
            self._found.text(lines[at : end - 1])
        return self._literal(lines, end)

    def _literal(self, lines: Lines, at: int) -> int:
        block, end = indented(lines, at)
        if not block:
            return self._quoted(lines, at)
        while block and not block[0].text:
            block = block[1:]
        self._found.block("", block)
        return end

    def _quoted(self, lines: Lines, at: int) -> int:
        while at < len(lines) and not lines[at].text:
            at += 1
        if at == len(lines) or not _RULE.match(lines[at].text[:1]):
            return at
        end = next((i for i in range(at, len(lines)) if not lines[i].text.startswith(lines[at].text[0])), len(lines))
        self._found.block("", lines[at:end])
        return end

    # --- explicit markup ----------------------------------------------------------------------------------------------

    def _explicit(self, lines: Lines, at: int, depth: int, sections: bool) -> int:
        text = lines[at].text
        if anonymous := _ANONYMOUS.match(text):
            return self._target_block(lines, at, anonymous.end(), anonymous=True)
        start = _EXPLICIT.match(text)
        if not start:
            return at
        if text.startswith("_", start.end()):
            end = self._target_block(lines, at, start.end() + 1)
            if end > at:
                return end
        if note := _NOTE.match(text):
            self._found.target(note[1] or note[2], lines[at].number, tag="footnote")
            block, end = marked(lines, at, note.end())
            self._nested(block, depth)
            return end
        if substitution := _SUBSTITUTION.match(text):
            return self._directive(lines, at, substitution[2], substitution.end(), depth, sections)
        if directive := _DIRECTIVE.match(text):
            return self._directive(lines, at, directive[1], directive.end(), depth, sections)
        if len(text) == start.end() and (at + 1 == len(lines) or not lines[at + 1].text):
            return at + 1
        return indented(lines, at + 1)[1]

    def _target_block(self, lines: Lines, at: int, width: int, *, anonymous: bool = False) -> int:
        end = at + 1
        while end < len(lines) and lines[end].text.startswith(" "):
            end += 1
        whole = escaped("".join([lines[at].text[width:], *(f" {line.text.strip()}" for line in lines[at + 1 : end])]))
        name = ""
        if not anonymous:
            found = _TARGET.match(whole)
            if not found:
                return at
            name, whole = found["name"] or "", whole[found.end() :]
        self._target(name, whole.strip(), lines[at], at_url=lines[at])
        return end

    def _target(self, name: str, address: str, line: RstLine, *, at_url: RstLine) -> None:
        indirect = _REFERENCE.match(address) if address.endswith("_") else None
        if indirect:
            alias = normal_name(unescaped(indirect[1] or indirect[2]))
            self._found.link(alias, at_url, "name", role="definition")
            url = f"{alias}_"
        else:
            url = unescaped(address.replace(" ", ""))
            if url:
                self._found.link(url, at_url, "link", role="definition", text=unescaped(name))
        if name:
            self._found.target(name, line.number, url)

    # --- directives ---------------------------------------------------------------------------------------------------

    def _directive(self, lines: Lines, at: int, name: str, width: int, depth: int, sections: bool) -> int:
        block, end = marked(lines, at, width)
        if not block:
            block = [lines[at].cut(width)]
        read = split_directive(name.lower(), lines[at], block)
        self._read_directive(read, depth, sections)
        if (named := read.options.get("name")) and named.text:
            self._found.target(named.text, lines[at].number)
        return end

    def _read_directive(self, read: Directive, depth: int, sections: bool) -> None:
        name = read.name
        if name in kinds.WITH_FILE and (file := read.options.get("file")) and file.text:
            self._found.link(file.text, file, "include", role=name)
        if name in kinds.CODE:
            self._code(read)
        elif name in ("image", "figure"):
            self._image(read, depth)
        elif name in kinds.INCLUDES and read.argument:
            self._found.link(read.argument[0].text, read.argument[0], "include", role=name)
        elif name == "toctree":
            self._toctree(read)
        elif name == "role" and read.argument:
            self._define_role(read.argument[0].text)
        elif name in kinds.ADMONITIONS:
            self._nested([*read.argument, *_blank(read), *read.content], depth)
        elif name not in kinds.UNREAD:
            self._generic(read, depth, sections)

    def _generic(self, read: Directive, depth: int, sections: bool) -> None:
        name, argument = read.name, read.argument
        if name in kinds.VERSIONS and argument:
            version = len(argument[0].text.partition(" ")[0]) + 1
            argument = [line for line in (argument[0].cut(version), *argument[1:]) if line.text]
        if name in kinds.TITLED | kinds.VERSIONS and argument:
            self._found.text(argument)
        if not (sections and name in kinds.NESTED_SECTIONS):
            self._nested(read.content, depth)
            return
        styles, self._styles = self._styles, list(self._styles)
        self._nested(read.content, depth, sections=True)
        self._styles = styles

    def _code(self, read: Directive) -> None:
        language = kinds.CODE[read.name]
        content = read.content
        if read.name in kinds.WITH_LANGUAGE:
            language = read.argument[0].text.split()[0].lower() if read.argument else ""
        elif read.argument and not content:
            content = read.argument
        if read.name == "parsed-literal":
            content = trimmed([*read.argument, *_blank(read), *read.content])
            self._found.text([line for line in content if line.text]) if content else None
        self._found.block(language, content)

    def _image(self, read: Directive, depth: int) -> None:
        if read.argument:
            self._found.link("".join(read.argument[0].text.split()), read.argument[0], "image", role=read.name)
        if (target := read.options.get("target")) and target.text:
            self._target("", escaped(target.text), target, at_url=target)
        self._nested(read.content, depth)

    def _toctree(self, read: Directive) -> None:
        for line in read.content:
            title, target = titled(line.text)
            if target and target != "self":
                role = "glob" if "glob" in read.options else ""
                self._found.link(target, line, "toctree", role=role, text=title)

    def _define_role(self, text: str) -> None:
        if found := _ROLE_DEFINITION.match(text):
            self._found.roles[found[1].lower()] = found[2] or "emphasis"


def _blank(read: Directive) -> list[RstLine]:
    """Keeps the argument apart from content that stands behind a blank line."""
    return [RstLine("", read.line.number, read.line.offset)] if read.argument and read.content else []


def _is_item(lines: Lines, at: int) -> bool:
    following = lines[at + 1].text if at + 1 < len(lines) else ""
    return not following or following[0] == " " or _ENUMERATOR.match(following) is not None


def _has_description(lines: Lines, at: int, width: int) -> bool:
    following = lines[at + 1].text if at + 1 < len(lines) else ""
    return len(lines[at].text) > width or following.startswith(" ")
