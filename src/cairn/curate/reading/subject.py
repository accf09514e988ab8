"""What a sentence is about: whether it names that itself, or leaves it to its neighbours."""

import re
from typing import Final

from cairn.curate.rules.places import place
from cairn.curate.rules.words import COMPONENTS, DOES, names_in, word_set

_I: Final = re.IGNORECASE
_GENERIC: Final = word_set(
    """
    function method value argument arguments parameter parameters option options file files class object string list
    result results user users type field fields key keys property properties variable variables attribute command
    program script code name names path paths output input data rule test item items element elements number page
    block line lines text section example user message return callback instance model module package project tool
    flag setting version author server client response request body header table column row query index content
    document directory folder repository branch commit process application app site plugin extension template
    """
)
_NO_SUBJECT: Final = re.compile(
    r"^(?:it|they|this|that|these|those|there|he|she|you|we|i|one|who|which|what|if|when|whenever|where|because|since|as"
    r"|so|and|or|then|to|by|with|for|in|on|at|from|after|before|once|unless|until|while|although|though|even|not|only"
    r"|also|care|attention|caution|unlike|some|several|most|more|other|further|additional|less|fewer|another|anything"
    r"|something|everything|nothing)\b",
    _I,
)
_RELATIVE: Final = re.compile(r"\b(?:that|which|who|whose|what|where|when|if|whether|how|why)\b|:|—|–|->|→|\s-\s", _I)
_VERB_IN_IT: Final = re.compile(
    r"(?<!^)\b(?!(?:of|in|on|at|to|for|from|with|by|as|over|under|between|per|against|and|or|inside|within|via|into|like"
    r"|across|without|about|through|than|behind|beyond|using|containing|including|all|not)\b)[\w-]+"
    r"\s+(?:the|an?|its|their|your)\s",
    _I,
)
"""`Spaces define the landscape an optimizer must …`: what must is not what the sentence begins with."""
_DEFINITE: Final = re.compile(r"^(?:(?:all (?:of )?)?the|its|their|your|such|said|a given)\s+(?P<rest>.+)$", _I)
_ARTICLE: Final = re.compile(r"^(?:an?|each|every|any|all|no)\s+(?P<rest>.+)$", _I)
_ALL: Final = re.compile(r"^(?:all|every|no)\b", _I)
_MADE_UP: Final = re.compile(r"\b(?:foo|bar|baz|qux|do_\w+|my_?\w+|some_\w+|example\w*|<[\w ]+>)\b", _I)
"""Names that stand for any name."""
_VERB: Final = re.compile(rf"\s(?:is|are|lives?|sits?|resides?|stays?|{DOES})\s", _I)
_MANY: Final = word_set(
    "tests code logic helpers config configuration settings fixture fixtures migration migrations class"
)


def names_itself(subject: str) -> bool:
    """`Migrations`, `a source's URL`, `the kind of a page`, ``the `mail` worker``; not `the value`, not `it`."""
    if _NO_SUBJECT.match(subject) or subject.endswith((",", ":")) or _RELATIVE.search(subject):
        return False
    if _VERB_IN_IT.search(subject):
        return False
    if any(not name.isupper() for name in names_in(subject)):
        return not _MADE_UP.search(subject)
    if definite := _DEFINITE.match(subject):
        words = definite["rest"].lower().split()
        if words[1:3] == ["of", "the"] and len(words) == 4 and _is_bare(words[0]) and _is_bare(words[3]):
            return False  # `the value of the field`
        return len(words) > 1 and not (len(words) == 2 and words[-1] in _GENERIC and _is_bare(words[0]))
    indefinite = _ARTICLE.match(subject)
    words = (indefinite["rest"] if indefinite else subject).lower().split()
    return not (len(words) == 1 and _is_bare(words[0]) and not _ALL.match(subject))


def _is_bare(word: str) -> bool:
    return word in _GENERIC or word.rstrip("s") in _GENERIC or word in ("json", "url", "http", "html", "xml", "yaml")


def component(text: str) -> str | None:
    """What exists, with a name or a path that can be looked up."""
    found, verb = place(text), _VERB.search(text)
    if found is None or verb is None or not ("`" in found or "/" in found) or _MADE_UP.search(found):
        return None
    subject = text[: verb.start()]
    one = _ARTICLE.match(subject) or _DEFINITE.match(subject)
    if one is not None and _is_part(one["rest"]):
        return found
    vague = one is not None and len(one["rest"].split()) == 1 and "`" not in subject
    return found if names_itself(subject) and not vague else None


def _is_part(noun: str) -> bool:
    """`The scheduler`, of which there is one; not `the tests`."""
    return noun.lower() in COMPONENTS - _GENERIC - _MANY
