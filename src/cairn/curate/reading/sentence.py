"""One sentence of a document: whether it states, in words that stand alone, how things are done or what there is."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from cairn.curate.reading.norm import is_norm
from cairn.curate.reading.parts import Part, plain
from cairn.curate.reading.phrases import any_of
from cairn.curate.reading.place import Voice
from cairn.curate.reading.subject import component, names_itself
from cairn.curate.rules.clauses import Clause, clauses, reasoned
from cairn.curate.rules.practice import practice
from cairn.curate.rules.scope import is_manners, is_question, is_story, passing, pointing
from cairn.curate.rules.words import KNOWN, is_base, is_plural, word_set
from cairn.kernel.model.candidate import Kind

_I: Final = re.IGNORECASE
_LEAST, _MOST = 4, 36


class Stated(NamedTuple):
    kind: Kind
    statement: str
    reason: str
    part: Part
    firm: bool

    @property
    def weight(self) -> tuple[bool, bool, bool]:
        """What a document's few places go to first."""
        return bool(self.reason), self.firm, self.kind == "practice"


_LABEL: Final = re.compile(r"^(?:[A-Z][\w ,'/&`-]{1,40}|`[^`]{1,40}`):\s+(?=[A-Z`])")
"""`Naming: Use snake_case`."""
_OTHERWISE: Final = re.compile(
    r"^(?:don'?ts?|do not|avoid|never|bad|wrong|no|cost|risk|downside|examples?|e\.?g\.?|notes?|tips?|warning|caution"
    r"|p\d|pass \d+|step \d+|phase \d+|question|problem|symptom|before|after|old|todo|fixme)\b[^:]{0,30}:\s",
    _I,
)
"""`Don't: Use tabs` means the opposite of what stands behind it."""
_NOT_ALONE: Final = any_of(
    r"""
    listed, mentioned, described, as shown, arguably, subsequent(?:ly)?, the specified, follow-?ups?,
    (?:of|to|into|in|on|by|with|from|for|at|over|under) that,
    therefore, thus, hence, others, such, accordingly, consequently, similarly, likewise,
    in (?:the )?future, plan(?:s|ned)? to, planned, intend(?:s|ed)? to, eventually, upcoming, next (?:version|release),
    below, above, following, as follows, here, earlier, previous(?:ly)?, next section, later, see, refer to,
    e\.g, i\.e, etc, for (?:example|instance|more), such as this, like (?:this|so), in this
    (?:case|example|section|guide|tutorial|chapter|document|page|way|mode|context|situation), the
    (?:example|snippet|former|latter|same|other|rest|first|second|third|last|next|new|resulting|given|current|corresponding|respective|above|following|previous|default),
    this
    (?:is|means|way|will|can|may|allows|makes|ensures|page|document|section|guide|option|rule|setting|command|function|feature|method|class|file|flag|example|approach),
    these, those, both, either, instead, otherwise, however, but, though, although, while, also, too, as well,
    again, still, yet, then, now, currently, recently, soon, at the moment, today, unfortunately, fortunately,
    thankfully, in addition, additionally, furthermore, moreover, for now, as of, since v?\d, something, anything,
    someone, somebody, themselves, that \w+'s, this \w+'s
    """
)
_OF_THAT_PAGE: Final = re.compile(
    r"^the (?:[\w-]+-)?(?:generated|configured|requested|provided|saved|selected|chosen|said|supplied|downstream)\b", _I
)
_MACHINE: Final = any_of(
    r"""
    install(?:ed|ing|s|ation)?, download\w*, sudo, apt(?:-get)?, brew, choco, yum, pip, pipx, npm (?:i|install),
    your
    (?:machine|laptop|computer|home|shell|terminal|account|browser|ide|editor|fork|clone|branch|os|system|path|environment|distribution|needs?|project|code|app|application|data|own|use
    case|favou?rite|preferred|choice|team|site|repo\w*|company|users?), fork, clone, git
    (?:clone|checkout|push|pull), click, sign (?:up|in), log in, subscribe, star, donate, sponsor, discord,
    slack, twitter, mailing list, stack ?overflow, gitter, email, e-mail, thank, welcome, feel free, happy,
    hope, enjoy, awesome, great, powerful, blazing\w*, amazing, beautiful, simple, simply, easy, easily, just,
    fast, flexible, modern, elegant, seamless\w*, robust, (?<!over the )(?<!around the )world, best,
    lets you, allows you, helps you, enables you, you can, you may, you might, you'll, you will, you want,
    you need, you are, you're, we recommend,
    recommended, want to, would like, if you, once you, when you, as you, note that, pull requests? (?:are|is)
    welcome
    """
)
_OTHERS: Final = any_of(
    r"""
    I, my, me, he, she, someone, somebody, people, many, some, often, sometimes, usually, generally, typically,
    normally, likely, may(?! (?:not|only)), might, could, would, probably, perhaps, maybe,
    in (?:theory|practice|general), experimental, unstable, preview, alpha, beta, v?\d+\.\d+\.\d+
    """,
    flags=0,
)
_FIRM: Final = any_of(
    r"""
    must(?: not| never| always)?, never, always, shall(?: not)?, may (?:not|only), do not, don'?t, cannot,
    forbidden, prohibited, required to, not allowed, only ever, no \w+ (?:may|must|is allowed)
    """
)
_SHOULD: Final = re.compile(r"\b(?:should(?: not)?|prefer|avoid|ought to)\b", _I)
_TO_PEOPLE: Final = re.compile(
    r"^(?:you|we|(?:all )?(?:contributors|developers|maintainers|reviewers|authors|committers)|everyone)\s+"
    r"(?:must|should|have to|need to|shall|will|are expected to|are required to)(?P<how>\s+(?:always|never|not))?\s+"
    r"(?P<rest>[a-z]+\b.*)$",
    _I,
)
_RULE_VERBS: Final = word_set(
    """
    use prefer avoid keep put name prefix suffix store treat follow document include cover mark return raise declare
    define import log sort wrap group order separate limit validate escape ensure write test place pin sign format
    squash tag record reserve restrict reuse expose annotate favor favour choose pass call handle add
    """
)
_GENERAL: Final = any_of(
    r"""
    all, every, each, any, no, never, always, only, new, public, private, before, after, whenever, unless,
    instead of, rather than, over, not, without, in place of
    """
)
_STEP: Final = re.compile(r"\b(?:your|you|it|them|run `|open (?:a|an)|create a|push|make a|submit|send)\b", _I)
_NO_REASON: Final = re.compile(r"(?:of|as)\s|\S+(?:\s+\S+)?$", _I)
"""Where a sentence was cut, but not before a reason."""
_HAS_VERB: Final = re.compile(
    r"\b(?:is|are|was|has|have|can|cannot|can't|will|would|does|do|don't|doesn't|avoid|prevent|ensure|keep|make|guard"
    r"|(?!this\b|its\b)[a-z]{2,}s)\b",
    _I,
)
_BROKEN: Final = re.compile(r"https?:|``|\ufffd|\.\.|^`[^`]+`\s+(?:[-–—]|->|→)")
_BARE: Final = re.compile(r"^[\w`'\"(]")


