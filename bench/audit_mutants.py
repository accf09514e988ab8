"""Changes of pages made by rule: what happens to pages all the time and means nothing, and what means something."""

import random
import re
import textwrap
from collections.abc import Callable, Sequence
from typing import NamedTuple

from audit_triples import Page

Rewriter = Callable[[str, random.Random], str]

NAVIGATION = """Home|Products|Pricing|Documentation|Blog|Community|Support|Sign in|Contact sales|Search|Menu|Downloads
|Careers|Status|Partners|Events|Learn|Changelog|API reference|Tutorials|Get started""".replace("\n", "").split("|")
BANNERS = (
    "We use cookies to improve your experience. Accept all cookies or manage consent.",
    "Join us at our yearly conference and save your seat.",
    "Subscribe to our newsletter and never miss a release.",
    "Was this page helpful? Yes No",
    "New: read about our plans for the coming year on the blog.",
    "This site uses cookies for statistics.",
)
SWAPS = (("use", "employ"), ("create", "make"), ("show", "display"), ("large", "big"), ("about", "roughly"))
APPENDED = (
    "## Changelog\n\n- Fixed a typo in the second example.\n- Better contrast for links in dark mode.",
    "## Getting help\n\nAsk in the forum or open a ticket. We answer within 2 working days, on weekends within 4.",
    "## What's next\n\nVersion 9 of the console brings a new editor. The old one is deprecated.",
    "## Regions\n\nThe service now runs in 14 regions. Traffic between regions costs $0.02 per GB.",
    "## Credits\n\nThis guide was written by volunteers. It must not be printed without the list of authors.",
)


class Made(NamedTuple):
    what: str
    old: str
    new: str


# --- layout ---------------------------------------------------------------------------------------------------------


def shuffle(text: str, rng: random.Random) -> str:
    """Sections in another order."""
    parts = re.split(r"\n(?=#{1,2} )", text)
    rest = parts[1:]
    rng.shuffle(rest)
    return "\n".join([parts[0], *rest])


def redesign(text: str, _: random.Random) -> str:
    """The same text with other marks: headings, bullets, tables, emphasis."""
    text = re.sub(r"^(#+) (.*)$", lambda found: f"{found[1]}# {found[2]}", text, flags=re.MULTILINE)
    text = re.sub(r"^- ", "* ", text, flags=re.MULTILINE)
    text = re.sub(r"^\| (.*) \|$", r"\1", text, flags=re.MULTILINE)
    return re.sub(r"(?<!`)`(?!`)", "", text)


def reflow(text: str, rng: random.Random) -> str:
    """Paragraphs wrapped at another width."""
    width = rng.choice((60, 72, 100))
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else _rewrapped(part, width) for part in parts)


def _rewrapped(text: str, width: int) -> str:
    return "\n".join(_wrapped(line, width) for line in text.split("\n"))


def _wrapped(line: str, width: int) -> str:
    if line.startswith(("#", "|", "- ", "* ", "```")) or " | " in line or line[:1] == " ":
        return line
    return "\n".join(textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)) if line else line


# --- harmless -------------------------------------------------------------------------------------------------------


def harmless(page: Page, known: Sequence[Page], rng: random.Random) -> Made:
    """A page among other texts, in which everything changes but what the entry is about."""
    other = _others(page, known, rng)
    old = _dressed(_headed(page), other, rng)
    names = rng.sample(sorted(HARMLESS), rng.randint(1, 4))
    changed, source = other, _headed(page)
    for name in names:
        source, changed = HARMLESS[name](source, changed, rng)
    return Made(", ".join(names), old, _dressed(source, changed, rng))


def _others(page: Page, known: Sequence[Page], rng: random.Random) -> list[str]:
    """Pages about something else, each as a section."""
    strangers = rng.sample([one for one in known if one.file != page.file], 4)
    return [f"## {_title(one)}\n\n" + re.sub(r"^# .*\n+", "", one.source) for one in strangers]


def _headed(page: Page) -> str:
    return page.source if page.source.startswith("#") else f"# {_title(page)}\n\n{page.source}"


def _title(page: Page) -> str:
    return page.name.replace("-", " ").capitalize()


def _dressed(source: str, other: Sequence[str], rng: random.Random) -> str:
    """With navigation, a stamp, a counter and other texts around it."""
    navigation = "\n".join(f"- {word}" for word in rng.sample(NAVIGATION, 8))
    stamp = f"Last updated: {rng.randint(1, 28)} May {rng.randint(2019, 2026)}"
    build = f"Build {rng.getrandbits(64):016x}"
    views = f"{rng.randint(100, 99999):,} views"
    half = len(other) // 2
    return "\n\n".join([navigation, *other[:half], source, *other[half:], stamp, views, build])


Harmless = Callable[[str, list[str], random.Random], tuple[str, list[str]]]


def _banner(source: str, other: list[str], rng: random.Random) -> tuple[str, list[str]]:
    return source, [rng.choice(BANNERS), *other]


