"""What a passage claims: of which subject, with what force, and which value."""

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Literal, NamedTuple

from cairn.kernel.text.atoms import VALUES, Atom, atoms, concept, measured
from cairn.kernel.text.lexicon import NEGATIONS, SIDES, STOP
from cairn.observe.lens_h.passages import Context, Passage, claims_something
from cairn.observe.lens_h.words import CONDITION, FORCE, HEDGED, LISTED, SCOPES, SIDE_OF, Force

Kind = Literal["statement", "default", "name", "choice", "order"]


class Claim(NamedTuple):
    path: str
    line: int
    text: str
    """The sentence."""
    kind: Kind
    subject: frozenset[str]
    """Keys of everything it is about."""
    names: frozenset[str]
    """Of these, what is written as code or as a proper name."""
    context: Context
    force: Force = "plain"
    sides: frozenset[tuple[str, int]] = frozenset()
    """Families of opposites, with the side it takes."""
    values: tuple[str, ...] = ()
    """Numbers with their unit; or what is named, chosen or put first."""
    written: tuple[str, ...] = ()
    """The same, as it stands in the text."""
    conditions: frozenset[str] = frozenset()
    """Keys behind an `if`, a `when`, an `only`."""
    scopes: frozenset[str] = frozenset()
    order: tuple[str, ...] = ()
    """The subject as it is said."""
    hedged: bool = False

    @property
    def key(self) -> tuple[str, int, str, Kind, tuple[str, ...]]:
        return (self.path, self.line, self.text, self.kind, self.values)


def claims(passage: Passage) -> Iterator[Claim]:
    if passage.table:
        yield from _of_row(passage)
        return
    if not claims_something(passage.text):
        return
    for clause in _clauses(passage.text):
        for found in (_default(passage, clause), _named(passage, clause), _choice(passage, clause)):
            if found is not None:
                yield found
        yield from _ordered(passage, clause)
        if (statement := _statement(passage, clause)) is not None:
            yield statement


# --- clauses ----------------------------------------------------------------------------------------------------------

_JOINT = re.compile(
    r";\s+|\s+[–—]\s+|\s+--\s+|,\s+(?=(?:and|but|so|while|whereas|which|because|where|as|with the|since)\s)|"
    r"\s+(?=(?:because|so that|in order to|and (?:is|are|then|must|can|cannot|should|therefore|so))\s)",
    re.IGNORECASE,
)
_SAYS = re.compile(r"\b(?:is|are|was|must|should|can|will|may|has|have|does|do|not|\w+s)\b", re.IGNORECASE)
_PARENTHESIS = re.compile(r"\s*\([^()]*\)")
_LEANING = re.compile(
    r"^(?:and|but|so|while|whereas|which|because|where|as|since|then|it|they|this|these|those|that|there|he|she|such|"
    r"both|either|all of|none of|the (?:former|latter|above|following|same)|here|however|also|otherwise|"
    r"instead|so that|in order to|in this case|in that case|if so|if not|for this|for these|as such|doing so|one|"
    r"another|others?)\b",
    re.IGNORECASE,
)
"""Starts of clauses whose subject stands elsewhere."""


def _clauses(text: str) -> Iterator[str]:
    """The parts of a sentence that stand for themselves."""
    position = 0
    for found in [*_JOINT.finditer(text), None]:
        end = found.start() if found else len(text)
        clause = text[position:end].strip()
        rest = text[found.end() :] if found else ""
        if found and not (_SAYS.search(rest) and len(rest.split()) >= 3 and _balanced(clause)):
            continue
        if len(clause.split()) >= 2 and not _LEANING.match(clause):
            yield clause.rstrip(" .!:,;")
        position = found.end() if found else end


def _balanced(text: str) -> bool:
    return text.count("(") == text.count(")") and text.count("`") % 2 == 0


# --- statements -------------------------------------------------------------------------------------------------------

