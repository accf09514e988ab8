"""The slug functions of renderers: from the visible text of a heading to its anchor, duplicates numbered."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

# --- GitHub and relatives -------------------------------------------------------------------------------------------

_ASCII_DROPPED = re.compile(r"[^a-z0-9_\- ]")


def github(text: str) -> str:
    """Keeps letters, marks, digits, `_` and `-`. Emoji disappear, but a variation selector is a mark and stays."""
    lowered = text.lower()
    if lowered.isascii():
        return _ASCII_DROPPED.sub("", lowered).replace(" ", "-")
    return "".join(map(_github_character, lowered))


@cache
def _github_character(character: str) -> str:
    if character in " -":
        return "-"
    kept = unicodedata.category(character) in _ALPHABETIC or _is_letter_in_circle(character)
    return character if kept else ""


_ALPHABETIC = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "Pc"})


def _is_letter_in_circle(character: str) -> bool:
    """Symbols that Unicode counts as alphabetic."""
    point = ord(character)
    return 0x24B6 <= point <= 0x24E9 or (0x1F130 <= point <= 0x1F189 and point not in _NOT_ALPHABETIC)


_NOT_ALPHABETIC = frozenset((*range(0x1F14A, 0x1F150), *range(0x1F16A, 0x1F170)))


def gitlab(text: str) -> str:
    """Like GitHub, with all numbers."""
    return "".join(map(_gitlab_character, text.lower()))


@cache
def _gitlab_character(character: str) -> str:
    if character in " -":
        return "-"
    category = unicodedata.category(character)
    return character if category[0] in "LMN" or category == "Pc" else ""


def gitlab_legacy(text: str) -> str:
    """Before version 17: hyphens in a row become one, and a number gets a prefix."""
    slug = re.sub(r"-{2,}", "-", github(text.strip()))
    return f"anchor-{slug}" if slug.isdecimal() else slug


def jekyll(text: str) -> str:
    """kramdown with GitHub's input, which Jekyll uses by default."""
    return "".join(_github_character(lowered) for character in text.replace("\t", " ") for lowered in character.lower())


def myst(text: str) -> str:
    return re.sub(r"[^\w一-鿿\- ]", "", text.lower().replace(" ", "-"))


# --- others ---------------------------------------------------------------------------------------------------------


def mkdocs(text: str) -> str:
    """Python-Markdown's default: ASCII only."""
    return mkdocs_unicode(unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode())


def mkdocs_unicode(text: str) -> str:
    words = re.sub(r"[^\w\s-]", "", text).strip().lower()
    return re.sub(r"[-\s]+", "-", words)


_TAGS = re.compile(r"<[^>]*>")


def pymdownx(text: str, case: str = "none") -> str:
    """`pymdownx.slugs.slugify`. The cases are `none`, `lower`, `fold` and `lower-ascii`."""
    written = unicodedata.normalize("NFC", text)
    end = written.rfind(">") + 1  # behind it no tag is closed, and looking for one from each `<` takes long
    plain = (_TAGS.sub("", written[:end]) + written[end:]).strip()
    return re.sub(r"[^\w\- ]", "", _CASES[case](plain)).replace(" ", "-")


_CASES: dict[str, Callable[[str], str]] = {
    "none": str,
    "lower": str.lower,
    "fold": str.casefold,
    "lower-ascii": lambda text: re.sub("[A-Z]+", lambda found: found[0].lower(), text),
}


def docutils(text: str) -> str:
    """`docutils.nodes.make_id`. Empty for a heading without Latin letters."""
    lowered = " ".join(text.lower().split()).translate(_LATIN)
    plain = unicodedata.normalize("NFKD", lowered).encode("ascii", "ignore").decode()
    return re.sub(r"^[-0-9]+|-+$", "", re.sub("[^a-z0-9]+", "-", plain))


_LATIN: dict[int, str] = dict(
    zip(map(ord, "øđħıłŧƀƃƈƌƒƙƚƞƥƫƭƴƶǥȥȴȵȶȷȼȿɀɇɉɋɍɏ"), "odhiltbbcdfklnpttyzgzlntjcszejqry", strict=True)
)
_LATIN |= {ord("ß"): "sz", ord("æ"): "ae", ord("œ"): "oe", ord("ȸ"): "db", ord("ȹ"): "qp"}


def vitepress(text: str) -> str:
    """Keeps emoji and most symbols. A digit at the start gets an underscore."""
    plain = re.sub("[\u0300-\u036f\x00-\x1f]", "", unicodedata.normalize("NFKD", text))
    dashed = re.sub("-{2,}", "-", _VITEPRESS_DASHED.sub("-", plain)).strip("-")
    return re.sub("^([0-9])", r"_\1", dashed).lower()