def _reflowed(source: str, other: list[str], rng: random.Random) -> tuple[str, list[str]]:
    return reflow(source, rng), [reflow(part, rng) for part in other]


def _redesigned(source: str, other: list[str], rng: random.Random) -> tuple[str, list[str]]:
    return redesign(source, rng), [redesign(part, rng) for part in other]


def _reordered(source: str, other: list[str], rng: random.Random) -> tuple[str, list[str]]:
    return shuffle(source, rng), rng.sample(other, len(other))


def _appended(source: str, other: list[str], rng: random.Random) -> tuple[str, list[str]]:
    return source, [*other, rng.choice(APPENDED)]


def _dropped(source: str, other: list[str], rng: random.Random) -> tuple[str, list[str]]:
    return source, rng.sample(other, len(other) * 3 // 4)


def _other_numbers(source: str, other: list[str], rng: random.Random) -> tuple[str, list[str]]:
    return source, [_numbers(part, rng) if rng.random() < 0.5 else part for part in other]


def _other_duties(source: str, other: list[str], rng: random.Random) -> tuple[str, list[str]]:
    return source, [_duties(part) if rng.random() < 0.5 else part for part in other]


def _other_words(source: str, other: list[str], _: random.Random) -> tuple[str, list[str]]:
    return source, [_swapped(part) for part in other]


def _in_one_line(source: str, other: list[str], _: random.Random) -> tuple[str, list[str]]:
    """Blocks without empty lines between them, as some canonical texts have them."""
    return re.sub(r"\n\n(?![#|])", "\n", source), other


def _typography(source: str, other: list[str], _: random.Random) -> tuple[str, list[str]]:
    return source.replace("'", "’").replace("n't", "n’t"), other


HARMLESS: dict[str, Harmless] = {
    "banner": _banner,
    "reflow": _reflowed,
    "redesign": _redesigned,
    "order": _reordered,
    "appended": _appended,
    "dropped": _dropped,
    "other numbers": _other_numbers,
    "other duties": _other_duties,
    "other words": _other_words,
    "in one line": _in_one_line,
    "typography": _typography,
}


# --- harmful --------------------------------------------------------------------------------------------------------


def harmful(page: Page, known: Sequence[Page], rng: random.Random) -> Made | None:
    """Something that the entry relies on is turned, amid changes that mean nothing."""
    relied = [before for triple in page.triples if triple.label == "minor-drift" for before, _ in triple.edits]
    turns = [turn for before in relied for turn in _turns(page, before, rng)]
    if not turns:
        return None
    before, after = rng.choice(turns)
    source = _headed(page).replace(before, after, 1)
    other = _others(page, known, rng)
    old = _dressed(_headed(page), other, rng)
    for name in rng.sample(sorted(HARMLESS), rng.randint(0, 2)):
        source, other = HARMLESS[name](source, other, rng)
    return Made(f"{before} → {after}", old, _dressed(source, other, rng))


def _turns(page: Page, fragment: str, rng: random.Random) -> list[tuple[str, str]]:
    """Ways to turn what a sentence says, of what the entry says, too."""
    found = []
    for number in re.findall(r"\b\d[\d,.]*\b(?<![.,])", fragment):
        if re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d]|[.,]\d)", page.entry):
            found.append((fragment, fragment.replace(number, _another(number, rng), 1)))
    for name in re.findall(r"`([^`]+)`", fragment):
        if f"`{name}`" in page.entry:
            found.append((fragment, fragment.replace(f"`{name}`", f"`{_renamed(name, rng)}`", 1)))
    turned = _duties(fragment)
    return [*found, (fragment, turned)] if turned != fragment else found


def _numbers(text: str, rng: random.Random) -> str:
    return re.sub(r"\b\d[\d,.]*\b(?<![.,])", lambda found: _another(found[0], rng), text)


def _another(number: str, rng: random.Random) -> str:
    if number.count(".") > 1:
        return f"{rng.randint(2, 9)}{number[1:]}0"
    plain = float(number.replace(",", ""))
    changed = plain * rng.choice((0.5, 2, 3, 1.5, 10)) + rng.choice((0, 1))
    if changed == plain:
        changed += 2
    return f"{changed:,.0f}" if "." not in number else f"{changed:.1f}"


def _renamed(name: str, rng: random.Random) -> str:
    return rng.choice(("x-", "new_", "alt")) + re.sub(r"[aeiou]", "u", name) + rng.choice(("", "_v2"))


DUTIES = (("must not", "may"), ("must", "may"), ("should", "may"), ("does not", "always does"), ("can't", "can"))


def _duties(text: str) -> str:
    for before, after in DUTIES:
        if re.search(rf"\b{before}\b", text):
            return re.sub(rf"\b{before}\b", after, text, count=1)
    return text


def _swapped(text: str) -> str:
    for before, after in SWAPS:
        text = re.sub(rf"\b{before}\b", after, text)
    return text