_ATLEAST = re.compile(
    r"(\d[\w.]*)\s*(?:\+(?!\d)|(?:or|and) (?:newer|later|higher|above|greater|more|up|upwards|over)\b)", re.IGNORECASE
)
_SIGNS = ((re.compile(r"\s*(?:>=|≥)\s*"), " atleast "), (re.compile(r"\s*(?:<=|≤)\s*"), " atmost "))
_RANGE = re.compile(
    r"\d[\w.,%]*\s*(?:-|–|—|to|and|or|through|until|/|×|x|,\s)\s*\d|\bbetween\s+\d|\bfrom\b[^.]*\d[^.]*\bto\b|\d\s*[:/]\s*\d\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\b\d{1,2}:\d{2}\b")
_DEFAULT = re.compile(r"\bby default\b,?|\bdefaults? (?:to|value(?: (?:of|for))?|of|for)\b|\bdefault:?", re.IGNORECASE)
_DEFAULT_KEY = concept("default")
_SPAN = re.compile(r"`([^`]+)`")
_CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z][\w-]+")
_ONE = re.compile(
    r"(?<!\bno )(?<!\bany )(?<!\beach )(?<!\bthe )(?<!\bevery )\bone\b(?= "
    r"(?!of|or|another|more|that|which|is|can|should|must|who|has|and|to|in|for|at|by|thing)[a-z])"
)
_TIMES_OUT = re.compile(r"\btim(?:es?|ed|ing) out\b", re.IGNORECASE)
_UNSUPPORTED = re.compile(r"\bunsupported\b", re.IGNORECASE)


_POINTING = re.compile(r"\b(?:this|these|those|such)\s+\w+", re.IGNORECASE)
"""What is meant stands elsewhere."""
_LABEL = re.compile(r"\W*(?:an?\s|the\s)?\W*\d+\b(?!\s*%)(?:\s+[–—:-]|\W*\s+(?:on|is|for|means)\b)", re.IGNORECASE)
"""A number that is what the sentence is about, such as the code of an error."""
_CONTRAST = re.compile(
    r",\s+(?:and |but )?(?:not|never|no)\b|\bwhether\b|\b(?:not|never) (?:just|only|merely|simply|necessarily|"
    r"yet|all|every|always|the only|until|by|in|for|because|as|to)\b",
    re.IGNORECASE,
)
"""Negations of a part of the sentence, or of none."""


class _Parts(NamedTuple):
    subject: frozenset[str]
    names: frozenset[str]
    sides: frozenset[tuple[str, int]]
    values: tuple[str, ...]
    written: tuple[str, ...]
    force: Force
    denials: int
    conditions: frozenset[str]
    scopes: frozenset[str]
    order: tuple[str, ...]


def _statement(passage: Passage, clause: str) -> Claim | None:
    whole = _PARENTHESIS.sub("", clause)
    said = _parts(whole)
    if said is None or not said.subject:
        return None
    ranged = _RANGE.search(_CLOCK.sub("0", whole)) is not None or LISTED.search(whole) is not None
    hedged = (
        HEDGED.search(clause) is not None
        or _LABEL.match(whole) is not None
        or ranged
        or said.denials > 1
        or _CONTRAST.search(whole) is not None
    )
    return _claim(passage, "statement", said, hedged=hedged)


def _claim(
    passage: Passage,
    kind: Kind,
    said: _Parts,
    *,
    values: tuple[str, ...] | None = None,
    written: tuple[str, ...] | None = None,
    hedged: bool = False,
) -> Claim:
    around = passage.section.context
    return Claim(
        passage.path,
        passage.line,
        passage.text,
        kind,
        said.subject,
        said.names,
        around,
        said.force,
        said.sides,
        said.values if values is None else values,
        said.written if written is None else written,
        said.conditions,
        said.scopes | around.scopes,
        said.order,
        hedged,
    )


