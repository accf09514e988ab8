"""The log of questions: what was asked here, what was read, and that nothing fitted. It never leaves this workspace."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

from cairn.core.gap_tail import is_quiet
from cairn.core.ports.search import PageRead
from cairn.errors import CairnError

if TYPE_CHECKING:
    from cairn.core.model.event import IndexedLedgerEvent
    from cairn.retrieve.find import SearchAnswer
    from cairn.retrieve.ports import RetrievePorts

Surface = Literal["cli", "mcp", "http"]
QUESTION: Final = 200
"""Characters of a question that are kept."""
_READ: Final = 20_000
"""Characters of it that are looked at for secrets; nothing from beyond gets among those that are kept."""
_PATHS: Final = 5
_PATH: Final = 500
_LONGEST: Final = 1000
_SESSION: Final = 300
_PLAIN: Final = re.compile(r"(?:(?!\S{22})[^\W\d_]{1,15}(?:['’-][^\W\d_]{1,15}){0,2}[,.;?!]{0,3}(?:\s+|$))*")
_WORD: Final = re.compile(r"[^\W_]+")
_CALLED: Final = ("pass", "phrase", "mnemonic")
"""Beside the names of secrets in all languages, see `names_a_secret`."""


# --- telling ----------------------------------------------------------------------------------------------------------


def told_search(
    ports: "RetrievePorts",
    question: str,
    answer: "SearchAnswer",
    *,
    surface: Surface,
    session: str | None = None,
    turn: str | None = None,
) -> None:
    """Write down that somebody asked. Whatever is in the way of that is not in the way of the answer."""
    if not is_logged(ports):
        return
    payload = {
        "question": kept_question(question),
        "surface": surface,
        "session": _session(ports, session),
        **({"turn": turn[:_SESSION]} if turn else {}),
        "fits": answer.fits,
        "miss": _is_missed(ports, question, answer),
        "hits": answer.total,
        "paths": [hit.path for hit in answer.hits if not hit.note and len(hit.path) <= _PATH][:_PATHS],
    }
    _mention(ports, "search_asked", payload)


def _is_missed(ports: "RetrievePorts", question: str, answer: "SearchAnswer") -> bool:
    """Whether this may count as a gap. What is only held back, or filtered out, is there; and whoever wants quiet when
    they ask is not counted later."""
    there = answer.fits or answer.filtered or answer.withheld
    return not there and len(question) <= QUESTION and ports.settings.flag("retrieve.misses") and not is_quiet(ports)


def told_read(
    ports: "RetrievePorts",
    path: str,
    *,
    surface: Surface,
    session: str | None = None,
    turn: str | None = None,
    revision: str | None = None,
) -> None:
    """Write down that somebody read a page."""
    if is_logged(ports) and len(path) <= _LONGEST:
        facts = {
            "session": _session(ports, session),
            **({"turn": turn[:_SESSION]} if turn else {}),
            "revision": revision,
        }
        _mention(ports, "page_read", {"path": path, "surface": surface, **facts})


def asks_now(ports: "RetrievePorts", told: str | None) -> bool:
    """Whether this is the first page that a session reads: then it is asked to say afterwards whether what it used
    held. One that cannot be told from others is never asked, since it could be asked twice."""
    session = _session(ports, told)
    return session is not None and is_logged(ports) and not ports.store.usage.has_reader(session)


def is_logged(ports: "RetrievePorts") -> bool:
    """What Cairn itself asks, and what is asked while it is switched off, is not written down."""
    from cairn.core.switches import read_switches

    internal = ports.env.get("CAIRN_INTERNAL", "") not in ("", "0")
    return ports.settings.flag("retrieve.log") and not internal and not read_switches(ports.env).off


def kept_question(text: str) -> str:
    """Its beginning, without anything private."""
    asked = " ".join(text[:_READ].split())
    if not is_plain(asked):
        from cairn.lib.scrub.find import redact_kept

        asked = redact_kept(asked).text
    return asked[:QUESTION].encode("utf-8", "replace").decode()


def is_plain(text: str) -> bool:
    """Words and nothing else, none of which stands for a secret. No rule finds anything private in them, and the rules,
    which take longer to load than a search takes, are not needed."""
    return _PLAIN.fullmatch(text) is not None and not names_a_secret(text)


def names_a_secret(text: str) -> bool:
    """Whether a name of a secret occurs in it, alone or in a longer word; a short one only alone."""
    from cairn.lib.scrub.names import KEY, PASSWORD, SECRET

    folded = text.casefold()
    words, run_together = set(_WORD.findall(folded)), "".join(_WORD.findall(folded))
    for name in (*_CALLED, *PASSWORD, *SECRET, *KEY):
        bare = "".join(_WORD.findall(name.casefold()))
        if bare in words if len(bare) < 4 and bare.isascii() else bare in run_together:
            return True
    return False


def _session(ports: "RetrievePorts", told: str | None) -> str | None:
    from cairn.core.agent_host import session_around

    return (told or session_around(ports.env) or "")[:_SESSION] or None


def _mention(ports: "RetrievePorts", kind: str, payload: Mapping[str, Any]) -> None:
    try:
        ports.ledger.mention(kind, payload, now_ms=ports.clock.now_ms())
    except (CairnError, OSError):
        return


# --- counting ---------------------------------------------------------------------------------------------------------


def readings_of(events: "Iterable[IndexedLedgerEvent]") -> Iterator[PageRead]:
    """Lines of a ledger may hold anything; what is no reading is left out."""
    for event in events:
        path, session = event.payload.get("path"), event.payload.get("session")
        if isinstance(path, str) and 0 < len(path) <= _LONGEST:
            reader = session if isinstance(session, str) and session else event.worktree
            yield PageRead(_storable(path), _storable(reader[:_LONGEST]), event.at_ms)


def _storable(text: str) -> str:
    """As a database can hold it: half letters and zeros are none."""
    return text.encode("utf-8", "replace").decode().replace("\0", "?")
