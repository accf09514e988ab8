"""What exists and where it is, as people and agents say it: components, what they do, where they live."""

import re
from typing import Final

from cairn.curate.rules.subjects import is_generic
from cairn.curate.rules.words import COMPONENTS, DOES, PATH, begun, names_in, word_set

_I: Final = re.IGNORECASE
_SUBJECT: Final = r"(?P<subject>(?:the |our |all |every )?(?:[\w`./@-]+\s+){1,6}?)"
_PARTS: Final = "|".join(sorted(COMPONENTS))
_LIVES: Final = re.compile(
    rf"^{_SUBJECT}(?:(?:lives?|sits?|resides?|stays?)\s+(?:in|at|under|inside|on|behind|next to)|(?:is"
    rf"|are)\s+(?:all\s+|only\s+)?"
    r"(?:located|defined|implemented|stored|kept|found|handled|configured|generated|declared|registered|mounted|hosted"
    r"|deployed|documented)\s+(?:in|at|under|inside|by|from|on|with|to|via|through))\s+(?P<where>.+)$",
    _I,
)
_IS_IN: Final = re.compile(rf"^{_SUBJECT}(?:is|are)\s+(?:in|at|under|inside)\s+(?P<where>.+)$", _I)
_DOES: Final = re.compile(rf"^{_SUBJECT}(?P<does>{DOES})\s+(?P<what>.+)$", _I)
_IS: Final = re.compile(
    rf"^{_SUBJECT}(?:is|are)\s+(?:the|our|an?)\s+(?P<what>(?:[\w`-]+\s+){{0,4}}(?:{_PARTS}|entry ?point"
    r"|source of truth|single source of truth)\b.*)$",
    _I,
)
_ENTRY: Final = re.compile(
    r"^(?:the|our) (?:main )?(?:entry ?point|source of truth|config(?:uration)?|home|owner|default branch"
    r"|package manager|test runner)"
    r"(?: (?:of|for) (?:the )?[\w`-]+(?: [\w`-]+){0,2})? is (?P<what>.+)$",
    _I,
)
_MADE: Final = re.compile(
    rf"^{_SUBJECT}(?:is|are)\s+(?:all\s+|only\s+)?(?:(?:made|built|written|implemented|programmed|based|powered|run|running)"
    r"\s+(?:with|in|on|by|on top of|from)\s+(?P<what>[A-Z]\w+.*|.*\w v?\d+(?:\.\d+)+.*)"
    r"|on\s+[A-Z]\w+ v?\d+(?:\.\d+)*)$",
)
"""Of something in particular: with the name of what it is made of, or its version."""
_PROGRAM: Final = re.compile(
    r"^(?P<path>`[^`]+`|[\w./-]+)\s+"
    r"(?:(?!was|is\b|has\b|fails|does)(?P<does>[a-z]{3,}s)|is (?:only |just )?for)\s+\S+.*$"
)
_VALUED: Final = re.compile(
    r"^(?P<subject>(?:the|our) (?:[\w`./@-]+\s+){1,5}?)(?:(?:is|are) (?:called|named)\s+[\w`./-]+"
    r"|(?:runs?|starts?|listens?|expires?|opens?|closes?|happens?|answers?) (?:at|on|every|after)"
    r" (?:port )?[\w`]*\d.*"
    r"|runs? (?:in|on) [A-Z]\w+.*)$"
)
_CODE_PATH: Final = r"`[^`\s]*[/.][^`\s]*`"
_AT_PATH: Final = re.compile(
    r"^(?P<subject>(?:the |our )?(?:[\w`./@-]+\s+){1,5}?)"
    rf"(?:is\s+(?:{_CODE_PATH}|[\w.-]+/[\w./-]+)"
    r"|(?:is|are) at (?:https?://\S+|[\w-]+(?:\.[\w-]+){1,4})"
    rf"|(?:gets?|takes?|loads?|pulls?|fetch(?:es)?|reads?) .+ from {_CODE_PATH}.*"
    r"|(?:is|are) (?:computed|calculated|rendered|made|built|created|produced|written|served|read|loaded|taken)"
    rf" (?:in|by|from|with) {_CODE_PATH}.*)$"
)
_TALKS: Final = re.compile(
    r"^(?P<subject>[a-z][\w-]+\s+)(?:talks to|listens (?:on|to)|publishes (?:to|on)|consumes|subscribes to|forwards"
    r"|reads from|writes to) \S+ \S+.*$"
)
_HAS: Final = re.compile(
    r"^(?P<subject>(?:the|our) (?:[\w./@-]+\s+){1,4}?)(?:has|offers) (?:an?|its own|two|three) .*`[^`]+`.*$"
)
_MOVED: Final = re.compile(
    rf"^{_SUBJECT}(?:is|are)\s+(?:all\s+|also\s+|only\s+)?(?:mirrored|copied|replicated|synced|forwarded|archived"
    r"|backed up|uploaded|exported|streamed|published|written|sent|pushed)\s+(?:in)?to\s+(?P<what>.+)$",
    _I,
)
_NOBODY: Final = word_set(
    """
    i you we they he she it this that these those there here what which who nothing something everything
    """
)
_BROKEN: Final = re.compile(
    r"\b(?:fail\w*|broken|wrong|bug|error|crash\w*|missing|slow|flaky|down|offline|waiting"
    r"|red|green|null|undefined|not work\w*|incorrect\w*"
    r"|currently)\b",
    _I,
)