def _parts(text: str) -> _Parts | None:
    """What is left of a clause when its force, its values and its opposites are taken out."""
    spans = " ".join(_SPAN.findall(text))
    proper = " ".join(_CAPITAL.findall(text))
    conditions = _conditions(text)
    text = _ONE.sub("1", _WORD_SPAN.sub(_as_name, text))
    text = _TIMES_OUT.sub("timeout", _UNSUPPORTED.sub("not supported", text))
    text = _ATLEAST.sub(r" atleast \1 ", text)
    for pattern, instead in _SIGNS:
        text = pattern.sub(instead, text)
    text, forces = _forces(text)
    if _DEFAULT.search(text):
        text = _DEFAULT.sub(" default ", text)
    found = atoms(text)
    sides = frozenset(SIDE_OF[key] for atom in _sided(found) if (key := _stem(atom)) in SIDE_OF)
    if len({family for family, _ in sides}) < len(sides):
        return None
    order = tuple(_stem(atom) for atom in found if _is_about(atom))
    subject = frozenset(order)
    values = sorted((_value_key(atom), atom.text) for atom in found if atom.kind in VALUES)
    scopes = subject & SCOPES
    made = frozenset(a.key for a in found if a.kind == "name")
    names = (made | frozenset(a.key for a in atoms(f"{spans} {proper}"))) & subject
    keys, written = tuple(key for key, _ in values), tuple(text for _, text in values)
    denials = forces.count("deny")
    return _Parts(subject, names, sides, keys, written, _force(forces), denials, conditions, scopes, order)


_TWO_PARTS = re.compile(r"[1-9]\d*\.\d+0")


def _value_key(atom: Atom) -> str:
    """As a number `3.10` were 3.1; with a nought at its end it is a version."""
    return atom.text if _TWO_PARTS.fullmatch(atom.text) else atom.key


def _is_about(atom: Atom) -> bool:
    if atom.kind not in ("word", "name", "logic") or not any(sign.isalpha() for sign in atom.key):
        return False
    return _stem(atom) not in SIDE_OF and _stem(atom) not in _NOT_ABOUT


_NOT_ABOUT = frozenset({"not", "no", "never", "nor", concept("listen"), concept("bind")})


def _stem(atom: Atom) -> str:
    return concept(atom.key) if atom.kind == "logic" else atom.key


def _sided(found: list[Atom]) -> Iterator[Atom]:
    """Words of a family of opposites. `after` before a number only says how long."""
    for atom, following in zip_longest(found, found[1:]):
        if atom.key == "after" and following is not None and following.kind in VALUES:
            continue
        if atom.kind in ("word", "logic", "name"):
            yield atom


_WORD_SPAN = re.compile(r"`([a-z]+)`", re.IGNORECASE)


def _as_name(found: "re.Match[str]") -> str:
    """Between backticks `strict`, `every` and `not` are names of something."""
    word = found[1].lower()
    means_more = concept(word) in SIDE_OF or word in STOP or word in SIDES or word in NEGATIONS
    return f"`${word}`" if means_more else found[0]


def _forces(text: str) -> tuple[str, list[str]]:
    forces: list[str] = []

    def taken(found: "re.Match[str]") -> str:
        forces.append(str(found.lastgroup))
        return " "

    parts = _SPAN.split(text)
    parts[::2] = [FORCE.sub(taken, part) for part in parts[::2]]
    return "".join(f"`{part}`" if number % 2 else part for number, part in enumerate(parts)), forces


def _force(forces: list[str]) -> Force:
    order: tuple[Force, ...] = ("free", "deny", "must", "should", "may")
    return next((force for force in order if force in forces), "plain")


def _conditions(text: str) -> frozenset[str]:
    found = CONDITION.search(text)
    if not found:
        return frozenset()
    end = text.find(",", found.end())
    return frozenset(a.key for a in atoms(text[found.end() : end if end > 0 else len(text)]) if a.counts)


