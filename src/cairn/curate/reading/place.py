"""What a part of a document is for, by its path and headings: rules, decisions, a description, or nothing to keep."""

import re
from collections.abc import Sequence
from enum import Enum
from typing import Final

from cairn.curate.reading.phrases import any_of

_I: Final = re.IGNORECASE


class Voice(Enum):
    """How much a sentence has to say of itself to be taken."""

    RULES = "rules"
    """Here stand rules: an order is one."""
    BUILDERS = "builders"
    """Written for those who build the project: what is firm is a rule."""
    READERS = "readers"
    """Written for those who use it: only what is firm and gives its reason."""
    NOTHING = "nothing"


_NOTHING: Final = any_of(
    r"""
    install(?:ation|ing)?, set-?up, setting up, getting started, get started, quick ?start, tutorials?,
    walk-?through, prerequisites, requirements\.txt, upgrad(?:e|ing), migrat(?:e|ing|ion guide), change ?log,
    changes, history, release notes, what'?s new, news, road ?map, to-?dos?, future(?: work)?, ideas, planned,
    licen[cs]e, licensing, copyright, credits, acknowledge?ments?, thanks, sponsors?, backers, authors,
    contributors, maintainers, contact, support(?: us)?, community, help, questions, faq, frequently asked,
    trouble-?shooting, known issues, bugs?, examples?, demo, showcase, who uses, used by, users, testimonials,
    badges, table of contents, contents, toc, see also, further reading, references, related, resources, links,
    bibliography, glossary, code of conduct, alternatives?(?: considered)?, options(?: considered)?,
    considered(?: options)?, rejected, non-?goals, out of scope, context(?: and problem statement)?, background,
    motivation, problem(?: statement)?, pros and cons, pros, cons, comparison, benchmarks?,
    deprecat(?:ed|ions?|ion), obsolete, legacy, archive, anti-?patterns?, bad, wrong, incorrect, before, old,
    don'?ts?, do not, avoid, pitfalls, common mistakes, mistakes, open questions, drawbacks, prior art,
    timeline, appendix, draft, proposal, summary of changes, breaking changes, security
    (?:advisories|vulnerabilities), reporting (?:a|security|vulnerabilit\w+|bugs?|issues?), your first, first
    (?:time|contribution|steps), environment, ide, editor, debugging, profil(?:e|ing), features, why \w+,
    screenshots?, download, docker, windows, mac ?os, linux, conda, homebrew, usage, options, arguments,
    parameters, output, configuration (?:options|reference), bug reports?, feature requests?, problematic code,
    correct code
    """
)
_RULES: Final = any_of(
    r"""
    conventions?, rules?(?! (?:reference|list)), guide ?lines?, coding style, code style, style ?guide, style,
    standards?(?! librar), principles?, polic(?:y|ies), best practices, practices, requirements, invariants?,
    constraints,
    decisions?(?: outcome)?, decision made, dos(?: and don'?ts)?, do'?s, how we, ground rules, naming, commit
    messages?, pull requests? (?:rules|guidelines), code review, consequences, house rules, agreements?, must,
    contract, guarantees, promises, what to avoid, how \w+ (?:should|must|has to|have to) \w+
    """
)
_BUILDERS: Final = any_of(
    r"""
    contribut\w+, develop\w*, architecture, design, internals?, hacking, adrs?, decisions?, conventions?,
    guidelines, style ?guide, coding, engineering, maintain\w*, releas(?:e|es|ing), testing, tests, how it
    works, under the hood, code, codebase, implementation, structure, layout, overview of the code, workflow,
    ci, security, deployment, operations, runbooks?, specs?, specification, rfcs?, governance, principles,
    policy, policies, standards, review, extending, modules?, components?, packages, technical
    """
)
_READERS: Final = any_of(
    r"""
    usage, using, user ?guides?, users?, tutorials?, how-?tos?, guides?, cookbook, recipes, examples?,
    getting[-_ ]started, quick ?start, cli, commands?, reference, api, faq, blog, posts?, news, plugins?,
    settings, configur\w+, integrations?, rules
    """
)
_TELLS: Final = any_of(
    r"""
    blog, posts?, news, why, comparison, compared, versus, vs, announce\w*, release notes?, changelogs?,
    history, roadmap, talks, presentations?, meetings?, minutes, todo, migration, migrating, upgrade, upgrading,
    tutorials?, examples?, samples?, demo,
    install(?:ation|ing)?, getting started, ancient, old, legacy, obsolete, deprecat\w+, archived?
    """
)
"""Documents that tell what was, what will be, or how good it is."""
_STALE: Final = re.compile(
    r"^(?:superseded|deprecated|rejected|draft|proposed|obsolete|withdrawn|in review|under review|on hold|replaced)\b",
    _I,
)
_SPLIT: Final = re.compile(r"[/_.\-\s]+")


def voice(path: str, headings: Sequence[str]) -> Voice:
    below = headings[1:] if len(headings) > 1 else headings
    if _TELLS.search(_words(path)):
        return Voice.NOTHING
    if any(_NOTHING.search(title) and not _RULES.search(title) for title in below):
        return Voice.NOTHING
    if any(_RULES.search(title) for title in headings[-2:]) and not _is_for_readers(path, headings):
        return Voice.RULES
    return Voice.BUILDERS if is_for_builders(path, headings) else Voice.READERS


def _is_for_readers(path: str, headings: Sequence[str]) -> bool:
    return bool(_READERS.search(_words(path))) and not is_for_builders(path, headings)


def is_for_builders(path: str, headings: Sequence[str]) -> bool:
    words = _words(path)
    title = headings[0] if headings else ""
    return bool(_BUILDERS.search(words) or _BUILDERS.search(title) or any(map(_BUILDERS.search, headings[-2:])))


_HOUSE: Final = any_of(
    r"""
    contribut\w+, conventions?, guide ?lines?, style ?guide, code style, coding, principles, house rules, hacking,
    how \w+ (?:should|must|has to|have to) \w+
    """
)


def is_of_the_house(path: str, headings: Sequence[str]) -> bool:
    """Written so that whoever works here does likewise."""
    return bool(_HOUSE.search(_words(path)) or any(map(_HOUSE.search, headings[-1:])))


def _words(path: str) -> str:
    """`docs/adr/0001-use-x.md` as words, without its name's ending."""
    return " ".join(_SPLIT.split(path.removesuffix(".md")))


def is_stale(status: str) -> bool:
    """Of a decision: not taken yet, or not held any more."""
    return bool(_STALE.match(status.strip(" *_`.:")))
