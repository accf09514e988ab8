"""One sentence of a document: whether it states, in words that stand alone, how things are done or what there is."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from cairn.curate.reading.parts import Part
from cairn.curate.reading.phrases import any_of
from cairn.curate.reading.place import Voice
from cairn.curate.rules.clauses import Clause, clauses, reasoned
from cairn.curate.rules.places import place
from cairn.curate.rules.practice import practice
from cairn.curate.rules.scope import is_manners, is_question, is_story, passing, pointing
from cairn.curate.rules.words import COMPONENTS, DOES, KNOWN, is_base, is_plural, names_in, word_set
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
    thankfully, in addition, additionally, furthermore, moreover, for now, as of, since v?\d
    """
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
    fast, flexible, modern, elegant, seamless\w*, robust, world, best, lets you, allows you, helps you, enables
    you, you can, you may, you might, you'll, you will, you want, you need, you are, you're, we recommend,
    recommended, want to, would like, if you, once you, when you, as you, note that, pull requests? (?:are|is)
    welcome
    """
)
_OTHERS: Final = any_of(
    r"""
    I, my, me, he, she, someone, somebody, people, many, some, often, sometimes, usually, generally, typically,
    normally, likely, may, might, could, would, probably, perhaps, maybe, in (?:theory|practice|general),
    experimental, unstable, preview, alpha, beta, v?\d+\.\d+\.\d+
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
_GENERIC_SUBJECT: Final = re.compile(
    r"^(?:the|a|an|each|any|its|their|such an?)\s+(?:\w+\s+)?(?P<noun>[\w-]+)\s+(?:of\s+\S+\s+)?"
    r"(?:must|should|may|can|cannot|is|are|has|will|does|needs?|requires?|contains?|takes?|returns?|defaults?)\b",
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
_BARE: Final = re.compile(r"^[\w`'\"(]")


def stated(part: Part, voice: Voice) -> Iterator[Stated]:
    """What one sentence says that is worth a page. Nothing of a sentence that needs its neighbours."""
    if voice is Voice.NOTHING or _OTHERWISE.match(part.text):
        return
    text = _LABEL.sub("", part.text.strip())
    if not is_whole(text, part):
        return
    firm = bool(_FIRM.search(text))
    if passing(text, firm=True) or is_question(text) or is_manners(text):
        return
    for clause in clauses(_to_everyone(text)):
        if _NO_REASON.match(clause.reason):
            return
        found = _of_clause(clause, part, voice, firm=firm)
        if found is not None:
            yield found
            return  # one sentence, one page: what follows in it is its detail


def is_whole(text: str, part: Part) -> bool:
    words = text.split()
    if not _LEAST <= len(words) <= _MOST or not _BARE.match(text) or text.endswith((":", "?", "…", "!")):
        return False
    if (
        "http" in text
        or "\ufffd" in text
        or text.count("`") % 2
        or text.count("(") != text.count(")")
        or ".." in text.replace("...", "..")
    ):
        return False
    if (not text[0].isupper() and text[0] != "`") or text.count('"') % 2 or _is_title(words):
        return False
    if _is_led(part):
        return False
    core, _ = reasoned(text)  # what may be vague in a reason may not in a rule
    return not (_NOT_ALONE.search(text) or _MACHINE.search(text) or _OTHERS.search(core) or text.endswith("etc."))


def _is_title(words: list[str]) -> bool:
    """`Document What Evals Don't Check`."""
    long = [word for word in words[1:] if len(word) > 3 and word[0].isalpha()]
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
    if (found := _component(text, voice)) is not None:
        return Stated("map", found, clause.reason, part, firm)
    kind, said = _declared(clause, voice) or ("practice", _practice(clause, voice, firm=firm))
    if said is not None and ", not" in said and not _CONTRAST.search(text):
        said = f"{text[:1].upper()}{text[1:]}" if is_base(text.split()[0]) else None
    if said is None or pointing(said) or is_story(said) or len(said.split()) < _LEAST:
        return None
    return Stated(kind, said, clause.reason, part, firm)


_CONTRAST: Final = re.compile(r",\s+(?:and |but )?(?:not|never)\b|\b(?:instead of|rather than|don'?t|do not)\b.*,", _I)
_DECLARED: Final = re.compile(
    r"^(?P<subject>(?:[\w`.,/@'\"*:=<>()-]+\s+){1,9}?)"
    r"(?P<modal>must(?: not| never| always| only| be)?|shall(?: not)?|may (?:not|only)"
    r"|should(?: not| never| always| be| only)"
    r"|(?:is|are) (?:forbidden|prohibited|mandatory|not allowed|required(?= (?:for|to|when|in)\b))"
    r"|(?P<fact>(?:is|are) (?:never|always|only(?= \w+ed\b))|(?:never|always)(?= \w+s\b)|cannot be))\s+\S.*$",
    _I,
)
_NO_SUBJECT: Final = re.compile(
    r"^(?:it|they|this|that|these|those|there|he|she|you|we|i|one|who|which|what|if|when|whenever|where|because|since|as|so|and|or"
    r"|then|to|by|with|for|in|on|at|from|after|before|once|unless|until|while|although|though|even|not|only|also)\b",
    _I,
)
_RELATIVE: Final = re.compile(r"\b(?:that|which|who|whose|what|where|when|if|whether|how|why)\b|:|—|–", _I)
_VERB_IN_IT: Final = re.compile(
    r"(?<!^)\b(?!(?:of|in|on|at|to|for|from|with|by|as|over|under|between|per|against|and|or|inside|within|via|into|like"
    r"|across|without|about|through|than|behind|beyond|using|containing|including|all|not)\b)[\w-]+"
    r"\s+(?:the|an?|its|their|your)\s",
    _I,
)
"""`Spaces define the landscape an optimizer must …`: what must is not what the sentence begins with."""
_COMPARES: Final = re.compile(r"^(?:more|most|other|further|additional|less|fewer|another|anything|something)\b", _I)
_DEFINITE: Final = re.compile(r"^(?:the|its|their|your|such|said|a given)\s+(?P<rest>.+)$", _I)
_ARTICLE: Final = re.compile(r"^(?:an?|each|every|any|all|no)\s+(?P<rest>.+)$", _I)


def _declared(clause: Clause, voice: Voice) -> tuple[Kind, str] | None:
    """`X must …`, `X is never …`: a rule or a fact about a thing that the sentence itself names."""
    found = _DECLARED.match(clause.text)
    if not found or not _names_its_subject(found["subject"].strip()):
        return None
    modal = found["modal"].lower()
    if voice is Voice.READERS and modal.startswith("should"):
        return None
    fact = bool(found["fact"])
    if modal == "cannot be" and not clause.reason:
        return None
    text = clause.text
    return ("map" if fact else "practice"), f"{text[:1].upper()}{text[1:]}"


def _names_its_subject(subject: str) -> bool:
    """`Migrations`, `a source's URL`, `the kind of a page`, ``the `mail` worker``; not `the value`, not `it`."""
    if _NO_SUBJECT.match(subject) or subject.endswith((",", ":")) or _RELATIVE.search(subject):
        return False
    if _VERB_IN_IT.search(subject) or _COMPARES.match(subject):
        return False
    if names_in(subject):
        return True
    if definite := _DEFINITE.match(subject):
        words = definite["rest"].lower().split()
        return len(words) > 1 and not (len(words) == 2 and words[-1] in _GENERIC and words[0] in _GENERIC)
    indefinite = _ARTICLE.match(subject)
    words = (indefinite["rest"] if indefinite else subject).lower().split()
    return not (len(words) == 1 and words[0].rstrip("s") in _GENERIC and not _is_all(subject))


def _is_all(subject: str) -> bool:
    return re.match(r"^(?:all|every|each|no)\b", subject, _I) is not None


def _practice(clause: Clause, voice: Voice, *, firm: bool) -> str | None:
    wanted = clause._replace(rule=voice is Voice.RULES or (firm and voice is Voice.BUILDERS))
    first = clause.text.split()[0].lower().strip("`")
    if first in _FIRST or (is_base(first) and first in KNOWN):
        return _order(wanted, voice)
    if voice is Voice.READERS or first not in ("we", "our"):
        return None
    return practice(wanted)


_FIRST: Final = word_set("never always do don't avoid prefer")


def _order(clause: Clause, voice: Voice) -> str | None:
    text = clause.text
    first = text.split()[0].lower()
    never = re.match(r"^(?:never|always|do not|don'?t|avoid|prefer)\b", text, _I) is not None
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


_VERB: Final = re.compile(rf"\s(?:is|are|lives?|sits?|resides?|stays?|{DOES})\s", _I)


def _component(text: str, voice: Voice) -> str | None:
    """What exists, with a name or a path that can be looked up."""
    if voice is Voice.READERS:
        return None
    found, verb = place(text), _VERB.search(text)
    if found is None or verb is None or not ("`" in found or "/" in found):
        return None
    subject = text[: verb.start()]
    one = _ARTICLE.match(subject) or _DEFINITE.match(subject)
    if one is not None and _is_part(one["rest"]):
        return found
    vague = one is not None and len(one["rest"].split()) == 1 and not names_in(subject)
    return found if _names_its_subject(subject) and not vague else None


_MANY: Final = word_set(
    "tests code logic helpers config configuration settings fixture fixtures migration migrations class"
)


def _is_part(noun: str) -> bool:
    """`The scheduler`, of which there is one; not `the tests`."""
    return noun.lower() in COMPONENTS - _GENERIC - _MANY
