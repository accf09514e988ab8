"""Words that decide whether two sentences are about the same thing, and what each says of it."""

import re
from typing import Literal

from cairn.kernel.text.atoms import concept
from cairn.kernel.text.lexicon import LOOSE, SIDES
from cairn.kernel.text.lexicon import STOP as _STOP


def _keys(words: str) -> frozenset[str]:
    return frozenset(concept(word) for word in words.split())


NEUTRAL = _keys(
    """
    overview summary introduction about basics background configuration config settings setting options option
    reference usage use setup install installation operations operation limits limit notes note details detail
    defaults default security policy policies rules rule guide guides guidance deep handbook manual runbook readme
    index docs documentation doc page home main general common start started getting quick how to works architecture
    design concepts concept principles practice practices best requirements guidelines conventions standards
    development contributing knowledge entry entries key core part parameters parameter arguments values table
    checklist decision decisions tips rationale why what when where environment variables behaviour behavior
    """
) | _keys(" ".join(_STOP))
"""Words of headings and file names that do not narrow down what a page is about."""

SCOPES = _keys(
    """
    staging production prod development dev local locally testing ci sandbox qa windows macos mac osx linux unix bsd
    ubuntu debian fedora ios android docker kubernetes serverless onpremises self-hosted cloud trial paid premium
    enterprise pro starter community beta alpha preview nightly canary legacy mobile desktop browser emergency incident
    weekend holiday night standalone cluster experimental small large
    """
)
"""What holds under one of these need not hold elsewhere."""
_VERSION = re.compile(r"(?<![\w.])v?\d+(?:\.\d+)*(?:\.x)?(?![\w%])", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def stems(text: str) -> frozenset[str]:
    return frozenset(concept(word.lower()) for word in _WORD.findall(text))


def scopes_of(text: str) -> frozenset[str]:
    """Environments, systems, plans and versions that a heading or a path names."""
    return (stems(text) & SCOPES) | frozenset(_VERSION.findall(text))


GENERIC = _keys(
    """
    value number default set name file system service server client user data time size option setting field
    parameter request response call error test code tool project application app page team work run use need
    make keep change component module function class method object type item list thing process step task
    environment limit level state result message output input command resource operation feature version rule
    have get take hold contain be every each all per always never also port host timeout key id url path max min
    maximum minimum count length total rate table row column line day hour minute second week month year people
    production local example content document text api model agent support include add create define check
    enabled disabled first last new same different single multiple full one two three
    """
) | _keys(" ".join(LOOSE))
"""Words that alone do not tell which thing is meant."""

DECORATION = (
    _keys(
        """
    currently simply exactly together please strictly explicitly generally itself themselves own daemon
    service server value setting option parameter argument field property flag key variable successfully
    properly correctly directly given overall actual real current existing always ever new
    """
    )
    | _keys(" ".join(LOOSE))
    | _keys(" ".join(_STOP))
)
"""Words that one of two sentences may have without being about something else."""

Force = Literal["must", "should", "may", "free", "deny", "plain"]

_FORCES: tuple[tuple[str, Force], ...] = (
    (
        r"need(?:s)? not(?: to)?|needn['’]t|(?:do|does|are|is)(?: not|n['’]t) (?:need|have|required?)(?: to)?(?: be)?|"
        r"(?:is |are )?(?:not |n['’]t )(?:required|mandatory|necessary|compulsory)(?: to)?|optional(?:ly)?",
        "free",
    ),
    (
        r"(?:must|may|can|shall|should|do|does|is|are|has|have)(?: not|n['’]t)(?: ever| be allowed(?: to)?)?"
        r"(?: (?:allowed|permitted)(?: to)?)?|"
        r"cannot|can['’]t|won['’]t|(?:(?:must|should|shall|do|may|is|are) )?never|no longer|"
        r"(?:is |are )?(?:strictly )?(?:forbidden|prohibited|disallowed|banned)(?: to)?|"
        r"avoid(?:s|ing)?|not|refrain from",
        "deny",
    ),
    (
        r"(?:must|shall)(?: always| be)?|(?:has|have|needs?) to|(?:is|are) (?:required|mandatory|compulsory)(?: to)?|"
        r"(?:required|mandatory)(?=$|[.,;]|\s+(?:for|in|by|when|if|on|at|unless|with|from)\b)|always",
        "must",
    ),
    (r"should(?: always| be)?|ought to|(?:is|are) recommended(?: to)?", "should"),
    (r"may|can|could|might|(?:is|are) (?:allowed|permitted)(?: to)?|allowed|permitted", "may"),
)
FORCE = re.compile(
    r"(?<![\w`-])(?:" + "|".join(f"(?P<{name}>{pattern})" for pattern, name in _FORCES) + r")(?![\w`-])", re.IGNORECASE
)

CLASHES = frozenset(
    frozenset(pair)
    for pair in (("deny", "must"), ("deny", "should"), ("deny", "may"), ("deny", "plain"), ("free", "must"))
)
"""Forces of which not both can hold."""

OPPOSITES = frozenset(
    [
        "switch",
        "sight",
        "wait",
        "hand",
        "sort",
        "cipher",
        "safe",
        "write",
        "change",
        "choice",
        "edge",
        "case",
        "state",
        "null",
        "speed",
        "ripe",
        "sign",
        "scope",
        "rigour",
    ]
)
"""Families of the lexicon whose sides exclude each other said of one thing."""

SIDE_OF = {concept(word): side for word, side in SIDES.items() if side[0] not in ("force", "need", "leave", "support")}
"""By stem, so that `loads eagerly` and `eager` are one side."""

FREELY_SAID = _keys("use using currently new always")
"""Words that make no difference to a duty: one may use a thing, or have it."""

MANY_AT_ONCE = _keys(
    "support supports accept provide handle include contain add cover test tested work works offer know"
)
"""One may do this with 2 and with 3: a bare number behind it excludes no other."""

HEDGED = re.compile(
    r"\b(?:about|around|approximately|roughly|usually|typically|often|generally|commonly|nearly|almost|some|ca|"
    r"sometimes|mostly|(?<!at )most|average|median|estimated?|circa|normally|ideally|target|aim|aims|goal|"
    r"recommend\w*|consider|e\.g|or so|depending|depends|varies|vary|up or down|tune|adjust|at a time|"
    r"like|few|several|among others)\b|[~≈]",
    re.IGNORECASE,
)
"""Said so, a number is none to hold anybody to."""

CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|until|while|during|before|since|except|only|once|without|where|as of|starting|"
    r"otherwise|in case|instead|rather|other than|apart from|besides|then)\b",
    re.IGNORECASE,
)
LISTED = re.compile(
    r"\b(?:steps?|chapters?|figures?|fig|tables?|sections?|parts?|items?|rfc|phases?|levels?|tiers?|lines?|pages?|issues?|"
    r"rules?|principles?|weeks?|days?|sprints?|stages?|layers?|appendix|examples?|questions?|tasks?|story|stories|"
    r"priority|options?|cases?|scenarios?|lens|iso|ieee|pep|adr|no|number|nr|epic|milestone|wave|round|lesson|module|"
    r"unit|rank|factor|pattern|act|art|article|point)\.?\s+#?\d",
    re.IGNORECASE,
)
"""Numbers that only tell one thing from the next."""