# --- defaults ---------------------------------------------------------------------------------------------------------

_SHORT_TIME = re.compile(r"(\d+)(ms|s|m|h|d)")
_SHORT_UNITS = {"m": "min"}
_BOOLS = {
    **dict.fromkeys(("true", "on", "yes", "enabled"), "true"),
    **dict.fromkeys(("false", "off", "no", "disabled"), "false"),
}
_VALUE = (
    r"(?P<value>`[^`]+`|\"[^\"]+\"|(?:true|false|on|off|enabled|disabled)\b|"
    r"[\d.,]+\s*\w*|(?:zero|one|two|three|four|five|six|seven|eight|nine|ten)(?:\s\w+)?)"
)
_DEFAULTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?P<of>(?:the |an? )?`[^`]+`(?: \w+)?)\s*\([^()]*?\bdefaults?(?: to| is|:)?\s*:?\s*{_VALUE}[^()]*\)",
        rf"^(?P<of>.+?)\s+defaults\s+to\s+{_VALUE}$",
        rf"^(?:the\s+)?default(?:\s+value)?\s+(?:of|for)\s+(?P<of>.+?)(?:\s+(?:is|=)|:)\s+{_VALUE}$",
        rf"^(?:the\s+)?default\s+(?P<of>.+?)(?:\s+(?:is|=)|:)\s+{_VALUE}$",
        rf"^by\s+default,?\s+(?P<of>.+?)\s+(?:is|are)\s+(?:set\s+to\s+)?{_VALUE}$",
        rf"^(?P<of>.+?)\s+(?:is|are)\s+(?:set\s+to\s+)?{_VALUE}\s+by\s+default$",
    )
)


def _default(passage: Passage, clause: str) -> Claim | None:
    if "default" not in clause.lower() or HEDGED.search(clause):
        return None
    for pattern in _DEFAULTS:
        if found := pattern.search(clause):
            return _valued(passage, found["of"], found["value"])
    return None


def _valued(passage: Passage, of: str, value: str) -> Claim | None:
    said = _parts(of)
    meant = _value(value)
    if said is None or not said.subject or said.force != "plain" or meant is None:
        return None
    return _claim(passage, "default", said, values=(*said.values, meant), written=(*said.written, value))


def _value(text: str) -> str | None:
    bare = text.strip("`\"' ").removesuffix(".").strip()
    if found := _SHORT_TIME.fullmatch(bare):
        return measured(found[1], _SHORT_UNITS.get(found[2], found[2]))
    if not bare or len(bare) > 60:
        return None
    if bare.lower() in _BOOLS:
        return "is " + _BOOLS[bare.lower()]
    some = atoms(bare)
    if len(some) == 1 and some[0].kind in VALUES:
        return _value_key(some[0])
    return "is " + bare.lower().strip("\"'")


def _of_row(passage: Passage) -> Iterator[Claim]:
    """Rows that give the default of something: `| name | … | default |`."""
    (_, named), *rest = passage.table
    name = re.fullmatch(r"`([^`\s]+)`", named)
    default = next((cell for head, cell in rest if re.fullmatch(r"defaults?(?: value)?", head.strip("*` "), re.I)), "")
    if name and default and re.fullmatch(r"`[^`]+`|[\w.]+(?: \w+)?", default):
        found = _valued(passage, named, default)
        if found is not None:
            yield found._replace(text=f"{named}: default {default}")


# --- names, choices, order --------------------------------------------------------------------------------------------

