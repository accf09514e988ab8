"""Expands the patterns in `bench/injection/` into sentences to train the injection detector with.

`(a|b|c)` is one of the three, a group without `|` is text in parentheses, and a backslash keeps the next character.
`@H` is a host name, `@M` a mail address, `@I` an IP address, `@N` a name, `@w` a made-up word. `# kind` begins a kind.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

SYLLABLES = (
    "ba be bi bo bu da de do du fa fe fi ga go ka ke ki ko la le li lo lu ma me mi mo na ne no pa pe pi po ra re ri ro "
    "sa se si so ta te ti to va ve vi vo za zo net dev tool sync hub log data box lab kit run fast"
).split()
DOMAINS = "com net org io app xyz info top cloud dev example".split()
FORMS = (
    *("{}",) * 12,
    *("<!-- {} -->",) * 2,
    *("- {}",) * 2,
    "> {}",
    "[//]: # ({})",
    "Summary: small service. {}",
    "1. {}",
    "**Note:** {}",
)


def sentences(path: Path, each: int, seed: int = 7) -> Iterator[tuple[str, str]]:
    """Kind and sentence, up to `each` different ones per pattern."""
    random, kind = Random(seed), "honest"
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("# "):
            kind = line[2:]
        elif line.strip():
            made = dict.fromkeys(_filled(_expanded(line, 0, random)[0], random) for _ in range(each))
            yield from ((kind, random.choice(FORMS).format(one)) for one in made)


def _expanded(line: str, at: int, random: Random, *, inside: bool = False) -> tuple[str, int]:
    """The text up to the end of the group that `at` is in, and where that is."""
    choices = [""]
    while at < len(line):
        char, at = line[at], at + 1
        if char == "\\":
            choices[-1] += line[at : at + 1]
            at += 1
        elif char == "(":
            group, at = _expanded(line, at, random, inside=True)
            choices[-1] += group
        elif char == "|" and inside:
            choices.append("")
        elif char == ")" and inside:
            return (random.choice(choices) if len(choices) > 1 else f"({choices[0]})"), at
        else:
            choices[-1] += char
    return "".join(choices), at


def _filled(text: str, random: Random) -> str:
    for mark, make in (("@H", _host), ("@M", _mail), ("@I", _number), ("@N", _name), ("@[wW]", _word)):
        text = re.sub(mark, lambda _, make=make: make(random), text)  # type: ignore[misc]
    return re.sub(r" ([.,])(?=\s|$)", r"\1", re.sub(" +", " ", text)).strip()


def _word(random: Random, size: int = 2) -> str:
    return "".join(random.choice(SYLLABLES) for _ in range(size))


def _host(random: Random) -> str:
    return f"{_word(random)}.{_word(random)}{random.choice(('-', ''))}{_word(random)}.{random.choice(DOMAINS)}"


def _mail(random: Random) -> str:
    return f"{_word(random)}@{_host(random)}"


def _number(random: Random) -> str:
    return ".".join(str(random.randint(11, 223)) for _ in range(4))


def _name(random: Random) -> str:
    return _word(random, 3).capitalize()