def stated(part: Part, voice: Voice, *, norms: bool = False) -> Iterator[Stated]:
    """What one sentence says that is worth a page. Nothing of a sentence that needs its neighbours. `norms` where how
    things are is how they have to be."""
    if voice is Voice.NOTHING or _OTHERWISE.match(part.text):
        return
    if voice is not Voice.READERS and (named := _named(part)) is not None:
        yield named
        return
    text = _LABEL.sub("", part.text.strip())
    if not is_whole(text, part):
        return
    firm = bool(_FIRM.search(without_code(text)))
    if passing(text, firm=True) or is_question(text) or is_manners(text):
        return
    if norms and voice is not Voice.READERS and is_norm(text) and component(text) is None:
        yield Stated("practice", text.rstrip("."), "", part, firm)
        return
    for clause in clauses(_to_everyone(text)):
        if clause.reason and (_NO_REASON.match(clause.reason) or not _HAS_VERB.search(clause.reason)):
            return
        found = _of_clause(clause, part, voice, firm=firm)
        if found is not None:
            yield found
            return  # one sentence, one page: what follows in it is its detail


_NAMED: Final = re.compile(
    r"^\*\*(?P<name>[A-Z][\w ,'’/-]{1,40}?)[.:]?\*\*\s+\((?P<where>`[^`\s]*[/.][^`\s]*`(?:,\s+`[^`\s]+`)*)\)"
    r"(?:\s*[:–—-]\s*(?P<what>\S.*))?[.:]?$"
)