_PLACE = re.compile(
    r"^(?P<of>.+?)\s+(?:is|are)\s+(?P<verb>(?:[a-z]+ed|kept|written|built|run|sent|read|held|set|found))\s+"
    r"(?P<how>in|at|to|on|by|with|from|under|as|using|via|into)\s+(?:the\s+)?(?P<value>`[^`\s]+`|[\w.-]+|[A-Z]\w+ \w+)$"
)
_CALLED = re.compile(r"^(?P<of>.+?)\s+(?:is|are)\s+(?P<verb>called|named)(?P<how>)\s+(?P<value>`[^`\s]+`|[A-Z][\w-]+)$")
_OF_MANY = re.compile(
    r"describ|document|explain|list|show|discuss|cover|detail|mention|illustrat|specifi|found|based|used|return|pass|"
    r"test|support|relat|link|compar|replac|given|add|includ|referenc|affect|trigger|follow|caus"
)
"""What is done like this in one place may be done in others as well."""
_TELLING = re.compile(r"`|[A-Z0-9]")


def _named(passage: Passage, clause: str) -> Claim | None:
    """Of a thing that is kept, made or called in one way: the way. Two plain words say too little to differ."""
    found = _PLACE.match(clause) or _CALLED.match(clause)
    if found is None or HEDGED.search(clause) or CONDITION.search(found["of"]) or _OF_MANY.match(found["verb"]):
        return None
    said = _parts(f"{found['of']} {found['verb']}")
    if said is None or said.force not in ("plain", "must") or said.sides:
        return None
    sort = "telling" if _TELLING.search(found["value"]) else "plain"
    value = found["value"].strip("`")
    values = (*said.values, f"{found['how'].lower()} {sort} {value}")
    return _claim(passage, "name", said, values=values, written=(*said.written, found["value"]))


_LIST = r"(?P<list>[^.;:()]+)$"
_CHOICES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:the\s+)?(?P<of>(?:allowed|valid|accepted|possible|permitted|legal)\s+[^,:]+?)\s+(?:are|is)(?:\s+one\s+of)?:?\s+"
        + _LIST,
        r"^(?P<of>.+?)\s+(?:must\s+be|accepts|takes|is|can\s+be)\s+(?:one\s+of|exactly\s+one\s+of|either):?\s+" + _LIST,
    )
)
_ITEM = re.compile(r"\s*,\s*(?:and|or)?\s*|\s+(?:and|or)\s+")


def _choice(passage: Passage, clause: str) -> Claim | None:
    """A list that says that there is nothing else."""
    for pattern in _CHOICES:
        if found := pattern.match(clause):
            items = [item.strip() for item in _ITEM.split(found["list"]) if item.strip()]
            said = _parts(found["of"])
            if said is None or len(items) < 2 or HEDGED.search(clause) or any(len(item.split()) > 2 for item in items):
                return None
            return _claim(passage, "choice", said, values=tuple(sorted(item.strip("`\"'").lower() for item in items)))
    return None


_PREFER = re.compile(
    r"^(?:always\s+)?prefer\s+(?P<one>[\w `-]+?)\s+(?:over|to|rather than|instead of)\s+(?P<other>[\w `-]+)$", re.I
)
_BEFORE = re.compile(r"^(?P<one>[\w `-]+?)\s+(?P<order>before|after)\s+(?P<other>[\w `-]+)$", re.I)
_TAIL = re.compile(r"\s+(?:in|for|on|when|at|within|during|of|with|by)\s+.*$")


def _ordered(passage: Passage, clause: str) -> Iterator[Claim]:
    """Of two things the one to take, or to do, first."""
    found = _PREFER.match(clause) or _BEFORE.match(clause)
    if found is None or HEDGED.search(clause):
        return
    whole = _parts(clause)
    one, other = _core(found["one"]), _core(found["other"])
    if whole is None or not one or not other or one & other or whole.values or whole.force == "deny":
        return
    if found.groupdict().get("order", "").lower() == "after":
        one, other = other, one
    yield _claim(passage, "order", whole, values=(" ".join(sorted(one)), " ".join(sorted(other))))


def _core(text: str) -> frozenset[str]:
    return frozenset(atom.key for atom in atoms(_TAIL.sub("", text)) if atom.counts)
