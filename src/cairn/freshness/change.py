"""Something that is still there, but not as it was: does a sentence that names it have to be read again?

Surely, when the sentence says what is no longer so. Otherwise it depends on what is named. A call in prose relies on
the signature, and a name of one value on that value. But a line of an example that does not use what changed still
works, an import works as long as the name is there, and who names a class or a list means the whole of it.
"""

import re
from typing import NamedTuple

from cairn.freshness.mentions import Mention
from cairn.freshness.signature import Difference, Interface, interface_difference, only_adds

_MOST = 3
"""Parts of something long that are named."""


_WEAK = frozenset({"True", "False", "None", "true", "false", "null", "0", "1", "self", "class", "str", "int", "bool"})


class Change(NamedTuple):
    message: str
    """What is different, without a full stop."""
    certain: bool
    """Whether the sentence says what is no longer so."""


def change(mention: Mention, old: Interface, new: Interface, made: tuple[Interface, Interface] | None) -> Change | None:
    """None when the sentence need not be read again. `made` are the constructors of a class, before and after."""
    text = mention.sentence.text
    apart = interface_difference(old, new)
    if apart.is_said_by(text) or _looks_the_same(old, new):
        return None
    certain = _says_old(apart, mention) or _says_old_part(old, new, text)
    if not certain and not _worth_a_look(mention, old, new, made):
        return None
    return Change(_message(old, new), certain)


def _says_old(apart: Difference, mention: Mention) -> bool:
    """Apart from the name itself, which is what led here."""
    name = {mention.last, *mention.text.split(".")}
    return apart._replace(lost=apart.lost - name - _WEAK).stands_in(mention.sentence.text)


def _says_old_part(old: Interface, new: Interface, text: str) -> bool:
    """Values that everybody has count together with the name that they belong to."""
    changed = [(name, shown) for name, shown in old.parts.items() if new.parts.get(name, shown) != shown]
    return any(re.search(rf"\b{re.escape(name)}\s*[:=]+\s*{re.escape(_value(shown))}", text) for name, shown in changed)


def _value(shown: str) -> str:
    return shown.partition("=")[2].strip()


def _looks_the_same(old: Interface, new: Interface) -> bool:
    """Then only types or decorators differ, of which nothing is shown."""
    return not (old.cut or new.cut) and (old.symbol.shown, old.parts) == (new.symbol.shown, new.parts)


def _worth_a_look(mention: Mention, old: Interface, new: Interface, made: tuple[Interface, Interface] | None) -> bool:
    if mention.sentence.fence is not None:
        return False
    kind = old.symbol.kind
    if kind in ("function", "method"):
        return not only_adds(old, new)
    if kind == "class":
        return mention.kind == "call" and made is not None and not only_adds(*made)
    if kind in ("constant", "attribute", "key"):
        return not _holds_many(old.symbol.shown)
    return True


def _holds_many(shown: str) -> bool:
    """Whether a value is a list, a table or the like: more of it, or less, is no other value to those who name it."""
    value = shown.partition("=")[2].strip() or shown.partition(":")[2].strip()
    return value.startswith(("[", "(", "{", "frozenset", "set(", "dict(", "tuple(", "list("))


def _message(old: Interface, new: Interface) -> str:
    if not (old.cut or new.cut):
        return f"`{old.symbol.shown}` is now `{new.symbol.shown}`"
    parts = [
        f"`{shown}` is now `{new.parts[name]}`" if name in new.parts else f"`{name}` is gone"
        for name, shown in old.parts.items()
        if new.parts.get(name) != shown
    ]
    more = f", and {len(parts) - _MOST} more" if len(parts) > _MOST else ""
    return (", ".join(parts[:_MOST]) + more) if parts else "its signature changed"
