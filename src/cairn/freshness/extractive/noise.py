"""What changes on a page without the page saying anything else: stamps, counters, banners, navigation."""

import re
from functools import cache

from cairn.kernel.text.atoms import atoms

_LONGEST = 160
"""Banners are short; a longer sentence says something."""


def is_noise(text: str, key: str, kind: str) -> bool:
    """Whether nobody can rely on this passage."""
    if kind == "code" or len(key) > _LONGEST:
        return False
    if _stamps().fullmatch(key) or _banners().search(key):
        return True
    if len(key) < 60 and not text.rstrip().endswith(".") and _labels().fullmatch(key):
        return True
    return kind != "row" and len(key) < 40 and _says_nothing(key)


@cache
def _stamps() -> "re.Pattern[str]":
    return re.compile(
        r"""(?:.{0,30}\b)?(?:updated|modified|reviewed|edited|published|revised|generated|built|changed|posted|verified)
            (?:\ (?:on|at|by|in|date))?\b.{0,30}(?:\d{4}|\bago\b|today|yesterday|\d+:\d\d).{0,30}
      | (?:©|copyright|\(c\)).{0,100}
      | .{0,60}all\ rights\ reserved.{0,40}
      | .{0,30}\b(?:min(?:ute)?s?\ read|reading\ time|time\ to\ read)\b.{0,30}
      | [\d.,k\ ]+(?:views?|reads?|likes?|stars?|forks?|watchers?|comments?|shares?|downloads?|contributors?
            |people\ (?:found|like|are).{0,30}|of\ \d+\ found\ this\ helpful)
            (?:\ (?:today|so\ far|this\ (?:week|month)))?
      | (?:views?|likes?|stars?|forks?|comments?|downloads?|viewed|online)\ ?[\d.,k]+(?:\ times)?
      | (?:build|revision|commit|nonce|request\ id|trace\ id|session\ id|etag|sha)[\ :#-]+[\w#.-]+
        """,
        re.VERBOSE,
    )


@cache
def _banners() -> "re.Pattern[str]":
    return re.compile(
        r"""\b(?:cookie\ (?:policy|settings|preferences|banner|consent)|we(?:\ and\ our\ partners)?\ use\ cookies
        |accept\ (?:all\ )?cookies|(?:site|website|page)\ uses\ cookies|manage\ (?:cookies|consent)|did\ you\ find\ this
        |was\ this\ (?:(?:page|article)\ )?helpful|subscribe\ to\ our|sign\ up\ for\ our|join\ us\ (?:at|for|in|on)
        |register\ now|save\ your\ (?:seat|spot)|enable\ javascript)\b""",
        re.VERBOSE,
    )


@cache
def _labels() -> "re.Pattern[str]":
    return re.compile(
        r"""(?:table\ of\ contents|contents|on\ this\ page|in\ this\ (?:article|section|guide)|breadcrumbs?|see\ also)
      | skip\ to\ .*
      | (?:edit|improve|suggest|view)\ (?:this\ )?(?:page|edits?|source|article)\b.*
      | (?:next|previous|prev|up\ next|related|share|print|copy)\b.{0,40}
      | [←→»›].{0,40}
      | (?:give|send|leave)?\ ?feedback|report\ an?\ issue.*
      | (?:sign|log)\ (?:in|up|out)|register|subscribe|newsletter|menu|home|search|close|contact(?:\ us|\ sales)?
      | privacy(?:\ policy)?|terms(?:\ of\ (?:use|service))?|careers|english|get\ started|try\ it\ free
      | \w+(?:\ \w+)?\ (?:[›»/>]\ \w+(?:\ \w+)?)+
        """,
        re.VERBOSE,
    )


def _says_nothing(key: str) -> bool:
    """A date, a hash, a number: no word that says what it is about."""
    return all(atom.kind in ("date", "number", "version", "stop") or atom.key == "#" for atom in atoms(key))