def place(text: str, *, by_agent: bool = False) -> str | None:
    """The statement, when a clause says what a component is, does, or where it is. Of an agent only where it says that
    with a name or a path that can be looked up."""
    if _BROKEN.search(text):
        return None
    for read in (_lives, _entry, _does, _is, _made, _file, _set):
        if read(text, by_agent):
            return begun(text)
    return None


_FACT: Final = re.compile(
    rf"^{_SUBJECT}(?:is|are|has|have|uses?|takes?|returns?|runs?|comes?|contains?|supports?|means?|stands? for"
    r"|can'?t|cannot|does(?:n'?t| not)|do(?:n'?t| not)|never|always)\s+\S+.*$",
    _I,
)


def remembered(text: str) -> str | None:
    """What somebody asked to remember, when it says what is."""
    found = _FACT.match(text)
    if not found or not _is_thing(found["subject"]) or _BROKEN.search(text):
        return None
    return begun(text)


def _lives(text: str, by_agent: bool) -> bool:
    if found := _LIVES.match(text):
        if is_generic(found["subject"].strip()) and not PATH.search(found["where"]):
            return False  # all of a kind, and no place that could be opened: that is a rule
        return _is_thing(found["subject"]) and (
            bool(PATH.search(found["where"])) or (not by_agent and _component(text))
        )
    found = _IS_IN.match(text)
    return found is not None and _is_thing(found["subject"]) and bool(_only_place(found["where"]))


def _only_place(where: str) -> bool:
    found = PATH.match(where)
    return found is not None and len(where[found.end() :].split()) <= 8


def _does(text: str, by_agent: bool) -> bool:
    found = _DOES.match(text)
    if not found or not _is_thing(found["subject"]):
        return False
    subject = found["subject"].strip()
    named = bool(names_in(subject))
    part = bool(COMPONENTS & set(re.split(r"[-_.]", subject.lower().split()[-1].strip("`"))))
    if by_agent:
        return (named and part) or (named and bool(PATH.search(found["what"])))
    return (named or part) and len(found["what"].split()) >= 2


def _is(text: str, by_agent: bool) -> bool:
    found = _IS.match(text)
    if not found or not _is_thing(found["subject"]):
        return False
    where = bool(PATH.search(found["what"]))
    return (bool(names_in(found["subject"])) or (where and not by_agent)) and (not by_agent or bool(PATH.search(text)))


def _made(text: str, by_agent: bool) -> bool:
    if by_agent:
        return False
    found = _MADE.match(text)
    if found:
        return _is_thing(found["subject"]) and text.lower().startswith(("the ", "our "))
    found = _MOVED.match(text)
    return found is not None and _is_thing(found["subject"]) and _component(text)


def _file(text: str, by_agent: bool) -> bool:
    """A file or a program, by its path, and what it does."""
    found = _PROGRAM.match(text)
    return found is not None and not by_agent and any(sign in found["path"] for sign in "/.`")


def _set(text: str, by_agent: bool) -> bool:
    """`The export runs at 04:00`, `the cluster is called otter`."""
    found = _VALUED.match(text) or _AT_PATH.match(text) or _TALKS.match(text) or _HAS.match(text)
    return found is not None and not by_agent and _is_thing(found["subject"])


def _entry(text: str, by_agent: bool) -> bool:
    found = _ENTRY.match(text)
    return found is not None and (bool(PATH.search(found["what"])) or not by_agent)


def _is_thing(subject: str) -> bool:
    words = subject.lower().split()
    return bool(words) and words[0] not in _NOBODY and words[-1] not in _NOBODY


def _component(text: str) -> bool:
    return any(word.strip("`,.") in COMPONENTS for word in text.lower().split())


_APPOSED: Final = re.compile(
    r"(?P<name>`[^`\s]+`|[\w@-]+(?:[./:_][\w-]+)+|[A-Z]\w+), (?P<what>(?:our|the|an?) (?:[\w-]+ ){0,3}"
    r"(?:service|server|module|library|client|package|wrapper|queue|worker|gateway|store|database|tool|framework|helper"
    r"|component|bus|cache|proxy|api|sdk|cli|layer|registry|scheduler|broker|logger|router|parser|engine))(?:,(?= )|$)",
    _I,
)


def apposed(rule: str) -> tuple[str, str]:
    """`Use a.b, our tracking service, for events`: the rule, and what the thing is."""
    found = _APPOSED.search(rule)
    if not found:
        return rule, ""
    return f"{rule[: found.end('name')]}{rule[found.end() :]}", begun(f"{found['name']} is {found['what']}")