_VITEPRESS_DASHED = re.compile(
    "[ \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff~`!@#$%^&*()\\-_+=[\\]{}|\\\\;:\"'“”‘’<>,.?/]+"
)


def mdbook(text: str) -> str:
    return "".join(map(_mdbook_character, text.strip().lower())) or "section"


def mdbook_legacy(text: str) -> str:
    """Before version 0.5: only ASCII letters become lower case."""
    lowered = re.sub("[A-Z]+", lambda found: found[0].lower(), text.strip())
    return "".join(map(_mdbook_character, lowered))


@cache
def _mdbook_character(character: str) -> str:
    if character.isspace():
        return "-"
    kept = character in "_-" or _is_alphanumeric(character)
    return character if kept else ""


def _is_alphanumeric(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] in "LN" or _is_letter_in_circle(character) or (category in ("Mn", "Mc") and _is_vowel(character))


def _is_vowel(mark: str) -> bool:
    """Most marks that Unicode counts as alphabetic are vowel signs, which are not reordered."""
    return unicodedata.combining(mark) == 0 and not "\ufe00" <= mark <= "\ufe0f"


def kramdown(text: str) -> str:
    """Plain kramdown slugs the Markdown itself, from its first letter on."""
    kept = re.sub("[^a-zA-Z0-9 -]", "", re.sub("^[^a-zA-Z]+", "", text, flags=re.MULTILINE))
    return kept.replace(" ", "-").lower() or "section"


def hugo(text: str) -> str:
    """A heading without any text has no anchor."""
    return "".join(map(_hugo_character, text.strip())) or ("heading" if text.strip(" \t\n") else "")


@cache
def _hugo_character(character: str) -> str:
    if character in " -":
        return "-"
    kept = character == "_" or unicodedata.category(character)[0] == "L" or unicodedata.category(character) == "Nd"
    return character.lower()[0] if kept else ""


class Slug(NamedTuple):
    text: str
    fixed: bool
    """Set by the author. Such an id is never numbered."""


Numbering = Callable[[Sequence[Slug]], list[str]]


def slugger(slugs: Sequence[Slug]) -> list[str]:
    """github-slugger: counts per slug, skips taken numbers. Ids set by the author don't count."""
    seen: dict[str, int] = {}
    return [slug.text if slug.fixed else _counted(slug.text, seen) for slug in slugs]


def _counted(slug: str, seen: dict[str, int]) -> str:
    name = slug
    while name in seen:
        seen[slug] += 1
        name = f"{slug}-{seen[slug]}"
    seen[name] = 0
    return name


def first_free(slugs: Sequence[Slug]) -> list[str]:
    """The first of `x`, `x-1`, `x-2` … that no earlier heading has."""
    taken: set[str] = set()
    names: list[str] = []
    for slug in slugs:
        names.append(slug.text if slug.fixed else _free(slug.text, taken))
        taken.add(names[-1])
    return names


def _free(slug: str, taken: set[str]) -> str:
    name, number = slug, 0
    while name in taken:
        number += 1
        name = f"{slug}-{number}"
    return name


def first_free_if_any(slugs: Sequence[Slug]) -> list[str]:
    """Like `first_free`; an empty slug is no anchor and is never numbered."""
    numbered = iter(first_free([slug for slug in slugs if slug.text]))
    return [next(numbered) if slug.text else "" for slug in slugs]


def counted(slugs: Sequence[Slug]) -> list[str]:
    """The second `x` is `x-1`, even where that name is taken."""
    seen: Counter[str] = Counter()
    names: list[str] = []
    for slug in slugs:
        number = 0 if slug.fixed else seen[slug.text]
        names.append(f"{slug.text}-{number}" if number else slug.text)
        seen[slug.text] += not slug.fixed
    return names


def underscored(slugs: Sequence[Slug]) -> list[str]:
    """Python-Markdown: `x_1`; an `x_1` that is taken becomes `x_2`; an empty slug becomes `_1`."""
    taken = {slug.text for slug in slugs if slug.fixed}
    return [slug.text if slug.fixed else _underscored(slug.text, taken) for slug in slugs]


def _underscored(slug: str, taken: set[str]) -> str:
    name = slug
    while name in taken or not name:
        found = re.fullmatch("(.*)_([0-9]+)", name, re.DOTALL)
        name = f"{found[1]}_{int(found[2]) + 1}" if found else f"{name}_1"
    taken.add(name)
    return name


def numbered_docutils(slugs: Sequence[Slug]) -> list[str]:
    """Sphinx: a duplicate or empty id is `id1`, `id2` … over the whole page."""
    taken: set[str] = set()
    names: list[str] = []
    number = 0
    for slug in slugs:
        name = slug.text
        while not name or (name in taken and not slug.fixed):
            number += 1
            name = f"id{number}"
        names.append(name)
        taken.add(name)
    return names