def _named(part: Part) -> Stated | None:
    """`**The queue** (`src/queue.py`). Jobs wait here …`: a part of the project, where it is, and what it is."""
    found = _NAMED.match(part.raw)
    what = plain(found["what"] or "") or part.after if found else ""
    if not found or len(what.split()) < _LEAST or _BROKEN.search(what) or what.endswith((":", "?")):
        return None
    return Stated("map", f"{found['name']} ({found['where']}): {what.rstrip('.')}", "", part, False)


def is_whole(text: str, part: Part) -> bool:
    words = text.split()
    if not _LEAST <= len(words) <= _MOST or not _BARE.match(text) or text.endswith((":", "?", "…", "!")):
        return False
    if (
        _BROKEN.search(text)
        or _OF_THAT_PAGE.match(text)
        or any(text.count(mark) % 2 for mark in '`"')
        or text.count("(") != text.count(")")
    ):
        return False
    if not (text[0].isupper() or text[0] == "`") or _is_title(words) or _is_led(part):
        return False
    core, _ = reasoned(text)  # what may be vague in a reason may not in a rule
    return not (_NOT_ALONE.search(text) or _MACHINE.search(text) or _is_loose(core) or text.endswith("etc."))


def _is_loose(core: str) -> bool:
    found = _OTHERS.search(core)
    return found is not None and not (found[0] == "may" and _NONE_MAY.match(core))


_NONE_MAY: Final = re.compile(r"^No\s+(?:[\w`./-]+\s+){1,5}?(?:may|must|should|shall)\s+\w+\s+\S+")
"""`No commit may skip the hooks`."""


def _is_title(words: list[str]) -> bool:
    """`Document What Evals Don't Check`."""
    long = [word for word in words[1:] if len(word) > 1 and word[0].isalpha()]
    return len(long) > 1 and sum(word[0].isupper() for word in long) * 3 > len(long) * 2


_LEAD_OK: Final = any_of(
    r"""
    rules?, conventions?, guidelines?, principles?, invariants?, standards?, polic(?:y|ies), requirements?
    """
)


def _is_led(part: Part) -> bool:
    """In a list that something introduces: an item means what the lead makes of it."""
    if not part.lead:
        return part.item == "1" and not _FIRM.search(part.text)
    return not _LEAD_OK.search(part.lead) or bool(
        re.search(r"\b(?:not|if|when|except|without|avoid|never)\b", part.lead, _I)
    )


def _to_everyone(text: str) -> str:
    """`Contributors must add tests` is an order to whoever works here."""
    found = _TO_PEOPLE.match(text)
    if not found or not is_base(found["rest"].split()[0]):
        return text
    how = (found["how"] or "").strip().lower()
    start = {"never": "Never ", "always": "Always ", "not": "Don't "}.get(how, "")
    rest = found["rest"] if start else f"{found['rest'][0].upper()}{found['rest'][1:]}"
    return f"{start}{rest}"


def _of_clause(clause: Clause, part: Part, voice: Voice, *, firm: bool) -> Stated | None:
    text = clause.text
    if len(text.split()) < _LEAST or pointing(text) or is_story(text):
        return None
    order = text.split()[0].lower() in _FIRST
    if voice is not Voice.READERS and not order and (found := component(text)) is not None:
        return Stated("map", _as_written(found, text), clause.reason, part, firm) if _stands(found) else None
    kind, said = _declared(clause, voice) or ("practice", _practice(clause, voice, firm=firm))
    if said is not None and ", not" in said and not _CONTRAST.search(text):
        said = f"{text[:1].upper()}{text[1:]}" if is_base(text.split()[0]) else None
    if said is None or not _stands(said):
        return None
    return Stated(kind, _as_written(said, text), clause.reason, part, firm)


def _as_written(said: str, text: str) -> str:
    """The name of a thing in code keeps its small letter."""
    first = text.split()[0]
    return f"{first}{said[len(first) :]}" if "_" in first and said.lower().startswith(first.lower()) else said


def _stands(said: str) -> bool:
    """Whether what is left of a sentence is still one, and needs nobody to explain it."""
    if pointing(said) or is_story(said) or len(said.split()) < _LEAST or _is_title(said.split()):
        return False
    return said.count("(") == said.count(")") and not _TO_OTHERS.search(without_code(said))


