"""Reads what stands around a value: where a secret is kept, verbs before it, commands and connections that it is part of."""

import re

from cairn.lib.scrub.value import is_no_value

Match = re.Match[str]

_PLACE_BEFORE = 60
_IN_A_PLACE = re.compile(
    r"(?:\b(?:stored|kept|saved|held|hidden|lives?|managed|found|available|located|put|encrypted|protected|shared|entered|typed|generated|"
    r"gespeichert|abgelegt|hinterlegt|liegt|steht|verwaltet|stocké|conservé|enregistré|rangé|guardad[ao]|almacenad[ao]|salvat[ao]|"
    r"conservat[ao]|salv[ao]|armazenad[ao]|opgeslagen|bewaard|zapisan[aeoy]|przechowywan[aeoy]|хранится|лежит|записан)\b[^\n.;:]{0,30}?[ \t]|"
    r"\b(?:is|are|be|was)(?:n't)?[ \t](?:not[ \t]|only[ \t]|still[ \t]|already[ \t]|also[ \t])?)"
    r"(?:in|inside|within|on|at|by|with|via|using|im|mit|dans|avec|en|con|em|com|met|w|z|в|на)[ \t\n]{1,2}[\"'`(]?$",
    re.IGNORECASE,
)
"""Behind it stands where a secret is kept, not the secret."""
_TOLD = re.compile(
    r"[ \t](?:(?:is|was|ist|war|lautet|est|c'est|était|es|era|è|é|e'|is|was|luidt|to|jest|brzmi|är|var|er|on|oli|je|bylo|zní|este|e|"
    r"це|это|е|είναι)(?:[ \t](?:now|still|again|jetzt|nun|maintenant|ahora|ora|agora|nu|teraz|теперь))?|=|[-–—])[ \t\n]{1,2}$",
    re.IGNORECASE,
)


def in_a_place(match: Match) -> bool:
    start = match.start("plain")
    return bool(_IN_A_PLACE.search(match.string, max(0, start - _PLACE_BEFORE), start))


def is_told(match: Match) -> bool:
    """Nothing but a verb of being stands before the value."""
    return bool(_TOLD.search(match.string[match.start() : match.start("plain")]))


_USED = re.compile(
    r"\b(?:use|using|used|enter|try|type|with|nimm|nutze|benutze|mit|utilise[rz]?|utilisez|avec|usa|use|usar|con|com|gebruik|met|użyj|wpisz)"
    r"[ \t](?:(?:the|das|le|la|el|o|il|het)[ \t])?$",
    re.IGNORECASE,
)


def is_used(match: Match) -> bool:
    """`use password Rover1`: nothing but a blank stands between the word and its value, which has a capital."""
    if match["plain"] is None or match.string[match.end("plain") - 1] == ":":
        return False
    between = match.string[match.start() : match.start("plain")]
    used = _USED.search(match.string, max(0, match.start() - 24), match.start())
    return bool(used) and len(between.split()) == 1 and match["plain"][:1].isupper()


_SHOUTED = re.compile(r"[A-Z][a-z]{3,20}!{1,3}")
_NOT_SHOUTED = frozenset(
    "required missing wrong invalid incorrect correct expired weak strong safe secure secret private public important "
    "mandatory optional empty valid changed reset set here there gone yours mine great perfect everything nothing".split()
)


def is_shouted(match: Match) -> bool:
    """`The password is Tulip!`: behind an English verb a word with a capital is a name, and people shout few of those."""
    said = match["plain"]
    english = re.search(r"\b(?:is|was)\s$", match.string[match.start() : match.start("plain")])
    word = said.rstrip("!").lower()
    return (
        bool(english and _SHOUTED.fullmatch(said)) and word not in _NOT_SHOUTED and not is_no_value(word, quoted=True)
    )


_SHELL_NAME = re.compile(r"[A-Z][A-Z0-9_]*=")
_SHELL_BEFORE = re.compile(
    r"(?:^|\n|;|&&|\||\b(?:export|env|set|ENV)[ \t]|-e[ \t]?|--env[ =])[ \t]*(?:[A-Z][A-Z0-9_]*=\S*[ \t]+)*[A-Z0-9_]*$"
)
_SHELL_AFTER = re.compile(r"\s|$|;|&&")


def in_shell(match: Match) -> bool:
    """`PGPASSWORD=… psql`: the assignment of a variable, at the start of a command."""
    start = match.start()
    name = match.string[start : match.start("plain")]
    return (
        bool(_SHELL_NAME.fullmatch(name))
        and bool(_SHELL_AFTER.match(match.string, match.end("plain")))
        and bool(_SHELL_BEFORE.search(match.string[max(0, start - 80) : start]))
    )


_NEXT_FIELD = re.compile(
    r"[ \t]+(?:host|hostaddr|port|user|dbname|sslmode|connect_timeout|application_name|options)[ \t]?="
)
_FIELD_BEFORE = re.compile(
    r"\b(?:host|hostaddr|port|user|dbname|sslmode)=[^\s=]{1,80}[ \t]+(?:\w{1,30}=\S{1,80}[ \t]+){0,9}$"
)


def in_connection(match: Match) -> bool:
    """`host=… password=… dbname=…`, as libpq reads it."""
    if match["sign"] != "=" or match.string[match.start("plain") - 1] != "=":
        return False
    before = match.string[max(0, match.start() - 160) : match.start()]
    return bool(_NEXT_FIELD.match(match.string, match.end("plain")) or _FIELD_BEFORE.search(before))
