"""What the text of a role means: a place, code, or words that are only styled."""

from typing import NamedTuple

from cairn.lib.rst.names import words

_STYLED = words(
    "emphasis strong sub subscript sup superscript title title-reference t raw math abbr abbreviation ac "
    "acronym menuselection guilabel dfn index"
)
_CODE = words(
    "code literal file samp command program kbd regexp makevar mimetype mailheader newsgroup option envvar "
    "token keyword func class meth mod attr data exc obj const type var macro member enum enumerator struct "
    "union dir rst confval module method function"
)
_PLAIN_CODE = words("code literal file samp command program kbd regexp makevar mimetype mailheader newsgroup")


class Role(NamedTuple):
    target: str
    title: str
    is_link: bool
    is_code: bool


def titled(text: str) -> tuple[str, str]:
    """The title and the target of `title <target>`; without a title, the text is the target."""
    title, bracket, target = text.removesuffix(">").rpartition("<")
    is_titled = text.endswith(">") and bracket and title.strip() and not title.endswith("\0")
    return (title.rstrip(), target) if is_titled else ("", text)


def read_role(role: str, text: str) -> Role:
    """The target of a role's text, whether it leads somewhere, and whether it is code."""
    name = role.lower()
    local = name.rpartition(":")[2]
    if name in _STYLED:
        return Role("", "", False, False)
    title, target = (" ".join(part.split()) for part in titled(text))
    silent = text.startswith("!")
    is_code = name in _CODE or (":" in name and not name.startswith("std:")) or local in _CODE
    return Role(target.lstrip("!~"), title.lstrip("!"), not silent and name not in _PLAIN_CODE, is_code)