_TO_OTHERS: Final = re.compile(r"\byou\b|\b(?:it|them|there|so)$|\s-\s.*\s-\s", _I)


def without_code(text: str) -> str:
    """As long as it was, so that places stay: what stands in code says nothing."""
    return _CODE.sub(lambda found: f"`{'x' * (len(found[0]) - 2)}`", text)


_CODE: Final = re.compile(r"`[^`]+`")


_CONTRAST: Final = re.compile(r",\s+(?:and |but )?(?:not|never)\b|\b(?:instead of|rather than|don'?t|do not)\b.*,", _I)
_DECLARED: Final = re.compile(
    r"^(?P<subject>(?:[\w`.,/@'\"*:=<>()-]+\s+){1,9}?)"
    r"(?P<modal>must(?: not| never| always| only| be)?|shall(?: not)?|may (?:not|only)"
    r"|should(?: not| never| always| be| only)"
    r"|(?:is|are) (?:forbidden|prohibited|mandatory|not allowed|required(?= (?:for|to|when|in)\b))"
    r"|(?P<fact>(?:is|are) (?:never|always|only(?= \w+ed\b))|(?:never|always)(?= \w+s\b)|cannot be))\s+\S.*$",
    _I,
)


def _declared(clause: Clause, voice: Voice) -> tuple[Kind, str] | None:
    """`X must …`, `X is never …`: a rule or a fact about a thing that the sentence itself names."""
    if voice is not Voice.READERS and _NONE_MAY.match(clause.text):
        return "practice", clause.text
    found = _DECLARED.match(without_code(clause.text))
    if not found or not names_itself(clause.text[: found.end("subject")].strip()):
        return None
    modal = found["modal"].lower()
    if voice is Voice.READERS and modal.startswith("should"):
        return None
    fact = bool(found["fact"])
    if modal == "cannot be" and not clause.reason:
        return None
    text = clause.text
    if fact and not _is_telling(text, text[: found.end("subject")].strip()):
        return None
    return ("map" if fact else "practice"), f"{text[:1].upper()}{text[1:]}"


def _is_telling(text: str, subject: str) -> bool:
    """`Reading is never blocked`, `the master key is never a fallback`: of what, only its page knows."""
    if "`" in subject or any(letter.isupper() for letter in subject[1:]):
        return True
    one = len(subject.split()) == 1 and not is_plural(subject)
    definite = subject.lower().startswith("the ") and not _OF.search(subject)
    return not one and not definite and len(text.split()) > _LEAST


_OF: Final = re.compile(r"\s(?:of|in|for|from|to|behind|between|below)\s|['’]s?\s")


def _practice(clause: Clause, voice: Voice, *, firm: bool) -> str | None:
    wanted = clause._replace(rule=voice is Voice.RULES or (firm and voice is Voice.BUILDERS))
    first = clause.text.split()[0].lower().strip("`")
    if first in _FIRST or (is_base(first) and first in KNOWN):
        return _order(wanted, voice)
    if voice is Voice.READERS or first not in ("we", "our"):
        return None
    return practice(wanted)


_FIRST: Final = word_set("never always do don't avoid prefer only")


_HALF: Final = re.compile(
    r"^(?:never|always)\s+(?:by|through|via|in|on|at|with|without|from|to|into|as|for|before|after|the|an?|more|less|only"
    r"|under|over|inside|outside|within|across|during|until|because|if|when|both|all|any|\w+(?:ing|ed))\b",
    _I,
)
"""`Never by deleting patterns`: what is never done stands in the sentence before."""


def _order(clause: Clause, voice: Voice) -> str | None:
    text = clause.text
    first = text.split()[0].lower()
    never = re.match(r"^(?:never|always|do not|don'?t|avoid|prefer)\b", text, _I) is not None
    if _HALF.match(text):
        return None
    if voice is Voice.READERS:
        return practice(clause) if never and clause.reason else None
    if never:
        return (
            practice(clause._replace(rule=True))
            if voice is Voice.RULES or clause.reason or _GENERAL.search(text[6:])
            else None
        )
    general = bool(clause.reason or _GENERAL.search(text) or any(is_plural(word) for word in text.split()[1:4]))
    if first not in _RULE_VERBS or not general or _STEP.search(text):
        return None
    return practice(clause) if voice is Voice.RULES else None
