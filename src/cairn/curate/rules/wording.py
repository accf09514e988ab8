"""A statement as a page would have it: a title, a summary, a body, and a few tags."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cairn.curate.candidates import SUMMARY_LONGEST, TAGS_MOST, TITLE_LONGEST, one_line
from cairn.curate.rules.words import VERBS, names_in, word_set
from cairn.kernel.model.candidate import Kind

_TOPICS: Final = """
    testing: test tests testing pytest jest vitest unittest mock mocks mocking fixture fixtures coverage e2e \
        snapshot
    git: commit commits committing branch branches merge merging rebase squash git pr prs tag tags
    code-style: format formatting formatter lint linter linting style tabs indentation prettier ruff black eslint \
        quotes
    naming: name names naming named prefix suffix snake_case kebab-case camelcase
    dependencies: dependency dependencies package packages npm pnpm yarn pip uv poetry cargo lockfile library \
        libraries
    database: database databases db sql postgres postgresql mysql sqlite migration migrations schema query queries \
        table
    deployment: deploy deploys deploying deployment release releases releasing production staging rollout argocd \
        helm
    ci: ci pipeline pipelines workflow workflows actions runner runners
    logging: log logs logging logger
    errors: error errors exception exceptions throw raise panic
    api: api apis endpoint endpoints rest graphql grpc route routes handler handlers
    security: secret secrets password passwords token tokens auth authentication encrypt encryption permission tls \
        ssl
    configuration: config configs configuration settings setting env environment flag flags
    documentation: docs documentation readme docstring docstrings changelog comment comments
    types: type types typing typed typescript mypy
    frontend: component components css react vue svelte frontend ui page pages tailwind
    performance: cache caching cached performance latency batch slow
    build: build builds building compile bundle make makefile docker dockerfile container image
    jobs: worker workers job jobs queue queues cron scheduler
    time: date dates time timezone utc timestamp timestamps datetime
"""
"""What words of a statement say about its subject."""
_TOPIC_OF: Final = {
    word: topic.strip()
    for topic, _, words in (line.partition(":") for line in _TOPICS.splitlines() if line.strip())
    for word in words.split()
}
_FALLBACK: Final[dict[Kind, str]] = {"practice": "conventions", "map": "components"}
_TAG: Final = re.compile(r"[a-z0-9][a-z0-9.+#-]{1,28}[a-z0-9+#]")
_WORD: Final = re.compile(r"[\w.+#-]+")
_BREAK: Final = re.compile(
    r"\s*[,;:–—(]\s|\s+(?:when|whenever|before|after|unless|if|so that|instead of|rather than)\s"
)
_LEAST_TITLE: Final = 24
_LABELLED: Final = re.compile(r"[^:`]{3,40}\(`[^():]{1,60}`\)(?=: )")
"""`The queue (`src/queue.py`): jobs wait here`."""
_VERB_OF_LIST: Final = re.compile(
    r"[^.`;:]{0,160}?,[^.;:]{0,160}?\b(?:must|should|shall|may|is|are|cannot)\s+(?:not\s+)?\w+"
)
"""Things in a row that something is said of: a title that ends before that says nothing."""
_LED_IN: Final = re.compile(
    r"(?:when|whenever|if|before|after|once|for|in|unless|while|where)\b[^,]{0,160},\s+(?:\S+\s+){3}", re.IGNORECASE
)
_LEADS_ON: Final = re.compile(
    r"\b(?:even|merely|only|just|from|and|or|of|to|in|with|by|for|that|the|an?)$", re.IGNORECASE
)


class Words(NamedTuple):
    title: str
    summary: str
    body: str
    tags: tuple[str, ...]


def worded(kind: Kind, statement: str, reason: str) -> Words:
    text = statement.strip(" .,;")
    because = _because(reason)
    body = f"{text}." if not because else f"{text}.\n\n{because}"
    both = f"{text}. {because}" if because else f"{text}."
    summary = both if len(both) <= SUMMARY_LONGEST else one_line(f"{text}.", SUMMARY_LONGEST)
    return Words(_title(text), summary, body, tags_of(kind, text))


def _because(reason: str) -> str:
    said = reason.strip(" .,;:")
    if not said:
        return ""
    return f"Why: {said}."


def _title(text: str) -> str:
    if len(text) <= TITLE_LONGEST:
        return text
    if labelled := _LABELLED.match(text):
        return labelled[0]
    led = _VERB_OF_LIST.match(text) or _LED_IN.match(text)
    least = max(_LEAST_TITLE, led.end() if led else 0)
    cuts = [found for found in _BREAK.finditer(text) if least <= found.start() <= TITLE_LONGEST]
    whole = [text[: cut.start()].rstrip(" ,;:") for cut in cuts if _is_whole(text[: cut.start()], cut[0].strip())]
    return whole[-1] if whole else one_line(text, TITLE_LONGEST)


def _is_whole(title: str, behind: str) -> bool:
    """Nothing is left open: no bracket, no code, no word that leads on to the next."""
    leads_on = behind.isalpha() and _LEADS_ON.search(title)
    return title.count("(") == title.count(")") and title.count("`") % 2 == 0 and not leads_on


def tags_of(kind: Kind, text: str) -> tuple[str, ...]:
    """What it is about first, then names in it."""
    found = dict.fromkeys((*_topics(text), *_names(text)))
    return tuple(found)[:TAGS_MOST] or (_FALLBACK[kind],)


def _topics(text: str) -> list[str]:
    counted: dict[str, int] = {}
    for word in _WORD.findall(text.lower()):
        if topic := _TOPIC_OF.get(word.strip(".-")):
            counted[topic] = counted.get(topic, 0) + 1
    return sorted(counted, key=lambda topic: -counted[topic])[:2]


_USED: Final = re.compile(
    r"\b(?:use|prefer|with|not|over|of|than)\s+([a-z@][\w@./+-]{1,24})(?=[\s,.]|$)", re.IGNORECASE
)
_PROPER: Final = re.compile(r"(?<=[\w,] )[A-Z][\w+#-]{2,20}\b")
_PLAIN: Final = word_set("the and for all any our each every new not only that this their its them")


def _names(text: str) -> Iterator[str]:
    for name in _short([*names_in(text), *_USED.findall(text), *_PROPER.findall(text)]):
        if _TAG.fullmatch(name) and name not in _PLAIN and name not in VERBS:
            yield name


def _short(names: Sequence[str]) -> Iterator[str]:
    """`date-fns` and `mailer` of `services/mailer.py`; commands with arguments by their first word."""
    for name in names:
        first = name.split()[0] if name.split() else ""
        yield re.sub(r"\.\w{1,4}$", "", first.rstrip("/").rpartition("/")[2]).lower().replace("_", "-").strip("-.")
