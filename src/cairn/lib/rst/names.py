"""Names and ids of places in a page, as docutils makes them."""

import re
import unicodedata

SIMPLE_NAME = r"(?:(?!_)\w)+(?:[-._+:](?:(?!_)\w)+)*"
"""A name that needs no quotes."""

_DIGRAPHS = {0x00DF: "sz", 0x00E6: "ae", 0x0153: "oe", 0x0238: "db", 0x0239: "qp"}
_STROKED = str.maketrans("øđħıłŧƀƃƈƌƒƙƚƞƥƫƭƴƶǥȥȴȵȶȷȼȿɀɇɉɋɍɏ", "odhiltbbcdfklnpttyzgzlntjcszejqry")
_NOT_ID = re.compile(r"[^a-z0-9]+")
_AT_ENDS = re.compile(r"^[-0-9]+|-+$")
_ESCAPED_BLANK = re.compile(r"\0[ \n]")


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def escaped(text: str) -> str:
    r"""The text with each backslash as `\0`: what follows one is no markup. The length stays."""
    return re.sub(r"\\(.?)", "\0\\1", text, flags=re.DOTALL) if "\\" in text else text


def unescaped(text: str) -> str:
    return _ESCAPED_BLANK.sub("", text).replace("\0", "") if "\0" in text else text


def normal_name(text: str) -> str:
    """A name as references are compared: lower case, single spaces."""
    return " ".join(text.lower().split())


def make_id(text: str) -> str:
    """The id of a name: letters a–z, digits and hyphens, starting with a letter; may be empty."""
    lowered = text.lower()
    if not lowered.isascii():
        lowered = lowered.translate(_DIGRAPHS).translate(_STROKED)
        lowered = unicodedata.normalize("NFKD", lowered).encode("ascii", "ignore").decode()
    return _AT_ENDS.sub("", _NOT_ID.sub("-", " ".join(lowered.split())))


class Ids:
    """Gives out the ids of one page, each once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._counts: dict[str, int] = {}

    def take(self, name: str, tag: str) -> str:
        wanted = make_id(name)
        if wanted and wanted not in self._taken:
            self._taken.add(wanted)
            return wanted
        return self._numbered(f"{wanted or tag}-")

    def _numbered(self, prefix: str) -> str:
        number = self._counts.get(prefix, 0)
        while True:
            number += 1
            found = f"{prefix}{number}"
            if found not in self._taken:
                self._counts[prefix] = number
                self._taken.add(found)
                return found
