"""What a file of lessons says was missing."""

import pytest

from cairn.observe.lessons import scan_lessons

CASES = {
    "": [],
    "   \n\n": [],
    "All went well.": [],
    "<!-- gap-topic: rate-limits -->": ["rate-limits"],
    "<!--gap-topic:a--> and <!-- gap-topic: b-c -->": ["a", "b-c"],
    "<!-- gap-topic: Rate Limits -->": [],
    "<!-- gap-topic: Rate-Limits -->": [],
    "<!-- gap-topic: überprüfung -->": ["überprüfung"],
    "It would have helped to have a guide on Rate Limits.": [],
    "Missing guide on 'retry storms', again": [],
    "There is no knowledge entry for node.js streams. Nor others.": [],
    "MISSING KNOWLEDGE: `3D Rendering`!": ["3d-rendering"],
    "missing knowledge: the user's locale": ["the-users-locale"],
    'missing knowledge: "what\u2019s new in Node"': ["whats-new-in-node"],
    'missing knowledge: "the agents\u2019 handbook" and more': ["the-agents-handbook"],
    "missing knowledge: `don\u2019t cache`": ["dont-cache"],
    "missing knowledge: \u201cwhat\u2019s new\u201d soon": ["whats-new"],
    "missing knowledge: \u2018what\u2019s new\u2019 soon": ["whats-new"],
    "missing knowledge: the user\u2019s locale": ["the-users-locale"],
    "missing knowledge: naïve Bayes?": ["naïve-bayes"],
    "missing knowledge: !!!": [],
    "missing knowledge: " + "x" * 100: [],
    "We keep missing entry points in the map.": [],
    "<!-- gap-topic: caches --> missing knowledge: caches": ["caches"],
}


@pytest.mark.parametrize("text", CASES)
def test_one_line(text: str) -> None:
    assert [lesson.topic for lesson in scan_lessons(text)] == CASES[text]


FENCED = """\
```python
# missing knowledge: one
```
missing knowledge: two
~~~
missing knowledge: three
```
missing knowledge: four
~~~
   ````
missing knowledge: five
```
missing knowledge: six
````
```inline``` missing knowledge: seven
missing knowledge: eight\r
```
missing knowledge: nine
"""


def test_code_between_fences_says_nothing() -> None:
    found = scan_lessons(FENCED)
    assert [(lesson.line, lesson.topic) for lesson in found] == [(4, "two"), (15, "seven"), (16, "eight")]


def test_the_excerpt_is_the_beginning_of_the_line() -> None:
    (lesson,) = scan_lessons("- missing knowledge: caches. " + "More. " * 100)
    assert lesson.excerpt.startswith("- missing knowledge: caches. More.")
    assert len(lesson.excerpt) == 200


@pytest.mark.parametrize("line", ["<!--" * 200_000, "--> " + "<!-- " * 100_000, "missing knowledge: " * 100_000])
def test_a_line_made_to_take_long_does_not(line: str) -> None:
    assert len(scan_lessons(f"{line}\nmissing knowledge: caches")) >= 1
